/* rows.h - reading private rows inside their public domain (internal part of sfumato/rows.h). */
#ifndef SFMI_ROWS_H
#define SFMI_ROWS_H

#include "data/batch/row_batch.h"
#include "data/batch/row_hash.h"
#include "data/format/row_digest.h"
#include "data/format/svmlight.h"
#include "sfumato/partial.h"
#include "sfumato/rows.h"

/* What is to be read, all of it public.  Borrowed until the reading ends. */
typedef struct sfmi_selection {
  const sfm_schema *schema; /* bounds of the columns; person column and contributions */
  const char *const *columns;
  size_t count;
  sfm_outside outside;
} sfmi_selection;

/* These rows are PUBLIC: their last line may lack its line end.  Before they are counted or read.
 */
void sfmi_rows_set_public(sfm_rows *rows);

/* Checks the selection against header and schema (unknown columns are named beside those there
 * are; missing bounds are explained) and stands before the first record.  Reads no record.  May be
 * called again, to read once more from the start. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin(sfm_rows *rows, const sfmi_selection *selection,
                                          sfm_error *error);

/* As sfmi_rows_begin, with columns that make groups: each has categories in the schema (without
 * them it is explained why they are needed), and the batch says to which group a row belongs. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin_by(sfm_rows *rows, const sfmi_selection *selection,
                                             const char *const *by, size_t by_count,
                                             sfm_error *error);

/* Records that are curves: values at the same places, without bounds, some of which may be missing.
 * Borrowed until the reading ends. */
typedef struct sfmi_curve_selection {
  const sfm_schema *schema;   /* person column and its type; what it says of others is not used */
  const char *const *columns; /* or NULL: count columns from the place `first` (0: the first) on */
  size_t first;
  size_t count;
} sfmi_curve_selection;

/* As sfmi_rows_begin, for curves: what is not a finite number is NaN in the batch.  With a person
 * column every record that has an id is kept, and its person numbered. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin_curves(sfm_rows *rows,
                                                 const sfmi_curve_selection *selection,
                                                 sfm_error *error);

/* As sfmi_rows_begin, for rows from sfm_rows_open_sparse, which no other reading can read; a schema
 * with a person column is refused, as there are no columns.  Then sfmi_rows_next_sparse. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin_sparse(sfm_rows *rows, const sfm_schema *schema,
                                                 sfm_error *error);
/* As sfmi_rows_next, for a sparse reading. */
SFM_MUST_CHECK sfm_status sfmi_rows_next_sparse(sfm_rows *rows, const sfmi_sparse_batch **batch,
                                                sfm_error *error);
/* Of PUBLIC sparse rows: a reading that refuses a line that is not libsvm text, by its number. */
SFM_MUST_CHECK sfm_status sfmi_rows_check_sparse(sfm_rows *rows, sfm_error *error);
/* The dimension that sparse rows were opened with; 0 for others. */
size_t sfmi_rows_dimension(const sfm_rows *rows);

/* How many threads may read: 0 for one per processor; 1 unless this is called.  What is read does
 * not depend on it. */
void sfmi_rows_set_threads(sfm_rows *rows, size_t threads);

/* The partial that they stand for (data/partial), or NULL.  Such rows can be begun and counted, and
 * have no records. */
const sfm_partial *sfmi_rows_partial(const sfm_rows *rows);

/* Whether their cells are values of a data frame (base/text/frame_value.h). */
bool sfmi_rows_are_values(const sfm_rows *rows);

/* Sealed rows can be begun and counted, and give no record: a release seals them until its charge
 * is durable (mechanisms/core/release_run.h). */
void sfmi_rows_seal(sfm_rows *rows, bool sealed);

/* Asks for the fingerprint of the next reading, and chooses the records of persons, under these
 * keys (copied).  NULL: no fingerprint, and a key of persons that is drawn for these rows.  Call
 * before sfmi_rows_begin. */
void sfmi_rows_set_keys(sfm_rows *rows, const sfmi_row_keys *keys);
/* For tests, and NOT private: no fingerprint, and a key of persons made of a seed. */
void sfmi_rows_set_seed(sfm_rows *rows, uint64_t seed);
/* Only the records of persons in part `part` (from 0) of so many are read; the others contribute
 * nothing.  Records of nobody are in part 0.  0 parts: all are read. */
void sfmi_rows_set_part(sfm_rows *rows, uint64_t part, uint64_t parts);
/* Once sfmi_rows_next has given NULL after the last batch: the fingerprint, and the sum it is made
 * of.  A sum has only the number of records where there are no keys, or fingerprints are ordered.
 */
void sfmi_rows_fingerprint(sfm_rows *rows, uint8_t fingerprint[SFMI_DIGEST_BYTES]);
sfmi_row_sum sfmi_rows_sum(const sfm_rows *rows);
/* And how many records were read, those of other parts included. */
uint64_t sfmi_rows_read(const sfm_rows *rows);

/* The next batch, or NULL after the last.  The batch belongs to rows and lives until the next call.
 * Fails only when the operating system does, never because of what a record holds. */
SFM_MUST_CHECK sfm_status sfmi_rows_next(sfm_rows *rows, const sfmi_batch **batch,
                                         sfm_error *error);

#endif
