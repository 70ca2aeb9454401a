/* density.c - private rows in, a hardened density out.
 *
 * Order of events (SPEC section 3): all public input is checked and the rows are counted, not
 * interpreted, when their number is public; [a ledger's charge stands here]; rows are read; noise
 * is drawn; the release is handed back to be stored and then shown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/rows.h"
#include "mechanisms/harden.h"
#include "planner/design.h"
#include "planner/settings.h"
#include "releases/band.h"

/* Sums the rows over the lattice. */
static sfm_status read_rows(sfmi_i128 *sums, sfm_rows *rows, const sfmi_selection *selection,
                            const sfmi_lattice *lattice, const sfm_density_settings *settings,
                            sfm_error *error) {
  const sfmi_batch *batch = NULL;
  uint64_t done = 0;
  sfm_status status = sfmi_rows_begin(rows, selection, error);
  while (status == SFM_OK) {
    status = sfmi_rows_next(rows, &batch, error);
    if (status != SFM_OK || !batch) break;
    sfmi_lattice_add(lattice, sums, batch);
    done += batch->rows;
    if (settings->progress) settings->progress(settings->progress_context, done);
  }
  return status;
}

/* The release with all that is public filled in. */
static sfm_status begin_release(sfm_release **out, const sfmi_design *design,
                                const sfm_density_settings *settings, uint64_t rows,
                                sfm_error *error) {
  sfm_release *release = sfmi_release_create();
  *out = release;
  if (!release) return sfmi_fail_memory(error);
  release->density = true;
  release->hardened = true;
  release->is_private = !settings->seeded;
  release->neighbours = design->neighbours;
  release->contributions = design->contributions;
  release->enforced = sfm_schema_person(settings->schema) != NULL;
  release->has_rows = design->neighbours == SFM_REPLACE;
  release->rows = release->has_rows ? rows : 0;
  release->outside = settings->outside;
  release->dimension = design->dimension;
  for (size_t a = 0; a < design->dimension; a++) {
    release->columns[a] = sfmi_copy_string(settings->columns[a]);
    if (!release->columns[a]) return sfmi_fail_memory(error);
    release->lower[a] = design->lower[a];
    release->upper[a] = design->upper[a];
    release->bandwidth[a] = design->bandwidth[a];
  }
  return SFM_OK;
}

static sfm_status set_noise(sfm_release *release, const sfmi_noise_law *law, double step,
                            double sensitivity, size_t length, sfm_error *error) {
  release->step = step;
  release->scale = sfmi_noise_scale(law) * step;
  release->sensitivity = sensitivity;
  release->law = sfmi_copy_string(sfm_noise_law_name(law->law));
  release->length = length;
  release->integers = sfmi_alloc(length, sizeof *release->integers);
  return release->law && release->integers ? SFM_OK : sfmi_fail_memory(error);
}

/* Pure epsilon: the integer lattice itself, with discrete Laplace noise. */
static sfm_status release_lattice(sfm_release *release, const sfmi_design *design,
                                  const sfm_density_settings *settings, const sfmi_i128 *sums,
                                  sfm_error *error) {
  const sfmi_lattice *lattice = &design->lattice;
  const int bits = (int)(lattice->bits * lattice->dimension);
  const double sensitivity = sfmi_design_lattice_sensitivity(design);
  sfmi_noise_law law;
  sfm_status status = sfmi_harden_laplace(&law, ldexp(sensitivity, bits), settings->epsilon, error);
  if (status == SFM_OK)
    status = set_noise(release, &law, ldexp(1, -bits), sensitivity, lattice->length, error);
  if (status != SFM_OK) return status;
  release->method = SFMI_LATTICE;
  release->lattice = *lattice;
  release->guarantee = (sfm_guarantee){.kind = SFM_PURE, .epsilon = settings->epsilon};
  return sfmi_harden(release->integers, sums, lattice->length, &law,
                     (sfmi_seed){settings->seeded, settings->seed}, error);
}

/* value / 2^shift to the nearest integer, halves up. */
static sfmi_i128 shift_round(sfmi_i128 value, int shift) {
  return shift ? (value + ((sfmi_i128)1 << (shift - 1))) >> shift : value;
}

