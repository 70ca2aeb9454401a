/* vector_band.c - bands of vectors: simulated, or bounded by a union where that would take long.
 *
 * Noise x by the largest of D coordinates, of scale b = s g: x and a uniform jitter of a step
 * together have a density within e^(1/s) of that of r U, U uniform in [-1, 1]^D and r ~ Gamma(D +
 * 1, b) (docs/proofs/knorm.md).  Of r U the largest coordinate is a Gamma(D, b) variable, and one
 * coordinate is beyond w with probability P(r > w) - w E(1/r; r > w).
 *
 * An ellipsoid's matrix is not in the file, but what the file states is enough for another
 * confidence: the noise is in the box |x_i| <= w, a symmetric convex body, with probability C or
 * more.  At a lower confidence that band stands; for a higher one the box is dilated t times.
 *
 * Normal noise: the dilated box holds at least what a strip of the same probability does when
 * dilated as much (Latala & Oleszkiewicz 1999), so t is a ratio of normal quantiles.
 *
 * Gamma and k-norm noise: its law is log-concave, so at most C ((1 - C)/C)^((t + 1)/2) is left
 * outside, when C > 1/2 (Borell 1974).
 *
 * k-norm noise in a body K: its gauge is a Gamma(D, b) variable, and no coordinate of K is larger
 * than its extent, so that the noise is within extent times that variable.  Where chords are cheap
 * a walk with the public generator tells more. */
#include "band.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/gamma_distribution.h"
#include "base/math/normal_distribution.h"
#include "laplace_sum.h"

/* Work allowed for simulation: draws x multiplications. */
static const double VECTOR_WORK = 1e8, SHAPED_WORK = 4e8;
static const uint64_t BAND_SEED = 0x5f0a71u;
/* Shapes and probabilities for which gamma_distribution.h is exact. */
static const double GAMMA_EXACT = 1e4, GAMMA_TAIL = 1e-8;
/* Two bands computed by the same program on two machines are this near; those of two laws are not.
 */
static const double SAME_BAND = 1e-9;

/* Draws of noise whose shape is in memory, or a ball. */
typedef struct noise {
  const sfm_release *release;
  double *work; /* length */
} noise;

/* Of r L u with u uniform on the sphere, r ~ Gamma(D), or of L z: the largest |coordinate|, and the
 * first. */
static sfm_status draw_correlated(void *context, double *statistics, sfmi_prng *prng,
                                  sfm_error *error) {
  const noise *n = context;
  const sfm_release *release = n->release;
  const size_t D = release->length;
  double norm2 = 0, radius = 1;
  (void)error;
  for (size_t i = 0; i < D; i++) {
    n->work[i] = sfmi_prng_normal(prng);
    norm2 += n->work[i] * n->work[i];
  }
  if (release->method == SFMI_GAMMA) {
    double sum = 0;
    for (size_t i = 0; i < D; i++) sum -= log(sfmi_prng_uniform(prng));
    radius = sum / sqrt(norm2);
  }
  statistics[0] = 0;
  for (size_t i = D; i-- > 0;) {
    double value = release->vector->ellipsoid_factor ? 0 : n->work[i];
    for (size_t j = 0; release->vector->ellipsoid_factor && j <= i; j++)
      value += release->vector->ellipsoid_factor[i * D + j] * n->work[j];
    statistics[1] = fabs(value * radius * release->scale);
    statistics[0] = fmax(statistics[0], statistics[1]);
  }
  return SFM_OK;
}

/* The x with P(|coordinate| > x) <= p for a coordinate whose row of L has norm 1. */
static double marginal_bound(const sfm_release *release, double p) {
  return release->method == SFMI_NORMAL
             ? release->scale * sfmi_normal_tail_inverse(p / 2)
             : sfmi_gamma_coordinate_bound(release->scale, (double)release->length, p);
}

/* For vectors too long to simulate: a union over the coordinates. */
static sfm_band by_union(const sfm_release *release, double confidence) {
  const size_t D = release->length;
  double largest = release->vector->ellipsoid_factor ? 0 : 1, p = 1 - confidence;
  for (size_t i = 0; i < D && release->vector->ellipsoid_factor; i++) {
    double square = 0;
    for (size_t j = 0; j <= i; j++)
      square += release->vector->ellipsoid_factor[i * D + j] *
                release->vector->ellipsoid_factor[i * D + j];
    largest = fmax(largest, sqrt(square));
  }
  return (sfm_band){.confidence = confidence,
                    .half_width = largest * marginal_bound(release, p / (double)D),
                    .pointwise = largest * marginal_bound(release, p)};
}

