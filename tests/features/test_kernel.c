/* test_kernel.c - every kernel against formulas written down a second time, its claimed bound,
 * mass, interpolation error and spectral law, and what keeps its bound. */
#include "kernel_fixtures.h"

#include "base/math/linear_algebra.h"
#include "features/kernels/gaussian_torus.h"
#include "features/maps/ball_projection.h"

/* Runs a check on every family in one to three dimensions. */
static void each_kernel(void (*check)(const sfm_kernel *kernel, sfmi_prng *prng)) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 20);
  for (sfm_kernel_family family = 0; family < FAMILIES; family++)
    for (size_t d = 1; d <= FAMILY_DIMENSIONS; d++) {
      sfm_kernel kernel = family_kernel(family, d);
      check(&kernel, &prng);
    }
}

static void each_stationary(void (*check)(const sfm_kernel *kernel, sfmi_prng *prng)) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 21);
  for (sfm_kernel_family family = 0; sfmi_kernel_stationary(family); family++)
    for (size_t d = 1; d <= FAMILY_DIMENSIONS; d++) {
      sfm_kernel kernel = family_kernel(family, d);
      check(&kernel, &prng);
    }
}

/* ---- values ---- */

/* By the formulas of sfumato/kernel.h, in long double. */
static long double formula(const sfm_kernel *kernel, const double *x, const double *y) {
  long double squares = 0, sum = 0, product = 1, inner = 0;
  for (size_t a = 0; a < kernel->dimension; a++) {
    const long double u =
        ((long double)x[a] - (long double)y[a]) / (long double)kernel->bandwidth[a];
    squares += u * u;
    sum += fabsl(u);
    product *= 1 + u * u;
    inner += (long double)x[a] * (long double)y[a];
  }
  long double s = sqrtl(squares);
  switch (kernel->family) {
  case SFM_KERNEL_GAUSSIAN:
    return expl(-squares / 2);
  case SFM_KERNEL_LAPLACIAN:
    return expl(-sum);
  case SFM_KERNEL_MATERN12:
    return expl(-s);
  case SFM_KERNEL_MATERN32:
    s *= sqrtl(3);
    return (1 + s) * expl(-s);
  case SFM_KERNEL_MATERN52:
    s *= sqrtl(5);
    return (3 + 3 * s + s * s) / 3 * expl(-s);
  case SFM_KERNEL_CAUCHY:
    return 1 / product;
  case SFM_KERNEL_POLYNOMIAL:
    return powl(inner + (long double)kernel->constant, kernel->degree);
  case SFM_KERNEL_LINEAR:
    return inner;
  default:
    return expl(inner);
  }
}

/* K(x, x) is a number from 0 to sfm_kernel_sup. */
static bool within_sup(const sfm_kernel *kernel, const double *x) {
  const double square = sfm_kernel_at(kernel, x, x);
  return square >= 0 && square <= sfm_kernel_sup(kernel);
}

static void check_values(const sfm_kernel *kernel, sfmi_prng *prng) {
  sfm_error error;
  assert_ok(sfm_kernel_check(kernel, &error), &error);
  for (int i = 0; i < 500; i++) {
    double x[FAMILY_DIMENSIONS], y[FAMILY_DIMENSIONS];
    random_points(x, 1, kernel->dimension, prng);
    random_points(y, 1, kernel->dimension, prng);
    const double got = sfm_kernel_at(kernel, x, y), wanted = (double)formula(kernel, x, y);
    assert_near(sfm_kernel_family_name(kernel->family), got, wanted,
                1e-13 * fmax(fabs(wanted), 1e-3));
    assert_true(got == sfm_kernel_at(kernel, y, x));
    if (sfmi_kernel_stationary(kernel->family)) assert_true(sfm_kernel_at(kernel, x, x) == 1);
    if (kernel->dimension == 1 && sfmi_kernel_stationary(kernel->family))
      assert_near("profile",
                  sfmi_kernel_profile(kernel->family, fabs(x[0] - y[0]) / kernel->bandwidth[0]),
                  got, 1e-15);
    assert_true(within_sup(kernel, x));
    if (sfmi_kernel_nonnegative(kernel)) assert_true(got >= 0);
  }
}

