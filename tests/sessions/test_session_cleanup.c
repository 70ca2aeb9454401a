/* test_session_cleanup.c - what is on the disk after a session was refused, after making it failed,
 * and after a process that made one died and the next one has looked: no file but the session
 * itself holds its private state.  The private state is looked for byte by byte: weights of a
 * machine, sums of rows over a lattice. */
/* suite: both */
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/child_process.h"
#include "ledger/charge.h"
#include "online_harness.h"
#include "interact_harness.h"
#include "sessions/session_cleanup.h"
#include "sessions/session_lock.h"

enum { SECRET = 16 };

/* ---- private bytes ---- */

typedef struct secret {
  unsigned char bytes[SECRET];
} secret;

static char *slurp(const char *path, size_t *size) {
  struct stat facts;
  FILE *file = fopen(path, "rb");
  assert_true(file && fstat(fileno(file), &facts) == 0);
  char *bytes = malloc((size_t)facts.st_size + 1);
  assert_non_null(bytes);
  *size = fread(bytes, 1, (size_t)facts.st_size, file);
  fclose(file);
  return bytes;
}

static bool holds(const char *path, const secret *s) {
  size_t size;
  char *bytes = slurp(path, &size);
  const bool found = memmem(bytes, size, s->bytes, SECRET) != NULL;
  free(bytes);
  return found;
}

/* The end of the state of the session at path, or as far before it as there is something else than
 * zeros and one page of the file holds it. */
static secret secret_of(const char *path) {
  static const unsigned char zeros[SECRET / 2];
  sfmi_store store;
  sfm_error error;
  secret s;
  assert_ok(sfmi_store_open(&store, SFMI_STORE_ONLINE, path, &error), &error);
  for (size_t at = store.record.state_length - SECRET;; at -= SECRET) {
    assert_true(at >= SECRET);
    memcpy(s.bytes, store.record.state + at, SECRET);
    if (memcmp(s.bytes, zeros, sizeof zeros) != 0 && holds(path, &s)) break;
  }
  sfmi_store_close(&store);
  return s;
}

/* The name of a file in the folder that holds it and is no session; NULL when there is none. */
static const char *holder(const char *folder, const secret *s) {
  static char path[512];
  const char *found = NULL;
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (struct dirent *item; !found && (item = readdir(dir));) {
    struct stat facts;
    const size_t length = strlen(item->d_name);
    const bool session = length > 4 && strcmp(item->d_name + length - 4, ".sfs") == 0;
    snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
    if (!session && lstat(path, &facts) == 0 && S_ISREG(facts.st_mode) && holds(path, s))
      found = path;
  }
  closedir(dir);
  return found;
}

static bool is_there(const char *path) {
  struct stat facts;
  return lstat(path, &facts) == 0;
}

/* ---- sessions of all kinds, in one way ---- */

typedef enum kind { MACHINE, MARKOV, GRAM, KINDS } kind;

typedef struct room {
  kind kind;
  bool charged;
  interact_harness p;
  online_harness d;
  const char *here, *there, *session, *said;
  secret secret;
} room;

static int make(void *context) {
  const room *r = context;
  sfm_error error = {.message = ""};
  sfm_status status = r->kind == MACHINE ? interact_harness_create(&r->p, r->p.session, &error)
                                         : online_harness_create(&r->d, r->d.session, &error);
  if (r->kind == MACHINE)
    interact_harness_say(&r->p, "%s", error.message);
  else
    online_harness_say(&r->d, "%s", error.message);
  return (int)status;
}

/* Only looks. */
static int look(void *context) {
  const room *r = context;
  sfm_interact *machine = NULL;
  sfm_online *online = NULL;
  const sfm_status status = r->kind == MACHINE ? sfm_interact_open(&machine, r->p.session, NULL)
                                               : sfm_online_open(&online, r->d.session, NULL);
  sfm_interact_close(machine);
  sfm_online_close(online);
  return (int)status;
}

/* Another session, of another request, with another anchor. */
static void init_other(room *o, const room *r) {
  *o = *r;
  o->p.request = o->d.request = "r2";
  o->p.train.epsilon = 20;
  snprintf(o->p.session, sizeof o->p.session, "%.80s/t.sfs", r->here);
  snprintf(o->d.session, sizeof o->d.session, "%.80s/t.sfs", r->here);
  snprintf(o->p.anchor, sizeof o->p.anchor, "%.80s/anchor2", r->there);
  snprintf(o->d.anchor, sizeof o->d.anchor, "%.80s/anchor2", r->there);
  o->session = r->kind == MACHINE ? o->p.session : o->d.session;
}

