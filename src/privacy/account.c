#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "chernoff_bound.h"
#include "composition.h"
#include "guarantee.h"
#include "mgf_inversion.h"

/* A width at which the sums of guarantees are asked too. */
#define WIDE 1e-6
/* The gdp sum takes milliseconds a loss: no more of them than this. */
#define GDP_LOSSES_MAX 100
/* If the one atom at the top fixes epsilon to this, nothing else is asked. */
#define TOP_WIDTH 1e-10
/* An inversion is made anew for an epsilon that is further than this from its own, in units of
 * its own spread. */
#define FAR 1.5
#define ROUNDS 4
#define STEPS 60
/* Below e^-760 delta is no double; within CERTAIN of 1 it need not be inverted. */
#define LOG_NOTHING (-760)
#define CERTAIN 1e-12

/* ln(delta) <= goal, decided on the safe side of the rounding of goal. */
typedef struct goal {
  long double log_delta, off;
} goal;

static goal goal_of(double delta) {
  const long double log_delta = logl((long double)delta);
  return (goal){log_delta, 4 * LDBL_EPSILON * (1 + fabsl(log_delta))};
}

static double downwards(long double x) {
  double y = (double)x;
  return fmax(nextafter(nextafter(y, -INFINITY), -INFINITY), 0);
}

/* top - epsilon */
static long double gap_at(const sfmi_total_loss *total, double epsilon) {
  return sfmi_dd_value(sfmi_dd_add(total->top, (sfmi_dd){-epsilon, 0}));
}

static sfmi_saddle saddle_at(const sfmi_total_loss *total, double epsilon) {
  return sfmi_saddle_for_gap(total, (double)gap_at(total, epsilon));
}

/* What the largest loss alone says: epsilon <= top, and delta(epsilon) >= p(top)(1 - e^(epsilon -
 * top)). */
static sfm_interval top_epsilon(const sfmi_total_loss *total, double delta) {
  sfm_interval out = {0, INFINITY};
  if (!total->bounded) return out;
  out.upper = total->top_above;
  const goal to = goal_of(delta);
  const long double log_ratio = to.log_delta - total->log_top;
  const long double off = to.off + total->log_top_off + 4 * LDBL_EPSILON * (1 + fabsl(log_ratio));
  const long double ratio = expl(log_ratio + off);
  if (!(ratio < 0.5L)) return out;
  const sfmi_dd down = {(double)(log1pl(-ratio) * (1 + 1e-15L)), 0};
  out.lower = downwards(sfmi_dd_value(sfmi_dd_add(total->top, down)));
  return out;
}

static sfm_interval top_delta(const sfmi_total_loss *total, double epsilon) {
  sfm_interval out = {0, 1};
  if (!total->bounded) return out;
  if (epsilon >= total->top_above) return (sfm_interval){0, 0};
  const double gap = (double)gap_at(total, epsilon);
  const double off = 0x1p-96 * (total->top_above + epsilon);
  out.upper = fmin(-expm1(-(fmax(gap, 0) + off)) * (1 + 1e-15), 1);
  const long double mass = expl(total->log_top - total->log_top_off);
  if (gap > off) out.lower = -(double)mass * expm1(-(gap - off)) * (1 - 1e-15);
  return out;
}

static sfm_interval intersection(sfm_interval a, sfm_interval b) {
  return (sfm_interval){fmax(a.lower, b.lower), fmin(a.upper, b.upper)};
}

static bool is_wide(sfm_interval x) {
  return x.upper > SFMI_DELTA_MIN && !(x.upper - x.lower <= WIDE * x.upper && isfinite(x.upper));
}

/* The least epsilon that the zcdp and gdp sums give; both hold whatever else does. */
static double summed_epsilon(const sfm_privacy_loss *losses, size_t count, double delta) {
  double least = INFINITY, epsilon;
  sfm_guarantee sum;
  if (!sfm_account_sum(&sum, losses, count, SFM_GUARANTEE_ZCDP, NULL)) {
    const double log_delta = -log(delta);
    least = (sum.rho + 2 * sqrt(sum.rho * log_delta)) * (1 + 1e-14);
    if (!sfm_guarantee_epsilon(&epsilon, &sum, delta, NULL)) least = fmin(least, epsilon);
  }
  if (count <= GDP_LOSSES_MAX && !sfm_account_sum(&sum, losses, count, SFM_GUARANTEE_GDP, NULL) &&
      !sfm_guarantee_epsilon(&epsilon, &sum, delta, NULL))
    least = fmin(least, epsilon);
  return least;
}

