#include "dual_cg.h"

#include <math.h>
#include <string.h>

#include "base/math/vector_sums.h"
#include "base/system/thread_pool.h"

/* Conjugate gradients end when the residual is this part of what it was. */
static const double RESIDUAL = 1e-3;
/* Curvature below this part of the diagonal's is rounding alone. */
static const double FLAT = 1e-13;
/* Fewer products are not worth a thread. */
static const double THREAD_WORK = 0x1p17;
enum { SHORTENINGS = 40 };

sfm_status sfmi_dual_cg_init(sfmi_dual_cg *f, size_t rows, sfm_error *error) {
  f->rows = rows;
  f->free = sfmi_alloc(rows, sizeof *f->free);
  f->numbers = sfmi_alloc(6 * rows, sizeof *f->numbers);
  f->sums = sfmi_alloc((f->threads + 2) * f->features, sizeof *f->sums);
  if (!f->free || !f->numbers || !f->sums) {
    sfmi_dual_cg_clear(f);
    return sfmi_fail_memory(error);
  }
  double **const arrays[] = {&f->g, &f->h, &f->d, &f->r, &f->p, &f->hp};
  for (size_t i = 0; i < 6; i++) *arrays[i] = f->numbers + i * rows;
  f->v = f->sums + f->threads * f->features;
  f->total = f->v + f->features;
  return SFM_OK;
}

void sfmi_dual_cg_clear(sfmi_dual_cg *f) {
  sfmi_wipe_free(f->free, f->rows, sizeof *f->free);
  sfmi_wipe_free(f->numbers, 6 * f->rows, sizeof *f->numbers);
  sfmi_wipe_free(f->sums, (f->threads + 2) * f->features, sizeof *f->sums);
  f->free = NULL;
  f->numbers = f->sums = NULL;
}

/* The derivative of -l*(-a) at a free dual, and *h, the second with its sign turned. */
static double pull(const sfmi_loss *loss, double a, double y, double *h) {
  const double b = y * a;
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    *h = 0;
    return y;
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    *h = 0.5;
    return y - a / 2;
  case SFM_MACHINE_LOSS_LOGISTIC:
    *h = 1 / (b * (1 - b));
    return y * log((1 - b) / b);
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    *h = 0;
    return a > 0 ? y - loss->parameter : y + loss->parameter;
  case SFM_MACHINE_LOSS_HUBER:
  case SFM_MACHINE_LOSS_SQUARED:
    break;
  }
  *h = 1;
  return y - a;
}

/* Something for every free row, or sums over them, in threads. */
typedef struct job {
  sfmi_dual_cg *face;
  const double *x; /* of free rows */
} job;

static void sum_share(void *context, size_t share, size_t shares) {
  const job *j = context;
  sfmi_dual_cg *f = j->face;
  double *sums = f->sums + share * f->features;
  memset(sums, 0, f->features * sizeof *sums);
  for (size_t i = share * f->count / shares; i < (share + 1) * f->count / shares; i++)
    if (j->x[i] != 0) sfmi_row_product_add(&f->products[share], sums, f->free[i], j->x[i]);
}

static void gradient_share(void *context, size_t share, size_t shares) {
  const job *j = context;
  sfmi_dual_cg *f = j->face;
  for (size_t i = share * f->count / shares; i < (share + 1) * f->count / shares; i++) {
    const sfmi_dual_row *at = &f->lines[f->free[i]];
    const double t = sfmi_row_product_dot(&f->products[share], f->w, f->free[i]) + at->offset;
    f->g[i] = pull(f->loss, at->a, at->y, &f->h[i]) - t;
  }
}

static void curve_share(void *context, size_t share, size_t shares) {
  const job *j = context;
  sfmi_dual_cg *f = j->face;
  for (size_t i = share * f->count / shares; i < (share + 1) * f->count / shares; i++)
    f->hp[i] =
        sfmi_row_product_dot(&f->products[share], f->v, f->free[i]) * f->scale + f->h[i] * j->x[i];
}

static size_t shares_of(const sfmi_dual_cg *f, double work) {
  const size_t worth = 1 + (size_t)(work / THREAD_WORK);
  return f->threads < worth ? f->threads : worth;
}

