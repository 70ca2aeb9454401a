/* noise.h - draws exact integer noise, for programs that need only the samplers.
 *
 * Draws come from a ChaCha20 stream with a key from the operating system.  They are exact: nothing
 * is rounded, so the probability of each integer is that of the formula. */
#ifndef SFUMATO_NOISE_H
#define SFUMATO_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "sfumato/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The laws of the noise of releases.  A sampler (sfm_noise) draws from the first three. */
typedef enum sfm_noise_law {
  SFM_NOISE_LAW_DISCRETE_LAPLACE,  /* P(z) is proportional to exp(-|z|/scale) */
  SFM_NOISE_LAW_ROUNDED_NORMAL,    /* the nearest integer to scale x N(0,1) */
  SFM_NOISE_LAW_DISCRETE_GAUSSIAN, /* P(z) is proportional to exp(-z^2/(2 scale^2)) */
  SFM_NOISE_LAW_LAPLACE,
  SFM_NOISE_LAW_NORMAL, /* scale x N(0,1); of a field, times its shape */
  SFM_NOISE_LAW_GAMMA,  /* a uniform direction, a Gamma radius */
  SFM_NOISE_LAW_KNORM,  /* a density proportional to exp(-|x|_K/scale), |.|_K the gauge of a body */
  SFM_NOISE_LAW_DISCRETE_LINF, /* P(z) is proportional to exp(-max |z_i|/scale) */
  SFM_NOISE_LAW_EXPONENTIAL,   /* the exponential mechanism: a choice, quantiles */
  SFM_NOISE_LAW_OPTIMAL,       /* an optimal mechanism for a count */
  SFM_NOISE_LAW_COMBINED,      /* several releases, weighted */
  SFM_NOISE_LAW_MATRIX,        /* of a mechanism that is stated as a table of probabilities */
} sfm_noise_law;

typedef struct sfm_ratio {
  uint64_t numerator, denominator;
} sfm_ratio;

/* A sampler.  Use it from one thread at a time. */
typedef struct sfm_noise sfm_noise;

/* Returns "discrete-laplace", ..., "matrix"; NULL for any other number.  Static storage. */
SFM_API const char *sfm_noise_law_name(sfm_noise_law law);

/* Reads "3/2", "1.5", "4" or "1e-3" as an exact ratio of 64-bit integers.  Refuses zero, texts that
 * are not numbers, and numbers that do not fit. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ratio_parse(sfm_ratio *out, const char *text,
                                                  sfm_error *error);

/* Creates a sampler with its own secret stream.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_noise_create(sfm_noise **out, sfm_noise_law law,
                                                   sfm_ratio scale, sfm_error *error);
/* For tests only: creates a sampler with a stream that anyone who knows the seed can repeat.  Its
 * draws protect nobody. */
SFM_API SFM_MUST_CHECK sfm_status sfm_noise_create_seeded(sfm_noise **out, sfm_noise_law law,
                                                          sfm_ratio scale, uint64_t seed,
                                                          sfm_error *error);
SFM_API void sfm_noise_destroy(sfm_noise *noise);
/* Draws count integers.  They are clamped to the range of int64, which the accepted scales never
 * exceed in practice. */
SFM_API void sfm_noise_draw(sfm_noise *noise, int64_t *values, size_t count);

#ifdef __cplusplus
}
#endif
#endif
