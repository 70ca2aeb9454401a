/* test_vector.c - vectors end to end: sensitivities, hostile coordinates, and the laws of the
 * noise.
 */
/* suite: release */
#include "pooled_variance.h"

#include "releases/core/release_data.h"
#include "sfumato/vector.h"

static sfm_vector_settings settings_of(sfm_vector_norm norm, sfm_vector_noise noise) {
  sfm_vector_settings s = sfm_vector_settings_default();
  s.norm = norm;
  s.noise = noise;
  s.sensitivity = 2;
  s.epsilon = 1;
  s.delta = noise == SFM_VECTOR_NOISE_NORMAL ? 1e-6 : 0;
  s.context.seeded = true;
  s.context.seed = 40;
  return s;
}

static sfm_release *release_of(const sfm_vector_settings *s, const double *theta, size_t length) {
  sfm_error error;
  sfm_release *release;
  assert_ok(sfm_vector_release(&release, theta, length, s, &error), &error);
  return release;
}

/* The scale before hardening (docs/proofs/gaussian.md, docs/proofs/hardened.md). */
static double scale_for(const sfm_vector_settings *s, size_t length) {
  double delta = s->sensitivity * s->contributions, ratio;
  sfm_error error;
  if (s->noise == SFM_VECTOR_NOISE_LAPLACE)
    return delta * (s->norm == SFM_VECTOR_NORM_L2 ? sqrt((double)length) : 1) / s->epsilon;
  if (s->noise == SFM_VECTOR_NOISE_GAMMA) return delta / s->epsilon;
  assert_ok(sfm_gaussian_ratio(&ratio, s->epsilon, s->delta, s->calibration, &error), &error);
  return delta * ratio;
}

static void scales_are_those_of_the_proofs(void **state) {
  (void)state;
  const size_t lengths[] = {1, 2, 100, 100000};
  static double theta[100000];
  for (size_t l = 0; l < 4; l++)
    for (int norm = SFM_VECTOR_NORM_L1; norm <= SFM_VECTOR_NORM_L2; norm++)
      for (int noise = SFM_VECTOR_NOISE_LAPLACE; noise <= SFM_VECTOR_NOISE_GAMMA; noise++)
        for (uint32_t k = 1; k <= 5; k += 4) {
          if (noise == SFM_VECTOR_NOISE_GAMMA && lengths[l] > 100) continue;
          sfm_vector_settings s = settings_of((sfm_vector_norm)norm, (sfm_vector_noise)noise);
          s.contributions = k;
          sfm_release *release = release_of(&s, theta, lengths[l]);
          double wanted = scale_for(&s, lengths[l]);
          assert_true(release->scale >= wanted * (1 - 1e-15));
          assert_true(release->scale <= wanted * 1.001);
          assert_true(sfm_release_hardened(release) == (noise != SFM_VECTOR_NOISE_GAMMA));
          assert_int_equal(sfm_release_guarantee(release).kind, noise == SFM_VECTOR_NOISE_NORMAL
                                                                    ? SFM_GUARANTEE_GDP
                                                                    : SFM_GUARANTEE_PURE);
          assert_false(sfm_release_private(release));
          sfm_release_destroy(release);
        }
}

