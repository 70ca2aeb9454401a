/* test_density.c - densities end to end through the public face, with hostile rows. */
/* suite: release */
#include "pooled_variance.h"

#include <unistd.h>

#include "releases/core/release_data.h"

static const double METHODS_DELTA[] = {0, 1e-6};

static void prepare(density_fixture *t, size_t d, double h, int gp, sfm_neighbours neighbours,
                    uint32_t k) {
  density_fixture_init(t, d, 0, 1, h, 1, METHODS_DELTA[gp]);
  density_fixture_neighbours(t, neighbours, k);
  t->settings.method = gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
  t->settings.context.seeded = true;
  t->settings.context.seed = 31;
}

/* Releases with the same seed have the same noise: their difference is that of the private sums. */
static double moved(const sfm_release *x, const sfm_release *y) {
  assert_int_equal(x->length, y->length);
  assert_true(x->step == y->step && x->scale == y->scale);
  double l1 = 0, l2 = 0;
  for (size_t i = 0; i < x->length; i++) {
    double move = (double)(x->integers[i] - y->integers[i]) * x->step;
    l1 += fabs(move);
    l2 += move * move;
  }
  return x->method == SFMI_GP ? sqrt(l2) : l1;
}

static double moved_rows(const density_fixture *t, const double *x, size_t nx, const double *y,
                         size_t ny) {
  sfm_release *p = density_fixture_release(t, x, nx), *q = density_fixture_release(t, y, ny);
  double move = moved(p, q);
  assert_true(move <= p->sensitivity);
  move /= p->sensitivity;
  sfm_release_destroy(p);
  sfm_release_destroy(q);
  return move;
}

static const double hostile[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, -5e-324,  1e-310,
                                 0,   -0.0,     1,         2,     -2,     0.5,    1 + 1e-15};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

/* One row replaced by any other moves the release by at most its sensitivity, and some come close.
 */
static void neighbours_never_pass_the_sensitivity(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 32);
  for (size_t d = 1; d <= 2; d++)
    for (int gp = 0; gp < 2; gp++)
      for (int outside = 0; outside < 2; outside++) {
        density_fixture t;
        double best = 0, x[8], y[8];
        if (d == 2 && test_left_out((size_t)(gp + outside), 2)) continue;
        /* (In two dimensions, fine enough that the band is bounded and not simulated.) */
        prepare(&t, d, d == 1 ? 0.05 : 0.012, gp, SFM_NEIGHBOURS_REPLACE, 1);
        t.settings.outside = outside ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP;
        for (int i = 0; i < (d == 1 ? (int)test_repetitions(8, 4) : 2); i++) {
          for (size_t k = 0; k < 4 * d; k++) x[k] = y[k] = sfmi_prng_uniform(&prng);
          for (size_t k = 0; k < d; k++) {
            size_t p = sfmi_prng_word(&prng) % (HOSTILE + 8);
            size_t q = sfmi_prng_word(&prng) % (HOSTILE + 8);
            x[d + k] = i == 0 ? 0.2 : p < HOSTILE ? hostile[p] : sfmi_prng_uniform(&prng);
            y[d + k] = i == 0 ? 0.8 : q < HOSTILE ? hostile[q] : sfmi_prng_uniform(&prng);
          }
          best = fmax(best, moved_rows(&t, x, 4, y, 4));
        }
        print_message("d = %zu, %s, %s: %.4f of the sensitivity\n", d, gp ? "gp" : "lattice",
                      outside ? "drop" : "clamp", best);
        assert_true(best >= 0.99);
        density_fixture_clear(&t);
      }
}

static void added_rows_and_contributions_stay_within_it_too(void **state) {
  (void)state;
  for (int gp = 0; gp < 2; gp++)
    for (uint32_t k = 1; k <= 3; k += 2) {
      density_fixture t;
      const double x[] = {0.1, 0.9, 0.3, 0.8, 0.8, 0.8}, y[] = {0.1, 0.9, 0.3, 0.1, 0.1, 0.1};
      prepare(&t, 1, 0.05, gp, SFM_NEIGHBOURS_ADD_REMOVE, k);
      double added = moved_rows(&t, x, 3 + k, x, 3);
      assert_true(added >= 0.99);
      density_fixture_clear(&t);
      prepare(&t, 1, 0.05, gp, SFM_NEIGHBOURS_REPLACE, k);
      double replaced = moved_rows(&t, x, 3 + k, y, 3 + k);
      assert_true(replaced >= 0.99);
      density_fixture_clear(&t);
    }
}

