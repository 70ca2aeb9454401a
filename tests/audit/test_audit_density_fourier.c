/* test_audit_density_fourier.c - fourier-laplace and caratheodory, attacked on their worst
 * neighbours, beside twins: the constants printed in the thesis (docs/papers.md, E5 and E6) among
 * them. */
/* suite: release */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "audit/support/hardened_audit.h"
#include "base/math/cmplx.h"
#include "features/bodies/moment_hull.h"
#include "releases/core/release_kind.h"
#include "mechanisms/functions/density_integers.h"
#include "density_fixture.h"
#include "verblunsky_reference.h"

/* ---- fourier-laplace: three people on a circle of length 8, of whom one moves ---- */

/* With two frequencies rows are farthest apart at turns of 0.029 and 0.325. */
static const double FROM[] = {0.232, 5, 5}, TO[] = {2.6, 5, 5}, NOBODY[] = {NAN, 5, 5},
                    ALL_FROM[] = {0.232, 0.232, 0.232}, ALL_TO[] = {2.6, 2.6, 2.6};

static density_problem circle(const double *from, const double *to) {
  return (density_problem){.method = SFM_DENSITY_FOURIER_LAPLACE,
                           .dimension = 1,
                           .width = 8,
                           .terms = 2,
                           .neighbours = SFM_NEIGHBOURS_REPLACE,
                           .contributions = 1,
                           .epsilon = 1,
                           .rows = {from, to},
                           .count = {3, 3}};
}

static void caught(const char *name, hardened_audit *s, const density_problem *p) {
  hardened_audit_arm(s);
  audit_mechanism m = hardened_audit_density_mechanism(name, s, p);
  audit_twin(&m);
  hardened_audit_clear(s);
}

static void laplace_keeps_epsilon(void **state) {
  (void)state;
  density_problem p = circle(FROM, TO);
  hardened_audit_density_honest("fourier-laplace, a row moved", &p, audit_share(0.6, 0.85));
  p.epsilon = 3;
  hardened_audit_density_honest("fourier-laplace, a row moved", &p, audit_share(0.7, 0.9));
  p = circle(FROM, NOBODY); /* the zero vector is half as far */
  hardened_audit_density_honest("fourier-laplace, a row that is NaN", &p, audit_share(0.3, 0.4));
  p = circle(ALL_FROM, ALL_TO);
  p.contributions = 3;
  hardened_audit_density_honest("fourier-laplace, three rows of one person", &p,
                                audit_share(0.7, 0.9));
  static const double here[] = {0.5, 1, 5, 5}, there[] = {4.5, 5, 5, 5};
  p = circle(here, there);
  p.dimension = 2;
  p.terms = 1;
  p.count[0] = p.count[1] = 2;
  hardened_audit_density_honest("fourier-laplace in two dimensions", &p, audit_share(0.3, 0.4));
}

/* --- Twins.  Each is wrong in one step, and must be caught. --- */

static void set_sensitivity(hardened_audit *s, const density_problem *p, double sensitivity) {
  sfm_error error;
  assert_ok(
      sfmi_harden_laplace(&s->hardening.law, sensitivity / s->hardening.step, p->epsilon, &error),
      &error);
}

static void twins_of_laplace_are_caught(void **state) {
  (void)state;
  const double n = 3, m = 2;
  density_problem p = circle(FROM, TO);
  hardened_audit s;
  hardened_audit_init_density(&s, &p);
  set_sensitivity(&s, &p, n * n * p.epsilon / (2 * m + 1) * p.epsilon);
  caught("TWIN fourier-laplace, the printed scale", &s,
         &p); /* WRONG: E5 of docs/papers.md, inverted */
  p.epsilon = 3;
  hardened_audit_init_density(&s, &p);
  set_sensitivity(&s, &p, 2 * m + 1);
  caught("TWIN fourier-laplace, no sensitivity constant", &s, &p); /* WRONG: E5, turned over */
  p.epsilon = 1;
  /* WRONG: of the coefficients after they are multiplied by lambda, with the noise before. */
  double after = 0;
  sfmi_torus torus;
  sfmi_torus_lay(&torus, 0, p.width, 1, true, 2);
  hardened_audit_init_density(&s, &p);
  for (size_t i = 0; i < s.length; i++)
    after += fabs((double)(s.values[0][i] - s.values[1][i])) * s.hardening.step *
             sfmi_torus_lambda(&torus, i / 2 + 1);
  set_sensitivity(&s, &p, after);
  caught("TWIN fourier-laplace, sensitivity after lambda", &s, &p);
  /* WRONG: the distance in l2, which is up to sqrt(2m) less than that in l1. */
  double square = 0;
  hardened_audit_init_density(&s, &p);
  for (size_t i = 0; i < s.length; i++) {
    const double d = (double)(s.values[0][i] - s.values[1][i]) * s.hardening.step;
    square += d * d;
  }
  set_sensitivity(&s, &p, sqrt(square));
  caught("TWIN fourier-laplace, l2 sensitivity", &s, &p);
  p = circle(ALL_FROM, ALL_TO); /* WRONG: one is stated */
  hardened_audit_init_density(&s, &p);
  caught("TWIN fourier-laplace, three rows charged as one", &s, &p);
}

