#include "design_density.h"
#include "base/system/sized_struct.h"

#include <math.h>
#include <string.h>

#include "estimators/lattice/lattice_sensitivity.h"
#include "density_choice.h"
#include "design_random_features.h"
#include "fourier_terms.h"
#include "gaussian_process.h"
#include "density_settings.h"
#include "lattice_candidates.h"
#include "privacy/calibration.h"
#include "releases/core/release_data.h"

bool sfmi_design_density_placed(const sfmi_design_density *design) {
  return design->method == SFM_DENSITY_SOBOLEV ||
         (design->method == SFM_DENSITY_GP && design->engine != SFM_ENGINE_SPECTRAL &&
          design->engine != SFM_ENGINE_RANDOM);
}

bool sfmi_design_density_random(const sfmi_design_density *design) {
  return design->method == SFM_DENSITY_GP && design->engine == SFM_ENGINE_RANDOM;
}

double sfmi_design_density_lattice_sensitivity(const sfmi_design_density *design) {
  const double one = design->neighbours == SFM_NEIGHBOURS_REPLACE ? 2 : 1;
  return (design->noise == SFM_DENSITY_NOISE_NORMAL
              ? sqrt(one * sfmi_lattice_energy(&design->lattice))
              : one) *
         design->contributions;
}

/* The largest |phi(x) - phi(y)|, y also the zero vector: sqrt 2 kappa where the kernel is nowhere
 * known to be above 0. */
static double largest_distance(const sfmi_torus_sums *s) {
  const double square = s->kappa * s->kappa;
  return s->least > 0 ? fmax(sqrt(2 * (square - s->least)), s->kappa) : M_SQRT2 * s->kappa;
}

double sfmi_design_density_spectrum_sensitivity(const sfmi_design_density *design) {
  const sfmi_torus_sums *s = &design->spectrum;
  /* 1e-12 for the features' 1e-14. */
  double one = design->neighbours == SFM_NEIGHBOURS_REPLACE
                   ? largest_distance(s) * (1 + 1e-12) + 2 * s->defect
                   : s->kappa + s->defect;
  return one * design->contributions;
}

static sfm_status find_mu(double *mu, const sfm_density_settings *settings, sfm_error *error) {
  return sfmi_gdp_mu_for(mu, settings->epsilon, settings->delta, settings->calibration, error);
}

/* ---- making what was chosen ---- */

/* A lattice of that order and spacing, with the design's noise. */
static sfm_status take_lattice(sfmi_design_density *design, const sfm_density_settings *settings,
                               unsigned order, double rho, double rows, sfm_error *error) {
  const bool normal = design->noise == SFM_DENSITY_NOISE_NORMAL;
  sfmi_lattice *lattice = &design->lattice;
  sfm_status status = SFM_OK;
  design->method = SFM_DENSITY_LATTICE;
  sfmi_density_settings_lay_boundary(design, settings, design->method);
  if (design->dimension > SFMI_LATTICE_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "a lattice is for up to %d columns, not %zu; use fewer, or random features: "
                     "settings.method = gp with a settings.delta such as 1e-6",
                     SFMI_LATTICE_DIMENSIONS, design->dimension);
  *lattice = (sfmi_lattice){.dimension = design->dimension, .order = order};
  design->mu = 0;
  if (normal) status = find_mu(&design->mu, settings, error);
  if (status) return status;
  /* Of normal noise at most, whatever the lattice. */
  const double one = design->neighbours == SFM_NEIGHBOURS_REPLACE ? 2 : 1;
  const double scale =
      design->contributions * (normal ? sqrt(one) / design->mu : one / settings->epsilon);
  status =
      sfmi_lattice_candidates_bits(&lattice->bits, design, settings->epsilon, scale, rows, error);
  if (status) return status;
  return sfmi_lattice_candidates_lay(lattice, design, design->bandwidth, rho)
             ? SFM_OK
             : sfmi_lattice_candidates_too_large(design, !isfinite(rows), error);
}

bool sfmi_design_density_spectrum_fits(const sfmi_torus_sums *spectrum) {
  return spectrum->length <= SFMI_RELEASE_MAX && spectrum->modes <= SFMI_PADDED_MAX &&
         spectrum->lattice.length <= SFMI_PADDED_MAX;
}

