/* test_random_basis.c - random features: frequencies are what the seed says, orthogonal in blocks
 * and of the kernel's spectral law; functions are of norm one. */
/* suite: both */
#include "test_support.h"

#include "features/bases/random_basis.h"
#include "features/kernels/kernel.h"

#define KERNELS (SFM_KERNEL_CAUCHY + 1)

static const double TURN = 6.283185307179586;

/* The box -2:2 with bandwidth 1 in every dimension. */
static sfmi_basis stated(sfm_kernel_family kernel, size_t dimension, size_t count, uint64_t seed) {
  sfmi_basis basis = {.family = SFMI_RANDOM,
                      .dimension = dimension,
                      .count = count,
                      .kernel = kernel,
                      .seed = seed};
  for (size_t a = 0; a < dimension; a++) {
    basis.lower[a] = -2;
    basis.upper[a] = 2;
    basis.bandwidth[a] = 1;
  }
  return basis;
}

static sfmi_basis *completed(const sfmi_basis *from) {
  sfm_error error;
  sfmi_basis *basis;
  assert_ok(sfmi_basis_create(&basis, from, &error), &error);
  return basis;
}

static sfmi_basis *made(sfm_kernel_family kernel, size_t dimension, size_t count, uint64_t seed) {
  const sfmi_basis from = stated(kernel, dimension, count, seed);
  return completed(&from);
}

static double inner(const sfmi_basis *basis, size_t i, size_t j) {
  double sum = 0;
  for (size_t a = 0; a < basis->dimension; a++)
    sum += sfmi_random_basis_turn(basis, i, a) * sfmi_random_basis_turn(basis, j, a);
  return sum;
}

/* tests/vectors/frequencies.csv comes from frequencies.py, which is written from the description
 * and orthogonalises in 50 digits: files would mean something else if this changed. */
static void frequencies_are_those_of_the_seed(void **state) {
  (void)state;
  FILE *file = fopen(SFM_SOURCE_DIR "/tests/vectors/frequencies.csv", "r");
  char line[256], name[32], last[96] = "";
  size_t d, i, a, lines = 0;
  unsigned long long seed;
  double turns;
  sfmi_basis *basis = NULL;
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  for (; fgets(line, sizeof line, file); lines++) {
    char key[96];
    assert_int_equal(sscanf(line, "%31[^,],%zu,%llu,%zu,%zu,%lf", name, &d, &seed, &i, &a, &turns),
                     6);
    snprintf(key, sizeof key, "%s %zu", name, d);
    sfm_kernel_family kernel = 0;
    while (strcmp(sfm_kernel_family_name(kernel), name) != 0) kernel++;
    if (strcmp(key, last) != 0) {
      sfmi_basis_destroy(basis);
      basis = made(kernel, d, 14, seed);
      snprintf(last, sizeof last, "%s", key);
    }
    assert_near(line, sfmi_random_basis_turn(basis, i, a), turns, 1e-11 * (1 + fabs(turns)));
  }
  assert_int_equal(lines, KERNELS * 7 * (1 + 3 + 6));
  sfmi_basis_destroy(basis);
  fclose(file);
}

static void blocks_are_orthogonal(void **state) {
  (void)state;
  static const size_t dimensions[] = {1, 2, 5, 20, 64};
  for (sfm_kernel_family kernel = 0; kernel < KERNELS; kernel++)
    for (size_t k = 0; k < 5; k++) {
      const size_t d = dimensions[k], count = 3 * d + d / 2 + 1; /* the last block is cut */
      sfmi_basis *basis = made(kernel, d, 2 * count, 40 + k);
      const size_t block = sfmi_random_basis_block(basis);
      const bool product = kernel == SFM_KERNEL_LAPLACIAN || kernel == SFM_KERNEL_CAUCHY;
      assert_int_equal(block, product ? 1 : d);
      double least = INFINITY;
      for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
          const double angle = inner(basis, i, j) / sqrt(inner(basis, i, i) * inner(basis, j, j));
          if (i / block == j / block) assert_near("angle", angle, 0, 1e-13);
          if (i / block != j / block) least = fmin(least, fabs(angle));
        }
      if (d > 1) assert_true(least > 1e-9); /* and nothing else is */
      sfmi_basis_destroy(basis);
    }
}

/* Whether the mean of cos<omega, z> over the frequencies is K(z), z in bandwidths, at significance
 * 1e-6; blocks are what is independent. */
static bool is_mean(const sfmi_basis *basis, const double *z, double wanted) {
  const size_t block = sfmi_random_basis_block(basis),
               blocks = sfmi_random_basis_frequencies(basis) / block;
  double sum = 0, squares = 0;
  for (size_t b = 0; b < blocks; b++) {
    double part = 0;
    for (size_t i = b * block; i < (b + 1) * block; i++) {
      double t = 0;
      for (size_t a = 0; a < basis->dimension; a++) t += sfmi_random_basis_turn(basis, i, a) * z[a];
      part += cos(TURN * t) / (double)block;
    }
    sum += part;
    squares += part * part;
  }
  const double n = (double)blocks, mean = sum / n;
  return fabs(mean - wanted) <= TEST_Z * sqrt((squares / n - mean * mean) / n);
}

