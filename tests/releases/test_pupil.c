/* test_pupil.c - the public model of an interactive session: kernel ridge regression by its
 * definition, one value at a time, forward and back; and the same function as points. */
#include "trial.h"

#include "base/linear.h"
#include "releases/pupil.h"

enum { D = 3, MOST = 40 };

static sfmi_lift *lift_of(sfmi_lift_form form) {
  sfmi_lift stated = {.form = form, .dimension = D, .radius = sqrt(D), .constant = 0.5};
  sfmi_lift *lift;
  sfm_error error;
  stated.kernel = form == SFMI_LIFT_LINEAR      ? SFM_KERNEL_LINEAR
                  : form == SFMI_LIFT_MONOMIALS ? SFM_KERNEL_POLYNOMIAL
                                                : SFM_KERNEL_GAUSSIAN;
  if (form == SFMI_LIFT_MONOMIALS) {
    stated.degree = 3;
    stated.shift = 1;
  }
  if (form == SFMI_LIFT_TORUS || form == SFMI_LIFT_WAVES) stated.bandwidth = 1;
  if (form == SFMI_LIFT_WAVES) {
    stated.frequencies = 200;
    stated.seed = 3;
  }
  if (form == SFMI_LIFT_TORUS) {
    stated.lower = calloc(D, sizeof(double));
    stated.upper = calloc(D, sizeof(double));
    for (int a = 0; a < D; a++) {
      stated.lower[a] = -1;
      stated.upper[a] = 1;
    }
  }
  trial_ok(sfmi_lift_create(&lift, &stated, &error), &error);
  return lift;
}

static void point(double u[D], size_t i) {
  for (int a = 0; a < D; a++) u[a] = sin((double)(7 * i + 3) * (a + 1.3));
}

static double value(size_t i) {
  double u[D];
  point(u, i);
  return sin(3 * u[0]) + u[1] * u[2];
}

static const uint32_t all[D] = {0, 1, 2};

static void features(double *phi, const sfmi_lift *lift, const double u[D]) {
  const size_t starts[2] = {0, D};
  sfmi_lift_dense(lift, phi, starts, all, u, 1);
}

