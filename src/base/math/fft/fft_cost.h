/* fft_cost.h - what a transform of complex numbers (fft.h) takes at most: its numbers, its tables,
 * and the buffers of as many threads as it may have on any machine. */
#ifndef SFMI_FFT_COST_H
#define SFMI_FFT_COST_H

#include <stddef.h>

typedef struct sfmi_fft_cost {
  double bytes, operations;
} sfmi_fft_cost;

/* Of a shape that need not fit into memory, nor its product into a size_t.  Operations: of one
 * transform. */
sfmi_fft_cost sfmi_fft_cost_of(const size_t *shape, size_t dimension);

#endif
