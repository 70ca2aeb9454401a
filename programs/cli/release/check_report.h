/* check_report.h - what `check` found, for the owner alone: in words or as JSON, and whether it is
 * too much. */
#ifndef CLI_CHECK_REPORT_H
#define CLI_CHECK_REPORT_H

#include <stdio.h>

#include "cli/core/options.h"
#include "sfumato/rows.h"

enum { CHECK_FAILED = 4 }; /* the exit code */

extern const cli_option option_most_ignored;

typedef struct check_view {
  const sfm_schema *schema; /* person and contributions */
  size_t dimension;         /* of libsvm text; 0: columns */
  const char *subject;      /* "A release of all these columns" */
  bool exact;               /* what a line would read was compared: also what lies beyond bounds */
  double most;              /* the share of rows that may be ignored or clamped */
} check_view;

/* --most-ignored into view->most. */
SFM_MUST_CHECK sfm_status check_report_read_most(check_view *view, const cli_options *options,
                                                 sfm_error *error);
void check_report_print(FILE *out, const sfm_rows_report *report, const check_view *view);
SFM_MUST_CHECK sfm_status check_report_json(const sfm_rows_report *report, const check_view *view,
                                            sfm_error *error);
/* In words on standard output, or with --json; sets the exit code. */
SFM_MUST_CHECK sfm_status check_report_show(const sfm_rows_report *report, const check_view *view,
                                            const cli_options *options, sfm_error *error);
/* Whether more of the rows is ignored or clamped than may be. */
bool check_report_fails(const sfm_rows_report *report, const check_view *view);

#endif
