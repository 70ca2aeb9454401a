/* focus.h - dual ascent on a few rows whose products with each other are known, all others held.
 *
 * With t the values of the rows, G their products and s = 1/(lambda n), a change d of the duals
 * changes the values by s G d.  Passes of coordinate ascent take turns with Newton steps on the
 * duals that are strictly inside a piece on which the conjugate of the loss is a parabola (of
 * logistic: smooth), projected to their pieces and taken only where the dual objective gains. */
#ifndef SFMI_FOCUS_H
#define SFMI_FOCUS_H

#include "estimators/losses.h"
#include "estimators/strips.h"

/* Most duals of a Newton step: as many as any caller takes together. */
#define SFMI_FOCUS_FACE ((size_t)4096)

/* PRIVATE. */
typedef struct sfmi_focus {
  const sfmi_loss *loss;
  const sfmi_strips *strips;
  sfmi_team *team;
  double scale; /* s */
  size_t count;
  const float *gram; /* rows of stride floats */
  size_t stride;
  const double *squares; /* G_ii */
  const double *labels;
  double *duals;
  double *values; /* offsets included */
} sfmi_focus;

typedef struct sfmi_focus_room sfmi_focus_room;

/* For up to so many rows; NULL when memory is short.  Wiped when destroyed. */
sfmi_focus_room *sfmi_focus_room_create(size_t count);
void sfmi_focus_room_destroy(sfmi_focus_room *room);

/* Changes duals and values until the sum of slacks is at most `goal`, or `rounds` are over. */
void sfmi_focus_solve(const sfmi_focus *focus, sfmi_focus_room *room, double goal, int rounds);

/* One pass of coordinate ascent, from the first row to the last or back; returns the sum of |change
 * of a dual|. */
double sfmi_focus_pass(const sfmi_focus *focus, bool back);

/* The dual that coordinate ascent gives a row: where products are zero, the best one. */
double sfmi_focus_step(const sfmi_loss *loss, double t, double a, double q, double y);

#endif
