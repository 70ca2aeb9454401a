/* test_linear.c - the faces to BLAS and LAPACK against plain loops. */
#include "trial.h"

#include "base/linear.h"

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
  sfmi_contract(out, array, factors, TERMS, COLUMNS, POINTS);
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
  trial_ok(sfmi_cholesky(L, N, "S", &error), &error);
  double vector[N], product[N];
  for (size_t i = 0; i < N; i++) vector[i] = product[i] = sfmi_prng_normal(&prng);
  sfmi_lower_multiply(L, N, product);
  for (size_t i = 0; i < N; i++) {
    double expected = 0;
    for (size_t j = 0; j < N; j++) {
      double sum = 0;
      for (size_t k = 0; k < N; k++) sum += L[i * N + k] * L[j * N + k];
      trial_near("L L' = S", sum, S[i * N + j], 1e-12);
      if (j > i) assert_true(L[i * N + j] == 0);
      expected += L[i * N + j] * vector[j];
    }
    trial_near("L v", product[i], expected, 1e-13);
  }
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
  assert_int_not_equal(sfmi_cholesky(nan, 2, "S", &error), SFM_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contract_is_the_plain_loop),
      cmocka_unit_test(cholesky_multiplies_back),
      cmocka_unit_test(cholesky_refuses_what_is_not_positive_definite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
