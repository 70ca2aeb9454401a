/* test_release_run.c - the one order of events of all releases and sessions (release_run.h): it is
 * asserted, attacked by mechanisms that break it, and cut off before and after each of its steps,
 * for every mechanism. */
/* suite: release */
#include "test_support.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "child_process.h"
#include "data/rows/cell_columns.h"
#include "ledger_forgery.h"
#include "releases/core/release_kind.h"
#include "mechanisms/core/release_run.h"
#include "sfumato/function.h"
#include "sfumato/key.h"
#include "sfumato/ledger.h"
#include "sfumato/release.h"

static char root[64];

int sfumato_main(int count, char **words);

/* ---- the mechanisms ---- */

typedef struct mechanism {
  const char *name;
  const char *words; /* of the command, NULL: the library alone offers it; without its charge */
  bool session;
  const char
      *parts; /* of the command `partial`, with whose part it takes the place of rows; or NULL */
} mechanism;

#define DENSITY "density rows.csv --columns x --bounds 0:1 --epsilon 1 "
#define NORMAL "--delta 1e-6 "
#define TABLE "rows.csv --columns g --categories g=a|b --epsilon 1 "
#define TRAIN "train rows.csv --features x --bounds 0:1 --label y --epsilon 1 "
#define ONLINE                                                                                     \
  "online open s.sfs rows.csv --columns x --bounds 0:1 --bandwidth 0.2 --epsilon 1 --delta 1e-6 "

static const mechanism mechanisms[] = {
    {"lattice", DENSITY "--method lattice --bandwidth 0.2", false},
    {"lattice by group", DENSITY "--method lattice --bandwidth 0.2 --by g --categories g=a|b",
     false},
    {"gp", DENSITY "--method gp --bandwidth 0.2 " NORMAL, false},
    {"gp at places",
     DENSITY
     "--method gp --kernel matern32 --engine markov --bandwidth 0.2 --release-grid 4 " NORMAL,
     false},
    {"random features", DENSITY "--method gp --engine random --features 4 --bandwidth 0.2 " NORMAL,
     false},
    {"fourier-laplace", DENSITY "--method fourier-laplace --bandwidth 0.5", false},
    {"caratheodory", DENSITY "--method caratheodory --boundary periodic --terms 2 --bandwidth 0.3",
     false},
    {"bandwidth choice", DENSITY "--method lattice --bandwidth choose:0.2,0.4", false},
    {"series", "series rows.csv --columns x --bounds 0:1 --basis cosine --terms 4 --epsilon 1",
     false},
    {"curve",
     "curve curves.csv --columns a,b,c --grid 0:1 --kernel matern52:0.5 --clip 1 --epsilon "
     "1 " NORMAL,
     false},
    {"density of parts",
     "density --partials part.sfp --columns x --bounds 0:1 --epsilon 1 --method lattice "
     "--bandwidth 0.2",
     false, DENSITY "--method lattice --bandwidth 0.2 --rows 40"},
    {"histogram of parts",
     "histogram --partials part.sfp --columns g --categories g=a|b --epsilon 1", false,
     "histogram " TABLE "--rows 40"},
    {"histogram", "histogram " TABLE, false},
    {"sparse histogram", "histogram --sparse " TABLE, false},
    {"undeclared categories",
     "histogram rows.csv --columns g --sparse --undeclared --epsilon 1 " NORMAL, false},
    {"count", "count rows.csv --where x>0.5 --epsilon 1", false},
    {"linear", "linear --matrix matrix.csv " TABLE, false},
    {"vector", "vector theta.csv --sensitivity l1:2 --epsilon 1", false},
    {"vector in linf", "vector theta.csv --sensitivity linf:1 --epsilon 1", false},
    {"range", "range rows.csv --column x --within 0:1 --epsilon 1", false},
    {"choose", "choose scores.csv --sensitivity 1 --epsilon 1", false},
    {"train", TRAIN "--lambda 1", false},
    {"objective", TRAIN "--method objective --loss logistic --lambda 1", false},
    {"tddl", TRAIN "--method tddl --kernel gaussian:0.5 --public public.csv --lambda 1 " NORMAL,
     false},
    {"tdil", TRAIN "--method tdil --kernel gaussian:0.5 --lambda 1 " NORMAL, false},
    {"lambda choice", TRAIN "--lambda choose:0.5,1", false},
    {"score", "score model.sfm rows.csv --epsilon 1", false},
    {"function", NULL, false},
    {"online, spectral", ONLINE "--engine spectral", true},
    {"online, markov", ONLINE "--engine markov --kernel matern32", true},
    {"online, gram", ONLINE "--engine gram --kernel matern52", true},
    {"interact",
     "interact open s.sfs rows.csv --features x --bounds 0:1 --label y --lambda 1 --epsilon 10 "
     "--questions 10 --epochs 1",
     true},
};

enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms, WORDS = 48 };

/* Where a run is killed; no step: nowhere. */
typedef struct cut {
  sfmi_release_step step;
  bool done;
} cut;

static const cut NOWHERE = {SFMI_STEP_COUNT, false};

static const char *name_step(sfmi_release_step step) {
  static const char *const names[] = {"check", "ready",  "prepare", "charge",   "read",
                                      "draw",  "finish", "store",   "hand out", "(no step)"};
  return names[step];
}

/* ---- one run in a child ---- */

typedef struct attempt {
  const mechanism *of;
  cut at;
} attempt;

static cut armed;

static void die(sfmi_release_step step, bool done) {
  if (step == armed.step && done == armed.done) raise(SIGKILL);
}

static sfm_status bump(void *context, double *values, const double *points, size_t count,
                       sfm_error *error) {
  (void)context;
  (void)error;
  for (size_t i = 0; i < count; i++) values[i] = exp(-fabs(points[i] - 0.5));
  return SFM_OK;
}

/* A function of the caller's own, as a program that embeds the library releases it. */
static int release_function(const char *dataset) {
  static const double one = 1, lower = 0, upper = 1, points[] = {0.25, 0.75};
  static const char *const columns[] = {"x"};
  static const sfm_kernel kernel = {
      .family = SFM_KERNEL_LAPLACIAN, .dimension = 1, .bandwidth = &one};
  sfm_function_settings settings = sfm_function_settings_default();
  sfm_ledger *ledger = NULL;
  sfm_release *release = NULL;
  sfm_error error;
  settings.kernel = &kernel;
  settings.sensitivity = 1;
  settings.rounding = 1e-12;
  settings.values = bump;
  settings.columns = columns;
  settings.lower = &lower;
  settings.upper = &upper;
  settings.points = points;
  settings.count = 2;
  settings.epsilon = 1;
  settings.delta = 1e-6;
  sfm_status status = sfm_ledger_open(&ledger, "clinic.db", &error);
  const sfm_charge charge = {.ledger = ledger, .dataset = dataset, .request = "one"};
  settings.context.charge = &charge;
  if (!status) status = sfm_function_release(&release, &settings, &error);
  if (!status) status = sfm_release_write(release, "out.sfm", &error);
  sfm_release_destroy(release);
  sfm_ledger_close(ledger);
  return status ? 1 : 0;
}

static void split(char **words, int *count, char *text) {
  char *rest = NULL;
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    words[(*count)++] = word;
}

/* What it says goes into a file. */
static void keep_quiet(void) {
  const int nothing = open("/dev/null", O_RDWR),
            said = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(nothing, 0);
  dup2(nothing, 1);
  dup2(said, 2);
}

static int execute(void *context) {
  const attempt *r = context;
  char text[600], command[] = "sfumato", *words[WORDS] = {command};
  int count = 1;
  keep_quiet();
  armed = r->at;
  sfmi_release_run_watch = die;
  if (!r->of->words) return release_function(r->of->name);
  snprintf(text, sizeof text, "%s --ledger clinic.db --request one %s --dataset", r->of->words,
           r->of->session ? "" : "-o out.sfm");
  split(words, &count, text);
  assert_true(count + 2 < WORDS);
  words[count++] = (char *)(uintptr_t)r->of->name;
  exit(sfumato_main(count, words));
}

/* The part, made with the key of the dataset. */
static int execute_part(void *context) {
  const mechanism *of = context;
  char text[600], command[] = "sfumato", *words[WORDS] = {command};
  int count = 1;
  keep_quiet();
  snprintf(text, sizeof text, "partial %s --part 1/1 --key part.key -o part.sfp", of->parts);
  split(words, &count, text);
  exit(sfumato_main(count, words));
}

