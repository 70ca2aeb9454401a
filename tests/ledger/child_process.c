#include "child_process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
/* Little memory waits to be reused, so that little is copied by fork. */
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
  return "quarantine_size_mb=1";
}
#endif

static interpose_report *shared(void) {
  static interpose_report *report;
  if (report) return report;
  report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (report == MAP_FAILED) abort();
  return report;
}

const interpose_report *child_report(void) {
  return shared();
}

pid_t child_start(int (*act)(void *context), void *context, const interpose_plan *plan) {
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) abort();
  if (child) return child;
  if (plan) interpose_arm(plan);
  _exit(act(context));
}

child_end child_wait(pid_t child) {
  int status;
  if (waitpid(child, &status, 0) != child) abort();
  if (WIFSIGNALED(status)) return (child_end){WTERMSIG(status), 0};
  return (child_end){0, WEXITSTATUS(status)};
}

child_end child_run(int (*act)(void *context), void *context, const interpose_plan *plan) {
  interpose_plan reported;
  *shared() = (interpose_report){0};
  if (!plan) return child_wait(child_start(act, context, NULL));
  reported = *plan;
  reported.report = shared();
  return child_wait(child_start(act, context, &reported));
}

void child_folder(char path[64]) {
  strcpy(path, access("/dev/shm", W_OK) == 0 ? "/dev/shm/sfumato_ledger.XXXXXX"
                                             : "/tmp/sfumato_ledger.XXXXXX");
  if (!mkdtemp(path)) abort();
}

void child_remove(const char *path) {
  struct stat facts;
  if (lstat(path, &facts) != 0) return;
  if (!S_ISDIR(facts.st_mode)) {
    unlink(path);
    return;
  }
  DIR *dir = opendir(path);
  for (struct dirent *item; dir && (item = readdir(dir));) {
    char *inside;
    if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, "..")) continue;
    if (asprintf(&inside, "%s/%s", path, item->d_name) < 0) abort();
    child_remove(inside);
    free(inside);
  }
  if (dir) closedir(dir);
  rmdir(path);
}
