/* amount.h - what is charged and what is allowed, as exact decimals.
 *
 * Invariants:
 *  1. an amount counts units of 1e-12; nothing is ever a floating-point sum.
 *  2. a cost is never below the true cost of the guarantee; a capacity is never above what the
 *     total allows.  So whatever costs fit into a capacity together, the total holds.
 *  3. a double stands for the shortest decimal that reads back as it: 0.1 is one tenth, ten of them
 *     are one.  Mechanisms leave more room (2^-48, harden.c) than a double and its decimal differ.
 *
 * Units: basic counts epsilon, and delta beside it; zcdp counts rho; gdp counts mu^2. */
#ifndef SFMI_AMOUNT_H
#define SFMI_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "sfumato/account.h"

typedef int64_t sfmi_amount;
#define SFMI_AMOUNT_ONE INT64_C(1000000000000)
/* The largest that is accepted anywhere; a capacity plus a cost never overflows. */
#define SFMI_AMOUNT_MAX (INT64_C(4000000) * SFMI_AMOUNT_ONE)
#define SFMI_AMOUNT_TEXT 40 /* a printed amount with its NUL */

typedef struct sfmi_cost {
  sfmi_amount main;  /* epsilon, rho or mu^2 */
  sfmi_amount delta; /* basic only; 0 otherwise */
} sfmi_cost;

/* "0", "0.1", "3", "0.000000000001": no exponent, no trailing zeros. */
void sfmi_amount_print(char text[SFMI_AMOUNT_TEXT], sfmi_amount amount);

/* The decimal of a double (finite, 0 to 4e6), rounded up or down to a unit; false when it is not
 * in that range. */
bool sfmi_amount_from(sfmi_amount *out, double value, bool up);
/* The nearest double not below (up) or not above an amount. */
double sfmi_amount_double(sfmi_amount amount, bool up);

/* What a guarantee costs.  SFM_REFUSED, saying why, when the accounting cannot hold it: random-dp
 * never; approximate only under basic; zcdp never under gdp, and under basic only with the
 * (epsilon, delta) it was asked for. */
SFM_MUST_CHECK sfm_status sfmi_cost_of(sfmi_cost *out, const sfm_guarantee *guarantee,
                                       sfm_accounting accounting, sfm_error *error);

/* What a total (epsilon, delta) allows.  SFM_INVALID when it is out of range (epsilon 1e-6 to 1e3;
 * delta 0, or 1e-12 up to below 1), or when zcdp or gdp are given no delta. */
SFM_MUST_CHECK sfm_status sfmi_cost_capacity(sfmi_cost *out, double epsilon, double delta,
                                             sfm_accounting accounting, sfm_error *error);

/* The epsilon that an amount means: itself under basic; under zcdp and gdp that of its curve at
 * delta, rounded up or down to a unit. */
SFM_MUST_CHECK sfm_status sfmi_cost_epsilon(sfmi_amount *epsilon, sfmi_amount main,
                                            sfm_accounting accounting, double delta, bool up,
                                            sfm_error *error);

#endif