static void values_are_those_of_the_formulas(void **state) {
  (void)state;
  each_kernel(check_values);
}

/* Numbers worked out elsewhere (30 digits). */
static void known_values(void **state) {
  (void)state;
  const double wanted[] = {0.60653065971263342, 0.36787944117144232, 0.36787944117144232,
                           0.48335772459650768, 0.52399410883182026, 0.5};
  const double h[2] = {2, 3}, x[2] = {1, 1}, y[2] = {3, 4}, zero[2] = {1, 1};
  for (sfm_kernel_family family = 0; sfmi_kernel_stationary(family); family++) {
    const sfm_kernel one = {.family = family, .dimension = 1, .bandwidth = h};
    const sfm_kernel two = {.family = family, .dimension = 2, .bandwidth = h};
    assert_near("u = 1", sfm_kernel_at(&one, x, y), wanted[family], 1e-15);
    assert_near("0", sfm_kernel_at(&two, x, zero), 1, 0);
    /* u = (1, 1): a product, or r = sqrt 2. */
    const double root = sfmi_kernel_profile(family, sqrt(2));
    assert_near("u = (1, 1)", sfm_kernel_at(&two, x, y),
                sfmi_kernel_product(&two) ? wanted[family] * wanted[family] : root, 1e-15);
  }
  const sfm_kernel cubic = {
      .family = SFM_KERNEL_POLYNOMIAL, .dimension = 2, .degree = 3, .constant = 1, .radius = 5};
  assert_near("(7 + 1)^3", sfm_kernel_at(&cubic, x, y), 512, 0);
  assert_near("(25 + 1)^3", sfm_kernel_sup(&cubic), 17576, 0);
  const sfm_kernel linear = {.family = SFM_KERNEL_LINEAR, .dimension = 2, .radius = 5};
  assert_near("<x, y>", sfm_kernel_at(&linear, x, y), 7, 0);
  assert_near("5^2", sfm_kernel_sup(&linear), 25, 0);
}

/* Whatever is far apart has a value, and it is zero. */
static void far_points_have_a_value(void **state) {
  (void)state;
  const double tiny[2] = {1e-300, 1e-300}, x[2] = {0, 0}, y[2] = {1e200, 1}, z[2] = {1e6, 1e6},
               h[2] = {1, 1};
  for (sfm_kernel_family family = 0; sfmi_kernel_stationary(family); family++)
    for (size_t d = 1; d <= 2; d++) {
      const sfm_kernel narrow = {.family = family, .dimension = d, .bandwidth = tiny};
      const sfm_kernel plain = {.family = family, .dimension = d, .bandwidth = h};
      assert_true(sfm_kernel_at(&narrow, x, y) == 0);
      assert_true(sfm_kernel_at(&plain, x, y) < 1e-300);
      assert_true(sfm_kernel_at(&plain, x, z) < 1.1e-12);
    }
}

static void names_are_those_of_the_command_line(void **state) {
  (void)state;
  const char *const families[] = {"gaussian", "laplacian",  "matern12", "matern32", "matern52",
                                  "cauchy",   "polynomial", "linear",   "own"};
  const char *const engines[] = {"auto", "spectral", "circulant", "markov", "gram", "random"};
  for (sfm_kernel_family family = 0; family < FAMILIES; family++)
    assert_string_equal(sfm_kernel_family_name(family), families[family]);
  for (sfm_engine engine = 0; engine <= SFM_ENGINE_RANDOM; engine++)
    assert_string_equal(sfm_engine_name(engine), engines[engine]);
  assert_null(sfm_kernel_family_name((sfm_kernel_family)FAMILIES));
  assert_null(sfm_engine_name((sfm_engine)(SFM_ENGINE_RANDOM + 1)));
}

