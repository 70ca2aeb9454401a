#include "text_layout.h"

#include <stdio.h>
#include <string.h>

/* Decodes one code point of hostile bytes; returns its length, or 0 if it is not UTF-8. */
static size_t decode_strictly(const unsigned char *s, uint32_t *code) {
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  size_t n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
  if (n == 0) return 0;
  uint32_t c = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
  for (size_t k = 1; k < n; k++) {
    if (s[k] >> 6 != 2) return 0;
    c = c << 6 | (s[k] & 0x3fu);
  }
  if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) return 0;
  *code = c;
  return n;
}

/* Marks that reorder or hide their neighbours. */
static bool invisible(uint32_t c) {
  return c == 0xad || c == 0x061c || (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe0fff);
}

static bool blank(uint32_t c) {
  return c <= 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029;
}

void draw_clean(char *out, size_t size, const char *text) {
  const size_t reserve = 8; /* a code point, the ellipsis and the end */
  const unsigned char *s = (const unsigned char *)(text ? text : "");
  size_t used = 0;
  bool pending = false;
  while (*s && used + reserve < size) {
    uint32_t c = 0xfffd;
    size_t n = decode_strictly(s, &c);
    s += n ? n : 1;
    if (c == 0xfffe || c == 0xffff) c = 0xfffd; /* no characters: XML and cairo refuse them */
    if (invisible(c)) continue;
    if (blank(c)) {
      pending = used > 0;
      continue;
    }
    if (pending) out[used++] = ' ';
    pending = false;
    used += draw_encode(out + used, c);
  }
  if (*s) used += draw_encode(out + used, 0x2026);
  out[used] = 0;
}

uint32_t draw_decode(const char *text, size_t *bytes) {
  uint32_t code = 0xfffd;
  *bytes = decode_strictly((const unsigned char *)text, &code);
  if (*bytes == 0) *bytes = 1;
  return code;
}

size_t draw_encode(char *out, uint32_t c) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t k = n; k-- > 1; c >>= 6) out[k] = (char)(0x80 | (c & 0x3f));
  out[0] = (char)((0xf00u >> n & 0xf0u) | c);
  return n;
}

typedef struct range {
  uint32_t first, last;
} range;

static bool within(uint32_t code, const range *ranges, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (code >= ranges[k].first && code <= ranges[k].last) return true;
  return false;
}

unsigned draw_columns(uint32_t code) {
  static const range none[] = {
      {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x5bf, 0x5bf},   {0x5c1, 0x5c2},
      {0x5c4, 0x5c5},   {0x610, 0x61a},   {0x64b, 0x65f},   {0x670, 0x670},   {0x6d6, 0x6dc},
      {0x93c, 0x93c},   {0x941, 0x948},   {0x94d, 0x94d},   {0xe31, 0xe31},   {0xe34, 0xe3a},
      {0xe47, 0xe4e},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0x302a, 0x302d},
      {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
  static const range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x3247},
                               {0x3250, 0x4dbf},   {0x4e00, 0xa4cf},   {0xa960, 0xa97c},
                               {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                               {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                               {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  if (code < 0x300) return 1;
  if (within(code, none, sizeof none / sizeof none[0])) return 0;
  return within(code, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

/* The bytes of text's beginning that fit into width: whole words, else whole code points, and at
 * least one of these so that every call advances. */
static size_t fitting(const char *text, double width, draw_measure *measure, void *context) {
  size_t fit = 0, end = 0;
  for (;;) {
    while (text[end] == ' ') end++;
    end += strcspn(text + end, " ");
    if (measure(context, text, end) > width) break;
    fit = end;
    if (!text[end]) return fit;
  }
  if (fit > 0) return fit;
  size_t step;
  draw_decode(text, &step);
  do {
    fit += step;
    if (!text[fit]) break;
    draw_decode(text + fit, &step);
  } while (measure(context, text, fit + step) <= width);
  return fit;
}

size_t draw_wrap(draw_span *lines, size_t most, const char *text, double width,
                 draw_measure *measure, void *context) {
  size_t count = 0;
  while (*text && count < most) {
    size_t fit = fitting(text, width, measure, context), gap = strspn(text + fit, " ");
    bool cut = count + 1 == most && text[fit + gap];
    if (cut) fit = fitting(text, width - measure(context, "\u2026", 3), measure, context);
    lines[count++] = (draw_span){text, fit, cut};
    text += fit;
    text += strspn(text, " ");
  }
  return count;
}

void draw_join(char *out, size_t size, const char *name, const char *suffix, double width,
               draw_measure *measure, void *context) {
  draw_span span = {name, 0, false};
  const char *gap = *name && *suffix ? " " : "";
  if (*gap) width -= measure(context, suffix, strlen(suffix)) + measure(context, gap, 1);
  if (width > 0) draw_wrap(&span, 1, name, width, measure, context);
  snprintf(out, size, "%.*s%s%s%s", (int)span.bytes, span.text, span.cut ? "\u2026" : "", gap,
           suffix);
}
