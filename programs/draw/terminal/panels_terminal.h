/* panels_terminal.h - many plots side by side in the terminal. */
#ifndef DRAW_PANELS_TERMINAL_H
#define DRAW_PANELS_TERMINAL_H

#include "screen.h"

/* Panels, in as many rows as they need, and at most so many lines of words under them.  Panels side
 * by side and without words take the given rows, if these are at least
 * DRAW_PANELS_TERMINAL_ROWS_MIN, and a blank one; or fewer. */
enum { DRAW_PANELS_TERMINAL_ROWS_MIN = 13 };
void draw_panels_terminal(const draw_figure *figure, FILE *out, unsigned columns, unsigned rows,
                          unsigned words, bool colour);

#endif
