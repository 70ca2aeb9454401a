#include "kernel_ridge.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/math/vector_sums.h"

sfm_status sfmi_kernel_ridge_init(sfmi_kernel_ridge *r, size_t most, double ridge,
                                  sfm_error *error) {
  assert(most >= 1 && ridge > 0);
  *r = (sfmi_kernel_ridge){.most = most, .ridge = ridge};
  r->factor = sfmi_alloc(most * most, sizeof *r->factor);
  r->answers = sfmi_alloc(most, sizeof *r->answers);
  r->coefficients = sfmi_alloc(most, sizeof *r->coefficients);
  r->room = sfmi_alloc(most, sizeof *r->room);
  return r->factor && r->answers && r->coefficients && r->room ? SFM_OK : sfmi_fail_memory(error);
}

void sfmi_kernel_ridge_clear(sfmi_kernel_ridge *r) {
  free(r->factor);
  free(r->answers);
  free(r->coefficients);
  free(r->room);
  *r = (sfmi_kernel_ridge){0};
}

/* A new row l of the factor: L l = k, and the diagonal sqrt(K + ridge - l'l), which in exact
 * arithmetic is at least ridge; what rounding takes from it is given back. */
static void extend(sfmi_kernel_ridge *r, const double *kernel) {
  const size_t n = r->count;
  double *row = r->factor + n * r->most;
  for (size_t i = 0; i < n; i++) {
    const double *above = r->factor + i * r->most;
    row[i] = (kernel[i] - sfmi_inner_product(above, row, i)) / above[i];
  }
  row[n] = sqrt(fmax(kernel[n] + r->ridge - sfmi_inner_product(row, row, n), r->ridge));
}

/* L x = answers, then L' coefficients = x. */
static void solve(sfmi_kernel_ridge *r) {
  double *x = r->room, *c = r->coefficients;
  for (size_t i = 0; i < r->count; i++) {
    const double *row = r->factor + i * r->most;
    x[i] = (r->answers[i] - sfmi_inner_product(row, x, i)) / row[i];
  }
  for (size_t i = r->count; i-- > 0;) {
    const double *row = r->factor + i * r->most;
    c[i] = x[i] / row[i];
    for (size_t j = 0; j < i; j++) x[j] -= row[j] * c[i];
  }
}

void sfmi_kernel_ridge_add(sfmi_kernel_ridge *r, const double *kernel, double answer) {
  assert(r->count < r->most);
  extend(r, kernel);
  r->answers[r->count++] = answer;
  solve(r);
}
