/* map_scale.h - maps of longitude and latitude: their shape, a length to measure by, and densities
 * per square kilometre (--unit km).
 *
 * The scale is that of the latitude in the middle of the map. */
#ifndef CLI_MAP_SCALE_H
#define CLI_MAP_SCALE_H

#include "cli/core/options.h"
#include "draw/draw.h"

extern const cli_option option_unit;

typedef struct map_scale {
  bool found;         /* the axes are longitude and latitude, by their names and bounds */
  bool turned;        /* latitude comes first: longitude is drawn across all the same */
  double east, north; /* km per degree */
  double factor;      /* of values: 1, or 1 / (km^2 per square degree) */
  char rule[32];
} map_scale;

/* What the figure's axes are. */
void map_scale_find(map_scale *m, const draw_figure *figure);
/* The same, as options have it; --unit where they are anything else, or where there is no density,
 * is refused. */
SFM_MUST_CHECK sfm_status map_scale_read(map_scale *m, const draw_figure *figure, bool density,
                                         const cli_options *options, sfm_error *error);
/* Turns a grid that was chosen for the picture, as it will be drawn. */
void map_scale_grid(const map_scale *m, draw_figure *figure);
/* The values on the figure's grid, as it is before map_scale_show; the half-width of their band. */
SFM_MUST_CHECK sfm_status map_scale_values(const map_scale *m, const draw_figure *figure,
                                           double *values, double *half_width, sfm_error *error);
/* Shape, rule and what its values are; longitude across. */
void map_scale_show(map_scale *m, draw_figure *figure, bool density);
/* With --unit km, adds what a square degree is there; else nothing. */
void map_scale_say(const map_scale *m, char *note, size_t size, const draw_figure *figure);

#endif