/* What a value is worth: the same release as of another value. */
static void same_as(const density_fixture *t, double value, double other) {
  const double x[] = {0.4, value, 0.7}, y[] = {0.4, other, 0.7};
  sfm_release *p = density_fixture_release(t, x, 3), *q = density_fixture_release(t, y, 3);
  if (moved(p, q) != 0) fail_msg("%g does not count as %g", value, other);
  sfm_release_destroy(p);
  sfm_release_destroy(q);
}

static void rows_that_do_not_fit_count_as_said(void **state) {
  (void)state;
  for (int gp = 0; gp < 2; gp++) {
    density_fixture t;
    prepare(&t, 1, 0.05, gp, SFM_NEIGHBOURS_ADD_REMOVE, 1);
    t.settings.outside = SFM_OUTSIDE_CLAMP;
    same_as(&t, 1e308, 1);
    same_as(&t, -1e308, 0);
    same_as(&t, 1 + 1e-15, 1);
    same_as(&t, -5e-324, 0);
    same_as(&t, INFINITY, NAN);
    same_as(&t, -INFINITY, NAN);
    t.settings.outside = SFM_OUTSIDE_DROP;
    same_as(&t, 1e308, NAN);
    same_as(&t, -1e-300, NAN);
    same_as(&t, 1.0000001, NAN);
    same_as(&t, INFINITY, NAN);
    /* A row that counts as nothing is no row: n is private here. */
    const double x[] = {0.4, NAN, 0.7}, y[] = {0.4, 0.7};
    sfm_release *p = density_fixture_release(&t, x, 3), *q = density_fixture_release(&t, y, 2);
    assert_true(moved(p, q) == 0);
    assert_true(p->band.half_width == q->band.half_width);
    sfm_release_destroy(p);
    sfm_release_destroy(q);
    density_fixture_clear(&t);
  }
}

static void order_does_not_matter(void **state) {
  (void)state;
  enum { N = 5000 };
  static double rows[2 * N], back[2 * N];
  for (int gp = 0; gp < 2; gp++) {
    density_fixture t;
    prepare(&t, 2, 0.3, gp, SFM_NEIGHBOURS_REPLACE, 1);
    density_fixture_rows(rows, N, 2, -0.1, 1.1, 33);
    for (size_t i = 0; i < N; i++) memcpy(back + 2 * i, rows + 2 * (N - 1 - i), 2 * sizeof *rows);
    sfm_release *p = density_fixture_release(&t, rows, N),
                *q = density_fixture_release(&t, back, N);
    assert_memory_equal(p->integers, q->integers, p->length * sizeof *p->integers);
    sfm_release_destroy(p);
    sfm_release_destroy(q);
    density_fixture_clear(&t);
  }
}

static void coefficients_lie_on_their_lattice(void **state) {
  (void)state;
  double rows[100];
  density_fixture_rows(rows, 50, 2, 0, 1, 34);
  for (size_t d = 1; d <= 2; d++)
    for (int gp = 0; gp < 2; gp++) {
      density_fixture t;
      prepare(&t, d, 0.2, gp, SFM_NEIGHBOURS_REPLACE, 1);
      t.settings.context.seeded = false;
      sfm_release *release = density_fixture_release(&t, rows, 50);
      int exponent;
      assert_true(frexp(release->step, &exponent) == 0.5);
      for (size_t i = 0; i < release->length; i++) {
        double steps = sfm_release_coefficient(release, i) / release->step;
        assert_true(steps == rint(steps) && steps == (double)release->integers[i]);
      }
      assert_true(sfm_release_private(release));
      sfm_release_destroy(release);
      density_fixture_clear(&t);
    }
}

/* One row that counts as nothing: what is released is the noise.  Many coefficients at once in the
 * short run; two thousand releases in the long one. */
