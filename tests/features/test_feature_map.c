/* test_feature_map.c - features of kernel machines: inner products are the kernel, no row is longer
 * than kappa (as doubles and as floats), and a row's features are its own. */
#include "test_support.h"

#include "features/kernels/kernel.h"
#include "features/maps/ball_projection.h"
#include "features/maps/feature_map.h"
#include "features/maps/random_features.h"

enum { DIMENSION = 6, MOST = 1 << 17 };

/* A block of rows in CSR. */
typedef struct block {
  size_t starts[65];
  uint32_t indices[64 * DIMENSION];
  double u[64 * DIMENSION];
  size_t rows;
} block;

/* Rows within a ball, some of whose coordinates are zero. */
static void fill(block *b, size_t rows, size_t dimension, double radius, sfmi_prng *prng) {
  size_t at = 0;
  b->rows = rows;
  b->starts[0] = 0;
  for (size_t r = 0; r < rows; r++) {
    const size_t from = at;
    for (size_t a = 0; a < dimension; a++) {
      if (sfmi_prng_uniform(prng) < 0.25) continue;
      b->indices[at] = (uint32_t)a;
      b->u[at++] = radius * sfmi_prng_normal(prng);
    }
    sfmi_ball_project(b->u + from, at - from, radius);
    b->starts[r + 1] = at;
  }
}

static sfmi_feature_map *made(sfmi_feature_map stated) {
  sfm_error error;
  sfmi_feature_map *map;
  if (stated.form == SFMI_FEATURE_MAP_TORUS) {
    stated.lower = sfmi_alloc(stated.dimension, sizeof(double));
    stated.upper = sfmi_alloc(stated.dimension, sizeof(double));
    for (size_t a = 0; a < stated.dimension; a++) {
      stated.lower[a] = -stated.radius;
      stated.upper[a] = stated.radius;
    }
  }
  assert_ok(sfmi_feature_map_create(&map, &stated, &error), &error);
  return map;
}

static const sfmi_feature_map FORMS[] = {
    {.form = SFMI_FEATURE_MAP_LINEAR, .kernel = SFM_KERNEL_LINEAR, .dimension = 6, .radius = 1},
    {.form = SFMI_FEATURE_MAP_LINEAR,
     .kernel = SFM_KERNEL_LINEAR,
     .dimension = 5,
     .radius = 7.3,
     .constant = 1.7},
    {.form = SFMI_FEATURE_MAP_MONOMIALS,
     .kernel = SFM_KERNEL_POLYNOMIAL,
     .dimension = 6,
     .radius = 1.3,
     .degree = 3,
     .shift = 1},
    {.form = SFMI_FEATURE_MAP_MONOMIALS,
     .kernel = SFM_KERNEL_POLYNOMIAL,
     .dimension = 4,
     .radius = 0.9,
     .degree = 5,
     .shift = 0,
     .constant = 0.3},
    {.form = SFMI_FEATURE_MAP_TORUS,
     .kernel = SFM_KERNEL_GAUSSIAN,
     .dimension = 1,
     .radius = 1,
     .bandwidth = 0.05},
    {.form = SFMI_FEATURE_MAP_TORUS,
     .kernel = SFM_KERNEL_GAUSSIAN,
     .dimension = 2,
     .radius = 2,
     .bandwidth = 0.8,
     .constant = 2},
    {.form = SFMI_FEATURE_MAP_TORUS,
     .kernel = SFM_KERNEL_GAUSSIAN,
     .dimension = 3,
     .radius = 1,
     .bandwidth = 4},
};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

static double inner(const double *x, const double *y, size_t count) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (long double)x[i] * y[i];
  return (double)sum;
}

