#include "monomial_product.h"

#include <math.h>
#include <stdlib.h>

#include "estimators/machine/certificate.h"

static const double ROOT2 = 1.4142135623730951, ROOT3 = 1.7320508075688772,
                    ROOT6 = 2.4494897427831779;

sfm_status sfmi_monomial_product_init(sfmi_monomial_product *p, const sfmi_feature_map *map,
                                      size_t nonzeros, sfm_error *error) {
  const bool constant = map->constant != 0;
  *p = (sfmi_monomial_product){.monomials = {.dimension = map->dimension,
                                             .degree = map->degree,
                                             .root = sqrt(map->shift),
                                             .count = map->count - constant},
                               .constant = map->constant};
  const size_t written =
      map->degree == 2 || map->degree == 3 ? 0 : sfmi_monomials_nonzeros(&p->monomials, nonzeros);
  p->coordinates = nonzeros + 1;
  p->z = sfmi_alloc(p->coordinates, sizeof *p->z);
  p->j = sfmi_alloc(3 * p->coordinates, sizeof *p->j);
  p->features = sfmi_alloc(written, sizeof *p->features);
  p->values = sfmi_alloc(written, sizeof *p->values);
  if (!p->z || !p->j || !p->features || !p->values) {
    sfmi_monomial_product_clear(p);
    return sfmi_fail_memory(error);
  }
  p->pairs = p->j + p->coordinates;
  p->triples = p->pairs + p->coordinates;
  return SFM_OK;
}

void sfmi_monomial_product_clear(sfmi_monomial_product *p) {
  sfmi_wipe_free(p->z, p->coordinates, sizeof *p->z);
  sfmi_wipe_free(p->j, 3 * p->coordinates, sizeof *p->j);
  free(p->features);
  free(p->values);
  *p = (sfmi_monomial_product){0};
}

/* Lays out a row's coordinates; returns how many, and how many at the beginning are neighbours. */
static size_t lay(sfmi_monomial_product *p, const uint32_t *indices, const double *u,
                  size_t nonzeros, size_t *together) {
  const size_t shift = p->monomials.root > 0, m = nonzeros + shift;
  if (shift) {
    p->z[0] = p->monomials.root;
    p->j[0] = 0;
  }
  for (size_t i = 0; i < nonzeros; i++) {
    p->z[shift + i] = u[i];
    p->j[shift + i] = shift + indices[i];
  }
  for (size_t i = 0; i < m; i++) {
    const size_t j = p->j[i];
    p->pairs[i] = j * (j + 1) / 2;
    p->triples[i] = p->pairs[i] * (j + 2) / 3;
  }
  *together = m > 0;
  while (*together < m && p->j[*together] == p->j[*together - 1] + 1) ++*together;
  return m;
}

/* sum_{a < count} z_a w[j_a]. */
static inline double sum_below(const sfmi_monomial_product *p, const double *restrict w,
                               size_t count, size_t together) {
  const double *restrict z = p->z, *restrict near = w + p->j[0];
  const size_t run = count < together ? count : together;
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  size_t a = 0;
  for (; a + 4 <= run; a += 4) {
    s0 += z[a] * near[a];
    s1 += z[a + 1] * near[a + 1];
    s2 += z[a + 2] * near[a + 2];
    s3 += z[a + 3] * near[a + 3];
  }
  for (; a < run; a++) s0 += z[a] * near[a];
  for (; a < count; a++) s1 += z[a] * w[p->j[a]];
  return (s0 + s1) + (s2 + s3);
}

/* w[j_a] += by z_a, a < count. */
static inline void add_below(const sfmi_monomial_product *p, double *restrict w, size_t count,
                             size_t together, double by) {
  const double *restrict z = p->z;
  double *restrict near = w + p->j[0];
  const size_t run = count < together ? count : together;
  for (size_t a = 0; a < run; a++) near[a] += by * z[a];
  for (size_t a = run; a < count; a++) w[p->j[a]] += by * z[a];
}

static double dot_two(const sfmi_monomial_product *p, const double *w, size_t m, size_t together) {
  double sum = 0;
  for (size_t b = 0; b < m; b++) {
    const double *from = w + p->pairs[b];
    sum += p->z[b] * (ROOT2 * sum_below(p, from, b, together) + p->z[b] * from[p->j[b]]);
  }
  return sum;
}

