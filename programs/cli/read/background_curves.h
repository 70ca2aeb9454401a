/* background_curves.h - curves of a wide CSV that are drawn behind a release, as they are:
 * simulated or public ones. */
#ifndef CLI_BACKGROUND_CURVES_H
#define CLI_BACKGROUND_CURVES_H

#include "cli/core/options.h"
#include "cli/formats/curve_columns.h"
#include "draw/draw.h"
#include "sfumato/release.h"

#define CLI_OPTION_OVER                                                                            \
  {                                                                                                \
    "over", "FILE",                                                                                \
        "a wide CSV of curves, one per line after the header, to draw thinly in the background. "  \
        "They are NOT protected: use simulated or public curves",                                  \
        NULL, 0                                                                                    \
  }

typedef struct background_curves {
  curve_columns w;
  double *values; /* count curves of w.count values */
  size_t count;
  char name[128];
} background_curves;

/* Reads --over, --columns and --grid; without --columns all columns of the file, without --grid the
 * points of the release.  Nothing when --over is not given.  Clear also after a failure. */
SFM_MUST_CHECK sfm_status background_curves_read(background_curves *b, const cli_options *options,
                                                 const sfm_release *release, sfm_error *error);
void background_curves_clear(background_curves *b);

/* Puts the curves into the figure, which borrows them, and says on standard error what that means.
 */
void background_curves_show(const background_curves *b, draw_figure *figure);

#endif
