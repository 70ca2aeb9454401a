#include "monomials.h"

#include <math.h>

/* C(things + size - 1, size), the number of multisets of that size, or something above
 * SFMI_MONOMIALS_MAX.  Counted from the shorter side: for high degrees it is needed many times per
 * row. */
static size_t multisets(size_t things, unsigned size) {
  if (things < 2) return things;
  const size_t walls = things - 1, few = walls < size ? walls : size,
               many = walls < size ? size : walls;
  sfmi_u128 sets = 1;
  for (size_t i = 1; i <= few && sets <= SFMI_MONOMIALS_MAX; i++)
    sets = sets * ((sfmi_u128)many + i) / i;
  return sets <= SFMI_MONOMIALS_MAX ? (size_t)sets : SFMI_MONOMIALS_MAX + 1;
}

sfm_status sfmi_monomials_init(sfmi_monomials *monomials, const sfm_kernel *kernel,
                               sfm_error *error) {
  const bool linear = kernel->family == SFM_KERNEL_LINEAR;
  if (!linear && kernel->family != SFM_KERNEL_POLYNOMIAL)
    return sfmi_fail(error, SFM_INVALID,
                     "a %s kernel is no polynomial and has no finite features of that kind",
                     sfm_kernel_family_name(kernel->family));
  *monomials = (sfmi_monomials){.dimension = kernel->dimension,
                                .degree = linear ? 1 : kernel->degree,
                                .root = linear ? 0 : sqrt(kernel->constant)};
  monomials->count = sfmi_monomials_nonzeros(monomials, kernel->dimension);
  if (monomials->count > SFMI_MONOMIALS_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "a polynomial kernel of degree %u in %zu dimensions has more than 2^48 "
                     "features; write a lower degree",
                     kernel->degree, kernel->dimension);
  return SFM_OK;
}

size_t sfmi_monomials_nonzeros(const sfmi_monomials *monomials, size_t nonzeros) {
  return multisets(nonzeros + (monomials->root > 0), monomials->degree);
}

/* A row, seen as the coordinates z that are not zero, and what has been written of its features. */
typedef struct walk {
  const sfmi_monomials *monomials;
  const size_t *indices;
  const uint32_t *numbers; /* instead of indices */
  const double *x;
  size_t *features;
  double *values;
  size_t written;
  sfmi_monomial_callback *take; /* instead of features and values */
  void *context;
} walk;

static void write(walk *w, size_t feature, double value) {
  if (w->take) {
    w->take(w->context, feature, value);
    return;
  }
  w->features[w->written] = feature;
  w->values[w->written++] = value;
}

/* The i-th nonzero of z: which coordinate of z it is, and its value. */
static double coordinate(const walk *w, size_t *j, size_t i) {
  const size_t shift = w->monomials->root > 0;
  if (i < shift) {
    *j = 0;
    return w->monomials->root;
  }
  *j = shift + (w->numbers ? w->numbers[i - shift] : w->indices[i - shift]);
  return w->x[i - shift];
}

/* Goes on with every choice of `left` further factors, none beyond the `last` nonzero, of which
 * `run` were chosen just before.  product and rank are those of the factors chosen.  The t-th
 * factor, the r-th of its kind, brings a factor t/r of the multinomial coefficient. */
static void choose(walk *w, unsigned left, size_t last, unsigned run, double product, size_t rank) {
  const double t = w->monomials->degree - left + 1;
  const double fresh = sqrt(t), repeated = sqrt(t / (run + 1));
  for (size_t i = 0; i <= last; i++) {
    size_t j;
    const double z = coordinate(w, &j, i), value = product * (z * (i < last ? fresh : repeated));
    if (left > 1)
      choose(w, left - 1, i, i < last ? 1 : run + 1, value, rank + multisets(j, left));
    else
      write(w, rank + j, value);
  }
}

static void walk_all(walk *w, size_t nonzeros) {
  const size_t coordinates = nonzeros + (w->monomials->root > 0);
  if (coordinates > 0) choose(w, w->monomials->degree, coordinates - 1, 0, 1, 0);
}

void sfmi_monomials_sparse(const sfmi_monomials *monomials, size_t *features, double *values,
                           const size_t *indices, const double *x, size_t nonzeros) {
  walk_all(&(walk){.monomials = monomials,
                   .indices = indices,
                   .x = x,
                   .features = features,
                   .values = values},
           nonzeros);
}

void sfmi_monomials_each(const sfmi_monomials *monomials, sfmi_monomial_callback *take,
                         void *context, const uint32_t *indices, const double *x, size_t nonzeros) {
  walk_all(
      &(walk){.monomials = monomials, .numbers = indices, .x = x, .take = take, .context = context},
      nonzeros);
}
