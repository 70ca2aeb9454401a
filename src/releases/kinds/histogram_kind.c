/* histogram_kind.c - a table of counts (kind "histogram"). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/text/json.h"
#include "estimators/tables/binning.h"
#include "releases/core/release_kind.h"
#include "histogram_cells.h"

/* In the file. */

static bool set_factors(json_t *object, const sfmi_cells *cells) {
  json_t *columns = json_array();
  bool good = true;
  for (size_t i = 0; i < cells->count; i++) {
    const sfmi_factor *factor = &cells->factors[i];
    const bool bins = !factor->labels && factor->size;
    const double bounds[] = {factor->lower, factor->upper};
    json_t *column =
        sfmi_json_column(factor->name, factor->labels, factor->size, bins ? bounds : NULL, &good);
    if (bins) json_object_set_new(column, "bins", json_integer((json_int_t)factor->size));
    json_array_append_new(columns, column);
  }
  json_object_set_new(object, "columns", columns);
  return good;
}

/* Of a dense table that is not one whole margin. */
static void set_margins(json_t *object, const sfmi_cells *cells) {
  if (!cells->starts ||
      (cells->margin_count == 1 && cells->margins[0] == sfmi_cells_all_factors(cells)))
    return;
  json_t *margins = json_array();
  for (size_t m = 0; m < cells->margin_count; m++) {
    json_t *one = json_array();
    for (size_t i = 0; i < cells->count; i++)
      if (cells->margins[m] >> i & 1)
        json_array_append_new(one, json_string(cells->factors[i].name));
    json_array_append_new(margins, one);
  }
  json_object_set_new(object, "margins", margins);
}

static void set_threshold(json_t *object, const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  uint64_t size = 0;
  if (cells->starts) return;
  json_object_set_new(object, "threshold", json_real(cells->threshold));
  if (!cells->keys || !sfmi_cells_size(cells, sfmi_cells_all_factors(cells), &size)) return;
  json_object_set_new(object, "size", sfmi_json_integer((int64_t)size));
  json_object_set_new(object, "occupied",
                      cells->occupied ? sfmi_json_integer((int64_t)cells->occupied) : json_null());
}

static void set_cells_refined(json_t *object, const sfm_release *release) {
  const sfmi_refinement *r = &release->refined;
  const int monotone = release->cells->monotone;
  if (!r->done) return;
  json_object_set_new(
      object, "refined",
      json_pack("{s:b, s:b, s:o, s:b}", "nonnegative", r->nonnegative, "total", r->normalised,
                "monotone",
                monotone ? json_string(monotone > 0 ? "increasing" : "decreasing") : json_null(),
                "consistent", release->cells->consistent));
}

static bool set_members(json_t *object, const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  sfmi_release_set_rows(object, release);
  sfmi_members_set(object, release, sfmi_outside_member);
  const bool good = set_factors(object, cells);
  set_margins(object, cells);
  set_threshold(object, release);
  set_cells_refined(object, release);
  if (release->guarantee.kind == SFM_GUARANTEE_RANDOM_DP)
    json_object_set_new(object, "exact_to",
                        cells->exact ? json_integer((json_int_t)cells->exact_to) : json_null());
  return good;
}

static void print_lists(FILE *stream, const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  if (cells->starts) return;
  fputs(",\n \"cells\": [", stream);
  for (size_t e = 0; e < release->length; e++) {
    fputs(e == 0 ? "\n  " : e % 6 == 0 || cells->texts ? ",\n  " : ", ", stream);
    if (cells->keys) {
      const bool large = cells->keys[e] >= SFMI_FORMAT_STRING_FROM;
      sfmi_fprintf(stream, large ? "\"%" PRIu64 "\"" : "%" PRIu64, cells->keys[e]);
      continue;
    }
    for (size_t i = 0; i < cells->count; i++) {
      json_t *text = json_string(cells->texts[e * cells->count + i]);
      char *quoted = text ? sfmi_json_dumps(text, JSON_ENCODE_ANY) : NULL;
      sfmi_fprintf(stream, "%s%s", i ? ", " : "[", quoted ? quoted : "null");
      free(quoted);
      json_decref(text);
    }
    fputc(']', stream);
  }
  fputs("\n ]", stream);
}

/* Back from the file. */

