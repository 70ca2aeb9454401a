/* test_interact_kill.c - a process that dies, or whose disk fails, at any call while it makes an
 * interactive session and asks it: nothing that was shown is forgotten, no budget comes back, no
 * threshold is drawn twice (interact_harness.h). */
/* suite: release */
#include <signal.h>
#include <sys/stat.h>

#include "disk.h"
#include "ledger/child_process.h"
#include "interact_harness.h"

static interpose_plan planned(const interact_harness *p, interpose_action action, uint64_t at,
                              bool cut) {
  return (interpose_plan){.folders = {p->here, p->there}, .action = action, .at = at, .disk = cut};
}

static void prepare(interact_harness *p, bool cut) {
  interact_harness_again(p);
  if (!cut) return;
  disk_begin(p->here);
  disk_begin(p->there);
}

static void one(interact_harness *p, interpose_action action, bool cut, uint64_t at,
                uint64_t calls) {
  char where[500];
  prepare(p, cut);
  interpose_plan plan = planned(p, action, at, cut);
  child_end end = child_run(interact_harness_client, p, &plan);
  snprintf(where, sizeof where, "%s%s, call %llu of %llu (%s)", interpose_action_name(action),
           cut ? ", power cut" : "", (unsigned long long)at, (unsigned long long)calls,
           child_report()->hit);
  if (interpose_kills(action) && end.signal != SIGKILL)
    fail_msg("%s: the client ended with code %d: %s", where, end.code, p->word->text);
  if (!interpose_kills(action) && end.signal) fail_msg("%s: signal %d", where, end.signal);
  if (cut) {
    disk_cut(p->here, at % 3 ? at : 0);
    disk_cut(p->there, at % 3 ? 5000 + at : 0);
  }
  end = child_run(interact_harness_finish, p, NULL);
  if (end.signal || end.code) fail_msg("%s: signal %d: %s", where, end.signal, p->word->text);
}

/* At every call, or every few. */
static void sweep(interact_harness *p, interpose_action action, bool cut, uint64_t stride) {
  prepare(p, cut);
  interpose_plan plan = planned(p, INTERPOSE_COUNT, 0, cut);
  const child_end end = child_run(interact_harness_client, p, &plan);
  if (end.signal || end.code) fail_msg("the undisturbed client failed: %s", p->word->text);
  const uint64_t calls = child_report()->calls;
  assert_true(calls > 20);
  if (test_long()) stride = 1;
  for (uint64_t at = 1 + (uint64_t)action % stride; at <= calls; at += stride * CHILD_STRIDE)
    one(p, action, cut, at, calls);
}

/* From nothing to two batches, and then a session that has some. */
static void attack(interpose_action action, bool cut, uint64_t stride) {
  for (int charged = 0; charged < 2; charged++) {
    interact_harness p;
    interact_harness_init(&p, charged);
    sweep(&p, action, cut, stride);
    interact_harness_again(&p);
    if (child_run(interact_harness_client, &p, NULL).code) fail_msg("%s", p.word->text);
    interact_harness_keep(&p);
    p.batches = 3;
    sweep(&p, action, cut, stride);
    interact_harness_clear(&p);
  }
}

static void killed_before_any_call(void **state) {
  (void)state;
  attack(INTERPOSE_BEFORE, false, 2);
}

static void killed_in_the_middle_of_a_write(void **state) {
  (void)state;
  attack(INTERPOSE_TORN, false, 4);
}

static void the_disk_fails(void **state) {
  (void)state;
  attack(INTERPOSE_EIO, false, 3);
}

static void the_power_fails(void **state) {
  (void)state;
  attack(INTERPOSE_BEFORE, true, 3);
}

int main(void) {
  umask(0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(killed_before_any_call),
      cmocka_unit_test(killed_in_the_middle_of_a_write),
      cmocka_unit_test(the_disk_fails),
      cmocka_unit_test(the_power_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
