#include "kernel_sum.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/math/double_double.h"

/* Lattice points per bandwidth.  Where K has a kink the error of spreading is a part of the
 * spacing, elsewhere a part of its square.  In more dimensions there are fewer, to limit the size
 * of the lattice. */
static const double KINKED[] = {256, 16, 8, 4}, SMOOTH[] = {64, 16, 8, 4};
/* Cells per axis for a caller's own kernel, which has no bandwidth. */
static const size_t OWN_CELLS[SFMI_KERNEL_SUM_DIMENSIONS] = {4096, 256, 40, 16, 10, 7, 5, 4};
static const size_t LENGTH_MAX = (size_t)1 << 22;
static const double POINTS_MIN = 2; /* per bandwidth; below, the lattice is refused */

/* 2^36 rows of weights 2^40 times K of 48 bits stay below 2^127. */
static const unsigned WEIGHT_BITS = 40, AXIS_BITS_MAX = 20;

/* Bits of the factors that carry moments from one lattice point to the next. */
enum { CARRY_BITS = 60, BITS = SFMI_KERNEL_SUM_BITS };

static double points_wanted(const sfm_kernel *kernel) {
  const size_t i = kernel->dimension < 4 ? kernel->dimension - 1 : 3;
  const bool kink = sfmi_kernel_interpolation(kernel->family, 1e-3) > 1e-4;
  return kink ? KINKED[i] : SMOOTH[i];
}

/* Cells of an axis with that many points per bandwidth. */
static double cells_at(const sfm_kernel *kernel, double width, size_t a, double points) {
  if (!sfmi_kernel_stationary(kernel->family)) return (double)OWN_CELLS[kernel->dimension - 1];
  return fmax(ceil(points * width / kernel->bandwidth[a]), 1);
}

static double length_at(const sfm_kernel *kernel, const double *lower, const double *upper,
                        double points) {
  double length = 1;
  for (size_t a = 0; a < kernel->dimension; a++)
    length *= cells_at(kernel, upper[a] - lower[a], a, points) + 1;
  return length;
}

sfm_status sfmi_kernel_sum_init(sfmi_kernel_sum *shape, const sfm_kernel *kernel,
                                const double *lower, const double *upper, sfm_error *error) {
  const size_t d = kernel->dimension;
  assert(d >= 1);
  if (d > SFMI_KERNEL_SUM_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "rows are spread over a lattice in at most %d dimensions, not %zu: use fewer "
                     "columns, or release the whole density (sfm_density_release with "
                     "settings.method = gp and settings.engine = random)",
                     SFMI_KERNEL_SUM_DIMENSIONS, d);
  *shape = (sfmi_kernel_sum){.kernel = *kernel};
  double points = sfmi_kernel_stationary(kernel->family) ? points_wanted(kernel) : 0;
  while (length_at(kernel, lower, upper, points) > (double)LENGTH_MAX && points > POINTS_MIN)
    points *= 0.9;
  if (length_at(kernel, lower, upper, points) > (double)LENGTH_MAX)
    return sfmi_fail(
        error, SFM_INVALID,
        "the bandwidth is so small that rows would be spread over %.3g points; at most %zu are "
        "possible: write a larger settings.bandwidth, or use fewer columns",
        length_at(kernel, lower, upper, points), LENGTH_MAX);
  sfmi_lattice *lattice = &shape->lattice;
  unsigned bits = WEIGHT_BITS / (unsigned)d;
  *lattice = (sfmi_lattice){
      .dimension = d, .order = 2, .bits = bits < AXIS_BITS_MAX ? bits : AXIS_BITS_MAX, .length = 1};
  for (size_t a = 0; a < d; a++) {
    double cells = cells_at(kernel, upper[a] - lower[a], a, points);
    sfmi_lattice_set_axis(lattice, a, lower[a], upper[a], (size_t)cells, SFM_BOUNDARY_OPEN);
    lattice->length *= lattice->axis[a].points;
    if (kernel->bandwidth) shape->bandwidth[a] = kernel->bandwidth[a];
  }
  return SFM_OK;
}

