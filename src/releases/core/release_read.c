/* release_read.c - a .sfm file back into memory.  Any bytes are survived: every value is checked
 * for type and range before it is used, sizes before anything is allocated by them, and a message
 * names the place. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "base/text/json.h"
#include "base/text/json_error.h"
#include "features/bodies/moment_hull.h"
#include "features/bodies/verblunsky.h"
#include "release_format.h"
#include "release_data.h"
#include "release_kind.h"

static const size_t FILE_MAX = (size_t)1 << 30;

static sfm_status read_guarantee(const sfmi_parse_context *at, sfm_release *release,
                                 const json_t *root) {
  static const char *const kinds[] = {"pure", "gdp", "zcdp", "approximate", "random-dp"};
  static const char *const neighbours[] = {"replace", "add-remove"};
  const json_t *object = json_object_get(root, "guarantee");
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "guarantee", "an object");
  sfm_guarantee *g = &release->guarantee;
  unsigned word;
  uint64_t count = 0;
  sfm_status status = sfmi_parse_word(at, &word, object, "kind", kinds, 5);
  if (status) return status;
  g->kind = (sfm_guarantee_kind)word;
  status = sfmi_parse_number(at, &g->epsilon, object, "epsilon");
  if (!status) status = sfmi_parse_number(at, &g->delta, object, "delta");
  if (status) return status;
  if (g->kind == SFM_GDP) {
    status = sfmi_parse_number(at, &g->mu, object, "mu");
    if (status) return status;
  }
  if (g->kind == SFM_ZCDP) {
    status = sfmi_parse_number(at, &g->rho, object, "rho");
    if (status) return status;
  }
  if (g->kind == SFM_RANDOM_DP) {
    status = sfmi_parse_number(at, &g->gamma, object, "gamma");
    if (status) return status;
  }
  if (g->gamma < 0 || g->gamma > 1)
    return sfmi_parse_wrong(at, "gamma", "a probability, from 0 to 1");
  if (g->epsilon < 0 || g->delta < 0 || g->delta > 1 || g->mu < 0 || g->rho < 0)
    return sfmi_parse_wrong(at, "guarantee", "made of numbers >= 0, delta at most 1");
  status = sfmi_parse_word(at, &word, object, "neighbours", neighbours, 2);
  if (status) return status;
  release->neighbours = (sfm_neighbours)word;
  status = sfmi_parse_count(at, &count, object, "contributions", 1000000);
  if (status) return status;
  if (count == 0) return sfmi_parse_wrong(at, "contributions", "at least 1");
  release->contributions = (uint32_t)count;
  status = sfmi_parse_bool(at, &release->enforced, object, "contributions_enforced");
  if (status) return status;
  if (json_object_get(object, "person")) {
    status = sfmi_parse_text(at, &release->person, object, "person");
    if (status) return status;
    if (!*release->person) return sfmi_parse_wrong(at, "person", "the name of a column");
  }
  const json_t *ids = json_object_get(object, "person_ids");
  release->person_numbers = ids != NULL;
  if (ids && (!release->person || !release->enforced || !json_is_string(ids) ||
              strcmp(json_string_value(ids), "number") != 0))
    return sfmi_parse_wrong(at, "person_ids", "\"number\", beside a person that is enforced");
  /* For people who open the file; here it is made of the numbers, which may say something else. */
  return json_is_string(json_object_get(object, "sentence"))
             ? SFM_OK
             : sfmi_parse_wrong(at, "sentence", "a string");
}

/* Absent in files written before there were ledgers; all of it null where nothing was charged. */
static sfm_status read_charged(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  static const char *const accountings[] = {"basic", "zcdp", "gdp"};
  const json_t *object = json_object_get(root, "charged");
  unsigned word;
  if (!object) return SFM_OK;
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "charged", "an object");
  if (!json_is_string(json_object_get(object, "sentence")))
    return sfmi_parse_wrong(at, "sentence", "a string");
  if (json_is_null(json_object_get(object, "dataset"))) {
    const bool nowhere = json_is_null(json_object_get(object, "request")) &&
                         json_is_null(json_object_get(object, "accounting"));
    return nowhere ? SFM_OK
                   : sfmi_parse_wrong(at, "charged", "null in all of its parts, or in none");
  }
  sfm_status status = sfmi_parse_text(at, &release->dataset, object, "dataset");
  if (!status) status = sfmi_parse_text(at, &release->request, object, "request");
  if (!status) status = sfmi_parse_word(at, &word, object, "accounting", accountings, 3);
  if (status) return status;
  release->accounting = (sfm_accounting)word;
  return SFM_OK;
}

static sfm_status read_noise(const sfmi_parse_context *at, sfm_release *release,
                             const sfmi_release_kind *release_kind, const json_t *root) {
  const json_t *object = json_object_get(root, "noise");
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "noise", "an object");
  sfm_status status = sfmi_parse_text(at, &release->law, object, "law");
  if (status) return status;
  const bool told = !(release_kind && release_kind->scaleless);
  status = told ? sfmi_parse_number(at, &release->scale, object, "scale")
                : sfmi_parse_width(at, &release->scale, object, "scale");
  if (!status) status = sfmi_parse_number(at, &release->sensitivity, object, "sensitivity");
  if (status) return status;
  if (json_object_get(object, "summed")) {
    status = sfmi_parse_count(at, &release->summed, object, "summed", (uint64_t)1 << 53);
    if (status) return status;
    if (release->summed == 0) return sfmi_parse_wrong(at, "summed", "at least 1");
  }
  if (json_object_get(object, "factor")) {
    status = sfmi_parse_number(at, &release->factor, object, "factor");
    if (status) return status;
    if (!(release->factor > 0)) return sfmi_parse_wrong(at, "factor", "a positive number");
  }
  if (json_object_get(object, "range")) {
    status = sfmi_parse_number(at, &release->range, object, "range");
    if (status) return status;
    if (!(release->range > 0)) return sfmi_parse_wrong(at, "range", "a positive number");
  }
  if (release->scale < 0 || release->sensitivity < 0)
    return sfmi_parse_wrong(at, "noise", "made of numbers >= 0");
  if (!release->hardened) return SFM_OK;
  status = sfmi_parse_number(at, &release->step, object, "step");
  if (status) return status;
  int exponent;
  if (release->step < 0x1p-900 || release->step > 0x1p900 || frexp(release->step, &exponent) != 0.5)
    return sfmi_parse_wrong(at, "step", "a power of two");
  return SFM_OK;
}

