/* test_audit_tddl.c - machines fitted at public points, at the neighbours that move them most,
 * beside twins: Laplace noise for one value where T get it (the constant that Jain & Thakurta leave
 * unstated, taken without T), kappa^2 in place of the largest eigenvalue, and numbers that were not
 * divided by the roots of theirs. */
/* suite: release */
#include "audit/support/hardened_audit.h"
#include "mechanisms/machines/tddl.h"
#include "planner/design/design_vector.h"
#include "train_fixture.h"

enum { COUNT = 20, POINTS = 8, NUMBERS = 64 };

/* Points on the line along which the machine moves, and off it. */
static const double ALIKE[POINTS] = {1, 1, 1, 1, 1, 1, 1, 1},
                    SPREAD[POINTS] = {1, -1, 0.5, 0.2, -0.7, 0.9, 0.1, -0.3};

typedef struct problem {
  train_fixture train_fixture;
  double rows[2][COUNT * 2];
  sfmi_train_problem train_problem;
  sfmi_tddl *tddl;
  double numbers[2][NUMBERS];
} problem;

/* All rows are at 1 with labels that alternate, and no row reaches its margin: the machine is the
 * mean of the labels over lambda.  The first says the opposite on the second input. */
static void problem_init(problem *p, const double *points, sfm_noise_shape shape, double delta) {
  sfm_error error;
  train_fixture_init(&p->train_fixture, 1, 2, delta);
  sfm_train_settings *s = &p->train_fixture.settings;
  s->lambda = 2;
  s->tolerance = 0.001;
  s->method = SFM_TRAIN_TDDL;
  s->public_cells = points;
  s->public_count = s->public_points = POINTS;
  s->shape = shape;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < COUNT; i++) {
      p->rows[k][2 * i] = 1;
      p->rows[k][2 * i + 1] = i % 2 || (k && i == 0) ? 1 : -1;
    }
  train_fixture_begin(&p->train_problem, &p->train_fixture, p->rows[0], COUNT);
  assert_ok(sfmi_tddl_create(&p->tddl, &p->train_problem, &error), &error);
  assert_in_range(sfmi_tddl_choice(p->tddl)->vector_design.length, 1, NUMBERS);
  for (int k = 0; k < 2; k++) {
    double solved[NUMBERS];
    assert_in_range(p->train_problem.numbers, 1, NUMBERS);
    train_fixture_solve(solved, &p->train_problem, &p->train_fixture, p->rows[k], COUNT);
    assert_ok(sfmi_tddl_numbers(p->numbers[k], p->tddl, solved, &error), &error);
  }
}

static void problem_clear(problem *p) {
  sfmi_tddl_destroy(p->tddl);
  sfmi_train_problem_clear(&p->train_problem);
  train_fixture_clear(&p->train_fixture);
}

/* A seeded release is what is fitted to what the audit would draw from that seed. */
static void check_production(const hardened_audit *s, const problem *p, int input) {
  double noisy[NUMBERS], coefficients[POINTS];
  sfm_error error;
  sfmi_hardener *hardener = NULL;
  sfm_release *release = train_fixture_release(&p->train_fixture, p->rows[input], COUNT);
  assert_ok(sfmi_hardener_create(&hardener, &s->hardening.law, (sfmi_seed){true, 1}, &error),
            &error);
  sfmi_hardener_add(hardener, s->released, s->values[input], s->length);
  for (size_t i = 0; i < s->length; i++) noisy[i] = (double)s->released[i] * s->hardening.step;
  assert_ok(sfmi_design_tddl_fit(coefficients, sfmi_tddl_choice(p->tddl), noisy, &error), &error);
  assert_true(release->scale == s->hardening.step * sfmi_noise_scale(&s->hardening.law));
  assert_memory_equal(release->reals, coefficients, sizeof coefficients);
  sfmi_hardener_destroy(hardener);
  sfm_release_destroy(release);
}

static audit_mechanism of(const char *name, hardened_audit *s, const problem *p) {
  const sfm_train_settings *t = &p->train_fixture.settings;
  return (audit_mechanism){name,    hardened_audit_draw, s, HARDENED_AUDIT_SCORES, t->epsilon,
                           t->delta};
}

