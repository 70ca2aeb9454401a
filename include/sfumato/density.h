/* density.h - release the density of private rows. */
#ifndef SFUMATO_DENSITY_H
#define SFUMATO_DENSITY_H

#include "sfumato/kernel.h"
#include "sfumato/ledger.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"
#include "sfumato/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_density_method {
  SFM_DENSITY_AUTO,    /* the least predicted error among the two below; normal noise when charged
                          at a delta under zcdp or gdp, where a pure epsilon costs many times as
                          much */
  SFM_DENSITY_LATTICE, /* discrete Laplace (pure epsilon) or rounded normal noise (mu-GDP) on a
                          spline lattice */
  SFM_DENSITY_GP,      /* mu-GDP: a Gaussian process, by the engine asked for */
  SFM_DENSITY_SOBOLEV, /* mu-GDP: the Gaussian estimate with the noise of the Sobolev space H1 */
  SFM_DENSITY_FOURIER_LAPLACE, /* pure epsilon: Laplace noise on Fourier coefficients */
  SFM_DENSITY_CARATHEODORY, /* pure epsilon, idealised: K-norm noise on the trigonometric moments of
                               one column */
} sfm_density_method;

/* The noise of a lattice. */
typedef enum sfm_density_noise {
  SFM_DENSITY_NOISE_AUTO, /* what predicts less; Laplace without a delta */
  SFM_DENSITY_NOISE_LAPLACE,
  SFM_DENSITY_NOISE_NORMAL,
} sfm_density_noise;

/* The body that shapes the noise of caratheodory. */
typedef enum sfm_density_body {
  SFM_BODY_EXACT, /* the hull K_m of the moment curve, sampled exactly; sensitivity m + 1 */
  SFM_BODY_HULL,  /* its symmetric hull, by hit-and-run; sensitivity about 2; m <= 24 */
} sfm_density_body;

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_density_settings {
  const sfm_schema *schema;   /* bounds, person, neighbours, contributions */
  const char *const *columns; /* the variables, each with bounds in the schema */
  size_t dimension;           /* how many columns */
  /* One a column, in its unit; NULL: the best for the shape, once the number of records is public
   * or expected. */
  const double *bandwidth;
  /* A public guess of how records are spread, for which method and parameters are the best; NULL: a
   * reference shape (docs/proofs/forecasts.md). */
  const sfm_shape *shape;
  double epsilon;
  double delta; /* 0: pure epsilon */
  sfm_density_method method;
  /* Other than gaussian only with gp.  gaussian to cauchy, or a kernel of the caller's own: then
   * `own` is it, of which bandwidth plays no part, and released is the mean of K(., row), kind
   * "function"; rows lie where a public lattice has points, and what lies where K(x, x) passes the
   * kernel's bound counts as nothing. */
  sfm_kernel_family kernel;
  const sfm_kernel *own;
  /* gp: AUTO is spectral for the gaussian kernel and for others the one that suits the points, in
   * up to four dimensions; beyond, unless points are given, random. */
  sfm_engine engine;
  /* The engine random: how many features, an even number; 0: chosen for approximation against time
   * and memory. */
  size_t features;
  /* sobolev: the noise has the covariance exp(-sum_a gamma_a |x_a - y_a|), one per column, in one
   * over its unit; NULL: those of least sensitivity. */
  const double *gamma;
  /* Engines other than spectral and random: where values are released.  Points (release_count x
   * dimension, within the bounds), or a grid of release_grid[a] >= 2 points an axis, both bounds
   * included; with neither a grid of 512, 64 x 64 or 16 x 16 x 16. */
  const double *release_points;
  size_t release_count;
  size_t release_grid[SFM_MAX_DIMENSION];
  /* One a column; NULL: all open.  reflect and periodic are for lattice, periodic also for
   * fourier-laplace and caratheodory. */
  const sfm_boundary *boundary;
  /* Of periodic columns: 0 for the whole width of the bounds, or a number that divides it; then
   * values count modulo it, and the release is over one period from the lower bound on.  NULL: all
   * 0. */
  const double *period;
  /* Groups: columns that have categories in the schema.  The release then has a density for every
   * combination of them, all for the price of one; a row whose category is none of them counts as
   * nothing.  For the method lattice. */
  const char *const *by;
  size_t by_count;
  sfm_density_noise noise; /* of a lattice */
  size_t terms; /* fourier-laplace, caratheodory: frequencies 1..terms an axis; 0: chosen */
  sfm_density_body body; /* caratheodory */
  /* Bandwidths to choose among privately, candidate by candidate, one per column each; bandwidth is
   * then ignored.  choice_share of the budget pays for the choice. */
  const double *candidates;
  size_t candidate_count;
  double choice_share;
  sfm_outside outside;
  sfm_calibration calibration; /* for gp */
  double confidence;           /* of the band, in (0, 1) */
  uint64_t expected_rows;      /* add/remove only, public, for the planner; 0: unknown */
  const sfm_charge *charge;    /* NULL: not charged anywhere, and the release says so */
  bool seeded;                 /* for tests: the release says it is not private */
  uint64_t seed;
  /* Called now and then while rows are read, with the number read so far (private under
   * add/remove: for the owner's terminal only); may be NULL. */
  void (*progress)(void *context, uint64_t rows_read);
  void *progress_context;
  /* Called at every step of the walk that draws caratheodory's noise in the hull, with how many
   * there will be (public), and the same context; may be NULL. */
  void (*walking)(void *context, uint64_t done, uint64_t total);
} sfm_density_settings;

