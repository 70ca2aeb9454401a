#include "base/system/c_locale.h"
#include "release_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimators/quantiles/ranks.h"
#include "releases/kinds/choice_kind.h"
#include "releases/kinds/histogram_kind.h"
#include "releases/eval/grid_density.h"
#include "releases/kinds/optimal.h"
#include "releases/kinds/count_kind.h"
#include "releases/kinds/machine_kind.h"
#include "release_kind.h"
#include "releases/eval/trig_polynomial.h"

sfm_release *sfmi_release_create(void) {
  sfm_release *release = sfmi_alloc(1, sizeof *release);
  if (!release) return NULL;
  release->range = INFINITY;
  release->most = (sfmi_resources){INFINITY, INFINITY};
  release->summed = 1;
  release->factor = 1;
  return release;
}

void sfm_release_destroy(sfm_release *release) {
  if (!release) return;
  for (size_t a = 0; a < SFM_MAX_DIMENSION; a++) free(release->columns[a]);
  free(release->person);
  free(release->sentence);
  free(release->dataset);
  free(release->request);
  free(release->stored);
  free(release->law);
  free(release->integers);
  free(release->reals);
  for (size_t i = 0; release->labels && i < release->length; i++) free(release->labels[i]);
  free(release->labels);
  free(release->ellipsoid_factor);
  sfmi_hit_and_run_destroy(release->shape);
  free(release->points);
  sfmi_partition_clear(&release->by);
  free(release->quantiles);
  free(release->sizes);
  free(release->choice.candidates);
  sfmi_basis_destroy(release->basis);
  sfmi_cells_destroy(release->cells, release->length);
  sfmi_choice_data_destroy(release->choice_data);
  sfmi_optimal_destroy(release->optimal);
  sfmi_count_data_destroy(release->count_data);
  sfmi_machine_model_destroy(release->model);
  free(release);
}

const char *sfmi_method_name(sfmi_method method) {
  static const char *const names[] = {
      "lattice",      "gp",          "sobolev",   "series",      "curve",       "fourier-laplace",
      "caratheodory", "laplace",     "normal",    "gamma",       "exponential", "k-norm",
      "laplace",      "normal",      "sparse",    "undeclared",  "geometric",   "optimal",
      "optimal",      "exponential", "empirical", "gp",          "finite",      "rff",
      "objective",    "tddl",        "tdil",      "interactive", "none"};
  return names[method];
}

const char *sfmi_body_name(sfm_density_body body) {
  return body == SFM_BODY_HULL ? "hull" : "exact";
}

bool sfmi_release_harmonic(const sfm_release *release) {
  return release->method == SFMI_FOURIER_LAPLACE || release->method == SFMI_CARATHEODORY;
}

const char *sfm_release_kind(const sfm_release *release) {
  const sfmi_release_kind *release_kind = sfmi_release_kind_of(release->method);
  if (release_kind) return release_kind->kind;
  if (release->method == SFMI_EXPONENTIAL) return "range";
  return release->density ? "density" : release->function ? "function" : "vector";
}

const char *sfm_release_method(const sfm_release *release) {
  return sfmi_method_name(release->method);
}

bool sfm_release_hardened(const sfm_release *release) {
  return release->hardened;
}

bool sfm_release_private(const sfm_release *release) {
  return release->is_private;
}

sfm_guarantee sfm_release_guarantee(const sfm_release *release) {
  return release->guarantee;
}

const char *sfm_release_sentence(const sfm_release *release) {
  return release->sentence;
}

const char *sfm_release_dataset(const sfm_release *release) {
  return release->dataset;
}

const char *sfm_release_request(const sfm_release *release) {
  return release->request;
}

sfm_neighbours sfm_release_neighbours(const sfm_release *release) {
  return release->neighbours;
}

const char *sfm_release_person(const sfm_release *release) {
  return release->person;
}

size_t sfm_release_dimension(const sfm_release *release) {
  return release->dimension;
}

const char *sfm_release_column(const sfm_release *release, size_t i) {
  return i < release->dimension ? release->columns[i] : NULL;
}

void sfm_release_bounds(const sfm_release *release, double *lower, double *upper, size_t i) {
  *lower = i < release->dimension ? release->lower[i] : NAN;
  *upper = i < release->dimension ? release->upper[i] : NAN;
}

double sfm_release_bandwidth(const sfm_release *release, size_t i) {
  return i < release->dimension ? release->bandwidth[i] : NAN;
}

