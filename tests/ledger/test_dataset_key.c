/* test_dataset_key.c - the keys of a dataset: what they are made of, who is given them, and that a
 * key file is read as it was written or not at all. */
#include "test_support.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text/hex.h"
#include "ledger/dataset_key.h"
#include "ledger/key_derivation.h"
#include "sfumato/vector.h"
#include "child_process.h"
#include "ledger_forgery.h"

static scenario w;

static int setup(void **state) {
  (void)state;
  scenario_init(&w, false);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  scenario_clear(&w);
  return 0;
}

static sfm_ledger *opened(void) {
  sfm_error error;
  sfm_ledger *ledger;
  assert_ok(scenario_open(&w, &ledger, &error), &error);
  return ledger;
}

static sfm_key *key_of(const char *dataset) {
  sfm_error error;
  sfm_key *key;
  sfm_ledger *ledger = opened();
  assert_ok(sfm_ledger_key(&key, ledger, dataset, &error), &error);
  sfm_ledger_close(ledger);
  return key;
}

static const char *in_folder(char path[160], const char *name) {
  snprintf(path, 160, "%s/%s", w.here, name);
  return path;
}

/* The secret of the create entry of a dataset. */
static void read_master(uint8_t master[32], const char *dataset) {
  sqlite3 *database;
  sqlite3_stmt *row;
  assert_int_equal(sqlite3_open(w.ledger, &database), SQLITE_OK);
  assert_int_equal(
      sqlite3_prepare_v2(database, "SELECT secret FROM entry WHERE kind = 'create' AND dataset = ?",
                         -1, &row, NULL),
      SQLITE_OK);
  sqlite3_bind_text(row, 1, dataset, -1, SQLITE_STATIC);
  assert_int_equal(sqlite3_step(row), SQLITE_ROW);
  assert_int_equal(sqlite3_column_bytes(row, 0), 32);
  memcpy(master, sqlite3_column_blob(row, 0), 32);
  sqlite3_finalize(row);
  sqlite3_close(database);
}

static void assert_hex(const uint8_t *bytes, size_t size, const char *wanted) {
  char text[80];
  sfmi_hex_write(text, bytes, size);
  assert_string_equal(text, wanted);
}

static void assert_same_keys(const sfmi_row_keys *got, const sfmi_row_keys *wanted) {
  assert_int_equal(got->ordered, wanted->ordered);
  assert_memory_equal(got->fingerprint, wanted->fingerprint, sizeof got->fingerprint);
  assert_memory_equal(got->persons, wanted->persons, sizeof got->persons);
  assert_memory_equal(got->id, wanted->id, sizeof got->id);
}

/* ---- what they are made of ---- */

/* By hashlib.blake2b of Python, from the formulas of key_derivation.h and the master key 00 01 ...
 * 1f. */
static void keys_are_those_of_the_formulas(void **state) {
  (void)state;
  uint8_t master[32];
  sfmi_row_keys keys;
  for (int i = 0; i < 32; i++) master[i] = (uint8_t)i;
  sfmi_row_keys_derive(&keys, master, false);
  assert_false(keys.ordered);
  assert_hex(keys.fingerprint, 32,
             "c551af159a27d7b3112c38fb9ca257c9ac8abf21d764076eebad938929cfe202");
  assert_hex(keys.persons, 32, "5ffb7f8a2902473d8da20ebd539789f359109e2331b9adf143f7faa5da0ee76c");
  assert_hex(keys.id, 16, "f587e0632b9234761f416d20213d7415");
  sfmi_row_keys_derive(&keys, master, true);
  assert_true(keys.ordered);
  assert_memory_equal(keys.fingerprint, master, 32);
  assert_hex(keys.persons, 32, "5ffb7f8a2902473d8da20ebd539789f359109e2331b9adf143f7faa5da0ee76c");
  assert_hex(keys.id, 16, "c6fb5e19f177d111529f6ba720943273");
}

