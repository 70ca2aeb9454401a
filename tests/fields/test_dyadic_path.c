/* test_dyadic_path.c - the path that hangs from a tree of normals: its law as a linear map of them,
 * what it takes from which node, that no order of questions changes a bit, and its law under keys.
 */
/* suite: release */
#include "markov_kernels.h"

#include "base/math/linear_algebra.h"
#include "fields/dyadic_path.h"
#include "random/keyed_normals.h"

#define NUGGET 0x1p-20
#define POINTS 0x1p44

typedef struct bounds {
  double lower, upper, start, width; /* and the root they lie in */
} bounds;

static const bounds domains[] = {
    {0, 100, 0, 128},
    {-1, 1, -1, 2},
    {-74.3, -73.7, -74.375, 1},
    {1e6, 1e6 + 1, 1e6, 1},
    {1e-9, 2e-9, 0x4p-32, 0x1p-29},
    {-1e12, 1e12, -0x4p38, 0x1p41},
    {0.9, 2.1, 0.75, 2},
    {1e16, 1e16 + 4, 1e16, 4},
};
enum { DOMAINS = sizeof domains / sizeof *domains };

/* What was asked of the nodes, and one normal of one node that is 1 among zeros. */
typedef struct probe {
  uint64_t nodes[20000];
  size_t counts[20000];
  size_t asked;
  bool record;
  uint64_t node;
  size_t component;
} probe;

static void probe_normals(void *context, uint64_t node, double *normals, size_t count) {
  probe *p = context;
  for (size_t i = 0; i < count; i++) normals[i] = p->node == node && p->component == i;
  if (!p->record) return;
  assert_true(p->asked < sizeof p->nodes / sizeof *p->nodes);
  p->nodes[p->asked] = node;
  p->counts[p->asked++] = count;
}

static void probe_clear(probe *p) {
  p->asked = 0;
  p->record = true;
  p->node = UINT64_MAX;
}

static void key_normals(void *context, uint64_t node, double *normals, size_t count) {
  sfmi_keyed_normals(context, node, normals, count);
}

static sfmi_dyadic *create(const sfm_kernel *kernel, double lower, double upper, double nugget,
                           sfmi_node_normals *normals, void *context) {
  sfm_error error;
  sfmi_dyadic *d = NULL;
  assert_ok(sfmi_dyadic_create(&d, kernel, lower, upper, nugget, normals, context, &error), &error);
  return d;
}

static void ask(sfmi_dyadic *d, double *values, const double *points, size_t count) {
  sfm_error error;
  assert_ok(sfmi_dyadic_at(d, values, points, count, &error), &error);
}

/* M M' for the matrix M of the map from all normals to the values, count x count.  The first
 * question says which nodes there are. */
static double *covariance(sfmi_dyadic *d, probe *p, const double *points, size_t count) {
  double *square = calloc(count * count, sizeof *square), *values = calloc(count, sizeof *values);
  probe_clear(p);
  ask(d, values, points, count);
  p->record = false;
  for (size_t k = 0; k < p->asked; k++) {
    bool again = false;
    for (size_t l = 0; l < k && !again; l++) again = p->nodes[l] == p->nodes[k];
    for (size_t c = 0; c < p->counts[k] && !again; c++) {
      p->node = p->nodes[k];
      p->component = c;
      sfmi_dyadic_forget(d);
      ask(d, values, points, count);
      markovian_accumulate(square, values, count);
    }
  }
  free(values);
  return square;
}

enum { PLACES = 12 };

/* Both ends, random places, near-duplicates 2^-40 of the root apart, and identical ones. */
static void fill(double *points, const bounds *b, sfmi_prng *prng) {
  for (int i = 0; i < PLACES; i++) {
    const double x = b->lower + (b->upper - b->lower) * sfmi_prng_uniform(prng);
    points[i] = i == 0   ? b->lower
                : i == 1 ? b->upper
                : i < 7  ? fmin(x, b->upper)
                : i < 10 ? fmin(points[i - 1] + ldexp(b->width, i == 9 ? -44 : -40), b->upper)
                         : points[i - 8];
  }
}

