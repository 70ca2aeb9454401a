#include "kde_risk.h"

#include <math.h>

#include "base/math/linear_algebra.h"
#include "base/math/normal_distribution.h"
#include "features/kernels/gaussian_torus.h"

/* A Gauss-Legendre rule on [-1, 1]. */
enum { RULE = 8 };
static const double KNOT[RULE] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                  -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                  0.7966664774136267,  0.9602898564975363};
static const double PART[RULE] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873,
                                  0.3626837833783620, 0.3626837833783620, 0.3137066458778873,
                                  0.2223810344533745, 0.1012285362903763};

/* A kernel wider than this many rings is flat on them: its first frequency is 3e-9. */
static const double FLAT = 1;
/* Images farther away than so many bandwidths are ignored. */
static const double FAR = 9;

double sfmi_kde_square_line(double h) {
  return 1 / (2 * sqrt(M_PI) * h);
}

double sfmi_kde_square_ring(double length, double h) {
  double sum = 1 / length;
  if (length > 2 * FAR * h) return sfmi_kde_square_line(h);
  for (double j = 1;; j++) {
    const double kernel = sfmi_gaussian_transform(j / length, h);
    sum += 2 * kernel * kernel / length;
    if (kernel < 1e-9) return sum;
  }
}

double sfmi_first_difference(const double *a, const double *b, size_t count) {
  double whole = 1, difference = 0;
  for (size_t i = 0; i < count; i++) {
    difference = difference * (a[i] + b[i]) + whole * b[i];
    whole *= a[i];
  }
  return difference;
}

double sfmi_second_difference(const double *a, const double *b, const double *c, size_t count) {
  double whole = 1, first = 0, second = 0;
  for (size_t i = 0; i < count; i++) {
    second = second * (a[i] + 2 * b[i] + c[i]) + 2 * first * (b[i] + c[i]) + whole * c[i];
    first = first * (a[i] + b[i]) + whole * b[i];
    whole *= a[i];
  }
  return second;
}

static double width_of(const sfmi_kde_problem *problem, size_t a) {
  return problem->upper[a] - problem->lower[a];
}

/* ---- one column ---- */

/* The integral of a kernel of one column whose value at 0 is 1. */
static double mass_of(sfm_kernel_family family, double h) {
  const sfm_kernel kernel = {.family = family, .dimension = 1, .bandwidth = &h};
  return sfmi_kernel_mass(&kernel);
}

/* int_0^reach of a profile's square. */
static double profile_square(sfm_kernel_family family, double reach) {
  static const double ENDS[] = {0, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 1024, 65536};
  double sum = 0;
  for (size_t i = 1; i < sizeof ENDS / sizeof *ENDS && ENDS[i - 1] < reach; i++) {
    const double from = ENDS[i - 1], half = (fmin(ENDS[i], reach) - from) / 2;
    for (size_t k = 0; k < RULE; k++) {
      const double value = sfmi_kernel_profile(family, from + half * (1 + KNOT[k]));
      sum += half * PART[k] * value * value;
    }
  }
  return sum;
}

/* int over the domain of the kernels of a row and of its mirror image, which meet. */
static double mirrored(double left, double width, double h) {
  const double images = ceil(FAR * h / width) + 1;
  double sum = 0;
  if (h > FLAT * width) return 1 / (2 * width);
  for (double image = -images; image <= images; image++) {
    const double z = (left + image * width) / h;
    sum += exp(-z * z) / (2 * sqrt(M_PI) * h);
  }
  return sum;
}

/* int over the domain of K(q, x)^2. */
static double row_square(const sfmi_kde_problem *problem, size_t a, double h, double x) {
  const double left = x - problem->lower[a], right = problem->upper[a] - x,
               width = width_of(problem, a);
  if (problem->boundary[a] == SFM_BOUNDARY_PERIODIC) return sfmi_kde_square_ring(width, h);
  if (problem->boundary[a] == SFM_BOUNDARY_REFLECT)
    return sfmi_kde_square_ring(2 * width, h) + mirrored(left, width, h);
  if (problem->family != SFM_KERNEL_GAUSSIAN) {
    const double mass = mass_of(problem->family, h);
    return h / (mass * mass) *
           (profile_square(problem->family, left / h) + profile_square(problem->family, right / h));
  }
  return sfmi_kde_square_line(h) *
         (1 - sfmi_normal_tail(left * M_SQRT2 / h) - sfmi_normal_tail(right * M_SQRT2 / h));
}

