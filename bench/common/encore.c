#include "encore.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/team.h"
#include "estimators/dual.h"
#include "mechanisms/coordinates.h"
#include "releases/contents.h"

void encore_need(sfm_status status, const sfm_error *error) {
  if (status == SFM_OK) return;
  fprintf(stderr, "%s\n", error->message);
  exit(sfm_status_exit_code(status));
}

static void *need(void *memory) {
  sfm_error error;
  if (!memory) encore_need(sfmi_fail_memory(&error), &error);
  return memory;
}

double encore_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

encore_rows encore_rows_create(size_t count, size_t nonzeros) {
  return (encore_rows){.count = count,
                       .starts = need(calloc(count + 1, sizeof(size_t))),
                       .indices = need(malloc((nonzeros + 1) * sizeof(uint32_t))),
                       .values = need(malloc((nonzeros + 1) * sizeof(double))),
                       .labels = need(malloc((count + 1) * sizeof(double)))};
}

void encore_rows_clear(encore_rows *rows) {
  free(rows->starts);
  free(rows->indices);
  free(rows->values);
  free(rows->labels);
  *rows = (encore_rows){0};
}

encore_rows encore_rows_some(const encore_rows *rows, size_t first, size_t count) {
  encore_rows some = *rows;
  some.count = count;
  some.starts += first;
  some.labels += first;
  return some;
}

/* ---- rows ---- */

static void *copied(const void *from, size_t bytes) {
  void *to = need(sfmi_alloc(bytes + 1, 1));
  memcpy(to, from, bytes);
  return to;
}

/* Coordinates: encoded, which clips them. */
static void encode(sfmi_examples *e, const sfmi_encoding *encoding, const encore_rows *rows) {
  for (size_t i = 0; i < rows->count; i++) {
    const size_t from = rows->starts[i], count = rows->starts[i + 1] - from, to = e->nonzeros;
    memcpy(e->indices + to, rows->indices + from, count * sizeof *e->indices);
    memcpy(e->values + to, rows->values + from, count * sizeof *e->values);
    const size_t kept = sfmi_encoding_sparse(encoding, e->indices + to, e->values + to, count);
    e->keep[i] = kept != SFMI_NO_ROW;
    if (e->keep[i]) e->nonzeros += kept;
    e->starts[i + 1] = e->nonzeros;
  }
}

static void lift_share(void *context, size_t index, size_t size) {
  enum { TOGETHER = 64 };
  const sfmi_examples *e = context;
  for (size_t i = index * TOGETHER; i < e->rows; i += size * TOGETHER) {
    const size_t left = e->rows - i;
    sfmi_lift_floats(e->lift, e->dense + i * e->stride, e->stride, e->starts + i, e->indices,
                     e->values, left < TOGETHER ? left : TOGETHER);
  }
}

static void make_dense(sfmi_examples *e, size_t threads) {
  e->stride = (e->features + 15) / 16 * 16;
  e->dense = need(aligned_alloc(64, e->rows * e->stride * sizeof *e->dense));
  memset(e->dense, 0, e->rows * e->stride * sizeof *e->dense);
  sfmi_team *team = need(sfmi_team_create(threads));
  sfmi_team_run(team, lift_share, e);
  sfmi_team_destroy(team);
}

/* Features of rows of a linear machine: the constant one is added. */
static void make_sparse(sfmi_examples *e) {
  const size_t room = e->nonzeros + e->rows;
  uint32_t *indices = need(sfmi_alloc(room + 1, sizeof *indices));
  double *values = need(sfmi_alloc(room + 1, sizeof *values));
  size_t done = 0;
  for (size_t i = 0, from = 0; i < e->rows; i++) {
    const size_t count = e->starts[i + 1] - from;
    done += sfmi_lift_row(e->lift, indices + done, values + done, e->indices + from,
                          e->values + from, count);
    from = e->starts[i + 1];
    e->starts[i + 1] = done;
  }
  free(e->indices);
  free(e->values);
  e->indices = indices;
  e->values = values;
  e->nonzeros = done;
}

