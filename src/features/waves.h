/* waves.h - random features in any dimension: P cosines and P sines of phases t = <turns_i, u>/h,
 * alternating, times P^-1/2.
 *
 * The turns follow from a seed as in frequencies.h: in up to SFM_MAX_DIMENSION dimensions they are
 * those of the family SFMI_RANDOM with the same seed.  A frequency whose phase could be beyond
 * SFMI_REACH_MAX where |u| <= radius is shortened. */
#ifndef SFMI_WAVES_H
#define SFMI_WAVES_H

#include "features/frequencies.h"

#define SFMI_WAVES_DIMENSION_MAX ((size_t)1 << 16)
/* Of frequencies x dimension. */
#define SFMI_WAVES_MAX ((size_t)1 << 26)

typedef struct sfmi_waves sfmi_waves;

/* Checks what is stated; the turns, which may be a thousand times as large as what states them, are
 * drawn by sfmi_waves_draw, before any of them is used. */
SFM_MUST_CHECK sfm_status sfmi_waves_create(sfmi_waves **out, const sfmi_spectral_law *law,
                                            double bandwidth, double radius, sfm_error *error);
/* Once; again it does nothing.  Thread-safe. */
SFM_MUST_CHECK sfm_status sfmi_waves_draw(sfmi_waves *waves, sfm_error *error);
/* Of the turns, drawn or not. */
double sfmi_waves_bytes(const sfmi_waves *waves);
void sfmi_waves_destroy(sfmi_waves *waves);

/* Frequency i along an axis, in turns a unit of u. */
double sfmi_waves_turn(const sfmi_waves *waves, size_t i, size_t axis);

/* Rows as in lift.h, |u| <= radius; `stride` numbers a row of phi, of which 2 P are written.  A row
 * is a function of itself alone, and is no longer than one: as it stands, whatever was rounded. */
void sfmi_waves_doubles(const sfmi_waves *waves, double *phi, size_t stride, const size_t *starts,
                        const uint32_t *indices, const double *u, size_t rows);
void sfmi_waves_floats(const sfmi_waves *waves, float *phi, size_t stride, const size_t *starts,
                       const uint32_t *indices, const double *u, size_t rows);

/* For tests: another kind of processor than the best, 0 being any; false when this is not one. */
bool sfmi_waves_use(sfmi_waves *waves, int kind);

#endif
