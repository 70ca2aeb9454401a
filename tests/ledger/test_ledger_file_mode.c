/* test_ledger_file_mode.c - the mode of a ledger's file is chosen by its owner: who may use it, and
 * whether it is frozen.  Nothing changes it later, and root, who could write all the same, does
 * not. */
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child_process.h"
#include "ledger_forgery.h"
#include "ledger/charge.h"
#include "sfumato/ledger.h"
#include "test_support.h"

static char folder[64], path[128], anchor[128];

static int setup(void **state) {
  (void)state;
  child_folder(folder);
  snprintf(path, sizeof path, "%s/clinic.db", folder);
  snprintf(anchor, sizeof anchor, "%s/anchor", folder);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  child_remove(folder);
  return 0;
}

static const sfm_dataset patients = {"patients", 4, 0, SFM_ACCOUNTING_BASIC};
static const sfm_dataset visits = {"visits", 4, 0, SFM_ACCOUNTING_BASIC};

static mode_t mode_of(const char *file) {
  struct stat facts;
  assert_int_equal(stat(file, &facts), 0);
  return facts.st_mode & 0777;
}

/* The status of opening and of charging. */
static sfm_status charge(const char *id, sfm_error *error) {
  sfm_ledger *ledger;
  sfmi_charge_handle handle = {0};
  sfm_status status = sfm_ledger_open(&ledger, path, error);
  if (status) return status;
  const sfm_guarantee guarantee = {.kind = SFM_GUARANTEE_PURE, .epsilon = 0.5};
  const sfm_charge asked = {.ledger = ledger, .dataset = "patients", .request = id};
  status = sfmi_ledger_charge(&handle, &asked, "{\"verb\":\"density\"}", &guarantee, error);
  if (!status) status = sfmi_ledger_answer(&handle, "five", 4, NULL, error);
  sfmi_charge_handle_clear(&handle);
  sfm_ledger_close(ledger);
  return status;
}

static sfm_status look(sfm_error *error) {
  sfm_ledger *ledger;
  sfm_dataset_status found;
  sfm_status status = sfm_ledger_open(&ledger, path, error);
  if (!status) status = sfm_ledger_find(ledger, &found, "patients", error);
  if (!status) status = sfm_ledger_verify(ledger, NULL, NULL, error);
  sfm_ledger_close(ledger);
  return status;
}

/* Byte for byte, and its mode. */
static void expect_untouched(const unsigned char *bytes, size_t length, mode_t mode) {
  size_t now;
  unsigned char *there = forge_read(path, &now);
  assert_non_null(there);
  assert_true(now == length && memcmp(there, bytes, length) == 0);
  assert_int_equal(mode_of(path), mode);
  free(there);
}

static void a_frozen_ledger_is_looked_at_and_not_written(void **state) {
  (void)state;
  static const mode_t frozen[] = {0400, 0440};
  sfm_error error;
  size_t length;
  sfm_ledger *ledger;
  assert_ok(sfm_ledger_create(path, anchor, &patients, &error), &error);
  assert_ok(charge("one", &error), &error);
  unsigned char *bytes = forge_read(path, &length);
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(chmod(path, frozen[i]), 0);
    assert_ok(look(&error), &error);
    assert_int_equal(charge("two", &error), SFM_REFUSED);
    assert_non_null(strstr(error.message, "frozen"));
    assert_int_equal(charge("one", &error), SFM_REFUSED); /* answered before: all the same */
    assert_int_equal(sfm_ledger_create(path, NULL, &visits, &error), SFM_REFUSED);
    assert_ok(sfm_ledger_open(&ledger, path, &error), &error);
    assert_int_equal(sfm_ledger_writable(ledger, &error), SFM_REFUSED);
    assert_int_equal(sfm_ledger_close_dataset(ledger, "patients", &error), SFM_REFUSED);
    sfm_ledger_close(ledger);
    expect_untouched(bytes, length, frozen[i]);
  }
  free(bytes);
  assert_int_equal(chmod(path, 0600), 0);
  assert_ok(charge("two", &error), &error);
}

/* What a crash left to be undone is not undone in a frozen file, nor overlooked. */
static void a_frozen_ledger_cut_short_says_so(void **state) {
  (void)state;
  sfm_error error;
  size_t length;
  char journal[160];
  interpose_plan plan = {.folders = {folder}, .action = INTERPOSE_BEFORE};
  assert_ok(sfm_ledger_create(path, NULL, &patients, &error), &error);
  snprintf(journal, sizeof journal, "%s-journal", path);
  for (plan.at = 1; access(journal, F_OK) != 0 || !look(&error); plan.at++) {
    /* Dies at one call after the other until the journal holds what must be undone: looking would
     * undo it. */
    assert_true(plan.at < 100);
    assert_int_equal(chmod(path, 0600), 0);
    assert_ok(look(&error), &error);
    pid_t child = fork();
    if (child == 0) {
      interpose_arm(&plan);
      _exit((int)charge("one", NULL));
    }
    (void)child_wait(child);
    assert_int_equal(chmod(path, 0400), 0);
  }
  assert_non_null(strstr(error.message, "frozen"));
  unsigned char *bytes = forge_read(path, &length);
  assert_int_not_equal(look(&error), SFM_OK);
  expect_untouched(bytes, length, 0400);
  free(bytes);
  assert_int_equal(chmod(path, 0600), 0);
  assert_ok(look(&error), &error);
  assert_ok(charge("one", &error), &error);
}

