/* test_kde_risk.c - what a kernel makes of a shape, against sums over a fine grid. */
/* suite: release */
#include "density_fixture.h"

#include "planner/forecast/kde_risk.h"
#include "planner/density/density_preview.h"

enum { GRID = 4000 }; /* midpoints of the unit interval */

static double at_of(size_t i) {
  return ((double)i + 0.5) / GRID;
}

static sfmi_shape_model *model_of(const char *words, size_t d, sfm_shape **shape) {
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  sfmi_shape_model *shape_model;
  sfm_error error;
  assert_ok(sfm_shape_parse(shape, words, d, &error), &error);
  assert_ok(sfmi_shape_model_create(&shape_model, *shape, NULL, d, lower, upper, &error), &error);
  return shape_model;
}

/* The kernel of integral one, with its images. */
static double kernel_at(sfm_kernel_family family, sfm_boundary boundary, double h, double q,
                        double x) {
  const sfm_kernel kernel = {.family = family, .dimension = 1, .bandwidth = &h};
  const double mass = sfmi_kernel_mass(&kernel), ring = boundary == SFM_BOUNDARY_REFLECT ? 2 : 1;
  const int images = boundary == SFM_BOUNDARY_OPEN ? 0 : 2 + (int)(9 * h);
  double sum = 0;
  for (int i = -images; i <= images; i++) {
    sum += sfmi_kernel_profile(family, fabs(q - x + ring * i) / h) / mass;
    if (boundary == SFM_BOUNDARY_REFLECT)
      sum += sfmi_kernel_profile(family, fabs(q + x + ring * i) / h) / mass;
  }
  return sum;
}

/* smoothing, row and square of one column, by sums. */
static void by_sums(sfmi_kde_risk *out, const sfmi_shape_model *shape_model,
                    sfm_kernel_family family, sfm_boundary boundary, double h) {
  enum { STEP = 8 }; /* places of q */
  double p[GRID], x[GRID];
  for (size_t i = 0; i < GRID; i++) x[i] = at_of(i);
  sfmi_shape_model_column(shape_model, 0, p, x, GRID);
  *out = (sfmi_kde_risk){0};
  for (size_t i = STEP / 2; i < GRID; i += STEP) {
    double smooth = 0, square = 0;
    for (size_t k = 0; k < GRID; k++) {
      const double value = kernel_at(family, boundary, h, x[i], x[k]);
      smooth += p[k] * value / GRID;
      square += p[k] * value * value / GRID;
    }
    out->smoothing += (smooth - p[i]) * (smooth - p[i]) * STEP / GRID;
    out->square += smooth * smooth * STEP / GRID;
    out->row += square * STEP / GRID;
  }
}

static void numbers_are_those_of_sums(void **state) {
  (void)state;
  const struct {
    const char *shape;
    sfm_kernel_family family;
    sfm_boundary boundary;
    double h;
  } cases[] = {{"normal:0.4:0.12", SFM_KERNEL_GAUSSIAN, SFM_BOUNDARY_OPEN, 0.05},
               {"normal:0.1:0.3", SFM_KERNEL_GAUSSIAN, SFM_BOUNDARY_OPEN, 0.5},
               {"uniform", SFM_KERNEL_GAUSSIAN, SFM_BOUNDARY_OPEN, 0.02},
               {"normal:0.3:0.05+uniform", SFM_KERNEL_GAUSSIAN, SFM_BOUNDARY_REFLECT, 0.1},
               {"normal:0.02:0.1", SFM_KERNEL_GAUSSIAN, SFM_BOUNDARY_REFLECT, 0.03},
               {"normal:0.9:0.2", SFM_KERNEL_GAUSSIAN, SFM_BOUNDARY_PERIODIC, 0.2},
               {"normal:0.4:0.12", SFM_KERNEL_GAUSSIAN, SFM_BOUNDARY_REFLECT, 1.5},
               {"normal:0.4:0.12", SFM_KERNEL_LAPLACIAN, SFM_BOUNDARY_OPEN, 0.1},
               {"uniform", SFM_KERNEL_MATERN32, SFM_BOUNDARY_OPEN, 0.05},
               {"normal:0.4:0.12+normal:0.8:0.05", SFM_KERNEL_CAUCHY, SFM_BOUNDARY_OPEN, 0.04}};
  const double lower = 0, upper = 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfm_shape *shape;
    sfm_error error;
    sfmi_shape_model *shape_model = model_of(cases[i].shape, 1, &shape);
    const sfmi_kde_problem problem = {shape_model,    1, &lower, &upper, &cases[i].boundary,
                                      cases[i].family};
    sfmi_kde_risk got, wanted;
    assert_ok(sfmi_kde_risk_init(&got, &problem, &cases[i].h, &error), &error);
    by_sums(&wanted, shape_model, cases[i].family, cases[i].boundary, cases[i].h);
    print_message("%s, h = %g: smoothing %.4g (%.4g), row %.4g (%.4g), square %.4g (%.4g)\n",
                  cases[i].shape, cases[i].h, got.smoothing, wanted.smoothing, got.row, wanted.row,
                  got.square, wanted.square);
    assert_relative("smoothing", got.smoothing, wanted.smoothing, 5e-3);
    assert_relative("row", got.row, wanted.row, 5e-3);
    assert_relative("square", got.square, wanted.square, 5e-3);
    sfmi_shape_model_destroy(shape_model);
    sfm_shape_destroy(shape);
  }
}

