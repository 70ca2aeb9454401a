/* session_close.h - the end of a session of any kind: a transcript that is on the disk before the
 * session is wiped, or none. */
#ifndef CLI_SESSION_CLOSE_H
#define CLI_SESSION_CLOSE_H

#include "cli/core/options.h"

extern const cli_option options_session_close[];

/* One of -o and --discard; the file can be written, and what is there already is a release. */
SFM_MUST_CHECK sfm_status session_close_check(const cli_options *options, sfm_error *error);
/* The path is no place of the session's ledger or anchor (NULL: none), be they there or not. */
SFM_MUST_CHECK sfm_status session_close_check_paths(const char *path, const char *ledger,
                                                    const char *anchor, sfm_error *error);
/* That the session was wiped. */
void session_close_print(FILE *out, const char *session);

#endif
