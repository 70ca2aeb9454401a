/* test_histogram_counts.c - how far one person moves the counts, searched over all small databases;
 * a sparse table against the law of a dense one; what a threshold lets through. */
/* suite: release */
#include "mechanisms/statistics/histogram_counts.h"

#include "random/sampler_checks.h"
#include "table_fixture.h"

/* --- Sensitivity. --- */

/* What a record may hold: two columns of two categories and two bins, or neither. */
enum { KINDS = 9, RECORDS_MAX = 4, CELLS_MAX = 16 };
static const char *const HELD[KINDS] = {"A,1", "A,6", "B,1", "B,6", "?,1", "B,x", "A,", "?,", ",9"};

typedef struct database {
  int64_t counts[CELLS_MAX];
} database;

/* All databases of so many records, kind by kind; ids is one letter a record. */
static database *all_databases(const table_fixture *t, size_t records, const char *ids,
                               size_t *number, size_t *cells) {
  *number = 1;
  for (size_t r = 0; r < records; r++) *number *= KINDS;
  database *all = calloc(*number, sizeof *all);
  for (size_t d = 0; d < *number; d++) {
    char csv[200] = "id,a,b\n";
    size_t rest = d, used = strlen(csv);
    for (size_t r = 0; r < records; r++, rest /= KINDS)
      used +=
          (size_t)snprintf(csv + used, sizeof csv - used, "%c,%s\n", ids[r], HELD[rest % KINDS]);
    sfmi_design_table table_design;
    sfmi_histogram_counts cell_counts;
    table_fixture_read(t, &table_design, &cell_counts, csv);
    *cells = cell_counts.length;
    assert_true(*cells <= CELLS_MAX);
    for (size_t i = 0; i < *cells; i++) all[d].counts[i] = (int64_t)cell_counts.counts[i];
    sfmi_histogram_counts_clear(&cell_counts);
    sfmi_design_table_clear(&table_design);
  }
  return all;
}

/* Whether two databases are the same in all records but those of `who`. */
static bool others_agree(size_t one, size_t two, size_t records, const char *ids, const char *who) {
  for (size_t r = 0; r < records; r++, one /= KINDS, two /= KINDS)
    if (!strchr(who, ids[r]) && one % KINDS != two % KINDS) return false;
  return true;
}

/* The largest distances between databases that differ in records of `who`. */
static void search(const table_fixture *t, size_t records, const char *ids, const char *who,
                   double *l1, double *l2) {
  size_t number, cells;
  database *all = all_databases(t, records, ids, &number, &cells);
  *l1 = *l2 = 0;
  for (size_t one = 0; one < number; one++)
    for (size_t two = 0; two < one; two++) {
      double sum = 0, square = 0;
      if (!others_agree(one, two, records, ids, who)) continue;
      for (size_t i = 0; i < cells; i++) {
        const double change = (double)(all[one].counts[i] - all[two].counts[i]);
        sum += fabs(change);
        square += change * change;
      }
      *l1 = fmax(*l1, sum);
      *l2 = fmax(*l2, sqrt(square));
    }
  free(all);
}

static double claimed(table_fixture *t, sfm_histogram_noise noise) {
  sfm_error error;
  sfmi_design_table table_design;
  t->settings.noise = noise;
  t->settings.delta = noise == SFM_HISTOGRAM_NOISE_NORMAL ? 1e-6 : 0;
  assert_ok(sfmi_design_table_init(&table_design, &t->settings, &error), &error);
  const double sensitivity = table_design.sensitivity;
  sfmi_design_table_clear(&table_design);
  t->settings.noise = SFM_HISTOGRAM_NOISE_LAPLACE;
  t->settings.delta = 0;
  return sensitivity;
}

static void reaches(table_fixture *t, size_t records, const char *ids, const char *who) {
  double l1, l2;
  search(t, records, ids, who, &l1, &l2);
  assert_near("l1", l1, claimed(t, SFM_HISTOGRAM_NOISE_LAPLACE), 0);
  assert_relative("l2", l2, claimed(t, SFM_HISTOGRAM_NOISE_NORMAL), 1e-12);
  assert_true(l2 <= claimed(t, SFM_HISTOGRAM_NOISE_NORMAL));
}

