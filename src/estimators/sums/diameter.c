#include "diameter.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Pairs of ranges that may be open at once. */
static const size_t PAIRS_MAX = (size_t)1 << 21;
/* Above the rounding of a norm: count 2^-52, count <= 2^20. */
static const double ROUNDED = 1 + 1e-9;

typedef struct search {
  const int32_t *table;
  size_t cells, count; /* cells = points - 1, a power of two */
  bool l1;
  double *bulges;     /* E: 2 cells - 1 of them, the ranges of a level after those of the wider */
  double *difference; /* room for one */
} search;

/* Two ranges of one level by their numbers, x <= y, and how far apart their ends are: lower and
 * lower, lower and upper, upper and lower, upper and upper. */
typedef struct pair {
  uint32_t x, y;
  double ends[4];
} pair;

/* The norm of s->difference, summed in lanes that can run at once. */
static double norm(const search *s) {
  enum { LANES = 4 };
  const double *d = s->difference;
  double lanes[LANES] = {0}, sum = 0;
  size_t j = 0;
  for (; j + LANES <= s->count; j += LANES)
    for (size_t r = 0; r < LANES; r++) lanes[r] += s->l1 ? fabs(d[j + r]) : d[j + r] * d[j + r];
  for (; j < s->count; j++) sum += s->l1 ? fabs(d[j]) : d[j] * d[j];
  for (size_t r = 0; r < LANES; r++) sum += lanes[r];
  return s->l1 ? sum : sqrt(sum);
}

static double size(const search *s, size_t a) {
  const int32_t *u = s->table + a * s->count;
  for (size_t j = 0; j < s->count; j++) s->difference[j] = (double)u[j];
  return norm(s);
}

/* Four numbers at a time; compilers make of it what the processor has. */
enum { LANES = 4 };
typedef int32_t lanes_of_integers __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int64_t lanes_of_bits __attribute__((vector_size(8 * LANES)));
typedef double lanes_of_doubles __attribute__((vector_size(8 * LANES)));

/* norm() of a difference that is not stored: here searches spend their time. */
static double distance(const search *s, size_t a, size_t b) {
  const size_t count = s->count;
  const int32_t *u = s->table + a * count, *v = s->table + b * count;
  lanes_of_doubles lanes = {0};
  double sum = 0;
  size_t j = 0;
  for (; j + LANES <= count; j += LANES) {
    const lanes_of_integers x = *(const lanes_of_integers *)(u + j),
                            y = *(const lanes_of_integers *)(v + j);
    const lanes_of_doubles d =
        __builtin_convertvector(x, lanes_of_doubles) - __builtin_convertvector(y, lanes_of_doubles);
    lanes += s->l1 ? (lanes_of_doubles)((lanes_of_bits)d & INT64_MAX) : d * d;
  }
  for (; j < count; j++) {
    const double d = (double)u[j] - (double)v[j];
    sum += s->l1 ? fabs(d) : d * d;
  }
  for (size_t r = 0; r < LANES; r++) sum += lanes[r];
  return s->l1 ? sum : sqrt(sum);
}

/* How far the middle of a range is from its chord. */
static double bend(const search *s, size_t lo, size_t hi) {
  const int32_t *u = s->table + lo * s->count, *v = s->table + hi * s->count,
                *w = s->table + (lo + hi) / 2 * s->count;
  for (size_t j = 0; j < s->count; j++)
    s->difference[j] = (double)w[j] - 0.5 * ((double)u[j] + (double)v[j]);
  return norm(s);
}

/* The ranges of a level, `ranges` of them, have their bulges from ranges - 1 on. */
static void fill_bulges(search *s) {
  for (size_t ranges = s->cells / 2; ranges; ranges /= 2) {
    const size_t width = s->cells / ranges;
    for (size_t k = 0; k < ranges; k++) {
      const double *halves = s->bulges + 2 * ranges - 1 + 2 * k;
      s->bulges[ranges - 1 + k] =
          fmax(halves[0], halves[1]) + bend(s, k * width, (k + 1) * width) * ROUNDED;
    }
  }
}

static void note(sfmi_diameter *out, double found, size_t a, size_t b, bool alone) {
  if (found <= out->lower) return;
  *out = (sfmi_diameter){found, out->upper, a, b, alone, out->work};
}

static double noted(const search *s, sfmi_diameter *out, size_t a, size_t b) {
  const double found = distance(s, a, b);
  out->work += (double)s->count;
  note(out, found, a, b, false);
  return found;
}

