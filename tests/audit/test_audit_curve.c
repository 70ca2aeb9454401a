/* test_audit_curve.c - mean curves: attacked with curves and their opposites, in both norms and
 * with persons, beside twins that are wrong on purpose. */
/* suite: release */
#include "audit/support/hardened_audit.h"
#include "mechanisms/functions/curve_release.h"
#include "releases/core/release_data.h"
#include "test_support.h"

enum { T = 4, WIDTH = T + 1, COUNT = 40 };

/* Records of an id and four values, far apart for the kernel: a fit is the values themselves,
 * turned into the basis. */
typedef struct problem {
  sfm_schema *schema;
  sfm_curve_settings settings;
  double records[2][COUNT * WIDTH];
} problem;

static const double GRID[T] = {0, 1, 2, 3};

/* Nobody has any value yet; records belong to persons 0, 1, 2, ... */
static void problem_init(problem *p, double epsilon, double delta, uint32_t contributions,
                         bool person) {
  sfm_error error;
  p->settings = sfm_curve_settings_default();
  assert_ok(sfm_schema_create(&p->schema, &error), &error);
  assert_ok(sfm_schema_set_contributions(p->schema, contributions, &error), &error);
  if (person) assert_ok(sfm_schema_set_person(p->schema, "0", &error), &error);
  p->settings.context.schema = p->schema;
  p->settings.first = 1;
  p->settings.count = T;
  p->settings.grid = GRID;
  p->settings.clip = 1;
  p->settings.kernel = SFM_KERNEL_MATERN12;
  p->settings.bandwidth = 0.02;
  p->settings.ridge = 0;
  p->settings.epsilon = epsilon;
  p->settings.delta = delta;
  for (size_t i = 0; i < COUNT * WIDTH; i++)
    p->records[0][i] = p->records[1][i] = i % WIDTH ? NAN : (double)(i / WIDTH);
}

/* The curve whose coefficients are these, times size, as record r of an input. */
static void put(problem *p, int input, size_t r, const double w[T], double size) {
  sfm_error error;
  sfmi_design_curve curve_design;
  double at[T * T];
  assert_ok(sfmi_design_curve_init(&curve_design, &p->settings, COUNT, &error), &error);
  assert_int_equal(curve_design.basis->count, T);
  sfmi_basis_at(curve_design.basis, at, GRID, T);
  for (size_t i = 0; i < T; i++) {
    double *value = &p->records[input][r * WIDTH + 1 + i];
    *value = 0;
    for (size_t j = 0; j < T; j++) *value += size * w[j] * at[i * T + j];
  }
  sfmi_design_curve_clear(&curve_design);
}

/* The integers of both inputs; what the noise is made for stays with the design. */
static void take_integers(hardened_audit *s, sfmi_design_curve *curve_design, const problem *p,
                          const sfm_curve_settings *settings) {
  for (int k = 0; k < 2; k++) {
    sfm_error error;
    sfm_rows *rows = NULL;
    assert_ok(sfm_rows_from_array(&rows, p->records[k], COUNT, WIDTH, NULL, &error), &error);
    assert_ok(sfmi_curve_integers(&s->values[k], curve_design, rows, settings, &error), &error);
    sfm_rows_destroy(rows);
  }
}

/* A seeded release of the public function is what the audit would draw from that seed. */
static void check_production(const hardened_audit *s, const problem *p, int input) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfmi_hardener *hardener = NULL;
  sfm_curve_settings seeded = p->settings;
  seeded.context.seeded = true;
  seeded.context.seed = 1;
  assert_ok(sfm_rows_from_array(&rows, p->records[input], COUNT, WIDTH, NULL, &error), &error);
  assert_ok(sfm_curve_release(&release, NULL, rows, &seeded, &error), &error);
  assert_ok(sfmi_hardener_create(&hardener, &s->hardening.law, (sfmi_seed){true, 1}, &error),
            &error);
  assert_int_equal(release->length, s->length);
  sfmi_hardener_add(hardener, s->released, s->values[input], s->length);
  assert_memory_equal(release->integers, s->released, s->length * sizeof *s->released);
  sfmi_hardener_destroy(hardener);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
}

