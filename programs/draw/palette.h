/* palette.h - one sequential colour map, from paper to ink. */
#ifndef DRAW_PALETTE_H
#define DRAW_PALETTE_H

#include <stdint.h>

/* 0xRRGGBB at t in [0, 1] (clamped; NaN is 0): pale at 0, dark at 1.  Lightness falls linearly in
 * t, so the map survives grey printing and colour blindness. */
uint32_t draw_palette(double t);

/* The nearest of the terminal's 256 colours. */
unsigned draw_palette_nearest(uint32_t colour);

#endif
