/* test_host_locale.c - whatever locale the host has set, for its process or for one thread, the
 * library says and reads the same: everything below is done under C and under locales with a
 * decimal comma, and compared byte by byte.  The Turkish one has a small I without a dot besides.
 *
 * The locales are compiled by the suite itself into a folder of its own (localedef and the sources
 * of Debian's package locales), where LOCPATH shows them to setlocale and newlocale. */
#include "density_fixture.h"

#include <ftw.h>
#include <glob.h>
#include <inttypes.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sfumato/count.h"
#include "sfumato/histogram.h"
#include "sfumato/limits.h"
#include "sfumato/optimal.h"
#include "sfumato/plan.h"
#include "sfumato/sfumato.h"

static const char *const commas[] = {"de_DE.UTF-8", "tr_TR.UTF-8"};
enum { COMMAS = sizeof commas / sizeof *commas };
static char *wanted; /* what is said under C; made by the first test */
static char place[] = "/tmp/sfumato-locale-XXXXXX";

/* ---- what is done, and told in a way that no locale changes ---- */

static void tell(FILE *out, const char *what, sfm_status status, const sfm_error *error) {
  fprintf(out, "%s: %d %s\n", what, (int)status, status ? error->message : "");
}

static void tell_bits(FILE *out, const char *what, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  fprintf(out, "%s: %016" PRIx64 "\n", what, bits);
}

static void in_place(char path[256], const char *name) {
  snprintf(path, 256, "%s/%s", place, name);
}

static void copy_file(FILE *out, const char *path) {
  FILE *in = fopen(path, "r");
  if (!in) fail_msg("cannot open %s", path);
  for (int c; (c = getc(in)) != EOF;) putc(c, out);
  fclose(in);
}

/* Sentence, summary and file, and the same once it was read back. */
static void tell_release(FILE *out, const sfm_release *release) {
  char path[256], *summary = NULL;
  sfm_error error;
  sfm_release *again = NULL;
  in_place(path, "written.sfm");
  for (int turn = 0; turn < 2; turn++) {
    const sfm_release *r = turn ? again : release;
    fprintf(out, "%s\n", sfm_release_sentence(r));
    assert_ok(sfm_release_summary(r, &summary, &error), &error);
    fprintf(out, "%s\n", summary);
    sfm_free(summary);
    for (size_t i = 0; i < sfm_release_length(r) && i < 100; i++)
      tell_bits(out, "number", sfm_release_coefficient(r, i));
    tell_bits(out, "band", sfm_release_band(r).half_width);
    assert_ok(sfm_release_write(r, path, &error), &error);
    copy_file(out, path);
    if (turn == 0) assert_ok(sfm_release_read(&again, path, &error), &error);
  }
  sfm_release_destroy(again);
}

/* Every release that 0.1 wrote, as the folder has them: to sort is up to the locale. */
static void tell_old_releases(FILE *out) {
  glob_t found;
  assert_int_equal(glob(SFM_SOURCE_DIR "/tests/vectors/0.1/*.sfm", GLOB_NOSORT, NULL, &found), 0);
  assert_true(found.gl_pathc > 50);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    sfm_error error;
    sfm_release *release = NULL;
    fprintf(out, "== %s\n", found.gl_pathv[i]);
    assert_ok(sfm_release_read(&release, found.gl_pathv[i], &error), &error);
    tell_release(out, release);
    sfm_release_destroy(release);
  }
  globfree(&found);
}

static const char SCHEMA[] =
    "{\"fields\": [{\"name\": \"age\", \"type\": \"number\", \"constraints\": {\"minimum\": 0.5,"
    " \"maximum\": 99.5}}, {\"name\": \"group\", \"type\": \"number\", \"constraints\": {\"enum\":"
    " [1.5, 2.25]}}, {\"name\": \"ill\", \"type\": \"boolean\"}]}";
/* The fourth number takes the longest way to a double. */
static const char ROWS[] = "age,group,ill\n45.5,1.5,true\n3.25e1,2.25,false\n70.125,1.5,true\n"
                           "44.50000000000000000000001e0,2.25,false\n12.5,1.5,true\n";

static sfm_schema *schema_of(void) {
  sfm_error error;
  sfm_schema *schema = NULL;
  assert_ok(sfm_schema_parse(&schema, SCHEMA, sizeof SCHEMA - 1, "schema", &error), &error);
  return schema;
}

