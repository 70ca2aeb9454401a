/* machine_read.h - a machine back from its file.  What follows from what is stated (kappa, the
 * radius, the number of features) is stated too, and must agree with what is computed from the
 * rest. */
#ifndef SFMI_MACHINE_READ_H
#define SFMI_MACHINE_READ_H

#include "releases/core/json_members.h"
#include "releases/core/release_data.h"

/* After everything that all releases have has been read. */
SFM_MUST_CHECK sfm_status sfmi_machine_read(const sfmi_parse_context *at, sfm_release *release,
                                            const json_t *root);
/* Whether a stated number is near to a computed one. */
bool sfmi_machine_agrees(double stated, double computed);

#endif
