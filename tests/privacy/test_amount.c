/* test_amount.c - amounts are the decimals that were written, costs round up, capacities down, and
 * whatever fits keeps the total. */
/* suite: release */
#include "test_support.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>

#include <gmp.h>
#include <mpfr.h>

#include "mechanisms/core/hardened_noise.h"
#include "privacy/amount.h"
#include "privacy/calibration.h"

#define REFERENCE_BITS 300
/* What a release is asked to leave of its parameter: hardened_noise.c's 2^-48 covers it. */
#define ROOM (1 - 0x1p-50)
/* A capacity is at most so many units below the true one, when mu^2 or rho is large. */
#define CAPACITY_SLACK 2

static sfm_guarantee pure(double epsilon) {
  return (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = epsilon};
}

static sfm_guarantee gdp(double mu) {
  return (sfm_guarantee){.kind = SFM_GUARANTEE_GDP, .mu = mu};
}

static sfm_guarantee zcdp(double rho) {
  return (sfm_guarantee){.kind = SFM_GUARANTEE_ZCDP, .rho = rho};
}

static sfm_guarantee approximate(double epsilon, double delta) {
  return (sfm_guarantee){.kind = SFM_GUARANTEE_APPROXIMATE, .epsilon = epsilon, .delta = delta};
}

/* Gaussian noise at (epsilon, delta), as the mechanisms ask for it. */
static sfm_guarantee normal_at(double epsilon, double delta) {
  sfm_guarantee g = {.kind = SFM_GUARANTEE_GDP, .epsilon = epsilon, .delta = delta};
  sfm_error error;
  assert_ok(sfmi_gdp_mu_for(&g.mu, epsilon, delta, SFM_CALIBRATION_EXACT, &error), &error);
  return g;
}

static sfmi_cost cost_of(sfm_guarantee guarantee, sfm_accounting accounting) {
  sfmi_cost cost = {-1, -1};
  sfm_error error;
  assert_ok(sfmi_cost_of(&cost, &guarantee, accounting, &error), &error);
  return cost;
}

static sfmi_cost capacity_of(double epsilon, double delta, sfm_accounting accounting) {
  sfmi_cost cost = {-1, -1};
  sfm_error error;
  assert_ok(sfmi_cost_capacity(&cost, epsilon, delta, accounting, &error), &error);
  return cost;
}

static sfmi_amount epsilon_of(sfmi_amount main, sfm_accounting accounting, double delta, bool up) {
  sfmi_amount epsilon = -1;
  sfm_error error;
  assert_ok(sfmi_cost_epsilon(&epsilon, main, accounting, delta, up, &error), &error);
  return epsilon;
}

static sfmi_amount amount_of(double value, bool up) {
  sfmi_amount amount = -1;
  assert_true(sfmi_amount_from(&amount, value, up));
  return amount;
}

static double log_uniform(sfmi_prng *prng, double least, double most) {
  return exp(log(least) + sfmi_prng_uniform(prng) * log(most / least));
}

/* A number somebody would type: a few digits. */
static double typed(sfmi_prng *prng, double least, double most) {
  char text[32];
  double value = log_uniform(prng, least, most);
  snprintf(text, sizeof text, "%.*g", 1 + (int)(sfmi_prng_word(prng) % 5), value);
  return fmin(fmax(strtod(text, NULL), least), most);
}

/* ---- exact rationals, written apart from the library ---- */

/* The decimal in text: digits, a point perhaps, an exponent perhaps. */
static void rational_of_text(mpq_t out, const char *text) {
  char digits[64];
  size_t count = 0;
  long exponent = 0;
  bool after = false;
  for (; *text && *text != 'e' && *text != '\n'; text++) {
    if (*text == '.') {
      after = true;
    } else {
      assert_true(isdigit((unsigned char)*text) && count + 1 < sizeof digits);
      digits[count++] = *text;
      exponent -= after;
    }
  }
  digits[count] = '\0';
  if (*text == 'e') exponent += strtol(text + 1, NULL, 10);
  mpq_t power;
  mpq_init(power);
  mpz_ui_pow_ui(mpq_numref(power), 10, (unsigned long)labs(exponent));
  assert_int_equal(mpz_set_str(mpq_numref(out), digits, 10), 0);
  mpz_set_ui(mpq_denref(out), 1);
  if (exponent < 0) {
    mpq_div(out, out, power);
  } else {
    mpq_mul(out, out, power);
  }
  mpq_clear(power);
}

/* The shortest decimal that reads back as value. */
static void rational_of(mpq_t out, double value) {
  char text[64];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  rational_of_text(out, text);
}

/* amount units, as a rational. */
static void rational_of_amount(mpq_t out, sfmi_amount amount) {
  mpq_set_si(out, amount, (unsigned long)SFMI_AMOUNT_ONE);
  mpq_canonicalize(out);
}

static int compare_amount(const mpq_t value, sfmi_amount amount) {
  mpq_t other;
  mpq_init(other);
  rational_of_amount(other, amount);
  int result = mpq_cmp(value, other);
  mpq_clear(other);
  return result;
}

/* ---- curves in MPFR, written apart from the library ---- */

/* Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu). */
static void normal_curve(mpfr_t out, const mpfr_t mu, const mpfr_t epsilon) {
  mpfr_t half, ratio, x, y;
  mpfr_inits2(mpfr_get_prec(out), half, ratio, x, y, (mpfr_ptr)0);
  mpfr_div(ratio, epsilon, mu, MPFR_RNDN);
  mpfr_div_2ui(half, mu, 1, MPFR_RNDN);
  mpfr_sub(x, ratio, half, MPFR_RNDN);
  mpfr_add(y, ratio, half, MPFR_RNDN);
  mpfr_sqrt_ui(half, 2, MPFR_RNDN);
  mpfr_div(x, x, half, MPFR_RNDN);
  mpfr_div(y, y, half, MPFR_RNDN);
  mpfr_erfc(x, x, MPFR_RNDN);
  mpfr_erfc(y, y, MPFR_RNDN);
  mpfr_exp(ratio, epsilon, MPFR_RNDN);
  mpfr_mul(y, y, ratio, MPFR_RNDN);
  mpfr_sub(out, x, y, MPFR_RNDN);
  mpfr_div_2ui(out, out, 1, MPFR_RNDN);
  mpfr_clears(half, ratio, x, y, (mpfr_ptr)0);
}

/* e^((alpha - 1)(alpha rho - eps)) (1 - 1/alpha)^alpha / (alpha - 1) at its least over alpha = 1 +
 * u, where rho (1 + 2u) - eps - ln(1 + 1/u) changes its sign: found in doubles, to 15 digits, which
 * gives the bound to 30. */
static void zcdp_curve(mpfr_t out, const mpfr_t rho, const mpfr_t epsilon) {
  const double r = mpfr_get_d(rho, MPFR_RNDN), e = mpfr_get_d(epsilon, MPFR_RNDN);
  double low = 1e-18, high = 1e18;
  for (int i = 0; i < 100; i++) {
    double middle = sqrt(low * high);
    *(r * (1 + 2 * middle) - e > log1p(1 / middle) ? &high : &low) = middle;
  }
  mpfr_t alpha, term;
  mpfr_inits2(mpfr_get_prec(out), alpha, term, (mpfr_ptr)0);
  mpfr_set_d(alpha, low, MPFR_RNDN);
  mpfr_add_ui(alpha, alpha, 1, MPFR_RNDN);
  mpfr_mul(out, alpha, rho, MPFR_RNDN);
  mpfr_sub(out, out, epsilon, MPFR_RNDN);
  mpfr_mul_d(out, out, low, MPFR_RNDN);
  mpfr_ui_div(term, 1, alpha, MPFR_RNDN);
  mpfr_ui_sub(term, 1, term, MPFR_RNDN);
  mpfr_log(term, term, MPFR_RNDN);
  mpfr_mul(term, term, alpha, MPFR_RNDN);
  mpfr_add(out, out, term, MPFR_RNDN);
  mpfr_exp(out, out, MPFR_RNDN);
  mpfr_div_d(out, out, low, MPFR_RNDN);
  mpfr_clears(alpha, term, (mpfr_ptr)0);
}

