/* places_coverage.h - how often the band of values at places holds: one release, and its noise
 * drawn anew many times by what draws it in production. */
#ifndef TESTS_MECHANISMS_PLACES_COVERAGE_H
#define TESTS_MECHANISMS_PLACES_COVERAGE_H

#include "density_fixture.h"

#include "mechanisms/core/gp_noise.h"
#include "planner/density/gaussian_process.h"

/* The density without privacy at x. */
typedef double places_truth(const void *context, const double *rows, size_t count, const double *x);

/* So many draws are compared at the places, and so many of them between the places, too. */
enum { PLACES_DRAWS = 500, PLACES_BETWEEN_DRAWS = 60, PLACES_BETWEEN = 12 };

/* The part of its width that a band has when it is too narrow. */
#define PLACES_NARROW 0.6

typedef struct places_coverage {
  size_t draws, between_draws;
  size_t inside, narrow_inside;         /* at all places, of all draws */
  size_t one, narrow_one;               /* at one place, of all draws */
  size_t everywhere, narrow_everywhere; /* at the places and between, of between_draws */
  double wide; /* between the places, in half widths; of draws that are inside at the places */
} places_coverage;

/* What is drawn from, and what it is added to. */
typedef struct places_redraw {
  sfm_release *release;
  sfmi_gp_noise *gp_noise;
  double *exact, *noise, *zeros; /* in the unit of the released values */
  double unit;                   /* of a value: 1/(rows x the kernel's integral) */
} places_redraw;

static inline void places_redraw_init(places_redraw *r, const density_fixture *t,
                                      const double *rows, size_t count) {
  sfm_error error;
  sfmi_design_density *design = calloc(1, sizeof *design);
  r->release = density_fixture_release(t, rows, count);
  const size_t m = r->release->length;
  assert_ok(sfmi_design_density_init(design, &t->settings, count, &error), &error);
  const sfm_kernel noise = sfmi_process_noise(&design->process);
  assert_ok(sfmi_gp_noise_create(
                &r->gp_noise, design->engine, &noise, &design->places, design->process.nugget,
                (sfmi_seed){t->settings.context.seeded, t->settings.context.seed}, &error),
            &error);
  r->unit = 1 / ((double)count * design->process.mass);
  free(design);
  r->exact = calloc(m, sizeof *r->exact);
  r->noise = calloc(m, sizeof *r->noise);
  r->zeros = calloc(m, sizeof *r->zeros);
  assert_true(r->exact && r->noise && r->zeros);
  /* The first draw is the release's own. */
  sfmi_gp_noise_add(r->gp_noise, r->noise, r->zeros, r->release->scale);
  for (size_t i = 0; i < m; i++) r->exact[i] = r->release->reals[i] - r->noise[i];
}

static inline void places_redraw_clear(places_redraw *r) {
  sfm_release_destroy(r->release);
  sfmi_gp_noise_destroy(r->gp_noise);
  free(r->exact);
  free(r->noise);
  free(r->zeros);
}

/* New noise in the release. */
static inline void places_redraw_next(places_redraw *r) {
  sfmi_gp_noise_add(r->gp_noise, r->noise, r->zeros, r->release->scale);
  for (size_t i = 0; i < r->release->length; i++) r->release->reals[i] = r->exact[i] + r->noise[i];
}

/* Between the places, by the evaluator: inside and narrow become false where a width does not hold.
 */
static inline void places_between(places_coverage *c, const places_redraw *r, const double *x,
                                  const double *truth, bool *inside, bool *narrow) {
  double value[PLACES_BETWEEN], width[PLACES_BETWEEN];
  const sfm_band band = sfm_release_band(r->release);
  sfm_evaluator *evaluator;
  sfm_error error;
  assert_ok(sfm_evaluator_create(&evaluator, r->release, 0, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, value, x, PLACES_BETWEEN, &error), &error);
  assert_ok(sfm_evaluator_widths(evaluator, width, x, PLACES_BETWEEN, &error), &error);
  assert_int_equal(sfm_evaluator_interpolated(evaluator, x, PLACES_BETWEEN), PLACES_BETWEEN);
  sfm_evaluator_destroy(evaluator);
  for (size_t i = 0; i < PLACES_BETWEEN; i++) {
    const double off = fabs(value[i] - truth[i]);
    if (*inside) c->wide = fmax(c->wide, width[i] / band.half_width);
    if (off > width[i]) *inside = false;
    if (off > PLACES_NARROW * width[i]) *narrow = false;
  }
}

