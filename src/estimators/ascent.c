/* ascent.c - dual coordinate ascent on rows of the forms sparse and powers.
 *
 * Invariants:
 *  1. every dual is in its range, and w is w(a) as far as additions keep it: it is computed anew
 *     from the duals for every certificate, and the ascent goes on from there;
 *  2. rows that are not active have a dual at a corner of their loss where it stays for now (they
 *     are shrunk); a certificate is over all rows, and chooses the active ones anew;
 *  3. nothing ends the ascent but a certified gap.
 * A pass visits the active rows in a random order of a fixed public seed.  What the slacks were
 * when rows were visited says when a certificate may succeed.  A step never lowers the dual by more
 * than what values are off by, and raises it otherwise, so that the ascent ends where steps are no
 * larger than that: sfmi_solver_floor is above it. */
#include "estimators/ascent.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "estimators/crew.h"
#include "estimators/face.h"

static const uint64_t SEED = 0x5f75a70;
/* Rows that are fetched ahead. */
enum { AHEAD = 6 };
/* Passes over hot rows after one over all active rows. */
enum { HOT_PASSES = 8 };
/* Weights are summed over so many rows at a time, and then over those sums. */
static const size_t CHUNK = (size_t)1 << 16;
/* Work without a certificate, at most, in units of what a certificate takes. */
static const double INTERVAL = 20;
/* Duals are averaged over about so many passes, once what a pass met is at most so many times the
 * target. */
static const double WINDOW = 16, AVERAGED = 64;
/* The gap of the active rows is looked at when what a pass met is at most so many times the target,
 * after so many passes. */
static const double PROMISING = 16, PEEK = 8;
/* The work of a step on the face, at least, in passes. */
static const double BUDGET = 16;
/* A row is hot when its slack is this many times the mean of the pass before. */
static const double HOT = 2;
/* What steps on the face may take without gaining, as a part of the work of passes. */
static const double WASTE = 0.1;

typedef struct ascent {
  const sfmi_problem *problem;
  const sfmi_examples *examples;
  const sfmi_loss *loss;
  size_t n, features, threads;
  double scale; /* 1/(lambda n) */
  sfmi_line *lines;
  double *w;
  uint32_t *active;
  size_t active_count;
  uint32_t *hot; /* rows whose slack was above the limit in this pass */
  size_t hot_count;
  double hot_limit;
  double upper, lower;    /* rows whose room is beyond are shrunk */
  double estimate;        /* sum of the slacks that the last pass met */
  sfmi_product *products; /* one a thread */
  double *sums;           /* of weights: for a thread its own and one for chunks */
  size_t sharers;         /* threads that sum weights */
  sfmi_slacks *tallies;
  double *aways;
  double *mean;  /* duals averaged over passes, lately; where not active, the duals */
  double *other; /* weights of the mean */
  uint64_t terms;
  uint8_t *stay;     /* a byte a row: the certificate found it shrinkable */
  double square;     /* |w|^2 */
  double gain, work; /* of the last pass: of n D, and in nonzeros */
  sfmi_face face;
  sfmi_prng prng;
  double peeked;         /* since, when it was last looked at */
  double all, since;     /* the work of a certificate, and since the last one */
  double budget;         /* of a step on the face, in passes */
  double worked, wasted; /* by passes; by steps on the face that gained less than they */
} ascent;

static void clear(ascent *s) {
  for (size_t i = 0; s->products && i < s->threads; i++) sfmi_product_clear(&s->products[i]);
  if (s->lines) explicit_bzero(s->lines, s->n * sizeof *s->lines);
  if (s->sums) explicit_bzero(s->sums, 2 * s->sharers * s->features * sizeof *s->sums);
  if (s->active) explicit_bzero(s->active, s->n * sizeof *s->active);
  if (s->hot) explicit_bzero(s->hot, s->n * sizeof *s->hot);
  if (s->stay) explicit_bzero(s->stay, s->n);
  if (s->mean) explicit_bzero(s->mean, s->n * sizeof *s->mean);
  if (s->other) explicit_bzero(s->other, s->features * sizeof *s->other);
  free(s->products);
  free(s->lines);
  free(s->sums);
  free(s->active);
  free(s->stay);
  free(s->hot);
  free(s->mean);
  free(s->other);
  free(s->tallies);
  free(s->aways);
  sfmi_face_clear(&s->face);
}

