/* rows_pass.h - rows as mechanisms read them: their number, where it is public, and one pass over
 * them, batch by batch, with word of its progress. */
#ifndef SFMI_ROWS_PASS_H
#define SFMI_ROWS_PASS_H

#include "data/rows/rows.h"
#include "sfumato/context.h"

/* The number of records, where it is public; else 0.  SFM_INVALID when it is public and 0. */
SFM_MUST_CHECK sfm_status sfmi_public_rows(uint64_t *count, sfm_rows *rows,
                                           const sfm_schema *schema, sfm_error *error);

/* A pass over rows that stand before the first record. */
typedef struct sfmi_rows_pass {
  sfm_rows *rows;             /* borrowed */
  const sfm_context *context; /* whose progress is told; borrowed */
  uint64_t done, pending;     /* rows before the last batch, rows of it */
  uint64_t told;              /* of which it was told: of the first batch, of some, of all */
} sfmi_rows_pass;

/* The next batch.  False at the end, and where *status is a failure, from before or from now.  The
 * batch before counts as done. */
bool sfmi_rows_pass_next(sfmi_rows_pass *pass, const sfmi_batch **batch, sfm_status *status,
                         sfm_error *error);

#endif