static void make_part(const mechanism *of) {
  sfm_ledger *ledger;
  sfm_key *key;
  sfm_error error;
  mechanism copy = *of;
  unlink("part.key");
  unlink("part.sfp");
  assert_ok(sfm_ledger_open(&ledger, "clinic.db", &error), &error);
  assert_ok(sfm_ledger_key(&key, ledger, of->name, &error), &error);
  assert_ok(sfm_key_write(key, "part.key", &error), &error);
  sfm_key_destroy(key);
  sfm_ledger_close(ledger);
  const child_end end = child_run(execute_part, &copy, NULL);
  assert_true(end.code == 0 && end.signal == 0);
}

static child_end perform(const mechanism *of, cut at) {
  attempt r = {of, at};
  return child_run(execute, &r, NULL);
}

static const char *what_was_said(void) {
  static char text[2000];
  size_t length = 0;
  unsigned char *bytes = forge_read("said", &length);
  snprintf(text, sizeof text, "%.*s", (int)length, bytes ? (const char *)bytes : "");
  free(bytes);
  return text;
}

/* ---- the ledger ---- */

static void add_dataset(const char *name) {
  const sfm_dataset dataset = {.name = name, .epsilon = 1000, .delta = 0.01};
  sfm_error error;
  assert_ok(sfm_ledger_create("clinic.db", NULL, &dataset, &error), &error);
}

static void expect_ledger(const char *dataset, unsigned charges, unsigned answers,
                          const char *where) {
  sfm_ledger *ledger = NULL;
  sfm_dataset_status found;
  sfm_error error;
  if (sfm_ledger_open(&ledger, "clinic.db", &error) ||
      sfm_ledger_find(ledger, &found, dataset, &error) ||
      sfm_ledger_verify(ledger, NULL, NULL, &error))
    fail_msg("%s: %s", where, error.message);
  sfm_ledger_close(ledger);
  if (found.charges != charges || found.answers != answers)
    fail_msg("%s: %llu charges and %llu answers instead of %u and %u", where,
             (unsigned long long)found.charges, (unsigned long long)found.answers, charges,
             answers);
}

/* ---- files ---- */

static void put(const char *name, const char *text) {
  forge_write(name, (const unsigned char *)text, strlen(text));
}

static const char *output_of(const mechanism *of) {
  return of->session ? "s.sfs" : "out.sfm";
}

static void remove_output(void) {
  static const char *const names[] = {"out.sfm", "s.sfs", "s.sfs.opening", "s.sfs.lock",
                                      "s.sfs-journal"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(names[i]);
}

static int set_up(void **state) {
  (void)state;
  static char rows[2000] = "id,x,y,g\n";
  for (int i = 0; i < 40; i++)
    snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%d,%g,%d,%s\n", i, i % 20 / 20.0,
             i % 20 < 10 ? -1 : 1, i % 3 ? "a" : "b");
  child_folder(root);
  if (chdir(root) != 0) return -1;
  put("rows.csv", rows);
  put("curves.csv", "a,b,c\n1,0.5,0.2\n0,0,0\n0.5,0.5,0.5\n");
  put("matrix.csv", "1,1\n1,-1\n");
  put("theta.csv", "theta\n1\n2\n3\n");
  put("scores.csv", "candidate,score\none,3\ntwo,5\n");
  put("public.csv", "x\n0.1\n0.5\n0.9\n");
  static const mechanism model = {"model", TRAIN "--lambda 1", false};
  add_dataset("model");
  if (perform(&model, NOWHERE).code != 0) return -1;
  return rename("out.sfm", "model.sfm");
}

static int tear_down(void **state) {
  (void)state;
  if (chdir("/") != 0) return -1;
  child_remove(root);
  return 0;
}

/* ---- cut off ---- */

static bool same_file(const unsigned char *bytes, size_t length, const char *path) {
  size_t other = 0;
  unsigned char *read = forge_read(path, &other);
  const bool same = read && other == length && memcmp(bytes, read, length) == 0;
  free(read);
  return same;
}

/* Repeated without a cut, the request is completed under its one charge; and what it has handed out
 * it hands out again. */
