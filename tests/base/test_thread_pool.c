/* test_thread_pool.c - work shared by threads: every share is done once, by as many threads as the
 * limits allow. */
#include "test_support.h"

#include <time.h>

#include "base/system/thread_pool.h"

static void numbers_of_threads_are_limited(void **state) {
  (void)state;
  for (size_t asked = 1; asked <= SFMI_THREADS_MAX + 3; asked++) {
    const size_t most[] = {1, SFMI_THREAD_POOL_MAX, SFMI_THREADS_MAX};
    for (size_t i = 0; i < 3; i++)
      assert_int_equal(sfmi_thread_count(asked, most[i]), asked < most[i] ? asked : most[i]);
  }
  /* One per processor, and never more than a pool has. */
  assert_in_range(sfmi_thread_count(0, SFMI_THREADS_MAX), 1, SFMI_THREAD_POOL_MAX);
  assert_int_equal(sfmi_thread_count(0, SFMI_THREADS_MAX),
                   sfmi_thread_count(0, SFMI_THREAD_POOL_MAX));
  assert_int_equal(sfmi_thread_count(0, 1), 1);
}

static void count_share(void *context, size_t share, size_t shares) {
  size_t *counts = context;
  counts[share] += shares;
}

static void threads_do_every_share_once(void **state) {
  (void)state;
  for (size_t shares = 0; shares <= SFMI_THREADS_MAX; shares++) {
    size_t counts[SFMI_THREADS_MAX] = {0};
    sfmi_threads_run(count_share, counts, shares);
    for (size_t i = 0; i < SFMI_THREADS_MAX; i++)
      assert_int_equal(counts[i], i < shares ? shares : 0);
  }
}

/* In calls that follow each other at once, and after a pause in which the threads sleep. */
static void pools_do_every_share_once_per_call(void **state) {
  (void)state;
  for (size_t threads = 1; threads <= SFMI_THREAD_POOL_MAX + 3; threads++) {
    sfmi_thread_pool *pool = sfmi_thread_pool_create(threads);
    const size_t size = threads < SFMI_THREAD_POOL_MAX ? threads : SFMI_THREAD_POOL_MAX;
    size_t counts[SFMI_THREAD_POOL_MAX] = {0};
    for (int call = 0; call < 300; call++) {
      sfmi_thread_pool_run(pool, count_share, counts);
      if (call % 100 == 99) nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    for (size_t i = 0; i < SFMI_THREAD_POOL_MAX; i++)
      assert_int_equal(counts[i], i < size ? 300 * size : 0);
    sfmi_thread_pool_destroy(pool);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_threads_are_limited),
      cmocka_unit_test(threads_do_every_share_once),
      cmocka_unit_test(pools_do_every_share_once_per_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
