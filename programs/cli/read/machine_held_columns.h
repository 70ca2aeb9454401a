/* machine_held_columns.h - the columns of a machine that are no axes of its picture: what each of
 * them is there, as --hold states it or by a public rule. */
#ifndef CLI_MACHINE_HELD_COLUMNS_H
#define CLI_MACHINE_HELD_COLUMNS_H

#include <stdbool.h>

#include "sfumato/machine.h"

typedef struct machine_held_columns {
  const sfm_release *release; /* borrowed, as the axes are */
  const size_t *axes;
  size_t axis_count, count; /* of columns */
  double *cells;            /* one per column */
  bool *stated;             /* which of them --hold states */
} machine_held_columns;

/* text: that of --hold, "age=40,sex=F", or NULL.  What it does not name is at the middle of its
 * bounds, or the first category that stands for a value.  Clear also after a failure. */
SFM_MUST_CHECK sfm_status machine_held_columns_read(machine_held_columns *h,
                                                    const sfm_release *release, const size_t *axes,
                                                    size_t axis_count, const char *text,
                                                    sfm_error *error);
void machine_held_columns_clear(machine_held_columns *h);
/* Adds "Held as stated: age = 40. Held at ...: ". */
void machine_held_columns_say(const machine_held_columns *h, char *note, size_t size);

#endif
