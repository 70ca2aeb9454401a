/* test_combine.c - how much noise a release has, the least noise that several have together, and
 * what they promise together. */
/* suite: release */
#include "density_fixture.h"

#include <unistd.h>

#include "releases/core/release_kind.h"
#include "releases/band/noise_variance.h"
#include "simulated_density.h"
#include "sfumato/refine.h"

enum { ROWS = 100 };

/* kinds of releases about the same rows. */
enum { LATTICE, GP, ADD_REMOVE, GRID, SOBOLEV, PLANE, KINDS };

static sfm_release *make(int kind, double h, double epsilon, uint64_t seed) {
  static double rows[2 * ROWS];
  density_fixture t;
  const bool normal = kind == GP || kind == GRID || kind == SOBOLEV;
  const size_t d = kind == PLANE ? 2 : 1;
  density_fixture_rows(rows, ROWS, d, 0, 10, 9);
  density_fixture_init(&t, d, 0, 10, h, epsilon, normal ? 1e-6 : 0);
  if (kind == ADD_REMOVE) density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  if (normal) t.settings.method = kind == SOBOLEV ? SFM_DENSITY_SOBOLEV : SFM_DENSITY_GP;
  if (kind == GRID) t.settings.kernel = SFM_KERNEL_MATERN32;
  if (kind == GRID || kind == SOBOLEV) t.settings.release_grid[0] = 65;
  t.settings.context.seeded = true;
  t.settings.context.seed = seed;
  sfm_release *release = density_fixture_release(&t, rows, ROWS);
  density_fixture_clear(&t);
  return release;
}

/* The integrated variance of releases that differ in their noise alone. */
static void energies_are_measured(void **state) {
  (void)state;
  enum { POINTS = 101 };
  const size_t releases = test_repetitions(400, 200);
  static double mean[POINTS * POINTS], values[POINTS * POINTS];
  for (int kind = 0; kind < RENOISE_KINDS; kind++) {
    sfm_error error;
    double energy;
    sfmi_prng prng;
    tally t = {0};
    sfmi_prng_init(&prng, 31 + (uint64_t)kind);
    sfm_release *clean = renoise_make((renoise_kind)kind, 1.5, ROWS), *noisy = NULL;
    const size_t points = clean->dimension == 2 ? 41 : POINTS;
    renoise_values(mean, clean, points);
    for (size_t r = 0; r < releases; r++) {
      sfm_release_destroy(noisy);
      noisy = renoise(clean, 2.5, &prng);
      renoise_values(values, noisy, points);
      tally_add(&t, renoise_distance(values, mean, clean, points));
    }
    assert_ok(sfmi_integrated_noise_variance(&energy, noisy, &error), &error);
    const double slack = TEST_Z * tally_error(&t);
    if (!(fabs(tally_mean(&t) - energy) <= slack + (kind == RENOISE_BODY ? 0.03 * energy : 0)))
      fail_msg("kind %d: energy %g is not %g +- %g", kind, tally_mean(&t), energy, tally_error(&t));
    if (!(fabs(tally_mean(&t) - 1.6 * energy) > slack)) fail_msg("kind %d: no power", kind);
    sfm_release_destroy(clean);
    sfm_release_destroy(noisy);
  }
}

/* Values at places: their variance there. */
static void energies_of_values_at_places_are_measured(void **state) {
  (void)state;
  enum { RELEASES = 30, POINTS = 65 };
  for (int kind = GRID; kind <= SOBOLEV; kind++) {
    double sum[POINTS] = {0}, squares[POINTS] = {0}, values[POINTS], energy, variance = 0;
    sfm_error error;
    for (uint64_t r = 0; r < RELEASES; r++) {
      sfm_release *release = make(kind, 1.5, 1, r + 1);
      renoise_values(values, release, POINTS);
      for (size_t i = 0; i < POINTS; i++) {
        sum[i] += values[i];
        squares[i] += values[i] * values[i];
      }
      assert_ok(sfmi_integrated_noise_variance(&energy, release, &error), &error);
      sfm_release_destroy(release);
    }
    for (size_t i = 0; i < POINTS; i++)
      variance += (squares[i] - sum[i] * sum[i] / RELEASES) / (RELEASES - 1) / POINTS * 10;
    /* About 7 independent stretches of 30 releases each: a standard error of 10 %. */
    assert_relative("energy", variance, energy, 0.5);
  }
}

