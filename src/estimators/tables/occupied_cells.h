/* occupied_cells.h - how many rows are in each occupied cell of a table that is too large to store
 * every cell.
 *
 * Cells are numbers below 2^63.  New ones wait until they are as many as the distinct ones known so
 * far; then they are sorted and merged.  This takes memory for the occupied cells and as many
 * waiting, and a time that grows with the rows and does not depend on a hash. */
#ifndef SFMI_OCCUPIED_CELLS_H
#define SFMI_OCCUPIED_CELLS_H

#include "base/system/status.h"

typedef struct sfmi_occupied_cells {
  uint64_t *keys;   /* strictly ascending, */
  uint64_t *counts; /* none of them 0 */
  size_t count, room;
  uint64_t *waiting; /* as they came */
  size_t waiting_count, waiting_room;
} sfmi_occupied_cells;

/* Adds one to each of these cells; SFMI_NO_CELL (table_cells.h) is ignored. */
SFM_MUST_CHECK sfm_status sfmi_occupied_cells_add(sfmi_occupied_cells *cells, const uint64_t *keys,
                                                  size_t count, sfm_error *error);
/* After the last: keys and counts are complete. */
SFM_MUST_CHECK sfm_status sfmi_occupied_cells_finish(sfmi_occupied_cells *cells, sfm_error *error);
/* Wipes and frees.  A zeroed one is empty. */
void sfmi_occupied_cells_clear(sfmi_occupied_cells *cells);

#endif
