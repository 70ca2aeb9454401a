/* test_online_kill.c - a process killed at any call that changes the disk, while it makes a session
 * and while it asks: what was shown stays as it was, bit for bit; one charge, one draw; and nobody
 * else could ever read the files. */
/* suite: release */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/child_process.h"
#include "online_crash.h"

static void killed_before_any_call(void **state) {
  (void)state;
  online_crash_run(&(online_crash){.action = INTERPOSE_BEFORE, .spectral = true});
}

/* After a call is before the next one, but for the last. */
static void killed_after_any_call(void **state) {
  (void)state;
  if (test_long()) online_crash_run(&(online_crash){.action = INTERPOSE_AFTER, .spectral = true});
}

/* ---- wiping ---- */

static int wipe(void *context) {
  const online_harness *d = context;
  sfm_error error = {.message = ""};
  sfm_online *session = NULL;
  sfm_status status = sfm_online_open(&session, d->session, &error);
  if (!status) status = sfm_online_wipe(session, &error);
  sfm_online_close(session);
  if (status) online_harness_say(d, "%s", error.message);
  return (int)status;
}

/* What is left after a death can be discarded, and then nothing is. */
static void killed_while_wiping(void **state) {
  (void)state;
  online_harness d;
  sfm_error error;
  struct stat facts;
  online_harness_init(&d, SFM_ENGINE_MARKOV, ONLINE_HARNESS_ALONE);
  if (child_run(online_harness_client, &d, NULL).code) fail_msg("%s", d.word->text);
  online_harness_keep(&d);
  interpose_plan plan = {.folders = {d.here, d.there}};
  if (child_run(wipe, &d, &plan).code) fail_msg("%s", d.word->text);
  const uint64_t calls = child_report()->calls;
  assert_true(calls >= 4);
  for (uint64_t at = 1; at <= calls; at++) {
    online_harness_again(&d);
    plan = (interpose_plan){.folders = {d.here, d.there},
                            .action = at % 2 ? INTERPOSE_TORN : INTERPOSE_BEFORE,
                            .at = at};
    assert_int_equal(child_run(wipe, &d, &plan).signal, SIGKILL);
    if (stat(d.session, &facts) == 0) assert_ok(sfm_online_discard(d.session, &error), &error);
    assert_int_equal(rmdir(d.here), 0); /* it is empty */
  }
  online_harness_clear(&d);
}

int main(void) {
  umask(0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(killed_before_any_call),
      cmocka_unit_test(killed_after_any_call),
      cmocka_unit_test(killed_while_wiping),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
