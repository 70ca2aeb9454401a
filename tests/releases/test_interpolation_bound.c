/* test_interpolation_bound.c - claims: between the places of a release that is values, the band
 * holds for rows wherever they are, also when there is no noise that could hide what interpolation
 * misses: in the same cell, some cells away, at the ends of the domain, beyond the outermost
 * places, for few places and for so many that only the nearest are used; and it is not much wider
 * than what is missed. */
/* suite: release */
#include "density_fixture.h"

#include "releases/core/release_data.h"
#include "releases/eval/perturbation.h"

typedef struct setup {
  sfm_kernel_family kernel;
  size_t dimension;
  double h;
  size_t grid; /* an axis; 0: the list below */
  size_t listed;
  double list[6];
  double gamma; /* above 0: sobolev */
} setup;

static const setup SETUPS[] = {
    {SFM_KERNEL_GAUSSIAN, 1, 0.01, 129, 0, {0}, 0},
    {SFM_KERNEL_GAUSSIAN, 1, 0.3, 1100, 0, {0}, 0},
    {SFM_KERNEL_GAUSSIAN, 1, 0.5, 0, 3, {0.2, 0.6001, 0.8}, 0},
    {SFM_KERNEL_GAUSSIAN, 1, 0.5, 0, 6, {0.4, 0.44, 0.48, 0.52, 0.56, 0.6}, 0},
    {SFM_KERNEL_GAUSSIAN, 2, 0.06, 16, 0, {0}, 0},
    {SFM_KERNEL_GAUSSIAN, 3, 0.2, 5, 0, {0}, 0},
    {SFM_KERNEL_LAPLACIAN, 1, 0.5, 0, 3, {0.2, 0.6001, 0.8}, 0},
    {SFM_KERNEL_LAPLACIAN, 1, 0.1, 65, 0, {0}, 0},
    {SFM_KERNEL_LAPLACIAN, 2, 0.1, 9, 0, {0}, 0},
    {SFM_KERNEL_MATERN12, 2, 0.1, 9, 0, {0}, 0},
    {SFM_KERNEL_MATERN32, 1, 0.5, 0, 3, {0.2, 0.6001, 0.8}, 0},
    {SFM_KERNEL_MATERN32, 1, 0.003, 129, 0, {0}, 0},
    {SFM_KERNEL_MATERN52, 1, 0.1, 0, 5, {0.1, 0.13, 0.3, 0.55, 0.9}, 0},
    {SFM_KERNEL_MATERN52, 2, 0.07, 14, 0, {0}, 0},
    {SFM_KERNEL_MATERN52, 3, 0.2, 5, 0, {0}, 0},
    {SFM_KERNEL_CAUCHY, 1, 0.003, 3, 0, {0}, 0},
    {SFM_KERNEL_CAUCHY, 1, 0.1, 1100, 0, {0}, 0},
    {SFM_KERNEL_CAUCHY, 2, 0.1, 12, 0, {0}, 0},
    {SFM_KERNEL_GAUSSIAN, 1, 0.1, 65, 0, {0}, 8.75},
    {SFM_KERNEL_GAUSSIAN, 1, 0.1, 2000, 0, {0}, 8.75},
    {SFM_KERNEL_GAUSSIAN, 1, 0.1, 9, 0, {0}, 8.75},
    {SFM_KERNEL_GAUSSIAN, 1, 0.1, 9, 0, {0}, 0.01},
    {SFM_KERNEL_GAUSSIAN, 1, 0.003, 8, 0, {0}, 1}, /* the neighbours' rows, far away, have weight */
    {SFM_KERNEL_GAUSSIAN, 1, 0.003, 8, 0, {0}, 3000},
    {SFM_KERNEL_GAUSSIAN, 1, 0.05, 0, 5, {0.1, 0.13, 0.3, 0.55, 0.9}, 2},
    {SFM_KERNEL_GAUSSIAN, 1, 0.5, 0, 3, {0.2, 0.6001, 0.8}, 1.5},
    {SFM_KERNEL_GAUSSIAN, 2, 0.1, 16, 0, {0}, 8},
    {SFM_KERNEL_GAUSSIAN, 2, 0.1, 40, 0, {0}, 8},
    {SFM_KERNEL_GAUSSIAN, 2, 0.06, 6, 0, {0}, 0.5},
    {SFM_KERNEL_GAUSSIAN, 3, 0.2, 5, 0, {0}, 4},
};
enum { SETUP_COUNT = sizeof SETUPS / sizeof *SETUPS };

