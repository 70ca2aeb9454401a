/* sparse_ascent.c - dual coordinate ascent on rows of the forms sparse and monomials.
 *
 * Invariants:
 *  1. every dual is in its range, and w is w(a) as exactly as additions keep it: it is computed
 *     anew from the duals for every certificate, and the ascent goes on from there;
 *  2. rows that are not active have a dual at a corner of their loss where it stays for now (they
 *     are shrunk); a certificate is over all rows, and chooses the active ones anew;
 *  3. nothing ends the ascent but a certified gap;
 *  4. what is done depends on the rows and the number of threads alone, never on time.
 *
 * A round:
 * - pass: every active row once, in a random order of a fixed public seed; threads have shares of
 *   the rows and weights of their own, which are added up;
 * - pass_hot: a few more times the few rows that hold most of the gap;
 * - cg_step: a step of all free duals together (dual_cg.h), as far as it pays;
 * - average: the duals' mean over the last passes;
 * - certify_if_near: a certificate of the duals or of their mean, where the gap of the active rows
 *   suggests that it will succeed.
 * Each of these raises the dual, or leaves it, up to the error of the values.  So the ascent comes
 * to where steps are no larger than that error, and sfmi_solver_floor is above the gap there. */
#include "sparse_ascent.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/prng.h"
#include "base/system/arena.h"
#include "coordinate_sweep.h"
#include "base/system/thread_pool.h"
#include "dual_cg.h"

static const uint64_t SEED = 0x5f75a70;
/* Passes over hot rows after one over all active rows. */
enum { HOT_PASSES = 8 };
/* Weights are summed over so many rows at a time, and then over those sums. */
static const size_t CHUNK = (size_t)1 << 16;
/* The most work between two certificates, in units of the work of a certificate. */
static const double INTERVAL = 20;
/* Duals are averaged over about WINDOW passes, once the gap that a pass met is at most AVERAGED
 * times the target. */
static const double WINDOW = 16, AVERAGED = 64;
/* The gap of the active rows is looked at when the gap that a pass met is at most PROMISING times
 * the target, after the work of PEEK passes. */
static const double PROMISING = 16, PEEK = 8;
/* The least work of a step of all free duals, in passes. */
static const double BUDGET = 16;
/* A row is hot when its slack is this many times the mean of the pass before. */
static const double HOT = 2;
/* Products of numbers in a pass per thread that are worth it: at least THREAD_WORK, and at least
 * THREAD_COPIES times the weights, which every thread copies. */
static const double THREAD_WORK = 0x1p18, THREAD_COPIES = 16;
/* The most work of steps of all free duals that do not gain, as a part of the work of passes. */
static const double WASTE = 0.1;

typedef struct ascent {
  sfmi_arena memory;
  const sfmi_problem *problem;
  const sfmi_examples *examples;
  const sfmi_loss *loss;
  size_t n, features, threads;
  double scale; /* 1/(lambda n) */
  sfmi_dual_row *lines;
  double *w;
  uint32_t *active;
  size_t active_count;
  uint32_t *hot; /* rows whose slack was above the limit in this pass */
  size_t hot_count;
  double upper, lower;        /* rows whose room is beyond are shrunk */
  double estimate;            /* sum of the slacks that the last pass met */
  sfmi_row_product *products; /* one per thread */
  double *sums;               /* of weights: for a thread its own and one for chunks */
  size_t sharers;             /* threads that sum weights */
  sfmi_slacks *tallies;
  double *aways;
  double *mean;   /* duals averaged over passes, lately; where not active, the duals */
  double *other;  /* weights of the mean; what sweeps moved */
  double *before; /* duals before sweeps that are added up */
  uint64_t terms;
  uint8_t *stay;     /* one byte per row: the certificate found it shrinkable */
  double square;     /* |w|^2 */
  bool stopped;      /* by whoever is told of the progress */
  double gain, work; /* of the last pass: of n D, and in nonzeros */
  sfmi_dual_cg face;
  sfmi_prng prng;
  double peeked;         /* since, when it was last looked at */
  double all, since;     /* the work of a certificate, and since the last one */
  double budget;         /* of a step on the face, in passes */
  double worked, wasted; /* by passes; by steps on the face that gained less than they */
} ascent;

static void clear(ascent *s) {
  for (size_t i = 0; s->products && i < s->threads; i++) sfmi_row_product_clear(&s->products[i]);
  sfmi_arena_wipe(&s->memory);
  free(s->products);
  sfmi_dual_cg_clear(&s->face);
}

