/* density_settings.c - checking what the user asked of a density, before anything else happens. */
#include "density_settings.h"
#include "base/system/sized_struct.h"

#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "data/schema/category.h"
#include "data/schema/column_bounds.h"
#include "data/schema/schema.h"
#include "features/kernels/sobolev_norm.h"
#include "design_random_features.h"
#include "fourier_terms.h"
#include "privacy/calibration.h"
#include "privacy/range_check.h"
#include "releases/core/release_data.h"

void sfm_density_settings_init(sfm_density_settings *settings, size_t size) {
  const sfm_density_settings defaults = {.method = SFM_DENSITY_AUTO,
                                         .outside = SFM_OUTSIDE_DROP,
                                         .calibration = SFM_CALIBRATION_EXACT,
                                         .choice_share = 0.1,
                                         .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

/* Widest bandwidth, in widths of the domain: beyond it every density is flat. */
static const double BANDWIDTH_MAX = 10;

/* Without a stated boundary. */
static sfm_boundary usual_boundary(const sfm_density_settings *settings,
                                   sfm_density_method method) {
  sfm_density_settings s = *settings;
  s.method = method;
  const bool spectral = method == SFM_DENSITY_GP && !sfmi_density_settings_placed(&s) &&
                        !sfmi_density_settings_random(&s);
  return method == SFM_DENSITY_AUTO || method == SFM_DENSITY_LATTICE || spectral
             ? SFM_BOUNDARY_REFLECT
             : SFM_BOUNDARY_OPEN;
}

void sfmi_density_settings_asked_boundary(sfm_boundary *boundary,
                                          const sfm_density_settings *settings,
                                          const sfmi_design_density *design) {
  for (size_t a = 0; a < design->dimension; a++)
    boundary[a] =
        settings->boundary ? design->boundary[a] : usual_boundary(settings, settings->method);
}

void sfmi_density_settings_lay_boundary(sfmi_design_density *design,
                                        const sfm_density_settings *settings,
                                        sfm_density_method method) {
  for (size_t a = 0; !settings->boundary && a < design->dimension; a++)
    design->boundary[a] = usual_boundary(settings, method);
}

/* How well a period must divide the bounds, and into how many parts at most. */
static const double WHOLE = 1e-9, PERIODS_MAX = 1e6;
/* How far off the last period may be, in periods. */
static const double DRIFT = 2e-3;

/* The column's boundary; *upper becomes the end of the first period. */
static sfm_status check_boundary(sfmi_design_density *design, double *upper,
                                 const sfm_density_settings *settings, size_t a, double lower,
                                 sfm_error *error) {
  const char *name = settings->columns[a];
  const sfm_boundary boundary =
      settings->boundary ? settings->boundary[a] : usual_boundary(settings, settings->method);
  const double period = settings->period ? settings->period[a] : 0, width = *upper - lower;
  design->boundary[a] = boundary;
  if (boundary > SFM_BOUNDARY_PERIODIC)
    return sfmi_fail(error, SFM_INVALID, "the boundary of \"%s\" must be open, reflect or periodic",
                     name);
  if (period == 0) return SFM_OK;
  if (boundary != SFM_BOUNDARY_PERIODIC)
    return sfmi_fail(error, SFM_INVALID,
                     "\"%s\" has a period of %g but is not periodic: write settings.boundary = "
                     "periodic, period = %g, or leave out the period",
                     name, period, period);
  const double periods = width / period, whole = round(periods);
  if (!(period > 0) || !isfinite(period) || whole < 1 || whole > PERIODS_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "the period of \"%s\" must be a positive number that divides its bounds "
                     "%g:%g into at most %g parts, not %g; without one it is their width",
                     name, lower, *upper, PERIODS_MAX, period);
  if (fabs(periods - whole) > WHOLE * whole)
    return sfmi_fail(error, SFM_INVALID,
                     "the period %.10g does not divide the bounds %.10g:%.10g of \"%s\": write "
                     "the bounds %.10g:%.10g, or settings.boundary = periodic, period = %.10g",
                     period, lower, *upper, name, lower, lower + period * ceil(periods),
                     width / whole);
  *upper = lower + period;
  /* Far from zero a double rounds the period, and the error grows with every period. */
  if (!(fabs(width / (*upper - lower) - whole) <= DRIFT))
    return sfmi_fail(error, SFM_INVALID,
                     "the period %.10g of \"%s\" is too short for numbers as far from zero as "
                     "%.10g; measure the column from a place that is nearer to it",
                     period, name, lower);
  return SFM_OK;
}

static sfm_status check_column(sfmi_design_density *design, const sfm_density_settings *settings,
                               size_t a, sfm_error *error) {
  const char *name = settings->columns[a];
  double lower, upper;
  for (size_t b = 0; b < a; b++)
    if (!strcmp(settings->columns[b], name))
      return sfmi_fail(error, SFM_INVALID, "column \"%s\" is named twice", name);
  sfm_status status =
      sfmi_column_bounds(&lower, &upper, settings->context.schema, name, a + 1, error);
  if (!status) status = check_boundary(design, &upper, settings, a, lower, error);
  if (status) return status;
  /* A kernel of the caller has no bandwidth; and one that is to be chosen is not known yet. */
  const bool stated = settings->kernel != SFM_KERNEL_OWN && settings->bandwidth;
  const double h = stated ? settings->bandwidth[a] : upper - lower;
  if (!(h > 0) || !isfinite(h))
    return sfmi_fail(error, SFM_INVALID,
                     "the bandwidth of \"%s\" must be a positive number in the column's unit, not "
                     "%g; a twentieth of the bounds' width (%g) is a start",
                     name, h, (upper - lower) / 20);
  if (h > BANDWIDTH_MAX * (upper - lower))
    return sfmi_fail(error, SFM_INVALID,
                     "the bandwidth %g of \"%s\" is more than %g times as wide as its bounds: the "
                     "density would be flat; write a smaller settings.bandwidth",
                     h, name, BANDWIDTH_MAX);
  const char *wanted = sfmi_gaussian_unfit(lower, upper, h);
  if (wanted)
    return sfmi_fail(error, SFM_INVALID,
                     "\"%s\" with bounds %g:%g and bandwidth %g needs %s; write it in another unit "
                     "or measure it from another place",
                     name, lower, upper, h, wanted);
  design->lower[a] = lower;
  design->upper[a] = upper;
  design->bandwidth[a] = h;
  return SFM_OK;
}

static bool is_process(const sfm_density_settings *settings) {
  return settings->method == SFM_DENSITY_GP || settings->method == SFM_DENSITY_SOBOLEV;
}

static sfm_status check_guarantee(const sfm_density_settings *settings, sfm_error *error) {
  const double epsilon = settings->epsilon, delta = settings->delta;
  const sfm_status status = sfmi_check_epsilon(epsilon, error);
  if (status) return status;
  if (!(delta == 0 || (delta >= SFMI_DELTA_MIN && delta < 1)))
    return sfmi_fail(error, SFM_INVALID,
                     "delta must be at least 0 and below 1 (1e-6 is usual; leave it out for pure "
                     "epsilon), not %g",
                     delta);
  if (is_process(settings) && delta == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "method %s needs a delta (Gaussian noise has no pure epsilon): add "
                     "settings.delta = 1e-6, or use settings.method = lattice",
                     sfm_density_method_name(settings->method));
  if (delta > 0 && sfmi_check_calibration(settings->calibration, epsilon, error))
    return SFM_INVALID;
  return sfmi_check_confidence(settings->context.confidence, error);
}

bool sfmi_density_settings_random(const sfm_density_settings *settings) {
  const bool places = settings->release_points || settings->release_grid[0];
  const bool chosen = settings->engine == SFM_ENGINE_AUTO && !places &&
                      settings->dimension > SFMI_SPECTRAL_DIMENSIONS &&
                      sfmi_kernel_stationary(settings->kernel);
  return settings->method == SFM_DENSITY_GP && (settings->engine == SFM_ENGINE_RANDOM || chosen);
}

bool sfmi_density_settings_placed(const sfm_density_settings *settings) {
  const bool spectral =
      settings->engine == SFM_ENGINE_SPECTRAL ||
      (settings->engine == SFM_ENGINE_AUTO && settings->kernel == SFM_KERNEL_GAUSSIAN &&
       settings->dimension <= SFMI_SPECTRAL_DIMENSIONS);
  return settings->method == SFM_DENSITY_SOBOLEV ||
         (settings->method == SFM_DENSITY_GP && !spectral &&
          !sfmi_density_settings_random(settings));
}

bool sfmi_density_settings_process_fits(const sfm_density_settings *settings) {
  sfm_density_settings gp = *settings;
  if (gp.method != SFM_DENSITY_SOBOLEV) gp.method = SFM_DENSITY_GP;
  const bool spectral = !sfmi_density_settings_placed(&gp) && !sfmi_density_settings_random(&gp);
  const sfm_boundary most = spectral ? SFM_BOUNDARY_REFLECT : SFM_BOUNDARY_OPEN;
  for (size_t a = 0; settings->boundary && a < settings->dimension; a++)
    if (settings->boundary[a] > most) return false;
  return true;
}

/* What belongs to a Gaussian process of values at places. */
static sfm_status check_placed(const sfm_density_settings *settings, sfm_error *error) {
  const sfm_kernel *own = settings->own;
  if (sfm_schema_neighbours(settings->context.schema) == SFM_NEIGHBOURS_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID,
                     "values at points have no noisy total to divide by when the number of records "
                     "is private: use schema.neighbours = replace, or %s",
                     settings->method == SFM_DENSITY_SOBOLEV
                         ? "settings.method = gp"
                         : "settings.engine = spectral with the gaussian kernel");
  if (settings->kernel != SFM_KERNEL_OWN) return SFM_OK;
  if (!own || own->family != SFM_KERNEL_OWN || own->dimension != settings->dimension)
    return sfmi_fail(error, SFM_INVALID,
                     "a kernel of your own must be given, with as many dimensions as columns");
  return sfm_kernel_check(own, error);
}

/* What belongs to the noise of the Sobolev space. */
static sfm_status check_sobolev(const sfm_density_settings *settings, sfm_error *error) {
  if (settings->kernel != SFM_KERNEL_GAUSSIAN)
    return sfmi_fail(error, SFM_INVALID,
                     "method sobolev smooths rows by the gaussian kernel, not by %s: leave out "
                     "settings.kernel, or use settings.method = gp",
                     sfm_kernel_family_name(settings->kernel));
  if (settings->engine == SFM_ENGINE_SPECTRAL || settings->engine == SFM_ENGINE_RANDOM)
    return sfmi_fail(error, SFM_INVALID,
                     "method sobolev draws its noise by the engines markov, circulant and gram, "
                     "not by %s; leave out settings.engine",
                     sfm_engine_name(settings->engine));
  for (size_t a = 0; settings->gamma && settings->bandwidth && a < settings->dimension; a++) {
    const double h = settings->bandwidth[a], rate = settings->gamma[a] * h;
    if (!(rate >= SFMI_SOBOLEV_RATE_MIN && rate <= SFMI_SOBOLEV_RATE_MAX))
      return sfmi_fail(error, SFM_INVALID,
                       "the gamma %g of \"%s\" is out of range: with a bandwidth of %g it must be "
                       "from %g to %g, in units of 1 over the column's unit; without a gamma the "
                       "one of least noise is used",
                       settings->gamma[a], settings->columns[a], h, SFMI_SOBOLEV_RATE_MIN / h,
                       SFMI_SOBOLEV_RATE_MAX / h);
  }
  return SFM_OK;
}

/* What belongs to a lattice. */
static sfm_status check_spread(const sfm_density_settings *settings, sfm_error *error) {
  const char *name = sfm_density_method_name(settings->method);
  if (settings->method == SFM_DENSITY_SOBOLEV && !sfmi_density_settings_process_fits(settings))
    return sfmi_fail(error, SFM_INVALID,
                     "method sobolev has open boundaries only: leave out settings.boundary, or use "
                     "settings.method = lattice, which reflects and wraps");
  if (settings->method == SFM_DENSITY_GP && !sfmi_density_settings_process_fits(settings))
    return sfmi_fail(error, SFM_INVALID,
                     "method gp reflects where it releases a whole function of up to %d columns "
                     "with the gaussian kernel, is open elsewhere and nowhere periodic: leave out "
                     "settings.boundary, or use settings.method = lattice, which reflects and "
                     "wraps",
                     SFMI_SPECTRAL_DIMENSIONS);
  if (is_process(settings) && settings->noise != SFM_DENSITY_NOISE_AUTO)
    return sfmi_fail(error, SFM_INVALID,
                     "a noise is chosen for settings.method = lattice; that of %s is normal: leave "
                     "out settings.noise, or use settings.method = lattice",
                     name);
  if (sfmi_fourier_terms_method(settings->method) && settings->noise != SFM_DENSITY_NOISE_AUTO)
    return sfmi_fail(
        error, SFM_INVALID,
        "a noise is chosen for settings.method = lattice; fourier-laplace and caratheodory have "
        "their own: leave out settings.noise, or use settings.method = lattice");
  if (settings->noise > SFM_DENSITY_NOISE_NORMAL)
    return sfmi_fail(error, SFM_INVALID, "the noise of a lattice must be auto, laplace or normal");
  return settings->noise == SFM_DENSITY_NOISE_NORMAL
             ? sfmi_check_normal_delta(settings->delta, error)
             : SFM_OK;
}

static sfm_status check_engine(const sfm_density_settings *settings, sfm_error *error) {
  const bool places = settings->release_points || settings->release_grid[0];
  const bool gaussian = settings->kernel == SFM_KERNEL_GAUSSIAN;
  if (!sfmi_kernel_stationary(settings->kernel) && settings->kernel != SFM_KERNEL_OWN)
    return sfmi_fail(error, SFM_INVALID,
                     "a density has no %s kernel; use one from gaussian to "
                     "cauchy, or your own",
                     sfm_kernel_family_name(settings->kernel));
  if (settings->gamma && settings->method != SFM_DENSITY_SOBOLEV)
    return sfmi_fail(error, SFM_INVALID, "a gamma belongs to settings.method = sobolev: add it");
  if (settings->method == SFM_DENSITY_SOBOLEV) {
    sfm_status status = check_sobolev(settings, error);
    return !status ? check_placed(settings, error) : status;
  }
  if (settings->method != SFM_DENSITY_GP &&
      (!gaussian || settings->engine != SFM_ENGINE_AUTO || places))
    return sfmi_fail(error, SFM_INVALID,
                     "settings.kernel, settings.engine, settings.release_grid and "
                     "settings.release_points belong to settings.method = gp: add it%s",
                     settings->delta > 0 ? "" : ", with a settings.delta such as 1e-6");
  if (settings->engine == SFM_ENGINE_SPECTRAL && !gaussian)
    return sfmi_fail(error, SFM_INVALID,
                     "the engine spectral has features of the gaussian kernel only, not of %s; "
                     "leave out settings.engine, or name circulant, markov or gram",
                     sfm_kernel_family_name(settings->kernel));
  const bool random = sfmi_density_settings_random(settings);
  if (random && settings->kernel == SFM_KERNEL_OWN)
    return sfmi_fail(
        error, SFM_INVALID,
        "the engine random has features of the kernels from gaussian to cauchy, not of "
        "your own: leave out the engine, or use gram");
  if (settings->features && !random)
    return sfmi_fail(error, SFM_INVALID,
                     "a number of features belongs to random features: add settings.method = gp "
                     "and settings.engine = random, with a settings.delta such as 1e-6, or leave "
                     "out settings.features");
  if (sfmi_density_settings_placed(settings)) return check_placed(settings, error);
  if (places)
    return sfmi_fail(
        error, SFM_INVALID,
        "the engine %s releases the whole function, to be evaluated anywhere: leave out "
        "settings.release_grid and settings.release_points, or name another settings.engine",
        sfm_engine_name(random ? SFM_ENGINE_RANDOM : SFM_ENGINE_SPECTRAL));
  return SFM_OK;
}

/* The columns that make groups, and how many groups. */
static sfm_status check_by(sfmi_design_density *design, const sfm_density_settings *settings,
                           sfm_error *error) {
  design->groups = 1;
  if (settings->by_count == 0) return SFM_OK;
  if (settings->by_count > SFMI_BY_MAX)
    return sfmi_fail(error, SFM_INVALID, "at most %d columns can make groups, not %zu", SFMI_BY_MAX,
                     settings->by_count);
  if (settings->method != SFM_DENSITY_AUTO && settings->method != SFM_DENSITY_LATTICE)
    return sfmi_fail(error, SFM_INVALID,
                     "groups are for the method lattice, where one person is in one group and all "
                     "of them cost one release: leave out settings.method, or settings.by");
  for (size_t i = 0; i < settings->by_count; i++) {
    const sfm_column *column;
    size_t count;
    if (!sfmi_utf8_valid(settings->by[i]))
      return sfmi_fail(error, SFM_INVALID,
                       "the name of column %zu of groups is not UTF-8, as the release file must "
                       "be; save the rows in UTF-8, or rename the column",
                       i + 1);
    sfm_status status = sfmi_category_select(&column, settings->context.schema, settings->by, i,
                                             settings->columns, settings->dimension, error);
    if (status) return status;
    sfmi_column_categories(column, &count);
    if (count > SFMI_GROUPS_MAX / design->groups)
      return sfmi_fail(error, SFM_INVALID,
                       "the categories make more than %d groups, which is the most; use fewer "
                       "columns or coarser categories",
                       SFMI_GROUPS_MAX);
    design->groups *= count;
  }
  return SFM_OK;
}

sfm_status sfmi_density_settings_check(sfmi_design_density *design,
                                       const sfm_density_settings *settings, sfm_error *error) {
  if (settings->candidate_count)
    return sfmi_fail(error, SFM_INVALID,
                     "a bandwidth can be chosen privately for a density that is released at once, "
                     "and nowhere else: name one settings.bandwidth");
  if (!settings->columns || settings->dimension < 1)
    return sfmi_fail(error, SFM_INVALID, "a density needs settings.columns");
  if (settings->dimension > SFM_MAX_DIMENSION)
    return sfmi_fail(error, SFM_INVALID, "at most %d columns are possible, not %zu",
                     SFM_MAX_DIMENSION, settings->dimension);
  *design =
      (sfmi_design_density){.dimension = settings->dimension,
                            .neighbours = sfm_schema_neighbours(settings->context.schema),
                            .contributions = sfm_schema_contributions(settings->context.schema),
                            .confidence = settings->context.confidence};
  for (size_t a = 0; a < settings->dimension; a++) {
    sfm_status status = check_column(design, settings, a, error);
    if (status) return status;
  }
  if (settings->expected_rows && design->neighbours == SFM_NEIGHBOURS_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "an expected number of rows (settings.expected_rows) is for add-remove "
                     "neighbours; under replace the number of rows is public and counted");
  sfm_status status = check_by(design, settings, error);
  if (!status) status = check_guarantee(settings, error);
  if (!status) status = check_spread(settings, error);
  if (!status) status = sfmi_fourier_terms_check(settings, error);
  return !status ? check_engine(settings, error) : status;
}
