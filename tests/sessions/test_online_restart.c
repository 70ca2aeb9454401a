/* test_online_restart.c - a thousand restarts and a million questions, and not one byte of an
 * answer changes; and these tests would notice if one did. */
#include "online_harness.h"

#include <sys/mman.h>
#include <unistd.h>

#include "ledger/child_process.h"

/* What was answered so far at the places i/places, in memory shared with children. */
typedef struct memory {
  size_t places, asked, changed;
  struct {
    double answer;
    bool known;
  } at[];
} memory;

static memory *remember(size_t places) {
  memory *m = mmap(NULL, sizeof *m + places * sizeof *m->at, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(m, MAP_FAILED);
  m->places = places;
  return m;
}

static void forget(memory *m) {
  munmap(m, sizeof *m + m->places * sizeof *m->at);
}

/* One stretch between two restarts: questions in batches of many sizes, old and new places mixed.
 */
typedef struct stretch {
  const online_harness *d;
  memory *m;
  size_t questions, reach; /* of the places, those below this one */
  uint64_t seed;
} stretch;

static sfm_status ask_some(const stretch *s, sfm_online *session, sfmi_prng *prng, size_t count,
                           sfm_error *error) {
  static double points[ONLINE_HARNESS_POINTS], answers[ONLINE_HARNESS_POINTS];
  static size_t places[ONLINE_HARNESS_POINTS];
  memory *m = s->m;
  for (size_t i = 0; i < count; i++) {
    places[i] = sfmi_prng_word(prng) % s->reach;
    /* Neighbouring numbers are far apart. */
    points[i] = (double)(places[i] * 7919 % m->places) / (double)m->places;
  }
  sfm_status status = sfm_online_ask(session, answers, points, count, error);
  for (size_t i = 0; i < count && !status; i++) {
    if (m->at[places[i]].known)
      m->changed += memcmp(&m->at[places[i]].answer, &answers[i], sizeof answers[i]) != 0;
    m->at[places[i]].known = true;
    m->at[places[i]].answer = answers[i];
  }
  m->asked += count;
  return status;
}

static int live(void *context) {
  const stretch *s = context;
  sfm_error error = {.message = ""};
  sfm_online *session = NULL;
  sfmi_prng prng;
  sfmi_prng_init(&prng, s->seed);
  sfm_status status = sfm_online_open(&session, s->d->session, &error);
  for (size_t left = s->questions; left && !status;) {
    size_t count =
        1 + sfmi_prng_word(&prng) % (left < ONLINE_HARNESS_POINTS ? left : ONLINE_HARNESS_POINTS);
    status = ask_some(s, session, &prng, count, &error);
    left -= count;
  }
  sfm_online_close(session);
  if (status) online_harness_say(s->d, "%s", error.message);
  return (int)status;
}

/* Some of them in a process of their own. */
static void restart(const stretch *s, unsigned number) {
  const child_end end = number % 10 == 3 ? child_run(live, (void *)(uintptr_t)s, NULL)
                                         : (child_end){0, live((void *)(uintptr_t)s)};
  if (end.signal || end.code) fail_msg("restart %u: %s", number, s->d->word->text);
}

static void many_restarts(sfm_engine engine, online_harness_keeper keeper, size_t places,
                          unsigned restarts, size_t questions) {
  online_harness d;
  sfm_error error;
  memory *m = remember(places);
  online_harness_init(&d, engine, keeper);
  assert_ok(online_harness_create(&d, d.session, &error), &error);
  for (unsigned i = 0; i < restarts; i++) {
    const size_t reach = places * (i + 1) / restarts;
    restart(&(stretch){&d, m, questions, reach ? reach : 1, i + 1}, i);
  }
  print_message("%s: %u restarts, %zu questions, %zu changed answers\n", sfm_engine_name(engine),
                restarts, m->asked, m->changed);
  assert_int_equal(m->changed, 0);
  assert_true(m->asked == restarts * questions);
  forget(m);
  online_harness_clear(&d);
}

static void no_answer_ever_changes(void **state) {
  (void)state;
  const bool all = test_long();
  const unsigned restarts = all ? 1000 : 60;
  many_restarts(SFM_ENGINE_SPECTRAL, ONLINE_HARNESS_ALONE, 1000003, restarts, 1000);
  many_restarts(SFM_ENGINE_MARKOV, ONLINE_HARNESS_ALONE, 1000003, restarts, 1000);
  many_restarts(SFM_ENGINE_GRAM, ONLINE_HARNESS_ANCHOR, all ? 1009 : 211, restarts, 1000);
  many_restarts(SFM_ENGINE_GRAM, ONLINE_HARNESS_LEDGER, 101, all ? 200 : 20, 100);
}

/* The twin: noise that is redrawn after a restart. */
static void redrawn_noise_is_noticed(void **state) {
  (void)state;
  static const sfm_engine engines[] = {SFM_ENGINE_SPECTRAL, SFM_ENGINE_MARKOV, SFM_ENGINE_GRAM};
  for (int e = 0; e < 3; e++) {
    online_harness d;
    sfm_error error;
    memory *m = remember(101);
    online_harness_init(&d, engines[e],
                        engines[e] == SFM_ENGINE_GRAM ? ONLINE_HARNESS_ANCHOR
                                                      : ONLINE_HARNESS_ALONE);
    for (unsigned i = 0; i < 2; i++) {
      unlink(d.session);
      unlink(d.anchor);
      assert_ok(online_harness_create(&d, d.session, &error), &error);
      restart(&(stretch){&d, m, 100, 10, i + 1}, i);
    }
    assert_true(m->changed >= 8); /* of ten places */
    forget(m);
    online_harness_clear(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_answer_ever_changes),
      cmocka_unit_test(redrawn_noise_is_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