static const uint64_t MARGINS[] = {3, 1, 2};

static void setup(table_fixture *t, size_t margins) {
  table_fixture_init(t, 1);
  table_fixture_categories(t, "a", 2);
  table_fixture_bins(t, "b", 2, 0, 8);
  t->settings.outside = SFM_OUTSIDE_DROP;
  t->settings.noise = SFM_HISTOGRAM_NOISE_LAPLACE;
  t->settings.margins = margins ? MARGINS : NULL;
  t->settings.margin_count = margins;
}

static void replaced_records_move_as_much_as_is_claimed(void **state) {
  (void)state;
  for (size_t margins = 0; margins <= 3; margins++) {
    table_fixture t;
    setup(&t, margins);
    reaches(&t, 2, "pq", "p");
    table_fixture_clear(&t);
    setup(&t, margins);
    table_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 2, NULL);
    reaches(&t, 3, "ppq", "p");
    table_fixture_clear(&t);
  }
}

/* Of three records of a person two count. */
static void a_persons_records_move_as_much_as_is_claimed(void **state) {
  (void)state;
  for (size_t margins = 0; margins <= 3; margins += 3) {
    table_fixture t;
    setup(&t, margins);
    table_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 2, "id");
    reaches(&t, 3, "ppp", "p");
    reaches(&t, 3, "pqp", "p");
    table_fixture_clear(&t);
  }
}

/* A record that is not there is one that counts nowhere. */
static void added_records_move_as_much_as_is_claimed(void **state) {
  (void)state;
  for (size_t margins = 0; margins <= 3; margins++)
    for (uint32_t k = 1; k <= 2; k++) {
      table_fixture t;
      size_t number, cells;
      double l1 = 0, square = 0;
      setup(&t, margins);
      table_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, k, NULL);
      database *more = all_databases(&t, k, "pp", &number, &cells);
      for (size_t d = 0; d < number; d++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < cells; i++) {
          sum += (double)more[d].counts[i];
          squares += (double)(more[d].counts[i] * more[d].counts[i]);
        }
        l1 = fmax(l1, sum);
        square = fmax(square, squares);
      }
      assert_near("l1", l1, claimed(&t, SFM_HISTOGRAM_NOISE_LAPLACE), 0);
      assert_relative("l2", sqrt(square), claimed(&t, SFM_HISTOGRAM_NOISE_NORMAL), 1e-12);
      free(more);
      table_fixture_clear(&t);
    }
}

/* --- Sparse against dense. --- */

static sfmi_hardener *noise_of(sfm_ratio scale, uint64_t seed) {
  sfm_error error;
  sfmi_hardener *hardener;
  const sfmi_noise_law law = {.law = SFM_NOISE_LAW_DISCRETE_LAPLACE, .scale = scale};
  assert_ok(sfmi_hardener_create(&hardener, &law, (sfmi_seed){true, seed}, &error), &error);
  return hardener;
}

/* A cell is not listed, or it is tau + 1, + 2, + 3 or more: 5 states a cell. */
enum { SMALL = 4, STATES = 5, OUTCOMES = 625, TAU = 3 };
static const uint64_t COUNTS[SMALL] = {0, 2, 0, 5};

static size_t state_of(int64_t value) {
  return value <= TAU ? 0 : value - TAU > 3 ? 4 : (size_t)(value - TAU);
}

/* The masses of all outcomes when cells above `tau` are listed, of which TAU is the true one. */
static void outcome_law(double *masses, double scale, int tau) {
  for (size_t outcome = 0; outcome < OUTCOMES; outcome++) {
    size_t rest = outcome;
    masses[outcome] = 1;
    for (size_t i = 0; i < SMALL; i++, rest /= STATES) {
      const double c = (double)COUNTS[i];
      double law[STATES] = {0};
      for (int y = -60; y <= 120; y++)
        law[y <= tau ? 0 : state_of(y)] += table_fixture_mass(scale, y - c);
      masses[outcome] *= law[rest % STATES];
    }
  }
}

