/* test_random_feature_band.c - bands of random features hold as often as they say, over the noise
 * and the frequencies; widths at points are those of their errors; and what the proof of both rests
 * on. */
/* suite: release */
#include "coverage.h"

#include "features/bases/random_basis.h"
#include "features/kernels/kernel.h"
#include "releases/core/release_data.h"
#include "releases/band/band.h"

/* Rows at few places: where a kernel mean is most at the mercy of its features. */
enum { D = 4, ROWS = 300, POINTS = 20, FEATURES = 2000 };

typedef struct fixture {
  density_fixture t;
  double rows[ROWS * D], points[POINTS * D], exact[POINTS];
  double mass;
} fixture;

static void fixture_init(fixture *s, sfm_kernel_family kernel, sfm_neighbours neighbours,
                         double epsilon, size_t features) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 30);
  density_fixture_init(&s->t, D, 0, 4, 1, epsilon, 1e-6);
  density_fixture_neighbours(&s->t, neighbours, 1);
  s->t.settings.method = SFM_DENSITY_GP;
  s->t.settings.engine = SFM_ENGINE_RANDOM;
  s->t.settings.kernel = kernel;
  s->t.settings.features = features;
  s->t.settings.context.seeded = true;
  for (size_t i = 0; i < ROWS * D; i++)
    s->rows[i] = i / D % 3 == 0 ? 4 * sfmi_prng_uniform(&prng) : i / D % 3 == 1 ? 1 : 2.5;
  for (size_t i = 0; i < POINTS * D; i++) s->points[i] = i < D ? 1 : 4 * sfmi_prng_uniform(&prng);
  const sfm_kernel exact = {.family = kernel, .dimension = D, .bandwidth = s->t.bandwidth};
  s->mass = sfmi_kernel_mass(&exact);
  for (size_t p = 0; p < POINTS; p++) {
    s->exact[p] = 0;
    for (size_t r = 0; r < ROWS; r++)
      s->exact[p] += sfm_kernel_at(&exact, s->points + p * D, s->rows + r * D) / s->mass / ROWS;
  }
}

/* A release of its own noise and frequencies, its values and widths. */
static sfm_release *observe(fixture *s, uint64_t seed, double *values, double *widths) {
  sfm_error error;
  sfm_evaluator *evaluator;
  s->t.settings.context.seed = seed;
  sfm_release *release = density_fixture_release(&s->t, s->rows, ROWS);
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, values, s->points, POINTS, &error), &error);
  assert_ok(sfm_evaluator_widths(evaluator, widths, s->points, POINTS, &error), &error);
  sfm_evaluator_destroy(evaluator);
  return release;
}

/* The band everywhere and at one place: always, since it is for the worst rows there are; where the
 * noise is nearly all of it, not too wide. */
static void bands_hold(void **state) {
  (void)state;
  enum { DRAWS = 50 };
  static const double part[] = {25, 25, 4, 40};
  for (int way = 0; way < 4; way++) {
    static fixture s;
    const bool noisy = way / 2;
    if (test_left_out((size_t)way, 3)) continue; /* both of both */
    fixture_init(&s, noisy ? SFM_KERNEL_GAUSSIAN : SFM_KERNEL_MATERN12,
                 way % 2 ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE, noisy ? 0.3 : 30,
                 noisy ? FEATURES : 500);
    size_t everywhere = 0, one = 0, half = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
      double values[POINTS], widths[POINTS], worst = 0;
      sfm_release *release = observe(&s, i, values, widths);
      for (size_t p = 0; p < POINTS; p++) worst = fmax(worst, fabs(values[p] - s.exact[p]));
      everywhere += worst <= release->band.half_width;
      one += fabs(values[0] - s.exact[0]) <= release->band.pointwise;
      half += fabs(values[0] - s.exact[0]) <= release->band.pointwise / part[way];
      sfm_release_destroy(release);
    }
    print_message("way %d: everywhere %.3f, at one place %.3f, in part of that %.3f\n", way,
                  (double)everywhere / DRAWS, (double)one / DRAWS, (double)half / DRAWS);
    assert_false(binomial_too_few(everywhere, DRAWS, 0.95));
    assert_false(binomial_too_few(one, DRAWS, 0.95));
    assert_true(binomial_too_few(half, DRAWS, 0.95));
    density_fixture_clear(&s.t);
  }
}

/* Widths at points: errors in units of them are normal, so that they hold as often as they say, at
 * each point and at all together, whether noise or approximation prevails. */
