/* test_ledger_kill.c - a process killed at any call that changes the disk: what was shown was
 * charged, nothing is charged twice, nothing is shown twice differently, and the ledger goes on. */
/* suite: release */
#include "test_support.h"

#include "fault_sweep.h"

/* From nothing to an answer; and one more request of a ledger that has some. */
static void kill_everywhere(interpose_action action, bool anchored) {
  scenario w;
  scenario_init(&w, anchored);
  const sweep from_nothing = {.action = action, .requests = 1};
  const sweep one_more = {.action = action, .earlier = 2, .requests = 3};
  const uint64_t first = sweep_run(&w, &from_nothing), second = sweep_run(&w, &one_more);
  print_message("%s: %llu calls from nothing to an answer, %llu for one more request\n",
                anchored ? "with an anchor" : "without an anchor", (unsigned long long)first,
                (unsigned long long)second);
  /* Two durable transactions at the least: charge and answer. */
  assert_true(first > second && second >= 2 * 6);
  scenario_clear(&w);
}

static void killed_before_any_call(void **state) {
  (void)state;
  kill_everywhere(INTERPOSE_BEFORE, false);
  kill_everywhere(INTERPOSE_BEFORE, true);
}

static void killed_after_any_call(void **state) {
  (void)state;
  kill_everywhere(INTERPOSE_AFTER, false);
  kill_everywhere(INTERPOSE_AFTER, true);
}

static void killed_within_any_write(void **state) {
  (void)state;
  kill_everywhere(INTERPOSE_TORN, false);
  kill_everywhere(INTERPOSE_TORN, true);
}

static void killed_again_while_recovering(void **state) {
  (void)state;
  for (int anchored = 0; anchored < 2; anchored++) {
    scenario w;
    scenario_init(&w, anchored);
    for (uint64_t seed = 1; seed <= (test_long() ? 100 : 2); seed++) {
      const sweep s = {.action = seed % 2 ? INTERPOSE_BEFORE : INTERPOSE_TORN,
                       .requests = 2,
                       .seed = seed,
                       .twice = true};
      sweep_run(&w, &s);
    }
    scenario_clear(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(killed_before_any_call),
      cmocka_unit_test(killed_after_any_call),
      cmocka_unit_test(killed_within_any_write),
      cmocka_unit_test(killed_again_while_recovering),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
