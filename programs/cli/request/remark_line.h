/* remark_line.h - what is allowed but probably a mistake, on standard error, before anything is
 * charged.
 */
#ifndef CLI_REMARK_LINE_H
#define CLI_REMARK_LINE_H

#include "cli/core/options.h"
#include "sfumato/context.h"

/* Remarks of the library are printed, in the words of the verb's options. */
void remark_line_begin(sfm_context *context, const cli_verb *verb);

#endif
