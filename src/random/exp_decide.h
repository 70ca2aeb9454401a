/* exp_decide.h - whether a uniform number is below exp(-t), decided in 64-bit integers where they
 * suffice. */
#ifndef SFMI_EXP_DECIDE_H
#define SFMI_EXP_DECIDE_H

#include <stdint.h>

/* What integers of fixed width decide. */
typedef enum sfmi_decision { SFMI_NO, SFMI_YES, SFMI_UNDECIDED } sfmi_decision;

/* As sfmi_exp_decide, for what it does not decide at once. */
sfmi_decision sfmi_exp_decide_near(uint64_t u, uint64_t t_lower, uint64_t t_upper);

/* Is U < exp(-t), for U in [u, u+1) / 2^64 and t in [t_lower, t_upper] / 2^64, 0 < t_upper? */
static inline sfmi_decision sfmi_exp_decide(uint64_t u, uint64_t t_lower, uint64_t t_upper) {
  /* U < 1 - t <= exp(-t) */
  if (__builtin_expect(u < UINT64_MAX - t_upper + 1, 1)) return SFMI_YES;
  return sfmi_exp_decide_near(u, t_lower, t_upper);
}

#endif
