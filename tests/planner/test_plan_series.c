/* test_plan_series.c - plans of series: what they predict comes true over releases of records drawn
 * from the shape, falls with rows and epsilon, and has previews that are releases. */
/* suite: release */
#include "series_fixture.h"

#include <unistd.h>
#include "planner/forecast/shape_model.h"
#include "sfumato/plan.h"

enum { GRID = 4096 };

static sfm_shape *shape_of(const char *text) {
  sfm_error error;
  sfm_shape *shape;
  assert_ok(sfm_shape_parse(&shape, text, 1, &error), &error);
  return shape;
}

static sfm_plan *plan_of(const series_fixture *t, bool every_basis, bool every_noise,
                         uint64_t rows) {
  sfm_error error;
  sfm_plan *plan;
  assert_ok(sfm_plan_series(&plan, &t->settings, every_basis, every_noise, rows, &error), &error);
  return plan;
}

static double parameter(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return entry->parameters[i].numbers[0];
  fail_msg("%s has no %s", entry->method, name);
  return NAN;
}

static void sums_up(const sfm_forecast *f) {
  const double parts = f->privacy + f->sampling + f->smoothing + f->truncation + f->aliasing;
  assert_true(f->privacy > 0 && f->sampling >= 0 && f->truncation >= 0);
  assert_relative("total", f->total, parts, 1e-12);
  assert_relative("cost", f->cost, f->privacy + f->truncation + f->aliasing, 1e-12);
  assert_true(f->low <= f->total && f->total <= f->high);
  assert_true(f->cost_low <= f->cost && f->cost <= f->cost_high);
  assert_true(isfinite(f->high) && f->low >= 0 && f->relative > 0);
}

/* The integrated squared distance of a release from the shape_model. */
static double off_by(const sfm_release *release, const sfmi_shape_model *shape_model, double lower,
                     double upper) {
  sfm_error error;
  sfm_evaluator *evaluator;
  static double points[GRID], values[GRID], wanted[GRID];
  double sum = 0;
  for (size_t i = 0; i < GRID; i++) points[i] = lower + (upper - lower) * ((double)i + 0.5) / GRID;
  assert_ok(sfm_evaluator_create(&evaluator, release, GRID, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, values, points, GRID, &error), &error);
  sfm_evaluator_destroy(evaluator);
  sfmi_shape_model_at(shape_model, wanted, points, GRID);
  for (size_t i = 0; i < GRID; i++) sum += pow(values[i] - wanted[i], 2);
  return sum * (upper - lower) / GRID;
}

/* All releases, and those whose error was within the interval. */
typedef struct tally {
  size_t inside, trials;
} tally;

typedef struct cell {
  sfm_basis basis;
  sfm_vector_noise noise;
  const char *shape;
  size_t rows;
  double epsilon;
} cell;

/* Releases of fresh records by the mechanism itself: their mean error is the total, and 19 in 20 of
 * them are within the interval. */
static void check_cell(tally *all, const cell *c, size_t trials, uint64_t seed) {
  const double lower = 0, upper = 100;
  sfm_error error;
  series_fixture t;
  sfmi_shape_model *shape_model;
  sfmi_prng prng;
  sfm_shape *shape = shape_of(c->shape);
  series_fixture_init(&t, c->basis, 0, c->noise, lower, upper);
  t.settings.epsilon = c->epsilon;
  t.settings.shape = shape;
  assert_ok(sfmi_shape_model_create(&shape_model, shape, NULL, 1, &lower, &upper, &error), &error);
  sfm_plan *plan = plan_of(&t, false, false, c->rows);
  const sfm_plan_entry *entry = sfm_plan_at(plan, 0);
  const sfm_forecast f = entry->predicted;
  sums_up(&f);
  t.settings.terms = (size_t)parameter(entry, "terms");
  sfmi_prng_init(&prng, seed);
  double *x = malloc(c->rows * sizeof *x), sum = 0, square = 0;
  size_t inside = 0;
  for (size_t i = 0; i < trials; i++) {
    sfmi_shape_model_draw(shape_model, x, c->rows, &prng);
    t.settings.context.seed = seed + i;
    sfm_release *release = series_fixture_release(&t, x, c->rows);
    const double one = off_by(release, shape_model, lower, upper);
    sfm_release_destroy(release);
    sum += one;
    square += one * one;
    inside += one >= f.low && one <= f.high;
  }
  const double n = (double)trials, mean = sum / n,
               deviation = sqrt(fmax(square / n - mean * mean, 0) / n);
  print_message("%-8s %-7s %-24s n %-6zu epsilon %-5g %3zu terms: %.4g in [%.4g, %.4g], measured "
                "%.4g (%.2g), %zu of %zu inside\n",
                sfm_basis_name(c->basis), series_noises[c->noise], c->shape, c->rows, c->epsilon,
                t.settings.terms, f.total, f.low, f.high, mean, deviation, inside, trials);
  /* Of few releases whose law has a tail the deviation itself is uncertain. */
  assert_near("mean error", mean, f.total,
              TEST_Z * fmax(deviation, (f.high - f.low) / 4 / sqrt(n)) + 0.02 * f.total);
  assert_true(mean >= f.low && mean <= f.high);
  assert_false(binomial_too_few(inside, trials, 0.9));
  all->inside += inside;
  all->trials += trials;
  free(x);
  sfm_plan_destroy(plan);
  sfmi_shape_model_destroy(shape_model);
  sfm_shape_destroy(shape);
  series_fixture_clear(&t);
}

