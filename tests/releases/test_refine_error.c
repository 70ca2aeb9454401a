/* test_refine_error.c - refining without being asked for anything makes no density worse: ten
 * shapes, three boundaries, records that are missing, from noise that drowns them to none. */
/* suite: release */
#include "density_fixture.h"

#include "lattice_masses.h"
#include "simulated_density.h"
#include "sfumato/refine.h"

enum { LINE = 257, PLANE = 41 };

typedef enum law { EVEN, NORMAL, FALLING } law;

/* Independent along the axes, cut at the bounds 0 and 1: uniform from middle - spread to middle +
 * spread, normal, or exponential from middle on. */
typedef struct part {
  double weight;
  struct {
    law law;
    double middle, spread;
  } axis[2];
} part;

typedef struct shape {
  const char *name;
  size_t dimension, parts;
  part part[4];
} shape;

static const shape shapes[] = {
    {"uniform", 1, 1, {{1, {{EVEN, 0.5, 0.5}}}}},
    {"normal in the middle", 1, 1, {{1, {{NORMAL, 0.5, 0.12}}}}},
    {"normal at the border", 1, 1, {{1, {{NORMAL, 0, 0.2}}}}},
    {"two bumps", 1, 2, {{0.7, {{NORMAL, 0.3, 0.06}}}, {0.3, {{NORMAL, 0.75, 0.03}}}}},
    {"heaps",
     1,
     4,
     {{0.4, {{EVEN, 0.5, 0.5}}},
      {0.3, {{NORMAL, 0.2, 0.003}}},
      {0.2, {{NORMAL, 0.5, 0.003}}},
      {0.1, {{EVEN, 0.005, 0.005}}}}},
    {"skewed", 1, 1, {{1, {{FALLING, 0, 0.1}}}}},
    {"uniform square", 2, 1, {{1, {{EVEN, 0.5, 0.5}, {EVEN, 0.5, 0.5}}}}},
    {"normal in the middle of a square", 2, 1, {{1, {{NORMAL, 0.5, 0.12}, {NORMAL, 0.5, 0.12}}}}},
    {"two bumps, one at the border of a square",
     2,
     2,
     {{0.6, {{NORMAL, 0.3, 0.08}, {NORMAL, 0.4, 0.1}}},
      {0.4, {{NORMAL, 1, 0.15}, {NORMAL, 0.8, 0.1}}}}},
    {"corners",
     2,
     4,
     {{0.25, {{FALLING, 0, 0.07}, {FALLING, 0, 0.07}}},
      {0.25, {{NORMAL, 1, 0.1}, {NORMAL, 0, 0.1}}},
      {0.25, {{NORMAL, 0, 0.1}, {NORMAL, 1, 0.1}}},
      {0.25, {{NORMAL, 1, 0.05}, {NORMAL, 1, 0.05}}}}}};

static double below(double z) {
  return 0.5 * erfc(-z * M_SQRT1_2);
}

static double axis_density(const part *p, size_t a, double x) {
  const double m = p->axis[a].middle, s = p->axis[a].spread, z = (x - m) / s;
  switch (p->axis[a].law) {
  case EVEN:
    return fabs(z) <= 1 ? 0.5 / s : 0;
  case NORMAL:
    return exp(-0.5 * z * z) / (sqrt(2 * M_PI) * s * (below((1 - m) / s) - below(-m / s)));
  default:
    return z < 0 ? 0 : exp(-z) / (s * -expm1(-(1 - m) / s));
  }
}

static double axis_draw(const part *p, size_t a, sfmi_prng *prng) {
  double x;
  do {
    const law kind = p->axis[a].law;
    const double z = kind == EVEN     ? 2 * sfmi_prng_uniform(prng) - 1
                     : kind == NORMAL ? sfmi_prng_normal(prng)
                                      : -log(sfmi_prng_uniform(prng));
    x = p->axis[a].middle + p->axis[a].spread * z;
  } while (x < 0 || x > 1);
  return x;
}

static double *draw_rows(const shape *s, size_t count, uint64_t seed) {
  double *rows = calloc(count * s->dimension, sizeof *rows);
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count; i++) {
    double u = sfmi_prng_uniform(&prng);
    size_t p = 0;
    while (p + 1 < s->parts && u > s->part[p].weight) u -= s->part[p++].weight;
    for (size_t a = 0; a < s->dimension; a++)
      rows[i * s->dimension + a] = axis_draw(&s->part[p], a, &prng);
  }
  return rows;
}

static size_t points_of(size_t dimension) {
  return dimension == 1 ? LINE : PLANE;
}

static size_t values_of(size_t dimension) {
  return dimension == 1 ? LINE : PLANE * PLANE;
}

