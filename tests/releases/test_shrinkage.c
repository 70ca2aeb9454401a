/* test_shrinkage.c - shrinkage against its definition, the noise of frequencies against draws of
 * it, and what shrinking is for: less error. */
/* suite: release */
#include "density_fixture.h"

#include "releases/band/noise_variance.h"
#include "releases/refine/shrinkage.h"
#include "simulated_density.h"
#include "series_fixture.h"
#include "sfumato/refine.h"

enum { MANY = 250 };

static sfm_release *make(size_t d, double h, double epsilon, double delta, size_t rows,
                         sfm_neighbours neighbours) {
  double *values = calloc(rows * d, sizeof *values);
  density_fixture t;
  density_fixture_init(&t, d, 0, 10, h, epsilon, delta);
  t.settings.method = delta > 0 ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
  density_fixture_neighbours(&t, neighbours, 1);
  t.settings.context.seeded = true;
  t.settings.context.seed = 3;
  density_fixture_rows(values, rows, d, 0, 10, 4);
  sfm_release *release = density_fixture_release(&t, values, rows);
  density_fixture_clear(&t);
  free(values);
  return release;
}

static sfm_release *refine(const sfm_release *release, sfm_refine_settings settings) {
  sfm_error error;
  sfm_release *refined;
  assert_ok(sfm_release_refine(&refined, release, &settings, &error), &error);
  return refined;
}

/* The polynomial of a release, over its total. */
static sfmi_trig_poly *wave_of(const sfm_release *release) {
  sfm_error error;
  sfmi_trig_poly *poly;
  double *coefficients = calloc(release->length, sizeof *coefficients);
  for (size_t i = 0; i < release->length; i++)
    coefficients[i] = sfm_release_coefficient(release, i);
  assert_ok(sfmi_trig_poly_create(&poly, release, &error), &error);
  sfmi_trig_poly_load(poly, coefficients, 1 / sfmi_release_total(release));
  free(coefficients);
  return poly;
}

static double inside_of(const sfmi_trig_poly *poly) {
  const sfmi_lattice_axis *axis = &poly->release->function->lattice.axis[0];
  return 10 / (poly->release->method == SFMI_LATTICE ? (double)axis->points * axis->spacing
                                                     : poly->period[0]);
}

/* One variable: the shares by the min-max formula of isotonic regression, min over the first and
 * max over the last frequency of a run of them of 1 - sum v/sum |c|^2, cut off at zero; and factors
 * from shares l, the kernel's transform t and the part r of the noise that is within the bounds:
 * l/(l + r (1 - l)) (1 + 1/t)/2, at most 1. */
static void factors_are_those_of_isotonic_regression(void **state) {
  (void)state;
  sfm_error error;
  for (int gp = 0; gp < 2; gp++) {
    sfm_release *release = make(1, 0.4, 0.3, gp ? 1e-6 : 0, 300, SFM_NEIGHBOURS_REPLACE);
    sfmi_trig_poly *poly = wave_of(release), *raw = wave_of(release);
    const size_t P = poly->modes[0], m = P / 2;
    assert_ok(sfmi_shrinkage_apply(poly, 1 / 300.0, &error), &error);
    assert_true(poly->c[0] == raw->c[0]);
    double last = 1;
    size_t kept = 0, changed = 0;
    for (size_t j = 1; j <= m; j++) {
      double factor = INFINITY;
      for (size_t from = 1; from <= j; from++) {
        double power = 0, noise = 0, most = -INFINITY;
        for (size_t to = from; to <= m; to++) {
          power += 2 * creal(raw->c[to] * conj(raw->c[to]));
          noise += 2 * sfmi_mode_noise_variance(raw, &to) / (300.0 * 300.0);
          if (to >= j) most = fmax(most, 1 - noise / power);
        }
        factor = fmin(factor, most);
      }
      const double share = fmax(factor, 0), size = cabs(raw->c[j]),
                   turn = 2 * M_PI * (double)j * 0.4 / raw->period[0], r = inside_of(raw);
      factor = fmin(1, share / (share + r * (1 - share)) * (1 + exp(0.5 * turn * turn)) / 2);
      assert_true(cabs(poly->c[j] - factor * raw->c[j]) <= 1e-9 * size);
      assert_true(cabs(poly->c[P - j] - conj(poly->c[j])) <= 1e-9 * size);
      assert_true(share <= last + 1e-12 && factor >= share);
      last = share;
      kept += factor > 0;
      changed += factor < 0.9;
    }
    assert_true(kept > 2 && changed > 2);
    sfmi_trig_poly_destroy(poly);
    sfmi_trig_poly_destroy(raw);
    sfm_release_destroy(release);
  }
}

