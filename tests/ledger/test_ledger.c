/* test_ledger.c - the life of a ledger without accidents: create, charge, answer, repeat, refuse,
 * close, history, verify, anchor, and who may use it. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ledger/charge.h"
#include "sfumato/ledger.h"
#include "sfumato/vector.h"
#include "test_support.h"

static char folder[64], path[128], anchor[128];

static int setup(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/sfumato-ledger-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/clinic.db", folder);
  snprintf(anchor, sizeof anchor, "%s/anchor", folder);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  char command[160];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static void create(const char *name, double epsilon, double delta, sfm_accounting accounting,
                   const char *anchor_path) {
  sfm_error error;
  const sfm_dataset dataset = {name, epsilon, delta, accounting};
  assert_ok(sfm_ledger_create(path, anchor_path, &dataset, &error), &error);
}

static sfm_ledger *opened(void) {
  sfm_error error;
  sfm_ledger *ledger;
  assert_ok(sfm_ledger_open(&ledger, path, &error), &error);
  return ledger;
}

static sfm_guarantee pure(double epsilon) {
  return (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = epsilon};
}

/* Charges and answers with the text, unless something refuses; returns the status and, in shown,
 * what must be shown. */
static sfm_status request(sfm_ledger *ledger, const char *dataset, const char *id,
                          const char *parameters, sfm_guarantee guarantee, const char *text,
                          const uint8_t *fingerprint, char *shown, sfm_error *error) {
  sfmi_charge_handle handle;
  const sfm_charge charge = {.ledger = ledger, .dataset = dataset, .request = id};
  sfm_status status = sfmi_ledger_charge(&handle, &charge, parameters, &guarantee, error);
  if (status) return status;
  if (!handle.answer) status = sfmi_ledger_answer(&handle, text, strlen(text), fingerprint, error);
  if (!status && shown) strcpy(shown, handle.answer);
  sfmi_charge_handle_clear(&handle);
  return status;
}

