#include "progress.h"

#include "status.h"

sfm_status sfmi_progress(const sfm_context *context, sfm_progress at, sfm_error *error) {
  if (!context->progress || context->progress(context->progress_data, &at)) return SFM_OK;
  return sfmi_fail(error, SFM_STOPPED, "the run was stopped before it was finished");
}