/* One bit of the master key changes all of them; the id changes with either key. */
static void keys_and_ids_belong_together(void **state) {
  (void)state;
  uint8_t master[32] = {0}, id[16];
  sfmi_row_keys keys, other;
  sfmi_row_keys_derive(&keys, master, false);
  master[31] = 1;
  sfmi_row_keys_derive(&other, master, false);
  assert_memory_not_equal(keys.fingerprint, other.fingerprint, 32);
  assert_memory_not_equal(keys.persons, other.persons, 32);
  assert_memory_not_equal(keys.id, other.id, 16);
  assert_memory_not_equal(keys.fingerprint, keys.persons, 32);
  other = keys;
  other.fingerprint[0] ^= 1;
  sfmi_row_keys_identify(id, &other);
  assert_memory_not_equal(id, keys.id, 16);
  other = keys;
  other.persons[0] ^= 1;
  sfmi_row_keys_identify(id, &other);
  assert_memory_not_equal(id, keys.id, 16);
}

/* Before the charge, with the charge and in the key: those of the create entry's secret. */
static void a_ledger_gives_the_same_keys_everywhere(void **state) {
  (void)state;
  sfm_error error;
  uint8_t master[32];
  sfmi_row_keys wanted, ready;
  sfm_accounting accounting;
  sfmi_charge_handle handle;
  const sfm_guarantee guarantee = scenario_pure(0.1);
  sfm_ledger *ledger = opened();
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = "r1"};
  read_master(master, "patients");
  sfmi_row_keys_derive(&wanted, master, false);
  assert_ok(sfmi_ledger_ready(&charge, &accounting, &ready, &error), &error);
  assert_int_equal(accounting, SFM_ACCOUNTING_BASIC);
  assert_same_keys(&ready, &wanted);
  assert_ok(sfmi_ledger_charge(&handle, &charge, "{}", &guarantee, &error), &error);
  assert_same_keys(&handle.keys, &wanted);
  sfmi_charge_handle_clear(&handle);
  assert_true(sodium_is_zero((const uint8_t *)&handle.keys, sizeof handle.keys));
  sfm_ledger_close(ledger);
  sfm_key *key = key_of("patients");
  assert_same_keys(&key->keys, &wanted);
  assert_string_equal(sfm_key_dataset(key), "patients");
  sfm_key_destroy(key);
  sfm_key_destroy(NULL);
}

static void two_datasets_have_nothing_in_common(void **state) {
  (void)state;
  sfm_error error;
  const sfm_dataset second = {
      .name = "second", .epsilon = 2, .delta = 1e-6, .accounting = SFM_ACCOUNTING_GDP};
  sfm_ledger_close(opened());
  assert_ok(sfm_ledger_create(w.ledger, NULL, &second, &error), &error);
  sfm_key *one = key_of("patients"), *two = key_of("second");
  assert_int_equal(one->accounting, SFM_ACCOUNTING_BASIC);
  assert_int_equal(two->accounting, SFM_ACCOUNTING_GDP);
  assert_memory_not_equal(one->keys.fingerprint, two->keys.fingerprint, 32);
  assert_memory_not_equal(one->keys.persons, two->keys.persons, 32);
  assert_memory_not_equal(one->keys.id, two->keys.id, 16);
  sfm_key_destroy(one);
  sfm_key_destroy(two);
}

/* ---- the create entry ---- */

static bool check_create(void *context, const sfm_ledger_entry *entry) {
  *(bool *)context = strstr(entry->parameters, "\"fingerprint\":\"sum\"") != NULL;
  return false;
}

