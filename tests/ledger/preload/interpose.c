#include "interpose.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "disk.h"

enum { DESCRIPTORS = 1024, STREAMS = 16 };

/* What is known of a descriptor: which watched folder it lies in, or is. */
typedef struct watched {
  int folder; /* 1, 2: its number; 0: not watched */
  bool is_folder;
} watched;

static interpose_plan plan;
static char folders[INTERPOSE_FOLDERS][PATH_MAX];
static watched table[DESCRIPTORS];
static struct {
  FILE *stream;
  int descriptor;
} streams[STREAMS];
static interpose_report own_report;

/* The next definition of a function: libc's, or a sanitizer's. */
#define NEXT(result, name, ...)                                                                    \
  static result (*next)(__VA_ARGS__);                                                              \
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, name);

static const char *const action_names[] = {"count", "before", "after", "torn",  "short",
                                           "eintr", "enospc", "eio",   "signal"};

bool interpose_kills(interpose_action action) {
  return action == INTERPOSE_BEFORE || action == INTERPOSE_AFTER || action == INTERPOSE_TORN;
}

bool interpose_applies(interpose_action action, char kind) {
  switch (action) {
  case INTERPOSE_TORN:
  case INTERPOSE_SHORT:
  case INTERPOSE_EINTR:
    return kind == INTERPOSE_WRITE;
  case INTERPOSE_ENOSPC:
    return kind == INTERPOSE_WRITE || kind == INTERPOSE_CREATE;
  default:
    return true;
  }
}

const char *interpose_action_name(interpose_action action) {
  return action_names[action];
}

void interpose_arm(const interpose_plan *wanted) {
  plan = *wanted;
  if (!plan.report) plan.report = &own_report;
  memset(table, 0, sizeof table);
  for (size_t i = 0; i < INTERPOSE_FOLDERS; i++) {
    folders[i][0] = '\0';
    if (plan.folders[i] && !realpath(plan.folders[i], folders[i])) abort();
  }
}

static void map_report(const char *path) {
  int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0 || ftruncate(descriptor, sizeof *plan.report) != 0) abort();
  plan.report = mmap(NULL, sizeof *plan.report, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (plan.report == MAP_FAILED) abort();
  close(descriptor);
}

__attribute__((constructor)) static void arm_from_environment(void) {
  const char *list = getenv("SFM_INTERPOSE_FOLDERS"), *at = getenv("SFM_INTERPOSE_AT");
  const char *action = getenv("SFM_INTERPOSE_ACTION"), *report = getenv("SFM_INTERPOSE_REPORT");
  static char names[2 * PATH_MAX];
  if (!list) return;
  interpose_plan wanted = {.on = getenv("SFM_INTERPOSE_ON"),
                           .reads = getenv("SFM_INTERPOSE_READS"),
                           .disk = getenv("SFM_INTERPOSE_DISK")};
  const char *number = getenv("SFM_INTERPOSE_SIGNAL");
  snprintf(names, sizeof names, "%s", list);
  char *rest = names;
  for (size_t i = 0; i < INTERPOSE_FOLDERS; i++) wanted.folders[i] = strsep(&rest, ":");
  for (int a = INTERPOSE_COUNT; action && a <= INTERPOSE_SIGNAL; a++)
    if (!strcmp(action, action_names[a])) wanted.action = (interpose_action)a;
  wanted.at = at ? strtoull(at, NULL, 10) : 0;
  wanted.signal = number ? atoi(number) : 0;
  interpose_arm(&wanted);
  if (report) map_report(report);
}

/* ---- which calls matter ---- */

/* The number of the folder that a canonical path lies in (directly), or 0. */
static int folder_of(const char *path) {
  for (int i = 0; i < INTERPOSE_FOLDERS; i++) {
    const size_t length = strlen(folders[i]);
    if (length && !strncmp(path, folders[i], length) && path[length] == '/' &&
        !strchr(path + length + 1, '/'))
      return i + 1;
  }
  return 0;
}

