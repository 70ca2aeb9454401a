/* machine_kind.h - a machine as a kind of release. */
#ifndef SFMI_MACHINE_KIND_H
#define SFMI_MACHINE_KIND_H

#include "releases/core/release_kind.h"

extern const sfmi_release_kind sfmi_machine_kind;

#endif