static sfm_release *combine(const sfm_release *const *releases, size_t count,
                            sfm_combine_settings settings, double *shares) {
  sfm_error error;
  sfm_release *out;
  assert_ok(sfm_release_combine(&out, shares, releases, count, &settings, &error), &error);
  return out;
}

/* 1/(1/E1 + 1/E2), simulated, and no other weights do better. */
static void the_noise_of_the_mean_is_the_harmonic_sum(void **state) {
  (void)state;
  enum { RELEASES = 200, POINTS = 257 };
  static double mean[POINTS], values[POINTS], one[POINTS];
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 77);
  sfm_release *clean[2] = {make(LATTICE, 1.5, 10, 1), make(GP, 1.5, 10, 2)};
  const double scales[] = {4, 1.5};
  clean[1]->guarantee = clean[0]->guarantee; /* the same quickly */
  const sfm_combine_settings settings = sfm_combine_settings_default();
  double energy[2], shares[2], said = 0;
  tally t = {0}, other = {0};
  sfm_release *centre = combine((const sfm_release *const *)clean, 2,
                                (sfm_combine_settings){.size = sizeof(sfm_combine_settings),
                                                       .weights = SFM_COMBINE_WEIGHTS_OWN,
                                                       .own = (double[]){1, 1}},
                                NULL);
  for (int r = 0; r < RELEASES; r++) {
    sfm_release *noisy[2] = {renoise(clean[0], scales[0], &prng),
                             renoise(clean[1], scales[1], &prng)};
    sfm_release *both = combine((const sfm_release *const *)noisy, 2, settings, shares);
    if (r == 0) {
      for (int k = 0; k < 2; k++)
        assert_ok(sfmi_integrated_noise_variance(&energy[k], noisy[k], &error), &error);
      assert_near("shares", shares[0] + shares[1], 1, 1e-15);
      assert_relative("inverse", shares[0] / shares[1], energy[1] / energy[0], 1e-12);
      said = both->scale;
    }
    /* The mean of the two clean ones with the same shares. */
    memset(mean, 0, sizeof mean);
    for (int k = 0; k < 2; k++) {
      renoise_values(one, clean[k], POINTS);
      for (size_t i = 0; i < POINTS; i++) mean[i] += shares[k] * one[i];
    }
    renoise_values(values, both, POINTS);
    tally_add(&t, renoise_distance(values, mean, both, POINTS));
    sfm_release_destroy(both);
    both = combine((const sfm_release *const *)noisy, 2,
                   (sfm_combine_settings){.size = sizeof(sfm_combine_settings),
                                          .weights = SFM_COMBINE_WEIGHTS_RECORDS},
                   NULL);
    renoise_values(values, both, POINTS);
    renoise_values(one, centre, POINTS);
    tally_add(&other, renoise_distance(values, one, both, POINTS));
    sfm_release_destroy(both);
    sfm_release_destroy(noisy[0]);
    sfm_release_destroy(noisy[1]);
  }
  const double harmonic = 1 / (1 / energy[0] + 1 / energy[1]);
  assert_near("harmonic", tally_mean(&t), harmonic, TEST_Z * tally_error(&t));
  assert_relative("said", said * said * 10, harmonic, 1e-12);
  assert_near("half of each", tally_mean(&other), (energy[0] + energy[1]) / 4,
              TEST_Z * tally_error(&other));
  assert_true(harmonic < 0.9 * (energy[0] + energy[1]) / 4);
  for (int k = 0; k < 2; k++) sfm_release_destroy(clean[k]);
  sfm_release_destroy(centre);
}

static sfm_guarantee promised(sfm_release *a, sfm_release *b, sfm_release *c, bool disjoint) {
  const sfm_release *const all[] = {a, b, c};
  sfm_release *out = combine(all, c ? 3 : 2,
                             (sfm_combine_settings){.size = sizeof(sfm_combine_settings),
                                                    .weights = SFM_COMBINE_WEIGHTS_OWN,
                                                    .own = (double[]){1, 2, 3},
                                                    .disjoint = disjoint},
                             NULL);
  const sfm_guarantee g = out->guarantee;
  assert_non_null(strstr(out->sentence, disjoint ? "nobody is in more than one" : "all together"));
  assert_true(disjoint == (strstr(out->sentence, "assumption") != NULL));
  sfm_release_destroy(out);
  return g;
}

