/* signals.h - what SIGINT, SIGTERM, SIGHUP, SIGPIPE and SIGXFSZ do to the command.
 *
 *   free       the first of INT, TERM, HUP ends the command at once, without its temporary files
 *   deferred   something was charged, or is being made: the first one is told and waits until the
 *              command is done; the second ends it at once and says how to go on
 *   held       for moments, in either state: a file or the ledger is being written, and nothing is
 *              done before that is over
 *
 * In every case the command ends by the signal itself, so that whoever sent it sees that.  SIGPIPE
 * ends a command that is free, quietly; otherwise the write fails, and the command says so. SIGXFSZ
 * is ignored: the write fails.  Signals that are ignored from the start, as under nohup, stay so.
 *
 * All of it is for the main thread; a signal that another thread gets is handed on to it. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/* The first thing that the command does, and the last: ends by the signal that came, if one did,
 * and returns the code otherwise. */
void signals_start(void);
int signals_finish(int code);

/* In pairs, which may be nested. */
void signals_hold(void);
void signals_release(void);

/* From here on deferred: what is finished first ("request one is charged"), and how to go on when
 * it is not ("repeat the command with --request one").  Copied. */
void signals_defer(const char *what, const char *how);
/* Free again.  A signal that came is left to signals_finish: the caller asks and comes to an
 * end. */
void signals_settle(void);
bool signals_came(void);
/* How to go on when what is deferred cannot be finished, or NULL. */
const char *signals_deferred(void);

/* A ledger is named, and is not charged before signals_defer: said when a signal ends the
 * command. */
void signals_expect_charge(void);

/* A temporary file that is removed when a signal ends the command; the path is borrowed until it is
 * forgotten, by the same pointer. */
void signals_add_temporary(const char *path);
void signals_forget_temporary(const char *path);

#endif
