/* release_facts.c - single numbers of a release that its summary states, for programs. */
#include <math.h>

#include "releases/core/release_data.h"
#include "choice_kind.h"
#include "sfumato/choose.h"

uint32_t sfm_release_contributions(const sfm_release *release) {
  return release->contributions;
}

double sfm_release_sensitivity(const sfm_release *release) {
  return release->sensitivity;
}

double sfm_release_step(const sfm_release *release) {
  return release->hardened ? release->step : NAN;
}

bool sfm_release_rows(const sfm_release *release, uint64_t *rows) {
  *rows = release->rows;
  return release->has_rows;
}

bool sfm_release_monotonic(const sfm_release *release) {
  return release->choice_data && release->choice_data->monotonic;
}

bool sfm_release_choice(const sfm_release *release, sfm_bandwidth_choice *choice) {
  const sfmi_bandwidth_choice *made = &sfmi_function_of(release)->choice;
  *choice = (sfm_bandwidth_choice){.count = made->count,
                                   .chosen = made->index,
                                   .candidates = made->candidates,
                                   .share = made->share,
                                   .epsilon = made->epsilon,
                                   .rest = made->rest};
  return made->count > 0;
}
