/* test_plan_density_entries.c - plans of densities: what they list, and that they call best what
 * auto takes. */
/* suite: release */
#include "plan_density_trial.h"

/* One chooser: the best of a plan is what auto takes, with all its numbers. */
static void the_best_is_what_auto_takes(void **state) {
  (void)state;
  static const char *const names[] = {"auto",    "lattice",         "gp",
                                      "sobolev", "fourier-laplace", "caratheodory"};
  size_t seen[6] = {0};
  for (size_t i = 0; i < case_count(); i++) {
    subject s;
    sfm_density_choice chosen;
    sfm_error error;
    pose(&s, &CASES[i]);
    make(&s, CASES[i].n);
    assert_ok(sfm_density_choose(&chosen, &s.t.settings, (uint64_t)CASES[i].n, &error), &error);
    const sfm_plan_entry *best = sfm_plan_at(s.plan, sfm_plan_best(s.plan));
    assert_string_equal(best->method, names[chosen.method]);
    assert_true(best->hardened && best->predicted.total == chosen.total);
    assert_true(best->predicted.privacy == chosen.privacy &&
                best->predicted.sampling == chosen.sampling &&
                best->predicted.smoothing == chosen.smoothing);
    assert_true(parameter_of(best, "coefficients")->numbers[0] == (double)chosen.coefficients);
    for (size_t a = 0; a < CASES[i].d; a++)
      assert_true(parameter_of(best, "bandwidth")->numbers[a] == chosen.bandwidth[a]);
    if (chosen.method == SFM_DENSITY_LATTICE)
      assert_true(parameter_of(best, "order")->numbers[0] == chosen.order &&
                  parameter_of(best, "spacing")->numbers[0] == chosen.spacing[0]);
    /* A forecast is the least error of the method; a narrower band is worth three per cent. */
    const double least = forecast_of(&s, CASES[i].n, CASES[i].epsilon);
    assert_true(least <= chosen.total && chosen.total <= 1.06 * least * (1 + 1e-12));
    seen[chosen.method]++;
    drop(&s);
  }
  assert_true(seen[SFM_DENSITY_LATTICE] && seen[SFM_DENSITY_GP] &&
              seen[SFM_DENSITY_FOURIER_LAPLACE]);
}

/* Sorted, with everything filled in; the best of each method is what naming it makes. */
static void entries_are_whole(void **state) {
  (void)state;
  for (size_t i = 0; i < case_count(); i++) {
    subject s;
    double last = 0;
    bool absent = false;
    if (test_left_out(i, 3)) continue;
    pose(&s, &CASES[i]);
    make(&s, CASES[i].n);
    for (size_t k = 0; k < sfm_plan_length(s.plan); k++) {
      const sfm_plan_entry *e = sfm_plan_at(s.plan, k);
      assert_false(absent && !e->absent);
      absent = e->absent != NULL;
      if (absent) continue;
      forecasts_are_sums(&e->predicted);
      assert_true(e->predicted.total >= last);
      last = e->predicted.total;
      assert_true(e->band.half_width > 0 && isfinite(e->band.half_width));
      assert_true(e->band.pointwise > 0 && e->band.confidence == 0.95);
      assert_true(e->apart > 0 && e->share > 0 && isfinite(e->share));
      assert_true(e->guarantee.epsilon == CASES[i].epsilon);
      assert_true((e->guarantee.kind == SFM_GUARANTEE_GDP) == (e->guarantee.mu > 0));
      sfm_density_settings named = s.t.settings;
      sfm_density_choice chosen;
      sfm_error error;
      named.method = !strcmp(e->method, "lattice")           ? SFM_DENSITY_LATTICE
                     : !strcmp(e->method, "gp")              ? SFM_DENSITY_GP
                     : !strcmp(e->method, "sobolev")         ? SFM_DENSITY_SOBOLEV
                     : !strcmp(e->method, "fourier-laplace") ? SFM_DENSITY_FOURIER_LAPLACE
                                                             : SFM_DENSITY_CARATHEODORY;
      if (named.method == SFM_DENSITY_LATTICE)
        named.noise = e->guarantee.kind == SFM_GUARANTEE_GDP ? SFM_DENSITY_NOISE_NORMAL
                                                             : SFM_DENSITY_NOISE_LAPLACE;
      if (named.method == SFM_DENSITY_CARATHEODORY)
        named.body = !strcmp(parameter_of(e, "body")->text, "hull") ? SFM_DENSITY_BODY_HULL
                                                                    : SFM_DENSITY_BODY_EXACT;
      assert_ok(sfm_density_choose(&chosen, &named, (uint64_t)CASES[i].n, &error), &error);
      assert_true(chosen.total == e->predicted.total);
    }
    drop(&s);
  }
}

