/* test_basis_sums.c - sums over rows of the functions of a basis: a row's integers are those of the
 * functions to the stated error, depend on the row alone, and are never farther apart than the
 * certificate says, however rows are searched for. */
/* suite: release */
#include "test_support.h"

#include "estimators/sums/basis_sums.h"
#include "features/bases/eigen_basis.h"
#include "features/basis_fixtures.h"

typedef struct setup {
  sfmi_basis_family family;
  size_t count;
  double lower, upper;
} setup;

static const setup SETUPS[] = {
    {SFMI_FOURIER, 2, 0, 1},
    {SFMI_FOURIER, 20, -3, 5},
    {SFMI_FOURIER, 100, 0, 1},
    {SFMI_COSINE, 1, 0, 1},
    {SFMI_COSINE, 17, 1e6, 1e6 + 1},
    {SFMI_COSINE, 100, -1, 1},
    {SFMI_LEGENDRE, 1, 0, 1},
    {SFMI_LEGENDRE, 12, -2, 7},
    {SFMI_LEGENDRE, 100, 0, 1},
    {SFMI_HERMITE, 1, 0, 1},
    {SFMI_HERMITE, 15, -40, 10},
    {SFMI_HERMITE, 60, 0, 1},
    {SFMI_HAAR, 1, 0, 1},
    {SFMI_HAAR, 31, -7, 9},
    {SFMI_HAAR, 127, 0, 1},
    {SFMI_DB4, 1, 0, 1},
    {SFMI_DB4, 31, -3, 2},
    {SFMI_DB4, 63, 0, 1},
    {SFMI_EIGEN, 1, 0, 1},
    {SFMI_EIGEN, 12, -5, 2},
    {SFMI_EIGEN, 15, 0, 1},
    /* The most that there may be, in the long tier. */
    {SFMI_FOURIER, 512, 0, 1},
    {SFMI_COSINE, 512, 0, 1},
    {SFMI_LEGENDRE, 128, 0, 1},
    {SFMI_HERMITE, 128, 0, 1},
    {SFMI_HAAR, 1023, 0, 1},
    {SFMI_DB4, 255, 0, 1},
    {SFMI_EIGEN, 127, 0, 1},
};
enum { ALL = sizeof SETUPS / sizeof *SETUPS, ORDINARY = ALL - 7 };

static size_t setups(void) {
  return test_long() ? ALL : ORDINARY;
}

typedef struct bench {
  sfmi_basis *basis;
  sfmi_basis_sums *moments;
  size_t count, length;
  sfmi_i128 *masses, *sums;
  double *row, *other; /* the latest row's integers, and room for another's */
} bench;

/* eigen: of a kernel with a kink and with none, in turns. */
static sfmi_basis *make_basis(const setup *s) {
  if (s->family != SFMI_EIGEN) return basis_stated(s->family, s->count, s->lower, s->upper);
  const double bandwidth = (s->upper - s->lower) / 6;
  const sfm_kernel kernel = {.family = s->count % 2 ? SFM_KERNEL_LAPLACIAN : SFM_KERNEL_GAUSSIAN,
                             .dimension = 1,
                             .bandwidth = &bandwidth};
  sfm_error error;
  sfmi_basis stated;
  assert_ok(sfmi_eigen_stated(&stated, NULL, &kernel, s->lower, s->upper, s->count, &error),
            &error);
  return basis_of(&stated);
}

static void bench_init(bench *b, const setup *s) {
  sfm_error error;
  *b = (bench){.basis = make_basis(s), .count = s->count};
  assert_ok(sfmi_basis_sums_create(&b->moments, b->basis, &error), &error);
  b->length = sfmi_basis_sums_length(b->moments);
  b->masses = calloc(b->length, sizeof *b->masses);
  b->sums = calloc(b->count, sizeof *b->sums);
  b->row = calloc(b->count, sizeof *b->row);
  b->other = calloc(b->count, sizeof *b->other);
  assert_true(b->masses && b->sums && b->row && b->other);
}

static void bench_clear(bench *b) {
  sfmi_basis_sums_destroy(b->moments);
  sfmi_basis_destroy(b->basis);
  free(b->masses);
  free(b->sums);
  free(b->row);
  free(b->other);
}

static void name_setup(char *text, size_t size, const setup *s) {
  snprintf(text, size, "%s %zu", sfmi_basis_family_name(s->family), s->count);
}

/* The masses of some rows, from nothing. */
static void add_rows(bench *b, double *values, uint8_t *keep, size_t rows) {
  const sfmi_batch batch = {.rows = rows, .columns = 1, .values = values, .keep = keep};
  memset(b->masses, 0, b->length * sizeof *b->masses);
  sfmi_basis_sums_add(b->moments, b->masses, &batch);
}

