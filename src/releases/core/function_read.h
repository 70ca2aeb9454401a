/* function_read.h - what a file states of a density or another function: its domain, kernel and
 * engine, and its lattice, torus, places, basis or grid. */
#ifndef SFMI_FUNCTION_READ_H
#define SFMI_FUNCTION_READ_H

#include "json_members.h"
#include "release_data.h"

/* After everything that all releases have, coefficients included, has been read. */
SFM_MUST_CHECK sfm_status sfmi_release_read_function(const sfmi_parse_context *at,
                                                     sfm_release *release, const json_t *root);

#endif
