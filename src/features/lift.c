/* lift.c - why no phi(u) is longer than kappa.
 *
 * linear     the row itself, within the radius exactly (encoding.c): kappa = radius.
 * monomials  |phi|^2 = (|u|^2 + root^2)^p with root = sqrt(shift) rounded, root^2 <= shift (1 +
 *            2^-51); every computed feature is off by at most 5 p 2^-53 of itself (monomials.h),
 *            the power by at most 2 p 2^-53: the slack of (8 p + 8) 2^-52 is more.
 * torus      sfmi_tensor_length.
 * waves      one (waves.h).
 * Then sqrt(kappa^2 + constant^2), rounded up.  Where doubles become floats they go towards zero
 * (waves and torus: see there).  kappa is from 1e-100 to 1e100, so that what underflows is too
 * little to matter: 2^24 features, each off by 2^-1074 then, beside 2^-52 kappa. */
#include "features/lift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "features/kernels.h"
#include "features/monomials.h"
#include "features/spline.h"
#include "features/tensor.h"
#include "features/waves.h"

const char *sfmi_lift_name(sfmi_lift_form form) {
  static const char *const names[] = {"linear", "monomials", "torus", "random", "points"};
  return (unsigned)form < sizeof names / sizeof *names ? names[form] : NULL;
}

void sfmi_lift_drop(sfmi_lift *stated) {
  free(stated->lower);
  free(stated->upper);
  free(stated->point_starts);
  free(stated->point_indices);
  free(stated->point_values);
}

void sfmi_lift_destroy(sfmi_lift *lift) {
  if (!lift) return;
  if (lift->form == SFMI_LIFT_TORUS)
    sfmi_tensor_destroy(lift->derived);
  else if (lift->form == SFMI_LIFT_WAVES)
    sfmi_waves_destroy(lift->derived);
  else
    free(lift->derived);
  sfmi_lift_drop(lift);
  free(lift);
}

static sfm_status complete_linear(sfmi_lift *lift, sfm_error *error) {
  (void)error;
  lift->count = lift->dimension;
  lift->kappa = lift->radius;
  return SFM_OK;
}

static sfm_status complete_monomials(sfmi_lift *lift, sfm_error *error) {
  const sfm_kernel kernel = {.family = lift->kernel,
                             .dimension = lift->dimension,
                             .degree = lift->degree,
                             .constant = lift->shift,
                             .radius = lift->radius};
  sfmi_monomials *monomials = sfmi_alloc(1, sizeof *monomials);
  if (!monomials) return sfmi_fail_memory(error);
  lift->derived = monomials;
  const sfm_status status = sfmi_monomials_init(monomials, &kernel, error);
  if (status) return status;
  const double slack = 8 * (double)(monomials->degree + 1) * 0x1p-52;
  lift->count = monomials->count;
  lift->kappa = sqrt(sfm_kernel_sup(&kernel) * (1 + slack));
  return SFM_OK;
}

static sfm_status complete_torus(sfmi_lift *lift, sfm_error *error) {
  sfmi_tensor *tensor;
  if (!lift->lower || !lift->upper)
    return sfmi_fail(error, SFM_INVALID, "finite features of a gaussian kernel need a box");
  const sfm_status status = sfmi_tensor_create(&tensor, lift->lower, lift->upper, lift->dimension,
                                               lift->bandwidth, error);
  if (status) return status;
  lift->derived = tensor;
  lift->count = sfmi_tensor_count(tensor);
  lift->kappa = sfmi_tensor_length(tensor);
  return SFM_OK;
}

static sfm_status complete_waves(sfmi_lift *lift, sfm_error *error) {
  const sfmi_spectral_law law = {lift->kernel, lift->dimension, lift->frequencies, lift->seed};
  sfmi_waves *waves;
  const sfm_status status = sfmi_waves_create(&waves, &law, lift->bandwidth, lift->radius, error);
  if (status) return status;
  lift->derived = waves;
  lift->count = 2 * lift->frequencies;
  lift->kappa = 1;
  return SFM_OK;
}

