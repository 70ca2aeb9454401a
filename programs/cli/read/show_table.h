/* show_table.h - `sfumato show` of a table. */
#ifndef CLI_SHOW_TABLE_H
#define CLI_SHOW_TABLE_H

#include <jansson.h>

#include "sfumato/release.h"

/* Columns, margins, thresholds. */
void show_table_facts(const sfm_release *release, const json_t *summary);
/* The cells, or the largest of them. */
SFM_MUST_CHECK sfm_status show_table_cells(const sfm_release *release, sfm_error *error);

#endif