static void init(room *r, kind which, bool charged) {
  static const sfm_engine engines[] = {[MARKOV] = SFM_ENGINE_MARKOV, [GRAM] = SFM_ENGINE_GRAM};
  *r = (room){.kind = which, .charged = charged};
  if (which == MACHINE)
    interact_harness_init(&r->p, charged);
  else
    online_harness_init(&r->d, engines[which],
                        charged         ? ONLINE_HARNESS_LEDGER
                        : which == GRAM ? ONLINE_HARNESS_ANCHOR
                                        : ONLINE_HARNESS_ALONE);
  const bool machine = which == MACHINE;
  r->here = machine ? r->p.here : r->d.here;
  r->there = machine ? r->p.there : r->d.there;
  r->session = machine ? r->p.session : r->d.session;
  r->said = machine ? r->p.word->text : r->d.word->text;
}

static void clear(room *r) {
  if (r->kind == MACHINE)
    interact_harness_clear(&r->p);
  else
    online_harness_clear(&r->d);
}

static void again(room *r) {
  if (r->kind == MACHINE)
    interact_harness_again(&r->p);
  else
    online_harness_again(&r->d);
}

/* Makes one, remembers its private bytes, and goes back. */
static void learn_secret(room *r) {
  if (child_run(make, r, NULL).code) fail_msg("%s", r->said);
  r->secret = secret_of(r->session);
  again(r);
}

/* Whether the ledger has an answer of the request. */
static bool is_answered(const room *r) {
  sfm_ledger *ledger;
  sfm_error error;
  char *answer;
  if (!r->charged) return false;
  assert_ok(sfm_ledger_open(&ledger, r->kind == MACHINE ? r->p.ledger : r->d.ledger, &error),
            &error);
  assert_ok(sfmi_ledger_answered(ledger, &answer, "patients", "r1", &error), &error);
  const bool answered = answer != NULL;
  free(answer);
  sfm_ledger_close(ledger);
  return answered;
}

static void expect_nothing(const room *r, const char *where) {
  const char *found = holder(r->here, &r->secret);
  if (!found) found = holder(r->there, &r->secret);
  if (found) fail_msg("%s: %s holds private state", where, found);
}

/* ---- refused ---- */

static void other_rows_are_refused_without_a_trace(void **state) {
  (void)state;
  for (kind which = MACHINE; which < KINDS; which++) {
    room r, o;
    char opening[256];
    init(&r, which, true);
    if (which == MACHINE) r.p.train.epsilon = 20;
    /* The private state of the other rows, which are then refused. */
    init_other(&o, &r);
    o.p.rows[0] = 0.125;
    o.d.rows[0] = 0.125;
    learn_secret(&o);
    if (child_run(make, &r, NULL).code) fail_msg("%s", r.said);
    const child_end end = child_run(make, &o, NULL);
    assert_int_equal(end.code, SFM_REFUSED);
    assert_non_null(strstr(o.said, "are not those of the dataset"));
    expect_nothing(&o, "refused");
    snprintf(opening, sizeof opening, "%s.opening", o.session);
    assert_false(is_there(o.session) || is_there(opening));
    clear(&r);
  }
}

/* ---- failed and killed ---- */

typedef void check(room *r, const char *where);

/* Makes a session with something done to each call that changes the disk, or to every few. */
static void disturb(room *r, interpose_action action, uint64_t stride, check *after) {
  char where[400];
  interpose_plan plan = {.folders = {r->here, r->there}};
  again(r);
  if (child_run(make, r, &plan).code) fail_msg("%s", r->said);
  const uint64_t calls = child_report()->calls;
  assert_true(calls > 10);
  if (test_long()) stride = 1;
  for (uint64_t at = 1; at <= calls; at += stride * CHILD_STRIDE) {
    again(r);
    plan.action = action;
    plan.at = at;
    const child_end end = child_run(make, r, &plan);
    snprintf(where, sizeof where, "kind %d%s, %s, call %llu of %llu (%s)", (int)r->kind,
             r->charged ? " charged" : "", interpose_action_name(action), (unsigned long long)at,
             (unsigned long long)calls, child_report()->hit);
    const bool kills = action == INTERPOSE_BEFORE || action == INTERPOSE_TORN;
    if (kills != (end.signal == SIGKILL)) fail_msg("%s: signal %d", where, end.signal);
    if (!kills && !end.code) continue;
    after(r, where);
  }
}

static void everywhere(interpose_action action, uint64_t stride, check *after) {
  for (int way = 0; way < 2 * KINDS; way++) {
    room r;
    init(&r, (kind)(way / 2), way % 2);
    learn_secret(&r);
    disturb(&r, action, stride, after);
    clear(&r);
  }
}

