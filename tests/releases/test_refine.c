/* test_refine.c - projections against an oracle, shrinkage against its definition and against what
 * it is for: less error. */
#include "trial.h"

#include <unistd.h>

#include "releases/energy.h"
#include "releases/gridded.h"
#include "releases/projection.h"
#include "releases/shrink.h"
#include "renoise.h"
#include "sfumato/refine.h"

enum { MANY = 400 };

static double mass(const double *values, const double *weights, size_t count) {
  return sfmi_gridded_integral(values, weights, count);
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
    trial_ok(sfmi_project(got, weights, count, true, true, &error), &error);
    const double tau = bisect(values, weights, count);
    double largest = 1;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
    for (size_t i = 0; i < count; i++) {
      trial_near("projection", got[i], fmax(values[i] - tau, 0), 1e-12 * largest);
      assert_true(got[i] >= 0 && !signbit(got[i]));
    }
    trial_near("integral", mass(got, weights, count), 1, 1e-12 * largest);
  }
}

static double distance(const double *x, const double *y, const double *weights, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += weights[i] * (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

/* A feasible function: near the projection, or anywhere. */
static void random_feasible(double *out, const double *near, const double *weights, size_t count,
                            bool nonnegative, bool normalise, sfmi_prng *prng) {
  const double size = exp(3 * sfmi_prng_normal(prng));
  double sum = 0, all = 0;
  for (size_t i = 0; i < count; i++) {
    out[i] = near[i] + size * sfmi_prng_normal(prng);
    if (nonnegative) out[i] = fmax(out[i], 0);
    sum += weights[i] * out[i];
    all += weights[i];
  }
  for (size_t i = 0; i < count && normalise; i++)
    out[i] = nonnegative ? sum > 0 ? out[i] / sum : 1 / all : out[i] + (1 - sum) / all;
}

static void no_feasible_function_is_nearer(void **state) {
  (void)state;
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  for (int r = 0; r < 100; r++)
    for (int kind = 1; kind < 4; kind++) {
      const bool nonnegative = kind & 1, normalise = kind & 2;
      double values[20], weights[20], got[20], other[20];
      random_problem(values, weights, 20, &prng);
      memcpy(got, values, sizeof got);
      trial_ok(sfmi_project(got, weights, 20, nonnegative, normalise, &error), &error);
      const double least = distance(values, got, weights, 20);
      for (int t = 0; t < 100; t++) {
        random_feasible(other, got, weights, 20, nonnegative, normalise, &prng);
        assert_true(distance(values, other, weights, 20) >= least * (1 - 1e-12));
      }
    }
}

static sfm_release *make(size_t d, double h, double epsilon, double delta, size_t rows,
                         sfm_neighbours neighbours) {
  double *values = calloc(rows * d, sizeof *values);
  trial t;
  trial_init(&t, d, 0, 10, h, epsilon, delta);
  trial_neighbours(&t, neighbours, 1);
  if (delta > 0) t.settings.method = SFM_DENSITY_GP;
  t.settings.seeded = true;
  t.settings.seed = 3;
  trial_rows(values, rows, d, 0, 10, 4);
  sfm_release *release = trial_release(&t, values, rows);
  trial_clear(&t);
  free(values);
  return release;
}

static sfm_release *refine(const sfm_release *release, sfm_refine_settings settings) {
  sfm_error error;
  sfm_release *refined;
  trial_ok(sfm_release_refine(&refined, release, &settings, &error), &error);
  return refined;
}

static void refined_densities_are_densities_and_stay_so(void **state) {
  (void)state;
  for (int kind = -2; kind < RENOISE_KINDS; kind++) {
    sfm_release *raw = kind == -2   ? make(3, 4, 0.3, 0, 100, SFM_REPLACE)
                       : kind == -1 ? make(1, 2, 0.3, 0, 100, SFM_ADD_REMOVE)
                                    : renoise_make((renoise_kind)kind, 2, 50);
    for (int done = 1; done < 8; done++) {
      const sfm_refine_settings settings = {
          .shrink = done & 1, .nonnegative = done & 2, .normalise = done & 4};
      sfm_release *once = refine(raw, settings), *twice = refine(once, settings);
      double *weights = calloc(once->length, sizeof *weights);
      sfmi_gridded_weights(&once->places, weights);
      if (settings.normalise)
        trial_near("integral", mass(once->reals, weights, once->length), 1, 1e-12);
      size_t negative = 0;
      for (size_t i = 0; i < once->length; i++) negative += once->reals[i] < 0;
      assert_true(!settings.nonnegative || negative == 0);
      if (kind == RENOISE_PERIODIC) assert_true(once->reals[0] == once->reals[once->length - 1]);
      assert_int_equal(once->length, twice->length);
      assert_memory_equal(once->reals, twice->reals, once->length * sizeof *once->reals);
      /* The parts one after the other are what they are in one go, where order is kept. */
      if (settings.nonnegative && settings.normalise && !settings.shrink) {
        sfm_release *part = refine(raw, (sfm_refine_settings){.normalise = true});
        sfm_release *rest = refine(part, (sfm_refine_settings){.nonnegative = true});
        assert_true(rest->refined.normalised && rest->refined.nonnegative);
        for (size_t i = 0; i < once->length; i++)
          trial_near("in two steps", rest->reals[i], once->reals[i], 1e-11);
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

/* The wave of a release, over its total. */
static sfmi_wave *wave_of(const sfm_release *release) {
  sfm_error error;
  sfmi_wave *wave;
  double *coefficients = calloc(release->length, sizeof *coefficients);
  for (size_t i = 0; i < release->length; i++)
    coefficients[i] = sfm_release_coefficient(release, i);
  trial_ok(sfmi_wave_create(&wave, release, &error), &error);
  sfmi_wave_load(wave, coefficients, 1 / sfmi_release_total(release));
  free(coefficients);
  return wave;
}

/* One variable: the factors by the min-max formula of isotonic regression, min over the first and
 * max over the last frequency of a run of them of 1 - sum v/sum |c|^2, cut off at zero. */
static void factors_are_those_of_isotonic_regression(void **state) {
  (void)state;
  sfm_error error;
  for (int gp = 0; gp < 2; gp++) {
    sfm_release *release = make(1, 0.4, 0.3, gp ? 1e-6 : 0, 300, SFM_REPLACE);
    sfmi_wave *wave = wave_of(release), *raw = wave_of(release);
    const size_t P = wave->modes[0], m = P / 2;
    trial_ok(sfmi_wave_shrink(wave, 1 / 300.0, &error), &error);
    assert_true(wave->c[0] == raw->c[0]);
    double last = 1;
    size_t kept = 0, changed = 0;
    for (size_t j = 1; j <= m; j++) {
      double factor = INFINITY;
      for (size_t from = 1; from <= j; from++) {
        double power = 0, noise = 0, most = -INFINITY;
        for (size_t to = from; to <= m; to++) {
          power += 2 * creal(raw->c[to] * conj(raw->c[to]));
          noise += 2 * sfmi_mode_noise(raw, &to) / (300.0 * 300.0);
          if (to >= j) most = fmax(most, 1 - noise / power);
        }
        factor = fmin(factor, most);
      }
      factor = fmax(factor, 0);
      const double size = cabs(raw->c[j]);
      assert_true(cabs(wave->c[j] - factor * raw->c[j]) <= 1e-9 * size);
      assert_true(cabs(wave->c[P - j] - conj(wave->c[j])) <= 1e-9 * size);
      assert_true(factor <= last + 1e-12);
      last = factor;
      kept += factor > 0;
      changed += factor < 0.9;
    }
    assert_true(kept > 2 && changed > 2);
    sfmi_wave_destroy(wave);
    sfmi_wave_destroy(raw);
    sfm_release_destroy(release);
  }
}

/* The power of the noise in every frequency, measured. */
static void the_noise_of_frequencies_is_what_its_law_says(void **state) {
  (void)state;
  for (int kind = 0; kind < RENOISE_KINDS; kind++) {
    sfm_release *clean = renoise_make((renoise_kind)kind, 2, 50), *noisy = NULL;
    sfmi_wave *base = wave_of(clean);
    sfmi_prng prng;
    sfmi_prng_init(&prng, 20 + (uint64_t)kind);
    tally *tallies = calloc(base->length, sizeof *tallies);
    for (int r = 0; r < MANY; r++) {
      sfm_release_destroy(noisy);
      noisy = renoise(clean, 3, &prng);
      sfmi_wave *wave = wave_of(noisy);
      for (size_t i = 0; i < wave->length; i++) {
        const double complex d = wave->c[i] - base->c[i];
        tally_add(&tallies[i], creal(d * conj(d)));
      }
      sfmi_wave_destroy(wave);
    }
    const double body = kind == RENOISE_BODY ? 0.05 : 0; /* its moments are nearly those */
    size_t rejected = 0;
    base->release = noisy;
    for (size_t i = 0; i < base->length; i++) {
      const size_t P = base->modes[base->dimension - 1],
                   index[] = {base->dimension == 2 ? i / P : i, i % P};
      const double said = sfmi_mode_noise(base, index) / (50.0 * 50.0),
                   error = tally_error(&tallies[i]), got = tally_mean(&tallies[i]);
      /* Each of many: one more digit than the significance; tails of exponentials are heavier. */
      if (!(fabs(got - said) <= 7 * error + body * said + 1e-30))
        fail_msg("kind %d, mode %zu: %g is not %g +- %g", kind, i, got, said, error);
      rejected += fabs(got - 1.5 * said) > 5 * error;
    }
    assert_true(rejected >= base->length / 2); /* another power would be noticed */
    free(tallies);
    sfmi_wave_destroy(base);
    sfm_release_destroy(clean);
    sfm_release_destroy(noisy);
  }
}

/* The mean integrated squared error of raw and of refined, over new noise. */
static void errors(tally *gain, double *ratio, const sfm_release *clean, double scale,
                   sfm_refine_settings settings, int releases) {
  enum { POINTS = 201 };
  static double truth[POINTS * POINTS], values[POINTS * POINTS];
  const size_t points = clean->dimension == 1 ? POINTS : 41;
  double before = 0, after = 0;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 99);
  *gain = (tally){0};
  renoise_values(truth, clean, points);
  for (int r = 0; r < releases; r++) {
    sfm_release *noisy = renoise(clean, scale, &prng), *refined = refine(noisy, settings);
    renoise_values(values, noisy, points);
    const double raw = renoise_distance(values, truth, clean, points);
    renoise_values(values, refined, points);
    const double now = renoise_distance(values, truth, clean, points);
    before += raw;
    after += now;
    tally_add(gain, raw - now);
    sfm_release_destroy(noisy);
    sfm_release_destroy(refined);
  }
  *ratio = before / after;
}

/* Three shapes of one variable and one of two, from noise that drowns them to none. */
static sfm_release *shaped(int shape, size_t rows) {
  const size_t d = shape == 3 ? 2 : 1;
  double *values = calloc(rows * d, sizeof *values);
  trial t;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  trial_init(&t, d, 0, 10, d == 2 ? 1.5 : 0.5, 1e3, 0); /* as good as no noise */
  t.settings.seeded = true;
  for (size_t i = 0; i < rows * d; i++) {
    const double u = sfmi_prng_uniform(&prng), z = sfmi_prng_normal(&prng);
    values[i] = shape == 0   ? 5 + 1.2 * z
                : shape == 1 ? u < 0.6 ? 3 + 0.5 * z : 7.5 + 0.3 * z
                : shape == 2 ? 2 + 5 * u
                             : 4 + z;
  }
  sfm_release *release = trial_release(&t, values, rows);
  trial_clear(&t);
  free(values);
  return release;
}

static void shrinking_gains_where_noise_is_large_and_harms_nowhere(void **state) {
  (void)state;
  const sfm_refine_settings shrink = {.shrink = true}, all = sfm_refine_settings_default();
  const int releases = trial_long() ? 1000 : 30;
  for (int shape = 0; shape < 4; shape++) {
    sfm_release *clean = shaped(shape, 1000);
    for (double scale = 200; scale > 0.1; scale /= 10) {
      tally gain;
      double ratio;
      errors(&gain, &ratio, clean, scale, shrink, releases);
      /* Not by more than 3 % of what the noise itself is, at the significance of all tests. */
      double energy;
      sfm_error error;
      sfm_release *noisy = sfmi_release_outline(clean);
      noisy->scale = scale;
      trial_ok(sfmi_release_energy(&energy, noisy, &error), &error);
      sfm_release_destroy(noisy);
      assert_true(tally_mean(&gain) + TRIAL_Z * tally_error(&gain) >= -0.03 * energy);
      if (scale > 100) assert_true(tally_mean(&gain) - TRIAL_Z * tally_error(&gain) > 0);
      if (scale > 100) assert_true(ratio > 1.5);
      if (scale < 10) continue;
      errors(&gain, &ratio, clean, scale, all, releases);
      assert_true(tally_mean(&gain) > (scale > 100 ? TRIAL_Z : 1) * tally_error(&gain));
      if (!(ratio > (scale > 100 ? 3 : 1.1))) fail_msg("shape %d: gain %g", shape, ratio);
    }
    sfm_release_destroy(clean);
  }
}

static void what_cannot_be_refined_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *raw = make(1, 1, 1, 0, 50, SFM_REPLACE), *out;
  sfm_refine_settings settings = {0};
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
  raw = make(1, 1, 1, 0, 50, SFM_REPLACE);
  refined = refine(raw, settings);
  refined->reals[3] = 1e200;
  assert_int_equal(sfm_release_refine(&out, refined, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "nothing can be made of"));
  sfm_release_destroy(refined);
  sfm_release_destroy(raw);
  settings.shrink = true;
  /* Values at places: projected, not shrunk. */
  trial t;
  double rows[50];
  trial_rows(rows, 50, 1, 0, 10, 8);
  trial_init(&t, 1, 0, 10, 2, 1, 1e-6);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.kernel = SFM_KERNEL_MATERN32;
  t.settings.seeded = true;
  raw = trial_release(&t, rows, 50);
  trial_clear(&t);
  assert_false(sfm_release_shrinks(raw));
  assert_int_equal(sfm_release_refine(&out, raw, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "--nonnegative and --normalise are possible"));
  settings.shrink = false;
  settings.nonnegative = true;
  refined = refine(raw, settings);
  assert_false(sfmi_release_placed(refined));
  sfm_release_destroy(refined);
  sfm_release_destroy(raw);
  /* A noisy total that nothing can be divided by. */
  raw = make(1, 1, 1, 0, 50, SFM_ADD_REMOVE);
  for (size_t i = 0; i < raw->length; i++) raw->integers[i] = -1;
  assert_int_equal(sfm_release_refine(&out, raw, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "--total"));
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
  trial t;
  sfmi_prng_init(&prng, 1);
  for (size_t i = 0; i < N; i++) {
    rows[2 * i + 1] = i % 4 ? 1 : 2;
    rows[2 * i] = fmin(fmax(3 * rows[2 * i + 1] + sfmi_prng_normal(&prng), 0), 10);
  }
  trial_init(&t, 1, 0, 10, 1, 1, 0);
  trial_ok(sfm_schema_set_categories(t.schema, "ward", wards, 3, &error), &error);
  t.settings.by = by;
  t.settings.by_count = 1;
  t.settings.seeded = true;
  trial_ok(sfm_rows_from_array(&source, rows, N, 2, names, &error), &error);
  trial_ok(sfm_density_release(&raw, NULL, source, &t.settings, &error), &error);
  sfm_rows_destroy(source);
  trial_clear(&t);
  const sfm_refine_settings settings = sfm_refine_settings_default();
  sfm_release *refined = refine(raw, settings), *again = refine(refined, settings);
  const size_t each = refined->places.count;
  assert_int_equal(refined->length, GROUPS * each);
  assert_memory_equal(refined->reals, again->reals, refined->length * sizeof *again->reals);
  double *weights = calloc(each, sizeof *weights);
  sfmi_gridded_weights(&refined->places, weights);
  for (size_t g = 0; g < GROUPS; g++) {
    double size, deviation, kept, same;
    const double *values = refined->reals + g * each;
    trial_near("integral", mass(values, weights, each), g < 2 ? 1 : 0, 1e-12);
    trial_ok(sfm_release_group(&one, raw, g, &error), &error);
    sfm_release_group_size(raw, &size, &deviation, g);
    sfm_release_group_size(refined, &kept, &same, g);
    assert_true(kept == fmax(size, 0) && same == deviation);
    if (g < 2) {
      sfm_release *alone = refine(one, settings);
      assert_memory_equal(alone->reals, values, each * sizeof *values);
      assert_true(alone->sizes[0] == kept);
      sfm_release_destroy(alone);
    }
    trial_ok(sfm_release_group(&part, refined, g, &error), &error);
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
  /* The file keeps the sizes. */
  char path[] = "/tmp/sfumato_refine.XXXXXX";
  close(mkstemp(path));
  trial_ok(sfm_release_write(refined, path, &error), &error);
  trial_ok(sfm_release_read(&again, path, &error), &error);
  unlink(path);
  assert_memory_equal(again->sizes, refined->sizes, GROUPS * sizeof *again->sizes);
  assert_true(again->size_error == refined->size_error && again->size_error > 0);
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
  trial t;
  trial_rows(rows, 100, 2, 0, 10, 4);
  trial_init(&t, 2, 0, 10, 2, 1, 0);
  t.settings.candidates = candidates;
  t.settings.candidate_count = 2;
  t.settings.choice_share = 0.2;
  t.settings.seeded = true;
  sfm_release *raw = trial_release(&t, rows, 100), *out;
  trial_clear(&t);
  sfm_release *refined = refine(raw, sfm_refine_settings_default());
  assert_int_equal(refined->choice.count, 2);
  assert_memory_equal(refined->choice.candidates, candidates, sizeof candidates);
  const char *const columns[] = {"b"};
  trial_ok(sfm_release_marginal(&out, raw, columns, 1, &error), &error);
  assert_true(out->choice.candidates[0] == 2 && out->choice.candidates[1] == 4);
  assert_true(out->bandwidth[0] == out->choice.candidates[out->choice.index]);
  assert_string_equal(out->sentence, raw->sentence);
  sfm_release_destroy(raw);
  sfm_release_destroy(refined);
  sfm_release_destroy(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(water_is_filled_to_the_level_that_bisection_finds),
      cmocka_unit_test(no_feasible_function_is_nearer),
      cmocka_unit_test(refined_densities_are_densities_and_stay_so),
      cmocka_unit_test(factors_are_those_of_isotonic_regression),
      cmocka_unit_test(the_noise_of_frequencies_is_what_its_law_says),
      cmocka_unit_test(shrinking_gains_where_noise_is_large_and_harms_nowhere),
      cmocka_unit_test(what_cannot_be_refined_is_refused),
      cmocka_unit_test(groups_are_refined_one_by_one),
      cmocka_unit_test(choices_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
