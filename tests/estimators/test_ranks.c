/* test_ranks.c - grids of cells and how far they miss a rank: against the definition, and how far
 * one record moves them, searched. */
#include "estimators/quantiles/ranks.h"
#include "test_support.h"

enum { MOST = 12 };

/* Rows as a reader hands them on: NaN stands for one that is not kept. */
static sfmi_ranks counted(double lower, double upper, double step, const double *values,
                          size_t count) {
  sfm_error error;
  sfmi_ranks ranks;
  double room[SFMI_BATCH_ROWS];
  uint8_t keep[SFMI_BATCH_ROWS];
  assert_true(sfmi_ranks_grid(&ranks, lower, upper, step));
  assert_ok(sfmi_ranks_alloc(&ranks, &error), &error);
  for (size_t r = 0; r < count; r++) {
    keep[r] = (uint8_t)!isnan(values[r]);
    room[r] = keep[r] ? fmin(fmax(values[r], lower), upper) : 1e300;
  }
  sfmi_ranks_add(&ranks, &(sfmi_batch){.rows = count, .columns = 1, .values = room, .keep = keep});
  sfmi_ranks_add_up(&ranks);
  return ranks;
}

static void grids_are_multiples_within_the_limits(void **state) {
  (void)state;
  sfmi_ranks g;
  assert_true(sfmi_ranks_grid(&g, 0, 1e7, 8));
  assert_true(g.first == 0 && g.cells == 1250001);
  assert_true(sfmi_ranks_grid(&g, -1.3, 1.3, 0.25));
  assert_true(g.first == -5 && g.cells == 11);
  assert_true(sfmi_ranks_grid(&g, 0.1, 0.6, 0.5) == false); /* one */
  assert_true(sfmi_ranks_grid(&g, 0, 0x1p24, 1) == false);  /* one too many */
  assert_true(sfmi_ranks_grid(&g, 0, 0x1p24 - 1, 1));
  assert_true(sfmi_ranks_grid(&g, 1e300, 1.1e300, 1) == false);
  assert_true(sfmi_ranks_grid(&g, -1e308, 1e308, 1e-300) == false);
  assert_true(sfmi_ranks_grid(&g, 0, 0x1p-1000, 0x1p-1010)); /* no floor below which it fails */
}

/* The loss by its definition: rows below a cell's value, rows below the next one's. */
static double defined(const sfmi_ranks *ranks, const double *values, size_t count, double share,
                      size_t i) {
  double m = 0, L = 0, U = 0;
  const double from = (double)(ranks->first + (int64_t)i) * ranks->step, to = from + ranks->step;
  const bool last = i + 1 == ranks->cells;
  for (size_t r = 0; r < count; r++) {
    if (isnan(values[r])) continue;
    m++;
    L += i > 0 && values[r] < from;
    U += last || values[r] < to;
  }
  return fmax(0, fmax(L - share * m, share * m - U));
}

static void losses_are_as_defined_and_one_is_zero(void **state) {
  (void)state;
  static const sfm_ratio quantiles[] = {{1, 2}, {1, 100}, {99, 100}, {1, 3}, {999999, 1000000}};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (int trial_number = 0; trial_number < 300; trial_number++) {
    double values[40];
    const size_t count = (size_t)trial_number % 41;
    for (size_t r = 0; r < count; r++) {
      const double u = 3 * sfmi_prng_uniform(&prng) - 1.5;
      values[r] = trial_number % 3 == 0 ? round(4 * u) / 4 : r % 7 == 3 ? NAN : u;
    }
    sfmi_ranks ranks = counted(-1.3, 1.3, 0.25, values, count);
    for (size_t k = 0; k < 5; k++) {
      const double q = (double)quantiles[k].denominator, p = (double)quantiles[k].numerator;
      bool zero = false;
      for (size_t i = 0; i < ranks.cells; i++) {
        const double loss = (double)sfmi_ranks_loss(&ranks, quantiles[k], i);
        assert_near("loss", loss, q * defined(&ranks, values, count, p / q, i), 1e-6);
        zero = zero || loss == 0;
      }
      assert_true(zero);
    }
    sfmi_ranks_clear(&ranks);
  }
}

