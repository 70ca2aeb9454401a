#include "ledger_scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child_process.h"

#define DATASET "patients"
static const uint8_t rows_read[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

sfm_guarantee scenario_pure(double epsilon) {
  return (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = epsilon};
}

void scenario_say(const scenario *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(w->report->text, SCENARIO_MESSAGE, format, arguments);
  va_end(arguments);
}

static void make_folder(char path[80], const char *root, const char *name) {
  snprintf(path, 80, "%s/%s", root, name);
  if (mkdir(path, 0700) != 0) abort();
}

void scenario_init(scenario *w, bool anchored) {
  *w = (scenario){.anchored = anchored,
                  .accounting = SFM_ACCOUNTING_BASIC,
                  .epsilon = 1,
                  .guarantee = scenario_pure(0.25),
                  .fingerprint = rows_read,
                  .requests = 1};
  child_folder(w->root);
  make_folder(w->here, w->root, "here");
  make_folder(w->there, w->root, "there");
  snprintf(w->ledger, sizeof w->ledger, "%s/clinic.db", w->here);
  snprintf(w->anchor, sizeof w->anchor, "%s/anchor", w->there);
  snprintf(w->shown, sizeof w->shown, "%s/shown.log", w->root);
  w->report =
      mmap(NULL, sizeof *w->report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (w->report == MAP_FAILED) abort();
}

void scenario_clear(scenario *w) {
  child_remove(w->root);
  munmap(w->report, sizeof *w->report);
}

void scenario_again(scenario *w) {
  child_remove(w->here);
  child_remove(w->there);
  unlink(w->shown);
  if (mkdir(w->here, 0700) != 0 || mkdir(w->there, 0700) != 0) abort();
  *w->report = (scenario_report){.text = ""};
}

/* ---- a client ---- */

/* A line between two ends of line, with a point at its end: whoever writes it may be killed in the
 * middle, and then it is not read. */
static void show(const scenario *w, const char *line, size_t length) {
  int log = open(w->shown, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (log < 0 || write(log, line, length) != (ssize_t)length) abort();
  close(log);
}

static void show_told(void *context, const sfm_receipt *receipt) {
  char line[SFM_REQUEST_MAX + 16];
  show(context, line, (size_t)snprintf(line, sizeof line, "\ntold %s .\n", receipt->request));
}

static void show_answer(const scenario *w, const char *request, const char *bytes, size_t length) {
  size_t used = strlen(request) + 8;
  char *line = malloc(used + 2 * length + 4);
  if (!line) abort();
  sprintf(line, "\nshown %s ", request);
  for (size_t i = 0; i < length; i++, used += 2)
    sprintf(line + used, "%02x", (unsigned)(unsigned char)bytes[i]);
  strcpy(line + used, " .\n");
  show(w, line, used + 3);
  free(line);
}

sfm_status scenario_open(const scenario *w, sfm_ledger **ledger, sfm_error *error) {
  const sfm_dataset dataset = {
      .name = DATASET, .epsilon = w->epsilon, .delta = w->delta, .accounting = w->accounting};
  *ledger = NULL;
  if (access(w->ledger, F_OK) == 0) return sfm_ledger_open(ledger, w->ledger, error);
  sfm_status status = sfm_ledger_create(w->ledger, w->anchored ? w->anchor : NULL, &dataset, error);
  return !status ? sfm_ledger_open(ledger, w->ledger, error) : status;
}

#define PARAMETERS "{\"verb\":\"density\"}"

sfm_status scenario_charge(const scenario *w, sfm_ledger *ledger, const char *request,
                           const sfm_guarantee *guarantee, sfm_error *error) {
  const sfm_charge charge = {.ledger = ledger,
                             .dataset = DATASET,
                             .request = request,
                             .told = show_told,
                             .data = (void *)(uintptr_t)w};
  sfmi_charge_handle handle = {0};
  sfm_status status = sfmi_ledger_charge(&handle, &charge, PARAMETERS, guarantee, error);
  sfmi_charge_handle_clear(&handle);
  return status;
}

sfm_status scenario_request(const scenario *w, sfm_ledger *ledger, const char *request,
                            sfm_error *error) {
  const sfm_charge charge = {.ledger = ledger,
                             .dataset = DATASET,
                             .request = request,
                             .told = show_told,
                             .data = (void *)(uintptr_t)w};
  sfmi_charge_handle handle = {0};
  char noise[48];
  sfm_status status = sfmi_ledger_charge(&handle, &charge, PARAMETERS, &w->guarantee, error);
  if (!status && !handle.answer) {
    if (getrandom(noise, sizeof noise, 0) != sizeof noise) abort();
    status = sfmi_ledger_answer(&handle, noise, sizeof noise, w->fingerprint, error);
  }
  if (!status) show_answer(w, request, handle.answer, handle.answer_length);
  sfmi_charge_handle_clear(&handle);
  return status;
}

static void count(const scenario *w, sfm_status status) {
  uint64_t *counter = !status                 ? &w->report->answered
                      : status == SFM_REFUSED ? &w->report->refused
                                              : &w->report->failed;
  __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
}

static sfm_status request_numbered(const scenario *w, sfm_ledger *ledger, unsigned number,
                                   sfm_error *error) {
  char request[16];
  snprintf(request, sizeof request, "r%u", number);
  sfm_status status = scenario_request(w, ledger, request, error);
  if (status && w->stubborn) status = scenario_request(w, ledger, request, error);
  count(w, status);
  return status;
}

int scenario_client(void *context) {
  const scenario *w = context;
  sfm_ledger *ledger = NULL;
  sfm_error error = {0};
  sfm_status status = scenario_open(w, &ledger, &error);
  for (unsigned i = 1; !status && i <= w->requests; i++)
    status = request_numbered(w, ledger, i, &error);
  sfm_ledger_close(ledger);
  if (status) scenario_say(w, "%s", error.message);
  return (int)status;
}

int scenario_finish(void *context) {
  const scenario *w = context;
  sfm_ledger *ledger = NULL;
  sfm_error error = {0};
  const unsigned fits = (unsigned)(w->epsilon / w->guarantee.epsilon + 0.5);
  sfm_status status = scenario_open(w, &ledger, &error);
  for (unsigned i = 1; !status && i <= fits; i++) status = request_numbered(w, ledger, i, &error);
  if (status) {
    scenario_say(w, "a clean retry failed: %s", error.message);
    sfm_ledger_close(ledger);
    return 1;
  }
  status = request_numbered(w, ledger, fits + 1, &error);
  sfm_ledger_close(ledger);
  if (status != SFM_REFUSED) {
    scenario_say(w, "request %u of %u that fit ended with status %d", fits + 1, fits, (int)status);
    return 1;
  }
  return scenario_check(context);
}

/* ---- the check ---- */

int64_t scenario_units(const char *decimal) {
  int64_t units = 0;
  int places = -1;
  for (; *decimal; decimal++) {
    if (*decimal == '.' && places < 0) {
      places = 0;
      continue;
    }
    if (*decimal < '0' || *decimal > '9' || places >= 12) return -1;
    units = units * 10 + (*decimal - '0');
    places += places >= 0;
  }
  for (int i = places < 0 ? 0 : places; i < 12; i++) units *= 10;
  return units;
}

/* What the history says of a request, and what the scenario saw. */
typedef struct fact {
  char *request;
  unsigned charges, answers, told, shown;
  char *bytes; /* shown first */
} fact;

typedef struct facts {
  const scenario *w;
  void *tree; /* of facts, by request */
  uint64_t entries, charges, answers;
  int64_t spent, spent_delta;
  bool bad;
} facts;

static int compare(const void *a, const void *b) {
  return strcmp(((const fact *)a)->request, ((const fact *)b)->request);
}

static fact *find(facts *f, const char *request, size_t length) {
  fact *wanted = calloc(1, sizeof *wanted);
  if (!wanted || !(wanted->request = strndup(request, length))) abort();
  fact **node = tsearch(wanted, &f->tree, compare);
  if (!node) abort();
  if (*node != wanted) {
    free(wanted->request);
    free(wanted);
  }
  return *node;
}

static void destroy(void *node) {
  fact *f = node;
  free(f->request);
  free(f->bytes);
  free(f);
}

static bool visit(void *context, const sfm_ledger_entry *entry) {
  facts *f = context;
  f->entries++;
  if (entry->number != f->entries) {
    scenario_say(f->w, "entry %llu of the history is numbered %llu", (unsigned long long)f->entries,
                 (unsigned long long)entry->number);
    f->bad = true;
  }
  if (strcmp(entry->dataset, DATASET)) return !f->bad;
  const int64_t amount = scenario_units(entry->amount), delta = scenario_units(entry->amount_delta);
  f->spent += amount;
  f->spent_delta += delta;
  if (!strcmp(entry->kind, "charge")) {
    find(f, entry->request, strlen(entry->request))->charges++;
    f->charges++;
  } else if (!strcmp(entry->kind, "answer")) {
    find(f, entry->request, strlen(entry->request))->answers++;
    f->answers++;
  } else if (amount || delta) {
    scenario_say(f->w, "a %s costs %s", entry->kind, entry->amount);
    f->bad = true;
  }
  if (scenario_units(entry->spent) != f->spent ||
      scenario_units(entry->spent_delta) != f->spent_delta) {
    scenario_say(f->w, "after entry %llu the ledger says %s is spent; the sum is %lld units",
                 (unsigned long long)entry->number, entry->spent, (long long)f->spent);
    f->bad = true;
  }
  return !f->bad;
}

static bool read_shown(facts *f) {
  char *line = NULL;
  size_t room = 0;
  bool good = true;
  FILE *log = fopen(f->w->shown, "r");
  for (ssize_t length; good && log && (length = getline(&line, &room, log)) > 0;) {
    if (length < 4 || strcmp(line + length - 3, " .\n")) continue;
    line[length - 3] = '\0';
    const bool told = !strncmp(line, "told ", 5);
    const char *request = line + (told ? 5 : 6), *end = told ? NULL : strchr(request, ' ');
    fact *r = find(f, request, end ? (size_t)(end - request) : strlen(request));
    r->told += told;
    r->shown += !told;
    if (!end) continue;
    if (!r->bytes) r->bytes = strdup(end + 1);
    good = !strcmp(r->bytes, end + 1);
    if (!good) scenario_say(f->w, "request %s was shown %s and %s", r->request, r->bytes, end + 1);
  }
  free(line);
  if (log) fclose(log);
  return good;
}

static void judge(const void *node, VISIT order, void *context) {
  const fact *r = *(fact *const *)node;
  facts *f = context;
  if (order != postorder && order != leaf) return;
  if (r->charges > 1 || r->answers > 1 || r->answers > r->charges || (r->told && !r->charges) ||
      (r->shown && !r->answers)) {
    scenario_say(f->w, "request %s: charged %u times, told %u, answered %u, shown %u", r->request,
                 r->charges, r->told, r->answers, r->shown);
    f->bad = true;
  }
}

static bool each_request(facts *f) {
  twalk_r(f->tree, judge, f);
  return !f->bad;
}

static bool sums(const facts *f, const sfm_dataset_status *status) {
  const scenario *w = f->w;
  const int64_t total = scenario_units(status->amount.total),
                spent = scenario_units(status->amount.spent);
  if (spent != f->spent || spent > total || scenario_units(status->amount.left) != total - spent) {
    scenario_say(w, "the charges sum to %lld units; the ledger says total %s, spent %s, left %s",
                 (long long)f->spent, status->amount.total, status->amount.spent,
                 status->amount.left);
    return false;
  }
  if (f->charges != status->charges || f->answers != status->answers) {
    scenario_say(w, "the history has %llu charges and %llu answers; the status %llu and %llu",
                 (unsigned long long)f->charges, (unsigned long long)f->answers,
                 (unsigned long long)status->charges, (unsigned long long)status->answers);
    return false;
  }
  return true;
}

static bool check_open(facts *f, sfm_ledger *ledger, sfm_error *error) {
  uint64_t verified = 0;
  sfm_dataset_status status;
  if (sfm_ledger_verify(ledger, &verified, NULL, error) ||
      sfm_ledger_history(ledger, NULL, visit, f, error) ||
      sfm_ledger_find(ledger, &status, DATASET, error)) {
    scenario_say(f->w, "checking the ledger: %s", error->message);
    return false;
  }
  if (f->bad) return false;
  if (verified != f->entries) {
    scenario_say(f->w, "verify checked %llu entries of %llu", (unsigned long long)verified,
                 (unsigned long long)f->entries);
    return false;
  }
  return read_shown(f) && each_request(f) && sums(f, &status);
}

int scenario_check(void *context) {
  const scenario *w = context;
  facts f = {.w = w};
  sfm_ledger *ledger = NULL;
  sfm_error error = {0};
  bool good = !sfm_ledger_open(&ledger, w->ledger, &error);
  if (!good) scenario_say(w, "the ledger does not open: %s", error.message);
  good = good && check_open(&f, ledger, &error);
  sfm_ledger_close(ledger);
  tdestroy(f.tree, destroy);
  return !good;
}

static void add_shown(const void *node, VISIT order, void *context) {
  const fact *r = *(fact *const *)node;
  facts *f = context;
  if (order == postorder || order == leaf) f->answers += r->shown > 0;
}

int scenario_honest(void *context) {
  const scenario *w = context;
  facts f = {.w = w};
  bool good = read_shown(&f);
  twalk_r(f.tree, add_shown, &f);
  if (good && (double)f.answers * w->guarantee.epsilon > w->epsilon * (1 + 1e-12)) {
    scenario_say(w, "%llu requests were answered at %g each, of a total of %g",
                 (unsigned long long)f.answers, w->guarantee.epsilon, w->epsilon);
    good = false;
  }
  tdestroy(f.tree, destroy);
  return !good;
}
