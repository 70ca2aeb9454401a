/* csv.h - records of a CSV text, as a stream.
 *
 *  1. A record is a line of text_lines.h: bytes up to '\n', split before anything is interpreted. A
 *     blank line is a record; bytes after the last '\n' are none.
 *  2. What a record gives depends on its bytes alone, not on the blocks in which it was read.
 *  3. Memory is fixed: a line longer than SFMI_CSV_LINE_MAX is one record of which nothing can be
 *     read, and no more than its beginning is ever held.
 *
 * The first line is the header, whether or not records follow: it may lack its '\n'. */
#ifndef SFMI_CSV_H
#define SFMI_CSV_H

#include "base/text/decimal.h"
#include "byte_source.h"
#include "csv_cell.h"
#include "data/batch/field_request.h"
#include "data/batch/persons.h"
#include "data/batch/row_batch.h"
#include "text_lines.h"

#define SFMI_CSV_LINE_MAX ((size_t)1 << 20)
#define SFMI_CSV_BLOCK ((size_t)1 << 18)

typedef struct sfmi_csv sfmi_csv;

/* Reads the header line of the source (borrowed, standing at its first byte).  block is how many
 * bytes are read at a time. */
SFM_MUST_CHECK sfm_status sfmi_csv_open(sfmi_csv **out, sfmi_source *source, size_t block,
                                        sfm_error *error);
void sfmi_csv_close(sfmi_csv *csv);

size_t sfmi_csv_field_count(const sfmi_csv *csv);
const char *sfmi_csv_field_name(const sfmi_csv *csv, size_t i);
/* Whether some cell of the first line is a number: it may then be a row, and is not to be shown. */
bool sfmi_csv_header_doubtful(const sfmi_csv *csv);
locale_t sfmi_csv_locale(const sfmi_csv *csv);

/* Stands before the first record again. */
SFM_MUST_CHECK sfm_status sfmi_csv_rewind(sfmi_csv *csv, sfm_error *error);

/* Whether the text is public, so that its last line may lack its '\n'. */
void sfmi_csv_set_lenient(sfmi_csv *csv, bool lenient);
/* After the last record: whether bytes follow that are none.  PRIVATE. */
bool sfmi_csv_rest(const sfmi_csv *csv);

/* Lines after the header; the next read needs a rewind. */
SFM_MUST_CHECK sfm_status sfmi_csv_count(sfmi_csv *csv, uint64_t *count, sfm_error *error);

/* Fills batch with the next records: values as they stand in the cells, NaN where there is none.
 * keep is 0 for lines too long and for records of a person beyond the first `limit`; persons may be
 * NULL.  Where the batch has room for persons they are numbered, and there is no limit.
 * batch->rows is 0 after the last record. */
SFM_MUST_CHECK sfm_status sfmi_csv_fill(sfmi_csv *csv, sfmi_batch *batch,
                                        const sfmi_field_request *requests, size_t request_count,
                                        sfmi_persons *persons, uint32_t limit, sfm_error *error);

/* The same for a batch of cells: values, codes and texts, and keep, which does not depend on them.
 * A batch with texts may be short, because the texts stay in the buffer. */
SFM_MUST_CHECK sfm_status sfmi_csv_fill_cells(sfmi_csv *csv, sfmi_batch *batch,
                                              const sfmi_field_request *requests,
                                              size_t request_count, sfmi_persons *persons,
                                              uint32_t limit, sfm_error *error);

/* The cells of the next record, one per request, unescaped, valid until the next call; *more is
 * false after the last.  A line too long has absent cells and *held is false. */
SFM_MUST_CHECK sfm_status sfmi_csv_record(sfmi_csv *csv, sfmi_cell *cells, bool *more, bool *held,
                                          const sfmi_field_request *requests, size_t request_count,
                                          sfm_error *error);

#endif
