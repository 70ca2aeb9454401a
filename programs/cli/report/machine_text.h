/* machine_text.h - a released machine in words. */
#ifndef CLI_MACHINE_TEXT_H
#define CLI_MACHINE_TEXT_H

#include <jansson.h>
#include <stdbool.h>

#include "sfumato/machine.h"

/* "gaussian:0.5", as it is typed. */
void machine_kernel_text(char *text, size_t size, const sfm_machine *machine);

/* "y from a, b, c", "the labels from 123 coordinates": what it predicts. */
void machine_subject_text(char *text, size_t size, const sfm_release *release,
                          const sfm_machine *machine);

#endif
