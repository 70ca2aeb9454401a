/* rows_open.h - opening rows in memory. */
#ifndef SFMI_ROWS_OPEN_H
#define SFMI_ROWS_OPEN_H

#include "rows.h"

/* As sfm_rows_open, over the bytes of a file in memory (borrowed): CSV, NPY, or gzip of either.
 * block is how many bytes are read at a time, 0 for the usual number; no result depends on it. */
SFM_MUST_CHECK sfm_status sfmi_rows_open_memory(sfm_rows **out, const void *bytes, size_t size,
                                                size_t block, sfm_error *error);

/* As sfm_rows_open_sparse, likewise; memory has no name, so gzip is stated. */
SFM_MUST_CHECK sfm_status sfmi_rows_open_sparse_memory(sfm_rows **out, const void *bytes,
                                                       size_t size, size_t dimension, bool gzip,
                                                       size_t block, sfm_error *error);

#endif