static void forecasts_come_true(void **state) {
  (void)state;
  static const cell usual[] = {
      {SFM_BASIS_COSINE, SFM_VECTOR_NOISE_LAPLACE, "normal:40:12", 300, 1},
      {SFM_BASIS_FOURIER, SFM_VECTOR_NOISE_GAMMA, "normal:30:5+normal:70:5", 200, 3},
      {SFM_BASIS_HERMITE, SFM_VECTOR_NOISE_LAPLACE, "normal:30:30", 100, 1},
      {SFM_BASIS_HAAR, SFM_VECTOR_NOISE_NORMAL, "uniform", 400, 1},
      {SFM_BASIS_LEGENDRE, SFM_VECTOR_NOISE_LAPLACE, "uniform+normal:95:3", 10, 0.1},
  };
  static const char *const shapes[] = {"uniform", "normal:40:12", "normal:20:3+normal:60:8"};
  tally all = {0};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    check_cell(&all, &usual[i], test_long() ? 400 : 16, 7000 + 1000 * i);
  for (int basis = 0; test_long() && basis <= SFM_BASIS_EIGEN; basis++)
    for (int noise = 0; noise < 3; noise++)
      for (size_t s = 0; s < 3; s++)
        for (size_t k = 0; k < 3; k++) {
          const cell c = {(sfm_basis)basis, (sfm_vector_noise)noise, shapes[s],
                          (size_t[]){10, 300, 20000}[k], (double[]){10, 0.3, 1}[k]};
          check_cell(&all, &c, k == 1 ? 400 : 100, 100000);
        }
  print_message("%zu of %zu inside\n", all.inside, all.trials);
  assert_false(binomial_too_few(all.inside, all.trials, 0.93));
  /* Nor is it wider than it need be. */
  assert_false(binomial_too_few(all.trials - all.inside, all.trials, 0.01));
}

/* As rows and epsilon grow in small steps, whatever is free being chosen anew at each. */
static void forecasts_never_rise(void **state) {
  (void)state;
  static const char *const shapes[] = {NULL, "normal:40:12", "normal:20:3+normal:60:8"};
  for (int basis = 0; basis <= SFM_BASIS_EIGEN; basis++)
    for (size_t s = 0; s < 3; s++) {
      if (!test_long() && (basis % 2 || s != (size_t)basis / 2 % 3)) continue;
      const sfm_vector_noise noise = (sfm_vector_noise)((basis + (int)s) % 3);
      series_fixture t;
      sfm_error error;
      sfm_forecast f;
      sfm_shape *shape = shapes[s] ? shape_of(shapes[s]) : NULL;
      double last = INFINITY;
      series_fixture_init(&t, (sfm_basis)basis, 0, noise, 0, 100);
      t.settings.shape = shape;
      sfm_plan *plan = plan_of(&t, false, false, 1000);
      for (double n = 1; n <= (test_long() ? 0x1p36 : 3e4); n *= 1.1) {
        assert_ok(sfm_plan_forecast(plan, &f, n, 1, &error), &error);
        sums_up(&f);
        assert_true(f.total <= last && f.relative > 0);
        last = f.total;
      }
      last = INFINITY;
      for (double epsilon = 1e-3; epsilon <= (test_long() ? 1e3 : 30); epsilon *= 1.1) {
        assert_ok(sfm_plan_forecast(plan, &f, 1000, epsilon, &error), &error);
        assert_true(f.total <= last);
        last = f.total;
      }
      sfm_plan_destroy(plan);
      sfm_shape_destroy(shape);
      series_fixture_clear(&t);
    }
}

/* The plan's number of terms is what a release with the same shape takes, and its numbers are what
 * the release says. */
