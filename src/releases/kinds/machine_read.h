/* machine_read.h - a machine back from its file.  What follows from what is stated (kappa, the
 * radius, the number of features) is stated too, and must agree with what is computed from the
 * rest. */
#ifndef SFMI_MACHINE_READ_H
#define SFMI_MACHINE_READ_H

#include "releases/core/json_members.h"
#include "releases/core/release_data.h"

/* The plain members of a machine: of its model, of its encoding, of its feature map, and (in
 * "sensitivity") of its model. */
extern const sfmi_member sfmi_machine_label_members[], sfmi_machine_objective_members[],
    sfmi_machine_encoding_members[], sfmi_machine_map_members[], sfmi_machine_sensitivity_members[];

/* After everything that all releases have has been read. */
SFM_MUST_CHECK sfm_status sfmi_machine_read(const sfmi_parse_context *at, sfm_release *release,
                                            const json_t *root);
/* Whether a stated number is near to a computed one. */
bool sfmi_machine_agrees(double stated, double computed);

#endif