static sfm_release *make(const setup *s) {
  static const double middle[] = {0.5, 0.5, 0.5};
  density_fixture t;
  density_fixture_init(&t, s->dimension, 0, 1, s->h, 1, 1e-6);
  const double gamma[] = {s->gamma, s->gamma, s->gamma};
  t.settings.method = s->gamma > 0 ? SFM_DENSITY_SOBOLEV : SFM_DENSITY_GP;
  if (s->gamma > 0) t.settings.gamma = gamma;
  t.settings.kernel = s->kernel;
  t.settings.engine = s->gamma > 0 || s->kernel != SFM_KERNEL_GAUSSIAN ? SFM_ENGINE_AUTO
                      : s->grid > 1000                                 ? SFM_ENGINE_CIRCULANT
                                                                       : SFM_ENGINE_GRAM;
  for (size_t a = 0; a < s->dimension; a++) t.settings.release_grid[a] = s->grid;
  if (!s->grid) t.settings.release_points = s->list;
  t.settings.release_count = s->listed;
  t.settings.context.seeded = true;
  sfm_release *release = density_fixture_release(&t, middle, 1);
  density_fixture_clear(&t);
  return release;
}

/* Makes it that of one row at y, without noise. */
static void silence(sfm_release *release, const double *y) {
  const sfm_kernel kernel = sfmi_release_kernel(release);
  double x[3];
  for (size_t i = 0; i < release->length; i++) {
    assert_true(sfm_release_place(release, x, i));
    release->reals[i] = sfm_kernel_at(&kernel, x, y);
  }
  release->rows = 1;
  release->band.half_width = release->band.systematic;
}

/* Around y: it, points near it, some cells and bandwidths away, ends. */
static void choose(double *x, const double *y, const setup *s, size_t i, sfmi_prng *prng) {
  for (size_t a = 0; a < s->dimension; a++) {
    const double cell = s->grid ? 1 / ((double)s->grid - 1) : 0.2;
    const double u = 2 * sfmi_prng_uniform(prng) - 1;
    const double far = i % 6 == 0   ? 0
                       : i % 6 == 1 ? cell
                       : i % 6 == 2 ? 12 * cell
                       : i % 6 == 3 ? 4 * s->h
                       : i % 6 == 4 ? 1
                                    : (sfmi_prng_uniform(prng) < 0.5 ? 0 : 8 * cell);
    x[a] = fmin(fmax(y[a] + far * u, 0), 1);
  }
}

/* Beside a place, where little is missed of rows at x, and other places have some weight. */
static void beside(double *x, const sfm_release *release, const setup *s, size_t place,
                   sfmi_prng *prng) {
  assert_true(sfm_release_place(release, x, place % release->length));
  const double near = s->h * pow(1000, -sfmi_prng_uniform(prng));
  for (size_t a = 0; a < s->dimension; a++)
    x[a] = fmin(fmax(x[a] + near * (sfmi_prng_uniform(prng) - 0.5), 0), 1);
}

/* The largest part of the band by which a value is off. */
static double search(const setup *s, size_t rows, size_t points, sfmi_prng *prng) {
  const size_t d = s->dimension;
  sfm_release *release = make(s);
  const sfm_kernel kernel = sfmi_release_kernel(release);
  const double mass = sfmi_release_mass(release);
  sfmi_perturbation moved;
  sfm_error error;
  double worst = 0;
  assert_ok(sfmi_release_perturbation(&moved, release, &error), &error);
  /* What spreading may move would hide what interpolation misses. */
  const double spared = isfinite(moved.share) ? 0 : moved.absolute;
  for (size_t r = 0; r < rows; r++) {
    double y[3], x[3], value, width;
    for (size_t a = 0; a < d; a++) {
      const double u = sfmi_prng_uniform(prng);
      y[a] = r == 0 ? 0 : r == 1 ? 1 : u < 0.15 ? 0 : u > 0.85 ? 1 : sfmi_prng_uniform(prng);
    }
    const size_t row = s->gamma > 0 ? sfmi_prng_word(prng) % release->length : 0;
    if (s->gamma > 0 && r % 4 == 3) assert_true(sfm_release_place(release, y, row));
    silence(release, y);
    sfm_evaluator *evaluator;
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    for (size_t i = 0; i < points; i++) {
      choose(x, y, s, i, prng);
      if (s->gamma > 0 && i % 6 == 4) beside(x, release, s, row + 1, prng);
      if (!sfm_evaluator_interpolated(evaluator, x, 1)) continue;
      assert_ok(sfm_evaluator_at(evaluator, &value, x, 1, &error), &error);
      assert_ok(sfm_evaluator_widths(evaluator, &width, x, 1, &error), &error);
      const double off = fabs(value - sfm_kernel_at(&kernel, x, y) / mass);
      assert_true(width - spared > 0);
      worst = fmax(worst, off / (width - spared));
    }
    sfm_evaluator_destroy(evaluator);
  }
  sfm_release_destroy(release);
  return worst;
}

static void no_row_is_missed(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 91);
  const size_t more = test_long() ? 20 : 1;
  for (size_t i = 0; i < SETUP_COUNT; i++) {
    const setup *s = &SETUPS[i];
    const double worst = search(s, (s->dimension == 1 ? 8 : 4) * more, 18, &prng);
    print_message("%-10s %zu-D, bandwidth %g, gamma %g, %zu: %.3f of the band\n",
                  sfm_kernel_family_name(s->kernel), s->dimension, s->h, s->gamma,
                  s->grid ? s->grid : s->listed, worst);
    assert_true(worst <= 1 + 1e-9);
    assert_true(worst > 0.1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_row_is_missed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
