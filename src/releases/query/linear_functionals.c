#include "linear_functionals.h"

#include <math.h>
#include <stdlib.h>

/* The most coefficients that are looked at in this way. */
static const size_t SIZE_MOST = (size_t)1 << 20;

void sfmi_functionals_clear(sfmi_functionals *p) {
  free(p->weights);
  free(p->values);
  sfmi_noise_draws_clear(&p->draws);
}

static sfm_status draw(sfmi_functionals *p, const sfm_release *release, double risk,
                       sfm_error *error) {
  if (!sfmi_noise_draws_affordable(p->size, p->count, risk)) return SFM_OK;
  double *turned = sfmi_alloc(p->size * p->count, sizeof *turned);
  if (!turned) return sfmi_fail_memory(error);
  for (size_t k = 0; k < p->count; k++)
    for (size_t i = p->noisy; i < p->size; i++)
      turned[i * p->count + k] = p->weights[k * p->size + i];
  sfm_status status =
      sfmi_noise_draws_init(&p->draws, release, turned, p->size, p->count, risk, error);
  free(turned);
  return status;
}

sfm_status sfmi_functionals_init(sfmi_functionals *p, const sfmi_query_exact *query,
                                 const sfmi_integrand *integrands, size_t count, bool draws,
                                 sfm_error *error) {
  const sfm_release *release = query->integral.release;
  *p = (sfmi_functionals){.size = sfmi_integral_size(&query->integral, 0),
                          .count = count,
                          .noisy = query->integral.quiet ? 1 : 0};
  if (p->size > SIZE_MOST)
    return sfmi_fail(error, SFM_INVALID,
                     "this release has %zu coefficients; more than %zu are too many for this "
                     "question",
                     p->size, SIZE_MOST);
  sfm_status status = sfmi_resources_allow(release, sfmi_resources_integrals(release, 0, count),
                                           "answering this question", error);
  if (status) return status;
  p->weights = sfmi_alloc(count * p->size, sizeof *p->weights);
  p->values = sfmi_alloc(count, sizeof *p->values);
  if (!p->weights || !p->values) return sfmi_fail_memory(error);
  status = sfmi_integral_weights(&query->integral, 0, p->weights, integrands, count, error);
  for (size_t k = 0; !status && k < count; k++)
    for (size_t i = 0; i < p->size; i++)
      p->values[k] += p->weights[k * p->size + i] * query->coefficients[i];
  return !status && draws ? draw(p, release, query->risk, error) : status;
}

double sfmi_functionals_dot(const sfmi_functionals *p, size_t k, size_t l) {
  const double *a = p->weights + k * p->size, *b = p->weights + l * p->size;
  double sum = 0;
  for (size_t i = p->noisy; i < p->size; i++) sum += a[i] * b[i];
  return sum;
}

double sfmi_functionals_largest_weight(const sfmi_functionals *p, size_t k) {
  double largest = 0;
  for (size_t i = p->noisy; i < p->size; i++)
    largest = fmax(largest, fabs(p->weights[k * p->size + i]));
  return largest;
}

static double difference(const sfmi_functionals *p, size_t k, size_t l) {
  const double *a = p->weights + k * p->size, *b = p->weights + l * p->size;
  double largest = 0;
  for (size_t i = p->noisy; i < p->size; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

double sfmi_functionals_weight_sum(const sfmi_functionals *p, size_t k) {
  double sum = 0;
  for (size_t i = p->noisy; i < p->size; i++) sum += fabs(p->weights[k * p->size + i]);
  return sum;
}

sfm_status sfmi_functionals_init_cumulative(sfmi_functionals *p, const sfmi_query_exact *query,
                                            const double *x, size_t count, bool draws,
                                            sfm_error *error) {
  const sfm_release *release = query->integral.release;
  sfmi_integrand *integrands = sfmi_alloc(count + 1, sizeof *integrands);
  *p = (sfmi_functionals){0};
  if (!integrands) return sfmi_fail_memory(error);
  for (size_t k = 0; k <= count; k++)
    integrands[k] = (sfmi_integrand){SFMI_INTEGRAND_INTERVAL, release->lower[0],
                                     k < count ? x[k] : release->upper[0]};
  sfm_status status = sfmi_functionals_init(p, query, integrands, count + 1, draws, error);
  free(integrands);
  return status;
}

sfmi_contrast sfmi_functionals_contrast(const sfmi_functionals *p, size_t k) {
  const size_t whole = p->count - 1;
  sfmi_contrast c = {.part = p->values[k],
                     .whole = p->values[whole],
                     .squares = sfmi_functionals_dot(p, k, k),
                     .cross = sfmi_functionals_dot(p, k, whole),
                     .whole_squares = sfmi_functionals_dot(p, whole, whole),
                     .largest = {sfmi_functionals_largest_weight(p, k), difference(p, k, whole)}};
  if (p->draws.draws) {
    c.count = p->draws.draws;
    c.draws = p->draws.values + k * c.count;
    c.whole_draws = p->draws.values + whole * c.count;
  }
  return c;
}

void sfmi_functionals_add_fixed(sfmi_contrast *c, const sfmi_query_exact *query,
                                const sfmi_functionals *p, size_t k, double x) {
  const sfmi_integrand integrand = {SFMI_INTEGRAND_INTERVAL, query->integral.release->lower[0], x};
  for (int i = 0; i < 2; i++)
    c->fixed[i] = query->records * sfmi_integral_error(&query->integral, 0, integrand, i) +
                  query->grain * (sfmi_functionals_weight_sum(p, k) +
                                  i * sfmi_functionals_weight_sum(p, p->count - 1));
}

void sfmi_equispaced(double *x, double from, double to, size_t count) {
  for (size_t k = 0; k < count; k++)
    x[k] = k + 1 == count ? to : from + (to - from) * (double)k / (double)(count - 1);
}
