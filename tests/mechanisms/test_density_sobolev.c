/* test_density_sobolev.c - densities with the noise of a Sobolev space: no neighbour passes the
 * sensitivity, and one that counts as nothing passes what pairs alone would give; the noise has the
 * covariance of the space and not of the estimate; bands hold at the places and between; files say
 * it all; what is asked for wrongly is refused by name. */
/* suite: release */
#include "density_fixture.h"

#include "features/kernels/sobolev_norm.h"
#include "mechanisms/functions/density_integers.h"
#include "mechanisms/core/gp_noise.h"
#include "place_whitening.h"
#include "places_coverage.h"
#include "planner/density/gaussian_process.h"
#include "sfumato/online.h"
#include "sfumato/sobolev.h"
#include "releases/core/release_write.h"

typedef struct setup {
  const char *name;
  size_t dimension;
  double h, gamma; /* gamma 0: the one of least sensitivity */
  sfm_engine engine;
  size_t grid[3]; /* 0: a list */
  double reach;   /* what part of the sensitivity neighbours are to reach */
} setup;

/* Lists are of few places, on which functions have less than all of their norm. */
static const setup SETUPS[] = {
    {"markov", 1, 0.05, 0, SFM_ENGINE_AUTO, {257}, 0.995},
    {"markov, few bandwidths", 1, 0.3, 0, SFM_ENGINE_MARKOV, {129}, 0.995},
    {"markov, flat", 1, 1, 1, SFM_ENGINE_MARKOV, {129}, 0.995},
    {"markov, small gamma", 1, 0.1, 0.5, SFM_ENGINE_MARKOV, {129}, 0.99},
    {"markov list", 1, 0.2, 4, SFM_ENGINE_AUTO, {0}, 0.9},
    {"circulant", 1, 0.1, 20, SFM_ENGINE_CIRCULANT, {129}, 0.99},
    {"circulant 2-D", 2, 0.1, 0, SFM_ENGINE_AUTO, {21, 21}, 0.94},
    {"gram 2-D list", 2, 0.3, 3, SFM_ENGINE_AUTO, {0}, 0.5},
    {"gram 3-D", 3, 0.5, 1.5, SFM_ENGINE_GRAM, {5, 5, 5}, 0.8},
};
enum { SETUP_COUNT = sizeof SETUPS / sizeof *SETUPS, LISTED = 40 };

typedef struct bench {
  density_fixture t;
  double points[LISTED * 3], gamma[3];
} bench;

static void bench_init(bench *b, const setup *s) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 81);
  density_fixture_init(&b->t, s->dimension, 0, 1, s->h, 1, 1e-6);
  b->t.settings.method = SFM_DENSITY_SOBOLEV;
  b->t.settings.engine = s->engine;
  b->t.settings.context.seeded = true;
  b->t.settings.context.seed = 82;
  for (size_t a = 0; a < s->dimension; a++) b->gamma[a] = s->gamma;
  b->t.settings.gamma = s->gamma > 0 ? b->gamma : NULL;
  memcpy(b->t.settings.release_grid, s->grid, sizeof s->grid);
  if (s->grid[0]) return;
  /* Among them equal and nearly equal ones. */
  for (size_t i = 0; i < LISTED * s->dimension; i++) b->points[i] = sfmi_prng_uniform(&prng);
  for (size_t a = 0; a < s->dimension; a++) {
    b->points[s->dimension + a] = b->points[a];
    b->points[2 * s->dimension + a] = b->points[a] * (1 - 1e-15);
  }
  b->t.settings.release_points = b->points;
  b->t.settings.release_count = LISTED;
}

/* ---- the sensitivity, attacked ---- */

/* Two tables of four rows of which one differs, and how far apart their values at the places are,
 * as the production code computes them, in units of the noise. */
typedef struct attack {
  const density_fixture *t;
  sfmi_design_density *design;
  sfm_release *release; /* of any rows: what is public */
  double rows[12], *factor, sensitivity;
} attack;

