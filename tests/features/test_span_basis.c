/* test_span_basis.c - the functions that a kernel spans at points: orthonormal in its space,
 * orthogonal in L2, and what they reproduce. */
#include "test_support.h"

#include "base/math/linear_algebra.h"
#include "features/kernels/kernel.h"
#include "features/bases/span_basis.h"

enum { T = 24 };

/* Points that crowd at one end. */
static void crowded(double *points) {
  for (size_t i = 0; i < T; i++) points[i] = 2 + 3 * pow((double)i / (T - 1), 1.7);
}

static double kernel(sfm_kernel_family family, double h, double x, double y) {
  return sfmi_kernel_profile(family, fabs(x - y) / h);
}

static sfmi_basis *span_of(double *weights, sfm_kernel_family family, double h,
                           const double *points, size_t count) {
  sfm_error error;
  sfmi_basis stated, *basis = NULL;
  assert_ok(sfmi_span_stated(&stated, weights, family, h, points, count, &error), &error);
  assert_ok(sfmi_basis_create(&basis, &stated, &error), &error);
  return basis;
}

/* Entry (i, j) of table K table'. */
static double inner(const sfmi_basis *basis, size_t i, size_t j) {
  double sum = 0;
  for (size_t a = 0; a < basis->nodes; a++)
    for (size_t b = 0; b < basis->nodes; b++)
      sum += basis->table[i * basis->nodes + a] * basis->table[j * basis->nodes + b] *
             kernel(basis->kernel, basis->bandwidth[0], basis->points[a], basis->points[b]);
  return sum;
}

static const struct {
  sfm_kernel_family family;
  double h, tolerance; /* of orthonormality: 1e-16 over the least eigenvalue kept */
} CASES[] = {{SFM_KERNEL_MATERN12, 0.3, 1e-12},   {SFM_KERNEL_LAPLACIAN, 2, 1e-11},
             {SFM_KERNEL_MATERN32, 0.3, 1e-11},   {SFM_KERNEL_MATERN52, 0.3, 1e-10},
             {SFM_KERNEL_MATERN52, 0.002, 1e-13}, {SFM_KERNEL_CAUCHY, 0.2, 1e-9},
             {SFM_KERNEL_GAUSSIAN, 0.2, 1e-4},    {SFM_KERNEL_GAUSSIAN, 3, 1e-4}};

static void it_is_orthonormal_in_the_space_of_the_kernel(void **state) {
  (void)state;
  double points[T], weights[T];
  crowded(points);
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    sfmi_basis *basis = span_of(weights, CASES[c].family, CASES[c].h, points, T);
    for (size_t i = 0; i < basis->count; i++)
      for (size_t j = 0; j <= i; j++)
        assert_near("<b_i, b_j>", inner(basis, i, j), i == j, CASES[c].tolerance);
    sfmi_basis_destroy(basis);
  }
}

/* sum_j b_j(x) b_j(y) = K(x, y) when y is one of the points: the span reproduces there.  Elsewhere
 * the projection of K(., x) is shorter. */
static void it_reproduces_at_its_points(void **state) {
  (void)state;
  double points[T], weights[T];
  crowded(points);
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    const double h = CASES[c].h;
    sfmi_basis *basis = span_of(weights, CASES[c].family, h, points, T);
    double *at = calloc(T * basis->count, sizeof *at), *one = calloc(basis->count, sizeof *one);
    sfmi_basis_at(basis, at, points, T);
    for (double x = 2; x <= 5; x += 0.0377) {
      double length = 0;
      sfmi_basis_at(basis, one, &x, 1);
      for (size_t j = 0; j < basis->count; j++) length += one[j] * one[j];
      assert_true(length <= 1 + 1e-6);
      for (size_t i = 0; i < T; i++) {
        double sum = 0;
        for (size_t j = 0; j < basis->count; j++) sum += one[j] * at[i * basis->count + j];
        assert_near("K", sum, kernel(CASES[c].family, h, x, points[i]),
                    fmax(CASES[c].tolerance, 1e-9));
      }
    }
    free(at);
    free(one);
    sfmi_basis_destroy(basis);
  }
}