static double summed_delta(const sfm_privacy_loss *losses, size_t count, double epsilon) {
  double least = 1, delta;
  sfm_guarantee sum;
  if (!sfm_account_sum(&sum, losses, count, SFM_GUARANTEE_ZCDP, NULL) &&
      !sfm_guarantee_delta(&delta, &sum, epsilon, NULL))
    least = fmin(least, delta);
  if (count <= GDP_LOSSES_MAX && !sfm_account_sum(&sum, losses, count, SFM_GUARANTEE_GDP, NULL) &&
      !sfm_guarantee_delta(&delta, &sum, epsilon, NULL))
    least = fmin(least, delta);
  return least;
}

/* How far epsilon must go for ln delta to fall by `by`; NaN when the slope does not say. */
static double move(const sfmi_log_bounds *ends, long double by) {
  return ends->slope < 0 ? (double)(by / -(long double)ends->slope) : NAN;
}

static double middle(const sfmi_log_bounds *ends) {
  if (!isfinite((double)ends->log_lower)) return (double)ends->log_upper;
  return (double)((ends->log_lower + ends->log_upper) / 2);
}

/* Newton's method on ln delta within [0, most], which halves its bracket where it would leave it;
 * 0 is tried once. */
static double newton(const sfmi_inversion *inversion, double epsilon, double most, goal to) {
  double low = 0, high = most;
  bool zero = false;
  for (int i = 0; i < STEPS; i++) {
    sfmi_log_bounds ends;
    sfmi_inversion_at(inversion, epsilon, &ends);
    const long double above = (long double)middle(&ends) - to.log_delta;
    if (epsilon == 0 && above <= 0) return 0;
    zero = zero || epsilon == 0;
    if (above > 0) {
      low = epsilon;
    } else {
      high = epsilon;
    }
    double next = epsilon + move(&ends, above);
    if (fabs(next - epsilon) <= 1e-14 * epsilon) return next;
    if (next <= 0 && !zero) {
      next = 0;
    } else if (!(next > low && next < high)) {
      next = isfinite(high) ? (low + high) / 2 : 2 * epsilon + 1;
      if (next == low || next == high) break;
    }
    epsilon = next;
  }
  return epsilon;
}

/* The first epsilon tried, from `from` upwards, whose delta is certainly at most the goal. */
static double certain_upper(const sfmi_inversion *inversion, double from, double most, goal to) {
  double epsilon = from, least = fmax(from, SFMI_EPSILON_MIN) * DBL_EPSILON;
  for (int i = 0; i < STEPS && epsilon < most; i++, least *= 4) {
    sfmi_log_bounds ends;
    sfmi_inversion_at(inversion, epsilon, &ends);
    if (ends.log_upper <= to.log_delta - to.off) return epsilon;
    const double by = 1.01 * move(&ends, ends.log_upper - to.log_delta);
    epsilon = nextafter(epsilon + fmax(by, least), INFINITY);
  }
  return most;
}

/* The first epsilon tried, from `from` downwards, whose delta is certainly at least the goal. */
static double certain_lower(const sfmi_inversion *inversion, double from, goal to) {
  double epsilon = from, least = fmax(from, SFMI_EPSILON_MIN) * DBL_EPSILON;
  for (int i = 0; i < STEPS && epsilon > 0; i++, least *= 4) {
    sfmi_log_bounds ends;
    sfmi_inversion_at(inversion, epsilon, &ends);
    if (ends.log_lower >= to.log_delta + to.off) return epsilon;
    const bool known = isfinite((double)ends.log_lower);
    const double by = known ? 1.01 * move(&ends, to.log_delta - ends.log_lower) : least;
    epsilon = nextafter(epsilon - fmax(by, least), 0);
  }
  return 0;
}

/* The inversion at the goal, and the epsilon about there. */
static sfm_status approach(sfmi_inversion **out, double *epsilon, const sfmi_total_loss *total,
                           double most, goal to, sfm_error *error) {
  sfmi_saddle at = sfmi_saddle_for_delta(total, (double)to.log_delta);
  sfm_status status = SFM_OK;
  for (int i = 0; i < ROUNDS && !status; i++) {
    sfmi_inversion_destroy(*out);
    status = sfmi_inversion_create(out, total, &at, 0, error);
    if (status) break;
    const double made_for = total->top.hi - at.gap;
    *epsilon = newton(*out, fmin(fmax(made_for, 0), most), most, to);
    if (fabs(*epsilon - made_for) <= FAR * sqrt(at.curvature)) break;
    at = saddle_at(total, *epsilon);
  }
  return status;
}

