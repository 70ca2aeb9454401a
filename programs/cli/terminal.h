/* terminal.h - what reaches the person at the terminal.  Data on standard output stays as it is in
 * files and pipes; on a terminal it is shown as text_harmless shows it, so that no name in a file
 * can move the cursor, change the title or turn letters round. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdio.h>

/* Before anything is printed. */
void terminal_guard(void);
/* Standard output as it is, for drawings, whose texts are clean (draw/wording.h), and for styles.
 */
FILE *terminal_drawing(void);

#endif
