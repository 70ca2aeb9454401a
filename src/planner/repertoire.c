#include "planner/repertoire.h"

#include <math.h>
#include <stdlib.h>

#include "features/eigen.h"

/* Rounding to the step costs at most this share of the sensitivity. */
static const double STEP_SHARE = 0x1p-12;
/* Above the roundings behind a sensitivity. */
static const double ROUNDED = 1 + 1e-12;
/* Numbers of functions beyond this are tried in steps of this part of them. */
static const size_t FINE = 24;

static sfmi_family family_of(const sfm_series_settings *settings) {
  return (sfmi_family)settings->basis;
}

static bool l1_of(const sfm_series_settings *settings) {
  return settings->noise == SFM_VECTOR_LAPLACE;
}

static sfm_kernel kernel_of(const sfm_series_settings *settings) {
  return (sfm_kernel){
      .family = settings->kernel, .dimension = 1, .bandwidth = &settings->bandwidth};
}

sfm_status sfmi_repertoire_basis(sfmi_basis **out, const sfm_series_settings *settings,
                                 size_t count, sfm_error *error) {
  const sfm_column *column = sfm_schema_find(settings->schema, settings->column);
  const sfmi_family family = family_of(settings);
  const sfm_kernel kernel = kernel_of(settings);
  const double lower = column->lower, upper = column->upper;
  sfmi_basis stated = {
      .family = family, .dimension = 1, .count = count, .lower = {lower}, .upper = {upper}};
  sfm_status status = SFM_OK;
  if (family == SFMI_HERMITE)
    stated.unit = settings->unit > 0 ? settings->unit : (upper - lower) / 10;
  if (family == SFMI_EIGEN)
    status = sfmi_eigen_stated(&stated, NULL, &kernel, lower, upper, count, error);
  return status == SFM_OK ? sfmi_basis_create(out, &stated, error) : status;
}

/* How many functions there are to choose from. */
static sfm_status most_functions(size_t *most, const sfm_series_settings *settings,
                                 sfm_error *error) {
  const sfm_column *column = sfm_schema_find(settings->schema, settings->column);
  const sfm_kernel kernel = kernel_of(settings);
  size_t eigen = SIZE_MAX;
  sfm_status status = SFM_OK;
  *most = sfmi_moments_most(family_of(settings));
  if (settings->terms) *most = settings->terms - sfmi_family_constant(family_of(settings));
  if (!settings->terms && settings->basis == SFM_BASIS_EIGEN)
    status = sfmi_eigen_most(&eigen, &kernel, column->lower, column->upper, error);
  if (eigen < *most) *most = eigen;
  return status;
}

sfm_status sfmi_repertoire_init(sfmi_repertoire *r, const sfm_series_settings *settings, bool named,
                                sfm_error *error) {
  const sfm_column *column = sfm_schema_find(settings->schema, settings->column);
  size_t most = 0;
  sfmi_basis *basis = NULL;
  *r = (sfmi_repertoire){.settings = *settings,
                         .contributions = sfm_schema_contributions(settings->schema)};
  sfm_status status = settings->shape
                          ? sfmi_scene_create(&r->scene, settings->shape, &settings->column, 1,
                                              &column->lower, &column->upper, error)
                          : SFM_OK;
  if (status == SFM_OK) status = most_functions(&most, settings, error);
  if (status == SFM_OK) status = sfmi_repertoire_basis(&basis, settings, most, error);
  if (status == SFM_OK)
    status = sfmi_sketch_init(&r->sketch, basis, r->scene, named, l1_of(settings), error);
  sfmi_basis_destroy(basis);
  r->movements = sfmi_alloc(most + 1, sizeof *r->movements);
  return status == SFM_OK && !r->movements ? sfmi_fail_memory(error) : status;
}

void sfmi_repertoire_clear(sfmi_repertoire *r) {
  sfmi_scene_destroy(r->scene);
  sfmi_sketch_clear(&r->sketch);
  free(r->movements);
  *r = (sfmi_repertoire){0};
}

/* ---- how far a row moves them ---- */

/* A step g moves D sums by at most g D in l1 and g sqrt(D) in l2, which is added; where noise is a
 * double, sums have at most 52 bits, whatever the number of rows. */
