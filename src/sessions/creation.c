/* creation.c - making a session file, once under a charge whatever happens.
 *
 *   PATH.lock            held from the first look at the files to the end; removed then
 *   PATH.opening         the session, durable but not sealed, hence not to be asked
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
 * Without a charge there is no request, and what a crash leaves is wiped by the next one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sessions/creation.h"

#include "base/c_locale.h"
#include "base/file.h"
#include "sessions/witness.h"

/* Where things are, and the lock. */
typedef struct scene {
  const char *path;
  char *opening, *lock;
  char *anchor; /* from the root; NULL: none */
  int descriptor;
} scene;

static void scene_clear(scene *s) {
  if (s->descriptor >= 0) {
    (void)unlink(s->lock);
    close(s->descriptor);
  }
  free(s->opening);
  free(s->lock);
  free(s->anchor);
}

/* ---- what is there already ---- */

static bool is_there(const char *path) {
  struct stat facts;
  return lstat(path, &facts) == 0;
}

/* Takes PATH.lock, or says who has it.  A lock counts once it is on the file that has the name. */
static sfm_status take_lock(scene *s, sfm_error *error) {
  for (;;) {
    struct stat named, held;
    int descriptor = open(s->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0)
      return sfmi_fail(error, SFM_INVALID, "cannot create the session %.300s: %s", s->path,
                       sfmi_strerror(errno));
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      close(descriptor);
      return sfmi_fail(error, SFM_IO, "cannot create the session %.300s: %s", s->path,
                       reason == EWOULDBLOCK ? "another process is making it; try again later"
                                             : sfmi_strerror(reason));
    }
    const bool counts = fstat(descriptor, &held) == 0 && stat(s->lock, &named) == 0 &&
                        held.st_ino == named.st_ino && held.st_dev == named.st_dev;
    if (counts && held.st_size == 0) {
      s->descriptor = descriptor;
      return SFM_OK;
    }
    close(descriptor);
    if (counts) /* it would be removed in the end */
      return sfmi_fail(error, SFM_INVALID,
                       "cannot create the session %.300s: %.300s is something else than its lock; "
                       "give the session another name",
                       s->path, s->lock);
  }
}

/* The identity of the session at path; false when there is none that can be read. */
static bool identity_at(uint8_t identity[SFMI_SESSION_IDENTITY], const char *path) {
  sfmi_store store;
  if (!is_there(path) || sfmi_store_open(&store, SFMI_STORE_ONLINE, path, NULL) != SFM_OK)
    return false;
  memcpy(identity, store.founding.identity, SFMI_SESSION_IDENTITY);
  sfmi_store_close(&store);
  return true;
}

/* The request that paid for a session, as it says itself. */
typedef struct payer {
  char *ledger;
  sfm_release *facts;
} payer;

static void payer_clear(payer *p) {
  sfm_release_destroy(p->facts);
  free(p->ledger);
}

/* False when the session at path names none, or cannot be read.  Clear it in any case. */
static bool payer_at(payer *p, const char *path) {
  sfmi_store store;
  *p = (payer){0};
  if (!is_there(path) || sfmi_store_open(&store, SFMI_STORE_ONLINE, path, NULL) != SFM_OK)
    return false;
  const char *text = store.founding.facts;
  p->ledger = sfmi_copy_string(store.founding.ledger);
  sfm_status status = sfm_release_parse(&p->facts, text, strlen(text), path, NULL);
  sfmi_store_close(&store);
  return !status && p->ledger && *p->ledger && sfm_release_request(p->facts);
}

static bool payer_is(const payer *p, const sfmi_founder *founder) {
  const sfm_charge *charge = founder->charge;
  return charge && charge->request && strcmp(p->ledger, founder->ledger) == 0 &&
         strcmp(sfm_release_request(p->facts), charge->request) == 0 &&
         strcmp(sfm_release_dataset(p->facts), charge->dataset) == 0;
}

/* Whether the file at path is the session of this very request. */
static bool is_repeated(const char *path, const sfmi_founder *founder) {
  payer p;
  const bool same = payer_at(&p, path) && payer_is(&p, founder);
  payer_clear(&p);
  return same;
}

/* What a crash left of another request may be all there is of what was paid for: it is not wiped.
 */
static sfm_status check_remains(const scene *s, const sfmi_founder *founder, sfm_error *error) {
  payer p;
  sfm_status status = SFM_OK;
  if (payer_at(&p, s->opening) && !payer_is(&p, founder))
    status =
        sfmi_fail(error, SFM_INVALID,
                  "cannot create the session %.150s: %.150s was left by the request '%.60s' "
                  "of the dataset '%s', which was charged; repeat that one (--request) to "
                  "finish it, or give it up (`sfumato %s close %.150s --discard`)",
                  s->path, s->opening, sfm_release_request(p.facts), sfm_release_dataset(p.facts),
                  founder->verb == SFMI_STORE_ONLINE ? "online" : "interact", s->opening);
  payer_clear(&p);
  return status;
}

