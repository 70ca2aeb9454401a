/* limits.c - what no private mechanism can pass, for counts and tables, beside what ours attain. */
#include "base/system/sized_struct.h"
#include "base/system/c_locale.h"
#include "sfumato/limits.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "planner/optimal/design_optimal.h"
#include "lower_bounds.h"
#include "planner/forecast/count_errors.h"
#include "privacy/calibration.h"
#include "privacy/range_check.h"

/* Most cells of a table, and most columns of one-way margins. */
static const uint64_t CELLS_MAX = UINT64_C(1) << 62;
enum { COLUMNS_MAX = 64 };
/* Up to this n the least worst risk of a count is computed, in half a second. */
static const uint64_t PROGRAM_MAX = 200;

void sfm_limits_settings_init(sfm_limits_settings *settings, size_t size) {
  const sfm_limits_settings defaults = {.neighbours = SFM_NEIGHBOURS_REPLACE};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

/* COMPARABLE: the number is about the very error that was asked about. */
typedef enum relation { BESIDE, COMPARABLE } relation;

/* Adds a number, NaN when it does not hold, and what is to be said of it. */
__attribute__((format(printf, 7, 8))) static void add(sfm_limits *limits, sfm_limit_kind kind,
                                                      relation about, const char *name,
                                                      const char *expression, double value,
                                                      const char *format, ...) {
  sfm_limit *limit = &limits->at[limits->count++];
  va_list arguments;
  *limit = (sfm_limit){.name = name,
                       .kind = kind,
                       .expression = expression,
                       .holds = !isnan(value),
                       .comparable = about == COMPARABLE,
                       .value = value};
  va_start(arguments, format);
  sfmi_vsnprintf(limit->why, sizeof limit->why, format, arguments);
  va_end(arguments);
}

/* What was asked for; and no limits yet. */
static sfm_status take(sfm_limits *limits, sfm_limits_settings *s, const sfm_limits_settings *given,
                       sfm_error *error) {
  *limits = (sfm_limits){0};
  return SFMI_TAKE_PLAIN(sfm_limits_settings, s, given, error);
}

static sfm_status check_table(const sfm_limits_settings *s, sfm_error *error) {
  if (s->cells < 1 || s->cells > CELLS_MAX)
    return sfmi_fail(error, SFM_INVALID, "a table has 1 to 2^62 cells, not %llu",
                     (unsigned long long)s->cells);
  if (s->delta != 0 && !(s->delta >= SFMI_DELTA_MIN && s->delta < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "delta must be above 0 and below 1 (1e-6 is usual), or left out, not %g",
                     s->delta);
  return sfmi_check_epsilon(s->epsilon, error);
}

/* ---- a count ---- */

/* The least worst risk by linear programming, and what is certainly not above it. */
static sfm_status solve(double *risk, double *limit, uint64_t n, double epsilon, sfm_error *error) {
  sfmi_optimal *optimal = NULL;
  sfm_status status = sfmi_optimal_create(&optimal, n, epsilon, error);
  if (status) return status;
  sfmi_optimal_fill_losses(optimal, SFM_OPTIMAL_LOSS_ABSOLUTE);
  optimal->objective = SFM_OPTIMAL_OBJECTIVE_MINIMAX;
  status = sfmi_design_optimal_find(optimal, error);
  *risk = optimal->risk;
  *limit = optimal->limit;
  sfmi_optimal_destroy(optimal);
  return status;
}

/* The program of this n; where n is too large, that of the largest n that can be solved.  Its value
 * is less: a mechanism that counts more records well also counts fewer well. */
static sfm_status add_program(sfm_limits *limits, uint64_t n, double epsilon, sfm_error *error) {
  double risk, limit;
  const bool itself = n <= PROGRAM_MAX;
  if (n == 1) {
    add(limits, SFM_LIMIT_EXACT, COMPARABLE, "least worst risk", "1/(1 + e^epsilon)",
        1 / (1 + exp(epsilon)), "of all private mechanisms; the geometric one has it");
    return SFM_OK;
  }
  if (epsilon > SFMI_OPTIMAL_MOST) return SFM_OK;
  sfm_status status = solve(&risk, &limit, itself ? n : PROGRAM_MAX, epsilon, error);
  if (status) return status;
  if (itself)
    add(limits, SFM_LIMIT_EXACT, COMPARABLE, "least worst risk", "linear program", risk,
        "of all private mechanisms; a minimax optimal mechanism has it (no other is below %.9g)",
        limit);
  else
    add(limits, SFM_LIMIT_BOUND, COMPARABLE, "least worst risk of fewer records", "linear program",
        limit,
        "no mechanism's worst risk is less: this is the least for n = %llu, and it never "
        "falls as n grows",
        (unsigned long long)PROGRAM_MAX);
  return SFM_OK;
}

/* Proposition 2.3.1 of Hall's thesis, where its proof holds. */
static void add_formula(sfm_limits *limits, double n, double epsilon) {
  const bool holds = n >= 6 / epsilon && epsilon < 2;
  add(limits, SFM_LIMIT_BOUND, COMPARABLE, "closed form", "e^-2/epsilon",
      holds ? exp(-2) / epsilon : NAN,
      holds ? "no mechanism's worst risk is less; for n >= 6/epsilon and epsilon < 2"
            : "does not hold here: it is proved for n >= 6/epsilon and epsilon < 2 only (the "
              "formula's number, %.4g, is %s what can be had)",
      exp(-2) / epsilon,
      exp(-2) / epsilon > sfmi_count_error_truncated(epsilon, n) ? "more than" : "below");
}

/* No count has almost no risk: given the worst risk, the least that any count can have. */
static void add_everywhere(sfm_limits *limits, const sfm_limits_settings *s, double geometric) {
  const double worst = s->worst > 0 ? s->worst : geometric, c = worst * s->epsilon;
  const double need = 2 * ceil(4 * worst) - 1,
               sharp = sfmi_lower_bound_everywhere(s->n, s->epsilon, worst);
  const bool holds = (double)s->n >= need;
  add(limits, SFM_LIMIT_BOUND, BESIDE, "at every count", "(c/epsilon) e^(-4c-epsilon)",
      holds ? worst * exp(-4 * c - s->epsilon) : NAN,
      holds ? "a mechanism whose worst risk is c/epsilon = %.6g has no less than this at any count"
            : "does not hold here: for a worst risk of c/epsilon = %.6g it needs n >= %.0f",
      worst, need);
  add(limits, SFM_LIMIT_BOUND, BESIDE, "at every count, sharper",
      "max_s e^(-s epsilon) (s/2 - c/epsilon)", sharp > 0 ? sharp : NAN,
      sharp > 0 ? "the same, over whole s <= (n+1)/2"
                : "does not hold here: it needs a whole s above %.6g with s <= (n+1)/2",
      2 * worst);
}

sfm_status sfm_limits_count(sfm_limits *limits, const sfm_limits_settings *given,
                            sfm_error *error) {
  sfm_limits_settings taken, *s = &taken;
  sfm_status status = take(limits, s, given, error);
  const double n = (double)s->n, epsilon = s->epsilon;
  if (!status) status = sfmi_check_epsilon(s->epsilon, error);
  if (status) return status;
  if (s->n < 1) return sfmi_fail(error, SFM_INVALID, "a count needs at least one record: n is 0");
  if (!(s->worst >= 0) || !isfinite(s->worst))
    return sfmi_fail(error, SFM_INVALID,
                     "the worst risk must be a number of records above 0, not %g", s->worst);
  const double floor_risk = sfmi_lower_bound_count(s->n, epsilon);
  if (s->worst > 0 && s->worst < floor_risk)
    return sfmi_fail(error, SFM_INVALID,
                     "no private mechanism has a worst risk as small as %.6g: it is at least %.6g",
                     s->worst, floor_risk);
  const double geometric = sfmi_count_error_truncated(epsilon, n), whole = 1 / sinh(epsilon);
  status = add_program(limits, s->n, epsilon, error);
  if (status) return status;
  add(limits, SFM_LIMIT_EXACT, BESIDE, "least worst risk, large n", "1/sinh(epsilon)", whole,
      "what the least worst risk rises to as n grows");
  add(limits, SFM_LIMIT_BOUND, COMPARABLE, "even prior",
      "least mean risk when all counts are equally likely", floor_risk,
      "no mechanism's worst risk is less; computed, for any n and epsilon");
  add_formula(limits, n, epsilon);
  add_everywhere(limits, s, geometric);
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "geometric", "1/sinh(epsilon)", whole,
      "E|error| of `count` under add-remove, the same at every count");
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "geometric, brought into 0 to n",
      "(2 - a^floor(n/2) - a^ceil(n/2)) a/(1 - a^2), a = e^-epsilon", geometric,
      "E|error| of `count` under replace, at the worst count, n/2");
  return SFM_OK;
}

