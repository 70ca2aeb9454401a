/* test_arena.c - scratch memory: zeroed, aligned, freed at once, and refused rather than wrapped.
 */
#include "test_support.h"

#include "base/system/arena.h"

static void blocks_are_zeroed_aligned_and_apart(void **state) {
  (void)state;
  sfmi_arena arena = {0};
  unsigned char *blocks[64];
  for (size_t i = 0; i < 64; i++) {
    blocks[i] = sfmi_arena_get(&arena, i + 1, 3);
    assert_non_null(blocks[i]);
    assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
    for (size_t k = 0; k < 3 * (i + 1); k++) assert_int_equal(blocks[i][k], 0);
    memset(blocks[i], (int)i + 1, 3 * (i + 1));
  }
  for (size_t i = 0; i < 64; i++)
    for (size_t k = 0; k < 3 * (i + 1); k++) assert_int_equal(blocks[i][k], i + 1);
  sfmi_arena_clear(&arena);
  assert_null(arena.blocks);
  double *again = sfmi_arena_doubles(&arena, 10);
  assert_non_null(again);
  assert_true(again[9] == 0);
  sfmi_arena_clear(&arena);
  sfmi_arena_clear(&arena);
}

static void products_that_overflow_are_refused(void **state) {
  (void)state;
  sfmi_arena arena = {0};
  assert_null(sfmi_arena_get(&arena, SIZE_MAX, 2));
  assert_null(sfmi_arena_get(&arena, SIZE_MAX / 8 + 1, 8));
  assert_null(sfmi_arena_get(&arena, SIZE_MAX, 1));
  assert_null(sfmi_arena_doubles(&arena, SIZE_MAX / 4));
  assert_null(arena.blocks);
}

/* What was refused is remembered until the arena is empty. */
static void a_refusal_is_remembered(void **state) {
  (void)state;
  sfmi_arena arena = {0};
  assert_non_null(sfmi_arena_get(&arena, 1, 1));
  assert_false(arena.failed);
  assert_null(sfmi_arena_get(&arena, SIZE_MAX, 2));
  assert_non_null(sfmi_arena_get(&arena, 1, 1));
  assert_true(arena.failed);
  sfmi_arena_clear(&arena);
  assert_false(arena.failed);
}

/* In place of the C library's: counts the bytes. */
static size_t wiped;

void explicit_bzero(void *bytes, size_t count) {
  memset(bytes, 0, count);
  wiped += count;
}

static void wiped_blocks_are_zeroed_whole(void **state) {
  (void)state;
  enum { SIZE = 1 << 12 };
  sfmi_arena arena = {0};
  unsigned char *other = sfmi_arena_get(&arena, 7, 1), *block = sfmi_arena_get(&arena, SIZE, 1);
  memset(other, 0xa5, 7);
  memset(block, 0xa5, SIZE);
  wiped = 0;
  sfmi_arena_wipe(&arena);
  assert_int_equal(wiped, SIZE + 7);
  assert_null(arena.blocks);
  assert_non_null(sfmi_arena_get(&arena, 1, 1));
  sfmi_arena_wipe(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_zeroed_aligned_and_apart),
      cmocka_unit_test(products_that_overflow_are_refused),
      cmocka_unit_test(a_refusal_is_remembered),
      cmocka_unit_test(wiped_blocks_are_zeroed_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
