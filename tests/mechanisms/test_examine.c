/* test_examine.c - rows that are examined give what the release at hand would read of them, and
 * nothing is released or charged. */
/* suite: both */
#include <unistd.h>

#include "test_support.h"

#include "sfumato/sfumato.h"

static const char table[] = "age,sex,id\n"
                            "34,F,a\n"
                            "51,m,b\n"
                            "\"12,5\",M,c\n"
                            ",M,d\n"
                            "130,F,a\n"
                            "-4,M,e\n"
                            "40,M,\n";

static void write_table(char path[32]) {
  strcpy(path, "/tmp/examined.XXXXXX");
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, table, sizeof table - 1), sizeof table - 1);
  close(descriptor);
}

static sfm_schema *facts(bool person) {
  static const char *const sexes[] = {"F", "M"};
  sfm_schema *schema = NULL;
  sfm_error error;
  assert_ok(sfm_schema_create(&schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(schema, "age", 0, 100, &error), &error);
  assert_ok(sfm_schema_set_categories(schema, "sex", sexes, 2, &error), &error);
  if (person) assert_ok(sfm_schema_set_person(schema, "id", &error), &error);
  return schema;
}

/* The report of a density of age, by sex or not. */
static sfm_rows_report *examine(sfm_outside outside, bool by, bool person) {
  static const char *const columns[] = {"age"}, *const groups[] = {"sex"};
  const double bandwidth[] = {5};
  char path[32];
  sfm_schema *schema = facts(person);
  sfm_rows *rows = NULL;
  sfm_rows_report *report = NULL;
  sfm_release *release = NULL;
  sfm_error error;
  sfm_density_settings s = sfm_density_settings_default();
  s.context.schema = schema;
  s.columns = columns;
  s.dimension = 1;
  s.bandwidth = bandwidth;
  s.epsilon = 1;
  s.outside = outside;
  s.by = groups;
  s.by_count = by;
  write_table(path);
  assert_ok(sfm_rows_open(&rows, path, &error), &error);
  sfm_rows_examine(rows, &report);
  assert_int_equal(sfm_density_release(&release, NULL, rows, &s, &error), SFM_STOPPED);
  assert_null(release);
  assert_non_null(report);
  /* and once they are no longer examined they are released */
  sfm_rows_examine(rows, NULL);
  assert_ok(sfm_density_release(&release, NULL, rows, &s, &error), &error);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  unlink(path);
  return report;
}

static void a_release_reads_its_columns_and_no_others(void **state) {
  (void)state;
  sfm_rows_report *r = examine(SFM_OUTSIDE_CLAMP, false, false);
  assert_int_equal(r->records, 7);
  assert_int_equal(r->column_count, 1);
  assert_string_equal(r->columns[0].name, "age");
  assert_int_equal(r->columns[0].below, 1);
  assert_int_equal(r->columns[0].above, 1);
  assert_int_equal(r->columns[0].unreadable, 1);
  assert_int_equal(r->columns[0].empty, 1);
  assert_int_equal(r->zero_rows, 2);
  assert_int_equal(sfm_rows_report_clamped(r), 2);
  assert_near("share", sfm_rows_report_share(r), 4 / 7.0, 1e-15);
  assert_string_equal(sfm_rows_report_example(r, 0, SFM_CELL_FAULT_UNREADABLE, 0), "12,5");
  assert_null(sfm_rows_report_example(r, 0, SFM_CELL_FAULT_UNREADABLE, 1));
  assert_string_equal(sfm_rows_report_example(r, 0, SFM_CELL_FAULT_BEYOND, 0), "130");
  assert_string_equal(sfm_rows_report_example(r, 0, SFM_CELL_FAULT_BEYOND, 1), "-4");
  assert_null(sfm_rows_report_example(r, 1, SFM_CELL_FAULT_BEYOND, 0));
  sfm_rows_report_destroy(r);
}

static void settings_decide_what_is_ignored(void **state) {
  (void)state;
  sfm_rows_report *r = examine(SFM_OUTSIDE_DROP, true, false);
  assert_int_equal(r->column_count, 2);
  assert_int_equal(r->columns[1].undeclared, 1);
  assert_string_equal(sfm_rows_report_example(r, 1, SFM_CELL_FAULT_UNDECLARED, 0), "m");
  assert_int_equal(r->zero_rows, 5);
  assert_int_equal(sfm_rows_report_clamped(r), 0);
  sfm_rows_report_destroy(r);
  r = examine(SFM_OUTSIDE_CLAMP, false, true); /* a second record of a; none of nobody */
  assert_int_equal(r->persons, 5);
  assert_int_equal(r->persons_over, 1);
  assert_int_equal(r->unidentified, 1);
  assert_int_equal(r->zero_rows, 4);
  assert_int_equal(sfm_rows_report_clamped(r), 1);
  assert_near("share", sfm_rows_report_share(r), 4 / 7.0, 1e-15); /* a's second record fits */
  sfm_rows_report_destroy(r);
}

/* Cells that are numbers, and columns of a table: by bins and by categories. */
static void matrices_are_examined_too(void **state) {
  (void)state;
  const double values[] = {34, 0, 51, 1, NAN, 1, 130, 2};
  static const char *const names[] = {"age", "kind"}, *const kinds[] = {"0", "1"};
  const sfm_histogram_column columns[] = {{"age", 10}, {"kind", 0}};
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  sfm_rows_report *report = NULL;
  sfm_release *release = NULL;
  sfm_error error;
  assert_ok(sfm_schema_create(&schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(schema, "age", 0, 100, &error), &error);
  assert_ok(sfm_schema_set_categories(schema, "kind", kinds, 2, &error), &error);
  sfm_histogram_settings s = sfm_histogram_settings_default();
  s.context.schema = schema;
  s.columns = columns;
  s.count = 2;
  s.epsilon = 1;
  assert_ok(sfm_rows_from_array(&rows, values, 4, 2, names, &error), &error);
  sfm_rows_examine(rows, &report);
  assert_int_equal(sfm_histogram_release(&release, rows, &s, &error), SFM_STOPPED);
  assert_int_equal(report->records, 4);
  assert_int_equal(report->columns[0].above, 1);
  assert_int_equal(report->columns[0].unreadable, 1);
  assert_int_equal(report->columns[1].undeclared, 1);
  assert_int_equal(report->zero_rows, 2);
  sfm_rows_report_destroy(report);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

/* An examined release takes nothing from a ledger. */
static void nothing_is_charged(void **state) {
  (void)state;
  static const char *const columns[] = {"age"};
  const double bandwidth[] = {5};
  char path[32], folder[] = "/tmp/examined-ledger.XXXXXX", file[64];
  sfm_schema *schema = facts(false);
  sfm_rows *rows = NULL;
  sfm_rows_report *report = NULL;
  sfm_release *release = NULL;
  sfm_ledger *ledger = NULL;
  sfm_dataset_status status;
  sfm_error error;
  assert_non_null(mkdtemp(folder));
  snprintf(file, sizeof file, "%s/l.db", folder);
  const sfm_dataset dataset = {.name = "d", .epsilon = 3};
  assert_ok(sfm_ledger_create(file, NULL, &dataset, &error), &error);
  assert_ok(sfm_ledger_open(&ledger, file, &error), &error);
  const sfm_charge charge = {.ledger = ledger, .dataset = "d"};
  sfm_density_settings s = sfm_density_settings_default();
  s.context.schema = schema;
  s.context.charge = &charge;
  s.columns = columns;
  s.dimension = 1;
  s.bandwidth = bandwidth;
  s.epsilon = 1;
  write_table(path);
  assert_ok(sfm_rows_open(&rows, path, &error), &error);
  sfm_rows_examine(rows, &report);
  assert_int_equal(sfm_density_release(&release, NULL, rows, &s, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "examined"));
  assert_null(report);
  assert_ok(sfm_ledger_find(ledger, &status, "d", &error), &error);
  assert_int_equal(status.charges, 0);
  sfm_ledger_close(ledger);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  unlink(path);
  unlink(file);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_release_reads_its_columns_and_no_others),
      cmocka_unit_test(settings_decide_what_is_ignored),
      cmocka_unit_test(matrices_are_examined_too),
      cmocka_unit_test(nothing_is_charged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