static sfm_status take_spectrum(sfmi_design_density *design, const sfm_density_settings *settings,
                                sfm_error *error) {
  design->method = SFM_DENSITY_GP;
  design->engine = SFM_ENGINE_SPECTRAL;
  sfmi_density_settings_lay_boundary(design, settings, design->method);
  if (design->dimension > SFMI_SPECTRAL_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "the engine spectral fits up to %d columns, not %zu; use fewer, or "
                     "settings.engine = random",
                     SFMI_SPECTRAL_DIMENSIONS, design->dimension);
  sfm_status status = find_mu(&design->mu, settings, error);
  if (!status)
    status = sfmi_torus_sums_init(&design->spectrum, design->lower, design->upper,
                                  design->bandwidth, design->boundary, design->dimension, error);
  if (status) return status;
  const sfmi_torus_sums *s = &design->spectrum;
  if (sfmi_design_density_spectrum_fits(s)) return SFM_OK;
  const size_t grid = s->modes > s->lattice.length ? s->modes : s->lattice.length;
  return sfmi_fail(error, SFM_INVALID,
                   "method gp would need %zu features and a grid of %zu points at this bandwidth; "
                   "at most %zu and %zu fit; use a larger settings.bandwidth, settings.method = "
                   "lattice or settings.engine = random",
                   s->length, grid, SFMI_RELEASE_MAX, SFMI_PADDED_MAX);
}

/* gp that releases a whole function: by random features where there are many columns. */
static sfm_status take_gp(sfmi_design_density *design, const sfm_density_settings *settings,
                          double rows, sfm_error *error) {
  sfm_density_settings gp = *settings;
  gp.method = SFM_DENSITY_GP;
  if (!sfmi_density_settings_random(&gp)) return take_spectrum(design, settings, error);
  design->method = SFM_DENSITY_GP;
  design->engine = SFM_ENGINE_RANDOM;
  sfmi_density_settings_lay_boundary(design, settings, design->method);
  return sfmi_design_random_features_choose(design, settings, rows, error);
}

static sfm_status take_placed(sfmi_design_density *design, const sfm_density_settings *settings,
                              sfm_density_method method, sfm_error *error) {
  sfm_density_settings asked = *settings;
  asked.method = method;
  sfmi_density_settings_lay_boundary(design, settings, method);
  return sfmi_process_plan(design, &asked, error);
}

static sfm_status take_terms(sfmi_design_density *design, const sfm_density_settings *settings,
                             const sfmi_candidate *candidate, double rows, sfm_error *error) {
  design->method = candidate->kind == SFMI_CANDIDATE_FOURIER ? SFM_DENSITY_FOURIER_LAPLACE
                                                             : SFM_DENSITY_CARATHEODORY;
  sfmi_density_settings_lay_boundary(design, settings, design->method);
  design->body =
      candidate->kind == SFMI_CANDIDATE_HULL ? SFM_DENSITY_BODY_HULL : SFM_DENSITY_BODY_EXACT;
  return sfmi_fourier_terms_design(design, candidate->terms, settings->terms, rows, error);
}

/* What is said of it; errors come from the candidate. */
static void fill_plan(sfmi_design_density *design) {
  sfm_density_choice *plan = &design->plan;
  const bool lattice = design->method == SFM_DENSITY_LATTICE,
             random = sfmi_design_density_random(design);
  plan->method = design->method;
  plan->engine = design->engine;
  memcpy(plan->bandwidth, design->bandwidth, design->dimension * sizeof *plan->bandwidth);
  if (sfmi_design_density_placed(design)) return;
  plan->order = lattice ? design->lattice.order : 0;
  plan->noise = lattice ? design->noise : SFM_DENSITY_NOISE_AUTO;
  plan->coefficients = lattice  ? design->groups * design->lattice.length
                       : random ? sfmi_design_random_features_length(design)
                                : design->spectrum.length;
  for (size_t a = 0; a < design->dimension && !random; a++) {
    plan->points[a] = lattice ? design->lattice.axis[a].points : design->spectrum.features[a];
    plan->spacing[a] = lattice ? design->lattice.axis[a].spacing : 0;
  }
}

static void fill_errors(sfm_density_choice *plan, const sfm_forecast *f) {
  plan->privacy = f->privacy;
  plan->sampling = f->sampling;
  plan->smoothing = f->smoothing;
  plan->truncation = f->truncation;
  plan->aliasing = f->aliasing;
  plan->total = f->total;
}

sfm_status sfmi_design_density_take(sfmi_design_density *design,
                                    const sfm_density_settings *settings,
                                    const sfmi_candidate *candidate, double rows,
                                    sfm_error *error) {
  sfm_status status;
  memcpy(design->bandwidth, candidate->bandwidth, sizeof design->bandwidth);
  switch (candidate->kind) {
  case SFMI_CANDIDATE_LAPLACE:
  case SFMI_CANDIDATE_NORMAL:
    design->noise = candidate->kind == SFMI_CANDIDATE_NORMAL ? SFM_DENSITY_NOISE_NORMAL
                                                             : SFM_DENSITY_NOISE_LAPLACE;
    status = take_lattice(design, settings, candidate->order, candidate->rho, rows, error);
    break;
  case SFMI_CANDIDATE_SPECTRAL:
  case SFMI_CANDIDATE_RANDOM:
    status = take_gp(design, settings, rows, error);
    break;
  case SFMI_CANDIDATE_PLACED:
  case SFMI_CANDIDATE_SOBOLEV:
    status = take_placed(
        design, settings,
        candidate->kind == SFMI_CANDIDATE_SOBOLEV ? SFM_DENSITY_SOBOLEV : SFM_DENSITY_GP, error);
    break;
  default:
    status = take_terms(design, settings, candidate, rows, error);
  }
  if (status) return status;
  fill_plan(design);
  fill_errors(&design->plan, &candidate->forecast);
  return SFM_OK;
}