static void a_new_dataset_says_how_its_rows_are_recognised(void **state) {
  (void)state;
  sfm_error error;
  bool said = false;
  sfm_ledger *ledger = opened();
  assert_ok(sfm_ledger_history(ledger, NULL, check_create, &said, &error), &error);
  assert_true(said);
  assert_ok(sfm_ledger_verify(ledger, NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
}

/* The ledger with other parameters in its create entry, its hashes computed anew. */
static sfm_status open_with(sfm_ledger **ledger, const char *members, sfm_error *error) {
  char sql[300];
  snprintf(sql, sizeof sql,
           "UPDATE entry SET parameters = '{\"accounting\":\"basic\",\"epsilon\":1.0,"
           "\"delta\":0.0%s}' WHERE number = 1",
           members);
  assert_true(forge_sql(&w, sql));
  forge_rechain(&w);
  return sfm_ledger_open(ledger, w.ledger, error);
}

static void no_other_kind_of_fingerprint_is_accepted(void **state) {
  (void)state;
  static const char *const wrong[] = {
      ",\"fingerprint\":\"\"",
      ",\"fingerprint\":\"Sum\"",
      ",\"fingerprint\":\"sum \"",
      ",\"fingerprint\":\"ordered\"",
      ",\"fingerprint\":null",
      ",\"fingerprint\":1",
      ",\"fingerprint\":[\"sum\"]",
      ",\"fingerprint\":\"sum\",\"fingerprint\":\"sum\"",
      ",\"fingerprint\":\"sum\",\"more\":1",
      ",\"fingerprints\":\"sum\"",
  };
  sfm_error error;
  sfm_ledger *ledger;
  sfm_ledger_close(opened());
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    if (open_with(&ledger, wrong[i], &error) != SFM_REFUSED) fail_msg("%s: opened", wrong[i]);
    assert_non_null(strstr(error.message, "cannot follow"));
  }
  assert_ok(open_with(&ledger, ",\"fingerprint\":\"sum\"", &error), &error);
  sfm_ledger_close(ledger);
}

/* As 0.1 wrote it: charged and verified as before, under the master key; and no key of it is handed
 * out. */
static void a_dataset_of_an_older_version_keeps_its_fingerprint(void **state) {
  (void)state;
  sfm_error error;
  sfm_ledger *ledger;
  sfm_key *key = (sfm_key *)&w;
  uint8_t master[32];
  sfmi_charge_handle handle;
  const sfm_guarantee guarantee = scenario_pure(0.1);
  sfm_ledger_close(opened());
  read_master(master, "patients");
  assert_ok(open_with(&ledger, "", &error), &error);
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = "r1"};
  assert_ok(sfmi_ledger_charge(&handle, &charge, "{}", &guarantee, &error), &error);
  assert_true(handle.keys.ordered);
  assert_memory_equal(handle.keys.fingerprint, master, 32);
  assert_ok(sfmi_ledger_answer(&handle, "x", 1, w.fingerprint, &error), &error);
  sfmi_charge_handle_clear(&handle);
  assert_int_equal(sfm_ledger_key(&key, ledger, "patients", &error), SFM_REFUSED);
  assert_null(key);
  assert_non_null(strstr(error.message, "sfm_ledger_create"));
  assert_ok(sfm_ledger_verify(ledger, NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
}

static void only_an_open_dataset_has_a_key(void **state) {
  (void)state;
  sfm_error error;
  sfm_key *key = (sfm_key *)&w;
  sfm_ledger *ledger = opened();
  assert_int_equal(sfm_ledger_key(&key, ledger, "nobody", &error), SFM_INVALID);
  assert_null(key);
  assert_ok(sfm_ledger_close_dataset(ledger, "patients", &error), &error);
  assert_int_equal(sfm_ledger_key(&key, ledger, "patients", &error), SFM_REFUSED);
  assert_null(key);
  assert_non_null(strstr(error.message, "closed"));
  sfm_ledger_close(ledger);
}

/* ---- text ---- */

static void assert_same_key(const sfm_key *got, const sfm_key *wanted) {
  assert_string_equal(got->dataset, wanted->dataset);
  assert_int_equal(got->accounting, wanted->accounting);
  assert_same_keys(&got->keys, &wanted->keys);
}

/* A key that no ledger has: the master key is all zeros. */
static sfm_key made_key(const char *name, sfm_accounting accounting) {
  static const uint8_t master[32];
  sfm_key key = {.accounting = accounting};
  strcpy(key.dataset, name);
  sfmi_row_keys_derive(&key.keys, master, false);
  return key;
}

static void text_is_read_as_it_was_written(void **state) {
  (void)state;
  char longest[SFM_DATASET_MAX + 1];
  memset(longest, '"', SFM_DATASET_MAX);
  longest[SFM_DATASET_MAX] = '\0';
  const char *const names[] = {"patients", "the \"ill\" \\ of Žižkov <b>年齢</b>", longest};
  for (size_t i = 0; i < 3; i++)
    for (int rule = SFM_ACCOUNTING_BASIC; rule <= SFM_ACCOUNTING_GDP; rule++) {
      sfm_error error;
      sfm_key *again;
      char *text;
      size_t length;
      const sfm_key key = made_key(names[i], (sfm_accounting)rule);
      assert_ok(sfm_key_to_text(&key, &text, &length, &error), &error);
      assert_int_equal(strlen(text), length);
      assert_ok(sfm_key_from_text(&again, text, length, &error), &error);
      assert_same_key(again, &key);
      sfm_key_destroy(again);
      sfm_key_text_free(text);
    }
  sfm_key_text_free(NULL);
}

/* The format is a promise: these bytes. */
#define HEAD "{\"sfumato\": \"key\", \"version\": 1, "
#define LABELS "\"dataset\": \"patients\", \"accounting\": \"gdp\", "
#define FINGERPRINT                                                                                \
  "\"fingerprint\": \"c551af159a27d7b3112c38fb9ca257c9ac8abf21d764076eebad938929cfe202\", "
#define PERSONS                                                                                    \
  "\"persons\": \"5ffb7f8a2902473d8da20ebd539789f359109e2331b9adf143f7faa5da0ee76c\", "
#define ID "\"id\": \"f587e0632b9234761f416d20213d7415\""
#define WHOLE HEAD LABELS FINGERPRINT PERSONS ID "}\n"

static sfm_status read_text(sfm_key **key, const char *text, sfm_error *error) {
  return sfm_key_from_text(key, text, strlen(text), error);
}

static void the_format_of_version_1_is_kept(void **state) {
  (void)state;
  sfm_error error;
  sfm_key *key;
  char *text;
  size_t length;
  assert_ok(read_text(&key, WHOLE, &error), &error);
  assert_string_equal(key->dataset, "patients");
  assert_int_equal(key->accounting, SFM_ACCOUNTING_GDP);
  assert_ok(sfm_key_to_text(key, &text, &length, &error), &error);
  assert_string_equal(text, WHOLE);
  sfm_key_text_free(text);
  sfm_key_destroy(key);
  /* The order of members and the blanks between them are free, as in all JSON. */
  assert_ok(read_text(&key,
                      "{" ID ",\n" PERSONS FINGERPRINT LABELS "\"version\":1,\"sfumato\":\"key\"}",
                      &error),
            &error);
  sfm_key_destroy(key);
}

static void every_other_text_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } wrong[] = {
      {"", "sfm_ledger_key"},
      {"[]", "sfm_ledger_key"},
      {"null", "sfm_ledger_key"},
      {"{}", "sfm_ledger_key"},
      {"{\"sfumato\": \"release\", \"version\": 1}", "sfm_ledger_key"},
      {"{\"sfumato\": \"key\", \"version\": \"1\"}", "sfm_ledger_key"},
      {"{\"sfumato\": \"key\", \"version\": 1.0}", "sfm_ledger_key"},
      {"{\"sfumato\": \"key\", \"version\": 2, \"other\": []}", "version 2; this sfumato knows"},
      {"{\"sfumato\": \"key\", \"version\": 0, " LABELS FINGERPRINT PERSONS ID "}", "version 0"},
      {HEAD LABELS FINGERPRINT PERSONS ID, "sfm_ledger_key"},
      {WHOLE "x", "sfm_ledger_key"},
      {WHOLE WHOLE, "sfm_ledger_key"},
      {HEAD LABELS LABELS FINGERPRINT PERSONS ID "}", "sfm_ledger_key"},
      {HEAD LABELS FINGERPRINT PERSONS ID ", \"more\": 1}", "member"},
      {HEAD FINGERPRINT PERSONS ID "}", "member"},
      {HEAD LABELS PERSONS ID "}", "member"},
      {HEAD LABELS FINGERPRINT ID "}", "member"},
      {HEAD LABELS FINGERPRINT PERSONS "\"id\": 7}", "member"},
      {HEAD LABELS FINGERPRINT PERSONS "\"id\": null}", "member"},
      {HEAD "\"dataset\": \"\", \"accounting\": \"gdp\", " FINGERPRINT PERSONS ID "}",
       "impossible"},
      {HEAD "\"dataset\": \"a\\nb\", \"accounting\": \"gdp\", " FINGERPRINT PERSONS ID "}",
       "impossible"},
      {HEAD "\"dataset\": \"a\", \"accounting\": \"rdp\", " FINGERPRINT PERSONS ID "}",
       "impossible"},
      {HEAD LABELS FINGERPRINT PERSONS "\"id\": \"f587e0632b9234761f416d20213d741\"}",
       "hexadecimal"},
      {HEAD LABELS FINGERPRINT PERSONS "\"id\": \"f587e0632b9234761f416d20213d74150\"}",
       "hexadecimal"},
      {HEAD LABELS FINGERPRINT PERSONS "\"id\": \"F587e0632b9234761f416d20213d7415\"}",
       "hexadecimal"},
      {HEAD LABELS FINGERPRINT PERSONS "\"id\": \"f587e0632b9234761f416d20213d7416\"}", "its id"},
      {HEAD LABELS FINGERPRINT PERSONS "\"id\": \"c6fb5e19f177d111529f6ba720943273\"}", "its id"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sfm_error error = {0};
    sfm_key *key = (sfm_key *)&w;
    const sfm_status status = read_text(&key, wrong[i].text, &error);
    if (status != SFM_FORMAT || key || !strstr(error.message, wrong[i].why))
      fail_msg("case %zu: status %d, %s", i, (int)status, error.message);
  }
}

/* Nothing that goes wrong repeats a key in its message. */
static void assert_no_secret(const sfm_error *error, const char *text) {
  static const char *const secrets[] = {"c551af15", "5ffb7f8a"};
  for (size_t i = 0; i < 2; i++)
    if (strstr(error->message, secrets[i])) fail_msg("%s\nsays %s", text, error->message);
}

/* Whatever the text: refused, or read with the keys that were written, which the id ties
 * together. */
static void expect_refused_or_same(const char *text, size_t length, size_t *accepted) {
  sfm_error error = {0};
  sfm_key *key = NULL, *whole;
  const sfm_status status = sfm_key_from_text(&key, text, length, &error);
  if (status) {
    assert_int_equal(status, SFM_FORMAT);
    assert_null(key);
    assert_no_secret(&error, text);
    return;
  }
  assert_ok(read_text(&whole, WHOLE, &error), &error);
  assert_same_keys(&key->keys, &whole->keys);
  sfm_key_destroy(whole);
  sfm_key_destroy(key);
  ++*accepted;
}

static void a_changed_text_is_refused_or_has_the_same_keys(void **state) {
  (void)state;
  static const char bytes[] = {0, '\n', ' ', '"', '\\', ',', '{', '}', '0', 'a', 'G', (char)0xff};
  const size_t length = strlen(WHOLE);
  size_t accepted = 0;
  char text[sizeof WHOLE + 1];
  for (size_t i = 0; i < length; i++) /* cut */
    if (i < length - 1) {
      memcpy(text, WHOLE, i);
      expect_refused_or_same(text, i, &accepted);
    }
  assert_int_equal(accepted, 0);
  for (size_t i = 0; i < length; i++) {
    for (size_t b = 0; b < sizeof bytes + 8; b++) { /* one byte another, or one bit */
      memcpy(text, WHOLE, length);
      if (b < sizeof bytes)
        text[i] = bytes[b];
      else
        text[i] = (char)(text[i] ^ 1 << (b - sizeof bytes));
      expect_refused_or_same(text, length, &accepted);
    }
    memcpy(text, WHOLE, length); /* one byte less; one twice */
    memmove(text + i, text + i + 1, length - i - 1);
    expect_refused_or_same(text, length - 1, &accepted);
    memcpy(text, WHOLE, i + 1);
    memcpy(text + i + 1, WHOLE + i, length - i);
    expect_refused_or_same(text, length + 1, &accepted);
  }
  assert_true(accepted > 50); /* names of datasets and blanks */
}

static void random_changes_are_refused_or_have_the_same_keys(void **state) {
  (void)state;
  size_t accepted = 0;
  char text[sizeof WHOLE];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 20261118);
  for (size_t round = 0; round < 20000; round++) {
    size_t length = strlen(WHOLE);
    memcpy(text, WHOLE, length);
    for (uint64_t changes = 1 + sfmi_prng_word(&prng) % 4; changes > 0; changes--) {
      const size_t from = sfmi_prng_word(&prng) % length, to = sfmi_prng_word(&prng) % length;
      const size_t most = length - (from > to ? from : to), part = sfmi_prng_word(&prng) % 80;
      memmove(text + to, text + from, part < most ? part : most);
      if (sfmi_prng_word(&prng) % 8 == 0) length -= sfmi_prng_word(&prng) % length / 4;
    }
    expect_refused_or_same(text, length, &accepted);
  }
}

