#include "gram_machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "base/math/prng.h"
#include "base/math/double_double.h"
#include "certificate.h"

enum { PUBLIC_SEED = 20264 };

struct sfmi_gram_machine {
  size_t rows;
  double *matrix;
  double least;
  bool raised;
};

void sfmi_gram_machine_destroy(sfmi_gram_machine *g) {
  if (!g) return;
  sfmi_wipe_free(g->matrix, g->rows * g->rows, sizeof *g->matrix);
  free(g);
}

double sfmi_gram_machine_least(const sfmi_gram_machine *g) {
  return g->least;
}

bool sfmi_gram_machine_raised(const sfmi_gram_machine *g) {
  return g->raised;
}

static double bounded(double x, double most) {
  return !isfinite(x) ? 0 : x > most ? most : x < -most ? -most : x;
}

/* Entry (i, k) of records that are kept. */
static double entry(const double *matrix, size_t n, size_t i, size_t k, double most) {
  const double a = matrix[i * n + k], b = matrix[k * n + i];
  return isfinite(a) && isfinite(b) ? bounded(a, most) / 2 + bounded(b, most) / 2 : 0;
}

static void clean(double *out, uint8_t *keep, const double *matrix, size_t n, double kappa) {
  const double most = sfmi_gram_machine_most(kappa);
  for (size_t i = 0; i < n; i++)
    if (!(matrix[i * n + i] >= 0 && matrix[i * n + i] <= most)) keep[i] = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k <= i; k++)
      out[i * n + k] = out[k * n + i] = keep[i] && keep[k] ? entry(matrix, n, i, k, most) : 0;
}

/* Adds -lambda u u' for every eigenvalue below -slack. */
static void raise(sfmi_gram_machine *g, const double *vectors, const double *values, double slack) {
  const size_t n = g->rows;
  for (size_t e = 0; e < n && values[e] < -slack; e++) {
    const double *u = vectors + e * n;
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < n; k++) g->matrix[i * n + k] -= values[e] * (u[i] * u[k]);
    g->raised = true;
  }
}

sfm_status sfmi_gram_machine_create(sfmi_gram_machine **out, uint8_t *keep, const double *matrix,
                                    size_t rows, double kappa, sfm_error *error) {
  const double jitter = SFMI_GRAM_MACHINE_JITTER * kappa * kappa;
  sfmi_gram_machine *g = *out = sfmi_alloc(1, sizeof *g);
  if (!g) return sfmi_fail_memory(error);
  double *vectors = sfmi_alloc(rows * rows, sizeof *vectors),
         *values = sfmi_alloc(rows, sizeof *values);
  g->rows = rows;
  g->matrix = sfmi_alloc(rows * rows, sizeof *g->matrix);
  sfm_status status = vectors && values && g->matrix ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    clean(g->matrix, keep, matrix, rows, kappa);
    memcpy(vectors, g->matrix, rows * rows * sizeof *vectors);
    status = sfmi_symmetric_eigen(vectors, values, rows, error);
  }
  if (!status) {
    g->least = values[0];
    raise(g, vectors, values, jitter / 2);
    for (size_t i = 0; i < rows; i++) g->matrix[i * rows + i] += keep[i] ? jitter : 0;
  }
  sfmi_wipe_free(vectors, rows * rows, sizeof *vectors);
  sfmi_wipe_free(values, rows, sizeof *values);
  if (status) {
    sfmi_gram_machine_destroy(g);
    *out = NULL;
  }
  return status;
}

/* ---- ascent ---- */

/* PRIVATE. */
typedef struct ascent {
  const sfmi_gram_machine *gram;
  const sfmi_problem *problem;
  size_t n, *order;
  double scale; /* 1/(lambda n) */
  double kappa;
  double *duals, *values;
  sfmi_prng prng;
} ascent;

