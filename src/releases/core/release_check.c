#include "release_check.h"

#include <math.h>

#include "release_kind.h"

sfm_status sfmi_release_check(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_release_kind *kind = release->kind;
  if ((release->length == 0 && !kind->empty) || release->length > SFMI_RELEASE_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s: between 1 and %zu coefficients are possible, not %zu",
                     name, SFMI_RELEASE_MAX, release->length);
  const bool scaled = isfinite(release->scale) || kind->scaleless;
  if (!(release->scale >= 0) || !scaled || !(release->step >= 0) || !isfinite(release->step) ||
      (release->hardened && release->step == 0))
    return sfmi_fail(error, SFM_FORMAT, "%s: noise needs a scale and a positive step", name);
  const bool rings = release->refined.done || release->method == SFMI_LATTICE ||
                     release->method == SFMI_FOURIER_LAPLACE ||
                     release->method == SFMI_CARATHEODORY;
  for (size_t a = 0; a < release->dimension; a++)
    if (release->boundary[a] != SFM_OPEN && !rings)
      return sfmi_fail(error, SFM_FORMAT, "%s: a release by %s has no boundary but open", name,
                       sfmi_method_name(release->method));
  return kind->check ? kind->check(release, name, error) : SFM_OK;
}
