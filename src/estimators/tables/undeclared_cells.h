/* undeclared_cells.h - how often each string of bytes occurs: the cells of a table whose categories
 * are not declared. */
#ifndef SFMI_UNDECLARED_CELLS_H
#define SFMI_UNDECLARED_CELLS_H

#include "base/system/status.h"

typedef struct sfmi_undeclared_cell {
  uint64_t hash;
  size_t offset; /* of its bytes */
  uint32_t length;
  uint64_t count;
} sfmi_undeclared_cell;

typedef struct sfmi_undeclared_cells {
  sfmi_undeclared_cell
      *entries; /* as they were met; sorted by their bytes after sfmi_undeclared_cells_sort */
  size_t count, room;
  size_t *slots; /* open addressing: 1 + the entry, 0 where free; at most half in use */
  size_t slot_count;
  char *bytes;
  size_t used, bytes_room;
} sfmi_undeclared_cells;

/* Adds one to the count of these bytes, length >= 1. */
SFM_MUST_CHECK sfm_status sfmi_undeclared_cells_add(sfmi_undeclared_cells *cells, const char *bytes,
                                                    uint32_t length, sfm_error *error);
/* After the last: in the order of their bytes. */
void sfmi_undeclared_cells_sort(sfmi_undeclared_cells *cells);
/* Wipes and frees.  A zeroed one is empty. */
void sfmi_undeclared_cells_clear(sfmi_undeclared_cells *cells);

#endif
