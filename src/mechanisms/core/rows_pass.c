#include "rows_pass.h"

#include "base/system/progress.h"

sfm_status sfmi_public_rows(uint64_t *count, sfm_rows *rows, const sfm_schema *schema,
                            sfm_error *error) {
  *count = 0;
  if (sfm_schema_neighbours(schema) != SFM_NEIGHBOURS_REPLACE) return SFM_OK;
  sfm_status status = sfm_rows_count(rows, count, error);
  if (status || *count > 0) return status;
  return sfmi_fail(error, SFM_INVALID,
                   "there are no records: under replace neighbours the number of records is "
                   "public and must be at least 1");
}

bool sfmi_rows_pass_next(sfmi_rows_pass *pass, const sfmi_batch **batch, sfm_status *status,
                         sfm_error *error) {
  if (*status) return false;
  if (pass->pending) {
    pass->done += pass->pending;
    *status = sfmi_progress(pass->context,
                            (sfm_progress){.stage = SFM_STAGE_READING, .done = pass->done}, error);
  }
  *batch = NULL;
  if (!*status) *status = sfmi_rows_next(pass->rows, batch, error);
  if (*status || !*batch) return false;
  pass->pending = (*batch)->rows;
  return true;
}
