/* terminal_frame.h - a screen of the terminal whose rows follow from what is drawn: a title, a line
 * above the plot, the plot's rows, and words below. */
#ifndef DRAW_TERMINAL_FRAME_H
#define DRAW_TERMINAL_FRAME_H

#include "screen.h"

typedef struct draw_frame {
  draw_screen screen;
  draw_words words;
} draw_frame;

/* A screen with its title in row 0 and room for `rows` rows from row 2 on; words: lines below, at
 * most.  False if there are no columns, or memory was short. */
bool draw_frame_open(draw_frame *f, const char *title, const char *caption, const char *note,
                     unsigned columns, unsigned rows, unsigned words);
/* Prints it with the words below, and clears the screen. */
void draw_frame_print(draw_frame *f, FILE *out);

/* Columns that a text takes once it is cleaned; the text in so many columns, at their left or
 * right. */
unsigned draw_frame_width(const char *text);
void draw_frame_text(draw_screen *screen, unsigned column, unsigned row, unsigned width,
                     const char *text, uint32_t ink, bool right);

#endif