static sfm_status read_band(const sfmi_parse_context *at, sfm_release *release,
                            const sfmi_release_kind *release_kind, const json_t *root) {
  const json_t *object = json_object_get(root, "band");
  if (release->refined.done || (release_kind && release_kind->bandless)) {
    release->band = (sfm_band){NAN, NAN, NAN, NAN};
    return json_is_null(object)
               ? SFM_OK
               : sfmi_parse_wrong(at, "band", "null for a refined release and for this kind");
  }
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "band", "an object");
  sfm_status status = sfmi_parse_number(at, &release->band.confidence, object, "confidence");
  if (status) return status;
  if (!(release->band.confidence > 0 && release->band.confidence < 1))
    return sfmi_parse_wrong(at, "confidence", "between 0 and 1");
  status = sfmi_parse_width(at, &release->band.half_width, object, "half_width");
  if (!status) status = sfmi_parse_width(at, &release->band.pointwise, object, "pointwise");
  if (status) return status;
  return sfmi_parse_width(at, &release->band.systematic, object, "systematic");
}

/* The array under key, with one element an axis. */
static sfm_status read_axes(const sfmi_parse_context *at, const json_t **out, const json_t *object,
                            const char *key, size_t dimension) {
  *out = json_object_get(object, key);
  if (!json_is_array(*out) || json_array_size(*out) != dimension)
    return sfmi_parse_wrong(at, key, "an array with one element a column");
  return SFM_OK;
}

static sfm_status read_boundary(const sfmi_parse_context *at, sfm_boundary *out,
                                const json_t *object) {
  sfm_status status;
  static const char *const boundaries[] = {"open", "reflect", "periodic"};
  unsigned word = SFM_OPEN;
  if (json_object_get(object, "boundary")) {
    status = sfmi_parse_word(at, &word, object, "boundary", boundaries, 3);
    if (status) return status;
  }
  *out = (sfm_boundary)word;
  return SFM_OK;
}

static sfm_status read_domain(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  sfm_status status;
  const json_t *domain = json_object_get(root, "domain"), *bandwidth = NULL;
  release->dimension = json_array_size(domain);
  if (release->dimension < 1 || release->dimension > SFM_MAX_DIMENSION) {
    release->dimension = 0;
    return sfmi_parse_wrong(at, "domain", "an array of 1 to 64 columns");
  }
  const bool stationary =
      json_object_get(root, "kernel") && sfmi_kernel_stationary(release->kernel);
  if (stationary) {
    status = read_axes(at, &bandwidth, root, "bandwidth", release->dimension);
    if (status) return status;
  }
  for (size_t a = 0; a < release->dimension; a++) {
    const json_t *object = json_array_get(domain, a);
    if (!json_is_object(object)) return sfmi_parse_wrong(at, "domain", "an array of objects");
    status = sfmi_parse_text(at, &release->columns[a], object, "column");
    if (!status) status = sfmi_parse_number(at, &release->lower[a], object, "lower");
    if (!status) status = sfmi_parse_number(at, &release->upper[a], object, "upper");
    if (!status) status = read_boundary(at, &release->boundary[a], object);
    if (status) return status;
    if (!stationary) continue;
    const json_t *h = json_array_get(bandwidth, a);
    if (!json_is_number(h)) return sfmi_parse_wrong(at, "bandwidth", "an array of numbers");
    release->bandwidth[a] = json_number_value(h);
    const char *wanted =
        sfmi_gaussian_unfit(release->lower[a], release->upper[a], release->bandwidth[a]);
    if (wanted) return sfmi_parse_wrong(at, "domain", wanted);
  }
  return SFM_OK;
}

/* The categories of one column of groups. */
static sfm_status read_labels(const sfmi_parse_context *at, sfmi_partition *by, size_t i,
                              const json_t *object) {
  const json_t *array = json_object_get(object, "categories");
  const size_t count = json_array_size(array);
  if (count < 1 || count > SFMI_GROUPS_MAX)
    return sfmi_parse_wrong(at, "categories", "an array of strings");
  by->labels[i] = sfmi_alloc(count, sizeof *by->labels[i]);
  if (!by->labels[i]) return sfmi_fail_memory(at->error);
  by->sizes[i] = count;
  for (size_t k = 0; k < count; k++) {
    const char *text = json_string_value(json_array_get(array, k));
    if (!text) return sfmi_parse_wrong(at, "categories", "an array of strings");
    by->labels[i][k] = sfmi_copy_string(text);
    if (!by->labels[i][k]) return sfmi_fail_memory(at->error);
  }
  return SFM_OK;
}

/* Absent where there are no groups. */
static sfm_status read_groups(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  sfm_status status;
  const json_t *array = json_object_get(root, "groups");
  const size_t count = json_array_size(array);
  sfmi_partition *by = &release->by;
  if (!array) return SFM_OK;
  if (!json_is_array(array) || count < 1 || count > SFMI_BY_MAX)
    return sfmi_parse_wrong(at, "groups", "an array of 1 to 8 columns");
  if (release->method != SFMI_LATTICE || !release->density)
    return sfmi_parse_wrong(at, "groups", "absent: only a density on a lattice has groups");
  for (size_t i = 0; i < count; i++) {
    const json_t *object = json_array_get(array, i);
    status = sfmi_parse_text(at, &by->columns[i], object, "column");
    if (status) return status;
    by->count = i + 1;
    status = read_labels(at, by, i, object);
    if (status) return status;
    if (sfmi_partition_groups(by) > SFMI_GROUPS_MAX) return sfmi_parse_wrong(at, "groups", "fewer");
  }
  return SFM_OK;
}