/* V_j of one row, as numbers. */
static void integers_at(bench *b, double x) {
  uint8_t keep = 1;
  add_rows(b, &x, &keep, 1);
  sfmi_basis_sums_sum(b->moments, b->sums, b->masses);
  for (size_t j = 0; j < b->count; j++)
    b->row[j] = ldexp((double)b->sums[j], -sfmi_basis_sums_fraction_bits(b->moments));
}

/* Bounds, places a rounding inside them, what lies on the lattice, and anything. */
static double some_place(const bench *b, sfmi_prng *prng, int i) {
  const double lower = b->basis->lower[0], upper = b->basis->upper[0], width = upper - lower;
  if (i < 2) return i ? upper : lower;
  if (i < 4) return i == 2 ? nextafter(lower, upper) : nextafter(upper, lower);
  if (i < 8) return lower + width * ldexp(floor(ldexp(sfmi_prng_uniform(prng), 6)), -6);
  return fmin(lower + width * sfmi_prng_uniform(prng), upper);
}

static void rows_are_the_functions_to_the_stated_error(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 311);
  for (size_t s = 0; s < setups(); s++) {
    bench b;
    char name[64];
    bench_init(&b, &SETUPS[s]);
    name_setup(name, sizeof name, &SETUPS[s]);
    double *exact = malloc(b.count * sizeof *exact), *at = malloc(b.count * sizeof *at);
    double share = 0, worst = 0;
    const int places = 30;
    for (int i = 0; i < places; i++) {
      const double x = some_place(&b, &prng, i), y = some_place(&b, &prng, i / 2);
      integers_at(&b, x);
      sfmi_basis_at(b.basis, exact, &x, 1);
      sfmi_basis_at(b.basis, at, &y, 1);
      double moved = 0;
      for (size_t j = 0; j < b.count; j++) {
        const double off = fabs(b.row[j] - exact[j]), most = sfmi_basis_sums_error(b.moments, j);
        if (!(off <= most)) fail_msg("%s: function %zu is off by %g, not %g", name, j, off, most);
        share = fmax(share, off / most);
        worst = fmax(worst, most / sfmi_basis_sums_largest(b.moments, j));
        assert_true(fabs(exact[j]) <= sfmi_basis_sums_largest(b.moments, j));
        assert_true(fabs(b.row[j]) <= sfmi_basis_sums_largest(b.moments, j));
        moved += (b.row[j] - exact[j]) * at[j];
      }
      assert_true(fabs(moved) <= sfmi_basis_sums_defect(b.moments, 0));
    }
    print_message("%-14s stated %.1e of the largest, used %.3f of that; defect %.1e\n", name, worst,
                  share, sfmi_basis_sums_defect(b.moments, 0));
    assert_true(worst < 2e-6);
    free(exact);
    free(at);
    bench_clear(&b);
  }
}

/* Rows in any order and company, those not kept among them, and the same rows one by one. */
static void sums_are_sums_of_rows(void **state) {
  (void)state;
  enum { ROWS = 60 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 312);
  for (size_t s = 0; s < setups(); s++) {
    bench b;
    double values[ROWS], back[ROWS];
    uint8_t keep[ROWS], kept_back[ROWS];
    bench_init(&b, &SETUPS[s]);
    sfmi_i128 *one = calloc(b.length, sizeof *one), *total = calloc(b.count, sizeof *total);
    size_t kept = 0;
    for (int i = 0; i < ROWS; i++) {
      keep[i] = sfmi_prng_uniform(&prng) < 0.8;
      values[i] = keep[i] ? some_place(&b, &prng, i) : i % 3 ? NAN : 1e300;
      kept += keep[i];
      back[ROWS - 1 - i] = values[i];
      kept_back[ROWS - 1 - i] = keep[i];
      if (!keep[i]) continue;
      integers_at(&b, values[i]);
      for (size_t j = 0; j < b.count; j++) total[j] += b.sums[j];
    }
    add_rows(&b, values, keep, ROWS);
    memcpy(one, b.masses, b.length * sizeof *one);
    add_rows(&b, back, kept_back, ROWS);
    assert_memory_equal(one, b.masses, b.length * sizeof *one);
    sfmi_basis_sums_sum(b.moments, b.sums, b.masses);
    assert_memory_equal(total, b.sums, b.count * sizeof *total);
    /* A kept row has exactly one mass, whatever it holds. */
    sfmi_i128 mass = 0;
    for (size_t k = 0; k < b.length; k++) {
      assert_true(b.masses[k] >= 0);
      mass += b.masses[k];
    }
    assert_true(mass == (sfmi_i128)kept << SFMI_BASIS_SUMS_BITS);
    memset(keep, 0, sizeof keep);
    add_rows(&b, values, keep, ROWS);
    for (size_t k = 0; k < b.length; k++) assert_true(b.masses[k] == 0);
    free(one);
    free(total);
    bench_clear(&b);
  }
}