static void guarantees_add_up(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *half = make(LATTICE, 2, 0.5, 1), *tenth = make(LATTICE, 2, 0.1, 1),
              *gp = make(GP, 2, 1, 1), *other = make(GP, 2, 0.3, 1);
  sfm_guarantee g = promised(half, tenth, NULL, false), converted;
  double epsilon;
  assert_int_equal(g.kind, SFM_GUARANTEE_PURE);
  assert_near("pure", g.epsilon, 0.6, 1e-15);
  assert_true(g.epsilon >= 0.5 + 0.1 && g.delta == 0 && g.mu == 0);
  g = promised(half, tenth, half, false);
  assert_near("three", g.epsilon, 1.1, 1e-15);
  g = promised(half, tenth, NULL, true);
  assert_true(g.kind == SFM_GUARANTEE_PURE && g.epsilon == 0.5);
  /* Gaussian: in squares, at the largest delta. */
  g = promised(gp, other, NULL, false);
  const double mu = hypot(gp->guarantee.mu, other->guarantee.mu);
  assert_int_equal(g.kind, SFM_GUARANTEE_GDP);
  assert_relative("squares", g.mu, mu, 1e-14);
  assert_true(g.mu >= mu && g.delta == 1e-6);
  assert_ok(sfm_guarantee_epsilon(&epsilon, &g, 1e-6, &error), &error);
  assert_relative("epsilon", g.epsilon, epsilon, 1e-12);
  assert_true(g.epsilon > 1 && g.epsilon < 1.3);
  other->guarantee.delta = 1e-3;
  g = promised(gp, other, NULL, false);
  assert_true(g.delta == 1e-3 && g.epsilon < 1);
  g = promised(gp, other, NULL, true);
  assert_true(g.mu == gp->guarantee.mu && g.delta == 1e-3);
  g = promised(gp, gp, NULL, true);
  assert_true(g.mu == gp->guarantee.mu && g.epsilon == 1 && g.delta == 1e-6);
  /* Mixed: the pure one as a Gaussian one; or its epsilon beside that of the other, where less. */
  assert_ok(sfm_guarantee_convert(&converted, &half->guarantee, SFM_GUARANTEE_GDP, &error), &error);
  g = promised(gp, half, NULL, false);
  assert_relative("mixed", g.mu, hypot(gp->guarantee.mu, converted.mu), 1e-14);
  assert_near("beside", g.epsilon, 1.5, 1e-12);
  assert_true(g.kind == SFM_GUARANTEE_GDP && g.delta == 1e-6);
  g = promised(gp, half, NULL, true);
  assert_relative("weakest", g.mu, fmax(gp->guarantee.mu, converted.mu), 1e-14);
  assert_true(g.epsilon == 1);
  /* Many pure ones beside a Gaussian one at a large delta: as Gaussian ones they are less. */
  gp->guarantee.delta = 0.4;
  g = promised(gp, tenth, tenth, false);
  sfm_guarantee normal = {.kind = SFM_GUARANTEE_GDP, .mu = g.mu};
  assert_ok(sfm_guarantee_epsilon(&epsilon, &normal, 0.4, &error), &error);
  assert_true(g.epsilon <= epsilon);
  sfm_release_destroy(half);
  sfm_release_destroy(tenth);
  sfm_release_destroy(gp);
  sfm_release_destroy(other);
}

/* Nor is what a part assumes forgotten when it is combined again, however often. */
static void assumptions_are_kept(void **state) {
  (void)state;
  const sfm_combine_settings apart = {.size = sizeof(sfm_combine_settings), .disjoint = true},
                             one = {.size = sizeof(sfm_combine_settings),
                                    .weights = SFM_COMBINE_WEIGHTS_OWN,
                                    .own = (double[]){1, 1}};
  sfm_release *a = make(LATTICE, 2, 1, 1), *b = make(LATTICE, 2, 1, 2);
  sfm_release *made = combine((const sfm_release *const[]){a, b}, 2, apart, NULL);
  for (int again = 0; again < 3; again++) {
    sfm_release *next = combine((const sfm_release *const[]){made, a}, 2, one, NULL);
    assert_true(next->guarantee.epsilon == 2 + again);
    assert_non_null(strstr(next->sentence, "all together"));
    assert_non_null(strstr(next->sentence, "nobody is in more than one"));
    sfm_release_destroy(made);
    made = next;
  }
  sfm_release_destroy(made);
  sfm_release_destroy(a);
  sfm_release_destroy(b);
}

