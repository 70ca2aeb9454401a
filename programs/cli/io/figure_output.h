/* figure_output.h - where a figure goes: into a picture file, or onto the terminal. */
#ifndef CLI_FIGURE_OUTPUT_H
#define CLI_FIGURE_OUTPUT_H

#include "draw/draw.h"
#include "cli/core/options.h"

#define CLI_OPTION_PICTURE(fallback)                                                               \
  { "output", "FILE", "the picture to write; its name ends in .svg, .png or .pdf", fallback, 'o' }

/* Fails, before any work is done, when path (NULL is fine) is no picture's name; option is what
 * messages call it: "-o". */
SFM_MUST_CHECK sfm_status figure_output_check(const char *option, const char *path,
                                              sfm_error *error);

/* The terminal's size in characters. */
void figure_output_terminal_size(unsigned *columns, unsigned *rows);

/* Writes the picture and says so on standard error; with path NULL, draws on standard output. */
SFM_MUST_CHECK sfm_status figure_output_draw(const draw_figure *figure, const char *path,
                                             sfm_error *error);

#endif