static void expect_status(const char *dataset, const char *spent, const char *left,
                          uint64_t charges) {
  sfm_error error;
  sfm_dataset_status status;
  sfm_ledger *ledger = opened();
  assert_ok(sfm_ledger_find(ledger, &status, dataset, &error), &error);
  assert_string_equal(status.spent.epsilon, spent);
  assert_string_equal(status.left.epsilon, left);
  assert_int_equal(status.charges, charges);
  assert_ok(sfm_ledger_verify(ledger, NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
}

static void test_ten_tenths_are_one(void **state) {
  (void)state;
  sfm_error error;
  create("patients", 1, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  for (int i = 0; i < 10; i++) {
    char id[16];
    snprintf(id, sizeof id, "r%d", i);
    assert_ok(request(ledger, "patients", id, "{}", pure(0.1), "x", NULL, NULL, &error), &error);
  }
  assert_int_equal(request(ledger, "patients", "more", "{}", pure(1e-12), "x", NULL, NULL, &error),
                   SFM_REFUSED);
  assert_non_null(strstr(error.message, "Nothing was charged"));
  sfm_ledger_close(ledger);
  expect_status("patients", "1", "0", 10);
}

static void test_a_repeated_request_gets_the_same_bytes(void **state) {
  (void)state;
  sfm_error error;
  char shown[64];
  create("patients", 3, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  assert_ok(request(ledger, "patients", "a", "{\"x\":1}", pure(1), "first", NULL, shown, &error),
            &error);
  assert_string_equal(shown, "first");
  assert_ok(request(ledger, "patients", "a", "{\"x\":1}", pure(1), "second", NULL, shown, &error),
            &error);
  assert_string_equal(shown, "first");
  assert_int_equal(
      request(ledger, "patients", "a", "{\"x\":2}", pure(1), "third", NULL, shown, &error),
      SFM_REFUSED);
  assert_non_null(strstr(error.message, "x was 1 and is now 2"));
  sfm_ledger_close(ledger);
  expect_status("patients", "1", "2", 1);
}

static void test_a_charge_without_an_answer_is_completed(void **state) {
  (void)state;
  sfm_error error;
  char shown[64];
  sfmi_charge_handle handle;
  const sfm_guarantee guarantee = pure(1);
  create("patients", 1, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = "a"};
  assert_ok(sfmi_ledger_charge(&handle, &charge, "{}", &guarantee, &error), &error);
  sfmi_charge_handle_clear(&handle); /* the process dies here */
  sfm_ledger_close(ledger);
  expect_status("patients", "1", "0", 1);
  ledger = opened();
  assert_ok(request(ledger, "patients", "a", "{}", pure(1), "late", NULL, shown, &error), &error);
  assert_string_equal(shown, "late");
  sfm_ledger_close(ledger);
  expect_status("patients", "1", "0", 1);
}

/* Two processes with the same request, both past the charge: one answer. */
static void test_the_first_answer_wins(void **state) {
  (void)state;
  sfm_error error;
  sfmi_charge_handle one, two;
  const sfm_guarantee guarantee = pure(1);
  create("patients", 1, 0, SFM_ACCOUNTING_BASIC, anchor);
  sfm_ledger *first = opened(), *second = opened();
  sfm_charge charge = {.ledger = first, .dataset = "patients", .request = "a"};
  assert_ok(sfmi_ledger_charge(&one, &charge, "{}", &guarantee, &error), &error);
  charge.ledger = second;
  assert_ok(sfmi_ledger_charge(&two, &charge, "{}", &guarantee, &error), &error);
  assert_ok(sfmi_ledger_answer(&two, "two", 3, NULL, &error), &error);
  assert_ok(sfmi_ledger_answer(&one, "one", 3, NULL, &error), &error);
  assert_string_equal(one.answer, "two");
  assert_string_equal(two.answer, "two");
  sfmi_charge_handle_clear(&one);
  sfmi_charge_handle_clear(&two);
  sfm_ledger_close(first);
  sfm_ledger_close(second);
  expect_status("patients", "1", "0", 1);
}

static void test_other_rows_are_not_answered(void **state) {
  (void)state;
  sfm_error error;
  uint8_t rows[32] = {1}, others[32] = {2};
  create("patients", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  assert_ok(request(ledger, "patients", "a", "{}", pure(1), "x", rows, NULL, &error), &error);
  assert_int_equal(request(ledger, "patients", "b", "{}", pure(1), "x", others, NULL, &error),
                   SFM_REFUSED);
  assert_non_null(strstr(error.message, "the charge stands"));
  /* The same request with the right rows completes, without a second charge. */
  assert_ok(request(ledger, "patients", "b", "{}", pure(1), "x", rows, NULL, &error), &error);
  sfm_ledger_close(ledger);
  expect_status("patients", "2", "2", 2);
}

static void test_a_closed_dataset_takes_no_charge(void **state) {
  (void)state;
  sfm_error error;
  char shown[64];
  create("patients", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  create("staff", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  assert_ok(request(ledger, "patients", "a", "{}", pure(1), "x", NULL, NULL, &error), &error);
  assert_ok(sfm_ledger_close_dataset(ledger, "patients", &error), &error);
  assert_int_equal(sfm_ledger_close_dataset(ledger, "patients", &error), SFM_INVALID);
  assert_int_equal(request(ledger, "patients", "b", "{}", pure(1), "x", NULL, NULL, &error),
                   SFM_REFUSED);
  assert_ok(request(ledger, "patients", "a", "{}", pure(1), "y", NULL, shown, &error), &error);
  assert_string_equal(shown, "x");
  assert_ok(request(ledger, "staff", "b", "{}", pure(1), "x", NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
  expect_status("patients", "1", "3", 1);
}

static void test_charges_share_a_unit(void **state) {
  (void)state;
  sfm_error error;
  sfm_dataset_status status;
  create("patients", 9, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  assert_ok(sfm_ledger_find(ledger, &status, "patients", &error), &error);
  assert_string_equal(status.protects, "");
  assert_ok(
      request(ledger, "patients", "1", "{\"contributions\":2}", pure(1), "x", NULL, NULL, &error),
      &error);
  assert_ok(request(ledger, "patients", "2", "{\"neighbours\":\"replace\",\"contributions\":3}",
                    pure(1), "x", NULL, NULL, &error),
            &error);
  assert_int_equal(request(ledger, "patients", "3", "{}", pure(1), "x", NULL, NULL, &error),
                   SFM_REFUSED);
  assert_int_equal(request(ledger, "patients", "3",
                           "{\"neighbours\":\"add-remove\",\"contributions\":2}", pure(1), "x",
                           NULL, NULL, &error),
                   SFM_REFUSED);
  assert_non_null(strstr(error.message, "any 2 records"));
  assert_ok(sfm_ledger_find(ledger, &status, "patients", &error), &error);
  assert_string_equal(status.protects, "replace 2");
  sfm_ledger_close(ledger);
  expect_status("patients", "2", "7", 2);
}

/* All records of one person, and any K records, are different relations: they do not mix. */
static void test_persons_and_records_do_not_mix(void **state) {
  (void)state;
  sfm_error error;
  sfm_dataset_status status;
  static const char by_id[] = "{\"person\":\"id\",\"contributions\":3}",
                    by_id_once[] = "{\"person\":\"id\",\"contributions\":1}",
                    by_house[] = "{\"person\":\"house\",\"contributions\":3}",
                    records[] = "{\"person\":null,\"contributions\":3}";
  create("people", 9, 0, SFM_ACCOUNTING_BASIC, NULL);
  create("records", 9, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  assert_ok(request(ledger, "people", "1", by_id, pure(1), "x", NULL, NULL, &error), &error);
  assert_ok(request(ledger, "people", "2", by_id_once, pure(1), "x", NULL, NULL, &error), &error);
  assert_int_equal(request(ledger, "people", "3", by_house, pure(1), "x", NULL, NULL, &error),
                   SFM_REFUSED);
  assert_int_equal(request(ledger, "people", "3", records, pure(1), "x", NULL, NULL, &error),
                   SFM_REFUSED);
  assert_ok(request(ledger, "records", "1", records, pure(1), "x", NULL, NULL, &error), &error);
  assert_int_equal(request(ledger, "records", "2", by_id, pure(1), "x", NULL, NULL, &error),
                   SFM_REFUSED);
  assert_ok(sfm_ledger_find(ledger, &status, "people", &error), &error);
  assert_string_equal(status.protects, "replace person id");
  assert_ok(sfm_ledger_find(ledger, &status, "records", &error), &error);
  assert_string_equal(status.protects, "replace 3");
  sfm_ledger_close(ledger);
  expect_status("people", "2", "7", 2);
}

/* What 0.1 bound a dataset to, where it took something else for the fingerprint of the same rows.
 */
static void test_former_fingerprints_are_known(void **state) {
  (void)state;
  sfm_error error;
  static const uint8_t before[SFMI_HASH_BYTES] = {1}, now[SFMI_HASH_BYTES] = {2},
                       others[SFMI_HASH_BYTES] = {3};
  const sfm_guarantee guarantee = pure(1);
  create("matrices", 9, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  assert_ok(request(ledger, "matrices", "1", "{}", guarantee, "x", before, NULL, &error), &error);
  assert_int_equal(request(ledger, "matrices", "2", "{}", guarantee, "x", now, NULL, &error),
                   SFM_REFUSED);
  const uint8_t *const former[] = {others, before};
  for (int i = 0; i < 2; i++) {
    sfmi_charge_handle handle;
    const sfm_charge charge = {.ledger = ledger, .dataset = "matrices", .request = "2"};
    assert_ok(sfmi_ledger_charge(&handle, &charge, "{}", &guarantee, &error), &error);
    handle.has_former = true;
    memcpy(handle.former, former[i], sizeof handle.former);
    assert_int_equal(sfmi_ledger_answer(&handle, "y", 1, now, &error),
                     i == 0 ? SFM_REFUSED : SFM_OK);
    sfmi_charge_handle_clear(&handle);
  }
  sfm_ledger_close(ledger);
}

static void test_names_are_checked_and_listed(void **state) {
  (void)state;
  sfm_error error;
  char *large = calloc(10 << 20, 1);
  assert_non_null(large);
  memset(large, 'a', (10 << 20) - 1);
  create("patients", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  create("staff", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  assert_int_equal(request(ledger, "nobody", "a", "{}", pure(1), "x", NULL, NULL, &error),
                   SFM_INVALID);
  assert_non_null(strstr(error.message, "patients, staff"));
  const char *const bad[] = {"", large, "a\nb", "\xff", " a", "a "};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const sfm_dataset dataset = {bad[i], 1, 0, SFM_ACCOUNTING_BASIC};
    assert_int_equal(request(ledger, "patients", bad[i], "{}", pure(1), "x", NULL, NULL, &error),
                     SFM_INVALID);
    assert_int_equal(request(ledger, bad[i], "a", "{}", pure(1), "x", NULL, NULL, &error),
                     SFM_INVALID);
    assert_int_equal(sfm_ledger_create(path, NULL, &dataset, &error), SFM_INVALID);
  }
  const sfm_dataset again = {"staff", 1, 0, SFM_ACCOUNTING_BASIC};
  assert_int_equal(sfm_ledger_create(path, NULL, &again, &error), SFM_INVALID);
  sfm_ledger_close(ledger);
  free(large);
  expect_status("patients", "0", "4", 0);
}

static void test_the_rules_add_as_computed_by_hand(void **state) {
  (void)state;
  sfm_error error;
  create("z", 3, 1e-6, SFM_ACCOUNTING_ZCDP, NULL);
  create("g", 3, 1e-6, SFM_ACCOUNTING_GDP, NULL);
  create("b", 3, 1e-6, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  const sfm_guarantee gaussian = {.kind = SFM_GUARANTEE_GDP,
                                  .epsilon = 1,
                                  .delta = 1e-6,
                                  .mu = 0.2},
                      zcdp = {.kind = SFM_GUARANTEE_ZCDP, .rho = 0.01};
  assert_ok(request(ledger, "z", "1", "{}", gaussian, "x", NULL, NULL, &error), &error);
  assert_ok(request(ledger, "z", "2", "{}", zcdp, "x", NULL, NULL, &error), &error);
  assert_ok(request(ledger, "z", "3", "{}", pure(0.1), "x", NULL, NULL, &error), &error);
  assert_ok(request(ledger, "g", "1", "{}", gaussian, "x", NULL, NULL, &error), &error);
  assert_int_equal(request(ledger, "g", "2", "{}", zcdp, "x", NULL, NULL, &error), SFM_REFUSED);
  assert_ok(request(ledger, "b", "1", "{}", gaussian, "x", NULL, NULL, &error), &error);
  /* delta is used up, epsilon is not */
  assert_int_equal(request(ledger, "b", "2", "{}", gaussian, "x", NULL, NULL, &error), SFM_REFUSED);
  assert_ok(request(ledger, "b", "3", "{}", pure(2), "x", NULL, NULL, &error), &error);
  sfm_dataset_status status;
  assert_ok(sfm_ledger_find(ledger, &status, "z", &error), &error);
  /* 0.2^2/2 + 0.01 + 0.1^2/2: the double 0.2 is a little above a fifth, and rounded up */
  assert_string_equal(status.amount.spent, "0.035000000001");
  assert_ok(sfm_ledger_find(ledger, &status, "g", &error), &error);
  assert_string_equal(status.amount.spent, "0.040000000001");
  assert_string_equal(status.spent.delta, "0.000001");
  assert_ok(sfm_ledger_find(ledger, &status, "b", &error), &error);
  assert_string_equal(status.spent.epsilon, "3");
  assert_string_equal(status.left.delta, "0");
  sfm_ledger_close(ledger);
}

/* A delta that is no whole number of units is shown as one that the total does keep. */
static void test_a_delta_between_units_is_not_understated(void **state) {
  (void)state;
  sfm_error error;
  sfm_dataset_status status;
  create("g", 3, 1.9e-12, SFM_ACCOUNTING_GDP, NULL);
  sfm_ledger *ledger = opened();
  assert_ok(request(ledger, "g", "1", "{}", pure(0.1), "x", NULL, NULL, &error), &error);
  assert_ok(sfm_ledger_find(ledger, &status, "g", &error), &error);
  assert_string_equal(status.total.delta, "0.000000000002");
  assert_string_equal(status.spent.delta, "0.000000000002");
  assert_string_equal(status.left.delta, "0.000000000001");
  sfm_ledger_close(ledger);
}

/* One release asked for at the total itself fits, whatever the roundings, and nothing after it. */
static void test_a_total_can_be_spent_at_once(void **state) {
  (void)state;
  sfm_error error;
  double mu;
  create("z", 1, 1e-6, SFM_ACCOUNTING_ZCDP, NULL);
  create("g", 1, 1e-6, SFM_ACCOUNTING_GDP, NULL);
  create("b", 1. / 3, 1e-6, SFM_ACCOUNTING_BASIC, NULL);
  assert_ok(sfm_gdp_calibrate(&mu, 1, 1e-6, &error), &error);
  const sfm_guarantee gaussian = {.kind = SFM_GUARANTEE_GDP, .epsilon = 1, .delta = 1e-6, .mu = mu};
  const char *const names[] = {"z", "g", "b"};
  const sfm_guarantee asked[] = {pure(1), gaussian, pure(1. / 3)};
  sfm_ledger *ledger = opened();
  for (int i = 0; i < 3; i++) {
    assert_ok(request(ledger, names[i], "1", "{}", asked[i], "x", NULL, NULL, &error), &error);
    assert_int_equal(request(ledger, names[i], "2", "{}", pure(1e-6), "x", NULL, NULL, &error),
                     SFM_REFUSED);
  }
  assert_ok(sfm_ledger_verify(ledger, NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
}

typedef struct seen {
  size_t count;
  char kinds[128];
} seen;

static bool see(void *context, const sfm_ledger_entry *entry) {
  seen *s = context;
  s->count++;
  strcat(s->kinds, entry->kind);
  strcat(s->kinds, " ");
  return true;
}

static void test_history_tells_everything_in_order(void **state) {
  (void)state;
  sfm_error error;
  seen all = {0}, staff = {0};
  const uint8_t rows[32] = {1};
  uint64_t entries;
  create("patients", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  create("staff", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  assert_ok(request(ledger, "patients", "a", "{}", pure(1), "x", rows, NULL, &error), &error);
  assert_ok(sfm_ledger_close_dataset(ledger, "staff", &error), &error);
  assert_ok(sfm_ledger_history(ledger, NULL, see, &all, &error), &error);
  assert_ok(sfm_ledger_history(ledger, "staff", see, &staff, &error), &error);
  assert_string_equal(all.kinds, "create create charge bind answer close ");
  assert_string_equal(staff.kinds, "create close ");
  assert_ok(sfm_ledger_verify(ledger, &entries, NULL, &error), &error);
  assert_int_equal(entries, 6);
  sfm_ledger_close(ledger);
}

static void copy(const char *to, const char *from) {
  char command[400];
  snprintf(command, sizeof command, "cp -f %s %s", from, to);
  assert_int_equal(system(command), 0);
}

static void test_an_anchor_detects_an_old_copy(void **state) {
  (void)state;
  sfm_error error;
  char old[140];
  snprintf(old, sizeof old, "%s.old", path);
  create("patients", 4, 0, SFM_ACCOUNTING_BASIC, anchor);
  copy(old, path);
  sfm_ledger *ledger = opened();
  assert_ok(request(ledger, "patients", "a", "{}", pure(1), "x", NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
  copy(path, old);
  assert_int_equal(sfm_ledger_open(&ledger, path, &error), SFM_REFUSED);
  assert_non_null(strstr(error.message, "old copy"));
  assert_null(ledger);
  unlink(anchor);
  assert_int_equal(sfm_ledger_open(&ledger, path, &error), SFM_REFUSED);
}

static void test_an_anchor_lies_elsewhere(void **state) {
  (void)state;
  sfm_error error;
  char place[160], command[300];
  const sfm_dataset dataset = {"patients", 1, 0, SFM_ACCOUNTING_BASIC};
  static const char *const endings[] = {"", "-journal", "-wal", "-shm"};
  for (int i = 0; i < 4; i++) {
    snprintf(place, sizeof place, "%s/./clinic.db%s", folder, endings[i]);
    assert_int_equal(sfm_ledger_create(path, place, &dataset, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "the ledger or its journal"));
  }
  assert_int_equal(mkfifo(anchor, 0600), 0); /* nobody writes into it: reading it would not end */
  assert_int_equal(sfm_ledger_create(path, anchor, &dataset, &error), SFM_INVALID);
  snprintf(command, sizeof command, "test $(ls -A %s | wc -l) = 1", folder);
  assert_int_equal(system(command), 0);
}

/* Killed between the file and the anchor: the ledger is ahead, and that is fine; but the stored
 * answer is shown only once the anchor knows of it. */
static void test_a_ledger_may_be_ahead_of_its_anchor(void **state) {
  (void)state;
  sfm_error error;
  char old[140], shown[64];
  snprintf(old, sizeof old, "%s.old", anchor);
  create("patients", 4, 0, SFM_ACCOUNTING_BASIC, anchor);
  copy(old, anchor);
  sfm_ledger *ledger = opened();
  assert_ok(request(ledger, "patients", "a", "{}", pure(1), "x", NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
  copy(anchor, old);
  ledger = opened();
  assert_ok(request(ledger, "patients", "a", "{}", pure(1), "y", NULL, shown, &error), &error);
  assert_string_equal(shown, "x");
  sfm_ledger_close(ledger);
  char command[400];
  snprintf(command, sizeof command, "! cmp -s %s %s", anchor, old);
  assert_int_equal(system(command), 0);
}

static void test_files_are_private_and_single(void **state) {
  (void)state;
  struct stat facts;
  create("patients", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  assert_int_equal(stat(path, &facts), 0);
  assert_int_equal(facts.st_mode & 0777, 0600);
  char command[300];
  snprintf(command, sizeof command, "test $(ls -A %s | wc -l) = 1", folder);
  assert_int_equal(system(command), 0);
}

/* SQLite keeps the journal beside the name it was given: under two names there are two. */
static void test_a_ledger_has_one_name(void **state) {
  (void)state;
  sfm_error error;
  sfm_ledger *ledger;
  char second[140];
  snprintf(second, sizeof second, "%s.link", path);
  create("patients", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  assert_int_equal(link(path, second), 0);
  assert_int_equal(sfm_ledger_open(&ledger, path, &error), SFM_REFUSED);
  assert_non_null(strstr(error.message, "2 names"));
  assert_int_equal(sfm_ledger_open(&ledger, second, &error), SFM_REFUSED);
  unlink(path);
  assert_int_equal(symlink(second, path), 0); /* a name for a name is fine */
  sfm_ledger_close(opened());
}

static void test_a_forked_child_is_refused(void **state) {
  (void)state;
  int outcome;
  create("patients", 4, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  pid_t child = fork();
  if (child == 0) {
    sfm_error error;
    sfm_dataset_status status;
    _exit(request(ledger, "patients", "a", "{}", pure(1), "x", NULL, NULL, &error) == SFM_INVALID &&
                  sfm_ledger_find(ledger, &status, "patients", &error) == SFM_INVALID &&
                  strstr(error.message, "fork")
              ? 0
              : 1);
  }
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &outcome, 0), child);
  assert_int_equal(outcome, 0);
  sfm_ledger_close(ledger);
}

static void test_what_is_no_ledger_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_ledger *ledger;
  assert_int_equal(sfm_ledger_open(&ledger, path, &error), SFM_INVALID);
  assert_int_equal(sfm_ledger_open(&ledger, folder, &error), SFM_INVALID);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fclose(file);
  assert_int_not_equal(sfm_ledger_open(&ledger, path, &error), SFM_OK);
  file = fopen(path, "w");
  for (int i = 0; i < 2000; i++) fputs("not a database ", file);
  fclose(file);
  assert_int_not_equal(sfm_ledger_open(&ledger, path, &error), SFM_OK);
  unlink(path);
  sqlite3 *database;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  assert_int_equal(sqlite3_exec(database, "CREATE TABLE t(a)", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(database);
  assert_int_equal(sfm_ledger_open(&ledger, path, &error), SFM_INVALID);
  const sfm_dataset dataset = {"patients", 1, 0, SFM_ACCOUNTING_BASIC};
  assert_int_equal(sfm_ledger_create(path, NULL, &dataset, &error), SFM_INVALID);
  assert_null(ledger);
}

/* A whole mechanism: charged, stored, repeated byte for byte; seeds are refused. */
static void test_a_vector_is_charged_once(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *one, *two;
  const double theta[2] = {1, 2};
  sfm_vector_settings settings = sfm_vector_settings_default();
  create("patients", 1, 0, SFM_ACCOUNTING_BASIC, NULL);
  sfm_ledger *ledger = opened();
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = "v"};
  settings.epsilon = 1;
  settings.norm = SFM_VECTOR_NORM_L1;
  settings.sensitivity = 1;
  settings.context.charge = &charge;
  settings.context.seeded = true;
  assert_int_equal(sfm_vector_release(&one, theta, 2, &settings, &error), SFM_INVALID);
  settings.context.seeded = false;
  assert_ok(sfm_vector_release(&one, theta, 2, &settings, &error), &error);
  assert_ok(sfm_vector_release(&two, theta, 2, &settings, &error), &error);
  assert_string_equal(sfm_release_dataset(one), "patients");
  assert_string_equal(sfm_release_request(two), "v");
  for (size_t i = 0; i < 2; i++)
    assert_true(sfm_release_coefficient(one, i) == sfm_release_coefficient(two, i));
  settings.epsilon = 0.5;
  sfm_release *three;
  assert_int_equal(sfm_vector_release(&three, theta, 2, &settings, &error), SFM_REFUSED);
  sfm_release_destroy(one);
  sfm_release_destroy(two);
  sfm_ledger_close(ledger);
  expect_status("patients", "1", "0", 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_ten_tenths_are_one),
      TEST(test_a_repeated_request_gets_the_same_bytes),
      TEST(test_a_charge_without_an_answer_is_completed),
      TEST(test_the_first_answer_wins),
      TEST(test_other_rows_are_not_answered),
      TEST(test_a_closed_dataset_takes_no_charge),
      TEST(test_charges_share_a_unit),
      TEST(test_persons_and_records_do_not_mix),
      TEST(test_former_fingerprints_are_known),
      TEST(test_names_are_checked_and_listed),
      TEST(test_the_rules_add_as_computed_by_hand),
      TEST(test_a_delta_between_units_is_not_understated),
      TEST(test_a_total_can_be_spent_at_once),
      TEST(test_history_tells_everything_in_order),
      TEST(test_an_anchor_detects_an_old_copy),
      TEST(test_an_anchor_lies_elsewhere),
      TEST(test_a_ledger_may_be_ahead_of_its_anchor),
      TEST(test_files_are_private_and_single),
      TEST(test_a_ledger_has_one_name),
      TEST(test_a_forked_child_is_refused),
      TEST(test_what_is_no_ledger_is_refused),
      TEST(test_a_vector_is_charged_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
