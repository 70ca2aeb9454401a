#include "function_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "features/bodies/moment_hull.h"
#include "features/bodies/verblunsky.h"
#include "features/kernels/kernel.h"

/* The array under key, with one element an axis. */
static sfm_status read_axes(const sfmi_parse_context *at, const json_t **out, const json_t *object,
                            const char *key, size_t dimension) {
  *out = json_object_get(object, key);
  if (!json_is_array(*out) || json_array_size(*out) != dimension)
    return sfmi_parse_wrong(at, key, "an array with one element per column");
  return SFM_OK;
}

static sfm_status read_boundary(const sfmi_parse_context *at, sfm_boundary *out,
                                const json_t *object) {
  sfm_status status;
  unsigned word = SFM_OPEN;
  if (json_object_get(object, "boundary")) {
    status = sfmi_parse_value(at, &word, object, "boundary", SFM_WORDS_BOUNDARY);
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
                            "an array of points, each an array with one number per column");
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
                            "a positive number, and at most \"sup\", which is positive too");
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
    status = sfmi_parse_numbers(at, &basis->points, &basis->nodes, object, "points",
                                SFMI_BASIS_TABLE_MAX);
    if (status) return status;
  }
  if (basis->nodes == 0) return SFM_OK;
  status = sfmi_parse_numbers(at, &basis->table, &numbers, root, "table", SFMI_BASIS_TABLE_MAX);
  if (status) return status;
  return numbers == basis->count * basis->nodes
             ? SFM_OK
             : sfmi_parse_wrong(at, "table", "terms x nodes numbers");
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
  unsigned word = 0;
  const bool body = release->method == SFMI_CARATHEODORY;
  if (!sfmi_release_harmonic(release)) return SFM_OK;
  if (body) {
    status = sfmi_parse_value(at, &word, root, "body", SFM_WORDS_DENSITY_BODY);
    if (status) return status;
  }
  release->body = (sfm_density_body)word;
  if (body && release->dimension != 1)
    return sfmi_parse_wrong(at, "domain", "one column for caratheodory");
  if (body != (release->law == SFM_LAW_KNORM))
    return sfmi_parse_wrong(at, "law", "k-norm for caratheodory, and only there");
  if (!release->has_rows || sfm_release_coefficient(release, 0) != (double)release->rows)
    return sfmi_parse_wrong(
        at, "coefficients",
        "an array whose first number, that of the constant, is the number of rows");
  return SFM_OK;
}

static sfm_status read_geometry(const sfmi_parse_context *at, sfm_release *release,
                                const json_t *root) {
  const bool lattice = release->method == SFMI_LATTICE;
  const char *name = lattice ? "lattice" : "torus", *key = lattice ? "cells" : "terms";
  const json_t *object = json_object_get(root, name), *sizes;
  if (!json_is_object(object)) return sfmi_parse_wrong(at, name, "an object");
  sfm_status status = read_body(at, release, root);
  if (!status) status = read_axes(at, &sizes, object, key, release->dimension);
  if (status) return status;
  uint64_t order = 0, bits = 0;
  if (lattice) {
    if (release->law != SFM_LAW_DISCRETE_LAPLACE && release->law != SFM_LAW_ROUNDED_NORMAL)
      return sfmi_parse_wrong(at, "law", "one of discrete-laplace rounded-normal");
    status = sfmi_parse_count(at, &order, object, "order", SFMI_SPLINE_MAX);
    if (!status) status = sfmi_parse_count(at, &bits, object, "bits", 40);
    if (status) return status;
    if (order < SFMI_SPLINE_MIN) return sfmi_parse_wrong(at, "order", "2, 3 or 4");
    if (release->step != ldexp(1, -(int)(bits * (release->dimension + release->dropped))))
      return sfmi_parse_wrong(at, "step", "2^-bits per axis for a lattice, dropped axes included");
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

/* A series has none, but for its eigenfunctions. */
static sfm_status read_kernel(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  sfm_status status;
  unsigned word = 0;
  if (json_object_get(root, "kernel") || release->method != SFMI_SERIES) {
    status = sfmi_parse_value(at, &word, root, "kernel", SFM_WORDS_KERNEL_FAMILY);
    if (status) return status;
  }
  release->kernel = (sfm_kernel_family)word;
  return SFM_OK;
}

/* Kernel and engine; files from before there were engines have none. */
static sfm_status read_engine(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  const bool process = release->method == SFMI_GP || release->method == SFMI_SOBOLEV,
             stated = json_object_get(root, "engine") != NULL;
  unsigned word = 0;
  sfm_status status = read_kernel(at, release, root);
  if (status) return status;
  if (stated) {
    status = sfmi_parse_word(at, &word, root, "engine", sfm_words(SFM_WORDS_ENGINE) + 1,
                             sfmi_word_count(SFM_WORDS_ENGINE) - 1); /* not auto */
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
      return sfmi_parse_wrong(at, "candidates",
                              "made of arrays with one positive number per column");
  }
  choice->count = count;
  return SFM_OK;
}

static sfm_status read_choice(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
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
  if (!status)
    status = sfmi_parse_word(at, &word, rest, "kind", sfm_words(SFM_WORDS_GUARANTEE_KIND), 2);
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
  sfm_status status =
      sfmi_parse_numbers(at, &release->sizes, &count, root, "sizes", SFMI_GROUPS_MAX);
  if (!status) status = sfmi_parse_number(at, &release->size_error, root, "size_error");
  if (status) return status;
  bool good = count == groups && release->size_error >= 0;
  for (size_t g = 0; g < count; g++) good = good && release->sizes[g] >= 0;
  return good ? SFM_OK
              : sfmi_parse_wrong(at, "sizes", "a number >= 0 for every group, their error too");
}

sfm_status sfmi_release_read_function(const sfmi_parse_context *at, sfm_release *release,
                                      const json_t *root) {
  sfm_status status;
  unsigned word = 0;
  uint64_t dropped = 0;
  release->has_rows = json_object_get(root, "rows") != NULL;
  if (release->has_rows) {
    status = sfmi_parse_count(at, &release->rows, root, "rows", INT64_MAX);
    if (status) return status;
  }
  if (release->density) {
    status = sfmi_parse_value(at, &word, root, "outside", SFM_WORDS_OUTSIDE);
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