/* ---- tables ---- */

/* How far one record moves a table that it is counted in `times` times. */
static double l1_of(const sfm_limits_settings *s, double times) {
  return s->neighbours == SFM_NEIGHBOURS_REPLACE ? 2 * times : times;
}

static sfm_status normal_of(sfmi_integer_noise *law, const sfm_limits_settings *s, double times,
                            sfm_error *error) {
  double mu;
  sfm_status status = sfmi_gdp_mu_for(&mu, s->epsilon, s->delta, SFM_CALIBRATION_EXACT, error);
  *law = (sfmi_integer_noise){true, !status ? sqrt(l1_of(s, times)) / mu : 0};
  return status;
}

/* Where the number of records is public and small, no table has an error of more
 * than twice that. */
static void add_table_bound(sfm_limits *limits, const sfm_limits_settings *s) {
  const bool replace = s->neighbours == SFM_NEIGHBOURS_REPLACE;
  const double bound = sfmi_lower_bound_table(s->cells, s->n, s->epsilon, s->neighbours);
  add(limits, SFM_LIMIT_BOUND, COMPARABLE, replace ? "cells in pairs" : "cell by cell",
      replace ? "2 floor(p/2) M, M a count's bound" : "p M, M a count's bound",
      bound > 0 ? bound : NAN,
      bound > 0
          ? replace ? "no mechanism's worst l1 error is less: every pair of cells is a count "
                      "of its own, M that of an even prior"
                    : "no mechanism's worst l1 error is less: every cell is a count of its own, M "
                      "that of an even prior"
          : "does not hold here: it needs two cells");
}

