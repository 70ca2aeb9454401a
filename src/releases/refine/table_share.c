/* table_share.c - the share of the records of a table that have stated values: of its refinement,
 * unless the counts are asked for as they were released. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "releases/kinds/histogram_cells.h"
#include "sfumato/query.h"
#include "sfumato/refine.h"
#include "sfumato/sample.h"

static sfm_status check(const sfm_release *release, sfm_error *error) {
  const sfmi_cells *cells = release->cells;
  if (!cells)
    return sfmi_fail(error, SFM_INVALID,
                     "shares are those of a histogram, and this release is a %s",
                     sfm_kind_name(sfm_release_kind(release)));
  if (!cells->starts)
    return sfmi_fail(error, SFM_INVALID,
                     "a sparse table does not list all cells, so that no share of its records is "
                     "known; its cells are listed with their counts");
  if (cells->margin_count > 1)
    return sfmi_fail(error, SFM_INVALID,
                     "this release has %zu margins: take one of them first (sfm_table_margin_of)",
                     cells->margin_count);
  return SFM_OK;
}

/* allowed[code] of one column. */
static sfm_status allow(bool *allowed, const sfm_release *release, size_t i,
                        const sfm_table_condition *condition, sfm_error *error) {
  if (condition->count == 0)
    return sfmi_fail(error, SFM_INVALID, "no value is stated of column '%.64s'", condition->column);
  for (size_t k = 0; k < condition->count; k++) {
    const uint32_t code = sfm_table_code(release, i, condition->values[k]);
    if (code == SFM_NO_CODE)
      return sfmi_fail(error, SFM_INVALID,
                       "'%.64s' is no category of column '%.64s', and no number or bin of it",
                       condition->values[k], condition->column);
    allowed[code] = true;
  }
  return SFM_OK;
}

/* Clears fits[e] where the cell does not have one of the values. */
static sfm_status apply(bool *fits, const sfm_release *release,
                        const sfm_table_condition *condition, sfm_error *error) {
  const sfmi_cells *cells = release->cells;
  uint32_t codes[SFMI_FACTORS_MAX];
  size_t i = 0;
  while (i < cells->count && strcmp(cells->factors[i].name, condition->column) != 0) i++;
  if (i == cells->count)
    return sfmi_fail(error, SFM_INVALID, "this table has no column '%.64s'", condition->column);
  bool *allowed = sfmi_alloc((size_t)cells->factors[i].size, sizeof *allowed);
  if (!allowed) return sfmi_fail_memory(error);
  const sfm_status status = allow(allowed, release, i, condition, error);
  for (size_t e = 0; !status && e < release->length; e++) {
    sfm_table_cell(release, codes, e);
    fits[e] = fits[e] && allowed[codes[i]];
  }
  free(allowed);
  return status;
}

static sfm_status share_of(double *share, const sfm_release *release,
                           const sfm_table_condition *conditions, size_t count, sfm_error *error) {
  long double sum = 0, total = 0;
  sfm_status status = SFM_OK;
  bool *fits = sfmi_alloc(release->length, sizeof *fits);
  if (!fits) return sfmi_fail_memory(error);
  memset(fits, true, release->length);
  for (size_t k = 0; !status && k < count; k++)
    status = apply(fits, release, &conditions[k], error);
  for (size_t e = 0; e < release->length; e++) {
    total += sfm_release_coefficient(release, e);
    if (fits[e]) sum += sfm_release_coefficient(release, e);
  }
  if (!status && !(total > 0))
    status = sfmi_fail(error, SFM_INVALID, "the total of this table is not above zero");
  if (!status) *share = (double)(sum / total);
  free(fits);
  return status;
}

sfm_status sfm_table_share(double *share, const sfm_release *release,
                           const sfm_table_condition *conditions, size_t count, bool raw,
                           sfm_error *error) {
  sfm_release *refined = NULL;
  sfm_status status = check(release, error);
  if (!status && !raw && sfm_table_sample_refines(release)) {
    const sfm_table_refine_settings settings = sfm_table_refine_settings_default(release);
    status = sfm_table_refine(&refined, release, &settings, error);
  }
  if (!status) status = share_of(share, refined ? refined : release, conditions, count, error);
  sfm_release_destroy(refined);
  return status;
}
