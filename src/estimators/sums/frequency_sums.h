/* frequency_sums.h - sums over rows of random features (features/bases/random_basis.h), in integers
 * and without a matrix of rows x features; and their weighted sums at points, to evaluate a
 * release.
 *
 * A row x adds to the sums of frequency i the two integers nearest to UNIT cos(2 pi t) and UNIT
 * sin(2 pi t), t its phase, UNIT = 2^SFMI_FREQUENCY_SUMS_BITS, both from one computed t and from
 * polynomials off by less than 1.8e-12.
 *
 * Invariants:
 *  1. the integers of a row are a function of that row alone.  They depend neither on its place in
 *     the batch, nor on the other rows, nor on the number of threads.  (They may differ by one
 *     between kinds of processors: docs/proofs/random.md.)
 *  2. cosine^2 + sine^2 <= (UNIT + 1)^2, whatever the row and the frequency are.
 *  3. a row not kept adds nothing.
 *  4. sums are exact: fewer than 2^64 rows cannot overflow 128 bits. */
#ifndef SFMI_FREQUENCY_SUMS_H
#define SFMI_FREQUENCY_SUMS_H

#include "data/batch/row_batch.h"
#include "features/bases/random_basis.h"

#define SFMI_FREQUENCY_SUMS_BITS 33
/* Of a row's vector of 2P integers, in units of UNIT sqrt(P): at most this much above 1. */
#define SFMI_FREQUENCY_SUMS_SLACK 0x1p-33

/* Frequencies ready for use.  Borrows the basis, which is of the family SFMI_RANDOM.  Works in
 * threads of its own. */
typedef struct sfmi_frequency_sums sfmi_frequency_sums;

/* threads: how many may work at once; 0: as many as there are processors, up to eight. */
SFM_MUST_CHECK sfm_status sfmi_frequency_sums_create(sfmi_frequency_sums **out,
                                                     const sfmi_basis *basis, size_t threads,
                                                     sfm_error *error);
/* Wipes the rows it last held, and frees. */
void sfmi_frequency_sums_destroy(sfmi_frequency_sums *frequencies);

/* Adds the rows of a batch to sums (basis->count numbers, in units of 1/UNIT, not scaled by
 * P^-1/2).  One caller at a time. */
void sfmi_frequency_sums_add(sfmi_frequency_sums *frequencies, sfmi_i128 *sums,
                             const sfmi_batch *batch);

/* values[i] = the sum of weights[j] cos or sin(2 pi t) over all functions, at points within the
 * bounds, row by row.  weights: basis->count numbers, and zeros up to a multiple of 2
 * SFMI_TURNS_GROUP.  squares (may be NULL): the sum is cut into parts of `together` groups of
 * frequencies each (the last may be smaller), and squares[i] is the sum of their squares.  A value
 * depends on its point alone.  Thread-safe. */
void sfmi_frequency_sums_at(const sfmi_frequency_sums *frequencies, double *values, double *squares,
                            const double *weights, const double *points, size_t count,
                            size_t together);

/* For tests: uses the loops of another kind of processor (base/system/processor.h) than the best;
 * false when this processor is not of that kind. */
bool sfmi_frequency_sums_use(sfmi_frequency_sums *frequencies, int kind);

#endif
