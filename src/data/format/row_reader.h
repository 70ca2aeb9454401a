/* row_reader.h - what sfm_rows reads its records through: CSV, a matrix, libsvm text, or an Arrow
 * stream.
 *
 * A reader gives the same records after every rewind, in the same order, and what it makes of a
 * record depends on that record and on public facts alone. */
#ifndef SFMI_ROW_READER_H
#define SFMI_ROW_READER_H

#include "data/batch/field_request.h"
#include "data/batch/row_batch.h"
#include "row_digest.h"

typedef struct sfmi_reader_ops {
  sfmi_cell_form form; /* what its cells are */
  const char *name;    /* what messages call the rows, where they have no source */
  void (*close)(void *reader);
  /* Stands before the first record. */
  sfm_status (*rewind)(void *reader, sfm_error *error);
  /* How many records there are, without interpreting them; a rewind follows. */
  sfm_status (*count)(void *reader, uint64_t *count, sfm_error *error);
  /* How its records are cut, as far as their bytes do not say it. */
  void (*facts)(const void *reader, uint64_t facts[SFMI_READER_FACTS]);
  /* Whether its records can be read only once. */
  bool (*once)(const void *reader); /* NULL: no */
  /* From here on, feeds the records that are read to digest (borrowed; NULL: no longer). */
  void (*digest)(void *reader, sfmi_digest *digest);
  /* The next records, as sfmi_csv_fill describes; NULL for libsvm text. */
  sfm_status (*fill)(void *reader, sfmi_batch *batch, const sfmi_row_layout *layout,
                     sfm_error *error);
  /* The cells of the next record, as sfmi_csv_record describes; NULL where cells are numbers. */
  sfm_status (*record)(void *reader, sfmi_cell *cells, bool *more, bool *held,
                       const sfmi_row_layout *layout, sfm_error *error);
} sfmi_reader_ops;

#endif
