/* machine_points.h - the points at which a released machine is evaluated. */
#ifndef CLI_MACHINE_POINTS_H
#define CLI_MACHINE_POINTS_H

#include <stdbool.h>

#include "cli/io/file_bytes.h"
#include "sfumato/machine.h"

/* Cells of the machine's columns, or sparse rows. */
typedef struct machine_points {
  size_t count, inputs;
  const double *cells; /* count x inputs; NULL: sparse rows */
  size_t *starts;      /* count + 1 */
  uint32_t *indices;
  double *numbers;
  double *owned;
  file_bytes file;
  size_t shape[2]; /* of a grid */
  unsigned axes;   /* of the points: 1, of a grid as many as columns */
} machine_points;

/* "35,F;40,M": one cell per column, a category by its name.  Of one column: "1,2,3". */
SFM_MUST_CHECK sfm_status machine_points_text(machine_points *out, const sfm_release *release,
                                              const char *text, sfm_error *error);
/* CSV whose header names the columns (others are ignored), NPY of shape (points, columns), or, for
 * a machine of sparse rows, libsvm text; gzip of any.  An empty cell of a CSV has no value. */
SFM_MUST_CHECK sfm_status machine_points_file(machine_points *out, const sfm_release *release,
                                              const char *path, sfm_error *error);
/* "101" or "101x51" over the bounds of one or two columns. */
SFM_MUST_CHECK sfm_status machine_points_grid(machine_points *out, const sfm_release *release,
                                              const char *text, sfm_error *error);
void machine_points_clear(machine_points *asked);
/* Whether the points are printed beside their values: they have columns, and not too many. */
bool machine_points_printed(const machine_points *asked);

/* A cell of column i as text; false when it is no number, or no category of it. */
bool machine_cell(double *out, const sfm_release *release, size_t i, const char *text);
/* Fails because of such a cell; where is the place of the cell ("line 3", "--at"). */
sfm_status machine_cell_fail(const sfm_release *release, size_t i, const char *text,
                             const char *where, sfm_error *error);
/* The place of the column of that name, or SIZE_MAX. */
size_t machine_find_column(const sfm_release *release, const char *name);

#endif
