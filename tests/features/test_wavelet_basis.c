/* test_wavelet_basis.c - the bases haar and db4: taps, orthonormality and moments by exact sums
 * over dyadic points, and what they reproduce. */
#include "basis_fixtures.h"

/* The points k/2^16 of [lower, upper], at which db4 is exact, and all rows of values there. */
static double *grid_values(const sfmi_basis *basis) {
  double *values = malloc(SFMI_DB4_CELLS * basis->count * sizeof *values),
         *points = malloc(SFMI_DB4_CELLS * sizeof *points);
  for (size_t i = 0; i < SFMI_DB4_CELLS; i++)
    points[i] = basis->lower[0] + (basis->upper[0] - basis->lower[0]) * (double)i / 0x1p16;
  sfmi_basis_at(basis, values, points, SFMI_DB4_CELLS);
  free(points);
  return values;
}

/* The largest difference from orthonormality (the constant included) in the mean over the grid. */
static double grid_orthonormality(sfmi_basis_family family, size_t count) {
  sfmi_basis *basis = basis_stated(family, count, 3, 5);
  double *values = grid_values(basis), worst = 0, *inner = calloc(count * count, sizeof *inner),
         *mean = calloc(count, sizeof *mean);
  for (size_t i = 0; i < SFMI_DB4_CELLS; i++)
    for (size_t j = 0; j < count; j++) {
      const double *row = values + i * count;
      if (row[j] == 0) continue;
      mean[j] += row[j] * 0x2p-16;
      for (size_t k = 0; k <= j; k++) inner[j * count + k] += row[j] * row[k] * 0x2p-16;
    }
  for (size_t j = 0; j < count; j++) {
    for (size_t k = 0; k <= j; k++) worst = fmax(worst, fabs(inner[j * count + k] - (j == k)));
    worst = fmax(worst, fabs(mean[j]));
  }
  free(values);
  free(inner);
  free(mean);
  sfmi_basis_destroy(basis);
  return worst;
}

/* psi_{l,k} of the finest level, away from the wrap, shifted to k = 0: its values at multiples of
 * 2^-depth from 0 to 7. */
static void mother(double *psi, unsigned level) {
  const size_t functions = (size_t)1 << level, step = SFMI_DB4_CELLS >> level;
  sfmi_basis *basis = basis_stated(SFMI_DB4, 2 * functions - 1, 0, 1);
  double *row = malloc(basis->count * sizeof *row);
  for (size_t i = 0; i <= 7 * step; i++) {
    const double x = (double)i / 0x1p16;
    sfmi_basis_at(basis, row, &x, 1);
    psi[i] = row[functions - 1] / sqrt((double)functions);
  }
  free(row);
  sfmi_basis_destroy(basis);
}

static void wavelets_are_orthonormal(void **state) {
  (void)state;
  for (size_t terms = 2; terms <= 256; terms *= 2)
    assert_near("haar", grid_orthonormality(SFMI_HAAR, terms - 1), 0, 1e-13);
  for (size_t terms = 2; terms <= 64; terms *= 2)
    assert_near("db4", grid_orthonormality(SFMI_DB4, terms - 1), 0, 1e-10);
  assert_near("db4 of 256 terms", grid_orthonormality(SFMI_DB4, 255), 0, 1e-8);
  /* 1024 terms: the finest level, of 128 points a unit, is the worst. */
  static double psi[7 * 128 + 1];
  mother(psi, 9);
  for (size_t m = 0; m < 7; m++) {
    double sum = 0;
    for (size_t i = 0; i + 128 * m <= 7 * 128; i++) sum += psi[i] * psi[i + 128 * m] / 128;
    assert_near("db4 of 1024 terms", sum, m == 0, 1e-6);
  }
}

static void four_moments_vanish_and_no_fifth(void **state) {
  (void)state;
  enum { LEVEL = 4, STEP = 1 << (16 - LEVEL) };
  static double psi[7 * STEP + 1];
  mother(psi, LEVEL);
  for (int p = 0; p < 4; p++) {
    double moment = 0;
    for (size_t i = 0; i <= 7 * STEP; i++) moment += pow((double)i / STEP, p) * psi[i] / STEP;
    assert_near("moment", moment, 0, 1e-12);
  }
  double fourth = 0;
  for (size_t i = 0; i <= 7 * STEP; i++) fourth += pow((double)i / STEP, 4) * psi[i] / STEP;
  assert_true(fabs(fourth) > 0.1);
  assert_near("left end", psi[0], 0, 1e-15);
  assert_near("right end", psi[7 * STEP], 0, 1e-15);
}