static void absent(const sfm_plan *plan, const char *method, const char *why) {
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *e = sfm_plan_at(plan, i);
    if (!strcmp(e->method, method) && e->absent && strstr(e->absent, why)) return;
  }
  fail_msg("%s is not absent because it %s", method, why);
}

static void what_cannot_be_says_why(void **state) {
  (void)state;
  const asked open = {1, 1000, 0.1, 1, 0, NULL, SFM_BOUNDARY_OPEN},
              mirror = {1, 1000, 0.1, 1, 1e-6, NULL, SFM_BOUNDARY_REFLECT},
              ring = {1, 1000, 0.1, 1, 1e-6, NULL, SFM_BOUNDARY_PERIODIC},
              map = {2, 1000, 0.2, 1, 1e-6, NULL, SFM_BOUNDARY_OPEN};
  subject s;
  pose(&s, &open);
  make(&s, 1000);
  assert_int_equal(sfm_plan_length(s.plan), 7);
  absent(s.plan, "gp", "needs a delta");
  absent(s.plan, "sobolev", "needs a delta");
  absent(s.plan, "lattice", "needs a delta");
  (void)entry_of(s.plan, "lattice", "laplace");
  (void)entry_of(s.plan, "caratheodory", "hull");
  (void)entry_of(s.plan, "caratheodory", "exact");
  drop(&s);
  pose(&s, &mirror);
  make(&s, 1000);
  (void)entry_of(s.plan, "gp", "spectral");
  absent(s.plan, "sobolev", "open");
  absent(s.plan, "fourier-laplace", "reflect");
  absent(s.plan, "caratheodory", "reflect");
  drop(&s);
  pose(&s, &ring);
  make(&s, 1000);
  absent(s.plan, "gp", "periodic");
  absent(s.plan, "sobolev", "open");
  drop(&s);
  pose(&s, &map);
  make(&s, 1000);
  absent(s.plan, "caratheodory", "one column");
  (void)entry_of(s.plan, "lattice", "normal");
  (void)entry_of(s.plan, "sobolev", "gaussian");
  drop(&s);
  /* Narrowed by what was asked for. */
  pose(&s, &map);
  s.t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
  make(&s, 1000);
  absent(s.plan, "lattice", "normal noise was asked for");
  absent(s.plan, "fourier-laplace", "noise of its own");
  drop(&s);
  pose(&s, &map);
  s.t.settings.method = SFM_DENSITY_FOURIER_LAPLACE;
  make(&s, 1000);
  assert_int_equal(sfm_plan_length(s.plan), 1);
  drop(&s);
}

