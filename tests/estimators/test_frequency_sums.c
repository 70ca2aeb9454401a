/* test_frequency_sums.c - sums of random features in integers: what a row adds is its own, of norm
 * one, and right; on every kind of processor that this one is. */
/* suite: both */
#include "test_support.h"

#include "estimators/sums/frequency_sums.h"

enum { KINDS = 3 };
static const double UNIT = 0x1p33;

static sfmi_basis *box(size_t dimension, size_t count, double width, sfm_kernel_family kernel) {
  sfm_error error;
  sfmi_basis *basis, stated = {.family = SFMI_RANDOM,
                               .dimension = dimension,
                               .count = count,
                               .kernel = kernel,
                               .seed = 12345};
  for (size_t a = 0; a < dimension; a++) {
    stated.lower[a] = 1;
    stated.upper[a] = 1 + width;
    stated.bandwidth[a] = 1 + 0.1 * (double)a;
  }
  assert_ok(sfmi_basis_create(&basis, &stated, &error), &error);
  return basis;
}

static sfmi_frequency_sums *frequencies_of(const sfmi_basis *basis, size_t threads) {
  sfm_error error;
  sfmi_frequency_sums *frequencies;
  assert_ok(sfmi_frequency_sums_create(&frequencies, basis, threads, &error), &error);
  return frequencies;
}

static void *room(size_t count, size_t size) {
  void *memory = calloc(count, size);
  assert_non_null(memory);
  return memory;
}

/* Rows of the box, row by row. */
static double *rows_of(const sfmi_basis *basis, size_t count, uint64_t seed) {
  const size_t d = basis->dimension;
  double *rows = room(count * d, sizeof *rows);
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count * d; i++)
    rows[i] = basis->lower[i % d] +
              (basis->upper[i % d] - basis->lower[i % d]) * sfmi_prng_uniform(&prng);
  return rows;
}

/* Adds rows in batches of the size given, each with `gap` rows before every row that are not kept
 * and hold what must not be seen. */
static void add(sfmi_frequency_sums *frequencies, sfmi_i128 *sums, const double *rows, size_t count,
                size_t d, size_t batch_rows, size_t gap) {
  double *values = room(d * SFMI_BATCH_ROWS, sizeof *values);
  uint8_t keep[SFMI_BATCH_ROWS];
  for (size_t start = 0; start < count; start += batch_rows) {
    size_t filled = 0;
    for (size_t r = start; r < count && r < start + batch_rows; r++) {
      for (size_t g = 0; g < gap; g++, filled++) {
        keep[filled] = 0;
        for (size_t a = 0; a < d; a++) values[a * SFMI_BATCH_ROWS + filled] = g % 2 ? NAN : 1e300;
      }
      keep[filled] = 1;
      for (size_t a = 0; a < d; a++) values[a * SFMI_BATCH_ROWS + filled] = rows[r * d + a];
      filled++;
    }
    const sfmi_batch batch = {.rows = filled, .columns = d, .values = values, .keep = keep};
    sfmi_frequency_sums_add(frequencies, sums, &batch);
  }
  free(values);
}

/* The integers of one row. */
static void integers(sfmi_frequency_sums *frequencies, sfmi_i128 *sums, const double *row, size_t d,
                     size_t functions) {
  memset(sums, 0, functions * sizeof *sums);
  add(frequencies, sums, row, 1, d, 1, 0);
}

static void sums_are_those_of_the_definition(void **state) {
  (void)state;
  enum { ROWS = 300, COUNT = 46 };
  static const size_t dimensions[] = {1, 3, 20, 64};
  for (size_t k = 0; k < 4; k++) {
    const size_t d = dimensions[k];
    sfmi_basis *basis = box(d, COUNT, 9, SFM_KERNEL_MATERN32);
    double *rows = rows_of(basis, ROWS, 5), wanted[COUNT] = {0}, *values = room(ROWS * COUNT, 8);
    sfmi_basis_at(basis, values, rows, ROWS);
    for (size_t i = 0; i < ROWS * COUNT; i++) wanted[i % COUNT] += values[i];
    for (int kind = 0; kind < KINDS; kind++) {
      sfmi_frequency_sums *frequencies = frequencies_of(basis, 1);
      sfmi_i128 sums[COUNT] = {0};
      if (sfmi_frequency_sums_use(frequencies, kind)) {
        add(frequencies, sums, rows, ROWS, d, ROWS, 0);
        for (size_t j = 0; j < COUNT; j++)
          assert_near("sum", (double)sums[j] / UNIT / sqrt(COUNT / 2), wanted[j], ROWS * 1e-10);
      }
      sfmi_frequency_sums_destroy(frequencies);
    }
    free(rows);
    free(values);
    sfmi_basis_destroy(basis);
  }
}