static void attack_init(attack *a, const density_fixture *t) {
  sfm_error error;
  a->t = t;
  a->design = calloc(1, sizeof *a->design);
  assert_non_null(a->design);
  assert_ok(sfmi_design_density_init(a->design, &t->settings, 4, &error), &error);
  a->release = density_fixture_release(t, a->rows, 4);
  a->factor = whitening_factor(a->release, a->release->function->nugget / 2);
  a->sensitivity = a->release->sensitivity;
}

static void attack_clear(attack *a) {
  free(a->design);
  free(a->factor);
  sfm_release_destroy(a->release);
}

/* Adds sign times the values, in records, of the rows with x for the second. */
static void add_values(const attack *a, double *v, const double *x, double sign) {
  const size_t d = a->t->settings.dimension, m = whitening_distinct(a->release);
  const sfmi_process *process = &a->design->process;
  sfmi_i128 *sums = NULL, *values = NULL;
  sfm_rows *rows = NULL;
  sfm_error error;
  double table[12];
  memcpy(table, a->rows, sizeof table);
  memcpy(table + d, x, d * sizeof *x);
  assert_ok(sfm_rows_from_array(&rows, table, 4, d, density_fixture_columns, &error), &error);
  assert_ok(sfmi_process_sums(&sums, process, rows, &a->t->settings, &error), &error);
  assert_ok(sfmi_process_values(&values, process, &a->design->places, sums, &error), &error);
  for (size_t k = 0; k < m; k++)
    v[k] += sign * ldexp((double)values[whitening_place(a->release, k)], -SFMI_KERNEL_SUM_BITS);
  free(values);
  sfmi_process_wipe(&sums, process);
  sfm_rows_destroy(rows);
}

static double moved(const attack *a, const double *x, const double *y) {
  const size_t m = whitening_distinct(a->release);
  double *v = calloc(m, sizeof *v);
  add_values(a, v, x, 1);
  add_values(a, v, y, -1);
  const double move = whitening_norm(a->factor, m, v);
  free(v);
  if (!(move <= a->sensitivity))
    fail_msg("from %g to %g is %.9g, more than %.9g", x[0], y[0], move, a->sensitivity);
  return move;
}

/* Two bumps as far apart as is worst on a line, around the middle of the first axis. */
static void worst_pair(double *x, double *y, const setup *s, double gamma) {
  const double away = s->h * sqrt(1.5 + gamma * gamma * s->h * s->h);
  for (size_t k = 0; k < s->dimension; k++) x[k] = y[k] = 0.5;
  x[0] = fmax(0.5 - away, 0);
  y[0] = fmin(0.5 + away, 1);
}

static double attack_setup(const setup *s, sfmi_prng *prng, double *nothing) {
  bench b;
  bench_init(&b, s);
  attack a = {.t = NULL};
  double x[3], y[3], u[3], v[3];
  for (size_t k = 0; k < 4 * s->dimension; k++) a.rows[k] = sfmi_prng_uniform(prng);
  attack_init(&a, &b.t);
  worst_pair(x, y, s, a.release->function->gamma[0]);
  double best = moved(&a, x, y);
  const size_t tries = test_long() ? 400 : s->dimension == 1 ? 40 : 12;
  *nothing = 0;
  for (size_t i = 0; i < tries; i++) {
    const double step = i % 2 ? 0.3 / (double)(1 + i / 4) : 1;
    for (size_t k = 0; k < s->dimension; k++) {
      u[k] = fmin(fmax(x[k] + step * (2 * sfmi_prng_uniform(prng) - 1), 0), 1);
      v[k] = fmin(fmax(y[k] + step * (2 * sfmi_prng_uniform(prng) - 1), 0), 1);
    }
    if (i % 5 == 4) v[0] = NAN; /* counts as nothing */
    const double move = moved(&a, u, v);
    if (isnan(v[0])) *nothing = fmax(*nothing, move / a.sensitivity);
    if (move > best && !isnan(v[0])) {
      memcpy(x, u, sizeof x);
      memcpy(y, v, sizeof y);
    }
    best = fmax(best, move);
  }
  for (size_t k = 0; k < s->dimension; k++) u[k] = 0.5;
  for (size_t k = 0; k < s->dimension; k++) v[k] = INFINITY;
  const double centre = moved(&a, u, v);
  *nothing = fmax(*nothing, centre / a.sensitivity);
  best = fmax(best, centre);
  best /= a.sensitivity;
  attack_clear(&a);
  density_fixture_clear(&b.t);
  return best;
}

