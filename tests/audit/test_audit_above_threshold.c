/* test_audit_above_threshold.c - AboveThreshold and whole epochs of interactive sessions, attacked
 * by one who chooses every question, beside the broken variants that were published (Lyu, Su & Li
 * 2017; algorithm 1 of Jain & Thakurta, docs/papers.md, E16).
 *
 * The public model is p.  The asker knows of each question what its value is on either input: many
 * whose value is `level` above p on input 0 and k more on input 1, then one that is `last` above p
 * and k less on input 1.  That the last fires and none before is e^(epsilon_a + epsilon_b) times as
 * likely on input 0, in the limit of many questions; its released answer adds epsilon_c.  Where the
 * compared value is told, the last moves up too: a low value that fired gives the threshold away.
 */
/* suite: release */
#include "audit/support/threshold_posterior.h"
#include "audit/support/hardened_audit.h"
#include "mechanisms/core/above_threshold.h"
#include "test_support.h"

enum { K = 3, THETA = 60 };

/* What is wrong with a twin. */
typedef enum watch_twin {
  WATCH_HONEST,
  WATCH_BARE,      /* the threshold without noise */
  WATCH_KEPT,      /* the threshold's noise kept from epoch to epoch */
  WATCH_REDRAWN,   /* the threshold drawn again at every restart */
  WATCH_COMPARED,  /* the noisy value that was compared is the answer */
  WATCH_PRINTED,   /* algorithm 1: that, and the threshold without noise */
  WATCH_ECHOED,    /* the answer's noise is the threshold's */
  WATCH_EXACT,     /* questions without noise */
  WATCH_HALF,      /* questions with noise of half the scale */
  WATCH_HALF_LINE, /* the threshold with noise of half the scale */
} watch_twin;

/* An attack: the levels are those of scores above theta. */
typedef struct attack {
  watch_twin twin;
  double epsilon[3]; /* of the threshold, the questions and an answer; 0: no answers */
  int epochs;        /* that are gone through */
  int before, level; /* questions before the last, of every epoch */
  int last;
} attack;

enum { SCORE_BAYES, SCORE_ASKED, SCORE_FIRED, SCORE_ANSWERS, WATCH_SCORES };

typedef struct watch {
  attack plan;
  sfmi_above_law law;
  sfmi_noise_law answering;
  sfmi_above *above[2]; /* before and after a restart */
  int turn;             /* which of them */
  sfmi_hardener *questions, *answers;
  sfmi_i128 line; /* T, of twins that compare by themselves */
  threshold_posterior known;
} watch;

static void halve(sfmi_noise_law *law) {
  law->scale.denominator *= 2;
}

static void watch_init(watch *w, const attack *plan) {
  sfm_error error;
  *w = (watch){.plan = *plan};
  const double *epsilon = plan->epsilon;
  assert_ok(sfmi_above_law_init(&w->law, THETA, K, epsilon[0], epsilon[1], &error), &error);
  if (plan->twin == WATCH_HALF) halve(&w->law.question);
  if (plan->twin == WATCH_HALF_LINE) halve(&w->law.threshold);
  for (int i = 0; i < 2; i++)
    assert_ok(sfmi_above_create(&w->above[i], &w->law, (sfmi_seed){!test_long(), (uint64_t)i + 1},
                                &error),
              &error);
  assert_ok(
      sfmi_hardener_create(&w->questions, &w->law.question, (sfmi_seed){!test_long(), 3}, &error),
      &error);
  const bool bare = plan->twin == WATCH_BARE || plan->twin == WATCH_PRINTED;
  threshold_posterior_init(&w->known, bare ? 0 : sfmi_noise_scale(&w->law.threshold),
                           plan->twin == WATCH_EXACT ? 0 : sfmi_noise_scale(&w->law.question));
  if (epsilon[2] <= 0) return;
  assert_ok(sfmi_harden_laplace(&w->answering, K, epsilon[2], &error), &error);
  assert_ok(sfmi_hardener_create(&w->answers, &w->answering, (sfmi_seed){!test_long(), 4}, &error),
            &error);
}

static void watch_clear(watch *w) {
  for (int i = 0; i < 2; i++) sfmi_above_destroy(w->above[i]);
  sfmi_hardener_destroy(w->questions);
  sfmi_hardener_destroy(w->answers);
}

/* The threshold of an epoch. */
static void begin(watch *w, int epoch) {
  sfmi_above *above = w->above[w->turn];
  if (w->plan.twin == WATCH_BARE || w->plan.twin == WATCH_PRINTED)
    sfmi_above_resume(above, THETA);
  else if (w->plan.twin == WATCH_KEPT && epoch > 0)
    sfmi_above_resume(above, w->line);
  else
    sfmi_above_begin(above);
  w->line = sfmi_above_threshold(above);
  if (epoch > 0 && w->plan.twin != WATCH_KEPT) threshold_posterior_renew(&w->known);
}