/* Outcomes of lists, or of dense tables whose small cells are left out. */
static void draw_outcomes(uint64_t *seen, size_t draws, bool dense) {
  static const uint64_t keys[] = {1, 3}, counts[] = {2, 5};
  sfmi_hardener *hardener = noise_of((sfm_ratio){2, 1}, dense);
  memset(seen, 0, OUTCOMES * sizeof *seen);
  for (size_t d = 0; d < draws; d++) {
    sfm_error error;
    int64_t values[SMALL] = {0};
    sfmi_cell_list list = {0};
    size_t outcome = 0;
    if (dense)
      sfmi_histogram_noise_dense(hardener, values, COUNTS, SMALL, false, 0);
    else
      assert_ok(sfmi_histogram_noise_sparse(hardener, &list, keys, counts, 2, SMALL, TAU, &error),
                &error);
    for (size_t e = 0; e < list.count; e++) {
      assert_true(list.keys[e] < SMALL && list.values[e] > TAU);
      assert_true(e == 0 || list.keys[e - 1] < list.keys[e]);
      values[list.keys[e]] = list.values[e];
    }
    for (size_t i = SMALL; i-- > 0;) outcome = outcome * STATES + state_of(values[i]);
    seen[outcome]++;
    sfmi_cell_list_clear(&list);
  }
  sfmi_hardener_destroy(hardener);
}

static void a_sparse_table_has_the_law_of_a_dense_one(void **state) {
  (void)state;
  const size_t draws = test_long() ? 4000000 : 60000;
  uint64_t seen[OUTCOMES];
  double masses[OUTCOMES];
  for (int dense = 0; dense < 2; dense++) {
    draw_outcomes(seen, draws, dense);
    outcome_law(masses, 2, TAU);
    assert_true(chi_square(seen, masses, OUTCOMES, draws) <= 1);
    outcome_law(masses, 2.2, TAU); /* another scale, or another threshold, is told apart */
    assert_true(chi_square(seen, masses, OUTCOMES, draws) > 1);
    outcome_law(masses, 2, TAU + 1);
    assert_true(chi_square(seen, masses, OUTCOMES, draws) > 1);
  }
}

/* 2^40 cells of which a few hundred are occupied: how many others are listed, where and with what
 * values.  A binomial of so many trials is a Poisson variable. */
