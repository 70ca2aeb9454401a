/* fixed.h - numbers with as many decimals as their column is worth: fast, and short to read. */
#ifndef CLI_FIXED_H
#define CLI_FIXED_H

#include <stdio.h>

typedef struct fixed_format {
  double lower, upper;
  int decimals;
  double unit; /* 10^decimals */
} fixed_format;

/* For numbers within the bounds, to a millionth of their distance. */
fixed_format fixed_of(double lower, double upper);
/* Rounded, but never beyond the bounds: rather with 17 digits. */
void fixed_write(FILE *out, const fixed_format *format, double value);

#endif