/* Nothing but what the ledger knows, which the same request completes. */
static void check_failed(room *r, const char *where) {
  if (!is_answered(r))
    expect_nothing(r, where);
  else if (child_run(make, r, NULL).code)
    fail_msg("%s: the request was not completed: %s", where, r->said);
  expect_nothing(r, where);
}

static void failures_take_it_back(void **state) {
  (void)state;
  everywhere(INTERPOSE_EIO, 2, check_failed);
  everywhere(INTERPOSE_ENOSPC, 3, check_failed);
}

/* Looking at the session is enough, and so is another session beside it. */
static void check_swept(room *r, const char *where, bool beside) {
  room o;
  init_other(&o, r);
  const bool answered = is_answered(r);
  const child_end end = child_run(beside ? make : look, beside ? &o : r, NULL);
  if (end.signal) fail_msg("%s: signal %d", where, end.signal);
  if (!answered) expect_nothing(r, where);
  if (!beside && !r->charged && is_there(r->session) && end.code)
    fail_msg("%s: the session that is there cannot be opened", where);
  if (beside && end.code) fail_msg("%s: the other one: %s", where, o.said);
  if (!r->charged && is_there(r->session)) return;
  if (child_run(make, r, NULL).code) fail_msg("%s: not completed: %s", where, r->said);
  if (child_run(look, r, NULL).code) fail_msg("%s: not opened", where);
  expect_nothing(r, where);
}

static void check_looked_at(room *r, const char *where) {
  check_swept(r, where, false);
}

static void check_beside(room *r, const char *where) {
  /* What the ledger does not know, and has no name yet, is gone after a session beside it. */
  if (!is_there(r->session)) check_swept(r, where, true);
}

static void what_a_kill_leaves_is_wiped(void **state) {
  (void)state;
  everywhere(INTERPOSE_BEFORE, 1, check_looked_at);
  everywhere(INTERPOSE_TORN, 3, check_looked_at);
}

static void also_by_a_session_beside_it(void **state) {
  (void)state;
  everywhere(INTERPOSE_BEFORE, 3, check_beside);
}

/* ---- alive ---- */

/* Whoever holds the lock is at work. */
static void not_while_it_is_made(void **state) {
  (void)state;
  room r, o;
  char opening[256];
  sfm_error error;
  sfmi_session_lock lock;
  init(&r, MACHINE, true);
  snprintf(opening, sizeof opening, "%s.opening", r.session);
  /* Killed at the first call after the file is whole: a sync of the ledger's folder. */
  interpose_plan plan = {.folders = {r.here, NULL}};
  if (child_run(make, &r, &plan).code) fail_msg("%s", r.said);
  const uint64_t calls = child_report()->calls;
  again(&r);
  bool tried = false;
  for (uint64_t at = 1; at <= calls; at++) {
    again(&r);
    plan = (interpose_plan){.folders = {r.here, NULL}, .action = INTERPOSE_AFTER, .at = at};
    assert_int_equal(child_run(make, &r, &plan).signal, SIGKILL);
    if (!is_there(opening) || is_there(r.session) || is_answered(&r)) continue;
    assert_ok(sfmi_session_lock_take(&lock, r.session, &error), &error);
    (void)child_run(look, &r, NULL);
    init_other(&o, &r);
    (void)child_run(make, &o, NULL);
    assert_true(is_there(opening));
    sfmi_session_lock_release(&lock);
    (void)child_run(look, &r, NULL);
    assert_false(is_there(opening));
    tried = true;
  }
  assert_true(tried);
  clear(&r);
}

/* A file of somebody else is nobody's remains, whatever its name. */
static void other_files_are_left_alone(void **state) {
  (void)state;
  room r;
  char path[256];
  static const char text[] = "SQLite format 3, and what I have to say of it: nothing at all. "
                             "Nothing. Nothing.";
  init(&r, MARKOV, false);
  snprintf(path, sizeof path, "%s/notes.opening", r.here);
  FILE *file = fopen(path, "w");
  assert_true(file && fwrite(text, 1, sizeof text, file) == sizeof text && fclose(file) == 0);
  if (child_run(make, &r, NULL).code) fail_msg("%s", r.said);
  assert_true(is_there(path));
  clear(&r);
}

int main(void) {
  umask(0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_rows_are_refused_without_a_trace),
      cmocka_unit_test(failures_take_it_back),
      cmocka_unit_test(what_a_kill_leaves_is_wiped),
      cmocka_unit_test(also_by_a_session_beside_it),
      cmocka_unit_test(not_while_it_is_made),
      cmocka_unit_test(other_files_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
