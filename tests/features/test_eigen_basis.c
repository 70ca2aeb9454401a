/* test_eigen_basis.c - eigenfunctions of kernels: against closed forms, their own equation and
 * finer rules; what they sum up to; and tables that are no basis. */
/* suite: release */
#include "basis_fixtures.h"

#include "features/bases/eigen_basis.h"
#include "features/kernels/kernel.h"

/* All but laplacian, which is matern12 in one dimension. */
static const sfm_kernel_family FAMILIES[] = {SFM_KERNEL_GAUSSIAN, SFM_KERNEL_MATERN12,
                                             SFM_KERNEL_MATERN32, SFM_KERNEL_MATERN52,
                                             SFM_KERNEL_CAUCHY};
enum { KERNELS = sizeof FAMILIES / sizeof *FAMILIES };

static sfm_kernel kernel_of(sfm_kernel_family family, const double *bandwidth) {
  return (sfm_kernel){.family = family, .dimension = 1, .bandwidth = bandwidth};
}

static sfmi_basis *eigen_basis(double *eigenvalues, sfm_kernel_family family, double bandwidth,
                               double lower, double upper, size_t count) {
  const sfm_kernel kernel = kernel_of(family, &bandwidth);
  sfm_error error;
  sfmi_basis stated;
  assert_ok(sfmi_eigen_stated(&stated, eigenvalues, &kernel, lower, upper, count, &error), &error);
  return basis_of(&stated);
}

static size_t most_of(sfm_kernel_family family, double bandwidth, double lower, double upper) {
  const sfm_kernel kernel = kernel_of(family, &bandwidth);
  sfm_error error;
  size_t most = 0;
  assert_ok(sfmi_eigen_most(&most, &kernel, lower, upper, &error), &error);
  return most;
}

static bool smooth(sfm_kernel_family family) {
  return family == SFM_KERNEL_GAUSSIAN || family == SFM_KERNEL_CAUCHY;
}

/* The k-th eigenvalue of exp(-c|x - y|) on [0, 1], k = 0, 1, ...: 2c/(w^2 + c^2), where, by turns,
 * c cos(w/2) = w sin(w/2) or w cos(w/2) = -c sin(w/2), and w is between k pi and (k + 1) pi. */
static double exponential_eigenvalue(double c, size_t k) {
  double from = (double)k * M_PI, to = from + M_PI;
  for (int step = 0; step < 200; step++) {
    const double w = (from + to) / 2;
    const double even = c * cos(w / 2) - w * sin(w / 2), odd = w * cos(w / 2) + c * sin(w / 2);
    const double turn = k % 4 == 0 || k % 4 == 1 ? 1 : -1;
    if (turn * (k % 2 ? odd : even) > 0)
      from = w;
    else
      to = w;
  }
  return 2 * c / (from * from + c * c);
}

/* Nodes: 64 + 8 a function + 8 a bandwidth, in steps of 32, at most 512. */
static double nodes_of(size_t count, double ratio) {
  return fmin(32 * ceil((64 + 8 * (double)count + 8 * ratio) / 32), 512);
}

static void exponential_eigenvalues_are_known(void **state) {
  (void)state;
  enum { MOST = 128 };
  const double ratios[] = {0.1, 1, 10, 100};
  const size_t counts[] = {5, 20, MOST};
  double eigenvalues[MOST];
  for (size_t r = 0; r < 4; r++)
    for (size_t c = 0; c < 3; c++) {
      sfmi_basis *basis =
          eigen_basis(eigenvalues, SFM_KERNEL_MATERN12, 1 / ratios[r], 0, 1, counts[c]);
      const double N = nodes_of(counts[c], ratios[r]);
      for (size_t k = 0; k < counts[c]; k++)
        assert_relative("eigenvalue", eigenvalues[k], exponential_eigenvalue(ratios[r], k),
                        1.5 * pow(((double)k + 1 + ratios[r] / 3) / N, 4) + 1e-12);
      sfmi_basis_destroy(basis);
    }
}