static void neighbours_never_pass_the_sensitivity(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 83);
  for (size_t s = 0; s < SETUP_COUNT; s++) {
    double nothing;
    const double best = attack_setup(&SETUPS[s], &prng, &nothing);
    print_message("%-24s %.4f of the sensitivity, %.4f by a row that counts as nothing\n",
                  SETUPS[s].name, best, nothing);
    assert_true(best >= SETUPS[s].reach);
  }
}

/* gamma = h = 1 on [0, 1] (docs/proofs/sobolev.md): the twin whose sensitivity is the largest
 * distance of two rows is passed by a row that counts as nothing, and through the whole pipeline.
 */
static void a_twin_of_pairs_is_caught(void **state) {
  (void)state;
  const setup flat = {"flat", 1, 1, 1, SFM_ENGINE_MARKOV, {257}, 0};
  const sfmi_sobolev_axis bumps = {1, 1};
  bench b;
  double pairs = 0, middle = 0.5, none = NAN;
  for (int i = 0; i <= 100; i++)
    for (int j = 0; j < i; j++)
      pairs = fmax(pairs, sqrt(sfmi_sobolev_square_distance(&bumps, i / 100., j / 100., NULL)));
  assert_near("pairs, of a density", pairs / sqrt(2 * M_PI), 0.281, 0.0005);
  bench_init(&b, &flat);
  attack a = {.rows = {0.1, 0.2, 0.3, 0.4}};
  attack_init(&a, &b.t);
  const double move = moved(&a, &middle, &none);
  assert_near("one alone, of a density", move / sqrt(2 * M_PI), 0.451, 0.0005);
  assert_true(move > 1.5 * pairs);
  attack_clear(&a);
  density_fixture_clear(&b.t);
}

static void contributions_multiply(void **state) {
  (void)state;
  bench b;
  const double rows[] = {0.2, 0.4, 0.9};
  bench_init(&b, &SETUPS[0]);
  sfm_release *one = density_fixture_release(&b.t, rows, 3);
  density_fixture_neighbours(&b.t, SFM_NEIGHBOURS_REPLACE, 3);
  sfm_release *three = density_fixture_release(&b.t, rows, 3);
  assert_relative("three records", three->sensitivity, 3 * one->sensitivity, 1e-9);
  double sensitivity, gamma = 0;
  sfm_error error;
  assert_ok(sfm_sobolev_gaussian(&sensitivity, &gamma, 0, 1, 0.05, &error), &error);
  assert_true(one->function->gamma[0] == gamma && sfm_release_gamma(one, 0) == gamma);
  assert_true(isnan(sfm_release_gamma(one, 1)));
  assert_true(one->sensitivity >= sensitivity);
  assert_relative("what rounding adds", one->sensitivity, sensitivity, 1e-6);
  sfm_release_destroy(one);
  sfm_release_destroy(three);
  density_fixture_clear(&b.t);
}

/* ---- the noise ---- */

