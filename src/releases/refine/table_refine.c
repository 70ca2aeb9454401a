/* table_refine.c - a released table made plausible by what is public: no count is negative, a
 * total is known, counts rise or fall along a column, margins belong to one table.  Each is the
 * nearest there is in the sum of squares. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/vector_sums.h"
#include "base/system/sized_struct.h"
#include "kept_margins.h"
#include "margin_projection.h"
#include "projection.h"
#include "sfumato/refine.h"

void sfm_table_refine_settings_init(sfm_table_refine_settings *settings, size_t size,
                                    const sfm_release *release) {
  const sfmi_cells *cells = release ? release->cells : NULL;
  const sfm_table_refine_settings defaults = {.nonnegative = true,
                                              .total = true,
                                              .consistent = cells && cells->margin_count > 1,
                                              .keep_margins = true};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

static sfm_status check(const sfm_release *release, const sfm_table_refine_settings *settings,
                        sfm_error *error) {
  const sfmi_cells *cells = release->cells;
  if (!cells)
    return sfmi_fail(error, SFM_INVALID, "this release is a %s, not a histogram",
                     sfm_kind_name(sfm_release_kind(release)));
  if (!cells->starts)
    return sfmi_fail(error, SFM_INVALID,
                     "a sparse table has nothing to refine: what it lists is above its threshold, "
                     "so nothing is negative, and what it does not list is missing from every "
                     "total");
  if (!settings->nonnegative && !settings->total && !settings->consistent && !settings->monotone)
    return sfmi_fail(error, SFM_INVALID,
                     "nothing is asked for: nonnegative, total, monotone, consistent, or some of "
                     "them");
  if (settings->total && !(isfinite(settings->stated) && settings->stated >= 0))
    return sfmi_fail(error, SFM_INVALID,
                     "the total of a table must be a positive number, or that of the release");
  if (settings->monotone && (cells->margin_count != 1 || cells->count != 1))
    return sfmi_fail(
        error, SFM_INVALID,
        "monotone counts are for a table of one column, in its order; sfm_table_margin_of "
        "makes one");
  if (settings->consistent && cells->margin_count == 1 && !cells->consistent)
    return sfmi_fail(error, SFM_INVALID,
                     "there is only one table, and consistent compares several; leave it out");
  return SFM_OK;
}

/* Whether the condition says anything of this table. */
static bool keeps_margins(const sfmi_cells *cells, const sfm_table_refine_settings *s) {
  return s->keep_margins && s->nonnegative && s->total && cells->starts &&
         cells->margin_count == 1 && cells->count > 1;
}

/* What is asked for, and what an earlier refinement made of it, which is kept. */
static sfm_table_refine_settings joined(const sfm_release *release,
                                        const sfm_table_refine_settings *settings) {
  sfm_table_refine_settings all = *settings;
  all.nonnegative = all.nonnegative || release->refined.nonnegative;
  all.total = all.total || release->refined.normalised;
  all.consistent =
      (all.consistent || release->cells->consistent) && release->cells->margin_count > 1;
  if (all.monotone == 0) all.monotone = release->cells->monotone;
  return all;
}

/* One table by itself. */
static sfm_status refine_one(double *values, size_t count, const sfm_table_refine_settings *s,
                             sfm_error *error) {
  if (s->monotone) {
    const sfm_status status = sfmi_isotonic(values, count, s->monotone, error);
    if (status) return status;
  }
  const double total = s->stated > 0 ? s->stated : sfmi_sum(values, count);
  if (s->total && s->nonnegative && !(total > 0)) { /* nothing else has such a total, or less */
    memset(values, 0, count * sizeof *values);
    return SFM_OK;
  }
  if (s->total && !s->nonnegative) {
    const double by = (total - sfmi_sum(values, count)) / (double)count;
    for (size_t i = 0; i < count && s->stated > 0; i++) values[i] += by;
    return SFM_OK;
  }
  double *weights = sfmi_alloc(count, sizeof *weights);
  if (!weights) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) weights[i] = s->total ? 1 / total : 1;
  const sfmi_integral_condition known =
      s->total ? SFMI_INTEGRAL_CONDITION_ONE : SFMI_INTEGRAL_CONDITION_ANY;
  const sfm_status status = sfmi_project(values, weights, count, s->nonnegative, known, error);
  free(weights);
  return status;
}

static sfm_status refine_together(double *values, const sfmi_cells *cells,
                                  const sfm_table_refine_settings *s, sfm_error *error) {
  sfmi_margin_projection *projection = NULL;
  sfm_status status = sfmi_margin_projection_create(&projection, cells, error);
  if (status) return status;
  sfmi_margin_projection_apply(projection, values, s->total && s->stated > 0 ? &s->stated : NULL);
  if (s->nonnegative) {
    const double total = fmax(sfmi_sum(values, cells->starts[1]), 0);
    status = sfmi_margin_projection_apply_nonnegative(projection, values, s->total ? &total : NULL,
                                                      error);
  }
  sfmi_margin_projection_destroy(projection);
  return status;
}

static sfm_status refine_values(sfm_release *made, const sfm_table_refine_settings *s,
                                sfm_error *error) {
  const sfmi_cells *cells = made->cells;
  sfm_status status = SFM_OK;
  if (s->consistent) return refine_together(made->reals, cells, s, error);
  const double total = s->stated > 0 ? s->stated : sfmi_sum(made->reals, made->length);
  if (keeps_margins(cells, s) && total > 0)
    return sfmi_keep_margins(made->reals, cells, total, error);
  for (size_t m = 0; m < cells->margin_count && !status; m++)
    status = refine_one(made->reals + cells->starts[m], cells->starts[m + 1] - cells->starts[m], s,
                        error);
  return status;
}

static sfm_status fill(sfm_release *made, const sfm_release *release,
                       const sfm_table_refine_settings *s, sfm_error *error) {
  made->length = release->length;
  made->cells = sfmi_cells_copy(release->cells, release->length);
  made->reals = sfmi_alloc(release->length, sizeof *made->reals);
  if (!made->cells || !made->reals) return sfmi_fail_memory(error);
  for (size_t e = 0; e < made->length; e++) made->reals[e] = sfm_release_coefficient(release, e);
  made->refined.done = true;
  made->refined.nonnegative = s->nonnegative;
  made->refined.normalised = s->total;
  made->cells->consistent = s->consistent;
  made->cells->monotone = s->monotone;
  made->band = (sfm_band){NAN, NAN, NAN, NAN};
  const sfm_status status = refine_values(made, s, error);
  for (size_t e = 0; e < made->length; e++) made->reals[e] += 0.0; /* no -0 in the file */
  return status;
}

sfm_status sfm_table_refine(sfm_release **out, const sfm_release *release,
                            const sfm_table_refine_settings *given, sfm_error *error) {
  sfm_table_refine_settings taken;
  *out = NULL;
  sfm_status status =
      sfmi_struct_take(&taken, sizeof taken, given, SFMI_LEAST(sfm_table_refine_settings),
                       "sfm_table_refine_settings", error);
  if (status) return status;
  const sfm_table_refine_settings *settings = &taken;
  status = check(release, settings, error);
  if (status) return status;
  const sfm_table_refine_settings all = joined(release, settings);
  const sfmi_resources cost = keeps_margins(release->cells, &all)
                                  ? sfmi_kept_margins_resources(release)
                                  : sfmi_margin_projection_resources(release, all.consistent);
  status = sfmi_resources_allow(release, cost, "refining it", error);
  if (status) return status;
  status = sfmi_release_derive(out, release, error);
  if (!status) status = fill(*out, release, &all, error);
  return sfmi_release_made(out, status);
}