/* Same seed, same noise: neighbours' releases differ by at most the sensitivity stated. */
static void neighbours_never_pass_the_sensitivity(void **state) {
  (void)state;
  enum { D = 6 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 41);
  for (int noise = SFM_VECTOR_NOISE_LAPLACE; noise <= SFM_VECTOR_NOISE_NORMAL; noise++)
    for (int i = 0; i < 150; i++) {
      double x[D], y[D], norm = 0, l1 = 0, l2 = 0;
      sfm_vector_settings s =
          settings_of(noise == SFM_VECTOR_NOISE_LAPLACE ? SFM_VECTOR_NORM_L1 : SFM_VECTOR_NORM_L2,
                      (sfm_vector_noise)noise);
      for (size_t k = 0; k < D; k++) {
        x[k] = sfmi_prng_normal(&prng) * exp(20 * sfmi_prng_uniform(&prng));
        y[k] = sfmi_prng_normal(&prng);
        norm += noise == SFM_VECTOR_NOISE_LAPLACE ? fabs(y[k]) : y[k] * y[k];
      }
      if (noise != SFM_VECTOR_NOISE_LAPLACE) norm = sqrt(norm);
      for (size_t k = 0; k < D; k++) y[k] = x[k] + 2 * y[k] / norm;
      sfm_release *p = release_of(&s, x, D), *q = release_of(&s, y, D);
      for (size_t k = 0; k < D; k++) {
        double move = (double)(p->integers[k] - q->integers[k]) * p->step;
        l1 += fabs(move);
        l2 += move * move;
      }
      double moved = noise == SFM_VECTOR_NOISE_LAPLACE ? l1 : sqrt(l2);
      assert_true(moved <= p->sensitivity && moved >= 0.99 * p->sensitivity);
      sfm_release_destroy(p);
      sfm_release_destroy(q);
    }
}

/* Released difference between theta and zero, under the same noise. */
static double worth(double value, sfm_vector_noise noise) {
  sfm_vector_settings s = settings_of(SFM_VECTOR_NORM_L2, noise);
  const double zero = 0;
  sfm_release *p = release_of(&s, &value, 1), *q = release_of(&s, &zero, 1);
  double difference = sfm_release_coefficient(p, 0) - sfm_release_coefficient(q, 0);
  sfm_release_destroy(p);
  sfm_release_destroy(q);
  return difference;
}

static void hostile_coordinates_are_clamped(void **state) {
  (void)state;
  for (int noise = SFM_VECTOR_NOISE_LAPLACE; noise <= SFM_VECTOR_NOISE_NORMAL; noise++) {
    assert_true(worth(NAN, (sfm_vector_noise)noise) == 0);
    assert_true(worth(5e-324, (sfm_vector_noise)noise) == 0);
    double end = worth(INFINITY, (sfm_vector_noise)noise);
    assert_true(end == worth(1e308, (sfm_vector_noise)noise));
    assert_true(end == -worth(-INFINITY, (sfm_vector_noise)noise));
    assert_true(end > 1e11 && end < 1e14); /* about 10^12 sensitivities */
    assert_near("worth", worth(123.456, (sfm_vector_noise)noise), 123.456, 2e-3);
  }
  assert_true(worth(NAN, SFM_VECTOR_NOISE_GAMMA) == 0);
  assert_true(isfinite(worth(INFINITY, SFM_VECTOR_NOISE_GAMMA)));
}

static void hardened_noise_has_the_calibrated_variance(void **state) {
  (void)state;
  enum { D = 40000 };
  static double theta[D];
  for (int noise = SFM_VECTOR_NOISE_LAPLACE; noise <= SFM_VECTOR_NOISE_NORMAL; noise++) {
    pooled_variance p = {0};
    sfm_vector_settings s = settings_of(SFM_VECTOR_NORM_L1, (sfm_vector_noise)noise);
    s.context.seeded = false;
    /* Two thousand short releases in the long run, a few long ones otherwise. */
    const size_t length = test_long() ? 50 : D, releases = test_long() ? 2000 : 5;
    double variance = 0;
    for (size_t i = 0; i < length; i++) theta[i] = (double)(i % 7) - 3;
    for (size_t r = 0; r < releases; r++) {
      sfm_release *release = release_of(&s, theta, length);
      for (size_t i = 0; i < length; i++)
        pooled_variance_add(&p, sfm_release_coefficient(release, i) - theta[i]);
      double scale = scale_for(&s, length);
      variance = scale * scale * (noise == SFM_VECTOR_NOISE_LAPLACE ? 2 : 1);
      assert_true(sfm_release_private(release));
      sfm_release_destroy(release);
    }
    pooled_variance_check(noise == SFM_VECTOR_NOISE_LAPLACE ? "laplace" : "normal", &p, variance,
                          noise == SFM_VECTOR_NOISE_LAPLACE ? 6 : 3);
  }
}