/* mu-GDP: integer sums of features, rounded to the step once, with rounded normal noise. */
static sfm_status release_spectrum(sfm_release *release, const sfmi_design *design,
                                   const sfm_density_settings *settings, const sfmi_i128 *sums,
                                   sfm_error *error) {
  const sfmi_spectrum *spectrum = &design->spectrum;
  const int fine = (int)(spectrum->dimension * (spectrum->lattice.bits + spectrum->precision));
  const double root = sqrt((double)spectrum->length);
  const double exact = sfmi_design_spectrum_sensitivity(design);
  /* A step g moves the sum by at most g sqrt(D)/2 on each side: at most 2^-12 of the sensitivity.
   */
  int coarse = (int)ceil(log2(4096 * root / exact));
  if (coarse > fine) coarse = fine;
  const double step = ldexp(1, -coarse);
  const double sensitivity = exact + (coarse < fine ? step * root : 0);
  sfmi_noise_law law;
  sfm_status status = sfmi_harden_normal(&law, sensitivity / step, design->mu, error);
  if (status == SFM_OK)
    status = set_noise(release, &law, step, sensitivity, spectrum->length, error);
  sfmi_i128 *features = NULL;
  if (status == SFM_OK) status = sfmi_spectrum_transform(spectrum, &features, sums, error);
  if (status == SFM_OK) {
    for (size_t i = 0; i < spectrum->length; i++)
      features[i] = shift_round(features[i], fine - coarse);
    status = sfmi_harden(release->integers, features, spectrum->length, &law,
                         (sfmi_seed){settings->seeded, settings->seed}, error);
  }
  free(features);
  release->method = SFMI_GP;
  memcpy(release->torus, spectrum->torus, sizeof release->torus);
  release->guarantee = (sfm_guarantee){
      .kind = SFM_GDP, .epsilon = settings->epsilon, .delta = settings->delta, .mu = design->mu};
  return status;
}

sfm_status sfm_density_release(sfm_release **out, sfm_density_plan *plan, sfm_rows *rows,
                               const sfm_density_settings *settings, sfm_error *error) {
  *out = NULL;
  sfmi_design *design = sfmi_alloc(1, sizeof *design);
  sfm_release *release = NULL;
  sfmi_i128 *sums = NULL;
  uint64_t count = 0;
  const sfmi_selection selection = {settings->schema, settings->columns, settings->dimension,
                                    settings->outside};
  sfm_status status =
      design ? sfmi_settings_check(design, settings, error) : sfmi_fail_memory(error);
  if (status == SFM_OK) status = sfmi_rows_begin(rows, &selection, error);
  if (status == SFM_OK && sfm_schema_neighbours(settings->schema) == SFM_REPLACE)
    status = sfm_rows_count(rows, &count, error);
  if (status == SFM_OK) status = sfmi_design_init(design, settings, count, error);
  if (status == SFM_OK) status = begin_release(&release, design, settings, count, error);
  if (status != SFM_OK) goto done;
  const bool gp = design->method == SFM_DENSITY_GP;
  const sfmi_lattice *lattice = gp ? &design->spectrum.lattice : &design->lattice;
  sums = sfmi_alloc(lattice->length, sizeof *sums);
  status =
      sums ? read_rows(sums, rows, &selection, lattice, settings, error) : sfmi_fail_memory(error);
  if (status == SFM_OK)
    status = gp ? release_spectrum(release, design, settings, sums, error)
                : release_lattice(release, design, settings, sums, error);
  if (status == SFM_OK) status = sfmi_band_density(release, settings->confidence, lattice, error);
  if (status == SFM_OK && !sfmi_release_write_sentence(release)) status = sfmi_fail_memory(error);
done:
  if (sums && design) {
    size_t length =
        design->method == SFM_DENSITY_GP ? design->spectrum.lattice.length : design->lattice.length;
    explicit_bzero(sums, length * sizeof *sums);
  }
  if (plan && status == SFM_OK) *plan = design->plan;
  free(sums);
  free(design);
  if (status != SFM_OK) {
    sfm_release_destroy(release);
  } else {
    *out = release;
  }
  return status;
}