/* The session is closed and opened again. */
static void restart(watch *w) {
  sfmi_above *old = w->above[w->turn], *new = w->above[!w->turn];
  w->turn = !w->turn;
  if (w->plan.twin != WATCH_REDRAWN) {
    sfmi_above_resume(new, sfmi_above_threshold(old));
    return;
  }
  sfmi_above_begin(new);
  threshold_posterior_renew(&w->known);
}

/* Whether a question fires; value: its score above theta with noise, where a twin makes it. */
static bool fires(watch *w, int64_t score, int64_t *value) {
  const watch_twin twin = w->plan.twin;
  *value = 0;
  if (twin == WATCH_EXACT) return score >= w->line;
  if (twin != WATCH_COMPARED && twin != WATCH_PRINTED)
    return sfmi_above_ask(w->above[w->turn], score);
  const sfmi_i128 exact = score;
  sfmi_hardener_add(w->questions, value, &exact, 1);
  const bool fired = *value >= w->line;
  *value -= THETA;
  return fired;
}

/* The released answer to a question whose values are q[0] and q[1]. */
static int64_t answer(watch *w, const int64_t q[2], int input, int64_t value) {
  int64_t released;
  if (w->plan.twin == WATCH_COMPARED || w->plan.twin == WATCH_PRINTED) return value;
  if (w->plan.twin == WATCH_ECHOED) {
    released = q[input] + (int64_t)(w->line - THETA);
    threshold_posterior_learn(&w->known, (int64_t[]){released - q[0], released - q[1]});
    return released;
  }
  const sfmi_i128 exact = q[input];
  sfmi_hardener_add(w->answers, &released, &exact, 1);
  threshold_posterior_add(&w->known, (double)(llabs(released - q[0]) - llabs(released - q[1])) /
                                         sfmi_noise_scale(&w->answering));
  return released;
}

/* One question: q[i] = p + map + its move on input 1; whether it fired, and then the answer. */
static bool ask(watch *w, int input, int64_t p, int map, int move, double *scores,
                int64_t *released) {
  const int64_t q[2] = {p + THETA + map, p + THETA + map + move};
  const int64_t score[2] = {llabs(q[0] - p), llabs(q[1] - p)};
  const int64_t over[2] = {score[0] - THETA, score[1] - THETA};
  int64_t value;
  const bool fired = fires(w, score[input], &value);
  const bool told = w->plan.twin == WATCH_COMPARED || w->plan.twin == WATCH_PRINTED;
  scores[SCORE_ASKED]++;
  if (fired && told)
    threshold_posterior_read(&w->known, over, value);
  else
    threshold_posterior_hear(&w->known, over, fired);
  if (!fired) return false;
  scores[SCORE_FIRED]++;
  if (w->answers || told) {
    *released = answer(w, q, input, value);
    scores[SCORE_ANSWERS] += (double)(*released - p);
  }
  return true;
}

/* A whole transcript: an audit_draw. */
static void watch_draw(void *context, int input, double *scores) {
  watch *w = context;
  int64_t p = 0;
  for (int s = 0; s < WATCH_SCORES; s++) scores[s] = 0;
  threshold_posterior_clear(&w->known);
  for (int epoch = 0; epoch < w->plan.epochs; epoch++) {
    const int before = w->plan.twin == WATCH_KEPT && epoch > 0 ? 0 : w->plan.before;
    bool fired = false;
    int64_t released = p;
    begin(w, epoch);
    for (int t = 0; t <= before && !fired; t++) {
      const bool last = t == before;
      if (t > 0 && w->plan.twin != WATCH_EXACT) restart(w);
      fired = ask(w, input, p, last ? w->plan.last : w->plan.level,
                  last && w->plan.twin != WATCH_COMPARED ? -K : K, scores, &released);
    }
    if (!fired) break;
    p = released; /* the public model is refitted to what was released */
  }
  scores[SCORE_BAYES] = threshold_posterior_ratio(&w->known);
}

static double claim_of(const attack *a, int paid) {
  return paid * (a->epsilon[0] + a->epsilon[1] + a->epsilon[2]);
}

static void honest(const char *name, attack a, double claim, double least) {
  watch w;
  watch_init(&w, &a);
  const audit_mechanism m = {name, watch_draw, &w, WATCH_SCORES, claim, 0};
  audit_honest_of(&m, test_repetitions(audit_draws(), 2), test_sanitized() ? 0 : least);
  watch_clear(&w);
}

