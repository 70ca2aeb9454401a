/* test_refine.c - projections against an oracle, and what refined releases are: densities, and
 * releases as before. */
#include "density_fixture.h"

#include <unistd.h>

#include "releases/eval/grid_density.h"
#include "releases/refine/projection.h"
#include "simulated_density.h"
#include "sfumato/refine.h"

static double mass(const double *values, const double *weights, size_t count) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (long double)values[i] * weights[i];
  return (double)sum;
}

static void random_problem(double *values, double *weights, size_t count, sfmi_prng *prng) {
  const double scale = exp(4 * sfmi_prng_normal(prng)), shift = sfmi_prng_normal(prng);
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += weights[i] = 0.05 + sfmi_prng_uniform(prng);
  for (size_t i = 0; i < count; i++) {
    weights[i] /= sum;
    values[i] = scale * (sfmi_prng_normal(prng) + shift);
  }
}

/* The level tau by bisection: the mass above it falls with it. */
static double bisect(const double *values, const double *weights, size_t count) {
  double low = -1e9, high = 1e9;
  for (int i = 0; i < 200; i++) {
    const double middle = (low + high) / 2;
    double above = 0;
    for (size_t k = 0; k < count; k++) above += weights[k] * fmax(values[k] - middle, 0);
    if (above > 1)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

static void water_is_filled_to_the_level_that_bisection_finds(void **state) {
  (void)state;
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (int r = 0; r < 300; r++) {
    double values[50], weights[50], got[50];
    const size_t count = 1 + sfmi_prng_word(&prng) % 50;
    random_problem(values, weights, count, &prng);
    if (r % 3 == 0) /* ties */
      for (size_t i = 0; i < count; i++) values[i] = round(values[i]);
    memcpy(got, values, sizeof got);
    assert_ok(sfmi_project(got, weights, count, true, SFMI_INTEGRAL_CONDITION_ONE, &error), &error);
    const double tau = bisect(values, weights, count);
    double largest = 1, lower[50];
    memcpy(lower, values, sizeof lower);
    assert_ok(
        sfmi_project(lower, weights, count, true, SFMI_INTEGRAL_CONDITION_AT_MOST_ONE, &error),
        &error);
    for (size_t i = 0; i < count; i++)
      assert_near("at most one", lower[i], fmax(values[i] - fmax(tau, 0), 0),
                  1e-9 + 1e-12 * fabs(values[i]));
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
    for (size_t i = 0; i < count; i++) {
      assert_near("projection", got[i], fmax(values[i] - tau, 0), 1e-12 * largest);
      assert_true(got[i] >= 0 && !signbit(got[i]));
    }
    assert_near("integral", mass(got, weights, count), 1, 1e-12 * largest);
  }
}

static double distance(const double *x, const double *y, const double *weights, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += weights[i] * (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

/* A feasible function: near the projection, or anywhere. */
static void random_feasible(double *out, const double *near, const double *weights, size_t count,
                            bool nonnegative, sfmi_integral_condition known, sfmi_prng *prng) {
  const double size = exp(3 * sfmi_prng_normal(prng));
  double sum = 0, all = 0;
  for (size_t i = 0; i < count; i++) {
    out[i] = near[i] + size * sfmi_prng_normal(prng);
    if (nonnegative) out[i] = fmax(out[i], 0);
    sum += weights[i] * out[i];
    all += weights[i];
  }
  const bool fits = known == SFMI_INTEGRAL_CONDITION_ANY ||
                    (known == SFMI_INTEGRAL_CONDITION_AT_MOST_ONE && sum <= 1);
  for (size_t i = 0; i < count && !fits; i++)
    out[i] = nonnegative ? sum > 0 ? out[i] / sum : 1 / all : out[i] + (1 - sum) / all;
}

static void no_feasible_function_is_nearer(void **state) {
  (void)state;
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  for (int r = 0; r < 100; r++)
    for (int kind = 1; kind < 6; kind++) {
      const bool nonnegative = kind & 1;
      const sfmi_integral_condition known = (sfmi_integral_condition)(kind / 2);
      double values[20], weights[20], got[20], other[20];
      random_problem(values, weights, 20, &prng);
      memcpy(got, values, sizeof got);
      assert_ok(sfmi_project(got, weights, 20, nonnegative, known, &error), &error);
      const double least = distance(values, got, weights, 20);
      for (int t = 0; t < 100; t++) {
        random_feasible(other, got, weights, 20, nonnegative, known, &prng);
        assert_true(distance(values, other, weights, 20) >= least * (1 - 1e-12));
      }
    }
}

static sfm_release *make(size_t d, double h, double epsilon, double delta, size_t rows,
                         sfm_neighbours neighbours) {
  double *values = calloc(rows * d, sizeof *values);
  density_fixture t;
  density_fixture_init(&t, d, 0, 10, h, epsilon, delta);
  density_fixture_neighbours(&t, neighbours, 1);
  if (delta > 0) t.settings.method = SFM_DENSITY_GP;
  t.settings.context.seeded = true;
  t.settings.context.seed = 3;
  density_fixture_rows(values, rows, d, 0, 10, 4);
  sfm_release *release = density_fixture_release(&t, values, rows);
  density_fixture_clear(&t);
  free(values);
  return release;
}

static sfm_release *refine(const sfm_release *release, sfm_refine_settings settings) {
  sfm_error error;
  sfm_release *refined;
  assert_ok(sfm_release_refine(&refined, release, &settings, &error), &error);
  return refined;
}

static void refined_densities_are_densities_and_stay_so(void **state) {
  (void)state;
  for (int kind = -2; kind < RENOISE_KINDS; kind++) {
    sfm_release *raw = kind == -2   ? make(3, 4, 0.3, 0, 100, SFM_NEIGHBOURS_REPLACE)
                       : kind == -1 ? make(1, 2, 0.3, 0, 100, SFM_NEIGHBOURS_ADD_REMOVE)
                                    : renoise_make((renoise_kind)kind, 2, 50);
    for (int done = 1; done < 8; done++) {
      const sfm_refine_settings settings = {.size = sizeof(sfm_refine_settings),
                                            .shrink = done & 1,
                                            .nonnegative = done & 2,
                                            .normalise = done & 4};
      sfm_release *once = refine(raw, settings), *twice = refine(once, settings);
      double *weights = calloc(once->length, sizeof *weights);
      sfmi_grid_density_weights(&once->function->places, weights);
      if (settings.normalise)
        assert_near("integral", mass(once->reals, weights, once->length), 1, 1e-12);
      size_t negative = 0;
      for (size_t i = 0; i < once->length; i++) negative += once->reals[i] < 0;
      assert_true(!settings.nonnegative || negative == 0);
      if (kind == RENOISE_PERIODIC) assert_true(once->reals[0] == once->reals[once->length - 1]);
      assert_int_equal(once->length, twice->length);
      assert_memory_equal(once->reals, twice->reals, once->length * sizeof *once->reals);
      /* The parts one after the other are what they are in one go, where order is kept. */
      if (settings.nonnegative && settings.normalise && !settings.shrink) {
        sfm_release *part = refine(
            raw, (sfm_refine_settings){.size = sizeof(sfm_refine_settings), .normalise = true});
        sfm_release *rest = refine(
            part, (sfm_refine_settings){.size = sizeof(sfm_refine_settings), .nonnegative = true});
        assert_true(rest->refined.normalised && rest->refined.nonnegative);
        for (size_t i = 0; i < once->length; i++)
          assert_near("in two steps", rest->reals[i], once->reals[i], 1e-11);
        sfm_release_destroy(part);
        sfm_release_destroy(rest);
      }
      const sfm_refinement said = sfm_release_refinement(once);
      assert_true(said.shrunk == settings.shrink && said.nonnegative == settings.nonnegative &&
                  said.normalised == settings.normalise && !said.combined);
      assert_string_equal(once->sentence, raw->sentence);
      assert_memory_equal(&once->guarantee, &raw->guarantee, sizeof raw->guarantee);
      free(weights);
      sfm_release_destroy(once);
      sfm_release_destroy(twice);
    }
    sfm_release_destroy(raw);
  }
}

static void what_cannot_be_refined_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *raw = make(1, 1, 1, 0, 50, SFM_NEIGHBOURS_REPLACE), *out;
  sfm_refine_settings settings = {.size = sizeof(sfm_refine_settings)};
  assert_int_equal(sfm_release_refine(&out, raw, &settings, &error), SFM_INVALID);
  assert_null(out);
  assert_non_null(strstr(error.message, "nothing is asked for"));
  settings.normalise = true;
  sfm_release *refined = refine(raw, settings);
  settings.shrink = true;
  assert_false(sfm_release_shrinks(refined));
  assert_int_equal(sfm_release_refine(&out, refined, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "raw"));
  sfm_release_destroy(refined);
  sfm_release_destroy(raw);
  /* Numbers that only a made-up file holds. */
  settings.shrink = false;
  raw = make(1, 1, 1, 0, 50, SFM_NEIGHBOURS_REPLACE);
  refined = refine(raw, settings);
  refined->reals[3] = 1e200;
  assert_int_equal(sfm_release_refine(&out, refined, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "too large to compute with"));
  sfm_release_destroy(refined);
  sfm_release_destroy(raw);
  settings.shrink = true;
  /* Values at places: projected, not shrunk. */
  density_fixture t;
  double rows[50];
  density_fixture_rows(rows, 50, 1, 0, 10, 8);
  density_fixture_init(&t, 1, 0, 10, 2, 1, 1e-6);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.kernel = SFM_KERNEL_MATERN32;
  t.settings.context.seeded = true;
  raw = density_fixture_release(&t, rows, 50);
  density_fixture_clear(&t);
  assert_false(sfm_release_shrinks(raw));
  assert_int_equal(sfm_release_refine(&out, raw, &settings, &error), SFM_INVALID);
  assert_non_null(
      strstr(error.message, "settings.nonnegative and settings.normalise are possible"));
  settings.shrink = false;
  settings.nonnegative = true;
  refined = refine(raw, settings);
  assert_false(sfmi_release_placed(refined));
  sfm_release_destroy(refined);
  sfm_release_destroy(raw);
  /* A noisy total that nothing can be divided by. */
  raw = make(1, 1, 1, 0, 50, SFM_NEIGHBOURS_ADD_REMOVE);
  for (size_t i = 0; i < raw->length; i++) raw->integers[i] = -1;
  assert_int_equal(sfm_release_refine(&out, raw, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "total = N"));
  settings.total = 50;
  refined = refine(raw, settings);
  sfm_release_destroy(refined);
  sfm_release_destroy(raw);
}

/* Of one group and of the whole the same; one with nobody stays nothing. */
static void groups_are_refined_one_by_one(void **state) {
  (void)state;
  enum { N = 2000, GROUPS = 3 };
  static const char *const names[] = {"a", "ward"}, *const by[] = {"ward"},
                           *const wards[] = {"1", "2", "3"};
  static double rows[2 * N];
  sfm_error error;
  sfm_rows *source;
  sfm_release *raw, *one, *part;
  sfmi_prng prng;
  density_fixture t;
  sfmi_prng_init(&prng, 1);
  for (size_t i = 0; i < N; i++) {
    rows[2 * i + 1] = i % 4 ? 1 : 2;
    rows[2 * i] = fmin(fmax(3 * rows[2 * i + 1] + sfmi_prng_normal(&prng), 0), 10);
  }
  density_fixture_init(&t, 1, 0, 10, 1, 1, 0);
  assert_ok(sfm_schema_set_categories(t.schema, "ward", wards, 3, &error), &error);
  t.settings.by = by;
  t.settings.by_count = 1;
  t.settings.context.seeded = true;
  assert_ok(sfm_rows_from_array(&source, rows, N, 2, names, &error), &error);
  assert_ok(sfm_density_release(&raw, NULL, source, &t.settings, &error), &error);
  sfm_rows_destroy(source);
  density_fixture_clear(&t);
  sfm_refine_settings settings = sfm_refine_settings_default();
  settings.allow_missing = false;
  sfm_release *refined = refine(raw, settings), *again = refine(refined, settings);
  const size_t each = refined->function->places.count;
  assert_int_equal(refined->length, GROUPS * each);
  assert_memory_equal(refined->reals, again->reals, refined->length * sizeof *again->reals);
  double *weights = calloc(each, sizeof *weights);
  sfmi_grid_density_weights(&refined->function->places, weights);
  for (size_t g = 0; g < GROUPS; g++) {
    double size, deviation, kept, same;
    const double *values = refined->reals + g * each;
    assert_near("integral", mass(values, weights, each), g < 2 ? 1 : 0, 1e-12);
    assert_ok(sfm_release_group(&one, raw, g, &error), &error);
    sfm_release_group_size(raw, &size, &deviation, g);
    sfm_release_group_size(refined, &kept, &same, g);
    assert_true(kept == fmax(size, 0) && same == deviation);
    if (g < 2) {
      sfm_release *alone = refine(one, settings);
      assert_memory_equal(alone->reals, values, each * sizeof *values);
      assert_true(alone->function->sizes[0] == kept);
      sfm_release_destroy(alone);
    }
    assert_ok(sfm_release_group(&part, refined, g, &error), &error);
    assert_memory_equal(part->reals, values, each * sizeof *values);
    assert_true(sfm_release_too_few(part) == (g == 2));
    assert_true(sfm_release_too_few(one) == (g == 2));
    sfm_evaluator *evaluator;
    if (g == 2) {
      assert_int_equal(sfm_evaluator_create(&evaluator, part, 0, &error), SFM_INVALID);
      assert_non_null(strstr(error.message, "too few"));
    }
    sfm_release_destroy(part);
    sfm_release_destroy(one);
  }
  sfm_release_destroy(again);
  double kept = 0;
  for (size_t g = 0; g < GROUPS; g++) kept += refined->function->sizes[g];
  assert_true(sfm_release_size(refined) == kept);
  /* The file keeps the sizes. */
  char path[] = "/tmp/sfumato_refine.XXXXXX";
  close(mkstemp(path));
  assert_ok(sfm_release_write(refined, path, &error), &error);
  assert_ok(sfm_release_read(&again, path, &error), &error);
  unlink(path);
  assert_memory_equal(again->function->sizes, refined->function->sizes,
                      GROUPS * sizeof *again->function->sizes);
  assert_true(again->function->size_error == refined->function->size_error &&
              again->function->size_error > 0);
  assert_memory_equal(again->reals, refined->reals, refined->length * sizeof *again->reals);
  sfm_refine_settings total = settings;
  total.total = 5;
  assert_int_equal(sfm_release_refine(&one, raw, &total, &error), SFM_INVALID);
  free(weights);
  sfm_release_destroy(again);
  sfm_release_destroy(refined);
  sfm_release_destroy(raw);
}

/* What was chosen goes with the release, and with what is made of it. */
static void choices_are_kept(void **state) {
  (void)state;
  static const double candidates[] = {1, 2, 3, 4};
  static double rows[200];
  sfm_error error;
  density_fixture t;
  density_fixture_rows(rows, 100, 2, 0, 10, 4);
  density_fixture_init(&t, 2, 0, 10, 2, 1, 0);
  t.settings.candidates = candidates;
  t.settings.candidate_count = 2;
  t.settings.choice_share = 0.2;
  t.settings.context.seeded = true;
  sfm_release *raw = density_fixture_release(&t, rows, 100), *out;
  density_fixture_clear(&t);
  sfm_release *refined = refine(raw, sfm_refine_settings_default());
  assert_int_equal(refined->function->choice.count, 2);
  assert_memory_equal(refined->function->choice.candidates, candidates, sizeof candidates);
  const char *const columns[] = {"b"};
  assert_ok(sfm_release_marginal(&out, raw, columns, 1, &error), &error);
  assert_true(out->function->choice.candidates[0] == 2 && out->function->choice.candidates[1] == 4);
  assert_true(out->function->bandwidth[0] ==
              out->function->choice.candidates[out->function->choice.index]);
  assert_string_equal(out->sentence, raw->sentence);
  sfm_release_destroy(raw);
  sfm_release_destroy(refined);
  sfm_release_destroy(out);
}

/* Of every method, whether the integral of the estimate without privacy may be below one; and what
 * refining then does, and does again. */
static void mass_that_may_be_missing_is_not_put_back(void **state) {
  (void)state;
  static const bool lacks[RENOISE_KINDS] = {
      [RENOISE_LATTICE] = true, [RENOISE_NORMAL] = true,   [RENOISE_GP] = true,
      [RENOISE_FOURIER] = true, [RENOISE_BODY] = true,     [RENOISE_MARGINAL] = true,
      [RENOISE_PLANE] = true,   [RENOISE_FEATURES] = true, [RENOISE_WAVES] = true,
      [RENOISE_MIRRORS] = true};
  const sfm_refine_settings all = sfm_refine_settings_default();
  for (int kind = 0; kind < RENOISE_KINDS; kind++) {
    sfm_release *raw = renoise_make((renoise_kind)kind, 2, 50), *once = refine(raw, all),
                *twice = refine(once, all);
    assert_int_equal(sfm_release_may_lack_mass(raw), lacks[kind]);
    assert_int_equal(sfm_release_may_lack_mass(once), lacks[kind]);
    assert_int_equal(sfm_release_refinement(once).normalised, !lacks[kind]);
    assert_memory_equal(once->reals, twice->reals, once->length * sizeof *once->reals);
    double *weights = calloc(once->length, sizeof *weights);
    sfmi_grid_density_weights(&once->function->places, weights);
    const double got = mass(once->reals, weights, once->length);
    assert_true(got <= 1 + 1e-12 && (lacks[kind] || got >= 1 - 1e-12));
    /* Records that were dropped, where their number is public. */
    raw->outside = SFM_OUTSIDE_DROP;
    assert_int_equal(sfm_release_may_lack_mass(raw), true);
    free(weights);
    sfm_release_destroy(twice);
    sfm_release_destroy(once);
    sfm_release_destroy(raw);
  }
  sfm_release *raw = make(1, 2, 0.3, 0, 100, SFM_NEIGHBOURS_ADD_REMOVE);
  raw->boundary[0] = SFM_BOUNDARY_REFLECT;
  raw->outside = SFM_OUTSIDE_DROP;
  assert_false(sfm_release_may_lack_mass(raw));
  sfm_release_destroy(raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_that_may_be_missing_is_not_put_back),
      cmocka_unit_test(water_is_filled_to_the_level_that_bisection_finds),
      cmocka_unit_test(no_feasible_function_is_nearer),
      cmocka_unit_test(refined_densities_are_densities_and_stay_so),
      cmocka_unit_test(what_cannot_be_refined_is_refused),
      cmocka_unit_test(groups_are_refined_one_by_one),
      cmocka_unit_test(choices_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
