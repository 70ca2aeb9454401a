/* test_interpose.c - the interposed disk on which the ledger is attacked does what it says: it
 * misses no call, kills where it is told to, and forgets exactly what was not made durable. */
#include "test_support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/file.h"
#include "child_process.h"
#include "disk.h"

static char root[64], folder[80];

static int set_up(void **state) {
  (void)state;
  child_folder(root);
  snprintf(folder, sizeof folder, "%s/watched", root);
  if (mkdir(folder, 0700) != 0) return -1;
  disk_begin(folder);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  child_remove(root);
  return 0;
}

static const char *in_folder(const char *name) {
  static char path[4][128];
  static int turn;
  char *out = path[turn++ % 4];
  snprintf(out, 128, "%s/%s", folder, name);
  return out;
}

static void put(const char *name, const char *text) {
  int file = open(in_folder(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  close(file);
}

/* NULL: not there. */
static const char *get(const char *name) {
  static char text[4096];
  int file = open(in_folder(name), O_RDONLY);
  if (file < 0) return NULL;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  assert_true(length >= 0);
  text[length] = '\0';
  return text;
}

static void is(const char *name, const char *text) {
  const char *got = get(name);
  if (!got || strcmp(got, text)) fail_msg("%s holds \"%s\", not \"%s\"", name, got, text);
}

static interpose_plan planned(interpose_action action, uint64_t at) {
  return (interpose_plan){.folders = {folder}, .action = action, .at = at, .disk = true};
}

/* The exit code of a child that was not killed. */
static int ends(int (*act)(void *context), const interpose_plan *plan) {
  child_end end = child_run(act, NULL, plan);
  assert_int_equal(end.signal, 0);
  return end.code;
}

/* ---- what the children do ---- */

/* One call of each kind, in this order. */
static int one_of_each(void *context) {
  (void)context;
  int bad = 0, at = open(folder, O_RDONLY | O_DIRECTORY);
  int file = open(in_folder("a"), O_RDWR | O_CREAT, 0600);
  bad |= write(file, "hello", 5) != 5;
  bad |= pwrite(file, "HELLO", 5, 5) != 5;
  bad |= ftruncate(file, 8) != 0;
  bad |= truncate(in_folder("a"), 7) != 0;
  bad |= fdatasync(file) != 0;
  bad |= fsync(file) != 0;
  close(file);
  bad |= link(in_folder("a"), in_folder("b")) != 0;
  bad |= rename(in_folder("b"), in_folder("c")) != 0;
  bad |= renameat(at, "c", at, "d") != 0;
  bad |= unlink(in_folder("a")) != 0;
  bad |= unlinkat(at, "d", 0) != 0;
  bad |= fsync(at) != 0;
  close(at);
  /* None of these: a file that is there, one elsewhere, one that is not. */
  char elsewhere[96];
  snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", root);
  file = open(elsewhere, O_RDWR | O_CREAT, 0600);
  bad |= write(file, "x", 1) != 1 || fsync(file) != 0;
  close(file);
  bad |= unlink(elsewhere) != 0;
  bad |= unlink(in_folder("nothing")) == 0;
  return bad;
}

static int by_stream(void *context) {
  (void)context;
  sfmi_file file;
  sfm_error error;
  if (sfmi_file_begin(&file, in_folder("anchor"), &error)) return 1;
  for (int i = 0; i < 3000; i++) fprintf(file.stream, "%d\n", i);
  return sfmi_file_commit(&file, &error) ? 1 : 0;
}

/* How many write calls the kernel saw of this process; 0 when it does not say. */
static unsigned long long kernel_writes(void) {
  char line[128];
  unsigned long long calls = 0;
  FILE *io = fopen("/proc/self/io", "r");
  while (io && fgets(line, sizeof line, io))
    if (sscanf(line, "syscw: %llu", &calls) == 1) break;
  if (io) fclose(io);
  return calls;
}

static int by_sqlite(void *context) {
  (void)context;
  sqlite3 *database;
  const unsigned long long before = kernel_writes();
  if (sqlite3_open(in_folder("s.db"), &database) != SQLITE_OK) return 1;
  if (sqlite3_exec(database,
                   "PRAGMA synchronous=EXTRA; CREATE TABLE t(x); BEGIN IMMEDIATE;"
                   "INSERT INTO t VALUES(randomblob(20000)); COMMIT; DELETE FROM t;",
                   NULL, NULL, NULL) != SQLITE_OK)
    return 2;
  if (sqlite3_close(database) != SQLITE_OK) return 3;
  const unsigned long long made = kernel_writes() - before;
  unsigned long long counted = 0;
  for (uint64_t i = 0; i < child_report()->calls; i++)
    counted += child_report()->kind[i] == INTERPOSE_WRITE;
  return !before ? 0 : counted == made ? 0 : 4;
}

/* ---- the claims ---- */

static void every_call_is_counted_once(void **state) {
  (void)state;
  interpose_plan plan = planned(INTERPOSE_COUNT, 0);
  assert_int_equal(ends(one_of_each, &plan), 0);
  assert_string_equal(child_report()->kind, "cwwttsslrruuf");
  assert_int_equal(child_report()->calls, 13);
}

static void streams_are_caught(void **state) {
  (void)state;
  interpose_plan plan = planned(INTERPOSE_COUNT, 0);
  assert_int_equal(ends(by_stream, &plan), 0);
  const char *kinds = child_report()->kind;
  assert_int_equal(kinds[0], INTERPOSE_CREATE);
  size_t writes = strspn(kinds + 1, "w");
  assert_true(writes > 0);
  assert_string_equal(kinds + 1 + writes, "srf");
  assert_int_equal(strlen(get("anchor")), 4095);
}

static void no_write_of_sqlite_escapes(void **state) {
  (void)state;
  interpose_plan plan = planned(INTERPOSE_COUNT, 0);
  plan.disk = false; /* which makes writes of its own */
  assert_int_equal(ends(by_sqlite, &plan), 0);
  for (const char *kind = "cwsfu"; *kind; kind++)
    assert_non_null(strchr(child_report()->kind, *kind));
}

static void a_kill_is_where_it_was_asked(void **state) {
  (void)state;
  interpose_plan plan = planned(INTERPOSE_BEFORE, 2);
  child_end end = child_run(one_of_each, NULL, &plan);
  assert_int_equal(end.signal, SIGKILL);
  assert_int_equal(child_report()->calls, 2);
  assert_non_null(strstr(child_report()->hit, "write 5 bytes to a at 0"));
  is("a", "");
  unlink(in_folder("a"));
  plan.action = INTERPOSE_AFTER;
  assert_int_equal(child_run(one_of_each, NULL, &plan).signal, SIGKILL);
  is("a", "hello");
  unlink(in_folder("a"));
  plan.action = INTERPOSE_TORN;
  plan.at = 3;
  assert_int_equal(child_run(one_of_each, NULL, &plan).signal, SIGKILL);
  is("a", "helloHEL");
}

static int write_and_report(void *context) {
  (void)context;
  int file = open(in_folder("a"), O_RDWR | O_CREAT, 0600);
  if (file < 0) return errno;
  ssize_t wrote = write(file, "0123456789", 10);
  if (wrote < 0) return errno;
  if (fsync(file) != 0) return 200;
  return 100 + (int)wrote;
}

static void failures_are_what_was_asked(void **state) {
  (void)state;
  const struct {
    interpose_action action;
    uint64_t at;
    int code;
  } cases[] = {
      {INTERPOSE_EIO, 2, EIO},       {INTERPOSE_EIO, 3, 200},     {INTERPOSE_ENOSPC, 2, ENOSPC},
      {INTERPOSE_ENOSPC, 3, 110},    {INTERPOSE_EINTR, 2, EINTR}, {INTERPOSE_SHORT, 2, 105},
      {INTERPOSE_ENOSPC, 1, ENOSPC}, {INTERPOSE_EIO, 1, EIO},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    interpose_plan plan = planned(cases[i].action, cases[i].at);
    unlink(in_folder("a"));
    assert_int_equal(ends(write_and_report, &plan), cases[i].code);
  }
}

/* What a child does before the power fails, and what must be left. */
static int write_synced_then_not(void *context) {
  (void)context;
  int at = open(folder, O_RDONLY | O_DIRECTORY), file = open(in_folder("a"), O_RDWR);
  if (pwrite(file, "synced", 6, 0) != 6 || fsync(file) != 0) return 1;
  if (pwrite(file, "XX", 2, 2) != 2 || pwrite(file, "tail", 4, 6) != 4) return 1;
  int made = open(in_folder("made"), O_RDWR | O_CREAT, 0600);
  if (write(made, "made", 4) != 4 || fsync(made) != 0) return 1;
  if (fsync(at) != 0) return 1;
  int lost = open(in_folder("lost"), O_RDWR | O_CREAT, 0600);
  if (write(lost, "lost", 4) != 4 || fsync(lost) != 0) return 1;
  return unlink(in_folder("kept")) || rename(in_folder("new"), in_folder("old"));
}

static void a_power_cut_loses_what_was_not_synced(void **state) {
  (void)state;
  put("a", "before");
  put("kept", "kept");
  put("new", "new");
  put("old", "old");
  disk_begin(folder);
  interpose_plan plan = planned(INTERPOSE_COUNT, 0);
  assert_int_equal(ends(write_synced_then_not, &plan), 0);
  is("a", "syXXedtail");
  assert_null(get("kept"));
  is("old", "new");
  disk_cut(folder, 0);
  is("a", "synced");
  is("made", "made");
  assert_null(get("lost"));
  is("kept", "kept");
  is("new", "new");
  is("old", "old");
}

/* A file that was removed and one made later, which would get its inode. */
static int replace_without_folder(void *context) {
  (void)context;
  if (unlink(in_folder("a"))) return 1;
  int file = open(in_folder("a"), O_RDWR | O_CREAT, 0600);
  return write(file, "second", 6) != 6 || fsync(file) != 0;
}

static void a_removed_file_comes_back_with_its_own_bytes(void **state) {
  (void)state;
  put("a", "first");
  disk_begin(folder);
  interpose_plan plan = planned(INTERPOSE_COUNT, 0);
  assert_int_equal(ends(replace_without_folder, &plan), 0);
  is("a", "second");
  disk_cut(folder, 0);
  is("a", "first");
}

static int overwrite_sectors(void *context) {
  (void)context;
  static char bytes[4000];
  memset(bytes, 'n', sizeof bytes);
  int file = open(in_folder("a"), O_RDWR);
  return pwrite(file, bytes, sizeof bytes, 0) != sizeof bytes;
}

static void a_random_cut_keeps_some_sectors(void **state) {
  (void)state;
  size_t old_length = 0, mixed = 0;
  char text[2001];
  memset(text, 'o', 2000);
  text[2000] = '\0';
  for (uint64_t seed = 1; seed <= 40; seed++) {
    put("a", text);
    disk_begin(folder);
    interpose_plan plan = planned(INTERPOSE_COUNT, 0);
    assert_int_equal(ends(overwrite_sectors, &plan), 0);
    disk_cut(folder, seed);
    struct stat facts;
    assert_int_equal(stat(in_folder("a"), &facts), 0);
    assert_true(facts.st_size == 2000 || facts.st_size == 4000);
    old_length += facts.st_size == 2000;
    const char *left = get("a");
    mixed += strchr(left, 'o') && strchr(left, 'n');
  }
  assert_true(old_length > 0 && old_length < 40);
  assert_true(mixed > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_call_is_counted_once, set_up, tear_down),
      cmocka_unit_test_setup_teardown(streams_are_caught, set_up, tear_down),
      cmocka_unit_test_setup_teardown(no_write_of_sqlite_escapes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_kill_is_where_it_was_asked, set_up, tear_down),
      cmocka_unit_test_setup_teardown(failures_are_what_was_asked, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_power_cut_loses_what_was_not_synced, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_removed_file_comes_back_with_its_own_bytes, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_random_cut_keeps_some_sectors, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
