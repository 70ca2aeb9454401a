/* machine_text.h - a released machine in words. */
#ifndef CLI_MACHINE_TEXT_H
#define CLI_MACHINE_TEXT_H

#include <jansson.h>
#include <stdbool.h>

#include "sfumato/machine.h"

/* "gaussian:0.5", as it is typed. */
void machine_kernel_text(char *text, size_t size, const sfm_machine *machine);
/* For `sfumato show`: what was learned. */
void machine_text_print(const sfm_release *release, const json_t *summary);
/* What the band says. */
void machine_band_text(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
                       bool pointwise);

#endif
