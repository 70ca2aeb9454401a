#include "ranks.h"

#include <math.h>

bool sfmi_ranks_grid(sfmi_ranks *ranks, double lower, double upper, double step) {
  const double first = ceil(lower / step), last = floor(upper / step); /* exact but for rounding */
  if (!(fabs(first) <= 0x1p53 && fabs(last) <= 0x1p53)) return false;
  const double cells = last - first + 1;
  if (!(cells >= 2 && cells <= (double)SFMI_RANKS_MAX)) return false;
  *ranks = (sfmi_ranks){.step = step, .first = (int64_t)first, .cells = (size_t)cells};
  return true;
}

sfm_status sfmi_ranks_alloc(sfmi_ranks *ranks, sfm_error *error) {
  ranks->below = sfmi_alloc(ranks->cells, sizeof *ranks->below);
  return ranks->below ? SFM_OK : sfmi_fail_memory(error);
}

void sfmi_ranks_clear(sfmi_ranks *ranks) {
  sfmi_wipe_free(ranks->below, ranks->cells, sizeof *ranks->below);
  ranks->below = NULL;
}

void sfmi_ranks_add(sfmi_ranks *ranks, const sfmi_batch *batch) {
  const double first = (double)ranks->first, last = (double)(ranks->cells - 1);
  for (size_t r = 0; r < batch->rows; r++) {
    if (!batch->keep[r]) continue;
    const double cell = floor(batch->values[r] / ranks->step) - first;
    ranks->below[(size_t)fmin(fmax(cell, 0), last)]++;
  }
}

void sfmi_ranks_add_up(sfmi_ranks *ranks) {
  for (size_t i = 1; i < ranks->cells; i++) ranks->below[i] += ranks->below[i - 1];
}

sfmi_u128 sfmi_ranks_loss(const sfmi_ranks *ranks, sfm_ratio quantile, size_t i) {
  const sfmi_u128 target = (sfmi_u128)quantile.numerator * ranks->below[ranks->cells - 1];
  const sfmi_u128 before = (sfmi_u128)quantile.denominator * (i ? ranks->below[i - 1] : 0);
  const sfmi_u128 upto = (sfmi_u128)quantile.denominator * ranks->below[i];
  return before > target ? before - target : target > upto ? target - upto : 0;
}