sfm_status sfm_limits_histogram(sfm_limits *limits, const sfm_limits_settings *given,
                                sfm_error *error) {
  sfm_limits_settings taken, *s = &taken;
  sfm_status status = take(limits, s, given, error);
  const double p = (double)s->cells;
  sfmi_integer_noise normal = {0};
  if (!status) status = check_table(s, error);
  if (!status && s->delta > 0) status = normal_of(&normal, s, 1, error);
  if (status) return status;
  const sfmi_integer_noise laplace = {false, l1_of(s, 1) / s->epsilon};
  add_table_bound(limits, s);
  add(limits, SFM_LIMIT_RATE, BESIDE, "table", "p/epsilon", p / s->epsilon,
      "only a rate: the least worst l1 error grows so with p and 1/epsilon (p > 6, n at least in "
      "proportion to p/epsilon), times a constant that is not stated");
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "laplace, l1",
      s->neighbours == SFM_NEIGHBOURS_REPLACE ? "p/sinh(epsilon/2)" : "p/sinh(epsilon)",
      p * sfmi_count_error_of_noise(laplace).absolute,
      "mean l1 error of `histogram`, whatever the counts");
  add(limits, SFM_LIMIT_ATTAINED, BESIDE, "laplace, worst cell", "E max |noise|",
      sfmi_count_error_largest(laplace, p), "mean error of the worst cell");
  if (s->delta > 0) {
    add(limits, SFM_LIMIT_ATTAINED, BESIDE, "normal, l1", "p E|round(sigma N)|",
        p * sfmi_count_error_of_noise(normal).absolute,
        "mean l1 error with normal noise of deviation %.6g; the bound is for delta = 0 and does "
        "not hold for it",
        normal.scale);
    add(limits, SFM_LIMIT_ATTAINED, BESIDE, "normal, worst cell", "E max |noise|",
        sfmi_count_error_largest(normal, p), "mean error of the worst cell");
  }
  return SFM_OK;
}