static void pass(ascent *a) {
  const sfmi_loss *loss = &a->problem->loss;
  sfmi_prng_shuffle(&a->prng, a->order, a->n);
  for (size_t k = 0; k < a->n; k++) {
    const size_t i = a->order[k];
    const double *line = a->gram->matrix + i * a->n;
    if (!a->problem->examples->keep[i]) continue;
    const double to = sfmi_loss_step(loss, a->values[i], a->duals[i], a->scale * line[i],
                                     sfmi_problem_label(a->problem, i)),
                 step = a->scale * (to - a->duals[i]);
    if (step == 0) continue;
    a->duals[i] = to;
    for (size_t j = 0; j < a->n; j++) a->values[j] += step * line[j];
  }
}

static double estimate(const ascent *a) {
  double sum = 0;
  for (size_t i = 0; i < a->n; i++)
    if (a->problem->examples->keep[i])
      sum += sfmi_loss_slack(&a->problem->loss, a->values[i], a->duals[i],
                             sfmi_problem_label(a->problem, i));
  return sum / (double)a->n;
}

/* All values anew, in two doubles; returns sum |c|. */
static double recompute(ascent *a) {
  double total = 0;
  for (size_t i = 0; i < a->n; i++) {
    const double *line = a->gram->matrix + i * a->n;
    sfmi_dd sum = {0, 0};
    for (size_t j = 0; j < a->n; j++)
      if (a->duals[j] != 0)
        sum = sfmi_dd_add(sum, sfmi_dd_two_product(line[j], a->scale * a->duals[j]));
    a->values[i] = sum.hi;
    total += fabs(a->scale * a->duals[i]);
  }
  return total;
}

static double certify(ascent *a) {
  const double total = recompute(a), off = 4 * SFMI_UNIT_ROUNDOFF * a->kappa * a->kappa * total;
  sfmi_slacks sums = {0};
  sfmi_solution solution = {0};
  double square = 0;
  for (size_t i = 0; i < a->n; i++) {
    if (a->problem->examples->keep[i])
      sfmi_slacks_add(&sums, &a->problem->loss, a->values[i], a->duals[i],
                      sfmi_problem_label(a->problem, i), off);
    else
      sfmi_slacks_add_empty(&sums, &a->problem->loss, 0, sfmi_problem_label(a->problem, i));
    square += a->scale * a->duals[i] * a->values[i];
  }
  sfmi_certify(&solution, a->problem, &sums, square, 4 * SFMI_UNIT_ROUNDOFF * total * a->kappa);
  return solution.gap;
}

static void run(ascent *a) {
  const sfmi_problem *p = a->problem;
  for (;;) {
    const double gap = estimate(a);
    if (!sfmi_problem_goes_on(p, gap)) return;
    if (gap <= p->target && certify(a) <= p->target) return;
    pass(a);
  }
}

sfm_status sfmi_gram_machine_solve(double *coefficients, const sfmi_gram_machine *gram,
                                   const sfmi_problem *problem, double kappa, sfm_error *error) {
  const size_t n = gram->rows;
  ascent a = {.gram = gram,
              .problem = problem,
              .n = n,
              .scale = 1 / (problem->lambda * (double)n),
              .kappa = kappa,
              .order = sfmi_alloc(n, sizeof *a.order),
              .duals = sfmi_alloc(n, sizeof *a.duals),
              .values = sfmi_alloc(n, sizeof *a.values)};
  const bool had = a.order && a.duals && a.values;
  if (had) {
    sfmi_prng_init(&a.prng, PUBLIC_SEED);
    for (size_t i = 0; i < n; i++) a.order[i] = i;
    run(&a);
    for (size_t i = 0; i < n; i++) coefficients[i] = a.scale * a.duals[i];
  }
  free(a.order);
  sfmi_wipe_free(a.duals, n, sizeof *a.duals);
  sfmi_wipe_free(a.values, n, sizeof *a.values);
  return had ? SFM_OK : sfmi_fail_memory(error);
}

void sfmi_gram_machine_values(double *values, const double *c, const double *cross, size_t rows,
                              size_t stride, size_t count, double kappa) {
  const double most = sfmi_gram_machine_most(kappa);
  for (size_t j = 0; j < count; j++) {
    sfmi_dd sum = {0, 0};
    for (size_t i = 0; i < rows; i++)
      if (c[i] != 0)
        sum = sfmi_dd_add(sum, sfmi_dd_two_product(c[i], bounded(cross[i * stride + j], most)));
    values[j] = sum.hi;
  }
}
