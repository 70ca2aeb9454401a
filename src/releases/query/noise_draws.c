#include "noise_draws.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/linear_algebra.h"
#include "base/math/normal_distribution.h"
#include "base/math/prng.h"
#include "releases/band/laplace_sum.h"

static const uint64_t DRAWS_SEED = 0x9e57a70u;
/* Multiplications, numbers to draw and numbers to keep. */
static const double WORK = 2e9, NUMBERS = 4e7, KEPT = 8e6;
/* Draws: at least, ordinarily, at most; and ordinarily for so many beyond a quantile. */
static const double DRAWS_MIN = 2000, DRAWS_USUAL = 5000, DRAWS_MAX = 50000, BEYOND = 20;
enum { BLOCK = 50 };

size_t sfmi_noise_draws_affordable(size_t length, size_t count, double risk) {
  const double l = (double)length, c = (double)count;
  const double wanted = fmin(fmax(DRAWS_USUAL, BEYOND / risk), DRAWS_MAX);
  const double draws = fmin(fmin(WORK / (l * c), NUMBERS / l), fmin(KEPT / c, wanted));
  return draws < DRAWS_MIN ? 0 : (size_t)draws / BLOCK * BLOCK;
}

static void fill_noise(double *noise, const sfm_release *release, size_t count, sfmi_prng *prng) {
  const double root = sqrt((double)release->summed);
  const bool gaussian = sfmi_release_normal(release);
  for (size_t i = 0; i < count; i++)
    noise[i] = release->scale * (gaussian ? root * sfmi_prng_normal(prng)
                                          : sfmi_prng_laplace_sum(prng, release->summed));
}

sfm_status sfmi_noise_draws_init(sfmi_noise_draws *out, const sfm_release *release,
                                 const double *weights, size_t length, size_t count, double risk,
                                 sfm_error *error) {
  *out =
      (sfmi_noise_draws){.count = count, .draws = sfmi_noise_draws_affordable(length, count, risk)};
  if (out->draws == 0) return SFM_OK;
  double *noise = sfmi_alloc(BLOCK * length, sizeof *noise);
  double *sums = sfmi_alloc(BLOCK * count, sizeof *sums);
  out->values = sfmi_alloc(count * out->draws, sizeof *out->values);
  sfmi_prng prng;
  sfmi_prng_init(&prng, DRAWS_SEED);
  const bool good = noise && sums && out->values;
  for (size_t start = 0; good && start < out->draws; start += BLOCK) {
    fill_noise(noise, release, BLOCK * length, &prng);
    sfmi_matrix_multiply(sums, noise, weights, BLOCK, length, count);
    for (size_t i = 0; i < BLOCK; i++)
      for (size_t k = 0; k < count; k++)
        out->values[k * out->draws + start + i] = sums[i * count + k];
  }
  free(noise);
  free(sums);
  return good ? SFM_OK : sfmi_fail_memory(error);
}

void sfmi_noise_draws_clear(sfmi_noise_draws *draws) {
  free(draws->values);
  *draws = (sfmi_noise_draws){0};
}

double sfmi_noise_sum_tail(const sfm_release *release, double squares, double largest, double p) {
  const double b = release->scale, V = squares * (double)release->summed;
  if (squares == 0 || b == 0) return 0;
  if (sfmi_release_normal(release)) return b * sqrt(V) * sfmi_normal_tail_inverse(p / 2);
  return sfmi_laplace_sum_bound(b, V, largest, p);
}

double sfmi_noise_rounding(const sfm_release *release) {
  return release->step * release->factor * (double)release->summed;
}
