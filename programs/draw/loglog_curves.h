/* loglog_curves.h - what the drawing of a report needs to know about its curves, on paper or on a
 * screen. Everything is in decimal logarithms: of places, and of values in percent. */
#ifndef DRAW_LOGLOG_CURVES_H
#define DRAW_LOGLOG_CURVES_H

#include "figure.h"
#include "plan_page.h"

enum { DRAW_CURVES_MAX = 2, DRAW_SERIES_MAX = 8, DRAW_KEY_MAX = DRAW_CURVES_MAX * DRAW_SERIES_MAX };

/* NULL, or what is wrong with the report. */
const char *draw_plan_page_fault(const draw_plan_page *report);
/* Its captions: the note with the preview's, and what the picture must say about itself.  reach: as
 * below. */
void draw_plan_page_captions(const draw_plan_page *report, double reach, draw_captions *captions);

/* False in a gap. */
bool draw_curves_value(double value, double *percent);
/* A curve at place x, interpolated; false in a gap and beyond the curve's ends. */
bool draw_curves_at(const draw_curves *curves, const double *values, double x, double *percent);
/* Whether the series has a band at place i. */
bool draw_curves_edges(const draw_series *series, size_t i);
/* Whether there is a vertical line, and where. */
bool draw_curves_here(const draw_curves *curves, double *x);
/* The name of a level, cleaned; false if it has none. */
bool draw_curves_level_name(const draw_curves *curves, size_t i, char *out, size_t size);

/* Whether all curves are of the same values, and so on one scale. */
bool draw_curves_shared(const draw_plan_page *report);
/* Where the axes of curves k begin and end.  By so many decades, reach, series beside the first may
 * widen the scale. */
void draw_curves_across(const draw_plan_page *report, size_t k, double *lower, double *upper);
void draw_curves_up(const draw_plan_page *report, size_t k, double reach, double *lower,
                    double *upper);

/* The names of all series, each once, in their order: a series of some name looks the same in every
 * plot.  Those of which nothing can be drawn have no entry. */
typedef struct draw_key {
  char names[DRAW_KEY_MAX][256];
  bool band[DRAW_KEY_MAX];
  size_t count;
} draw_key;
void draw_key_init(draw_key *key, const draw_plan_page *report);
/* The series' place in the key; count if it has none. */
size_t draw_key_place(const draw_key *key, const draw_series *series);

#endif
