#include "gaussian_process.h"

#include <math.h>

#include "features/kernels/sobolev_sensitivity.h"
#include "design_density.h"
#include "features/kernels/sobolev_norm.h"
#include "privacy/calibration.h"
#include "release_places.h"

/* How far an engine's covariance may fall short of the exact one, as a factor: the steps of a
 * Markov process round, 2^24 of them by less than 1e-9. */
static const double ENGINE_SLACK = 1e-8;
/* Multiplications allowed for the values: some minutes. */
static const double WORK_MAX = 0x1p36;

/* Both sides' rounding is seen through what the engines' own rounding leaves of the nugget. */
double sfmi_process_sensitivity(double norm, double rounding, double nugget, double values) {
  return (norm + 2 * rounding * sqrt(values / (nugget / 2))) * (1 + ENGINE_SLACK);
}

/* How far a row that is replaced moves its function in the space of its own kernel. */
static double norm_of(const sfm_kernel *kernel) {
  return (sfmi_kernel_nonnegative(kernel) ? M_SQRT2 : 2) * sqrt(sfm_kernel_sup(kernel));
}

/* The same in the Sobolev space, whose gammas are chosen where none are asked for. */
static double sobolev_norm(sfmi_process *process, const sfmi_design_density *design,
                           const double *gamma) {
  sfmi_sobolev_axis axes[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < design->dimension; a++)
    axes[a] = (sfmi_sobolev_axis){
        sfmi_sobolev_width(design->lower[a], design->upper[a], design->bandwidth[a]),
        gamma ? gamma[a] * design->bandwidth[a] : 0};
  if (!gamma) sfmi_sobolev_choose_rates(axes, design->dimension);
  process->sobolev = true;
  for (size_t a = 0; a < design->dimension; a++) {
    process->gamma[a] = gamma ? gamma[a] : axes[a].rate / design->bandwidth[a];
    process->inverse[a] = 1 / process->gamma[a];
  }
  return sfmi_sobolev_sensitivity(axes, design->dimension);
}

/* Everything but the guarantee. */
static sfm_status measure(sfmi_process *process, const sfmi_design_density *design,
                          const sfm_density_settings *settings, double values, sfm_error *error) {
  sfm_kernel kernel = {
      .family = settings->kernel, .dimension = design->dimension, .bandwidth = design->bandwidth};
  if (settings->kernel == SFM_KERNEL_OWN) kernel = *settings->own;
  /* sobolev: both suprema are 1. */
  *process = (sfmi_process){.mass = 1, .nugget = SFMI_NUGGET * sfm_kernel_sup(&kernel)};
  if (sfmi_kernel_stationary(kernel.family)) process->mass = sfmi_kernel_mass(&kernel);
  sfm_status status =
      sfmi_kernel_sum_init(&process->masses, &kernel, design->lower, design->upper, error);
  if (status) return status;
  const double norm = settings->method == SFM_DENSITY_SOBOLEV
                          ? sobolev_norm(process, design, settings->gamma)
                          : norm_of(&kernel);
  process->sensitivity = sfmi_process_sensitivity(
      norm * design->contributions, sfmi_kernel_sum_error(&process->masses) * design->contributions,
      process->nugget, values);
  return SFM_OK;
}

sfm_status sfmi_process_init(sfmi_process *process, const sfmi_design_density *design,
                             const sfm_density_settings *settings, double values,
                             sfm_error *error) {
  sfm_status status = measure(process, design, settings, values, error);
  if (!status)
    status = sfmi_gdp_mu_for(&process->mu, settings->epsilon, settings->delta,
                             settings->calibration, error);
  if (!status) process->scale = process->sensitivity / process->mu;
  return status;
}

sfm_kernel sfmi_process_kernel(const sfmi_process *process) {
  sfm_kernel kernel = process->masses.kernel;
  kernel.bandwidth = process->masses.bandwidth;
  return kernel;
}

sfm_kernel sfmi_process_noise(const sfmi_process *process) {
  sfm_kernel kernel = sfmi_process_kernel(process);
  if (!process->sobolev) return kernel;
  kernel.family = SFM_KERNEL_LAPLACIAN;
  kernel.bandwidth = process->inverse;
  return kernel;
}

/* int over the domain of the variance of sensitivity 1, mu 1 and 1 record. */
static double unit_noise(const sfmi_design_density *design, const sfmi_process *process) {
  const double sup =
      sfmi_kernel_stationary(process->masses.kernel.family) ? 1 : process->masses.kernel.bound;
  double volume = 1;
  for (size_t a = 0; a < design->dimension; a++) volume *= design->upper[a] - design->lower[a];
  return (sup + process->nugget) * volume / (process->mass * process->mass);
}

