/* test_ledger_generation.c - the generation of a session in the ledger that paid for it: counted up
 * one by one, from the last step and no other, durable before anybody acts on it. */
/* suite: both */
#include "test_support.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child_process.h"
#include "disk.h"
#include "ledger/ledger_generation.h"
#include "ledger_forgery.h"

#define DATASET "patients"

static scenario w;

/* A ledger in which request r1 was answered, kept as "base". */
static void begin(bool anchored) {
  scenario_init(&w, anchored);
  if (child_run(scenario_client, &w, NULL).code) fail_msg("%s", w.report->text);
  forge_keep(&w, "base");
}

static int base(void **state) {
  (void)state;
  begin(false);
  return 0;
}

static int anchored_base(void **state) {
  (void)state;
  begin(true);
  return 0;
}

static int clear(void **state) {
  (void)state;
  scenario_clear(&w);
  return 0;
}

static sfm_ledger *opened(void) {
  sfm_error error;
  sfm_ledger *ledger;
  assert_ok(sfm_ledger_open(&ledger, w.ledger, &error), &error);
  return ledger;
}

/* The hash that these tests give a generation of one past or another. */
static sfmi_generation at(uint64_t number, uint8_t past) {
  sfmi_generation g = {.number = number};
  for (size_t i = 0; i < sizeof g.hash; i++) g.hash[i] = (uint8_t)(number + i);
  g.hash[0] = past;
  return g;
}

static sfm_status raise_to(sfm_ledger *ledger, uint64_t number, uint8_t past, sfm_error *error) {
  const sfmi_generation before = at(number - 1, past), after = at(number, past);
  return sfmi_ledger_raise(ledger, DATASET, "r1", &before, &after, error);
}

static sfmi_generation last(sfm_ledger *ledger) {
  sfm_error error;
  sfmi_generation g;
  char *answer;
  assert_ok(sfmi_ledger_generation(ledger, &g, &answer, DATASET, "r1", &error), &error);
  assert_non_null(answer);
  free(answer);
  return g;
}

