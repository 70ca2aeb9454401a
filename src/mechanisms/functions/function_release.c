/* function_release.c - a caller's own private function, of declared sensitivity in a kernel's
 * space, at public places.  What is private is read by the caller's callback, after the charge. */
#include <math.h>
#include <stdlib.h>

#include "base/system/sized_struct.h"
#include "base/text/utf8.h"
#include "fields/distinct_places.h"
#include "mechanisms/core/release_run.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/gp_noise.h"
#include "planner/density/density_template.h"
#include "planner/density/gaussian_process.h"
#include "planner/density/release_places.h"
#include "privacy/calibration.h"
#include "privacy/range_check.h"
#include "releases/core/release_kind.h"
#include "releases/band/band.h"
#include "sfumato/function.h"

void sfm_function_settings_init(sfm_function_settings *settings, size_t size) {
  const sfm_function_settings defaults = {.contributions = 1, .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

static sfm_status check_domain(const sfm_function_settings *settings, sfm_error *error) {
  for (size_t a = 0; a < settings->kernel->dimension; a++) {
    if (!settings->columns[a] || !sfmi_utf8_valid(settings->columns[a]))
      return sfmi_fail(error, SFM_INVALID, "variable %zu needs a name, in UTF-8", a + 1);
    if (!isfinite(settings->lower[a]) || !isfinite(settings->upper[a]) ||
        !(settings->lower[a] < settings->upper[a]))
      return sfmi_fail(error, SFM_INVALID, "variable %zu needs bounds, lower < upper", a + 1);
    const char *wanted = sfmi_kernel_stationary(settings->kernel->family)
                             ? sfmi_gaussian_unfit(settings->lower[a], settings->upper[a],
                                                   settings->kernel->bandwidth[a])
                             : NULL;
    if (wanted) return sfmi_fail(error, SFM_INVALID, "variable %zu needs %s", a + 1, wanted);
  }
  return SFM_OK;
}

static sfm_status check_numbers(const sfm_function_settings *settings, sfm_error *error) {
  if (!(settings->sensitivity > 0) || !isfinite(settings->sensitivity))
    return sfmi_fail(error, SFM_INVALID,
                     "the sensitivity must be a positive number, the largest norm of a difference "
                     "between neighbours in the kernel's space, not %g",
                     settings->sensitivity);
  if (!(settings->rounding >= 0) || !isfinite(settings->rounding))
    return sfmi_fail(error, SFM_INVALID, "the rounding of a value must be a number >= 0, not %g",
                     settings->rounding);
  if (settings->contributions < 1)
    return sfmi_fail(error, SFM_INVALID, "contributions must be at least 1");
  if (!(settings->delta > 0))
    return sfmi_fail(
        error, SFM_INVALID,
        "noise of a Gaussian process gives no pure epsilon: state a delta, such as 1e-6");
  return sfmi_check_confidence(settings->context.confidence, error);
}

static sfm_status check_settings(const sfm_function_settings *settings, sfm_error *error) {
  if (!settings->kernel || !settings->values || !settings->columns || !settings->lower ||
      !settings->upper)
    return sfmi_fail(error, SFM_INVALID,
                     "a function needs its kernel, a callback for its values, and the names and "
                     "bounds of its variables");
  sfm_status status = sfm_kernel_check(settings->kernel, error);
  if (!status && settings->kernel->dimension > SFM_MAX_DIMENSION)
    status = sfmi_fail(error, SFM_INVALID, "a function has at most %d variables, not %zu",
                       SFM_MAX_DIMENSION, settings->kernel->dimension);
  if (!status) status = check_domain(settings, error);
  if (!status) status = check_numbers(settings, error);
  return status;
}

/* The release with all that is public filled in. */
static sfm_status begin_release(sfm_release **out, const sfm_function_settings *settings,
                                const sfmi_places *places, sfm_engine engine, double mu,
                                sfm_error *error) {
  const sfm_kernel *kernel = settings->kernel;
  const double nugget = SFMI_NUGGET * sfm_kernel_sup(kernel);
  sfm_release *release = *out =
      sfmi_release_begin_stated(&sfmi_function_kind, SFMI_GP, &settings->context,
                                settings->neighbours, settings->contributions, settings->person);
  if (!release) return sfmi_fail_memory(error);
  release->dimension = kernel->dimension;
  for (size_t a = 0; a < kernel->dimension; a++) {
    if (!sfmi_release_set_column(release, a, settings->columns[a], settings->lower[a],
                                 settings->upper[a]))
      return sfmi_fail_memory(error);
    if (kernel->bandwidth) release->function->bandwidth[a] = kernel->bandwidth[a];
  }
  release->sensitivity =
      sfmi_process_sensitivity(settings->sensitivity * settings->contributions, settings->rounding,
                               nugget, (double)places->count);
  release->scale = release->sensitivity / mu;
  release->guarantee = (sfm_guarantee){
      .kind = SFM_GUARANTEE_GDP, .epsilon = settings->epsilon, .delta = settings->delta, .mu = mu};
  return sfmi_density_template_set_process(release, engine, kernel, places, nugget, error);
}

/* One release under way. */
typedef struct function_run {
  sfmi_release_run base;
  const sfm_function_settings *settings;
  sfmi_gp_noise *gp_noise;
  size_t count;
  double *values; /* PRIVATE, count of them */
} function_run;

static json_t *parameters(const sfmi_release_run *run) {
  const sfm_release *release = run->release;
  const sfm_function_settings *settings = ((const function_run *)run)->settings;
  json_t *all = sfmi_request_parameters(run, "function");
  json_t *variables = json_array();
  for (size_t a = 0; a < release->dimension; a++)
    json_array_append_new(variables,
                          json_pack("{s:s, s:f, s:f, s:f}", "column", release->columns[a], "lower",
                                    release->lower[a], "upper", release->upper[a], "bandwidth",
                                    release->function->bandwidth[a]));
  json_object_set_new(all, "columns", variables);
  sfmi_request_text(all, "person", run->person);
  sfmi_request_text(all, "kernel", sfm_kernel_family_name(release->function->kernel));
  sfmi_request_count(all, "degree", release->function->degree);
  sfmi_request_number(all, "constant", release->function->constant);
  sfmi_request_number(all, "sup", release->function->sup);
  sfmi_request_text(all, "engine", sfm_engine_name(settings->engine));
  sfmi_request_number(all, "sensitivity", settings->sensitivity);
  sfmi_request_number(all, "rounding", settings->rounding);
  const sfmi_places *places = &release->function->places;
  json_object_set_new(
      all, "places",
      places->points
          ? sfmi_request_hash(places->points,
                              places->count * places->dimension * sizeof *places->points)
          : sfmi_request_hash(places->counts, places->dimension * sizeof *places->counts));
  return all;
}

/* Equal places have one noise, so they must have one value too: whatever the caller's rounding
 * makes of them, the first counts.  Their difference would be seen without noise. */
static sfm_status unify(double *values, const sfmi_places *places, sfm_error *error) {
  sfmi_distinct distinct;
  sfm_status status = sfmi_distinct_init(&distinct, places, error);
  if (status) return status;
  for (size_t i = 0; distinct.of && i < places->count; i++)
    values[i] = values[distinct.first[distinct.of[i]]];
  sfmi_distinct_clear(&distinct);
  return SFM_OK;
}

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  function_run *m = (function_run *)run;
  const sfmi_places *places = &run->release->function->places;
  const size_t d = run->release->dimension, count = run->release->length;
  double *points = sfmi_alloc(count * d, sizeof *points);
  m->count = count;
  m->values = sfmi_alloc(count, sizeof *m->values);
  sfm_status status = points && m->values ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    for (size_t i = 0; i < count; i++) sfmi_places_at(places, i, points + i * d);
    status = m->settings->values(m->settings->values_data, m->values, points, count, error);
  }
  free(points);
  return status ? status : unify(m->values, places, error);
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  function_run *m = (function_run *)run;
  (void)error;
  sfmi_gp_noise_add(m->gp_noise, run->release->reals, m->values, run->release->scale);
  return SFM_OK;
}

