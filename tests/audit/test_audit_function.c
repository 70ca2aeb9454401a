/* test_audit_function.c - functions of a caller's own at places, and twins of every engine's noise
 * that are wrong on purpose. */
/* suite: release */
#include "audit/support/gp_audit.h"
#include "audit/support/hardened_audit.h"
#include "features/kernels/kernel.h"

/* Some places twice, some a hair apart, in no order. */
static const double TWINNED[] = {8, 0, 1e-9, 4, 8 - 1e-6, -0.0, 0x1p-44, 4 + 1e-12, 2, 8};

/* --- Functions of the caller's own, whose rounding is declared. --- */

/* Rounding as bad as declared, and other where the same place stands again: as a matrix product
 * may be, whose last rows are summed otherwise. */
#define ROUNDING 0x1p-12

static sfm_status ragged(void *context, double *values, const double *points, size_t count,
                         sfm_error *error) {
  const int input = *(const int *)context;
  (void)error;
  for (size_t i = 0; i < count; i++)
    values[i] = exp(-fabs(points[i] - 8 * input)) + (i % 2 == (size_t)input ? 1 : -1) * ROUNDING;
  return SFM_OK;
}

static sfm_function_settings function(void) {
  static const double one = 1, lower = 0, upper = 8;
  static const sfm_kernel kernel = {
      .family = SFM_KERNEL_LAPLACIAN, .dimension = 1, .bandwidth = &one};
  sfm_function_settings settings = sfm_function_settings_default();
  settings.kernel = &kernel;
  settings.sensitivity = M_SQRT2;
  settings.rounding = ROUNDING * (1 + 1e-9);
  settings.values = ragged;
  settings.columns = density_fixture_columns;
  settings.lower = &lower;
  settings.upper = &upper;
  settings.points = TWINNED;
  settings.count = 10;
  settings.epsilon = 2;
  settings.delta = 0.1;
  return settings;
}

static void functions_keep_epsilon_and_delta(void **state) {
  (void)state;
  static const sfm_engine engines[] = {SFM_ENGINE_MARKOV, SFM_ENGINE_GRAM};
  static const char *const names[] = {"markov, a function with rounding",
                                      "gram, a function with rounding"};
  for (int i = 0; i < 2; i++) {
    sfm_function_settings settings = function();
    gp_audit e;
    settings.engine = engines[i];
    gp_audit_init_function(&e, &settings);
    /* Rounding and norm are added as if they pointed the same way. */
    gp_audit_honest(names[i], &e, settings.epsilon, settings.delta, 0.4, audit_share(0.1, 0.15));
  }
}

/* --- Twins.  Each is wrong in one step, and must be caught. --- */

/* Three people, of whom the first moves or all do. */
static const double HOME[] = {0, 4, 4}, MOVED[] = {8, 4, 4}, ALL_HOME[] = {0, 0, 0},
                    ALL_MOVED[] = {8, 8, 8};

static void wrong_density(gp_audit *e, sfm_engine engine, sfm_kernel_family kernel,
                          const double *points, size_t count) {
  density_fixture t = gp_audit_line(engine, kernel, 1);
  if (points) gp_audit_at(&t, points, count);
  gp_audit_init_density(e, &t, (const double *[]){HOME, MOVED}, 3);
  density_fixture_clear(&t);
}

static void caught(const char *name, gp_audit *e) {
  gp_audit_twin(name, e, 2, 0.1);
}

static void twins_with_less_noise_are_caught(void **state) {
  (void)state;
  gp_audit e;
  wrong_density(&e, SFM_ENGINE_CIRCULANT, SFM_KERNEL_LAPLACIAN, NULL, 0);
  e.scale *= 0.8; /* WRONG */
  caught("TWIN circulant, scale x 0.8", &e);
  wrong_density(&e, SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN52, TWINNED, 10);
  e.scale /= M_SQRT2; /* WRONG */
  caught("TWIN markov, sqrt 2 missing", &e);
}