static sfm_status read_factor(const sfmi_parse_context *at, sfmi_factor *factor,
                              const json_t *object, bool undeclared) {
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "columns", "an array of objects");
  sfm_status status = sfmi_parse_text(at, &factor->name, object, "column");
  if (status) return status;
  if (json_object_get(object, "categories")) {
    size_t count = 0;
    status = sfmi_parse_texts(at, &factor->labels, &count, object, "categories", SIZE_MAX, false);
    factor->size = count;
    return status;
  }
  if (undeclared && !json_object_get(object, "bins")) return SFM_OK;
  status = sfmi_parse_number(at, &factor->lower, object, "lower");
  if (!status) status = sfmi_parse_number(at, &factor->upper, object, "upper");
  if (!status) status = sfmi_parse_count(at, &factor->size, object, "bins", SFMI_BINS_MAX);
  if (status) return status;
  const sfmi_binning bins = {factor->lower, factor->upper, factor->size};
  if (factor->size == 0 || !(factor->lower < factor->upper) || !sfmi_binning_fits(&bins))
    return sfmi_parse_wrong(at, "columns",
                            "made of categories, or of bins within lower < upper that numbers can "
                            "tell apart");
  return SFM_OK;
}

static sfm_status read_margin(const sfmi_parse_context *at, const sfmi_cells *cells,
                              uint64_t *margin, const json_t *names) {
  *margin = 0;
  if (!json_is_array(names)) return sfmi_parse_wrong(at, "margins", "an array of arrays");
  for (size_t k = 0; k < json_array_size(names); k++) {
    const char *name = json_string_value(json_array_get(names, k));
    size_t i = 0;
    while (name && i < cells->count && strcmp(cells->factors[i].name, name) != 0) i++;
    if (!name || i == cells->count || *margin >> i & 1)
      return sfmi_parse_wrong(at, "margins", "made of names of columns, each once");
    *margin |= UINT64_C(1) << i;
  }
  return SFM_OK;
}

static sfm_status read_margins(const sfmi_parse_context *at, sfmi_cells *cells,
                               const json_t *root) {
  sfm_status status;
  const json_t *array = json_object_get(root, "margins");
  const size_t count = array ? json_array_size(array) : 1;
  if (count == 0 || count > SFMI_MARGINS_MAX)
    return sfmi_parse_wrong(at, "margins", "an array of 1 to 4096 margins");
  cells->margins = sfmi_alloc(count, sizeof *cells->margins);
  if (!cells->margins) return sfmi_fail_memory(at->error);
  cells->margin_count = count;
  cells->margins[0] = sfmi_cells_all_factors(cells);
  for (size_t m = 0; array && m < count; m++) {
    status = read_margin(at, cells, &cells->margins[m], json_array_get(array, m));
    if (status) return status;
  }
  return SFM_OK;
}

static sfm_status read_texts(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *array) {
  sfmi_cells *cells = release->cells;
  cells->texts = sfmi_alloc(release->length * cells->count, sizeof *cells->texts);
  if (!cells->texts) return sfmi_fail_memory(at->error);
  for (size_t e = 0; e < release->length; e++) {
    const json_t *one = json_array_get(array, e);
    for (size_t i = 0; i < cells->count; i++) {
      const char *text = json_string_value(json_array_get(one, i));
      if (!text || json_array_size(one) != cells->count)
        return sfmi_parse_wrong(at, "cells", "made of arrays with one text per column");
      char **slot = &cells->texts[e * cells->count + i];
      if (!(*slot = sfmi_copy_string(text))) return sfmi_fail_memory(at->error);
    }
  }
  return SFM_OK;
}

/* The listed cells of a sparse or undeclared table. */
static sfm_status read_listed(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  const json_t *array = json_object_get(root, "cells"), *occupied;
  sfmi_cells *cells = release->cells;
  sfm_status status = sfmi_parse_number(at, &cells->threshold, root, "threshold");
  if (status) return status;
  if (!(cells->threshold >= 0)) return sfmi_parse_wrong(at, "threshold", "a number >= 0");
  if (!json_is_array(array) || json_array_size(array) != release->length ||
      release->length > SFMI_LISTED_MAX)
    return sfmi_parse_wrong(at, "cells", "an array as long as the coefficients");
  if (release->method == SFMI_TABLE_UNDECLARED) return read_texts(at, release, array);
  int64_t value = 0;
  occupied = json_object_get(root, "occupied");
  if (!json_is_null(occupied) && !(sfmi_parse_integer(occupied, &value) && value > 0))
    return sfmi_parse_wrong(at, "occupied", "a positive whole number, or null");
  cells->occupied = (uint64_t)value;
  cells->keys = sfmi_alloc(release->length, sizeof *cells->keys);
  if (!cells->keys) return sfmi_fail_memory(at->error);
  for (size_t e = 0; e < release->length; e++) {
    if (!sfmi_parse_integer(json_array_get(array, e), &value) || value < 0)
      return sfmi_parse_wrong(at, "cells", "an array of numbers of cells");
    cells->keys[e] = (uint64_t)value;
  }
  return SFM_OK;
}

