/* json_members.h - members of a JSON object, checked for type and range, with messages that name
 * the place. */
#ifndef SFMI_JSON_MEMBERS_H
#define SFMI_JSON_MEMBERS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/text/words.h"
#include "base/system/status.h"

/* What is being read, for messages. */
typedef struct sfmi_parse_context {
  const char *name;
  sfm_error *error;
} sfmi_parse_context;

/* Fails with SFM_FORMAT: "key" must be `wanted`. */
SFM_MUST_CHECK sfm_status sfmi_parse_wrong(const sfmi_parse_context *at, const char *key,
                                           const char *wanted);
SFM_MUST_CHECK sfm_status sfmi_parse_number(const sfmi_parse_context *at, double *out,
                                            const json_t *object, const char *key);
/* A number >= 0, or null for what is not finite. */
SFM_MUST_CHECK sfm_status sfmi_parse_width(const sfmi_parse_context *at, double *out,
                                           const json_t *object, const char *key);
SFM_MUST_CHECK sfm_status sfmi_parse_count(const sfmi_parse_context *at, uint64_t *out,
                                           const json_t *object, const char *key, uint64_t most);
SFM_MUST_CHECK sfm_status sfmi_parse_bool(const sfmi_parse_context *at, bool *out,
                                          const json_t *object, const char *key);
/* The value of a word of an enumeration. */
SFM_MUST_CHECK sfm_status sfmi_parse_value(const sfmi_parse_context *at, unsigned *out,
                                           const json_t *object, const char *key,
                                           sfm_enumeration of);
/* One of `count` words; *out is its index. */
SFM_MUST_CHECK sfm_status sfmi_parse_word(const sfmi_parse_context *at, unsigned *out,
                                          const json_t *object, const char *key,
                                          const char *const *words, unsigned count);
/* A copy of a string. */
SFM_MUST_CHECK sfm_status sfmi_parse_text(const sfmi_parse_context *at, char **out,
                                          const json_t *object, const char *key);
/* An integer, plain or as a string; false when it is none of 64 bits. */
bool sfmi_parse_integer(const json_t *value, int64_t *out);
/* An array of 1 to `most` finite numbers, to be freed, also when it fails. */
SFM_MUST_CHECK sfm_status sfmi_parse_numbers(const sfmi_parse_context *at, double **out,
                                             size_t *count, const json_t *object, const char *key,
                                             size_t most);
/* A number as it is written; null when it is not finite. */
json_t *sfmi_json_number(double value);

#endif
