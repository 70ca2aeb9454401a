#include "freshness.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/c_locale.h"
#include "base/system/file.h"
#include "base/text/hex.h"

#define FIRST_LINE "sfumato-session-anchor 1\n"
/* More than an anchor has. */
enum { ANCHOR_BYTES = 512 };

typedef struct anchor {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  sfmi_generation generation;
} anchor;

/* ---- the file ---- */

static bool parse(anchor *out, const char *text) {
  char *end;
  const char *at = text + strlen(FIRST_LINE);
  if (strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) != 0) return false;
  if (!sfmi_hex_read(out->identity, sizeof out->identity, &at) || *at++ != '\n') return false;
  if (*at < '0' || *at > '9') return false;
  errno = 0;
  out->generation.number = strtoull(at, &end, 10);
  if (errno || *end != '\n') return false;
  at = end + 1;
  return sfmi_hex_read(out->generation.hash, sizeof out->generation.hash, &at) &&
         strcmp(at, "\n") == 0;
}

static sfm_status write_anchor(const anchor *a, const char *path, sfm_error *error) {
  char identity[2 * sizeof a->identity + 1], hash[2 * sizeof a->generation.hash + 1];
  sfmi_file file;
  sfm_status status = sfmi_file_begin(&file, path, error);
  if (status) return status;
  /* Nobody else turns it back, or holds its lock. */
  if (fchmod(fileno(file.stream), 0600) != 0) {
    const int reason = errno;
    sfmi_file_abandon(&file);
    return sfmi_fail(error, SFM_IO, "cannot write the anchor %.300s: %s", path,
                     sfmi_strerror(reason));
  }
  sfmi_hex_write(identity, a->identity, sizeof a->identity);
  sfmi_hex_write(hash, a->generation.hash, sizeof a->generation.hash);
  sfmi_fprintf(file.stream, FIRST_LINE "%s\n%" PRIu64 "\n%s\n", identity, a->generation.number,
               hash);
  return sfmi_file_commit(&file, error);
}

/* The file that has the name, open and locked; -1 and errno otherwise.  Whoever waited for the lock
 * of a file that was replaced meanwhile tries again with the new one. */
static int lock_anchor(const char *path) {
  for (;;) {
    struct stat named, held;
    int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return -1;
    int failed;
    do failed = flock(descriptor, LOCK_EX);
    while (failed && errno == EINTR);
    failed = failed || fstat(descriptor, &held) != 0 || stat(path, &named) != 0;
    if (!failed && named.st_ino == held.st_ino && named.st_dev == held.st_dev) return descriptor;
    const int reason = errno;
    close(descriptor);
    errno = reason;
    if (failed && errno != ENOENT) return -1;
  }
}

static sfm_status read_anchor(anchor *out, int descriptor, const char *path, sfm_error *error) {
  char text[ANCHOR_BYTES];
  const ssize_t got = pread(descriptor, text, sizeof text - 1, 0);
  if (got < 0)
    return sfmi_fail(error, SFM_IO, "cannot read the anchor %.300s: %s", path,
                     sfmi_strerror(errno));
  text[got] = '\0';
  if (strlen(text) == (size_t)got && parse(out, text)) return SFM_OK;
  return sfmi_fail(error, SFM_REFUSED, "%.300s is not the anchor of a session", path);
}

/* ---- making one ---- */

sfm_status sfmi_freshness_create(const sfmi_session_record *record, const sfmi_generation *first,
                                 sfm_error *error) {
  anchor a = {.generation = *first};
  char *beside = NULL;
  if (sfmi_asprintf(&beside, "%s.opening", record->anchor) < 0) return sfmi_fail_memory(error);
  memcpy(a.identity, record->identity, sizeof a.identity);
  sfm_status status = write_anchor(&a, beside, error);
  if (!status) {
    status = sfmi_file_place(beside, record->anchor, "anchor", error);
    if (status) (void)unlink(beside);
  }
  free(beside);
  return status;
}

bool sfmi_freshness_unused(const char *path, const uint8_t identity[SFMI_SESSION_IDENTITY]) {
  anchor a;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool good = !read_anchor(&a, descriptor, path, NULL) && a.generation.number == 0 &&
                    memcmp(a.identity, identity, sizeof a.identity) == 0;
  close(descriptor);
  return good;
}

sfm_status sfmi_freshness_remove(const char *path, sfm_error *error) {
  if (unlink(path) != 0)
    return sfmi_fail(error, SFM_IO, "cannot remove the unused anchor %.300s: %s", path,
                     sfmi_strerror(errno));
  return sfmi_file_sync_folder(path, error);
}

/* ---- following ---- */

