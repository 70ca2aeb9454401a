/* test_density_fourier.c - fourier-laplace and caratheodory end to end: a sensitivity that no
 * neighbours pass and some reach, noise of the law stated on the coefficients stated, and refusals.
 */
#include "pooled_variance.h"

#include "base/math/cmplx.h"
#include "features/bodies/moment_hull.h"
#include "verblunsky_reference.h"
#include "mechanisms/functions/density_integers.h"
#include "planner/density/density_template.h"
#include "releases/eval/trig_polynomial.h"

static const sfm_boundary WRAPS[] = {SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC,
                                     SFM_BOUNDARY_PERIODIC};

static void prepare(density_fixture *t, sfm_density_method method, size_t d, size_t terms,
                    bool wraps) {
  density_fixture_init(t, d, 2, 4, 0.1, 1, 0);
  t->settings.method = method;
  t->settings.terms = terms;
  t->settings.boundary = wraps ? WRAPS : NULL;
  t->settings.context.seeded = true;
  t->settings.context.seed = 51;
}

/* The mechanism without its band, which takes longest: what is public, then integers and noise. */
typedef struct road {
  const density_fixture *t;
  sfmi_design_density design;
  sfmi_hardening hardening;
  sfm_release *release; /* its coefficients are those of the last draw */
  sfmi_hardener *hardener;
  sfmi_knorm *knorm;
} road;

static void road_init(road *r, const density_fixture *t, size_t count, uint64_t seed) {
  sfm_error error;
  const double epsilon = t->settings.epsilon;
  *r = (road){.t = t};
  assert_ok(sfmi_design_density_init(&r->design, &t->settings, count, &error), &error);
  assert_ok(sfmi_density_hardening(&r->hardening, &r->design, epsilon, &error), &error);
  const sfmi_steps steps = {r->hardening.step, r->hardening.sensitivity};
  const double scale = r->design.method == SFM_DENSITY_CARATHEODORY
                           ? r->hardening.sensitivity / epsilon
                           : sfmi_noise_scale(&r->hardening.law) * r->hardening.step;
  assert_ok(sfmi_density_template_create(&r->release, &r->design, &t->settings, count, &steps,
                                         scale, &error),
            &error);
  const sfmi_seed source = {true, seed};
  if (r->design.method == SFM_DENSITY_CARATHEODORY)
    assert_ok(sfmi_knorm_create(&r->knorm, r->design.body, r->design.spectrum.torus[0].terms,
                                source, &error),
              &error);
  else
    assert_ok(sfmi_hardener_create(&r->hardener, &r->hardening.law, source, &error), &error);
}

static void road_clear(road *r) {
  sfmi_hardener_destroy(r->hardener);
  sfmi_knorm_destroy(r->knorm);
  sfm_release_destroy(r->release);
}

static sfmi_i128 *road_integers(const road *r, const double *values) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfmi_i128 *out = NULL;
  assert_ok(sfm_rows_from_array(&rows, values, r->release->rows, r->design.dimension,
                                density_fixture_columns, &error),
            &error);
  assert_ok(sfmi_density_integers(&out, &r->design, &r->hardening, rows, &r->t->settings, &error),
            &error);
  sfm_rows_destroy(rows);
  return out;
}

static void road_draw(road *r, const sfmi_i128 *values) {
  sfm_error error;
  if (r->knorm) {
    assert_ok(sfmi_fourier_idealise(r->release, r->knorm, values, r->hardening.step,
                                    &(sfm_context){0}, &error),
              &error);
    return;
  }
  r->release->integers[0] = (int64_t)values[0];
  sfmi_hardener_add(r->hardener, r->release->integers + 1, values + 1, r->release->length - 1);
}

