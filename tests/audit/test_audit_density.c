/* test_audit_density.c - lattice and gp: attacked on their worst neighbours, beside twins that are
 * wrong on purpose. */
/* suite: release */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "audit/support/hardened_audit.h"

/* Three people at places of a linear lattice; one of them moves to the other end. */
static const double HOME[] = {0, 5, 5}, MOVED[] = {10, 5, 5}, FAR[] = {1e30, 5, 5},
                    NOT_A_NUMBER[] = {NAN, 5, 5}, ALL_HOME[] = {0, 0, 0},
                    ALL_MOVED[] = {10, 10, 10};

static density_problem line(const double *from, const double *to) {
  return (density_problem){.method = SFM_DENSITY_LATTICE,
                           .dimension = 1,
                           .width = 10,
                           .order = 2,
                           .neighbours = SFM_NEIGHBOURS_REPLACE,
                           .contributions = 1,
                           .epsilon = 1,
                           .rows = {from, to},
                           .count = {3, 3}};
}

/* Six bandwidths apart, two people's features are orthogonal to 1e-8. */
static density_problem process(const double *from, const double *to) {
  return (density_problem){.method = SFM_DENSITY_GP,
                           .dimension = 1,
                           .width = 6,
                           .neighbours = SFM_NEIGHBOURS_REPLACE,
                           .contributions = 1,
                           .epsilon = 2,
                           .delta = 0.1,
                           .rows = {from, to},
                           .count = {3, 3}};
}

static void lattice_keeps_epsilon(void **state) {
  (void)state;
  density_problem p = line(HOME, MOVED);
  hardened_audit_density_honest("lattice, a row moved", &p, audit_share(0.8, 0.95));
  p.epsilon = 3;
  hardened_audit_density_honest("lattice, a row moved", &p, audit_share(0.8, 0.95));
  p = line(HOME, FAR);
  hardened_audit_density_honest("lattice, a row far outside its bounds", &p,
                                audit_share(0.8, 0.95));
  p = line(HOME, NOT_A_NUMBER); /* the zero vector is half as far */
  hardened_audit_density_honest("lattice, a row that is NaN", &p, audit_share(0.4, 0.475));
  p = line(ALL_HOME, ALL_MOVED);
  p.contributions = 3;
  hardened_audit_density_honest("lattice, three rows of one person", &p, audit_share(0.8, 0.95));
  p = line(HOME, HOME);
  p.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  p.count[1] = 2;
  p.rows[1] = HOME + 1;
  hardened_audit_density_honest("lattice, a row removed (add-remove)", &p, audit_share(0.8, 0.95));
}

static void lattice_of_every_order_keeps_epsilon(void **state) {
  (void)state;
  density_problem p = line(HOME, MOVED);
  p.order = 0;
  hardened_audit_density_honest("lattice as planned", &p, audit_share(0.6, 0.85));
  /* Higher orders spread a row over more points: the worst event is rarer. */
  p.order = 3;
  hardened_audit_density_honest("lattice of order 3, a row moved", &p, audit_share(0.7, 0.9));
  p.order = 4;
  hardened_audit_density_honest("lattice of order 4, a row moved", &p, audit_share(0.6, 0.85));
  static const double here[] = {0.4, 3.6}, there[] = {0.4, 3.6, 2, 2};
  p = (density_problem){.method = SFM_DENSITY_LATTICE,
                        .dimension = 2,
                        .width = 4,
                        .neighbours = SFM_NEIGHBOURS_ADD_REMOVE,
                        .contributions = 1,
                        .epsilon = 2,
                        .rows = {here, there},
                        .count = {1, 2}};
  hardened_audit_density_honest("lattice in two dimensions (add-remove)", &p,
                                audit_share(0.6, 0.8));
}

/* Person 7 has four records where two count: one column, then the id. */
static const double FOUR_HOME[] = {5, 1, 0, 7, 0, 7, 0, 7, 0, 7},
                    FOUR_MOVED[] = {5, 1, 10, 7, 10, 7, 10, 7, 10, 7};

static density_problem crowd(void) {
  density_problem p = line(FOUR_HOME, FOUR_MOVED);
  p.person = true;
  p.contributions = 2;
  p.count[0] = p.count[1] = 5;
  return p;
}

static void persons_are_held_to_their_contributions(void **state) {
  (void)state;
  density_problem p = crowd();
  hardened_audit_density_honest("lattice, all records of one person moved", &p,
                                audit_share(0.8, 0.95));
  p.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  p.count[1] = 1;
  hardened_audit_density_honest("lattice, one person removed (add-remove)", &p,
                                audit_share(0.8, 0.95));
}