/* to = sum_i x_i phi_i over the free rows. */
static void sum(sfmi_dual_cg *f, double *to, const double *x, double work) {
  const size_t shares = shares_of(f, work / (1 + (double)f->features / (work + 1)));
  sfmi_threads_run(sum_share, &(job){f, x}, shares);
  memcpy(to, f->sums, f->features * sizeof *to);
  for (size_t share = 1; share < shares; share++)
    for (size_t k = 0; k < f->features; k++) to[k] += f->sums[share * f->features + k];
}

/* r'M^-1 r, and M^-1 r into p with what is left of p, M the diagonal. */
static double turn(sfmi_dual_cg *f, double before) {
  double after = 0;
  for (size_t i = 0; i < f->count; i++)
    after += f->r[i] * f->r[i] / (f->lines[f->free[i]].q + f->h[i]);
  const double keep = before > 0 ? after / before : 0;
  for (size_t i = 0; i < f->count; i++)
    f->p[i] = f->r[i] / (f->lines[f->free[i]].q + f->h[i]) + keep * f->p[i];
  return after;
}

/* Conjugate gradients for (q + h) d = g; d and total = sum_i d_i phi_i. */
static void solve(sfmi_dual_cg *f, double rows_work, double budget, double *work) {
  const size_t count = f->count;
  memset(f->d, 0, count * sizeof *f->d);
  memset(f->total, 0, f->features * sizeof *f->total);
  memcpy(f->r, f->g, count * sizeof *f->r);
  double size = turn(f, 0);
  const double enough = RESIDUAL * RESIDUAL * size;
  for (bool first = true; first || (size > enough && *work < budget); first = false) {
    sum(f, f->v, f->p, rows_work);
    sfmi_threads_run(curve_share, &(job){f, f->p}, shares_of(f, rows_work));
    *work += 2 * rows_work + (double)f->features;
    double diagonal = 0;
    for (size_t i = 0; i < count; i++)
      diagonal += f->p[i] * f->p[i] * (f->lines[f->free[i]].q + f->h[i]);
    const double curvature = sfmi_inner_product(f->p, f->hp, count);
    const bool flat = !(curvature > FLAT * diagonal);
    const double step = size / (flat ? FLAT * diagonal : curvature);
    if (!isfinite(step)) break;
    for (size_t i = 0; i < count; i++) {
      f->d[i] += step * f->p[i];
      f->r[i] -= step * f->hp[i];
    }
    for (size_t k = 0; k < f->features; k++) f->total[k] += step * f->v[k];
    if (flat) break;
    size = turn(f, size);
  }
}

/* d cut to what the ranges allow. */
static void cut(sfmi_dual_cg *f) {
  const bool logistic = f->loss->kind == SFM_MACHINE_LOSS_LOGISTIC;
  for (size_t i = 0; i < f->count; i++) {
    const sfmi_dual_row *at = &f->lines[f->free[i]];
    double least, most;
    (void)sfmi_loss_dual_is_free(f->loss, at->a, at->y, &least, &most);
    if (logistic) {
      least += SFMI_LOSS_LOGISTIC_MARGIN * (at->a - least);
      most -= SFMI_LOSS_LOGISTIC_MARGIN * (most - at->a);
    }
    const double to = at->a + f->d[i];
    if (to >= least && to <= most) continue;
    f->d[i] = (to < least ? least : most) - at->a;
  }
}

/* The derivative of n D along d at `step`: curvature is that of the features alone. */
static double slope_at(const sfmi_dual_cg *f, double step, double curvature) {
  double slope = -step * curvature, h;
  if (f->loss->kind == SFM_MACHINE_LOSS_LOGISTIC) {
    for (size_t i = 0; i < f->count; i++) {
      const sfmi_dual_row *at = &f->lines[f->free[i]];
      const double t = pull(f->loss, at->a, at->y, &h) - f->g[i];
      slope += f->d[i] * (pull(f->loss, at->a + step * f->d[i], at->y, &h) - t);
    }
  } else {
    for (size_t i = 0; i < f->count; i++) slope += f->d[i] * (f->g[i] - step * f->h[i] * f->d[i]);
  }
  return slope;
}

