/* shape.h - a public guess of the shape of a density in memory (internal face of sfumato/shape.h):
 * parts per column, or a released density. */
#ifndef SFMI_SHAPE_H
#define SFMI_SHAPE_H

#include "sfumato/density.h"
#include "sfumato/shape.h"

/* Most parts of a column, and most columns of a released density that is a shape. */
enum { SFMI_SHAPE_PARTS_MAX = 8, SFMI_PILOT_DIMENSIONS = 3 };

/* A part of a column's law: normal, or uniform where the deviation is 0. */
typedef struct sfmi_shape_part {
  double mean, deviation;
} sfmi_shape_part;

typedef struct sfmi_shape_column {
  size_t count;
  sfmi_shape_part parts[SFMI_SHAPE_PARTS_MAX];
} sfmi_shape_column;

/* A released density that is the shape: its values on a regular grid over a box, both bounds
 * included, the last axis fastest. */
typedef struct sfmi_pilot {
  size_t counts[SFMI_PILOT_DIMENSIONS];
  double lower[SFMI_PILOT_DIMENSIONS], upper[SFMI_PILOT_DIMENSIONS];
  double *values;
  size_t length;
} sfmi_pilot;

struct sfm_shape {
  size_t dimension;
  sfmi_shape_column columns[SFM_MAX_DIMENSION]; /* independent */
  bool released; /* then the pilot is the shape, and there are no columns */
  sfmi_pilot pilot;
};

/* A shape in canonical words; of a release its hash.  For the ledger; the caller frees it. */
char *sfmi_shape_text(const sfm_shape *shape);

#endif