static void gp_keeps_epsilon_and_delta(void **state) {
  (void)state;
  density_problem p = process((double[]){0, 3, 3}, (double[]){6, 3, 3});
  hardened_audit_density_honest("gp, a row moved", &p, audit_share(0.8, 0.95));
  p = process((double[]){0, 3, 3}, (double[]){INFINITY, 3, 3}); /* sqrt 2 nearer */
  hardened_audit_density_honest("gp, a row that is infinite", &p, audit_share(0.4, 0.5));
  p = process((double[]){0, 0, 0}, (double[]){6, 6, 6});
  p.contributions = 3;
  hardened_audit_density_honest("gp, three rows of one person", &p, audit_share(0.8, 0.95));
  p = process((double[]){0, 3, 3}, (double[]){3, 3});
  p.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  p.count[1] = 2;
  hardened_audit_density_honest("gp, a row removed (add-remove)", &p, audit_share(0.8, 0.95));
}

/* --- Twins.  Each is wrong in one step, and must be caught. --- */

/* WRONG: the noise scale is 0.8 of what it should be. */
static void twins_with_less_noise_are_caught(void **state) {
  (void)state;
  density_problem problems[] = {line(HOME, MOVED),
                                process((double[]){0, 3, 3}, (double[]){6, 3, 3})};
  const char *names[] = {"TWIN lattice, scale x 0.8", "TWIN gp, scale x 0.8"};
  for (int i = 0; i < 2; i++) {
    hardened_audit s;
    hardened_audit_init_density(&s, &problems[i]);
    hardened_audit_scale(&s, 4, 5);
    hardened_audit_arm(&s);
    audit_mechanism m = hardened_audit_density_mechanism(names[i], &s, &problems[i]);
    audit_twin(&m);
    hardened_audit_clear(&s);
  }
}

/* The rows of one problem under the noise of another. */
static void mischarged(const char *name, const density_problem *rows,
                       const density_problem *charged) {
  hardened_audit s, wrong;
  hardened_audit_init_density(&s, rows);
  hardened_audit_init_density(&wrong, charged);
  assert_true(s.hardening.step == wrong.hardening.step);
  s.hardening.law = wrong.hardening.law; /* WRONG */
  hardened_audit_arm(&s);
  audit_mechanism m = hardened_audit_density_mechanism(name, &s, rows);
  audit_twin(&m);
  hardened_audit_clear(&s);
  hardened_audit_clear(&wrong);
}

static void twins_with_less_sensitivity_are_caught(void **state) {
  (void)state;
  density_problem rows = line(ALL_HOME, ALL_MOVED), charged = rows;
  mischarged("TWIN lattice, three contributions charged as one", &rows, &charged);
  rows = charged = line(HOME, MOVED);
  charged.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  mischarged("TWIN lattice, add-remove scale under replace", &rows, &charged);
  static const double all_four[] = {5, 0, 0, 0, 0}, all_moved[] = {5, 10, 10, 10, 10};
  rows = line(all_four, all_moved); /* four records count although two are charged */
  rows.contributions = 4;
  rows.count[0] = rows.count[1] = 5;
  charged = crowd();
  mischarged("TWIN lattice, contributions not enforced", &rows, &charged);
  rows = charged = process((double[]){0, 0, 0}, (double[]){6, 6, 6});
  mischarged("TWIN gp, three contributions charged as one", &rows, &charged);
}

/* WRONG: kappa in place of sqrt 2 kappa. */
static void a_twin_without_sqrt_two_is_caught(void **state) {
  (void)state;
  density_problem p = process((double[]){0, 3, 3}, (double[]){6, 3, 3});
  hardened_audit s;
  hardened_audit_init_density(&s, &p);
  hardened_audit_scale(&s, 7071, 10000);
  hardened_audit_arm(&s);
  audit_mechanism m = hardened_audit_density_mechanism("TWIN gp, sqrt 2 missing", &s, &p);
  audit_twin(&m);
  hardened_audit_clear(&s);
}

/* A linear lattice in floating point by someone who trusts the rows: the cell stays inside the
 * array, but the weights follow the line through its two points to wherever the row is. */
static double *careless_sums(const density_problem *p, int input, size_t points) {
  double *sums = calloc(points, sizeof *sums);
  assert_non_null(sums);
  for (size_t i = 0; i < p->count[input]; i++) {
    double u = p->rows[input][i] / p->width * (double)(points - 1);
    size_t cell = (size_t)fmin(fmax(floor(u), 0), (double)points - 2);
    sums[cell] += 1 - (u - (double)cell); /* WRONG: neither clamped nor checked */
    sums[cell + 1] += u - (double)cell;
  }
  return sums;
}

