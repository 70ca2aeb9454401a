#include "base/json.h"

#include <string.h>

#include "base/c_locale.h"

json_t *sfmi_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error) {
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
