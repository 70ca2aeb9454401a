/* head_members.h - the plain members of a file that all releases have: of "guarantee", "noise" and
 * "band".  Their structure is the release; that of the band is a sfm_band. */
#ifndef SFMI_HEAD_MEMBERS_H
#define SFMI_HEAD_MEMBERS_H

#include "json_members.h"

extern const sfmi_member sfmi_guarantee_members[], sfmi_noise_members[], sfmi_band_members[];

#endif
