#include "row_persons.h"

#include <sodium.h>

#include "rows_state.h"

/* Whether the record is in the part that is read. */
static bool is_own(const sfm_rows *rows, const sfmi_row_hash *owner) {
  if (rows->parts == 0) return true;
  const uint64_t part = sfmi_row_hash_is_zero(owner) ? 0 : sfmi_row_hash_part(owner, rows->parts);
  return part == rows->part;
}

static sfm_status note_batch(sfm_rows *rows, const sfmi_batch *batch, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t r = 0; !status && r < batch->rows; r++)
    if (!sfmi_row_hash_is_zero(&batch->owner[r]) && is_own(rows, &batch->owner[r]))
      status = sfmi_persons_note(rows->persons, &batch->owner[r], &batch->order[r], error);
  return status;
}

/* Reads the ids and hashes of all records. */
static sfm_status note_records(sfm_rows *rows, sfm_error *error) {
  sfmi_row_hasher hasher = rows->hasher;
  sfmi_field_request request = {.slot = SFMI_NO_SLOT};
  sfmi_row_layout ids = {.requests = &request,
                         .request_count = 1,
                         .limit = rows->layout.limit,
                         .person = true,
                         .ids = rows->layout.ids,
                         .hasher = &hasher,
                         .cells = true};
  sfmi_arena arena = {0};
  sfmi_batch batch;
  const sfmi_batch *taken = NULL;
  sfmi_read_ahead *ahead = NULL;
  hasher.prints = false;
  for (size_t w = 0; w < rows->layout.request_count; w++)
    if (rows->layout.requests[w].person) request.field = rows->layout.requests[w].field;
  request.person = true;
  request.code = request.text = SFMI_NO_SLOT;
  rows->ops->digest(rows->reader, NULL);
  sfm_status status =
      sfmi_batch_make(&batch, &arena, &ids, rows->ops->form) ? SFM_OK : sfmi_fail_memory(error);
  do {
    if (!status) status = sfmi_rows_take(rows, &taken, &batch, &ids, &ahead, error);
    if (!status && taken) status = note_batch(rows, taken, error);
  } while (!status && taken);
  sfmi_read_ahead_destroy(ahead);
  sfmi_arena_clear(&arena);
  sodium_memzero(&hasher, sizeof hasher);
  return status;
}

sfm_status sfmi_row_persons_create(sfm_rows *rows, sfm_error *error) {
  const sfm_status status = sfmi_persons_create(&rows->persons, rows->layout.limit, error);
  return status || rows->layout.curves ? status : note_records(rows, error);
}

/* Row r of somebody. */
static sfm_status apply_person(sfm_rows *rows, const sfmi_batch *batch, size_t r,
                               sfm_error *error) {
  const sfmi_row_hash *owner = &batch->owner[r];
  if (batch->person) return sfmi_persons_number(rows->persons, &batch->person[r], owner, error);
  /* Also of a record that contributes nothing: which ones are chosen does not depend on it. */
  const bool kept = sfmi_persons_keep(rows->persons, owner, &batch->order[r]);
  batch->keep[r] = batch->keep[r] && kept;
  return SFM_OK;
}

sfm_status sfmi_row_persons_apply(sfm_rows *rows, const sfmi_batch *batch, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t r = 0; !status && r < batch->rows; r++) {
    const bool own = is_own(rows, &batch->owner[r]);
    if (own && batch->prints) sfmi_row_sum_add(&rows->sum, &batch->prints[r]);
    if (own && !batch->prints) rows->sum.count++;
    if (own && !sfmi_row_hash_is_zero(&batch->owner[r]))
      status = apply_person(rows, batch, r, error);
    else
      batch->keep[r] = 0;
  }
  return status;
}
