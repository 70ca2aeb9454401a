/* session_creation.c - making a session file, once under a charge whatever happens: the steps of a
 * run (release_run.h), with these files.
 *
 *   PATH.lock            held from the first look at the files to the end; removed then
 *   PATH.opening         the session, durable but not sealed, hence not to be asked; written once
 *                        rows that the ledger knows to be others have been refused
 *   (ledger: answer)     its identity under the request; or its anchor, where there is no ledger
 *   PATH.opening         sealed
 *   PATH                 a second name, never over something; then the first is taken away
 *
 * STATES under a request, and what repeating it does:
 *
 *   not charged                      from the start
 *   charged, not answered            PATH.opening, if there, is wiped; from the rows on (it is
 *                                    not sealed: nobody has seen anything of it)
 *   answered, PATH.opening is it     seal, rename
 *   answered, PATH is it             done
 *   answered, neither                refused: it was made elsewhere, or is gone; no second draw
 *   PATH.opening is another one's    refused, and nothing is charged
 *
 * Whatever fails or is refused takes PATH.opening back, overwritten, unless the ledger has or may
 * have it as its answer.  What a process that died left is wiped by the next one that looks at PATH
 * or makes a session in its folder, unless the ledger has it (session_cleanup.h).  Without a charge
 * there is no request. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session_creation.h"

#include "base/system/c_locale.h"
#include "base/system/file.h"
#include "freshness.h"
#include "releases/core/release_write.h"
#include "session_cleanup.h"
#include "session_lock.h"

/* Where things are, and the lock. */
typedef struct session_paths {
  const char *path;
  char *opening;
  char *anchor;       /* from the root; NULL: none */
  const char *ledger; /* from the root; NULL: none */
  sfmi_session_lock lock;
} session_paths;

/* One session under way: the owner of its run. */
typedef struct creation {
  session_paths paths;
  const char *anchor; /* as it was stated */
  const sfmi_session_kind *kind;
  bool begun; /* what is at PATH.opening is ours */
  sfmi_session_record record;
  sfmi_stored stored;
} creation;

static void session_paths_clear(session_paths *s) {
  sfmi_session_lock_release(&s->lock);
  free(s->opening);
  free(s->anchor);
}

/* ---- what is there already ---- */

static bool payer_is(const sfmi_payer *p, const session_paths *s, const sfm_charge *charge) {
  return charge && charge->request && strcmp(p->ledger, s->ledger) == 0 &&
         strcmp(p->request, charge->request) == 0 && strcmp(p->dataset, charge->dataset) == 0;
}

/* Whether the file is the session of this very request. */
static bool is_repeated(const session_paths *s, const sfm_charge *charge) {
  sfmi_payer p;
  const bool same = sfmi_payer_read(&p, s->path) && payer_is(&p, s, charge);
  sfmi_payer_clear(&p);
  return same;
}

/* What is still there after sfmi_session_cleanup_locked, and is another request's, may be all there
 * is of what was paid for. */
static sfm_status check_remains(const session_paths *s, const sfm_charge *charge,
                                sfmi_store_verb verb, sfm_error *error) {
  sfmi_payer p;
  sfm_status status = SFM_OK;
  if (sfmi_payer_read(&p, s->opening) && !payer_is(&p, s, charge))
    status = sfmi_fail(error, SFM_INVALID,
                       "cannot create the session %.150s: %.150s was left by the request '%.60s' "
                       "of the dataset '%s', which was charged; repeat that one (charge.request) "
                       "to finish it, or give it up with sfm_%s_discard",
                       s->path, s->opening, p.request, p.dataset,
                       verb == SFMI_STORE_ONLINE ? "online" : "interact");
  sfmi_payer_clear(&p);
  return status;
}