/* An old journal beside the new name would be played back into the new file. */
static sfm_status check_journal(const char *path, sfm_error *error) {
  char *journal = NULL;
  if (sfmi_asprintf(&journal, "%s-journal", path) < 0) return sfmi_fail_memory(error);
  const bool there = is_there(journal);
  free(journal);
  if (!there) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "cannot create the session %.300s: %.300s-journal is there, left by another "
                   "file of that name; remove it",
                   path, path);
}

/* ---- the anchor ---- */

/* It lies elsewhere than the session and what belongs to it. */
static sfm_status check_apart(const scene *s, sfm_error *error) {
  static const char *const endings[] = {"", "-journal", ".lock", ".opening", ".opening-journal"};
  char *session = sfmi_file_absolute(s->path);
  if (!session) return SFM_OK; /* making it will say what is wrong */
  const size_t length = strlen(session);
  bool apart = true;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (strncmp(s->anchor, session, length) == 0 && strcmp(s->anchor + length, endings[i]) == 0)
      apart = false;
  free(session);
  if (apart) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "cannot keep the anchor at %.300s: that is the session's own place; name "
                   "another file, on another disk if there is one",
                   s->anchor);
}

static sfm_status choose_anchor(scene *s, const sfmi_founder *founder, const char *anchor,
                                sfm_error *error) {
  if (founder->single && !anchor && !founder->charge)
    return sfmi_fail(error, SFM_INVALID,
                     "%s %s session must not go on in two copies: give an anchor, a small file "
                     "elsewhere that knows how far it has got (--anchor FILE), or charge it to a "
                     "ledger, which then knows (--ledger)",
                     strchr("aeiou", founder->name[0]) ? "an" : "a", founder->name);
  if (!anchor) return SFM_OK;
  if (!founder->single)
    return sfmi_fail(error, SFM_INVALID,
                     "copies of a %s session are one function and need no anchor: leave it out",
                     founder->name);
  if (founder->charge)
    return sfmi_fail(error, SFM_INVALID,
                     "the ledger knows how far a session has got: leave out the anchor");
  s->anchor = sfmi_file_absolute(anchor);
  if (!s->anchor)
    return sfmi_fail(error, SFM_INVALID, "cannot keep an anchor at %.300s: %s", anchor,
                     sfmi_strerror(errno));
  return check_apart(s, error);
}

/* A file in the anchor's place is good only if it belongs to what a crash left at PATH.opening. */
static sfm_status check_anchor(const scene *s, sfm_error *error) {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  if (!s->anchor || !is_there(s->anchor)) return SFM_OK;
  if (identity_at(identity, s->opening) && sfmi_witness_unused(s->anchor, identity)) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "cannot keep the anchor at %.300s: there is a file already; name a new one",
                   s->anchor);
}

/* ---- the steps ---- */

/* Everything about paths that can be wrong, before anything is charged. */
static sfm_status look_around(scene *s, const sfmi_founder *founder, const char *anchor,
                              sfm_error *error) {
  sfm_status status = choose_anchor(s, founder, anchor, error);
  if (!status && (sfmi_asprintf(&s->opening, "%s.opening", s->path) < 0 ||
                  sfmi_asprintf(&s->lock, "%s.lock", s->path) < 0))
    status = sfmi_fail_memory(error);
  if (!status) status = take_lock(s, error);
  if (!status) status = sfmi_store_unify(s->path, error);
  if (status) return status;
  if (is_there(s->path))
    return is_repeated(s->path, founder)
               ? SFM_OK
               : sfmi_fail(error, SFM_INVALID,
                           "cannot create the session %.300s: there is a file already; name a new "
                           "one",
                           s->path);
  status = check_journal(s->path, error);
  if (!status) status = check_remains(s, founder, error);
  return status ? status : check_anchor(s, error);
}

/* The finished file at PATH.opening becomes PATH. */
static sfm_status complete(const scene *s, sfm_error *error) {
  sfmi_store store;
  sfm_status status = sfmi_store_open(&store, SFMI_STORE_ONLINE, s->opening, error);
  if (status) return status;
  if (!store.sealed) status = sfmi_store_seal(&store, error);
  sfmi_store_close(&store);
  return status ? status : sfmi_store_place(s->opening, s->path, error);
}