static void a_text_beyond_the_limit_is_not_parsed(void **state) {
  (void)state;
  sfm_error error;
  sfm_key *key;
  const size_t size = 1 << 16;
  char *text = malloc(size);
  assert_non_null(text);
  memset(text, ' ', size);
  memcpy(text, WHOLE, strlen(WHOLE));
  assert_ok(sfm_key_from_text(&key, text, 2048, &error), &error);
  sfm_key_destroy(key);
  assert_int_equal(sfm_key_from_text(&key, text, 2049, &error), SFM_FORMAT);
  assert_int_equal(sfm_key_from_text(&key, text, size, &error), SFM_FORMAT);
  free(text);
}

/* ---- files ---- */

static mode_t mode_of(const char *path) {
  struct stat facts;
  assert_int_equal(stat(path, &facts), 0);
  return facts.st_mode & 07777;
}

static void a_file_is_private_and_read_as_it_was_written(void **state) {
  (void)state;
  sfm_error error;
  sfm_key *again;
  char path[160];
  sfm_ledger_close(opened());
  sfm_key *key = key_of("patients");
  const mode_t before = umask(0);
  assert_ok(sfm_key_write(key, in_folder(path, "key"), &error), &error);
  umask(before);
  assert_int_equal(mode_of(path), 0600);
  assert_ok(sfm_key_read(&again, path, &error), &error);
  assert_same_key(again, key);
  sfm_key_destroy(again);
  sfm_key_destroy(key);
}