/* Level after level, by the coefficients of long doubles: psi at k/2^12 of its unit. */
static void the_cascade_is_exact(void **state) {
  (void)state;
  enum { BITS = 12, ONE = 1 << BITS };
  static const long double h[8] = {0.2303778133088965008632912L,  0.7148465705529156470899220L,
                                   0.6308807679298589078817163L,  -0.02798376941685985421141375L,
                                   -0.1870348117190930840795707L, 0.03084138183556076362721936L,
                                   0.03288301166688519973540751L, -0.01059740178506903210488321L};
  static long double phi[2][7 * ONE + 1], psi[7 * ONE + 1];
  static double got[7 * ONE + 1];
  for (int m = 0; m < 4; m++) {
    long double product = 0;
    for (int n = 0; n + 2 * m < 8; n++) product += h[n] * h[n + 2 * m];
    assert_near("sum of h_n h_(n + 2m)", (double)product, m == 0, 1e-18);
  }
  /* phi_J(i/2^BITS) by iterating the whole equation from a hat: it converges like 2^-J. */
  for (int i = 0; i <= 7 * ONE; i++) phi[0][i] = fmaxl(0, 1 - fabsl((long double)i / ONE - 1));
  for (int round = 0; round < 90; round++)
    for (int i = 0; i <= 7 * ONE; i++) {
      long double *out = &phi[(round + 1) % 2][i];
      *out = 0;
      for (int n = 0; n < 8; n++)
        if (2 * i - n * ONE >= 0 && 2 * i - n * ONE <= 7 * ONE)
          *out += sqrtl(2) * h[n] * phi[round % 2][2 * i - n * ONE];
    }
  for (int i = 0; i <= 7 * ONE; i++)
    for (int n = 0; n < 8; n++)
      if (2 * i - n * ONE >= 0 && 2 * i - n * ONE <= 7 * ONE)
        psi[i] += sqrtl(2) * (n % 2 ? -1 : 1) * h[7 - n] * phi[0][2 * i - n * ONE];
  mother(got, 16 - BITS);
  for (int i = 0; i <= 7 * ONE; i++) assert_near("psi", got[i], (double)psi[i], 1e-14);
}

/* Coefficients of f by sums over the grid, and the largest error of its series at grid points of
 * [from, to]. */
static double series_error(const sfmi_basis *basis, double (*f)(double), double from, double to) {
  const size_t count = basis->count;
  double *values = grid_values(basis), *c = calloc(count, sizeof *c), mean = 0, worst = 0;
  for (size_t i = 0; i < SFMI_DB4_CELLS; i++) {
    mean += f((double)i / 0x1p16) / 0x1p16;
    for (size_t j = 0; j < count; j++)
      c[j] += f((double)i / 0x1p16) * values[i * count + j] / 0x1p16;
  }
  for (size_t i = 0; i < SFMI_DB4_CELLS; i++) {
    const double u = (double)i / 0x1p16;
    double sum = mean;
    if (u < from || u > to) continue;
    for (size_t j = 0; j < count; j++) sum += c[j] * values[i * count + j];
    worst = fmax(worst, fabs(sum - f(u)));
  }
  free(values);
  free(c);
  return worst;
}

/* Constant on each 64th. */
static double steps(double u) {
  const int cell = (int)(u * 64);
  return (cell * 37 % 64) / 16.0 - 1;
}

static double cubic(double u) {
  return 1 - 3 * u + 20 * u * u - 19 * u * u * u;
}

static double quartic(double u) {
  return u * u * u * u;
}

static double wave(double u) {
  return exp(sin(2 * M_PI * u));
}

static void functions_are_reproduced(void **state) {
  (void)state;
  sfmi_basis *haar = basis_stated(SFMI_HAAR, 63, 0, 1), *db4 = basis_stated(SFMI_DB4, 63, 0, 1),
             *half = basis_stated(SFMI_HAAR, 31, 0, 1), *finer = basis_stated(SFMI_DB4, 255, 0, 1);
  assert_near("steps by haar", series_error(haar, steps, 0, 1), 0, 1e-12);
  assert_true(series_error(half, steps, 0, 1) > 0.1);
  /* Seven sixtyfourths from the wrap the space has every cubic, and no quartic. */
  assert_near("a cubic by db4", series_error(db4, cubic, 7.0 / 64, 57.0 / 64), 0, 1e-10);
  assert_true(series_error(db4, cubic, 0, 1) > 1);
  assert_true(series_error(db4, quartic, 7.0 / 64, 57.0 / 64) > 1e-8);
  /* Of fourth order: 4^4 = 256 times better with four times the terms. */
  const double coarse = series_error(db4, wave, 0, 1), fine = series_error(finer, wave, 0, 1);
  if (coarse / fine < 200 || coarse / fine > 300) fail_msg("%g and %g", coarse, fine);
  sfmi_basis_destroy(haar);
  sfmi_basis_destroy(half);
  sfmi_basis_destroy(db4);
  sfmi_basis_destroy(finer);
}