static double dot_three(const sfmi_monomial_product *p, const double *w, size_t m,
                        size_t together) {
  const double *z = p->z;
  double sum = 0;
  for (size_t c = 0; c < m; c++) {
    double inner = 0;
    for (size_t b = 0; b < c; b++) {
      const double *from = w + p->triples[c] + p->pairs[b];
      inner += z[b] * (ROOT6 * sum_below(p, from, b, together) + ROOT3 * (z[b] * from[p->j[b]]));
    }
    const double *from = w + p->triples[c] + p->pairs[c];
    inner += z[c] * (ROOT3 * sum_below(p, from, c, together) + z[c] * from[p->j[c]]);
    sum += z[c] * inner;
  }
  return sum;
}

static void add_two(const sfmi_monomial_product *p, double *w, size_t m, size_t together,
                    double by) {
  for (size_t b = 0; b < m; b++) {
    double *to = w + p->pairs[b];
    const double scaled = by * p->z[b];
    add_below(p, to, b, together, ROOT2 * scaled);
    to[p->j[b]] += scaled * p->z[b];
  }
}

static void add_three(const sfmi_monomial_product *p, double *w, size_t m, size_t together,
                      double by) {
  const double *z = p->z;
  for (size_t c = 0; c < m; c++) {
    const double outer = by * z[c];
    for (size_t b = 0; b < c; b++) {
      double *to = w + p->triples[c] + p->pairs[b];
      const double scaled = outer * z[b];
      add_below(p, to, b, together, ROOT6 * scaled);
      to[p->j[b]] += ROOT3 * scaled * z[b];
    }
    double *to = w + p->triples[c] + p->pairs[c];
    const double scaled = outer * z[c];
    add_below(p, to, c, together, ROOT3 * scaled);
    to[p->j[c]] += scaled * z[c];
  }
}

/* The monomials of a row, written down; returns how many. */
static size_t write_down(sfmi_monomial_product *p, const uint32_t *indices, const double *u,
                         size_t nonzeros) {
  for (size_t i = 0; i < nonzeros; i++) p->j[i] = indices[i];
  sfmi_monomials_sparse(&p->monomials, p->features, p->values, p->j, u, nonzeros);
  return sfmi_monomials_nonzeros(&p->monomials, nonzeros);
}

static double dot_any(sfmi_monomial_product *p, const double *w, const uint32_t *indices,
                      const double *u, size_t nonzeros) {
  const size_t count = write_down(p, indices, u, nonzeros);
  double sum = 0;
  for (size_t i = 0; i < count; i += SFMI_SUM_BLOCK) {
    const size_t end = i + SFMI_SUM_BLOCK < count ? i + SFMI_SUM_BLOCK : count;
    double part = 0;
    for (size_t k = i; k < end; k++) part += p->values[k] * w[p->features[k]];
    sum += part;
  }
  return sum;
}

double sfmi_monomial_product_dot(sfmi_monomial_product *p, const double *w, const uint32_t *indices,
                                 const double *u, size_t nonzeros) {
  const double last = p->constant != 0 ? p->constant * w[p->monomials.count] : 0;
  const unsigned degree = p->monomials.degree;
  if (degree != 2 && degree != 3) return last + dot_any(p, w, indices, u, nonzeros);
  size_t together;
  const size_t m = lay(p, indices, u, nonzeros, &together);
  return last + (degree == 2 ? dot_two(p, w, m, together) : dot_three(p, w, m, together));
}

double sfmi_monomial_product_depth(const sfmi_monomial_product *p, size_t nonzeros) {
  const unsigned degree = p->monomials.degree;
  const double features = 5 * degree + 4;
  if (degree == 2 || degree == 3) return features + degree * (double)(nonzeros + 3);
  return features + sfmi_sum_depth(sfmi_monomials_nonzeros(&p->monomials, nonzeros));
}

void sfmi_monomial_product_add(sfmi_monomial_product *p, double *w, const uint32_t *indices,
                               const double *u, size_t nonzeros, double by) {
  const unsigned degree = p->monomials.degree;
  if (p->constant != 0) w[p->monomials.count] += by * p->constant;
  if (degree != 2 && degree != 3) {
    const size_t count = write_down(p, indices, u, nonzeros);
    for (size_t i = 0; i < count; i++) w[p->features[i]] += by * p->values[i];
    return;
  }
  size_t together;
  const size_t m = lay(p, indices, u, nonzeros, &together);
  if (degree == 2)
    add_two(p, w, m, together, by);
  else
    add_three(p, w, m, together, by);
}

double sfmi_monomial_product_square(const sfmi_monomial_product *p, const double *u,
                                    size_t nonzeros) {
  double square = p->monomials.root * p->monomials.root, power = 1;
  for (size_t i = 0; i < nonzeros; i++) square += u[i] * u[i];
  for (unsigned k = 0; k < p->monomials.degree; k++) power *= square;
  return power + p->constant * p->constant;
}
