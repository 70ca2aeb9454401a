/* test_design_optimal.c - mechanisms for counts are as good as the program of all of them says,
 * exactly private, and what a remap may be taken for. */
#include "test_support.h"

#include <gmp.h>
#include <mpfr.h>

#include "planner/optimal/design_optimal.h"
#include "planner/optimal/optimal_table.h"
#include "planner/optimal/remap.h"

/* What exactness may cost, and what tests by another solver agree to, relative; solvers are right
 * to about 1e-9 of the losses, of which the risk may be a ten-millionth. */
#define REPAIR 1e-6
#define SOLVER 1e-6
#define ABSOLUTE 1e-8

/* ---- losses and priors of tests/vectors/optimal.py ---- */

static const char *const losses[] = {"absolute", "squared", "zero-one",
                                     "tilted",   "stairs",  "lumpy"};
enum { LOSSES = 6, LUMPY = 5 };

static double loss_of(int loss, int i, int j) {
  const int distance = abs(i - j);
  switch (loss) {
  case 0:
    return distance;
  case 1:
    return distance * distance;
  case 2:
    return distance > 0;
  case 3:
    return j < i ? 3 * distance : distance;
  case 4:
    return (distance + 1) / 2 * (1 + i % 3);
  default:
    return (5 * i + 3 * j + i * j) % 7;
  }
}

static double weight_of(const char *prior, size_t i, size_t n) {
  if (!strcmp(prior, "uniform")) return 1 / (double)(n + 1);
  if (!strcmp(prior, "ends")) return 0.5 * (i == 0) + 0.5 * (i == n);
  return 2 * (double)(i + 1) / (double)((n + 1) * (n + 2)); /* rising */
}

static sfmi_optimal *question(size_t n, double epsilon, int loss, sfm_optimal_objective objective,
                              const char *prior) {
  sfmi_optimal *optimal;
  sfm_error error;
  assert_ok(sfmi_optimal_create(&optimal, n, epsilon, &error), &error);
  optimal->loss = loss < 3 ? (sfm_optimal_loss)loss : SFM_OPTIMAL_LOSS_OWN;
  optimal->objective = objective;
  for (size_t i = 0; i <= n; i++)
    for (size_t j = 0; j <= n; j++)
      optimal->losses[i * (n + 1) + j] = loss_of(loss, (int)i, (int)j);
  if (objective != SFM_OPTIMAL_OBJECTIVE_BAYES) return optimal;
  optimal->prior = malloc((n + 1) * sizeof *optimal->prior);
  for (size_t i = 0; i <= n; i++) optimal->prior[i] = weight_of(prior, i, n);
  return optimal;
}

static sfmi_optimal *find(size_t n, double epsilon, int loss, sfm_optimal_objective objective,
                          const char *prior) {
  sfmi_optimal *optimal = question(n, epsilon, loss, objective, prior);
  sfm_error error;
  assert_ok(sfmi_design_optimal_find(optimal, &error), &error);
  return optimal;
}

/* ---- every ratio, in rationals ---- */

/* G for any rational a in (0, 1) in place of e^-epsilon. */
static void rational_geometric(mpq_t *g, size_t n, const mpq_t a) {
  mpq_t power, end, inside, one;
  mpq_inits(power, end, inside, one, NULL);
  mpq_set_ui(one, 1, 1);
  mpq_add(end, one, a);
  mpq_inv(end, end);
  mpq_sub(inside, one, a);
  mpq_mul(inside, inside, end);
  for (size_t i = 0; i <= n; i++)
    for (size_t k = 0; k <= n; k++) {
      mpq_set(power, k == 0 || k == n ? end : inside);
      for (size_t d = i > k ? i - k : k - i; d > 0; d--) mpq_mul(power, power, a);
      mpq_set(g[i * (n + 1) + k], power);
    }
  mpq_clears(power, end, inside, one, NULL);
}

