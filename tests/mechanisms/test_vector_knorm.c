/* test_vector_knorm.c - k-norm noise of vectors end to end: sensitivities searched, scales, laws,
 * and what is refused. */
/* suite: release */
#include "pooled_variance.h"

#include "releases/core/release_data.h"
#include "sfumato/vector.h"

static sfm_vector_settings linf(double sensitivity, double epsilon) {
  sfm_vector_settings s = sfm_vector_settings_default();
  s.norm = SFM_VECTOR_NORM_LINF;
  s.noise = SFM_VECTOR_NOISE_KNORM;
  s.sensitivity = sensitivity;
  s.epsilon = epsilon;
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
        assert_int_equal(sfm_release_guarantee(release).kind, SFM_GUARANTEE_PURE);
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
  s.noise = SFM_VECTOR_NOISE_LAPLACE;
  sfm_release *release = release_of(&s, theta, D);
  assert_true(release->sensitivity >= 2 * D && release->sensitivity <= 2.002 * D);
  sfm_release_destroy(release);
  for (int noise = SFM_VECTOR_NOISE_NORMAL; noise <= SFM_VECTOR_NOISE_GAMMA; noise++) {
    s.noise = (sfm_vector_noise)noise;
    s.delta = noise == SFM_VECTOR_NOISE_NORMAL ? 1e-6 : 0;
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
  for (int i = 0; i < 100; i++) {
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
  enum { D = 8, DRAWS = 300 };
  const double theta[D] = {3, -1};
  sfm_vector_settings s = linf(2, 1);
  double mean = 0;
  for (s.context.seed = 0; s.context.seed < DRAWS; s.context.seed++) {
    sfm_release *release = release_of(&s, theta, D);
    double largest = 0;
    for (size_t i = 0; i < D; i++)
      largest = fmax(largest, fabs(sfm_release_coefficient(release, i) - theta[i]));
    mean += largest / release->scale / DRAWS;
    sfm_release_destroy(release);
  }
  const double width = TEST_Z * sqrt((double)D / DRAWS) + 1e-3;
  assert_near("the largest coordinate", mean, D, width);
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

/* ---- polytopes and bodies ---- */

static const double VERTICES[] = {1, 1, 0, 1, -1, 0, 0, 0.5, 2, 0.25, 0, 1};
enum { VERTEX_COUNT = 4 };

static sfm_vector_settings polytope(sfm_vector_noise noise) {
  sfm_vector_settings s = linf(NAN, 1);
  s.norm = SFM_VECTOR_NORM_POLYTOPE;
  s.noise = noise;
  s.vertices = VERTICES;
  s.vertex_count = VERTEX_COUNT;
  s.delta = noise == SFM_VECTOR_NOISE_NORMAL ? 1e-6 : 0;
  return s;
}

/* Points of the hull of all +-vertices never have a larger norm than what a noise is scaled to, and
 * a vertex reaches it. */
static void polytopes_have_the_norms_of_their_vertices(void **state) {
  (void)state;
  const double theta[3] = {1, 2, 3};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 43);
  for (int noise = SFM_VECTOR_NOISE_LAPLACE; noise <= SFM_VECTOR_NOISE_GAMMA; noise++) {
    sfm_vector_settings s = polytope((sfm_vector_noise)noise);
    s.contributions = 3;
    sfm_release *release = release_of(&s, theta, 3);
    double most = 0;
    for (int i = 0; i < 5000; i++) {
      double x[3] = {0}, left = 1, norm = 0;
      for (size_t k = 0; k < VERTEX_COUNT; k++) {
        const double weight = k == (size_t)i % VERTEX_COUNT ? left
                              : i % 8 < 4                   ? 0
                                                            : left * sfmi_prng_uniform(&prng);
        const double sign = sfmi_prng_word(&prng) % 2 ? 1 : -1;
        for (size_t j = 0; j < 3; j++) x[j] += 3 * sign * weight * VERTICES[3 * k + j];
        left -= weight;
      }
      for (size_t j = 0; j < 3; j++)
        norm += noise == SFM_VECTOR_NOISE_LAPLACE ? fabs(x[j]) : x[j] * x[j];
      if (noise != SFM_VECTOR_NOISE_LAPLACE) norm = sqrt(norm);
      assert_true(norm <= release->sensitivity);
      most = fmax(most, norm);
    }
    assert_true(most > 0.998 * release->sensitivity);
    assert_int_equal(sfm_release_hardened(release), noise != SFM_VECTOR_NOISE_GAMMA);
    sfm_release_destroy(release);
  }
}

/* The gauge of the noise is Gamma(D, scale): mean D scale, also with contributions. */
static void polytope_noise_has_its_law(void **state) {
  (void)state;
  enum { D = 3, DRAWS = 200 };
  const double theta[D] = {3, -1, NAN};
  sfm_error error;
  sfmi_hit_and_run *shape;
  sfm_vector_settings s = polytope(SFM_VECTOR_NOISE_KNORM);
  s.contributions = 2;
  assert_ok(sfmi_hit_and_run_create_from_points(&shape, VERTICES, VERTEX_COUNT, D, &error), &error);
  double mean = 0;
  for (s.context.seed = 0; s.context.seed < DRAWS; s.context.seed++) {
    sfm_release *release = release_of(&s, theta, D);
    double off[D], gauge;
    for (size_t i = 0; i < D; i++)
      off[i] = sfm_release_coefficient(release, i) - (isnan(theta[i]) ? 0 : theta[i]);
    assert_ok(sfmi_hit_and_run_gauge(shape, &gauge, off, &error), &error);
    mean += gauge / DRAWS;
    assert_false(sfm_release_hardened(release));
    assert_non_null(strstr(sfm_release_sentence(release), "idealised"));
    assert_relative("scale", release->scale, 2, 1e-12);
    sfm_release_destroy(release);
  }
  const double width = TEST_Z * sqrt((double)D / DRAWS);
  assert_near("the gauge", mean / 2, D, width);
  assert_true(width < 0.9);
  sfmi_hit_and_run_destroy(shape);
}

static bool in_lens(void *context, const double *x) {
  size_t *asked = context;
  if (asked) ++*asked;
  return x[0] * x[0] + x[1] * x[1] <= 4 && fabs(x[0]) <= 1;
}

static bool in_half(void *context, const double *x) {
  (void)context;
  return x[0] * x[0] + x[1] * x[1] <= 4 && x[0] >= -1;
}

static sfm_status never_read(void *context, double *theta, size_t length, sfm_error *error) {
  (void)theta;
  (void)length;
  (void)error;
  *(bool *)context = true;
  return SFM_OK;
}

static void bodies_have_releases(void **state) {
  (void)state;
  enum { DRAWS = 60 };
  const double theta[2] = {5, 7};
  size_t asked = 0, within = 0;
  sfm_vector_settings s = linf(NAN, 2);
  s.norm = SFM_VECTOR_NORM_BODY;
  s.body = (sfm_vector_body){in_lens, &asked, 1, 2};
  for (s.context.seed = 0; s.context.seed < DRAWS; s.context.seed++) {
    sfm_release *release = release_of(&s, theta, 2);
    assert_relative("scale", release->scale, 0.5, 1e-12);
    /* P(gauge <= scale q) for q = 1.678: a half, of Gamma(2). */
    const double x[2] = {(sfm_release_coefficient(release, 0) - theta[0]) / (0.5 * 1.67835),
                         (sfm_release_coefficient(release, 1) - theta[1]) / (0.5 * 1.67835)};
    within += in_lens(NULL, x);
    sfm_release_destroy(release);
  }
  assert_true(asked > 0);
  assert_false(binomial_too_few(within, DRAWS, 0.5) ||
               binomial_too_few(DRAWS - within, DRAWS, 0.5));
}

/* Before anything is read. */
static void a_body_that_is_none_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *release;
  bool read = false;
  sfm_vector_settings s = linf(NAN, 1);
  s.norm = SFM_VECTOR_NORM_BODY;
  s.body = (sfm_vector_body){in_half, NULL, 1, 2};
  s.read = never_read;
  s.read_data = &read;
  assert_int_equal(sfm_vector_release(&release, NULL, 2, &s, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "symmetric"));
  assert_null(release);
  assert_false(read);
}

static void refused(const char *word, const sfm_vector_settings *s, size_t length) {
  sfm_error error = {0};
  if (sfm_vector_check(s, length, &error) != SFM_INVALID) fail_msg("%s: accepted", word);
  if (!strstr(error.message, word)) fail_msg("'%s' does not say '%s'", error.message, word);
}

static void other_norms_name_the_noise_they_have(void **state) {
  (void)state;
  sfm_vector_settings s = linf(1, 1);
  s.norm = SFM_VECTOR_NORM_L1;
  refused("laplace", &s, 3);
  s.norm = SFM_VECTOR_NORM_L2;
  refused("gamma", &s, 3);
  s.norm = SFM_VECTOR_NORM_ELLIPSOID;
  refused("gamma", &s, 3);
  s.norm = SFM_VECTOR_NORM_LINF;
  s.delta = 1e-6;
  refused("delta", &s, 3);
  s.norm = (sfm_vector_norm)(SFM_VECTOR_NORM_BODY + 1);
  s.delta = 0;
  refused("norm", &s, 3);
}

static void polytopes_that_are_none_are_refused(void **state) {
  (void)state;
  const double zero[6] = {0}, nan[3] = {1, 2, NAN};
  sfm_vector_settings s = polytope(SFM_VECTOR_NOISE_KNORM);
  s.vertex_count = 2;
  refused("number 3 is zero in all points", &s, 3);
  s.vertices = VERTICES + 3;
  refused("flat", &s, 3);
  s.vertices = NULL;
  refused("vertices", &s, 3);
  s.vertices = VERTICES;
  refused("48", &s, 60);
  s = polytope(SFM_VECTOR_NOISE_LAPLACE);
  s.vertices = zero;
  s.vertex_count = 2;
  refused("zero", &s, 3);
  s.vertices = nan;
  s.vertex_count = 1;
  refused("place 3", &s, 3);
  s.vertex_count = 0;
  refused("vertices", &s, 3);
  s = linf(NAN, 1);
  s.norm = SFM_VECTOR_NORM_BODY;
  refused("function", &s, 3);
  s.body = (sfm_vector_body){in_lens, NULL, 2, 1};
  refused("inner", &s, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linf_scales_cost_a_thousandth),
      cmocka_unit_test(linf_bounds_serve_other_noises),
      cmocka_unit_test(linf_neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(linf_noise_has_its_law),
      cmocka_unit_test(extremes_have_releases),
      cmocka_unit_test(polytopes_have_the_norms_of_their_vertices),
      cmocka_unit_test(polytope_noise_has_its_law),
      cmocka_unit_test(bodies_have_releases),
      cmocka_unit_test(a_body_that_is_none_is_refused),
      cmocka_unit_test(other_norms_name_the_noise_they_have),
      cmocka_unit_test(polytopes_that_are_none_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
