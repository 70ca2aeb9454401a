#include "binning.h"

#include <math.h>

#include "base/system/c_locale.h"

bool sfmi_binning_fits(const sfmi_binning *bins) {
  const double width = bins->upper - bins->lower, each = width / (double)bins->size;
  const double most = fmax(fabs(bins->lower), fabs(bins->upper));
  return isfinite(width * (double)bins->size) && isfinite((double)bins->size / width) &&
         each >= 8 * 0x1p-52 * most && each >= 0x1p-1000;
}

/* An edge with ten digits, or as many as it takes to be exact to a thousandth of a bin. */
static void print_edge(char text[40], double edge, double each) {
  for (int digits = 10; digits <= 17; digits++) {
    sfmi_snprintf(text, 40, "%.*g", digits, edge);
    if (fabs(sfmi_strtod(text, NULL) - edge) <= each / 1000) break;
  }
}

size_t sfmi_bin_label(const sfmi_binning *bins, char *text, size_t size, uint64_t k) {
  const double each = (bins->upper - bins->lower) / (double)bins->size;
  char lower[40], upper[40];
  print_edge(lower, sfmi_bin_edge(bins, k), each);
  print_edge(upper, sfmi_bin_edge(bins, k + 1), each);
  return (size_t)sfmi_snprintf(text, size, "%s:%s", lower, upper);
}
