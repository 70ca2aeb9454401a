/* ball_sampler.h - the exponential mechanism over a ball: a point z, |z| <= radius, with the score
 * |<z, g> + offset|.  Idealised: continuous.
 *
 * Let t = <z, g>/(radius |g|), which is in [-1, 1], c = rate radius |g| and b = offset/(radius
 * |g|). The density of t is prop. to (1 - t^2)^((d-1)/2) exp(c|t + b|): at t the section of the
 * ball is a ball of radius sqrt(1 - t^2) in d - 1 dimensions.  Given t, the rest of z is uniform in
 * that section. docs/proofs/tdil.md. */
#ifndef SFMI_BALL_SAMPLER_H
#define SFMI_BALL_SAMPLER_H

#include "stream.h"

/* t with density prop. to (1 - t^2)^a exp(c |t + b|), a >= 0, c >= 0. */
double sfmi_ball_sample_component(sfmi_stream *stream, double a, double c, double b);

/* z of d >= 1 coordinates with density prop. to exp(rate |<z, g> + offset|) in the ball. */
void sfmi_ball_sample(sfmi_stream *stream, double *z, const double *g, size_t d, double radius,
                      double rate, double offset);

#endif
