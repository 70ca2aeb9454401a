/* value_table.h - the values of a released function as CSV, JSON or NPY. */
#ifndef CLI_VALUE_TABLE_H
#define CLI_VALUE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfumato/status.h"

/* The groups of a release: their columns' names and, group after group, their categories. */
typedef struct value_table_groups {
  const char *const *names;
  size_t columns;
  const char *const *labels; /* count x columns */
  const double *sizes;
  double deviation; /* of the noise of each size */
  size_t count;     /* 0: there are none */
} value_table_groups;

/* How values are written. */
enum { VALUES_CSV, VALUES_JSON, VALUES_NPY };

typedef struct value_table {
  const char *const *names; /* of the variables */
  size_t dimension;
  const double *points; /* count x dimension */
  /* In place of the points, what each value is called, of the one variable names[0]; NULL: not. */
  const char *const *texts;
  const double *values; /* of groups: count of the first, then count of the next, ... */
  size_t count;
  const size_t *shape; /* of the NPY array, without the band's axis */
  size_t axes;
  const double *widths; /* also value - width and value + width; NULL: not */
  value_table_groups by;
} value_table;

/* Of CSV, `[sex,region,]age,value[,lower,upper]`, and one line per point. */
void value_table_write_names(const value_table *t, FILE *out);
void value_table_write_lines(const value_table *t, FILE *out);
/* A name of its first line, in quotes where it needs them. */
void value_table_write_name(FILE *out, const char *name);
/* {"points": [[..]], "values": [..]} and with the band "lower" and "upper", on one line; what is
 * not a finite number is null; texts stand under "queries" in place of "points".  Of groups:
 * {"points", "size_error", "groups": [{"group": {"sex": "F",
 * ..}, "size", "values", ..}]}. */
void value_table_write_json(const value_table *t, FILE *out);
/* float64 of the shape stated; with the band a last axis of three: value, lower, upper; of groups a
 * first one of them. */
void value_table_write_npy(const value_table *t, FILE *out);

/* Writes it to path (NULL or "-": standard output) in a format from above. */
SFM_MUST_CHECK sfm_status value_table_write(const value_table *t, unsigned format, const char *path,
                                            sfm_error *error);

#endif