static void expect_completed(const mechanism *of, const char *dataset, const char *where) {
  size_t length = 0;
  child_end end = perform(of, NOWHERE);
  if (end.code || end.signal)
    fail_msg("%s: repeated, it ended with code %d, signal %d: %s", where, end.code, end.signal,
             what_was_said());
  expect_ledger(dataset, 1, 1, where);
  unsigned char *bytes = forge_read(output_of(of), &length);
  if (!bytes) fail_msg("%s: repeated, it wrote nothing", where);
  if (!of->session) unlink(output_of(of));
  if (of->session || test_long()) {
    end = perform(of, NOWHERE);
    if (end.code || end.signal || !same_file(bytes, length, output_of(of)))
      fail_msg("%s: once more, the answer was another", where);
    expect_ledger(dataset, 1, 1, where);
  }
  free(bytes);
}

static void cut_off(const mechanism *of, cut at, unsigned number) {
  char where[200], dataset[80];
  snprintf(dataset, sizeof dataset, "%s %u", of->name, number);
  snprintf(where, sizeof where, "%s, killed %s %s", of->name, at.done ? "after" : "before",
           name_step(at.step));
  mechanism named = *of;
  named.name = dataset;
  remove_output();
  add_dataset(dataset);
  if (of->parts) make_part(&named);
  const child_end end = perform(&named, at);
  if (end.signal != SIGKILL)
    fail_msg("%s: ended with code %d, signal %d: %s", where, end.code, end.signal, what_was_said());
  const bool charged = at.step > SFMI_STEP_CHARGE || (at.step == SFMI_STEP_CHARGE && at.done);
  const bool stored = at.step > SFMI_STEP_STORE || (at.step == SFMI_STEP_STORE && at.done);
  const bool shown = of->session && at.step == SFMI_STEP_HAND_OUT && at.done;
  expect_ledger(dataset, charged, stored, where);
  if ((access(output_of(of), F_OK) == 0) != shown)
    fail_msg("%s: %s is %sthere", where, output_of(of), shown ? "not " : "");
  expect_completed(&named, dataset, where);
}

/* What is after one step is before the next, but for the last: the long tier tries both. */
static void every_mechanism_is_cut_off_at_every_step(void **state) {
  (void)state;
  for (size_t i = 0; i < MECHANISMS; i++) {
    unsigned number = 0;
    for (int step = 0; step < SFMI_STEP_COUNT; step++)
      for (int done = 0; done < 2; done++)
        if (!done || test_long() || step == SFMI_STEP_HAND_OUT)
          cut_off(&mechanisms[i], (cut){(sfmi_release_step)step, done}, ++number);
  }
  print_message("%d mechanisms, each killed at every step\n", (int)MECHANISMS);
}

/* ---- the order ---- */

static char order[200];

static void note(sfmi_release_step step, bool done) {
  snprintf(order + strlen(order), sizeof order - strlen(order), "%s%s", done ? "." : " ",
           done ? "" : name_step(step));
}

/* A mechanism that counts records, and may misbehave. */
typedef struct counting {
  sfmi_release_run base;
  sfm_schema *schema;
  bool early;       /* asks for records before the charge */
  bool fails_after; /* fails once it has drawn */
  uint64_t count;
} counting;

static sfm_status count_records(counting *m, sfm_error *error) {
  const sfmi_batch *batch = NULL;
  sfm_status status = sfmi_rows_begin_cells(m->base.rows, m->schema, NULL, 0, error);
  m->count = 0;
  while (!status) {
    status = sfmi_rows_next(m->base.rows, &batch, error);
    if (status || !batch) break;
    m->count += batch->rows;
  }
  return status;
}

static sfm_status count_prepare(sfmi_release_run *run, sfm_error *error) {
  counting *m = (counting *)run;
  run->release = sfmi_release_create(&sfmi_count_kind);
  assert_non_null(run->release);
  run->release->guarantee = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = 1};
  run->release->contributions = 1;
  return m->early ? count_records(m, error) : SFM_OK;
}

static json_t *count_parameters(const sfmi_release_run *run) {
  (void)run;
  return json_pack("{s:s}", "mechanism", "counting");
}

static sfm_status count_read(sfmi_release_run *run, sfm_error *error) {
  return count_records((counting *)run, error);
}

static sfm_status count_draw(sfmi_release_run *run, sfm_error *error) {
  return ((counting *)run)->fails_after ? sfmi_fail(error, SFM_IO, "the disk is gone") : SFM_OK;
}

static sfm_status count_finish(sfmi_release_run *run, sfm_error *error) {
  (void)run;
  (void)error;
  return SFM_OK;
}

static const sfmi_release_steps counting_steps = {.prepare = count_prepare,
                                                  .parameters = count_parameters,
                                                  .read = count_read,
                                                  .draw = count_draw,
                                                  .finish = count_finish};

