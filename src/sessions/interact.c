/* interact.c - asking an interactive session.
 *
 * INVARIANTS OF A SESSION FILE
 *
 *  1. The private machine and the noisy threshold of the first epoch are written when the file is
 *     made, and never changed.
 *  2. A batch is what one portion of questions changed: values released, how many were asked, and
 *     the noisy threshold of the epoch that is running after it; and a nonce, by which no two
 *     batches ever written are the same, also where nothing was released.  Batches are numbered 1,
 *     2, ..., never changed and never removed, and chained by keyed hashes (session_store.h).
 *  3. The threshold of an epoch is drawn once: what is in the file is used, and a new one is drawn
 *     only where an epoch begins, under the write lock, with all batches read that others wrote.
 *  4. A batch is on the disk, and the freshness record (freshness.h) durably knows its generation,
 *     before any answer of it is shown.  The freshness record moves from a generation to one other,
 *     and by 2 that other is the batch of one file.  So of copies of a file one goes on, and the
 *     others are refused, whatever either was asked and whether or not anything was released: a
 *     refusal says that another copy was faster, and nothing about values.
 *
 * ONE PORTION
 *
 *   lock the file        BEGIN IMMEDIATE
 *   catch up, follow     as in online.c: freshness = last, or raised from before to last; else
 *                        refused
 *   answer               noise is drawn, the public model learns: in memory
 *   add, COMMIT          durable, not yet valid
 *   lock, catch up, follow again: valid
 *   show
 *
 * A crash before COMMIT leaves nothing: what was drawn is gone, and nobody has seen anything of it.
 * Between COMMIT and follow it leaves a batch that nobody has seen and that the next one to lock
 * makes valid: it has used what it used. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch_codec.h"
#include "base/system/sized_struct.h"
#include "mechanisms/sessions/interact_creation.h"
#include "releases/kinds/machine_values.h"
#include "session_creation.h"
#include "session_file.h"

/* Points that are answered and written at once, at most. */
enum { PORTION = 1 << 16 };

/* Outside a call the private model has been told the batches of the file up to the last one, and
 * nothing else. */
struct sfm_interact {
  sfmi_session_file file;
  sfmi_private_model *private_model;
};

/* ---- making ---- */

sfm_status sfm_interact_create(const char *path, sfm_rows *rows, const sfm_interact_settings *given,
                               const char *anchor, sfm_error *error) {
  sfm_interact_settings taken;
  sfm_train_settings train;
  sfm_status status = SFMI_TAKE_PLAIN(sfm_interact_settings, &taken, given, error);
  if (!status) status = SFMI_TAKE(sfm_train_settings, &train, taken.train, error);
  if (status) return status;
  taken.train = &train;
  sfmi_interact_creation creation;
  status = sfmi_interact_creation_init(&creation, rows, &taken, error);
  const sfmi_session_kind kind = {.verb = SFMI_STORE_INTERACT,
                                  .single = true,
                                  .name = "interactive",
                                  .steps = &sfmi_interact_creation_steps,
                                  .drawn = &creation.drawn};
  if (!status) status = sfmi_session_create(path, anchor, &kind, &creation.train_run.base, error);
  sfmi_interact_creation_clear(&creation);
  return status;
}

/* ---- opening ---- */

static sfm_status take_batch(void *context, const sfmi_store_batch *batch, sfm_error *error) {
  sfm_interact *session = context;
  const sfm_status status = sfmi_batch_codec_unpack(session->private_model, batch, error);
  return status == SFM_FORMAT
             ? sfmi_database_fail_damaged(&session->file.store.database,
                                          "its answers are not what was written", error)
             : status;
}

/* Locks the file and takes in what others wrote. */
static sfm_status enter(sfm_interact *session, sfm_error *error) {
  return sfmi_session_file_enter(&session->file, take_batch, session, error);
}

static sfm_status load_private_model(sfm_interact *session, sfm_error *error) {
  sfmi_session_file *file = &session->file;
  const sfmi_session_record *record = &file->store.record;
  sfm_status status =
      sfmi_private_model_load(&session->private_model, record->facts, record->state,
                              record->state_length, file->store.database.path, error);
  sfmi_session_file_wipe_state(file);
  if (status) return status;
  return sfmi_session_file_start(file, sfmi_private_model_facts(session->private_model), true,
                                 "interact", error);
}

sfm_status sfm_interact_open(sfm_interact **out, const char *path, sfm_error *error) {
  *out = NULL;
  sfm_interact *session = sfmi_alloc(1, sizeof *session);
  if (!session) return sfmi_fail_memory(error);
  sfm_status status = sfmi_session_file_open(&session->file, SFMI_STORE_INTERACT, path, error);
  if (!status) status = load_private_model(session, error);
  if (!status) status = enter(session, error);
  if (status) {
    sfm_interact_close(session);
    return status;
  }
  sfmi_session_file_leave(&session->file);
  *out = session;
  return SFM_OK;
}

void sfm_interact_close(sfm_interact *session) {
  if (!session) return;
  sfmi_private_model_destroy(session->private_model);
  sfmi_session_file_close(&session->file);
  free(session);
}

/* ---- asking ---- */

