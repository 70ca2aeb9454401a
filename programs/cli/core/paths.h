/* paths.h - the files that a command names: which are private, public, kept or written, and that
 * none of them is taken for another.
 *
 * An option that names a file says so in its placeholder (FILE, or a word that may be @FILE); what
 * the file is to the command stands in one table in paths.c.  One that the table does not know is
 * taken for public, with a note.  Files are compared by path, and by device and inode with links
 * followed, never by what they hold: that would answer a guess of what the private file holds. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include "options.h"

/* Fails with SFM_INVALID, before anything is read or charged, where
 *   a file that is taken for public is also a private one,
 *   a ledger, session or anchor is named as anything else too,
 *   a result would overwrite a file that the command names, or cannot be written at all,
 *   two inputs are standard input. */
SFM_MUST_CHECK sfm_status paths_check(const cli_options *options, sfm_error *error);

/* One line on standard error for every public file that a release or an answer shows or depends
 * on, the first time it is called.  Verbs that charge call it when public input is in order, before
 * the charge; main does after all others, unless they were misused. */
void paths_note(const cli_options *options);

/* Whether both lead to one file, by whatever name ("-": standard input), or name the same place. */
bool paths_same(const char *path, const char *other);
/* Whether path is where SQLite keeps the journal of a database. */
bool paths_journal(const char *path, const char *database);

#endif
