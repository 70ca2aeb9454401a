/* test_vector_band_bodies.c - bands of vectors whose noise is shaped to a body cover as often as
 * they say, also when all that is left of the body is what the file states. */
/* suite: release */
#include "test_support.h"

#include "releases/core/release_kind.h"
#include "releases/core/release_write.h"
#include "releases/band/band.h"
#include "sfumato/vector.h"

static bool in_lens(void *context, const double *x) {
  (void)context;
  return x[0] * x[0] + x[1] * x[1] <= 4 && fabs(x[0]) <= 1;
}

/* Noise in a polytope and in a body that a function knows: simulated while it is being made; what
 * the file says is enough for more confidence, and never for a narrower band. */
static void bands_of_bodies_cover(void **state) {
  (void)state;
  enum { D = 2, DRAWS = 60 };
  static const double vertices[] = {1, 0, 3, 4, 0, 2};
  const double theta[D] = {4, -7};
  for (int norm = SFM_VECTOR_NORM_POLYTOPE; norm <= SFM_VECTOR_NORM_BODY; norm++) {
    sfm_vector_settings settings = sfm_vector_settings_default();
    size_t all = 0, one[D] = {0}, wider = 0, shrunk = 0;
    sfm_band high = {0};
    settings.norm = (sfm_vector_norm)norm;
    settings.noise = SFM_VECTOR_NOISE_KNORM;
    settings.vertices = vertices;
    settings.vertex_count = 3;
    settings.body = (sfm_vector_body){in_lens, NULL, 1, 2};
    settings.epsilon = 1;
    settings.context.confidence = 0.8;
    settings.context.seeded = true;
    for (settings.context.seed = 0; settings.context.seed < DRAWS; settings.context.seed++) {
      sfm_error error;
      sfm_release *made, *release;
      char *bytes;
      size_t length;
      assert_ok(sfm_vector_release(&made, theta, D, &settings, &error), &error);
      assert_ok(sfmi_release_print(made, &bytes, &length, &error), &error);
      assert_ok(sfm_release_parse(&release, bytes, length, "it", &error), &error);
      free(bytes);
      const sfm_band band = sfm_release_band(release);
      if (settings.context.seed == 0) {
        sfm_band same;
        assert_ok(sfm_release_band_at(release, &high, 0.95, &error), &error);
        assert_ok(sfm_release_band_at(release, &same, 0.7, &error), &error);
        assert_true(same.half_width == band.half_width && high.half_width > band.half_width);
      }
      double sup = 0;
      for (size_t i = 0; i < D; i++) {
        const double off = fabs(sfm_release_coefficient(release, i) - theta[i]);
        sup = fmax(sup, off);
        one[i] += off <= band.pointwise;
      }
      all += sup <= band.half_width;
      shrunk += sup <= 0.4 * band.half_width;
      wider += sup <= high.half_width;
      sfm_release_destroy(made);
      sfm_release_destroy(release);
    }
    assert_false(binomial_too_few(all, DRAWS, 0.8) || binomial_too_few(wider, DRAWS, 0.95));
    assert_false(binomial_too_few(one[0], DRAWS, 0.8) || binomial_too_few(one[1], DRAWS, 0.8));
    assert_true(binomial_too_few(shrunk, DRAWS, 0.8));
  }
}

/* Noise by the largest coordinate: neither too few nor too many are inside, all at once and one at
 * a time. */
static void linf_bands_cover(void **state) {
  (void)state;
  enum { D = 5, DRAWS = 700 };
  static const double confidences[] = {0.5, 0.9, 0.99};
  const double theta[D] = {4, -7, 0.3};
  size_t all[3] = {0}, one[3] = {0};
  sfm_band bands[3];
  sfm_vector_settings settings = sfm_vector_settings_default();
  settings.norm = SFM_VECTOR_NORM_LINF;
  settings.noise = SFM_VECTOR_NOISE_KNORM;
  settings.sensitivity = 3;
  settings.epsilon = 1;
  settings.context.seeded = true;
  for (settings.context.seed = 0; settings.context.seed < DRAWS; settings.context.seed++) {
    sfm_error error;
    sfm_release *release;
    assert_ok(sfm_vector_release(&release, theta, D, &settings, &error), &error);
    double sup = 0;
    for (size_t i = 0; i < D; i++)
      sup = fmax(sup, fabs(sfm_release_coefficient(release, i) - theta[i]));
    for (int k = 0; k < 3; k++) {
      if (settings.context.seed == 0)
        assert_ok(sfm_release_band_at(release, &bands[k], confidences[k], &error), &error);
      all[k] += sup <= bands[k].half_width;
      one[k] += fabs(sfm_release_coefficient(release, 0) - theta[0]) <= bands[k].pointwise;
    }
    sfm_release_destroy(release);
  }
  for (int k = 0; k < 3; k++) {
    print_message("linf at %.2f: everywhere %.3f, at one place %.3f\n", confidences[k],
                  (double)all[k] / DRAWS, (double)one[k] / DRAWS);
    const size_t counts[2] = {all[k], one[k]};
    for (int c = 0; c < 2; c++) {
      assert_false(binomial_too_few(counts[c], DRAWS, confidences[k]));
      assert_false(binomial_too_few(DRAWS - counts[c], DRAWS, 1 - confidences[k]));
    }
    assert_true(bands[k].pointwise < bands[k].half_width);
  }
}

/* Long vectors and high confidences have bounds: wider, not absurd, and growing. */
static void linf_bounds_are_in_order(void **state) {
  (void)state;
  double last = 0;
  for (size_t D = 1; D <= 1000000; D *= 10) {
    sfm_release release = {.kind = &sfmi_vector_kind,
                           .vector = &(sfmi_vector_body){0},
                           .method = SFMI_KNORM,
                           .hardened = true,
                           .length = D,
                           .scale = 1,
                           .step = 1.0 / (16.0 * (double)D)};
    sfm_error error;
    sfm_band low, high, higher;
    assert_ok(sfmi_band_vector(&low, &release, 0.5, &error), &error);
    assert_ok(sfmi_band_vector(&high, &release, 0.99, &error), &error);
    assert_ok(sfmi_band_vector(&higher, &release, 1 - 1e-12, &error), &error);
    assert_true(low.half_width < high.half_width && high.half_width < higher.half_width);
    assert_true(low.pointwise < high.pointwise && high.pointwise < higher.pointwise);
    assert_true(high.pointwise <= high.half_width);
    assert_true(high.half_width > last);
    /* Gamma(D) is D, more or less. */
    assert_true(D < 100 || (high.half_width < 1.5 * (double)D && low.half_width > 0.9 * (double)D));
    last = high.half_width;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linf_bands_cover),
      cmocka_unit_test(linf_bounds_are_in_order),
      cmocka_unit_test(bands_of_bodies_cover),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
