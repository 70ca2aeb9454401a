/* random_features.h - random features in any dimension: P cosines and P sines of phases t =
 * <turns_i, u>/h, alternating, times P^-1/2.
 *
 * The turns follow from a seed as in random_basis.h: in up to SFM_MAX_DIMENSION dimensions they are
 * those of the family SFMI_RANDOM with the same seed.  A frequency whose phase could be beyond
 * SFMI_TURNS_MAX for some |u| <= radius is shortened. */
#ifndef SFMI_RANDOM_FEATURES_H
#define SFMI_RANDOM_FEATURES_H

#include "features/bases/random_basis.h"

#define SFMI_RANDOM_FEATURES_DIMENSION_MAX ((size_t)1 << 16)
/* Of frequencies x dimension. */
#define SFMI_RANDOM_FEATURES_MAX ((size_t)1 << 26)

typedef struct sfmi_random_features sfmi_random_features;

/* Checks what is stated.  The turns may be a thousand times as large as what states them; they are
 * drawn by sfmi_random_features_draw, which comes before any use of them. */
SFM_MUST_CHECK sfm_status sfmi_random_features_create(sfmi_random_features **out,
                                                      const sfmi_spectral_law *law,
                                                      double bandwidth, double radius,
                                                      sfm_error *error);
/* Draws the turns; a second call does nothing.  Thread-safe. */
SFM_MUST_CHECK sfm_status sfmi_random_features_draw(sfmi_random_features *features,
                                                    sfm_error *error);
/* The memory of the turns, drawn or not. */
double sfmi_random_features_bytes(const sfmi_random_features *features);
void sfmi_random_features_destroy(sfmi_random_features *features);

/* Frequency i along an axis, in turns per unit of u. */
double sfmi_random_features_turn(const sfmi_random_features *features, size_t i, size_t axis);

/* Rows as in feature_map.h, |u| <= radius; `stride` numbers per row of phi, of which 2 P are
 * written.  A row of phi depends on its row alone.  It is no longer than one as it stands, rounding
 * included. */
void sfmi_random_features_doubles(const sfmi_random_features *features, double *phi, size_t stride,
                                  const size_t *starts, const uint32_t *indices, const double *u,
                                  size_t rows);
void sfmi_random_features_floats(const sfmi_random_features *features, float *phi, size_t stride,
                                 const size_t *starts, const uint32_t *indices, const double *u,
                                 size_t rows);

/* For tests: uses the loops of another kind of processor (base/system/processor.h) than the best;
 * false when this processor is not of that kind. */
bool sfmi_random_features_use(sfmi_random_features *features, int kind);

#endif
