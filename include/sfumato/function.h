/* function.h - release any private function whose sensitivity in the space of a kernel the owner
 * can state. */
#ifndef SFUMATO_FUNCTION_H
#define SFUMATO_FUNCTION_H

#include "sfumato/kernel.h"
#include "sfumato/ledger.h"
#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills values[i] = f(points[i]) from the private rows; called once, after the charge.  What is
 * not a finite number counts as zero, and where points are equal the first one's value counts. */
typedef sfm_status sfm_function_values(void *context, double *values, const double *points,
                                       size_t count, sfm_error *error);

/* Everything here but what `values` computes is public.  Pointers are borrowed. */
typedef struct sfm_function_settings {
  const sfm_kernel *kernel; /* at most SFM_MAX_DIMENSION dimensions */
  double sensitivity;       /* the largest norm of f - f' in the kernel's space, over neighbours */
  double rounding;          /* how far a computed value is at most from the exact one */
  sfm_function_values *values;
  void *context;
  const char *const *columns;  /* names of the variables */
  const double *lower, *upper; /* the domain, one each a variable */
  /* Where: points (count x dimension, within the domain), or a grid, as for a density. */
  const double *points;
  size_t count;
  size_t grid[SFM_MAX_DIMENSION];
  sfm_engine engine; /* AUTO, or one that suits; not spectral or random */
  sfm_neighbours neighbours;
  uint32_t contributions; /* the sensitivity is multiplied by it */
  const char *person;     /* as for a vector */
  double epsilon, delta;  /* delta > 0 */
  sfm_calibration calibration;
  double confidence;
  const sfm_charge *charge; /* NULL: not charged anywhere, and the release says so */
  bool seeded;              /* for tests: the release says it is not private */
  uint64_t seed;
} sfm_function_settings;

SFM_API sfm_function_settings sfm_function_settings_default(void);

/* Releases f + sigma G at the points, G ~ GP(0, K): kind "function".  Elsewhere an evaluator
 * interpolates by the kernel.
 * Privacy: mu-GDP with mu from (epsilon, delta), if neighbours' functions differ by at most the
 * stated sensitivity and computed values by at most the stated rounding.  Idealised.
 * Proof: docs/proofs/fields.md.  The caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_function_release(sfm_release **out,
                                                       const sfm_function_settings *settings,
                                                       sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
