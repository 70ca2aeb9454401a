/* test_plan_vector.c - plans of vectors: the length of the noise that releases have, and which
 * noises go with a norm and a guarantee. */
/* suite: release */
#include "test_support.h"

#include <unistd.h>

#include "sfumato/plan.h"

enum { LONGEST = 40 };

static sfm_vector_settings ask(sfm_vector_norm norm, sfm_vector_noise noise, double epsilon) {
  sfm_vector_settings s = sfm_vector_settings_default();
  s.norm = norm;
  s.noise = noise;
  s.sensitivity = 3;
  s.epsilon = epsilon;
  s.delta = noise == SFM_VECTOR_NOISE_NORMAL ? 1e-6 : 0;
  s.context.seeded = true;
  return s;
}

static sfm_plan *plan_of(const sfm_vector_settings *s, bool every, size_t length) {
  sfm_error error;
  sfm_plan *plan;
  assert_ok(sfm_plan_vector(&plan, s, every, length, &error), &error);
  return plan;
}

static void check_noise(const sfm_vector_settings *asked, size_t length, size_t trials) {
  sfm_error error;
  sfm_vector_settings s = *asked;
  sfm_plan *plan = plan_of(&s, false, length);
  const sfm_plan_entry *entry = sfm_plan_at(plan, 0);
  const sfm_forecast f = entry->predicted;
  double theta[LONGEST], sum = 0, square = 0, last = INFINITY;
  size_t inside = 0, banded = 0;
  for (size_t i = 0; i < length; i++) theta[i] = 17.3 * (double)i - 100;
  for (size_t k = 0; k < trials; k++) {
    sfm_release *release;
    double one = 0, largest = 0;
    s.context.seed = k;
    assert_ok(sfm_vector_release(&release, theta, length, &s, &error), &error);
    for (size_t i = 0; i < length; i++) {
      const double off = sfm_release_coefficient(release, i) - theta[i];
      one += off * off;
      largest = fmax(largest, fabs(off));
    }
    if (k == 0)
      assert_relative("band", entry->band.half_width, sfm_release_band(release).half_width, 1e-9);
    assert_int_equal(entry->hardened, sfm_release_hardened(release));
    sfm_release_destroy(release);
    sum += one;
    square += one * one;
    inside += one >= f.low && one <= f.high;
    banded += largest <= entry->band.half_width;
  }
  const double n = (double)trials, mean = sum / n, deviation = sqrt((square / n - mean * mean) / n);
  print_message("%-8s norm %d length %2zu: %.4g in [%.4g, %.4g], measured %.4g (%.2g), %zu of %zu "
                "inside\n",
                entry->method, (int)s.norm, length, f.total, f.low, f.high, mean, deviation, inside,
                trials);
  assert_near("squared length", mean, f.total, TEST_Z * deviation + 0.002 * f.total);
  assert_true(f.total == f.privacy && f.cost == f.privacy && f.sampling == 0);
  assert_false(binomial_too_few(inside, trials, 0.92));
  assert_false(binomial_too_few(trials - inside, trials, 0.005));
  assert_false(binomial_too_few(banded, trials, 0.95));
  for (double e = 1e-3; e < 1e3; e *= 3) {
    sfm_forecast at;
    assert_ok(sfm_plan_forecast(plan, &at, NAN, e, &error), &error);
    assert_true(at.total <= last);
    last = at.total;
  }
  sfm_plan_destroy(plan);
}

static void forecasts_come_true(void **state) {
  (void)state;
  for (int norm = SFM_VECTOR_NORM_L1; norm <= SFM_VECTOR_NORM_LINF; norm++)
    for (int noise = 0; noise < 4; noise++)
      for (size_t length = 1; length <= LONGEST; length = 3 * length + 1) {
        const sfm_vector_settings s =
            ask((sfm_vector_norm)norm, (sfm_vector_noise)noise, noise == 1 ? 2 : 0.5);
        if (norm == SFM_VECTOR_NORM_ELLIPSOID ||
            (noise == SFM_VECTOR_NOISE_KNORM) != (norm == SFM_VECTOR_NORM_LINF))
          continue;
        /* Each makes tables or simulates; the squares of k-norm noise have long tails. */
        check_noise(&s, length, test_long() ? 2000 : noise == SFM_VECTOR_NOISE_KNORM ? 150 : 40);
      }
}

/* Noise shaped to an ellipsoid with axes of very different lengths. */
static void ellipsoids_come_true(void **state) {
  (void)state;
  double S[9] = {4, 1, 0, 1, 9, -2, 0, -2, 0.9};
  for (int noise = SFM_VECTOR_NOISE_NORMAL; noise <= SFM_VECTOR_NOISE_GAMMA; noise++) {
    sfm_vector_settings s = ask(SFM_VECTOR_NORM_ELLIPSOID, (sfm_vector_noise)noise, 1);
    s.ellipsoid = S;
    check_noise(&s, 3, test_long() ? 2000 : 50);
  }
}

