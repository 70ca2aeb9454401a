/* test_plan_density.c - plans of densities: they are what auto does, their numbers add up, and
 * questions asked of them agree with one another, also at the edges of what may be asked. */
#include "density_fixture.h"

#include "sfumato/plan.h"

static double between(sfmi_prng *prng, double low, double high) {
  return low * pow(high / low, sfmi_prng_uniform(prng));
}

static size_t below(sfmi_prng *prng, size_t count) {
  return (size_t)(sfmi_prng_uniform(prng) * (double)count);
}

static void relatively(const char *claim, double got, double wanted) {
  assert_relative(claim, got, wanted, 1e-12);
}

static void check_forecast(const sfm_forecast *f) {
  assert_true(f->privacy >= 0 && f->sampling >= 0 && f->smoothing >= 0);
  assert_true(f->truncation >= 0 && f->aliasing >= 0 && isfinite(f->high));
  assert_true(f->cost >= f->privacy + f->aliasing);
  relatively("total", f->total,
             f->privacy + f->truncation + f->aliasing + f->sampling + f->smoothing);
  assert_true(f->low >= 0 && f->low <= f->total && f->total <= f->high);
  assert_true(f->cost_low >= 0 && f->cost_low <= f->cost && f->cost <= f->cost_high);
  assert_true(f->relative > 0 && isfinite(f->relative));
}

static const sfm_plan_parameter *parameter(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return &entry->parameters[i];
  return NULL;
}

/* What is called best is what a release does, to the last number. */
static void check_choice(const sfm_plan_entry *best, const density_fixture *t, uint64_t n) {
  static const char *const methods[] = {"auto",    "lattice",         "gp",
                                        "sobolev", "fourier-laplace", "caratheodory"};
  sfm_density_choice chosen;
  sfm_error error;
  assert_ok(sfm_density_choose(&chosen, &t->settings, n, &error), &error);
  assert_string_equal(best->method, methods[chosen.method]);
  assert_true(best->predicted.total == chosen.total);
  assert_true(parameter(best, "coefficients")->numbers[0] == (double)chosen.coefficients);
  for (size_t a = 0; a < t->settings.dimension; a++)
    assert_true(parameter(best, "bandwidth")->numbers[a] == chosen.bandwidth[a]);
  if (chosen.method != SFM_DENSITY_LATTICE) return;
  const bool normal = chosen.noise == SFM_DENSITY_NOISE_NORMAL;
  assert_string_equal(parameter(best, "noise")->text, normal ? "normal" : "laplace");
  assert_true(parameter(best, "order")->numbers[0] == chosen.order);
  assert_true(parameter(best, "spacing")->numbers[0] == chosen.spacing[0]);
}

/* The number of records and the epsilon that a plan names reach an error, and less does not. */
static void check_needs(const sfm_plan *plan, const density_fixture *t, double n, double relative) {
  sfm_error error;
  sfm_forecast f;
  double rows, epsilon;
  assert_ok(sfm_plan_rows_for(plan, &rows, relative, &error), &error);
  assert_true(rows >= 1 && rows <= n);
  assert_ok(sfm_plan_forecast(plan, &f, rows, t->settings.epsilon, &error), &error);
  assert_true(f.relative <= relative);
  if (rows > 1) {
    assert_ok(sfm_plan_forecast(plan, &f, rows - 1, t->settings.epsilon, &error), &error);
    assert_true(f.relative > relative);
  }
  assert_ok(sfm_plan_epsilon_for(plan, &epsilon, relative, &error), &error);
  assert_true(epsilon >= 1e-6 && epsilon <= t->settings.epsilon * 1.01);
  assert_ok(sfm_plan_forecast(plan, &f, n, epsilon, &error), &error);
  assert_true(f.relative <= relative);
  if (epsilon < 1.03e-6) return;
  assert_ok(sfm_plan_forecast(plan, &f, n, epsilon / 1.02, &error), &error);
  assert_true(f.relative > relative);
}

static void check_monotone(const sfm_plan *plan, const density_fixture *t, double n) {
  sfm_error error;
  sfm_forecast f;
  double last = INFINITY;
  for (double rows = 1; rows < 0x1p36; rows = ceil(rows * 1.7)) {
    assert_ok(sfm_plan_forecast(plan, &f, rows, t->settings.epsilon, &error), &error);
    check_forecast(&f);
    assert_true(f.total <= last);
    last = f.total;
  }
  last = INFINITY;
  for (double epsilon = 1e-6; epsilon < 1e3; epsilon *= 1.7) {
    assert_ok(sfm_plan_forecast(plan, &f, n, epsilon, &error), &error);
    check_forecast(&f);
    assert_true(f.total <= last * (1 + 1e-9)); /* a rate has nine digits */
    last = f.total;
  }
}

