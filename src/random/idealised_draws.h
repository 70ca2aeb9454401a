/* idealised_draws.h - continuous draws in double precision.  Idealised: rounding makes their law
 * only close to the formula, so a mechanism that uses them must say `idealised` in its name. */
#ifndef SFMI_IDEALISED_DRAWS_H
#define SFMI_IDEALISED_DRAWS_H

#include "stream.h"

/* Uniform on the 2^52 midpoints (k + 1/2) 2^-52 of (0, 1). */
double sfmi_idealised_uniform(sfmi_stream *stream);
/* Independent standard normals. */
void sfmi_idealised_normal(sfmi_stream *stream, double *values, size_t count);
/* Gamma(shape, 1), shape > 0. */
double sfmi_idealised_gamma(sfmi_stream *stream, double shape);
/* A uniform direction: a unit vector in dimension >= 1. */
void sfmi_idealised_direction(sfmi_stream *stream, double *unit, size_t dimension);

#endif
