/* test_linear_algebra.c - the wrappers of BLAS and LAPACK against plain loops. */
/* suite: both */
#include "test_support.h"

#include "base/math/linear_algebra.h"

static void contract_is_the_plain_loop(void **state) {
  (void)state;
  enum { TERMS = 7, COLUMNS = 5, POINTS = 3 };
  double complex array[TERMS * COLUMNS], factors[POINTS * TERMS], out[COLUMNS * POINTS];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  for (size_t i = 0; i < TERMS * COLUMNS; i++)
    array[i] = sfmi_prng_normal(&prng) + I * sfmi_prng_normal(&prng);
  for (size_t i = 0; i < POINTS * TERMS; i++)
    factors[i] = sfmi_prng_normal(&prng) + I * sfmi_prng_normal(&prng);
  sfmi_tensor_contract(out, array, factors, TERMS, COLUMNS, POINTS);
  for (size_t c = 0; c < COLUMNS; c++)
    for (size_t p = 0; p < POINTS; p++) {
      double complex sum = 0;
      for (size_t t = 0; t < TERMS; t++) sum += array[t * COLUMNS + c] * factors[p * TERMS + t];
      assert_true(cabs(sum - out[c * POINTS + p]) < 1e-13);
    }
}

static void cholesky_multiplies_back(void **state) {
  (void)state;
  enum { N = 6 };
  double root[N * N], S[N * N], L[N * N];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (size_t i = 0; i < N * N; i++) root[i] = sfmi_prng_normal(&prng);
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j < N; j++) {
      S[i * N + j] = i == j;
      for (size_t k = 0; k < N; k++) S[i * N + j] += root[i * N + k] * root[j * N + k];
    }
  memcpy(L, S, sizeof L);
  sfm_error error;
  assert_ok(sfmi_cholesky(L, N, "S", &error), &error);
  double vector[N], product[N];
  for (size_t i = 0; i < N; i++) vector[i] = product[i] = sfmi_prng_normal(&prng);
  sfmi_lower_multiply(L, N, product);
  for (size_t i = 0; i < N; i++) {
    double expected = 0;
    for (size_t j = 0; j < N; j++) {
      double sum = 0;
      for (size_t k = 0; k < N; k++) sum += L[i * N + k] * L[j * N + k];
      assert_near("L L' = S", sum, S[i * N + j], 1e-12);
      if (j > i) assert_true(L[i * N + j] == 0);
      expected += L[i * N + j] * vector[j];
    }
    assert_near("L v", product[i], expected, 1e-13);
  }
}

/* A random symmetric matrix, positive definite. */
static void positive(double *S, size_t n, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  double root[64];
  for (size_t i = 0; i < n * n; i++) root[i] = sfmi_prng_normal(&prng);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      S[i * n + j] = i == j;
      for (size_t k = 0; k < n; k++) S[i * n + j] += root[i * n + k] * root[j * n + k];
    }
}

static void a_positive_system_is_solved(void **state) {
  (void)state;
  enum { N = 6, COLUMNS = 3 };
  double S[N * N], copy[N * N], x[N * COLUMNS], wanted[N * COLUMNS];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  positive(S, N, 6);
  memcpy(copy, S, sizeof copy);
  for (size_t i = 0; i < N * COLUMNS; i++) wanted[i] = sfmi_prng_normal(&prng);
  for (size_t i = 0; i < N; i++)
    for (size_t c = 0; c < COLUMNS; c++) {
      x[i * COLUMNS + c] = 0;
      for (size_t k = 0; k < N; k++) x[i * COLUMNS + c] += S[i * N + k] * wanted[k * COLUMNS + c];
    }
  assert_true(sfmi_positive_solve(copy, x, N, COLUMNS));
  for (size_t i = 0; i < N * COLUMNS; i++) assert_near("S^-1", x[i], wanted[i], 1e-11);
  double indefinite[] = {1, 2, 2, 1};
  assert_false(sfmi_positive_solve(indefinite, x, 2, 1));
}

static void cholesky_refuses_what_is_not_positive_definite(void **state) {
  (void)state;
  sfm_error error;
  double indefinite[] = {1, 2, 2, 1}, singular[] = {1, 1, 1, 1}, negative[] = {-1};
  double nan[] = {1, 0, 0, NAN};
  assert_int_equal(sfmi_cholesky(indefinite, 2, "the matrix", &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "the matrix is not positive definite"));
  assert_int_equal(sfmi_cholesky(singular, 2, "S", &error), SFM_INVALID);
  assert_int_equal(sfmi_cholesky(negative, 1, "S", &error), SFM_INVALID);
  assert_int_equal(sfmi_cholesky(nan, 2, "S", &error), SFM_INVALID);
  assert_string_equal(error.message, "S has an entry that is not finite");
  double infinite[] = {INFINITY, 0, 0, 1}, values[2];
  assert_int_equal(sfmi_cholesky(infinite, 2, "S", &error), SFM_INVALID);
  assert_int_equal(sfmi_symmetric_eigen(infinite, values, 2, &error), SFM_INTERNAL);
  assert_int_equal(sfmi_symmetric_eigen(infinite, values, 40000, &error), SFM_INTERNAL);
  assert_ok(sfmi_cholesky(infinite, 0, "S", &error), &error);
  assert_ok(sfmi_symmetric_eigen(infinite, values, 0, &error), &error);
  assert_true(sfmi_positive_solve(infinite, values, 0, 0));
}

