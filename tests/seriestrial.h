/* seriestrial.h - series released from arrays, for the tests of several rooms. */
#ifndef TEST_SERIESTRIAL_H
#define TEST_SERIESTRIAL_H

#include "trial.h"

#include "sfumato/series.h"

/* A series problem with its schema: column "a". */
typedef struct series_trial {
  sfm_schema *schema;
  sfm_series_settings settings;
} series_trial;

/* epsilon 1 and, for normal noise, delta 1e-6; seeded.  eigen is of a matern32 kernel whose
 * bandwidth is a fifth of the width. */
static inline void series_trial_init(series_trial *t, sfm_basis basis, size_t terms,
                                     sfm_vector_noise noise, double lower, double upper) {
  sfm_error error;
  trial_ok(sfm_schema_create(&t->schema, &error), &error);
  trial_ok(sfm_schema_set_bounds(t->schema, trial_columns[0], lower, upper, &error), &error);
  t->settings = sfm_series_settings_default();
  t->settings.schema = t->schema;
  t->settings.column = trial_columns[0];
  t->settings.basis = basis;
  t->settings.kernel = SFM_KERNEL_MATERN32;
  t->settings.bandwidth = (upper - lower) / 5;
  t->settings.terms = terms;
  t->settings.noise = noise;
  t->settings.epsilon = 1;
  t->settings.delta = noise == SFM_VECTOR_NORMAL ? 1e-6 : 0;
  t->settings.seeded = true;
  t->settings.seed = 1;
}

static inline void series_trial_clear(series_trial *t) {
  sfm_schema_destroy(t->schema);
}

/* The release of an array of rows, which must succeed. */
static inline sfm_release *series_trial_release(const series_trial *t, const double *values,
                                                size_t count) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  trial_ok(sfm_rows_from_array(&rows, values, count, 1, trial_columns, &error), &error);
  trial_ok(sfm_series_release(&release, NULL, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

static const char *const series_noises[] = {"laplace", "normal", "gamma"};

#endif
