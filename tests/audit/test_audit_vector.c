/* test_audit_vector.c - vectors in every norm and noise, at their worst differences, beside twins
 * that are wrong on purpose. */
/* suite: release */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "audit/support/hardened_audit.h"
#include "releases/core/release_data.h"

static sfm_vector_settings pure(sfm_vector_norm norm, double epsilon) {
  sfm_vector_settings settings = sfm_vector_settings_default();
  settings.norm = norm;
  settings.sensitivity = 1;
  settings.epsilon = epsilon;
  return settings;
}

static sfm_vector_settings normal(sfm_vector_norm norm, double epsilon, double delta) {
  sfm_vector_settings settings = pure(norm, epsilon);
  settings.noise = SFM_VECTOR_NOISE_NORMAL;
  settings.delta = delta;
  return settings;
}

static audit_mechanism of(const char *name, hardened_audit *s,
                          const sfm_vector_settings *settings) {
  return (audit_mechanism){
      name, hardened_audit_draw, s, HARDENED_AUDIT_SCORES, settings->epsilon, settings->delta};
}

static void honest(const char *name, const sfm_vector_settings *settings, const double *from,
                   const double *to, size_t length, double least) {
  hardened_audit s;
  hardened_audit_init_vector(&s, settings, (const double *[]){from, to}, length);
  hardened_audit_arm(&s);
  audit_mechanism m = of(name, &s, settings);
  audit_honest(&m, least);
  hardened_audit_clear(&s);
}

static const double ZERO[4], ONE[4] = {1}, SPREAD[4] = {0.5, 0.5, 0.5, 0.5}, SPLIT[4] = {0.5, -0.5},
                             SLOPED[4] = {0.6, 0.8};

static void laplace_keeps_epsilon(void **state) {
  (void)state;
  sfm_vector_settings settings = pure(SFM_VECTOR_NORM_L1, 1);
  honest("vector laplace l1, one coordinate", &settings, ZERO, ONE, 4, audit_share(0.8, 0.95));
  honest("vector laplace l1, two coordinates", &settings, ZERO, SPLIT, 4, audit_share(0.8, 0.95));
  honest("vector laplace l1, NaN as zero", &settings, (double[]){1, 3}, (double[]){NAN, 3}, 2,
         audit_share(0.8, 0.95));
  settings = pure(SFM_VECTOR_NORM_L2, 2); /* all four coordinates must agree for the worst event */
  honest("vector laplace l2, every coordinate", &settings, ZERO, SPREAD, 4, audit_share(0.7, 0.9));
  settings = pure(SFM_VECTOR_NORM_L1, 1);
  settings.contributions = 3;
  honest("vector laplace l1, three contributions", &settings, ZERO, (double[]){3}, 1,
         audit_share(0.8, 0.95));
}

static void normal_keeps_epsilon_and_delta(void **state) {
  (void)state;
  sfm_vector_settings settings = normal(SFM_VECTOR_NORM_L2, 2, 0.1);
  honest("vector normal l2, a sloped difference", &settings, ZERO, SLOPED, 4,
         audit_share(0.8, 0.95));
  honest("vector normal l2, every coordinate", &settings, ZERO, SPREAD, 4, audit_share(0.8, 0.95));
  settings = normal(SFM_VECTOR_NORM_L1, 1, 0.1);
  honest("vector normal l1, one coordinate", &settings, ZERO, ONE, 4, audit_share(0.75, 0.93));
  settings = normal(SFM_VECTOR_NORM_L2, 1, 0.01); /* classical: more noise than is needed */
  settings.calibration = SFM_CALIBRATION_CLASSICAL;
  honest("vector normal l2, classical", &settings, ZERO, ONE, 4, 0.1);
}

/* --- Idealised noise, through the production step. --- */

typedef struct ideal {
  sfmi_stream *stream;
  const double *theta[2];
  double released[2];
  double scale;
  double factor[4]; /* L of the ellipsoid; the identity for gamma */
  bool gamma;
} ideal;

