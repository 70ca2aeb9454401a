/* arrow_column.h - the cells of one column of one chunk of an Arrow stream, where they are.
 *
 * The interface states no sizes of buffers, so that what points beyond them cannot be noticed;
 * everything that can be is: lengths, numbers of buffers and children, missing buffers (which
 * fail), and offsets, views and places in dictionaries (which make empty cells). */
#ifndef SFMI_ARROW_COLUMN_H
#define SFMI_ARROW_COLUMN_H

#include "arrow_type.h"
#include "base/system/status.h"
#include "base/text/frame_value.h"
#include "data/batch/cell.h"

typedef struct sfmi_arrow_column sfmi_arrow_column;
struct sfmi_arrow_column {
  sfmi_arrow_type type;
  int64_t length;              /* cells, from 0 */
  int64_t offset;              /* of cell 0 in the buffers */
  const uint8_t *validity;     /* NULL: all are there */
  const uint8_t *data;         /* elements, offsets or views */
  const uint8_t *bytes;        /* texts; may be NULL where none has any */
  int64_t byte_count;          /* of them, by the last offset */
  const void *const *variadic; /* views: buffers of long texts, */
  const uint8_t *sizes;        /* their sizes (64 bits each), */
  int64_t variadic_count;      /* and their number */
  const uint8_t *row_validity; /* of the record batch; NULL: all rows are there */
  int64_t row_offset;
  const sfmi_arrow_column *dictionary; /* where the cells are places in one, of a
                                        * column without; else NULL */
};

/* Looks at an array of that type: length cells from its own offset and `skip` on.  dictionary is
 * NULL if the type has none.  name is for the message.  Everything is borrowed. */
SFM_MUST_CHECK sfm_status sfmi_arrow_column_init(sfmi_arrow_column *column,
                                                 const sfmi_arrow_type *type,
                                                 const struct ArrowArray *array, int64_t skip,
                                                 int64_t length,
                                                 const sfmi_arrow_column *dictionary,
                                                 const char *name, sfm_error *error);

/* Cell i, of which the text stands in the buffers or in room. */
void sfmi_arrow_column_cell(sfmi_cell *cell, const sfmi_arrow_column *column, int64_t i,
                            char room[SFMI_FRAME_ROOM], locale_t c);
/* The numbers of count cells from `first` on; NaN where there is none. */
void sfmi_arrow_column_numbers(double *numbers, const sfmi_arrow_column *column, int64_t first,
                               size_t count, locale_t c);

#endif