/* Whitened by the Sobolev kernel its mean square is one; whitened by the estimate's it is not. */
static void noise_has_the_covariance_of_the_space(void **state) {
  (void)state;
  for (size_t s = 0; s < SETUP_COUNT; s++) {
    bench b;
    sfm_error error;
    sfmi_design_density *design = calloc(1, sizeof *design);
    sfmi_gp_noise *gp_noise;
    bench_init(&b, &SETUPS[s]);
    assert_ok(sfmi_design_density_init(design, &b.t.settings, 10, &error), &error);
    const sfm_kernel noise = sfmi_process_noise(&design->process);
    assert_ok(sfmi_gp_noise_create(&gp_noise, design->engine, &noise, &design->places,
                                   design->process.nugget, (sfmi_seed){true, 84}, &error),
              &error);
    const double rows[] = {0.5, 0.5, 0.5};
    sfm_release *release = density_fixture_release(&b.t, rows, 1);
    const size_t m = whitening_distinct(release), all = release->length;
    double *factor = whitening_factor(release, release->function->nugget), sum = 0;
    double *values = calloc(all, sizeof *values), *path = malloc(all * sizeof *path);
    const size_t draws = 130000 / m;
    for (size_t i = 0; i < draws; i++) {
      sfmi_gp_noise_add(gp_noise, path, values, 1);
      for (size_t k = 0; k < m; k++) path[k] = path[whitening_place(release, k)];
      const double norm = whitening_norm(factor, m, path);
      sum += norm * norm;
    }
    const double count = (double)(draws * m);
    print_message("%-24s mean square %.5f\n", SETUPS[s].name, sum / count);
    assert_true(sfmi_field_excess(sfmi_gp_noise_field(gp_noise)) == 0);
    assert_true(whitening_looks_right(sum, count, 1));
    assert_false(whitening_looks_right(sum, count, 1.04));
    free(factor);
    free(values);
    free(path);
    sfm_release_destroy(release);
    sfmi_gp_noise_destroy(gp_noise);
    free(design);
    density_fixture_clear(&b.t);
  }
}

/* ---- bands ---- */

static double truth_at(const void *context, const double *rows, size_t n, const double *x) {
  const sfm_density_settings *s = context;
  return density_fixture_density(rows, n, s->dimension, s->bandwidth, x);
}

static void bands_hold(void **state) {
  (void)state;
  enum { ROWS = 300 };
  double rows[ROWS * 3];
  for (size_t s = 0; s < SETUP_COUNT; s++) {
    bench b;
    if (test_left_out(s, 3)) continue;
    bench_init(&b, &SETUPS[s]);
    b.t.settings.context.confidence = 0.8;
    density_fixture_rows(rows, ROWS, SETUPS[s].dimension, 0, 1, 85);
    const places_coverage c = places_cover(&b.t, rows, ROWS, truth_at, &b.t.settings);
    places_judge(SETUPS[s].name, &c, 0.8, true);
    /* A grid finer than the bandwidth knows the function between its points as well (where the band
     * holds: a value below zero by more than it tells nothing). */
    if (SETUPS[s].grid[0] > 100) assert_true(c.wide < 1.2);
    density_fixture_clear(&b.t);
  }
}

/* ---- files ---- */

/* Through the file and back, and once more. */
static void files_say_it_all(void **state) {
  (void)state;
  double rows[90];
  density_fixture_rows(rows, 30, 3, 0, 1, 87);
  for (size_t s = 0; s < SETUP_COUNT; s++) {
    bench b;
    sfm_error error;
    sfm_release *back;
    sfm_evaluator *here, *there;
    char *bytes, *again;
    size_t length, longer;
    bench_init(&b, &SETUPS[s]);
    sfm_release *release = density_fixture_release(&b.t, rows, 30);
    assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
    assert_ok(sfm_release_parse(&back, bytes, length, "copy", &error), &error);
    assert_ok(sfmi_release_print(back, &again, &longer, &error), &error);
    assert_int_equal(length, longer);
    assert_memory_equal(bytes, again, length);
    assert_string_equal(sfm_release_method(back), "sobolev");
    assert_string_equal(sfm_kind_name(sfm_release_kind(back)), "density");
    assert_int_equal(sfm_release_kernel(back), SFM_KERNEL_GAUSSIAN);
    assert_false(sfm_release_hardened(back));
    assert_non_null(strstr(sfm_release_sentence(back), "idealised"));
    for (size_t a = 0; a < SETUPS[s].dimension; a++)
      assert_true(sfm_release_gamma(back, a) == release->function->gamma[a] &&
                  release->function->gamma[a] > 0);
    assert_ok(sfm_evaluator_create(&here, release, 0, &error), &error);
    assert_ok(sfm_evaluator_create(&there, back, 0, &error), &error);
    const double x[3] = {0.123, 0.456, 0.789};
    double v[2], w[2];
    assert_ok(sfm_evaluator_at(here, &v[0], x, 1, &error), &error);
    assert_ok(sfm_evaluator_at(there, &v[1], x, 1, &error), &error);
    assert_ok(sfm_evaluator_widths(here, &w[0], x, 1, &error), &error);
    assert_ok(sfm_evaluator_widths(there, &w[1], x, 1, &error), &error);
    assert_true(v[0] == v[1] && w[0] == w[1] && isfinite(v[0]) && w[0] > 0);
    sfm_band band;
    assert_ok(sfm_release_band_at(back, &band, 0.99, &error), &error);
    assert_true(band.half_width > release->band.half_width && isfinite(band.half_width));
    for (size_t cut = 0; cut < length - 2; cut += 1 + length / 100) {
      sfm_release *bad;
      assert_int_equal(sfm_release_parse(&bad, bytes, cut, "cut", &error), SFM_FORMAT);
    }
    free(bytes);
    free(again);
    sfm_evaluator_destroy(here);
    sfm_evaluator_destroy(there);
    sfm_release_destroy(back);
    sfm_release_destroy(release);
    density_fixture_clear(&b.t);
  }
}

