/* test_trig_polynomial_boundary.c - rings: what is released of rows on axes that reflect or wrap is
 * the density estimate with its images, within the stated error; nothing leaks over a bound. */
#include "density_fixture.h"

#include "data/batch/row_batch.h"
#include "lattice_masses.h"

#include "data/batch/row_batch.h"
#include "releases/core/release_kind.h"
#include "releases/band/band.h"
#include "releases/eval/trig_polynomial.h"
#include "releases/core/release_write.h"
#include "estimators/sums/torus_sums.h"
#include "boundary_reference.h"

/* A lattice of columns with bounds 2:3, 2:4, ... */
static void shape(sfm_release *release, size_t d, unsigned order, size_t cells, double h,
                  const sfm_boundary *boundary) {
  static sfmi_function_body body; /* one release at a time */
  *release = (sfm_release){
      .kind = &sfmi_density_kind, .dimension = d, .method = SFMI_LATTICE, .summed = 1};
  body = (sfmi_function_body){0};
  release->function = &body;
  release->function->lattice =
      (sfmi_lattice){.dimension = d, .order = order, .bits = 62 / (unsigned)d, .length = 1};
  if (release->function->lattice.bits > 24) release->function->lattice.bits = 24;
  for (size_t a = 0; a < d; a++) {
    release->lower[a] = 2;
    release->upper[a] = 3 + (double)a;
    release->function->bandwidth[a] = h * (1 + (double)a);
    release->boundary[a] = boundary[a];
    sfmi_lattice_set_axis(&release->function->lattice, a, release->lower[a], release->upper[a],
                          cells + a, boundary[a]);
    release->function->lattice.length *= release->function->lattice.axis[a].points;
  }
  release->length = release->function->lattice.length;
}

static sfmi_trig_poly *wave_of(const sfm_release *release, const double *rows, size_t count) {
  sfm_error error;
  sfmi_trig_poly *poly;
  double *coefficients = lattice_masses(&release->function->lattice, rows, count);
  assert_ok(sfmi_trig_poly_create(&poly, release, &error), &error);
  sfmi_trig_poly_load(poly, coefficients, 1 / (double)count);
  free(coefficients);
  return poly;
}

static double truth(const sfm_release *release, const double *rows, size_t count, const double *q) {
  return boundary_reference_density(rows, count, release->dimension, release->lower, release->upper,
                                    release->function->bandwidth, release->boundary, q);
}

/* Largest distance to the estimate on a grid, and the estimate's largest value. */
static double worst_error(const sfm_release *release, const double *rows, size_t count,
                          double *highest) {
  enum { GRID = 37 };
  sfmi_trig_poly *poly = wave_of(release, rows, count);
  const size_t d = release->dimension, side = d == 1 ? GRID : 17;
  double worst = 0, q[2], axes[2][GRID], *points[2] = {axes[0], axes[1]}, values[GRID * GRID];
  const size_t counts[] = {side, side};
  sfm_error error;
  *highest = 0;
  for (size_t a = 0; a < d; a++)
    for (size_t i = 0; i < side; i++)
      axes[a][i] = release->lower[a] +
                   (release->upper[a] - release->lower[a]) * (double)i / (double)(side - 1);
  assert_ok(sfmi_trig_poly_grid(poly, values, points, counts, &error), &error);
  for (size_t i = 0; i < (d == 1 ? side : side * side); i++) {
    q[0] = axes[0][d == 1 ? i : i / side];
    q[1] = axes[1][i % side];
    const double wanted = truth(release, rows, count, q);
    worst = fmax(worst, fabs(values[i] - wanted));
    *highest = fmax(*highest, wanted);
  }
  sfmi_trig_poly_destroy(poly);
  return worst;
}

static sfmi_alias stated(const sfm_release *release) {
  sfm_error error;
  sfmi_trig_poly *poly;
  sfmi_alias alias;
  assert_ok(sfmi_trig_poly_create(&poly, release, &error), &error);
  assert_ok(sfmi_band_alias(&alias, poly, &release->function->lattice, &error), &error);
  sfmi_trig_poly_destroy(poly);
  return alias;
}

/* Rows: clusters and a heap with some on both bounds; and a row alone, at a bound, at a lattice
 * point, in between. */
