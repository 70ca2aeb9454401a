#include "design_series.h"
#include "base/system/sized_struct.h"

#include <math.h>

#include "features/kernels/kernel.h"
#include "data/schema/column_bounds.h"
#include "privacy/calibration.h"
#include "sfumato/noise.h"
#include "releases/core/release_kind.h"

/* Of a Hermite unit, in widths. */
static const double UNIT_MIN = 0.005, UNIT_MAX = 100;

_Static_assert((int)SFM_BASIS_EIGEN == (int)SFMI_EIGEN, "bases are the first families");

void sfm_series_settings_init(sfm_series_settings *settings, size_t size) {
  const sfm_series_settings defaults = {.noise = SFM_VECTOR_NOISE_LAPLACE,
                                        .outside = SFM_OUTSIDE_CLAMP,
                                        .calibration = SFM_CALIBRATION_EXACT,
                                        .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

static sfmi_basis_family family_of(sfm_basis basis) {
  return (sfmi_basis_family)basis;
}

/* In terms, the constant included. */
static size_t most_terms(sfmi_basis_family family) {
  return sfmi_basis_sums_most(family) + sfmi_basis_family_has_constant(family);
}

static bool wavelet(sfmi_basis_family family) {
  return family == SFMI_HAAR || family == SFMI_DB4;
}

static sfm_status check_terms(const sfm_series_settings *settings, sfm_error *error) {
  const sfmi_basis_family family = family_of(settings->basis);
  const size_t terms = settings->terms, most = most_terms(family),
               least = 1 + sfmi_basis_family_has_constant(family) + (family == SFMI_FOURIER);
  const char *name = sfmi_basis_family_name(family);
  if (terms == 0) return SFM_OK;
  if (terms < least || terms > most)
    return sfmi_fail(error, SFM_INVALID,
                     "a series of %s has %zu to %zu terms%s, not %zu; write settings.terms = auto "
                     "for the number of least predicted error",
                     name, least, most,
                     sfmi_basis_family_has_constant(family) ? ", the constant counted" : "", terms);
  if (family == SFMI_FOURIER && terms % 2 == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "a series of fourier has an odd number of terms, the constant and pairs of a "
                     "cosine and a sine: write settings.terms = %zu or %zu, not %zu",
                     terms - 1, terms + 1, terms);
  if (wavelet(family) && (terms & (terms - 1))) {
    size_t below = 1;
    while (2 * below < terms) below *= 2;
    return sfmi_fail(
        error, SFM_INVALID,
        "a series of %s has a power of two of terms: write settings.terms = %zu or %zu, not %zu",
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
                     sfm_kernel_family_name(settings->kernel));
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

static sfm_status check_columns(const sfm_series_settings *settings, sfm_error *error) {
  double lower, upper;
  if (!settings->column) return sfmi_fail(error, SFM_INVALID, "a series needs settings.column");
  if (sfm_schema_neighbours(settings->context.schema) == SFM_NEIGHBOURS_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID,
                     "a series has no noisy total to divide by when the number of records is "
                     "private: use replace neighbours, or sfm_density_release with settings.method "
                     "= lattice, which keeps that number private");
  sfm_status status =
      sfmi_column_bounds(&lower, &upper, settings->context.schema, settings->column, 1, error);
  if (status) return status;
  status = check_places(settings, lower, upper, error);
  if (status) return status;
  status = check_basis(settings, upper - lower, error);
  return !status ? check_terms(settings, error) : status;
}

/* Noise and guarantee as of a vector. */
sfm_status sfmi_design_series_check(double *rate, const sfm_series_settings *settings,
                                    sfm_error *error) {
  sfm_status status = check_columns(settings, error);
  if (status) return status;
  sfm_vector_settings vector = sfm_vector_settings_default();
  vector.sensitivity = 1;
  vector.contributions = sfm_schema_contributions(settings->context.schema);
  vector.epsilon = *rate = settings->epsilon;
  vector.delta = settings->delta;
  vector.noise = settings->noise;
  vector.calibration = settings->calibration;
  vector.context.confidence = settings->context.confidence;
  status = sfm_vector_check(&vector, 1, error);
  if (!status && settings->noise == SFM_VECTOR_NOISE_NORMAL)
    status =
        sfmi_gdp_mu_for(rate, settings->epsilon, settings->delta, settings->calibration, error);
  return status;
}

sfm_status sfmi_design_series_from(sfmi_design_series *e, sfmi_series_candidates *series_candidates,
                                   uint64_t rows, double rate, sfm_error *error) {
  *e = (sfmi_design_series){.contributions = series_candidates->contributions, .rate = rate};
  if (rows == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "there are no records, only a header line at most: under replace neighbours "
                     "the number of records is "
                     "public and must be at least 1");
  if (rows >= (uint64_t)1 << SFMI_BASIS_SUMS_ROWS_BITS)
    return sfmi_fail(error, SFM_INVALID, "more than 2^%d records are not supported",
                     SFMI_BASIS_SUMS_ROWS_BITS);
  sfm_status status = sfmi_series_candidates_choose(series_candidates, &e->plan, (double)rows, rate,
                                                    INFINITY, error);
  if (!status)
    status = sfmi_series_candidates_basis(&e->basis, &series_candidates->settings,
                                          e->plan.coefficients, error);
  if (!status) status = sfmi_basis_sums_create(&e->moments, e->basis, error);
  if (status) return status;
  const sfmi_series_sensitivity *m = &series_candidates->movements[e->plan.coefficients];
  e->one = m->one;
  e->step = m->step;
  e->sensitivity = m->sensitivity;
  return SFM_OK;
}

sfm_status sfmi_design_series_init(sfmi_design_series *e, const sfm_series_settings *settings,
                                   uint64_t rows, double rate, sfm_error *error) {
  sfmi_series_candidates series_candidates;
  *e = (sfmi_design_series){0};
  sfm_status status = sfmi_series_candidates_init(&series_candidates, settings, true, error);
  if (!status) status = sfmi_design_series_from(e, &series_candidates, rows, rate, error);
  sfmi_series_candidates_clear(&series_candidates);
  return status;
}

void sfmi_design_series_clear(sfmi_design_series *e) {
  sfmi_basis_sums_destroy(e->moments);
  sfmi_basis_destroy(e->basis);
  *e = (sfmi_design_series){0};
}

double sfmi_design_series_systematic(const sfmi_design_series *e, double rows) {
  return sfmi_basis_sums_defect(e->moments, 0.5 * e->step / rows);
}

sfm_status sfm_series_choose(sfm_series_choice *plan, const sfm_series_settings *given,
                             uint64_t rows, sfm_error *error) {
  sfm_series_settings settings;
  sfmi_design_series series_design = {0};
  double rate;
  sfm_status status = SFMI_TAKE(sfm_series_settings, &settings, given, error);
  if (!status) status = sfmi_design_series_check(&rate, &settings, error);
  if (!status) status = sfmi_design_series_init(&series_design, &settings, rows, rate, error);
  if (!status) *plan = series_design.plan;
  sfmi_design_series_clear(&series_design);
  return status;
}

/* Law and room for numbers. */
static sfm_status set_numbers(sfm_release *release, const sfmi_design_series *e,
                              sfm_vector_noise noise, sfm_error *error) {
  if (release->hardened) {
    release->step = e->step;
    release->law = noise == SFM_VECTOR_NOISE_LAPLACE ? SFM_NOISE_LAW_DISCRETE_LAPLACE
                                                     : SFM_NOISE_LAW_ROUNDED_NORMAL;
    release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  } else {
    release->law = SFM_NOISE_LAW_GAMMA;
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  }
  return release->integers || release->reals ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_design_series_template(sfm_release **out, const sfmi_design_series *e,
                                       const sfm_series_settings *settings, uint64_t rows,
                                       double scale, sfm_error *error) {
  sfm_release *release = *out =
      sfmi_release_begin(&sfmi_density_kind, SFMI_SERIES, &settings->context);
  if (!release || !sfmi_release_set_column(release, 0, settings->column, e->basis->lower[0],
                                           e->basis->upper[0]))
    return sfmi_fail_memory(error);
  release->hardened = settings->noise != SFM_VECTOR_NOISE_GAMMA;
  release->guarantee = sfmi_guarantee_of_noise(
      settings->epsilon, settings->delta, settings->noise == SFM_VECTOR_NOISE_NORMAL ? e->rate : 0);
  release->has_rows = true;
  release->rows = rows;
  release->outside = settings->outside;
  release->dimension = 1;
  release->function->kernel = e->basis->kernel;
  release->function->bandwidth[0] = e->basis->bandwidth[0];
  release->length = e->basis->count;
  release->sensitivity = e->sensitivity;
  release->scale = scale;
  return set_numbers(release, e, settings->noise, error);
}