/* A file that says something else about itself is refused. */
static void broken(const char *bytes, const char *from, const char *to, const char *word) {
  const char *at = strstr(bytes, from);
  sfm_error error = {SFM_OK, ""};
  sfm_release *bad = NULL;
  char *changed = malloc(strlen(bytes) + strlen(to) + 1);
  assert_non_null(at);
  sprintf(changed, "%.*s%s%s", (int)(at - bytes), bytes, to, at + strlen(from));
  assert_int_equal(sfm_release_parse(&bad, changed, strlen(changed), "changed", &error),
                   SFM_FORMAT);
  if (!strstr(error.message, word)) fail_msg("\"%s\" is not in: %s", word, error.message);
  free(changed);
}

static void wrong_files_are_refused(void **state) {
  (void)state;
  const setup s = {"markov", 1, 0.1, 8, SFM_ENGINE_MARKOV, {9}, 0};
  const double rows[] = {0.5, 0.25};
  bench b;
  char *bytes;
  size_t length;
  sfm_error error;
  bench_init(&b, &s);
  sfm_release *release = density_fixture_release(&b.t, rows, 2);
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  broken(bytes, "\"gamma\"", "\"delta\"", "gamma");
  broken(bytes, "8.0", "0.0", "gamma");
  broken(bytes, "8.0", "-8.0", "gamma");
  broken(bytes, "8.0", "8.0, 8.0", "gamma");
  broken(bytes, "\"gaussian\"", "\"laplacian\"", "kernel");
  broken(bytes, "\"markov\"", "\"spectral\"", "engine");
  broken(bytes, "\"density\"", "\"function\"", "method");
  broken(bytes, "\"hardened\": false", "\"hardened\": true", "step");
  free(bytes);
  sfm_release_destroy(release);
  density_fixture_clear(&b.t);
}

/* ---- what is asked for ---- */

static void misuse_is_named(void **state) {
  (void)state;
  density_fixture t;
  double gamma[] = {10, 10};
  density_fixture_init(&t, 2, 0, 1, 0.1, 1, 1e-6);
  t.settings.gamma = gamma;
  density_fixture_refused(&t, "settings.method = sobolev");
  t.settings.method = SFM_DENSITY_GP;
  density_fixture_refused(&t, "settings.method = sobolev");
  t.settings.method = SFM_DENSITY_SOBOLEV;
  const double bad[] = {0, -1, NAN, INFINITY, 1e-4, 2e5};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    gamma[1] = bad[i];
    density_fixture_refused(&t, "of \"b\" is out of range");
  }
  gamma[1] = 10;
  t.settings.kernel = SFM_KERNEL_CAUCHY;
  density_fixture_refused(&t, "gaussian kernel");
  t.settings.kernel = SFM_KERNEL_GAUSSIAN;
  t.settings.engine = SFM_ENGINE_SPECTRAL;
  density_fixture_refused(&t, "not by spectral");
  t.settings.engine = SFM_ENGINE_MARKOV;
  density_fixture_refused(&t, "markov");
  t.settings.engine = SFM_ENGINE_AUTO;
  t.settings.delta = 0;
  density_fixture_refused(&t, "needs a delta");
  t.settings.delta = 1e-6;
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  density_fixture_refused(&t, "settings.method = gp");
  density_fixture_clear(&t);
}

