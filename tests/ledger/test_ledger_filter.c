/* test_ledger_filter.c - somebody who chooses every charge after seeing what is left, to a unit and
 * to a last place, cannot pass the total; and is not refused what truly fits.  Recomputed in 160
 * bits from the guarantees themselves, not from what the ledger says they cost.
 *
 *   basic  sum epsilon <= E and sum delta <= D
 *   zcdp   rho = sum (epsilon^2/2, mu^2/2, rho) has
 *            min over a > 1 of exp((a-1)(a rho - E)) (1-1/a)^a / (a-1)  <=  D
 *   gdp    mu^2 = sum (mu^2, (2 Phi^-1(e^eps/(1+e^eps)))^2) has
 *            Phi(-E/mu + mu/2) - e^E Phi(-E/mu - mu/2)  <=  D */
/* suite: both */
#include "test_support.h"

#include <mpfr.h>

#include "child_process.h"
#include "ledger/ledger_transaction.h"
#include "ledger_scenario.h"

#define BITS 160
#define NEAR MPFR_RNDN

/* ---- the truth ---- */

/* The shortest decimal that reads back as the double. */
static void set_decimal(mpfr_t out, double value) {
  char text[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  mpfr_set_str(out, text, 10, NEAR);
}

/* Phi(x) */
static void normal(mpfr_t out, const mpfr_t x) {
  mpfr_t t;
  mpfr_init2(t, BITS);
  mpfr_sqrt_ui(t, 2, NEAR);
  mpfr_div(t, x, t, NEAR);
  mpfr_neg(t, t, NEAR);
  mpfr_erfc(t, t, NEAR);
  mpfr_div_2ui(out, t, 1, NEAR);
  mpfr_clear(t);
}

/* mu^2 of a pure epsilon: Phi(-mu/2) = 1/(1+e^eps), by bisection. */
static void pure_as_gdp(mpfr_t square, const mpfr_t epsilon) {
  mpfr_t low, high, middle, wanted, got;
  mpfr_inits2(BITS, low, high, middle, wanted, got, NULL);
  mpfr_exp(wanted, epsilon, NEAR);
  mpfr_add_ui(wanted, wanted, 1, NEAR);
  mpfr_ui_div(wanted, 1, wanted, NEAR);
  mpfr_set_ui(low, 0, NEAR);
  mpfr_add_ui(high, epsilon, 1, NEAR); /* mu <= eps sqrt(pi/2) < 2 (eps + 1) */
  for (int i = 0; i < 140; i++) {
    mpfr_add(middle, low, high, NEAR);
    mpfr_div_2ui(middle, middle, 1, NEAR);
    mpfr_neg(got, middle, NEAR);
    normal(got, got);
    if (mpfr_cmp(got, wanted) < 0) /* middle is beyond */
      mpfr_set(high, middle, NEAR);
    else
      mpfr_set(low, middle, NEAR);
  }
  mpfr_mul_2ui(high, high, 1, NEAR);
  mpfr_sqr(square, high, NEAR);
  mpfr_clears(low, high, middle, wanted, got, NULL);
}

/* What a guarantee adds to the sums; delta only under basic. */
static void true_cost(mpfr_t main, mpfr_t delta, const sfm_guarantee *g,
                      sfm_accounting accounting) {
  mpfr_set_ui(delta, 0, NEAR);
  if (accounting == SFM_ACCOUNTING_BASIC) {
    set_decimal(main, g->epsilon);
    if (g->kind != SFM_GUARANTEE_PURE) set_decimal(delta, g->delta);
    return;
  }
  if (g->kind == SFM_GUARANTEE_ZCDP) {
    set_decimal(main, g->rho);
    return;
  }
  if (g->kind == SFM_GUARANTEE_GDP) {
    mpfr_set_d(main, g->mu, NEAR);
    mpfr_sqr(main, main, NEAR);
  } else {
    set_decimal(main, g->epsilon);
    if (accounting == SFM_ACCOUNTING_GDP) {
      pure_as_gdp(main, main);
      return;
    }
    mpfr_sqr(main, main, NEAR);
  }
  if (accounting == SFM_ACCOUNTING_ZCDP) mpfr_div_2ui(main, main, 1, NEAR);
}

/* (2a-1) rho - E + log(1-1/a), which rises with a. */
static void slope(mpfr_t out, const mpfr_t a, const mpfr_t rho, const mpfr_t epsilon) {
  mpfr_t t;
  mpfr_init2(t, BITS);
  mpfr_mul_2ui(out, a, 1, NEAR);
  mpfr_sub_ui(out, out, 1, NEAR);
  mpfr_mul(out, out, rho, NEAR);
  mpfr_sub(out, out, epsilon, NEAR);
  mpfr_ui_div(t, 1, a, NEAR);
  mpfr_neg(t, t, NEAR);
  mpfr_log1p(t, t, NEAR);
  mpfr_add(out, out, t, NEAR);
  mpfr_clear(t);
}

static void zcdp_delta(mpfr_t out, const mpfr_t rho, const mpfr_t epsilon) {
  mpfr_t low, high, a, t;
  mpfr_inits2(BITS, low, high, a, t, NULL);
  mpfr_set_ui(low, 1, NEAR);
  mpfr_set_ui(high, 2, NEAR);
  for (slope(t, high, rho, epsilon); mpfr_sgn(t) < 0; slope(t, high, rho, epsilon))
    mpfr_mul_2ui(high, high, 1, NEAR);
  for (int i = 0; i < 140; i++) {
    mpfr_add(a, low, high, NEAR);
    mpfr_div_2ui(a, a, 1, NEAR);
    slope(t, a, rho, epsilon);
    mpfr_set(mpfr_sgn(t) < 0 ? low : high, a, NEAR);
  }
  mpfr_mul(t, a, rho, NEAR); /* log delta = (a-1)(a rho - E) + a log(1-1/a) - log(a-1) */
  mpfr_sub(t, t, epsilon, NEAR);
  mpfr_sub_ui(low, a, 1, NEAR);
  mpfr_mul(t, t, low, NEAR);
  mpfr_log(low, low, NEAR);
  mpfr_sub(t, t, low, NEAR);
  mpfr_ui_div(high, 1, a, NEAR);
  mpfr_neg(high, high, NEAR);
  mpfr_log1p(high, high, NEAR);
  mpfr_mul(high, high, a, NEAR);
  mpfr_add(t, t, high, NEAR);
  mpfr_exp(out, t, NEAR);
  mpfr_clears(low, high, a, t, NULL);
}

static void gdp_delta(mpfr_t out, const mpfr_t square, const mpfr_t epsilon) {
  mpfr_t mu, ratio, t;
  mpfr_inits2(BITS, mu, ratio, t, NULL);
  mpfr_sqrt(mu, square, NEAR);
  mpfr_div(ratio, epsilon, mu, NEAR);
  mpfr_div_2ui(mu, mu, 1, NEAR);
  mpfr_sub(t, mu, ratio, NEAR);
  normal(out, t);
  mpfr_add(t, mu, ratio, NEAR);
  mpfr_neg(t, t, NEAR);
  normal(t, t);
  mpfr_exp(mu, epsilon, NEAR);
  mpfr_mul(t, t, mu, NEAR);
  mpfr_sub(out, out, t, NEAR);
  mpfr_clears(mu, ratio, t, NULL);
}

/* x <= y, but for the roundings of decimals that are no binary fractions. */
static bool at_most(const mpfr_t x, const mpfr_t y) {
  mpfr_t room;
  mpfr_init2(room, BITS);
  mpfr_div_2ui(room, y, 120, NEAR);
  mpfr_add(room, room, y, NEAR);
  const bool good = mpfr_cmp(x, room) <= 0;
  mpfr_clear(room);
  return good;
}

/* Whether the sums keep a total's promise. */
static bool holds(const mpfr_t main, const mpfr_t delta, const scenario *w) {
  mpfr_t epsilon, allowed, got;
  if (mpfr_sgn(main) <= 0) return true;
  mpfr_inits2(BITS, epsilon, allowed, got, NULL);
  set_decimal(epsilon, w->epsilon);
  set_decimal(allowed, w->delta);
  bool good;
  if (w->accounting == SFM_ACCOUNTING_BASIC) {
    good = at_most(main, epsilon) && at_most(delta, allowed);
  } else {
    if (w->accounting == SFM_ACCOUNTING_ZCDP)
      zcdp_delta(got, main, epsilon);
    else
      gdp_delta(got, main, epsilon);
    good = mpfr_cmp(got, allowed) <= 0;
  }
  mpfr_clears(epsilon, allowed, got, NULL);
  return good;
}

/* Whether a guarantee keeps it by itself, whatever it adds to the sums. */
static bool holds_alone(const sfm_guarantee *g, const scenario *w) {
  mpfr_t epsilon, allowed, got;
  mpfr_inits2(BITS, epsilon, allowed, got, NULL);
  set_decimal(epsilon, w->epsilon);
  set_decimal(allowed, w->delta);
  bool good;
  if (g->kind == SFM_GUARANTEE_PURE) {
    set_decimal(got, g->epsilon);
    good = mpfr_cmp(got, epsilon) <= 0;
  } else {
    if (g->kind == SFM_GUARANTEE_GDP) {
      mpfr_set_d(got, g->mu, NEAR);
      mpfr_sqr(got, got, NEAR);
      gdp_delta(got, got, epsilon);
    } else {
      set_decimal(got, g->rho);
      zcdp_delta(got, got, epsilon);
    }
    good = mpfr_cmp(got, allowed) <= 0;
  }
  mpfr_clears(epsilon, allowed, got, NULL);
  return good;
}

/* ---- the search ---- */

/* A guarantee of some kind that costs about so much. */
static sfm_guarantee costing(sfm_accounting accounting, double main, double delta,
                             sfmi_prng *prng) {
  const uint64_t kind = sfmi_prng_word(prng) % 3;
  sfm_guarantee g = {.kind = SFM_GUARANTEE_PURE};
  if (accounting == SFM_ACCOUNTING_BASIC) {
    g.epsilon = main;
    if (kind == 0 || delta <= 0) return g;
    g.delta = delta;
    g.kind = SFM_GUARANTEE_APPROXIMATE;
    if (kind == 1 && main >= 1e-6 && !sfm_gdp_calibrate(&g.mu, main, delta, NULL))
      g.kind = SFM_GUARANTEE_GDP;
    return g;
  }
  const double half = accounting == SFM_ACCOUNTING_ZCDP ? 2 : 1;
  if (kind == 0) {
    /* mu = 2 Phi^-1(...) is about eps sqrt(pi/2)... for small epsilon. */
    g.epsilon = accounting == SFM_ACCOUNTING_ZCDP ? sqrt(2 * main) : sqrt(main / (M_PI / 2));
    return g;
  }
  if (kind == 1 || accounting == SFM_ACCOUNTING_GDP) {
    g.kind = SFM_GUARANTEE_GDP;
    g.mu = sqrt(half * main);
    return g;
  }
  g.kind = SFM_GUARANTEE_ZCDP;
  g.rho = main;
  return g;
}

/* One last place up or down, sometimes: of whatever is not zero. */
static void nudge(sfm_guarantee *g, sfmi_prng *prng) {
  double *const parts[] = {&g->epsilon, &g->mu, &g->rho};
  const double way = sfmi_prng_word(prng) % 2 ? 1e300 : 0;
  const uint64_t times = sfmi_prng_word(prng) % 3;
  if (g->kind == SFM_GUARANTEE_GDP && g->epsilon > 0)
    return; /* mu must go on implying epsilon and delta */
  for (uint64_t t = 0; t < times; t++)
    for (int i = 0; i < 3; i++)
      if (*parts[i] > 0) *parts[i] = nextafter(*parts[i], way);
}

/* How much to ask for, given what is left: all of it, a unit more or less, a part, next to nothing.
 */
static double appetite(double left, sfmi_prng *prng) {
  const uint64_t hunger = sfmi_prng_word(prng) % 16;
  switch (hunger) {
  case 0:
    return left;
  case 1:
    return left + 1e-12;
  case 2:
    return left - 1e-12;
  case 3:
    return left * (1 + 1e-14);
  case 4:
    return left / (double)(1 + sfmi_prng_word(prng) % 7);
  case 5:
    return 1e-12 * (double)(1 + sfmi_prng_word(prng) % 5);
  default:
    return left * sfmi_prng_uniform(prng) * 0.3;
  }
}

typedef struct sums {
  mpfr_t main, delta, cost, cost_delta, slack;
  unsigned accepted, refused;
  bool full; /* the first charge took the whole total: it keeps it by itself */
} sums;

/* One charge, chosen from what is left; the sums follow if it is accepted. */
static void step(sums *s, const scenario *w, sfm_ledger *ledger, unsigned number, sfmi_prng *prng) {
  sfm_error error = {0};
  sfmi_charge_handle handle;
  char request[32];
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = request};
  const sfmi_dataset *now = sfmi_tally_find(&ledger->tally, "patients");
  const double left = (double)(now->capacity.main - now->spent.main) / 1e12,
               left_delta = (double)(now->capacity.delta - now->spent.delta) / 1e12;
  sfm_guarantee g = costing(w->accounting, fmax(0, appetite(left, prng)),
                            fmax(0, appetite(left_delta, prng)), prng);
  nudge(&g, prng);
  if (!(g.epsilon + g.mu + g.rho > 0)) return;
  snprintf(request, sizeof request, "r%u", number);
  const sfm_status status = sfmi_ledger_charge(&handle, &charge, "{}", &g, &error);
  sfmi_charge_handle_clear(&handle);
  if (status == SFM_INVALID) return; /* out of a guarantee's range */
  true_cost(s->cost, s->cost_delta, &g, w->accounting);
  mpfr_add(s->cost, s->cost, s->main, NEAR);
  mpfr_add(s->cost_delta, s->cost_delta, s->delta, NEAR);
  if (!status) {
    s->accepted++;
    mpfr_set(s->main, s->cost, NEAR);
    mpfr_set(s->delta, s->cost_delta, NEAR);
    if (s->accepted == 1 && !holds(s->main, s->delta, w)) s->full = holds_alone(&g, w);
    if ((!s->full || s->accepted > 1) && (s->full || !holds(s->main, s->delta, w)))
      fail_msg("charge %u, of kind %s, epsilon %.17g, delta %.17g, mu %.17g, rho %.17g, passed the "
               "total",
               number, sfm_guarantee_kind_name(g.kind), g.epsilon, g.delta, g.mu, g.rho);
    return;
  }
  assert_int_equal(status, SFM_REFUSED);
  s->refused++;
  if (s->full) return;
  /* Each charge is rounded up by a unit at most, the total down by two. */
  mpfr_set_d(s->slack, 1e-12 * (s->accepted + 4), NEAR);
  mpfr_add(s->cost, s->cost, s->slack, NEAR);
  mpfr_add(s->cost_delta, s->cost_delta, s->slack, NEAR);
  if (holds(s->cost, s->cost_delta, w))
    fail_msg("charge %u, of kind %s, epsilon %.17g, delta %.17g, mu %.17g, rho %.17g, was refused "
             "and fits: %s",
             number, sfm_guarantee_kind_name(g.kind), g.epsilon, g.delta, g.mu, g.rho,
             error.message);
}