/* By a plain rule of many points, which is an independent quadrature. */
static void it_is_orthogonal_in_l2_in_descending_order(void **state) {
  (void)state;
  enum { FINE = 60000 };
  double points[T], weights[T];
  crowded(points);
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    sfmi_basis *basis = span_of(weights, CASES[c].family, CASES[c].h, points, T);
    const size_t m = basis->count;
    double *products = calloc(m * m, sizeof *products), *one = calloc(m, sizeof *one);
    for (size_t p = 0; p < FINE; p++) {
      const double x = 2 + 3 * ((double)p + 0.5) / FINE;
      sfmi_basis_at(basis, one, &x, 1);
      for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) products[i * m + j] += one[i] * one[j] * 3 / FINE;
    }
    for (size_t i = 0; i < m; i++) {
      if (i > 0) assert_true(weights[i] <= weights[i - 1]);
      for (size_t j = 0; j <= i; j++)
        assert_near("L2", products[i * m + j], i == j ? weights[i] : 0, 2e-4 * weights[0]);
    }
    free(products);
    free(one);
    sfmi_basis_destroy(basis);
  }
}

/* Far narrower than the gaps: spikes, whose squared L2 norms add up to those of as many kernels,
 * the two at the ends halved. */
static void spikes_are_not_missed(void **state) {
  (void)state;
  static const struct {
    sfm_kernel_family family;
    double norm; /* the integral of K^2 for bandwidth 1 */
  } kernels[] = {{SFM_KERNEL_MATERN12, 1},
                 {SFM_KERNEL_MATERN32, 1.4433756729740645},
                 {SFM_KERNEL_GAUSSIAN, 1.7724538509055161},
                 {SFM_KERNEL_CAUCHY, 1.5707963267948966}};
  double points[T], weights[T];
  for (size_t c = 0; c < sizeof kernels / sizeof *kernels; c++)
    for (int tiny = 2; tiny <= 8; tiny += 3) {
      const double h = pow(10, -tiny) / (T - 1);
      double sum = 0;
      for (size_t i = 0; i < T; i++) points[i] = (double)i / (T - 1);
      sfmi_basis *basis = span_of(weights, kernels[c].family, h, points, T);
      for (size_t j = 0; j < basis->count; j++) sum += weights[j];
      assert_near("sum", sum / h / (T - 1), kernels[c].norm, 0.02 * kernels[c].norm);
      sfmi_basis_destroy(basis);
    }
}

static int descending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* The first few functions hold at least as much of L2 as as many of the Gram matrix' own
 * eigenfunctions, and on points that crowd by far more. */
static void the_gram_matrix_alone_would_leave_out_more(void **state) {
  (void)state;
  enum { FINE = 20000 };
  const double h = 0.3;
  double points[T], weights[T], gram[T * T], nu[T], squares[T] = {0};
  sfm_error error;
  crowded(points);
  sfmi_basis *basis = span_of(weights, SFM_KERNEL_MATERN52, h, points, T);
  assert_int_equal(basis->count, T);
  for (size_t i = 0; i < T * T; i++)
    gram[i] = kernel(SFM_KERNEL_MATERN52, h, points[i / T], points[i % T]);
  assert_ok(sfmi_symmetric_eigen(gram, nu, T, &error), &error);
  for (size_t p = 0; p < FINE; p++) {
    const double x = 2 + 3 * ((double)p + 0.5) / FINE;
    for (size_t j = 0; j < T; j++) {
      double value = 0;
      for (size_t i = 0; i < T; i++)
        value += gram[j * T + i] / sqrt(nu[j]) * kernel(SFM_KERNEL_MATERN52, h, x, points[i]);
      squares[j] += value * value * 3 / FINE;
    }
  }
  qsort(squares, T, sizeof *squares, descending);
  double ours = 0, theirs = 0, most = 0;
  for (size_t j = 0; j < T; j++) {
    ours += weights[j];
    theirs += squares[j];
    assert_true(ours >= theirs - 1e-6);
    most = fmax(most, ours / theirs);
  }
  assert_near("the traces", ours, theirs, 1e-5);
  if (!(most > 1.1)) fail_msg("at best %g times as much", most);
  sfmi_basis_destroy(basis);
}

/* Equal points but for a rounding, or a kernel so wide that functions cannot be told apart: what
 * cannot be told apart is left out, and nothing is infinite. */
