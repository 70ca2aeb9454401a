/* query_cdf.h - the distribution function of a density of one variable, exact but for noise. */
#ifndef SFMI_QUERY_CDF_H
#define SFMI_QUERY_CDF_H

#include "query_exact.h"

/* As in sfumato/query.h. */
SFM_MUST_CHECK sfm_status sfmi_query_exact_cdf(const sfmi_query_exact *query, sfm_estimate *out,
                                               const double *x, size_t count, sfm_error *error);

#endif