static void inner_products_are_the_kernel(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (size_t f = 0; f < FORM_COUNT; f++) {
    sfmi_feature_map *map = made(FORMS[f]);
    block b;
    fill(&b, 8, map->dimension, map->radius, &prng);
    double *phi = sfmi_alloc(8 * map->count, sizeof *phi);
    sfmi_feature_map_dense(map, phi, b.starts, b.indices, b.u, 8);
    for (size_t i = 0; i < 8; i++)
      for (size_t j = 0; j < 8; j++) {
        const double k = sfmi_feature_map_kernel(
            map, b.indices + b.starts[i], b.u + b.starts[i], b.starts[i + 1] - b.starts[i],
            b.indices + b.starts[j], b.u + b.starts[j], b.starts[j + 1] - b.starts[j]);
        assert_near(sfmi_feature_map_form_name(map->form),
                    inner(phi + i * map->count, phi + j * map->count, map->count), k,
                    (map->form == SFMI_FEATURE_MAP_TORUS ? 1e-13 : 1e-12) * fmax(1, fabs(k)));
      }
    free(phi);
    sfmi_feature_map_destroy(map);
  }
}

/* As sfm_kernel_at has it, for every family. */
static void the_kernel_is_that_of_dense_points(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  const double bandwidths[DIMENSION] = {0.7, 0.7, 0.7, 0.7, 0.7, 0.7};
  for (sfm_kernel_family family = 0; family < SFM_KERNEL_OWN; family++) {
    double points[4 * DIMENSION], phi[8 * 4];
    double *values = sfmi_alloc(4 * DIMENSION, sizeof *values);
    size_t *starts = sfmi_alloc(5, sizeof *starts), nonzeros = 0;
    uint32_t *indices = sfmi_alloc(4 * DIMENSION, sizeof *indices);
    for (size_t i = 0; i < 4 * DIMENSION; i++) {
      points[i] = i % 3 ? sfmi_prng_normal(&prng) : 0;
      indices[nonzeros] = (uint32_t)(i % DIMENSION);
      values[nonzeros] = points[i];
      nonzeros += points[i] != 0;
      starts[i / DIMENSION + 1] = nonzeros;
    }
    const sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_POINTS,
                                     .kernel = family,
                                     .dimension = DIMENSION,
                                     .radius = 10,
                                     .bandwidth = 0.7,
                                     .degree = 2,
                                     .shift = 0.5,
                                     .constant = 2,
                                     .point_starts = starts,
                                     .point_indices = indices,
                                     .point_values = values,
                                     .point_count = 4};
    const sfm_kernel kernel = {.family = family,
                               .dimension = DIMENSION,
                               .bandwidth = bandwidths,
                               .degree = 2,
                               .constant = 0.5,
                               .radius = 10};
    sfmi_feature_map *map = made(stated);
    assert_int_equal(map->count, 4);
    assert_relative("kappa", map->kappa, sqrt(sfm_kernel_sup(&kernel) + 4), 1e-14);
    block b;
    fill(&b, 8, DIMENSION, 3, &prng);
    sfmi_feature_map_dense(map, phi, b.starts, b.indices, b.u, 8);
    for (size_t r = 0; r < 8; r++) {
      double x[DIMENSION] = {0};
      for (size_t j = b.starts[r]; j < b.starts[r + 1]; j++) x[b.indices[j]] = b.u[j];
      for (size_t j = 0; j < 4; j++)
        assert_near(sfm_kernel_family_name(family), phi[4 * r + j],
                    4 + sfm_kernel_at(&kernel, x, points + j * DIMENSION), 1e-12);
    }
    sfmi_feature_map_destroy(map);
  }
}

static void nonzero_features_are_those_of_the_dense_row(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  for (size_t f = 0; f < FORM_COUNT; f++) {
    sfmi_feature_map *map = made(FORMS[f]);
    block b;
    fill(&b, 20, map->dimension, map->radius, &prng);
    for (size_t r = 0; sfmi_feature_map_sparse(map) && r < 20; r++) {
      const size_t nonzeros = b.starts[r + 1] - b.starts[r];
      const size_t most = sfmi_feature_map_nonzeros(map, nonzeros);
      double *phi = sfmi_alloc(map->count, sizeof *phi), *values = sfmi_alloc(most, sizeof *values);
      uint32_t *features = sfmi_alloc(most, sizeof *features);
      sfmi_feature_map_dense(map, phi, b.starts + r, b.indices, b.u, 1);
      const size_t count = sfmi_feature_map_row(map, features, values, b.indices + b.starts[r],
                                                b.u + b.starts[r], nonzeros);
      assert_true(count <= most);
      for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || features[i] > features[i - 1]);
        assert_true(phi[features[i]] == values[i]);
        phi[features[i]] = 0;
      }
      for (size_t i = 0; i < map->count; i++) assert_true(phi[i] == 0);
      free(phi);
      free(values);
      free(features);
    }
    sfmi_feature_map_destroy(map);
  }
}

