/* file.h - files that appear whole or not at all.
 *
 * begin opens a temporary file beside the target; commit flushes, fsyncs, renames it over the
 * target and fsyncs the folder; abandon removes it.  Between begin and commit the old target is
 * untouched. */
#ifndef SFMI_FILE_H
#define SFMI_FILE_H

#include <stdio.h>

#include "status.h"

typedef struct sfmi_file {
  FILE *stream; /* write here */
  char *target; /* NULL for standard output */
  char *temporary;
  const char *what; /* of a private file: what messages call it; else NULL */
} sfmi_file;

/* Fails where a result must not be written: something stands there that is no regular file, or a
 * link to nothing; a SQLite database (a ledger or a session holds what nobody can make again), the
 * place of a database's journal, or an anchor.  "-" is always fine. */
SFM_MUST_CHECK sfm_status sfmi_file_check_output(const char *path, sfm_error *error);
/* SFM_INVALID where no new file can be made beside path, which is what sfmi_file_begin does. */
SFM_MUST_CHECK sfm_status sfmi_file_check_folder(const char *path, sfm_error *error);

/* "-" is standard output.  A link is followed; what is there must be a regular file, or nothing. */
SFM_MUST_CHECK sfm_status sfmi_file_begin(sfmi_file *file, const char *path, sfm_error *error);
/* For a new file with secrets: its mode is 0600 from its first byte.  Whatever has the name, also a
 * link, is refused, here and again by commit: SFM_INVALID.  what is "key". */
SFM_MUST_CHECK sfm_status sfmi_file_begin_private(sfmi_file *file, const char *path,
                                                  const char *what, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_file_commit(sfmi_file *file, sfm_error *error);
void sfmi_file_abandon(sfmi_file *file);

/* Gives a finished file its name, durably, unless something has that name: SFM_INVALID, and the
 * file stays where it was.  what is "ledger".  Not all file systems can rename so; there it has two
 * names for a moment. */
SFM_MUST_CHECK sfm_status sfmi_file_place(const char *temporary, const char *path, const char *what,
                                          sfm_error *error);

/* The path as it is from the root, so that it means the same from every folder, to be freed; NULL
 * and errno when there is none.  The file need not exist, its folder must. */
char *sfmi_file_absolute(const char *path);

/* Whether path, from the root, is that of the file with one of the endings behind its name (a
 * NULL-ended list, "" for the file itself).  False where the file can have no place. */
bool sfmi_file_is_beside(const char *path, const char *file, const char *const *endings);

/* Makes a new, renamed or removed name in the folder of path durable. */
SFM_MUST_CHECK sfm_status sfmi_file_sync_folder(const char *path, sfm_error *error);

/* The whole file in memory with a NUL behind it ("-": standard input); free with free.  Refuses
 * more than limit bytes. */
SFM_MUST_CHECK sfm_status sfmi_file_read(char **bytes, size_t *length, const char *path,
                                         size_t limit, sfm_error *error);

#endif
