/* test_gp_noise.c - Gaussian processes as values at places, by every engine: the sensitivity is
 * never passed, the noise has the covariance it should, bands hold at the places and between them,
 * and functions and kernels of the caller's own are held to what they declare. */
/* suite: release */
#include "density_fixture.h"

#include "mechanisms/functions/density_integers.h"
#include "mechanisms/core/gp_noise.h"
#include "place_whitening.h"
#include "places_coverage.h"
#include "planner/density/gaussian_process.h"
#include "sfumato/function.h"
#include "releases/core/release_write.h"

typedef struct setup {
  const char *name;
  size_t dimension;
  sfm_kernel_family kernel;
  sfm_engine engine;
  size_t grid[3]; /* 0: a list */
  bool loose;     /* its band is mostly what the lattice moves rows by, and little of it is noise */
} setup;

static const setup SETUPS[] = {
    {"markov laplacian", 1, SFM_KERNEL_LAPLACIAN, SFM_ENGINE_MARKOV, {65}, false},
    {"markov matern12 list", 1, SFM_KERNEL_MATERN12, SFM_ENGINE_MARKOV, {0}, false},
    {"markov matern32", 1, SFM_KERNEL_MATERN32, SFM_ENGINE_MARKOV, {65}, false},
    {"markov matern52", 1, SFM_KERNEL_MATERN52, SFM_ENGINE_MARKOV, {48}, false},
    {"circulant laplacian", 1, SFM_KERNEL_LAPLACIAN, SFM_ENGINE_CIRCULANT, {65}, false},
    {"circulant cauchy", 1, SFM_KERNEL_CAUCHY, SFM_ENGINE_CIRCULANT, {48}, false},
    {"circulant matern32 2-D", 2, SFM_KERNEL_MATERN32, SFM_ENGINE_CIRCULANT, {9, 7}, false},
    {"circulant gaussian 2-D", 2, SFM_KERNEL_GAUSSIAN, SFM_ENGINE_CIRCULANT, {8, 8}, false},
    {"circulant laplacian 3-D", 3, SFM_KERNEL_LAPLACIAN, SFM_ENGINE_CIRCULANT, {4, 4, 3}, true},
    {"gram gaussian", 1, SFM_KERNEL_GAUSSIAN, SFM_ENGINE_GRAM, {48}, false},
    {"gram cauchy list", 1, SFM_KERNEL_CAUCHY, SFM_ENGINE_GRAM, {0}, false},
    {"gram matern12 2-D list", 2, SFM_KERNEL_MATERN12, SFM_ENGINE_GRAM, {0}, true},
};
enum { SETUP_COUNT = sizeof SETUPS / sizeof *SETUPS, LISTED = 40 };

typedef struct bench {
  density_fixture t;
  double points[LISTED * 3];
} bench;

static void bench_init(bench *b, const setup *s, double h) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 71);
  density_fixture_init(&b->t, s->dimension, 0, 1, h, 1, 1e-6);
  b->t.settings.method = SFM_DENSITY_GP;
  b->t.settings.kernel = s->kernel;
  b->t.settings.engine = s->engine;
  b->t.settings.context.seeded = true;
  b->t.settings.context.seed = 72;
  memcpy(b->t.settings.release_grid, s->grid, sizeof s->grid);
  if (s->grid[0]) return;
  /* Among them equal and nearly equal ones. */
  for (size_t i = 0; i < LISTED * s->dimension; i++) b->points[i] = sfmi_prng_uniform(&prng);
  for (size_t a = 0; a < s->dimension; a++) {
    b->points[s->dimension + a] = b->points[a];
    b->points[2 * s->dimension + a] = b->points[a] * (1 - 1e-15);
  }
  b->t.settings.release_points = b->points;
  b->t.settings.release_count = LISTED;
}

/* Releases with one seed have one noise: their difference is the private one, whose norm in the
 * noise's own geometry must stay below the sensitivity, and nearly reaches it for a row that is
 * replaced by one far away when both sit at places. */
