/* sample.c - rows drawn from a density on a grid.
 *
 * Multilinear between values v_i >= 0 at the points of a grid, it is a mixture of tents: one a
 * point, of mass v_i w_i (w the trapezoid rule's weights), the product over columns of triangles
 * from one neighbour to the other (half of one at a bound).  So a row is a point, drawn by mass,
 * and along each column the difference of two uniform numbers, in cells. */
#include <math.h>
#include <stdlib.h>

#include "releases/eval/grid_density.h"
#include "alias_sampler.h"
#include "sfumato/sample.h"

struct sfm_sample {
  sfmi_places grid;
  double cell[SFMI_GRID_DENSITY_DIMENSIONS];
  size_t *groups;             /* those that are drawn from, in order; NULL: there are none */
  sfmi_alias_sampler sampler; /* over the points, group after group */
  sfmi_prng prng;
};

/* masses[i]: of the tents, from a density's values, in all `whole`; all zero where it is nowhere
 * above zero.  An add/remove density is not divided by its noisy total: that changes nothing. */
static sfm_status fill_masses(double *masses, const sfmi_places *grid, const sfm_release *release,
                              double whole, sfm_error *error) {
  sfm_evaluator *evaluator = NULL;
  double *weights = sfmi_alloc(grid->count, sizeof *weights), sum = 0;
  sfm_status status =
      weights ? sfm_evaluator_create(&evaluator, release, 1, error) : sfmi_fail_memory(error);
  if (!status) status = sfmi_grid_density_fill(masses, grid, evaluator, release, error);
  if (!status) {
    sfmi_grid_density_weights(grid, weights);
    for (size_t i = 0; i < grid->count; i++) sum += masses[i] = fmax(masses[i], 0) * weights[i];
    for (size_t i = 0; i < grid->count && sum > 0; i++) masses[i] *= whole / sum;
  }
  sfm_evaluator_destroy(evaluator);
  free(weights);
  return status;
}

/* Each group in proportion to its noisy size; those of which there are too few to tell not at all.
 */
static sfm_status fill_groups(double *masses, const sfm_sample *sample, size_t count,
                              const sfm_release *release, sfm_error *error) {
  enum { SOME = 64 };
  sfm_release *groups[SOME];
  sfm_status status = SFM_OK;
  for (size_t first = 0; first < count && !status; first += SOME) {
    const size_t some = count - first < SOME ? count - first : SOME;
    status = sfm_release_groups(groups, release, sample->groups + first, some, error);
    for (size_t i = 0; i < some; i++) {
      double size, deviation;
      sfm_release_group_size(release, &size, &deviation, sample->groups[first + i]);
      if (!status && size > 0 && !sfmi_release_too_few(groups[i]))
        status = fill_masses(masses + (first + i) * sample->grid.count, &sample->grid, groups[i],
                             size, error);
      sfm_release_destroy(groups[i]);
    }
  }
  return status;
}

/* The groups that are named, or all. */
static sfm_status choose_groups(sfm_sample *sample, const size_t *groups, size_t *count,
                                const sfm_release *release, sfm_error *error) {
  const size_t there = sfm_release_group_count(release);
  if (!groups) *count = there;
  if (there == 0) {
    *count = 1;
    return groups ? sfmi_fail(error, SFM_INVALID, "this release is not by groups") : SFM_OK;
  }
  if (*count == 0 || sample->grid.count > SFMI_RELEASE_MAX / *count)
    return sfmi_fail(error, SFM_INVALID,
                     "from 1 to %zu groups of this release can be drawn from at once, not %zu",
                     SFMI_RELEASE_MAX / sample->grid.count, *count);
  sample->groups = sfmi_alloc(*count, sizeof *sample->groups);
  if (!sample->groups) return sfmi_fail_memory(error);
  for (size_t i = 0; i < *count; i++) sample->groups[i] = groups ? groups[i] : i;
  return SFM_OK;
}

static sfm_status init(sfm_sample *sample, const sfm_release *release, const size_t *groups,
                       size_t count, sfm_error *error) {
  const sfmi_places *grid = &sample->grid;
  double sum = 0;
  sfm_status status = choose_groups(sample, groups, &count, release, error);
  if (!status)
    status = sfmi_resources_allow(release,
                                  sfmi_resources_grid_density(release, grid->counts, count, false),
                                  "drawing from it", error);
  if (status) return status;
  double *masses = sfmi_alloc(count * grid->count, sizeof *masses);
  if (!masses) return sfmi_fail_memory(error);
  status = sample->groups ? fill_groups(masses, sample, count, release, error)
                          : fill_masses(masses, grid, release, 1, error);
  for (size_t i = 0; !status && i < count * grid->count; i++) sum += masses[i];
  if (!status && !(sum > 0 && isfinite(sum)))
    status = sfmi_fail(error, SFM_INVALID, "%s: there is nothing to draw rows from",
                       sample->groups ? "these groups have too few records to tell"
                                      : "this density is nowhere above zero");
  if (!status)
    status = sfmi_alias_sampler_init(&sample->sampler, masses, count * grid->count, error);
  free(masses);
  return status;
}

sfm_status sfm_sample_create(sfm_sample **out, const sfm_release *release, const size_t *groups,
                             size_t count, uint64_t seed, sfm_error *error) {
  sfm_sample *sample = sfmi_alloc(1, sizeof *sample);
  *out = NULL;
  if (!sample) return sfmi_fail_memory(error);
  sfm_status status = sfmi_grid_density_choose(&sample->grid, release, error);
  if (!status) status = init(sample, release, groups, count, error);
  if (status) {
    sfm_sample_destroy(sample);
    return status;
  }
  const sfmi_places *grid = &sample->grid;
  for (size_t a = 0; a < grid->dimension; a++)
    sample->cell[a] = (grid->upper[a] - grid->lower[a]) / (double)(grid->counts[a] - 1);
  sfmi_prng_init(&sample->prng, seed);
  *out = sample;
  return SFM_OK;
}

void sfm_sample_destroy(sfm_sample *sample) {
  if (!sample) return;
  sfmi_alias_sampler_clear(&sample->sampler);
  free(sample->groups);
  free(sample);
}

/* The difference of two uniform numbers, from one word. */
static double triangle(sfmi_prng *prng) {
  const uint64_t word = sfmi_prng_word(prng);
  return ((double)(word >> 32) - (double)(word & UINT32_MAX)) * 0x1p-32;
}

static void draw_row(sfm_sample *sample, double *point, size_t i) {
  const sfmi_places *grid = &sample->grid;
  for (size_t a = grid->dimension; a-- > 0;) {
    const size_t k = i % grid->counts[a];
    const double t = triangle(&sample->prng);
    i /= grid->counts[a];
    const double offset = k == 0 ? fabs(t) : k + 1 == grid->counts[a] ? -fabs(t) : t;
    const double x = grid->lower[a] + ((double)k + offset) * sample->cell[a];
    point[a] = fmin(fmax(x, grid->lower[a]), grid->upper[a]);
  }
}

void sfm_sample_draw(sfm_sample *sample, double *points, size_t *groups, size_t count) {
  const size_t each = sample->grid.count;
  for (size_t i = 0; i < count; i++) {
    const size_t drawn = sfmi_alias_sampler_draw(&sample->sampler, &sample->prng);
    if (groups) groups[i] = sample->groups ? sample->groups[drawn / each] : 0;
    draw_row(sample, points + i * sample->grid.dimension, drawn % each);
  }
}