static void within(size_t d, unsigned order, size_t cells, double h, const sfm_boundary *boundary,
                   double *sharpest) {
  static double rows[600];
  sfm_release release;
  double highest;
  shape(&release, d, order, cells, h, boundary);
  const sfmi_alias alias = stated(&release);
  density_fixture_rows(rows, 60, d, 0, 1, 31);
  for (size_t i = 0; i < 60 * d; i++) rows[i] = 2 + rows[i] * (1 + (double)(i % d));
  for (size_t a = 0; a < d; a++) {
    rows[a] = release.lower[a];
    rows[d + a] = release.upper[a];
  }
  double off = worst_error(&release, rows, 60, &highest);
  if (!(off <= alias.peak && off <= alias.share * highest))
    fail_msg("d %zu, order %u, %zu cells, h %g, boundary %d: off by %.3g, stated %.3g, %.3g of %g",
             d, order, cells, h, boundary[0], off, alias.peak, alias.share, highest);
  assert_true(boundary[0] == SFM_BOUNDARY_OPEN || order == 2 || isfinite(alias.share));
  for (int place = 0; place < 4; place++) {
    double alone[2];
    for (size_t a = 0; a < d; a++) {
      const double s = release.function->lattice.axis[a].spacing;
      const double at[] = {0, 0.5 * s, s, release.upper[a] - release.lower[a]};
      alone[a] = release.lower[a] + at[place];
    }
    off = worst_error(&release, alone, 1, &highest);
    if (!(off <= alias.peak && off <= alias.share * highest * (1 + 1e-9)))
      fail_msg("alone: d %zu, order %u, %zu cells, h %g, boundary %d: off by %.3g, stated %.3g, "
               "%.3g of %g",
               d, order, cells, h, boundary[0], off, alias.peak, alias.share, highest);
    *sharpest = fmax(*sharpest, off / alias.peak);
  }
}

/* The cosines of a gp without noise, of columns as above. */
static double *spectrum_of(sfm_release *release, sfmi_torus_sums *spectrum, const double *rows,
                           size_t count) {
  sfm_error error;
  const size_t d = release->dimension;
  sfmi_i128 *features;
  assert_ok(sfmi_torus_sums_init(spectrum, release->lower, release->upper,
                                 release->function->bandwidth, release->boundary, d, &error),
            &error);
  release->method = SFMI_GP;
  release->function->engine = SFM_ENGINE_SPECTRAL;
  memcpy(release->function->torus, spectrum->torus, sizeof release->function->torus);
  release->length = spectrum->length;
  double *masses = lattice_masses(&spectrum->lattice, rows, count);
  sfmi_i128 *sums = calloc(spectrum->lattice.length, sizeof *sums);
  for (size_t i = 0; i < spectrum->lattice.length; i++)
    sums[i] = (sfmi_i128)ldexp(masses[i], (int)(d * spectrum->lattice.bits));
  assert_ok(sfmi_torus_sums_transform(spectrum, &features, sums, &error), &error);
  double *coefficients = calloc(spectrum->length, sizeof *coefficients);
  for (size_t i = 0; i < spectrum->length; i++)
    coefficients[i] =
        ldexp((double)features[i], -(int)(d * (spectrum->lattice.bits + spectrum->precision)));
  free(features);
  free(sums);
  free(masses);
  return coefficients;
}

/* Against the sum of kernels over all images, within the defect and within what a band takes for
 * it; the part of the bound that is reached. */
static double mirrored(const double *rows, size_t count, size_t d, double h,
                       const sfm_boundary *boundary) {
  enum { GRID = 21 };
  sfm_release release;
  sfmi_torus_sums spectrum;
  sfmi_trig_poly *poly;
  sfmi_alias alias;
  sfm_error error;
  shape(&release, d, 4, 1, h, boundary);
  double *coefficients = spectrum_of(&release, &spectrum, rows, count);
  double worst = 0, highest = 0, bound = spectrum.kappa * spectrum.defect + 1e-13;
  for (size_t a = 0; a < d; a++) bound /= spectrum.torus[a].unit;
  assert_ok(sfmi_trig_poly_create(&poly, &release, &error), &error);
  assert_ok(sfmi_band_alias(&alias, poly, &spectrum.lattice, &error), &error);
  sfmi_trig_poly_load(poly, coefficients, 1 / (double)count);
  for (size_t i = 0; i < (d == 1 ? GRID : GRID * GRID); i++) {
    double q[2];
    for (size_t a = 0; a < d; a++)
      q[a] = release.lower[a] +
             (release.upper[a] - release.lower[a]) * (double)(a ? i / GRID : i % GRID) / (GRID - 1);
    const double wanted = truth(&release, rows, count, q);
    worst = fmax(worst, fabs(sfmi_trig_poly_at(poly, q) - wanted));
    highest = fmax(highest, wanted);
  }
  if (!(worst <= bound && worst <= alias.peak && worst <= alias.share * highest * (1 + 1e-9)))
    fail_msg("gp, d %zu, h %g: off by %.3g, stated %.3g, %.3g, %.3g of %g", d, h, worst, bound,
             alias.peak, alias.share, highest);
  sfmi_trig_poly_destroy(poly);
  free(coefficients);
  return worst / bound;
}

