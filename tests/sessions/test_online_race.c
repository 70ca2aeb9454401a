/* test_online_race.c - several processes at one session: all of them get the same answers, and one
 * of several that make it makes it. */
#include "online_harness.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ledger/child_process.h"

enum { MOST = 8 };

/* Each asks its batches at the same time as the others; their points overlap. */
static int run(void *context) {
  const online_harness *d = context;
  __atomic_add_fetch(&d->word->ready, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&d->word->go, __ATOMIC_SEQ_CST)) sched_yield();
  return online_harness_visitor(context);
}

static void all_at_once(const online_harness *d, int (*act)(void *context), unsigned processes,
                        bool (*fine)(child_end end)) {
  static online_harness own[MOST];
  pid_t children[MOST];
  d->word->ready = d->word->go = 0;
  for (unsigned i = 0; i < processes; i++) {
    own[i] = *d;
    own[i].salt = i / 2; /* two of a kind ask the very same */
    children[i] = child_start(act, &own[i], NULL);
  }
  while (__atomic_load_n(&d->word->ready, __ATOMIC_SEQ_CST) < (int)processes) sched_yield();
  __atomic_store_n(&d->word->go, 1, __ATOMIC_SEQ_CST);
  for (unsigned i = 0; i < processes; i++) {
    const child_end end = child_wait(children[i]);
    if (!fine(end))
      fail_msg("process %u: signal %d, code %d: %s", i, end.signal, end.code, d->word->text);
  }
}

static bool well(child_end end) {
  return !end.signal && !end.code;
}

static void everybody_agrees(sfm_engine engine, online_harness_keeper keeper, unsigned processes,
                             unsigned batches) {
  online_harness d;
  sfm_error error;
  online_harness_init(&d, engine, keeper);
  assert_ok(online_harness_create(&d, d.session, &error), &error);
  d.batches = batches;
  all_at_once(&d, run, processes, well);
  assert_int_equal(d.word->answered, processes * batches);
  if (child_run(online_harness_check, &d, NULL).code) fail_msg("%s", d.word->text);
  online_harness_clear(&d);
}

static void processes_agree(void **state) {
  (void)state;
  const unsigned batches = test_long() ? 1000 : 60;
  for (unsigned processes = 2; processes <= MOST; processes += 6) {
    everybody_agrees(SFM_ENGINE_SPECTRAL, ONLINE_HARNESS_ALONE, processes, batches);
    everybody_agrees(SFM_ENGINE_MARKOV, ONLINE_HARNESS_ALONE, processes, batches);
    everybody_agrees(SFM_ENGINE_GRAM, ONLINE_HARNESS_ANCHOR, processes, batches);
    everybody_agrees(SFM_ENGINE_GRAM, ONLINE_HARNESS_LEDGER, processes, batches);
  }
}

/* ---- making one ---- */

static int make(void *context) {
  const online_harness *d = context;
  sfm_error error = {.message = ""};
  __atomic_add_fetch(&d->word->ready, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&d->word->go, __ATOMIC_SEQ_CST)) sched_yield();
  sfm_status status = online_harness_create(d, d->session, &error);
  if (!status) __atomic_add_fetch(&d->word->answered, 1, __ATOMIC_SEQ_CST);
  if (status) online_harness_say(d, "%s", error.message);
  return (int)status;
}

/* Others find it being made, or made. */
static bool well_or_late(child_end end) {
  return !end.signal && (!end.code || end.code == SFM_IO || end.code == SFM_INVALID);
}

static void one_of_several_makes_it(void **state) {
  (void)state;
  static const online_harness_keeper keepers[] = {ONLINE_HARNESS_ALONE, ONLINE_HARNESS_LEDGER};
  for (int k = 0; k < 2; k++)
    for (int round = 0; round < (test_long() ? 100 : 5); round++) {
      online_harness d;
      online_harness_init(&d, SFM_ENGINE_MARKOV, keepers[k]);
      all_at_once(&d, make, MOST, well_or_late);
      if (d.word->answered < 1 || (!k && d.word->answered > 1))
        fail_msg("%llu made it: %s", (unsigned long long)d.word->answered, d.word->text);
      if (child_run(online_harness_visitor, &d, NULL).code ||
          child_run(online_harness_check, &d, NULL).code)
        fail_msg("%s", d.word->text);
      assert_int_not_equal(access(d.session, F_OK), -1);
      online_harness_clear(&d);
    }
}

/* ---- the same request, two places ---- */

static int make_elsewhere(void *context) {
  online_harness *d = context;
  snprintf(d->session, sizeof d->session, "%s/s-%u.sfs", d->here, d->salt);
  return make(context);
}

static bool well_or_refused(child_end end) {
  return !end.signal && (!end.code || end.code == SFM_REFUSED || end.code == SFM_IO);
}

static void a_request_makes_one_session_wherever(void **state) {
  (void)state;
  for (int round = 0; round < (test_long() ? 100 : 5); round++) {
    online_harness d;
    unsigned made = 0;
    online_harness_init(&d, SFM_ENGINE_MARKOV, ONLINE_HARNESS_LEDGER);
    all_at_once(&d, make_elsewhere, MOST, well_or_refused);
    for (unsigned i = 0; i < MOST / 2; i++) {
      char path[sizeof d.session];
      snprintf(path, sizeof path, "%s/s-%u.sfs", d.here, i);
      if (access(path, F_OK) != 0) continue;
      made++;
      memcpy(d.session, path, sizeof path);
    }
    if (made != 1) fail_msg("%u sessions under one request", made);
    if (child_run(online_harness_check, &d, NULL).code) fail_msg("%s", d.word->text);
    online_harness_clear(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(processes_agree),
      cmocka_unit_test(one_of_several_makes_it),
      cmocka_unit_test(a_request_makes_one_session_wherever),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
