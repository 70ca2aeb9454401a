/* test_ledger_power_failure.c - the power fails at any call: what was not made durable is lost, or
 * (with a seed) some sectors, lengths and entries of it are. */
/* suite: release */
#include "test_support.h"

#include "fault_sweep.h"

static void cut_everywhere(uint64_t seed, bool anchored) {
  scenario w;
  scenario_init(&w, anchored);
  const sweep from_nothing = {.action = INTERPOSE_BEFORE, .cut = true, .seed = seed, .requests = 2};
  const sweep one_more = {
      .action = INTERPOSE_AFTER, .cut = true, .seed = seed, .earlier = 2, .requests = 3};
  sweep_run(&w, &from_nothing);
  sweep_run(&w, &one_more);
  scenario_clear(&w);
}

static void all_is_lost_that_was_not_durable(void **state) {
  (void)state;
  cut_everywhere(0, false);
  cut_everywhere(0, true);
}

static void some_is_lost(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= (test_long() ? 200 : 3); seed++)
    cut_everywhere(seed, seed % 3 != 0);
}

/* The answers of a client that ended are durable; and these tests would notice if they were not:
 * with a disk whose syncs do nothing, they are gone. */
static void what_was_shown_stays(void **state) {
  (void)state;
  for (int anchored = 0; anchored < 2; anchored++) {
    scenario w;
    scenario_init(&w, anchored);
    for (unsigned requests = 0; requests <= 4; requests++) {
      const char *wrong = sweep_shown(&w, requests, false);
      if (wrong) fail_msg("%u requests, then a cut: %s", requests, wrong);
      assert_non_null(sweep_shown(&w, requests, true));
    }
    scenario_clear(&w);
  }
}

/* A client is killed, another one finds what it left and shows it; then the power fails.  What the
 * second one showed must have been durable, although the first had not come to that. */
static void what_another_showed_stays(void **state) {
  (void)state;
  for (int anchored = 0; anchored < 2; anchored++) {
    scenario w;
    scenario_init(&w, anchored);
    const sweep s = {
        .action = INTERPOSE_AFTER, .cut = true, .earlier = 1, .requests = 2, .later = true};
    sweep_run(&w, &s);
    scenario_clear(&w);
  }
}

/* The power fails, and again while the next client recovers from that. */
static void cut_again_while_recovering(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= (test_long() ? 100 : 2); seed++) {
    scenario w;
    scenario_init(&w, seed % 2);
    const sweep s = {.action = INTERPOSE_BEFORE,
                     .cut = true,
                     .seed = seed,
                     .earlier = 1,
                     .requests = 2,
                     .twice = true};
    sweep_run(&w, &s);
    scenario_clear(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_is_lost_that_was_not_durable),
      cmocka_unit_test(some_is_lost),
      cmocka_unit_test(what_was_shown_stays),
      cmocka_unit_test(what_another_showed_stays),
      cmocka_unit_test(cut_again_while_recovering),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
