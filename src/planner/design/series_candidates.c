#include "series_candidates.h"

#include <math.h>
#include <stdlib.h>

#include "features/bases/eigen_basis.h"
#include "planner/forecast/series_interval.h"

/* Rounding to the step costs at most this share of the sensitivity. */
static const double STEP_SHARE = 0x1p-12;
/* Above the roundings behind a sensitivity. */
static const double ROUNDED = 1 + 1e-12;
/* Numbers of functions beyond this are tried in steps of this part of them. */
static const size_t FINE = 24;

static sfmi_basis_family family_of(const sfm_series_settings *settings) {
  return (sfmi_basis_family)settings->basis;
}

static bool l1_of(const sfm_series_settings *settings) {
  return settings->noise == SFM_VECTOR_NOISE_LAPLACE;
}

static sfm_kernel kernel_of(const sfm_series_settings *settings) {
  return (sfm_kernel){
      .family = settings->kernel, .dimension = 1, .bandwidth = &settings->bandwidth};
}

sfm_status sfmi_series_candidates_basis(sfmi_basis **out, const sfm_series_settings *settings,
                                        size_t count, sfm_error *error) {
  const sfm_column *column = sfm_schema_find(settings->context.schema, settings->column);
  const sfmi_basis_family family = family_of(settings);
  const sfm_kernel kernel = kernel_of(settings);
  const double lower = column->lower, upper = column->upper;
  sfmi_basis stated = {
      .family = family, .dimension = 1, .count = count, .lower = {lower}, .upper = {upper}};
  sfm_status status = SFM_OK;
  if (family == SFMI_HERMITE)
    stated.unit = settings->unit > 0 ? settings->unit : (upper - lower) / 10;
  if (family == SFMI_EIGEN)
    status = sfmi_eigen_stated(&stated, NULL, &kernel, lower, upper, count, error);
  return !status ? sfmi_basis_create(out, &stated, error) : status;
}

/* How many functions there are to choose from. */
static sfm_status most_functions(size_t *most, const sfm_series_settings *settings,
                                 sfm_error *error) {
  const sfm_column *column = sfm_schema_find(settings->context.schema, settings->column);
  const sfm_kernel kernel = kernel_of(settings);
  size_t eigen = SIZE_MAX;
  sfm_status status = SFM_OK;
  *most = sfmi_basis_sums_most(family_of(settings));
  if (settings->terms)
    *most = settings->terms - sfmi_basis_family_has_constant(family_of(settings));
  if (!settings->terms && settings->basis == SFM_BASIS_EIGEN)
    status = sfmi_eigen_most(&eigen, &kernel, column->lower, column->upper, error);
  if (eigen < *most) *most = eigen;
  return status;
}

sfm_status sfmi_series_candidates_init(sfmi_series_candidates *r,
                                       const sfm_series_settings *settings, bool named,
                                       sfm_error *error) {
  const sfm_column *column = sfm_schema_find(settings->context.schema, settings->column);
  size_t most = 0;
  sfmi_basis *basis = NULL;
  *r = (sfmi_series_candidates){
      .settings = *settings, .contributions = sfm_schema_contributions(settings->context.schema)};
  sfm_status status =
      settings->shape ? sfmi_shape_model_create(&r->shape_model, settings->shape, &settings->column,
                                                1, &column->lower, &column->upper, error)
                      : SFM_OK;
  if (!status) status = most_functions(&most, settings, error);
  if (!status) status = sfmi_series_candidates_basis(&basis, settings, most, error);
  if (!status)
    status = sfmi_series_errors_init(&r->series_errors, basis, r->shape_model, named,
                                     l1_of(settings), error);
  sfmi_basis_destroy(basis);
  r->movements = sfmi_alloc(most + 1, sizeof *r->movements);
  return !status && !r->movements ? sfmi_fail_memory(error) : status;
}

void sfmi_series_candidates_clear(sfmi_series_candidates *r) {
  sfmi_shape_model_destroy(r->shape_model);
  sfmi_series_errors_clear(&r->series_errors);
  free(r->movements);
  *r = (sfmi_series_candidates){0};
}

/* ---- how far a row moves them ---- */

/* A step g moves D sums by at most g D in l1 and g sqrt(D) in l2, which is added; where noise is a
 * double, sums have at most 52 bits, whatever the number of rows. */