/* The kernel; its pointer to the bandwidths is set anew, since the struct may have been copied. */
static sfm_kernel kernel_of(const sfmi_kernel_sum *shape) {
  sfm_kernel kernel = shape->kernel;
  kernel.bandwidth = shape->bandwidth;
  return kernel;
}

double sfmi_kernel_sum_spreading(const sfmi_kernel_sum *shape) {
  const sfmi_lattice *lattice = &shape->lattice;
  if (!sfmi_kernel_stationary(shape->kernel.family)) return INFINITY;
  double moved = 0;
  for (size_t a = 0; a < lattice->dimension; a++) {
    const double gap = lattice->axis[a].spacing / shape->bandwidth[a];
    moved += sfmi_kernel_interpolation(shape->kernel.family, gap) + ldexp(1, -(int)lattice->bits);
  }
  return moved;
}

/* Along one axis, with |K'| <= slope K and |K''| <= curvature K in bandwidths: over a cell K
 * changes by at most e^(slope gap), and linear interpolation is off by at most gap^2/8 |K''|, or
 * where there is a kink by gap/2 |K'|. */
double sfmi_kernel_sum_relative_spreading(const sfmi_kernel_sum *shape) {
  static const struct {
    double slope, curvature; /* 0: a kink */
  } bounds[] = {[SFM_KERNEL_LAPLACIAN] = {1, 0},
                [SFM_KERNEL_MATERN12] = {1, 0},
                [SFM_KERNEL_MATERN32] = {1.7320508075688773, 3},
                [SFM_KERNEL_MATERN52] = {2.2360679774997898, 5},
                [SFM_KERNEL_CAUCHY] = {1, 2}};
  const sfmi_lattice *lattice = &shape->lattice;
  const sfm_kernel_family family = shape->kernel.family;
  if (family == SFM_KERNEL_GAUSSIAN || !sfmi_kernel_stationary(family)) return INFINITY;
  double share = 1;
  for (size_t a = 0; a < lattice->dimension; a++) {
    const double gap = lattice->axis[a].spacing / shape->bandwidth[a];
    const double slope = bounds[family].slope, curvature = bounds[family].curvature;
    const double off = curvature > 0 ? gap * gap / 8 * curvature : gap / 2 * slope;
    share *= 1 + (off + ldexp(1, -(int)lattice->bits)) * exp(slope * gap);
  }
  return share - 1;
}

double sfmi_kernel_sum_error(const sfmi_kernel_sum *shape) {
  /* K to 2^-49 by rounding and a few 2^-52 by the exponential; moments six times that. */
  const sfm_kernel kernel = kernel_of(shape);
  return 0x1p-44 * sfm_kernel_sup(&kernel);
}

double sfmi_kernel_sum_work(const sfmi_kernel_sum *shape, size_t count) {
  const sfm_kernel kernel = kernel_of(shape);
  if (sfmi_kernel_markov(&kernel)) return 16.0 * (double)count;
  /* A kernel that is no product is evaluated at every lattice point, which takes about four times
   * as long. */
  return (sfmi_kernel_product(&kernel) ? 1.0 : 4.0) * (double)count * (double)shape->lattice.length;
}

/* For a Markov kernel, with r the distance in units of 1/a: K = p(r) e^-r, p = 1, 1 + r, 1 + r +
 * r^2/3.  moment[i][j] is the sum over lattice points k on one side of cell j, r_k from the cell's
 * nearer end, of c_k r_k^i e^-r_k in units of 2^-BITS. */
typedef struct moments {
  sfmi_i128 *left[3], *right[3];
} moments;

struct sfmi_kernel_evaluator {
  sfmi_kernel_sum shape;
  const sfmi_i128 *sums;
  size_t order; /* Markov kernels: 1 to 3; else 0 */
  double rate;  /* a */
  moments moments;
  sfmi_i128 *memory; /* of the moments, or of sums with bad points left out */
  size_t memory_length;
  double *profile[SFM_MAX_DIMENSION]; /* stationary kernels: of one place, along each axis */
};

/* value q 2^-bits, rounded down, for 0 <= q <= 2^bits. */
static sfmi_i128 carry(sfmi_i128 value, int64_t q, int bits) {
  const sfmi_i128 high = value >> bits, low = value & (((sfmi_i128)1 << bits) - 1);
  return high * q + ((low * q) >> bits);
}

