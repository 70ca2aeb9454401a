#include "grid_density.h"

#include <assert.h>
#include <math.h>

/* Points along an axis, by the number of columns: an eye sees no difference below the first; a
 * file of more than the second would be some megabytes. */
static const size_t LEAST[SFMI_GRID_DENSITY_DIMENSIONS] = {257, 129, 33};
static const size_t MOST[SFMI_GRID_DENSITY_DIMENSIONS] = {16385, 513, 65};
/* Where there is no bandwidth (a series). */
static const size_t PLAIN[SFMI_GRID_DENSITY_DIMENSIONS] = {4097, 257, 65};
/* Points a bandwidth.  A curve that bends like the kernel is at most 1/8 FINE^-2 of its peak away
 * from the lines between them: 0.01 % and 0.2 %, well below the noise.  With fewer than COARSE they
 * would miss peaks. */
static const double FINE[SFMI_GRID_DENSITY_DIMENSIONS] = {32, 8, 8};
static const double COARSE = 2;

/* Squares and sums of values up to this are doubles; only made-up files have larger ones. */
static const double LARGEST = 1e140;

static sfm_status choose_axis(size_t *points, const sfm_release *release, size_t a,
                              sfm_error *error) {
  const size_t d = release->dimension - 1;
  const double width = release->upper[a] - release->lower[a], h = release->function->bandwidth[a];
  *points = PLAIN[d];
  if (!(h > 0)) return SFM_OK;
  const double wanted = ceil(FINE[d] * width / h) + 1;
  *points = (size_t)fmax((double)LEAST[d], fmin((double)MOST[d], wanted));
  if ((double)(*points - 1) * h < COARSE * width)
    return sfmi_fail(error, SFM_INVALID,
                     "the bandwidth of column %s is a %.0fth of its range: a grid of at most %zu "
                     "points would miss what the density shows; release it with a larger "
                     "bandwidth%s",
                     release->columns[a], width / h, MOST[d],
                     d > 0 ? ", or take fewer columns of it (sfm_release_marginal)" : "");
  return SFM_OK;
}

sfm_status sfmi_grid_density_choose(sfmi_places *grid, const sfm_release *release,
                                    sfm_error *error) {
  const size_t d = release->dimension;
  *grid = (sfmi_places){.dimension = d, .count = 1};
  if (!sfmi_release_is_density(release))
    return sfmi_fail(error, SFM_INVALID,
                     "this release is a %s, and this is for densities and tables",
                     sfm_kind_name(sfm_release_kind(release)));
  if (d > SFMI_GRID_DENSITY_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "this density has %zu columns, and grids are made of at most %d; take some of "
                     "its columns first (sfm_release_marginal)",
                     d, SFMI_GRID_DENSITY_DIMENSIONS);
  if (release->refined.done) {
    *grid = release->function->places;
    return SFM_OK;
  }
  for (size_t a = 0; a < d; a++) {
    sfm_status status = choose_axis(&grid->counts[a], release, a, error);
    if (status) return status;
    grid->lower[a] = release->lower[a];
    grid->upper[a] = release->upper[a];
    grid->count *= grid->counts[a];
  }
  return SFM_OK;
}

sfm_status sfmi_grid_density_create(sfm_release **out, const sfm_release *release,
                                    const sfmi_places *grid, sfm_error *error) {
  const size_t groups = sfmi_partition_groups(&release->function->by);
  *out = NULL;
  if (grid->count > SFMI_RELEASE_MAX / groups)
    return sfmi_fail(
        error, SFM_INVALID,
        "%zu groups on grids of %zu points are more than the %zu values that a release "
        "can have; take a marginal with fewer groups first (sfm_release_marginal)",
        groups, grid->count, SFMI_RELEASE_MAX);
  const sfm_status status = sfmi_release_derive(out, release, error);
  if (status) return status;
  sfm_release *made = *out;
  made->function->places = *grid;
  made->function->engine = SFM_ENGINE_AUTO;
  made->refined.done = true;
  made->length = groups * grid->count;
  made->band = (sfm_band){NAN, NAN, NAN, NAN};
  made->reals = sfmi_alloc(made->length, sizeof *made->reals);
  return sfmi_release_made(out, made->reals ? SFM_OK : sfmi_fail_memory(error));
}

