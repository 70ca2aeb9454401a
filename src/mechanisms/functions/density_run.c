#include "density_run.h"

#include <math.h>
#include <stdlib.h>

#include "mechanisms/core/partial_run.h"
#include "mechanisms/core/request_json.h"
#include "random_feature_sums.h"
#include "planner/density/density_settings.h"
#include "planner/density/density_template.h"
#include "planner/density/fourier_terms.h"
#include "planner/density/gaussian_process.h"
#include "releases/band/band.h"

/* Where values are released: a grid, or the hash of a list of points. */
static void set_places(json_t *all, const sfmi_places *places) {
  if (places->points) {
    const size_t bytes = places->count * places->dimension * sizeof *places->points;
    json_object_set_new(all, "points", sfmi_request_hash(places->points, bytes));
    return;
  }
  json_t *grid = json_array();
  for (size_t a = 0; a < places->dimension; a++)
    json_array_append_new(grid, json_integer((json_int_t)places->counts[a]));
  json_object_set_new(all, "grid", grid);
}

/* The columns that make groups; lists of categories too long to remember by their hash. */
static json_t *groups_json(const sfmi_partition *by) {
  json_t *groups = json_array();
  for (size_t i = 0; i < by->count; i++) {
    json_t *categories = sfmi_request_list(by->labels[i], by->sizes[i]);
    json_array_append_new(
        groups, json_pack("{s:s, s:o}", "column", by->columns[i], "categories", categories));
  }
  return groups;
}

/* A column as it was asked for: a bandwidth that was to be chosen is remembered as that. */
static json_t *column_json(const sfmi_density_run *run, size_t a) {
  const sfm_density_settings *settings = run->settings;
  json_t *column = sfmi_request_column(run->base.release, a, settings->context.schema);
  if (!settings->bandwidth && settings->kernel != SFM_KERNEL_OWN)
    sfmi_request_text(column, "bandwidth", "auto");
  return column;
}

json_t *sfmi_density_run_parameters(const sfmi_density_run *run, const char *mechanism,
                                    bool places) {
  const sfm_release *release = run->base.release;
  const sfm_density_settings *settings = run->settings;
  json_t *all = sfmi_request_parameters(&run->base, mechanism);
  json_t *columns = json_array();
  for (size_t a = 0; a < release->dimension; a++)
    json_array_append_new(columns, column_json(run, a));
  json_object_set_new(all, "columns", columns);
  if (!sfmi_request_shape(all, settings->shape)) {
    json_decref(all);
    return NULL; /* which the protocol says */
  }
  if (release->function->by.count)
    json_object_set_new(all, "by", groups_json(&release->function->by));
  sfmi_request_text(all, "asked", sfm_density_method_name(settings->method));
  sfmi_request_text(all, "method", sfmi_method_name(release->method));
  sfmi_request_text(all, "person", run->base.person);
  sfmi_request_text(all, "outside", sfm_outside_name(settings->outside));
  sfmi_request_count(all, "expect", settings->expected_rows);
  if (settings->noise != SFM_DENSITY_NOISE_AUTO)
    sfmi_request_text(all, "noise",
                      sfm_vector_noise_name(settings->noise == SFM_DENSITY_NOISE_NORMAL
                                                ? SFM_VECTOR_NOISE_NORMAL
                                                : SFM_VECTOR_NOISE_LAPLACE));
  if (sfmi_fourier_terms_method(settings->method))
    sfmi_request_count(all, "terms", settings->terms);
  if (release->method == SFMI_CARATHEODORY)
    sfmi_request_text(all, "body", sfm_density_body_name(release->function->density_body));
  if (!sfmi_release_placed(release) && !release->function->basis) return all;
  sfmi_request_text(all, "kernel", sfm_kernel_family_name(release->function->kernel));
  sfmi_request_text(all, "engine", sfm_engine_name(settings->engine));
  if (release->function->basis) {
    sfmi_request_count(all, "features", settings->features);
    return all;
  }
  if (release->function->kernel == SFM_KERNEL_OWN)
    sfmi_request_number(all, "bound", release->function->sup);
  if (release->method == SFMI_SOBOLEV && settings->gamma)
    json_object_set_new(all, "gamma", sfmi_request_numbers(settings->gamma, settings->dimension));
  else if (release->method == SFMI_SOBOLEV)
    sfmi_request_text(all, "gamma", "least");
  if (places) set_places(all, &release->function->places);
  return all;
}