/* Moments of all cells on one side; step 1 from the first lattice point, -1 from the last. */
static void gather_moments(const sfmi_kernel_evaluator *evaluator, sfmi_i128 *const *out,
                           int step) {
  const size_t cells = evaluator->shape.lattice.axis[0].cells;
  const double gap = evaluator->rate * evaluator->shape.lattice.axis[0].spacing;
  /* None passes one: x e^-x is below 1/e and x^2 e^-x below 4/e^2. */
  const int64_t keep = llrint(ldexp(exp(-gap), CARRY_BITS));
  const int64_t once = llrint(ldexp(gap * exp(-gap), CARRY_BITS));
  const int64_t twice = llrint(ldexp(gap * gap * exp(-gap), CARRY_BITS));
  sfmi_i128 state[3] = {0, 0, 0};
  for (size_t i = 0; i < cells; i++) {
    const size_t cell = step > 0 ? i : cells - 1 - i, point = step > 0 ? cell : cell + 1;
    const sfmi_i128 zero = state[0], one = state[1], two = state[2];
    state[2] = carry(two, keep, CARRY_BITS) + 2 * carry(one, once, CARRY_BITS) +
               carry(zero, twice, CARRY_BITS);
    state[1] = carry(one, keep, CARRY_BITS) + carry(zero, once, CARRY_BITS);
    state[0] = carry(zero, keep, CARRY_BITS) + (evaluator->sums[point] << BITS);
    for (size_t m = 0; m < evaluator->order; m++) out[m][cell] = state[m];
  }
}

static sfm_status create_moments(sfmi_kernel_evaluator *evaluator, sfm_error *error) {
  const size_t cells = evaluator->shape.lattice.axis[0].cells;
  evaluator->memory_length = 6 * cells;
  evaluator->memory = sfmi_alloc(evaluator->memory_length, sizeof *evaluator->memory);
  if (!evaluator->memory) return sfmi_fail_memory(error);
  for (size_t m = 0; m < 3; m++) {
    evaluator->moments.left[m] = evaluator->memory + m * cells;
    evaluator->moments.right[m] = evaluator->memory + (3 + m) * cells;
  }
  gather_moments(evaluator, evaluator->moments.left, 1);
  gather_moments(evaluator, evaluator->moments.right, -1);
  return SFM_OK;
}

/* Where lattice point k lies. */
static void lattice_point(const sfmi_lattice *lattice, size_t k, double *point) {
  for (size_t a = lattice->dimension; a-- > 0;) {
    const sfmi_lattice_axis *axis = &lattice->axis[a];
    point[a] = axis->lower + (double)(k % axis->points) * axis->spacing;
    k /= axis->points;
  }
}

/* The sums without those at points where a caller's own kernel is beyond its bound. */
static sfm_status enforce_bound(sfmi_kernel_evaluator *evaluator, sfm_error *error) {
  const sfmi_lattice *lattice = &evaluator->shape.lattice;
  const sfm_kernel kernel = kernel_of(&evaluator->shape);
  double point[SFM_MAX_DIMENSION];
  evaluator->memory_length = lattice->length;
  evaluator->memory = sfmi_alloc(lattice->length, sizeof *evaluator->memory);
  if (!evaluator->memory) return sfmi_fail_memory(error);
  for (size_t k = 0; k < lattice->length; k++) {
    lattice_point(lattice, k, point);
    if (sfm_kernel_at(&kernel, point, point) <= kernel.bound)
      evaluator->memory[k] = evaluator->sums[k];
  }
  evaluator->sums = evaluator->memory;
  return SFM_OK;
}

static sfm_status create_profiles(sfmi_kernel_evaluator *evaluator, sfm_error *error) {
  const sfmi_lattice *lattice = &evaluator->shape.lattice;
  size_t total = 0;
  for (size_t a = 0; a < lattice->dimension; a++) total += lattice->axis[a].points;
  double *all = sfmi_alloc(total, sizeof *all);
  if (!all) return sfmi_fail_memory(error);
  for (size_t a = 0; a < lattice->dimension; a++, all += lattice->axis[a - 1].points)
    evaluator->profile[a] = all;
  return SFM_OK;
}

