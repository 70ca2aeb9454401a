/* series_release.c - the density of one private column as the first terms of an orthonormal series.
 */
#include "base/system/sized_struct.h"
#include "sfumato/series.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "mechanisms/core/partial_run.h"
#include "mechanisms/core/release_run.h"
#include "mechanisms/core/rows_pass.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/vector_noise.h"
#include "series_release.h"
#include "releases/band/band.h"

/* What a release is made of, step by step. */
typedef struct series_run {
  sfmi_release_run base;
  const sfm_series_settings *settings; /* borrowed */
  sfmi_design_series series_design;
  sfmi_hardener *hardener; /* this, */
  sfmi_stream *stream;     /* or for gamma this */
  size_t count;
  sfmi_i128 *values; /* PRIVATE, count of them */
} series_run;

static sfmi_selection selected(const sfm_series_settings *settings) {
  return (sfmi_selection){settings->context.schema, &settings->column, 1, settings->outside};
}

sfm_status sfmi_series_hardening(sfmi_hardening *out, const sfmi_design_series *series_design,
                                 const sfm_series_settings *settings, sfm_error *error) {
  const double steps = series_design->sensitivity / series_design->step;
  out->step = series_design->step;
  out->sensitivity = series_design->sensitivity;
  return settings->noise == SFM_VECTOR_NOISE_LAPLACE
             ? sfmi_harden_laplace(&out->law, steps, series_design->rate, error)
             : sfmi_harden_normal(&out->law, steps, series_design->rate, error);
}

/* Reads the rows into the masses of the lattice. */
static sfm_status read_rows(sfmi_i128 *masses, const sfmi_design_series *series_design,
                            sfm_rows *rows, const sfm_series_settings *settings, sfm_error *error) {
  const sfmi_selection selection = selected(settings);
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {rows, &settings->context, 0, 0};
  sfm_status status = sfmi_rows_begin(rows, &selection, error);
  while (sfmi_rows_pass_next(&pass, &batch, &status, error))
    sfmi_basis_sums_add(series_design->moments, masses, batch);
  return status;
}

static sfm_status sum_rows(sfmi_sums *sums, const sfmi_design_series *series_design, sfm_rows *rows,
                           const sfm_series_settings *settings, sfm_error *error) {
  const size_t length = sfmi_basis_sums_length(series_design->moments);
  const sfm_status status = sfmi_sums_init(sums, SFMI_SUMS_INTEGERS, length, error);
  return status || !rows ? status : read_rows(sums->integers, series_design, rows, settings, error);
}

static sfm_status take_sums(sfmi_i128 **values, const sfmi_design_series *series_design,
                            const sfmi_i128 *masses, sfm_error *error) {
  const size_t count = series_design->basis->count;
  /* One step in units of the sums: 2^shift, at least 1. */
  const int shift =
      sfmi_basis_sums_fraction_bits(series_design->moments) + ilogb(series_design->step);
  *values = sfmi_alloc(count, sizeof **values);
  if (!*values) return sfmi_fail_memory(error);
  sfmi_basis_sums_sum(series_design->moments, *values, masses);
  for (size_t j = 0; j < count; j++) (*values)[j] = sfmi_shift_round((*values)[j], shift);
  return SFM_OK;
}

sfm_status sfmi_series_integers(sfmi_i128 **values, const sfmi_design_series *series_design,
                                sfm_rows *rows, const sfm_series_settings *settings,
                                sfm_error *error) {
  sfmi_sums sums = {0};
  *values = NULL;
  sfm_status status = sum_rows(&sums, series_design, rows, settings, error);
  if (!status) status = take_sums(values, series_design, sums.integers, error);
  sfmi_sums_clear(&sums);
  return status;
}

/* The noise, ready to be drawn, and the release with all that is public filled in. */
static sfm_status begin_release(series_run *m, uint64_t rows, sfm_error *error) {
  const sfm_series_settings *settings = m->settings;
  const sfmi_seed source = m->base.seed;
  const bool hardened = settings->noise != SFM_VECTOR_NOISE_GAMMA;
  double scale = m->series_design.sensitivity / m->series_design.rate;
  sfmi_hardening hardening;
  sfm_status status = SFM_OK;
  if (hardened) {
    status = sfmi_series_hardening(&hardening, &m->series_design, settings, error);
    if (status) return status;
    scale = sfmi_noise_scale(&hardening.law) * hardening.step;
  }
  status = sfmi_design_series_template(&m->base.release, &m->series_design, settings, rows, scale,
                                       error);
  if (status || m->base.summing) return status;
  if (hardened) return sfmi_hardener_create(&m->hardener, &hardening.law, source, error);
  return sfmi_seed_stream(&m->stream, source, error);
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  series_run *m = (series_run *)run;
  const sfmi_selection selection = selected(m->settings);
  uint64_t count = 0;
  double rate = 0;
  sfm_status status = sfmi_design_series_check(&rate, m->settings, error);
  if (!status) status = sfmi_rows_begin(run->rows, &selection, error);
  if (!status) status = sfm_rows_count(run->rows, &count, error);
  if (!status) status = sfmi_design_series_init(&m->series_design, m->settings, count, rate, error);
  return status ? status : begin_release(m, count, error);
}

