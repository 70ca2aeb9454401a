/* test_ledger_disk_error.c - a disk that fails at any call, once or from then on: an error that is
 * said, or success; never a crash, never a promise broken. */
/* suite: both */
#include "test_support.h"

#include "fault_sweep.h"

static void a_call_fails(void **state) {
  (void)state;
  sweep_fail(INTERPOSE_EIO, false, false, false);
}

static void a_call_fails_and_the_request_is_made_again_at_once(void **state) {
  (void)state;
  sweep_fail(INTERPOSE_EIO, false, true, false);
}

static void every_call_fails_from_then_on(void **state) {
  (void)state;
  sweep_fail(INTERPOSE_EIO, true, true, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_call_fails),
      cmocka_unit_test(a_call_fails_and_the_request_is_made_again_at_once),
      cmocka_unit_test(every_call_fails_from_then_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
