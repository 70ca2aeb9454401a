#include "audit.h"

#include "test_support.h"

/* Thresholds tried for a score: quantiles of the releases on both inputs. */
enum { THRESHOLDS = 400 };

/* The continued fraction of the incomplete beta function by Lentz's rule (DLMF 8.17.22). */
static double fraction(double a, double b, double x) {
  const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < tiny ? tiny : d);
  double f = d;
  for (int m = 1; m < 100000; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (int k = 0; k < 2; k++) {
      double step = k ? odd : even;
      d = 1 + step * d;
      c = 1 + step / c;
      d = 1 / (fabs(d) < tiny ? tiny : d);
      if (fabs(c) < tiny) c = tiny;
      change = c * d;
      f *= change;
    }
    if (fabs(change - 1) < 1e-15) break;
  }
  return f;
}

static double log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

/* P(Beta(a, b) <= x), 0 < x < 1, a and b at least 1. */
static double beta_below(double a, double b, double x) {
  double front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * fraction(a, b, x) / a;
  return 1 - front * fraction(b, a, 1 - x) / b;
}

/* The quantile of Beta(a, b) at level. */
static double beta_quantile(double a, double b, double level) {
  double low = 0, high = 1;
  for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
    double middle = 0.5 * (low + high);
    *(beta_below(a, b, middle) < level ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

double audit_lower(size_t hits, size_t trials, double alpha) {
  if (hits == 0) return 0;
  return beta_quantile((double)hits, (double)(trials - hits) + 1, alpha);
}

double audit_upper(size_t hits, size_t trials, double alpha) {
  return 1 - audit_lower(trials - hits, trials, alpha);
}

double audit_bound(size_t hits_p, size_t hits_q, size_t trials, double delta) {
  double p = audit_lower(hits_p, trials, AUDIT_SIGNIFICANCE / 2) - delta;
  double q = audit_upper(hits_q, trials, AUDIT_SIGNIFICANCE / 2);
  return p > q ? log(p / q) : 0;
}

/* samples[input]: trials x scores, release by release. */
static double *draw_half(const audit_mechanism *mechanism, int input, size_t trials) {
  double *samples = malloc(trials * mechanism->scores * sizeof *samples);
  if (!samples) abort();
  for (size_t i = 0; i < trials; i++)
    mechanism->draw(mechanism->context, input, samples + i * mechanism->scores);
  return samples;
}

static bool happens(const audit_event *event, const double *scores) {
  double score = scores[event->score];
  return event->above ? score >= event->threshold : score <= event->threshold;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* One score of every release, sorted, NaNs left out; returns how many. */
static size_t sorted_scores(double *out, const double *samples, size_t trials, size_t scores,
                            size_t score) {
  size_t count = 0;
  for (size_t i = 0; i < trials; i++) {
    double value = samples[i * scores + score];
    if (!isnan(value)) out[count++] = value;
  }
  qsort(out, count, sizeof *out, compare);
  return count;
}

/* How many of the sorted values are below x, or at most x. */
static size_t rank_of(const double *sorted, size_t count, double x, bool inclusive) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (sorted[middle] < x || (inclusive && sorted[middle] <= x)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Wilson's approximation to audit_bound: enough, and quick enough, to choose by. */
static double guess(size_t hits_p, size_t hits_q, size_t trials, double delta) {
  const double z = 4.9, n = (double)trials;
  double p = (double)hits_p / n, q = (double)hits_q / n;
  p = p + z * z / (2 * n) - z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  q = q + z * z / (2 * n) + z * sqrt(q * (1 - q) / n + z * z / (4 * n * n));
  p -= delta * (1 + z * z / n);
  return p > 0 ? log(p / q) : -INFINITY;
}

/* Keeps the best event among the thresholds of one score. */
static void search_score(audit_event *best, double *bound, double *const sorted[2],
                         const size_t count[2], size_t trials, size_t score, double delta) {
  for (size_t i = 0; i < 2 * THRESHOLDS; i++) {
    const size_t from = i % 2;
    if (!count[from]) continue;
    const double t = sorted[from][(i / 2) * (count[from] - 1) / (THRESHOLDS - 1)];
    for (int above = 0; above < 2; above++) {
      size_t hits[2];
      for (int k = 0; k < 2; k++)
        hits[k] = above ? count[k] - rank_of(sorted[k], count[k], t, false)
                        : rank_of(sorted[k], count[k], t, true);
      const int input = hits[1] > hits[0];
      double value = guess(hits[input], hits[!input], trials, delta);
      if (value <= *bound) continue;
      *bound = value;
      *best = (audit_event){score, t, above, input};
    }
  }
}

static audit_event choose(const audit_mechanism *mechanism, size_t trials) {
  audit_event best = {0};
  double bound = -INFINITY;
  double *samples[2], *sorted[2];
  size_t count[2];
  for (int k = 0; k < 2; k++) {
    samples[k] = draw_half(mechanism, k, trials);
    sorted[k] = malloc(trials * sizeof *sorted[k]);
    if (!sorted[k]) abort();
  }
  for (size_t s = 0; s < mechanism->scores; s++) {
    for (int k = 0; k < 2; k++)
      count[k] = sorted_scores(sorted[k], samples[k], trials, mechanism->scores, s);
    search_score(&best, &bound, sorted, count, trials, s, mechanism->delta);
  }
  for (int k = 0; k < 2; k++) {
    free(samples[k]);
    free(sorted[k]);
  }
  return best;
}

audit_result audit_run(const audit_mechanism *mechanism, size_t draws) {
  audit_result result = {.trials = draws / 2};
  double scores[AUDIT_SCORES_MAX];
  result.event = choose(mechanism, draws - result.trials);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < result.trials; i++) {
      mechanism->draw(mechanism->context, k, scores);
      result.hits[k] += happens(&result.event, scores);
    }
  const int input = result.event.input;
  result.lower =
      audit_bound(result.hits[input], result.hits[!input], result.trials, mechanism->delta);
  return result;
}

void audit_print(const audit_mechanism *mechanism, const audit_result *result) {
  if (!result) {
    printf("%-50s %7s %6s %7s %6s  %s\n", "mechanism", "epsilon", "delta", "lower", "share",
           "verdict");
    return;
  }
  printf("%-50s %7g %6g %7.4f %6.3f  %s\n", mechanism->name, mechanism->epsilon, mechanism->delta,
         result->lower, result->lower / mechanism->epsilon,
         result->lower > mechanism->epsilon ? "NOT PRIVATE" : "not disproved");
  fflush(stdout);
}

size_t audit_draws(void) {
  return (size_t)1 << (test_long() ? 21 : 17);
}

double audit_share(double ordinary, double long_tier) {
  return test_long() ? long_tier : ordinary;
}

void audit_honest_of(const audit_mechanism *mechanism, size_t draws, double share) {
  audit_result result = audit_run(mechanism, draws);
  audit_print(mechanism, &result);
  if (result.lower > mechanism->epsilon)
    fail_msg("%s: epsilon is at least %g, not %g", mechanism->name, result.lower,
             mechanism->epsilon);
  if (result.lower < share * mechanism->epsilon)
    fail_msg("%s: the audit has no power: %g is below %g of epsilon", mechanism->name, result.lower,
             share);
}

void audit_twin_of(const audit_mechanism *mechanism, size_t draws) {
  audit_result result = audit_run(mechanism, draws);
  audit_print(mechanism, &result);
  if (result.lower <= mechanism->epsilon)
    fail_msg("%s: the twin that is wrong on purpose was not caught: %g", mechanism->name,
             result.lower);
}

void audit_honest(const audit_mechanism *mechanism, double share) {
  audit_honest_of(mechanism, audit_draws(), share);
}

void audit_twin(const audit_mechanism *mechanism) {
  audit_twin_of(mechanism, audit_draws() / 2);
}
