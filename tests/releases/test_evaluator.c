/* test_evaluator.c - tables and gathers against the sum itself, the edges of the domain, and what a
 * release is divided by. */
#include "density_fixture.h"

#include "releases/eval/nufft.h"
#include "releases/eval/evaluator.h"
#include "releases/eval/piecewise_polynomial.h"

enum { N = 3000, POINTS = 4000 };

static sfm_release *make(size_t d, double lower, double h, double epsilon, double delta,
                         sfm_density_method method, sfm_neighbours neighbours) {
  static double rows[2 * N];
  density_fixture t;
  density_fixture_init(&t, d, lower, lower + 10, h, epsilon, delta);
  density_fixture_neighbours(&t, neighbours, 1);
  t.settings.method = method;
  t.settings.context.seeded = true;
  t.settings.context.seed = 17;
  density_fixture_rows(rows, N, d, lower, lower + 10, 18);
  sfm_release *release = density_fixture_release(&t, rows, N);
  density_fixture_clear(&t);
  return release;
}

/* The polynomial of a release over its total. */
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

static void compare(sfm_release *release) {
  sfm_error error;
  sfm_evaluator *evaluator;
  const size_t d = release->dimension;
  static double points[2 * POINTS], values[POINTS], exact[POINTS];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 19);
  for (size_t i = 0; i < POINTS * d; i++) {
    size_t a = i % d;
    double u = i < 8 ? (double)(i / 2 % 2) : sfmi_prng_uniform(&prng);
    points[i] =
        fmin(release->lower[a] + u * (release->upper[a] - release->lower[a]), release->upper[a]);
  }
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, values, points, POINTS, &error), &error);
  sfmi_trig_poly *poly = wave_of(release);
  double peak = 0, worst = 0;
  const size_t checked = d == 1 ? POINTS : 400;
  for (size_t i = 0; i < checked; i++) {
    exact[i] = sfmi_trig_poly_at(poly, points + i * d);
    peak = fmax(peak, fabs(exact[i]));
    worst = fmax(worst, fabs(exact[i] - values[i]));
  }
  if (!(worst <= 1e-9 * peak)) fail_msg("off by %g of the peak", worst / peak);
  /* A few points go by the sum itself: the same function. */
  double few[8];
  assert_ok(sfm_evaluator_at(evaluator, few, points, 8, &error), &error);
  for (size_t i = 0; i < 8; i++) assert_near("few points", few[i], exact[i], 1e-12 * peak);
  sfm_evaluator_destroy(evaluator);
  sfmi_trig_poly_destroy(poly);
}

static void tables_and_gathers_are_the_sum(void **state) {
  (void)state;
  const double lowers[] = {0, -5, 1e9};
  for (size_t i = 0; i < 3; i++) {
    for (int gp = 0; gp < 2; gp++) {
      sfm_density_method method = gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
      sfm_release *one = make(1, lowers[i], 0.2, 1, gp ? 1e-6 : 0, method, SFM_NEIGHBOURS_REPLACE);
      compare(one);
      sfm_release_destroy(one);
    }
  }
  for (int gp = 0; gp < 2; gp++) {
    sfm_release *two = make(2, 3, 1, 1, gp ? 1e-6 : 0, gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE,
                            SFM_NEIGHBOURS_ADD_REMOVE);
    compare(two);
    sfm_release_destroy(two);
  }
}

/* One variable through the nufft, too: what long tables fall back to. */
static void gathers_of_one_variable_are_the_sum(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *release = make(1, 0, 0.2, 1, 0, SFM_DENSITY_LATTICE, SFM_NEIGHBOURS_REPLACE);
  sfmi_trig_poly *poly = wave_of(release);
  sfmi_nufft *nufft;
  assert_ok(sfmi_nufft_create(&nufft, poly, &error), &error);
  for (double x = 0; x <= 10; x += 0.0625)
    assert_near("nufft", sfmi_nufft_at(nufft, &x), sfmi_trig_poly_at(poly, &x), 1e-10);
  sfmi_nufft_destroy(nufft);
  sfmi_trig_poly_destroy(poly);
  sfm_release_destroy(release);
}

static void outside_the_domain_is_nothing(void **state) {
  (void)state;
  sfm_error error;
  for (size_t d = 1; d <= 2; d++) {
    sfm_release *release = make(d, 0, 2, 1, 0, SFM_DENSITY_LATTICE, SFM_NEIGHBOURS_REPLACE);
    sfm_evaluator *evaluator;
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    const double bad[] = {-1e-9, 10 + 1e-9, NAN, INFINITY, -INFINITY, 1e308, -1e308, 11};
    double points[128], values[64];
    for (int count = 8; count <= 64; count += 56) { /* the sum, and the tables */
      for (int i = 0; i < count; i++) {
        points[(size_t)i * d] = bad[i % 8];
        if (d == 2) {
          points[2 * i + 1] = i < 16 ? 5 : bad[i % 8];
          if (i % 3 == 0) points[2 * i] = 5, points[2 * i + 1] = bad[i % 8];
        }
      }
      assert_ok(sfm_evaluator_at(evaluator, values, points, (size_t)count, &error), &error);
      for (int i = 0; i < count; i++) assert_true(isnan(values[i]));
      /* The bounds themselves are inside. */
      for (int i = 0; i < count; i++)
        for (size_t a = 0; a < d; a++) points[(size_t)i * d + a] = (i + (int)a) % 2 ? 0 : 10;
      assert_ok(sfm_evaluator_at(evaluator, values, points, (size_t)count, &error), &error);
      for (int i = 0; i < count; i++) assert_true(isfinite(values[i]));
    }
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(release);
  }
}