static void laplacian_is_matern12(void **state) {
  (void)state;
  double one[7], other[7];
  sfmi_basis *laplacian = eigen_basis(one, SFM_KERNEL_LAPLACIAN, 0.3, 0, 1, 7),
             *matern12 = eigen_basis(other, SFM_KERNEL_MATERN12, 0.3, 0, 1, 7);
  for (size_t k = 0; k < 7; k++) {
    double rows[2][7];
    const double x = (double)k / 6;
    sfmi_basis_at(laplacian, rows[0], &x, 1);
    sfmi_basis_at(matern12, rows[1], &x, 1);
    assert_relative("eigenvalue", one[k], other[k], 1e-13);
    for (size_t j = 0; j < 7; j++) assert_near("function", rows[0][j], rows[1][j], 1e-10);
  }
  sfmi_basis_destroy(laplacian);
  sfmi_basis_destroy(matern12);
}

/* Differences of the fifth eigenvalue between 128, 256 and 512 nodes. */
static void errors_fall_as_stated(void **state) {
  (void)state;
  const struct {
    sfm_kernel_family family;
    double order;
  } cases[] = {{SFM_KERNEL_MATERN12, 4}, {SFM_KERNEL_MATERN32, 4}, {SFM_KERNEL_MATERN52, 6}};
  const size_t counts[] = {5, 20, 60};
  for (size_t i = 0; i < 3; i++) {
    double fifth[3], eigenvalues[60];
    for (size_t c = 0; c < 3; c++) {
      assert_true(nodes_of(counts[c], 2) == 128 << c);
      sfmi_basis_destroy(eigen_basis(eigenvalues, cases[i].family, 0.5, 0, 1, counts[c]));
      fifth[c] = eigenvalues[4];
    }
    assert_near("order", log2((fifth[0] - fifth[1]) / (fifth[1] - fifth[2])), cases[i].order, 0.1);
  }
}

/* More nodes change nothing for smooth kernels. */
static void smooth_kernels_have_converged(void **state) {
  (void)state;
  const sfm_kernel_family families[] = {SFM_KERNEL_GAUSSIAN, SFM_KERNEL_CAUCHY};
  const double bandwidths[] = {1, 0.2, 0.05, 1 / 128.0};
  for (size_t f = 0; f < 2; f++)
    for (size_t b = 0; b < 4; b++) {
      const size_t most = most_of(families[f], bandwidths[b], 0, 1);
      double all[256], few[256];
      sfmi_basis_destroy(eigen_basis(all, families[f], bandwidths[b], 0, 1, most));
      for (size_t count = 1; count < most; count = 2 * count + 3) {
        sfmi_basis_destroy(eigen_basis(few, families[f], bandwidths[b], 0, 1, count));
        /* At a bandwidth of 1/128 the nodes are at their limit. */
        const double tolerance = b < 3 ? 1e-12 : families[f] == SFM_KERNEL_GAUSSIAN ? 1e-10 : 1e-6;
        for (size_t k = 0; k < count; k++)
          if (all[k] > 1e-10 * all[0])
            assert_near("eigenvalue", few[k], all[k], tolerance * all[0]);
      }
    }
}

/* (A psi)(x) by a rule of its own, split at x. */
static double operator_at(const sfm_kernel *kernel, const sfmi_basis *basis, size_t k, double x) {
  enum { PIECES = 60 };
  double nodes[RULE], weights[RULE], sum = 0, *row = malloc(basis->count * sizeof *row);
  gauss_rule(nodes, weights);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < PIECES * RULE; i++) {
      const double from = side ? x : basis->lower[0], to = side ? basis->upper[0] : x;
      const double length = (to - from) / PIECES;
      const double y = from + length * ((double)(i / RULE) + (1 + nodes[i % RULE]) / 2);
      sfmi_basis_at(basis, row, &y, 1);
      sum += weights[i % RULE] * length / 2 * sfm_kernel_at(kernel, &x, &y) * row[k];
    }
  free(row);
  return sum;
}

