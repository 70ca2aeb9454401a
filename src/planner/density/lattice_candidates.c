#include "lattice_candidates.h"

#include <math.h>

#include "base/system/c_locale.h"
#include "releases/eval/trig_polynomial.h"

/* Bits K: n 2^K below 2^62, noise scale below 2^50, and no more than are useful. */
static const double SUM_BITS = 62, SCALE_BITS = 50, ROWS_BITS_BLIND = 32;
static const unsigned AXIS_BITS_MAX = 24, AXIS_BITS_MIN = SFMI_LATTICE_BITS_MIN;

/* Most places of the lattice that one row may reach; linear splines are not limited. */
static const double REACH_MAX = 65536;

/* Beyond cubic splines a row takes as long as all the places that it reaches. */
static const unsigned USUAL_ORDER = 4;
static const size_t HIGH_ORDER_COLUMNS = 2;

unsigned sfmi_lattice_candidates_highest_order(size_t dimension) {
  return dimension <= HIGH_ORDER_COLUMNS ? SFMI_SPLINE_MAX
                                         : sfmi_lattice_candidates_order(dimension);
}

unsigned sfmi_lattice_candidates_order(size_t dimension) {
  unsigned order = USUAL_ORDER;
  while (order > SFMI_SPLINE_MIN && pow(order, (double)dimension) > REACH_MAX) order--;
  return order;
}

unsigned sfmi_lattice_candidates_lowest_order(size_t dimension) {
  static const unsigned LOWEST = 3;
  const unsigned highest = sfmi_lattice_candidates_order(dimension);
  return highest < LOWEST ? highest : LOWEST;
}

/* Sizes of a lattice at a spacing of rho bandwidths; the lattice's order is set. */
static void size_lattice(sfmi_lattice *lattice, double *length, double *padded,
                         const sfmi_design_density *design, const double *bandwidth, double stretch,
                         double rho) {
  *length = *padded = 1;
  for (size_t a = 0; a < design->dimension; a++) {
    double h = bandwidth[a] * stretch;
    const sfm_boundary boundary = design->boundary[a];
    double cells = fmax(ceil((design->upper[a] - design->lower[a]) / (rho * h)), 1);
    if (boundary == SFM_BOUNDARY_PERIODIC)
      cells += fmod(cells, 2) == 0; /* odd: no frequency is lost */
    *length *= boundary == SFM_BOUNDARY_OPEN ? cells + lattice->order - 1 : cells;
    if (cells < 1e9) {
      sfmi_lattice_set_axis(lattice, a, design->lower[a], design->upper[a], (size_t)cells,
                            boundary);
      *padded *= (double)sfmi_lattice_padded(&lattice->axis[a], h);
    } else {
      *padded *= cells;
    }
  }
  lattice->length = *length <= (double)SFMI_RELEASE_MAX ? (size_t)*length : SIZE_MAX;
}

/* The lattices of all groups are released, and one at a time is evaluated. */
static bool fits(const sfmi_design_density *design, double length, double padded) {
  return length * (double)design->groups <= (double)SFMI_RELEASE_MAX &&
         padded <= (double)SFMI_PADDED_MAX;
}

bool sfmi_lattice_candidates_lay(sfmi_lattice *lattice, const sfmi_design_density *design,
                                 const double *bandwidth, double rho) {
  double length, padded;
  size_lattice(lattice, &length, &padded, design, bandwidth, 1, rho);
  return fits(design, length, padded);
}

