/* vectorband.c - bands of vectors: simulated, or bounded by a union where that would take long. */
#include <math.h>
#include <stdlib.h>

#include "base/normal.h"
#include "base/prng.h"
#include "base/quantile.h"
#include "releases/band.h"

/* Work allowed for simulation: draws x multiplications. */
static const double VECTOR_WORK = 1e8;
static const uint64_t BAND_SEED = 0x5f0a71u;

/* Largest |coordinate| of r L u with u uniform on the sphere, r ~ Gamma(D), or of L z. */
static double correlated_sup(const sfm_release *release, double *work, sfmi_prng *prng,
                             double *first) {
  const size_t D = release->length;
  double norm2 = 0, radius = 1, largest = 0;
  for (size_t i = 0; i < D; i++) {
    work[i] = sfmi_prng_normal(prng);
    norm2 += work[i] * work[i];
  }
  if (release->method == SFMI_GAMMA) {
    double sum = 0;
    for (size_t i = 0; i < D; i++) sum -= log(sfmi_prng_uniform(prng));
    radius = sum / sqrt(norm2);
  }
  for (size_t i = D; i-- > 0;) {
    double value = 0;
    if (release->ellipsoid_factor) {
      for (size_t j = 0; j <= i; j++) value += release->ellipsoid_factor[i * D + j] * work[j];
    } else {
      value = work[i];
    }
    value = fabs(value * radius * release->scale);
    if (i == 0) *first = value;
    if (value > largest) largest = value;
  }
  return largest;
}

/* The x with P(|coordinate| > x) <= p for a coordinate whose row of L has norm 1.  Gamma: the
 * radius is beyond D(1 + e) with probability at most exp(-D(e - ln(1 + e))), given a tenth of p,
 * and a uniform direction beyond y in one coordinate with probability at most 2 exp(-D y^2/2). */
static double marginal_bound(const sfm_release *release, double p) {
  if (release->method == SFMI_NORMAL) return release->scale * sfmi_normal_tail_inverse(p / 2);
  const double D = (double)release->length, goal = -log(0.1 * p) / D;
  double e = sqrt(2 * goal) + goal; /* e - ln(1 + e) >= goal there */
  return release->scale * D * (1 + e) * fmin(sqrt(-2 * log(0.45 * p) / D), 1);
}

/* For vectors too long to simulate: a union over the coordinates. */
static void vector_by_bound(sfm_release *release, double confidence) {
  const size_t D = release->length;
  double largest = release->ellipsoid_factor ? 0 : 1, p = 1 - confidence;
  for (size_t i = 0; i < D && release->ellipsoid_factor; i++) {
    double square = 0;
    for (size_t j = 0; j <= i; j++)
      square += release->ellipsoid_factor[i * D + j] * release->ellipsoid_factor[i * D + j];
    largest = fmax(largest, sqrt(square));
  }
  release->band.half_width = largest * marginal_bound(release, p / (double)D);
  release->band.pointwise = largest * marginal_bound(release, p);
}

static sfm_status vector_by_simulation(sfm_release *release, double confidence, sfm_error *error) {
  enum { DRAWS = 2000 };
  const double cost =
      (double)release->length * (release->ellipsoid_factor ? (double)release->length : 1);
  if (DRAWS * cost > VECTOR_WORK) {
    vector_by_bound(release, confidence);
    return SFM_OK;
  }
  double *sup = sfmi_alloc(2 * DRAWS, sizeof *sup),
         *work = sfmi_alloc(release->length, sizeof *work);
  if (!sup || !work) {
    free(sup);
    free(work);
    return sfmi_fail_memory(error);
  }
  sfmi_prng prng;
  sfmi_prng_init(&prng, BAND_SEED);
  for (size_t i = 0; i < DRAWS; i++) sup[i] = correlated_sup(release, work, &prng, &sup[DRAWS + i]);
  sfmi_sort(sup, DRAWS);
  sfmi_sort(sup + DRAWS, DRAWS);
  /* Never wider than the union bound, which also serves confidences too high for the draws. */
  vector_by_bound(release, confidence);
  release->band.half_width =
      fmin(release->band.half_width, sfmi_quantile_above(sup, DRAWS, confidence));
  /* Coordinates differ under an ellipsoid: there the union's own pointwise width stands. */
  if (!release->ellipsoid_factor)
    release->band.pointwise =
        fmin(release->band.pointwise, sfmi_quantile_above(sup + DRAWS, DRAWS, confidence));
  release->band.pointwise = fmin(release->band.pointwise, release->band.half_width);
  free(sup);
  free(work);
  return SFM_OK;
}

sfm_status sfmi_band_vector(sfm_release *release, double confidence, sfm_error *error) {
  release->band = (sfm_band){.confidence = confidence, .systematic = release->step};
  if (!release->hardened) return vector_by_simulation(release, confidence, error);
  /* Coordinates are independent: each must hold with confidence^(1/D). */
  double each = -expm1(log(confidence) / (double)release->length), one = 1 - confidence;
  if (release->method == SFMI_LAPLACE) {
    release->band.half_width = -release->scale * log(each) + release->step;
    release->band.pointwise = -release->scale * log(one) + release->step;
  } else {
    release->band.half_width = release->scale * sfmi_normal_tail_inverse(each / 2) + release->step;
    release->band.pointwise = release->scale * sfmi_normal_tail_inverse(one / 2) + release->step;
  }
  return SFM_OK;
}
