/* interpose.h - a disk that dies, tears, fills up or forgets at the nth call that changes it.
 *
 * The library stands between the process and libc: it is linked ahead of libc, or preloaded.  Once
 * armed it counts every call that changes a file or an entry of the watched folders, and every
 * sync, in order: 1, 2, ...; at the call that the plan names it does what the plan says.  Reads are
 * left alone unless the plan says otherwise; locks, and files elsewhere, always.
 *
 * Buffered streams are caught too: one that is opened for writing on a watched file writes through
 * the calls below, in a loop, as libc's own does.
 *
 * With `disk`, it also keeps what would be left if the power failed: disk.h. */
#ifndef TESTS_LEDGER_INTERPOSE_H
#define TESTS_LEDGER_INTERPOSE_H

#include <stdbool.h>
#include <stdint.h>

#define INTERPOSE_API __attribute__((visibility("default")))
#define INTERPOSE_FOLDERS 2
#define INTERPOSE_CALLS 4096 /* kinds are kept of the first so many */

typedef enum interpose_action {
  INTERPOSE_COUNT,  /* nothing: only count */
  INTERPOSE_BEFORE, /* die (SIGKILL) before the call */
  INTERPOSE_AFTER,  /* die when it is done */
  INTERPOSE_TORN,   /* a write writes half of its bytes, then die; another call: die before it */
  INTERPOSE_SHORT,  /* a write writes half of its bytes and says so */
  INTERPOSE_EINTR,  /* a write fails so */
  INTERPOSE_ENOSPC, /* a write, or the making of a file, fails so */
  INTERPOSE_EIO,    /* any call fails so */
  INTERPOSE_SIGNAL, /* the process gets a signal before the call, which is then made */
} interpose_action;

/* What sort of call: */
enum {
  INTERPOSE_CREATE = 'c', /* a file that was not there is made */
  INTERPOSE_WRITE = 'w',
  INTERPOSE_TRUNCATE = 't',
  INTERPOSE_SYNC = 's',
  INTERPOSE_SYNC_FOLDER = 'f',
  INTERPOSE_UNLINK = 'u',
  INTERPOSE_RENAME = 'r',
  INTERPOSE_LINK = 'l',
  INTERPOSE_READ = 'p',
};

/* Whether the process dies of it. */
INTERPOSE_API bool interpose_kills(interpose_action action);
/* Whether it differs from an ordinary call, or another action, at a call of this kind. */
INTERPOSE_API bool interpose_applies(interpose_action action, char kind);

/* In memory shared with whoever wants to know how it ended. */
typedef struct interpose_report {
  uint64_t calls;             /* so far */
  char kind[INTERPOSE_CALLS]; /* of call i + 1 */
  char hit[256];              /* the call at which something was done, in words */
} interpose_report;

typedef struct interpose_plan {
  const char *folders[INTERPOSE_FOLDERS]; /* existing; NULL: none */
  interpose_action action;
  uint64_t at; /* 1, 2, ... */
  bool on;     /* and every later call too */
  int signal;  /* which one */
  bool reads;  /* reads by descriptor are calls too: only they are */
  bool disk;
  bool lies;                /* a sync says that it is done, and nothing has become durable */
  interpose_report *report; /* may be NULL */
} interpose_plan;

/* Files opened before are not watched. */
INTERPOSE_API void interpose_arm(const interpose_plan *plan);

/* When the library is preloaded, the environment arms it:
 *   SFM_INTERPOSE_FOLDERS=A:B        what is watched; without it nothing is
 *   SFM_INTERPOSE_ACTION=NAME        count, before, after, torn, short, eintr, enospc, eio, signal
 *   SFM_INTERPOSE_SIGNAL=N           which one
 *   SFM_INTERPOSE_AT=N   SFM_INTERPOSE_ON=1   SFM_INTERPOSE_READS=1   SFM_INTERPOSE_DISK=1
 *   SFM_INTERPOSE_REPORT=FILE        a file of sizeof(interpose_report) bytes that is filled in */
INTERPOSE_API const char *interpose_action_name(interpose_action action);

#endif
