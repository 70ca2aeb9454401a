/* test_ledger_race.c - many processes at one ledger: what is accepted is exact to the unit, and a
 * request that many make at once is charged once and answered with one string of bytes. */
#include "test_support.h"

#include <sched.h>
#include <sys/mman.h>

#include "child_process.h"
#include "ledger_scenario.h"

enum { PROCESSES = 64 };

/* What the racers share. */
typedef struct track {
  int ready, go;           /* how many wait; the start */
  int64_t accepted, units; /* charges, and what they cost */
  int64_t refused, least;  /* the cheapest that was refused */
  int64_t others;          /* anything else */
} track;

/* One of them. */
typedef struct racer {
  const scenario *w;
  track *track;
  unsigned number, laps;
  bool uneven; /* every request has another cost */
} racer;

static track *make_track(void) {
  track *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(t, MAP_FAILED);
  t->least = INT64_MAX;
  return t;
}

static void at_the_start(track *t) {
  __atomic_add_fetch(&t->ready, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&t->go, __ATOMIC_SEQ_CST)) sched_yield();
}

static void start(track *t, int racers) {
  while (__atomic_load_n(&t->ready, __ATOMIC_SEQ_CST) < racers) sched_yield();
  __atomic_store_n(&t->go, 1, __ATOMIC_SEQ_CST);
}

