/* test_torus_sums.c - the integer features: sums of rows' own integers, within their certificate,
 * and a sensitivity that neighbours approach and never pass. */
/* suite: both */
#include "lattice_rows.h"

#include "estimators/sums/torus_sums.h"
#include "planner/density/design_density.h"

static const sfm_boundary OPEN[4],
    REFLECT[4] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT,
                  SFM_BOUNDARY_REFLECT},
    MIXED[4] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_OPEN};

static void init_with(sfmi_torus_sums *spectrum, size_t d, double lower, double upper, double h,
                      const sfm_boundary *boundary) {
  double low[SFM_MAX_DIMENSION], high[SFM_MAX_DIMENSION], width[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < d; a++) low[a] = lower, high[a] = upper, width[a] = h;
  sfm_error error;
  assert_ok(sfmi_torus_sums_init(spectrum, low, high, width, boundary, d, &error), &error);
}

static void init(sfmi_torus_sums *spectrum, size_t d, double lower, double upper, double h) {
  init_with(spectrum, d, lower, upper, h, NULL);
}

static sfmi_i128 *features_of(const sfmi_torus_sums *spectrum, const double *rows, size_t count) {
  sfm_error error;
  sfmi_i128 *features, *sums = rowwise_sums(&spectrum->lattice, rows, count);
  assert_ok(sfmi_torus_sums_transform(spectrum, &features, sums, &error), &error);
  free(sums);
  return features;
}

static double unit(const sfmi_torus_sums *s) {
  return ldexp(1, -(int)(s->dimension * (s->lattice.bits + s->precision)));
}

static void the_sum_is_the_sum_of_rows(void **state) {
  (void)state;
  const sfm_boundary *const boundaries[] = {OPEN, REFLECT, MIXED};
  for (size_t i = 0; i < 6; i++) {
    const size_t d = 1 + i % 2;
    enum { N = 20 };
    double rows[2 * N];
    density_fixture_rows(rows, N, d, -1, 1, 12);
    rows[0] = -1;
    rows[d] = 1;
    sfmi_torus_sums spectrum;
    init_with(&spectrum, d, -1, 1, 0.3, boundaries[i / 2]);
    sfmi_i128 *whole = features_of(&spectrum, rows, N);
    sfmi_i128 *parts = calloc(spectrum.length, sizeof *parts);
    for (size_t r = 0; r < N; r++) {
      sfmi_i128 *one = features_of(&spectrum, rows + r * d, 1);
      for (size_t k = 0; k < spectrum.length; k++) parts[k] += one[k];
      free(one);
    }
    assert_memory_equal(whole, parts, spectrum.length * sizeof *whole);
    free(whole);
    free(parts);
  }
}

/* The linear map of one axis, as doubles: column k is what a row wholly at lattice point k has. */
typedef struct axis_map {
  const sfmi_torus_sums *spectrum;
  double *columns; /* features x points */
} axis_map;

static axis_map map_of(const sfmi_torus_sums *spectrum) {
  const size_t points = spectrum->lattice.length;
  axis_map map = {spectrum, calloc(spectrum->length * points, sizeof(double))};
  sfm_error error;
  for (size_t k = 0; k < points; k++) {
    sfmi_i128 *sums = calloc(points, sizeof *sums), *features;
    sums[k] = 1;
    assert_ok(sfmi_torus_sums_transform(spectrum, &features, sums, &error), &error);
    for (size_t j = 0; j < spectrum->length; j++)
      map.columns[j * points + k] = ldexp((double)features[j], -(int)spectrum->precision);
    free(sums);
    free(features);
  }
  return map;
}

/* phi~(x) in one dimension. */
static void approximate(const axis_map *map, double x, double *phi) {
  const sfmi_lattice *lattice = &map->spectrum->lattice;
  sfmi_i128 *sums = rowwise_sums(lattice, &x, 1);
  for (size_t j = 0; j < map->spectrum->length; j++) {
    phi[j] = 0;
    for (size_t k = 0; k < lattice->length; k++)
      phi[j] += map->columns[j * lattice->length + k] * ldexp((double)sums[k], -(int)lattice->bits);
  }
  free(sums);
}

