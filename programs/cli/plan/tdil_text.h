/* tdil_text.h - what is said of the method tdil: how a machine is asked, and what is to be expected
 * of it. */
#ifndef CLI_TDIL_TEXT_H
#define CLI_TDIL_TEXT_H

#include <stdio.h>

#include "cli/request/train_options.h"
#include "sfumato/plan.h"

/* The rounds and the forecast of so many machines. */
void tdil_print_rounds(FILE *out, const sfm_probes *probes, size_t machines);
/* Theorem 5 or 8 (docs/proofs/kernel-limits.md) beside a plan. */
void tdil_print_limit(const sfm_plan *plan, const train_options *s, uint64_t rows,
                      unsigned theorem);
/* The rounds and the forecast of a plan, and theorem 8. */
void tdil_print_plan(const sfm_plan *plan, const train_options *s, uint64_t rows);

#endif