sfm_boundary sfm_release_boundary(const sfm_release *release, size_t i) {
  return i < release->dimension ? release->boundary[i] : SFM_OPEN;
}

double sfm_release_size(const sfm_release *release) {
  const size_t groups = release->sizes ? sfmi_partition_groups(&release->by) : 0;
  double sum = 0;
  if (!release->refined.done) return sfmi_release_total(release);
  for (size_t g = 0; g < groups; g++) sum += release->sizes[g];
  return release->sizes ? sum : release->has_rows ? (double)release->rows : NAN;
}

bool sfm_release_refined(const sfm_release *release) {
  return release->refined.done;
}

double sfm_release_gamma(const sfm_release *release, size_t i) {
  const bool stated = release->method == SFMI_SOBOLEV && !release->refined.done;
  return stated && i < release->dimension ? release->gamma[i] : NAN;
}

sfm_engine sfm_release_engine(const sfm_release *release) {
  return release->engine;
}

sfm_kernel_family sfm_release_kernel(const sfm_release *release) {
  return release->kernel;
}

bool sfm_release_place(const sfm_release *release, double *point, size_t i) {
  if (!sfmi_release_placed(release) || i >= release->length) return false;
  sfmi_places_at(&release->places, i, point);
  return true;
}

bool sfm_release_grid(const sfm_release *release, size_t *counts) {
  if (!sfmi_release_placed(release) || release->places.points) return false;
  for (size_t a = 0; counts && a < release->dimension; a++) counts[a] = release->places.counts[a];
  return true;
}

size_t sfm_release_length(const sfm_release *release) {
  return release->length;
}

double sfm_release_coefficient(const sfm_release *release, size_t i) {
  if (i >= release->length) return NAN;
  return release->integers ? (double)release->integers[i] * release->step * release->factor
                           : release->reals[i];
}

const char *sfm_release_label(const sfm_release *release, size_t i) {
  return release->labels && i < release->length ? release->labels[i] : NULL;
}

bool sfmi_release_set_labels(sfm_release *release, const char *const *labels) {
  bool good = (release->labels = sfmi_alloc(release->length, sizeof *release->labels)) != NULL;
  for (size_t i = 0; good && i < release->length; i++)
    good = (release->labels[i] = sfmi_copy_string(labels[i])) != NULL;
  return good;
}

bool sfmi_release_set_person(sfm_release *release, const char *person, bool enforced) {
  free(release->person);
  release->person = person ? sfmi_copy_string(person) : NULL;
  release->enforced = person && enforced;
  release->person_numbers = false;
  return !person || release->person;
}

bool sfmi_release_take_person(sfm_release *release, const sfm_schema *schema) {
  const char *person = sfm_schema_person(schema);
  const sfm_column *column = person ? sfm_schema_find(schema, person) : NULL;
  const bool good = sfmi_release_set_person(release, person, true);
  release->person_numbers = column && (column->type == SFM_NUMBER || column->type == SFM_INTEGER);
  return good;
}

sfm_band sfm_release_band(const sfm_release *release) {
  return release->band;
}

double sfm_release_range(const sfm_release *release) {
  return release->range;
}

double sfm_release_quantile(const sfm_release *release, size_t i) {
  return release->quantiles && i < release->length ? release->quantiles[i] : NAN;
}

bool sfmi_release_normal(const sfm_release *release) {
  return release->law &&
         (strcmp(release->law, "rounded-normal") == 0 || strcmp(release->law, "normal") == 0);
}

bool sfmi_release_placed(const sfm_release *release) {
  return release->engine >= SFM_ENGINE_CIRCULANT && release->engine <= SFM_ENGINE_GRAM;
}

sfm_kernel sfmi_release_kernel(const sfm_release *release) {
  const bool polynomial = release->kernel == SFM_KERNEL_POLYNOMIAL;
  const double square = polynomial && release->degree > 0
                            ? pow(release->sup, 1.0 / release->degree) - release->constant
                            : release->sup;
  return (sfm_kernel){.family = release->kernel,
                      .dimension = release->dimension,
                      .bandwidth = release->bandwidth,
                      .degree = release->degree,
                      .constant = release->constant,
                      .radius = sqrt(fmax(square, 0)),
                      .bound = release->sup};
}

