/* fft_axis.h - transforms along one axis of an array: by columns, or by contiguous rows. */
#ifndef SFMI_FFT_AXIS_H
#define SFMI_FFT_AXIS_H

#include "fft_chirp.h"

/* Up to these lengths, rows or columns are transformed side by side: together with another copy of
 * them they stay near the processor. */
enum { SFMI_FFT_LONGEST_ROW = 2048, SFMI_FFT_LONGEST_COLUMN = 8192 };

/* Of n numbers: in passes, or as a long transform, or as a chirp.  What is not needed is NULL. */
typedef struct sfmi_fft_axis {
  size_t n, inner; /* inner is 1 for contiguous rows */
  sfmi_fft_passes *passes;
  sfmi_fft_long *whole;
  sfmi_fft_chirp *chirp;
} sfmi_fft_axis;

/* For `outer` arrays, one after the other, of n rows of `inner` columns: along the columns, or
 * along rows if inner is 1.  To be cleared also where it fails. */
SFM_MUST_CHECK sfm_status sfmi_fft_axis_init(sfmi_fft_axis *axis, size_t outer, size_t n,
                                             size_t inner, int kind, sfm_error *error);
void sfmi_fft_axis_clear(sfmi_fft_axis *axis);
/* Raises what is wanted of the work to what the axis wants. */
void sfmi_fft_axis_wants(const sfmi_fft_axis *axis, size_t *rows, size_t *scratch);

/* In place; `stride` numbers from one of the outer arrays to the next: n inner, or more. */
void sfmi_fft_axis_run(const sfmi_fft_axis *axis, double complex *data, size_t outer, size_t stride,
                       int sign, const sfmi_fft_work *work);

#endif
