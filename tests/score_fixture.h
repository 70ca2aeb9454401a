/* score_fixture.h - a machine made by hand and rows of its columns, for tests of scores. */
#ifndef TEST_SCORE_FIXTURE_H
#define TEST_SCORE_FIXTURE_H

#include "machine_fixture.h"
#include "sfumato/train.h"

/* y is positive where a > 5: the first weight is 1, the others are 0.  Regression: y = 2 a + 10. */
static inline sfm_release *score_machine(bool regression) {
  const machine_spec plan = {.task = regression ? SFM_TASK_REGRESSION : SFM_TASK_BINARY,
                             .law = "gamma"};
  sfm_release *machine = machine_make(&plan);
  machine->reals[0] = 1;
  machine->reals[1] = 0;
  if (!regression) { /* so that rows can be numbers */
    free(machine->model->classes[0]);
    free(machine->model->classes[1]);
    machine->model->classes[0] = machine_text("0");
    machine->model->classes[1] = machine_text("1");
  }
  return machine;
}

/* Of rows a, b, y. */
static inline sfm_status score_of(sfm_score *score, sfm_release **release,
                                  const sfm_release *machine, const double *values, size_t count,
                                  const sfm_score_settings *settings, sfm_error *error) {
  static const char *const names[] = {"a", "b", "y"};
  sfm_rows *rows = NULL;
  assert_ok(sfm_rows_from_array(&rows, values, count, 3, names, error), error);
  sfm_status status = sfm_score_rows(score, release, machine, rows, settings, error);
  sfm_rows_destroy(rows);
  return status;
}

/* The sum that gets noise, before it does, by a score of public rows. */
static inline uint64_t score_sum(const sfm_release *machine, const double *values, size_t count,
                                 double step) {
  sfm_score_settings settings = sfm_score_settings_default();
  sfm_score score;
  sfm_release *none = NULL;
  sfm_error error;
  settings.is_public = true;
  assert_ok(score_of(&score, &none, machine, values, count, &settings, &error), &error);
  assert_null(none);
  const double mean = score.regression ? score.error / step : score.accuracy;
  return (uint64_t)llround(mean * (double)count);
}

#endif
