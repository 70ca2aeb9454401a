/* test_string_map.c - texts are found where they were added first, and how often they were. */
#include "test_support.h"

#include "base/text/string_map.h"

static void texts_are_found(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  static char texts[COUNT][16];
  sfmi_string_map names = {0};
  assert_null(sfmi_string_map_find(&names, "t0"));
  for (size_t i = 0; i < COUNT; i++) {
    snprintf(texts[i], sizeof texts[i], "t%zu", i % 4000);
    assert_true(sfmi_string_map_add(&names, texts[i], i));
  }
  assert_int_equal(names.count, 4000);
  for (size_t i = 0; i < 4000; i++) {
    const sfmi_string_slot *found = sfmi_string_map_find(&names, texts[i]);
    assert_non_null(found);
    assert_int_equal(found->place, i);
    assert_int_equal(found->times, i < 1000 ? 2 : 1);
  }
  assert_null(sfmi_string_map_find(&names, "t4000"));
  assert_null(sfmi_string_map_find(&names, ""));
  assert_true(sfmi_string_map_add(&names, "", 9));
  assert_int_equal(sfmi_string_map_find(&names, "")->place, 9);
  sfmi_string_map_clear(&names);
  assert_null(sfmi_string_map_find(&names, "t1"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