/* The sign of delta(epsilon) - delta on the curve of a sum of rho or of mu^2; delta is the decimal
 * that a double stands for. */
static int sum_against(const mpfr_t sum, sfm_accounting accounting, const mpq_t epsilon,
                       double delta) {
  mpfr_t at, curve, root;
  mpq_t decimal;
  mpq_init(decimal);
  mpfr_inits2(mpfr_get_prec(sum), at, curve, root, (mpfr_ptr)0);
  mpfr_set_q(at, epsilon, MPFR_RNDN);
  if (accounting == SFM_ACCOUNTING_ZCDP) {
    zcdp_curve(curve, sum, at);
  } else {
    mpfr_sqrt(root, sum, MPFR_RNDN);
    normal_curve(curve, root, at);
  }
  rational_of(decimal, delta);
  int result = mpfr_cmp_q(curve, decimal);
  mpfr_clears(at, curve, root, (mpfr_ptr)0);
  mpq_clear(decimal);
  return result;
}

/* Whether a sum of rho or of mu^2 implies the decimals that a total's doubles stand for. */
static bool sum_implies(const mpfr_t sum, sfm_accounting accounting, double epsilon, double delta) {
  mpq_t decimal;
  mpq_init(decimal);
  rational_of(decimal, epsilon);
  bool result = sum_against(sum, accounting, decimal, delta) <= 0;
  mpq_clear(decimal);
  return result;
}

static void set_amount(mpfr_t out, sfmi_amount amount) {
  mpfr_set_sj(out, amount, MPFR_RNDN);
  mpfr_div_ui(out, out, SFMI_AMOUNT_ONE, MPFR_RNDN);
}

/* mu^2 of a pure epsilon: mu/2 = x sqrt 2 with ln(erfc(x)/2) = -ln(1 + e^eps), by Newton's method.
 * The left side is concave in x, so that steps end up beyond the root and come back. */
static void square_of_pure(mpfr_t out, const mpq_t epsilon) {
  mpfr_t x, tail, step, target, density;
  mpfr_inits2(mpfr_get_prec(out), x, tail, step, target, density, (mpfr_ptr)0);
  mpfr_set_q(target, epsilon, MPFR_RNDN);
  mpfr_exp(target, target, MPFR_RNDN);
  mpfr_log1p(target, target, MPFR_RNDN);
  mpfr_set_ui(x, 0, MPFR_RNDN);
  for (int i = 0; i < 60; i++) {
    mpfr_erfc(tail, x, MPFR_RNDN);
    mpfr_div_2ui(step, tail, 1, MPFR_RNDN);
    mpfr_log(step, step, MPFR_RNDN);
    mpfr_add(step, step, target, MPFR_RNDN);
    mpfr_sqr(density, x, MPFR_RNDN);
    mpfr_exp(density, density, MPFR_RNDN);
    mpfr_mul(step, step, density, MPFR_RNDN);
    mpfr_mul(step, step, tail, MPFR_RNDN);
    mpfr_const_pi(density, MPFR_RNDN);
    mpfr_sqrt(density, density, MPFR_RNDN);
    mpfr_div_2ui(density, density, 1, MPFR_RNDN);
    mpfr_mul(step, step, density, MPFR_RNDN);
    mpfr_add(x, x, step, MPFR_RNDN);
    if (mpfr_zero_p(step) || mpfr_get_exp(step) < mpfr_get_exp(x) - REFERENCE_BITS / 2) break;
  }
  mpfr_sqr(out, x, MPFR_RNDN);
  mpfr_mul_2ui(out, out, 3, MPFR_RNDN);
  mpfr_clears(x, tail, step, target, density, (mpfr_ptr)0);
}

/* The true rho (or mu^2) of a guarantee: of its decimal, cut after 300 bits, or of the double mu.
 */
static void true_cost(mpfr_t out, const sfm_guarantee *guarantee, sfm_accounting accounting) {
  mpq_t decimal;
  mpq_init(decimal);
  if (guarantee->kind == SFM_GUARANTEE_PURE) {
    rational_of(decimal, guarantee->epsilon);
    if (accounting == SFM_ACCOUNTING_GDP) {
      square_of_pure(out, decimal);
    } else {
      mpq_mul(decimal, decimal, decimal);
      mpq_div_2exp(decimal, decimal, 1);
      mpfr_set_q(out, decimal, MPFR_RNDD);
    }
  } else if (guarantee->kind == SFM_GUARANTEE_GDP) {
    mpfr_set_d(out, guarantee->mu, MPFR_RNDN);
    mpfr_sqr(out, out, MPFR_RNDN);
    if (accounting == SFM_ACCOUNTING_ZCDP) mpfr_div_2ui(out, out, 1, MPFR_RNDN);
  } else {
    rational_of(decimal, guarantee->rho);
    mpfr_set_q(out, decimal, MPFR_RNDD);
  }
  mpq_clear(decimal);
}

/* ---- decimals ---- */

static void accountings_have_their_names(void **state) {
  (void)state;
  assert_string_equal(sfm_accounting_name(SFM_ACCOUNTING_BASIC), "basic");
  assert_string_equal(sfm_accounting_name(SFM_ACCOUNTING_ZCDP), "zcdp");
  assert_string_equal(sfm_accounting_name(SFM_ACCOUNTING_GDP), "gdp");
  assert_null(sfm_accounting_name((sfm_accounting)9));
}

static const struct {
  double value;
  sfmi_amount down, up;
} known_amounts[] = {
    {0, 0, 0},
    {-0.0, 0, 0},
    {0.1, 100000000000, 100000000000},
    {0.2, 200000000000, 200000000000},
    {0.3, 300000000000, 300000000000},
    {0.1 + 0.2, 300000000000, 300000000001}, /* 0.30000000000000004 */
    {1.0 / 3, 333333333333, 333333333334},
    {2.0 / 3, 666666666666, 666666666667},
    {1, 1000000000000, 1000000000000},
    {1.5, 1500000000000, 1500000000000},
    {1e-6, 1000000, 1000000},
    {1e-12, 1, 1},
    {2.5e-13, 0, 1},
    {9.999999999999997e-13, 0, 1},
    {1.0000000000000002e-12, 1, 2},
    {DBL_MIN, 0, 1},
    {0x1p-1074, 0, 1},
    {123456.789012345678, 123456789012345670, 123456789012345670}, /* 123456.78901234567 */
    {1e3, 1000000000000000, 1000000000000000},
    {4e6, SFMI_AMOUNT_MAX, SFMI_AMOUNT_MAX},
};

static void known_doubles_stand_for_their_decimals(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof known_amounts / sizeof *known_amounts; i++) {
    assert_int_equal(amount_of(known_amounts[i].value, false), known_amounts[i].down);
    assert_int_equal(amount_of(known_amounts[i].value, true), known_amounts[i].up);
  }
}

static void what_is_no_amount_is_said_to_be_none(void **state) {
  (void)state;
  const double bad[] = {
      -1, -0x1p-1074, NAN, INFINITY, -INFINITY, DBL_MAX, nextafter(4e6, INFINITY), -4e6, 1e300};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sfmi_amount amount = -7;
    assert_false(sfmi_amount_from(&amount, bad[i], true));
    assert_false(sfmi_amount_from(&amount, bad[i], false));
    assert_int_equal(amount, -7);
  }
}