/* Random features of several kernels, few and many, and the finite forms. */
static sfmi_feature_map *form_or_random(size_t number, uint64_t seed) {
  if (number < FORM_COUNT) return made(FORMS[number]);
  number -= FORM_COUNT;
  static const size_t counts[] = {1, 3, 31, 32, 100, 1000};
  return made((sfmi_feature_map){.form = SFMI_FEATURE_MAP_RANDOM,
                                 .kernel = (sfm_kernel_family)(number % 6),
                                 .dimension = 1 + number % DIMENSION,
                                 .radius = 1 + (double)number,
                                 .bandwidth = 0.5,
                                 .frequencies = counts[number % 6],
                                 .constant = number % 2 ? 0.1 : 0,
                                 .seed = seed});
}

enum { ALL_FORMS = FORM_COUNT + 12 };

static long double length_of_floats(const float *phi, size_t count) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (long double)phi[i] * phi[i];
  return sqrtl(sum);
}

static long double length_of_doubles(const double *phi, size_t count) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (long double)phi[i] * phi[i];
  return sqrtl(sum);
}

/* Corners, spheres and the path of a search uphill: the longest row is looked for. */
static void no_row_is_longer_than_kappa(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 13);
  double *phi = sfmi_alloc(MOST, sizeof *phi);
  float *floats = sfmi_alloc(MOST, sizeof *floats);
  for (size_t f = 0; f < ALL_FORMS; f++) {
    sfmi_feature_map *map = form_or_random(f, 17 + f);
    assert_true(map->count <= MOST);
    const uint32_t indices[DIMENSION] = {0, 1, 2, 3, 4, 5};
    double best[DIMENSION] = {0}, u[DIMENSION];
    long double longest = 0;
    const size_t steps = map->count > 10000 ? 6 : test_long() ? 4000 : 100;
    for (size_t step = 0; step < steps; step++) {
      const double jump = step < steps / 2 ? 1 : 1e-9;
      for (size_t a = 0; a < map->dimension; a++)
        u[a] = 1.1 * map->radius * (best[a] + jump * sfmi_prng_normal(&prng));
      sfmi_ball_project(u, map->dimension, map->radius);
      const size_t starts[2] = {0, map->dimension};
      sfmi_feature_map_dense(map, phi, starts, indices, u, 1);
      sfmi_feature_map_floats(map, floats, map->count, starts, indices, u, 1);
      const long double length = length_of_doubles(phi, map->count);
      const long double as_floats = length_of_floats(floats, map->count);
      if (length > map->kappa || as_floats > map->kappa)
        fail_msg("%s: %.20Lg and %.20Lg are longer than %.20g",
                 sfmi_feature_map_form_name(map->form), length, as_floats, map->kappa);
      for (size_t i = 0; i < map->count; i++)
        assert_true(fabs(phi[i] - (double)floats[i]) <= 1e-6 * map->kappa);
      if (fmaxl(length, as_floats) <= longest) continue;
      longest = fmaxl(length, as_floats);
      for (size_t a = 0; a < map->dimension; a++) best[a] = u[a] / map->radius;
    }
    assert_true(longest >= map->kappa * (1 - 1e-6));
    sfmi_feature_map_destroy(map);
  }
  free(phi);
  free(floats);
}

