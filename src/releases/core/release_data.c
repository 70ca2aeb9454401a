#include "release_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/fft/fft.h"
#include "release_kind.h"

sfm_release *sfmi_release_create(const sfmi_release_kind *kind) {
  sfm_release *release = sfmi_alloc(1, sizeof *release);
  if (!release) return NULL;
  release->range = INFINITY;
  release->most = (sfmi_resources){INFINITY, INFINITY};
  release->summed = 1;
  release->factor = 1;
  if (sfmi_release_become(release, kind)) return release;
  free(release);
  return NULL;
}

/* Where the body of its kind is. */
static void **body_of(sfm_release *release) {
  return (void **)((char *)release + release->kind->at);
}

static void destroy_body(sfm_release *release) {
  if (!release->kind || !release->kind->destroy || !*body_of(release)) return;
  release->kind->destroy(release);
  *body_of(release) = NULL;
}

bool sfmi_release_become(sfm_release *release, const sfmi_release_kind *kind) {
  destroy_body(release);
  release->kind = kind;
  if (kind->body == 0) return true;
  *body_of(release) = sfmi_alloc(1, kind->body);
  return *body_of(release) != NULL;
}

const sfmi_function_body *sfmi_function_of(const sfm_release *release) {
  static const sfmi_function_body none;
  return sfmi_release_is_function(release) ? release->function : &none;
}

void sfm_release_destroy(sfm_release *release) {
  if (!release) return;
  for (size_t a = 0; a < SFM_MAX_DIMENSION; a++) free(release->columns[a]);
  free(release->person);
  free(release->sentence);
  free(release->dataset);
  free(release->request);
  free(release->stored);
  free(release->integers);
  free(release->reals);
  destroy_body(release);
  free(release);
}

const char *sfmi_method_name(sfmi_method method) {
  static const char *const names[SFMI_METHOD_COUNT] = {
      "lattice",      "gp",          "sobolev",   "series",     "curve",       "fourier-laplace",
      "caratheodory", "laplace",     "normal",    "gamma",      "exponential", "k-norm",
      "laplace",      "normal",      "sparse",    "undeclared", "geometric",   "optimal",
      "optimal",      "exponential", "empirical", "gp",         "finite",      "rff",
      "objective",    "tddl",        "tdil",      "interactive"};
  return names[method];
}

bool sfmi_release_is_density(const sfm_release *release) {
  return release->kind == &sfmi_density_kind;
}

bool sfmi_release_is_function(const sfm_release *release) {
  return release->kind == &sfmi_density_kind || release->kind == &sfmi_function_kind;
}

bool sfmi_release_harmonic(const sfm_release *release) {
  return release->method == SFMI_FOURIER_LAPLACE || release->method == SFMI_CARATHEODORY;
}

bool sfmi_release_set_labels(sfm_release *release, const char *const *labels) {
  release->vector->labels = sfmi_copy_strings(labels, release->length);
  return release->vector->labels != NULL;
}

bool sfmi_release_set_person(sfm_release *release, const char *person, bool enforced) {
  free(release->person);
  release->person = person ? sfmi_copy_string(person) : NULL;
  release->enforced = person && enforced;
  release->person_ids = SFMI_IDS_TEXT;
  return !person || release->person;
}

bool sfmi_release_take_person(sfm_release *release, const sfm_schema *schema) {
  const char *person = sfm_schema_person(schema);
  const sfm_column *column = person ? sfm_schema_find(schema, person) : NULL;
  const bool good = sfmi_release_set_person(release, person, true);
  if (column && (column->type == SFM_COLUMN_TYPE_NUMBER || column->type == SFM_COLUMN_TYPE_INTEGER))
    release->person_ids = SFMI_IDS_NUMBER;
  return good;
}

sfm_release *sfmi_release_begin_stated(const sfmi_release_kind *kind, sfmi_method method,
                                       const sfm_context *context, sfm_neighbours neighbours,
                                       uint32_t contributions, const char *person) {
  sfm_release *release = sfmi_release_create(kind);
  if (!release) return NULL;
  release->method = method;
  release->is_private = !context->seeded;
  release->neighbours = neighbours;
  release->contributions = contributions;
  if (sfmi_release_set_person(release, person, false)) return release;
  sfm_release_destroy(release);
  return NULL;
}

