/* wavelet_basis.h - the bases haar and db4 (basis.h). */
#ifndef SFMI_WAVELET_BASIS_H
#define SFMI_WAVELET_BASIS_H

#include "basis.h"

/* Its part of sfmi_basis_create: checks what it alone needs; sets constant, derived, at. */
SFM_MUST_CHECK sfm_status sfmi_wavelet_basis_complete(sfmi_basis *basis, sfm_error *error);

#endif