static void a_mode_for_others_is_refused_and_left(void **state) {
  (void)state;
  static const mode_t open[] = {0644, 0640, 0604, 0620, 0666, 0664, 0444, 0460, 0661, 0670};
  sfm_error error;
  size_t length;
  assert_ok(sfm_ledger_create(path, NULL, &patients, &error), &error);
  unsigned char *bytes = forge_read(path, &length);
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
    assert_int_equal(chmod(path, open[i]), 0);
    assert_int_equal(look(&error), SFM_INVALID);
    assert_non_null(strstr(error.message, open[i] & 0200 ? "chmod 600" : "chmod 400"));
    assert_int_equal(charge("one", &error), SFM_INVALID);
    expect_untouched(bytes, length, open[i]);
  }
  free(bytes);
}

/* The journal while a transaction is written, as its maker left it when it died. */
static mode_t journal_mode(void) {
  char journal[160];
  interpose_plan plan = {.folders = {folder}, .action = INTERPOSE_BEFORE, .at = 2};
  snprintf(journal, sizeof journal, "%s-journal", path);
  pid_t child = fork();
  if (child == 0) {
    interpose_arm(&plan);
    _exit((int)charge("cut", NULL));
  }
  (void)child_wait(child);
  return mode_of(journal);
}

static void a_shared_ledger_keeps_its_group(void **state) {
  (void)state;
  const gid_t group = getuid() == 0 ? 12345 : getgid();
  sfm_error error;
  struct stat facts;
  char second[128];
  const mode_t mask = umask(077);
  /* In a folder of one's own it would be shared with nobody. */
  assert_int_equal(chmod(folder, 0770), 0);
  assert_int_equal(sfm_ledger_create_shared(path, anchor, &patients, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "g+rwxs"));
  assert_int_equal(access(path, F_OK), -1);
  assert_int_equal(access(anchor, F_OK), -1);
  assert_int_equal(chown(folder, (uid_t)-1, group), 0);
  assert_int_equal(chmod(folder, 02770), 0);
  assert_ok(sfm_ledger_create_shared(path, anchor, &patients, &error), &error);
  assert_ok(sfm_ledger_create_shared(path, NULL, &visits, &error), &error);
  assert_ok(charge("one", &error), &error);
  assert_ok(look(&error), &error);
  assert_int_equal(mode_of(path), 0660);
  assert_int_equal(mode_of(anchor), 0660);
  assert_true(stat(path, &facts) == 0 && facts.st_gid == group);
  assert_true(stat(anchor, &facts) == 0 && facts.st_gid == group);
  assert_int_equal(journal_mode(), 0660);
  /* One that is its owner's alone is not shared by the way. */
  snprintf(second, sizeof second, "%s/second.db", folder);
  assert_ok(sfm_ledger_create(second, NULL, &patients, &error), &error);
  assert_int_equal(sfm_ledger_create_shared(second, NULL, &visits, &error), SFM_INVALID);
  assert_int_equal(mode_of(second), 0600);
  umask(mask);
}

/* A member of the group, who is not its owner, charges it; somebody else cannot. */
static int charge_as_member(void *context) {
  const gid_t group = 12345;
  const bool member = *(const bool *)context;
  if (setgroups(member ? 1 : 0, &group) != 0 || setgid(54321) != 0 || setuid(54321) != 0) return 99;
  return (int)charge(member ? "theirs" : "nobody's", NULL);
}

static void members_of_the_group_charge_it(void **state) {
  (void)state;
  bool member = true;
  sfm_error error;
  struct stat facts;
  if (getuid() != 0) skip();
  assert_int_equal(chown(folder, (uid_t)-1, 12345), 0);
  assert_int_equal(chmod(folder, 02770), 0);
  assert_ok(sfm_ledger_create_shared(path, anchor, &patients, &error), &error);
  assert_int_equal(child_run(charge_as_member, &member, NULL).code, SFM_OK);
  assert_int_equal(mode_of(path), 0660);
  assert_true(stat(anchor, &facts) == 0 && facts.st_uid == 54321 && facts.st_gid == 12345);
  assert_ok(charge("ours", &error), &error);
  assert_ok(look(&error), &error);
  member = false;
  assert_int_equal(child_run(charge_as_member, &member, NULL).code, SFM_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_frozen_ledger_is_looked_at_and_not_written, setup,
                                      teardown),
      cmocka_unit_test_setup_teardown(a_frozen_ledger_cut_short_says_so, setup, teardown),
      cmocka_unit_test_setup_teardown(a_mode_for_others_is_refused_and_left, setup, teardown),
      cmocka_unit_test_setup_teardown(a_shared_ledger_keeps_its_group, setup, teardown),
      cmocka_unit_test_setup_teardown(members_of_the_group_charge_it, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
