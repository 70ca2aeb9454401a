/* test_contributions.c - for any key, whatever the records of one person are, they move the sums by
 * at most `contributions` records, and no record of anybody else: a search among hostile
 * neighbours, through all ways of reading CSV. */
/* suite: both */
#include "test_support.h"

#include "data/batch/persons.h"
#include "data/rows/cell_columns.h"
#include "read_rows.h"

enum { CELLS = 6, LINES_MAX = 24, LINE = 48, PARTS = 3 };

/* One person, whose id is written in all these ways; and others. */
static const char *const OWN[] = {"p", " p", "p ", "\t p", "\"p\"", "\" p\"", "p\t "};
static const char *const OTHERS[] = {
    "q",   "\"q\"", "P",      "pp",        "\"p", "p\"", "\"\"\"p\"\"\"",
    "'p'", "p q",   "\"p,\"", "\xc2\xa0p", "7",   "7.0"};
static const char *const NOBODY[] = {"", "\"\"", " ", "\" \""};
static const char *const ENDS[] = {"", "\r", ",", ",\"", ",\"\"", ",p", ", "};

#define ANY(pool, prng) (pool)[sfmi_prng_word(prng) % (sizeof(pool) / sizeof *(pool))]

typedef struct lines {
  char at[LINES_MAX][LINE];
  size_t count;
} lines;

static void add_line(lines *to, const char *id, sfmi_prng *prng) {
  snprintf(to->at[to->count++], LINE, "%s,%d%s", id, (int)(sfmi_prng_word(prng) % CELLS),
           ANY(ENDS, prng));
}

/* Up to `most` lines; some twice. */
static void add_lines(lines *to, const char *const *pool, size_t pool_size, size_t most,
                      sfmi_prng *prng) {
  const size_t first = to->count, more = sfmi_prng_word(prng) % (most + 1);
  for (size_t i = 0; i < more; i++) {
    if (to->count > first && sfmi_prng_uniform(prng) < 0.4) {
      memcpy(to->at[to->count], to->at[first + sfmi_prng_word(prng) % (to->count - first)], LINE);
      to->count++;
    } else {
      add_line(to, pool[sfmi_prng_word(prng) % pool_size], prng);
    }
  }
}

/* How a file is read. */
typedef struct way {
  size_t block;
  bool cells, texts;
  size_t threads;
  uint64_t parts;
} way;

static void count_batch(int *sums, const sfmi_batch *batch) {
  for (size_t r = 0; r < batch->rows; r++)
    if (batch->keep[r] && batch->values[r] >= 0) sums[(int)batch->values[r]]++; /* not NaN */
}

/* Adds the kept records of the rows to the sums, one for each cell. */
static void sum_rows(int *sums, sfm_rows *rows, const sfm_schema *schema, const way *w) {
  static const char *const X[] = {"x"};
  const sfmi_selection selection = {schema, X, 1, SFM_OUTSIDE_CLAMP};
  const sfmi_cell_column columns[] = {{"x", SFMI_USE_NUMBER, NULL, 0},
                                      {"id", SFMI_USE_TEXT, NULL, 0}};
  const sfmi_batch *batch;
  if (w->cells)
    MUST(sfmi_rows_begin_cells(rows, schema, columns, w->texts ? 2 : 1, error));
  else
    MUST(sfmi_rows_begin(rows, &selection, error));
  do {
    MUST(sfmi_rows_next(rows, &batch, error));
    if (batch) count_batch(sums, batch);
  } while (batch);
}

static void sum_text(int sums[CELLS], const char *text, size_t length, const sfm_schema *schema,
                     const sfmi_row_keys *keys, const way *w) {
  memset(sums, 0, CELLS * sizeof *sums);
  for (uint64_t part = 0; part < w->parts; part++) {
    sfm_rows *rows;
    MUST(sfmi_rows_open_memory(&rows, text, length, w->block, error));
    sfmi_rows_set_keys(rows, keys);
    sfmi_rows_set_threads(rows, w->threads);
    sfmi_rows_set_part(rows, w->parts > 1 ? part : 0, w->parts > 1 ? w->parts : 0);
    sum_rows(sums, rows, schema, w);
    sfm_rows_destroy(rows);
  }
}

/* The lines of others, and among them those of the person, in some order. */
static size_t write_text(char *text, const lines *others, const lines *own, sfmi_prng *prng) {
  size_t order[2 * LINES_MAX], used = (size_t)sprintf(text, "id,x\n");
  const size_t count = others->count + own->count;
  for (size_t i = 0; i < count; i++) order[i] = i;
  sfmi_prng_shuffle(prng, order, count);
  for (size_t i = 0; i < count; i++)
    used += (size_t)sprintf(text + used, "%s\n",
                            order[i] < others->count ? others->at[order[i]]
                                                     : own->at[order[i] - others->count]);
  return used;
}

static int distance(const int *a, const int *b) {
  int sum = 0;
  for (size_t i = 0; i < CELLS; i++) sum += abs(a[i] - b[i]);
  return sum;
}

static way choose_way(sfmi_prng *prng) {
  const uint64_t r = sfmi_prng_word(prng);
  return (way){.block = r % 2 ? 0 : 5 + r / 2 % 40,
               .cells = r / 128 % 2,
               .texts = r / 256 % 2,
               .threads = r / 512 % 4 ? 1 : 2,
               .parts = r / 4096 % 3 ? 1 : PARTS};
}

/* The largest distances that were found: of records replaced by others, and taken away. */
typedef struct worst {
  int replaced, removed;
} worst;

