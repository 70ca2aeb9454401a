/* test_online_torn.c - killed within a write, killed twice, and calls that fail without a death. */
/* suite: both */
#include <sys/stat.h>

#include "online_crash.h"

static void killed_within_any_write(void **state) {
  (void)state;
  online_crash_run(&(online_crash){.action = INTERPOSE_TORN, .stride = 2});
}

static void killed_again_while_recovering(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= (test_long() ? 30 : 1); seed++)
    online_crash_run(&(online_crash){.action = INTERPOSE_BEFORE,
                                     .cut = seed % 2 == 0,
                                     .seed = seed,
                                     .twice = true,
                                     .stride = 4});
}

/* Errors of the disk: the client says so, or nothing was lost; and the next one goes on. */
static void calls_that_fail(void **state) {
  (void)state;
  online_crash_run(&(online_crash){.action = INTERPOSE_EIO, .stride = 3});
  online_crash_run(&(online_crash){.action = INTERPOSE_ENOSPC, .stride = 6});
}

/* Half a write, or none because of a signal, is not an error. */
static void writes_that_must_be_repeated(void **state) {
  (void)state;
  online_crash_run(&(online_crash){.action = INTERPOSE_SHORT, .stride = 10});
  online_crash_run(&(online_crash){.action = INTERPOSE_EINTR, .stride = 10});
}

int main(void) {
  umask(0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(killed_within_any_write),
      cmocka_unit_test(killed_again_while_recovering),
      cmocka_unit_test(calls_that_fail),
      cmocka_unit_test(writes_that_must_be_repeated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