static void fill_truth(double *values, const shape *s, double share) {
  const size_t points = points_of(s->dimension);
  for (size_t i = 0; i < values_of(s->dimension); i++) {
    values[i] = 0;
    for (size_t p = 0; p < s->parts; p++) {
      double one = s->part[p].weight;
      for (size_t a = 0, rest = i; a < s->dimension; a++, rest /= points)
        one *= axis_density(&s->part[p], s->dimension - 1 - a,
                            (double)(rest % points) / (double)(points - 1));
      values[i] += share * one;
    }
  }
}

/* The kernel and its images along an axis, at all points of it. */
static void axis_kernel(double *out, double x, double h, sfm_boundary boundary, size_t points) {
  for (size_t i = 0; i < points; i++) {
    const double q = (double)i / (double)(points - 1);
    out[i] = 0;
    for (int k = -1; k <= 1; k++) {
      const double z = (q - x - (boundary == SFM_BOUNDARY_REFLECT ? 2 * k : k)) / h,
                   m = (q + x - 2 * k) / h;
      if (k == 0 || boundary != SFM_BOUNDARY_OPEN) out[i] += exp(-0.5 * z * z);
      if (boundary == SFM_BOUNDARY_REFLECT) out[i] += exp(-0.5 * m * m);
    }
    out[i] /= sqrt(2 * M_PI) * h;
  }
}

/* The estimate without privacy of all `total` records, of which `count` are kept. */
static void fill_estimate(double *values, const double *rows, size_t count, size_t total,
                          size_t dimension, double h, sfm_boundary boundary) {
  const size_t points = points_of(dimension);
  double first[LINE], second[LINE];
  memset(values, 0, values_of(dimension) * sizeof *values);
  for (size_t r = 0; r < count; r++) {
    axis_kernel(first, rows[r * dimension], h, boundary, points);
    if (dimension == 1) {
      for (size_t i = 0; i < points; i++) values[i] += first[i] / (double)total;
      continue;
    }
    axis_kernel(second, rows[r * dimension + 1], h, boundary, points);
    for (size_t i = 0; i < points; i++)
      for (size_t k = 0; k < points; k++)
        values[i * points + k] += first[i] * second[k] / (double)total;
  }
}

/* How a release is made. */
typedef struct making {
  size_t dimension, rows;
  double h, epsilon;
  sfm_boundary boundary;
  double share; /* of the records is inside; the others are dropped */
} making;

static sfm_release *make(const making *m) {
  const sfm_boundary boundary[] = {m->boundary, m->boundary};
  double *rows = calloc(m->rows * m->dimension, sizeof *rows);
  density_fixture t;
  density_fixture_init(&t, m->dimension, 0, 1, m->h, m->epsilon, 0);
  t.settings.method = SFM_DENSITY_LATTICE;
  t.settings.boundary = boundary;
  if (m->share < 1) t.settings.outside = SFM_OUTSIDE_DROP;
  t.settings.context.seeded = true;
  sfm_release *release = density_fixture_release(&t, rows, m->rows);
  density_fixture_clear(&t);
  free(rows);
  return release;
}

/* In place of the coefficients: those of other rows, without noise. */
static void set_rows(sfm_release *release, const double *rows, size_t count) {
  double *masses = lattice_masses(&release->function->lattice, rows, count);
  for (size_t i = 0; i < release->length; i++)
    release->integers[i] = llround(masses[i] / (release->step * release->factor));
  free(masses);
}

/* Squared errors against the estimate without privacy and against the shape. */
typedef struct errors {
  double estimate, shape;
} errors;

static void add_errors(errors *sum, const sfm_release *release, const double *estimate,
                       const double *truth) {
  static double values[PLANE * PLANE];
  const size_t points = points_of(release->dimension);
  renoise_values(values, release, points);
  sum->estimate += renoise_distance(values, estimate, release, points);
  sum->shape += renoise_distance(values, truth, release, points);
}

static sfm_release *refine(const sfm_release *release, sfm_refine_settings settings) {
  sfm_error error;
  sfm_release *refined;
  assert_ok(sfm_release_refine(&refined, release, &settings, &error), &error);
  return refined;
}

/* What lines between the points of a grid lose of a peak (docs/proofs/refine.md). */
static const double GRID = 1e-4;

static size_t draws_of(size_t dimension) {
  return test_long() ? 100 : dimension == 1 ? 6 : 3;
}

/* The errors of raw and refined releases with new noise, and of how many draws the refined one was
 * farther from the estimate. */