static sfm_status read_point(const sfmi_parse_context *at, double *point, const json_t *value,
                             size_t dimension) {
  if (!json_is_array(value) || json_array_size(value) != dimension)
    return sfmi_parse_wrong(at, "points",
                            "an array of points, each an array with one number a column");
  for (size_t a = 0; a < dimension; a++) {
    const json_t *x = json_array_get(value, a);
    point[a] = json_number_value(x);
    if (!json_is_number(x) || !isfinite(point[a]))
      return sfmi_parse_wrong(at, "points", "made of finite numbers");
  }
  return SFM_OK;
}

static sfm_status read_points(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *array) {
  sfm_status status;
  const size_t d = release->dimension, count = json_array_size(array);
  if (count != release->length)
    return sfmi_parse_wrong(at, "points", "as many as there are coefficients");
  release->points = sfmi_alloc(count * d, sizeof *release->points);
  if (!release->points) return sfmi_fail_memory(at->error);
  release->places.points = release->points;
  release->places.count = count;
  for (size_t i = 0; i < count; i++) {
    status = read_point(at, release->points + i * d, json_array_get(array, i), d);
    if (status) return status;
  }
  return SFM_OK;
}

static sfm_status read_grid(const sfmi_parse_context *at, sfm_release *release,
                            const json_t *root) {
  const json_t *sizes;
  sfm_status status = read_axes(at, &sizes, root, "grid", release->dimension);
  if (status) return status;
  release->places.count = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    const json_t *value = json_array_get(sizes, a);
    json_int_t size = json_is_integer(value) ? json_integer_value(value) : -1;
    if (size < 2 || (size_t)size > SFMI_PLACES_MAX / release->places.count)
      return sfmi_parse_wrong(at, "grid",
                              "an array of whole numbers from 2, not too many points in all");
    release->places.counts[a] = (size_t)size;
    release->places.count *= (size_t)size;
  }
  return SFM_OK;
}

/* Absent in files of 0.1. */
static sfm_status read_combined(const sfmi_parse_context *at, sfmi_refinement *r,
                                const json_t *object) {
  if (!json_object_get(object, "parts")) return SFM_OK;
  sfm_status status = sfmi_parse_count(at, &r->parts, object, "parts", (uint64_t)1 << 53);
  if (status) return status;
  if (r->parts < 2) return sfmi_parse_wrong(at, "parts", "the number of releases, at least 2");
  status = sfmi_parse_bool(at, &r->disjoint, object, "disjoint");
  if (status) return status;
  return sfmi_parse_bool(at, &r->parts_disjoint, object, "parts_disjoint");
}

/* Absent where nothing was refined. */
static sfm_status read_refined(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const json_t *object = json_object_get(root, "refined");
  sfmi_refinement *r = &release->refined;
  if (!object) return SFM_OK;
  if (!json_is_object(object) || !release->density)
    return sfmi_parse_wrong(at, "refined", "an object, of a density");
  sfm_status status = sfmi_parse_bool(at, &r->shrunk, object, "shrink");
  if (!status) status = sfmi_parse_bool(at, &r->nonnegative, object, "nonnegative");
  if (!status) status = sfmi_parse_bool(at, &r->normalised, object, "normalise");
  if (!status) status = sfmi_parse_bool(at, &r->combined, object, "combine");
  if (status) return status;
  r->done = true;
  return r->combined ? read_combined(at, r, object) : SFM_OK;
}

static sfm_status read_gamma(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  const json_t *gamma;
  sfm_status status = read_axes(at, &gamma, root, "gamma", release->dimension);
  if (status) return status;
  for (size_t a = 0; a < release->dimension; a++) {
    release->gamma[a] = json_number_value(json_array_get(gamma, a));
    if (!(release->gamma[a] >= 1e-30 && release->gamma[a] <= 1e30))
      return sfmi_parse_wrong(at, "gamma", "an array of positive numbers");
  }
  return SFM_OK;
}

/* Of values at places. */
static sfm_status read_places(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  sfm_status status;
  const json_t *points = json_object_get(root, "points");
  uint64_t degree = 0;
  if (release->kernel == SFM_KERNEL_POLYNOMIAL) {
    status = sfmi_parse_count(at, &degree, root, "degree", 1000);
    if (!status) status = sfmi_parse_number(at, &release->constant, root, "constant");
    if (status) return status;
    if (degree == 0 || release->constant < 0)
      return sfmi_parse_wrong(at, "degree", "a polynomial's");
    release->degree = (unsigned)degree;
  }
  status = sfmi_parse_number(at, &release->sup, root, "sup");
  if (!status) status = sfmi_parse_number(at, &release->nugget, root, "nugget");
  if (status) return status;
  if (!(release->sup > 0) || !(release->nugget > 0) || release->nugget > release->sup)
    return sfmi_parse_wrong(at, "nugget",
                            "a positive number, and at most \"sup\", which is one too");
  if (sfmi_kernel_stationary(release->kernel) && release->sup != 1)
    return sfmi_parse_wrong(at, "sup", "1");
  if (release->method == SFMI_SOBOLEV) {
    status = read_gamma(at, release, root);
    if (status) return status;
  }
  release->places.dimension = release->dimension;
  memcpy(release->places.lower, release->lower, sizeof release->lower);
  memcpy(release->places.upper, release->upper, sizeof release->upper);
  return points ? read_points(at, release, points) : read_grid(at, release, root);
}

/* An array of finite numbers under key, to be freed. */
static sfm_status read_numbers(const sfmi_parse_context *at, double **out, size_t *count,
                               const json_t *object, const char *key, size_t most) {
  const json_t *array = json_object_get(object, key);
  *count = json_array_size(array);
  if (*count == 0 || *count > most)
    return sfmi_parse_wrong(at, key, "an array of numbers, not too many");
  *out = sfmi_alloc(*count, sizeof **out);
  if (!*out) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < *count; i++) {
    const json_t *value = json_array_get(array, i);
    (*out)[i] = json_number_value(value);
    if (!json_is_number(value) || !isfinite((*out)[i]))
      return sfmi_parse_wrong(at, key, "made of finite numbers");
  }
  return SFM_OK;
}

