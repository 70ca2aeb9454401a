/* series_fixture.h - series released from arrays, for the tests of several rooms. */
#ifndef TEST_SERIES_FIXTURE_H
#define TEST_SERIES_FIXTURE_H

#include "density_fixture.h"

#include "sfumato/series.h"

/* A series problem with its schema: column "a". */
typedef struct series_fixture {
  sfm_schema *schema;
  sfm_series_settings settings;
} series_fixture;

/* epsilon 1 and, for normal noise, delta 1e-6; seeded.  eigen is of a matern32 kernel whose
 * bandwidth is a fifth of the width. */
static inline void series_fixture_init(series_fixture *t, sfm_basis basis, size_t terms,
                                       sfm_vector_noise noise, double lower, double upper) {
  sfm_error error;
  assert_ok(sfm_schema_create(&t->schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(t->schema, density_fixture_columns[0], lower, upper, &error),
            &error);
  t->settings = sfm_series_settings_default();
  t->settings.context.schema = t->schema;
  t->settings.column = density_fixture_columns[0];
  t->settings.basis = basis;
  t->settings.kernel = SFM_KERNEL_MATERN32;
  t->settings.bandwidth = (upper - lower) / 5;
  t->settings.terms = terms;
  t->settings.noise = noise;
  t->settings.epsilon = 1;
  t->settings.delta = noise == SFM_VECTOR_NOISE_NORMAL ? 1e-6 : 0;
  t->settings.context.seeded = true;
  t->settings.context.seed = 1;
}

static inline void series_fixture_clear(series_fixture *t) {
  sfm_schema_destroy(t->schema);
}

/* The release of an array of rows, which must succeed. */
static inline sfm_release *series_fixture_release(const series_fixture *t, const double *values,
                                                  size_t count) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  assert_ok(sfm_rows_from_array(&rows, values, count, 1, density_fixture_columns, &error), &error);
  assert_ok(sfm_series_release(&release, NULL, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

static const char *const series_noises[] = {"laplace", "normal", "gamma"};

#endif
