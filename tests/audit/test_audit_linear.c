/* test_audit_linear.c - answers to linear queries at their worst neighbours, beside twins that
 * are wrong on purpose. */
/* suite: release */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "audit/support/hardened_audit.h"
#include "linear_fixture.h"
#include "releases/core/release_data.h"

enum { CELLS = 4, QUERIES = 2, ROWS = 3 };

/* Columns (1, 1), (1, -1), (0.3, 0), (-1, -1): the first and the last are farthest apart, by 4. */
static const double matrix[QUERIES * CELLS] = {1, 1, 0.3, -1, 1, -1, 0, -1};
static const int before[ROWS] = {0, 2, 1}, after[ROWS] = {3, 2, 1}, gone[ROWS] = {-1, 2, 1};

/* The integers of both inputs as the production code makes them, and its noise, checked against a
 * seeded release. */
static void hardened_audit_init_linear(hardened_audit *s, linear_fixture *t, const int *first,
                                       const int *second) {
  const bool normal = t->table.delta > 0;
  const int *inputs[2] = {first, second};
  sfm_linear_choice plan;
  sfmi_workload w;
  sfm_error error;
  t->settings.method = normal ? SFM_LINEAR_NORMAL : SFM_LINEAR_LAPLACE;
  assert_ok(sfm_linear_choose(&plan, &t->settings, &error), &error);
  sfm_release *release = linear_fixture_release(t, first, ROWS, 1, &error);
  assert_non_null(release);
  const double rate = normal ? release->guarantee.mu : release->guarantee.epsilon;
  const sfmi_linear_request request = linear_fixture_request(t);
  assert_ok(sfmi_workload_init(&w, &request, rate, &error), &error);
  const double moved = (normal ? w.l2 : w.l1) * sfm_schema_contributions(t->schema);
  *s = (hardened_audit){.length = QUERIES, .released = calloc(QUERIES, sizeof *s->released)};
  assert_ok(normal ? sfmi_harden_normal(&s->hardening.law, moved, rate, &error)
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
  assert_ok(sfmi_hardener_create(&hardener, &s->hardening.law, (sfmi_seed){true, 1}, &error),
            &error);
  sfmi_hardener_add(hardener, s->released, s->values[0], QUERIES);
  sfmi_hardener_destroy(hardener);
  assert_memory_equal(release->integers, s->released, QUERIES * sizeof *s->released);
  sfm_release_destroy(release);
  sfmi_workload_clear(&w);
}

static audit_mechanism of(const char *name, hardened_audit *s, const linear_fixture *t) {
  return (audit_mechanism){
      name, hardened_audit_draw, s, HARDENED_AUDIT_SCORES, t->table.epsilon, t->table.delta};
}

static void honest(const char *name, sfm_neighbours neighbours, double epsilon, double delta,
                   const int *other, double least) {
  linear_fixture t;
  hardened_audit s;
  linear_fixture_init(&t, matrix, QUERIES, CELLS, epsilon, delta);
  linear_fixture_neighbours(&t, neighbours, 1);
  hardened_audit_init_linear(&s, &t, before, other);
  hardened_audit_arm(&s);
  const audit_mechanism m = of(name, &s, &t);
  audit_honest(&m, least);
  hardened_audit_clear(&s);
  linear_fixture_clear(&t);
}

static void answers_keep_their_claim(void **state) {
  (void)state;
  honest("linear laplace, a record in another cell", SFM_NEIGHBOURS_REPLACE, 1, 0, after,
         audit_share(0.75, 0.93));
  honest("linear laplace, a record added", SFM_NEIGHBOURS_ADD_REMOVE, 1, 0, gone,
         audit_share(0.75, 0.93));
  honest("linear normal, a record in another cell", SFM_NEIGHBOURS_REPLACE, 1, 0.1, after,
         audit_share(0.75, 0.93));
}

/* WRONG: the noise of one column's norm, as if a record could only come or go. */
static void twin_of_norms(void **state) {
  (void)state;
  linear_fixture t;
  hardened_audit s;
  linear_fixture_init(&t, matrix, QUERIES, CELLS, 1, 0);
  hardened_audit_init_linear(&s, &t, before, after);
  hardened_audit_scale(&s, 1, 2);
  hardened_audit_arm(&s);
  const audit_mechanism m = of("TWIN: linear, the largest norm for a replaced record", &s, &t);
  audit_twin(&m);
  hardened_audit_clear(&s);
  linear_fixture_clear(&t);
}

/* WRONG: the noise of the largest entry, answer by answer, each with all of epsilon. */
static void twin_of_single_answers(void **state) {
  (void)state;
  linear_fixture t;
  hardened_audit s;
  linear_fixture_init(&t, matrix, QUERIES, CELLS, 1, 0);
  linear_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  hardened_audit_init_linear(&s, &t, before, gone);
  hardened_audit_scale(&s, 1, 2);
  hardened_audit_arm(&s);
  const audit_mechanism m = of("TWIN: linear, each answer by itself", &s, &t);
  audit_twin(&m);
  hardened_audit_clear(&s);
  linear_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_keep_their_claim),
      cmocka_unit_test(twin_of_norms),
      cmocka_unit_test(twin_of_single_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