static sfm_status make_products(ascent *s, sfm_error *error) {
  s->products = sfmi_alloc(s->threads, sizeof *s->products);
  if (!s->products) return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < s->threads && !status; i++)
    status = sfmi_row_product_init(&s->products[i], s->examples, error);
  return status;
}

/* What all nonzeros of a sparse row are; NaN when they differ, or are many. */
static double common(const sfmi_examples *x, size_t row) {
  const size_t from = x->starts[row], end = x->starts[row + 1];
  if (x->form != SFMI_EXAMPLES_SPARSE || from == end || end - from > 4 * SFMI_SUM_BLOCK) return NAN;
  for (size_t k = from + 1; k < end; k++)
    if (x->values[k] != x->values[from]) return NAN;
  return x->values[from];
}

static void make_lines(ascent *s) {
  const sfmi_problem *problem = s->problem;
  const double *labels = problem->labels ? problem->labels : s->examples->labels;
  for (size_t i = 0; i < s->n; i++) {
    const double square = sfmi_row_product_square(&s->products[0], i), q = square * s->scale;
    sfmi_dual_row *at = &s->lines[i];
    *at = (sfmi_dual_row){.y = labels[i], .offset = problem->offsets ? problem->offsets[i] : 0};
    if (square == 0) continue;
    at->q = fmax(q, DBL_MIN);
    at->inverse = 1 / at->q;
    at->start = s->examples->starts[i];
    at->length = (uint32_t)(s->examples->starts[i + 1] - at->start);
    at->work = sfmi_row_product_work(&s->products[0], i);
    at->common = common(s->examples, i);
    s->active[s->active_count++] = (uint32_t)i;
    s->all += 2 * (double)at->work;
  }
  s->work = s->all;
}

/* The number of threads that sum weights: with more, most of the work would be adding zeros. */
static size_t sharers(const ascent *s) {
  const size_t worth = 1 + s->examples->nonzeros / (s->features + 1);
  return s->threads < worth ? s->threads : worth;
}

static sfm_status init(ascent *s, const sfmi_problem *problem, double *weights, sfm_error *error) {
  const sfmi_examples *examples = problem->examples;
  *s = (ascent){.problem = problem,
                .examples = examples,
                .loss = &problem->loss,
                .n = examples->rows,
                .features = examples->features,
                .threads = sfmi_thread_count(problem->threads, SFMI_THREADS_MAX),
                .scale = 1 / (problem->lambda * (double)examples->rows),
                .w = weights,
                .budget = BUDGET,
                .upper = INFINITY,
                .lower = INFINITY};
  s->sharers = sharers(s);
  s->lines = sfmi_arena_get(&s->memory, s->n, sizeof *s->lines);
  s->active = sfmi_arena_get(&s->memory, s->n, sizeof *s->active);
  s->stay = sfmi_arena_get(&s->memory, s->n, 1);
  s->hot = sfmi_arena_get(&s->memory, s->n, sizeof *s->hot);
  s->mean = sfmi_arena_get(&s->memory, s->n, sizeof *s->mean);
  s->before = sfmi_arena_get(&s->memory, s->n, sizeof *s->before);
  s->other = sfmi_arena_get(&s->memory, s->features, sizeof *s->other);
  s->sums = sfmi_arena_get(&s->memory, 2 * s->sharers * s->features, sizeof *s->sums);
  s->tallies = sfmi_arena_get(&s->memory, s->threads, sizeof *s->tallies);
  s->aways = sfmi_arena_get(&s->memory, s->threads, sizeof *s->aways);
  sfm_status status = !s->memory.failed ? make_products(s, error) : sfmi_fail_memory(error);
  if (!status) {
    s->face = (sfmi_dual_cg){.loss = s->loss,
                             .scale = s->scale,
                             .features = s->features,
                             .threads = s->sharers,
                             .products = s->products,
                             .lines = s->lines,
                             .w = s->w};
    status = sfmi_dual_cg_init(&s->face, s->n, error);
  }
  if (status) {
    clear(s);
    return status;
  }
  make_lines(s);
  sfmi_prng_init(&s->prng, SEED);
  return SFM_OK;
}

static void shuffle(ascent *s) {
  for (size_t i = s->active_count; i > 1; i--) {
    const size_t k = (size_t)(((sfmi_prng_word(&s->prng) >> 32) * i) >> 32);
    sfmi_exchange_rows(s->active, i - 1, k);
  }
}

typedef sfmi_coordinate_sweep sweep;

/* Takes over the results of sweeps over all active rows; the rows that each keeps are moved to the
 * front. */