static void large_weights_are_weights(void **state) {
  (void)state;
  double shares[2];
  sfm_release *a = make(LATTICE, 2, 1, 1), *b = make(LATTICE, 2, 1, 2);
  const sfm_combine_settings huge = {.size = sizeof(sfm_combine_settings),
                                     .weights = SFM_COMBINE_WEIGHTS_OWN,
                                     .own = (double[]){1e308, 1e308}};
  sfm_release_destroy(combine((const sfm_release *const[]){a, b}, 2, huge, shares));
  assert_true(shares[0] == 0.5 && shares[1] == 0.5);
  sfm_release_destroy(a);
  sfm_release_destroy(b);
}

static void refused(const sfm_release *a, const sfm_release *b, sfm_combine_settings settings,
                    const char *word) {
  sfm_error error;
  sfm_release *out;
  const sfm_release *const both[] = {a, b};
  assert_int_equal(sfm_release_combine(&out, NULL, both, 2, &settings, &error), SFM_INVALID);
  assert_null(out);
  if (!strstr(error.message, word)) fail_msg("\"%s\" has no \"%s\"", error.message, word);
}

static void protect(sfm_release *release, const char *person, const char *dataset) {
  assert_true(sfmi_release_set_person(release, person, true));
  release->enforced = true; /* also where a file of 0.1 does not name the column */
  free(release->dataset);
  release->dataset = dataset ? sfmi_copy_string(dataset) : NULL;
}

