/* gramfile.h - Gram matrices that a user computed, as NPY: options of `train --method tddl` and of
 * `check`. */
#ifndef CLI_GRAMFILE_H
#define CLI_GRAMFILE_H

#include "bytes.h"
#include "options.h"
#include "sfumato/train.h"

#define CLI_OPTIONS_GRAM                                                                           \
  {"gram", "FILE",                                                                                 \
   "tddl: instead of --features and --kernel, your own kernel's matrix between the rows, NPY of "  \
   "shape (rows, rows), in the order of the file of labels; private. The guarantee rests on your " \
   "word that the matrices are of one kernel",                                                     \
   NULL, 0},                                                                                       \
      {"gram-public", "FILE",                                                                      \
       "its matrix between the rows and the public points, NPY of shape (rows, points); private",  \
       NULL, 0},                                                                                   \
      {"gram-public-public", "FILE",                                                               \
       "its matrix between the public points, NPY of shape (points, points); public", NULL, 0},    \
  {                                                                                                \
    "kappa", "K",                                                                                  \
        "with --gram: K(x, x) is at most its square, declared; a row above it counts as zero",     \
        NULL, 0                                                                                    \
  }

/* The matrices, and what they borrow. */
typedef struct gramfile {
  sfm_gram gram;
  file_bytes files[3];
  double *owned[3];
} gramfile;

/* Whether one of the options is there. */
bool gramfile_asked(const cli_options *options);
/* Opens the files, whose shapes must agree.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status gramfile_read(gramfile *g, const cli_options *options, sfm_error *error);
void gramfile_clear(gramfile *g);

#endif
