/* working_set.h - dual ascent on a few rows whose products with each other are known; all other
 * duals are held.
 *
 * With t the values of the rows, G their products and s = 1/(lambda n), a change d of the duals
 * changes the values by s G d.  Passes of coordinate ascent take turns with Newton steps on the
 * duals that are strictly inside a piece on which the conjugate of the loss is a parabola (for
 * logistic: smooth).  These steps are projected to their pieces, and taken only where the dual
 * objective gains. */
#ifndef SFMI_WORKING_SET_H
#define SFMI_WORKING_SET_H

#include "base/system/arena.h"
#include "estimators/machine/machine_loss.h"
#include "dense_products.h"

/* Most duals of a Newton step: as many as any caller takes together. */
#define SFMI_WORKING_SET_NEWTON_MAX ((size_t)4096)

/* PRIVATE. */
typedef struct sfmi_working_set {
  const sfmi_loss *loss;
  const sfmi_dense_products *loops;
  sfmi_thread_pool *pool;
  double scale; /* s */
  size_t count;
  float *gram; /* rows of stride floats */
  size_t stride;
  double *squares; /* G_ii */
  double *labels;
  double *duals;
  double *values; /* offsets included */
  /* For rows that are taken from others, sfmi_working_set_reserve: */
  size_t room;        /* most rows */
  size_t *places;     /* of the rows among the others */
  const float **rows; /* their features, or lines of a kernel matrix */
  double *before;     /* their duals, as they were */
  double *steps;      /* of the rows whose duals moved */
} sfmi_working_set;

/* All arrays, for up to so many rows; the arena says whether they were had. */
void sfmi_working_set_reserve(sfmi_working_set *set, sfmi_arena *memory, size_t room);

typedef struct sfmi_working_set_workspace sfmi_working_set_workspace;

/* For up to so many rows; NULL when memory is short.  Wiped when destroyed. */
sfmi_working_set_workspace *sfmi_working_set_workspace_create(size_t count);
void sfmi_working_set_workspace_destroy(sfmi_working_set_workspace *workspace);

/* Changes duals and values until the sum of slacks is at most `goal`, or `rounds` are over. */
void sfmi_working_set_solve(const sfmi_working_set *set, sfmi_working_set_workspace *workspace,
                            double goal, int rounds);

/* One pass of coordinate ascent, from the first row to the last or back; returns the sum of |change
 * of a dual|. */
double sfmi_working_set_pass(const sfmi_working_set *set, bool back);

/* The dual that coordinate ascent gives a row; where its square is zero, the best one. */
double sfmi_working_set_dual_step(const sfmi_loss *loss, double t, double a, double q, double y);
/* Whether that moves the dual when its value is off by `margin`. */
bool sfmi_working_set_is_loose(const sfmi_loss *loss, double t, double a, double q, double y,
                               double margin);

#endif