/* Guarantees of different units have no sum: every release is compared with every other. */
static void units_are_compared(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *a = make(LATTICE, 2, 1, 1), *b = make(LATTICE, 2, 1, 2), *c = make(LATTICE, 2, 1, 3),
              *out;
  const sfm_combine_settings sum = sfm_combine_settings_default(),
                             apart = {.size = sizeof(sfm_combine_settings), .disjoint = true};
  protect(a, "patient", NULL);
  protect(b, "doctor", NULL);
  refused(a, b, sum, "'doctor'");
  refused(a, b, apart, "'doctor'");
  protect(b, "patient", NULL);
  b->contributions = 3; /* all records of a person, however many count */
  out = combine((const sfm_release *const[]){a, b}, 2, sum, NULL);
  assert_true(out->guarantee.epsilon == 2 && out->enforced && out->contributions == 3);
  assert_string_equal(out->person, "patient");
  assert_non_null(strstr(out->sentence, "column patient; at most 3 are used"));
  refused(out, c,
          (sfm_combine_settings){.size = sizeof(sfm_combine_settings),
                                 .weights = SFM_COMBINE_WEIGHTS_OWN,
                                 .own = (double[]){1, 1}},
          "persons differ");
  sfm_release_destroy(out);
  protect(b, NULL, NULL);
  refused(a, b, sum, "release 2 does not say which column");
  refused(b, a, sum, "release 1 does not say which column");
  protect(b, NULL, "clinic");
  refused(a, b, sum, "release 2 does not say which column");
  /* Of one dataset, but the columns that are said differ: the names are of two ledgers. */
  protect(a, NULL, "clinic");
  protect(b, "patient", "clinic");
  protect(c, "doctor", "clinic");
  const sfm_release *const three[] = {a, b, c};
  assert_int_equal(sfm_release_combine(&out, NULL, three, 3, &sum, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "'doctor'"));
  out = combine(three, 2, sum, NULL);
  assert_null(out->person); /* one of them does not say it: that it is the same is an assumption */
  assert_non_null(strstr(out->sentence, "owner's assumption"));
  sfm_release_destroy(out);
  /* 7 and 07 are one person in one of them, and two in the other. */
  protect(a, "patient", NULL);
  protect(b, "patient", NULL);
  a->person_ids = SFMI_IDS_NUMBER;
  refused(a, b, sum,
          "release 1 compares the ids of the column 'patient' as numbers, release 2 as texts");
  refused(b, a, sum,
          "release 1 compares the ids of the column 'patient' as texts, release 2 as numbers");
  b->person_ids = SFMI_IDS_VALUE;
  refused(a, b, sum, "release 2 as values");
  b->person_ids = SFMI_IDS_NUMBER;
  out = combine((const sfm_release *const[]){a, b}, 2, sum, NULL);
  assert_int_equal(out->person_ids, SFMI_IDS_NUMBER);
  assert_non_null(strstr(out->sentence, "column patient, ids compared as numbers; at most"));
  sfm_release_destroy(out);
  sfm_release_destroy(a);
  sfm_release_destroy(b);
  sfm_release_destroy(c);
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *a = make(LATTICE, 2, 1, 1), *b = make(LATTICE, 2, 1, 2), *out,
              *plane = make(PLANE, 4, 1, 1), *sums = make(ADD_REMOVE, 2, 1, 1), *refined;
  const sfm_combine_settings settings = sfm_combine_settings_default();
  assert_int_equal(
      sfm_release_combine(&out, NULL, (const sfm_release *const[]){a}, 1, &settings, &error),
      SFM_INVALID);
  refused(a, plane, settings, "other columns");
  refused(a, sums, settings, "neighbours");
  b->upper[0] = 11;
  refused(a, b, settings, "other bounds");
  b->upper[0] = 10;
  b->boundary[0] = SFM_BOUNDARY_REFLECT;
  refused(a, b, settings, "another boundary");
  b->boundary[0] = SFM_BOUNDARY_OPEN;
  b->columns[0][0] = 'z';
  refused(a, b, settings, "other columns");
  b->columns[0][0] = 'a';
  b->contributions = 2;
  refused(a, b, settings, "contributions");
  b->contributions = 1;
  b->enforced = true;
  refused(a, b, settings, "contributions");
  b->enforced = false;
  b->guarantee.kind = SFM_GUARANTEE_RANDOM_DP;
  refused(a, b, settings, "random-dp");
  b->guarantee.kind = SFM_GUARANTEE_APPROXIMATE;
  refused(a, b, settings, "approximate");
  b->guarantee.kind = SFM_GUARANTEE_PURE;
  refused(a, b,
          (sfm_combine_settings){.size = sizeof(sfm_combine_settings),
                                 .weights = SFM_COMBINE_WEIGHTS_OWN,
                                 .own = (double[]){1, -1}},
          "above zero");
  refused(a, b,
          (sfm_combine_settings){.size = sizeof(sfm_combine_settings),
                                 .weights = SFM_COMBINE_WEIGHTS_OWN,
                                 .own = (double[]){1, INFINITY}},
          "finite");
  b->kind = &sfmi_function_kind;
  refused(a, b, settings, "only densities are combined");
  b->kind = &sfmi_density_kind;
  const sfm_refine_settings all = sfm_refine_settings_default();
  assert_ok(sfm_release_refine(&refined, b, &all, &error), &error);
  refused(a, refined, settings, "combine first and refine afterwards");
  sfm_release_destroy(refined);
  assert_ok(sfm_release_refine(&refined, sums, &all, &error), &error);
  refused(sums, refined,
          (sfm_combine_settings){.size = sizeof(sfm_combine_settings),
                                 .weights = SFM_COMBINE_WEIGHTS_RECORDS},
          "is not kept");
  for (size_t i = 0; i < sums->length; i++) sums->integers[i] = -1;
  refused(sums, refined,
          (sfm_combine_settings){.size = sizeof(sfm_combine_settings),
                                 .weights = SFM_COMBINE_WEIGHTS_RECORDS},
          "noisy number");
  sfm_release_destroy(refined);
  sfm_release_destroy(a);
  sfm_release_destroy(b);
  sfm_release_destroy(plane);
  sfm_release_destroy(sums);
}

