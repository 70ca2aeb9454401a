/* trigonometric_basis.h - the bases fourier and cosine (basis.h). */
#ifndef SFMI_TRIGONOMETRIC_BASIS_H
#define SFMI_TRIGONOMETRIC_BASIS_H

#include "basis.h"

/* Its part of sfmi_basis_create: checks what it alone needs; sets constant, derived, at. */
SFM_MUST_CHECK sfm_status sfmi_trigonometric_basis_complete(sfmi_basis *basis, sfm_error *error);

#endif
