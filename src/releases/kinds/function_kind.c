/* function_kind.c - densities and other functions of columns (kinds "density" and "function"): all
 * but how their coefficients make them (function_forms.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "features/kernels/kernel.h"
#include "function_forms.h"
#include "releases/band/band.h"

#define AT(field) .offset = offsetof(sfmi_function_body, field)

/* ---- in the file ---- */

static bool is_marginal(const void *body) {
  return ((const sfmi_function_body *)body)->dropped > 0;
}

static bool has_engine(const void *body) {
  return ((const sfmi_function_body *)body)->engine != SFM_ENGINE_AUTO;
}

static const sfmi_member dropped_members[] = {{"dropped", SFMI_MEMBER_SIZE, AT(dropped),
                                               .most = SFM_MAX_DIMENSION, .there = is_marginal,
                                               .optional = true},
                                              {0}};
static const sfmi_member kernel_members[] = {
    {"kernel", SFMI_MEMBER_WORD, AT(kernel), .words = SFM_ENUMERATION_KERNEL_FAMILY}, {0}};
static const sfmi_member engine_members[] = {{"engine", SFMI_MEMBER_WORD, AT(engine),
                                              .words = SFM_ENUMERATION_ENGINE, .there = has_engine,
                                              .optional = true},
                                             {0}};

static bool rest_is_gdp(const void *choice) {
  return ((const sfmi_bandwidth_choice *)choice)->rest.kind == SFM_GUARANTEE_GDP;
}

static bool is_forecast(const void *choice) {
  return ((const sfmi_bandwidth_choice *)choice)->chance > 0;
}

#define CHOICE(field) .offset = offsetof(sfmi_bandwidth_choice, field)

static const sfmi_member choice_members[] = {
    {"chosen", SFMI_MEMBER_SIZE, CHOICE(index)},
    {"share", SFMI_MEMBER_NUMBER, CHOICE(share), .sign = SFMI_POSITIVE},
    {"epsilon", SFMI_MEMBER_NUMBER, CHOICE(epsilon), .sign = SFMI_POSITIVE},
    {"likely", SFMI_MEMBER_NUMBER, CHOICE(likely), .sign = SFMI_NOT_NEGATIVE, .there = is_forecast,
     .optional = true},
    {"chance", SFMI_MEMBER_NUMBER, CHOICE(chance), .sign = SFMI_POSITIVE, .there = is_forecast,
     .optional = true},
    {0}};
static const sfmi_member rest_members[] = {
    {"kind", SFMI_MEMBER_WORD, CHOICE(rest.kind), .words = SFM_ENUMERATION_GUARANTEE_KIND,
     .most = SFM_GUARANTEE_GDP},
    {"epsilon", SFMI_MEMBER_NUMBER, CHOICE(rest.epsilon), .sign = SFMI_NOT_NEGATIVE},
    {"delta", SFMI_MEMBER_NUMBER, CHOICE(rest.delta), .sign = SFMI_NOT_NEGATIVE},
    {"mu", SFMI_MEMBER_NUMBER, CHOICE(rest.mu), .sign = SFMI_NOT_NEGATIVE, .there = rest_is_gdp,
     .null = true},
    {0}};

static void set_choice(json_t *root, const sfm_release *release) {
  const sfmi_bandwidth_choice *choice = &release->function->choice;
  const size_t d = release->dimension;
  json_t *object = json_object(), *candidates = json_array();
  for (size_t i = 0; i < choice->count; i++)
    json_array_append_new(candidates, sfmi_json_array(choice->candidates + i * d, d));
  json_object_set_new(object, "candidates", candidates);
  sfmi_members_set(object, choice, choice_members);
  sfmi_members_set_object(object, "rest", choice, rest_members);
  json_object_set_new(root, "choice", object);
}

static bool set_groups(json_t *object, const sfmi_partition *by) {
  json_t *groups = json_array();
  bool good = true;
  for (size_t i = 0; i < by->count; i++)
    json_array_append_new(
        groups, sfmi_json_column(by->columns[i], by->labels[i], by->sizes[i], NULL, &good));
  return json_object_set_new(object, "groups", groups) == 0 && good;
}

/* A series has a kernel only when it is one's eigenfunctions. */
static bool has_kernel(const sfm_release *release) {
  const sfmi_basis *basis = release->function->basis;
  return release->method != SFMI_SERIES || (basis && basis->family == SFMI_EIGEN);
}

