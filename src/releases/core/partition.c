/* partition.c - the groups of a release, and the release of one of them. */
#include <stdlib.h>
#include <string.h>

#include "release_data.h"

const char *sfm_boundary_name(sfm_boundary boundary) {
  static const char *const names[] = {"open", "reflect", "periodic"};
  return names[boundary];
}

size_t sfmi_partition_groups(const sfmi_partition *partition) {
  size_t groups = 1;
  for (size_t i = 0; i < partition->count; i++) {
    if (partition->sizes[i] > SFMI_GROUPS_MAX) return SIZE_MAX;
    groups *= partition->sizes[i];
    if (groups > SFMI_GROUPS_MAX) return SIZE_MAX;
  }
  return groups;
}

static bool copy_column(sfmi_partition *out, size_t i, const char *column, char *const *labels,
                        size_t count) {
  out->columns[i] = sfmi_copy_string(column);
  out->labels[i] = sfmi_alloc(count, sizeof *out->labels[i]);
  out->count = i + 1;
  bool good = out->columns[i] && out->labels[i];
  for (size_t k = 0; good && k < count; k++) {
    out->labels[i][k] = sfmi_copy_string(labels[k]);
    out->sizes[i] = k + 1;
    good = out->labels[i][k] != NULL;
  }
  return good;
}

bool sfmi_partition_copy(sfmi_partition *out, const sfmi_partition *partition) {
  bool good = true;
  *out = (sfmi_partition){0};
  for (size_t i = 0; good && i < partition->count; i++)
    good = copy_column(out, i, partition->columns[i], partition->labels[i], partition->sizes[i]);
  return good;
}

void sfmi_partition_clear(sfmi_partition *partition) {
  for (size_t i = 0; i < SFMI_BY_MAX; i++) {
    for (size_t k = 0; partition->labels[i] && k < partition->sizes[i]; k++)
      free(partition->labels[i][k]);
    free(partition->labels[i]);
    free(partition->columns[i]);
  }
  *partition = (sfmi_partition){0};
}

size_t sfm_release_by_count(const sfm_release *release) {
  return release->by.count;
}

size_t sfm_release_group_count(const sfm_release *release) {
  return release->by.count ? sfmi_partition_groups(&release->by) : 0;
}

const char *sfm_release_by(const sfm_release *release, size_t i) {
  return i < release->by.count ? release->by.columns[i] : NULL;
}

/* The category of column i in group g, the last column fastest. */
static size_t category(const sfmi_partition *by, size_t g, size_t i) {
  for (size_t k = by->count - 1; k > i; k--) g /= by->sizes[k];
  return g % by->sizes[i];
}

const char *sfm_release_group_label(const sfm_release *release, size_t g, size_t i) {
  const sfmi_partition *by = &release->by;
  if (i >= by->count || g >= sfmi_partition_groups(by)) return NULL;
  return by->labels[i][category(by, g, i)];
}

/* Strings, basis and points are copied. */
static bool copy_owned(sfm_release *copy, const sfm_release *release) {
  bool good = sfmi_partition_copy(&copy->by, &release->by);
  for (size_t a = 0; good && a < release->dimension; a++) {
    copy->columns[a] = sfmi_copy_string(release->columns[a]);
    good = copy->columns[a] != NULL;
  }
  if (good && release->person) good = (copy->person = sfmi_copy_string(release->person)) != NULL;
  if (good && release->law) good = (copy->law = sfmi_copy_string(release->law)) != NULL;
  if (good && release->dataset) good = (copy->dataset = sfmi_copy_string(release->dataset)) != NULL;
  if (good && release->request) good = (copy->request = sfmi_copy_string(release->request)) != NULL;
  if (good && release->choice.count) {
    const size_t numbers = release->choice.count * release->dimension;
    copy->choice.candidates = sfmi_alloc(numbers, sizeof *copy->choice.candidates);
    good = copy->choice.candidates != NULL;
    if (good)
      memcpy(copy->choice.candidates, release->choice.candidates,
             numbers * sizeof *copy->choice.candidates);
  }
  return good;
}

sfm_release *sfmi_release_copy_metadata(const sfm_release *release) {
  sfm_release *copy = sfmi_release_create();
  if (!copy) return NULL;
  *copy = *release;
  copy->by = (sfmi_partition){0};
  memset(copy->columns, 0, sizeof copy->columns);
  copy->person = copy->sentence = copy->dataset = copy->request = copy->law = copy->stored = NULL;
  copy->stored_length = copy->length = 0;
  copy->integers = NULL;
  copy->reals = copy->ellipsoid_factor = copy->points = copy->sizes = copy->quantiles = NULL;
  copy->choice.candidates = NULL;
  copy->places.points = NULL;
  copy->shape = NULL;
  copy->cells = NULL;
  copy->count_data = NULL;
  copy->optimal = NULL;
  copy->choice_data = NULL;
  copy->model = NULL;
  copy->basis = NULL;
  if (copy_owned(copy, release)) return copy;
  sfm_release_destroy(copy);
  return NULL;
}
