/* npy_array.h - NumPy's .npy files: magic, version, length of a Python dictionary, the dictionary,
 * the data. */
#ifndef CLI_NPY_ARRAY_H
#define CLI_NPY_ARRAY_H

#include "file_bytes.h"
#include "sfumato/files.h"

typedef struct npy_array {
  const char *data; /* in the file's bytes */
  size_t shape[2];
  unsigned axes; /* 1 or 2 */
  sfm_npy npy;
} npy_array;

bool npy_is(const file_bytes *bytes);
/* Reads the header: one or two axes of numbers. */
SFM_MUST_CHECK sfm_status npy_open(npy_array *out, const file_bytes *bytes, sfm_error *error);
/* The numbers, row by row.  When they already lie in the file that way, *owned is NULL and they
 * are borrowed from it. */
SFM_MUST_CHECK sfm_status npy_numbers(const double **out, double **owned, const npy_array *array,
                                      sfm_error *error);
/* The bytes of an NPY header for float64 of that shape; at most 192 of them, into buffer. */
size_t npy_header(char *buffer, const size_t *shape, size_t axes);

#endif
