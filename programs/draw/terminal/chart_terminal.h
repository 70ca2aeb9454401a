/* chart_terminal.h - a curve with its band, or stems, in the terminal. */
#ifndef DRAW_CHART_TERMINAL_H
#define DRAW_CHART_TERMINAL_H

#include "screen.h"

void draw_screen_chart(draw_screen *screen);

#endif