/* How far apart neighbours along an axis stand in the array. */
static size_t stride(const sfmi_places *grid, size_t a) {
  size_t step = 1;
  for (size_t b = a + 1; b < grid->dimension; b++) step *= grid->counts[b];
  return step;
}

/* The last values along a periodic axis are the first. */
static void close_circle(double *values, const sfmi_places *grid, size_t a) {
  const size_t step = stride(grid, a), whole = step * grid->counts[a];
  for (size_t outer = 0; outer < grid->count; outer += whole)
    for (size_t i = 0; i < step; i++) values[outer + whole - step + i] = values[outer + i];
}

sfm_status sfmi_grid_density_check(const double *values, size_t count, sfm_error *error) {
  for (size_t i = 0; i < count; i++)
    if (!(fabs(values[i]) <= LARGEST))
      return sfmi_fail(error, SFM_INVALID,
                       "this density has values beyond %g, which are too large to compute with",
                       LARGEST);
  return SFM_OK;
}

sfm_status sfmi_grid_density_fill(double *values, const sfmi_places *grid,
                                  const sfm_evaluator *evaluator, const sfm_release *release,
                                  sfm_error *error) {
  sfm_status status = sfm_evaluator_grid(evaluator, values, grid->counts, error);
  if (status) return status;
  for (size_t a = 0; a < grid->dimension; a++)
    if (release->boundary[a] == SFM_BOUNDARY_PERIODIC) close_circle(values, grid, a);
  return sfmi_grid_density_check(values, grid->count, error);
}

double sfmi_grid_density_at(const sfmi_places *grid, const double *values, const double *x) {
  const size_t d = grid->dimension;
  double share[SFMI_GRID_DENSITY_DIMENSIONS], sum = 0;
  size_t step[SFMI_GRID_DENSITY_DIMENSIONS], first = 0;
  assert(d <= SFMI_GRID_DENSITY_DIMENSIONS);
  for (size_t a = 0; a < d; a++) {
    if (!(x[a] >= grid->lower[a] && x[a] <= grid->upper[a])) return NAN;
    const double cells = (double)(grid->counts[a] - 1),
                 t = (x[a] - grid->lower[a]) / (grid->upper[a] - grid->lower[a]) * cells,
                 cell = fmin(floor(t), cells - 1);
    share[a] = t - cell;
    step[a] = stride(grid, a);
    first += (size_t)cell * step[a];
  }
  for (unsigned corner = 0; corner < 1u << d; corner++) {
    double weight = 1;
    size_t at = first;
    for (size_t a = 0; a < d; a++) {
      const bool upper = corner >> a & 1;
      weight *= upper ? share[a] : 1 - share[a];
      at += upper ? step[a] : 0;
    }
    if (weight != 0) sum += weight * values[at];
  }
  return sum;
}

void sfmi_grid_density_weights(const sfmi_places *grid, double *weights) {
  size_t index[SFMI_GRID_DENSITY_DIMENSIONS] = {0};
  double cell = 1;
  for (size_t a = 0; a < grid->dimension; a++)
    cell *= (grid->upper[a] - grid->lower[a]) / (double)(grid->counts[a] - 1);
  for (size_t i = 0; i < grid->count; i++) {
    weights[i] = cell;
    for (size_t a = 0; a < grid->dimension; a++)
      if (index[a] == 0 || index[a] + 1 == grid->counts[a]) weights[i] /= 2;
    sfmi_index_step(index, grid->counts, grid->dimension);
  }
}