sfm_status sfmi_freshness_open(sfmi_freshness *freshness, const sfmi_session_record *record,
                               const char *path, const char *verb, const char *dataset,
                               const char *request, sfm_error *error) {
  *freshness =
      (sfmi_freshness){.record = record, .path = path, .verb = verb, .durable = UINT64_MAX};
  if (!*record->ledger) return SFM_OK;
  if (access(record->ledger, F_OK) != 0 && errno == ENOENT)
    return sfmi_fail(error, SFM_REFUSED,
                     "the ledger %.300s that this session was charged to is not there: without it "
                     "nobody can tell whether the session is an older copy; put it back",
                     record->ledger);
  return sfmi_session_request_open(&freshness->session_request, record->ledger, dataset, request,
                                   record->identity, error);
}

void sfmi_freshness_close(sfmi_freshness *freshness) {
  sfmi_session_request_close(freshness->session_request);
  *freshness = (sfmi_freshness){0};
}

/* One of the two is behind the other, or they have different pasts. */
static sfm_status fail_older(const sfmi_freshness *freshness, const sfmi_generation *last,
                             const sfmi_generation *known, sfm_error *error) {
  const char *where =
      freshness->session_request ? freshness->record->ledger : freshness->record->anchor;
  if (known->number + 1 < last->number)
    return sfmi_fail(error, SFM_REFUSED,
                     "%.300s knows the session %.250s up to generation %llu, and it is at %llu: "
                     "then the %s is an older copy; put back the newest",
                     where, freshness->path, (unsigned long long)known->number,
                     (unsigned long long)last->number,
                     freshness->session_request ? "ledger" : "anchor");
  return sfmi_fail(
      error, SFM_REFUSED,
      "the session %.250s is an older copy: a newer copy has answered since (generation %llu, as "
      "%.250s knows; this one is at %llu): use that one, and discard this one with sfm_%s_discard",
      freshness->path, (unsigned long long)known->number, where, (unsigned long long)last->number,
      freshness->verb);
}

/* With the anchor locked. */
static sfm_status follow_anchor(sfmi_freshness *freshness, anchor *a, const sfmi_generation *before,
                                const sfmi_generation *last, sfm_error *error) {
  const char *path = freshness->record->anchor;
  if (memcmp(a->identity, freshness->record->identity, sizeof a->identity) != 0)
    return sfmi_fail(error, SFM_REFUSED, "the anchor %.300s belongs to another session", path);
  if (sfmi_generation_same(&a->generation, last))
    /* Whoever wrote that may have died before the folder was synced. */
    return freshness->durable == last->number ? SFM_OK : sfmi_file_sync_folder(path, error);
  if (last->number == 0 || !sfmi_generation_same(&a->generation, before))
    return fail_older(freshness, last, &a->generation, error);
  a->generation = *last;
  return write_anchor(a, path, error);
}

static sfm_status follow_file(sfmi_freshness *freshness, const sfmi_generation *before,
                              const sfmi_generation *last, sfm_error *error) {
  const char *path = freshness->record->anchor;
  anchor a;
  int descriptor = lock_anchor(path);
  if (descriptor < 0)
    return sfmi_fail(error, errno == ENOENT ? SFM_REFUSED : SFM_IO,
                     "the anchor %.300s of this session cannot be opened and locked (%s): without "
                     "it nobody can tell whether the session is an older copy; put it back",
                     path, sfmi_strerror(errno));
  sfm_status status = read_anchor(&a, descriptor, path, error);
  if (!status) status = follow_anchor(freshness, &a, before, last, error);
  close(descriptor);
  return status;
}

/* A ledger does not know the hash of generation 0, but whose session it is. */
static bool knows(const sfmi_generation *known, const sfmi_generation *wanted) {
  return known->number == 0 ? wanted->number == 0 : sfmi_generation_same(known, wanted);
}

static sfm_status follow_ledger(sfmi_freshness *freshness, const sfmi_generation *before,
                                const sfmi_generation *last, sfm_error *error) {
  sfmi_generation known;
  sfm_status status = sfmi_session_request_generation(freshness->session_request, &known, error);
  if (status || knows(&known, last)) return status;
  if (last->number == 0 || !knows(&known, before))
    return fail_older(freshness, last, &known, error);
  status = sfmi_session_request_raise(freshness->session_request, before, last, error);
  if (status != SFM_REFUSED) return status;
  /* A copy in the same state was faster: then it is known now, else another one has gone on. */
  status = sfmi_session_request_generation(freshness->session_request, &known, error);
  return status || knows(&known, last) ? status : fail_older(freshness, last, &known, error);
}

sfm_status sfmi_freshness_follow(sfmi_freshness *freshness, const sfmi_generation *before,
                                 const sfmi_generation *last, sfm_error *error) {
  sfm_status status = freshness->session_request ? follow_ledger(freshness, before, last, error)
                                                 : follow_file(freshness, before, last, error);
  freshness->durable = status ? UINT64_MAX : last->number;
  return status;
}
