/* test_trig_polynomial.c - releases without noise are the kernel density estimate, within their
 * stated error.
 */
#include "density_fixture.h"

#include "data/batch/row_batch.h"
#include "lattice_masses.h"

#include "data/batch/row_batch.h"
#include "estimators/sums/torus_sums.h"
#include "releases/core/release_kind.h"
#include "releases/band/band.h"
#include "releases/eval/trig_polynomial.h"

static void geometry(sfm_release *release, size_t d, double lower, double upper, double h) {
  static sfmi_function_body body; /* one release at a time */
  *release = (sfm_release){.kind = &sfmi_density_kind, .dimension = d};
  body = (sfmi_function_body){0};
  release->function = &body;
  for (size_t a = 0; a < d; a++) {
    release->lower[a] = lower;
    release->upper[a] = upper + (double)a; /* axes of different lengths */
    release->function->bandwidth[a] = h;
  }
}

/* Largest |polynomial - density estimate| over a grid of the domain. */
static double worst_error(const sfm_release *release, const double *coefficients,
                          const double *rows, size_t count) {
  sfm_error error;
  sfmi_trig_poly *poly;
  assert_ok(sfmi_trig_poly_create(&poly, release, &error), &error);
  sfmi_trig_poly_load(poly, coefficients, 1 / (double)count);
  enum { GRID = 41 };
  const size_t d = release->dimension;
  double x[2], worst = 0, axes[2][GRID], *points[2] = {axes[0], axes[1]}, values[GRID * GRID];
  size_t counts[2] = {GRID, GRID};
  for (size_t a = 0; a < d; a++)
    for (size_t i = 0; i < GRID; i++)
      axes[a][i] =
          release->lower[a] + (release->upper[a] - release->lower[a]) * (double)i / (GRID - 1);
  assert_ok(sfmi_trig_poly_grid(poly, values, points, counts, &error), &error);
  for (size_t i = 0; i < GRID * (d == 2 ? GRID : 1); i++) {
    x[0] = axes[0][d == 2 ? i / GRID : i];
    if (d == 2) x[1] = axes[1][i % GRID];
    double wanted = density_fixture_density(rows, count, d, release->function->bandwidth, x);
    worst = fmax(worst, fabs(values[i] - wanted));
    if (i % 97 == 0) assert_near("at = grid", sfmi_trig_poly_at(poly, x), values[i], 1e-12);
  }
  sfmi_trig_poly_destroy(poly);
  return worst;
}

/* The stated bounds: sup over all rows, and the share of the largest value. */
static sfmi_alias stated(const sfm_release *release, const sfmi_lattice *spread) {
  sfm_error error;
  sfmi_trig_poly *poly;
  sfmi_alias alias;
  assert_ok(sfmi_trig_poly_create(&poly, release, &error), &error);
  assert_ok(sfmi_band_alias(&alias, poly, spread, &error), &error);
  sfmi_trig_poly_destroy(poly);
  return alias;
}

/* Largest value of the density estimate, on a grid that misses little of it. */
static double highest(const sfm_release *release, const double *rows, size_t count) {
  enum { GRID = 101 };
  const size_t d = release->dimension;
  double largest = 0, x[2];
  for (size_t i = 0; i < GRID * (d == 2 ? GRID : 1); i++) {
    size_t at[2] = {d == 2 ? i / GRID : i, i % GRID};
    for (size_t a = 0; a < d; a++)
      x[a] =
          release->lower[a] + (release->upper[a] - release->lower[a]) * (double)at[a] / (GRID - 1);
    largest =
        fmax(largest, density_fixture_density(rows, count, d, release->function->bandwidth, x));
  }
  return largest;
}

