/* series_release.c - the density of one private column as the first terms of an orthonormal series.
 * Order of events as in density_release.c. */
#include "sfumato/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/format/row_digest.h"
#include "mechanisms/core/charge_protocol.h"
#include "mechanisms/core/rows_pass.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/vector_noise.h"
#include "series_release.h"
#include "planner/forecast/shape.h"
#include "releases/eval/basis_expansion.h"
#include "releases/core/release_sentence.h"
#include "releases/band/expansion_band.h"

/* What a release is made of, step by step. */
typedef struct run {
  sfm_rows *rows;                      /* borrowed */
  const sfm_series_settings *settings; /* borrowed */
  sfmi_design_series series_design;
  sfm_release *release;    /* all that is public of it, at first */
  sfmi_hardener *hardener; /* this, */
  sfmi_stream *stream;     /* or for gamma this */
  sfmi_protocol protocol;
  uint8_t fingerprint[SFMI_DIGEST_BYTES]; /* of the rows, once they are read under a charge */
} run;

static sfmi_selection selected(const sfm_series_settings *settings) {
  return (sfmi_selection){settings->schema, &settings->column, 1, settings->outside};
}

sfm_status sfmi_series_hardening(sfmi_hardening *out, const sfmi_design_series *series_design,
                                 const sfm_series_settings *settings, sfm_error *error) {
  const double steps = series_design->sensitivity / series_design->step;
  out->step = series_design->step;
  out->sensitivity = series_design->sensitivity;
  return settings->noise == SFM_VECTOR_LAPLACE
             ? sfmi_harden_laplace(&out->law, steps, series_design->rate, error)
             : sfmi_harden_normal(&out->law, steps, series_design->rate, error);
}

/* Reads the rows into the masses of the lattice. */
static sfm_status read_rows(sfmi_i128 *masses, const sfmi_design_series *series_design,
                            sfm_rows *rows, const sfm_series_settings *settings, sfm_error *error) {
  const sfmi_selection selection = selected(settings);
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {rows, settings->progress, settings->progress_context, 0, 0};
  sfm_status status = sfmi_rows_begin(rows, &selection, error);
  while (sfmi_rows_pass_next(&pass, &batch, &status, error))
    sfmi_basis_sums_add(series_design->moments, masses, batch);
  return status;
}

sfm_status sfmi_series_integers(sfmi_i128 **values, const sfmi_design_series *series_design,
                                sfm_rows *rows, const sfm_series_settings *settings,
                                sfm_error *error) {
  const size_t count = series_design->basis->count,
               length = sfmi_basis_sums_length(series_design->moments);
  /* One step in units of the sums: 2^shift, at least 1. */
  const int shift =
      sfmi_basis_sums_fraction_bits(series_design->moments) + ilogb(series_design->step);
  sfmi_i128 *masses = sfmi_alloc(length, sizeof *masses), *sums = sfmi_alloc(count, sizeof *sums);
  sfm_status status = masses && sums ? read_rows(masses, series_design, rows, settings, error)
                                     : sfmi_fail_memory(error);
  if (!status) {
    sfmi_basis_sums_sum(series_design->moments, sums, masses);
    for (size_t j = 0; j < count; j++) sums[j] = sfmi_shift_round(sums[j], shift);
  }
  if (masses) explicit_bzero(masses, length * sizeof *masses);
  free(masses);
  if (status) free(sums);
  *values = !status ? sums : NULL;
  return status;
}

/* The noise, ready to be drawn, and the release with all that is public filled in. */
static sfm_status prepare(run *m, uint64_t rows, sfm_error *error) {
  const sfm_series_settings *settings = m->settings;
  const sfmi_seed source = {settings->seeded, settings->seed};
  const bool hardened = settings->noise != SFM_VECTOR_GAMMA;
  double scale = m->series_design.sensitivity / m->series_design.rate;
  sfmi_hardening hardening;
  sfm_status status = SFM_OK;
  if (hardened) {
    status = sfmi_series_hardening(&hardening, &m->series_design, settings, error);
    if (status) return status;
    scale = sfmi_noise_scale(&hardening.law) * hardening.step;
  }
  status =
      sfmi_design_series_template(&m->release, &m->series_design, settings, rows, scale, error);
  if (status) return status;
  if (hardened) return sfmi_hardener_create(&m->hardener, &hardening.law, source, error);
  return sfmi_seed_stream(&m->stream, source, error);
}

static sfm_status run_begin(run *m, sfm_rows *rows, const sfm_series_settings *settings,
                            sfm_error *error) {
  const sfmi_selection selection = selected(settings);
  uint64_t count = 0;
  double rate = 0;
  *m = (run){.rows = rows, .settings = settings};
  sfm_status status = sfmi_design_series_check(&rate, settings, error);
  if (!status) status = sfmi_rows_begin(rows, &selection, error);
  if (!status)
    status = sfmi_protocol_begin(&m->protocol, settings->charge, settings->seeded,
                                 sfm_schema_person(settings->schema), error);
  if (!status) status = sfm_rows_count(rows, &count, error);
  if (!status) status = sfmi_design_series_init(&m->series_design, settings, count, rate, error);
  if (!status) status = prepare(m, count, error);
  return status;
}

