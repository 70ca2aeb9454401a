/* page.h - a sheet of paper: its margins, title, captions and type, in points, through cairo. */
#ifndef DRAW_PAGE_H
#define DRAW_PAGE_H

#include <cairo.h>

#include "figure.h"

enum { DRAW_TITLE_LINES = 3, DRAW_SUBTITLE_LINES = 4, DRAW_CAPTION_LINES = 24 };

#define DRAW_PAPER 0xffffffu  /* what all is drawn on */
#define DRAW_INK 0x222222u    /* text and axes */
#define DRAW_GREY 0x666666u   /* captions, tick labels */
#define DRAW_FAINT 0xe6e6e6u  /* grid lines */
#define DRAW_BLUE 0x1b5e8cu   /* the released numbers */
#define DRAW_ACCENT 0xc8442cu /* what is pointed at, on a map */

/* An axis' name and what must stay readable after it. */
typedef struct draw_label {
  char name[1024], suffix[DRAW_SUFFIX_MAX];
} draw_label;

/* The plot itself lies between left and right, top and bottom; what surrounds it is text. */
typedef struct draw_page {
  cairo_t *cr; /* borrowed */
  double width, height, margin;
  double left, right, top, bottom;
  /* First baselines of the title, the subtitle, the axis name and the captions. */
  double title_top, subtitle_top, header, foot;
  char title[DRAW_TEXT_MAX], subtitle[DRAW_TEXT_MAX];
  draw_captions captions;
  draw_span title_lines[DRAW_TITLE_LINES], subtitle_lines[DRAW_SUBTITLE_LINES],
      caption_lines[2][DRAW_CAPTION_LINES];
  size_t title_count, subtitle_count, caption_count[2];
  draw_axis across, up; /* the plot's axes */
  draw_axis scale;      /* of a heat map's colours */
  draw_label across_name, up_name, scale_name;
  /* Panels: how many side by side, lines that their names take, whether there is one more below
   * them, and their size. */
  unsigned columns, name_lines;
  bool noted;
  double panel_width, panel_height;
} draw_page;

/* Places everything, measuring with cr; page->height follows from the texts. */
void draw_page_layout(draw_page *page, const draw_figure *figure, cairo_t *cr);
/* Draws the whole figure on cr, which has the page's size. */
void draw_page_show(draw_page *page, const draw_figure *figure, cairo_t *cr);

/* The same in steps, for pages of another kind.  Begin: an empty page with its title and subtitle
 * (either may be NULL), page->header below them.  End: captions, which are in page->captions by
 * then, below `bottom`, and the height. Open: the paper, title and captions on cr. */
void draw_page_begin(draw_page *page, double width, const char *title, const char *subtitle,
                     cairo_t *cr);
void draw_page_end(draw_page *page, double bottom);
void draw_page_open(draw_page *page, cairo_t *cr);

/* Positions in the plot. */
double draw_page_x(const draw_page *page, double x);
double draw_page_y(const draw_page *page, double y);

void draw_page_ink(const draw_page *page, unsigned colour, double alpha);
/* How wide text is; draw_page_text cuts it at width.  align: 0 starts at x, 0.5 is centred, 1
 * ends. */
double draw_page_measure(const draw_page *page, double size, const char *text);
void draw_page_text(const draw_page *page, double x, double y, double size, double align,
                    double width, const char *text);
/* Lines, as draw_page_wrap gives them, so far apart. */
void draw_page_spans(const draw_page *page, double x, double y, double size, double align,
                     const draw_span *lines, size_t count, double leading);
/* A bold line, cut at width; small grey lines DRAW_LEADING apart, wrapped before, and where the
 * next one would stand. */
void draw_page_heading(const draw_page *page, double x, double y, double width, const char *text);
size_t draw_page_wrap(const draw_page *page, draw_span *lines, size_t most, const char *text,
                      double width);
double draw_page_lines(const draw_page *page, double x, double y, const draw_span *lines,
                       size_t count);
/* An axis' name, of which only the name proper is cut; and its width uncut. */
void draw_page_label(const draw_page *page, double x, double y, double align, double width,
                     const draw_label *label);
double draw_page_label_width(const draw_page *page, const draw_label *label);
void draw_page_line(const draw_page *page, double x0, double y0, double x1, double y1,
                    double thickness);

/* A rectangle filled with ink, and one drawn with a line so thick. */
void draw_page_fill(const draw_page *page, double x, double y, double width, double height);
void draw_page_frame(const draw_page *page, double x, double y, double width, double height,
                     double thickness);

/* The axes of the values and, of a map, of the second variable, with at most so many ticks, and
 * their names. */
void draw_page_scales(draw_page *page, const draw_figure *figure, unsigned most, unsigned up_most);
/* The widest label of an axis' ticks. */
double draw_page_widest(const draw_page *page, const draw_axis *axis);
/* The densest axis across whose labels stand clear of one another between left and right. */
void draw_page_fit(draw_page *page, double lower, double upper, bool whole);
void draw_page_name(draw_label *label, const draw_axis *axis, const char *name, const char *unit);
/* The axes around the plot, without their names; labels: which of them are written. */
void draw_page_axes(const draw_page *page, bool grid, bool up_labels, bool across_labels);

#define DRAW_SMALL 10.5 /* type sizes, in points */
#define DRAW_NORMAL 11.5
#define DRAW_TITLE 16.0
#define DRAW_LEADING 15.5 /* from line to line of captions */
#define DRAW_BELOW 44.0   /* from the plot to below its axis' name */

#endif