/* The largest move of any loss between two sets of rows. */
static double moved(const double *one, size_t ones, const double *two, size_t twos,
                    sfm_ratio quantile) {
  sfmi_ranks a = counted(0, 8, 1, one, ones), b = counted(0, 8, 1, two, twos);
  double most = 0;
  for (size_t i = 0; i < a.cells; i++)
    most = fmax(most, fabs((double)sfmi_ranks_loss(&a, quantile, i) -
                           (double)sfmi_ranks_loss(&b, quantile, i)));
  sfmi_ranks_clear(&a);
  sfmi_ranks_clear(&b);
  return most;
}

/* Inside, on grid points, at and beyond the limits, and not kept. */
static double any_value(sfmi_prng *prng) {
  const double u = sfmi_prng_uniform(prng);
  return u < 0.15  ? NAN
         : u < 0.3 ? (sfmi_prng_uniform(prng) < 0.5 ? -5 : 20)
         : u < 0.6 ? floor(9 * sfmi_prng_uniform(prng))
                   : 8 * sfmi_prng_uniform(prng);
}

/* changed records are replaced, or there are `changed` more of them: the losses' moves come up to
 * the bound, and never pass it. */
static void search(bool replace, size_t changed, sfm_ratio quantile) {
  const double q = (double)quantile.denominator, p = (double)quantile.numerator;
  const double bound = (double)changed * (replace ? q : fmax(p, q - p));
  double most = 0;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7 * changed + replace);
  for (int round = 0; round < 3000; round++) {
    double one[MOST], two[MOST];
    const size_t count = changed + (size_t)(sfmi_prng_uniform(&prng) * (MOST - (double)changed));
    for (size_t r = 0; r < count; r++) one[r] = two[r] = any_value(&prng);
    for (size_t r = 0; replace && r < changed; r++) two[r] = any_value(&prng);
    const double move = moved(one, count, two, replace ? count : count - changed, quantile);
    assert_true(move <= bound);
    most = fmax(most, move);
  }
  assert_true(most == bound);
}

static void one_record_moves_a_loss_by_the_claim_and_no_more(void **state) {
  (void)state;
  static const sfm_ratio quantiles[] = {{1, 2}, {1, 10}, {7, 10}, {1, 100}, {99, 100}};
  for (size_t k = 0; k < 5; k++)
    for (size_t changed = 1; changed <= 3; changed += 2) {
      search(true, changed, quantiles[k]);
      search(false, changed, quantiles[k]);
    }
}

static void rows_that_are_not_kept_do_not_matter(void **state) {
  (void)state;
  const double with[] = {1, NAN, 3, NAN, NAN, 5}, without[] = {1, 3, 5};
  assert_true(moved(with, 6, without, 3, (sfm_ratio){99, 100}) == 0);
}

static void counts_pass_32_bits(void **state) {
  (void)state;
  uint64_t below[2] = {UINT64_MAX / 2, UINT64_MAX};
  const sfmi_ranks ranks = {.step = 1, .cells = 2, .below = below};
  const sfm_ratio quantile = {999999, 1000000};
  assert_true(sfmi_ranks_loss(&ranks, quantile, 1) == 0);
  assert_true(sfmi_ranks_loss(&ranks, quantile, 0) ==
              (sfmi_u128)999999 * UINT64_MAX - (sfmi_u128)1000000 * (UINT64_MAX / 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grids_are_multiples_within_the_limits),
      cmocka_unit_test(losses_are_as_defined_and_one_is_zero),
      cmocka_unit_test(one_record_moves_a_loss_by_the_claim_and_no_more),
      cmocka_unit_test(rows_that_are_not_kept_do_not_matter),
      cmocka_unit_test(counts_pass_32_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
