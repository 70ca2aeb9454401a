/* test_density_preview.c - simulated releases: what is public of them is what the mechanism would
 * state, and their error is that of the mechanism. */
/* suite: release */
#include "density_fixture.h"

#include "planner/density/density_preview.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"
#include "sfumato/sfumato.h"

enum { ROWS = 400, GRID = 65 };

typedef struct method {
  const char *name;
  sfm_density_method method;
  sfm_density_noise noise;
  sfm_engine engine;
  sfm_kernel_family kernel;
  sfm_density_body body;
  size_t terms;
  double delta;
  sfm_boundary boundary;
} method;

static const method methods[] = {
    {"lattice laplace", SFM_DENSITY_LATTICE, SFM_DENSITY_NOISE_LAPLACE, 0, 0, 0, 0, 0},
    {"lattice normal", SFM_DENSITY_LATTICE, SFM_DENSITY_NOISE_NORMAL, 0, 0, 0, 0, 1e-6},
    {"gp", SFM_DENSITY_GP, 0, SFM_ENGINE_SPECTRAL, 0, 0, 0, 1e-6},
    {"gp, reflect", SFM_DENSITY_GP, 0, SFM_ENGINE_SPECTRAL, 0, 0, 0, 1e-6, SFM_BOUNDARY_REFLECT},
    {"gp random", SFM_DENSITY_GP, 0, SFM_ENGINE_RANDOM, 0, 0, 0, 1e-6},
    {"gp markov", SFM_DENSITY_GP, 0, SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN32, 0, 0, 1e-6},
    {"sobolev", SFM_DENSITY_SOBOLEV, 0, 0, 0, 0, 0, 1e-6},
    {"fourier-laplace", SFM_DENSITY_FOURIER_LAPLACE, 0, 0, 0, 0, 0, 0},
    {"caratheodory", SFM_DENSITY_CARATHEODORY, 0, 0, 0, SFM_DENSITY_BODY_EXACT, 5, 0},
    {"caratheodory hull", SFM_DENSITY_CARATHEODORY, 0, 0, 0, SFM_DENSITY_BODY_HULL, 2, 0},
};
enum { METHODS = sizeof methods / sizeof *methods };

static void ask(density_fixture *t, const method *m) {
  density_fixture_init(t, 1, 0, 100, 6, 1, m->delta);
  t->settings.method = m->method;
  t->settings.noise = m->noise;
  t->settings.engine = m->engine;
  t->settings.kernel = m->kernel;
  t->settings.body = m->body;
  t->settings.terms = m->terms;
  t->settings.boundary = &m->boundary;
  t->settings.context.seeded = true;
}

static sfmi_shape_model *model_of(const char *words, size_t dimension, sfm_shape **shape) {
  sfm_error error;
  sfmi_shape_model *shape_model = NULL;
  const double lower[] = {0, 0}, upper[] = {100, 100};
  assert_ok(sfm_shape_parse(shape, words, dimension, &error), &error);
  assert_ok(sfmi_shape_model_create(&shape_model, *shape, density_fixture_columns, dimension, lower,
                                    upper, &error),
            &error);
  return shape_model;
}

static void values_of(double *values, const sfm_release *release) {
  sfm_error error;
  sfm_evaluator *evaluator = NULL;
  const size_t counts[] = {GRID};
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  sfm_evaluator_destroy(evaluator);
}

/* The squared distance to the shape, and 1 for a mean. */
static double missed(const sfm_release *release, const sfmi_shape_model *shape_model) {
  double values[GRID], x[GRID], p[GRID], sum = 0;
  values_of(values, release);
  for (size_t i = 0; i < GRID; i++) x[i] = 100.0 * (double)i / (GRID - 1);
  sfmi_shape_model_at(shape_model, p, x, GRID);
  for (size_t i = 0; i < GRID; i++) sum += (values[i] - p[i]) * (values[i] - p[i]);
  return sum / GRID;
}

static sfm_release *simulate(const density_fixture *t, const sfmi_shape_model *shape_model,
                             uint64_t seed) {
  sfm_error error;
  sfmi_design_density design;
  sfm_release *release = NULL;
  assert_ok(sfmi_design_density_init(&design, &t->settings, ROWS, &error), &error);
  assert_ok(
      sfmi_density_preview_create(&release, &design, &t->settings, ROWS, shape_model, seed, &error),
      &error);
  return release;
}

static sfm_release *make(density_fixture *t, const sfmi_shape_model *shape_model, uint64_t seed) {
  double rows[ROWS];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1000 + seed);
  sfmi_shape_model_draw(shape_model, rows, ROWS, &prng);
  t->settings.context.seed = seed;
  return density_fixture_release(t, rows, ROWS);
}

static void test_what_is_public(void **state) {
  (void)state;
  for (size_t k = 0; k < METHODS; k++) {
    sfm_error error;
    density_fixture t;
    sfm_shape *shape = NULL;
    sfmi_shape_model *shape_model = model_of("normal:40:12", 1, &shape);
    ask(&t, &methods[k]);
    sfm_release *real = make(&t, shape_model, 7), *simulated = simulate(&t, shape_model, 7);
    assert_int_equal(real->method, simulated->method);
    assert_int_equal(real->length, simulated->length);
    assert_int_equal(real->law, simulated->law);
    assert_string_equal(real->sentence, simulated->sentence);
    assert_false(simulated->is_private);
    assert_relative(methods[k].name, simulated->scale, real->scale, 1e-9);
    assert_near(methods[k].name, simulated->step, real->step, 0);
    assert_relative(methods[k].name, simulated->sensitivity, real->sensitivity, 1e-12);
    if (methods[k].engine != SFM_ENGINE_RANDOM)
      assert_relative(methods[k].name, simulated->band.half_width, real->band.half_width, 0.1);
    sfmi_design_density design;
    sfm_band band;
    assert_ok(sfmi_design_density_init(&design, &t.settings, ROWS, &error), &error);
    assert_ok(sfmi_density_preview_band(&band, &design, &t.settings, ROWS, shape_model, 0, &error),
              &error);
    assert_relative(methods[k].name, band.half_width, real->band.half_width,
                    methods[k].engine == SFM_ENGINE_RANDOM ? 0.2 : 0.1);
    sfm_release_destroy(real);
    sfm_release_destroy(simulated);
    sfmi_shape_model_destroy(shape_model);
    sfm_shape_destroy(shape);
    density_fixture_clear(&t);
  }
}

