#include "gp_noise.h"

#include <math.h>
#include <stdlib.h>

#include "base/system/arena.h"
#include "random/idealised_draws.h"

struct sfmi_gp_noise {
  sfmi_field *field;
  sfmi_stream *stream;
  size_t count;
  sfmi_arena numbers; /* wiped in the end */
  double *normals, *path;
};

sfm_status sfmi_gp_noise_create(sfmi_gp_noise **out, sfm_engine engine, const sfm_kernel *kernel,
                                const sfmi_places *places, double nugget, sfmi_seed source,
                                sfm_error *error) {
  *out = NULL;
  sfmi_gp_noise *gp_noise = sfmi_alloc(1, sizeof *gp_noise);
  if (!gp_noise) return sfmi_fail_memory(error);
  gp_noise->count = places->count;
  sfm_status status = sfmi_field_create(&gp_noise->field, engine, kernel, places, nugget, error);
  if (!status) status = sfmi_seed_stream(&gp_noise->stream, source, error);
  if (!status) {
    gp_noise->normals = sfmi_arena_doubles(&gp_noise->numbers, sfmi_field_normals(gp_noise->field));
    gp_noise->path = sfmi_arena_doubles(&gp_noise->numbers, gp_noise->count);
    if (gp_noise->numbers.failed) status = sfmi_fail_memory(error);
  }
  if (!status)
    *out = gp_noise;
  else
    sfmi_gp_noise_destroy(gp_noise);
  return status;
}

void sfmi_gp_noise_destroy(sfmi_gp_noise *gp_noise) {
  if (!gp_noise) return;
  sfmi_arena_wipe(&gp_noise->numbers);
  sfmi_stream_destroy(gp_noise->stream);
  sfmi_field_destroy(gp_noise->field);
  free(gp_noise);
}

sfmi_field *sfmi_gp_noise_field(sfmi_gp_noise *gp_noise) {
  return gp_noise->field;
}

/* A fresh path. */
static void draw(sfmi_gp_noise *gp_noise) {
  sfmi_idealised_normal(gp_noise->stream, gp_noise->normals, sfmi_field_normals(gp_noise->field));
  sfmi_field_path(gp_noise->field, gp_noise->path, gp_noise->normals);
}

void sfmi_gp_noise_add_integers(sfmi_gp_noise *gp_noise, double *released, const sfmi_i128 *values,
                                double unit, double scale) {
  draw(gp_noise);
  for (size_t i = 0; i < gp_noise->count; i++) {
    /* A double of noise in units is far below 2^126: the sum is exact. */
    const sfmi_i128 noise = (sfmi_i128)rint(scale * gp_noise->path[i] / unit);
    released[i] = (double)(values[i] + noise) * unit;
  }
}

void sfmi_gp_noise_add(sfmi_gp_noise *gp_noise, double *released, const double *values,
                       double scale) {
  draw(gp_noise);
  for (size_t i = 0; i < gp_noise->count; i++)
    released[i] = (isfinite(values[i]) ? values[i] : 0) + scale * gp_noise->path[i];
}
