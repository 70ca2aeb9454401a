#include "density_template.h"

#include <math.h>
#include <string.h>

#include "data/schema/schema.h"
#include "design_random_features.h"
#include "fourier_terms.h"
#include "privacy/calibration.h"
#include "gaussian_process.h"
#include "releases/core/release_kind.h"

/* Rounding to the step costs at most this share of the sensitivity. */
static const double STEP_SHARE = 0x1p-12;

int sfmi_density_template_fine(const sfmi_torus_sums *spectrum) {
  return (int)(spectrum->dimension * (spectrum->lattice.bits + spectrum->precision));
}

/* The step is the coarsest power of two for which `growth` steps are at most STEP_SHARE of the
 * exact sensitivity; it is never finer than 2^-fine, at which nothing is rounded. */
static sfmi_steps coarsen(double exact, double growth, int fine) {
  int coarse = (int)ceil(log2(growth / (STEP_SHARE * exact)));
  if (coarse < 0) coarse = 0;
  if (coarse > fine) coarse = fine;
  const double step = ldexp(1, -coarse);
  return (sfmi_steps){step, exact + (coarse < fine ? step * growth : 0)};
}

sfmi_steps sfmi_density_template_steps(const sfmi_design_density *design) {
  const sfmi_torus_sums *s = &design->spectrum;
  if (sfmi_design_density_random(design))
    return coarsen(sfmi_design_random_features_sensitivity(design),
                   sqrt((double)sfmi_design_random_features_length(design)), 1000);
  if (design->method == SFM_DENSITY_CARATHEODORY)
    return (sfmi_steps){ldexp(1, -sfmi_density_template_fine(s)), design->movement};
  if (design->method == SFM_DENSITY_FOURIER_LAPLACE)
    return coarsen(design->movement, (double)s->length - 1, sfmi_density_template_fine(s));
  if (design->method == SFM_DENSITY_GP)
    return coarsen(sfmi_design_density_spectrum_sensitivity(design), sqrt((double)s->length),
                   sfmi_density_template_fine(s));
  /* The integer lattice itself: nothing is rounded again. */
  const int bits = (int)(design->lattice.bits * design->lattice.dimension);
  return (sfmi_steps){ldexp(1, -bits), sfmi_design_density_lattice_sensitivity(design)};
}

/* The columns that make groups and their categories, as the schema states them. */
static sfm_status copy_groups(sfmi_partition *by, const sfm_density_settings *settings,
                              sfm_error *error) {
  sfmi_partition stated = {.count = settings->by_count}; /* borrows */
  for (size_t i = 0; i < settings->by_count; i++) {
    const sfm_column *column = sfm_schema_find(settings->context.schema, settings->by[i]);
    stated.columns[i] = (char *)(uintptr_t)column->name;
    stated.labels[i] = (char **)(uintptr_t)sfmi_column_categories(column, &stated.sizes[i]);
  }
  return sfmi_partition_copy(by, &stated) ? SFM_OK : sfmi_fail_memory(error);
}

/* What all methods have. */
static sfm_status begin(sfm_release *release, const sfmi_design_density *design,
                        const sfm_density_settings *settings, uint64_t rows, sfm_error *error) {
  release->hardened =
      !sfmi_design_density_placed(design) && design->method != SFM_DENSITY_CARATHEODORY;
  release->has_rows = design->neighbours == SFM_NEIGHBOURS_REPLACE;
  release->rows = release->has_rows ? rows : 0;
  release->outside = settings->outside;
  release->dimension = design->dimension;
  for (size_t a = 0; a < design->dimension; a++) {
    if (!sfmi_release_set_column(release, a, settings->columns[a], design->lower[a],
                                 design->upper[a]))
      return sfmi_fail_memory(error);
    release->function->bandwidth[a] = design->bandwidth[a];
    release->boundary[a] = design->boundary[a];
  }
  return copy_groups(&release->function->by, settings, error);
}

sfm_status sfmi_density_template_set_process(sfm_release *release, sfm_engine engine,
                                             const sfm_kernel *kernel, const sfmi_places *places,
                                             double nugget, sfm_error *error) {
  const size_t numbers = places->count * places->dimension;
  release->method = SFMI_GP;
  release->function->engine = engine;
  release->function->kernel = kernel->family;
  release->function->degree = kernel->degree;
  release->function->constant = kernel->constant;
  release->function->sup = sfm_kernel_sup(kernel);
  release->function->nugget = nugget;
  release->function->places = *places;
  release->length = places->count;
  release->law = SFM_NOISE_LAW_NORMAL;
  release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  if (!release->reals) return sfmi_fail_memory(error);
  if (!places->points) return SFM_OK;
  release->function->points = sfmi_alloc(numbers, sizeof *release->function->points);
  if (!release->function->points) return sfmi_fail_memory(error);
  memcpy(release->function->points, places->points, numbers * sizeof *release->function->points);
  release->function->places.points = release->function->points;
  return SFM_OK;
}

