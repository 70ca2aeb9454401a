/* row_persons.h - what persons decide of the rows: which of their records are kept, how they are
 * numbered, and in which part they are.
 *
 * Which records of a person are kept depends on all of them, so that rows with a person column are
 * read twice, first for their ids and hashes.  Curves have no limit, and are read once. */
#ifndef SFMI_ROW_PERSONS_H
#define SFMI_ROW_PERSONS_H

#include "rows.h"

/* Makes rows->persons for the reading under way.  Where records are chosen it reads all of them:
 * the caller rewinds. */
SFM_MUST_CHECK sfm_status sfmi_row_persons_create(sfm_rows *rows, sfm_error *error);

/* Decides for a batch of the reading, and adds it to the sum of the rows. */
SFM_MUST_CHECK sfm_status sfmi_row_persons_apply(sfm_rows *rows, const sfmi_batch *batch,
                                                 sfm_error *error);

#endif