static sfm_status complete_points(sfmi_lift *lift, sfm_error *error) {
  if (!lift->point_starts || lift->point_count == 0)
    return sfmi_fail(error, SFM_INVALID, "a function at public places needs at least one place");
  for (size_t i = 0; i < lift->point_count; i++)
    for (size_t k = lift->point_starts[i]; k < lift->point_starts[i + 1]; k++) {
      const bool first = k == lift->point_starts[i];
      if (lift->point_indices[k] >= lift->dimension ||
          (!first && lift->point_indices[k] <= lift->point_indices[k - 1]))
        return sfmi_fail(error, SFM_INVALID,
                         "place %zu has coordinates that do not ascend or are beyond the last one",
                         i + 1);
      if (!isfinite(lift->point_values[k]))
        return sfmi_fail(error, SFM_INVALID, "place %zu has a coordinate that is no number", i + 1);
    }
  const sfm_kernel kernel = {.family = lift->kernel,
                             .degree = lift->degree,
                             .constant = lift->shift,
                             .radius = lift->radius};
  lift->count = lift->point_count;
  lift->kappa = sqrt(sfm_kernel_sup(&kernel));
  return SFM_OK;
}

/* Which kernels have features of that form. */
static bool form_fits(const sfmi_lift *lift) {
  switch (lift->form) {
  case SFMI_LIFT_LINEAR:
    return lift->kernel == SFM_KERNEL_LINEAR;
  case SFMI_LIFT_MONOMIALS:
    return lift->kernel == SFM_KERNEL_POLYNOMIAL;
  case SFMI_LIFT_TORUS:
    return lift->kernel == SFM_KERNEL_GAUSSIAN;
  case SFMI_LIFT_WAVES:
    return sfmi_kernel_stationary(lift->kernel);
  default:
    return lift->kernel < SFM_KERNEL_OWN;
  }
}

static sfm_status check_kernel(const sfmi_lift *lift, sfm_error *error) {
  const char *name = sfm_kernel_name(lift->kernel);
  if (!sfmi_lift_name(lift->form) || !name || !form_fits(lift))
    return sfmi_fail(error, SFM_INVALID, "a %s kernel has no features of the form %s",
                     name ? name : "unknown",
                     sfmi_lift_name(lift->form) ? sfmi_lift_name(lift->form) : "unknown");
  if (sfmi_kernel_stationary(lift->kernel) &&
      (!(lift->bandwidth > 0) || !isfinite(lift->bandwidth)))
    return sfmi_fail(error, SFM_INVALID,
                     "the bandwidth of a %s kernel must be a positive number, not %g", name,
                     lift->bandwidth);
  if (sfmi_kernel_stationary(lift->kernel)) return SFM_OK;
  const sfm_kernel kernel = {.family = lift->kernel,
                             .dimension = lift->dimension,
                             .degree = lift->degree,
                             .constant = lift->shift,
                             .radius = lift->radius};
  return sfm_kernel_check(&kernel, error);
}

static sfm_status check(const sfmi_lift *lift, sfm_error *error) {
  if (lift->dimension < 1 || lift->dimension > SFMI_ENCODING_MAX)
    return sfmi_fail(error, SFM_INVALID, "features of %zu coordinates: from 1 to %zu there can be",
                     lift->dimension, SFMI_ENCODING_MAX);
  if (!(lift->radius > 0) || !isfinite(lift->radius))
    return sfmi_fail(error, SFM_INVALID, "the largest length of a row is a positive number, not %g",
                     lift->radius);
  if (!(lift->constant >= 0) || !isfinite(lift->constant))
    return sfmi_fail(error, SFM_INVALID,
                     "the constant feature is a number of at least 0, not %g (--constant)",
                     lift->constant);
  return check_kernel(lift, error);
}

static bool has_constant(const sfmi_lift *lift) {
  return lift->constant > 0 && lift->form != SFMI_LIFT_POINTS;
}

/* What the constant adds, and whether all is within limits. */
static sfm_status complete_constant(sfmi_lift *lift, sfm_error *error) {
  if (lift->constant > 0) lift->kappa = hypot(lift->kappa, lift->constant) * (1 + 0x1p-51);
  lift->count += has_constant(lift);
  if (lift->count > SFMI_LIFT_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "a %s kernel in %zu coordinates has %zu features, and up to %zu can be used: "
                     "write fewer columns or a lower degree",
                     sfm_kernel_name(lift->kernel), lift->dimension, lift->count, SFMI_LIFT_MAX);
  if (!(lift->kappa >= 1e-100 && lift->kappa <= 1e100))
    return sfmi_fail(error, SFM_INVALID,
                     "the features of a row can be %g long, which is no number to compute with: "
                     "scale the columns (--scaling unit) or write another --clip-norm",
                     lift->kappa);
  return SFM_OK;
}

