/* kernel_estimate.h - the kernel estimate of rows of one variable, by its definition: with
 * boundaries, its integrals up to a place, against a ramp, and its values. */
#ifndef TEST_KERNEL_ESTIMATE_H
#define TEST_KERNEL_ESTIMATE_H

#include "test_support.h"

typedef struct truth {
  const double *rows;
  size_t count;
  double lower, upper, h;
  sfm_boundary boundary;
} truth;

static inline double truth_phi(double z) {
  return 0.5 * erfc(-z * M_SQRT1_2);
}

/* The i-th image of a row, i from 0 to truth_images - 1. */
static inline int truth_images(const truth *t) {
  return t->boundary == SFM_BOUNDARY_OPEN ? 1 : t->boundary == SFM_BOUNDARY_PERIODIC ? 41 : 82;
}

static inline double truth_image(const truth *t, double x, int i) {
  const double width = t->upper - t->lower;
  if (t->boundary == SFM_BOUNDARY_OPEN) return x;
  if (t->boundary == SFM_BOUNDARY_PERIODIC) return x + (i - 20) * width;
  return i % 2 ? 2 * t->lower - x + 2 * (i / 2 - 20) * width : x + 2 * (i / 2 - 20) * width;
}

/* Sums over the rows, in records. */
static inline double truth_below(const truth *t, double q) {
  double sum = 0;
  for (size_t r = 0; r < t->count; r++)
    for (int i = 0; i < truth_images(t); i++) {
      const double y = truth_image(t, t->rows[r], i);
      sum += truth_phi((q - y) / t->h) - truth_phi((t->lower - y) / t->h);
    }
  return sum;
}

static inline double truth_at(const truth *t, double q) {
  double sum = 0;
  for (size_t r = 0; r < t->count; r++)
    for (int i = 0; i < truth_images(t); i++) {
      const double z = (q - truth_image(t, t->rows[r], i)) / t->h;
      sum += exp(-0.5 * z * z) / (sqrt(2 * M_PI) * t->h);
    }
  return sum;
}

/* Against (q - lower)/(upper - lower). */
static inline double truth_ramp(const truth *t) {
  double sum = 0;
  for (size_t r = 0; r < t->count; r++)
    for (int i = 0; i < truth_images(t); i++) {
      const double y = truth_image(t, t->rows[r], i);
      const double a = (t->lower - y) / t->h, b = (t->upper - y) / t->h;
      sum += (y - t->lower) * (truth_phi(b) - truth_phi(a)) -
             t->h * (exp(-0.5 * b * b) - exp(-0.5 * a * a)) / sqrt(2 * M_PI);
    }
  return sum / (t->upper - t->lower);
}

static inline double truth_share(const truth *t, double from, double to) {
  return (truth_below(t, to) - truth_below(t, from)) / truth_below(t, t->upper);
}

static inline double truth_mean(const truth *t) {
  return t->lower + (t->upper - t->lower) * truth_ramp(t) / truth_below(t, t->upper);
}

static inline double truth_quantile(const truth *t, double p) {
  double low = t->lower, high = t->upper;
  const double level = p * truth_below(t, t->upper);
  for (int i = 0; i < 50; i++) {
    const double middle = 0.5 * (low + high);
    if (truth_below(t, middle) < level)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static inline double truth_mode(const truth *t) {
  enum { FINE = 4000 };
  double best = t->lower, largest = 0;
  for (int i = 0; i <= FINE; i++) {
    const double q = t->lower + (t->upper - t->lower) * i / FINE, value = truth_at(t, q);
    if (value > largest) {
      largest = value;
      best = q;
    }
  }
  return best;
}

#endif
