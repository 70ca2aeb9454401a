/* train_fixture.h - machines trained from arrays: columns "a", "b", ... within -1:1 and a label
 * "y", the last. */
#ifndef TEST_TRAIN_FIXTURE_H
#define TEST_TRAIN_FIXTURE_H

#include "mechanisms/machines/train_problem.h"
#include "sfumato/train.h"
#include "density_fixture.h"

enum { TRAIN_FIXTURE_COLUMNS = 8 };

typedef struct train_fixture {
  sfm_schema *schema;
  const char *names[TRAIN_FIXTURE_COLUMNS + 1];
  sfm_train_settings settings;
} train_fixture;

/* Not moved until it is cleared. */
static inline void train_fixture_init(train_fixture *s, size_t dimension, double epsilon,
                                      double delta) {
  sfm_error error;
  assert_in_range(dimension, 1, TRAIN_FIXTURE_COLUMNS);
  assert_ok(sfm_schema_create(&s->schema, &error), &error);
  for (size_t a = 0; a < dimension; a++) {
    s->names[a] = density_fixture_columns[a];
    assert_ok(sfm_schema_set_bounds(s->schema, s->names[a], -1, 1, &error), &error);
  }
  s->names[dimension] = "y";
  s->settings = sfm_train_settings_default();
  s->settings.context.schema = s->schema;
  s->settings.features = s->names;
  s->settings.feature_count = dimension;
  s->settings.label = "y";
  s->settings.epsilon = epsilon;
  s->settings.delta = delta;
  s->settings.context.threads = 1;
  s->settings.context.seeded = true;
  s->settings.context.seed = 1;
}

static inline void train_fixture_clear(train_fixture *s) {
  sfm_schema_destroy(s->schema);
}

static inline sfm_rows *train_fixture_rows(const train_fixture *s, const double *values,
                                           size_t count) {
  sfm_rows *rows;
  sfm_error error;
  assert_ok(
      sfm_rows_from_array(&rows, values, count, s->settings.feature_count + 1, s->names, &error),
      &error);
  return rows;
}

static inline sfm_release *train_fixture_release(const train_fixture *s, const double *values,
                                                 size_t count) {
  sfm_rows *rows = train_fixture_rows(s, values, count);
  sfm_release *release = NULL;
  sfm_error error;
  assert_ok(sfm_train_release(&release, rows, &s->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

/* All that is public of it; to be cleared. */
static inline void train_fixture_begin(sfmi_train_problem *l, const train_fixture *s,
                                       const double *values, size_t count) {
  sfm_rows *rows = train_fixture_rows(s, values, count);
  sfm_error error;
  assert_ok(sfmi_train_problem_begin(
                l, rows, &s->settings,
                (sfmi_seed){s->settings.context.seeded, s->settings.context.seed}, &error),
            &error);
  sfm_rows_destroy(rows);
}

/* The numbers before noise, into out. */
static inline void train_fixture_solve(double *out, const sfmi_train_problem *l,
                                       const train_fixture *s, const double *values, size_t count) {
  sfm_rows *rows = train_fixture_rows(s, values, count);
  sfmi_examples *examples = NULL;
  sfm_error error;
  assert_ok(sfmi_train_problem_read(&examples, l, rows, &error), &error);
  assert_ok(sfmi_train_problem_solve(out, l, &l->training, examples, 0, count, NULL, &error),
            &error);
  sfmi_examples_destroy(examples);
  sfm_rows_destroy(rows);
}

static inline double train_fixture_distance(const double *a, const double *b, size_t count) {
  double square = 0;
  for (size_t i = 0; i < count; i++) square += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(square);
}

#endif