/* The hardened_audit of a design: T directions are released, or the first alone where that is
 * planned. */
static void begin(hardened_audit *s, sfmi_design_curve *curve_design, const problem *p) {
  sfm_error error;
  assert_ok(sfmi_design_curve_init(curve_design, &p->settings, COUNT, &error), &error);
  *s = (hardened_audit){.length = curve_design->released,
                        .released = calloc(curve_design->released, sizeof *s->released)};
  assert_ok(sfmi_curve_hardening(&s->hardening, curve_design, p->settings.epsilon, &error), &error);
}

static void finish(hardened_audit *s, sfmi_design_curve *curve_design, problem *p) {
  hardened_audit_clear(s);
  sfmi_design_curve_clear(curve_design);
  sfm_schema_destroy(p->schema);
}

static audit_mechanism of(const char *name, hardened_audit *s, const problem *p) {
  return (audit_mechanism){
      name, hardened_audit_draw, s, HARDENED_AUDIT_SCORES, p->settings.epsilon, p->settings.delta};
}

static void honest(const char *name, problem *p, double least) {
  hardened_audit s;
  sfmi_design_curve curve_design;
  begin(&s, &curve_design, p);
  take_integers(&s, &curve_design, p, &p->settings);
  for (int k = 0; k < 2; k++) check_production(&s, p, k);
  hardened_audit_arm(&s);
  audit_mechanism m = of(name, &s, p);
  audit_honest(&m, least);
  finish(&s, &curve_design, p);
}

static const double ONE[T] = {1}, SLOPED[T] = {0.6, 0, -0.8}, ALL[T] = {0.5, -0.5, 0.5, 0.5};

/* Record 3 is w on one input and -w on the other, far outside the clip. */
static void oppose(problem *p, const double w[T]) {
  put(p, 0, 3, w, 1e6);
  put(p, 1, 3, w, -1e6);
}

static void normal_noise_keeps_epsilon_and_delta(void **state) {
  (void)state;
  problem p;
  problem_init(&p, 2, 0.1, 1, false);
  oppose(&p, SLOPED);
  honest("curve normal, a curve and its opposite", &p, audit_share(0.8, 0.95));
  problem_init(&p, 2, 0.1, 1, false);
  put(&p, 0, 3, SLOPED, 1e300);
  honest("curve normal, a giant and nothing", &p, audit_share(0.2, 0.24));
  problem_init(&p, 2, 0.1, 3, false);
  for (size_t r = 0; r < 3; r++) {
    put(&p, 0, r, ALL, 1e6);
    put(&p, 1, r, ALL, -1e6);
  }
  honest("curve normal, three contributions", &p, audit_share(0.8, 0.95));
}

static void laplace_noise_keeps_epsilon(void **state) {
  (void)state;
  problem p;
  problem_init(&p, 2, 0, 1, false);
  oppose(&p, ALL); /* all coordinates must agree for the worst event */
  honest("curve laplace, every direction", &p, audit_share(0.7, 0.9));
  problem_init(&p, 2, 0, 1, false);
  oppose(&p, ONE); /* in l1 half as far */
  honest("curve laplace, one direction", &p, audit_share(0.35, 0.45));
}

/* One person has ten curves, all far outside; on the other input they are the opposite. */
static void crowd(problem *p) {
  for (size_t r = 5; r < 15; r++) {
    for (int k = 0; k < 2; k++) p->records[k][r * WIDTH] = 7;
    put(p, 0, r, ALL, 1e6);
    put(p, 1, r, ALL, -1e6);
  }
}

static void persons_keep_epsilon_whatever_they_have(void **state) {
  (void)state;
  problem p;
  problem_init(&p, 2, 0.1, 2, true);
  crowd(&p);
  honest("curve normal, ten curves of one person", &p, audit_share(0.8, 0.95));
  problem_init(&p, 2, 0, 2, true);
  crowd(&p);
  honest("curve laplace, ten curves of one person", &p, audit_share(0.6, 0.85));
}

/* --- Wrong on purpose. --- */