static void a_twin_that_extrapolates_is_caught(void **state) {
  (void)state;
  static const double beyond[] = {12, 5, 5};
  density_problem p = line(HOME, beyond);
  hardened_audit s;
  hardened_audit_init_density(&s, &p);
  double *sums = careless_sums(&p, 1, s.length);
  for (size_t i = 0; i < s.length; i++)
    s.values[1][i] = (sfmi_i128)llround(sums[i] / s.hardening.step);
  hardened_audit_arm(&s);
  audit_mechanism m = hardened_audit_density_mechanism("TWIN lattice, unclamped row", &s, &p);
  audit_twin(&m);
  hardened_audit_clear(&s);
  free(sums);
}

typedef struct careless {
  hardened_audit noise; /* of an honest lattice */
  double *sums[2];
} careless;

/* Scores are how many points are NaN, the sum of the others, and the largest. */
static void draw_careless(void *context, int input, double *scores) {
  careless *c = context;
  hardened_audit *s = &c->noise;
  double ignored[HARDENED_AUDIT_SCORES];
  hardened_audit_draw(s, 0, ignored);
  scores[0] = scores[1] = 0;
  scores[2] = -INFINITY;
  for (size_t i = 0; i < s->length; i++) {
    double y = c->sums[input][i] + s->hardening.step * (double)(s->released[i] - s->values[0][i]);
    scores[0] += isnan(y);
    scores[1] += isnan(y) ? 0 : y;
    scores[2] = fmax(scores[2], y);
  }
}

static void a_twin_poisoned_by_nan_is_caught(void **state) {
  (void)state;
  density_problem p = line(HOME, NOT_A_NUMBER);
  careless c;
  hardened_audit_init_density(&c.noise, &p);
  hardened_audit_arm(&c.noise);
  for (int k = 0; k < 2; k++) c.sums[k] = careless_sums(&p, k, c.noise.length);
  audit_mechanism m = {"TWIN lattice, NaN row poisons a sum", draw_careless, &c, 3, p.epsilon, 0};
  audit_twin(&m);
  for (int k = 0; k < 2; k++) free(c.sums[k]);
  hardened_audit_clear(&c.noise);
}

/* WRONG: the number of rows that could be read is published beside the release. */
static void draw_counted(void *context, int input, double *scores) {
  hardened_audit *s = context;
  hardened_audit_draw(s, input, scores);
  sfmi_i128 count = 0;
  for (size_t i = 0; i < s->length; i++) count += s->values[input][i];
  scores[0] = (double)count;
}

/* WRONG: the constant feature of gp, which counts the rows, gets no noise. */
static void draw_constant(void *context, int input, double *scores) {
  hardened_audit *s = context;
  hardened_audit_draw(s, input, scores);
  scores[0] = (double)s->values[input][0];
}

/* WRONG: only lattice points that hold something get noise. */
static void draw_occupied(void *context, int input, double *scores) {
  hardened_audit *s = context;
  hardened_audit_draw(s, input, scores);
  for (size_t i = 0; i < s->length; i++)
    if (s->values[input][i] == 0) s->released[i] = 0;
  scores[0] = s->released[s->widest] == 0;
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
  density_problem p = line(HOME, NOT_A_NUMBER);
  twin("TWIN lattice, valid rows counted without noise", &p, draw_counted);
  p = line(HOME, MOVED);
  twin("TWIN lattice, noise on occupied points only", &p, draw_occupied);
  p = process((double[]){0, 3, 3}, (double[]){NAN, 3, 3});
  twin("TWIN gp, constant feature without noise", &p, draw_constant);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lattice_keeps_epsilon),
      cmocka_unit_test(lattice_of_every_order_keeps_epsilon),
      cmocka_unit_test(persons_are_held_to_their_contributions),
      cmocka_unit_test(gp_keeps_epsilon_and_delta),
      cmocka_unit_test(twins_with_less_noise_are_caught),
      cmocka_unit_test(twins_with_less_sensitivity_are_caught),
      cmocka_unit_test(a_twin_without_sqrt_two_is_caught),
      cmocka_unit_test(a_twin_that_extrapolates_is_caught),
      cmocka_unit_test(a_twin_poisoned_by_nan_is_caught),
      cmocka_unit_test(twins_that_leak_past_the_noise_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
