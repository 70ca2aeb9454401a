/* lower_bounds.h - lower bounds of the error of every private mechanism, with their constants.
 *
 * Statements and proofs: docs/proofs/limits.md.  Every number here is for pure epsilon and for the
 * worst database; all of them are rounded only as doubles are. */
#ifndef SFMI_LOWER_BOUNDS_H
#define SFMI_LOWER_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "sfumato/guarantee.h"

/* A count of 0 to n, absolute loss: the least mean risk of any mechanism under the uniform prior on
 * 0 to min(n, SFMI_LOWER_BOUND_PRIOR), which the worst count's risk is not below. */
#define SFMI_LOWER_BOUND_PRIOR 262144
double sfmi_lower_bound_count(uint64_t n, double epsilon);
/* The risk of every count, of a mechanism whose risk nowhere exceeds worst, for n >= 2 s - 1:
 * max over whole s of e^(-epsilon s) (s/2 - worst); 0 where none is positive. */
double sfmi_lower_bound_everywhere(uint64_t n, double epsilon, double worst);

/* l1 error of a table of so many cells and n records (n 0: as many as it takes; under add/remove
 * any number).  Cells in pairs, each a count of its own. */
double sfmi_lower_bound_table(uint64_t cells, uint64_t n, double epsilon,
                              sfm_neighbours neighbours);
/* l1 error of tables of which at most `occupied` of `cells` cells are not empty: the
 * larger of what sets of cells and what a table of the occupied cells proves. */
double sfmi_lower_bound_sparse(uint64_t cells, uint64_t occupied, uint64_t n, double epsilon,
                               sfm_neighbours neighbours);
/* l1 error over all cells of all one-way margins of up to 64 columns with so many categories: the
 * larger of what a code of records and what the columns, each with records of its own, prove. */
double sfmi_lower_bound_margins(const uint64_t *sizes, size_t count, uint64_t n, double epsilon,
                                sfm_neighbours neighbours);

#endif