/* int K^2 without the bounds. */
static double whole_square(const sfmi_kde_problem *problem, size_t a, double h) {
  const double width = width_of(problem, a);
  if (problem->boundary[a] == SFM_BOUNDARY_PERIODIC) return sfmi_kde_square_ring(width, h);
  if (problem->boundary[a] == SFM_BOUNDARY_REFLECT)
    return sfmi_kde_square_ring(2 * width, h) + 1 / (2 * width);
  if (problem->family == SFM_KERNEL_GAUSSIAN) return sfmi_kde_square_line(h);
  const double mass = mass_of(problem->family, h);
  return 2 * h / (mass * mass) * profile_square(problem->family, INFINITY);
}

/* The density of column a smoothed by any kernel: an integral in pieces, cut where
 * either changes. */
static double smoothed_at(const sfmi_kde_problem *problem, size_t a, double h, double x,
                          const double *marks, size_t count) {
  static const double AWAY[] = {0.1, 0.3, 1, 2, 4, 8, 16};
  enum { SIDES = 2 * sizeof AWAY / sizeof *AWAY };
  double sum = 0, from = problem->lower[a], near[SIDES + 1];
  size_t i = 1, k = 0;
  for (size_t s = 0; s < SIDES / 2; s++) {
    near[s] = x - h * AWAY[SIDES / 2 - 1 - s];
    near[SIDES - s] = x + h * AWAY[SIDES / 2 - 1 - s];
  }
  near[SIDES / 2] = x;
  while (i < count) {
    while (k <= SIDES && near[k] <= from) k++;
    const bool closer = k <= SIDES && near[k] < marks[i];
    const double to = closer ? near[k] : marks[i], half = (to - from) / 2;
    double places[RULE], density[RULE];
    for (size_t r = 0; r < RULE; r++) places[r] = from + half * (1 + KNOT[r]);
    sfmi_shape_model_column(problem->shape_model, a, density, places, RULE);
    for (size_t r = 0; r < RULE; r++)
      sum += half * PART[r] * density[r] *
             sfmi_kernel_profile(problem->family, fabs(x - places[r]) / h);
    if (!closer) i++;
    from = to;
  }
  return sum / mass_of(problem->family, h);
}

/* Adds the images of a normal kernel: column a at places shifted, or mirrored and shifted. */
static void add_image(const sfmi_kde_problem *problem, size_t a, double h,
                      sfmi_axis_quadrature *nodes, double shift, bool mirror, double *places,
                      double *values) {
  for (size_t i = 0; i < nodes->count; i++)
    places[i] = (mirror ? 2 * problem->lower[a] - nodes->places[i] : nodes->places[i]) + shift;
  sfmi_shape_model_smoothed(problem->shape_model, a, h, values, places, nodes->count);
  for (size_t i = 0; i < nodes->count; i++) nodes->smoothed[i] += values[i];
}

static sfm_status smooth_normal(const sfmi_kde_problem *problem, size_t a, double h,
                                sfmi_axis_quadrature *nodes, sfmi_arena *arena, sfm_error *error) {
  const sfm_boundary boundary = problem->boundary[a];
  const double width = width_of(problem, a),
               ring = boundary == SFM_BOUNDARY_REFLECT ? 2 * width : width;
  if (boundary == SFM_BOUNDARY_OPEN) {
    sfmi_shape_model_smoothed(problem->shape_model, a, h, nodes->smoothed, nodes->places,
                              nodes->count);
    return SFM_OK;
  }
  double *places = sfmi_arena_doubles(arena, nodes->count);
  double *values = sfmi_arena_doubles(arena, nodes->count);
  if (!places || !values) return sfmi_fail_memory(error);
  const double images = h > FLAT * ring ? -1 : ceil(FAR * h / ring) + 1;
  for (size_t i = 0; i < nodes->count; i++) nodes->smoothed[i] = images < 0 ? 1 / width : 0;
  for (double image = -images; image <= images; image++) {
    add_image(problem, a, h, nodes, image * ring, false, places, values);
    if (boundary == SFM_BOUNDARY_REFLECT)
      add_image(problem, a, h, nodes, image * ring, true, places, values);
  }
  return SFM_OK;
}

