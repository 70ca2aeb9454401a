#include "seed.h"

#include <assert.h>
#include <string.h>

#include "features/bases/random_basis.h"

/* Told apart from the noise of the same seed. */
static const uint64_t PUBLIC_SEED = 0x46726571756e637au;

sfm_status sfmi_seed_stream(sfmi_stream **out, sfmi_seed source, sfm_error *error) {
  return source.seeded ? sfmi_stream_create_seeded(out, source.seed, error)
                       : sfmi_stream_create(out, error);
}

sfm_status sfmi_seed_bytes(void *bytes, size_t count, sfmi_seed source, sfm_error *error) {
  sfmi_stream *stream = NULL;
  assert(count % sizeof(uint64_t) == 0);
  sfm_status status = sfmi_seed_stream(&stream, source, error);
  if (status) return status;
  for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
    const uint64_t word = sfmi_stream_word(stream);
    memcpy((uint8_t *)bytes + i, &word, sizeof word);
  }
  sfmi_stream_destroy(stream);
  return SFM_OK;
}

sfm_status sfmi_seed_random_features(uint64_t *seed, sfmi_seed source, sfm_error *error) {
  sfmi_stream *stream = NULL;
  source.seed ^= PUBLIC_SEED;
  sfm_status status = sfmi_seed_stream(&stream, source, error);
  if (status) return status;
  *seed = sfmi_stream_word(stream) % SFMI_FREQUENCY_SEEDS;
  sfmi_stream_destroy(stream);
  return SFM_OK;
}