/* Names that files beside a session have, which the next session made there would clear. */
static sfm_status check_name(const char *path, sfm_error *error) {
  static const char *const endings[] = {".opening", ".lock", "-journal"};
  const size_t length = strlen(path);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    const size_t ending = strlen(endings[i]);
    if (length >= ending && strcmp(path + length - ending, endings[i]) == 0)
      return sfmi_fail(error, SFM_INVALID,
                       "cannot create the session %.300s: names that end in %s are for files that "
                       "are removed; name it so that it ends in .sfs",
                       path, endings[i]);
  }
  return SFM_OK;
}

/* An old journal beside the new name would be played back into the new file. */
static sfm_status check_journal(const char *path, sfm_error *error) {
  char *journal = NULL;
  if (sfmi_asprintf(&journal, "%s-journal", path) < 0) return sfmi_fail_memory(error);
  const bool there = sfmi_store_is_there(journal);
  free(journal);
  if (!there) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "cannot create the session %.300s: %.300s-journal is there, left by another "
                   "file of that name; remove it",
                   path, path);
}

/* ---- the anchor ---- */

/* It lies elsewhere than the session and what belongs to it. */
static sfm_status check_apart(const session_paths *s, sfm_error *error) {
  static const char *const endings[] = {"",         "-journal",         ".lock",
                                        ".opening", ".opening-journal", NULL};
  if (!sfmi_file_is_beside(s->anchor, s->path, endings)) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "cannot keep the anchor at %.300s: that is the session's own place; name "
                   "another file, on another disk if there is one",
                   s->anchor);
}

static sfm_status choose_anchor(session_paths *s, const sfmi_session_kind *kind, const char *anchor,
                                sfm_error *error) {
  if (kind->single && !anchor && !s->ledger)
    return sfmi_fail(error, SFM_INVALID,
                     "%s %s session may go on in one copy only: give an anchor, a small file "
                     "elsewhere that records how far the session has got (anchor = FILE), or "
                     "charge the session to "
                     "a ledger, which records it too (context.charge)",
                     strchr("aeiou", kind->name[0]) ? "an" : "a", kind->name);
  if (!anchor) return SFM_OK;
  if (!kind->single)
    return sfmi_fail(error, SFM_INVALID,
                     "copies of a %s session are one function and need no anchor: leave it out",
                     kind->name);
  if (s->ledger)
    return sfmi_fail(error, SFM_INVALID,
                     "the ledger records how far a session has got: leave out the anchor");
  s->anchor = sfmi_file_absolute(anchor);
  if (!s->anchor)
    return sfmi_fail(error, SFM_INVALID, "cannot keep an anchor at %.300s: %s", anchor,
                     sfmi_strerror(errno));
  return check_apart(s, error);
}

/* A file in the anchor's place is good only if it belongs to what a crash left at PATH.opening. */
static sfm_status check_anchor(const session_paths *s, sfm_error *error) {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  if (!s->anchor || !sfmi_store_is_there(s->anchor)) return SFM_OK;
  if (sfmi_session_identity(identity, s->opening) && sfmi_freshness_unused(s->anchor, identity))
    return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "cannot keep the anchor at %.300s: there is a file already; name a new one",
                   s->anchor);
}

/* ---- the steps ---- */

/* Everything about paths that can be wrong, before anything is charged. */
static sfm_status look_around(creation *c, const sfm_charge *charge, sfm_error *error) {
  session_paths *s = &c->paths;
  sfm_status status = check_name(s->path, error);
  if (!status) status = choose_anchor(s, c->kind, c->anchor, error);
  if (!status && sfmi_asprintf(&s->opening, "%s.opening", s->path) < 0)
    status = sfmi_fail_memory(error);
  if (!status) status = sfmi_session_lock_take(&s->lock, s->path, error);
  if (!status) status = sfmi_store_unify(s->path, error);
  if (status) return status;
  sfmi_session_cleanup_locked(s->path);
  sfmi_session_cleanup_folder(s->path);
  if (sfmi_store_is_there(s->path))
    return is_repeated(s, charge)
               ? SFM_OK
               : sfmi_fail(error, SFM_INVALID,
                           "cannot create the session %.300s: there is a file already; name a new "
                           "one",
                           s->path);
  status = check_journal(s->path, error);
  if (!status) status = check_remains(s, charge, c->kind->verb, error);
  return status ? status : check_anchor(s, error);
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  creation *c = run->owner;
  const sfm_status status = c->kind->steps->prepare(run, error);
  return status ? status : look_around(c, run->charge, error);
}