/* Real-number noise whose shape is in memory, or a ball. */
static sfm_status idealised_band(sfm_band *band, const sfm_release *release, double confidence,
                                 sfm_error *error) {
  enum { DRAWS = 2000 };
  const double cost =
      (double)release->length * (release->vector->ellipsoid_factor ? (double)release->length : 1);
  noise n = {.release = release};
  sfmi_simulation run = {0};
  *band = by_union(release, confidence);
  if (DRAWS * cost > VECTOR_WORK) return SFM_OK;
  n.work = sfmi_alloc(release->length, sizeof *n.work);
  sfm_status status =
      n.work ? sfmi_simulation_run(&run, DRAWS, 2, BAND_SEED, draw_correlated, &n, error)
             : sfmi_fail_memory(error);
  if (!status) {
    /* Never wider than the union bound, which also serves confidences too high for the draws. */
    band->half_width = fmin(band->half_width, sfmi_simulation_width(&run, 0, 1 - confidence));
    /* Coordinates differ under an ellipsoid: there the union's own pointwise width stands. */
    if (!release->vector->ellipsoid_factor)
      band->pointwise = fmin(band->pointwise, sfmi_simulation_width(&run, 1, 1 - confidence));
    band->pointwise = fmin(band->pointwise, band->half_width);
  }
  sfmi_simulation_clear(&run);
  free(n.work);
  return status;
}

/* A walk in the body that shapes the noise. */
typedef struct walk {
  const sfm_release *release;
  bool begun; /* it has forgotten where it began */
} walk;

/* A noise of scale 1: all coordinates, and last the largest. */
static sfm_status draw_shaped(void *context, double *sizes, sfmi_prng *prng, sfm_error *error) {
  walk *w = context;
  sfmi_hit_and_run *shape = w->release->vector->shape;
  const size_t D = w->release->length;
  const sfmi_hit_and_run_source source = sfmi_hit_and_run_public(prng);
  sfm_status status = SFM_OK;
  if (!w->begun) status = sfmi_hit_and_run_walk(shape, &source, sfmi_hit_and_run_steps(D), error);
  w->begun = true;
  if (!status) status = sfmi_hit_and_run_walk(shape, &source, D, error);
  if (status) return status;
  const double radius = sfmi_prng_gamma(prng, (double)D + 1);
  const double *point = sfmi_hit_and_run_at(shape);
  sizes[D] = 0;
  for (size_t i = 0; i < D; i++) {
    sizes[i] = radius * fabs(point[i]);
    sizes[D] = fmax(sizes[D], sizes[i]);
  }
  return SFM_OK;
}

/* No place is off by more with its own probability. */
static sfm_status shaped_band(sfm_band *band, const sfm_release *release, double confidence,
                              sfm_error *error) {
  static const double LEAST = 400;
  const size_t D = release->length;
  const double affordable =
                   SHAPED_WORK / (sfmi_hit_and_run_cost(release->vector->shape) * (double)D),
               risk = 1 - confidence, b = release->scale;
  const double most =
      sfmi_hit_and_run_extent(release->vector->shape) * sfmi_gamma_tail_bound((double)D, risk);
  walk w = {.release = release};
  sfmi_simulation run = {0};
  double pointwise = 0;
  *band = (sfm_band){.confidence = confidence, .half_width = b * most, .pointwise = b * most};
  if (!(affordable >= LEAST)) return SFM_OK;
  sfm_status status = sfmi_simulation_run(&run, sfmi_simulation_draws(release, affordable), D + 1,
                                          BAND_SEED, draw_shaped, &w, error);
  sfmi_hit_and_run_reset(release->vector->shape);
  if (!status) {
    for (size_t i = 0; i < D; i++)
      pointwise = fmax(pointwise, sfmi_simulation_width(&run, i, risk));
    band->half_width = b * fmin(most, sfmi_simulation_width(&run, D, risk));
    band->pointwise = fmin(band->half_width, b * pointwise);
  }
  sfmi_simulation_clear(&run);
  return status;
}

