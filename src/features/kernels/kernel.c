#include "kernel.h"

#include <math.h>

#include "base/math/elementary.h"
#include "base/math/vector_sums.h"
#include "base/system/status.h"

#define SQRT3 1.7320508075688772
#define SQRT5 2.2360679774997896

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

/* <x, y> >= -radius^2. */
bool sfmi_kernel_nonnegative(const sfm_kernel *kernel) {
  if (kernel->family == SFM_KERNEL_POLYNOMIAL)
    return kernel->degree % 2 == 0 || kernel->constant >= kernel->radius * kernel->radius;
  return sfmi_kernel_stationary(kernel->family);
}

bool sfmi_kernel_markov(const sfm_kernel *kernel) {
  return kernel->dimension == 1 &&
         (kernel->family == SFM_KERNEL_LAPLACIAN || isotropic(kernel->family));
}

static sfm_status check_bandwidths(const sfm_kernel *kernel, sfm_error *error) {
  const char *name = sfm_kernel_family_name(kernel->family);
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

/* Polynomial and linear. */
static sfm_status check_polynomial(const sfm_kernel *kernel, sfm_error *error) {
  const char *name = sfm_kernel_family_name(kernel->family);
  if (!(kernel->radius > 0) || !isfinite(kernel->radius))
    return sfmi_fail(error, SFM_INVALID,
                     "a %s kernel needs a radius: the largest |x| there is, a positive number",
                     name);
  if (kernel->family == SFM_KERNEL_POLYNOMIAL &&
      (kernel->degree < 1 || kernel->degree > SFM_MAX_DEGREE || !(kernel->constant >= 0)))
    return sfmi_fail(
        error, SFM_INVALID,
        "a polynomial kernel needs a degree from 1 to %d and a constant of at least 0, "
        "not %u and %g",
        SFM_MAX_DEGREE, kernel->degree, kernel->constant);
  const double sup = sfm_kernel_sup(kernel);
  if (!(sup > 0) || !isfinite(sup))
    return sfmi_fail(error, SFM_INVALID,
                     "the largest K(x, x) of a %s kernel of radius %g is %g, which is out of "
                     "range; rescale x so that its radius is near 1",
                     name, kernel->radius, sup);
  return SFM_OK;
}

sfm_status sfm_kernel_check(const sfm_kernel *kernel, sfm_error *error) {
  if (!sfm_kernel_family_name(kernel->family))
    return sfmi_fail(error, SFM_INVALID, "there is no kernel family %u; %s is the last, %u",
                     (unsigned)kernel->family, sfm_kernel_family_name(SFM_KERNEL_OWN),
                     SFM_KERNEL_OWN);
  if (kernel->dimension == 0)
    return sfmi_fail(error, SFM_INVALID, "a kernel needs at least one dimension");
  if (sfmi_kernel_stationary(kernel->family)) return check_bandwidths(kernel, error);
  if (kernel->family != SFM_KERNEL_OWN) return check_polynomial(kernel, error);
  if (!kernel->function || !(kernel->bound > 0) || !isfinite(kernel->bound))
    return sfmi_fail(error, SFM_INVALID,
                     "a kernel of your own needs its function and a positive bound on K(x, x)");
  return SFM_OK;
}

/* Beyond FAR exp(-sqrt3 u) is 0, and its product with a power of u must stay a number. */
static double near(double u) {
  static const double FAR = 1000;
  return u > FAR ? FAR : u;
}

double sfmi_kernel_profile(sfm_kernel_family family, double u) {
  const double three = SQRT3 * near(u), five = SQRT5 * near(u);
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

static double cauchy_at(const sfm_kernel *kernel, const double *x, const double *y) {
  double product = 1;
  for (size_t a = 0; a < kernel->dimension; a++)
    product *= sfmi_kernel_profile(SFM_KERNEL_CAUCHY, (x[a] - y[a]) / kernel->bandwidth[a]);
  return product;
}

/* The profile of |u|_1 for laplacian, of |u|_2 for the others. */
static double radial_at(const sfm_kernel *kernel, const double *x, const double *y) {
  const bool absolute = kernel->family == SFM_KERNEL_LAPLACIAN;
  double sum = 0;
  for (size_t a = 0; a < kernel->dimension; a++) {
    const double u = (x[a] - y[a]) / kernel->bandwidth[a];
    sum += absolute ? fabs(u) : u * u;
  }
  return sfmi_kernel_profile(kernel->family, absolute ? sum : sqrt(sum));
}

double sfm_kernel_at(const sfm_kernel *kernel, const double *x, const double *y) {
  switch (kernel->family) {
  case SFM_KERNEL_CAUCHY:
    return cauchy_at(kernel, x, y);
  case SFM_KERNEL_POLYNOMIAL:
    return sfmi_power(sfmi_inner_product(x, y, kernel->dimension) + kernel->constant,
                      kernel->degree);
  case SFM_KERNEL_LINEAR:
    return sfmi_inner_product(x, y, kernel->dimension);
  case SFM_KERNEL_OWN:
    return kernel->function(kernel->function_data, x, y, kernel->dimension);
  default:
    return radial_at(kernel, x, y);
  }
}

double sfm_kernel_sup(const sfm_kernel *kernel) {
  const double square = kernel->radius * kernel->radius;
  switch (kernel->family) {
  case SFM_KERNEL_POLYNOMIAL:
    return sfmi_power(square + kernel->constant, kernel->degree);
  case SFM_KERNEL_LINEAR:
    return square;
  case SFM_KERNEL_OWN:
    return kernel->bound;
  default:
    return 1;
  }
}

/* Matern: 2^d pi^(d/2) Gamma(nu + d/2)/(Gamma(nu) (2 nu)^(d/2)) for bandwidths of one. */
double sfmi_kernel_mass(const sfm_kernel *kernel) {
  double mass = 1, each = sqrt(2 * M_PI);
  if (isotropic(kernel->family)) {
    const double nu = 0.5 + (double)(kernel->family - SFM_KERNEL_MATERN12);
    mass = tgamma(nu + 0.5 * (double)kernel->dimension) / tgamma(nu);
    each = 2 * sqrt(M_PI / (2 * nu));
  } else if (kernel->family != SFM_KERNEL_GAUSSIAN) {
    each = kernel->family == SFM_KERNEL_CAUCHY ? M_PI : 2;
  }
  for (size_t a = 0; a < kernel->dimension; a++) mass *= each * kernel->bandwidth[a];
  return mass;
}

/* The second derivatives are largest at the origin: 1, 3, 5/3 and 2. */
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

static double chi_square(unsigned freedom, sfmi_prng *prng) {
  double sum = 0;
  for (unsigned i = 0; i < freedom; i++) {
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