sfm_kernel sfmi_release_noise_kernel(const sfm_release *release, double *inverse) {
  sfm_kernel kernel = sfmi_release_kernel(release);
  if (release->method != SFMI_SOBOLEV) return kernel;
  for (size_t a = 0; a < release->dimension; a++) inverse[a] = 1 / release->gamma[a];
  kernel.family = SFM_KERNEL_LAPLACIAN;
  kernel.bandwidth = inverse;
  return kernel;
}

double sfmi_release_mass(const sfm_release *release) {
  const sfm_kernel kernel = sfmi_release_kernel(release);
  const bool whole = !sfmi_release_placed(release) && release->engine != SFM_ENGINE_RANDOM;
  return release->density && !whole ? sfmi_kernel_mass(&kernel) : 1;
}

double sfmi_release_total(const sfm_release *release) {
  if (release->refined.done) return 1;
  if (release->has_rows && release->by.count == 0) return (double)release->rows;
  if (!release->density) return 1;
  if (release->engine == SFM_ENGINE_RANDOM)
    return sfm_release_coefficient(release, release->length - 1) / SFMI_TOTAL_WEIGHT;
  if (release->method == SFMI_LATTICE) {
    sfmi_i128 sum = 0;
    for (size_t i = 0; i < release->length; i++) sum += release->integers[i];
    return (double)sum * release->step * release->factor;
  }
  /* The integral over the torus: the constant coefficient times phi_0's, over the kernel's mass. */
  double total = sfm_release_coefficient(release, 0);
  for (size_t a = 0; a < release->dimension; a++)
    total *= sfmi_torus_amplitude(&release->torus[a], 0) * release->torus[a].period /
             (sqrt(2 * M_PI) * release->bandwidth[a]);
  return total;
}

bool sfmi_release_counted(const sfm_release *release) {
  return !release->has_rows || release->by.count > 0;
}

static sfm_status check_axis(const sfm_release *release, size_t a, const char *name,
                             sfm_error *error) {
  if (!release->columns[a] || !isfinite(release->lower[a]) || !isfinite(release->upper[a]) ||
      !(release->lower[a] < release->upper[a]))
    return sfmi_fail(error, SFM_FORMAT, "%s: domain[%zu] needs a column and finite lower < upper",
                     name, a);
  const bool bandwidth =
      release->method != SFMI_SERIES || (release->basis && release->basis->family == SFMI_EIGEN);
  const char *wanted =
      bandwidth && sfmi_kernel_stationary(release->kernel)
          ? sfmi_gaussian_unfit(release->lower[a], release->upper[a], release->bandwidth[a])
          : NULL;
  if (wanted) return sfmi_fail(error, SFM_FORMAT, "%s: domain[%zu] needs %s", name, a, wanted);
  return SFM_OK;
}

/* Places within the bounds, a coefficient for each. */
static sfm_status check_places(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_places *places = &release->places;
  const size_t d = release->dimension;
  if (places->count != release->length || places->dimension != d)
    return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where there are %zu places", name,
                     release->length, places->count);
  double inverse[SFM_MAX_DIMENSION];
  const sfm_kernel kernel = sfmi_release_noise_kernel(release, inverse);
  sfm_error why;
  /* gram: a session may have answered more than one batch can hold. */
  if (release->engine != SFM_ENGINE_GRAM &&
      sfmi_field_suits(release->engine, &kernel, places, &why))
    return sfmi_fail(error, SFM_FORMAT, "%s: %s", name, why.message);
  for (size_t i = 0; places->points && i < places->count * d; i++)
    if (!(places->points[i] >= release->lower[i % d] && places->points[i] <= release->upper[i % d]))
      return sfmi_fail(error, SFM_FORMAT, "%s: points[%zu] is outside the domain", name, i / d);
  return SFM_OK;
}

/* A coefficient for every function, and where there is one for the total. */
static sfm_status check_basis(const sfm_release *release, const char *name, sfm_error *error) {
  const bool total = release->engine == SFM_ENGINE_RANDOM && !release->has_rows;
  if (release->length != release->basis->count + total)
    return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where the basis has %zu functions%s",
                     name, release->length, release->basis->count, total ? " and a total" : "");
  const double mass = sfmi_release_mass(release);
  if (!(mass >= SFMI_MASS_MIN && mass <= SFMI_MASS_MAX))
    return sfmi_fail(error, SFM_FORMAT, "%s: the kernel's integral is %.3g, too far from 1", name,
                     mass);
  return SFM_OK;
}

