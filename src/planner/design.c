#include "planner/design.h"

#include <math.h>
#include <stdio.h>

#include "estimators/energy.h"
#include "planner/ensemble.h"
#include "planner/forecast.h"
#include "planner/harmony.h"
#include "planner/process.h"
#include "planner/settings.h"
#include "privacy/calibration.h"
#include "releases/wave.h"

/* Spacings tried, in bandwidths, and the one used when n is private and nothing is expected. */
static const double SPACING_MIN = 0.4, SPACING_MAX = 0.95, SPACING_RATIO = 1.04;
static const double SPACING_BLIND = 0.9;

/* What a spline order below the highest must save. */
static const double LOW_ORDER_PENALTY = 1.25;

/* Bits: n 2^K below 2^62, noise scale below 2^50, and no more than are of use. */
static const double SUM_BITS = 62, SCALE_BITS = 50, ROWS_BITS_BLIND = 32;
static const unsigned AXIS_BITS_MAX = 24, AXIS_BITS_MIN = SFMI_LATTICE_BITS_MIN;

/* Most places of the lattice that one row may reach; linear splines may in any case. */
static const double REACH_MAX = 65536;

/* A lattice that may be chosen. */
typedef struct candidate {
  sfmi_lattice lattice;
  sfm_density_noise noise;
  double mu; /* of normal noise */
  sfmi_forecast forecast;
} candidate;

bool sfmi_design_placed(const sfmi_design *design) {
  return design->method == SFM_DENSITY_SOBOLEV ||
         (design->method == SFM_DENSITY_GP && design->engine != SFM_ENGINE_SPECTRAL &&
          design->engine != SFM_ENGINE_RANDOM);
}

static double lattice_sensitivity(const sfmi_design *design, const sfmi_lattice *lattice,
                                  sfm_density_noise noise) {
  const double one = design->neighbours == SFM_REPLACE ? 2 : 1;
  return (noise == SFM_DENSITY_NOISE_NORMAL ? sqrt(one * sfmi_energy(lattice)) : one) *
         design->contributions;
}

double sfmi_design_lattice_sensitivity(const sfmi_design *design) {
  return lattice_sensitivity(design, &design->lattice, design->noise);
}

double sfmi_design_spectrum_sensitivity(const sfmi_design *design) {
  const sfmi_spectrum *s = &design->spectrum;
  /* sqrt 2 because the kernel is not negative (1e-12 for the features' 1e-14). */
  double one = design->neighbours == SFM_REPLACE ? M_SQRT2 * s->kappa * (1 + 1e-12) + 2 * s->defect
                                                 : s->kappa + s->defect;
  return one * design->contributions;
}

/* The highest spline order. */
static unsigned highest_order(const sfmi_design *design) {
  unsigned order = SFMI_SPLINE_MAX;
  while (order > SFMI_SPLINE_MIN && pow(order, (double)design->dimension) > REACH_MAX) order--;
  return order;
}

/* Sizes of a lattice at a spacing of rho bandwidths; the lattice's order is set. */
static void size_lattice(sfmi_lattice *lattice, double *length, double *padded,
                         const sfmi_design *design, double stretch, double rho) {
  *length = *padded = 1;
  for (size_t a = 0; a < design->dimension; a++) {
    double h = design->bandwidth[a] * stretch;
    const sfm_boundary boundary = design->boundary[a];
    double cells = fmax(ceil((design->upper[a] - design->lower[a]) / (rho * h)), 1);
    if (boundary == SFM_PERIODIC) cells += fmod(cells, 2) == 0; /* odd: no frequency is lost */
    *length *= boundary == SFM_OPEN ? cells + lattice->order - 1 : cells;
    if (cells < 1e9) {
      sfmi_lattice_set_axis(lattice, a, design->lower[a], design->upper[a], (size_t)cells,
                            boundary);
      *padded *= (double)sfmi_wave_padded(&lattice->axis[a], h);
    } else {
      *padded *= cells;
    }
  }
  lattice->length = *length <= (double)SFMI_RELEASE_MAX ? (size_t)*length : SIZE_MAX;
}

/* All lattices are released, and one at a time is evaluated. */
static bool fits(const sfmi_design *design, double length, double padded) {
  return length * (double)design->groups <= (double)SFMI_RELEASE_MAX &&
         padded <= (double)SFMI_PADDED_MAX;
}

