/* query_mode.h - where the density is largest of a density of one variable, exact but for noise. */
#ifndef SFMI_QUERY_MODE_H
#define SFMI_QUERY_MODE_H

#include "query_exact.h"

/* As in sfumato/query.h. */
SFM_MUST_CHECK sfm_status sfmi_query_exact_mode(const sfmi_query_exact *query, sfm_estimate *out,
                                                double *pieces, size_t *count, size_t most,
                                                sfm_error *error);

#endif