static sfm_status make_products(ascent *s, sfm_error *error) {
  s->products = sfmi_alloc(s->threads, sizeof *s->products);
  if (!s->products) return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < s->threads && status == SFM_OK; i++)
    status = sfmi_product_init(&s->products[i], s->examples, error);
  return status;
}

/* What all nonzeros of a sparse row are; NaN when they differ, or are many. */
static double common(const sfmi_examples *x, size_t row) {
  const size_t from = x->starts[row], end = x->starts[row + 1];
  if (x->form != SFMI_EXAMPLES_SPARSE || from == end || end - from > 4 * SFMI_BLOCK) return NAN;
  for (size_t k = from + 1; k < end; k++)
    if (x->values[k] != x->values[from]) return NAN;
  return x->values[from];
}

static void make_lines(ascent *s) {
  const sfmi_problem *problem = s->problem;
  const double *labels = problem->labels ? problem->labels : s->examples->labels;
  for (size_t i = 0; i < s->n; i++) {
    const double square = sfmi_product_square(&s->products[0], i), q = square * s->scale;
    sfmi_line *at = &s->lines[i];
    *at = (sfmi_line){.y = labels[i], .offset = problem->offsets ? problem->offsets[i] : 0};
    if (square == 0) continue;
    at->q = fmax(q, DBL_MIN);
    at->inverse = 1 / at->q;
    at->start = s->examples->starts[i];
    at->length = (uint32_t)(s->examples->starts[i + 1] - at->start);
    at->work = sfmi_product_work(&s->products[0], i);
    at->common = common(s->examples, i);
    s->active[s->active_count++] = (uint32_t)i;
    s->all += 2 * (double)at->work;
  }
}

/* The number of threads that sum weights: more than rows have features would only move zeros. */
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
                .threads = sfmi_crew_size(problem->threads),
                .scale = 1 / (problem->lambda * (double)examples->rows),
                .w = weights,
                .budget = BUDGET,
                .upper = INFINITY,
                .lower = INFINITY};
  s->sharers = sharers(s);
  s->lines = sfmi_alloc(s->n, sizeof *s->lines);
  s->active = sfmi_alloc(s->n, sizeof *s->active);
  s->stay = sfmi_alloc(s->n, 1);
  s->hot = sfmi_alloc(s->n, sizeof *s->hot);
  s->mean = sfmi_alloc(s->n, sizeof *s->mean);
  s->other = sfmi_alloc(s->features, sizeof *s->other);
  s->sums = sfmi_alloc(2 * s->sharers * s->features, sizeof *s->sums);
  s->tallies = sfmi_alloc(s->threads, sizeof *s->tallies);
  s->aways = sfmi_alloc(s->threads, sizeof *s->aways);
  sfm_status status = s->lines && s->active && s->hot && s->stay && s->mean && s->other &&
                              s->sums && s->tallies && s->aways
                          ? make_products(s, error)
                          : sfmi_fail_memory(error);
  if (status == SFM_OK) {
    s->face = (sfmi_face){.loss = s->loss,
                          .scale = s->scale,
                          .features = s->features,
                          .threads = s->sharers,
                          .products = s->products,
                          .lines = s->lines,
                          .w = s->w};
    status = sfmi_face_init(&s->face, s->n, error);
  }
  if (status != SFM_OK) {
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
    const uint32_t at = s->active[k];
    s->active[k] = s->active[i - 1];
    s->active[i - 1] = at;
  }
}

/* How far t may move, at a corner of the loss where the dual is best, with the dual staying the
 * best; 0 elsewhere. */
