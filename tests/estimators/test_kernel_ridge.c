/* test_kernel_ridge.c - kernel ridge one pair at a time against the whole system, also where points
 * repeat.
 */
#include "test_support.h"

#include "base/math/linear_algebra.h"
#include "base/math/prng.h"
#include "estimators/machine/kernel_ridge.h"

enum { COUNT = 40 };

static double kernel(double x, double y) {
  return exp(-0.5 * (x - y) * (x - y));
}

static void every_pair_gives_the_whole_solution(void **state) {
  (void)state;
  static const double ridges[] = {10, 0.1, 1e-6};
  for (size_t k = 0; k < 3; k++) {
    sfmi_prng prng;
    sfmi_kernel_ridge refit;
    sfm_error error;
    double x[COUNT], y[COUNT], row[COUNT];
    sfmi_prng_init(&prng, 5 + k);
    assert_ok(sfmi_kernel_ridge_init(&refit, COUNT, ridges[k], &error), &error);
    for (size_t n = 1; n <= COUNT; n++) {
      x[n - 1] = n % 5 == 4 ? x[0] : 6 * sfmi_prng_uniform(&prng);
      y[n - 1] = sfmi_prng_uniform(&prng) - 0.5;
      for (size_t j = 0; j < n; j++) row[j] = kernel(x[n - 1], x[j]);
      sfmi_kernel_ridge_add(&refit, row, y[n - 1]);
      double matrix[COUNT * COUNT], wanted[COUNT];
      for (size_t i = 0; i < n; i++) {
        wanted[i] = y[i];
        for (size_t j = 0; j < n; j++)
          matrix[i * n + j] = kernel(x[i], x[j]) + (i == j ? ridges[k] : 0);
      }
      assert_true(sfmi_positive_solve(matrix, wanted, n, 1));
      for (size_t i = 0; i < n; i++)
        assert_near("coefficient", refit.coefficients[i], wanted[i], 1e-6 * (1 + fabs(wanted[i])));
    }
    sfmi_kernel_ridge_clear(&refit);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_gives_the_whole_solution)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
