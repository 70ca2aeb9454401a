/* table_fixture.h - histograms of rows that are texts in memory, for the tests of several rooms. */
#ifndef TEST_TABLE_FIXTURE_H
#define TEST_TABLE_FIXTURE_H

#include "data/rows/rows_open.h"
#include "mechanisms/statistics/histogram_counts.h"
#include "test_support.h"

typedef struct table_fixture {
  sfm_schema *schema;
  sfm_histogram_column columns[SFM_TABLE_COLUMNS_MAX];
  sfm_histogram_settings settings;
} table_fixture;

static inline void table_fixture_init(table_fixture *t, double epsilon) {
  sfm_error error;
  *t = (table_fixture){.settings = sfm_histogram_settings_default()};
  assert_ok(sfm_schema_create(&t->schema, &error), &error);
  t->settings.context.schema = t->schema;
  t->settings.columns = t->columns;
  t->settings.epsilon = epsilon;
}

static inline void table_fixture_clear(table_fixture *t) {
  sfm_schema_destroy(t->schema);
}

/* A column of texts, to which categories may be given. */
static inline void table_fixture_text(table_fixture *t, const char *name) {
  t->columns[t->settings.count++] = (sfm_histogram_column){name, 0};
}

/* The first `size` of the categories A, B, C, ... */
static inline void table_fixture_categories(table_fixture *t, const char *name, size_t size) {
  static const char *const labels[] = {"A", "B", "C", "D", "E", "F", "G", "H"};
  sfm_error error;
  table_fixture_text(t, name);
  assert_ok(sfm_schema_set_categories(t->schema, name, labels, size, &error), &error);
}

static inline void table_fixture_bins(table_fixture *t, const char *name, uint64_t bins,
                                      double lower, double upper) {
  sfm_error error;
  t->columns[t->settings.count++] = (sfm_histogram_column){name, bins};
  assert_ok(sfm_schema_set_bounds(t->schema, name, lower, upper, &error), &error);
}

static inline void table_fixture_neighbours(table_fixture *t, sfm_neighbours neighbours,
                                            uint32_t contributions, const char *person) {
  sfm_error error;
  assert_ok(sfm_schema_set_neighbours(t->schema, neighbours, &error), &error);
  assert_ok(sfm_schema_set_contributions(t->schema, contributions, &error), &error);
  if (person) assert_ok(sfm_schema_set_person(t->schema, person, &error), &error);
}

static inline sfm_rows *table_fixture_rows(const char *csv) {
  sfm_error error;
  sfm_rows *rows = NULL;
  assert_ok(sfmi_rows_open_memory(&rows, csv, strlen(csv), 0, &error), &error);
  return rows;
}

static inline sfm_release *table_fixture_release(const table_fixture *t, const char *csv) {
  sfm_error error;
  sfm_release *release = NULL;
  sfm_rows *rows = table_fixture_rows(csv);
  assert_ok(sfm_histogram_release(&release, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

/* What rows come to before noise; both are to be cleared. */
static inline void table_fixture_read(const table_fixture *t, sfmi_design_table *table_design,
                                      sfmi_histogram_counts *cell_counts, const char *csv) {
  sfm_error error;
  sfm_rows *rows = table_fixture_rows(csv);
  assert_ok(sfmi_design_table_init(table_design, &t->settings, &error), &error);
  assert_ok(
      sfmi_histogram_counts_read(cell_counts, table_design->cells, rows, &t->settings, &error),
      &error);
  sfm_rows_destroy(rows);
}

/* P(Z = z) and P(Z > t), t >= -1, of discrete Laplace noise. */
static inline double table_fixture_mass(double scale, double z) {
  const double r = exp(-1 / scale);
  return (1 - r) / (1 + r) * pow(r, fabs(z));
}

static inline double table_fixture_tail(double scale, double t) {
  const double r = exp(-1 / scale);
  return pow(r, t + 1) / (1 + r);
}

#endif