static void eigenfunctions_solve_their_equation(void **state) {
  (void)state;
  enum { COUNT = 12 };
  const double bandwidth = 0.6, points[] = {-1, -0.31, 0.8, 1.9, 2};
  for (size_t f = 0; f < KERNELS; f++) {
    const sfm_kernel kernel = kernel_of(FAMILIES[f], &bandwidth);
    double eigenvalues[COUNT], row[COUNT];
    sfmi_basis *basis = eigen_basis(eigenvalues, FAMILIES[f], bandwidth, -1, 2, COUNT);
    for (size_t i = 0; i < 5; i++) {
      sfmi_basis_at(basis, row, points + i, 1);
      for (size_t k = 0; k < COUNT; k++)
        assert_near(sfm_kernel_family_name(FAMILIES[f]), operator_at(&kernel, basis, k, points[i]),
                    eigenvalues[k] * row[k], smooth(FAMILIES[f]) ? 1e-11 : 3e-5);
    }
    sfmi_basis_destroy(basis);
  }
}

static void eigenfunctions_are_orthonormal(void **state) {
  (void)state;
  const double bandwidths[] = {40, 4, 0.5};
  const size_t counts[] = {1, 7, 50};
  for (size_t f = 0; f < KERNELS; f++)
    for (size_t b = 0; b < 3; b++) {
      const size_t most = most_of(FAMILIES[f], bandwidths[b], -3, 17);
      const size_t count = counts[b] < most ? counts[b] : most;
      sfmi_basis *basis = eigen_basis(NULL, FAMILIES[f], bandwidths[b], -3, 17, count);
      check_orthonormal(basis, -3, 17, 400, 1e-10);
      for (size_t j = 0; j < count; j++)
        for (size_t k = 0; k < count; k++) {
          double inner = 0;
          for (size_t n = 0; n < basis->nodes; n++)
            inner += basis->table[j * basis->nodes + n] * basis->table[k * basis->nodes + n];
          assert_near("rows", inner, j == k, 1e-12);
        }
      assert_near("constant", basis->constant, 0, 0);
      sfmi_basis_destroy(basis);
    }
}

/* The largest |sum_k lambda_k psi_k(x) psi_k(y) - K(x, y)| on a grid. */
static double mercer_error(sfm_kernel_family family, double bandwidth, size_t count) {
  enum { GRID = 41 };
  const sfm_kernel kernel = kernel_of(family, &bandwidth);
  double eigenvalues[256], points[GRID], worst = 0, *rows = malloc(GRID * count * sizeof *rows);
  sfmi_basis *basis = eigen_basis(eigenvalues, family, bandwidth, 2, 5, count);
  for (size_t i = 0; i < GRID; i++) points[i] = 2 + 3 * (double)i / (GRID - 1);
  sfmi_basis_at(basis, rows, points, GRID);
  for (size_t i = 0; i < GRID; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = -sfm_kernel_at(&kernel, points + i, points + j);
      for (size_t k = 0; k < count; k++)
        sum += eigenvalues[k] * rows[i * count + k] * rows[j * count + k];
      worst = fmax(worst, fabs(sum));
    }
  free(rows);
  sfmi_basis_destroy(basis);
  return worst;
}

static void eigenfunctions_sum_up_to_the_kernel(void **state) {
  (void)state;
  for (size_t f = 0; f < KERNELS; f++) {
    const sfm_kernel_family family = FAMILIES[f];
    if (smooth(family)) {
      assert_near("all of it", mercer_error(family, 0.3, most_of(family, 0.3, 2, 5)), 0, 1e-11);
      assert_true(mercer_error(family, 0.3, 10) > 1e-2);
    } else {
      /* What is left out falls as count^-1, -3 and -5. */
      const double order = family == SFM_KERNEL_MATERN52   ? 5
                           : family == SFM_KERNEL_MATERN32 ? 3
                                                           : 1;
      const double few = mercer_error(family, 1.5, 16), more = mercer_error(family, 1.5, 64);
      assert_near("order", log(few / more) / log(4), order, 0.25);
    }
  }
}

/* The sum of all eigenvalues is the integral of K(x, x), the width. */
static void eigenvalues_sum_up_to_the_width(void **state) {
  (void)state;
  double eigenvalues[256], sum = 0;
  const size_t most = most_of(SFM_KERNEL_GAUSSIAN, 0.7, -4, 9);
  sfmi_basis_destroy(eigen_basis(eigenvalues, SFM_KERNEL_GAUSSIAN, 0.7, -4, 9, most));
  for (size_t k = 0; k < most; k++) {
    assert_true(k == 0 || eigenvalues[k] < eigenvalues[k - 1]);
    sum += eigenvalues[k];
  }
  assert_relative("width", sum, 13, 1e-12);
}

