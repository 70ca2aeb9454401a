/* histogram_kind.h - a table of counts as a kind of release. */
#ifndef SFMI_HISTOGRAM_KIND_H
#define SFMI_HISTOGRAM_KIND_H

#include "releases/core/release_kind.h"

/* All cells at once, those of a sparse table that are not listed included (half_width is then the
 * threshold, which is `systematic`, and the noise's width); pointwise: one cell.  Sums of listed
 * cells (summed > 1: so many in one of them) have an infinite one. */
SFM_MUST_CHECK sfm_status sfmi_histogram_kind_band(sfm_band *band, const sfm_release *release,
                                                   double confidence, sfm_error *error);

/* releases/core/release_kind.h */
extern const sfmi_release_kind sfmi_histogram_kind;

#endif