static double room(const sfmi_loss *loss, double t, double a, double y) {
  const double p = loss->parameter, u = 1 - y * t, r = t - y;
  double far = 0;
  switch (loss->kind) {
  case SFM_MACHINE_HINGE:
    far = a == 0 ? -u : a == y ? u : 0;
    break;
  case SFM_MACHINE_SQUARED_HINGE:
    far = a == 0 ? -u : 0;
    break;
  case SFM_MACHINE_HUBER:
    far = a == p ? -r - p : a == -p ? r - p : 0;
    break;
  case SFM_MACHINE_EPSILON_INSENSITIVE:
    far = a == 0 ? p - fabs(r) : a == 1 ? -r - p : a == -1 ? r - p : 0;
    break;
  case SFM_MACHINE_LOGISTIC:
  case SFM_MACHINE_SQUARED:
    break;
  }
  return fmax(0, far);
}

/* Fetches the line of a row that comes later, and the nonzeros of one that comes soon. */
static inline void fetch(const ascent *s, size_t k) {
  if (k + 2 * AHEAD >= s->active_count) return;
  __builtin_prefetch(&s->lines[s->active[k + 2 * AHEAD]]);
  const sfmi_line *soon = &s->lines[s->active[k + AHEAD]];
  __builtin_prefetch(s->examples->indices + soon->start);
  if (isnan(soon->common)) __builtin_prefetch(s->examples->values + soon->start);
}

/* <w, phi> + offset, and w += by phi, of a row whose line is at hand. */
static inline double value(ascent *s, const sfmi_line *at, uint32_t row) {
  const uint32_t *indices = s->examples->indices + at->start;
  if (!isnan(at->common))
    return at->common * sfmi_product_ones(s->w, indices, at->length) + at->offset;
  return sfmi_product_dot(&s->products[0], s->w, row) + at->offset;
}

static inline void add(ascent *s, const sfmi_line *at, uint32_t row, double by) {
  const uint32_t *indices = s->examples->indices + at->start;
  if (!isnan(at->common)) {
    const double each = by * at->common;
    for (size_t k = 0; k < at->length; k++) s->w[indices[k]] += each;
  } else {
    sfmi_product_add(&s->products[0], s->w, row, by);
  }
}

static inline double larger(double x, double y) {
  return x > y ? x : y;
}

/* A pass over the active rows, hinge.  The gradient of a row is u = 1 - m; a row at a corner from
 * which it points outwards, by more than rows met in the pass before, is shrunk. */
static void pass_hinge(ascent *s) {
  double up = 0, down = 0, estimate = 0, gain = 0, work = 0;
  for (size_t k = 0; k < s->active_count;) {
    fetch(s, k);
    const uint32_t row = s->active[k];
    sfmi_line *at = &s->lines[row];
    const double y = at->y, b = y * at->a;
    const double u = 1 - y * value(s, at, row);
    if ((b == 0 && -u > s->upper) || (b == 1 && u > s->lower)) {
      s->active[k] = s->active[--s->active_count];
      continue;
    }
    k++;
    work += at->work;
    double next = b + u * at->inverse;
    next = next < 0 ? 0 : next > 1 ? 1 : next;
    const double slack = u > 0 ? u * (1 - b) : -u * b;
    estimate += slack;
    if (slack > s->hot_limit) s->hot[s->hot_count++] = row;
    if (next == b) continue;
    if (u > 0)
      up = larger(up, u);
    else
      down = larger(down, -u);
    gain += (next - b) * (u - at->q * (next - b) / 2);
    work += at->work;
    at->a = y * next;
    add(s, at, row, y * (next - b) * s->scale);
  }
  s->estimate = estimate;
  s->gain = gain;
  s->work = work;
  s->upper = down > 0 ? down : INFINITY;
  s->lower = up > 0 ? up : INFINITY;
}

/* The same of the other losses.  Of what a smooth one's slack is the step tells, without
 * logarithms. */