/* Adds what was told since then to the file, durably. */
static sfm_status add_batch(sfm_interact *session, const sfmi_interact_position *then,
                            sfm_error *error) {
  sfmi_batch_codec codec;
  sfmi_store_batch batch;
  sfm_status status =
      sfmi_batch_codec_pack(&codec, &batch, session->private_model, then->released, error);
  if (!status) status = sfmi_session_file_add(&session->file, &batch, error);
  sfmi_batch_codec_clear(&codec);
  return status;
}

/* Under the lock.  On failure it is as if the portion had never been asked.  (Should it be in the
 * file all the same, it will be read from there.) */
static sfm_status answer(sfm_interact *session, sfm_interact_answer *answers,
                         const sfmi_machine_points *points, sfm_error *error) {
  sfmi_interact_position then = sfmi_private_model_position(session->private_model);
  sfm_status status = sfmi_private_model_answer(session->private_model, answers, points,
                                                session->file.last.number + 1, error);
  if (!status) status = add_batch(session, &then, error);
  if (status) sfmi_private_model_rollback(session->private_model, &then);
  explicit_bzero(&then, sizeof then);
  return status;
}

static sfm_status ask_some(sfm_interact *session, sfm_interact_answer *answers,
                           const sfmi_machine_points *points, sfm_error *error) {
  sfm_status status = enter(session, error);
  if (status) return status;
  status = answer(session, answers, points, error);
  sfmi_session_file_leave(&session->file);
  if (status) return status;
  status = enter(session, error);
  if (!status) sfmi_session_file_leave(&session->file);
  return status;
}

/* Nothing of a portion that failed is shown. */
static void hide(sfm_interact_answer *answers, size_t count) {
  for (size_t i = 0; i < count; i++)
    answers[i] = (sfm_interact_answer){.value = NAN, .error = INFINITY};
}

static sfm_status ask(sfm_interact *session, sfm_interact_answer *answers,
                      const sfmi_machine_points *points, sfm_error *error) {
  const sfmi_encoding *encoding =
      &sfmi_private_model_facts(session->private_model)->model->encoding;
  sfm_status status = sfmi_machine_domain_check(encoding, points, error);
  for (size_t done = 0; !status && done < points->count; done += PORTION) {
    const size_t left = points->count - done;
    sfmi_machine_points some = *points;
    if (some.cells) some.cells += done * encoding->input_count;
    if (some.starts) some.starts += done;
    some.count = left < PORTION ? left : PORTION;
    status = ask_some(session, answers + done, &some, error);
    if (status) hide(answers + done, some.count);
  }
  return status;
}

sfm_status sfm_interact_ask(sfm_interact *session, sfm_interact_answer *answers,
                            const double *cells, size_t count, sfm_error *error) {
  const sfmi_machine_points points = {.cells = cells, .count = count};
  return count ? ask(session, answers, &points, error) : SFM_OK;
}

sfm_status sfm_interact_ask_sparse(sfm_interact *session, sfm_interact_answer *answers,
                                   const size_t *starts, const uint32_t *indices,
                                   const double *numbers, size_t count, sfm_error *error) {
  const sfmi_machine_points points = {
      .starts = starts, .indices = indices, .numbers = numbers, .count = count};
  return count ? ask(session, answers, &points, error) : SFM_OK;
}

/* ---- what is public ---- */

sfm_interact_facts sfm_interact_about(const sfm_interact *session) {
  return sfmi_private_model_about(session->private_model);
}

sfm_interact_plan sfm_interact_planned(const sfm_interact *session) {
  return *sfmi_private_model_plan(session->private_model);
}

const sfm_release *sfm_interact_machine(const sfm_interact *session) {
  return sfmi_private_model_facts(session->private_model);
}

sfm_guarantee sfm_interact_guarantee(const sfm_interact *session) {
  return sfm_release_guarantee(sfmi_private_model_facts(session->private_model));
}

const char *sfm_interact_sentence(const sfm_interact *session) {
  return sfm_release_sentence(sfmi_private_model_facts(session->private_model));
}

const char *sfm_interact_ledger(const sfm_interact *session) {
  return sfmi_session_file_ledger(&session->file);
}

const char *sfm_interact_anchor(const sfm_interact *session) {
  return sfmi_session_file_anchor(&session->file);
}

/* ---- the end ---- */

sfm_status sfm_interact_transcript(sfm_interact *session, sfm_release **out, sfm_error *error) {
  *out = NULL;
  sfm_status status = enter(session, error);
  if (status) return status;
  sfmi_session_file_leave(&session->file);
  if (sfmi_private_model_position(session->private_model).released == 0)
    return sfmi_fail(
        error, SFM_INVALID,
        "the session %.300s has released nothing: its public model is 0 everywhere, and there is "
        "nothing to write down; ask it, or wipe it without a transcript (sfm_interact_wipe)",
        session->file.store.database.path);
  status = sfmi_private_model_transcript(session->private_model, out, error);
  if (status) return status;
  sfmi_session_file_note_transcript(&session->file);
  return SFM_OK;
}

sfm_status sfm_interact_wipe(sfm_interact *session, sfm_error *error) {
  return sfmi_session_file_wipe(&session->file, "may lack values", error);
}

sfm_status sfm_interact_discard(const char *path, sfm_error *error) {
  return sfmi_store_discard(SFMI_STORE_INTERACT, path, error);
}
