/* mean_kind.c - the mean of one column with its outer limits, of so many rows (kind "mean"). */
#include <math.h>

#include "releases/core/release_kind.h"

static bool set_members(json_t *object, const sfm_release *release) {
  sfmi_release_set_rows(object, release);
  const bool good = sfmi_release_set_domain(object, release);
  return sfmi_members_set(object, release, sfmi_outside_member) && good;
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  sfm_status status = sfmi_release_read_rows(at, release, root);
  if (!status) status = sfmi_release_read_domain(at, release, root, 1);
  if (!status) status = sfmi_members_read(at, release, root, sfmi_outside_member);
  if (status) return status;
  return release->outside == SFM_OUTSIDE_CLAMP ? SFM_OK : sfmi_parse_wrong(at, "outside", "clamp");
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  if (release->hardened || release->length != 1 || isfinite(release->scale))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: a mean is one number, idealised, whose noise has no stated scale", name);
  if (release->neighbours != SFM_NEIGHBOURS_REPLACE || release->contributions != 1 ||
      release->rows == 0 || release->guarantee.kind != SFM_GUARANTEE_RANDOM_DP)
    return sfmi_fail(
        error, SFM_FORMAT,
        "%s: a mean has random differential privacy, replace neighbours and one record per person",
        name);
  if (!(release->lower[0] < release->upper[0]))
    return sfmi_fail(error, SFM_FORMAT, "%s: domain[0] needs lower < upper", name);
  return SFM_OK;
}

const sfmi_release_kind sfmi_mean_kind = {
    .kind = SFM_KIND_MEAN,
    .methods = SFMI_METHODS(MEAN_EMPIRICAL),
    .bandless = true,
    .scaleless = true,
    .verbs = "it is one number, which sfm_release_coefficient returns",
    .set = set_members,
    .read = read_members,
    .check = check_release,
};
