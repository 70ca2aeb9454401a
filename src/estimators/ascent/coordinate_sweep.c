#include "coordinate_sweep.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rows that are fetched ahead. */
enum { AHEAD = 6 };

/* Fetches the line of a row that comes later, and the nonzeros of one that comes soon. */
static inline void fetch(const sfmi_coordinate_sweep *p, size_t k) {
  const sfmi_examples *x = p->examples;
  if (k + 2 * AHEAD >= p->count) return;
  __builtin_prefetch(&p->lines[p->rows[k + 2 * AHEAD]]);
  const sfmi_dual_row *soon = &p->lines[p->rows[k + AHEAD]];
  __builtin_prefetch(x->indices + soon->start);
  if (isnan(soon->common)) __builtin_prefetch(x->values + soon->start);
}

/* <w, phi> + offset, and w += by phi, of a row whose line is at hand. */
static inline double value(const sfmi_coordinate_sweep *p, const sfmi_dual_row *at, uint32_t row) {
  const uint32_t *indices = p->examples->indices + at->start;
  if (!isnan(at->common))
    return at->common * sfmi_row_product_ones(p->w, indices, at->length) + at->offset;
  return sfmi_row_product_dot(p->product, p->w, row) + at->offset;
}

static inline void add(const sfmi_coordinate_sweep *p, const sfmi_dual_row *at, uint32_t row,
                       double by) {
  const uint32_t *indices = p->examples->indices + at->start;
  if (!isnan(at->common)) {
    const double each = by * at->common;
    for (size_t k = 0; k < at->length; k++) p->w[indices[k]] += each;
  } else {
    sfmi_row_product_add(p->product, p->w, row, by);
  }
}

static inline double larger(double x, double y) {
  return x > y ? x : y;
}

/* Hinge.  The gradient of a row is u = 1 - m; a row at a corner from which it points outwards, by
 * more than rows met in the pass before, is shrunk. */
static void sweep_hinge(sfmi_coordinate_sweep *p) {
  double up = 0, down = 0, estimate = 0, gain = 0, work = 0;
  const double scale = p->scale;
  for (size_t k = 0; k < p->count;) {
    fetch(p, k);
    const uint32_t row = p->rows[k];
    sfmi_dual_row *at = &p->lines[row];
    const double y = at->y, b = y * at->a;
    const double u = 1 - y * value(p, at, row);
    if ((b == 0 && -u > p->upper) || (b == 1 && u > p->lower)) {
      sfmi_exchange_rows(p->rows, k, --p->count);
      continue;
    }
    k++;
    work += at->work;
    if (p->before) p->before[row] = at->a;
    double next = b + u * at->inverse;
    next = next < 0 ? 0 : next > 1 ? 1 : next;
    const double slack = u > 0 ? u * (1 - b) : -u * b;
    estimate += slack;
    if (slack > p->hot_limit) p->hot[p->hot_count++] = row;
    if (next == b) continue;
    if (u > 0)
      up = larger(up, u);
    else
      down = larger(down, -u);
    gain += (next - b) * (u - at->q * (next - b) / 2);
    work += at->work;
    at->a = y * next;
    add(p, at, row, y * (next - b) * scale);
  }
  p->estimate = estimate;
  p->gain = gain;
  p->work = work;
  p->upper = down;
  p->lower = up;
}

/* The other losses.  The slack of logistic follows from the step without logarithms.  The gain of a
 * step is at least (q + h)/2 times its square, h the least curvature of the conjugate. */
static void sweep_any(sfmi_coordinate_sweep *p) {
  const sfmi_loss *loss = p->loss;
  const double curvature = sfmi_loss_curvature(loss),
               least = isfinite(curvature) ? 1 / curvature : 0;
  double largest = 0, estimate = 0, gain = 0, work = 0;
  for (size_t k = 0; k < p->count;) {
    fetch(p, k);
    const uint32_t row = p->rows[k];
    sfmi_dual_row *at = &p->lines[row];
    const double t = value(p, at, row), a = at->a;
    if (sfmi_loss_corner_room(loss, t, a, at->y) > p->upper) {
      sfmi_exchange_rows(p->rows, k, --p->count);
      continue;
    }
    k++;
    if (p->before) p->before[row] = a;
    const double next = sfmi_loss_step(loss, t, a, at->q, at->y), step = next - a;
    double slack;
    if (loss->kind == SFM_MACHINE_LOSS_LOGISTIC) {
      const double b = fabs(next), bend = 1 / (b * (1 - b) + DBL_MIN);
      slack = step * (at->q + bend) * step * (at->q + bend) / (2 * bend);
    } else {
      slack = sfmi_loss_slack(loss, t, a, at->y);
    }
    estimate += slack;
    if (slack > p->hot_limit) p->hot[p->hot_count++] = row;
    work += at->work;
    if (step == 0) continue;
    gain += step * step * (at->q + least) / 2;
    work += at->work;
    largest = larger(largest, fabs(step) * (at->q + 1));
    at->a = next;
    add(p, at, row, step * p->scale);
  }
  p->estimate = estimate;
  p->gain = gain;
  p->work = work;
  p->upper = p->lower = largest;
}

void sfmi_coordinate_sweep_run(sfmi_coordinate_sweep *p) {
  if (p->start) memcpy(p->w, p->start, p->examples->features * sizeof *p->w);
  if (p->loss->kind == SFM_MACHINE_LOSS_HINGE)
    sweep_hinge(p);
  else
    sweep_any(p);
}
