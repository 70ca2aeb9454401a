#include "planner/harmony.h"

#include <math.h>

#include "base/arena.h"
#include "estimators/reach.h"
#include "features/hull.h"
#include "features/verblunsky.h"
#include "planner/forecast.h"
#include "releases/contents.h"

/* Largest |psi|_1 on one axis, and largest distance of two, as straight lines through what
 * reach.h finds: within 3 %, and for choosing m only. */
static const double SINGLE[2] = {0.2, 1.845}, PAIR[2] = {1.25, 2.78};

bool sfmi_harmony_has(sfm_density_method method) {
  return method == SFM_DENSITY_FOURIER_LAPLACE || method == SFM_DENSITY_CARATHEODORY;
}

static const char *name_of(const sfm_density_settings *settings) {
  return settings->method == SFM_DENSITY_CARATHEODORY ? "caratheodory" : "fourier-laplace";
}

static bool hull(const sfm_density_settings *settings) {
  return settings->method == SFM_DENSITY_CARATHEODORY && settings->body == SFM_BODY_HULL;
}

/* What is not of the method asked for. */
static sfm_status check_foreign(const sfm_density_settings *settings, sfm_error *error) {
  if (settings->terms && !sfmi_harmony_has(settings->method))
    return sfmi_fail(error, SFM_INVALID,
                     "a number of frequencies belongs to --method fourier-laplace and to --method "
                     "caratheodory: add one of them, or leave out --terms");
  if (settings->body != SFM_BODY_EXACT && settings->method != SFM_DENSITY_CARATHEODORY)
    return sfmi_fail(error, SFM_INVALID,
                     "a body belongs to --method caratheodory: add it, or leave out --body");
  return SFM_OK;
}

static sfm_status check_terms(const sfm_density_settings *settings, sfm_error *error) {
  if (settings->terms > SFMI_VERBLUNSKY_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "frequencies are possible up to %zu a column, not %zu: write fewer --terms, "
                     "or leave them out for the number of least predicted error",
                     SFMI_VERBLUNSKY_MAX, settings->terms);
  if (hull(settings) && settings->terms > SFMI_HULL_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "--body hull is drawn by a walk that would take too long beyond %zu "
                     "frequencies, and %zu were asked for: write fewer --terms, or use --body "
                     "exact, --method lattice or --method fourier-laplace",
                     SFMI_HULL_MAX, settings->terms);
  return SFM_OK;
}

sfm_status sfmi_harmony_check(const sfm_density_settings *settings, sfm_error *error) {
  sfm_status status = check_foreign(settings, error);
  if (status != SFM_OK || !sfmi_harmony_has(settings->method)) return status;
  if (settings->method == SFM_DENSITY_CARATHEODORY && settings->dimension > 1)
    return sfmi_fail(error, SFM_INVALID,
                     "caratheodory is for one column, not %zu: for more neither a way to draw its "
                     "noise nor a bound on what a row moves is known; use --method lattice or "
                     "--method fourier-laplace",
                     settings->dimension);
  if (settings->dimension > SFMI_LATTICE_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "fourier-laplace is for up to %d columns, not %zu; use fewer, or random "
                     "features: --method gp with a --delta such as 1e-6",
                     SFMI_LATTICE_DIMENSIONS, settings->dimension);
  if (sfm_schema_neighbours(settings->schema) == SFM_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID,
                     "method %s takes the number of records as public: use --neighbours replace, "
                     "or --method lattice, which has add-remove neighbours",
                     name_of(settings));
  for (size_t a = 0; settings->boundary && a < settings->dimension; a++)
    if (settings->boundary[a] == SFM_REFLECT)
      return sfmi_fail(error, SFM_INVALID,
                       "method %s has boundaries open and periodic, not reflect as \"%s\" is to "
                       "have: use --method lattice, or another --boundary",
                       name_of(settings), settings->columns[a]);
  return check_terms(settings, error);
}

/* ---- how many frequencies ---- */

/* An axis: its torus, how many frequencies are not negligible, and running sums of lambda^2. */
typedef struct axis_sums {
  sfmi_torus torus;
  double width;
  size_t need;
  double *squares; /* sum over |j| <= i of lambda_j^2, i = 0..need */
} axis_sums;

typedef struct search {
  const sfmi_design *design;
  const sfm_density_settings *settings;
  double rows;
  size_t lead; /* the axis with the most frequencies */
  axis_sums axes[SFM_MAX_DIMENSION];
} search;

static bool wraps(const sfm_density_settings *settings, size_t a) {
  return settings->boundary && settings->boundary[a] == SFM_PERIODIC;
}

