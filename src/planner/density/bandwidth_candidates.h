/* bandwidth_candidates.h - the bandwidths that one is chosen from. */
#ifndef SFMI_BANDWIDTH_CANDIDATES_H
#define SFMI_BANDWIDTH_CANDIDATES_H

#include "design_density.h"
#include "planner/forecast/shape_model.h"

/* A list from as wide as the domain to a small part of the shape's standard deviation, at least
 * one: count x dimension numbers.  The caller frees it. */
SFM_MUST_CHECK sfm_status sfmi_bandwidth_candidates_list(double **list, size_t *count,
                                                         const sfmi_design_density *design,
                                                         const sfmi_shape_model *shape_model,
                                                         sfm_error *error);

#endif
