/* test_ledger_command_kill.c - the command itself, killed or cut off at every call that changes the
 * ledger or its anchor: a release that was ever written is charged, and comes back byte for byte.
 */
/* suite: release */
#include "test_support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child_process.h"
#include "disk.h"
#include "ledger_forgery.h"

static scenario w;
static char rows[96], out[96], report_path[96];
static interpose_report *report;

/* A run of the command; action and at are for the preloaded library (NULL: it is not there). */
typedef struct run {
  const char *const *arguments;
  const char *action;
  uint64_t at;
  bool disk;
} run;

static int execute(void *context) {
  const run *r = context;
  char at[24], folders[200];
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, 0);
  dup2(nothing, 1);
  dup2(nothing, 2);
  if (r->action) {
    snprintf(at, sizeof at, "%llu", (unsigned long long)r->at);
    snprintf(folders, sizeof folders, "%s:%s", w.here, w.there);
    setenv("SFM_INTERPOSE_FOLDERS", folders, 1);
    setenv("SFM_INTERPOSE_ACTION", r->action, 1);
    setenv("SFM_INTERPOSE_AT", at, 1);
    setenv("SFM_INTERPOSE_REPORT", report_path, 1);
    if (r->disk) setenv("SFM_INTERPOSE_DISK", "1", 1);
    setenv("LD_PRELOAD", SFM_INTERPOSE, 1);
    setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
  }
  execv(SFM_COMMAND, (char *const *)(uintptr_t)r->arguments);
  return 127;
}

static child_end release(const char *action, uint64_t at, bool disk) {
  const char *const arguments[] = {"sfumato",   "density",  rows,          "--columns", "age",
                                   "--bounds",  "0:10",     "--bandwidth", "4",         "--epsilon",
                                   "0.25",      "--ledger", w.ledger,      "--dataset", "patients",
                                   "--request", "r1",       "-o",          out,         NULL};
  run r = {arguments, action, at, disk};
  *report = (interpose_report){0};
  return child_run(execute, &r, NULL);
}

/* What was written is what the scenario has seen. */
static void show(void) {
  size_t length;
  unsigned char *bytes = forge_read(out, &length);
  if (!bytes) return;
  FILE *log = fopen(w.shown, "a");
  assert_non_null(log);
  fprintf(log, "\nshown r1 ");
  for (size_t i = 0; i < length; i++) fprintf(log, "%02x", bytes[i]);
  fprintf(log, " .\n");
  fclose(log);
  free(bytes);
  unlink(out);
}

/* The command once more, undisturbed, which must write the release; then everything is checked. */
static void again(const char *where) {
  for (int i = 0; i < 2; i++) {
    child_end end = release(NULL, 0, false);
    if (end.signal || end.code)
      fail_msg("%s: repeated, it ended with signal %d, code %d", where, end.signal, end.code);
    if (access(out, F_OK) != 0) fail_msg("%s: repeated, it wrote nothing", where);
    show();
  }
  if (scenario_check(&w)) fail_msg("%s: %s", where, w.report->text);
}

static void one(const char *action, uint64_t at, bool disk) {
  char where[400];
  scenario_again(&w);
  forge_restore(&w, "base", FORGE_ALL);
  unlink(out);
  if (disk) {
    disk_begin(w.here);
    disk_begin(w.there);
  }
  child_end end = release(action, at, disk);
  snprintf(where, sizeof where, "%s%s, call %llu (%s)", action, disk ? ", power cut" : "",
           (unsigned long long)at, report->hit);
  if (end.signal != SIGKILL)
    fail_msg("%s: ended with signal %d, code %d", where, end.signal, end.code);
  show();
  if (disk) {
    disk_cut(w.here, 0);
    disk_cut(w.there, 0);
  }
  again(where);
}

static int set_up(void **state) {
  (void)state;
  scenario_init(&w, true);
  snprintf(rows, sizeof rows, "%s/rows.csv", w.root);
  snprintf(out, sizeof out, "%s/out.sfm", w.root);
  snprintf(report_path, sizeof report_path, "%s/report", w.root);
  forge_write(rows, (const unsigned char *)"age\n1\n2\n3\n9\n", 12);
  int file = open(report_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof *report) != 0) return -1;
  report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (report == MAP_FAILED) return -1;
  w.requests = 0;
  if (child_run(scenario_client, &w, NULL).code) return -1;
  forge_keep(&w, "base");
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  munmap(report, sizeof *report);
  scenario_clear(&w);
  return 0;
}

static void the_command_dies_at_any_call(void **state) {
  (void)state;
  static const char *const actions[] = {"before", "after", "torn"};
  assert_int_equal(release("count", 0, false).code, 0);
  const uint64_t calls = report->calls;
  assert_true(calls > 30);
  for (uint64_t at = 1; at <= calls; at += CHILD_STRIDE) one(actions[at % 3], at, false);
  print_message("the command, killed at each of %llu calls\n", (unsigned long long)calls);
}

static void the_power_fails_at_any_call_of_the_command(void **state) {
  (void)state;
  assert_int_equal(release("count", 0, false).code, 0);
  const uint64_t calls = report->calls;
  for (uint64_t at = 1; at <= calls; at += CHILD_STRIDE) one("after", at, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_command_dies_at_any_call, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_power_fails_at_any_call_of_the_command, set_up,
                                      tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
