/* test_ledger_read_error.c - a disk that cannot be read, at any read, once or from then on: what
 * cannot be read is not "not there", and is not "damaged". */
/* suite: both */
#include "test_support.h"

#include "fault_sweep.h"

static void a_read_fails(void **state) {
  (void)state;
  sweep_fail(INTERPOSE_EIO, false, false, true);
}

static void every_read_fails_from_then_on(void **state) {
  (void)state;
  sweep_fail(INTERPOSE_EIO, true, false, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_read_fails),
      cmocka_unit_test(every_read_fails_from_then_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