static void processes_are_the_estimate_with_its_images(void **state) {
  (void)state;
  static double rows[600];
  static const sfm_boundary pairs[][2] = {{SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT},
                                          {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_OPEN},
                                          {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_REFLECT}};
  const double hs[] = {0.06, 0.15, 0.5, 1.5, 9};
  for (size_t d = 1; d <= 2; d++)
    for (size_t b = 0; b < (d == 1 ? 1 : 3); b++) {
      double sharpest = 0;
      for (size_t k = 0; k < 5; k++) {
        if (d == 2 && k == 0) continue;
        density_fixture_rows(rows, 60, d, 0, 1, 31);
        for (size_t i = 0; i < 60 * d; i++) rows[i] = 2 + rows[i] * (1 + (double)(i % d));
        for (size_t a = 0; a < d; a++) {
          rows[a] = 2;
          rows[d + a] = 3 + (double)a;
        }
        mirrored(rows, 60, d, hs[k], pairs[b]);
        for (int place = 0; place < 3; place++) {
          const double alone[] = {2 + 0.5 * place, 2 + place};
          sharpest = fmax(sharpest, mirrored(alone, 1, d, hs[k], pairs[b]));
        }
      }
      print_message("gp, d = %zu, boundaries %zu: %.2f of the bound\n", d, b, sharpest);
      assert_true(sharpest > 0.05);
    }
}

static void rings_are_the_estimate_with_its_images(void **state) {
  (void)state;
  static const sfm_boundary pairs[][2] = {{SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT},
                                          {SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC},
                                          {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_PERIODIC},
                                          {SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_OPEN},
                                          {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_REFLECT}};
  const double hs[] = {0.06, 0.15, 0.5, 1.5, 9};
  for (size_t d = 1; d <= 2; d++)
    for (size_t b = 0; b < (d == 1 ? 2 : 5); b++)
      for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++) {
        double sharpest = 0;
        for (size_t k = 0; k < 5; k++) {
          /* Spacings of about a half and one bandwidth, odd and even. */
          const double fit = 1 / hs[k];
          if (d == 2 && (k == 0 || k == 3)) continue;
          within(d, order, (size_t)ceil(fit), hs[k], pairs[b], &sharpest);
          within(d, order, (size_t)ceil(fit) + 1, hs[k], pairs[b], &sharpest);
          within(d, order, (size_t)ceil(2 * fit) + 1, hs[k], pairs[b], &sharpest);
        }
        assert_true(sharpest > 0.05); /* the bound is not idle */
      }
}

/* Where the bandwidth is wider than the ring one number is the whole density, and the stated error
 * says so: it is what the kernel's first frequency has, and the doubles. */
static void flat_rings_are_nearly_exact(void **state) {
  (void)state;
  static const sfm_boundary kinds[] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_PERIODIC};
  for (size_t b = 0; b < 2; b++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++) {
      sfm_release release;
      double sharpest = 0;
      shape(&release, 1, order, 1, 2, &kinds[b]);
      const sfmi_alias alias = stated(&release);
      const double rounded = ldexp(order, -24);
      if (!(alias.peak < 1e-6 + rounded && alias.share < 1e-6 + rounded))
        fail_msg("order %u: %.3g, %.3g", order, alias.peak, alias.share);
      within(1, order, 1, 2, &kinds[b], &sharpest);
    }
}

/* The integral over the domain of each axis' modes is that of their mean: by the trapezoid rule,
 * which is exact for trigonometric polynomials of this degree. */
