/* partial_split.c - rows divided by person, as the parts of their partials are. */
#include <string.h>

#include "data/rows/row_split.h"
#include "ledger/dataset_key.h"
#include "sfumato/partial.h"

sfm_status sfm_rows_split(sfm_rows *rows, const sfm_context *context, const sfm_key *key,
                          const char *pattern, uint64_t parts, sfm_error *error) {
  const char *mark = strchr(pattern, '%');
  if (!context->schema) return sfmi_fail(error, SFM_INVALID, "context.schema is NULL");
  if (!key)
    return sfmi_fail(
        error, SFM_INVALID,
        "the key of the dataset is missing (sfm_ledger_key): by it persons are divided "
        "among the parts");
  if (parts < 1 || parts > SFM_SPLIT_MAX)
    return sfmi_fail(error, SFM_INVALID, "rows are divided among 1 to %d parts, not %llu",
                     SFM_SPLIT_MAX, (unsigned long long)parts);
  if (!mark || strchr(mark + 1, '%'))
    return sfmi_fail(error, SFM_INVALID,
                     "the path of the files, %.200s, needs one %% for the number of the part, as "
                     "in rows-%%.csv",
                     pattern);
  return sfmi_row_split(rows, context, &key->keys, pattern, parts, error);
}
