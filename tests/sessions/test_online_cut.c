/* test_online_cut.c - the power fails at any call: what was not made durable is lost, or (with a
 * seed) some sectors, lengths and entries of it are. */
/* suite: both */
#include <sys/stat.h>

#include "online_crash.h"

static void all_is_lost_that_was_not_durable(void **state) {
  (void)state;
  online_crash_run(&(online_crash){.action = INTERPOSE_BEFORE, .cut = true, .stride = 4});
}

static void some_is_lost(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= (test_long() ? 50 : 1); seed++)
    online_crash_run(
        &(online_crash){.action = INTERPOSE_BEFORE, .cut = true, .seed = seed, .stride = 6});
}

/* A client is killed, another one finds what it left and shows it; then the power fails.  What the
 * second one showed must have been durable, although the first had not come to that. */
static void what_another_showed_stays(void **state) {
  (void)state;
  online_crash_run(&(online_crash){
      .action = INTERPOSE_AFTER, .cut = true, .later = true, .spectral = true, .stride = 8});
}

int main(void) {
  umask(0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_is_lost_that_was_not_durable),
      cmocka_unit_test(some_is_lost),
      cmocka_unit_test(what_another_showed_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
