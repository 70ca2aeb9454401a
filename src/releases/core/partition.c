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

bool sfmi_partition_copy(sfmi_partition *out, const sfmi_partition *partition) {
  bool good = true;
  *out = (sfmi_partition){0};
  for (size_t i = 0; good && i < partition->count; i++) {
    const size_t size = out->sizes[i] = partition->sizes[i];
    out->columns[i] = sfmi_copy_string(partition->columns[i]);
    out->labels[i] = sfmi_copy_strings((const char *const *)partition->labels[i], size);
    out->count = i + 1;
    good = out->columns[i] && out->labels[i];
  }
  return good;
}

void sfmi_partition_clear(sfmi_partition *partition) {
  for (size_t i = 0; i < SFMI_BY_MAX; i++) {
    sfmi_free_strings(partition->labels[i], partition->sizes[i]);
    free(partition->columns[i]);
  }
  *partition = (sfmi_partition){0};
}
