/* kernel.h - the kernels of released functions and of Gaussian-process noise, and the engines that
 * draw this noise.
 *
 * With u = (x - y)/bandwidth, coordinate by coordinate, and r = |u|:
 *   gaussian    exp(-r^2/2)
 *   laplacian   exp(-sum |u_a|)
 *   matern12    exp(-r)
 *   matern32    (1 + sqrt3 r) exp(-sqrt3 r)
 *   matern52    (1 + sqrt5 r + 5 r^2/3) exp(-sqrt5 r)
 *   cauchy      prod 1/(1 + u_a^2)
 *   polynomial  (<x, y> + constant)^degree
 *   linear      <x, y>
 *   own         a function of the caller's, symmetric and positive definite
 *
 * The first six are stationary, with K(x, x) = 1.  In one dimension laplacian and matern12 are the
 * same. */
#ifndef SFUMATO_KERNEL_H
#define SFUMATO_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "sfumato/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of variables of a released function. */
#define SFM_MAX_DIMENSION 64

/* The highest degree of a polynomial kernel. */
#define SFM_MAX_DEGREE 64

typedef enum sfm_kernel_family {
  SFM_KERNEL_GAUSSIAN,
  SFM_KERNEL_LAPLACIAN,
  SFM_KERNEL_MATERN12,
  SFM_KERNEL_MATERN32,
  SFM_KERNEL_MATERN52,
  SFM_KERNEL_CAUCHY,
  SFM_KERNEL_POLYNOMIAL,
  SFM_KERNEL_LINEAR,
  SFM_KERNEL_OWN,
} sfm_kernel_family;

/* Returns K(x, y) of the caller's own kernel.  It must be deterministic and thread-safe. */
typedef double sfm_kernel_function(void *data, const double *x, const double *y, size_t dimension);

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_kernel {
  sfm_kernel_family family;
  size_t dimension;
  const double *bandwidth;       /* one per coordinate; the first six families */
  unsigned degree;               /* polynomial: 1 to SFM_MAX_DEGREE */
  double constant;               /* polynomial: >= 0 */
  double radius;                 /* polynomial and linear: the largest |x| that occurs */
  sfm_kernel_function *function; /* own */
  void *function_data;           /* own: passed to function */
  double bound; /* own: the largest K(x, x); points x where K(x, x) exceeds it are ignored */
} sfm_kernel;

/* Returns "gaussian", ..., "own"; NULL for a number that is not a family.  Static storage. */
SFM_API const char *sfm_kernel_family_name(sfm_kernel_family family);

/* Checks that a kernel is complete: dimension, positive finite bandwidths, degree, constant,
 * radius, function, and that sfm_kernel_sup is a positive finite number. */
SFM_API SFM_MUST_CHECK sfm_status sfm_kernel_check(const sfm_kernel *kernel, sfm_error *error);

/* Returns K(x, y) of a checked kernel.  For a polynomial or linear kernel the caller must keep x
 * and y within the radius; they are not clamped.  Thread-safe. */
SFM_API double sfm_kernel_at(const sfm_kernel *kernel, const double *x, const double *y);

/* Returns the largest K(x, x): 1 for stationary kernels, (radius^2 + constant)^degree for
 * polynomial, radius^2 for linear, the declared bound for own. */
SFM_API double sfm_kernel_sup(const sfm_kernel *kernel);

/* How the noise sigma G, G ~ GP(0, K), is drawn.  spectral and random release the whole function,
 * hardened.  The other engines release values at points that are fixed when the release is made,
 * idealised. */
typedef enum sfm_engine {
  SFM_ENGINE_AUTO,
  SFM_ENGINE_SPECTRAL,  /* gaussian kernel: a finite number of features */
  SFM_ENGINE_CIRCULANT, /* stationary kernels on a regular grid, up to three dimensions */
  SFM_ENGINE_MARKOV,    /* laplacian and matern kernels in one dimension, any points */
  SFM_ENGINE_GRAM,      /* any kernel, any points */
  SFM_ENGINE_RANDOM,    /* stationary kernels in many dimensions: random features approximate K */
} sfm_engine;

/* Returns "auto", "spectral", "circulant", "markov", "gram" or "random"; NULL for a number that is
 * not an engine.  Static storage. */
SFM_API const char *sfm_engine_name(sfm_engine engine);

#ifdef __cplusplus
}
#endif
#endif