sfm_status sfmi_lift_state(sfmi_lift **out, const sfmi_lift *stated, sfm_error *error) {
  static sfm_status (*const complete[])(sfmi_lift *, sfm_error *) = {
      complete_linear, complete_monomials, complete_torus, complete_waves, complete_points};
  *out = NULL;
  sfmi_lift *lift = sfmi_alloc(1, sizeof *lift);
  if (!lift) {
    sfmi_lift taken = *stated;
    sfmi_lift_drop(&taken);
    return sfmi_fail_memory(error);
  }
  *lift = *stated;
  lift->derived = NULL;
  sfm_status status = check(lift, error);
  if (!status) status = complete[lift->form](lift, error);
  if (!status) status = complete_constant(lift, error);
  if (status) {
    sfmi_lift_destroy(lift);
    return status;
  }
  *out = lift;
  return SFM_OK;
}

sfm_status sfmi_lift_prepare(const sfmi_lift *lift, sfm_error *error) {
  return lift->form == SFMI_LIFT_WAVES ? sfmi_waves_draw(lift->derived, error) : SFM_OK;
}

double sfmi_lift_bytes(const sfmi_lift *lift) {
  return lift->form == SFMI_LIFT_WAVES ? sfmi_waves_bytes(lift->derived) : 0;
}

sfm_status sfmi_lift_create(sfmi_lift **out, const sfmi_lift *stated, sfm_error *error) {
  sfm_status status = sfmi_lift_state(out, stated, error);
  if (!status) status = sfmi_lift_prepare(*out, error);
  if (!status || !*out) return status;
  sfmi_lift_destroy(*out);
  *out = NULL;
  return status;
}

size_t sfmi_lift_among(const sfmi_lift *lift, size_t nonzeros) {
  if (lift->form == SFMI_LIFT_LINEAR) return nonzeros + has_constant(lift);
  if (lift->form == SFMI_LIFT_MONOMIALS)
    return sfmi_monomials_among(lift->derived, nonzeros) + has_constant(lift);
  return lift->count;
}

bool sfmi_lift_sparse(const sfmi_lift *lift) {
  return lift->form == SFMI_LIFT_LINEAR || lift->form == SFMI_LIFT_MONOMIALS;
}

/* The largest float that is not longer. */
static float towards_zero(double x) {
  const float near = (float)fmax(fmin(x, FLT_MAX), -FLT_MAX);
  return fabs((double)near) > fabs(x) ? nextafterf(near, 0) : near;
}

/* Where the features of a row go: one of three. */
typedef struct row_out {
  uint32_t *features;
  double *values;
  size_t written;
  double *dense;
  float *floats;
} row_out;

static void put(void *context, size_t feature, double value) {
  row_out *out = context;
  if (out->dense) {
    out->dense[feature] = value;
  } else if (out->floats) {
    out->floats[feature] = towards_zero(value);
  } else {
    out->features[out->written] = (uint32_t)feature;
    out->values[out->written++] = value;
  }
}

static void put_row(const sfmi_lift *lift, row_out *out, const uint32_t *indices, const double *u,
                    size_t nonzeros) {
  if (lift->form == SFMI_LIFT_MONOMIALS)
    sfmi_monomials_each(lift->derived, put, out, indices, u, nonzeros);
  else
    for (size_t j = 0; j < nonzeros; j++) put(out, indices[j], u[j]);
  if (has_constant(lift)) put(out, lift->count - 1, lift->constant);
}

size_t sfmi_lift_row(const sfmi_lift *lift, uint32_t *features, double *values,
                     const uint32_t *indices, const double *u, size_t nonzeros) {
  row_out out = {.features = features, .values = values};
  put_row(lift, &out, indices, u, nonzeros);
  return out.written;
}

/* K(u, z_j) + constant^2. */
static double at_place(const sfmi_lift *lift, size_t j, const uint32_t *indices, const double *u,
                       size_t nonzeros) {
  const size_t start = lift->point_starts[j];
  return sfmi_lift_kernel(lift, indices, u, nonzeros, lift->point_indices + start,
                          lift->point_values + start, lift->point_starts[j + 1] - start);
}