sfm_release *sfmi_release_begin(const sfmi_release_kind *kind, sfmi_method method,
                                const sfm_context *context) {
  const sfm_schema *schema = context->schema;
  sfm_release *release = sfmi_release_begin_stated(
      kind, method, context, sfm_schema_neighbours(schema), sfm_schema_contributions(schema), NULL);
  if (!release || sfmi_release_take_person(release, schema)) return release;
  sfm_release_destroy(release);
  return NULL;
}

bool sfmi_release_set_column(sfm_release *release, size_t a, const char *name, double lower,
                             double upper) {
  release->lower[a] = lower;
  release->upper[a] = upper;
  return (release->columns[a] = sfmi_copy_string(name)) != NULL;
}

bool sfmi_release_normal(const sfm_release *release) {
  return release->law == SFM_NOISE_LAW_ROUNDED_NORMAL || release->law == SFM_NOISE_LAW_NORMAL;
}

bool sfmi_release_laplace(const sfm_release *release) {
  return release->law == SFM_NOISE_LAW_DISCRETE_LAPLACE || release->law == SFM_NOISE_LAW_LAPLACE;
}

bool sfmi_release_placed(const sfm_release *release) {
  const sfm_engine engine = sfmi_function_of(release)->engine;
  return engine >= SFM_ENGINE_CIRCULANT && engine <= SFM_ENGINE_GRAM;
}

sfmi_form sfmi_release_form(const sfm_release *release) {
  if (release->refined.done) return SFMI_FORM_GRID;
  if (release->method == SFMI_LATTICE) return SFMI_FORM_LATTICE;
  if (release->method == SFMI_SERIES || release->method == SFMI_CURVE ||
      release->function->engine == SFM_ENGINE_RANDOM)
    return SFMI_FORM_BASIS;
  return sfmi_release_placed(release) ? SFMI_FORM_PLACES : SFMI_FORM_TORUS;
}

sfm_kernel sfmi_release_kernel(const sfm_release *release) {
  const sfmi_function_body *f = release->function;
  const bool polynomial = f->kernel == SFM_KERNEL_POLYNOMIAL;
  const double square =
      polynomial && f->degree > 0 ? pow(f->sup, 1.0 / f->degree) - f->constant : f->sup;
  return (sfm_kernel){.family = f->kernel,
                      .dimension = release->dimension,
                      .bandwidth = f->bandwidth,
                      .degree = f->degree,
                      .constant = f->constant,
                      .radius = sqrt(fmax(square, 0)),
                      .bound = f->sup};
}

sfm_kernel sfmi_release_noise_kernel(const sfm_release *release, double *inverse) {
  sfm_kernel kernel = sfmi_release_kernel(release);
  if (release->method != SFMI_SOBOLEV) return kernel;
  for (size_t a = 0; a < release->dimension; a++) inverse[a] = 1 / release->function->gamma[a];
  kernel.family = SFM_KERNEL_LAPLACIAN;
  kernel.bandwidth = inverse;
  return kernel;
}

double sfmi_release_mass(const sfm_release *release) {
  const sfm_kernel kernel = sfmi_release_kernel(release);
  const bool whole =
      !sfmi_release_placed(release) && release->function->engine != SFM_ENGINE_RANDOM;
  return sfmi_release_is_density(release) && !whole ? sfmi_kernel_mass(&kernel) : 1;
}

double sfmi_release_total(const sfm_release *release) {
  if (release->refined.done) return 1;
  if (release->has_rows && sfmi_function_of(release)->by.count == 0) return (double)release->rows;
  if (!sfmi_release_is_density(release)) return 1;
  if (release->function->engine == SFM_ENGINE_RANDOM)
    return sfm_release_coefficient(release, release->length - 1) / SFMI_TOTAL_WEIGHT;
  if (release->method == SFMI_LATTICE) {
    sfmi_i128 sum = 0;
    for (size_t i = 0; i < release->length; i++) sum += release->integers[i];
    return (double)sum * release->step * release->factor;
  }
  /* The integral over the torus: the constant coefficient times phi_0's, over the kernel's mass. */
  double total = sfm_release_coefficient(release, 0);
  for (size_t a = 0; a < release->dimension; a++)
    total *= sfmi_torus_mass(&release->function->torus[a]);
  return total;
}

bool sfmi_release_counted(const sfm_release *release) {
  return !release->has_rows || sfmi_function_of(release)->by.count > 0;
}

/* A copy of a text that may be NULL; false when memory is short. */
static bool copy_text(char **out, const char *text) {
  *out = text ? sfmi_copy_string(text) : NULL;
  return !text || *out;
}