static void noise_has_the_calibrated_variance(void **state) {
  (void)state;
  const double nothing[2] = {NAN, NAN};
  for (int gp = 0; gp < 2; gp++) {
    density_fixture t;
    sfm_error error;
    pooled_variance p = {0};
    double h = test_long() ? (gp ? 0.05 : 0.01)
               : gp        ? 0.012
                           : 6e-5,
           ratio, sensitivity, variance = 0;
    size_t releases = test_long() ? 2000 : gp ? 3 : 12;
    prepare(&t, gp && !test_long() ? 2 : 1, h, gp, SFM_NEIGHBOURS_REPLACE, 1);
    t.settings.context.seeded = false;
    for (size_t r = 0; r < releases; r++) {
      sfm_release *release = density_fixture_release(&t, nothing, 1);
      for (size_t i = 0; i < release->length; i++)
        pooled_variance_add(&p, sfm_release_coefficient(release, i));
      if (gp) {
        assert_ok(sfm_gaussian_ratio(&ratio, 1, 1e-6, SFM_CALIBRATION_EXACT, &error), &error);
        sensitivity = M_SQRT2;
        variance = ratio * ratio * 2;
      } else {
        sensitivity = 2;
        variance = 2 * 2 * 2;
      }
      /* Hardening costs at most 0.1 %. */
      assert_true(release->sensitivity >= sensitivity * (1 - 1e-15));
      assert_true(release->sensitivity <= sensitivity * 1.001);
      variance *= (release->sensitivity / sensitivity) * (release->sensitivity / sensitivity);
      assert_relative("stated scale", release->scale * release->scale, gp ? variance : variance / 2,
                      1e-9);
      sfm_release_destroy(release);
    }
    pooled_variance_check(gp ? "gp" : "lattice", &p, variance, gp ? 3 : 6);
    density_fixture_clear(&t);
  }
}

/* Figure 3.2 of the thesis (docs/papers.md): n = 100, h = 0.1 on the unit interval at (1, 0.1). */
static void the_numbers_of_figure_3_2_come_out(void **state) {
  (void)state;
  double rows[100];
  density_fixture_rows(rows, 100, 1, 0, 1, 35);
  for (int classical = 0; classical < 2; classical++) {
    density_fixture t;
    prepare(&t, 1, 0.1, 1, SFM_NEIGHBOURS_REPLACE, 1);
    t.settings.delta = 0.1;
    t.settings.calibration = classical ? SFM_CALIBRATION_CLASSICAL : SFM_CALIBRATION_EXACT;
    sfm_release *release = density_fixture_release(&t, rows, 100);
    double unit = 100 * sqrt(2 * M_PI) * 0.1;
    assert_relative("Delta", release->sensitivity / unit, 0.056419, 1e-3);
    assert_true(release->sensitivity / unit >= 0.0564189);
    double exact = M_SQRT2 / unit * (classical ? 2.4477468 : 1.0859);
    assert_relative("sigma", release->scale / unit, exact, 1.1e-3);
    assert_near("sigma as printed", release->scale / unit, classical ? 0.1381 : 0.0613, 1.5e-4);
    sfm_release_destroy(release);
    density_fixture_clear(&t);
  }
}

static void releases_say_what_they_are(void **state) {
  (void)state;
  double rows[20];
  density_fixture_rows(rows, 20, 1, 0, 1, 36);
  for (int gp = 0; gp < 2; gp++)
    for (int seeded = 0; seeded < 2; seeded++)
      for (int add = 0; add < 2; add++) {
        density_fixture t;
        prepare(&t, 1, 0.2, gp, add ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE,
                1 + (uint32_t)add);
        t.settings.context.seeded = seeded;
        sfm_release *release = density_fixture_release(&t, rows, 20);
        sfm_guarantee g = sfm_release_guarantee(release);
        assert_int_equal(g.kind, gp ? SFM_GUARANTEE_GDP : SFM_GUARANTEE_PURE);
        assert_true(g.epsilon == 1 && g.delta == METHODS_DELTA[gp] && (g.mu > 0) == gp &&
                    g.rho == 0);
        assert_true(sfm_release_private(release) == !seeded && sfm_release_hardened(release));
        assert_int_equal(sfm_release_neighbours(release),
                         add ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE);
        assert_string_equal(sfm_kind_name(sfm_release_kind(release)), "density");
        assert_string_equal(sfm_release_method(release), gp ? "gp" : "lattice");
        assert_true((strstr(sfm_release_sentence(release), "NOT PRIVATE") != NULL) == seeded);
        assert_true(release->contributions == 1 + (uint32_t)add && !release->enforced);
        assert_true(release->has_rows == !add && release->rows == (add ? 0u : 20u));
        /* n is nowhere in an add/remove release. */
        if (add) {
          char *summary;
          sfm_error error;
          assert_ok(sfm_release_summary(release, &summary, &error), &error);
          assert_null(strstr(summary, "\"rows\""));
          sfm_free(summary);
        }
        sfm_release_destroy(release);
        density_fixture_clear(&t);
      }
}

