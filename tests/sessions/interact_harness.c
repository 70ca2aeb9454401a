#include "interact_harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/child_process.h"
#include "mechanisms/sessions/private_model.h"
#include "online_harness.h"
#include "sessions/batch_codec.h"

void interact_harness_say(const interact_harness *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(p->word->text, INTERACT_HARNESS_MESSAGE, format, arguments);
  va_end(arguments);
}

static void copy_all(const interact_harness *p, bool back) {
  static const char *const kept[] = {"kept-here", "kept-there"};
  const char *folders[] = {p->here, p->there};
  char path[256];
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", p->root, kept[i]);
    online_harness_copy_folder(back ? folders[i] : path, back ? path : folders[i]);
  }
  snprintf(path, sizeof path, "%s/kept-shown", p->root);
  online_harness_copy(back ? p->shown : path, back ? path : p->shown);
}

void interact_harness_keep(interact_harness *p) {
  copy_all(p, false);
}

void interact_harness_again(interact_harness *p) {
  copy_all(p, true);
  p->word->text[0] = '\0';
}

/* y is 1 where a + b is above 0.2: a machine of two weights and a constant. */
static void make_rows(double *rows) {
  for (size_t i = 0; i < INTERACT_HARNESS_ROWS; i++) {
    rows[3 * i] = sin(1 + 12.9898 * (double)i);
    rows[3 * i + 1] = sin(2 + 78.233 * (double)i);
    rows[3 * i + 2] = rows[3 * i] + rows[3 * i + 1] > 0.2 ? 1 : -1;
  }
}

static void make_ledger(const interact_harness *p) {
  const sfm_dataset dataset = {"patients", 400, 1e-5, SFM_ACCOUNTING_BASIC};
  sfm_error error;
  assert_ok(sfm_ledger_create(p->ledger, NULL, &dataset, &error), &error);
}

