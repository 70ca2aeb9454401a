#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "c_locale.h"

static sfm_status fail_path(sfm_error *error, const char *what, const char *path) {
  return sfmi_fail(error, SFM_IO, "cannot %s %s: %s", what, path, sfmi_strerror(errno));
}

sfm_status sfmi_file_sync_folder(const char *path, sfm_error *error) {
  char *copy = sfmi_copy_string(path);
  if (!copy) return sfmi_fail_memory(error);
  int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int failed = folder < 0 || fsync(folder) != 0;
  int reason = errno;
  if (folder >= 0) close(folder);
  free(copy);
  /* Some file systems do not let a folder be synced; the rename has happened all the same. */
  if (!failed || reason == EINVAL || reason == EACCES) return SFM_OK;
  errno = reason;
  return fail_path(error, "sync the folder of", path);
}

/* A new file beside the target, of that mode without what the process takes from new files; -1 and
 * errno otherwise. */
static int open_beside(char **temporary, const char *target, mode_t mode) {
  const char *slash = strrchr(target, '/');
  const int folder = slash ? (int)(slash - target) + 1 : 0;
  struct timespec now;
  for (unsigned attempt = 0; attempt < 100; attempt++) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    free(*temporary);
    if (sfmi_asprintf(temporary, "%.*s.sfumato-%ld-%lx-%u", folder, target, (long)getpid(),
                      (unsigned long)now.tv_nsec, attempt) < 0) {
      *temporary = NULL;
      errno = ENOMEM;
      return -1;
    }
    int descriptor = open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/* A regular file, or nothing at all, may be replaced. */
static sfm_status check_regular(const char *path, sfm_error *error) {
  struct stat facts;
  const size_t length = strlen(path);
  if (stat(path, &facts) == 0) {
    if (S_ISREG(facts.st_mode)) return SFM_OK;
    return sfmi_fail(error, SFM_INVALID, "cannot write %.300s: it is %s", path,
                     S_ISDIR(facts.st_mode)
                         ? "a folder; add a file name"
                         : "not a regular file; name a file, or - for standard output");
  }
  if (errno == ENAMETOOLONG)
    return sfmi_fail(error, SFM_INVALID, "cannot write %.300s: %s", path, sfmi_strerror(errno));
  if (length && path[length - 1] == '/')
    return sfmi_fail(error, SFM_INVALID, "cannot write %.300s: a file name must follow the folder",
                     path);
  if (lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode))
    return sfmi_fail(error, SFM_INVALID,
                     "cannot write %.300s: it is a link to a file that is not there; remove the "
                     "link, or name a file",
                     path);
  return SFM_OK;
}

/* What a file begins with that is kept and never replaced by a result. */
static const struct {
  const char *bytes, *what;
  size_t length;
} kept_heads[] = {
    {"SQLite format 3", "a database (ledgers and sessions are databases)", 16},
    {"sfumato-anchor ", "the anchor of a ledger", 15},
    {"sfumato-session-anchor ", "the anchor of a session", 23},
};
enum { KEPT_HEADS = sizeof kept_heads / sizeof kept_heads[0], KEPT_BYTES = 23 };

/* What the file at path is that must be kept, or NULL; what cannot be read might be one. */
static const char *find_kept(const char *path) {
  char head[KEPT_BYTES];
  struct stat facts;
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES ? "a file that cannot be read" : NULL;
  const ssize_t got = fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode)
                          ? read(descriptor, head, KEPT_BYTES)
                          : 0;
  close(descriptor);
  for (size_t i = 0; i < KEPT_HEADS; i++)
    if (got >= (ssize_t)kept_heads[i].length &&
        memcmp(head, kept_heads[i].bytes, kept_heads[i].length) == 0)
      return kept_heads[i].what;
  return NULL;
}

/* Whether SQLite keeps, or would look for, the journal of a database there. */
static bool is_journal(const char *path) {
  static const char *const endings[] = {"-journal", "-wal", "-shm"};
  const size_t length = strlen(path);
  for (size_t i = 0; i < 3; i++) {
    const size_t last = strlen(endings[i]);
    if (length <= last || strcmp(path + length - last, endings[i]) != 0) continue;
    char *database = strndup(path, length - last);
    const bool found = !database || (access(database, F_OK) == 0 && find_kept(database));
    free(database);
    return found;
  }
  return false;
}

sfm_status sfmi_file_check_output(const char *path, sfm_error *error) {
  if (!strcmp(path, "-")) return SFM_OK;
  sfm_status status = check_regular(path, error);
  if (status) return status;
  char *resolved = realpath(path, NULL);
  const char *kept = find_kept(path);
  if (!kept && is_journal(resolved ? resolved : path)) kept = "the place of a database's journal";
  free(resolved);
  return kept ? sfmi_fail(error, SFM_INVALID,
                          "cannot write %.300s: it is %s; write to another file", path, kept)
              : SFM_OK;
}

sfm_status sfmi_file_check_folder(const char *path, sfm_error *error) {
  if (!strcmp(path, "-")) return SFM_OK;
  char *target = realpath(path, NULL), *temporary = NULL;
  if (!target) target = sfmi_copy_string(path);
  if (!target) return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  const int descriptor = open_beside(&temporary, target, 0666), reason = errno;
  if (descriptor >= 0) {
    close(descriptor);
    unlink(temporary);
  } else {
    status = sfmi_fail(error, SFM_INVALID,
                       "cannot write %.300s: no file can be made in its folder '%.300s': %s", path,
                       dirname(target), sfmi_strerror(reason));
  }
  free(temporary);
  free(target);
  return status;
}

