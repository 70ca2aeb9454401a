/* test_groups.c - a release by groups: each group comes out of it as a release of its own. */
#include "density_fixture.h"

#include <unistd.h>

#include "sfumato/marginal.h"
#include "releases/core/release_data.h"

static const char *const NAMES[] = {"a", "sex", "ward"}, *const BY[] = {"sex", "ward"};
static const char *const SEX[] = {"1", "2"}, *const WARD[] = {"10", "20", "30"};
enum { GROUPS = 6, N = 3000 };

/* Rows in groups 0 to 4, fewer the higher; nobody is in group 5. */
static void fill_rows(double *rows, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < N; i++) {
    const double u = sfmi_prng_uniform(&prng);
    const size_t g = u < 0.3 ? 0 : u < 0.55 ? 1 : u < 0.75 ? 2 : u < 0.9 ? 3 : 4;
    const double x = 0.2 + 0.12 * (double)g + 0.1 * sfmi_prng_normal(&prng);
    rows[3 * i] = fmin(fmax(x, 0), 1);
    rows[3 * i + 1] = 1 + (double)(g / 3);
    rows[3 * i + 2] = 10 + 10 * (double)(g % 3);
  }
}

typedef struct fixture {
  density_fixture t;
  double rows[3 * N];
} fixture;

static void fixture_init(fixture *s, double h, double epsilon, sfm_neighbours neighbours) {
  sfm_error error;
  density_fixture_init(&s->t, 1, 0, 1, h, epsilon, 0);
  density_fixture_neighbours(&s->t, neighbours, 1);
  assert_ok(sfm_schema_set_categories(s->t.schema, "sex", SEX, 2, &error), &error);
  assert_ok(sfm_schema_set_categories(s->t.schema, "ward", WARD, 3, &error), &error);
  s->t.settings.by = BY;
  s->t.settings.by_count = 2;
  fill_rows(s->rows, 61);
}

static sfm_release *release_of(const fixture *s) {
  sfm_error error;
  sfm_rows *source;
  sfm_release *release;
  assert_ok(sfm_rows_from_array(&source, s->rows, N, 3, NAMES, &error), &error);
  assert_ok(sfm_density_release(&release, NULL, source, &s->t.settings, &error), &error);
  sfm_rows_destroy(source);
  return release;
}

/* The values of group g's rows. */
static size_t members(const fixture *s, size_t g, double *values) {
  size_t count = 0;
  for (size_t i = 0; i < N; i++)
    if (s->rows[3 * i + 1] == 1 + (double)(g / 3) &&
        s->rows[3 * i + 2] == 10 + 10 * (double)(g % 3))
      values[count++] = s->rows[3 * i];
  return count;
}

/* Written and read again. */
static sfm_release *again(const sfm_release *release) {
  char path[] = "/tmp/sfumato_groups.XXXXXX";
  sfm_error error;
  sfm_release *copy;
  close(mkstemp(path));
  assert_ok(sfm_release_write(release, path, &error), &error);
  assert_ok(sfm_release_read(&copy, path, &error), &error);
  unlink(path);
  return copy;
}

static void all_groups(sfm_release **out, const sfm_release *release) {
  sfm_error error;
  size_t groups[GROUPS];
  for (size_t g = 0; g < GROUPS; g++) groups[g] = g;
  assert_ok(sfm_release_groups(out, release, groups, GROUPS, &error), &error);
}

static bool same_band(sfm_band x, sfm_band y) {
  return x.confidence == y.confidence && x.half_width == y.half_width &&
         x.pointwise == y.pointwise && x.systematic == y.systematic;
}

static void check_group(const sfm_release *release, const sfm_release *one, size_t g) {
  const size_t length = release->length / GROUPS;
  double size, deviation;
  sfm_error error;
  assert_int_equal(one->length, length);
  assert_memory_equal(one->integers, release->integers + g * length, length * sizeof(int64_t));
  assert_int_equal(sfm_release_group_count(one), 1);
  assert_string_equal(sfm_release_by(one, 0), "sex");
  assert_string_equal(sfm_release_by(one, 1), "ward");
  assert_string_equal(sfm_release_group_label(one, 0, 0), SEX[g / 3]);
  assert_string_equal(sfm_release_group_label(one, 0, 1), WARD[g % 3]);
  assert_string_equal(sfm_release_group_label(release, g, 1), WARD[g % 3]);
  assert_string_equal(sfm_release_sentence(one), sfm_release_sentence(release));
  assert_true(sfm_release_guarantee(one).epsilon == sfm_release_guarantee(release).epsilon);
  assert_true(one->scale == release->scale && one->step == release->step);
  assert_true(one->has_rows == release->has_rows && one->rows == release->rows);
  sfm_release_group_size(release, &size, &deviation, g);
  assert_true(size == sfm_release_size(one));
  sfm_band band;
  assert_ok(sfm_release_band_at(one, &band, one->band.confidence, &error), &error);
  assert_true(same_band(band, one->band));
  /* Out of its own file it is the same, and so is the only group of that. */
  sfm_release *copy = again(one), *only;
  assert_ok(sfm_release_group(&only, copy, 0, &error), &error);
  assert_memory_equal(only->integers, one->integers, length * sizeof(int64_t));
  assert_true(same_band(copy->band, one->band) && same_band(only->band, one->band));
  assert_true(sfm_release_too_few(only) == sfm_release_too_few(one));
  sfm_release_destroy(only);
  sfm_release_destroy(copy);
}