static void twins_are_caught(void **state) {
  (void)state;
  problem p;
  hardened_audit s;
  sfmi_design_curve curve_design;

  problem_init(&p, 2, 0.1, 1, false);
  put(&p, 0, 3, SLOPED, 3);
  put(&p, 1, 3, SLOPED, -3);
  begin(&s, &curve_design, &p);
  curve_design.clipping.radius *= 10;
  take_integers(&s, &curve_design, &p, &p.settings);
  hardened_audit_arm(&s);
  audit_mechanism m = of("twin: curves are not clipped", &s, &p);
  audit_twin(&m);
  finish(&s, &curve_design, &p);

  problem_init(&p, 2, 0, 1, false);
  oppose(&p, ALL);
  begin(&s, &curve_design, &p);
  assert_int_equal(s.length, T);
  take_integers(&s, &curve_design, &p, &p.settings);
  hardened_audit_scale(&s, 1, 2);
  hardened_audit_arm(&s);
  m = of("twin: laplace without the root of the directions", &s, &p);
  audit_twin(&m);
  finish(&s, &curve_design, &p);

  problem_init(&p, 2, 0.1, 2, true);
  crowd(&p);
  begin(&s, &curve_design, &p);
  sfm_error error;
  sfm_schema *nobody;
  assert_ok(sfm_schema_create(&nobody, &error), &error);
  sfm_curve_settings apart = p.settings;
  apart.context.schema = nobody;
  take_integers(&s, &curve_design, &p, &apart);
  hardened_audit_arm(&s);
  m = of("twin: a person's curves are clipped one by one", &s, &p);
  audit_twin(&m);
  sfm_schema_destroy(nobody);
  finish(&s, &curve_design, &p);
}

/* The clip is the largest norm among the records themselves: noise and numbers are scaled by it, so
 * that its size tells who is there. */
typedef struct own_clip {
  hardened_audit s;
  sfmi_hardener *hardeners[2];
} own_clip;

static void draw_own_clip(void *context, int input, double *scores) {
  own_clip *o = context;
  sfmi_hardener_add(o->hardeners[input], o->s.released, o->s.values[input], o->s.length);
  hardened_audit_score(&o->s, scores);
  scores[HARDENED_AUDIT_SCORES] = 0;
  for (size_t j = 0; j < o->s.length; j++)
    scores[HARDENED_AUDIT_SCORES] += fabs((double)o->s.released[j]);
}

static void the_twin_with_a_clip_of_its_own_is_caught(void **state) {
  (void)state;
  problem p;
  own_clip o = {0};
  sfmi_design_curve curve_design;
  problem_init(&p, 2, 0.1, 1, false);
  for (size_t r = 0; r < COUNT; r++)
    for (int k = 0; k < 2; k++) put(&p, k, r, SLOPED, 0.2);
  put(&p, 1, 3, SLOPED, 1); /* one curve is five times as large as all others */
  begin(&o.s, &curve_design, &p);
  take_integers(&o.s, &curve_design, &p, &p.settings);
  for (int k = 0; k < 2; k++) {
    sfm_error error;
    sfmi_noise_law law = o.s.hardening.law;
    if (k == 0) law.scale.denominator *= 5; /* 0.2 is the largest norm there */
    assert_ok(sfmi_hardener_create(&o.hardeners[k], &law, (sfmi_seed){!test_long(), 1}, &error),
              &error);
  }
  audit_mechanism m = {"twin: the clip is the largest curve's norm",
                       draw_own_clip,
                       &o,
                       HARDENED_AUDIT_SCORES + 1,
                       p.settings.epsilon,
                       p.settings.delta};
  audit_twin(&m);
  for (int k = 0; k < 2; k++) sfmi_hardener_destroy(o.hardeners[k]);
  finish(&o.s, &curve_design, &p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normal_noise_keeps_epsilon_and_delta),
      cmocka_unit_test(laplace_noise_keeps_epsilon),
      cmocka_unit_test(persons_keep_epsilon_whatever_they_have),
      cmocka_unit_test(twins_are_caught),
      cmocka_unit_test(the_twin_with_a_clip_of_its_own_is_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
