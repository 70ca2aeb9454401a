/* test_lattice.c - a row's integers: its own, on the lattice, summing to exactly one row mass. */
/* suite: both */
#include "lattice_rows.h"

static sfmi_lattice make(size_t dimension, unsigned order, unsigned bits, size_t cells,
                         double lower, double upper) {
  sfmi_lattice lattice = {.dimension = dimension, .order = order, .bits = bits, .length = 1};
  for (size_t a = 0; a < dimension; a++) {
    sfmi_lattice_set_axis(&lattice, a, lower, upper, cells + a, SFM_BOUNDARY_OPEN);
    lattice.length *= lattice.axis[a].points;
  }
  return lattice;
}

/* Values at and next to the bounds, the cells' edges, and the smallest offsets there are. */
static size_t hard_values(double *out, double lower, double upper, size_t cells) {
  size_t n = 0;
  const double width = upper - lower;
  out[n++] = lower;
  out[n++] = upper;
  out[n++] = nextafter(lower, upper);
  out[n++] = nextafter(upper, lower);
  out[n++] = fmin(fmax(5e-324, lower), upper);
  out[n++] = fmin(fmax(-5e-324, lower), upper);
  out[n++] = fmin(fmax(1e-310, lower), upper);
  out[n++] = fmin(lower + 1e-300, upper);
  out[n++] = lower + width * 0x1p-52;
  for (size_t k = 0; k <= cells; k++) {
    double edge = lower + width * (double)k / (double)cells;
    out[n++] = fmin(fmax(edge, lower), upper);
    out[n++] = fmin(fmax(nextafter(edge, lower - 1), lower), upper);
    out[n++] = fmin(fmax(nextafter(edge, upper + 1), lower), upper);
  }
  return n;
}

static void a_row_adds_exactly_its_mass_within_its_neighbours(void **state) {
  (void)state;
  const double bounds[][2] = {{0, 1},           {-1, 1},        {0.1, 0.3}, {-1e-300, 1e-300},
                              {1e15, 1e15 + 8}, {-1e308, 7e307}};
  double values[400];
  for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
      for (size_t cells = 1; cells <= 40; cells += cells < 8 ? 1 : 8) {
        sfmi_lattice lattice = make(1, order, 24, cells, bounds[b][0], bounds[b][1]);
        size_t count = hard_values(values, bounds[b][0], bounds[b][1], cells);
        /* A guard on both sides: nothing is written outside the array. */
        sfmi_i128 guarded[80];
        assert_true(lattice.length + 20 < 80);
        for (size_t i = 0; i < count; i++) {
          memset(guarded, 0, sizeof guarded);
          rowwise_add(&lattice, guarded + 10, values + i, 1, 1);
          sfmi_i128 sum = 0;
          size_t first = 80, last = 0;
          for (size_t k = 0; k < 80; k++) {
            assert_true(guarded[k] >= 0);
            sum += guarded[k];
            if (guarded[k]) first = first < 80 ? first : k, last = k;
          }
          assert_true(sum == (sfmi_i128)1 << 24);
          assert_true(first >= 10 && last < 10 + lattice.length && last - first < order);
        }
      }
}

static void mass_is_exact_in_more_dimensions(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  for (size_t d = 1; d <= 4; d++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
      for (size_t cells = 1; cells <= 3; cells++) {
        unsigned bits = d == 4 ? 15 : 20;
        sfmi_lattice lattice = make(d, order, bits, cells, -2, 5);
        for (int i = 0; i < 40; i++) {
          double row[4];
          for (size_t a = 0; a < d; a++) {
            double u = sfmi_prng_uniform(&prng);
            row[a] = u < 0.2 ? -2 : u < 0.4 ? 5 : -2 + 7 * sfmi_prng_uniform(&prng);
          }
          sfmi_i128 *sums = rowwise_sums(&lattice, row, 1), sum = 0;
          for (size_t k = 0; k < lattice.length; k++) {
            assert_true(sums[k] >= 0);
            sum += sums[k];
          }
          assert_true(sum == (sfmi_i128)1 << (d * bits));
          free(sums);
        }
      }
}

/* The mean of a row's masses over their places is the row (splines reproduce lines), so the points
 * are where the header says. */
static void points_are_where_the_header_says(void **state) {
  (void)state;
  for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++) {
    sfmi_lattice lattice = make(1, order, 24, 7, 10, 24);
    const sfmi_lattice_axis *axis = &lattice.axis[0];
    for (int i = 0; i <= 100; i++) {
      double x = 10 + 14 * i / 100.0, mean = 0;
      sfmi_i128 *sums = rowwise_sums(&lattice, &x, 1);
      for (size_t k = 0; k < lattice.length; k++)
        mean += ldexp((double)sums[k], -24) * (10 - axis->margin + (double)k * axis->spacing);
      assert_near("mean place", mean, x, 1e-6);
      free(sums);
    }
  }
}

