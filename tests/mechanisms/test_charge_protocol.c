/* test_charge_protocol.c - the order of events around a charge: what is refused before it costs
 * nothing, what fails after it leaves it standing, and what was read is what the dataset is. */
/* suite: both */
#include <sys/stat.h>
#include <unistd.h>

#include "data/rows/rows_open.h"
#include "mechanisms/core/charge_protocol.h"
#include "ledger_fixture.h"
#include "sfumato/vector.h"
#include "density_fixture.h"
#include "row_keys_fixture.h"

static char folder[64], path[128], rows_path[128];

static void write_file(const char *name, const char *text, size_t length) {
  FILE *file = fopen(name, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static int setup(void **state) {
  (void)state;
  sfm_error error;
  const sfm_dataset dataset = {"patients", 3, 0, SFM_ACCOUNTING_BASIC};
  snprintf(folder, sizeof folder, "/tmp/sfumato-billing-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/clinic.db", folder);
  snprintf(rows_path, sizeof rows_path, "%s/rows.csv", folder);
  return sfm_ledger_create(path, NULL, &dataset, &error) ? 1 : 0;
}

static int teardown(void **state) {
  (void)state;
  char command[160];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

/* A public guess that releases are planned with, if any; and whether their bandwidth is chosen. */
static const char *guess;
static bool free_bandwidth;

/* A stored answer is handed out as it was stored. */
static void expect_text(const sfm_release *release, const char *file) {
  sfm_error error;
  char *text, *wanted = calloc(1 << 20, 1);
  size_t length;
  FILE *stream = fopen(file, "rb");
  assert_true(stream && wanted);
  const size_t count = fread(wanted, 1, (1 << 20) - 1, stream);
  fclose(stream);
  assert_ok(sfm_release_text(release, &text, &length, &error), &error);
  assert_int_equal(length, count);
  assert_memory_equal(text, wanted, count + 1);
  sfm_free(text);
  free(wanted);
}

/* The density of column a (and b) of the file of rows, charged epsilon under a request. */
static sfm_status release(sfm_release **out, const char *request, size_t dimension, double epsilon,
                          const char *output, sfm_error *error) {
  density_fixture t;
  sfm_rows *rows = NULL;
  sfm_shape *shape = NULL;
  sfm_charge charge = {.dataset = "patients", .request = request};
  *out = NULL;
  density_fixture_init(&t, dimension, 0, 10, 2, epsilon, 0);
  assert_ok(sfm_ledger_open(&charge.ledger, path, error), error);
  if (guess) assert_ok(sfm_shape_parse(&shape, guess, dimension, error), error);
  if (free_bandwidth) t.settings.bandwidth = NULL;
  t.settings.shape = shape;
  t.settings.context.charge = &charge;
  sfm_status status = sfm_rows_open(&rows, rows_path, error);
  if (!status) status = sfm_density_release(out, NULL, rows, &t.settings, error);
  if (!status && output) status = sfm_release_write(*out, output, error);
  if (!status && output) expect_text(*out, output);
  sfm_rows_destroy(rows);
  sfm_ledger_close(charge.ledger);
  sfm_shape_destroy(shape);
  density_fixture_clear(&t);
  return status;
}

static void released(const char *request, size_t dimension, double epsilon, const char *output) {
  sfm_error error;
  sfm_release *r;
  assert_ok(release(&r, request, dimension, epsilon, output, &error), &error);
  sfm_release_destroy(r);
}

static const char rows_text[] = "a,b\n1,2\n3,4\n5,6\n";

static void test_other_rows_are_caught_and_the_charge_stands(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *r;
  /* one cell; one more row; one row less; one twice and another not */
  static const char *const others[] = {"a,b\n1,2\n3,4\n5,7\n", "a,b\n1,2\n3,4\n5,6\n\n",
                                       "a,b\n1,2\n3,4\n", "a,b\n3,4\n3,4\n5,6\n"};
  static const char another_order[] = "a,b\n5,6\n1,2\n3,4\n";
  write_file(rows_path, rows_text, strlen(rows_text));
  released("first", 1, 0.5, NULL);
  for (size_t i = 0; i < 4; i++) {
    char id[16];
    snprintf(id, sizeof id, "other%zu", i);
    write_file(rows_path, others[i], strlen(others[i]));
    assert_int_equal(release(&r, id, 1, 0.5, NULL, &error), SFM_REFUSED);
    assert_null(r);
  }
  expect_spent(path, "patients", "2.5");
  /* The charged request completes with the right rows, in any order, and other columns of them are
   * the same rows. */
  write_file(rows_path, rows_text, strlen(rows_text));
  released("other0", 1, 0.5, NULL);
  write_file(rows_path, another_order, strlen(another_order));
  released("other1", 1, 0.5, NULL);
  expect_spent(path, "patients", "2.5");
  released("both", 2, 0.5, NULL);
  expect_spent(path, "patients", "3");
}

static void test_packed_rows_are_the_same_rows(void **state) {
  (void)state;
  char command[400];
  write_file(rows_path, rows_text, strlen(rows_text));
  released("plain", 1, 1, NULL);
  snprintf(command, sizeof command, "gzip %s && mv %s.gz %s", rows_path, rows_path, rows_path);
  assert_int_equal(system(command), 0);
  released("packed", 1, 1, NULL);
}

static void test_a_repeat_is_the_same_file(void **state) {
  (void)state;
  char one[160], two[160], command[400];
  snprintf(one, sizeof one, "%s/one.sfm", folder);
  snprintf(two, sizeof two, "%s/two.sfm", folder);
  write_file(rows_path, rows_text, strlen(rows_text));
  released("a", 1, 1, one);
  /* Even with other rows: they are not read. */
  write_file(rows_path, "a,b\n9,9\n9,9\n", 12);
  released("a", 1, 1, two);
  snprintf(command, sizeof command, "cmp %s %s", one, two);
  assert_int_equal(system(command), 0);
  expect_spent(path, "patients", "1");
}

static void test_a_guess_is_part_of_a_request(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *r;
  write_file(rows_path, rows_text, strlen(rows_text));
  guess = "normal:5:2";
  released("a", 1, 1, NULL);
  released("a", 1, 1, NULL);
  guess = "uniform";
  assert_int_equal(release(&r, "a", 1, 1, NULL, &error), SFM_REFUSED);
  guess = NULL;
  assert_int_equal(release(&r, "a", 1, 1, NULL, &error), SFM_REFUSED);
  /* A guess that does not fit is refused before the charge. */
  guess = "normal:50:2";
  assert_int_equal(release(&r, "b", 1, 1, NULL, &error), SFM_INVALID);
  guess = NULL;
  expect_spent(path, "patients", "1");
}

static void test_a_bandwidth_to_be_chosen_is_remembered_as_such(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *r;
  char one[160], two[160], command[400];
  snprintf(one, sizeof one, "%s/one.sfm", folder);
  snprintf(two, sizeof two, "%s/two.sfm", folder);
  write_file(rows_path, rows_text, strlen(rows_text));
  free_bandwidth = true;
  released("a", 1, 1, one);
  /* Of other rows, and another number of them: they are not read. */
  write_file(rows_path, "a,b\n9,9\n9,9\n", 12);
  released("a", 1, 1, two);
  snprintf(command, sizeof command, "cmp %s %s", one, two);
  assert_int_equal(system(command), 0);
  free_bandwidth = false;
  assert_int_equal(release(&r, "a", 1, 1, NULL, &error), SFM_REFUSED);
  expect_spent(path, "patients", "1");
}

static void test_what_is_wrong_beforehand_costs_nothing(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *r;
  write_file(rows_path, "b,c\n1,2\n", 8);
  assert_int_equal(release(&r, "a", 1, 1, NULL, &error), SFM_INVALID); /* no column a */
  write_file(rows_path, rows_text, strlen(rows_text));
  assert_int_equal(release(&r, "a", 1, 1e9, NULL, &error), SFM_INVALID);
  assert_int_equal(release(&r, "a", 1, 3.5, NULL, &error), SFM_REFUSED);
  assert_non_null(strstr(error.message, "3.5"));
  expect_spent(path, "patients", "0");
}

/* A gzip file that breaks off after its header: the charge stands, the repeat completes. */
static void test_rows_that_break_off_leave_the_charge(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *r;
  density_fixture t;
  sfm_rows *rows;
  sfm_charge charge = {.dataset = "patients", .request = "a"};
  char command[400];
  FILE *file = fopen(rows_path, "w");
  assert_non_null(file);
  fputs("a\n", file);
  for (int i = 0; i < 200000; i++) fprintf(file, "%d.%d\n", i % 10, i * 7919 % 1000);
  fclose(file);
  snprintf(command, sizeof command, "gzip -k %s && truncate -s -5000 %s.gz", rows_path, rows_path);
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command, "%s.gz", rows_path);
  density_fixture_init(&t, 1, 0, 10, 2, 1, 0);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1); /* nothing is counted beforehand */
  assert_ok(sfm_ledger_open(&charge.ledger, path, &error), &error);
  t.settings.context.charge = &charge;
  assert_ok(sfm_rows_open(&rows, command, &error), &error);
  assert_int_equal(sfm_density_release(&r, NULL, rows, &t.settings, &error), SFM_IO);
  assert_non_null(strstr(error.message, "cut short. The charge stands"));
  assert_non_null(strstr(error.message, "charge.request = a"));
  sfm_rows_destroy(rows);
  expect_spent(path, "patients", "1");
  assert_ok(sfm_rows_open(&rows, rows_path, &error), &error);
  assert_ok(sfm_density_release(&r, NULL, rows, &t.settings, &error), &error);
  sfm_rows_destroy(rows);
  sfm_release_destroy(r);
  sfm_ledger_close(charge.ledger);
  density_fixture_clear(&t);
  expect_spent(path, "patients", "1");
}

/* Where squares add up a pure epsilon costs many times what normal noise does at a delta, so auto
 * does not choose it behind the owner's back. */
static void test_auto_means_normal_noise_where_squares_add_up(void **state) {
  (void)state;
  sfm_error error;
  const sfm_dataset squares = {"squares", 3, 1e-6, SFM_ACCOUNTING_GDP},
                    sums = {"sums", 3, 1e-6, SFM_ACCOUNTING_BASIC};
  assert_ok(sfm_ledger_create(path, NULL, &squares, &error), &error);
  assert_ok(sfm_ledger_create(path, NULL, &sums, &error), &error);
  write_file(rows_path, rows_text, strlen(rows_text));
  static const char *const names[] = {"sums", "squares", "squares", "squares", "squares"};
  static const sfm_boundary ring[] = {SFM_BOUNDARY_PERIODIC};
  for (int i = 0; i < 5; i++) {
    const sfm_guarantee_kind kinds[] = {SFM_GUARANTEE_PURE, SFM_GUARANTEE_GDP, SFM_GUARANTEE_GDP,
                                        SFM_GUARANTEE_GDP, SFM_GUARANTEE_PURE};
    density_fixture t;
    sfm_rows *rows;
    sfm_release *r;
    sfm_charge charge = {.dataset = names[i]};
    density_fixture_init(&t, 1, 0, 10, 2, 0.1, 1e-6);
    if (i == 2) t.settings.boundary = ring; /* which no gp has */
    if (i == 3) t.settings.method = SFM_DENSITY_LATTICE;
    if (i == 4) t.settings.noise = SFM_DENSITY_NOISE_LAPLACE;
    assert_ok(sfm_ledger_open(&charge.ledger, path, &error), &error);
    t.settings.context.charge = &charge;
    assert_ok(sfm_rows_open(&rows, rows_path, &error), &error);
    assert_ok(sfm_density_release(&r, NULL, rows, &t.settings, &error), &error);
    assert_int_equal(sfm_release_guarantee(r).kind, kinds[i]);
    if (i > 1) assert_string_equal(sfm_release_method(r), "lattice");
    sfm_release_destroy(r);
    sfm_rows_destroy(rows);
    sfm_ledger_close(charge.ledger);
    density_fixture_clear(&t);
  }
}

typedef struct order {
  int told, read, read_after_told;
} order;

static void tell(void *context, const sfm_receipt *receipt) {
  order *o = context;
  assert_true(receipt->charged);
  o->told++;
}

static sfm_status read_theta(void *context, double *theta, size_t length, sfm_error *error) {
  order *o = context;
  (void)error;
  o->read++;
  o->read_after_told = o->told;
  expect_spent(path, "patients", "1"); /* durable by now, as another reader of the file sees it */
  for (size_t i = 0; i < length; i++) theta[i] = 0;
  return SFM_OK;
}

static void test_a_vector_is_read_after_its_charge(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *r;
  order o = {0};
  sfm_charge charge = {.dataset = "patients", .told = tell, .data = &o};
  sfm_vector_settings settings = sfm_vector_settings_default();
  assert_ok(sfm_ledger_open(&charge.ledger, path, &error), &error);
  settings.epsilon = 1;
  settings.norm = SFM_VECTOR_NORM_L1;
  settings.sensitivity = 1;
  settings.context.charge = &charge;
  settings.read = read_theta;
  settings.read_data = &o;
  assert_ok(sfm_vector_release(&r, NULL, 5, &settings, &error), &error);
  assert_int_equal(o.told, 1);
  assert_int_equal(o.read, 1);
  assert_int_equal(o.read_after_told, 1);
  /* A fresh id was made. */
  assert_int_equal(strlen(sfm_release_request(r)), 20);
  sfm_release_destroy(r);
  settings.sensitivity = -1;
  assert_int_equal(sfm_vector_release(&r, NULL, 5, &settings, &error), SFM_INVALID);
  assert_int_equal(o.told, 1);
  sfm_ledger_close(charge.ledger);
}

/* The fingerprint is a keyed function of the records alone. */
static void test_fingerprints_need_their_key(void **state) {
  (void)state;
  sfm_error error;
  uint8_t prints[3][SFMI_DIGEST_BYTES], key[SFMI_DIGEST_BYTES] = {0};
  density_fixture t;
  density_fixture_init(&t, 1, 0, 10, 2, 1, 0);
  const sfmi_selection selection = {t.schema, density_fixture_columns, 1, SFM_OUTSIDE_CLAMP};
  for (int i = 0; i < 3; i++) {
    sfm_rows *rows;
    const sfmi_batch *batch;
    key[0] = i == 2;
    assert_ok(sfmi_rows_open_memory(&rows, rows_text, strlen(rows_text), i ? 7 : 0, &error),
              &error);
    set_keys(rows, key, false);
    assert_ok(sfmi_rows_begin(rows, &selection, &error), &error);
    do assert_ok(sfmi_rows_next(rows, &batch, &error), &error);
    while (batch);
    sfmi_rows_fingerprint(rows, prints[i]);
    sfm_rows_destroy(rows);
  }
  assert_memory_equal(prints[0], prints[1], SFMI_DIGEST_BYTES);
  assert_memory_not_equal(prints[0], prints[2], SFMI_DIGEST_BYTES);
  density_fixture_clear(&t);
}

/* The same bytes cut into records in another way are other rows: one number of two is not a record
 * of two. */
static void test_fingerprints_tell_records_apart(void **state) {
  (void)state;
  sfm_error error;
  uint8_t prints[2][SFMI_DIGEST_BYTES], key[SFMI_DIGEST_BYTES] = {0};
  const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  density_fixture t;
  density_fixture_init(&t, 1, 0, 10, 2, 1, 0);
  const sfmi_selection selection = {t.schema, density_fixture_columns, 1, SFM_OUTSIDE_CLAMP};
  for (size_t i = 0; i < 2; i++) {
    const char *const names[] = {density_fixture_columns[0], "other"};
    sfm_rows *rows;
    const sfmi_batch *batch;
    assert_ok(sfm_rows_from_array(&rows, values, 8 / (i + 1), i + 1, names, &error), &error);
    set_keys(rows, key, false);
    assert_ok(sfmi_rows_begin(rows, &selection, &error), &error);
    do assert_ok(sfmi_rows_next(rows, &batch, &error), &error);
    while (batch);
    sfmi_rows_fingerprint(rows, prints[i]);
    sfm_rows_destroy(rows);
  }
  assert_memory_not_equal(prints[0], prints[1], SFMI_DIGEST_BYTES);
  density_fixture_clear(&t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* From the beginning, so that a sum can be compared with them before the charge, to the end. */
static void test_keys_are_there_before_the_charge(void **state) {
  (void)state;
  sfm_error error;
  sfmi_protocol protocol;
  sfm_charge charge = {.dataset = "patients"};
  assert_ok(sfmi_protocol_begin(&protocol, NULL, false, NULL, &error), &error);
  assert_null(sfmi_protocol_keys(&protocol));
  assert_ok(sfmi_protocol_end(&protocol, SFM_OK, &error), &error);
  assert_ok(sfm_ledger_open(&charge.ledger, path, &error), &error);
  assert_ok(sfmi_protocol_begin(&protocol, &charge, false, NULL, &error), &error);
  const sfmi_row_keys *keys = sfmi_protocol_keys(&protocol), none = {0};
  assert_non_null(keys);
  assert_false(keys->ordered);
  assert_memory_not_equal(keys->fingerprint, none.fingerprint, sizeof none.fingerprint);
  assert_memory_not_equal(keys->persons, none.persons, sizeof none.persons);
  assert_memory_not_equal(keys->id, none.id, sizeof none.id);
  assert_ok(sfmi_protocol_end(&protocol, SFM_OK, &error), &error);
  assert_memory_equal(keys, &none, sizeof none); /* wiped */
  sfm_ledger_close(charge.ledger);
  expect_spent(path, "patients", "0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_keys_are_there_before_the_charge),
      TEST(test_other_rows_are_caught_and_the_charge_stands),
      TEST(test_packed_rows_are_the_same_rows),
      TEST(test_a_repeat_is_the_same_file),
      TEST(test_a_guess_is_part_of_a_request),
      TEST(test_a_bandwidth_to_be_chosen_is_remembered_as_such),
      TEST(test_what_is_wrong_beforehand_costs_nothing),
      TEST(test_rows_that_break_off_leave_the_charge),
      TEST(test_auto_means_normal_noise_where_squares_add_up),
      TEST(test_a_vector_is_read_after_its_charge),
      TEST(test_fingerprints_need_their_key),
      TEST(test_fingerprints_tell_records_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
