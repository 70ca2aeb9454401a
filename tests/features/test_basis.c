/* test_basis.c - the bases fourier, cosine, legendre and hermite: orthonormal, as exact as stated,
 * and of what they should reproduce. */
#include "basis_fixtures.h"

/* sqrt2 cos and sin by long doubles, whole turns taken away first. */
static double cosine_exactly(size_t k, double v, bool sine) {
  const long double turns = (long double)k * (long double)v, part = turns - rintl(turns);
  const long double angle = 2 * 3.141592653589793238462643383279502884L * part;
  return (double)(sqrtl(2) * (sine ? sinl(angle) : cosl(angle)));
}

/* On [0, 1], where u is x itself. */
static void trigonometric_values_are_as_exact_as_stated(void **state) {
  (void)state;
  enum { COUNT = 2049 }; /* fourier up to the cosine of 1025 */
  static double fourier[COUNT], cosine[COUNT];
  sfmi_basis *f = basis_stated(SFMI_FOURIER, COUNT, 0, 1),
             *c = basis_stated(SFMI_COSINE, COUNT, 0, 1);
  const double some[] = {0, 1, 0.5, 0.25, 0.125, 1.0 / 3, 1 - 0x1p-53, 0x1p-1074, 1e-9};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 41);
  for (size_t i = 0; i < 1000; i++) {
    const double u = i < sizeof some / sizeof *some ? some[i] : sfmi_prng_uniform(&prng);
    sfmi_basis_at(f, fourier, &u, 1);
    sfmi_basis_at(c, cosine, &u, 1);
    for (size_t j = 0; j < COUNT; j++) {
      assert_near("fourier", fourier[j], cosine_exactly(j / 2 + 1, u, j % 2), 1e-14);
      assert_near("cosine", cosine[j], cosine_exactly(j + 1, u / 2, false), 1e-14);
    }
  }
  sfmi_basis_destroy(f);
  sfmi_basis_destroy(c);
}

/* sqrt(2k + 1) P_k(t), k = 1 .. count, by long doubles. */
static void legendre_exactly(double *row, size_t count, double t) {
  long double p = 1, before = 0;
  for (size_t k = 1; k <= count; k++) {
    const long double n = (long double)k;
    const long double next = ((2 * n - 1) * (long double)t * p - (n - 1) * before) / n;
    before = p;
    p = next;
    row[k - 1] = (double)(sqrtl(2 * n + 1) * p);
  }
}

/* On [-1, 1], where t is x itself; scaled by 2^-1/2. */
static void legendre_values_are_exact(void **state) {
  (void)state;
  enum { COUNT = 1024 };
  static double got[COUNT], wanted[COUNT];
  sfmi_basis *basis = basis_stated(SFMI_LEGENDRE, COUNT, -1, 1);
  const double some[] = {0, 1, -1, 0.5, 1 - 0x1p-53, 0x1p-1074, -1 + 1e-9, 1 - 1e-6};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 42);
  for (size_t i = 0; i < 300; i++) {
    const double t = i < sizeof some / sizeof *some ? some[i] : 2 * sfmi_prng_uniform(&prng) - 1;
    sfmi_basis_at(basis, got, &t, 1);
    legendre_exactly(wanted, COUNT, t);
    for (size_t k = 1; k <= COUNT; k++) {
      const double largest = sqrt((double)k + 0.5);
      assert_near("legendre", got[k - 1], wanted[k - 1] / M_SQRT2, 1e-14 * largest);
      assert_true(fabs(got[k - 1]) <= largest * (1 + 1e-12));
    }
  }
  sfmi_basis_destroy(basis);
}

/* psi_k(y), k = 0 .. count - 1, by long doubles and their exponents, of which there are enough. */
static void hermite_exactly(double *row, size_t count, double y) {
  const long double x = (long double)y;
  long double p = expl(-x * x / 2) / sqrtl(sqrtl(3.141592653589793238462643383279502884L)),
              before = 0;
  for (size_t i = 0; i < count; i++) {
    const long double k = (long double)i + 1,
                      next = sqrtl(2 / k) * x * p - sqrtl((k - 1) / k) * before;
    row[i] = (double)p;
    before = p;
    p = next;
  }
}

/* Up to |y| = 140, where psi_0 is 1e-4256 and psi_9800 is not small. */
static void hermite_values_are_exact(void **state) {
  (void)state;
  enum { COUNT = 12000 };
  static double got[COUNT], wanted[COUNT];
  sfmi_basis stated = stated_of(SFMI_HERMITE, COUNT, -300, 300);
  stated.unit = 2;
  sfmi_basis *basis = basis_of(&stated);
  const double some[] = {0, 1, -1, 34, 35, -36, 37.6, 38.6, 39, 52, 60, 80, -99, 120, 140};
  double largest = 0;
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    const double y = some[i], x = 2 * y, relative = 1e-15 * (500 + y * y);
    sfmi_basis_at(basis, got, &x, 1);
    hermite_exactly(wanted, COUNT, y);
    for (size_t k = 0; k < COUNT; k++) {
      const double exact = wanted[k] / M_SQRT2;
      assert_near("hermite", got[k], exact, 1e-13);
      if (fabs(exact) > 1e-300 && (double)k < y * y / 2 - 1) /* before its turning point */
        assert_relative("hermite's tail", got[k], exact, relative);
    }
    largest = fmax(largest, fabs(got[COUNT - 1]));
  }
  assert_true(largest > 0.01);
  sfmi_basis_destroy(basis);
}