/* phi(x) where bounds reflect, from the definition. */
static void exact_cosines(const sfmi_torus_sums *spectrum, double lower, double x, double *phi) {
  const sfmi_torus *torus = &spectrum->torus[0];
  const double u = (x - lower) / torus->period, t = torus->h / torus->period;
  double all = 1;
  for (int j = 1; j < 100000; j++) all += 2 * exp(-2 * M_PI * M_PI * (double)j * j * t * t);
  for (size_t j = 0; j <= torus->terms; j++)
    phi[j] = sqrt(exp(-2 * M_PI * M_PI * (double)(j * j) * t * t) / all) *
             (j ? M_SQRT2 * cos(2 * M_PI * (double)j * u) : 1);
}

/* phi(x), from the definition, with places measured from the lower bound. */
static void exact(const sfmi_torus_sums *spectrum, double lower, double x, double *phi) {
  const sfmi_torus *torus = &spectrum->torus[0];
  if (torus->reflects) {
    exact_cosines(spectrum, lower, x, phi);
    return;
  }
  double u = ((x - lower) + 8 * torus->h) / torus->period, t = torus->h / torus->period;
  for (size_t j = 0; j <= torus->terms; j++) {
    double size = sqrt(sqrt(2 * M_PI) * t * exp(-2 * M_PI * M_PI * (double)(j * j) * t * t));
    if (j == 0) {
      phi[0] = size;
    } else {
      phi[2 * j - 1] = M_SQRT2 * size * cos(2 * M_PI * (double)j * u);
      phi[2 * j] = M_SQRT2 * size * sin(2 * M_PI * (double)j * u);
    }
  }
}

static double distance(const double *x, const double *y, size_t length) {
  double sum = 0;
  for (size_t i = 0; i < length; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(sum);
}

static void the_certificate_holds(const sfm_boundary *boundary) {
  const double cases[][3] = {{0, 1, 0.1},
                             {0, 1, 0.02},
                             {0, 1, 1},
                             {0, 1, 10},
                             {-5, 3, 2},
                             {1e9, 1e9 + 1, 0.1},
                             {1e12, 1e12 + 1000, 30},
                             {-1e14, -1e14 + 1000, 30}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double lower = cases[i][0], upper = cases[i][1];
    sfmi_torus_sums spectrum;
    init_with(&spectrum, 1, lower, upper, cases[i][2], boundary);
    axis_map map = map_of(&spectrum);
    double *p = calloc(2 * spectrum.length, sizeof *p), *q = p + spectrum.length, worst = 0;
    for (int k = 0; k <= 2000; k++) {
      double x = fmin(lower + (upper - lower) * k / 2000.0, upper);
      approximate(&map, x, p);
      exact(&spectrum, lower, x, q);
      worst = fmax(worst, distance(p, q, spectrum.length));
    }
    /* Where the constant is nearly all there is, nothing is off. */
    const double reached = spectrum.torus[0].terms < 8 ? 0 : 0.5;
    if (!(worst <= spectrum.defect && worst >= reached * spectrum.defect))
      fail_msg("case %zu: |phi~ - phi| reaches %.4g, the certificate says %.4g", i, worst,
               spectrum.defect);
    assert_true(spectrum.defect < 2e-4);
    free(map.columns);
    free(p);
  }
}

static void the_certificate_holds_everywhere_and_is_nearly_reached(void **state) {
  (void)state;
  the_certificate_holds(OPEN);
}

static void the_certificate_holds_where_bounds_reflect(void **state) {
  (void)state;
  the_certificate_holds(REFLECT);
}

/* |phi~(x) - phi~(y)|^2 in d dimensions from the axes' inner products; y NULL: the zero row. */
static double moved(const axis_map *map, const double *x, const double *y, size_t d) {
  const size_t length = map->spectrum->length;
  double *p = calloc(2 * length, sizeof *p), *q = p + length, xx = 1, yy = y ? 1 : 0, xy = yy;
  for (size_t a = 0; a < d; a++) {
    double sxx = 0, syy = 0, sxy = 0;
    approximate(map, x[a], p);
    if (y) approximate(map, y[a], q);
    for (size_t j = 0; j < length; j++) {
      sxx += p[j] * p[j];
      syy += q[j] * q[j];
      sxy += p[j] * q[j];
    }
    xx *= sxx;
    yy *= syy;
    xy *= sxy;
  }
  free(p);
  return sqrt(xx + yy - 2 * xy);
}

/* The largest move found by random starts and hill-climbing over pairs. */
static double attack(const axis_map *map, size_t d, double lower, double upper, bool zero,
                     double *pair) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 13);
  double best = 0;
  for (int start = 0; start < 6; start++) {
    double x[4], value = 0, step = upper - lower;
    for (int i = 0; i < 150; i++) {
      double y[4];
      for (size_t a = 0; a < 2 * d; a++) {
        y[a] = i < 30 ? lower + (upper - lower) * sfmi_prng_uniform(&prng)
                      : x[a] + step * sfmi_prng_normal(&prng);
        y[a] = fmin(fmax(y[a], lower), upper);
      }
      double now = moved(map, y, zero ? NULL : y + d, d);
      if (now > value) {
        value = now;
        memcpy(x, y, sizeof x);
      } else if (i >= 30) {
        step *= 0.93;
      }
    }
    if (value > best) {
      best = value;
      memcpy(pair, x, sizeof x);
    }
  }
  return best;
}

