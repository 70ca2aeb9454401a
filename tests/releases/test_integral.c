/* test_integral.c - weights of integrals are those of the function, and no row can pass the bound
 * on what is not noise. */
#include "estimators/lattice_rows.h"
#include "kernel_estimate.h"

#include "estimators/sums/torus_sums.h"
#include "releases/query/integral.h"

static const sfmi_integrand integrands[] = {{SFMI_INTEGRAND_INTERVAL, 2, 4.5},
                                            {SFMI_INTEGRAND_INTERVAL, 5.1, 5.3},
                                            {SFMI_INTEGRAND_INTERVAL, 2, 7},
                                            {SFMI_INTEGRAND_RAMP, 0, 0}};
enum { SIDES = sizeof integrands / sizeof *integrands };

/* Rows within [2, 7].  order 0: gp, or where there are cells, so many frequencies of
 * fourier-laplace. */
static sfm_release *make(unsigned order, sfm_boundary boundary, double h, size_t cells) {
  double rows[20];
  density_fixture t;
  density_fixture_rows(rows, 20, 1, 2, 7, 3);
  density_fixture_init(&t, 1, 2, 7, h, 1, order || cells ? 0 : 1e-6);
  t.settings.method = order   ? SFM_DENSITY_LATTICE
                      : cells ? SFM_DENSITY_FOURIER_LAPLACE
                              : SFM_DENSITY_GP;
  t.settings.terms = order ? 0 : cells;
  t.settings.boundary = &boundary;
  t.settings.context.seeded = true;
  sfm_release *release = density_fixture_release(&t, rows, 20);
  density_fixture_clear(&t);
  if (order) {
    sfmi_lattice *lattice = &release->function->lattice;
    lattice->order = order;
    sfmi_lattice_set_axis(lattice, 0, 2, 7, cells, boundary);
    lattice->length = release->length = lattice->axis[0].points;
    release->integers = realloc(release->integers, release->length * sizeof *release->integers);
    for (size_t i = 0; i < release->length; i++)
      release->integers[i] = (int64_t)((i * 7919 + 11) % 1013) << 20;
  }
  return release;
}

static double apply(const double *weights, const double *coefficients, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += weights[i] * coefficients[i];
  return sum;
}

/* Against Simpson's rule on the function. */
static double simpson(const sfmi_trig_poly *poly, sfmi_integrand integrand, double lower,
                      double upper) {
  enum { STEPS = 4000 };
  const bool ramp = integrand.kind == SFMI_INTEGRAND_RAMP;
  const double from = ramp ? lower : integrand.from, to = ramp ? upper : integrand.to;
  double sum = 0;
  for (int i = 0; i <= STEPS; i++) {
    const double q = from + (to - from) * i / STEPS;
    const double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
    sum += weight * sfmi_trig_poly_at(poly, &q) * (ramp ? (q - lower) / (upper - lower) : 1);
  }
  return sum * (to - from) / (3 * STEPS);
}

static void weights_are_those(unsigned order, sfm_boundary boundary, double h, size_t cells) {
  sfm_error error;
  sfmi_integral integral;
  sfm_release *release = make(order, boundary, h, cells);
  assert_ok(sfmi_integral_init(&integral, release, &error), &error);
  const size_t size = sfmi_integral_size(&integral, 0);
  assert_int_equal(size, release->length);
  double *weights = calloc((SIDES + 2) * size, sizeof *weights);
  double *coefficients = calloc(size, sizeof *coefficients);
  sfmi_integrand all[SIDES + 2];
  memcpy(all, integrands, sizeof integrands);
  all[SIDES] = (sfmi_integrand){SFMI_INTEGRAND_POINT, 3.3, 3.3};
  all[SIDES + 1] = (sfmi_integrand){.kind = SFMI_INTEGRAND_ALL};
  assert_ok(sfmi_integral_weights(&integral, 0, weights, all, SIDES + 2, &error), &error);
  for (size_t i = 0; i < size; i++) coefficients[i] = sfm_release_coefficient(release, i);
  sfmi_trig_poly_load(integral.poly, coefficients, 1);
  const double scale = fabs(apply(weights + 2 * size, coefficients, size)) + 1;
  for (size_t k = 0; k < SIDES; k++)
    assert_near("integral", apply(weights + k * size, coefficients, size),
                simpson(integral.poly, integrands[k], 2, 7), 1e-9 * scale);
  const double q = 3.3;
  assert_near("value", apply(weights + SIDES * size, coefficients, size),
              sfmi_trig_poly_at(integral.poly, &q), 1e-9 * scale);
  const double total = apply(weights + (SIDES + 1) * size, coefficients, size);
  if (!integral.quiet) release->has_rows = false; /* so that the total is the noisy one */
  assert_near("all", total, sfmi_release_total(release), 1e-9 * scale);
  free(weights);
  free(coefficients);
  sfmi_integral_clear(&integral);
  sfm_release_destroy(release);
}