static void ten_tenths_are_one(void **state) {
  (void)state;
  sfmi_amount sum = 0;
  double wrong = 0;
  for (int i = 0; i < 10; i++) {
    sum += cost_of(pure(0.1), SFM_ACCOUNTING_BASIC).main;
    wrong += 0.1;
  }
  assert_int_equal(sum, capacity_of(1, 0, SFM_ACCOUNTING_BASIC).main);
  assert_true(wrong != 1);
  assert_int_equal(cost_of(pure(0.1), SFM_ACCOUNTING_BASIC).main +
                       cost_of(pure(0.2), SFM_ACCOUNTING_BASIC).main,
                   capacity_of(0.3, 0, SFM_ACCOUNTING_BASIC).main);
}

/* Against rationals: typed numbers, full doubles and every exponent down to the denormals. */
static void amounts_are_the_decimals_rounded_once(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  mpq_t decimal;
  mpq_init(decimal);
  for (int i = 0; i < 8000; i++) {
    double value = i % 4 == 0   ? typed(&prng, 1e-13, 4e6)
                   : i % 4 == 1 ? log_uniform(&prng, 1e-14, 4e6)
                   : i % 4 == 2 ? ldexp(1, (int)(sfmi_prng_word(&prng) % 1090) - 1070)
                                : ldexp(sfmi_prng_uniform(&prng), -(i % 1070));
    if (value > 4e6) value = 4e6;
    rational_of(decimal, value);
    sfmi_amount down = amount_of(value, false), up = amount_of(value, true);
    assert_true(compare_amount(decimal, down) >= 0 && compare_amount(decimal, down + 1) < 0);
    assert_true(compare_amount(decimal, up) <= 0 && compare_amount(decimal, up - 1) > 0);
  }
  mpq_clear(decimal);
}

static void amounts_are_printed_in_full(void **state) {
  (void)state;
  static const struct {
    sfmi_amount amount;
    const char *text;
  } known[] = {{0, "0"},
               {1, "0.000000000001"},
               {100000000000, "0.1"},
               {3000000000000, "3"},
               {10000000000000, "10"},
               {1230000000000, "1.23"},
               {SFMI_AMOUNT_MAX, "4000000"},
               {SFMI_AMOUNT_MAX - 1, "3999999.999999999999"},
               {INT64_MAX, "9223372.036854775807"}};
  char text[SFMI_AMOUNT_TEXT];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    sfmi_amount_print(text, known[i].amount);
    assert_string_equal(text, known[i].text);
  }
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  mpq_t read;
  mpq_init(read);
  for (int i = 0; i < 2000; i++) {
    sfmi_amount amount = (sfmi_amount)(sfmi_prng_word(&prng) >> (1 + i % 60));
    sfmi_amount_print(text, amount);
    rational_of_text(read, text);
    assert_int_equal(compare_amount(read, amount), 0);
    assert_null(strchr(text, 'e'));
    assert_true(!strchr(text, '.') || text[strlen(text) - 1] != '0');
  }
  mpq_clear(read);
}

static void amounts_become_the_doubles_next_to_them(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  mpq_t exact, other;
  mpq_inits(exact, other, (mpq_ptr)0);
  assert_true(sfmi_amount_double(0, true) == 0 && sfmi_amount_double(0, false) == 0);
  assert_true(sfmi_amount_double(SFMI_AMOUNT_ONE, true) == 1);
  assert_true(sfmi_amount_double(SFMI_AMOUNT_ONE, false) == 1);
  for (int i = 0; i < 20000; i++) {
    sfmi_amount amount = (sfmi_amount)(sfmi_prng_word(&prng) >> (2 + i % 60)) + 1;
    double up = sfmi_amount_double(amount, true), down = sfmi_amount_double(amount, false);
    rational_of_amount(exact, amount);
    mpq_set_d(other, up);
    assert_true(mpq_cmp(other, exact) >= 0);
    mpq_set_d(other, nextafter(up, 0));
    assert_true(mpq_cmp(other, exact) < 0);
    mpq_set_d(other, down);
    assert_true(mpq_cmp(other, exact) <= 0);
    mpq_set_d(other, nextafter(down, INFINITY));
    assert_true(mpq_cmp(other, exact) > 0);
  }
  mpq_clears(exact, other, (mpq_ptr)0);
}

/* Numbers with a comma, where such a locale is installed. */
static void amounts_do_not_depend_on_the_locale(void **state) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8", "it_IT.UTF-8",
                                      "nl_NL.UTF-8", "pl_PL.UTF-8", "de_DE",       "fr_FR"};
  const char *found = NULL;
  for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
    if (setlocale(LC_ALL, names[i]) && strcmp(localeconv()->decimal_point, ".") != 0)
      found = names[i];
  if (!found) {
    setlocale(LC_ALL, "C");
    print_message("skipped: no locale with a decimal comma is installed\n");
    skip();
  }
  char text[SFMI_AMOUNT_TEXT];
  known_doubles_stand_for_their_decimals(state);
  sfmi_amount_print(text, 1230000000000);
  sfmi_amount rho = cost_of(pure(0.1), SFM_ACCOUNTING_ZCDP).main;
  sfmi_cost squares = capacity_of(1.1, 2.5e-7, SFM_ACCOUNTING_GDP);
  sfmi_amount left = epsilon_of(123456789, SFM_ACCOUNTING_ZCDP, 2.5e-7, false);
  setlocale(LC_ALL, "C");
  assert_string_equal(text, "1.23");
  assert_int_equal(rho, 5000000000);
  assert_int_equal(squares.main, capacity_of(1.1, 2.5e-7, SFM_ACCOUNTING_GDP).main);
  assert_int_equal(left, epsilon_of(123456789, SFM_ACCOUNTING_ZCDP, 2.5e-7, false));
}

/* ---- costs ---- */

static void known_guarantees_cost_what_was_computed_by_hand(void **state) {
  (void)state;
  const sfm_accounting basic = SFM_ACCOUNTING_BASIC, rho = SFM_ACCOUNTING_ZCDP,
                       square = SFM_ACCOUNTING_GDP;
  const struct {
    sfm_guarantee guarantee;
    sfm_accounting accounting;
    sfmi_cost cost;
  } known[] = {
      {pure(0.1), basic, {100000000000, 0}},
      {pure(0), basic, {0, 0}},
      {pure(1e-14), basic, {1, 0}},
      {pure(1e3), basic, {1000 * SFMI_AMOUNT_ONE, 0}},
      {approximate(0.3, 1e-7), basic, {300000000000, 100000}},
      {approximate(0, 2.5e-13), basic, {0, 1}},
      {normal_at(1, 1e-6), basic, {SFMI_AMOUNT_ONE, 1000000}},
      {{.kind = SFM_GUARANTEE_ZCDP, .rho = 0.01, .epsilon = 1, .delta = 1e-6},
       basic,
       {SFMI_AMOUNT_ONE, 1000000}},
      {pure(0.1), rho, {5000000000, 0}},
      {pure(1), rho, {500000000000, 0}},
      {pure(1e-6), rho, {1, 0}},   /* 5e-13 */
      {pure(2e-6), rho, {2, 0}},   /* 2e-12 */
      {pure(2.1e-6), rho, {3, 0}}, /* 2.205e-12 */
      {pure(1.0 / 3), rho, {55555555556, 0}},
      {pure(0x1p-1074), rho, {1, 0}},
      {pure(0), rho, {0, 0}},
      {pure(1e3), rho, {500000 * SFMI_AMOUNT_ONE, 0}},
      {gdp(0.5), rho, {125000000000, 0}},
      {gdp(1e3), rho, {500000 * SFMI_AMOUNT_ONE, 0}},
      {gdp(0.1), rho, {5000000001, 0}}, /* the double is above one tenth */
      {gdp(0x1p-1074), rho, {1, 0}},
      {zcdp(0.005), rho, {5000000000, 0}},
      {zcdp(1e-13), rho, {1, 0}},
      {zcdp(5e5), rho, {500000 * SFMI_AMOUNT_ONE, 0}},
      {gdp(0.5), square, {250000000000, 0}},
      {gdp(3), square, {9 * SFMI_AMOUNT_ONE, 0}},
      {gdp(0), square, {0, 0}},
      {gdp(1e3), square, {1000000 * SFMI_AMOUNT_ONE, 0}},
      {pure(0), square, {0, 0}},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    sfmi_cost cost = cost_of(known[i].guarantee, known[i].accounting);
    if (cost.main != known[i].cost.main || cost.delta != known[i].cost.delta)
      fail_msg("row %zu: %" PRId64 ", %" PRId64, i, cost.main, cost.delta);
  }
}

