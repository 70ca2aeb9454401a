#include "estimators/census.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/category.h"

struct sfmi_census {
  const sfmi_facet *facets;
  size_t count;
  sfm_outside outside;
  size_t slots[SFMI_FACETS_MAX];          /* the column of the batch behind each facet */
  const uint32_t *codes[SFMI_FACETS_MAX]; /* of the batch, or binned; NULL: texts */
  uint32_t *binned;                       /* room for the codes of every facet of bins */
  uint64_t *keys;
  const sfmi_batch *batch;
};

/* The number of facets of a kind. */
static size_t number_of(const sfmi_facet *facets, size_t count, sfmi_facet_kind kind) {
  size_t number = 0;
  for (size_t i = 0; i < count; i++) number += facets[i].kind == kind;
  return number;
}

sfm_status sfmi_census_create(sfmi_census **out, const sfmi_facet *facets, size_t count,
                              sfm_outside outside, sfm_error *error) {
  sfmi_census *census = *out = sfmi_alloc(1, sizeof *census);
  if (!census) return sfmi_fail_memory(error);
  census->facets = facets;
  census->count = count;
  census->outside = outside;
  for (size_t i = 0; i < count; i++) census->slots[i] = number_of(facets, i, facets[i].kind);
  census->binned = sfmi_alloc(number_of(facets, count, SFMI_FACET_BINS),
                              SFMI_BATCH_ROWS * sizeof *census->binned);
  census->keys = sfmi_alloc(SFMI_BATCH_ROWS, sizeof *census->keys);
  if (census->binned && census->keys) return SFM_OK;
  sfmi_census_destroy(census);
  *out = NULL;
  return sfmi_fail_memory(error);
}

static void wipe(void *bytes, size_t size) {
  if (bytes) explicit_bzero(bytes, size);
  free(bytes);
}

void sfmi_census_destroy(sfmi_census *census) {
  if (!census) return;
  const size_t bins = number_of(census->facets, census->count, SFMI_FACET_BINS);
  wipe(census->binned, bins * SFMI_BATCH_ROWS * sizeof *census->binned);
  wipe(census->keys, SFMI_BATCH_ROWS * sizeof *census->keys);
  free(census);
}

static void bin_rows(uint32_t *codes, const sfmi_facet *facet, const double *values, size_t rows,
                     sfm_outside outside) {
  const sfmi_binning bins = {facet->lower, facet->upper, facet->size};
  for (size_t r = 0; r < rows; r++) {
    const double x = values[r];
    const bool below = x<bins.lower, above = x> bins.upper;
    if (isnan(x) || ((below || above) && outside == SFM_DROP))
      codes[r] = SFMI_NO_CATEGORY;
    else
      codes[r] = (uint32_t)(below ? 0 : above ? bins.size - 1 : sfmi_bin_of(&bins, x));
  }
}

void sfmi_census_take(sfmi_census *census, const sfmi_batch *batch) {
  census->batch = batch;
  for (size_t i = 0; i < census->count; i++) {
    const sfmi_facet *facet = &census->facets[i];
    const size_t first = census->slots[i] * SFMI_BATCH_ROWS;
    if (facet->kind == SFMI_FACET_CATEGORIES) {
      census->codes[i] = batch->codes + first;
    } else if (facet->kind == SFMI_FACET_BINS) {
      bin_rows(census->binned + first, facet, batch->values + first, batch->rows, census->outside);
      census->codes[i] = census->binned + first;
    }
  }
}

void sfmi_census_keys(const sfmi_census *census, uint64_t *keys, uint64_t margin) {
  const size_t rows = census->batch->rows;
  const uint8_t *keep = census->batch->keep;
  for (size_t r = 0; r < rows; r++) keys[r] = keep[r] ? 0 : SFMI_NOWHERE;
  for (size_t i = 0; i < census->count; i++) {
    if (!(margin >> i & 1)) continue;
    const uint64_t size = census->facets[i].size;
    const uint32_t *codes = census->codes[i];
    for (size_t r = 0; r < rows; r++) {
      const bool nowhere = codes[r] == SFMI_NO_CATEGORY || keys[r] == SFMI_NOWHERE;
      keys[r] = nowhere ? SFMI_NOWHERE : keys[r] * size + codes[r];
    }
  }
}

void sfmi_census_count(sfmi_census *census, uint64_t *counts, const uint64_t *margins,
                       const size_t *starts, size_t margin_count) {
  uint64_t *keys = census->keys;
  for (size_t m = 0; m < margin_count; m++) {
    sfmi_census_keys(census, keys, margins[m]);
    for (size_t r = 0; r < census->batch->rows; r++)
      if (keys[r] != SFMI_NOWHERE) counts[starts[m] + keys[r]]++;
  }
}

/* Whether the text could steer what prints it: C0, DEL, and C1 as UTF-8 has them. */
static bool has_control(const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0)) return true;
  return false;
}

/* The text with its NUL; 0 when it does not count. */
static size_t put_text(char *to, const sfmi_text *text) {
  if (text->length < 1 || text->length > SFMI_TEXT_MAX || memchr(text->text, 0, text->length))
    return 0;
  memcpy(to, text->text, text->length);
  to[text->length] = 0;
  return sfmi_utf8_valid(to) && !has_control(to) ? text->length + 1 : 0;
}

/* What row r is in facet i. */
static size_t put_facet(const sfmi_census *census, char *to, size_t i, size_t r) {
  const sfmi_facet *facet = &census->facets[i];
  if (facet->kind == SFMI_FACET_TEXTS)
    return put_text(to, &census->batch->texts[census->slots[i] * SFMI_BATCH_ROWS + r]);
  const uint32_t code = census->codes[i][r];
  if (code == SFMI_NO_CATEGORY) return 0;
  if (facet->kind == SFMI_FACET_BINS) {
    const sfmi_binning bins = {facet->lower, facet->upper, facet->size};
    return sfmi_bin_label(&bins, to, SFMI_TEXT_MAX, code) + 1;
  }
  const sfmi_text label = {facet->labels[code], (uint32_t)strlen(facet->labels[code])};
  return put_text(to, &label);
}

size_t sfmi_census_tuple(const sfmi_census *census, char tuple[SFMI_TUPLE_MAX], size_t r) {
  size_t used = 0;
  if (!census->batch->keep[r]) return 0;
  for (size_t i = 0; i < census->count; i++) {
    const size_t more = put_facet(census, tuple + used, i, r);
    if (more == 0) return 0;
    used += more;
  }
  return used;
}