static sfm_status set_placed(sfm_release *release, const sfmi_design_density *design,
                             const sfm_density_settings *settings, sfm_error *error) {
  const sfmi_process *process = &design->process;
  const sfm_kernel kernel = sfmi_process_kernel(process);
  release->sensitivity = process->sensitivity;
  release->guarantee = sfmi_guarantee_of_noise(settings->epsilon, settings->delta, process->mu);
  sfm_status status = sfmi_density_template_set_process(release, design->engine, &kernel,
                                                        &design->places, process->nugget, error);
  if (!status && process->sobolev) {
    release->method = SFMI_SOBOLEV;
    memcpy(release->function->gamma, process->gamma, sizeof release->function->gamma);
  }
  return status;
}

static void set_frequencies(sfm_release *release, const sfmi_design_density *design) {
  release->method =
      design->method == SFM_DENSITY_FOURIER_LAPLACE ? SFMI_FOURIER_LAPLACE : SFMI_CARATHEODORY;
  release->function->density_body = design->body;
  release->length = design->spectrum.length;
  for (size_t a = 0; a < design->dimension; a++) {
    release->function->torus[a] = design->spectrum.torus[a];
    release->boundary[a] =
        release->function->torus[a].margin > 0 ? SFM_BOUNDARY_OPEN : SFM_BOUNDARY_PERIODIC;
  }
}

static void set_gp(sfm_release *release, const sfmi_design_density *design) {
  release->method = SFMI_GP;
  release->function->engine = design->engine;
  release->function->kernel = design->kernel;
  release->length = sfmi_design_density_random(design) ? sfmi_design_random_features_length(design)
                                                       : design->spectrum.length;
  memcpy(release->function->torus, design->spectrum.torus, sizeof release->function->torus);
}

static void set_lattice(sfm_release *release, const sfmi_design_density *design) {
  release->method = SFMI_LATTICE;
  release->function->lattice = design->lattice;
  release->length = design->groups * design->lattice.length;
}

/* Integers, or reals where they are idealised, and their noise. */
static sfm_status set_summed(sfm_release *release, const sfmi_design_density *design,
                             const sfm_density_settings *settings, const sfmi_steps *steps,
                             sfm_error *error) {
  const bool frequencies = sfmi_fourier_terms_method(design->method),
             gp = design->method == SFM_DENSITY_GP;
  const bool normal = gp || (!frequencies && design->noise == SFM_DENSITY_NOISE_NORMAL);
  if (frequencies)
    set_frequencies(release, design);
  else if (gp)
    set_gp(release, design);
  else
    set_lattice(release, design);
  release->step = release->hardened ? steps->step : 0;
  release->sensitivity = steps->sensitivity;
  release->guarantee =
      sfmi_guarantee_of_noise(settings->epsilon, settings->delta, normal ? design->mu : 0);
  release->law = !release->hardened ? SFM_NOISE_LAW_KNORM
                 : normal           ? SFM_NOISE_LAW_ROUNDED_NORMAL
                                    : SFM_NOISE_LAW_DISCRETE_LAPLACE;
  if (release->hardened)
    release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  else
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  const bool good = release->integers || release->reals;
  return good ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_density_template_create(sfm_release **out, const sfmi_design_density *design,
                                        const sfm_density_settings *settings, uint64_t rows,
                                        const sfmi_steps *steps, double scale, sfm_error *error) {
  /* The mean of an own kernel is no density. */
  const bool own = settings->kernel == SFM_KERNEL_OWN;
  sfm_release *release = *out = sfmi_release_begin(own ? &sfmi_function_kind : &sfmi_density_kind,
                                                   SFMI_LATTICE, &settings->context);
  if (!release) return sfmi_fail_memory(error);
  release->scale = scale;
  sfm_status status = begin(release, design, settings, rows, error);
  if (status) return status;
  return steps ? set_summed(release, design, settings, steps, error)
               : set_placed(release, design, settings, error);
}
