/* basis_fixtures.h - bases from what a file would state of them, and what is asked of every basis:
 * that it is orthonormal, and that a row of values depends on its point alone. */
#ifndef TEST_BASIS_FIXTURES_H
#define TEST_BASIS_FIXTURES_H

#include "test_support.h"

#include "features/bases/basis.h"

static inline sfmi_basis stated_of(sfmi_basis_family family, size_t count, double lower,
                                   double upper) {
  return (sfmi_basis){.family = family,
                      .dimension = 1,
                      .count = count,
                      .lower = {lower},
                      .upper = {upper},
                      .unit = family == SFMI_HERMITE ? (upper - lower) / 10 : 0};
}

static inline sfmi_basis *basis_of(const sfmi_basis *stated) {
  sfm_error error;
  sfmi_basis *basis = NULL;
  assert_ok(sfmi_basis_create(&basis, stated, &error), &error);
  return basis;
}

static inline sfmi_basis *basis_stated(sfmi_basis_family family, size_t count, double lower,
                                       double upper) {
  const sfmi_basis stated = stated_of(family, count, lower, upper);
  return basis_of(&stated);
}

/* It must be refused, with a message that has these words. */
static inline void refused(const sfmi_basis *stated, const char *words) {
  sfm_error error = {0};
  sfmi_basis *basis = NULL;
  assert_int_equal(sfmi_basis_create(&basis, stated, &error), SFM_INVALID);
  assert_null(basis);
  if (!strstr(error.message, words)) fail_msg("\"%s\" lacks \"%s\"", error.message, words);
}

/* Gauss and Legendre's rule of eight nodes on [-1, 1], exact to degree 15: nodes by Newton. */
enum { RULE = 8 };
static inline void gauss_rule(double *nodes, double *weights) {
  for (int i = 0; i < RULE; i++) {
    long double x = cosl((long double)M_PI * (i + 0.75L) / (RULE + 0.5L)), slope = 1;
    for (int step = 0; step < 50; step++) {
      long double p = 1, before = 0;
      for (int k = 1; k <= RULE; k++) {
        const long double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = RULE * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    nodes[i] = (double)x;
    weights[i] = (double)(2 / ((1 - x * x) * slope * slope));
  }
}

/* inner[j * (count + 1) + k] = integral over [lower, upper] of b_j b_k, by that rule on pieces; the
 * last of the functions is one more, by its values, or the constant 1. */
static inline void inner_products(double *inner, const sfmi_basis *basis, double lower,
                                  double upper, size_t pieces, double (*one)(double)) {
  const size_t n = basis->count + 1;
  double nodes[RULE], weights[RULE], *row = malloc(n * sizeof *row);
  gauss_rule(nodes, weights);
  memset(inner, 0, n * n * sizeof *inner);
  for (size_t i = 0; i < pieces * RULE; i++) {
    const double length = (upper - lower) / (double)pieces;
    const double x = lower + length * ((double)(i / RULE) + (1 + nodes[i % RULE]) / 2);
    sfmi_basis_at(basis, row, &x, 1);
    row[n - 1] = one ? one(x) : 1;
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k <= j; k++)
        inner[j * n + k] += weights[i % RULE] * length / 2 * row[j] * row[k];
  }
  for (size_t j = 0; j < n; j++)
    for (size_t k = j + 1; k < n; k++) inner[j * n + k] = inner[k * n + j];
  free(row);
}

/* Orthonormal, and to the constant too when it is one that leaves it out. */
static inline void check_orthonormal(const sfmi_basis *basis, double lower, double upper,
                                     size_t pieces, double tolerance) {
  const size_t n = basis->count + 1;
  double *inner = malloc(n * n * sizeof *inner);
  inner_products(inner, basis, lower, upper, pieces, NULL);
  for (size_t j = 0; j + 1 < n; j++) {
    for (size_t k = 0; k + 1 < n; k++)
      assert_near(sfmi_basis_family_name(basis->family), inner[j * n + k], j == k, tolerance);
    if (sfmi_basis_family_has_constant(basis->family))
      assert_near("to the constant", inner[j * n + n - 1] / sqrt(upper - lower), 0, tolerance);
  }
  free(inner);
}

/* Bit for bit the same alone, in a batch, and in the batch the other way round. */
static inline void check_rows_alone(const sfmi_basis *basis, uint64_t seed) {
  enum { POINTS = 37 };
  double points[POINTS], back[POINTS], *batch = malloc(POINTS * basis->count * sizeof *batch),
                                       *turned = malloc(POINTS * basis->count * sizeof *turned),
                                       *alone = malloc(basis->count * sizeof *alone);
  const double width = basis->upper[0] - basis->lower[0];
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < POINTS; i++) {
    const double x = basis->lower[0] + width * sfmi_prng_uniform(&prng);
    points[i] = i == 0 ? basis->lower[0] : i == 1 ? basis->upper[0] : fmin(x, basis->upper[0]);
  }
  for (size_t i = 0; i < POINTS; i++) back[i] = points[POINTS - 1 - i];
  sfmi_basis_at(basis, batch, points, POINTS);
  sfmi_basis_at(basis, turned, back, POINTS);
  for (size_t i = 0; i < POINTS; i++) {
    const double *row = batch + i * basis->count;
    sfmi_basis_at(basis, alone, points + i, 1);
    for (size_t j = 0; j < basis->count; j++) assert_true(isfinite(row[j]));
    assert_memory_equal(row, alone, basis->count * sizeof *alone);
    assert_memory_equal(row, turned + (POINTS - 1 - i) * basis->count,
                        basis->count * sizeof *alone);
  }
  free(batch);
  free(turned);
  free(alone);
}

#endif