sfm_status sfmi_axis_quadrature_init(sfmi_axis_quadrature *nodes, const sfmi_kde_problem *problem,
                                     size_t a, double h, double grain, sfmi_arena *arena,
                                     sfm_error *error) {
  double marks[SFMI_SHAPE_MODEL_MARKS];
  const size_t count = sfmi_shape_model_marks(problem->shape_model, a, h, marks);
  size_t panels = 0;
  for (size_t i = 1; i < count; i++)
    panels += (size_t)fmax(ceil((marks[i] - marks[i - 1]) / grain), 1);
  *nodes = (sfmi_axis_quadrature){.places = sfmi_arena_doubles(arena, panels * RULE),
                                  .weights = sfmi_arena_doubles(arena, panels * RULE),
                                  .density = sfmi_arena_doubles(arena, panels * RULE),
                                  .smoothed = sfmi_arena_doubles(arena, panels * RULE)};
  if (arena->failed) return sfmi_fail_memory(error);
  for (size_t i = 1; i < count; i++) {
    const double parts = fmax(ceil((marks[i] - marks[i - 1]) / grain), 1);
    const double half = (marks[i] - marks[i - 1]) / parts / 2;
    for (double part = 0; part < parts; part++)
      for (size_t k = 0; k < RULE; k++) {
        nodes->places[nodes->count] = marks[i - 1] + half * (2 * part + 1 + KNOT[k]);
        nodes->weights[nodes->count++] = half * PART[k];
      }
  }
  sfmi_shape_model_column(problem->shape_model, a, nodes->density, nodes->places, nodes->count);
  if (problem->family == SFM_KERNEL_GAUSSIAN)
    return smooth_normal(problem, a, h, nodes, arena, error);
  for (size_t i = 0; i < nodes->count; i++)
    nodes->smoothed[i] = smoothed_at(problem, a, h, nodes->places[i], marks, count);
  return SFM_OK;
}

static sfm_status risk_axis(sfmi_kde_risk_axis *out, const sfmi_kde_problem *problem, size_t a,
                            double h, sfm_error *error) {
  sfmi_arena arena = {0};
  sfmi_axis_quadrature nodes;
  sfm_status status = sfmi_axis_quadrature_init(&nodes, problem, a, h, INFINITY, &arena, error);
  *out = (sfmi_kde_risk_axis){0};
  for (size_t i = 0; !status && i < nodes.count; i++) {
    const double w = nodes.weights[i], p = nodes.density[i], k = nodes.smoothed[i], e = k - p;
    out->pp += w * p * p;
    out->pe += w * p * e;
    out->ee += w * e * e;
    out->kk += w * k * k;
    out->row += w * p * row_square(problem, a, h, nodes.places[i]);
  }
  out->inside = fmin(out->row / whole_square(problem, a, h), 1);
  sfmi_arena_clear(&arena);
  return status;
}

/* ---- a pilot of several columns ---- */

