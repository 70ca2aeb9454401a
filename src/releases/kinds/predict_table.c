/* predict_table.c - which counts of a table one record of a set can change when another of the set
 * takes its place. */
#include <math.h>
#include <string.h>

#include "estimators/tables/binning.h"
#include "histogram_cells.h"
#include "sfumato/predict.h"

/* The codes that a factor can have, as many as two count as many; and whether a record can count
 * nowhere because of it. */
typedef struct reach {
  unsigned codes; /* 0, 1 or 2 */
  bool nowhere;
} reach;

static unsigned few(uint64_t count) {
  return count < 2 ? (unsigned)count : 2;
}

/* The very bins that records are put into, which ascend with the number. */
static reach reach_bins(const sfmi_factor *factor, const sfm_supposition *about, bool drop) {
  const sfmi_binning bins = {factor->lower, factor->upper, factor->size};
  const bool beyond = about->lower < factor->lower || about->upper > factor->upper;
  const bool outside = about->upper < factor->lower || about->lower > factor->upper;
  const uint64_t first = sfmi_bin_of(&bins, fmin(fmax(about->lower, factor->lower), factor->upper)),
                 last = sfmi_bin_of(&bins, fmin(fmax(about->upper, factor->lower), factor->upper));
  return (reach){drop && outside ? 0 : last > first ? 2 : 1, drop && beyond};
}

static bool is_label(const sfmi_factor *factor, const char *text) {
  if (factor->size == 0) return *text != '\0';
  for (uint64_t k = 0; k < factor->size; k++)
    if (strcmp(factor->labels[k], text) == 0) return true;
  return false;
}

static sfm_status reach_labels(reach *out, const sfmi_factor *factor, const sfm_supposition *about,
                               sfm_error *error) {
  uint64_t found = 0;
  for (size_t i = 0; i < about->text_count; i++) {
    bool again = false;
    for (size_t j = 0; j < i; j++) again = again || strcmp(about->texts[j], about->texts[i]) == 0;
    if (!is_label(factor, about->texts[i]))
      return sfmi_fail(error, SFM_INVALID, "column '%.200s' has no category '%.200s'", factor->name,
                       about->texts[i]);
    found += !again;
  }
  *out = (reach){few(found), false};
  return SFM_OK;
}

static sfm_status find_reach(reach *out, const sfm_release *release, const sfmi_factor *factor,
                             const sfm_supposition *suppositions, size_t count, sfm_error *error) {
  const bool bins = factor->size > 0 && !factor->labels;
  *out = (reach){factor->size == 0 ? 2 : few(factor->size), true};
  for (size_t i = 0; i < count; i++) {
    const sfm_supposition *about = &suppositions[i];
    if (strcmp(about->column, factor->name) != 0) continue;
    if (about->interval != bins)
      return sfmi_fail(error, SFM_INVALID,
                       bins ? "column '%.200s' is in bins: state an interval, LOWER:UPPER"
                            : "column '%.200s' has categories: state some, A|B",
                       factor->name);
    if (about->interval ? !(about->lower <= about->upper) : about->text_count == 0)
      return sfmi_fail(error, SFM_INVALID, "no value of '%.200s' satisfies the condition on it",
                       about->column);
    if (!bins) return reach_labels(out, factor, about, error);
    *out = reach_bins(factor, about, release->outside == SFM_OUTSIDE_DROP);
  }
  return SFM_OK;
}

static sfm_status check(const sfm_release *release, const sfm_supposition *suppositions,
                        size_t count, sfm_error *error) {
  const sfmi_cells *cells = release->cells;
  if (!cells)
    return sfmi_fail(error, SFM_INVALID, "a %s has no cells that a record could be in",
                     sfm_kind_name(sfm_release_kind(release)));
  if (release->neighbours != SFM_NEIGHBOURS_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "a prediction is about one record in the place of another, and this release "
                     "hides whether there is one at all (add-remove)");
  if (release->guarantee.kind == SFM_GUARANTEE_RANDOM_DP)
    return sfmi_fail(error, SFM_INVALID,
                     "this release is under random differential privacy already, for all laws");
  for (size_t i = 0; i < count; i++) {
    bool found = false;
    for (size_t f = 0; f < cells->count; f++)
      found = found || strcmp(cells->factors[f].name, suppositions[i].column) == 0;
    if (!found)
      return sfmi_fail(error, SFM_INVALID, "the table has no column '%.200s'",
                       suppositions[i].column);
  }
  return SFM_OK;
}

/* Whether a record may count nowhere for a reason that the columns do not show: it is one too many
 * of its person, or lacks a column that was added up.  A refined table does not say whether columns
 * were. */
static bool hides(const sfm_release *release) {
  return release->enforced || release->summed > 1 || release->refined.done;
}

/* Counts of a margin that change: two, or one where a record may also count nowhere, or none. */
static unsigned changes(const sfmi_cells *cells, uint64_t margin, const reach *reaches,
                        bool nowhere) {
  unsigned codes = 1;
  for (size_t f = 0; f < cells->count; f++) {
    if (!(margin >> f & 1)) continue;
    codes *= reaches[f].codes;
    nowhere = nowhere || reaches[f].nowhere;
    if (codes > 2) codes = 2;
  }
  return codes >= 2 ? 2 : codes == 1 && nowhere ? 1 : 0;
}

/* Of the guarantee g for 2 counts a margin, what is left for `moved` of them. */
static sfm_status scale(sfm_guarantee *out, const sfm_guarantee *g, double share,
                        sfm_error *error) {
  *out = *g;
  if (share == 0) *out = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE};
  if (share == 0 || share == 1) return SFM_OK;
  if (g->kind == SFM_GUARANTEE_PURE) out->epsilon = nextafter(g->epsilon * share, INFINITY);
  if (g->kind != SFM_GUARANTEE_GDP) return SFM_OK;
  out->mu = nextafter(g->mu * sqrt(share), INFINITY);
  return sfm_guarantee_epsilon(&out->epsilon, out, g->delta, error);
}

sfm_status sfm_predict_table(sfm_guarantee *out, const sfm_release *release,
                             const sfm_supposition *suppositions, size_t count, sfm_error *error) {
  reach reaches[SFMI_FACTORS_MAX];
  double moved = 0;
  sfm_status status = check(release, suppositions, count, error);
  if (status) return status;
  const sfmi_cells *cells = release->cells;
  for (size_t f = 0; f < cells->count && !status; f++)
    status = find_reach(&reaches[f], release, &cells->factors[f], suppositions, count, error);
  if (status) return status;
  for (size_t m = 0; m < cells->margin_count; m++)
    moved += changes(cells, cells->margins[m], reaches, hides(release));
  return scale(out, &release->guarantee, moved / (2 * (double)cells->margin_count), error);
}
