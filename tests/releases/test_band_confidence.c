/* test_band_confidence.c - the band of a file at another confidence than its own. */
/* suite: release */
#include "density_fixture.h"

#include "releases/core/release_data.h"
#include "releases/core/release_write.h"
#include "sfumato/vector.h"

/* Reads back what it would write. */
static sfm_release *through_file(const sfm_release *release) {
  sfm_error error;
  sfm_release *again = NULL;
  char *bytes;
  size_t length;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  assert_ok(sfm_release_parse(&again, bytes, length, "file", &error), &error);
  free(bytes);
  return again;
}

/* At its own confidence the file's band, bit for bit; and wider, never narrower, the higher it is.
 * Takes over the release. */
static void recomputes_its_band(const char *name, sfm_release *made) {
  static const double rising[] = {0.001, 0.5, 0.9, 0.99, 0.9999, 1 - 1e-12};
  sfm_error error;
  sfm_release *release = through_file(made);
  const sfm_band stated = sfm_release_band(release);
  sfm_band band, last = {0};
  assert_ok(sfm_release_band_at(release, &band, stated.confidence, &error), &error);
  print_message("%s: half-width %.17g, stated %.17g\n", name, band.half_width, stated.half_width);
  assert_true(band.confidence == stated.confidence && band.half_width == stated.half_width);
  assert_true(band.pointwise == stated.pointwise && band.systematic == stated.systematic);
  for (size_t i = 0; i < sizeof rising / sizeof *rising; i++) {
    assert_ok(sfm_release_band_at(release, &band, rising[i], &error), &error);
    assert_true(band.confidence == rising[i]);
    assert_true(band.half_width >= last.half_width && band.pointwise >= last.pointwise);
    assert_true(band.pointwise <= band.half_width && band.systematic <= band.half_width);
    assert_true(band.systematic >= last.systematic);
    last = band;
  }
  assert_true(isfinite(last.half_width) && last.half_width > stated.half_width);
  for (size_t i = 0; i < 4; i++) {
    const double wrong[] = {0, 1, -0.5, NAN};
    assert_int_equal(sfm_release_band_at(release, &band, wrong[i], &error), SFM_INVALID);
  }
  sfm_release_destroy(release);
  sfm_release_destroy(made);
}

static sfm_release *release_density(size_t dimension, double h, double delta,
                                    sfm_neighbours neighbours) {
  static double rows[8000];
  density_fixture t;
  density_fixture_rows(rows, 4000, dimension, 0, 1, 31);
  density_fixture_init(&t, dimension, 0, 1, h, 0.7, delta);
  density_fixture_neighbours(&t, neighbours, 1);
  t.settings.method = delta > 0 ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
  t.settings.context.confidence = 0.9;
  sfm_release *release = density_fixture_release(&t, rows, 4000);
  density_fixture_clear(&t);
  return release;
}

static void densities_recompute_their_bands(void **state) {
  (void)state;
  recomputes_its_band("lattice", release_density(1, 0.07, 0, SFM_NEIGHBOURS_REPLACE));
  recomputes_its_band("plane", release_density(2, 0.3, 0, SFM_NEIGHBOURS_REPLACE));
  recomputes_its_band("gp", release_density(1, 0.07, 1e-6, SFM_NEIGHBOURS_REPLACE));
  recomputes_its_band("gp, plane", release_density(2, 0.3, 1e-6, SFM_NEIGHBOURS_REPLACE));
  recomputes_its_band("add-remove", release_density(1, 0.07, 0, SFM_NEIGHBOURS_ADD_REMOVE));
  recomputes_its_band("gp, add-remove", release_density(1, 0.07, 1e-6, SFM_NEIGHBOURS_ADD_REMOVE));
}

