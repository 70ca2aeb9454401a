/* option_help.h - a verb's table of options as help text and as a section of the manual page. */
#ifndef CLI_OPTION_HELP_H
#define CLI_OPTION_HELP_H

#include <stdio.h>

#include "options.h"

/* The verb's help, for a terminal of 80 columns; and its section of the manual page. */
void options_print_help(const cli_verb *verb, FILE *out);
void options_print_manual(const cli_verb *verb, FILE *out);

#endif