/* Alone, among others, in another place, on another kind of processor to rounding. */
static void a_row_is_its_own(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 19);
  for (size_t f = 0; f < ALL_FORMS; f++) {
    sfmi_feature_map *map = form_or_random(f, 23);
    if (map->count > 3000) {
      sfmi_feature_map_destroy(map);
      continue;
    }
    const size_t stride = map->count + 5;
    block b;
    fill(&b, 40, map->dimension, map->radius, &prng);
    double *phi = sfmi_alloc(40 * map->count, sizeof *phi), *one = sfmi_alloc(map->count, 8);
    float *floats = sfmi_alloc(40 * stride, sizeof *floats), *single = sfmi_alloc(map->count, 4);
    sfmi_feature_map_dense(map, phi, b.starts, b.indices, b.u, 40);
    sfmi_feature_map_floats(map, floats, stride, b.starts, b.indices, b.u, 40);
    for (size_t r = 0; r < 40; r++) {
      sfmi_feature_map_dense(map, one, b.starts + r, b.indices, b.u, 1);
      sfmi_feature_map_floats(map, single, map->count, b.starts + r, b.indices, b.u, 1);
      assert_memory_equal(one, phi + r * map->count, map->count * sizeof *one);
      assert_memory_equal(single, floats + r * stride, map->count * sizeof *single);
      for (size_t i = map->count; i < stride; i++) assert_true(floats[r * stride + i] == 0);
    }
    for (int kind = 0; map->form == SFMI_FEATURE_MAP_RANDOM && kind < 3; kind++) {
      if (!sfmi_random_features_use(map->derived, kind)) continue;
      sfmi_feature_map_floats(map, single, map->count, b.starts, b.indices, b.u, 1);
      for (size_t i = 0; i < map->count; i++)
        assert_near("kind", single[i], floats[i], 1e-6 / sqrt((double)map->count));
    }
    free(phi);
    free(one);
    free(floats);
    free(single);
    sfmi_feature_map_destroy(map);
  }
}

/* In up to 64 dimensions the frequencies are those that a density by random features has. */
static void turns_are_those_of_the_random_family(void **state) {
  (void)state;
  sfm_error error;
  for (sfm_kernel_family kernel = 0; kernel <= SFM_KERNEL_CAUCHY; kernel++)
    for (size_t d = 1; d <= 64; d += 21) {
      sfmi_basis stated = {
          .family = SFMI_RANDOM, .dimension = d, .count = 40, .kernel = kernel, .seed = 99};
      for (size_t a = 0; a < d; a++) {
        stated.lower[a] = -2;
        stated.upper[a] = 2;
        stated.bandwidth[a] = 1;
      }
      sfmi_basis *basis;
      assert_ok(sfmi_basis_create(&basis, &stated, &error), &error);
      sfmi_feature_map *map = made((sfmi_feature_map){.form = SFMI_FEATURE_MAP_RANDOM,
                                                      .kernel = kernel,
                                                      .dimension = d,
                                                      .radius = 1,
                                                      .bandwidth = 1,
                                                      .frequencies = 20,
                                                      .seed = 99});
      for (size_t i = 0; i < 20; i++)
        for (size_t a = 0; a < d; a++)
          assert_true(sfmi_random_features_turn(map->derived, i, a) ==
                      sfmi_random_basis_turn(basis, i, a));
      sfmi_basis_destroy(basis);
      sfmi_feature_map_destroy(map);
    }
}

/* Cosines and sines are those of the C library, on every kind of processor, wherever the phase is.
 */
static void random_features_are_cosines_and_sines(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 37);
  sfmi_feature_map *map = made((sfmi_feature_map){.form = SFMI_FEATURE_MAP_RANDOM,
                                                  .kernel = SFM_KERNEL_LAPLACIAN,
                                                  .dimension = 1,
                                                  .radius = 1e4,
                                                  .bandwidth = 1,
                                                  .frequencies = 70,
                                                  .seed = 2});
  for (int kind = 0; kind < 3; kind++) {
    if (!sfmi_random_features_use(map->derived, kind)) continue;
    for (size_t row = 0; row < 500; row++) {
      const size_t starts[2] = {0, 1};
      const uint32_t index = 0;
      const double u = row % 50 ? 1e4 * sfmi_prng_normal(&prng) : (double)row / 8;
      double phi[140];
      float floats[140];
      sfmi_feature_map_dense(map, phi, starts, &index, &u, 1);
      sfmi_feature_map_floats(map, floats, 140, starts, &index, &u, 1);
      for (size_t i = 0; i < 140; i++) {
        const double t = sfmi_random_features_turn(map->derived, i / 2, 0) * u;
        const double angle = 2 * M_PI * (t - rint(t));
        const double wanted = (i % 2 ? sin(angle) : cos(angle)) / sqrt(70);
        assert_near("wave", phi[i], wanted, 2e-15);
        assert_near("as a float", (double)floats[i], wanted, 2e-7 / sqrt(70));
      }
    }
  }
  sfmi_feature_map_destroy(map);
}