static sfm_rows *rows_of(void) {
  char path[256];
  sfm_error error;
  sfm_rows *rows = NULL;
  in_place(path, "rows.csv");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(ROWS, file);
  fclose(file);
  assert_ok(sfm_rows_open(&rows, path, &error), &error);
  return rows;
}

static void tell_schema(FILE *out) {
  static const char *const wrong[] = {
      "{\"fields\": [{\"name\": \"a\", \"constraints\": {\"minimum\": 2.5, \"maximum\": 1.5}}]}",
      "{\"fields\": [{\"name\": \"a\", \"constraints\": {\"minimum\": 2,5}}]}"};
  sfm_schema *schema = schema_of();
  sfm_error error;
  for (size_t i = 0; i < sfm_schema_column_count(schema); i++) {
    const sfm_column *column = sfm_schema_column(schema, i);
    fprintf(out, "%s\n", column->name);
    tell_bits(out, "lower", column->lower);
    tell_bits(out, "upper", column->upper);
    for (size_t k = 0; k < column->category_count; k++)
      fprintf(out, "category %s\n", column->categories[k]);
  }
  tell(out, "bounds", sfm_schema_set_bounds(schema, "age", 1.5, 2.5, &error), &error);
  sfm_schema_destroy(schema);
  for (size_t i = 0; i < 2; i++)
    tell(out, "wrong schema",
         sfm_schema_parse(&schema, wrong[i], strlen(wrong[i]), "schema", &error), &error);
}

static void tell_counts(FILE *out, const sfm_release *mechanism) {
  static const char *const wheres[] = {"age >= 45.5",          "age >= 44.5 and group == 1.5",
                                       "group IN (1.5, 2.25)", "ill == FALSE AND TRUE",
                                       "ill == FALSE",         "NOT (age < 12.75 OR ill == TRUE)",
                                       "group == 1,5",         "group == 3.5",
                                       "age BETWEEN 1.5",      "age >= 45,5",
                                       "\xc4\xb1n == 1.5"};
  sfm_schema *schema = schema_of();
  for (size_t i = 0; i < sizeof wheres / sizeof *wheres; i++) {
    sfm_rows *rows = rows_of();
    sfm_count_settings settings = sfm_count_settings_default();
    sfm_error error;
    sfm_release *release = NULL;
    settings.context.schema = schema;
    settings.where = wheres[i];
    settings.epsilon = 0.3;
    settings.context.seeded = true;
    const sfm_status status = sfm_count_release(&release, rows, &settings, &error);
    tell(out, wheres[i], status, &error);
    if (!status) tell_release(out, release);
    sfm_release_destroy(release);
    settings.epsilon = 0;
    settings.mechanism = mechanism;
    if (i == 0) {
      assert_ok(sfm_count_release(&release, rows, &settings, &error), &error);
      tell_release(out, release);
      sfm_release_destroy(release);
    }
    sfm_rows_destroy(rows);
  }
  sfm_schema_destroy(schema);
}

/* A mechanism that was designed, and the one that was read back, which answers a count. */
static void tell_mechanism(FILE *out) {
  char path[256];
  sfm_optimal_settings settings = sfm_optimal_settings_default();
  sfm_error error;
  sfm_release *designed = NULL, *mechanism = NULL;
  in_place(path, "mechanism.sfm");
  settings.n = 5;
  settings.epsilon = 0.35;
  assert_ok(sfm_optimal_design(&designed, &settings, &error), &error);
  tell_release(out, designed);
  assert_ok(sfm_release_write(designed, path, &error), &error);
  assert_ok(sfm_release_read(&mechanism, path, &error), &error);
  tell_counts(out, mechanism);
  sfm_release_destroy(mechanism);
  sfm_release_destroy(designed);
}

