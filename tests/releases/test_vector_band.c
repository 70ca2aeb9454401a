/* test_vector_band.c - bands of vectors cover as often as they say, and narrower ones would be
 * caught. */
/* suite: release */
#include "coverage.h"

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
      {"laplace, l1", SFM_VECTOR_NORM_L1, SFM_VECTOR_NOISE_LAPLACE},
      {"normal", SFM_VECTOR_NORM_L2, SFM_VECTOR_NOISE_NORMAL},
      {"gamma", SFM_VECTOR_NORM_L2, SFM_VECTOR_NOISE_GAMMA},
      {"ellipsoid", SFM_VECTOR_NORM_ELLIPSOID, SFM_VECTOR_NOISE_NORMAL},
      {"ellipsoid, gamma", SFM_VECTOR_NORM_ELLIPSOID, SFM_VECTOR_NOISE_GAMMA},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    sfm_vector_settings settings = sfm_vector_settings_default();
    tally tallies[LEVELS] = {{0}};
    settings.norm = cases[c].norm;
    settings.noise = cases[c].noise;
    settings.sensitivity = 2;
    settings.ellipsoid = S;
    settings.epsilon = 1;
    settings.delta = cases[c].noise == SFM_VECTOR_NOISE_NORMAL ? 1e-6 : 0;
    settings.context.seeded = true;
    const bool simulated =
        cases[c].noise == SFM_VECTOR_NOISE_GAMMA || cases[c].norm == SFM_VECTOR_NORM_ELLIPSOID;
    const size_t draws = simulated ? DRAWS / 4 : DRAWS;
    sfm_band bands[LEVELS];
    for (settings.context.seed = 0; settings.context.seed < draws; settings.context.seed++) {
      sfm_error error;
      sfm_release *release;
      assert_ok(sfm_vector_release(&release, theta, D, &settings, &error), &error);
      for (int k = 0; k < LEVELS; k++) {
        if (settings.context.seed == 0)
          assert_ok(sfm_release_band_at(release, &bands[k], confidences[k], &error), &error);
        count_vector(&tallies[k], release, &bands[k], theta, D);
      }
      sfm_release_destroy(release);
    }
    for (int k = 0; k < LEVELS; k++) {
      /* Under an ellipsoid one place borrows the width of all. */
      if (cases[c].norm == SFM_VECTOR_NORM_ELLIPSOID)
        tallies[k].shrunk_point = tallies[k].shrunk_sup;
      /* At the ends too few draws would tell. */
      const bool sharp = confidences[k] < 0.99 && (!simulated || k > 0);
      judge(cases[c].name, &tallies[k], draws, confidences[k], sharp);
    }
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
    settings.norm = kind == 0 ? SFM_VECTOR_NORM_L2 : SFM_VECTOR_NORM_ELLIPSOID;
    settings.noise = kind == 2 ? SFM_VECTOR_NOISE_NORMAL : SFM_VECTOR_NOISE_GAMMA;
    settings.sensitivity = 1;
    settings.ellipsoid = S;
    settings.epsilon = 1;
    settings.delta = kind == 2 ? 1e-6 : 0;
    const size_t length = kind == 0 ? D : E;
    settings.context.seeded = true; /* one in 6000 normal ones passes 1.2 times the bound */
    double largest = 0;
    for (settings.context.seed = 0; settings.context.seed < 10; settings.context.seed++) {
      sfm_error error;
      sfm_release *release;
      assert_ok(sfm_vector_release(&release, theta, length, &settings, &error), &error);
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
      cmocka_unit_test(long_vectors_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
