/* arrow.h - rows from an Arrow C stream: data frames of pyarrow, pandas, polars, DuckDB and others.
 *
 * The three structs are those of the published Arrow C data and stream interfaces.
 *
 * Every cell is read by what the schema says of its column.  The type of a column of a frame and
 * its dictionary are made from the records, so they decide nothing: a cell is a value, however it
 * is stored.
 *  - A number is a number of any width, a decimal, a boolean (1 or 0), or a text that is one:
 * 7, 7.0 and "007" are the same value, and so are true, "True" and 1.  Numbers are doubles.
 *  - An instant is a date, a timestamp, or a text in ISO form (2026-01-31, 2026-01-31T08:30:00Z).
 *    As a number it is the seconds since 1970-01-01 (in UTC, where it has a time zone).
 *  - A time of day is one, or a text HH:MM, HH:MM:SS or HH:MM:SS.F.  As a number it is the seconds
 *    since midnight.
 *  - Any other text is itself, without the blanks around it.
 *  - A null, a nested value, a duration, NaN and an infinity are empty cells; so are the texts NA,
 *    N/A, n/a, #N/A, #NA, <NA>, null, NULL, None, nan and inf.
 * Categories and ids of persons are compared as values: those that are numbers by their number,
 * instants by their time.  Two persons whose ids are the same number are one person.  So write ids
 * that are numbers above 2^53 (which are rounded as doubles are), and hexadecimal ones (12e4 is a
 * number) with a letter in front.
 *
 * A producer that guesses types may lose more than its types: dates in other forms, zeros in front
 * of a category, yes and no, digits of a narrow float.  State the types of columns to it where you
 * can. */
#ifndef SFUMATO_ARROW_H
#define SFUMATO_ARROW_H

#include <stdint.h>

#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

/* What becomes of the chunks of a stream, which can be taken from it only once. */
typedef enum sfm_arrow_chunks {
  SFM_ARROW_CHUNKS_KEEP, /* kept until the rows are destroyed: rows like any others */
  SFM_ARROW_CHUNKS_ONCE, /* given back once read: one chunk in memory, and one reading.  They cannot
                          * be counted, so their number must be private (add-remove); and not with
                          * schema.person, for which rows are read twice */
} sfm_arrow_chunks;

/* Makes rows from a stream of record batches (structs).  Moves the stream: stream->release is NULL
 * afterwards, also on failure, and the stream is released once.  Gets its schema, no chunk.  Chunks
 * are read where they are, without a copy.  If the stream fails later, the reading fails with
 * SFM_IO; what the stream says is not repeated, since it may quote a record.  A chunk that is not
 * what the schema of the stream says fails with SFM_FORMAT.  The caller destroys the rows. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_from_arrow_stream(sfm_rows **out,
                                                             struct ArrowArrayStream *stream,
                                                             sfm_arrow_chunks chunks,
                                                             sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
