/* test_density_groups.c - densities by groups end to end: a row is in one group, and all of them
 * together move by two row masses. */
/* suite: release */
#include "pooled_variance.h"

#include "mechanisms/functions/density_integers.h"
#include "releases/core/release_data.h"

static const char *const NAMES[] = {"a", "b", "sex", "ward"};
static const char *const BY[] = {"sex", "ward"};
static const char *const SEX[] = {"1", "2"}, *const WARD[] = {"10", "20", "30"};

/* Columns a (and b), then sex and ward, whose codes are numbers. */
typedef struct grouped {
  density_fixture t;
  size_t columns;
  const char *names[4];
} grouped;

static void prepare(grouped *g, size_t d, double h, sfm_neighbours neighbours, uint32_t k) {
  sfm_error error;
  density_fixture_init(&g->t, d, 0, 1, h, 1, 0);
  density_fixture_neighbours(&g->t, neighbours, k);
  assert_ok(sfm_schema_set_categories(g->t.schema, "sex", SEX, 2, &error), &error);
  assert_ok(sfm_schema_set_categories(g->t.schema, "ward", WARD, 3, &error), &error);
  g->t.settings.by = BY;
  g->t.settings.by_count = 2;
  g->t.settings.context.seeded = true;
  g->t.settings.context.seed = 51;
  g->columns = d + 2;
  for (size_t a = 0; a < d; a++) g->names[a] = NAMES[a];
  g->names[d] = "sex";
  g->names[d + 1] = "ward";
}

static sfm_release *release_of(const grouped *g, const double *rows, size_t count) {
  sfm_error error;
  sfm_rows *source;
  sfm_release *release;
  assert_ok(sfm_rows_from_array(&source, rows, count, g->columns, g->names, &error), &error);
  assert_ok(sfm_density_release(&release, NULL, source, &g->t.settings, &error), &error);
  sfm_rows_destroy(source);
  return release;
}

/* How far the private sums are apart, in row masses: releases with one seed have the same noise. */
static double apart(const grouped *g, const double *x, size_t nx, const double *y, size_t ny) {
  sfm_release *p = release_of(g, x, nx), *q = release_of(g, y, ny);
  assert_int_equal(p->length, q->length);
  sfmi_i128 l1 = 0;
  for (size_t i = 0; i < p->length; i++) {
    const sfmi_i128 move = (sfmi_i128)p->integers[i] - q->integers[i];
    l1 += move < 0 ? -move : move;
  }
  const double masses = (double)l1 * p->step;
  assert_true(masses <= p->sensitivity);
  sfm_release_destroy(p);
  sfm_release_destroy(q);
  return masses;
}

/* A row in another group is exactly two row masses away, wherever it and the others are; in the
 * same group and place it has not moved; in none it is one away, and two such rows are the same. */
static void a_row_that_changes_group_moves_two_masses(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 52);
  for (size_t d = 1; d <= 2; d++) {
    grouped g;
    prepare(&g, d, 0.2, SFM_NEIGHBOURS_REPLACE, 1);
    for (int round = 0; round < (d == 1 ? 6 : 2); round++) {
      double x[4 * 4], y[4 * 4];
      const size_t c = g.columns;
      for (size_t i = 0; i < 4; i++) {
        for (size_t a = 0; a < d; a++) x[i * c + a] = sfmi_prng_uniform(&prng);
        x[i * c + d] = 1 + (double)(sfmi_prng_word(&prng) % 2);
        x[i * c + d + 1] = 10 * (1 + (double)(sfmi_prng_word(&prng) % 3));
      }
      memcpy(y, x, sizeof y);
      assert_true(apart(&g, x, 4, y, 4) == 0);
      y[c + d] = 3 - x[c + d]; /* the other sex */
      assert_true(apart(&g, x, 4, y, 4) == 2);
      for (size_t a = 0; a < d; a++) y[c + a] = sfmi_prng_uniform(&prng); /* and place */
      y[c + d + 1] = x[c + d + 1] == 10 ? 30 : 10;
      assert_true(apart(&g, x, 4, y, 4) == 2);
      static const double strange[] = {NAN, INFINITY, -INFINITY, 0, 3, 1.5, -1, 1e300, 5e-324};
      for (size_t k = 0; k < sizeof strange / sizeof *strange; k++) {
        double z[4 * 4];
        memcpy(z, x, sizeof z);
        z[c + d + (k % 2)] = strange[k];
        assert_true(apart(&g, x, 4, z, 4) == 1);
        memcpy(y, x, sizeof y);
        y[c + d] = strange[(k + 1) % 9];
        assert_true(apart(&g, y, 4, z, 4) == 0);
      }
    }
    density_fixture_clear(&g.t);
  }
}