/* Sixteen Gaussians at mu = 0.5 are mu = 2: epsilon = 10.99715 at delta = 1e-6. */
static void sixteen_gaussians_mean_eleven(void **state) {
  (void)state;
  sfmi_amount sum = 0;
  for (int i = 0; i < 16; i++) sum += cost_of(gdp(0.5), SFM_ACCOUNTING_GDP).main;
  assert_int_equal(sum, 4 * SFMI_AMOUNT_ONE);
  sfmi_amount up = epsilon_of(sum, SFM_ACCOUNTING_GDP, 1e-6, true);
  sfmi_amount down = epsilon_of(sum, SFM_ACCOUNTING_GDP, 1e-6, false);
  assert_in_range(up - down, 1, 1);
  assert_in_range(up, 10997145000000, 10997155000000);
}

static void refuses(sfm_guarantee guarantee, sfm_accounting accounting, sfm_status status,
                    const char *first, const char *second) {
  sfmi_cost cost = {-7, -7};
  sfm_error error = {0};
  assert_int_equal(sfmi_cost_of(&cost, &guarantee, accounting, &error), status);
  assert_int_equal(error.status, status);
  if (!strstr(error.message, first) || !strstr(error.message, second))
    fail_msg("no '%s' or no '%s' in: %s", first, second, error.message);
  assert_int_equal(cost.main, -7);
  assert_int_equal(sfmi_cost_of(&cost, &guarantee, accounting, NULL), status);
}

static void what_an_accounting_cannot_hold_is_refused(void **state) {
  (void)state;
  const sfm_accounting all[] = {SFM_ACCOUNTING_BASIC, SFM_ACCOUNTING_ZCDP, SFM_ACCOUNTING_GDP};
  const sfm_guarantee random = {.kind = SFM_GUARANTEE_RANDOM_DP, .epsilon = 1, .delta = 1e-6};
  for (size_t i = 0; i < 3; i++)
    refuses(random, all[i], SFM_REFUSED, "is not differential privacy",
            "never charged as if it were");
  refuses(approximate(1, 1e-6), SFM_ACCOUNTING_ZCDP, SFM_REFUSED, "under zcdp", "of basic");
  refuses(approximate(1, 1e-6), SFM_ACCOUNTING_GDP, SFM_REFUSED, "under gdp", "of basic");
  refuses(zcdp(0.1), SFM_ACCOUNTING_GDP, SFM_REFUSED, "rho 0.1", "of zcdp accounting");
  refuses(gdp(0.1), SFM_ACCOUNTING_BASIC, SFM_REFUSED, "settings.epsilon and settings.delta",
          "of gdp");
  refuses(zcdp(0.1), SFM_ACCOUNTING_BASIC, SFM_REFUSED, "settings.epsilon and settings.delta",
          "of zcdp");
  refuses(approximate(0, 0), SFM_ACCOUNTING_BASIC, SFM_REFUSED, "approximate", "settings.epsilon");
}

static void costs_out_of_range_are_invalid(void **state) {
  (void)state;
  const double bad[] = {-1, NAN, INFINITY, 1001, 1e7};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    for (int a = 0; a < 3; a++) {
      refuses(pure(bad[i]), (sfm_accounting)a, SFM_INVALID, "epsilon is", "from 0 to 1000");
      refuses(gdp(bad[i]), (sfm_accounting)a, SFM_INVALID, "mu is", "from 0 to 1000");
      if (bad[i] != 1001) refuses(zcdp(bad[i]), (sfm_accounting)a, SFM_INVALID, "rho is", "500000");
    }
    refuses(approximate(bad[i], 1e-6), SFM_ACCOUNTING_BASIC, SFM_INVALID, "epsilon is", "1000");
    refuses(approximate(1, bad[i]), SFM_ACCOUNTING_BASIC, SFM_INVALID, "delta is", "below 1");
  }
  refuses(approximate(1, 1), SFM_ACCOUNTING_BASIC, SFM_INVALID, "delta is 1", "below 1");
  refuses(pure(1), (sfm_accounting)7, SFM_INVALID, "unknown accounting", "basic, zcdp or gdp");
  refuses((sfm_guarantee){.kind = (sfm_guarantee_kind)9}, SFM_ACCOUNTING_BASIC, SFM_INVALID,
          "unknown", "pure, gdp and zcdp");
}

static void guarantees_that_contradict_themselves_are_invalid(void **state) {
  (void)state;
  sfm_guarantee g = normal_at(1, 1e-6);
  g.mu *= 1 + 1e-12;
  refuses(g, SFM_ACCOUNTING_BASIC, SFM_INVALID, "contradicts", "mu ");
  g = (sfm_guarantee){.kind = SFM_GUARANTEE_GDP, .mu = 0.1, .epsilon = 1};
  refuses(g, SFM_ACCOUNTING_BASIC, SFM_INVALID, "contradicts", "delta 0");
  g = (sfm_guarantee){.kind = SFM_GUARANTEE_ZCDP, .rho = 0.1, .epsilon = 1, .delta = 1e-6};
  refuses(g, SFM_ACCOUNTING_BASIC, SFM_INVALID, "contradicts", "rho ");
}

/* What the mechanisms ask for is accepted at exactly the decimals they were asked with; only for a
 * delta close to 1, where the room does not cover a last place, a unit of delta more is counted.
 * Either way the release, a little noisier than its mu, truly keeps what is charged. */
static void gaussians_cost_what_they_were_asked_for(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 4);
  mpfr_t mu, epsilon, curve;
  mpfr_inits2(REFERENCE_BITS, mu, epsilon, curve, (mpfr_ptr)0);
  int added = 0;
  const int rounds = test_long() ? 3000 : 125;
  for (int i = 0; i < rounds; i++) {
    const bool extreme = i % 5 == 0;
    double e = typed(&prng, 1e-6, extreme ? 1 : 30), d = typed(&prng, 1e-12, 0.9);
    if (extreme) d = 1 - typed(&prng, 1e-13, 1e-2);
    const sfm_guarantee g = normal_at(e, d);
    const sfmi_cost cost = cost_of(g, SFM_ACCOUNTING_BASIC);
    assert_int_equal(cost.main, amount_of(e, true));
    const sfmi_amount more = cost.delta - amount_of(d, true);
    assert_true(more == 0 || (more == 1 && extreme));
    mpfr_set_d(mu, g.mu, MPFR_RNDN);
    mpfr_mul_d(mu, mu, ROOM, MPFR_RNDN);
    set_amount(epsilon, cost.main);
    normal_curve(curve, mu, epsilon);
    mpfr_mul_ui(curve, curve, SFMI_AMOUNT_ONE, MPFR_RNDN);
    assert_true(mpfr_cmp_si(curve, cost.delta) <= 0);
    added += more == 1;
  }
  assert_true(added > 0);
  mpfr_clears(mu, epsilon, curve, (mpfr_ptr)0);
}