/* The pairs of halves of a pair of ranges of that width. */
static size_t split(const search *s, sfmi_diameter *out, pair *halves, const pair *p,
                    size_t width) {
  const size_t x = p->x * width, y = p->y * width, half = width / 2;
  const double *e = p->ends, ml = noted(s, out, x + half, y),
               mm = noted(s, out, x + half, y + half), mu = noted(s, out, x + half, y + width),
               lm = noted(s, out, x, y + half), um = noted(s, out, x + width, y + half);
  const uint32_t u = 2 * p->x, v = 2 * p->y;
  size_t count = 0;
  halves[count++] = (pair){u, v, {e[0], lm, ml, mm}};
  halves[count++] = (pair){u, v + 1, {lm, e[1], mm, mu}};
  halves[count++] = (pair){u + 1, v + 1, {mm, mu, um, e[3]}};
  if (u != v) halves[count++] = (pair){u + 1, v, {ml, mm, e[2], um}};
  return count;
}

/* A first good pair: points here and there and others at many distances, then uphill. */
static void guess(const search *s, sfmi_diameter *out) {
  enum { PLACES = 32 };
  for (size_t i = 0; i < PLACES; i++) {
    const size_t x = s->cells * i / PLACES;
    for (double step = (double)s->cells; step >= 1; step /= 1.1) {
      const size_t y = x + (size_t)step;
      if (y <= s->cells) (void)noted(s, out, x, y);
    }
  }
  for (size_t step = s->cells / 4; step;) {
    const size_t x = out->first, y = out->second;
    const double before = out->lower;
    if (x >= step) (void)noted(s, out, x - step, y);
    if (y >= step) (void)noted(s, out, x, y - step);
    if (x + step <= s->cells) (void)noted(s, out, x + step, y);
    if (y + step <= s->cells) (void)noted(s, out, x, y + step);
    if (out->lower == before) step /= 2;
  }
}

/* No vectors of two ranges are farther apart. */
static double above(const search *s, const pair *p, size_t ranges) {
  const double *bulges = s->bulges + ranges - 1, *e = p->ends;
  const double far = fmax(fmax(e[0], e[1]), fmax(e[2], e[3]));
  return far * ROUNDED + bulges[p->x] + bulges[p->y];
}

/* Level by level: pairs that cannot be much better than the best one are dropped, the others are
 * split. */
static sfm_status search_pairs(const search *s, sfmi_diameter *out, double work, sfm_error *error) {
  pair *open = sfmi_alloc(1, sizeof *open);
  sfm_status status = open ? SFM_OK : sfmi_fail_memory(error);
  const double whole = open ? noted(s, out, 0, s->cells) : 0;
  size_t count = 1;
  if (open) open[0] = (pair){0, 0, {0, whole, whole, 0}};
  double let_go = 0, left = open ? above(s, open, 1) : 0;
  for (size_t ranges = 1; !status && count && ranges < s->cells; ranges *= 2) {
    if (out->work + 5 * (double)(s->count * count) > work || 4 * count > PAIRS_MAX) break;
    pair *halves = sfmi_alloc(4 * count, sizeof *halves);
    if (!halves) {
      status = sfmi_fail_memory(error);
      break;
    }
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
      total += split(s, out, halves + total, open + i, s->cells / ranges);
    left = 0;
    count = 0;
    for (size_t i = 0; i < total; i++) {
      const double bound = above(s, halves + i, 2 * ranges);
      const bool stays = bound > out->lower * (1 + SFMI_DIAMETER_SLACK);
      if (stays) halves[count++] = halves[i];
      *(stays ? &left : &let_go) = fmax(stays ? left : let_go, bound);
    }
    free(open);
    open = halves;
  }
  free(open);
  out->upper = fmax(let_go, count ? left : 0);
  return status;
}

sfm_status sfmi_diameter_find(sfmi_diameter *out, const int32_t *table, size_t points, size_t count,
                              bool l1, double work, sfm_error *error) {
  assert(points >= 2 && ((points - 1) & (points - 2)) == 0 && count >= 1);
  search s = {.table = table, .cells = points - 1, .count = count, .l1 = l1};
  *out = (sfmi_diameter){0};
  s.bulges = sfmi_alloc(2 * s.cells - 1, sizeof *s.bulges);
  s.difference = sfmi_alloc(count, sizeof *s.difference);
  sfm_status status = s.bulges && s.difference ? SFM_OK : sfmi_fail_memory(error);
  double largest = 0;
  if (!status) {
    for (size_t k = 0; k < points; k++) {
      const double one = size(&s, k);
      largest = fmax(largest, one);
      note(out, one, k, k, true);
    }
    fill_bulges(&s);
    guess(&s, out);
    status = search_pairs(&s, out, work, error);
  }
  out->upper = fmax(fmin(out->upper, 2 * largest * ROUNDED), out->lower * ROUNDED);
  free(s.bulges);
  free(s.difference);
  return status;
}
