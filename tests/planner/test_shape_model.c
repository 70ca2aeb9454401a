/* test_shape_model.c - public shapes: what words mean, what is refused, densities of integral one,
 * and draws from them. */
/* suite: release */
#include "density_fixture.h"

#include "planner/forecast/shape.h"
#include "planner/forecast/shape_model.h"
#include "sfumato/sfumato.h"

enum { FINE = 4000 };
static const double LOWER[] = {0, -1, 5}, UPPER[] = {100, 1, 6};

static sfm_shape *parse(const char *words, size_t dimension) {
  sfm_error error;
  sfm_shape *shape = NULL;
  assert_ok(sfm_shape_parse(&shape, words, dimension, &error), &error);
  return shape;
}

static sfmi_shape_model *lay(const sfm_shape *shape, size_t dimension) {
  sfm_error error;
  sfmi_shape_model *shape_model = NULL;
  assert_ok(sfmi_shape_model_create(&shape_model, shape, density_fixture_columns, dimension, LOWER,
                                    UPPER, &error),
            &error);
  return shape_model;
}

static double integral(const sfmi_shape_model *shape_model, size_t a) {
  double sum = 0;
  for (size_t i = 0; i < FINE; i++) {
    const double x = LOWER[a] + (UPPER[a] - LOWER[a]) * ((double)i + 0.5) / FINE;
    double value;
    sfmi_shape_model_column(shape_model, a, &value, &x, 1);
    sum += value * (UPPER[a] - LOWER[a]) / FINE;
  }
  return sum;
}

static void test_words(void **state) {
  (void)state;
  static const struct {
    const char *words;
    size_t dimension;
    double peak;
  } good[] = {{"uniform", 1, 0.01},
              {"normal:40:5", 1, 0.0797884560802865},
              {"normal:0:5", 1, 2 * 0.0797884560802865}, /* half of it is cut off */
              {"normal:-200:100", 1, 0},
              {"normal:20:2+normal:80:2", 1, 0.0997355701003582},
              {"normal:4e1:5e+0", 1, 0.0797884560802865},
              {"uniform,uniform,uniform", 3, 0.005},
              {"uniform", 3, 0.005},
              {"normal:50:10,uniform", 2, 0.0398942280401433 / 2}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    sfm_shape *shape = parse(good[i].words, good[i].dimension);
    sfmi_shape_model *shape_model = lay(shape, good[i].dimension);
    if (good[i].peak > 0)
      assert_relative(good[i].words, sfmi_shape_model_peak(shape_model), good[i].peak, 1e-4);
    for (size_t a = 0; a < good[i].dimension; a++)
      assert_relative(good[i].words, integral(shape_model, a), 1, 1e-4);
    sfmi_shape_model_destroy(shape_model);
    sfm_shape_destroy(shape);
  }
}

static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"",
                                    "norm:1:2",
                                    "normal",
                                    "normal:1",
                                    "normal:1:",
                                    "normal:1:0",
                                    "normal:1:-2",
                                    "normal:1:2:3",
                                    "normal:a:2",
                                    "normal:nan:2",
                                    "normal:1:inf",
                                    "uniform+",
                                    "+uniform",
                                    "uniform,",
                                    ",uniform",
                                    "normal: 1:2",
                                    "uniform uniform",
                                    "@/no/such/file.sfm",
                                    ("uniform+uniform+uniform+uniform+uniform+uniform+uniform+"
                                     "uniform+uniform")};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sfm_error error = {SFM_OK, ""};
    sfm_shape *shape = NULL;
    if (!sfm_shape_parse(&shape, bad[i], 1, &error)) fail_msg("\"%s\" is taken", bad[i]);
    assert_null(shape);
    assert_true(strlen(error.message) > 10);
  }
  sfm_error error;
  sfm_shape *shape = NULL;
  assert_int_equal(sfm_shape_parse(&shape, "uniform,uniform", 3, &error), SFM_INVALID);
  assert_int_equal(sfm_shape_parse(&shape, "uniform,uniform", 1, &error), SFM_INVALID);
  sfmi_shape_model *shape_model = NULL;
  shape = parse("normal:400:10", 1);
  assert_int_equal(sfmi_shape_model_create(&shape_model, shape, density_fixture_columns, 1, LOWER,
                                           UPPER, &error),
                   SFM_INVALID);
  assert_non_null(strstr(error.message, "outside its bounds 0:100"));
  assert_int_equal(sfmi_shape_model_create(&shape_model, shape, density_fixture_columns, 2, LOWER,
                                           UPPER, &error),
                   SFM_INVALID);
  sfm_shape_destroy(shape);
}