static void it_counts_up(void **state) {
  (void)state;
  sfm_error error;
  sfm_ledger *ledger = opened();
  assert_int_equal(last(ledger).number, 0);
  for (uint64_t i = 1; i <= 20; i++) {
    assert_ok(raise_to(ledger, i, 1, &error), &error);
    const sfmi_generation g = last(ledger), wanted = at(i, 1);
    assert_int_equal(g.number, i);
    assert_memory_equal(g.hash, wanted.hash, sizeof g.hash);
    if (i % 5 == 0) {
      sfm_ledger_close(ledger);
      ledger = opened();
      assert_int_equal(last(ledger).number, i);
    }
  }
  assert_ok(sfm_ledger_verify(ledger, NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
  if (child_run(scenario_check, &w, NULL).code) fail_msg("%s", w.report->text);
}

static void it_moves_from_the_last_step_only(void **state) {
  (void)state;
  sfm_error error;
  sfm_ledger *ledger = opened(), *other = opened();
  assert_ok(raise_to(ledger, 1, 1, &error), &error);
  assert_ok(raise_to(ledger, 2, 1, &error), &error);
  assert_int_equal(raise_to(ledger, 1, 1, &error), SFM_REFUSED);
  assert_int_equal(raise_to(ledger, 2, 1, &error), SFM_REFUSED);
  assert_int_equal(raise_to(ledger, 4, 1, &error), SFM_REFUSED);
  assert_int_equal(raise_to(ledger, 3, 2, &error), SFM_REFUSED);
  /* One that was opened before the others wrote. */
  assert_int_equal(raise_to(other, 1, 2, &error), SFM_REFUSED);
  const sfmi_generation from = at(2, 1), far = at(4, 1);
  assert_int_equal(sfmi_ledger_raise(ledger, DATASET, "r1", &from, &far, &error), SFM_REFUSED);
  assert_int_equal(last(other).number, 2);
  assert_ok(raise_to(other, 3, 1, &error), &error);
  assert_int_equal(last(ledger).number, 3);
  sfm_ledger_close(ledger);
  sfm_ledger_close(other);
}

static void only_what_was_paid_for_is_raised(void **state) {
  (void)state;
  sfm_error error;
  sfmi_generation g;
  char *answer;
  sfm_ledger *ledger = opened();
  const sfmi_generation zero = at(0, 1), one = at(1, 1);
  assert_ok(scenario_charge(&w, ledger, "charged", &w.guarantee, &error), &error);
  const char *const names[][2] = {
      {DATASET, "unknown"}, {DATASET, "charged"}, {"others", "r1"}, {DATASET, ""}, {"", "r1"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const sfm_status wanted = *names[i][0] && *names[i][1] ? SFM_REFUSED : SFM_INVALID;
    assert_int_equal(sfmi_ledger_raise(ledger, names[i][0], names[i][1], &zero, &one, &error),
                     wanted);
    assert_int_equal(sfmi_ledger_generation(ledger, &g, &answer, names[i][0], names[i][1], &error),
                     wanted);
    assert_null(answer);
  }
  sfm_ledger_close(ledger);
}

/* What was paid for before can still be asked. */
static void a_closed_dataset_is_raised(void **state) {
  (void)state;
  sfm_error error;
  sfm_ledger *ledger = opened();
  assert_ok(raise_to(ledger, 1, 1, &error), &error);
  assert_ok(sfm_ledger_close_dataset(ledger, DATASET, &error), &error);
  assert_ok(raise_to(ledger, 2, 1, &error), &error);
  assert_int_equal(last(ledger).number, 2);
  assert_ok(sfm_ledger_verify(ledger, NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
}

static bool see(void *context, const sfm_ledger_entry *entry) {
  char *text = context;
  if (strcmp(entry->kind, "raise") != 0) return true;
  assert_string_equal(entry->request, "r1");
  assert_string_equal(entry->amount, "0");
  assert_string_equal(entry->spent, "0.25");
  strcat(text, entry->parameters);
  return true;
}

static void the_history_tells_of_it(void **state) {
  (void)state;
  sfm_error error;
  char text[400] = "";
  sfm_ledger *ledger = opened();
  assert_ok(raise_to(ledger, 1, 1, &error), &error);
  assert_ok(raise_to(ledger, 2, 1, &error), &error);
  assert_ok(sfm_ledger_history(ledger, NULL, see, text, &error), &error);
  assert_string_equal(text, "{\"request\":\"r1\",\"generation\":1}"
                            "{\"request\":\"r1\",\"generation\":2}");
  sfm_ledger_close(ledger);
}

/* ---- edits ---- */

#define RAISE(number, dataset, request, parameters, amount, secret)                                \
  "INSERT INTO entry SELECT " #number ", time, 'raise', '" dataset "', '" request "', "            \
  "'" parameters "', '', '', " #amount ", 0, " secret ", hash FROM entry WHERE number = 1"
#define HASH "x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'"

/* Entries of the base: 1 create, 2 charge r1, 3 bind, 4 answer r1. */
static const char *const impossible[] = {
    RAISE(5, DATASET, "", "{\"request\":\"r1\",\"generation\":2}", 0, HASH),
    RAISE(5, DATASET, "", "{\"request\":\"r1\",\"generation\":0}", 0, HASH),
    RAISE(5, DATASET, "", "{\"request\":\"r1\",\"generation\":-1}", 0, HASH),
    RAISE(5, DATASET, "", "{\"request\":\"r1\",\"generation\":1}", 0, "NULL"),
    RAISE(5, DATASET, "", "{\"request\":\"r1\",\"generation\":1}", 1, HASH),
    RAISE(5, DATASET, "", "{\"request\":\"r1\",\"generation\":1,\"more\":1}", 0, HASH),
    RAISE(5, DATASET, "", "{\"request\":\"\",\"generation\":1}", 0, HASH),
    RAISE(5, DATASET, "", "{\"generation\":1}", 0, HASH),
    RAISE(5, DATASET, "", "", 0, HASH),
    RAISE(5, DATASET, "", "{\"request\":\"never\",\"generation\":1}", 0, HASH),
    RAISE(5, "others", "", "{\"request\":\"r1\",\"generation\":1}", 0, HASH),
    RAISE(5, DATASET, "r1", "{\"request\":\"r1\",\"generation\":1}", 0, HASH),
    "UPDATE entry SET number = 5 WHERE number = 4; UPDATE answer SET number = 5;" RAISE(
        4, DATASET, "", "{\"request\":\"r1\",\"generation\":1}", 0, HASH),
};

static void what_could_not_have_been_written_is_refused(void **state) {
  (void)state;
  const char *possible = RAISE(5, DATASET, "", "{\"request\":\"r1\",\"generation\":1}", 0, HASH);
  assert_true(forge_sql(&w, possible));
  forge_rechain(&w);
  assert_int_equal(forge_try(&w, possible), FORGE_OPENED | FORGE_VERIFIED);
  for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
    forge_restore(&w, "base", FORGE_ALL);
    if (!forge_sql(&w, impossible[i])) fail_msg("not made: %s", impossible[i]);
    forge_rechain(&w);
    if (forge_try(&w, impossible[i]) & FORGE_OPENED) fail_msg("%s: opened", impossible[i]);
  }
}

/* A ledger that is open when somebody writes such an entry does not come to believe it. */
static void it_stays_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_ledger *ledger = opened();
  assert_true(
      forge_sql(&w, RAISE(5, DATASET, "", "{\"request\":\"never\",\"generation\":1}", 0, HASH)));
  forge_rechain(&w);
  for (int i = 0; i < 3; i++) assert_int_equal(raise_to(ledger, 1, 1, &error), SFM_REFUSED);
  sfm_ledger_close(ledger);
}

/* ---- killed, and without power ---- */

enum { RAISES = 3 };

/* Goes on from where the ledger is; tells in shared memory how far it was when raise returned. */
static int climb(void *context) {
  uint64_t *told = context;
  sfm_ledger *ledger;
  sfm_error error = {0};
  sfmi_generation g;
  char *answer = NULL;
  sfm_status status = sfm_ledger_open(&ledger, w.ledger, &error);
  if (!status) status = sfmi_ledger_generation(ledger, &g, &answer, DATASET, "r1", &error);
  free(answer);
  for (uint64_t i = g.number + 1; !status && i <= RAISES; i++) {
    status = raise_to(ledger, i, 1, &error);
    if (!status) *told = i;
  }
  sfm_ledger_close(ledger);
  if (status) scenario_say(&w, "%s", error.message);
  return (int)status;
}

static void die_at(uint64_t call, interpose_action action, bool power, uint64_t *told) {
  interpose_plan plan = {.folders = {w.here, w.there}, .action = action, .at = call, .disk = power};
  forge_restore(&w, "base", FORGE_ALL);
  *told = 0;
  if (power) {
    disk_begin(w.here);
    disk_begin(w.there);
  }
  child_end end = child_run(climb, told, &plan);
  if (action != INTERPOSE_COUNT && end.signal != SIGKILL)
    fail_msg("call %llu: ended with code %d: %s", (unsigned long long)call, end.code,
             w.report->text);
  if (power) {
    disk_cut(w.here, call % 2 ? 0 : call);
    disk_cut(w.there, call % 3 ? 0 : call);
    disk_end(w.here);
    disk_end(w.there);
  }
  sfm_ledger *ledger = opened();
  const uint64_t found = last(ledger).number;
  sfm_ledger_close(ledger);
  if (found < *told || found > RAISES)
    fail_msg("call %llu (%s): told %llu, found %llu", (unsigned long long)call, child_report()->hit,
             (unsigned long long)*told, (unsigned long long)found);
  end = child_run(climb, told, NULL);
  if (end.signal || end.code) fail_msg("the next one failed: %s", w.report->text);
  if (child_run(scenario_check, &w, NULL).code) fail_msg("%s", w.report->text);
}

static void what_was_told_is_there_after_a_crash(void **state) {
  (void)state;
  uint64_t *told =
      mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(told, MAP_FAILED);
  for (int power = 0; power < 2; power++) {
    die_at(0, INTERPOSE_COUNT, power, told);
    *told = 0;
    forge_restore(&w, "base", FORGE_ALL);
    const interpose_plan count = {.folders = {w.here, w.there}};
    assert_int_equal(child_run(climb, told, &count).code, 0);
    const uint64_t calls = child_report()->calls;
    assert_true(calls > RAISES * 4);
    for (uint64_t call = 1; call <= calls; call += CHILD_STRIDE)
      die_at(call, (call / CHILD_STRIDE) % 2 ? INTERPOSE_BEFORE : INTERPOSE_AFTER, power, told);
  }
  munmap(told, sizeof *told);
}

/* ---- at once ---- */

enum { PROCESSES = 8, STEPS = 30 };

typedef struct racing {
  int ready, go;
  uint64_t won[PROCESSES];
} racing;

typedef struct racer {
  racing *race;
  uint8_t number;
} racer;

/* Each tries to take every step from the last one as its own. */
static int run(void *context) {
  const racer *r = context;
  sfm_ledger *ledger;
  sfm_error error = {0};
  if (sfm_ledger_open(&ledger, w.ledger, &error)) return 1;
  __atomic_add_fetch(&r->race->ready, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&r->race->go, __ATOMIC_SEQ_CST)) sched_yield();
  sfm_status status = SFM_OK;
  for (;;) {
    sfmi_generation g, next;
    char *answer;
    status = sfmi_ledger_generation(ledger, &g, &answer, DATASET, "r1", &error);
    free(answer);
    if (status || g.number >= STEPS) break;
    next = at(g.number + 1, r->number);
    status = sfmi_ledger_raise(ledger, DATASET, "r1", &g, &next, &error);
    if (!status) r->race->won[r->number]++;
    if (status && status != SFM_REFUSED) break;
  }
  sfm_ledger_close(ledger);
  if (status) scenario_say(&w, "%s", error.message);
  return (int)status;
}

static void of_many_one_takes_each_step(void **state) {
  (void)state;
  racing *race =
      mmap(NULL, sizeof *race, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(race, MAP_FAILED);
  racer racers[PROCESSES];
  pid_t children[PROCESSES];
  for (int i = 0; i < PROCESSES; i++) {
    racers[i] = (racer){race, (uint8_t)i};
    children[i] = child_start(run, &racers[i], NULL);
  }
  while (__atomic_load_n(&race->ready, __ATOMIC_SEQ_CST) < PROCESSES) sched_yield();
  __atomic_store_n(&race->go, 1, __ATOMIC_SEQ_CST);
  uint64_t won = 0;
  for (int i = 0; i < PROCESSES; i++) {
    const child_end end = child_wait(children[i]);
    if (end.signal || end.code) fail_msg("process %d: %s", i, w.report->text);
    won += race->won[i];
  }
  assert_int_equal(won, STEPS);
  if (child_run(scenario_check, &w, NULL).code) fail_msg("%s", w.report->text);
  munmap(race, sizeof *race);
}

#define BASE(test) cmocka_unit_test_setup_teardown(test, base, clear)
#define ANCHORED(test) cmocka_unit_test_setup_teardown(test, anchored_base, clear)

int main(void) {
  const struct CMUnitTest tests[] = {
      BASE(it_counts_up),
      ANCHORED(it_counts_up),
      BASE(it_moves_from_the_last_step_only),
      BASE(only_what_was_paid_for_is_raised),
      BASE(a_closed_dataset_is_raised),
      BASE(the_history_tells_of_it),
      BASE(what_could_not_have_been_written_is_refused),
      BASE(it_stays_refused),
      BASE(what_was_told_is_there_after_a_crash),
      ANCHORED(what_was_told_is_there_after_a_crash),
      BASE(of_many_one_takes_each_step),
      ANCHORED(of_many_one_takes_each_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
