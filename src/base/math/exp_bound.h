/* exp_bound.h - lower bounds of powers of e, computed in integers alone. */
#ifndef SFMI_EXP_BOUND_H
#define SFMI_EXP_BOUND_H

#include "base/system/status.h"
#include "sfumato/noise.h"

/* mantissa / 2^shift <= e^x, and e^x < (mantissa + 2) / 2^shift. */
typedef struct sfmi_dyadic_bound {
  uint64_t mantissa; /* 2^63 at least */
  unsigned shift;    /* 0 to 63 */
} sfmi_dyadic_bound;

/* The largest exponent: e^x stays below 2^64. */
#define SFMI_EXP_BOUND_MAX 44

/* A dyadic number not above e^x, right to 2^-62 of it.  x: any ratio up to SFMI_EXP_BOUND_MAX. */
sfmi_dyadic_bound sfmi_exp_lower_bound(sfm_ratio x);

#endif