static sfm_status mixed_epsilon(sfm_interval *out, const sfmi_total_loss *total, double delta,
                                sfm_error *error) {
  sfm_interval simple = top_epsilon(total, delta);
  *out = simple;
  if (total->bounded && simple.upper - simple.lower <= TOP_WIDTH * simple.upper) return SFM_OK;
  sfmi_inversion *inversion = NULL;
  const goal to = goal_of(delta);
  const double most = simple.upper;
  double epsilon = 0;
  sfm_status status = approach(&inversion, &epsilon, total, most, to, error);
  if (!status) {
    const double upper = certain_upper(inversion, epsilon, most, to);
    const double lower = certain_lower(inversion, epsilon, to);
    *out = intersection(simple, (sfm_interval){lower, upper});
    if (is_wide(*out)) {
      const long double gap = sfmi_chernoff_gap(total, log1pl(-(long double)delta));
      const long double least = sfmi_dd_value(total->top) - gap;
      if (least > 0) out->lower = fmax(out->lower, downwards(least * (1 - 1e-17L)));
    }
  }
  sfmi_inversion_destroy(inversion);
  return status;
}

static sfm_status check_delta(double delta, sfm_error *error) {
  if (delta >= SFMI_DELTA_MIN && delta < 1) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "delta is %g: write a number from %g to below 1", delta,
                   SFMI_DELTA_MIN);
}

static sfm_status check_epsilon(double epsilon, sfm_error *error) {
  if (epsilon >= 0 && epsilon <= SFMI_CURVE_EPSILON_MAX) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "epsilon is %g: write a number from 0 to %g", epsilon,
                   SFMI_CURVE_EPSILON_MAX);
}

sfm_status sfm_account_epsilon(sfm_interval *epsilon, const sfm_privacy_loss *losses, size_t count,
                               double delta, sfm_error *error) {
  sfm_status status = check_delta(delta, error);
  if (status) return status;
  sfmi_total_loss total;
  status = sfmi_total_loss_init(&total, losses, count, error);
  sfm_interval mu, result = {0, INFINITY};
  if (!status) {
    if (sfmi_gaussian_sum(&mu, losses, count)) {
      status = sfmi_gaussian_epsilon(&result, &mu, delta, error);
    } else {
      status = mixed_epsilon(&result, &total, delta, error);
      if (!status && is_wide(result))
        result.upper = fmin(result.upper, summed_epsilon(losses, count, delta));
    }
  }
  sfmi_total_loss_clear(&total);
  if (!status) *epsilon = result;
  return status;
}

/* e^x as a double not below, or not above it. */
static double exp_up(long double x) {
  return fmin(nextafter(nextafter((double)expl(x), INFINITY), INFINITY), 1);
}

static double exp_down(long double x) {
  return nextafter(nextafter((double)expl(x), 0), 0);
}

static sfm_interval interval_of(const sfmi_log_bounds *ends) {
  return (sfm_interval){isfinite((double)ends->log_lower) ? exp_down(ends->log_lower) : 0,
                        isfinite((double)ends->log_upper) ? exp_up(ends->log_upper) : 0};
}

/* delta >= 1 - e^(Chernoff). */
static sfm_interval chernoff_delta(const sfmi_total_loss *total, double epsilon) {
  const long double rest = sfmi_chernoff_below(total, gap_at(total, epsilon));
  const double lower = 1 - exp((double)rest) * (1 + 1e-12);
  return (sfm_interval){fmax(nextafter(lower, 0), 0), 1};
}

/* What can be said without inverting; true when that is enough. */
static bool is_decided(sfm_interval *delta, const sfmi_total_loss *total, const sfmi_saddle *at,
                       double epsilon) {
  *delta = top_delta(total, epsilon);
  if (delta->upper == 0) return true;
  if (at->log_delta < LOG_NOTHING) {
    const long double upper = sfmi_chernoff_above(total, at->lambda, gap_at(total, epsilon));
    *delta = intersection(*delta, (sfm_interval){0, exp_up(upper)});
    return true;
  }
  if (at->log_delta < -0.01) return false;
  const sfm_interval near_one = chernoff_delta(total, epsilon);
  *delta = intersection(*delta, near_one);
  return near_one.lower > 1 - CERTAIN;
}