/* What the file states of its basis; points and table are filled as far as it got. */
static sfm_status read_stated(const sfmi_parse_context *at, sfmi_basis *basis,
                              const sfm_release *release, const json_t *root) {
  static const char *const families[] = {"fourier", "cosine", "legendre", "hermite", "haar",
                                         "db4",     "eigen",  "span",     "random"};
  const json_t *object = json_object_get(root, "basis");
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "basis", "an object");
  unsigned word;
  uint64_t terms = 0, nodes = 0;
  size_t numbers = 0;
  sfm_status status = sfmi_parse_word(at, &word, object, "family", families, 9);
  if (status) return status;
  basis->family = (sfmi_basis_family)word;
  const bool span = basis->family == SFMI_SPAN, random = basis->family == SFMI_RANDOM;
  if (span != (release->method == SFMI_CURVE) || random != (release->method == SFMI_GP))
    return sfmi_parse_wrong(at, "family", "one that the method has");
  status = sfmi_parse_count(at, &terms, object, "terms", SFMI_BASIS_MAX);
  if (status) return status;
  if (terms < 1u + sfmi_basis_family_has_constant(basis->family))
    return sfmi_parse_wrong(at, "terms", "more");
  basis->count = (size_t)terms - sfmi_basis_family_has_constant(basis->family);
  if (basis->family == SFMI_HERMITE) {
    status = sfmi_parse_number(at, &basis->unit, object, "unit");
    if (status) return status;
  }
  if (random) {
    status = sfmi_parse_count(at, &basis->seed, object, "seed", (uint64_t)1 << 53);
    if (status) return status;
  }
  if (basis->family == SFMI_EIGEN) {
    status = sfmi_parse_count(at, &nodes, object, "nodes", SFMI_BASIS_TABLE_MAX);
    if (status) return status;
  }
  basis->nodes = (size_t)nodes;
  if (span) {
    status =
        read_numbers(at, &basis->points, &basis->nodes, object, "points", SFMI_BASIS_TABLE_MAX);
    if (status) return status;
  }
  if (basis->nodes == 0) return SFM_OK;
  status = read_numbers(at, &basis->table, &numbers, root, "table", SFMI_BASIS_TABLE_MAX);
  if (status) return status;
  return numbers == basis->count * basis->nodes
             ? SFM_OK
             : sfmi_parse_wrong(at, "table", "terms x nodes numbers");
}

/* Quantiles of a column. */
static sfm_status read_range(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  sfm_status status;
  static const char *const outside[] = {"clamp", "drop"};
  const json_t *column = json_array_get(json_object_get(root, "domain"), 0);
  unsigned word = 0;
  size_t count = 0;
  release->has_rows = json_object_get(root, "rows") != NULL;
  if (release->has_rows) {
    status = sfmi_parse_count(at, &release->rows, root, "rows", INT64_MAX);
    if (status) return status;
  }
  if (release->has_rows != (release->neighbours == SFM_REPLACE))
    return sfmi_parse_wrong(at, "rows", "stated under replace, and only there");
  if (json_array_size(json_object_get(root, "domain")) != 1 || !json_is_object(column))
    return sfmi_parse_wrong(at, "domain", "an array of one column");
  release->dimension = 1;
  status = sfmi_parse_text(at, &release->columns[0], column, "column");
  if (!status) status = sfmi_parse_number(at, &release->lower[0], column, "lower");
  if (!status) status = sfmi_parse_number(at, &release->upper[0], column, "upper");
  if (!status) status = sfmi_parse_word(at, &word, root, "outside", outside, 2);
  if (status) return status;
  release->outside = (sfm_outside)word;
  status = read_numbers(at, &release->quantiles, &count, root, "quantiles", release->length);
  if (status) return status;
  return count == release->length ? SFM_OK : sfmi_parse_wrong(at, "quantiles", "one a coefficient");
}

static sfm_status read_basis(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  sfmi_basis stated = {.dimension = release->dimension, .kernel = release->kernel};
  sfm_error why;
  memcpy(stated.lower, release->lower, sizeof stated.lower);
  memcpy(stated.upper, release->upper, sizeof stated.upper);
  memcpy(stated.bandwidth, release->bandwidth, sizeof stated.bandwidth);
  sfm_status status = read_stated(at, &stated, release, root);
  if (status) {
    free(stated.points);
    free(stated.table);
    return status;
  }
  /* Before as many frequencies are drawn. */
  if (stated.family == SFMI_RANDOM && stated.count + !release->has_rows != release->length)
    return sfmi_parse_wrong(at, "terms",
                            "as many as there are coefficients (under add-remove, less one)");
  status = sfmi_basis_create(&release->basis, &stated, &why);
  if (status) return sfmi_fail(at->error, SFM_FORMAT, "%s: \"basis\": %s", at->name, why.message);
  if (release->method != SFMI_CURVE) return SFM_OK;
  status = sfmi_parse_number(at, &release->clip, root, "clip");
  if (!status) status = sfmi_parse_number(at, &release->ridge, root, "ridge");
  if (status) return status;
  return release->clip > 0 && release->ridge >= 0 ? SFM_OK
                                                  : sfmi_parse_wrong(at, "clip", "positive");
}

/* One axis of fourier-laplace or caratheodory; sizes in all are for sfmi_release_check. */
static sfm_status read_harmonic(const sfmi_parse_context *at, sfm_release *release, size_t a,
                                json_int_t terms) {
  const size_t most = release->method == SFMI_CARATHEODORY && release->body == SFM_BODY_HULL
                          ? SFMI_MOMENT_HULL_MAX
                          : SFMI_VERBLUNSKY_MAX;
  if (terms < 1 || (size_t)terms > most)
    return sfmi_parse_wrong(at, "terms", "from 1 to 2000 frequencies, 24 of the body hull");
  if (release->boundary[a] == SFM_REFLECT)
    return sfmi_parse_wrong(at, "boundary",
                            "open or periodic for fourier-laplace and caratheodory");
  sfmi_torus_lay(&release->torus[a], release->lower[a], release->upper[a], release->bandwidth[a],
                 release->boundary[a] == SFM_PERIODIC, (size_t)terms);
  return SFM_OK;
}

