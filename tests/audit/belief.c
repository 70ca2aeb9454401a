#include "audit/belief.h"

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

void belief_init(belief *b, double threshold, double question) {
  const double x = threshold > 0 ? exp(-1 / threshold) : 0;
  const double y = question > 0 ? exp(-1 / question) : 0;
  b->reach = (int)ceil(16 * threshold);
  assert(b->reach <= BELIEF_REACH);
  for (int i = -b->reach; i <= b->reach; i++) b->threshold[i + b->reach] = mass(i, x);
  for (int i = -BELIEF_RANGE; i <= BELIEF_RANGE; i++) b->fires[i + BELIEF_RANGE] = at_least(i, y);
  belief_clear(b);
}

void belief_clear(belief *b) {
  b->ratio = 0;
  for (int k = 0; k < 2; k++)
    memcpy(b->weight[k], b->threshold, (2 * (size_t)b->reach + 1) * sizeof *b->threshold);
}

static double last_ratio(const belief *b) {
  double sum[2] = {0, 0};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i <= 2 * b->reach; i++) sum[k] += b->weight[k][i];
  return log(sum[1]) - log(sum[0]);
}

void belief_renew(belief *b) {
  const double ratio = belief_ratio(b);
  belief_clear(b);
  b->ratio = ratio;
}

void belief_hear(belief *b, const int64_t over[2], bool fired) {
  const double from = fired ? 0 : 1, sign = fired ? 1 : -1;
  for (int k = 0; k < 2; k++) {
    assert(llabs(over[k]) <= BELIEF_RANGE - b->reach);
    const double *fires = b->fires + (BELIEF_RANGE - b->reach - over[k]); /* Y >= x - over */
    for (int i = 0; i <= 2 * b->reach; i++) b->weight[k][i] *= from + sign * fires[i];
  }
}

void belief_read(belief *b, const int64_t over[2], int64_t value) {
  for (int k = 0; k < 2; k++) {
    const int64_t y = value - over[k] + BELIEF_RANGE;
    assert(y >= 0 && y < 2 * BELIEF_RANGE);
    const double chance = b->fires[y] - b->fires[y + 1];
    for (int64_t x = -b->reach; x <= b->reach; x++)
      b->weight[k][x + b->reach] *= x <= value ? chance : 0;
  }
}

void belief_learn(belief *b, const int64_t x[2]) {
  for (int k = 0; k < 2; k++)
    for (int64_t i = -b->reach; i <= b->reach; i++)
      if (i != x[k]) b->weight[k][i + b->reach] = 0;
}

void belief_add(belief *b, double ratio) {
  b->ratio += ratio;
}

double belief_ratio(const belief *b) {
  return b->ratio + last_ratio(b);
}