/* The power of the noise in every frequency, measured. */
static void the_noise_of_frequencies_is_what_its_law_says(void **state) {
  (void)state;
  for (int kind = 0; kind < RENOISE_KINDS; kind++) {
    sfm_release *clean = renoise_make((renoise_kind)kind, 2, 50), *noisy = NULL;
    sfmi_trig_poly *base = wave_of(clean);
    sfmi_prng prng;
    sfmi_prng_init(&prng, 20 + (uint64_t)kind);
    tally *tallies = calloc(base->length, sizeof *tallies);
    for (int r = 0; r < MANY; r++) {
      sfm_release_destroy(noisy);
      noisy = renoise(clean, 3, &prng);
      sfmi_trig_poly *poly = wave_of(noisy);
      for (size_t i = 0; i < poly->length; i++) {
        const double complex d = poly->c[i] - base->c[i];
        tally_add(&tallies[i], creal(d * conj(d)));
      }
      sfmi_trig_poly_destroy(poly);
    }
    const double body = kind == RENOISE_BODY ? 0.05 : 0; /* its moments are nearly those */
    size_t rejected = 0;
    base->release = noisy;
    for (size_t i = 0; i < base->length; i++) {
      const size_t P = base->modes[base->dimension - 1],
                   index[] = {base->dimension == 2 ? i / P : i, i % P};
      const double said = sfmi_mode_noise_variance(base, index) / (50.0 * 50.0),
                   error = tally_error(&tallies[i]), got = tally_mean(&tallies[i]);
      /* Each of many: one more digit than the significance; tails of exponentials are heavier. */
      if (!(fabs(got - said) <= 7 * error + body * said + 1e-30))
        fail_msg("kind %d, mode %zu: %g is not %g +- %g", kind, i, got, said, error);
      rejected += fabs(got - 2 * said) > 5 * error;
    }
    assert_true(rejected >= base->length / 2); /* twice the power would be noticed */
    free(tallies);
    sfmi_trig_poly_destroy(base);
    sfm_release_destroy(clean);
    sfm_release_destroy(noisy);
  }
}

/* The mean integrated squared error of raw and of refined, over new noise. */
static void errors(tally *gain, double *ratio, const sfm_release *clean, double scale,
                   sfm_refine_settings settings, int releases) {
  enum { POINTS = 201 };
  static double truth[POINTS * POINTS], values[POINTS * POINTS];
  const size_t points = clean->dimension == 1 ? POINTS : 41;
  double before = 0, after = 0;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 99);
  *gain = (tally){0};
  renoise_values(truth, clean, points);
  for (int r = 0; r < releases; r++) {
    sfm_release *noisy = renoise(clean, scale, &prng), *refined = refine(noisy, settings);
    renoise_values(values, noisy, points);
    const double raw = renoise_distance(values, truth, clean, points);
    renoise_values(values, refined, points);
    const double now = renoise_distance(values, truth, clean, points);
    before += raw;
    after += now;
    tally_add(gain, raw - now);
    sfm_release_destroy(noisy);
    sfm_release_destroy(refined);
  }
  *ratio = before / after;
}

/* Three shapes of one variable and one of two, from noise that drowns them to none. */
static sfm_release *shaped(int shape, size_t rows) {
  const size_t d = shape == 3 ? 2 : 1;
  double *values = calloc(rows * d, sizeof *values);
  density_fixture t;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  density_fixture_init(&t, d, 0, 10, d == 2 ? 1.5 : 0.5, 1e3, 0); /* as good as no noise */
  t.settings.method = SFM_DENSITY_LATTICE;
  t.settings.context.seeded = true;
  for (size_t i = 0; i < rows * d; i++) {
    const double u = sfmi_prng_uniform(&prng), z = sfmi_prng_normal(&prng);
    values[i] = shape == 0   ? 5 + 1.2 * z
                : shape == 1 ? u < 0.6 ? 3 + 0.5 * z : 7.5 + 0.3 * z
                : shape == 2 ? 2 + 5 * u
                             : 4 + z;
  }
  sfm_release *release = density_fixture_release(&t, values, rows);
  density_fixture_clear(&t);
  free(values);
  return release;
}

