/* count_release.h - the part of the release of a count that tests repeat: reading the rows. */
#ifndef SFMI_COUNT_RELEASE_H
#define SFMI_COUNT_RELEASE_H

#include "data/predicate/predicate.h"
#include "sfumato/count.h"

/* How many records of the rows satisfy the predicate (NULL: all that are kept).  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_count_read(uint64_t *count, sfm_rows *rows,
                                          sfmi_predicate *predicate,
                                          const sfm_count_settings *settings, sfm_error *error);

#endif