/* The law of the answers of a remap with that a. */
static void rational_law(mpq_t *law, const sfmi_optimal *optimal, const mpq_t a) {
  const size_t n = optimal->n, size = n + 1;
  mpq_t *g = malloc(size * size * sizeof *g), entry;
  for (size_t e = 0; e < size * size; e++) mpq_init(g[e]);
  mpq_init(entry);
  rational_geometric(g, n, a);
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) {
      mpq_set_ui(law[i * size + j], 0, 1);
      for (size_t k = 0; k < size; k++) {
        mpq_set_ui(entry, optimal->numerators[k * size + j], SFMI_OPTIMAL_ONE);
        mpq_canonicalize(entry);
        mpq_mul(entry, entry, g[i * size + k]);
        mpq_add(law[i * size + j], law[i * size + j], entry);
      }
    }
  for (size_t e = 0; e < size * size; e++) mpq_clear(g[e]);
  mpq_clear(entry);
  free(g);
}

/* Rows sum to one, and a x <= y for all neighbours x, y of a column: with a = e^-epsilon the
 * definition of privacy. */
static void assert_private(mpq_t *law, size_t n, const mpq_t a) {
  const size_t size = n + 1;
  mpq_t sum, least;
  mpq_inits(sum, least, NULL);
  for (size_t i = 0; i < size; i++) {
    mpq_set_ui(sum, 0, 1);
    for (size_t j = 0; j < size; j++) {
      mpq_add(sum, sum, law[i * size + j]);
      for (int up = 0; up < 2; up++) {
        if (up ? i == n : i == 0) continue;
        mpq_mul(least, a, law[i * size + j]);
        assert_true(mpq_cmp(least, law[(up ? i + 1 : i - 1) * size + j]) <= 0);
      }
    }
    assert_int_equal(mpq_cmp_ui(sum, 1, 1), 0);
  }
  mpq_clears(sum, least, NULL);
}

/* A rational number near e^-epsilon: below it, or not below. */
static void near_power(mpq_t out, double epsilon, bool above) {
  mpfr_t x;
  mpfr_init2(x, 200);
  mpfr_set_d(x, -epsilon, MPFR_RNDN);
  mpfr_exp(x, x, above ? MPFR_RNDU : MPFR_RNDD);
  mpfr_get_q(out, x);
  mpfr_clear(x);
}

static void check_rationally(const sfmi_optimal *optimal) {
  const size_t size = optimal->n + 1;
  mpq_t *law = malloc(size * size * sizeof *law), a;
  for (size_t e = 0; e < size * size; e++) mpq_init(law[e]);
  mpq_init(a);
  /* A remap is private for every a, those on both sides of e^-epsilon among them; a matrix for
   * what is not below it. */
  const bool matrix = optimal->form == SFM_OPTIMAL_MATRIX;
  for (int way = matrix ? 1 : 0; way < (matrix ? 2 : 3); way++) {
    if (way < 2)
      near_power(a, optimal->epsilon, way == 1);
    else
      mpq_set_ui(a, 2, 7);
    if (!matrix) rational_law(law, optimal, a);
    for (size_t e = 0; e < size * size && matrix; e++) {
      mpq_set_ui(law[e], optimal->numerators[e], SFMI_OPTIMAL_ONE);
      mpq_canonicalize(law[e]);
    }
    assert_private(law, optimal->n, a);
  }
  for (size_t e = 0; e < size * size; e++) mpq_clear(law[e]);
  mpq_clear(a);
  free(law);
}

/* ---- the tests ---- */