/* ---- tables that are mostly empty ---- */

/* Mean l1 error when the threshold is scale ln(p/known), at worst over counts of q cells. */
static double sparse_error(double p, double q, double known, double scale) {
  const double least = floor(scale * log(p / known)) + 1;
  return (p - q) * sfmi_count_error_thresholded(scale, least, 0).absolute +
         q * sfmi_count_error_worst(scale, least);
}

sfm_status sfm_limits_sparse(sfm_limits *limits, const sfm_limits_settings *given,
                             sfm_error *error) {
  sfm_limits_settings taken, *s = &taken;
  sfm_status status = take(limits, s, given, error);
  const double p = (double)s->cells, q = (double)s->occupied, epsilon = s->epsilon;
  if (!status) status = check_table(s, error);
  if (status) return status;
  if (s->occupied < 1 || s->occupied > s->cells)
    return sfmi_fail(error, SFM_INVALID, "of %llu cells 1 to all can be occupied, not %llu",
                     (unsigned long long)s->cells, (unsigned long long)s->occupied);
  const double scale = l1_of(s, 1) / epsilon, empty = 1 / (1 + exp(-1 / scale));
  const double bound = sfmi_lower_bound_sparse(s->cells, s->occupied, s->n, epsilon, s->neighbours);
  add(limits, SFM_LIMIT_BOUND, COMPARABLE, "packing",
      "max of s tau (1 - e^(epsilon q tau)/size), cells in pairs", bound > 0 ? bound : NAN,
      bound > 0 ? "no mechanism's worst l1 error over tables with so few occupied cells is less"
                : "does not hold here: it needs two cells that can be occupied");
  add(limits, SFM_LIMIT_RATE, BESIDE, "sparse table", "q ln(p/q)/epsilon", q * log(p / q) / epsilon,
      "only a rate: the least worst l1 error grows so, times a constant that is not stated");
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "sparse, stated",
      "(q + 1/(1+a)) b (ln p + 1), b the noise's scale, a = e^(-1/b)",
      (q + empty) * scale * (log(p) + 1),
      "a sparse histogram has at most this, whatever the counts (continuous noise would have 1/2 "
      "for 1/(1+a): (2q+1)/epsilon (ln p + 1) for b = 2/epsilon)");
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "sparse, computed", "(p-q) e(0) + q max_c e(c)",
      sparse_error(p, q, 1, scale),
      "the same, exactly for empty cells and for the worst count of every occupied one");
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "sparse, q known, stated",
      "(1 + 1/(1+a)) q b (ln(p/q) + 1)", (1 + empty) * q * scale * (log(p / q) + 1),
      "with %llu occupied cells, a public number, at most this", (unsigned long long)s->occupied);
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "sparse, q known, computed",
      "(p-q) e(0) + q max_c e(c)", sparse_error(p, q, q, scale),
      "the same, exactly for empty cells and for the worst counts");
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "plain", "p E|noise|",
      p * sfmi_count_error_of_noise((sfmi_integer_noise){false, scale}).absolute,
      "mean l1 error of `histogram` with noise in every cell, for comparison");
  return SFM_OK;
}

/* ---- one-way margins ---- */

