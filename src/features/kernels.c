#include "features/kernels.h"

#include <math.h>

#include "base/fail.h"

const char *sfm_kernel_name(sfm_kernel_family family) {
  static const char *const names[] = {"gaussian", "laplacian",  "matern12", "matern32", "matern52",
                                      "cauchy",   "polynomial", "linear",   "own"};
  return names[family];
}

const char *sfm_engine_name(sfm_engine engine) {
  static const char *const names[] = {"auto", "spectral", "circulant", "markov", "gram"};
  return names[engine];
}

bool sfmi_kernel_stationary(sfm_kernel_family family) {
  return family <= SFM_KERNEL_CAUCHY;
}

static bool isotropic(sfm_kernel_family family) {
  return family >= SFM_KERNEL_MATERN12 && family <= SFM_KERNEL_MATERN52;
}

bool sfmi_kernel_product(const sfm_kernel *kernel) {
  return sfmi_kernel_stationary(kernel->family) &&
         (kernel->dimension == 1 || !isotropic(kernel->family));
}

bool sfmi_kernel_nonnegative(const sfm_kernel *kernel) {
  return sfmi_kernel_stationary(kernel->family);
}

bool sfmi_kernel_markov(const sfm_kernel *kernel) {
  return kernel->dimension == 1 &&
         (kernel->family == SFM_KERNEL_LAPLACIAN || isotropic(kernel->family));
}

static sfm_status check_bandwidths(const sfm_kernel *kernel, sfm_error *error) {
  const char *name = sfm_kernel_name(kernel->family);
  if (!kernel->bandwidth)
    return sfmi_fail(error, SFM_INVALID, "a %s kernel needs a bandwidth for every coordinate",
                     name);
  for (size_t a = 0; a < kernel->dimension; a++)
    if (!(kernel->bandwidth[a] > 0) || !isfinite(kernel->bandwidth[a]))
      return sfmi_fail(error, SFM_INVALID,
                       "the bandwidth of a %s kernel must be a positive number, not %g (coordinate "
                       "%zu)",
                       name, kernel->bandwidth[a], a + 1);
  return SFM_OK;
}

sfm_status sfm_kernel_check(const sfm_kernel *kernel, sfm_error *error) {
  if ((unsigned)kernel->family > SFM_KERNEL_OWN)
    return sfmi_fail(error, SFM_INVALID, "there is no kernel family %u", (unsigned)kernel->family);
  if (kernel->dimension == 0)
    return sfmi_fail(error, SFM_INVALID, "a kernel needs at least one dimension");
  if (sfmi_kernel_stationary(kernel->family)) return check_bandwidths(kernel, error);
  if (kernel->family == SFM_KERNEL_OWN) {
    if (kernel->function && kernel->bound > 0 && isfinite(kernel->bound)) return SFM_OK;
    return sfmi_fail(error, SFM_INVALID,
                     "a kernel of your own needs its function and a positive bound on K(x, x)");
  }
  if (!(kernel->radius > 0) || !isfinite(kernel->radius))
    return sfmi_fail(error, SFM_INVALID,
                     "a %s kernel needs a radius: the largest |x| there is, a positive number",
                     sfm_kernel_name(kernel->family));
  if (kernel->family == SFM_KERNEL_POLYNOMIAL &&
      (kernel->degree < 1 || !(kernel->constant >= 0) || !isfinite(sfm_kernel_sup(kernel))))
    return sfmi_fail(error, SFM_INVALID,
                     "a polynomial kernel needs a degree of at least 1 and a constant >= 0, and "
                     "(radius^2 + constant)^degree must be a finite number");
  return SFM_OK;
}

double sfmi_kernel_profile(sfm_kernel_family family, double u) {
  const double three = 1.7320508075688772 * u, five = 2.2360679774997896 * u;
  switch (family) {
  case SFM_KERNEL_GAUSSIAN:
    return exp(-0.5 * u * u);
  case SFM_KERNEL_MATERN32:
    return (1 + three) * exp(-three);
  case SFM_KERNEL_MATERN52:
    return (1 + five + five * five / 3) * exp(-five);
  case SFM_KERNEL_CAUCHY:
    return 1 / (1 + u * u);
  default:
    return exp(-u);
  }
}

static double inner(const double *x, const double *y, size_t dimension) {
  double sum = 0;
  for (size_t a = 0; a < dimension; a++) sum += x[a] * y[a];
  return sum;
}

static double whole_power(double base, unsigned exponent) {
  double power = 1;
  for (unsigned i = 0; i < exponent; i++) power *= base;
  return power;
}