static void pass_any(ascent *s) {
  const sfmi_loss *loss = s->loss;
  const double curvature = sfmi_loss_curvature(loss);
  const bool flat = !isfinite(curvature);
  double largest = 0, estimate = 0, gain = 0, work = 0;
  for (size_t k = 0; k < s->active_count;) {
    fetch(s, k);
    const uint32_t row = s->active[k];
    sfmi_line *at = &s->lines[row];
    const double t = value(s, at, row), a = at->a;
    if (room(loss, t, a, at->y) > s->upper) {
      s->active[k] = s->active[--s->active_count];
      continue;
    }
    k++;
    const double next = sfmi_loss_step(loss, t, a, at->q, at->y), step = next - a;
    double bend = flat ? 0 : 1 / curvature, slack;
    if (loss->kind == SFM_MACHINE_LOGISTIC) {
      const double b = fabs(next);
      bend = 1 / (b * (1 - b) + DBL_MIN);
      slack = step * (at->q + bend) * step * (at->q + bend) / (2 * bend);
    } else {
      slack = sfmi_loss_slack(loss, t, a, at->y);
    }
    estimate += slack;
    if (slack > s->hot_limit) s->hot[s->hot_count++] = row;
    work += at->work;
    if (step == 0) continue;
    gain += step * step * (at->q + bend) / 2;
    work += at->work;
    largest = larger(largest, fabs(step) * (at->q + 1));
    at->a = next;
    add(s, at, row, step * s->scale);
  }
  s->estimate = estimate;
  s->gain = gain;
  s->work = work;
  s->upper = largest > 0 ? largest : INFINITY;
}

static void pass(ascent *s) {
  if (s->loss->kind == SFM_MACHINE_HINGE)
    pass_hinge(s);
  else
    pass_any(s);
}

/* A pass over the active rows, and more of them over the hot ones, whose slack was well above the
 * mean: they are few, and hold most of the gap. */
static void pass_twice(ascent *s) {
  s->hot_count = 0;
  s->hot_limit = HOT * s->estimate / (double)(s->active_count + 1);
  shuffle(s);
  pass(s);
  const ascent whole = *s;
  if (s->hot_count == 0 || s->hot_count > s->active_count / 3) return;
  s->active = s->hot;
  s->active_count = s->hot_count;
  s->hot_limit = s->upper = s->lower = INFINITY;
  double gain = whole.gain, work = whole.work;
  for (int i = 0; i < HOT_PASSES && work < 2 * whole.work; i++) {
    pass(s);
    gain += s->gain;
    work += s->work;
    s->upper = s->lower = INFINITY;
  }
  s->active = whole.active;
  s->active_count = whole.active_count;
  s->upper = whole.upper;
  s->lower = whole.lower;
  s->estimate = whole.estimate;
  s->gain = gain;
  s->work = work;
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
      sfmi_product_add(&s->products[share], chunk, i, a);
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
  sfmi_crew_run(sum_share, s, s->sharers);
  double away = 0;
  for (size_t share = 0; share < s->sharers; share++) away += s->aways[share];
  s->square = 0;
  for (size_t j = 0; j < s->features; j++) {
    double sum = 0;
    for (size_t share = 0; share < s->sharers; share++) sum += s->sums[2 * share * s->features + j];
    s->w[j] = sum * s->scale;
    s->square += s->w[j] * s->w[j];
  }
  /* Of each number: its product, the additions, the scaling, and, of powers, the monomials. */
  const double rows = (double)(s->n < CHUNK ? s->n : CHUNK) + (double)(s->n / CHUNK);
  const double monomials = s->products[0].powers ? 5.0 * s->examples->lift->degree + 3 : 0;
  const double additions = rows + (double)s->sharers + monomials + 8;
  return SFMI_UNIT * additions * away * s->scale * 1.01;
}