/* ---- where nothing is known of the number of records ---- */

/* The privacy error in squared density units times squared records. */
static sfm_status blind_noise(double *noise, const sfmi_design_density *design, double epsilon,
                              const sfmi_kde_problem *problem, const sfmi_kde_risk *kde_risk,
                              sfm_error *error) {
  sfmi_density_errors errors;
  sfm_status status = SFM_OK;
  if (design->method == SFM_DENSITY_LATTICE) {
    const double s = sfmi_design_density_lattice_sensitivity(design);
    status = sfmi_density_errors_lattice(&errors, &design->lattice, design->bandwidth, problem,
                                         kde_risk, true, error);
    errors.noise *= design->noise == SFM_DENSITY_NOISE_NORMAL ? s * s / (design->mu * design->mu)
                                                              : 2 * s * s / (epsilon * epsilon);
  } else if (design->engine == SFM_ENGINE_RANDOM) {
    sfmi_design_random_features_errors(&errors, design, design->kernel, 0, design->features,
                                       kde_risk, false);
    errors.noise /= design->mu * design->mu;
  } else {
    const double sigma = sfmi_design_density_spectrum_sensitivity(design) / design->mu;
    sfmi_density_errors_spectrum(&errors, &design->spectrum, design->bandwidth, kde_risk);
    errors.noise *= sigma * sigma;
  }
  *noise = errors.noise;
  return status;
}

/* Makes a design of one kind (AUTO: gp) and takes it if it is better than the best so far. */
static sfm_status try_blind(sfmi_design_density *best, double *least,
                            const sfmi_design_density *checked,
                            const sfm_density_settings *settings, sfm_density_noise noise,
                            const sfmi_kde_problem *problem, const sfmi_kde_risk *kde_risk,
                            sfm_error *error) {
  sfmi_design_density design = *checked;
  double predicted;
  design.noise = noise;
  sfm_status status =
      noise == SFM_DENSITY_NOISE_AUTO
          ? take_gp(&design, settings, INFINITY, error)
          : take_lattice(&design, settings, sfmi_lattice_candidates_order(design.dimension),
                         SFMI_SPACING_BLIND, INFINITY, error);
  if (!status)
    status = blind_noise(&predicted, &design, settings->epsilon, problem, kde_risk, error);
  if (status || !(predicted < *least)) return status;
  *least = predicted;
  *best = design;
  return SFM_OK;
}

/* The least noise among lattices of one spacing and order, and gp. */
static sfm_status design_blind(sfmi_design_density *design, const sfm_density_settings *settings,
                               sfm_error *error) {
  const bool gp = settings->method == SFM_DENSITY_GP;
  const bool laplace = !gp && settings->noise != SFM_DENSITY_NOISE_NORMAL;
  const bool normal = !gp && settings->noise != SFM_DENSITY_NOISE_LAPLACE && settings->delta > 0;
  const bool process = gp || (settings->method == SFM_DENSITY_AUTO && settings->delta > 0 &&
                              settings->noise != SFM_DENSITY_NOISE_LAPLACE &&
                              sfmi_density_settings_process_fits(settings) && !settings->by_count);
  const sfmi_design_density checked = *design;
  double least = INFINITY;
  sfmi_shape_model *shape_model = NULL;
  sfmi_kde_risk kde_risk;
  if (!settings->bandwidth)
    return sfmi_fail(
        error, SFM_INVALID,
        "the best bandwidth depends on the number of records, which is private here: say how many "
        "to expect (settings.expected_rows = N), or write settings.bandwidth = H");
  sfm_status status =
      sfmi_shape_model_create(&shape_model, settings->shape, settings->columns, design->dimension,
                              design->lower, design->upper, error);
  if (status) return status;
  const sfmi_kde_problem problem = {shape_model,   design->dimension, checked.lower,
                                    checked.upper, checked.boundary,  settings->kernel};
  status = sfmi_kde_risk_init(&kde_risk, &problem, design->bandwidth, error);
  const bool assessed = !status;
  if (laplace && assessed)
    status = try_blind(design, &least, &checked, settings, SFM_DENSITY_NOISE_LAPLACE, &problem,
                       &kde_risk, error);
  if (normal && assessed)
    status = try_blind(design, &least, &checked, settings, SFM_DENSITY_NOISE_NORMAL, &problem,
                       &kde_risk, error);
  if (process && assessed)
    status = try_blind(design, &least, &checked, settings, SFM_DENSITY_NOISE_AUTO, &problem,
                       &kde_risk, error);
  sfmi_shape_model_destroy(shape_model);
  if (!isfinite(least)) return status;
  fill_plan(design);
  fill_errors(&design->plan, &(sfm_forecast){.privacy = least,
                                             .smoothing = kde_risk.smoothing,
                                             .total = least + kde_risk.smoothing});
  return SFM_OK;
}