sfm_status sfmi_release_derive(sfm_release **out, const sfm_release *release, sfm_error *error) {
  sfm_release *copy = *out = sfmi_alloc(1, sizeof *copy);
  if (!copy) return sfmi_fail_memory(error);
  *copy = *release;
  memset(copy->columns, 0, sizeof copy->columns);
  copy->person = copy->sentence = copy->dataset = copy->request = copy->stored = NULL;
  copy->stored_length = copy->length = 0;
  copy->integers = NULL;
  copy->reals = NULL;
  if (copy->kind->destroy) *body_of(copy) = NULL;
  bool good =
      copy_text(&copy->person, release->person) && copy_text(&copy->sentence, release->sentence) &&
      copy_text(&copy->dataset, release->dataset) && copy_text(&copy->request, release->request);
  for (size_t a = 0; good && a < release->dimension; a++)
    good = copy_text(&copy->columns[a], release->columns[a]);
  if (good && release->kind->copy) good = release->kind->copy(copy, release);
  return sfmi_release_made(out, good ? SFM_OK : sfmi_fail_memory(error));
}

sfm_status sfmi_release_made(sfm_release **out, sfm_status status) {
  if (!status) return SFM_OK;
  sfm_release_destroy(*out);
  *out = NULL;
  return status;
}

sfm_status sfmi_release_single(const sfm_release *release, sfm_error *error) {
  const size_t groups = sfmi_partition_groups(&sfmi_function_of(release)->by);
  if (groups == 1) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "this release has %zu groups, each with its own density: extract one "
                   "(sfm_release_group)",
                   groups);
}

static bool nothing(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (values[i] != 0) return false;
  return true;
}

bool sfmi_release_too_few(const sfm_release *release) {
  const sfmi_partition *by = &sfmi_function_of(release)->by;
  if (by->count == 0 || sfmi_partition_groups(by) > 1) return false;
  return release->refined.done ? nothing(release->reals, release->length)
                               : !isfinite(release->band.half_width);
}

sfm_status sfmi_fail_refined_band(sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID,
                   "a refined release has no band: the band belongs to the raw release, which it "
                   "was made from");
}

/* Zero-padding in bandwidths: exp(-9^2/2) = 2.6e-18. */
static const double PADDING = 9;

size_t sfmi_lattice_padded(const sfmi_lattice_axis *axis, double h) {
  if (axis->boundary == SFM_BOUNDARY_PERIODIC) return axis->cells;
  if (axis->boundary == SFM_BOUNDARY_REFLECT) return 2 * axis->cells;
  double needed = (double)axis->points + ceil(PADDING * h / axis->spacing);
  /* Smooth numbers are rare among large ones, and nothing of that size fits. */
  if (needed > 2.0 * (double)SFMI_PADDED_MAX) return needed < 1e18 ? (size_t)needed : SIZE_MAX;
  return sfmi_fft_odd_size((size_t)needed);
}

size_t sfmi_lattice_modes(size_t padded) {
  return padded - (padded % 2 == 0);
}

bool sfmi_release_contains(const sfm_release *release, const double *x) {
  for (size_t a = 0; a < release->dimension; a++)
    if (!(x[a] >= release->lower[a] && x[a] <= release->upper[a])) return false;
  return true;
}

/* ---- groups ---- */

size_t sfmi_partition_groups(const sfmi_partition *partition) {
  size_t groups = 1;
  for (size_t i = 0; i < partition->count; i++) {
    if (partition->sizes[i] > SFMI_GROUPS_MAX) return SIZE_MAX;
    groups *= partition->sizes[i];
    if (groups > SFMI_GROUPS_MAX) return SIZE_MAX;
  }
  return groups;
}

bool sfmi_partition_copy(sfmi_partition *out, const sfmi_partition *partition) {
  bool good = true;
  *out = (sfmi_partition){0};
  for (size_t i = 0; good && i < partition->count; i++) {
    const size_t size = out->sizes[i] = partition->sizes[i];
    out->columns[i] = sfmi_copy_string(partition->columns[i]);
    out->labels[i] = sfmi_copy_strings((const char *const *)partition->labels[i], size);
    out->count = i + 1;
    good = out->columns[i] && out->labels[i];
  }
  return good;
}

void sfmi_partition_clear(sfmi_partition *partition) {
  for (size_t i = 0; i < SFMI_BY_MAX; i++) {
    sfmi_free_strings(partition->labels[i], partition->sizes[i]);
    free(partition->columns[i]);
  }
  *partition = (sfmi_partition){0};
}