/* What all of them have in common. */
static sfm_status read_body(const sfmi_parse_context *at, sfm_release *release,
                            const json_t *root) {
  sfm_status status;
  static const char *const bodies[] = {"exact", "hull"};
  unsigned word = 0;
  const bool body = release->method == SFMI_CARATHEODORY;
  if (!sfmi_release_harmonic(release)) return SFM_OK;
  if (body) {
    status = sfmi_parse_word(at, &word, root, "body", bodies, 2);
    if (status) return status;
  }
  release->body = (sfm_density_body)word;
  if (body && release->dimension != 1)
    return sfmi_parse_wrong(at, "domain", "one column for caratheodory");
  if (body != (strcmp(release->law, SFMI_LAW_KNORM) == 0))
    return sfmi_parse_wrong(at, "law", "k-norm for caratheodory, and only there");
  if (!release->has_rows || sfm_release_coefficient(release, 0) != (double)release->rows)
    return sfmi_parse_wrong(at, "coefficients", "the number of rows first, for the constant");
  return SFM_OK;
}

static sfm_status read_geometry(const sfmi_parse_context *at, sfm_release *release,
                                const json_t *root) {
  static const char *const laws[] = {"discrete-laplace", "rounded-normal"};
  const bool lattice = release->method == SFMI_LATTICE;
  const char *name = lattice ? "lattice" : "torus", *key = lattice ? "cells" : "terms";
  const json_t *object = json_object_get(root, name), *sizes;
  if (!json_is_object(object)) return sfmi_parse_wrong(at, name, "an object");
  sfm_status status = read_body(at, release, root);
  if (!status) status = read_axes(at, &sizes, object, key, release->dimension);
  if (status) return status;
  uint64_t order = 0, bits = 0;
  unsigned law;
  if (lattice) {
    status = sfmi_parse_word(at, &law, json_object_get(root, "noise"), "law", laws, 2);
    if (!status) status = sfmi_parse_count(at, &order, object, "order", SFMI_SPLINE_MAX);
    if (!status) status = sfmi_parse_count(at, &bits, object, "bits", 40);
    if (status) return status;
    if (order < SFMI_SPLINE_MIN) return sfmi_parse_wrong(at, "order", "2, 3 or 4");
    if (release->step != ldexp(1, -(int)(bits * (release->dimension + release->dropped))))
      return sfmi_parse_wrong(at, "step",
                              "2^-bits an axis for a lattice, those that were dropped included");
    release->lattice =
        (sfmi_lattice){.dimension = release->dimension,
                       .order = (unsigned)order,
                       .bits = (unsigned)bits,
                       .length = release->length / sfmi_partition_groups(&release->by)};
  }
  for (size_t a = 0; a < release->dimension; a++) {
    const json_t *value = json_array_get(sizes, a);
    json_int_t size = json_is_integer(value) ? json_integer_value(value) : -1;
    if (size < (lattice ? 1 : 0) || size > (json_int_t)SFMI_RELEASE_MAX)
      return sfmi_parse_wrong(at, key, "an array of whole numbers in range");
    if (lattice) {
      sfmi_lattice_set_axis(&release->lattice, a, release->lower[a], release->upper[a],
                            (size_t)size, release->boundary[a]);
      if (!(release->lattice.axis[a].spacing > 0)) return sfmi_parse_wrong(at, key, "fewer");
    } else if (sfmi_release_harmonic(release)) {
      status = read_harmonic(at, release, a, size);
      if (status) return status;
    } else {
      /* Refused before anything is computed by it; one off is another machine's logarithm. */
      double need = sfmi_torus_need(release->lower[a], release->upper[a], release->bandwidth[a]);
      if (!(fabs((double)size - floor(need)) <= 1))
        return sfmi_parse_wrong(at, key, "what the bandwidths need");
      status = sfmi_torus_init(&release->torus[a], release->lower[a], release->upper[a],
                               release->bandwidth[a], at->error);
      if (status) return status;
      release->torus[a].terms = (size_t)size;
    }
  }
  return SFM_OK;
}

static sfm_status read_coefficients(const sfmi_parse_context *at, sfm_release *release,
                                    const json_t *root) {
  const json_t *array = json_object_get(root, "coefficients");
  uint64_t stated = 0;
  sfm_status status = sfmi_parse_count(at, &stated, root, "length", SFMI_RELEASE_MAX);
  if (status) return status;
  release->length = json_array_size(array);
  if (release->length != stated)
    return sfmi_parse_wrong(at, "coefficients", "an array of as many numbers as \"length\" says");
  const sfmi_release_kind *release_kind = sfmi_release_kind_of(release->method);
  const bool empty = release_kind && release_kind->empty && json_is_array(array);
  if ((release->length == 0 && !empty) || release->length > SFMI_RELEASE_MAX)
    return sfmi_parse_wrong(at, "coefficients", "an array of 1 to 16777216 numbers");
  const bool integers =
      release->hardened && !release->refined.done && !sfmi_method_fitted(release->method);
  if (integers) {
    release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  } else {
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  }
  if (!release->integers && !release->reals) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < release->length; i++) {
    const json_t *value = json_array_get(array, i);
    bool good = integers ? sfmi_parse_integer(value, &release->integers[i])
                         : json_is_number(value) && isfinite(json_number_value(value));
    if (!good)
      return sfmi_fail(at->error, SFM_FORMAT, "%s: coefficients[%zu] is not %s", at->name, i,
                       integers ? "a 64-bit integer" : "a finite number");
    if (!integers) release->reals[i] = json_number_value(value);
  }
  return SFM_OK;
}

/* A series has none, but for its eigenfunctions. */
static sfm_status read_kernel(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  sfm_status status;
  static const char *const kernels[] = {"gaussian",   "laplacian", "matern12",
                                        "matern32",   "matern52",  "cauchy",
                                        "polynomial", "linear",    "own"};
  unsigned word = 0;
  if (json_object_get(root, "kernel") || release->method != SFMI_SERIES) {
    status = sfmi_parse_word(at, &word, root, "kernel", kernels, 9);
    if (status) return status;
  }
  release->kernel = (sfm_kernel_family)word;
  return SFM_OK;
}