/* Ascending quantiles, and values of the grid. */
static sfm_status check_range(const sfm_release *release, const char *name, sfm_error *error) {
  sfmi_ranks grid;
  if (!(release->lower[0] < release->upper[0]) ||
      !sfmi_ranks_grid(&grid, release->lower[0], release->upper[0], release->step))
    return sfmi_fail(error, SFM_FORMAT, "%s: domain and step do not make a grid", name);
  for (size_t i = 0; i < release->length; i++) {
    const int64_t cell = release->integers[i];
    if (cell < grid.first || cell > grid.first + (int64_t)grid.cells - 1 ||
        (i && cell < release->integers[i - 1]))
      return sfmi_fail(error, SFM_FORMAT,
                       "%s: coefficients[%zu] is not on the grid, or below the one before", name,
                       i);
    if (!(release->quantiles[i] > (i ? release->quantiles[i - 1] : 0) && release->quantiles[i] < 1))
      return sfmi_fail(error, SFM_FORMAT, "%s: quantiles[%zu] is not above the one before, or 1",
                       name, i);
  }
  return SFM_OK;
}

sfm_status sfmi_release_check(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_release_kind *release_kind = sfmi_release_kind_of(release->method);
  if ((release->length == 0 && !(release_kind && release_kind->empty)) ||
      release->length > SFMI_RELEASE_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s: between 1 and %zu coefficients are possible, not %zu",
                     name, SFMI_RELEASE_MAX, release->length);
  const bool scaled = isfinite(release->scale) || (release_kind && release_kind->scaleless);
  if (!(release->scale >= 0) || !scaled || !(release->step >= 0) || !isfinite(release->step) ||
      (release->hardened && release->step == 0))
    return sfmi_fail(error, SFM_FORMAT, "%s: noise needs a scale and a positive step", name);
  if (release_kind) return release_kind->check(release, name, error);
  if (release->method == SFMI_EXPONENTIAL) return check_range(release, name, error);
  if (!release->function) return SFM_OK;
  if (release->dimension < 1 || release->dimension > SFM_MAX_DIMENSION)
    return sfmi_fail(error, SFM_FORMAT, "%s: a density has 1 to %d columns", name,
                     SFM_MAX_DIMENSION);
  const bool counted = release->neighbours == SFM_REPLACE, curve = release->method == SFMI_CURVE;
  if (curve && !(release->has_rows && counted))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: the mean of curves is under replace neighbours and states its rows",
                     name);
  if ((release->density && release->has_rows != counted) || (release->has_rows && !counted) ||
      (release->has_rows && release->rows == 0))
    return sfmi_fail(error, SFM_FORMAT, "%s: rows are stated under replace, and only there", name);
  if (release->by.count && sfmi_partition_groups(&release->by) > SFMI_GROUPS_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s: at most %d groups are possible", name,
                     SFMI_GROUPS_MAX);
  if (release->refined.done && release->dimension > SFMI_GRID_DENSITY_DIMENSIONS)
    return sfmi_fail(error, SFM_FORMAT, "%s: a refined density has 1 to %d columns", name,
                     SFMI_GRID_DENSITY_DIMENSIONS);
  size_t product = sfmi_partition_groups(&release->by);
  double padded = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    sfm_status status = check_axis(release, a, name, error);
    if (status) return status;
    const bool rings = release->refined.done || release->method == SFMI_LATTICE ||
                       release->method == SFMI_FOURIER_LAPLACE ||
                       release->method == SFMI_CARATHEODORY;
    if (release->boundary[a] != SFM_OPEN && !rings)
      return sfmi_fail(error, SFM_FORMAT, "%s: a release by %s has no boundary but open", name,
                       sfmi_method_name(release->method));
    if (release->refined.done) product *= release->places.counts[a];
    if (release->refined.done || release->basis || sfmi_release_placed(release)) continue;
    size_t size = release->method == SFMI_LATTICE ? release->lattice.axis[a].points
                                                  : 2 * release->torus[a].terms + 1;
    if (size == 0 || size > SFMI_RELEASE_MAX || product > SFMI_RELEASE_MAX / size)
      return sfmi_fail(error, SFM_FORMAT, "%s: axis %zu is too large", name, a);
    product *= size;
    if (release->method == SFMI_LATTICE)
      padded *= (double)sfmi_trig_poly_padded(&release->lattice.axis[a], release->bandwidth[a]);
  }
  if (release->refined.done && product == release->length) return SFM_OK;
  if (release->basis) return check_basis(release, name, error);
  if (!sfmi_release_placed(release) && release->dimension > SFMI_LATTICE_DIMENSIONS)
    return sfmi_fail(error, SFM_FORMAT, "%s: a lattice or torus has at most %d columns", name,
                     SFMI_LATTICE_DIMENSIONS);
  if (sfmi_release_placed(release)) return check_places(release, name, error);
  if (padded > (double)SFMI_PADDED_MAX)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: evaluating it would take a lattice of %.3g points; at most %zu are "
                     "possible",
                     name, padded, SFMI_PADDED_MAX);
  if (product != release->length)
    return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where the axes need %zu", name,
                     release->length, product);
  return SFM_OK;
}