/* The wrap: a level's functions are shifts of one another, all the way round. */
static void levels_are_shifts(void **state) {
  (void)state;
  enum { COUNT = 63 };
  const sfmi_basis_family families[] = {SFMI_HAAR, SFMI_DB4};
  for (size_t f = 0; f < 2; f++) {
    sfmi_basis *basis = basis_stated(families[f], COUNT, 0, 1);
    double *values = grid_values(basis);
    for (size_t functions = 1; functions <= COUNT; functions *= 2)
      for (size_t k = 1; k < functions; k++)
        for (size_t i = 0; i < SFMI_DB4_CELLS; i += 97) {
          const size_t back =
              (i + SFMI_DB4_CELLS - k * (SFMI_DB4_CELLS / functions)) % SFMI_DB4_CELLS;
          assert_near("shift", values[i * COUNT + functions - 1 + k],
                      values[back * COUNT + functions - 1], 1e-13);
        }
    free(values);
    sfmi_basis_destroy(basis);
  }
}

static void db4_is_linear_within_cells_and_wraps(void **state) {
  (void)state;
  enum { COUNT = 127 };
  sfmi_basis *basis = basis_stated(SFMI_DB4, COUNT, -2, 6);
  double row[3][COUNT], ends[2][COUNT];
  const double outer[2] = {-2, 6};
  for (size_t cell = 0; cell < SFMI_DB4_CELLS; cell += 331) {
    const double h = 8 / 0x1p16, left = -2 + h * (double)cell;
    const double points[3] = {left, left + 0.375 * h, left + h};
    sfmi_basis_at(basis, row[0], points, 3);
    for (size_t j = 0; j < COUNT; j++)
      assert_near("linear", row[1][j], 0.625 * row[0][j] + 0.375 * row[2][j], 1e-13);
  }
  sfmi_basis_at(basis, ends[0], outer, 2);
  assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
  sfmi_basis_destroy(basis);
}

static void haar_values_are_known(void **state) {
  (void)state;
  const double r = M_SQRT2, points[] = {10, 10.9999, 11, 12.5, 13, 13.99, 14};
  const double wanted[][7] = {{1, r, 0, 2, 0, 0, 0},   {1, r, 0, -2, 0, 0, 0},
                              {1, -r, 0, 0, 2, 0, 0},  {-1, 0, r, 0, 0, -2, 0},
                              {-1, 0, -r, 0, 0, 0, 2}, {-1, 0, -r, 0, 0, 0, -2},
                              {-1, 0, -r, 0, 0, 0, -2}};
  double values[7][7];
  sfmi_basis *basis = basis_stated(SFMI_HAAR, 7, 10, 14);
  sfmi_basis_at(basis, values[0], points, 7);
  for (size_t i = 0; i < 7; i++)
    for (size_t j = 0; j < 7; j++) assert_near("haar", values[i][j], wanted[i][j] / 2, 1e-15);
  assert_near("constant", basis->constant, 0.25, 0);
  sfmi_basis_destroy(basis);
}

static void rows_depend_on_their_point_alone(void **state) {
  (void)state;
  const sfmi_basis_family families[] = {SFMI_HAAR, SFMI_DB4};
  for (size_t f = 0; f < 2; f++)
    for (size_t terms = 2; terms <= 1024; terms *= 2) {
      sfmi_basis *basis = basis_stated(families[f], terms - 1, -1.7, 2.9);
      check_rows_alone(basis, terms);
      sfmi_basis_destroy(basis);
    }
  sfmi_basis *largest = basis_stated(SFMI_HAAR, SFMI_BASIS_MAX - 1, 0, 1);
  check_rows_alone(largest, 1);
  sfmi_basis_destroy(largest);
}

static void only_powers_of_two_are_taken(void **state) {
  (void)state;
  sfmi_basis stated = stated_of(SFMI_HAAR, 2, 0, 1);
  refused(&stated, "a basis haar has a power of two of terms, the constant included: write 2 or 4, "
                   "not 3");
  stated.count = 40;
  refused(&stated, "write 32 or 64, not 41");
  stated.count = 64;
  refused(&stated, "write 64 or 128, not 65");
  stated.family = SFMI_DB4;
  stated.count = 62;
  refused(&stated, "a basis db4 has a power of two of terms, the constant included: write 32 or "
                   "64, not 63");
  stated.count = 2047;
  refused(&stated, "at most 1024 terms, the constant included, not 2048; write fewer or haar");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wavelets_are_orthonormal),
      cmocka_unit_test(four_moments_vanish_and_no_fifth),
      cmocka_unit_test(the_cascade_is_exact),
      cmocka_unit_test(functions_are_reproduced),
      cmocka_unit_test(levels_are_shifts),
      cmocka_unit_test(db4_is_linear_within_cells_and_wraps),
      cmocka_unit_test(haar_values_are_known),
      cmocka_unit_test(rows_depend_on_their_point_alone),
      cmocka_unit_test(only_powers_of_two_are_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