/* A zCDP guarantee whose rho is the largest double at its (epsilon, delta) is accepted too. */
static void zcdp_costs_what_it_was_asked_for(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (int i = 0; i < 30; i++) {
    double e = typed(&prng, 1e-3, 30), d = typed(&prng, 1e-12, 0.1), low = 0, high = 100;
    for (int bit = 0; bit < 90; bit++) {
      sfm_guarantee at = zcdp((low + high) / 2);
      double delta = 1;
      assert_int_equal(sfm_guarantee_delta(&delta, &at, e, NULL), SFM_OK);
      *(delta <= d ? &low : &high) = at.rho;
    }
    sfm_guarantee g = {.kind = SFM_GUARANTEE_ZCDP, .rho = low, .epsilon = e, .delta = d};
    sfmi_cost cost = cost_of(g, SFM_ACCOUNTING_BASIC);
    assert_int_equal(cost.main, amount_of(e, true));
    assert_int_equal(cost.delta, amount_of(d, true));
    g.rho *= 1 + 1e-9;
    refuses(g, SFM_ACCOUNTING_BASIC, SFM_INVALID, "contradicts", "rho ");
  }
}

/* Above the truth, and by less than a unit (or than the doubles that mu is found in). */
static void costs_are_the_truth_rounded_up(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  mpfr_t truth;
  mpfr_init2(truth, REFERENCE_BITS);
  for (int i = 0; i < (test_long() ? 10000 : 700); i++) {
    const sfm_accounting accounting = i % 2 ? SFM_ACCOUNTING_ZCDP : SFM_ACCOUNTING_GDP;
    double x = i % 3 ? typed(&prng, 1e-7, 8) : log_uniform(&prng, 1e-7, 8);
    const sfm_guarantee g = i % 5 == 0                                        ? gdp(x)
                            : i % 5 == 1 && accounting == SFM_ACCOUNTING_ZCDP ? zcdp(x)
                                                                              : pure(x);
    sfmi_amount cost = cost_of(g, accounting).main;
    true_cost(truth, &g, accounting);
    mpfr_mul_ui(truth, truth, SFMI_AMOUNT_ONE, MPFR_RNDD);
    assert_true(mpfr_cmp_si(truth, cost) <= 0);
    mpfr_add_ui(truth, truth, 1, MPFR_RNDN);
    if (g.kind == SFM_GUARANTEE_PURE && accounting == SFM_ACCOUNTING_GDP)
      mpfr_mul_d(truth, truth, 1 + 0x1p-50, MPFR_RNDN);
    assert_true(mpfr_cmp_si(truth, cost) > 0);
  }
  mpfr_clear(truth);
}

static void costs_grow_with_their_parameters(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  for (int i = 0; i < (test_long() ? 500 : 50); i++) {
    double x = typed(&prng, 1e-7, 100), y = i % 2 ? nextafter(x, 1e9) : x + typed(&prng, 1e-13, 1);
    for (int a = 0; a < 3; a++) {
      const sfm_accounting accounting = (sfm_accounting)a;
      assert_true(cost_of(pure(x), accounting).main <= cost_of(pure(y), accounting).main);
      if (accounting != SFM_ACCOUNTING_BASIC)
        assert_true(cost_of(gdp(x), accounting).main <= cost_of(gdp(y), accounting).main);
    }
    assert_true(cost_of(zcdp(x), SFM_ACCOUNTING_ZCDP).main <=
                cost_of(zcdp(y), SFM_ACCOUNTING_ZCDP).main);
  }
}

/* ---- capacities ---- */

typedef struct vector {
  char quantity[32];
  double x, delta;
  mpfr_t value; /* in units */
} vector;

/* Calls look for the rows of one quantity in tests/vectors/amount.csv, which comes from amount.py:
 * for every row in the long tier, else for one in stride.  Returns how many rows there are. */
static int for_vectors(const char *quantity, int stride, void (*look)(const vector *row)) {
  FILE *file = fopen(SFM_SOURCE_DIR "/tests/vectors/amount.csv", "r");
  assert_non_null(file);
  char line[256];
  int rows = 0;
  vector row;
  mpfr_init2(row.value, REFERENCE_BITS);
  assert_non_null(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file)) {
    char *rest = strchr(line, ',');
    assert_non_null(rest);
    *rest++ = '\0';
    if (strcmp(line, quantity) != 0) continue;
    if (rows++ % stride != 0 && !test_long()) continue;
    row.x = strtod(rest, &rest);
    row.delta = strtod(rest + 1, &rest);
    mpfr_strtofr(row.value, rest + 1, NULL, 10, MPFR_RNDN);
    mpfr_mul_ui(row.value, row.value, SFMI_AMOUNT_ONE, MPFR_RNDN);
    look(&row);
  }
  mpfr_clear(row.value);
  fclose(file);
  return rows;
}

static void look_at_capacity(const vector *row, sfm_accounting accounting) {
  const bool nothing = mpfr_cmp_ui(row->value, 1) < 0;
  sfmi_cost capacity = {-1, -1};
  sfm_error error = {0};
  sfm_status status = sfmi_cost_capacity(&capacity, row->x, row->delta, accounting, &error);
  if (nothing) {
    assert_int_equal(status, SFM_INVALID);
    assert_non_null(strstr(error.message, "below 1e-12"));
    return;
  }
  assert_ok(status, &error);
  assert_int_equal(capacity.delta, 0);
  const sfmi_amount truth = mpfr_get_sj(row->value, MPFR_RNDD);
  /* Doubles hold a capacity below 2^50 units to a fraction of a unit. */
  const sfmi_amount slack = truth < INT64_C(1) << 50 ? 1 : CAPACITY_SLACK;
  if (capacity.main > truth || capacity.main < truth - slack)
    fail_msg("epsilon %g, delta %g: %" PRId64 " is not %" PRId64, row->x, row->delta, capacity.main,
             truth);
}

static void look_at_rho(const vector *row) {
  look_at_capacity(row, SFM_ACCOUNTING_ZCDP);
}

static void look_at_square(const vector *row) {
  look_at_capacity(row, SFM_ACCOUNTING_GDP);
}

static void look_at_pure(const vector *row) {
  sfmi_amount cost = cost_of(pure(row->x), SFM_ACCOUNTING_GDP).main;
  assert_true(mpfr_cmp_si(row->value, cost) <= 0);
  assert_true(mpfr_cmp_si(row->value, cost - 1 - CAPACITY_SLACK) > 0);
}

static void look_at_epsilon(const vector *row, sfm_accounting accounting) {
  sfmi_amount main = amount_of(row->x, true);
  sfmi_amount up = epsilon_of(main, accounting, row->delta, true);
  sfmi_amount down = epsilon_of(main, accounting, row->delta, false);
  assert_true(mpfr_cmp_si(row->value, up) <= 0 && mpfr_cmp_si(row->value, down) >= 0);
  /* Rounded once, but for the doubles that rho, mu and epsilon are found in. */
  sfmi_amount slack = 1 + (sfmi_amount)ldexp((double)up, -49);
  assert_true(mpfr_cmp_si(row->value, up - slack) > 0 || up == 0);
  assert_true(mpfr_cmp_si(row->value, down + slack) < 0);
}

static void look_at_rho_epsilon(const vector *row) {
  look_at_epsilon(row, SFM_ACCOUNTING_ZCDP);
}

static void look_at_square_epsilon(const vector *row) {
  look_at_epsilon(row, SFM_ACCOUNTING_GDP);
}

