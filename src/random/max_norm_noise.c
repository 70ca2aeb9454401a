/* max_norm_noise.c - the radius by rejection.  The sum M of length + 1 geometric variables has
 * P(M) prop. to (M + 1)(M + 2) ... (M + length) exp(-M/scale); it is kept with probability
 *   product over i = 1 .. length of (2M + 1)/(2M + 2i),
 * which leaves (2M + 1)^length exp(-M/scale).
 *
 * No overflow: with a scale of at most 2^32 a geometric variable is below 2^91 (noise_sampler.c:
 * its bin is below 2^64, 32 a unit), the sum of 2^24 + 1 of them below 2^116, 2M + 2 length below
 * 2^118. */
#include "max_norm_noise.h"

#include <assert.h>
#include <string.h>

#include "discrete_distributions.h"

static sfmi_u128 geometric_sum(const sfmi_sampler *sampler, sfmi_stream *stream, size_t count) {
  enum { CHUNK = 256 };
  sfmi_i128 drawn[CHUNK];
  sfmi_u128 sum = 0;
  for (size_t done = 0; done < count;) {
    const size_t part = count - done < CHUNK ? count - done : CHUNK;
    sfmi_sampler_draw_geometric(sampler, stream, drawn, part);
    for (size_t i = 0; i < part; i++) sum += (sfmi_u128)drawn[i];
    done += part;
  }
  explicit_bzero(drawn, sizeof drawn);
  return sum;
}

static bool keep(sfmi_stream *stream, sfmi_u128 radius, size_t length) {
  for (size_t i = 1; i <= length; i++)
    if (sfmi_uniform_wide(stream, 2 * radius + 2 * i) > 2 * radius) return false;
  return true;
}

sfmi_u128 sfmi_max_norm_radius(const sfmi_sampler *sampler, sfmi_stream *stream, size_t length) {
  assert(length >= 1 && length <= SFMI_MAX_NORM_LENGTH_MAX);
  for (;;) {
    const sfmi_u128 radius = geometric_sum(sampler, stream, length + 1);
    if (keep(stream, radius, length)) return radius;
  }
}

sfmi_i128 sfmi_max_norm_coordinate(sfmi_stream *stream, sfmi_u128 radius) {
  return (sfmi_i128)sfmi_uniform_wide(stream, 2 * radius + 1) - (sfmi_i128)radius;
}
