/* fixed_decimals.h - numbers with as many decimals as their column is worth: fast, and short to
 * read. */
#ifndef CLI_FIXED_DECIMALS_H
#define CLI_FIXED_DECIMALS_H

#include <stdio.h>

typedef struct fixed_decimals {
  double lower, upper;
  int decimals;
  double unit; /* 10^decimals */
} fixed_decimals;

/* For numbers within the bounds, to a millionth of their distance. */
fixed_decimals fixed_decimals_for(double lower, double upper);
/* Rounded, but never beyond the bounds: rather with 17 digits. */
void fixed_decimals_write(FILE *out, const fixed_decimals *format, double value);

#endif
