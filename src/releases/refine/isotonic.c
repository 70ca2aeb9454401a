#include "isotonic.h"

#include <stdbool.h>
#include <stdlib.h>

/* A run of values that share their mean. */
typedef struct pool {
  long double sum;
  size_t count;
} pool;

/* Whether the mean of a is above that of b. */
static bool above(const pool *a, const pool *b) {
  return a->sum * (long double)b->count > b->sum * (long double)a->count;
}

sfm_status sfmi_isotonic(double *values, size_t count, int direction, sfm_error *error) {
  pool *pools = sfmi_alloc(count, sizeof *pools);
  size_t used = 0, at = 0;
  if (!pools) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    pools[used++] = (pool){direction > 0 ? values[i] : values[count - 1 - i], 1};
    while (used > 1 && above(&pools[used - 2], &pools[used - 1])) {
      pools[used - 2].sum += pools[used - 1].sum;
      pools[used - 2].count += pools[used - 1].count;
      used--;
    }
  }
  for (size_t k = 0; k < used; k++)
    for (size_t i = 0; i < pools[k].count; i++, at++)
      values[direction > 0 ? at : count - 1 - at] =
          (double)(pools[k].sum / (long double)pools[k].count);
  free(pools);
  return SFM_OK;
}
