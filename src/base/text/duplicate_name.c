#include "duplicate_name.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b) {
  const char *const *const *x = a, *const *const *y = b;
  const int order = strcmp(**x, **y);
  return order ? order : (*x > *y) - (*x < *y);
}

sfm_status sfmi_duplicate_name(size_t *place, const char *const *names, size_t count,
                               sfm_error *error) {
  *place = count;
  const char *const **sorted = sfmi_alloc(count, sizeof *sorted);
  if (!sorted) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) sorted[i] = &names[i];
  qsort(sorted, count, sizeof *sorted, compare_names);
  for (size_t i = 1; i < count && *place == count; i++)
    if (strcmp(*sorted[i - 1], *sorted[i]) == 0) *place = (size_t)(sorted[i] - names);
  free(sorted);
  return SFM_OK;
}
