/* test_audit_bandwidth_selection.c - a bandwidth chosen privately, and the density released with
 * it: attacked with a heap of rows that one leaves, beside twins that are wrong on purpose. */
/* suite: release */
#include "audit/support/hardened_audit.h"
#include "estimators/lattice/cross_validation.h"
#include "random/exponential_mechanism.h"
#include "test_support.h"

enum { COUNT = 20, CANDIDATES = 2, WIDTH = 40 };

static const double H[CANDIDATES] = {1, 1.25};

/* Candidates' losses of both inputs, the rate, and their releases' integers. */
typedef struct contest {
  double epsilon, choice, release; /* claimed, and spent on either */
  sfmi_u128 losses[2][CANDIDATES];
  double ratio[CANDIDATES]; /* of a choice's probability on input 1 to that on input 0, its log */
  sfmi_dyadic_rate rate;
  sfmi_stream *stream;
  hardened_audit releases[CANDIDATES];
} contest;

/* Scores: the likelihood ratio of all, of the choice alone, and of the release alone. */
enum { CHOICE_ALL, CHOICE_ONE, CHOICE_RELEASE, CHOICE_SCORES };

/* A heap, of which the last row has moved away in input 1. */
static void heap(double rows[2][COUNT], double away) {
  for (size_t r = 0; r < COUNT; r++) rows[0][r] = rows[1][r] = 10.1;
  rows[1][COUNT - 1] += away;
}

static sfmi_cross_validation *pairs_of(const double *rows, const double *errors) {
  sfm_error error;
  sfmi_cross_validation *pairs = NULL;
  static const double lower[] = {0}, upper[] = {WIDTH};
  static const sfm_boundary open[] = {SFM_BOUNDARY_OPEN};
  double room[SFMI_BATCH_ROWS];
  uint8_t keep[SFMI_BATCH_ROWS];
  const sfmi_cross_validation_shape shape = {.dimension = 1,
                                             .count = CANDIDATES,
                                             .lower = lower,
                                             .upper = upper,
                                             .boundary = open,
                                             .candidates = H,
                                             .rows = COUNT,
                                             .contributions = 1,
                                             .errors = errors};
  memcpy(room, rows, COUNT * sizeof *room);
  memset(keep, 1, sizeof keep);
  assert_ok(sfmi_cross_validation_create(&pairs, &shape, &error), &error);
  sfmi_cross_validation_add(
      pairs, &(sfmi_batch){.rows = COUNT, .columns = 1, .values = room, .keep = keep});
  return pairs;
}

/* Moves the row where the difference of the scores moves most. */
static void worst(double rows[2][COUNT]) {
  double best = 0, away = 0;
  for (double at = 0.25; at <= 8; at += 0.25) {
    static const double none[CANDIDATES];
    sfm_error error;
    long double score[2][CANDIDATES];
    heap(rows, at);
    for (int k = 0; k < 2; k++) {
      sfmi_cross_validation *pairs = pairs_of(rows[k], none);
      for (size_t i = 0; i < CANDIDATES; i++)
        assert_ok(sfmi_cross_validation_score(pairs, &score[k][i], i, &error), &error);
      sfmi_cross_validation_destroy(pairs);
    }
    const double moved = (double)fabsl(score[0][0] - score[0][1] - score[1][0] + score[1][1]);
    if (moved > best) away = at;
    best = fmax(best, moved);
  }
  heap(rows, away);
}

/* With public errors that make the narrow kernel of the heap worse by so many sensitivities. */
static void take_losses(contest *c, double rows[2][COUNT], double worse) {
  sfm_error error;
  double errors[CANDIDATES] = {0};
  long double score[CANDIDATES];
  sfmi_cross_validation *pairs = pairs_of(rows[0], errors);
  for (size_t i = 0; i < CANDIDATES; i++)
    assert_ok(sfmi_cross_validation_score(pairs, &score[i], i, &error), &error);
  errors[0] =
      (double)(score[1] - score[0]) + worse * sfmi_cross_validation_sensitivity(pairs, 0, 1);
  sfmi_cross_validation_destroy(pairs);
  for (int k = 0; k < 2; k++) {
    pairs = pairs_of(rows[k], errors);
    assert_ok(sfmi_cross_validation_losses(pairs, c->losses[k], &error), &error);
    sfmi_cross_validation_destroy(pairs);
  }
}

