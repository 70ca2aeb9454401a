/* test_keyed_normals.c - normals as a function of key and node: known answers from a ChaCha20
 * written out here, the law, and independence across components, nodes and keys. */
/* suite: release */
#include "sampler_checks.h"

#include <sodium.h>

#include "random/keyed_normals.h"

enum { DRAWS = 100000, CELLS = 40 };

static uint32_t rotate(uint32_t word, unsigned by) {
  return word << by | word >> (32 - by);
}

static void quarter(uint32_t *s, int a, int b, int c, int d) {
  s[a] += s[b], s[d] = rotate(s[d] ^ s[a], 16);
  s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 12);
  s[a] += s[b], s[d] = rotate(s[d] ^ s[a], 8);
  s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 7);
}

/* The block function of RFC 8439, 2.3; last: counter and nonce. */
static void block(uint32_t out[16], const unsigned char *key, const uint32_t last[4]) {
  uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 4; j++) start[4 + i] |= (uint32_t)key[4 * i + j] << (8 * j);
  memcpy(start + 12, last, 4 * sizeof *last);
  memcpy(out, start, sizeof start);
  for (int round = 0; round < 10; round++) {
    for (int i = 0; i < 4; i++) quarter(out, i, 4 + i, 8 + i, 12 + i);
    for (int i = 0; i < 4; i++) quarter(out, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  for (int i = 0; i < 16; i++) out[i] += start[i];
}

static void the_block_here_is_the_one_of_the_rfc(void **state) {
  (void)state;
  static const uint32_t last[4] = {1, 0x09000000, 0x4a000000, 0};
  static const uint32_t expected[16] = {0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3,
                                        0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
                                        0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9,
                                        0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2};
  unsigned char key[32];
  uint32_t out[16];
  for (int i = 0; i < 32; i++) key[i] = (unsigned char)i;
  block(out, key, last);
  assert_memory_equal(out, expected, sizeof expected);
}

/* Component i from words 2(i/2) and 2(i/2) + 1 of the block whose nonce is the node. */
static void check_known_answers(void) {
  static const uint64_t nodes[] = {0, 1, 0x0123456789abcdef, (uint64_t)1 << 62, UINT64_MAX};
  unsigned char key[32];
  for (int i = 0; i < 32; i++) key[i] = (unsigned char)(7 * i + 1);
  for (size_t n = 0; n < sizeof nodes / sizeof *nodes; n++) {
    const uint32_t last[4] = {0, 0, (uint32_t)nodes[n], (uint32_t)(nodes[n] >> 32)};
    uint32_t words[16];
    long double u[SFMI_KEYED_NORMALS_MAX];
    double z[SFMI_KEYED_NORMALS_MAX], few[SFMI_KEYED_NORMALS_MAX];
    block(words, key, last);
    for (int i = 0; i < SFMI_KEYED_NORMALS_MAX; i++) {
      const uint64_t word = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
      u[i] = (2 * (long double)(word >> 12) + 1) / 0x1p53L;
    }
    sfmi_keyed_normals(key, nodes[n], z, SFMI_KEYED_NORMALS_MAX);
    for (int i = 0; i < SFMI_KEYED_NORMALS_MAX; i++) {
      const long double r = sqrtl(-2 * logl(u[i - i % 2])), a = 6.28318530717958647693L * u[i | 1];
      const long double wanted = r * (i % 2 ? sinl(a) : cosl(a));
      if (!(fabsl(z[i] - wanted) <= 4e-15L)) fail_msg("%.17g is not %.17Lg", z[i], wanted);
    }
    for (size_t count = 1; count <= SFMI_KEYED_NORMALS_MAX;
         count++) { /* fewer are the first ones */
      sfmi_keyed_normals(key, nodes[n], few, count);
      assert_memory_equal(few, z, count * sizeof *z);
    }
  }
}

static void normals_are_box_muller_of_the_block(void **state) {
  (void)state;
  check_known_answers(); /* libsodium's portable code, then what suits this processor */
  assert_true(sodium_init() >= 0);
  check_known_answers();
}

/* The normals of DRAWS nodes: from, from + 1, .. under a key that begins with these bytes. */
static double *draw(uint64_t seed, uint64_t from) {
  unsigned char key[32] = {0};
  memcpy(key, &seed, sizeof seed);
  double *z = malloc(DRAWS * SFMI_KEYED_NORMALS_MAX * sizeof *z);
  for (uint64_t i = 0; i < DRAWS; i++)
    sfmi_keyed_normals(key, from + i, z + i * SFMI_KEYED_NORMALS_MAX, SFMI_KEYED_NORMALS_MAX);
  return z;
}

static double law(const double *z, size_t count, double scale) {
  uint64_t counts[CELLS] = {0};
  double masses[CELLS];
  for (size_t i = 0; i < count; i++) {
    const double cell = floor(z[i] * 4) + CELLS / 2;
    if (cell >= 0 && cell < CELLS) counts[(int)cell]++;
  }
  for (int i = 0; i < CELLS; i++) {
    const double a = (i - CELLS / 2) / sqrt(32.0), b = (i + 1 - CELLS / 2) / sqrt(32.0);
    masses[i] = 0.5 * (erfc(a / scale) - erfc(b / scale));
  }
  return chi_square(counts, masses, CELLS, count);
}

static void normals_follow_their_law(void **state) {
  (void)state;
  double *z = draw(11, 5), *one = malloc(DRAWS * sizeof *one);
  assert_true(law(z, DRAWS * SFMI_KEYED_NORMALS_MAX, 1) < 1);
  assert_true(law(z, DRAWS * SFMI_KEYED_NORMALS_MAX, 1.03) > 1);
  assert_true(law(z, DRAWS * SFMI_KEYED_NORMALS_MAX, 1 / 1.03) > 1);
  for (size_t c = 0; c < SFMI_KEYED_NORMALS_MAX; c++) {
    for (size_t i = 0; i < DRAWS; i++) one[i] = z[i * SFMI_KEYED_NORMALS_MAX + c];
    assert_true(law(one, DRAWS, 1) < 1);
    assert_true(law(one, DRAWS, 1.03) > 1);
  }
  free(z);
  free(one);
}

/* The larger of |correlation| sqrt(DRAWS) of the values and of their squares. */
static double related(const double *a, const double *b) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < DRAWS; i++) {
    const double x = a[i * SFMI_KEYED_NORMALS_MAX], y = b[i * SFMI_KEYED_NORMALS_MAX];
    sum += x * y;
    squares += (x * x - 1) * (y * y - 1) / 2;
  }
  return fmax(fabs(sum), fabs(squares)) / sqrt(DRAWS);
}

/* A square of a normal has heavy tails: 8 where 4.9 would do for a normal sum. */
static void components_nodes_and_keys_are_independent(void **state) {
  (void)state;
  const uint64_t half = (uint64_t)1 << 44;
  double *z = draw(12, 0), *next = draw(12, 1), *far = draw(12, half), *other = draw(13, 0);
  double *const others[] = {z, next, far, other};
  for (size_t a = 0; a < SFMI_KEYED_NORMALS_MAX; a++)
    for (size_t b = 0; b < SFMI_KEYED_NORMALS_MAX; b++)
      for (size_t o = a == b; o < 4; o++) assert_true(related(z + a, others[o] + b) < 8);
  assert_true(related(z, z) > 8);
  for (int o = 0; o < 4; o++) free(others[o]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_block_here_is_the_one_of_the_rfc),
      cmocka_unit_test(normals_are_box_muller_of_the_block),
      cmocka_unit_test(normals_follow_their_law),
      cmocka_unit_test(components_nodes_and_keys_are_independent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