static void families_are_of_the_kinds_they_are(void **state) {
  (void)state;
  for (sfm_kernel_family family = 0; family < FAMILIES; family++)
    for (size_t d = 1; d <= 2; d++) {
      const sfm_kernel kernel = family_kernel(family, d);
      const bool stationary = family <= SFM_KERNEL_CAUCHY;
      const bool matern = family >= SFM_KERNEL_MATERN12 && family <= SFM_KERNEL_MATERN52;
      assert_true(sfmi_kernel_stationary(family) == stationary);
      assert_true(sfmi_kernel_product(&kernel) == (stationary && (d == 1 || !matern)));
      assert_true(sfmi_kernel_markov(&kernel) ==
                  (d == 1 && (matern || family == SFM_KERNEL_LAPLACIAN)));
      assert_true(sfmi_kernel_nonnegative(&kernel) == stationary);
    }
}

/* A polynomial kernel is known to be non-negative when its degree is even, or its constant at least
 * the square of the radius; at one percent below that it is not. */
static void polynomials_are_non_negative_when_they_are(void **state) {
  (void)state;
  sfm_kernel kernel = family_kernel(SFM_KERNEL_POLYNOMIAL, 2);
  const double x[2] = {1, 1}, y[2] = {-1, -1}; /* <x, y> = -radius^2 = -2 */
  const struct {
    unsigned degree;
    double constant;
    bool nonnegative;
  } cases[] = {{2, 0, true},   {4, 0.3, true},   {3, 2, false},
               {3, 2.1, true}, {3, 1.98, false}, {1, 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    kernel.degree = cases[i].degree;
    kernel.constant = cases[i].constant;
    if (kernel.constant == 2) kernel.constant = kernel.radius * kernel.radius * (1 - 1e-15);
    assert_true(sfmi_kernel_nonnegative(&kernel) == cases[i].nonnegative);
    if (cases[i].nonnegative) assert_true(sfm_kernel_at(&kernel, x, y) >= 0);
    if (kernel.constant == 1.98) assert_true(sfm_kernel_at(&kernel, x, y) < 0);
  }
}

/* ---- positive definite ---- */

enum { POINTS = 60 };

/* The smallest eigenvalue of the matrix of POINTS random points, in units of the largest K(x, x).
 */
static double smallest_eigenvalue(const sfm_kernel *kernel, sfmi_prng *prng) {
  double points[POINTS * FAMILY_DIMENSIONS], matrix[POINTS * POINTS], eigenvalues[POINTS];
  random_points(points, POINTS, kernel->dimension, prng);
  gram_matrix(matrix, kernel, points, POINTS);
  sfm_error error;
  assert_ok(sfmi_symmetric_eigen(matrix, eigenvalues, POINTS, &error), &error);
  return eigenvalues[0] / sfm_kernel_sup(kernel);
}

static void check_positive(const sfm_kernel *kernel, sfmi_prng *prng) {
  for (int i = 0; i < 10; i++) {
    const double least = smallest_eigenvalue(kernel, prng);
    if (!(least >= -1e-12 * POINTS))
      fail_msg("%s in %zu dimensions has an eigenvalue %g", sfm_kernel_family_name(kernel->family),
               kernel->dimension, least);
  }
}

/* exp(-10 |x - y|^4): symmetric, 1 at 0, and not positive definite. */
static double no_kernel(void *context, const double *x, const double *y, size_t dimension) {
  double sum = 0;
  (void)context;
  for (size_t a = 0; a < dimension; a++) sum += (x[a] - y[a]) * (x[a] - y[a]);
  return exp(-10 * sum * sum);
}

static void matrices_are_positive_definite(void **state) {
  (void)state;
  sfmi_prng prng;
  each_kernel(check_positive);
  sfmi_prng_init(&prng, 22);
  for (size_t d = 1; d <= FAMILY_DIMENSIONS; d++) {
    const sfm_kernel wrong = {
        .family = SFM_KERNEL_OWN, .dimension = d, .function = no_kernel, .bound = 1};
    assert_true(smallest_eigenvalue(&wrong, &prng) < -1e-6);
  }
}

/* ---- the largest K(x, x) ---- */

/* A search over the points a kernel is for approaches sup K(x, x) and never passes it. */
static void check_sup(const sfm_kernel *kernel, sfmi_prng *prng) {
  const double sup = sfm_kernel_sup(kernel);
  double largest = 0;
  for (int i = 0; i < 2000; i++) {
    double x[FAMILY_DIMENSIONS];
    random_points(x, 1, kernel->dimension, prng);
    if (i % 2) /* towards the corner, where |x| is the radius */
      for (size_t a = 0; a < kernel->dimension; a++) x[a] = 1 - 1e-3 * x[a];
    largest = fmax(largest, sfm_kernel_at(kernel, x, x));
  }
  assert_true(largest <= sup);
  assert_true(largest >= 0.99 * sup);
}

static void the_bound_is_reached_and_never_passed(void **state) {
  (void)state;
  each_kernel(check_sup);
}

/* ---- mass ---- */

/* Nodes and weights of a rule for [0, inf): u = exp(t - exp(-t)), trapezoids in t.  Exact to 1e-8
 * for these kernels, whatever happens at the origin. */
enum { NODES = 240 };
static size_t rule(double *nodes, double *weights, double furthest) {
  static const double STEP = 0.125, FROM = -3.5;
  size_t count = 0;
  for (; count < NODES; count++) {
    const double t = FROM + STEP * (double)count;
    nodes[count] = exp(t - exp(-t));
    weights[count] = STEP * nodes[count] * (1 + exp(-t));
    if (nodes[count] > furthest) break;
  }
  return count;
}

/* The integral of a kernel over all of space. */
static double integral(const sfm_kernel *kernel) {
  static const double zero[FAMILY_DIMENSIONS];
  double nodes[NODES], weights[NODES], sum = 0;
  const size_t count = rule(nodes, weights, kernel->family == SFM_KERNEL_CAUCHY ? 1e11 : 60);
  const double all = pow((double)count, (double)kernel->dimension);
  for (size_t i = 0; i < (size_t)all; i++) {
    double x[FAMILY_DIMENSIONS], weight = 1;
    size_t rest = i;
    for (size_t a = 0; a < kernel->dimension; a++, rest /= count) {
      x[a] = kernel->bandwidth[a] * nodes[rest % count];
      weight *= 2 * kernel->bandwidth[a] * weights[rest % count];
    }
    sum += weight * sfm_kernel_at(kernel, x, zero);
  }
  return sum;
}

static void check_mass(const sfm_kernel *kernel, sfmi_prng *prng) {
  (void)prng;
  if (kernel->family == SFM_KERNEL_CAUCHY && kernel->dimension == 3) return; /* too far out */
  assert_relative(sfm_kernel_family_name(kernel->family), sfmi_kernel_mass(kernel),
                  integral(kernel), 1e-7);
}

static void masses_are_integrals(void **state) {
  (void)state;
  each_stationary(check_mass);
  const sfm_kernel cauchy = family_kernel(SFM_KERNEL_CAUCHY, 3);
  assert_relative("pi^3 h", sfmi_kernel_mass(&cauchy), pow(M_PI, 3) * 0.4 * 0.15 * 0.9, 1e-14);
}

/* ---- linear interpolation ---- */

/* How far K(., 0) is from its linear interpolation in the first coordinate between `from` and
 * from + gap, at the fraction t of the way; the other coordinates are those of x. */
static double interpolation_error(const sfm_kernel *kernel, double *x, double from, double gap,
                                  double t) {
  static const double zero[FAMILY_DIMENSIONS];
  double ends[2];
  for (int i = 0; i < 2; i++) {
    x[0] = (from + i * gap) * kernel->bandwidth[0];
    ends[i] = sfm_kernel_at(kernel, x, zero);
  }
  x[0] = (from + t * gap) * kernel->bandwidth[0];
  return fabs(sfm_kernel_at(kernel, x, zero) - ((1 - t) * ends[0] + t * ends[1]));
}

static void check_interpolation(const sfm_kernel *kernel, sfmi_prng *prng) {
  for (double gap = 1e-2; gap < 9; gap *= 3) {
    const double bound = sfmi_kernel_interpolation(kernel->family, gap);
    double worst = 0, x[FAMILY_DIMENSIONS] = {0};
    for (int i = 0; i < 4000; i++) {
      /* Half of the places near the origin, and of those half with the other coordinates there. */
      const double from =
          i % 2 ? -gap * sfmi_prng_uniform(prng) : 6 * (sfmi_prng_uniform(prng) - 1);
      for (size_t a = 1; a < kernel->dimension; a++)
        x[a] = i % 4 == 1 ? 0 : kernel->bandwidth[a] * sfmi_prng_normal(prng);
      worst = fmax(worst, interpolation_error(kernel, x, from, gap, sfmi_prng_uniform(prng)));
    }
    worst = fmax(worst,
                 interpolation_error(kernel, (double[FAMILY_DIMENSIONS]){0}, -gap / 2, gap, 0.5));
    if (!(worst <= bound * (1 + 1e-9)))
      fail_msg("%s, gap %g: %.17g passes %.17g", sfm_kernel_family_name(kernel->family), gap, worst,
               bound);
    if (gap < 0.05) assert_true(worst >= 0.97 * bound);
  }
}

static void interpolation_keeps_its_bound_and_nearly_reaches_it(void **state) {
  (void)state;
  each_stationary(check_interpolation);
}

/* ---- the spectral law ---- */

typedef void frequency_law(const sfm_kernel *kernel, double *omega, sfmi_prng *prng);

enum { LAGS = 6 };

/* Whether the means of cos<omega, lag> over frequencies of a law contradict a kernel, at lags of
 * about a bandwidth along every axis and across. */
static bool contradicts(frequency_law *law, const sfm_kernel *drawn, const sfm_kernel *claimed,
                        size_t draws, sfmi_prng *prng) {
  const size_t d = claimed->dimension;
  double lags[LAGS][FAMILY_DIMENSIONS] = {{0}}, sum[LAGS] = {0}, squares[LAGS] = {0};
  for (size_t l = 0; l < LAGS; l++)
    for (size_t a = 0; a < d; a++)
      if (l >= FAMILY_DIMENSIONS || a == l % d)
        lags[l][a] = claimed->bandwidth[a] * (0.5 + 0.25 * (double)l) * (l == 4 && a == 1 ? -1 : 1);
  for (size_t i = 0; i < draws; i++) {
    double omega[FAMILY_DIMENSIONS] = {0};
    law(drawn, omega, prng);
    for (size_t l = 0; l < LAGS; l++) {
      double phase = 0;
      for (size_t a = 0; a < d; a++) phase += omega[a] * lags[l][a];
      sum[l] += cos(phase);
      squares[l] += cos(phase) * cos(phase);
    }
  }
  for (size_t l = 0; l < LAGS; l++) {
    static const double zero[FAMILY_DIMENSIONS];
    const double n = (double)draws, mean = sum[l] / n;
    const double deviation = sqrt((squares[l] / n - mean * mean) / n);
    if (fabs(mean - sfm_kernel_at(claimed, lags[l], zero)) > TEST_Z * deviation) return true;
  }
  return false;
}

static void check_spectrum(const sfm_kernel *kernel, sfmi_prng *prng) {
  const size_t draws = 250000;
  if (contradicts(sfmi_kernel_frequency, kernel, kernel, draws, prng))
    fail_msg("%s in %zu dimensions: the frequencies are not its own",
             sfm_kernel_family_name(kernel->family), kernel->dimension);
  for (int sign = -1; sign <= 1; sign += 2) {
    double bandwidth[FAMILY_DIMENSIONS];
    sfm_kernel other = *kernel;
    for (size_t a = 0; a < kernel->dimension; a++)
      bandwidth[a] = kernel->bandwidth[a] * (1 + 0.03 * sign);
    other.bandwidth = bandwidth;
    if (!contradicts(sfmi_kernel_frequency, kernel, &other, draws, prng))
      fail_msg("%s in %zu dimensions: a bandwidth off by 3 %% was not seen",
               sfm_kernel_family_name(kernel->family), kernel->dimension);
  }
}

/* As printed in a paper: the normal law without the bandwidth. */
static void printed_gaussian(const sfm_kernel *kernel, double *omega, sfmi_prng *prng) {
  for (size_t a = 0; a < kernel->dimension; a++) omega[a] = sfmi_prng_normal(prng);
}

/* Every coordinate its own t: right in one dimension, and not in more. */
static void separate_matern(const sfm_kernel *kernel, double *omega, sfmi_prng *prng) {
  for (size_t a = 0; a < kernel->dimension; a++) {
    const sfm_kernel one = {
        .family = kernel->family, .dimension = 1, .bandwidth = kernel->bandwidth + a};
    sfmi_kernel_frequency(&one, omega + a, prng);
  }
}

static void frequencies_have_the_kernel_for_their_mean(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 23);
  each_stationary(check_spectrum);
  const sfm_kernel gaussian = family_kernel(SFM_KERNEL_GAUSSIAN, 1);
  assert_true(contradicts(printed_gaussian, &gaussian, &gaussian, 10000, &prng));
  const sfm_kernel one = family_kernel(SFM_KERNEL_MATERN32, 1);
  const sfm_kernel two = family_kernel(SFM_KERNEL_MATERN32, 2);
  assert_false(contradicts(separate_matern, &one, &one, 100000, &prng));
  assert_true(contradicts(separate_matern, &two, &two, 100000, &prng));
}

