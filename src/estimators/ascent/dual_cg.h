/* dual_cg.h - a step of all free duals at once: conjugate gradients on the face of the dual problem
 * that they span, then as far along as the face and the dual allow.
 *
 * Free duals: sfmi_loss_dual_is_free.  With h the conjugate's second derivative there, q_ik =
 * <phi_i, phi_k>/(lambda n), and g the gradient of n D, the step solves (q + h) d = g roughly, is
 * cut to the range, and is shortened until the dual no longer falls.  It helps where coordinate
 * steps are very short. */
#ifndef SFMI_DUAL_CG_H
#define SFMI_DUAL_CG_H

#include "row_product.h"

/* What the ascent knows of a row: 64 bytes. */
typedef struct sfmi_dual_row {
  double a, y, offset;
  double q, inverse; /* |phi|^2/(lambda n), 1/q; 0: without features */
  size_t start;      /* of its nonzeros */
  uint32_t length;
  uint32_t work; /* nonzero features, about */
  double common; /* what all nonzeros are, or NaN: they differ */
} sfmi_dual_row;

typedef struct sfmi_dual_cg {
  const sfmi_loss *loss;
  double scale; /* 1/(lambda n) */
  size_t features, threads;
  sfmi_row_product *products; /* one per thread */
  sfmi_dual_row *lines;
  double *w;
  /* Its own. */
  size_t rows;
  uint32_t *free;
  size_t count;
  double *numbers; /* six per row */
  double *g, *h, *d, *r, *p, *hp;
  double *sums;  /* threads x features */
  double *v;     /* sum_i p_i phi_i */
  double *total; /* sum_i d_i phi_i */
} sfmi_dual_cg;

/* The first seven members are set by the caller, and borrowed. */
SFM_MUST_CHECK sfm_status sfmi_dual_cg_init(sfmi_dual_cg *face, size_t rows, sfm_error *error);
/* Wipes and frees what is its own. */
void sfmi_dual_cg_clear(sfmi_dual_cg *face);

/* A step of the free duals among some rows, with about `budget` products of numbers; moves duals
 * and w.  Returns the gain of n D, and in *work the work done. */
double sfmi_dual_cg_step(sfmi_dual_cg *face, const uint32_t *rows, size_t count, double budget,
                         double *work);

#endif
