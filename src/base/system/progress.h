/* progress.h - tells the caller where a run is, and hears whether it goes on (sfumato/context.h).
 */
#ifndef SFMI_PROGRESS_H
#define SFMI_PROGRESS_H

#include "sfumato/context.h"

/* SFM_STOPPED where the caller wants no more; the message is for a run that has no charge. */
SFM_MUST_CHECK sfm_status sfmi_progress(const sfm_context *context, sfm_progress at,
                                        sfm_error *error);

#endif