static double along(const sfmi_random_features *features, size_t i, size_t j, size_t d) {
  double sum = 0;
  for (size_t a = 0; a < d; a++)
    sum += sfmi_random_features_turn(features, i, a) * sfmi_random_features_turn(features, j, a);
  return sum;
}

/* In more dimensions than a block has frequencies, blocks are orthogonal and no others; lengths are
 * of the law (of chi square their squares have mean d and variance 2 d). */
static void blocks_are_orthogonal_in_many_dimensions(void **state) {
  (void)state;
  enum { D = 150, FREQUENCIES = 200 };
  sfmi_feature_map *map = made((sfmi_feature_map){.form = SFMI_FEATURE_MAP_RANDOM,
                                                  .kernel = SFM_KERNEL_GAUSSIAN,
                                                  .dimension = D,
                                                  .radius = 1,
                                                  .bandwidth = 1,
                                                  .frequencies = FREQUENCIES,
                                                  .seed = 8});
  double sum = 0, apart = 0;
  for (size_t i = 0; i < FREQUENCIES; i++) {
    sum += 4 * M_PI * M_PI * along(map->derived, i, i, D);
    for (size_t j = 0; j < i; j++) {
      const double inner_product = fabs(along(map->derived, i, j, D));
      if (i / SFMI_FREQUENCY_BLOCK == j / SFMI_FREQUENCY_BLOCK)
        assert_true(inner_product < 1e-12);
      else
        apart = fmax(apart, inner_product);
    }
  }
  assert_true(apart > 1e-3);
  assert_near("mean of squares", sum / FREQUENCIES, D, TEST_Z * sqrt(2. * D / FREQUENCIES));
  sfmi_feature_map_destroy(map);
}

/* The mean over seeds of <phi(u), phi(v)> is the kernel, also in many dimensions; that of another
 * bandwidth is rejected. */
static void random_features_have_the_kernel_for_their_mean(void **state) {
  (void)state;
  enum { SEEDS = 200, FREQUENCIES = 20 };
  static const size_t dimensions[] = {3, 100};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 29);
  for (sfm_kernel_family kernel = 0; kernel <= SFM_KERNEL_CAUCHY; kernel++)
    for (size_t k = 0; k < 2; k++) {
      const size_t d = dimensions[k];
      uint32_t indices[200];
      double u[200], phi[2 * (2 * FREQUENCIES + 1)], sum = 0, squares = 0;
      const size_t starts[3] = {0, d, 2 * d};
      for (size_t j = 0; j < 2 * d; j++) {
        indices[j] = (uint32_t)(j % d);
        u[j] = 0.5 * sfmi_prng_normal(&prng) /
               (kernel == SFM_KERNEL_LAPLACIAN ? (double)d : sqrt((double)d));
      }
      sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_RANDOM,
                                 .kernel = kernel,
                                 .dimension = d,
                                 .radius = 10,
                                 .bandwidth = 0.8,
                                 .frequencies = FREQUENCIES,
                                 .constant = 0.5};
      double wanted = 0;
      for (; stated.seed < SEEDS; stated.seed++) {
        sfmi_feature_map *map = made(stated);
        sfmi_feature_map_dense(map, phi, starts, indices, u, 2);
        const double product = inner(phi, phi + map->count, map->count);
        sum += product;
        squares += product * product;
        wanted = sfmi_feature_map_kernel(map, indices, u, d, indices + d, u + d, d);
        sfmi_feature_map_destroy(map);
      }
      const double mean = sum / SEEDS, spread = sqrt((squares / SEEDS - mean * mean) / SEEDS);
      assert_near(sfm_kernel_family_name(kernel), mean, wanted, TEST_Z * spread);
      /* And of twice the bandwidth it would not be. */
      stated.bandwidth *= 2;
      sfmi_feature_map *other = made(stated);
      const double wrong = sfmi_feature_map_kernel(other, indices, u, d, indices + d, u + d, d);
      assert_true(fabs(mean - wrong) > TEST_Z * spread);
      sfmi_feature_map_destroy(other);
    }
}

