/* svg_words.h - the words of a page, kept as text for an svg file: cairo would draw their outlines,
 * which nobody can select, search or read aloud.
 *
 * Words are attached to a cairo_t.  What is written on it then goes there, with the font, the ink
 * and the place that the cairo_t has at that moment, and not onto its surface. */
#ifndef DRAW_SVG_WORDS_H
#define DRAW_SVG_WORDS_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

#include "text_layout.h"

/* Bytes that grow; add returns false where there is no memory for more. */
typedef struct draw_bytes {
  unsigned char *bytes;
  size_t length, room;
} draw_bytes;
bool draw_bytes_add(draw_bytes *out, const void *bytes, size_t length);
/* Text (cleaned: draw_clean) with what XML needs in place of its marks. */
bool draw_bytes_add_text(draw_bytes *out, const char *text);

typedef struct draw_svg_words {
  draw_bytes elements; /* <text> elements, in the order in which they were written */
  bool failed;         /* for want of memory */
} draw_svg_words;

void draw_svg_words_attach(cairo_t *cr, draw_svg_words *words);
/* The words that are attached; NULL: there are none. */
draw_svg_words *draw_svg_words_of(cairo_t *cr);

/* A text at (x, y); align as in draw_page_text.  Its lines, if there are several, are parts of it,
 * leading apart, so that a sentence can be found across them. */
void draw_svg_words_add(draw_svg_words *words, cairo_t *cr, double x, double y, double align,
                        const draw_span *lines, size_t count, double leading);

#endif