static double claimed_with(size_t d, double lower, double upper, double h,
                           sfm_neighbours neighbours, uint32_t contributions,
                           const sfm_boundary *boundary) {
  density_fixture t;
  sfmi_design_density design;
  sfm_error error;
  density_fixture_init(&t, d, lower, upper, h, 1, 1e-6);
  density_fixture_neighbours(&t, neighbours, contributions);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.boundary = boundary;
  assert_ok(sfmi_design_density_init(&design, &t.settings, 100, &error), &error);
  density_fixture_clear(&t);
  return sfmi_design_density_spectrum_sensitivity(&design);
}

static double claimed(size_t d, double lower, double upper, double h, sfm_neighbours neighbours,
                      uint32_t contributions) {
  return claimed_with(d, lower, upper, h, neighbours, contributions, density_fixture_open);
}

static void neighbours_approach_the_sensitivity_and_never_pass_it(void **state) {
  (void)state;
  for (size_t d = 1; d <= 2; d++) {
    const double lower = -1, upper = 2, h = 0.3;
    sfmi_torus_sums axis, whole;
    double pair[4];
    init(&axis, 1, lower, upper, h);
    init(&whole, d, lower, upper, h);
    /* The axis of the product space has fewer bits than one alone. */
    axis.lattice.bits = whole.lattice.bits;
    axis.precision = whole.precision;
    axis_map map = map_of(&axis);
    for (int zero = 0; zero < 2; zero++) {
      sfm_neighbours neighbours = zero ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE;
      double one = claimed(d, lower, upper, h, neighbours, 1);
      double found = attack(&map, d, lower, upper, zero, pair);
      print_message("d = %zu, %s: %.6f of the claimed %.6f\n", d, zero ? "add-remove" : "replace",
                    found / one, one);
      assert_true(found <= one && found >= 0.99 * one);
      /* A row replaced by one that does not fit is a smaller move. */
      assert_true(attack(&map, d, lower, upper, true, pair) <=
                  claimed(d, lower, upper, h, SFM_NEIGHBOURS_REPLACE, 1));
      assert_relative("contributions multiply", claimed(d, lower, upper, h, neighbours, 7), 7 * one,
                      1e-12);
    }
    /* The worst pair again, through the integers themselves. */
    attack(&map, d, lower, upper, false, pair);
    sfmi_i128 *p = features_of(&whole, pair, 1), *q = features_of(&whole, pair + d, 1);
    double sum = 0;
    for (size_t i = 0; i < whole.length; i++) {
      double move = (double)(p[i] - q[i]) * unit(&whole);
      sum += move * move;
    }
    assert_relative("the map of axes is the transform", sqrt(sum), moved(&map, pair, pair + d, d),
                    1e-9);
    assert_true(sqrt(sum) <= claimed(d, lower, upper, h, SFM_NEIGHBOURS_REPLACE, 1));
    free(p);
    free(q);
    free(map.columns);
  }
}

/* Where bounds reflect the worst pair is a corner and the one across, and the longest row a corner,
 * for narrow bandwidths and for wide ones; without the images of the rows the claim would be
 * passed. */
