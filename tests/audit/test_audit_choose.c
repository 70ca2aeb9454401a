/* test_audit_choose.c - a choice by scores at neighbours that move them the most, beside twins: the
 * rate of scores that move in one direction for scores that do not, and no allowance for rounding.
 */
/* suite: release */
#include "test_support.h"

#include "audit/support/hardened_audit.h"
#include "mechanisms/statistics/choose_release.h"

typedef struct election {
  sfmi_choose_rule rule;
  size_t count;
  int64_t integers[2][4];
  sfmi_stream *stream;
} election;

/* The scores are which candidate it is, and the odds of two of them. */
static void draw(void *context, int input, double *scores) {
  const election *e = context;
  const size_t chosen = sfmi_choose_draw(&e->rule, e->stream, e->integers[input], e->count);
  scores[0] = (double)chosen;
  scores[1] = chosen == 1 ? 1 : chosen == 0 ? -1 : 0;
}

static void prepare(election *e, const sfm_choose_settings *settings, const double *const scores[2],
                    size_t count) {
  static const char *const names[] = {"a", "b", "c", "d"};
  sfm_error error;
  *e = (election){.count = count};
  assert_ok(sfmi_choose_rule_init(&e->rule, settings, &error), &error);
  for (int k = 0; k < 2; k++) {
    sfm_choose_settings seeded = *settings;
    sfm_release *release;
    sfmi_stream *stream;
    sfmi_choose_integers(e->integers[k], scores[k], count, e->rule.step);
    /* The audit draws what the mechanism releases. */
    seeded.context.seeded = true;
    seeded.context.seed = 7;
    assert_ok(sfm_choose_release(&release, names, scores[k], count, &seeded, &error), &error);
    assert_ok(sfmi_stream_create_seeded(&stream, 7, &error), &error);
    assert_int_equal(sfmi_choose_draw(&e->rule, stream, e->integers[k], count),
                     sfm_release_chosen(release));
    sfmi_stream_destroy(stream);
    sfm_release_destroy(release);
  }
  assert_ok(test_long() ? sfmi_stream_create(&e->stream, &error)
                        : sfmi_stream_create_seeded(&e->stream, 8, &error),
            &error);
}

static sfm_choose_settings asked(double epsilon, bool monotonic) {
  sfm_choose_settings s = sfm_choose_settings_default();
  s.sensitivity = 1;
  s.epsilon = epsilon;
  s.monotonic = monotonic;
  s.neighbours = monotonic ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE;
  return s;
}

/* One score falls and all others rise: the loss is nearly epsilon where that one is unlikely. */
static const double DOWN[] = {0, -4, 0, 0}, UP[] = {-1, -3, -1, -1};
/* All move one way, by the most or not at all. */
static const double BEFORE[] = {0, -3, 0, 0}, AFTER[] = {0, -2, 0, 0};

static void choices_keep_epsilon(void **state) {
  (void)state;
  election e;
  sfm_choose_settings s = asked(1, false);
  prepare(&e, &s, (const double *const[]){DOWN, UP}, 4);
  audit_mechanism m = {"choose, scores in both directions", draw, &e, 2, 1, 0};
  audit_honest(&m, test_long() ? 0.85 : 0.7);
  sfmi_stream_destroy(e.stream);
  s = asked(1, true);
  prepare(&e, &s, (const double *const[]){BEFORE, AFTER}, 4);
  m = (audit_mechanism){"choose, monotonic", draw, &e, 2, 1, 0};
  audit_honest(&m, test_long() ? 0.8 : 0.6);
  sfmi_stream_destroy(e.stream);
}

/* WRONG: said to be monotonic, but scores move in both directions: twice the rate. */
static void a_doubled_rate_is_caught(void **state) {
  (void)state;
  election e;
  const sfm_choose_settings s = asked(1, true);
  prepare(&e, &s, (const double *const[]){DOWN, UP}, 4);
  audit_mechanism m = {"TWIN choose, rate doubled", draw, &e, 2, 1, 0};
  audit_twin(&m);
  sfmi_stream_destroy(e.stream);
}

/* WRONG: contributions are not charged. */
static void two_records_at_the_price_of_one_are_caught(void **state) {
  (void)state;
  election e;
  const sfm_choose_settings s = asked(1, false);
  static const double far[] = {-2, -2, -2, -2};
  prepare(&e, &s, (const double *const[]){DOWN, far}, 4);
  audit_mechanism m = {"TWIN choose, two records charged as one", draw, &e, 2, 1, 0};
  audit_twin(&m);
  sfmi_stream_destroy(e.stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choices_keep_epsilon),
      cmocka_unit_test(a_doubled_rate_is_caught),
      cmocka_unit_test(two_records_at_the_price_of_one_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
