/* test_audit_online.c - whole transcripts of sessions, with questions that follow the answers and
 * with restarts in between. */
/* suite: release */
#include "audit/support/session_audit.h"
#include "audit/support/hardened_audit.h"

static void honest(const char *name, sfm_engine engine, sfm_kernel_family kernel,
                   session_audit_list list, session_audit_twin twin) {
  session_audit p;
  session_audit_init(&p, engine, kernel, list);
  p.twin = twin;
  audit_mechanism m = session_audit_mechanism(name, &p);
  audit_honest_of(&m, session_audit_transcripts(), test_long() ? 0.9 : 0.65);
  session_audit_clear(&p);
}

static void markov_sessions_keep_epsilon_and_delta(void **state) {
  (void)state;
  honest("markov session, laplacian", SFM_ENGINE_MARKOV, SFM_KERNEL_LAPLACIAN, SESSION_AUDIT_LINE,
         SESSION_AUDIT_HONEST);
  honest("markov session, matern52", SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN52, SESSION_AUDIT_LINE,
         SESSION_AUDIT_HONEST);
  /* Copies are one function: nothing is wrong with asking both. */
  honest("markov session, and a copy of it", SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN32,
         SESSION_AUDIT_LINE, SESSION_AUDIT_COPIED);
}

static void gram_sessions_keep_epsilon_and_delta(void **state) {
  (void)state;
  honest("gram session, cauchy", SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, SESSION_AUDIT_LINE,
         SESSION_AUDIT_HONEST);
  honest("gram session, matern12 in two dimensions", SFM_ENGINE_GRAM, SFM_KERNEL_MATERN12,
         SESSION_AUDIT_SQUARE, SESSION_AUDIT_HONEST);
}

/* --- What is no leak, but no answer either. --- */

/* How far the mean answer at a row's place is from the function there, in standard errors. */
static double offset(session_audit *p) {
  enum { SESSIONS = 4000 };
  double sum = 0;
  for (int i = 0; i < SESSIONS; i++) {
    session_audit_begin(p);
    session_audit_ask(p, 0, 1);
    session_audit_reopen(p);
    sum += session_audit_ask(p, 0, 0);
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
  session_audit p;
  for (int i = 0; i < 2; i++) {
    session_audit_init(&p, sessions[i].engine, sessions[i].kernel, SESSION_AUDIT_LINE);
    assert_true(fabs(offset(&p)) < TEST_Z);
    p.twin = SESSION_AUDIT_PRINTED;
    assert_true(fabs(offset(&p)) > TEST_Z);
    session_audit_clear(&p);
  }
  session_audit_init(&p, SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, SESSION_AUDIT_LINE);
  p.twin = SESSION_AUDIT_PRINTED;
  audit_mechanism m = {"PRINTED gram session, the mean left out",
                       session_audit_draw,
                       &p,
                       SESSION_AUDIT_SCORES,
                       2,
                       0.1};
  audit_result result = audit_run(&m, session_audit_transcripts() / 4);
  audit_print(&m, &result);
  assert_true(result.lower < 0.1);
  session_audit_clear(&p);
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
