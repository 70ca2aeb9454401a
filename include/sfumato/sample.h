/* sample.h - draws synthetic rows from a released density or table.
 *
 * Any number of rows can be drawn at no cost in privacy.  The generator is public: anyone who knows
 * the seed can repeat the rows, and learns nothing beyond the release. */
#ifndef SFUMATO_SAMPLE_H
#define SFUMATO_SAMPLE_H

#include "sfumato/table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_sample sfm_sample;

/* Prepares to draw from a density of at most three columns.  Rows are drawn exactly from the
 * density's values on a regular grid (for a refined release its own grid), where negative values
 * are replaced by zero, with multilinear interpolation.  The number that the density is divided by
 * has no effect.  For a release by groups: from the `count` groups named (NULL: all), each in
 * proportion to its noisy size; a group with too few records is left out.  The release may be
 * destroyed afterwards.  The caller destroys *out. */
SFM_API SFM_MUST_CHECK sfm_status sfm_sample_create(sfm_sample **out, const sfm_release *release,
                                                    const size_t *groups, size_t count,
                                                    uint64_t seed, sfm_error *error);
SFM_API void sfm_sample_destroy(sfm_sample *sample);

/* Draws count rows.  points: count x dimension numbers, row by row.  groups (may be NULL): the
 * group of each row, 0 if there are no groups.  The next call continues the sequence.  One thread
 * at a time. */
SFM_API void sfm_sample_draw(sfm_sample *sample, double *points, size_t *groups, size_t count);

typedef struct sfm_table_sample sfm_table_sample;

/* Whether sfm_table_sample_create refines the table first: it is dense, of one margin, and was not
 * refined. */
SFM_API bool sfm_table_sample_refines(const sfm_release *release);

/* Prepares to draw from a histogram that is one table: listed cells in proportion to their counts.
 * A dense table that was not refined is refined first, by sfm_table_refine with its defaults, at no
 * cost: if negative counts were only replaced by zero, the noise of all cells together would be
 * records that nobody has, and every margin would be drawn towards equal shares.  Margins are
 * refused, because they do not determine the joint distribution of their columns.  The release may
 * be destroyed afterwards.  The caller destroys *out. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_sample_create(sfm_table_sample **out,
                                                          const sfm_release *release, uint64_t seed,
                                                          sfm_error *error);
/* The same of the released counts as they are, where negative counts are replaced by zero. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_sample_create_raw(sfm_table_sample **out,
                                                              const sfm_release *release,
                                                              uint64_t seed, sfm_error *error);
SFM_API void sfm_table_sample_destroy(sfm_table_sample *sample);
/* Draws count rows.  cells: the index of the listed cell of each row.  places (may be NULL):
 * count x columns numbers, uniform within the bin if a column has bins, otherwise NaN.  The next
 * call continues the sequence.  One thread at a time. */
SFM_API void sfm_table_sample_draw(sfm_table_sample *sample, size_t *cells, double *places,
                                   size_t count);

#ifdef __cplusplus
}
#endif
#endif
