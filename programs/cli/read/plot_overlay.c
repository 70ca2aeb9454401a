#include "plot_overlay.h"

/* Curves that can be told apart. */
enum { MOST = 8 };

const cli_option option_overlay = {
    "overlay", NULL,
    "groups, or several releases, of one variable: all curves in one plot, each in a colour of its "
    "own, instead of side by side; with -o",
    NULL, 0};

sfm_status plot_overlay_read(bool *overlaid, const draw_figure *figure, const cli_options *options,
                             sfm_error *error) {
  *overlaid = options_has(options, "overlay");
  if (!*overlaid) return SFM_OK;
  if (figure->dimension != 1)
    return cli_misuse(error, "--overlay is for curves, but these are maps; leave it out");
  if (figure->panel_count > MOST)
    return cli_misuse(error,
                      "--overlay: %zu curves are too many for one plot, in which up to %d can be "
                      "told apart: name some of them, or leave it out",
                      figure->panel_count, (int)MOST);
  if (!options_has(options, "output"))
    return cli_misuse(error, "--overlay is for picture files, where curves have colours: add -o "
                             "FILE.svg, or leave it out");
  return SFM_OK;
}
