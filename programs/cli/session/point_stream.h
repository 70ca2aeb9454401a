/* point_stream.h - points that arrive line by line, on a pipe or from a person: CSV, whose first
 * line names the variables (other columns are ignored) or is the first point already, its cells in
 * the variables' order.  As many numbers as variables are a point, whatever the variables are
 * called (those of an NPY array 0, 1, ...). */
#ifndef CLI_POINT_STREAM_H
#define CLI_POINT_STREAM_H

#include "cli/core/options.h"
#include "cli/io/file_bytes.h"
#include "sfumato/density.h"

/* The variables that a point must have, and where. */
typedef struct point_domain {
  size_t dimension;
  const char *names[SFM_MAX_DIMENSION];
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
} point_domain;

/* Fails for a point outside; place says in messages where it stood. */
SFM_MUST_CHECK sfm_status point_domain_check(const point_domain *domain, const double *point,
                                             const char *place, sfm_error *error);

/* Most points handed on at a time. */
enum { POINT_STREAM_MAX = 4096 };

typedef struct point_stream {
  const point_domain *domain;
  int descriptor;
  const char *name; /* for messages */
  char *buffer;
  size_t start, end; /* bytes that were read and not yet used */
  bool ended;
  size_t line; /* lines used up */
  long places[SFM_MAX_DIMENSION];
  bool bare; /* no line named the variables: every line is a point and nothing else */
} point_stream;

/* "-" is standard input.  Clear with point_stream_clear, also after a failure. */
SFM_MUST_CHECK sfm_status point_stream_open(point_stream *q, const char *path,
                                            const point_domain *domain, sfm_error *error);
void point_stream_clear(point_stream *q);

/* The points of the complete lines that have arrived, up to POINT_STREAM_MAX, into at (room for
 * as many x dimension); blank lines are passed over.  Waits only when there are none, and *count is
 * 0 only at the end of the input.  A line that is not a point of the domain fails, naming it, once
 * those before it have been handed on. */
SFM_MUST_CHECK sfm_status point_stream_next(point_stream *q, double *at, size_t *count,
                                            sfm_error *error);

#endif