/* The two are one: a seeded release of the public function is what is drawn here. */
static void the_road_is_that_of_a_release(void **state) {
  (void)state;
  const double rows[] = {2.2, 3.1, NAN, 3.9, 2.7, 99};
  for (int i = 0; i < 4; i++) {
    density_fixture t;
    road r;
    prepare(&t, i / 2 ? SFM_DENSITY_CARATHEODORY : SFM_DENSITY_FOURIER_LAPLACE, i ? 1 : 2, 3,
            i % 2);
    road_init(&r, &t, i ? 6 : 3, t.settings.context.seed);
    sfmi_i128 *values = road_integers(&r, rows);
    sfm_release *release = density_fixture_release(&t, rows, i ? 6 : 3);
    road_draw(&r, values);
    assert_int_equal(release->length, r.release->length);
    assert_true(release->sensitivity == r.release->sensitivity && release->scale > 0);
    for (size_t k = 0; k < release->length; k++)
      assert_true(sfm_release_coefficient(release, k) == sfm_release_coefficient(r.release, k));
    assert_true(sfm_release_coefficient(release, 0) == (i ? 6 : 3));
    sfm_release_destroy(release);
    free(values);
    road_clear(&r);
    density_fixture_clear(&t);
  }
}

/* How the private sums of two inputs differ. */
static void difference(double *out, const road *r, const double *x, const double *y) {
  sfmi_i128 *p = road_integers(r, x), *q = road_integers(r, y);
  for (size_t i = 0; i < r->release->length; i++)
    out[i] = (double)(p[i] - q[i]) * r->hardening.step;
  assert_true(out[0] == 0);
  free(p);
  free(q);
}

static const double hostile[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324,
                                 0,   2,        4,         3,     1e9,    4 + 1e-15};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static double any_value(sfmi_prng *prng) {
  const size_t i = sfmi_prng_word(prng) % (3 * HOSTILE);
  return i < HOSTILE ? hostile[i] : 2 + 2 * sfmi_prng_uniform(prng);
}

/* The pair that is farthest apart in l1 on a circle of period 2, by trying a grid. */
static void farthest(double *x, double *y, size_t m) {
  enum { POINTS = 240 };
  double best = 0;
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < i; k++) {
      double sum = 0;
      for (size_t j = 1; j <= m; j++) {
        const double a = 2 * M_PI * (double)j * i / POINTS, b = 2 * M_PI * (double)j * k / POINTS;
        sum += M_SQRT2 * (fabs(cos(a) - cos(b)) + fabs(sin(a) - sin(b)));
      }
      if (sum <= best) continue;
      best = sum;
      *x = 2 + 2.0 * i / POINTS;
      *y = 2 + 2.0 * k / POINTS;
    }
}

/* Worst pairs and hostile ones; contributions: all rows move. */
static void laplace_moves_at_most_its_sensitivity(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 52);
  for (int i = 0; i < 16; i++) {
    const size_t d = i < 12 ? 1 : 2, m = d == 2 ? 3 : (size_t[]){1, 2, 5}[i % 3];
    const uint32_t k = i % 2 ? 3 : 1;
    density_fixture t;
    road r;
    double best = 0, out[64], x[8], y[8];
    prepare(&t, SFM_DENSITY_FOURIER_LAPLACE, d, m, i % 4 < 2);
    density_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, k);
    t.settings.outside = i % 2 ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP;
    road_init(&r, &t, 4, 1);
    const double sensitivity = r.release->sensitivity;
    for (int round = 0; round < 100; round++) {
      for (size_t v = 0; v < 4 * d; v++) x[v] = y[v] = 2 + 2 * sfmi_prng_uniform(&prng);
      for (size_t v = 0; v < k * d; v++) {
        x[v] = any_value(&prng);
        y[v] = any_value(&prng);
        if (round == 0) farthest(&x[v], &y[v], m);
      }
      difference(out, &r, x, y);
      double l1 = 0;
      for (size_t a = 1; a < (d == 1 ? 2 * m + 1 : 49); a++) l1 += fabs(out[a]);
      assert_true(l1 <= sensitivity);
      best = fmax(best, l1 / sensitivity);
    }
    print_message("%zu columns, %zu terms, %u rows, %s: %.4f of the sensitivity\n", d, m, k,
                  i % 4 < 2 ? "periodic" : "open", best);
    /* On an arc, or in the plane, the worst pair of a circle is not the worst one. */
    assert_true(best >= (d == 2 ? 0.4 : i % 4 < 2 ? 0.995 : 0.6));
    road_clear(&r);
    density_fixture_clear(&t);
  }
}

