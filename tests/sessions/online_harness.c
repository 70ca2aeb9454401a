#include "online_harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/child_process.h"

void online_harness_say(const online_harness *d, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(d->word->text, ONLINE_HARNESS_MESSAGE, format, arguments);
  va_end(arguments);
}

void online_harness_copy(const char *to, const char *from) {
  char buffer[1 << 16];
  int source = open(from, O_RDONLY | O_CLOEXEC);
  int target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (source < 0 || target < 0) abort();
  for (ssize_t got; (got = read(source, buffer, sizeof buffer)) > 0;)
    if (write(target, buffer, (size_t)got) != got) abort();
  close(source);
  close(target);
}

void online_harness_copy_folder(const char *to, const char *from) {
  char source[512], target[512];
  child_remove(to);
  if (mkdir(to, 0700) != 0) abort();
  DIR *dir = opendir(from);
  if (!dir) abort();
  for (struct dirent *item; (item = readdir(dir));) {
    if (item->d_name[0] == '.' && (!item->d_name[1] || item->d_name[1] == '.')) continue;
    snprintf(source, sizeof source, "%s/%s", from, item->d_name);
    snprintf(target, sizeof target, "%s/%s", to, item->d_name);
    online_harness_copy(target, source);
  }
  closedir(dir);
}

static void beside(char path[256], const online_harness *d, const char *name) {
  snprintf(path, 256, "%s/%s", d->root, name);
}

void online_harness_keep(online_harness *d) {
  char path[256];
  beside(path, d, "kept-here");
  online_harness_copy_folder(path, d->here);
  beside(path, d, "kept-there");
  online_harness_copy_folder(path, d->there);
  beside(path, d, "kept-shown");
  online_harness_copy(path, d->shown);
}

void online_harness_again(online_harness *d) {
  char path[256];
  beside(path, d, "kept-here");
  online_harness_copy_folder(d->here, path);
  beside(path, d, "kept-there");
  online_harness_copy_folder(d->there, path);
  beside(path, d, "kept-shown");
  online_harness_copy(d->shown, path);
  *d->word = (online_harness_word){.text = ""};
}

static void make_ledger(const online_harness *d) {
  const sfm_dataset dataset = {"patients", 3, 1e-5, SFM_ACCOUNTING_BASIC};
  sfm_error error;
  assert_ok(sfm_ledger_create(d->ledger, NULL, &dataset, &error), &error);
}

