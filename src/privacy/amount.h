/* amount.h - what is charged and what is allowed, as exact decimals.
 *
 * Invariants:
 *  1. an amount counts units of 1e-12; nothing is ever a floating-point sum.
 *  2. a cost is never below the true cost of the guarantee; a capacity is never above what the
 *     total allows.  So whatever costs fit into a capacity together, the total holds.
 *  3. a double epsilon, delta or rho stands for the shortest decimal that reads back as it: 0.1 is
 *     one tenth, ten of them are one.  Mechanisms leave more room (2^-48, hardened_noise.c) than
 *     the difference between a double and its decimal.  mu is never typed: it stands for itself.
 *
 * Units: basic counts epsilon, and delta beside it; zcdp counts rho; gdp counts mu^2. */
#ifndef SFMI_AMOUNT_H
#define SFMI_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/system/status.h"
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
 * never; approximate only under basic; zcdp never under gdp; under basic gdp and zcdp only with the
 * (epsilon, delta) they were asked for.  SFM_INVALID when those are not implied by mu or rho, or
 * when a parameter is out of range. */
SFM_MUST_CHECK sfm_status sfmi_cost_of(sfmi_cost *out, const sfm_guarantee *guarantee,
                                       sfm_accounting accounting, sfm_error *error);

/* The same for a dataset of which nothing has been spent (spent is 0, in every unit), and whose
 * total is (epsilon, delta): a guarantee that was asked for with that epsilon (and, unless it is
 * pure, that delta) costs the capacity, where sfmi_cost_of asks for more.  Otherwise a total under
 * gdp could not be spent by the one release that asks for all of it: its mu^2 rounded up is a unit
 * above the capacity rounded down.  True, since it implies the total by itself and whatever costs
 * anything is refused from then on.  What asks for less and costs more is not taken for the whole:
 * nobody wants a pure epsilon of 1 to use up a gdp total of 3. */
SFM_MUST_CHECK sfm_status sfmi_cost_first(sfmi_cost *out, const sfm_guarantee *guarantee,
                                          sfm_accounting accounting, double epsilon, double delta,
                                          sfm_error *error);

/* What a total (epsilon, delta) allows: never more than their decimals do, epsilon's being cut
 * after 12 places first, and at most two units less (for a delta up to 0.99; closer to 1 a last
 * place of delta is worth many units).  SFM_INVALID when it is out of range (epsilon 1e-6 to 1e3;
 * delta 0, or 1e-12 up to below 1 under basic; 1e-300 up to below 1 under zcdp and gdp, which do
 * not count it in units), or when it allows less than a unit. */
SFM_MUST_CHECK sfm_status sfmi_cost_capacity(sfmi_cost *out, double epsilon, double delta,
                                             sfm_accounting accounting, sfm_error *error);

/* The epsilon that an amount means, for display: itself under basic; under zcdp and gdp that of its
 * curve at delta's decimal, rounded up or down to a unit.  main is 0 (which means 0) to what can be
 * a capacity; delta is that of a total.
 *  up: the amount implies (epsilon, delta).  An amount up to a capacity means at most its total's
 *      epsilon, cut after 12 places.
 *  down: the amount implies nothing less than (epsilon, delta).  So the capacity of that is at most
 *      the amount, and a release asked for at (epsilon, delta), gdp under gdp or zcdp under zcdp,
 *      costs at most the amount. */
SFM_MUST_CHECK sfm_status sfmi_cost_epsilon(sfmi_amount *epsilon, sfmi_amount main,
                                            sfm_accounting accounting, double delta, bool up,
                                            sfm_error *error);

#endif
