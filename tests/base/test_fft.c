/* test_fft.c - sizes, and transforms against the sum that defines them. */
/* suite: both */
#include "test_support.h"

#include "base/math/fft.h"

static bool only_primes(size_t n, const size_t *primes, size_t count) {
  for (size_t i = 0; i < count; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n == 1;
}

static void sizes_are_the_least_that_are_smooth(void **state) {
  (void)state;
  const size_t even[] = {2, 3, 5, 7}, odd[] = {3, 5, 7, 11, 13};
  for (size_t least = 1; least < 3000; least++) {
    size_t n = sfmi_fft_size(least), m = sfmi_fft_odd_size(least);
    assert_true(n >= least && only_primes(n, even, 4));
    assert_true(m >= least && m % 2 == 1 && only_primes(m, odd, 5));
    for (size_t k = least; k < n; k++) assert_false(only_primes(k, even, 4));
    for (size_t k = least; k < m; k++) assert_false(only_primes(k, odd, 5));
  }
  assert_int_equal(sfmi_fft_size(0), 1);
}

/* Two axes, so that their order is checked too. */
static void forward_is_the_sum_and_backward_undoes_it(void **state) {
  (void)state;
  enum { A = 5, B = 12 };
  const size_t shape[] = {A, B};
  sfm_error error;
  sfmi_fft *fft;
  assert_ok(sfmi_fft_create(&fft, shape, 2, &error), &error);
  double complex *data = sfmi_fft_data(fft), x[A * B];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (size_t i = 0; i < A * B; i++) {
    assert_true(data[i] == 0);
    data[i] = x[i] = sfmi_prng_normal(&prng) + I * sfmi_prng_normal(&prng);
  }
  sfmi_fft_forward(fft);
  for (size_t j = 0; j < A; j++)
    for (size_t k = 0; k < B; k++) {
      double complex sum = 0;
      for (size_t a = 0; a < A; a++)
        for (size_t b = 0; b < B; b++)
          sum += x[a * B + b] * cexp(-2 * M_PI * I * ((double)(j * a) / A + (double)(k * b) / B));
      assert_true(cabs(sum - data[j * B + k]) < 1e-12);
    }
  sfmi_fft_backward(fft);
  for (size_t i = 0; i < A * B; i++) assert_true(cabs(data[i] / (A * B) - x[i]) < 1e-14);
  sfmi_fft_destroy(fft);
  sfmi_fft_destroy(NULL);
}

/* What src/privacy/mgf_inversion.c counts on: sixteen units in the 2-norm for every doubling. */
static void rounding_stays_below_what_is_claimed(void **state) {
  (void)state;
  const size_t sizes[] = {2, 7, 64, 210, 1024, 2401, 3000};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 4);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const size_t n = sizes[k];
    sfm_error error;
    sfmi_fft *fft;
    assert_ok(sfmi_fft_create(&fft, &n, 1, &error), &error);
    double complex *data = sfmi_fft_data(fft), *x = malloc(n * sizeof *x);
    long double complex *turn = malloc(n * sizeof *turn);
    assert_true(x && turn);
    for (size_t i = 0; i < n; i++) {
      /* Sizes that differ widely, as those of nodes do. */
      const double size = exp(-20 * sfmi_prng_uniform(&prng));
      data[i] = x[i] = size * (sfmi_prng_normal(&prng) + I * sfmi_prng_normal(&prng));
      const long double angle = -2 * acosl(-1) * (long double)i / (long double)n;
      turn[i] = cosl(angle) + I * sinl(angle);
    }
    sfmi_fft_forward(fft);
    long double off = 0, size = 0;
    for (size_t j = 0; j < n; j++) {
      long double complex sum = 0;
      for (size_t i = 0; i < n; i++) sum += x[i] * turn[i * j % n];
      off += cabsl(sum - data[j]) * cabsl(sum - data[j]);
      size += cabsl(sum) * cabsl(sum);
    }
    assert_true(sqrtl(off / size) <= 16 * 0x1p-53L * (1 + log2l((long double)n)));
    free(turn);
    free(x);
    sfmi_fft_destroy(fft);
  }
}

/* The i-th index of a shape, axis by axis. */
static void index_of(size_t *index, size_t i, const size_t *shape, size_t dimension) {
  for (size_t a = dimension; a-- > 0; i /= shape[a]) index[a] = i % shape[a];
}

/* Where the i-th number of a shape lies when rows are `stride` apart. */
static size_t padded(size_t i, const size_t *shape, size_t dimension, size_t stride) {
  return i / shape[dimension - 1] * stride + i % shape[dimension - 1];
}

/* Odd and even, one to three axes; src/fields/circulant_engine.c counts on the same bound. */
static void real_transforms_are_the_sum_to_what_is_claimed(void **state) {
  (void)state;
  const size_t shapes[][3] = {{1},    {2},    {3},    {40},      {81},
                              {1, 6}, {5, 7}, {8, 3}, {2, 3, 4}, {3, 5, 9}};
  const size_t axes[] = {1, 1, 1, 1, 1, 2, 2, 2, 3, 3};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (size_t s = 0; s < sizeof axes / sizeof *axes; s++) {
    const size_t d = axes[s], last = shapes[s][d - 1], stride = sfmi_real_fft_stride(last);
    size_t total = 1, j[3], k[3];
    for (size_t a = 0; a < d; a++) total *= shapes[s][a];
    sfm_error error;
    sfmi_real_fft *fft;
    assert_ok(sfmi_real_fft_create(&fft, shapes[s], d, &error), &error);
    double *data = sfmi_real_fft_data(fft), x[512];
    for (size_t i = 0; i < total; i++) {
      assert_true(data[padded(i, shapes[s], d, stride)] == 0);
      x[i] = exp(-20 * sfmi_prng_uniform(&prng)) * sfmi_prng_normal(&prng);
      data[padded(i, shapes[s], d, stride)] = x[i];
    }
    sfmi_real_fft_forward(fft);
    long double off = 0, size = 0;
    for (size_t f = 0; f < total; f++) {
      index_of(k, f, shapes[s], d);
      if (k[d - 1] > last / 2) continue;
      long double complex sum = 0;
      for (size_t i = 0; i < total; i++) {
        long double turns = 0;
        index_of(j, i, shapes[s], d);
        for (size_t a = 0; a < d; a++)
          turns += (long double)(j[a] * k[a] % shapes[s][a]) / (long double)shapes[s][a];
        sum += x[i] * (cosl(2 * acosl(-1) * turns) - I * sinl(2 * acosl(-1) * turns));
      }
      const long double complex got =
          sfmi_real_fft_spectrum(fft)[padded(f, shapes[s], d, stride / 2)];
      off += cabsl(sum - got) * cabsl(sum - got);
      size += cabsl(sum) * cabsl(sum);
    }
    assert_true(sqrtl(off / size) <= 16 * 0x1p-53L * (1 + log2l((long double)total)));
    sfmi_real_fft_destroy(fft);
  }
  sfmi_real_fft_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_the_least_that_are_smooth),
      cmocka_unit_test(forward_is_the_sum_and_backward_undoes_it),
      cmocka_unit_test(rounding_stays_below_what_is_claimed),
      cmocka_unit_test(real_transforms_are_the_sum_to_what_is_claimed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
