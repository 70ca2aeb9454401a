/* test_query.c - without noise answers are exact, heaps of rows are covered, boxes too; what comes
 * from a band; and what cannot be asked.  How often intervals hold: test_query_lattice.c,
 * test_query_normal.c, test_query_total.c. */
/* suite: release */
#include "query_coverage.h"

/* Rows that all sit where the lattice is worst: what is not noise is covered too. */
static void heaps_are_covered(void **state) {
  (void)state;
  const setting s = {
      "heap", ROWS_MOST, 0.4, 50, 0, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_REPLACE, SFM_DENSITY_LATTICE,
      0,      true};
  redraw r;
  truth t;
  open_setting(&r, &t, s);
  const sfmi_lattice *lattice = &r.release->function->lattice;
  for (int phase = 0; phase < 8; phase += test_long() ? 1 : 2) {
    for (size_t i = 0; i < s.rows; i++)
      rows[i] = 3.5 + lattice->axis[0].spacing * phase / 8 + (i % 3 == 0 ? 1.1 : 0);
    free(r.exact);
    r.exact = rowwise_sums(lattice, rows, s.rows);
    redraw_quiet(&r);
    answers a;
    ask(&a, r.release, 0.9, true);
    const facts f = facts_of(&t);
    size_t hits[KINDS] = {0};
    tally(hits, &a, &f, 1);
    for (int k = 0; k < KINDS; k++)
      if (!hits[k]) fail_msg("phase %d: %s", phase, names[k]);
  }
  redraw_close(&r);
}

/* With no noise to speak of the answers are those of the rows. */
static void quiet_answers_are_exact(void **state) {
  (void)state;
  const setting settings[] = {{"lattice", 400, 0.4, 1000, 0, SFM_BOUNDARY_OPEN,
                               SFM_NEIGHBOURS_REPLACE, SFM_DENSITY_LATTICE, 4, true},
                              {"reflect", 400, 0.4, 1000, 0, SFM_BOUNDARY_REFLECT,
                               SFM_NEIGHBOURS_REPLACE, SFM_DENSITY_LATTICE, 4, true},
                              {"periodic", 400, 0.4, 1000, 0, SFM_BOUNDARY_PERIODIC,
                               SFM_NEIGHBOURS_REPLACE, SFM_DENSITY_LATTICE, 4, true},
                              {"gp", 400, 0.4, 50, 1e-6, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_REPLACE,
                               SFM_DENSITY_GP, 0, true}};
  for (int i = 0; i < 4; i++) {
    redraw r;
    truth t;
    answers a;
    open_setting(&r, &t, settings[i]);
    const facts f = facts_of(&t);
    redraw_quiet(&r);
    ask(&a, r.release, 0.95, true);
    const double near = i == 3 ? 1e-5 : 2e-3;
    assert_near("mean", a.mean.value, f.mean, near);
    assert_near("mode", a.mode.value, f.mode, 0.02);
    assert_near("wide", a.wide.value, f.wide, near);
    assert_near("narrow", a.narrow.value, f.narrow, near);
    for (int k = 0; k < QUANTILES; k++)
      assert_near("quantile", a.quantiles[k].value, f.quantiles[k], 10 * near);
    for (int k = 0; k < PLACES; k++) assert_near("share", a.shares[k].value, f.shares[k], near);
    size_t hits[KINDS] = {0};
    tally(hits, &a, &f, 1);
    for (int k = 0; k < KINDS; k++) assert_int_equal(hits[k], 1);
    redraw_close(&r);
  }
}