/* A thread's share of the certificate, and of the choice of active rows. */
static void tally_share(void *job, size_t share, size_t shares) {
  ascent *s = job;
  const size_t first = share * s->n / shares, last = (share + 1) * s->n / shares;
  const double unit = SFMI_UNIT * sqrt(s->square) * 1.01;
  const bool hinge = s->loss->kind == SFM_MACHINE_HINGE;
  sfmi_slacks tally = {0};
  for (size_t i = first; i < last; i++) {
    const sfmi_line *at = &s->lines[i];
    if (at->q == 0) {
      sfmi_slacks_add_empty(&tally, s->loss, at->offset, at->y);
      continue;
    }
    const double t = sfmi_product_dot(&s->products[share], s->w, i) + at->offset;
    const double e = unit * sfmi_product_depth(&s->products[share], i) * sqrt(at->q / s->scale);
    sfmi_slacks_add(&tally, s->loss, t, at->a, at->y, e);
    s->stay[i] = room(s->loss, t, at->a, at->y) > (hinge && at->a != 0 ? s->lower : s->upper);
  }
  s->tallies[share] = tally;
}

static void certify(ascent *s, sfmi_solution *solution) {
  const double away = recompute(s);
  sfmi_slacks tally = {0};
  sfmi_crew_run(tally_share, s, s->threads);
  for (size_t i = 0; i < s->threads; i++) sfmi_slacks_merge(&tally, &s->tallies[i]);
  sfmi_certify(solution, s->problem, &tally, s->square, away);
  s->since = 0;
  s->active_count = 0;
  for (size_t i = 0; i < s->n; i++)
    if (s->lines[i].q > 0 && !s->stay[i]) s->active[s->active_count++] = (uint32_t)i;
  if (s->problem->progress)
    s->problem->progress(s->problem->progress_context, solution->gap, s->problem->target);
}

/* A step on the face.  Where it gained more for its work than the pass before it did, the next
 * follows the next pass; where less, it comes later and may work more: steps that gain little are a
 * small part of all work. */
static void leap(ascent *s) {
  s->worked += s->work;
  s->since += s->work;
  if (s->wasted + s->budget * s->work > WASTE * s->worked) return;
  double work;
  const double gain =
      sfmi_face_step(&s->face, s->active, s->active_count, s->budget * s->work, &work);
  const bool paid = gain * s->work >= s->gain * work;
  if (!paid) s->wasted += work;
  if (!paid && work >= s->budget * s->work) s->budget *= 2;
}

/* Averages duals after a pass that began with so many active rows: weights of single passes jitter
 * about those of the mean, whose gap is less than their mean gap.  A dual in a corner is its own
 * mean. */
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
    const sfmi_line *at = &s->lines[row];
    double least, most;
    if (k >= s->active_count || !sfmi_face_holds(s->loss, at->a, at->y, &least, &most))
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
    if (by != 0) sfmi_product_add(&s->products[0], s->other, s->active[k], by * s->scale);
  }
  for (size_t k = 0; k < s->active_count; k++) {
    const uint32_t row = s->active[k];
    const sfmi_line *at = &s->lines[row];
    const double t = sfmi_product_dot(&s->products[0], w, row) + at->offset;
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
static void consider(ascent *s, sfmi_solution *solution) {
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
  certify(s, solution);
  while (!(solution->gap <= s->problem->target)) {
    const size_t before = s->active_count;
    pass_twice(s);
    solution->passes++;
    leap(s);
    average(s, before);
    consider(s, solution);
  }
}

sfm_status sfmi_ascend_rows(sfmi_solution *solution, const sfmi_problem *problem,
                            sfm_error *error) {
  ascent s;
  double *weights = sfmi_alloc(problem->examples->features, sizeof *weights);
  if (!weights) return sfmi_fail_memory(error);
  const sfm_status status = init(&s, problem, weights, error);
  if (status != SFM_OK) {
    free(weights);
    return status;
  }
  solution->weights = weights;
  solution->length = problem->examples->features;
  run(&s, solution);
  clear(&s);
  return SFM_OK;
}
