/* test_gp_learning_curve.c - the learning curve of a Gaussian process: closed forms, and posteriors
 * at random points computed outright. */
#include "test_support.h"

#include "base/math/linear_algebra.h"
#include "base/math/prng.h"
#include "features/encoding_fixtures.h"
#include "planner/forecast/gp_learning_curve.h"

/* One eigenvalue l: e = l/(1 + n l/(v + e)), a quadratic. */
static void one_direction_has_a_closed_form(void **state) {
  (void)state;
  static const double cases[][3] = {{1, 1, 1}, {0.5, 10, 0.1}, {2, 0, 1}, {1, 100, 5}};
  for (size_t i = 0; i < 4; i++) {
    double l = cases[i][0];
    const double n = cases[i][1], v = cases[i][2];
    const sfmi_learning_curve learning_curve = {.spectrum = &l, .count = 1, .repeated = 1};
    /* e^2 + e (v + n l - l) - l v = 0 */
    const double b = v + n * l - l;
    assert_relative("one direction", sfmi_learning_curve_error(&learning_curve, n, v),
                    (-b + sqrt(b * b + 4 * l * v)) / 2, 1e-9);
  }
}

static void more_answers_and_less_noise_never_hurt(void **state) {
  (void)state;
  double spectrum[] = {0.6, 0.3, 0.08, 0.02};
  const sfmi_learning_curve learning_curve = {.spectrum = spectrum, .count = 4, .repeated = 2};
  assert_relative("prior", sfmi_learning_curve_prior(&learning_curve), 2, 1e-12);
  assert_relative("nothing asked", sfmi_learning_curve_error(&learning_curve, 0, 1), 2, 1e-9);
  double last = INFINITY;
  for (double n = 1; n < 1e4; n *= 3) {
    const double e = sfmi_learning_curve_error(&learning_curve, n, 0.5);
    assert_true(e < last && e < sfmi_learning_curve_error(&learning_curve, n, 0.6));
    last = e;
  }
  assert_true(sfmi_learning_curve_error(&learning_curve, 100, 0) < 1e-6);
}

/* The mean over the points of the posterior variance after answers at random ones. */
static double posterior(const sfmi_feature_map *map, const sfmi_net *net, size_t answers,
                        double variance, sfmi_prng *prng) {
  double *matrix = calloc(answers * answers, sizeof *matrix),
         *column = calloc(answers, sizeof *column), sum = 0;
  size_t *at = calloc(answers, sizeof *at);
#define K(p, q)                                                                                    \
  sfmi_feature_map_kernel(map, net->indices + net->starts[p], net->values + net->starts[p],        \
                          net->starts[(p) + 1] - net->starts[p], net->indices + net->starts[q],    \
                          net->values + net->starts[q], net->starts[(q) + 1] - net->starts[q])
  for (size_t i = 0; i < answers; i++)
    at[i] = (size_t)(sfmi_prng_uniform(prng) * (double)net->count);
  for (size_t p = 0; p < net->count; p += 8) {
    for (size_t i = 0; i < answers; i++) {
      column[i] = K(p, at[i]);
      for (size_t j = 0; j < answers; j++)
        matrix[i * answers + j] = K(at[i], at[j]) + (i == j ? variance : 0);
    }
    double *solved = malloc(answers * sizeof *solved);
    memcpy(solved, column, answers * sizeof *solved);
    assert_true(sfmi_positive_solve(matrix, solved, answers, 1));
    sum += K(p, p);
    for (size_t i = 0; i < answers; i++) sum -= column[i] * solved[i];
    free(solved);
  }
  free(matrix);
  free(column);
  free(at);
  return sum / ((double)(net->count + 7) / 8);
}

static void the_curve_is_near_posteriors_at_random_points(void **state) {
  (void)state;
  static const double noises[] = {1, 0.1, 0.01};
  sfmi_encoding encoding = {.scaling = SFM_SCALING_UNIT, .clip = INFINITY};
  sfmi_feature_map *map;
  sfmi_net net;
  sfmi_learning_curve learning_curve;
  sfmi_prng prng;
  sfm_error error;
  encode_number(&encoding, "a", 0, 1);
  encode_number(&encoding, "b", 0, 1);
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  assert_ok(sfmi_net_init(&net, &encoding, 400, &error), &error);
  sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_POINTS,
                             .dimension = 2,
                             .radius = encoding.radius,
                             .kernel = SFM_KERNEL_LAPLACIAN,
                             .bandwidth = 1,
                             .point_count = 1};
  stated.point_starts = calloc(2, sizeof *stated.point_starts);
  stated.point_indices = calloc(1, sizeof *stated.point_indices);
  stated.point_values = calloc(1, sizeof *stated.point_values);
  assert_ok(sfmi_feature_map_create(&map, &stated, &error), &error);
  assert_ok(sfmi_learning_curve_net(&learning_curve, map, &net, &error), &error);
  sfmi_prng_init(&prng, 3);
  assert_relative("prior", sfmi_learning_curve_prior(&learning_curve), 1, 1e-6);
  for (size_t k = 0; k < 3; k++)
    for (size_t answers = 2; answers <= 32; answers *= 4) {
      double mean = 0;
      for (int i = 0; i < 10; i++) mean += posterior(map, &net, answers, noises[k], &prng) / 10;
      const double said = sfmi_learning_curve_error(&learning_curve, (double)answers, noises[k]);
      print_message("%2zu answers, noise %-5g posterior %.4f, said %.4f\n", answers, noises[k],
                    mean, said);
      assert_true(said > 0.6 * mean && said < 1.4 * mean);
    }
  sfmi_learning_curve_clear(&learning_curve);
  sfmi_feature_map_destroy(map);
  sfmi_net_clear(&net);
  sfmi_encoding_clear(&encoding);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_direction_has_a_closed_form),
      cmocka_unit_test(more_answers_and_less_noise_never_hurt),
      cmocka_unit_test(the_curve_is_near_posteriors_at_random_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