static sfm_status read_cells_refined(const sfmi_parse_context *at, sfm_release *release,
                                     const json_t *root) {
  static const char *const ways[] = {"increasing", "decreasing"};
  const json_t *object = json_object_get(root, "refined");
  sfmi_refinement *r = &release->refined;
  unsigned way = 0;
  if (!r->done) return SFM_OK;
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "refined", "an object");
  sfm_status status = sfmi_parse_bool(at, &r->nonnegative, object, "nonnegative");
  if (!status) status = sfmi_parse_bool(at, &r->normalised, object, "total");
  if (!status) status = sfmi_parse_bool(at, &release->cells->consistent, object, "consistent");
  if (status) return status;
  if (json_is_null(json_object_get(object, "monotone"))) return SFM_OK;
  status = sfmi_parse_word(at, &way, object, "monotone", ways, 2);
  if (status) return status;
  release->cells->monotone = way ? -1 : 1;
  return SFM_OK;
}

static sfm_status read_exact(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  sfmi_cells *cells = release->cells;
  if (release->guarantee.kind != SFM_GUARANTEE_RANDOM_DP) return SFM_OK;
  cells->exact = !json_is_null(json_object_get(root, "exact_to"));
  return cells->exact ? sfmi_parse_count(at, &cells->exact_to, root, "exact_to", INT64_MAX)
                      : SFM_OK;
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  sfm_status status;
  const json_t *columns = json_object_get(root, "columns");
  const size_t count = json_array_size(columns);
  const bool undeclared = release->method == SFMI_TABLE_UNDECLARED,
             listed = undeclared || release->method == SFMI_TABLE_SPARSE;
  if (count < 1 || count > SFMI_FACTORS_MAX)
    return sfmi_parse_wrong(at, "columns", "an array of 1 to 64 columns");
  release->cells = sfmi_cells_create(count);
  if (!release->cells) return sfmi_fail_memory(at->error);
  status = sfmi_release_read_rows(at, release, root);
  if (!status) status = sfmi_members_read(at, release, root, sfmi_outside_member);
  if (status) return status;
  for (size_t i = 0; i < count; i++) {
    status = read_factor(at, &release->cells->factors[i], json_array_get(columns, i), undeclared);
    if (status) return status;
  }
  status = read_margins(at, release->cells, root);
  if (!status) status = read_exact(at, release, root);
  if (!status) status = read_cells_refined(at, release, root);
  if (status) return status;
  if (listed) return read_listed(at, release, root);
  size_t length;
  if (!sfmi_cells_set_starts(release->cells, &length))
    return length ? sfmi_fail_memory(at->error)
                  : sfmi_parse_wrong(at, "columns", "of at most 16777216 cells in all margins");
  return SFM_OK;
}

/* Whether the texts of cell e - 1 come before those of cell e. */
static bool ascends(const sfmi_cells *cells, size_t e) {
  for (size_t i = 0; i < cells->count; i++) {
    const int order =
        strcmp(cells->texts[(e - 1) * cells->count + i], cells->texts[e * cells->count + i]);
    if (order) return order < 0;
  }
  return false;
}

