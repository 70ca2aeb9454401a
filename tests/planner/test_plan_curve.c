/* test_plan_curve.c - plans of mean curves: what they predict comes true over releases of records
 * drawn about the guessed mean, falls with rows and epsilon, and has previews that are releases. */
/* suite: release */
#include "density_fixture.h"

#include <unistd.h>

#include "base/math/linear_algebra.h"
#include "features/kernels/kernel.h"
#include "sfumato/plan.h"

enum { T = 24, FINE = 2400 };

static double GRID[T], MEAN[T];
static const char *NAMES[T];

typedef struct asked {
  sfm_schema *schema;
  sfm_curve_settings settings;
} asked;

/* A wave about 2 on [0, 6], the spread a half. */
static asked ask(double epsilon, double delta) {
  sfm_error error;
  asked a = {0};
  for (size_t i = 0; i < T; i++) {
    GRID[i] = 6 * (double)i / (T - 1);
    MEAN[i] = 2 + sin(1.3 * GRID[i]);
    NAMES[i] = density_fixture_columns[i];
  }
  assert_ok(sfm_schema_create(&a.schema, &error), &error);
  a.settings = sfm_curve_settings_default();
  a.settings.context.schema = a.schema;
  a.settings.columns = NAMES;
  a.settings.count = T;
  a.settings.grid = GRID;
  a.settings.clip = 12;
  a.settings.bandwidth = 1;
  a.settings.epsilon = epsilon;
  a.settings.delta = delta;
  a.settings.mean = MEAN;
  a.settings.spread = 0.5;
  a.settings.context.seeded = true;
  return a;
}

static sfm_plan *plan_of(const asked *a, uint64_t rows) {
  sfm_error error;
  sfm_plan *plan;
  assert_ok(sfm_plan_curve(&plan, &a->settings, rows, &error), &error);
  return plan;
}

static void sums_up(const sfm_forecast *f) {
  const double parts = f->privacy + f->sampling + f->smoothing + f->truncation + f->aliasing;
  assert_true(f->privacy > 0 && f->sampling >= 0 && f->smoothing >= 0 && f->truncation >= 0);
  assert_relative("total", f->total, parts, 1e-12);
  assert_relative("cost", f->cost, f->privacy + f->truncation + f->aliasing, 1e-12);
  assert_true(f->low <= f->total && f->total <= f->high);
  assert_true(f->cost_low <= f->cost && f->cost <= f->cost_high);
}

/* The integrated squared distance of a release from the mean itself. */
static double off_by(const sfm_release *release, const sfm_plan *plan, bool guessed) {
  sfm_error error;
  sfm_evaluator *evaluator;
  static double points[FINE], values[FINE], wanted[FINE];
  double sum = 0;
  for (size_t i = 0; i < FINE; i++) points[i] = 6 * ((double)i + 0.5) / FINE;
  assert_ok(sfm_evaluator_create(&evaluator, release, FINE, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, values, points, FINE, &error), &error);
  sfm_evaluator_destroy(evaluator);
  assert_ok(sfm_plan_shape(plan, wanted, points, FINE, &error), &error);
  for (size_t i = 0; i < FINE; i++) {
    /* What is between the points was never guessed. */
    if (guessed) assert_near("the mean", wanted[i], 2 + sin(1.3 * points[i]), 4e-3);
    if (guessed) wanted[i] = 2 + sin(1.3 * points[i]);
  }
  for (size_t i = 0; i < FINE; i++) sum += pow(values[i] - wanted[i], 2);
  return sum * 6 / FINE;
}

