#include "json.h"

#include <stdbool.h>
#include <string.h>

#include "base/system/c_locale.h"

/* Finds the first bracket that is too deep within others; those of strings do not count. */
static bool find_too_deep(json_error_t *where, const char *text, size_t length) {
  size_t depth = 0, line = 0; /* where the line begins */
  bool quoted = false;
  *where = (json_error_t){.line = 1};
  for (size_t i = 0; i < length; i++) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) {
      i += c == '\\'; /* what it stands before is no end */
    } else if (c == '\n') {
      where->line++;
      line = i + 1;
    } else if (c == '[' || c == '{') {
      where->column = (int)(i + 1 - line);
      if (++depth > SFMI_JSON_DEPTH) return true;
    } else if (c == ']' || c == '}') {
      depth -= depth > 0;
    }
  }
  return false;
}

json_t *sfmi_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error) {
  json_error_t deep;
  if (find_too_deep(&deep, text, length)) {
    strcpy(deep.text, "nested too deep");
    deep.text[JSON_ERROR_TEXT_LENGTH - 1] = json_error_stack_overflow; /* for json_error_code */
    if (error) *error = deep;
    return NULL;
  }
  const locale_t before = uselocale(sfmi_c_locale());
  json_t *value = json_loadb(text, length, flags, error);
  uselocale(before);
  return value;
}

json_t *sfmi_json_loads(const char *text, size_t flags, json_error_t *error) {
  return sfmi_json_loadb(text, strlen(text), flags, error);
}

char *sfmi_json_dumps(const json_t *value, size_t flags) {
  const locale_t before = uselocale(sfmi_c_locale());
  char *text = json_dumps(value, flags);
  uselocale(before);
  return text;
}
