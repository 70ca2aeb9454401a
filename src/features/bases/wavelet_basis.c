/* wavelet_basis.c - the bases haar and db4: psi_{l,k}(u) = 2^(l/2) sum_m psi(2^l (u + m) - k), m
 * over all integers, for l = 0, 1, ..., levels - 1 and k = 0 .. 2^l - 1; function 2^l - 1 + k is
 * psi_{l,k}.
 *
 * haar: psi is 1 on [0, 1/2), -1 on [1/2, 1); at the domain's upper end it is what it is just
 * before.
 *
 * db4: Daubechies' psi of four vanishing moments, with the scaling function phi on [0, 7]:
 *   phi(x) = sqrt2 sum_n h_n phi(2x - n),   psi(x) = sqrt2 sum_n (-1)^n h_(7-n) phi(2x - n).
 * phi at integers is the fixed point of the first equation.  By the same equation phi follows at
 * halves, quarters, ..., and so psi at every multiple of 2^-16.  At the points k/2^16 of the unit
 * interval (SFMI_DB4_CELLS) the basis has these values, to 1e-14, and it is linear in between: the
 * largest norm of a row of values is at one of these points.  Its functions are orthonormal in the
 * mean over these points: to 1e-10 up to 64 terms, to 1e-6 up to 1024 terms, which is the most. */
#include "wavelet_basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAPS = 8, SUPPORT = TAPS - 1, DEPTH = 16, LEVELS_MAX = 10, HEIGHTS = 21 };

/* h_n: sum h_n h_(n+2m) = [m = 0], sum (-1)^n n^p h_n = 0 for p < 4, from the roots of
 * 1 + 4y + 10y^2 + 20y^3 within the unit circle. */
static const double H[TAPS] = {0.2303778133088965008632912,  0.7148465705529156470899220,
                               0.6308807679298589078817163,  -0.02798376941685985421141375,
                               -0.1870348117190930840795707, 0.03084138183556076362721936,
                               0.03288301166688519973540751, -0.01059740178506903210488321};

static unsigned levels_of(const sfmi_basis *basis) {
  unsigned levels = 0;
  while (basis->count >> levels) levels++;
  return levels;
}

static double unit_of(const sfmi_basis *basis, double x) {
  return (x - basis->lower[0]) / (basis->upper[0] - basis->lower[0]);
}

/* The functions' heights, 2^(l/2) width^-1/2 on level l. */
typedef struct heights {
  unsigned levels;
  double of[HEIGHTS];
} heights;

static heights heights_of(const sfmi_basis *basis) {
  heights h = {.levels = levels_of(basis)};
  for (unsigned l = 0; l < h.levels; l++)
    h.of[l] = sqrt(ldexp(1 / (basis->upper[0] - basis->lower[0]), (int)l));
  return h;
}

/* ---- haar ---- */

static void haar_at(const sfmi_basis *basis, double *values, const double *points, size_t count) {
  const heights h = heights_of(basis);
  const size_t last = basis->count; /* of 2^levels cells */
  memset(values, 0, count * basis->count * sizeof *values);
  for (size_t i = 0; i < count; i++) {
    double *row = values + i * basis->count;
    size_t cell = (size_t)ldexp(unit_of(basis, points[i]), (int)h.levels);
    if (cell > last) cell = last;
    for (unsigned l = 0; l < h.levels; l++) {
      const size_t k = cell >> (h.levels - l), second = cell >> (h.levels - l - 1) & 1;
      row[((size_t)1 << l) - 1 + k] = second ? -h.of[l] : h.of[l];
    }
  }
}

/* ---- db4 ---- */

/* sum_n taps_n phi(2x - n), x in units of 1/2^bits, from phi at multiples of 2^-stored. */
static double refine(const double *taps, const double *phi, unsigned stored, size_t x,
                     unsigned bits) {
  double sum = 0;
  for (size_t n = 0; n < TAPS; n++) {
    const size_t twice = x << (stored + 1 - bits), shift = n << stored;
    if (twice >= shift && twice - shift <= (size_t)SUPPORT << stored)
      sum += taps[n] * phi[twice - shift];
  }
  return M_SQRT2 * sum;
}

