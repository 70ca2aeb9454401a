/* linear_fixture.h - linear maps of a table of one column, "a", whose bins are 0:1, 1:2, ...;
 * shared by the tests of the planner, the mechanism and its audit. */
#ifndef TEST_LINEAR_FIXTURE_H
#define TEST_LINEAR_FIXTURE_H

#include "test_support.h"

#include "planner/design/design_linear.h"
#include "sfumato/linear.h"

typedef struct linear_fixture {
  sfm_schema *schema;
  sfm_histogram_column column;
  sfm_histogram_settings table;
  sfm_linear_settings settings;
} linear_fixture;

/* Not moved until it is cleared. */
static inline void linear_fixture_init(linear_fixture *t, const double *matrix, size_t queries,
                                       size_t cells, double epsilon, double delta) {
  sfm_error error;
  t->column = (sfm_histogram_column){.name = "a", .bins = cells};
  t->table = sfm_histogram_settings_default();
  t->settings = sfm_linear_settings_default();
  t->settings.table = &t->table;
  assert_ok(sfm_schema_create(&t->schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(t->schema, "a", 0, (double)cells, &error), &error);
  t->table.context.schema = t->schema;
  t->table.columns = &t->column;
  t->table.count = 1;
  t->table.epsilon = epsilon;
  t->table.delta = delta;
  t->settings.matrix = matrix;
  t->settings.queries = queries;
  t->settings.cells = cells;
}

/* As the library takes them. */
static inline sfmi_linear_request linear_fixture_request(const linear_fixture *t) {
  sfmi_linear_request request;
  sfm_error error;
  assert_ok(sfmi_linear_request_init(&request, &t->settings, &error), &error);
  return request;
}

static inline void linear_fixture_clear(linear_fixture *t) {
  sfm_schema_destroy(t->schema);
}

static inline void linear_fixture_neighbours(linear_fixture *t, sfm_neighbours neighbours,
                                             uint32_t contributions) {
  sfm_error error;
  assert_ok(sfm_schema_set_neighbours(t->schema, neighbours, &error), &error);
  assert_ok(sfm_schema_set_contributions(t->schema, contributions, &error), &error);
}

/* A release of records in the bins `at` (negative: in none), with a seed; NULL when refused. */
static inline sfm_release *linear_fixture_release(linear_fixture *t, const int *at, size_t count,
                                                  uint64_t seed, sfm_error *error) {
  static const char *const names[] = {"a"};
  double *values = malloc((count + 1) * sizeof *values);
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_error local;
  for (size_t i = 0; i < count; i++) values[i] = at[i] < 0 ? NAN : at[i] + 0.5;
  assert_ok(sfm_rows_from_array(&rows, values, count, 1, names, &local), &local);
  t->table.context.seeded = true;
  t->table.context.seed = seed;
  if (sfm_linear_release(&release, rows, &t->settings, error)) release = NULL;
  sfm_rows_destroy(rows);
  free(values);
  return release;
}

#endif
