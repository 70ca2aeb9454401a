/* tabletrial.h - histograms of rows that are texts in memory, for the tests of several rooms. */
#ifndef TEST_TABLETRIAL_H
#define TEST_TABLETRIAL_H

#include "mechanisms/tabulating.h"
#include "trial.h"

typedef struct tabletrial {
  sfm_schema *schema;
  sfm_histogram_column columns[SFM_TABLE_COLUMNS_MAX];
  sfm_histogram_settings settings;
} tabletrial;

static inline void tabletrial_init(tabletrial *t, double epsilon) {
  sfm_error error;
  *t = (tabletrial){.settings = sfm_histogram_settings_default()};
  trial_ok(sfm_schema_create(&t->schema, &error), &error);
  t->settings.schema = t->schema;
  t->settings.columns = t->columns;
  t->settings.epsilon = epsilon;
}

static inline void tabletrial_clear(tabletrial *t) {
  sfm_schema_destroy(t->schema);
}

/* A column of texts, to which categories may be given. */
static inline void tabletrial_text(tabletrial *t, const char *name) {
  t->columns[t->settings.count++] = (sfm_histogram_column){name, 0};
}

/* The first `size` of the categories A, B, C, ... */
static inline void tabletrial_categories(tabletrial *t, const char *name, size_t size) {
  static const char *const labels[] = {"A", "B", "C", "D", "E", "F", "G", "H"};
  sfm_error error;
  tabletrial_text(t, name);
  trial_ok(sfm_schema_set_categories(t->schema, name, labels, size, &error), &error);
}

static inline void tabletrial_bins(tabletrial *t, const char *name, uint64_t bins, double lower,
                                   double upper) {
  sfm_error error;
  t->columns[t->settings.count++] = (sfm_histogram_column){name, bins};
  trial_ok(sfm_schema_set_bounds(t->schema, name, lower, upper, &error), &error);
}

static inline void tabletrial_neighbours(tabletrial *t, sfm_neighbours neighbours,
                                         uint32_t contributions, const char *person) {
  sfm_error error;
  trial_ok(sfm_schema_set_neighbours(t->schema, neighbours, &error), &error);
  trial_ok(sfm_schema_set_contributions(t->schema, contributions, &error), &error);
  if (person) trial_ok(sfm_schema_set_person(t->schema, person, &error), &error);
}

static inline sfm_rows *tabletrial_rows(const char *csv) {
  sfm_error error;
  sfm_rows *rows = NULL;
  trial_ok(sfmi_rows_open_memory(&rows, csv, strlen(csv), 0, &error), &error);
  return rows;
}

static inline sfm_release *tabletrial_release(const tabletrial *t, const char *csv) {
  sfm_error error;
  sfm_release *release = NULL;
  sfm_rows *rows = tabletrial_rows(csv);
  trial_ok(sfm_histogram_release(&release, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

/* What rows come to before noise; both are to be cleared. */
static inline void tabletrial_read(const tabletrial *t, sfmi_tableau *tableau,
                                   sfmi_tabulation *tabulation, const char *csv) {
  sfm_error error;
  sfm_rows *rows = tabletrial_rows(csv);
  trial_ok(sfmi_tableau_init(tableau, &t->settings, &error), &error);
  trial_ok(sfmi_tabulating_read(tabulation, tableau->cells, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
}

/* P(Z = z) and P(Z > t), t >= -1, of discrete Laplace noise. */
static inline double tabletrial_mass(double scale, double z) {
  const double r = exp(-1 / scale);
  return (1 - r) / (1 + r) * pow(r, fabs(z));
}

static inline double tabletrial_tail(double scale, double t) {
  const double r = exp(-1 / scale);
  return pow(r, t + 1) / (1 + r);
}

#endif