/* Three rows of one person: sigma is some three records, so that it is not its own square root. */
static void crowd(gp_audit *e, sfm_engine engine, sfm_kernel_family kernel) {
  density_fixture t = gp_audit_line(engine, kernel, 1);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 3);
  gp_audit_init_density(e, &t, (const double *[]){ALL_HOME, ALL_MOVED}, 3);
  density_fixture_clear(&t);
}

static void twins_with_a_wrong_variance_are_caught(void **state) {
  (void)state;
  gp_audit e;
  crowd(&e, SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY);
  e.scale /= 3; /* WRONG */
  caught("TWIN gram, three contributions charged as one", &e);
  crowd(&e, SFM_ENGINE_MARKOV, SFM_KERNEL_LAPLACIAN);
  e.scale = sqrt(e.scale); /* WRONG: as printed in the thesis, proposition 3.2.2 */
  caught("TWIN markov, covariance sigma K", &e);
  crowd(&e, SFM_ENGINE_CIRCULANT, SFM_KERNEL_LAPLACIAN);
  e.scale = 1; /* WRONG: as printed in the thesis, section 3.2.5 */
  caught("TWIN circulant, covariance K", &e);
}

/* A row amid the places moves to the end. */
static void around(gp_audit *e, sfm_engine engine, sfm_kernel_family kernel) {
  static const double close[] = {3.6, 3.7, 3.8, 3.9, 4, 4.1, 4.2, 4.3, 4.4, 8};
  static const double from[] = {4, 0, 0}, to[] = {8, 0, 0};
  density_fixture t = gp_audit_line(engine, kernel, 1);
  gp_audit_at(&t, close, 10);
  gp_audit_init_density(e, &t, (const double *[]){from, to}, 3);
  density_fixture_clear(&t);
}

/* Noise of another kernel than the function's: its space does not hold the function, or holds it
 * with a larger norm. */
static void twins_with_noise_of_another_kernel_are_caught(void **state) {
  (void)state;
  gp_audit e;
  around(&e, SFM_ENGINE_GRAM, SFM_KERNEL_LAPLACIAN);
  e.kernel.family = SFM_KERNEL_GAUSSIAN; /* WRONG */
  caught("TWIN gram, gaussian noise for laplacian rows", &e);
  around(&e, SFM_ENGINE_MARKOV, SFM_KERNEL_LAPLACIAN);
  e.kernel.family = SFM_KERNEL_MATERN32; /* WRONG */
  caught("TWIN markov, noise one derivative too smooth", &e);
  density_fixture t = gp_audit_line(SFM_ENGINE_CIRCULANT, SFM_KERNEL_GAUSSIAN, 1);
  t.settings.release_grid[0] = 33;
  gp_audit_init_density(&e, &t, (const double *[]){(double[]){2.5}, (double[]){5.5}}, 1);
  density_fixture_clear(&t);
  e.kernel.family = SFM_KERNEL_LAPLACIAN; /* WRONG: there its norm is 1.15, not 1 */
  caught("TWIN circulant, laplacian noise for gaussian rows", &e);
  around(&e, SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN52);
  e.bandwidth[0] = 2; /* WRONG */
  caught("TWIN markov, noise of twice the bandwidth", &e);
}

/* The factor of K without a nugget, column by column, where a pivot that rounding has made zero or
 * less counts as no variance: what lies there is a combination of values before it. */
static void clip_pivots(gp_audit *e) {
  const size_t m = e->places.count;
  double *lower = calloc(m * m, sizeof *lower), x, y;
  assert_non_null(lower);
  for (size_t j = 0; j < m; j++)
    for (size_t i = j; i < m; i++) {
      sfmi_places_at(&e->places, i, &x);
      sfmi_places_at(&e->places, j, &y);
      double rest = sfm_kernel_at(&e->kernel, &x, &y);
      for (size_t k = 0; k < j; k++) rest -= lower[i * m + k] * lower[j * m + k];
      if (i == j)
        lower[i * m + i] = rest > 0 ? sqrt(rest) : 0; /* WRONG: clipped */
      else
        lower[i * m + j] = lower[j * m + j] > 0 ? rest / lower[j * m + j] : 0;
    }
  e->factor = lower;
  e->normals = m;
}