SFM_API sfm_density_settings sfm_density_settings_default(void);

/* What the planner chose from public numbers, and the error it predicts: integrated squared errors
 * over the domain against the estimate without privacy (smoothing: against the reference law;
 * truncation: also of random features, which approximate the kernel). */
typedef struct sfm_density_plan {
  sfm_density_method method;
  sfm_engine engine;                   /* gp and sobolev */
  unsigned order;                      /* spline order, lattice only */
  sfm_density_noise noise;             /* lattice only; never AUTO there */
  size_t points[SFM_MAX_DIMENSION];    /* lattice points, features or grid points per axis; none of
                                          random features, which have no axes */
  double spacing[SFM_MAX_DIMENSION];   /* lattice only */
  size_t coefficients;                 /* how many numbers will be released */
  double bandwidth[SFM_MAX_DIMENSION]; /* as stated, or chosen */
  double privacy, sampling, smoothing, aliasing, truncation, total;
  double seconds; /* engine random: of one processor, if n is public or expected; else 0 */
} sfm_density_plan;

/* Checks every setting that can be wrong and chooses method and parameters, without opening any
 * rows.  rows: the public n (ignored under add/remove).  It opens no ledger either: what auto would
 * be for the sake of one is not seen here. */
SFM_API SFM_MUST_CHECK sfm_status sfm_density_choose(sfm_density_plan *plan,
                                                     const sfm_density_settings *settings,
                                                     uint64_t rows, sfm_error *error);

/* Releases the density of rows, and says in plan (may be NULL) what was chosen.
 * Privacy: lattice is epsilon-DP, or with normal noise mu-GDP; fourier-laplace and caratheodory are
 * epsilon-DP, gp and sobolev mu-GDP; mu from (epsilon, delta); neighbours and contributions as the
 * schema states, fourier-laplace and caratheodory for replace neighbours only.  Hardened, but for
 * caratheodory, and for the engines other than spectral and random: those are idealised and for
 * replace neighbours only.
 * Proof: docs/proofs/lattice.md, docs/proofs/gp.md, docs/proofs/random.md, docs/proofs/hardened.md,
 * docs/proofs/fields.md, docs/proofs/sobolev.md, docs/proofs/fourier.md,
 * docs/proofs/caratheodory.md.
 * Blocks while it reads.  The caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_density_release(sfm_release **out, sfm_density_plan *plan,
                                                      sfm_rows *rows,
                                                      const sfm_density_settings *settings,
                                                      sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
