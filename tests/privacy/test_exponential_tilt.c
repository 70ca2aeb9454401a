/* test_exponential_tilt.c - moment functions on the complex plane: against their definitions,
 * within the error that is claimed of them, and below the bounds that are claimed of them. */
/* suite: release */
#include "test_support.h"

#include <complex.h>
#include <float.h>
#include <mpfr.h>

#include "privacy/saddle_point.h"
#include "privacy/exponential_tilt.h"

typedef long double complex number;

static const sfmi_loss_law laws[] = {
    {SFMI_TWO_POINTS, 1, 0, 1},
    {SFMI_TWO_POINTS, 1e-6, 0, 1},
    {SFMI_TWO_POINTS, 1e3, 0, 1},
    {SFMI_TWO_POINTS, 0.1, 0, 37},
    {SFMI_TWO_POINTS, 0.01, 0, 100000},
    {SFMI_THREE_POINTS, 0.7, 1, 1},
    {SFMI_THREE_POINTS, 3, 4294967293, 5},
    {SFMI_THREE_POINTS, 0.02, 8, 5000},
    {SFMI_LAPLACE, 1, 0, 1},
    {SFMI_LAPLACE, 1e-6, 0, 1},
    {SFMI_LAPLACE, 20, 0, 3},
    {SFMI_LAPLACE, 0.3, 0, 9000},
    {SFMI_LATTICE_NORMAL, 0.1, 0, 1},
    {SFMI_LATTICE_NORMAL, 0.499, 0, 2},
    {SFMI_LATTICE_NORMAL, 0.5, 0, 2},
    {SFMI_LATTICE_NORMAL, 3, 0, 5},
    {SFMI_LATTICE_NORMAL, 0.4, 0, 5000},
    {SFMI_LATTICE_NORMAL, 2, 0, 5000},
};
#define LAWS (sizeof laws / sizeof *laws)
static const double lambdas[] = {1e-3, 0.3, 1.5, 7.25, 300.5};
#define LAMBDAS (sizeof lambdas / sizeof *lambdas)

/* e^(i theta y), theta y being reduced in MPFR. */
static number turn(double theta, mpfr_t y) {
  mpfr_t c, s, angle;
  mpfr_inits2(400, c, s, angle, (mpfr_ptr)0);
  mpfr_mul_d(angle, y, theta, MPFR_RNDN);
  mpfr_sin_cos(s, c, angle, MPFR_RNDN);
  number out = mpfr_get_ld(c, MPFR_RNDN) + I * mpfr_get_ld(s, MPFR_RNDN);
  mpfr_clears(c, s, angle, (mpfr_ptr)0);
  return out;
}

/* The characteristic function of the tilted law by its definition; a lattice normal's without the
 * turn of its centre, y counting from there. */
static number truth(const sfmi_loss_law *law, double lambda, double theta) {
  const long double p = law->parameter, l = lambda;
  number sum = 0;
  long double mass = 0;
  mpfr_t place;
  mpfr_init2(place, 400);
  if (law->shape == SFMI_LATTICE_NORMAL) {
    const double whole = nearbyint(lambda);
    for (int y = -40; y <= 40; y++) {
      long double shift = l - whole, w = expl(-y * (y + 2 * shift) / (2 * p * p));
      mpfr_set_d(place, law->parameter, MPFR_RNDN);
      mpfr_sqr(place, place, MPFR_RNDN);
      mpfr_si_div(place, -y, place, MPFR_RNDN);
      sum += w * turn(theta, place);
      mass += w;
    }
  } else {
    mpfr_set_d(place, law->parameter, MPFR_RNDN);
    const number up = turn(theta, place), down = conjl(up), z = l + I * (long double)theta;
    if (law->shape == SFMI_LAPLACE) {
      /* ((z + 1) e^(z eps) + z e^(-(z + 1) eps))/(2z + 1), over e^(lambda eps). */
      const long double low = expl(-(2 * l + 1) * p);
      sum = ((z + 1) * up + z * low * down) / (2 * z + 1);
      mass = (l + 1 + l * low) / (2 * l + 1);
    } else {
      const long double low = expl(-(2 * l + 1) * p), zero = law->others * expl(-(l + 1) * p);
      sum = up + zero + low * down;
      mass = 1 + zero + low;
    }
  }
  mpfr_clear(place);
  return sum / mass;
}

