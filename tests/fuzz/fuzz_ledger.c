/* fuzz_ledger.c - any bytes as a ledger file: refused with a message, or a ledger of which no more
 * can be had than its file says is left.
 *
 * Raw bytes hardly ever get past the hashes, so an input may ask for help:
 *   "mend" BYTES   a file whose hashes are computed anew before it is opened
 *   "rows\n" TEXT  a ledger made of one entry per line: kind, dataset, request, parameters,
 *                  guarantee, unit, amount, amount_delta, secret, separated by tabs; the secret
 *                  of an answer is the hash of the bytes given, which are stored
 *   other BYTES    the file itself */
#include <fcntl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger/charge.h"
#include "ledger/ledger_file.h"
#include "ledger/ledger_tally.h"
#include "sfumato/key.h"
#include "promise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENTRIES = 40, DATASETS = 2, FIELDS = 9 };

static char path[64], journal[80];

static void write_file(const uint8_t *data, size_t size) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  PROMISE(file >= 0 && write(file, data, size) == (ssize_t)size);
  close(file);
  unlink(journal);
}

/* ---- a file out of rows ---- */

/* An entry, chained to the one before it. */
static void add_entry(sfmi_ledger_file *ledger_file, sfmi_tally *tally, char *fields[FIELDS]) {
  sfmi_entry entry = {.number = tally->head + 1,
                      .time = "2026-11-15T12:00:00Z",
                      .dataset = fields[1],
                      .request = fields[2],
                      .parameters = fields[3],
                      .guarantee = fields[4],
                      .unit = fields[5],
                      .cost = {strtoll(fields[6], NULL, 10), strtoll(fields[7], NULL, 10)},
                      .has_secret = fields[8][0] != '\0'};
  if (!sfmi_entry_kind_parse(&entry.kind, fields[0])) return;
  crypto_generichash(entry.secret, sizeof entry.secret, (const unsigned char *)fields[8],
                     strlen(fields[8]), NULL, 0);
  sfmi_entry_hash(entry.hash, tally->hash, &entry);
  if (sfmi_ledger_file_add_entry(ledger_file, &entry, NULL)) return;
  if (entry.kind == SFMI_ENTRY_ANSWER)
    (void)!sfmi_ledger_file_add_answer(ledger_file, entry.number, fields[8], strlen(fields[8]),
                                       NULL);
  tally->head = entry.number;
  memcpy(tally->hash, entry.hash, sizeof tally->hash);
}

static void add_entries(sfmi_ledger_file *ledger_file, char *text) {
  static char empty[] = "";
  sfmi_tally tally;
  int creates = 0;
  sfmi_tally_init(&tally, ledger_file->identity, ledger_file->anchor);
  for (char *line; tally.head < ENTRIES && (line = strsep(&text, "\n"));) {
    char *fields[FIELDS];
    for (int i = 0; i < FIELDS; i++) fields[i] = line ? strsep(&line, "\t") : empty;
    creates += !strcmp(fields[0], "create");
    if (creates <= DATASETS) add_entry(ledger_file, &tally, fields);
  }
  sfmi_tally_clear(&tally);
}

/* A new ledger: made once, then copied. */
static void write_empty(void) {
  static const uint8_t identity[SFMI_IDENTITY_BYTES] = {1};
  static uint8_t image[1 << 16];
  static ssize_t length;
  if (length == 0) {
    unlink(path);
    PROMISE(!sfmi_ledger_file_create(path, path, identity, "", false, NULL));
    int file = open(path, O_RDONLY | O_CLOEXEC);
    length = read(file, image, sizeof image);
    PROMISE(length > 0 && length < (ssize_t)sizeof image);
    close(file);
  }
  write_file(image, (size_t)length);
}

static void write_rows(const uint8_t *data, size_t size) {
  sfmi_ledger_file ledger_file;
  char *text = malloc(size + 1);
  PROMISE(text != NULL);
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  write_empty();
  PROMISE(!sfmi_ledger_file_open(&ledger_file, path, NULL));
  PROMISE(!sfmi_database_begin(&ledger_file.database, true, NULL));
  add_entries(&ledger_file, text);
  PROMISE(!sfmi_database_commit(&ledger_file.database, NULL));
  sfmi_ledger_file_close(&ledger_file);
  free(text);
}

