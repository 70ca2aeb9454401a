/* ball_projection.h - rows shortened to a ball, so that their length is bounded exactly. */
#ifndef SFMI_BALL_PROJECTION_H
#define SFMI_BALL_PROJECTION_H

#include <stddef.h>

/* Shrinks a row (all its coordinates or its nonzeros) to |x| <= radius, which holds exactly; a row
 * well within is untouched.  One that is not of finite numbers becomes zero. */
void sfmi_ball_project(double *row, size_t count, double radius);

#endif