static void no_rows_are_a_release_only_when_n_is_private(void **state) {
  (void)state;
  char path[] = "/tmp/sfumato_density.XXXXXX";
  int file = mkstemp(path);
  assert_int_equal(write(file, "a\n", 2), 2);
  close(file);
  sfm_error error;
  for (int gp = 0; gp < 2; gp++) {
    density_fixture t;
    sfm_rows *rows;
    sfm_release *release;
    prepare(&t, 1, 0.2, gp, SFM_NEIGHBOURS_ADD_REMOVE, 1);
    assert_ok(sfm_rows_open(&rows, path, &error), &error);
    assert_ok(sfm_density_release(&release, NULL, rows, &t.settings, &error), &error);
    sfm_release_destroy(release);
    sfm_rows_destroy(rows);
    release = density_fixture_release(&t, NULL, 0);
    sfm_release_destroy(release);
    density_fixture_clear(&t);
    prepare(&t, 1, 0.2, gp, SFM_NEIGHBOURS_REPLACE, 1);
    assert_ok(sfm_rows_open(&rows, path, &error), &error);
    assert_int_equal(sfm_density_release(&release, NULL, rows, &t.settings, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "no records"));
    assert_null(release);
    sfm_rows_destroy(rows);
    density_fixture_clear(&t);
  }
  unlink(path);
}

static void a_column_that_is_not_there_is_refused(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  sfm_rows *rows;
  sfm_release *release;
  const double values[] = {1, 2};
  const char *const names[] = {"other"};
  prepare(&t, 1, 0.2, 0, SFM_NEIGHBOURS_REPLACE, 1);
  assert_ok(sfm_rows_from_array(&rows, values, 2, 1, names, &error), &error);
  assert_int_equal(sfm_density_release(&release, NULL, rows, &t.settings, &error), SFM_INVALID);
  assert_null(release);
  sfm_rows_destroy(rows);
  density_fixture_clear(&t);
}

/* Far from zero, far apart, close together: the density is the density. */
static void places_and_units_do_not_matter(void **state) {
  (void)state;
  enum { N = 400 };
  const double lowers[] = {0, 1e6, -1e12, 0, 0}, widths[] = {1, 1, 1000, 1e-20, 1e20};
  for (int gp = 0; gp < 2; gp++)
    for (int i = 0; i < 5; i++) {
      static double rows[N];
      density_fixture t;
      sfm_error error;
      sfm_evaluator *evaluator;
      const double w = widths[i], low = lowers[i];
      density_fixture_rows(rows, N, 1, low, low + w, 37);
      density_fixture_init(&t, 1, low, low + w, 0.1 * w, 1e3, gp ? 0.5 : 0);
      t.settings.method = gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
      sfm_release *release = density_fixture_release(&t, rows, N);
      assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
      for (int k = 0; k <= 10; k++) {
        double q = fmin(low + w * k / 10, low + w), value;
        assert_ok(sfm_evaluator_at(evaluator, &value, &q, 1, &error), &error);
        assert_near("density", value * w, density_fixture_density(rows, N, 1, t.bandwidth, &q) * w,
                    0.02);
      }
      sfm_evaluator_destroy(evaluator);
      sfm_release_destroy(release);
      density_fixture_clear(&t);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(added_rows_and_contributions_stay_within_it_too),
      cmocka_unit_test(rows_that_do_not_fit_count_as_said),
      cmocka_unit_test(order_does_not_matter),
      cmocka_unit_test(coefficients_lie_on_their_lattice),
      cmocka_unit_test(noise_has_the_calibrated_variance),
      cmocka_unit_test(the_numbers_of_figure_3_2_come_out),
      cmocka_unit_test(releases_say_what_they_are),
      cmocka_unit_test(no_rows_are_a_release_only_when_n_is_private),
      cmocka_unit_test(a_column_that_is_not_there_is_refused),
      cmocka_unit_test(places_and_units_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
