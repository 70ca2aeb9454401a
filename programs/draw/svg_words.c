#include "svg_words.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text_layout.h"

static const cairo_user_data_key_t key;

bool draw_bytes_add(draw_bytes *out, const void *bytes, size_t length) {
  if (length > out->room - out->length) {
    const size_t room = 2 * (out->length + length) + 4096;
    unsigned char *larger = realloc(out->bytes, room);
    if (!larger) return false;
    out->bytes = larger;
    out->room = room;
  }
  if (length) memcpy(out->bytes + out->length, bytes, length);
  out->length += length;
  return true;
}

bool draw_bytes_add_text(draw_bytes *out, const char *text) {
  bool good = true;
  while (good && *text) {
    size_t length;
    const uint32_t code = draw_decode(text, &length);
    const char *instead = code == '<'   ? "&lt;"
                          : code == '>' ? "&gt;"
                          : code == '&' ? "&amp;"
                                        : NULL;
    good =
        instead ? draw_bytes_add(out, instead, strlen(instead)) : draw_bytes_add(out, text, length);
    text += length;
  }
  return good;
}

void draw_svg_words_attach(cairo_t *cr, draw_svg_words *words) {
  if (cairo_set_user_data(cr, &key, words, NULL)) words->failed = true;
}

draw_svg_words *draw_svg_words_of(cairo_t *cr) {
  return cairo_get_user_data(cr, &key);
}

static void add(draw_svg_words *words, const char *markup) {
  if (!draw_bytes_add(&words->elements, markup, strlen(markup))) words->failed = true;
}

/* A number without an exponent, as every reader takes it. */
static void add_number(draw_svg_words *words, const char *name, double value) {
  char text[80];
  snprintf(text, sizeof text, " %s=\"%.2f\"", name, fabs(value) < 0.005 ? 0 : value);
  add(words, text);
}

static void add_ink(draw_svg_words *words, cairo_t *cr) {
  double part[4] = {0, 0, 0, 1};
  char text[40];
  if (cairo_pattern_get_rgba(cairo_get_source(cr), &part[0], &part[1], &part[2], &part[3])) return;
  snprintf(text, sizeof text, " fill=\"#%02x%02x%02x\"", (unsigned)lround(255 * part[0]),
           (unsigned)lround(255 * part[1]), (unsigned)lround(255 * part[2]));
  add(words, text);
  if (part[3] < 1) add_number(words, "fill-opacity", part[3]);
}

/* Turned by as much as the page is turned: about its own beginning. */
static void add_turn(draw_svg_words *words, const cairo_matrix_t *m, double x, double y) {
  char text[160];
  const double degrees = atan2(m->yx, m->xx) * 180 / 3.14159265358979323846;
  if (fabs(degrees) < 0.01) return;
  snprintf(text, sizeof text, " transform=\"rotate(%.2f %.2f %.2f)\"", degrees, x, y);
  add(words, text);
}

static void add_line(draw_svg_words *words, const draw_span *line) {
  char part[DRAW_TEXT_MAX + 8];
  const size_t bytes = line->bytes < DRAW_TEXT_MAX ? line->bytes : DRAW_TEXT_MAX - 1;
  memcpy(part, line->text, bytes);
  strcpy(part + bytes, line->cut ? "\u2026" : "");
  if (!draw_bytes_add_text(&words->elements, part)) words->failed = true;
}

void draw_svg_words_add(draw_svg_words *words, cairo_t *cr, double x, double y, double align,
                        const draw_span *lines, size_t count, double leading) {
  cairo_matrix_t turn, font;
  cairo_get_matrix(cr, &turn);
  cairo_get_font_matrix(cr, &font);
  cairo_user_to_device(cr, &x, &y);
  add(words, "<text");
  add_number(words, "x", x);
  add_number(words, "y", y);
  add_number(words, "font-size", font.yy);
  if (cairo_toy_font_face_get_weight(cairo_get_font_face(cr)) == CAIRO_FONT_WEIGHT_BOLD)
    add(words, " font-weight=\"bold\"");
  if (align > 0) add(words, align < 1 ? " text-anchor=\"middle\"" : " text-anchor=\"end\"");
  add_ink(words, cr);
  add_turn(words, &turn, x, y);
  add(words, ">");
  for (size_t i = 0; i < count; i++) {
    if (i > 0) { /* the blank keeps copied lines apart, where it moves none of them */
      add(words, align > 0 ? "<tspan" : " <tspan");
      add_number(words, "x", x);
      add_number(words, "dy", leading);
      add(words, align > 0 ? "> " : ">");
    }
    add_line(words, &lines[i]);
    if (i > 0) add(words, "</tspan>");
  }
  add(words, "</text>\n");
}