sfm_status sfmi_kernel_evaluator_create(sfmi_kernel_evaluator **out, const sfmi_kernel_sum *shape,
                                        const sfmi_i128 *sums, sfm_error *error) {
  *out = NULL;
  sfmi_kernel_evaluator *evaluator = sfmi_alloc(1, sizeof *evaluator);
  if (!evaluator) return sfmi_fail_memory(error);
  evaluator->shape = *shape;
  evaluator->shape.kernel.bandwidth = evaluator->shape.bandwidth;
  evaluator->sums = sums;
  const sfm_kernel *kernel = &evaluator->shape.kernel;
  sfm_status status = SFM_OK;
  if (sfmi_kernel_markov(kernel)) {
    const bool smooth = kernel->family > SFM_KERNEL_MATERN12;
    evaluator->order = smooth ? 1 + (size_t)(kernel->family - SFM_KERNEL_MATERN12) : 1;
    evaluator->rate = sqrt(2 * (double)evaluator->order - 1) / shape->bandwidth[0];
    status = create_moments(evaluator, error);
  } else if (sfmi_kernel_stationary(kernel->family)) {
    status = create_profiles(evaluator, error);
  } else if (kernel->family == SFM_KERNEL_OWN) {
    status = enforce_bound(evaluator, error);
  }
  if (status) {
    sfmi_kernel_evaluator_destroy(evaluator);
    return status;
  }
  *out = evaluator;
  return SFM_OK;
}

void sfmi_kernel_evaluator_destroy(sfmi_kernel_evaluator *evaluator) {
  if (!evaluator) return;
  sfmi_wipe_free(evaluator->memory, evaluator->memory_length, sizeof *evaluator->memory);
  free(evaluator->profile[0]);
  free(evaluator);
}

/* p, its derivative and half its second derivative at r, times e^-r. */
static void taylor(int64_t q[3], size_t order, double r) {
  const double size = ldexp(exp(-r), BITS);
  q[0] = llrint(size * (order == 1 ? 1 : order == 2 ? 1 + r : 1 + r + r * r / 3));
  q[1] = llrint(order == 3 ? size * (1 + 2 * r / 3) : size);
  q[2] = llrint(size / 3);
}

/* The cell around x, and how far x is from its left end, to a rounding of the spacing.  A quotient
 * alone would be off by more of a cell the more cells there are, for the function and not for the
 * noise. */
static size_t find_cell(double *inside, const sfmi_lattice_axis *axis, double x) {
  const sfmi_dd offset = sfmi_dd_two_sum(x, -axis->lower);
  const double u = offset.hi / axis->spacing;
  size_t cell = u > 0 ? (size_t)u : 0;
  if (cell >= axis->cells) cell = axis->cells - 1;
  *inside = fma(-(double)cell, axis->spacing, offset.hi) + offset.lo;
  if (*inside < 0 && cell > 0) {
    cell--;
    *inside += axis->spacing;
  } else if (*inside > axis->spacing && cell + 1 < axis->cells) {
    cell++;
    *inside -= axis->spacing;
  }
  return cell;
}

static sfmi_i128 markov_at(const sfmi_kernel_evaluator *evaluator, double x) {
  const sfmi_lattice_axis *axis = &evaluator->shape.lattice.axis[0];
  double inside;
  const size_t cell = find_cell(&inside, axis, x);
  int64_t left[3], right[3];
  taylor(left, evaluator->order, evaluator->rate * fmax(inside, 0));
  /* The upper bound may lie beyond the last lattice point by a rounding; that point is then at its
   * left. */
  taylor(right, evaluator->order, evaluator->rate * fabs(axis->spacing - inside));
  sfmi_i128 sum = 0;
  for (size_t m = 0; m < evaluator->order; m++)
    sum += carry(evaluator->moments.left[m][cell], left[m], BITS) +
           carry(evaluator->moments.right[m][cell], right[m], BITS);
  return sum;
}

/* Sums over the lattice from axis a on, given the product of the profiles before it: row is where
 * the part begins. */