/* Sums over rows one by one, in batches of any size, among rows that are not kept, and by any
 * number of threads: the same integers, bit for bit. */
static void rows_do_not_feel_their_place(void **state) {
  (void)state;
  enum { ROWS = 4096 + 77, COUNT = 2 * 301, ALONE = 150 };
  static const struct {
    size_t batch, gap, threads;
  } ways[] = {{4096, 0, 1}, {4096, 0, 2}, {4096, 0, 3}, {4096, 0, 8},
              {33, 0, 1},   {2048, 1, 2}, {1000, 3, 5}, {1, 0, 1}};
  sfmi_basis *basis = box(6, COUNT, 30, SFM_KERNEL_GAUSSIAN);
  double *rows = rows_of(basis, ROWS, 6);
  sfmi_i128 *first = room(COUNT, sizeof *first), *sums = room(COUNT, sizeof *sums);
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
      sfmi_frequency_sums *frequencies = frequencies_of(basis, ways[w].threads);
      /* One by one there are fewer, or it would take too long. */
      const size_t count = ways[w].batch == 1 ? ALONE : ROWS;
      if (sfmi_frequency_sums_use(frequencies, kind)) {
        memset(sums, 0, COUNT * sizeof *sums);
        if (ways[w].batch == 1) {
          memset(first, 0, COUNT * sizeof *first);
          add(frequencies, first, rows, count, 6, 4096, 0);
        }
        add(frequencies, sums, rows, count, 6, ways[w].batch, ways[w].gap);
        if (w == 0) memcpy(first, sums, COUNT * sizeof *sums);
        assert_memory_equal(first, sums, COUNT * sizeof *sums);
      }
      sfmi_frequency_sums_destroy(frequencies);
    }
  free(first);
  free(sums);
  free(rows);
  sfmi_basis_destroy(basis);
}

/* A row gives the same integers in every place of a batch. */
static void every_place_gives_the_same_integers(void **state) {
  (void)state;
  enum { COUNT = 26, PLACES = 70 };
  sfmi_basis *basis = box(3, COUNT, 1e9, SFM_KERNEL_LAPLACIAN);
  double *rows = rows_of(basis, PLACES, 7), one[PLACES * 3];
  for (int kind = 0; kind < KINDS; kind++) {
    sfmi_frequency_sums *frequencies = frequencies_of(basis, 1);
    if (sfmi_frequency_sums_use(frequencies, kind))
      for (size_t place = 0; place < PLACES; place++) {
        sfmi_i128 with[COUNT] = {0}, without[COUNT] = {0}, alone[COUNT];
        memcpy(one, rows, sizeof one);
        memcpy(one + place * 3, rows + 3, 3 * sizeof *one);
        add(frequencies, with, one, PLACES, 3, PLACES, 0);
        add(frequencies, without, one, place, 3, PLACES, 0);
        if (place + 1 < PLACES)
          add(frequencies, without, one + (place + 1) * 3, PLACES - place - 1, 3, PLACES, 0);
        integers(frequencies, alone, rows + 3, 3, COUNT);
        for (size_t j = 0; j < COUNT; j++) assert_true(with[j] - without[j] == alone[j]);
      }
    sfmi_frequency_sums_destroy(frequencies);
  }
  free(rows);
  sfmi_basis_destroy(basis);
}

/* The certificate, at 2^18 phases of a turn or so and at phases of every size, most of them no
 * longer known to a part of a turn; and that the integers are the nearest ones, or the next. */
static void no_row_is_longer_than_certified(void **state) {
  (void)state;
  enum { FINE = 1 << 10, COUNT = 512 };
  static const double widths[] = {0, 1, 1e3, 1e6, 1e9, 1e12};
  double farthest = 0, longest = 0;
  for (size_t w = 0; w < 6; w++) {
    sfmi_basis *basis = box(1, COUNT, widths[w] > 0 ? widths[w] : 2, SFM_KERNEL_LAPLACIAN);
    sfmi_frequency_sums *frequencies[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
      frequencies[kind] = frequencies_of(basis, 1);
      if (sfmi_frequency_sums_use(frequencies[kind], kind)) continue;
      sfmi_frequency_sums_destroy(frequencies[kind]);
      frequencies[kind] = NULL;
    }
    for (size_t i = 0; i <= FINE; i++) {
      const double x = basis->lower[0] + (basis->upper[0] - basis->lower[0]) * (double)i / FINE;
      double values[COUNT];
      sfmi_basis_at(basis, values, &x, 1);
      for (int kind = 0; kind < KINDS; kind++) {
        sfmi_i128 sums[COUNT];
        if (!frequencies[kind]) continue;
        integers(frequencies[kind], sums, &x, 1, COUNT);
        for (size_t j = 0; j < COUNT; j += 2) {
          const sfmi_i128 square = sums[j] * sums[j] + sums[j + 1] * sums[j + 1];
          const sfmi_i128 most = ((sfmi_i128)1 << SFMI_FREQUENCY_SUMS_BITS) + 1;
          assert_true(square <= most * most);
          longest = fmax(longest, sqrt((double)square) / UNIT - 1);
          if (widths[w] == 0) {
            const double root = sqrt(COUNT / 2) * UNIT;
            farthest = fmax(farthest, fabs((double)sums[j] - root * values[j]));
            farthest = fmax(farthest, fabs((double)sums[j + 1] - root * values[j + 1]));
          }
        }
      }
    }
    for (int kind = 0; kind < KINDS; kind++) sfmi_frequency_sums_destroy(frequencies[kind]);
    sfmi_basis_destroy(basis);
  }
  assert_true(longest <= SFMI_FREQUENCY_SUMS_SLACK);
  assert_true(longest >= 0.3 * SFMI_FREQUENCY_SUMS_SLACK); /* rounding alone brings that much */
  /* Half a unit of rounding, 2^33 x 1.8e-12, and the phase: a few 1e-16 turns. */
  assert_in_range((long)(1e4 * farthest), 5000, 5200);
}

