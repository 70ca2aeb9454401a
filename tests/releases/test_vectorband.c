/* test_vectorband.c - bands of vectors cover as often as they say, and narrower ones would be
 * caught. */
#include "coverage.h"

#include "releases/contents.h"
#include "sfumato/vector.h"

typedef struct vector_case {
  const char *name;
  sfm_vector_norm norm;
  sfm_vector_noise noise;
} vector_case;

static void count_vector(tally *t, const sfm_release *release, const sfm_band *band,
                         const double *theta, size_t length) {
  double sup = 0;
  for (size_t i = 0; i < length; i++)
    sup = fmax(sup, fabs(sfm_release_coefficient(release, i) - theta[i]));
  t->sup += sup <= band->half_width;
  t->shrunk_sup += sup <= 0.7 * band->half_width;
  for (size_t p = 0; p < PLACES; p++) {
    double off = fabs(sfm_release_coefficient(release, 3 * p) - theta[3 * p]);
    t->point[p] += off <= band->pointwise;
    if (p == 0) t->shrunk_point += off <= 0.7 * band->pointwise;
  }
}

static void vector_bands_cover(void **state) {
  (void)state;
  enum { D = 12, DRAWS = 700 };
  double S[D * D] = {0}, theta[D];
  for (size_t i = 0; i < D; i++) {
    theta[i] = (double)i - 3.3;
    for (size_t j = 0; j < D; j++) S[i * D + j] = i == j ? 2 : 0.5;
  }
  const vector_case cases[] = {
      {"laplace, l1", SFM_L1, SFM_VECTOR_LAPLACE},
      {"k-norm, linf", SFM_LINF, SFM_VECTOR_KNORM},
      {"normal", SFM_L2, SFM_VECTOR_NORMAL},
      {"gamma", SFM_L2, SFM_VECTOR_GAMMA},
      {"ellipsoid", SFM_ELLIPSOID, SFM_VECTOR_NORMAL},
      {"ellipsoid, gamma", SFM_ELLIPSOID, SFM_VECTOR_GAMMA},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    sfm_vector_settings settings = sfm_vector_settings_default();
    tally tallies[LEVELS] = {{0}};
    settings.norm = cases[c].norm;
    settings.noise = cases[c].noise;
    settings.sensitivity = 2;
    settings.ellipsoid = S;
    settings.epsilon = 1;
    settings.delta = cases[c].noise == SFM_VECTOR_NORMAL ? 1e-6 : 0;
    settings.seeded = true;
    const bool simulated = cases[c].noise == SFM_VECTOR_GAMMA || cases[c].norm == SFM_ELLIPSOID;
    const size_t draws = simulated ? DRAWS / 4 : DRAWS;
    sfm_band bands[LEVELS];
    for (settings.seed = 0; settings.seed < draws; settings.seed++) {
      sfm_error error;
      sfm_release *release;
      trial_ok(sfm_vector_release(&release, theta, D, &settings, &error), &error);
      for (int k = 0; k < LEVELS; k++) {
        if (settings.seed == 0)
          trial_ok(sfm_release_band_at(release, &bands[k], confidences[k], &error), &error);
        count_vector(&tallies[k], release, &bands[k], theta, D);
      }
      sfm_release_destroy(release);
    }
    for (int k = 0; k < LEVELS; k++) {
      /* Under an ellipsoid one place borrows the width of all. */
      if (cases[c].norm == SFM_ELLIPSOID) tallies[k].shrunk_point = tallies[k].shrunk_sup;
      /* At the ends too few draws would tell. */
      const bool sharp = confidences[k] < 0.99 && (!simulated || k > 0);
      judge(cases[c].name, &tallies[k], draws, confidences[k], sharp);
    }
  }
}

static bool in_lens(void *context, const double *x) {
  (void)context;
  return x[0] * x[0] + x[1] * x[1] <= 4 && fabs(x[0]) <= 1;
}

/* Noise in a polytope and in a body that a function knows: simulated while it is being made; what
 * the file says is enough for more confidence, and never for a narrower band. */
