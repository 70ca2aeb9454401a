/* series.h - releases the density of one column as a series of orthonormal functions.
 *
 * The estimate is f = sum_j c_j b_j, where the b_j are public functions on the bounds and c_j is
 * the mean over rows of b_j(row).  The first coefficients are released with noise. */
#ifndef SFUMATO_SERIES_H
#define SFUMATO_SERIES_H

#include "sfumato/kernel.h"
#include "sfumato/context.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"
#include "sfumato/shape.h"
#include "sfumato/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_basis {
  SFM_BASIS_FOURIER,  /* 1, cosines and sines of whole periods: for periodic columns */
  SFM_BASIS_COSINE,   /* 1, cosines of half periods */
  SFM_BASIS_LEGENDRE, /* polynomials */
  SFM_BASIS_HERMITE,  /* polynomials times a normal density, around the middle of the bounds */
  SFM_BASIS_HAAR,     /* wavelets, step functions; the number of terms is a power of two */
  /* Daubechies' wavelets with four vanishing moments (eight taps), periodic; the number of terms is
   * a power of two. */
  SFM_BASIS_DB4,
  SFM_BASIS_EIGEN, /* eigenfunctions of a kernel on the bounds, computed numerically */
} sfm_basis;

/* Returns "fourier", ..., "eigen"; NULL for a number that is not a basis.  Static storage. */
SFM_API const char *sfm_basis_name(sfm_basis basis);

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_series_settings {
  size_t size;         /* of this struct */
  sfm_context context; /* schema: bounds, person, contributions; neighbours must be replace */
  const char *column;
  sfm_basis basis;             /* default: FOURIER */
  double unit;                 /* hermite, in the column's unit; 0: a tenth of the bounds' width */
  sfm_kernel_family kernel;    /* eigen: gaussian to cauchy */
  double bandwidth;            /* eigen: of the kernel, in the column's unit */
  size_t terms;                /* including the constant; 0: the least predicted error */
  const sfm_shape *shape;      /* a public guess, for that prediction; NULL: a reference shape */
  sfm_vector_noise noise;      /* laplace (the default), gamma, or normal, which needs a delta */
  double epsilon, delta;       /* delta 0: pure epsilon */
  sfm_outside outside;         /* default: SFM_OUTSIDE_CLAMP */
  sfm_calibration calibration; /* of normal noise; default: EXACT */
} sfm_series_settings;

/* Returns the defaults.  schema, column and epsilon must be set. */
SFM_API void sfm_series_settings_init(sfm_series_settings *settings, size_t size);
SFM_DEFAULT(sfm_series_settings)

/* What was chosen from public numbers, and the predicted errors.  Errors are squared and integrated
 * over the bounds: privacy against the series without noise, sampling and truncation against
 * the shape (without one, a public reference shape: docs/guides/series.md).  For one basis and
 * one noise the total never increases with the number of rows or epsilon. */
typedef struct sfm_series_choice {
  size_t terms;        /* including the constant */
  size_t coefficients; /* how many numbers will be released */
  double sensitivity;  /* of their sums over rows, in the noise's norm, rounding included */
  double scale;        /* of the noise on one of them */
  double privacy, sampling, truncation, total;
} sfm_series_choice;

/* Checks all settings and chooses what is to be chosen.  Opens no rows.  rows: the public n. */
SFM_API SFM_MUST_CHECK sfm_status sfm_series_choose(sfm_series_choice *choice,
                                                    const sfm_series_settings *settings,
                                                    uint64_t rows, sfm_error *error);

/* Releases the series of rows, kind "density".  choice (may be NULL) is set to what was chosen.
 * Blocks while it reads.  The caller destroys the release.
 * Privacy: laplace and gamma are epsilon-DP, normal is mu-GDP with mu from (epsilon, delta);
 * replace neighbours, contributions as the schema states.  Hardened, except for gamma.
 * Proof: docs/proofs/series.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_series_release(sfm_release **out, sfm_series_choice *choice,
                                                     sfm_rows *rows,
                                                     const sfm_series_settings *settings,
                                                     sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
