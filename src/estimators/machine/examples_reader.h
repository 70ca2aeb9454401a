/* examples_reader.h - from private rows to examples in memory: every record is encoded, its label
 * looked up, its features built.  Deterministic; a row's numbers depend on that row alone. */
#ifndef SFMI_EXAMPLES_READER_H
#define SFMI_EXAMPLES_READER_H

#include "data/rows/rows.h"
#include "sfumato/context.h"
#include "examples.h"

/* What is read of a record, all of it public.  Borrowed. */
typedef struct sfmi_examples_source {
  const sfm_schema *schema; /* person, contributions; types of columns */
  const sfmi_encoding *encoding;
  const char *label;         /* its column; NULL: of sparse rows */
  const char *const *labels; /* class_count of them; NULL: a number */
  size_t class_count;
  /* A number is clamped to these (or, with drop, has no row), then mapped to [-1, 1]. */
  double lower, upper;
} sfmi_examples_source;

/* Checks the columns against the header and the schema, as sfmi_rows_begin does; the next record is
 * then the first one.  Reads none. */
SFM_MUST_CHECK sfm_status sfmi_examples_begin(sfm_rows *rows, const sfmi_examples_source *source,
                                              sfm_error *error);

/* Whether there is memory for so many rows of dense features, which their number alone decides: to
 * be asked before anything is charged. */
SFM_MUST_CHECK sfm_status sfmi_examples_fit_memory(const sfmi_feature_map *map,
                                                   sfmi_examples_form form, uint64_t count,
                                                   sfm_error *error);

/* Reads all records (no more than `count`) into examples of that form.  Labels are -1 for the first
 * of two classes and 1 for the second; classes, where there are more; in [-1, 1], where they are
 * numbers.  Call after sfmi_examples_begin.  Fails only when the operating system fails, memory
 * is short, or the caller stops it. */
SFM_MUST_CHECK sfm_status sfmi_examples_read(sfmi_examples **out, sfm_rows *rows,
                                             const sfmi_examples_source *source,
                                             const sfmi_feature_map *map, sfmi_examples_form form,
                                             uint64_t count, const sfm_context *context,
                                             sfm_error *error);

#endif
