/* test_density_choice.c - what auto takes: among methods of about the least error, under the guess
 * and if it is wrong, the one with the narrowest band; and with a stated bandwidth the one that is
 * next to that estimate. */
/* suite: release */
#include "plan_density_trial.h"

static const sfm_plan_entry *taken(const subject *s) {
  return sfm_plan_at(s->plan, sfm_plan_best(s->plan));
}

/* The same shape in other units: what is chosen, and how wide its band is in units of its peak. */
static void a_smooth_guess_does_not_buy_a_percent_with_the_band(void **state) {
  (void)state;
  const asked cases[] = {{1, 20000, 0, 1, 0, "normal:0.4:0.2", SFM_BOUNDARY_OPEN},
                         {1, 1000, 0, 1, 0, "normal:0.5:0.15", SFM_BOUNDARY_OPEN},
                         {1, 5000, 0, 1, 1e-6, "normal:0.4:0.12", SFM_BOUNDARY_OPEN},
                         {2, 20000, 0, 1, 0, "normal:0.5:0.15,normal:0.5:0.15", SFM_BOUNDARY_OPEN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    subject s;
    pose(&s, &cases[i]);
    s.t.settings.boundary = NULL;
    make(&s, cases[i].n);
    const sfm_plan_entry *best = taken(&s), *terms = entry_of(s.plan, "fourier-laplace", NULL);
    assert_true(strcmp(best->method, "fourier-laplace") != 0);
    assert_true(best->band.half_width < 0.1 * terms->band.half_width);
    assert_true(terms->misled > 1.3 * best->misled); /* few frequencies rely on the guess */
    drop(&s);
  }
}

/* Of methods whose errors are alike none that is passed over has a band that is clearly narrower.
 * (Bands of a plan are simulated, with different numbers of draws.) */
static void of_like_errors_the_narrowest_band_is_taken(void **state) {
  (void)state;
  static const double ALIKE = 1.21, CLEARLY = 0.8;
  for (size_t i = 0; i < case_count(); i++) {
    subject s;
    pose(&s, &CASES[i]);
    make(&s, CASES[i].n);
    const sfm_plan_entry *best = taken(&s);
    assert_true(best->hardened && best->taken);
    for (size_t k = 0; k < sfm_plan_length(s.plan); k++) {
      const sfm_plan_entry *e = sfm_plan_at(s.plan, k);
      if (e->absent || !e->hardened || e == best) continue;
      assert_false(e->taken);
      if (e->misled > 0) continue; /* the score also has what a wrong guess costs */
      const double of = CASES[i].h > 0 ? e->predicted.cost : e->predicted.total,
                   with = CASES[i].h > 0 ? best->predicted.cost : best->predicted.total;
      assert_true(with <= ALIKE * of * (1 + 1e-9));
      if (of <= with) assert_true(e->band.half_width > CLEARLY * best->band.half_width);
    }
    drop(&s);
  }
}

/* A fine bandwidth on a map and on wages: few frequencies are far from that estimate. */
static void a_stated_bandwidth_is_meant(void **state) {
  (void)state;
  const asked cases[] = {{2, 140000, 1.0 / 128, 1, 0, NULL, SFM_BOUNDARY_OPEN},
                         {1, 25000, 1.0 / 96, 1, 0, NULL, SFM_BOUNDARY_OPEN},
                         {1, 25000, 1.0 / 96, 1, 0, "normal:0.3:0.2", SFM_BOUNDARY_OPEN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    subject s;
    pose(&s, &cases[i]);
    make(&s, cases[i].n);
    assert_string_equal(taken(&s)->method, "lattice");
    drop(&s);
  }
}

/* With many records and a large epsilon the lattice is fine enough that its aliases do not show. */
static void aliases_are_below_the_noise(void **state) {
  (void)state;
  for (double n = 1e5; n < 2e7; n *= 10) {
    const asked a = {1, n, 0.01, 1, 0, NULL, SFM_BOUNDARY_OPEN};
    subject s;
    pose(&s, &a);
    make(&s, a.n);
    const sfm_plan_entry *best = taken(&s);
    assert_string_equal(best->method, "lattice");
    assert_true(best->predicted.aliasing < 0.1 * best->predicted.privacy);
    drop(&s);
  }
}

/* What is not noise is a small part of a band: a tenth of the noise for 100,000 records in one
 * column, whatever the bandwidth. */
static sfm_band band_taken(const asked *a) {
  subject s;
  pose(&s, a);
  s.t.settings.boundary = NULL;
  make(&s, a->n);
  assert_string_equal(taken(&s)->method, "lattice");
  const sfm_band band = taken(&s)->band;
  drop(&s);
  return band;
}

static void the_systematic_part_of_a_band_is_small(void **state) {
  (void)state;
  static const double BANDWIDTHS[] = {0.01, 0.03, 0.05, 0.1, 0.2};
  for (size_t i = 0; i < sizeof BANDWIDTHS / sizeof *BANDWIDTHS; i++)
    for (size_t d = 1; d <= 2; d++) {
      const asked a = {
          d, 1e5, d == 1 ? BANDWIDTHS[i] : 2 * BANDWIDTHS[i], 1, 0, NULL, SFM_BOUNDARY_OPEN};
      const sfm_band band = band_taken(&a);
      assert_true(band.systematic <= (d == 1 ? 0.1 : 0.25) * (band.half_width - band.systematic));
    }
}

/* A choice that turned with n would show as a band that is wider for more records. */
static void more_records_have_narrower_bands(void **state) {
  (void)state;
  static const double STEP[] = {2, 3}, ONE_COLUMN = 0.2, TWO_COLUMNS = 0.5;
  for (size_t d = 1; d <= 2; d++) {
    double before = INFINITY;
    for (double n = 3000; n < 6e5; n *= STEP[d - 1]) {
      const asked a = {d, n, 0, 1, 0, NULL, SFM_BOUNDARY_OPEN};
      const sfm_band band = band_taken(&a);
      assert_true(band.half_width < before);
      assert_true(band.systematic <=
                  (d == 1 ? ONE_COLUMN : TWO_COLUMNS) * (band.half_width - band.systematic));
      before = band.half_width;
    }
  }
}

/* What nobody stated: reflecting bounds where the method can. */
static void bounds_reflect_by_default(void **state) {
  (void)state;
  const asked a = {2, 20000, 0, 1, 0, NULL, SFM_BOUNDARY_OPEN};
  subject s;
  sfm_density_choice lattice, reflected;
  sfm_error error;
  const sfm_boundary reflect[2] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT};
  pose(&s, &a);
  s.t.settings.method = SFM_DENSITY_LATTICE;
  s.t.settings.boundary = NULL;
  assert_ok(sfm_density_choose(&lattice, &s.t.settings, 20000, &error), &error);
  s.t.settings.boundary = reflect;
  assert_ok(sfm_density_choose(&reflected, &s.t.settings, 20000, &error), &error);
  assert_true(lattice.total == reflected.total && lattice.points[0] == reflected.points[0]);
  s.t.settings.boundary = density_fixture_open;
  assert_ok(sfm_density_choose(&lattice, &s.t.settings, 20000, &error), &error);
  assert_true(lattice.points[0] > reflected.points[0]); /* those beyond the bounds */
  drop(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_smooth_guess_does_not_buy_a_percent_with_the_band),
      cmocka_unit_test(of_like_errors_the_narrowest_band_is_taken),
      cmocka_unit_test(a_stated_bandwidth_is_meant),
      cmocka_unit_test(aliases_are_below_the_noise),
      cmocka_unit_test(the_systematic_part_of_a_band_is_small),
      cmocka_unit_test(more_records_have_narrower_bands),
      cmocka_unit_test(bounds_reflect_by_default),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
