/* test_mgf_inversion.c - the bounds of an inversion hold at every epsilon, whichever it was made
 * for. */
#include "loss_checks.h"

#include "privacy/mgf_inversion.h"

#define PLACES 9

static const char *const mixtures[] = {
    "laplace:0.3:40 gaussian:2:3",                    /* falls off by itself */
    "laplace:1:2 pure:0.7:3",                         /* atoms listed, and a density */
    "pure:0.4:12 randomised-response:0.9:4:5",        /* atoms only */
    "pure:0.001:1000000",                             /* too many atoms: smoothed */
    "discrete-gaussian:4:30 gaussian:50:1",           /* a lattice, hardly blurred */
    "discrete-gaussian:0.3:20000 laplace:0.01:20000", /* long doubles */
    "gaussian:1:1",                                   /* nothing but a Gaussian */
};
#define MIXTURES (sizeof mixtures / sizeof *mixtures)

static sfmi_inversion *made_for(const sfmi_total_loss *total, double epsilon, double spacing) {
  const sfmi_saddle at = sfmi_saddle_for_gap(total, total->top.hi - epsilon);
  sfmi_inversion *out;
  sfm_error error;
  assert_ok(sfmi_inversion_create(&out, total, &at, spacing, &error), &error);
  return out;
}

/* About where ln delta is this. */
static double place(const sfmi_total_loss *total, double log_delta) {
  return fmax(total->top.hi - sfmi_saddle_for_delta(total, log_delta).gap, 0);
}

/* Nine inversions, each asked at the home of every other: all nine intervals share a point.  Near
 * their homes they are narrow. */
static void ends_are_true_far_from_home(void **state) {
  (void)state;
  for (size_t m = 0; m < MIXTURES; m++) {
    sfm_privacy_loss losses[LOSSES_MAX];
    sfmi_total_loss total;
    sfmi_inversion *all[PLACES];
    double home[PLACES];
    sfm_error error;
    assert_ok(sfmi_total_loss_init(&total, losses, losses_read(losses, mixtures[m]), &error),
              &error);
    for (int i = 0; i < PLACES; i++) {
      home[i] = place(&total, -0.5 - 2.5 * i);
      all[i] = made_for(&total, home[i], 0);
    }
    for (int k = 0; k < PLACES; k++) {
      long double low = -INFINITY, high = INFINITY;
      for (int i = 0; i < PLACES; i++) {
        sfmi_log_bounds ends;
        sfmi_inversion_at(all[i], home[k], &ends);
        assert_true(ends.log_lower <= ends.log_upper);
        low = fmaxl(low, ends.log_lower);
        high = fminl(high, ends.log_upper);
        if (i == k && total.top.hi - home[k] > 1e-6)
          assert_true(ends.log_upper - ends.log_lower < 1e-4L);
      }
      if (low > high)
        fail_msg("%s at %g: the ends %.20Lg and %.20Lg cross", mixtures[m], home[k], low, high);
    }
    for (int i = 0; i < PLACES; i++) sfmi_inversion_destroy(all[i]);
    sfmi_total_loss_clear(&total);
  }
}

/* One transform says what summing at each point does. */
static void grids_are_single_points(void **state) {
  (void)state;
  enum { POINTS = 2000 };
  size_t grids = 0;
  for (size_t m = 0; m < MIXTURES; m++) {
    sfm_privacy_loss losses[LOSSES_MAX];
    sfmi_total_loss total;
    sfm_error error;
    assert_ok(sfmi_total_loss_init(&total, losses, losses_read(losses, mixtures[m]), &error),
              &error);
    const double first = place(&total, -3), spacing = (place(&total, -6) - first) / POINTS;
    sfmi_inversion *inversion = made_for(&total, first, spacing);
    const size_t count = sfmi_inversion_grid_size(inversion, POINTS);
    if (count) {
      static sfmi_log_bounds ends[POINTS];
      static double epsilons[POINTS];
      for (size_t i = 0; i < count; i++) epsilons[i] = first + (double)i * spacing;
      assert_ok(sfmi_inversion_grid(inversion, ends, epsilons, count, &error), &error);
      for (size_t i = 0; i < count; i += 37) {
        sfmi_log_bounds one;
        sfmi_inversion_at(inversion, epsilons[i], &one);
        assert_true(one.log_lower <= ends[i].log_upper && ends[i].log_lower <= one.log_upper);
        assert_near("log upper", (double)ends[i].log_upper, (double)one.log_upper, 1e-8);
        assert_near("log lower", (double)ends[i].log_lower, (double)one.log_lower, 1e-8);
      }
      grids++;
    }
    sfmi_inversion_destroy(inversion);
    sfmi_total_loss_clear(&total);
  }
  assert_true(grids >= 3);
}

/* The slope is what differences say. */
static void slopes_are_those_of_the_curve(void **state) {
  (void)state;
  for (size_t m = 0; m < MIXTURES; m++) {
    sfm_privacy_loss losses[LOSSES_MAX];
    sfmi_total_loss total;
    sfm_error error;
    assert_ok(sfmi_total_loss_init(&total, losses, losses_read(losses, mixtures[m]), &error),
              &error);
    const double epsilon = place(&total, -4) * 1.0001;
    sfmi_inversion *inversion = made_for(&total, epsilon, 0);
    sfmi_log_bounds left, middle, right;
    sfmi_inversion_at(inversion, epsilon, &middle);
    assert_true(middle.slope < 0);
    const double h = -1e-4 / middle.slope;
    sfmi_inversion_at(inversion, epsilon - h, &left);
    sfmi_inversion_at(inversion, epsilon + h, &right);
    assert_relative("slope", middle.slope,
                    (double)((right.log_upper - left.log_upper) / (2 * (long double)h)), 1e-3);
    sfmi_inversion_destroy(inversion);
    sfmi_total_loss_clear(&total);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_are_true_far_from_home),
      cmocka_unit_test(grids_are_single_points),
      cmocka_unit_test(slopes_are_those_of_the_curve),
  };
  return cmocka_run_group_tests_name("inversion", tests, NULL, NULL);
}
