/* settings_members.h - what every member of public settings must be, whatever the mechanism. */
#ifndef SFMI_SETTINGS_MEMBERS_H
#define SFMI_SETTINGS_MEMBERS_H

#include "sfumato/status.h"

/* Checks settings of that type ("sfm_density_settings"), a whole copy of them: enumerations have
 * one of their values, a list that has elements is there, and so is every text of a list of texts.
 * A type without such members is not listed and passes. */
SFM_MUST_CHECK sfm_status sfmi_settings_check_members(const void *settings, const char *type,
                                                      sfm_error *error);

#endif