/* In another unit, eigenvalues are in that unit and functions in its -1/2. */
static void units_do_not_matter(void **state) {
  (void)state;
  enum { COUNT = 9 };
  for (size_t f = 0; f < KERNELS; f++) {
    double one[COUNT], other[COUNT], row[COUNT], scaled[COUNT];
    sfmi_basis *basis = eigen_basis(one, FAMILIES[f], 0.2, 0, 1, COUNT),
               *large = eigen_basis(other, FAMILIES[f], 512, -1024, 1536, COUNT);
    for (size_t i = 0; i <= 20; i++) {
      const double u = (double)i / 20, x = -1024 + 2560 * u;
      sfmi_basis_at(basis, row, &u, 1);
      sfmi_basis_at(large, scaled, &x, 1);
      for (size_t k = 0; k < COUNT; k++) {
        assert_near("function", scaled[k] * sqrt(2560), row[k], 1e-10);
        assert_relative("eigenvalue", other[k], 2560 * one[k], 1e-10);
      }
    }
    sfmi_basis_destroy(basis);
    sfmi_basis_destroy(large);
  }
}

/* Positive at the upper end, and by turns even and odd. */
static void signs_are_as_stated(void **state) {
  (void)state;
  enum { COUNT = 16 };
  const double bandwidths[] = {0.2, 1 / 128.0};
  for (size_t f = 0; f < KERNELS; f++)
    for (size_t b = 0; b < 2; b++) {
      const double points[4] = {0, 1, 0.3, 0.7};
      double rows[4][COUNT];
      sfmi_basis *basis = eigen_basis(NULL, FAMILIES[f], bandwidths[b], 0, 1, COUNT);
      sfmi_basis_at(basis, rows[0], points, 4);
      for (size_t k = 0; k < COUNT; k++) {
        assert_true(rows[1][k] > 0.01);
        assert_near("ends", rows[0][k], k % 2 ? -rows[1][k] : rows[1][k], 1e-12);
        assert_near("halves", rows[2][k], k % 2 ? -rows[3][k] : rows[3][k], 1e-12);
      }
      sfmi_basis_destroy(basis);
    }
}

static void rows_depend_on_their_point_alone(void **state) {
  (void)state;
  for (size_t count = 1; count <= 20; count++) {
    sfmi_basis *basis = eigen_basis(NULL, FAMILIES[count % KERNELS], 0.2, -1.7, 2.9, count);
    check_rows_alone(basis, count);
    sfmi_basis_destroy(basis);
  }
}

static void what_cannot_be_computed_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfmi_basis stated;
  double bandwidth = 0.5;
  const sfm_kernel gaussian = kernel_of(SFM_KERNEL_GAUSSIAN, &bandwidth),
                   rough = kernel_of(SFM_KERNEL_MATERN12, &bandwidth);
  const size_t most = most_of(SFM_KERNEL_GAUSSIAN, bandwidth, 0, 1);
  assert_in_range(most, 9, 11);
  const size_t counts[] = {0, most + 2, 100, 300, SIZE_MAX};
  for (size_t i = 0; i < 5; i++) {
    char wanted[100];
    snprintf(wanted, sizeof wanted, "not %zu; write at most %zu terms or a smaller bandwidth",
             counts[i], most);
    assert_int_equal(sfmi_eigen_stated(&stated, NULL, &gaussian, 0, 1, counts[i], &error),
                     SFM_INVALID);
    assert_null(stated.table);
    if (!strstr(error.message, wanted)) fail_msg("%s", error.message);
  }
  assert_non_null(strstr(error.message, "a gaussian kernel of bandwidth 0.5 has"));
  assert_int_equal(sfmi_eigen_stated(&stated, NULL, &rough, 0, 1, 129, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "write at most 128 terms"));
  bandwidth = 1 / 129.0;
  assert_int_equal(sfmi_eigen_stated(&stated, NULL, &rough, 0, 1, 3, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "at least 1/128 of the width, 0.0078125, not"));
  assert_int_equal(sfmi_eigen_stated(&stated, NULL, &rough, 1, 1, 3, &error), SFM_INVALID);
}

