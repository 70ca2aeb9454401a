/* test_plan_parts.c - the parts of a planned error are what they are called, for every method: many
 * data sets drawn from a known shape, releases of each with known seeds, and the kernel's own bias.
 *
 * With G a release, p the shape and K the kernel, all integrals over the domain:
 *   privacy    E int (G - E(G | rows))^2
 *   sampling   E int (E(G | rows) - E G)^2
 *   smoothing  int (K p - p)^2
 *   the rest   int (E G - p)^2 - smoothing   (truncation and aliasing together) */
/* suite: release */
#include "density_fixture.h"

#include "planner/forecast/shape_model.h"
#include "sfumato/plan.h"

enum { GRID = 201, SETS = 40 };

typedef struct method_case {
  const char *name;
  sfm_density_method method;
  sfm_engine engine;
  sfm_density_body body;
  sfm_density_noise noise;
  size_t features, terms;
  double delta, h, epsilon;
  size_t rows;
  const char *shape;
  sfm_boundary boundary;
} method_case;

#define BUMPS "normal:0.3:0.05+normal:0.7:0.05"
#define NORMAL "normal:0.4:0.12"

static const method_case cases[] = {
    {.name = "lattice", .method = SFM_DENSITY_LATTICE},
    {.name = "lattice, reflect", .method = SFM_DENSITY_LATTICE, .boundary = SFM_BOUNDARY_REFLECT},
    {.name = "lattice, periodic", .method = SFM_DENSITY_LATTICE, .boundary = SFM_BOUNDARY_PERIODIC},
    {.name = "lattice, bumps", .method = SFM_DENSITY_LATTICE, .shape = BUMPS},
    {.name = "lattice, even", .method = SFM_DENSITY_LATTICE, .shape = "uniform"},
    {.name = "lattice, normal noise",
     .method = SFM_DENSITY_LATTICE,
     .noise = SFM_DENSITY_NOISE_NORMAL,
     .delta = 1e-6},
    {.name = "gp", .method = SFM_DENSITY_GP, .delta = 1e-6},
    {.name = "gp, bumps", .method = SFM_DENSITY_GP, .delta = 1e-6, .shape = BUMPS},
    {.name = "gp, random features",
     .method = SFM_DENSITY_GP,
     .engine = SFM_ENGINE_RANDOM,
     .features = 2000,
     .delta = 1e-6},
    {.name = "gp, circulant",
     .method = SFM_DENSITY_GP,
     .engine = SFM_ENGINE_CIRCULANT,
     .delta = 1e-6},
    {.name = "sobolev", .method = SFM_DENSITY_SOBOLEV, .delta = 1e-6},
    {.name = "fourier-laplace", .method = SFM_DENSITY_FOURIER_LAPLACE},
    {.name = "fourier-laplace, few",
     .method = SFM_DENSITY_FOURIER_LAPLACE,
     .terms = 3,
     .shape = BUMPS},
    {.name = "fourier-laplace, periodic",
     .method = SFM_DENSITY_FOURIER_LAPLACE,
     .boundary = SFM_BOUNDARY_PERIODIC},
    {.name = "caratheodory", .method = SFM_DENSITY_CARATHEODORY, .shape = BUMPS},
    {.name = "caratheodory, hull",
     .method = SFM_DENSITY_CARATHEODORY,
     .body = SFM_DENSITY_BODY_HULL},
};

typedef struct parts {
  double privacy, sampling, smoothing, rest;
} parts;

static double sum_of(const parts *p) {
  return p->privacy + p->sampling + p->smoothing + p->rest;
}

/* int a b over the domain, by the trapezoid rule. */
static double inner(const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < GRID; i++)
    sum += a[i] * b[i] / (GRID - 1) * (i == 0 || i == GRID - 1 ? 0.5 : 1);
  return sum;
}

static double distance(const double *a, const double *b) {
  double off[GRID];
  for (size_t i = 0; i < GRID; i++) off[i] = a[i] - b[i];
  return inner(off, off);
}

/* The kernel with its images, between two places. */
static double kernel(double q, double x, const method_case *c) {
  enum { IMAGES = 2 };
  double sum = 0;
  for (int m = -IMAGES; m <= IMAGES; m++) {
    const double z = (q - x - (c->boundary == SFM_BOUNDARY_REFLECT ? 2 * m : m)) / c->h,
                 y = (q + x - 2 * m) / c->h;
    if (m == 0 || c->boundary != SFM_BOUNDARY_OPEN) sum += exp(-0.5 * z * z);
    if (c->boundary == SFM_BOUNDARY_REFLECT) sum += exp(-0.5 * y * y);
  }
  return sum / (sqrt(2 * M_PI) * c->h);
}

/* K p - p. */
static void fill_bias(double *bias, const double *shape, const method_case *c) {
  for (size_t i = 0; i < GRID; i++) {
    bias[i] = -shape[i];
    for (size_t k = 0; k < GRID; k++)
      bias[i] += shape[k] * kernel((double)i / (GRID - 1), (double)k / (GRID - 1), c) / (GRID - 1) *
                 (k == 0 || k == GRID - 1 ? 0.5 : 1);
  }
}

/* The estimate without privacy. */
static void fill_estimate(double *values, const double *rows, const method_case *c) {
  for (size_t i = 0; i < GRID; i++) {
    values[i] = 0;
    for (size_t r = 0; r < c->rows; r++)
      values[i] += kernel((double)i / (GRID - 1), rows[r], c) / (double)c->rows;
  }
}

