/* online.c - asking a session.
 *
 * INVARIANTS OF A SESSION FILE
 *
 *  1. It is one random function, drawn when the file was made: online_function.h.  Everything but
 *     the answers is written then and never changed.
 *  2. Batches of answers are numbered 1, 2, ... without a gap, never changed and never removed, and
 *     chained by keyed hashes (session_store.h).
 *  3. A point has one answer: what is in the file is looked up, and only what is not is drawn.
 *     That is decided under the write lock, with all batches read that others have written.
 *  4. An answer is on the disk before sfm_online_ask returns, whoever wrote it.
 *  5. Of a gram session, besides, the freshness record (freshness.h) durably knows its generation
 *     before sfm_online_ask returns.  The freshness record moves from a generation to the next one
 *     only, and is never more than one batch behind the file that it follows.
 *
 * ONE ASK
 *
 *   lock the file        BEGIN IMMEDIATE
 *   catch up             batches of others -> answers; what they wrote is made durable
 *   follow (gram)        freshness = last: good.  = before: raised to last (whoever wrote it died
 *                        in between, or is about to follow).  Else: an older copy, refused
 *   draw, add, COMMIT    durable, but of a gram session not yet valid
 *   lock, catch up, follow (gram) again
 *   show
 *
 * A crash before COMMIT leaves nothing; between COMMIT and follow, a batch that nobody has seen and
 * that the next one to lock makes valid.  Two copies of a gram session at one generation can both
 * reach COMMIT; the freshness record follows one of them, and the other is refused from then on,
 * with its batch that nobody has seen.  (Batches need no nonce here, as those of interact.c do: all
 * that an ask shows is in its batch, point by point, so that two copies with the same batch show
 * the same.) */
#include <math.h>
#include <stdlib.h>

#include "answers.h"
#include "base/system/sized_struct.h"
#include "mechanisms/sessions/online_creation.h"
#include "session_creation.h"
#include "session_file.h"
#include "sfumato/online.h"

/* Points that are drawn and written at once, at most. */
enum { CHUNK = 1 << 16 };

/* Invariants, outside a call:
 *  1. answers holds the batches of the file up to the last one, in order, and nothing else; so does
 *     the function, whose draws they are.
 *  2. nothing that is in answers was shown before it was durable: see sfm_online_ask. */
struct sfm_online {
  sfmi_session_file file;
  sfmi_online_function *function;
  sfmi_answers answers; /* values in records */
};

/* ---- making ---- */

sfm_status sfm_online_create(const char *path, sfm_rows *rows, const sfm_density_settings *given,
                             const char *anchor, sfm_error *error) {
  sfm_density_settings taken;
  sfm_status status = SFMI_TAKE(sfm_density_settings, &taken, given, error);
  if (status) return status;
  sfmi_online_creation creation;
  status = sfmi_online_creation_init(&creation, rows, &taken, error);
  const sfm_engine engine = creation.settings.engine;
  const sfmi_session_kind kind = {.verb = SFMI_STORE_ONLINE,
                                  .single = engine == SFM_ENGINE_GRAM,
                                  .name = sfm_engine_name(engine),
                                  .steps = &sfmi_online_creation_steps,
                                  .drawn = &creation.drawn};
  if (!status) status = sfmi_session_create(path, anchor, &kind, &creation.run.base, error);
  sfmi_online_creation_clear(&creation);
  return status;
}

/* ---- opening ---- */

/* The bytes of a batch of count answers: points, a value each, latents of each. */
typedef struct layout {
  size_t points, answers, latents;
} layout;

static layout layout_of(const sfm_online *session, size_t count) {
  const size_t d = session->answers.dimension,
               latents = sfmi_online_function_latents(session->function);
  return (layout){count * d * sizeof(double), count * sizeof(double),
                  count * latents * sizeof(double)};
}