static double dot(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/* f at x by the definition: k (K + ridge I)^-1 y. */
static double direct(const sfmi_lift *lift, size_t count, double ridge, const double x[D]) {
  double *phi = calloc((count + 1) * lift->count, sizeof *phi), sum = 0;
  double *matrix = calloc(count * count, sizeof *matrix), *y = calloc(count, sizeof *y);
  for (size_t i = 0; i < count; i++) {
    double u[D];
    point(u, i);
    features(phi + i * lift->count, lift, u);
    y[i] = value(i);
  }
  features(phi + count * lift->count, lift, x);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      matrix[i * count + j] =
          dot(phi + i * lift->count, phi + j * lift->count, lift->count) + (i == j) * ridge;
  assert_true(sfmi_positive_solve(matrix, y, count, 1));
  for (size_t i = 0; i < count; i++)
    sum += y[i] * dot(phi + i * lift->count, phi + count * lift->count, lift->count);
  free(phi);
  free(matrix);
  free(y);
  return sum;
}

static double taught(sfmi_pupil *pupil, const sfmi_lift *lift, const double x[D]) {
  double *phi = calloc(lift->count, sizeof *phi);
  features(phi, lift, x);
  const double sum = dot(phi, sfmi_pupil_weights(pupil), lift->count);
  free(phi);
  return sum;
}

static void teach(sfmi_pupil *pupil, size_t first, size_t last) {
  sfm_error error;
  for (size_t i = first; i < last; i++) {
    double u[D];
    point(u, i);
    trial_ok(sfmi_pupil_add(pupil, all, u, D, value(i), &error), &error);
  }
}

static void check_against_definition(sfmi_lift_form form) {
  static const double x[D] = {0.3, -0.2, 0.7};
  sfmi_lift *lift = lift_of(form);
  sfmi_pupil *pupil;
  sfm_error error;
  trial_ok(sfmi_pupil_create(&pupil, lift, false, 0.05, 0, &error), &error);
  trial_near("nothing learned", taught(pupil, lift, x), 0, 0);
  for (size_t count = 1; count <= MOST; count += 3) {
    teach(pupil, sfmi_pupil_count(pupil), count);
    trial_near("f", taught(pupil, lift, x), direct(lift, count, 0.05, x), 1e-9);
  }
  sfmi_pupil_truncate(pupil, 7);
  trial_near("f of seven", taught(pupil, lift, x), direct(lift, 7, 0.05, x), 1e-9);
  teach(pupil, 7, 20);
  trial_near("f of twenty", taught(pupil, lift, x), direct(lift, 20, 0.05, x), 1e-9);
  sfmi_pupil_truncate(pupil, 0);
  trial_near("forgotten", taught(pupil, lift, x), 0, 0);
  sfmi_pupil_destroy(pupil);
  sfmi_lift_destroy(lift);
}

static void it_is_ridge_regression(void **state) {
  (void)state;
  check_against_definition(SFMI_LIFT_LINEAR);
  check_against_definition(SFMI_LIFT_MONOMIALS);
  check_against_definition(SFMI_LIFT_TORUS);
  check_against_definition(SFMI_LIFT_WAVES);
}

/* Whatever form it was learned in; of random features: what their kernel's own fit is. */
static void check_points(sfmi_lift_form form, bool step) {
  static const double x[D] = {-0.4, 0.1, 0.25};
  sfmi_lift *lift = lift_of(form), *points;
  sfmi_pupil *pupil;
  sfm_error error;
  double *alpha, f = 0;
  trial_ok(sfmi_pupil_create(&pupil, lift, step, 0.05, 0.1, &error), &error);
  teach(pupil, 0, 12);
  trial_ok(sfmi_pupil_points(pupil, &points, &alpha, &error), &error);
  assert_int_equal(points->form, SFMI_LIFT_POINTS);
  assert_int_equal(points->point_count, 12);
  for (size_t i = 0; i < 12; i++) {
    const uint32_t *indices;
    const double *u;
    double z[D];
    const size_t count = sfmi_pupil_point(pupil, &indices, &u, i);
    point(z, i);
    assert_int_equal(count, D);
    assert_memory_equal(u, z, sizeof z);
    f += alpha[i] * sfmi_lift_kernel(points, all, x, D, indices, u, count);
  }
  trial_near("as points", f, taught(pupil, lift, x), form == SFMI_LIFT_WAVES ? 0.3 : 1e-9);
  free(alpha);
  sfmi_lift_destroy(points);
  sfmi_pupil_destroy(pupil);
  sfmi_lift_destroy(lift);
}

static void it_is_a_function_of_its_points(void **state) {
  (void)state;
  for (int step = 0; step < 2; step++) {
    check_points(SFMI_LIFT_LINEAR, step);
    check_points(SFMI_LIFT_MONOMIALS, step);
    check_points(SFMI_LIFT_TORUS, step);
    check_points(SFMI_LIFT_WAVES, step);
  }
}

/* A step of eta towards a value that is farther than eta kappa^2/2 brings w nearer. */
static void steps_have_one_length(void **state) {
  sfmi_lift *lift = lift_of(SFMI_LIFT_TORUS);
  sfmi_pupil *pupil;
  sfm_error error;
  double u[D];
  (void)state;
  trial_ok(sfmi_pupil_create(&pupil, lift, true, 1, 0.25, &error), &error);
  point(u, 0);
  double *phi = calloc(lift->count, sizeof *phi);
  features(phi, lift, u);
  trial_ok(sfmi_pupil_add(pupil, all, u, D, 5, &error), &error);
  for (size_t i = 0; i < lift->count; i++)
    trial_near("up", sfmi_pupil_weights(pupil)[i], 0.25 * phi[i], 1e-15);
  trial_ok(sfmi_pupil_add(pupil, all, u, D, -5, &error), &error);
  for (size_t i = 0; i < lift->count; i++)
    trial_near("down", sfmi_pupil_weights(pupil)[i], 0, 1e-15);
  sfmi_pupil_truncate(pupil, 1);
  for (size_t i = 0; i < lift->count; i++)
    trial_near("up again", sfmi_pupil_weights(pupil)[i], 0.25 * phi[i], 1e-15);
  free(phi);
  sfmi_pupil_destroy(pupil);
  sfmi_lift_destroy(lift);
}

/* The same point over and over: the matrix is singular but for the ridge. */
static void repeated_points_do_no_harm(void **state) {
  sfmi_lift *lift = lift_of(SFMI_LIFT_TORUS);
  sfmi_pupil *pupil;
  sfm_error error;
  double u[D];
  (void)state;
  trial_ok(sfmi_pupil_create(&pupil, lift, false, 0x1p-36, 0, &error), &error);
  point(u, 0);
  for (int i = 0; i < 200; i++) trial_ok(sfmi_pupil_add(pupil, all, u, D, 1, &error), &error);
  trial_near("the mean of them", taught(pupil, lift, u), 1, 1e-5);
  sfmi_pupil_destroy(pupil);
  sfmi_lift_destroy(lift);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_ridge_regression),
      cmocka_unit_test(it_is_a_function_of_its_points),
      cmocka_unit_test(steps_have_one_length),
      cmocka_unit_test(repeated_points_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
