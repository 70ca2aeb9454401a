#include "query_exact.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/linear_algebra.h"
#include "base/math/normal_distribution.h"
#include "base/math/prng.h"
#include "base/math/quantile.h"
#include "confidence_set.h"
#include "releases/band/laplace_sum.h"

/* The part of the risk that is spent on the number of records, where that is noisy. */
static const double RECORDS_SHARE = 0.1;

/* ---- sums of noise ---- */

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

/* ---- integrals ---- */

static sfmi_integrand within(const sfm_release *release, size_t a) {
  return (sfmi_integrand){SFMI_INTEGRAND_INTERVAL, release->lower[a], release->upper[a]};
}

/* Weights of a product of functions, axis by axis in one block. */
typedef struct product {
  double *weights[SFM_MAX_DIMENSION]; /* owned through the first */
  size_t sizes[SFM_MAX_DIMENSION], dimension;
  double squares, largest, sum; /* of all products: of squares, the largest size, of sizes */
  double quiet;                 /* the product that meets no noise; 0: none */
} product;

static void product_clear(product *p) {
  free(p->weights[0]);
}

static sfm_status product_init(product *p, const sfmi_integral *integral,
                               const sfmi_integrand *integrands, sfm_error *error) {
  size_t room = 0;
  *p = (product){.dimension = integral->release->dimension, .squares = 1, .largest = 1, .sum = 1};
  for (size_t a = 0; a < p->dimension; a++) {
    p->sizes[a] = sfmi_integral_size(integral, a);
    room += p->sizes[a];
  }
  double *at = p->weights[0] = sfmi_alloc(room, sizeof *at);
  if (!at) return sfmi_fail_memory(error);
  for (size_t a = 0; a < p->dimension; a++) {
    p->weights[a] = at;
    sfm_status status = sfmi_integral_weights(integral, a, at, &integrands[a], 1, error);
    if (status) return status;
    double squares = 0, largest = 0, sum = 0;
    for (size_t i = 0; i < p->sizes[a]; i++) {
      squares += at[i] * at[i];
      largest = fmax(largest, fabs(at[i]));
      sum += fabs(at[i]);
    }
    p->squares *= squares;
    p->largest *= largest;
    p->sum *= sum;
    at += p->sizes[a];
  }
  if (integral->quiet) {
    p->quiet = 1;
    for (size_t a = 0; a < p->dimension; a++) p->quiet *= p->weights[a][0];
    p->squares = fmax(p->squares - p->quiet * p->quiet, 0);
  }
  return SFM_OK;
}

/* The product of weights at an index, which is stepped on. */
static double product_next(const product *p, size_t *index) {
  double weight = 1;
  for (size_t a = 0; a < p->dimension; a++) weight *= p->weights[a][index[a]];
  sfmi_index_step(index, p->sizes, p->dimension);
  return weight;
}

static double product_apply(const product *p, const double *coefficients, size_t length) {
  size_t index[SFM_MAX_DIMENSION] = {0};
  double sum = 0;
  for (size_t i = 0; i < length; i++) sum += coefficients[i] * product_next(p, index);
  return sum;
}

static double product_cross(const product *p, const product *q) {
  double cross = 1;
  for (size_t a = 0; a < p->dimension; a++) {
    double sum = 0;
    for (size_t i = 0; i < p->sizes[a]; i++) sum += p->weights[a][i] * q->weights[a][i];
    cross *= sum;
  }
  return cross - p->quiet * q->quiet;
}

/* The largest size of the difference of two products: exactly in one dimension. */
static double difference(const product *p, const product *q) {
  double largest = 0;
  if (p->dimension > 1) return p->largest + q->largest;
  for (size_t i = 0; i < p->sizes[0]; i++)
    largest = fmax(largest, fabs(p->weights[0][i] - q->weights[0][i]));
  return largest;
}

/* A row's error in the integral of a product, each factor of which is at most one. */
static double product_error(const sfmi_integral *integral, const sfmi_integrand *integrands,
                            double less) {
  double widened = 1;
  for (size_t a = 0; a < integral->release->dimension; a++)
    widened *= 1 + sfmi_integral_error(integral, a, integrands[a], less);
  return widened - 1;
}