static void tell_table(FILE *out) {
  static const char *const texts[] = {"45.5", "45,5", "1.5", "0.5:25.25", "2.25", "4.5e1"};
  const sfm_histogram_column columns[] = {{"age", 4}, {"group", 0}};
  sfm_histogram_settings settings = sfm_histogram_settings_default();
  sfm_schema *schema = schema_of();
  sfm_rows *rows = rows_of();
  sfm_error error;
  sfm_release *release = NULL;
  settings.context.schema = schema;
  settings.columns = columns;
  settings.count = 2;
  settings.epsilon = 0.7;
  settings.context.seeded = true;
  assert_ok(sfm_histogram_release(&release, rows, &settings, &error), &error);
  tell_release(out, release);
  assert_int_equal(sfm_table_code(release, 0, "45.5"), 1);
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
      fprintf(out, "code %s: %" PRIu32 "\n", texts[k], sfm_table_code(release, i, texts[k]));
  for (uint32_t k = 0; k < 4; k++) {
    char label[96];
    sfm_table_label(release, label, sizeof label, 0, k);
    fprintf(out, "bin %s\n", label);
  }
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

static void tell_plan(FILE *out, const sfm_density_settings *settings) {
  sfm_plan *plan = NULL;
  sfm_error error;
  assert_ok(sfm_plan_density(&plan, settings, 5000, &error), &error);
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    fprintf(out, "%s %s\n", entry->method, entry->absent ? entry->absent : "");
    for (size_t k = 0; k < entry->parameter_count; k++)
      if (entry->parameters[k].text) fprintf(out, "%s\n", entry->parameters[k].text);
    tell_bits(out, "total", entry->predicted.total);
  }
  sfm_plan_destroy(plan);
}

static void tell_density(FILE *out) {
  static const char *const shapes[] = {"normal:40.5:12.25", "uniform+normal:0.5:.25",
                                       "normal:40,5:12,25"};
  density_fixture t;
  double values[500];
  sfm_error error;
  density_fixture_rows(values, 500, 1, 0.5, 99.5, 3);
  for (size_t i = 0; i < 3; i++) {
    sfm_shape *shape = NULL;
    density_fixture_init(&t, 1, 0.5, 99.5, 2.5, 0.9, 0);
    tell(out, shapes[i], sfm_shape_parse(&shape, shapes[i], 1, &error), &error);
    t.settings.shape = shape;
    t.settings.context.seeded = true;
    if (shape) {
      tell_plan(out, &t.settings);
      sfm_release *release = density_fixture_release(&t, values, 500);
      tell_release(out, release);
      sfm_release_destroy(release);
    }
    sfm_shape_destroy(shape);
    density_fixture_clear(&t);
  }
}

static bool tell_entry(void *context, const sfm_ledger_entry *entry) {
  fprintf(context, "%s %s %s %s %s %s %s\n", entry->kind, entry->parameters, entry->guarantee,
          entry->amount, entry->amount_delta, entry->spent, entry->spent_delta);
  return true;
}

/* Charges of decimals, the same request with another epsilon, and one that is too large. */
static void tell_ledger(FILE *out) {
  static const struct {
    const char *request;
    double epsilon;
  } charges[] = {{"a", 0.3}, {"b", 0.125}, {"a", 0.35}, {"a", 0.3}, {"c", 1.0625}};
  const sfm_dataset dataset = {"clinic", 1.25, 0, SFM_ACCOUNTING_BASIC};
  sfm_ledger *ledger = NULL;
  sfm_dataset_status state;
  sfm_schema *schema = schema_of();
  sfm_error error;
  char path[256];
  in_place(path, "ledger.db");
  unlink(path);
  assert_ok(sfm_ledger_create(path, NULL, &dataset, &error), &error);
  assert_ok(sfm_ledger_open(&ledger, path, &error), &error);
  for (size_t i = 0; i < sizeof charges / sizeof *charges; i++) {
    const sfm_charge charge = {
        .ledger = ledger, .dataset = "clinic", .request = charges[i].request};
    sfm_count_settings settings = sfm_count_settings_default();
    sfm_rows *rows = rows_of();
    sfm_release *release = NULL;
    settings.context.schema = schema;
    settings.where = "age >= 45.5";
    settings.epsilon = charges[i].epsilon;
    settings.context.charge = &charge;
    const sfm_status status = sfm_count_release(&release, rows, &settings, &error);
    tell(out, charges[i].request, status, &error);
    if (release) fprintf(out, "%s\n", sfm_release_sentence(release));
    sfm_release_destroy(release);
    sfm_rows_destroy(rows);
  }
  assert_ok(sfm_ledger_find(ledger, &state, "clinic", &error), &error);
  fprintf(out, "%s %s %s\n", state.total.epsilon, state.spent.epsilon, state.left.epsilon);
  assert_ok(sfm_ledger_history(ledger, NULL, tell_entry, out, &error), &error);
  sfm_ledger_close(ledger);
  sfm_schema_destroy(schema);
}