/* The number of bits of a row's weights, per axis, from public numbers. */
static sfm_status choose_bits(unsigned *bits, const sfmi_design *design, double epsilon,
                              double scale, double rows, sfm_error *error) {
  double from_rows =
      SUM_BITS - (design->neighbours == SFM_REPLACE ? ceil(log2(fmax(rows, 1))) : ROWS_BITS_BLIND);
  double from_scale = SCALE_BITS - ceil(log2(fmax(scale, 1)));
  double per_axis = floor(fmin(from_rows, from_scale) / (double)design->dimension);
  if (per_axis < AXIS_BITS_MIN && from_rows < from_scale)
    return sfmi_fail(error, SFM_INVALID,
                     "a lattice in %zu dimensions cannot count 2^%.0f records; use fewer columns, "
                     "or --method gp with a --delta such as 1e-6",
                     design->dimension, SUM_BITS - from_rows);
  if (per_axis < AXIS_BITS_MIN)
    return sfmi_fail(error, SFM_INVALID,
                     "epsilon %g with %u contributions a person in %zu dimensions needs noise "
                     "beyond the sampler's range; use a larger --epsilon, fewer --contributions or "
                     "fewer columns",
                     epsilon, design->contributions, design->dimension);
  *bits = per_axis < AXIS_BITS_MAX ? (unsigned)per_axis : AXIS_BITS_MAX;
  return SFM_OK;
}

/* Whether the lattice fits whose spacing and order the planner would use at the least, with all
 * bandwidths stretched; *needed and *allowed are gigabytes of what does not. */
static bool stretched_fits(const sfmi_design *design, bool blind, double stretch, double *needed,
                           double *allowed) {
  sfmi_lattice lattice = {.dimension = design->dimension,
                          .order = blind ? highest_order(design) : SFMI_SPLINE_MIN};
  double length, padded;
  size_lattice(&lattice, &length, &padded, design, stretch, blind ? SPACING_BLIND : SPACING_MAX);
  const double released = length * (double)design->groups;
  const bool long_list = released > (double)SFMI_RELEASE_MAX;
  *needed = (long_list ? released : padded) * 16 / 1e9;
  *allowed = (double)(long_list ? SFMI_RELEASE_MAX : SFMI_PADDED_MAX) * 16 / 1e9;
  return fits(design, length, padded);
}

static sfm_status too_large(const sfmi_design *design, bool blind, sfm_error *error) {
  double needed, allowed, n, m, low = 1, high = 1;
  stretched_fits(design, blind, 1, &needed, &allowed);
  /* Stretched until it fits; if it never does, shrunk: a kernel far wider than the domain takes as
   * much padding. */
  bool found = false;
  for (int direction = 0; direction < 2 && !found; direction++)
    for (low = high = 1; !found && high < 1e12 && high > 1e-12;) {
      low = high;
      high *= direction ? 0.9 : 1.1;
      found = stretched_fits(design, blind, high, &n, &m);
    }
  if (!found && design->groups > 1)
    return sfmi_fail(error, SFM_INVALID,
                     "%zu lattices in %zu dimensions, one a group, would not fit in memory at any "
                     "bandwidth; use fewer groups or fewer columns",
                     design->groups, design->dimension);
  if (!found)
    return sfmi_fail(error, SFM_INVALID,
                     "a lattice in %zu dimensions would not fit in memory at any bandwidth; use "
                     "fewer columns, --boundary reflect or periodic where that is right, or "
                     "--method gp with a --delta such as 1e-6",
                     design->dimension);
  const bool wide = high < 1;
  for (int i = 0; i < 60; i++) {
    double middle = sqrt(low * high);
    *(stretched_fits(design, blind, middle, &n, &m) ? &high : &low) = middle;
  }
  char list[256] = "";
  size_t used = 0;
  for (size_t a = 0; a < design->dimension && used < sizeof list; a++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.4g", a ? "," : "",
                             design->bandwidth[a] * high * (wide ? 0.9995 : 1.0005));
  return sfmi_fail(error, SFM_INVALID,
                   "the bandwidth is so %s that its lattice%s would not fit in memory: it needs "
                   "%.3g GB, and %.3g GB are allowed; the %s that fits is --bandwidth %s",
                   wide ? "wide" : "small", design->groups > 1 ? ", once a group," : "", needed,
                   allowed, wide ? "widest" : "smallest", list);
}

static sfmi_forecast divide(sfmi_forecast f, double rows) {
  double n2 = isfinite(rows) ? rows * rows : 1;
  return (sfmi_forecast){f.privacy / n2, f.aliasing / n2, f.truncation / n2};
}

static double total(const sfmi_forecast *f) {
  return f->privacy + f->aliasing + f->truncation;
}

/* The lattice of least predicted error; rows infinite when unknown.  All of them may be in one
 * group; planned is for groups of the same size. */