/* Boxes of two columns, and their marginals. */
static void boxes_cover(void **state) {
  (void)state;
  enum { COUNT = 300, DRAWS = 48 };
  static double plane[2 * COUNT];
  const double from[] = {0.1, 0.3}, to[] = {0.55, 0.9}, h = 0.15;
  for (int gp = 0; gp < 2; gp++) {
    density_fixture t;
    redraw r;
    sfm_error error;
    size_t hits = 0, shrunk = 0, means = 0;
    double part = 0, whole = 0;
    density_fixture_rows(plane, COUNT, 2, 0, 1, 50);
    density_fixture_init(&t, 2, 0, 1, h, 1, gp ? 1e-6 : 0);
    t.settings.method = gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
    t.settings.context.seeded = true;
    t.settings.context.seed = SEED;
    redraw_open(&r, density_fixture_release(&t, plane, COUNT), SEED);
    for (size_t i = 0; i < COUNT; i++) {
      double in = 1, all = 1;
      for (int a = 0; a < 2; a++) {
        const truth one = {&plane[2 * i + (size_t)a], 1, 0, 1, h, SFM_BOUNDARY_OPEN};
        in *= truth_below(&one, to[a]) - truth_below(&one, from[a]);
        all *= truth_below(&one, 1);
      }
      part += in;
      whole += all;
    }
    double second[COUNT];
    for (size_t i = 0; i < COUNT; i++) second[i] = plane[2 * i + 1];
    const truth line = {second, COUNT, 0, 1, h, SFM_BOUNDARY_OPEN};
    const double mean = truth_mean(&line);
    for (int i = 0; i < DRAWS; i++) {
      sfm_query *query;
      sfm_estimate e;
      redraw_next(&r);
      assert_ok(sfm_query_create(&query, r.release, 0.9, &error), &error);
      assert_ok(sfm_query_probability(query, &e, from, to, &error), &error);
      hits += holds(e, part / whole, 1);
      shrunk += holds(e, part / whole, 0.4);
      assert_int_equal(sfm_query_mean(query, &e, &error), SFM_INVALID);
      sfm_query_destroy(query);
      if (i % 8) continue;
      const char *column = "b";
      sfm_release *marginal;
      assert_ok(sfm_release_marginal(&marginal, r.release, &column, 1, &error), &error);
      assert_ok(sfm_query_create(&query, marginal, 0.9, &error), &error);
      assert_ok(sfm_query_mean(query, &e, &error), &error);
      means += holds(e, mean, 1);
      sfm_query_destroy(query);
      sfm_release_destroy(marginal);
    }
    print_message("boxes%s: %.3f (%.3f), means of a marginal %.3f\n", gp ? ", gp" : "",
                  (double)hits / DRAWS, (double)shrunk / DRAWS, (double)means / (DRAWS / 8));
    assert_false(binomial_too_few(hits, DRAWS, 0.9));
    assert_true(binomial_too_few(shrunk, DRAWS, 0.9));
    assert_false(binomial_too_few(means, DRAWS / 8, 0.9));
    redraw_close(&r);
    density_fixture_clear(&t);
  }
}

/* Very many bandwidths, of which few hold anybody: ends are found where they are, and the mode
 * by the band. */
static void wide_domains_are_searched(void **state) {
  (void)state;
  const size_t count = ROWS_MOST;
  density_fixture t;
  for (size_t i = 0; i < count; i++) rows[i] = 700 + 0.01 * (double)(i % 997);
  density_fixture_init(&t, 1, 0, 1500, 1, 2, 0);
  t.settings.method = SFM_DENSITY_LATTICE;
  t.settings.context.seeded = true;
  const truth exact = {rows, count, 0, 1500, 1, SFM_BOUNDARY_OPEN};
  const double p[] = {0.3, 0.7};
  for (uint64_t seed = 1; seed <= (test_long() ? 4 : 1); seed++) {
    sfm_error error;
    sfm_query *query;
    sfm_estimate mode, quantiles[2];
    t.settings.context.seed = seed;
    sfm_release *release = density_fixture_release(&t, rows, count);
    assert_ok(sfm_query_create(&query, release, 0.99, &error), &error);
    assert_ok(sfm_query_quantiles(query, quantiles, p, 2, &error), &error);
    assert_ok(sfm_query_mode(query, &mode, NULL, NULL, 0, &error), &error);
    for (int i = 0; i < 2; i++) {
      assert_true(holds(quantiles[i], truth_quantile(&exact, p[i]), 1));
      assert_true(quantiles[i].upper - quantiles[i].lower < 5);
    }
    assert_true(mode.lower >= 695 && mode.upper <= 715 && mode.lower < 705 && mode.upper > 705);
    sfm_query_destroy(query);
    sfm_release_destroy(release);
  }
  density_fixture_clear(&t);
}

/* Releases whose intervals come from their band. */
static void bands_answer_too(void **state) {
  (void)state;
  const size_t count = 600;
  for (int kind = 0; kind < 3; kind++) {
    density_fixture t;
    density_fixture_rows(rows, count, 1, 2, 7, 40);
    density_fixture_init(&t, 1, 2, 7, 0.4, 1, 1e-6);
    t.settings.method = kind == 0 ? SFM_DENSITY_SOBOLEV : SFM_DENSITY_GP;
    t.settings.engine = kind == 1 ? SFM_ENGINE_GRAM : kind == 2 ? SFM_ENGINE_RANDOM : 0;
    t.settings.features = kind == 2 ? 2000 : 0;
    t.settings.release_grid[0] = kind == 2 ? 0 : 60;
    t.settings.context.seeded = true;
    const truth exact = {rows, count, 2, 7, 0.4, SFM_BOUNDARY_OPEN};
    const facts f = facts_of(&exact);
    for (uint64_t seed = 0; seed < 1; seed++) {
      t.settings.context.seed = seed;
      sfm_release *release = density_fixture_release(&t, rows, count);
      answers a;
      size_t hits[KINDS] = {0};
      ask(&a, release, 0.99, true);
      tally(hits, &a, &f, 1);
      for (int k = 0; k < KINDS; k++)
        if (!hits[k]) fail_msg("kind %d, seed %d: %s", kind, (int)seed, names[k]);
      assert_near("mean", a.mean.value, f.mean, 0.3);
      assert_near("share", a.wide.value, f.wide, 0.1);
      sfm_release_destroy(release);
    }
    density_fixture_clear(&t);
  }
}