/* Values and widths at the places are those of the evaluator. */
static inline void places_check_evaluator(const places_redraw *r, const double *x) {
  const size_t m = r->release->length;
  double *value = malloc(m * sizeof *value), *width = malloc(m * sizeof *width);
  sfm_evaluator *evaluator;
  sfm_error error;
  assert_ok(sfm_evaluator_create(&evaluator, r->release, 0, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, value, x, m, &error), &error);
  assert_ok(sfm_evaluator_widths(evaluator, width, x, m, &error), &error);
  for (size_t i = 0; i < m; i++) {
    assert_relative("value at a place", value[i], r->release->reals[i] * r->unit, 1e-12);
    assert_true(width[i] == r->release->band.half_width);
  }
  sfm_evaluator_destroy(evaluator);
  free(value);
  free(width);
}

static inline places_coverage places_cover(const density_fixture *t, const double *rows,
                                           size_t count, places_truth *truth_at,
                                           const void *context) {
  const size_t d = t->settings.dimension, scale = test_long() ? 10 : 1;
  places_coverage c = {.draws = scale * test_repetitions(PLACES_DRAWS, 40),
                       .between_draws = scale * test_repetitions(PLACES_BETWEEN_DRAWS, 4)};
  places_redraw r;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 86);
  places_redraw_init(&r, t, rows, count);
  const sfm_band band = sfm_release_band(r.release);
  const size_t m = r.release->length, total = m + PLACES_BETWEEN;
  double *x = malloc(total * d * sizeof *x), *truth = malloc(total * sizeof *truth);
  for (size_t i = 0; i < m; i++) assert_true(sfm_release_place(r.release, x + i * d, i));
  for (size_t i = m * d; i < total * d; i++) x[i] = sfmi_prng_uniform(&prng);
  for (size_t i = 0; i < total; i++) truth[i] = truth_at(context, rows, count, x + i * d);
  places_check_evaluator(&r, x);
  for (size_t k = 0; k < c.draws; k++) {
    bool inside = true, narrow = true;
    places_redraw_next(&r);
    for (size_t i = 0; i < m; i++) {
      const double off = fabs(r.release->reals[i] * r.unit - truth[i]);
      if (off > band.half_width) inside = false;
      if (off > PLACES_NARROW * band.half_width) narrow = false;
      if (i != 5) continue;
      c.one += off <= band.pointwise;
      c.narrow_one += off <= PLACES_NARROW * band.pointwise;
    }
    c.inside += inside;
    c.narrow_inside += narrow;
    if (k >= c.between_draws) continue;
    places_between(&c, &r, x + m * d, truth + m, &inside, &narrow);
    c.everywhere += inside;
    c.narrow_everywhere += narrow;
  }
  free(x);
  free(truth);
  places_redraw_clear(&r);
  return c;
}

/* Bands at a confidence hold as often as they say, and narrow ones are seen not to. */
static inline void places_judge(const char *name, const places_coverage *c, double confidence,
                                bool sharp) {
  print_message("%-24s %zu, %zu of %zu, everywhere %zu of %zu; narrow %zu, %zu, %zu; %.2f times as "
                "wide between\n",
                name, c->inside, c->one, c->draws, c->everywhere, c->between_draws,
                c->narrow_inside, c->narrow_one, c->narrow_everywhere, c->wide);
  assert_false(binomial_too_few(c->inside, c->draws, confidence));
  assert_false(binomial_too_few(c->one, c->draws, confidence));
  assert_false(binomial_too_few(c->everywhere, c->between_draws, confidence));
  if (!sharp || test_sanitized()) return;
  assert_true(binomial_too_few(c->narrow_inside, c->draws, confidence));
  assert_true(binomial_too_few(c->narrow_one, c->draws, confidence));
  assert_true(binomial_too_few(c->narrow_everywhere, c->between_draws, confidence));
}

#endif