/* Logarithms of squared errors of both kinds have the same mean. */
static void test_errors_are_alike(void **state) {
  (void)state;
  for (size_t k = 0; k < METHODS; k++) {
    if (test_left_out(k, 5)) continue;
    density_fixture t;
    sfm_shape *shape = NULL;
    sfmi_shape_model *shape_model = model_of("normal:30:8+normal:70:10", 1, &shape);
    const size_t draws = methods[k].body == SFM_DENSITY_BODY_HULL || methods[k].engine ? 6 : 12;
    double sum = 0, squares = 0;
    ask(&t, &methods[k]);
    t.settings.epsilon = 0.5;
    for (size_t i = 0; i < draws; i++) {
      sfm_release *real = make(&t, shape_model, i), *simulated = simulate(&t, shape_model, 500 + i);
      const double ratio = log(missed(real, shape_model) / missed(simulated, shape_model));
      sum += ratio;
      squares += ratio * ratio;
      sfm_release_destroy(real);
      sfm_release_destroy(simulated);
    }
    const double n = (double)draws, mean = sum / n,
                 deviation = sqrt(fmax(squares / n - mean * mean, 0) / (n - 1));
    assert_near(methods[k].name, mean, 0, 6 * deviation);
    if (!(deviation < 0.5)) fail_msg("%s: the test sees nothing (%g)", methods[k].name, deviation);
    sfmi_shape_model_destroy(shape_model);
    sfm_shape_destroy(shape);
    density_fixture_clear(&t);
  }
}

static void test_read_back(void **state) {
  (void)state;
  for (size_t k = 0; k < METHODS; k++) {
    sfm_error error;
    density_fixture t;
    sfm_shape *shape = NULL;
    sfmi_shape_model *shape_model = model_of("normal:40:12", 1, &shape);
    char *bytes = NULL;
    size_t length;
    double one[GRID], two[GRID];
    ask(&t, &methods[k]);
    sfm_release *simulated = simulate(&t, shape_model, 3), *again = NULL,
                *same = simulate(&t, shape_model, 3);
    assert_ok(sfmi_release_print(simulated, &bytes, &length, &error), &error);
    assert_ok(sfm_release_parse(&again, bytes, length, "preview", &error), &error);
    assert_false(sfm_release_private(again));
    values_of(one, simulated);
    values_of(two, again);
    assert_memory_equal(one, two, sizeof one);
    values_of(two, same);
    assert_memory_equal(one, two, sizeof one);
    free(bytes);
    sfm_release_destroy(again);
    sfm_release_destroy(simulated);
    sfm_release_destroy(same);
    sfmi_shape_model_destroy(shape_model);
    sfm_shape_destroy(shape);
    density_fixture_clear(&t);
  }
}

/* Groups, add/remove, two columns, more records than are drawn. */
static void test_other_kinds(void **state) {
  (void)state;
  static const char *const by[] = {"sex"}, *const sexes[] = {"F", "M"};
  sfm_error error;
  density_fixture t;
  sfm_shape *shape = NULL;
  sfmi_shape_model *shape_model = model_of("normal:40:12,uniform", 2, &shape);
  sfmi_design_density design;
  sfm_release *release = NULL;
  sfm_band band;
  density_fixture_init(&t, 2, 0, 100, 8, 1, 0);
  t.settings.context.seeded = true;
  assert_ok(sfm_schema_set_categories(t.schema, "sex", sexes, 2, &error), &error);
  t.settings.by = by;
  t.settings.by_count = 1;
  assert_ok(sfmi_design_density_init(&design, &t.settings, 3000000, &error), &error);
  assert_ok(
      sfmi_density_preview_create(&release, &design, &t.settings, 3000000, shape_model, 1, &error),
      &error);
  assert_relative("half of them", sfm_release_size(release), 1500000, 0.02);
  assert_ok(sfmi_density_preview_band(&band, &design, &t.settings, 3000000, shape_model, 0, &error),
            &error);
  assert_relative("its band", sfm_release_band(release).half_width, band.half_width, 0.1);
  sfm_release_destroy(release);
  t.settings.by_count = 0;
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  t.settings.expected_rows = 5000;
  assert_ok(sfmi_design_density_init(&design, &t.settings, 0, &error), &error);
  assert_ok(
      sfmi_density_preview_create(&release, &design, &t.settings, 5000, shape_model, 1, &error),
      &error);
  assert_relative("about as many", sfm_release_size(release), 5000, 0.02);
  assert_ok(sfmi_density_preview_band(&band, &design, &t.settings, 5000, shape_model, 0, &error),
            &error);
  assert_relative("its band", sfm_release_band(release).half_width, band.half_width, 0.1);
  sfm_release_destroy(release);
  sfmi_shape_model_destroy(shape_model);
  sfm_shape_destroy(shape);
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_public),
      cmocka_unit_test(test_errors_are_alike),
      cmocka_unit_test(test_read_back),
      cmocka_unit_test(test_other_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