static sfm_status check_margins(const sfm_limits_settings *s, sfm_error *error) {
  double cells = 1;
  if (s->columns < 1 || s->columns > COLUMNS_MAX)
    return sfmi_fail(error, SFM_INVALID, "margins are those of 1 to %d columns, not %zu",
                     COLUMNS_MAX, s->columns);
  for (size_t j = 0; j < s->columns; j++) {
    if (s->sizes[j] < 2)
      return sfmi_fail(error, SFM_INVALID,
                       "column %zu has %llu categories: a margin needs two or more", j + 1,
                       (unsigned long long)s->sizes[j]);
    cells *= (double)s->sizes[j];
  }
  sfm_limits_settings whole = *s;
  whole.cells = cells > (double)CELLS_MAX ? CELLS_MAX : (uint64_t)cells;
  return check_table(&whole, error);
}

/* A margin's cell is the sum of all cells of the table that lie in it. */
static double table_error(const sfm_limits_settings *s, double cells) {
  double sum = 0;
  for (size_t j = 0; j < s->columns; j++) {
    const double size = (double)s->sizes[j];
    sum += size * sfmi_count_error_of_sum(l1_of(s, 1) / s->epsilon, cells / size);
  }
  return sum;
}

sfm_status sfm_limits_margins(sfm_limits *limits, const sfm_limits_settings *given,
                              sfm_error *error) {
  sfm_limits_settings taken, *s = &taken;
  sfm_status status = take(limits, s, given, error);
  const double k = (double)s->columns;
  sfmi_integer_noise normal = {0};
  double cells = 1, numbers = 0;
  bool binary = true;
  if (!status) status = check_margins(s, error);
  if (!status && s->delta > 0) status = normal_of(&normal, s, k, error);
  if (status) return status;
  for (size_t j = 0; j < s->columns; j++) {
    cells *= (double)s->sizes[j];
    numbers += (double)s->sizes[j];
    binary = binary && s->sizes[j] == 2;
  }
  const double bound =
      sfmi_lower_bound_margins(s->sizes, s->columns, s->n, s->epsilon, s->neighbours);
  add(limits, SFM_LIMIT_BOUND, COMPARABLE, "packing",
      "max of tau d (1 - e^(epsilon tau)/size), columns apart", bound > 0 ? bound : NAN,
      bound > 0 ? "no mechanism's worst l1 error over all cells of all margins is less"
                : "does not hold here: there are too few records");
  add(limits, SFM_LIMIT_RATE, BESIDE, "one-way margins", "k^2/epsilon", k * k / s->epsilon,
      "only a rate: the least worst l1 error grows so with k and 1/epsilon, times a constant that "
      "is not stated");
  if (binary && s->neighbours == SFM_NEIGHBOURS_REPLACE)
    add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "counts at epsilon/k", "2 k/sinh(epsilon/k)",
        2 * k / sinh(s->epsilon / k),
        "mean l1 error of `count` for each column at epsilon/%zu; the other category is n minus "
        "that",
        s->columns);
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "margins at epsilon/k",
      s->neighbours == SFM_NEIGHBOURS_REPLACE ? "cells/sinh(epsilon/(2k))"
                                              : "cells/sinh(epsilon/k)",
      numbers / sinh(s->epsilon / l1_of(s, k)),
      "mean l1 error of `histogram` that releases the margins directly");
  add(limits, SFM_LIMIT_ATTAINED, COMPARABLE, "from the whole table", "E|sum of noises|",
      table_error(s, cells),
      "mean l1 error of margins added up from a released table of %.4g cells", cells);
  if (s->delta > 0)
    add(limits, SFM_LIMIT_ATTAINED, BESIDE, "margins, normal", "cells E|round(sigma N)|",
        numbers * sfmi_count_error_of_noise(normal).absolute,
        "mean l1 error of margins with normal noise of deviation %.6g; the bound is for delta = 0 "
        "and does not hold for it",
        normal.scale);
  return SFM_OK;
}