/* Under sanitizers it is gone through, and the verdict is left to the release build. */
static void twin(const char *name, attack a, double claim) {
  watch w;
  watch_init(&w, &a);
  const audit_mechanism m = {name, watch_draw, &w, WATCH_SCORES, claim, 0};
  if (test_sanitized())
    audit_run(&m, test_repetitions(audit_draws(), 2));
  else
    audit_twin_of(&m, test_long() ? audit_draws() / 2 : audit_draws());
  watch_clear(&w);
}

/* epsilon_a : epsilon_b = 1 : 2^(2/3), as sessions have it. */
#define SPLIT(epsilon) 0.38648 * (epsilon), 0.61352 * (epsilon)

static void which_question_fires_is_private(void **state) {
  (void)state;
  honest("above, the eighth question fires", (attack){WATCH_HONEST, {SPLIT(2), 0}, 1, 7, -2, 0}, 2,
         audit_share(0.75, 0.86));
  honest("above, the eighth question fires", (attack){WATCH_HONEST, {0.2, 0.8, 0}, 1, 7, -2, 2}, 1,
         audit_share(0.65, 0.82));
  attack many = {WATCH_HONEST, {0.4, 1.6, 0}, 1, 30, -7, 2};
  if (test_long()) many.before = 200, many.level = -13;
  honest("above, many questions before it fires", many, 2, audit_share(0.7, 0.86));
}

static void epochs_with_their_answers_are_private(void **state) {
  attack one = {WATCH_HONEST, {SPLIT(1.2), 0.8}, 1, 5, -3, 3},
         two = {WATCH_HONEST, {0.2, 0.5, 1.3}, 2, 1, -15, 14};
  (void)state;
  honest("epoch, and its answer", one, claim_of(&one, 1), audit_share(0.7, 0.82));
  if (test_long()) two.before = 3, two.level = -9, two.last = 6;
  honest("two epochs, and their answers", two, claim_of(&two, 2), audit_share(0.6, 0.7));
}

/* Lyu, Su & Li, theorem 2: kept noise costs nothing where each crossing is paid for. */
static void a_kept_threshold_is_no_leak_where_crossings_are_paid(void **state) {
  const attack a = {WATCH_KEPT, {0.3, 0.85, 0}, 2, 6, -3, 3};
  (void)state;
  honest("above, one threshold, two crossings paid", a, 0.3 + 2 * 0.85, audit_share(0.6, 0.72));
}

static void published_variants_are_caught(void **state) {
  attack a = {WATCH_BARE, {0.2, 0.8, 0}, 1, 7, 0, 0};
  (void)state;
  twin("TWIN above, no noise on the threshold", a, 1);
  a = (attack){WATCH_KEPT, {0.2, 1.8, 0}, 3, 5, -3, 3};
  twin("TWIN above, threshold noise re-used unpaid", a, 2);
  a = (attack){WATCH_HONEST, {SPLIT(3), 0}, 3, 2, -3, 3};
  twin("TWIN above, goes on after a crossing unpaid", a, 3);
  a = (attack){WATCH_EXACT, {0.5, 0.5, 0}, 1, 1, -1, 1};
  twin("TWIN above, no noise on questions", a, 1);
  a = (attack){WATCH_HALF, {SPLIT(1), 0}, 1, 5, -2, 2};
  twin("TWIN above, noise k/epsilon_b on questions", a, 1);
  a = (attack){WATCH_COMPARED, {0.3, 2, 0}, 1, 5, -2, 2};
  twin("TWIN epoch, the compared value released", a, claim_of(&a, 1));
  a.epsilon[2] = 1; /* as if it were an answer of its own */
  if (test_long()) twin("TWIN epoch, the compared value released, paid", a, claim_of(&a, 1));
  a = (attack){WATCH_PRINTED, {0.2, 0.8, 0.4}, 1, 7, 0, 0};
  twin("TWIN epoch, one noise for all, as printed", a, claim_of(&a, 1));
}

static void other_twins_are_caught(void **state) {
  attack a = {WATCH_HALF_LINE, {1, 2, 0}, 1, 6, -2, 1};
  (void)state;
  twin("TWIN above, half the noise on the threshold", a, 3);
  a = (attack){WATCH_ECHOED, {0.2, 0.8, 0.2}, 1, 12, -2, 0};
  twin("TWIN epoch, the answer has the threshold's noise", a, claim_of(&a, 1));
  a = (attack){WATCH_REDRAWN, {SPLIT(3), 0}, 1, 22, -6, 8};
  twin("TWIN epoch, threshold redrawn at restarts", a, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(which_question_fires_is_private),
      cmocka_unit_test(epochs_with_their_answers_are_private),
      cmocka_unit_test(a_kept_threshold_is_no_leak_where_crossings_are_paid),
      cmocka_unit_test(published_variants_are_caught),
      cmocka_unit_test(other_twins_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
