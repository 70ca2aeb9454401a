#include "basis_quadrature.h"

#include <math.h>

#include "base/math/sort.h"

/* Panels: one per cell of the finest step functions; polynomials need fewer. */
enum { PANELS = 1024, PANELS_ANGULAR = 512, NODES = 3 };
/* Gauss's rule on [0, 1]. */
static const double NODE[NODES] = {0.11270166537925831, 0.5, 0.88729833462074169},
                    WEIGHT[NODES] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

/* Polynomials vary fastest near the ends: points are even in the angle. */
static bool angular(const sfmi_basis *basis) {
  return basis->family == SFMI_LEGENDRE || basis->family == SFMI_HERMITE ||
         basis->family == SFMI_EIGEN;
}

double sfmi_quadrature_point(const sfmi_basis *basis, double t) {
  const double lower = basis->lower[0], upper = basis->upper[0];
  const double s = sin(M_PI_2 * t), u = angular(basis) ? s * s : t;
  return fmin(lower + (upper - lower) * u, upper);
}

sfm_status sfmi_quadrature_init(sfmi_quadrature *quadrature, sfmi_arena *arena,
                                const sfmi_basis *basis, const double *cuts, size_t count,
                                sfm_error *error) {
  const size_t panels = angular(basis) ? PANELS_ANGULAR : PANELS, edges = panels + 1 + count;
  double *edge = sfmi_arena_doubles(arena, edges);
  *quadrature = (sfmi_quadrature){.points = sfmi_arena_doubles(arena, NODES * edges),
                                  .weights = sfmi_arena_doubles(arena, NODES * edges)};
  if (arena->failed) return sfmi_fail_memory(error);
  for (size_t i = 0; i <= panels; i++)
    edge[i] = sfmi_quadrature_point(basis, (double)i / (double)panels);
  for (size_t i = 0; i < count; i++) edge[panels + 1 + i] = cuts[i];
  sfmi_sort_doubles(edge, edges);
  for (size_t i = 1; i < edges; i++) {
    const double width = edge[i] - edge[i - 1];
    for (size_t k = 0; k < NODES && width > 0; k++) {
      quadrature->points[quadrature->count] = edge[i - 1] + width * NODE[k];
      quadrature->weights[quadrature->count++] = width * WEIGHT[k];
    }
  }
  return SFM_OK;
}