/* Idealised noise in the coordinates of the ellipsoid: mean square of each coordinate and product
 * of each pair, against scale^2 times factor times S. */
static void covariance_is(const char *name, const sfm_vector_settings *settings, size_t D,
                          const double *S, double factor, double kurtosis) {
  const size_t draws = test_repetitions(1000, 125);
  sfm_vector_settings s = *settings;
  double sums[16] = {0}, theta[4] = {1, -2, 3, 0.5}, scale = 0;
  for (s.context.seed = 0; s.context.seed < draws; s.context.seed++) {
    sfm_release *release = release_of(&s, theta, D);
    scale = release->scale;
    for (size_t i = 0; i < D; i++)
      for (size_t j = 0; j < D; j++)
        sums[i * D + j] += (sfm_release_coefficient(release, i) - theta[i]) *
                           (sfm_release_coefficient(release, j) - theta[j]);
    assert_false(sfm_release_hardened(release));
    assert_non_null(strstr(sfm_release_sentence(release), "idealised"));
    sfm_release_destroy(release);
  }
  for (size_t i = 0; i < D; i++)
    for (size_t j = 0; j < D; j++) {
      double unit = scale * scale * factor * sqrt(S[i * D + i] * S[j * D + j]);
      assert_near(name, sums[i * D + j] / (double)draws / unit,
                  S[i * D + j] / sqrt(S[i * D + i] * S[j * D + j]),
                  TEST_Z * sqrt(kurtosis / (double)draws));
    }
}

static void idealised_noise_has_its_covariance(void **state) {
  (void)state;
  const double S[] = {4, 1, 0, 1, 9, -2, 0, -2, 1}, identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  sfm_vector_settings s = settings_of(SFM_VECTOR_NORM_ELLIPSOID, SFM_VECTOR_NOISE_NORMAL);
  s.ellipsoid = S;
  covariance_is("normal, ellipsoid", &s, 3, S, 1, 3);
  /* r ~ Gamma(D), u uniform: E r^2 u u' = D (D+1)/D = D + 1.  E r^4 u^4 = (D+1)(D+2)(D+3) 3/(D+2),
   * over (D+1)^2: 3 (D+3)/(D+1) = 4.5 at D = 3. */
  s.noise = SFM_VECTOR_NOISE_GAMMA;
  s.delta = 0;
  covariance_is("gamma, ellipsoid", &s, 3, S, 4, 4.5);
  s = settings_of(SFM_VECTOR_NORM_L2, SFM_VECTOR_NOISE_GAMMA);
  covariance_is("gamma", &s, 3, identity, 4, 4.5);
}

/* The radius of gamma noise is Gamma(D, scale): E r = D, Var r = D, and
 * Var r^2 = D(D+1)((D+2)(D+3) - D(D+1)) = D(D+1)(4D+6). */
static void gamma_radii_are_gamma(void **state) {
  (void)state;
  enum { D = 30, DRAWS = 1200 };
  const size_t draws = test_repetitions(DRAWS, 150);
  const double n = (double)draws, off = test_sanitized() ? 0.2 : 0.03, theta[D] = {0};
  sfm_vector_settings s = settings_of(SFM_VECTOR_NORM_L2, SFM_VECTOR_NOISE_GAMMA);
  double mean = 0, square = 0;
  for (s.context.seed = 0; s.context.seed < draws; s.context.seed++) {
    sfm_release *release = release_of(&s, theta, D);
    double r2 = 0;
    for (size_t i = 0; i < D; i++) {
      double x = sfm_release_coefficient(release, i) / 2; /* scale 2 */
      r2 += x * x;
    }
    mean += sqrt(r2) / n;
    square += r2 / n;
    sfm_release_destroy(release);
  }
  double width = TEST_Z * sqrt(D / n);
  assert_near("E r", mean, D, width);
  assert_true(fabs(mean - (1 + off) * D) > width && fabs(mean - (1 - off) * D) > width);
  assert_near("E r^2", square, D * (D + 1), TEST_Z * sqrt(D * (D + 1) * (4.0 * D + 6) / n));
}

