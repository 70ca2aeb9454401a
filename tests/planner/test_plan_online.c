/* test_plan_online.c - plans of sessions: which engines could answer so many questions, what the
 * last answer takes, and the error of answers, against sessions themselves. */
/* suite: release */
#include "density_fixture.h"

#include <unistd.h>

#include "sfumato/online.h"
#include "sfumato/plan.h"

enum { ROWS = 60, ASKED = 5 };

static sfm_plan *plan_of(const density_fixture *t, uint64_t rows, uint64_t questions) {
  sfm_error error;
  sfm_plan *plan;
  assert_ok(sfm_plan_online(&plan, &t->settings, rows, questions, &error), &error);
  return plan;
}

static double parameter(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return entry->parameters[i].numbers[0];
  fail_msg("%s has no %s", entry->method, name);
  return NAN;
}

/* The kernel mean of rows, by its definition. */
static double density_at(const double *rows, double h, sfm_kernel_family family, double x) {
  double sum = 0;
  const bool gaussian = family == SFM_KERNEL_GAUSSIAN;
  for (size_t i = 0; i < ROWS; i++) {
    const double u = fabs(x - rows[i]) / h;
    sum += gaussian ? exp(-u * u / 2) : exp(-u);
  }
  return sum / ROWS / (h * (gaussian ? sqrt(2 * M_PI) : 2));
}

/* Squared distances of the answers of one session from the density without noise, all together; and
 * what the last of them took. */
static double ask(const density_fixture *t, const double *rows, sfm_online_facts *last) {
  static const double at[ASKED] = {5, 31, 50, 67.5, 99};
  char folder[] = "/tmp/sfumato-online-XXXXXX", path[64], anchor[64];
  sfm_error error;
  sfm_rows *source;
  sfm_online *session;
  double values[ASKED], sum = 0;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/s.sfs", folder);
  snprintf(anchor, sizeof anchor, "%s/anchor", folder);
  const bool gram = t->settings.engine == SFM_ENGINE_GRAM;
  assert_ok(sfm_rows_from_array(&source, rows, ROWS, 1, density_fixture_columns, &error), &error);
  assert_ok(sfm_online_create(path, source, &t->settings, gram ? anchor : NULL, &error), &error);
  sfm_rows_destroy(source);
  assert_ok(sfm_online_open(&session, path, &error), &error);
  assert_ok(sfm_online_ask(session, values, at, ASKED - 1, &error), &error);
  *last = sfm_online_about(session);
  assert_ok(sfm_online_ask(session, values + ASKED - 1, at + ASKED - 1, 1, &error), &error);
  sfm_online_close(session);
  remove(path);
  remove(anchor);
  rmdir(folder);
  for (size_t i = 0; i < ASKED; i++)
    sum += pow(values[i] - density_at(rows, t->bandwidth[0], t->settings.kernel, at[i]), 2);
  return sum;
}

/* Privacy is the variance of an answer, integrated. */
static void answers_are_off_by_what_was_planned(void **state) {
  (void)state;
  static const sfm_engine engines[] = {SFM_ENGINE_SPECTRAL, SFM_ENGINE_MARKOV, SFM_ENGINE_GRAM};
  const size_t trials = test_long() ? 400 : test_repetitions(24, 8);
  double rows[ROWS];
  density_fixture_rows(rows, ROWS, 1, 0, 100, 8);
  for (size_t k = 0; k < 3; k++) {
    density_fixture t;
    sfm_online_facts last = {0};
    double sum = 0, square = 0;
    density_fixture_init(&t, 1, 0, 100, 8, 2, 1e-6);
    t.settings.engine = engines[k];
    t.settings.kernel =
        engines[k] == SFM_ENGINE_MARKOV ? SFM_KERNEL_LAPLACIAN : SFM_KERNEL_GAUSSIAN;
    t.settings.context.seeded = true;
    sfm_plan *plan = plan_of(&t, ROWS, ASKED);
    const sfm_plan_entry *entry = sfm_plan_at(plan, 0);
    assert_int_equal(sfm_plan_length(plan), 1);
    for (size_t i = 0; i < trials; i++) {
      t.settings.context.seed = 40 + i;
      const double one = ask(&t, rows, &last) / ASKED;
      sum += one;
      square += one * one;
    }
    const double n = (double)trials, mean = sum / n,
                 deviation = sqrt((square / n - mean * mean) / n);
    print_message("%-8s answers: %.4g planned, %.4g (%.2g) measured\n", entry->method,
                  entry->predicted.privacy / 100, mean, deviation);
    assert_near("variance", mean, entry->predicted.privacy / 100, TEST_Z * deviation);
    assert_string_equal(entry->method, sfm_engine_name(last.engine));
    assert_true(parameter(entry, "work") == last.work);
    assert_true(parameter(entry, "bytes") == last.bytes);
    assert_int_equal(entry->hardened, engines[k] == SFM_ENGINE_SPECTRAL);
    assert_int_equal(entry->guarantee.kind, SFM_GUARANTEE_GDP);
    sfm_plan_destroy(plan);
    density_fixture_clear(&t);
  }
}