static void refuse(sfmi_feature_map stated, const char *needle) {
  sfm_error error;
  sfmi_feature_map *map;
  for (size_t a = 0; stated.form == SFMI_FEATURE_MAP_TORUS && a < stated.dimension; a++) {
    if (a == 0) stated.lower = sfmi_alloc(stated.dimension, sizeof(double));
    if (a == 0) stated.upper = sfmi_alloc(stated.dimension, sizeof(double));
    stated.upper[a] = 1;
  }
  assert_int_equal(sfmi_feature_map_create(&map, &stated, &error), SFM_INVALID);
  assert_null(map);
  if (!strstr(error.message, needle)) fail_msg("'%s' does not say '%s'", error.message, needle);
}

static void what_has_no_features_is_refused(void **state) {
  (void)state;
  sfmi_feature_map map = {.form = SFMI_FEATURE_MAP_TORUS,
                          .kernel = SFM_KERNEL_GAUSSIAN,
                          .dimension = 54,
                          .radius = 1,
                          .bandwidth = 1};
  refuse(map, "rff_features = 2000");
  refuse(map, "finite features");
  map.dimension = 4;
  map.bandwidth = 10;
  refuse(map, "3.42e+06 finite features");
  map.bandwidth = 11;
  refuse(map, "a bandwidth at most 10 times");
  map.kernel = SFM_KERNEL_LAPLACIAN;
  refuse(map, "no features of the form torus");
  map = (sfmi_feature_map){.form = SFMI_FEATURE_MAP_MONOMIALS,
                           .kernel = SFM_KERNEL_POLYNOMIAL,
                           .dimension = 1000,
                           .radius = 1,
                           .degree = 3};
  refuse(map, "167167000 features");
  map.degree = 0;
  refuse(map, "a degree from 1");
  map.degree = 2;
  map.radius = 1e60;
  map.dimension = 10;
  refuse(map, "out of range");
  map.radius = 1;
  map.constant = NAN;
  refuse(map, "settings.constant");
  map = (sfmi_feature_map){.form = SFMI_FEATURE_MAP_RANDOM,
                           .kernel = SFM_KERNEL_GAUSSIAN,
                           .dimension = 10000,
                           .radius = 1,
                           .bandwidth = 1,
                           .frequencies = 10000};
  refuse(map, "write rff:13420 or less");
  map.frequencies = 0;
  refuse(map, "even number");
  map.frequencies = 1;
  map.bandwidth = 0;
  refuse(map, "a positive number");
  map.bandwidth = 1;
  map.seed = UINT64_MAX;
  refuse(map, "2^53");
  map.form = SFMI_FEATURE_MAP_POINTS;
  refuse(map, "at least one place");
  map.form = SFMI_FEATURE_MAP_LINEAR;
  refuse(map, "no features of the form linear");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inner_products_are_the_kernel),
      cmocka_unit_test(the_kernel_is_that_of_dense_points),
      cmocka_unit_test(nonzero_features_are_those_of_the_dense_row),
      cmocka_unit_test(no_row_is_longer_than_kappa),
      cmocka_unit_test(a_row_is_its_own),
      cmocka_unit_test(turns_are_those_of_the_random_family),
      cmocka_unit_test(random_features_are_cosines_and_sines),
      cmocka_unit_test(blocks_are_orthogonal_in_many_dimensions),
      cmocka_unit_test(random_features_have_the_kernel_for_their_mean),
      cmocka_unit_test(what_has_no_features_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
