/* test_json.c - JSON is parsed whatever it holds, on a small stack. */
#include "base/text/json.h"

#include "test_support.h"

/* depth brackets within each other, in a file of some lines. */
static json_t *parse_deep(size_t depth, const char *open, const char *close, json_error_t *error) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  fputs("\n\n", out);
  for (size_t i = 0; i < depth; i++) fputs(open, out);
  fputs("1", out);
  for (size_t i = 0; i < depth; i++) fputs(close, out);
  fclose(out);
  json_t *value = sfmi_json_loadb(text, size, 0, error);
  free(text);
  return value;
}

static void test_depth(void **state) {
  (void)state;
  static const char *const brackets[][2] = {
      {"[", "]"}, {"{\"a\": ", "}"}, {"[[\"[\\\"[\"], ", "]"}};
  for (size_t i = 0; i < 3; i++) {
    json_error_t error;
    const size_t most = i == 2 ? SFMI_JSON_DEPTH - 1 : SFMI_JSON_DEPTH;
    json_t *value = parse_deep(most, brackets[i][0], brackets[i][1], &error);
    assert_non_null(value);
    json_decref(value);
    assert_null(parse_deep(SFMI_JSON_DEPTH + 1, brackets[i][0], brackets[i][1], &error));
    assert_int_equal(json_error_code(&error), json_error_stack_overflow);
    assert_int_equal(error.line, 3);
    assert_true(error.column > SFMI_JSON_DEPTH);
    assert_null(parse_deep(1000000, brackets[i][0], brackets[i][1], &error));
    assert_null(parse_deep(1000000, brackets[i][0], brackets[i][1], NULL));
  }
}

/* Brackets one after another are not deep, and those of strings are none. */
static void test_width(void **state) {
  (void)state;
  char text[4 * SFMI_JSON_DEPTH + 8] = "[";
  for (int i = 0; i < SFMI_JSON_DEPTH; i++) strcat(text, i ? ",[]" : "[]");
  json_t *value = sfmi_json_loads(strcat(text, "]"), 0, NULL);
  assert_int_equal(json_array_size(value), SFMI_JSON_DEPTH);
  json_decref(value);
  strcpy(text, "[\"\\\\\", \"");
  for (int i = 0; i <= SFMI_JSON_DEPTH; i++) strcat(text, "[{");
  value = sfmi_json_loads(strcat(text, "\"]"), 0, NULL);
  assert_int_equal(json_array_size(value), 2);
  json_decref(value);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_width),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