/* 2^22 points along every column are 2^66, which is no number of points. */
static void grids_that_are_too_large_together_are_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *plane = make(PLANE, 4, 1, 1), *parts[3], *out;
  const sfm_combine_settings equal = {.size = sizeof(sfm_combine_settings),
                                      .weights = SFM_COMBINE_WEIGHTS_OWN,
                                      .own = (double[]){1, 1, 1}};
  const sfm_refine_settings all = sfm_refine_settings_default();
  for (size_t k = 0; k < 3; k++) {
    assert_ok(sfm_release_refine(&parts[k], plane, &all, &error), &error);
    parts[k]->dimension = parts[k]->function->places.dimension = 3;
    parts[k]->columns[2] = sfmi_copy_string("c");
    parts[k]->upper[2] = parts[k]->function->places.upper[2] = 1;
    for (size_t a = 0; a < 3; a++)
      parts[k]->function->places.counts[a] = a == k ? (size_t)1 << 22 : 2;
  }
  assert_int_equal(
      sfm_release_combine(&out, NULL, (const sfm_release *const *)parts, 3, &equal, &error),
      SFM_INVALID);
  assert_non_null(strstr(error.message, "grids"));
  for (size_t k = 0; k < 3; k++) sfm_release_destroy(parts[k]);
  sfm_release_destroy(plane);
}

/* The file, what can be done to it, and what it says of its parts. */
static void combinations_are_releases(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *a = make(LATTICE, 2, 1, 1), *b = make(GRID, 1, 1, 2), *again, *refined, *out;
  double shares[2], value[3], x = 3.21;
  sfm_evaluator *evaluator;
  b->rows = 300;
  const sfm_release *const both[] = {a, b};
  sfm_release *made = combine(both, 2,
                              (sfm_combine_settings){.size = sizeof(sfm_combine_settings),
                                                     .weights = SFM_COMBINE_WEIGHTS_RECORDS},
                              shares);
  assert_near("records", shares[1], 0.75, 1e-15);
  assert_int_equal(made->rows, 400);
  assert_false(made->hardened);
  assert_true(made->function->bandwidth[0] == 1);
  char path[] = "/tmp/sfumato_combine.XXXXXX";
  close(mkstemp(path));
  assert_ok(sfm_release_write(made, path, &error), &error);
  assert_ok(sfm_release_read(&again, path, &error), &error);
  unlink(path);
  assert_true(sfm_release_refinement(again).combined);
  assert_string_equal(again->sentence, made->sentence);
  assert_memory_equal(again->reals, made->reals, made->length * sizeof *made->reals);
  assert_true(again->scale == made->scale && again->scale > 0);
  char *summary;
  assert_ok(sfm_release_summary(again, &summary, &error), &error);
  assert_non_null(strstr(summary, "Where its parts were charged"));
  sfm_free(summary);
  sfmi_places_at(&made->function->places, made->function->places.count / 3, &x);
  for (int k = 0; k < 3; k++) {
    assert_ok(sfm_evaluator_create(&evaluator, k == 2 ? again : both[k], 0, &error), &error);
    assert_ok(sfm_evaluator_at(evaluator, &value[k], &x, 1, &error), &error);
    sfm_evaluator_destroy(evaluator);
  }
  assert_near("mean", value[2], 0.25 * value[0] + 0.75 * value[1], 1e-12);
  sfm_refine_settings settings = sfm_refine_settings_default();
  assert_false(sfm_release_shrinks(again));
  assert_int_equal(sfm_release_refine(&out, again, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "combination cannot be shrunk"));
  settings.shrink = false;
  assert_ok(sfm_release_refine(&refined, again, &settings, &error), &error);
  assert_true(sfm_release_refinement(refined).combined);
  sfm_release_destroy(refined);
  sfm_release_destroy(made);
  sfm_release_destroy(again);
  sfm_release_destroy(a);
  sfm_release_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energies_are_measured),
      cmocka_unit_test(energies_of_values_at_places_are_measured),
      cmocka_unit_test(the_noise_of_the_mean_is_the_harmonic_sum),
      cmocka_unit_test(guarantees_add_up),
      cmocka_unit_test(assumptions_are_kept),
      cmocka_unit_test(large_weights_are_weights),
      cmocka_unit_test(units_are_compared),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(grids_that_are_too_large_together_are_refused),
      cmocka_unit_test(combinations_are_releases),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
