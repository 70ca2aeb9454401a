/* test_choose.c - choices end to end: the rate is never above epsilon, neighbours' laws never
 * differ by more (searched, and attained), the law by chi-square, hostile scores, bands, files, and
 * what is refused. */
#include "test_support.h"

#include <gmp.h>

#include "mechanisms/statistics/choose_release.h"
#include "random/sampler_checks.h"
#include "releases/core/release_kind.h"
#include "releases/core/release_write.h"

static const char *const NAMES[] = {"red", "green", "blue", "a, \"b\"", "\u00e9t\u00e9", "f"};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

static sfm_choose_settings asked(double sensitivity, double epsilon, bool monotonic) {
  sfm_choose_settings s = sfm_choose_settings_default();
  s.sensitivity = sensitivity;
  s.epsilon = epsilon;
  s.monotonic = monotonic;
  s.neighbours = monotonic ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE;
  s.context.seeded = true;
  s.context.seed = 1;
  return s;
}

static sfmi_choose_rule electing_of(const sfm_choose_settings *s) {
  sfm_error error;
  sfmi_choose_rule e;
  assert_ok(sfmi_choose_rule_init(&e, s, &error), &error);
  return e;
}

static sfm_release *chosen_by(const sfm_choose_settings *s, const double *scores, size_t count) {
  sfm_error error;
  sfm_release *release;
  assert_ok(sfm_choose_release(&release, NAMES, scores, count, s, &error), &error);
  return release;
}

/* 2 x rate x sensitivity <= epsilon (monotonic: once), in rationals. */
static void the_rate_costs_no_more_than_epsilon(void **state) {
  (void)state;
  static const double sensitivities[] = {1, 0.1, 1.0 / 3, 7, 1e-200, 1e200};
  static const double epsilons[] = {1e-6, 0.1, 1.0 / 3, 1, 7.3, 1000};
  static const uint32_t contributions[] = {1, 3, 1000000};
  mpq_t cost, factor;
  mpq_inits(cost, factor, NULL);
  for (int i = 0; i < 6 * 6 * 3 * 2; i++) {
    sfm_choose_settings s = asked(sensitivities[i % 6], epsilons[i / 6 % 6], i / 36 % 2);
    s.contributions = contributions[i / 72];
    const sfmi_choose_rule e = electing_of(&s);
    int exponent;
    assert_true(frexp(e.step, &exponent) == 0.5);
    assert_true(e.sensitivity <= 1.001 * s.sensitivity * s.contributions);
    /* (K Delta + 2 g)/g steps, from the numbers as they were stated. */
    mpq_set_d(cost, s.sensitivity);
    mpq_set_ui(factor, s.contributions, 1);
    mpq_mul(cost, cost, factor);
    mpq_set_d(factor, e.step);
    mpq_div(cost, cost, factor);
    mpq_set_ui(factor, 2, 1);
    mpq_add(cost, cost, factor);
    mpq_set_ui(factor, e.rate.numerator * (s.monotonic ? 1 : 2), 1);
    mpq_div_2exp(factor, factor, e.rate.shift);
    mpq_mul(cost, cost, factor);
    mpq_set_d(factor, s.epsilon);
    assert_true(mpq_cmp(cost, factor) < 0);
    assert_true(mpq_get_d(cost) > 0.9999 * s.epsilon);
  }
  mpq_clears(cost, factor, NULL);
}

/* log P(i) of every candidate, for scores as they are rounded. */
static void log_law(long double *out, const sfmi_choose_rule *e, const double *scores,
                    size_t count) {
  int64_t integers[NAME_COUNT];
  const long double rate = ldexpl((long double)e->rate.numerator, -(int)e->rate.shift);
  long double sum = 0, best = -INFINITY;
  sfmi_choose_integers(integers, scores, count, e->step);
  for (size_t i = 0; i < count; i++) best = fmaxl(best, rate * (long double)integers[i]);
  for (size_t i = 0; i < count; i++) sum += expl(rate * (long double)integers[i] - best);
  for (size_t i = 0; i < count; i++) out[i] = rate * (long double)integers[i] - best - logl(sum);
}

/* Neighbours are searched: scores that move by the sensitivity, up and down (monotonic: all in one
 * direction), and halves of it. */
