/* ball_projection.h - rows shortened to a ball, so that their length is bounded exactly. */
#ifndef SFMI_BALL_PROJECTION_H
#define SFMI_BALL_PROJECTION_H

#include <stddef.h>

/* Shortens a row (all its coordinates, or its nonzeros) to |x| <= radius, which then holds exactly.
 * A row well within the ball is not changed.  A row with a number that is not finite becomes zero.
 */
void sfmi_ball_project(double *row, size_t count, double radius);

#endif
