/* test_arrow_charge.c - charges of rows from an Arrow stream: one that fails after the charge is
 * completed by the same request with another stream, under that charge; how frames compare ids is
 * part of what a dataset protects. */
#include "test_support.h"

#include <unistd.h>

#include "arrow_fixture.h"
#include "ledger/privacy_unit.h"
#include "sfumato/sfumato.h"

enum { ROWS = 9 };

static const char *const ids[ROWS] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
static const char *const ages[ROWS] = {"10", "20", "30", "40", "50", "60", "70", "80", "90"};
static const arrow_cells columns[] = {{"id", "l", NULL, ids}, {"age", "g", NULL, ages}};

static sfm_status count_rows(sfm_release **out, sfm_rows *rows, sfm_ledger *ledger,
                             const char *request, bool persons, sfm_error *error) {
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = request};
  sfm_count_settings settings = sfm_count_settings_default();
  sfm_schema *schema;
  assert_ok(sfm_schema_create(&schema, error), error);
  assert_ok(sfm_schema_set_neighbours(schema, SFM_NEIGHBOURS_ADD_REMOVE, error), error);
  if (persons) assert_ok(sfm_schema_set_person(schema, "id", error), error);
  settings.context.schema = schema;
  settings.context.charge = &charge;
  settings.where = "age > 45";
  settings.epsilon = 0.5;
  *out = NULL;
  const sfm_status status = sfm_count_release(out, rows, &settings, error);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return status;
}

/* One count of the table. */
static sfm_status count_stream(sfm_release **out, arrow_table *table, sfm_ledger *ledger,
                               const char *request, bool persons, sfm_error *error) {
  struct ArrowArrayStream stream = arrow_stream(table);
  sfm_rows *rows;
  assert_ok(sfm_rows_from_arrow_stream(
                &rows, &stream, persons ? SFM_ARROW_CHUNKS_KEEP : SFM_ARROW_CHUNKS_ONCE, error),
            error);
  return count_rows(out, rows, ledger, request, persons, error);
}

static sfm_dataset_status facts(sfm_ledger *ledger) {
  sfm_dataset_status status;
  sfm_error error;
  assert_ok(sfm_ledger_find(ledger, &status, "patients", &error), &error);
  return status;
}

typedef struct place {
  char folder[64], path[96];
  sfm_ledger *ledger;
} place;

static place make_ledger(void) {
  place p = {.folder = "/tmp/arrow_charge_XXXXXX"};
  sfm_dataset dataset = {.name = "patients", .epsilon = 10, .delta = 0};
  sfm_error error;
  assert_non_null(mkdtemp(p.folder));
  snprintf(p.path, sizeof p.path, "%s/l.db", p.folder);
  assert_ok(sfm_ledger_create(p.path, NULL, &dataset, &error), &error);
  assert_ok(sfm_ledger_open(&p.ledger, p.path, &error), &error);
  return p;
}

static void end_ledger(place *p) {
  char command[160];
  sfm_ledger_close(p->ledger);
  snprintf(command, sizeof command, "rm -rf %s", p->folder);
  assert_int_equal(system(command), 0);
}

static void the_same_request_completes(void **state) {
  (void)state;
  place p = make_ledger();
  sfm_error error = {0};
  sfm_release *release, *again;
  arrow_table table = {.columns = columns, .count = 2, .rows = ROWS, .chunk = 2};
  for (size_t at = 1; at <= 5; at++) {
    char request[16];
    snprintf(request, sizeof request, "r%zu", at);
    table.fails_at = at;
    table.chunk = 2;
    assert_int_equal(count_stream(&release, &table, p.ledger, request, false, &error), SFM_IO);
    assert_null(release);
    assert_null(strstr(error.message, "secret"));
    assert_int_equal(facts(p.ledger).charges, at);
    table.fails_at = 0;
    table.chunk = at;
    assert_ok(count_stream(&release, &table, p.ledger, request, false, &error), &error);
    assert_ok(count_stream(&again, &table, p.ledger, request, false, &error), &error);
    assert_int_equal(facts(p.ledger).charges, at);
    assert_true(sfm_release_coefficient(release, 0) == sfm_release_coefficient(again, 0));
    sfm_release_destroy(release);
    sfm_release_destroy(again);
  }
  assert_int_equal(arrow_live, 0);
  /* Other rows are not those of the dataset. */
  static const char *const others[ROWS] = {"10", "20", "30", "40", "50", "60", "70", "80", "91"};
  const arrow_cells changed[] = {columns[0], {"age", "u", NULL, others}};
  table.columns = changed;
  assert_int_equal(count_stream(&release, &table, p.ledger, "other", false, &error), SFM_REFUSED);
  end_ledger(&p);
}

