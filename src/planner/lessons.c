#include "planner/lessons.h"

#include <math.h>
#include <stdlib.h>

#include "base/linear.h"

static double kernel_between(const sfmi_lift *lift, const sfmi_net *net, size_t p, size_t q) {
  const size_t a = net->starts[p], b = net->starts[q];
  return sfmi_lift_kernel(lift, net->indices + a, net->values + a, net->starts[p + 1] - a,
                          net->indices + b, net->values + b, net->starts[q + 1] - b);
}

sfm_status sfmi_lessons_net(sfmi_lessons *lessons, const sfmi_lift *lift, const sfmi_net *net,
                            sfm_error *error) {
  const size_t m = net->count < SFMI_LESSONS_POINTS ? net->count : SFMI_LESSONS_POINTS;
  const double unit = 1 / (lift->kappa * lift->kappa * (double)m);
  double *matrix = sfmi_alloc(m * m, sizeof *matrix);
  *lessons = (sfmi_lessons){
      .spectrum = sfmi_alloc(m, sizeof *lessons->spectrum), .count = m, .repeated = 1};
  sfm_status status = matrix && lessons->spectrum ? SFM_OK : sfmi_fail_memory(error);
  for (size_t i = 0; status == SFM_OK && i < m; i++)
    for (size_t j = 0; j <= i; j++)
      matrix[i * m + j] = matrix[j * m + i] =
          unit * kernel_between(lift, net, i * net->count / m, j * net->count / m);
  if (status == SFM_OK) status = sfmi_symmetric_eigen(matrix, lessons->spectrum, m, error);
  for (size_t i = 0; status == SFM_OK && i < m; i++)
    lessons->spectrum[i] = fmax(lessons->spectrum[i], 0);
  free(matrix);
  if (status != SFM_OK) sfmi_lessons_clear(lessons);
  return status;
}

/* d equal eigenvalues; the constant feature is left to the forecast's slack. */
sfm_status sfmi_lessons_ball(sfmi_lessons *lessons, const sfmi_lift *lift, sfm_error *error) {
  const double d = (double)lift->dimension, kappa = lift->kappa;
  *lessons = (sfmi_lessons){
      .spectrum = sfmi_alloc(1, sizeof *lessons->spectrum), .count = 1, .repeated = d};
  if (!lessons->spectrum) return sfmi_fail_memory(error);
  lessons->spectrum[0] = lift->radius * lift->radius / ((d + 2) * kappa * kappa);
  return SFM_OK;
}

void sfmi_lessons_clear(sfmi_lessons *lessons) {
  free(lessons->spectrum);
  *lessons = (sfmi_lessons){0};
}

double sfmi_lessons_prior(const sfmi_lessons *lessons) {
  double sum = 0;
  for (size_t i = 0; i < lessons->count; i++) sum += lessons->spectrum[i];
  return sum * lessons->repeated;
}

/* The right side at e: increasing in it, and at most the prior. */
static double next(const sfmi_lessons *lessons, double answers, double variance, double e) {
  double sum = 0;
  for (size_t i = 0; i < lessons->count; i++) {
    const double l = lessons->spectrum[i];
    if (l > 0) sum += 1 / (1 / l + answers / (variance + e));
  }
  return sum * lessons->repeated;
}

double sfmi_lessons_error(const sfmi_lessons *lessons, double answers, double variance) {
  double low = 0, high = sfmi_lessons_prior(lessons);
  if (!(variance > 0)) variance = 1e-300;
  for (int i = 0; i < 100 && high > low; i++) {
    const double middle = low + (high - low) / 2;
    if (next(lessons, answers, variance, middle) > middle)
      low = middle;
    else
      high = middle;
  }
  return high;
}
