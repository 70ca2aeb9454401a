#include "mechanisms/placed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random/idealised.h"

struct sfmi_placer {
  sfmi_field *field;
  sfmi_stream *stream;
  size_t count;
  double *normals, *path;
};

sfm_status sfmi_placer_create(sfmi_placer **out, sfm_engine engine, const sfm_kernel *kernel,
                              const sfmi_places *places, double nugget, sfmi_seed source,
                              sfm_error *error) {
  *out = NULL;
  sfmi_placer *placer = sfmi_alloc(1, sizeof *placer);
  if (!placer) return sfmi_fail_memory(error);
  placer->count = places->count;
  sfm_status status = sfmi_field_create(&placer->field, engine, kernel, places, nugget, error);
  if (status == SFM_OK)
    status = source.seeded ? sfmi_stream_create_seeded(&placer->stream, source.seed, error)
                           : sfmi_stream_create(&placer->stream, error);
  if (status == SFM_OK) {
    placer->normals = sfmi_alloc(sfmi_field_normals(placer->field), sizeof *placer->normals);
    placer->path = sfmi_alloc(placer->count, sizeof *placer->path);
    if (!placer->normals || !placer->path) status = sfmi_fail_memory(error);
  }
  if (status != SFM_OK) {
    sfmi_placer_destroy(placer);
    return status;
  }
  *out = placer;
  return SFM_OK;
}

static void wipe(double *numbers, size_t count) {
  if (numbers) explicit_bzero(numbers, count * sizeof *numbers);
}

void sfmi_placer_destroy(sfmi_placer *placer) {
  if (!placer) return;
  if (placer->field) wipe(placer->normals, sfmi_field_normals(placer->field));
  wipe(placer->path, placer->count);
  free(placer->normals);
  free(placer->path);
  sfmi_stream_destroy(placer->stream);
  sfmi_field_destroy(placer->field);
  free(placer);
}

sfmi_field *sfmi_placer_field(sfmi_placer *placer) {
  return placer->field;
}

/* A fresh path. */
static void draw(sfmi_placer *placer) {
  sfmi_idealised_normal(placer->stream, placer->normals, sfmi_field_normals(placer->field));
  sfmi_field_path(placer->field, placer->path, placer->normals);
}

void sfmi_placer_add_integers(sfmi_placer *placer, double *released, const sfmi_i128 *values,
                              double unit, double scale) {
  draw(placer);
  for (size_t i = 0; i < placer->count; i++) {
    /* A double of noise in units is far below 2^126: the sum is exact. */
    const sfmi_i128 noise = (sfmi_i128)rint(scale * placer->path[i] / unit);
    released[i] = (double)(values[i] + noise) * unit;
  }
}

void sfmi_placer_add(sfmi_placer *placer, double *released, const double *values, double scale) {
  draw(placer);
  for (size_t i = 0; i < placer->count; i++)
    released[i] = (isfinite(values[i]) ? values[i] : 0) + scale * placer->path[i];
}
