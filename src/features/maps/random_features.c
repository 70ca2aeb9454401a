/* random_features.c - why no row is longer than one.
 *
 * A pair (c, s) comes from one phase.  As floats: off by less than 1.8e-12 each from a point of the
 * circle, then multiplied by the amplitude a and rounded to float, which adds 2^-24 of itself at
 * most; so |(c, s)| <= a (1 + 2.6e-12)(1 + 2^-24), and with a <= P^-1/2 (1 - 2^-23) the sum of P
 * squares is below one.  As doubles: half angles' cosine and sine are off by less than 4 2^-53 each
 * (11 terms of their series leave out 2e-17; each rounding of Horner's scheme is multiplied by u <=
 * 1/4 in the next step), so s^2 + c^2 is within 12 2^-53 of one, and 1 - 2 s^2 and 2 s c, whose
 * squares' sum is 1 + 4 s^2 (s^2 + c^2 - 1), are within 26 2^-53 of the circle with their own
 * roundings; a <= P^-1/2 (1 - 2^-47) is less by more.  Both amplitudes are off by less than the
 * precision of what they multiply. */
#include "random_features.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Frequencies that lie side by side: number i along axis a is turns[(i / TILE * dimension + a) *
 * TILE + i % TILE]. */
enum { TILE = 32, LINE = 64 };

/* (-1)^k pi^2k/(2k)! and (-1)^k pi^(2k+1)/(2k+1)!: with u = r^2 <= 1/4, cos(pi r) = sum of COSINE
 * u^k and sin(pi r) = r times the sum of SINE u^k, both to 2e-17. */
enum { TERMS = 11 };
static const double COSINE_TERMS[TERMS] = {1,
                                           -4.9348022005446793094,
                                           4.0587121264167682182,
                                           -1.3352627688545894959,
                                           0.23533063035889320454,
                                           -0.025806891390014060013,
                                           0.0019295743094039230479,
                                           -0.00010463810492484570712,
                                           4.3030695870329470073e-6,
                                           -1.3878952462213772114e-7,
                                           3.6047307974625009339e-9};
static const double SINE_TERMS[TERMS] = {
    3.1415926535897932385,     -5.1677127800499700292,      2.5501640398773454439,
    -0.59926452932079207689,   0.082145886611128228799,     -0.0073704309457143507773,
    0.00046630280576761256442, -0.000021915353447830215827, 7.9520540014755127848e-7,
    -2.294842899726987311e-8,  5.3926646626081284894e-10};

#define SIMD_LOOPS "features/maps/random_features_simd.h"
#include "base/system/simd_kinds.h"

typedef struct loops {
  void (*phases)(double t[TILE], const double *turns, const uint32_t *indices, const double *u,
                 size_t nonzeros);
  void (*sincos_fast)(double cosine[TILE], double sine[TILE], const double t[TILE]);
  void (*sincos_exact)(double cosine[TILE], double sine[TILE], const double t[TILE]);
} loops;

static const loops KINDS[] = {
    {plain_phases, plain_sincos_fast, plain_sincos_exact},
#if defined(__x86_64__)
    {avx2_phases, avx2_sincos_fast, avx2_sincos_exact},
    {avx512_phases, avx512_sincos_fast, avx512_sincos_exact},
#endif
};

struct sfmi_random_features {
  sfmi_spectral_law law;
  size_t dimension, count;
  double bandwidth, radius;
  pthread_mutex_t drawing;
  double *turns; /* LINE-aligned; NULL until they are drawn */
  loops loops;
};

bool sfmi_random_features_use(sfmi_random_features *features, int kind) {
  if (!sfmi_processor_is(kind)) return false;
  features->loops = KINDS[kind];
  return true;
}

static size_t at(const sfmi_random_features *features, size_t i, size_t axis) {
  return (i / TILE * features->dimension + axis) * TILE + i % TILE;
}

double sfmi_random_features_turn(const sfmi_random_features *features, size_t i, size_t axis) {
  return features->turns[at(features, i, axis)];
}

/* |<turns, u>| <= |turns| |u|. */
static void keep(void *context, size_t i, const double *radians) {
  const sfmi_random_features *features = context;
  double square = 0;
  for (size_t a = 0; a < features->dimension; a++) {
    const double turn = radians[a] / (2 * M_PI) / features->bandwidth;
    features->turns[at(features, i, a)] = turn;
    square += turn * turn;
  }
  const double shrink = sfmi_frequency_shrink(sqrt(square) * features->radius);
  for (size_t a = 0; a < features->dimension && shrink < 1; a++) {
    double *turn = &features->turns[at(features, i, a)];
    *turn = shrink > 0 ? *turn * shrink : 0;
  }
}