static sfmi_examples *examples_of(const encore *t, const encore_rows *rows) {
  const sfmi_learning *l = &t->making.learning;
  const size_t nonzeros = rows->starts[rows->count] - rows->starts[0];
  sfmi_examples *e = need(sfmi_alloc(1, sizeof *e));
  *e = (sfmi_examples){.form = l->form,
                       .lift = l->lift,
                       .rows = rows->count,
                       .features = l->form == SFMI_EXAMPLES_KERNEL ? rows->count : l->lift->count,
                       .keep = need(sfmi_alloc(rows->count, 1)),
                       .labels = copied(rows->labels, rows->count * sizeof *rows->labels),
                       .starts = need(sfmi_alloc(rows->count + 1, sizeof *e->starts)),
                       .indices = need(sfmi_alloc(nonzeros + 1, sizeof *e->indices)),
                       .values = need(sfmi_alloc(nonzeros + 1, sizeof *e->values))};
  encode(e, &l->encoding, rows);
  if (e->form == SFMI_EXAMPLES_DENSE) make_dense(e, t->settings.threads);
  if (e->form == SFMI_EXAMPLES_SPARSE) make_sparse(e);
  return e;
}

/* ---- the machine ---- */

static sfmi_examples_form form_of(sfmi_lift_form form) {
  if (form == SFMI_LIFT_LINEAR) return SFMI_EXAMPLES_SPARSE;
  if (form == SFMI_LIFT_MONOMIALS) return SFMI_EXAMPLES_POWERS;
  return form == SFMI_LIFT_POINTS ? SFMI_EXAMPLES_KERNEL : SFMI_EXAMPLES_DENSE;
}

encore *encore_create(const sfm_train_settings *settings, size_t dimension, const encore_rows *rows,
                      const encore_rows *held, uint64_t seed) {
  encore *t = need(sfmi_alloc(1, sizeof *t));
  sfmi_learning *l = &t->making.learning;
  sfm_error error;
  t->settings = *settings;
  t->making.settings = l->settings = &t->settings;
  const sfm_train_settings *s = &t->settings;
  encore_need(sfmi_training_check(s, &error), &error);
  encore_need(sfmi_training_encoding(&l->encoding, s, dimension, &error), &error);
  encore_need(sfmi_training_lift(&l->lift, &l->encoding, s, seed, &error), &error);
  l->form = form_of(l->lift->form);
  l->numbers = l->lift->count;
  encore_need(
      sfmi_training_init(&l->training, s, l->lift, rows->count, sfmi_learning_width(l), &error),
      &error);
  t->rows = examples_of(t, rows);
  t->held = examples_of(t, held);
  return t;
}

void encore_destroy(encore *t) {
  if (!t) return;
  sfmi_examples_destroy(t->rows);
  sfmi_examples_destroy(t->held);
  sfmi_learning_clear(&t->making.learning);
  free(t->weights);
  free(t->drawn);
  free(t);
}

size_t encore_features(const encore *t) {
  return t->making.learning.lift->count;
}

void encore_solve(encore *t) {
  const sfmi_learning *l = &t->making.learning;
  const double start = encore_now();
  sfm_error error;
  t->weights = need(sfmi_alloc(l->numbers, sizeof *t->weights));
  encore_need(
      sfmi_learning_solve(t->weights, l, &l->training, t->rows, 0, t->rows->rows, NULL, &error),
      &error);
  t->seconds = encore_now() - start;
}

void encore_plain(const encore *t, double *values) {
  sfm_error error;
  encore_need(sfmi_solver_values(values, t->held, t->weights, t->settings.threads, &error), &error);
}

/* ---- releases ---- */

/* The public points of tddl, as rows that a kernel machine is a combination of. */
static void take_points(encore *t) {
  const sfmi_learning *l = &t->making.learning;
  const size_t count = t->making.release->length;
  sfm_error error;
  encore_need(sfmi_semi_lift(&t->lift, &l->encoding, &t->settings, count, &error), &error);
  const sfmi_lift *lift = t->lift;
  const size_t nonzeros = lift->point_starts[count];
  sfmi_examples *e = t->points = need(sfmi_alloc(1, sizeof *e));
  *e = (sfmi_examples){
      .form = SFMI_EXAMPLES_KERNEL,
      .lift = lift,
      .rows = count,
      .features = count,
      .keep = need(sfmi_alloc(count, 1)),
      .labels = need(sfmi_alloc(count, sizeof *e->labels)),
      .starts = copied(lift->point_starts, (count + 1) * sizeof *lift->point_starts),
      .indices = copied(lift->point_indices, nonzeros * sizeof *lift->point_indices),
      .values = copied(lift->point_values, nonzeros * sizeof *lift->point_values),
      .nonzeros = nonzeros};
  memset(e->keep, 1, count);
}