/* Far narrower than any grid, and far wider than the domain. */
static void extreme_bandwidths_have_their_limits(void **state) {
  (void)state;
  const double lower = 0, upper = 1;
  const sfm_boundary open = SFM_BOUNDARY_OPEN, mirror = SFM_BOUNDARY_REFLECT;
  sfm_error error;
  sfm_shape *shape;
  sfmi_shape_model *shape_model = model_of("normal:0.5:1e-4", 1, &shape);
  const sfmi_kde_problem problem = {shape_model, 1, &lower, &upper, &open, SFM_KERNEL_GAUSSIAN},
                         flat = {shape_model, 1, &lower, &upper, &mirror, SFM_KERNEL_GAUSSIAN};
  const double pp = 1 / (2 * sqrt(M_PI) * 1e-4);
  sfmi_kde_risk kde_risk;
  /* A spike through a wide kernel: int (K - p)^2 = int K^2 - 2 K p + p^2. */
  double h = 0.05;
  assert_ok(sfmi_kde_risk_init(&kde_risk, &problem, &h, &error), &error);
  const double kk = 1 / (2 * sqrt(M_PI) * h);
  assert_relative("spike", kde_risk.smoothing, pp + kk - 2 / (sqrt(2 * M_PI) * h), 1e-4);
  assert_relative("spike's row", kde_risk.row, kk, 1e-4);
  /* And through one as narrow as it is: int (p'')^2 h^4/4 as h goes to 0. */
  h = 1e-6;
  assert_ok(sfmi_kde_risk_init(&kde_risk, &problem, &h, &error), &error);
  const double bend = 3 / (8 * sqrt(M_PI)) / pow(1e-4, 5);
  assert_relative("narrow", kde_risk.smoothing, pow(h, 4) / 4 * bend, 0.01);
  assert_relative("narrow row", kde_risk.row, 1 / (2 * sqrt(M_PI) * h), 1e-6);
  h = 9;
  assert_ok(sfmi_kde_risk_init(&kde_risk, &flat, &h, &error), &error);
  assert_relative("flat", kde_risk.smoothing, pp - 1, 1e-6);
  assert_near("flat: no sampling", kde_risk.row, kde_risk.square, 1e-9);
  sfmi_shape_model_destroy(shape_model);
  sfm_shape_destroy(shape);
}

/* A pilot whose columns are independent is as good as the product; one along the diagonal is not,
 * and smoothing across it costs more. */