static void choose_step(sfmi_series_sensitivity *m, const sfmi_basis_sums *moments,
                        const sfmi_basis *basis, const sfmi_series_candidates *r) {
  const double D = (double)basis->count, growth = l1_of(&r->settings) ? D : sqrt(D);
  const double exact = m->one.upper * r->contributions * ROUNDED;
  const int fine = sfmi_basis_sums_fraction_bits(moments);
  int coarse = (int)ceil(log2(growth / (STEP_SHARE * exact)));
  if (r->settings.noise == SFM_VECTOR_NOISE_GAMMA) {
    double largest = 0;
    for (size_t j = 0; j < basis->count; j++)
      largest = fmax(largest, sfmi_basis_sums_largest(moments, j));
    coarse = (int)fmin(coarse, 51 - SFMI_BASIS_SUMS_ROWS_BITS - ceil(log2(largest)));
  }
  if (coarse > fine) coarse = fine;
  m->step = ldexp(1, -coarse);
  m->sensitivity = (exact + (coarse < fine ? m->step * growth : 0)) * ROUNDED;
}

static sfm_status find_movement(sfmi_series_candidates *r, size_t count, sfm_error *error) {
  sfmi_series_sensitivity *m = &r->movements[count];
  sfmi_basis *basis = NULL;
  sfmi_basis_sums *moments = NULL;
  sfm_status status = sfmi_series_candidates_basis(&basis, &r->settings, count, error);
  if (!status) status = sfmi_basis_sums_create(&moments, basis, error);
  if (!status) status = sfmi_basis_sums_diameter(moments, &m->one, l1_of(&r->settings), error);
  if (!status) choose_step(m, moments, basis, r);
  sfmi_basis_sums_destroy(moments);
  sfmi_basis_destroy(basis);
  return status;
}

/* ---- the best number ---- */

/* The forecast of so many functions: by the certified sensitivity where there is one, else by the
 * reach, which is less. */
static sfm_series_choice predict(const sfmi_series_candidates *r, size_t count, double n,
                                 double rate) {
  const sfmi_series_sensitivity *m = &r->movements[count];
  sfm_series_choice plan = {.terms =
                                count + sfmi_basis_family_has_constant(family_of(&r->settings)),
                            .coefficients = count};
  plan.sensitivity =
      m->one.upper > 0 ? m->sensitivity : r->series_errors.reach[count] * r->contributions;
  plan.scale = plan.sensitivity / rate;
  plan.privacy = r->series_errors.trace[count] *
                 sfmi_series_variance(r->settings.noise, (double)count, plan.scale) / (n * n);
  plan.sampling = r->series_errors.sampling[count] / n;
  plan.truncation = r->series_errors.truncation[count];
  plan.total = plan.privacy + plan.sampling + plan.truncation;
  return plan;
}

/* The next number of functions that is tried; above most: none. */
static size_t next_count(sfmi_basis_family family, size_t count, size_t most) {
  if (family == SFMI_HAAR || family == SFMI_DB4) return 2 * count + 1;
  const size_t unit = family == SFMI_FOURIER ? 2 : 1, many = count / unit;
  const size_t next = unit * (many + (many < 2 * FINE ? 1 : many / FINE));
  return next > most && count < most ? most : next;
}

sfm_status sfmi_series_candidates_choose(sfmi_series_candidates *r, sfm_series_choice *plan,
                                         double n, double rate, double enough, sfm_error *error) {
  const sfmi_basis_family family = family_of(&r->settings);
  const size_t most = r->series_errors.count, first = r->settings.terms        ? most
                                                      : family == SFMI_FOURIER ? 2
                                                                               : 1;
  sfm_status status = SFM_OK;
  /* A forecast by the reach is never above the certified one: once the least forecast is certified,
   * it is the least of all. */
  while (!status) {
    *plan = (sfm_series_choice){.total = INFINITY};
    for (size_t D = first; D <= most; D = next_count(family, D, most)) {
      const sfm_series_choice other = predict(r, D, n, rate);
      if (other.total < plan->total) *plan = other;
    }
    if (!(plan->total < enough) || r->movements[plan->coefficients].one.upper > 0) break;
    status = find_movement(r, plan->coefficients, error);
  }
  return status;
}