/* Replacing a row moves the vector by up to twice its length, not sqrt 2 times: where random
 * features are few, their kernel is near -1 somewhere. */
static void two_rows_are_up_to_two_lengths_apart(void **state) {
  (void)state;
  enum { COUNT = 6, TRIES = 20000 };
  sfmi_basis *basis = box(2, COUNT, 40, SFM_KERNEL_GAUSSIAN);
  sfmi_frequency_sums *frequencies = frequencies_of(basis, 1);
  double *rows = rows_of(basis, TRIES, 8), farthest = 0;
  sfmi_i128 here[COUNT], there[COUNT];
  integers(frequencies, here, rows, 2, COUNT);
  for (size_t i = 1; i < TRIES; i++) {
    double square = 0;
    integers(frequencies, there, rows + 2 * i, 2, COUNT);
    for (size_t j = 0; j < COUNT; j++) square += pow((double)(here[j] - there[j]) / UNIT, 2);
    farthest = fmax(farthest, sqrt(square / (COUNT / 2)));
  }
  assert_true(farthest <= 2 * (1 + SFMI_FREQUENCY_SUMS_SLACK));
  assert_true(farthest > 1.9);
  free(rows);
  sfmi_frequency_sums_destroy(frequencies);
  sfmi_basis_destroy(basis);
}

static void evaluation_is_that_of_the_definition(void **state) {
  (void)state;
  enum { COUNT = 2 * 51, POINTS = 100, TOGETHER = 2, PADDED = (COUNT + 7) / 8 * 8 };
  sfmi_basis *basis = box(5, COUNT, 9, SFM_KERNEL_MATERN12);
  double *points = rows_of(basis, POINTS, 9), weights[PADDED] = {0}, values[POINTS * COUNT];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 10);
  for (size_t j = 0; j < COUNT; j++) weights[j] = sfmi_prng_normal(&prng);
  sfmi_basis_at(basis, values, points, POINTS);
  for (int kind = 0; kind < KINDS; kind++) {
    double sums[POINTS], squares[POINTS], again[POINTS];
    sfmi_frequency_sums *frequencies = frequencies_of(basis, 1);
    if (sfmi_frequency_sums_use(frequencies, kind)) {
      sfmi_frequency_sums_at(frequencies, sums, squares, weights, points, POINTS, TOGETHER);
      for (size_t p = 0; p < POINTS; p++) {
        double sum = 0, square = 0, part = 0;
        for (size_t j = 0; j < COUNT; j++) {
          part += weights[j] * values[p * COUNT + j] * sqrt(COUNT / 2);
          if ((j + 1) % (2 * SFMI_TURNS_GROUP * TOGETHER) != 0 && j + 1 < COUNT) continue;
          sum += part;
          square += part * part;
          part = 0;
        }
        assert_near("value", sums[p], sum, 1e-9);
        assert_near("square", squares[p], square, 1e-7);
        sfmi_frequency_sums_at(frequencies, again + p, NULL, weights, points + 5 * p, 1, TOGETHER);
      }
      assert_memory_equal(sums, again, sizeof sums); /* alone or among others */
    }
    sfmi_frequency_sums_destroy(frequencies);
  }
  free(points);
  sfmi_basis_destroy(basis);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_those_of_the_definition),
      cmocka_unit_test(rows_do_not_feel_their_place),
      cmocka_unit_test(every_place_gives_the_same_integers),
      cmocka_unit_test(no_row_is_longer_than_certified),
      cmocka_unit_test(two_rows_are_up_to_two_lengths_apart),
      cmocka_unit_test(evaluation_is_that_of_the_definition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