/* One coordinate; the sum of |u|; the root of the sum of squares; or a product of profiles. */
static double stationary_at(const sfm_kernel *kernel, const double *x, const double *y) {
  const sfm_kernel_family family = kernel->family;
  double squares = 0, sum = 0, product = 1;
  for (size_t a = 0; a < kernel->dimension; a++) {
    double u = fabs(x[a] - y[a]) / kernel->bandwidth[a];
    if (kernel->dimension == 1) return sfmi_kernel_profile(family, u);
    squares += u * u;
    sum += u;
    product /= 1 + u * u;
  }
  if (family == SFM_KERNEL_CAUCHY) return product;
  return sfmi_kernel_profile(family, family == SFM_KERNEL_LAPLACIAN ? sum : sqrt(squares));
}

double sfm_kernel_at(const sfm_kernel *kernel, const double *x, const double *y) {
  switch (kernel->family) {
  case SFM_KERNEL_POLYNOMIAL:
    return whole_power(inner(x, y, kernel->dimension) + kernel->constant, kernel->degree);
  case SFM_KERNEL_LINEAR:
    return inner(x, y, kernel->dimension);
  case SFM_KERNEL_OWN:
    return kernel->function(kernel->context, x, y, kernel->dimension);
  default:
    return stationary_at(kernel, x, y);
  }
}

double sfm_kernel_sup(const sfm_kernel *kernel) {
  const double square = kernel->radius * kernel->radius;
  if (sfmi_kernel_stationary(kernel->family)) return 1;
  if (kernel->family == SFM_KERNEL_OWN) return kernel->bound;
  return kernel->family == SFM_KERNEL_LINEAR
             ? square
             : whole_power(square + kernel->constant, kernel->degree);
}

/* Matern: 2^d pi^(d/2) Gamma(nu + d/2)/(Gamma(nu) (2 nu)^(d/2)) for bandwidths of one. */
double sfmi_kernel_mass(const sfm_kernel *kernel) {
  const double d = (double)kernel->dimension;
  double mass = 1, each = sqrt(2 * M_PI);
  if (isotropic(kernel->family)) {
    const double nu = 0.5 + (double)(kernel->family - SFM_KERNEL_MATERN12);
    mass = exp(lgamma(nu + d / 2) - lgamma(nu));
    each = 2 * sqrt(M_PI / (2 * nu));
  } else if (kernel->family != SFM_KERNEL_GAUSSIAN) {
    each = kernel->family == SFM_KERNEL_CAUCHY ? M_PI : 2;
  }
  for (size_t a = 0; a < kernel->dimension; a++) mass *= each * kernel->bandwidth[a];
  return mass;
}

double sfmi_kernel_interpolation(sfm_kernel_family family, double gap) {
  switch (family) {
  case SFM_KERNEL_GAUSSIAN:
    return gap * gap / 8;
  case SFM_KERNEL_MATERN32:
    return gap * gap * 3 / 8;
  case SFM_KERNEL_MATERN52:
    return gap * gap * 5 / 24;
  case SFM_KERNEL_CAUCHY:
    return gap * gap * 2 / 8;
  default:
    return gap / 2;
  }
}

/* Gamma(shape/2) for a whole shape: half the sum of that many squared normals. */
static double chi_square(unsigned shape, sfmi_prng *prng) {
  double sum = 0;
  for (unsigned i = 0; i < shape; i++) {
    double z = sfmi_prng_normal(prng);
    sum += z * z;
  }
  return sum;
}

/* gaussian: normal.  laplacian: Cauchy.  cauchy: Laplace.  matern: multivariate t with 2 nu degrees
 * of freedom. */
void sfmi_kernel_frequency(const sfm_kernel *kernel, double *omega, sfmi_prng *prng) {
  double shrink = 1;
  if (isotropic(kernel->family)) {
    const unsigned freedom = 1 + 2 * (unsigned)(kernel->family - SFM_KERNEL_MATERN12);
    shrink = sqrt((double)freedom / chi_square(freedom, prng));
  }
  for (size_t a = 0; a < kernel->dimension; a++) {
    double draw;
    if (kernel->family == SFM_KERNEL_LAPLACIAN)
      draw = tan(M_PI * (sfmi_prng_uniform(prng) - 0.5));
    else if (kernel->family == SFM_KERNEL_CAUCHY)
      draw = sfmi_prng_laplace(prng);
    else
      draw = shrink * sfmi_prng_normal(prng);
    omega[a] = draw / kernel->bandwidth[a];
  }
}