/* However far, and however many. */
static void hermite_is_finite_far_out(void **state) {
  (void)state;
  sfmi_basis stated = stated_of(SFMI_HERMITE, SFMI_BASIS_MAX, -1e300, 1e300);
  const double units[] = {1e-300, 1e-3, 1e300};
  const double at[] = {0, 1, 1000, -1448, 1460, 2047, -2049, 1e10, 1e200};
  double *row = malloc(SFMI_BASIS_MAX * sizeof *row), largest = 0;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    stated.unit = units[i];
    sfmi_basis *basis = basis_of(&stated);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
      const double x = fmin(at[k] * units[i], 1e300);
      sfmi_basis_at(basis, row, &x, 1);
      for (size_t j = 0; j < SFMI_BASIS_MAX; j++) {
        assert_true(fabs(row[j]) * sqrt(units[i]) <= 0.76);
        if (k == 3) largest = fmax(largest, fabs(row[j]) * sqrt(units[i]));
      }
    }
    sfmi_basis_destroy(basis);
  }
  assert_true(largest > 0.1); /* near the last one's turning point */
  free(row);
}

/* The last function that a count allows is the same as in a larger basis. */
static void counts_may_end_anywhere(void **state) {
  (void)state;
  enum { MOST = 70 };
  const sfmi_basis_family families[] = {SFMI_FOURIER, SFMI_COSINE, SFMI_LEGENDRE, SFMI_HERMITE};
  const double x = 3.7;
  for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
    double all[MOST], few[MOST];
    sfmi_basis *whole = basis_stated(families[f], MOST, -2, 9);
    sfmi_basis_at(whole, all, &x, 1);
    for (size_t count = 1; count <= MOST; count++) {
      sfmi_basis *basis = basis_stated(families[f], count, -2, 9);
      sfmi_basis_at(basis, few, &x, 1);
      assert_memory_equal(few, all, count * sizeof *all);
      sfmi_basis_destroy(basis);
    }
    sfmi_basis_destroy(whole);
  }
}

