/* electing.h - the parts of a choice that the audit repeats many times. */
#ifndef SFMI_ELECTING_H
#define SFMI_ELECTING_H

#include "random/exponential.h"
#include "sfumato/choose.h"

/* Scores count as at most this many steps, where reading and rounding them is off by half a step
 * each. */
#define SFMI_ELECTING_RANGE 0x1p51

/* All of it public. */
typedef struct sfmi_electing {
  double step;        /* of the scores: a power of two */
  double sensitivity; /* of one score, what reading and rounding move included */
  sfmi_rate rate;     /* in steps */
} sfmi_electing;

/* For checked settings; SFM_INVALID where the rate is out of range. */
SFM_MUST_CHECK sfm_status sfmi_electing_init(sfmi_electing *out,
                                             const sfm_choose_settings *settings, sfm_error *error);

/* One over the rate, in the unit of the scores. */
double sfmi_electing_scale(const sfmi_electing *electing);

/* Scores in steps: NaN as zero, the rest clamped to the range and rounded once. */
void sfmi_electing_integers(int64_t *integers, const double *scores, size_t count, double step);

/* A candidate, each with probability prop. to exp(rate integers[i]). */
size_t sfmi_electing_draw(const sfmi_electing *electing, sfmi_stream *stream,
                          const int64_t *integers, size_t count);

#endif