/* Gamma: |y - theta0| - |y - theta1|.  Normal: <L^-1 (y - theta0), L^-1 (theta1 - theta0)>. */
static void draw_ideal(void *context, int input, double *scores) {
  ideal *s = context;
  double u[2][2];
  sfmi_vector_idealise(s->released, s->theta[input], 2, s->gamma, s->scale,
                       s->gamma ? NULL : s->factor, s->stream);
  for (int k = 0; k < 2; k++) {
    u[k][0] = (s->released[0] - s->theta[k][0]) / s->factor[0];
    u[k][1] = (s->released[1] - s->theta[k][1] - s->factor[2] * u[k][0]) / s->factor[3];
  }
  scores[0] = s->gamma ? hypot(u[0][0], u[0][1]) - hypot(u[1][0], u[1][1])
                       : u[0][0] * (u[0][0] - u[1][0]) + u[0][1] * (u[0][1] - u[1][1]);
  scores[1] = s->released[0];
  scores[2] = s->released[1];
}

static void ideal_honest(const char *name, const sfm_vector_settings *settings, ideal *s,
                         double least) {
  sfm_vector_settings seeded = *settings;
  sfm_release *release;
  sfm_error error;
  seeded.context.seeded = true;
  seeded.context.seed = 1;
  if (sfm_vector_release(&release, s->theta[1], 2, &seeded, &error)) fail_msg("%s", error.message);
  s->scale = release->scale;
  double scores[3];
  assert_int_equal(sfmi_stream_create_seeded(&s->stream, 1, &error), SFM_OK);
  draw_ideal(s, 1, scores); /* the audit draws what the mechanism releases */
  assert_true(s->released[0] == release->reals[0] && s->released[1] == release->reals[1]);
  sfm_release_destroy(release);
  audit_mechanism m = {name, draw_ideal, s, 3, settings->epsilon, settings->delta};
  audit_honest(&m, least);
  sfmi_stream_destroy(s->stream);
}

static void idealised_noise_keeps_its_claim(void **state) {
  (void)state;
  sfm_vector_settings settings = pure(SFM_VECTOR_NORM_L2, 2);
  settings.noise = SFM_VECTOR_NOISE_GAMMA;
  ideal s = {.theta = {ZERO, SLOPED}, .factor = {1, 0, 0, 1}, .gamma = true};
  ideal_honest("vector gamma l2 (idealised)", &settings, &s, audit_share(0.7, 0.8));
  /* S = L L', and a difference L e_1 on its boundary. */
  static const double S[] = {4, 1, 1, 1}, edge[] = {2, 0.5};
  settings = normal(SFM_VECTOR_NORM_ELLIPSOID, 2, 0.1);
  settings.ellipsoid = S;
  s = (ideal){.theta = {ZERO, edge}, .factor = {2, 0, 0.5, sqrt(0.75)}};
  ideal_honest("vector normal ellipsoid (idealised)", &settings, &s, audit_share(0.8, 0.95));
}

/* --- Twins.  Each is wrong in one step, and must be caught. --- */

/* WRONG: the noise scale is multiplied by numerator/denominator. */
static void scaled(const char *name, const sfm_vector_settings *settings, const double *to,
                   size_t length, uint64_t numerator, uint64_t denominator) {
  hardened_audit s;
  hardened_audit_init_vector(&s, settings, (const double *[]){ZERO, to}, length);
  hardened_audit_scale(&s, numerator, denominator);
  hardened_audit_arm(&s);
  audit_mechanism m = of(name, &s, settings);
  audit_twin(&m);
  hardened_audit_clear(&s);
}

static void twins_with_less_noise_are_caught(void **state) {
  (void)state;
  sfm_vector_settings settings = pure(SFM_VECTOR_NORM_L1, 1);
  scaled("TWIN vector laplace, scale x 0.8", &settings, ONE, 4, 4, 5);
  settings = normal(SFM_VECTOR_NORM_L2, 2, 0.1);
  scaled("TWIN vector normal, scale x 0.8", &settings, SLOPED, 4, 4, 5);
  settings = pure(SFM_VECTOR_NORM_L2, 1);
  scaled("TWIN vector laplace, l2 bound used as l1", &settings, SPREAD, 4, 1, 2);
  settings = pure(SFM_VECTOR_NORM_L1, 1);
  settings.contributions = 3;
  scaled("TWIN vector laplace, contributions not charged", &settings, (double[]){3}, 1, 1, 3);
}

