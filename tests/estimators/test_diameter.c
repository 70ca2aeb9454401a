/* test_diameter.c - the certificate: never below the farthest pair, or a single vector against
 * zero, and hardly above, on tables of every kind and with little work allowed. */
#include "test_support.h"

#include "estimators/sums/diameter.h"
#include "estimators/sums/basis_sums.h"
#include "features/basis_fixtures.h"

static const double PLENTY = 1e9;

static double norm_of(const int32_t *a, const int32_t *b, size_t count, bool l1) {
  long double sum = 0;
  for (size_t j = 0; j < count; j++) {
    const long double d = (long double)a[j] - (b ? b[j] : 0);
    sum += l1 ? fabsl(d) : d * d;
  }
  return (double)(l1 ? sum : sqrtl(sum));
}

/* All pairs, and all single ones against zero unless `pairs`. */
static double brute(const int32_t *table, size_t points, size_t count, bool l1, bool pairs) {
  double largest = 0;
  for (size_t i = 0; i < points; i++) {
    if (!pairs) largest = fmax(largest, norm_of(table + i * count, NULL, count, l1));
    for (size_t k = 0; k < i; k++)
      largest = fmax(largest, norm_of(table + i * count, table + k * count, count, l1));
  }
  return largest;
}

static sfmi_diameter find(const int32_t *table, size_t points, size_t count, bool l1, double work) {
  sfm_error error;
  sfmi_diameter found;
  assert_ok(sfmi_diameter_find(&found, table, points, count, l1, work, &error), &error);
  return found;
}

/* The pair that is named attains the lower end, and the truth lies between the ends. */
static void check_ends(const sfmi_diameter *found, const int32_t *table, size_t points,
                       size_t count, bool l1, double truth) {
  const int32_t *a = table + found->first * count, *b = table + found->second * count;
  assert_true(found->first < points && found->second < points);
  assert_relative("the pair named", norm_of(a, found->alone ? NULL : b, count, l1), found->lower,
                  1e-12);
  assert_true(found->lower <= truth * (1 + 1e-12) && truth <= found->upper);
}

static void tight(const sfmi_diameter *found) {
  if (!(found->upper <= found->lower * (1 + SFMI_DIAMETER_SLACK) * (1 + 1e-8)))
    fail_msg("%.9g is not within 0.1 %% of %.9g", found->upper, found->lower);
}

/* Tables of whatever: noise, random walks, and with far ends; moved away from zero or towards it.
 */
static void all_pairs_of_random_tables(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 301);
  for (int round = 0; round < 400; round++) {
    const size_t points = ((size_t)1 << (round % 7)) + 1, count = 1 + (size_t)round % 9;
    int32_t *table = malloc(points * count * sizeof *table);
    const double walk = round % 3 ? 1 : 0, away = round % 5 ? 0 : 3e8, size = round % 2 ? 1e7 : 40;
    for (size_t i = 0; i < points * count; i++) {
      const double before = walk > 0 && i >= count ? table[i - count] - away : 0;
      table[i] = (int32_t)(away + before + size * sfmi_prng_normal(&prng));
    }
    for (int l1 = 0; l1 < 2; l1++) {
      const double truth = brute(table, points, count, l1, false);
      sfmi_diameter found = find(table, points, count, l1, PLENTY);
      check_ends(&found, table, points, count, l1, truth);
      tight(&found);
      /* However little may be done, the bound holds, and is never above twice the largest. */
      for (double work = 0; work < 3000; work = 2 * work + 7) {
        found = find(table, points, count, l1, work);
        check_ends(&found, table, points, count, l1, truth);
      }
    }
    free(table);
  }
}

/* The smallest tables there are. */
static void two_points_and_no_difference(void **state) {
  (void)state;
  const int32_t same[] = {-7, -7}, zero[] = {0, 0};
  for (int l1 = 0; l1 < 2; l1++) {
    sfmi_diameter found = find(same, 2, 1, l1, PLENTY);
    assert_true(found.alone && found.lower == 7 && found.upper >= 7 && found.upper < 7.0001);
    found = find(zero, 2, 1, l1, PLENTY);
    assert_true(found.lower == 0 && found.upper == 0);
  }
}