static void empty_cells_of_a_large_table_pass_as_they_should(void **state) {
  (void)state;
  enum { OCCUPIED = 300, PLACES = 64, VALUES = 40, NUMBERS = 60, DRAWS = 600 };
  const uint64_t size = UINT64_C(1) << 40;
  const double scale = 3;
  const int64_t tau = (int64_t)(scale * log((double)size / 20));
  const double mean = (double)size * table_fixture_tail(scale, (double)tau), r = exp(-1 / scale);
  static uint64_t keys[OCCUPIED], counts[OCCUPIED];
  uint64_t where[PLACES] = {0}, what[VALUES] = {0}, numbers[NUMBERS] = {0}, passed = 0;
  double even[PLACES], tails[VALUES], poisson[NUMBERS];
  for (size_t i = 0; i < OCCUPIED; i++) {
    keys[i] = i < 100 ? i : i < 200 ? size - 300 + i : (uint64_t)i * (size / 400);
    counts[i] = 1000; /* certainly listed */
  }
  for (size_t i = 1; i < OCCUPIED; i++) /* in order: those in the middle come before the end */
    for (size_t j = i; j > 0 && keys[j] < keys[j - 1]; j--) {
      const uint64_t swapped = keys[j];
      keys[j] = keys[j - 1];
      keys[j - 1] = swapped;
    }
  sfmi_hardener *hardener = noise_of((sfm_ratio){3, 1}, 11);
  for (size_t d = 0; d < DRAWS; d++) {
    sfm_error error;
    sfmi_cell_list list;
    assert_ok(
        sfmi_histogram_noise_sparse(hardener, &list, keys, counts, OCCUPIED, size, tau, &error),
        &error);
    const size_t others = list.count - OCCUPIED;
    size_t o = 0;
    for (size_t e = 0; e < list.count; e++) {
      assert_true(list.keys[e] < size && (e == 0 || list.keys[e - 1] < list.keys[e]));
      if (o < OCCUPIED && list.keys[e] == keys[o]) {
        o++;
        continue;
      }
      const int64_t beyond = list.values[e] - tau - 1;
      assert_true(beyond >= 0);
      where[list.keys[e] / (size / PLACES)]++;
      if (beyond < VALUES) what[beyond]++;
      passed++;
    }
    assert_int_equal(o, OCCUPIED);
    if (others < NUMBERS) numbers[others]++;
    sfmi_cell_list_clear(&list);
  }
  sfmi_hardener_destroy(hardener);
  for (size_t i = 0; i < PLACES; i++) even[i] = 1.0 / PLACES;
  for (size_t i = 0; i < VALUES; i++) tails[i] = (1 - r) * pow(r, (double)i);
  for (size_t i = 0; i < NUMBERS; i++)
    poisson[i] = exp((double)i * log(mean) - mean - lgamma((double)i + 1));
  assert_true(chi_square(where, even, PLACES, passed) <= 1);
  assert_true(chi_square(what, tails, VALUES, passed) <= 1);
  assert_true(chi_square(numbers, poisson, NUMBERS, DRAWS) <= 1);
  for (size_t i = 0; i < NUMBERS; i++)
    poisson[i] = exp((double)i * log(1.15 * mean) - 1.15 * mean - lgamma((double)i + 1));
  assert_true(chi_square(numbers, poisson, NUMBERS, DRAWS) > 1);
}

static void tables_full_empty_and_of_one_cell_have_an_answer(void **state) {
  (void)state;
  static const uint64_t keys[] = {0, 1, 2}, counts[] = {100, 100, 100};
  sfm_error error;
  sfmi_cell_list list;
  sfmi_hardener *hardener = noise_of((sfm_ratio){1, 1}, 3);
  assert_ok(sfmi_histogram_noise_sparse(hardener, &list, keys, counts, 3, 3, 5, &error), &error);
  assert_int_equal(list.count, 3);
  sfmi_cell_list_clear(&list);
  assert_ok(sfmi_histogram_noise_sparse(hardener, &list, keys, counts, 0, 1, 60, &error), &error);
  assert_int_equal(list.count, 0);
  sfmi_cell_list_clear(&list);
  assert_ok(
      sfmi_histogram_noise_sparse(hardener, &list, keys, counts, 0, UINT64_C(1) << 62, 60, &error),
      &error);
  sfmi_cell_list_clear(&list);
  assert_ok(sfmi_histogram_noise_undeclared(hardener, &list, counts, 0, 60, &error), &error);
  assert_int_equal(list.count, 0);
  sfmi_cell_list_clear(&list);
  sfmi_hardener_destroy(hardener);
}

/* Noise of so small a scale is zero but once in e^(2^20): what equals tau is not listed. */
static void equality_is_not_above(void **state) {
  (void)state;
  static const uint64_t keys[] = {2, 5, 7, 8}, counts[] = {4, 3, 5, 4};
  sfm_error error;
  sfmi_cell_list list;
  sfmi_hardener *hardener = noise_of((sfm_ratio){1, 1 << 20}, 5);
  assert_ok(sfmi_histogram_noise_sparse(hardener, &list, keys, counts, 4, 1000, 4, &error), &error);
  assert_int_equal(list.count, 1);
  assert_int_equal(list.keys[0], 7);
  assert_int_equal(list.values[0], 5);
  sfmi_cell_list_clear(&list);
  assert_ok(sfmi_histogram_noise_undeclared(hardener, &list, counts, 4, 3, &error), &error);
  assert_int_equal(list.count, 3);
  assert_int_equal(list.keys[0], 0);
  assert_int_equal(list.keys[1], 2);
  assert_int_equal(list.keys[2], 3);
  sfmi_cell_list_clear(&list);
  sfmi_hardener_destroy(hardener);
}

