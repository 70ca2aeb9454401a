#include "releases/profile.h"

#include <math.h>
#include <stdlib.h>

/* The most coefficients that are looked at in this way. */
static const size_t SIZE_MOST = (size_t)1 << 20;

void sfmi_profile_clear(sfmi_profile *p) {
  free(p->weights);
  free(p->values);
  sfmi_draws_clear(&p->draws);
}

static sfm_status draw(sfmi_profile *p, const sfm_release *release, double risk, sfm_error *error) {
  if (!sfmi_draws_affordable(p->size, p->count, risk)) return SFM_OK;
  double *turned = sfmi_alloc(p->size * p->count, sizeof *turned);
  if (!turned) return sfmi_fail_memory(error);
  for (size_t k = 0; k < p->count; k++)
    for (size_t i = p->noisy; i < p->size; i++)
      turned[i * p->count + k] = p->weights[k * p->size + i];
  sfm_status status = sfmi_draws_init(&p->draws, release, turned, p->size, p->count, risk, error);
  free(turned);
  return status;
}

sfm_status sfmi_profile_init(sfmi_profile *p, const sfmi_inquiry *inquiry, const sfmi_side *sides,
                             size_t count, bool draws, sfm_error *error) {
  const sfm_release *release = inquiry->integral.release;
  *p = (sfmi_profile){.size = sfmi_integral_size(&inquiry->integral, 0),
                      .count = count,
                      .noisy = inquiry->integral.quiet ? 1 : 0};
  if (p->size > SIZE_MOST)
    return sfmi_fail(error, SFM_INVALID,
                     "this release has %zu coefficients; more than %zu are too many for this "
                     "question",
                     p->size, SIZE_MOST);
  sfm_status status = sfmi_resources_allow(release, sfmi_resources_integrals(release, 0, count),
                                           "answering this question", error);
  if (status != SFM_OK) return status;
  p->weights = sfmi_alloc(count * p->size, sizeof *p->weights);
  p->values = sfmi_alloc(count, sizeof *p->values);
  if (!p->weights || !p->values) return sfmi_fail_memory(error);
  status = sfmi_integral_weights(&inquiry->integral, 0, p->weights, sides, count, error);
  for (size_t k = 0; status == SFM_OK && k < count; k++)
    for (size_t i = 0; i < p->size; i++)
      p->values[k] += p->weights[k * p->size + i] * inquiry->coefficients[i];
  return status == SFM_OK && draws ? draw(p, release, inquiry->risk, error) : status;
}

double sfmi_profile_dot(const sfmi_profile *p, size_t k, size_t l) {
  const double *a = p->weights + k * p->size, *b = p->weights + l * p->size;
  double sum = 0;
  for (size_t i = p->noisy; i < p->size; i++) sum += a[i] * b[i];
  return sum;
}

double sfmi_profile_largest(const sfmi_profile *p, size_t k) {
  double largest = 0;
  for (size_t i = p->noisy; i < p->size; i++)
    largest = fmax(largest, fabs(p->weights[k * p->size + i]));
  return largest;
}

static double difference(const sfmi_profile *p, size_t k, size_t l) {
  const double *a = p->weights + k * p->size, *b = p->weights + l * p->size;
  double largest = 0;
  for (size_t i = p->noisy; i < p->size; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

double sfmi_profile_sum(const sfmi_profile *p, size_t k) {
  double sum = 0;
  for (size_t i = p->noisy; i < p->size; i++) sum += fabs(p->weights[k * p->size + i]);
  return sum;
}

sfm_status sfmi_profile_below(sfmi_profile *p, const sfmi_inquiry *inquiry, const double *x,
                              size_t count, bool draws, sfm_error *error) {
  const sfm_release *release = inquiry->integral.release;
  sfmi_side *sides = sfmi_alloc(count + 1, sizeof *sides);
  *p = (sfmi_profile){0};
  if (!sides) return sfmi_fail_memory(error);
  for (size_t k = 0; k <= count; k++)
    sides[k] =
        (sfmi_side){SFMI_SIDE_INTERVAL, release->lower[0], k < count ? x[k] : release->upper[0]};
  sfm_status status = sfmi_profile_init(p, inquiry, sides, count + 1, draws, error);
  free(sides);
  return status;
}

sfmi_contrast sfmi_profile_contrast(const sfmi_profile *p, size_t k) {
  const size_t whole = p->count - 1;
  sfmi_contrast c = {.part = p->values[k],
                     .whole = p->values[whole],
                     .squares = sfmi_profile_dot(p, k, k),
                     .cross = sfmi_profile_dot(p, k, whole),
                     .whole_squares = sfmi_profile_dot(p, whole, whole),
                     .largest = {sfmi_profile_largest(p, k), difference(p, k, whole)}};
  if (p->draws.draws) {
    c.count = p->draws.draws;
    c.draws = p->draws.values + k * c.count;
    c.whole_draws = p->draws.values + whole * c.count;
  }
  return c;
}

void sfmi_profile_fix(sfmi_contrast *c, const sfmi_inquiry *inquiry, const sfmi_profile *p,
                      size_t k, double x) {
  const sfmi_side side = {SFMI_SIDE_INTERVAL, inquiry->integral.release->lower[0], x};
  for (int i = 0; i < 2; i++)
    c->fixed[i] = inquiry->records * sfmi_integral_error(&inquiry->integral, 0, side, i) +
                  inquiry->grain * (sfmi_profile_sum(p, k) + i * sfmi_profile_sum(p, p->count - 1));
}

void sfmi_profile_places(double *x, double from, double to, size_t count) {
  for (size_t k = 0; k < count; k++)
    x[k] = k + 1 == count ? to : from + (to - from) * (double)k / (double)(count - 1);
}