/* phi at 0 .. 7.  The other eigenvalues of the equation are at most 1/2. */
static void integers(double *phi) {
  double next[SUPPORT + 1], sum = 0;
  for (size_t i = 0; i <= SUPPORT; i++) phi[i] = i > 0 && i < SUPPORT;
  for (int step = 0; step < 64; step++) {
    for (size_t i = 0; i <= SUPPORT; i++) next[i] = refine(H, phi, 0, i, 0);
    memcpy(phi, next, sizeof next);
  }
  for (size_t i = 0; i <= SUPPORT; i++) sum += phi[i];
  for (size_t i = 0; i <= SUPPORT; i++) phi[i] /= sum;
}

/* phi at multiples of 2^-stored on [0, 7]. */
static void cascade(double *phi, unsigned stored) {
  double whole[SUPPORT + 1];
  integers(whole);
  for (size_t i = 0; i <= SUPPORT; i++) phi[i << stored] = whole[i];
  for (unsigned bits = 1; bits <= stored; bits++)
    for (size_t x = 1; x < (size_t)SUPPORT << bits; x += 2)
      phi[x << (stored - bits)] = refine(H, phi, stored, x, bits);
}

/* psi(n + f/2^16) in [f * TAPS + n], n = 0 .. 6; NULL when memory is short. */
static double *tabulate(void) {
  const unsigned stored = DEPTH - 1;
  double g[TAPS];
  for (size_t n = 0; n < TAPS; n++) g[n] = n % 2 ? -H[SUPPORT - n] : H[SUPPORT - n];
  double *phi = sfmi_alloc(((size_t)SUPPORT << stored) + 1, sizeof *phi),
         *psi = sfmi_alloc(SFMI_DB4_CELLS * TAPS, sizeof *psi);
  if (!phi || !psi) {
    free(phi);
    free(psi);
    return NULL;
  }
  cascade(phi, stored);
  for (size_t x = 0; x < SUPPORT * SFMI_DB4_CELLS; x++)
    psi[x % SFMI_DB4_CELLS * TAPS + x / SFMI_DB4_CELLS] = refine(g, phi, stored, x, DEPTH);
  free(phi);
  return psi;
}

/* Adds weight times the functions at node/2^16. */
static void add_node(double *row, const double *psi, const heights *h, size_t node, double weight) {
  for (unsigned l = 0; l < h->levels; l++) {
    const size_t x = node << l, mask = ((size_t)1 << l) - 1;
    const double *at = psi + x % SFMI_DB4_CELLS * TAPS, scale = weight * h->of[l];
    for (size_t n = 0; n < SUPPORT; n++)
      row[mask + ((x / SFMI_DB4_CELLS - n) & mask)] += scale * at[n];
  }
}

static void db4_at(const sfmi_basis *basis, double *values, const double *points, size_t count) {
  const heights h = heights_of(basis);
  memset(values, 0, count * basis->count * sizeof *values);
  for (size_t i = 0; i < count; i++) {
    double *row = values + i * basis->count, whole;
    const double past = modf(ldexp(unit_of(basis, points[i]), DEPTH), &whole);
    add_node(row, basis->derived, &h, (size_t)whole, 1 - past);
    if (past > 0) add_node(row, basis->derived, &h, (size_t)whole + 1, past);
  }
}

sfm_status sfmi_wavelet_basis_complete(sfmi_basis *basis, sfm_error *error) {
  const bool haar = basis->family == SFMI_HAAR;
  const size_t terms = basis->count + 1, below = (size_t)1 << (levels_of(basis) - 1);
  if ((terms & basis->count) != 0)
    return sfmi_fail(error, SFM_INVALID,
                     "a basis %s has a power of two of terms, the constant included: write %zu or "
                     "%zu, not %zu",
                     sfmi_basis_family_name(basis->family), below, 2 * below, terms);
  if (!haar && levels_of(basis) > LEVELS_MAX)
    return sfmi_fail(
        error, SFM_INVALID,
        "a basis db4 has at most %d terms, the constant included, not %zu; write fewer "
        "or haar",
        1 << LEVELS_MAX, terms);
  basis->constant = 1 / (basis->upper[0] - basis->lower[0]);
  basis->at = haar ? haar_at : db4_at;
  if (!haar) basis->derived = tabulate();
  return haar || basis->derived ? SFM_OK : sfmi_fail_memory(error);
}
