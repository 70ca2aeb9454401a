/* test_table_cells.c - which cells rows are in: margin by margin, whatever they hold; occupied
 * cells and texts against counting one by one. */
#include "estimators/tables/table_cells.h"

#include "data/schema/category.h"
#include "estimators/tables/undeclared_cells.h"
#include "estimators/tables/occupied_cells.h"
#include "test_support.h"

/* A batch of codes of two columns, numbers of one and texts of one. */
typedef struct fake {
  sfmi_batch batch;
  double values[SFMI_BATCH_ROWS];
  uint8_t keep[SFMI_BATCH_ROWS];
  uint32_t codes[2 * SFMI_BATCH_ROWS];
  sfmi_text texts[SFMI_BATCH_ROWS];
} fake;

static fake f;

static void fake_init(size_t rows) {
  f.batch = (sfmi_batch){.rows = rows,
                         .columns = 1,
                         .values = f.values,
                         .keep = f.keep,
                         .codes = f.codes,
                         .texts = f.texts};
  memset(f.keep, 1, sizeof f.keep);
}

static const char *const SIZES[] = {"small", "large"};
static const char *const KINDS[] = {"x", "y", "z"};
static const sfmi_table_axis AXES[] = {
    {.kind = SFMI_TABLE_AXIS_CATEGORIES, .size = 2, .labels = SIZES},
    {.kind = SFMI_TABLE_AXIS_BINS, .size = 4, .lower = 0, .upper = 8},
    {.kind = SFMI_TABLE_AXIS_CATEGORIES, .size = 3, .labels = KINDS},
    {.kind = SFMI_TABLE_AXIS_TEXTS},
};

static sfmi_table_cells *make(size_t count, sfm_outside outside) {
  sfm_error error;
  sfmi_table_cells *cells;
  assert_ok(sfmi_table_cells_create(&cells, AXES, count, outside, &error), &error);
  return cells;
}

/* The bin as the definition has it, or -1. */
static int bin_of(double x, sfm_outside outside) {
  if (isnan(x)) return -1;
  if (x < 0) return outside == SFM_OUTSIDE_CLAMP ? 0 : -1;
  if (x > 8) return outside == SFM_OUTSIDE_CLAMP ? 3 : -1;
  return x == 8 ? 3 : (int)(x / 2);
}

static void fill(sfmi_prng *prng) {
  static const double odd[] = {NAN, -1, 9, 8, 0, 2, 4, 1e300, -0.0, 7.999};
  for (size_t r = 0; r < f.batch.rows; r++) {
    f.keep[r] = sfmi_prng_uniform(prng) < 0.9;
    f.codes[r] =
        sfmi_prng_uniform(prng) < 0.1 ? SFMI_NO_CATEGORY : (uint32_t)(2 * sfmi_prng_uniform(prng));
    f.codes[SFMI_BATCH_ROWS + r] =
        sfmi_prng_uniform(prng) < 0.1 ? SFMI_NO_CATEGORY : (uint32_t)(3 * sfmi_prng_uniform(prng));
    f.values[r] = sfmi_prng_uniform(prng) < 0.3 ? odd[(int)(10 * sfmi_prng_uniform(prng))]
                                                : 8 * sfmi_prng_uniform(prng);
  }
}

static void rows_count_once_in_every_margin_they_fit(void **state) {
  (void)state;
  static const uint64_t margins[] = {7, 1, 2, 4, 6, 5};
  static const size_t starts[] = {0, 24, 26, 30, 33, 45, 51};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (int round = 0; round < 20; round++) {
    const sfm_outside outside = round % 2 ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP;
    uint64_t counts[51] = {0}, wanted[51] = {0};
    sfmi_table_cells *cells = make(3, outside);
    fake_init(round == 0 ? 0 : SFMI_BATCH_ROWS - (size_t)round);
    fill(&prng);
    sfmi_table_cells_load(cells, &f.batch);
    sfmi_table_cells_count(cells, counts, margins, starts, 6);
    for (size_t r = 0; r < f.batch.rows; r++) {
      const int a = f.codes[r] == SFMI_NO_CATEGORY ? -1 : (int)f.codes[r];
      const int c =
          f.codes[SFMI_BATCH_ROWS + r] == SFMI_NO_CATEGORY ? -1 : (int)f.codes[SFMI_BATCH_ROWS + r];
      const int b = bin_of(f.values[r], outside);
      if (!f.keep[r]) continue;
      if (a >= 0 && b >= 0 && c >= 0) wanted[12 * a + 3 * b + c]++;
      if (a >= 0) wanted[24 + a]++;
      if (b >= 0) wanted[26 + b]++;
      if (c >= 0) wanted[30 + c]++;
      if (b >= 0 && c >= 0) wanted[33 + 3 * b + c]++;
      if (a >= 0 && c >= 0) wanted[45 + 3 * a + c]++;
    }
    assert_memory_equal(counts, wanted, sizeof counts);
    sfmi_table_cells_destroy(cells);
  }
}

static void tuple_is(const sfmi_table_cells *cells, size_t r, const char *wanted, size_t length) {
  static char tuple[SFMI_TUPLE_MAX];
  assert_int_equal(sfmi_table_cells_tuple(cells, tuple, r), length);
  if (length) assert_memory_equal(tuple, wanted, length);
}