static sfm_status open_axis(search *s, size_t a, sfmi_arena *arena, sfm_error *error) {
  static const double CUT = 1e-16;
  const sfmi_design *design = s->design;
  axis_sums *axis = &s->axes[a];
  axis->width = design->upper[a] - design->lower[a];
  sfmi_torus_lay(&axis->torus, design->lower[a], design->upper[a], design->bandwidth[a],
                 wraps(s->settings, a), 0);
  const double need = sqrt(-log(CUT) / 2) / M_PI * axis->torus.period / design->bandwidth[a];
  axis->need = need < (double)SFMI_VERBLUNSKY_MAX ? (size_t)fmax(need, 1) : SFMI_VERBLUNSKY_MAX;
  axis->squares = sfmi_arena_doubles(arena, axis->need + 1);
  if (!axis->squares) return sfmi_fail_memory(error);
  axis->squares[0] = 1;
  for (size_t j = 1; j <= axis->need; j++) {
    const double lambda = sfmi_torus_lambda(&axis->torus, j);
    axis->squares[j] = axis->squares[j - 1] + 2 * lambda * lambda;
  }
  if (axis->torus.period / design->bandwidth[a] >
      s->axes[s->lead].torus.period / design->bandwidth[s->lead])
    s->lead = a;
  return SFM_OK;
}

/* Sets the frequencies of every axis where the leading one has m. */
static void set_terms(search *s, size_t m) {
  const sfmi_design *design = s->design;
  const double cut = (double)m / (s->axes[s->lead].torus.period / design->bandwidth[s->lead]);
  for (size_t a = 0; a < design->dimension; a++) {
    axis_sums *axis = &s->axes[a];
    const double terms = s->settings->terms
                             ? (double)s->settings->terms
                             : round(cut * axis->torus.period / design->bandwidth[a]);
    axis->torus.terms = (size_t)fmax(terms, 1);
  }
}

static double squares_of(const axis_sums *axis) {
  return axis->squares[axis->torus.terms < axis->need ? axis->torus.terms : axis->need];
}

/* The second moment of one real coordinate of frequency k in the body: that of K_m is 1/(4m - 3(k -
 * 1)) exactly at k = 1 and within 3 % elsewhere ([003] proposition 4.4.1); that of the hull is a
 * fit to walks of up to 14 frequencies, within 6 %. */
static double second_moment(bool symmetric, size_t m, size_t k) {
  const double d = (double)m;
  if (!symmetric || m == 1) return 1 / (4 * d - 3 * ((double)k - 1));
  return (0.58 - 0.33 / d + (0.4 - 0.8 / d) * ((double)k - 1) / (d - 1)) / d;
}

/* The variance of the noise at a point, in squared records: sensitivity Delta. */
static double variance(const search *s, double sensitivity) {
  const double scale = sensitivity / s->settings->epsilon;
  const axis_sums *first = &s->axes[0];
  const size_t m = first->torus.terms;
  double product = 1, sum = 0;
  if (s->settings->method == SFM_DENSITY_FOURIER_LAPLACE) {
    for (size_t a = 0; a < s->design->dimension; a++) product *= squares_of(&s->axes[a]);
    return 2 * scale * scale * (product - 1);
  }
  for (size_t k = 1; k <= m && k <= first->need; k++) {
    const double lambda = sfmi_torus_lambda(&first->torus, k);
    sum += 4 * lambda * lambda * second_moment(hull(s->settings), m, k);
  }
  return scale * scale * (double)(2 * m + 1) * (double)(2 * m + 2) * sum;
}

/* About what a row moves, without a search. */
static double guess(const search *s) {
  const double m = (double)s->axes[0].torus.terms, c = s->design->contributions;
  double product = 1;
  if (s->settings->method == SFM_DENSITY_CARATHEODORY) return c * (hull(s->settings) ? 2 : m + 1);
  if (s->design->dimension == 1) return c * (PAIR[0] + PAIR[1] * m);
  for (size_t a = 0; a < s->design->dimension; a++)
    product *= 1 + SINGLE[0] + SINGLE[1] * (double)s->axes[a].torus.terms;
  return 2 * c * (product - 1);
}

/* Integrated over the domain, in squared density units times squared records. */
static sfmi_forecast forecast(const search *s, double sensitivity) {
  double spread = variance(s, sensitivity);
  double whole[SFM_MAX_DIMENSION], kept[SFM_MAX_DIMENSION], width[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < s->design->dimension; a++) {
    const axis_sums *axis = &s->axes[a];
    spread *= axis->width / (axis->torus.period * axis->torus.period);
    kept[a] = squares_of(axis) / axis->torus.period;
    /* On the line, and where a wide kernel wraps. */
    whole[a] =
        fmax(1 / (2 * sqrt(M_PI) * axis->torus.h), axis->squares[axis->need] / axis->torus.period);
    width[a] = axis->width;
  }
  return (sfmi_forecast){.privacy = spread,
                         .truncation =
                             sfmi_forecast_lost(whole, kept, width, s->design->dimension, s->rows)};
}

