#include "density_integers.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/cmplx.h"
#include "estimators/sums/frequency_sums.h"
#include "mechanisms/core/rows_pass.h"
#include "planner/density/density_template.h"
#include "planner/density/fourier_terms.h"
#include "planner/density/gaussian_process.h"
#include "random_feature_sums.h"

sfmi_selection sfmi_density_selection(const sfm_density_settings *settings) {
  return (sfmi_selection){settings->context.schema, settings->columns, settings->dimension,
                          settings->outside};
}

/* What rows are added to: a lattice's sums, or those of random features. */
typedef struct sink {
  const sfmi_lattice *lattice;
  sfmi_i128 *sums;
  sfmi_random_feature_sums *feature_sums;
} sink;

static void add_batch(const sink *to, const sfmi_batch *batch) {
  if (to->feature_sums)
    sfmi_random_feature_sums_add(to->feature_sums, batch);
  else
    sfmi_lattice_add(to->lattice, to->sums, batch, batch->group);
}

/* Sums the rows. */
static sfm_status read_rows(const sink *to, sfm_rows *rows, const sfm_density_settings *settings,
                            sfm_error *error) {
  const sfmi_selection selection = sfmi_density_selection(settings);
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {rows, &settings->context, 0, 0};
  sfm_status status = sfmi_rows_begin_by(rows, &selection, settings->by, settings->by_count, error);
  while (sfmi_rows_pass_next(&pass, &batch, &status, error)) add_batch(to, batch);
  return status;
}

/* Where the rows are spread. */
static const sfmi_lattice *lattice_of(const sfmi_design_density *design) {
  if (sfmi_design_density_placed(design)) return &design->process.masses.lattice;
  return design->method == SFM_DENSITY_LATTICE ? &design->lattice : &design->spectrum.lattice;
}

size_t sfmi_density_public(const sfmi_design_density *design) {
  return sfmi_fourier_terms_method(design->method);
}

sfmi_i128 sfmi_fourier_constant(const sfmi_design_density *design,
                                const sfmi_hardening *hardening) {
  return (sfmi_i128)design->rows << -ilogb(hardening->step);
}

sfm_status sfmi_density_hardening(sfmi_hardening *out, const sfmi_design_density *design,
                                  double epsilon, sfm_error *error) {
  const sfmi_steps steps = sfmi_density_template_steps(design);
  const double count = steps.sensitivity / steps.step;
  *out = (sfmi_hardening){.step = steps.step, .sensitivity = steps.sensitivity};
  if (design->method == SFM_DENSITY_CARATHEODORY) return SFM_OK;
  const bool normal =
      design->method == SFM_DENSITY_GP ||
      (design->method == SFM_DENSITY_LATTICE && design->noise == SFM_DENSITY_NOISE_NORMAL);
  return normal ? sfmi_harden_normal(&out->law, count, design->mu, error)
                : sfmi_harden_laplace(&out->law, count, epsilon, error);
}

static sfm_status random_sum(sfmi_sums *sums, const sfmi_design_density *design, sfm_rows *rows,
                             const sfm_density_settings *settings, sfm_error *error) {
  sfmi_random_feature_sums *feature_sums = NULL;
  sfm_status status = sfmi_random_feature_sums_create(&feature_sums, design, sums->integers, error);
  if (!status) status = read_rows(&(sink){.feature_sums = feature_sums}, rows, settings, error);
  sfmi_random_feature_sums_destroy(feature_sums);
  return status;
}

sfm_status sfmi_density_sum(sfmi_sums *sums, const sfmi_design_density *design, sfm_rows *rows,
                            const sfm_density_settings *settings, sfm_error *error) {
  const bool random = sfmi_design_density_random(design);
  const sfmi_lattice *lattice = random ? NULL : lattice_of(design);
  const size_t groups = sfmi_design_density_placed(design) ? 1 : design->groups,
               length = random ? sfmi_random_feature_sums_length(design) : groups * lattice->length;
  const sfm_status status = sfmi_sums_init(sums, SFMI_SUMS_INTEGERS, length, error);
  if (status || !rows) return status;
  return random ? random_sum(sums, design, rows, settings, error)
                : read_rows(&(sink){.lattice = lattice, .sums = sums->integers}, rows, settings,
                            error);
}

/* As many records as the arithmetic behind the sums allows (lattice.h, torus_sums.h,
 * kernel_sum.c), of random features too, whose number stands behind them. */
bool sfmi_density_sum_fits(const sfmi_sums *sums, const sfmi_design_density *design) {
  enum { RANDOM_ROWS_BITS = 48, LATTICE_BITS = 124 };
  if (sfmi_design_density_random(design))
    return sfmi_sums_are_within(sums, 0, SFMI_FREQUENCY_SUMS_BITS + 1 + RANDOM_ROWS_BITS) &&
           sfmi_sums_are_within(sums, sums->count - 1, RANDOM_ROWS_BITS);
  if (design->method == SFM_DENSITY_LATTICE) return sfmi_sums_are_masses(sums, LATTICE_BITS);
  const sfmi_lattice *lattice = lattice_of(design);
  return sfmi_sums_are_masses(sums, lattice->bits * (unsigned)lattice->dimension +
                                        SFMI_TORUS_SUMS_ROWS_BITS);
}

