#include "dataset_key.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/c_locale.h"
#include "base/system/file.h"
#include "base/system/secret_memory.h"
#include "base/text/hex.h"
#include "base/text/json.h"
#include "key_derivation.h"
#include "ledger_name.h"
#include "ledger_transaction.h"

/* A name of SFM_DATASET_MAX bytes, each written as \u00XX, and all else fit in it twice. */
enum { TEXT_MAX = 2048, VERSION = 1 };

void sfm_key_destroy(sfm_key *key) {
  sfmi_secret_free(key);
}

const char *sfm_key_dataset(const sfm_key *key) {
  return key->dataset;
}

/* ---- out of a ledger ---- */

static sfm_status check_dataset(const sfmi_dataset *dataset, sfm_error *error) {
  if (dataset->closed)
    return sfmi_fail(error, SFM_REFUSED,
                     "the dataset '%s' is closed: nothing more can be charged to it, so its key is "
                     "of no use",
                     dataset->name);
  if (dataset->ordered)
    return sfmi_fail(error, SFM_REFUSED,
                     "the dataset '%s' was created by sfumato 0.1: its fingerprint depends on the "
                     "order of the records, so that sums over parts of the rows cannot be charged "
                     "to it. Close it, and create a new dataset with sfm_ledger_create",
                     dataset->name);
  return SFM_OK;
}

/* Within a transaction. */
static sfm_status fill(sfm_key *key, const sfm_ledger *ledger, const char *name, sfm_error *error) {
  sfmi_dataset *dataset;
  sfm_status status = sfmi_ledger_find_dataset(ledger, &dataset, name, error);
  if (!status) status = check_dataset(dataset, error);
  if (status) return status;
  memcpy(key->dataset, dataset->name, sizeof key->dataset);
  key->accounting = dataset->accounting;
  sfmi_row_keys_derive(&key->keys, dataset->key, dataset->ordered);
  return SFM_OK;
}

sfm_status sfm_ledger_key(sfm_key **out, sfm_ledger *ledger, const char *dataset,
                          sfm_error *error) {
  *out = NULL;
  sfm_status status = sfmi_ledger_begin(ledger, false, error);
  if (status) return status;
  sfm_key *key = sfmi_secret_alloc(1, sizeof *key);
  status = key ? fill(key, ledger, dataset, error) : sfmi_fail_memory(error);
  sfmi_ledger_rollback(ledger);
  if (status)
    sfm_key_destroy(key);
  else
    *out = key;
  return status;
}

/* ---- to text ---- */

void sfm_key_text_free(char *text) {
  if (text) sodium_memzero(text, strlen(text));
  free(text);
}

/* The name as a JSON string, to be freed; NULL when memory is short. */
static char *quote(const char *name) {
  json_t *string = json_string(name);
  char *text = string ? sfmi_json_dumps(string, JSON_ENCODE_ANY) : NULL;
  json_decref(string);
  return text;
}

static int print(char text[TEXT_MAX], const sfm_key *key, const char *name) {
  char fingerprint[2 * SFMI_ROW_KEY_BYTES + 1], persons[2 * SFMI_ROW_KEY_BYTES + 1],
      id[2 * SFMI_ROW_KEYS_ID_BYTES + 1];
  sfmi_hex_write(fingerprint, key->keys.fingerprint, SFMI_ROW_KEY_BYTES);
  sfmi_hex_write(persons, key->keys.persons, SFMI_ROW_KEY_BYTES);
  sfmi_hex_write(id, key->keys.id, SFMI_ROW_KEYS_ID_BYTES);
  const int length = sfmi_snprintf(
      text, TEXT_MAX,
      "{\"sfumato\": \"key\", \"version\": %d, \"dataset\": %s, \"accounting\": \"%s\", "
      "\"fingerprint\": \"%s\", \"persons\": \"%s\", \"id\": \"%s\"}\n",
      VERSION, name, sfm_accounting_name(key->accounting), fingerprint, persons, id);
  sodium_memzero(fingerprint, sizeof fingerprint);
  sodium_memzero(persons, sizeof persons);
  return length;
}

sfm_status sfm_key_to_text(const sfm_key *key, char **text, size_t *length, sfm_error *error) {
  char *name = quote(key->dataset);
  *text = name ? malloc(TEXT_MAX) : NULL;
  const sfm_status status = *text ? SFM_OK : sfmi_fail_memory(error);
  *length = *text ? (size_t)print(*text, key, name) : 0;
  free(name);
  return status;
}

sfm_status sfm_key_write(const sfm_key *key, const char *path, sfm_error *error) {
  char *text = NULL;
  size_t length;
  sfmi_file file;
  sfm_status status = sfm_key_to_text(key, &text, &length, error);
  if (!status) status = sfmi_file_begin_private(&file, path, "key", error);
  if (!status) {
    setvbuf(file.stream, NULL, _IONBF, 0); /* no copy of it in a buffer */
    fwrite(text, 1, length, file.stream);
    status = sfmi_file_commit(&file, error);
  }
  sfm_key_text_free(text);
  return status;
}

/* ---- from text ---- */

static sfm_status fail_format(const char *name, const char *why, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT, "%.300s is not the key of a dataset: %s", name, why);
}

static bool find_accounting(sfm_accounting *accounting, const char *word) {
  for (int i = SFM_ACCOUNTING_BASIC; i <= SFM_ACCOUNTING_GDP; i++)
    if (strcmp(word, sfm_accounting_name((sfm_accounting)i)) == 0) {
      *accounting = (sfm_accounting)i;
      return true;
    }
  return false;
}

