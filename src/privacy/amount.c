#include "amount.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

#include "base/text/words.h"
#include "base/system/c_locale.h"
#include "guarantee.h"

/* Squares of doubles in units take 106 + 40 bits; quotients are rounded in their own direction. */
#define PRECISION 256

/* A double, its decimal: at most 17 digits; a unit is the 12th place. */
#define PLACES 12
#define DIGITS_MAX 17
#define VALUE_MAX ((double)(SFMI_AMOUNT_MAX / SFMI_AMOUNT_ONE))

/* What a release really is: its parameter times this, or less.  hardened_noise.c makes the noise
 * 2^-48 larger than asked, which pays for the roundings behind the scale and for this quarter of
 * it. */
#define ROOM (1 - 0x1p-50)

/* ---- decimals ---- */

/* digits 10^exponent */
typedef struct decimal {
  uint64_t digits;
  int exponent;
} decimal;

/* The decimal a double stands for: the nearest one of the fewest digits that reads back as it; so
 * it is at most half a unit in the last place away.  value: finite, not negative. */
static decimal decimal_of(double value) {
  char text[64];
  int precision = 0;
  value = fabs(value); /* -0 */
  do {
    sfmi_snprintf(text, sizeof text, "%.*e", precision, value);
  } while (sfmi_strtod(text, NULL) != value && ++precision < DIGITS_MAX);
  decimal result = {0, -precision};
  const char *c = text;
  for (; *c != 'e'; c++)
    if (*c >= '0' && *c <= '9') result.digits = 10 * result.digits + (uint64_t)(*c - '0');
  result.exponent += (int)strtol(c + 1, NULL, 10);
  return result;
}

/* The nearest double not below (up) or not above the decimal that value stands for. */
static double decimal_double(double value, bool up) {
  const mpfr_rnd_t way = up ? MPFR_RNDU : MPFR_RNDD;
  const decimal d = decimal_of(value);
  char text[48];
  sfmi_snprintf(text, sizeof text, "%" PRIu64 "e%d", d.digits, d.exponent);
  mpfr_t x;
  mpfr_init2(x, 53);
  mpfr_strtofr(x, text, NULL, 10, way);
  double result = mpfr_get_d(x, way);
  mpfr_clear(x);
  return result;
}

/* n 10^shift / divisor, rounded up or down to an integer.  n <= 10^34, divisor <= 2, and the
 * result fits an amount: so everything fits 128 bits. */
static sfmi_amount scaled(sfmi_u128 n, int shift, unsigned divisor, bool up) {
  if (shift < -2 * DIGITS_MAX) return up && n > 0;
  sfmi_u128 power = 1;
  for (int i = 0; i < abs(shift); i++) power *= 10;
  const sfmi_u128 top = shift > 0 ? n * power : n;
  const sfmi_u128 bottom = shift > 0 ? divisor : power * divisor;
  return (sfmi_amount)(top / bottom) + (up && top % bottom > 0);
}

void sfmi_amount_print(char text[SFMI_AMOUNT_TEXT], sfmi_amount amount) {
  assert(amount >= 0);
  int length = sfmi_snprintf(text, SFMI_AMOUNT_TEXT, "%" PRId64 ".%0*" PRId64,
                             amount / SFMI_AMOUNT_ONE, PLACES, amount % SFMI_AMOUNT_ONE);
  while (text[length - 1] == '0') text[--length] = '\0';
  if (text[length - 1] == '.') text[--length] = '\0';
}

/* value is known to be in range. */
static sfmi_amount amount_of(double value, bool up) {
  assert(value >= 0 && value <= VALUE_MAX);
  const decimal d = decimal_of(value);
  return scaled(d.digits, d.exponent + PLACES, 1, up);
}

bool sfmi_amount_from(sfmi_amount *out, double value, bool up) {
  if (!(value >= 0 && value <= VALUE_MAX)) return false;
  *out = amount_of(value, up);
  return true;
}

