/* text_layout.h - UTF-8 texts of unknown origin, made safe, measured, wrapped and cut. */
#ifndef DRAW_TEXT_LAYOUT_H
#define DRAW_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Long enough for any honest caption; what is longer is cut with an ellipsis. */
#define DRAW_TEXT_MAX 4096

/* out: text as valid UTF-8 without controls, direction marks or runs of blanks.  NULL reads as
 * "". */
void draw_clean(char *out, size_t size, const char *text);

/* The code point at text (valid UTF-8, not at its end) and, in *bytes, its length. */
uint32_t draw_decode(const char *text, size_t *bytes);
/* Writes at most 4 bytes, returns how many. */
size_t draw_encode(char *out, uint32_t code);
/* Terminal columns of a code point: 0, 1 or 2. */
unsigned draw_columns(uint32_t code);

/* How wide the first `bytes` bytes of text are. */
typedef double draw_measure(void *context, const char *text, size_t bytes);

typedef struct draw_span {
  const char *text;
  size_t bytes;
  bool cut; /* an ellipsis follows */
} draw_span;

/* Breaks text at blanks (in words, where a word alone is too wide) into at most `most` lines no
 * wider than width; the last one is cut if text remains.  Returns the number of lines. */
size_t draw_wrap(draw_span *lines, size_t most, const char *text, double width,
                 draw_measure *measure, void *context);

/* name and suffix with a blank between, in out; only the name is cut where both are wider than
 * width. */
void draw_join(char *out, size_t size, const char *name, const char *suffix, double width,
               draw_measure *measure, void *context);

#endif