/* ---- torus features ---- */

/* <phi(x), phi(y)> of one coordinate. */
static double torus_inner(const sfmi_torus *torus, double x, double y) {
  double sum = 0;
  for (size_t j = torus->terms; j > 0; j--) {
    const double a = sfmi_torus_amplitude(torus, j);
    const double p = 2 * M_PI * (double)j * (x + torus->margin) / torus->period;
    const double q = 2 * M_PI * (double)j * (y + torus->margin) / torus->period;
    sum += 2 * a * a * (cos(p) * cos(q) + sin(p) * sin(q));
  }
  return sum + sfmi_torus_amplitude(torus, 0) * sfmi_torus_amplitude(torus, 0);
}

static void torus_features_are_those_of_the_gaussian_kernel(void **state) {
  (void)state;
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 24);
  for (size_t d = 1; d <= FAMILY_DIMENSIONS; d++) {
    const sfm_kernel kernel = family_kernel(SFM_KERNEL_GAUSSIAN, d);
    sfmi_torus torus[FAMILY_DIMENSIONS];
    for (size_t a = 0; a < d; a++)
      assert_ok(sfmi_torus_init(&torus[a], 0, 1, kernel.bandwidth[a], &error), &error);
    for (int i = 0; i < 200; i++) {
      double x[FAMILY_DIMENSIONS], y[FAMILY_DIMENSIONS], product = 1;
      random_points(x, 1, d, &prng);
      random_points(y, 1, d, &prng);
      for (size_t a = 0; a < d; a++) product *= torus_inner(&torus[a], x[a], y[a]);
      assert_near("<phi(x), phi(y)>", product, sfm_kernel_at(&kernel, x, y), 1e-12);
    }
  }
}