static void neighbours_never_pass_the_sensitivity(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 73);
  for (size_t s = 0; s < SETUP_COUNT; s++) {
    bench b;
    bench_init(&b, &SETUPS[s], SETUPS[s].dimension == 1 ? 0.08 : 0.2);
    const size_t d = SETUPS[s].dimension;
    double best = 0, x[12], y[12], first[3];
    double *factor = NULL;
    for (int i = 0; i < (int)test_repetitions(8, 4); i++) {
      for (size_t k = 0; k < 4 * d; k++) x[k] = y[k] = sfmi_prng_uniform(&prng);
      for (size_t k = 0; k < d; k++) {
        x[d + k] = i == 0 ? 0 : i == 1 ? NAN : i == 2 ? -1e300 : sfmi_prng_uniform(&prng);
        y[d + k] = i == 0 ? 1 : i == 1 ? INFINITY : i == 2 ? 1e300 : sfmi_prng_uniform(&prng);
      }
      if (i == 3 && b.t.settings.release_points) {
        memcpy(x + d, b.points, d * sizeof *x);
        memcpy(y + d, b.points + 7 * d, d * sizeof *y);
      }
      sfm_release *p = density_fixture_release(&b.t, x, 4),
                  *q = density_fixture_release(&b.t, y, 4);
      if (!factor) factor = whitening_factor(p, p->function->nugget / 2);
      double *v = malloc(p->length * sizeof *v);
      assert_true(sfm_release_place(p, first, 0) && !p->hardened);
      for (size_t k = 0; k < whitening_distinct(p); k++)
        v[k] = p->reals[whitening_place(p, k)] - q->reals[whitening_place(p, k)];
      const double move = whitening_norm(factor, whitening_distinct(p), v);
      assert_true(move <= p->sensitivity);
      best = fmax(best, move / p->sensitivity);
      free(v);
      sfm_release_destroy(p);
      sfm_release_destroy(q);
    }
    print_message("%-24s %.4f of the sensitivity\n", SETUPS[s].name, best);
    assert_true(best >= (d == 1 ? 0.9 : 0.5));
    free(factor);
    density_fixture_clear(&b.t);
  }
}

/* Noise as it is drawn for a release, whitened by K + nugget I: mean squares are one at
 * significance 1e-6, in all and for each principal direction, and a variance 3 % off is seen. */
static void noise_has_the_covariance(void **state) {
  (void)state;
  for (size_t s = 0; s < SETUP_COUNT; s++) {
    bench b;
    sfm_error error;
    sfmi_design_density *design = calloc(1, sizeof *design);
    sfmi_gp_noise *gp_noise;
    bench_init(&b, &SETUPS[s], 0.3);
    assert_ok(sfmi_design_density_init(design, &b.t.settings, 10, &error), &error);
    const sfm_kernel kernel = sfmi_process_kernel(&design->process);
    assert_ok(sfmi_gp_noise_create(&gp_noise, design->engine, &kernel, &design->places,
                                   design->process.nugget, (sfmi_seed){true, 74}, &error),
              &error);
    const double rows[] = {0.5, 0.5, 0.5};
    sfm_release *release = density_fixture_release(&b.t, rows, 1);
    const size_t m = whitening_distinct(release), all = release->length;
    double *factor = whitening_factor(release, release->function->nugget);
    double *values = calloc(all, sizeof *values), *path = malloc(all * sizeof *path), sum = 0;
    const size_t draws = 260000 / m;
    for (size_t i = 0; i < draws; i++) {
      sfmi_gp_noise_add(gp_noise, path, values, 1);
      if (all > m) assert_true(path[0] == path[1]);
      for (size_t k = 0; k < m; k++) path[k] = path[whitening_place(release, k)];
      const double norm = whitening_norm(factor, m, path);
      sum += norm * norm;
    }
    const double count = (double)(draws * m);
    const double excess = sfmi_field_excess(sfmi_gp_noise_field(gp_noise));
    print_message("%-24s mean square %.5f (%g)\n", SETUPS[s].name, sum / count, excess);
    if (excess == 0) assert_true(whitening_looks_right(sum, count, 1));
    if (excess == 0) assert_false(whitening_looks_right(sum, count, 1.03));
    free(factor);
    free(values);
    free(path);
    sfm_release_destroy(release);
    sfmi_gp_noise_destroy(gp_noise);
    free(design);
    density_fixture_clear(&b.t);
  }
}