/* The design; count is public, or 0.  Where squares add up, normal noise at a delta costs a small
 * part of what a pure epsilon does, so that auto then means it wherever it can be had. */
static sfm_status choose_design(sfmi_design_density *design, const sfm_density_settings *settings,
                                uint64_t count, const sfmi_protocol *protocol, sfm_error *error) {
  const bool free =
      (settings->method == SFM_DENSITY_AUTO || settings->method == SFM_DENSITY_LATTICE) &&
      settings->noise == SFM_DENSITY_NOISE_AUTO;
  if (sfmi_protocol_squares(protocol) && settings->delta > 0 && free) {
    sfm_density_settings normal = *settings;
    normal.noise = SFM_DENSITY_NOISE_NORMAL;
    if (!sfmi_density_settings_check(design, &normal, NULL) &&
        !sfmi_design_density_init(design, &normal, count, NULL))
      return SFM_OK;
  }
  return sfmi_design_density_init(design, settings, count, error);
}

static sfm_status prepare_placed(sfmi_density_run *run, uint64_t rows, sfm_error *error) {
  const sfmi_design_density *design = run->design;
  const sfmi_process *process = &design->process;
  const sfm_density_settings *settings = run->settings;
  const sfm_kernel noise = sfmi_process_noise(process);
  sfm_status status = sfmi_density_template_create(&run->base.release, design, settings, rows, NULL,
                                                   process->scale, error);
  if (status || run->base.summing) return status;
  return sfmi_gp_noise_create(&run->gp_noise, design->engine, &noise, &design->places,
                              process->nugget, run->base.seed, error);
}

/* The features of the random engine; they are the release's. */
static sfm_status prepare_basis(sfmi_density_run *run, sfm_error *error) {
  uint64_t seed;
  const bool stated = sfmi_partial_public_seed(&run->base, &seed);
  sfm_status status = sfmi_random_feature_basis(&run->base.release->function->basis, run->design,
                                                stated ? &seed : NULL, run->base.seed, error);
  run->design->basis = run->base.release->function->basis;
  return status;
}

/* All that is public of the release, and its noise ready to be drawn. */
static sfm_status prepare(sfmi_density_run *run, uint64_t rows, sfm_error *error) {
  const sfm_density_settings *settings = run->settings;
  const sfmi_design_density *design = run->design;
  const sfmi_hardening *hardening = &run->hardening;
  const sfmi_seed source = run->base.seed;
  const bool ideal = design->method == SFM_DENSITY_CARATHEODORY;
  if (sfmi_design_density_placed(design)) return prepare_placed(run, rows, error);
  sfm_status status = sfmi_density_hardening(&run->hardening, design, settings->epsilon, error);
  if (status) return status;
  const sfmi_steps steps = {hardening->step, hardening->sensitivity};
  const double scale = ideal ? hardening->sensitivity / settings->epsilon
                             : sfmi_noise_scale(&hardening->law) * hardening->step;
  status = sfmi_density_template_create(&run->base.release, design, settings, rows, &steps, scale,
                                        error);
  if (!status && sfmi_design_density_random(design)) status = prepare_basis(run, error);
  if (status || run->base.summing) return status;
  return ideal ? sfmi_knorm_create(&run->knorm, design->body, design->spectrum.torus[0].terms,
                                   source, error)
               : sfmi_hardener_create(&run->hardener, &hardening->law, source, error);
}

sfmi_density_run sfmi_density_run_of(sfm_rows *rows, const sfm_density_settings *settings) {
  return (sfmi_density_run){.base = sfmi_release_run_rows(NULL, rows, &settings->context),
                            .settings = settings};
}

