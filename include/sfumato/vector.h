/* vector.h - releases a private vector.  The owner states its sensitivity. */
#ifndef SFUMATO_VECTOR_H
#define SFUMATO_VECTOR_H

#include "sfumato/context.h"
#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How differences between the vectors of neighbours are bounded. */
typedef enum sfm_vector_norm {
  SFM_VECTOR_NORM_L1,
  SFM_VECTOR_NORM_L2,
  SFM_VECTOR_NORM_ELLIPSOID,
  SFM_VECTOR_NORM_LINF,     /* the largest absolute coordinate */
  SFM_VECTOR_NORM_POLYTOPE, /* the gauge of the convex hull of given points and their negatives */
  SFM_VECTOR_NORM_BODY,     /* the gauge of a symmetric convex body that is given by a function */
} sfm_vector_norm;

/* Returns "l1", ..., "body"; NULL for any other number.  Static storage. */
SFM_API const char *sfm_vector_norm_name(sfm_vector_norm norm);

typedef enum sfm_vector_noise {
  SFM_VECTOR_NOISE_LAPLACE, /* pure epsilon, hardened: discrete Laplace noise */
  SFM_VECTOR_NOISE_NORMAL,  /* mu-GDP, hardened except for ellipsoids: rounded normal noise */
  SFM_VECTOR_NOISE_GAMMA,   /* pure epsilon, idealised: uniform direction, Gamma radius */
  /* Pure epsilon, with the shape of the set of all differences.  Hardened for linf, idealised for
   * polytopes and bodies.  (For l1 it is Laplace noise, for l2 gamma noise.) */
  SFM_VECTOR_NOISE_KNORM,
} sfm_vector_noise;

/* Returns "laplace", "normal", "gamma" or "k-norm"; NULL for any other number.  Static storage. */
SFM_API const char *sfm_vector_noise_name(sfm_vector_noise noise);

/* A convex body K = -K.  It contains the ball of radius inner and is contained in the ball of
 * radius outer.  These properties are checked at some points before anything is charged or read.
 * That all differences are in K is the caller's statement. */
typedef struct sfm_vector_body {
  bool (*inside)(void *data, const double *x); /* whether any x is in K; deterministic, public */
  void *inside_data;
  double inner, outer;
} sfm_vector_body;

/* Everything here is public.  Pointers are borrowed.  A difference is that of the vectors of two
 * neighbours. */
typedef struct sfm_vector_settings {
  size_t size;          /* of this struct */
  sfm_context context;  /* no schema */
  sfm_vector_norm norm; /* default: L2 */
  double sensitivity;   /* l1, l2, linf: the largest norm of a difference */
  /* SFM_VECTOR_NORM_ELLIPSOID: length x length, positive definite S; differences v satisfy v' S^-1
   * v <= 1. */
  const double *ellipsoid;
  /* SFM_VECTOR_NORM_POLYTOPE: vertex_count x length; differences are in the convex hull of all
   * vertices and their negatives (neighbours are symmetric). */
  const double *vertices;
  size_t vertex_count;
  sfm_vector_body body;      /* SFM_VECTOR_NORM_BODY: differences are in it */
  sfm_neighbours neighbours; /* default: SFM_NEIGHBOURS_REPLACE */
  uint32_t contributions;    /* the sensitivity is multiplied by it; default: 1 */
  /* The column that identifies the person, if the sensitivity is about all records of one person.
   * The release says so, and all charges of a dataset must agree on it.  NULL: the sensitivity is
   * about records. */
  const char *person;
  double epsilon;              /* 1e-6 to 1e3 */
  double delta;                /* 0: pure epsilon; above 0 for normal noise */
  sfm_vector_noise noise;      /* default: LAPLACE */
  sfm_calibration calibration; /* of normal noise; default: EXACT */
  /* If theta is given as NULL: fills it in.  Called once, after the charge. */
  sfm_status (*read)(void *data, double *theta, size_t length, sfm_error *error);
  void *read_data;
} sfm_vector_settings;

/* Returns the defaults.  The sensitivity and epsilon must be set. */
SFM_API void sfm_vector_settings_init(sfm_vector_settings *settings, size_t size);
SFM_DEFAULT(sfm_vector_settings)

/* Checks the settings for a vector of that length, before anything private is read. */
SFM_API SFM_MUST_CHECK sfm_status sfm_vector_check(const sfm_vector_settings *settings,
                                                   size_t length, sfm_error *error);

/* Releases theta + noise, kind "vector".  A coordinate that is NaN is replaced by 0.  A coordinate
 * beyond the range, 2^51 steps, is replaced by the end of the range.  In sensitivities the range is
 * at least 2^39 over the length; for normal noise 2^39 over the root of the length; for k-norm
 * noise 2^39, or 2^46 over (epsilon times the length) if that is less.  The caller destroys the
 * release.
 * Privacy: as the noise says, if the vectors of neighbours differ by at most the stated
 * sensitivity.
 * Proof: docs/proofs/hardened.md; for gamma and ellipsoids docs/proofs/idealised.md; for k-norm
 * docs/proofs/knorm.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_vector_release(sfm_release **out, const double *theta,
                                                     size_t length,
                                                     const sfm_vector_settings *settings,
                                                     sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