static sfmi_i128 product_at(const sfmi_kernel_evaluator *evaluator, size_t a, size_t row,
                            double factor) {
  const sfmi_lattice *lattice = &evaluator->shape.lattice;
  const size_t points = lattice->axis[a].points;
  const double *profile = evaluator->profile[a];
  sfmi_i128 sum = 0;
  if (a + 1 == lattice->dimension) {
    const sfmi_i128 *sums = evaluator->sums + row * points;
    for (size_t k = 0; k < points; k++) sum += sums[k] * llrint(factor * profile[k]);
  } else {
    for (size_t k = 0; k < points; k++)
      sum += product_at(evaluator, a + 1, row * points + k, factor * profile[k]);
  }
  return sum;
}

/* The same for an isotropic kernel, given the sum of squares before. */
static sfmi_i128 isotropic_at(const sfmi_kernel_evaluator *evaluator, size_t a, size_t row,
                              double square) {
  const sfmi_lattice *lattice = &evaluator->shape.lattice;
  const sfm_kernel_family family = evaluator->shape.kernel.family;
  const size_t points = lattice->axis[a].points;
  const double *squares = evaluator->profile[a];
  sfmi_i128 sum = 0;
  if (a + 1 == lattice->dimension) {
    const sfmi_i128 *sums = evaluator->sums + row * points;
    for (size_t k = 0; k < points; k++)
      sum += sums[k] * llrint(0x1p48 * sfmi_kernel_profile(family, sqrt(square + squares[k])));
  } else {
    for (size_t k = 0; k < points; k++)
      sum += isotropic_at(evaluator, a + 1, row * points + k, square + squares[k]);
  }
  return sum;
}

/* Along each axis, of the place x: the profile of a product kernel, or squared distances. */
static void fill_profiles(sfmi_kernel_evaluator *evaluator, const double *x, bool product) {
  const sfmi_kernel_sum *shape = &evaluator->shape;
  for (size_t a = 0; a < shape->lattice.dimension; a++) {
    const sfmi_lattice_axis *axis = &shape->lattice.axis[a];
    for (size_t k = 0; k < axis->points; k++) {
      const double gap = fabs(x[a] - (axis->lower + (double)k * axis->spacing));
      const double u = gap / shape->bandwidth[a];
      evaluator->profile[a][k] = product ? sfmi_kernel_profile(shape->kernel.family, u) : u * u;
    }
  }
}

/* A caller's own kernel: every lattice point, |K| at most sup K by Cauchy and Schwarz. */
static sfmi_i128 direct_at(const sfmi_kernel_evaluator *evaluator, const double *x) {
  const sfmi_lattice *lattice = &evaluator->shape.lattice;
  const double sup = sfm_kernel_sup(&evaluator->shape.kernel);
  double point[SFM_MAX_DIMENSION];
  sfmi_i128 sum = 0;
  for (size_t k = 0; k < lattice->length; k++) {
    lattice_point(lattice, k, point);
    double value = sfm_kernel_at(&evaluator->shape.kernel, x, point) / sup;
    if (isnan(value)) value = 0;
    sum += evaluator->sums[k] * llrint(ldexp(fmin(fmax(value, -1), 1), BITS));
  }
  return sum;
}

void sfmi_kernel_evaluator_at(sfmi_kernel_evaluator *evaluator, sfmi_i128 *values,
                              const double *points, size_t count) {
  const sfmi_lattice *lattice = &evaluator->shape.lattice;
  const int shift = (int)(lattice->bits * lattice->dimension);
  const bool product = sfmi_kernel_product(&evaluator->shape.kernel);
  for (size_t i = 0; i < count; i++) {
    const double *x = points + i * lattice->dimension;
    sfmi_i128 sum;
    if (evaluator->order) {
      sum = markov_at(evaluator, *x);
    } else if (evaluator->profile[0]) {
      fill_profiles(evaluator, x, product);
      sum = product ? product_at(evaluator, 0, 0, 0x1p48) : isotropic_at(evaluator, 0, 0, 0);
    } else {
      sum = direct_at(evaluator, x);
    }
    values[i] = (sum + ((sfmi_i128)1 << (shift - 1))) >> shift;
  }
}
