/* test_dense_products.c - products of rows of floats: right to the stated rounding on every kind of
 * processor, and the same whatever the number of threads. */
/* suite: both */
#include "test_support.h"

#include "estimators/machine/certificate.h"
#include "estimators/ascent/dense_products.h"

typedef struct matrix {
  size_t rows, columns;
  float *numbers;
  const float **lines;
} matrix;

static matrix make(size_t rows, size_t columns, sfmi_prng *prng) {
  matrix m = {rows, columns, calloc(rows * columns, sizeof(float)),
              calloc(rows, sizeof(const float *))};
  for (size_t i = 0; i < rows * columns; i++) m.numbers[i] = (float)sfmi_prng_normal(prng);
  for (size_t i = 0; i < rows; i++) m.lines[i] = m.numbers + i * columns;
  return m;
}

static void unmake(matrix *m) {
  free(m->numbers);
  free(m->lines);
}

static double length(const float *row, size_t count) {
  double sum = 0;
  for (size_t j = 0; j < count; j++) sum += (double)row[j] * (double)row[j];
  return sqrt(sum);
}

static const size_t SHAPES[][2] = {{1, 1}, {3, 2}, {5, 17}, {64, 100}, {65, 513}, {130, 2100}};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

static void check_dots(const sfmi_dense_products *loops, const matrix *m, sfmi_prng *prng) {
  double *w = calloc(m->columns, sizeof *w), *out = calloc(m->rows, sizeof *out), square = 0;
  for (size_t j = 0; j < m->columns; j++) {
    w[j] = sfmi_prng_normal(prng);
    square += w[j] * w[j];
  }
  sfmi_dense_products_dots(loops, NULL, out, m->lines, m->rows, w, m->columns);
  for (size_t i = 0; i < m->rows; i++) {
    long double sum = 0;
    for (size_t j = 0; j < m->columns; j++) sum += (long double)m->lines[i][j] * w[j];
    assert_near("a product", out[i], (double)sum,
                (sfmi_sum_depth(m->columns) + 16) * SFMI_UNIT_ROUNDOFF * sqrt(square) *
                    length(m->lines[i], m->columns));
  }
  free(w);
  free(out);
}

/* w += sum s rows: every number off by at most the depth of its sum. */
static void check_adds(const sfmi_dense_products *loops, const matrix *m, sfmi_prng *prng) {
  double *w = calloc(m->columns, sizeof *w), *s = calloc(m->rows, sizeof *s);
  for (size_t i = 0; i < m->rows; i++) s[i] = sfmi_prng_normal(prng);
  for (size_t j = 0; j < m->columns; j++) w[j] = 0.5;
  sfmi_dense_products_add(loops, NULL, w, m->lines, s, m->rows, m->columns);
  sfmi_dense_products_axpy(loops, w, m->lines[0], -2, m->columns);
  for (size_t j = 0; j < m->columns; j++) {
    long double sum = 0.5L - 2 * (long double)m->lines[0][j], size = 4;
    for (size_t i = 0; i < m->rows; i++) {
      sum += (long double)s[i] * m->lines[i][j];
      size += fabsl((long double)s[i] * m->lines[i][j]);
    }
    assert_near("a sum", w[j], (double)sum,
                (double)(m->rows + 4) * SFMI_UNIT_ROUNDOFF * (double)size);
  }
  free(w);
  free(s);
}

static void check_gram(const sfmi_dense_products *loops, const matrix *m) {
  const size_t room = sfmi_dense_products_gram_stride(m->rows);
  float *gram = calloc(room * room, sizeof *gram);
  sfmi_dense_products_gram(loops, NULL, gram, room, m->lines, m->rows, m->columns);
  for (size_t i = 0; i < m->rows; i += 3)
    for (size_t k = 0; k < m->rows; k++) {
      double sum = 0;
      for (size_t j = 0; j < m->columns; j++)
        sum += (double)m->lines[i][j] * (double)m->lines[k][j];
      assert_near("a product of rows", (double)gram[i * room + k], sum,
                  0x1p-13 * length(m->lines[i], m->columns) * length(m->lines[k], m->columns));
      assert_true(gram[i * room + k] == gram[k * room + i]);
    }
  free(gram);
}

static void products_are_within_the_stated_rounding(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 31);
  int kinds = 0;
  for (int kind = 0; kind < 3; kind++) {
    const sfmi_dense_products *loops = sfmi_dense_products_kind(kind);
    if (!loops) continue;
    kinds++;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
      matrix m = make(SHAPES[shape][0], SHAPES[shape][1], &prng);
      check_dots(loops, &m, &prng);
      check_adds(loops, &m, &prng);
      check_gram(loops, &m);
      unmake(&m);
    }
  }
  print_message("%d kinds of processor\n", kinds);
}

static void threads_change_nothing(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 32);
  const sfmi_dense_products *loops = sfmi_dense_products_best();
  matrix m = make(200, 777, &prng);
  const size_t room = sfmi_dense_products_gram_stride(m.rows);
  double w[777], s[200], out[2][200], sums[2][777];
  float *gram[2];
  for (size_t j = 0; j < 777; j++) w[j] = sfmi_prng_normal(&prng);
  for (size_t i = 0; i < 200; i++) s[i] = sfmi_prng_normal(&prng);
  for (size_t threads = 2; threads <= 5; threads++) {
    for (int k = 0; k < 2; k++) {
      sfmi_thread_pool *pool = k ? sfmi_thread_pool_create(threads) : NULL;
      memcpy(sums[k], w, sizeof w);
      gram[k] = calloc(room * room, sizeof *gram[k]);
      sfmi_dense_products_dots(loops, pool, out[k], m.lines, m.rows, w, m.columns);
      sfmi_dense_products_add(loops, pool, sums[k], m.lines, s, m.rows, m.columns);
      sfmi_dense_products_gram(loops, pool, gram[k], room, m.lines, m.rows, m.columns);
      sfmi_thread_pool_destroy(pool);
    }
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    assert_memory_equal(gram[0], gram[1], room * room * sizeof *gram[0]);
    free(gram[0]);
    free(gram[1]);
  }
  unmake(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_within_the_stated_rounding),
      cmocka_unit_test(threads_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
