/* json_members.h - members of a JSON object, checked for type and range, with messages that name
 * the place.
 *
 * Plain members are described once, by an array of sfmi_member, from which they are both written
 * and read: the two cannot disagree. */
#ifndef SFMI_JSON_MEMBERS_H
#define SFMI_JSON_MEMBERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

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
/* Whether it is an array of `count` finite numbers, which it fills in. */
bool sfmi_json_numbers(double *out, const json_t *array, size_t count);
/* An array of 1 to `most` finite numbers, to be freed, also when it fails. */
SFM_MUST_CHECK sfm_status sfmi_parse_numbers(const sfmi_parse_context *at, double **out,
                                             size_t *count, const json_t *object, const char *key,
                                             size_t most);
/* An array of 1 to `most` texts, which may be empty or not, to be freed, also when it fails. */
SFM_MUST_CHECK sfm_status sfmi_parse_texts(const sfmi_parse_context *at, char ***out, size_t *count,
                                           const json_t *object, const char *key, size_t most,
                                           bool empty);

/* A number as it is written; null when it is not finite. */
json_t *sfmi_json_number(double value);
/* Integers of this size and beyond are written as texts: not every reader of JSON keeps them. */
#define SFMI_FORMAT_STRING_FROM 9007199254740992 /* 2^53 */
/* An integer as it is written. */
json_t *sfmi_json_integer(int64_t value);
/* An array of numbers as they are written. */
json_t *sfmi_json_array(const double *numbers, size_t count);
/* Sets a member to an array; false when a text is not UTF-8 or memory is short. */
bool sfmi_json_set_numbers(json_t *object, const char *key, const double *numbers, size_t count);
bool sfmi_json_set_texts(json_t *object, const char *key, char *const *texts, size_t count);
/* A column as files describe it: its name, and its categories, or else its bounds, which are NULL
 * where there are none; *good becomes false when a text is not UTF-8 or memory is short. */
json_t *sfmi_json_column(const char *name, char *const *categories, size_t count,
                         const double bounds[2], bool *good);

/* Writes a long list as ",\n \"key\": [...]", six numbers per line. */
void sfmi_json_print_numbers(FILE *stream, const char *key, const double *numbers, size_t count);

/* What a member is in memory. */
typedef enum sfmi_member_type {
  SFMI_MEMBER_NUMBER,   /* double, finite */
  SFMI_MEMBER_WIDTH,    /* double, not negative; null: infinite */
  SFMI_MEMBER_NULLABLE, /* double, not negative; null: NaN, it does not belong to the method */
  SFMI_MEMBER_COUNT,    /* uint64_t */
  SFMI_MEMBER_SIZE,     /* size_t */
  SFMI_MEMBER_UNSIGNED, /* unsigned */
  SFMI_MEMBER_BOOL,
  SFMI_MEMBER_TEXT,          /* char *, owned */
  SFMI_MEMBER_NULLABLE_TEXT, /* the same; null: NULL */
  SFMI_MEMBER_WORD,          /* an enumeration */
  SFMI_MEMBER_NAME,          /* const char *, one of `names` */
} sfmi_member_type;

typedef enum sfmi_member_sign { SFMI_ANY, SFMI_NOT_NEGATIVE, SFMI_POSITIVE } sfmi_member_sign;

typedef struct sfmi_member {
  const char *key;
  sfmi_member_type type;
  size_t offset;            /* in the structure */
  sfm_enumeration words;    /* of a word, */
  const char *const *names; /* or these, NULL at the end */
  sfmi_member_sign sign;
  double most; /* of a number; 0: any.  Of a word: the last of the list that is possible. */
  bool (*there)(const void *structure); /* NULL: always */
  bool null;                            /* null where it is not there; else absent */
  bool optional;                        /* read where it stands, whatever `there` says */
} sfmi_member;

/* Writes a structure into an object; members end with a key that is NULL.  False when a text is not
 * UTF-8 or memory is short. */
bool sfmi_members_set(json_t *object, const void *structure, const sfmi_member *members);
/* Reads it back.  What was read is owned by the structure, also on failure. */
SFM_MUST_CHECK sfm_status sfmi_members_read(const sfmi_parse_context *at, void *structure,
                                            const json_t *object, const sfmi_member *members);
/* The same of the member `key`, which is an object of its own. */
bool sfmi_members_set_object(json_t *root, const char *key, const void *structure,
                             const sfmi_member *members);
SFM_MUST_CHECK sfm_status sfmi_members_read_object(const sfmi_parse_context *at, void *structure,
                                                   const json_t *root, const char *key,
                                                   const sfmi_member *members);

#endif