static void bases_are_orthonormal(void **state) {
  (void)state;
  const struct {
    sfmi_basis_family family;
    size_t count, pieces;
    double lower, upper;
  } cases[] = {
      {SFMI_FOURIER, 1, 4, 0, 1},          {SFMI_FOURIER, 64, 128, 0, 1},
      {SFMI_FOURIER, 65, 128, -3, 17.5},   {SFMI_FOURIER, 7, 32, 1e3, 1e3 + 0.5},
      {SFMI_COSINE, 1, 4, 0, 1},           {SFMI_COSINE, 64, 128, 0, 1},
      {SFMI_COSINE, 65, 128, -1e6, 1.5e7}, {SFMI_LEGENDRE, 1, 1, 0, 1},
      {SFMI_LEGENDRE, 7, 1, 0, 1},         {SFMI_LEGENDRE, 64, 512, -3, 17.5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfmi_basis *basis =
        basis_stated(cases[i].family, cases[i].count, cases[i].lower, cases[i].upper);
    check_orthonormal(basis, cases[i].lower, cases[i].upper, cases[i].pieces, 1e-11);
    assert_relative("constant", basis->constant, 1 / (cases[i].upper - cases[i].lower), 1e-15);
    sfmi_basis_destroy(basis);
  }
}

static void hermite_is_orthonormal_on_the_line(void **state) {
  (void)state;
  sfmi_basis stated = stated_of(SFMI_HERMITE, 100, 5 - 60, 5 + 60);
  stated.unit = 2.5; /* |y| <= 24, and the last turning point is at 14.1 */
  sfmi_basis *basis = basis_of(&stated);
  check_orthonormal(basis, 5 - 60, 5 + 60, 600, 1e-12);
  assert_near("constant", basis->constant, 0, 0);
  sfmi_basis_destroy(basis);
}

/* A smooth function that wraps. */
static double wave(double x) {
  return exp(sin(2 * M_PI * (x - 2) / 3)) / (1.5 + cos(2 * M_PI * (x - 2) / 3));
}

/* And one that does not, flat at both ends of [2, 5]. */
static double slope(double x) {
  return exp(cos(M_PI * (x - 2) / 3));
}

static double polynomial(double x) {
  const double t = x - 3.2;
  return 1 + t * (2 + t * (-3 + t * (0.5 + t * (1 - 0.1 * t))));
}

/* Within 0.9 of the middle, 3.5, in a unit of 0.15. */
static double bump(double x) {
  const double y = (x - 3.5) / 0.15;
  return exp(-y * y / 2) * polynomial(x);
}

/* The largest error of f's series, constant included, at some points of [2, 5]. */
static double series_error(const sfmi_basis *basis, double (*f)(double), size_t pieces) {
  const size_t n = basis->count + 1;
  double *inner = malloc(n * n * sizeof *inner), *row = malloc(n * sizeof *row), mean = 0, most = 0;
  double nodes[RULE], weights[RULE];
  inner_products(inner, basis, basis->lower[0], basis->upper[0], pieces, f);
  gauss_rule(nodes, weights);
  for (size_t i = 0; i < pieces * RULE; i++)
    mean +=
        weights[i % RULE] / 2 / (double)pieces *
        f(basis->lower[0] + (basis->upper[0] - basis->lower[0]) *
                                ((double)(i / RULE) + (1 + nodes[i % RULE]) / 2) / (double)pieces);
  for (size_t i = 0; i <= 500; i++) {
    const double x = basis->lower[0] + (basis->upper[0] - basis->lower[0]) * (double)i / 500;
    double sum = sfmi_basis_family_has_constant(basis->family) ? mean : 0;
    sfmi_basis_at(basis, row, &x, 1);
    for (size_t j = 0; j + 1 < n; j++) sum += inner[j * n + n - 1] * row[j];
    most = fmax(most, fabs(sum - f(x)));
  }
  free(inner);
  free(row);
  return most;
}

static void smooth_functions_are_reproduced(void **state) {
  (void)state;
  const struct {
    sfmi_basis_family family;
    size_t count;
    double (*function)(double);
    double error;
  } cases[] = {{SFMI_FOURIER, 80, wave, 1e-12},       {SFMI_COSINE, 20, slope, 1e-13},
               {SFMI_LEGENDRE, 5, polynomial, 1e-13}, {SFMI_LEGENDRE, 30, wave, 1e-3},
               {SFMI_LEGENDRE, 60, wave, 1e-6},       {SFMI_HERMITE, 6, bump, 1e-13}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfmi_basis stated = stated_of(cases[i].family, cases[i].count, 2, 5);
    stated.unit = 0.15;
    sfmi_basis *basis = basis_of(&stated);
    assert_near(sfmi_basis_family_name(cases[i].family),
                series_error(basis, cases[i].function, 200), 0, cases[i].error);
    sfmi_basis_destroy(basis);
  }
  /* And not by one function fewer. */
  sfmi_basis *fewer = basis_stated(SFMI_LEGENDRE, 4, 2, 5);
  assert_true(series_error(fewer, polynomial, 200) > 1e-4);
  sfmi_basis_destroy(fewer);
}

static void rows_depend_on_their_point_alone(void **state) {
  (void)state;
  const sfmi_basis_family families[] = {SFMI_FOURIER, SFMI_COSINE, SFMI_LEGENDRE, SFMI_HERMITE};
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (size_t count = 1; count < 300; count += 41) {
      sfmi_basis *basis = basis_stated(families[f], count, -1.7, 2.9);
      check_rows_alone(basis, count);
      sfmi_basis_destroy(basis);
    }
}

static void malformed_bases_are_refused(void **state) {
  (void)state;
  const sfmi_basis_family families[] = {SFMI_FOURIER, SFMI_COSINE, SFMI_LEGENDRE,
                                        SFMI_HERMITE, SFMI_HAAR,   SFMI_DB4};
  for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
    const sfmi_basis good = stated_of(families[f], 7, 0, 1);
    sfmi_basis bad = good;
    bad.count = 0;
    refused(&bad, "1 to 1048576 functions, not 0");
    bad.count = SFMI_BASIS_MAX + 1;
    refused(&bad, "1 to 1048576 functions");
    bad = good;
    bad.dimension = 2;
    refused(&bad, "is of one variable, not of 2");
    const double bounds[][2] = {{1, 1},        {1, 0},          {NAN, 1},
                                {0, INFINITY}, {-1e308, 1e308}, {0, 1e-309}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
      bad = good;
      bad.lower[0] = bounds[i][0];
      bad.upper[0] = bounds[i][1];
      refused(&bad, "bounds in ascending order");
    }
  }
  const double units[] = {0, -1, NAN, INFINITY, 1e-320};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    sfmi_basis bad = stated_of(SFMI_HERMITE, 7, 0, 1);
    bad.unit = units[i];
    refused(&bad, "a basis hermite needs a positive unit, such as a tenth of the bounds' width");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trigonometric_values_are_as_exact_as_stated),
      cmocka_unit_test(legendre_values_are_exact),
      cmocka_unit_test(hermite_values_are_exact),
      cmocka_unit_test(hermite_is_finite_far_out),
      cmocka_unit_test(counts_may_end_anywhere),
      cmocka_unit_test(bases_are_orthonormal),
      cmocka_unit_test(hermite_is_orthonormal_on_the_line),
      cmocka_unit_test(smooth_functions_are_reproduced),
      cmocka_unit_test(rows_depend_on_their_point_alone),
      cmocka_unit_test(malformed_bases_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
