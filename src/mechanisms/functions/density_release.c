/* density_release.c - private rows in, a density out: hardened, or values at places by an engine.
 *
 * Order of events: all public input is checked and the rows are counted, not
 * interpreted, when their number is public; the ledger is charged (charge_protocol.h); rows are
 * read; noise is drawn; the release is stored in the ledger, and handed back to be shown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json.h"
#include "data/schema/category.h"
#include "random_feature_sums.h"
#include "density_fourier.h"
#include "density_run.h"
#include "bandwidth_selection.h"
#include "planner/density/design_random_features.h"
#include "planner/density/fourier_terms.h"
#include "planner/density/density_template.h"
#include "planner/density/gaussian_process.h"
#include "planner/forecast/shape_model.h"
#include "planner/density/density_settings.h"
#include "releases/band/band.h"
#include "releases/band/places_band.h"
#include "releases/core/release_sentence.h"
#include "releases/band/random_feature_band.h"

static sfmi_selection selected(const sfm_density_settings *settings) {
  return (sfmi_selection){settings->schema, settings->columns, settings->dimension,
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
  const sfmi_selection selection = selected(settings);
  const sfmi_batch *batch = NULL;
  uint64_t done = 0;
  sfm_status status = sfmi_rows_begin_by(rows, &selection, settings->by, settings->by_count, error);
  while (!status) {
    status = sfmi_rows_next(rows, &batch, error);
    if (status || !batch) break;
    add_batch(to, batch);
    done += batch->rows;
    if (settings->progress) settings->progress(settings->progress_context, done);
  }
  return status;
}

/* Where the rows are spread. */
static const sfmi_lattice *lattice_of(const sfmi_design_density *design) {
  if (sfmi_design_density_placed(design)) return &design->process.masses.lattice;
  return design->method == SFM_DENSITY_LATTICE ? &design->lattice : &design->spectrum.lattice;
}

static bool by_random(const sfmi_design_density *design) {
  return design->method == SFM_DENSITY_GP && design->engine == SFM_ENGINE_RANDOM;
}

size_t sfmi_density_length(const sfmi_design_density *design) {
  if (by_random(design)) return sfmi_design_random_features_length(design);
  return design->method == SFM_DENSITY_LATTICE ? design->groups * design->lattice.length
                                               : design->spectrum.length;
}

