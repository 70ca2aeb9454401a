#include "ledger_transaction.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/nearest_word.h"
#include "base/system/c_locale.h"
#include "base/system/file.h"
#include "anchor.h"
#include "entry_parameters.h"
#include "ledger_name.h"

sfm_status sfmi_ledger_check_generation(sfm_ledger *ledger, bool *unpaid, const sfmi_entry *entry,
                                        sfm_error *error) {
  char request[SFM_REQUEST_MAX + 1];
  uint64_t generation, answer;
  *unpaid = false;
  /* The second and later ones follow the first. */
  if (!sfmi_raise_parse(request, &generation, entry->parameters) || generation > 1) return SFM_OK;
  sfm_status status = sfmi_ledger_file_request(&ledger->file, &answer, NULL, NULL,
                                               SFMI_ENTRY_ANSWER, entry->dataset, request, error);
  *unpaid = !status && (answer == 0 || answer > entry->number);
  if (*unpaid)
    status = sfmi_fail(error, SFM_REFUSED,
                       "entry %llu raises the generation of a session that was never paid for",
                       (unsigned long long)entry->number);
  return status;
}

/* Entries taken into the tally of a ledger. */
typedef struct reading {
  sfm_ledger *ledger;
  bool refused; /* an entry was read, and is not one that the ledger could have written */
} reading;

static sfm_status apply_entry(void *context, const sfmi_entry *entry, sfm_error *error) {
  reading *in = context;
  sfm_status status = SFM_OK;
  if (entry->kind == SFMI_ENTRY_RAISE)
    status = sfmi_ledger_check_generation(in->ledger, &in->refused, entry, error);
  if (status) return status;
  status = sfmi_tally_add(&in->ledger->tally, entry, error);
  in->refused = status == SFM_REFUSED;
  return status;
}

/* Forgets the tally: the next transaction reads the history from its first entry. */
static void reset_tally(sfm_ledger *ledger) {
  sfmi_tally_clear(&ledger->tally);
  sfmi_tally_init(&ledger->tally, ledger->file.identity, ledger->file.anchor);
  ledger->dirty = false;
}

/* What was read before must still be there; what is new must follow from it. */
static sfm_status catch_up(sfm_ledger *ledger, sfm_error *error) {
  sfmi_tally *tally = &ledger->tally;
  uint8_t hash[SFMI_HASH_BYTES];
  bool found = true;
  if (tally->head > 0) {
    sfm_status status = sfmi_ledger_file_hash(&ledger->file, &found, hash, tally->head, error);
    if (status) return status;
    if (!found || memcmp(hash, tally->hash, sizeof hash) != 0)
      return sfmi_fail(error, SFM_REFUSED,
                       "the history of the ledger %.300s was changed while it was open",
                       ledger->file.database.path);
  }
  sfm_error inner;
  reading in = {.ledger = ledger};
  sfm_status status =
      sfmi_ledger_file_entries(&ledger->file, tally->head + 1, apply_entry, &in, &inner);
  if (in.refused)
    return sfmi_fail(error, SFM_REFUSED, "the ledger %.300s is damaged or was edited: %.500s",
                     ledger->file.database.path, inner.message);
  return status ? sfmi_fail(error, status, "%s", inner.message) : SFM_OK;
}

sfm_status sfmi_ledger_check_anchor(sfm_ledger *ledger, const char *path, sfm_error *error) {
  sfmi_anchor anchor;
  uint8_t hash[SFMI_HASH_BYTES];
  bool found;
  sfm_status status = sfmi_anchor_read(&anchor, &found, path, error);
  if (status) return status;
  if (!found)
    return sfmi_fail(error, SFM_REFUSED,
                     "the anchor %.300s of this ledger is missing: without it nobody can tell "
                     "whether the ledger is an old copy; put it back",
                     path);
  if (memcmp(anchor.identity, ledger->file.identity, sizeof anchor.identity) != 0)
    return sfmi_fail(error, SFM_REFUSED, "the anchor %.300s belongs to another ledger", path);
  if (anchor.number > ledger->tally.head)
    return sfmi_fail(error, SFM_REFUSED,
                     "the ledger %.300s is an old copy: its anchor knows entry %llu, and its "
                     "history ends at %llu; put back the newest copy",
                     ledger->file.database.path, (unsigned long long)anchor.number,
                     (unsigned long long)ledger->tally.head);
  if (anchor.number == 0)
    sfmi_chain_start(hash, ledger->file.identity, ledger->file.anchor);
  else
    status = sfmi_ledger_file_hash(&ledger->file, &found, hash, anchor.number, error);
  if (!status && (!found || memcmp(hash, anchor.hash, sizeof hash) != 0))
    status = sfmi_fail(error, SFM_REFUSED,
                       "the ledger %.300s has another history than its anchor knows: entry %llu is "
                       "not the one that was written",
                       ledger->file.database.path, (unsigned long long)anchor.number);
  if (!status) ledger->anchored = anchor.number;
  return status;
}

static bool has_anchor(const sfm_ledger *ledger) {
  return ledger->file.anchor[0] != '\0' && !ledger->detached;
}

sfm_status sfmi_ledger_begin(sfm_ledger *ledger, bool writing, sfm_error *error) {
  sfm_status status = sfmi_database_begin(&ledger->file.database, writing, error);
  if (status) return status;
  if (ledger->dirty) reset_tally(ledger);
  status = catch_up(ledger, error);
  if (!status && has_anchor(ledger))
    status = sfmi_ledger_check_anchor(ledger, ledger->file.anchor, error);
  if (status) sfmi_database_rollback(&ledger->file.database);
  return status;
}

