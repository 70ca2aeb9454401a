#include "hardened_noise.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random/max_norm_noise.h"
#include "random/binomial.h"
#include "random/subset.h"
#include "random/noise_sampler.h"

/* x as a ratio, rounded up by at most 2^-43 relative. */
static sfm_status ratio_above(sfm_ratio *out, double x, sfm_error *error) {
  int exponent;
  x *= 1 + 0x1p-48; /* above the few roundings behind x */
  (void)frexp(x, &exponent);
  int shift = 45 - exponent; /* x 2^shift in [2^44, 2^45) */
  if (shift < 0) shift = 0;
  if (shift > 62) shift = 62;
  double numerator = ceil(ldexp(x, shift));
  if (!(numerator >= 1 && numerator < 0x1p52))
    return sfmi_fail(error, SFM_INVALID, "a noise scale of %g steps is beyond the sampler's range",
                     x);
  *out = (sfm_ratio){(uint64_t)numerator, (uint64_t)1 << shift};
  return SFM_OK;
}

int64_t sfmi_harden_steps(double value, double step, double range) {
  const double steps = value / step;
  return isnan(steps) ? 0 : llround(fmax(-range, fmin(range, steps)));
}

sfm_status sfmi_harden_laplace(sfmi_noise_law *out, double l1, double epsilon, sfm_error *error) {
  *out = (sfmi_noise_law){.law = SFM_NOISE_LAW_DISCRETE_LAPLACE};
  return ratio_above(&out->scale, l1 / epsilon, error);
}

sfm_status sfmi_harden_linf(sfmi_noise_law *out, double linf, double epsilon, size_t length,
                            sfm_error *error) {
  *out = (sfmi_noise_law){.law = SFM_NOISE_LAW_DISCRETE_LAPLACE, .joint = true};
  sfm_status status = ratio_above(&out->scale, linf / epsilon, error);
  if (status) return status;
  if (length > SFMI_MAX_NORM_LENGTH_MAX ||
      sfmi_noise_scale(out) > ldexp(1, SFMI_MAX_NORM_SCALE_LOG2_MAX))
    return sfmi_fail(error, SFM_INVALID,
                     "noise by the largest of %zu numbers with a scale of %g steps is beyond the "
                     "sampler's range",
                     length, sfmi_noise_scale(out));
  return SFM_OK;
}

sfm_status sfmi_harden_normal(sfmi_noise_law *out, double l2, double mu, sfm_error *error) {
  *out = (sfmi_noise_law){.law = SFM_NOISE_LAW_ROUNDED_NORMAL};
  return ratio_above(&out->scale, l2 / mu, error);
}

double sfmi_noise_scale(const sfmi_noise_law *law) {
  return (double)law->scale.numerator / (double)law->scale.denominator;
}

static int64_t saturate(sfmi_i128 value) {
  return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

struct sfmi_hardener {
  sfmi_noise_law law;
  sfmi_sampler *sampler;
  sfmi_stream *stream;
};

sfm_status sfmi_hardener_create(sfmi_hardener **out, const sfmi_noise_law *law, sfmi_seed source,
                                sfm_error *error) {
  sfmi_hardener *hardener = sfmi_alloc(1, sizeof *hardener);
  *out = NULL;
  if (!hardener) return sfmi_fail_memory(error);
  hardener->law = *law;
  sfm_status status = sfmi_sampler_create(&hardener->sampler, law->law, law->scale, error);
  if (!status) status = sfmi_seed_stream(&hardener->stream, source, error);
  if (!status) {
    *out = hardener;
  } else {
    sfmi_hardener_destroy(hardener);
  }
  return status;
}

void sfmi_hardener_destroy(sfmi_hardener *hardener) {
  if (!hardener) return;
  sfmi_stream_destroy(hardener->stream);
  sfmi_sampler_destroy(hardener->sampler);
  free(hardener);
}

/* One radius for all. */
static void add_joint(sfmi_hardener *hardener, int64_t *released, const sfmi_i128 *values,
                      size_t length) {
  sfmi_u128 radius = sfmi_max_norm_radius(hardener->sampler, hardener->stream, length);
  for (size_t i = 0; i < length; i++)
    released[i] = saturate(values[i] + sfmi_max_norm_coordinate(hardener->stream, radius));
  explicit_bzero(&radius, sizeof radius);
}

/* So many draws at a time. */
enum { CHUNK = 512 };

void sfmi_hardener_add(sfmi_hardener *hardener, int64_t *released, const sfmi_i128 *values,
                       size_t length) {
  if (hardener->law.joint) {
    add_joint(hardener, released, values, length);
    return;
  }
  sfmi_i128 noise[CHUNK];
  for (size_t start = 0; start < length; start += CHUNK) {
    size_t count = length - start < CHUNK ? length - start : CHUNK;
    sfmi_sampler_draw(hardener->sampler, hardener->stream, noise, count);
    for (size_t i = 0; i < count; i++) released[start + i] = saturate(values[start + i] + noise[i]);
  }
  explicit_bzero(noise, (length < CHUNK ? length : CHUNK) * sizeof *noise);
}

void sfmi_hardener_add_counts(sfmi_hardener *hardener, int64_t *released, const uint64_t *counts,
                              size_t length) {
  assert(!hardener->law.joint);
  sfmi_i128 values[CHUNK];
  for (size_t start = 0; start < length; start += CHUNK) {
    const size_t count = length - start < CHUNK ? length - start : CHUNK;
    for (size_t i = 0; i < count; i++) values[i] = counts[start + i];
    sfmi_hardener_add(hardener, released + start, values, count);
  }
  explicit_bzero(values, (length < CHUNK ? length : CHUNK) * sizeof *values);
}

/* What exceeds tau, given that it does: tau + 1 + k, k geometric. */
static void draw_tails(sfmi_hardener *hardener, int64_t *released, size_t length, int64_t tau) {
  sfmi_i128 beyond[CHUNK];
  for (size_t start = 0; start < length; start += CHUNK) {
    const size_t count = length - start < CHUNK ? length - start : CHUNK;
    sfmi_sampler_draw_geometric(hardener->sampler, hardener->stream, beyond, count);
    for (size_t i = 0; i < count; i++)
      released[start + i] = saturate((sfmi_i128)tau + 1 + beyond[i]);
  }
}

sfm_status sfmi_hardener_zeros_above(sfmi_hardener *hardener, uint64_t **places, int64_t **released,
                                     size_t *count, uint64_t zeros, int64_t tau, sfm_error *error) {
  assert(hardener->law.law == SFM_NOISE_LAW_DISCRETE_LAPLACE && tau >= 0);
  const sfmi_probability chance = {SFMI_PROBABILITY_LAPLACE_TAIL, hardener->law.scale, tau};
  *count = (size_t)sfmi_binomial(hardener->stream, zeros, chance);
  *places = sfmi_alloc(*count, sizeof **places);
  *released = sfmi_alloc(*count, sizeof **released);
  sfm_status status = *places && *released
                          ? sfmi_subset(hardener->stream, *places, *count, zeros, error)
                          : sfmi_fail_memory(error);
  if (!status) {
    draw_tails(hardener, *released, *count, tau);
    return SFM_OK;
  }
  free(*places);
  free(*released);
  *places = NULL;
  *released = NULL;
  return status;
}
