/* linear.h - answers linear queries of a table of counts: weighted sums of its cells.  A query
 * is a row of a public matrix with one column per cell.
 *
 * Answers can be computed from a released table at no cost (sfm_table_answer in
 * sfumato/table.h).  The functions here compute them from rows, with noise on the table or on
 * the answers, whichever has the smaller predicted error. */
#ifndef SFUMATO_LINEAR_H
#define SFUMATO_LINEAR_H

#include "sfumato/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of entries of a matrix. */
#define SFM_LINEAR_NUMBERS_MAX ((size_t)1 << 26)

typedef enum sfm_linear_method {
  SFM_LINEAR_AUTO, /* the hardened method below with the least predicted error */
  /* Noise on the table, which is released; answers are computed from it.  With a delta: normal or
   * Laplace noise, whichever is predicted to be smaller. */
  SFM_LINEAR_TABLE,
  SFM_LINEAR_LAPLACE, /* pure epsilon: discrete Laplace noise on the answers */
  SFM_LINEAR_NORMAL,  /* mu-GDP: rounded normal noise on the answers; needs a delta */
  SFM_LINEAR_KNORM,   /* pure epsilon, idealised: noise shaped like the hull of the columns */
} sfm_linear_method;
/* Returns "auto", "table", "laplace", "normal" or "k-norm". */
SFM_API const char *sfm_linear_method_name(sfm_linear_method method);

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_linear_settings {
  size_t size; /* of this struct */
  /* The table: dense and whole, noise AUTO.  Context and guarantee are taken from here. */
  const sfm_histogram_settings *table;
  const double *matrix;  /* queries x cells, row by row; the table's last column changes fastest */
  size_t queries, cells; /* of the matrix */
  /* One text per query, which a released vector keeps (sfm_release_label): UTF-8, at most a million
   * bytes together.  NULL: none. */
  const char *const *names;
  sfm_linear_method method; /* default: AUTO */
} sfm_linear_settings;

/* Returns the defaults.  table, matrix, queries and cells must be set. */
SFM_API void sfm_linear_settings_init(sfm_linear_settings *settings, size_t size);
SFM_DEFAULT(sfm_linear_settings)

/* The prediction for one method. */
typedef struct sfm_linear_entry {
  sfm_linear_method method;
  bool possible, hardened;
  double delta;       /* of its guarantee; 0 unless its noise is normal */
  double squared;     /* the expected sum of the squared errors of all answers */
  double sensitivity; /* of the numbers that get the noise, in the noise's norm */
  char why[256];      /* why it is not possible, or "" */
} sfm_linear_entry;

typedef struct sfm_linear_choice {
  sfm_linear_entry entries[5]; /* table, laplace, k-norm; with a delta also table and normal */
  size_t count;
  size_t chosen; /* the entry with the least error that the settings' method allows */
} sfm_linear_choice;

/* Checks all settings and predicts the error of every method.  Opens no rows.  May take some
 * seconds, because the error of k-norm noise is measured by a random walk. */
SFM_API SFM_MUST_CHECK sfm_status sfm_linear_choose(sfm_linear_choice *choice,
                                                    const sfm_linear_settings *settings,
                                                    sfm_error *error);

/* Sets errors (settings->queries numbers) to the standard errors of the answers with the chosen
 * method.  They are all equal, except for k-norm, where they are measured again.  SFM_INVALID for
 * the method table: use sfm_table_answer. */
SFM_API SFM_MUST_CHECK sfm_status sfm_linear_errors(double *errors,
                                                    const sfm_linear_settings *settings,
                                                    const sfm_linear_choice *choice,
                                                    sfm_error *error);

/* Releases the answers: a vector, or with the method table the table itself.  Entries of the matrix
 * are rounded to multiples of a power of two, 2^-40 of the largest entry where the noise allows;
 * entries with few binary digits are not changed.  A record that is in no cell of the table is
 * ignored.  Blocks while it reads.  The caller destroys the release.
 * Privacy: pure epsilon (table, laplace, k-norm; a delta is then not spent), mu-GDP (normal, and
 * table if normal noise is chosen); neighbours and contributions as the schema states.  In
 * integers, except for k-norm, which is idealised.
 * Proof: docs/proofs/tables.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_linear_release(sfm_release **out, sfm_rows *rows,
                                                     const sfm_linear_settings *settings,
                                                     sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
