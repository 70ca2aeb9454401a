/* test_command_signals.c - the command gets a signal at every call that changes its files, or reads
 * them: it ends by that signal, what was charged has its answer or is completed by a repetition
 * under the same charge, and no temporary file stays. */
/* suite: both */
#include "test_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child_process.h"
#include "ledger_forgery.h"
#include "sfumato/ledger.h"

static char root[64], here[80], there[80], said_path[96], printed[96];
static char said[8192];
static interpose_report *report; /* in memory that children share */

/* The command's own main: a child that calls it starts five times as fast as one that executes the
 * program, and is the same program from there on. */
int sfumato_main(int count, char **words);

/* One run of the command: its words, what happens at which call, and where its output goes. */
typedef struct run {
  const char *words[40];
  int signal; /* 0: none */
  uint64_t at;
  bool on, reads, count;
  bool ignored;   /* the signal, from the start */
  int output;     /* its standard output; 0: the file `printed` */
  rlim_t largest; /* file it may write, where limited */
  bool limited;
} run;

static int execute(void *context) {
  const run *r = context;
  const int nothing = open("/dev/null", O_RDONLY);
  const int errors = open(said_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int file = open(printed, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int count = 0;
  dup2(nothing, 0);
  dup2(r->output ? r->output : file, 1);
  dup2(errors, 2);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  /* Whoever runs the tests in the background has them ignore some. */
  if (r->signal) signal(r->signal, r->ignored ? SIG_IGN : SIG_DFL);
  if (r->limited) {
    const struct rlimit limit = {r->largest, r->largest};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 126;
  }
  if (chdir(here) != 0) return 126;
  if (r->signal || r->count)
    interpose_arm(&(interpose_plan){.folders = {here, there},
                                    .action = r->count ? INTERPOSE_COUNT : INTERPOSE_SIGNAL,
                                    .signal = r->signal,
                                    .at = r->at,
                                    .on = r->on,
                                    .reads = r->reads,
                                    .report = report});
  while (r->words[count]) count++;
  exit(sfumato_main(count, (char **)(uintptr_t)r->words));
}

static child_end perform(const run *r) {
  size_t length = 0;
  memset(report, 0, sizeof *report);
  const child_end end = child_run(execute, (void *)(uintptr_t)r, NULL);
  unsigned char *bytes = forge_read(said_path, &length);
  snprintf(said, sizeof said, "%.*s", (int)length, bytes ? (const char *)bytes : "");
  free(bytes);
  return end;
}

/* Undisturbed, it must do its work. */
static void expect_done(const run *r, const char *where) {
  run plain = *r;
  plain.signal = 0;
  plain.on = plain.reads = plain.count = plain.limited = false;
  plain.output = 0;
  const child_end end = perform(&plain);
  if (end.signal || end.code)
    fail_msg("%s: undisturbed, it ended with signal %d, code %d: %s", where, end.signal, end.code,
             said);
}

/* How many calls there are to be disturbed at. */
static uint64_t count_calls(const run *r) {
  run counted = *r;
  counted.count = true;
  const child_end end = perform(&counted);
  if (end.signal || end.code)
    fail_msg("counting: signal %d, code %d: %s", end.signal, end.code, said);
  assert_true(report->calls > 0);
  return report->calls;
}

static char *in_here(const char *name) {
  static char path[4][128];
  static unsigned next;
  char *at = path[next++ % 4];
  snprintf(at, sizeof path[0], "%s/%s", here, name);
  return at;
}

static bool is_there(const char *name) {
  return access(in_here(name), F_OK) == 0;
}

/* ---- what is left ---- */

/* Only files of these names, NULL last, are in the folders. */
static void expect_files(const char *const *names, const char *where) {
  const char *folders[] = {here, there};
  for (int f = 0; f < 2; f++) {
    DIR *dir = opendir(folders[f]);
    assert_non_null(dir);
    for (struct dirent *item; (item = readdir(dir));) {
      bool known = item->d_name[0] == '.' && strspn(item->d_name, ".") == strlen(item->d_name);
      for (size_t i = 0; names[i]; i++) known = known || !strcmp(item->d_name, names[i]);
      if (!known) fail_msg("%s: %s was left behind; it said: %s", where, item->d_name, said);
    }
    closedir(dir);
  }
}

static sfm_dataset_status patients(const char *where) {
  sfm_ledger *ledger = NULL;
  sfm_dataset_status found = {.charges = 0};
  sfm_error error;
  if (sfm_ledger_open(&ledger, in_here("clinic.db"), &error) ||
      sfm_ledger_find(ledger, &found, "patients", &error) ||
      sfm_ledger_verify(ledger, NULL, NULL, &error))
    fail_msg("%s: %s", where, error.message);
  sfm_ledger_close(ledger);
  return found;
}

static void expect_same(const char *one, const char *other, const char *where) {
  size_t lengths[2] = {0, 0};
  unsigned char *a = forge_read(in_here(one), &lengths[0]),
                *b = forge_read(in_here(other), &lengths[1]);
  if (!a || !b || lengths[0] != lengths[1] || memcmp(a, b, lengths[0]) != 0)
    fail_msg("%s: %s and %s differ", where, one, other);
  free(a);
  free(b);
}

/* ---- the room ---- */

static const char rows_text[] = "age\n1\n2\n3\n9\n";

static void empty(void) {
  child_remove(here);
  child_remove(there);
  assert_int_equal(mkdir(here, 0700), 0);
  assert_int_equal(mkdir(there, 0700), 0);
  forge_write(in_here("rows.csv"), (const unsigned char *)rows_text, strlen(rows_text));
}

/* The files of the folder, which holds no folders; modes are those of the owner alone. */
static void copy_files(const char *to, const char *from) {
  char paths[2][512];
  assert_int_equal(mkdir(to, 0700), 0);
  DIR *dir = opendir(from);
  assert_non_null(dir);
  for (struct dirent *item; (item = readdir(dir));) {
    size_t length = 0;
    if (item->d_name[0] == '.' && strspn(item->d_name, ".") == strlen(item->d_name)) continue;
    snprintf(paths[0], sizeof paths[0], "%s/%s", from, item->d_name);
    snprintf(paths[1], sizeof paths[1], "%s/%s", to, item->d_name);
    unsigned char *bytes = forge_read(paths[0], &length);
    assert_non_null(bytes);
    forge_write(paths[1], bytes, length);
    assert_int_equal(chmod(paths[1], 0600), 0);
    free(bytes);
  }
  closedir(dir);
}

static void copy_folders(const char *to, const char *from) {
  static const char *const names[] = {"here", "there"};
  char paths[2][200];
  mkdir(to, 0700);
  for (int i = 0; i < 2; i++) {
    snprintf(paths[0], sizeof paths[0], "%s/%s", from, names[i]);
    snprintf(paths[1], sizeof paths[1], "%s/%s", to, names[i]);
    child_remove(paths[1]);
    copy_files(paths[1], paths[0]);
  }
}

/* What `make` makes in empty folders: made once, under that name, and then copied. */
static void prepare(const char *name, void (*make)(void)) {
  char kept[96];
  snprintf(kept, sizeof kept, "%s/%s", root, name);
  if (access(kept, F_OK) == 0) {
    copy_folders(root, kept);
  } else {
    empty();
    make();
    copy_folders(kept, root);
  }
}

static void make_ledger(void) {
  const run create = {.words = {"sfumato", "ledger", "create", "clinic.db", "--dataset", "patients",
                                "--epsilon", "100", "--delta", "0.01", "--anchor",
                                "../there/anchor", NULL}};
  expect_done(&create, "ledger create");
}

/* Rows, and a ledger that has charged nothing. */
static void begin(void) {
  prepare("ledger", make_ledger);
}

#define CHARGE "--ledger", "clinic.db", "--dataset", "patients"
#define DENSITY                                                                                    \
  "sfumato", "density", "rows.csv", "--columns", "age", "--bounds", "0:10", "--bandwidth", "4",    \
      "--epsilon", "0.25"

static const int kinds[] = {SIGINT, SIGTERM, SIGHUP};

static void expect_signal(const run *r, child_end end, const char *where) {
  if (end.signal != r->signal)
    fail_msg("%s: ended with signal %d, code %d: %s", where, end.signal, end.code, said);
}

static void say_where(char *where, size_t size, const run *r) {
  snprintf(where, size, "%s, signal %d at %s %llu%s (%s)", r->words[1], r->signal,
           r->reads ? "read" : "call", (unsigned long long)r->at, r->on ? " and later" : "",
           report->hit);
}

/* ---- releases ---- */

/* The id that was printed: of "(request ID)". */
static void read_request(char *id, size_t size) {
  const char *at = strstr(said, "(request ");
  assert_non_null(at);
  at += strlen("(request ");
  snprintf(id, size, "%.*s", (int)strcspn(at, ")"), at);
}

/* At call `at` of a release; returns whether it was charged and whether it was answered. */
static void disturb_release(run *r, bool named, bool *charged, bool *answered) {
  static const char *const files[] = {"rows.csv", "clinic.db", "anchor", "out.sfm", NULL};
  char where[500], id[64] = "one";
  begin();
  const child_end end = perform(r);
  say_where(where, sizeof where, r);
  expect_signal(r, end, where);
  expect_files(files, where);
  const sfm_dataset_status after = patients(where);
  *charged = after.charges > 0;
  *answered = after.answers > 0;
  if (*charged && !strstr(said, "is charged")) fail_msg("%s: it said: %s", where, said);
  if (*charged && !named) read_request(id, sizeof id);
  if (*charged && !*answered && !strstr(said, "ended, although request"))
    fail_msg("%s: it said: %s", where, said);
  if (!*charged && (is_there("out.sfm") || strstr(said, "request")))
    fail_msg("%s: uncharged, it said: %s", where, said);
  if (*answered != is_there("out.sfm")) fail_msg("%s: stored and not written, or so", where);
  const run again = {.words = {DENSITY, CHARGE, "--request", id, "-o", "again.sfm", NULL}};
  expect_done(&again, where);
  if (*answered) expect_same("out.sfm", "again.sfm", where);
  const sfm_dataset_status last = patients(where);
  if (last.charges != 1 || last.answers != 1)
    fail_msg("%s: %d charges, %d answers", where, (int)last.charges, (int)last.answers);
}

/* One signal: what was charged is finished and written. */
static void one_signal_waits_for_the_answer(void **state) {
  (void)state;
  for (int named = 0; named < 2; named++) {
    run r = {.words = {DENSITY, CHARGE, "-o", "out.sfm", named ? "--request" : NULL, "one", NULL}};
    uint64_t before = 0, after = 0;
    for (int reads = 0; reads < 2; reads++) {
      begin();
      r.reads = reads;
      const uint64_t calls = count_calls(&r);
      for (r.at = 1; r.at <= calls; r.at += COMMAND_STRIDE) {
        bool charged, answered;
        r.signal = kinds[r.at % 3];
        disturb_release(&r, named, &charged, &answered);
        if (charged != answered) fail_msg("call %d: charged and not answered: %s", (int)r.at, said);
        before += !charged;
        after += charged;
      }
      r.signal = 0;
    }
    print_message("%d signals before the charge, %d after it\n", (int)before, (int)after);
    assert_true(before > 0 && after > 0);
  }
}

/* A second signal ends the command between the charge and the answer, and says how to go on. */
static void the_second_signal_ends_it(void **state) {
  (void)state;
  run r = {.words = {DENSITY, CHARGE, "-o", "out.sfm", "--request", "one", NULL}, .reads = true};
  begin();
  const uint64_t calls = count_calls(&r);
  unsigned cut = 0;
  r.on = true;
  for (r.at = 1; r.at <= calls; r.at++) {
    bool charged, answered;
    r.signal = kinds[r.at % 3];
    disturb_release(&r, true, &charged, &answered);
    cut += charged && !answered;
  }
  print_message("cut between charge and answer: %u times\n", cut);
  assert_true(cut > 0);
}

static void an_ignored_signal_stays_ignored(void **state) {
  (void)state;
  run r = {.words = {DENSITY, CHARGE, "-o", "out.sfm", "--request", "one", NULL},
           .signal = SIGHUP,
           .at = 1,
           .on = true,
           .ignored = true};
  begin();
  const child_end end = perform(&r);
  if (end.signal || end.code) fail_msg("signal %d, code %d: %s", end.signal, end.code, said);
  assert_true(is_there("out.sfm"));
}

/* ---- other verbs ---- */

/* At each call of a verb; `check` looks at what is left, `lay_out` makes the room. */
static void disturb_each(run *r, void (*lay_out)(void), void (*check)(const char *where)) {
  char where[500];
  for (int on = 0; on < 2; on++) {
    lay_out();
    r->signal = 0;
    const uint64_t calls = count_calls(r);
    r->on = on;
    for (r->at = 1; r->at <= calls; r->at += COMMAND_STRIDE) {
      lay_out();
      r->signal = kinds[r->at % 3];
      const child_end end = perform(r);
      say_where(where, sizeof where, r);
      expect_signal(r, end, where);
      check(where);
    }
  }
}

static void check_uncharged_release(const char *where) {
  static const char *const files[] = {"rows.csv", "out.sfm", NULL};
  const run show = {.words = {"sfumato", "show", "out.sfm", NULL}};
  expect_files(files, where);
  if (is_there("out.sfm")) expect_done(&show, where);
}

static void a_release_without_a_ledger(void **state) {
  (void)state;
  run r = {.words = {DENSITY, "-o", "out.sfm", NULL}};
  disturb_each(&r, empty, check_uncharged_release);
}

static void make_release(void) {
  const run release = {.words = {DENSITY, "-o", "r.sfm", NULL}};
  expect_done(&release, "density");
}

static void prepare_values(void) {
  prepare("release", make_release);
}

static void check_values(const char *where) {
  static const char *const files[] = {"rows.csv", "r.sfm", "out.csv", "out.svg", NULL};
  expect_files(files, where);
}

static void results_of_readers(void **state) {
  (void)state;
  run values = {.words = {"sfumato", "eval", "r.sfm", "--at", "1,2,3", "-o", "out.csv", NULL}};
  run picture = {.words = {"sfumato", "plot", "r.sfm", "-o", "out.svg", NULL}};
  disturb_each(&values, prepare_values, check_values);
  disturb_each(&picture, prepare_values, check_values);
}

static void check_created(const char *where) {
  static const char *const files[] = {"rows.csv", "clinic.db", "anchor", NULL};
  expect_files(files, where);
  if (is_there("clinic.db")) (void)patients(where);
}

static void the_making_of_a_ledger(void **state) {
  (void)state;
  run r = {.words = {"sfumato", "ledger", "create", "clinic.db", "--dataset", "patients",
                     "--epsilon", "1", "--anchor", "../there/anchor", NULL}};
  disturb_each(&r, empty, check_created);
}

/* ---- sessions ---- */

#define OPEN                                                                                       \
  "sfumato", "online", "open", "s.sfs", "rows.csv", "--columns", "age", "--bounds", "0:10",        \
      "--bandwidth", "4", "--epsilon", "1", "--delta", "1e-6", "--kernel", "laplacian",            \
      "--engine", "gram", CHARGE, "--request", "one"

static const run open_session = {.words = {OPEN, NULL}};
static const run ask_session = {.words = {"sfumato", "online", "ask", "s.sfs", "--at", "3", NULL}};

/* With one signal nothing is left but what was made; whatever was, a repetition completes it. */
static void check_opened(const char *where) {
  static const char *const files[] = {"rows.csv", "clinic.db", "anchor", "s.sfs", NULL};
  if (!strstr(where, "and later")) {
    expect_files(files, where);
    const sfm_dataset_status after = patients(where);
    if (is_there("s.sfs") != (after.charges == 1)) fail_msg("%s: charged and not made", where);
  }
  expect_done(&open_session, where);
  expect_files(files, where);
  expect_done(&ask_session, where);
  if (patients(where).charges != 1) fail_msg("%s: charged twice", where);
}

static void the_making_of_a_session(void **state) {
  (void)state;
  run r = open_session;
  disturb_each(&r, begin, check_opened);
}

static void make_session(void) {
  make_ledger();
  expect_done(&open_session, "online open");
}

static void prepare_session(void) {
  prepare("session", make_session);
}

/* What was printed stays the answer. */
static void check_asked(const char *where) {
  static const char *const files[] = {"rows.csv", "clinic.db", "anchor", "s.sfs", NULL};
  size_t before = 0, after = 0;
  if (!strstr(where, "and later")) expect_files(files, where);
  unsigned char *first = forge_read(printed, &before);
  expect_done(&ask_session, where);
  unsigned char *second = forge_read(printed, &after);
  if (before > after || memcmp(first, second, before) != 0)
    fail_msg("%s: another answer: %.*s and %.*s", where, (int)before, (char *)first, (int)after,
             (char *)second);
  free(first);
  free(second);
}

static void questions_of_a_session(void **state) {
  (void)state;
  run r = ask_session;
  disturb_each(&r, prepare_session, check_asked);
}

static void make_asked(void) {
  make_session();
  expect_done(&ask_session, "online ask");
}

static void prepare_asked(void) {
  prepare("asked", make_asked);
}

/* The transcript is there, whole, before the session is wiped. */
static void check_closed(const char *where) {
  static const char *const files[] = {"rows.csv", "clinic.db", "anchor", "s.sfs", "t.sfm", NULL};
  const run show = {.words = {"sfumato", "show", "t.sfm", NULL}};
  expect_files(files, where);
  if (is_there("t.sfm")) expect_done(&show, where);
  if (is_there("s.sfs")) expect_done(&ask_session, where);
  if (!is_there("s.sfs") && !is_there("t.sfm")) fail_msg("%s: both are gone", where);
}

static void the_end_of_a_session(void **state) {
  (void)state;
  run r = {.words = {"sfumato", "online", "close", "s.sfs", "-o", "t.sfm", NULL}};
  disturb_each(&r, prepare_asked, check_closed);
}

/* ---- a reader that is gone, a file that may not grow ---- */

static int closed_pipe(void) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  close(ends[0]);
  return ends[1];
}

static void a_reader_that_is_gone(void **state) {
  (void)state;
  static const char *const files[] = {"rows.csv", "clinic.db", "anchor", NULL};
  const int gone = closed_pipe();
  run release = {.words = {DENSITY, CHARGE, "--request", "one", "-o", "-", NULL}, .output = gone};
  run count = {.words = {"sfumato", "count", "rows.csv", "--where", "age > 2", "--epsilon", "1",
                         CHARGE, "--request", "two", NULL},
               .output = gone};
  run show = {.words = {"sfumato", "show", "out.sfm", NULL}, .output = gone};
  begin();
  child_end end = perform(&release);
  if (end.signal || end.code != 1) fail_msg("signal %d, code %d: %s", end.signal, end.code, said);
  assert_non_null(strstr(said, "--request one"));
  expect_files(files, "density");
  end = perform(&count);
  if (end.signal || end.code != 1) fail_msg("signal %d, code %d: %s", end.signal, end.code, said);
  assert_non_null(strstr(said, "--request two"));
  assert_int_equal(patients("density and count").answers, 2);
  release.words[sizeof((const char *[]){DENSITY, CHARGE}) / sizeof(char *) + 3] = "out.sfm";
  expect_done(&release, "density, to a file");
  expect_done(&count, "count, repeated");
  assert_int_equal(patients("repeated").charges, 2);
  /* Who only reads ends as everybody does before a head(1). */
  end = perform(&show);
  assert_int_equal(end.signal, SIGPIPE);
  assert_string_equal(said, "");
  close(gone);
}

/* A vector of so many numbers is larger than the ledger: its charge fits where its answer does
 * not. */
static void write_vector(void) {
  FILE *file = fopen(in_here("v.csv"), "w");
  assert_non_null(file);
  fputs("v\n", file);
  for (int i = 0; i < 3000; i++) fprintf(file, "%d\n", i);
  assert_int_equal(fclose(file), 0);
}

static void a_file_that_may_not_grow(void **state) {
  (void)state;
  static const char *const files[] = {"rows.csv", "v.csv", "clinic.db", "anchor", "out.sfm", NULL};
  run r = {.words = {"sfumato", "vector", "v.csv", "--sensitivity", "l1:1", "--epsilon", "1",
                     CHARGE, "--request", "one", "-o", "out.sfm", NULL},
           .limited = true};
  unsigned charged = 0, free_of_charge = 0;
  bool done = false;
  for (r.largest = 0; !done; r.largest += r.largest < 2048 ? 512 : 4096) {
    char where[80];
    assert_true(r.largest < 1 << 20);
    snprintf(where, sizeof where, "at most %d bytes", (int)r.largest);
    begin();
    write_vector();
    const child_end end = perform(&r);
    if (end.signal || end.code > 1)
      fail_msg("%s: signal %d, code %d: %s", where, end.signal, end.code, said);
    /* A journal that could not be played back is played back by who opens the ledger next. */
    const sfm_dataset_status after = patients(where);
    expect_files(files, where);
    done = end.code == 0;
    /* Where nothing can be written, a message cannot either. */
    if (!done && after.charges && r.largest > 512 && !strstr(said, "--request one"))
      fail_msg("%s: it said: %s", where, said);
    if (!done && is_there("out.sfm")) fail_msg("%s: it failed, and wrote", where);
    charged += !done && after.charges;
    free_of_charge += !done && !after.charges;
    expect_done(&r, where);
    assert_int_equal(patients(where).charges, 1);
  }
  print_message("failed uncharged at %u limits, charged at %u\n", free_of_charge, charged);
  assert_true(free_of_charge > 0 && charged > 0);
}

static int set_up(void **state) {
  (void)state;
  child_folder(root);
  snprintf(here, sizeof here, "%s/here", root);
  snprintf(there, sizeof there, "%s/there", root);
  snprintf(said_path, sizeof said_path, "%s/said", root);
  snprintf(printed, sizeof printed, "%s/printed", root);
  report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return report == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state) {
  (void)state;
  munmap(report, sizeof *report);
  child_remove(root);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_signal_waits_for_the_answer),
      cmocka_unit_test(the_second_signal_ends_it),
      cmocka_unit_test(an_ignored_signal_stays_ignored),
      cmocka_unit_test(a_release_without_a_ledger),
      cmocka_unit_test(results_of_readers),
      cmocka_unit_test(the_making_of_a_ledger),
      cmocka_unit_test(the_making_of_a_session),
      cmocka_unit_test(questions_of_a_session),
      cmocka_unit_test(the_end_of_a_session),
      cmocka_unit_test(a_reader_that_is_gone),
      cmocka_unit_test(a_file_that_may_not_grow),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
