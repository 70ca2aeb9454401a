#include "session_close.h"

#include <string.h>
#include <unistd.h>

#include "cli/core/paths.h"
#include "cli/core/text.h"
#include "sfumato/release.h"

const cli_option options_session_close[] = {
    {"discard", NULL, "wipe the session without a transcript; also for an older copy"},
    {"output", "FILE", "the transcript to write, a release, usually named *.sfm", NULL, 'o'},
    {0}};

/* What is there already may be a release, and nothing else: closing cannot be repeated. */
static sfm_status check_replaceable(const char *path, sfm_error *error) {
  sfm_release *there = NULL;
  if (access(path, F_OK) != 0) return SFM_OK;
  const sfm_status status = sfm_release_read(&there, path, NULL);
  sfm_release_destroy(there);
  if (!status) return SFM_OK;
  return cli_misuse(error, "-o %.300s exists and is not a release; name a new file", path);
}

sfm_status session_close_check(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  if (!path == !options_has(options, "discard"))
    return cli_misuse(error,
                      path ? "-o and --discard exclude each other: write a transcript, or none"
                           : "-o is missing: the transcript to write; for example -o answers.sfm, "
                             "or --discard to wipe the session without one");
  if (path && strcmp(path, "-") == 0)
    return cli_misuse(error, "the transcript must be on the disk before the session is wiped; "
                             "write it to a file: -o answers.sfm");
  return path ? check_replaceable(path, error) : SFM_OK;
}

sfm_status session_close_check_paths(const char *path, const char *ledger, const char *anchor,
                                     sfm_error *error) {
  const char *kept[] = {ledger, anchor};
  for (int i = 0; i < 2; i++)
    if (kept[i] && (paths_same(path, kept[i]) || paths_journal(path, kept[i])))
      return cli_misuse(error, "-o %.300s is the path of the session's %s; name another file", path,
                        i ? "anchor" : "ledger");
  return SFM_OK;
}

void session_close_print(FILE *out, const char *session) {
  text_say(out, "closed", "%.400s: the session was wiped and removed", session);
}