/* Fills deltas[0], and as many of those after it as the same inversion gives well; *done is how
 * many. */
static sfm_status mixed_stretch(sfm_interval *deltas, size_t *done, const sfmi_total_loss *total,
                                const double *epsilons, size_t points, double spacing,
                                sfm_error *error) {
  *done = 1;
  const sfmi_saddle at = saddle_at(total, epsilons[0]);
  if (is_decided(&deltas[0], total, &at, epsilons[0])) return SFM_OK;
  sfmi_inversion *inversion = NULL;
  sfmi_log_bounds *grid = NULL, ends;
  sfm_status status = sfmi_inversion_create(&inversion, total, &at, spacing, error);
  const size_t size = status ? 0 : sfmi_inversion_grid_size(inversion, points);
  if (size > 1) {
    grid = sfmi_alloc(size, sizeof *grid);
    status = grid ? sfmi_inversion_grid(inversion, grid, epsilons, size, error)
                  : sfmi_fail_memory(error);
  }
  double first = 0;
  for (size_t i = 0; !status && i < points && (!grid || i < size); i++) {
    if (grid) {
      ends = grid[i];
    } else {
      sfmi_inversion_at(inversion, epsilons[i], &ends);
    }
    const double width = (double)(ends.log_upper - ends.log_lower);
    if (i == 0) first = width;
    if (!(width <= fmax(4 * first, WIDE)) && i > 0) break;
    deltas[i] = intersection(top_delta(total, epsilons[i]), interval_of(&ends));
    if (is_wide(deltas[i])) deltas[i] = intersection(deltas[i], chernoff_delta(total, epsilons[i]));
    *done = i + 1;
  }
  free(grid);
  sfmi_inversion_destroy(inversion);
  return status;
}

static sfm_status mixed_curve(sfm_interval *deltas, size_t points, const sfmi_total_loss *total,
                              const double *epsilons, double spacing, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t i = 0, done; i < points && !status; i += done)
    status = mixed_stretch(deltas + i, &done, total, epsilons + i, points - i, spacing, error);
  return status;
}

/* delta falls: what holds at one epsilon bounds the others. */
static void make_monotone(sfm_interval *deltas, size_t points) {
  for (size_t i = 1; i < points; i++) deltas[i].upper = fmin(deltas[i].upper, deltas[i - 1].upper);
  for (size_t i = points - 1; i > 0; i--)
    deltas[i - 1].lower = fmax(deltas[i - 1].lower, deltas[i].lower);
}

sfm_status sfm_account_curve(sfm_interval *deltas, size_t points, const sfm_privacy_loss *losses,
                             size_t count, double first, double last, sfm_error *error) {
  sfm_status status = check_epsilon(first, error);
  if (!status) status = check_epsilon(last, error);
  if (status) return status;
  if (points < 1 || first > last || (points == 1 && first != last))
    return sfmi_fail(error, SFM_INVALID,
                     "%zu points from epsilon %g to %g: write at least two, the first below the "
                     "last, or one point",
                     points, first, last);
  sfmi_total_loss total;
  status = sfmi_total_loss_init(&total, losses, count, error);
  if (status) return status;
  const double spacing = points > 1 ? (last - first) / (double)(points - 1) : 0;
  double *epsilons = sfmi_alloc(points, sizeof *epsilons);
  sfm_interval *result = sfmi_alloc(points, sizeof *result), mu;
  if (!epsilons || !result) status = sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < points; i++)
    epsilons[i] = i + 1 < points ? first + (double)i * spacing : last;
  if (!status && sfmi_gaussian_sum(&mu, losses, count)) {
    for (size_t i = 0; i < points; i++) sfmi_gaussian_delta(&result[i], &mu, epsilons[i]);
  } else if (!status) {
    status = mixed_curve(result, points, &total, epsilons, spacing, error);
  }
  if (!status) {
    make_monotone(result, points);
    for (size_t i = 0; i < points; i++) deltas[i] = result[i];
  }
  free(result);
  free(epsilons);
  sfmi_total_loss_clear(&total);
  return status;
}

sfm_status sfm_account_delta(sfm_interval *delta, const sfm_privacy_loss *losses, size_t count,
                             double epsilon, sfm_error *error) {
  sfm_interval result;
  sfm_status status = sfm_account_curve(&result, 1, losses, count, epsilon, epsilon, error);
  if (status) return status;
  if (is_wide(result)) result.upper = fmin(result.upper, summed_delta(losses, count, epsilon));
  *delta = result;
  return SFM_OK;
}