static void reaches_known_optima(void **state) {
  (void)state;
  static const struct {
    size_t n;
    double epsilon, risk;
  } oracles[] = {{1, 1, 0.268941}, {10, 0.5, 1.478986}, {10, 1, 0.803027}, {20, 0.5, 1.743536}};
  for (size_t i = 0; i < 4; i++) {
    sfmi_optimal *o =
        find(oracles[i].n, oracles[i].epsilon, 0, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
    assert_near("minimax, absolute", o->risk, oracles[i].risk, 5e-7);
    sfmi_optimal_destroy(o);
  }
  for (double epsilon = 0.1; epsilon < 3; epsilon += 0.3) {
    sfmi_optimal *o = find(1, epsilon, 0, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
    assert_relative("n = 1", o->risk, 1 / (1 + exp(epsilon)), 1e-12);
    sfmi_optimal_destroy(o);
  }
}

static sfm_optimal_objective objective_named(const char *name) {
  for (int i = 0; i < 3; i++)
    if (!strcmp(name, sfm_optimal_objective_name((sfm_optimal_objective)i)))
      return (sfm_optimal_objective)i;
  fail_msg("objective %s", name);
  return SFM_OPTIMAL_OBJECTIVE_BAYES;
}

static void check_vector(size_t n, double epsilon, const char *loss, const char *objective,
                         const char *prior, const char *risk) {
  int which = 0;
  while (strcmp(losses[which], loss) != 0) which++;
  sfm_error error;
  sfmi_optimal *o = question(n, epsilon, which, objective_named(objective), prior);
  const sfm_status status = sfmi_design_optimal_find(o, &error);
  if (!strcmp(risk, "none")) {
    assert_int_equal(status, SFM_INVALID);
    assert_non_null(strstr(error.message, "same risk at every count"));
    sfmi_optimal_destroy(o);
    return;
  }
  assert_ok(status, &error);
  const double wanted = strtod(risk, NULL);
  char claim[128];
  snprintf(claim, sizeof claim, "n = %zu, epsilon = %g, %s, %s, %s", n, epsilon, loss, objective,
           prior);
  assert_near(claim, o->risk, wanted, SOLVER * wanted + ABSOLUTE);
  assert_near("what exactness costs", o->risk, o->lp_risk, REPAIR * o->lp_risk + ABSOLUTE);
  const bool remap = which != LUMPY && o->objective != SFM_OPTIMAL_OBJECTIVE_EQUALISER;
  if (remap) assert_int_equal(o->form, SFM_OPTIMAL_REMAP);
  if (o->form == SFM_OPTIMAL_REMAP) {
    assert_near("what exactness costs a remap", o->repair_cost, 0, REPAIR);
    assert_relative("limit", o->limit, o->risk, 1e-6);
  }
  if (n <= 3) check_rationally(o);
  sfmi_optimal_destroy(o);
}

/* tests/vectors/optimal.csv comes from optimal.py, which has the program of all private mechanisms
 * solved by another solver. */
static void agrees_with_another_solver(void **state) {
  (void)state;
  FILE *file = fopen(SFM_SOURCE_DIR "/tests/vectors/optimal.csv", "r");
  assert_non_null(file);
  char line[256], loss[16], objective[16], prior[16], risk[32];
  size_t n, rows = 0;
  double epsilon;
  assert_non_null(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file)) {
    assert_int_equal(sscanf(line, "%zu,%lf,%15[^,],%15[^,],%15[^,],%31s", &n, &epsilon, loss,
                            objective, prior, risk),
                     6);
    check_vector(n, epsilon, loss, objective, prior, risk);
    rows++;
  }
  fclose(file);
  assert_int_equal(rows, 600);
}

static void every_ratio_holds(void **state) {
  (void)state;
  for (int loss = 0; loss < LOSSES; loss++)
    for (int objective = 0; objective < 2; objective++) {
      sfmi_optimal *o =
          find(8, loss % 2 ? 0.3 : 1.7, loss, (sfm_optimal_objective)objective, "rising");
      check_rationally(o);
      sfmi_optimal_destroy(o);
    }
  /* Tables whose smallest probabilities are far below a unit. */
  for (double epsilon = 1; epsilon <= 15; epsilon += 3.5) {
    sfmi_optimal *o = find(20, epsilon, LUMPY, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
    assert_int_equal(o->form, SFM_OPTIMAL_MATRIX);
    assert_near("what exactness costs", o->repair_cost, 0, REPAIR);
    check_rationally(o);
    sfmi_optimal_destroy(o);
  }
}

/* From below, and the more counts there are the nearer: with few of them the ends help. */
static void approaches_the_geometric_risk(void **state) {
  (void)state;
  for (double epsilon = 0.25; epsilon < 2; epsilon *= 2) {
    const double limit = 1 / sinh(epsilon);
    double before = 0;
    for (size_t n = 5; n <= 160; n *= 2) {
      sfmi_optimal *o = find(n, epsilon, 0, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
      assert_true(o->risk > before && o->risk < limit * (1 + 1e-9));
      before = o->risk;
      sfmi_optimal_destroy(o);
    }
    assert_relative("many counts", before, limit, 2e-2 * exp(-20 * (epsilon - 0.25)) + 1e-9);
  }
}

static void equal_risks_are_equal(void **state) {
  (void)state;
  for (int loss = 0; loss < 3; loss++)
    for (size_t n = 3; n < 40; n = 2 * n + 1) {
      double risks[64];
      sfm_error error;
      sfmi_optimal *o = find(n, 1, loss, SFM_OPTIMAL_OBJECTIVE_EQUALISER, NULL);
      assert_ok(sfmi_optimal_risks(o, risks, &error), &error);
      for (size_t i = 0; i <= n; i++) assert_relative("equal risks", risks[i], o->risk, 1e-6);
      sfmi_optimal_destroy(o);
    }
  /* With squared loss equal risks may cost: then it is not the minimax mechanism, and no remap. */
  sfmi_optimal *equal = find(5, 0.5, 1, SFM_OPTIMAL_OBJECTIVE_EQUALISER, NULL),
               *minimax = find(5, 0.5, 1, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
  assert_int_equal(equal->form, SFM_OPTIMAL_MATRIX);
  assert_near("equaliser", equal->risk, 2.945676, 1e-6);
  assert_near("minimax", minimax->risk, 2.810071, 1e-6);
  sfmi_optimal_destroy(equal);
  sfmi_optimal_destroy(minimax);
}

/* Exactness at the ends of what is accepted. */
static void repair_is_cheap(void **state) {
  (void)state;
  const double epsilons[] = {1e-6, 1e-5, 1e-3, 0.03, 0.3, 3, 8, 15};
  for (int loss = 0; loss < 5; loss++)
    for (size_t e = 0; e < 8; e++)
      for (size_t n = 4; n <= 70; n += 33) {
        sfmi_optimal *o = find(n, epsilons[e], loss, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
        assert_near("what exactness costs", o->repair_cost, 0, REPAIR);
        assert_relative("limit", o->limit, o->risk, 1e-6);
        assert_true(o->limit <= o->risk * (1 + 1e-12));
        sfmi_optimal_destroy(o);
      }
}

/* Counting from the other end changes nothing, and neither does the mechanism. */
static void symmetric_losses_make_symmetric_tables(void **state) {
  (void)state;
  for (size_t n = 6; n <= 7; n++)
    for (int loss = 0; loss < 3; loss++) {
      sfmi_optimal *o = find(n, 0.4, loss, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
      const size_t entries = (n + 1) * (n + 1);
      for (size_t e = 0; e < entries; e++) {
        const double there = (double)o->numerators[e] * 0x1p-62;
        assert_near("mirror image", (double)o->numerators[entries - 1 - e] * 0x1p-62, there, 1e-15);
      }
      sfmi_optimal_destroy(o);
    }
}

/* ---- the theorem: any private mechanism is beaten at every count by a remap ----
 *
 * docs/proofs/optimal.md: with A the chance of an answer up to j when the count is j, the remap
 * that answers up to j on the lowest outputs of G, as many as have that chance, and so
 * for every j. */

/* The cut s, k + c for all outputs below k and part c of output k, at which G's outputs from count
 * j have this chance. */
static double cut_at(const double *row, size_t n, double chance) {
  for (size_t k = 0; k <= n; k++) {
    if (chance <= row[k]) return (double)k + chance / row[k];
    chance -= row[k];
  }
  return (double)n + 1;
}

static void dominate(double *law, const double *table, const double *g, size_t n) {
  const size_t size = n + 1;
  double before = 0;
  memset(law, 0, size * size * sizeof *law);
  for (size_t j = 0; j < size; j++) {
    double chance = 0;
    for (size_t l = 0; l <= j; l++) chance += table[j * size + l];
    double cut = j == n ? (double)size : cut_at(g + j * size, n, chance);
    assert_true(cut >= before - 1e-6); /* the cuts ascend: T is a table */
    cut = fmax(cut, before);
    for (size_t k = 0; k < size; k++) {
      const double upto = fmin(fmax(cut - (double)k, 0), 1),
                   already = fmin(fmax(before - (double)k, 0), 1);
      for (size_t i = 0; i < size; i++) law[i * size + j] += g[i * size + k] * (upto - already);
    }
    before = cut;
  }
}

/* Losses that only rise away from the truth, each side and count its own way. */
static void draw_unimodal(double *loss, size_t n, sfmi_prng *prng) {
  for (size_t i = 0; i <= n; i++) {
    double *row = loss + i * (n + 1);
    row[i] = 0;
    for (size_t j = i + 1; j <= n; j++) row[j] = row[j - 1] + floor(3 * sfmi_prng_uniform(prng));
    for (size_t j = i; j-- > 0;) row[j] = row[j + 1] + floor(3 * sfmi_prng_uniform(prng));
  }
}

static double risk_of(const double *law, const double *loss, size_t n, size_t i) {
  double sum = 0;
  for (size_t j = 0; j <= n; j++) sum += law[i * (n + 1) + j] * loss[i * (n + 1) + j];
  return sum;
}

static void remaps_beat_any_mechanism_everywhere(void **state) {
  (void)state;
  enum { N = 7, SIZE = N + 1 };
  sfmi_prng prng;
  sfm_error error;
  sfmi_prng_init(&prng, 5);
  for (int round = 0; round < 60; round++) {
    double table[SIZE * SIZE], g[SIZE * SIZE], law[SIZE * SIZE], loss[SIZE * SIZE], value;
    bool feasible;
    const double epsilon = 0.1 + 2 * sfmi_prng_uniform(&prng);
    sfmi_optimal *o = question(N, epsilon, LUMPY, SFM_OPTIMAL_OBJECTIVE_BAYES, "uniform");
    /* A corner of the set of all private mechanisms. */
    for (size_t e = 0; e < SIZE * SIZE; e++) o->losses[e] = sfmi_prng_uniform(&prng);
    assert_ok(sfmi_optimal_table_solve(table, &value, &feasible, o, &error), &error);
    sfmi_optimal_geometric(g, N, epsilon);
    dominate(law, table, g, N);
    draw_unimodal(loss, N, &prng);
    assert_true(sfmi_optimal_unimodal(loss, N));
    for (size_t i = 0; i <= N; i++)
      assert_true(risk_of(law, loss, N, i) <= risk_of(table, loss, N, i) + 1e-6);
    sfmi_optimal_destroy(o);
  }
}

/* ---- Bayes by looking for the best answer ---- */

/* The same by the program: least mean risk over all T, every T[k][j] a variable. */
static void the_best_answer_is_the_programs(void **state) {
  (void)state;
  for (int loss = 0; loss < 5; loss++) {
    sfmi_optimal *o = find(9, 0.7, loss, SFM_OPTIMAL_OBJECTIVE_BAYES, "rising");
    double table[100], value;
    bool feasible;
    sfm_error error;
    assert_ok(sfmi_optimal_table_solve(table, &value, &feasible, o, &error), &error);
    assert_relative("the program of all mechanisms", value, o->risk, 1e-7);
    for (size_t e = 0; e < 100; e++)
      assert_true(o->numerators[e] == 0 || o->numerators[e] == SFMI_OPTIMAL_ONE);
    sfmi_optimal_destroy(o);
  }
}

/* ---- reading laws, drawing, refusals ---- */

static void answers_have_the_law_of_the_row(void **state) {
  (void)state;
  sfmi_optimal *o = find(12, 0.5, 0, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
  for (size_t row = 0; row <= 12; row++) {
    uint64_t from = 0;
    for (size_t j = 0; j <= 12; j++) {
      const uint64_t many = o->numerators[row * 13 + j];
      if (!many) continue;
      assert_int_equal(sfmi_optimal_answer(o, row, from), j);
      assert_int_equal(sfmi_optimal_answer(o, row, from + many - 1), j);
      from += many;
    }
    assert_true(from == SFMI_OPTIMAL_ONE);
  }
  const sfm_ratio scale = sfmi_optimal_scale(o);
  assert_true(scale.numerator == 2 && scale.denominator == 1);
  sfmi_optimal_destroy(o);
}

static void laws_sum_to_one_and_give_the_risk(void **state) {
  (void)state;
  for (int loss = 0; loss < LOSSES; loss++) {
    sfmi_optimal *o = find(11, 0.5, loss, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
    double law[12], risks[12];
    sfm_error error;
    assert_ok(sfmi_optimal_risks(o, risks, &error), &error);
    for (size_t i = 0; i <= 11; i++) {
      double sum = 0, risk = 0;
      sfmi_optimal_law(o, law, i);
      for (size_t j = 0; j <= 11; j++) {
        sum += law[j];
        risk += law[j] * o->losses[i * 12 + j];
      }
      assert_near("a law", sum, 1, 1e-12);
      assert_near("its risk", risk, risks[i], 1e-12 * (1 + risk));
    }
    sfmi_optimal_destroy(o);
  }
}

static void assert_refused(size_t n, double epsilon, const char *why) {
  sfmi_optimal *optimal;
  sfm_error error;
  assert_int_equal(sfmi_optimal_create(&optimal, n, epsilon, &error), SFM_INVALID);
  assert_null(optimal);
  if (!strstr(error.message, why)) fail_msg("\"%s\" does not say \"%s\"", error.message, why);
}

static void refuses_what_is_out_of_range(void **state) {
  (void)state;
  assert_refused(0, 1, "counts up to 1 at least");
  assert_refused(501, 1, "500 at most, not 501");
  assert_refused(5, 0, "epsilon must be");
  assert_refused(5, -1, "epsilon must be");
  assert_refused(5, NAN, "epsilon must be");
  assert_refused(5, 16, "epsilon must be");
  assert_refused(5, 1.2345678901234567e-6, "fewer digits");
  sfm_error error;
  const double bad[] = {0, 1, -1, 0}, good[] = {0, 1, 1, 0}, infinite[] = {0, INFINITY, 1, 0};
  assert_int_equal(sfmi_optimal_check_losses(bad, 1, "L.csv", &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "L.csv: the loss of answer 0 when the count is 1 is -1"));
  assert_int_equal(sfmi_optimal_check_losses(infinite, 1, "L.csv", &error), SFM_INVALID);
  assert_int_equal(sfmi_optimal_check_losses(good, 1, "L.csv", &error), SFM_OK);
  const double much[] = {0.5, 0.6}, negative[] = {1.5, -0.5}, fine[] = {0.25, 0.75};
  assert_int_equal(sfmi_optimal_check_prior(much, 1, "p.csv", &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "p.csv: the weights sum to 1.1"));
  assert_int_equal(sfmi_optimal_check_prior(negative, 1, "p.csv", &error), SFM_INVALID);
  assert_int_equal(sfmi_optimal_check_prior(fine, 1, "p.csv", &error), SFM_OK);
  sfmi_optimal *large = question(61, 1, LUMPY, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
  assert_int_equal(sfmi_design_optimal_find(large, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "at most 60, not 61"));
  sfmi_optimal_destroy(large);
}

/* One unit too much, or one too many in the wrong place, is found. */
static void checks_find_one_unit(void **state) {
  (void)state;
  sfm_error error;
  sfmi_optimal *o = find(6, 1, LUMPY, SFM_OPTIMAL_OBJECTIVE_MINIMAX, NULL);
  assert_int_equal(sfmi_optimal_check(o, "m.sfm", &error), SFM_OK);
  o->numerators[3 * 7 + 2]++;
  assert_int_equal(sfmi_optimal_check(o, "m.sfm", &error), SFM_FORMAT);
  assert_non_null(strstr(error.message, "m.sfm: row 3 of the table does not sum to one: its "
                                        "numerators make 2^62 and 1"));
  o->numerators[3 * 7 + 2]--;
  /* From the least answer of some row to the largest, until a ratio breaks: it must. */
  size_t least = 0, largest = 0;
  for (size_t j = 0; j < 7; j++) {
    if (o->numerators[j] < o->numerators[least]) least = j;
    if (o->numerators[j] > o->numerators[largest]) largest = j;
  }
  o->numerators[largest] += o->numerators[least];
  o->numerators[least] = 0;
  assert_int_equal(sfmi_optimal_check(o, "m.sfm", &error), SFM_FORMAT);
  assert_non_null(strstr(error.message, "m.sfm: not private: answer"));
  sfmi_optimal_destroy(o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reaches_known_optima),
      cmocka_unit_test(agrees_with_another_solver),
      cmocka_unit_test(every_ratio_holds),
      cmocka_unit_test(approaches_the_geometric_risk),
      cmocka_unit_test(equal_risks_are_equal),
      cmocka_unit_test(repair_is_cheap),
      cmocka_unit_test(symmetric_losses_make_symmetric_tables),
      cmocka_unit_test(remaps_beat_any_mechanism_everywhere),
      cmocka_unit_test(the_best_answer_is_the_programs),
      cmocka_unit_test(answers_have_the_law_of_the_row),
      cmocka_unit_test(laws_sum_to_one_and_give_the_risk),
      cmocka_unit_test(refuses_what_is_out_of_range),
      cmocka_unit_test(checks_find_one_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