/* The same for any path, of a file that need not be there; canonical gets its full name. */
static int folder_of_path(char canonical[PATH_MAX], int at, const char *path) {
  char folder[PATH_MAX], whole[PATH_MAX];
  if (!folders[0][0]) return 0;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (path[0] == '/' || at == AT_FDCWD)
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1,
             slash ? path : ".");
  else
    snprintf(folder, sizeof folder, "/proc/self/fd/%d/%.*s", at, slash ? (int)(slash - path) : 0,
             path);
  if (!realpath(folder, whole)) return 0;
  if (snprintf(canonical, PATH_MAX, "%s/%s", whole, name) >= PATH_MAX) return 0;
  return folder_of(canonical);
}

static watched look_up(int descriptor) {
  static const watched none = {0, false};
  return descriptor >= 0 && descriptor < DESCRIPTORS ? table[descriptor] : none;
}

static void forget(int descriptor) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) table[descriptor] = (watched){0, false};
}

/* ---- what happens at one ---- */

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

typedef enum verdict { GO, FAIL, HALF } verdict;
static bool last_call; /* die when it is done */

/* FAIL: errno is set.  HALF: a write is to write half. */
static verdict arrive(char kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

static verdict arrive(char kind, const char *format, ...) {
  interpose_report *report = plan.report;
  if (plan.reads != (kind == INTERPOSE_READ)) return GO;
  const uint64_t call = __atomic_add_fetch(&report->calls, 1, __ATOMIC_SEQ_CST);
  if (call <= INTERPOSE_CALLS) report->kind[call - 1] = kind;
  if (call != plan.at && !(plan.on && plan.at && call > plan.at)) return GO;
  if (call == plan.at) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->hit, sizeof report->hit, format, arguments);
    va_end(arguments);
  }
  const bool writes = kind == INTERPOSE_WRITE;
  switch (plan.action) {
  case INTERPOSE_COUNT:
    return GO;
  case INTERPOSE_BEFORE:
    die();
    return GO;
  case INTERPOSE_AFTER:
    last_call = true;
    return GO;
  case INTERPOSE_TORN:
    if (!writes) die();
    last_call = true;
    return HALF;
  case INTERPOSE_SHORT:
    return writes ? HALF : GO;
  case INTERPOSE_EINTR:
    errno = EINTR;
    return writes ? FAIL : GO;
  case INTERPOSE_ENOSPC:
    errno = ENOSPC;
    return writes || kind == INTERPOSE_CREATE ? FAIL : GO;
  case INTERPOSE_EIO:
    errno = EIO;
    return FAIL;
  case INTERPOSE_SIGNAL:
    raise(plan.signal);
    return GO;
  }
  return GO;
}

static void leave(void) {
  if (last_call) die();
}

/* "clinic.db" of a descriptor, for the words of a report. */
static const char *name_of(char path[PATH_MAX], int descriptor) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = '\0';
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* ---- opening and closing ---- */

static void watch(int descriptor) {
  char path[PATH_MAX];
  if (!folders[0][0] || descriptor < 0) return;
  name_of(path, descriptor);
  forget(descriptor);
  watched found = {folder_of(path), false};
  for (int i = 0; i < INTERPOSE_FOLDERS; i++)
    if (folders[i][0] && !strcmp(path, folders[i])) found = (watched){i + 1, true};
  if (!found.folder) return;
  if (descriptor >= DESCRIPTORS) abort(); /* it would escape */
  table[descriptor] = found;
}

static int real_openat(int at, const char *path, int flags, mode_t mode) {
  NEXT(int, "openat64", int, const char *, int, ...)
  return next(at, path, flags, mode);
}

static int open_watched(int at, const char *path, int flags, mode_t mode) {
  char canonical[PATH_MAX];
  const int folder = (flags & O_CREAT) ? folder_of_path(canonical, at, path) : 0;
  const bool makes = folder && access(canonical, F_OK) != 0;
  if (makes && arrive(INTERPOSE_CREATE, "make %s", canonical) == FAIL) return -1;
  int descriptor = real_openat(at, path, flags, mode);
  watch(descriptor);
  if (makes && descriptor >= 0 && plan.disk) disk_created(folders[folder - 1], descriptor);
  if (makes) leave();
  if (!makes && (flags & O_TRUNC) && look_up(descriptor).folder) abort(); /* uncounted change */
  return descriptor;
}

