/* series.h - release the density of one private column as the first terms of an orthonormal series.
 *
 * The density is estimated by f = sum_j c_j b_j, c_j = mean over rows of b_j(row), the b_j public
 * functions on the bounds; the coefficients are released with noise. */
#ifndef SFUMATO_SERIES_H
#define SFUMATO_SERIES_H

#include "sfumato/kernel.h"
#include "sfumato/ledger.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"
#include "sfumato/shape.h"
#include "sfumato/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_basis {
  SFM_BASIS_FOURIER,  /* 1, cosines and sines of whole periods: for variables that wrap */
  SFM_BASIS_COSINE,   /* 1, cosines of half periods */
  SFM_BASIS_LEGENDRE, /* polynomials */
  SFM_BASIS_HERMITE,  /* polynomials times a normal density, about the middle of the bounds */
  SFM_BASIS_HAAR,     /* wavelets, steps: the number of terms is a power of two */
  SFM_BASIS_DB4,      /* Daubechies' wavelets of four vanishing moments (eight taps), wrapped round;
                         the number of terms is a power of two */
  SFM_BASIS_EIGEN,    /* the eigenfunctions of a kernel on the bounds, computed numerically */
} sfm_basis;

/* "fourier", ..., "eigen"; NULL for a number that is no basis.  Static storage. */
SFM_API const char *sfm_basis_name(sfm_basis basis);

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_series_settings {
  const sfm_schema *schema; /* bounds, person, contributions; replace neighbours */
  const char *column;
  sfm_basis basis;
  double unit;              /* hermite: its unit; 0: a tenth of the bounds' width */
  sfm_kernel_family kernel; /* eigen: gaussian to cauchy, */
  double bandwidth;         /* in the column's unit */
  size_t terms;             /* constant included; 0: of least predicted error, */
  const sfm_shape *shape;   /* for this public guess; NULL: for a reference shape */
  sfm_vector_noise noise;   /* laplace and gamma: pure epsilon; normal needs delta */
  double epsilon, delta;
  sfm_outside outside;
  sfm_calibration calibration; /* for normal noise */
  double confidence;           /* of the band, in (0, 1) */
  const sfm_charge *charge;    /* NULL: not charged anywhere, and the release says so */
  bool seeded;                 /* for tests: the release says it is not private */
  uint64_t seed;
  void (*progress)(void *context, uint64_t rows_read); /* as for a density */
  void *progress_context;
} sfm_series_settings;

SFM_API sfm_series_settings sfm_series_settings_default(void);

/* What was chosen from public numbers, and the error it predicts: integrated squared errors over
 * the bounds; privacy against the series without noise, sampling and truncation against the shape,
 * or where there is none a public reference shape (docs/guides/series.md).  For a basis and a noise
 * the total never rises with the number of rows or epsilon. */
typedef struct sfm_series_plan {
  size_t terms;        /* constant included */
  size_t coefficients; /* how many numbers will be released */
  double sensitivity;  /* of their sums over rows, in the noise's norm, rounding included */
  double scale;        /* of the noise on one of them */
  double privacy, sampling, truncation, total;
} sfm_series_plan;

/* Checks every setting that can be wrong and chooses, without opening any rows.  rows: the public
 * n. */
SFM_API SFM_MUST_CHECK sfm_status sfm_series_choose(sfm_series_plan *plan,
                                                    const sfm_series_settings *settings,
                                                    uint64_t rows, sfm_error *error);

/* Releases the series of rows, and says in plan (may be NULL) what was chosen: kind "density".
 * Privacy: laplace and gamma are epsilon-DP, normal is mu-GDP with mu from (epsilon, delta);
 * replace neighbours, contributions as the schema states.  Hardened, but for gamma.
 * Proof: docs/proofs/series.md.
 * Blocks while it reads.  The caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_series_release(sfm_release **out, sfm_series_plan *plan,
                                                     sfm_rows *rows,
                                                     const sfm_series_settings *settings,
                                                     sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
