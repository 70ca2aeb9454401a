/* partial_report.h - what is public of partial sums, in words and as JSON: nothing that depends on
 * a row. */
#ifndef CLI_PARTIAL_REPORT_H
#define CLI_PARTIAL_REPORT_H

#include "cli/core/options.h"
#include "sfumato/partial.h"

/* On standard error, of a file that was written: what it is, that it is private, what comes next.
 */
void partial_report_written(const sfm_partial *partial, const char *path);
/* On standard output, all of it. */
SFM_MUST_CHECK sfm_status partial_report_print(const sfm_partial *partial, sfm_error *error);
SFM_MUST_CHECK sfm_status partial_report_json(const sfm_partial *partial, const char *path,
                                              sfm_error *error);

#endif