static sfmi_diameter certificate(sfmi_basis_family family, size_t count, bool l1) {
  sfm_error error;
  sfmi_diameter found;
  sfmi_basis_sums *moments = NULL;
  sfmi_basis *basis = basis_stated(family, count, 0, 1);
  assert_ok(sfmi_basis_sums_create(&moments, basis, &error), &error);
  assert_ok(sfmi_basis_sums_diameter(moments, &found, l1, &error), &error);
  sfmi_basis_sums_destroy(moments);
  sfmi_basis_destroy(basis);
  return found;
}

/* Known from a search over pairs of angles with all frequencies up to m. */
static void fourier_is_as_specified(void **state) {
  (void)state;
  static const struct {
    size_t m;
    double l1;
  } known[] = {{1, 4.00}, {2, 6.84}, {3, 9.64}, {5, 15.22}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const sfmi_diameter l1 = certificate(SFMI_FOURIER, 2 * known[i].m, true),
                        l2 = certificate(SFMI_FOURIER, 2 * known[i].m, false);
    print_message("fourier, m = %zu: l1 %.4f to %.4f, l2 %.4f to %.4f\n", known[i].m, l1.lower,
                  l1.upper, l2.lower, l2.upper);
    assert_near("l1 of fourier", l1.lower, known[i].l1, 0.008);
    assert_near("l1 of fourier", l1.upper, known[i].l1, 0.013);
    tight(&l1);
    /* l2: 4 (m - sum cos 2 pi k d) at the worst distance d. */
    double worst = 0;
    for (int step = 1; step < 20000; step++) {
      double sum = 0;
      for (size_t k = 1; k <= known[i].m; k++) sum += 1 - cos(2 * M_PI * (double)k * step / 2e4);
      worst = fmax(worst, sqrt(4 * sum));
    }
    assert_relative("l2 of fourier", l2.lower, worst, 1.5e-3);
    assert_true(l2.upper >= worst);
  }
}

/* Opposite signs on the coarsest level, two different functions on every other: 2 sum 2^(l/2), and
 * the root of 4 + 2 sum_(l > 0) 2^l = 2 terms. */
static void haar_is_a_closed_form(void **state) {
  (void)state;
  for (unsigned levels = 1; levels <= (test_long() ? 10 : 8); levels++) {
    const size_t terms = (size_t)1 << levels;
    double sum = 0;
    for (unsigned l = 0; l < levels; l++) sum += 2 * sqrt(ldexp(1, (int)l));
    const sfmi_diameter l1 = certificate(SFMI_HAAR, terms - 1, true),
                        l2 = certificate(SFMI_HAAR, terms - 1, false);
    assert_relative("l1 of haar", l1.lower, sum, 1e-6);
    assert_relative("l1 of haar", l1.upper, sum, 1e-6);
    assert_relative("l2 of haar", l2.lower, sqrt(2.0 * (double)terms), 1e-6);
    assert_relative("l2 of haar", l2.upper, sqrt(2.0 * (double)terms), 1e-6);
  }
}

/* One function that is never negative: two rows are less far apart than one is from none. */
static void zero_can_be_farther_than_any_pair(void **state) {
  (void)state;
  sfm_error error;
  sfmi_basis_sums *moments = NULL;
  sfmi_basis stated = stated_of(SFMI_HERMITE, 1, -1, 1);
  stated.unit = 1;
  sfmi_basis *basis = basis_of(&stated);
  assert_ok(sfmi_basis_sums_create(&moments, basis, &error), &error);
  const size_t points = sfmi_basis_sums_points(moments);
  const int32_t *table = sfmi_basis_sums_table(moments);
  const sfmi_diameter found = find(table, points, 1, true, PLENTY);
  assert_true(found.alone);
  assert_true(brute(table, points, 1, true, true) < 0.5 * found.upper);
  sfmi_basis_sums_destroy(moments);
  sfmi_basis_destroy(basis);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_pairs_of_random_tables),
      cmocka_unit_test(two_points_and_no_difference),
      cmocka_unit_test(fourier_is_as_specified),
      cmocka_unit_test(haar_is_a_closed_form),
      cmocka_unit_test(zero_can_be_farther_than_any_pair),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