static void the_law_is_the_kernels_at_rounded_places(void **state) {
  (void)state;
  static const double widths[] = {1e-4, 0.02, 3, 1e7};
  probe *p = malloc(sizeof *p);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 21);
  for (int f = 1; f < MARKOVIAN_FAMILIES; f++)
    for (int b = 0; b < DOMAINS; b++)
      for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        double points[PLACES], rounded[PLACES], wanted[PLACES * PLACES];
        const double h = widths[w] * (domains[b].upper - domains[b].lower);
        const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
        sfmi_dyadic *d =
            create(&kernel, domains[b].lower, domains[b].upper, NUGGET, probe_normals, p);
        fill(points, &domains[b], &prng);
        for (int i = 0; i < PLACES; i++) rounded[i] = sfmi_dyadic_round(d, points[i]);
        markovian_covariance(wanted, &kernel, rounded, PLACES, NUGGET);
        double *got = covariance(d, p, points, PLACES);
        assert_near("covariance", markovian_distance(got, wanted, PLACES * PLACES), 0, 1e-12);
        free(got);
        sfmi_dyadic_destroy(d);
      }
  free(p);
}

/* laplacian is matern12, and three per cent of the bandwidth are seen. */
static void another_kernel_is_told_apart(void **state) {
  (void)state;
  probe *p = malloc(sizeof *p);
  double points[PLACES], wanted[PLACES * PLACES];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 22);
  fill(points, &domains[0], &prng);
  for (int f = 0; f < MARKOVIAN_FAMILIES; f++) {
    const double h = 20, other = 20.6;
    const sfm_kernel right = markovian_kernel(markovian_families[f ? f : 1], &h);
    const sfm_kernel same = markovian_kernel(markovian_families[f], &h);
    const sfm_kernel wrong = markovian_kernel(markovian_families[f], &other);
    sfmi_dyadic *one = create(&same, 0, 100, NUGGET, probe_normals, p);
    sfmi_dyadic *two = create(&wrong, 0, 100, NUGGET, probe_normals, p);
    for (int i = 0; i < PLACES; i++) points[i] = sfmi_dyadic_round(one, points[i]);
    markovian_covariance(wanted, &right, points, PLACES, NUGGET);
    double *near = covariance(one, p, points, PLACES), *far = covariance(two, p, points, PLACES);
    assert_true(markovian_distance(near, wanted, PLACES * PLACES) < 1e-12);
    assert_true(markovian_distance(far, wanted, PLACES * PLACES) > 1e-3);
    free(near);
    free(far);
    sfmi_dyadic_destroy(one);
    sfmi_dyadic_destroy(two);
  }
  free(p);
}

/* The covariance of values drawn one after another, each given those before it, where a variance
 * that comes out below zero, or as nothing, is taken as zero. */
static void clipped_twin(double *out, const sfm_kernel *kernel, const double *points, size_t n) {
  double *l = calloc(n * n, sizeof *l);
  for (size_t i = 0; i < n; i++) {
    double left = 1;
    for (size_t j = 0; j < i; j++) {
      double sum = sfm_kernel_at(kernel, &points[i], &points[j]);
      for (size_t k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = l[j * n + j] > 0 ? sum / l[j * n + j] : 0;
      left -= l[i * n + j] * l[i * n + j];
    }
    l[i * n + i] = left > 1e-14 ? sqrt(left) : 0;
  }
  for (size_t i = 0; i < n * n; i++) out[i] = 0;
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) out[i * n + j] += l[i * n + k] * l[j * n + k];
  free(l);
}

static void no_direction_is_without_noise(void **state) {
  (void)state;
  const size_t count = test_long() ? 200 : 40;
  probe *p = malloc(sizeof *p);
  double *points = calloc(count, sizeof *points), *twin = calloc(count * count, sizeof *twin);
  for (int f = 1; f < MARKOVIAN_FAMILIES; f++)
    for (int spread = -44; spread <= -30; spread += 7) {
      const double h = 10;
      for (size_t i = 0; i < count; i++) points[i] = 37.7 + ldexp(128.0 * (double)i, spread);
      const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
      sfmi_dyadic *d = create(&kernel, 0, 100, NUGGET, probe_normals, p);
      sfmi_dyadic *bare = create(&kernel, 0, 100, 0, probe_normals, p);
      double *with = covariance(d, p, points, count), *without = covariance(bare, p, points, count);
      clipped_twin(twin, &kernel, points, count);
      assert_true(markovian_least(with, count) >= 0.99 * NUGGET);
      assert_true(markovian_least(without, count) < NUGGET / 2);
      assert_true(markovian_least(twin, count) < NUGGET / 2);
      free(with);
      free(without);
      sfmi_dyadic_destroy(d);
      sfmi_dyadic_destroy(bare);
    }
  free(points);
  free(twin);
  free(p);
}