static void release_values(double *values, const density_fixture *t, const double *rows,
                           size_t count) {
  const size_t counts[] = {GRID};
  sfm_error error;
  sfm_evaluator *evaluator;
  sfm_release *release = density_fixture_release(t, rows, count);
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
}

static void simulate(parts *out, density_fixture *t, const sfmi_shape_model *model,
                     const method_case *c) {
  static double means[SETS][GRID], offs[SETS][GRID];
  double places[GRID], shape[GRID], bias[GRID], estimate[GRID],
      all[GRID] = {0}, off[GRID] = {0}, two[2][GRID], variance = 0, spread = 0;
  double *rows = calloc(c->rows, sizeof *rows);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 31);
  for (size_t i = 0; i < GRID; i++) places[i] = (double)i / (GRID - 1);
  sfmi_shape_model_at(model, shape, places, GRID);
  *out = (parts){0};
  for (size_t k = 0; k < SETS; k++) {
    sfmi_shape_model_draw(model, rows, c->rows, &prng);
    for (size_t r = 0; r < 2; r++) {
      t->settings.context.seed = 2 * k + r;
      release_values(two[r], t, rows, c->rows);
    }
    out->privacy += distance(two[0], two[1]) / 2 / SETS;
    fill_estimate(estimate, rows, c);
    for (size_t i = 0; i < GRID; i++) {
      means[k][i] = (two[0][i] + two[1][i]) / 2;
      offs[k][i] = means[k][i] - estimate[i];
      all[i] += means[k][i] / SETS;
      off[i] += offs[k][i] / SETS;
    }
  }
  /* The variance of the mean of two releases of one data set: sampling + privacy/2. */
  for (size_t k = 0; k < SETS; k++) variance += distance(means[k], all) / (SETS - 1);
  out->sampling = variance - out->privacy / 2;
  /* With b = K p - p and o = E (G - estimate): int (b + o)^2 - int b^2, o with its variance. */
  fill_bias(bias, shape, c);
  for (size_t k = 0; k < SETS; k++) spread += distance(offs[k], off) / (SETS - 1);
  out->smoothing = inner(bias, bias);
  out->rest = inner(off, off) - spread / SETS + 2 * inner(bias, off);
  free(rows);
}

static method_case usual(const method_case *given) {
  method_case c = *given;
  if (!(c.h > 0)) c.h = 0.04;
  if (!(c.epsilon > 0)) c.epsilon = 1;
  if (!c.rows) c.rows = 1000;
  if (!c.shape) c.shape = NORMAL;
  return c;
}

/* Every part to within a fifth of itself, or a twelfth of the sum: a small part is not seen in so
 * few data sets. */
static bool alike(double planned, double simulated, double sum) {
  return fabs(planned - simulated) <= 0.2 * simulated || fabs(planned - simulated) <= sum / 12;
}

static void parts_are_what_they_are_called(void **state) {
  (void)state;
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const method_case c = usual(&cases[i]);
    const double lower = 0, upper = 1;
    const sfm_boundary boundary[] = {c.boundary};
    sfm_error error;
    sfm_shape *shape;
    sfmi_shape_model *model;
    sfm_plan *plan;
    density_fixture t;
    parts simulated;
    if (c.body == SFM_DENSITY_BODY_HULL && !test_long()) continue; /* its walk takes minutes */
    assert_ok(sfm_shape_parse(&shape, c.shape, 1, &error), &error);
    assert_ok(sfmi_shape_model_create(&model, shape, NULL, 1, &lower, &upper, &error), &error);
    density_fixture_init(&t, 1, 0, 1, c.h, c.epsilon, c.delta);
    t.settings.method = c.method;
    t.settings.engine = c.engine;
    t.settings.body = c.body;
    if (c.noise) t.settings.noise = c.noise;
    t.settings.features = c.features;
    t.settings.terms = c.terms;
    t.settings.boundary = boundary;
    t.settings.shape = shape;
    t.settings.context.seeded = true;
    assert_ok(sfm_plan_density(&plan, &t.settings, c.rows, &error), &error);
    const sfm_forecast *f = &sfm_plan_at(plan, 0)->predicted;
    parts planned = {f->privacy, f->sampling, f->smoothing, f->truncation + f->aliasing};
    if (c.engine == SFM_ENGINE_RANDOM) { /* a seed draws the features too: of mean zero */
      planned.privacy += planned.rest;
      planned.rest = 0;
    }
    simulate(&simulated, &t, model, &c);
    const double sum = sum_of(&simulated);
    const bool good = alike(planned.privacy, simulated.privacy, sum) &&
                      alike(planned.sampling, simulated.sampling, sum) &&
                      alike(planned.smoothing, simulated.smoothing, sum) &&
                      alike(planned.rest, simulated.rest, sum);
    print_message("%s%-26s privacy %.4f %.4f  sampling %.4f %.4f  smoothing %.4f %.4f  rest %.4f "
                  "%.4f  sum %.4f %.4f\n",
                  good ? "  " : "* ", c.name, planned.privacy, simulated.privacy, planned.sampling,
                  simulated.sampling, planned.smoothing, simulated.smoothing, planned.rest,
                  simulated.rest, sum_of(&planned), sum);
    wrong += !good;
    sfm_plan_destroy(plan);
    sfmi_shape_model_destroy(model);
    sfm_shape_destroy(shape);
    density_fixture_clear(&t);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_are_what_they_are_called),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
