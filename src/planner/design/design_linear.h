/* design_linear.h - a linear map of a table in integers, and how far one record moves its answers.
 *
 * An answer is a sum over records of the entry in its row and the record's column.  Entries are
 * rounded once, to multiples of a step, so that a record moves the integers by a column of theirs,
 * or by the difference of two: sensitivities are exact maxima over these, in integers. */
#ifndef SFMI_DESIGN_LINEAR_H
#define SFMI_DESIGN_LINEAR_H

#include "design_table.h"
#include "sfumato/linear.h"
#include "sfumato/vector.h"

typedef struct sfmi_workload {
  size_t queries, cells;
  int64_t *entries; /* cells x queries: one column of the map after the other, in steps */
  double step;      /* a power of two */
  bool rounded;     /* some entry was not a multiple of the step */
  /* How far one record moves the answers, in steps.  Replace: the largest distance of two columns,
   * or of a column and zero; add/remove: the largest norm.  bounded: with too many pairs of columns
   * these are upper bounds. */
  double l1, l2;
  bool bounded;
} sfmi_workload;

/* Settings with the table in them, so that a copy can have another guarantee. */
typedef struct sfmi_linear_request {
  sfm_histogram_settings table;
  const double *matrix;
  size_t queries, cells;
  const char *const *names;
  sfm_linear_method method;
} sfmi_linear_request;

/* Takes what a caller gave; pointers are borrowed. */
SFM_MUST_CHECK sfm_status sfmi_linear_request_init(sfmi_linear_request *request,
                                                   const sfm_linear_settings *given,
                                                   sfm_error *error);

/* The map of checked settings; noise of scale sensitivity x contributions/rate must be within the
 * sampler's range. */
SFM_MUST_CHECK sfm_status sfmi_workload_init(sfmi_workload *workload,
                                             const sfmi_linear_request *settings, double rate,
                                             sfm_error *error);
void sfmi_workload_clear(sfmi_workload *workload);

/* sums[j] = sum over cells of counts[c] entries[c][j]. */
void sfmi_workload_apply(const sfmi_workload *workload, sfmi_i128 *sums, const uint64_t *counts);

/* Checks matrix and table together.  Clear *table_design also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_design_linear_check(sfmi_design_table *table_design,
                                                   const sfmi_linear_request *settings,
                                                   sfm_error *error);

/* The settings without a delta. */
sfmi_linear_request sfmi_design_linear_pure(const sfmi_linear_request *settings);

/* The body of k-norm noise, as settings of a vector; the caller frees the vertices.  They are all
 * moves of one record: the columns of the map and, under replace, their differences.  Where there
 * are too many differences for a walk, they are the columns twice as long, whose
 * hull holds them. */
SFM_MUST_CHECK sfm_status sfmi_design_linear_body(sfm_vector_settings *vector, double **vertices,
                                                  const sfmi_linear_request *settings,
                                                  sfm_error *error);

#endif
