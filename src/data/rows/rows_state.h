/* rows_state.h - what sfm_rows is made of: a reader, and the layout of the reading
 * under way.
 */
#ifndef SFMI_ROWS_STATE_H
#define SFMI_ROWS_STATE_H

#include "base/system/arena.h"
#include "base/text/string_map.h"
#include "data/format/csv.h"
#include "data/batch/persons.h"
#include "read_ahead.h"
#include "row_layout.h"
#include "data/format/svmlight.h"
#include "rows.h"

struct sfm_rows {
  const sfm_partial *partial; /* what they stand for, borrowed; else NULL */
  sfmi_source *source;        /* NULL: an Arrow stream, or a strided array */
  const sfmi_reader_ops *ops;
  void *reader;
  const sfmi_csv_header *header; /* of a CSV; else NULL */
  sfmi_svmlight *sparse;         /* the reader, of libsvm text; else NULL */
  sfmi_lines *text;              /* of a CSV or libsvm text; else NULL */
  uint64_t records;              /* once they are counted */
  bool counted;
  char **names;  /* of the columns, but of a CSV */
  char *numbers; /* where they stand when they are numbers, or NULL */
  size_t name_count;
  sfmi_string_map fields;     /* where the columns are; empty when they are numbers */
  bool reading;               /* between begin and the end of the rows */
  bool sealed;                /* no record is given out */
  sfm_rows_report **examined; /* whoever asks for a record gets none, and this a report; or NULL */
  sfmi_row_layout layout;
  sfmi_persons *persons; /* NULL without a person column, or before the first record */
  bool begun;            /* a record was asked for */
  bool shared;           /* so many threads may read, as sfmi_rows_set_threads said */
  size_t threads;
  sfmi_read_ahead *ahead; /* NULL: one thread reads */
  sfmi_batch batch;
  sfmi_arena columns; /* of the batch */
  sfmi_sparse_batch sparse_batch;
  bool keyed;         /* readings are fingerprinted */
  bool person_key;    /* keys.persons is given, or was drawn for an earlier reading */
  sfmi_row_keys keys; /* what is there of them */
  uint64_t part, parts;
  sfmi_row_hasher hasher; /* of the reading */
  sfmi_digest digest;     /* where fingerprints are ordered, else */
  sfmi_row_sum sum;       /* this */
  uint64_t read;          /* records */
};

/* The field of that name; refused when there is none (with a list of those there are) or more than
 * one. */
SFM_MUST_CHECK sfm_status sfmi_rows_field(const sfm_rows *rows, size_t *field, const char *name,
                                          sfm_error *error);

/* Takes over layout, makes room for its batch and stands before the first record.  Clears the
 * layout on failure. */
SFM_MUST_CHECK sfm_status sfmi_rows_start(sfm_rows *rows, sfmi_row_layout *layout,
                                          sfm_error *error);

/* Ends the reading under way, if there is one. */
void sfmi_rows_end(sfm_rows *rows);

/* The next records as they are, before the domain is applied and before it is decided which records
 * of a person are kept. */
SFM_MUST_CHECK sfm_status sfmi_rows_fill(sfm_rows *rows, sfm_error *error);

/* The next batch of the layout, inside its domains and before persons are looked at; NULL after the
 * last.  *ahead becomes the threads that read it, if there are any; batch is where one thread does.
 */
SFM_MUST_CHECK sfm_status sfmi_rows_take(sfm_rows *rows, const sfmi_batch **taken,
                                         sfmi_batch *batch, const sfmi_row_layout *layout,
                                         sfmi_read_ahead **ahead, sfm_error *error);

/* What messages call the rows. */
const char *sfmi_rows_name(const sfm_rows *rows);

#endif
