/* origin.h - what sfm_rows is made of: one of three readers, and the plan of the reading under way.
 */
#ifndef SFMI_ORIGIN_H
#define SFMI_ORIGIN_H

#include "base/names.h"
#include "data/csv.h"
#include "data/matrix.h"
#include "data/reading.h"
#include "data/svmlight.h"
#include "data/intake.h"

struct sfm_rows {
  sfmi_source *source;
  sfmi_csv *csv; /* exactly one of csv, matrix and sparse is there */
  sfmi_matrix *matrix;
  sfmi_svmlight *sparse;
  uint64_t matrix_rows;
  uint64_t lines; /* of the text, once they are counted */
  bool counted;
  char **names;  /* of the matrix's columns */
  char *numbers; /* where they stand when they are numbers, or NULL */
  size_t name_count;
  sfmi_names fields; /* where the columns are; empty when they are numbers */
  bool reading;      /* between begin and the end of the rows */
  sfmi_plan plan;
  sfmi_persons *persons; /* NULL without a person column */
  sfmi_batch batch;
  sfmi_sparse_batch sparse_batch;
  bool keyed; /* readings are fingerprinted with key */
  uint8_t key[SFMI_DIGEST_BYTES];
  sfmi_digest digest;
};

/* The field of that name; refused when there is none (with a list of those there are) or more than
 * one. */
SFM_MUST_CHECK sfm_status sfmi_table_field(const sfm_rows *rows, size_t *field, const char *name,
                                           sfm_error *error);

/* Takes over plan, makes room for its batch and stands before the first record.  Clears the plan on
 * failure. */
SFM_MUST_CHECK sfm_status sfmi_table_start(sfm_rows *rows, sfmi_plan *plan, sfm_error *error);

/* The next records as they are, before the domain is applied. */
SFM_MUST_CHECK sfm_status sfmi_table_fill(sfm_rows *rows, sfm_error *error);

#endif
