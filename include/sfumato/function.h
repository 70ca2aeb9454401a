/* function.h - releases a private function that the caller computes.  The owner states its
 * sensitivity in the space of a kernel. */
#ifndef SFUMATO_FUNCTION_H
#define SFUMATO_FUNCTION_H

#include "sfumato/kernel.h"
#include "sfumato/context.h"
#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets values[i] = f(points[i]) from the private rows.  Called once, after the charge.  A value
 * that is not a finite number is replaced by 0.  If points are equal, the value of the first is
 * used for all of them. */
typedef sfm_status sfm_function_values(void *data, double *values, const double *points,
                                       size_t count, sfm_error *error);

/* Everything here is public, except what `values` computes.  Pointers are borrowed. */
typedef struct sfm_function_settings {
  size_t size;              /* of this struct */
  sfm_context context;      /* no schema */
  const sfm_kernel *kernel; /* at most SFM_MAX_DIMENSION dimensions */
  double sensitivity;       /* the largest norm of f - f' in the kernel's space, over neighbours */
  double rounding;          /* the largest distance of a computed value from the exact one */
  sfm_function_values *values;
  void *values_data;           /* handed to values */
  const char *const *columns;  /* the names of the variables */
  const double *lower, *upper; /* the bounds, one each per variable */
  /* Where values are released: `count` points (count x dimension numbers, within the bounds), or a
   * grid, as in sfm_density_settings. */
  const double *points;
  size_t count;
  size_t grid[SFM_MAX_DIMENSION];
  sfm_engine engine;           /* AUTO (the default), circulant, markov or gram */
  sfm_neighbours neighbours;   /* default: SFM_NEIGHBOURS_REPLACE */
  uint32_t contributions;      /* the sensitivity is multiplied by it; default: 1 */
  const char *person;          /* as in sfm_vector_settings */
  double epsilon, delta;       /* delta > 0 */
  sfm_calibration calibration; /* default: EXACT */
} sfm_function_settings;

/* Returns the defaults.  The kernel, sensitivity, values, variables and their bounds, epsilon and
 * delta must be set. */
SFM_API void sfm_function_settings_init(sfm_function_settings *settings, size_t size);
SFM_DEFAULT(sfm_function_settings)

/* Releases f + sigma G at the points, G ~ GP(0, K), kind "function".  An evaluator interpolates by
 * the kernel between the points.  The caller destroys the release.
 * Privacy: mu-GDP with mu from (epsilon, delta), if the functions of neighbours differ by at most
 * the stated sensitivity and computed values are within the stated rounding.  Idealised.
 * Proof: docs/proofs/fields.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_function_release(sfm_release **out,
                                                       const sfm_function_settings *settings,
                                                       sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