static void lay(const search *s, sfmi_spectrum *spectrum) {
  sfmi_torus tori[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < s->design->dimension; a++) {
    const sfmi_design *design = s->design;
    sfmi_torus_lay(&tori[a], design->lower[a], design->upper[a], design->bandwidth[a],
                   wraps(s->settings, a), s->axes[a].torus.terms);
  }
  sfmi_spectrum_init_flat(spectrum, s->design->lower, s->design->upper, tori, s->design->dimension,
                          s->rows);
}

static bool fits(const sfmi_spectrum *spectrum) {
  return spectrum->length <= SFMI_RELEASE_MAX && spectrum->lattice.length <= SFMI_PADDED_MAX;
}

/* The frequencies of least predicted error among those that fit, or those asked for. */
static sfm_status choose(search *s, sfmi_spectrum *spectrum, sfm_error *error) {
  const size_t most = hull(s->settings) ? SFMI_HULL_MAX : s->axes[s->lead].need;
  size_t best = 0;
  double least = INFINITY;
  for (size_t m = 1; m <= most && !s->settings->terms; m++) {
    set_terms(s, m);
    const sfmi_forecast f = forecast(s, guess(s));
    if (f.privacy + f.truncation >= least) continue;
    lay(s, spectrum);
    if (!fits(spectrum)) break;
    least = f.privacy + f.truncation;
    best = m;
  }
  set_terms(s, best ? best : 1);
  lay(s, spectrum);
  if (fits(spectrum)) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "method fourier-laplace would need %zu coefficients and a grid of %zu points; "
                   "at most %zu and %zu fit; use %s or --method lattice",
                   spectrum->length, spectrum->lattice.length, SFMI_RELEASE_MAX, SFMI_PADDED_MAX,
                   s->settings->terms > 1 ? "fewer --terms" : "fewer columns");
}

/* ---- what one row moves ---- */

static sfm_status find_sensitivity(sfmi_design *design, const sfm_density_settings *settings,
                                   sfm_error *error) {
  const sfmi_spectrum *s = &design->spectrum;
  double one = 1;
  sfm_status status = SFM_OK;
  if (settings->method == SFM_DENSITY_CARATHEODORY) {
    /* Both rows' moments are off by slip/sqrt2 in l1, and the gauge is at most twice that norm. */
    const size_t m = s->torus[0].terms;
    const double slips = 2 * M_SQRT2 * s->slip[0];
    one = hull(settings) ? (2 + slips) * sfmi_hull_excess(m) : (double)m + 1 + slips;
  } else if (design->dimension == 1) {
    status = sfmi_reach_pair(&one, &s->torus[0], design->upper[0] - design->lower[0], error);
    one += 2 * s->slip[0];
  } else {
    for (size_t a = 0; a < design->dimension; a++)
      one *= 1 + s->slip[a] + sfmi_reach_single(&s->torus[a], design->upper[a] - design->lower[a]);
    one = 2 * (one - 1);
  }
  design->movement = one * (1 + 1e-12) * design->contributions;
  return status;
}

static void fill_plan(sfmi_design *design, const sfmi_forecast *f, double rows) {
  sfm_density_plan *plan = &design->plan;
  *plan = (sfm_density_plan){
      .method = design->method,
      .coefficients = design->spectrum.length,
      .privacy = f->privacy / (rows * rows),
      .truncation = f->truncation / (rows * rows),
      .smoothing = sfmi_forecast_smoothing(design->lower, design->upper, design->bandwidth,
                                           design->boundary, design->dimension)};
  for (size_t a = 0; a < design->dimension; a++) plan->points[a] = design->spectrum.features[a];
  plan->total = plan->privacy + plan->truncation + plan->smoothing;
}

sfm_status sfmi_harmony_plan(sfmi_design *design, const sfm_density_settings *settings, double rows,
                             sfm_error *error) {
  search s = {.design = design, .settings = settings, .rows = rows};
  sfmi_arena arena = {0};
  sfm_status status = SFM_OK;
  design->method = settings->method;
  design->body = settings->body;
  for (size_t a = 0; a < design->dimension && status == SFM_OK; a++)
    status = open_axis(&s, a, &arena, error);
  if (status == SFM_OK) status = choose(&s, &design->spectrum, error);
  if (status == SFM_OK) status = find_sensitivity(design, settings, error);
  if (status == SFM_OK) {
    const sfmi_forecast f = forecast(&s, design->movement);
    fill_plan(design, &f, rows);
  }
  sfmi_arena_clear(&arena);
  return status;
}