size_t sfmi_density_public(const sfmi_design_density *design) {
  return sfmi_fourier_terms_method(design->method);
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

/* value / 2^shift to the nearest integer, halves up. */
static sfmi_i128 shift_round(sfmi_i128 value, int shift) {
  return shift ? (value + ((sfmi_i128)1 << (shift - 1))) >> shift : value;
}

static sfm_status random_integers(sfmi_i128 **values, const sfmi_design_density *design,
                                  const sfmi_hardening *hardening, sfm_rows *rows,
                                  const sfm_density_settings *settings, sfm_error *error) {
  sfmi_random_feature_sums *feature_sums = NULL;
  *values = NULL;
  sfm_status status = sfmi_random_feature_sums_create(&feature_sums, design, error);
  if (!status) status = read_rows(&(sink){.feature_sums = feature_sums}, rows, settings, error);
  if (!status) status = sfmi_random_feature_sums_integers(values, feature_sums, hardening, error);
  sfmi_random_feature_sums_destroy(feature_sums);
  return status;
}

sfm_status sfmi_density_integers(sfmi_i128 **values, const sfmi_design_density *design,
                                 const sfmi_hardening *hardening, sfm_rows *rows,
                                 const sfm_density_settings *settings, sfm_error *error) {
  if (by_random(design)) return random_integers(values, design, hardening, rows, settings, error);
  const sfmi_torus_sums *spectrum = &design->spectrum;
  const sfmi_lattice *lattice = lattice_of(design);
  const size_t length = design->groups * lattice->length;
  sfmi_i128 *features = NULL, *sums = sfmi_alloc(length, sizeof *sums);
  *values = NULL;
  sfm_status status =
      sums ? read_rows(&(sink){.lattice = lattice, .sums = sums}, rows, settings, error)
           : sfmi_fail_memory(error);
  if (!status && design->method == SFM_DENSITY_LATTICE) {
    *values = sums;
    return SFM_OK;
  }
  if (!status) status = sfmi_torus_sums_transform(spectrum, &features, sums, error);
  if (!status) {
    const int shift = sfmi_density_template_fine(spectrum) + ilogb(hardening->step);
    for (size_t i = 0; i < spectrum->length; i++) features[i] = shift_round(features[i], shift);
    if (spectrum->flat) features[0] = sfmi_fourier_constant(design, hardening);
    *values = features;
  }
  if (sums) explicit_bzero(sums, length * sizeof *sums);
  free(sums);
  return status;
}

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

/* As it was asked for. */
static json_t *gamma_json(const sfm_density_settings *settings) {
  if (!settings->gamma) return json_string("least");
  json_t *gamma = json_array();
  for (size_t a = 0; a < settings->dimension; a++)
    json_array_append_new(gamma, json_real(settings->gamma[a]));
  return gamma;
}

/* The columns that make groups; lists of categories too long to remember by their hash. */
static json_t *groups_json(const sfmi_partition *by) {
  enum { LISTED = 100 };
  json_t *groups = json_array();
  for (size_t i = 0; i < by->count; i++) {
    json_t *categories = json_array();
    for (size_t k = 0; k < by->sizes[i]; k++)
      json_array_append_new(categories, json_string(by->labels[i][k]));
    if (by->sizes[i] > LISTED) {
      char *text = sfmi_json_dumps(categories, JSON_COMPACT);
      json_decref(categories);
      categories = sfmi_request_hash(text ? text : "", text ? strlen(text) : 0);
      free(text);
    }
    json_array_append_new(
        groups, json_pack("{s:s, s:o}", "column", by->columns[i], "categories", categories));
  }
  return groups;
}

/* A column as it was asked for: a bandwidth that was to be chosen is remembered as that. */
static json_t *column_json(const sfmi_density_run *run, size_t a) {
  const sfm_density_settings *settings = run->settings;
  json_t *column = sfmi_request_column(run->release, a, settings->schema);
  if (!settings->bandwidth && settings->kernel != SFM_KERNEL_OWN)
    json_object_set_new(column, "bandwidth", json_string("auto"));
  return column;
}

/* The guess for which method and parameters are chosen; false where memory is short. */
static bool set_shape(json_t *all, const sfm_shape *shape) {
  char *text = shape ? sfmi_shape_text(shape) : NULL;
  if (text) json_object_set_new(all, "shape", json_string(text));
  free(text);
  return text || !shape;
}

json_t *sfmi_density_run_parameters(const sfmi_density_run *run, const char *mechanism,
                                    bool places) {
  static const char *const methods[] = {"auto",    "lattice",         "gp",
                                        "sobolev", "fourier-laplace", "caratheodory"};
  const sfm_release *release = run->release;
  const sfm_density_settings *settings = run->settings;
  const char *person = sfm_schema_person(settings->schema);
  json_t *all = sfmi_request_parameters(mechanism, &release->guarantee, release->neighbours,
                                        release->contributions, settings->confidence);
  json_t *columns = json_array();
  for (size_t a = 0; a < release->dimension; a++)
    json_array_append_new(columns, column_json(run, a));
  json_object_set_new(all, "columns", columns);
  if (!set_shape(all, settings->shape)) {
    json_decref(all);
    return NULL; /* which the protocol says */
  }
  if (release->by.count) json_object_set_new(all, "by", groups_json(&release->by));
  json_object_set_new(all, "asked", json_string(methods[settings->method]));
  json_object_set_new(all, "method", json_string(sfmi_method_name(release->method)));
  json_object_set_new(all, "person", person ? json_string(person) : json_null());
  json_object_set_new(all, "outside",
                      json_string(settings->outside == SFM_CLAMP ? "clamp" : "drop"));
  json_object_set_new(all, "expect", json_integer((json_int_t)settings->expected_rows));
  if (settings->noise != SFM_DENSITY_NOISE_AUTO)
    json_object_set_new(
        all, "noise",
        json_string(settings->noise == SFM_DENSITY_NOISE_NORMAL ? "normal" : "laplace"));
  if (sfmi_fourier_terms_method(settings->method))
    json_object_set_new(all, "terms", json_integer((json_int_t)settings->terms));
  if (release->method == SFMI_CARATHEODORY)
    json_object_set_new(all, "body", json_string(sfmi_body_name(release->body)));
  if (!sfmi_release_placed(release) && !release->basis) return all;
  json_object_set_new(all, "kernel", json_string(sfm_kernel_name(release->kernel)));
  json_object_set_new(all, "engine", json_string(sfm_engine_name(settings->engine)));
  if (release->basis) {
    json_object_set_new(all, "features", json_integer((json_int_t)settings->features));
    return all;
  }
  if (release->kernel == SFM_KERNEL_OWN) json_object_set_new(all, "bound", json_real(release->sup));
  if (release->method == SFMI_SOBOLEV) json_object_set_new(all, "gamma", gamma_json(settings));
  if (places) set_places(all, &release->places);
  return all;
}

/* The design; count is public, or 0.  Where squares add up, normal noise at a delta costs a small
 * part of what a pure epsilon does, so that auto then means it wherever it can be had. */
static sfm_status choose_design(sfmi_design_density *design, const sfm_density_settings *settings,
                                uint64_t count, const sfmi_protocol *protocol, sfm_error *error) {
  const bool free =
      (settings->method == SFM_DENSITY_AUTO || settings->method == SFM_DENSITY_LATTICE) &&
      settings->noise == SFM_DENSITY_NOISE_AUTO;
  if (protocol->charge && protocol->accounting != SFM_ACCOUNTING_BASIC && settings->delta > 0 &&
      free) {
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
  sfm_status status = sfmi_density_template_create(&run->release, design, settings, rows, NULL,
                                                   process->scale, error);
  if (status) return status;
  return sfmi_gp_noise_create(&run->gp_noise, design->engine, &noise, &design->places,
                              process->nugget, (sfmi_seed){settings->seeded, settings->seed},
                              error);
}

/* The features of the random engine; they are the release's. */
static sfm_status prepare_basis(sfmi_density_run *run, sfm_error *error) {
  const sfm_density_settings *settings = run->settings;
  sfm_status status = sfmi_random_feature_basis(
      &run->release->basis, run->design, (sfmi_seed){settings->seeded, settings->seed}, error);
  run->design->basis = run->release->basis;
  return status;
}

/* All that is public of the release, and its noise ready to be drawn. */
static sfm_status prepare(sfmi_density_run *run, uint64_t rows, sfm_error *error) {
  const sfm_density_settings *settings = run->settings;
  const sfmi_design_density *design = run->design;
  const sfmi_hardening *hardening = &run->hardening;
  const sfmi_seed source = {settings->seeded, settings->seed};
  const bool ideal = design->method == SFM_DENSITY_CARATHEODORY;
  if (sfmi_design_density_placed(design)) return prepare_placed(run, rows, error);
  sfm_status status = sfmi_density_hardening(&run->hardening, design, settings->epsilon, error);
  if (status) return status;
  const sfmi_steps steps = {hardening->step, hardening->sensitivity};
  const double scale = ideal ? hardening->sensitivity / settings->epsilon
                             : sfmi_noise_scale(&hardening->law) * hardening->step;
  status =
      sfmi_density_template_create(&run->release, design, settings, rows, &steps, scale, error);
  if (!status && by_random(design)) status = prepare_basis(run, error);
  if (status) return status;
  return ideal ? sfmi_knorm_create(&run->knorm, design->body, design->spectrum.torus[0].terms,
                                   source, error)
               : sfmi_hardener_create(&run->hardener, &hardening->law, source, error);
}

sfm_status sfmi_density_run_begin(sfmi_density_run *run, sfm_rows *rows,
                                  const sfm_density_settings *settings, double values,
                                  sfm_error *error) {
  uint64_t count = 0;
  const sfmi_selection selection = selected(settings);
  *run = (sfmi_density_run){
      .rows = rows, .settings = settings, .design = sfmi_alloc(1, sizeof *run->design)};
  sfmi_design_density *design = run->design;
  sfm_status status =
      design ? sfmi_density_settings_check(design, settings, error) : sfmi_fail_memory(error);
  if (!status)
    status = sfmi_rows_begin_by(rows, &selection, settings->by, settings->by_count, error);
  if (!status)
    status = sfmi_protocol_begin(&run->protocol, settings->charge, settings->seeded,
                                 sfm_schema_person(settings->schema), error);
  if (!status && sfm_schema_neighbours(settings->schema) == SFM_REPLACE)
    status = sfm_rows_count(rows, &count, error);
  if (!status) status = choose_design(design, settings, count, &run->protocol, error);
  if (!status && values > 0 && sfmi_design_density_placed(design))
    status = sfmi_process_init(&design->process, design, settings, values, error);
  if (!status) status = prepare(run, count, error);
  return status;
}

void sfmi_density_run_clear(sfmi_density_run *run) {
  sfmi_hardener_destroy(run->hardener);
  sfmi_gp_noise_destroy(run->gp_noise);
  sfmi_knorm_destroy(run->knorm);
  sfm_release_destroy(run->release);
  free(run->design);
  *run = (sfmi_density_run){0};
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
  if (*sums) explicit_bzero(*sums, process->masses.lattice.length * sizeof **sums);
  free(*sums);
  *sums = NULL;
}

sfm_status sfmi_process_values(sfmi_i128 **values, const sfmi_process *process,
                               const sfmi_places *places, const sfmi_i128 *sums, sfm_error *error) {
  sfmi_kernel_evaluator *mixture = NULL;
  double x[SFM_MAX_DIMENSION];
  *values = sfmi_alloc(places->count, sizeof **values);
  if (!*values) return sfmi_fail_memory(error);
  sfm_status status = sfmi_kernel_evaluator_create(&mixture, &process->masses, sums, error);
  for (size_t i = 0; !status && i < places->count; i++) {
    sfmi_places_at(places, i, x);
    sfmi_kernel_evaluator_at(mixture, &(*values)[i], x, 1);
  }
  sfmi_kernel_evaluator_destroy(mixture);
  if (!status) return SFM_OK;
  free(*values);
  *values = NULL;
  return status;
}

/* Values at the places, noise, band. */
static sfm_status finish_placed(sfmi_density_run *run, sfm_error *error) {
  const sfmi_design_density *design = run->design;
  const sfmi_process *process = &design->process;
  sfm_release *release = run->release;
  sfmi_i128 *sums = NULL, *values = NULL;
  sfm_status status = sfmi_process_sums(&sums, process, run->rows, run->settings, error);
  if (!status) status = sfmi_process_values(&values, process, &design->places, sums, error);
  sfmi_process_wipe(&sums, process);
  if (status) return status;
  sfmi_gp_noise_add_integers(run->gp_noise, release->reals, values,
                             ldexp(release->sup, -SFMI_KERNEL_SUM_BITS), release->scale);
  explicit_bzero(values, release->length * sizeof *values);
  free(values);
  return sfmi_band_places(&release->band, release, run->settings->confidence, 0,
                          sfmi_gp_noise_field(run->gp_noise), error);
}

/* Noise on all but what is public. */
static sfm_status add_noise(sfmi_density_run *run, const sfmi_i128 *values, sfm_error *error) {
  sfm_release *release = run->release;
  const size_t first = sfmi_density_public(run->design);
  if (run->knorm) {
    const sfm_density_settings *settings = run->settings;
    const sfmi_knorm_progress listener = {settings->walking, settings->progress_context};
    return sfmi_fourier_idealise(release, run->knorm, values, run->hardening.step, listener, error);
  }
  if (first) release->integers[0] = (int64_t)values[0];
  sfmi_hardener_add(run->hardener, release->integers + first, values + first,
                    release->length - first);
  return SFM_OK;
}

static sfm_status finish_summed(sfmi_density_run *run, sfm_error *error) {
  sfm_release *release = run->release;
  sfmi_i128 *values = NULL;
  sfm_status status =
      sfmi_density_integers(&values, run->design, &run->hardening, run->rows, run->settings, error);
  if (status) return status;
  status = add_noise(run, values, error);
  explicit_bzero(values, release->length * sizeof *values);
  free(values);
  if (status) return status;
  if (sfmi_partition_groups(&release->by) > 1) {
    /* Every group has its own (groups.c), at this confidence. */
    release->band = (sfm_band){run->settings->confidence, INFINITY, INFINITY, INFINITY};
    return SFM_OK;
  }
  return release->basis
             ? sfmi_band_random_features(&release->band, release, run->settings->confidence, error)
             : sfmi_band_density(&release->band, release, run->settings->confidence, error);
}

sfm_status sfmi_density_run_finish(sfmi_density_run *run, sfm_error *error) {
  sfmi_rows_set_key(run->rows, sfmi_protocol_key(&run->protocol));
  sfm_status status = sfmi_design_density_placed(run->design) ? finish_placed(run, error)
                                                              : finish_summed(run, error);
  if (status) return status;
  if (run->settings->charge) sfmi_rows_fingerprint(run->rows, run->fingerprint);
  return sfmi_release_write_sentence(run->release) ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfm_density_release(sfm_release **out, sfm_density_plan *plan, sfm_rows *rows,
                               const sfm_density_settings *settings, sfm_error *error) {
  *out = NULL;
  if (settings->candidate_count)
    return sfmi_bandwidth_selection_release(out, plan, rows, settings, error);
  sfm_release *stored = NULL;
  sfmi_density_run run;
  sfm_status status = sfmi_density_run_begin(&run, rows, settings, 0, error);
  if (!status)
    status = sfmi_protocol_charge(
        &run.protocol, &stored, run.release,
        settings->charge ? sfmi_density_run_parameters(&run, "density", true) : NULL, error);
  if (!status && !stored) {
    status = sfmi_density_run_finish(&run, error);
    if (!status) status = sfmi_protocol_store(&run.protocol, &run.release, run.fingerprint, error);
  }
  status = sfmi_protocol_end(&run.protocol, status, error);
  if (plan && !status) *plan = run.design->plan;
  if (!status && !stored) {
    stored = run.release;
    run.release = NULL;
  }
  sfmi_density_run_clear(&run);
  *out = stored;
  return status;
}