/* As many as sfmi_eigen_most says can be had. */
static void the_most_can_be_had(void **state) {
  (void)state;
  const double bandwidths[] = {1e6, 3, 0.37, 0.01};
  for (size_t f = 0; f < KERNELS; f++)
    for (size_t b = 0; b < 4; b++)
      sfmi_basis_destroy(eigen_basis(NULL, FAMILIES[f], bandwidths[b], 0, 1,
                                     most_of(FAMILIES[f], bandwidths[b], 0, 1)));
}

static sfmi_basis stated_table(size_t count, size_t nodes) {
  sfmi_basis stated = stated_of(SFMI_EIGEN, count, 0, 1);
  stated.kernel = SFM_KERNEL_MATERN32;
  stated.bandwidth[0] = 0.3;
  stated.nodes = nodes;
  stated.table = calloc(count * nodes, sizeof *stated.table);
  for (size_t j = 0; j < count && j < nodes; j++) stated.table[j * nodes + j] = 1;
  return stated;
}

/* Rows that are Legendre's polynomials themselves are a basis, too. */
static void tables_are_legendre_series(void **state) {
  (void)state;
  enum { COUNT = 6 };
  const sfmi_basis stated = stated_table(COUNT, 9);
  sfmi_basis *eigen = basis_of(&stated), *legendre = basis_stated(SFMI_LEGENDRE, COUNT - 1, 0, 1);
  for (size_t i = 0; i <= 10; i++) {
    double got[COUNT], wanted[COUNT - 1];
    const double x = (double)i / 10;
    sfmi_basis_at(eigen, got, &x, 1);
    sfmi_basis_at(legendre, wanted, &x, 1);
    assert_near("constant", got[0], 1, 0);
    assert_memory_equal(got + 1, wanted, sizeof wanted);
  }
  sfmi_basis_destroy(eigen);
  sfmi_basis_destroy(legendre);
}

static void malformed_tables_are_refused(void **state) {
  (void)state;
  sfmi_basis bad = stated_table(6, 5);
  refused(&bad, "a table of 6 functions needs as many nodes");
  bad = stated_table(6, 513);
  refused(&bad, "at most 512 nodes, not 513");
  const double wrong[] = {NAN, INFINITY, 1e200, 1.01, 1 + 1e-8, -1e-3};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    bad = stated_table(6, 9);
    bad.table[2 * 9 + 2] = wrong[i];
    refused(&bad, isfinite(wrong[i]) ? "rows are orthonormal to 1e-09" : "finite numbers");
  }
  bad = stated_table(6, 9);
  bad.table[2 * 9 + 3] = 1e-8;
  refused(&bad, "rows are orthonormal");
  bad = stated_table(6, 9);
  bad.kernel = SFM_KERNEL_LINEAR;
  refused(&bad,
          "a basis of a kernel needs a stationary one: gaussian, laplacian, matern or cauchy");
  bad = stated_table(6, 9);
  bad.bandwidth[0] = 0;
  refused(&bad, "positive bandwidth");
  bad = stated_of(SFMI_EIGEN, 3, 0, 1);
  bad.bandwidth[0] = 1;
  bad.nodes = 9;
  refused(&bad, "a table of 3 functions");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exponential_eigenvalues_are_known),
      cmocka_unit_test(laplacian_is_matern12),
      cmocka_unit_test(errors_fall_as_stated),
      cmocka_unit_test(smooth_kernels_have_converged),
      cmocka_unit_test(eigenfunctions_solve_their_equation),
      cmocka_unit_test(eigenfunctions_are_orthonormal),
      cmocka_unit_test(eigenfunctions_sum_up_to_the_kernel),
      cmocka_unit_test(eigenvalues_sum_up_to_the_width),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(signs_are_as_stated),
      cmocka_unit_test(rows_depend_on_their_point_alone),
      cmocka_unit_test(what_cannot_be_computed_is_refused),
      cmocka_unit_test(the_most_can_be_had),
      cmocka_unit_test(tables_are_legendre_series),
      cmocka_unit_test(malformed_tables_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