static bool set_members(json_t *object, const sfm_release *release) {
  const sfmi_function_body *f = release->function;
  sfmi_release_set_rows(object, release);
  bool good = sfmi_release_set_domain(object, release);
  sfmi_members_set(object, f, dropped_members);
  if (sfmi_release_is_density(release)) sfmi_members_set(object, release, sfmi_outside_member);
  if (has_kernel(release)) sfmi_members_set(object, f, kernel_members);
  if (has_kernel(release) && sfmi_kernel_stationary(f->kernel))
    sfmi_json_set_numbers(object, "bandwidth", f->bandwidth, release->dimension);
  if (f->choice.count) set_choice(object, release);
  sfmi_members_set(object, f, engine_members);
  if (f->by.count) good = set_groups(object, &f->by) && good;
  sfmi_function_form_of(release)->set(object, release);
  return good;
}

static void print_lists(FILE *stream, const sfm_release *release) {
  const sfmi_function_form *form = sfmi_function_form_of(release);
  if (form->print) form->print(stream, release);
}

/* ---- back from the file ---- */

/* The law of a series says whether it is hardened. */
static bool hardens(const sfm_release *release) {
  const sfmi_method method = release->method;
  const bool never = method == SFMI_CARATHEODORY || release->law == SFM_NOISE_LAW_GAMMA;
  const bool always = method == SFMI_LATTICE || method == SFMI_FOURIER_LAPLACE ||
                      method == SFMI_CURVE || (method == SFMI_SERIES && !never);
  return release->hardened ? !never : !always;
}

/* Files from before there were engines have none. */
static sfm_status read_engine(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  const sfmi_method method = release->method;
  sfmi_function_body *f = release->function;
  const bool process = method == SFMI_GP || method == SFMI_SOBOLEV,
             stated = json_object_get(root, "engine") != NULL,
             density = sfmi_release_is_density(release);
  if (stated && !process)
    return sfmi_parse_wrong(at, "engine", "absent: only gp and sobolev have one");
  if (process) f->engine = SFM_ENGINE_SPECTRAL;
  sfm_status status = sfmi_members_read(at, f, root, engine_members);
  if (status) return status;
  if (process && f->engine == SFM_ENGINE_AUTO)
    return sfmi_parse_wrong(at, "engine", "one of spectral circulant markov gram random");
  const bool placed = sfmi_release_placed(release);
  if (method == SFMI_SOBOLEV && !placed)
    return sfmi_parse_wrong(at, "engine", "circulant, markov or gram for sobolev");
  if (method != SFMI_SERIES && method != SFMI_CARATHEODORY && release->hardened == placed)
    return sfmi_parse_wrong(at, "hardened",
                            "false for the engines circulant, markov and gram, else true");
  if (!density && method == SFMI_GP && !placed)
    return sfmi_parse_wrong(at, "engine", "circulant, markov or gram for a function");
  const bool fixed = f->engine == SFM_ENGINE_SPECTRAL || method == SFMI_LATTICE ||
                     method == SFMI_SOBOLEV || sfmi_release_harmonic(release);
  const bool any = placed && !density; /* polynomial, linear, own: functions at places */
  if ((fixed && f->kernel != SFM_KERNEL_GAUSSIAN) || (!any && !sfmi_kernel_stationary(f->kernel)))
    return sfmi_parse_wrong(at, "kernel", "one that the method and the engine have");
  return SFM_OK;
}

static sfm_status read_bandwidth(const sfmi_parse_context *at, sfm_release *release,
                                 const json_t *root) {
  const json_t *array = json_object_get(root, "bandwidth");
  if (json_array_size(array) != release->dimension)
    return sfmi_parse_wrong(at, "bandwidth", "an array with one element per column");
  double *h = release->function->bandwidth;
  if (!sfmi_json_numbers(h, array, release->dimension))
    return sfmi_parse_wrong(at, "bandwidth", "an array of numbers");
  for (size_t a = 0; a < release->dimension; a++) {
    const char *wanted = sfmi_gaussian_unfit(release->lower[a], release->upper[a], h[a]);
    if (wanted) return sfmi_parse_wrong(at, "domain", wanted);
  }
  return SFM_OK;
}

