#include "gp_learning_curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/linear_algebra.h"

sfm_status sfmi_learning_curve_net(sfmi_learning_curve *learning_curve, const sfmi_feature_map *map,
                                   const sfmi_net *net, sfm_error *error) {
  const size_t m =
      net->count < SFMI_LEARNING_CURVE_POINTS ? net->count : SFMI_LEARNING_CURVE_POINTS;
  const double unit = 1 / (map->kappa * map->kappa * (double)m);
  double *matrix = sfmi_alloc(m * m, sizeof *matrix);
  *learning_curve = (sfmi_learning_curve){
      .spectrum = sfmi_alloc(m, sizeof *learning_curve->spectrum), .count = m, .repeated = 1};
  sfm_status status = matrix && learning_curve->spectrum ? SFM_OK : sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < m; i++)
    for (size_t j = 0; j <= i; j++)
      matrix[i * m + j] = matrix[j * m + i] =
          unit * sfmi_net_kernel(map, net, i * net->count / m, j * net->count / m);
  if (!status) status = sfmi_symmetric_eigen(matrix, learning_curve->spectrum, m, error);
  for (size_t i = 0; !status && i < m; i++)
    learning_curve->spectrum[i] = fmax(learning_curve->spectrum[i], 0);
  free(matrix);
  if (status) sfmi_learning_curve_clear(learning_curve);
  return status;
}

/* d equal eigenvalues; the constant feature is ignored. */
sfm_status sfmi_learning_curve_ball(sfmi_learning_curve *learning_curve,
                                    const sfmi_feature_map *map, sfm_error *error) {
  const double d = (double)map->dimension, kappa = map->kappa;
  *learning_curve = (sfmi_learning_curve){
      .spectrum = sfmi_alloc(1, sizeof *learning_curve->spectrum), .count = 1, .repeated = d};
  if (!learning_curve->spectrum) return sfmi_fail_memory(error);
  learning_curve->spectrum[0] = map->radius * map->radius / ((d + 2) * kappa * kappa);
  return SFM_OK;
}

void sfmi_learning_curve_clear(sfmi_learning_curve *learning_curve) {
  free(learning_curve->spectrum);
  *learning_curve = (sfmi_learning_curve){0};
}

double sfmi_learning_curve_prior(const sfmi_learning_curve *learning_curve) {
  double sum = 0;
  for (size_t i = 0; i < learning_curve->count; i++) sum += learning_curve->spectrum[i];
  return sum * learning_curve->repeated;
}

/* The right side at e: increasing in it, and at most the prior. */
static double next(const sfmi_learning_curve *learning_curve, double answers, double variance,
                   double e) {
  double sum = 0;
  for (size_t i = 0; i < learning_curve->count; i++) {
    const double l = learning_curve->spectrum[i];
    if (l > 0) sum += 1 / (1 / l + answers / (variance + e));
  }
  return sum * learning_curve->repeated;
}

double sfmi_learning_curve_error(const sfmi_learning_curve *learning_curve, double answers,
                                 double variance) {
  double low = 0, high = sfmi_learning_curve_prior(learning_curve);
  if (!(variance > 0)) variance = 1e-300;
  for (int i = 0; i < 100 && high > low; i++) {
    const double middle = low + (high - low) / 2;
    if (next(learning_curve, answers, variance, middle) > middle)
      low = middle;
    else
      high = middle;
  }
  return high;
}
