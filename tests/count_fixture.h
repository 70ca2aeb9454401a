/* count_fixture.h - counts of rows in a text, and small optimal mechanisms, for the tests of
 * several rooms. */
#ifndef TEST_COUNT_FIXTURE_H
#define TEST_COUNT_FIXTURE_H

#include "data/rows/rows_open.h"
#include "releases/core/release_kind.h"
#include "mechanisms/statistics/count_noise.h"
#include "mechanisms/statistics/count_release.h"
#include "planner/optimal/design_optimal.h"
#include "releases/core/release_data.h"
#include "test_support.h"

typedef struct count_fixture {
  sfm_schema *schema;
  sfm_count_settings settings;
  sfm_release mechanism; /* nothing but an optimal one */
} count_fixture;

static inline void count_fixture_init(count_fixture *t, const char *where, double epsilon) {
  sfm_error error;
  *t = (count_fixture){.settings = sfm_count_settings_default()};
  assert_ok(sfm_schema_create(&t->schema, &error), &error);
  t->settings.context.schema = t->schema;
  t->settings.where = where;
  t->settings.epsilon = epsilon;
}

static inline void count_fixture_neighbours(count_fixture *t, sfm_neighbours neighbours,
                                            uint32_t contributions, const char *person) {
  sfm_error error;
  assert_ok(sfm_schema_set_neighbours(t->schema, neighbours, &error), &error);
  assert_ok(sfm_schema_set_contributions(t->schema, contributions, &error), &error);
  if (person) assert_ok(sfm_schema_set_person(t->schema, person, &error), &error);
}

/* The best mechanism for counts up to n: a remap of the geometric one for the absolute loss, or a
 * matrix for a loss by which an even error is better than an odd one. */
static inline sfmi_optimal *count_fixture_optimal(size_t n, double epsilon, bool matrix) {
  sfm_error error;
  sfmi_optimal *optimal;
  assert_ok(sfmi_optimal_create(&optimal, n, epsilon, &error), &error);
  optimal->objective = SFM_OPTIMAL_OBJECTIVE_MINIMAX;
  if (matrix) {
    optimal->loss = SFM_OPTIMAL_LOSS_OWN;
    for (size_t i = 0; i <= n; i++)
      for (size_t j = 0; j <= n; j++) {
        const size_t far = i < j ? j - i : i - j;
        optimal->losses[i * (n + 1) + j] = (double)(far + 3 * (far % 2));
      }
  } else {
    sfmi_optimal_fill_losses(optimal, SFM_OPTIMAL_LOSS_ABSOLUTE);
  }
  assert_ok(sfmi_design_optimal_find(optimal, &error), &error);
  assert_int_equal(optimal->form, matrix ? SFM_OPTIMAL_MATRIX : SFM_OPTIMAL_REMAP);
  return optimal;
}

/* Counts by this mechanism, which stays the caller's; epsilon is its own. */
static inline void count_fixture_use(count_fixture *t, sfmi_optimal *optimal) {
  t->mechanism = (sfm_release){
      .kind = &sfmi_mechanism_kind, .method = SFMI_MECHANISM_OPTIMAL, .optimal = optimal};
  t->settings.mechanism = &t->mechanism;
  t->settings.epsilon = 0;
}

static inline void count_fixture_clear(count_fixture *t) {
  sfm_schema_destroy(t->schema);
}

static inline sfm_rows *count_fixture_rows(const char *text) {
  sfm_error error;
  sfm_rows *rows;
  assert_ok(sfmi_rows_open_memory(&rows, text, strlen(text), 0, &error), &error);
  sfmi_rows_set_seed(rows, 1); /* which records of a person count */
  return rows;
}

static inline sfm_release *count_fixture_release(const count_fixture *t, const char *text) {
  sfm_error error;
  sfm_release *release = NULL;
  sfm_rows *rows = count_fixture_rows(text);
  assert_ok(sfm_count_release(&release, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

/* What the production code has before it draws: the count and the rule. */
static inline uint64_t count_fixture_count(const count_fixture *t, const char *text,
                                           sfmi_count_rule *rule) {
  sfm_error error;
  uint64_t count, n = 0;
  sfmi_predicate *predicate = NULL;
  sfm_rows *rows = count_fixture_rows(text);
  assert_ok(sfmi_count_check(&t->settings, &error), &error);
  if (sfm_schema_neighbours(t->schema) == SFM_NEIGHBOURS_REPLACE)
    assert_ok(sfm_rows_count(rows, &n, &error), &error);
  if (rule) assert_ok(sfmi_count_rule_init(rule, &t->settings, n, &error), &error);
  if (t->settings.where)
    assert_ok(sfmi_predicate_create(&predicate, t->settings.where, t->schema, &error), &error);
  assert_ok(sfmi_count_read(&count, rows, predicate, &t->settings, &error), &error);
  sfmi_predicate_destroy(predicate);
  sfm_rows_destroy(rows);
  return count;
}

/* The chance of an answer when the count is `count`, by the formulas. */
static inline double count_fixture_law(const sfmi_count_rule *rule, uint64_t count,
                                       int64_t answer) {
  const double a = exp(-1 / sfmi_noise_scale(&rule->law)), n = (double)rule->n;
  if (rule->optimal) {
    double law[200];
    assert_true(rule->n < 200);
    sfmi_optimal_law(rule->optimal, law, (size_t)count);
    return answer < 0 || answer > (int64_t)rule->n ? 0 : law[answer];
  }
  if (rule->exact_to >= 0 && count <= (uint64_t)rule->exact_to) return answer == (int64_t)count;
  const double power = pow(a, fabs((double)answer - (double)count));
  if (!rule->bounded) return power * (1 - a) / (1 + a);
  if (answer < 0 || (double)answer > n) return 0;
  return power / (1 + a) * (answer == 0 || (double)answer == n ? 1 : 1 - a);
}

#endif