/* The sums of the lattice as features, in steps. */
static sfm_status take_spectrum(sfmi_i128 **values, const sfmi_design_density *design,
                                const sfmi_hardening *hardening, const sfmi_i128 *sums,
                                sfm_error *error) {
  const sfmi_torus_sums *spectrum = &design->spectrum;
  const sfm_status status = sfmi_torus_sums_transform(spectrum, values, sums, error);
  if (status) return status;
  const int shift = sfmi_density_template_fine(spectrum) + ilogb(hardening->step);
  for (size_t i = 0; i < spectrum->length; i++)
    (*values)[i] = sfmi_shift_round((*values)[i], shift);
  if (spectrum->flat) (*values)[0] = sfmi_fourier_constant(design, hardening);
  return SFM_OK;
}

sfm_status sfmi_density_take(sfmi_i128 **values, const sfmi_design_density *design,
                             const sfmi_hardening *hardening, sfmi_sums *sums, sfm_error *error) {
  *values = NULL;
  if (sfmi_design_density_random(design))
    return sfmi_random_feature_sums_integers(values, design, sums->integers, hardening, error);
  if (design->method != SFM_DENSITY_LATTICE)
    return take_spectrum(values, design, hardening, sums->integers, error);
  *values = sums->integers;
  sums->integers = NULL;
  return SFM_OK;
}

sfm_status sfmi_density_integers(sfmi_i128 **values, const sfmi_design_density *design,
                                 const sfmi_hardening *hardening, sfm_rows *rows,
                                 const sfm_density_settings *settings, sfm_error *error) {
  sfmi_sums sums = {0};
  *values = NULL;
  sfm_status status = sfmi_density_sum(&sums, design, rows, settings, error);
  if (!status) status = sfmi_density_take(values, design, hardening, &sums, error);
  sfmi_sums_clear(&sums);
  return status;
}

sfm_status sfmi_fourier_idealise(sfm_release *release, sfmi_knorm *knorm, const sfmi_i128 *values,
                                 double step, const sfm_context *context, sfm_error *error) {
  const size_t m = release->function->torus[0].terms;
  double complex *c = sfmi_alloc(m, sizeof *c);
  if (!c) return sfmi_fail_memory(error);
  /* The moments: without the features' sqrt2. */
  for (size_t k = 1; k <= m; k++)
    c[k - 1] = CMPLX((double)values[2 * k - 1] * step * M_SQRT1_2,
                     (double)values[2 * k] * step * M_SQRT1_2);
  sfm_status status = sfmi_knorm_add(knorm, c, c, release->scale, context, error);
  if (!status) {
    release->reals[0] = (double)release->rows;
    for (size_t k = 1; k <= m; k++) {
      release->reals[2 * k - 1] = M_SQRT2 * creal(c[k - 1]);
      release->reals[2 * k] = M_SQRT2 * cimag(c[k - 1]);
    }
  }
  sfmi_wipe_free(c, m, sizeof *c);
  return status;
}

sfm_status sfmi_process_sums(sfmi_i128 **sums, const sfmi_process *process, sfm_rows *rows,
                             const sfm_density_settings *settings, sfm_error *error) {
  *sums = sfmi_alloc(process->masses.lattice.length, sizeof **sums);
  if (!*sums) return sfmi_fail_memory(error);
  const sink to = {.lattice = &process->masses.lattice, .sums = *sums};
  sfm_status status = read_rows(&to, rows, settings, error);
  if (status) sfmi_process_wipe(sums, process);
  return status;
}

void sfmi_process_wipe(sfmi_i128 **sums, const sfmi_process *process) {
  sfmi_wipe_free(*sums, process->masses.lattice.length, sizeof **sums);
  *sums = NULL;
}

sfm_status sfmi_process_values(sfmi_i128 **values, const sfmi_process *process,
                               const sfmi_places *places, const sfmi_i128 *sums, sfm_error *error) {
  sfmi_kernel_evaluator *kernel_evaluator = NULL;
  double x[SFM_MAX_DIMENSION];
  *values = sfmi_alloc(places->count, sizeof **values);
  if (!*values) return sfmi_fail_memory(error);
  sfm_status status =
      sfmi_kernel_evaluator_create(&kernel_evaluator, &process->masses, sums, error);
  for (size_t i = 0; !status && i < places->count; i++) {
    sfmi_places_at(places, i, x);
    sfmi_kernel_evaluator_at(kernel_evaluator, &(*values)[i], x, 1);
  }
  sfmi_kernel_evaluator_destroy(kernel_evaluator);
  if (!status) return SFM_OK;
  free(*values);
  *values = NULL;
  return status;
}
