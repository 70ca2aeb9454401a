/* pooled_variance.h - the variance of pooled noise against its law, and against laws 3 % off. */
#ifndef TEST_POOLED_VARIANCE_H
#define TEST_POOLED_VARIANCE_H

#include "density_fixture.h"

typedef struct pooled_variance {
  double sum, squares, count;
} pooled_variance;

static inline void pooled_variance_add(pooled_variance *p, double noise) {
  p->sum += noise;
  p->squares += noise * noise;
  p->count++;
}

/* Mean zero and the variance stated, for a law of that kurtosis, at 1e-6; scales 3 % larger or
 * smaller must be rejected by the same test. */
static inline void pooled_variance_check(const char *name, const pooled_variance *p,
                                         double variance, double kurtosis) {
  double width = TEST_Z * sqrt((kurtosis - 1) / p->count);
  double ratio = p->squares / p->count / variance;
  print_message("%s: variance %.4f of the calibrated, over %.0f numbers\n", name, ratio, p->count);
  assert_near("mean", p->sum / p->count, 0, TEST_Z * sqrt(variance / p->count));
  assert_near("variance", ratio, 1, width);
  assert_true(fabs(ratio / (1.03 * 1.03) - 1) > width);
  assert_true(fabs(ratio / (0.97 * 0.97) - 1) > width);
}

#endif
