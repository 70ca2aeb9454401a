#include "mechanisms/harden.h"

#include <math.h>
#include <string.h>

#include "random/sampler.h"

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

sfm_status sfmi_harden_laplace(sfmi_noise_law *out, double l1, double epsilon, sfm_error *error) {
  out->law = SFM_DISCRETE_LAPLACE;
  return ratio_above(&out->scale, l1 / epsilon, error);
}

sfm_status sfmi_harden_normal(sfmi_noise_law *out, double l2, double mu, sfm_error *error) {
  out->law = SFM_ROUNDED_NORMAL;
  return ratio_above(&out->scale, l2 / mu, error);
}

double sfmi_noise_scale(const sfmi_noise_law *law) {
  return (double)law->scale.numerator / (double)law->scale.denominator;
}

static int64_t saturate(sfmi_i128 value) {
  return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

sfm_status sfmi_harden(int64_t *released, const sfmi_i128 *values, size_t length,
                       const sfmi_noise_law *law, sfmi_seed source, sfm_error *error) {
  enum { CHUNK = 512 };
  sfmi_stream *stream = NULL;
  sfmi_sampler *sampler = NULL;
  sfm_status status = sfmi_sampler_create(&sampler, law->law, law->scale, error);
  if (status == SFM_OK)
    status = source.seeded ? sfmi_stream_create_seeded(&stream, source.seed, error)
                           : sfmi_stream_create(&stream, error);
  for (size_t start = 0; start < length && status == SFM_OK; start += CHUNK) {
    sfmi_i128 noise[CHUNK];
    size_t count = length - start < CHUNK ? length - start : CHUNK;
    sfmi_sampler_draw(sampler, stream, noise, count);
    for (size_t i = 0; i < count; i++) released[start + i] = saturate(values[start + i] + noise[i]);
    explicit_bzero(noise, sizeof noise);
  }
  sfmi_stream_destroy(stream);
  sfmi_sampler_destroy(sampler);
  return status;
}