/* The amount, or its root, to a double. */
static double double_of(sfmi_amount amount, bool root, bool up) {
  const mpfr_rnd_t way = up ? MPFR_RNDU : MPFR_RNDD;
  mpfr_t x;
  mpfr_init2(x, PRECISION);
  mpfr_set_sj(x, amount, MPFR_RNDN);
  mpfr_div_ui(x, x, SFMI_AMOUNT_ONE, way);
  if (root) mpfr_sqrt(x, x, way);
  double result = mpfr_get_d(x, way);
  mpfr_clear(x);
  return result;
}

double sfmi_amount_double(sfmi_amount amount, bool up) {
  return double_of(amount, false, up);
}

/* ---- real numbers in units ---- */

/* Of the double itself, not of the decimal it stands for; of its square, or of half of that. */
typedef enum units_kind { ITSELF, SQUARE, HALF_SQUARE } units_kind;

static sfmi_amount units_of(double value, units_kind kind, bool up) {
  const mpfr_rnd_t way = up ? MPFR_RNDU : MPFR_RNDD;
  mpfr_t x;
  mpfr_init2(x, PRECISION);
  mpfr_set_d(x, value, MPFR_RNDN);
  if (kind != ITSELF) mpfr_sqr(x, x, MPFR_RNDN);
  if (kind == HALF_SQUARE) mpfr_div_2ui(x, x, 1, MPFR_RNDN);
  mpfr_mul_ui(x, x, SFMI_AMOUNT_ONE, way);
  const sfmi_amount result = mpfr_get_sj(x, way);
  mpfr_clear(x);
  return result;
}

/* ---- costs ---- */

/* Whether the curve of a pure, gdp or zcdp guarantee passes at or below (epsilon, delta). */
static bool implies(const sfm_guarantee *guarantee, double epsilon, double delta) {
  double least = 1;
  if (guarantee->kind == SFM_GUARANTEE_GDP)
    return delta > 0 && sfmi_gdp_implies(guarantee->mu, epsilon, delta);
  return !sfm_guarantee_delta(&least, guarantee, epsilon, NULL) && least <= delta;
}

/* The same for the decimals that epsilon and delta stand for, and for the release itself, which has
 * more noise than its guarantee says (ROOM). */
static bool implies_decimals(const sfm_guarantee *guarantee, double epsilon, double delta) {
  sfm_guarantee release = *guarantee;
  release.epsilon *= ROOM;
  release.mu *= ROOM;
  release.rho *= ROOM;
  return implies(&release, decimal_double(epsilon, false), decimal_double(delta, false));
}