static sfm_status finish(sfmi_release_run *run, sfm_error *error) {
  const function_run *m = (const function_run *)run;
  return sfmi_band_places(&run->release->band, run->release, m->settings->context.confidence,
                          m->settings->rounding, sfmi_gp_noise_field(m->gp_noise), error);
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  function_run *m = (function_run *)run;
  const sfm_function_settings *settings = m->settings;
  const sfm_kernel *kernel = settings->kernel;
  sfmi_places places;
  double mu = 0;
  sfm_status status = check_settings(settings, error);
  if (!status)
    status = sfmi_places_choose(&places, kernel->dimension, settings->lower, settings->upper,
                                settings->points, settings->count, settings->grid, error);
  if (!status)
    status = sfmi_gdp_mu_for(&mu, settings->epsilon, settings->delta, settings->calibration, error);
  if (status) return status;
  const sfm_engine engine =
      settings->engine == SFM_ENGINE_AUTO ? sfmi_field_choose(kernel, &places) : settings->engine;
  if (engine == SFM_ENGINE_SPECTRAL)
    return sfmi_fail(error, SFM_INVALID,
                     "a function of your own is released as values: use the engine circulant, "
                     "markov or gram");
  status = sfmi_field_suits(engine, kernel, &places, error);
  if (!status) status = sfmi_places_bounded(&places, kernel, error);
  if (!status) status = begin_release(&run->release, settings, &places, engine, mu, error);
  if (!status)
    status = sfmi_gp_noise_create(&m->gp_noise, engine, kernel, &places,
                                  run->release->function->nugget, run->seed, error);
  return status;
}

static const sfmi_release_steps steps = {
    .prepare = prepare, .parameters = parameters, .read = read, .draw = draw, .finish = finish};

sfm_status sfm_function_release(sfm_release **out, const sfm_function_settings *given,
                                sfm_error *error) {
  sfm_function_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE_SCHEMALESS(sfm_function_settings, &taken, given, error);
  if (status) return status;
  function_run m = {.base = sfmi_release_run_statistic(&steps, &taken.context, taken.person),
                    .settings = &taken};
  status = sfmi_release_run_all(out, &m.base, error);
  sfmi_gp_noise_destroy(m.gp_noise);
  sfmi_wipe_free(m.values, m.count, sizeof *m.values);
  return status;
}
