#include "release_check.h"

#include <math.h>

#include "estimators/quantiles/ranks.h"
#include "release_kind.h"
#include "lattice_padding.h"

static sfm_status check_axis(const sfm_release *release, size_t a, const char *name,
                             sfm_error *error) {
  if (!release->columns[a] || !isfinite(release->lower[a]) || !isfinite(release->upper[a]) ||
      !(release->lower[a] < release->upper[a]))
    return sfmi_fail(error, SFM_FORMAT, "%s: domain[%zu] needs a column and finite lower < upper",
                     name, a);
  const bool bandwidth =
      release->method != SFMI_SERIES || (release->basis && release->basis->family == SFMI_EIGEN);
  const char *wanted =
      bandwidth && sfmi_kernel_stationary(release->kernel)
          ? sfmi_gaussian_unfit(release->lower[a], release->upper[a], release->bandwidth[a])
          : NULL;
  if (wanted) return sfmi_fail(error, SFM_FORMAT, "%s: domain[%zu] needs %s", name, a, wanted);
  return SFM_OK;
}

/* Places within the bounds, a coefficient for each. */
static sfm_status check_places(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_places *places = &release->places;
  const size_t d = release->dimension;
  if (places->count != release->length || places->dimension != d)
    return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where there are %zu places", name,
                     release->length, places->count);
  double inverse[SFM_MAX_DIMENSION];
  const sfm_kernel kernel = sfmi_release_noise_kernel(release, inverse);
  sfm_error why;
  /* gram: a session may have answered more than one batch can hold. */
  if (release->engine != SFM_ENGINE_GRAM &&
      sfmi_field_suits(release->engine, &kernel, places, &why))
    return sfmi_fail(error, SFM_FORMAT, "%s: %s", name, why.message);
  for (size_t i = 0; places->points && i < places->count * d; i++)
    if (!(places->points[i] >= release->lower[i % d] && places->points[i] <= release->upper[i % d]))
      return sfmi_fail(error, SFM_FORMAT, "%s: points[%zu] is outside the domain", name, i / d);
  return SFM_OK;
}

/* A coefficient for every function, and where there is one for the total. */
static sfm_status check_basis(const sfm_release *release, const char *name, sfm_error *error) {
  const bool total = release->engine == SFM_ENGINE_RANDOM && !release->has_rows;
  if (release->length != release->basis->count + total)
    return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where the basis has %zu functions%s",
                     name, release->length, release->basis->count, total ? " and a total" : "");
  const double mass = sfmi_release_mass(release);
  if (!(mass >= SFMI_MASS_MIN && mass <= SFMI_MASS_MAX))
    return sfmi_fail(error, SFM_FORMAT, "%s: the kernel's integral is %.3g, too far from 1", name,
                     mass);
  return SFM_OK;
}

/* Ascending quantiles, and values of the grid. */
static sfm_status check_range(const sfm_release *release, const char *name, sfm_error *error) {
  sfmi_ranks grid;
  if (!(release->lower[0] < release->upper[0]) ||
      !sfmi_ranks_grid(&grid, release->lower[0], release->upper[0], release->step))
    return sfmi_fail(error, SFM_FORMAT, "%s: domain and step do not make a grid", name);
  for (size_t i = 0; i < release->length; i++) {
    const int64_t cell = release->integers[i];
    if (cell < grid.first || cell > grid.first + (int64_t)grid.cells - 1 ||
        (i && cell < release->integers[i - 1]))
      return sfmi_fail(error, SFM_FORMAT,
                       "%s: coefficients[%zu] is not on the grid, or below the one before", name,
                       i);
    if (!(release->quantiles[i] > (i ? release->quantiles[i - 1] : 0) && release->quantiles[i] < 1))
      return sfmi_fail(error, SFM_FORMAT, "%s: quantiles[%zu] is not above the one before, or 1",
                       name, i);
  }
  return SFM_OK;
}

