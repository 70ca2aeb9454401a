/* test_online_copies.c - a copied session file is not a second draw: copies of spectral and markov
 * sessions are one function; of a gram session one copy goes on, and every other one is refused,
 * whenever it was made and whatever dies meanwhile. */
/* suite: both */
#include "online_harness.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "disk.h"
#include "ledger/child_process.h"

static char copy[160];

static void begin(online_harness *d, sfm_engine engine, online_harness_keeper keeper) {
  sfm_error error;
  online_harness_init(d, engine, keeper);
  assert_ok(online_harness_create(d, d->session, &error), &error);
  snprintf(copy, sizeof copy, "%s/copy.sfs", d->root);
}

static double ask(const online_harness *d, const char *path, double x) {
  double value;
  if (online_harness_ask_at(d, path, x, &value)) fail_msg("%s: %s", path, d->word->text);
  return value;
}

static void refused(const online_harness *d, const char *path, double x) {
  double value;
  if (online_harness_ask_at(d, path, x, &value) != SFM_REFUSED) fail_msg("%s is not refused", path);
  if (!strstr(d->word->text, "an older copy")) fail_msg("refused as: %s", d->word->text);
}

static void same(double a, double b) {
  if (memcmp(&a, &b, sizeof a)) fail_msg("%a is not %a", a, b);
}

/* ---- one function ---- */

static void copies_are_one_function(sfm_engine engine) {
  online_harness d;
  double first[40], second[40];
  begin(&d, engine, ONLINE_HARNESS_ALONE);
  (void)ask(&d, d.session, 0.5);
  online_harness_copy(copy, d.session);
  /* Different questions in different orders, and then the same ones. */
  for (int i = 0; i < 20; i++) {
    first[i] = ask(&d, d.session, (double)i / 40);
    second[i + 20] = ask(&d, copy, 1 - (double)i / 40);
  }
  for (int i = 19; i >= 0; i--) {
    second[i] = ask(&d, copy, (double)i / 40);
    first[i + 20] = ask(&d, d.session, 1 - (double)i / 40);
  }
  for (int i = 0; i < 40; i++) same(first[i], second[i]);
  same(ask(&d, d.session, 0.5), ask(&d, copy, 0.5));
  online_harness_clear(&d);
}

static void copies_of_spectral_and_markov_agree(void **state) {
  (void)state;
  copies_are_one_function(SFM_ENGINE_SPECTRAL);
  copies_are_one_function(SFM_ENGINE_MARKOV);
}

/* ---- gram ---- */

static const online_harness_keeper keepers[] = {ONLINE_HARNESS_ANCHOR, ONLINE_HARNESS_LEDGER};

static void an_older_copy_is_refused(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    online_harness d;
    char old[6][200];
    begin(&d, SFM_ENGINE_GRAM, keepers[k]);
    for (int i = 0; i < 6; i++) {
      snprintf(old[i], sizeof old[i], "%s/old-%d.sfs", d.root, i);
      online_harness_copy(old[i], d.session);
      const double value = ask(&d, d.session, (double)i / 10);
      for (int j = 0; j <= i; j++) {
        refused(&d, old[j], (double)j / 10); /* also what it knows */
        refused(&d, old[j], 0.99);
      }
      online_harness_copy(copy, d.session);
      same(ask(&d, copy, (double)i / 10), value); /* the newest one, wherever it is */
    }
    online_harness_clear(&d);
  }
}

/* Opened before the others went on. */
static void an_older_copy_that_is_open_is_refused(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    online_harness d;
    sfm_online *session;
    sfm_error error;
    double x = 0.25, value;
    begin(&d, SFM_ENGINE_GRAM, keepers[k]);
    (void)ask(&d, d.session, 0.5);
    online_harness_copy(copy, d.session);
    assert_ok(sfm_online_open(&session, copy, &error), &error);
    assert_ok(sfm_online_ask(session, &value, &(double){0.5}, 1, &error), &error);
    (void)ask(&d, d.session, x);
    assert_int_equal(sfm_online_ask(session, &value, &x, 1, &error), SFM_REFUSED);
    assert_int_equal(sfm_online_ask(session, &value, &(double){0.5}, 1, &error), SFM_REFUSED);
    sfm_online_close(session);
    online_harness_clear(&d);
  }
}