static void frequencies_are_of_the_spectral_law(void **state) {
  (void)state;
  static const size_t dimensions[] = {1, 5, 20};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (sfm_kernel_family kernel = 0; kernel < KERNELS; kernel++)
    for (size_t k = 0; k < 3; k++) {
      const size_t d = dimensions[k];
      sfmi_basis *basis = made(kernel, d, 40000, 50 + k);
      const sfm_kernel exact = {.family = kernel, .dimension = d, .bandwidth = basis->bandwidth};
      int caught = 0;
      for (int place = 0; place < 4; place++) {
        double z[20], wider[20], zero[20] = {0};
        for (size_t a = 0; a < d; a++) {
          z[a] = sfmi_prng_normal(&prng) /
                 (kernel == SFM_KERNEL_LAPLACIAN ? (double)d : sqrt((double)d));
          wider[a] = 1.3 * z[a];
        }
        assert_true(is_mean(basis, z, sfm_kernel_at(&exact, z, zero)));
        caught += !is_mean(basis, z, sfm_kernel_at(&exact, wider, zero));
      }
      assert_true(caught > 0); /* the test can tell a bandwidth that is wrong */
      sfmi_basis_destroy(basis);
    }
}

static void functions_are_of_norm_one(void **state) {
  (void)state;
  enum { COUNT = 206, POINTS = 20 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 4);
  for (sfm_kernel_family kernel = 0; kernel < KERNELS; kernel++) {
    sfmi_basis *basis = made(kernel, 7, COUNT, 60);
    double points[POINTS * 7], values[POINTS * COUNT];
    for (size_t i = 0; i < POINTS * 7; i++) points[i] = 4 * sfmi_prng_uniform(&prng) - 2;
    sfmi_basis_at(basis, values, points, POINTS);
    for (size_t p = 0; p < POINTS; p++) {
      double norm = 0;
      for (size_t j = 0; j < COUNT; j++) norm += values[p * COUNT + j] * values[p * COUNT + j];
      assert_near("norm", norm, 1, 1e-13);
    }
    sfmi_basis_destroy(basis);
  }
}

/* The unit of a column and where it is measured from play no part. */
static void functions_do_not_feel_the_unit(void **state) {
  (void)state;
  sfmi_basis here = stated(SFM_KERNEL_GAUSSIAN, 2, 100, 7), there = here;
  const double unit[] = {0x1p-40, 0x1p20}, offset[] = {0x1p-20, -0x1p40};
  for (size_t a = 0; a < 2; a++) {
    there.lower[a] = offset[a] + unit[a] * here.lower[a];
    there.upper[a] = offset[a] + unit[a] * here.upper[a];
    there.bandwidth[a] = unit[a];
  }
  sfmi_basis *one = completed(&here), *two = completed(&there);
  const double x[] = {0.625, -1.75};
  const double y[] = {offset[0] + unit[0] * x[0], offset[1] + unit[1] * x[1]};
  double at_x[100], at_y[100];
  sfmi_basis_at(one, at_x, x, 1);
  sfmi_basis_at(two, at_y, y, 1);
  assert_memory_equal(at_x, at_y, sizeof at_x);
  sfmi_basis_destroy(one);
  sfmi_basis_destroy(two);
}

/* In a domain of 1e12 bandwidths, where Cauchy variables reach far. */
static void no_frequency_reaches_too_far(void **state) {
  (void)state;
  sfmi_basis from = stated(SFM_KERNEL_LAPLACIAN, 30, 20000, 8);
  for (size_t a = 0; a < 30; a++) from.bandwidth[a] = 4e-12;
  sfmi_basis *basis = completed(&from);
  double longest = 0;
  for (size_t i = 0; i < 10000; i++) longest = fmax(longest, sfmi_random_basis_reach(basis, i));
  assert_true(longest <= SFMI_TURNS_MAX * (1 + 1e-15));
  assert_true(longest >= SFMI_TURNS_MAX * (1 - 1e-15)); /* some had to be shortened */
  sfmi_basis_destroy(basis);
}

static void what_is_wrong_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfmi_basis *basis, odd = stated(SFM_KERNEL_GAUSSIAN, 2, 7, 1),
                     far = stated(SFM_KERNEL_GAUSSIAN, 2, 8, SFMI_FREQUENCY_SEEDS);
  assert_int_equal(sfmi_basis_create(&basis, &odd, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "even number, not 7"));
  assert_int_equal(sfmi_basis_create(&basis, &far, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "below 2^53"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frequencies_are_those_of_the_seed),
      cmocka_unit_test(blocks_are_orthogonal),
      cmocka_unit_test(frequencies_are_of_the_spectral_law),
      cmocka_unit_test(functions_are_of_norm_one),
      cmocka_unit_test(functions_do_not_feel_the_unit),
      cmocka_unit_test(no_frequency_reaches_too_far),
      cmocka_unit_test(what_is_wrong_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
