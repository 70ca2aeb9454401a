/* figure_output.h - where a figure goes: into a picture file, or onto the terminal. */
#ifndef CLI_FIGURE_OUTPUT_H
#define CLI_FIGURE_OUTPUT_H

#include "draw/bars.h"
#include "draw/draw.h"
#include "draw/regions.h"
#include "draw/tiles.h"
#include "cli/core/options.h"

extern const cli_option option_picture;
#define CLI_OPTION_PICTURE(usual)                                                                  \
  { .same = &option_picture, .fallback = usual }

/* Fails, before any work is done, when path (NULL is fine) is no picture's name; option is what
 * messages call it: "-o". */
SFM_MUST_CHECK sfm_status figure_output_check(const char *option, const char *path,
                                              sfm_error *error);

/* The terminal's size in characters. */
void figure_output_terminal_size(unsigned *columns, unsigned *rows);

/* Writes the picture and says so on standard error; with path NULL, draws on standard output. */
SFM_MUST_CHECK sfm_status figure_output_draw(const draw_figure *figure, const char *path,
                                             sfm_error *error);
SFM_MUST_CHECK sfm_status figure_output_regions(const draw_regions *regions, const char *path,
                                                sfm_error *error);
SFM_MUST_CHECK sfm_status figure_output_bars(const draw_bars *bars, const char *path,
                                             sfm_error *error);
/* The same; where *fits is false there is no room to read them, and nothing is drawn. */
SFM_MUST_CHECK sfm_status figure_output_tiles(bool *fits, const draw_tiles *tiles, const char *path,
                                              sfm_error *error);

#endif
