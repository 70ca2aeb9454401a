/* rows.h - opens private rows: a CSV or NPY file, libsvm text, standard input, or an array in
 * memory.
 *
 * In text, a record is a line, including its line end.  Bytes after the last line end are not a
 * record; otherwise the number of records would depend on whether the last record is blank.
 * Nothing in a record decides how another record is read.
 *
 * Rows are opened, which reads the header only.  They are counted if n is public; this counts lines
 * without interpreting them.  Each release reads them once, in order; the same rows can be used
 * for several.  No function here shows a
 * value of a row, except sfm_rows_check, which is for the owner. */
#ifndef SFUMATO_ROWS_H
#define SFUMATO_ROWS_H

#include "sfumato/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Use rows from one thread at a time. */
typedef struct sfm_rows sfm_rows;

/* Opens a CSV (plain or gzip) or NPY file.  "-" is standard input, which is copied to a temporary
 * file of mode 0600 without a name.  Reads the header only.  NPY columns are named "0", "1", ...
 * The caller destroys the rows. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_open(sfm_rows **out, const char *path, sfm_error *error);

/* Whether text without a header is compressed.  Its first bytes belong to a record, so they are not
 * used to find out. */
typedef enum sfm_compression {
  SFM_COMPRESSION_BY_NAME = 0, /* gzip if the path ends in .gz; standard input is not gzip */
  SFM_COMPRESSION_NONE,
  SFM_COMPRESSION_GZIP,
} sfm_compression;

/* Opens libsvm (svmlight) text: one line per record, `LABEL INDEX:VALUE ...`.  Indices start at 1,
 * ascend, and are at most the public dimension.  # begins a comment.  A malformed record is
 * ignored.  There is no header, and there are no columns.  The caller destroys the rows. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_open_sparse(sfm_rows **out, const char *path,
                                                       size_t dimension,
                                                       sfm_compression compression,
                                                       sfm_error *error);

/* Makes rows from an array: count x columns numbers, row by row.  names may be NULL ("0", "1",
 * ...).  Categories of such a column are written as numbers: "0", "1".  The array is borrowed until
 * the rows are destroyed.  The caller destroys the rows. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_from_array(sfm_rows **out, const double *values,
                                                      size_t count, size_t columns,
                                                      const char *const *names, sfm_error *error);

/* A matrix of numbers anywhere in memory, for example a NumPy array. */
typedef struct sfm_array {
  const void *first; /* the element of row 0 and column 0 */
  size_t rows, columns;
  ptrdiff_t row_step, column_step; /* bytes from row to row, and from column to column; any sign */
  char kind;    /* of an element: f (floating point), i (integer) or u (unsigned) */
  size_t size;  /* of an element in bytes: 1, 2, 4 or 8; of f: 4 or 8 */
  bool swapped; /* elements have the other order of bytes than this machine */
} sfm_array;
/* The same as sfm_rows_from_array, for such a matrix.  Elements need not be aligned. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_from_strided(sfm_rows **out, const sfm_array *array,
                                                        const char *const *names, sfm_error *error);
/* The same for several matrices side by side, for example features and their label: a record has
 * the cells of one row of each, in their order.  They have equally many rows, and elements of one
 * type; names are those of all columns.  The list of matrices is copied, the matrices are borrowed.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_from_arrays(sfm_rows **out, const sfm_array *arrays,
                                                       size_t count, const char *const *names,
                                                       sfm_error *error);
SFM_API void sfm_rows_destroy(sfm_rows *rows);

/* The number of columns, and the name of column i (owned by the rows). */
SFM_API size_t sfm_rows_column_count(const sfm_rows *rows);
SFM_API const char *sfm_rows_column_name(const sfm_rows *rows, size_t i);