static void gather(ascent *s, const sweep *sweeps, size_t count) {
  size_t kept = 0;
  double upper = 0, lower = 0;
  s->estimate = s->gain = s->work = 0;
  s->hot_count = 0;
  for (size_t i = 0; i < count; i++) {
    const sweep *p = &sweeps[i];
    const size_t first = (size_t)(p->rows - s->active);
    for (size_t k = 0; k < p->count; k++) sfmi_exchange_rows(s->active, kept++, first + k);
    memmove(s->hot + s->hot_count, p->hot, p->hot_count * sizeof *s->hot);
    s->hot_count += p->hot_count;
    s->estimate += p->estimate;
    s->gain += p->gain;
    s->work += p->work;
    upper = fmax(upper, p->upper);
    lower = fmax(lower, p->lower);
  }
  s->active_count = kept;
  s->upper = upper > 0 ? upper : INFINITY;
  s->lower = lower > 0 ? lower : INFINITY;
}

static void sweep_share(void *job, size_t share, size_t shares) {
  sweep *p = (sweep *)job + share;
  (void)shares;
  sfmi_coordinate_sweep_run(p);
}

/* Adds up what the sweeps moved, each from the same weights.  With d_k the weights that sweep k
 * moved and d their sum, n D gains at least f S - f^2 |d|^2/(2 scale) by a part f <= 1 of it all, S
 * = sum_k (gain_k + |d_k|^2/(2 scale)): the rest is concave and apart.  The best f is taken. */
static void combine(ascent *s, const sweep *sweeps, size_t count) {
  double slope = 0, square = 0;
  for (size_t i = 0; i < count; i++) slope += sweeps[i].gain;
  for (size_t j = 0; j < s->features; j++) {
    double d = 0;
    for (size_t i = 0; i < count; i++) {
      const double moved = sweeps[i].w[j] - s->w[j];
      slope += moved * moved / (2 * s->scale);
      d += moved;
    }
    s->other[j] = d;
    square += d * d / s->scale;
  }
  const double part = square > slope ? slope / square : 1;
  for (size_t j = 0; j < s->features; j++) s->w[j] += part * s->other[j];
  for (size_t k = 0; part < 1 && k < s->active_count; k++) {
    const uint32_t row = s->active[k];
    sfmi_dual_row *at = &s->lines[row];
    double least, most;
    sfmi_loss_duals(s->loss, &least, &most, at->y);
    at->a = fmin(fmax(s->before[row] + part * (at->a - s->before[row]), least), most);
  }
  s->gain = part * slope - part * part * square / 2;
}

/* A pass over the active rows, in shares where they are worth threads. */
static void pass(ascent *s) {
  sweep sweeps[SFMI_THREADS_MAX];
  const double worth = fmax(THREAD_WORK, THREAD_COPIES * (double)s->features);
  const size_t shares =
      s->work < worth * (double)s->sharers || s->active_count < s->sharers ? 1 : s->sharers;
  for (size_t i = 0; i < shares; i++) {
    const size_t first = i * s->active_count / shares, last = (i + 1) * s->active_count / shares;
    sweeps[i] = (sweep){.examples = s->examples,
                        .loss = s->loss,
                        .scale = s->scale,
                        .lines = s->lines,
                        .product = &s->products[i],
                        .w = shares > 1 ? s->sums + 2 * i * s->features : s->w,
                        .start = shares > 1 ? s->w : NULL,
                        .rows = s->active + first,
                        .count = last - first,
                        .upper = s->upper,
                        .lower = s->lower,
                        .before = shares > 1 ? s->before : NULL,
                        .hot = s->hot + first,
                        .hot_limit = HOT * s->estimate / (double)(s->active_count + 1)};
  }
  if (shares > 1)
    sfmi_threads_run(sweep_share, sweeps, shares);
  else
    sfmi_coordinate_sweep_run(&sweeps[0]);
  gather(s, sweeps, shares);
  if (shares > 1) combine(s, sweeps, shares);
}

/* Passes over the hot rows, whose slack was well above the mean: they are few, and hold most of the
 * gap. */
static void pass_hot(ascent *s) {
  if (s->hot_count == 0 || s->hot_count > s->active_count / 3) return;
  const double whole = s->work;
  for (int i = 0; i < HOT_PASSES && s->work < 2 * whole; i++) {
    sweep p = {.examples = s->examples,
               .loss = s->loss,
               .scale = s->scale,
               .lines = s->lines,
               .product = &s->products[0],
               .w = s->w,
               .rows = s->hot,
               .count = s->hot_count,
               .upper = INFINITY,
               .lower = INFINITY,
               .hot_limit = INFINITY};
    sfmi_coordinate_sweep_run(&p);
    s->gain += p.gain;
    s->work += p.work;
  }
}