/* Whichever is asked first goes on. */
static void of_two_equal_copies_the_first_goes_on(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    online_harness d;
    begin(&d, SFM_ENGINE_GRAM, keepers[k]);
    (void)ask(&d, d.session, 0.5);
    online_harness_copy(copy, d.session);
    const double value = ask(&d, copy, 0.25);
    refused(&d, d.session, 0.25);
    refused(&d, d.session, 0.5);
    same(ask(&d, copy, 0.25), value);
    online_harness_clear(&d);
  }
}

/* Copies the anchor or the ledger aside; back: puts it back as it was then. */
static void keep_freshness_record(const online_harness *d, bool back) {
  char kept[200];
  const char *record = d->keeper == ONLINE_HARNESS_LEDGER ? d->ledger : d->anchor;
  snprintf(kept, sizeof kept, "%s/record", d->root);
  online_harness_copy(back ? record : kept, back ? kept : record);
}

/* A crash between the file and the freshness record: the batch is there, and nobody has seen it. */
static void a_pending_batch_is_completed_in_any_copy(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    online_harness d;
    begin(&d, SFM_ENGINE_GRAM, keepers[k]);
    for (int round = 0; round < 4; round++) {
      keep_freshness_record(&d, false);
      const double x = 0.1 + 0.2 * round, value = ask(&d, d.session, x);
      keep_freshness_record(&d, true);
      online_harness_copy(copy, d.session);
      same(ask(&d, round % 2 ? copy : d.session, x), value);
      same(ask(&d, round % 2 ? d.session : copy, x), value);
    }
    const double value = ask(&d, copy, 0.999);
    refused(&d, d.session, 0.999);
    same(ask(&d, copy, 0.999), value);
    online_harness_clear(&d);
  }
}

/* Two batches behind is not a crash: the freshness record never is. */
static void a_freshness_record_two_batches_behind_is_refused(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    online_harness d;
    begin(&d, SFM_ENGINE_GRAM, keepers[k]);
    (void)ask(&d, d.session, 0.5);
    keep_freshness_record(&d, false);
    (void)ask(&d, d.session, 0.6);
    (void)ask(&d, d.session, 0.7);
    keep_freshness_record(&d, true);
    refused(&d, d.session, 0.5);
    if (!strstr(d.word->text, "put back the newest")) fail_msg("blamed: %s", d.word->text);
    online_harness_clear(&d);
  }
}

/* The twin: a generation that is not raised.  Then two copies answer, differently. */
static void without_the_generation_there_would_be_two_draws(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    online_harness d;
    begin(&d, SFM_ENGINE_GRAM, keepers[k]);
    keep_freshness_record(&d, false);
    online_harness_copy(copy, d.session);
    const double value = ask(&d, d.session, 0.5);
    refused(&d, copy, 0.5);
    keep_freshness_record(&d, true);
    const double other = ask(&d, copy, 0.5);
    assert_true(memcmp(&value, &other, sizeof value) != 0);
    online_harness_clear(&d);
  }
}

/* ---- racing ---- */

enum { RACERS = 8, ROUNDS = 6 };

typedef struct lane {
  const online_harness *d;
  char path[200];
  double x, value;
  int status;
} lane;

static int run(void *context) {
  lane *l = context;
  sfm_error error = {.message = ""};
  sfm_online *session;
  if (sfm_online_open(&session, l->path, &error)) return 1;
  __atomic_add_fetch(&l->d->word->ready, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&l->d->word->go, __ATOMIC_SEQ_CST)) sched_yield();
  l->status = (int)sfm_online_ask(session, &l->value, &l->x, 1, &error);
  sfm_online_close(session);
  return l->status && l->status != SFM_REFUSED;
}