/* Kernel and engine; files from before there were engines have none. */
static sfm_status read_engine(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  static const char *const engines[] = {"spectral", "circulant", "markov", "gram", "random"};
  const bool process = release->method == SFMI_GP || release->method == SFMI_SOBOLEV,
             stated = json_object_get(root, "engine") != NULL;
  unsigned word = 0;
  sfm_status status = read_kernel(at, release, root);
  if (status) return status;
  if (stated) {
    status = sfmi_parse_word(at, &word, root, "engine", engines, 5);
    if (status) return status;
  }
  if (stated && !process)
    return sfmi_parse_wrong(at, "engine", "absent: only gp and sobolev have one");
  if (process) release->engine = (sfm_engine)(SFM_ENGINE_SPECTRAL + word);
  const bool placed = sfmi_release_placed(release);
  if (release->method == SFMI_SOBOLEV && !placed)
    return sfmi_parse_wrong(at, "engine", "circulant, markov or gram for sobolev");
  if (release->method != SFMI_SERIES && release->method != SFMI_CARATHEODORY &&
      release->hardened == placed)
    return sfmi_parse_wrong(at, "hardened",
                            "false for the engines circulant, markov and gram, else true");
  if (!release->density && release->method == SFMI_GP && !placed)
    return sfmi_parse_wrong(at, "engine", "circulant, markov or gram for a function");
  const bool fixed = release->engine == SFM_ENGINE_SPECTRAL || release->method == SFMI_LATTICE ||
                     release->method == SFMI_SOBOLEV || sfmi_release_harmonic(release);
  const bool any = placed && !release->density; /* polynomial, linear, own: functions at places */
  if ((fixed && release->kernel != SFM_KERNEL_GAUSSIAN) ||
      (!any && !sfmi_kernel_stationary(release->kernel)))
    return sfmi_parse_wrong(at, "kernel", "one that the method and the engine have");
  return SFM_OK;
}

/* The bandwidths among which the stated ones were chosen. */
static sfm_status read_candidates(const sfmi_parse_context *at, sfm_release *release,
                                  const json_t *array) {
  sfmi_bandwidth_choice *choice = &release->choice;
  const size_t d = release->dimension, count = json_array_size(array);
  if (count < 2 || count > 1000)
    return sfmi_parse_wrong(at, "candidates", "an array of at least two");
  choice->candidates = sfmi_alloc(count * d, sizeof *choice->candidates);
  if (!choice->candidates) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < count * d; i++) {
    const json_t *one = json_array_get(array, i / d), *h = json_array_get(one, i % d);
    choice->candidates[i] = json_number_value(h);
    if (json_array_size(one) != d || !(choice->candidates[i] > 0) ||
        !isfinite(choice->candidates[i]))
      return sfmi_parse_wrong(at, "candidates", "made of arrays with one positive number a column");
  }
  choice->count = count;
  return SFM_OK;
}

static sfm_status read_choice(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  static const char *const kinds[] = {"pure", "gdp"};
  const json_t *object = json_object_get(root, "choice"), *rest = json_object_get(object, "rest");
  sfmi_bandwidth_choice *choice = &release->choice;
  uint64_t index = 0;
  unsigned word = 0;
  if (!object) return SFM_OK;
  if (!json_is_object(object) || !json_is_object(rest) || !release->density)
    return sfmi_parse_wrong(at, "choice", "an object with a \"rest\", of a density");
  sfm_status status = read_candidates(at, release, json_object_get(object, "candidates"));
  if (!status) status = sfmi_parse_count(at, &index, object, "chosen", choice->count - 1);
  if (status) return status;
  choice->index = (size_t)index;
  status = sfmi_parse_number(at, &choice->share, object, "share");
  if (!status) status = sfmi_parse_number(at, &choice->epsilon, object, "epsilon");
  if (!status) status = sfmi_parse_word(at, &word, rest, "kind", kinds, 2);
  if (status) return status;
  choice->rest.kind = (sfm_guarantee_kind)word;
  status = sfmi_parse_number(at, &choice->rest.epsilon, rest, "epsilon");
  if (!status) status = sfmi_parse_number(at, &choice->rest.delta, rest, "delta");
  if (status) return status;
  if (choice->rest.kind == SFM_GDP) {
    status = sfmi_parse_number(at, &choice->rest.mu, rest, "mu");
    if (status) return status;
  }
  if (!(choice->share > 0 && choice->share < 1) || !(choice->epsilon > 0) ||
      choice->rest.epsilon < 0 || choice->rest.delta < 0 || choice->rest.mu < 0)
    return sfmi_parse_wrong(at, "choice", "made of positive numbers, its share below 1");
  if (choice->rest.kind != release->guarantee.kind)
    return sfmi_parse_wrong(at, "rest", "a guarantee of the kind of the whole");
  for (size_t a = 0; a < release->dimension; a++)
    if (choice->candidates[choice->index * release->dimension + a] != release->bandwidth[a])
      return sfmi_parse_wrong(at, "chosen", "the candidate that \"bandwidth\" is");
  return SFM_OK;
}

/* Of the groups of a refined release. */
static sfm_status read_sizes(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  const size_t groups = sfm_release_group_count(release);
  size_t count = 0;
  if (groups == 0) return SFM_OK;
  sfm_status status = read_numbers(at, &release->sizes, &count, root, "sizes", SFMI_GROUPS_MAX);
  if (!status) status = sfmi_parse_number(at, &release->size_error, root, "size_error");
  if (status) return status;
  bool good = count == groups && release->size_error >= 0;
  for (size_t g = 0; g < count; g++) good = good && release->sizes[g] >= 0;
  return good ? SFM_OK
              : sfmi_parse_wrong(at, "sizes", "a number >= 0 for every group, their error too");
}

