/* averaging.h - the parts of a mean that tests repeat many times. */
#ifndef SFMI_AVERAGING_H
#define SFMI_AVERAGING_H

#include "random/stream.h"
#include "sfumato/mean.h"

/* What is decided before rows are read. */
typedef struct sfmi_averaging {
  uint64_t rows, rank;
  double beta, width; /* width: of the limits and zero, which is what a row without a number is */
  double epsilon;
} sfmi_averaging;

/* For checked settings and n >= 2 records. */
void sfmi_averaging_init(sfmi_averaging *out, const sfm_mean_settings *settings, uint64_t rows);

/* The mean of the values, which are overwritten, and noise. */
double sfmi_averaging_draw(const sfmi_averaging *averaging, double *values, sfmi_stream *stream);

#endif
