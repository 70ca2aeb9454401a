#include "json_members.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/system/c_locale.h"

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

/* A number >= 0, or null for what is not finite. */
static sfm_status parse_width(const sfmi_parse_context *at, double *out, const json_t *object,
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

bool sfmi_json_numbers(double *out, const json_t *array, size_t count) {
  bool good = json_is_array(array) && json_array_size(array) == count;
  for (size_t i = 0; good && i < count; i++) {
    const json_t *value = json_array_get(array, i);
    out[i] = json_number_value(value);
    good = json_is_number(value) && isfinite(out[i]);
  }
  return good;
}

sfm_status sfmi_parse_numbers(const sfmi_parse_context *at, double **out, size_t *count,
                              const json_t *object, const char *key, size_t most) {
  const json_t *array = json_object_get(object, key);
  *count = json_array_size(array);
  if (*count == 0 || *count > most)
    return sfmi_parse_wrong(at, key, "an array of numbers, not too many");
  *out = sfmi_alloc(*count, sizeof **out);
  if (!*out) return sfmi_fail_memory(at->error);
  return sfmi_json_numbers(*out, array, *count)
             ? SFM_OK
             : sfmi_parse_wrong(at, key, "made of finite numbers");
}

json_t *sfmi_json_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

sfm_status sfmi_parse_texts(const sfmi_parse_context *at, char ***out, size_t *count,
                            const json_t *object, const char *key, size_t most, bool empty) {
  const json_t *array = json_object_get(object, key);
  const size_t found = json_array_size(array);
  if (found < 1 || found > most)
    return sfmi_parse_wrong(at, key, "an array of strings, not too many");
  *out = sfmi_alloc(found, sizeof **out);
  if (!*out) return sfmi_fail_memory(at->error);
  *count = found;
  for (size_t i = 0; i < found; i++) {
    const char *text = json_string_value(json_array_get(array, i));
    if (!text || (!*text && !empty))
      return sfmi_parse_wrong(
          at, key, empty ? "an array of strings" : "an array of strings, none of them empty");
    (*out)[i] = sfmi_copy_string(text);
    if (!(*out)[i]) return sfmi_fail_memory(at->error);
  }
  return SFM_OK;
}

json_t *sfmi_json_integer(int64_t value) {
  const bool large = value >= SFMI_FORMAT_STRING_FROM || value <= -SFMI_FORMAT_STRING_FROM;
  return large ? json_sprintf("%" PRId64, value) : json_integer((json_int_t)value);
}

json_t *sfmi_json_array(const double *numbers, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) json_array_append_new(array, sfmi_json_number(numbers[i]));
  return array;
}

bool sfmi_json_set_numbers(json_t *object, const char *key, const double *numbers, size_t count) {
  return json_object_set_new(object, key, sfmi_json_array(numbers, count)) == 0;
}

bool sfmi_json_set_texts(json_t *object, const char *key, char *const *texts, size_t count) {
  json_t *array = json_array();
  bool good = true;
  for (size_t i = 0; i < count; i++)
    good = json_array_append_new(array, json_string(texts[i])) == 0 && good;
  return json_object_set_new(object, key, array) == 0 && good;
}

json_t *sfmi_json_column(const char *name, char *const *categories, size_t count,
                         const double bounds[2], bool *good) {
  json_t *column = json_object();
  *good = json_object_set_new(column, "column", json_string(name)) == 0 && *good;
  if (categories) {
    *good = sfmi_json_set_texts(column, "categories", categories, count) && *good;
  } else if (bounds) {
    json_object_set_new(column, "lower", sfmi_json_number(bounds[0]));
    json_object_set_new(column, "upper", sfmi_json_number(bounds[1]));
  }
  return column;
}

/* Plus zero: -0 would be read back as the integer 0. */
void sfmi_json_print_numbers(FILE *stream, const char *key, const double *numbers, size_t count) {
  sfmi_fprintf(stream, ",\n \"%s\": [", key);
  for (size_t i = 0; i < count; i++)
    sfmi_fprintf(stream, "%s%.17g", i % 6 ? ", " : i ? ",\n  " : "\n  ", numbers[i] + 0.0);
  fputs("\n ]", stream);
}

/* ---- described members ---- */

static const char *const *words_of(const sfmi_member *member) {
  return member->names ? member->names : sfm_words(member->words);
}

static json_t *member_json(const sfmi_member *member, const void *at) {
  const double *number = at;
  char *const *text = at;
  switch (member->type) {
  case SFMI_MEMBER_NUMBER:
  case SFMI_MEMBER_WIDTH:
  case SFMI_MEMBER_NULLABLE:
    return sfmi_json_number(*number);
  case SFMI_MEMBER_COUNT:
    return json_integer((json_int_t) * (const uint64_t *)at);
  case SFMI_MEMBER_SIZE:
    return json_integer((json_int_t) * (const size_t *)at);
  case SFMI_MEMBER_UNSIGNED:
    return json_integer(*(const unsigned *)at);
  case SFMI_MEMBER_BOOL:
    return json_boolean(*(const bool *)at);
  case SFMI_MEMBER_TEXT:
  case SFMI_MEMBER_NULLABLE_TEXT:
    return *text ? json_string(*text) : json_null();
  case SFMI_MEMBER_WORD:
    return json_string(words_of(member)[*(const unsigned *)at]);
  case SFMI_MEMBER_NAME:
    return json_string(*text);
  }
  return NULL;
}