/* The gauge of the body of the release at what moved, both ways. */
static double gauge_of(const double *out, size_t m, sfm_density_body body, double sign) {
  sfm_error error;
  double complex z[64];
  double gauge = 0, real[128], size = 0;
  for (size_t k = 1; k <= m; k++) {
    z[k - 1] = sign * M_SQRT1_2 * CMPLX(out[2 * k - 1], out[2 * k]);
    real[2 * k - 2] = creal(z[k - 1]);
    real[2 * k - 1] = cimag(z[k - 1]);
    size += cabs(z[k - 1]);
  }
  if (size == 0) return 0;
  if (body == SFM_DENSITY_BODY_EXACT) {
    gauge = verblunsky_reference_gauge(z, m);
    assert_false(isnan(gauge));
    return gauge;
  }
  sfmi_hit_and_run *hull = NULL;
  assert_ok(sfmi_moment_hull_create(&hull, m, &error), &error);
  assert_ok(sfmi_hit_and_run_gauge(hull, &gauge, real, &error), &error);
  sfmi_hit_and_run_destroy(hull);
  return gauge;
}

static void caratheodory_moves_at_most_its_sensitivity(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 53);
  for (int i = 0; i < 10; i++) {
    const sfm_density_body body = i % 5 == 4 ? SFM_DENSITY_BODY_HULL : SFM_DENSITY_BODY_EXACT;
    const size_t m = body == SFM_DENSITY_BODY_HULL ? 2 : (size_t[]){1, 2, 5, 9}[i % 4];
    const uint32_t k = i < 5 ? 1 : 3;
    density_fixture t;
    road r;
    double best = 0, out[64], x[4], y[4];
    prepare(&t, SFM_DENSITY_CARATHEODORY, 1, m, true);
    density_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, k);
    t.settings.body = body;
    t.settings.outside = i % 2 ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP;
    road_init(&r, &t, 4, 1);
    const double sensitivity = r.release->sensitivity;
    for (int round = 0; round < 60; round++) {
      for (size_t v = 0; v < 4; v++) x[v] = y[v] = 2 + 2 * sfmi_prng_uniform(&prng);
      for (size_t v = 0; v < k; v++) {
        x[v] = round ? any_value(&prng) : 2.3;
        y[v] = round ? any_value(&prng) : 2.3 + 2.0 / ((double)m + 1);
        if (round == 0 && body == SFM_DENSITY_BODY_HULL) y[v] = 3.3;
      }
      difference(out, &r, x, y);
      for (int sign = -1; sign < 2; sign += 2) {
        const double gauge = gauge_of(out, m, body, sign);
        assert_true(gauge <= sensitivity);
        best = fmax(best, gauge / sensitivity);
      }
    }
    print_message("%zu terms, %u rows, %s: %.4f of the sensitivity\n", m, k,
                  body == SFM_DENSITY_BODY_HULL ? "hull" : "exact", best);
    /* The hull's polytope costs up to 1 %, and its rows are not at its corners. */
    assert_true(best >= (body == SFM_DENSITY_BODY_HULL ? 0.95 : 0.999));
    road_clear(&r);
    density_fixture_clear(&t);
  }
}

/* ---- the noise ---- */

/* sum over rows of psi_i, by definition; open: from the margin on. */
static double exact_sum(const sfm_release *release, const double *rows, size_t count, size_t i) {
  const size_t d = release->dimension;
  double sum = 0;
  for (size_t r = 0; r < count; r++) {
    size_t rest = i;
    double product = 1;
    for (size_t a = d; a-- > 0;) {
      const sfmi_torus *torus = &release->function->torus[a];
      const size_t width = 2 * torus->terms + 1, at = rest % width, j = (at + 1) / 2;
      const double x = fmin(fmax(rows[r * d + a], release->lower[a]), release->upper[a]);
      const double angle =
          2 * M_PI * (double)j * (x - release->lower[a] + torus->margin) / torus->period;
      rest /= width;
      if (at) product *= M_SQRT2 * (at % 2 ? cos(angle) : sin(angle));
    }
    sum += product;
  }
  return sum;
}

