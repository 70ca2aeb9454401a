/* density_fixture.h - densities released from arrays, and the estimate they are of. */
#ifndef TEST_DENSITY_FIXTURE_H
#define TEST_DENSITY_FIXTURE_H

#include "test_support.h"

/* A density problem with its schema: columns "a", "b", ... */
typedef struct density_fixture {
  sfm_schema *schema;
  sfm_density_settings settings;
  double bandwidth[SFM_MAX_DIMENSION];
} density_fixture;

static const char *const density_fixture_columns[SFM_MAX_DIMENSION] = {
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o",  "p",
    "q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "A", "B", "C", "D", "E",  "F",
    "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U",  "V",
    "W", "X", "Y", "Z", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "aa", "bb"};

/* dimension columns with the same bounds and bandwidth. */
/* What the suites that compare with a plain kernel estimate ask for. */
static const sfm_boundary density_fixture_open[SFM_MAX_DIMENSION] = {SFM_BOUNDARY_OPEN};

static inline void density_fixture_init(density_fixture *t, size_t dimension, double lower,
                                        double upper, double bandwidth, double epsilon,
                                        double delta) {
  sfm_error error;
  assert_ok(sfm_schema_create(&t->schema, &error), &error);
  t->settings = sfm_density_settings_default();
  for (size_t a = 0; a < dimension; a++) {
    assert_ok(sfm_schema_set_bounds(t->schema, density_fixture_columns[a], lower, upper, &error),
              &error);
    t->bandwidth[a] = bandwidth;
  }
  t->settings.context.schema = t->schema;
  t->settings.columns = density_fixture_columns;
  t->settings.dimension = dimension;
  t->settings.bandwidth = t->bandwidth;
  t->settings.boundary = density_fixture_open;
  t->settings.outside = SFM_OUTSIDE_CLAMP;
  t->settings.epsilon = epsilon;
  t->settings.delta = delta;
}

/* Its settings are refused, with that word in the message. */
static inline void density_fixture_refused(const density_fixture *t, const char *word) {
  sfm_error error = {SFM_OK, ""};
  sfm_density_choice plan;
  assert_int_equal(sfm_density_choose(&plan, &t->settings, 100, &error), SFM_INVALID);
  if (!strstr(error.message, word)) fail_msg("\"%s\" is not in: %s", word, error.message);
}

static inline void density_fixture_clear(density_fixture *t) {
  sfm_schema_destroy(t->schema);
}

static inline void density_fixture_neighbours(density_fixture *t, sfm_neighbours neighbours,
                                              uint32_t contributions) {
  sfm_error error;
  assert_ok(sfm_schema_set_neighbours(t->schema, neighbours, &error), &error);
  assert_ok(sfm_schema_set_contributions(t->schema, contributions, &error), &error);
}

/* The release of an array of rows, which must succeed. */
static inline sfm_release *density_fixture_release(const density_fixture *t, const double *values,
                                                   size_t count) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  assert_ok(sfm_rows_from_array(&rows, values, count, t->settings.dimension,
                                density_fixture_columns, &error),
            &error);
  assert_ok(sfm_density_release(&release, NULL, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

/* Rows in two clusters and a heap, within [lower, upper]. */
static inline void density_fixture_rows(double *values, size_t count, size_t dimension,
                                        double lower, double upper, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count * dimension; i++) {
    double u = sfmi_prng_uniform(&prng);
    double x = u < 0.1   ? 0.25
               : u < 0.5 ? 0.3 + 0.1 * sfmi_prng_normal(&prng)
                         : sfmi_prng_uniform(&prng);
    values[i] = lower + (upper - lower) * fmin(fmax(x, 0), 1);
  }
}

/* The density estimate itself, by its definition. */
static inline double density_fixture_density(const double *values, size_t count, size_t dimension,
                                             const double *bandwidth, const double *q) {
  double sum = 0, mass = 1;
  for (size_t a = 0; a < dimension; a++) mass *= sqrt(2 * M_PI) * bandwidth[a];
  for (size_t i = 0; i < count; i++) {
    double square = 0;
    for (size_t a = 0; a < dimension; a++) {
      double z = (q[a] - values[i * dimension + a]) / bandwidth[a];
      square += z * z;
    }
    sum += exp(-0.5 * square);
  }
  return sum / mass / (double)count;
}

#endif