/* More confidence, wider; and what the draws cannot say, the bounds do. */
static void intervals_grow_with_the_confidence(void **state) {
  (void)state;
  const double confidences[] = {0.5, 0.95, 0.995, 0.9999999};
  for (int gp = 0; gp < 2; gp++) {
    sfm_release *release =
        make((setting){"", 400, 0.4, 1, gp ? 1e-6 : 0, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_REPLACE,
                       gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE, 0, false});
    answers before = {0};
    for (int i = 0; i < 4; i++) {
      answers a;
      ask(&a, release, confidences[i], true);
      if (i) {
        assert_true(a.mean.upper - a.mean.lower > before.mean.upper - before.mean.lower);
        assert_true(a.mode.upper >= before.mode.upper && a.mode.lower <= before.mode.lower);
        assert_true(a.wide.upper > before.wide.upper && a.wide.lower < before.wide.lower);
        assert_true(a.quantiles[1].upper >= before.quantiles[1].upper);
        for (int k = 0; k < PLACES; k++) assert_true(a.shares[k].upper >= before.shares[k].upper);
      }
      before = a;
    }
    sfm_release_destroy(release);
  }
}

static void refuse(const sfm_query *query, sfm_status status, const sfm_error *error,
                   const char *words) {
  (void)query;
  assert_int_equal(status, SFM_INVALID);
  if (!strstr(error->message, words)) fail_msg("%s: %s", words, error->message);
}

static void what_cannot_be_asked_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_query *query, *none;
  sfm_estimate e[2];
  sfm_release *release = make((setting){"", 400, 0.4, 1, 0, SFM_BOUNDARY_OPEN,
                                        SFM_NEIGHBOURS_REPLACE, SFM_DENSITY_LATTICE, 0, false});
  assert_ok(sfm_query_create(&query, release, 0, &error), &error);
  assert_true(sfm_query_confidence(query) == release->band.confidence && sfm_query_sharp(query));
  const double p[] = {0.5, 1}, reversed[] = {4, 3}, beyond[] = {3, 7.5}, nan = NAN;
  refuse(query, sfm_query_quantiles(query, e, p, 2, &error), &error, "strictly between 0 and 1");
  refuse(query, sfm_query_quantiles(query, e, &nan, 1, &error), &error, "between 0 and 1");
  refuse(query, sfm_query_probability(query, e, &reversed[0], &reversed[1], &error), &error,
         "to a larger one");
  refuse(query, sfm_query_probability(query, e, &beyond[0], &beyond[1], &error), &error,
         "beyond the bounds of a, which are 2 and 7");
  refuse(query, sfm_query_probability(query, e, &nan, &beyond[0], &error), &error, "larger");
  refuse(query, sfm_query_cdf(query, e, beyond, 2, &error), &error, "7.5 is outside");
  sfm_query_destroy(query);
  refuse(NULL, sfm_query_create(&none, release, 1, &error), &error, "confidence");
  refuse(NULL, sfm_query_create(&none, release, NAN, &error), &error, "confidence");
  assert_null(none);
  for (size_t i = 0; i < release->length; i++) release->integers[i] = -release->integers[i];
  refuse(NULL, sfm_query_create(&none, release, 0.9, &error), &error, "nothing to divide by");
  sfm_release_destroy(release);
  const double theta[] = {1, 2};
  sfm_vector_settings settings = sfm_vector_settings_default();
  settings.sensitivity = settings.epsilon = 1;
  assert_ok(sfm_vector_release(&release, theta, 2, &settings, &error), &error);
  refuse(NULL, sfm_query_create(&none, release, 0.9, &error), &error, "this release is a vector");
  sfm_release_destroy(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heaps_are_covered),
      cmocka_unit_test(quiet_answers_are_exact),
      cmocka_unit_test(boxes_cover),
      cmocka_unit_test(wide_domains_are_searched),
      cmocka_unit_test(bands_answer_too),
      cmocka_unit_test(intervals_grow_with_the_confidence),
      cmocka_unit_test(what_cannot_be_asked_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
