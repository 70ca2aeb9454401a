/* query_coverage.h - everything there is to ask of a density of one variable, what the answers
 * should be, and how often intervals hold that: of one seeded release, whose noise is drawn anew
 * many times.
 */
#ifndef TEST_QUERY_COVERAGE_H
#define TEST_QUERY_COVERAGE_H

#include "estimators/lattice_rows.h"
#include "redraw.h"
#include "kernel_estimate.h"

#include "releases/query/query_exact.h"
#include "sfumato/marginal.h"
#include "sfumato/query.h"
#include "sfumato/vector.h"

enum { ROWS_MOST = 2000, SEED = 41, QUANTILES = 3, PLACES = 7 };

static double rows[ROWS_MOST];
static const double levels[QUANTILES] = {0.1, 0.5, 0.8};
static const double places[PLACES] = {2.1, 2.5, 3.2, 3.9, 4.5, 5.5, 6.6};

typedef struct setting {
  const char *name;
  size_t rows;
  double h, epsilon, delta;
  sfm_boundary boundary;
  sfm_neighbours neighbours;
  sfm_density_method method;
  unsigned order; /* of a lattice, or how many frequencies; 0: as planned */
  bool loose;     /* what is not noise is most of the intervals */
} setting;

static inline sfm_release *make(setting s) {
  density_fixture t;
  density_fixture_rows(rows, s.rows, 1, 2, 7, 40);
  density_fixture_init(&t, 1, 2, 7, s.h, s.epsilon, s.delta);
  density_fixture_neighbours(&t, s.neighbours, 1);
  t.settings.method = s.method;
  t.settings.boundary = &s.boundary;
  t.settings.terms = s.method == SFM_DENSITY_FOURIER_LAPLACE ? s.order : 0;
  t.settings.noise = s.delta > 0 ? SFM_DENSITY_NOISE_NORMAL : SFM_DENSITY_NOISE_LAPLACE;
  if (s.method != SFM_DENSITY_LATTICE) t.settings.noise = SFM_DENSITY_NOISE_AUTO;
  t.settings.context.seeded = true;
  t.settings.context.seed = SEED;
  sfm_release *release = density_fixture_release(&t, rows, s.rows);
  density_fixture_clear(&t);
  return release;
}

/* The same rows over a lattice of another order. */
static inline void respread(redraw *r, unsigned order, size_t count) {
  sfm_release *release = r->release;
  sfmi_lattice *lattice = &release->function->lattice;
  lattice->order = order;
  sfmi_lattice_set_axis(lattice, 0, 2, 7, lattice->axis[0].cells, release->boundary[0]);
  lattice->length = release->length = lattice->axis[0].points;
  free(r->exact);
  r->exact = rowwise_sums(lattice, rows, count);
  release->integers = realloc(release->integers, release->length * sizeof *release->integers);
}

static inline void open_setting(redraw *r, truth *t, setting s) {
  redraw_open(r, make(s), SEED);
  if (s.order && s.method == SFM_DENSITY_LATTICE) respread(r, s.order, s.rows);
  *t = (truth){rows, s.rows, 2, 7, s.h, s.boundary};
}

/* Everything there is to ask. */
typedef struct answers {
  sfm_estimate mean, mode, wide, narrow, quantiles[QUANTILES], shares[PLACES];
  double pieces[32];
  size_t piece_count;
  bool dear; /* mode and quantiles were asked too */
} answers;

static inline void check_shape(const answers *a) {
  for (int i = 1; i < PLACES; i++) {
    assert_true(a->shares[i].lower >= a->shares[i - 1].lower);
    assert_true(a->shares[i].upper >= a->shares[i - 1].upper);
  }
  assert_true(a->wide.lower <= a->wide.value && a->wide.value <= a->wide.upper);
  if (!a->dear) return;
  assert_true(a->piece_count >= 1);
  assert_true(a->pieces[0] == a->mode.lower && a->pieces[2 * a->piece_count - 1] == a->mode.upper);
  for (size_t i = 1; i < a->piece_count; i++) assert_true(a->pieces[2 * i - 1] < a->pieces[2 * i]);
  for (int i = 0; i < QUANTILES; i++)
    assert_true(a->quantiles[i].lower <= a->quantiles[i].value &&
                a->quantiles[i].value <= a->quantiles[i].upper);
}

static const double narrow_from = 4.1, narrow_to = 4.4, wide_from = 2, wide_to = 3.7;

