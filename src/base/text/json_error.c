#include "json_error.h"

#include <string.h>

bool sfmi_json_begins_object(const char *json, size_t length) {
  size_t i = 0;
  while (i < length && json[i] && strchr(" \t\r\n", json[i])) i++;
  return i < length && json[i] == '{';
}

const char *sfmi_json_error_reason(const json_error_t *reason) {
  switch (json_error_code(reason)) {
  case json_error_premature_end_of_input:
    return "it ends too early";
  case json_error_end_of_input_expected:
    return "more follows after its end";
  case json_error_duplicate_key:
    return "a key is there twice";
  case json_error_invalid_utf8:
    return "a text is not UTF-8";
  case json_error_numeric_overflow:
    return "a number is too large";
  case json_error_stack_overflow:
    return "it is nested too deep";
  case json_error_null_character:
  case json_error_null_byte_in_key:
    return "a text holds a NUL";
  case json_error_out_of_memory:
    return "not enough memory";
  default:
    return "an unexpected sign";
  }
}