/* Counts the records: the line ends after the header, including those of blank lines.  Lines are
 * not interpreted. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_count(sfm_rows *rows, uint64_t *count, sfm_error *error);

/* Counts of the values of one column, for the owner.  PRIVATE: they describe the rows. */
typedef struct sfm_column_check {
  const char *name;      /* owned by the report */
  uint64_t below, above; /* beyond a bound; they would be clamped, or their row dropped */
  uint64_t unreadable;   /* not a number */
  uint64_t empty;
  uint64_t undeclared; /* not among the categories */
} sfm_column_check;

/* PRIVATE. */
typedef struct sfm_rows_report {
  uint64_t records;
  uint64_t zero_rows;    /* rows that would be ignored: not as declared, or over contributions */
  uint64_t persons;      /* 0 if no person column is stated */
  uint64_t persons_over; /* persons with more than `contributions` records */
  uint64_t unidentified; /* records without an id, which are ignored */
  uint64_t records_over; /* records of persons_over beyond `contributions` */
  size_t column_count;
  sfm_column_check *columns;
  uint64_t malformed; /* libsvm text: lines that are not `LABEL INDEX:VALUE ...` */
  uint64_t beyond;    /* libsvm text: lines with an index beyond the dimension */
  bool unfinished;    /* bytes follow the last line end; they are not a record */
} sfm_rows_report;

/* Checks the rows against a schema.  The result is for the owner alone.  For libsvm text, which has
 * no columns, the schema has a column `label` (with numbers as categories, or with bounds) and, if
 * the coordinates have bounds, a column `values`.  The caller destroys the report.
 * Privacy: none. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_check(sfm_rows *rows, sfm_rows_report **report,
                                                 const sfm_schema *schema, sfm_error *error);
SFM_API void sfm_rows_report_destroy(sfm_rows_report *report);

/* From here on the rows are only examined.  The release that would read them next reads what it
 * would use of every record, with the settings that it has, fills *report and ends with
 * SFM_STOPPED: nothing is released.  A charge is refused before anything is read, and so is a
 * session.  report NULL: they are read again.  For tables alone: rows of libsvm text would be
 * released as usual, and are checked with sfm_rows_check.  The result is for the owner alone.
 * Privacy: none. */
SFM_API void sfm_rows_examine(sfm_rows *rows, sfm_rows_report **report);

/* The number of rows that contribute with a value that is clamped to a bound. */
SFM_API uint64_t sfm_rows_report_clamped(const sfm_rows_report *report);
/* The share of the rows that are ignored or clamped because of what is in them, and not because
 * their person has more than `contributions`; 0 if there are none. */
SFM_API double sfm_rows_report_share(const sfm_rows_report *report);

/* The most cells of one kind that are kept as examples. */
#define SFM_CELL_EXAMPLES 3
typedef enum sfm_cell_fault {
  SFM_CELL_FAULT_BEYOND, /* below or above a bound */
  SFM_CELL_FAULT_UNREADABLE,
  SFM_CELL_FAULT_UNDECLARED,
} sfm_cell_fault;
/* A cell of that kind in a column of the report, cut where it is long; different ones for k = 0, 1,
 * ...; NULL after the last.  PRIVATE: it is what stands in the rows.  Owned by the report. */
SFM_API const char *sfm_rows_report_example(const sfm_rows_report *report, size_t column,
                                            sfm_cell_fault fault, size_t k);

/* Reads all of a PUBLIC file of libsvm text (plain or gzip; "-" is standard input), for example
 * points at which a machine is evaluated.  The last line may lack its line end.  Row r has the
 * values from (*values)[(*starts)[r]] to before (*values)[(*starts)[r + 1]], at the coordinates
 * (*indices)[..], which count from 0; and (*labels)[r], NaN if the line has no label.  starts has
 * *count + 1 entries.  The caller frees the four arrays with sfm_free.  A malformed line is
 * refused, and the message states its number. */
SFM_API SFM_MUST_CHECK sfm_status sfm_sparse_read(const char *path, size_t dimension,
                                                  size_t **starts, uint32_t **indices,
                                                  double **values, double **labels, size_t *count,
                                                  sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
