/* thousands.h - numbers in sentences: "48,842", "0.05". */
#ifndef SFMI_THOUSANDS_H
#define SFMI_THOUSANDS_H

#include <stddef.h>

#define SFMI_THOUSANDS_MAX 40 /* bytes that are enough for any number */

/* The number to so many significant digits (at most 15), with commas between thousands, and without
 * an exponent below 10^15. */
void sfmi_thousands(char *out, size_t size, double number, int digits);

#endif
