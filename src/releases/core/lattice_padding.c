#include "lattice_padding.h"

#include <math.h>

#include "base/math/fft.h"
#include "release_data.h"

/* Zero-padding in bandwidths: exp(-9^2/2) = 2.6e-18. */
static const double PADDING = 9;

size_t sfmi_lattice_padded(const sfmi_lattice_axis *axis, double h) {
  if (axis->boundary == SFM_PERIODIC) return axis->cells;
  if (axis->boundary == SFM_REFLECT) return 2 * axis->cells;
  double needed = (double)axis->points + ceil(PADDING * h / axis->spacing);
  /* Smooth numbers are rare among large ones, and nothing of that size fits. */
  if (needed > 2.0 * (double)SFMI_PADDED_MAX) return needed < 1e18 ? (size_t)needed : SIZE_MAX;
  return sfmi_fft_odd_size((size_t)needed);
}

size_t sfmi_lattice_modes(size_t padded) {
  return padded - (padded % 2 == 0);
}