sfm_status sfmi_process_noise_of(double *noise, const sfmi_design_density *design,
                                 const sfm_density_settings *settings, double values,
                                 sfm_error *error) {
  sfmi_process process;
  sfm_status status = measure(&process, design, settings, values, error);
  if (!status) *noise = process.sensitivity * process.sensitivity * unit_noise(design, &process);
  return status;
}

bool sfmi_process_gamma_fits(const sfmi_design_density *design, const double *gamma) {
  for (size_t a = 0; gamma && a < design->dimension; a++) {
    const double rate = gamma[a] * design->bandwidth[a];
    if (!(rate >= SFMI_SOBOLEV_RATE_MIN && rate <= SFMI_SOBOLEV_RATE_MAX)) return false;
  }
  return true;
}

double sfmi_process_sobolev_guess(const sfmi_design_density *design, const double *gamma) {
  double square = 2, unit = 1;
  for (size_t a = 0; a < design->dimension; a++) {
    const double h = design->bandwidth[a];
    sfmi_sobolev_axis axis = {sfmi_sobolev_width(design->lower[a], design->upper[a], h),
                              gamma ? gamma[a] * h : 0};
    axis.width = fmin(axis.width, SFMI_SOBOLEV_ALIKE);
    if (!gamma) sfmi_sobolev_choose_rates(&axis, 1);
    const double one = sfmi_sobolev_sensitivity(&axis, 1);
    square *= one * one / 2;
    unit *= (design->upper[a] - design->lower[a]) / (2 * M_PI * h * h);
  }
  return square * design->contributions * design->contributions * unit;
}

/* 1 - coth z + 1/z. */
static double seen(double z) {
  return z < 1e-3 ? 1 - z / 3 : 1 - 1 / tanh(z) + 1 / z;
}

sfm_status sfmi_process_gaps(sfmi_gaps *gaps, const sfmi_design_density *design,
                             const sfm_density_settings *settings, sfm_error *error) {
  sfmi_places places;
  double law = 0, row = 0; /* sums over the axes so far of means of what is missed */
  *gaps = (sfmi_gaps){.noise = 1};
  sfm_status status = sfmi_places_choose(&places, design->dimension, design->lower, design->upper,
                                         settings->release_points, settings->release_count,
                                         settings->release_grid, error);
  if (status || places.points) return status;
  for (size_t a = 0; a < design->dimension; a++) {
    const double h = design->bandwidth[a],
                 s = (design->upper[a] - design->lower[a]) / (double)(places.counts[a] - 1),
                 gamma = settings->gamma ? settings->gamma[a] : SFMI_SOBOLEV_RATE_USUAL / h;
    const double flat = gamma * gamma, bent = flat + 1 / (2 * h * h);
    /* The means of t (s - t)/2 and of its square are s^2/12 and s^4/120. */
    gaps->noise *= seen(gamma * s);
    gaps->law += pow(s, 4) / 120 * flat * flat + 2 * law * s * s / 12 * flat;
    gaps->row +=
        pow(s, 4) / 120 * (bent * bent + 1 / (2 * pow(h, 4))) + 2 * row * s * s / 12 * bent;
    law += s * s / 12 * flat;
    row += s * s / 12 * bent;
  }
  gaps->law = fmin(gaps->law, 1);
  gaps->row = fmin(gaps->row, 1);
  return SFM_OK;
}

sfm_status sfmi_process_plan(sfmi_design_density *design, const sfm_density_settings *settings,
                             sfm_error *error) {
  sfmi_places *places = &design->places;
  sfm_status status = sfmi_places_choose(places, design->dimension, design->lower, design->upper,
                                         settings->release_points, settings->release_count,
                                         settings->release_grid, error);
  if (!status)
    status = sfmi_process_init(&design->process, design, settings, (double)places->count, error);
  if (status) return status;
  const sfm_kernel kernel = sfmi_process_noise(&design->process);
  design->method = settings->method;
  design->mu = design->process.mu;
  design->engine =
      settings->engine == SFM_ENGINE_AUTO ? sfmi_field_choose(&kernel, places) : settings->engine;
  status = sfmi_field_suits(design->engine, &kernel, places, error);
  if (!status) status = sfmi_places_bounded(places, &kernel, error);
  if (!status && sfmi_kernel_sum_work(&design->process.masses, places->count) > WORK_MAX)
    status = sfmi_fail(
        error, SFM_INVALID,
        "%zu values of a lattice of %zu points would take too long; release fewer "
        "(settings.release_grid, settings.release_points), or use a larger settings.bandwidth",
        places->count, design->process.masses.lattice.length);
  if (status) return status;
  design->plan.method = design->method;
  design->plan.engine = design->engine;
  design->plan.coefficients = places->count;
  for (size_t a = 0; a < design->dimension; a++) design->plan.points[a] = places->counts[a];
  return SFM_OK;
}