static void laplace_noise_is_unbiased_and_of_its_scale(void **state) {
  (void)state;
  enum { N = 25, DRAWS = 1500 };
  for (size_t d = 1; d <= 2; d++) {
    density_fixture t;
    road r;
    double rows[2 * N];
    pooled_variance p = {0};
    density_fixture_rows(rows, N, d, 2, 4, 54);
    prepare(&t, SFM_DENSITY_FOURIER_LAPLACE, d, d == 1 ? 12 : 2, d == 1);
    road_init(&r, &t, N, 1000);
    sfmi_i128 *values = road_integers(&r, rows);
    for (size_t s = 0; s < DRAWS; s++) {
      road_draw(&r, values);
      for (size_t i = 1; i < r.release->length; i++)
        pooled_variance_add(
            &p, (sfm_release_coefficient(r.release, i) - exact_sum(r.release, rows, N, i)) /
                    r.release->scale);
    }
    pooled_variance_check(d == 1 ? "line" : "plane", &p, 2, 6);
    free(values);
    road_clear(&r);
    density_fixture_clear(&t);
  }
}

/* The covariance of r U: that of frequency k is E r^2 v_k, and different ones are uncorrelated. v_k
 * is that of docs/proofs/caratheodory.md. */
static void body_noise_has_the_moments_of_the_body(void **state) {
  (void)state;
  enum { N = 4, M = 3, DRAWS = 40000 };
  static const double known[M] = {0.0833, 0.1132, 0.1652}, rows[N] = {2.2, 3.1, NAN, 3.9};
  density_fixture t;
  road r;
  double sum[2 * M] = {0}, cross[2 * M][2 * M] = {{0}}, fourth[2 * M] = {0};
  prepare(&t, SFM_DENSITY_CARATHEODORY, 1, M, false);
  road_init(&r, &t, N, 1000);
  sfmi_i128 *values = road_integers(&r, rows);
  const sfm_release *release = r.release;
  const double unit = M_SQRT2 * release->scale * sqrt((2 * M + 1) * (2 * M + 2));
  for (size_t s = 0; s < DRAWS; s++) {
    double z[2 * M];
    road_draw(&r, values);
    assert_true(release->reals[0] == N);
    for (size_t i = 0; i < 2 * M; i++) {
      double exact = exact_sum(release, rows, 2, i + 1) + exact_sum(release, rows + 3, 1, i + 1);
      z[i] = (release->reals[i + 1] - exact) / unit;
      sum[i] += z[i];
      fourth[i] += z[i] * z[i] * z[i] * z[i];
    }
    for (size_t i = 0; i < 2 * M; i++)
      for (size_t k = 0; k < 2 * M; k++) cross[i][k] += z[i] * z[k];
  }
  for (size_t i = 0; i < 2 * M; i++) {
    const double v = cross[i][i] / DRAWS, error = sqrt((fourth[i] / DRAWS - v * v) / DRAWS);
    print_message("frequency %zu: second moment %.4f, stated %.4f\n", i / 2 + 1, v, known[i / 2]);
    assert_near("mean", sum[i] / DRAWS, 0, TEST_Z * sqrt(v / DRAWS));
    assert_near("second moment", v, known[i / 2], TEST_Z * error + 1e-4);
    assert_true(fabs(v / (0.94 * 0.94) - known[i / 2]) > TEST_Z * error + 1e-4);
    for (size_t k = 0; k < i; k++)
      assert_near("uncorrelated", cross[i][k] / DRAWS, 0,
                  1.5 * TEST_Z * sqrt(v * cross[k][k] / DRAWS / DRAWS));
  }
  free(values);
  road_clear(&r);
  density_fixture_clear(&t);
}

/* ---- what it says ---- */