void online_harness_init(online_harness *d, sfm_engine engine, online_harness_keeper keeper) {
  *d = (online_harness){.engine = engine,
                        .keeper = keeper,
                        .kernel = engine == SFM_ENGINE_SPECTRAL ? SFM_KERNEL_GAUSSIAN
                                  : engine == SFM_ENGINE_MARKOV ? SFM_KERNEL_MATERN32
                                                                : SFM_KERNEL_CAUCHY,
                        .batches = 2,
                        .request = "r1"};
  child_folder(d->root);
  snprintf(d->here, sizeof d->here, "%s/here", d->root);
  snprintf(d->there, sizeof d->there, "%s/there", d->root);
  snprintf(d->session, sizeof d->session, "%s/s.sfs", d->here);
  snprintf(d->ledger, sizeof d->ledger, "%s/clinic.db", d->there);
  snprintf(d->anchor, sizeof d->anchor, "%s/anchor", d->there);
  snprintf(d->shown, sizeof d->shown, "%s/shown.log", d->root);
  if (mkdir(d->here, 0700) || mkdir(d->there, 0700)) abort();
  close(open(d->shown, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  density_fixture_rows(d->rows, ONLINE_HARNESS_ROWS, 1, 0, 1, 5);
  d->word = mmap(NULL, sizeof *d->word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (d->word == MAP_FAILED) abort();
  if (keeper == ONLINE_HARNESS_LEDGER) make_ledger(d);
  online_harness_keep(d);
}

void online_harness_clear(online_harness *d) {
  child_remove(d->root);
  munmap(d->word, sizeof *d->word);
}

/* ---- what a process does ---- */

sfm_status online_harness_create(const online_harness *d, const char *path, sfm_error *error) {
  density_fixture t;
  sfm_rows *rows = NULL;
  sfm_ledger *ledger = NULL;
  sfm_status status = SFM_OK;
  density_fixture_init(&t, 1, 0, 1, 0.25, 1, 1e-6);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.calibration = SFM_CALIBRATION_CLASSICAL; /* faster */
  t.settings.kernel = d->kernel;
  t.settings.engine = d->engine;
  if (d->keeper == ONLINE_HARNESS_LEDGER) status = sfm_ledger_open(&ledger, d->ledger, error);
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = d->request};
  if (ledger) t.settings.context.charge = &charge;
  if (!status)
    status =
        sfm_rows_from_array(&rows, d->rows, ONLINE_HARNESS_ROWS, 1, density_fixture_columns, error);
  if (!status)
    status = sfm_online_create(path, rows, &t.settings,
                               d->keeper == ONLINE_HARNESS_ANCHOR ? d->anchor : NULL, error);
  sfm_rows_destroy(rows);
  sfm_ledger_close(ledger);
  density_fixture_clear(&t);
  return status;
}

typedef struct line {
  double point, answer;
} line;

sfm_status online_harness_ask(const online_harness *d, sfm_online *session, const double *points,
                              size_t count, sfm_error *error) {
  double answers[ONLINE_HARNESS_POINTS];
  line lines[ONLINE_HARNESS_POINTS];
  assert_true(count <= ONLINE_HARNESS_POINTS);
  sfm_status status = sfm_online_ask(session, answers, points, count, error);
  if (status) return status;
  for (size_t i = 0; i < count; i++) lines[i] = (line){points[i], answers[i]};
  int log = open(d->shown, O_WRONLY | O_APPEND | O_CLOEXEC);
  const ssize_t size = (ssize_t)(count * sizeof *lines);
  if (log < 0 || write(log, lines, (size_t)size) != size) abort();
  close(log);
  __atomic_add_fetch(&d->word->answered, 1, __ATOMIC_SEQ_CST);
  return SFM_OK;
}

void online_harness_batch(double points[ONLINE_HARNESS_BATCH], unsigned number, unsigned salt) {
  points[0] = 0.5;
  points[1] = (double)((number * 37 + salt * 11) % 101) / 101;
  points[2] = number ? (double)(((number - 1) * 37 + salt * 11) % 101) / 101 : -0.0;
  points[3] = points[1];
  points[4] = points[1] + 1e-12;
  points[5] = 1 - (double)number / 1024;
}

static sfm_status ask_batches(const online_harness *d, sfm_error *error) {
  sfm_online *session = NULL;
  sfm_status status = sfm_online_open(&session, d->session, error);
  for (unsigned i = 0; i < d->batches && !status; i++) {
    double points[ONLINE_HARNESS_BATCH];
    online_harness_batch(points, i, d->salt);
    status = online_harness_ask(d, session, points, ONLINE_HARNESS_BATCH, error);
  }
  sfm_online_close(session);
  return status;
}

int online_harness_visitor(void *context) {
  const online_harness *d = context;
  sfm_error error = {.message = ""};
  sfm_status status = ask_batches(d, &error);
  if (status) online_harness_say(d, "%s", error.message);
  return (int)status;
}

int online_harness_client(void *context) {
  const online_harness *d = context;
  sfm_error error = {.message = ""};
  sfm_status status = SFM_OK;
  /* With a ledger the request may always be repeated. */
  if (d->keeper == ONLINE_HARNESS_LEDGER || access(d->session, F_OK) != 0)
    status = online_harness_create(d, d->session, &error);
  if (!status) status = ask_batches(d, &error);
  if (status) online_harness_say(d, "%s", error.message);
  return (int)status;
}

/* ---- the check ---- */

static bool check_ledger(const online_harness *d, sfm_error *error) {
  sfm_ledger *ledger = NULL;
  sfm_dataset_status found;
  bool good = !sfm_ledger_open(&ledger, d->ledger, error) &&
              !sfm_ledger_verify(ledger, NULL, NULL, error) &&
              !sfm_ledger_find(ledger, &found, "patients", error);
  if (!good)
    online_harness_say(d, "the ledger: %s", error->message);
  else if (found.charges != 1 || found.answers != 1)
    online_harness_say(d, "%llu charges and %llu answers in the ledger",
                       (unsigned long long)found.charges, (unsigned long long)found.answers);
  good = good && found.charges == 1 && found.answers == 1;
  sfm_ledger_close(ledger);
  return good;
}

static bool same(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

/* Every answer that was shown once is shown again. */
static bool check_shown(const online_harness *d, sfm_online *session, sfm_error *error) {
  static line lines[1 << 16];
  int log = open(d->shown, O_RDONLY | O_CLOEXEC);
  if (log < 0) abort();
  const ssize_t got = read(log, lines, sizeof lines);
  close(log);
  if (got < 0 || got == sizeof lines || got % (ssize_t)sizeof *lines) abort();
  for (size_t i = 0; i < (size_t)got / sizeof *lines; i++) {
    double answer;
    if (sfm_online_ask(session, &answer, &lines[i].point, 1, error)) {
      online_harness_say(d, "asked again: %s", error->message);
      return false;
    }
    if (same(answer, lines[i].answer)) continue;
    online_harness_say(d, "the answer at %.17g was %a and is %a", lines[i].point, lines[i].answer,
                       answer);
    return false;
  }
  return true;
}

int online_harness_check(void *context) {
  const online_harness *d = context;
  sfm_error error = {.message = ""};
  sfm_online *session = NULL;
  bool good = !sfm_online_open(&session, d->session, &error);
  if (!good) online_harness_say(d, "the session does not open: %s", error.message);
  good = good && check_shown(d, session, &error);
  sfm_online_close(session);
  if (good && d->keeper == ONLINE_HARNESS_LEDGER) good = check_ledger(d, &error);
  return !good;
}

int online_harness_finish(void *context) {
  const online_harness *d = context;
  const int code = online_harness_client(context);
  if (code) {
    char text[ONLINE_HARNESS_MESSAGE / 2];
    snprintf(text, sizeof text, "%.900s", d->word->text);
    online_harness_say(d, "a clean retry failed: %s", text);
    return 1;
  }
  return online_harness_check(context);
}

/* ---- one question ---- */

typedef struct single {
  const online_harness *d;
  const char *path;
  double x, value;
} single;

static int ask_single(void *context) {
  single *s = context;
  sfm_error error = {.message = ""};
  sfm_online *session = NULL;
  sfm_status status = sfm_online_open(&session, s->path, &error);
  if (!status) status = sfm_online_ask(session, &s->value, &s->x, 1, &error);
  sfm_online_close(session);
  if (status) online_harness_say(s->d, "%s", error.message);
  return (int)status;
}

sfm_status online_harness_ask_at(const online_harness *d, const char *path, double x,
                                 double *value) {
  single *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s == MAP_FAILED) abort();
  *s = (single){d, path, x, NAN};
  d->word->text[0] = '\0';
  child_end end = child_run(ask_single, s, NULL);
  if (end.signal) fail_msg("asking %s ended with signal %d", path, end.signal);
  *value = s->value;
  munmap(s, sizeof *s);
  return (sfm_status)end.code;
}
