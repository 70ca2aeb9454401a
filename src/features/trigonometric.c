#include "features/basis.h"

sfm_status sfmi_trigonometric_complete(sfmi_basis *basis, sfm_error *error) {
  return sfmi_fail(error, SFM_INTERNAL, "the basis %s is not there yet",
                   sfmi_family_name(basis->family));
}
