/* gzip_file.h - files that may be gzip. */
#ifndef CLI_GZIP_FILE_H
#define CLI_GZIP_FILE_H

#include "cli/io/file_bytes.h"

/* Replaces the bytes of a gzip file by what is in it; others stay as they are. */
SFM_MUST_CHECK sfm_status file_gunzip(file_bytes *bytes, sfm_error *error);

#endif