/* The finished file at PATH.opening becomes PATH. */
static sfm_status complete(const session_paths *s, sfm_error *error) {
  sfmi_store store;
  sfm_status status = sfmi_store_open(&store, SFMI_STORE_ONLINE, s->opening, error);
  if (status) return status;
  if (!store.sealed) status = sfmi_store_seal(&store, error);
  sfmi_store_close(&store);
  return status ? status : sfmi_store_place(s->opening, s->path, error);
}

/* Where the session is that this request has made before. */
static sfm_status find_made(const session_paths *s, const uint8_t identity[SFMI_SESSION_IDENTITY],
                            sfm_error *error) {
  uint8_t found[SFMI_SESSION_IDENTITY];
  if (sfmi_session_identity(found, s->path))
    return memcmp(found, identity, sizeof found) == 0
               /* Whoever renamed it may have died before that was durable. */
               ? sfmi_file_sync_folder(s->path, error)
               : sfmi_fail(error, SFM_REFUSED,
                           "the session %.300s is not the one that this request made: a request "
                           "makes only one session",
                           s->path);
  if (sfmi_session_identity(found, s->opening) && memcmp(found, identity, sizeof found) == 0)
    return complete(s, error);
  return sfmi_fail(error, SFM_REFUSED,
                   "this request has made its session, and it is not at %.300s: use it where it "
                   "is, or copy it; a request makes only one session",
                   s->path);
}

static sfm_status recall(sfmi_release_run *run, sfm_error *error) {
  const creation *c = run->owner;
  uint8_t identity[SFMI_SESSION_IDENTITY];
  const sfm_status status = sfmi_identity_read(identity, run->protocol.handle.answer, error);
  return status ? status : find_made(&c->paths, identity, error);
}

/* Wipes what a crash left.  An anchor that was never used goes before the session it belongs to:
 * alone it would be somebody's. */
static sfm_status clear_remains(const session_paths *s, sfm_error *error) {
  sfm_status status = SFM_OK;
  if (s->anchor && sfmi_store_is_there(s->anchor)) status = sfmi_freshness_remove(s->anchor, error);
  return status ? status : sfmi_store_destroy_file(s->opening, error);
}

/* Rows that the ledger knows to be others are refused before anything is written. */
static sfm_status read_rows(sfmi_release_run *run, sfm_error *error) {
  creation *c = run->owner;
  const session_paths *s = &c->paths;
  if (sfmi_store_is_there(s->path))
    return sfmi_fail(error, SFM_IO,
                     "there is a file at %.300s that the ledger does not know of; remove it",
                     s->path);
  sfm_status status = clear_remains(s, error);
  c->begun = !status;
  if (!status) status = c->kind->steps->read(run, error);
  return status ? status
                : sfmi_protocol_accept_rows(run->rows, run->fingerprint, &run->protocol, error);
}

/* What is drawn, as the file takes it. */
static sfm_status make_record(creation *c, const sfm_release *facts, sfm_error *error) {
  const session_paths *s = &c->paths;
  sfmi_new_session *drawn = c->kind->drawn;
  size_t length;
  const sfm_status status = sfmi_release_print(facts, &drawn->facts, &length, error);
  if (status) return status;
  c->record = (sfmi_session_record){.facts = drawn->facts,
                                    .state = drawn->state,
                                    .state_length = drawn->state_length,
                                    .ledger = sfmi_copy_string(s->ledger ? s->ledger : ""),
                                    .anchor = sfmi_copy_string(s->anchor ? s->anchor : "")};
  memcpy(c->record.identity, drawn->identity, sizeof drawn->identity);
  memcpy(c->record.key, drawn->key, sizeof drawn->key);
  explicit_bzero(drawn, sizeof *drawn);
  return c->record.ledger && c->record.anchor ? SFM_OK : sfmi_fail_memory(error);
}

