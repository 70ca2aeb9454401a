/* test_basis.c - the bases fourier, cosine, legendre and hermite: orthonormal, as exact as stated,
 * and of what they should reproduce. */
#include "stating.h"

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
      trial_near("fourier", fourier[j], cosine_exactly(j / 2 + 1, u, j % 2), 1e-14);
      trial_near("cosine", cosine[j], cosine_exactly(j + 1, u / 2, false), 1e-14);
    }
  }
  sfmi_basis_destroy(f);
  sfmi_basis_destroy(c);
}

/* The last function that a count allows is the same as in a larger basis. */
static void counts_may_end_anywhere(void **state) {
  (void)state;
  enum { MOST = 70 };
  const sfmi_family families[] = {SFMI_FOURIER, SFMI_COSINE};
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
    sfmi_family family;
    size_t count, pieces;
    double lower, upper;
  } cases[] = {
      {SFMI_FOURIER, 1, 4, 0, 1},          {SFMI_FOURIER, 64, 128, 0, 1},
      {SFMI_FOURIER, 65, 128, -3, 17.5},   {SFMI_FOURIER, 7, 32, 1e3, 1e3 + 0.5},
      {SFMI_COSINE, 1, 4, 0, 1},           {SFMI_COSINE, 64, 128, 0, 1},
      {SFMI_COSINE, 65, 128, -1e6, 1.5e7},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfmi_basis *basis =
        basis_stated(cases[i].family, cases[i].count, cases[i].lower, cases[i].upper);
    check_orthonormal(basis, cases[i].lower, cases[i].upper, cases[i].pieces, 1e-11);
    trial_relative("constant", basis->constant, 1 / (cases[i].upper - cases[i].lower), 1e-15);
    sfmi_basis_destroy(basis);
  }
}

/* A smooth function that wraps. */
static double wave(double x) {
  return exp(sin(2 * M_PI * (x - 2) / 3)) / (1.5 + cos(2 * M_PI * (x - 2) / 3));
}

/* And one that does not, flat at both ends of [2, 5]. */
static double slope(double x) {
  return exp(cos(M_PI * (x - 2) / 3));
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
    double sum = sfmi_family_constant(basis->family) ? mean : 0;
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
    sfmi_family family;
    size_t count;
    double (*function)(double);
    double error;
  } cases[] = {{SFMI_FOURIER, 80, wave, 1e-12}, {SFMI_COSINE, 20, slope, 1e-13}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfmi_basis *basis = basis_stated(cases[i].family, cases[i].count, 2, 5);
    trial_near(sfmi_family_name(cases[i].family), series_error(basis, cases[i].function, 200), 0,
               cases[i].error);
    sfmi_basis_destroy(basis);
  }
}

static void rows_depend_on_their_point_alone(void **state) {
  (void)state;
  const sfmi_family families[] = {SFMI_FOURIER, SFMI_COSINE};
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (size_t count = 1; count < 300; count += 41) {
      sfmi_basis *basis = basis_stated(families[f], count, -1.7, 2.9);
      check_rows_alone(basis, count);
      sfmi_basis_destroy(basis);
    }
}

static void malformed_bases_are_refused(void **state) {
  (void)state;
  const sfmi_family families[] = {SFMI_FOURIER, SFMI_COSINE};
  for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
    const sfmi_basis good = stated_of(families[f], 5, 0, 1);
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
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trigonometric_values_are_as_exact_as_stated),
      cmocka_unit_test(counts_may_end_anywhere),
      cmocka_unit_test(bases_are_orthonormal),
      cmocka_unit_test(smooth_functions_are_reproduced),
      cmocka_unit_test(rows_depend_on_their_point_alone),
      cmocka_unit_test(malformed_bases_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