/* ---- bounds ---- */

static void refused(sfm_kernel kernel, const char *said) {
  sfm_error error = {.message = ""};
  assert_int_equal(sfm_kernel_check(&kernel, &error), SFM_INVALID);
  if (!strstr(error.message, said)) fail_msg("\"%s\" does not say \"%s\"", error.message, said);
}

static void bad_settings_are_refused(void **state) {
  (void)state;
  const double bad[] = {0, -1, NAN, INFINITY};
  for (sfm_kernel_family family = 0; family < FAMILIES; family++) {
    sfm_kernel kernel = family_kernel(family, 0);
    refused(kernel, "at least one dimension");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
      const double bandwidth[3] = {1, bad[i], 1};
      kernel = family_kernel(family, 3);
      kernel.bandwidth = bandwidth;
      kernel.radius = kernel.bound = bad[i];
      refused(kernel, sfmi_kernel_stationary(family) ? "coordinate 2"
                      : family == SFM_KERNEL_OWN     ? "positive bound"
                                                     : "needs a radius");
    }
  }
  sfm_kernel kernel = family_kernel(SFM_KERNEL_GAUSSIAN, 1);
  kernel.bandwidth = NULL;
  refused(kernel, "needs a bandwidth");
  kernel.family = (sfm_kernel_family)FAMILIES;
  refused(kernel, "no kernel family 9");
  kernel = family_kernel(SFM_KERNEL_OWN, 1);
  kernel.function = NULL;
  refused(kernel, "needs its function");
  kernel = family_kernel(SFM_KERNEL_POLYNOMIAL, 1);
  kernel.degree = 0;
  refused(kernel, "degree from 1 to 64");
  kernel.degree = 65;
  refused(kernel, "degree from 1 to 64");
  kernel = family_kernel(SFM_KERNEL_POLYNOMIAL, 1);
  kernel.constant = -1e-9;
  refused(kernel, "at least 0");
  kernel.constant = NAN;
  refused(kernel, "at least 0");
  kernel.constant = INFINITY;
  refused(kernel, "rescale");
  for (sfm_kernel_family family = SFM_KERNEL_POLYNOMIAL; family <= SFM_KERNEL_LINEAR; family++)
    for (int i = 0; i < 2; i++) { /* the square of the radius overflows, or is zero */
      kernel = family_kernel(family, 1);
      kernel.constant = 0;
      kernel.radius = i ? 1e200 : 1e-200;
      refused(kernel, "rescale");
    }
}

