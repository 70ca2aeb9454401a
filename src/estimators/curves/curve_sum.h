/* curve_sum.h - the sum of many curves, each clipped, in integers: records in, a vector out.
 *
 * Without persons every record is fitted and brought into the ball.  With persons the records of
 * one person are fitted and brought into the ball one by one, added up, and the sum is brought into
 * the ball: each person contributes one vector of the ball, whatever the number of records.  Sums
 * are exact, so that the order of the records does not matter.  A person's sum takes `count`
 * numbers of 64 bits. */
#ifndef SFMI_CURVE_SUM_H
#define SFMI_CURVE_SUM_H

#include "data/batch/row_batch.h"
#include "clipping.h"
#include "curve_smoother.h"

/* Most steps that all records together may have: radius times records. */
#define SFMI_CURVE_SUM_STEPS_LOG2_MAX 61
#define SFMI_CURVE_SUM_STEPS_MAX ((int64_t)1 << SFMI_CURVE_SUM_STEPS_LOG2_MAX)

typedef struct sfmi_curve_sum sfmi_curve_sum;

/* The smoother is borrowed; count is the number of its weights.  Records times radius must stay
 * below SFMI_CURVE_SUM_STEPS_MAX. */
SFM_MUST_CHECK sfm_status sfmi_curve_sum_create(sfmi_curve_sum **out, sfmi_smoother *smoother,
                                                const sfmi_clipping *clipping,
                                                const sfmi_basis *basis, sfm_error *error);
/* Wipes what it holds. */
void sfmi_curve_sum_destroy(sfmi_curve_sum *curve_sum);

/* Adds a batch of curves (sfmi_rows_begin_curves).  Fails only when memory is short. */
SFM_MUST_CHECK sfm_status sfmi_curve_sum_add(sfmi_curve_sum *curve_sum, const sfmi_batch *batch,
                                             sfm_error *error);

/* sums[j] for the first `count` directions, count at most basis->count; once, after the last batch.
 * PRIVATE. */
void sfmi_curve_sum_total(sfmi_curve_sum *curve_sum, sfmi_i128 *sums, size_t count);

#endif
