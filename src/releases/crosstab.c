#include "sfumato/crosstab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "estimators/binning.h"
#include "releases/cells.h"

size_t sfm_table_columns(const sfm_release *release) {
  return release->cells ? release->cells->count : 0;
}

static const sfmi_factor *factor_of(const sfm_release *release, size_t i) {
  return i < sfm_table_columns(release) ? &release->cells->factors[i] : NULL;
}

const char *sfm_table_column(const sfm_release *release, size_t i) {
  const sfmi_factor *factor = factor_of(release, i);
  return factor ? factor->name : NULL;
}

uint64_t sfm_table_categories(const sfm_release *release, size_t i) {
  const sfmi_factor *factor = factor_of(release, i);
  return factor ? factor->size : 0;
}

bool sfm_table_bins(const sfm_release *release, double *lower, double *upper, size_t i) {
  const sfmi_factor *factor = factor_of(release, i);
  if (!factor || factor->labels || factor->size == 0) return false;
  *lower = factor->lower;
  *upper = factor->upper;
  return true;
}

bool sfm_table_sparse(const sfm_release *release) {
  return release->cells && release->cells->keys;
}

bool sfm_table_undeclared(const sfm_release *release) {
  return release->cells && release->cells->texts;
}

double sfm_table_threshold(const sfm_release *release) {
  return release->cells ? release->cells->threshold : 0;
}

uint64_t sfm_table_size(const sfm_release *release) {
  uint64_t size = 0;
  if (!release->cells || release->cells->texts) return 0;
  if (release->cells->starts) return release->length;
  return sfmi_cells_size(release->cells, sfmi_cells_whole(release->cells), &size) ? size : 0;
}

size_t sfm_table_margins(const sfm_release *release) {
  return release->cells ? release->cells->margin_count : 0;
}

uint64_t sfm_table_margin(const sfm_release *release, size_t m) {
  return m < sfm_table_margins(release) ? release->cells->margins[m] : 0;
}

void sfm_table_cell(const sfm_release *release, uint32_t *codes, size_t e) {
  uint64_t margin, key;
  for (size_t i = 0; i < sfm_table_columns(release); i++) codes[i] = SFM_NO_CODE;
  if (!release->cells || release->cells->texts || e >= release->length) return;
  sfmi_cells_place(release, e, &margin, &key);
  sfmi_cells_codes(release->cells, margin, key, codes);
}

/* Where bin k of them begins. */
static double edge(const sfmi_factor *factor, uint64_t k) {
  const sfmi_binning bins = {factor->lower, factor->upper, factor->size};
  return sfmi_bin_edge(&bins, k);
}

size_t sfm_table_label(const sfm_release *release, char *text, size_t size, size_t i,
                       uint32_t code) {
  const sfmi_factor *factor = factor_of(release, i);
  if (!factor || code >= factor->size) return (size_t)snprintf(text, size, "%s", "");
  if (factor->labels) return (size_t)snprintf(text, size, "%s", factor->labels[code]);
  return (size_t)snprintf(text, size, "%.10g:%.10g", edge(factor, code), edge(factor, code + 1));
}

size_t sfm_table_text(const sfm_release *release, char *text, size_t size, size_t e, size_t i) {
  uint32_t codes[SFMI_FACTORS_MAX];
  if (i >= sfm_table_columns(release) || e >= release->length)
    return (size_t)snprintf(text, size, "%s", "");
  if (release->cells->texts)
    return (size_t)snprintf(text, size, "%s", release->cells->texts[e * release->cells->count + i]);
  sfm_table_cell(release, codes, e);
  return sfm_table_label(release, text, size, i, codes[i]);
}

size_t sfm_table_find(const sfm_release *release, size_t m, const uint32_t *codes) {
  const sfmi_cells *cells = release->cells;
  if (m >= sfm_table_margins(release) || cells->texts) return SIZE_MAX;
  for (size_t i = 0; i < cells->count; i++)
    if (cells->margins[m] >> i & 1 && codes[i] >= cells->factors[i].size) return SIZE_MAX;
  const uint64_t key = sfmi_cells_key(cells, cells->margins[m], codes);
  if (cells->starts) return cells->starts[m] + (size_t)key;
  size_t low = 0, high = release->length;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (cells->keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < release->length && cells->keys[low] == key ? low : SIZE_MAX;
}
