#include "session_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/c_locale.h"

/* A lock counts once it is on the file that has the name. */
sfm_status sfmi_session_lock_take(sfmi_session_lock *lock, const char *path, sfm_error *error) {
  *lock = (sfmi_session_lock){.descriptor = -1};
  if (sfmi_asprintf(&lock->path, "%s.lock", path) < 0) {
    lock->path = NULL;
    return sfmi_fail_memory(error);
  }
  for (;;) {
    struct stat named, held;
    int descriptor = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0)
      return sfmi_fail(error, SFM_INVALID, "cannot create the session %.300s: %s", path,
                       sfmi_strerror(errno));
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      close(descriptor);
      return sfmi_fail(error, SFM_IO, "cannot create the session %.300s: %s", path,
                       reason == EWOULDBLOCK ? "another process is making it; try again later"
                                             : sfmi_strerror(reason));
    }
    const bool counts = fstat(descriptor, &held) == 0 && stat(lock->path, &named) == 0 &&
                        held.st_ino == named.st_ino && held.st_dev == named.st_dev;
    if (counts && held.st_size == 0) {
      lock->descriptor = descriptor;
      return SFM_OK;
    }
    close(descriptor);
    if (counts) /* it would be removed in the end */
      return sfmi_fail(error, SFM_INVALID,
                       "cannot create the session %.300s: %.300s is something else than its lock; "
                       "give the session another name",
                       path, lock->path);
  }
}

void sfmi_session_lock_release(sfmi_session_lock *lock) {
  if (lock->descriptor >= 0) {
    (void)unlink(lock->path);
    close(lock->descriptor);
  }
  free(lock->path);
  *lock = (sfmi_session_lock){.descriptor = -1};
}
