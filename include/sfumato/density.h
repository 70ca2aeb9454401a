/* density.h - releases the density of one or more columns of private rows. */
#ifndef SFUMATO_DENSITY_H
#define SFUMATO_DENSITY_H

#include "sfumato/kernel.h"
#include "sfumato/context.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"
#include "sfumato/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_density_method {
  /* lattice, gp or fourier-laplace: of the hardened methods whose predicted error is within a tenth
   * of the least, the one with the narrowest band (docs/proofs/forecasts.md).  If there is a delta
   * and the dataset that is charged has zcdp or gdp accounting, normal noise is taken where it is
   * possible, because a pure epsilon costs many times as much there. */
  SFM_DENSITY_AUTO,
  /* Noise on the masses of a spline lattice: discrete Laplace noise (pure epsilon) or rounded
   * normal noise (mu-GDP). */
  SFM_DENSITY_LATTICE,
  SFM_DENSITY_GP,              /* mu-GDP: Gaussian-process noise, drawn by an engine */
  SFM_DENSITY_SOBOLEV,         /* mu-GDP: gaussian kernel, noise of the Sobolev space H1 */
  SFM_DENSITY_FOURIER_LAPLACE, /* pure epsilon: Laplace noise on Fourier coefficients */
  /* Pure epsilon, idealised: K-norm noise on the trigonometric moments of one column. */
  SFM_DENSITY_CARATHEODORY,
} sfm_density_method;

/* Returns "auto", ..., "caratheodory"; NULL for any other number.  Static storage. */
SFM_API const char *sfm_density_method_name(sfm_density_method method);

/* The noise of a lattice. */
typedef enum sfm_density_noise {
  /* The noise with the smaller predicted error; Laplace if delta is 0.  Normal if there is a delta
   * and the dataset that is charged has zcdp or gdp accounting. */
  SFM_DENSITY_NOISE_AUTO,
  SFM_DENSITY_NOISE_LAPLACE,
  SFM_DENSITY_NOISE_NORMAL,
} sfm_density_noise;

/* The convex body that shapes the noise of caratheodory.  m is the number of frequencies. */
typedef enum sfm_density_body {
  SFM_DENSITY_BODY_EXACT, /* the hull K_m of the moment curve, sampled exactly; sensitivity m + 1 */
  SFM_DENSITY_BODY_HULL, /* its symmetric hull, sampled by hit-and-run; sensitivity about 2; m <= 24
                          */
} sfm_density_body;

/* Returns "exact" or "hull"; NULL for any other number.  Static storage. */
SFM_API const char *sfm_density_body_name(sfm_density_body body);

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_density_settings {
  size_t size;                /* of this struct */
  sfm_context context;        /* schema: bounds, person, neighbours, contributions */
  const char *const *columns; /* each must have bounds in the schema */
  size_t dimension;           /* the number of columns, at most SFM_MAX_DIMENSION */
  /* One per column, in the unit of the column.  NULL: the bandwidths with the least predicted error
   * for the shape; the number of records must then be public or expected. */
  const double *bandwidth;
  /* A public guess of the distribution of records.  Method and parameters are chosen for it.  NULL:
   * a reference shape (docs/proofs/forecasts.md). */
  const sfm_shape *shape;
  double epsilon;            /* 1e-6 to 1e3 */
  double delta;              /* 0: pure epsilon */
  sfm_density_method method; /* default: AUTO */
  /* gaussian (the default).  gp also has laplacian to cauchy, and a kernel of the caller's own
   * (SFM_KERNEL_OWN, described by `own`).  With `own`, bandwidth is ignored and the mean of
   * K(., row) is released, kind "function".  Each row is spread over the points of a public
   * lattice.  Lattice points where K(x, x) exceeds the kernel's bound are ignored. */
  sfm_kernel_family kernel;
  const sfm_kernel *own;
  /* gp and sobolev.  AUTO is the default.  It is spectral for gp with the gaussian kernel and up to
   * four columns.  It is random for gp with more columns, unless release points or a release grid
   * are given.  Otherwise it is the engine that fits the kernel and the points. */
  sfm_engine engine;
  /* Engine random: the number of features, even.  0: chosen; more features approximate the kernel
   * better and take more time and memory. */
  size_t features;
  /* sobolev: one gamma per column, in 1 over the unit of the column.  The noise has the covariance
   * exp(-sum_a gamma_a |x_a - y_a|).  NULL: those with the least sensitivity. */
  const double *gamma;
  /* Engines other than spectral and random release values at points: release_count x dimension
   * numbers within the bounds, or a grid with release_grid[a] >= 2 points on axis a, both bounds
   * included.  With neither: a grid of 512, 64 x 64 or 16 x 16 x 16 points. */
  const double *release_points;
  size_t release_count;
  size_t release_grid[SFM_MAX_DIMENSION];
  /* One per column; NULL: reflect where the method can, else open.  lattice has open, reflect and
   * periodic; gp by the engine spectral has open and reflect; fourier-laplace and caratheodory have
   * open and periodic; sobolev and the other engines have open only. */
  const sfm_boundary *boundary;
  /* One per column, for periodic columns.  0: the width of the bounds.  Otherwise a number that
   * divides the width: values are taken modulo the period, and the release covers one period from
   * the lower bound on.  NULL: all 0. */
  const double *period;
  /* Columns that make groups; they have categories in the schema.  The release then has one density
   * per combination of categories, and all together cost as much as one density.  A row with a
   * value that is not a category is ignored.  Method lattice only. */
  const char *const *by;
  size_t by_count;
  sfm_density_noise noise; /* lattice only; default: AUTO */
  size_t terms;            /* fourier-laplace, caratheodory: frequencies 1..terms; 0: chosen */
  sfm_density_body body;   /* caratheodory only; default: EXACT */
  /* Bandwidths from which one is chosen privately: candidate_count times one per column.  bandwidth
   * is then ignored.  For the gaussian kernel, replace neighbours and no groups.  choice_share is
   * the share of the budget that pays for the choice; default: 0.1. */
  const double *candidates;
  size_t candidate_count;
  double choice_share;
  sfm_outside outside;         /* default: SFM_OUTSIDE_DROP */
  sfm_calibration calibration; /* of normal noise; default: EXACT */
  uint64_t expected_rows;      /* add-remove only: a public guess of n, for planning; 0: unknown */
} sfm_density_settings;