/* WRONG: a sum of values in [0, 1], released with sensitivity 1, whose values nobody clamped. */
static void a_twin_with_an_unclamped_value_is_caught(void **state) {
  (void)state;
  sfm_vector_settings settings = pure(SFM_VECTOR_NORM_L1, 1);
  scaled("TWIN vector laplace, a value beyond its bounds", &settings, (double[]){3}, 1, 1, 1);
}

/* WRONG: one draw of noise serves all coordinates. */
static void draw_shared(void *context, int input, double *scores) {
  hardened_audit *s = context;
  hardened_audit_draw(s, input, scores);
  for (size_t i = 1; i < s->length; i++)
    s->released[i] = (int64_t)(s->values[input][i] + s->released[0] - s->values[input][0]);
  scores[0] = (double)(s->released[0] - s->released[1]);
}

/* WRONG: noise -+ log(U)/epsilon in doubles, added to a double.  Where the answer is 1, every
 * output is a multiple of 2^-53; where it is 0, small outputs have more bits (Mironov 2012). */
static void draw_floating(void *context, int input, double *scores) {
  sfmi_stream *stream = context;
  const uint64_t word = sfmi_stream_word(stream);
  const double u = ldexp((double)(word >> 11) + 1, -53);
  const double y = input + (word & 1 ? log(u) : -log(u));
  scores[0] = y;
  scores[1] = ldexp(y, 53) == rint(ldexp(y, 53));
}

/* WRONG: the same, and a NaN goes through. */
static void draw_floating_nan(void *context, int input, double *scores) {
  draw_floating(context, 0, scores);
  scores[0] += input ? NAN : 0;
  scores[1] = isnan(scores[0]);
}

/* The honest counterpart: what is released is an integer times the step. */
static void draw_hardened_bits(void *context, int input, double *scores) {
  hardened_audit *s = context;
  hardened_audit_draw(s, input, scores);
  const double y = (double)s->released[0] * s->hardening.step;
  scores[1] = y;
  scores[2] = ldexp(y, 53) == rint(ldexp(y, 53));
}

static void a_twin_in_floating_point_is_caught(void **state) {
  (void)state;
  sfmi_stream *stream;
  sfm_error error;
  assert_int_equal(sfmi_stream_create_seeded(&stream, 1, &error), SFM_OK);
  audit_mechanism m = {"TWIN vector laplace in floating point", draw_floating, stream, 2, 1, 0};
  audit_twin(&m);
  m.name = "TWIN vector laplace, NaN goes through";
  m.draw = draw_floating_nan;
  audit_twin(&m);
  sfmi_stream_destroy(stream);

  sfm_vector_settings settings = pure(SFM_VECTOR_NORM_L1, 1);
  hardened_audit s;
  hardened_audit_init_vector(&s, &settings, (const double *[]){ZERO, ONE}, 1);
  hardened_audit_arm(&s);
  m = of("vector laplace l1, the same attack on its bits", &s, &settings);
  m.draw = draw_hardened_bits;
  audit_honest(&m, audit_share(0.8, 0.95));
  hardened_audit_clear(&s);
}

static void a_twin_that_shares_noise_is_caught(void **state) {
  (void)state;
  sfm_vector_settings settings = pure(SFM_VECTOR_NORM_L1, 1);
  hardened_audit s;
  hardened_audit_init_vector(&s, &settings, (const double *[]){ZERO, ONE}, 4);
  hardened_audit_arm(&s);
  audit_mechanism m = of("TWIN vector laplace, one noise for all", &s, &settings);
  m.draw = draw_shared;
  audit_twin(&m);
  hardened_audit_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laplace_keeps_epsilon),
      cmocka_unit_test(normal_keeps_epsilon_and_delta),
      cmocka_unit_test(idealised_noise_keeps_its_claim),
      cmocka_unit_test(twins_with_less_noise_are_caught),
      cmocka_unit_test(a_twin_with_an_unclamped_value_is_caught),
      cmocka_unit_test(a_twin_in_floating_point_is_caught),
      cmocka_unit_test(a_twin_that_shares_noise_is_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