sfm_status sfmi_lattice_candidates_bits(unsigned *bits, const sfmi_design_density *design,
                                        double epsilon, double scale, double rows,
                                        sfm_error *error) {
  double from_rows =
      SUM_BITS -
      (design->neighbours == SFM_NEIGHBOURS_REPLACE ? ceil(log2(fmax(rows, 1))) : ROWS_BITS_BLIND);
  double from_scale = SCALE_BITS - ceil(log2(fmax(scale, 1)));
  double per_axis = floor(fmin(from_rows, from_scale) / (double)design->dimension);
  if (per_axis < AXIS_BITS_MIN && from_rows < from_scale)
    return sfmi_fail(error, SFM_INVALID,
                     "a lattice in %zu dimensions cannot count 2^%.0f records; use fewer columns, "
                     "or settings.method = gp with a settings.delta such as 1e-6",
                     design->dimension, SUM_BITS - from_rows);
  if (per_axis < AXIS_BITS_MIN)
    return sfmi_fail(error, SFM_INVALID,
                     "epsilon %g with %u contributions per person in %zu dimensions needs noise "
                     "beyond the sampler's range; use a larger settings.epsilon, fewer "
                     "schema.contributions or fewer columns",
                     epsilon, design->contributions, design->dimension);
  *bits = per_axis < AXIS_BITS_MAX ? (unsigned)per_axis : AXIS_BITS_MAX;
  return SFM_OK;
}

/* Whether the smallest lattice that the planner would use fits, with all bandwidths stretched.
 * *needed and *allowed: gigabytes of what does not fit. */
static bool stretched_fits(const sfmi_design_density *design, bool blind, double stretch,
                           double *needed, double *allowed) {
  sfmi_lattice lattice = {.dimension = design->dimension,
                          .order = blind ? sfmi_lattice_candidates_order(design->dimension)
                                         : sfmi_lattice_candidates_lowest_order(design->dimension)};
  double length, padded;
  size_lattice(&lattice, &length, &padded, design, design->bandwidth, stretch,
               blind ? SFMI_SPACING_BLIND : SFMI_SPACING_MAX);
  const double released = length * (double)design->groups;
  const bool long_list = released > (double)SFMI_RELEASE_MAX;
  *needed = (long_list ? released : padded) * 16 / 1e9;
  *allowed = (double)(long_list ? SFMI_RELEASE_MAX : SFMI_PADDED_MAX) * 16 / 1e9;
  return fits(design, length, padded);
}

sfm_status sfmi_lattice_candidates_too_large(const sfmi_design_density *design, bool blind,
                                             sfm_error *error) {
  double needed, allowed, n, m, low = 1, high = 1;
  stretched_fits(design, blind, 1, &needed, &allowed);
  /* Stretched until it fits; if it never does, shrunk: a kernel far wider than the domain needs as
   * much padding. */
  bool found = false;
  for (int direction = 0; direction < 2 && !found; direction++)
    for (low = high = 1; !found && high < 1e12 && high > 1e-12;) {
      low = high;
      high *= direction ? 0.9 : 1.1;
      found = stretched_fits(design, blind, high, &n, &m);
    }
  if (!found && design->groups > 1)
    return sfmi_fail(error, SFM_INVALID,
                     "%zu lattices in %zu dimensions, one per group, would not fit in memory at "
                     "any bandwidth; use fewer groups or fewer columns",
                     design->groups, design->dimension);
  if (!found)
    return sfmi_fail(error, SFM_INVALID,
                     "a lattice in %zu dimensions would not fit in memory at any bandwidth; use "
                     "fewer columns, settings.boundary = reflect or periodic where that is right, "
                     "or settings.method = gp with a settings.delta such as 1e-6",
                     design->dimension);
  const bool wide = high < 1;
  for (int i = 0; i < 60; i++) {
    double middle = sqrt(low * high);
    *(stretched_fits(design, blind, middle, &n, &m) ? &high : &low) = middle;
  }
  char list[256] = "";
  size_t used = 0;
  for (size_t a = 0; a < design->dimension && used < sizeof list; a++)
    used += (size_t)sfmi_snprintf(list + used, sizeof list - used, "%s%.4g", a ? "," : "",
                                  design->bandwidth[a] * high * (wide ? 0.9995 : 1.0005));
  return sfmi_fail(error, SFM_INVALID,
                   "the bandwidth is so %s that its lattice%s would not fit in memory: it needs "
                   "%.3g GB, and %.3g GB are allowed; the %s that fits is settings.bandwidth = %s",
                   wide ? "wide" : "small", design->groups > 1 ? ", once a group," : "", needed,
                   allowed, wide ? "widest" : "smallest", list);
}