/* A stream that fails in the middle leaves a partial as it was. */
static void a_failed_stream_adds_nothing(void **state) {
  (void)state;
  sfm_error error = {0};
  sfm_schema *schema;
  sfm_partial *partial;
  sfm_part part = sfm_part_default();
  sfm_count_settings settings = sfm_count_settings_default();
  arrow_table table = {.columns = columns, .count = 2, .rows = ROWS, .chunk = 2};
  assert_ok(sfm_schema_create(&schema, &error), &error);
  settings.context.schema = schema;
  settings.where = "age > 45";
  settings.epsilon = 0.5;
  part.rows = ROWS;
  /* The stream that is read once cannot be counted, which a partial does not ask for. */
  assert_ok(sfm_count_partial_create(&partial, &settings, &part, &error), &error);
  for (size_t at = 5; at <= 5; at--) { /* 0: it does not fail */
    struct ArrowArrayStream stream;
    sfm_rows *rows;
    void *before, *after;
    size_t size, other;
    table.fails_at = at;
    stream = arrow_stream(&table);
    assert_ok(sfm_partial_to_bytes(partial, &before, &size, &error), &error);
    assert_ok(sfm_rows_from_arrow_stream(&rows, &stream, SFM_ARROW_CHUNKS_ONCE, &error), &error);
    assert_int_equal(sfm_partial_add(partial, rows, &error), at ? SFM_IO : SFM_OK);
    assert_ok(sfm_partial_to_bytes(partial, &after, &other, &error), &error);
    assert_int_equal(size == other && memcmp(before, after, size) == 0, at > 0);
    sfm_partial_free_bytes(before, size);
    sfm_partial_free_bytes(after, other);
    sfm_rows_destroy(rows);
  }
  sfm_partial_destroy(partial);
  sfm_schema_destroy(schema);
  assert_int_equal(arrow_live, 0);
}

/* In a frame 7 and 07 are one person, in a CSV whose ids are text two. */
static void ids_are_part_of_the_unit(void **state) {
  (void)state;
  place p = make_ledger();
  sfm_error error = {0};
  sfm_release *release;
  sfm_rows *rows;
  arrow_table table = {.columns = columns, .count = 2, .rows = ROWS};
  assert_ok(count_stream(&release, &table, p.ledger, "a", true, &error), &error);
  assert_non_null(strstr(sfm_release_sentence(release), "ids compared as values"));
  assert_string_equal(facts(p.ledger).protects, "add-remove valued person id");
  sfm_release_destroy(release);
  char csv[128];
  snprintf(csv, sizeof csv, "%s/rows.csv", p.folder);
  FILE *file = fopen(csv, "w");
  fputs("id,age\n", file);
  for (size_t i = 0; i < ROWS; i++) fprintf(file, "%s,%s\n", ids[i], ages[i]);
  fclose(file);
  assert_ok(sfm_rows_open(&rows, csv, &error), &error);
  assert_int_equal(count_rows(&release, rows, p.ledger, "b", true, &error), SFM_REFUSED);
  assert_non_null(strstr(error.message, "ids as values"));
  assert_int_equal(facts(p.ledger).charges, 1);
  end_ledger(&p);
}

/* A bandwidth that is chosen privately: whichever candidate it is, the release says how ids were
 * compared. */