static sfm_status check(const sfmi_spectral_law *law, sfm_error *error) {
  if (law->seed >= SFMI_FREQUENCY_SEEDS)
    return sfmi_fail(error, SFM_INVALID, "the seed of random features is below 2^53");
  if (law->count == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "random features are pairs, a cosine and a sine: write an even number of at "
                     "least 2, such as rff:2000");
  if (law->dimension > SFMI_RANDOM_FEATURES_DIMENSION_MAX)
    return sfmi_fail(error, SFM_INVALID, "random features can have up to %zu coordinates, not %zu",
                     SFMI_RANDOM_FEATURES_DIMENSION_MAX, law->dimension);
  if (law->count > SFMI_RANDOM_FEATURES_MAX / law->dimension)
    return sfmi_fail(error, SFM_INVALID,
                     "%zu random features of %zu coordinates are too many: write rff:%zu or less",
                     2 * law->count, law->dimension,
                     2 * (SFMI_RANDOM_FEATURES_MAX / law->dimension));
  return SFM_OK;
}

sfm_status sfmi_random_features_create(sfmi_random_features **out, const sfmi_spectral_law *law,
                                       double bandwidth, double radius, sfm_error *error) {
  *out = NULL;
  sfm_status status = check(law, error);
  if (status) return status;
  sfmi_random_features *features = sfmi_alloc(1, sizeof *features);
  if (!features) return sfmi_fail_memory(error);
  features->law = *law;
  features->dimension = law->dimension;
  features->count = law->count;
  features->bandwidth = bandwidth;
  features->radius = radius;
  pthread_mutex_init(&features->drawing, NULL);
  features->loops = KINDS[sfmi_processor_best()];
  *out = features;
  return SFM_OK;
}

static size_t size_of(const sfmi_random_features *features) {
  return (features->count + TILE - 1) / TILE * TILE * features->dimension * sizeof(double);
}

double sfmi_random_features_bytes(const sfmi_random_features *features) {
  return (double)size_of(features);
}

/* Under the lock. */
static sfm_status draw(sfmi_random_features *features, sfm_error *error) {
  features->turns = aligned_alloc(LINE, size_of(features));
  if (!features->turns) return sfmi_fail_memory(error);
  memset(features->turns, 0, size_of(features));
  const sfm_status status = sfmi_frequencies_draw(&features->law, keep, features, error);
  if (!status) return SFM_OK;
  free(features->turns);
  features->turns = NULL;
  return status;
}

sfm_status sfmi_random_features_draw(sfmi_random_features *features, sfm_error *error) {
  pthread_mutex_lock(&features->drawing);
  const sfm_status status = features->turns ? SFM_OK : draw(features, error);
  pthread_mutex_unlock(&features->drawing);
  return status;
}

void sfmi_random_features_destroy(sfmi_random_features *features) {
  if (!features) return;
  pthread_mutex_destroy(&features->drawing);
  free(features->turns);
  free(features);
}

/* Writes the pairs of `pairs` phases. */
static void put_doubles(double *phi, const double cosine[TILE], const double sine[TILE],
                        size_t pairs, double amplitude) {
  for (size_t f = 0; f < pairs; f++) {
    phi[2 * f] = amplitude * cosine[f];
    phi[2 * f + 1] = amplitude * sine[f];
  }
}

static void put_floats(float *phi, const double cosine[TILE], const double sine[TILE], size_t pairs,
                       double amplitude) {
  for (size_t f = 0; f < pairs; f++) {
    phi[2 * f] = (float)(amplitude * cosine[f]);
    phi[2 * f + 1] = (float)(amplitude * sine[f]);
  }
}

/* The phases of a row in a tile; returns how many of them there are. */
static size_t phases_of(const sfmi_random_features *features, double t[TILE], size_t tile,
                        const size_t *starts, const uint32_t *indices, const double *u) {
  const size_t left = features->count - tile * TILE;
  features->loops.phases(t, features->turns + tile * TILE * features->dimension,
                         indices + starts[0], u + starts[0], starts[1] - starts[0]);
  return left < TILE ? left : TILE;
}

void sfmi_random_features_doubles(const sfmi_random_features *features, double *phi, size_t stride,
                                  const size_t *starts, const uint32_t *indices, const double *u,
                                  size_t rows) {
  const double amplitude = (1 - 0x1p-47) / sqrt((double)features->count);
  for (size_t tile = 0; tile * TILE < features->count; tile++)
    for (size_t r = 0; r < rows; r++) {
      double t[TILE], cosine[TILE], sine[TILE];
      const size_t pairs = phases_of(features, t, tile, starts + r, indices, u);
      features->loops.sincos_exact(cosine, sine, t);
      put_doubles(phi + r * stride + 2 * tile * TILE, cosine, sine, pairs, amplitude);
    }
}

void sfmi_random_features_floats(const sfmi_random_features *features, float *phi, size_t stride,
                                 const size_t *starts, const uint32_t *indices, const double *u,
                                 size_t rows) {
  const double amplitude = (1 - 0x1p-23) / sqrt((double)features->count) / UNIT;
  for (size_t tile = 0; tile * TILE < features->count; tile++)
    for (size_t r = 0; r < rows; r++) {
      double t[TILE], cosine[TILE], sine[TILE];
      const size_t pairs = phases_of(features, t, tile, starts + r, indices, u);
      features->loops.sincos_fast(cosine, sine, t);
      put_floats(phi + r * stride + 2 * tile * TILE, cosine, sine, pairs, amplitude);
    }
}
