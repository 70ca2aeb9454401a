#include "series_interval.h"

#include "base/math/linear_algebra.h"
#include "basis_quadrature.h"
#include "forecast.h"

/* Everything at the nodes of a quadrature. */
typedef struct workspace {
  sfmi_arena arena;
  sfmi_quadrature quadrature;
  size_t count;
  double *density,
      *masses;    /* quadrature.count: the shape, of integral one; its masses, of sum one */
  double *values; /* quadrature.count x count: the functions, later less their means */
  double *scaled; /* count x quadrature.count: transposed, times weights or masses */
  double *mean;   /* count */
  double *covariance, *gram, *product; /* count x count; gram NULL: the identity */
  double *slope;                       /* count */
} workspace;

static sfm_status workspace_init(workspace *p, const sfmi_basis *basis,
                                 const sfmi_shape_model *shape_model, sfm_error *error) {
  double places[SFMI_SHAPE_MODEL_PLACES];
  const size_t cuts = sfmi_shape_model_places(shape_model, 0, places), D = basis->count;
  const bool skewed = basis->family == SFMI_HERMITE;
  *p = (workspace){.count = D};
  sfm_status status = sfmi_quadrature_init(&p->quadrature, &p->arena, basis, places, cuts, error);
  if (status) return status;
  const size_t nodes = p->quadrature.count;
  sfmi_arena_arrays(&p->arena, nodes, (double **[]){&p->density, &p->masses, NULL});
  sfmi_arena_arrays(&p->arena, nodes * D, (double **[]){&p->values, &p->scaled, NULL});
  sfmi_arena_arrays(&p->arena, D, (double **[]){&p->mean, &p->slope, NULL});
  p->covariance = sfmi_arena_doubles(&p->arena, D * D);
  if (skewed) sfmi_arena_arrays(&p->arena, D * D, (double **[]){&p->gram, &p->product, NULL});
  if (p->arena.failed) return sfmi_fail_memory(error);
  sfmi_shape_model_column(shape_model, 0, p->density, p->quadrature.points, nodes);
  sfmi_basis_at(basis, p->values, p->quadrature.points, nodes);
  double whole = 0;
  for (size_t i = 0; i < nodes; i++) whole += p->quadrature.weights[i] * p->density[i];
  for (size_t i = 0; i < nodes; i++) {
    p->density[i] /= whole;
    p->masses[i] = p->quadrature.weights[i] * p->density[i];
  }
  return SFM_OK;
}

/* out (count x count) = sum over nodes of weight times products of values. */
static void multiply_out(workspace *p, double *out, const double *weights) {
  const size_t nodes = p->quadrature.count, D = p->count;
  for (size_t i = 0; i < nodes; i++)
    for (size_t j = 0; j < D; j++) p->scaled[j * nodes + i] = weights[i] * p->values[i * D + j];
  sfmi_matrix_multiply(out, p->scaled, p->values, D, nodes, D);
}

/* x'A x, or |x|^2 without A. */
static double form(const double *A, const double *x, size_t size) {
  double sum = 0;
  for (size_t j = 0; j < size; j++) {
    double row = A ? 0 : x[j];
    for (size_t k = 0; A && k < size; k++) row += A[j * size + k] * x[k];
    sum += x[j] * row;
  }
  return sum;
}

/* Means, what is missed, and its slope. */
static void fill_missed(sfmi_series_interval *s, workspace *p, double constant) {
  const size_t nodes = p->quadrature.count, D = p->count;
  for (size_t i = 0; i < nodes; i++) {
    double square = 0;
    for (size_t j = 0; j < D; j++) {
      const double b = p->values[i * D + j];
      p->mean[j] += p->masses[i] * b;
      square += b * b;
    }
    s->kernel += p->masses[i] * (square + constant);
    s->square += p->masses[i] * p->density[i];
  }
  for (size_t i = 0; i < nodes; i++) {
    double missed = p->density[i] - constant;
    for (size_t j = 0; j < D; j++) missed -= p->mean[j] * p->values[i * D + j];
    s->truncation += p->quadrature.weights[i] * missed * missed;
    for (size_t j = 0; p->gram && j < D; j++)
      p->slope[j] += p->quadrature.weights[i] * missed * p->values[i * D + j];
  }
}