static void the_lower_triangle_is_factored_alone(void **state) {
  (void)state;
  double S[] = {4, NAN, NAN, 2, 5, NAN, 6, 7, 30}, L[] = {2, 1, 2, 3, 2, sqrt(17)};
  assert_int_equal(sfmi_cholesky_lower(S, 3), 0);
  for (size_t i = 0, k = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++)
      if (j <= i)
        assert_near("L", S[i * 3 + j], L[k++], 1e-15);
      else
        assert_true(isnan(S[i * 3 + j]));
  double bad[] = {4, 0, 0, 2, 5, 0, 6, 7, 12};
  assert_int_equal(sfmi_cholesky_lower(bad, 3), 3);
}

static void eigenvectors_multiply_back(void **state) {
  (void)state;
  enum { N = 9 };
  double S[N * N], V[N * N], values[N];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j <= i; j++) S[i * N + j] = S[j * N + i] = sfmi_prng_normal(&prng);
  memcpy(V, S, sizeof V);
  sfm_error error;
  assert_ok(sfmi_symmetric_eigen(V, values, N, &error), &error);
  for (size_t k = 0; k < N; k++) {
    assert_true(k == 0 || values[k] >= values[k - 1]);
    for (size_t i = 0; i < N; i++) {
      double product = 0, inner = 0;
      for (size_t j = 0; j < N; j++) {
        product += S[i * N + j] * V[k * N + j];
        inner += V[k * N + j] * V[i * N + j];
      }
      assert_near("S v", product, values[k] * V[k * N + i], 1e-13);
      assert_near("v v'", inner, i == k, 1e-14);
    }
  }
  double nan[] = {1, NAN, NAN, 1};
  assert_int_equal(sfmi_symmetric_eigen(nan, values, 2, &error), SFM_INTERNAL);
  assert_non_null(strstr(error.message, "2 x 2"));
}

/* One row goes by another way than several. */
static void blocks_are_the_plain_loops(void **state) {
  (void)state;
  enum { ROWS = 3, COLUMNS = 4, TERMS = 5, STRIDE = 7 };
  double a[ROWS * STRIDE], b[STRIDE * STRIDE], out[ROWS * STRIDE], before[ROWS * STRIDE];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (size_t i = 0; i < ROWS * STRIDE; i++) {
    a[i] = sfmi_prng_normal(&prng);
    before[i] = sfmi_prng_normal(&prng);
  }
  for (size_t i = 0; i < STRIDE * STRIDE; i++)
    b[i] = sfmi_prng_normal(&prng) + (i % (STRIDE + 1) ? 0 : 4);
  for (size_t rows = 1; rows <= ROWS; rows += 2) {
    memcpy(out, before, sizeof out);
    sfmi_block_subtract((sfmi_block){out, STRIDE}, (sfmi_block){a, STRIDE}, (sfmi_block){b, STRIDE},
                        rows, COLUMNS, TERMS);
    for (size_t i = 0; i < ROWS; i++)
      for (size_t j = 0; j < STRIDE; j++) {
        double sum = before[i * STRIDE + j];
        for (size_t k = 0; k < TERMS && i < rows && j < COLUMNS; k++)
          sum -= a[i * STRIDE + k] * b[j * STRIDE + k];
        assert_near("out - a b'", out[i * STRIDE + j], sum, 1e-13);
      }
    memcpy(out, before, sizeof out);
    sfmi_block_solve((sfmi_block){out, STRIDE}, (sfmi_block){b, STRIDE}, rows, COLUMNS);
    for (size_t i = 0; i < ROWS; i++)
      for (size_t j = 0; j < STRIDE; j++) {
        double sum = i < rows && j < COLUMNS ? 0 : out[i * STRIDE + j];
        for (size_t k = 0; k <= j && i < rows && j < COLUMNS; k++)
          sum += b[j * STRIDE + k] * out[i * STRIDE + k];
        assert_near("L x", sum, before[i * STRIDE + j], 1e-12);
      }
  }
  sfmi_matrix_multiply(out, a, b, 2, 3, 4);
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < 4; j++) {
      double sum = 0;
      for (size_t k = 0; k < 3; k++) sum += a[i * 3 + k] * b[k * 4 + j];
      assert_near("a b", out[i * 4 + j], sum, 1e-13);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contract_is_the_plain_loop),
      cmocka_unit_test(cholesky_multiplies_back),
      cmocka_unit_test(a_positive_system_is_solved),
      cmocka_unit_test(cholesky_refuses_what_is_not_positive_definite),
      cmocka_unit_test(the_lower_triangle_is_factored_alone),
      cmocka_unit_test(eigenvectors_multiply_back),
      cmocka_unit_test(blocks_are_the_plain_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