/* How many records there are at most: public, or from the noisy total. */
static sfm_status bound_records(sfmi_query_exact *query, double confidence, sfm_error *error) {
  const sfm_release *release = query->integral.release;
  query->risk = 1 - confidence;
  query->records = (double)release->rows;
  if (!sfmi_release_counted(release)) return SFM_OK;
  sfmi_integrand all[SFM_MAX_DIMENSION];
  product total;
  for (size_t a = 0; a < release->dimension; a++)
    all[a] = (sfmi_integrand){.kind = SFMI_INTEGRAND_ALL};
  sfm_status status = product_init(&total, &query->integral, all, error);
  if (!status) {
    const double moved = product_error(&query->integral, all, 0);
    const double noise =
        sfmi_noise_sum_tail(release, total.squares, total.largest, RECORDS_SHARE * query->risk);
    const double most = (product_apply(&total, query->coefficients, release->length) + noise +
                         query->grain * total.sum) /
                        (1 - moved);
    query->records = release->has_rows ? fmin(most, (double)release->rows) : most;
    query->records = fmax(query->records, 0);
    query->risk *= 1 - RECORDS_SHARE;
  }
  product_clear(&total);
  return status;
}

static sfm_status find_whole(sfmi_query_exact *query, sfm_error *error) {
  const sfm_release *release = query->integral.release;
  sfmi_integrand integrands[SFM_MAX_DIMENSION];
  product whole;
  for (size_t a = 0; a < release->dimension; a++) integrands[a] = within(release, a);
  sfm_status status = product_init(&whole, &query->integral, integrands, error);
  if (!status) query->whole = product_apply(&whole, query->coefficients, release->length);
  product_clear(&whole);
  if (!status && !(query->whole > 0))
    return sfmi_fail(error, SFM_INVALID,
                     "the noisy mass of this release within its bounds is %.6g records: there is "
                     "nothing to divide by, and so no answer",
                     query->whole);
  return status;
}

sfm_status sfmi_query_exact_init(sfmi_query_exact *query, const sfm_release *release,
                                 double confidence, sfm_error *error) {
  *query = (sfmi_query_exact){.grain = sfmi_noise_rounding(release), .confidence = confidence};
  const sfmi_resources cost = sfmi_resources_sum(
      sfmi_resources_trig_poly(release), (sfmi_resources){64 * (double)release->length, 4e9});
  sfm_status status = sfmi_resources_allow(release, cost, "asking it", error);
  if (!status) status = sfmi_integral_init(&query->integral, release, error);
  if (status) return status;
  query->coefficients = sfmi_alloc(release->length, sizeof *query->coefficients);
  if (!query->coefficients) return sfmi_fail_memory(error);
  for (size_t i = 0; i < release->length; i++)
    query->coefficients[i] = sfm_release_coefficient(release, i);
  status = bound_records(query, confidence, error);
  return !status ? find_whole(query, error) : status;
}

void sfmi_query_exact_clear(sfmi_query_exact *query) {
  sfmi_integral_clear(&query->integral);
  free(query->coefficients);
  *query = (sfmi_query_exact){0};
}

double sfmi_contrast_squares(const sfmi_contrast *c, double ratio) {
  return fmax(c->squares - 2 * ratio * c->cross + ratio * ratio * c->whole_squares, 0);
}

double sfmi_contrast_bound(const sfmi_contrast *c, const sfm_release *release, double ratio,
                           double risk) {
  return sfmi_noise_sum_tail(release, sfmi_contrast_squares(c, ratio),
                             (1 - ratio) * c->largest[0] + ratio * c->largest[1], risk);
}

double sfmi_contrast_noise(const sfmi_contrast *c, const sfm_release *release, double ratio,
                           double risk, double *scratch) {
  const double bound = sfmi_contrast_bound(c, release, ratio, risk);
  if (c->count == 0 || sfmi_release_normal(release)) return bound;
  for (size_t i = 0; i < c->count; i++) scratch[i] = fabs(c->draws[i] - ratio * c->whole_draws[i]);
  return fmin(bound, sfmi_quantile_select(scratch, c->count, 1 - risk));
}

double sfmi_contrast_fixed(const sfmi_contrast *c, double ratio) {
  return (1 - ratio) * c->fixed[0] + ratio * c->fixed[1];
}

