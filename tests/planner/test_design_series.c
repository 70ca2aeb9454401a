/* test_design_series.c - the terms of a series, chosen before rows are opened: by the least
 * predicted error, and predictions come true on rows that follow the reference shape. */
/* suite: release */
#include "mechanisms/core/vector_noise.h"
#include "mechanisms/functions/series_release.h"
#include "privacy/calibration.h"
#include "series_fixture.h"

static sfm_series_choice plan_of(const series_fixture *t, uint64_t rows) {
  sfm_series_choice plan;
  sfm_error error;
  assert_ok(sfm_series_choose(&plan, &t->settings, rows, &error), &error);
  assert_true(plan.privacy > 0 && plan.sampling > 0 && plan.truncation >= 0);
  assert_relative("total", plan.total, plan.privacy + plan.sampling + plan.truncation, 1e-12);
  /* The variance of Laplace's law is twice its squared scale, and Gamma noise has D (D + 1) of it
   * in all. */
  const double D = (double)plan.coefficients, factors[] = {2 * D, D, D * (D + 1)};
  const double whole = factors[t->settings.noise] * pow(plan.scale / (double)rows, 2);
  if (t->settings.basis == SFM_BASIS_HERMITE) /* a part of its functions is beyond the bounds */
    assert_true(plan.privacy < whole && plan.privacy > 0.1 * whole);
  else
    assert_relative("privacy", plan.privacy, whole, 1e-12);
  return plan;
}

/* Against every number of terms that is possible near the chosen one.  (Before it is chosen the
 * sensitivity is an estimate, which may miss the very best.) */
static void auto_has_the_least_predicted_error(void **state) {
  (void)state;
  for (int basis = SFM_BASIS_FOURIER; basis <= SFM_BASIS_EIGEN; basis++)
    for (int noise = 0; noise < 3; noise++) {
      if (!test_long() && noise != basis % 3) continue;
      series_fixture t;
      series_fixture_init(&t, (sfm_basis)basis, 0, (sfm_vector_noise)noise, -2, 5);
      const sfm_series_choice chosen = plan_of(&t, 2000);
      const bool wavelet = basis == SFM_BASIS_HAAR || basis == SFM_BASIS_DB4;
      const size_t step = basis == SFM_BASIS_FOURIER ? 2 : 1, most = test_long() ? 40 : 14;
      double least = INFINITY;
      size_t best = 0;
      for (size_t terms = 2 + (step == 2); terms <= most * (wavelet ? 4 : 1);
           terms = wavelet ? 2 * terms : terms + (test_sanitized() ? 4 : 1) * step) {
        t.settings.terms = terms;
        const sfm_series_choice plan = plan_of(&t, 2000);
        assert_int_equal(plan.terms, terms);
        if (plan.total < least) {
          least = plan.total;
          best = terms;
        }
      }
      print_message("%-8s %-7s %zu terms, %.4f; the best of all: %zu, %.4f\n",
                    sfm_basis_name((sfm_basis)basis), series_noises[noise], chosen.terms,
                    sqrt(chosen.total), best, sqrt(least));
      assert_true(chosen.terms <= most * (wavelet ? 4 : 1));
      assert_true(chosen.total <= 1.01 * least);
      series_fixture_clear(&t);
    }
}

static void errors_fall_with_rows_and_epsilon(void **state) {
  (void)state;
  for (int basis = SFM_BASIS_FOURIER; basis < SFM_BASIS_EIGEN; basis++) {
    if (test_left_out((size_t)basis, 3)) continue;
    series_fixture t;
    double last = INFINITY;
    size_t terms = 0;
    series_fixture_init(&t, (sfm_basis)basis, 0, SFM_VECTOR_NOISE_LAPLACE, 0, 1);
    for (uint64_t n = 10; n <= (test_long() ? 10000000 : 100000); n *= 100) {
      const sfm_series_choice plan = plan_of(&t, n);
      assert_true(plan.total < last && plan.terms >= terms);
      last = plan.total;
      terms = plan.terms;
    }
    last = INFINITY;
    terms = 0;
    for (double epsilon = 1e-2; epsilon < (test_long() ? 300 : 30); epsilon *= 30) {
      t.settings.epsilon = epsilon;
      const sfm_series_choice plan = plan_of(&t, 3000);
      assert_true(plan.total < last && plan.terms >= terms);
      last = plan.total;
      terms = plan.terms;
    }
    series_fixture_clear(&t);
  }
}

/* Bounds change the unit of everything and nothing else. */
static void plans_do_not_depend_on_the_unit(void **state) {
  (void)state;
  for (int basis = SFM_BASIS_FOURIER; basis <= SFM_BASIS_EIGEN; basis++) {
    if (test_left_out((size_t)basis, 3)) continue;
    series_fixture one, other;
    series_fixture_init(&one, (sfm_basis)basis, 0, SFM_VECTOR_NOISE_NORMAL, 0, 1);
    series_fixture_init(&other, (sfm_basis)basis, 0, SFM_VECTOR_NOISE_NORMAL, 100, 500);
    const sfm_series_choice p = plan_of(&one, 5000), q = plan_of(&other, 5000);
    assert_int_equal(p.terms, q.terms);
    /* Coefficients are in units of width^-1/2, integrated squares of 1/width. */
    assert_relative("sensitivity", q.sensitivity, p.sensitivity / 20, 1e-3);
    assert_relative("sampling", q.sampling, p.sampling / 400, 1e-6);
    assert_relative("total", q.total, p.total / 400, 1e-3);
    series_fixture_clear(&one);
    series_fixture_clear(&other);
  }
}

enum { ROWS = 500, CENTRES = 16, GRID = 2048 };

/* The reference shape: its density at x, and rows that follow it. */
typedef struct shape {
  double centre;
  bool wraps;
} shape;

