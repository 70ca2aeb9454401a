#include "vector_noise.h"

#include <math.h>

#include "base/math/linear_algebra.h"
#include "random/idealised_draws.h"

sfm_status sfmi_vector_hardening(sfmi_hardening *out, const sfm_vector_settings *settings,
                                 size_t length, double mu, sfm_error *error) {
  const sfmi_design_vector vector_design = sfmi_design_vector_of(settings, length, mu);
  const double steps = vector_design.sensitivity / vector_design.step;
  out->step = vector_design.step;
  out->sensitivity = vector_design.sensitivity;
  switch (settings->noise) {
  case SFM_VECTOR_NOISE_LAPLACE:
    return sfmi_harden_laplace(&out->law, steps, settings->epsilon, error);
  case SFM_VECTOR_NOISE_KNORM:
    return sfmi_harden_linf(&out->law, steps, settings->epsilon, length, error);
  default:
    return sfmi_harden_normal(&out->law, steps, mu, error);
  }
}

void sfmi_vector_integers(sfmi_i128 *values, const double *theta, size_t length, double step) {
  for (size_t i = 0; i < length; i++)
    values[i] = sfmi_harden_steps(theta[i], step, SFMI_DESIGN_VECTOR_RANGE);
}

sfm_status sfmi_vector_noise_init(sfmi_vector_noise *noise, double *scale,
                                  const sfmi_design_vector *vector_design,
                                  const sfm_vector_settings *settings, sfmi_seed source,
                                  sfm_error *error) {
  sfmi_hardening hardening;
  *scale = vector_design->scale;
  if (!vector_design->hardened) return sfmi_seed_stream(&noise->stream, source, error);
  const sfm_status status =
      sfmi_vector_hardening(&hardening, settings, vector_design->length, vector_design->mu, error);
  if (status) return status;
  *scale = sfmi_noise_scale(&hardening.law) * hardening.step;
  return sfmi_hardener_create(&noise->hardener, &hardening.law, source, error);
}

void sfmi_vector_noise_clear(sfmi_vector_noise *noise) {
  sfmi_hardener_destroy(noise->hardener);
  sfmi_stream_destroy(noise->stream);
  *noise = (sfmi_vector_noise){0};
}

sfm_status sfmi_vector_noise_add(sfmi_vector_noise *noise, int64_t *released, const double *theta,
                                 size_t length, double step, sfm_error *error) {
  sfmi_i128 *values = sfmi_alloc(length, sizeof *values);
  if (!values) return sfmi_fail_memory(error);
  sfmi_vector_integers(values, theta, length, step);
  sfmi_hardener_add(noise->hardener, released, values, length);
  sfmi_wipe_free(values, length, sizeof *values);
  return SFM_OK;
}

/* A coordinate as it counts in real arithmetic. */
static double settled(double value) {
  return isnan(value) ? 0 : fmax(-1e300, fmin(1e300, value));
}

void sfmi_vector_idealise(double *released, const double *theta, size_t length, bool gamma,
                          double scale, const double *factor, sfmi_stream *stream) {
  if (gamma) {
    sfmi_idealised_direction(stream, released, length);
    double radius = sfmi_idealised_gamma(stream, (double)length);
    for (size_t i = 0; i < length; i++) released[i] *= radius;
  } else {
    sfmi_idealised_normal(stream, released, length);
  }
  if (factor) sfmi_lower_multiply(factor, length, released);
  for (size_t i = 0; i < length; i++) released[i] = settled(theta[i]) + scale * released[i];
}

static void draw_step(void *state, double *direction, size_t dimension, double *uniform) {
  sfmi_idealised_normal(state, direction, dimension);
  *uniform = sfmi_idealised_uniform(state);
}

sfm_status sfmi_vector_knorm(double *released, const double *theta, size_t length, double scale,
                             sfmi_hit_and_run *shape, sfmi_stream *stream, sfm_error *error) {
  const sfmi_hit_and_run_source source = {stream, draw_step, NULL};
  sfm_status status = sfmi_hit_and_run_walk(shape, &source, sfmi_hit_and_run_steps(length), error);
  if (!status) {
    const double radius = scale * sfmi_idealised_gamma(stream, (double)length + 1);
    const double *point = sfmi_hit_and_run_at(shape);
    for (size_t i = 0; i < length; i++) released[i] = settled(theta[i]) + radius * point[i];
  }
  sfmi_hit_and_run_reset(shape);
  return status;
}
