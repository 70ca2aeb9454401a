/* weave.h - for tests of several rooms: curves in arrays, released. */
#ifndef TEST_WEAVE_H
#define TEST_WEAVE_H

#include "trial.h"

#include "sfumato/curve.h"

enum { WEAVE_POINTS = 32 };

/* Records of an id and WEAVE_POINTS values; the id is read only when persons are asked for. */
typedef struct weave {
  sfm_schema *schema;
  sfm_curve_settings settings;
  double grid[WEAVE_POINTS];
} weave;

/* In place: settings borrow the grid. */
static inline void weave_init(weave *w, double epsilon, double delta, uint32_t contributions,
                              bool person) {
  sfm_error error;
  *w = (weave){.settings = sfm_curve_settings_default()};
  for (size_t i = 0; i < WEAVE_POINTS; i++) w->grid[i] = (double)i / (WEAVE_POINTS - 1);
  trial_ok(sfm_schema_create(&w->schema, &error), &error);
  trial_ok(sfm_schema_set_contributions(w->schema, contributions, &error), &error);
  if (person) trial_ok(sfm_schema_set_person(w->schema, "0", &error), &error);
  w->settings.schema = w->schema;
  w->settings.first = 1;
  w->settings.count = WEAVE_POINTS;
  w->settings.grid = w->grid;
  w->settings.clip = 2;
  w->settings.bandwidth = 0.2;
  w->settings.epsilon = epsilon;
  w->settings.delta = delta;
}

static inline void weave_clear(weave *w) {
  sfm_schema_destroy(w->schema);
}

/* count records, of persons 0 to persons - 1 in turn. */
static inline void weave_curves(double *records, size_t count, size_t persons, double size,
                                uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t r = 0; r < count; r++) {
    double *record = records + r * (WEAVE_POINTS + 1);
    const double a = sfmi_prng_normal(&prng), b = sfmi_prng_normal(&prng);
    record[0] = (double)(r % persons);
    for (size_t i = 0; i < WEAVE_POINTS; i++) {
      const double t = (double)i / (WEAVE_POINTS - 1);
      record[1 + i] =
          size * (1 + sin(6 * t) + 0.2 * a + 0.2 * b * cos(4 * t) + 0.05 * sfmi_prng_normal(&prng));
      if (sfmi_prng_uniform(&prng) < 0.05) record[1 + i] = NAN;
    }
  }
}

static inline sfm_release *weave_release(const weave *w, sfm_curve_plan *plan,
                                         const double *records, size_t count) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  trial_ok(sfm_rows_from_array(&rows, records, count, WEAVE_POINTS + 1, NULL, &error), &error);
  trial_ok(sfm_curve_release(&release, plan, rows, &w->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

#endif
