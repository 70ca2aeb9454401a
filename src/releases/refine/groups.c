/* groups.c - one group out of a release by several: a release of its own.
 *
 * The guarantee, the noise and all that is public of it are those of the whole, whose noise
 * protects every group at once (docs/proofs/groups.md); its coefficients are those of its lattice,
 * and it is divided by its own noisy size, the sum of its masses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "releases/band/band.h"

bool sfm_release_too_few(const sfm_release *release) {
  return sfmi_release_too_few(release);
}

/* The standard deviation of the noise in one coefficient. */
static double noise_deviation(const sfm_release *release) {
  const bool laplace = release->law == SFM_NOISE_LAW_DISCRETE_LAPLACE;
  return release->scale * sqrt((laplace ? 2 : 1) * (double)release->summed);
}

void sfm_release_group_size(const sfm_release *release, double *size, double *deviation, size_t g) {
  const sfmi_function_body *f = sfmi_function_of(release);
  const size_t groups = sfmi_partition_groups(&f->by), length = release->length / groups;
  sfmi_i128 sum = 0;
  *size = *deviation = NAN;
  if (f->sizes && g < groups) {
    *size = f->sizes[g];
    *deviation = f->size_error;
  }
  if (f->by.count == 0 || g >= groups || !release->integers) return;
  for (size_t i = 0; i < length; i++) sum += release->integers[g * length + i];
  *size = (double)sum * release->step * release->factor;
  *deviation = noise_deviation(release) * sqrt((double)length);
}

/* All of a group's release but its band. */
static sfm_status extract(sfm_release **out, const sfm_release *release, size_t g,
                          sfm_error *error) {
  const size_t length = release->length / sfmi_partition_groups(&release->function->by);
  /* Borrow: of the categories, only those of the group. */
  sfmi_function_body body = *release->function;
  sfm_release narrow = *release;
  char *labels[SFMI_BY_MAX];
  narrow.function = &body;
  for (size_t i = 0; i < body.by.count; i++) {
    labels[i] = (char *)(uintptr_t)sfm_release_group_label(release, g, i);
    body.by.labels[i] = &labels[i];
    body.by.sizes[i] = 1;
  }
  const sfm_status status = sfmi_release_derive(out, &narrow, error);
  if (status) return status;
  sfm_release *one = *out;
  one->length = length;
  if (release->integers) one->integers = sfmi_alloc(length, sizeof *one->integers);
  if (release->reals) one->reals = sfmi_alloc(length, sizeof *one->reals);
  if (release->function->sizes) one->function->sizes = sfmi_alloc(1, sizeof *one->function->sizes);
  if ((!one->integers && !one->reals) || (release->function->sizes && !one->function->sizes))
    return sfmi_fail_memory(error);
  if (one->function->sizes) one->function->sizes[0] = release->function->sizes[g];
  if (one->integers)
    memcpy(one->integers, release->integers + g * length, length * sizeof *one->integers);
  if (one->reals) memcpy(one->reals, release->reals + g * length, length * sizeof *one->reals);
  return SFM_OK;
}

/* The bands, all at once. */
static sfm_status bound(sfm_release *const *groups, size_t count, double confidence,
                        sfm_error *error) {
  sfm_status status = sfmi_resources_allow(groups[0], sfmi_resources_band(groups[0], count),
                                           "computing the bands of its groups", error);
  if (status) return status;
  sfm_band *bands = sfmi_alloc(count, sizeof *bands);
  if (!bands) return sfmi_fail_memory(error);
  status = sfmi_band_densities(bands, (const sfm_release *const *)groups, count, confidence, error);
  for (size_t i = 0; i < count && !status; i++) groups[i]->band = bands[i];
  free(bands);
  return status;
}

sfm_status sfm_release_groups(sfm_release **out, const sfm_release *release, const size_t *groups,
                              size_t count, sfm_error *error) {
  const size_t there = sfm_release_group_count(release);
  sfm_status status = SFM_OK;
  memset(out, 0, count * sizeof *out);
  if (there == 0) return sfmi_fail(error, SFM_INVALID, "this release is not by groups");
  for (size_t i = 0; i < count && !status; i++)
    status = groups[i] < there ? extract(&out[i], release, groups[i], error)
                               : sfmi_fail(error, SFM_INVALID,
                                           "there are %zu groups, and none is "
                                           "number %zu",
                                           there, groups[i]);
  /* The only one has the band of the whole. */
  if (!status && count > 0 && there > 1 && !release->refined.done)
    status = bound(out, count, release->band.confidence, error);
  for (size_t i = 0; i < count; i++) status = sfmi_release_made(&out[i], status);
  return status;
}

sfm_status sfm_release_group(sfm_release **out, const sfm_release *release, size_t g,
                             sfm_error *error) {
  return sfm_release_groups(out, release, &g, 1, error);
}
