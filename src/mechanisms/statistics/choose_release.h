/* choose_release.h - the parts of a choice that the audit repeats many times. */
#ifndef SFMI_CHOOSE_RELEASE_H
#define SFMI_CHOOSE_RELEASE_H

#include "random/exponential_mechanism.h"
#include "sfumato/choose.h"

/* Scores are clamped to this many steps, within which reading and rounding are each off by at most
 * half a step. */
#define SFMI_CHOOSE_RANGE 0x1p51

/* All of it public. */
typedef struct sfmi_choose_rule {
  double step;           /* of the scores: a power of two */
  double sensitivity;    /* of one score, what reading and rounding move included */
  sfmi_dyadic_rate rate; /* in steps */
} sfmi_choose_rule;

/* For checked settings; SFM_INVALID where the rate is out of range. */
SFM_MUST_CHECK sfm_status sfmi_choose_rule_init(sfmi_choose_rule *out,
                                                const sfm_choose_settings *settings,
                                                sfm_error *error);

/* Scores in steps, as sfmi_harden_steps. */
void sfmi_choose_integers(int64_t *integers, const double *scores, size_t count, double step);

/* A candidate, each with probability prop. to exp(rate integers[i]). */
size_t sfmi_choose_draw(const sfmi_choose_rule *rule, sfmi_stream *stream, const int64_t *integers,
                        size_t count);

#endif
