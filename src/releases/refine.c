/* refine.c - a density made better by what is public: its noise's law, and what any density is. */
#include <stdlib.h>
#include <string.h>

#include "releases/gridded.h"
#include "releases/projection.h"
#include "releases/shrink.h"
#include "sfumato/refine.h"

sfm_refine_settings sfm_refine_settings_default(void) {
  return (sfm_refine_settings){.shrink = true, .nonnegative = true, .normalise = true};
}

bool sfm_release_shrinks(const sfm_release *release) {
  return release->refined.shrunk || sfmi_shrinks(release, NULL) == SFM_OK;
}

sfm_refinement sfm_release_refinement(const sfm_release *release) {
  const sfmi_refinement *r = &release->refined;
  return (sfm_refinement){r->shrunk, r->nonnegative, r->normalised, r->combined};
}

/* The values of the release on the grid, shrunk where that is asked for and not done yet. */
static sfm_status fill(double *values, const sfmi_places *grid, const sfm_release *release,
                       bool shrink, double total, sfm_error *error) {
  sfm_evaluator *evaluator = NULL;
  if (release->refined.done) {
    memcpy(values, release->reals, grid->count * sizeof *values);
    return SFM_OK;
  }
  sfm_status status = shrink ? sfmi_evaluator_create_shrunk(&evaluator, release, total, error)
                             : sfm_evaluator_create(&evaluator, release, total, error);
  if (status == SFM_OK) status = sfmi_gridded_fill(values, grid, evaluator, release, error);
  sfm_evaluator_destroy(evaluator);
  return status;
}

static sfm_status project(sfm_release *release, sfm_error *error) {
  double *weights = sfmi_alloc(release->length, sizeof *weights);
  if (!weights) return sfmi_fail_memory(error);
  sfmi_gridded_weights(&release->places, weights);
  sfm_status status =
      sfmi_project(release->reals, weights, release->length, release->refined.nonnegative,
                   release->refined.normalised, error);
  free(weights);
  return status;
}

static sfm_status check(const sfm_release *release, const sfm_refine_settings *settings,
                        sfm_error *error) {
  if (!settings->shrink && !settings->nonnegative && !settings->normalise)
    return sfmi_fail(error, SFM_INVALID,
                     "nothing is asked for: shrink, nonnegative, normalise, or some of them");
  if (release->by.count)
    return sfmi_fail(error, SFM_INVALID, "a release by groups is refined group by group");
  return settings->shrink && !release->refined.shrunk ? sfmi_shrinks(release, error) : SFM_OK;
}

sfm_status sfm_release_refine(sfm_release **out, const sfm_release *release,
                              const sfm_refine_settings *settings, sfm_error *error) {
  sfmi_places grid;
  sfm_release *made = NULL;
  *out = NULL;
  sfm_status status = sfmi_gridded_choose(&grid, release, error);
  if (status == SFM_OK) status = check(release, settings, error);
  if (status == SFM_OK) status = sfmi_gridded_create(&made, release, &grid, error);
  if (status == SFM_OK)
    status = fill(made->reals, &grid, release, settings->shrink, settings->total, error);
  if (status == SFM_OK) {
    made->refined.shrunk |= settings->shrink;
    made->refined.nonnegative |= settings->nonnegative;
    made->refined.normalised |= settings->normalise;
    status = project(made, error);
  }
  if (status == SFM_OK)
    *out = made;
  else
    sfm_release_destroy(made);
  return status;
}