static void widths_hold(void **state) {
  (void)state;
  enum { DRAWS = 60 };
  for (int way = 0; way < 6; way++) {
    static fixture s;
    const bool noisy = way % 2, add = way / 2 == 1;
    if (test_left_out((size_t)(way + way / 2), 2)) continue; /* both, by turns */
    fixture_init(&s, way / 2 == 2 ? SFM_KERNEL_LAPLACIAN : SFM_KERNEL_GAUSSIAN,
                 add ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE, noisy ? 1 : 30,
                 FEATURES);
    s.t.settings.context.confidence = 0.9;
    const double quantile = 2.80703; /* of 0.1/20, two-sided */
    size_t together = 0, alone = 0, narrow = 0;
    double square = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
      double values[POINTS], widths[POINTS], worst = 0;
      sfm_release *release = observe(&s, i, values, widths);
      for (size_t p = 0; p < POINTS; p++) {
        const double z = fabs(values[p] - s.exact[p]) / widths[p] * quantile;
        worst = fmax(worst, z);
        square += z * z / POINTS / DRAWS;
        alone += p == 0 && z <= 1.64485;
        assert_true(widths[p] < release->band.half_width);
      }
      together += worst <= quantile;
      narrow += worst <= 0.7 * quantile;
      sfm_release_destroy(release);
    }
    print_message("way %d: all %.3f, one %.3f of 0.9; narrower %.3f; squared error %.2f\n", way,
                  (double)together / DRAWS, (double)alone / DRAWS, (double)narrow / DRAWS, square);
    assert_false(binomial_too_few(together, DRAWS, 0.9));
    assert_false(binomial_too_few(alone, DRAWS, 0.9));
    assert_true(binomial_too_few(narrow, DRAWS, 0.9));
    assert_true(square > 0.7 && square < 1.2);
    density_fixture_clear(&s.t);
  }
}

/* The norm of the function in its kernel's space, from the length of the release: never below the
 * truth more often than stated, and near it. */
static void norms_are_bounded_from_the_release(void **state) {
  (void)state;
  enum { DRAWS = 60 };
  for (int noisy = 0; noisy < 2; noisy++) {
    static fixture s;
    size_t held = 0;
    double mean = 0, sum = 0;
    fixture_init(&s, SFM_KERNEL_GAUSSIAN, SFM_NEIGHBOURS_REPLACE, noisy ? 5 : 100, FEATURES);
    const sfm_kernel kernel = {.dimension = D, .bandwidth = s.t.bandwidth};
    for (size_t i = 0; i < ROWS * ROWS; i++)
      mean += sfm_kernel_at(&kernel, s.rows + i / ROWS * D, s.rows + i % ROWS * D) / ROWS / ROWS;
    for (uint64_t i = 0; i < DRAWS; i++) {
      s.t.settings.context.seed = 1000 + i;
      sfm_release *release = density_fixture_release(&s.t, s.rows, ROWS);
      const double bound = sfmi_random_norm(release, ROWS, 0.5);
      held += bound >= sqrt(mean);
      sum += bound / sqrt(mean) / DRAWS;
      sfm_release_destroy(release);
    }
    print_message("norm %.3f: bounded at risk 0.5 by %.3f of it, in %.2f of releases\n", sqrt(mean),
                  sum, (double)held / DRAWS);
    assert_false(binomial_too_few(held, DRAWS, 0.5));
    assert_true(sum < 1.35);
    density_fixture_clear(&s.t);
  }
}

/* Wider the higher the confidence, at the stated one the stated; none where there is no total; no
 * value and no width outside; the whole band where the frequencies are few. */
static void bands_are_what_they_are_said_to_be(void **state) {
  (void)state;
  static fixture s;
  sfm_error error;
  sfm_band last = {0}, band;
  double values[POINTS], widths[POINTS];
  fixture_init(&s, SFM_KERNEL_CAUCHY, SFM_NEIGHBOURS_REPLACE, 1, 200);
  sfm_release *release = observe(&s, 1, values, widths);
  for (size_t p = 0; p < POINTS; p++) assert_true(widths[p] == release->band.half_width);
  for (double c = 0.1; c < 1; c += 0.1) {
    assert_ok(sfm_release_band_at(release, &band, c, &error), &error);
    assert_true(band.half_width > last.half_width && band.pointwise > last.pointwise);
    assert_true(band.pointwise <= band.half_width && band.systematic < band.half_width);
    last = band;
  }
  assert_ok(sfm_release_band_at(release, &band, release->band.confidence, &error), &error);
  assert_memory_equal(&band, &release->band, sizeof band);
  sfm_evaluator *evaluator;
  s.points[0] = 4.5;
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, values, s.points, POINTS, &error), &error);
  assert_ok(sfm_evaluator_widths(evaluator, widths, s.points, POINTS, &error), &error);
  assert_true(isnan(values[0]) && isnan(widths[0]) && !isnan(values[1]) && !isnan(widths[1]));
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
  density_fixture_clear(&s.t);
  fixture_init(&s, SFM_KERNEL_GAUSSIAN, SFM_NEIGHBOURS_ADD_REMOVE, 0.001, 200);
  release = density_fixture_release(&s.t, s.rows, 1);
  assert_true(isinf(release->band.half_width) && isinf(release->band.pointwise));
  sfm_release_destroy(release);
  density_fixture_clear(&s.t);
}

