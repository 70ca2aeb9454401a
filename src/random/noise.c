#include "sfumato/noise.h"

#include <sodium.h>
#include <stdlib.h>

#include "noise_sampler.h"

struct sfm_noise {
  sfmi_sampler *sampler;
  sfmi_stream *stream;
};

/* Takes the stream over, also on failure. */
static sfm_status create(sfm_noise **out, sfm_noise_law law, sfm_ratio scale, sfmi_stream *stream,
                         sfm_error *error) {
  sfm_noise *noise = sfmi_alloc(1, sizeof *noise);
  if (!noise) {
    sfmi_stream_destroy(stream);
    return sfmi_fail_memory(error);
  }
  noise->stream = stream;
  sfm_status status = sfmi_sampler_create(&noise->sampler, law, scale, error);
  if (status) {
    sfm_noise_destroy(noise);
    return status;
  }
  *out = noise;
  return SFM_OK;
}

sfm_status sfm_noise_create(sfm_noise **out, sfm_noise_law law, sfm_ratio scale, sfm_error *error) {
  *out = NULL;
  sfmi_stream *stream;
  sfm_status status = sfmi_stream_create(&stream, error);
  return status ? status : create(out, law, scale, stream, error);
}

sfm_status sfm_noise_create_seeded(sfm_noise **out, sfm_noise_law law, sfm_ratio scale,
                                   uint64_t seed, sfm_error *error) {
  *out = NULL;
  sfmi_stream *stream;
  sfm_status status = sfmi_stream_create_seeded(&stream, seed, error);
  return status ? status : create(out, law, scale, stream, error);
}

void sfm_noise_destroy(sfm_noise *noise) {
  if (!noise) return;
  sfmi_sampler_destroy(noise->sampler);
  sfmi_stream_destroy(noise->stream);
  free(noise);
}

void sfm_noise_draw(sfm_noise *noise, int64_t *values, size_t count) {
  sfmi_i128 wide[256];
  while (count) {
    size_t part = count < 256 ? count : 256;
    sfmi_sampler_draw(noise->sampler, noise->stream, wide, part);
    for (size_t i = 0; i < part; i++) {
      values[i] = wide[i] > INT64_MAX   ? INT64_MAX
                  : wide[i] < INT64_MIN ? INT64_MIN
                                        : (int64_t)wide[i];
    }
    values += part;
    count -= part;
  }
  sodium_memzero(wide, sizeof wide);
}