/* A session would be of gp: it says no instead. */
static void sessions_refuse_it(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  sfm_rows *rows;
  const double values[] = {0.5};
  density_fixture_init(&t, 1, 0, 1, 0.1, 1, 1e-6);
  t.settings.method = SFM_DENSITY_SOBOLEV;
  assert_ok(sfm_rows_from_array(&rows, values, 1, 1, density_fixture_columns, &error), &error);
  assert_int_equal(sfm_online_create("never.sfs", rows, &t.settings, NULL, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "settings.method = sobolev"));
  sfm_rows_destroy(rows);
  density_fixture_clear(&t);
}

static void plans_say_what_is_chosen(void **state) {
  (void)state;
  static const sfm_engine wanted[] = {SFM_ENGINE_MARKOV,    SFM_ENGINE_MARKOV, SFM_ENGINE_MARKOV,
                                      SFM_ENGINE_MARKOV,    SFM_ENGINE_MARKOV, SFM_ENGINE_CIRCULANT,
                                      SFM_ENGINE_CIRCULANT, SFM_ENGINE_GRAM,   SFM_ENGINE_GRAM};
  sfm_error error;
  for (size_t s = 0; s < SETUP_COUNT; s++) {
    bench b;
    sfm_density_choice plan;
    bench_init(&b, &SETUPS[s]);
    assert_ok(sfm_density_choose(&plan, &b.t.settings, 100, &error), &error);
    assert_int_equal(plan.method, SFM_DENSITY_SOBOLEV);
    assert_int_equal(plan.engine, wanted[s]);
    density_fixture_clear(&b.t);
  }
  /* auto never means it: it is idealised. */
  density_fixture t;
  for (int i = 0; i < 12; i++) {
    sfm_density_choice plan;
    density_fixture_init(&t, 1, 0, 1, 0.01 * pow(3, i % 6), i < 6 ? 0.1 : 5, 1e-6);
    assert_ok(sfm_density_choose(&plan, &t.settings, 1000, &error), &error);
    assert_int_not_equal(plan.method, SFM_DENSITY_SOBOLEV);
    density_fixture_clear(&t);
  }
}

/* The mean square of the noise over a grid is what the plan predicts. */
static void predictions_come_true(void **state) {
  (void)state;
  enum { ROWS = 200, GRID = 65, RELEASES = 40 };
  const setup s = {"markov", 1, 0.05, 0, SFM_ENGINE_MARKOV, {GRID}, 0};
  double rows[ROWS], sum = 0;
  bench b;
  sfm_error error;
  sfm_density_choice plan;
  bench_init(&b, &s);
  density_fixture_rows(rows, ROWS, 1, 0, 1, 88);
  assert_ok(sfm_density_choose(&plan, &b.t.settings, ROWS, &error), &error);
  for (uint64_t r = 0; r < RELEASES; r++) {
    b.t.settings.context.seed = r;
    sfm_release *release = density_fixture_release(&b.t, rows, ROWS);
    for (int i = 0; i < GRID; i++) {
      const double x = (double)i / (GRID - 1);
      const double off = sfm_release_coefficient(release, i) / (ROWS * sfmi_release_mass(release)) -
                         density_fixture_density(rows, ROWS, 1, b.t.bandwidth, &x);
      sum += off * off / GRID / RELEASES;
    }
    sfm_release_destroy(release);
  }
  /* A path of 20 bandwidths is worth some ten numbers: 400 in all. */
  assert_relative("the mean square", sum, plan.privacy, TEST_Z * sqrt(2.0 / 400));
  density_fixture_clear(&b.t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(a_twin_of_pairs_is_caught),
      cmocka_unit_test(contributions_multiply),
      cmocka_unit_test(noise_has_the_covariance_of_the_space),
      cmocka_unit_test(bands_hold),
      cmocka_unit_test(files_say_it_all),
      cmocka_unit_test(wrong_files_are_refused),
      cmocka_unit_test(misuse_is_named),
      cmocka_unit_test(sessions_refuse_it),
      cmocka_unit_test(plans_say_what_is_chosen),
      cmocka_unit_test(predictions_come_true),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
