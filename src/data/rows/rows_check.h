/* rows_check.h - the owner's dry run: what a reading would clamp, drop or not understand. */
#ifndef SFMI_ROWS_CHECK_H
#define SFMI_ROWS_CHECK_H

#include "rows.h"

/* Whether they are only examined (sfm_rows_examine), so that nothing may be charged. */
bool sfmi_rows_examined(const sfm_rows *rows);

/* Instead of the first record: the report of what the reading at hand would read, and SFM_STOPPED.
 */
SFM_MUST_CHECK sfm_status sfmi_rows_examine(sfm_rows *rows, sfm_error *error);

#endif
