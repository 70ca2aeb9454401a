/* plan_page.h - a page about what a release would be like: error against the number of people and
 * against epsilon, and a preview of such a release.  For svg, png and pdf files, and the
 * terminal. */
#ifndef DRAW_PLAN_PAGE_H
#define DRAW_PLAN_PAGE_H

#include "draw.h"

/* A curve by name.  low and high, where not NULL, are the edges of a soft band around it: what is
 * NaN there is a gap, what is 0 or infinite reaches the plot's edge. */
typedef struct draw_series {
  const char *name;
  const double *values, *low, *high;
} draw_series;

/* Curves over the same places, both axes logarithmic.  Values are fractions, written in percent;
 * those that are not positive and finite are gaps.  The first series is the thick one, and the
 * scale is its: of the others, and of its band, what is more than ten times larger or smaller is
 * cut off. */
typedef struct draw_curves {
  const char *title;        /* "with more people" */
  const char *label, *unit; /* of the places: "people"; may be NULL */
  const char *value_label;  /* "error, of the peak" */
  const double *at;         /* count places, positive and ascending */
  size_t count;
  const draw_series *series;
  size_t series_count;
  /* Horizontal lines, and what is written at them; level_names, or one of them, may be NULL. */
  const double *levels;
  const char *const *level_names;
  size_t level_count;
  double here; /* a vertical line, and a dot on the first curve; NaN or 0: none */
  const char *here_label;
} draw_curves;

/* Every text may be NULL; they are cleaned, wrapped and cut as a figure's are. */
typedef struct draw_plan_page {
  const char *title, *subtitle;
  const char *caption, *note;
  draw_curves curves[2]; /* with the same value_label they share one scale */
  size_t curve_count;    /* 0, 1 or 2 */
  /* Below the curves: a figure of panels, under its own title.  Its caption is not shown, its note
   * follows the report's.  NULL: none. */
  const draw_figure *preview;
} draw_plan_page;

/* Writes path as draw_file does, with the same promises. */
SFM_MUST_CHECK sfm_status draw_plan_page_file(const draw_plan_page *report, const char *path,
                                              sfm_error *error);

/* Draws with text, at most columns wide and rows high, in colour as draw_terminal does.  Where the
 * rows are few, first the preview goes, then the captions, then series beside the first; where the
 * columns are, all panels of the preview but the first that fit side by side. */
void draw_plan_page_terminal(const draw_plan_page *report, FILE *out, unsigned columns,
                             unsigned rows, bool colour);

#endif
