#include "series_errors.h"

#include <math.h>

#include "base/math/linear_algebra.h"
#include "basis_quadrature.h"

enum { CENTRES = 16, BLOCK = 256 };
static const double DEVIATION = 0.1;
/* Pairs of points: so many first points, and second points at distances that fall by this ratio
 * from the whole lattice on. */
enum { FIRST = 32 };
static const double RATIO = 1.15;

/* ---- shapes ---- */

/* One or several, of equal weight. */
typedef struct shapes {
  sfmi_quadrature quadrature;
  size_t count;
  double *masses; /* count x quadrature.count: the density times the node's weight, of sum one */
  double square;  /* the integral of the density's square, over all shapes */
} shapes;

static double bell(double z) {
  return exp(-0.5 * z * z / (DEVIATION * DEVIATION));
}

/* The reference shape about the c-th centre, not normalised. */
static void fill_reference(double *values, const sfmi_quadrature *quadrature,
                           const sfmi_basis *basis, bool named, size_t c) {
  const double lower = basis->lower[0], width = basis->upper[0] - lower;
  const bool wraps = named && (basis->family == SFMI_FOURIER || basis->family == SFMI_DB4);
  /* Hermite's functions are for what lies about the middle. */
  const double spread = named && basis->family == SFMI_HERMITE ? 1.0 / 3 : 1;
  const double centre = 0.5 + spread * (((double)c + 0.5) / CENTRES - 0.5);
  for (size_t i = 0; i < quadrature->count; i++) {
    const double z = (quadrature->points[i] - lower) / width - centre;
    values[i] = bell(z) + (wraps ? bell(z - 1) + bell(z + 1) : 0);
  }
}

/* From values of a density to masses of sum one; returns the integral of its square. */
static double weigh(double *values, const sfmi_quadrature *quadrature) {
  double whole = 0, squares = 0;
  for (size_t i = 0; i < quadrature->count; i++) {
    whole += values[i] * quadrature->weights[i];
    squares += values[i] * values[i] * quadrature->weights[i];
  }
  for (size_t i = 0; i < quadrature->count; i++) values[i] *= quadrature->weights[i] / whole;
  return squares / (whole * whole);
}

static sfm_status shapes_init(shapes *s, sfmi_arena *arena, const sfmi_basis *basis,
                              const sfmi_shape_model *shape_model, bool named, sfm_error *error) {
  double places[SFMI_SHAPE_MODEL_PLACES];
  const size_t cuts = shape_model ? sfmi_shape_model_places(shape_model, 0, places) : 0;
  *s = (shapes){.count = shape_model ? 1 : CENTRES};
  sfm_status status = sfmi_quadrature_init(&s->quadrature, arena, basis, places, cuts, error);
  if (status) return status;
  s->masses = sfmi_arena_doubles(arena, s->count * s->quadrature.count);
  if (!s->masses) return sfmi_fail_memory(error);
  for (size_t c = 0; c < s->count; c++) {
    double *values = s->masses + c * s->quadrature.count;
    if (shape_model)
      sfmi_shape_model_column(shape_model, 0, values, s->quadrature.points, s->quadrature.count);
    else
      fill_reference(values, &s->quadrature, basis, named, c);
    s->square += weigh(values, &s->quadrature) / (double)s->count;
  }
  return SFM_OK;
}

/* ---- what functions make of them ---- */

/* Sums over nodes: of every shape times every function; and, over all shapes, of the density times
 * products of functions, and of these alone: on the diagonal, or where functions are not orthogonal
 * all of them. */
typedef struct products {
  size_t count;
  bool skewed;
  double *moments; /* shapes x count */
  double *second;  /* count, or skewed: count x count */
  double *gram;    /* skewed: count x count */
} products;

/* Room for what a block of nodes takes. */
typedef struct workspace {
  double *values, *turned; /* BLOCK x count; count x BLOCK */
  double *masses;          /* shapes x BLOCK */
  double *product;         /* shapes x count, or count x count */
} workspace;

/* out (count x count) += sum over nodes of factor times the product of two functions. */
static void add_products(double *out, workspace *b, const double *factors, size_t nodes,
                         size_t count) {
  for (size_t i = 0; i < nodes; i++)
    for (size_t j = 0; j < count; j++)
      b->turned[j * nodes + i] = factors[i] * b->values[i * count + j];
  sfmi_matrix_multiply(b->product, b->turned, b->values, count, nodes, count);
  for (size_t i = 0; i < count * count; i++) out[i] += b->product[i];
}

static void add_block(products *p, workspace *b, const shapes *s, size_t first, size_t nodes) {
  double mean[BLOCK] = {0};
  for (size_t c = 0; c < s->count; c++)
    for (size_t i = 0; i < nodes; i++) {
      b->masses[c * nodes + i] = s->masses[c * s->quadrature.count + first + i];
      mean[i] += b->masses[c * nodes + i] / (double)s->count;
    }
  sfmi_matrix_multiply(b->product, b->masses, b->values, s->count, nodes, p->count);
  for (size_t i = 0; i < s->count * p->count; i++) p->moments[i] += b->product[i];
  if (p->skewed) {
    add_products(p->second, b, mean, nodes, p->count);
    add_products(p->gram, b, s->quadrature.weights + first, nodes, p->count);
    return;
  }
  for (size_t i = 0; i < nodes; i++)
    for (size_t j = 0; j < p->count; j++) {
      const double value = b->values[i * p->count + j];
      p->second[j] += mean[i] * value * value;
    }
}

