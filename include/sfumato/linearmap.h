/* linearmap.h - any linear map of a table of counts: sums, differences, averages of cells, each a
 * row of a public matrix with one column per cell.
 *
 * Answers can be had from a released table, at no cost (sfm_table_answer in sfumato/crosstab.h), or
 * from rows, with noise on the table or on the answers, whichever predicts less. */
#ifndef SFUMATO_LINEARMAP_H
#define SFUMATO_LINEARMAP_H

#include "sfumato/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most numbers in a matrix. */
#define SFM_LINEAR_NUMBERS_MAX ((size_t)1 << 26)

typedef enum sfm_linear_method {
  SFM_LINEAR_AUTO,  /* of the hardened ones below the one that predicts the least */
  SFM_LINEAR_TABLE, /* noise on the table, which is released; answers are computed from it.  With a
                       delta it is normal noise, or Laplace noise if that is less */
  SFM_LINEAR_LAPLACE, /* pure epsilon: discrete Laplace noise on the answers */
  SFM_LINEAR_NORMAL,  /* mu-GDP: rounded normal noise on the answers; needs a delta */
  SFM_LINEAR_KNORM, /* pure epsilon, idealised: noise shaped to the hull of the matrix's columns */
} sfm_linear_method;
/* "auto", "table", "laplace", "normal", "k-norm". */
SFM_API const char *sfm_linear_method_name(sfm_linear_method method);

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_linear_settings {
  sfm_histogram_settings
      table;             /* dense and whole; noise AUTO; guarantee, charge and seed are its */
  const double *matrix;  /* queries x cells, row by row: cells with the last column fastest */
  size_t queries, cells; /* of the matrix */
  /* A text a query, which a vector keeps (sfm_release_label): UTF-8, a million bytes together at
   * most; NULL: none. */
  const char *const *names;
  sfm_linear_method method;
} sfm_linear_settings;

SFM_API sfm_linear_settings sfm_linear_settings_default(void);

/* What one method would do. */
typedef struct sfm_linear_entry {
  sfm_linear_method method;
  bool possible, hardened;
  double delta;       /* of its guarantee: 0 unless its noise is normal */
  double squared;     /* the mean of the sum of all answers' squared errors */
  double sensitivity; /* of what gets the noise, in its norm */
  char why[256];      /* why it is not possible, or "" */
} sfm_linear_entry;

typedef struct sfm_linear_plan {
  sfm_linear_entry entries[5]; /* table, laplace, k-norm; with a delta also table and normal */
  size_t count;
  size_t chosen; /* of those that the settings' method allows the one of the least error */
} sfm_linear_plan;

/* Checks all settings and predicts the error of every method; opens no rows.  May walk in the body
 * of k-norm noise for some seconds. */
SFM_API SFM_MUST_CHECK sfm_status sfm_linear_forecast(sfm_linear_plan *plan,
                                                      const sfm_linear_settings *settings,
                                                      sfm_error *error);

/* The standard error of every answer that has noise of its own, by the method that was chosen: the
 * same for all, but for k-norm noise, which is measured anew.  errors: settings->queries of them.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_linear_errors(double *errors,
                                                    const sfm_linear_settings *settings,
                                                    const sfm_linear_plan *plan, sfm_error *error);

/* Releases the answers: a vector, or by the method table the table itself.  Entries of the matrix
 * are rounded to a power of two, 2^-40 of the largest where noise allows (exactly what they are
 * when they have as few digits); a record whose cell is none of the table's counts nowhere.
 * Privacy: pure epsilon (table, laplace, k-norm; a delta is not used up then), mu-GDP (normal, and
 * table where that is chosen); neighbours and contributions as the schema states.  In integers, but
 * for k-norm, which is idealised. Proof: docs/proofs/tables.md. Blocks while it reads.  The caller
 * destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_linear_release(sfm_release **out, sfm_rows *rows,
                                                     const sfm_linear_settings *settings,
                                                     sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