static sfm_status plan_lattice(candidate *best, const sfmi_design *design, double epsilon,
                               double rows, sfm_error *error) {
  const bool normal = best->noise == SFM_DENSITY_NOISE_NORMAL;
  const unsigned highest = highest_order(design);
  unsigned bits = 0;
  if (design->dimension > SFMI_LATTICE_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "a lattice is for up to %d columns, not %zu; use fewer, or random features: "
                     "--method gp with a --delta such as 1e-6",
                     SFMI_LATTICE_DIMENSIONS, design->dimension);
  /* Of normal noise at most, whatever the lattice. */
  const double one = design->neighbours == SFM_REPLACE ? 2 : 1;
  const double scale = design->contributions * (normal ? sqrt(one) / best->mu : one / epsilon);
  sfm_status status = choose_bits(&bits, design, epsilon, scale, rows, error);
  if (status != SFM_OK) return status;
  rows /= (double)design->groups;
  const bool blind = !isfinite(rows);
  bool found = false;
  double least = INFINITY;
  for (double rho = blind ? SPACING_BLIND : SPACING_MAX; rho >= SPACING_MIN; rho /= SPACING_RATIO) {
    for (unsigned order = blind ? highest : SFMI_SPLINE_MIN; order <= highest; order++) {
      sfmi_lattice lattice = {.dimension = design->dimension, .order = order, .bits = bits};
      double length, padded;
      sfmi_forecast forecast;
      size_lattice(&lattice, &length, &padded, design, 1, rho);
      if (!fits(design, length, padded)) continue;
      const double b =
          lattice_sensitivity(design, &lattice, best->noise) / (normal ? best->mu : epsilon);
      status = sfmi_forecast_lattice(&forecast, &lattice, design->bandwidth,
                                     (normal ? 1 : 2) * b * b, rows, error);
      if (status != SFM_OK) return status;
      double penalty = order < highest ? LOW_ORDER_PENALTY : 1;
      if (found && penalty * total(&forecast) >= least) continue;
      found = true;
      least = penalty * total(&forecast);
      best->forecast = forecast;
      best->lattice = lattice;
    }
    if (blind) break;
  }
  return found ? SFM_OK : too_large(design, blind, error);
}

/* The better of the lattices with the noises that may be had. */
static sfm_status plan_lattices(sfmi_design *design, sfmi_forecast *forecast,
                                const sfm_density_settings *settings, double rows,
                                sfm_error *error) {
  const bool laplace = settings->noise != SFM_DENSITY_NOISE_NORMAL;
  const bool normal = settings->noise != SFM_DENSITY_NOISE_LAPLACE && settings->delta > 0;
  candidate best = {.noise = SFM_DENSITY_NOISE_LAPLACE},
            other = {.noise = SFM_DENSITY_NOISE_NORMAL};
  sfm_error ignored;
  sfm_status status =
      laplace ? plan_lattice(&best, design, settings->epsilon, rows, error) : SFM_OK;
  if (normal) {
    const bool only = !laplace || status != SFM_OK;
    sfm_status second = sfmi_gdp_mu_for(&other.mu, settings->epsilon, settings->delta,
                                        settings->calibration, only ? error : &ignored);
    if (second == SFM_OK)
      second = plan_lattice(&other, design, settings->epsilon, rows, only ? error : &ignored);
    if (second == SFM_OK && (only || total(&other.forecast) < total(&best.forecast))) best = other;
    if (only) status = second;
  }
  if (status != SFM_OK) return status;
  design->lattice = best.lattice;
  design->noise = best.noise;
  design->mu = best.mu;
  *forecast = best.forecast;
  return SFM_OK;
}

static sfm_status plan_spectrum(sfmi_design *design, sfmi_forecast *forecast,
                                const sfm_density_settings *settings, double rows,
                                sfm_error *error) {
  if (design->dimension > SFMI_SPECTRAL_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "the engine spectral fits up to %d columns, not %zu; use fewer, or --engine "
                     "random",
                     SFMI_SPECTRAL_DIMENSIONS, design->dimension);
  sfm_status status = sfmi_gdp_mu_for(&design->mu, settings->epsilon, settings->delta,
                                      settings->calibration, error);
  if (status == SFM_OK)
    status = sfmi_spectrum_init(&design->spectrum, design->lower, design->upper, design->bandwidth,
                                design->dimension, error);
  if (status != SFM_OK) return status;
  const sfmi_spectrum *s = &design->spectrum;
  if (s->length > SFMI_RELEASE_MAX || s->lattice.length > SFMI_PADDED_MAX)
    return sfmi_fail(
        error, SFM_INVALID,
        "method gp would need %zu features and a grid of %zu points at this bandwidth; "
        "at most %zu and %zu fit; use a larger --bandwidth, --method lattice or --engine random",
        s->length, s->lattice.length, SFMI_RELEASE_MAX, SFMI_PADDED_MAX);
  double sigma = sfmi_design_spectrum_sensitivity(design) / design->mu;
  *forecast = sfmi_forecast_spectrum(s, design->bandwidth, sigma * sigma, rows);
  return SFM_OK;
}

