/* heatmap_terminal.h - a heat map and its key in the terminal. */
#ifndef DRAW_HEATMAP_TERMINAL_H
#define DRAW_HEATMAP_TERMINAL_H

#include "screen.h"

void draw_screen_map(draw_screen *screen);

#endif
