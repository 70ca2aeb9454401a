/* subset.h - exact random subsets (docs/proofs/samplers.md). */
#ifndef SFMI_SUBSET_H
#define SFMI_SUBSET_H

#include "stream.h"

#define SFMI_SUBSET_MAX (UINT64_C(1) << 62)

/* A uniform subset of k out of 0 .. n-1 (k <= n <= SFMI_SUBSET_MAX), ascending. */
SFM_MUST_CHECK sfm_status sfmi_subset(sfmi_stream *stream, uint64_t *out, size_t k, uint64_t n,
                                      sfm_error *error);

#endif
