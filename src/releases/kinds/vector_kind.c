/* vector_kind.c - numbers, which may have labels (kind "vector"). */
#include <stdlib.h>

#include "releases/band/band.h"
#include "releases/core/release_kind.h"

static bool set_members(json_t *object, const sfm_release *release) {
  return !release->vector->labels ||
         sfmi_json_set_texts(object, "labels", release->vector->labels, release->length);
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const bool gamma = release->method == SFMI_GAMMA || release->law == SFM_NOISE_LAW_GAMMA,
             cube = release->law == SFM_NOISE_LAW_DISCRETE_LINF;
  const bool good = release->method == SFMI_KNORM ? release->hardened == cube
                    : release->hardened           ? !gamma
                                                  : release->method != SFMI_LAPLACE;
  if (!good)
    return sfmi_parse_wrong(at, "hardened",
                            "true for laplace, false for gamma, for k-norm what its law says");
  if (!json_object_get(root, "labels")) return SFM_OK;
  size_t count = 0;
  if (json_array_size(json_object_get(root, "labels")) != release->length)
    return sfmi_parse_wrong(at, "labels", "an array of as many strings as there are coefficients");
  return sfmi_parse_texts(at, &release->vector->labels, &count, root, "labels", release->length,
                          true);
}

static void destroy_body(sfm_release *release) {
  sfmi_vector_body *vector = release->vector;
  sfmi_free_strings(vector->labels, release->length);
  free(vector->ellipsoid_factor);
  sfmi_hit_and_run_destroy(vector->shape);
  free(vector);
}

const char *sfm_release_label(const sfm_release *release, size_t i) {
  const sfmi_vector_body *vector = release->vector;
  return vector && vector->labels && i < release->length ? vector->labels[i] : NULL;
}

const sfmi_release_kind sfmi_vector_kind = {
    .kind = SFM_KIND_VECTOR,
    .at = offsetof(sfm_release, vector),
    .methods =
        SFMI_METHODS(LAPLACE) | SFMI_METHODS(NORMAL) | SFMI_METHODS(GAMMA) | SFMI_METHODS(KNORM),
    .body = sizeof(sfmi_vector_body),
    .verbs = "sfm_release_coefficient and sfm_release_label return its numbers",
    .set = set_members,
    .read = read_members,
    .destroy = destroy_body,
    .band = sfmi_band_vector,
};