/* A thread's share of sum_i a_i phi_i, and of sum_i |a_i||phi_i|. */
static void sum_share(void *job, size_t share, size_t shares) {
  ascent *s = job;
  const size_t first = share * s->n / shares, last = (share + 1) * s->n / shares;
  double *total = s->sums + 2 * share * s->features, *chunk = total + s->features, away = 0;
  memset(total, 0, 2 * s->features * sizeof *total);
  for (size_t from = first; from < last; from += CHUNK) {
    const size_t end = from + CHUNK < last ? from + CHUNK : last;
    for (size_t i = from; i < end; i++) {
      const double a = s->lines[i].a;
      if (a == 0) continue;
      sfmi_row_product_add(&s->products[share], chunk, i, a);
      away += fabs(a) * sqrt(s->lines[i].q / s->scale);
    }
    if (end == last && from == first) {
      memcpy(total, chunk, s->features * sizeof *total);
    } else {
      for (size_t j = 0; j < s->features; j++) total[j] += chunk[j];
      memset(chunk, 0, s->features * sizeof *chunk);
    }
  }
  s->aways[share] = away;
}

/* The weights from the duals; returns what they are off by at most. */
static double recompute(ascent *s) {
  sfmi_threads_run(sum_share, s, s->sharers);
  double away = 0;
  for (size_t share = 0; share < s->sharers; share++) away += s->aways[share];
  s->square = 0;
  for (size_t j = 0; j < s->features; j++) {
    double sum = 0;
    for (size_t share = 0; share < s->sharers; share++) sum += s->sums[2 * share * s->features + j];
    s->w[j] = sum * s->scale;
    s->square += s->w[j] * s->w[j];
  }
  /* Of each number: its product, the additions, the scaling, and, for monomials, their own error.
   */
  const double rows = (double)(s->n < CHUNK ? s->n : CHUNK) + (double)(s->n / CHUNK);
  const double monomials = s->products[0].has_monomials ? 5.0 * s->examples->map->degree + 3 : 0;
  const double additions = rows + (double)s->sharers + monomials + 8;
  return SFMI_UNIT_ROUNDOFF * additions * away * s->scale * 1.01;
}

/* A thread's share of the certificate, and of the choice of active rows. */
static void tally_share(void *job, size_t share, size_t shares) {
  ascent *s = job;
  const size_t first = share * s->n / shares, last = (share + 1) * s->n / shares;
  const double unit = SFMI_UNIT_ROUNDOFF * sqrt(s->square) * 1.01;
  const bool hinge = s->loss->kind == SFM_MACHINE_LOSS_HINGE;
  sfmi_slacks tally = {0};
  for (size_t i = first; i < last; i++) {
    const sfmi_dual_row *at = &s->lines[i];
    if (at->q == 0) {
      sfmi_slacks_add_empty(&tally, s->loss, at->offset, at->y);
      continue;
    }
    const double t = sfmi_row_product_dot(&s->products[share], s->w, i) + at->offset;
    const double e = unit * sfmi_row_product_depth(&s->products[share], i) * sqrt(at->q / s->scale);
    sfmi_slacks_add(&tally, s->loss, t, at->a, at->y, e);
    s->stay[i] = sfmi_loss_corner_room(s->loss, t, at->a, at->y) >
                 (hinge && at->a != 0 ? s->lower : s->upper);
  }
  s->tallies[share] = tally;
}

static void certify(ascent *s, sfmi_solution *solution) {
  const double away = recompute(s);
  sfmi_slacks tally = {0};
  sfmi_threads_run(tally_share, s, s->threads);
  for (size_t i = 0; i < s->threads; i++) sfmi_slacks_merge(&tally, &s->tallies[i]);
  sfmi_certify(solution, s->problem, &tally, s->square, away);
  s->since = 0;
  s->active_count = 0;
  for (size_t i = 0; i < s->n; i++)
    if (s->lines[i].q > 0 && !s->stay[i]) s->active[s->active_count++] = (uint32_t)i;
  s->stopped = !sfmi_problem_goes_on(s->problem, solution->gap);
}

/* A step of all free duals.  Where it gained more for its work than the pass before it did, the
 * next follows the next pass; where less, it comes later and may work more: steps that gain little
 * are a small part of all work. */