static void run_clear(run *m) {
  sfmi_hardener_destroy(m->hardener);
  sfmi_stream_destroy(m->stream);
  sfmi_design_series_clear(&m->series_design);
  sfm_release_destroy(m->release);
}

/* What was asked for, as the ledger remembers it. */
static json_t *parameters_json(const run *m) {
  static const char *const noises[] = {"laplace", "normal", "gamma"};
  const sfm_series_settings *settings = m->settings;
  const sfm_release *release = m->release;
  const char *person = sfm_schema_person(settings->schema);
  json_t *all = sfmi_request_parameters("series", &release->guarantee, release->neighbours,
                                        release->contributions, settings->confidence);
  json_object_set_new(all, "columns",
                      json_pack("[o]", sfmi_request_column(release, 0, settings->schema)));
  json_object_set_new(all, "person", person ? json_string(person) : json_null());
  json_object_set_new(all, "outside",
                      json_string(settings->outside == SFM_CLAMP ? "clamp" : "drop"));
  json_object_set_new(all, "basis", json_string(sfm_basis_name(settings->basis)));
  json_object_set_new(all, "asked", settings->terms ? json_string("terms") : json_string("auto"));
  json_object_set_new(all, "terms", json_integer((json_int_t)m->series_design.plan.terms));
  json_object_set_new(all, "noise", json_string(noises[settings->noise]));
  if (settings->basis == SFM_BASIS_HERMITE)
    json_object_set_new(all, "unit", json_real(m->series_design.basis->unit));
  if (settings->basis == SFM_BASIS_EIGEN)
    json_object_set_new(all, "kernel", json_string(sfm_kernel_name(settings->kernel)));
  char *shape = settings->shape ? sfmi_shape_text(settings->shape) : NULL;
  if (shape) json_object_set_new(all, "shape", json_string(shape));
  if (settings->shape && !shape) {
    json_decref(all);
    all = NULL; /* memory is short, which the protocol says */
  }
  free(shape);
  return all;
}

/* Noise on the sums. */
static void draw(run *m, const sfmi_i128 *values, double *theta) {
  sfm_release *release = m->release;
  if (release->hardened) {
    sfmi_hardener_add(m->hardener, release->integers, values, release->length);
    return;
  }
  /* Below 2^52 steps: exact. */
  for (size_t j = 0; j < release->length; j++) theta[j] = (double)values[j] * m->series_design.step;
  sfmi_vector_idealise(release->reals, theta, release->length, true, release->scale, NULL,
                       m->stream);
}

/* Reads the rows, draws, and completes the release. */
static sfm_status run_finish(run *m, sfm_error *error) {
  sfm_release *release = m->release;
  const size_t count = release->length;
  const double systematic = sfmi_design_series_systematic(&m->series_design, (double)release->rows);
  sfmi_i128 *values = NULL;
  double *theta = sfmi_alloc(count, sizeof *theta);
  if (!theta) return sfmi_fail_memory(error);
  sfmi_rows_set_key(m->rows, sfmi_protocol_key(&m->protocol));
  sfm_status status = sfmi_series_integers(&values, &m->series_design, m->rows, m->settings, error);
  if (!status) {
    draw(m, values, theta);
    explicit_bzero(values, count * sizeof *values);
  }
  explicit_bzero(theta, count * sizeof *theta);
  free(values);
  free(theta);
  release->basis = m->series_design.basis;
  m->series_design.basis = NULL;
  if (!status)
    status =
        sfmi_band_expansion(&release->band, release, m->settings->confidence, systematic, error);
  if (!status && m->settings->charge) sfmi_rows_fingerprint(m->rows, m->fingerprint);
  if (!status && !sfmi_release_write_sentence(release)) status = sfmi_fail_memory(error);
  return status;
}

sfm_status sfm_series_release(sfm_release **out, sfm_series_plan *plan, sfm_rows *rows,
                              const sfm_series_settings *settings, sfm_error *error) {
  sfm_release *stored = NULL;
  run m;
  *out = NULL;
  sfm_status status = run_begin(&m, rows, settings, error);
  if (!status)
    status = sfmi_protocol_charge(&m.protocol, &stored, m.release,
                                  settings->charge ? parameters_json(&m) : NULL, error);
  if (!status && !stored) {
    status = run_finish(&m, error);
    if (!status) status = sfmi_protocol_store(&m.protocol, &m.release, m.fingerprint, error);
  }
  status = sfmi_protocol_end(&m.protocol, status, error);
  if (plan && !status) *plan = m.series_design.plan;
  if (!status && !stored) {
    stored = m.release;
    m.release = NULL;
  }
  run_clear(&m);
  *out = !status ? stored : NULL;
  return status;
}