/* Nothing that one row can hold moves it by more, and searches come close. */
static void no_row_moves_more(void **state) {
  (void)state;
  static const double hostile[] = {NAN, INFINITY, -INFINITY, 1e308, -5e-324, 0,  -0.0,
                                   1,   2,        10,        20,    30,      0.5};
  enum { HOSTILE = sizeof hostile / sizeof *hostile };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 53);
  for (int add = 0; add < 2; add++) {
    grouped g;
    double most = 0;
    prepare(&g, 1, 0.1, add ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE, 1);
    for (int round = 0; round < 80; round++) {
      double x[9], y[9];
      for (size_t i = 0; i < 9; i++) x[i] = y[i] = hostile[sfmi_prng_word(&prng) % HOSTILE];
      for (size_t i = 6; i < 9; i++) {
        y[i] = hostile[sfmi_prng_word(&prng) % HOSTILE];
        if (sfmi_prng_word(&prng) % 2) y[i] = i == 6 ? sfmi_prng_uniform(&prng) : i == 7 ? 2 : 20;
      }
      const double move = apart(&g, x, 3, y, add ? 2 : 3);
      most = fmax(most, move);
    }
    assert_true(most == (add ? 1 : 2));
    density_fixture_clear(&g.t);
  }
}

static void contributions_multiply_it(void **state) {
  (void)state;
  grouped g;
  const double x[] = {0.1, 1, 10, 0.9, 2, 20, 0.4, 2, 30},
               y[] = {0.1, 2, 10, 0.9, 1, 20, 0.4, 1, 30};
  prepare(&g, 1, 0.1, SFM_NEIGHBOURS_REPLACE, 3);
  assert_true(apart(&g, x, 3, y, 3) == 6);
  density_fixture_clear(&g.t);
  prepare(&g, 1, 0.1, SFM_NEIGHBOURS_ADD_REMOVE, 3);
  assert_true(apart(&g, x, 3, y, 0) == 3);
  density_fixture_clear(&g.t);
}

/* Normal noise, under every boundary: a row that changes its group moves the lattices by at most
 * the l2 sensitivity, and somewhere by nearly as much; staying in its group it moves them no
 * further. */
static void normal_noise_covers_a_change_of_group(void **state) {
  (void)state;
  static const sfm_boundary boundaries[] = {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_REFLECT,
                                            SFM_BOUNDARY_PERIODIC};
  for (int k = 0; k < 3; k++) {
    grouped g;
    double most = 0;
    prepare(&g, 1, 0.1, SFM_NEIGHBOURS_REPLACE, 1);
    g.t.settings.delta = 1e-6;
    g.t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
    g.t.settings.boundary = &boundaries[k];
    for (int i = 0; i <= 20; i++)
      for (int change = 0; change < 2; change++) {
        const double x[] = {0.05 * i, 1, 10}, y[] = {change ? 0.05 * i : 0.5, 1 + change, 10};
        sfm_release *p = release_of(&g, x, 1), *q = release_of(&g, y, 1);
        double squares = 0;
        for (size_t j = 0; j < p->length; j++)
          squares += pow((double)(p->integers[j] - q->integers[j]) * p->step, 2);
        assert_true(sqrt(squares) <= p->sensitivity);
        if (change) most = fmax(most, sqrt(squares) / p->sensitivity);
        sfm_release_destroy(p);
        sfm_release_destroy(q);
      }
    print_message("%s: %.4f of the sensitivity\n", sfm_boundary_name(boundaries[k]), most);
    assert_true(most > 0.99);
    density_fixture_clear(&g.t);
  }
}