#define OPENS(name)                                                                                \
  INTERPOSE_API int name(const char *path, int flags, ...) {                                       \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;                 \
    va_end(arguments);                                                                             \
    return open_watched(AT_FDCWD, path, flags, mode);                                              \
  }
#define OPENS_AT(name)                                                                             \
  INTERPOSE_API int name(int at, const char *path, int flags, ...) {                               \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;                 \
    va_end(arguments);                                                                             \
    return open_watched(at, path, flags, mode);                                                    \
  }
OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)

/* What open becomes under _FORTIFY_SOURCE. */
INTERPOSE_API int __open_2(const char *path, int flags);
INTERPOSE_API int __open64_2(const char *path, int flags);

int __open_2(const char *path, int flags) {
  return open_watched(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags) {
  return open_watched(AT_FDCWD, path, flags, 0);
}

INTERPOSE_API int close(int descriptor) {
  NEXT(int, "close", int)
  forget(descriptor);
  return next(descriptor);
}

/* ---- writes ---- */

static ssize_t write_watched(int descriptor, const void *bytes, size_t length, off_t offset,
                             const char *call) {
  NEXT(ssize_t, "write", int, const void *, size_t)
  static ssize_t (*next_at)(int, const void *, size_t, off_t);
  if (!next_at) *(void **)&next_at = dlsym(RTLD_NEXT, "pwrite64");
  char path[PATH_MAX];
  const watched file = look_up(descriptor);
  verdict v = GO;
  if (file.folder)
    v = arrive(INTERPOSE_WRITE, "%s %zu bytes to %s at %lld", call, length,
               name_of(path, descriptor),
               (long long)(offset < 0 ? lseek(descriptor, 0, SEEK_CUR) : offset));
  if (v == FAIL) return -1;
  if (v == HALF) length = (length + 1) / 2;
  ssize_t done =
      offset < 0 ? next(descriptor, bytes, length) : next_at(descriptor, bytes, length, offset);
  if (file.folder) leave();
  return done;
}

INTERPOSE_API ssize_t write(int descriptor, const void *bytes, size_t length) {
  return write_watched(descriptor, bytes, length, -1, "write");
}

INTERPOSE_API ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return write_watched(descriptor, bytes, length, offset, "pwrite");
}

INTERPOSE_API ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  return write_watched(descriptor, bytes, length, offset, "pwrite");
}

/* A short one ends within or after its first part. */
INTERPOSE_API ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  NEXT(ssize_t, "writev", int, const struct iovec *, int)
  if (!look_up(descriptor).folder) return next(descriptor, parts, count);
  ssize_t done = 0;
  for (int i = 0; i < count; i++) {
    ssize_t wrote = write_watched(descriptor, parts[i].iov_base, parts[i].iov_len, -1, "writev");
    if (wrote < 0) return done ? done : -1;
    done += wrote;
    if ((size_t)wrote < parts[i].iov_len) break;
  }
  return done;
}

/* ---- reads: whole, or not at all ---- */

INTERPOSE_API ssize_t read(int descriptor, void *bytes, size_t length) {
  NEXT(ssize_t, "read", int, void *, size_t)
  char path[PATH_MAX];
  if (plan.reads && look_up(descriptor).folder &&
      arrive(INTERPOSE_READ, "read %zu bytes of %s", length, name_of(path, descriptor)) == FAIL)
    return -1;
  return next(descriptor, bytes, length);
}

INTERPOSE_API ssize_t pread64(int descriptor, void *bytes, size_t length, off64_t offset) {
  NEXT(ssize_t, "pread64", int, void *, size_t, off64_t)
  char path[PATH_MAX];
  if (plan.reads && look_up(descriptor).folder &&
      arrive(INTERPOSE_READ, "pread %zu bytes of %s at %lld", length, name_of(path, descriptor),
             (long long)offset) == FAIL)
    return -1;
  return next(descriptor, bytes, length, offset);
}

