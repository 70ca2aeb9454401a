/* table_sample.c - rows drawn from a released table: a cell by its count, then a place in its
 * bins.
 */
#include <math.h>
#include <stdlib.h>

#include "estimators/tables/binning.h"
#include "releases/kinds/histogram_cells.h"
#include "alias_sampler.h"
#include "sfumato/refine.h"
#include "sfumato/sample.h"

struct sfm_table_sample {
  size_t columns, length;
  sfmi_binning bins[SFMI_FACTORS_MAX]; /* size 0: categories */
  uint32_t *codes;                     /* of the listed cells, length x columns; NULL: no bins */
  sfmi_alias_sampler sampler;
  sfmi_prng prng;
};

static sfm_status check(const sfm_release *release, sfm_error *error) {
  if (!release->cells)
    return sfmi_fail(error, SFM_INVALID, "this release is a %s, not a histogram",
                     sfm_kind_name(sfm_release_kind(release)));
  if (release->cells->margin_count > 1)
    return sfmi_fail(
        error, SFM_INVALID,
        "this release has %zu margins, which do not say how their columns go together: "
        "rows are drawn from one table (sfm_table_margin_of takes one out)",
        release->cells->margin_count);
  return SFM_OK;
}

/* What is needed to find a place in a cell. */
static sfm_status keep_bins(sfm_table_sample *sample, const sfm_release *release,
                            sfm_error *error) {
  const sfmi_cells *cells = release->cells;
  bool some = false;
  sample->columns = cells->count;
  sample->length = release->length;
  for (size_t i = 0; i < cells->count; i++) {
    const sfmi_factor *factor = &cells->factors[i];
    if (factor->labels || factor->size == 0 || cells->texts) continue;
    sample->bins[i] = (sfmi_binning){factor->lower, factor->upper, factor->size};
    some = true;
  }
  if (!some) return SFM_OK;
  sample->codes = sfmi_alloc(release->length * cells->count, sizeof *sample->codes);
  if (!sample->codes) return sfmi_fail_memory(error);
  for (size_t e = 0; e < release->length; e++)
    sfm_table_cell(release, sample->codes + e * cells->count, e);
  return SFM_OK;
}

static sfm_status fill(sfm_table_sample *sample, const sfm_release *release, sfm_error *error) {
  double sum = 0, *masses = sfmi_alloc(release->length, sizeof *masses);
  if (!masses) return sfmi_fail_memory(error);
  for (size_t e = 0; e < release->length; e++)
    sum += masses[e] = fmax(sfm_release_coefficient(release, e), 0);
  sfm_status status = sum > 0 && isfinite(sum)
                          ? keep_bins(sample, release, error)
                          : sfmi_fail(error, SFM_INVALID,
                                      "no count of this table is above zero: there is nothing to "
                                      "draw rows from");
  if (!status) status = sfmi_alias_sampler_init(&sample->sampler, masses, release->length, error);
  free(masses);
  return status;
}

bool sfm_table_sample_refines(const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  return cells && cells->starts && cells->margin_count == 1 && !release->refined.done;
}

sfm_status sfm_table_sample_create(sfm_table_sample **out, const sfm_release *release,
                                   uint64_t seed, sfm_error *error) {
  if (!sfm_table_sample_refines(release))
    return sfm_table_sample_create_raw(out, release, seed, error);
  const sfm_table_refine_settings settings = sfm_table_refine_settings_default(release);
  sfm_release *refined;
  *out = NULL;
  sfm_status status = sfm_table_refine(&refined, release, &settings, error);
  if (!status) status = sfm_table_sample_create_raw(out, refined, seed, error);
  sfm_release_destroy(refined);
  return status;
}

sfm_status sfm_table_sample_create_raw(sfm_table_sample **out, const sfm_release *release,
                                       uint64_t seed, sfm_error *error) {
  *out = NULL;
  sfm_status status = check(release, error);
  if (status) return status;
  sfm_table_sample *sample = sfmi_alloc(1, sizeof *sample);
  if (!sample) return sfmi_fail_memory(error);
  status = fill(sample, release, error);
  if (status) {
    sfm_table_sample_destroy(sample);
    return status;
  }
  sfmi_prng_init(&sample->prng, seed);
  *out = sample;
  return SFM_OK;
}

void sfm_table_sample_destroy(sfm_table_sample *sample) {
  if (!sample) return;
  sfmi_alias_sampler_clear(&sample->sampler);
  free(sample->codes);
  free(sample);
}

/* Uniform in its bin, whose upper edge belongs to the next one. */
static double place_in(const sfmi_binning *bins, uint32_t code, sfmi_prng *prng) {
  const double from = sfmi_bin_edge(bins, code), to = sfmi_bin_edge(bins, code + 1),
               at = from + (to - from) * sfmi_prng_uniform(prng);
  return at < to ? at : from;
}

void sfm_table_sample_draw(sfm_table_sample *sample, size_t *cells, double *places, size_t count) {
  const size_t columns = sample->columns;
  for (size_t k = 0; k < count; k++) {
    cells[k] = sfmi_alias_sampler_draw(&sample->sampler, &sample->prng);
    for (size_t i = 0; places && i < columns; i++)
      places[k * columns + i] =
          sample->bins[i].size
              ? place_in(&sample->bins[i], sample->codes[cells[k] * columns + i], &sample->prng)
              : NAN;
  }
}
