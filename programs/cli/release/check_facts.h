/* check_facts.h - what rows are compared with by `check`: what options and a schema state of them.
 */
#ifndef CLI_CHECK_FACTS_H
#define CLI_CHECK_FACTS_H

#include "check_report.h"
#include "sfumato/rows.h"

/* Of a table, or of the columns and the label of a machine. */
typedef struct check_facts {
  sfm_schema *schema; /* owned */
  bool machine;
  size_t dimension; /* of libsvm text; 0: columns */
  sfm_compression compression;
} check_facts;

/* From the options of `check`, or of `train`.  The caller destroys out->schema. */
SFM_MUST_CHECK sfm_status check_facts_read(check_facts *out, const cli_options *options,
                                           sfm_error *error);

/* Rows compared with them; view says with what.  The caller destroys the report. */
SFM_MUST_CHECK sfm_status check_facts_compare(sfm_rows_report **out, check_view *view,
                                              const check_facts *facts, sfm_rows *rows,
                                              sfm_error *error);

#endif