/* All copies of one state ask at once: one is answered. */
static int race(const online_harness *d, lane *lanes, int round) {
  pid_t children[RACERS];
  int winner = -1, winners = 0;
  d->word->ready = d->word->go = 0;
  for (int i = 0; i < RACERS; i++) {
    snprintf(lanes[i].path, sizeof lanes[i].path, "%s/lane-%d.sfs", d->root, i);
    online_harness_copy(lanes[i].path, copy);
    lanes[i].d = d;
    /* The same point, or each its own. */
    lanes[i].x = round % 2 ? 0.31 + 0.1 * round : 0.01 * round + 0.1 * i + 0.003;
    children[i] = child_start(run, &lanes[i], NULL);
  }
  while (__atomic_load_n(&d->word->ready, __ATOMIC_SEQ_CST) < RACERS) sched_yield();
  __atomic_store_n(&d->word->go, 1, __ATOMIC_SEQ_CST);
  for (int i = 0; i < RACERS; i++) {
    const child_end end = child_wait(children[i]);
    if (end.signal || end.code) fail_msg("racer %d: status %d", i, lanes[i].status);
    if (lanes[i].status) continue;
    winner = i;
    winners++;
  }
  assert_int_equal(winners, 1);
  return winner;
}

static void of_many_copies_at_once_one_goes_on(void **state) {
  (void)state;
  lane *lanes =
      mmap(NULL, RACERS * sizeof *lanes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(lanes, MAP_FAILED);
  for (int k = 0; k < 2; k++) {
    online_harness d;
    begin(&d, SFM_ENGINE_GRAM, keepers[k]);
    online_harness_copy(copy, d.session);
    for (int round = 0; round < ROUNDS; round++) {
      const int winner = race(&d, lanes, round);
      for (int i = 0; i < RACERS; i++) {
        if (i != winner) refused(&d, lanes[i].path, 0.5);
      }
      same(ask(&d, lanes[winner].path, lanes[winner].x), lanes[winner].value);
      online_harness_copy(copy, lanes[winner].path);
    }
    online_harness_clear(&d);
  }
  munmap(lanes, RACERS * sizeof *lanes);
}

/* ---- deaths ---- */

/* One question of the session at path, shown to the world; refused is fine. */
typedef struct guest {
  const online_harness *d;
  const char *path;
} guest;

static int ask_once(void *context) {
  const guest *g = context;
  sfm_error error = {.message = ""};
  sfm_online *session = NULL;
  sfm_status status = sfm_online_open(&session, g->path, &error);
  if (!status) status = online_harness_ask(g->d, session, &(double){0.3}, 1, &error);
  sfm_online_close(session);
  if (status) online_harness_say(g->d, "%s", error.message);
  return status && status != SFM_REFUSED;
}

static uint64_t shown_answers(const online_harness *d) {
  return __atomic_load_n(&d->word->answered, __ATOMIC_SEQ_CST);
}

/* All answers at 0.3 that were shown are one. */
static void check_log(const online_harness *d, const char *where) {
  double line[2], first = 0;
  size_t seen = 0;
  FILE *log = fopen(d->shown, "rb");
  assert_non_null(log);
  for (; fread(line, sizeof line, 1, log) == 1; seen++) {
    if (seen && memcmp(&first, &line[1], sizeof first)) fail_msg("%s: two draws were shown", where);
    first = line[1];
  }
  fclose(log);
}

/* The session dies while it answers; what it left goes on (or not), perhaps without power; then
 * somebody takes out a copy from before. */
static void die_at(online_harness *d, uint64_t at, bool power, bool next) {
  char where[400];
  guest original = {d, d->session}, older = {d, copy};
  interpose_plan plan = {
      .folders = {d->here, d->there}, .action = INTERPOSE_AFTER, .at = at, .disk = power};
  online_harness_again(d);
  online_harness_copy(copy, d->session);
  if (power) {
    disk_begin(d->here);
    disk_begin(d->there);
  }
  child_end end = child_run(ask_once, &original, &plan);
  snprintf(where, sizeof where, "after call %llu (%s)%s%s", (unsigned long long)at,
           child_report()->hit, power ? ", power cut" : "", next ? ", asked again before" : "");
  if (at && end.signal != SIGKILL) fail_msg("%s: %s", where, d->word->text);
  plan.action = INTERPOSE_COUNT;
  if (next && child_run(ask_once, &original, &plan).code) fail_msg("%s: %s", where, d->word->text);
  if (next && shown_answers(d) == 0) fail_msg("%s: refused: %s", where, d->word->text);
  if (power) {
    disk_cut(d->here, at % 2 ? at : 0);
    disk_cut(d->there, at % 2 ? at + 7 : 0);
  }
  const uint64_t before = shown_answers(d);
  if (child_run(ask_once, &older, NULL).code) fail_msg("%s: %s", where, d->word->text);
  if (before && shown_answers(d) != before) fail_msg("%s: an older copy answers", where);
  if (child_run(ask_once, &original, NULL).code) fail_msg("%s: %s", where, d->word->text);
  if (shown_answers(d) == 0) fail_msg("%s: nobody answers any more: %s", where, d->word->text);
  check_log(d, where);
}

static void whatever_dies_there_is_one_draw(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    online_harness d;
    begin(&d, SFM_ENGINE_GRAM, keepers[k]);
    online_harness_keep(&d);
    guest original = {&d, d.session};
    const interpose_plan plan = {.folders = {d.here, d.there}};
    assert_int_equal(child_run(ask_once, &original, &plan).code, 0);
    const uint64_t calls = child_report()->calls;
    assert_true(calls > 8);
    for (uint64_t at = 1; at <= calls; at += CHILD_STRIDE) {
      die_at(&d, at, false, false);
      die_at(&d, at, true, false);
      die_at(&d, at, false, true);
      die_at(&d, at, true, true);
    }
    online_harness_clear(&d);
  }
}