static void try_neighbours(worst *w, const sfm_schema *schema, sfmi_prng *prng) {
  static char text[2 * LINES_MAX * LINE + 100];
  const lines none = {.count = 0};
  lines others = none, own = none, again = none;
  int sums[3][CELLS];
  sfmi_row_keys keys = {.ordered = false};
  for (size_t i = 0; i < sizeof keys.persons; i++) keys.persons[i] = (uint8_t)sfmi_prng_word(prng);
  add_lines(&others, OTHERS, sizeof OTHERS / sizeof *OTHERS, 16, prng);
  add_lines(&others, NOBODY, sizeof NOBODY / sizeof *NOBODY, 4, prng);
  add_lines(&own, OWN, sizeof OWN / sizeof *OWN, LINES_MAX, prng);
  add_lines(&again, OWN, sizeof OWN / sizeof *OWN, LINES_MAX, prng);
  const lines *neighbours[] = {&none, &own, &again};
  for (size_t i = 0; i < 3; i++) {
    const way how = choose_way(prng);
    const size_t length = write_text(text, &others, neighbours[i], prng);
    sum_text(sums[i], text, length, schema, &keys, &how);
    const int removed = distance(sums[i], sums[0]);
    if (removed > w->removed) w->removed = removed;
  }
  const int replaced = distance(sums[1], sums[2]);
  if (replaced > w->replaced) w->replaced = replaced;
}

static void one_person_moves_no_more_than_its_contributions(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 17);
  for (uint32_t contributions = 1; contributions <= 4; contributions++) {
    sfm_schema *schema;
    worst w = {0};
    MUST(sfm_schema_create(&schema, error));
    MUST(sfm_schema_set_bounds(schema, "x", 0, CELLS - 1, error));
    MUST(sfm_schema_set_person(schema, "id", error));
    MUST(sfm_schema_set_contributions(schema, contributions, error));
    for (size_t i = 0; i < test_repetitions(4000, 600); i++) try_neighbours(&w, schema, &prng);
    /* Reached, and never passed. */
    assert_int_equal(w.removed, contributions);
    assert_int_equal(w.replaced, 2 * contributions);
    sfm_schema_destroy(schema);
  }
}

/* ---- rows that change while they are read ---- */

enum { MANY = 10000, WIDTH = 14 };

/* Everybody has one record when ids are read.  Then all that was not read yet becomes one
 * person's. */
static void rows_that_change_move_no_more(void **state) {
  (void)state;
  static char text[10 + MANY * WIDTH];
  static const char *const X[] = {"x"};
  for (uint32_t contributions = 1; contributions <= 3; contributions++) {
    size_t used = (size_t)sprintf(text, "id,x\n"), kept = 0, rest = 0;
    sfm_schema *schema = bounded(X, 1, 0, 99999);
    MUST(sfm_schema_set_person(schema, "id", error));
    MUST(sfm_schema_set_contributions(schema, contributions, error));
    for (int i = 0; i < MANY; i++) used += (size_t)sprintf(text + used, "p%06d,%05d\n", i, i);
    const sfmi_selection selection = {schema, X, 1, SFM_OUTSIDE_CLAMP};
    const sfmi_batch *batch;
    sfm_rows *rows;
    MUST(sfmi_rows_open_memory(&rows, text, used, 4096, error));
    MUST(sfmi_rows_begin(rows, &selection, error));
    MUST(sfmi_rows_next(rows, &batch, error));
    for (int i = SFMI_BATCH_ROWS + 1000; i < MANY; i++)
      memcpy(text + 5 + (size_t)i * WIDTH, "p009999", 7);
    for (; batch; rest += batch ? batch->rows : 0) {
      for (size_t r = 0; r < batch->rows; r++)
        kept += batch->keep[r] && batch->values[r] >= SFMI_BATCH_ROWS + 1000;
      MUST(sfmi_rows_next(rows, &batch, error));
    }
    assert_int_equal(rest + SFMI_BATCH_ROWS, MANY);
    assert_true(kept <= contributions);
    sfm_rows_destroy(rows);
    sfm_schema_destroy(schema);
  }
}

static sfmi_row_hash hash_of(uint32_t low, uint32_t high) {
  return (sfmi_row_hash){{low, 1, high}};
}

static void no_more_than_the_limit_is_kept_whatever_is_asked(void **state) {
  (void)state;
  const sfmi_row_hash owner = hash_of(5, 5), stranger = hash_of(6, 6);
  for (uint32_t limit = 1; limit <= 9; limit++)
    for (uint32_t noted = 1; noted <= 12; noted++) {
      sfmi_persons *persons;
      uint32_t kept = 0;
      MUST(sfmi_persons_create(&persons, limit, error));
      for (uint32_t i = 0; i < noted; i++) {
        const sfmi_row_hash order = hash_of(i, 1000 + i % 3);
        MUST(sfmi_persons_note(persons, &owner, &order, error));
      }
      for (uint32_t i = 0; i < 100; i++) { /* all below those that were noted */
        const sfmi_row_hash order = hash_of(i, i);
        kept += sfmi_persons_keep(persons, &owner, &order);
        assert_false(sfmi_persons_keep(persons, &stranger, &order));
      }
      assert_int_equal(kept, noted < limit ? noted : limit);
      sfmi_persons_destroy(persons);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_person_moves_no_more_than_its_contributions),
      cmocka_unit_test(rows_that_change_move_no_more),
      cmocka_unit_test(no_more_than_the_limit_is_kept_whatever_is_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
