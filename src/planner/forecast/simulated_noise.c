#include "simulated_noise.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/linear_algebra.h"
#include "releases/core/release_kind.h"

/* Of scale 1, shaped to a body. */
static sfm_status draw_shaped(double *noise, size_t D, sfmi_hit_and_run *shape, sfmi_prng *prng,
                              sfm_error *error) {
  const sfmi_hit_and_run_source source = sfmi_hit_and_run_public(prng);
  sfm_status status = sfmi_hit_and_run_walk(shape, &source, sfmi_hit_and_run_steps(D), error);
  const double radius = sfmi_prng_gamma(prng, (double)D + 1);
  for (size_t i = 0; i < D; i++) noise[i] = radius * sfmi_hit_and_run_at(shape)[i];
  sfmi_hit_and_run_reset(shape);
  return status;
}

/* Of scale 1. */
static void draw(double *noise, size_t length, sfm_vector_noise law, sfmi_prng *prng) {
  double square = 0;
  for (size_t i = 0; i < length; i++) {
    noise[i] = law == SFM_VECTOR_NOISE_LAPLACE ? sfmi_prng_laplace(prng) : sfmi_prng_normal(prng);
    square += noise[i] * noise[i];
  }
  if (law == SFM_VECTOR_NOISE_KNORM) {
    const double radius = sfmi_prng_gamma(prng, (double)length + 1);
    for (size_t i = 0; i < length; i++) noise[i] = radius * (2 * sfmi_prng_uniform(prng) - 1);
  }
  if (law != SFM_VECTOR_NOISE_GAMMA) return;
  const double radius = sfmi_prng_gamma(prng, (double)length) / sqrt(square);
  for (size_t i = 0; i < length; i++) noise[i] *= radius;
}

static sfm_status fill(sfm_release *release, const double *values, sfm_vector_noise law,
                       sfmi_prng *prng, sfm_error *error) {
  const size_t length = release->length;
  const sfmi_vector_body *vector = release->vector;
  double *noise = sfmi_alloc(length, sizeof *noise);
  sfm_status status = SFM_OK;
  if (!noise) return sfmi_fail_memory(error);
  if (vector && vector->shape)
    status = draw_shaped(noise, length, vector->shape, prng, error);
  else
    draw(noise, length, law, prng);
  if (vector && vector->ellipsoid_factor)
    sfmi_lower_multiply(vector->ellipsoid_factor, length, noise);
  release->is_private = false;
  for (size_t i = 0; i < length; i++) {
    const double value = values[i] + release->scale * noise[i];
    if (release->integers)
      release->integers[i] = llround(fmin(fmax(value / release->step, -0x1p62), 0x1p62));
    else
      release->reals[i] = value;
  }
  free(noise);
  return status;
}

sfm_status sfmi_simulated_noise_finish(sfm_release **out, sfm_release *release, double *values,
                                       sfm_vector_noise law, sfmi_prng *prng, sfm_status status,
                                       sfm_error *error) {
  if (!status) status = fill(release, values, law, prng, error);
  if (!status && !sfmi_release_write_sentence(release)) status = sfmi_fail_memory(error);
  free(values);
  if (status) sfm_release_destroy(release);
  *out = !status ? release : NULL;
  return status;
}
