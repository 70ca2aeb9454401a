/* count_noise.h - from a count to an answer: the only place where its noise is drawn. */
#ifndef SFMI_COUNT_NOISE_H
#define SFMI_COUNT_NOISE_H

#include "mechanisms/core/hardened_noise.h"
#include "releases/kinds/optimal.h"
#include "sfumato/count.h"

/* How an answer is made from a count; all of it public. */
typedef struct sfmi_count_rule {
  double epsilon;              /* of the guarantee, contributions included */
  const sfmi_optimal *optimal; /* NULL: geometric */
  sfmi_noise_law law;          /* of geometric noise; not used by a matrix */
  bool bounded;                /* count and noise are brought into 0 to n */
  uint64_t n;                  /* of bounded ones */
  int64_t exact_to; /* counts up to this one are answered as they are; -1: none.  Not private: see
                       docs/proofs/random-dp.md */
} sfmi_count_rule;

/* Refuses settings that make no rule, whatever the number of records is. */
SFM_MUST_CHECK sfm_status sfmi_count_check(const sfm_count_settings *settings, sfm_error *error);
/* The rule for settings that were checked, n records being there when their number is public.
 * Refuses a mechanism for another number.  Borrows the mechanism. */
SFM_MUST_CHECK sfm_status sfmi_count_rule_init(sfmi_count_rule *rule,
                                               const sfm_count_settings *settings, uint64_t n,
                                               sfm_error *error);

/* The largest count that (5.1) answers as it is: the largest c with 2 (c + 1) <= gamma n; -1: none.
 * gamma stands for its decimal, cut after twelve places. */
int64_t sfmi_count_exact_to(double gamma, uint64_t n);

/* A rule, ready to be drawn by: streams of its own. */
typedef struct sfmi_count_noise sfmi_count_noise;
SFM_MUST_CHECK sfm_status sfmi_count_noise_create(sfmi_count_noise **out,
                                                  const sfmi_count_rule *rule, sfmi_seed source,
                                                  sfm_error *error);
void sfmi_count_noise_destroy(sfmi_count_noise *count_noise);
/* A fresh answer for the count; *exact says whether it has no noise. */
int64_t sfmi_count_noise_draw(sfmi_count_noise *count_noise, uint64_t count, bool *exact);

#endif
