/* backdrop.h - curves of a wide CSV that are drawn behind a release, as they are: simulated or
 * public ones. */
#ifndef CLI_BACKDROP_H
#define CLI_BACKDROP_H

#include "draw/draw.h"
#include "options.h"
#include "sfumato/release.h"
#include "wide.h"

#define CLI_OPTION_OVER                                                                            \
  {                                                                                                \
    "over", "FILE",                                                                                \
        "a wide CSV whose curves, one a line after the header, are drawn thinly behind: "          \
        "simulated "                                                                               \
        "or public ones, for what is drawn there is not private",                                  \
        NULL, 0                                                                                    \
  }

typedef struct backdrop {
  wide w;
  double *values; /* count curves of w.count values */
  size_t count;
  char name[128];
} backdrop;

/* Reads --over, --columns and --grid; without --columns all columns of the file, without --grid the
 * points of the release.  Nothing when --over is not given.  Clear also after a failure. */
SFM_MUST_CHECK sfm_status backdrop_read(backdrop *b, const cli_options *options,
                                        const sfm_release *release, sfm_error *error);
void backdrop_clear(backdrop *b);

/* Puts the curves into the figure, which borrows them, and says on standard error what that means.
 */
void backdrop_show(const backdrop *b, draw_figure *figure);

#endif