static void bands_of_bodies_cover(void **state) {
  (void)state;
  enum { D = 2, DRAWS = 150 };
  static const double vertices[] = {1, 0, 3, 4, 0, 2};
  const double theta[D] = {4, -7};
  for (int norm = SFM_POLYTOPE; norm <= SFM_BODY; norm++) {
    sfm_vector_settings settings = sfm_vector_settings_default();
    size_t all = 0, one[D] = {0}, wider = 0, shrunk = 0;
    sfm_band high = {0};
    settings.norm = (sfm_vector_norm)norm;
    settings.noise = SFM_VECTOR_KNORM;
    settings.vertices = vertices;
    settings.vertex_count = 3;
    settings.body = (sfm_vector_body){in_lens, NULL, 1, 2};
    settings.epsilon = 1;
    settings.confidence = 0.8;
    settings.seeded = true;
    for (settings.seed = 0; settings.seed < DRAWS; settings.seed++) {
      sfm_error error;
      sfm_release *made, *release;
      char *bytes;
      size_t length;
      trial_ok(sfm_vector_release(&made, theta, D, &settings, &error), &error);
      trial_ok(sfmi_release_print(made, &bytes, &length, &error), &error);
      trial_ok(sfm_release_parse(&release, bytes, length, "it", &error), &error);
      free(bytes);
      const sfm_band band = sfm_release_band(release);
      if (settings.seed == 0) {
        sfm_band same;
        trial_ok(sfm_release_band_at(release, &high, 0.95, &error), &error);
        trial_ok(sfm_release_band_at(release, &same, 0.7, &error), &error);
        assert_true(same.half_width == band.half_width && high.half_width > band.half_width);
      }
      double sup = 0;
      for (size_t i = 0; i < D; i++) {
        const double off = fabs(sfm_release_coefficient(release, i) - theta[i]);
        sup = fmax(sup, off);
        one[i] += off <= band.pointwise;
      }
      all += sup <= band.half_width;
      shrunk += sup <= 0.6 * band.half_width;
      wider += sup <= high.half_width;
      sfm_release_destroy(made);
      sfm_release_destroy(release);
    }
    assert_false(trial_too_few(all, DRAWS, 0.8) || trial_too_few(wider, DRAWS, 0.95));
    assert_false(trial_too_few(one[0], DRAWS, 0.8) || trial_too_few(one[1], DRAWS, 0.8));
    assert_true(trial_too_few(shrunk, DRAWS, 0.8));
  }
}

/* Long idealised vectors have a bound in place of a simulation: it holds, and is not absurd. */
static void long_vectors_are_bounded(void **state) {
  (void)state;
  enum { D = 60000, E = 230 };
  static double theta[D], S[E * E];
  for (size_t i = 0; i < E; i++) S[i * E + i] = 1 + (double)i;
  for (int kind = 0; kind < 3; kind++) {
    sfm_vector_settings settings = sfm_vector_settings_default();
    settings.norm = kind == 0 ? SFM_L2 : SFM_ELLIPSOID;
    settings.noise = kind == 2 ? SFM_VECTOR_NORMAL : SFM_VECTOR_GAMMA;
    settings.sensitivity = 1;
    settings.ellipsoid = S;
    settings.epsilon = 1;
    settings.delta = kind == 2 ? 1e-6 : 0;
    const size_t length = kind == 0 ? D : E;
    double largest = 0;
    for (int i = 0; i < 10; i++) {
      sfm_error error;
      sfm_release *release;
      trial_ok(sfm_vector_release(&release, theta, length, &settings, &error), &error);
      double sup = 0, width = sfm_release_band(release).half_width;
      for (size_t k = 0; k < length; k++)
        sup = fmax(sup, fabs(sfm_release_coefficient(release, k)));
      largest = fmax(largest, sup / width);
      assert_true(sup <= 1.2 * width && sfm_release_band(release).pointwise < width);
      sfm_release_destroy(release);
    }
    assert_true(largest > 0.4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vector_bands_cover),
      cmocka_unit_test(bands_of_bodies_cover),
      cmocka_unit_test(long_vectors_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