static double density(const shape *s, double x) {
  const double z = (x - s->centre) / 0.1, root = 0.1 * sqrt(2 * M_PI);
  if (!s->wraps)
    return exp(-z * z / 2) / root /
           (0.5 * (erf((1 - s->centre) / 0.1 / M_SQRT2) + erf(s->centre / 0.1 / M_SQRT2)));
  double sum = 0;
  for (int k = -2; k <= 2; k++) sum += exp(-(z + 10 * k) * (z + 10 * k) / 2) / root;
  return sum;
}

static double row_of(const shape *s, sfmi_prng *prng) {
  for (;;) {
    const double x = s->centre + 0.1 * sfmi_prng_normal(prng);
    if (s->wraps) return x - floor(x);
    if (x >= 0 && x <= 1) return x;
  }
}

/* The integrated squared error of one release of fresh rows; basis values on the grid's cells. */
static double error_of(const series_fixture *t, const sfmi_design_series *e, const shape *s,
                       const double *values, sfmi_prng *prng, sfmi_stream *stream,
                       sfmi_hardener *hardener) {
  const size_t D = e->basis->count;
  sfm_error error;
  sfm_rows *rows;
  sfmi_i128 *integers;
  double x[ROWS], sum = 0, *c = malloc(D * sizeof *c), *theta = malloc(D * sizeof *theta);
  int64_t *noisy = malloc(D * sizeof *noisy);
  for (size_t i = 0; i < ROWS; i++) x[i] = row_of(s, prng);
  assert_ok(sfm_rows_from_array(&rows, x, ROWS, 1, density_fixture_columns, &error), &error);
  assert_ok(sfmi_series_integers(&integers, e, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  for (size_t j = 0; j < D; j++) theta[j] = (double)integers[j] * e->step;
  if (hardener) {
    sfmi_hardener_add(hardener, noisy, integers, D);
    for (size_t j = 0; j < D; j++) c[j] = (double)noisy[j] * e->step;
  } else {
    sfmi_vector_idealise(c, theta, D, true, e->sensitivity / e->rate, NULL, stream);
  }
  for (size_t i = 0; i < GRID; i++) {
    double f = e->basis->constant;
    for (size_t j = 0; j < D; j++) f += c[j] / ROWS * values[i * D + j];
    const double off = f - density(s, ((double)i + 0.5) / GRID);
    sum += off * off / GRID;
  }
  free(integers);
  free(noisy);
  free(c);
  free(theta);
  return sum;
}

/* The mean over centres and repetitions is what was predicted. */
static void predictions_come_true(void **state) {
  (void)state;
  const size_t rounds = test_long() ? 100 : 6;
  for (int basis = SFM_BASIS_FOURIER; basis <= SFM_BASIS_EIGEN; basis++) {
    const sfm_vector_noise noise = (sfm_vector_noise)(basis % 3);
    series_fixture t;
    sfmi_design_series e;
    sfm_error error;
    sfmi_prng prng;
    sfmi_stream *stream;
    sfmi_hardening hardening;
    sfmi_hardener *hardener = NULL;
    double mu = 1, sum = 0, square = 0;
    series_fixture_init(&t, (sfm_basis)basis, 0, noise, 0, 1);
    if (noise == SFM_VECTOR_NOISE_NORMAL)
      assert_ok(sfmi_gdp_mu_for(&mu, 1, 1e-6, SFM_CALIBRATION_EXACT, &error), &error);
    assert_ok(sfmi_design_series_init(&e, &t.settings, ROWS, mu, &error), &error);
    assert_ok(sfmi_stream_create_seeded(&stream, 601, &error), &error);
    if (noise != SFM_VECTOR_NOISE_GAMMA) {
      assert_ok(sfmi_series_hardening(&hardening, &e, &t.settings, &error), &error);
      assert_ok(sfmi_hardener_create(&hardener, &hardening.law, (sfmi_seed){true, 602}, &error),
                &error);
    }
    sfmi_prng_init(&prng, 603);
    double *values = malloc(GRID * e.basis->count * sizeof *values), grid[GRID];
    for (size_t i = 0; i < GRID; i++) grid[i] = ((double)i + 0.5) / GRID;
    sfmi_basis_at(e.basis, values, grid, GRID);
    for (size_t i = 0; i < rounds * CENTRES; i++) {
      const double at = ((double)(i % CENTRES) + 0.5) / CENTRES;
      const shape s = {basis == SFM_BASIS_HERMITE ? (1 + at) / 3 : at,
                       basis == SFM_BASIS_FOURIER || basis == SFM_BASIS_DB4};
      const double one = error_of(&t, &e, &s, values, &prng, stream, hardener);
      sum += one;
      square += one * one;
    }
    const double n = (double)(rounds * CENTRES), mean = sum / n,
                 deviation = sqrt((square / n - mean * mean) / n);
    print_message("%-8s %-7s %zu terms: predicted %.5f, measured %.5f (%.5f)\n",
                  sfm_basis_name((sfm_basis)basis), series_noises[noise], e.plan.terms,
                  e.plan.total, mean, deviation);
    assert_near("integrated squared error", mean, e.plan.total,
                TEST_Z * deviation + 0.02 * e.plan.total);
    assert_true(deviation < 0.1 * mean); /* such that a factor of 1.6 would be seen */
    free(values);
    sfmi_hardener_destroy(hardener);
    sfmi_stream_destroy(stream);
    sfmi_design_series_clear(&e);
    series_fixture_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_has_the_least_predicted_error),
      cmocka_unit_test(errors_fall_with_rows_and_epsilon),
      cmocka_unit_test(plans_do_not_depend_on_the_unit),
      cmocka_unit_test(predictions_come_true),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