static void fill_moments(sfmi_series_interval *s, workspace *p) {
  const size_t nodes = p->quadrature.count, D = p->count;
  if (p->gram) multiply_out(p, p->gram, p->quadrature.weights);
  for (size_t i = 0; i < nodes; i++) {
    for (size_t j = 0; j < D; j++) p->values[i * D + j] -= p->mean[j];
    const double square = form(p->gram, p->values + i * D, D);
    s->sampling += p->masses[i] * square;
    s->fourth += p->masses[i] * square * square;
  }
  multiply_out(p, p->covariance, p->masses);
}

/* tr (G S)^2 and what else is made of both matrices. */
static void fill_traces(sfmi_series_interval *s, workspace *p) {
  const size_t D = p->count;
  s->trace = s->trace_square = s->diagonal = (double)D;
  s->mixed = s->sampling;
  if (!p->gram) {
    for (size_t i = 0; i < D * D; i++) s->sampling_square += p->covariance[i] * p->covariance[i];
    return;
  }
  sfmi_matrix_multiply(p->product, p->gram, p->covariance, D, D, D);
  s->trace = s->trace_square = s->diagonal = s->mixed = 0;
  for (size_t j = 0; j < D; j++) {
    const double g = p->gram[j * D + j];
    s->trace += g;
    s->diagonal += g * g;
    for (size_t k = 0; k < D; k++) {
      s->trace_square += p->gram[j * D + k] * p->gram[j * D + k];
      s->sampling_square += p->product[j * D + k] * p->product[k * D + j];
      s->mixed += p->product[j * D + k] * p->gram[j * D + k];
    }
  }
  s->slope = form(NULL, p->slope, D);
  s->slope_sampling = form(p->covariance, p->slope, D);
}

sfm_status sfmi_series_interval_init(sfmi_series_interval *interval, const sfmi_basis *basis,
                                     const sfmi_shape_model *shape_model, sfm_error *error) {
  workspace p;
  *interval = (sfmi_series_interval){.count = basis->count};
  sfm_status status = workspace_init(&p, basis, shape_model, error);
  if (!status) {
    fill_missed(interval, &p, basis->constant);
    fill_moments(interval, &p);
    fill_traces(interval, &p);
  }
  sfmi_arena_clear(&p.arena);
  return status;
}

double sfmi_series_variance(sfm_vector_noise noise, double count, double scale) {
  const double factor = noise == SFM_VECTOR_NOISE_LAPLACE  ? 2
                        : noise == SFM_VECTOR_NOISE_NORMAL ? 1
                                                           : count + 1;
  return factor * scale * scale;
}

/* The mean and variance of z'G z for noise of that scale.
 * Laplace noise of scale b has E z^4 - 3 (E z^2)^2 = 12 b^4; gamma noise is r u, E r^4 =
 * D (D + 1)(D + 2)(D + 3) b^4 and E (u'G u)^2 = ((tr G)^2 + 2 tr G^2)/(D (D + 2)). */
static double mean_noise(const sfmi_series_interval *s, double *variance, sfm_vector_noise noise,
                         double scale) {
  const double D = (double)s->count, v = sfmi_series_variance(noise, D, scale),
               b4 = scale * scale * scale * scale;
  *variance = 2 * v * v * s->trace_square;
  if (noise == SFM_VECTOR_NOISE_LAPLACE) *variance += 12 * b4 * s->diagonal;
  if (noise == SFM_VECTOR_NOISE_GAMMA)
    *variance = (D + 1) * (D + 3) * b4 * (s->trace * s->trace + 2 * s->trace_square) -
                v * v * s->trace * s->trace;
  return v * s->trace;
}

void sfmi_series_interval_find(const sfmi_series_interval *s, double total[2], double cost[2],
                               sfm_vector_noise noise, double scale, double n) {
  const double v = sfmi_series_variance(noise, (double)s->count, scale);
  double by_noise;
  const double privacy = mean_noise(s, &by_noise, noise, scale);
  const double by_rows =
      (2 * (n - 1) * s->sampling_square + s->fourth - s->sampling * s->sampling) / (n * n * n) +
      4 * v * s->mixed / n;
  sfmi_forecast_interval(&total[0], &total[1], s->truncation, privacy + s->sampling / n,
                         by_noise + by_rows, 4 * (v * s->slope + s->slope_sampling / n));
  sfmi_forecast_interval(&cost[0], &cost[1], s->truncation, privacy, by_noise, 4 * v * s->slope);
}
