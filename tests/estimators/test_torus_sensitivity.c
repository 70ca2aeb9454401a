/* test_torus_sensitivity.c - how far apart sines and cosines of two rows are: known numbers, bounds
 * that no pair passes, and that some reach. */
/* suite: release */
#include "lattice_rows.h"

#include "estimators/sums/torus_sensitivity.h"
#include "estimators/sums/torus_sums.h"

static sfmi_torus circle(size_t m) {
  sfmi_torus torus;
  sfmi_torus_lay(&torus, 0, 1, 0.05, true, m);
  return torus;
}

/* psi(x), x from the lower bound; 2 m numbers. */
static void fill(double *psi, const sfmi_torus *torus, double x) {
  for (size_t j = 1; j <= torus->terms; j++) {
    const double angle = 2 * M_PI * (double)j * (x + torus->margin) / torus->period;
    psi[2 * j - 2] = M_SQRT2 * cos(angle);
    psi[2 * j - 1] = M_SQRT2 * sin(angle);
  }
}

static double l1(const double *x, const double *y, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += fabs(x[i] - (y ? y[i] : 0));
  return sum;
}

/* The largest distance and size found on a grid, by trying all. */
static void brute(const sfmi_torus *torus, double width, double *pair, double *single) {
  const size_t D = 2 * torus->terms, points = 24 * torus->terms + 40;
  double *psi = calloc(D * (points + 1), sizeof *psi);
  *pair = *single = 0;
  for (size_t i = 0; i <= points; i++) {
    fill(psi + i * D, torus, width * (double)i / (double)points);
    *single = fmax(*single, l1(psi + i * D, NULL, D));
    for (size_t k = 0; k < i; k++) *pair = fmax(*pair, l1(psi + i * D, psi + k * D, D));
  }
  free(psi);
}

static void one_row_moves_the_known_distance(void **state) {
  (void)state;
  const size_t terms[] = {1, 2, 3, 5};
  const double known[] = {4.00, 6.84, 9.64, 15.22};
  for (int i = 0; i < 4; i++) {
    sfm_error error;
    const sfmi_torus torus = circle(terms[i]);
    double pair;
    assert_ok(sfmi_torus_l1_diameter(&pair, &torus, 1, &error), &error);
    print_message("m = %zu: %.4f\n", terms[i], pair);
    assert_near("n Delta_1", pair, known[i], 0.005 + 2e-3 * known[i]);
    assert_true(pair >= known[i] - 0.005);
  }
}

static void bounds_are_never_passed_and_nearly_reached(void **state) {
  (void)state;
  const size_t terms[] = {1, 2, 4, 7, 12, 30};
  const double hs[] = {0, 0.02, 0.1, 1}; /* 0: on the whole circle */
  for (size_t i = 0; i < 24; i++) {
    sfm_error error;
    sfmi_torus torus;
    double pair, single, found_pair, found_single;
    const double h = hs[i % 4];
    sfmi_torus_lay(&torus, 3, 5, h > 0 ? h : 0.1, h == 0, terms[i / 4]);
    assert_ok(sfmi_torus_l1_diameter(&pair, &torus, 2, &error), &error);
    single = sfmi_torus_l1_norm(&torus, 2);
    brute(&torus, 2, &found_pair, &found_single);
    assert_true(found_pair <= pair && found_single <= single);
    /* (The grid of the search is coarse itself.) */
    assert_true(pair <= fmax(found_pair, found_single) * 1.006);
    assert_true(single <= found_single * 1.003);
  }
}

/* Where a table of pairs would be too large. */
static void many_frequencies_are_bounded_still(void **state) {
  (void)state;
  sfm_error error;
  double pair, last = 0;
  const size_t terms[] = {120, 300, 301, 600, 2000};
  for (int i = 0; i < 5; i++) {
    const size_t m = terms[i];
    if (m == 300 && !test_long()) continue;
    const sfmi_torus torus = circle(m);
    const double single = sfmi_torus_l1_norm(&torus, 1);
    assert_ok(sfmi_torus_l1_diameter(&pair, &torus, 1, &error), &error);
    print_message("m = %zu: %.2f a frequency, one row %.2f\n", m, pair / (double)m,
                  single / (double)m);
    assert_true(pair > last && pair >= 2.7 * (double)m && pair <= 2 * single);
    assert_true(m > 300 || pair <= 2.8 * (double)m);
    last = pair;
  }
}

/* ---- rows as integers ---- */

