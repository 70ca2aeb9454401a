/* interval.h - confidence sets for what is not linear in a density, found by asking which values a
 * test does not reject (docs/proofs/queries.md). */
#ifndef SFMI_INTERVAL_H
#define SFMI_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

/* Whether data do not contradict that a ratio has that value. */
typedef bool sfmi_accepts(const void *context, double ratio);

/* The smallest interval that holds every accepted R in [0, 1], of a test that is likeliest to
 * accept near `value`: found on a grid, and then to a billionth.  When there is none, value itself.
 */
void sfmi_interval_ratio(double *lower, double *upper, double value, sfmi_accepts *accepts,
                         const void *context);

/* Where a function that is given at the points x of a grid, negative at the first and positive at
 * the last, is zero: in the middle between the first such place and the last one, which are the
 * same but where noise makes it fall.  It is within widths of one that rises; lower and upper are
 * the ends of all cells between neighbouring points that may hold that one's zero. */
double sfmi_interval_crossing(double *lower, double *upper, const double *x, const double *values,
                              const double *widths, size_t points);

#endif