static void cg_step(ascent *s) {
  s->worked += s->work;
  s->since += s->work;
  if (s->wasted + s->budget * s->work > WASTE * s->worked) return;
  double work;
  const double gain =
      sfmi_dual_cg_step(&s->face, s->active, s->active_count, s->budget * s->work, &work);
  const bool paid = gain * s->work >= s->gain * work;
  if (!paid) s->wasted += work;
  if (!paid && work >= s->budget * s->work) s->budget *= 2;
}

/* Averages duals after a pass that began with `before` active rows: weights of single passes
 * scatter around those of the mean, whose gap is less than their mean gap.  A dual in a corner is
 * its own mean. */
static void average(ascent *s, size_t before) {
  if (s->estimate > AVERAGED * s->problem->target * (double)s->n) {
    s->terms = 0;
    return;
  }
  for (size_t i = 0; s->terms == 0 && i < s->n; i++) s->mean[i] = s->lines[i].a;
  s->terms++;
  const double part = 1 / fmin((double)s->terms, WINDOW);
  for (size_t k = 0; k < before; k++) {
    const uint32_t row = s->active[k];
    const sfmi_dual_row *at = &s->lines[row];
    double least, most;
    if (k >= s->active_count || !sfmi_loss_dual_is_free(s->loss, at->a, at->y, &least, &most))
      s->mean[row] = at->a;
    else
      s->mean[row] += part * (at->a - s->mean[row]);
  }
}

/* The slacks of the active rows: of the duals, or of their mean. */
static double peek(ascent *s, bool mean) {
  const double *w = s->w;
  double sum = 0;
  if (mean) {
    memcpy(s->other, s->w, s->features * sizeof *s->other);
    w = s->other;
  }
  for (size_t k = 0; mean && k < s->active_count; k++) {
    const double by = s->mean[s->active[k]] - s->lines[s->active[k]].a;
    if (by != 0) sfmi_row_product_add(&s->products[0], s->other, s->active[k], by * s->scale);
  }
  for (size_t k = 0; k < s->active_count; k++) {
    const uint32_t row = s->active[k];
    const sfmi_dual_row *at = &s->lines[row];
    const double t = sfmi_row_product_dot(&s->products[0], w, row) + at->offset;
    sum += sfmi_loss_slack(s->loss, t, mean ? s->mean[row] : at->a, at->y);
  }
  return sum / (double)s->n;
}

/* Changes places of duals and mean. */
static void swap(ascent *s) {
  for (size_t i = 0; i < s->n; i++) {
    const double a = s->lines[i].a;
    s->lines[i].a = s->mean[i];
    s->mean[i] = a;
  }
}

/* The certificate of the mean; when it fails, the ascent goes on from where it was. */
static void certify_mean(ascent *s, sfmi_solution *solution) {
  swap(s);
  certify(s, solution);
  if (solution->gap <= s->problem->target) return;
  swap(s);
  (void)recompute(s);
}

/* After a pass: a certificate where one may succeed and is worth its work; and at times in any
 * case, since it also chooses the active rows and computes weights anew. */
static void certify_if_near(ascent *s, sfmi_solution *solution) {
  const double target = s->problem->target, estimate = s->estimate / (double)s->n;
  if (s->since >= INTERVAL * s->all || (estimate <= target && s->since >= s->all)) {
    certify(s, solution);
    s->peeked = 0;
    return;
  }
  if (estimate > PROMISING * target || s->since < s->peeked + PEEK * s->work) return;
  s->peeked = s->since;
  if (peek(s, false) <= target)
    certify(s, solution);
  else if (s->terms > 1 && peek(s, true) <= target)
    certify_mean(s, solution);
  else
    return;
  s->peeked = 0;
}

static void run(ascent *s, sfmi_solution *solution) {
  solution->gap = INFINITY;
  if (s->active_count == 0) certify(s, solution);
  while (!(solution->gap <= s->problem->target) && !s->stopped) {
    const size_t before = s->active_count;
    shuffle(s);
    pass(s);
    pass_hot(s);
    solution->passes++;
    cg_step(s);
    average(s, before);
    certify_if_near(s, solution);
  }
}

sfm_status sfmi_sparse_ascent_solve(sfmi_solution *solution, const sfmi_problem *problem,
                                    sfm_error *error) {
  ascent s;
  double *weights = sfmi_alloc(problem->examples->features, sizeof *weights);
  if (!weights) return sfmi_fail_memory(error);
  const sfm_status status = init(&s, problem, weights, error);
  if (status) {
    free(weights);
    return status;
  }
  solution->weights = weights;
  solution->length = problem->examples->features;
  run(&s, solution);
  clear(&s);
  return SFM_OK;
}
