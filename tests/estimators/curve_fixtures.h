/* curve_fixtures.h - for the tests of curves: a span, and curves on its points. */
#ifndef TESTS_ESTIMATORS_CURVE_FIXTURES_H
#define TESTS_ESTIMATORS_CURVE_FIXTURES_H

#include "test_support.h"

#include "features/bases/span_basis.h"

enum { BENT_MAX = 64 };

/* count points from 0 to 1, a little uneven. */
static inline sfmi_basis *bent_basis(sfm_kernel_family family, double h, size_t count) {
  double points[BENT_MAX], weights[BENT_MAX];
  sfm_error error;
  sfmi_basis stated, *basis = NULL;
  for (size_t i = 0; i < count; i++)
    points[i] = ((double)i + 0.3 * (i % 3 == 1)) / ((double)count - 1);
  points[count - 1] = 1;
  assert_ok(sfmi_span_stated(&stated, weights, family, h, points, count, &error), &error);
  assert_ok(sfmi_basis_create(&basis, &stated, &error), &error);
  return basis;
}

/* A smooth curve with some noise, and holes at about a share of the points. */
static inline void bent_curve(double *values, size_t count, double size, double holes,
                              sfmi_prng *prng) {
  const double a = sfmi_prng_normal(prng), b = sfmi_prng_normal(prng), c = sfmi_prng_normal(prng);
  for (size_t i = 0; i < count; i++) {
    const double t = (double)i / (double)(count - 1);
    values[i] = size * (a + b * sin(5 * t) + c * cos(9 * t) + 0.1 * sfmi_prng_normal(prng));
    if (sfmi_prng_uniform(prng) < holes) values[i] = NAN;
  }
}

#endif
