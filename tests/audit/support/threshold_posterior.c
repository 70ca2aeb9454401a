#include "threshold_posterior.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* P(x) and P(>= y) of discrete Laplace noise, r = e^(-1/scale). */
static double mass(int64_t x, double r) {
  return (1 - r) / (1 + r) * pow(r, (double)llabs(x));
}

static double at_least(int64_t y, double r) {
  return y > 0 ? pow(r, (double)y) / (1 + r) : 1 - pow(r, (double)(1 - y)) / (1 + r);
}

void threshold_posterior_init(threshold_posterior *b, double threshold, double question) {
  const double x = threshold > 0 ? exp(-1 / threshold) : 0;
  const double y = question > 0 ? exp(-1 / question) : 0;
  b->reach = (int)ceil(16 * threshold);
  assert(b->reach <= THRESHOLD_POSTERIOR_REACH);
  for (int i = -b->reach; i <= b->reach; i++) b->threshold[i + b->reach] = mass(i, x);
  for (int i = -THRESHOLD_POSTERIOR_RANGE; i <= THRESHOLD_POSTERIOR_RANGE; i++)
    b->fires[i + THRESHOLD_POSTERIOR_RANGE] = at_least(i, y);
  threshold_posterior_clear(b);
}

void threshold_posterior_clear(threshold_posterior *b) {
  b->ratio = 0;
  for (int k = 0; k < 2; k++)
    memcpy(b->weight[k], b->threshold, (2 * (size_t)b->reach + 1) * sizeof *b->threshold);
}

static double last_ratio(const threshold_posterior *b) {
  double sum[2] = {0, 0};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i <= 2 * b->reach; i++) sum[k] += b->weight[k][i];
  return log(sum[1]) - log(sum[0]);
}

void threshold_posterior_renew(threshold_posterior *b) {
  const double ratio = threshold_posterior_ratio(b);
  threshold_posterior_clear(b);
  b->ratio = ratio;
}

void threshold_posterior_hear(threshold_posterior *b, const int64_t over[2], bool fired) {
  const double from = fired ? 0 : 1, sign = fired ? 1 : -1;
  for (int k = 0; k < 2; k++) {
    assert(llabs(over[k]) <= THRESHOLD_POSTERIOR_RANGE - b->reach);
    const double *fires =
        b->fires + (THRESHOLD_POSTERIOR_RANGE - b->reach - over[k]); /* Y >= x - over */
    for (int i = 0; i <= 2 * b->reach; i++) b->weight[k][i] *= from + sign * fires[i];
  }
}

void threshold_posterior_read(threshold_posterior *b, const int64_t over[2], int64_t value) {
  for (int k = 0; k < 2; k++) {
    const int64_t y = value - over[k] + THRESHOLD_POSTERIOR_RANGE;
    assert(y >= 0 && y < 2 * THRESHOLD_POSTERIOR_RANGE);
    const double chance = b->fires[y] - b->fires[y + 1];
    for (int64_t x = -b->reach; x <= b->reach; x++)
      b->weight[k][x + b->reach] *= x <= value ? chance : 0;
  }
}

void threshold_posterior_learn(threshold_posterior *b, const int64_t x[2]) {
  for (int k = 0; k < 2; k++)
    for (int64_t i = -b->reach; i <= b->reach; i++)
      if (i != x[k]) b->weight[k][i + b->reach] = 0;
}

void threshold_posterior_add(threshold_posterior *b, double ratio) {
  b->ratio += ratio;
}

double threshold_posterior_ratio(const threshold_posterior *b) {
  return b->ratio + last_ratio(b);
}
