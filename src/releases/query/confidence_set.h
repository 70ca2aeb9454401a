/* confidence_set.h - confidence sets for what is not linear in a density, found by asking which
 * values a test does not reject (docs/proofs/queries.md). */
#ifndef SFMI_CONFIDENCE_SET_H
#define SFMI_CONFIDENCE_SET_H

#include <stdbool.h>
#include <stddef.h>

/* Whether data do not contradict that a ratio has that value. */
typedef bool sfmi_accepts(const void *context, double ratio);

/* The smallest interval that holds every accepted R in [0, 1], of a test that is likeliest to
 * accept near `value`: found on a grid, and then to a billionth.  Value itself when there is none.
 */
void sfmi_confidence_set_ratio(double *lower, double *upper, double value, sfmi_accepts *accepts,
                               const void *context);

/* A function that is given at the points of a grid, negative at the first and positive at the last,
 * and within widths of one that rises.  Cells lie between neighbouring points. */
typedef struct sfmi_zero_crossing {
  size_t zero[2]; /* the first cell and the last in which it is zero */
  size_t kept[2]; /* the first and the last that may hold the zero of the one that rises */
} sfmi_zero_crossing;

sfmi_zero_crossing sfmi_confidence_set_crossing(const double *values, const double *widths,
                                                size_t points);
/* Where a line through the ends of cell k is zero. */
double sfmi_confidence_set_root(const double *x, const double *values, size_t k);

/* The places x for which `may` is true, each with half of what lies between it and its neighbours:
 * the ends of all, and runs of them as pairs (room for most; the last ones are joined). */
void sfmi_confidence_set_runs(double *lower, double *upper, double *pieces, size_t *found,
                              size_t most, const double *x, const bool *may, size_t count);

#endif
