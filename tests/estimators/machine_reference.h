/* machine_reference.h - problems of kernel machines for tests, and an independent solve of small
 * ones in long double: coordinate steps by bisection of the loss's own slope. */
#ifndef TEST_MACHINE_REFERENCE_H
#define TEST_MACHINE_REFERENCE_H

#include "test_support.h"

#include "estimators/ascent/machine_solver.h"

static const sfmi_loss MACHINE_LOSSES[] = {
    {SFM_MACHINE_LOSS_HINGE, NAN},    {SFM_MACHINE_LOSS_SQUARED_HINGE, NAN},
    {SFM_MACHINE_LOSS_LOGISTIC, NAN}, {SFM_MACHINE_LOSS_HUBER, 0.3},
    {SFM_MACHINE_LOSS_SQUARED, NAN},  {SFM_MACHINE_LOSS_EPSILON_INSENSITIVE, 0.1},
};
enum { MACHINE_LOSS_COUNT = sizeof MACHINE_LOSSES / sizeof *MACHINE_LOSSES };

static inline bool machine_regression(const sfmi_loss *loss) {
  return loss->kind == SFM_MACHINE_LOSS_HUBER || loss->kind == SFM_MACHINE_LOSS_SQUARED ||
         loss->kind == SFM_MACHINE_LOSS_EPSILON_INSENSITIVE;
}

/* Dense rows, for the reference: n x features. */
typedef struct reference {
  size_t n, features;
  const double *phi, *labels, *offsets; /* offsets may be NULL */
  sfmi_loss loss;
  long double lambda;
  /* The answer. */
  long double *a, *w;
  long double distance; /* of w from the exact minimiser, at most */
} reference;

static inline long double reference_slope(const sfmi_loss *loss, long double t, long double y) {
  const long double m = y * t, r = t - y, p = loss->parameter;
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    return m < 1 ? -y : 0;
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    return m < 1 ? -2 * y * (1 - m) : 0;
  case SFM_MACHINE_LOSS_LOGISTIC:
    return -y / (1 + expl(m));
  case SFM_MACHINE_LOSS_HUBER:
    return r > p ? p : r < -p ? -p : r;
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    return r > p ? 1 : r < -p ? -1 : 0;
  case SFM_MACHINE_LOSS_SQUARED:
    break;
  }
  return r;
}

/* l(t) + l*(-a) + a t, of losses with corners. */
static inline long double reference_slack(const sfmi_loss *loss, long double t, long double a,
                                          long double y) {
  const long double p = loss->parameter, r = t - y;
  if (loss->kind == SFM_MACHINE_LOSS_HINGE) return fmaxl(0, 1 - y * t) - y * a * (1 - y * t);
  return fmaxl(0, fabsl(r) - p) + p * fabsl(a) + a * r;
}

/* The best a of losses with corners: where t would be 1/y, or y -+ p, or an end of the range. */
static inline long double reference_step(const sfmi_loss *loss, long double t, long double a0,
                                         long double q, long double y) {
  if (loss->kind == SFM_MACHINE_LOSS_HINGE) {
    const long double b = y * a0 + (1 - y * t) / q;
    return y * fminl(1, fmaxl(0, b));
  }
  const long double low = a0 + (y - loss->parameter - t) / q,
                    high = a0 + (y + loss->parameter - t) / q;
  return low > 0 ? fminl(low, 1) : high < 0 ? fmaxl(high, -1) : 0;
}

static inline long double reference_dot(const reference *r, size_t i) {
  long double sum = r->offsets ? r->offsets[i] : 0;
  for (size_t j = 0; j < r->features; j++) sum += r->w[j] * r->phi[i * r->features + j];
  return sum;
}

/* Weights from the duals; the distance that their slacks allow. */
static inline void reference_certify(reference *r) {
  long double sum = 0;
  memset(r->w, 0, r->features * sizeof *r->w);
  for (size_t i = 0; i < r->n; i++)
    for (size_t j = 0; j < r->features; j++)
      r->w[j] += r->a[i] * r->phi[i * r->features + j] / (r->lambda * (long double)r->n);
  for (size_t i = 0; i < r->n; i++)
    sum += fmaxl(0, reference_slack(&r->loss, reference_dot(r, i), r->a[i], r->labels[i]));
  r->distance = sqrtl(2 * sum / (long double)r->n / r->lambda);
}

/* Duals until |w - w*| <= wanted, or so many passes. */
static inline void reference_ascend(reference *r, long double wanted, int passes) {
  const long double scale = 1 / (r->lambda * (long double)r->n);
  for (int pass = 0; pass < passes; pass++) {
    for (size_t i = 0; i < r->n; i++) {
      const double *phi = r->phi + i * r->features;
      long double square = 0;
      for (size_t j = 0; j < r->features; j++) square += (long double)phi[j] * phi[j];
      const long double t = reference_dot(r, i), y = r->labels[i];
      const long double next = square > 0 ? reference_step(&r->loss, t, r->a[i], square * scale, y)
                                          : -reference_slope(&r->loss, t, y);
      for (size_t j = 0; j < r->features; j++) r->w[j] += (next - r->a[i]) * scale * phi[j];
      r->a[i] = next;
    }
    if (pass % 8 == 7) reference_certify(r);
    if (pass % 8 == 7 && r->distance <= wanted) break;
  }
  reference_certify(r);
}