/* auto takes the first. */
static void engines_that_cannot_answer_say_why(void **state) {
  (void)state;
  density_fixture t;
  density_fixture_init(&t, 1, 0, 100, 4, 1, 1e-6);
  sfm_plan *plan = plan_of(&t, 1000, 100);
  assert_int_equal(sfm_plan_length(plan), 3);
  assert_string_equal(sfm_plan_at(plan, sfm_plan_best(plan))->method, "spectral");
  assert_string_equal(sfm_plan_at(plan, 1)->method, "gram");
  assert_string_equal(sfm_plan_at(plan, 2)->method, "markov");
  assert_non_null(strstr(sfm_plan_at(plan, 2)->absent, "laplacian"));
  sfm_plan_destroy(plan);
  t.settings.kernel = SFM_KERNEL_MATERN32;
  plan = plan_of(&t, 1000, 65536);
  assert_string_equal(sfm_plan_at(plan, sfm_plan_best(plan))->method, "markov");
  assert_null(sfm_plan_at(plan, 1)->absent);
  assert_relative("work", parameter(sfm_plan_at(plan, 1), "work"), 65536.0 * 65535 / 2, 1e-3);
  sfm_plan_destroy(plan);
  plan = plan_of(&t, 1000, 65537);
  assert_string_equal(sfm_plan_at(plan, 2)->method, "gram");
  assert_non_null(strstr(sfm_plan_at(plan, 2)->absent, "65536"));
  sfm_plan_destroy(plan);
  density_fixture_clear(&t);
}

static void forecasts_never_rise(void **state) {
  (void)state;
  density_fixture t;
  density_fixture_init(&t, 1, 0, 100, 4, 1, 1e-6);
  for (int k = 0; k < 4; k++) {
    sfm_error error;
    sfm_forecast f;
    double last = INFINITY, width;
    t.settings.kernel = k & 1 ? SFM_KERNEL_MATERN12 : SFM_KERNEL_GAUSSIAN;
    t.settings.bandwidth = k & 2 ? NULL : t.bandwidth;
    sfm_plan *plan = plan_of(&t, 1000, 10);
    for (double n = 1; n < 1e9; n *= test_sanitized() ? 32 : 2) {
      assert_ok(sfm_plan_forecast(plan, &f, n, 1, &error), &error);
      assert_true(f.total <= last && f.privacy > 0);
      assert_relative("total", f.total,
                      f.privacy + f.sampling + f.smoothing + f.truncation + f.aliasing, 1e-9);
      last = f.total;
    }
    last = INFINITY;
    for (double e = 1e-3; e < 1e3; e *= test_sanitized() ? 81 : 3) {
      assert_ok(sfm_plan_forecast(plan, &f, 1000, e, &error), &error);
      assert_true(f.total <= last);
      last = f.total;
    }
    assert_ok(sfm_plan_bandwidth(plan, &width, &f, &error), &error);
    assert_true(width > 0 && f.total > 0);
    if (k & 2) assert_true(width == parameter(sfm_plan_at(plan, 0), "bandwidth"));
    sfm_plan_destroy(plan);
  }
  density_fixture_clear(&t);
}

static void previews_are_releases(void **state) {
  (void)state;
  sfm_error error;
  for (int k = 0; k < (test_long() ? 3 : 2); k++) {
    density_fixture t;
    char path[] = "/tmp/sfumato-preview-XXXXXX";
    sfm_release *release, *again;
    sfm_evaluator *evaluator;
    double value = NAN, wanted = NAN;
    const double at[2] = {50, 50};
    density_fixture_init(&t, k == 2 ? 2 : 1, 0, 100, 20, 1, 1e-6);
    t.settings.kernel = k == 0 ? SFM_KERNEL_GAUSSIAN : SFM_KERNEL_MATERN32;
    sfm_plan *plan = plan_of(&t, 500, 10);
    assert_ok(sfm_plan_preview(plan, &release, 3, &error), &error);
    assert_false(sfm_release_private(release));
    close(mkstemp(path));
    assert_ok(sfm_release_write(release, path, &error), &error);
    assert_ok(sfm_release_read(&again, path, &error), &error);
    remove(path);
    assert_ok(sfm_evaluator_create(&evaluator, again, 1, &error), &error);
    assert_ok(sfm_evaluator_at(evaluator, &value, at, 1, &error), &error);
    assert_ok(sfm_plan_shape(plan, &wanted, at, 1, &error), &error);
    assert_true(isfinite(value) && wanted > 0);
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(release);
    sfm_release_destroy(again);
    sfm_plan_destroy(plan);
    density_fixture_clear(&t);
  }
}

static void refuse(const density_fixture *t, uint64_t questions, const char *word) {
  sfm_error error = {0};
  sfm_plan *plan;
  assert_int_equal(sfm_plan_online(&plan, &t->settings, 100, questions, &error), SFM_INVALID);
  assert_null(plan);
  if (!strstr(error.message, word)) fail_msg("'%s' is not in '%s'", word, error.message);
}

static void what_cannot_be_is_named(void **state) {
  (void)state;
  density_fixture t, u;
  density_fixture_init(&t, 1, 0, 100, 4, 1, 1e-6);
  refuse(&t, 0, "at least one question");
  u = t;
  u.settings.engine = SFM_ENGINE_CIRCULANT;
  refuse(&u, 10, "circulant");
  u.settings.engine = SFM_ENGINE_RANDOM;
  refuse(&u, 10, "random features");
  u = t;
  u.settings.method = SFM_DENSITY_LATTICE;
  refuse(&u, 10, "lattice");
  u = t;
  u.settings.delta = 0;
  refuse(&u, 10, "delta");
  u = t;
  u.settings.engine = SFM_ENGINE_MARKOV;
  refuse(&u, 10, "laplacian");
  u = t;
  u.settings.engine = SFM_ENGINE_GRAM;
  refuse(&u, 70000, "65536");
  u = t;
  u.settings.context.schema = NULL;
  refuse(&u, 10, "schema");
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_off_by_what_was_planned),
      cmocka_unit_test(engines_that_cannot_answer_say_why),
      cmocka_unit_test(forecasts_never_rise),
      cmocka_unit_test(previews_are_releases),
      cmocka_unit_test(what_cannot_be_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
