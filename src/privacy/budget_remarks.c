#include "budget_remarks.h"

#include <math.h>

#include "base/system/remark.h"
#include "base/text/thousands.h"

static const double EPSILON_USUAL = 10, DELTA_USUAL = 1e-3;

/* The exponent of a power of ten that is a hundred times below 1/records, and 1e-6 at most. */
static int smaller_delta(double records) {
  return (int)fmax(6, ceil(log10(records) + 2));
}

void sfmi_budget_remarks(const sfm_context *context, double epsilon, double delta, double records) {
  if (epsilon > EPSILON_USUAL)
    sfmi_remark(context,
                "epsilon = %.6g promises very little: an attacker's odds that somebody's record is "
                "one and not another may grow by a factor of e^%.6g = %.2g. Usual values are 0.1 "
                "to 3",
                epsilon, epsilon, exp(epsilon));
  char n[SFMI_THOUSANDS_MAX], whole[SFMI_THOUSANDS_MAX];
  sfmi_thousands(n, sizeof n, records, 15);
  sfmi_thousands(whole, sizeof whole, fmax(1, floor(delta * records)), 3);
  if (records > 0 && delta * records >= 1)
    sfmi_remark(context,
                "delta = %.3g is not below 1/n, n = %s: a method that publishes %s of the records "
                "whole, drawn at random, would keep such a guarantee. Write a delta far below "
                "1/n, for example 1e-%d",
                delta, n, whole, smaller_delta(records));
  else if (!(records > 0) && delta > DELTA_USUAL)
    sfmi_remark(context,
                "delta = %.3g: with this probability a record may be published whole. Write a "
                "delta far below 1/(number of people), for example 1e-6",
                delta);
}