/* The sums of all rows are, group by group, those of the group's rows alone. */
static void groups_do_not_touch_each_other(void **state) {
  (void)state;
  enum { N = 300 };
  static double rows[3 * N], some[3 * N];
  sfm_error error;
  grouped g;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 54);
  for (size_t i = 0; i < N; i++) {
    rows[3 * i] = sfmi_prng_uniform(&prng);
    rows[3 * i + 1] = 1 + (double)(sfmi_prng_word(&prng) % 2);
    rows[3 * i + 2] = 10 + 10 * (double)(sfmi_prng_word(&prng) % 4); /* 40 is no ward */
  }
  prepare(&g, 1, 0.1, SFM_NEIGHBOURS_REPLACE, 1);
  sfmi_design_density design;
  sfmi_hardening hardening;
  assert_ok(sfmi_design_density_init(&design, &g.t.settings, N, &error), &error);
  assert_int_equal(design.groups, 6);
  assert_ok(sfmi_density_hardening(&hardening, &design, 1, &error), &error);
  const size_t length = design.lattice.length;
  sfmi_i128 *all, *one;
  sfm_rows *source;
  assert_ok(sfm_rows_from_array(&source, rows, N, 3, g.names, &error), &error);
  assert_ok(sfmi_density_integers(&all, &design, &hardening, source, &g.t.settings, &error),
            &error);
  sfm_rows_destroy(source);
  for (size_t group = 0; group < 6; group++) {
    size_t count = 0;
    for (size_t i = 0; i < N; i++)
      if (rows[3 * i + 1] == 1 + (double)(group / 3) &&
          rows[3 * i + 2] == 10 + 10 * (double)(group % 3))
        memcpy(some + 3 * count++, rows + 3 * i, 3 * sizeof *rows);
    assert_true(count > 0);
    assert_ok(sfm_rows_from_array(&source, some, count, 3, g.names, &error), &error);
    assert_ok(sfmi_density_integers(&one, &design, &hardening, source, &g.t.settings, &error),
              &error);
    assert_memory_equal(all + group * length, one + group * length, length * sizeof *all);
    sfmi_i128 sum = 0;
    for (size_t i = 0; i < 6 * length; i++) sum += one[i];
    assert_true((double)sum * hardening.step == (double)count);
    free(one);
    sfm_rows_destroy(source);
  }
  free(all);
  density_fixture_clear(&g.t);
}

/* Sizes of groups that nobody is in are noise: of the law that is stated. */
static void sizes_have_the_noise_they_state(void **state) {
  (void)state;
  enum { MANY = 90000 };
  static char texts[MANY][8];
  static const char *list[MANY], *const by[] = {"sex"}, *const names[] = {"a", "sex"};
  const double nobody[] = {0.5, -1};
  for (int kind = 0; kind < 3; kind++) {
    const bool add = kind == 1, normal = kind == 2;
    density_fixture t;
    sfm_error error;
    sfm_rows *source;
    sfm_release *release;
    pooled_variance p = {0};
    for (size_t i = 0; i < MANY; i++) {
      snprintf(texts[i], sizeof texts[i], "%zu", i);
      list[i] = texts[i];
    }
    density_fixture_init(&t, 1, 0, 1, 0.5, 1, normal ? 1e-6 : 0);
    if (normal) t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
    density_fixture_neighbours(&t, add ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE, 1);
    assert_ok(sfm_schema_set_categories(t.schema, "sex", list, MANY, &error), &error);
    t.settings.by = by;
    t.settings.by_count = 1;
    assert_ok(sfm_rows_from_array(&source, nobody, 1, 2, names, &error), &error);
    assert_ok(sfm_density_release(&release, NULL, source, &t.settings, &error), &error);
    double size, deviation = 0;
    for (size_t g = 0; g < MANY; g++) {
      sfm_release_group_size(release, &size, &deviation, g);
      pooled_variance_add(&p, size);
    }
    const double points = (double)release->function->lattice.length, b = add ? 1 : 2;
    assert_relative("stated", deviation,
                    normal ? sqrt(points) * release->scale : sqrt(2 * points) * b, 1e-6);
    pooled_variance_check(normal ? "size, normal noise"
                          : add  ? "size, add-remove"
                                 : "size, replace",
                          &p, deviation * deviation, normal ? 3 : 3 + 3 / points);
    sfm_release_group_size(release, &size, &deviation, MANY);
    assert_true(isnan(size) && isnan(deviation));
    sfm_release_destroy(release);
    sfm_rows_destroy(source);
    density_fixture_clear(&t);
  }
}

