/* rows.h - private rows: a CSV or NPY file, standard input, or an array in memory.
 *
 * Of a text a record is a line, and ends with its line end: bytes after the last one are no record
 * (a text whose last record is blank would have one fewer).  Nothing in a record decides how
 * another is read.
 *
 * A source is opened (which reads the header only), counted when n is public (lines are counted,
 * not interpreted), and then read once, in order, by a mechanism.  Nothing in this header shows a
 * value of a row except sfm_rows_check, the owner's dry run. */
#ifndef SFUMATO_ROWS_H
#define SFUMATO_ROWS_H

#include "sfumato/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_rows sfm_rows;

/* Opens a CSV (plain or gzip) or NPY file; "-" is standard input, which is spooled to a mode-0600
 * temporary file that no name leads to.  Reads the header only.  NPY columns are named
 * "0", "1", ...  Not thread-safe; the caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_open(sfm_rows **out, const char *path, sfm_error *error);

/* How a text without a header is packed: its first bytes are a record's, and are not asked. */
typedef enum sfm_compression {
  SFM_COMPRESSION_BY_NAME = 0, /* gzip if the path ends in .gz; standard input is not */
  SFM_COMPRESSION_NONE,
  SFM_COMPRESSION_GZIP,
} sfm_compression;

/* Opens libsvm/svmlight text: a line a record, `LABEL INDEX:VALUE ...`, indices from 1, ascending,
 * up to the public dimension; # begins a comment.  A record that does not fit contributes zero.
 * There is no header, and there are no columns. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_open_sparse(sfm_rows **out, const char *path,
                                                       size_t dimension,
                                                       sfm_compression compression,
                                                       sfm_error *error);

/* Rows already in memory: count x columns numbers, row by row.  names may be NULL ("0", "1", ...).
 * The array is borrowed until the rows are destroyed. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_from_array(sfm_rows **out, const double *values,
                                                      size_t count, size_t columns,
                                                      const char *const *names, sfm_error *error);
SFM_API void sfm_rows_destroy(sfm_rows *rows);

SFM_API size_t sfm_rows_column_count(const sfm_rows *rows);
SFM_API const char *sfm_rows_column_name(const sfm_rows *rows, size_t i);

/* How many records there are: line ends after the header, uninterpreted, that of a blank line
 * included. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_count(sfm_rows *rows, uint64_t *count, sfm_error *error);

/* The owner's dry run over one column.  PRIVATE: these numbers describe the rows. */
typedef struct sfm_column_check {
  const char *name;      /* the schema's string */
  uint64_t below, above; /* would be clamped (or dropped) */
  uint64_t unreadable;   /* not a number */
  uint64_t empty;
  uint64_t undeclared; /* none of the categories */
} sfm_column_check;

typedef struct sfm_rows_report {
  uint64_t records;
  uint64_t zero_rows;    /* rows that would contribute nothing: not as declared, or over K */
  uint64_t persons;      /* 0 when no person column is stated */
  uint64_t persons_over; /* persons with more than `contributions` records */
  uint64_t unidentified; /* records without an id, which contribute nothing */
  uint64_t records_over; /* their records beyond it */
  size_t column_count;
  sfm_column_check *columns;
  uint64_t malformed; /* libsvm text: lines that are not `LABEL INDEX:VALUE ...` */
  uint64_t beyond;    /* libsvm text: lines with an index beyond the dimension */
  bool unfinished;    /* bytes follow the last line end: they are no record */
} sfm_rows_report;

/* Privacy: none.  For the owner's eyes only.  Libsvm text has no columns: there the schema has
 * `label`, with categories that are numbers or with bounds, and, where coordinates have bounds,
 * `values`. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_check(sfm_rows *rows, sfm_rows_report **report,
                                                 const sfm_schema *schema, sfm_error *error);
SFM_API void sfm_rows_report_destroy(sfm_rows_report *report);

/* A PUBLIC file of libsvm text (plain or gzip; "-" is standard input), all of it: points at which a
 * machine is evaluated.  Its last line may lack its line end.  Row r has the numbers starts[r] to
 * starts[r + 1] at coordinates indices[..] from 0, and labels[r], NaN where the line has none;
 * starts has *count + 1 entries. The caller frees the four arrays with sfm_free.  A line that does
 * not fit is refused by its number. */
SFM_API SFM_MUST_CHECK sfm_status sfm_sparse_read(const char *path, size_t dimension,
                                                  size_t **starts, uint32_t **indices,
                                                  double **values, double **labels, size_t *count,
                                                  sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