void sfmi_lift_dense(const sfmi_lift *lift, double *phi, const size_t *starts,
                     const uint32_t *indices, const double *u, size_t rows) {
  if (lift->form == SFMI_LIFT_WAVES)
    sfmi_waves_doubles(lift->derived, phi, lift->count, starts, indices, u, rows);
  for (size_t r = 0; r < rows; r++, phi += lift->count) {
    const uint32_t *i = indices + starts[r];
    const double *x = u + starts[r];
    const size_t nonzeros = starts[r + 1] - starts[r];
    if (sfmi_lift_sparse(lift)) {
      memset(phi, 0, lift->count * sizeof *phi);
      put_row(lift, &(row_out){.dense = phi}, i, x, nonzeros);
    }
    if (lift->form == SFMI_LIFT_TORUS) sfmi_tensor_doubles(lift->derived, phi, i, x, nonzeros);
    for (size_t j = 0; lift->form == SFMI_LIFT_POINTS && j < lift->count; j++)
      phi[j] = at_place(lift, j, i, x, nonzeros);
    if (has_constant(lift)) phi[lift->count - 1] = lift->constant;
  }
}

void sfmi_lift_floats(const sfmi_lift *lift, float *phi, size_t stride, const size_t *starts,
                      const uint32_t *indices, const double *u, size_t rows) {
  if (lift->form == SFMI_LIFT_WAVES)
    sfmi_waves_floats(lift->derived, phi, stride, starts, indices, u, rows);
  for (size_t r = 0; r < rows; r++, phi += stride) {
    const uint32_t *i = indices + starts[r];
    const double *x = u + starts[r];
    const size_t nonzeros = starts[r + 1] - starts[r];
    if (sfmi_lift_sparse(lift)) {
      memset(phi, 0, lift->count * sizeof *phi);
      put_row(lift, &(row_out){.floats = phi}, i, x, nonzeros);
    }
    if (lift->form == SFMI_LIFT_TORUS) sfmi_tensor_floats(lift->derived, phi, i, x, nonzeros);
    for (size_t j = 0; lift->form == SFMI_LIFT_POINTS && j < lift->count; j++)
      phi[j] = (float)at_place(lift, j, i, x, nonzeros);
    if (has_constant(lift)) phi[lift->count - 1] = towards_zero(lift->constant);
  }
}

/* Two rows, coordinate by coordinate where one of them is not zero. */
typedef struct merging {
  const uint32_t *ui, *vi;
  const double *u, *v;
  size_t un, vn, i, j;
} merging;

static bool merge_next(merging *m, double *u, double *v) {
  if (m->i == m->un && m->j == m->vn) return false;
  const uint32_t a = m->i < m->un ? m->ui[m->i] : UINT32_MAX;
  const uint32_t b = m->j < m->vn ? m->vi[m->j] : UINT32_MAX;
  *u = a <= b ? m->u[m->i++] : 0;
  *v = b <= a ? m->v[m->j++] : 0;
  return true;
}

static double inner(merging m) {
  double sum = 0, u, v;
  while (merge_next(&m, &u, &v)) sum += u * v;
  return sum;
}

/* As sfm_kernel_at. */
static double stationary(const sfmi_lift *lift, merging m) {
  const sfm_kernel_family kernel = lift->kernel;
  const bool product = kernel == SFM_KERNEL_CAUCHY, absolute = kernel == SFM_KERNEL_LAPLACIAN;
  double sum = 0, all = 1, u, v;
  while (merge_next(&m, &u, &v)) {
    const double apart = (u - v) / lift->bandwidth;
    if (product)
      all *= sfmi_kernel_profile(kernel, apart);
    else
      sum += absolute ? fabs(apart) : apart * apart;
  }
  return product ? all : sfmi_kernel_profile(kernel, absolute ? sum : sqrt(sum));
}

double sfmi_lift_kernel(const sfmi_lift *lift, const uint32_t *ui, const double *u, size_t un,
                        const uint32_t *vi, const double *v, size_t vn) {
  const merging m = {.ui = ui, .vi = vi, .u = u, .v = v, .un = un, .vn = vn};
  double value;
  if (sfmi_kernel_stationary(lift->kernel))
    value = stationary(lift, m);
  else if (lift->kernel == SFM_KERNEL_POLYNOMIAL)
    value = sfmi_power(inner(m) + lift->shift, lift->degree);
  else
    value = inner(m);
  return value + lift->constant * lift->constant;
}

double sfmi_lift_between(const sfmi_lift *lift, size_t i, size_t j) {
  const size_t start = lift->point_starts[i];
  return at_place(lift, j, lift->point_indices + start, lift->point_values + start,
                  lift->point_starts[i + 1] - start);
}