/* ---- mended hashes ---- */

static void mend_entry(sqlite3_stmt *row, sqlite3_stmt *update, sfmi_tally *tally) {
  const char *texts[8] = {0};
  for (int i = 1; i <= 7; i++) {
    texts[i] = (const char *)sqlite3_column_text(row, i);
    if (!texts[i]) texts[i] = "";
  }
  sfmi_entry entry = {.number = (uint64_t)sqlite3_column_int64(row, 0),
                      .time = texts[1],
                      .dataset = texts[3],
                      .request = texts[4],
                      .parameters = texts[5],
                      .guarantee = texts[6],
                      .unit = texts[7],
                      .cost = {sqlite3_column_int64(row, 8), sqlite3_column_int64(row, 9)},
                      .has_secret = sqlite3_column_bytes(row, 10) == 32};
  if (!sfmi_entry_kind_parse(&entry.kind, texts[2])) return;
  if (entry.has_secret) memcpy(entry.secret, sqlite3_column_blob(row, 10), 32);
  sfmi_entry_hash(tally->hash, tally->hash, &entry);
  sqlite3_bind_blob(update, 1, tally->hash, SFMI_HASH_BYTES, SQLITE_STATIC);
  sqlite3_bind_int64(update, 2, (sqlite3_int64)entry.number);
  sqlite3_step(update);
  sqlite3_reset(update);
}