static size_t compare(errors *raw, errors *refined, sfm_release *release, const shape *s,
                      const making *m, sfm_refine_settings settings) {
  static double estimate[PLANE * PLANE], truth[PLANE * PLANE];
  const size_t kept = (size_t)llround(m->share * (double)m->rows);
  double *rows = draw_rows(s, kept, 17);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 23);
  fill_truth(truth, s, m->share);
  fill_estimate(estimate, rows, kept, m->rows, s->dimension, m->h, m->boundary);
  set_rows(release, rows, kept);
  *raw = *refined = (errors){0};
  size_t worse = 0;
  double largest = 0;
  for (size_t i = 0; i < values_of(s->dimension); i++) largest = fmax(largest, estimate[i]);
  for (size_t r = 0; r < draws_of(s->dimension); r++) {
    sfm_release *noisy = renoise(release, release->scale, &prng), *better = refine(noisy, settings);
    errors one = {0}, other = {0};
    add_errors(&one, noisy, estimate, truth);
    add_errors(&other, better, estimate, truth);
    raw->estimate += one.estimate;
    raw->shape += one.shape;
    refined->estimate += other.estimate;
    refined->shape += other.shape;
    worse += sqrt(other.estimate) > sqrt(one.estimate) + GRID * largest;
    sfm_release_destroy(noisy);
    sfm_release_destroy(better);
  }
  free(rows);
  return worse;
}

static const sfm_boundary boundaries[] = {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_REFLECT,
                                          SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_REFLECT};
static const struct {
  size_t rows;
  double epsilon;
} sizes[] = {{100, 0.1}, {1000, 1}, {10000, 0.1}, {30000, 4}};

static making making_of(size_t dimension, size_t boundary, size_t size) {
  const double n = (double)sizes[size].rows;
  return (making){.dimension = dimension,
                  .rows = sizes[size].rows,
                  .h = dimension == 1 ? 0.15 * pow(n, -0.2) : 0.2 * pow(n, -1.0 / 6),
                  .epsilon = sizes[size].epsilon,
                  .boundary = boundaries[boundary],
                  .share = boundary == 3 ? 0.7 : 1};
}

/* At most 1.05 times the root mean square error, against either; and on average
 * clearly less against the estimate. */
static void refining_makes_no_shape_worse(void **state) {
  (void)state;
  static const double MOST = 1.05;
  double gain = 0, most_near = 0, most_far = 0;
  size_t count = 0;
  for (size_t d = 1; d <= 2; d++)
    for (size_t b = 0; b < sizeof boundaries / sizeof *boundaries; b++)
      for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const making m = making_of(d, b, k);
        sfm_release *release = make(&m);
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
          errors raw, refined;
          if (shapes[i].dimension != d) continue;
          compare(&raw, &refined, release, &shapes[i], &m, sfm_refine_settings_default());
          const double near = sqrt(refined.estimate / raw.estimate),
                       far = sqrt(refined.shape / raw.shape);
          if (!(near <= MOST && far <= MOST))
            fail_msg("%s, boundary %zu, n = %zu, epsilon %g: %.3f of the error against the "
                     "estimate, %.3f against the shape",
                     shapes[i].name, b, m.rows, m.epsilon, near, far);
          gain += log(near);
          most_near = fmax(most_near, near);
          most_far = fmax(most_far, far);
          count++;
        }
        sfm_release_destroy(release);
      }
  assert_int_equal(count, 10 * 4 * 4);
  print_message("at most %.3f of the error against the estimate, %.3f against the shape; %.3f on "
                "average (geometric) against the estimate\n",
                most_near, most_far, exp(gain / (double)count));
  assert_true(exp(gain / (double)count) < 0.75);
}

/* The projection alone, with noise of every size: the estimate is among what it projects onto, so
 * no draw is worse, but for what the grid does not resolve. */
static void the_projection_makes_no_draw_worse(void **state) {
  (void)state;
  sfm_refine_settings settings = sfm_refine_settings_default();
  settings.shrink = false;
  for (size_t b = 0; b < sizeof boundaries / sizeof *boundaries; b++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      const making m = making_of(1, b, k);
      sfm_release *release = make(&m);
      for (size_t i = 0; i < 6; i++) {
        errors raw, refined;
        if (compare(&raw, &refined, release, &shapes[i], &m, settings) > 0)
          fail_msg("%s, boundary %zu, n = %zu: farther from the estimate", shapes[i].name, b,
                   m.rows);
      }
      sfm_release_destroy(release);
    }
}

/* What is asked for is done: an integral of one, far from an estimate that has lost mass. */
static void an_integral_of_one_is_had_for_the_asking(void **state) {
  (void)state;
  sfm_refine_settings settings = sfm_refine_settings_default();
  const making m = making_of(2, 0, 3);
  sfm_release *release = make(&m);
  errors raw, refined;
  settings.allow_missing = false;
  assert_true(sfm_release_may_lack_mass(release));
  compare(&raw, &refined, release, &shapes[6], &m, settings);
  assert_true(sqrt(refined.estimate / raw.estimate) > 3);
  sfm_release *one = refine(release, settings),
              *any = refine(release, sfm_refine_settings_default());
  assert_true(sfm_release_refinement(one).normalised && !sfm_release_refinement(any).normalised);
  sfm_release_destroy(one);
  sfm_release_destroy(any);
  sfm_release_destroy(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refining_makes_no_shape_worse),
      cmocka_unit_test(the_projection_makes_no_draw_worse),
      cmocka_unit_test(an_integral_of_one_is_had_for_the_asking),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