/* Noise off (a huge epsilon): the estimate itself, wrapped where the column wraps. */
static void without_noise_it_is_the_estimate(void **state) {
  (void)state;
  enum { N = 60 };
  for (int i = 0; i < 6; i++) {
    const size_t d = i < 4 ? 1 : 2;
    const bool wraps = i % 2;
    density_fixture t;
    double rows[2 * N];
    sfm_error error;
    sfm_evaluator *evaluator = NULL;
    density_fixture_rows(rows, N, d, 2, 4, 55);
    prepare(&t, i == 2 || i == 3 ? SFM_DENSITY_CARATHEODORY : SFM_DENSITY_FOURIER_LAPLACE, d,
            d == 1 ? 70 : 40, wraps);
    t.settings.epsilon = 1000;
    sfm_release *release = density_fixture_release(&t, rows, N);
    const sfm_band band = sfm_release_band(release);
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    double worst = 0;
    for (int k = 0; k < 40; k++) {
      const double q[2] = {2 + 2 * k / 39.0, 2 + 2 * (k * 7 % 40) / 39.0};
      double value, exact = 0;
      assert_ok(sfm_evaluator_at(evaluator, &value, q, 1, &error), &error);
      for (int u = wraps ? -1 : 0; u <= (wraps ? 1 : 0); u++)
        for (int v = wraps && d == 2 ? -1 : 0; v <= (wraps && d == 2 ? 1 : 0); v++) {
          const double shifted[2] = {q[0] + 2 * u, q[1] + 2 * v};
          exact += density_fixture_density(rows, N, d, t.bandwidth, shifted);
        }
      worst = fmax(worst, fabs(value - exact));
    }
    print_message("case %d: off by %.4f, band %.4f\n", i, worst, band.half_width);
    assert_true(worst <= band.half_width);
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(release);
    density_fixture_clear(&t);
  }
}

/* The density of the coefficients, at the middles of a grid's cells. */
static void poly_values(double *values, sfmi_trig_poly *poly, const double *coefficients,
                        size_t count) {
  sfmi_trig_poly_load(poly, coefficients, 1 / (double)poly->release->rows);
  for (size_t k = 0; k < count; k++) {
    const double x = 2 + 2 * ((double)k + 0.5) / (double)count;
    values[k] = sfmi_trig_poly_at(poly, &x);
  }
}

/* A prediction is a mean: that of many releases is within its error. */
static void the_predicted_error_is_the_measured_one(void **state) {
  (void)state;
  enum { N = 400, DRAWS = 1000, GRID = 50, MOST = 200 };
  double rows[N];
  density_fixture_rows(rows, N, 1, 2, 4, 56);
  for (int i = 0; i < 3; i++) {
    density_fixture t;
    road r;
    sfm_error error;
    sfmi_trig_poly *poly = NULL;
    double noise[MOST], values[GRID], sum = 0, squares = 0;
    prepare(&t, i ? SFM_DENSITY_CARATHEODORY : SFM_DENSITY_FOURIER_LAPLACE, 1, i == 2 ? 6 : 0,
            i == 2);
    road_init(&r, &t, N, 900);
    assert_in_range(r.release->length, 3, MOST);
    sfmi_i128 *integers = road_integers(&r, rows);
    assert_ok(sfmi_trig_poly_create(&poly, r.release, &error), &error);
    for (int s = 0; s < DRAWS; s++) {
      double ise = 0;
      road_draw(&r, integers);
      for (size_t k = 0; k < r.release->length; k++)
        noise[k] = sfm_release_coefficient(r.release, k) - (double)integers[k] * r.hardening.step;
      poly_values(values, poly, noise, GRID);
      for (size_t k = 0; k < GRID; k++) ise += values[k] * values[k] * 2 / GRID;
      sum += ise;
      squares += ise * ise;
    }
    const double mean = sum / DRAWS, spread = sqrt((squares / DRAWS - mean * mean) / DRAWS);
    print_message("%zu numbers: measured %.4g, predicted %.4g\n", r.release->length, mean,
                  r.design.plan.privacy);
    assert_int_equal(r.design.plan.coefficients, r.release->length);
    assert_near("privacy error", mean, r.design.plan.privacy, TEST_Z * spread + 0.03 * mean);
    assert_true(fabs(mean / 1.3 - r.design.plan.privacy) > TEST_Z * spread + 0.03 * mean);
    sfmi_trig_poly_destroy(poly);
    free(integers);
    road_clear(&r);
    density_fixture_clear(&t);
  }
}