/* Kolmogorov's distance of draws of a column to its law. */
static void check_draws(const sfmi_shape_model *shape_model, size_t dimension) {
  enum { COUNT = 20000 };
  static double points[COUNT * 3];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  sfmi_shape_model_draw(shape_model, points, COUNT, &prng);
  for (size_t a = 0; a < dimension; a++) {
    double worst = 0, below = 0;
    size_t counts[FINE] = {0}, sum = 0;
    const double step = (UPPER[a] - LOWER[a]) / FINE;
    for (size_t i = 0; i < COUNT; i++) {
      const double x = points[i * dimension + a];
      assert_true(x >= LOWER[a] && x <= UPPER[a]);
      const size_t cell = (size_t)((x - LOWER[a]) / step);
      counts[cell < FINE ? cell : FINE - 1]++;
    }
    for (size_t i = 0; i < FINE; i++) {
      const double x = LOWER[a] + step * ((double)i + 0.5);
      double value;
      sfmi_shape_model_column(shape_model, a, &value, &x, 1);
      below += value * step;
      sum += counts[i];
      worst = fmax(worst, fabs((double)sum / COUNT - below));
    }
    /* P(sqrt(n) D > 2.7) = 2 exp(-2 2.7^2) < 1e-6; and the law's own quadrature. */
    if (!(worst < 2.7 / sqrt(COUNT) + 1e-3)) fail_msg("column %zu: off by %g", a, worst);
  }
}

static void test_draws(void **state) {
  (void)state;
  static const char *const words[] = {"uniform", "normal:40:12", "normal:0:5",
                                      "normal:20:2+uniform", "normal:-100:60"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    sfm_shape *shape = parse(words[i], 1);
    sfmi_shape_model *shape_model = lay(shape, 1);
    check_draws(shape_model, 1);
    sfmi_shape_model_destroy(shape_model);
    sfm_shape_destroy(shape);
  }
}

static void test_family(void **state) {
  (void)state;
  for (size_t k = 0; k < SFMI_REFERENCE_SHAPES; k++) {
    sfm_error error;
    sfmi_shape_model *shape_model = NULL;
    assert_ok(sfmi_shape_model_create_reference(&shape_model, k, 3, LOWER, UPPER, &error), &error);
    for (size_t a = 0; a < 3; a++) assert_relative("family", integral(shape_model, a), 1, 1e-4);
    assert_true(sfmi_shape_model_is_product(shape_model));
    check_draws(shape_model, 3);
    sfmi_shape_model_destroy(shape_model);
  }
  sfmi_shape_model *shape_model = lay(NULL, 1);
  assert_relative("an eighth", sfmi_shape_model_deviation(shape_model, 0), 12.5, 2e-3);
  sfmi_shape_model_destroy(shape_model);
}

/* A release as a shape: the shape_model is its positive part, of integral one, and draws have its
 * law. */
static void test_pilot(void **state) {
  (void)state;
  for (size_t d = 1; d <= 3; d++) {
    enum { ROWS = 3000 };
    static double rows[ROWS * 3];
    sfm_error error;
    density_fixture t = {0};
    sfmi_prng prng;
    sfmi_prng_init(&prng, 11);
    density_fixture_init(&t, 0, 0, 1, 0.2, 2, 0);
    t.settings.dimension = d;
    for (size_t a = 0; a < d; a++) {
      assert_ok(
          sfm_schema_set_bounds(t.schema, density_fixture_columns[a], LOWER[a], UPPER[a], &error),
          &error);
      t.bandwidth[a] = 0.15 * (UPPER[a] - LOWER[a]);
      for (size_t i = 0; i < ROWS; i++) {
        const double u = 0.4 + 0.1 * sfmi_prng_normal(&prng);
        rows[i * d + a] = LOWER[a] + (UPPER[a] - LOWER[a]) * fmin(fmax(u, 0), 1);
      }
    }
    t.settings.context.seeded = true;
    sfm_release *release = density_fixture_release(&t, rows, ROWS);
    sfm_shape *shape = NULL;
    assert_ok(sfm_shape_from_release(&shape, release, &error), &error);
    sfmi_shape_model *shape_model = lay(shape, d);
    assert_int_equal(sfmi_shape_model_is_product(shape_model), d == 1);
    for (size_t a = 0; a < d; a++) assert_relative("a column", integral(shape_model, a), 1, 1e-3);
    check_draws(shape_model, d);
    double point[3], value, peak = 0;
    for (size_t i = 0; i < 2000; i++) {
      for (size_t a = 0; a < d; a++)
        point[a] = LOWER[a] + (UPPER[a] - LOWER[a]) * sfmi_prng_uniform(&prng);
      sfmi_shape_model_at(shape_model, &value, point, 1);
      assert_true(value >= 0);
      peak = fmax(peak, value);
    }
    assert_true(peak <= sfmi_shape_model_peak(shape_model) * (1 + 1e-9));
    char *text = sfmi_shape_text(shape);
    assert_non_null(strstr(text, "release:"));
    free(text);
    /* Bounds that it does not cover. */
    sfmi_shape_model *other = NULL;
    const double wider[] = {101, 2, 7};
    assert_int_equal(
        sfmi_shape_model_create(&other, shape, density_fixture_columns, d, LOWER, wider, &error),
        SFM_INVALID);
    sfmi_shape_model_destroy(shape_model);
    sfm_shape_destroy(shape);
    sfm_release_destroy(release);
    density_fixture_clear(&t);
  }
}

static void test_text(void **state) {
  (void)state;
  sfm_shape *shape = parse("normal:40:12+uniform,uniform", 2);
  char *text = sfmi_shape_text(shape);
  assert_string_equal(text, "normal:40:12+uniform,uniform");
  free(text);
  sfm_shape_destroy(shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),  cmocka_unit_test(test_refused), cmocka_unit_test(test_draws),
      cmocka_unit_test(test_family), cmocka_unit_test(test_pilot),   cmocka_unit_test(test_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