/* The kernel mean over its integral, by its definition. */
static double truth_at(const void *context, const double *rows, size_t n, const double *x) {
  const sfm_density_settings *s = context;
  const sfm_kernel kernel = {
      .family = s->kernel, .dimension = s->dimension, .bandwidth = s->bandwidth};
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += sfm_kernel_at(&kernel, x, rows + i * s->dimension);
  return sum / ((double)n * sfmi_kernel_mass(&kernel));
}

static void bands_hold(void **state) {
  (void)state;
  enum { ROWS = 300 };
  double rows[ROWS * 3];
  for (size_t s = 0; s < SETUP_COUNT; s++) {
    const size_t d = SETUPS[s].dimension;
    bench b;
    if (test_left_out(s, 5)) continue;
    bench_init(&b, &SETUPS[s], d == 1 ? 0.1 : 0.4);
    b.t.settings.context.confidence = 0.8;
    density_fixture_rows(rows, ROWS, d, 0, 1, 75);
    const places_coverage c = places_cover(&b.t, rows, ROWS, truth_at, &b.t.settings);
    places_judge(SETUPS[s].name, &c, 0.8, !SETUPS[s].loose);
    density_fixture_clear(&b.t);
  }
}

/* Through the file and back: the same values everywhere, the same band at any confidence. */
static void files_say_it_all(void **state) {
  (void)state;
  double rows[90];
  density_fixture_rows(rows, 30, 3, 0, 1, 77);
  for (size_t s = 0; s < SETUP_COUNT; s++) {
    bench b;
    sfm_error error;
    sfm_release *back;
    sfm_evaluator *here, *there;
    char *bytes;
    size_t length;
    bench_init(&b, &SETUPS[s], 0.2);
    sfm_release *release = density_fixture_release(&b.t, rows, 30);
    assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
    assert_ok(sfm_release_parse(&back, bytes, length, "copy", &error), &error);
    assert_ok(sfm_evaluator_create(&here, release, 0, &error), &error);
    assert_ok(sfm_evaluator_create(&there, back, 0, &error), &error);
    assert_int_equal(sfm_release_engine(back), SETUPS[s].engine);
    assert_int_equal(sfm_release_kernel(back), SETUPS[s].kernel);
    assert_string_equal(sfm_kind_name(sfm_release_kind(back)), "density");
    assert_non_null(strstr(sfm_release_sentence(back), "idealised"));
    const double x[3] = {0.123, 0.456, 0.789};
    double v[2], w[2];
    assert_ok(sfm_evaluator_at(here, &v[0], x, 1, &error), &error);
    assert_ok(sfm_evaluator_at(there, &v[1], x, 1, &error), &error);
    assert_ok(sfm_evaluator_widths(here, &w[0], x, 1, &error), &error);
    assert_ok(sfm_evaluator_widths(there, &w[1], x, 1, &error), &error);
    assert_true(v[0] == v[1] && w[0] == w[1] && isfinite(v[0]) && w[0] > 0);
    sfm_band band;
    assert_ok(sfm_release_band_at(back, &band, 0.95, &error), &error);
    assert_relative("the band of a file", band.half_width, release->band.half_width, 1e-12);
    assert_relative("at one place", band.pointwise, release->band.pointwise, 1e-12);
    assert_ok(sfm_release_band_at(back, &band, 0.99, &error), &error);
    assert_true(band.half_width > release->band.half_width);
    /* Cut anywhere it is refused, never a crash. */
    for (size_t cut = 0; cut < length - 2; cut += 1 + length / 200) {
      sfm_release *bad;
      assert_int_equal(sfm_release_parse(&bad, bytes, cut, "cut", &error), SFM_FORMAT);
    }
    free(bytes);
    sfm_evaluator_destroy(here);
    sfm_evaluator_destroy(there);
    sfm_release_destroy(back);
    sfm_release_destroy(release);
    density_fixture_clear(&b.t);
  }
}

