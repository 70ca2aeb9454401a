#include "planner/expanse.h"

#include <math.h>
#include <stdlib.h>

#include "features/eigen.h"
#include "features/kernels.h"
#include "planner/settings.h"
#include "planner/sketch.h"

/* Rounding to the step costs at most this share of the sensitivity. */
static const double STEP_SHARE = 0x1p-12;
/* Above the roundings behind a sensitivity. */
static const double ROUNDED = 1 + 1e-12;
/* Of a Hermite unit, in widths. */
static const double UNIT_MIN = 0.005, UNIT_MAX = 100;

_Static_assert((int)SFM_BASIS_EIGEN == (int)SFMI_EIGEN, "bases are the first families");

const char *sfm_basis_name(sfm_basis basis) {
  return (int)basis >= 0 && basis <= SFM_BASIS_EIGEN ? sfmi_family_name((sfmi_family)basis) : NULL;
}

sfm_series_settings sfm_series_settings_default(void) {
  return (sfm_series_settings){.noise = SFM_VECTOR_LAPLACE,
                               .outside = SFM_CLAMP,
                               .calibration = SFM_CALIBRATION_EXACT,
                               .confidence = 0.95};
}

static sfmi_family family_of(sfm_basis basis) {
  return (sfmi_family)basis;
}

/* In terms, the constant included. */
static size_t most_terms(sfmi_family family) {
  return sfmi_moments_most(family) + sfmi_family_constant(family);
}

static bool wavelet(sfmi_family family) {
  return family == SFMI_HAAR || family == SFMI_DB4;
}

static sfm_status check_terms(const sfm_series_settings *settings, sfm_error *error) {
  const sfmi_family family = family_of(settings->basis);
  const size_t terms = settings->terms, most = most_terms(family),
               least = 1 + sfmi_family_constant(family) + (family == SFMI_FOURIER);
  const char *name = sfmi_family_name(family);
  if (terms == 0) return SFM_OK;
  if (terms < least || terms > most)
    return sfmi_fail(error, SFM_INVALID,
                     "a series of %s has %zu to %zu terms%s, not %zu; write --terms auto for the "
                     "number of least predicted error",
                     name, least, most,
                     sfmi_family_constant(family) ? ", the constant counted" : "", terms);
  if (family == SFMI_FOURIER && terms % 2 == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "a series of fourier has an odd number of terms, the constant and pairs of a "
                     "cosine and a sine: write --terms %zu or %zu, not %zu",
                     terms - 1, terms + 1, terms);
  if (wavelet(family) && (terms & (terms - 1))) {
    size_t below = 1;
    while (2 * below < terms) below *= 2;
    return sfmi_fail(error, SFM_INVALID,
                     "a series of %s has a power of two of terms: write --terms %zu or %zu, not "
                     "%zu",
                     name, below, 2 * below, terms);
  }
  return SFM_OK;
}

static sfm_status check_basis(const sfm_series_settings *settings, double width, sfm_error *error) {
  const double unit = settings->unit;
  if (settings->basis == SFM_BASIS_HERMITE && unit != 0 &&
      !(unit >= UNIT_MIN * width && unit <= UNIT_MAX * width))
    return sfmi_fail(error, SFM_INVALID,
                     "the unit of hermite must be from %g to %g in the column's unit, not %g; a "
                     "tenth of the bounds' width (%g) is a start",
                     UNIT_MIN * width, UNIT_MAX * width, unit, width / 10);
  if (settings->basis == SFM_BASIS_EIGEN && !sfmi_kernel_stationary(settings->kernel))
    return sfmi_fail(error, SFM_INVALID,
                     "a series of eigenfunctions needs a kernel from gaussian to cauchy, not %s",
                     sfm_kernel_name(settings->kernel));
  return SFM_OK;
}