sfm_status sfmi_pilot_grid_init(sfmi_pilot_grid *grid, const sfmi_kde_problem *problem,
                                sfmi_arena *arena, sfm_error *error) {
  const size_t d = problem->dimension, points = d == 2 ? 97 : 33;
  *grid = (sfmi_pilot_grid){.dimension = d, .points = points, .length = 1, .cell = 1};
  for (size_t a = 0; a < d; a++) {
    grid->length *= points;
    grid->cell *= width_of(problem, a) / (double)(points - 1);
  }
  double *places = sfmi_arena_doubles(arena, grid->length * d);
  grid->weights = sfmi_arena_doubles(arena, points);
  sfmi_arena_arrays(arena, grid->length,
                    (double **[]){&grid->density, &grid->result, &grid->spare, NULL});
  if (arena->failed) return sfmi_fail_memory(error);
  for (size_t i = 0; i < points; i++) grid->weights[i] = i == 0 || i == points - 1 ? 0.5 : 1;
  for (size_t i = 0; i < grid->length; i++)
    for (size_t a = d, rest = i; a-- > 0; rest /= points)
      places[i * d + a] = fmin(problem->lower[a] + width_of(problem, a) * (double)(rest % points) /
                                                       (double)(points - 1),
                               problem->upper[a]);
  sfmi_shape_model_at(problem->shape_model, grid->density, places, grid->length);
  return SFM_OK;
}

/* out (columns x points) from in (points x columns): the first axis contracted, the new one last;
 * spare has as much room. */
static void contract(double *out, double *spare, const double *in, const double *matrix,
                     size_t points, size_t columns) {
  sfmi_matrix_multiply(spare, matrix, in, points, points, columns);
  for (size_t c = 0; c < columns; c++)
    for (size_t i = 0; i < points; i++) out[c * points + i] = spare[i * columns + c];
}

const double *sfmi_pilot_grid_apply(sfmi_pilot_grid *grid, double *const *matrices) {
  const double *from = grid->density;
  for (size_t a = 0; a < grid->dimension; a++) {
    contract(grid->result, grid->spare, from, matrices[a], grid->points,
             grid->length / grid->points);
    from = grid->result;
  }
  return from;
}

double sfmi_pilot_grid_inner(const sfmi_pilot_grid *grid, const double *f, const double *g) {
  double sum = 0;
  for (size_t i = 0; i < grid->length; i++) {
    double weight = grid->cell;
    for (size_t a = 0, rest = i; a < grid->dimension; a++, rest /= grid->points)
      weight *= grid->weights[rest % grid->points];
    sum += weight * f[i] * g[i];
  }
  return sum;
}

/* The mass of the kernel about x between two places. */
static double between(double x, double h, double from, double to) {
  const double a = (from - x) / h, b = (to - x) / h;
  return a > 0 ? sfmi_normal_tail(a) - sfmi_normal_tail(b)
               : sfmi_normal_tail(-b) - sfmi_normal_tail(-a);
}

/* The same of all its images, between two places of the domain. */
static double between_images(const sfmi_kde_problem *problem, size_t a, double x, double h,
                             double from, double to) {
  const double width = width_of(problem, a);
  const bool mirror = problem->boundary[a] == SFM_BOUNDARY_REFLECT;
  const double ring = mirror ? 2 * width : width;
  double sum = 0;
  if (problem->boundary[a] == SFM_BOUNDARY_OPEN) return between(x, h, from, to);
  if (h > FLAT * ring) return (to - from) / width;
  const double images = ceil(FAR * h / ring) + 1;
  for (double image = -images; image <= images; image++) {
    sum += between(x + image * ring, h, from, to);
    if (mirror) sum += between(2 * problem->lower[a] - x + image * ring, h, from, to);
  }
  return sum;
}

void sfmi_pilot_grid_kernel(const sfmi_pilot_grid *grid, const sfmi_kde_problem *problem, size_t a,
                            double h, double *matrix) {
  const size_t points = grid->points;
  const double lower = problem->lower[a], upper = problem->upper[a];
  const double step = (upper - lower) / (double)(points - 1);
  double whole = 1; /* of the other kernels' values at multiples of the step */
  for (size_t i = 1; i < 64 * points && problem->family != SFM_KERNEL_GAUSSIAN; i++)
    whole += 2 * sfmi_kernel_profile(problem->family, (double)i * step / h);
  for (size_t i = 0; i < points; i++)
    for (size_t j = 0; j < points; j++) {
      const double x = lower + step * (double)i, y = lower + step * (double)j;
      matrix[i * points + j] =
          problem->family == SFM_KERNEL_GAUSSIAN
              ? between_images(problem, a, x, h, fmax(y - step / 2, lower),
                               fmin(y + step / 2, upper))
              : grid->weights[j] * sfmi_kernel_profile(problem->family, fabs(x - y) / h) / whole;
    }
}