void sfmi_ledger_rollback(sfm_ledger *ledger) {
  sfmi_database_rollback(&ledger->file.database);
}

sfm_status sfmi_ledger_append(sfm_ledger *ledger, sfmi_entry *entry, sfm_error *error) {
  char now[32];
  const time_t seconds = time(NULL);
  struct tm utc;
  gmtime_r(&seconds, &utc);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
  entry->time = now;
  entry->number = ledger->tally.head + 1;
  sfmi_entry_hash(entry->hash, ledger->tally.hash, entry);
  ledger->dirty = true;
  sfm_status status = sfmi_tally_add(&ledger->tally, entry, error);
  if (!status) status = sfmi_ledger_file_add_entry(&ledger->file, entry, error);
  entry->time = "";
  return status;
}

sfm_status sfmi_ledger_commit(sfm_ledger *ledger, sfm_error *error) {
  sfm_status status = sfmi_database_commit(&ledger->file.database, error);
  if (status) return status;
  ledger->dirty = false;
  ledger->durable = ledger->tally.head;
  return sfmi_ledger_update_anchor(ledger, error);
}

sfm_status sfmi_ledger_end(sfm_ledger *ledger, sfm_status status, sfm_error *error) {
  if (!status) return sfmi_ledger_commit(ledger, error);
  sfmi_ledger_rollback(ledger);
  return status;
}

/* What this process has read but not written: its writer may have died before it was durable. */
static sfm_status settle(sfm_ledger *ledger, sfm_error *error) {
  if (ledger->durable == ledger->tally.head) return SFM_OK;
  sfm_status status = sfmi_database_settle(&ledger->file.database, error);
  if (!status && has_anchor(ledger)) status = sfmi_file_sync_folder(ledger->file.anchor, error);
  if (!status) ledger->durable = ledger->tally.head;
  return status;
}

sfm_status sfmi_ledger_update_anchor(sfm_ledger *ledger, sfm_error *error) {
  sfm_status status = settle(ledger, error);
  if (status || !has_anchor(ledger) || ledger->anchored == ledger->tally.head) return status;
  /* Under the write lock, so that the anchor never moves back. */
  status = sfmi_ledger_begin(ledger, true, error);
  if (status) return status;
  status = settle(ledger, error);
  if (!status && ledger->anchored < ledger->tally.head) {
    sfmi_anchor anchor = {.number = ledger->tally.head};
    memcpy(anchor.identity, ledger->file.identity, sizeof anchor.identity);
    memcpy(anchor.hash, ledger->tally.hash, sizeof anchor.hash);
    status = sfmi_anchor_write(&anchor, ledger->file.anchor, ledger->file.database.shared, error);
    if (!status) ledger->anchored = anchor.number;
  }
  sfmi_ledger_rollback(ledger);
  return status;
}

/* The dataset that was probably meant, or NULL. */
static const char *nearest_dataset(const sfmi_tally *tally, const char *name) {
  const char **names = sfmi_alloc(tally->count, sizeof *names);
  if (!names) return NULL;
  for (size_t i = 0; i < tally->count; i++) names[i] = tally->datasets[i].name;
  const char *nearest = sfmi_nearest_word(name, names, tally->count);
  free(names);
  return nearest;
}

sfm_status sfmi_ledger_find_dataset(const sfm_ledger *ledger, sfmi_dataset **dataset,
                                    const char *name, sfm_error *error) {
  char list[600] = "";
  size_t used = 0;
  const sfmi_tally *tally = &ledger->tally;
  sfm_status status = sfmi_ledger_check_name(name, SFM_DATASET_MAX, "dataset name", error);
  if (status) return status;
  *dataset = sfmi_tally_find(tally, name);
  if (*dataset) return SFM_OK;
  for (size_t i = 0; i < tally->count; i++) {
    const bool room = used < sizeof list - SFM_DATASET_MAX - 20;
    used += (size_t)sfmi_snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                  room ? tally->datasets[i].name : "...");
    if (!room) break;
  }
  const char *nearest = nearest_dataset(tally, name);
  if (nearest)
    return sfmi_fail(
        error, SFM_INVALID,
        "the ledger %.200s has no dataset '%s'; did you mean '%s'? Its datasets are: %s",
        ledger->file.database.path, name, nearest, list);
  return sfmi_fail(error, SFM_INVALID,
                   "the ledger %.200s has no dataset '%s'; its datasets are: %s",
                   ledger->file.database.path, name, tally->count ? list : "none");
}

sfm_status sfmi_ledger_stored_answer(sfm_ledger *ledger, char **bytes, size_t *length,
                                     const char *dataset, const char *request, sfm_error *error) {
  uint8_t stored[SFMI_HASH_BYTES], hash[SFMI_HASH_BYTES];
  uint64_t number;
  *bytes = NULL;
  sfm_status status = sfmi_ledger_file_request(&ledger->file, &number, NULL, stored,
                                               SFMI_ENTRY_ANSWER, dataset, request, error);
  if (status || number == 0) return status;
  status = sfmi_ledger_file_answer(&ledger->file, bytes, length, number, error);
  if (status) return status;
  crypto_generichash(hash, sizeof hash, (const unsigned char *)*bytes, *length, NULL, 0);
  if (memcmp(hash, stored, sizeof hash) == 0) return SFM_OK;
  free(*bytes);
  *bytes = NULL;
  return sfmi_fail(error, SFM_REFUSED,
                   "the stored answer of request '%.60s' was changed: put back the last good copy "
                   "of the ledger",
                   request);
}
