#include "fixed_decimals.h"

#include <math.h>

#include "output.h"

fixed_decimals fixed_decimals_for(double lower, double upper) {
  const double wanted = 6 - floor(log10(upper - lower));
  const int decimals = (int)fmin(fmax(wanted, 0), 17);
  return (fixed_decimals){lower, upper, decimals, pow(10, decimals)};
}

void fixed_decimals_write(FILE *out, const fixed_decimals *format, double value) {
  const double scaled = round(value * format->unit), rounded = scaled / format->unit;
  /* Beyond 2^53 the digits would not be those of the number. */
  if (!(fabs(scaled) < 0x1p53) || rounded < format->lower || rounded > format->upper) {
    output_number(out, value, "nan");
    return;
  }
  char text[40], *at = text + sizeof text;
  unsigned long long digits = (unsigned long long)fabs(scaled);
  for (int i = 0; i < format->decimals || digits > 0 || i == format->decimals; i++) {
    if (i == format->decimals && i > 0) *--at = '.';
    *--at = (char)('0' + digits % 10);
    digits /= 10;
  }
  if (scaled < 0) *--at = '-';
  fwrite(at, 1, (size_t)(text + sizeof text - at), out);
}
