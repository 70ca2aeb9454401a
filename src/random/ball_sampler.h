/* ball_sampler.h - a point of a ball that tells two linear functions apart: the exponential
 * mechanism with the score |<z, g> + offset| over all z with |z| <= radius.  Idealised: continuous.
 *
 * With t = <z, g>/(radius |g|), c = rate radius |g| and b = offset/(radius |g|), the density of t
 * on
 * [-1, 1] is prop. to (1 - t^2)^((d-1)/2) exp(c|t + b|) (what is left of the ball at t is a ball of
 * radius sqrt(1 - t^2) in d - 1 dimensions), and given t the rest of z is uniform in that ball.
 * docs/proofs/tdil.md. */
#ifndef SFMI_BALL_SAMPLER_H
#define SFMI_BALL_SAMPLER_H

#include "stream.h"

/* t with density prop. to (1 - t^2)^a exp(c |t + b|), a >= 0, c >= 0. */
double sfmi_ball_sample_component(sfmi_stream *stream, double a, double c, double b);

/* z of d >= 1 coordinates with density prop. to exp(rate |<z, g> + offset|) in the ball. */
void sfmi_ball_sample(sfmi_stream *stream, double *z, const double *g, size_t d, double radius,
                      double rate, double offset);

#endif
