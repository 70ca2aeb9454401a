/* points.h - the places at which a released function is asked for.  All public. */
#ifndef CLI_POINTS_H
#define CLI_POINTS_H

#include "file_bytes.h"
#include "csv_line.h"
#include "cli/core/options.h"
#include "sfumato/release.h"

typedef struct points {
  const double *at; /* count x dimension, row by row */
  size_t count;
  double *owned;
  file_bytes file;
} points;

/* "35,40,45.5" in one dimension; "-74.0,40.7;-73.9,40.8" in more. */
SFM_MUST_CHECK sfm_status points_from_text(points *out, const char *text, size_t dimension,
                                           sfm_error *error);
/* A CSV whose header names the columns (others are ignored), or an NPY of shape
 * (count, dimension), or (count,) in one dimension. */
SFM_MUST_CHECK sfm_status points_from_file(points *out, const char *path,
                                           const char *const *columns, size_t dimension,
                                           sfm_error *error);
void points_clear(points *p);

/* The places of the variables in a CSV's first line; file is what messages call it. */
SFM_MUST_CHECK sfm_status points_find_columns(long *places, csv_line header, const char *file,
                                              const char *const *names, size_t dimension,
                                              sfm_error *error);
/* The cells of a line at those places; false when one is missing or not a number. */
bool points_read_line(double *point, csv_line line, const long *places, size_t dimension);

/* "101" (that many along every axis) or "101x51", of the option named. */
SFM_MUST_CHECK sfm_status points_grid_counts(size_t *counts, size_t *total, const char *text,
                                             const char *option, size_t dimension,
                                             sfm_error *error);
/* The points of a grid, the last axis fastest, from lower to upper along each. */
void points_fill_grid(double *out, const size_t *counts, const double *lower, const double *upper,
                      size_t dimension);

#endif