void interact_harness_init(interact_harness *p, bool charged) {
  static const char *const features[] = {"a", "b"};
  sfm_error error;
  *p = (interact_harness){.charged = charged, .batches = 2, .request = "r1"};
  child_folder(p->root);
  snprintf(p->here, sizeof p->here, "%s/here", p->root);
  snprintf(p->there, sizeof p->there, "%s/there", p->root);
  snprintf(p->session, sizeof p->session, "%s/s.sfs", p->here);
  snprintf(p->ledger, sizeof p->ledger, "%s/clinic.db", p->there);
  snprintf(p->anchor, sizeof p->anchor, "%s/anchor", p->there);
  snprintf(p->shown, sizeof p->shown, "%s/shown.log", p->root);
  if (mkdir(p->here, 0700) || mkdir(p->there, 0700)) abort();
  close(open(p->shown, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  make_rows(p->rows);
  assert_ok(sfm_schema_create(&p->schema, &error), &error);
  for (int i = 0; i < 2; i++)
    assert_ok(sfm_schema_set_bounds(p->schema, features[i], -1, 1, &error), &error);
  p->settings = sfm_interact_settings_default();
  p->train = sfm_train_settings_default();
  p->train.context.schema = p->schema;
  p->train.features = features;
  p->train.feature_count = 2;
  p->train.label = "y";
  p->train.constant = 1;
  p->train.lambda = 0.5;
  p->train.epsilon = 300;
  p->train.context.threads = 1;
  p->settings.questions = 200;
  p->settings.epochs = INTERACT_HARNESS_EPOCHS;
  p->word = mmap(NULL, sizeof *p->word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p->word == MAP_FAILED) abort();
  if (charged) make_ledger(p);
  interact_harness_keep(p);
}

void interact_harness_clear(interact_harness *p) {
  child_remove(p->root);
  sfm_schema_destroy(p->schema);
  munmap(p->word, sizeof *p->word);
}

/* ---- what a process does ---- */

sfm_status interact_harness_create(const interact_harness *p, const char *path, sfm_error *error) {
  static const char *const names[] = {"a", "b", "y"};
  sfm_interact_settings settings = p->settings;
  sfm_train_settings train = p->train;
  sfm_rows *rows = NULL;
  sfm_ledger *ledger = NULL;
  sfm_status status = p->charged ? sfm_ledger_open(&ledger, p->ledger, error) : SFM_OK;
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = p->request};
  if (ledger) train.context.charge = &charge;
  settings.train = &train;
  if (!status) status = sfm_rows_from_array(&rows, p->rows, INTERACT_HARNESS_ROWS, 3, names, error);
  if (!status)
    status = sfm_interact_create(path, rows, &settings, p->charged ? NULL : p->anchor, error);
  sfm_rows_destroy(rows);
  sfm_ledger_close(ledger);
  return status;
}

void interact_harness_points(double cells[2 * INTERACT_HARNESS_BATCH], unsigned number) {
  for (size_t i = 0; i < 2 * INTERACT_HARNESS_BATCH; i++)
    cells[i] = sin((double)(number * 2 * INTERACT_HARNESS_BATCH + i) * 4.1414);
}

sfm_status interact_harness_ask(const interact_harness *p, sfm_interact *session,
                                const double *cells, size_t count, sfm_error *error) {
  sfm_interact_answer *answers = calloc(count, sizeof *answers);
  if (!answers) abort();
  sfm_status status = sfm_interact_ask(session, answers, cells, count, error);
  if (!status) {
    int log = open(p->shown, O_WRONLY | O_APPEND | O_CLOEXEC);
    const ssize_t size = (ssize_t)(count * sizeof *answers);
    if (log < 0 || write(log, answers, (size_t)size) != size) abort();
    close(log);
  }
  free(answers);
  return status;
}

static sfm_status ask_batches(const interact_harness *p, sfm_error *error) {
  sfm_interact *session = NULL;
  sfm_status status = sfm_interact_open(&session, p->session, error);
  for (unsigned i = 0; i < p->batches && !status; i++) {
    double cells[2 * INTERACT_HARNESS_BATCH];
    interact_harness_points(cells, i);
    status = interact_harness_ask(p, session, cells, INTERACT_HARNESS_BATCH, error);
  }
  sfm_interact_close(session);
  return status;
}

int interact_harness_client(void *context) {
  const interact_harness *p = context;
  sfm_error error = {.message = ""};
  sfm_status status = SFM_OK;
  /* With a ledger the request may always be repeated. */
  if (p->charged || access(p->session, F_OK) != 0)
    status = interact_harness_create(p, p->session, &error);
  if (!status) status = ask_batches(p, &error);
  if (status) interact_harness_say(p, "%s", error.message);
  return (int)status;
}

/* ---- the check ---- */

/* What the file holds: thresholds by epoch, values. */
typedef struct memory {
  const interact_harness *p;
  bool known[INTERACT_HARNESS_EPOCHS + 1];
  sfmi_i128 thresholds[INTERACT_HARNESS_EPOCHS + 1];
  int64_t answers[INTERACT_HARNESS_EPOCHS];
  size_t count;
  uint64_t questions;
  bool good;
} memory;

static void note_threshold(memory *m, uint64_t epoch, sfmi_i128 threshold) {
  if (epoch > INTERACT_HARNESS_EPOCHS || (m->known[epoch] && m->thresholds[epoch] != threshold)) {
    interact_harness_say(m->p, "epoch %llu has two thresholds", (unsigned long long)epoch);
    m->good = false;
    return;
  }
  m->known[epoch] = true;
  m->thresholds[epoch] = threshold;
}

static sfm_status note(void *context, const sfmi_store_batch *batch, sfm_error *error) {
  memory *m = context;
  uint64_t latents[SFMI_BATCH_CODEC_LATENTS];
  sfmi_i128 threshold;
  (void)error;
  const size_t count = batch->answers.size / sizeof *m->answers;
  if (batch->latents.size != sizeof latents || m->count + count > INTERACT_HARNESS_EPOCHS) abort();
  memcpy(latents, batch->latents.at, sizeof latents);
  memcpy(&threshold, latents + 2, sizeof threshold);
  if (count) memcpy(m->answers + m->count, batch->answers.at, count * sizeof *m->answers);
  m->count += count;
  m->questions = latents[0];
  if (latents[1] != m->count) abort();
  note_threshold(m, m->count, threshold);
  return SFM_OK;
}

static bool remember(memory *m, const interact_harness *p, sfm_error *error) {
  sfmi_store store;
  sfmi_private_model *private_model = NULL;
  *m = (memory){.p = p, .good = true};
  if (sfmi_store_open(&store, SFMI_STORE_INTERACT, p->session, error)) return false;
  sfmi_generation last = store.first, before = last;
  bool good = !sfmi_private_model_load(&private_model, store.record.facts, store.record.state,
                                       store.record.state_length, "s", error);
  if (good) note_threshold(m, 0, sfmi_private_model_position(private_model).threshold);
  good = good && !sfmi_database_begin(&store.database, false, error) &&
         !sfmi_store_follow(&store, &last, &before, note, m, error);
  sfmi_database_rollback(&store.database);
  sfmi_private_model_destroy(private_model);
  sfmi_store_close(&store);
  return good;
}

static bool check_shown(const memory *m, const sfm_interact_plan *plan) {
  static sfm_interact_answer shown[1 << 14];
  uint64_t left = INTERACT_HARNESS_EPOCHS;
  size_t next = 0;
  int log = open(m->p->shown, O_RDONLY | O_CLOEXEC);
  if (log < 0) abort();
  const ssize_t got = read(log, shown, sizeof shown);
  close(log);
  if (got < 0 || got == sizeof shown) abort();
  const size_t count = (size_t)got / sizeof *shown;
  for (size_t i = 0; i < count; i++) {
    if (shown[i].epochs_left > left) {
      interact_harness_say(m->p, "answer %zu had more left than the one before it", i);
      return false;
    }
    left = shown[i].epochs_left;
    if (shown[i].source != SFM_INTERACT_SOURCE_RELEASED) continue;
    while (next < m->count && (double)m->answers[next] * plan->step != shown[i].value) next++;
    if (next++ < m->count) continue;
    interact_harness_say(m->p, "answer %zu was released and is not in the session", i);
    return false;
  }
  if (count <= m->questions && left >= INTERACT_HARNESS_EPOCHS - m->count) return true;
  interact_harness_say(m->p,
                       "the session knows of %llu questions and %zu values, and %zu were shown",
                       (unsigned long long)m->questions, m->count, count);
  return false;
}

static bool check_ledger(const interact_harness *p, sfm_error *error) {
  sfm_ledger *ledger = NULL;
  sfm_dataset_status found;
  bool good = !sfm_ledger_open(&ledger, p->ledger, error) &&
              !sfm_ledger_verify(ledger, NULL, NULL, error) &&
              !sfm_ledger_find(ledger, &found, "patients", error);
  if (!good) interact_harness_say(p, "the ledger: %s", error->message);
  if (good && (found.charges != 1 || found.answers != 1)) {
    interact_harness_say(p, "%llu charges in the ledger", (unsigned long long)found.charges);
    good = false;
  }
  sfm_ledger_close(ledger);
  return good;
}

int interact_harness_check(void *context) {
  const interact_harness *p = context;
  sfm_error error = {.message = ""};
  sfm_interact *session = NULL;
  memory m;
  if (sfm_interact_open(&session, p->session, &error)) {
    interact_harness_say(p, "the session does not open: %s", error.message);
    return 1;
  }
  const sfm_interact_plan plan = sfm_interact_planned(session);
  const sfm_interact_facts about = sfm_interact_about(session);
  sfm_interact_close(session);
  if (!remember(&m, p, &error)) {
    interact_harness_say(p, "%s", error.message);
    return 1;
  }
  if (about.questions != m.questions || about.released != m.count ||
      about.epochs_left != INTERACT_HARNESS_EPOCHS - m.count) {
    interact_harness_say(p, "the session says otherwise than its file");
    return 1;
  }
  bool good = m.good && check_shown(&m, &plan);
  if (good && p->charged) good = check_ledger(p, &error);
  return !good;
}

int interact_harness_finish(void *context) {
  const interact_harness *p = context;
  const int code = interact_harness_client(context);
  if (code) {
    char text[INTERACT_HARNESS_MESSAGE / 2];
    snprintf(text, sizeof text, "%.900s", p->word->text);
    interact_harness_say(p, "a clean retry failed: %s", text);
    return 1;
  }
  return interact_harness_check(context);
}
