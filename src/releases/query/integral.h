/* integral.h - integrals of a density release against functions g, as what they are: linear in the
 * released coefficients.
 *
 * In records, S = sum over coefficients of c_i prod_a w_a(i_a), where w_a are the weights of g's
 * factor along axis a.  S = s + noise + error: s is the integral for the rows' own kernel estimate;
 * the noise has the release's public law times known weights; and |error| is at most a number of
 * records times sfmi_integral_error, which bounds the integral itself (docs/proofs/queries.md):
 * along one axis, with I_j the integral of g against exp(2 pi i j u), it is a sum over frequencies
 * of |I_j| times what a row's mode j can be off (aliases of the spline, rounded weights and
 * entries, or all of it where the release has no such frequency).  That is far less than a length
 * times the largest error of the function, since |I_j| <= min(length, W/(pi j)). */
#ifndef SFMI_INTEGRAL_H
#define SFMI_INTEGRAL_H

#include "releases/eval/trig_polynomial.h"

/* A function of one variable. */
typedef enum sfmi_integrand_kind {
  SFMI_INTEGRAND_INTERVAL, /* 1 between from and to, within the bounds */
  SFMI_INTEGRAND_RAMP,     /* from 0 at the lower bound to 1 at the upper one */
  SFMI_INTEGRAND_POINT,    /* the value at from */
  SFMI_INTEGRAND_ALL,      /* 1 everywhere, beyond the bounds too */
} sfmi_integrand_kind;

typedef struct sfmi_integrand {
  sfmi_integrand_kind kind;
  double from, to;
} sfmi_integrand;

typedef struct sfmi_integral {
  const sfm_release *release; /* borrowed */
  sfmi_trig_poly *poly;
  sfmi_lattice spread; /* the lattice over which rows were spread */
  unsigned precision;  /* bits of the entries of the transform into features; lattice: none */
  bool quiet;          /* the first coefficient, of the constant, has no noise */
  /* Along an axis what mode j of a row can be off, for j = 0 .. far; beyond, together. */
  double *spill[SFM_MAX_DIMENSION], rest[SFM_MAX_DIMENSION];
  size_t far[SFM_MAX_DIMENSION];
} sfmi_integral;

/* Whether a release is of the kind that this is about: a trigonometric polynomial whose
 * coefficients have independent noise. */
bool sfmi_integral_applies(const sfm_release *release);

SFM_MUST_CHECK sfm_status sfmi_integral_init(sfmi_integral *integral, const sfm_release *release,
                                             sfm_error *error);
void sfmi_integral_clear(sfmi_integral *integral);

/* How many coefficients there are along axis a. */
size_t sfmi_integral_size(const sfmi_integral *integral, size_t a);
/* The weights of `count` functions along axis a: count x size. */
SFM_MUST_CHECK sfm_status sfmi_integral_weights(const sfmi_integral *integral, size_t a,
                                                double *weights, const sfmi_integrand *integrands,
                                                size_t count, sfm_error *error);
/* Bounds along axis a, for any row, the error of its integral against integrand - less x the
 * interval of all within the bounds (less is 0 or 1); integrand is no point. */
double sfmi_integral_error(const sfmi_integral *integral, size_t a, sfmi_integrand integrand,
                           double less);
/* The same for any interval and its rest, in one number. */
double sfmi_integral_worst(const sfmi_integral *integral, size_t a);
/* The part of a value's error, in density units, that the rounded entries of the transform have
 * (beyond what sfmi_band_alias knows). */
double sfmi_integral_entry_rounding(const sfmi_integral *integral);

#endif