/* ---- choosing ---- */

/* Says why nothing can be had at the bandwidth that was asked for, or at the widest. */
static sfm_status explain(sfmi_design_density *design, const sfm_density_settings *settings,
                          double rows, sfm_error *error) {
  const sfm_density_method method = settings->method;
  const bool free = !settings->bandwidth && settings->kernel != SFM_KERNEL_OWN;
  sfm_status status = SFM_OK;
  if (free && settings->gamma)
    return sfmi_fail(
        error, SFM_INVALID,
        "no bandwidth was found that goes with this gamma: leave out the gamma, and the one of "
        "least noise is used, or write a bandwidth (settings.bandwidth = H)");
  if (method == SFM_DENSITY_SOBOLEV ||
      (method == SFM_DENSITY_GP && sfmi_density_settings_placed(settings)))
    status = take_placed(design, settings, method, error);
  else if (sfmi_fourier_terms_method(method))
    status = sfmi_fourier_terms_design(design, 1, settings->terms, rows, error);
  else if (method == SFM_DENSITY_GP ||
           (method == SFM_DENSITY_AUTO && settings->delta > 0 &&
            sfmi_density_settings_process_fits(settings) && !settings->by_count &&
            settings->noise != SFM_DENSITY_NOISE_LAPLACE))
    status = take_gp(design, settings, rows, error);
  else {
    design->noise = settings->noise == SFM_DENSITY_NOISE_NORMAL ? SFM_DENSITY_NOISE_NORMAL
                                                                : SFM_DENSITY_NOISE_LAPLACE;
    status = take_lattice(design, settings, sfmi_lattice_candidates_lowest_order(design->dimension),
                          SFMI_SPACING_MAX, rows, error);
  }
  if (!status && free)
    return sfmi_fail(error, SFM_INVALID,
                     "no bandwidth was found that fits in memory: write one (settings.bandwidth = "
                     "H), use fewer columns or another settings.method");
  return status ? status : sfmi_fail(error, SFM_INTERNAL, "no method was found for this density");
}

static sfm_status choose(sfmi_design_density *design, const sfm_density_settings *settings,
                         double rows, sfm_error *error) {
  sfmi_candidates *candidates = NULL;
  sfmi_candidate candidate;
  bool found = false;
  sfm_status status = sfmi_candidates_create(&candidates, design, settings, rows, false, error);
  if (!status)
    status = sfmi_density_choice_auto(candidates, &candidate, &found, design, settings, rows,
                                      settings->epsilon, error);
  sfmi_candidates_destroy(candidates);
  if (status) return status;
  /* auto never means what is idealised. */
  if (!found ||
      (settings->method == SFM_DENSITY_AUTO && !sfmi_candidate_kind_hardened(candidate.kind)))
    return explain(design, settings, rows, error);
  return sfmi_design_density_take(design, settings, &candidate, rows, error);
}

sfm_status sfmi_design_density_init(sfmi_design_density *design,
                                    const sfm_density_settings *settings, uint64_t rows,
                                    sfm_error *error) {
  sfm_status status = sfmi_density_settings_check(design, settings, error);
  if (status) return status;
  const bool replace = design->neighbours == SFM_NEIGHBOURS_REPLACE;
  if (replace && rows == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "there are no records, only a header line at most: under replace neighbours "
                     "the number of records is "
                     "public and must be at least 1");
  if (replace && rows >= (uint64_t)1 << SFMI_TORUS_SUMS_ROWS_BITS)
    return sfmi_fail(error, SFM_INVALID, "more than 2^%d records are not supported",
                     SFMI_TORUS_SUMS_ROWS_BITS);
  design->rows = replace ? rows : 0;
  if (!replace && !settings->expected_rows) return design_blind(design, settings, error);
  return choose(design, settings, (double)(replace ? rows : settings->expected_rows), error);
}

sfm_status sfm_density_choose(sfm_density_choice *plan, const sfm_density_settings *given,
                              uint64_t rows, sfm_error *error) {
  sfm_density_settings settings;
  sfmi_design_density design;
  sfm_status status = SFMI_TAKE(sfm_density_settings, &settings, given, error);
  if (!status) status = sfmi_design_density_init(&design, &settings, rows, error);
  if (!status) *plan = design.plan;
  return status;
}