static void honest(const char *name, const double *points, sfm_noise_shape shape, double delta,
                   double least) {
  static problem p;
  hardened_audit s;
  problem_init(&p, points, shape, delta);
  const sfmi_design_tddl_choice *c = sfmi_tddl_choice(p.tddl);
  hardened_audit_init_numbers(&s, &c->vector, (const double *[]){p.numbers[0], p.numbers[1]},
                              c->vector_design.length);
  for (int k = 0; k < 2; k++) check_production(&s, &p, k);
  hardened_audit_arm(&s);
  audit_mechanism m = of(name, &s, &p);
  audit_honest(&m, least);
  hardened_audit_clear(&s);
  problem_clear(&p);
}

static void noise_shaped_like_the_kernel_keeps_its_claim(void **state) {
  (void)state;
  honest("tddl kernel normal, points alike", ALIKE, SFM_NOISE_SHAPE_KERNEL, 0.1,
         audit_share(0.8, 0.95));
  honest("tddl kernel normal", SPREAD, SFM_NOISE_SHAPE_KERNEL, 0.1, audit_share(0.8, 0.95));
  honest("tddl kernel laplace", SPREAD, SFM_NOISE_SHAPE_KERNEL, 0, audit_share(0.7, 0.9));
}

/* Of Laplace noise all eight values must agree for the worst event. */
static void isotropic_noise_keeps_its_claim(void **state) {
  (void)state;
  honest("tddl isotropic normal, points alike", ALIKE, SFM_NOISE_SHAPE_ISOTROPIC, 0.1,
         audit_share(0.8, 0.95));
  honest("tddl isotropic normal", SPREAD, SFM_NOISE_SHAPE_ISOTROPIC, 0.1, audit_share(0.8, 0.95));
  honest("tddl isotropic laplace, points alike", ALIKE, SFM_NOISE_SHAPE_ISOTROPIC, 0,
         audit_share(0.5, 0.8));
}

/* WRONG: values at T points with noise for a sensitivity, in the norm of the noise, of so much. */
static void values_twin(const char *name, double delta, double wrong) {
  static problem p;
  hardened_audit s;
  problem_init(&p, ALIKE, SFM_NOISE_SHAPE_ISOTROPIC, delta);
  sfm_vector_settings vector = sfmi_tddl_choice(p.tddl)->vector;
  vector.norm = delta > 0 ? SFM_VECTOR_NORM_L2 : SFM_VECTOR_NORM_L1;
  vector.sensitivity = wrong * p.train_problem.training.used;
  hardened_audit_init_numbers(&s, &vector, (const double *[]){p.numbers[0], p.numbers[1]}, POINTS);
  hardened_audit_arm(&s);
  audit_mechanism m = of(name, &s, &p);
  audit_twin(&m);
  hardened_audit_clear(&s);
  problem_clear(&p);
}

static void a_twin_with_laplace_noise_for_one_value_is_caught(void **state) {
  (void)state;
  values_twin("TWIN tddl, laplace noise for one of T values", 0, 1);
}

static void a_twin_with_kappa_for_the_largest_eigenvalue_is_caught(void **state) {
  (void)state;
  values_twin("TWIN tddl, kappa^2 for the largest eigenvalue", 0.1, 1);
}

/* WRONG: u_i'p, not divided by the root of its eigenvalue, with noise for whitened numbers. */
static void a_twin_that_does_not_whiten_is_caught(void **state) {
  (void)state;
  static problem p;
  hardened_audit s;
  problem_init(&p, ALIKE, SFM_NOISE_SHAPE_KERNEL, 0.1);
  const sfmi_design_tddl_choice *c = sfmi_tddl_choice(p.tddl);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < c->directions; i++) p.numbers[k][i] *= c->of->whitening->roots[i];
  hardened_audit_init_numbers(&s, &c->vector, (const double *[]){p.numbers[0], p.numbers[1]},
                              c->vector_design.length);
  hardened_audit_arm(&s);
  audit_mechanism m = of("TWIN tddl, coordinates that are not whitened", &s, &p);
  audit_twin(&m);
  hardened_audit_clear(&s);
  problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_shaped_like_the_kernel_keeps_its_claim),
      cmocka_unit_test(isotropic_noise_keeps_its_claim),
      cmocka_unit_test(a_twin_with_laplace_noise_for_one_value_is_caught),
      cmocka_unit_test(a_twin_with_kappa_for_the_largest_eigenvalue_is_caught),
      cmocka_unit_test(a_twin_that_does_not_whiten_is_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