static void neighbours_never_pass_epsilon(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  for (int monotonic = 0; monotonic < 2; monotonic++) {
    const sfm_choose_settings s = asked(0.3, 1, monotonic);
    const sfmi_choose_rule e = electing_of(&s);
    long double most = 0;
    for (int k = 0; k < 20000; k++) {
      const size_t count = 2 + (size_t)k % (NAME_COUNT - 1);
      const double direction = sfmi_prng_word(&prng) % 2 ? 1 : -1,
                   spread = k % 3 ? 1 : exp(6 * sfmi_prng_uniform(&prng));
      double scores[2][NAME_COUNT];
      long double law[2][NAME_COUNT];
      for (size_t i = 0; i < count; i++) {
        const uint64_t word = sfmi_prng_word(&prng);
        const double move = (word % 4 == 0   ? 0
                             : word % 4 == 1 ? 0.15
                                             : 0.3) *
                            (monotonic || word >> 60 & 1 ? direction : -direction);
        scores[0][i] = spread * sfmi_prng_normal(&prng);
        /* One candidate that is nearly certain, or nearly impossible. */
        if (i == 0 && k % 5 < 2) scores[0][i] += k % 5 ? 40 : -40;
        scores[1][i] = scores[0][i] + move;
      }
      for (int w = 0; w < 2; w++) log_law(law[w], &e, scores[w], count);
      for (size_t i = 0; i < count; i++) most = fmaxl(most, fabsl(law[0][i] - law[1][i]));
    }
    print_message("%s: the largest loss found is %.5Lf of epsilon\n",
                  monotonic ? "monotonic" : "any direction", most);
    assert_true(most <= 1 && most > 0.98);
  }
}

/* Rounding keeps order: scores that move up do not move down in steps. */
static void rounding_keeps_directions(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  const sfm_choose_settings s = asked(0.1, 1, true);
  const sfmi_choose_rule e = electing_of(&s);
  for (int k = 0; k < 100000; k++) {
    const double from = sfmi_prng_normal(&prng) * exp(20 * sfmi_prng_uniform(&prng) - 10);
    const double scores[2] = {from, from + 0.1 * sfmi_prng_uniform(&prng)};
    int64_t integers[2];
    sfmi_choose_integers(integers, scores, 2, e.step);
    assert_true(integers[1] >= integers[0]);
    assert_true((double)(integers[1] - integers[0]) * e.step <= e.sensitivity);
  }
}

/* Chi-square of draws against the law at epsilon. */
static double tested(const double *scores, size_t count, bool monotonic, double epsilon,
                     double claimed) {
  enum { DRAWS = 200000 };
  const sfm_choose_settings s = asked(1, epsilon, monotonic), other = asked(1, claimed, monotonic);
  const sfmi_choose_rule e = electing_of(&s), wanted = electing_of(&other);
  int64_t integers[NAME_COUNT];
  uint64_t seen[NAME_COUNT] = {0};
  long double law[NAME_COUNT];
  double masses[NAME_COUNT];
  sfmi_stream *stream = seeded(4);
  sfmi_choose_integers(integers, scores, count, e.step);
  for (int k = 0; k < DRAWS; k++) seen[sfmi_choose_draw(&e, stream, integers, count)]++;
  sfmi_stream_destroy(stream);
  log_law(law, &wanted, scores, count);
  for (size_t i = 0; i < count; i++) masses[i] = (double)expl(law[i]);
  return chi_square(seen, masses, count, DRAWS);
}

static void draws_follow_the_law(void **state) {
  (void)state;
  static const double scores[] = {1, 2.5, -3, 0, 2.25, 1e9}, equal[] = {7, 7, 7};
  assert_true(tested(scores, 5, false, 1, 1) <= 1);
  assert_true(tested(scores, 5, true, 1, 1) <= 1);
  assert_true(tested(scores, 6, false, 1, 1) <= 1);
  assert_true(tested(equal, 3, false, 5, 5) <= 1);
  assert_true(tested(scores, 1, false, 5, 5) <= 1);
  assert_true(tested(scores, 5, false, 1.1, 1) > 1);
  assert_true(tested(scores, 5, true, 1, 0.9) > 1);
  /* Monotonic at epsilon is any direction at twice. */
  assert_true(tested(scores, 5, true, 1, 2) > 1);
}

