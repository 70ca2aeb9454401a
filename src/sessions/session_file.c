#include "session_file.h"

#include "session_cleanup.h"

sfm_status sfmi_session_file_open(sfmi_session_file *file, sfmi_store_verb verb, const char *path,
                                  sfm_error *error) {
  *file = (sfmi_session_file){0};
  sfm_status status = sfmi_store_unify(path, error);
  if (!status) sfmi_session_cleanup(path);
  if (!status) status = sfmi_store_open(&file->store, verb, path, error);
  if (!status && !file->store.sealed)
    status = sfmi_fail(error, SFM_REFUSED,
                       "the session %.300s was never finished: make it again (with a ledger: by "
                       "the same request)",
                       path);
  return status;
}

void sfmi_session_file_wipe_state(sfmi_session_file *file) {
  sfmi_session_record *record = &file->store.record;
  sfmi_wipe_free(record->state, record->state_length, 1);
  record->state = NULL;
  record->state_length = 0;
}

sfm_status sfmi_session_file_start(sfmi_session_file *file, const sfm_release *facts, bool single,
                                   const char *verb, sfm_error *error) {
  const sfmi_session_record *record = &file->store.record;
  file->single = single;
  file->last = file->before = file->store.first;
  file->durable = UINT64_MAX;
  if (!single) return SFM_OK;
  if (!*record->anchor && !(*record->ledger && facts->dataset && facts->request))
    return sfmi_database_fail_damaged(&file->store.database,
                                      "it does not say where its generation is kept", error);
  return sfmi_freshness_open(&file->freshness, record, file->store.database.path, verb,
                             facts->dataset, facts->request, error);
}

void sfmi_session_file_close(sfmi_session_file *file) {
  sfmi_freshness_close(&file->freshness);
  sfmi_store_close(&file->store);
}

sfm_status sfmi_session_file_enter(sfmi_session_file *file, sfmi_batch_visitor *take, void *context,
                                   sfm_error *error) {
  sfmi_database *database = &file->store.database;
  sfm_status status = sfmi_database_begin(database, true, error);
  if (status) return status;
  status = sfmi_store_follow(&file->store, &file->last, &file->before, take, context, error);
  if (!status && file->durable != file->last.number) {
    status = sfmi_database_settle(database, error);
    if (!status) file->durable = file->last.number;
  }
  if (!status && file->single)
    status = sfmi_freshness_follow(&file->freshness, &file->before, &file->last, error);
  if (status) sfmi_database_rollback(database);
  return status;
}

void sfmi_session_file_leave(sfmi_session_file *file) {
  sfmi_database_rollback(&file->store.database);
}

sfm_status sfmi_session_file_add(sfmi_session_file *file, const sfmi_store_batch *batch,
                                 sfm_error *error) {
  sfmi_generation last = file->last;
  sfm_status status = sfmi_store_add(&file->store, &last, batch, error);
  if (!status) status = sfmi_database_commit(&file->store.database, error);
  if (status) return status;
  file->before = file->last;
  file->last = last;
  file->durable = last.number;
  return SFM_OK;
}

void sfmi_session_file_note_transcript(sfmi_session_file *file) {
  file->written = true;
  file->last_written = file->last.number;
}

/* Under the write lock: what the transcript lacks would be gone, and somebody has seen it. */
static sfm_status check_written(sfmi_session_file *file, const char *lacks, sfm_error *error) {
  bool ends = true;
  sfm_status status =
      file->written ? sfmi_store_ends(&file->store, &ends, file->last_written, error) : SFM_OK;
  if (status || ends) return status;
  return sfmi_fail(error, SFM_IO,
                   "the session %.300s was asked while its transcript was written, which %s: "
                   "nothing is wiped; write the transcript again",
                   file->store.database.path, lacks);
}

sfm_status sfmi_session_file_wipe(sfmi_session_file *file, const char *lacks, sfm_error *error) {
  sfmi_database *database = &file->store.database;
  sfm_status status = sfmi_database_begin(database, true, error);
  if (status) return status;
  status = check_written(file, lacks, error);
  if (!status) status = sfmi_store_destroy(&file->store, error);
  sfmi_database_rollback(database);
  return status;
}

static const char *stated(const char *path) {
  return *path ? path : NULL;
}

const char *sfmi_session_file_ledger(const sfmi_session_file *file) {
  return stated(file->store.record.ledger);
}

const char *sfmi_session_file_anchor(const sfmi_session_file *file) {
  return stated(file->store.record.anchor);
}