static void neighbours_that_reflect_never_pass_the_sensitivity(void **state) {
  (void)state;
  const double widths[] = {0.1, 0.3, 1, 1.7, 6, 30};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    for (size_t d = 1; d <= 2; d++) {
      const double lower = -1, upper = 2, h = widths[i];
      sfmi_torus_sums axis, whole;
      double pair[4], found[2];
      init_with(&axis, 1, lower, upper, h, REFLECT);
      init_with(&whole, d, lower, upper, h, REFLECT);
      axis.lattice.bits = whole.lattice.bits;
      axis.precision = whole.precision;
      axis_map map = map_of(&axis);
      for (int zero = 0; zero < 2; zero++) {
        const double ends[] = {lower, lower, upper, upper};
        double corners[4];
        for (size_t a = 0; a < d; a++) corners[a] = ends[0], corners[d + a] = ends[3];
        found[zero] = fmax(attack(&map, d, lower, upper, zero, pair),
                           moved(&map, corners, zero ? NULL : corners + d, d));
      }
      const double replace = claimed_with(d, lower, upper, h, SFM_NEIGHBOURS_REPLACE, 1, REFLECT),
                   add = claimed_with(d, lower, upper, h, SFM_NEIGHBOURS_ADD_REMOVE, 1, REFLECT);
      print_message("reflect, h = %g, d = %zu: replace %.6f of %.6f, add-remove %.6f of %.6f\n", h,
                    d, fmax(found[0], found[1]) / replace, replace, found[1] / add, add);
      assert_true(fmax(found[0], found[1]) <= replace &&
                  fmax(found[0], found[1]) >= 0.998 * replace);
      assert_true(found[1] <= add && found[1] >= 0.998 * add);
      /* The same row as the kernel without images has it, in the same unit. */
      const double bare = sqrt(axis.torus[0].unit / (sqrt(2 * M_PI) * h));
      assert_true(found[1] > 1.4 * pow(bare, (double)d) * add);
      free(map.columns);
    }
}

/* One column reflects and one does not: corners of the first, and bounds of the second. */
static void mixed_neighbours_never_pass_the_sensitivity(void **state) {
  (void)state;
  enum { SIDE = 9 };
  sfmi_torus_sums whole;
  init_with(&whole, 2, 0, 1, 0.1, MIXED);
  assert_int_equal(whole.length, (whole.torus[0].terms + 1) * (2 * whole.torus[1].terms + 1));
  sfmi_i128 *all[SIDE * SIDE];
  double worst = 0, longest = 0;
  for (size_t i = 0; i < SIDE * SIDE; i++) {
    const double x[] = {(double)(i / SIDE) / (SIDE - 1), (double)(i % SIDE) / (SIDE - 1)};
    all[i] = features_of(&whole, x, 1);
  }
  for (size_t i = 0; i < SIDE * SIDE; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t k = 0; k < whole.length; k++) {
        /* i itself stands for the zero row. */
        const double move = (double)(all[i][k] - (j == i ? 0 : all[j][k])) * unit(&whole);
        sum += move * move;
      }
      *(j == i ? &longest : &worst) = fmax(j == i ? longest : worst, sqrt(sum));
    }
  const double replace = claimed_with(2, 0, 1, 0.1, SFM_NEIGHBOURS_REPLACE, 1, MIXED),
               add = claimed_with(2, 0, 1, 0.1, SFM_NEIGHBOURS_ADD_REMOVE, 1, MIXED);
  print_message("mixed: replace %.6f, add-remove %.6f of the claim\n", worst / replace,
                longest / add);
  assert_true(worst <= replace && worst >= 0.999 * replace);
  assert_true(longest <= add && longest >= 0.999 * add && longest <= replace);
  for (size_t i = 0; i < SIDE * SIDE; i++) free(all[i]);
}

/* A bound without the rows' own norm in it (pairs of domain points alone) would be too small when
 * the domain is narrow: there the zero row is the worst neighbour. */
static void a_narrow_domain_is_bounded_by_the_zero_row_too(void **state) {
  (void)state;
  sfmi_torus_sums axis;
  init(&axis, 1, 0, 1, 5);
  axis_map map = map_of(&axis);
  double pair[4], pairs = attack(&map, 1, 0, 1, false, pair),
                  zero = attack(&map, 1, 0, 1, true, pair);
  assert_true(pairs < 0.5 && zero > 0.99);
  assert_true(zero <= claimed(1, 0, 1, 5, SFM_NEIGHBOURS_REPLACE, 1));
  free(map.columns);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sum_is_the_sum_of_rows),
      cmocka_unit_test(the_certificate_holds_everywhere_and_is_nearly_reached),
      cmocka_unit_test(neighbours_approach_the_sensitivity_and_never_pass_it),
      cmocka_unit_test(the_certificate_holds_where_bounds_reflect),
      cmocka_unit_test(neighbours_that_reflect_never_pass_the_sensitivity),
      cmocka_unit_test(mixed_neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(a_narrow_domain_is_bounded_by_the_zero_row_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
