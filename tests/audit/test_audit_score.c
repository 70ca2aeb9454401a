/* test_audit_score.c - scores of machines attacked where one record moves them most, beside a twin
 * that is wrong on purpose: noise for a part of what an error can be. */
/* suite: release */
#include "audit/support/hardened_audit.h"
#include "mechanisms/machines/score_release.h"
#include "score_fixture.h"

enum { SCORE_SUM, SCORE_SCORES };

typedef struct contest {
  uint64_t sum[2];
  sfmi_hardener *hardener;
  double claimed;
} contest;

static void contest_draw(void *context, int input, double *scores) {
  contest *c = context;
  int64_t released;
  sfmi_hardener_add_counts(c->hardener, &released, &c->sum[input], 1);
  scores[SCORE_SUM] = (double)released;
}

/* The noise for something that one record moves by so much; and a seeded release of the public
 * function is what the audit would draw from that seed. */
static void contest_read(contest *c, bool regression, const double (*one)[3],
                         const double (*other)[3], size_t count, double epsilon, uint64_t moved) {
  sfm_release *machine = score_machine(regression);
  sfmi_score_rule rule;
  sfmi_noise_law law;
  sfm_error error;
  sfmi_score_rule_init(&rule, machine);
  c->claimed = epsilon;
  c->sum[0] = score_sum(machine, one[0], count, rule.step);
  c->sum[1] = score_sum(machine, other[0], count, rule.step);
  const bool honest = moved == 0;
  assert_ok(sfmi_harden_laplace(&law, (double)(honest ? rule.most : moved), epsilon, &error),
            &error);
  for (uint64_t seed = 1; honest && seed <= 5; seed++) {
    sfm_score_settings settings = sfm_score_settings_default();
    sfm_score score;
    sfm_release *release = NULL;
    int64_t wanted;
    settings.epsilon = epsilon;
    settings.context.seeded = true;
    settings.context.seed = seed;
    assert_ok(score_of(&score, &release, machine, one[0], count, &settings, &error), &error);
    assert_ok(sfmi_hardener_create(&c->hardener, &law, (sfmi_seed){true, seed}, &error), &error);
    sfmi_hardener_add_counts(c->hardener, &wanted, &c->sum[0], 1);
    assert_int_equal(release->integers[0], wanted);
    sfmi_hardener_destroy(c->hardener);
    sfm_release_destroy(release);
  }
  assert_ok(sfmi_hardener_create(&c->hardener, &law, (sfmi_seed){!test_long(), 1}, &error), &error);
  sfm_release_destroy(machine);
}

static audit_mechanism arm(contest *c, const char *name) {
  return (audit_mechanism){name, contest_draw, c, SCORE_SCORES, c->claimed, 0};
}

static const double right[3][3] = {{7, 0.5, 1}, {1, 0.5, 0}, {3, 0, 1}};
static const double wrong[3][3] = {{7, 0.5, 0}, {1, 0.5, 0}, {3, 0, 1}};
static const double unlabelled[3][3] = {{7, 0.5, NAN}, {1, 0.5, 0}, {3, 0, 1}};
static const double near[2][3] = {{0, 0, 10}, {5, 0, 12}};
static const double far[2][3] = {{0, 0, 30}, {5, 0, 12}};
static const double unread[2][3] = {{NAN, 0, 10}, {5, 0, 12}};

static void scores_keep_epsilon(void **state) {
  (void)state;
  const double least = test_long() ? 0.95 : 0.85;
  static const struct {
    const char *name;
    bool regression;
    const double (*one)[3], (*other)[3];
    size_t count;
  } cases[] = {{"score, a row right or wrong", false, right, wrong, 3},
               {"score, a row right or without a label", false, right, unlabelled, 3},
               {"score, an error of none or all", true, near, far, 2},
               {"score, an error of none or of a row without a value", true, near, unread, 2}};
  for (size_t i = 0; i < 4; i++) {
    contest c = {0};
    contest_read(&c, cases[i].regression, cases[i].one, cases[i].other, cases[i].count, 1, 0);
    audit_mechanism m = arm(&c, cases[i].name);
    audit_honest(&m, least);
    sfmi_hardener_destroy(c.hardener);
  }
}

static void twins_are_caught(void **state) {
  (void)state;
  contest c = {0};
  contest_read(&c, true, near, far, 2, 1, 1000);
  audit_mechanism m = arm(&c, "TWIN score, noise for a part of the width");
  audit_twin(&m);
  sfmi_hardener_destroy(c.hardener);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scores_keep_epsilon),
      cmocka_unit_test(twins_are_caught),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