/* Returns the defaults.  schema, columns, dimension and epsilon must be set. */
SFM_API void sfm_density_settings_init(sfm_density_settings *settings, size_t size);
SFM_DEFAULT(sfm_density_settings)

/* What the planner chose from public numbers, and the predicted errors.  Errors are squared and
 * integrated over the domain (plan.h).  For random features, truncation is the
 * error of approximating the kernel. */
typedef struct sfm_density_choice {
  sfm_density_method method;
  sfm_engine engine;       /* gp and sobolev */
  unsigned order;          /* of the spline; lattice only */
  sfm_density_noise noise; /* lattice only, where it is never AUTO */
  /* Lattice points, features or grid points per axis.  Unused for random features, which have no
   * axes. */
  size_t points[SFM_MAX_DIMENSION];
  double spacing[SFM_MAX_DIMENSION];   /* lattice only */
  size_t coefficients;                 /* how many numbers will be released */
  double bandwidth[SFM_MAX_DIMENSION]; /* as stated, or chosen */
  double privacy, sampling, smoothing, aliasing, truncation, total;
  double seconds; /* engine random: time on one processor if n is public or expected; else 0 */
} sfm_density_choice;

/* Checks all settings and chooses method and parameters.  Opens no rows and no ledger, so it does
 * not know whether AUTO would take normal noise because of the accounting of a dataset.  rows: the
 * public n (ignored under add-remove). */
SFM_API SFM_MUST_CHECK sfm_status sfm_density_choose(sfm_density_choice *choice,
                                                     const sfm_density_settings *settings,
                                                     uint64_t rows, sfm_error *error);

/* Releases the density of rows, kind "density" (with a kernel of the caller's own: "function").
 * choice (may be NULL) is set to what was chosen.  Blocks while it reads.  The caller destroys the
 * release.
 * Privacy: lattice is epsilon-DP, or with normal noise mu-GDP; fourier-laplace and caratheodory are
 * epsilon-DP; gp and sobolev are mu-GDP; mu from (epsilon, delta).  Neighbours and contributions as
 * the schema states; fourier-laplace and caratheodory for replace neighbours only.  Hardened are
 * lattice, fourier-laplace, and gp with the engines spectral and random.  The others (caratheodory,
 * and gp and sobolev with the other engines) are idealised and for replace neighbours only.
 * Proof: docs/proofs/lattice.md, docs/proofs/gp.md, docs/proofs/random.md, docs/proofs/hardened.md,
 * docs/proofs/fields.md, docs/proofs/sobolev.md, docs/proofs/fourier.md,
 * docs/proofs/caratheodory.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_density_release(sfm_release **out, sfm_density_choice *choice,
                                                      sfm_rows *rows,
                                                      const sfm_density_settings *settings,
                                                      sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
