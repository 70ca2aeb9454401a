/* progress_line.h - one line on the terminal that says how far a run is: rows read, machines
 * solved, steps of a walk. */
#ifndef CLI_PROGRESS_LINE_H
#define CLI_PROGRESS_LINE_H

#include <time.h>

#include "sfumato/context.h"

typedef struct progress_line {
  time_t start, shown; /* shown: 0 where nothing was */
  uint64_t machine;    /* that is being solved, and its first gap */
  double first;
} progress_line;

/* Sets the progress of a context where standard error is a terminal.  The line must stay where it
 * is until it ends. */
void progress_line_begin(progress_line *line, sfm_context *context);
/* Removes it from the terminal. */
void progress_line_end(const progress_line *line);

#endif