static void amounts_agree_with_independent_vectors(void **state) {
  (void)state;
  assert_int_equal(for_vectors("rho-allowed", 3, look_at_rho), 104);
  assert_int_equal(for_vectors("square-allowed", 7, look_at_square), 104);
  assert_int_equal(for_vectors("square-of-pure", 4, look_at_pure), 13);
  assert_int_equal(for_vectors("rho-epsilon", 8, look_at_rho_epsilon), 63);
  assert_int_equal(for_vectors("square-epsilon", 13, look_at_square_epsilon), 56);
}

static void basic_capacity_is_the_total_itself(void **state) {
  (void)state;
  sfmi_cost capacity = capacity_of(3, 1e-6, SFM_ACCOUNTING_BASIC);
  assert_int_equal(capacity.main, 3 * SFMI_AMOUNT_ONE);
  assert_int_equal(capacity.delta, 1000000);
  capacity = capacity_of(1.0 / 3, 2.5e-12, SFM_ACCOUNTING_BASIC);
  assert_int_equal(capacity.main, 333333333333);
  assert_int_equal(capacity.delta, 2);
  capacity = capacity_of(1e-6, 1e-12, SFM_ACCOUNTING_BASIC);
  assert_int_equal(capacity.main, 1000000);
  assert_int_equal(capacity.delta, 1);
  capacity = capacity_of(1e3, 1 - 0x1p-53, SFM_ACCOUNTING_BASIC);
  assert_int_equal(capacity.main, 1000 * SFMI_AMOUNT_ONE);
  assert_int_equal(capacity.delta, SFMI_AMOUNT_ONE - 1);
}

static void capacities_grow_with_the_total(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 8);
  for (int i = 0; i < (test_long() ? 300 : 16); i++) {
    const sfm_accounting accounting = i % 2 ? SFM_ACCOUNTING_ZCDP : SFM_ACCOUNTING_GDP;
    double e = typed(&prng, 1e-3, 900), d = typed(&prng, 1e-13, 0.5);
    sfmi_amount here = capacity_of(e, d, accounting).main;
    assert_true(here <= capacity_of(e * 1.01, d, accounting).main);
    assert_true(here <= capacity_of(e, d * 1.01, accounting).main);
    assert_true(here <= capacity_of(nextafter(e, 1e9), d, accounting).main + 1);
  }
  assert_true(capacity_of(1, 1e-300, SFM_ACCOUNTING_GDP).main > 0);
  assert_true(capacity_of(1, 1 - 0x1p-53, SFM_ACCOUNTING_GDP).main > 0);
  assert_true(capacity_of(1e3, 1 - 0x1p-53, SFM_ACCOUNTING_ZCDP).main <
              (sfmi_amount)5e5 * SFMI_AMOUNT_ONE - 1);
}

static void refuses_total(double epsilon, double delta, sfm_accounting accounting,
                          const char *first, const char *second) {
  sfmi_cost cost = {-7, -7};
  sfm_error error = {0};
  assert_int_equal(sfmi_cost_capacity(&cost, epsilon, delta, accounting, &error), SFM_INVALID);
  if (!strstr(error.message, first) || !strstr(error.message, second))
    fail_msg("no '%s' or no '%s' in: %s", first, second, error.message);
  assert_int_equal(cost.main, -7);
}

static void totals_out_of_range_are_invalid(void **state) {
  (void)state;
  const double bad_epsilon[] = {0, -1, NAN, INFINITY, 9e-7, 1001};
  const double bad_delta[] = {-1, NAN, INFINITY, 1, 2};
  for (int a = 0; a < 3; a++) {
    const sfm_accounting accounting = (sfm_accounting)a;
    for (size_t i = 0; i < 6; i++)
      refuses_total(bad_epsilon[i], 1e-6, accounting, "total epsilon is", "dataset.epsilon = 1");
    for (size_t i = 0; i < 5; i++)
      refuses_total(1, bad_delta[i], accounting, "total delta is", "dataset.delta = 1e-6");
  }
  refuses_total(1, 9.9e-13, SFM_ACCOUNTING_BASIC, "basic", "write 0, or a number from 1e-12");
  refuses_total(1, 0, SFM_ACCOUNTING_ZCDP, "zcdp", "dataset.accounting = basic");
  refuses_total(1, 0, SFM_ACCOUNTING_GDP, "gdp", "dataset.accounting = basic");
  refuses_total(1, 9e-301, SFM_ACCOUNTING_GDP, "gdp", "from 1e-300");
  refuses_total(1e-6, 1e-300, SFM_ACCOUNTING_GDP, "mu^2 below 1e-12", "dataset.accounting = basic");
  refuses_total(1e-6, 1e-300, SFM_ACCOUNTING_ZCDP, "rho below 1e-12", "dataset.accounting = basic");
  refuses_total(1, 1e-6, (sfm_accounting)5, "unknown accounting", "basic, zcdp or gdp");
}

/* ---- filters ---- */

/* A charge chosen after looking at what is left: some kind, some part of it, sometimes all. */
static sfm_guarantee next_charge(sfmi_prng *prng, sfm_accounting accounting, sfmi_amount left) {
  const double part = sfmi_prng_word(prng) % 4 ? log_uniform(prng, 1e-3, 1) : 1;
  const double value = sfmi_amount_double(left, false) * part;
  const uint64_t kind = sfmi_prng_word(prng) % 3;
  if (accounting == SFM_ACCOUNTING_GDP) return kind ? gdp(sqrt(value)) : pure(sqrt(value) * 0.7978);
  return kind == 0 ? gdp(sqrt(2 * value)) : kind == 1 ? pure(sqrt(2 * value)) : zcdp(value);
}

/* Spends a total; returns how much of it is left.  sum: of the true costs. */
static sfmi_amount spend(mpfr_t sum, sfmi_prng *prng, sfm_accounting accounting,
                         sfmi_amount capacity) {
  mpfr_t truth;
  mpfr_init2(truth, mpfr_get_prec(sum));
  mpfr_set_ui(sum, 0, MPFR_RNDN);
  sfmi_amount left = capacity;
  for (int i = 0; i < 60 && left > 0; i++) {
    const sfm_guarantee g = next_charge(prng, accounting, left);
    const sfmi_amount cost = cost_of(g, accounting).main;
    if (cost > left) continue;
    left -= cost;
    true_cost(truth, &g, accounting);
    mpfr_add(sum, sum, truth, MPFR_RNDN);
  }
  mpfr_clear(truth);
  return left;
}

/* Adaptively chosen charges that fit never pass the total, and the referee would notice a capacity
 * that is three units too large. */
static void whatever_fits_keeps_the_total(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 9);
  mpfr_t sum;
  mpfr_init2(sum, REFERENCE_BITS);
  int full = 0;
  for (int i = 0; i < (test_long() ? 3000 : 60); i++) {
    const sfm_accounting accounting = i % 2 ? SFM_ACCOUNTING_ZCDP : SFM_ACCOUNTING_GDP;
    double epsilon = i % 3 ? typed(&prng, 1e-2, 20) : log_uniform(&prng, 1e-2, 20);
    double delta = typed(&prng, 1e-12, 0.3);
    sfmi_amount capacity = capacity_of(epsilon, delta, accounting).main;
    full += spend(sum, &prng, accounting, capacity) == 0;
    assert_true(mpfr_sgn(sum) > 0);
    assert_true(sum_implies(sum, accounting, epsilon, delta));
    set_amount(sum, capacity);
    assert_true(sum_implies(sum, accounting, epsilon, delta));
    /* A total is cut after 12 places first, so only typed ones are sharp. */
    if (i % 3 == 0) continue;
    set_amount(sum, capacity + 1 + CAPACITY_SLACK);
    assert_false(sum_implies(sum, accounting, epsilon, delta));
  }
  assert_true(full > 10);
  mpfr_clear(sum);
}

