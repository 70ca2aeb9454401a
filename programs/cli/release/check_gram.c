#include "check_gram.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/formats/gram_files.h"

/* Of Gram matrices: what is assumed of them, and only their owner can look at. */
sfm_status check_gram_compare(const cli_options *options, sfm_rows *rows, sfm_error *error) {
  gram_files g;
  sfm_gram_report r;
  uint64_t count = 0;
  sfm_status status = gram_files_read(&g, options, error);
  if (!status) status = sfm_gram_check(&r, &g.gram, error);
  if (!status) status = sfm_rows_count(rows, &count, error);
  if (!status && count != g.gram.rows)
    status = cli_misuse(error, "the Gram matrix has %zu rows, and the file of labels has %" PRIu64,
                        g.gram.rows, count);
  if (!status) {
    printf("private: do not publish\n"
           "\n"
           "rows %zu, public points %zu, kappa %g\n"
           "rows above kappa^2, which are ignored: %zu\n"
           "ignored rows in total: %zu\n"
           "entries that are not numbers: %zu\n"
           "largest difference of a pair of entries, divided by kappa^2: %.3g\n"
           "smallest eigenvalue of all matrices together, divided by kappa^2: %.3g\n",
           g.gram.rows, g.gram.points, g.gram.kappa, r.above, r.dropped, r.unreadable, r.lopsided,
           r.least);
    if (r.dropped)
      printf("WARNING: a machine would ignore %zu of the %zu rows. Is K(x, x) <= %g for every "
             "possible record? A larger --kappa needs a public reason and must not be taken from "
             "the rows.\n",
             r.dropped, g.gram.rows, g.gram.kappa * g.gram.kappa);
    puts(r.fits
             ? r.dropped
                   ? "The other rows are those of a kernel, to within rounding: the assumptions "
                     "hold, and a release keeps its guarantee."
                   : "The matrices are those of a kernel, to within rounding: the assumptions hold."
             : "The matrices are NOT those of a kernel: the assumptions do not hold, and a release "
               "would not keep its guarantee.");
  }
  gram_files_clear(&g);
  return status;
}