static bool in_lens(void *context, const double *x) {
  (void)context;
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= 4 && fabs(x[0]) <= 1;
}

/* Noise shaped to a polytope, and to a body of which only a function is known. */
static void bodies_come_true(void **state) {
  (void)state;
  static const double vertices[] = {1, 1, 0, 1, -1, 0, 0, 0.5, 2, 0.25, 0, 1};
  for (int noise = SFM_VECTOR_NOISE_LAPLACE; noise <= SFM_VECTOR_NOISE_KNORM; noise++)
    for (int norm = SFM_VECTOR_NORM_POLYTOPE; norm <= SFM_VECTOR_NORM_BODY; norm++) {
      sfm_vector_settings s = ask((sfm_vector_norm)norm, (sfm_vector_noise)noise, 1);
      s.vertices = vertices;
      s.vertex_count = 4;
      s.body = (sfm_vector_body){in_lens, NULL, 1, 2};
      check_noise(&s, 3, test_long() ? 1000 : 40);
    }
}

static void noises_that_do_not_go_are_named(void **state) {
  (void)state;
  sfm_error error = {0};
  sfm_vector_settings s = ask(SFM_VECTOR_NORM_L2, SFM_VECTOR_NOISE_LAPLACE, 1);
  sfm_plan *plan = plan_of(&s, true, 5);
  assert_int_equal(sfm_plan_length(plan), 3);
  assert_string_equal(sfm_plan_at(plan, 0)->method, "gamma"); /* least, but idealised */
  assert_string_equal(sfm_plan_at(plan, sfm_plan_best(plan))->method, "laplace");
  assert_string_equal(sfm_plan_at(plan, 2)->method, "normal");
  assert_non_null(strstr(sfm_plan_at(plan, 2)->absent, "delta"));
  double rows = 0;
  assert_ok(sfm_plan_rows_for(plan, &rows, 0.1, &error), &error);
  assert_true(isnan(rows));
  assert_ok(sfm_plan_epsilon_for(plan, &rows, 1, &error), &error);
  sfm_forecast f;
  assert_ok(sfm_plan_forecast(plan, &f, NAN, rows, &error), &error);
  assert_true(f.relative <= 1 && f.relative > 0.99);
  assert_int_equal(sfm_plan_shape(plan, &rows, &rows, 1, &error), SFM_INVALID);
  sfm_plan_destroy(plan);
  s.norm = SFM_VECTOR_NORM_LINF;
  plan = plan_of(&s, true, 5);
  assert_int_equal(sfm_plan_length(plan), 4);
  assert_string_equal(sfm_plan_at(plan, 0)->method, "k-norm");
  assert_int_equal(sfm_plan_best(plan), 0);
  sfm_plan_destroy(plan);
  s.epsilon = 0;
  assert_int_equal(sfm_plan_vector(&plan, &s, true, 5, &error), SFM_INVALID);
  assert_null(plan);
  assert_non_null(strstr(error.message, "epsilon"));
  s = ask(SFM_VECTOR_NORM_L2, SFM_VECTOR_NOISE_NORMAL, 1);
  s.delta = 0;
  assert_int_equal(sfm_plan_vector(&plan, &s, false, 5, &error), SFM_INVALID);
  assert_int_equal(sfm_plan_vector(&plan, &s, true, 0, &error), SFM_INVALID);
}

static void previews_are_releases(void **state) {
  (void)state;
  sfm_error error;
  double S[4] = {4, 1, 1, 9};
  for (int norm = SFM_VECTOR_NORM_L1; norm <= SFM_VECTOR_NORM_LINF; norm++)
    for (int noise = 0; noise < 4; noise++) {
      char path[] = "/tmp/sfumato-preview-XXXXXX";
      sfm_release *release, *again;
      sfm_vector_settings s = ask((sfm_vector_norm)norm, (sfm_vector_noise)noise, 1);
      s.ellipsoid = S;
      if (norm == SFM_VECTOR_NORM_ELLIPSOID && noise == SFM_VECTOR_NOISE_LAPLACE) continue;
      if (norm != SFM_VECTOR_NORM_LINF && noise == SFM_VECTOR_NOISE_KNORM) continue;
      sfm_plan *plan = plan_of(&s, false, 2);
      assert_ok(sfm_plan_preview(plan, &release, 5, &error), &error);
      assert_false(sfm_release_private(release));
      close(mkstemp(path));
      assert_ok(sfm_release_write(release, path, &error), &error);
      assert_ok(sfm_release_read(&again, path, &error), &error);
      remove(path);
      assert_true(sfm_release_coefficient(again, 1) == sfm_release_coefficient(release, 1));
      assert_true(sfm_release_coefficient(again, 1) != 0);
      sfm_release_destroy(release);
      sfm_release_destroy(again);
      sfm_plan_destroy(plan);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forecasts_come_true),   cmocka_unit_test(ellipsoids_come_true),
      cmocka_unit_test(bodies_come_true),      cmocka_unit_test(noises_that_do_not_go_are_named),
      cmocka_unit_test(previews_are_releases),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
