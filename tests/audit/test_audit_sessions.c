/* test_audit_sessions.c - twins of sessions: each is wrong in one step, and its transcripts must
 * give it away. */
#include "audit/player.h"
#include "audit/subject.h"

static void twin(const char *name, sfm_engine engine, sfm_kernel_family kernel, player_list list,
                 player_twin wrong) {
  player p;
  player_init(&p, engine, kernel, list);
  p.twin = wrong;
  audit_mechanism m = player_mechanism(name, &p);
  audit_twin_of(&m, player_transcripts() / 2);
  player_clear(&p);
}

static void sessions_that_draw_twice_are_caught(void **state) {
  (void)state;
  twin("TWIN markov session, redrawn after a restart", SFM_ENGINE_MARKOV, SFM_KERNEL_LAPLACIAN,
       PLAYER_LINE, PLAYER_REDRAWN);
  twin("TWIN gram session, redrawn after a restart", SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY,
       PLAYER_LINE, PLAYER_REDRAWN);
  twin("TWIN gram session, generation ignored", SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, PLAYER_LINE,
       PLAYER_COPIED);
}

static void sessions_with_no_noise_somewhere_are_caught(void **state) {
  (void)state;
  twin("TWIN markov session, function not at its place", SFM_ENGINE_MARKOV, SFM_KERNEL_LAPLACIAN,
       PLAYER_LINE, PLAYER_UNROUNDED);
  twin("TWIN gram session, variance clipped at zero", SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY,
       PLAYER_SMOOTH, PLAYER_CLIPPED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sessions_that_draw_twice_are_caught),
      cmocka_unit_test(sessions_with_no_noise_somewhere_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