static void pilots_are_not_products(void **state) {
  (void)state;
  enum { N = 20000 };
  static double rows[2 * N];
  const double lower[2] = {0, 0}, upper[2] = {1, 1}, h[2] = {0.1, 0.1};
  const sfm_boundary open[2] = {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_OPEN};
  double smoothing[2];
  sfmi_kde_risk kde_risk;
  sfm_error error;
  for (int diagonal = 0; diagonal < 2; diagonal++) {
    density_fixture t;
    sfmi_prng prng;
    sfmi_prng_init(&prng, 5);
    for (size_t i = 0; i < N; i++) {
      const double u = sfmi_prng_normal(&prng), v = sfmi_prng_normal(&prng);
      rows[2 * i] = fmin(fmax(0.5 + 0.12 * u, 0), 1);
      rows[2 * i + 1] = fmin(fmax(0.5 + 0.12 * (diagonal ? 0.95 * u + 0.31 * v : v), 0), 1);
    }
    density_fixture_init(&t, 2, 0, 1, 0.03, 1000, 0);
    t.settings.context.seeded = true;
    sfm_release *release = density_fixture_release(&t, rows, N);
    sfm_shape *shape;
    sfmi_shape_model *shape_model;
    assert_ok(sfm_shape_from_release(&shape, release, &error), &error);
    assert_ok(sfmi_shape_model_create(&shape_model, shape, NULL, 2, lower, upper, &error), &error);
    assert_false(sfmi_shape_model_is_product(shape_model));
    const sfmi_kde_problem problem = {shape_model, 2, lower, upper, open, SFM_KERNEL_GAUSSIAN};
    assert_ok(sfmi_kde_risk_init(&kde_risk, &problem, h, &error), &error);
    smoothing[diagonal] = kde_risk.smoothing;
    assert_true(kde_risk.row > kde_risk.square && kde_risk.square > 0);
    sfmi_shape_model_destroy(shape_model);
    sfm_shape_destroy(shape);
    sfm_release_destroy(release);
    density_fixture_clear(&t);
  }
  sfm_shape *words;
  /* The pilot's own kernel has widened it. */
  sfmi_shape_model *shape_model = model_of("normal:0.5:0.1237", 2, &words);
  const sfmi_kde_problem problem = {shape_model, 2, lower, upper, open, SFM_KERNEL_GAUSSIAN};
  assert_ok(sfmi_kde_risk_init(&kde_risk, &problem, h, &error), &error);
  print_message("smoothing of a pilot %.4g, of the product %.4g, of a diagonal %.4g\n",
                smoothing[0], kde_risk.smoothing, smoothing[1]);
  assert_relative("a pilot of independent columns", smoothing[0], kde_risk.smoothing, 0.08);
  assert_true(smoothing[1] > 2 * smoothing[0]);
  sfmi_shape_model_destroy(shape_model);
  sfm_shape_destroy(words);
}

/* The power of a shape is that of its sums; at bounds, but for what oscillates. */
static void power_is_that_of_the_shape(void **state) {
  (void)state;
  const char *const words[] = {"normal:0.5:0.1", "uniform", "normal:0.3:0.05+normal:0.7:0.05",
                               "normal:0:0.3"};
  for (size_t w = 0; w < 4; w++) {
    sfm_shape *shape;
    sfmi_shape_model *shape_model = model_of(words[w], 1, &shape);
    double p[GRID], x[GRID];
    for (size_t i = 0; i < GRID; i++) x[i] = at_of(i);
    sfmi_shape_model_column(shape_model, 0, p, x, GRID);
    for (double f = 2; f < 60; f *= 1.7) {
      double got = 0, wanted = 0;
      for (int k = 0; k < 16; k++) { /* over a cycle of the width */
        const double here = f + k / 16.0;
        double c = 0, s = 0;
        for (size_t i = 0; i < GRID; i++) {
          c += p[i] * cos(2 * M_PI * here * x[i]) / GRID;
          s += p[i] * sin(2 * M_PI * here * x[i]) / GRID;
        }
        wanted += (c * c + s * s) / 16;
        got += sfmi_shape_model_power(shape_model, 0, SFM_BOUNDARY_OPEN, here) / 16;
      }
      assert_near("power", got, wanted, 0.12 * wanted + 1e-7);
    }
    sfmi_shape_model_destroy(shape_model);
    sfm_shape_destroy(shape);
  }
}

static void differences_do_not_cancel(void **state) {
  (void)state;
  const double a[3] = {2, 3, 5}, b[3] = {0.5, -1, 2}, c[3] = {1, 0.25, 4};
  double first = 1, second = 1, whole = 1, once = 1;
  for (int i = 0; i < 3; i++) {
    first *= a[i] + b[i];
    whole *= a[i];
    second *= a[i] + 2 * b[i] + c[i];
    once *= a[i] + b[i];
  }
  assert_relative("first", sfmi_first_difference(a, b, 3), first - whole, 1e-14);
  assert_relative("second", sfmi_second_difference(a, b, c, 3), second - 2 * once + whole, 1e-14);
  const double tiny[3] = {1e-20, 0, 1e-21};
  assert_relative("tiny", sfmi_first_difference(a, tiny, 3), 15e-20 + 6e-21, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_those_of_sums),
      cmocka_unit_test(extreme_bandwidths_have_their_limits),
      cmocka_unit_test(pilots_are_not_products),
      cmocka_unit_test(power_is_that_of_the_shape),
      cmocka_unit_test(differences_do_not_cancel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