sfm_status sfmi_release_check(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_release_kind *release_kind = sfmi_release_kind_of(release->method);
  if ((release->length == 0 && !(release_kind && release_kind->empty)) ||
      release->length > SFMI_RELEASE_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s: between 1 and %zu coefficients are possible, not %zu",
                     name, SFMI_RELEASE_MAX, release->length);
  const bool scaled = isfinite(release->scale) || (release_kind && release_kind->scaleless);
  if (!(release->scale >= 0) || !scaled || !(release->step >= 0) || !isfinite(release->step) ||
      (release->hardened && release->step == 0))
    return sfmi_fail(error, SFM_FORMAT, "%s: noise needs a scale and a positive step", name);
  if (release_kind) return release_kind->check(release, name, error);
  if (release->method == SFMI_EXPONENTIAL) return check_range(release, name, error);
  if (!release->function) return SFM_OK;
  if (release->dimension < 1 || release->dimension > SFM_MAX_DIMENSION)
    return sfmi_fail(error, SFM_FORMAT, "%s: a density has 1 to %d columns", name,
                     SFM_MAX_DIMENSION);
  const bool counted = release->neighbours == SFM_REPLACE, curve = release->method == SFMI_CURVE;
  if (curve && !(release->has_rows && counted))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: the mean of curves is under replace neighbours and states its rows",
                     name);
  if ((release->density && release->has_rows != counted) || (release->has_rows && !counted) ||
      (release->has_rows && release->rows == 0))
    return sfmi_fail(error, SFM_FORMAT, "%s: rows are stated under replace, and only there", name);
  if (release->by.count && sfmi_partition_groups(&release->by) > SFMI_GROUPS_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s: at most %d groups are possible", name,
                     SFMI_GROUPS_MAX);
  if (release->refined.done && release->dimension > SFMI_GRID_DENSITY_DIMENSIONS)
    return sfmi_fail(error, SFM_FORMAT, "%s: a refined density has 1 to %d columns", name,
                     SFMI_GRID_DENSITY_DIMENSIONS);
  size_t product = sfmi_partition_groups(&release->by);
  double padded = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    sfm_status status = check_axis(release, a, name, error);
    if (status) return status;
    const bool rings = release->refined.done || release->method == SFMI_LATTICE ||
                       release->method == SFMI_FOURIER_LAPLACE ||
                       release->method == SFMI_CARATHEODORY;
    if (release->boundary[a] != SFM_OPEN && !rings)
      return sfmi_fail(error, SFM_FORMAT, "%s: a release by %s has no boundary but open", name,
                       sfmi_method_name(release->method));
    if (release->refined.done) product *= release->places.counts[a];
    if (release->refined.done || release->basis || sfmi_release_placed(release)) continue;
    size_t size = release->method == SFMI_LATTICE ? release->lattice.axis[a].points
                                                  : 2 * release->torus[a].terms + 1;
    if (size == 0 || size > SFMI_RELEASE_MAX || product > SFMI_RELEASE_MAX / size)
      return sfmi_fail(error, SFM_FORMAT, "%s: axis %zu is too large", name, a);
    product *= size;
    if (release->method == SFMI_LATTICE)
      padded *= (double)sfmi_lattice_padded(&release->lattice.axis[a], release->bandwidth[a]);
  }
  if (release->refined.done && product == release->length) return SFM_OK;
  if (release->basis) return check_basis(release, name, error);
  if (!sfmi_release_placed(release) && release->dimension > SFMI_LATTICE_DIMENSIONS)
    return sfmi_fail(error, SFM_FORMAT, "%s: a lattice or torus has at most %d columns", name,
                     SFMI_LATTICE_DIMENSIONS);
  if (sfmi_release_placed(release)) return check_places(release, name, error);
  if (padded > (double)SFMI_PADDED_MAX)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: evaluating it would take a lattice of %.3g points; at most %zu are "
                     "possible",
                     name, padded, SFMI_PADDED_MAX);
  if (product != release->length)
    return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where the axes need %zu", name,
                     release->length, product);
  return SFM_OK;
}