static void weights_are_those_of_the_function(void **state) {
  (void)state;
  for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
    for (int b = 0; b < 3; b++) {
      weights_are_those(order, (sfm_boundary)b, 0.5, 12);
      weights_are_those(order, (sfm_boundary)b, 0.5, 11);
    }
  weights_are_those(0, SFM_BOUNDARY_OPEN, 0.5, 0);
  weights_are_those(0, SFM_BOUNDARY_REFLECT, 0.5, 0);
  weights_are_those(0, SFM_BOUNDARY_REFLECT, 4, 0);
  weights_are_those(0, SFM_BOUNDARY_OPEN, 0.5, 7);
  weights_are_those(0, SFM_BOUNDARY_PERIODIC, 0.5, 4);
}

/* A row's coefficients without noise. */
static void row_coefficients(double *out, const sfm_release *release, double x) {
  if (release->method == SFMI_LATTICE) {
    sfmi_i128 *sums = rowwise_sums(&release->function->lattice, &x, 1);
    for (size_t i = 0; i < release->length; i++)
      out[i] = (double)sums[i] * ldexp(1, -(int)release->function->lattice.bits);
    free(sums);
    return;
  }
  sfm_error error;
  sfmi_torus_sums spectrum;
  sfmi_i128 *features;
  if (release->method == SFMI_FOURIER_LAPLACE)
    sfmi_torus_sums_init_flat(&spectrum, release->lower, release->upper, release->function->torus,
                              1, (double)release->rows);
  else
    assert_ok(sfmi_torus_sums_init(&spectrum, release->lower, release->upper,
                                   release->function->bandwidth, release->boundary, 1, &error),
              &error);
  sfmi_i128 *sums = rowwise_sums(&spectrum.lattice, &x, 1);
  assert_ok(sfmi_torus_sums_transform(&spectrum, &features, sums, &error), &error);
  for (size_t i = 0; i < release->length; i++)
    out[i] = (double)features[i] * ldexp(1, -(int)(spectrum.lattice.bits + spectrum.precision));
  free(sums);
  free(features);
}

static double exact(const truth *t, sfmi_integrand integrand) {
  return integrand.kind == SFMI_INTEGRAND_RAMP
             ? truth_ramp(t)
             : truth_below(t, integrand.to) - truth_below(t, integrand.from);
}

/* The largest part of the bound that rows reach. */
static double attack(unsigned order, sfm_boundary boundary, double h, size_t cells) {
  enum { PHASES = 300 };
  sfm_error error;
  sfmi_integral integral;
  sfm_release *release = make(order, boundary, h, cells);
  assert_ok(sfmi_integral_init(&integral, release, &error), &error);
  const size_t size = release->length;
  double *weights = calloc(SIDES * size, sizeof *weights), worst = 0;
  double *coefficients = calloc(size, sizeof *coefficients), bounds[SIDES][2];
  assert_ok(sfmi_integral_weights(&integral, 0, weights, integrands, SIDES, &error), &error);
  for (size_t k = 0; k < SIDES; k++)
    for (int less = 0; less < 2; less++)
      bounds[k][less] = sfmi_integral_error(&integral, 0, integrands[k], less);
  for (int i = 0; i <= PHASES; i++) {
    const double x = i == PHASES ? 7 : 2 + 5 * fmod(i * 0.6180339887, 1);
    const truth t = {&x, 1, 2, 7, h, boundary};
    row_coefficients(coefficients, release, x);
    const double whole = apply(weights + 2 * size, coefficients, size) - exact(&t, integrands[2]);
    for (size_t k = 0; k < SIDES; k++) {
      const double off = apply(weights + k * size, coefficients, size) - exact(&t, integrands[k]);
      const double sizes[] = {fabs(off), fabs(off - whole)};
      for (int less = 0; less < 2; less++) {
        if (sizes[less] > bounds[k][less] + 1e-12)
          fail_msg("order %u, boundary %d, integrand %zu, row %g: %g above %g", order, boundary, k,
                   x, sizes[less], bounds[k][less]);
        if (bounds[k][less] > 1e-9) worst = fmax(worst, sizes[less] / bounds[k][less]);
      }
    }
  }
  free(weights);
  free(coefficients);
  sfmi_integral_clear(&integral);
  sfm_release_destroy(release);
  return worst;
}

static void no_row_passes_the_bound(void **state) {
  (void)state;
  for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
    for (int b = 0; b < 3; b++)
      for (size_t cells = 3; cells <= 24; cells *= 2) {
        const double h = 5 / (0.9 * 12);
        const double part = attack(order, (sfm_boundary)b, h, cells);
        print_message("order %u, boundary %d, %zu cells: %.2f of the bound\n", order, b, cells,
                      part);
        assert_true(part > 0.5);
      }
  const double gp = attack(0, SFM_BOUNDARY_OPEN, 0.5, 0),
               mirror = attack(0, SFM_BOUNDARY_REFLECT, 0.5, 0),
               few = attack(0, SFM_BOUNDARY_OPEN, 0.5, 5),
               many = attack(0, SFM_BOUNDARY_OPEN, 0.5, 30),
               ring = attack(0, SFM_BOUNDARY_PERIODIC, 0.5, 5);
  print_message("gp: %.2f, reflect %.2f, fourier-laplace: %.2f, %.2f, %.2f of the bound\n", gp,
                mirror, few, many, ring);
  assert_true(gp > 0.5 && mirror > 0.5 && few > 0.5 &&
              ring > 0.5); /* with many, rounding is what is left */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_those_of_the_function),
      cmocka_unit_test(no_row_passes_the_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
