/* test_ledger_disk_full.c - a disk that fills up, or writes less than asked, at any write: an error
 * that is said, or success; never a crash, never a promise broken. */
/* suite: both */
#include "test_support.h"

#include "fault_sweep.h"

static void the_disk_is_full(void **state) {
  (void)state;
  sweep_fail(INTERPOSE_ENOSPC, false, true, false);
  sweep_fail(INTERPOSE_ENOSPC, true, false, false);
}

static void a_write_is_interrupted_or_short(void **state) {
  (void)state;
  sweep_fail(INTERPOSE_EINTR, false, false, false);
  sweep_fail(INTERPOSE_SHORT, false, false, false);
  sweep_fail(INTERPOSE_SHORT, true, false, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_disk_is_full),
      cmocka_unit_test(a_write_is_interrupted_or_short),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