/* How much of d to take: all of it unless the dual has begun to fall before. */
static double shorten(const sfmi_dual_cg *f, double curvature, double slope) {
  double step = 1;
  for (int i = 0; i < SHORTENINGS; i++) {
    const double end = slope_at(f, step, curvature);
    if (end >= -1e-3 * slope) return step;
    step *= fmax(0.1, slope / (slope - end));
  }
  return 0;
}

static void move(sfmi_dual_cg *f, double step) {
  for (size_t i = 0; i < f->count; i++) {
    sfmi_dual_row *at = &f->lines[f->free[i]];
    double least, most;
    (void)sfmi_loss_dual_is_free(f->loss, at->a, at->y, &least, &most);
    const double to = at->a + step * f->d[i];
    at->a = to < least ? least : to > most ? most : to;
  }
  for (size_t k = 0; k < f->features; k++) f->w[k] += step * f->scale * f->total[k];
}

/* How much of d is within the ranges: up to 1. */
static double within(const sfmi_dual_cg *f) {
  double part = 1;
  for (size_t i = 0; i < f->count; i++) {
    const sfmi_dual_row *at = &f->lines[f->free[i]];
    double least, most;
    (void)sfmi_loss_dual_is_free(f->loss, at->a, at->y, &least, &most);
    const double room = f->d[i] > 0 ? most - at->a : at->a - least, size = fabs(f->d[i]);
    if (size * part > room) part = room / size;
  }
  return part;
}

/* What n D gains by a part of d, where it is a quadratic. */
static double gain_of(const sfmi_dual_cg *f, double part, double slope, double curvature) {
  for (size_t i = 0; i < f->count; i++) curvature += f->h[i] * f->d[i] * f->d[i];
  return part * (slope - part * curvature / 2);
}

/* Along d cut to the ranges, as long as the dual rises. */
static double go_bent(sfmi_dual_cg *f, double slope, double curvature) {
  if (!(slope > 0)) return 0;
  const double step = shorten(f, curvature, slope);
  if (!(step > 0)) return 0;
  const double end = slope_at(f, step, curvature);
  move(f, step);
  return step * (slope + end) / 2;
}

/* Takes d one way or the other, whichever gains more. */
static double take(sfmi_dual_cg *f, double rows_work, double *work) {
  double slope = sfmi_inner_product(f->g, f->d, f->count);
  double curvature = sfmi_inner_product(f->total, f->total, f->features) * f->scale;
  const double part = within(f);
  if (part == 1) return go_bent(f, slope, curvature);
  const double straight =
      f->loss->kind == SFM_MACHINE_LOSS_LOGISTIC ? 0 : gain_of(f, part, slope, curvature);
  memcpy(f->p, f->d, f->count * sizeof *f->p);
  memcpy(f->v, f->total, f->features * sizeof *f->v);
  cut(f);
  sum(f, f->total, f->d, rows_work);
  *work += rows_work;
  slope = sfmi_inner_product(f->g, f->d, f->count);
  curvature = sfmi_inner_product(f->total, f->total, f->features) * f->scale;
  const double step = slope > 0 ? shorten(f, curvature, slope) : 0;
  if (f->loss->kind != SFM_MACHINE_LOSS_LOGISTIC && straight > gain_of(f, step, slope, curvature)) {
    memcpy(f->d, f->p, f->count * sizeof *f->p);
    memcpy(f->total, f->v, f->features * sizeof *f->v);
    move(f, part);
    return straight;
  }
  return go_bent(f, slope, curvature);
}

double sfmi_dual_cg_step(sfmi_dual_cg *f, const uint32_t *rows, size_t count, double budget,
                         double *work) {
  double rows_work = 0, least, most;
  f->count = 0;
  *work = 0;
  for (size_t i = 0; i < count; i++) {
    const sfmi_dual_row *at = &f->lines[rows[i]];
    if (!sfmi_loss_dual_is_free(f->loss, at->a, at->y, &least, &most)) continue;
    f->free[f->count++] = rows[i];
    rows_work += at->work;
  }
  if (f->count == 0) return 0;
  *work = rows_work;
  sfmi_threads_run(gradient_share, &(job){f, NULL}, shares_of(f, rows_work));
  solve(f, rows_work, budget, work);
  return take(f, rows_work, work);
}