static void refused(const char *why, const sfm_vector_settings *s, size_t length) {
  sfm_error error = {0};
  sfm_release *release = NULL;
  const double theta[4] = {0};
  if (sfm_vector_check(s, length, &error) != SFM_INVALID) fail_msg("%s was accepted", why);
  assert_true(strlen(error.message) > 10);
  if (length >= 1 && length <= 4)
    assert_int_equal(sfm_vector_release(&release, theta, length, s, &error), SFM_INVALID);
  assert_null(release);
}

static void wrong_settings_are_refused(void **state) {
  (void)state;
  const sfm_vector_settings good = settings_of(SFM_VECTOR_NORM_L2, SFM_VECTOR_NOISE_NORMAL);
  sfm_error error;
  assert_ok(sfm_vector_check(&good, 4, &error), &error);
  const double wrong[] = {0, -1, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    sfm_vector_settings s = good;
    s.sensitivity = wrong[i];
    refused("sensitivity", &s, 4);
    s = good;
    s.epsilon = wrong[i];
    refused("epsilon", &s, 4);
    s = good;
    s.delta = wrong[i];
    refused("delta", &s, 4);
    s = good;
    s.context.confidence = wrong[i];
    refused("confidence", &s, 4);
  }
  sfm_vector_settings s = good;
  s.contributions = 0;
  refused("no contributions", &s, 4);
  s = good;
  s.noise = (sfm_vector_noise)(SFM_VECTOR_NOISE_KNORM + 1);
  refused("no such noise", &s, 4);
  refused("no length", &good, 0);
  refused("a length beyond memory", &good, (size_t)1 << 40);
  s = good;
  s.noise = SFM_VECTOR_NOISE_LAPLACE;
  refused("laplace with delta", &s, 4);
  s = good;
  s.calibration = SFM_CALIBRATION_CLASSICAL;
  s.epsilon = 1.5;
  refused("classical above 1", &s, 4);
  const double indefinite[] = {1, 2, 2, 1}, skew[] = {1, 0.5, -0.5, 1}, nan[] = {1, NAN, NAN, 1},
               zero[] = {0, 0, 0, 0};
  const double *const matrices[] = {indefinite, skew, nan, zero, NULL};
  for (int i = 0; i < 5; i++) {
    s = good;
    s.norm = SFM_VECTOR_NORM_ELLIPSOID;
    s.ellipsoid = matrices[i];
    refused("an ellipsoid", &s, 2);
  }
  const double fine[] = {1, 0.5, 0.5, 1};
  s.ellipsoid = fine;
  assert_ok(sfm_vector_check(&s, 2, &error), &error);
  s.noise = SFM_VECTOR_NOISE_LAPLACE;
  s.delta = 0;
  refused("laplace on an ellipsoid", &s, 2);
}

static void extremes_have_releases(void **state) {
  (void)state;
  const double theta[4] = {1, -1, 1e300, NAN};
  for (int noise = SFM_VECTOR_NOISE_LAPLACE; noise <= SFM_VECTOR_NOISE_GAMMA; noise++)
    for (int i = 0; i < 4; i++) {
      sfm_vector_settings s = settings_of(SFM_VECTOR_NORM_L2, (sfm_vector_noise)noise);
      s.sensitivity = i % 2 ? 1e-200 : 1e200;
      s.epsilon = i / 2 ? 1e-6 : 1e3;
      s.contributions = 1000000;
      sfm_release *release = release_of(&s, theta, 4);
      for (size_t k = 0; k < 4; k++) assert_true(isfinite(sfm_release_coefficient(release, k)));
      assert_true(isfinite(sfm_release_band(release).half_width));
      sfm_release_destroy(release);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scales_are_those_of_the_proofs),
      cmocka_unit_test(neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(hostile_coordinates_are_clamped),
      cmocka_unit_test(hardened_noise_has_the_calibrated_variance),
      cmocka_unit_test(idealised_noise_has_its_covariance),
      cmocka_unit_test(gamma_radii_are_gamma),
      cmocka_unit_test(wrong_settings_are_refused),
      cmocka_unit_test(extremes_have_releases),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
