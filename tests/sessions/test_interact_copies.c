/* test_interact_copies.c - two copies of one interactive session, asked as many questions each, of
 * which none releases anything: their batches say the same, and yet exactly one goes on.
 *
 * Were both followed where nothing fires, and one refused where something does, refusals would tell
 * the outcome of comparisons that nobody paid for. */
/* suite: both */
#include <signal.h>

#include "ledger/child_process.h"
#include "online_harness.h"
#include "interact_harness.h"

typedef struct twins {
  interact_harness p;
  char other[128];
} twins;

/* With so small an epsilon, and so many questions expected, no comparison fires: the chance of
 * each is 6e-10. */
static void begin(twins *t, bool charged) {
  sfm_error error;
  interact_harness_init(&t->p, charged);
  t->p.train.epsilon = 1;
  t->p.settings.questions = 1000000000;
  assert_ok(interact_harness_create(&t->p, t->p.session, &error), &error);
  snprintf(t->other, sizeof t->other, "%s/other.sfs", t->p.here);
}

static void copy(twins *t) {
  online_harness_copy(t->other, t->p.session);
  interact_harness_keep(&t->p);
}

static sfm_interact *open_at(const char *path) {
  sfm_interact *session;
  sfm_error error;
  assert_ok(sfm_interact_open(&session, path, &error), &error);
  return session;
}

static sfm_status ask(sfm_interact *session, double at) {
  sfm_interact_answer answers[2];
  sfm_error error;
  const sfm_status status =
      sfm_interact_ask(session, answers, (double[]){at, at, -at, at}, 2, &error);
  for (int i = 0; i < 2 && !status; i++)
    assert_int_equal(answers[i].source, SFM_INTERACT_SOURCE_PUBLIC);
  for (int i = 0; i < 2 && status; i++) assert_true(isnan(answers[i].value));
  return status;
}

/* From the file on, as a process of its own would. */
static sfm_status ask_file(const char *path, double at) {
  sfm_interact *session;
  sfm_error error;
  sfm_status status = sfm_interact_open(&session, path, &error);
  if (!status) status = ask(session, at);
  sfm_interact_close(session);
  return status;
}

/* At generation 0, and at a later one. */
static void one_of_two_goes_on(void **state) {
  (void)state;
  for (int charged = 0; charged < 2; charged++) {
    twins t;
    begin(&t, charged);
    for (int round = 0; round < 2; round++) {
      copy(&t);
      sfm_interact *one = open_at(t.p.session), *two = open_at(t.other);
      assert_int_equal(ask(one, 0.5), SFM_OK);
      assert_int_equal(ask(two, 0.5), SFM_REFUSED); /* the same questions */
      assert_int_equal(ask(two, 0.25), SFM_REFUSED);
      assert_int_equal(ask(one, 0.25), SFM_OK);
      sfm_interact_close(one);
      sfm_interact_close(two);
      assert_int_equal(ask_file(t.other, 0.5), SFM_REFUSED);
    }
    interact_harness_clear(&t.p);
  }
}

/* Both have committed before the freshness record holds either: its disk fails in
 * between, or the process dies.  Whichever is opened first goes on. */
static int ask_in_child(void *context) {
  return !ask_file(((twins *)context)->p.session, 0.5) ? 0 : 1;
}

static void one_case(twins *t, bool other_first, uint64_t at, bool dies) {
  interact_harness_again(&t->p);
  const interpose_plan plan = {.folders = {t->p.here, t->p.there},
                               .action = dies ? INTERPOSE_BEFORE : INTERPOSE_EIO,
                               .at = at};
  const child_end end = child_run(ask_in_child, t, &plan);
  if (dies) assert_int_equal(end.signal, SIGKILL);
  const bool shown = !dies && end.code == 0;
  const char *first = other_first ? t->other : t->p.session;
  const char *second = other_first ? t->p.session : t->other;
  const sfm_status one = ask_file(first, 0.25), two = ask_file(second, 0.25);
  if ((!one) == (!two) || (one && one != SFM_REFUSED) || (two && two != SFM_REFUSED) ||
      (shown && (other_first ? two : one)))
    fail_msg("call %llu (%s): %d, then %d", (unsigned long long)at, child_report()->hit, one, two);
}

static void deaths_leave_one(void **state) {
  (void)state;
  for (int charged = 0; charged < 2; charged++) {
    twins t;
    begin(&t, charged);
    assert_int_equal(ask_file(t.p.session, 0.75), SFM_OK);
    copy(&t);
    const interpose_plan count = {.folders = {t.p.here, t.p.there}, .action = INTERPOSE_COUNT};
    assert_int_equal(child_run(ask_in_child, &t, &count).code, 0);
    const uint64_t calls = child_report()->calls;
    assert_true(calls > 5);
    for (uint64_t at = 1; at <= calls; at += CHILD_STRIDE)
      for (int i = 0; i < 4; i++) one_case(&t, i & 1, at, i & 2);
    interact_harness_clear(&t.p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_of_two_goes_on),
      cmocka_unit_test(deaths_leave_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
