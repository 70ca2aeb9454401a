/* test_audit_density_groups.c - a density by groups: attacked by a row that changes its group,
 * beside twins that are wrong on purpose. */
/* suite: release */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "audit/support/hardened_audit.h"

/* Three people, a place and a group each; the first one of them is another person. */
static const double HERE[] = {0, 0, 5, 1, 5, 1}, ELSEWHERE[] = {0, 2, 5, 1, 5, 1},
                    MOVED[] = {10, 0, 5, 1, 5, 1}, BOTH[] = {10, 2, 5, 1, 5, 1},
                    UNDECLARED[] = {0, 7, 5, 1, 5, 1}, NOT_A_NUMBER[] = {0, NAN, 5, 1, 5, 1},
                    ALL_HERE[] = {0, 0, 0, 0, 0, 0}, ALL_ELSEWHERE[] = {0, 2, 0, 2, 0, 2};

static density_problem by(const double *from, const double *to) {
  return (density_problem){.method = SFM_DENSITY_LATTICE,
                           .dimension = 1,
                           .groups = 3,
                           .width = 10,
                           .order = 2,
                           .neighbours = SFM_NEIGHBOURS_REPLACE,
                           .contributions = 1,
                           .epsilon = 1,
                           .rows = {from, to},
                           .count = {3, 3}};
}

static void groups_keep_epsilon(void **state) {
  (void)state;
  density_problem p = by(HERE, ELSEWHERE);
  hardened_audit_density_honest("groups, a row in another group", &p, audit_share(0.8, 0.95));
  p = by(HERE, MOVED);
  hardened_audit_density_honest("groups, a row moved within its group", &p, audit_share(0.8, 0.95));
  p = by(HERE, BOTH);
  hardened_audit_density_honest("groups, a row elsewhere in another group", &p,
                                audit_share(0.8, 0.95));
  p = by(HERE, UNDECLARED); /* the zero vector is half as far */
  hardened_audit_density_honest("groups, a row of no declared category", &p,
                                audit_share(0.4, 0.475));
  p = by(HERE, NOT_A_NUMBER);
  hardened_audit_density_honest("groups, a row whose category is NaN", &p, audit_share(0.4, 0.475));
  p = by(ALL_HERE, ALL_ELSEWHERE);
  p.contributions = 3;
  hardened_audit_density_honest("groups, three rows of one person change theirs", &p,
                                audit_share(0.8, 0.95));
  p = by(HERE, HERE + 2);
  p.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  p.count[1] = 2;
  hardened_audit_density_honest("groups, a row removed (add-remove)", &p, audit_share(0.8, 0.95));
  p = by(HERE, ELSEWHERE);
  p.order = 0;
  hardened_audit_density_honest("groups as planned, a row in another one", &p,
                                audit_share(0.6, 0.85));
}

static void normal_noise_keeps_epsilon_and_delta(void **state) {
  (void)state;
  density_problem p = by(HERE, ELSEWHERE);
  p.noise = SFM_DENSITY_NOISE_NORMAL;
  p.epsilon = 2;
  p.delta = 0.1;
  hardened_audit_density_honest("groups, normal noise, a row in another group", &p,
                                audit_share(0.8, 0.95));
  p.boundary = SFM_BOUNDARY_PERIODIC;
  hardened_audit_density_honest("groups, normal noise on a ring, the same", &p,
                                audit_share(0.8, 0.95));
}

/* --- Twins.  Each is wrong in one step, and must be caught. --- */

/* WRONG: groups are disjoint, so each gets the noise of one record that comes or goes ("parallel
 * composition"); but a record that is replaced may leave one group and enter another. */
static void a_twin_that_composes_in_parallel_is_caught(void **state) {
  (void)state;
  density_problem p = by(HERE, ELSEWHERE);
  hardened_audit s;
  hardened_audit_init_density(&s, &p);
  hardened_audit_scale(&s, 1, 2);
  hardened_audit_arm(&s);
  audit_mechanism m =
      hardened_audit_density_mechanism("TWIN groups, noise of one group under replace", &s, &p);
  audit_twin(&m);
  hardened_audit_clear(&s);
  p.noise = SFM_DENSITY_NOISE_NORMAL;
  p.epsilon = 2;
  p.delta = 0.1;
  hardened_audit_init_density(&s, &p);
  hardened_audit_scale(&s, 7071, 10000);
  hardened_audit_arm(&s);
  m = hardened_audit_density_mechanism("TWIN groups, normal noise of one group", &s, &p);
  audit_twin(&m);
  hardened_audit_clear(&s);
}

/* The exact masses of one group. */
static double exact_size(const hardened_audit *s, int input, size_t group, size_t groups) {
  const size_t length = s->length / groups;
  sfmi_i128 sum = 0;
  for (size_t i = 0; i < length; i++) sum += s->values[input][group * length + i];
  return (double)sum * s->hardening.step;
}

/* WRONG: the categories are those found in the rows; a group that nobody is in is left out. */
static void draw_found(void *context, int input, double *scores) {
  hardened_audit *s = context;
  hardened_audit_draw(s, input, scores);
  size_t present = 0;
  for (size_t g = 0; g < 3; g++) present += exact_size(s, input, g, 3) > 0;
  scores[0] = (double)present;
  scores[1] = exact_size(s, input, 2, 3) > 0; /* whether the third one is there */
}

/* WRONG: groups are divided by how many there are, without noise, and say so. */
static void draw_sized(void *context, int input, double *scores) {
  hardened_audit *s = context;
  hardened_audit_draw(s, input, scores);
  scores[0] = exact_size(s, input, 0, 3);
}

static void twin(const char *name, const density_problem *problem, audit_draw *draw) {
  hardened_audit s;
  hardened_audit_init_density(&s, problem);
  hardened_audit_arm(&s);
  audit_mechanism m = hardened_audit_density_mechanism(name, &s, problem);
  m.draw = draw;
  audit_twin(&m);
  hardened_audit_clear(&s);
}

static void twins_that_leak_past_the_noise_are_caught(void **state) {
  (void)state;
  density_problem p = by(HERE, ELSEWHERE);
  twin("TWIN groups, categories found in the rows", &p, draw_found);
  twin("TWIN groups, exact sizes", &p, draw_sized);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_keep_epsilon),
      cmocka_unit_test(normal_noise_keeps_epsilon_and_delta),
      cmocka_unit_test(a_twin_that_composes_in_parallel_is_caught),
      cmocka_unit_test(twins_that_leak_past_the_noise_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
