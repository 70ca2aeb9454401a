/* files.h - files that appear whole or not at all, and gzip, for programs around the library. */
#ifndef SFUMATO_FILES_H
#define SFUMATO_FILES_H

#include <stdio.h>

#include "sfumato/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_output sfm_output;

/* Opens a temporary file beside path, whose file stays as it is until commit.  A link is followed.
 * The caller ends it with commit or abandon. */
SFM_API SFM_MUST_CHECK sfm_status sfm_output_begin(sfm_output **out, const char *path,
                                                   sfm_error *error);
/* Where to write, and the path of the temporary file, until commit or abandon. */
SFM_API FILE *sfm_output_stream(const sfm_output *output);
SFM_API const char *sfm_output_temporary(const sfm_output *output);
/* Flushes, fsyncs, renames the file into place and fsyncs the folder; if it fails, nothing stays
 * behind.  Destroys output in any case. */
SFM_API SFM_MUST_CHECK sfm_status sfm_output_commit(sfm_output *output, sfm_error *error);
/* Removes the temporary file and destroys output, which may be NULL. */
SFM_API void sfm_output_abandon(sfm_output *output);

/* Unpacks gzip data in memory into *bytes, which the caller frees with sfm_free.  Data that are not
 * gzip are not copied: *bytes is then NULL.  name is what messages call them. */
SFM_API SFM_MUST_CHECK sfm_status sfm_gunzip(char **bytes, size_t *length, const void *packed,
                                             size_t size, const char *name, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
