#include "moment_hull.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "verblunsky.h"

/* The most that the gauge may grow by taking N points instead of the curve. */
static const double EXCESS_MAX = 1.01;

_Static_assert(2 * SFMI_MOMENT_HULL_MAX <= SFMI_HIT_AND_RUN_DIMENSION_MAX, "a walk can be had");

size_t sfmi_moment_hull_points(size_t m) {
  return (size_t)ceil(M_PI * (double)m / acos(1 / EXCESS_MAX));
}

double sfmi_moment_hull_excess(size_t m) {
  return (1 + 1e-12) / cos(M_PI * (double)m / (double)sfmi_moment_hull_points(m));
}

/* The points are taken as given: all directions are alike already. */
sfm_status sfmi_moment_hull_create(sfmi_hit_and_run **out, size_t m, sfm_error *error) {
  const size_t lattice = sfmi_moment_hull_points(m), D = 2 * m;
  *out = NULL;
  assert(m >= 1 && m <= SFMI_MOMENT_HULL_MAX);
  double complex *psi = sfmi_alloc(m, sizeof *psi);
  double *points = sfmi_alloc(lattice * D, sizeof *points);
  sfm_status status = psi && points ? SFM_OK : sfmi_fail_memory(error);
  for (size_t k = 0; !status && k < lattice; k++) {
    sfmi_verblunsky_curve(psi, (double)k / (double)lattice, m);
    for (size_t i = 0; i < D; i++)
      points[k * D + i] = i % 2 ? cimag(psi[i / 2]) : creal(psi[i / 2]);
  }
  if (!status) status = sfmi_hit_and_run_create_as_given(out, points, lattice, D, error);
  free(psi);
  free(points);
  return status;
}