/* A pair so near that its correlation is 1 in doubles, on the slope of a row's function: the noise
 * of both is one number, and the values differ. */
static void a_twin_with_variance_clipped_at_zero_is_caught(void **state) {
  (void)state;
  static const double pair[] = {0.5, 0.5 + 1e-9, 8};
  gp_audit e;
  wrong_density(&e, SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, pair, 3);
  clip_pivots(&e);
  caught("TWIN gram, variance clipped at zero", &e);
  wrong_density(&e, SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, pair, 3);
  gp_audit_honest("gram cauchy, the same pair", &e, 2, 0.1, 0.8, audit_share(0.6, 0.72));
}

/* The circulant of `size` places, its eigenvalues below a part of the largest taken for zero. */
static void cut_torus(gp_audit *e, size_t size, double part) {
  const size_t m = e->places.count;
  const double spacing = e->places.upper[0] / (double)(m - 1), zero = 0, n = (double)size;
  double *map = calloc(m * size, sizeof *map), largest = 0;
  assert_non_null(map);
  for (size_t k = 0; k < size; k++) {
    double lambda = 0;
    for (size_t j = 0; j < size; j++) {
      const double x = spacing * (double)(j < size - j ? j : size - j);
      lambda += sfm_kernel_at(&e->kernel, &x, &zero) * cos(2 * M_PI * (double)(j * k) / n);
    }
    if (k == 0) largest = lambda;
    if (lambda < part * largest) lambda = 0; /* WRONG unless part is 0 */
    for (size_t i = 0; i < m; i++) {
      const double angle = 2 * M_PI * (double)(i * k) / n;
      map[i * size + k] = sqrt(lambda / n) * (cos(angle) + sin(angle));
    }
  }
  e->factor = map;
  e->normals = size;
}

static void twins_of_circulant_with_less_covariance_are_caught(void **state) {
  (void)state;
  density_fixture t = gp_audit_line(SFM_ENGINE_CIRCULANT, SFM_KERNEL_GAUSSIAN, 1);
  gp_audit e;
  t.settings.release_grid[0] = 17;
  gp_audit_init_density(&e, &t, (const double *[]){HOME, MOVED}, 3);
  density_fixture_clear(&t);
  cut_torus(&e, 32, 0.02);
  caught("TWIN circulant, small eigenvalues cut", &e);
  wrong_density(&e, SFM_ENGINE_CIRCULANT, SFM_KERNEL_LAPLACIAN, NULL, 0);
  cut_torus(&e, 9, 0); /* WRONG: the ends are neighbours on it */
  caught("TWIN circulant, a torus that is too small", &e);
}

static void twins_that_forget_rounding_are_caught(void **state) {
  (void)state;
  sfm_error error;
  gp_audit e;
  sfm_function_settings settings = function();
  gp_audit_init_function(&e, &settings);
  e.nugget = 0; /* WRONG */
  caught("TWIN markov, rounding without a nugget", &e);

  settings.rounding = 0; /* WRONG: it is not */
  gp_audit_init_function(&e, &settings);
  caught("TWIN markov, rounding that is not declared", &e);

  settings = function();
  gp_audit_init_function(&e, &settings);
  for (int k = 0; k < 2; k++) { /* WRONG: every place keeps its own value, equal ones too */
    assert_int_equal(ragged(&k, e.values[k], TWINNED, 10, &error), SFM_OK);
  }
  caught("TWIN markov, two values at one place", &e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_keep_epsilon_and_delta),
      cmocka_unit_test(twins_with_less_noise_are_caught),
      cmocka_unit_test(twins_with_a_wrong_variance_are_caught),
      cmocka_unit_test(twins_with_noise_of_another_kernel_are_caught),
      cmocka_unit_test(a_twin_with_variance_clipped_at_zero_is_caught),
      cmocka_unit_test(twins_of_circulant_with_less_covariance_are_caught),
      cmocka_unit_test(twins_that_forget_rounding_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