static bool read_hex(uint8_t *bytes, size_t size, const char *text) {
  return sfmi_hex_read(bytes, size, &text) && *text == '\0';
}

/* What a file is, and which version, is said before its members are looked at. */
static sfm_status check_kind(const json_t *object, const char *name, sfm_error *error) {
  const char *kind = json_string_value(json_object_get(object, "sfumato"));
  const json_t *version = json_object_get(object, "version");
  if (!kind || strcmp(kind, "key") != 0 || !json_is_integer(version))
    return fail_format(name, "make one with sfm_ledger_key", error);
  if (json_integer_value(version) != VERSION)
    return sfmi_fail(error, SFM_FORMAT,
                     "%.300s is a key of version %lld; this sfumato knows version %d", name,
                     (long long)json_integer_value(version), VERSION);
  return SFM_OK;
}

static sfm_status read_members(sfm_key *key, json_t *object, const char *name, sfm_error *error) {
  const char *kind, *dataset, *accounting, *fingerprint, *persons, *id;
  json_int_t version;
  uint8_t wanted[SFMI_ROW_KEYS_ID_BYTES];
  sfmi_row_keys *keys = &key->keys;
  if (json_unpack(object, "{s:s, s:I, s:s, s:s, s:s, s:s, s:s !}", "sfumato", &kind, "version",
                  &version, "dataset", &dataset, "accounting", &accounting, "fingerprint",
                  &fingerprint, "persons", &persons, "id", &id) != 0)
    return fail_format(name, "a member is missing, of another type, or unknown", error);
  if (sfmi_ledger_check_name(dataset, SFM_DATASET_MAX, "", NULL) ||
      !find_accounting(&key->accounting, accounting))
    return fail_format(name, "its dataset or its accounting is impossible", error);
  memcpy(key->dataset, dataset, strlen(dataset) + 1);
  if (!read_hex(keys->fingerprint, sizeof keys->fingerprint, fingerprint) ||
      !read_hex(keys->persons, sizeof keys->persons, persons) ||
      !read_hex(keys->id, sizeof keys->id, id))
    return fail_format(name, "its keys are not hexadecimal digits of their length", error);
  sfmi_row_keys_identify(wanted, keys);
  if (sodium_memcmp(wanted, keys->id, sizeof wanted) != 0)
    return fail_format(name, "its id is not that of its keys; it is damaged", error);
  return SFM_OK;
}

/* The strings of an object that is about to be freed. */
static void wipe_strings(json_t *object) {
  const char *member;
  json_t *value;
  json_object_foreach(object, member, value) {
    if (json_is_string(value))
      sodium_memzero((void *)(uintptr_t)json_string_value(value), json_string_length(value));
  }
}

static sfm_status parse(sfm_key **out, const char *text, size_t length, const char *name,
                        sfm_error *error) {
  *out = NULL;
  if (length > TEXT_MAX) return fail_format(name, "it is too long", error);
  sfm_key *key = sfmi_secret_alloc(1, sizeof *key);
  if (!key) return sfmi_fail_memory(error);
  json_t *object = sfmi_json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
  sfm_status status = check_kind(object, name, error);
  if (!status) status = read_members(key, object, name, error);
  wipe_strings(object);
  json_decref(object);
  if (status)
    sfm_key_destroy(key);
  else
    *out = key;
  return status;
}

sfm_status sfm_key_from_text(sfm_key **out, const char *text, size_t length, sfm_error *error) {
  return parse(out, text, length, "the text", error);
}

/* ---- from a file ---- */

/* Like a ledger: a regular file, for its owner alone. */
static sfm_status check_file(int descriptor, const char *path, sfm_error *error) {
  struct stat facts;
  if (fstat(descriptor, &facts) != 0)
    return sfmi_fail(error, SFM_IO, "cannot read the key %.300s: %s", path, sfmi_strerror(errno));
  if (!S_ISREG(facts.st_mode))
    return sfmi_fail(error, SFM_INVALID, "%.300s is not a file: name the key itself", path);
  if (facts.st_mode & 077)
    return sfmi_fail(error, SFM_INVALID,
                     "users other than its owner have access to the key %.300s (mode %04o), which "
                     "is private: chmod 600 it",
                     path, facts.st_mode & 0777);
  return SFM_OK;
}

/* *length is size where there may be more. */
static sfm_status read_bytes(int descriptor, char *bytes, size_t size, size_t *length,
                             const char *path, sfm_error *error) {
  *length = 0;
  while (*length < size) {
    const ssize_t got = read(descriptor, bytes + *length, size - *length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return sfmi_fail(error, SFM_IO, "cannot read the key %.300s: %s", path, sfmi_strerror(errno));
    if (got == 0) break;
    *length += (size_t)got;
  }
  return SFM_OK;
}

sfm_status sfm_key_read(sfm_key **out, const char *path, sfm_error *error) {
  char text[TEXT_MAX + 1];
  size_t length;
  *out = NULL;
  /* A pipe would wait for its writer. */
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0)
    return sfmi_fail(error, SFM_INVALID, "cannot open the key %.300s: %s", path,
                     sfmi_strerror(errno));
  sfm_status status = check_file(descriptor, path, error);
  if (!status) status = read_bytes(descriptor, text, sizeof text, &length, path, error);
  if (!status) status = parse(out, text, length, path, error);
  close(descriptor);
  sodium_memzero(text, sizeof text);
  return status;
}
