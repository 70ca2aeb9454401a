/* test_nearest_word.c - distances between words, and which word was probably meant. */
#include "test_support.h"

#include "base/text/nearest_word.h"

static void distances_count_letters(void **state) {
  (void)state;
  assert_int_equal(sfmi_word_distance("kitten", "sitting"), 3);
  assert_int_equal(sfmi_word_distance("", "abc"), 3);
  assert_int_equal(sfmi_word_distance("abc", ""), 3);
  assert_int_equal(sfmi_word_distance("Minimum", "minimuM"), 0);
  assert_int_equal(sfmi_word_distance("contribution", "contributions"), 1);
  char word[66] = {0};
  memset(word, 'a', 64);
  assert_int_equal(sfmi_word_distance(word, word), 0);
  word[64] = 'a';
  assert_true(sfmi_word_distance("a", word) == SIZE_MAX);
  assert_int_equal(sfmi_word_distance(word, "a"), 64);
}

static void the_nearest_word_is_near(void **state) {
  (void)state;
  const char *const words[] = {"north", "south", "east", "no"};
  assert_string_equal(sfmi_nearest_word("nroth", words, 4), "north");
  assert_string_equal(sfmi_nearest_word("SOUTH", words, 4), "south");
  assert_string_equal(sfmi_nearest_word("est", words, 4), "east");
  assert_null(sfmi_nearest_word("west end", words, 4));
  /* As many changes as the word has letters make it another word. */
  assert_null(sfmi_nearest_word("x", words, 4));
  assert_null(sfmi_nearest_word("", words, 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_count_letters),
      cmocka_unit_test(the_nearest_word_is_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