static void sample(double *re, double *im, const sfmi_loss_law *law, double lambda, double step,
                   double first) {
  sfmi_tilt tilt;
  sfmi_phase_factors turns;
  sfmi_tilt_init(&tilt, law, lambda);
  sfmi_phase_factors_init(&turns, (sfmi_dd){tilt.parameter, 0}, step);
  for (int t = 0; t < SFMI_NODE_BLOCK; t++) {
    re[t] = 1;
    im[t] = 0;
  }
  sfmi_tilt_multiply(re, im, &tilt, &turns, step, first, false);
}

static void factors_are_right_to_the_claimed_error(void **state) {
  (void)state;
  double worst = 0;
  for (size_t i = 0; i < LAWS; i++)
    for (size_t k = 0; k < LAMBDAS; k++)
      for (double scale = 1e-3; scale < 1e9; scale *= 37) {
        const sfmi_loss_law *law = &laws[i];
        const double step = scale / 64, first = 64 * 11;
        double re[SFMI_NODE_BLOCK], im[SFMI_NODE_BLOCK];
        sample(re, im, law, lambdas[k], step, first);
        sfmi_tilt tilt;
        sfmi_tilt_init(&tilt, law, lambdas[k]);
        for (int t = 0; t < SFMI_NODE_BLOCK; t += 21) {
          const double theta = step * (first + t); /* step has few bits: exact */
          number f = truth(law, lambdas[k], (double)theta), power = 1;
          for (uint64_t n = law->count; n; n >>= 1, f *= f)
            if (n & 1) power *= f;
          const double off = (double)cabsl(re[t] + I * im[t] - power);
          if (fma(step, first + t, -theta) != 0) continue;
          worst = fmax(worst, off / sfmi_tilt_error(&tilt));
          if (off > sfmi_tilt_error(&tilt))
            fail_msg("law %zu, lambda %g, theta %g: off by %g, claimed %g", i, lambdas[k], theta,
                     off, sfmi_tilt_error(&tilt));
        }
      }
  assert_true(worst > 1e-3); /* the claim is not empty */
}

/* Over random intervals, long and short, near and far. */
static void bounds_hold_over_their_intervals(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  size_t useful = 0;
  for (size_t i = 0; i < LAWS; i++)
    for (size_t k = 0; k < LAMBDAS; k++) {
      sfmi_tilt tilt;
      sfmi_tilt_init(&tilt, &laws[i], lambdas[k]);
      for (int n = 0; n < 25; n++) {
        const double from = exp(20 * sfmi_prng_uniform(&prng) - 5);
        const double to = from * (1 + exp(-12 * sfmi_prng_uniform(&prng)));
        const double bound = sfmi_tilt_log_bound(&tilt, from, to);
        useful += bound < -1e-3;
        assert_true(bound <= 0);
        assert_true(bound <= sfmi_tilt_log_bound(&tilt, from, INFINITY));
        for (int m = 0; m <= 6; m++) {
          const double theta = from + (to - from) * m / 6;
          const long double size = cabsl(truth(&laws[i], lambdas[k], theta));
          if (size > expl(bound) + 1e-16L) /* what the sum of the definition is right to */
            fail_msg("law %zu, lambda %g, theta %.17g in [%g, %g]: |f| = %Lg over %g", i,
                     lambdas[k], theta, from, to, size, exp(bound));
        }
      }
    }
  assert_true(useful > 300);
}

