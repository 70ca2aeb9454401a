/* regions.h - which class a machine predicts where, and where it is sure. */
#ifndef DRAW_REGIONS_H
#define DRAW_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfumato/status.h"

/* Values on the figure's grid: of point (i, j), axis 0 position i and axis 1 position j, those of
 * all functions from ((i * counts[1] + j) * functions) on. */
typedef struct draw_regions_panel {
  const char *label; /* may be NULL */
  const double *values;
  const double *noise; /* one per point: what noise alone may make of a value; NULL: not known */
} draw_regions_panel;

/* One function: the second class where it is above zero, else the first.  Several: that of the
 * largest.  Pale where the value, or the lead of the largest, is within the noise.  One panel, or
 * two side by side. */
typedef struct draw_regions {
  const char *title, *subtitle, *caption, *note; /* as a figure's (draw.h) */
  const char *labels[2], *units[2];              /* the variables' names and units */
  const char *noise_label;                       /* what being within the noise is called */
  double lower[2], upper[2];
  size_t counts[2];
  const char *const *classes;
  size_t class_count, functions;
  const draw_regions_panel *panels;
  size_t panel_count;
  /* On paper, as a map's (draw.h). */
  double aspect, rule;
  const char *rule_label;
  /* Points drawn on top of every panel, pairs of numbers, and the class of each; NULL: none. */
  const double *points;
  const unsigned *point_classes;
  size_t point_count;
} draw_regions;

/* As draw_file and draw_terminal (of the first panel). */
SFM_MUST_CHECK sfm_status draw_regions_file(const draw_regions *regions, const char *path,
                                            sfm_error *error);
void draw_regions_terminal(const draw_regions *regions, FILE *out, unsigned columns, unsigned rows,
                           bool colour);

/* What is at a place of a panel, in fractions of the axes: the class, and by how many times the
 * noise its value stands out (1: just; with noise unknown: 1 and more, by size).  False in a
 * gap. */
bool draw_regions_at(const draw_regions *regions, size_t panel, double x, double y, size_t *which,
                     double *sure);
/* NULL, or what is wrong with it. */
const char *draw_regions_fault(const draw_regions *regions);

#endif