INTERPOSE_API ssize_t pread(int descriptor, void *bytes, size_t length, off_t offset) {
  return pread64(descriptor, bytes, length, offset);
}

/* ---- syncs and lengths ---- */

static int sync_watched(int descriptor, int (*next)(int), const char *call) {
  char path[PATH_MAX];
  const watched file = look_up(descriptor);
  if (!file.folder) return next(descriptor);
  const char kind = file.is_folder ? INTERPOSE_SYNC_FOLDER : INTERPOSE_SYNC;
  if (arrive(kind, "%s %s", call, name_of(path, descriptor)) == FAIL) return -1;
  int result = next(descriptor);
  if (result == 0 && plan.disk && !plan.lies) {
    if (file.is_folder)
      disk_synced_folder(folders[file.folder - 1]);
    else
      disk_synced(folders[file.folder - 1], descriptor);
  }
  leave();
  return result;
}

INTERPOSE_API int fsync(int descriptor) {
  NEXT(int, "fsync", int)
  return sync_watched(descriptor, next, "fsync");
}

INTERPOSE_API int fdatasync(int descriptor) {
  NEXT(int, "fdatasync", int)
  return sync_watched(descriptor, next, "fdatasync");
}

INTERPOSE_API int ftruncate64(int descriptor, off64_t length) {
  NEXT(int, "ftruncate64", int, off64_t)
  char path[PATH_MAX];
  if (!look_up(descriptor).folder) return next(descriptor, length);
  if (arrive(INTERPOSE_TRUNCATE, "ftruncate %s to %lld", name_of(path, descriptor),
             (long long)length) == FAIL)
    return -1;
  int result = next(descriptor, length);
  leave();
  return result;
}

INTERPOSE_API int ftruncate(int descriptor, off_t length) {
  return ftruncate64(descriptor, length);
}

INTERPOSE_API int truncate64(const char *path, off64_t length) {
  NEXT(int, "truncate64", const char *, off64_t)
  char canonical[PATH_MAX];
  if (!folder_of_path(canonical, AT_FDCWD, path)) return next(path, length);
  if (arrive(INTERPOSE_TRUNCATE, "truncate %s to %lld", canonical, (long long)length) == FAIL)
    return -1;
  int result = next(path, length);
  leave();
  return result;
}

INTERPOSE_API int truncate(const char *path, off_t length) {
  return truncate64(path, length);
}

/* Makes a file longer: counted as a write, done whole or not at all. */
INTERPOSE_API int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
  NEXT(int, "posix_fallocate64", int, off64_t, off64_t)
  char path[PATH_MAX];
  if (!look_up(descriptor).folder) return next(descriptor, offset, length);
  if (arrive(INTERPOSE_WRITE, "posix_fallocate %s", name_of(path, descriptor)) == FAIL)
    return errno;
  int result = next(descriptor, offset, length);
  leave();
  return result;
}

INTERPOSE_API int posix_fallocate(int descriptor, off_t offset, off_t length) {
  return posix_fallocate64(descriptor, offset, length);
}

INTERPOSE_API int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  NEXT(int, "fallocate64", int, int, off64_t, off64_t)
  char path[PATH_MAX];
  if (!look_up(descriptor).folder) return next(descriptor, mode, offset, length);
  if (arrive(INTERPOSE_WRITE, "fallocate %s", name_of(path, descriptor)) == FAIL) return -1;
  int result = next(descriptor, mode, offset, length);
  leave();
  return result;
}

INTERPOSE_API int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return fallocate64(descriptor, mode, offset, length);
}

/* ---- entries ---- */

INTERPOSE_API int unlinkat(int at, const char *path, int flags) {
  NEXT(int, "unlinkat", int, const char *, int)
  char canonical[PATH_MAX];
  const int folder = folder_of_path(canonical, at, path);
  if (!folder || access(canonical, F_OK) != 0) return next(at, path, flags);
  if (arrive(INTERPOSE_UNLINK, "unlink %s", canonical) == FAIL) return -1;
  if (plan.disk) disk_leaving(folders[folder - 1], canonical);
  int result = next(at, path, flags);
  leave();
  return result;
}

