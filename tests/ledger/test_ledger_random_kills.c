/* test_ledger_random_kills.c - clients that make request after request, each killed at a random
 * time or a random call, some with the power: 10,000 of them in the long tier. */
/* suite: release */
#include "test_support.h"

#include <signal.h>
#include <time.h>

#include "child_process.h"
#include "disk.h"
#include "ledger_scenario.h"

enum { KILLS_A_WORLD = 250 };

/* Requests n<next>, n<next + 1>, ...: the next one is begun when the last was shown. */
static int endless(void *context) {
  const scenario *w = context;
  sfm_ledger *ledger = NULL;
  sfm_error error = {0};
  sfm_status status = scenario_open(w, &ledger, &error);
  while (!status) {
    char request[32];
    snprintf(request, sizeof request, "n%llu", (unsigned long long)w->report->answered);
    status = scenario_request(w, ledger, request, &error);
    if (!status) w->report->answered++;
  }
  scenario_say(w, "%s", error.message);
  return (int)status;
}

static void pause_for(uint64_t microseconds) {
  const struct timespec time = {0, (long)microseconds * 1000};
  nanosleep(&time, NULL);
}

/* What becomes of one client. */
static child_end strike(scenario *w, sfmi_prng *prng, bool cut, char *how, size_t size) {
  const uint64_t manner = sfmi_prng_word(prng) % 4;
  interpose_plan plan = {.folders = {w->here, w->there}, .disk = cut};
  if (manner == 0) {
    const uint64_t wait = sfmi_prng_word(prng) % 8000;
    snprintf(how, size, "killed after %llu microseconds", (unsigned long long)wait);
    pid_t child = child_start(endless, w, &plan);
    pause_for(wait);
    kill(child, SIGKILL);
    return child_wait(child);
  }
  plan.action = manner == 1 ? INTERPOSE_BEFORE : manner == 2 ? INTERPOSE_AFTER : INTERPOSE_TORN;
  plan.at = 1 + sfmi_prng_word(prng) % 200;
  snprintf(how, size, "killed %s call %llu", interpose_action_name(plan.action),
           (unsigned long long)plan.at);
  return child_run(endless, w, &plan);
}

/* Opening a ledger may roll it back: what that writes is on the same disk. */
static void check(scenario *w, bool cut, const char *how, int number) {
  const interpose_plan plan = {.folders = {w->here, w->there}, .disk = cut};
  child_end end = child_run(scenario_check, w, &plan);
  if (end.signal || end.code)
    fail_msg("kill %d (%s): signal %d: %s", number, how, end.signal, w->report->text);
}

/* Kills clients of one ledger; every tenth time everything is checked.  Returns how many requests
 * were answered. */
static uint64_t one_world(int kills, uint64_t seed, bool anchored, bool cut) {
  scenario w;
  sfmi_prng prng;
  char how[100] = "";
  sfmi_prng_init(&prng, seed);
  scenario_init(&w, anchored);
  w.epsilon = 1000;
  w.guarantee = scenario_pure(0.001);
  if (cut) {
    disk_begin(w.here);
    disk_begin(w.there);
  }
  for (int i = 1; i <= kills; i++) {
    child_end end = strike(&w, &prng, cut, how, sizeof how);
    if (end.signal != SIGKILL)
      fail_msg("kill %d (%s): ended with signal %d, code %d: %s", i, how, end.signal, end.code,
               w.report->text);
    /* Sometimes the next client finds what this one left in memory, and the power fails later. */
    if (cut && sfmi_prng_word(&prng) % 2) {
      disk_cut(w.here, sfmi_prng_word(&prng) % 3 ? sfmi_prng_word(&prng) : 0);
      disk_cut(w.there, sfmi_prng_word(&prng) % 3 ? sfmi_prng_word(&prng) : 0);
    }
    if (i % 10 == 0 && w.report->answered) check(&w, cut, how, i);
  }
  check(&w, cut, how, kills);
  const uint64_t answered = w.report->answered;
  scenario_clear(&w);
  return answered;
}

static void storm(bool cut) {
  const int kills = test_long() ? 5000 : 150;
  uint64_t answered = 0;
  for (int done = 0, seed = 1; done < kills; done += KILLS_A_WORLD, seed++)
    answered += one_world(kills - done < KILLS_A_WORLD ? kills - done : KILLS_A_WORLD,
                          (uint64_t)seed + (cut ? 1000 : 0), seed % 2, cut);
  print_message("%d clients killed%s, %llu requests answered\n", kills,
                cut ? " with the power" : "", (unsigned long long)answered);
  assert_true(answered > (uint64_t)kills / 10);
}

static void killed_at_random(void **state) {
  (void)state;
  storm(false);
}

static void killed_at_random_with_the_power(void **state) {
  (void)state;
  storm(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(killed_at_random),
      cmocka_unit_test(killed_at_random_with_the_power),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