/* Bounds between which doubles tell places apart, and for eigen a bandwidth that fits them. */
static sfm_status check_places(const sfm_series_settings *settings, double lower, double upper,
                               sfm_error *error) {
  const double width = upper - lower;
  if (sfmi_gaussian_unfit(lower, upper, width))
    return sfmi_fail(error, SFM_INVALID,
                     "\"%s\" with bounds %g:%g needs bounds that differ by 1e-30 to 1e30, and "
                     "by at least 1e-12 of the larger one; write it in another unit or measure it "
                     "from another place",
                     settings->column, lower, upper);
  if (settings->basis != SFM_BASIS_EIGEN) return SFM_OK;
  const char *wanted = sfmi_gaussian_unfit(lower, upper, settings->bandwidth);
  if (wanted)
    return sfmi_fail(error, SFM_INVALID,
                     "a series of eigenfunctions on %g:%g needs %s, not %g; a tenth of the bounds' "
                     "width (%g) is a start",
                     lower, upper, wanted, settings->bandwidth, width / 10);
  return SFM_OK;
}

sfm_status sfmi_expanse_check(const sfm_series_settings *settings, sfm_error *error) {
  double lower, upper;
  if (!settings->schema || !settings->column)
    return sfmi_fail(error, SFM_INVALID, "a series needs a schema and a column");
  if (!sfm_basis_name(settings->basis))
    return sfmi_fail(error, SFM_INVALID, "there is no basis number %d", (int)settings->basis);
  if (sfm_schema_neighbours(settings->schema) == SFM_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID,
                     "a series has no noisy total to divide by when the number of records is "
                     "private: use replace neighbours, or `density --method lattice`, which keeps "
                     "that number private");
  sfm_status status =
      sfmi_settings_bounds(&lower, &upper, settings->schema, settings->column, 1, error);
  if (status != SFM_OK) return status;
  status = check_places(settings, lower, upper, error);
  if (status != SFM_OK) return status;
  status = check_basis(settings, upper - lower, error);
  return status == SFM_OK ? check_terms(settings, error) : status;
}

static sfm_kernel kernel_of(const sfm_series_settings *settings) {
  return (sfm_kernel){
      .family = settings->kernel, .dimension = 1, .bandwidth = &settings->bandwidth};
}

/* The basis of so many functions. */
static sfm_status make_basis(sfmi_basis **out, const sfm_series_settings *settings, size_t count,
                             sfm_error *error) {
  const sfm_column *column = sfm_schema_find(settings->schema, settings->column);
  const sfmi_family family = family_of(settings->basis);
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
  *most = sfmi_moments_most(family_of(settings->basis));
  if (settings->basis == SFM_BASIS_EIGEN)
    status = sfmi_eigen_most(&eigen, &kernel, column->lower, column->upper, error);
  if (eigen < *most) *most = eigen;
  return status;
}

static bool l1_of(sfm_vector_noise noise) {
  return noise == SFM_VECTOR_LAPLACE;
}

/* The expected square of all noise together, D numbers of that scale. */
static double noise_energy(sfm_vector_noise noise, double D, double scale) {
  const double factor = noise == SFM_VECTOR_LAPLACE ? 2 : noise == SFM_VECTOR_NORMAL ? 1 : D + 1;
  return factor * D * scale * scale;
}

/* Predicts the error of D functions whose noise has that scale. */
static void predict(sfm_series_plan *plan, const sfmi_sketch *sketch, sfm_vector_noise noise,
                    size_t D, double scale, double n) {
  plan->privacy = noise_energy(noise, (double)D, scale) / (n * n);
  plan->sampling = sketch->sampling[D] / n;
  plan->truncation = sketch->truncation[D];
  plan->total = plan->privacy + plan->sampling + plan->truncation;
}

/* The next number of functions that the family can have. */
static size_t next_count(sfmi_family family, size_t count) {
  if (wavelet(family)) return 2 * count + 1;
  return count + (family == SFMI_FOURIER ? 2 : 1);
}

