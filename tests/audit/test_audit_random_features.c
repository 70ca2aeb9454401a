/* test_audit_random_features.c - densities by random features: attacked on their worst neighbours,
 * beside twins that are wrong on purpose.  Few features, whose kernel falls to nearly -1 somewhere.
 */
/* suite: release */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "audit/support/hardened_audit.h"
#include "base/math/prng.h"

enum { FEATURES = 6, DIMENSION = 5, PEOPLE = 2 };

/* Two people in five columns; the second moves. */
typedef struct worst {
  density_problem problem;
  double here[PEOPLE * DIMENSION], there[PEOPLE * DIMENSION];
} worst;

/* Where the second person moves from the middle: of many places tried the one whose features are
 * farthest. */
static void worst_init(worst *w) {
  *w = (worst){.problem = {.method = SFM_DENSITY_GP,
                           .dimension = DIMENSION,
                           .width = 30,
                           .features = FEATURES,
                           .neighbours = SFM_NEIGHBOURS_REPLACE,
                           .contributions = 1,
                           .epsilon = 2,
                           .delta = 0.1,
                           .count = {PEOPLE, PEOPLE}}};
  w->problem.rows[0] = w->here;
  w->problem.rows[1] = w->there;
  sfmi_basis *basis = hardened_audit_basis(&w->problem);
  double place[DIMENSION], from[FEATURES], to[FEATURES], farthest = 0;
  for (size_t i = 0; i < PEOPLE * DIMENSION; i++) w->here[i] = w->there[i] = 15;
  sfmi_basis_at(basis, from, w->here, 1);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 9);
  for (int i = 0; i < 100000; i++) {
    double square = 0;
    for (size_t a = 0; a < DIMENSION; a++) place[a] = 30 * sfmi_prng_uniform(&prng);
    sfmi_basis_at(basis, to, place, 1);
    for (size_t j = 0; j < FEATURES; j++) square += (to[j] - from[j]) * (to[j] - from[j]);
    if (square <= farthest) continue;
    farthest = square;
    memcpy(w->there + DIMENSION, place, sizeof place);
  }
  assert_true(sqrt(farthest) > 1.97 && sqrt(farthest) <= 2);
  sfmi_basis_destroy(basis);
}

static void random_keeps_epsilon_and_delta(void **state) {
  (void)state;
  worst w;
  worst_init(&w);
  hardened_audit_density_honest("random, a row moved", &w.problem, audit_share(0.75, 0.9));
  w.there[DIMENSION] = NAN; /* half as far */
  hardened_audit_density_honest("random, a row that is NaN", &w.problem, audit_share(0.18, 0.22));
  worst_init(&w);
  memcpy(w.there, w.there + DIMENSION, DIMENSION * sizeof *w.there);
  w.problem.contributions = 2;
  hardened_audit_density_honest("random, both rows of one person", &w.problem,
                                audit_share(0.75, 0.9));
  worst_init(&w);
  w.problem.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  w.problem.count[1] = 1;
  hardened_audit_density_honest("random, a row removed (add-remove)", &w.problem,
                                audit_share(0.75, 0.9));
}

/* --- Twins. --- */

/* WRONG: sqrt 2 as for kernels that are positive, where this one is nearly -1. */
static void a_twin_that_trusts_the_kernel_is_caught(void **state) {
  (void)state;
  worst w;
  worst_init(&w);
  hardened_audit s;
  hardened_audit_init_density(&s, &w.problem);
  hardened_audit_scale(&s, 7072, 10000);
  hardened_audit_arm(&s);
  audit_mechanism m =
      hardened_audit_density_mechanism("TWIN random, sqrt 2 in place of 2", &s, &w.problem);
  audit_twin(&m);
  hardened_audit_clear(&s);
}

/* WRONG: features sqrt(2/P) cos and sin, of norm sqrt 2, with the noise of norm 1. */
static void a_twin_of_longer_features_is_caught(void **state) {
  (void)state;
  worst w;
  worst_init(&w);
  hardened_audit s;
  hardened_audit_init_density(&s, &w.problem);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < s.length; i++)
      s.values[k][i] = (sfmi_i128)llround(M_SQRT2 * (double)s.values[k][i]);
  hardened_audit_arm(&s);
  audit_mechanism m =
      hardened_audit_density_mechanism("TWIN random, features of norm sqrt 2", &s, &w.problem);
  audit_twin(&m);
  hardened_audit_clear(&s);
}

/* WRONG: the total gets no noise. */
static void draw_total(void *context, int input, double *scores) {
  hardened_audit *s = context;
  hardened_audit_draw(s, input, scores);
  scores[0] = (double)s->values[input][s->length - 1];
}

static void a_twin_that_counts_is_caught(void **state) {
  (void)state;
  worst w;
  worst_init(&w);
  w.problem.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  w.problem.count[1] = 1;
  hardened_audit s;
  hardened_audit_init_density(&s, &w.problem);
  assert_int_equal(s.length, FEATURES + 1);
  hardened_audit_arm(&s);
  audit_mechanism m =
      hardened_audit_density_mechanism("TWIN random, total without noise", &s, &w.problem);
  m.draw = draw_total;
  audit_twin(&m);
  hardened_audit_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_keeps_epsilon_and_delta),
      cmocka_unit_test(a_twin_that_trusts_the_kernel_is_caught),
      cmocka_unit_test(a_twin_of_longer_features_is_caught),
      cmocka_unit_test(a_twin_that_counts_is_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