static void refused(const grouped *g, const char *words) {
  sfm_density_choice plan;
  sfm_error error;
  assert_int_equal(sfm_density_choose(&plan, &g->t.settings, 1000, &error), SFM_INVALID);
  if (!strstr(error.message, words)) fail_msg("'%s' is not in '%s'", words, error.message);
}

static void what_cannot_be_is_refused_before_anything_is_read(void **state) {
  (void)state;
  static const char *const nine[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
  static const char *const unstated[] = {"sex", "town"}, *const twice[] = {"sex", "sex"},
                           *const variable[] = {"a"}, *const latin[] = {"s\xfc"};
  grouped g;
  sfm_error error;
  prepare(&g, 1, 0.1, SFM_NEIGHBOURS_REPLACE, 1);
  g.t.settings.by = unstated;
  refused(&g, "no categories");
  g.t.settings.by = twice;
  refused(&g, "twice");
  g.t.settings.by = variable;
  g.t.settings.by_count = 1;
  refused(&g, "settings.columns");
  g.t.settings.by = latin;
  refused(&g, "UTF-8");
  g.t.settings.by = nine;
  g.t.settings.by_count = 9;
  refused(&g, "at most 8");
  g.t.settings.by = BY;
  g.t.settings.by_count = 2;
  g.t.settings.delta = 1e-6;
  g.t.settings.method = SFM_DENSITY_GP;
  refused(&g, "method lattice");
  g.t.settings.method = SFM_DENSITY_SOBOLEV;
  refused(&g, "method lattice");
  g.t.settings.method = SFM_DENSITY_AUTO;
  sfm_density_choice plan;
  assert_ok(sfm_density_choose(&plan, &g.t.settings, 1000, &error), &error);
  assert_int_equal(plan.method, SFM_DENSITY_LATTICE);
  /* 1,000 x 1,000 groups, and as many lattices as do not fit. */
  static char texts[1000][8];
  static const char *list[1000], *const both[] = {"m", "n"};
  for (size_t i = 0; i < 1000; i++) {
    snprintf(texts[i], sizeof texts[i], "%zu", i);
    list[i] = texts[i];
  }
  assert_ok(sfm_schema_set_categories(g.t.schema, "m", list, 1000, &error), &error);
  assert_ok(sfm_schema_set_categories(g.t.schema, "n", list, 1000, &error), &error);
  g.t.settings.by = both;
  refused(&g, "100000 groups");
  g.t.settings.by_count = 1;
  g.t.bandwidth[0] = 1e-5;
  refused(&g, "once a group");
  density_fixture_clear(&g.t);
}

/* The plan is for groups of the same size, and counts all of their lattices. */
static void the_plan_is_for_a_group(void **state) {
  (void)state;
  grouped g;
  sfm_error error;
  sfm_density_choice plan, alone;
  prepare(&g, 1, 0.05, SFM_NEIGHBOURS_REPLACE, 1);
  assert_ok(sfm_density_choose(&plan, &g.t.settings, 60000, &error), &error);
  g.t.settings.by_count = 0;
  assert_ok(sfm_density_choose(&alone, &g.t.settings, 10000, &error), &error);
  assert_int_equal(plan.coefficients, 6 * alone.coefficients);
  assert_int_equal(plan.order, alone.order);
  assert_relative("privacy", plan.privacy, alone.privacy, 1e-12);
  assert_relative("total", plan.total, alone.total, 1e-12);
  density_fixture_clear(&g.t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_row_that_changes_group_moves_two_masses),
      cmocka_unit_test(no_row_moves_more),
      cmocka_unit_test(contributions_multiply_it),
      cmocka_unit_test(normal_noise_covers_a_change_of_group),
      cmocka_unit_test(groups_do_not_touch_each_other),
      cmocka_unit_test(sizes_have_the_noise_they_state),
      cmocka_unit_test(what_cannot_be_is_refused_before_anything_is_read),
      cmocka_unit_test(the_plan_is_for_a_group),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