static void tell_limits(FILE *out) {
  static const uint64_t sizes[] = {2, 3};
  sfm_limits_settings settings = sfm_limits_settings_default();
  sfm_limits limits;
  sfm_error error;
  sfm_ratio ratio;
  settings.n = 20;
  settings.epsilon = 0.35;
  settings.cells = 100;
  settings.occupied = 10;
  settings.sizes = sizes;
  settings.columns = 2;
  sfm_status (*const all[])(sfm_limits *, const sfm_limits_settings *, sfm_error *) = {
      sfm_limits_count, sfm_limits_histogram, sfm_limits_sparse, sfm_limits_margins};
  for (size_t k = 0; k < 4; k++) {
    assert_ok(all[k](&limits, &settings, &error), &error);
    for (size_t i = 0; i < limits.count; i++) fprintf(out, "%s\n", limits.at[i].why);
  }
  tell(out, "ratio", sfm_ratio_parse(&ratio, "0.125", &error), &error);
  fprintf(out, "%" PRIu64 "/%" PRIu64 "\n", ratio.numerator, ratio.denominator);
}

static void tell_mistakes(FILE *out) {
  density_fixture t;
  sfm_error error;
  sfm_release *release = NULL;
  sfm_density_choice plan;
  tell(out, "no file", sfm_release_read(&release, "/none/such.sfm", &error), &error);
  density_fixture_init(&t, 1, 0.5, 99.5, 2.5, 0.9, 0);
  t.settings.epsilon = -0.5;
  tell(out, "epsilon", sfm_density_choose(&plan, &t.settings, 10, &error), &error);
  t.settings.epsilon = 0.5;
  t.settings.delta = 1.5;
  tell(out, "delta", sfm_density_choose(&plan, &t.settings, 10, &error), &error);
  density_fixture_clear(&t);
}

/* Free with free. */
static char *everything(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  tell_schema(out);
  tell_mechanism(out);
  tell_table(out);
  tell_density(out);
  tell_ledger(out);
  tell_limits(out);
  tell_mistakes(out);
  tell_old_releases(out);
  fclose(out);
  return text;
}

/* ---- the locales ---- */

static int make_locales(void **state) {
  (void)state;
  if (!mkdtemp(place)) return -1;
  for (size_t i = 0; i < COMMAS; i++) {
    char command[512];
    snprintf(command, sizeof command, "localedef --no-archive -i %.5s -f UTF-8 %s/%s", commas[i],
             place, commas[i]);
    if (system(command) != 0) {
      print_error("localedef cannot make %s: install the package locales (tools/setup)\n",
                  commas[i]);
      return -1;
    }
  }
  return setenv("LOCPATH", place, 1);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
  (void)status;
  (void)kind;
  (void)walk;
  return remove(path);
}

static int remove_locales(void **state) {
  (void)state;
  setlocale(LC_ALL, "C");
  return nftw(place, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The locale is in force, and has a comma: else the tests below would say nothing. */
static void check_comma(void) {
  char text[16];
  snprintf(text, sizeof text, "%.1f", 1.5);
  assert_string_equal(text, "1,5");
}

/* Says where they part; a transcript is too long to print. */
static void check_same(const char *locale, const char *got) {
  size_t i = 0;
  while (got[i] && got[i] == wanted[i]) i++;
  if (got[i] == wanted[i]) return;
  i = i > 60 ? i - 60 : 0;
  fail_msg("%s: ...%.120s... where C has ...%.120s...", locale, got + i, wanted + i);
}

static void test_process(void **state) {
  (void)state;
  wanted = everything();
  assert_non_null(strstr(wanted, "epsilon = 0.3"));
  for (size_t i = 0; i < COMMAS; i++) {
    assert_non_null(setlocale(LC_ALL, commas[i]));
    check_comma();
    char *got = everything();
    check_comma();
    setlocale(LC_ALL, "C");
    check_same(commas[i], got);
    free(got);
  }
}

/* uselocale: the locale of a thread, which no setlocale shows. */
static void test_thread(void **state) {
  (void)state;
  assert_non_null(wanted);
  for (size_t i = 0; i < COMMAS; i++) {
    assert_non_null(setlocale(LC_ALL, commas[i]));
    const locale_t own = duplocale(LC_GLOBAL_LOCALE); /* glibc's newlocale leaks LOCPATH */
    assert_true(own != (locale_t)0);
    setlocale(LC_ALL, "C");
    uselocale(own);
    check_comma();
    char *got = everything();
    assert_true(uselocale(LC_GLOBAL_LOCALE) == own);
    freelocale(own);
    check_same(commas[i], got);
    free(got);
  }
  free(wanted);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_process),
      cmocka_unit_test(test_thread),
  };
  return cmocka_run_group_tests(tests, make_locales, remove_locales);
}