/* E prod_a of numbers along the axes, under the density. */
static double mean_product(const sfmi_pilot_grid *grid, double *const *factors) {
  double sum = 0;
  for (size_t i = 0; i < grid->length; i++) {
    double product = grid->cell * grid->density[i];
    for (size_t a = grid->dimension, rest = i; a-- > 0; rest /= grid->points)
      product *= grid->weights[rest % grid->points] * factors[a][rest % grid->points];
    sum += product;
  }
  return sum;
}

static sfm_status risk_pilot(sfmi_kde_risk *kde_risk, const sfmi_kde_problem *problem,
                             const double *bandwidth, sfm_error *error) {
  sfmi_arena arena = {0};
  sfmi_pilot_grid grid;
  double *matrices[3], *rows[3];
  sfm_status status = sfmi_pilot_grid_init(&grid, problem, &arena, error);
  for (size_t a = 0; !status && a < problem->dimension; a++) {
    matrices[a] = sfmi_arena_doubles(&arena, grid.points * grid.points);
    rows[a] = sfmi_arena_doubles(&arena, grid.points);
    if (!matrices[a] || !rows[a]) {
      status = sfmi_fail_memory(error);
      break;
    }
    sfmi_pilot_grid_kernel(&grid, problem, a, bandwidth[a], matrices[a]);
    for (size_t i = 0; i < grid.points; i++)
      rows[a][i] = row_square(problem, a, bandwidth[a],
                              problem->lower[a] +
                                  width_of(problem, a) * (double)i / (double)(grid.points - 1));
  }
  if (!status) {
    const double *smoothed = sfmi_pilot_grid_apply(&grid, matrices), *p = grid.density;
    const double kk = sfmi_pilot_grid_inner(&grid, smoothed, smoothed);
    kde_risk->shape = sfmi_pilot_grid_inner(&grid, p, p);
    kde_risk->cross = sfmi_pilot_grid_inner(&grid, smoothed, p);
    kde_risk->smoothing = fmax(kk - 2 * kde_risk->cross + kde_risk->shape, 0);
    kde_risk->square = kk;
    kde_risk->row = fmax(mean_product(&grid, rows), kk);
  }
  sfmi_arena_clear(&arena);
  return status;
}

sfm_status sfmi_kde_risk_init(sfmi_kde_risk *kde_risk, const sfmi_kde_problem *problem,
                              const double *bandwidth, sfm_error *error) {
  double pp[SFM_MAX_DIMENSION], pe[SFM_MAX_DIMENSION], ee[SFM_MAX_DIMENSION];
  *kde_risk = (sfmi_kde_risk){.row = 1, .square = 1, .shape = 1, .cross = 1};
  for (size_t a = 0; a < problem->dimension; a++) {
    sfmi_kde_risk_axis *axis = &kde_risk->axis[a];
    sfm_status status = risk_axis(axis, problem, a, bandwidth[a], error);
    if (status) return status;
    pp[a] = axis->pp;
    pe[a] = axis->pe;
    ee[a] = axis->ee;
    kde_risk->row *= axis->row;
    kde_risk->square *= axis->kk;
    kde_risk->shape *= axis->pp;
    kde_risk->cross *= axis->pp + axis->pe;
  }
  if (!sfmi_shape_model_is_product(problem->shape_model))
    return risk_pilot(kde_risk, problem, bandwidth, error);
  kde_risk->smoothing = fmax(sfmi_second_difference(pp, pe, ee, problem->dimension), 0);
  kde_risk->row = fmax(kde_risk->row, kde_risk->square);
  return SFM_OK;
}

/* ---- the bias ---- */