/* At most so many, and all that are left are above a threshold that the others do not pass. */
static void a_list_too_long_gets_a_higher_threshold(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (size_t count = 0; count < 60; count++)
    for (size_t most = 1; most < 60; most += 3) {
      sfm_error error;
      uint64_t keys[60];
      int64_t values[60], tau = 2;
      size_t above = 0;
      for (size_t i = 0; i < count; i++) {
        keys[i] = 3 * i;
        values[i] = 3 + (int64_t)(10 * sfmi_prng_uniform(&prng));
      }
      sfmi_cell_list list = {malloc(sizeof keys), malloc(sizeof values), count};
      memcpy(list.keys, keys, sizeof keys);
      memcpy(list.values, values, sizeof values);
      assert_ok(sfmi_cell_list_cap(&list, &tau, most, NULL, 0, &error), &error);
      assert_true(list.count <= most && tau >= 2);
      for (size_t i = 0; i < count; i++) {
        if (values[i] <= tau) continue;
        assert_true(list.keys[above] == keys[i] && list.values[above] == values[i]);
        above++;
      }
      assert_int_equal(above, list.count);
      if (count <= most) assert_true(tau == 2 && above == count);
      if (count > most) { /* no lower threshold would do */
        size_t reach = 0;
        for (size_t i = 0; i < count; i++) reach += values[i] >= tau;
        assert_true(reach > most);
      }
      sfmi_cell_list_clear(&list);
    }
}

/* The same where entries are of different sizes and must fit together. */
static void a_list_too_large_gets_a_higher_threshold(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  for (size_t count = 0; count < 60; count++)
    for (uint64_t room = 0; room < 500; room += 7) {
      sfm_error error;
      uint64_t keys[60] = {0}, sizes[60] = {0}, above = 0, reach = 0, all = 0;
      int64_t values[60] = {0}, tau = 2;
      size_t kept = 0;
      for (size_t i = 0; i < count; i++) {
        keys[i] = 3 * i;
        values[i] = 3 + (int64_t)(30 * sfmi_prng_uniform(&prng));
        sizes[i] = 1 + (uint64_t)(20 * sfmi_prng_uniform(&prng));
        all += sizes[i];
      }
      sfmi_cell_list list = {malloc(sizeof keys), malloc(sizeof values), count};
      memcpy(list.keys, keys, sizeof keys);
      memcpy(list.values, values, sizeof values);
      assert_ok(sfmi_cell_list_cap(&list, &tau, 60, sizes, room, &error), &error);
      for (size_t i = 0; i < count; i++) {
        reach += values[i] >= tau ? sizes[i] : 0;
        if (values[i] <= tau) continue;
        above += sizes[i];
        assert_true(list.keys[kept] == keys[i] && list.values[kept] == values[i]);
        kept++;
      }
      assert_true(kept == list.count && above <= room);
      if (all <= room)
        assert_true(tau == 2 && kept == count);
      else
        assert_true(reach > room); /* no lower threshold would do */
      sfmi_cell_list_clear(&list);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(replaced_records_move_as_much_as_is_claimed),
      cmocka_unit_test(a_persons_records_move_as_much_as_is_claimed),
      cmocka_unit_test(added_records_move_as_much_as_is_claimed),
      cmocka_unit_test(a_sparse_table_has_the_law_of_a_dense_one),
      cmocka_unit_test(empty_cells_of_a_large_table_pass_as_they_should),
      cmocka_unit_test(tables_full_empty_and_of_one_cell_have_an_answer),
      cmocka_unit_test(equality_is_not_above),
      cmocka_unit_test(a_list_too_long_gets_a_higher_threshold),
      cmocka_unit_test(a_list_too_large_gets_a_higher_threshold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