static double norm_of(const double *a, const double *b, size_t count, bool l1) {
  double sum = 0;
  for (size_t j = 0; j < count; j++) {
    const double d = a[j] - (b ? b[j] : 0);
    sum += l1 ? fabs(d) : d * d;
  }
  return l1 ? sum : sqrt(sum);
}

/* How far apart two rows are in the functions, and in their integers; y NaN: a row that is not
 * kept. */
static double apart(bench *b, double x, double y, bool l1, bool integers) {
  double *from = b->row, *to = b->other;
  for (int k = 0; k < (isnan(y) ? 1 : 2); k++) {
    const double at = k ? y : x;
    if (integers) integers_at(b, at);
    if (integers && k == 0) memcpy(to, from, b->count * sizeof *to);
    if (!integers) sfmi_basis_at(b->basis, k ? from : to, &at, 1);
  }
  return norm_of(to, isnan(y) ? NULL : from, b->count, l1);
}

/* Uphill from a pair of rows in the functions, in smaller and smaller steps; then their integers.
 */
static double climb(bench *b, double x, double y, bool l1) {
  const double lower = b->basis->lower[0], upper = b->basis->upper[0];
  double best = apart(b, x, y, l1, false);
  for (double step = 0.1 * (upper - lower); step > 1e-5 * (upper - lower);) {
    double found = best, to_x = x, to_y = y;
    for (int k = 0; k < 8; k++) {
      static const int moves[][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                     {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
      const double u = fmin(fmax(x + step * moves[k][0], lower), upper),
                   v = fmin(fmax(y + step * moves[k][1], lower), upper);
      const double there = apart(b, u, v, l1, false);
      if (there > found) found = there, to_x = u, to_y = v;
    }
    if (found > best)
      best = found, x = to_x, y = to_y;
    else
      step /= 3;
  }
  return apart(b, x, y, l1, true);
}

/* Where a lattice point is. */
static double lattice_place(const bench *b, size_t k) {
  const sfmi_basis_family family = b->basis->family;
  const double cells = (double)(sfmi_basis_sums_points(b->moments) - 1);
  const bool even = family == SFMI_FOURIER || family == SFMI_COSINE || family == SFMI_DB4;
  const double t = (double)k / cells, u = even                  ? t
                                          : family == SFMI_HAAR ? fmin(t + 0.5 / cells, 1)
                                                                : (1 - cos(M_PI * t)) / 2;
  return fmin(b->basis->lower[0] + (b->basis->upper[0] - b->basis->lower[0]) * u,
              b->basis->upper[0]);
}

static void searches_never_pass_the_certificate(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 313);
  for (size_t s = 0; s < setups(); s++) {
    bench b;
    char name[64];
    bench_init(&b, &SETUPS[s]);
    name_setup(name, sizeof name, &SETUPS[s]);
    const int starts = test_long() ? 100 : b.count > 50 ? 3 : 10;
    for (int l1 = 0; l1 < 2; l1++) {
      sfm_error error;
      sfmi_diameter found;
      assert_ok(sfmi_basis_sums_diameter(b.moments, &found, l1, &error), &error);
      assert_true(found.lower <= found.upper &&
                  found.upper <= found.lower * (1 + 1.001 * SFMI_DIAMETER_SLACK));
      /* First from the pair that the certificate names: rows reach it but for the spreading. */
      double best = climb(&b, lattice_place(&b, found.first),
                          found.alone ? NAN : lattice_place(&b, found.second), l1);
      assert_true(best >= 0.995 * found.lower);
      for (int i = 0; i < starts; i++) {
        const double x = some_place(&b, &prng, i), y = some_place(&b, &prng, i + 20);
        best = fmax(best, climb(&b, x, i % 5 == 4 ? NAN : y, l1));
      }
      print_message("%-14s l%d %.6g to %.6g, a search finds %.6g\n", name, 2 - l1, found.lower,
                    found.upper, best);
      if (!(best <= found.upper)) fail_msg("%s: %.9g is above %.9g", name, best, found.upper);
    }
    bench_clear(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_the_functions_to_the_stated_error),
      cmocka_unit_test(sums_are_sums_of_rows),
      cmocka_unit_test(searches_never_pass_the_certificate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