void encore_begin(encore *t) {
  sfmi_machining *m = &t->making;
  sfm_error error;
  encore_need(sfmi_training_init(&m->learning.training, &t->settings, m->learning.lift,
                                 t->rows->rows, sfmi_learning_width(&m->learning), &error),
              &error);
  encore_need(sfmi_machining_outline(m, &error), &error);
  t->drawn = need(sfmi_alloc(m->release->length, sizeof *t->drawn));
  if (m->tddl) take_points(t);
}

void encore_end(encore *t) {
  sfmi_machining *m = &t->making;
  sfmi_machining_clear(m);
  m->hardener = NULL;
  m->stream = NULL;
  m->factor = NULL;
  m->tddl = NULL;
  m->release = NULL;
  sfmi_examples_destroy(t->points);
  sfmi_lift_destroy(t->lift);
  free(t->drawn);
  t->points = NULL;
  t->lift = NULL;
  t->drawn = NULL;
}

/* Noise in the objective, as sfm_train_release has it: (lambda/2)|w|^2 + <b, w>/n = (lambda/2)|v|^2
 * - a constant, v = w + b/(n lambda). */
static void perturb(encore *t) {
  const sfmi_learning *l = &t->making.learning;
  sfmi_training training = l->training;
  const size_t length = l->numbers;
  const double unit = training.scale / ((double)training.rows * training.lambda);
  const bool gamma = sfmi_training_noise(&t->settings) == SFM_VECTOR_GAMMA;
  double *shifts = need(sfmi_alloc(length, sizeof *shifts)), square = 0;
  sfm_error error;
  memset(t->drawn, 0, length * sizeof *t->drawn);
  sfmi_vector_idealise(shifts, t->drawn, length, gamma, unit, NULL, t->making.stream);
  for (size_t i = 0; i < length; i++) square += shifts[i] * shifts[i];
  training.target = sfmi_training_target(&training, sfmi_learning_width(l), sqrt(square));
  encore_need(
      sfmi_learning_solve(t->drawn, l, &training, t->rows, 0, t->rows->rows, shifts, &error),
      &error);
  for (size_t i = 0; i < length; i++) t->drawn[i] += shifts[i];
  free(shifts);
}

/* The numbers of a fresh release. */
static void release(encore *t) {
  sfmi_machining *m = &t->making;
  const sfm_release *r = m->release;
  sfm_error error;
  if (t->settings.method == SFM_TRAIN_OBJECTIVE) {
    perturb(t);
    return;
  }
  encore_need(sfmi_machining_add(m, t->weights, &error), &error);
  for (size_t i = 0; i < r->length; i++)
    t->drawn[i] = r->reals ? r->reals[i] : (double)r->integers[i] * r->step;
}

void encore_draw(encore *t, double *values) {
  const sfmi_csr held = {t->held->starts, t->held->indices, t->held->values};
  const size_t threads = t->settings.threads;
  sfm_error error;
  release(t);
  encore_need(t->points ? sfmi_dual_values(values, t->points, t->drawn, held, t->held->rows,
                                           threads, &error)
                        : sfmi_solver_values(values, t->held, t->drawn, threads, &error),
              &error);
}

/* ---- numbers ---- */

double encore_accuracy(const double *values, const encore_rows *rows) {
  size_t right = 0;
  for (size_t i = 0; i < rows->count; i++) right += (values[i] > 0) == (rows->labels[i] > 0);
  return (double)right / (double)rows->count;
}

double encore_error(const double *values, const encore_rows *rows) {
  double sum = 0;
  for (size_t i = 0; i < rows->count; i++)
    sum += (values[i] - rows->labels[i]) * (values[i] - rows->labels[i]);
  return sqrt(sum / (double)rows->count);
}

void encore_add(encore_mean *mean, double value) {
  mean->sum += value;
  mean->square += value * value;
  mean->count++;
}

double encore_average(const encore_mean *mean) {
  return mean->sum / (double)mean->count;
}

double encore_spread(const encore_mean *mean) {
  const double n = (double)mean->count, average = encore_average(mean);
  return n > 1 ? sqrt(fmax(0, (mean->square - n * average * average) / (n - 1))) : 0;
}
