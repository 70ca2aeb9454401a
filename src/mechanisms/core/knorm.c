#include "knorm.h"

#include <stdlib.h>
#include <string.h>

#include "base/math/cmplx.h"
#include "base/system/progress.h"
#include "features/bodies/moment_hull.h"
#include "features/bodies/verblunsky.h"
#include "random/idealised_draws.h"

struct sfmi_knorm {
  size_t m;
  sfmi_stream *stream;
  sfmi_hit_and_run *hull; /* NULL: the body is K_m */
  double complex *point, *work;
  double *uniforms; /* 2 m */
};

sfm_status sfmi_knorm_create(sfmi_knorm **out, sfm_density_body body, size_t m, sfmi_seed source,
                             sfm_error *error) {
  sfmi_knorm *knorm = sfmi_alloc(1, sizeof *knorm);
  *out = NULL;
  if (!knorm) return sfmi_fail_memory(error);
  knorm->m = m;
  knorm->point = sfmi_alloc(m, sizeof *knorm->point);
  knorm->work = sfmi_alloc(m, sizeof *knorm->work);
  knorm->uniforms = sfmi_alloc(2 * m, sizeof *knorm->uniforms);
  sfm_status status =
      knorm->point && knorm->work && knorm->uniforms ? SFM_OK : sfmi_fail_memory(error);
  if (!status && body == SFM_DENSITY_BODY_HULL)
    status = sfmi_moment_hull_create(&knorm->hull, m, error);
  if (!status) status = sfmi_seed_stream(&knorm->stream, source, error);
  if (!status)
    *out = knorm;
  else
    sfmi_knorm_destroy(knorm);
  return status;
}

static void wipe(sfmi_knorm *knorm) {
  const size_t m = knorm->m;
  if (knorm->point) explicit_bzero(knorm->point, m * sizeof *knorm->point);
  if (knorm->work) explicit_bzero(knorm->work, m * sizeof *knorm->work);
  if (knorm->uniforms) explicit_bzero(knorm->uniforms, 2 * m * sizeof *knorm->uniforms);
}

void sfmi_knorm_destroy(sfmi_knorm *knorm) {
  if (!knorm) return;
  wipe(knorm);
  sfmi_hit_and_run_destroy(knorm->hull);
  sfmi_stream_destroy(knorm->stream);
  free(knorm->point);
  free(knorm->work);
  free(knorm->uniforms);
  free(knorm);
}

/* What a walk draws from, and tells. */
typedef struct walker {
  sfmi_stream *stream;
  const sfm_context *context;
} walker;

static void draw_step(void *state, double *direction, size_t dimension, double *uniform) {
  const walker *w = state;
  sfmi_idealised_normal(w->stream, direction, dimension);
  *uniform = sfmi_idealised_uniform(w->stream);
}

static sfm_status tell(void *state, size_t done, size_t total, sfm_error *error) {
  const walker *w = state;
  return sfmi_progress(
      w->context, (sfm_progress){.stage = SFM_STAGE_WALKING, .done = done, .total = total}, error);
}

/* A uniform point of the body, into point. */
static sfm_status draw_point(sfmi_knorm *knorm, const sfm_context *context, sfm_error *error) {
  const size_t m = knorm->m;
  if (!knorm->hull) {
    for (size_t i = 0; i < 2 * m; i++) knorm->uniforms[i] = sfmi_idealised_uniform(knorm->stream);
    sfmi_verblunsky_point(knorm->point, knorm->uniforms, knorm->work, m);
    return SFM_OK;
  }
  walker w = {knorm->stream, context};
  const sfmi_hit_and_run_source source = {&w, draw_step, tell};
  sfm_status status =
      sfmi_hit_and_run_walk(knorm->hull, &source, sfmi_hit_and_run_steps(2 * m), error);
  const double *at = sfmi_hit_and_run_at(knorm->hull);
  for (size_t k = 0; k < m; k++) knorm->point[k] = CMPLX(at[2 * k], at[2 * k + 1]);
  return status;
}

sfm_status sfmi_knorm_add(sfmi_knorm *knorm, double complex *released, const double complex *theta,
                          double scale, const sfm_context *context, sfm_error *error) {
  sfm_status status = draw_point(knorm, context, error);
  if (status) return status;
  const double r = scale * sfmi_idealised_gamma(knorm->stream, 2 * (double)knorm->m + 1);
  for (size_t k = 0; k < knorm->m; k++) released[k] = theta[k] + r * knorm->point[k];
  wipe(knorm);
  return SFM_OK;
}
