/* curve_fixture.h - for tests of several rooms: curves in arrays, released. */
#ifndef TEST_CURVE_FIXTURE_H
#define TEST_CURVE_FIXTURE_H

#include "test_support.h"

#include "sfumato/curve.h"

enum { CURVE_FIXTURE_POINTS = 32 };

/* Records of an id and CURVE_FIXTURE_POINTS values; the id is read only when persons are asked for.
 */
typedef struct curve_fixture {
  sfm_schema *schema;
  sfm_curve_settings settings;
  double grid[CURVE_FIXTURE_POINTS];
} curve_fixture;

/* In place: settings borrow the grid. */
static inline void curve_fixture_init(curve_fixture *w, double epsilon, double delta,
                                      uint32_t contributions, bool person) {
  sfm_error error;
  *w = (curve_fixture){.settings = sfm_curve_settings_default()};
  for (size_t i = 0; i < CURVE_FIXTURE_POINTS; i++)
    w->grid[i] = (double)i / (CURVE_FIXTURE_POINTS - 1);
  assert_ok(sfm_schema_create(&w->schema, &error), &error);
  assert_ok(sfm_schema_set_contributions(w->schema, contributions, &error), &error);
  if (person) assert_ok(sfm_schema_set_person(w->schema, "0", &error), &error);
  w->settings.context.schema = w->schema;
  w->settings.first = 1;
  w->settings.count = CURVE_FIXTURE_POINTS;
  w->settings.grid = w->grid;
  w->settings.clip = 2;
  w->settings.bandwidth = 0.2;
  w->settings.epsilon = epsilon;
  w->settings.delta = delta;
}

static inline void curve_fixture_clear(curve_fixture *w) {
  sfm_schema_destroy(w->schema);
}

/* count records, of persons 0 to persons - 1 in turn. */
static inline void curve_fixture_curves(double *records, size_t count, size_t persons, double size,
                                        uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t r = 0; r < count; r++) {
    double *record = records + r * (CURVE_FIXTURE_POINTS + 1);
    const double a = sfmi_prng_normal(&prng), b = sfmi_prng_normal(&prng);
    record[0] = (double)(r % persons);
    for (size_t i = 0; i < CURVE_FIXTURE_POINTS; i++) {
      const double t = (double)i / (CURVE_FIXTURE_POINTS - 1);
      record[1 + i] =
          size * (1 + sin(6 * t) + 0.2 * a + 0.2 * b * cos(4 * t) + 0.05 * sfmi_prng_normal(&prng));
      if (sfmi_prng_uniform(&prng) < 0.05) record[1 + i] = NAN;
    }
  }
}

static inline sfm_release *curve_fixture_release(const curve_fixture *w, sfm_curve_choice *plan,
                                                 const double *records, size_t count) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  assert_ok(sfm_rows_from_array(&rows, records, count, CURVE_FIXTURE_POINTS + 1, NULL, &error),
            &error);
  assert_ok(sfm_curve_release(&release, plan, rows, &w->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

#endif
