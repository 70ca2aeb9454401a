/* kernel_matrix.h - the kernel of a machine between many rows at once.
 *
 * Rows are given by their nonzero coordinates.  In few dimensions they are laid out in full and
 * compared many at a time; in more, one pair after the other (sfmi_feature_map_kernel).  Either way
 * a computed K is within sfmi_kernel_matrix_error of the exact one of the coordinates as they are,
 * and depends on both rows and the kind of processor alone. */
#ifndef SFMI_KERNEL_MATRIX_H
#define SFMI_KERNEL_MATRIX_H

#include "base/system/thread_pool.h"
#include "estimators/machine/examples.h"

typedef struct sfmi_kernel_matrix sfmi_kernel_matrix;

/* Of `count` of the rows, by number; the CSR and the map are borrowed, the numbers copied.  NULL
 * when memory is short.  Wiped when destroyed. */
sfmi_kernel_matrix *sfmi_kernel_matrix_create(const sfmi_feature_map *map, sfmi_csr rows,
                                              const size_t *numbers, size_t count);
void sfmi_kernel_matrix_destroy(sfmi_kernel_matrix *matrix);
/* Floats of a line of K: count, and some more at its end whose values have no meaning. */
size_t sfmi_kernel_matrix_stride(size_t count);

/* lines[i][j] = K(row number which[i], row j)/kappa^2, which a float holds, for all j, by the pool.
 */
void sfmi_kernel_matrix_rows(const sfmi_kernel_matrix *matrix, sfmi_thread_pool *pool,
                             float *const *lines, const size_t *which, size_t count);
/* values[p] = sum_j c_j K(point p, row j), by the pool; c has sfmi_kernel_matrix_stride numbers,
 * those beyond the last row 0.  Off by at most sfmi_kernel_matrix_error times sum_j |c_j|, the
 * error of K and of the sum together.  Point p is row numbers[p] of the points (numbers NULL: row
 * p). */
void sfmi_kernel_matrix_multiply(const sfmi_kernel_matrix *matrix, sfmi_thread_pool *pool,
                                 double *values, const double *c, sfmi_csr points,
                                 const size_t *numbers, size_t count);

/* A bound in units of one: on the error of a computed K(., .), and on that of sums over so many
 * rows per unit of sum |c|, when no two rows have more than `nonzeros` coordinates together that
 * are not both zero. */
double sfmi_kernel_matrix_error(const sfmi_feature_map *map, size_t nonzeros, size_t rows);

#endif
