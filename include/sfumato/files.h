/* files.h - files that appear whole or not at all, gzip, and arrays of NumPy, for programs around
 * the library. */
#ifndef SFUMATO_FILES_H
#define SFUMATO_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

/* An array in NumPy's format NPY: what its header says. */
typedef struct sfm_npy {
  unsigned axes;       /* 1 or 2 */
  uint64_t lengths[2]; /* rows and columns; one axis: the second is 1 */
  bool fortran;        /* column after column, not row after row */
  char kind;           /* of an element: f (floating point), i (integer) or u (unsigned) */
  size_t size;         /* of an element in bytes: 1, 2, 4 or 8 */
  bool swapped;        /* elements have the other order of bytes than this machine */
  size_t data_offset;  /* where the elements begin */
} sfm_npy;

/* Reads the header at the beginning of an NPY file of versions 1 to 3.  size: how many bytes are
 * there; the elements need not be.  SFM_FORMAT if it is not such a file, or not an array of numbers
 * with one or two axes.  name is what messages call it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_npy_parse(sfm_npy *npy, const void *bytes, size_t size,
                                                const char *name, sfm_error *error);
/* Converts all elements (lengths[0] x lengths[1] x size bytes) to numbers, row after row.  64-bit
 * integers are rounded to the nearest. */
SFM_API void sfm_npy_numbers(double *numbers, const sfm_npy *npy, const void *elements);

#ifdef __cplusplus
}
#endif
#endif