/* Records about the mean: by the kernel's own matrix, not by what the planner has. */
static void draw(double *records, size_t count, const sfm_curve_settings *s, sfmi_prng *prng) {
  double root[T * T], z[T];
  sfm_error error;
  for (size_t i = 0; i < T; i++)
    for (size_t k = 0; k < T; k++)
      root[i * T + k] = sfmi_kernel_profile(s->kernel, fabs(GRID[i] - GRID[k]) / s->bandwidth) +
                        (i == k ? 1e-10 : 0);
  assert_ok(sfmi_cholesky(root, T, "the kernel's matrix", &error), &error);
  for (size_t r = 0; r < count; r++) {
    for (size_t i = 0; i < T; i++) z[i] = sfmi_prng_normal(prng);
    sfmi_lower_multiply(root, T, z);
    for (size_t i = 0; i < T; i++) records[r * T + i] = MEAN[i] + s->spread * z[i];
  }
}

/* Releases of fresh records by the mechanism itself: their mean error is the total (which may count
 * what records have in directions left out twice), and 19 in 20 of them are within the interval. */
static void check_cell(const asked *a, size_t rows, size_t trials, const char *name) {
  sfm_error error;
  sfmi_prng prng;
  sfm_curve_settings s = a->settings;
  sfm_plan *plan = plan_of(a, rows);
  const sfm_plan_entry *entry = sfm_plan_at(plan, 0);
  const sfm_forecast f = entry->predicted;
  sums_up(&f);
  sfmi_prng_init(&prng, 100 + rows);
  double *records = malloc(rows * T * sizeof *records), sum = 0, square = 0;
  size_t inside = 0;
  for (size_t i = 0; i < trials; i++) {
    sfm_rows *source;
    sfm_release *release;
    draw(records, rows, &s, &prng);
    s.context.seed = i;
    assert_ok(sfm_rows_from_array(&source, records, rows, T, NAMES, &error), &error);
    assert_ok(sfm_curve_release(&release, NULL, source, &s, &error), &error);
    assert_true(sfm_release_length(release) == (size_t)entry->parameters[5].numbers[0]);
    const double one = off_by(release, plan, true);
    sfm_rows_destroy(source);
    sfm_release_destroy(release);
    sum += one;
    square += one * one;
    inside += one >= f.low && one <= f.high;
  }
  const double n = (double)trials, mean = sum / n,
               deviation = sqrt(fmax(square / n - mean * mean, 0) / n);
  print_message("%-26s n %-5zu %2g numbers: %.4g = %.3g + %.3g + %.3g + %.3g in [%.4g, %.4g], "
                "measured %.4g (%.2g), %zu of %zu inside\n",
                name, rows, entry->parameters[5].numbers[0], f.total, f.privacy, f.sampling,
                f.smoothing, f.truncation, f.low, f.high, mean, deviation, inside, trials);
  assert_string_equal(entry->parameters[5].name, "coefficients");
  assert_true(mean >= f.low && mean <= f.high);
  assert_near("mean error", mean, f.total,
              TEST_Z * fmax(deviation, (f.high - f.low) / 4 / sqrt(n)) + 0.1 * f.total);
  assert_false(binomial_too_few(inside, trials, 0.9));
  free(records);
  sfm_plan_destroy(plan);
}

static void forecasts_come_true(void **state) {
  (void)state;
  const size_t trials = test_long() ? 300 : 8;
  asked normal = ask(1, 1e-6), pure = ask(1, 0), tight = ask(2, 1e-6), stiff = ask(5, 0);
  tight.settings.clip = 4; /* about half of what the fits need */
  stiff.settings.ridge = 3;
  stiff.settings.kernel = SFM_KERNEL_MATERN12;
  stiff.settings.spread = 2;
  stiff.settings.clip = 20;
  check_cell(&normal, 60, trials, "normal");
  check_cell(&normal, 1000, trials / 2, "normal");
  check_cell(&pure, 60, trials, "laplace");
  check_cell(&pure, 1000, trials / 2, "laplace");
  check_cell(&tight, 200, trials, "clipped");
  check_cell(&stiff, 200, trials, "stiff");
  check_cell(&normal, 10, trials, "ten records");
  sfm_schema_destroy(normal.schema);
  sfm_schema_destroy(pure.schema);
  sfm_schema_destroy(tight.schema);
  sfm_schema_destroy(stiff.schema);
}

