/* noise.h - exact integer noise, for whoever wants the samplers alone.
 *
 * Draws come from a ChaCha20 stream keyed by the operating system and are exact: no rounding
 * anywhere, so the probability of each integer is the formula's, not a float's. */
#ifndef SFUMATO_NOISE_H
#define SFUMATO_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "sfumato/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_noise_law {
  SFM_DISCRETE_LAPLACE,  /* P(z) prop. to exp(-|z|/scale) */
  SFM_ROUNDED_NORMAL,    /* nearest integer to scale x N(0,1) */
  SFM_DISCRETE_GAUSSIAN, /* P(z) prop. to exp(-z^2/(2 scale^2)) */
} sfm_noise_law;

typedef struct sfm_ratio {
  uint64_t numerator, denominator;
} sfm_ratio;

typedef struct sfm_noise sfm_noise;

/* "discrete-laplace", "rounded-normal", "discrete-gaussian".  Static storage. */
SFM_API const char *sfm_noise_law_name(sfm_noise_law law);

/* Reads "3/2", "1.5", "4" or "1e-3" as an exact ratio of 64-bit integers; refuses what does not
 * fit, zero, and what is not a number. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ratio_parse(sfm_ratio *out, const char *text,
                                                  sfm_error *error);

/* A sampler with its own secret stream. */
SFM_API SFM_MUST_CHECK sfm_status sfm_noise_create(sfm_noise **out, sfm_noise_law law,
                                                   sfm_ratio scale, sfm_error *error);
/* For tests only: a stream anyone can repeat.  What is drawn from it protects nobody. */
SFM_API SFM_MUST_CHECK sfm_status sfm_noise_create_seeded(sfm_noise **out, sfm_noise_law law,
                                                          sfm_ratio scale, uint64_t seed,
                                                          sfm_error *error);
SFM_API void sfm_noise_destroy(sfm_noise *noise);
/* Draws count integers (saturated at the ends of int64, which the accepted scales never reach in
 * practice). */
SFM_API void sfm_noise_draw(sfm_noise *noise, int64_t *values, size_t count);

#ifdef __cplusplus
}
#endif
#endif
