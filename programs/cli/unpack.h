/* unpack.h - files that may be gzip. */
#ifndef CLI_UNPACK_H
#define CLI_UNPACK_H

#include "bytes.h"

/* Replaces the bytes of a gzip file by what is in it; others stay as they are. */
SFM_MUST_CHECK sfm_status file_unpack(file_bytes *bytes, sfm_error *error);

#endif