static void releases_take_what_was_planned(void **state) {
  (void)state;
  sfm_error error;
  double x[200];
  sfm_shape *shape = shape_of("normal:25:6");
  density_fixture_rows(x, 200, 1, 0, 100, 3);
  for (int basis = 0; basis < SFM_BASIS_EIGEN; basis += test_long() ? 1 : 2)
    for (int shaped = 0; shaped < 2; shaped++) {
      series_fixture t;
      sfm_rows *rows;
      sfm_release *release;
      sfm_series_choice chosen;
      series_fixture_init(&t, (sfm_basis)basis, 0, SFM_VECTOR_NOISE_LAPLACE, 0, 100);
      t.settings.shape = shaped ? shape : NULL;
      sfm_plan *plan = plan_of(&t, false, false, 200);
      const sfm_plan_entry *entry = sfm_plan_at(plan, sfm_plan_best(plan));
      assert_ok(sfm_rows_from_array(&rows, x, 200, 1, density_fixture_columns, &error), &error);
      assert_ok(sfm_series_release(&release, &chosen, rows, &t.settings, &error), &error);
      assert_true(parameter(entry, "terms") == (double)chosen.terms);
      assert_true(parameter(entry, "sensitivity") == chosen.sensitivity);
      assert_relative("total", entry->predicted.total, chosen.total, 1e-12);
      assert_relative("band", entry->band.half_width, sfm_release_band(release).half_width, 1e-6);
      sfm_release_destroy(release);
      sfm_rows_destroy(rows);
      sfm_plan_destroy(plan);
      series_fixture_clear(&t);
    }
  sfm_shape_destroy(shape);
}

/* A preview is a release that says it is not private, can be written, read and evaluated, and is
 * off by what was predicted. */
static void previews_are_releases(void **state) {
  (void)state;
  const double lower = 0, upper = 100;
  sfm_error error;
  sfmi_shape_model *shape_model;
  sfm_shape *shape = shape_of("normal:40:12");
  assert_ok(sfmi_shape_model_create(&shape_model, shape, NULL, 1, &lower, &upper, &error), &error);
  for (int basis = 0; basis <= SFM_BASIS_EIGEN; basis++)
    for (int noise = 0; noise < 3; noise++) {
      series_fixture t;
      if (!test_long() && noise != basis % 3) continue;
      series_fixture_init(&t, (sfm_basis)basis, 0, (sfm_vector_noise)noise, lower, upper);
      t.settings.shape = shape;
      sfm_plan *plan = plan_of(&t, false, false, 500);
      double sum = 0, square = 0;
      enum { PREVIEWS = 4 };
      for (uint64_t seed = 0; seed < PREVIEWS; seed++) {
        char path[] = "/tmp/sfumato-preview-XXXXXX";
        sfm_release *release, *again;
        assert_ok(sfm_plan_preview(plan, &release, seed, &error), &error);
        assert_false(sfm_release_private(release));
        close(mkstemp(path));
        assert_ok(sfm_release_write(release, path, &error), &error);
        assert_ok(sfm_release_read(&again, path, &error), &error);
        remove(path);
        const double one = off_by(again, shape_model, lower, upper);
        assert_true(one == off_by(release, shape_model, lower, upper));
        sum += one / PREVIEWS;
        square += one * one / PREVIEWS;
        sfm_release_destroy(release);
        sfm_release_destroy(again);
      }
      const double deviation = sqrt(fmax(square - sum * sum, 0) / PREVIEWS);
      /* Of few draws from a law with a tail: coarse. */
      assert_near("mean error", sum, sfm_plan_at(plan, 0)->predicted.total,
                  8 * deviation + 0.3 * sum);
      sfm_plan_destroy(plan);
      series_fixture_clear(&t);
    }
  sfmi_shape_model_destroy(shape_model);
  sfm_shape_destroy(shape);
}

static void extremes_have_plans(void **state) {
  (void)state;
  static const char *const shapes[] = {"normal:40:0.001", "uniform", "normal:50:1000",
                                       "normal:0:0.1+normal:100:0.1"};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int k = 0; k < 2; k++)
      for (int l = 0; l < 2; l++) {
        if (!test_long() && (int)(s + (size_t)k) % 2 != l) continue;
        series_fixture t;
        sfm_error error;
        double rows, epsilon;
        sfm_shape *shape = shape_of(shapes[s]);
        series_fixture_init(&t, SFM_BASIS_COSINE, 0, SFM_VECTOR_NOISE_LAPLACE, 0, 100);
        t.settings.shape = shape;
        t.settings.epsilon = k ? 1e3 : 1e-3;
        if (!test_long()) t.settings.terms = l ? 2 : 0;
        sfm_plan *plan = plan_of(&t, l, true, l ? 10 : 1);
        for (size_t i = 0; i < sfm_plan_length(plan); i++)
          if (!sfm_plan_at(plan, i)->absent) sums_up(&sfm_plan_at(plan, i)->predicted);
        assert_true(sfm_plan_at(plan, sfm_plan_best(plan))->hardened);
        if (test_long()) {
          assert_ok(sfm_plan_rows_for(plan, &rows, 0.05, &error), &error);
          assert_ok(sfm_plan_epsilon_for(plan, &epsilon, 0.05, &error), &error);
          assert_true(rows >= 1 && epsilon > 0);
        }
        sfm_plan_destroy(plan);
        sfm_shape_destroy(shape);
        series_fixture_clear(&t);
      }
}

