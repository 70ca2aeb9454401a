/* test_audit_vector_knorm.c - k-norm noise of vectors: by the largest coordinate (hardened) and in
 * a polytope (idealised), at their worst differences, beside twins that are wrong on purpose: the
 * body of the thesis that is not symmetric, and the radius of one dimension less. */
/* suite: release */
#include "test_support.h"

#include "audit/support/hardened_audit.h"
#include "random/max_norm_noise.h"
#include "random/discrete_distributions.h"
#include "random/idealised_draws.h"
#include "releases/core/release_data.h"

static sfm_vector_settings linf(double epsilon) {
  sfm_vector_settings settings = sfm_vector_settings_default();
  settings.norm = SFM_VECTOR_NORM_LINF;
  settings.noise = SFM_VECTOR_NOISE_KNORM;
  settings.sensitivity = 1;
  settings.epsilon = epsilon;
  return settings;
}

static audit_mechanism of(const char *name, hardened_audit *s, double epsilon) {
  return (audit_mechanism){name, hardened_audit_draw, s, HARDENED_AUDIT_SCORES, epsilon, 0};
}

static const double ZERO[4], ALL[4] = {1, 1, 1, 1}, MIXED[4] = {1, -1, 1, 0}, TWICE[4] = {2, 2};

static void honest(const char *name, const sfm_vector_settings *settings, const double *to,
                   size_t length, double least) {
  hardened_audit s;
  hardened_audit_init_vector(&s, settings, (const double *[]){ZERO, to}, length);
  hardened_audit_arm(&s);
  audit_mechanism m = of(name, &s, settings->epsilon);
  audit_honest(&m, least);
  hardened_audit_clear(&s);
}

static void linf_noise_keeps_epsilon(void **state) {
  (void)state;
  sfm_vector_settings settings = linf(1);
  honest("vector k-norm linf, one number", &settings, ALL, 1, audit_share(0.9, 0.97));
  honest("vector k-norm linf, all of four", &settings, ALL, 4, audit_share(0.7, 0.85));
  honest("vector k-norm linf, three of four, mixed", &settings, MIXED, 4, audit_share(0.5, 0.7));
  settings.contributions = 2;
  honest("vector k-norm linf, contributions 2", &settings, TWICE, 2, audit_share(0.8, 0.9));
}

/* WRONG: half of the noise that all numbers moving at once take. */
static void twins_with_less_noise_are_caught(void **state) {
  (void)state;
  sfm_vector_settings settings = linf(1);
  hardened_audit s;
  hardened_audit_init_vector(&s, &settings, (const double *[]){ZERO, ALL}, 2);
  hardened_audit_scale(&s, 3, 4);
  hardened_audit_arm(&s);
  audit_mechanism m = of("TWIN vector k-norm linf, scale x 0.75", &s, 1);
  audit_twin(&m);
  hardened_audit_clear(&s);
}

/* ---- the radius ---- */

typedef struct short_cube {
  sfmi_sampler *sampler;
  sfmi_stream *stream;
  int64_t shift; /* of input 1 in both numbers */
  size_t variables;
} short_cube;

/* WRONG: the radius is a sum of `variables` geometric ones, as if it were of a Gamma(D) law, and
 * not of D + 1.  Scores: how near both numbers are to either input. */
static void draw_short(void *context, int input, double *scores) {
  const short_cube *c = context;
  sfmi_i128 drawn[4];
  sfmi_u128 radius = 0;
  double near[2] = {0, 0};
  sfmi_sampler_draw_geometric(c->sampler, c->stream, drawn, c->variables);
  for (size_t i = 0; i < c->variables; i++) radius += (sfmi_u128)drawn[i];
  for (int i = 0; i < 2; i++) {
    const sfmi_i128 y = sfmi_max_norm_coordinate(c->stream, radius) + (input ? c->shift : 0);
    near[0] = fmax(near[0], fabs((double)y));
    near[1] = fmax(near[1], fabs((double)(y - c->shift)));
  }
  scores[0] = near[0];
  scores[1] = near[1];
  scores[2] = near[0] - near[1];
}

static void a_radius_of_one_dimension_less_is_caught(void **state) {
  (void)state;
  enum { STEPS = 1024 };
  sfm_error error;
  short_cube c = {.shift = STEPS, .variables = 2};
  assert_ok(sfmi_sampler_create(&c.sampler, SFM_NOISE_LAW_DISCRETE_LAPLACE, (sfm_ratio){STEPS, 1},
                                &error),
            &error);
  assert_ok(sfmi_stream_create_seeded(&c.stream, 5, &error), &error);
  audit_mechanism m = {"TWIN k-norm linf in 2-D, Gamma(D) as radius", draw_short, &c, 3, 1, 0};
  audit_twin(&m);
  sfmi_stream_destroy(c.stream);
  sfmi_sampler_destroy(c.sampler);
}

/* ---- a triangle ---- */

/* Its corners; the third is what makes it hold zero.  Moves are from zero to a corner, and back. */
static const double CORNERS[] = {1, 0, 0, 1, -1, -1};