/* WRONG: the constant's coefficient, which counts the rows that could be read, without noise. */
static void draw_counted(void *context, int input, double *scores) {
  hardened_audit_draw(context, input, scores);
  scores[0] = input ? 2 : 3;
}

static void a_twin_that_counts_is_caught(void **state) {
  (void)state;
  density_problem p = circle(FROM, NOBODY);
  hardened_audit s;
  hardened_audit_init_density(&s, &p);
  hardened_audit_arm(&s);
  audit_mechanism m =
      hardened_audit_density_mechanism("TWIN fourier-laplace, valid rows counted", &s, &p);
  m.draw = draw_counted;
  audit_twin(&m);
  hardened_audit_clear(&s);
}

/* ---- caratheodory ---- */

enum { MOST = 8 };

/* The moments of both inputs, by the production code, and the body's noise. */
typedef struct cloud {
  size_t m;
  sfm_density_body body;
  double scale;
  double complex theta[2][MOST];
  sfmi_knorm *knorm;
  sfmi_hit_and_run *hull; /* for its gauge */
} cloud;

static void ring(density_fixture *t, size_t m, sfm_density_body body, double epsilon) {
  static const sfm_boundary wraps[] = {SFM_BOUNDARY_PERIODIC};
  density_fixture_init(t, 1, 0, 1, 0.1, epsilon, 0);
  t->settings.method = SFM_DENSITY_CARATHEODORY;
  t->settings.boundary = wraps;
  t->settings.terms = m;
  t->settings.body = body;
  t->settings.context.seeded = true;
  t->settings.context.seed = 1;
}

/* A seeded release of the public function is what would be drawn here from that seed. */
static void check_production(const density_fixture *t, const cloud *c, const double *rows,
                             size_t count, const sfmi_i128 *values, double step) {
  sfm_error error;
  sfmi_knorm *knorm = NULL;
  sfm_release *made = density_fixture_release(t, rows, count),
              *again = sfmi_release_create(&sfmi_density_kind);
  again->function->torus[0] = made->function->torus[0];
  again->rows = count;
  again->scale = c->scale;
  again->reals = calloc(made->length, sizeof *again->reals);
  assert_ok(sfmi_knorm_create(&knorm, c->body, c->m, (sfmi_seed){true, 1}, &error), &error);
  assert_ok(sfmi_fourier_idealise(again, knorm, values, step, &(sfm_context){0}, &error), &error);
  assert_memory_equal(made->reals, again->reals, made->length * sizeof *made->reals);
  assert_true(made->scale == c->scale);
  sfmi_knorm_destroy(knorm);
  sfm_release_destroy(made);
  sfm_release_destroy(again);
}

static void cloud_init(cloud *c, const density_fixture *t, const double *const rows[2],
                       size_t count) {
  sfm_error error;
  sfmi_design_density design;
  sfmi_hardening hardening;
  const size_t m = t->settings.terms;
  *c = (cloud){.m = m, .body = t->settings.body};
  assert_ok(sfmi_design_density_init(&design, &t->settings, count, &error), &error);
  assert_ok(sfmi_density_hardening(&hardening, &design, t->settings.epsilon, &error), &error);
  c->scale = hardening.sensitivity / t->settings.epsilon;
  for (int k = 0; k < 2; k++) {
    sfm_rows *array = NULL;
    sfmi_i128 *values = NULL;
    assert_ok(sfm_rows_from_array(&array, rows[k], count, 1, density_fixture_columns, &error),
              &error);
    assert_ok(sfmi_density_integers(&values, &design, &hardening, array, &t->settings, &error),
              &error);
    for (size_t j = 1; j <= m; j++)
      c->theta[k][j - 1] =
          M_SQRT1_2 * hardening.step * CMPLX((double)values[2 * j - 1], (double)values[2 * j]);
    check_production(t, c, rows[k], count, values, hardening.step);
    free(values);
    sfm_rows_destroy(array);
  }
  assert_ok(sfmi_knorm_create(&c->knorm, c->body, m, (sfmi_seed){!test_long(), 1}, &error), &error);
  if (c->body == SFM_DENSITY_BODY_HULL)
    assert_ok(sfmi_moment_hull_create(&c->hull, m, &error), &error);
}