/* Takes from K K p, at nodes, what K has of K p outside an open domain. */
static void subtract_outside(const sfmi_kde_problem *problem, size_t a, double h,
                             const sfmi_axis_quadrature *nodes) {
  static const double ENDS[] = {0, 0.5, 1, 2, 4, 8};
  enum { PANELS = sizeof ENDS / sizeof *ENDS - 1, COUNT = 2 * PANELS * RULE };
  double places[COUNT], weights[COUNT], values[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    const size_t panel = i / RULE % PANELS;
    const double half = h * (ENDS[panel + 1] - ENDS[panel]) / 2;
    const double out = h * ENDS[panel] + half * (1 + KNOT[i % RULE]);
    places[i] = i < COUNT / 2 ? problem->lower[a] - out : problem->upper[a] + out;
    weights[i] = half * PART[i % RULE] / (sqrt(2 * M_PI) * h);
  }
  sfmi_shape_model_smoothed(problem->shape_model, a, h, values, places, COUNT);
  for (size_t i = 0; i < nodes->count; i++)
    for (size_t k = 0; k < COUNT; k++) {
      const double z = (nodes->places[i] - places[k]) / h;
      if (fabs(z) < FAR) nodes->smoothed[i] -= weights[k] * values[k] * exp(-0.5 * z * z);
    }
}

/* Of one column, with k = K p and m = K k, k as far as the domain goes: integrals of p p, p k, k k,
 * k m, m m, p m and, under p, of k k, k m, m m. */
typedef struct bias_axis {
  double pp, pk, kk, km, mm, pm, pkk, pkm, pmm;
} bias_axis;

static sfm_status bias_of(bias_axis *out, const sfmi_kde_problem *problem, size_t a, double h,
                          sfm_error *error) {
  sfmi_arena arena = {0};
  sfmi_axis_quadrature once, twice;
  sfmi_kde_problem normal = *problem;
  normal.family = SFM_KERNEL_GAUSSIAN;
  *out = (bias_axis){0};
  sfm_status status = sfmi_axis_quadrature_init(&once, &normal, a, h, INFINITY, &arena, error);
  if (!status) {
    twice = once;
    twice.smoothed = sfmi_arena_doubles(&arena, once.count);
    status = twice.smoothed ? smooth_normal(&normal, a, M_SQRT2 * h, &twice, &arena, error)
                            : sfmi_fail_memory(error);
  }
  if (!status && problem->boundary[a] == SFM_BOUNDARY_OPEN) subtract_outside(&normal, a, h, &twice);
  for (size_t i = 0; !status && i < once.count; i++) {
    const double w = once.weights[i], p = once.density[i], k = once.smoothed[i],
                 m = twice.smoothed[i];
    out->pp += w * p * p;
    out->pk += w * p * k;
    out->kk += w * k * k;
    out->km += w * k * m;
    out->mm += w * m * m;
    out->pm += w * p * m;
    out->pkk += w * p * k * k;
    out->pkm += w * p * k * m;
    out->pmm += w * p * m * m;
  }
  sfmi_arena_clear(&arena);
  return status;
}

sfm_status sfmi_kde_bias_init(sfmi_kde_bias *kde_bias, const sfmi_kde_problem *problem,
                              const double *bandwidth, sfm_error *error) {
  bias_axis all = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  *kde_bias = (sfmi_kde_bias){0};
  for (size_t a = 0; a < problem->dimension; a++) {
    bias_axis axis;
    sfm_status status = bias_of(&axis, problem, a, bandwidth[a], error);
    if (status) return status;
    all.pp *= axis.pp;
    all.pk *= axis.pk;
    all.kk *= axis.kk;
    all.km *= axis.km;
    all.mm *= axis.mm;
    all.pm *= axis.pm;
    all.pkk *= axis.pkk;
    all.pkm *= axis.pkm;
    all.pmm *= axis.pmm;
  }
  const double bias = all.kk - 2 * all.pk + all.pp, mean = all.pm - all.pk;
  if (!(bias > 1e-12 * all.pp)) return SFM_OK; /* lost in rounding: ignored */
  kde_bias->passed = fmin(fmax((all.mm - 2 * all.km + all.kk) / bias, 0), 1);
  kde_bias->variance = fmax((all.pmm - 2 * all.pkm + all.pkk - mean * mean) / bias, 0);
  return SFM_OK;
}