static void hostile_scores_have_releases(void **state) {
  (void)state;
  const double hostile[] = {NAN, INFINITY, -INFINITY, 1e308, -5e-324, 0};
  size_t seen[NAME_COUNT] = {0};
  for (uint64_t seed = 0; seed < 200; seed++) {
    sfm_choose_settings s = asked(1, 1, false);
    s.context.seed = seed;
    sfm_release *release = chosen_by(&s, hostile, NAME_COUNT);
    seen[sfm_release_chosen(release)]++;
    assert_int_equal(sfm_release_coefficient(release, 0), sfm_release_chosen(release));
    sfm_release_destroy(release);
  }
  /* Infinity and 1e308 both count as the end of the range. */
  assert_true(seen[1] + seen[3] == 200 && seen[1] > 40 && seen[3] > 40);
}

/* The chosen score is as near the best as the band says, in the worst case: all others alike. */
static void bands_hold(void **state) {
  (void)state;
  enum { DRAWS = 2000 };
  const double confidences[] = {0.5, 0.9, 0.95};
  for (int c = 0; c < 3; c++) {
    sfm_choose_settings s = asked(1, 2, false);
    size_t within = 0, narrower = 0;
    double most = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
      s.context.seed = seed;
      s.context.confidence = confidences[c];
      if (seed == 0) {
        const double none[NAME_COUNT] = {0};
        sfm_release *release = chosen_by(&s, none, NAME_COUNT);
        most = sfm_release_band(release).half_width;
        sfm_release_destroy(release);
      }
      /* The others are just below what the band allows: the worst there is. */
      double scores[NAME_COUNT];
      for (size_t i = 0; i < NAME_COUNT; i++) scores[i] = i == 2 ? 0 : -most * 1.0001;
      sfm_release *release = chosen_by(&s, scores, NAME_COUNT);
      within += scores[sfm_release_chosen(release)] >= -most;
      sfm_release_destroy(release);
      for (size_t i = 0; i < NAME_COUNT; i++) scores[i] = i == 2 ? 0 : -most * 0.7;
      release = chosen_by(&s, scores, NAME_COUNT);
      narrower += scores[sfm_release_chosen(release)] >= -most * 0.6;
      sfm_release_destroy(release);
    }
    assert_false(binomial_too_few(within, DRAWS, confidences[c]));
    assert_true(binomial_too_few(narrower, DRAWS, confidences[c]));
  }
}

static sfm_release *parsed(const char *bytes, size_t length) {
  sfm_error error;
  sfm_release *release;
  assert_ok(sfm_release_parse(&release, bytes, length, "it", &error), &error);
  return release;
}

/* bytes with one text in place of another; to be freed. */
static char *replaced(const char *bytes, const char *from, const char *to) {
  const char *at = strstr(bytes, from);
  assert_non_null(at);
  char *out = NULL;
  assert_true(asprintf(&out, "%.*s%s%s", (int)(at - bytes), bytes, to, at + strlen(from)) > 0);
  return out;
}