/* e^epsilon rounded up, with three digits of what it is above 1. */
static void print_factor(char *text, size_t size, double epsilon) {
  if (epsilon >= 14) {
    sfmi_snprintf(text, size, "e^%.15g", epsilon);
    return;
  }
  const double factor = exp(epsilon) * (1 + 1e-15);
  const double wanted = 2 - floor(log10(fmax(expm1(epsilon), 1e-10)));
  const int places = wanted >= 2 ? (int)wanted : factor < 100 ? 2 : 0;
  const double unit = pow(10, places);
  sfmi_snprintf(text, size, "%.*f", places, ceil(factor * unit) / unit);
}

#define SEEDED "NOT PRIVATE: the noise came from a known seed. "
#define IDEALISED "; idealised: real-number noise on a computer"

/* Random DP is a guarantee of another name, and says so. */
static char *print_random(const sfm_release *release, const char *factor) {
  const sfm_guarantee *g = &release->guarantee;
  char plus[96] = "", *text = NULL;
  if (g->delta > 0)
    sfmi_snprintf(plus, sizeof plus, ", plus a probability of at most %.15g", g->delta);
  const int length = sfmi_asprintf(
      &text,
      "%sThis is not differential privacy. It is random differential privacy, which is weaker. "
      "Suppose that the records are independent draws from one distribution, and that one record "
      "is drawn again. Then, with probability %.15g over all these draws, any conclusion from this "
      "release becomes at most %s times as likely%s (epsilon = %.15g, delta = %.15g, gamma = "
      "%.15g%s). %s",
      release->is_private ? "" : SEEDED, 1 - g->gamma, factor, plus, g->epsilon, g->delta, g->gamma,
      release->hardened ? "" : IDEALISED, SFMI_RANDOM_WARNING);
  return length < 0 ? NULL : text;
}

/* Which records of the reader are protected, and what may become of them; to be freed, NULL when
 * memory is short.  Not "any K records" where a column tells persons apart: a record that takes
 * another person's id also moves what is kept of theirs. */
static char *print_unit(const sfm_release *release) {
  const char *person = release->person ? release->person : "",
             *column = release->person ? "column " : "",
             *then = !release->person          ? ""
                     : release->person_numbers ? ", ids compared as numbers; "
                                               : "; ";
  const bool replace = release->neighbours == SFM_REPLACE;
  const char *others = replace ? "replaced by any others" : "added or removed";
  const uint32_t most = release->contributions;
  char *text = NULL;
  int length;
  if (release->enforced && release->method == SFMI_CURVE)
    length = sfmi_asprintf(
        &text, "your curves (%s%s%stogether at most %u times the clip). If your curves are %s",
        column, person, then, most, others);
  else if (release->enforced)
    length = sfmi_asprintf(&text, "your records (%s%s%sat most %u %s used). If your records are %s",
                           column, person, then, most, most == 1 ? "is" : "are", others);
  else if (release->person && most == 1)
    length =
        sfmi_asprintf(&text, "your records (column %s). If your records are %s", person, others);
  else if (release->person)
    length = sfmi_asprintf(&text, "your records (column %s; at most %u). If your records are %s",
                           person, most, others);
  else if (most == 1)
    length = sfmi_asprintf(&text, "your record. If your record is %s",
                           replace ? "replaced by any other record" : others);
  else
    length = sfmi_asprintf(&text, "your records, if you have at most %u. If any %u records are %s",
                           most, most, others);
  return length < 0 ? NULL : text;
}

