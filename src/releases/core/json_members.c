#include "json_members.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

sfm_status sfmi_parse_wrong(const sfmi_parse_context *at, const char *key, const char *wanted) {
  return sfmi_fail(at->error, SFM_FORMAT, "%s: \"%s\" must be %s", at->name, key, wanted);
}

sfm_status sfmi_parse_number(const sfmi_parse_context *at, double *out, const json_t *object,
                             const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_number(value)) return sfmi_parse_wrong(at, key, "a number");
  *out = json_number_value(value);
  return isfinite(*out) ? SFM_OK : sfmi_parse_wrong(at, key, "a finite number");
}

sfm_status sfmi_parse_width(const sfmi_parse_context *at, double *out, const json_t *object,
                            const char *key) {
  if (json_is_null(json_object_get(object, key))) {
    *out = INFINITY;
    return SFM_OK;
  }
  sfm_status status = sfmi_parse_number(at, out, object, key);
  return !status && *out < 0 ? sfmi_parse_wrong(at, key, "a number >= 0, or null") : status;
}

sfm_status sfmi_parse_count(const sfmi_parse_context *at, uint64_t *out, const json_t *object,
                            const char *key, uint64_t most) {
  const json_t *value = json_object_get(object, key);
  json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;
  if (n < 0 || (uint64_t)n > most) return sfmi_parse_wrong(at, key, "a whole number in range");
  *out = (uint64_t)n;
  return SFM_OK;
}

sfm_status sfmi_parse_bool(const sfmi_parse_context *at, bool *out, const json_t *object,
                           const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_boolean(value)) return sfmi_parse_wrong(at, key, "true or false");
  *out = json_is_true(value);
  return SFM_OK;
}

sfm_status sfmi_parse_word(const sfmi_parse_context *at, unsigned *out, const json_t *object,
                           const char *key, const char *const *words, unsigned count) {
  const char *text = json_string_value(json_object_get(object, key));
  for (unsigned i = 0; text && i < count; i++) {
    if (!strcmp(text, words[i])) {
      *out = i;
      return SFM_OK;
    }
  }
  char wanted[160] = "one of";
  for (unsigned i = 0; i < count; i++) {
    strncat(wanted, " ", sizeof wanted - strlen(wanted) - 1);
    strncat(wanted, words[i], sizeof wanted - strlen(wanted) - 1);
  }
  return sfmi_parse_wrong(at, key, wanted);
}

sfm_status sfmi_parse_value(const sfmi_parse_context *at, unsigned *out, const json_t *object,
                            const char *key, sfm_enumeration of) {
  return sfmi_parse_word(at, out, object, key, sfm_words(of), sfmi_word_count(of));
}

sfm_status sfmi_parse_text(const sfmi_parse_context *at, char **out, const json_t *object,
                           const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  if (!text) return sfmi_parse_wrong(at, key, "a string");
  *out = sfmi_copy_string(text);
  return *out ? SFM_OK : sfmi_fail_memory(at->error);
}

bool sfmi_parse_integer(const json_t *value, int64_t *out) {
  if (json_is_integer(value)) {
    *out = json_integer_value(value);
    return true;
  }
  const char *text = json_string_value(value);
  char *end;
  if (!text || !*text || strlen(text) > 20) return false;
  errno = 0;
  *out = strtoll(text, &end, 10);
  return errno == 0 && *end == '\0' && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
}

sfm_status sfmi_parse_numbers(const sfmi_parse_context *at, double **out, size_t *count,
                              const json_t *object, const char *key, size_t most) {
  const json_t *array = json_object_get(object, key);
  *count = json_array_size(array);
  if (*count == 0 || *count > most)
    return sfmi_parse_wrong(at, key, "an array of numbers, not too many");
  *out = sfmi_alloc(*count, sizeof **out);
  if (!*out) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < *count; i++) {
    const json_t *value = json_array_get(array, i);
    (*out)[i] = json_number_value(value);
    if (!json_is_number(value) || !isfinite((*out)[i]))
      return sfmi_parse_wrong(at, key, "made of finite numbers");
  }
  return SFM_OK;
}

json_t *sfmi_json_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}