static void files_are_read_back(void **state) {
  (void)state;
  const double scores[NAME_COUNT] = {0, 0, 0, 50, 0, 0};
  sfm_choose_settings s = asked(1, 1, true);
  sfm_error error;
  char *bytes;
  size_t length;
  sfm_release *made = chosen_by(&s, scores, NAME_COUNT);
  assert_string_equal(sfm_kind_name(sfm_release_kind(made)), "choice");
  assert_string_equal(sfm_release_method(made), "exponential");
  assert_true(sfm_release_hardened(made) && !sfm_release_private(made));
  assert_ok(sfmi_release_print(made, &bytes, &length, &error), &error);
  sfm_release *again = parsed(bytes, length);
  assert_int_equal(sfm_release_candidates(again), NAME_COUNT);
  for (size_t i = 0; i < NAME_COUNT; i++)
    assert_string_equal(sfm_release_candidate(again, i), NAMES[i]);
  assert_null(sfm_release_candidate(again, NAME_COUNT));
  assert_int_equal(sfm_release_chosen(again), 3);
  assert_true(again->choice_data->monotonic && again->choice_data->step == made->choice_data->step);
  sfm_band band;
  assert_ok(sfm_release_band_at(again, &band, 0.95, &error), &error);
  assert_relative("band", band.half_width, sfm_release_band(made).half_width, 1e-12);
  sfm_evaluator *evaluator;
  assert_int_equal(sfm_evaluator_create(&evaluator, again, 0, &error), SFM_INVALID);
  sfm_release_destroy(again);
  static const char *const damage[][2] = {
      {"\"chosen\": \"a, \\\"b\\\"\"", "\"chosen\": \"red\""},
      {"\"coefficients\": [\n  3", "\"coefficients\": [\n  6"},
      {"\"coefficients\": [\n  3", "\"coefficients\": [\n  -1"},
      {"\"coefficients\": [\n  3", "\"coefficients\": [\n  2"},
      {"\"green\"", "\"red\""},
      {"\"green\"", "\"\""},
      {"\"green\"", "7"},
      {"\"resolution\": 0.00048828125", "\"resolution\": 0.0005"},
      {"\"resolution\": 0.00048828125", "\"resolution\": 0"},
      {"\"monotonic\": true", "\"monotonic\": 1"},
      {"\"step\": 1.0", "\"step\": 2.0"},
      {"\"hardened\": true", "\"hardened\": false"},
      {"\"method\": \"exponential\"", "\"method\": \"laplace\""},
      {"\"candidates\"", "\"others\""},
  };
  for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
    char *bad = replaced(bytes, damage[i][0], damage[i][1]);
    if (sfm_release_parse(&again, bad, strlen(bad), "it", &error) != SFM_FORMAT)
      fail_msg("%s was accepted", damage[i][1]);
    assert_null(again);
    free(bad);
  }
  free(bytes);
  sfm_release_destroy(made);
}

static void refused(const char *word, const sfm_choose_settings *s, const char *const *names,
                    size_t count) {
  sfm_error error = {0};
  sfm_release *release;
  const double scores[NAME_COUNT] = {0};
  assert_int_equal(sfm_choose_check(s, names, count, &error), SFM_INVALID);
  if (!strstr(error.message, word)) fail_msg("'%s' does not say '%s'", error.message, word);
  assert_int_equal(sfm_choose_release(&release, names, scores, count, s, &error), SFM_INVALID);
  assert_null(release);
}

static void wrong_settings_are_refused(void **state) {
  (void)state;
  const sfm_choose_settings good = asked(1, 1, false);
  sfm_error error;
  sfm_release *release;
  assert_ok(sfm_choose_check(&good, NAMES, NAME_COUNT, &error), &error);
  const double wrong[] = {0, -1, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    sfm_choose_settings s = good;
    s.sensitivity = wrong[i];
    refused("sensitivity", &s, NAMES, 3);
    s = good;
    s.epsilon = wrong[i];
    refused("epsilon", &s, NAMES, 3);
    s = good;
    s.context.confidence = wrong[i];
    refused("confidence", &s, NAMES, 3);
  }
  sfm_choose_settings s = good;
  s.contributions = 0;
  refused("contributions", &s, NAMES, 3);
  s = asked(1, 1, true);
  s.neighbours = SFM_NEIGHBOURS_REPLACE;
  refused("settings.neighbours = add-remove", &s, NAMES, 3);
  refused("candidates", &good, NAMES, 0);
  const char *const twice[] = {"a", "b", "a"}, *const empty[] = {"a", ""},
                    *const bytes[] = {"\xff"};
  refused("candidate 3 is listed twice", &good, twice, 3);
  refused("candidate 2 has no name", &good, empty, 2);
  refused("UTF-8", &good, bytes, 1);
  assert_int_equal(sfm_choose_release(&release, NAMES, NULL, 3, &good, &error), SFM_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rate_costs_no_more_than_epsilon),
      cmocka_unit_test(neighbours_never_pass_epsilon),
      cmocka_unit_test(rounding_keeps_directions),
      cmocka_unit_test(draws_follow_the_law),
      cmocka_unit_test(hostile_scores_have_releases),
      cmocka_unit_test(bands_hold),
      cmocka_unit_test(files_are_read_back),
      cmocka_unit_test(wrong_settings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
