#include "density_fourier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/cmplx.h"
#include "base/system/wipe.h"

sfmi_i128 sfmi_fourier_constant(const sfmi_design_density *design,
                                const sfmi_hardening *hardening) {
  return (sfmi_i128)design->rows << -ilogb(hardening->step);
}

sfm_status sfmi_fourier_idealise(sfm_release *release, sfmi_knorm *knorm, const sfmi_i128 *values,
                                 double step, const sfm_context *context, sfm_error *error) {
  const size_t m = release->function->torus[0].terms;
  double complex *c = sfmi_alloc(m, sizeof *c);
  if (!c) return sfmi_fail_memory(error);
  /* The moments: without the features' sqrt2. */
  for (size_t k = 1; k <= m; k++)
    c[k - 1] = CMPLX((double)values[2 * k - 1] * step * M_SQRT1_2,
                     (double)values[2 * k] * step * M_SQRT1_2);
  sfm_status status = sfmi_knorm_add(knorm, c, c, release->scale, context, error);
  if (!status) {
    release->reals[0] = (double)release->rows;
    for (size_t k = 1; k <= m; k++) {
      release->reals[2 * k - 1] = M_SQRT2 * creal(c[k - 1]);
      release->reals[2 * k] = M_SQRT2 * cimag(c[k - 1]);
    }
  }
  sfmi_wipe_free(c, m, sizeof *c);
  return status;
}