/* Node 0, then the intervals from the root down to the one whose middle it is; and the nugget. */
static void check_nodes(sfmi_dyadic *d, probe *p, const bounds *b, double x, size_t order) {
  double value;
  const double ratio = (sfmi_dyadic_round(d, x) - b->start) / b->width * POINTS;
  const uint64_t i = (uint64_t)ratio;
  assert_true((double)i == ratio);
  sfmi_dyadic_forget(d);
  probe_clear(p);
  ask(d, &value, &x, 1);
  assert_true(p->nodes[0] == SFMI_DYADIC_NUGGET + i && p->counts[0] == 1);
  assert_true(p->nodes[1] == 0 && p->counts[1] == 2 * order);
  size_t k = 2;
  for (unsigned l = 0; l < 44 && i % ((uint64_t)1 << (44 - l)) != 0; l++, k++)
    assert_true(p->nodes[k] == ((uint64_t)1 << l) + (i >> (44 - l)) && p->counts[k] == order);
  assert_int_equal(p->asked, k);
}

static void places_take_the_nodes_above_them(void **state) {
  (void)state;
  probe *p = malloc(sizeof *p);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 23);
  for (int b = 0; b < DOMAINS; b++)
    for (int f = 1; f < MARKOVIAN_FAMILIES; f++) {
      const double h = 1, width = domains[b].upper - domains[b].lower;
      const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
      sfmi_dyadic *d = create(&kernel, domains[b].lower, domains[b].upper, 1, probe_normals, p);
      for (int k = 0; k <= 40; k++) {
        const double x = k < 2 ? (k ? domains[b].upper : domains[b].lower)
                               : domains[b].lower + width * sfmi_prng_uniform(&prng);
        check_nodes(d, p, &domains[b], x, (size_t)f);
        const double rounded = sfmi_dyadic_round(d, x);
        assert_true(fabs(rounded - x) <= ldexp(domains[b].width, -45) * (1 + 0x1p-7));
        assert_true(sfmi_dyadic_round(d, rounded) == rounded);
        double both[2];
        p->record = false;
        ask(d, both, (const double[]){x, rounded}, 2); /* also where it is beyond the bounds */
        assert_true(both[0] == both[1]);
      }
      if (b == 0) { /* round numbers are shallow: whole ones take nine nodes at most */
        for (double x = 0; x <= 100; x++) {
          check_nodes(d, p, &domains[b], x, (size_t)f);
          assert_true(p->asked <= 9);
        }
        check_nodes(d, p, &domains[b], 64, (size_t)f);
        assert_int_equal(p->asked, 3);
      }
      sfmi_dyadic_destroy(d);
    }
  free(p);
}

/* Places of every kind, many of them close to each other or the same. */
static void fill_many(double *points, size_t count, sfmi_prng *prng) {
  for (size_t i = 0; i < count; i++) {
    const double u = sfmi_prng_uniform(prng);
    const double before = i ? points[(size_t)(sfmi_prng_uniform(prng) * (double)i)] : 50;
    const int kind = (int)(6 * sfmi_prng_uniform(prng));
    const double x = kind == 0   ? floor(101 * u)
                     : kind == 1 ? floor(10000 * u) / 100
                     : kind == 2 ? before
                     : kind == 3 ? before + ldexp(128.0, -(int)(44 * u))
                     : kind == 4 ? before - ldexp(128.0, -(int)(44 * u))
                                 : 100 * u;
    points[i] = fmin(fmax(x, 0), 100);
  }
}

