/* test_bodies.c - k-norm noise of vectors end to end: sensitivities searched, scales, laws, and
 * what is refused. */
#include "pooled.h"

#include "releases/contents.h"
#include "sfumato/vector.h"

static sfm_vector_settings linf(double sensitivity, double epsilon) {
  sfm_vector_settings s = sfm_vector_settings_default();
  s.norm = SFM_LINF;
  s.noise = SFM_VECTOR_KNORM;
  s.sensitivity = sensitivity;
  s.epsilon = epsilon;
  s.seeded = true;
  s.seed = 40;
  return s;
}

static sfm_release *release_of(const sfm_vector_settings *s, const double *theta, size_t length) {
  sfm_error error;
  sfm_release *release;
  trial_ok(sfm_vector_release(&release, theta, length, s, &error), &error);
  return release;
}

static void linf_scales_cost_a_thousandth(void **state) {
  (void)state;
  static double theta[100000];
  static const size_t lengths[] = {1, 2, 100, 100000};
  for (size_t l = 0; l < 4; l++)
    for (double epsilon = 1e-6; epsilon <= 1e3; epsilon *= 1e3)
      for (uint32_t k = 1; k <= 5; k += 4) {
        sfm_vector_settings s = linf(2, epsilon);
        s.contributions = k;
        sfm_release *release = release_of(&s, theta, lengths[l]);
        const double wanted = 2.0 * k / epsilon;
        assert_true(release->scale >= wanted * (1 - 1e-15) && release->scale <= wanted * 1.001);
        assert_true(release->step * (double)lengths[l] <= release->scale / 16);
        assert_true(sfm_release_hardened(release));
        assert_string_equal(sfm_release_method(release), "k-norm");
        assert_int_equal(sfm_release_guarantee(release).kind, SFM_PURE);
        assert_true(sfm_release_guarantee(release).epsilon == epsilon);
        sfm_release_destroy(release);
      }
}

/* The noise of other norms for a bound on the largest coordinate. */
static void linf_bounds_serve_other_noises(void **state) {
  (void)state;
  enum { D = 9 };
  const double theta[D] = {0};
  sfm_vector_settings s = linf(2, 1);
  s.noise = SFM_VECTOR_LAPLACE;
  sfm_release *release = release_of(&s, theta, D);
  assert_true(release->sensitivity >= 2 * D && release->sensitivity <= 2.002 * D);
  sfm_release_destroy(release);
  for (int noise = SFM_VECTOR_NORMAL; noise <= SFM_VECTOR_GAMMA; noise++) {
    s.noise = (sfm_vector_noise)noise;
    s.delta = noise == SFM_VECTOR_NORMAL ? 1e-6 : 0;
    release = release_of(&s, theta, D);
    assert_true(release->sensitivity >= 6 && release->sensitivity <= 6.006);
    sfm_release_destroy(release);
  }
}

/* Same seed, same noise: neighbours' releases differ by at most the sensitivity stated. */
static void linf_neighbours_never_pass_the_sensitivity(void **state) {
  (void)state;
  enum { D = 6 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 41);
  double most = 0;
  for (int i = 0; i < 300; i++) {
    double x[D], y[D];
    const sfm_vector_settings s = linf(2, 1);
    for (size_t k = 0; k < D; k++) {
      x[k] = sfmi_prng_normal(&prng) * exp(20 * sfmi_prng_uniform(&prng));
      y[k] = x[k] + (sfmi_prng_word(&prng) % 2 ? 2 : -2);
    }
    sfm_release *p = release_of(&s, x, D), *q = release_of(&s, y, D);
    for (size_t k = 0; k < D; k++) {
      const double move = fabs((double)(p->integers[k] - q->integers[k]) * p->step);
      assert_true(move <= p->sensitivity);
      most = fmax(most, move / p->sensitivity);
    }
    sfm_release_destroy(p);
    sfm_release_destroy(q);
  }
  assert_true(most > 0.998);
}

/* The largest coordinate of the noise is Gamma(D, scale), to a step: mean and variance D. */
static void linf_noise_has_its_law(void **state) {
  (void)state;
  enum { D = 20, DRAWS = 1500 };
  const double theta[D] = {3, -1};
  sfm_vector_settings s = linf(2, 1);
  double mean = 0;
  for (s.seed = 0; s.seed < DRAWS; s.seed++) {
    sfm_release *release = release_of(&s, theta, D);
    double largest = 0;
    for (size_t i = 0; i < D; i++)
      largest = fmax(largest, fabs(sfm_release_coefficient(release, i) - theta[i]));
    mean += largest / release->scale / DRAWS;
    sfm_release_destroy(release);
  }
  const double width = TRIAL_Z * sqrt((double)D / DRAWS) + 1e-3;
  trial_near("the largest coordinate", mean, D, width);
  /* Gamma(D - 1) and Gamma(D + 1) would be seen. */
  assert_true(width < 1);
}

static void extremes_have_releases(void **state) {
  (void)state;
  const double theta[4] = {1, -1, 1e300, NAN};
  for (int i = 0; i < 4; i++) {
    sfm_vector_settings s = linf(i % 2 ? 1e-200 : 1e200, i / 2 ? 1e-6 : 1e3);
    s.contributions = 1000000;
    sfm_release *release = release_of(&s, theta, 4);
    for (size_t k = 0; k < 4; k++) assert_true(isfinite(sfm_release_coefficient(release, k)));
    assert_true(isfinite(sfm_release_band(release).half_width));
    sfm_release_destroy(release);
  }
}

static void refused(const char *word, const sfm_vector_settings *s, size_t length) {
  sfm_error error = {0};
  if (sfm_vector_check(s, length, &error) != SFM_INVALID) fail_msg("%s: accepted", word);
  if (!strstr(error.message, word)) fail_msg("'%s' does not say '%s'", error.message, word);
}

static void other_norms_name_the_noise_they_have(void **state) {
  (void)state;
  sfm_vector_settings s = linf(1, 1);
  s.norm = SFM_L1;
  refused("laplace", &s, 3);
  s.norm = SFM_L2;
  refused("gamma", &s, 3);
  s.norm = SFM_ELLIPSOID;
  refused("gamma", &s, 3);
  s.norm = SFM_LINF;
  s.delta = 1e-6;
  refused("delta", &s, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linf_scales_cost_a_thousandth),
      cmocka_unit_test(linf_bounds_serve_other_noises),
      cmocka_unit_test(linf_neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(linf_noise_has_its_law),
      cmocka_unit_test(extremes_have_releases),
      cmocka_unit_test(other_norms_name_the_noise_they_have),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
