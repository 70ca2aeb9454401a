/* sample_table.h - `sfumato sample` of a table. */
#ifndef CLI_SAMPLE_TABLE_H
#define CLI_SAMPLE_TABLE_H

#include "sfumato/release.h"

/* Writes `count` rows drawn with the seed; format: as the verb numbers it. */
SFM_MUST_CHECK sfm_status sample_table(const sfm_release *release, const char *path,
                                       unsigned format, size_t count, uint64_t seed,
                                       sfm_error *error);

#endif
