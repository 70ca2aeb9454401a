/* child_process.h - something done in a child process that may be killed at any call, and how it
 * ended. */
#ifndef TESTS_LEDGER_CHILD_PROCESS_H
#define TESTS_LEDGER_CHILD_PROCESS_H

#include <sys/types.h>

#include "interpose.h"

/* A sanitized process takes several milliseconds to fork: where there are hundreds of cases, every
 * so many-eth is tried under sanitizers, and all of them without. */
#ifdef __SANITIZE_ADDRESS__
#define CHILD_STRIDE 5
#define COMMAND_STRIDE 15 /* a whole command takes longer */
#else
#define CHILD_STRIDE 1
#define COMMAND_STRIDE 1
#endif

/* How a child ended: killed by a signal, or with an exit code. */
typedef struct child_end {
  int signal;
  int code;
} child_end;

/* Runs act in a child, armed with the plan (NULL: not at all), and waits for it; its return value
 * is the exit code.  The plan's report is set to the one below and starts at zero. */
child_end child_run(int (*act)(void *context), void *context, const interpose_plan *plan);

/* The same in two steps, for several at once; without a report. */
pid_t child_start(int (*act)(void *context), void *context, const interpose_plan *plan);
child_end child_wait(pid_t child);

/* Of the last child_run; in shared memory. */
const interpose_report *child_report(void);

/* A new folder for one test, in memory where there is such a place (nothing here asks whether the
 * real disk is durable), and its removal with everything in it. */
void child_folder(char path[64]);
void child_remove(const char *path);

#endif
