/* census.h - which cells of a table a row is in.
 *
 * A row has a code in every facet: the place of its category, the bin of its number, or (texts) the
 * text itself; or none.  A margin is a set of facets, its cells numbered with the last one fastest.
 * A row counts once in every margin all of whose facets it has a code in, and nowhere else.  What a
 * row counts in depends on that row alone. */
#ifndef SFMI_CENSUS_H
#define SFMI_CENSUS_H

#include "base/fail.h"
#include "data/batch.h"
#include "estimators/binning.h"
#include "sfumato/schema.h"

#define SFMI_FACETS_MAX 64
/* Of a row that is in no cell of a margin. */
#define SFMI_NOWHERE UINT64_MAX
/* Most bytes of a text that counts, and of the texts of all facets, each with a NUL behind. */
#define SFMI_TEXT_MAX 256
#define SFMI_TUPLE_MAX (SFMI_FACETS_MAX * (SFMI_TEXT_MAX + 1))

typedef enum sfmi_facet_kind {
  SFMI_FACET_CATEGORIES,
  SFMI_FACET_BINS,
  SFMI_FACET_TEXTS
} sfmi_facet_kind;

/* The first facet of a kind is column 0 of the batch's codes, values or texts, and so on. */
typedef struct sfmi_facet {
  sfmi_facet_kind kind;
  uint64_t size; /* of categories and bins: how many */
  double lower, upper;
  const char *const *labels; /* of categories */
} sfmi_facet;

typedef struct sfmi_census sfmi_census;

/* Facets are borrowed; bins fit (sfmi_binning_fits). */
SFM_MUST_CHECK sfm_status sfmi_census_create(sfmi_census **out, const sfmi_facet *facets,
                                             size_t count, sfm_outside outside, sfm_error *error);
/* Wipes it. */
void sfmi_census_destroy(sfmi_census *census);

/* The codes of a batch (sfmi_rows_begin_cells), to be asked for by the others until the next. */
void sfmi_census_take(sfmi_census *census, const sfmi_batch *batch);

/* keys[r]: the cell of row r in the margin, or SFMI_NOWHERE; room for SFMI_BATCH_ROWS. */
void sfmi_census_keys(const sfmi_census *census, uint64_t *keys, uint64_t margin);
/* Counts the rows of the batch in every margin: cell k of margin m is counts[starts[m] + k]. */
void sfmi_census_count(sfmi_census *census, uint64_t *counts, const uint64_t *margins,
                       const size_t *starts, size_t margin_count);
/* What row r is in every facet, as texts with a NUL behind each, and their length in all; 0 when it
 * is in no cell of all facets.  A text counts when it is UTF-8 of 1 to SFMI_TEXT_MAX bytes without
 * control characters. */
size_t sfmi_census_tuple(const sfmi_census *census, char tuple[SFMI_TUPLE_MAX], size_t r);

#endif