static sfm_status read_function(const sfmi_parse_context *at, sfm_release *release,
                                const json_t *root) {
  sfm_status status;
  static const char *const outside[] = {"clamp", "drop"};
  unsigned word = 0;
  uint64_t dropped = 0;
  release->has_rows = json_object_get(root, "rows") != NULL;
  if (release->has_rows) {
    status = sfmi_parse_count(at, &release->rows, root, "rows", INT64_MAX);
    if (status) return status;
  }
  if (release->density) {
    status = sfmi_parse_word(at, &word, root, "outside", outside, 2);
    if (status) return status;
  }
  release->outside = (sfm_outside)word;
  if (release->refined.done) {
    status = read_kernel(at, release, root);
    if (status) return status;
  }
  if (!release->refined.done) {
    status = read_engine(at, release, root);
    if (status) return status;
  }
  status = read_domain(at, release, root);
  if (!status) status = read_choice(at, release, root);
  if (!status) status = read_groups(at, release, root);
  if (status) return status;
  if (json_object_get(root, "dropped")) {
    status =
        sfmi_parse_count(at, &dropped, root, "dropped", SFM_MAX_DIMENSION - release->dimension);
    if (status) return status;
  }
  release->dropped = (size_t)dropped;
  if (release->refined.done) {
    release->places.dimension = release->dimension;
    memcpy(release->places.lower, release->lower, sizeof release->lower);
    memcpy(release->places.upper, release->upper, sizeof release->upper);
    status = read_sizes(at, release, root);
    if (status) return status;
    return read_grid(at, release, root);
  }
  if (release->method == SFMI_SERIES || release->method == SFMI_CURVE ||
      release->engine == SFM_ENGINE_RANDOM)
    return read_basis(at, release, root);
  return sfmi_release_placed(release) ? read_places(at, release, root)
                                      : read_geometry(at, release, root);
}

/* What the numbers of a vector are; absent where nobody said. */
static sfm_status read_texts(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  const json_t *array = json_object_get(root, "labels");
  if (!array) return SFM_OK;
  if (!json_is_array(array) || json_array_size(array) != release->length)
    return sfmi_parse_wrong(at, "labels", "an array of as many strings as there are coefficients");
  release->labels = sfmi_alloc(release->length, sizeof *release->labels);
  if (!release->labels) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < release->length; i++) {
    const char *text = json_string_value(json_array_get(array, i));
    if (!text) return sfmi_parse_wrong(at, "labels", "an array of strings");
    release->labels[i] = sfmi_copy_string(text);
    if (!release->labels[i]) return sfmi_fail_memory(at->error);
  }
  return SFM_OK;
}

/* Whether a kind may have a method: bits of kinds, by method. */
static bool fits(unsigned kind, unsigned method) {
  enum { VECTOR = 1, DENSITY = 2, FUNCTION = 4, RANGE = 8 };
  static const unsigned kinds[] = {[SFMI_LATTICE] = DENSITY,      [SFMI_GP] = DENSITY | FUNCTION,
                                   [SFMI_SOBOLEV] = DENSITY,      [SFMI_SERIES] = DENSITY,
                                   [SFMI_CURVE] = FUNCTION,       [SFMI_FOURIER_LAPLACE] = DENSITY,
                                   [SFMI_CARATHEODORY] = DENSITY, [SFMI_LAPLACE] = VECTOR,
                                   [SFMI_NORMAL] = VECTOR,        [SFMI_GAMMA] = VECTOR,
                                   [SFMI_EXPONENTIAL] = RANGE,    [SFMI_KNORM] = VECTOR};
  return kinds[method] >> kind & 1;
}

/* Which methods are always hardened, or never; the law of a series says it. */
static bool hardens(const sfm_release *release) {
  if (release->method == SFMI_KNORM)
    return release->hardened == (strcmp(release->law, SFMI_LAW_LINF) == 0);
  const bool never = release->method == SFMI_GAMMA || release->method == SFMI_CARATHEODORY ||
                     strcmp(release->law, "gamma") == 0;
  const bool always = release->method == SFMI_LATTICE || release->method == SFMI_LAPLACE ||
                      release->method == SFMI_FOURIER_LAPLACE || release->method == SFMI_CURVE ||
                      release->method == SFMI_EXPONENTIAL ||
                      (release->method == SFMI_SERIES && !never);
  return release->hardened ? !never : !always;
}

/* Functions, vectors and ranges. */
static sfm_status read_method(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  static const char *const kinds[] = {"vector", "density", "function", "range"};
  static const char *const methods[] = {
      "lattice",      "gp",      "sobolev", "series", "curve",       "fourier-laplace",
      "caratheodory", "laplace", "normal",  "gamma",  "exponential", "k-norm"};
  unsigned kind, method;
  sfm_status status = sfmi_parse_word(at, &kind, root, "kind", kinds, 4);
  if (!status) status = sfmi_parse_word(at, &method, root, "method", methods, 12);
  if (status) return status;
  release->density = kind == 1;
  release->function = kind == 1 || kind == 2;
  release->method = (sfmi_method)method;
  if (!fits(kind, method))
    return sfmi_parse_wrong(
        at, "method",
        "lattice, gp, sobolev, series, fourier-laplace or caratheodory for a density, gp "
        "or curve for a function, laplace, normal, gamma or k-norm for a vector, exponential for "
        "a range");
  return SFM_OK;
}

/* Kind and method; *release_kind is NULL for functions, vectors and ranges. */
static sfm_status read_kind(const sfmi_parse_context *at, sfm_release *release,
                            const sfmi_release_kind **release_kind, const json_t *root) {
  const char *kind = json_string_value(json_object_get(root, "kind")),
             *word = json_string_value(json_object_get(root, "method"));
  *release_kind = kind && word ? sfmi_release_kind_named(&release->method, kind, word) : NULL;
  if (!*release_kind) return read_method(at, release, root);
  return release->method == SFMI_NO_METHOD
             ? sfmi_parse_wrong(at, "method", "one that the kind has (docs/format.md)")
             : SFM_OK;
}