static void assert_bytes(const char *path, const char *wanted) {
  size_t length;
  unsigned char *bytes = forge_read(path, &length);
  assert_non_null(bytes);
  assert_int_equal(length, strlen(wanted));
  assert_memory_equal(bytes, wanted, length);
  free(bytes);
}

static void put(const char *path, const char *bytes) {
  forge_write(path, (const unsigned char *)bytes, strlen(bytes));
}

static void nothing_is_overwritten_and_no_link_is_followed(void **state) {
  (void)state;
  sfm_error error;
  char path[160], link[160], nothing[160];
  const sfm_key key = made_key("patients", SFM_ACCOUNTING_BASIC);
  put(in_folder(path, "there"), "precious");
  assert_int_equal(sfm_key_write(&key, path, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "not overwritten"));
  assert_int_equal(symlink(path, in_folder(link, "link")), 0);
  assert_int_equal(sfm_key_write(&key, link, &error), SFM_INVALID);
  assert_bytes(path, "precious");
  assert_int_equal(symlink(in_folder(nothing, "nothing"), in_folder(link, "dangling")), 0);
  assert_int_equal(sfm_key_write(&key, link, &error), SFM_INVALID);
  assert_int_equal(access(nothing, F_OK), -1);
  assert_int_equal(sfm_key_write(&key, w.here, &error), SFM_INVALID);
  assert_int_equal(sfm_key_write(&key, in_folder(path, "no/such"), &error), SFM_IO);
}

