/* machine_view.h - released kernel machines as people read them, ask them and draw them. */
#ifndef CLI_MACHINE_VIEW_H
#define CLI_MACHINE_VIEW_H

#include <jansson.h>

#include "cli/io/file_bytes.h"
#include "cli/core/options.h"
#include "sfumato/machine.h"

/* Columns beyond which points are not printed beside their values. */
#define MACHINE_COLUMNS_PRINTED 64

/* Points at which a machine is asked: cells of its columns, or sparse rows. */
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

/* "35,F;40,M": a cell a column, a category by its name.  Of one column: "1,2,3". */
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

/* A cell of column i as text; false when it is no number, or no category of it. */
bool machine_cell(double *out, const sfm_release *release, size_t i, const char *text);
/* Fails saying so: where is what stood there ("line 3", "--at"). */
sfm_status machine_cell_fail(const sfm_release *release, size_t i, const char *text,
                             const char *where, sfm_error *error);
/* The place of the column of that name, or SIZE_MAX. */
size_t machine_find_column(const sfm_release *release, const char *name);
/* "gaussian:0.5", as it is typed. */
void machine_kernel_text(char *text, size_t size, const sfm_machine *machine);

/* For `sfumato show`: what was learned. */
void machine_text_print(const sfm_release *release, const json_t *summary);
/* What the band says, in words. */
void machine_band_text(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
                       bool pointwise);
/* Whether it was trained from Gram matrices: its coordinates are K with the public points. */
static inline bool machine_is_gram(const sfm_machine *machine) {
  return machine->label && machine->input_count == 0;
}
/* How such a machine is asked: for what else cannot be done with it. */
SFM_MUST_CHECK sfm_status machine_gram_fail(const char *what, const sfm_machine *machine,
                                            sfm_error *error);
/* machine_fit_text.c: of a machine that was fitted to answers, what to, in words; false of others.
 */
bool machine_fit_text(char *buffer, size_t size, const sfm_release *release);
/* And what is known of its errors instead of a band. */
bool machine_fit_band_text(char *buffer, size_t size, const sfm_release *release);
/* `sfumato eval` and `sfumato plot` of a machine; format as the verb numbers it. */
SFM_MUST_CHECK sfm_status eval_machine(const sfm_release *release, const cli_options *options,
                                       unsigned format, sfm_error *error);
SFM_MUST_CHECK sfm_status plot_machine(const sfm_release *release, const cli_options *options,
                                       sfm_error *error);

#endif
