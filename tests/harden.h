/* harden.h - hardened noise on one vector, from a stream of its own. */
#ifndef TEST_HARDEN_H
#define TEST_HARDEN_H

#include "test_support.h"

#include "mechanisms/core/hardened_noise.h"

static inline void harden(int64_t *released, const sfmi_i128 *values, size_t length,
                          const sfmi_noise_law *law, sfmi_seed source) {
  sfmi_hardener *hardener = NULL;
  sfm_error error;
  assert_ok(sfmi_hardener_create(&hardener, law, source, &error), &error);
  sfmi_hardener_add(hardener, released, values, length);
  sfmi_hardener_destroy(hardener);
}

#endif