static void a_file_that_others_may_use_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_key *key = (sfm_key *)&w;
  char path[160], link[160];
  put(in_folder(path, "key"), WHOLE);
  for (mode_t mode = 0; mode <= 0777; mode++) {
    assert_int_equal(chmod(path, mode | 0400), 0);
    const sfm_status status = sfm_key_read(&key, path, &error);
    assert_int_equal(status, mode & 077 ? SFM_INVALID : SFM_OK);
    if (!status) sfm_key_destroy(key);
    if (status) assert_null(key);
    if (status) assert_non_null(strstr(error.message, "chmod 600"));
  }
  /* A link says nothing: the mode is that of the file. */
  assert_int_equal(symlink(path, in_folder(link, "link")), 0);
  assert_int_equal(sfm_key_read(&key, link, &error), SFM_INVALID);
  assert_int_equal(chmod(path, 0600), 0);
  assert_ok(sfm_key_read(&key, link, &error), &error);
  sfm_key_destroy(key);
}

static void what_is_no_key_file_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_key *key;
  char path[160], text[sizeof WHOLE];
  sfm_ledger_close(opened());
  assert_int_equal(sfm_key_read(&key, in_folder(path, "nothing"), &error), SFM_INVALID);
  assert_int_equal(sfm_key_read(&key, w.here, &error), SFM_INVALID);
  assert_int_equal(mkfifo(in_folder(path, "pipe"), 0600), 0);
  assert_int_equal(sfm_key_read(&key, path, &error), SFM_INVALID); /* and does not wait */
  assert_int_equal(sfm_key_read(&key, w.ledger, &error), SFM_FORMAT);
  in_folder(path, "key");
  for (size_t length = 0; length < strlen(WHOLE) - 1; length += 7) {
    memcpy(text, WHOLE, length);
    text[length] = '\0';
    put(path, text);
    assert_int_equal(sfm_key_read(&key, path, &error), SFM_FORMAT);
    assert_non_null(strstr(error.message, path));
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(keys_are_those_of_the_formulas),
      TEST(keys_and_ids_belong_together),
      TEST(a_ledger_gives_the_same_keys_everywhere),
      TEST(two_datasets_have_nothing_in_common),
      TEST(a_new_dataset_says_how_its_rows_are_recognised),
      TEST(no_other_kind_of_fingerprint_is_accepted),
      TEST(a_dataset_of_an_older_version_keeps_its_fingerprint),
      TEST(only_an_open_dataset_has_a_key),
      TEST(text_is_read_as_it_was_written),
      TEST(the_format_of_version_1_is_kept),
      TEST(every_other_text_is_refused),
      TEST(a_changed_text_is_refused_or_has_the_same_keys),
      TEST(random_changes_are_refused_or_have_the_same_keys),
      TEST(a_text_beyond_the_limit_is_not_parsed),
      TEST(a_file_is_private_and_read_as_it_was_written),
      TEST(nothing_is_overwritten_and_no_link_is_followed),
      TEST(a_file_that_others_may_use_is_refused),
      TEST(what_is_no_key_file_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