/* In order, each once, within the table. */
static sfm_status check_listed(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_cells *cells = release->cells;
  uint64_t size = 0;
  if (!(cells->threshold >= 0 && cells->threshold < 0x1p63))
    return sfmi_fail(error, SFM_FORMAT, "%s: the threshold is not from 0 to below 2^63", name);
  const int64_t tau = (int64_t)floor(cells->threshold); /* whole numbers are above both, or none */
  if (cells->keys && !sfmi_cells_size(cells, sfmi_cells_all_factors(cells), &size))
    return sfmi_fail(error, SFM_FORMAT, "%s: a sparse table has at most 2^62 cells", name);
  if (cells->margin_count != 1 || cells->margins[0] != sfmi_cells_all_factors(cells))
    return sfmi_fail(error, SFM_FORMAT, "%s: a sparse table has no margins", name);
  if (release->refined.done)
    return sfmi_fail(error, SFM_FORMAT, "%s: a sparse table is never refined", name);
  for (size_t e = 0; e < release->length; e++) {
    const bool below = !cells->keys || cells->keys[e] < size;
    const bool follows =
        e == 0 || (cells->keys ? cells->keys[e - 1] < cells->keys[e] : ascends(cells, e));
    if (!below || !follows)
      return sfmi_fail(error, SFM_FORMAT,
                       "%s: cells[%zu] is not in the table, or does not follow the one before",
                       name, e);
    if (!((double)release->integers[e] > cells->threshold))
      if (!release->refined.done && release->integers[e] <= tau)
        return sfmi_fail(error, SFM_FORMAT, "%s: coefficients[%zu] is not above the threshold",
                         name, e);
  }
  return SFM_OK;
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_cells *cells = release->cells;
  if (!release->hardened || release->step != 1 || release->factor != 1)
    return sfmi_fail(error, SFM_FORMAT, "%s: a histogram is hardened and counts in steps of 1",
                     name);
  if (release->has_rows && release->neighbours != SFM_NEIGHBOURS_REPLACE)
    return sfmi_fail(error, SFM_FORMAT, "%s: rows are stated under replace, and only there", name);
  for (size_t i = 0; i < cells->count; i++)
    for (size_t j = 0; j < i; j++)
      if (strcmp(cells->factors[i].name, cells->factors[j].name) == 0)
        return sfmi_fail(error, SFM_FORMAT, "%s: columns[%zu] is there twice", name, i);
  if (!cells->starts) return check_listed(release, name, error);
  if (cells->starts[cells->margin_count] != release->length)
    return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where the columns make %zu cells",
                     name, release->length, cells->starts[cells->margin_count]);
  return SFM_OK;
}

/* The band. */

/* All cells at once, those of a sparse table that are not listed included (half_width is then the
 * threshold, which is `systematic`, and the noise's width); pointwise: one cell.  Sums of listed
 * cells (summed > 1: so many in one of them) have an infinite one. */
static sfm_status histogram_band(sfm_band *band, const sfm_release *release, double confidence,
                                 sfm_error *error) {
  const sfmi_cells *cells = release->cells;
  (void)error;
  uint64_t size = 0;
  double all = (double)release->length;
  if (cells->keys && sfmi_cells_size(cells, sfmi_cells_all_factors(cells), &size))
    all = (double)size;
  const double hidden = cells->starts ? 0 : floor(cells->threshold);
  const bool endless = cells->texts != NULL;   /* nobody says how many cells were not listed */
  if (!cells->starts && release->summed > 1) { /* nor how much the sums lack */
    *band = (sfm_band){confidence, INFINITY, INFINITY, INFINITY};
    return SFM_OK;
  }
  const double each = -expm1(log(confidence) / fmax(all, 1));
  *band =
      (sfm_band){.confidence = confidence,
                 .half_width = endless ? INFINITY : hidden + sfmi_cells_noise_width(release, each),
                 .pointwise = hidden + sfmi_cells_noise_width(release, 1 - confidence),
                 .systematic = hidden};
  return SFM_OK;
}

static void destroy_data(sfm_release *release) {
  sfmi_cells_destroy(release->cells, release->length);
}

const sfmi_release_kind sfmi_histogram_kind = {
    .kind = SFM_KIND_HISTOGRAM,
    .at = offsetof(sfm_release, cells),
    .methods = SFMI_METHODS(TABLE_LAPLACE) | SFMI_METHODS(TABLE_NORMAL) |
               SFMI_METHODS(TABLE_SPARSE) | SFMI_METHODS(TABLE_UNDECLARED),
    .empty = true,
    .refinable = true,
    .verbs = "sfm_table_cell names its cells, sfm_table_margin_of adds them up",
    .set = set_members,
    .print = print_lists,
    .read = read_members,
    .check = check_release,
    .destroy = destroy_data,
    .band = histogram_band,
};