/* ln M(lambda) from sums and integrals of the law itself, and its derivatives by differences. */
static long double direct_log_moment(const sfmi_loss_law *law, long double l) {
  const long double p = law->parameter;
  long double sum = 0, mass = 0;
  if (law->shape == SFMI_LATTICE_NORMAL) {
    for (int x = -400; x <= 400; x++) {
      mass += expl(-x * x / (2 * p * p));
      sum += expl((l * (1 - 2 * x) - x * x) / (2 * p * p));
    }
    return logl(sum / mass);
  }
  if (law->shape == SFMI_LAPLACE) {
    /* Simpson over the density, atoms added; everything over e^(lambda eps). */
    const int steps = 20000;
    const long double h = 2 * p / steps;
    for (int i = 0; i <= steps; i++) {
      const long double y = -p + h * i, w = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
      sum += w * expl((y - p) / 2 + l * (y - p)) / 4;
    }
    return logl(0.5L + expl(-p - 2 * l * p) / 2 + sum * h / 3);
  }
  mass = expl(p) + 1 + law->others;
  sum = expl(p) + law->others * expl(-l * p) + expl(-2 * l * p);
  return logl(sum / mass);
}

static void moments_are_those_of_the_laws(void **state) {
  (void)state;
  static const sfmi_loss_law some[] = {
      {SFMI_TWO_POINTS, 1, 0, 1},       {SFMI_THREE_POINTS, 0.7, 3, 1},
      {SFMI_LAPLACE, 0.5, 0, 1},        {SFMI_LAPLACE, 0.01, 0, 1},
      {SFMI_LATTICE_NORMAL, 0.3, 0, 1}, {SFMI_LATTICE_NORMAL, 0.7, 0, 1},
      {SFMI_LATTICE_NORMAL, 5, 0, 1},
  };
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    for (double l = 0.2; l < 9; l *= 1.9) {
      const sfmi_loss_law *law = &some[i];
      const double top = law->shape == SFMI_LATTICE_NORMAL ? 0 : law->parameter;
      long double size = 0;
      const long double got = sfmi_loss_law_log_moment(law, l, &size);
      assert_near("log moment", (double)(got - direct_log_moment(law, l)), 0, 1e-13);
      assert_true(size > 0 && size < 1e6L);
      const sfmi_cumulants all = sfmi_loss_law_cumulants(law, l);
      const long double h = 1e-4L;
      const long double left = direct_log_moment(law, l - h), middle = direct_log_moment(law, l),
                        right = direct_log_moment(law, l + h);
      assert_near("value", all.log_moment, (double)got, 1e-12);
      assert_near("mean", -all.gap, (double)((right - left) / (2 * h)), 1e-6 * (1 + fabs(all.gap)));
      assert_near("variance", all.variance, (double)((right - 2 * middle + left) / (h * h)),
                  1e-5 * (all.variance + top + 1e-3));
    }
}

/* E e^-Y = 1 for every law of a privacy loss: M(lambda) and M(-1 - lambda) agree, and the saddle
 * knows the Gaussian. */
static void saddle_points_lie_where_they_should(void **state) {
  (void)state;
  const sfm_privacy_loss losses[] = {{SFM_PRIVACY_LOSS_GAUSSIAN, 0.5, 1, 0},
                                     {SFM_PRIVACY_LOSS_PURE, 0.1, 10, 0}};
  sfmi_total_loss total;
  sfm_error error;
  assert_ok(sfmi_total_loss_init(&total, losses, 2, &error), &error);
  for (double log_delta = -1; log_delta > -600; log_delta *= 3) {
    const sfmi_saddle at = sfmi_saddle_for_delta(&total, log_delta);
    const sfmi_saddle same = sfmi_saddle_for_gap(&total, at.gap);
    assert_near("log delta", at.log_delta, log_delta, 0.5 + 0.02 * fabs(log_delta));
    assert_relative("lambda", same.lambda, at.lambda, 0.02);
  }
  sfmi_total_loss_clear(&total);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors_are_right_to_the_claimed_error),
      cmocka_unit_test(bounds_hold_over_their_intervals),
      cmocka_unit_test(moments_are_those_of_the_laws),
      cmocka_unit_test(saddle_points_lie_where_they_should),
  };
  int failed = cmocka_run_group_tests_name("tilt", tests, NULL, NULL);
  mpfr_free_cache();
  return failed;
}
