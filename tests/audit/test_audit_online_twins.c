/* test_audit_online_twins.c - twins of sessions: each is wrong in one step, and its transcripts
 * must give it away. */
/* suite: release */
#include "audit/support/session_audit.h"
#include "audit/support/hardened_audit.h"

static void twin(const char *name, sfm_engine engine, sfm_kernel_family kernel,
                 session_audit_list list, session_audit_twin wrong) {
  session_audit p;
  session_audit_init(&p, engine, kernel, list);
  p.twin = wrong;
  audit_mechanism m = session_audit_mechanism(name, &p);
  audit_twin_of(&m, session_audit_transcripts() / 2);
  session_audit_clear(&p);
}

static void sessions_that_draw_twice_are_caught(void **state) {
  (void)state;
  twin("TWIN markov session, redrawn after a restart", SFM_ENGINE_MARKOV, SFM_KERNEL_LAPLACIAN,
       SESSION_AUDIT_LINE, SESSION_AUDIT_REDRAWN);
  twin("TWIN gram session, redrawn after a restart", SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY,
       SESSION_AUDIT_LINE, SESSION_AUDIT_REDRAWN);
  twin("TWIN gram session, generation ignored", SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY,
       SESSION_AUDIT_LINE, SESSION_AUDIT_COPIED);
}

static void sessions_with_no_noise_somewhere_are_caught(void **state) {
  (void)state;
  twin("TWIN markov session, function not at its place", SFM_ENGINE_MARKOV, SFM_KERNEL_LAPLACIAN,
       SESSION_AUDIT_LINE, SESSION_AUDIT_UNROUNDED);
  twin("TWIN gram session, variance clipped at zero", SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY,
       SESSION_AUDIT_SMOOTH, SESSION_AUDIT_CLIPPED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sessions_that_draw_twice_are_caught),
      cmocka_unit_test(sessions_with_no_noise_somewhere_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
