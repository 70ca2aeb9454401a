/* interval.h - confidence sets for what is not linear in a density, found by asking which values a
 * test does not reject (docs/proofs/queries.md). */
#ifndef SFMI_INTERVAL_H
#define SFMI_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

/* A width as a function of a ratio's value. */
typedef double sfmi_width(const void *context, double ratio);

/* The smallest interval that holds every R in [0, 1] with |part - R whole| <= width(R); whole > 0.
 * When there is none, the ratio itself, brought into [0, 1]. */
void sfmi_interval_ratio(double *lower, double *upper, double part, double whole, sfmi_width *width,
                         const void *context);

/* Where a function that is given at the points x of a grid, negative at the first and positive at
 * the last, is zero: in the middle between the first such place and the last one, which are the
 * same but where noise makes it fall.  It is within widths of one that rises; lower and upper are
 * the ends of all cells between neighbouring points that may hold that one's zero. */
double sfmi_interval_crossing(double *lower, double *upper, const double *x, const double *values,
                              const double *widths, size_t points);

#endif