/* The (epsilon, delta) that a gdp, zcdp or approximate guarantee was asked for. */
static sfm_status check_asked(const sfm_guarantee *guarantee, sfm_error *error) {
  const char *kind = sfmi_known(sfm_guarantee_kind_name(guarantee->kind));
  const double epsilon = guarantee->epsilon, delta = guarantee->delta;
  if (epsilon == 0 && delta == 0)
    return sfmi_fail(
        error, SFM_REFUSED,
        "a %s guarantee that does not say which epsilon and delta it was asked for "
        "cannot be charged under basic accounting, where epsilons and deltas add: ask "
        "for the release with settings.epsilon and settings.delta%s",
        kind,
        guarantee->kind == SFM_GUARANTEE_GDP    ? ", or charge a dataset of gdp accounting"
        : guarantee->kind == SFM_GUARANTEE_ZCDP ? ", or charge a dataset of zcdp accounting"
                                                : "");
  if (!(epsilon >= 0 && epsilon <= SFMI_EPSILON_MAX))
    return sfmi_fail(error, SFM_INVALID, "the guarantee's epsilon is %g: it must be from 0 to %g",
                     epsilon, SFMI_EPSILON_MAX);
  if (!(delta >= 0 && delta < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the guarantee's delta is %g: it must be from 0 to below 1", delta);
  if (guarantee->kind != SFM_GUARANTEE_APPROXIMATE && !implies(guarantee, epsilon, delta))
    return sfmi_fail(error, SFM_INVALID,
                     "the guarantee contradicts itself: %s %.17g does not imply epsilon %.17g at "
                     "delta %.17g; charge what it does imply",
                     guarantee->kind == SFM_GUARANTEE_GDP ? "mu" : "rho",
                     guarantee->kind == SFM_GUARANTEE_GDP ? guarantee->mu : guarantee->rho, epsilon,
                     delta);
  return SFM_OK;
}

/* Decimals.  Where a double lies above its decimal, what was checked at the double holds at the
 * decimal too when the release's room covers the difference, and that is tried: a mu or rho moves
 * by about as much as epsilon and delta do, relatively, unless delta is close to 1.  Where the room
 * does not cover it, one more unit of delta does: no curve falls faster than 1 with epsilon, so
 * over half a last place of epsilon <= 1e3 and of delta it changes by 1.2e-13 at most. */
static sfm_status basic_cost(sfmi_cost *out, const sfm_guarantee *guarantee, sfm_error *error) {
  const bool pure = guarantee->kind == SFM_GUARANTEE_PURE;
  sfm_status status = pure ? SFM_OK : check_asked(guarantee, error);
  if (status) return status;
  const double epsilon = guarantee->epsilon, delta = pure ? 0 : guarantee->delta;
  sfmi_cost cost = {amount_of(epsilon, true), amount_of(delta, true)};
  if (!pure && guarantee->kind != SFM_GUARANTEE_APPROXIMATE &&
      !implies_decimals(guarantee, epsilon, delta))
    cost.delta++;
  *out = cost;
  return SFM_OK;
}

/* rho: epsilon^2/2 of the decimal epsilon, mu^2/2, or itself. */
static sfmi_amount zcdp_cost(const sfm_guarantee *guarantee) {
  if (guarantee->kind == SFM_GUARANTEE_ZCDP) return amount_of(guarantee->rho, true);
  if (guarantee->kind == SFM_GUARANTEE_GDP) return units_of(guarantee->mu, HALF_SQUARE, true);
  const decimal d = decimal_of(guarantee->epsilon);
  return scaled((sfmi_u128)d.digits * d.digits, 2 * d.exponent + PLACES, 2, true);
}

/* mu^2; a pure epsilon is taken as its decimal, or a double above that. */
static sfm_status gdp_cost(sfmi_cost *out, const sfm_guarantee *guarantee, sfm_error *error) {
  sfm_guarantee normal = *guarantee;
  if (guarantee->kind == SFM_GUARANTEE_ZCDP)
    return sfmi_fail(error, SFM_REFUSED,
                     "a zcdp guarantee (rho %g) cannot be charged under gdp accounting: no mu "
                     "follows from a rho; ask for Gaussian noise whose guarantee is gdp, or charge "
                     "a dataset of zcdp accounting",
                     guarantee->rho);
  if (guarantee->kind == SFM_GUARANTEE_PURE) {
    const sfm_guarantee above = {.kind = SFM_GUARANTEE_PURE,
                                 .epsilon = decimal_double(guarantee->epsilon, true)};
    sfm_status status = sfm_guarantee_convert(&normal, &above, SFM_GUARANTEE_GDP, error);
    if (status) return status;
  }
  *out = (sfmi_cost){.main = units_of(normal.mu, SQUARE, true)};
  return SFM_OK;
}

sfm_status sfmi_cost_of(sfmi_cost *out, const sfm_guarantee *guarantee, sfm_accounting accounting,
                        sfm_error *error) {
  const sfm_guarantee_kind kind = guarantee->kind;
  sfm_status status = SFM_OK;
  if (kind == SFM_GUARANTEE_RANDOM_DP)
    return sfmi_fail(error, SFM_REFUSED,
                     "random-dp is not differential privacy and is never charged as if it were: "
                     "release with a pure, gdp or zcdp guarantee, or without a ledger");
  if (kind == SFM_GUARANTEE_APPROXIMATE && accounting != SFM_ACCOUNTING_BASIC)
    return sfmi_fail(error, SFM_REFUSED,
                     "an approximate guarantee (epsilon %g, delta %g) cannot be charged under %s "
                     "accounting, as nothing more is known of it; charge a dataset of basic "
                     "accounting, where epsilons and deltas add",
                     guarantee->epsilon, guarantee->delta,
                     sfmi_known(sfm_accounting_name(accounting)));
  if (kind != SFM_GUARANTEE_APPROXIMATE) status = sfmi_guarantee_check(guarantee, error);
  if (status) return status;
  switch (accounting) {
  case SFM_ACCOUNTING_BASIC:
    status = basic_cost(out, guarantee, error);
    break;
  case SFM_ACCOUNTING_ZCDP:
    *out = (sfmi_cost){.main = zcdp_cost(guarantee)};
    break;
  case SFM_ACCOUNTING_GDP:
    status = gdp_cost(out, guarantee, error);
    break;
  default:
    status = sfmi_fail(error, SFM_INVALID, "unknown accounting: use basic, zcdp or gdp");
  }
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return status;
}

sfm_status sfmi_cost_first(sfmi_cost *out, const sfm_guarantee *guarantee,
                           sfm_accounting accounting, double epsilon, double delta,
                           sfm_error *error) {
  sfmi_cost cost, capacity;
  sfm_status status = sfmi_cost_capacity(&capacity, epsilon, delta, accounting, error);
  if (!status) status = sfmi_cost_of(&cost, guarantee, accounting, error);
  if (status) return status;
  const bool fits = cost.main <= capacity.main && cost.delta <= capacity.delta;
  /* By its own words the whole total.  Anything smaller that does not fit (a pure epsilon under
   * gdp, say) is refused rather than taken for all there is. */
  const bool asked = guarantee->epsilon == epsilon &&
                     (guarantee->kind == SFM_GUARANTEE_PURE || guarantee->delta == delta);
  const bool whole = !fits && asked && guarantee->kind != SFM_GUARANTEE_APPROXIMATE &&
                     implies_decimals(guarantee, epsilon, delta);
  *out = whole ? capacity : cost;
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return SFM_OK;
}

/* ---- capacities ---- */

static sfm_status check_total(double epsilon, double delta, sfm_accounting accounting,
                              sfm_error *error) {
  const bool basic = accounting == SFM_ACCOUNTING_BASIC;
  const double least = basic ? sfmi_amount_double(1, false) : SFMI_DELTA_MIN;
  const char *name = sfmi_known(sfm_accounting_name(accounting));
  if (!basic && accounting != SFM_ACCOUNTING_ZCDP && accounting != SFM_ACCOUNTING_GDP)
    return sfmi_fail(error, SFM_INVALID, "unknown accounting: use basic, zcdp or gdp");
  if (!(epsilon >= SFMI_EPSILON_MIN && epsilon <= SFMI_EPSILON_MAX))
    return sfmi_fail(
        error, SFM_INVALID,
        "the total epsilon is %g: write a number from %g to %g, such as dataset.epsilon = 1",
        epsilon, SFMI_EPSILON_MIN, SFMI_EPSILON_MAX);
  if (!basic && delta == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "the total delta is 0: %s accounting needs a number above 0 and below 1, such "
                     "as dataset.delta = 1e-6 (for delta 0 use dataset.accounting = basic)",
                     name);
  if (!(delta == 0 || (delta >= least && delta < 1)))
    return sfmi_fail(error, SFM_INVALID,
                     "the total delta is %g: under %s accounting write %sa number from %g to below "
                     "1, such as dataset.delta = 1e-6",
                     delta, name, basic ? "0, or " : "", least);
  return SFM_OK;
}

/* The most units of rho whose curve passes at or below (epsilon, delta): by bisection, the lower
 * end of which was seen to. */
static sfmi_amount most_rho(double epsilon, double delta) {
  sfmi_amount low = 0, high = (sfmi_amount)SFMI_RHO_MAX * SFMI_AMOUNT_ONE;
  while (high - low > 1) {
    const sfmi_amount middle = low + (high - low) / 2;
    const sfm_guarantee at = {.kind = SFM_GUARANTEE_ZCDP, .rho = sfmi_amount_double(middle, true)};
    if (implies(&at, epsilon, delta)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The most units of mu^2; delta may be a last place below the least that is calibrated for. */
static sfm_status most_mu_squared(sfmi_amount *out, double epsilon, double delta,
                                  sfm_error *error) {
  double mu = 0;
  sfm_status status =
      sfmi_gdp_mu_for(&mu, epsilon, fmax(delta, SFMI_DELTA_MIN), SFM_CALIBRATION_EXACT, error);
  if (status) return status;
  while (!sfmi_gdp_implies(mu, epsilon, delta)) mu = nextafter(mu, 0);
  *out = units_of(mu, SQUARE, false);
  return SFM_OK;
}

sfm_status sfmi_cost_capacity(sfmi_cost *out, double epsilon, double delta,
                              sfm_accounting accounting, sfm_error *error) {
  sfm_status status = check_total(epsilon, delta, accounting, error);
  if (status) return status;
  sfmi_cost result = {.main = amount_of(epsilon, false)};
  /* Doubles at or below the decimals of the total. */
  const double low_epsilon = sfmi_amount_double(result.main, false);
  const double low_delta = decimal_double(delta, false);
  if (accounting == SFM_ACCOUNTING_BASIC) {
    result.delta = amount_of(delta, false);
  } else if (accounting == SFM_ACCOUNTING_ZCDP) {
    result.main = most_rho(low_epsilon, low_delta);
  } else {
    status = most_mu_squared(&result.main, low_epsilon, low_delta, error);
  }
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  if (status) return status;
  if (result.main == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "a total of epsilon %g and delta %g allows a %s below 1e-12, the unit that %s "
                     "accounting counts in, so nothing could be charged: write a larger epsilon or "
                     "delta, or dataset.accounting = basic",
                     epsilon, delta, accounting == SFM_ACCOUNTING_ZCDP ? "rho" : "mu^2",
                     sfmi_known(sfm_accounting_name(accounting)));
  *out = result;
  return SFM_OK;
}

sfm_status sfmi_cost_epsilon(sfmi_amount *epsilon, sfmi_amount main, sfm_accounting accounting,
                             double delta, bool up, sfm_error *error) {
  assert(main >= 0 && main <= SFMI_AMOUNT_MAX);
  if (main == 0 || accounting == SFM_ACCOUNTING_BASIC) {
    *epsilon = main;
    return SFM_OK;
  }
  if (!(delta >= SFMI_DELTA_MIN && delta < 1))
    return sfmi_fail(
        error, SFM_INVALID,
        "delta is %g: under %s accounting epsilon is stated at a delta from %g to below "
        "1, such as 1e-6",
        delta, sfmi_known(sfm_accounting_name(accounting)), SFMI_DELTA_MIN);
  sfm_guarantee at = {.kind = SFM_GUARANTEE_ZCDP};
  if (accounting == SFM_ACCOUNTING_GDP) {
    at = (sfm_guarantee){.kind = SFM_GUARANTEE_GDP, .mu = double_of(main, true, up)};
  } else {
    at.rho = sfmi_amount_double(main, up);
  }
  /* The least double that is implied; the one before it is not. */
  const double at_delta = decimal_double(delta, !up);
  double least = 0;
  sfm_status status = at_delta < 1 ? sfm_guarantee_epsilon(&least, &at, at_delta, error) : SFM_OK;
  if (status) return status;
  *epsilon = units_of(up ? least : nextafter(least, 0), ITSELF, up);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return SFM_OK;
}