/* gp that releases a whole function: with auto, by random features where there are many columns. */
static sfm_status plan_gp(sfmi_design *design, sfmi_forecast *forecast,
                          const sfm_density_settings *settings, double rows, sfm_error *error) {
  sfm_density_settings gp = *settings;
  gp.method = SFM_DENSITY_GP;
  return sfmi_settings_random(&gp) ? sfmi_ensemble_plan(design, forecast, settings, rows, error)
                                   : plan_spectrum(design, forecast, settings, rows, error);
}

static void fill_plan(sfmi_design *design, const sfmi_forecast *forecast) {
  sfm_density_plan *plan = &design->plan;
  const bool lattice = design->method == SFM_DENSITY_LATTICE, random = !lattice && design->features;
  plan->method = design->method;
  plan->engine = lattice ? SFM_ENGINE_AUTO : random ? SFM_ENGINE_RANDOM : SFM_ENGINE_SPECTRAL;
  design->engine = plan->engine;
  plan->order = lattice ? design->lattice.order : 0;
  plan->noise = lattice ? design->noise : SFM_DENSITY_NOISE_AUTO;
  plan->coefficients = lattice  ? design->groups * design->lattice.length
                       : random ? sfmi_ensemble_length(design)
                                : design->spectrum.length;
  if (!random) plan->seconds = 0;
  for (size_t a = 0; a < design->dimension && !random; a++) {
    plan->points[a] = lattice ? design->lattice.axis[a].points : design->spectrum.features[a];
    plan->spacing[a] = lattice ? design->lattice.axis[a].spacing : 0;
  }
  plan->privacy = forecast->privacy;
  plan->aliasing = forecast->aliasing;
  plan->truncation = forecast->truncation;
  plan->smoothing = design->kernel == SFM_KERNEL_GAUSSIAN
                        ? sfmi_forecast_smoothing(design->lower, design->upper, design->bandwidth,
                                                  design->boundary, design->dimension)
                        : 0;
  plan->total = total(forecast) + plan->smoothing;
}

sfm_status sfmi_design_init(sfmi_design *design, const sfm_density_settings *settings,
                            uint64_t rows, sfm_error *error) {
  sfm_status status = sfmi_settings_check(design, settings, error);
  if (status != SFM_OK) return status;
  const bool replace = design->neighbours == SFM_REPLACE;
  if (replace && rows == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "there are no records: under replace neighbours the number of records is "
                     "public and must be at least 1");
  if (replace && rows >= (uint64_t)1 << SFMI_SPECTRUM_ROWS_BITS)
    return sfmi_fail(error, SFM_INVALID, "more than 2^%d records are not supported",
                     SFMI_SPECTRUM_ROWS_BITS);
  double n = replace                   ? (double)rows
             : settings->expected_rows ? (double)settings->expected_rows
                                       : INFINITY;
  design->rows = replace ? rows : 0;
  if (sfmi_harmony_has(settings->method)) return sfmi_harmony_plan(design, settings, n, error);
  if (sfmi_settings_placed(settings)) return sfmi_process_plan(design, settings, n, error);
  sfmi_forecast lattice = {0}, spectrum = {0};
  bool lattice_good = false, spectrum_good = false;
  const bool process = settings->method == SFM_DENSITY_GP ||
                       (settings->method == SFM_DENSITY_AUTO && settings->delta > 0 &&
                        settings->noise != SFM_DENSITY_NOISE_LAPLACE &&
                        sfmi_settings_open(settings) && !settings->by_count);
  if (settings->method != SFM_DENSITY_GP) {
    status = plan_lattices(design, &lattice, settings, n, error);
    lattice_good = status == SFM_OK;
    if (!lattice_good && !process) return status;
  }
  const double mu = design->mu;
  if (process) {
    /* With auto, what is wrong with gp alone (classical at epsilon > 1, too many features) only
     * takes it off the list. */
    sfm_error ignored;
    bool only = !lattice_good;
    status = plan_gp(design, &spectrum, settings, n, only ? error : &ignored);
    spectrum_good = status == SFM_OK;
    if (!spectrum_good && only) return status;
  }
  bool gp = spectrum_good && (!lattice_good || total(&spectrum) < total(&lattice));
  design->method = gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
  if (!gp) design->mu = mu;
  sfmi_forecast chosen = divide(gp ? spectrum : lattice, n / (double)design->groups);
  fill_plan(design, &chosen);
  return SFM_OK;
}

sfm_status sfm_density_choose(sfm_density_plan *plan, const sfm_density_settings *settings,
                              uint64_t rows, sfm_error *error) {
  sfmi_design design;
  sfm_status status = sfmi_design_init(&design, settings, rows, error);
  if (status == SFM_OK) *plan = design.plan;
  return status;
}