static void the_mass_inside_is_one(void **state) {
  (void)state;
  enum { GRID = 65 };
  static double rows[600], values[GRID * GRID], axes[2][GRID];
  static const sfm_boundary pairs[][2] = {{SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_PERIODIC},
                                          {SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_REFLECT},
                                          {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT}};
  const size_t counts[] = {GRID, GRID};
  for (size_t d = 1; d <= 2; d++)
    for (size_t b = 0; b < 3; b++)
      for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
        for (size_t cells = 1; cells <= 21; cells += 4) {
          sfm_release release;
          sfm_error error;
          double *points[2] = {axes[0], axes[1]}, sum = 0;
          shape(&release, d, order, cells, 0.07, pairs[b]);
          density_fixture_rows(rows, 100, d, 0, 1, 32);
          for (size_t i = 0; i < 100 * d; i++) rows[i] = 2 + rows[i] * (1 + (double)(i % d));
          rows[0] = 2;
          sfmi_trig_poly *poly = wave_of(&release, rows, 100);
          for (size_t a = 0; a < d; a++)
            for (size_t i = 0; i < GRID; i++)
              axes[a][i] = release.lower[a] + (1 + (double)a) * (double)i / (GRID - 1);
          assert_ok(sfmi_trig_poly_grid(poly, values, points, counts, &error), &error);
          for (size_t i = 0; i < (d == 1 ? GRID : GRID * GRID); i++) {
            const size_t x = d == 1 ? i : i / GRID, y = i % GRID;
            double weight = (x == 0 || x == GRID - 1 ? 0.5 : 1) / (GRID - 1);
            if (d == 2) weight *= 2 * (y == 0 || y == GRID - 1 ? 0.5 : 1) / (GRID - 1);
            sum += weight * values[i];
          }
          assert_near("mass", sum, 1, 1e-12);
          sfmi_trig_poly_destroy(poly);
        }
}

/* People spread evenly: flat up to the bounds, but for an open axis, which shows half of them
 * there. */
static void even_rows_are_flat_up_to_the_bounds(void **state) {
  (void)state;
  enum { N = 4000 };
  static double rows[N];
  for (size_t i = 0; i < N; i++) rows[i] = 2 + ((double)i + 0.5) / N;
  for (int b = SFM_BOUNDARY_OPEN; b <= SFM_BOUNDARY_PERIODIC; b++)
    for (unsigned order = 3; order <= SFMI_SPLINE_MAX; order++) {
      const sfm_boundary boundary[] = {(sfm_boundary)b};
      sfm_release release;
      shape(&release, 1, order, 25, 0.05, boundary);
      sfmi_trig_poly *poly = wave_of(&release, rows, N);
      for (int i = 0; i <= 200; i++) {
        const double q = 2 + i / 200.0;
        const bool edge = i == 0 || i == 200;
        if (b != SFM_BOUNDARY_OPEN) assert_near("flat", sfmi_trig_poly_at(poly, &q), 1, 1e-3);
        if (b == SFM_BOUNDARY_OPEN && edge)
          assert_near("open", sfmi_trig_poly_at(poly, &q), 0.5, 1e-2);
      }
      sfmi_trig_poly_destroy(poly);
    }
}

/* f and f' on both sides of a bound. */
static void a_ring_has_no_seam(void **state) {
  (void)state;
  static double rows[200];
  density_fixture_rows(rows, 200, 1, 2, 3, 33);
  for (size_t i = 0; i < 60; i++) rows[i] = i % 2 ? 2.01 + 1e-3 * (double)i : 2.99;
  for (int b = SFM_BOUNDARY_REFLECT; b <= SFM_BOUNDARY_PERIODIC; b++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
      for (size_t cells = 14; cells <= 15; cells++) {
        const sfm_boundary boundary[] = {(sfm_boundary)b};
        sfm_release release;
        shape(&release, 1, order, cells, 0.08, boundary);
        sfmi_trig_poly *poly = wave_of(&release, rows, 200);
        const double e = 1e-4;
        double at[4] = {2, 2 + e, 3 - e, 3}, f[4];
        for (int i = 0; i < 4; i++) f[i] = sfmi_trig_poly_at(poly, &at[i]);
        const double left = (f[1] - f[0]) / e, right = (f[3] - f[2]) / e;
        if (b == SFM_BOUNDARY_PERIODIC) {
          assert_near("value across", f[3], f[0], 1e-11);
          assert_near("slope across", right, left, 0.05 * (1 + fabs(left)));
          assert_true(fabs(left) > 1); /* not flat there, so that it says something */
        } else {
          assert_near("slope at the lower bound", left, 0, 0.05);
          assert_near("slope at the upper bound", right, 0, 0.05);
          assert_true(fabs(f[3] - f[0]) > 0.1);
        }
        sfmi_trig_poly_destroy(poly);
      }
}

/* Tables and gathered points are the polynomial, on rings of few and many modes, odd and even. */
static void evaluators_agree_on_rings(void **state) {
  (void)state;
  enum { N = 30000 };
  static double rows[600], points[3 * N], values[N];
  static const sfm_boundary mixed[] = {SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_REFLECT,
                                       SFM_BOUNDARY_OPEN};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 34);
  for (size_t d = 1; d <= 3; d++)
    for (int swap = 0; swap < 2; swap++)
      for (size_t k = 0; k < 3; k++) {
        const double hs[] = {0.1, 0.4, 5};
        const sfm_boundary boundary[] = {mixed[swap], mixed[1 - swap],
                                         d == 3 && k < 2 ? SFM_BOUNDARY_OPEN
                                                         : SFM_BOUNDARY_REFLECT};
        density_fixture t;
        sfm_error error;
        sfm_evaluator *evaluator;
        density_fixture_init(&t, d, 0, 1, hs[k], 1, 0);
        if (d == 3 && k == 0) t.bandwidth[0] = t.bandwidth[1] = t.bandwidth[2] = 0.25;
        t.settings.boundary = boundary;
        t.settings.context.seeded = true;
        density_fixture_rows(rows, 200, d, 0, 1, 35);
        sfm_release *release = density_fixture_release(&t, rows, 200);
        const size_t count = d == 3 ? 300 : N;
        for (size_t i = 0; i < count * d; i++)
          points[i] = i < 2 * d ? (double)(i / d) : sfmi_prng_uniform(&prng);
        assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
        assert_ok(sfm_evaluator_at(evaluator, values, points, count, &error), &error);
        double largest = 1;
        for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
        for (size_t i = 0; i < count; i += i < 20 ? 1 : 197) {
          double one;
          assert_ok(sfm_evaluator_at(evaluator, &one, points + i * d, 1, &error), &error);
          assert_near("table or gathered", values[i], one, 1e-8 * largest);
        }
        sfm_evaluator_destroy(evaluator);
        sfm_release_destroy(release);
        density_fixture_clear(&t);
      }
}