static void misuse_is_named(void **state) {
  (void)state;
  density_fixture t;
  const double outside[] = {0.5, 1.5};
  density_fixture_init(&t, 1, 0, 1, 0.1, 1, 1e-6);
  t.settings.kernel = SFM_KERNEL_CAUCHY;
  density_fixture_refused(&t, "settings.method = gp");
  t.settings.method = SFM_DENSITY_GP;
  t.settings.engine = SFM_ENGINE_SPECTRAL;
  density_fixture_refused(&t, "gaussian kernel only");
  t.settings.engine = SFM_ENGINE_MARKOV;
  density_fixture_refused(&t, "markov");
  t.settings.engine = SFM_ENGINE_AUTO;
  t.settings.release_points = outside;
  t.settings.release_count = 2;
  density_fixture_refused(&t, "outside the bounds");
  t.settings.release_grid[0] = 10;
  density_fixture_refused(&t, "not both");
  t.settings.release_points = NULL;
  t.settings.release_count = 0;
  t.settings.release_grid[0] = 1;
  density_fixture_refused(&t, "at least 2");
  t.settings.release_grid[0] = 20000;
  t.settings.engine = SFM_ENGINE_GRAM;
  density_fixture_refused(&t, "10000");
  t.settings.kernel = SFM_KERNEL_GAUSSIAN;
  t.settings.engine = SFM_ENGINE_AUTO;
  density_fixture_refused(&t, "whole function");
  t.settings.release_grid[0] = 0;
  t.settings.kernel = SFM_KERNEL_LINEAR;
  density_fixture_refused(&t, "no linear kernel");
  t.settings.kernel = SFM_KERNEL_OWN;
  density_fixture_refused(&t, "kernel of your own");
  t.settings.kernel = SFM_KERNEL_LAPLACIAN;
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  density_fixture_refused(&t, "replace");
  density_fixture_clear(&t);
}

/* A caller's own kernel: periodic, with a declared bound, or one that lies. */
static double periodic(void *context, const double *x, const double *y, size_t dimension) {
  (void)dimension;
  return *(double *)context * exp(cos(2 * M_PI * (*x - *y)) - 1);
}

static double indefinite(void *context, const double *x, const double *y, size_t dimension) {
  (void)context;
  (void)dimension;
  return *x == *y ? 1 : -0.9;
}

static void own_kernels(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  double size = 4, x = 0.3, value;
  sfm_kernel own = {.family = SFM_KERNEL_OWN,
                    .dimension = 1,
                    .function = periodic,
                    .function_data = &size,
                    .bound = 4};
  density_fixture_init(&t, 1, 0, 1, 0.1, 1000, 0.5);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.kernel = SFM_KERNEL_OWN;
  t.settings.own = &own;
  t.settings.bandwidth = NULL;
  t.settings.context.seeded = true;
  t.settings.release_grid[0] = 11;
  const double rows[] = {0.2, 0.2, 0.6, 0.9};
  sfm_release *release = density_fixture_release(&t, rows, 4);
  sfm_evaluator *evaluator;
  assert_string_equal(sfm_kind_name(sfm_release_kind(release)), "function");
  assert_int_equal(sfm_release_engine(release), SFM_ENGINE_GRAM);
  assert_near("2 sqrt(bound) records", release->sensitivity, 4, 1e-4);
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, &value, &x, 1, &error), &error);
  double truth = 0;
  for (int i = 0; i < 4; i++) truth += periodic(&size, &x, &rows[i], 1) / 4;
  assert_near("the kernel mean", value, truth, release->band.half_width + 1e-3);
  x = 0.31;
  assert_ok(sfm_evaluator_at(evaluator, &value, &x, 1, &error), &error);
  assert_true(isnan(value)); /* the file cannot hold a function */
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
  own.bound = 3.9;
  density_fixture_refused(&t, "passes its bound");
  own.function = indefinite;
  own.bound = 1;
  sfm_rows *handle;
  assert_ok(sfm_rows_from_array(&handle, rows, 4, 1, density_fixture_columns, &error), &error);
  assert_int_equal(sfm_density_release(&release, NULL, handle, &t.settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "positive definite"));
  sfm_rows_destroy(handle);
  density_fixture_clear(&t);
}

typedef struct asked {
  int calls;
  double slope;
} asked;

static sfm_status line(void *context, double *values, const double *points, size_t count,
                       sfm_error *error) {
  asked *a = context;
  (void)error;
  a->calls++;
  for (size_t i = 0; i < count; i++) values[i] = i == 2 ? NAN : a->slope * points[i];
  return SFM_OK;
}

static sfm_status broken(void *context, double *values, const double *points, size_t count,
                         sfm_error *error) {
  (void)context, (void)values, (void)points, (void)count;
  error->status = SFM_IO;
  snprintf(error->message, sizeof error->message, "no values today");
  return SFM_IO;
}

