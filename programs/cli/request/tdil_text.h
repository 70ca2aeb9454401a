/* tdil_text.h - the method tdil in words: how a machine is asked, and what error is expected. */
#ifndef CLI_TDIL_TEXT_H
#define CLI_TDIL_TEXT_H

#include <stdio.h>

#include "sfumato/train.h"

/* The rounds and the forecast of so many machines. */
void tdil_print_rounds(FILE *out, const sfm_probes_plan *probes, size_t machines);

#endif