static void shrinking_gains_where_noise_is_large_and_harms_nowhere(void **state) {
  (void)state;
  const sfm_refine_settings shrink = {.size = sizeof(sfm_refine_settings), .shrink = true},
                            all = sfm_refine_settings_default();
  const int releases = test_long() ? 1000 : 30;
  for (int shape = 0; shape < 4; shape++) {
    if (test_left_out((size_t)shape, 2)) continue;
    sfm_release *clean = shaped(shape, 1000);
    for (double scale = 200; scale > 0.1; scale /= 10) {
      tally gain;
      double ratio;
      errors(&gain, &ratio, clean, scale, shrink, releases);
      /* Not by more than 3 % of what the noise itself is, at the significance of all tests. */
      double energy;
      sfm_error error;
      sfm_release *noisy;
      assert_ok(sfmi_release_derive(&noisy, clean, &error), &error);
      noisy->scale = scale;
      assert_ok(sfmi_integrated_noise_variance(&energy, noisy, &error), &error);
      sfm_release_destroy(noisy);
      assert_true(tally_mean(&gain) + TEST_Z * tally_error(&gain) >= -0.03 * energy);
      if (scale > 100) assert_true(tally_mean(&gain) - TEST_Z * tally_error(&gain) > 0);
      if (scale > 100) assert_true(ratio > 1.5);
      if (scale < 10) continue;
      errors(&gain, &ratio, clean, scale, all, releases);
      assert_true(tally_mean(&gain) > (scale > 100 ? TEST_Z : 1) * tally_error(&gain));
      if (!(ratio > (scale > 100 ? 3 : 1.1))) fail_msg("shape %d: gain %g", shape, ratio);
    }
    sfm_release_destroy(clean);
  }
}

/* Series: by the noise that planners state, much of which the many terms are. */
static void series_are_shrunk(void **state) {
  (void)state;
  enum { N = 500, TERMS = 64, RELEASES = 20, POINTS = 401 };
  static const sfm_basis bases[] = {SFM_BASIS_FOURIER, SFM_BASIS_COSINE, SFM_BASIS_LEGENDRE,
                                    SFM_BASIS_HAAR,    SFM_BASIS_DB4,    SFM_BASIS_EIGEN};
  static double rows[N], truth[POINTS], values[POINTS];
  density_fixture_rows(rows, N, 1, 0, 10, 12);
  for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
    series_fixture t;
    sfmi_prng prng;
    tally gain = {0};
    double before = 0, after = 0, energy;
    sfm_error error;
    sfmi_prng_init(&prng, 40 + b);
    const size_t terms = bases[b] == SFM_BASIS_EIGEN     ? 16
                         : bases[b] == SFM_BASIS_FOURIER ? TERMS + 1
                                                         : TERMS;
    series_fixture_init(&t, bases[b], terms, SFM_VECTOR_NOISE_LAPLACE, 0, 10);
    t.settings.epsilon = 1000;
    sfm_release *clean = series_fixture_release(&t, rows, N);
    series_fixture_clear(&t);
    renoise_values(truth, clean, POINTS);
    assert_ok(sfmi_integrated_noise_variance(&energy, clean, &error), &error);
    const double scale = clean->scale * sqrt(0.1 / energy); /* as much as the density has */
    for (int r = 0; r < RELEASES; r++) {
      sfm_release *noisy = renoise(clean, scale, &prng);
      noisy->function->basis = clean->function->basis;
      sfm_release *refined =
          refine(noisy, (sfm_refine_settings){.size = sizeof(sfm_refine_settings), .shrink = true});
      renoise_values(values, noisy, POINTS);
      const double raw = renoise_distance(values, truth, clean, POINTS);
      renoise_values(values, refined, POINTS);
      const double now = renoise_distance(values, truth, clean, POINTS);
      before += raw;
      after += now;
      tally_add(&gain, raw - now);
      noisy->function->basis = NULL;
      sfm_release_destroy(noisy);
      sfm_release_destroy(refined);
    }
    assert_relative("energy", before / RELEASES, 0.1, 0.2);
    assert_true(tally_mean(&gain) > TEST_Z * tally_error(&gain));
    if (!(before > 1.5 * after)) fail_msg("basis %zu: gain %g", b, before / after);
    sfm_release_destroy(clean);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors_are_those_of_isotonic_regression),
      cmocka_unit_test(the_noise_of_frequencies_is_what_its_law_says),
      cmocka_unit_test(shrinking_gains_where_noise_is_large_and_harms_nowhere),
      cmocka_unit_test(series_are_shrunk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