/* Under basic the decimals add up exactly: never above the total's, in rationals. */
static void whatever_fits_keeps_the_basic_total(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 10);
  mpq_t sum, deltas, value;
  mpq_inits(sum, deltas, value, (mpq_ptr)0);
  int full = 0;
  for (int i = 0; i < 300; i++) {
    double epsilon = i % 2 ? typed(&prng, 1e-6, 1e3) : log_uniform(&prng, 1e-6, 1e3);
    double delta = i % 3 ? typed(&prng, 1e-12, 0.5) : 0;
    sfmi_cost left = capacity_of(epsilon, delta, SFM_ACCOUNTING_BASIC);
    mpq_set_ui(sum, 0, 1);
    mpq_set_ui(deltas, 0, 1);
    for (int k = 0; k < 40; k++) {
      const double part = k % 3 ? log_uniform(&prng, 1e-3, 1) : 1;
      const sfm_guarantee g =
          k % 2 ? pure(part * sfmi_amount_double(left.main, k % 5 == 0))
                : approximate(part * sfmi_amount_double(left.main, false) / 4,
                              fmax(part * sfmi_amount_double(left.delta, false), 1e-300));
      sfmi_cost cost = cost_of(g, SFM_ACCOUNTING_BASIC);
      if (cost.main > left.main || cost.delta > left.delta) continue;
      left.main -= cost.main;
      left.delta -= cost.delta;
      rational_of(value, g.epsilon);
      mpq_add(sum, sum, value);
      rational_of(value, g.delta);
      mpq_add(deltas, deltas, value);
    }
    full += left.main == 0;
    rational_of(value, epsilon);
    assert_true(mpq_cmp(sum, value) <= 0);
    rational_of(value, delta);
    assert_true(mpq_cmp(deltas, value) <= 0);
  }
  assert_true(full > 100);
  mpq_clears(sum, deltas, value, (mpq_ptr)0);
}

/* One release may take the whole total: at the total's own epsilon and delta. */
static void first_charge_may_be_the_whole_total(void **state) {
  (void)state;
  static const double totals[][2] = {
      {1, 1e-6}, {3, 1e-9}, {0.1, 1e-6}, {1.0 / 3, 1e-5}, {7.7, 0.01}};
  sfm_error error;
  int short_of = 0;
  for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
    for (int a = 0; a < 3; a++) {
      const sfm_accounting accounting = (sfm_accounting)a;
      const double epsilon = totals[i][0], delta = totals[i][1];
      const sfmi_cost capacity = capacity_of(epsilon, delta, accounting);
      const sfm_guarantee whole[] = {normal_at(epsilon, delta), pure(epsilon)};
      for (size_t k = 0; k < 2; k++) {
        sfmi_cost cost = {-1, -1}, usual = cost_of(whole[k], accounting);
        assert_ok(sfmi_cost_first(&cost, &whole[k], accounting, epsilon, delta, &error), &error);
        assert_true(cost.main <= capacity.main && cost.delta <= capacity.delta);
        short_of += usual.main > capacity.main;
      }
      /* A little more than the total is not the total. */
      sfm_guarantee more = pure(1.5 * epsilon);
      if (accounting != SFM_ACCOUNTING_BASIC) more = gdp(whole[0].mu * (1 + 1e-12));
      sfmi_cost cost = {-1, -1};
      assert_ok(sfmi_cost_first(&cost, &more, accounting, epsilon, delta, &error), &error);
      assert_int_equal(cost.main, cost_of(more, accounting).main);
      assert_true(cost.main > capacity.main);
      /* What fits costs what it costs. */
      const sfm_guarantee less = pure(epsilon / 100);
      assert_ok(sfmi_cost_first(&cost, &less, accounting, epsilon, delta, &error), &error);
      assert_int_equal(cost.main, cost_of(less, accounting).main);
    }
  }
  assert_true(short_of > 10);
  /* Less than the total by its own words, and more than it in the accounting's: refused, not taken
   * for the whole. */
  for (int a = SFM_ACCOUNTING_ZCDP; a <= SFM_ACCOUNTING_GDP; a++) {
    const sfm_guarantee one = pure(1);
    sfmi_cost cost = {-1, -1};
    assert_ok(sfmi_cost_first(&cost, &one, (sfm_accounting)a, 3, 1e-6, &error), &error);
    assert_true(cost.main > capacity_of(3, 1e-6, (sfm_accounting)a).main);
  }
  const sfm_guarantee weak = approximate(0.5, 1e-7), rho = zcdp(1e-3);
  sfmi_cost cost = {-7, -7};
  assert_int_equal(sfmi_cost_first(&cost, &weak, SFM_ACCOUNTING_GDP, 1, 1e-6, &error), SFM_REFUSED);
  assert_int_equal(sfmi_cost_first(&cost, &rho, SFM_ACCOUNTING_GDP, 1, 1e-6, &error), SFM_REFUSED);
  assert_int_equal(sfmi_cost_first(&cost, &rho, SFM_ACCOUNTING_ZCDP, 0, 1e-6, &error), SFM_INVALID);
  assert_int_equal(cost.main, -7);
}

/* ---- what an amount means ---- */

static void epsilon_of_basic_and_of_nothing_is_itself(void **state) {
  (void)state;
  assert_int_equal(epsilon_of(123, SFM_ACCOUNTING_BASIC, 0, true), 123);
  assert_int_equal(epsilon_of(123, SFM_ACCOUNTING_BASIC, 0, false), 123);
  for (int a = 0; a < 3; a++) {
    assert_int_equal(epsilon_of(0, (sfm_accounting)a, 1e-6, true), 0);
    assert_int_equal(epsilon_of(0, (sfm_accounting)a, 1e-6, false), 0);
  }
  assert_int_equal(epsilon_of(1, SFM_ACCOUNTING_GDP, 1 - 0x1p-53, false), 0);
  sfmi_amount epsilon = -7;
  sfm_error error;
  const double bad[] = {0, -1, 1, NAN, 1e-301};
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(sfmi_cost_epsilon(&epsilon, 5, SFM_ACCOUNTING_GDP, bad[i], true, &error),
                     SFM_INVALID);
    assert_non_null(strstr(error.message, "delta is"));
  }
  assert_int_equal(
      sfmi_cost_epsilon(&epsilon, SFMI_AMOUNT_MAX, SFM_ACCOUNTING_ZCDP, 1e-6, true, &error),
      SFM_INVALID);
  assert_int_equal(epsilon, -7);
}

/* What header promises: spent means at most the total; what is left can be spent at the epsilon
 * that it is said to mean; both grow with the amount. */
static void epsilons_of_amounts_are_what_can_be_spent(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  int rounds = test_long() ? 200 : 6;
  for (int i = 0; i < rounds; i++) {
    const sfm_accounting accounting = i % 2 ? SFM_ACCOUNTING_ZCDP : SFM_ACCOUNTING_GDP;
    const double total = i % 3 ? typed(&prng, 1e-2, 100) : log_uniform(&prng, 1e-2, 100);
    const double delta = typed(&prng, 1e-12, 1e-2);
    const sfmi_amount capacity = capacity_of(total, delta, accounting).main;
    assert_true(epsilon_of(capacity, accounting, delta, true) <= amount_of(total, false));
    sfmi_amount before = 0;
    for (int part = 1; part <= 3; part++) {
      const sfmi_amount left = capacity / 3 * part;
      const sfmi_amount down = epsilon_of(left, accounting, delta, false);
      assert_true(down <= epsilon_of(left, accounting, delta, true));
      assert_true(down >= before);
      before = down;
      const double epsilon = sfmi_amount_double(down, true);
      if (epsilon < 1e-6) continue;
      assert_true(capacity_of(epsilon, delta, accounting).main <= left);
      char text[SFMI_AMOUNT_TEXT];
      sfmi_amount_print(text, down);
      if (accounting == SFM_ACCOUNTING_GDP)
        assert_true(cost_of(normal_at(strtod(text, NULL), delta), accounting).main <= left);
    }
  }
}