/* A point of the domain as it is stored, and a number. */
static bool answer_fits(const sfm_release *facts, const double *point, double value) {
  for (size_t a = 0; a < facts->dimension; a++)
    if (!(point[a] >= facts->lower[a] && point[a] <= facts->upper[a]) ||
        (point[a] == 0 && signbit(point[a])))
      return false;
  return isfinite(value);
}

static sfm_status take_answers(sfm_online *session, const double *points, const double *values,
                               size_t count, sfm_error *error) {
  const size_t d = session->answers.dimension;
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < count && !status; i++) {
    const double *point = points + i * d;
    if (!answer_fits(sfmi_online_function_facts(session->function), point, values[i]))
      status = sfmi_database_fail_damaged(&session->file.store.database,
                                          "it holds answers that no session gives", error);
    else if (sfmi_answers_find(&session->answers, point) != SFMI_ANSWER_NONE)
      status = sfmi_database_fail_damaged(&session->file.store.database,
                                          "one point has two answers", error);
    else
      status = sfmi_answers_add(&session->answers, point, values[i], error);
  }
  return status;
}

static sfm_status take_batch(void *context, const sfmi_store_batch *batch, sfm_error *error) {
  sfm_online *session = context;
  const size_t first = session->answers.count, count = batch->answers.size / sizeof(double);
  const layout wanted = layout_of(session, count);
  if (count == 0 || batch->points.size != wanted.points || batch->answers.size != wanted.answers ||
      batch->latents.size != wanted.latents)
    return sfmi_database_fail_damaged(&session->file.store.database,
                                      "its answers are not what was written", error);
  sfm_status status = take_answers(session, batch->points.at, batch->answers.at, count, error);
  if (!status)
    status = sfmi_online_function_restore(session->function, batch->points.at, batch->latents.at,
                                          count, error);
  if (status == SFM_FORMAT)
    status = sfmi_database_fail_damaged(&session->file.store.database,
                                        "it holds answers that no session gives", error);
  if (status) sfmi_answers_truncate(&session->answers, first);
  return status;
}

/* Locks the file and takes in what others wrote. */
static sfm_status enter(sfm_online *session, sfm_error *error) {
  return sfmi_session_file_enter(&session->file, take_batch, session, error);
}

static sfm_status load_function(sfm_online *session, sfm_error *error) {
  sfmi_session_file *file = &session->file;
  const sfmi_session_record *record = &file->store.record;
  sfm_status status =
      sfmi_online_function_load(&session->function, record->facts, record->state,
                                record->state_length, file->store.database.path, error);
  sfmi_session_file_wipe_state(file);
  if (status) return status;
  const sfm_release *facts = sfmi_online_function_facts(session->function);
  sfmi_answers_init(&session->answers, facts->dimension);
  return sfmi_session_file_start(file, facts, sfmi_online_function_single(session->function),
                                 "online", error);
}

sfm_status sfm_online_open(sfm_online **out, const char *path, sfm_error *error) {
  *out = NULL;
  sfm_online *session = sfmi_alloc(1, sizeof *session);
  if (!session) return sfmi_fail_memory(error);
  sfm_status status = sfmi_session_file_open(&session->file, SFMI_STORE_ONLINE, path, error);
  if (!status) status = load_function(session, error);
  if (!status && sfmi_online_function_stored(session->function)) {
    status = enter(session, error);
    if (!status) sfmi_session_file_leave(&session->file);
  } else if (!status) {
    status = sfmi_database_settle(&session->file.store.database, error);
  }
  if (!status)
    *out = session;
  else
    sfm_online_close(session);
  return status;
}

void sfm_online_close(sfm_online *session) {
  if (!session) return;
  sfmi_answers_clear(&session->answers);
  sfmi_online_function_destroy(session->function);
  sfmi_session_file_close(&session->file);
  free(session);
}

/* ---- asking ---- */