static void count(track *t, sfm_status status, int64_t units) {
  if (!status) {
    __atomic_add_fetch(&t->accepted, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&t->units, units, __ATOMIC_SEQ_CST);
  } else if (status == SFM_REFUSED) {
    __atomic_add_fetch(&t->refused, 1, __ATOMIC_SEQ_CST);
    int64_t least = __atomic_load_n(&t->least, __ATOMIC_SEQ_CST);
    while (units < least && !__atomic_compare_exchange_n(&t->least, &least, units, false,
                                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
  } else {
    __atomic_add_fetch(&t->others, 1, __ATOMIC_SEQ_CST);
  }
}

/* Charges laps requests of its own. */
static int run(void *context) {
  const racer *r = context;
  sfm_ledger *ledger = NULL;
  sfm_error error = {0};
  sfm_status status = sfm_ledger_open(&ledger, r->w->ledger, &error);
  at_the_start(r->track);
  for (unsigned lap = 0; !status && lap < r->laps; lap++) {
    char request[40];
    const int64_t units = 1000000000 + (r->uneven ? (int64_t)(r->number * 7919 + lap * 104729) : 0);
    const sfm_guarantee guarantee = scenario_pure((double)units / 1e12);
    snprintf(request, sizeof request, "p%u-%u", r->number, lap);
    const sfm_status said = scenario_charge(r->w, ledger, request, &guarantee, &error);
    count(r->track, said, units);
    if (said && said != SFM_REFUSED) status = said;
  }
  sfm_ledger_close(ledger);
  if (status) scenario_say(r->w, "process %u: %s", r->number, error.message);
  return (int)status;
}

/* All of them at once; each must end well. */
static void race(const scenario *w, track *t, int (*act)(void *context), unsigned laps,
                 bool uneven) {
  static racer racers[PROCESSES];
  pid_t children[PROCESSES];
  for (unsigned i = 0; i < PROCESSES; i++) {
    racers[i] = (racer){w, t, i, laps, uneven};
    children[i] = child_start(act, &racers[i], NULL);
  }
  start(t, PROCESSES);
  unsigned bad = 0;
  for (unsigned i = 0; i < PROCESSES; i++) {
    child_end end = child_wait(children[i]);
    bad += end.signal || end.code;
  }
  if (bad) fail_msg("%u of %d processes ended badly; one: %s", bad, PROCESSES, w->report->text);
}

static void make_ledger(scenario *w, double epsilon) {
  scenario_init(w, false);
  w->epsilon = epsilon;
  w->requests = 0;
  if (child_run(scenario_client, w, NULL).code) fail_msg("%s", w->report->text);
}

static int64_t left_of(const scenario *w, uint64_t *charges) {
  sfm_ledger *ledger;
  sfm_dataset_status status;
  sfm_error error;
  assert_ok(sfm_ledger_open(&ledger, w->ledger, &error), &error);
  assert_ok(sfm_ledger_find(ledger, &status, "patients", &error), &error);
  sfm_ledger_close(ledger);
  *charges = status.charges;
  return scenario_units(status.amount.left);
}

/* Total for 64 % of the requests: so many are accepted, each recorded once, not one more or less.
 */
static void equal_charges_fill_the_total(void **state) {
  (void)state;
  scenario w;
  uint64_t charges;
  const unsigned laps = test_long() ? 10000 : 100;
  const int64_t fits = (int64_t)laps * PROCESSES * 64 / 100;
  track *t = make_track();
  make_ledger(&w, (double)(fits * 1000000000 + 999999999) / 1e12);
  race(&w, t, run, laps, false);
  print_message("%d processes, %u charges each: %lld accepted, %lld refused\n", PROCESSES, laps,
                (long long)t->accepted, (long long)t->refused);
  assert_int_equal(t->others, 0);
  assert_int_equal(t->accepted, fits);
  assert_int_equal(t->accepted + t->refused, (int64_t)laps * PROCESSES);
  assert_int_equal(left_of(&w, &charges), 999999999);
  assert_int_equal(charges, fits);
  if (child_run(scenario_check, &w, NULL).code) fail_msg("%s", w.report->text);
  scenario_clear(&w);
  munmap(t, sizeof *t);
}

/* Charges of many sizes: the sum is exact, and what was refused did not fit. */
static void uneven_charges_fill_the_total(void **state) {
  (void)state;
  scenario w;
  uint64_t charges;
  const unsigned laps = test_long() ? 1000 : 40;
  track *t = make_track();
  make_ledger(&w, (double)(laps * PROCESSES / 2) / 1000);
  const int64_t total = (int64_t)(laps * PROCESSES / 2) * 1000000000;
  race(&w, t, run, laps, true);
  const int64_t left = left_of(&w, &charges);
  assert_int_equal(t->others, 0);
  assert_int_equal(charges, t->accepted);
  assert_int_equal(left, total - t->units);
  assert_true(t->refused > 0 && left >= 0 && left < t->least);
  if (child_run(scenario_check, &w, NULL).code) fail_msg("%s", w.report->text);
  scenario_clear(&w);
  munmap(t, sizeof *t);
}

/* Everybody makes the same requests, whole. */
static int run_same(void *context) {
  const racer *r = context;
  sfm_ledger *ledger = NULL;
  sfm_error error = {0};
  sfm_status status = sfm_ledger_open(&ledger, r->w->ledger, &error);
  at_the_start(r->track);
  for (unsigned lap = 0; !status && lap < r->laps; lap++) {
    char request[40];
    snprintf(request, sizeof request, "same-%u", lap);
    status = scenario_request(r->w, ledger, request, &error);
    count(r->track, status, 0);
  }
  sfm_ledger_close(ledger);
  if (status) scenario_say(r->w, "process %u: %s", r->number, error.message);
  return (int)status;
}

static void the_same_request_is_charged_and_answered_once(void **state) {
  (void)state;
  const unsigned laps = test_long() ? 200 : 10;
  for (int anchored = 0; anchored < 2; anchored++) {
    scenario w;
    uint64_t charges;
    track *t = make_track();
    scenario_init(&w, anchored);
    w.epsilon = laps;
    w.guarantee = scenario_pure(1); /* each fits once, and only once */
    w.requests = 0;
    if (child_run(scenario_client, &w, NULL).code) fail_msg("%s", w.report->text);
    race(&w, t, run_same, laps, false);
    assert_int_equal(t->accepted, laps * PROCESSES);
    assert_int_equal(left_of(&w, &charges), 0);
    assert_int_equal(charges, laps);
    if (child_run(scenario_check, &w, NULL).code) fail_msg("%s", w.report->text);
    scenario_clear(&w);
    munmap(t, sizeof *t);
  }
}

/* ---- fork ---- */

typedef struct inherited {
  const scenario *w;
  sfm_ledger *ledger;
} inherited;

static bool never(void *context, const sfm_ledger_entry *entry) {
  (void)context;
  (void)entry;
  return false;
}

/* A child that tries everything with its parent's ledger; how many were not refused. */
static int use_inherited(void *context) {
  const inherited *in = context;
  sfm_error error = {0};
  sfm_dataset_status one, *all = NULL;
  size_t count_of = 0;
  sfm_ledger *l = in->ledger;
  const sfm_status got[] = {
      scenario_request(in->w, l, "child", &error),
      sfm_ledger_find(l, &one, "patients", &error),
      sfm_ledger_status(l, &all, &count_of, &error),
      sfm_ledger_history(l, NULL, never, NULL, &error),
      sfm_ledger_verify(l, NULL, NULL, &error),
      sfm_ledger_close_dataset(l, "patients", &error),
  };
  int bad = 0;
  for (size_t i = 0; i < sizeof got / sizeof *got; i++) bad += got[i] != SFM_INVALID;
  bad += strstr(error.message, "fork") == NULL;
  sfm_ledger_close(l);
  /* Opened here, it works. */
  bad += sfm_ledger_open(&l, in->w->ledger, &error) || scenario_request(in->w, l, "own", &error);
  sfm_ledger_close(l);
  return bad;
}

static void a_forked_child_cannot_use_its_parents_ledger(void **state) {
  (void)state;
  scenario w;
  sfm_error error;
  uint64_t charges;
  make_ledger(&w, 1);
  inherited in = {&w, NULL};
  assert_ok(sfm_ledger_open(&in.ledger, w.ledger, &error), &error);
  assert_ok(scenario_request(&w, in.ledger, "before", &error), &error);
  child_end end = child_run(use_inherited, &in, NULL);
  assert_int_equal(end.signal, 0);
  assert_int_equal(end.code, 0);
  assert_ok(scenario_request(&w, in.ledger, "after", &error), &error);
  sfm_ledger_close(in.ledger);
  assert_int_equal(left_of(&w, &charges), 250000000000);
  assert_int_equal(charges, 3);
  if (child_run(scenario_check, &w, NULL).code) fail_msg("%s", w.report->text);
  scenario_clear(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_charges_fill_the_total),
      cmocka_unit_test(uneven_charges_fill_the_total),
      cmocka_unit_test(the_same_request_is_charged_and_answered_once),
      cmocka_unit_test(a_forked_child_cannot_use_its_parents_ledger),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
