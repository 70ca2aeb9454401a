/* sheet.h - the values of a released function as CSV, JSON or NPY. */
#ifndef CLI_SHEET_H
#define CLI_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfumato/status.h"

typedef struct value_table {
  const char *const *names; /* of the variables */
  size_t dimension;
  const double *points; /* count x dimension */
  const double *values;
  size_t count;
  const size_t *shape; /* of the NPY array, without the band's axis */
  size_t axes;
  const double *widths; /* also value - width and value + width; NULL: not */
} value_table;

/* `age,value[,lower,upper]`, then one line a point, 17 digits; or either alone. */
void table_write_csv(const value_table *t, FILE *out);
void table_write_names(const value_table *t, FILE *out);
void table_write_lines(const value_table *t, FILE *out);
/* {"points": [[..]], "values": [..]} and with the band "lower" and "upper", on one line; what is
 * not a finite number is null. */
void table_write_json(const value_table *t, FILE *out);
/* float64 of the shape stated; with the band a last axis of three: value, lower, upper. */
void table_write_npy(const value_table *t, FILE *out);

#endif
