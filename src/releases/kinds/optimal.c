/* optimal.c - risks are sums of terms that are not negative, nested so that no sum has more than
 * n + 1 of them: with exp right to a unit and |i-k| epsilon below 745 (beyond, the term is zero)
 * each is right to (2 n + 800) 2^-53, below SFMI_OPTIMAL_PRECISION, of itself. */
#include "optimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/system/c_locale.h"
#include "base/math/linear_algebra.h"
#include "base/math/exp_bound.h"

/* The ratio that the shortest decimal of a double is. */
static sfm_status exact_epsilon(sfm_ratio *out, double epsilon, sfm_error *error) {
  char text[64];
  for (int digits = 1; digits <= 17; digits++) {
    sfmi_snprintf(text, sizeof text, "%.*g", digits, epsilon);
    if (sfmi_strtod(text, NULL) == epsilon) break;
  }
  return sfm_ratio_parse(out, text, error);
}

sfm_status sfmi_optimal_create(sfmi_optimal **out, size_t n, double epsilon, sfm_error *error) {
  *out = NULL;
  sfm_ratio exact;
  if (n < 1 || n > SFMI_OPTIMAL_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "a mechanism is for counts up to 1 at least and %d at most, not %zu",
                     SFMI_OPTIMAL_MAX, n);
  if (!(epsilon >= SFMI_OPTIMAL_LEAST && epsilon <= SFMI_OPTIMAL_MOST))
    return sfmi_fail(error, SFM_INVALID, "epsilon must be from 1e-6 to %d, not %.15g",
                     SFMI_OPTIMAL_MOST, epsilon);
  sfm_status status = exact_epsilon(&exact, epsilon, error);
  if (status) return status;
  sfmi_optimal *optimal = sfmi_alloc(1, sizeof *optimal);
  if (!optimal) return sfmi_fail_memory(error);
  *optimal = (sfmi_optimal){.n = n, .epsilon = epsilon, .exact = exact, .limit = NAN};
  optimal->losses = sfmi_alloc((n + 1) * (n + 1), sizeof *optimal->losses);
  optimal->numerators = sfmi_alloc((n + 1) * (n + 1), sizeof *optimal->numerators);
  if (!optimal->losses || !optimal->numerators) {
    sfmi_optimal_destroy(optimal);
    return sfmi_fail_memory(error);
  }
  *out = optimal;
  return SFM_OK;
}

void sfmi_optimal_destroy(sfmi_optimal *optimal) {
  if (!optimal) return;
  free(optimal->losses);
  free(optimal->prior);
  free(optimal->numerators);
  free(optimal);
}

/* ---- losses and priors ---- */

static double named_loss(sfm_optimal_loss loss, size_t i, size_t j) {
  const double distance = fabs((double)i - (double)j);
  if (loss == SFM_OPTIMAL_LOSS_ZERO_ONE) return distance > 0;
  return loss == SFM_OPTIMAL_LOSS_SQUARED ? distance * distance : distance;
}

void sfmi_optimal_fill_losses(sfmi_optimal *optimal, sfm_optimal_loss loss) {
  const size_t size = optimal->n + 1;
  optimal->loss = loss;
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) optimal->losses[i * size + j] = named_loss(loss, i, j);
}

sfm_status sfmi_optimal_check_losses(const double *losses, size_t n, const char *where,
                                     sfm_error *error) {
  for (size_t e = 0; e < (n + 1) * (n + 1); e++)
    if (!(losses[e] >= 0 && losses[e] <= SFMI_OPTIMAL_LOSS_MAX))
      return sfmi_fail(error, SFM_INVALID,
                       "%s: the loss of answer %zu when the count is %zu is %.15g; write numbers "
                       "from 0 to %g",
                       where, e % (n + 1), e / (n + 1), losses[e], SFMI_OPTIMAL_LOSS_MAX);
  return SFM_OK;
}

sfm_status sfmi_optimal_check_prior(const double *prior, size_t n, const char *where,
                                    sfm_error *error) {
  double sum = 0;
  for (size_t i = 0; i <= n; i++) {
    if (!(prior[i] >= 0 && isfinite(prior[i])))
      return sfmi_fail(error, SFM_INVALID,
                       "%s: the weight of count %zu is %.15g; a prior has no negative weights",
                       where, i, prior[i]);
    sum += prior[i];
  }
  if (!(fabs(sum - 1) <= SFMI_OPTIMAL_PRIOR))
    return sfmi_fail(error, SFM_INVALID,
                     "%s: the weights sum to %.15g; divide them by that, a prior sums to one",
                     where, sum);
  return SFM_OK;
}

bool sfmi_optimal_unimodal(const double *losses, size_t n) {
  for (size_t i = 0; i <= n; i++) {
    const double *row = losses + i * (n + 1);
    for (size_t j = 0; j < n; j++)
      if (j < i ? row[j] < row[j + 1] : row[j + 1] < row[j]) return false;
  }
  return true;
}

