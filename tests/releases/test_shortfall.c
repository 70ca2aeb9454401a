/* test_shortfall.c - between the places of a release the band holds for the tables that are worst
 * for it: everybody at one place, near the point asked or away from it, with hardly any noise, over
 * all places (few) and over the nearest (many). */
#include "features/kernels.h"
#include "trial.h"

typedef struct setup {
  const char *name;
  size_t dimension;
  sfm_kernel_family kernel;
  sfm_engine engine;
  size_t grid[2];
  double bandwidth;
} setup;

static const setup SETUPS[] = {
    {"laplacian, few", 1, SFM_KERNEL_LAPLACIAN, SFM_ENGINE_MARKOV, {60}, 0.05},
    {"laplacian, many", 1, SFM_KERNEL_LAPLACIAN, SFM_ENGINE_MARKOV, {1500}, 0.01},
    {"matern32, many", 1, SFM_KERNEL_MATERN32, SFM_ENGINE_MARKOV, {1500}, 0.003},
    {"matern52, few", 1, SFM_KERNEL_MATERN52, SFM_ENGINE_MARKOV, {40}, 0.1},
    {"matern52, many", 1, SFM_KERNEL_MATERN52, SFM_ENGINE_MARKOV, {1200}, 0.02},
    {"cauchy, many", 1, SFM_KERNEL_CAUCHY, SFM_ENGINE_CIRCULANT, {1200}, 0.004},
    {"gaussian, many", 1, SFM_KERNEL_GAUSSIAN, SFM_ENGINE_CIRCULANT, {1200}, 0.002},
    {"matern32 map, many", 2, SFM_KERNEL_MATERN32, SFM_ENGINE_CIRCULANT, {36, 36}, 0.08},
    {"laplacian map, few", 2, SFM_KERNEL_LAPLACIAN, SFM_ENGINE_CIRCULANT, {12, 12}, 0.2},
};

enum { ROWS = 40, POINTS = 60 };

/* The kernel mean over its integral. */
static double truth_at(const setup *s, const double *h, const double *rows, const double *x) {
  const sfm_kernel kernel = {.family = s->kernel, .dimension = s->dimension, .bandwidth = h};
  double sum = 0;
  for (size_t i = 0; i < ROWS; i++) sum += sfm_kernel_at(&kernel, x, rows + i * s->dimension);
  return sum / (ROWS * sfmi_kernel_mass(&kernel));
}

/* The largest error over the width, with everybody at y. */
static double worst_of(const setup *s, const double *y, sfmi_prng *prng, uint64_t seed) {
  const size_t d = s->dimension;
  double rows[2 * ROWS], x[2 * POINTS], values[POINTS], widths[POINTS], worst = 0;
  trial t;
  sfm_error error;
  sfm_evaluator *evaluator;
  trial_init(&t, d, 0, 1, s->bandwidth, 1000, 0.5);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.kernel = s->kernel;
  t.settings.engine = s->engine;
  t.settings.confidence = 0.999;
  t.settings.seeded = true;
  t.settings.seed = seed;
  memcpy(t.settings.release_grid, s->grid, sizeof s->grid);
  for (size_t i = 0; i < ROWS * d; i++) rows[i] = y[i % d];
  for (size_t i = 0; i < POINTS * d; i++) {
    /* A third beside y, a third within some bandwidths, a third anywhere. */
    const double u = 2 * sfmi_prng_uniform(prng) - 1;
    const double away = i / d % 3 == 0   ? u / (double)s->grid[0]
                        : i / d % 3 == 1 ? 6 * s->bandwidth * u
                                         : u;
    x[i] = fmin(fmax(y[i % d] + away, 0), 1);
  }
  sfm_release *release = trial_release(&t, rows, ROWS);
  trial_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  trial_ok(sfm_evaluator_at(evaluator, values, x, POINTS, &error), &error);
  trial_ok(sfm_evaluator_widths(evaluator, widths, x, POINTS, &error), &error);
  for (size_t i = 0; i < POINTS; i++)
    worst = fmax(worst, fabs(values[i] - truth_at(s, t.bandwidth, rows, x + i * d)) / widths[i]);
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
  trial_clear(&t);
  return worst;
}

static void widths_hold_for_the_worst_tables(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 91);
  const int places = trial_long() ? 40 : 2;
  for (size_t s = 0; s < sizeof SETUPS / sizeof *SETUPS; s++) {
    double worst = 0;
    for (int i = 0; i < places; i++) {
      /* In the middle of a cell, at an end, anywhere. */
      const double cells = (double)(SETUPS[s].grid[0] - 1);
      double y[2] = {sfmi_prng_uniform(&prng), sfmi_prng_uniform(&prng)};
      if (i == 0) y[0] = y[1] = (floor(0.4 * cells) + 0.5) / cells;
      if (i == 1) y[0] = y[1] = 0.5 / cells;
      worst = fmax(worst, worst_of(&SETUPS[s], y, &prng, 92 + (uint64_t)i));
    }
    print_message("%-20s error at most %.3f of the width\n", SETUPS[s].name, worst);
    assert_true(worst <= 1);
    assert_true(worst > 0.01);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(widths_hold_for_the_worst_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
