/* range_fixture.h - a range of column "a" of an array, for the tests of several rooms. */
#ifndef TEST_RANGE_FIXTURE_H
#define TEST_RANGE_FIXTURE_H

#include "mechanisms/statistics/range_release.h"
#include "sfumato/range.h"
#include "density_fixture.h"

typedef struct range_fixture {
  sfm_schema *schema;
  sfm_range_settings settings;
  double quantiles[SFM_RANGE_QUANTILES_MAX];
} range_fixture;

/* Values from lower to upper, in steps of resolution (0: as usual). */
static inline void range_fixture_init(range_fixture *t, double lower, double upper,
                                      double resolution, double epsilon) {
  sfm_error error;
  assert_ok(sfm_schema_create(&t->schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(t->schema, "a", lower, upper, &error), &error);
  t->settings = sfm_range_settings_default();
  t->settings.context.schema = t->schema;
  t->settings.column = "a";
  t->settings.resolution = resolution;
  t->settings.epsilon = epsilon;
  t->quantiles[0] = 0.5;
  t->settings.quantiles = t->quantiles;
  t->settings.count = 1;
}

static inline void range_fixture_two(range_fixture *t, double one, double two) {
  t->quantiles[0] = one;
  t->quantiles[1] = two;
  t->settings.count = 2;
}

static inline void range_fixture_neighbours(range_fixture *t, sfm_neighbours neighbours,
                                            uint32_t contributions, bool person) {
  sfm_error error;
  assert_ok(sfm_schema_set_neighbours(t->schema, neighbours, &error), &error);
  assert_ok(sfm_schema_set_contributions(t->schema, contributions, &error), &error);
  if (person) assert_ok(sfm_schema_set_person(t->schema, "b", &error), &error);
}

static inline void range_fixture_clear(range_fixture *t) {
  sfm_schema_destroy(t->schema);
}

/* Rows of a, or with a person column of a and b. */
static inline sfm_rows *range_fixture_rows(const range_fixture *t, const double *values,
                                           size_t count) {
  sfm_error error;
  sfm_rows *rows = NULL;
  assert_ok(sfm_rows_from_array(&rows, values, count, sfm_schema_person(t->schema) ? 2 : 1,
                                density_fixture_columns, &error),
            &error);
  sfmi_rows_set_seed(rows, 1); /* which records of a person are kept */
  return rows;
}

static inline sfm_release *range_fixture_release(const range_fixture *t, const double *values,
                                                 size_t count) {
  sfm_error error;
  sfm_release *release = NULL;
  sfm_rows *rows = range_fixture_rows(t, values, count);
  assert_ok(sfm_range_release(&release, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

/* What the production code has before it draws: the range_design and its rates, and counted cells.
 */
static inline void range_fixture_design(const range_fixture *t, sfmi_design_range *range_design,
                                        sfmi_dyadic_rate *rates) {
  sfm_error error;
  assert_ok(sfmi_design_range_init(range_design, &t->settings, &error), &error);
  assert_ok(sfmi_range_rates(rates, range_design, &error), &error);
}

static inline sfmi_ranks range_fixture_ranks(const range_fixture *t,
                                             const sfmi_design_range *range_design,
                                             const double *values, size_t count) {
  sfm_error error;
  sfmi_ranks ranks = range_design->grid;
  sfm_rows *rows = range_fixture_rows(t, values, count);
  assert_ok(sfmi_ranks_alloc(&ranks, &error), &error);
  assert_ok(sfmi_range_read(&ranks, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return ranks;
}

/* The law of one quantile's draw: masses of all cells. */
static inline void range_fixture_law(double *masses, const sfmi_ranks *ranks, sfm_ratio quantile,
                                     sfmi_dyadic_rate rate) {
  long double sum = 0;
  for (size_t i = 0; i < ranks->cells; i++) {
    const long double loss = (long double)sfmi_ranks_loss(ranks, quantile, i);
    masses[i] = (double)expl(-loss * (long double)rate.numerator * ldexpl(1, -(int)rate.shift));
    sum += masses[i];
  }
  for (size_t i = 0; i < ranks->cells; i++) masses[i] = (double)(masses[i] / sum);
}

#endif