bool sfmi_optimal_symmetric(const double *losses, size_t n) {
  const size_t entries = (n + 1) * (n + 1);
  for (size_t e = 0; e < entries / 2; e++)
    if (losses[e] != losses[entries - 1 - e]) return false;
  return true;
}

/* ---- laws and risks ---- */

void sfmi_optimal_geometric(double *out, size_t n, double epsilon) {
  const double inside = tanh(epsilon / 2), end = 1 / (1 + exp(-epsilon));
  for (size_t i = 0; i <= n; i++)
    for (size_t k = 0; k <= n; k++) {
      const double distance = fabs((double)i - (double)k);
      out[i * (n + 1) + k] = exp(-epsilon * distance) * (k == 0 || k == n ? end : inside);
    }
}

sfm_status sfmi_optimal_costs(double *out, const double *geometric, const double *losses,
                              const double *weights, size_t n, sfm_error *error) {
  const size_t size = n + 1;
  double *weighted = sfmi_alloc(size * size, sizeof *weighted);
  if (!weighted) return sfmi_fail_memory(error);
  for (size_t i = 0; i < size; i++)
    for (size_t k = 0; k < size; k++) weighted[k * size + i] = weights[i] * geometric[i * size + k];
  sfmi_matrix_multiply(out, weighted, losses, size, size, size);
  free(weighted);
  return SFM_OK;
}

sfm_status sfmi_optimal_least(double *out, const sfmi_optimal *optimal, const double *prior,
                              sfm_error *error) {
  const size_t size = optimal->n + 1;
  double *geometric = sfmi_alloc(size * size, sizeof *geometric),
         *costs = sfmi_alloc(size * size, sizeof *costs);
  sfm_status status = geometric && costs ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    sfmi_optimal_geometric(geometric, optimal->n, optimal->epsilon);
    status = sfmi_optimal_costs(costs, geometric, optimal->losses, prior, optimal->n, error);
  }
  *out = 0;
  for (size_t k = 0; k < size && !status; k++) {
    double least = costs[k * size];
    for (size_t j = 1; j < size; j++) least = fmin(least, costs[k * size + j]);
    *out += least;
  }
  free(geometric);
  free(costs);
  return status;
}

static double probability(const sfmi_optimal *optimal, size_t row, size_t j) {
  return (double)optimal->numerators[row * (optimal->n + 1) + j] * 0x1p-62;
}

/* What the risk at truth i would be, had the table only this row. */
static double row_risk(const sfmi_optimal *optimal, size_t row, size_t i) {
  const size_t size = optimal->n + 1;
  double sum = 0;
  for (size_t j = 0; j < size; j++)
    if (optimal->numerators[row * size + j])
      sum += probability(optimal, row, j) * optimal->losses[i * size + j];
  return sum;
}

sfm_status sfmi_optimal_risks(const sfmi_optimal *optimal, double *risks, sfm_error *error) {
  const size_t size = optimal->n + 1;
  if (optimal->form == SFM_OPTIMAL_MATRIX) {
    for (size_t i = 0; i < size; i++) risks[i] = row_risk(optimal, i, i);
    return SFM_OK;
  }
  double *geometric = sfmi_alloc(size * size, sizeof *geometric);
  if (!geometric) return sfmi_fail_memory(error);
  sfmi_optimal_geometric(geometric, optimal->n, optimal->epsilon);
  for (size_t i = 0; i < size; i++) {
    risks[i] = 0;
    for (size_t k = 0; k < size; k++) risks[i] += geometric[i * size + k] * row_risk(optimal, k, i);
  }
  free(geometric);
  return SFM_OK;
}

double sfmi_optimal_total(const sfmi_optimal *optimal, const double *risks) {
  double mean = 0, worst = 0;
  for (size_t i = 0; i <= optimal->n; i++) {
    if (optimal->objective == SFM_OPTIMAL_OBJECTIVE_BAYES) mean += optimal->prior[i] * risks[i];
    worst = fmax(worst, risks[i]);
  }
  return optimal->objective == SFM_OPTIMAL_OBJECTIVE_BAYES ? mean : worst;
}

void sfmi_optimal_law(const sfmi_optimal *optimal, double *law, size_t truth) {
  const size_t n = optimal->n;
  const double inside = tanh(optimal->epsilon / 2), end = 1 / (1 + exp(-optimal->epsilon));
  for (size_t j = 0; j <= n; j++)
    law[j] = optimal->form == SFM_OPTIMAL_MATRIX ? probability(optimal, truth, j) : 0;
  if (optimal->form == SFM_OPTIMAL_MATRIX) return;
  for (size_t k = 0; k <= n; k++) {
    const double distance = fabs((double)truth - (double)k);
    const double mass = exp(-optimal->epsilon * distance) * (k == 0 || k == n ? end : inside);
    for (size_t j = 0; j <= n; j++) law[j] += mass * probability(optimal, k, j);
  }
}