static unsigned accepted, refused;

static void search(sfm_accounting accounting, double epsilon, double delta, uint64_t seed) {
  scenario w;
  sfm_ledger *ledger;
  sfm_error error = {0};
  sums s = {.accepted = 0};
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  mpfr_inits2(BITS, s.main, s.delta, s.cost, s.cost_delta, s.slack, NULL);
  mpfr_set_ui(s.main, 0, NEAR);
  mpfr_set_ui(s.delta, 0, NEAR);
  scenario_init(&w, false);
  w.accounting = accounting;
  w.epsilon = epsilon;
  w.delta = delta;
  assert_ok(scenario_open(&w, &ledger, &error), &error);
  for (unsigned i = 1; i <= 40; i++) step(&s, &w, ledger, i, &prng);
  assert_ok(sfm_ledger_verify(ledger, NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
  if (scenario_check(&w)) fail_msg("%s", w.report->text);
  accepted += s.accepted;
  refused += s.refused;
  scenario_clear(&w);
  mpfr_clears(s.main, s.delta, s.cost, s.cost_delta, s.slack, NULL);
}

static void searches(sfm_accounting accounting) {
  static const double totals[][2] = {
      {1, 1e-6}, {3, 1e-9}, {0.1, 1e-3}, {10, 1e-5}, {0.7, 0.01}, {1.0 / 3, 1e-12},
  };
  const uint64_t seeds = test_long() ? 100 : 8 / CHILD_STRIDE + 1;
  accepted = refused = 0;
  for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
    for (uint64_t seed = 1; seed <= seeds; seed++)
      search(accounting, totals[i][0], totals[i][1], 1000 * i + seed);
  mpfr_free_cache();
  print_message("%s: %u charges accepted, %u refused\n", sfm_accounting_name(accounting), accepted,
                refused);
  assert_true(accepted > 40 * seeds && refused > 20 * seeds);
}

static void basic_is_never_passed(void **state) {
  (void)state;
  searches(SFM_ACCOUNTING_BASIC);
}

static void zcdp_is_never_passed(void **state) {
  (void)state;
  searches(SFM_ACCOUNTING_ZCDP);
}

static void gdp_is_never_passed(void **state) {
  (void)state;
  searches(SFM_ACCOUNTING_GDP);
}

/* What the truth above says of examples that are known or can be computed by hand:
 * a filter test whose own arithmetic were wrong would prove nothing. */
static void the_recomputation_is_right(void **state) {
  (void)state;
  mpfr_t x, y, z;
  mpfr_inits2(BITS, x, y, z, NULL);
  /* mu = 1/1.0859 at (1, 0.1) and 1/4.2247 at (1, 1e-6), to the digits printed. */
  const double table[][2] = {{1.0859, 0.1}, {4.2247, 1e-6}};
  for (int i = 0; i < 2; i++) {
    mpfr_set_ui(y, 1, NEAR);
    mpfr_set_d(x, 1 / (table[i][0] * table[i][0]), NEAR);
    gdp_delta(z, x, y);
    assert_relative("delta of a known sigma", mpfr_get_d(z, NEAR), table[i][1], 2e-3);
  }
  /* A pure epsilon of log 3 is right three times of four: mu = 2 Phi^-1(3/4). */
  mpfr_set_ui(x, 3, NEAR);
  mpfr_log(x, x, NEAR);
  pure_as_gdp(y, x);
  assert_near("mu^2 of log 3", mpfr_get_d(y, NEAR), 4 * 0.6744897501960817 * 0.6744897501960817,
              1e-15);
  /* zCDP at a = 2: delta <= exp(2 rho - E)/4, and the least is no more. */
  mpfr_set_d(x, 0.1, NEAR);
  mpfr_set_ui(y, 2, NEAR);
  zcdp_delta(z, x, y);
  assert_true(mpfr_get_d(z, NEAR) <= exp(0.2 - 2) / 4);
  /* Bun and Steinke's weaker bound: epsilon = rho + 2 sqrt(rho log(1/delta)). */
  assert_true(mpfr_get_d(z, NEAR) < exp(-pow(1.9, 2) / (4 * 0.1)));
  assert_true(mpfr_get_d(z, NEAR) > 0.01 * exp(-pow(1.9, 2) / (4 * 0.1)));
  mpfr_clears(x, y, z, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_recomputation_is_right),
      cmocka_unit_test(basic_is_never_passed),
      cmocka_unit_test(zcdp_is_never_passed),
      cmocka_unit_test(gdp_is_never_passed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
