/* terminal_filter.h - what reaches the person at the terminal.  Data on standard output stays as it
 * is in files and pipes; on a terminal it is shown as text_harmless shows it, so that no name in a
 * file can move the cursor, change the title or turn letters round. */
#ifndef CLI_TERMINAL_FILTER_H
#define CLI_TERMINAL_FILTER_H

#include <stdio.h>

/* Before anything is printed. */
void terminal_filter_start(void);
/* Standard output as it is, for drawings, whose texts are clean (draw/text_layout.h), and for
 * styles. */
FILE *terminal_unfiltered(void);

#endif
