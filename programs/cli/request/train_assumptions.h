/* train_assumptions.h - what a machine is told about labels and columns, in words.  All of it is
 * public.  Part of it may come from a default or a schema, not from an option. */
#ifndef CLI_TRAIN_ASSUMPTIONS_H
#define CLI_TRAIN_ASSUMPTIONS_H

#include "train_options.h"

/* Two lines: what is taken for the labels, and for the columns. */
void train_assumptions_print(FILE *out, const train_options *s);

#endif