/* All of it, of one setting. */
static void check_plan(const density_fixture *t, uint64_t n) {
  sfm_error error;
  sfm_plan *plan;
  sfm_forecast f;
  double widths[SFM_MAX_DIMENSION];
  assert_ok(sfm_plan_density(&plan, &t->settings, n, &error), &error);
  const size_t at = sfm_plan_best(plan);
  assert_true(at < sfm_plan_length(plan));
  const sfm_plan_entry *best = sfm_plan_at(plan, at);
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    if (entry->absent) continue;
    check_forecast(&entry->predicted);
    assert_true(entry->band.half_width > 0 && entry->apart > 0 && entry->share > 0);
    if (entry->hardened && !t->settings.shape) /* a bandwidth is stated, and meant */
      assert_true(best->predicted.cost <= 1.21 * (1 + 1e-9) * entry->predicted.cost);
  }
  assert_true(best->hardened);
  check_choice(best, t, n);
  assert_ok(sfm_plan_forecast(plan, &f, (double)n, t->settings.epsilon, &error), &error);
  /* For its band a lattice may have another order and spacing than the usual ones. */
  assert_true(f.total <= 1.06 * best->predicted.total &&
              best->predicted.total <= 1.06 * f.total * (1 + 1e-12));
  /* More frequencies, of a stated bandwidth, may follow more of the sampling error. */
  if (!parameter(best, "terms")) {
    check_needs(plan, t, (double)n, best->predicted.relative * 1.3);
    check_monotone(plan, t, (double)n);
  }
  if (t->settings.dimension == 1) {
    assert_ok(sfm_plan_bandwidth(plan, widths, &f, &error), &error);
    check_forecast(&f);
    assert_true(widths[0] > 0 && f.total <= best->predicted.total);
  }
  sfm_plan_destroy(plan);
}

static void plans_are_what_auto_does(void **state) {
  (void)state;
  static const char *const shapes[] = {NULL, "uniform", "normal:0.4:0.1", "normal:0:0.02+uniform",
                                       "normal:1:0.3"};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  for (int i = 0; i < (test_long() ? 400 : 12); i++) {
    const size_t d = 1 + below(&prng, 2);
    const double deltas[] = {0, 1e-300, 1e-6, 0.999};
    const char *word = shapes[below(&prng, 5)];
    sfm_boundary boundary[2];
    sfm_shape *shape = NULL;
    sfm_error error;
    density_fixture t;
    density_fixture_init(&t, d, 0, 1, between(&prng, d == 1 ? 0.01 : 0.05, 10),
                         between(&prng, 1e-3, 100), deltas[below(&prng, 4)]);
    for (size_t a = 0; a < d; a++) boundary[a] = (sfm_boundary)below(&prng, 3);
    t.settings.boundary = boundary;
    if (word) assert_ok(sfm_shape_parse(&shape, word, d, &error), &error);
    t.settings.shape = shape;
    check_plan(&t, (uint64_t)between(&prng, 1, 1e6));
    sfm_shape_destroy(shape);
    density_fixture_clear(&t);
  }
}

/* Where rounding leaves no bandwidth within the bounds' own resolution. */
static void the_narrowest_bounds_have_a_bandwidth(void **state) {
  (void)state;
  for (int k = 1; k < 60; k++) {
    const double upper = 1e12 * (1 + 0.01 * k), lower = nextafter(upper - upper * 1e-12, 0);
    sfm_density_choice plan;
    sfm_error error;
    density_fixture t;
    density_fixture_init(&t, 1, lower, upper, 1, 1, 0);
    t.settings.bandwidth = NULL;
    t.settings.method = SFM_DENSITY_LATTICE;
    assert_ok(sfm_density_choose(&plan, &t.settings, 1000, &error), &error);
    assert_true(plan.bandwidth[0] > 0 && plan.bandwidth[0] <= upper - lower);
    density_fixture_clear(&t);
  }
}

static void refuses(const density_fixture *t, uint64_t n, const char *words) {
  sfm_density_choice plan;
  sfm_error error;
  assert_int_equal(sfm_density_choose(&plan, &t->settings, n, &error), SFM_INVALID);
  if (!strstr(error.message, words)) fail_msg("\"%s\" does not say \"%s\"", error.message, words);
}

/* Where a bandwidth is free, too, what is said is why. */
static void reasons_do_not_depend_on_a_free_bandwidth(void **state) {
  (void)state;
  static const sfm_boundary rings[12] = {
      SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC,
      SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC,
      SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC};
  const double gamma = 1e9;
  density_fixture t;
  density_fixture_init(&t, 13, 0, 1, 1, 1, 0);
  t.settings.bandwidth = NULL;
  refuses(&t, 1000, "up to 12 columns");
  t.settings.dimension = 12;
  t.settings.boundary = rings;
  refuses(&t, 100000, "cannot count");
  density_fixture_clear(&t);
  density_fixture_init(&t, 1, 0, 1, 1, 1, 1e-6);
  t.settings.bandwidth = NULL;
  t.settings.method = SFM_DENSITY_SOBOLEV;
  t.settings.gamma = &gamma;
  refuses(&t, 1000, "gamma");
  density_fixture_clear(&t);
}

static void the_least_epsilon_is_the_least_there_is(void **state) {
  (void)state;
  sfm_error error;
  sfm_plan *plan;
  double epsilon, rows;
  density_fixture t;
  density_fixture_init(&t, 1, 0, 1, 0.1, 1, 1e-6);
  assert_ok(sfm_plan_density(&plan, &t.settings, 1000, &error), &error);
  assert_ok(sfm_plan_epsilon_for(plan, &epsilon, 1e12, &error), &error);
  assert_ok(sfm_plan_rows_for(plan, &rows, 1e12, &error), &error);
  assert_relative("epsilon", epsilon, 1e-6, 1e-9);
  assert_true(rows == 1);
  assert_ok(sfm_plan_epsilon_for(plan, &epsilon, 1e-12, &error), &error);
  assert_true(isinf(epsilon));
  sfm_plan_destroy(plan);
  /* No engine has such a number. */
  t.settings.engine = (sfm_engine)99;
  assert_int_equal(sfm_plan_online(&plan, &t.settings, 1000, 5, &error), SFM_INVALID);
  assert_null(plan);
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_are_what_auto_does),
      cmocka_unit_test(the_narrowest_bounds_have_a_bandwidth),
      cmocka_unit_test(reasons_do_not_depend_on_a_free_bandwidth),
      cmocka_unit_test(the_least_epsilon_is_the_least_there_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