/* The number of functions of least predicted error, and the sketch by which it was predicted. */
static sfm_status choose_count(size_t *count, sfmi_sketch *sketch,
                               const sfm_series_settings *settings, double n, double per_row,
                               sfm_error *error) {
  const sfmi_family family = family_of(settings->basis);
  size_t most = settings->terms - sfmi_family_constant(family);
  sfmi_basis *basis = NULL;
  sfm_status status = settings->terms ? SFM_OK : most_functions(&most, settings, error);
  if (status == SFM_OK) status = make_basis(&basis, settings, most, error);
  if (status == SFM_OK) status = sfmi_sketch_init(sketch, basis, l1_of(settings->noise), error);
  sfmi_basis_destroy(basis);
  *count = most;
  if (status != SFM_OK || settings->terms) return status;
  double least = INFINITY;
  for (size_t D = family == SFMI_FOURIER ? 2 : 1; D <= most; D = next_count(family, D)) {
    sfm_series_plan plan;
    predict(&plan, sketch, settings->noise, D, sketch->reach[D] * per_row, n);
    if (plan.total < least) {
      least = plan.total;
      *count = D;
    }
  }
  return SFM_OK;
}

/* A step g moves D sums by at most g D in l1 and g sqrt(D) in l2, which is added; where noise is a
 * double, sums have at most 52 bits. */
static void choose_step(sfmi_expanse *e, const sfm_series_settings *settings, double n) {
  const double D = (double)e->basis->count, growth = l1_of(settings->noise) ? D : sqrt(D);
  const double exact = e->one.upper * e->contributions * ROUNDED;
  const int fine = sfmi_moments_fine(e->moments);
  int coarse = (int)ceil(log2(growth / (STEP_SHARE * exact)));
  if (settings->noise == SFM_VECTOR_GAMMA) {
    double largest = 0;
    for (size_t j = 0; j < e->basis->count; j++)
      largest = fmax(largest, sfmi_moments_largest(e->moments, j));
    coarse = (int)fmin(coarse, 51 - ceil(log2(n * largest)));
  }
  if (coarse > fine) coarse = fine;
  e->step = ldexp(1, -coarse);
  e->sensitivity = (exact + (coarse < fine ? e->step * growth : 0)) * ROUNDED;
}

sfm_status sfmi_expanse_init(sfmi_expanse *e, const sfm_series_settings *settings, uint64_t rows,
                             double rate, sfm_error *error) {
  *e = (sfmi_expanse){.contributions = sfm_schema_contributions(settings->schema), .rate = rate};
  if (rows == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "there are no records: under replace neighbours the number of records is "
                     "public and must be at least 1");
  if (rows >= (uint64_t)1 << SFMI_MOMENTS_ROWS_BITS)
    return sfmi_fail(error, SFM_INVALID, "more than 2^%d records are not supported",
                     SFMI_MOMENTS_ROWS_BITS);
  const double n = (double)rows;
  sfmi_sketch sketch = {0};
  size_t count = 0;
  sfm_status status = choose_count(&count, &sketch, settings, n, e->contributions / rate, error);
  if (status == SFM_OK) status = make_basis(&e->basis, settings, count, error);
  if (status == SFM_OK) status = sfmi_moments_create(&e->moments, e->basis, error);
  if (status == SFM_OK)
    status = sfmi_moments_extremes(e->moments, &e->one, l1_of(settings->noise), error);
  if (status == SFM_OK) {
    choose_step(e, settings, n);
    e->plan.terms = count + sfmi_family_constant(e->basis->family);
    e->plan.coefficients = count;
    e->plan.sensitivity = e->sensitivity;
    e->plan.scale = e->sensitivity / rate;
    predict(&e->plan, &sketch, settings->noise, count, e->plan.scale, n);
  }
  sfmi_sketch_clear(&sketch);
  return status;
}

void sfmi_expanse_clear(sfmi_expanse *e) {
  sfmi_moments_destroy(e->moments);
  sfmi_basis_destroy(e->basis);
  *e = (sfmi_expanse){0};
}

double sfmi_expanse_systematic(const sfmi_expanse *e, double rows) {
  return sfmi_moments_defect(e->moments, 0.5 * e->step / rows);
}