static sfm_status check_points(const sfm_online *session, const double *points, size_t count,
                               sfm_error *error) {
  const sfm_release *facts = sfmi_online_function_facts(session->function);
  const size_t d = facts->dimension;
  for (size_t i = 0; i < count * d; i++) {
    const size_t a = i % d;
    if (points[i] >= facts->lower[a] && points[i] <= facts->upper[a]) continue;
    return sfmi_fail(error, SFM_INVALID,
                     "point %zu is outside the domain: its %s is %g, and must be from %g to %g; "
                     "nothing was answered",
                     i / d + 1, facts->columns[a], points[i], facts->lower[a], facts->upper[a]);
  }
  return SFM_OK;
}

/* What one call asks for. */
typedef struct question {
  const double *points; /* count x dimension */
  size_t count;
  size_t *places; /* of each point among the answers */
  size_t known;   /* answers there were before */
} question;

/* Finds each point among the answers; new ones are put at their end, still without a value. */
static sfm_status find_points(sfm_online *session, question *q, sfm_error *error) {
  sfmi_answers *answers = &session->answers;
  double point[SFM_MAX_DIMENSION];
  const size_t d = answers->dimension;
  sfm_status status = SFM_OK;
  q->known = answers->count;
  for (size_t i = 0; i < q->count && !status; i++) {
    for (size_t a = 0; a < d; a++) point[a] = sfmi_point_normal(q->points[i * d + a]);
    q->places[i] = sfmi_answers_find(answers, point);
    if (q->places[i] != SFMI_ANSWER_NONE) continue;
    q->places[i] = answers->count;
    status = sfmi_answers_add(answers, point, NAN, error);
  }
  return status;
}

static sfm_status check_room(const sfm_online *session, size_t known, sfm_error *error) {
  const size_t most = sfmi_online_function_most(session->function);
  if (session->answers.count <= most) return SFM_OK;
  return sfmi_fail(
      error, SFM_INVALID,
      "a gram session answers at most %zu questions; this one has answered %zu, and %zu "
      "more were asked at once. Nothing was answered",
      most, known, session->answers.count - known);
}

/* Draws the new points and adds them to the file, durably. */
static sfm_status add_batch(sfm_online *session, size_t known, sfm_error *error) {
  sfmi_answers *answers = &session->answers;
  const size_t count = answers->count - known;
  const double *points = answers->points + known * answers->dimension;
  double *values = answers->values + known;
  double *latents = sfmi_alloc(count, sizeof *latents);
  sfm_status status = latents ? check_room(session, known, error) : sfmi_fail_memory(error);
  if (!status)
    status = sfmi_online_function_draw(session->function, values, latents, points, count, error);
  if (!status) {
    const layout size = layout_of(session, count);
    const sfmi_store_batch batch = {
        {points, size.points}, {values, size.answers}, {latents, size.latents}};
    status = sfmi_session_file_add(&session->file, &batch, error);
  }
  sfmi_wipe_free(latents, count, sizeof *latents);
  return status;
}

/* As if the new points had never been asked.  (Should they be in the file all the same, they will
 * be read from there.) */
static void undo(sfm_online *session, const question *q) {
  sfmi_answers_truncate(&session->answers, q->known);
  sfmi_online_function_forget(session->function, q->known);
}

static sfm_status answer_stored(sfm_online *session, question *q, sfm_error *error) {
  sfm_status status = enter(session, error);
  if (status) return status;
  status = find_points(session, q, error);
  const bool new = session->answers.count > q->known;
  if (!status && new) status = add_batch(session, q->known, error);
  sfmi_session_file_leave(&session->file);
  if (status) {
    undo(session, q);
    return status;
  }
  if (!new || !sfmi_online_function_single(session->function)) return SFM_OK;
  status = enter(session, error);
  if (!status) sfmi_session_file_leave(&session->file);
  return status;
}

