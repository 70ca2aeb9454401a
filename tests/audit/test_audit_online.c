/* test_audit_online.c - whole transcripts of sessions, with questions that follow the answers and
 * with restarts in between. */
#include "audit/player.h"
#include "audit/subject.h"

static void honest(const char *name, sfm_engine engine, sfm_kernel_family kernel, player_list list,
                   player_twin twin) {
  player p;
  player_init(&p, engine, kernel, list);
  p.twin = twin;
  audit_mechanism m = player_mechanism(name, &p);
  audit_honest_of(&m, player_transcripts(), audit_long() ? 0.9 : 0.65);
  player_clear(&p);
}

static void markov_sessions_keep_epsilon_and_delta(void **state) {
  (void)state;
  honest("markov session, laplacian", SFM_ENGINE_MARKOV, SFM_KERNEL_LAPLACIAN, PLAYER_LINE,
         PLAYER_HONEST);
  honest("markov session, matern52", SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN52, PLAYER_LINE,
         PLAYER_HONEST);
  /* Copies are one function: nothing is wrong with asking both. */
  honest("markov session, and a copy of it", SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN32, PLAYER_LINE,
         PLAYER_COPIED);
}

static void gram_sessions_keep_epsilon_and_delta(void **state) {
  (void)state;
  honest("gram session, cauchy", SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, PLAYER_LINE, PLAYER_HONEST);
  honest("gram session, matern12 in two dimensions", SFM_ENGINE_GRAM, SFM_KERNEL_MATERN12,
         PLAYER_SQUARE, PLAYER_HONEST);
}

/* --- What is no leak, but no answer either. --- */

/* How far the mean answer at a row's place is from the function there, in standard errors. */
static double offset(player *p) {
  enum { SESSIONS = 4000 };
  double sum = 0;
  for (int i = 0; i < SESSIONS; i++) {
    player_begin(p);
    player_ask(p, 0, 1);
    player_reopen(p);
    sum += player_ask(p, 0, 0);
  }
  const double deviation = p->scale * sqrt(1 + p->nugget);
  return (sum / SESSIONS - p->values[0][0]) * sqrt(SESSIONS) / deviation;
}

/* As printed in the thesis (section 3.2.5) answers are noise about the noise before: the data play
 * no part, and no audit can object.  They are told apart by their means. */
static void answers_are_about_the_function(void **state) {
  (void)state;
  static const struct {
    sfm_engine engine;
    sfm_kernel_family kernel;
  } sessions[] = {{SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN32}, {SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY}};
  player p;
  for (int i = 0; i < 2; i++) {
    player_init(&p, sessions[i].engine, sessions[i].kernel, PLAYER_LINE);
    assert_true(fabs(offset(&p)) < TRIAL_Z);
    p.twin = PLAYER_PRINTED;
    assert_true(fabs(offset(&p)) > TRIAL_Z);
    player_clear(&p);
  }
  player_init(&p, SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, PLAYER_LINE);
  p.twin = PLAYER_PRINTED;
  audit_mechanism m = {
      "PRINTED gram session, the mean left out", player_draw, &p, PLAYER_SCORES, 2, 0.1};
  audit_result result = audit_run(&m, player_transcripts() / 4);
  audit_print(&m, &result);
  assert_true(result.lower < 0.1);
  player_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(markov_sessions_keep_epsilon_and_delta),
      cmocka_unit_test(gram_sessions_keep_epsilon_and_delta),
      cmocka_unit_test(answers_are_about_the_function),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