/* The most terms and the least, planned as asked. */
static void terms_that_are_asked_for_are_planned(void **state) {
  (void)state;
  for (int basis = 0; basis < SFM_BASIS_EIGEN; basis++) {
    const size_t least[] = {3, 2, 2, 1, 2, 2}, most[] = {513, 513, 129, 128, 1024, 256};
    for (int k = 0; k < (test_long() ? 2 : 1); k++) {
      series_fixture t;
      series_fixture_init(&t, (sfm_basis)basis, k ? most[basis] : least[basis],
                          SFM_VECTOR_NOISE_NORMAL, 0, 1);
      sfm_plan *plan = plan_of(&t, false, true, 100);
      const sfm_plan_entry *entry = sfm_plan_at(plan, 0);
      assert_int_equal(sfm_plan_length(plan), 3); /* two of them need delta 0 */
      assert_true(sfm_plan_at(plan, 1)->absent && sfm_plan_at(plan, 2)->absent);
      assert_true(parameter(entry, "terms") == (double)t.settings.terms);
      assert_int_equal(entry->guarantee.kind, SFM_GUARANTEE_GDP);
      sums_up(&entry->predicted);
      sfm_plan_destroy(plan);
      series_fixture_clear(&t);
    }
  }
}

/* Without a shape nobody has said that the column wraps round or lies about the middle, and bases
 * for such columns are not the best; whoever names them says so. */
static void bases_for_some_columns_are_best_when_named(void **state) {
  (void)state;
  series_fixture t;
  series_fixture_init(&t, SFM_BASIS_FOURIER, 0, SFM_VECTOR_NOISE_LAPLACE, 0, 100);
  t.settings.bandwidth = 0; /* no eigenfunctions */
  sfm_plan *every = plan_of(&t, true, false, 2000), *named = plan_of(&t, false, false, 2000);
  assert_string_equal(sfm_plan_at(every, 0)->method, "cosine");
  assert_true(sfm_plan_at(named, 0)->predicted.total < sfm_plan_at(every, 0)->predicted.total);
  sfm_plan_destroy(every);
  sfm_plan_destroy(named);
  series_fixture_clear(&t);
}

static void refuse(const series_fixture *t, bool every, const char *word) {
  sfm_error error = {0};
  sfm_plan *plan;
  assert_int_equal(sfm_plan_series(&plan, &t->settings, every, every, 100, &error), SFM_INVALID);
  assert_null(plan);
  if (!strstr(error.message, word)) fail_msg("'%s' is not in '%s'", word, error.message);
}

static void what_cannot_be_is_named(void **state) {
  (void)state;
  series_fixture t;
  sfm_error error;
  sfm_plan *plan;
  sfm_shape *outside = shape_of("normal:5000:1");
  series_fixture_init(&t, SFM_BASIS_EIGEN, 0, SFM_VECTOR_NOISE_LAPLACE, 0, 1);
  t.settings.bandwidth = 0;
  refuse(&t, false, "bandwidth");
  /* Among all it is absent, and says why. */
  plan = plan_of(&t, true, false, 100);
  const sfm_plan_entry *last = sfm_plan_at(plan, sfm_plan_length(plan) - 1);
  assert_string_equal(last->method, "eigen");
  assert_non_null(strstr(last->absent, "bandwidth"));
  sfm_plan_destroy(plan);
  assert_int_equal(sfm_plan_series(&plan, &t.settings, true, true, 0, &error), SFM_INVALID);
  t.settings.shape = outside;
  refuse(&t, true, "outside its bounds");
  t.settings.shape = NULL;
  t.settings.column = "b";
  refuse(&t, true, "b");
  t.settings.context.schema = NULL;
  refuse(&t, true, "schema");
  sfm_shape_destroy(outside);
  series_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forecasts_come_true),
      cmocka_unit_test(forecasts_never_rise),
      cmocka_unit_test(releases_take_what_was_planned),
      cmocka_unit_test(previews_are_releases),
      cmocka_unit_test(extremes_have_plans),
      cmocka_unit_test(terms_that_are_asked_for_are_planned),
      cmocka_unit_test(bases_for_some_columns_are_best_when_named),
      cmocka_unit_test(what_cannot_be_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