/* ---- freshness records that are missing, damaged or of another session ---- */

static void a_session_needs_its_freshness_record(void **state) {
  (void)state;
  online_harness d, other;
  double value;
  char path[160];
  begin(&d, SFM_ENGINE_GRAM, ONLINE_HARNESS_ANCHOR);
  begin(&other, SFM_ENGINE_GRAM, ONLINE_HARNESS_ANCHOR);
  (void)ask(&d, d.session, 0.5);
  keep_freshness_record(&d, false);
  unlink(d.anchor);
  assert_int_equal(online_harness_ask_at(&d, d.session, 0.5, &value), SFM_REFUSED);
  assert_non_null(strstr(d.word->text, "put it back"));
  online_harness_copy(d.anchor, other.anchor);
  assert_int_equal(online_harness_ask_at(&d, d.session, 0.5, &value), SFM_REFUSED);
  assert_non_null(strstr(d.word->text, "another session"));
  for (int length = 0; length < 130; length += 13) {
    keep_freshness_record(&d, true);
    if (truncate(d.anchor, length) != 0) abort();
    if (length < 125)
      assert_int_equal(online_harness_ask_at(&d, d.session, 0.5, &value), SFM_REFUSED);
  }
  keep_freshness_record(&d, true);
  (void)ask(&d, d.session, 0.5);
  online_harness_clear(&d);
  online_harness_clear(&other);
  begin(&d, SFM_ENGINE_GRAM, ONLINE_HARNESS_LEDGER);
  snprintf(path, sizeof path, "%s/elsewhere.db", d.root);
  if (rename(d.ledger, path) != 0) abort();
  assert_int_equal(online_harness_ask_at(&d, d.session, 0.5, &value), SFM_REFUSED);
  assert_non_null(strstr(d.word->text, "clinic.db"));
  assert_non_null(strstr(d.word->text, "put it back"));
  if (rename(path, d.ledger) != 0) abort();
  (void)ask(&d, d.session, 0.5);
  online_harness_clear(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_of_spectral_and_markov_agree),
      cmocka_unit_test(an_older_copy_is_refused),
      cmocka_unit_test(an_older_copy_that_is_open_is_refused),
      cmocka_unit_test(of_two_equal_copies_the_first_goes_on),
      cmocka_unit_test(a_pending_batch_is_completed_in_any_copy),
      cmocka_unit_test(a_freshness_record_two_batches_behind_is_refused),
      cmocka_unit_test(without_the_generation_there_would_be_two_draws),
      cmocka_unit_test(of_many_copies_at_once_one_goes_on),
      cmocka_unit_test(whatever_dies_there_is_one_draw),
      cmocka_unit_test(a_session_needs_its_freshness_record),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
