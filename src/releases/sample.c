/* sample.c - rows drawn from a density on a grid.
 *
 * Multilinear between values v_i >= 0 at the points of a grid, it is a mixture of tents: one a
 * point, of mass v_i w_i (w the trapezoid rule's weights), the product over columns of triangles
 * from one neighbour to the other (half of one at a bound).  So a row is a point, drawn by mass,
 * and along each column the difference of two uniform numbers, in cells. */
#include <math.h>
#include <stdlib.h>

#include "releases/gridded.h"
#include "releases/urn.h"
#include "sfumato/sample.h"

struct sfm_sample {
  sfmi_places grid;
  double cell[SFMI_GRIDDED_DIMENSIONS];
  sfmi_urn urn; /* over the points, group after group */
  sfmi_prng prng;
};

/* masses[i]: of the tents, from the release's values.  An add/remove density is not divided by its
 * noisy total: that changes nothing. */
static sfm_status fill_masses(double *masses, const sfmi_places *grid, const sfm_release *release,
                              sfm_error *error) {
  sfm_evaluator *evaluator = NULL;
  double *weights = sfmi_alloc(grid->count, sizeof *weights);
  sfm_status status =
      weights ? sfm_evaluator_create(&evaluator, release, 1, error) : sfmi_fail_memory(error);
  if (status == SFM_OK) status = sfmi_gridded_fill(masses, grid, evaluator, release, error);
  if (status == SFM_OK) {
    sfmi_gridded_weights(grid, weights);
    for (size_t i = 0; i < grid->count; i++) masses[i] = fmax(masses[i], 0) * weights[i];
  }
  sfm_evaluator_destroy(evaluator);
  free(weights);
  return status;
}

static sfm_status init(sfm_sample *sample, const sfm_release *release, sfm_error *error) {
  const sfmi_places *grid = &sample->grid;
  double *masses = sfmi_alloc(grid->count, sizeof *masses), sum = 0;
  sfm_status status = masses ? fill_masses(masses, grid, release, error) : sfmi_fail_memory(error);
  for (size_t i = 0; status == SFM_OK && i < grid->count; i++) sum += masses[i];
  if (status == SFM_OK && !(sum > 0 && isfinite(sum)))
    status = sfmi_fail(error, SFM_INVALID,
                       "this density is nowhere above zero: there is nothing to draw rows from");
  if (status == SFM_OK) status = sfmi_urn_init(&sample->urn, masses, grid->count, error);
  free(masses);
  return status;
}

sfm_status sfm_sample_create(sfm_sample **out, const sfm_release *release, uint64_t seed,
                             sfm_error *error) {
  sfm_sample *sample = sfmi_alloc(1, sizeof *sample);
  *out = NULL;
  if (!sample) return sfmi_fail_memory(error);
  sfm_status status = sfmi_gridded_choose(&sample->grid, release, error);
  if (status == SFM_OK) status = init(sample, release, error);
  if (status != SFM_OK) {
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
  sfmi_urn_clear(&sample->urn);
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
    const size_t drawn = sfmi_urn_draw(&sample->urn, &sample->prng);
    if (groups) groups[i] = drawn / each;
    draw_row(sample, points + i * sample->grid.dimension, drawn % each);
  }
}