static void forecasts_never_rise(void **state) {
  (void)state;
  for (int k = 0; k < 12; k++) {
    asked a = ask(1, k % 2 ? 1e-6 : 0);
    sfm_error error;
    sfm_forecast f;
    double last = INFINITY, rows, epsilon;
    if (k / 2 % 3 == 1) a.settings.spread = 0;
    if (k / 2 % 3 == 2) a.settings.mean = NULL;
    a.settings.clip = k < 6 ? 12 : 3;
    sfm_plan *plan = plan_of(&a, 100);
    for (double n = 1; n < 0x1p36; n *= 1.1) {
      assert_ok(sfm_plan_forecast(plan, &f, n, 1, &error), &error);
      sums_up(&f);
      assert_true(f.total <= last);
      last = f.total;
    }
    last = INFINITY;
    for (double e = 1e-3; e <= 1e3; e *= test_long() ? 1.02 : 1.5) {
      assert_ok(sfm_plan_forecast(plan, &f, 100, e, &error), &error);
      assert_true(f.total <= last);
      last = f.total;
    }
    assert_ok(sfm_plan_rows_for(plan, &rows, 0.1, &error), &error);
    assert_ok(sfm_plan_epsilon_for(plan, &epsilon, 0.1, &error), &error);
    if (isfinite(rows)) {
      assert_ok(sfm_plan_forecast(plan, &f, rows, 1, &error), &error);
      assert_true(f.relative <= 0.1);
    }
    sfm_plan_destroy(plan);
    sfm_schema_destroy(a.schema);
  }
}

/* A guess of the mean leaves fewer directions out than none, or more, but never a larger error of
 * that mean. */
static void a_guess_chooses_directions_for_itself(void **state) {
  (void)state;
  sfm_error error;
  asked a = ask(0.5, 0), b = ask(0.5, 0);
  sfm_curve_choice guessed, blind;
  b.settings.mean = NULL;
  assert_ok(sfm_curve_choose(&guessed, &a.settings, 300, &error), &error);
  assert_ok(sfm_curve_choose(&blind, &b.settings, 300, &error), &error);
  print_message("%zu directions for the guess, %zu without\n", guessed.coefficients,
                blind.coefficients);
  assert_true(guessed.coefficients < blind.coefficients);
  assert_true(guessed.total < blind.total);
  sfm_schema_destroy(a.schema);
  sfm_schema_destroy(b.schema);
}

static void previews_are_releases(void **state) {
  (void)state;
  enum { PREVIEWS = 6 };
  sfm_error error;
  for (int k = 0; k < 8; k++) {
    asked a = ask(2, k % 2 ? 1e-6 : 0);
    if (k / 2 % 4 == 1) a.settings.spread = 0;
    if (k / 2 % 4 == 2) a.settings.mean = NULL;
    /* More than are drawn, which must not make them differ more. */
    const uint64_t rows = k / 2 % 4 == 3 ? 5000000 : 150;
    sfm_plan *plan = plan_of(&a, rows);
    const sfm_plan_entry *entry = sfm_plan_at(plan, 0);
    double sum = 0;
    const size_t count = rows > 1000 ? 2 : PREVIEWS;
    for (uint64_t seed = 0; seed < count; seed++) {
      char path[] = "/tmp/sfumato-preview-XXXXXX";
      sfm_release *release, *again;
      assert_ok(sfm_plan_preview(plan, &release, seed, &error), &error);
      assert_false(sfm_release_private(release));
      assert_relative("band", sfm_release_band(release).half_width, entry->band.half_width, 1e-12);
      close(mkstemp(path));
      assert_ok(sfm_release_write(release, path, &error), &error);
      assert_ok(sfm_release_read(&again, path, &error), &error);
      remove(path);
      sum += off_by(again, plan, a.settings.mean != NULL) / (double)count;
      sfm_release_destroy(release);
      sfm_release_destroy(again);
    }
    print_message("previews are %.4g off, predicted %.4g in [%.4g, %.4g]\n", sum,
                  entry->predicted.total, entry->predicted.low, entry->predicted.high);
    if (a.settings.mean && rows < 1000)
      assert_true(sum >= entry->predicted.low && sum <= entry->predicted.high);
    sfm_plan_destroy(plan);
    sfm_schema_destroy(a.schema);
  }
}

