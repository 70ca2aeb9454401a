/* mean_release.h - the parts of a mean that tests repeat many times. */
#ifndef SFMI_MEAN_RELEASE_H
#define SFMI_MEAN_RELEASE_H

#include "random/stream.h"
#include "sfumato/mean.h"

/* What is decided before rows are read. */
typedef struct sfmi_mean_rule {
  uint64_t rows, rank;
  double beta;
  double width; /* of the limits together with 0, the value of a row without a number */
  double epsilon;
} sfmi_mean_rule;

/* For checked settings and n >= 2 records. */
void sfmi_mean_rule_init(sfmi_mean_rule *out, const sfm_mean_settings *settings, uint64_t rows);

/* The mean of the values, which are overwritten, and noise. */
double sfmi_mean_draw(const sfmi_mean_rule *rule, double *values, sfmi_stream *stream);

#endif