static void sums_do_not_depend_on_order_or_batches(void **state) {
  (void)state;
  enum { N = 9000, D = 2 };
  static double rows[N * D], shuffled[N * D];
  density_fixture_rows(rows, N, D, -2, 5, 8);
  memcpy(shuffled, rows, sizeof rows);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 9);
  for (size_t i = N - 1; i > 0; i--) {
    size_t k = sfmi_prng_word(&prng) % (i + 1);
    for (size_t a = 0; a < D; a++) {
      double swap = shuffled[i * D + a];
      shuffled[i * D + a] = shuffled[k * D + a];
      shuffled[k * D + a] = swap;
    }
  }
  for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++) {
    sfmi_lattice lattice = make(D, order, 24, 9, -2, 5);
    sfmi_i128 *whole = rowwise_sums(&lattice, rows, N);
    const size_t sizes[] = {1, 3, 1024, 4095, 4096};
    for (size_t s = 0; s < 5; s++) {
      sfmi_i128 *parts = calloc(lattice.length, sizeof *parts);
      rowwise_add(&lattice, parts, shuffled, N, sizes[s]);
      assert_memory_equal(parts, whole, lattice.length * sizeof *whole);
      free(parts);
    }
    free(whole);
  }
}

/* The same row at every position of a batch, among other rows, gives the same integers; a row that
 * is not kept gives none. */
static void a_row_is_the_same_at_every_position(void **state) {
  (void)state;
  sfmi_lattice lattice = make(1, 4, 24, 30, 0, 1);
  static double values[SFMI_BATCH_ROWS];
  static uint8_t keep[SFMI_BATCH_ROWS];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 10);
  for (size_t r = 0; r < SFMI_BATCH_ROWS; r++) values[r] = sfmi_prng_uniform(&prng);
  const double x = 0.123456789;
  sfmi_i128 *alone = rowwise_sums(&lattice, &x, 1);
  for (size_t r = 0; r < SFMI_BATCH_ROWS; r += r < 64 || r > 4030 ? 1 : 37) {
    double old = values[r];
    memset(keep, 0, sizeof keep);
    values[r] = x;
    keep[r] = 1;
    const sfmi_batch batch = {
        .rows = SFMI_BATCH_ROWS, .columns = 1, .values = values, .keep = keep};
    sfmi_i128 *sums = calloc(lattice.length, sizeof *sums);
    sfmi_lattice_add(&lattice, sums, &batch, NULL);
    assert_memory_equal(sums, alone, lattice.length * sizeof *sums);
    free(sums);
    values[r] = old;
  }
  free(alone);
}

/* l1 distance between what two sets of k rows add. */
static double l1(const sfmi_lattice *lattice, const double *x, const double *y, size_t k) {
  sfmi_i128 *p = rowwise_sums(lattice, x, k), *q = calloc(lattice->length, sizeof *q);
  if (y) rowwise_add(lattice, q, y, k, k);
  double sum = 0;
  for (size_t i = 0; i < lattice->length; i++) sum += fabs((double)(p[i] - q[i]));
  free(p);
  free(q);
  return ldexp(sum, -(int)(lattice->bits * lattice->dimension));
}

/* Pairs of neighbours approach 2k (replace) and k (add or remove), and never pass them. */
static void the_sensitivity_is_reached_and_never_passed(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  for (size_t d = 1; d <= 2; d++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
      for (size_t k = 1; k <= 3; k += 2) {
        sfmi_lattice lattice = make(d, order, 24, 12, 0, 1);
        double x[6], y[6], best = 0;
        for (int i = 0; i < 1000; i++) {
          for (size_t a = 0; a < d * k; a++) {
            x[a] = sfmi_prng_uniform(&prng);
            y[a] = sfmi_prng_uniform(&prng);
          }
          double moved = l1(&lattice, x, y, k), added = l1(&lattice, x, NULL, k);
          assert_true(moved <= 2 * (double)k);
          assert_true(added == (double)k);
          best = fmax(best, moved);
        }
        assert_true(best >= 0.99 * 2 * (double)k);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_row_adds_exactly_its_mass_within_its_neighbours),
      cmocka_unit_test(mass_is_exact_in_more_dimensions),
      cmocka_unit_test(points_are_where_the_header_says),
      cmocka_unit_test(sums_do_not_depend_on_order_or_batches),
      cmocka_unit_test(a_row_is_the_same_at_every_position),
      cmocka_unit_test(the_sensitivity_is_reached_and_never_passed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
