/* kept_margins.c - dual ascent, one column at a time.
 *
 * By the conditions of Karush, Kuhn and Tucker the nearest table is max(y - sum_i tau_i(c_i), 0)
 * with numbers tau_i(c) for which the margins are as asked.  One column's are found exactly while
 * the others stay: for each category the tau with sum max(y - tau, 0) = its count, by Newton's
 * method, whose steps all lie on one side of it, as that sum is convex and falls in tau. */
#include "kept_margins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/vector_sums.h"
#include "base/system/arena.h"
#include "projection.h"

/* The largest difference of a margin, by the total, at which the rounds end; and how much is done
 * at most (cells x passes). */
static const double DIFFERENCE = 1e-9, WORK = 5e8;
enum { PASSES_OF_ONE = 60, PASSES_LEAST = 40, PASSES_MOST = 4000 }; /* last two: per column */

/* One column, and where its counts and numbers begin. */
typedef struct axis {
  size_t size, stride;
  double *wanted; /* the margin */
} axis;

typedef struct projection {
  const sfmi_cells *cells;
  size_t length, columns;
  axis axes[SFMI_FACTORS_MAX];
  double *values;
  double *tau, *sums, *active, *most; /* of the column at hand, one per category */
  double passes;                      /* that are left */
  sfmi_arena arena;
} projection;

static size_t code_of(const axis *a, size_t e) {
  return e / a->stride % a->size;
}

/* The sums of what is above tau, per category. */
static void add_up(projection *p, const axis *a) {
  memset(p->sums, 0, a->size * sizeof *p->sums);
  memset(p->active, 0, a->size * sizeof *p->active);
  for (size_t e = 0; e < p->length; e++) {
    const size_t c = code_of(a, e);
    if (!(p->values[e] > p->tau[c])) continue;
    p->sums[c] += p->values[e] - p->tau[c];
    p->active[c]++;
  }
}

/* Where no cell is above zero, Newton's method begins where the largest alone is enough. */
static void begin_axis(projection *p, const axis *a) {
  for (size_t c = 0; c < a->size; c++) p->most[c] = -INFINITY, p->tau[c] = 0;
  for (size_t e = 0; e < p->length; e++) {
    const size_t c = code_of(a, e);
    p->most[c] = fmax(p->most[c], p->values[e]);
  }
  for (size_t c = 0; c < a->size; c++) {
    if (a->wanted[c] == 0)
      p->tau[c] = fmax(p->most[c], 0);
    else if (!(p->most[c] > 0))
      p->tau[c] = p->most[c] - a->wanted[c];
  }
}

/* Makes the margin of one column what is wanted; returns how far it was off. */
static double fit_axis(projection *p, const axis *a, double enough) {
  double off = 0;
  p->passes--;
  begin_axis(p, a);
  for (int pass = 0; pass < PASSES_OF_ONE && p->passes > 0; pass++, p->passes--) {
    double worst = 0;
    add_up(p, a);
    for (size_t c = 0; c < a->size; c++) {
      const double over = p->sums[c] - a->wanted[c];
      if (a->wanted[c] == 0 || !(p->active[c] > 0)) continue;
      worst = fmax(worst, fabs(over));
      if (fabs(over) > enough) p->tau[c] += over / p->active[c];
    }
    if (pass == 0) off = worst;
    if (worst <= enough) break;
  }
  for (size_t c = 0; c < a->size; c++)
    if (a->wanted[c] == 0 && p->most[c] > enough) off = fmax(off, p->most[c]);
  if (off > enough)
    for (size_t e = 0; e < p->length; e++) p->values[e] -= p->tau[code_of(a, e)];
  return off;
}

/* The table's own margin, made one that a table without negative cells can have. */
static sfm_status find_margin(projection *p, const axis *a, double total, sfm_error *error) {
  memset(a->wanted, 0, a->size * sizeof *a->wanted);
  for (size_t e = 0; e < p->length; e++) a->wanted[code_of(a, e)] += p->values[e];
  for (size_t c = 0; c < a->size; c++) p->tau[c] = 1 / total;
  return sfmi_project(a->wanted, p->tau, a->size, true, SFMI_INTEGRAL_CONDITION_ONE, error);
}

static sfm_status begin(projection *p, double *values, const sfmi_cells *cells, double total,
                        sfm_error *error) {
  size_t stride = 1, most = 1;
  *p = (projection){
      .cells = cells, .length = cells->starts[1], .columns = cells->count, .values = values};
  for (size_t i = cells->count; i-- > 0;) {
    p->axes[i] = (axis){.size = (size_t)cells->factors[i].size, .stride = stride};
    p->axes[i].wanted = sfmi_arena_doubles(&p->arena, p->axes[i].size);
    stride *= p->axes[i].size;
    if (p->axes[i].size > most) most = p->axes[i].size;
  }
  p->tau = sfmi_arena_doubles(&p->arena, most);
  p->sums = sfmi_arena_doubles(&p->arena, most);
  p->active = sfmi_arena_doubles(&p->arena, most);
  p->most = sfmi_arena_doubles(&p->arena, most);
  sfm_status status = p->arena.failed ? sfmi_fail_memory(error) : SFM_OK;
  for (size_t i = 0; !status && i < p->columns; i++)
    status = find_margin(p, &p->axes[i], total, error);
  return status;
}

static double passes_most(double cells, double columns) {
  return columns * fmin(fmax(WORK / (cells * columns + 1), PASSES_LEAST), PASSES_MOST);
}

sfm_status sfmi_keep_margins(double *values, const sfmi_cells *cells, double total,
                             sfm_error *error) {
  projection p;
  double least = 0;
  for (size_t e = 0; e < cells->starts[1]; e++) least = fmin(least, values[e]);
  if (least >= 0 && fabs(sfmi_sum(values, cells->starts[1]) - total) <= 1e-13 * total)
    return SFM_OK;
  const sfm_status status = begin(&p, values, cells, total, error);
  p.passes = passes_most((double)p.length, (double)p.columns);
  while (!status && p.passes > 0) {
    double off = 0;
    for (size_t i = 0; i < p.columns; i++)
      off = fmax(off, fit_axis(&p, &p.axes[i], 0.1 * DIFFERENCE * total));
    if (off <= DIFFERENCE * total) break;
  }
  for (size_t e = 0; !status && e < p.length; e++) values[e] = fmax(values[e], 0);
  const double scale = status ? 1 : total / sfmi_sum(values, p.length);
  for (size_t e = 0; !status && e < p.length; e++) values[e] *= scale;
  sfmi_arena_clear(&p.arena);
  return status;
}

sfmi_resources sfmi_kept_margins_resources(const sfm_release *release) {
  const double cells = (double)release->length, columns = (double)release->cells->count;
  return (sfmi_resources){96 * cells, (passes_most(cells, columns) + 4 * columns + 60) * cells};
}