bool sfmi_members_set(json_t *object, const void *structure, const sfmi_member *members) {
  bool good = true;
  for (const sfmi_member *m = members; m->key; m++) {
    const bool there = !m->there || m->there(structure);
    if (there || m->null)
      good = json_object_set_new(object, m->key,
                                 there ? member_json(m, (const char *)structure + m->offset)
                                       : json_null()) == 0 &&
             good;
  }
  return good;
}

static sfm_status read_number(const sfmi_parse_context *at, const sfmi_member *m, double *out,
                              const json_t *object) {
  sfm_status status = m->type == SFMI_MEMBER_NUMBER ? sfmi_parse_number(at, out, object, m->key)
                                                    : parse_width(at, out, object, m->key);
  if (status) return status;
  if (m->type == SFMI_MEMBER_NULLABLE && !isfinite(*out)) *out = NAN;
  if (m->most > 0 && !(*out >= 0 && *out <= m->most)) {
    char wanted[64];
    sfmi_snprintf(wanted, sizeof wanted, "a number from 0 to %g", m->most);
    return sfmi_parse_wrong(at, m->key, wanted);
  }
  if (m->sign == SFMI_POSITIVE && !(*out > 0))
    return sfmi_parse_wrong(at, m->key, "a positive number");
  return m->sign == SFMI_NOT_NEGATIVE && !(*out >= 0)
             ? sfmi_parse_wrong(at, m->key, "a number >= 0")
             : SFM_OK;
}

static sfm_status read_count(const sfmi_parse_context *at, const sfmi_member *m, void *out,
                             const json_t *object) {
  uint64_t count = 0;
  const uint64_t most = m->most > 0 ? (uint64_t)m->most : INT64_MAX;
  sfm_status status = sfmi_parse_count(at, &count, object, m->key, most);
  if (status) return status;
  if (m->sign == SFMI_POSITIVE && count == 0) return sfmi_parse_wrong(at, m->key, "at least 1");
  if (m->type == SFMI_MEMBER_COUNT)
    *(uint64_t *)out = count;
  else if (m->type == SFMI_MEMBER_SIZE)
    *(size_t *)out = (size_t)count;
  else
    *(unsigned *)out = (unsigned)count;
  return SFM_OK;
}

static sfm_status read_word(const sfmi_parse_context *at, const sfmi_member *m, void *out,
                            const json_t *object) {
  const char *const *words = words_of(m);
  unsigned count = 0, word = 0;
  while (words[count] && !(m->most > 0 && count > m->most)) count++;
  const sfm_status status = sfmi_parse_word(at, &word, object, m->key, words, count);
  if (status) return status;
  if (m->type == SFMI_MEMBER_NAME)
    *(const char **)out = words[word];
  else
    *(unsigned *)out = word;
  return SFM_OK;
}

static sfm_status read_member(const sfmi_parse_context *at, const sfmi_member *m, void *out,
                              const json_t *object) {
  switch (m->type) {
  case SFMI_MEMBER_NUMBER:
  case SFMI_MEMBER_WIDTH:
  case SFMI_MEMBER_NULLABLE:
    return read_number(at, m, out, object);
  case SFMI_MEMBER_COUNT:
  case SFMI_MEMBER_SIZE:
  case SFMI_MEMBER_UNSIGNED:
    return read_count(at, m, out, object);
  case SFMI_MEMBER_BOOL:
    return sfmi_parse_bool(at, out, object, m->key);
  case SFMI_MEMBER_NULLABLE_TEXT:
    if (json_is_null(json_object_get(object, m->key))) return SFM_OK;
    return sfmi_parse_text(at, out, object, m->key);
  case SFMI_MEMBER_TEXT:
    return sfmi_parse_text(at, out, object, m->key);
  case SFMI_MEMBER_WORD:
  case SFMI_MEMBER_NAME:
    return read_word(at, m, out, object);
  }
  return SFM_OK;
}

sfm_status sfmi_members_read(const sfmi_parse_context *at, void *structure, const json_t *object,
                             const sfmi_member *members) {
  sfm_status status = SFM_OK;
  for (const sfmi_member *m = members; m->key && !status; m++) {
    const bool there =
        m->optional ? json_object_get(object, m->key) != NULL : !m->there || m->there(structure);
    if (there) status = read_member(at, m, (char *)structure + m->offset, object);
  }
  return status;
}

bool sfmi_members_set_object(json_t *root, const char *key, const void *structure,
                             const sfmi_member *members) {
  json_t *object = json_object();
  const bool good = sfmi_members_set(object, structure, members);
  return json_object_set_new(root, key, object) == 0 && good;
}

sfm_status sfmi_members_read_object(const sfmi_parse_context *at, void *structure,
                                    const json_t *root, const char *key,
                                    const sfmi_member *members) {
  const json_t *object = json_object_get(root, key);
  return json_is_object(object) ? sfmi_members_read(at, structure, object, members)
                                : sfmi_parse_wrong(at, key, "an object");
}