static double minus_one(void *context, const double *x, const double *y, size_t dimension) {
  (void)context, (void)x, (void)y, (void)dimension;
  return -1;
}

/* A caller's kernel is held to the bound he declared: what passes it, and what is no number, does
 * not count. */
static void own_kernels_are_held_to_their_bound(void **state) {
  (void)state;
  sfm_error error;
  const sfm_kernel kernel = {
      .family = SFM_KERNEL_OWN, .dimension = 2, .function = own_exponential, .bound = 5};
  assert_ok(sfm_kernel_check(&kernel, &error), &error);
  assert_true(sfm_kernel_sup(&kernel) == 5);
  const double edge = sqrt(log(5));
  const double inside[2] = {0, edge - 1e-9}, beyond[2] = {0, edge + 1e-9}, nothing[2] = {0, NAN},
               far[2] = {0, 1e300};
  assert_true(within_sup(&kernel, inside));
  assert_false(within_sup(&kernel, beyond));
  assert_false(within_sup(&kernel, nothing));
  assert_false(within_sup(&kernel, far));
  assert_false(sfmi_kernel_nonnegative(&kernel));
  const sfm_kernel negative = {
      .family = SFM_KERNEL_OWN, .dimension = 2, .function = minus_one, .bound = 5};
  assert_false(within_sup(&negative, inside));
}