sfm_status sfmi_density_run_prepare(sfmi_density_run *run, double values, sfm_error *error) {
  const sfm_density_settings *settings = run->settings;
  sfm_rows *rows = run->base.rows;
  uint64_t count = 0;
  const sfmi_selection selection = sfmi_density_selection(settings);
  sfmi_design_density *design = run->design = sfmi_alloc(1, sizeof *run->design);
  sfm_status status =
      design ? sfmi_density_settings_check(design, settings, error) : sfmi_fail_memory(error);
  if (!status)
    status = sfmi_rows_begin_by(rows, &selection, settings->by, settings->by_count, error);
  if (!status && sfm_schema_neighbours(settings->context.schema) == SFM_NEIGHBOURS_REPLACE)
    status = sfm_rows_count(rows, &count, error);
  if (!status) status = choose_design(design, settings, count, &run->base.protocol, error);
  if (!status && values > 0 && sfmi_design_density_placed(design))
    status = sfmi_process_init(&design->process, design, settings, values, error);
  if (!status) status = prepare(run, count, error);
  return status;
}

void sfmi_density_run_clear(sfmi_density_run *run) {
  sfmi_hardener_destroy(run->hardener);
  sfmi_gp_noise_destroy(run->gp_noise);
  sfmi_knorm_destroy(run->knorm);
  sfm_release_destroy(run->base.release);
  sfmi_wipe_free(run->sums, run->count, sizeof *run->sums);
  free(run->design);
  *run = (sfmi_density_run){0};
}

sfm_status sfmi_density_run_sum(sfmi_release_run *run, sfmi_sums *sums, sfm_rows *rows,
                                sfm_error *error) {
  const sfmi_density_run *m = (const sfmi_density_run *)run;
  return sfmi_density_sum(sums, m->design, rows, m->settings, error);
}

sfm_status sfmi_density_run_take(sfmi_release_run *run, sfmi_sums *sums, sfm_error *error) {
  sfmi_density_run *m = (sfmi_density_run *)run;
  const sfmi_design_density *design = m->design;
  if (sfmi_design_density_placed(design)) {
    m->count = design->places.count;
    return sfmi_process_values(&m->sums, &design->process, &design->places, sums->integers, error);
  }
  m->count = run->release->length;
  return sfmi_density_take(&m->sums, design, &m->hardening, sums, error);
}

bool sfmi_density_run_fits(const sfmi_release_run *run, const sfmi_sums *sums) {
  return sfmi_density_sum_fits(sums, ((const sfmi_density_run *)run)->design);
}

sfm_status sfmi_density_run_read(sfmi_release_run *run, sfm_error *error) {
  sfmi_sums sums = {0};
  sfm_status status = sfmi_density_run_sum(run, &sums, run->rows, error);
  if (!status) status = sfmi_density_run_take(run, &sums, error);
  sfmi_sums_clear(&sums);
  return status;
}

/* Noise on all but what is public. */
sfm_status sfmi_density_run_draw(sfmi_release_run *run, sfm_error *error) {
  sfmi_density_run *m = (sfmi_density_run *)run;
  sfm_release *release = run->release;
  const size_t first = sfmi_density_public(m->design);
  if (m->gp_noise) {
    sfmi_gp_noise_add_integers(m->gp_noise, release->reals, m->sums,
                               ldexp(release->function->sup, -SFMI_KERNEL_SUM_BITS),
                               release->scale);
    return SFM_OK;
  }
  if (m->knorm)
    return sfmi_fourier_idealise(release, m->knorm, m->sums, m->hardening.step, run->context,
                                 error);
  if (first) release->integers[0] = (int64_t)m->sums[0];
  sfmi_hardener_add(m->hardener, release->integers + first, m->sums + first,
                    release->length - first);
  return SFM_OK;
}

sfm_status sfmi_density_run_band(sfmi_release_run *run, sfm_error *error) {
  sfmi_gp_noise *gp_noise = ((const sfmi_density_run *)run)->gp_noise;
  sfm_release *release = run->release;
  const double confidence = run->context->confidence;
  if (gp_noise)
    return sfmi_band_places(&release->band, release, confidence, 0, sfmi_gp_noise_field(gp_noise),
                            error);
  if (sfmi_partition_groups(&release->function->by) > 1) {
    /* Every group has its own (groups.c), at this confidence. */
    release->band = (sfm_band){confidence, INFINITY, INFINITY, INFINITY};
    return SFM_OK;
  }
  return release->function->basis
             ? sfmi_band_random_features(&release->band, release, confidence, error)
             : sfmi_band_density(&release->band, release, confidence, error);
}
