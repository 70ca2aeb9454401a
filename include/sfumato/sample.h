/* sample.h - rows drawn from a released density or table: synthetic ones, of nobody.
 *
 * Drawing costs no privacy, however many are drawn, and the generator is a public one: who knows
 * the seed can repeat the rows, and learns nothing but the release. */
#ifndef SFUMATO_SAMPLE_H
#define SFUMATO_SAMPLE_H

#include "sfumato/crosstab.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_sample sfm_sample;

/* Of a density of at most three columns.  Its values on a regular grid (that of a refined release
 * is its own), below zero taken as zero, multilinear in between, are what is drawn from, exactly;
 * what it is divided by does not matter.  Of a release by groups, the count groups named (NULL:
 * all), each in proportion to its noisy size; a group with too few records to tell is not drawn
 * from.  The release is not needed any more then.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_sample_create(sfm_sample **out, const sfm_release *release,
                                                    const size_t *groups, size_t count,
                                                    uint64_t seed, sfm_error *error);
SFM_API void sfm_sample_destroy(sfm_sample *sample);

/* points: count x dimension numbers, row by row.  groups (may be NULL): the group of each row, 0
 * where there are none.  Draws on from where the last call ended.  One thread at a time. */
SFM_API void sfm_sample_draw(sfm_sample *sample, double *points, size_t *groups, size_t count);

typedef struct sfm_table_sample sfm_table_sample;

/* Of a histogram that is one table: listed cells in proportion to their counts, below zero taken as
 * zero.  Margins are refused: they do not say how their columns go together.  The release is not
 * needed any more then.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_sample_create(sfm_table_sample **out,
                                                          const sfm_release *release, uint64_t seed,
                                                          sfm_error *error);
SFM_API void sfm_table_sample_destroy(sfm_table_sample *sample);
/* cells: which of the listed cells each of count rows is in; places (may be NULL): count x columns
 * numbers, uniform within the bin where a column has bins, else NaN.  Draws on from where the last
 * call ended.  One thread at a time. */
SFM_API void sfm_table_sample_draw(sfm_table_sample *sample, size_t *cells, double *places,
                                   size_t count);

#ifdef __cplusplus
}
#endif
#endif
