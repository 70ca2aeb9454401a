/* test_partial_charge.c - a release from parts is charged once, to the dataset whose key the parts
 * were made with: its fingerprint is that of all rows, in whatever order and parts they were read.
 */
/* suite: both */
#include "test_support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "data/partial/partial.h"
#include "data/rows/rows_open.h"
#include "sfumato/partial.h"
#include "sfumato/release.h"

enum { ROWS = 40, PARTS = 4 };

static sfm_error error;
static const char *const X[] = {"x"};
static const double BANDWIDTH[] = {0.2};

typedef struct place {
  char folder[64], path[96];
  sfm_ledger *ledger;
  sfm_key *key, *other;
  sfm_schema *schema;
  sfm_charge charge;
} place;

static void add_dataset(const place *p, const char *name, sfm_accounting accounting) {
  const sfm_dataset dataset = {
      .name = name, .epsilon = 100, .delta = 1e-3, .accounting = accounting};
  assert_ok(sfm_ledger_create(p->path, NULL, &dataset, &error), &error);
}

static int setup(void **state) {
  place *p = calloc(1, sizeof *p);
  strcpy(p->folder, "/tmp/partial_charge_XXXXXX");
  assert_non_null(mkdtemp(p->folder));
  snprintf(p->path, sizeof p->path, "%s/l.db", p->folder);
  add_dataset(p, "rows", SFM_ACCOUNTING_BASIC);
  add_dataset(p, "others", SFM_ACCOUNTING_BASIC);
  add_dataset(p, "squares", SFM_ACCOUNTING_ZCDP);
  assert_ok(sfm_ledger_open(&p->ledger, p->path, &error), &error);
  assert_ok(sfm_ledger_key(&p->key, p->ledger, "rows", &error), &error);
  assert_ok(sfm_ledger_key(&p->other, p->ledger, "others", &error), &error);
  assert_ok(sfm_schema_create(&p->schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(p->schema, "x", 0, 1, &error), &error);
  p->charge = (sfm_charge){.ledger = p->ledger, .dataset = "rows"};
  *state = p;
  return 0;
}

static int teardown(void **state) {
  place *p = *state;
  sfm_ledger_close(p->ledger);
  sfm_key_destroy(p->key);
  sfm_key_destroy(p->other);
  sfm_schema_destroy(p->schema);
  char words[128];
  snprintf(words, sizeof words, "rm -r %s", p->folder);
  assert_int_equal(system(words), 0);
  free(p);
  return 0;
}

static sfm_density_settings settings_of(const place *p) {
  sfm_density_settings settings = sfm_density_settings_default();
  settings.context.schema = p->schema;
  settings.columns = X;
  settings.dimension = 1;
  settings.bandwidth = BANDWIDTH;
  settings.epsilon = 1;
  return settings;
}

/* Lines of which every second person has three; `changed` has another value. */
static size_t write_rows(char *text, size_t part, size_t of, size_t shift, size_t changed) {
  char *at = text + sprintf(text, "id,x\n");
  for (size_t i = 0; i < ROWS; i++) {
    const size_t line = (i * 3 + shift) % ROWS;
    if (line % of == part)
      at += sprintf(at, "p%zu,0.%02zu\n", line % 4 ? line % 10 : line, line + (line == changed));
  }
  return (size_t)(at - text);
}

static sfm_rows *rows_of(char *text, size_t part, size_t of, size_t shift, size_t changed) {
  sfm_rows *rows;
  const size_t length = write_rows(text, part, of, shift, changed);
  assert_ok(sfmi_rows_open_memory(&rows, text, length, 0, &error), &error);
  return rows;
}

/* All parts, merged; with persons each of all rows. */
static sfm_partial *merged(const sfm_density_settings *settings, const sfm_key *key, bool persons,
                           size_t changed) {
  static char text[ROWS * 16];
  sfm_partial *all = NULL;
  for (size_t i = PARTS; i-- > 0;) {
    sfm_part part = sfm_part_default();
    sfm_partial *one;
    part.number = i + 1;
    part.of = PARTS;
    part.rows =
        sfm_schema_neighbours(settings->context.schema) == SFM_NEIGHBOURS_REPLACE ? ROWS : 0;
    part.key = key;
    assert_ok(sfm_density_partial_create(&one, settings, &part, &error), &error);
    sfm_rows *rows =
        persons ? rows_of(text, 0, 1, i, changed) : rows_of(text, i, PARTS, i, changed);
    assert_ok(sfm_partial_add(one, rows, &error), &error);
    sfm_rows_destroy(rows);
    if (all) {
      assert_ok(sfm_partial_merge(all, one, &error), &error);
      sfm_partial_destroy(one);
    } else {
      all = one;
    }
  }
  return all;
}

static sfm_status release_rows(sfm_release **out, const place *p, sfm_rows *rows,
                               const char *request) {
  sfm_density_settings settings = settings_of(p);
  sfm_charge charge = p->charge;
  charge.request = request;
  settings.context.charge = &charge;
  *out = NULL;
  return sfm_density_release(out, NULL, rows, &settings, &error);
}

static sfm_status release_parts(sfm_release **out, const place *p, const sfm_partial *partial,
                                const char *request) {
  sfm_rows *rows;
  assert_ok(sfm_rows_from_partial(&rows, partial, &error), &error);
  const sfm_status status = release_rows(out, p, rows, request);
  sfm_rows_destroy(rows);
  return status;
}

static uint64_t charges(const place *p, const char *dataset) {
  sfm_dataset_status status;
  assert_ok(sfm_ledger_find(p->ledger, &status, dataset, &error), &error);
  return status.charges;
}

static void refuses(sfm_status status, sfm_status wanted, const char *words) {
  if (status != wanted || !strstr(error.message, words))
    fail_msg("%d, not %d: %s (%s)", (int)status, (int)wanted, error.message, words);
}

/* Parts and rows have one fingerprint; rows that differ in one record have another. */
static void check_binding(place *p, bool persons) {
  static char text[ROWS * 16];
  const sfm_density_settings settings = settings_of(p);
  sfm_partial *partial = merged(&settings, p->key, persons, ROWS),
              *changed = merged(&settings, p->key, persons, 17);
  sfm_release *first, *again, *whole;
  assert_ok(release_parts(&first, p, partial, "a"), &error);
  assert_ok(release_parts(&again, p, partial, "a"), &error); /* the stored answer */
  assert_int_equal(charges(p, "rows"), 1);
  assert_true(sfm_release_coefficient(first, 0) == sfm_release_coefficient(again, 0));
  for (size_t shift = 0; shift < 3; shift++) { /* the same rows in any order */
    char request[8] = {(char)('b' + shift)};
    sfm_rows *rows = rows_of(text, 0, 1, 7 * shift, ROWS);
    assert_ok(release_rows(&whole, p, rows, request), &error);
    sfm_rows_destroy(rows);
    sfm_release_destroy(whole);
  }
  refuses(release_parts(&whole, p, changed, "z"), SFM_REFUSED, "not those of the dataset 'rows'");
  sfm_rows *rows = rows_of(text, 0, 1, 0, 3);
  refuses(release_rows(&whole, p, rows, "y"), SFM_REFUSED, "not those of the dataset 'rows'");
  sfm_rows_destroy(rows);
  assert_int_equal(charges(p, "rows"), 6); /* the two refused ones stand */
  sfm_release_destroy(first);
  sfm_release_destroy(again);
  sfm_partial_destroy(partial);
  sfm_partial_destroy(changed);
}

static void parts_are_bound_as_rows_are(void **state) {
  check_binding(*state, false);
}

static void parts_of_persons_are_bound_as_rows_are(void **state) {
  place *p = *state;
  assert_ok(sfm_schema_set_person(p->schema, "id", &error), &error);
  assert_ok(sfm_schema_set_contributions(p->schema, 2, &error), &error);
  assert_ok(sfm_schema_set_neighbours(p->schema, SFM_NEIGHBOURS_ADD_REMOVE, &error), &error);
  check_binding(p, true);
}

/* What is wrong is found before the charge. */
static void nothing_wrong_is_charged(void **state) {
  place *p = *state;
  const sfm_density_settings settings = settings_of(p);
  sfm_partial *bare = merged(&settings, NULL, false, ROWS),
              *foreign = merged(&settings, p->other, false, ROWS);
  sfm_part part = sfm_part_default();
  sfm_partial *third;
  sfm_release *release;
  part.number = 3;
  part.of = 7;
  part.rows = ROWS;
  part.key = p->key;
  assert_ok(sfm_density_partial_create(&third, &settings, &part, &error), &error);
  refuses(release_parts(&release, p, bare, "a"), SFM_INVALID, "without a key");
  refuses(release_parts(&release, p, foreign, "a"), SFM_INVALID, "another dataset");
  refuses(release_parts(&release, p, third, "a"), SFM_INVALID, "part 1/7 is missing");
  refuses(sfm_partial_merge(bare, foreign, &error), SFM_INVALID, "different keys");
  p->charge.dataset = "others";
  assert_ok(release_parts(&release, p, foreign, "a"), &error);
  sfm_release_destroy(release);
  assert_int_equal(charges(p, "rows"), 0);
  assert_int_equal(charges(p, "others"), 1);
  sfm_partial_destroy(bare);
  sfm_partial_destroy(foreign);
  sfm_partial_destroy(third);
}

/* Where squares add up, auto means normal noise with a delta; parts know it by their key. */
static void the_key_knows_the_accounting(void **state) {
  place *p = *state;
  sfm_density_settings settings = settings_of(p);
  sfm_key *key;
  sfm_rows *rows;
  sfm_release *release;
  sfm_charge charge = p->charge;
  assert_ok(sfm_ledger_key(&key, p->ledger, "squares", &error), &error);
  settings.delta = 1e-6;
  sfm_partial *partial = merged(&settings, key, false, ROWS);
  assert_non_null(strstr(sfm_partial_settings(partial), "rounded-normal"));
  charge.dataset = "squares";
  settings.context.charge = &charge;
  assert_ok(sfm_rows_from_partial(&rows, partial, &error), &error);
  assert_ok(sfm_density_release(&release, NULL, rows, &settings, &error), &error);
  assert_int_equal(charges(p, "squares"), 1);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
  sfm_partial_destroy(partial);
  sfm_key_destroy(key);
}

/* Parts that another process made: through files, which nobody else can read. */
static void files_are_private(void **state) {
  place *p = *state;
  const sfm_density_settings settings = settings_of(p);
  sfm_partial *partial = merged(&settings, p->key, false, ROWS), *back;
  struct stat facts;
  sfm_release *release;
  char path[128];
  snprintf(path, sizeof path, "%s/all.sfp", p->folder);
  assert_ok(sfm_partial_write(partial, path, &error), &error);
  assert_int_equal(stat(path, &facts), 0);
  assert_int_equal(facts.st_mode & 0777, 0600);
  refuses(sfm_partial_write(partial, path, &error), SFM_INVALID, "all.sfp");
  assert_ok(sfm_partial_read(&back, path, &error), &error);
  assert_ok(release_parts(&release, p, back, "a"), &error);
  sfm_release_destroy(release);
  sfm_partial_destroy(partial);
  sfm_partial_destroy(back);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(parts_are_bound_as_rows_are), TEST(parts_of_persons_are_bound_as_rows_are),
      TEST(nothing_wrong_is_charged),    TEST(the_key_knows_the_accounting),
      TEST(files_are_private),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
