/* field_engine.h - what all engines of gaussian_field.h have in common. */
#ifndef SFMI_FIELD_ENGINE_H
#define SFMI_FIELD_ENGINE_H

#include "gaussian_field.h"

/* An engine's own state begins with this. */
struct sfmi_field {
  size_t count;   /* places */
  size_t normals; /* of a path */
  double nugget;
  double excess;
  void (*path)(sfmi_field *field, double *path, double *normals);
  void (*destroy)(sfmi_field *field);
};

#endif