/* The file keeps the boundaries, and what is read from it is the same function with the same
 * band. */
static void files_keep_boundaries(void **state) {
  (void)state;
  static double rows[200];
  static const sfm_boundary boundary[] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_PERIODIC};
  density_fixture t;
  sfm_error error;
  sfm_release *back;
  char *bytes;
  size_t length;
  density_fixture_init(&t, 2, 0, 1, 0.2, 1, 1e-6);
  t.settings.boundary = boundary;
  t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
  density_fixture_rows(rows, 100, 2, 0, 1, 36);
  sfm_release *release = density_fixture_release(&t, rows, 100);
  assert_int_equal(release->law, SFM_NOISE_LAW_ROUNDED_NORMAL);
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  assert_ok(sfm_release_parse(&back, bytes, length, "back", &error), &error);
  for (size_t a = 0; a < 2; a++) assert_int_equal(sfm_release_boundary(back, a), boundary[a]);
  assert_int_equal(back->guarantee.kind, SFM_GUARANTEE_GDP);
  sfm_band band;
  assert_ok(sfm_release_band_at(back, &band, release->band.confidence, &error), &error);
  assert_true(band.half_width == release->band.half_width &&
              band.pointwise == release->band.pointwise);
  sfm_evaluator *one, *two;
  assert_ok(sfm_evaluator_create(&one, release, 0, &error), &error);
  assert_ok(sfm_evaluator_create(&two, back, 0, &error), &error);
  const double q[2] = {0.3, 1};
  double u, v;
  assert_ok(sfm_evaluator_at(one, &u, q, 1, &error), &error);
  assert_ok(sfm_evaluator_at(two, &v, q, 1, &error), &error);
  assert_true(u == v);
  /* A boundary on what cannot have one is refused. */
  char *word = strstr(bytes, "\"boundary\": \"reflect\"");
  assert_non_null(word);
  memcpy(word, "\"boundary\": \"deflect\"", strlen("\"boundary\": \"reflect\""));
  sfm_release *bad;
  assert_int_equal(sfm_release_parse(&bad, bytes, length, "bad", &error), SFM_FORMAT);
  sfm_evaluator_destroy(one);
  sfm_evaluator_destroy(two);
  sfm_release_destroy(release);
  sfm_release_destroy(back);
  free(bytes);
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rings_are_the_estimate_with_its_images),
      cmocka_unit_test(processes_are_the_estimate_with_its_images),
      cmocka_unit_test(flat_rings_are_nearly_exact),
      cmocka_unit_test(the_mass_inside_is_one),
      cmocka_unit_test(even_rows_are_flat_up_to_the_bounds),
      cmocka_unit_test(a_ring_has_no_seam),
      cmocka_unit_test(evaluators_agree_on_rings),
      cmocka_unit_test(files_keep_boundaries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
