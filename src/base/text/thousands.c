#include "thousands.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/system/c_locale.h"

static const double LONGEST = 1e15; /* from here on there is an exponent */

/* Without commas. */
static void write_plain(char *out, size_t size, double number, int digits) {
  const double magnitude = fabs(number);
  if (magnitude >= pow(10, digits) && magnitude < LONGEST) {
    const double unit = pow(10, floor(log10(magnitude)) + 1 - digits);
    sfmi_snprintf(out, size, "%.0f", round(number / unit) * unit);
  } else {
    sfmi_snprintf(out, size, "%.*g", digits, number);
  }
}

void sfmi_thousands(char *out, size_t size, double number, int digits) {
  char plain[64];
  write_plain(plain, sizeof plain, number, digits);
  const size_t first = plain[0] == '-', whole = strspn(plain + first, "0123456789"),
               length = strlen(plain);
  const bool short_form = strpbrk(plain, "en") != NULL; /* an exponent, inf or nan */
  size_t used = 0;
  for (size_t i = 0; i < length && used + 2 < size; i++) {
    const size_t left = first + whole - i; /* digits before the point, this one included */
    if (!short_form && i > first && i < first + whole && left % 3 == 0) out[used++] = ',';
    out[used++] = plain[i];
  }
  if (size) out[used] = 0;
}