static void flat_of(sfmi_torus_sums *s, size_t d, double h, bool wraps, size_t m) {
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
  sfmi_torus tori[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < d; a++) {
    lower[a] = -1;
    upper[a] = 2;
    sfmi_torus_lay(&tori[a], lower[a], upper[a], h, wraps, m);
  }
  sfmi_torus_sums_init_flat(s, lower, upper, tori, d, 1000);
}

static double *features_of(const sfmi_torus_sums *s, const double *row) {
  sfm_error error;
  sfmi_i128 *features, *sums = rowwise_sums(&s->lattice, row, 1);
  assert_ok(sfmi_torus_sums_transform(s, &features, sums, &error), &error);
  double *psi = calloc(s->length, sizeof *psi);
  const int bits = (int)(s->dimension * (s->lattice.bits + s->precision));
  for (size_t i = 0; i < s->length; i++) psi[i] = ldexp((double)features[i], -bits);
  assert_true(features[0] == (sfmi_i128)1 << bits); /* the constant is exact */
  free(sums);
  free(features);
  return psi;
}

/* 1, sqrt2 cos, sqrt2 sin, ... of one axis. */
static void axis_of(double *psi, const sfmi_torus *torus, double x) {
  psi[0] = 1;
  fill(psi + 1, torus, x);
}

static void rows_are_within_their_certificate(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 61);
  for (int i = 0; i < 8; i++) {
    sfmi_torus_sums s;
    const size_t m = (size_t[]){1, 3, 10, 40}[i / 2];
    double worst = 0, exact[128];
    flat_of(&s, 1, 0.3, i % 2, m);
    for (int k = 0; k < (m < 40 ? 200 : 20); k++) {
      const double x = k == 0 ? -1 : k == 1 ? 2 : -1 + 3 * sfmi_prng_uniform(&prng);
      double *psi = features_of(&s, &x);
      axis_of(exact, &s.torus[0], x + 1);
      worst = fmax(worst, l1(psi, exact, s.length));
      free(psi);
    }
    assert_true(worst <= s.slip[0]);
    assert_true(worst >= 0.05 * s.slip[0]); /* a certificate, not a guess */
    assert_true(s.slip[0] <= 1e-3 * 2.7 * (double)m / 2);
  }
}

static void rows_of_two_columns_are_products(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 62);
  for (size_t d = 2; d <= 3; d++) {
    enum { M = 3, W = 2 * M + 1 };
    sfmi_torus_sums s;
    double exact[3][W], slip = 1, size = 1, worst = 0;
    flat_of(&s, d, 0.3, d == 2, M);
    assert_int_equal(s.length, d == 2 ? W * W : W * W * W);
    for (size_t a = 0; a < d; a++) {
      slip *= 1 + sfmi_torus_l1_norm(&s.torus[a], 3) + s.slip[a];
      size *= 1 + sfmi_torus_l1_norm(&s.torus[a], 3);
    }
    for (int k = 0; k < 20; k++) {
      double row[3], off = 0, norm = 0;
      for (size_t a = 0; a < d; a++) {
        row[a] = -1 + 3 * sfmi_prng_uniform(&prng);
        axis_of(exact[a], &s.torus[a], row[a] + 1);
      }
      double *psi = features_of(&s, row);
      for (size_t i = 0; i < s.length; i++) {
        /* The last axis is the fastest. */
        size_t rest = i;
        double product = 1;
        for (size_t a = d; a-- > 0; rest /= W) product *= exact[a][rest % W];
        off += fabs(psi[i] - product);
        norm += fabs(psi[i]);
      }
      worst = fmax(worst, off);
      assert_true(norm <= slip);
      free(psi);
    }
    assert_true(worst <= slip - size);
  }
}

/* On a circle the two bounds are one place. */
static void a_circle_has_no_ends(void **state) {
  (void)state;
  sfmi_torus_sums s;
  flat_of(&s, 1, 0.3, true, 6);
  double *low = features_of(&s, &(double){-1}), *high = features_of(&s, &(double){2});
  assert_memory_equal(low, high, s.length * sizeof *low);
  free(low);
  free(high);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_row_moves_the_known_distance),
      cmocka_unit_test(bounds_are_never_passed_and_nearly_reached),
      cmocka_unit_test(many_frequencies_are_bounded_still),
      cmocka_unit_test(rows_are_within_their_certificate),
      cmocka_unit_test(rows_of_two_columns_are_products),
      cmocka_unit_test(a_circle_has_no_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