/* One total, one amount below its capacity: the capacity is at or below the truth, what was spent
 * at or above, what is left at or below. */
static void look_at_last_places(sfmi_prng *prng, sfm_accounting accounting, double epsilon,
                                double delta) {
  mpfr_t sum;
  mpq_t at;
  mpq_init(at);
  mpfr_init2(sum, REFERENCE_BITS);
  const sfmi_amount capacity = capacity_of(epsilon, delta, accounting).main;
  set_amount(sum, capacity);
  rational_of_amount(at, amount_of(epsilon, false));
  assert_true(sum_against(sum, accounting, at, delta) <= 0);
  const sfmi_amount left = capacity - (sfmi_amount)(sfmi_prng_word(prng) % 100000000000000);
  set_amount(sum, left);
  rational_of_amount(at, epsilon_of(left, accounting, delta, true));
  assert_true(sum_against(sum, accounting, at, delta) <= 0);
  rational_of_amount(at, epsilon_of(left, accounting, delta, false));
  assert_true(sum_against(sum, accounting, at, delta) >= 0);
  mpfr_clear(sum);
  mpq_clear(at);
}

/* Where a last place of a double is a good part of a unit: large numbers, and a delta next to 1. */
static void last_places_fall_on_the_safe_side(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 13);
  const int rounds = test_long() ? 3000 : (int)test_repetitions(180, 60);
  for (int i = 0; i < rounds; i++) {
    const sfm_accounting accounting = i % 6 ? SFM_ACCOUNTING_ZCDP : SFM_ACCOUNTING_GDP;
    /* Whole numbers leave the last places of rho alone to matter. */
    const double any = log_uniform(&prng, 300, 1000), epsilon = i % 5 < 3 ? floor(any) : any;
    const double delta = i % 4 < 2 ? 1 - typed(&prng, 1e-12, 1e-3) : typed(&prng, 1e-6, 0.5);
    look_at_last_places(&prng, accounting, epsilon, delta);
  }
  mpfr_t truth;
  mpfr_init2(truth, REFERENCE_BITS);
  for (int i = 0; i < (test_long() ? 100 : 1); i++) {
    /* 884.55: the cost of the double, which is below, would be less than the truth. */
    const sfm_guarantee g = pure(i == 0 ? 884.55 : log_uniform(&prng, 300, 1000));
    true_cost(truth, &g, SFM_ACCOUNTING_GDP);
    mpfr_mul_ui(truth, truth, SFMI_AMOUNT_ONE, MPFR_RNDD);
    assert_true(mpfr_cmp_si(truth, cost_of(g, SFM_ACCOUNTING_GDP).main) <= 0);
  }
  mpfr_clear(truth);
}

/* ---- mechanisms ---- */

/* l1 / scale, exactly. */
static void loss_of(mpq_t out, double l1, sfm_ratio scale) {
  mpq_t ratio;
  mpq_init(ratio);
  mpz_set_ui(mpq_numref(ratio), scale.numerator);
  mpz_set_ui(mpq_denref(ratio), scale.denominator);
  mpq_canonicalize(ratio);
  mpq_set_d(out, l1);
  mpq_div(out, out, ratio);
  mpq_clear(ratio);
}

/* What is charged is the decimal of epsilon; the noise was made for the double, which may be above
 * it.  The privacy loss behind the charge is at most the decimal all the same, since the scale has
 * room; without the room it would often be more. */
static void loss_is_below_the_decimal_that_is_charged(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 12);
  sfm_error error;
  mpq_t loss, decimal, exact;
  mpq_inits(loss, decimal, exact, (mpq_ptr)0);
  int above = 0, broken = 0;
  for (int i = 0; i < 20000; i++) {
    double epsilon = i % 2 ? typed(&prng, 1e-6, 1e3) : log_uniform(&prng, 1e-6, 1e3);
    double l1 = fmin(epsilon, 1) * exp2(sfmi_prng_uniform(&prng) * 40);
    sfmi_noise_law law;
    assert_ok(sfmi_harden_laplace(&law, l1, epsilon, &error), &error);
    rational_of(decimal, epsilon);
    mpq_set_d(exact, epsilon);
    above += mpq_cmp(exact, decimal) > 0;
    loss_of(loss, l1, law.scale);
    assert_true(mpq_cmp(loss, decimal) <= 0);
    /* and room is left for the roundings behind l1 */
    mpq_set_d(exact, ROOM);
    mpq_mul(exact, exact, decimal);
    assert_true(mpq_cmp(loss, exact) <= 0);
    mpq_set_d(exact, l1 / epsilon);
    mpq_set_d(loss, l1);
    mpq_div(loss, loss, exact);
    broken += mpq_cmp(loss, decimal) > 0;
    assert_ok(sfmi_harden_normal(&law, l1, epsilon, &error), &error);
    loss_of(loss, l1, law.scale);
    mpq_set_d(decimal, epsilon); /* a mu stands for itself */
    mpq_set_d(exact, ROOM);
    mpq_mul(exact, exact, decimal);
    assert_true(mpq_cmp(loss, exact) <= 0);
  }
  assert_true(above > 5000 && broken > 5000);
  mpq_clears(loss, decimal, exact, (mpq_ptr)0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accountings_have_their_names),
      cmocka_unit_test(known_doubles_stand_for_their_decimals),
      cmocka_unit_test(what_is_no_amount_is_said_to_be_none),
      cmocka_unit_test(ten_tenths_are_one),
      cmocka_unit_test(amounts_are_the_decimals_rounded_once),
      cmocka_unit_test(amounts_are_printed_in_full),
      cmocka_unit_test(amounts_become_the_doubles_next_to_them),
      cmocka_unit_test(amounts_do_not_depend_on_the_locale),
      cmocka_unit_test(known_guarantees_cost_what_was_computed_by_hand),
      cmocka_unit_test(sixteen_gaussians_mean_eleven),
      cmocka_unit_test(what_an_accounting_cannot_hold_is_refused),
      cmocka_unit_test(costs_out_of_range_are_invalid),
      cmocka_unit_test(guarantees_that_contradict_themselves_are_invalid),
      cmocka_unit_test(gaussians_cost_what_they_were_asked_for),
      cmocka_unit_test(zcdp_costs_what_it_was_asked_for),
      cmocka_unit_test(costs_are_the_truth_rounded_up),
      cmocka_unit_test(costs_grow_with_their_parameters),
      cmocka_unit_test(amounts_agree_with_independent_vectors),
      cmocka_unit_test(basic_capacity_is_the_total_itself),
      cmocka_unit_test(capacities_grow_with_the_total),
      cmocka_unit_test(totals_out_of_range_are_invalid),
      cmocka_unit_test(whatever_fits_keeps_the_total),
      cmocka_unit_test(whatever_fits_keeps_the_basic_total),
      cmocka_unit_test(first_charge_may_be_the_whole_total),
      cmocka_unit_test(epsilon_of_basic_and_of_nothing_is_itself),
      cmocka_unit_test(epsilons_of_amounts_are_what_can_be_spent),
      cmocka_unit_test(last_places_fall_on_the_safe_side),
      cmocka_unit_test(loss_is_below_the_decimal_that_is_charged),
  };
  int failed = cmocka_run_group_tests_name("amount", tests, NULL, NULL);
  mpfr_free_cache();
  return failed;
}