static void groups_come_apart(void **state) {
  (void)state;
  for (int add = 0; add < 2; add++) {
    static fixture s;
    sfm_error error;
    sfm_release *groups[GROUPS], *one;
    fixture_init(&s, 0.1, 1, add ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE);
    sfm_release *release = release_of(&s), *copy = again(release);
    assert_int_equal(sfm_release_by_count(copy), 2);
    assert_int_equal(sfm_release_group_count(copy), GROUPS);
    assert_memory_equal(copy->integers, release->integers, release->length * sizeof(int64_t));
    assert_int_equal(copy->function->lattice.length, release->length / GROUPS);
    all_groups(groups, copy);
    for (size_t g = 0; g < GROUPS; g++) {
      check_group(release, groups[g], g);
      assert_ok(sfm_release_group(&one, release, g, &error), &error);
      assert_true(same_band(one->band, groups[g]->band));
      sfm_release_destroy(one);
      sfm_release_destroy(groups[g]);
    }
    sfm_release_destroy(release);
    sfm_release_destroy(copy);
    density_fixture_clear(&s.t);
  }
}

/* Sup over a grid of the distance between the released density of a group and that of its rows. */
static double distance(const fixture *s, const sfm_release *one, size_t g, double *at_middle) {
  enum { GRID = 101 };
  static double values[N];
  const size_t count = members(s, g, values);
  sfm_evaluator *evaluator;
  sfm_error error;
  double got[GRID], sup = 0;
  size_t counts[1] = {GRID};
  assert_ok(sfm_evaluator_create(&evaluator, one, 0, &error), &error);
  assert_ok(sfm_evaluator_grid(evaluator, got, counts, &error), &error);
  for (size_t i = 0; i < GRID; i++) {
    const double q = (double)i / (GRID - 1),
                 off = fabs(got[i] - density_fixture_density(values, count, 1, s->t.bandwidth, &q));
    sup = fmax(sup, off);
    if (i == GRID / 2) *at_middle = off;
  }
  sfm_evaluator_destroy(evaluator);
  return sup;
}

/* Fresh noise again and again: each group's own band holds as often as it says, for groups large
 * and small, although they are divided by noisy sizes. */
static void bands_of_groups_cover(void **state) {
  (void)state;
  const size_t draws = test_long() ? 1000 : 60;
  for (int add = 0; add < 2; add++) {
    static fixture s;
    size_t everywhere[GROUPS] = {0}, middle[GROUPS] = {0}, tenth[GROUPS] = {0};
    fixture_init(&s, 0.2, 0.5, add ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE);
    for (size_t k = 0; k < draws; k++) {
      sfm_release *release = release_of(&s), *groups[GROUPS];
      all_groups(groups, release);
      for (size_t g = 0; g < GROUPS; g++) {
        double at = 0;
        const bool known = g < GROUPS - 1 && !sfm_release_too_few(groups[g]);
        const double sup = known ? distance(&s, groups[g], g, &at) : 0;
        everywhere[g] += sup <= groups[g]->band.half_width;
        middle[g] += at <= groups[g]->band.pointwise;
        tenth[g] += known && sup <= 0.1 * groups[g]->band.half_width;
        sfm_release_destroy(groups[g]);
      }
      sfm_release_destroy(release);
    }
    for (size_t g = 0; g < GROUPS; g++) {
      print_message("%s, group %zu: everywhere %zu, in the middle %zu of %zu\n",
                    add ? "add-remove" : "replace", g, everywhere[g], middle[g], draws);
      assert_false(binomial_too_few(everywhere[g], draws, 0.95));
      assert_false(binomial_too_few(middle[g], draws, 0.95));
      assert_true(binomial_too_few(tenth[g], draws, 0.95));
    }
    density_fixture_clear(&s.t);
  }
}

/* Without much noise a group's density is that of its rows. */
static void a_group_is_its_rows(void **state) {
  (void)state;
  static fixture s;
  sfm_release *groups[GROUPS];
  fixture_init(&s, 0.1, 1000, SFM_NEIGHBOURS_REPLACE);
  sfm_release *release = release_of(&s);
  all_groups(groups, release);
  for (size_t g = 0; g < GROUPS; g++) {
    static double values[N];
    double at;
    if (g < GROUPS - 1) {
      assert_near("size", sfm_release_size(groups[g]), (double)members(&s, g, values), 0.2);
      assert_true(distance(&s, groups[g], g, &at) < 0.01);
    }
    sfm_release_destroy(groups[g]);
  }
  sfm_release_destroy(release);
  density_fixture_clear(&s.t);
}

