#include "rows_pass.h"

#include "base/system/progress.h"

sfm_status sfmi_public_rows(uint64_t *count, sfm_rows *rows, const sfm_schema *schema,
                            sfm_error *error) {
  *count = 0;
  if (sfm_schema_neighbours(schema) != SFM_NEIGHBOURS_REPLACE) return SFM_OK;
  sfm_status status = sfm_rows_count(rows, count, error);
  if (status || *count > 0) return status;
  return sfmi_fail(error, SFM_INVALID,
                   "there are no records, only a header line at most: under replace neighbours the "
                   "number of records is "
                   "public and must be at least 1");
}

/* Rows from word to word, after the first batch: a listener that is not of C takes its time. */
static const uint64_t TOLD_EVERY = 1 << 17;

static sfm_status tell(sfmi_rows_pass *pass, sfm_error *error) {
  pass->told = pass->done;
  return sfmi_progress(pass->context,
                       (sfm_progress){.stage = SFM_STAGE_READING, .done = pass->done}, error);
}

bool sfmi_rows_pass_next(sfmi_rows_pass *pass, const sfmi_batch **batch, sfm_status *status,
                         sfm_error *error) {
  if (*status) return false;
  pass->done += pass->pending;
  pass->pending = 0;
  if (pass->done && (!pass->told || pass->done - pass->told >= TOLD_EVERY))
    *status = tell(pass, error);
  *batch = NULL;
  if (!*status) *status = sfmi_rows_next(pass->rows, batch, error);
  if (!*status && !*batch && pass->done > pass->told) *status = tell(pass, error);
  if (*status || !*batch) return false;
  pass->pending = (*batch)->rows;
  return true;
}