static void begin(contest *c, double epsilon, double choice, double release, double worse) {
  sfm_error error;
  double rows[2][COUNT], sum[2] = {0}, masses[2][CANDIDATES];
  *c = (contest){.epsilon = epsilon, .choice = choice, .release = release};
  worst(rows);
  take_losses(c, rows, worse);
  assert_ok(
      sfmi_exponential_rate(&c->rate, choice, SFMI_CROSS_VALIDATION_SENSITIVITY * 0.5, &error),
      &error);
  assert_ok(test_long() ? sfmi_stream_create(&c->stream, &error)
                        : sfmi_stream_create_seeded(&c->stream, 7, &error),
            &error);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < CANDIDATES; i++)
      sum[k] += masses[k][i] =
          exp(-(double)c->losses[k][i] * (double)c->rate.numerator * ldexp(1, -(int)c->rate.shift));
  for (size_t i = 0; i < CANDIDATES; i++) {
    c->ratio[i] = log(masses[1][i] / sum[1] / (masses[0][i] / sum[0]));
    /* In units of the bandwidth, which is 1 in every problem of the audit. */
    double scaled[2][COUNT];
    for (size_t r = 0; r < COUNT; r++)
      for (int k = 0; k < 2; k++) scaled[k][r] = rows[k][r] / H[i];
    const density_problem problem = {.method = SFM_DENSITY_LATTICE,
                                     .dimension = 1,
                                     .width = WIDTH / H[i],
                                     .order = 2,
                                     .neighbours = SFM_NEIGHBOURS_REPLACE,
                                     .contributions = 1,
                                     .epsilon = release,
                                     .rows = {scaled[0], scaled[1]},
                                     .count = {COUNT, COUNT}};
    hardened_audit_init_density(&c->releases[i], &problem);
    hardened_audit_arm(&c->releases[i]);
  }
}

static sfmi_u128 loss_of(const void *context, size_t i) {
  return ((const sfmi_u128 *)context)[i];
}

static void contest_draw(void *context, int input, double *scores) {
  contest *c = context;
  double released[HARDENED_AUDIT_SCORES];
  const size_t chosen =
      sfmi_exponential_draw(c->stream, c->rate, loss_of, c->losses[input], CANDIDATES);
  const hardened_audit *s = &c->releases[chosen];
  hardened_audit_draw(&c->releases[chosen], input, released);
  /* The release's likelihood ratio: each step of it counts release/sensitivity. */
  const double steps = s->hardening.sensitivity / s->hardening.step;
  scores[CHOICE_ONE] = c->ratio[chosen];
  scores[CHOICE_RELEASE] = released[SCORE_RATIO] / steps * c->release;
  scores[CHOICE_ALL] = scores[CHOICE_ONE] + scores[CHOICE_RELEASE];
}

static void finish(contest *c) {
  for (size_t i = 0; i < CANDIDATES; i++) hardened_audit_clear(&c->releases[i]);
  sfmi_stream_destroy(c->stream);
}

static audit_mechanism of(const char *name, contest *c) {
  return (audit_mechanism){name, contest_draw, c, CHOICE_SCORES, c->epsilon, 0};
}

static void honest(const char *name, double epsilon, double choice, double least) {
  contest c;
  begin(&c, epsilon, choice * epsilon, (1 - choice) * epsilon, 2);
  audit_mechanism m = of(name, &c);
  audit_honest(&m, least);
  finish(&c);
}

static void choice_and_release_keep_epsilon_together(void **state) {
  (void)state;
  honest("choice, half of epsilon, and its release", 2, 0.5, audit_share(0.6, 0.75));
  honest("choice, a tenth of epsilon, and its release", 2, 0.1, audit_share(0.7, 0.85));
}

static void twins_are_caught(void **state) {
  (void)state;
  contest c;
  audit_mechanism m;
  begin(&c, 1, 1, 1, 2);
  m = of("TWIN choice, epsilon spent on it and on the release", &c);
  audit_twin(&m);
  finish(&c);

  begin(&c, 1, 20, 0.9, -0.5); /* the best one nearly always, as if that told nothing */
  m = of("TWIN choice, without noise", &c);
  audit_twin(&m);
  finish(&c);

  begin(&c, 1, 1.5, 0.5, 1); /* 0.5 was claimed for it */
  m = of("TWIN choice, a third of the sensitivity", &c);
  audit_twin(&m);
  finish(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choice_and_release_keep_epsilon_together),
      cmocka_unit_test(twins_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