INTERPOSE_API int unlink(const char *path) {
  return unlinkat(AT_FDCWD, path, 0);
}

INTERPOSE_API int renameat2(int from_at, const char *from, int to_at, const char *to,
                            unsigned flags) {
  NEXT(int, "renameat2", int, const char *, int, const char *, unsigned)
  char source[PATH_MAX], target[PATH_MAX];
  const int one = folder_of_path(source, from_at, from), two = folder_of_path(target, to_at, to);
  if (!one && !two) return next(from_at, from, to_at, to, flags);
  if (one != two) abort(); /* between folders: not modelled */
  if (arrive(INTERPOSE_RENAME, "rename %s to %s", source, target) == FAIL) return -1;
  /* The source keeps its inode, under its new name. */
  if (plan.disk) disk_leaving(folders[two - 1], target);
  int result = next(from_at, from, to_at, to, flags);
  leave();
  return result;
}

INTERPOSE_API int renameat(int from_at, const char *from, int to_at, const char *to) {
  return renameat2(from_at, from, to_at, to, 0);
}

INTERPOSE_API int rename(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

INTERPOSE_API int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
  NEXT(int, "linkat", int, const char *, int, const char *, int)
  char target[PATH_MAX];
  if (!folder_of_path(target, to_at, to)) return next(from_at, from, to_at, to, flags);
  if (arrive(INTERPOSE_LINK, "link %s to %s", from, target) == FAIL) return -1;
  int result = next(from_at, from, to_at, to, flags);
  leave();
  return result;
}

INTERPOSE_API int link(const char *from, const char *to) {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* ---- buffered streams ---- */

static ssize_t stream_write(void *cookie, const char *bytes, size_t length) {
  const int descriptor = (int)(intptr_t)cookie;
  size_t done = 0;
  while (done < length) {
    ssize_t wrote = write(descriptor, bytes + done, length - done);
    if (wrote < 0) break;
    done += (size_t)wrote;
  }
  return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *offset, int whence) {
  off64_t now = lseek64((int)(intptr_t)cookie, *offset, whence);
  if (now < 0) return -1;
  *offset = now;
  return 0;
}

static int stream_close(void *cookie) {
  const int descriptor = (int)(intptr_t)cookie;
  for (size_t i = 0; i < STREAMS; i++)
    if (streams[i].stream && streams[i].descriptor == descriptor) streams[i].stream = NULL;
  return close(descriptor);
}

INTERPOSE_API FILE *fdopen(int descriptor, const char *mode) {
  NEXT(FILE *, "fdopen", int, const char *)
  if (!look_up(descriptor).folder || strspn(mode, "rbe") == strlen(mode))
    return next(descriptor, mode);
  const cookie_io_functions_t functions = {
      .write = stream_write, .seek = stream_seek, .close = stream_close};
  FILE *stream = fopencookie((void *)(intptr_t)descriptor, mode, functions);
  for (size_t i = 0; stream && i < STREAMS; i++)
    if (!streams[i].stream) {
      streams[i].stream = stream;
      streams[i].descriptor = descriptor;
      return stream;
    }
  abort();
}

INTERPOSE_API int fileno(FILE *stream) {
  NEXT(int, "fileno", FILE *)
  for (size_t i = 0; i < STREAMS; i++)
    if (streams[i].stream && streams[i].stream == stream) return streams[i].descriptor;
  return next(stream);
}

/* One that is opened for writing by its name would escape: nobody does so (base/system/file.h). */
INTERPOSE_API FILE *fopen64(const char *path, const char *mode) {
  NEXT(FILE *, "fopen64", const char *, const char *)
  char canonical[PATH_MAX];
  if (strspn(mode, "rbe") != strlen(mode) && folder_of_path(canonical, AT_FDCWD, path)) abort();
  return next(path, mode);
}

INTERPOSE_API FILE *fopen(const char *path, const char *mode) {
  return fopen64(path, mode);
}
