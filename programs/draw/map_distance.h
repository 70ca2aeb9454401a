/* earth.h - degrees and kilometres on maps. */
#ifndef DRAW_EARTH_H
#define DRAW_EARTH_H

/* How many kilometres a degree of longitude and one of latitude are at a latitude (in degrees), on
 * the ellipsoid of WGS 84. */
void draw_earth_degree(double latitude, double *east, double *north);
/* A round length in kilometres, 1, 2 or 5 times a power of ten: the largest that is no longer than
 * most. */
double draw_earth_round(double most);

#endif