/* This request has made a session before. */
static sfm_status find_made(const scene *s, const uint8_t identity[SFMI_SESSION_IDENTITY],
                            sfm_error *error) {
  uint8_t found[SFMI_SESSION_IDENTITY];
  if (identity_at(found, s->path))
    return memcmp(found, identity, sizeof found) == 0
               /* Whoever renamed it may have died before that was durable. */
               ? sfmi_file_sync_folder(s->path, error)
               : sfmi_fail(error, SFM_REFUSED,
                           "the session %.300s is not the one that this request made: there was "
                           "another, and a request makes one only",
                           s->path);
  if (identity_at(found, s->opening) && memcmp(found, identity, sizeof found) == 0)
    return complete(s, error);
  return sfmi_fail(error, SFM_REFUSED,
                   "this request has made its session, and it is not at %.300s: use it where it "
                   "is, or copy it; a request makes one only",
                   s->path);
}

/* An anchor that was never used, before the session it belongs to: alone it would be somebody's. */
static sfm_status remove_anchor(const scene *s, sfm_error *error) {
  if (unlink(s->anchor) != 0)
    return sfmi_fail(error, SFM_IO, "cannot remove the unused anchor %.300s: %s", s->anchor,
                     sfmi_strerror(errno));
  return sfmi_file_sync_folder(s->anchor, error);
}

/* Wipes what a crash left. */
static sfm_status clear_remains(const scene *s, sfm_error *error) {
  sfm_status status = SFM_OK;
  if (s->anchor && is_there(s->anchor)) status = remove_anchor(s, error);
  return status ? status : sfmi_store_destroy_file(s->opening, error);
}

/* What is drawn, as the file takes it. */
static sfm_status found(sfmi_founding *founding, const scene *s, const sfmi_founder *founder,
                        sfmi_drawn *drawn, sfm_error *error) {
  const char *ledger = founder->ledger;
  *founding = (sfmi_founding){.facts = drawn->facts,
                              .state = drawn->state,
                              .state_length = drawn->state_length,
                              .ledger = sfmi_copy_string(ledger ? ledger : ""),
                              .anchor = sfmi_copy_string(s->anchor ? s->anchor : "")};
  memcpy(founding->identity, drawn->identity, sizeof founding->identity);
  memcpy(founding->key, drawn->key, sizeof founding->key);
  explicit_bzero(drawn, sizeof *drawn);
  return founding->ledger && founding->anchor ? SFM_OK : sfmi_fail_memory(error);
}

/* Writes PATH.opening, and the anchor that goes with it. */
static sfm_status write_files(const scene *s, const sfmi_founding *founding, sfm_error *error) {
  sfmi_store store;
  sfm_status status = sfmi_store_make(s->opening, s->path, founding, error);
  if (status || !s->anchor) return status;
  status = sfmi_store_open(&store, SFMI_STORE_ONLINE, s->opening, error);
  if (status) return status;
  status = sfmi_witness_make(founding, &store.first, error);
  sfmi_store_close(&store);
  return status;
}

/* Takes back what could not be completed; nobody knows of it. */
static void take_back(const scene *s, const sfmi_founding *founding) {
  if (s->anchor && sfmi_witness_unused(s->anchor, founding->identity) && remove_anchor(s, NULL))
    return; /* together they can be cleared later */
  (void)!sfmi_store_destroy_file(s->opening, NULL);
}

/* Rows are read from here on. */
static sfm_status make(const scene *s, const sfmi_founder *founder, sfm_error *error) {
  sfmi_drawn drawn;
  sfmi_founding founding = {0};
  bool mine = false;
  sfm_status status = clear_remains(s, error);
  if (status) return status;
  status = founder->draw(founder->opening, &drawn, error);
  sfm_status kept = found(&founding, s, founder, &drawn, status ? NULL : error);
  if (!status) status = kept;
  if (!status) status = write_files(s, &founding, error);
  if (status) {
    take_back(s, &founding);
  } else {
    /* From here on the ledger may know it: what fails leaves it, to be completed by a repetition.
     */
    status = founder->store(founder->opening, &mine, founding.identity, error);
    if (!status && mine) status = complete(s, error);
    if (!status && !mine) {
      take_back(s, &founding);
      status = sfmi_fail(error, SFM_REFUSED,
                         "another process was first with this request, and made its session "
                         "elsewhere: use that one");
    }
  }
  sfmi_founding_clear(&founding);
  return status;
}

sfm_status sfmi_session_create(const char *path, const sfmi_founder *founder, const char *anchor,
                               sfm_error *error) {
  scene s = {.path = path, .descriptor = -1};
  uint8_t identity[SFMI_SESSION_IDENTITY];
  bool made = false;
  sfm_status status = look_around(&s, founder, anchor, error);
  if (!status) status = founder->pay(founder->opening, &made, identity, error);
  if (!status && !made && is_there(path))
    status =
        sfmi_fail(error, SFM_IO,
                  "there is a file at %.300s that the ledger does not know of; remove it", path);
  else if (!status)
    status = made ? find_made(&s, identity, error) : make(&s, founder, error);
  scene_clear(&s);
  return status;
}