static void directions_that_vanish_are_left_out(void **state) {
  (void)state;
  const double close[] = {0, 1e-13, 0.5, 0.5 + 1e-15, 1};
  double weights[T], points[T], values[T];
  sfmi_basis *basis = span_of(weights, SFM_KERNEL_MATERN32, 0.2, close, 5);
  assert_int_equal(basis->count, 3);
  sfmi_basis_destroy(basis);
  for (size_t i = 0; i < T; i++) points[i] = (double)i / (T - 1);
  basis = span_of(weights, SFM_KERNEL_GAUSSIAN, 10, points, T);
  assert_true(basis->count >= 2 && basis->count < 8);
  for (double x = 0; x <= 1; x += 0.01) {
    sfmi_basis_at(basis, values, &x, 1);
    for (size_t j = 0; j < basis->count; j++) assert_true(fabs(values[j]) <= 1 + 1e-6);
  }
  sfmi_basis_destroy(basis);
}

static void a_value_depends_on_its_point_alone(void **state) {
  (void)state;
  enum { MANY = 77 };
  double points[T], weights[T], where[MANY], together[MANY * T], alone[T];
  crowded(points);
  sfmi_basis *basis = span_of(weights, SFM_KERNEL_MATERN52, 0.3, points, T);
  for (size_t p = 0; p < MANY; p++) where[p] = 2 + 3 * (double)(p * 31 % MANY) / (MANY - 1);
  sfmi_basis_at(basis, together, where, MANY);
  for (size_t p = 0; p < MANY; p++) {
    sfmi_basis_at(basis, alone, &where[p], 1);
    assert_memory_equal(alone, together + p * basis->count, basis->count * sizeof *alone);
  }
  sfmi_basis_destroy(basis);
}

static void a_cut_keeps_the_first_functions(void **state) {
  (void)state;
  double points[T], weights[T], all[T], few[T];
  sfm_error error;
  sfmi_basis stated, *cut = NULL;
  crowded(points);
  sfmi_basis *basis = span_of(weights, SFM_KERNEL_MATERN32, 0.5, points, T);
  assert_ok(sfmi_span_cut(&stated, basis, 5, &error), &error);
  assert_ok(sfmi_basis_create(&cut, &stated, &error), &error);
  assert_int_equal(cut->count, 5);
  const double x = 3.21;
  sfmi_basis_at(basis, all, &x, 1);
  sfmi_basis_at(cut, few, &x, 1);
  assert_memory_equal(all, few, 5 * sizeof *few);
  sfmi_basis_destroy(cut);
  sfmi_basis_destroy(basis);
}

/* What a file may state. */
static void a_basis_that_cannot_be_is_refused(void **state) {
  (void)state;
  sfm_error error;
  for (int fault = 0; fault < 8; fault++) {
    sfmi_basis stated = {.family = SFMI_SPAN,
                         .dimension = 1,
                         .count = 2,
                         .lower = {0},
                         .upper = {1},
                         .kernel = SFM_KERNEL_MATERN12,
                         .bandwidth = {0.5},
                         .nodes = 2},
               *basis;
    stated.points = calloc(2, sizeof(double));
    stated.table = calloc(4, sizeof(double));
    stated.points[1] = 1;
    if (fault == 1) stated.points[0] = 1;
    if (fault == 2) stated.points[1] = 1.5;
    if (fault == 3) stated.points[0] = -1;
    if (fault == 4) {
      free(stated.points);
      stated.points = NULL;
    }
    if (fault == 5) stated.points[1] = 0.9;
    if (fault == 6) stated.table[3] = -1e10;
    if (fault == 7) {
      /* One function of more points than a curve has: every value would take all of them. */
      stated.count = 1;
      stated.nodes = SFMI_SPAN_POINTS_MAX + 1;
      free(stated.points);
      free(stated.table);
      stated.points = calloc(stated.nodes, sizeof(double));
      stated.table = calloc(stated.nodes, sizeof(double));
      for (size_t i = 0; i < stated.nodes; i++) stated.points[i] = (double)i / SFMI_SPAN_POINTS_MAX;
    }
    assert_int_equal(sfmi_basis_create(&basis, &stated, &error), fault ? SFM_INVALID : SFM_OK);
    if (!fault) sfmi_basis_destroy(basis);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_orthonormal_in_the_space_of_the_kernel),
      cmocka_unit_test(it_reproduces_at_its_points),
      cmocka_unit_test(it_is_orthogonal_in_l2_in_descending_order),
      cmocka_unit_test(spikes_are_not_missed),
      cmocka_unit_test(the_gram_matrix_alone_would_leave_out_more),
      cmocka_unit_test(directions_that_vanish_are_left_out),
      cmocka_unit_test(a_value_depends_on_its_point_alone),
      cmocka_unit_test(a_cut_keeps_the_first_functions),
      cmocka_unit_test(a_basis_that_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