static long double square_of(const double *x, size_t count) {
  long double sum = 0;
  for (size_t a = 0; a < count; a++) sum += (long double)x[a] * (long double)x[a];
  return sum;
}

static void check_projection(const sfm_kernel *kernel, const double *row, size_t count) {
  enum { MOST = 8 };
  double x[MOST], length = 0;
  const double radius = kernel->radius;
  memcpy(x, row, count * sizeof *x);
  sfmi_ball_project(x, count, radius);
  assert_true(square_of(x, count) <= (long double)radius * (long double)radius);
  assert_true(within_sup(kernel, x));
  for (size_t a = 0; a < count; a++) length = hypot(length, row[a] / 1e3);
  if (length <= radius / 1e3 * (1 - 1e-14)) {
    assert_memory_equal(x, row, count * sizeof *x);
    return;
  }
  assert_true(square_of(x, count) >= (long double)(radius * radius * (1 - 1e-13)));
  for (size_t a = 0; a < count; a++) /* the direction stays */
    assert_near("direction", x[a], row[a] / 1e3 / length * radius, 1e-14 * radius);
}

static void rows_are_projected_to_the_ball(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 26);
  for (int i = 0; i < 2000; i++) {
    double row[8];
    const size_t d = 1 + (size_t)i % 8;
    sfm_kernel kernel = family_kernel(i % 2 ? SFM_KERNEL_LINEAR : SFM_KERNEL_POLYNOMIAL, d);
    kernel.radius = exp(sfmi_prng_normal(&prng));
    double length = 0;
    for (size_t a = 0; a < d; a++) {
      row[a] = sfmi_prng_normal(&prng);
      length = hypot(length, row[a]);
    }
    /* At the radius to the last bit or near it, or of any size. */
    const double size = i % 3 == 0   ? kernel.radius / length
                        : i % 3 == 1 ? kernel.radius / length * (1 + 1e-15 * (i % 7 - 3))
                                     : exp(5 * sfmi_prng_normal(&prng));
    for (size_t a = 0; a < d; a++) row[a] *= size;
    check_projection(&kernel, row, d);
  }
  sfm_kernel kernel = family_kernel(SFM_KERNEL_LINEAR, 3);
  const double huge[3] = {1.7e308, -1.7e308, 1e308}, small[3] = {5e-324, 0, 1e-310},
               zero[3] = {0, 0, 0};
  check_projection(&kernel, huge, 3);
  check_projection(&kernel, small, 3);
  check_projection(&kernel, zero, 3);
  for (size_t i = 0; i < 3; i++) {
    double x[3] = {1, 2, 3};
    x[i] = i == 0 ? NAN : i == 1 ? INFINITY : -INFINITY;
    sfmi_ball_project(x, 3, 1);
    assert_memory_equal(x, zero, sizeof zero);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_the_formulas),
      cmocka_unit_test(known_values),
      cmocka_unit_test(far_points_have_a_value),
      cmocka_unit_test(names_are_those_of_the_command_line),
      cmocka_unit_test(families_are_of_the_kinds_they_are),
      cmocka_unit_test(polynomials_are_non_negative_when_they_are),
      cmocka_unit_test(matrices_are_positive_definite),
      cmocka_unit_test(the_bound_is_reached_and_never_passed),
      cmocka_unit_test(masses_are_integrals),
      cmocka_unit_test(interpolation_keeps_its_bound_and_nearly_reaches_it),
      cmocka_unit_test(frequencies_have_the_kernel_for_their_mean),
      cmocka_unit_test(torus_features_are_those_of_the_gaussian_kernel),
      cmocka_unit_test(bad_settings_are_refused),
      cmocka_unit_test(own_kernels_are_held_to_their_bound),
      cmocka_unit_test(rows_are_projected_to_the_ball),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