static void shuffle(size_t *order, size_t count, sfmi_prng *prng) {
  for (size_t i = count; i-- > 1;) {
    const size_t j = (size_t)(sfmi_prng_uniform(prng) * (double)(i + 1)), held = order[i];
    order[i] = order[j];
    order[j] = held;
  }
}

/* Asks in the given order, in batches of random sizes, now and then forgetting what is kept. */
static void ask_in_order(sfmi_dyadic *d, double *values, const double *points, const size_t *order,
                         size_t count, bool forget, sfmi_prng *prng) {
  double batch[64], found[64];
  for (size_t i = 0; i < count;) {
    size_t size = 1 + (size_t)(63 * pow(sfmi_prng_uniform(prng), 3));
    if (size > count - i) size = count - i;
    for (size_t k = 0; k < size; k++) batch[k] = points[order[i + k]];
    if (forget && sfmi_prng_uniform(prng) < 0.2) sfmi_dyadic_forget(d);
    ask(d, found, batch, size);
    for (size_t k = 0; k < size; k++) values[order[i + k]] = found[k];
    i += size;
  }
}

static void no_order_of_questions_changes_a_bit(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  const int rounds = test_long() ? 200 : 8;
  double *points = calloc(COUNT, sizeof *points), *wanted = calloc(COUNT, sizeof *wanted);
  double *got = calloc(COUNT, sizeof *got);
  size_t *order = calloc(COUNT, sizeof *order);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 24);
  for (int f = 1; f < MARKOVIAN_FAMILIES; f++) {
    unsigned char key[32] = {(unsigned char)f};
    const double h = 7;
    const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
    sfmi_dyadic *d = create(&kernel, 0, 100, NUGGET, key_normals, key);
    fill_many(points, COUNT, &prng);
    for (size_t i = 0; i < COUNT; i++) { /* nothing kept */
      sfmi_dyadic_forget(d);
      ask(d, &wanted[i], &points[i], 1);
      order[i] = i;
    }
    ask(d, got, points, COUNT);
    assert_memory_equal(got, wanted, COUNT * sizeof *got);
    sfmi_dyadic_destroy(d);
    for (int round = 0; round < rounds; round++) {
      d = create(&kernel, 0, 100, NUGGET, key_normals, key);
      ask_in_order(d, got, points, order, COUNT, round % 2 == 1, &prng);
      assert_memory_equal(got, wanted, COUNT * sizeof *got);
      sfmi_dyadic_destroy(d);
      shuffle(order, COUNT, &prng);
    }
    key[31] ^= 1; /* another key is another path */
    d = create(&kernel, 0, 100, NUGGET, key_normals, key);
    ask(d, got, points, COUNT);
    for (size_t i = 0; i < COUNT; i++) assert_true(got[i] != wanted[i]);
    sfmi_dyadic_destroy(d);
  }
  free(points);
  free(wanted);
  free(got);
  free(order);
}

/* |sum of squares - count| in units of its standard deviation. */
static double chi_score(double squares, double count) {
  return fabs(squares - count) / sqrt(2 * count);
}

/* L^-1 of the covariance of the places of a block, applied to its values. */
static void whiten(double *values, const double *lower, size_t n) {
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) values[i] -= lower[i * n + j] * values[j];
    values[i] /= lower[i * n + i];
  }
}

/* One key, many blocks of the same eight places (two of them almost the same), 100 bandwidths from
 * each other: whitened by the kernel's covariance, the values are independent standard normals. */