static sfm_status read_format(const sfmi_parse_context *at, const json_t *root) {
  const char *format = json_string_value(json_object_get(root, "format"));
  uint64_t version = 0;
  if (!format || strcmp(format, SFMI_FORMAT_NAME))
    return sfmi_fail(at->error, SFM_FORMAT, "%s is not a release: \"format\" is not \"%s\"",
                     at->name, SFMI_FORMAT_NAME);
  sfm_status status = sfmi_parse_count(at, &version, root, "version", UINT32_MAX);
  if (status) return status;
  if (version != SFMI_FORMAT_VERSION)
    return sfmi_fail(at->error, SFM_FORMAT,
                     "%s has format version %u; this sfumato (%s) reads version %d", at->name,
                     (unsigned)version, sfm_version(), SFMI_FORMAT_VERSION);
  return SFM_OK;
}

static sfm_status read_release(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const sfmi_release_kind *release_kind = NULL;
  sfm_status status = read_format(at, root);
  if (!status) status = read_kind(at, release, &release_kind, root);
  if (!status) status = sfmi_parse_bool(at, &release->hardened, root, "hardened");
  if (!status) status = sfmi_parse_bool(at, &release->is_private, root, "private");
  if (!status) status = read_guarantee(at, release, root);
  if (!status) status = read_charged(at, release, root);
  if (!status) status = read_noise(at, release, release_kind, root);
  if (status) return status;
  if (release_kind)
    release->refined.done = json_object_get(root, "refined") != NULL;
  else
    status = read_refined(at, release, root);
  if (status) return status;
  if (!release_kind && !release->refined.done && !hardens(release))
    return sfmi_parse_wrong(
        at, "hardened",
        "true for lattice, laplace, series, curve, fourier-laplace and exponential, false "
        "for gamma and caratheodory");
  status = read_coefficients(at, release, root);
  if (!status) status = read_band(at, release, release_kind, root);
  if (status) return status;
  if (release->function) {
    status = read_function(at, release, root);
    if (status) return status;
  }
  if (release->method == SFMI_EXPONENTIAL) {
    status = read_range(at, release, root);
    if (status) return status;
  }
  if (release_kind) {
    status = release_kind->read(at, release, root);
    if (status) return status;
  }
  if (!release->function && !release_kind && release->method != SFMI_EXPONENTIAL) {
    status = read_texts(at, release, root);
    if (status) return status;
  }
  status = sfmi_release_check(release, at->name, at->error);
  if (status) return status;
  return sfmi_release_write_sentence(release) ? SFM_OK : sfmi_fail_memory(at->error);
}

/* The facts of a session are in its file as text. */
static sfm_status fail_database(const char *bytes, size_t length, const char *name,
                                sfm_error *error) {
  static const char method[] = "\"interactive\"";
  if (memmem(bytes, length, method, strlen(method)))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s is not a release but an interactive session: it is asked (sfumato "
                     "interact ask) and closed (sfumato interact close), which leaves a release",
                     name);
  return sfmi_fail(error, SFM_FORMAT,
                   "%s is not a release but a database: a session is asked (sfumato online ask) "
                   "and closed (sfumato online close), which leaves a release; a ledger has "
                   "sfumato ledger status",
                   name);
}

/* Before it is parsed: its values take many times its bytes. */
static sfm_status check_size(const sfm_resource_limits *limits, const char *json, size_t length,
                             const char *name, sfm_error *error) {
  const double needed = sfmi_resources_reading(json, length).bytes,
               most = sfmi_resources_to_read(limits, length).bytes;
  if (needed <= most) return SFM_OK;
  return sfmi_fail(
      error, SFM_INVALID,
      "%s: reading it may take %.0f MB of memory, and a file of its size may take "
      "%.0f MB: if you know where it comes from, add --allow-large (where the verb has it)",
      name, ceil(needed / 1e6), most / 1e6);
}

sfm_status sfm_release_parse_within(sfm_release **out, const char *json, size_t length,
                                    const char *name, const sfm_resource_limits *limits,
                                    sfm_error *error) {
  *out = NULL;
  json_error_t reason;
  const sfmi_parse_context at = {name, error};
  if (length >= 15 && memcmp(json, "SQLite format 3", 15) == 0)
    return fail_database(json, length, name, error);
  if (!sfmi_json_begins_object(json, length))
    return sfmi_fail(error, SFM_FORMAT, "%s is not a release: it does not begin with {", name);
  sfm_status status = check_size(limits, json, length, name, error);
  if (status) return status;
  json_t *root = sfmi_json_loadb(json, length, JSON_REJECT_DUPLICATES, &reason);
  if (!root)
    return sfmi_fail(error, SFM_FORMAT, "%s is not a release: line %d, column %d: %s", name,
                     reason.line, reason.column, sfmi_json_error_reason(&reason));
  sfm_release *release = sfmi_release_create();
  if (release) release->most = sfmi_resources_to_work(limits, length);
  status = !json_is_object(root)
               ? sfmi_fail(error, SFM_FORMAT, "%s is not a release: not an object", name)
           : release ? read_release(&at, release, root)
                     : sfmi_fail_memory(error);
  json_decref(root);
  if (status) {
    sfm_release_destroy(release);
  } else {
    *out = release;
  }
  return status;
}

sfm_status sfm_release_parse(sfm_release **out, const char *json, size_t length, const char *name,
                             sfm_error *error) {
  const sfm_resource_limits limits = sfm_resource_limits_default();
  return sfm_release_parse_within(out, json, length, name, &limits, error);
}

sfm_status sfm_release_read_within(sfm_release **out, const char *path,
                                   const sfm_resource_limits *limits, sfm_error *error) {
  *out = NULL;
  char *bytes;
  size_t length;
  sfm_status status = sfmi_file_read(&bytes, &length, path, FILE_MAX, error);
  if (!status)
    status = sfm_release_parse_within(out, bytes, length,
                                      strcmp(path, "-") ? path : "standard input", limits, error);
  free(bytes);
  return status;
}

sfm_status sfm_release_read(sfm_release **out, const char *path, sfm_error *error) {
  const sfm_resource_limits limits = sfm_resource_limits_default();
  return sfm_release_read_within(out, path, &limits, error);
}
