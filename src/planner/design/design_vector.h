/* design_vector.h - everything about the release of a vector that is decided before it is read. */
#ifndef SFMI_DESIGN_VECTOR_H
#define SFMI_DESIGN_VECTOR_H

#include "releases/core/release_data.h"
#include "sfumato/vector.h"

/* Coordinates are clamped to this many steps.  Within it, reading them from text and rounding them
 * to a double each move them by at most half a step. */
#define SFMI_DESIGN_VECTOR_RANGE 0x1p51

typedef struct sfmi_design_vector {
  size_t length;
  bool hardened;
  double mu;          /* of normal noise; else 0 */
  double step;        /* a power of two; 0 when idealised */
  double sensitivity; /* in the norm of the noise (l1 for Laplace, the stated norm for k-norm, l2
                         otherwise); includes what reading and rounding move */
  double scale;       /* of the noise: sensitivity over epsilon or mu */
} sfmi_design_vector;

/* Step and sensitivity for checked settings and the mu of normal noise. */
sfmi_design_vector sfmi_design_vector_of(const sfm_vector_settings *settings, size_t length,
                                         double mu);
/* The same after checking all settings. */
SFM_MUST_CHECK sfm_status sfmi_design_vector_init(sfmi_design_vector *vector_design,
                                                  const sfm_vector_settings *settings,
                                                  size_t length, sfm_error *error);

/* The variance of Laplace, normal or gamma noise on one number, rounding to steps included. */
double sfmi_design_vector_variance(const sfmi_design_vector *vector_design, sfm_vector_noise noise);

/* The body of k-norm noise, of a polytope or a body: noise is a random radius times a uniform point
 * of it.  SFM_INVALID also when the body is not what it was said to be. */
SFM_MUST_CHECK sfm_status sfmi_design_vector_body(sfmi_hit_and_run **out,
                                                  const sfm_vector_settings *settings,
                                                  size_t length, sfm_error *error);

/* The release with all that is public filled in and room for its numbers, the noise of that scale.
 * The caller destroys it, also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_design_vector_template(sfm_release **out,
                                                      const sfmi_design_vector *vector_design,
                                                      const sfm_vector_settings *settings,
                                                      double scale, sfm_error *error);

#endif