static json_t *parameters(const sfmi_release_run *run) {
  const series_run *m = (const series_run *)run;
  const sfm_series_settings *settings = m->settings;
  const sfm_release *release = run->release;
  json_t *all = sfmi_request_parameters(run, "series");
  json_object_set_new(all, "columns",
                      json_pack("[o]", sfmi_request_column(release, 0, settings->context.schema)));
  sfmi_request_text(all, "person", run->person);
  sfmi_request_text(all, "outside", sfm_outside_name(settings->outside));
  sfmi_request_text(all, "basis", sfm_basis_name(settings->basis));
  sfmi_request_text(all, "asked", settings->terms ? "terms" : "auto");
  sfmi_request_count(all, "terms", m->series_design.plan.terms);
  sfmi_request_text(all, "noise", sfm_vector_noise_name(settings->noise));
  if (settings->basis == SFM_BASIS_HERMITE)
    sfmi_request_number(all, "unit", m->series_design.basis->unit);
  if (settings->basis == SFM_BASIS_EIGEN)
    sfmi_request_text(all, "kernel", sfm_kernel_family_name(settings->kernel));
  if (sfmi_request_shape(all, settings->shape)) return all;
  json_decref(all);
  return NULL; /* which the protocol says */
}

static sfm_status sum(sfmi_release_run *run, sfmi_sums *sums, sfm_rows *rows, sfm_error *error) {
  const series_run *m = (const series_run *)run;
  return sum_rows(sums, &m->series_design, rows, m->settings, error);
}

static sfm_status take(sfmi_release_run *run, sfmi_sums *sums, sfm_error *error) {
  series_run *m = (series_run *)run;
  m->count = m->series_design.basis->count;
  return take_sums(&m->values, &m->series_design, sums->integers, error);
}

static bool fits(const sfmi_release_run *run, const sfmi_sums *sums) {
  (void)run;
  return sfmi_sums_are_masses(sums, SFMI_BASIS_SUMS_BITS + SFMI_BASIS_SUMS_ROWS_BITS);
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  series_run *m = (series_run *)run;
  sfm_release *release = run->release;
  const size_t count = release->length;
  if (release->hardened) {
    sfmi_hardener_add(m->hardener, release->integers, m->values, count);
    return SFM_OK;
  }
  double *theta = sfmi_alloc(count, sizeof *theta);
  if (!theta) return sfmi_fail_memory(error);
  /* Below 2^52 steps: exact. */
  for (size_t j = 0; j < count; j++) theta[j] = (double)m->values[j] * m->series_design.step;
  sfmi_vector_idealise(release->reals, theta, count, true, release->scale, NULL, m->stream);
  sfmi_wipe_free(theta, count, sizeof *theta);
  return SFM_OK;
}

static sfm_status finish(sfmi_release_run *run, sfm_error *error) {
  series_run *m = (series_run *)run;
  sfm_release *release = run->release;
  const double systematic = sfmi_design_series_systematic(&m->series_design, (double)release->rows);
  release->function->basis = m->series_design.basis;
  m->series_design.basis = NULL;
  return sfmi_band_expansion(&release->band, release, m->settings->context.confidence, systematic,
                             error);
}

static const sfmi_release_steps steps = {.prepare = prepare,
                                         .parameters = parameters,
                                         .sum = sum,
                                         .take = take,
                                         .fits = fits,
                                         .draw = draw,
                                         .finish = finish};

static void clear(series_run *m) {
  sfmi_wipe_free(m->values, m->count, sizeof *m->values);
  sfmi_hardener_destroy(m->hardener);
  sfmi_stream_destroy(m->stream);
  sfmi_design_series_clear(&m->series_design);
}

sfm_status sfm_series_release(sfm_release **out, sfm_series_choice *plan, sfm_rows *rows,
                              const sfm_series_settings *given, sfm_error *error) {
  sfm_series_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_series_settings, &taken, given, error);
  if (status) return status;
  series_run m = {.base = sfmi_release_run_rows(&steps, rows, &taken.context), .settings = &taken};
  status = sfmi_release_run_all(out, &m.base, error);
  if (plan && !status) *plan = m.series_design.plan;
  clear(&m);
  return status;
}

static void clear_run(sfmi_release_run *run) {
  clear((series_run *)run);
}

static const sfmi_partial_kind partial_kind =
    SFMI_PARTIAL_KIND(steps, series_run, settings, clear_run);

sfm_status sfm_series_partial_create(sfm_partial **out, const sfm_series_settings *given,
                                     const sfm_part *part, sfm_error *error) {
  sfm_series_settings taken;
  *out = NULL;
  const sfm_status status = SFMI_TAKE(sfm_series_settings, &taken, given, error);
  return status ? status : sfmi_partial_create(out, &partial_kind, &taken, part, error);
}
