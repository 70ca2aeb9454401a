/* test_audit_linear.c - answers to linear queries at their worst neighbours, beside twins that are
 * wrong on purpose. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "audit/subject.h"
#include "lineartrial.h"
#include "releases/contents.h"

static double share(double ordinary, double long_tier) {
  return audit_long() ? long_tier : ordinary;
}

enum { CELLS = 4, QUERIES = 2, ROWS = 3 };

/* Columns (1, 1), (1, -1), (0.3, 0), (-1, -1): the first and the last are farthest apart, by 4. */
static const double matrix[QUERIES * CELLS] = {1, 1, 0.3, -1, 1, -1, 0, -1};
static const int before[ROWS] = {0, 2, 1}, after[ROWS] = {3, 2, 1}, gone[ROWS] = {-1, 2, 1};

/* The integers of both inputs as the production code makes them, and its noise, checked against a
 * seeded release. */
static void subject_init_linear(subject *s, lineartrial *t, const int *first, const int *second) {
  const bool normal = t->settings.table.delta > 0;
  const int *inputs[2] = {first, second};
  sfm_linear_plan plan;
  sfmi_workload w;
  sfm_error error;
  t->settings.method = normal ? SFM_LINEAR_NORMAL : SFM_LINEAR_LAPLACE;
  trial_ok(sfm_linear_forecast(&plan, &t->settings, &error), &error);
  sfm_release *release = lineartrial_release(t, first, ROWS, 1, &error);
  assert_non_null(release);
  const double rate = normal ? release->guarantee.mu : release->guarantee.epsilon;
  trial_ok(sfmi_workload_init(&w, &t->settings, rate, &error), &error);
  const double moved = (normal ? w.l2 : w.l1) * sfm_schema_contributions(t->schema);
  *s = (subject){.length = QUERIES, .released = calloc(QUERIES, sizeof *s->released)};
  trial_ok(normal ? sfmi_harden_normal(&s->hardening.law, moved, rate, &error)
                  : sfmi_harden_laplace(&s->hardening.law, moved, rate, &error),
           &error);
  s->hardening.step = w.step;
  s->hardening.sensitivity = moved * w.step;
  for (int k = 0; k < 2; k++) {
    uint64_t counts[CELLS] = {0};
    for (size_t i = 0; i < ROWS; i++)
      if (inputs[k][i] >= 0) counts[inputs[k][i]]++;
    s->values[k] = calloc(QUERIES, sizeof *s->values[k]);
    sfmi_workload_apply(&w, s->values[k], counts);
  }
  sfmi_hardener *hardener;
  trial_ok(sfmi_hardener_create(&hardener, &s->hardening.law, (sfmi_seed){true, 1}, &error),
           &error);
  sfmi_hardener_add(hardener, s->released, s->values[0], QUERIES);
  sfmi_hardener_destroy(hardener);
  assert_memory_equal(release->integers, s->released, QUERIES * sizeof *s->released);
  sfm_release_destroy(release);
  sfmi_workload_clear(&w);
}

static audit_mechanism of(const char *name, subject *s, const lineartrial *t) {
  return (audit_mechanism){
      name, subject_draw, s, SUBJECT_SCORES, t->settings.table.epsilon, t->settings.table.delta};
}

static void honest(const char *name, sfm_neighbours neighbours, double epsilon, double delta,
                   const int *other, double least) {
  lineartrial t;
  subject s;
  lineartrial_init(&t, matrix, QUERIES, CELLS, epsilon, delta);
  lineartrial_neighbours(&t, neighbours, 1);
  subject_init_linear(&s, &t, before, other);
  subject_arm(&s);
  const audit_mechanism m = of(name, &s, &t);
  audit_honest(&m, least);
  subject_clear(&s);
  lineartrial_clear(&t);
}

static void answers_keep_their_claim(void **state) {
  (void)state;
  honest("linear laplace, a record in another cell", SFM_REPLACE, 1, 0, after, share(0.75, 0.93));
  honest("linear laplace, a record added", SFM_ADD_REMOVE, 1, 0, gone, share(0.75, 0.93));
  honest("linear normal, a record in another cell", SFM_REPLACE, 1, 0.1, after, share(0.75, 0.93));
}

/* WRONG: the noise of one column's norm, as if a record could only come or go. */
static void twin_of_norms(void **state) {
  (void)state;
  lineartrial t;
  subject s;
  lineartrial_init(&t, matrix, QUERIES, CELLS, 1, 0);
  subject_init_linear(&s, &t, before, after);
  subject_scale(&s, 1, 2);
  subject_arm(&s);
  const audit_mechanism m = of("TWIN: linear, the largest norm for a replaced record", &s, &t);
  audit_twin(&m);
  subject_clear(&s);
  lineartrial_clear(&t);
}

/* WRONG: the noise of the largest entry, answer by answer, each with all of epsilon. */
static void twin_of_single_answers(void **state) {
  (void)state;
  lineartrial t;
  subject s;
  lineartrial_init(&t, matrix, QUERIES, CELLS, 1, 0);
  lineartrial_neighbours(&t, SFM_ADD_REMOVE, 1);
  subject_init_linear(&s, &t, before, gone);
  subject_scale(&s, 1, 2);
  subject_arm(&s);
  const audit_mechanism m = of("TWIN: linear, each answer by itself", &s, &t);
  audit_twin(&m);
  subject_clear(&s);
  lineartrial_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_keep_their_claim),
      cmocka_unit_test(twin_of_norms),
      cmocka_unit_test(twin_of_single_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