/* Runs it on three records, charged to the dataset, or to nothing (NULL). */
static sfm_status run_counting(counting *m, const char *dataset, sfm_error *error) {
  static const double cells[] = {1, 2, 3};
  static const char *const names[] = {"x"};
  sfm_ledger *ledger = NULL;
  sfm_release *out = NULL;
  assert_ok(sfm_schema_create(&m->schema, error), error);
  assert_ok(sfm_rows_from_array(&m->base.rows, cells, 3, 1, names, error), error);
  if (dataset) assert_ok(sfm_ledger_open(&ledger, "clinic.db", error), error);
  const sfm_charge charge = {.ledger = ledger, .dataset = dataset, .request = "one"};
  sfm_context context = sfm_context_default();
  context.charge = dataset ? &charge : NULL;
  sfm_rows *rows = m->base.rows;
  m->base = sfmi_release_run_statistic(&counting_steps, &context, NULL);
  m->base.rows = rows;
  order[0] = '\0';
  sfmi_release_run_watch = note;
  const sfm_status status = sfmi_release_run_all(&out, &m->base, error);
  sfmi_release_run_watch = NULL;
  assert_true(!status == (out != NULL));
  sfm_release_destroy(out);
  sfm_ledger_close(ledger);
  sfm_rows_destroy(m->base.rows);
  sfm_schema_destroy(m->schema);
  return status;
}

#define TO_CHARGE " check. ready. prepare. charge."
#define FROM_CHARGE " read. draw. finish. store. hand out."

static void steps_come_in_one_order(void **state) {
  (void)state;
  counting m = {.early = false};
  sfm_error error;
  assert_ok(run_counting(&m, NULL, &error), &error);
  assert_string_equal(order, TO_CHARGE FROM_CHARGE);
  assert_int_equal(m.count, 3);
}

/* Real ones, with a charge: the first time, and repeated, when nothing is read or drawn. */
static int record_order(void *context) {
  const mechanism *of = context;
  sfmi_release_run_watch = note;
  const int code = release_function(of->name);
  forge_write("order", (const unsigned char *)order, strlen(order));
  return code;
}

static void an_answered_request_reads_nothing(void **state) {
  (void)state;
  static const char *const orders[] = {TO_CHARGE FROM_CHARGE, TO_CHARGE};
  mechanism function = {"twice", NULL, false};
  add_dataset("twice");
  for (int i = 0; i < 2; i++) {
    order[0] = '\0';
    assert_int_equal(child_run(record_order, &function, NULL).code, 0);
    size_t length = 0;
    unsigned char *bytes = forge_read("order", &length);
    assert_int_equal(length, strlen(orders[i]));
    assert_memory_equal(bytes, orders[i], length);
    free(bytes);
  }
  expect_ledger("twice", 1, 1, "twice");
}

/* It fails at its first run, and nothing is charged for it. */
static void who_reads_before_the_charge_fails(void **state) {
  (void)state;
  sfm_error error;
  add_dataset("early");
  for (int charged = 0; charged < 2; charged++) {
    counting m = {.early = true};
    assert_int_equal(run_counting(&m, charged ? "early" : NULL, &error), SFM_INTERNAL);
    assert_non_null(strstr(error.message, "before the charge"));
    assert_int_equal(m.count, 0);
    assert_string_equal(order, " check. ready. prepare");
  }
  expect_ledger("early", 0, 0, "early");
}

/* Nothing is handed out (run_counting checks), and the message says that the charge stands. */
static void who_fails_after_the_charge_hands_out_nothing(void **state) {
  (void)state;
  counting m = {.fails_after = true};
  sfm_error error;
  add_dataset("late");
  assert_int_equal(run_counting(&m, "late", &error), SFM_IO);
  assert_non_null(strstr(error.message, "the disk is gone"));
  assert_non_null(strstr(error.message, "request"));
  assert_string_equal(order, TO_CHARGE " read. draw");
  expect_ledger("late", 1, 0, "late");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_come_in_one_order),
      cmocka_unit_test(an_answered_request_reads_nothing),
      cmocka_unit_test(who_reads_before_the_charge_fails),
      cmocka_unit_test(who_fails_after_the_charge_hands_out_nothing),
      cmocka_unit_test(every_mechanism_is_cut_off_at_every_step),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