/* The least d beyond which the law has at most this mass; sums of what is beyond, all of them
 * positive, are right to SFMI_OPTIMAL_PRECISION. */
static size_t reach(const double *law, size_t n, size_t truth, double mass) {
  double beyond = 0;
  size_t d = n;
  for (; d > 0; d--) {
    if (truth >= d) beyond += law[truth - d];
    if (truth + d <= n) beyond += law[truth + d];
    if (beyond * (1 + SFMI_OPTIMAL_PRECISION) > mass) break;
  }
  return d;
}

sfm_status sfmi_optimal_error(const sfmi_optimal *optimal, size_t *distance, double confidence,
                              sfm_error *error) {
  const size_t n = optimal->n;
  double *law = sfmi_alloc(n + 1, sizeof *law);
  if (!law) return sfmi_fail_memory(error);
  *distance = 0;
  for (size_t i = 0; i <= n; i++) {
    sfmi_optimal_law(optimal, law, i);
    const size_t d = reach(law, n, i, 1 - confidence);
    if (d > *distance) *distance = d;
  }
  free(law);
  return SFM_OK;
}

void sfmi_optimal_round(sfmi_optimal *optimal, const double *table) {
  const size_t size = optimal->n + 1;
  for (size_t row = 0; row < size; row++) {
    const double *from = table + row * size;
    uint64_t *to = optimal->numerators + row * size, sum = 0;
    size_t largest = 0;
    for (size_t j = 0; j < size; j++) {
      to[j] = (uint64_t)(from[j] * 0x1p62);
      sum += to[j];
      if (to[j] > to[largest]) largest = j;
    }
    to[largest] += SFMI_OPTIMAL_ONE - sum; /* may be negative: of unsigned numbers the same */
  }
}

/* ---- checks ---- */

/* Invariant 1. */
static sfm_status check_sums(const sfmi_optimal *optimal, const char *name, sfm_error *error) {
  const size_t size = optimal->n + 1;
  for (size_t row = 0; row < size; row++) {
    sfmi_u128 sum = 0;
    for (size_t j = 0; j < size; j++) sum += optimal->numerators[row * size + j];
    if (sum != SFMI_OPTIMAL_ONE)
      return sfmi_fail(
          error, SFM_FORMAT,
          "%s: row %zu of the table does not sum to one: its numerators make 2^62 %s "
          "%" PRIu64,
          name, row, sum > SFMI_OPTIMAL_ONE ? "and" : "less",
          (uint64_t)(sum > SFMI_OPTIMAL_ONE ? sum - SFMI_OPTIMAL_ONE : SFMI_OPTIMAL_ONE - sum));
  }
  return SFM_OK;
}

/* Whether x/y is within the bound of e^epsilon.  Numerators are at most 2^62, so nothing passes 126
 * bits. */
static bool within(uint64_t x, uint64_t y, sfmi_dyadic_bound bound) {
  return (sfmi_u128)x << bound.shift <= (sfmi_u128)y * bound.mantissa;
}

/* Invariant 2, after invariant 1. */
static sfm_status check_ratios(const sfmi_optimal *optimal, const char *name, sfm_error *error) {
  const size_t size = optimal->n + 1;
  const sfmi_dyadic_bound bound = sfmi_exp_lower_bound(optimal->exact);
  for (size_t i = 0; i + 1 < size; i++)
    for (size_t j = 0; j < size; j++) {
      const uint64_t x = optimal->numerators[i * size + j],
                     y = optimal->numerators[(i + 1) * size + j];
      if (!within(x, y, bound) || !within(y, x, bound))
        return sfmi_fail(error, SFM_FORMAT,
                         "%s: not private: answer %zu has probability %.15g when the count is %zu "
                         "and %.15g when it is %zu, more than e^epsilon times apart",
                         name, j, (double)x * 0x1p-62, i, (double)y * 0x1p-62, i + 1);
    }
  return SFM_OK;
}

sfm_status sfmi_optimal_check(const sfmi_optimal *optimal, const char *name, sfm_error *error) {
  sfm_status status = sfmi_optimal_check_losses(optimal->losses, optimal->n, name, error);
  if (!status && optimal->prior)
    status = sfmi_optimal_check_prior(optimal->prior, optimal->n, name, error);
  if (!status) status = check_sums(optimal, name, error);
  if (!status && optimal->form == SFM_OPTIMAL_MATRIX) status = check_ratios(optimal, name, error);
  return status;
}

/* ---- drawing ---- */

size_t sfmi_optimal_answer(const sfmi_optimal *optimal, size_t row, uint64_t u) {
  const uint64_t *numerators = optimal->numerators + row * (optimal->n + 1);
  size_t j = 0;
  for (; j < optimal->n && u >= numerators[j]; j++) u -= numerators[j];
  return j;
}

sfm_ratio sfmi_optimal_scale(const sfmi_optimal *optimal) {
  return (sfm_ratio){optimal->exact.denominator, optimal->exact.numerator};
}
