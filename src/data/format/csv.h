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
#include "csv_header.h"
#include "data/batch/field_request.h"
#include "row_reader.h"
#include "text_lines.h"

#define SFMI_CSV_LINE_MAX ((size_t)1 << 20)
#define SFMI_CSV_BLOCK ((size_t)1 << 18)

typedef struct sfmi_csv {
  sfmi_lines lines; /* the records */
  sfmi_csv_header header;
  locale_t c;
} sfmi_csv;

/* Reads the header line of the source (borrowed, standing at its first byte).  block is how many
 * bytes are read at a time. */
SFM_MUST_CHECK sfm_status sfmi_csv_open(sfmi_csv **out, sfmi_source *source, size_t block,
                                        sfm_error *error);
void sfmi_csv_close(sfmi_csv *csv);

/* Fills batch with the next records: values as they stand in the cells, NaN where there is none.
 * keep is 0 for lines too long; a line too long belongs to nobody.  A batch of cells has values,
 * codes and texts, and keep does not depend on them; with texts it may be short, because the texts
 * stay in the buffer.  What the layout's hasher asks for is hashed.  batch->rows is 0 after the
 * last record. */
SFM_MUST_CHECK sfm_status sfmi_csv_fill(sfmi_csv *csv, sfmi_batch *batch,
                                        const sfmi_row_layout *layout, sfm_error *error);

/* Fills a batch without texts with all lines of a text, at most as many as it has room
 * for.  Their line ends are there, and SFMI_LINES_SLACK bytes behind them.  Thread-safe. */
void sfmi_csv_parse(sfmi_batch *batch, char *text, size_t length, const sfmi_row_layout *layout,
                    locale_t c);

/* The cells of the next record, one per request, unescaped, valid until the next call; *more is
 * false after the last.  A line too long has absent cells and *held is false. */
SFM_MUST_CHECK sfm_status sfmi_csv_record(sfmi_csv *csv, sfmi_cell *cells, bool *more, bool *held,
                                          const sfmi_row_layout *layout, sfm_error *error);

extern const sfmi_reader_ops sfmi_csv_reader_ops;

#endif