static inline void ask(answers *a, const sfm_release *release, double confidence, bool dear) {
  sfm_error error;
  sfm_query *query;
  assert_ok(sfm_query_create(&query, release, confidence, &error), &error);
  assert_ok(sfm_query_mean(query, &a->mean, &error), &error);
  assert_ok(sfm_query_probability(query, &a->wide, &wide_from, &wide_to, &error), &error);
  assert_ok(sfm_query_probability(query, &a->narrow, &narrow_from, &narrow_to, &error), &error);
  assert_ok(sfm_query_cdf(query, a->shares, places, PLACES, &error), &error);
  a->dear = dear;
  if (dear) {
    assert_ok(sfm_query_mode(query, &a->mode, a->pieces, &a->piece_count, 16, &error), &error);
    assert_ok(sfm_query_quantiles(query, a->quantiles, levels, QUANTILES, &error), &error);
  }
  sfm_query_destroy(query);
  check_shape(a);
}

/* What the answers should be. */
typedef struct facts {
  double mean, mode, wide, narrow, quantiles[QUANTILES], shares[PLACES];
} facts;

static inline facts facts_of(const truth *t) {
  facts f = {truth_mean(t),
             truth_mode(t),
             truth_share(t, wide_from, wide_to),
             truth_share(t, narrow_from, narrow_to),
             {0},
             {0}};
  for (int i = 0; i < QUANTILES; i++) f.quantiles[i] = truth_quantile(t, levels[i]);
  for (int i = 0; i < PLACES; i++) f.shares[i] = truth_share(t, 2, places[i]);
  return f;
}

/* Whether an interval holds it; also one that is `shrunk` times as wide, about its value. */
static inline bool holds(sfm_estimate e, double fact, double shrunk) {
  return fact >= e.value - shrunk * (e.value - e.lower) - 1e-9 &&
         fact <= e.value + shrunk * (e.upper - e.value) + 1e-9;
}

enum { MEAN, WIDE, NARROW, CDF, DEAR, MODE = DEAR, QUANTILE_1, QUANTILE_2, QUANTILE_3, KINDS };
static const char *const names[KINDS] = {"mean", "wide",         "narrow",       "cdf",
                                         "mode", "quantile 0.1", "quantile 0.5", "quantile 0.8"};

static inline void tally(size_t *hits, const answers *a, const facts *f, double shrunk) {
  hits[MEAN] += holds(a->mean, f->mean, shrunk);
  hits[WIDE] += holds(a->wide, f->wide, shrunk);
  hits[NARROW] += holds(a->narrow, f->narrow, shrunk);
  bool all = true;
  for (int i = 0; i < PLACES; i++) all = all && holds(a->shares[i], f->shares[i], shrunk);
  hits[CDF] += all;
  if (!a->dear) return;
  hits[MODE] += holds(a->mode, f->mode, shrunk);
  for (int i = 0; i < QUANTILES; i++)
    hits[QUANTILE_1 + i] += holds(a->quantiles[i], f->quantiles[i], shrunk);
}

/* The mode lies in one of the pieces whenever it lies between their ends; pieces are in order. */
static inline bool in_pieces(const answers *a, double fact) {
  for (size_t i = 0; i < a->piece_count; i++)
    if (fact >= a->pieces[2 * i] - 1e-9 && fact <= a->pieces[2 * i + 1] + 1e-9) return true;
  return false;
}

/* The dear questions are asked of some of the draws only. */
static inline void cover(setting s) {
  const double confidence = 0.9, narrower = test_long() ? 0.5 : 0.4;
  const size_t draws = test_long() ? 1000 : 60, every = test_long() ? 1 : 6;
  size_t hits[KINDS] = {0}, shrunk[KINDS] = {0}, pieces = 0;
  redraw r;
  truth t;
  open_setting(&r, &t, s);
  const facts f = facts_of(&t);
  for (size_t i = 0; i < draws; i++) {
    answers a;
    redraw_next(&r);
    ask(&a, r.release, confidence, i % every == 0);
    tally(hits, &a, &f, 1);
    tally(shrunk, &a, &f, narrower);
    pieces += a.dear && in_pieces(&a, f.mode);
  }
  print_message("%s:", s.name);
  for (int k = 0; k < KINDS; k++) {
    const size_t asked = k < DEAR ? draws : draws / every;
    print_message(" %s %.3f (%.3f)", names[k], (double)hits[k] / (double)asked,
                  (double)shrunk[k] / (double)asked);
    if (binomial_too_few(hits[k], asked, confidence)) fail_msg("%s: %s", s.name, names[k]);
    /* Not of the mode, whose set is for densities that are flat, nor of what is nearly zero. */
    if (!s.loose && k != MODE && k != NARROW && asked == draws &&
        !binomial_too_few(shrunk[k], asked, confidence))
      fail_msg("%s: a narrower %s was not caught", s.name, names[k]);
  }
  print_message("\n");
  assert_true(pieces == hits[MODE]);
  redraw_close(&r);
}

#endif