static void functions_of_ones_own(void **state) {
  (void)state;
  static const double h[] = {0.5}, lower[] = {0}, upper[] = {1};
  sfm_error error;
  asked context = {0, 2};
  sfm_kernel kernel = {.family = SFM_KERNEL_MATERN32, .dimension = 1, .bandwidth = h};
  sfm_function_settings settings = sfm_function_settings_default();
  settings.kernel = &kernel;
  settings.sensitivity = 0.01;
  settings.rounding = 1e-15;
  settings.values = line;
  settings.values_data = &context;
  settings.columns = density_fixture_columns;
  settings.lower = lower;
  settings.upper = upper;
  settings.grid[0] = 11;
  settings.epsilon = 1;
  settings.delta = 1e-6;
  settings.context.seeded = true;
  sfm_release *release, *other;
  assert_ok(sfm_function_release(&release, &settings, &error), &error);
  assert_int_equal(context.calls, 1);
  assert_string_equal(sfm_kind_name(sfm_release_kind(release)), "function");
  assert_int_equal(sfm_release_engine(release), SFM_ENGINE_MARKOV);
  assert_relative("scale", release->scale, 0.01 * 4.2247, 1e-3);
  /* The same seed: the difference is that of the functions, and NaN counts as zero. */
  context.slope = 3;
  assert_ok(sfm_function_release(&other, &settings, &error), &error);
  for (size_t i = 0; i < 11; i++)
    assert_near("one noise", other->reals[i] - release->reals[i], i == 2 ? 0 : 0.1 * (double)i,
                1e-14);
  sfm_evaluator *evaluator;
  double x = 0.55, value, width;
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, &value, &x, 1, &error), &error);
  assert_ok(sfm_evaluator_widths(evaluator, &width, &x, 1, &error), &error);
  assert_true(isfinite(value) && isinf(width));
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
  sfm_release_destroy(other);
  /* A polynomial kernel, whose places must keep its radius. */
  kernel = (sfm_kernel){
      .family = SFM_KERNEL_POLYNOMIAL, .dimension = 1, .degree = 2, .constant = 1, .radius = 1};
  assert_ok(sfm_function_release(&release, &settings, &error), &error);
  assert_int_equal(sfm_release_engine(release), SFM_ENGINE_GRAM);
  char *bytes;
  size_t length;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  assert_ok(sfm_release_parse(&other, bytes, length, "copy", &error), &error);
  assert_ok(sfm_evaluator_create(&evaluator, other, 0, &error), &error);
  assert_ok(sfm_evaluator_at(evaluator, &value, &x, 1, &error), &error);
  assert_true(isfinite(value));
  sfm_evaluator_destroy(evaluator);
  free(bytes);
  sfm_release_destroy(release);
  sfm_release_destroy(other);
  kernel.radius = 0.9;
  assert_int_equal(sfm_function_release(&release, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "bound"));
  kernel.radius = 1;
  settings.engine = SFM_ENGINE_SPECTRAL;
  assert_int_equal(sfm_function_release(&release, &settings, &error), SFM_INVALID);
  settings.engine = SFM_ENGINE_RANDOM;
  assert_int_equal(sfm_function_release(&release, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "not by random"));
  settings.engine = (sfm_engine)(SFM_ENGINE_RANDOM + 1);
  assert_int_equal(sfm_function_release(&release, &settings, &error), SFM_INVALID);
  settings.engine = SFM_ENGINE_AUTO;
  settings.delta = 0;
  assert_int_equal(sfm_function_release(&release, &settings, &error), SFM_INVALID);
  settings.delta = 1e-6;
  settings.sensitivity = 0;
  assert_int_equal(sfm_function_release(&release, &settings, &error), SFM_INVALID);
  settings.sensitivity = 1;
  settings.values = broken;
  assert_int_equal(sfm_function_release(&release, &settings, &error), SFM_IO);
  assert_null(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(noise_has_the_covariance),
      cmocka_unit_test(bands_hold),
      cmocka_unit_test(files_say_it_all),
      cmocka_unit_test(misuse_is_named),
      cmocka_unit_test(own_kernels),
      cmocka_unit_test(functions_of_ones_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
