/* evaluator_widths.c - the half-widths of a band at points (sfumato/release.h). */
#include <math.h>

#include "random_feature_band.h"
#include "releases/eval/evaluator.h"

sfm_status sfm_evaluator_widths(const sfm_evaluator *evaluator, double *widths,
                                const double *points, size_t count, sfm_error *error) {
  const sfm_release *release = evaluator->release;
  if (release->refined.done) {
    for (size_t i = 0; i < count; i++) widths[i] = NAN;
    return sfmi_fail_refined_band(error);
  }
  const sfm_status status =
      sfmi_resources_allow(release, sfmi_resources_points_asked(release, count, true),
                           "its band at these points", error);
  if (status) return status;
  if (evaluator->kriging)
    return sfmi_kriging_at(evaluator->kriging, NULL, widths, points, count, error);
  if (release->function->engine == SFM_ENGINE_RANDOM)
    return sfmi_random_feature_widths(widths, evaluator->expansion, release, points, count, error);
  for (size_t i = 0; i < count; i++)
    widths[i] = sfmi_release_contains(release, points + i * release->dimension)
                    ? release->band.half_width
                    : NAN;
  return SFM_OK;
}