/* rows: many, and one alone at a lattice point, where aliases meet in phase. */
static void lattices_are_within_their_error(void **state) {
  (void)state;
  static double rows[600];
  for (size_t d = 1; d <= 2; d++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
      for (size_t cells = 5; cells <= 45; cells += 10) {
        const double h = 0.1;
        sfm_release release;
        geometry(&release, d, 0, 1, h);
        release.method = SFMI_LATTICE;
        release.function->lattice =
            (sfmi_lattice){.dimension = d, .order = order, .bits = 24, .length = 1};
        for (size_t a = 0; a < d; a++) {
          sfmi_lattice_set_axis(&release.function->lattice, a, release.lower[a], release.upper[a],
                                cells * (a + 1), SFM_BOUNDARY_OPEN);
          release.function->lattice.length *= release.function->lattice.axis[a].points;
        }
        release.length = release.function->lattice.length;
        const sfmi_alias alias = stated(&release, &release.function->lattice);
        const double bound = alias.peak;
        density_fixture_rows(rows, 300, d, 0, 1, 14);
        double *many = lattice_masses(&release.function->lattice, rows, 300);
        double off = worst_error(&release, many, rows, 300);
        assert_true(off <= bound);
        assert_true(off <= alias.share * highest(&release, rows, 300));
        assert_true(order == 2 || isfinite(alias.share));
        double alone[2] = {release.function->lattice.axis[0].spacing * 2,
                           d == 2 ? 2.0 * 2 / (double)(2 * cells) : 0};
        double *one = lattice_masses(&release.function->lattice, alone, 1);
        off = fmax(off, worst_error(&release, one, alone, 1));
        if (!(off <= bound && off >= 0.05 * bound))
          fail_msg("d %zu, order %u, %zu cells: off by %.3g, stated %.3g", d, order, cells, off,
                   bound);
        assert_true(worst_error(&release, one, alone, 1) <=
                    alias.share * highest(&release, alone, 1) * (1 + 1e-9));
        free(many);
        free(one);
      }
}

static void spectra_are_within_their_defect(void **state) {
  (void)state;
  static double rows[400];
  for (size_t d = 1; d <= 2; d++) {
    const double h = d == 1 ? 0.05 : 0.3;
    sfm_error error;
    sfm_release release;
    geometry(&release, d, -1, 1, h);
    release.method = SFMI_GP;
    sfmi_torus_sums spectrum;
    assert_ok(sfmi_torus_sums_init(&spectrum, release.lower, release.upper,
                                   release.function->bandwidth, NULL, d, &error),
              &error);
    memcpy(release.function->torus, spectrum.torus, sizeof release.function->torus);
    release.length = spectrum.length;
    density_fixture_rows(rows, 200, d, -1, 1, 15);
    double *lattice = lattice_masses(&spectrum.lattice, rows, 200);
    sfmi_i128 *sums = calloc(spectrum.lattice.length, sizeof *sums), *features;
    const int bits = (int)(d * spectrum.lattice.bits);
    for (size_t i = 0; i < spectrum.lattice.length; i++)
      sums[i] = (sfmi_i128)ldexp(lattice[i], bits);
    assert_ok(sfmi_torus_sums_transform(&spectrum, &features, sums, &error), &error);
    double *coefficients = calloc(spectrum.length, sizeof *coefficients);
    for (size_t i = 0; i < spectrum.length; i++)
      coefficients[i] =
          ldexp((double)features[i], -(int)(d * (spectrum.lattice.bits + spectrum.precision)));
    double kernel = pow(1 / (sqrt(2 * M_PI) * h), (double)d);
    double bound = kernel * spectrum.kappa * spectrum.defect + 1e-14 * kernel;
    double off = worst_error(&release, coefficients, rows, 200);
    const sfmi_alias alias = stated(&release, &spectrum.lattice);
    assert_true(off <= alias.peak);
    assert_true(off <= alias.share * highest(&release, rows, 200));
    if (!(off <= bound && off >= 1e-3 * bound))
      fail_msg("d %zu: off by %.3g, stated %.3g", d, off, bound);
    free(lattice);
    free(sums);
    free(features);
    free(coefficients);
  }
}

/* A polynomial's coefficients belong to a real function, and padding samples it. */
static void padding_samples_the_wave(void **state) {
  (void)state;
  sfm_error error;
  sfm_release release;
  geometry(&release, 1, 10, 12, 0.2);
  release.method = SFMI_LATTICE;
  release.function->lattice = (sfmi_lattice){.dimension = 1, .order = 3, .bits = 20};
  sfmi_lattice_set_axis(&release.function->lattice, 0, 10, 12, 11, SFM_BOUNDARY_OPEN);
  release.length = release.function->lattice.length = release.function->lattice.axis[0].points;
  double coefficients[16], x;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 16);
  for (size_t i = 0; i < release.length; i++) coefficients[i] = sfmi_prng_normal(&prng);
  sfmi_trig_poly *poly;
  assert_ok(sfmi_trig_poly_create(&poly, &release, &error), &error);
  sfmi_trig_poly_load(poly, coefficients, 1);
  const size_t P = poly->modes[0], shape = sfmi_fft_size(3 * P);
  for (size_t j = 1; j <= P / 2; j++) assert_true(cabs(poly->c[j] - conj(poly->c[P - j])) < 1e-12);
  sfmi_fft *fft;
  assert_ok(sfmi_fft_create(&fft, &shape, 1, &error), &error);
  sfmi_trig_poly_pad(poly, fft, &shape, NULL);
  sfmi_fft_backward(fft);
  for (size_t k = 0; k < shape; k++) {
    x = poly->lower[0] - poly->margin[0] + (double)k * poly->period[0] / (double)shape;
    assert_near("sample", creal(sfmi_fft_data(fft)[k]), sfmi_trig_poly_at(poly, &x), 1e-11);
    assert_true(fabs(cimag(sfmi_fft_data(fft)[k])) < 1e-11);
  }
  sfmi_fft_destroy(fft);
  sfmi_trig_poly_destroy(poly);
}

static void lattices_that_would_not_fit_are_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_release release;
  geometry(&release, 2, 0, 1, 5);
  release.method = SFMI_LATTICE;
  release.function->lattice = (sfmi_lattice){.dimension = 2, .order = 2, .bits = 20};
  sfmi_lattice_set_axis(&release.function->lattice, 0, 0, 1, 1000, SFM_BOUNDARY_OPEN);
  sfmi_lattice_set_axis(&release.function->lattice, 1, 0, 2, 1000, SFM_BOUNDARY_OPEN);
  sfmi_trig_poly *poly;
  assert_int_equal(sfmi_trig_poly_create(&poly, &release, &error), SFM_FORMAT);
  assert_null(poly);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lattices_are_within_their_error),
      cmocka_unit_test(spectra_are_within_their_defect),
      cmocka_unit_test(padding_samples_the_wave),
      cmocka_unit_test(lattices_that_would_not_fit_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