/* The sums of noise of two products, by simulation where that is affordable. */
static sfm_status draw_products(sfmi_noise_draws *draws, const product *part, const product *whole,
                                const sfm_release *release, double risk, sfm_error *error) {
  *draws = (sfmi_noise_draws){0};
  if (sfmi_release_normal(release) || !sfmi_noise_draws_affordable(release->length, 2, risk))
    return SFM_OK;
  double *weights = sfmi_alloc(2 * release->length, sizeof *weights);
  if (!weights) return sfmi_fail_memory(error);
  size_t first[SFM_MAX_DIMENSION] = {0}, second[SFM_MAX_DIMENSION] = {0};
  for (size_t i = 0; i < release->length; i++) {
    weights[2 * i] = product_next(part, first);
    weights[2 * i + 1] = product_next(whole, second);
  }
  if (part->quiet != 0 || whole->quiet != 0) weights[0] = weights[1] = 0;
  sfm_status status =
      sfmi_noise_draws_init(draws, release, weights, release->length, 2, risk, error);
  free(weights);
  return status;
}

/* What is not noise, at both ends: in one dimension the error of g, and of g less all within the
 * bounds, between which it is convex; in more the sum of both errors bounds the second. */
static void fill_fixed(sfmi_contrast *c, const sfmi_query_exact *query, const product *part,
                       const product *whole, const sfmi_integrand *integrands) {
  const sfm_release *release = query->integral.release;
  sfmi_integrand bounds[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < release->dimension; a++) bounds[a] = within(release, a);
  const double first = product_error(&query->integral, integrands, 0);
  const double second = release->dimension == 1
                            ? product_error(&query->integral, integrands, 1)
                            : first + product_error(&query->integral, bounds, 0);
  c->fixed[0] = query->records * first + query->grain * part->sum;
  c->fixed[1] = query->records * second + query->grain * (part->sum + whole->sum);
}

typedef struct ratio_test {
  const sfmi_contrast *contrast;
  const sfmi_query_exact *query;
  double *scratch;
} ratio_test;

static bool may_be(const void *context, double ratio) {
  const ratio_test *t = context;
  const sfmi_contrast *c = t->contrast;
  const sfm_release *release = t->query->integral.release;
  const double distance = fabs(c->part - ratio * c->whole) - sfmi_contrast_fixed(c, ratio);
  return distance <= sfmi_contrast_bound(c, release, ratio, t->query->risk) &&
         distance <= sfmi_contrast_noise(c, release, ratio, t->query->risk, t->scratch);
}

static sfm_status answer(sfm_estimate *out, const sfmi_query_exact *query, const sfmi_contrast *c,
                         sfm_error *error) {
  double *scratch = sfmi_alloc(c->count, sizeof *scratch);
  if (!scratch) return sfmi_fail_memory(error);
  const ratio_test t = {c, query, scratch};
  out->value = fmin(fmax(c->part / c->whole, 0), 1);
  sfmi_confidence_set_ratio(&out->lower, &out->upper, out->value, may_be, &t);
  free(scratch);
  return SFM_OK;
}

sfm_status sfmi_query_exact_ratio(const sfmi_query_exact *query, sfm_estimate *out,
                                  const sfmi_integrand *integrands, sfm_error *error) {
  const sfm_release *release = query->integral.release;
  sfmi_integrand bounds[SFM_MAX_DIMENSION];
  product part = {0}, whole = {0};
  sfmi_noise_draws draws = {0};
  for (size_t a = 0; a < release->dimension; a++) bounds[a] = within(release, a);
  sfm_status status = product_init(&part, &query->integral, integrands, error);
  if (!status) status = product_init(&whole, &query->integral, bounds, error);
  if (!status) status = draw_products(&draws, &part, &whole, release, query->risk, error);
  if (!status) {
    sfmi_contrast c = {.part = product_apply(&part, query->coefficients, release->length),
                       .whole = query->whole,
                       .squares = part.squares,
                       .cross = product_cross(&part, &whole),
                       .whole_squares = whole.squares,
                       .largest = {part.largest, difference(&part, &whole)},
                       .draws = draws.values,
                       .whole_draws = draws.values ? draws.values + draws.draws : NULL,
                       .count = draws.draws};
    fill_fixed(&c, query, &part, &whole, integrands);
    status = answer(out, query, &c, error);
  }
  sfmi_noise_draws_clear(&draws);
  product_clear(&part);
  product_clear(&whole);
  return status;
}
