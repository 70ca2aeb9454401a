/* map_distance.h - degrees and kilometres on maps. */
#ifndef DRAW_MAP_DISTANCE_H
#define DRAW_MAP_DISTANCE_H

/* How many kilometres a degree of longitude and one of latitude are at a latitude (in degrees), on
 * the ellipsoid of WGS 84. */
void draw_map_degree(double latitude, double *east, double *north);
/* A round length in kilometres, 1, 2 or 5 times a power of ten: the largest that is no longer than
 * most. */
double draw_map_round_length(double most);

#endif