static void choose_step(sfmi_movement *m, const sfmi_moments *moments, const sfmi_basis *basis,
                        const sfmi_repertoire *r) {
  const double D = (double)basis->count, growth = l1_of(&r->settings) ? D : sqrt(D);
  const double exact = m->one.upper * r->contributions * ROUNDED;
  const int fine = sfmi_moments_fine(moments);
  int coarse = (int)ceil(log2(growth / (STEP_SHARE * exact)));
  if (r->settings.noise == SFM_VECTOR_GAMMA) {
    double largest = 0;
    for (size_t j = 0; j < basis->count; j++)
      largest = fmax(largest, sfmi_moments_largest(moments, j));
    coarse = (int)fmin(coarse, 51 - SFMI_MOMENTS_ROWS_BITS - ceil(log2(largest)));
  }
  if (coarse > fine) coarse = fine;
  m->step = ldexp(1, -coarse);
  m->sensitivity = (exact + (coarse < fine ? m->step * growth : 0)) * ROUNDED;
}

static sfm_status find_movement(sfmi_repertoire *r, size_t count, sfm_error *error) {
  sfmi_movement *m = &r->movements[count];
  sfmi_basis *basis = NULL;
  sfmi_moments *moments = NULL;
  sfm_status status = sfmi_repertoire_basis(&basis, &r->settings, count, error);
  if (status == SFM_OK) status = sfmi_moments_create(&moments, basis, error);
  if (status == SFM_OK)
    status = sfmi_moments_extremes(moments, &m->one, l1_of(&r->settings), error);
  if (status == SFM_OK) choose_step(m, moments, basis, r);
  sfmi_moments_destroy(moments);
  sfmi_basis_destroy(basis);
  return status;
}

/* ---- the best number ---- */

double sfmi_series_variance(sfm_vector_noise noise, double count, double scale) {
  const double factor = noise == SFM_VECTOR_LAPLACE  ? 2
                        : noise == SFM_VECTOR_NORMAL ? 1
                                                     : count + 1;
  return factor * scale * scale;
}

/* What so many functions predict: by the certificate where there is one, else by the reach, which
 * is less. */
static sfm_series_plan predict(const sfmi_repertoire *r, size_t count, double n, double rate) {
  const sfmi_movement *m = &r->movements[count];
  sfm_series_plan plan = {.terms = count + sfmi_family_constant(family_of(&r->settings)),
                          .coefficients = count};
  plan.sensitivity = m->one.upper > 0 ? m->sensitivity : r->sketch.reach[count] * r->contributions;
  plan.scale = plan.sensitivity / rate;
  plan.privacy = r->sketch.trace[count] *
                 sfmi_series_variance(r->settings.noise, (double)count, plan.scale) / (n * n);
  plan.sampling = r->sketch.sampling[count] / n;
  plan.truncation = r->sketch.truncation[count];
  plan.total = plan.privacy + plan.sampling + plan.truncation;
  return plan;
}

/* The next number of functions that is tried; above most: none. */
static size_t next_count(sfmi_family family, size_t count, size_t most) {
  if (family == SFMI_HAAR || family == SFMI_DB4) return 2 * count + 1;
  const size_t unit = family == SFMI_FOURIER ? 2 : 1, many = count / unit;
  const size_t next = unit * (many + (many < 2 * FINE ? 1 : many / FINE));
  return next > most && count < most ? most : next;
}

sfm_status sfmi_repertoire_choose(sfmi_repertoire *r, sfm_series_plan *plan, double n, double rate,
                                  double enough, sfm_error *error) {
  const sfmi_family family = family_of(&r->settings);
  const size_t most = r->sketch.count, first = r->settings.terms        ? most
                                               : family == SFMI_FOURIER ? 2
                                                                        : 1;
  sfm_status status = SFM_OK;
  /* What the reach promises is no more than what the certificate will say: once the least of all is
   * certified it is the least. */
  while (status == SFM_OK) {
    *plan = (sfm_series_plan){.total = INFINITY};
    for (size_t D = first; D <= most; D = next_count(family, D, most)) {
      const sfm_series_plan other = predict(r, D, n, rate);
      if (other.total < plan->total) *plan = other;
    }
    if (!(plan->total < enough) || r->movements[plan->coefficients].one.upper > 0) break;
    status = find_movement(r, plan->coefficients, error);
  }
  return status;
}
