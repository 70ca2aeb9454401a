/* vector.h - release any private vector whose sensitivity the owner can state. */
#ifndef SFUMATO_VECTOR_H
#define SFUMATO_VECTOR_H

#include "sfumato/ledger.h"
#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_vector_norm {
  SFM_L1,
  SFM_L2,
  SFM_ELLIPSOID,
  SFM_LINF,     /* the largest coordinate */
  SFM_POLYTOPE, /* the gauge of the hull of given points and their opposites */
  SFM_BODY,     /* the gauge of a symmetric convex body that a function knows */
} sfm_vector_norm;
typedef enum sfm_vector_noise {
  SFM_VECTOR_LAPLACE, /* pure epsilon, hardened: discrete Laplace */
  SFM_VECTOR_NORMAL,  /* mu-GDP, hardened but for ellipsoids: rounded normal */
  SFM_VECTOR_GAMMA,   /* pure epsilon, idealised: uniform direction, Gamma radius */
  SFM_VECTOR_KNORM,   /* pure epsilon, shaped to the body of all moves: hardened for linf, idealised
                         for polytopes and bodies (in l1 it is Laplace noise, in l2 gamma noise) */
} sfm_vector_noise;

/* A convex body K = -K, which holds the ball of radius inner and lies in that of radius outer. What
 * is said of it is checked at some points, before anything is charged or read; that all moves are
 * in K is the caller's word. */
typedef struct sfm_vector_body {
  bool (*inside)(void *context, const double *x); /* of any x: deterministic, and public */
  void *context;
  double inner, outer;
} sfm_vector_body;

/* Everything here is public. */
typedef struct sfm_vector_settings {
  sfm_vector_norm norm;
  double sensitivity;      /* the largest norm of a difference between neighbours */
  const double *ellipsoid; /* SFM_ELLIPSOID: length x length, positive definite S; differences v of
                              neighbours satisfy v' S^-1 v <= 1 */
  const double *vertices;  /* SFM_POLYTOPE: vertex_count x length; differences of neighbours are in
                              the hull of all +-vertices (neighbours are symmetric) */
  size_t vertex_count;
  sfm_vector_body body; /* SFM_BODY: differences of neighbours are in it */
  sfm_neighbours neighbours;
  uint32_t contributions; /* the sensitivity is multiplied by it */
  const char *person;     /* the column that names the person all of whose records the sensitivity
                             is about: the release says so, and what the ledger adds up must
                             agree on it; NULL: records */
  double epsilon;
  double delta; /* 0: pure epsilon */
  sfm_vector_noise noise;
  sfm_calibration calibration;
  double confidence;
  const sfm_charge *charge; /* NULL: not charged anywhere, and the release says so */
  /* When theta is given as NULL: fills it in, called once, after the charge. */
  sfm_status (*read)(void *context, double *theta, size_t length, sfm_error *error);
  void *read_context;
  bool seeded; /* for tests: the release says it is not private */
  uint64_t seed;
} sfm_vector_settings;

SFM_API sfm_vector_settings sfm_vector_settings_default(void);

/* Checks the settings for a vector of that length, before anything private is read. */
SFM_API SFM_MUST_CHECK sfm_status sfm_vector_check(const sfm_vector_settings *settings,
                                                   size_t length, sfm_error *error);

/* Releases theta + noise.  A coordinate that is NaN counts as zero; one beyond the range of the
 * step (2^51 steps: at least 2^39 sensitivities over the length, for normal noise over its root,
 * for k-norm noise 2^46 over epsilon times the length if that is less) counts as the end of the
 * range. Privacy: as the noise says, if neighbours' vectors differ by at most the stated
 * sensitivity. Proof: docs/proofs/hardened.md; for gamma and ellipsoids docs/proofs/idealised.md;
 * for k-norm docs/proofs/knorm.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_vector_release(sfm_release **out, const double *theta,
                                                     size_t length,
                                                     const sfm_vector_settings *settings,
                                                     sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