static void mend(void) {
  sqlite3 *database = NULL;
  sqlite3_stmt *row = NULL, *update = NULL, *start = NULL;
  sfmi_tally tally;
  if (sqlite3_open(path, &database) == SQLITE_OK &&
      sqlite3_exec(database, "PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database, "SELECT identity, anchor FROM ledger", -1, &start, NULL) ==
          SQLITE_OK &&
      sqlite3_step(start) == SQLITE_ROW && sqlite3_column_bytes(start, 0) == SFMI_IDENTITY_BYTES &&
      sqlite3_column_text(start, 1) &&
      sqlite3_prepare_v2(database,
                         "SELECT number, time, kind, dataset, request, parameters, guarantee, "
                         "unit, amount, amount_delta, secret FROM entry ORDER BY number LIMIT 100",
                         -1, &row, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database, "UPDATE entry SET hash = ? WHERE number = ?", -1, &update,
                         NULL) == SQLITE_OK) {
    sfmi_tally_init(&tally, sqlite3_column_blob(start, 0),
                    (const char *)sqlite3_column_text(start, 1));
    while (sqlite3_step(row) == SQLITE_ROW) mend_entry(row, update, &tally);
  }
  sqlite3_finalize(start);
  sqlite3_finalize(row);
  sqlite3_finalize(update);
  if (database) sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  sqlite3_close(database);
}

/* ---- what is then done with it ---- */

static bool see(void *context, const sfm_ledger_entry *entry) {
  size_t *seen = context;
  PROMISE(entry->number == ++*seen && entry->time && entry->kind && entry->dataset);
  PROMISE(entry->request && entry->parameters && entry->guarantee && strlen(entry->hash) == 64);
  return true;
}

/* In units, of a number the library printed. */
static int64_t units(const char *decimal) {
  int64_t value = 0;
  int places = 12;
  bool point = false;
  for (; *decimal; decimal++) {
    if (*decimal == '.') {
      point = true;
      continue;
    }
    PROMISE(*decimal >= '0' && *decimal <= '9' && places > 0);
    value = 10 * value + (*decimal - '0');
    places -= point;
  }
  while (places-- > 0) value *= 10;
  return value;
}

/* A whole request; if it is answered, then with the same bytes when it is repeated. */
static void request(sfm_ledger *ledger, const char *dataset, const char *id, double epsilon) {
  static const uint8_t fingerprint[32] = {7};
  const sfm_charge charge = {.ledger = ledger, .dataset = dataset, .request = id};
  const sfm_guarantee guarantee = {.kind = SFM_GUARANTEE_PURE, .epsilon = epsilon};
  sfmi_charge_handle handle, again;
  sfm_error error = {0};
  if (sfmi_ledger_charge(&handle, &charge, "{}", &guarantee, &error)) {
    PROMISE(error.message[0] != '\0');
    return;
  }
  if (handle.answer || !sfmi_ledger_answer(&handle, id, strlen(id), fingerprint, &error)) {
    PROMISE(handle.answer != NULL);
    PROMISE(!sfmi_ledger_charge(&again, &charge, "{}", &guarantee, &error));
    PROMISE(again.answer && again.answer_length == handle.answer_length &&
            !memcmp(again.answer, handle.answer, handle.answer_length));
    sfmi_charge_handle_clear(&again);
  }
  sfmi_charge_handle_clear(&handle);
}

/* verified: a file that does not verify may state a capacity that no curve is known for. */
static void spend(sfm_ledger *ledger, const char *name, bool verified) {
  sfm_dataset_status before, after;
  sfm_error error = {0};
  char id[40];
  if (sfm_ledger_find(ledger, &before, name, &error)) return;
  const int64_t total = units(before.amount.total), spent = units(before.amount.spent);
  PROMISE(spent <= total && units(before.amount.left) == total - spent);
  PROMISE(before.answers <= before.charges);
  const double left = (double)(total - spent) / 1e12;
  const double asks[] = {left / 2, left, 0.25};
  for (int i = 0; i < 3; i++) {
    snprintf(id, sizeof id, "fuzz-%d", i);
    request(ledger, name, id, asks[i] > 1000 ? 1000 : asks[i]);
  }
  if (sfm_ledger_find(ledger, &after, name, &error)) {
    PROMISE(!verified && error.message[0] != '\0');
    return;
  }
  PROMISE(units(after.amount.total) == total && units(after.amount.spent) >= spent &&
          units(after.amount.spent) <= total);
  PROMISE(after.answers <= after.charges && after.charges <= before.charges + 3);
  PROMISE(!before.closed || after.charges == before.charges);
}

static void take_key(sfm_ledger *ledger, const sfm_dataset_status *dataset) {
  sfm_key *key;
  sfm_error error = {0};
  if (sfm_ledger_key(&key, ledger, dataset->name, &error))
    PROMISE(!key && error.message[0] != '\0');
  else
    PROMISE(!dataset->closed && !strcmp(sfm_key_dataset(key), dataset->name));
  sfm_key_destroy(key);
}

static void use(sfm_ledger *ledger) {
  sfm_dataset_status *list = NULL;
  sfm_error error = {0};
  size_t count = 0, seen = 0;
  uint64_t entries = 0;
  if (sfm_ledger_status(ledger, &list, &count, &error)) {
    PROMISE(!list && error.message[0] != '\0');
    count = 0;
  }
  PROMISE(!sfm_ledger_history(ledger, NULL, see, &seen, &error));
  const bool good = !sfm_ledger_verify(ledger, &entries, NULL, &error);
  PROMISE(!good || entries == seen);
  for (size_t i = 0; i < count; i++) take_key(ledger, &list[i]);
  for (size_t i = 0; i < count && i < DATASETS; i++) spend(ledger, list[i].name, good);
  if (count) (void)!sfm_ledger_close_dataset(ledger, list[0].name, &error);
  PROMISE(sfm_ledger_find(ledger, &(sfm_dataset_status){0}, "no such dataset", &error) ==
          SFM_INVALID);
  /* What verified once does so after all that, too. */
  if (good) PROMISE(!sfm_ledger_verify(ledger, &entries, NULL, &error));
  sfm_free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sfm_ledger *ledger = NULL;
  sfm_error error = {0};
  if (!path[0]) {
    PROMISE(sodium_init() >= 0);
    snprintf(path, sizeof path, "%s/sfumato_fuzz.%ld",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    snprintf(journal, sizeof journal, "%s-journal", path);
  }
  if (size >= 5 && !memcmp(data, "rows\n", 5)) {
    write_rows(data + 5, size - 5);
  } else if (size >= 4 && !memcmp(data, "mend", 4)) {
    write_file(data + 4, size - 4);
    mend();
  } else {
    write_file(data, size);
  }
  if (!sfm_ledger_open(&ledger, path, &error))
    use(ledger);
  else
    PROMISE(!ledger && error.message[0] != '\0');
  sfm_ledger_close(ledger);
  unlink(path);
  unlink(journal);
  return 0;
}