static void tuples_are_texts_that_can_be_printed(void **state) {
  (void)state;
  char longest[SFMI_TEXT_MAX + 1];
  memset(longest, 'a', sizeof longest);
  static const struct {
    const char *text;
    uint32_t length;
    bool counts;
  } texts[] = {{"flu", 3, true},       {"", 0, false},           {"a\nb", 3, false},
               {"\xff\xfe", 2, false}, {"caf\xc3\xa9", 5, true}, {"\xc3", 1, false},
               {"a\0b", 3, false},     {"\x7f", 1, false},       {"\xc2\x85", 2, false},
               {"\xc2\xa0x", 3, true}, {"\x1b[2J", 4, false},    {"a,b;\"c\"", 7, true}};
  const size_t count = sizeof texts / sizeof texts[0];
  sfmi_table_cells *cells = make(4, SFM_OUTSIDE_DROP);
  fake_init(count + 3);
  for (size_t r = 0; r < f.batch.rows; r++) {
    f.values[r] = 3;
    f.codes[r] = 1;
    f.codes[SFMI_BATCH_ROWS + r] = 2;
    f.texts[r] = (sfmi_text){"flu", 3};
  }
  for (size_t r = 0; r < count; r++) f.texts[r] = (sfmi_text){texts[r].text, texts[r].length};
  f.texts[count] = (sfmi_text){longest, SFMI_TEXT_MAX};
  f.texts[count + 1] = (sfmi_text){longest, SFMI_TEXT_MAX + 1};
  f.values[count + 2] = -1;
  sfmi_table_cells_load(cells, &f.batch);
  for (size_t r = 0; r < count; r++) {
    char wanted[64];
    const int before = snprintf(wanted, sizeof wanted, "large%c2:4%cz", 0, 0) + 1;
    memcpy(wanted + before, texts[r].text, texts[r].length + 1);
    tuple_is(cells, r, wanted, texts[r].counts ? (size_t)before + texts[r].length + 1 : 0);
  }
  assert_int_equal(sfmi_table_cells_tuple(cells, (char[SFMI_TUPLE_MAX]){0}, count),
                   12 + SFMI_TEXT_MAX + 1);
  tuple_is(cells, count + 1, NULL, 0);
  tuple_is(cells, count + 2, NULL, 0);
  f.keep[0] = 0;
  tuple_is(cells, 0, NULL, 0);
  sfmi_table_cells_destroy(cells);
}

static int compare_keys(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Keys of so many bits, some more frequent than others. */
static void occupied(size_t count, int bits, size_t chunk, uint64_t seed) {
  sfm_error error;
  sfmi_prng prng;
  sfmi_occupied_cells o = {0};
  uint64_t *keys = malloc(count * sizeof *keys);
  size_t kept = 0, distinct = 0;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count; i++) {
    const double u = sfmi_prng_uniform(&prng);
    keys[i] = u < 0.05 ? SFMI_NO_CELL : (uint64_t)(ldexp(u * u, bits));
  }
  for (size_t from = 0; from < count; from += chunk)
    assert_ok(sfmi_occupied_cells_add(&o, keys + from, count - from < chunk ? count - from : chunk,
                                      &error),
              &error);
  assert_ok(sfmi_occupied_cells_finish(&o, &error), &error);
  qsort(keys, count, sizeof *keys, compare_keys);
  while (kept < count && keys[kept] != SFMI_NO_CELL) kept++;
  for (size_t i = 0; i < kept; distinct++) {
    uint64_t number = 0;
    const uint64_t key = keys[i];
    for (; i < kept && keys[i] == key; i++) number++;
    assert_true(distinct < o.count && o.keys[distinct] == key && o.counts[distinct] == number);
  }
  assert_int_equal(distinct, o.count);
  sfmi_occupied_cells_clear(&o);
  free(keys);
}

static void occupied_cells_are_those_counted_one_by_one(void **state) {
  (void)state;
  occupied(0, 10, 10, 1);
  occupied(1, 10, 10, 2);
  occupied(1000, 4, 7, 3);
  occupied(500000, 10, 4096, 4);
  occupied(300000, 62, 4096, 5);
  occupied(300000, 17, 4096, 6);
}

static void texts_are_counted_and_sorted_by_bytes(void **state) {
  (void)state;
  sfm_error error;
  sfmi_prng prng;
  sfmi_undeclared_cells l = {0};
  uint64_t total = 0;
  enum { NUMBERS = 5000, ADDED = 40000 };
  static uint64_t wanted[NUMBERS];
  sfmi_prng_init(&prng, 7);
  for (int i = 0; i < ADDED; i++) {
    char text[32];
    const int number = (int)(NUMBERS * sfmi_prng_uniform(&prng) * sfmi_prng_uniform(&prng));
    const int length = snprintf(text, sizeof text, "%d", number) + 1;
    assert_ok(sfmi_undeclared_cells_add(&l, text, (uint32_t)length, &error), &error);
    wanted[number]++;
  }
  sfmi_undeclared_cells_sort(&l);
  for (size_t e = 0; e < l.count; e++) {
    const char *text = l.bytes + l.entries[e].offset;
    assert_int_equal(l.entries[e].count, wanted[atoi(text)]);
    total += l.entries[e].count;
    if (e) assert_true(strcmp(l.bytes + l.entries[e - 1].offset, text) < 0);
  }
  assert_int_equal(total, ADDED);
  sfmi_undeclared_cells_clear(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_count_once_in_every_margin_they_fit),
      cmocka_unit_test(tuples_are_texts_that_can_be_printed),
      cmocka_unit_test(occupied_cells_are_those_counted_one_by_one),
      cmocka_unit_test(texts_are_counted_and_sorted_by_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