/* At most CHUNK points. */
static sfm_status ask_some(sfm_online *session, double *values, const double *points, size_t count,
                           sfm_error *error) {
  const double unit = sfmi_online_function_unit(session->function);
  question q = {.points = points, .count = count, .places = sfmi_alloc(count, sizeof *q.places)};
  sfm_status status = q.places ? answer_stored(session, &q, error) : sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < count; i++)
    values[i] = session->answers.values[q.places[i]] * unit;
  free(q.places);
  return status;
}

sfm_status sfm_online_ask(sfm_online *session, double *values, const double *points, size_t count,
                          sfm_error *error) {
  const size_t d = sfmi_online_function_facts(session->function)->dimension;
  sfm_status status = check_points(session, points, count, error);
  if (status) return status;
  if (!sfmi_online_function_stored(session->function))
    return sfmi_online_function_evaluate(session->function, values, points, count, error);
  for (size_t done = 0; !status && done < count; done += CHUNK) {
    const size_t some = count - done < CHUNK ? count - done : CHUNK;
    status = ask_some(session, values + done, points + done * d, some, error);
  }
  return status;
}

/* ---- what is public ---- */

sfm_online_facts sfm_online_about(const sfm_online *session) {
  const sfm_release *facts = sfmi_online_function_facts(session->function);
  return (sfm_online_facts){.engine = facts->function->engine,
                            .kernel = facts->function->kernel,
                            .dimension = facts->dimension,
                            .answers = session->answers.count,
                            .work = sfmi_online_function_work(session->function),
                            .bytes = sfmi_online_function_bytes(session->function)};
}

sfm_guarantee sfm_online_guarantee(const sfm_online *session) {
  return sfm_release_guarantee(sfmi_online_function_facts(session->function));
}

const char *sfm_online_sentence(const sfm_online *session) {
  return sfm_release_sentence(sfmi_online_function_facts(session->function));
}

const char *sfm_online_ledger(const sfm_online *session) {
  return sfmi_session_file_ledger(&session->file);
}

const char *sfm_online_anchor(const sfm_online *session) {
  return sfmi_session_file_anchor(&session->file);
}

const char *sfm_online_column(const sfm_online *session, size_t i) {
  return sfm_release_column(sfmi_online_function_facts(session->function), i);
}

void sfm_online_bounds(const sfm_online *session, double *lower, double *upper, size_t i) {
  sfm_release_bounds(sfmi_online_function_facts(session->function), lower, upper, i);
}

/* ---- the end ---- */

sfm_status sfm_online_transcript(sfm_online *session, sfm_release **out, sfm_error *error) {
  *out = NULL;
  const sfmi_answers *answers = &session->answers;
  sfm_status status = SFM_OK;
  if (sfmi_online_function_stored(session->function)) {
    status = enter(session, error);
    if (!status) sfmi_session_file_leave(&session->file);
    if (!status && answers->count == 0)
      status = sfmi_fail(error, SFM_INVALID,
                         "the session %.300s was never asked anything: there is nothing to write "
                         "down; ask it, or wipe it without a transcript (sfm_online_wipe)",
                         session->file.store.database.path);
    if (!status && answers->count > SFMI_RELEASE_MAX)
      status = sfmi_fail(error, SFM_INVALID,
                         "%zu answers are too many for one release, which has at most %zu",
                         answers->count, SFMI_RELEASE_MAX);
  }
  if (!status)
    status = sfmi_online_function_transcript(session->function, out, answers->points,
                                             answers->values, answers->count, error);
  if (status) return status;
  sfmi_session_file_note_transcript(&session->file);
  return SFM_OK;
}

sfm_status sfm_online_wipe(sfm_online *session, sfm_error *error) {
  return sfmi_session_file_wipe(&session->file, "lacks those answers", error);
}

sfm_status sfm_online_discard(const char *path, sfm_error *error) {
  return sfmi_store_discard(SFMI_STORE_ONLINE, path, error);
}