static void extremes_have_plans(void **state) {
  (void)state;
  for (int k = 0; k < 32; k++) {
    asked a = ask(k & 1 ? 1e-3 : 1e3, k & 2 ? 1e-6 : 0);
    if (k & 4) a.settings.clip = 1e-6;
    if (k & 8) a.settings.spread = 1e6;
    if (k & 16) a.settings.mean = NULL;
    sfm_plan *plan = plan_of(&a, 10);
    assert_int_equal(sfm_plan_length(plan), 2);
    assert_int_equal(sfm_plan_best(plan), 0);
    assert_non_null(sfm_plan_at(plan, 1)->absent);
    sums_up(&sfm_plan_at(plan, 0)->predicted);
    assert_true(isfinite(sfm_plan_at(plan, 0)->predicted.high));
    sfm_plan_destroy(plan);
    sfm_schema_destroy(a.schema);
  }
}

static void refuse(const asked *a, const char *word) {
  sfm_error error = {0};
  sfm_plan *plan;
  assert_int_equal(sfm_plan_curve(&plan, &a->settings, 100, &error), SFM_INVALID);
  assert_null(plan);
  if (!strstr(error.message, word)) fail_msg("'%s' is not in '%s'", word, error.message);
}

static void what_cannot_be_is_named(void **state) {
  (void)state;
  asked a = ask(1, 0), b = a;
  double mean[T];
  memcpy(mean, MEAN, sizeof mean);
  mean[3] = NAN;
  b.settings.mean = mean;
  refuse(&b, "value 4 of the guessed mean");
  b = a;
  b.settings.spread = -1;
  refuse(&b, "spread");
  b.settings.spread = NAN;
  refuse(&b, "spread");
  b = a;
  b.settings.clip = 0;
  refuse(&b, "clip");
  sfm_schema_destroy(a.schema);
}

/* Between its points, evenly spread or not, a guess is smooth: a cubic is itself, and two points
 * are a line. */
static void guesses_are_smooth_between_points(void **state) {
  (void)state;
  enum { FEW = 7, PLACES = 101 };
  static const double grid[FEW] = {0, 0.3, 0.5, 1.4, 2, 2.1, 3};
  for (size_t count = 2; count <= FEW; count += count == 2 ? 2 : 1) {
    asked a = ask(1, 1e-6);
    double mean[FEW], places[PLACES], values[PLACES];
    sfm_error error;
    const double bend = count == 2 ? 0 : 0.7;
    for (size_t i = 0; i < count; i++)
      mean[i] = 2 - 0.5 * grid[i] + bend * grid[i] * grid[i] * (1.5 - grid[i]);
    a.settings.grid = grid;
    a.settings.mean = mean;
    a.settings.count = count;
    sfm_plan *plan = plan_of(&a, 1000);
    for (size_t i = 0; i < PLACES; i++) places[i] = grid[count - 1] * (double)i / (PLACES - 1);
    assert_ok(sfm_plan_shape(plan, values, places, PLACES, &error), &error);
    for (size_t i = 0; i < PLACES; i++) {
      const double x = places[i];
      assert_near("the guess", values[i], 2 - 0.5 * x + bend * x * x * (1.5 - x), 1e-12);
    }
    sfm_plan_destroy(plan);
    sfm_schema_destroy(a.schema);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forecasts_come_true),
      cmocka_unit_test(forecasts_never_rise),
      cmocka_unit_test(a_guess_chooses_directions_for_itself),
      cmocka_unit_test(previews_are_releases),
      cmocka_unit_test(guesses_are_smooth_between_points),
      cmocka_unit_test(extremes_have_plans),
      cmocka_unit_test(what_cannot_be_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