/* The bandwidths among which the stated ones were chosen. */
static sfm_status read_candidates(const sfmi_parse_context *at, sfm_release *release,
                                  const json_t *array) {
  sfmi_bandwidth_choice *choice = &release->function->choice;
  const size_t d = release->dimension, count = json_array_size(array);
  if (count < 2 || count > 1000)
    return sfmi_parse_wrong(at, "candidates", "an array of at least two");
  choice->candidates = sfmi_alloc(count * d, sizeof *choice->candidates);
  if (!choice->candidates) return sfmi_fail_memory(at->error);
  choice->count = count;
  bool good = true;
  for (size_t i = 0; i < count && good; i++)
    good = sfmi_json_numbers(choice->candidates + i * d, json_array_get(array, i), d);
  for (size_t i = 0; i < count * d && good; i++) good = choice->candidates[i] > 0;
  return good ? SFM_OK
              : sfmi_parse_wrong(at, "candidates",
                                 "made of arrays with one positive number per column");
}

static sfm_status read_choice(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  const json_t *object = json_object_get(root, "choice");
  sfmi_bandwidth_choice *choice = &release->function->choice;
  if (!object) return SFM_OK;
  if (!json_is_object(object) || !sfmi_release_is_density(release))
    return sfmi_parse_wrong(at, "choice", "an object, of a density");
  sfm_status status = read_candidates(at, release, json_object_get(object, "candidates"));
  if (!status) status = sfmi_members_read(at, choice, object, choice_members);
  if (!status) status = sfmi_members_read_object(at, choice, object, "rest", rest_members);
  if (status) return status;
  if (!(choice->share < 1)) return sfmi_parse_wrong(at, "share", "below 1");
  if (!(choice->likely <= 1) || !(choice->chance <= 1))
    return sfmi_parse_wrong(at, "likely", "at most 1, and so \"chance\"");
  if ((json_object_get(object, "likely") != NULL) != (json_object_get(object, "chance") != NULL))
    return sfmi_parse_wrong(at, "likely", "stated with \"chance\", or absent with it");
  if (choice->rest.kind != release->guarantee.kind)
    return sfmi_parse_wrong(at, "rest", "a guarantee of the kind of the whole");
  for (size_t a = 0; a < release->dimension; a++)
    if (choice->index >= choice->count ||
        choice->candidates[choice->index * release->dimension + a] !=
            release->function->bandwidth[a])
      return sfmi_parse_wrong(at, "chosen", "the candidate that \"bandwidth\" is");
  return SFM_OK;
}

/* Absent where there are no groups. */
static sfm_status read_groups(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  const json_t *array = json_object_get(root, "groups");
  const size_t count = json_array_size(array);
  sfmi_partition *by = &release->function->by;
  if (!array) return SFM_OK;
  if (!json_is_array(array) || count < 1 || count > SFMI_BY_MAX)
    return sfmi_parse_wrong(at, "groups", "an array of 1 to 8 columns");
  if (release->method != SFMI_LATTICE || !sfmi_release_is_density(release))
    return sfmi_parse_wrong(at, "groups", "absent: only a density on a lattice has groups");
  for (size_t i = 0; i < count; i++) {
    const json_t *object = json_array_get(array, i);
    sfm_status status = sfmi_parse_text(at, &by->columns[i], object, "column");
    if (status) return status;
    by->count = i + 1;
    status = sfmi_parse_texts(at, &by->labels[i], &by->sizes[i], object, "categories",
                              SFMI_GROUPS_MAX, true);
    if (status) return status;
    if (sfmi_partition_groups(by) > SFMI_GROUPS_MAX) return sfmi_parse_wrong(at, "groups", "fewer");
  }
  return SFM_OK;
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  sfmi_function_body *f = release->function;
  const bool refined = release->refined.done,
             kernel = json_object_get(root, "kernel") || release->method != SFMI_SERIES;
  if (!refined && !hardens(release))
    return sfmi_parse_wrong(at, "hardened",
                            "true for lattice, series, curve and fourier-laplace, false for "
                            "caratheodory and for noise by gamma");
  sfm_status status = sfmi_release_read_rows(at, release, root);
  if (!status) status = sfmi_members_read(at, f, root, dropped_members);
  if (!status && sfmi_release_is_density(release))
    status = sfmi_members_read(at, release, root, sfmi_outside_member);
  if (!status && kernel) status = sfmi_members_read(at, f, root, kernel_members);
  if (!status && !refined) status = read_engine(at, release, root);
  if (!status) status = sfmi_release_read_domain(at, release, root, SFM_MAX_DIMENSION);
  if (!status && json_object_get(root, "kernel") && sfmi_kernel_stationary(f->kernel))
    status = read_bandwidth(at, release, root);
  if (!status) status = read_choice(at, release, root);
  if (!status) status = read_groups(at, release, root);
  if (status) return status;
  if (f->dropped > SFM_MAX_DIMENSION - release->dimension)
    return sfmi_parse_wrong(at, "dropped", "a whole number in range");
  return sfmi_function_form_of(release)->read(at, release, root);
}