static void every_candidate_says_it(void **state) {
  (void)state;
  static const char *const age[] = {"age"};
  static const double candidates[] = {2, 5, 9, 14};
  bool chosen[4] = {0};
  for (uint64_t seed = 0; seed < 12; seed++) {
    sfm_error error;
    sfm_schema *schema;
    sfm_rows *rows;
    sfm_release *release = NULL;
    sfm_bandwidth_choice choice;
    arrow_table table = {.columns = columns, .count = 2, .rows = ROWS};
    struct ArrowArrayStream stream = arrow_stream(&table);
    assert_ok(sfm_schema_create(&schema, &error), &error);
    assert_ok(sfm_schema_set_bounds(schema, "age", 0, 100, &error), &error);
    assert_ok(sfm_schema_set_person(schema, "id", &error), &error);
    sfm_density_settings settings = sfm_density_settings_default();
    settings.context.schema = schema;
    settings.context.seeded = true;
    settings.context.seed = seed;
    settings.columns = age;
    settings.dimension = 1;
    settings.candidates = candidates;
    settings.candidate_count = 4;
    settings.epsilon = 1;
    assert_ok(sfm_rows_from_arrow_stream(&rows, &stream, SFM_ARROW_CHUNKS_KEEP, &error), &error);
    assert_ok(sfm_density_release(&release, NULL, rows, &settings, &error), &error);
    assert_true(sfm_release_bandwidth_choice(release, &choice));
    chosen[choice.chosen] = true;
    assert_non_null(strstr(sfm_release_sentence(release), "ids compared as values"));
    sfm_release_destroy(release);
    sfm_rows_destroy(rows);
    sfm_schema_destroy(schema);
  }
  assert_true(chosen[0] + chosen[1] + chosen[2] + chosen[3] > 1);
}

/* Texts of a condition are values, too. */
static void conditions_compare_values(void **state) {
  (void)state;
  static const char *const zips[ROWS] = {"01234", "1234", "True",  "2026-01-31T00:00:00", "NA", "x",
                                         NULL,    " x",   "1234.0"};
  static const struct {
    const char *where;
    double count;
  } cases[] = {{"zip == \"01234\"", 3}, {"zip == \"1234\"", 3},
               {"zip == \"1\"", 1},     {"zip == \"2026-01-31\"", 1},
               {"zip == \"x\"", 2},     {"zip in (\"X\", \"x\", \"FALSE\")", 2}};
  const arrow_cells column = {"zip", "u", NULL, zips};
  for (size_t i = 0; i <= sizeof cases / sizeof *cases; i++) {
    sfm_error error;
    sfm_schema *schema;
    sfm_rows *rows;
    sfm_release *release = NULL;
    arrow_table table = {.columns = &column, .count = 1, .rows = ROWS};
    struct ArrowArrayStream stream = arrow_stream(&table);
    const bool last = i == sizeof cases / sizeof *cases;
    sfm_count_settings settings = sfm_count_settings_default();
    assert_ok(sfm_schema_create(&schema, &error), &error);
    settings.context.schema = schema;
    settings.context.seeded = true;
    settings.where = last ? "zip == \"NA\"" : cases[i].where;
    settings.epsilon = 1000;
    assert_ok(sfm_rows_from_arrow_stream(&rows, &stream, SFM_ARROW_CHUNKS_KEEP, &error), &error);
    const sfm_status status = sfm_count_release(&release, rows, &settings, &error);
    assert_int_equal(status, last ? SFM_INVALID : SFM_OK);
    if (!last && sfm_release_coefficient(release, 0) != cases[i].count)
      fail_msg("%s: %g", cases[i].where, sfm_release_coefficient(release, 0));
    sfm_release_destroy(release);
    sfm_rows_destroy(rows);
    sfm_schema_destroy(schema);
  }
}

static void units_are_read_back(void **state) {
  (void)state;
  for (int neighbours = 0; neighbours < 2; neighbours++)
    for (sfmi_person_ids a = 0; a < SFMI_IDS_COUNT; a++)
      for (sfmi_person_ids b = 0; b < SFMI_IDS_COUNT; b++) {
        sfmi_privacy_unit one = {
            .neighbours = (sfm_neighbours)neighbours, .records = 1, .person = "valued ", .ids = a};
        sfmi_privacy_unit other = one, back;
        char text[SFM_PROTECTS_MAX];
        other.ids = b;
        sfmi_privacy_unit_print(text, &one);
        assert_true(sfmi_privacy_unit_read(&back, text));
        assert_true(back.ids == a && strcmp(back.person, one.person) == 0);
        assert_true(sfmi_privacy_unit_covers(&one, &other) == (a == b));
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_request_completes),   cmocka_unit_test(ids_are_part_of_the_unit),
      cmocka_unit_test(a_failed_stream_adds_nothing), cmocka_unit_test(every_candidate_says_it),
      cmocka_unit_test(conditions_compare_values),    cmocka_unit_test(units_are_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