/* Nobody is in the last group: its size is noise, and no density is told of it. */
static void too_few_are_not_told(void **state) {
  (void)state;
  static fixture s;
  sfm_error error;
  sfm_release *one;
  sfm_evaluator *evaluator;
  fixture_init(&s, 0.1, 1, SFM_NEIGHBOURS_REPLACE);
  s.t.settings.context.seeded = true;
  sfm_release *release = release_of(&s);
  assert_ok(sfm_release_group(&one, release, GROUPS - 1, &error), &error);
  assert_true(sfm_release_too_few(one) && isinf(sfm_release_band(one).half_width));
  assert_int_equal(sfm_evaluator_create(&evaluator, one, 0, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "too few"));
  assert_null(evaluator);
  sfm_release_destroy(one);
  assert_ok(sfm_release_group(&one, release, 0, &error), &error);
  assert_false(sfm_release_too_few(one));
  sfm_release_destroy(one);
  assert_false(sfm_release_too_few(release));
  sfm_release_destroy(release);
  density_fixture_clear(&s.t);
}

static void many_groups_are_no_function(void **state) {
  (void)state;
  static fixture s;
  sfm_error error;
  sfm_evaluator *evaluator;
  sfm_band band;
  sfm_release *one;
  fixture_init(&s, 0.1, 1, SFM_NEIGHBOURS_REPLACE);
  sfm_release *release = release_of(&s);
  assert_int_equal(sfm_evaluator_create(&evaluator, release, 0, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "sfm_release_group"));
  assert_int_equal(sfm_release_band_at(release, &band, 0.9, &error), SFM_INVALID);
  assert_int_equal(sfm_release_group(&one, release, GROUPS, &error), SFM_INVALID);
  assert_null(one);
  assert_null(sfm_release_group_label(release, GROUPS, 0));
  assert_null(sfm_release_group_label(release, 0, 2));
  sfm_release_destroy(release);
  s.t.settings.by_count = 0;
  release = release_of(&s);
  assert_int_equal(sfm_release_group_count(release), 0);
  assert_int_equal(sfm_release_group(&one, release, 0, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "not by groups"));
  sfm_release_destroy(release);
  density_fixture_clear(&s.t);
}

/* Groups that are added up hold the noise of all of them, and say so. */
static void groups_add_up(void **state) {
  (void)state;
  static fixture s;
  static const char *const kept[] = {"a", "sex"};
  sfm_error error;
  sfm_release *fewer, *one;
  double size, deviation, parts[GROUPS], each;
  fixture_init(&s, 0.1, 1, SFM_NEIGHBOURS_REPLACE);
  sfm_release *release = release_of(&s);
  for (size_t g = 0; g < GROUPS; g++) sfm_release_group_size(release, &parts[g], &each, g);
  assert_ok(sfm_release_marginal(&fewer, release, kept, 2, &error), &error);
  assert_int_equal(sfm_release_group_count(fewer), 2);
  for (size_t g = 0; g < 2; g++) {
    sfm_release_group_size(fewer, &size, &deviation, g);
    assert_near("size", size, parts[3 * g] + parts[3 * g + 1] + parts[3 * g + 2], 1e-6);
    assert_relative("deviation", deviation, sqrt(3) * each, 1e-12);
    assert_ok(sfm_release_group(&one, fewer, g, &error), &error);
    assert_false(sfm_release_too_few(one));
    assert_true(sfm_release_band(one).half_width > 0);
    sfm_release_destroy(one);
  }
  sfm_release_destroy(fewer);
  sfm_release_destroy(release);
  density_fixture_clear(&s.t);
}

/* One category in all: one group, whose band the release states itself. */
static void one_group_is_a_release(void **state) {
  (void)state;
  static fixture s;
  static const char *const one_ward[] = {"20"}, *const by[] = {"place"};
  static const char *const names[] = {"a", "sex", "place"};
  sfm_error error;
  sfm_rows *source;
  sfm_release *release, *only;
  sfm_evaluator *evaluator;
  double value, at = 0.4;
  fixture_init(&s, 0.1, 1, SFM_NEIGHBOURS_REPLACE);
  assert_ok(sfm_schema_set_categories(s.t.schema, "place", one_ward, 1, &error), &error);
  s.t.settings.by = by;
  s.t.settings.by_count = 1;
  assert_ok(sfm_rows_from_array(&source, s.rows, N, 3, names, &error), &error);
  assert_ok(sfm_density_release(&release, NULL, source, &s.t.settings, &error), &error);
  assert_int_equal(sfm_release_group_count(release), 1);
  assert_true(isfinite(sfm_release_band(release).half_width));
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, &value, &at, 1, &error), &error);
  assert_true(value > 0.5);
  assert_ok(sfm_release_group(&only, release, 0, &error), &error);
  assert_true(same_band(only->band, release->band));
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(only);
  sfm_release_destroy(release);
  sfm_rows_destroy(source);
  density_fixture_clear(&s.t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_come_apart),           cmocka_unit_test(bands_of_groups_cover),
      cmocka_unit_test(a_group_is_its_rows),         cmocka_unit_test(too_few_are_not_told),
      cmocka_unit_test(many_groups_are_no_function), cmocka_unit_test(groups_add_up),
      cmocka_unit_test(one_group_is_a_release),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