static sfm_release *release_vector(sfm_vector_norm norm, sfm_vector_noise noise, double confidence,
                                   uint64_t seed) {
  enum { D = 5 };
  static const double theta[D] = {1, -2, 3, 0, 7};
  static double S[D * D];
  sfm_vector_settings settings = sfm_vector_settings_default();
  sfm_error error;
  sfm_release *release = NULL;
  for (size_t i = 0; i < D; i++)
    for (size_t j = 0; j < D; j++) S[i * D + j] = i == j ? 1 + (double)i : 0.4;
  settings.norm = norm;
  settings.noise = noise;
  settings.sensitivity = 1;
  settings.ellipsoid = S;
  settings.epsilon = 1;
  settings.delta = noise == SFM_VECTOR_NOISE_NORMAL ? 1e-6 : 0;
  settings.context.confidence = confidence;
  settings.context.seeded = true;
  settings.context.seed = seed;
  assert_ok(sfm_vector_release(&release, theta, D, &settings, &error), &error);
  return release;
}

static void vectors_recompute_their_bands(void **state) {
  (void)state;
  recomputes_its_band("laplace",
                      release_vector(SFM_VECTOR_NORM_L1, SFM_VECTOR_NOISE_LAPLACE, 0.9, 1));
  recomputes_its_band("normal",
                      release_vector(SFM_VECTOR_NORM_L2, SFM_VECTOR_NOISE_NORMAL, 0.9, 1));
  recomputes_its_band("gamma", release_vector(SFM_VECTOR_NORM_L2, SFM_VECTOR_NOISE_GAMMA, 0.9, 1));
  recomputes_its_band("ellipsoid",
                      release_vector(SFM_VECTOR_NORM_ELLIPSOID, SFM_VECTOR_NOISE_NORMAL, 0.9, 1));
  recomputes_its_band("ellipsoid, gamma",
                      release_vector(SFM_VECTOR_NORM_ELLIPSOID, SFM_VECTOR_NOISE_GAMMA, 0.9, 1));
}

/* The file of an ellipsoid's release does not hold its shape: what is widened from the stated band
 * is never below the band that the shape gives, nor absurdly above. */
static void a_lost_ellipsoid_widens_its_band(void **state) {
  (void)state;
  static const double levels[] = {0.5, 0.9, 0.95, 0.99};
  static const double most[2] = {1.25, 2.2}; /* normal, gamma */
  for (int gamma = 0; gamma < 2; gamma++) {
    sfm_error error;
    sfm_release *made =
        release_vector(SFM_VECTOR_NORM_ELLIPSOID,
                       gamma ? SFM_VECTOR_NOISE_GAMMA : SFM_VECTOR_NOISE_NORMAL, 0.9, 2);
    sfm_release *file = through_file(made);
    for (int k = 0; k < 4; k++) {
      sfm_band known, widened;
      assert_ok(sfm_release_band_at(made, &known, levels[k], &error), &error);
      assert_ok(sfm_release_band_at(file, &widened, levels[k], &error), &error);
      print_message("%s at %.2f: %.4g from the file, %.4g from the shape\n",
                    gamma ? "gamma" : "normal", levels[k], widened.half_width, known.half_width);
      /* Simulated quantiles are off by some per cent. */
      assert_true(widened.half_width >= 0.97 * known.half_width);
      assert_true(widened.pointwise >= (1 - 1e-12) * known.pointwise);
      if (levels[k] >= 0.9)
        assert_true(widened.half_width <= most[gamma] * known.half_width &&
                    widened.pointwise <= most[gamma] * known.pointwise);
    }
    sfm_release_destroy(file);
    sfm_release_destroy(made);
  }
  sfm_error error;
  sfm_band band;
  sfm_release *made = release_vector(SFM_VECTOR_NORM_ELLIPSOID, SFM_VECTOR_NOISE_GAMMA, 0.4, 3),
              *file = through_file(made);
  assert_ok(sfm_release_band_at(file, &band, 0.3, &error), &error);
  assert_int_equal(sfm_release_band_at(file, &band, 0.6, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "the body that shaped the noise"));
  sfm_release_destroy(file);
  sfm_release_destroy(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(densities_recompute_their_bands),
      cmocka_unit_test(vectors_recompute_their_bands),
      cmocka_unit_test(a_lost_ellipsoid_widens_its_band),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