static void grids_are_their_points(void **state) {
  (void)state;
  sfm_error error;
  for (size_t d = 1; d <= 2; d++) {
    sfm_release *release = make(d, -5, 1.5, 1, 0, SFM_DENSITY_LATTICE, SFM_NEIGHBOURS_REPLACE);
    sfm_evaluator *evaluator;
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    const size_t counts[] = {7, 101}, large[] = {2, 300000}, one[] = {1, 5};
    double *values = malloc(600000 * sizeof *values), value;
    assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
    for (size_t i = 0; i < 7 * (d == 2 ? 101 : 1); i++) {
      double x[2] = {-5 + 10 * (double)(d == 2 ? i / 101 : i) / 6,
                     -5 + 10 * (double)(i % 101) / 100};
      assert_ok(sfm_evaluator_at(evaluator, &value, x, 1, &error), &error);
      assert_near("grid", values[i], value, 1e-12);
    }
    /* A grid whose matrices would be large goes point by point. */
    if (d == 2) {
      assert_ok(sfm_evaluator_grid(evaluator, values, large, &error), &error);
      for (size_t i = 0; i < 600000; i += 7001) {
        double x[2] = {i < 300000 ? -5 : 5, -5 + 10 * (double)(i % 300000) / 299999};
        assert_ok(sfm_evaluator_at(evaluator, &value, x, 1, &error), &error);
        assert_near("large grid", values[i], value, 1e-10);
      }
    }
    assert_int_equal(sfm_evaluator_grid(evaluator, values, one, &error), SFM_INVALID);
    const size_t absurd[] = {(size_t)1 << 40, 2};
    assert_int_equal(sfm_evaluator_grid(evaluator, values, absurd, &error), SFM_INVALID);
    free(values);
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(release);
  }
}

/* Under add/remove: the noisy total, or a public number; under replace n, whatever is said. */
/* Steady evaluation gives a point the same bits alone, among others and whatever is around it; it
 * is the sum all the same. */
static void steady_values_do_not_depend_on_company(void **state) {
  (void)state;
  for (size_t d = 1; d <= 2; d++) {
    sfm_error error;
    sfm_evaluator *evaluator;
    static double points[POINTS * 2], together[POINTS], plain[POINTS];
    sfmi_prng prng;
    sfmi_prng_init(&prng, d);
    sfm_release *release = make(d, 0, 0.5, 1, 1e-6, SFM_DENSITY_GP, SFM_NEIGHBOURS_REPLACE);
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    for (size_t i = 0; i < POINTS * d; i++) points[i] = 10 * sfmi_prng_uniform(&prng);
    points[0] = 0;
    points[d] = 10;
    sfmi_evaluator_at_reproducible(evaluator, together, points, POINTS);
    assert_ok(sfm_evaluator_at(evaluator, plain, points, POINTS, &error), &error);
    for (size_t i = 0; i < POINTS; i++) {
      double alone;
      sfmi_evaluator_at_reproducible(evaluator, &alone, points + i * d, 1);
      assert_memory_equal(&alone, &together[i], sizeof alone);
      assert_near("steady", together[i], plain[i], 1e-11);
    }
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(release);
  }
}

static void totals_divide(void **state) {
  (void)state;
  sfm_error error;
  sfm_evaluator *evaluator;
  const double x = 4;
  for (int gp = 0; gp < 2; gp++) {
    sfm_release *release =
        make(1, 0, 1, 1, gp ? 1e-6 : 0, gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE,
             SFM_NEIGHBOURS_ADD_REMOVE);
    double noisy = sfmi_release_total(release), own, given;
    /* Well within the noise of the sum of its coefficients. */
    assert_near("noisy total", noisy, N, gp ? 200 : 100);
    assert_true(noisy != N);
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    assert_ok(sfm_evaluator_at(evaluator, &own, &x, 1, &error), &error);
    sfm_evaluator_destroy(evaluator);
    assert_ok(sfm_evaluator_create(&evaluator, release, 2 * noisy, &error), &error);
    assert_ok(sfm_evaluator_at(evaluator, &given, &x, 1, &error), &error);
    assert_relative("half of it", given, own / 2, 1e-12);
    sfm_evaluator_destroy(evaluator);
    assert_int_equal(sfm_evaluator_create(&evaluator, release, -1, &error), SFM_INVALID);
    assert_int_equal(sfm_evaluator_create(&evaluator, release, NAN, &error), SFM_INVALID);
    assert_int_equal(sfm_evaluator_create(&evaluator, release, INFINITY, &error), SFM_INVALID);
    /* A total that noise made negative cannot divide. */
    for (size_t i = 0; i < release->length; i++) release->integers[i] = -1;
    assert_int_equal(sfm_evaluator_create(&evaluator, release, 0, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "total = N"));
    assert_null(evaluator);
    sfm_release_destroy(release);
  }
  sfm_release *release = make(1, 0, 1, 1, 0, SFM_DENSITY_LATTICE, SFM_NEIGHBOURS_REPLACE);
  assert_true(sfmi_release_total(release) == N);
  sfm_release_destroy(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_and_gathers_are_the_sum),
      cmocka_unit_test(gathers_of_one_variable_are_the_sum),
      cmocka_unit_test(outside_the_domain_is_nothing),
      cmocka_unit_test(grids_are_their_points),
      cmocka_unit_test(totals_divide),
      cmocka_unit_test(steady_values_do_not_depend_on_company),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
