/* closing.h - the end of a session of any kind: a transcript that is on the disk before the session
 * is wiped, or none. */
#ifndef CLI_CLOSING_H
#define CLI_CLOSING_H

#include "options.h"

#define CLI_OPTIONS_CLOSING                                                                        \
  {"discard", NULL, "wipe the session without a transcript; an older copy, too", NULL, 0}, {       \
    "output", "FILE", "the transcript to write, a release, by custom ending in .sfm", NULL, 'o'    \
  }

/* One of -o and --discard; the file can be written, and what is there already is a release. */
SFM_MUST_CHECK sfm_status closing_check(const cli_options *options, sfm_error *error);
/* The path is no place of the session's ledger or anchor (NULL: none), be they there or not. */
SFM_MUST_CHECK sfm_status closing_apart(const char *path, const char *ledger, const char *anchor,
                                        sfm_error *error);

#endif
