/* rangetrial.h - a range of column "a" of an array, for the tests of several rooms. */
#ifndef TEST_RANGETRIAL_H
#define TEST_RANGETRIAL_H

#include "mechanisms/ranging.h"
#include "sfumato/range.h"
#include "trial.h"

typedef struct rangetrial {
  sfm_schema *schema;
  sfm_range_settings settings;
  double quantiles[SFM_RANGE_QUANTILES_MAX];
} rangetrial;

/* Values from lower to upper, in steps of resolution (0: as usual). */
static inline void rangetrial_init(rangetrial *t, double lower, double upper, double resolution,
                                   double epsilon) {
  sfm_error error;
  trial_ok(sfm_schema_create(&t->schema, &error), &error);
  trial_ok(sfm_schema_set_bounds(t->schema, "a", lower, upper, &error), &error);
  t->settings = sfm_range_settings_default();
  t->settings.schema = t->schema;
  t->settings.column = "a";
  t->settings.resolution = resolution;
  t->settings.epsilon = epsilon;
  t->quantiles[0] = 0.5;
  t->settings.quantiles = t->quantiles;
  t->settings.count = 1;
}

static inline void rangetrial_two(rangetrial *t, double one, double two) {
  t->quantiles[0] = one;
  t->quantiles[1] = two;
  t->settings.count = 2;
}

static inline void rangetrial_neighbours(rangetrial *t, sfm_neighbours neighbours,
                                         uint32_t contributions, bool person) {
  sfm_error error;
  trial_ok(sfm_schema_set_neighbours(t->schema, neighbours, &error), &error);
  trial_ok(sfm_schema_set_contributions(t->schema, contributions, &error), &error);
  if (person) trial_ok(sfm_schema_set_person(t->schema, "b", &error), &error);
}

static inline void rangetrial_clear(rangetrial *t) {
  sfm_schema_destroy(t->schema);
}

/* Rows of a, or with a person column of a and b. */
static inline sfm_rows *rangetrial_rows(const rangetrial *t, const double *values, size_t count) {
  sfm_error error;
  sfm_rows *rows = NULL;
  trial_ok(sfm_rows_from_array(&rows, values, count, sfm_schema_person(t->schema) ? 2 : 1,
                               trial_columns, &error),
           &error);
  return rows;
}

static inline sfm_release *rangetrial_release(const rangetrial *t, const double *values,
                                              size_t count) {
  sfm_error error;
  sfm_release *release = NULL;
  sfm_rows *rows = rangetrial_rows(t, values, count);
  trial_ok(sfm_range_release(&release, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

/* What the production code has before it draws: the survey and its rates, and counted cells. */
static inline void rangetrial_survey(const rangetrial *t, sfmi_survey *survey, sfmi_rate *rates) {
  sfm_error error;
  trial_ok(sfmi_survey_init(survey, &t->settings, &error), &error);
  trial_ok(sfmi_ranging_rates(rates, survey, &error), &error);
}

static inline sfmi_ranks rangetrial_ranks(const rangetrial *t, const sfmi_survey *survey,
                                          const double *values, size_t count) {
  sfm_error error;
  sfmi_ranks ranks = survey->grid;
  sfm_rows *rows = rangetrial_rows(t, values, count);
  trial_ok(sfmi_ranks_alloc(&ranks, &error), &error);
  trial_ok(sfmi_ranging_read(&ranks, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return ranks;
}

/* The law of one quantile's draw: masses of all cells. */
static inline void rangetrial_law(double *masses, const sfmi_ranks *ranks, sfm_ratio quantile,
                                  sfmi_rate rate) {
  long double sum = 0;
  for (size_t i = 0; i < ranks->cells; i++) {
    const long double loss = (long double)sfmi_ranks_loss(ranks, quantile, i);
    masses[i] = (double)expl(-loss * (long double)rate.numerator * ldexpl(1, -(int)rate.shift));
    sum += masses[i];
  }
  for (size_t i = 0; i < ranks->cells; i++) masses[i] = (double)(masses[i] / sum);
}

#endif
