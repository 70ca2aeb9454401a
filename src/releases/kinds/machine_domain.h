/* machine_domain.h - whether points of a machine are within its domain, where a point beyond it is
 * to be refused and not clamped. */
#ifndef SFMI_MACHINE_DOMAIN_H
#define SFMI_MACHINE_DOMAIN_H

#include "machine_values.h"

/* Fails naming the first point that has a number beyond its bounds, none at all, or a category that
 * is not declared.  Points that are longer than the clip are within. */
SFM_MUST_CHECK sfm_status sfmi_machine_domain_check(const sfmi_encoding *encoding,
                                                    const sfmi_machine_points *points,
                                                    sfm_error *error);

#endif