/* Opens the temporary file; a target NULL means that memory was short. */
static sfm_status open_stream(sfmi_file *file, const char *path, mode_t mode, sfm_error *error) {
  if (!file->target) return sfmi_fail_memory(error);
  int descriptor = open_beside(&file->temporary, file->target, mode);
  if (descriptor >= 0) {
    file->stream = fdopen(descriptor, "wb");
    if (file->stream) return SFM_OK;
    close(descriptor);
    unlink(file->temporary);
  }
  const sfm_status status = fail_path(error, "write", path);
  free(file->temporary);
  file->temporary = NULL;
  sfmi_file_abandon(file);
  return status;
}

sfm_status sfmi_file_begin(sfmi_file *file, const char *path, sfm_error *error) {
  *file = (sfmi_file){0};
  if (!strcmp(path, "-")) {
    file->stream = stdout;
    return SFM_OK;
  }
  sfm_status status = check_regular(path, error);
  if (status) return status;
  /* A link is followed: what it points to is replaced, not the link. */
  char *resolved = realpath(path, NULL);
  file->target = resolved ? resolved : sfmi_copy_string(path);
  return open_stream(file, path, 0666, error);
}

sfm_status sfmi_file_begin_private(sfmi_file *file, const char *path, const char *what,
                                   sfm_error *error) {
  struct stat facts;
  *file = (sfmi_file){.what = what};
  if (lstat(path, &facts) == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "cannot create the %s %.300s: there is a file of that name, which is not "
                     "overwritten; name a new file",
                     what, path);
  file->target = sfmi_copy_string(path);
  return open_stream(file, path, 0600, error);
}

static sfm_status put_in_place(const sfmi_file *file, sfm_error *error) {
  if (file->what) return sfmi_file_place(file->temporary, file->target, file->what, error);
  if (rename(file->temporary, file->target) != 0) return fail_path(error, "write", file->target);
  return sfmi_file_sync_folder(file->target, error);
}

sfm_status sfmi_file_commit(sfmi_file *file, sfm_error *error) {
  int failed = fflush(file->stream) != 0 || ferror(file->stream);
  if (!file->target) {
    *file = (sfmi_file){0};
    return failed ? fail_path(error, "write to", "standard output") : SFM_OK;
  }
  failed = failed || fsync(fileno(file->stream)) != 0;
  failed = fclose(file->stream) != 0 || failed;
  file->stream = NULL;
  const sfm_status status =
      failed ? fail_path(error, "write", file->target) : put_in_place(file, error);
  if (status) unlink(file->temporary);
  free(file->temporary);
  file->temporary = NULL;
  sfmi_file_abandon(file);
  return status;
}

void sfmi_file_abandon(sfmi_file *file) {
  if (file->stream && file->target) fclose(file->stream);
  if (file->temporary) unlink(file->temporary);
  free(file->temporary);
  free(file->target);
  *file = (sfmi_file){0};
}

sfm_status sfmi_file_place(const char *temporary, const char *path, const char *what,
                           sfm_error *error) {
  if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) != 0) {
    const int unsupported = errno == EINVAL || errno == ENOSYS;
    if (!unsupported || link(temporary, path) != 0)
      return sfmi_fail(error, SFM_INVALID, "cannot create the %s %.300s: %s", what, path,
                       sfmi_strerror(errno));
    (void)unlink(temporary);
  }
  return sfmi_file_sync_folder(path, error);
}

char *sfmi_file_absolute(const char *path) {
  char *copy = sfmi_copy_string(path), *again = sfmi_copy_string(path), *out = NULL;
  char *folder = copy && again ? realpath(dirname(copy), NULL) : NULL;
  const int reason = copy && again ? errno : ENOMEM;
  errno = ENOMEM;
  if (folder &&
      sfmi_asprintf(&out, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, basename(again)) < 0)
    out = NULL;
  if (!folder) errno = reason;
  free(folder);
  free(copy);
  free(again);
  return out;
}

bool sfmi_file_is_beside(const char *path, const char *file, const char *const *endings) {
  char *from_root = sfmi_file_absolute(file);
  const size_t length = from_root ? strlen(from_root) : 0;
  bool beside = false;
  if (from_root && strncmp(path, from_root, length) == 0)
    for (; *endings && !beside; endings++) beside = strcmp(path + length, *endings) == 0;
  free(from_root);
  return beside;
}

sfm_status sfmi_file_read(char **bytes, size_t *length, const char *path, size_t limit,
                          sfm_error *error) {
  *bytes = NULL;
  int standard = !strcmp(path, "-");
  struct stat facts;
  if (!standard && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
    return sfmi_fail(error, SFM_INVALID, "%.300s is a folder: name a file in it", path);
  FILE *stream = standard ? stdin : fopen(path, "rbe");
  if (!stream)
    return sfmi_fail(error, SFM_INVALID, "cannot open %s: %s", path, sfmi_strerror(errno));
  size_t size = 1 << 16, used = 0;
  char *buffer = malloc(size);
  sfm_status status = buffer ? SFM_OK : sfmi_fail_memory(error);
  while (!status) {
    size_t got = fread(buffer + used, 1, size - 1 - used, stream);
    used += got;
    if (got == 0) {
      if (ferror(stream)) status = fail_path(error, "read", path);
      break;
    }
    if (used > limit) {
      status = sfmi_fail(error, SFM_FORMAT, "%s is larger than %zu bytes", path, limit);
    } else if (used == size - 1) {
      char *larger = realloc(buffer, size * 2);
      if (!larger) {
        status = sfmi_fail_memory(error);
      } else {
        buffer = larger;
        size *= 2;
      }
    }
  }
  if (!standard) fclose(stream);
  if (status) {
    free(buffer);
    return status;
  }
  buffer[used] = '\0';
  *bytes = buffer;
  *length = used;
  return SFM_OK;
}
