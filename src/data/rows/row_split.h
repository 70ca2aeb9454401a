/* row_split.h - the records of a CSV divided among files, one per part, by their persons.
 *
 *  1. A record goes to the part that row_persons.c would say: its hash is computed by the reader
 *     itself, of a copy of the lines, as reading changes them.
 *  2. Files are made FILES_OPEN at a time, in as many passes; they have their names at the end of
 *     their pass, and lose them if a later pass fails. */
#ifndef SFMI_ROW_SPLIT_H
#define SFMI_ROW_SPLIT_H

#include "rows.h"

/* sfm_rows_split with the keys of a dataset; arguments other than rows and schema were checked. */
SFM_MUST_CHECK sfm_status sfmi_row_split(sfm_rows *rows, const sfm_context *context,
                                         const sfmi_row_keys *keys, const char *pattern,
                                         uint64_t parts, sfm_error *error);

#endif