static sfm_status products_init(products *p, sfmi_arena *arena, const shapes *s,
                                const sfmi_basis *basis, sfm_error *error) {
  const size_t count = basis->count, rows = s->count > count ? s->count : count;
  *p = (products){.count = count, .skewed = basis->family == SFMI_HERMITE};
  workspace b = {.values = sfmi_arena_doubles(arena, BLOCK * count),
                 .turned = sfmi_arena_doubles(arena, p->skewed ? BLOCK * count : 0),
                 .masses = sfmi_arena_doubles(arena, s->count * BLOCK),
                 .product = sfmi_arena_doubles(arena, (p->skewed ? rows : s->count) * count)};
  p->moments = sfmi_arena_doubles(arena, s->count * count);
  p->second = sfmi_arena_doubles(arena, p->skewed ? count * count : count);
  p->gram = sfmi_arena_doubles(arena, p->skewed ? count * count : 0);
  if (arena->failed) return sfmi_fail_memory(error);
  for (size_t first = 0; first < s->quadrature.count; first += BLOCK) {
    const size_t left = s->quadrature.count - first, nodes = left < BLOCK ? left : BLOCK;
    sfmi_basis_at(basis, b.values, s->quadrature.points + first, nodes);
    add_block(p, &b, s, first, nodes);
  }
  return SFM_OK;
}

/* The mean over shapes of m_j m_k. */
static double moment_product(const products *p, const shapes *s, size_t j, size_t k) {
  double sum = 0;
  for (size_t c = 0; c < s->count; c++)
    sum += p->moments[c * p->count + j] * p->moments[c * p->count + k];
  return sum / (double)s->count;
}

static void fill_errors(sfmi_series_errors *series_errors, const products *p, const shapes *s,
                        double constant) {
  double left = s->square - constant, sampling = 0, trace = 0;
  series_errors->truncation[0] = fmax(left, 0);
  for (size_t j = 0; j < p->count; j++) {
    const double energy = moment_product(p, s, j, j);
    if (p->skewed) {
      left -= 2 * energy;
      for (size_t k = 0; k <= j; k++) {
        const double g = (k < j ? 2 : 1) * p->gram[j * p->count + k];
        const double product = moment_product(p, s, j, k);
        left += g * product;
        sampling += g * (p->second[j * p->count + k] - product);
      }
      trace += p->gram[j * p->count + j];
    } else {
      left -= energy;
      sampling += fmax(p->second[j] - energy, 0);
      trace += 1;
    }
    series_errors->truncation[j + 1] = fmax(left, 0);
    series_errors->sampling[j + 1] = fmax(sampling, 0);
    series_errors->trace[j + 1] = trace;
  }
}

/* ---- how far rows are apart ---- */

/* Raises the reach of every number of functions to what two points show, or one against zero. */
static void stretch(sfmi_series_errors *series_errors, const double *a, const double *b, bool l1) {
  double sum = 0;
  for (size_t j = 0; j < series_errors->count; j++) {
    const double d = a[j] - (b ? b[j] : 0);
    sum += l1 ? fabs(d) : d * d;
    series_errors->reach[j + 1] = fmax(series_errors->reach[j + 1], l1 ? sum : sqrt(sum));
  }
}

static sfm_status fill_reach(sfmi_series_errors *series_errors, sfmi_arena *arena,
                             const sfmi_basis *basis, bool l1, sfm_error *error) {
  double *a = sfmi_arena_doubles(arena, basis->count), *b = sfmi_arena_doubles(arena, basis->count);
  const double least = 0.1 / ((double)basis->count + 1);
  if (!a || !b) return sfmi_fail_memory(error);
  for (size_t i = 0; i <= FIRST; i++) {
    const double t = (double)i / FIRST;
    double x = sfmi_quadrature_point(basis, t);
    sfmi_basis_at(basis, a, &x, 1);
    stretch(series_errors, a, NULL, l1);
    for (double distance = 1; distance > least; distance /= RATIO) {
      if (t + distance > 1) continue;
      x = sfmi_quadrature_point(basis, t + distance);
      sfmi_basis_at(basis, b, &x, 1);
      stretch(series_errors, a, b, l1);
    }
  }
  return SFM_OK;
}

sfm_status sfmi_series_errors_init(sfmi_series_errors *series_errors, const sfmi_basis *basis,
                                   const sfmi_shape_model *shape_model, bool named, bool l1,
                                   sfm_error *error) {
  shapes s;
  products p;
  sfmi_arena arena = {0};
  *series_errors = (sfmi_series_errors){.count = basis->count};
  sfmi_arena_arrays(&series_errors->arena, basis->count + 1,
                    (double **[]){&series_errors->truncation, &series_errors->sampling,
                                  &series_errors->trace, &series_errors->reach, NULL});
  if (series_errors->arena.failed) return sfmi_fail_memory(error);
  sfm_status status = shapes_init(&s, &arena, basis, shape_model, named, error);
  if (!status) status = products_init(&p, &arena, &s, basis, error);
  if (!status) fill_errors(series_errors, &p, &s, basis->constant);
  if (!status) status = fill_reach(series_errors, &arena, basis, l1, error);
  sfmi_arena_clear(&arena);
  return status;
}

void sfmi_series_errors_clear(sfmi_series_errors *series_errors) {
  sfmi_arena_clear(&series_errors->arena);
  *series_errors = (sfmi_series_errors){0};
}