/* Private matrices are not asked whether they are of a kernel: a refusal would tell of them. */
static const char *kernel_assumption(const sfm_release *release) {
  return release->model && sfmi_machine_model_from_gram(release->model)
             ? " This rests on the owner's assumption that the Gram matrices come from one kernel, "
               "also if any record is replaced by any other: together with the public points they "
               "are positive semi-definite. For other matrices it does not hold."
             : "";
}

/* What the guarantee takes the owner's word for. */
static const char *assumption_of(const sfm_release *release) {
  /* Files of 0.1 do not name the column, and its combine did not compare it. */
  if (release->enforced)
    return release->refined.combined && !release->person
               ? " This rests on the owner's assumption that all combined releases tell persons "
                 "apart by the same column."
               : "";
  if (release->contributions > 1)
    return " This rests on the owner's assumption that nobody has more records.";
  return release->person ? " This rests on the owner's assumption that the sensitivity covers all "
                           "records of one person."
                         : "";
}

/* First what the release does for a person among the rows, then the numbers.  To be freed; NULL
 * when memory is short. */
static char *print_sentence(const sfm_release *release) {
  const sfm_guarantee *g = &release->guarantee;
  const bool session = release->method == SFMI_MACHINE_INTERACTIVE;
  char factor[64], name[96], *unit, *text = NULL;
  print_factor(factor, sizeof factor, g->epsilon);
  if (g->kind == SFM_RANDOM_DP) return print_random(release, factor);
  if (g->kind == SFM_APPROXIMATE) {
    sfmi_snprintf(name, sizeof name, ", plus a probability of at most %.15g (approximate",
                  g->delta);
  } else if (g->kind == SFM_GDP) {
    sfmi_snprintf(name, sizeof name, ", plus a probability of at most %.15g (%.6g-Gaussian",
                  g->delta, g->mu);
  } else if (g->kind == SFM_ZCDP) {
    sfmi_snprintf(name, sizeof name,
                  ", plus a probability of at most %.15g (%.6g-zero-concentrated", g->delta,
                  g->rho);
  } else {
    sfmi_snprintf(name, sizeof name, " (pure");
  }
  if (!(unit = print_unit(release))) return NULL;
  const int length = sfmi_asprintf(
      &text,
      "%sThis %s limits what anyone can learn from %s, any conclusion from %s becomes at most %s "
      "times as likely%s differential privacy, epsilon = %.15g%s).%s%s",
      release->is_private ? "" : SEEDED "With secret noise this would hold: ",
      session ? "session" : "release", unit,
      session ? "all answers of this session" : "this release", factor, name, g->epsilon,
      release->hardened ? "" : IDEALISED, assumption_of(release), kernel_assumption(release));
  free(unit);
  return length >= 0 ? text : NULL;
}

/* Of whom the sentence of a combination speaks. */
static void print_combined(char *text, size_t size, const sfm_release *release) {
  static const char apart[] =
      "This rests on the owner's assumption that nobody is in more than one of the";
  const sfmi_refinement *r = &release->refined;
  char own[224] = "";
  if (r->parts_disjoint)
    sfmi_snprintf(own, sizeof own,
                  " Some of these releases are combinations themselves. %s releases that such a "
                  "combination combines.",
                  apart);
  if (r->parts == 0)
    sfmi_snprintf(text, size,
                  " This is about all combined releases together. The file does not say whether it "
                  "holds only if nobody is in more than one of them.");
  else if (r->disjoint)
    sfmi_snprintf(text, size, " %s %" PRIu64 " combined releases.%s", apart, r->parts, own);
  else
    sfmi_snprintf(text, size,
                  " This is about the %" PRIu64 " combined releases all together, also if the same "
                  "%s are in several of them.%s",
                  r->parts, release->enforced ? "people" : "records", own);
}

bool sfmi_release_write_sentence(sfm_release *release) {
  const sfmi_release_kind *release_kind = sfmi_release_kind_of(release->method);
  char more[512] = "", *text = NULL;
  char *plain = release_kind && release_kind->sentence ? release_kind->sentence(release)
                                                       : print_sentence(release);
  if (release->refined.combined) print_combined(more, sizeof more, release);
  const int length = plain ? sfmi_asprintf(&text, "%s%s", plain, more) : -1;
  free(plain);
  free(release->sentence);
  release->sentence = length >= 0 ? text : NULL;
  return release->sentence != NULL;
}
