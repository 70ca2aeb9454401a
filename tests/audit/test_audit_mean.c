/* test_audit_mean.c - a mean whose noise is scaled to the rows: (epsilon, delta) between neighbours
 * whose record that is drawn anew is typical; and what must be seen: a scale that is not smoothed,
 * and that an extreme record is not protected, which is what the guarantee's other name says. */
/* suite: release */
#include "test_support.h"

#include "audit/support/hardened_audit.h"
#include "estimators/quantiles/smooth_spread.h"
#include "mechanisms/statistics/mean_release.h"
#include "random/idealised_draws.h"

enum { N = 40 };

typedef struct pair {
  sfmi_mean_rule rule;
  double values[2][N];
  double centre[2];
  bool unsmoothed; /* WRONG: the order statistic itself */
  sfmi_stream *stream;
} pair;

static void draw(void *context, int input, double *scores) {
  pair *p = context;
  double copy[N], y;
  memcpy(copy, p->values[input], sizeof copy);
  if (p->unsmoothed) {
    const double spread = sfmi_smooth_spread(copy, N, p->rule.rank, 1e9, p->rule.width);
    y = p->centre[input] + (sfmi_idealised_uniform(p->stream) < 0.5 ? -1 : 1) *
                               sfmi_idealised_gamma(p->stream, 1) * 2 * spread /
                               (p->rule.epsilon * N);
  } else {
    y = sfmi_mean_draw(&p->rule, copy, p->stream);
  }
  scores[0] = y;
  scores[1] = fabs(y - p->centre[0]);
  scores[2] = fabs(y - p->centre[1]);
}

/* Records in two halves that differ by their distances; the last one is moved. */
static void prepare(pair *p, double epsilon, double delta, double gamma, const double *distances,
                    double upper, double moved) {
  sfm_error error;
  sfm_schema *schema;
  assert_ok(sfm_schema_create(&schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(schema, "x", 0, upper, &error), &error);
  const sfm_mean_settings s = {.size = sizeof(sfm_mean_settings),
                               .context.schema = schema,
                               .column = "x",
                               .epsilon = epsilon,
                               .delta = delta,
                               .gamma = gamma};
  *p = (pair){0};
  sfmi_mean_rule_init(&p->rule, &s, N);
  sfm_schema_destroy(schema);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < N; i++) p->values[k][i] = i < N / 2 ? 0 : distances[i - N / 2];
    if (k) p->values[k][N - 1] = moved;
    for (int i = 0; i < N; i++) p->centre[k] += p->values[k][i] / N;
  }
  assert_ok(test_long() ? sfmi_stream_create(&p->stream, &error)
                        : sfmi_stream_create_seeded(&p->stream, 3, &error),
            &error);
}

/* Twenty differences 1, 1.05, 1.10, ..: the rank is above the median. */
static void typical_records_are_protected(void **state) {
  (void)state;
  double distances[N / 2];
  pair p;
  for (int i = 0; i < N / 2; i++) distances[i] = 1 + 0.05 * i;
  prepare(&p, 1, 0.01, 0.3, distances, 2, 0);
  audit_mechanism m = {"mean, a typical record (random-dp, idealised)", draw, &p, 3, 1, 0.01};
  audit_honest(&m, test_long() ? 0.4 : 0.3); /* half of epsilon is for the scale */
  sfmi_stream_destroy(p.stream);
}

/* WRONG: where the differences jump at the rank, one record changes the scale a hundredfold. */
static void a_scale_that_is_not_smoothed_is_caught(void **state) {
  (void)state;
  double distances[N / 2];
  pair p;
  for (int i = 0; i < N / 2; i++) distances[i] = i < 14 ? 1 : 100;
  distances[N / 2 - 1] = 0.5;
  prepare(&p, 1, 0.01, 0.3, distances, 1000, 1000);
  p.unsmoothed = true;
  audit_mechanism m = {"TWIN mean, a scale that is not smoothed", draw, &p, 3, 1, 0.01};
  audit_twin(&m);
  sfmi_stream_destroy(p.stream);
}

/* Not a twin: a record a hundred times as far from the others as they are from each other is what
 * happens with probability at most gamma, and then nothing is promised. */
static void extreme_records_are_not_protected(void **state) {
  (void)state;
  double distances[N / 2];
  pair p;
  for (int i = 0; i < N / 2; i++) distances[i] = 1 + 0.05 * i;
  prepare(&p, 8, 0.01, 0.9, distances, 1000, 1000);
  audit_mechanism m = {"mean, an EXTREME record: not promised", draw, &p, 3, 2, 0.01};
  audit_twin(&m);
  sfmi_stream_destroy(p.stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(typical_records_are_protected),
      cmocka_unit_test(a_scale_that_is_not_smoothed_is_caught),
      cmocka_unit_test(extreme_records_are_not_protected),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