/* Writes PATH.opening, and the anchor that goes with it. */
static sfm_status write_files(const session_paths *s, const sfmi_session_record *record,
                              sfm_error *error) {
  sfmi_store store;
  sfm_status status = sfmi_store_create(s->opening, s->path, record, error);
  if (status || !s->anchor) return status;
  status = sfmi_store_open(&store, SFMI_STORE_ONLINE, s->opening, error);
  if (status) return status;
  status = sfmi_freshness_create(record, &store.first, error);
  sfmi_store_close(&store);
  return status;
}

/* The file, and its identity in the ledger. */
static sfm_status store(sfmi_release_run *run, sfm_error *error) {
  creation *c = run->owner;
  sfm_status status = make_record(c, run->release, error);
  if (!status) status = write_files(&c->paths, &c->record, error);
  if (!status)
    status = sfmi_identity_store(&run->protocol, &c->stored, c->record.identity, run->fingerprint,
                                 error);
  if (!status && c->stored == SFMI_STORED_OTHER)
    status = sfmi_fail(error, SFM_REFUSED,
                       "another process was first with this request, and made its session "
                       "elsewhere: use that one");
  return status;
}

static sfm_status hand_out(sfmi_release_run *run, sfm_error *error) {
  const creation *c = run->owner;
  return complete(&c->paths, error);
}

/* The file that was made, under the one name that is left of its two; NULL: it is not there. */
static const char *made_file(const session_paths *s, const sfmi_session_record *record) {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  if (sfmi_store_is_there(s->opening)) return s->opening;
  return sfmi_session_identity(identity, s->path) &&
                 memcmp(identity, record->identity, sizeof identity) == 0
             ? s->path
             : NULL;
}

/* Takes back what could not be completed; nobody knows of it.  A file that the disk does not let
 * overwrite loses its name at least. */
static void take_back(const session_paths *s, const sfmi_session_record *record) {
  if (s->anchor && sfmi_freshness_unused(s->anchor, record->identity) &&
      sfmi_freshness_remove(s->anchor, NULL) && sfmi_store_is_there(s->anchor))
    return; /* together they can be cleared later */
  if (sfmi_store_has_both_names(s->opening, s->path)) (void)unlink(s->path);
  const char *file = made_file(s, record);
  if (file && sfmi_store_destroy_file(file, NULL)) (void)unlink(file);
}

sfm_status sfmi_session_create(const char *path, const char *anchor, const sfmi_session_kind *kind,
                               sfmi_release_run *run, sfm_error *error) {
  creation c = {.paths = {.path = path, .lock = {.descriptor = -1}},
                .anchor = anchor,
                .kind = kind,
                .stored = SFMI_STORED_NOT};
  const sfmi_release_steps steps = {.prepare = prepare,
                                    .parameters = kind->steps->parameters,
                                    .read = read_rows,
                                    .draw = kind->steps->draw,
                                    .finish = kind->steps->finish,
                                    .recall = recall,
                                    .store = store,
                                    .hand_out = hand_out};
  c.paths.ledger = sfmi_release_run_ledger(run);
  run->steps = &steps;
  run->owner = &c;
  const sfm_status status = sfmi_release_run_all(NULL, run, error);
  /* What the ledger may know is left, to be completed by a repetition. */
  const bool known = run->charge && (c.stored == SFMI_STORED || c.stored == SFMI_STORED_PERHAPS);
  if (status && c.begun && !known) take_back(&c.paths, &c.record);
  sfmi_session_record_clear(&c.record);
  session_paths_clear(&c.paths);
  return status;
}