/* The variance of cos<omega, z>, by its formula, is within what the band takes it for. */
static void terms_have_at_most_half_the_variance(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 31);
  for (sfm_kernel_family family = 0; family <= SFM_KERNEL_CAUCHY; family++) {
    double most = 0;
    for (size_t d = 1; d <= 3; d++)
      for (int i = 0; i < 10000; i++) {
        double z[3], twice[3], zero[3] = {0}, ones[3] = {1, 1, 1};
        for (size_t a = 0; a < d; a++) {
          z[a] = exp(4 * sfmi_prng_uniform(&prng) - 1) * (i % 3 || a == 0);
          twice[a] = 2 * z[a];
        }
        const sfm_kernel kernel = {.family = family, .dimension = d, .bandwidth = ones};
        const double k = sfm_kernel_at(&kernel, z, zero);
        most = fmax(most, (1 + sfm_kernel_at(&kernel, twice, zero)) / 2 - k * k);
      }
    assert_true(most <= (family == SFM_KERNEL_CAUCHY ? 0.505 : 0.5));
    assert_true(most > 0.49);
    if (family == SFM_KERNEL_CAUCHY) assert_true(most > 0.504);
  }
}

/* Sums over a block of orthogonal frequencies vary at most 1 + 3/(d + 1) times as much as those of
 * independent ones, and functions of the fourth degree as much as that: rows at equal distances
 * along the axes, and their mean cosine. */
static void blocks_vary_as_much_as_proved(void **state) {
  (void)state;
  enum { BLOCKS = 5000 };
  for (size_t d = 2; d <= 5; d++) {
    sfm_error error;
    sfmi_basis *basis, stated = {.family = SFMI_RANDOM,
                                 .dimension = d,
                                 .count = 2 * d * BLOCKS,
                                 .kernel = SFM_KERNEL_GAUSSIAN,
                                 .seed = 32};
    for (size_t a = 0; a < d; a++) {
      stated.lower[a] = 0;
      stated.upper[a] = stated.bandwidth[a] = 1;
    }
    assert_ok(sfmi_basis_create(&basis, &stated, &error), &error);
    double largest = 0, quartic = 0;
    for (int far = 0; far <= 12; far++) {
      double sum = 0, squares = 0, blocks = 0;
      for (size_t b = 0; b < BLOCKS; b++) {
        double part = 0;
        for (size_t i = b * d; i < (b + 1) * d; i++) {
          double term = 0, square = 0;
          for (size_t a = 0; a < d; a++) {
            const double w = 2 * M_PI * sfmi_random_basis_turn(basis, i, a);
            term += far < 12 ? cos(0.5 * (far + 1) * w) : w * w * w * w;
            square += w * w;
          }
          if (far == 12) term /= square * square; /* of degrees 0 and 4 */
          part += term;
          sum += term;
          squares += term * term;
        }
        blocks += part * part;
      }
      const double n = (double)(d * BLOCKS), mean = sum / n;
      const double one = squares / n - mean * mean,
                   block = blocks / BLOCKS - pow((double)d * mean, 2);
      const double ratio = block / (one * (double)d);
      if (far < 12) largest = fmax(largest, ratio);
      if (far == 12) quartic = ratio;
    }
    const double bound = 1 + 3 / ((double)d + 1), slack = TEST_Z * sqrt(6.0 / BLOCKS);
    print_message("%zu dimensions: %.3f at most for cosines, %.3f for the quartic, of %.3f\n", d,
                  largest, quartic, bound);
    assert_true(largest <= bound * (1 + slack));
    assert_relative("quartic", quartic, bound, slack);
    sfmi_basis_destroy(basis);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bands_hold),
      cmocka_unit_test(widths_hold),
      cmocka_unit_test(norms_are_bounded_from_the_release),
      cmocka_unit_test(bands_are_what_they_are_said_to_be),
      cmocka_unit_test(terms_have_at_most_half_the_variance),
      cmocka_unit_test(blocks_vary_as_much_as_proved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
