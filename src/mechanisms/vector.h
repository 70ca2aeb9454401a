/* vector.h - the steps of a hardened vector release that the audit repeats many times. */
#ifndef SFMI_VECTOR_H
#define SFMI_VECTOR_H

#include "mechanisms/harden.h"
#include "sfumato/vector.h"

/* Law, step and sensitivity for checked settings; mu is used by normal noise only. */
SFM_MUST_CHECK sfm_status sfmi_vector_hardening(sfmi_hardening *out,
                                                const sfm_vector_settings *settings, size_t length,
                                                double mu, sfm_error *error);

/* theta in steps: NaN as zero, the rest clamped to the range and rounded once. */
void sfmi_vector_integers(sfmi_i128 *values, const double *theta, size_t length, double step);

#endif