static void cloud_clear(cloud *c) {
  sfmi_knorm_destroy(c->knorm);
  sfmi_hit_and_run_destroy(c->hull);
}

static double gauge(const cloud *c, const double complex *z) {
  sfm_error error;
  double out, real[2 * MOST];
  for (size_t k = 0; k < c->m; k++) {
    real[2 * k] = creal(z[k]);
    real[2 * k + 1] = cimag(z[k]);
  }
  if (!c->hull) return verblunsky_reference_gauge(z, c->m);
  assert_ok(sfmi_hit_and_run_gauge(c->hull, &out, real, &error), &error);
  return out;
}

/* The density of a release z on input k is exp(-|z - theta_k|_K/scale), up to a constant: the
 * logarithm of the likelihood ratio; and the first number. */
static void cloud_draw(void *context, int input, double *scores) {
  cloud *c = context;
  sfm_error error;
  double complex z[MOST], off[MOST];
  double from[2];
  assert_ok(sfmi_knorm_add(c->knorm, z, c->theta[input], c->scale, &(sfm_context){0}, &error),
            &error);
  for (int k = 0; k < 2; k++) {
    for (size_t j = 0; j < c->m; j++) off[j] = z[j] - c->theta[k][j];
    from[k] = gauge(c, off);
  }
  scores[0] = from[0] - from[1];
  scores[1] = creal(z[0]);
}

/* Eigenvalues take time. */
static size_t draws(void) {
  return (size_t)1 << (test_long() ? 18 : 12);
}

static void body_case(const char *name, const density_fixture *t, const double *const rows[2],
                      size_t count, double least) {
  cloud c;
  cloud_init(&c, t, rows, count);
  audit_mechanism m = {name, cloud_draw, &c, 2, t->settings.epsilon, 0};
  audit_honest_of(&m, draws(), least);
  cloud_clear(&c);
}

/* A turn of 1/(m + 1) apart, u*v = 0: the gauge of the difference is m + 1 both ways. */
static const double ZERO[] = {0, 0.3}, SIXTH[] = {1.0 / 6, 0.3}, HALF[] = {0.5, 0.3},
                    GONE[] = {NAN, 0.3}, BOTH[] = {0, 0}, BOTH_HALF[] = {0.5, 0.5};

static void the_body_keeps_epsilon(void **state) {
  (void)state;
  density_fixture t;
  ring(&t, 5, SFM_DENSITY_BODY_EXACT, 3);
  body_case("caratheodory, m = 5, a row moved", &t, (const double *[]){ZERO, SIXTH}, 2,
            audit_share(0.2, 0.3));
  body_case("caratheodory, m = 5, half a turn", &t, (const double *[]){ZERO, HALF}, 2,
            audit_share(0.2, 0.3));
  body_case("caratheodory, m = 5, a row that is NaN", &t, (const double *[]){ZERO, GONE}, 2, 0);
  density_fixture_clear(&t);
  ring(&t, 1, SFM_DENSITY_BODY_EXACT, 1);
  body_case("caratheodory, m = 1, a row moved", &t, (const double *[]){ZERO, HALF}, 2,
            audit_share(0.35, 0.5));
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 2);
  body_case("caratheodory, m = 1, two rows of one person", &t, (const double *[]){BOTH, BOTH_HALF},
            2, audit_share(0.35, 0.5));
  density_fixture_clear(&t);
}

static void twins_of_the_body_are_caught(void **state) {
  (void)state;
  density_fixture t;
  ring(&t, 5, SFM_DENSITY_BODY_EXACT, 3);
  cloud c;
  cloud_init(&c, &t, (const double *[]){ZERO, HALF}, 2);
  for (int epsilon = 3; epsilon > 0; epsilon -= 2) {
    c.scale = 2.0 / epsilon; /* WRONG: as printed in the thesis, section 4.4.2 (E6) */
    audit_mechanism m = {
        "TWIN caratheodory, m = 5, the printed Delta = 2", cloud_draw, &c, 2, epsilon, 0};
    audit_twin_of(&m, 2 * draws());
  }
  cloud_clear(&c);
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laplace_keeps_epsilon),        cmocka_unit_test(twins_of_laplace_are_caught),
      cmocka_unit_test(a_twin_that_counts_is_caught), cmocka_unit_test(the_body_keeps_epsilon),
      cmocka_unit_test(twins_of_the_body_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