/* Whether the stated band is that of a ball, so that no ellipsoid shaped the noise
 * (docs/proofs/bands.md says why that tells). */
static sfm_status is_ball(bool *ball, const sfm_release *release, sfm_error *error) {
  const sfm_band *stated = &release->band;
  sfm_band round;
  *ball = false;
  if (release->method != SFMI_GAMMA) return SFM_OK; /* a ball's normal noise is hardened */
  sfm_status status = idealised_band(&round, release, stated->confidence, error);
  *ball = !status &&
          fabs(round.half_width - stated->half_width) <= SAME_BAND * stated->half_width &&
          fabs(round.pointwise - stated->pointwise) <= SAME_BAND * stated->pointwise;
  return status;
}

/* The t of the comment at the top, for a confidence above the stated one. */
static sfm_status widened_band(sfm_band *band, const sfm_release *release, double confidence,
                               sfm_error *error) {
  const double stated = release->band.confidence;
  double t = 1;
  if (confidence > stated && release->method == SFMI_NORMAL) {
    t = sfmi_normal_tail_inverse((1 - confidence) / 2) / sfmi_normal_tail_inverse((1 - stated) / 2);
  } else if (confidence > stated) {
    if (!(stated > 0.5))
      return sfmi_fail(error, SFM_INVALID,
                       "the file does not contain the body that shaped the noise, so that no band "
                       "of a higher confidence than %g can be computed; ask for at most %g",
                       stated, stated);
    t = fmax(2 * log((1 - confidence) / stated) / log((1 - stated) / stated) - 1, 1);
  }
  *band = (sfm_band){.confidence = confidence,
                     .half_width = t * release->band.half_width,
                     .pointwise = t * release->band.pointwise};
  return SFM_OK;
}

/* The w beyond which |r u| is with probability p, u uniform in [-1, 1], r ~ Gamma(D + 1). */
static double one_of_cube(double D, double p) {
  if (D > GAMMA_EXACT || p <= GAMMA_TAIL)
    return sfmi_gamma_tail_bound(D + 1, 0.1 * p) * (1 - 0.9 * p);
  double low = 0, high = sfmi_gamma_tail_bound(D + 1, p);
  for (int i = 0; i < 60; i++) {
    const double w = 0.5 * (low + high);
    const double beyond = 1 - sfmi_gamma_cdf(D + 1, w) - w / D * (1 - sfmi_gamma_cdf(D, w));
    *(beyond > p ? &low : &high) = w;
  }
  return high;
}

/* Half a step for the jitter. */
static sfm_band linf_band(const sfm_release *release, double confidence) {
  const double D = (double)release->length;
  const double p = (1 - confidence) * exp(-release->step / release->scale);
  return (sfm_band){.confidence = confidence,
                    .half_width =
                        release->scale * sfmi_gamma_tail_bound(D, p) + 1.5 * release->step,
                    .pointwise = release->scale * one_of_cube(D, p) + 1.5 * release->step,
                    .systematic = release->step};
}

/* Coordinates of a hardened vector are independent: each must hold with confidence^(1/D). */
static sfm_band hardened_band(const sfm_release *release, double confidence) {
  const double each = -expm1(log(confidence) / (double)release->length), one = 1 - confidence;
  const bool laplace = release->method == SFMI_LAPLACE;
  const double all = laplace ? -log(each) : sfmi_normal_tail_inverse(each / 2);
  const double single = laplace ? -log(one) : sfmi_normal_tail_inverse(one / 2);
  return (sfm_band){.confidence = confidence,
                    .half_width = release->scale * all + release->step,
                    .pointwise = release->scale * single + release->step,
                    .systematic = release->step};
}

sfm_status sfmi_band_vector(sfm_band *band, const sfm_release *release, double confidence,
                            sfm_error *error) {
  if (release->hardened) {
    *band = release->method == SFMI_KNORM ? linf_band(release, confidence)
                                          : hardened_band(release, confidence);
    return SFM_OK;
  }
  if (release->vector->shape) return shaped_band(band, release, confidence, error);
  /* While it is being made a release states no band yet, and its shape is known. */
  bool known = release->vector->ellipsoid_factor || release->band.confidence == 0;
  sfm_status status = known ? SFM_OK : is_ball(&known, release, error);
  if (status) return status;
  return known ? idealised_band(band, release, confidence, error)
               : widened_band(band, release, confidence, error);
}