static inline long double reference_bend(const sfmi_loss *loss, long double t, long double y) {
  const long double slope = reference_slope(loss, t, y);
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    return y * t < 1 ? 2 : 0;
  case SFM_MACHINE_LOSS_LOGISTIC:
    return fabsl(slope) * (1 - fabsl(slope));
  case SFM_MACHINE_LOSS_HUBER:
    return fabsl(t - y) < loss->parameter;
  default:
    return 1;
  }
}

/* The gradient of P, and its size. */
static inline long double reference_gradient(const reference *r, long double *g) {
  long double square = 0;
  for (size_t j = 0; j < r->features; j++) g[j] = r->lambda * r->w[j];
  for (size_t i = 0; i < r->n; i++) {
    const long double slope = reference_slope(&r->loss, reference_dot(r, i), r->labels[i]);
    for (size_t j = 0; j < r->features; j++)
      g[j] += slope * r->phi[i * r->features + j] / (long double)r->n;
  }
  for (size_t j = 0; j < r->features; j++) square += g[j] * g[j];
  return sqrtl(square);
}

/* x := H^-1 x of a positive matrix, F x F. */
static inline void reference_eliminate(long double *H, long double *x, size_t F) {
  for (size_t k = 0; k < F; k++)
    for (size_t i = k + 1; i < F; i++) {
      const long double by = H[i * F + k] / H[k * F + k];
      for (size_t j = k; j < F; j++) H[i * F + j] -= by * H[k * F + j];
      x[i] -= by * x[k];
    }
  for (size_t k = F; k-- > 0;) {
    for (size_t j = k + 1; j < F; j++) x[k] -= H[k * F + j] * x[j];
    x[k] /= H[k * F + k];
  }
}

/* Newton's method, halving steps that do not lessen the gradient. */
static inline void reference_newton(reference *r, long double wanted) {
  const size_t F = r->features;
  long double *g = calloc(F, sizeof *g), *H = calloc(F * F, sizeof *H), *d = calloc(F, sizeof *d);
  long double size = reference_gradient(r, g);
  for (int round = 0; round < 400 && size / r->lambda > wanted; round++) {
    memset(H, 0, F * F * sizeof *H);
    for (size_t j = 0; j < F; j++) H[j * F + j] = r->lambda;
    for (size_t i = 0; i < r->n; i++) {
      const double *phi = r->phi + i * F;
      const long double bend =
          reference_bend(&r->loss, reference_dot(r, i), r->labels[i]) / (long double)r->n;
      for (size_t j = 0; bend > 0 && j < F; j++)
        for (size_t k = 0; k < F; k++) H[j * F + k] += bend * phi[j] * phi[k];
    }
    memcpy(d, g, F * sizeof *d);
    reference_eliminate(H, d, F);
    long double step = 1;
    for (int halving = 0; halving < 60; halving++, step /= 2) {
      for (size_t j = 0; j < F; j++) r->w[j] -= step * d[j];
      const long double next = reference_gradient(r, g);
      if (next < size || halving == 59) {
        size = next;
        break;
      }
      for (size_t j = 0; j < F; j++) r->w[j] += step * d[j];
    }
  }
  r->distance = size / r->lambda;
  free(g);
  free(H);
  free(d);
}

static inline void reference_solve(reference *r, long double wanted, int passes) {
  r->a = calloc(r->n, sizeof *r->a);
  r->w = calloc(r->features, sizeof *r->w);
  const bool corners = r->loss.kind == SFM_MACHINE_LOSS_HINGE ||
                       r->loss.kind == SFM_MACHINE_LOSS_EPSILON_INSENSITIVE;
  if (corners)
    reference_ascend(r, wanted, passes);
  else
    reference_newton(r, wanted);
}

static inline void reference_clear(reference *r) {
  free(r->a);
  free(r->w);
}

static inline double reference_apart(const reference *r, const double *w) {
  long double sum = 0;
  for (size_t j = 0; j < r->features; j++) sum += (w[j] - r->w[j]) * (w[j] - r->w[j]);
  return (double)sqrtl(sum);
}

/* Examples of form sparse from dense rows. */
static inline sfmi_examples *machine_sparse(const double *phi, const double *labels, size_t n,
                                            size_t features) {
  sfmi_examples *x = calloc(1, sizeof *x);
  *x = (sfmi_examples){.form = SFMI_EXAMPLES_SPARSE, .rows = n, .features = features};
  x->keep = calloc(n, 1);
  x->labels = calloc(n, sizeof *x->labels);
  x->starts = calloc(n + 1, sizeof *x->starts);
  x->indices = calloc(n * features + 1, sizeof *x->indices);
  x->values = calloc(n * features + 1, sizeof *x->values);
  for (size_t i = 0; i < n; i++) {
    x->keep[i] = 1;
    x->labels[i] = labels[i];
    for (size_t j = 0; j < features; j++) {
      if (phi[i * features + j] == 0) continue;
      x->indices[x->nonzeros] = (uint32_t)j;
      x->values[x->nonzeros++] = phi[i * features + j];
    }
    x->starts[i + 1] = x->nonzeros;
  }
  return x;
}

static inline void machine_free(sfmi_examples *x) {
  free(x->keep);
  free(x->labels);
  free(x->starts);
  free(x->indices);
  free(x->values);
  free(x);
}

#endif