/* ---- checked, bounded, freed ---- */

static sfm_status check_axis(const sfm_release *release, size_t a, const char *name,
                             sfm_error *error) {
  if (!release->columns[a] || !isfinite(release->lower[a]) || !isfinite(release->upper[a]) ||
      !(release->lower[a] < release->upper[a]))
    return sfmi_fail(error, SFM_FORMAT, "%s: domain[%zu] needs a column and finite lower < upper",
                     name, a);
  const char *wanted = has_kernel(release) && sfmi_kernel_stationary(release->function->kernel)
                           ? sfmi_gaussian_unfit(release->lower[a], release->upper[a],
                                                 release->function->bandwidth[a])
                           : NULL;
  if (wanted) return sfmi_fail(error, SFM_FORMAT, "%s: domain[%zu] needs %s", name, a, wanted);
  return SFM_OK;
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  if (release->dimension < 1 || release->dimension > SFM_MAX_DIMENSION)
    return sfmi_fail(error, SFM_FORMAT, "%s: a density has 1 to %d columns", name,
                     SFM_MAX_DIMENSION);
  const bool counted = release->neighbours == SFM_NEIGHBOURS_REPLACE, rows = release->has_rows;
  if (release->method == SFMI_CURVE && !(rows && counted))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: the mean of curves is under replace neighbours and states its rows",
                     name);
  if ((sfmi_release_is_density(release) && rows != counted) || (rows && !counted) ||
      (rows && release->rows == 0))
    return sfmi_fail(error, SFM_FORMAT, "%s: rows are stated under replace, and only there", name);
  if (release->function->by.count &&
      sfmi_partition_groups(&release->function->by) > SFMI_GROUPS_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s: at most %d groups are possible", name,
                     SFMI_GROUPS_MAX);
  for (size_t a = 0; a < release->dimension; a++) {
    sfm_status status = check_axis(release, a, name, error);
    if (status) return status;
  }
  return sfmi_function_form_of(release)->check(release, name, error);
}

static void destroy_body(sfm_release *release) {
  sfmi_function_body *f = release->function;
  free(f->points);
  sfmi_partition_clear(&f->by);
  free(f->sizes);
  free(f->choice.candidates);
  sfmi_basis_destroy(f->basis);
  free(f);
}

/* All but basis, places and sizes, which belong to the coefficients. */
static bool copy_body(sfm_release *copy, const sfm_release *release) {
  const sfmi_function_body *from = release->function;
  const size_t numbers = from->choice.count * release->dimension;
  sfmi_function_body *f = copy->function = sfmi_alloc(1, sizeof *f);
  if (!f) return false;
  *f = *from;
  f->by = (sfmi_partition){0};
  f->choice.candidates = f->points = f->sizes = NULL;
  f->places.points = NULL;
  f->basis = NULL;
  if (!sfmi_partition_copy(&f->by, &from->by)) return false;
  if (numbers == 0) return true;
  f->choice.candidates = sfmi_alloc(numbers, sizeof *f->choice.candidates);
  if (f->choice.candidates)
    memcpy(f->choice.candidates, from->choice.candidates, numbers * sizeof *f->choice.candidates);
  return f->choice.candidates != NULL;
}

#define DEFINE_KIND(name, which, has)                                                              \
  const sfmi_release_kind name = {                                                                 \
      .kind = which,                                                                               \
      .methods = has,                                                                              \
      .at = offsetof(sfm_release, function),                                                       \
      .body = sizeof(sfmi_function_body),                                                          \
      .refinable = which == SFM_KIND_DENSITY,                                                      \
      .set = set_members,                                                                          \
      .summarise = sfmi_function_set_sizes,                                                        \
      .print = print_lists,                                                                        \
      .read = read_members,                                                                        \
      .check = check_release,                                                                      \
      .copy = copy_body,                                                                           \
      .destroy = destroy_body,                                                                     \
      .band = sfmi_band_function,                                                                  \
  };
DEFINE_KIND(sfmi_density_kind, SFM_KIND_DENSITY,
            SFMI_METHODS(LATTICE) | SFMI_METHODS(GP) | SFMI_METHODS(SOBOLEV) |
                SFMI_METHODS(SERIES) | SFMI_METHODS(FOURIER_LAPLACE) | SFMI_METHODS(CARATHEODORY))
DEFINE_KIND(sfmi_function_kind, SFM_KIND_FUNCTION, SFMI_METHODS(GP) | SFMI_METHODS(CURVE))
