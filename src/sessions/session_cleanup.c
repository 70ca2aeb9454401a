#include "session_cleanup.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/c_locale.h"
#include "mechanisms/sessions/session_request.h"
#include "releases/core/release_data.h"
#include "freshness.h"
#include "session_lock.h"

#define ENDING ".opening"

/* ---- what a session says of itself ---- */

bool sfmi_session_identity(uint8_t identity[SFMI_SESSION_IDENTITY], const char *path) {
  sfmi_store store;
  if (!sfmi_store_is_there(path) || sfmi_store_open(&store, SFMI_STORE_ONLINE, path, NULL))
    return false;
  memcpy(identity, store.record.identity, SFMI_SESSION_IDENTITY);
  sfmi_store_close(&store);
  return true;
}

/* Of an open one. */
static bool payer_of(sfmi_payer *payer, const sfmi_session_record *record) {
  sfm_release *facts = NULL;
  const char *text = record->facts;
  *payer = (sfmi_payer){0};
  bool good = *record->ledger &&
              !sfm_release_parse(&facts, text, strlen(text), "the session", NULL) &&
              facts->dataset && facts->request;
  if (good)
    *payer = (sfmi_payer){sfmi_copy_string(record->ledger), sfmi_copy_string(facts->dataset),
                          sfmi_copy_string(facts->request)};
  sfm_release_destroy(facts);
  return good && payer->ledger && payer->dataset && payer->request;
}

bool sfmi_payer_read(sfmi_payer *payer, const char *path) {
  sfmi_store store;
  *payer = (sfmi_payer){0};
  if (!sfmi_store_is_there(path) || sfmi_store_open(&store, SFMI_STORE_ONLINE, path, NULL))
    return false;
  const bool good = payer_of(payer, &store.record);
  sfmi_store_close(&store);
  return good;
}

void sfmi_payer_clear(sfmi_payer *payer) {
  free(payer->ledger);
  free(payer->dataset);
  free(payer->request);
  *payer = (sfmi_payer){0};
}

/* ---- whether it is wanted ---- */

/* Bytes at the start of a file; false when there are fewer.  Not asked of a file that this process
 * has open as a database: to close a descriptor of it would undo its locks. */
static bool read_start(const char *path, uint8_t *bytes, size_t count) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0) return false;
  const ssize_t got = pread(descriptor, bytes, count, 0);
  close(descriptor);
  return got == (ssize_t)count;
}

/* A regular file of this user alone with one name: nothing, a session's file, or what is left of
 * one (its first page was overwritten, or never written). */
static bool is_ours(const char *path) {
  struct stat facts;
  uint8_t start[SFMI_STORE_START];
  if (lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_nlink != 1 ||
      facts.st_uid != geteuid() || (facts.st_mode & 0077))
    return false;
  return facts.st_size == 0 || (read_start(path, start, sizeof start) && sfmi_store_begins(start));
}

/* Whether writing the new file was cut short: its journal goes back to a file of no pages.  (SQLite
 * would give the pages back to the disk as they are.) */
static bool is_torn(const char *opening) {
  static const uint8_t magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  static const uint8_t none[4] = {0};
  uint8_t header[20]; /* magic, records, nonce, pages before */
  char *journal = NULL;
  if (sfmi_asprintf(&journal, "%s-journal", opening) < 0) return false;
  const bool torn = read_start(journal, header, sizeof header) &&
                    memcmp(header, magic, sizeof magic) == 0 &&
                    memcmp(header + 16, none, sizeof none) == 0;
  free(journal);
  return torn;
}

static bool ledger_wants(const sfmi_session_record *record) {
  sfmi_payer payer;
  bool wanted = true;
  if (payer_of(&payer, record))
    wanted =
        sfmi_session_request_possible(payer.ledger, payer.dataset, payer.request, record->identity);
  sfmi_payer_clear(&payer);
  return wanted;
}

static bool was_asked(sfmi_store *store) {
  bool ends = false;
  if (sfmi_database_begin(&store->database, false, NULL)) return true;
  const bool failed = sfmi_store_ends(store, &ends, 0, NULL);
  sfmi_database_rollback(&store->database);
  return failed || !ends;
}

/* Whether the session at path is this one, which got its name after all. */
static bool is_copy(const sfmi_session_record *record, const char *path) {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  return sfmi_session_identity(identity, path) &&
         memcmp(identity, record->identity, sizeof identity) == 0;
}

/* Says no, too, when its anchor could not be removed: together they can be cleared later. */
static bool is_unwanted(sfmi_store *store, const char *path) {
  const sfmi_session_record *record = &store->record;
  if (was_asked(store)) return false;
  if (is_copy(record, path)) return true;
  if (*record->ledger && ledger_wants(record)) return false;
  if (!*record->anchor || !sfmi_store_is_there(record->anchor)) return true;
  return sfmi_freshness_unused(record->anchor, record->identity) &&
         !sfmi_freshness_remove(record->anchor, NULL);
}

/* Nothing was written yet, or wiping it has begun. */
static bool is_blank(const char *opening) {
  struct stat facts;
  return (lstat(opening, &facts) == 0 && facts.st_size == 0) || sfmi_store_wiped(opening);
}

static void wipe(const char *opening, const char *path) {
  sfmi_store store;
  if (!is_ours(opening)) return;
  bool unwanted = is_torn(opening);
  if (!unwanted) {
    const sfm_status status = sfmi_store_open(&store, SFMI_STORE_ONLINE, opening, NULL);
    unwanted = !status ? is_unwanted(&store, path) : is_blank(opening);
    if (!status) sfmi_store_close(&store);
  }
  if (unwanted) (void)!sfmi_store_destroy_file(opening, NULL);
}

/* ---- sweeping ---- */

void sfmi_session_cleanup_locked(const char *path) {
  char *opening = NULL;
  if (sfmi_asprintf(&opening, "%s" ENDING, path) < 0) return;
  if (sfmi_store_is_there(opening)) wipe(opening, path);
  free(opening);
}

void sfmi_session_cleanup(const char *path) {
  sfmi_session_lock lock;
  char *opening = NULL;
  if (sfmi_asprintf(&opening, "%s" ENDING, path) < 0) return;
  if (is_ours(opening)) {
    if (!sfmi_session_lock_take(&lock, path, NULL)) wipe(opening, path);
    sfmi_session_lock_release(&lock);
  }
  free(opening);
}

/* The session whose remains have this name; NULL: it is no such name. */
static char *session_of(const char *folder, size_t length, const char *name) {
  const size_t size = strlen(name), ending = strlen(ENDING);
  char *path = NULL;
  if (size <= ending || strcmp(name + size - ending, ENDING) != 0) return NULL;
  if (sfmi_asprintf(&path, "%.*s%.*s", (int)length, folder, (int)(size - ending), name) < 0)
    return NULL;
  return path;
}

void sfmi_session_cleanup_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
  char *folder = length ? strndup(path, length) : sfmi_copy_string(".");
  DIR *entries = folder ? opendir(folder) : NULL;
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    char *session = session_of(path, length, entry->d_name);
    if (session && strcmp(session, path) != 0) sfmi_session_cleanup(session);
    free(session);
  }
  if (entries) closedir(entries);
  free(folder);
}
