#include "palette.h"

/* A path through OKLCh, L = 0.975 - 0.715 s, hue 105 -> 150 -> 215 -> 265 -> 285 degrees, chroma as
 * far as the sRGB gamut lets it, cut into pieces of equal OKLab length. */
enum { ANCHORS = 17 };
static const uint32_t anchors[ANCHORS] = {
    0xf9f8e7, 0xe5ebcf, 0xcee0ba, 0xb2d5ab, 0x95caa2, 0x72bf9f, 0x4bb4a0, 0x1da7a2, 0x1397a2,
    0x10869f, 0x0d759b, 0x0a6598, 0x145496, 0x294486, 0x293573, 0x262760, 0x211a4d};

static unsigned channel(uint32_t colour, unsigned shift) {
  return colour >> shift & 255u;
}

uint32_t draw_palette(double t) {
  if (!(t > 0)) return anchors[0];
  if (t >= 1) return anchors[ANCHORS - 1];
  double place = t * (ANCHORS - 1);
  unsigned k = (unsigned)place;
  double rest = place - k;
  uint32_t colour = 0;
  for (unsigned shift = 0; shift <= 16; shift += 8) {
    double a = channel(anchors[k], shift), b = channel(anchors[k + 1], shift);
    colour |= (uint32_t)(a + rest * (b - a) + 0.5) << shift;
  }
  return colour;
}

static unsigned distance(uint32_t a, uint32_t b) {
  unsigned sum = 0;
  for (unsigned shift = 0; shift <= 16; shift += 8) {
    int d = (int)channel(a, shift) - (int)channel(b, shift);
    sum += (unsigned)(d * d);
  }
  return sum;
}

/* Colours 16..231 are a 6 x 6 x 6 cube, 232..255 a ramp of greys. */
unsigned draw_palette_nearest(uint32_t colour) {
  static const unsigned levels[6] = {0, 95, 135, 175, 215, 255};
  unsigned best = 16, least = ~0u;
  for (unsigned k = 16; k < 256; k++) {
    unsigned c = k - 16, grey = 8 + 10 * (k - 232);
    uint32_t candidate = k < 232 ? levels[c / 36] << 16 | levels[c / 6 % 6] << 8 | levels[c % 6]
                                 : grey << 16 | grey << 8 | grey;
    unsigned d = distance(candidate, colour);
    if (d < least) {
      least = d;
      best = k;
    }
  }
  return best;
}