static void keyed_paths_have_the_law_of_the_kernel(void **state) {
  (void)state;
  enum { N = 8, BLOCKS = 20000 };
  static const double offsets[N] = {0, 0x1p-16, 0.0625, 0.5, 0.75, 1.5, 3, 6.25};
  static double y[BLOCKS][N];
  for (int f = 1; f < MARKOVIAN_FAMILIES; f++) {
    unsigned char key[32] = {9, (unsigned char)f};
    const double h = 1;
    double lower[N * N], sums[N][N] = {{0}}, all = 0, next = 0;
    const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
    sfmi_dyadic *d = create(&kernel, 0, 100.0 * BLOCKS, NUGGET, key_normals, key);
    markovian_covariance(lower, &kernel, offsets, N, NUGGET);
    assert_int_equal(sfmi_cholesky_lower(lower, N), 0);
    for (size_t b = 0; b < BLOCKS; b++) {
      double points[N];
      for (int i = 0; i < N; i++) points[i] = 100.0 * (double)b + offsets[i];
      ask(d, y[b], points, N);
      whiten(y[b], lower, N);
      for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) sums[i][j] += y[b][i] * y[b][j];
      if (b) next += y[b][0] * y[b - 1][0];
    }
    for (int i = 0; i < N; i++) {
      all += sums[i][i];
      assert_true(chi_score(sums[i][i], BLOCKS) < TEST_Z);
      for (int j = 0; j < i; j++) assert_true(fabs(sums[i][j]) < TEST_Z * sqrt(BLOCKS));
    }
    assert_true(fabs(next) < TEST_Z * sqrt(BLOCKS));
    assert_true(chi_score(all, N * BLOCKS) < TEST_Z);
    assert_true(chi_score(all * 1.03, N * BLOCKS) > TEST_Z);
    assert_true(chi_score(all / 1.03, N * BLOCKS) > TEST_Z);
    sfmi_dyadic_destroy(d);
  }
}

static void what_has_no_path_is_refused(void **state) {
  (void)state;
  static const double bad[][2] = {{1, 1},      {2, 1},          {NAN, 1},      {0, NAN},
                                  {0, 1e-300}, {-1e308, 1e308}, {0, INFINITY}, {-INFINITY, 0}};
  const double h = 1;
  const sfm_kernel kernel = markovian_kernel(SFM_KERNEL_MATERN32, &h);
  probe *p = malloc(sizeof *p);
  sfm_error error;
  sfmi_dyadic *d;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(
        sfmi_dyadic_create(&d, &kernel, bad[i][0], bad[i][1], NUGGET, probe_normals, p, &error),
        SFM_INVALID);
    assert_null(d);
    assert_non_null(strstr(error.message, "apart"));
  }
  d = create(&kernel, -1, 1, NUGGET, probe_normals, p);
  probe_clear(p);
  const double outside[] = {NAN, INFINITY, -INFINITY, 1.0000000000000002, -1.5};
  for (int i = 0; i < 5; i++) {
    const double points[2] = {0, outside[i]};
    double values[2];
    assert_int_equal(sfmi_dyadic_at(d, values, points, 2, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "place 2"));
  }
  assert_int_equal(p->asked, 0);
  ask(d, NULL, NULL, 0);
  sfmi_dyadic_destroy(d);
  sfmi_dyadic_destroy(NULL);
  free(p);
}

/* Bandwidths at the ends of what doubles hold: a constant, or noise without memory. */
static void extreme_bandwidths_are_limits(void **state) {
  (void)state;
  static const double bandwidths[] = {5e-324, 1e-300, 1e-30, 1e30, 1e300};
  unsigned char key[32] = {77};
  const double points[] = {-1e12, -1, 0, 3, 12345.678, 1e12};
  for (int f = 1; f < MARKOVIAN_FAMILIES; f++)
    for (int b = 0; b < 5; b++) {
      const sfm_kernel kernel = markovian_kernel(markovian_families[f], &bandwidths[b]);
      sfmi_dyadic *d = create(&kernel, -1e12, 1e12, 0, key_normals, key);
      double values[6];
      ask(d, values, points, 6);
      for (int i = 1; i < 6; i++) {
        assert_true(isfinite(values[i]) && fabs(values[i]) < 9);
        if (bandwidths[b] > 1) assert_near("constant", values[i], values[0], 1e-7);
        if (bandwidths[b] < 1) assert_true(fabs(values[i] - values[i - 1]) > 1e-6);
      }
      sfmi_dyadic_destroy(d);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_law_is_the_kernels_at_rounded_places),
      cmocka_unit_test(another_kernel_is_told_apart),
      cmocka_unit_test(no_direction_is_without_noise),
      cmocka_unit_test(places_take_the_nodes_above_them),
      cmocka_unit_test(no_order_of_questions_changes_a_bit),
      cmocka_unit_test(keyed_paths_have_the_law_of_the_kernel),
      cmocka_unit_test(what_has_no_path_is_refused),
      cmocka_unit_test(extreme_bandwidths_are_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
