#include "partition.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/system/status.h"

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