static void private_numbers_of_records_must_be_expected(void **state) {
  (void)state;
  const asked a = {1, 1000, 0, 1, 1e-6, NULL, SFM_BOUNDARY_OPEN};
  subject s;
  sfm_error error = {0};
  sfm_density_choice plan;
  pose(&s, &a);
  density_fixture_neighbours(&s.t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  assert_int_equal(sfm_plan_density(&s.plan, &s.t.settings, 1000, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "settings.expected_rows"));
  assert_int_equal(sfm_density_choose(&plan, &s.t.settings, 1000, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "settings.expected_rows = N"));
  assert_non_null(strstr(error.message, "settings.bandwidth = H"));
  s.t.settings.expected_rows = 1000;
  assert_ok(sfm_density_choose(&plan, &s.t.settings, 0, &error), &error);
  make(&s, 0);
  assert_true(sfm_plan_at(s.plan, sfm_plan_best(s.plan))->predicted.total == plan.total);
  absent(s.plan, "fourier-laplace", "number of records");
  absent(s.plan, "sobolev", "number of records");
  drop(&s);
}

/* Groups are of the same size; each is planned like one density of its records. */
static void groups_are_planned_alike(void **state) {
  (void)state;
  static const char *const by[] = {"g"}, *const labels[] = {"x", "y", "z"};
  const asked a = {1, 3000, 0, 1, 1e-6, "normal:0.4:0.12", SFM_BOUNDARY_OPEN};
  subject s, alone;
  sfm_error error;
  pose(&s, &a);
  assert_ok(sfm_schema_set_categories(s.t.schema, "g", labels, 3, &error), &error);
  s.t.settings.by = by;
  s.t.settings.by_count = 1;
  make(&s, 3000);
  absent(s.plan, "gp", "groups");
  absent(s.plan, "fourier-laplace", "groups");
  pose(&alone, &a);
  alone.t.settings.method = SFM_DENSITY_LATTICE;
  make(&alone, 1000);
  const sfm_plan_entry *one = sfm_plan_at(alone.plan, 0), *each = sfm_plan_at(s.plan, 0);
  assert_relative("total", each->predicted.total, one->predicted.total, 1e-12);
  assert_true(isfinite(each->band.half_width));
  drop(&s);
  drop(&alone);
}

/* A preview is a release, the same for the same seed, and not private. */
static void previews_look_like_releases(void **state) {
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    subject s;
    sfm_error error;
    sfm_release *one, *same, *other;
    pose(&s, &CASES[i]);
    make(&s, CASES[i].n);
    assert_ok(sfm_plan_preview(s.plan, &one, 1, &error), &error);
    assert_ok(sfm_plan_preview(s.plan, &same, 1, &error), &error);
    assert_ok(sfm_plan_preview(s.plan, &other, 2, &error), &error);
    assert_false(sfm_release_private(one));
    bool differ = false;
    for (size_t k = 0; k < sfm_release_length(one); k++) {
      assert_true(sfm_release_coefficient(one, k) == sfm_release_coefficient(same, k));
      differ |= sfm_release_coefficient(one, k) != sfm_release_coefficient(other, k);
    }
    assert_true(differ);
    const double places[2] = {0.4, 0.9};
    double values[2];
    assert_ok(sfm_plan_shape(s.plan, values, places, 2, &error), &error);
    assert_true(values[0] > 0 && values[1] >= 0);
    sfm_release_destroy(one);
    sfm_release_destroy(same);
    sfm_release_destroy(other);
    drop(&s);
  }
}

/* Another kernel of gp, and an own one, whose bandwidth is none. */
static void other_kernels_have_plans(void **state) {
  (void)state;
  for (int k = SFM_KERNEL_LAPLACIAN; k <= SFM_KERNEL_CAUCHY; k++) {
    const asked a = {1, 1000, k % 2 ? 0.1 : 0, 1, 1e-6, "normal:0.4:0.12", SFM_BOUNDARY_OPEN};
    subject s;
    pose(&s, &a);
    s.t.settings.method = SFM_DENSITY_GP;
    s.t.settings.kernel = (sfm_kernel_family)k;
    make(&s, 1000);
    assert_int_equal(sfm_plan_length(s.plan), 1);
    const sfm_plan_entry *e = sfm_plan_at(s.plan, 0);
    assert_null(e->absent);
    assert_false(e->hardened);
    forecasts_are_sums(&e->predicted);
    assert_true(e->predicted.smoothing > 0 && e->predicted.sampling > 0);
    drop(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_is_what_auto_takes),
      cmocka_unit_test(entries_are_whole),
      cmocka_unit_test(what_cannot_be_says_why),
      cmocka_unit_test(private_numbers_of_records_must_be_expected),
      cmocka_unit_test(groups_are_planned_alike),
      cmocka_unit_test(previews_look_like_releases),
      cmocka_unit_test(other_kernels_have_plans),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