/* The number of terms chosen predicts less than others. */
static void terms_are_those_of_least_error(void **state) {
  (void)state;
  for (int i = 0; i < 12; i += test_long() ? 1 : 5) {
    density_fixture t;
    sfm_error error;
    sfm_density_choice best, other;
    const uint64_t n = (uint64_t[]){100, 10000, 1000000}[i % 3];
    prepare(&t, i % 2 ? SFM_DENSITY_CARATHEODORY : SFM_DENSITY_FOURIER_LAPLACE, 1, 0, i >= 6);
    t.settings.body = i % 4 == 1 ? SFM_DENSITY_BODY_HULL : SFM_DENSITY_BODY_EXACT;
    t.settings.bandwidth = NULL; /* a stated one is meant: then the error against it is compared */
    assert_ok(sfm_density_choose(&best, &t.settings, n, &error), &error);
    for (size_t m = 1; m <= 24; m += test_long() ? 1 : m) {
      t.settings.terms = m;
      assert_ok(sfm_density_choose(&other, &t.settings, n, &error), &error);
      /* 3 %: choosing, it is guessed what a row moves. */
      if (m <= 16) assert_true(best.total <= other.total * 1.03); /* beyond, not every m is tried */
      assert_int_equal(other.coefficients, 2 * m + 1);
    }
    density_fixture_clear(&t);
  }
}

/* Rows that do not fit move nothing that is public. */
static void nothing_shows_how_many_rows_were_valid(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    density_fixture t;
    const double rows[] = {NAN, INFINITY, 3, 99};
    prepare(&t, i ? SFM_DENSITY_CARATHEODORY : SFM_DENSITY_FOURIER_LAPLACE, 1, 4, false);
    t.settings.outside = SFM_OUTSIDE_DROP;
    sfm_release *release = density_fixture_release(&t, rows, 4);
    assert_true(sfm_release_coefficient(release, 0) == 4 && release->rows == 4);
    sfm_release_destroy(release);
    density_fixture_clear(&t);
  }
}

/* ---- refusals ---- */

static void refused(density_fixture *t, const char *words) {
  sfm_error error;
  sfm_density_choice plan;
  assert_int_equal(sfm_density_choose(&plan, &t->settings, 1000, &error), SFM_INVALID);
  if (!strstr(error.message, words)) fail_msg("\"%s\" is not in: %s", words, error.message);
  density_fixture_clear(t);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  const sfm_density_method fourier = SFM_DENSITY_FOURIER_LAPLACE, body = SFM_DENSITY_CARATHEODORY;
  static const sfm_boundary mirror[] = {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_REFLECT};
  density_fixture t;
  prepare(&t, body, 2, 3, false);
  refused(&t, "caratheodory is for one column, not 2");
  prepare(&t, body, 1, 3, false);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  refused(&t, "schema.neighbours = replace");
  prepare(&t, fourier, 1, 3, false);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  refused(&t, "schema.neighbours = replace");
  prepare(&t, fourier, 2, 3, false);
  t.settings.boundary = mirror;
  refused(&t, "and not reflect, which \"b\" has");
  prepare(&t, fourier, 1, 2001, false);
  refused(&t, "at most 2000 frequencies per column");
  prepare(&t, body, 1, 25, false);
  t.settings.body = SFM_DENSITY_BODY_HULL;
  refused(&t, "beyond 24 frequencies");
  prepare(&t, fourier, 1, 3, false);
  t.settings.body = SFM_DENSITY_BODY_HULL;
  refused(&t, "belongs to settings.method = caratheodory");
  prepare(&t, SFM_DENSITY_LATTICE, 1, 3, false);
  refused(&t, "leave out settings.terms");
  prepare(&t, fourier, 3, 500, false);
  refused(&t, "fewer settings.terms");
  prepare(&t, fourier, 9, 0, false);
  refused(&t, "fewer columns");
  prepare(&t, fourier, 8, 0, false); /* a narrow kernel: the domain fills its torus */
  for (size_t a = 0; a < 8; a++) t.bandwidth[a] = 0.001;
  refused(&t, "fewer columns");
  prepare(&t, fourier, 1, 3, false);
  t.settings.kernel = SFM_KERNEL_CAUCHY;
  refused(&t, "settings.method = gp");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_road_is_that_of_a_release),
      cmocka_unit_test(laplace_moves_at_most_its_sensitivity),
      cmocka_unit_test(caratheodory_moves_at_most_its_sensitivity),
      cmocka_unit_test(laplace_noise_is_unbiased_and_of_its_scale),
      cmocka_unit_test(body_noise_has_the_moments_of_the_body),
      cmocka_unit_test(without_noise_it_is_the_estimate),
      cmocka_unit_test(the_predicted_error_is_the_measured_one),
      cmocka_unit_test(terms_are_those_of_least_error),
      cmocka_unit_test(nothing_shows_how_many_rows_were_valid),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
