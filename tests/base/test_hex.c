/* test_hex.c - bytes to digits and back, and nothing else. */
#include "test_support.h"

#include "base/text/hex.h"

static void digits_and_back(void **state) {
  (void)state;
  uint8_t bytes[256], back[256];
  char text[513];
  for (int i = 0; i < 256; i++) bytes[i] = (uint8_t)i;
  sfmi_hex_write(text, bytes, sizeof bytes);
  assert_int_equal(strlen(text), 512);
  assert_memory_equal(text, "000102", 6);
  assert_string_equal(text + 506, "fdfeff");
  const char *at = text;
  assert_true(sfmi_hex_read(back, sizeof back, &at));
  assert_ptr_equal(at, text + 512);
  assert_memory_equal(bytes, back, sizeof bytes);
}

static void nothing_else_is_read(void **state) {
  (void)state;
  static const char *const bad[] = {"", "0", "0g", "g0", "0A", "00 1", "0x01", "-1-1", "000"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint8_t bytes[2];
    const char *at = bad[i];
    assert_false(sfmi_hex_read(bytes, sizeof bytes, &at));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(digits_and_back),
      cmocka_unit_test(nothing_else_is_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
