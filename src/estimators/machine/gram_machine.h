/* gram_machine.h - a machine from a Gram matrix that its owner computed, without coordinates.
 *
 * The matrix is taken as given, with these changes:
 * - a record whose entry on the diagonal is not a number, or is above `most` = kappa^2 (1 + slack),
 *   is no record (keep 0);
 * - another entry that is not finite is replaced by 0, one beyond `most` by `most`;
 * - the two entries of a pair are replaced by their mean;
 * - jitter is added to the diagonal: one more feature for each record, of its own.
 * The slack is for kernels whose K(x, x) = kappa^2 was rounded up; noise is made for it too.
 *
 * Where the result is not positive semi-definite to within half of the jitter (a Gram matrix is, to
 * within rounding), the directions in which it is not are raised.  The dual is then concave, and
 * the ascent ends for every matrix.
 *
 * PRIVATE, all of it. */
#ifndef SFMI_GRAM_MACHINE_H
#define SFMI_GRAM_MACHINE_H

#include "machine_problem.h"

/* Part of kappa^2. */
#define SFMI_GRAM_MACHINE_JITTER 0x1p-20
#define SFMI_GRAM_MACHINE_SLACK 0x1p-30
/* Most rows: their matrix is decomposed. */
#define SFMI_GRAM_MACHINE_MOST ((size_t)10000)

typedef struct sfmi_gram_machine sfmi_gram_machine;

/* The largest K(x, x) of a record that is kept. */
static inline double sfmi_gram_machine_most(double kappa) {
  return kappa * kappa * (1 + SFMI_GRAM_MACHINE_SLACK);
}

/* keep has one entry per row.  It is 0 for a record that is already excluded, and becomes 0 for
 * those excluded above.  Fails when memory is short, or when LAPACK fails. */
SFM_MUST_CHECK sfm_status sfmi_gram_machine_create(sfmi_gram_machine **out, uint8_t *keep,
                                                   const double *matrix, size_t rows, double kappa,
                                                   sfm_error *error);
void sfmi_gram_machine_destroy(sfmi_gram_machine *gram);

/* The least eigenvalue of the given matrix, and whether directions were raised. */
double sfmi_gram_machine_least(const sfmi_gram_machine *gram);
bool sfmi_gram_machine_raised(const sfmi_gram_machine *gram);

/* Coefficients of K(., row), to the problem's gap.  Of its examples only keep, labels and rows are
 * read.  kappa: the root of the largest diagonal entry, jitter included.  The caller wipes the
 * coefficients. */
SFM_MUST_CHECK sfm_status sfmi_gram_machine_solve(double *coefficients,
                                                  const sfmi_gram_machine *gram,
                                                  const sfmi_problem *problem, double kappa,
                                                  sfm_error *error);

/* values[j] = sum_i c_i cross[i * stride + j], j < count, summed in two doubles; entries as above.
 */
void sfmi_gram_machine_values(double *values, const double *coefficients, const double *cross,
                              size_t rows, size_t stride, size_t count, double kappa);

#endif