/* min {t : x in t K} for the triangle K: the largest of the coordinates by its sides. */
static double triangle_gauge(const double *x) {
  const double sides[3] = {x[0] + x[1], x[0] - 2 * x[1], x[1] - 2 * x[0]};
  return fmax(sides[0], fmax(sides[1], sides[2]));
}

/* Of its symmetric hull, the hexagon of all +-corners. */
static double hexagon_gauge(const double *x) {
  return fmax(fmax(fabs(x[0]), fabs(x[1])), fabs(x[0] - x[1]));
}

typedef struct figure {
  const double *theta[2];
  double scale, released[2];
  sfmi_hit_and_run *shape; /* NULL: the triangle itself */
  sfmi_stream *stream;
  double (*gauge)(const double *x);
} figure;

/* r U, U uniform in the triangle. */
static void draw_triangle(const figure *f, double *released, const double *theta) {
  double a = sfmi_idealised_uniform(f->stream), b = sfmi_idealised_uniform(f->stream);
  const double radius = f->scale * sfmi_idealised_gamma(f->stream, 3);
  if (a + b > 1) {
    a = 1 - a;
    b = 1 - b;
  }
  for (int i = 0; i < 2; i++)
    released[i] =
        theta[i] + radius * (a * CORNERS[i] + b * CORNERS[2 + i] + (1 - a - b) * CORNERS[4 + i]);
}

/* The noise is idealised: what is audited is its law, and not the low bits of doubles, by which a
 * sum and what was added to it can be told apart. */
static double coarse(double score) {
  return round(score * 1e6) * 1e-6;
}

static void draw_figure(void *context, int input, double *scores) {
  figure *f = context;
  sfm_error error;
  double from[2];
  if (f->shape)
    assert_ok(
        sfmi_vector_knorm(f->released, f->theta[input], 2, f->scale, f->shape, f->stream, &error),
        &error);
  else
    draw_triangle(f, f->released, f->theta[input]);
  for (int k = 0; k < 2; k++) {
    const double off[2] = {f->released[0] - f->theta[k][0], f->released[1] - f->theta[k][1]};
    from[k] = f->gauge(off);
  }
  scores[0] = coarse(from[0] - from[1]);
  scores[1] = coarse(f->released[0]);
  scores[2] = coarse(f->released[1]);
}

/* A walk for every release takes time. */
static size_t draws(void) {
  return (size_t)1 << (test_long() ? 17 : 12);
}

static void a_polytope_keeps_epsilon(void **state) {
  (void)state;
  sfm_vector_settings settings = linf(2);
  sfm_error error;
  sfm_release *release;
  double scores[3];
  settings.norm = SFM_VECTOR_NORM_POLYTOPE;
  settings.vertices = CORNERS;
  settings.vertex_count = 3;
  settings.context.seeded = true;
  settings.context.seed = 1;
  figure f = {.theta = {ZERO, CORNERS}, .gauge = hexagon_gauge};
  assert_ok(sfm_vector_release(&release, f.theta[1], 2, &settings, &error), &error);
  f.scale = release->scale;
  assert_relative("scale", f.scale, 0.5, 1e-12);
  assert_ok(sfmi_hit_and_run_create_from_points(&f.shape, CORNERS, 3, 2, &error), &error);
  assert_ok(sfmi_stream_create_seeded(&f.stream, 1, &error), &error);
  draw_figure(&f, 1, scores); /* the audit draws what the mechanism releases */
  assert_true(f.released[0] == release->reals[0] && f.released[1] == release->reals[1]);
  sfm_release_destroy(release);
  audit_mechanism m = {"vector k-norm polytope (idealised)", draw_figure, &f, 3, 2, 0};
  audit_honest_of(&m, draws(), audit_share(0.6, 0.8));
  sfmi_stream_destroy(f.stream);
  sfmi_hit_and_run_destroy(f.shape);
}

/* WRONG: the triangle, whose gauge of a corner is 1, that of its opposite 2.  That theta is in K
 * does not mean that moves are at most 2, or these at most 1, in both orders. */
static void a_body_that_is_not_symmetric_is_caught(void **state) {
  (void)state;
  sfm_error error;
  const double back[2] = {-CORNERS[0], -CORNERS[1]};
  assert_true(triangle_gauge(CORNERS) == 1 && triangle_gauge(back) == 2);
  assert_true(hexagon_gauge(CORNERS) == 1 && hexagon_gauge(back) == 1);
  figure f = {.theta = {ZERO, CORNERS}, .scale = 0.5, .gauge = triangle_gauge};
  assert_ok(sfmi_stream_create_seeded(&f.stream, 2, &error), &error);
  audit_mechanism m = {"TWIN k-norm, a body that is not symmetric", draw_figure, &f, 3, 2, 0};
  audit_twin(&m);
  sfmi_stream_destroy(f.stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linf_noise_keeps_epsilon),
      cmocka_unit_test(a_polytope_keeps_epsilon),
      cmocka_unit_test(twins_with_less_noise_are_caught),
      cmocka_unit_test(a_radius_of_one_dimension_less_is_caught),
      cmocka_unit_test(a_body_that_is_not_symmetric_is_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
