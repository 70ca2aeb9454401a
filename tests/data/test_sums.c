/* test_sums.c - sums are added exactly or not at all, in any order; their bytes are those that
 * sums.h states, and no others are read. */
/* suite: both */
#include "test_support.h"

#include <malloc.h>

#include "data/partial/sums.h"

#define INT128_MAX ((sfmi_i128)(~(sfmi_u128)0 >> 1))
#define INT128_MIN (-INT128_MAX - 1)

static sfm_error error;

typedef struct bytes {
  uint8_t *at;
  size_t size;
} bytes;

static sfmi_sums integers_of(const sfmi_i128 *values, size_t count) {
  sfmi_sums sums = {0};
  assert_ok(sfmi_sums_init(&sums, SFMI_SUMS_INTEGERS, count, &error), &error);
  for (size_t i = 0; i < count; i++) sums.integers[i] = values[i];
  return sums;
}

static sfmi_sums counts_of(sfmi_sums_form form, const uint64_t *keys, const uint64_t *counts,
                           size_t count) {
  sfmi_sums sums = {0};
  assert_ok(sfmi_sums_init(&sums, form, count, &error), &error);
  for (size_t i = 0; i < count; i++) sums.counts[i] = counts[i];
  for (size_t i = 0; keys && i < count; i++) sums.keys[i] = keys[i];
  return sums;
}

/* Texts with their numbers of records. */
static sfmi_sums texts_of(const char *const *texts, const uint64_t *counts, size_t count) {
  uint64_t ends[16], used = 0;
  for (size_t i = 0; i < count; i++) ends[i] = used += strlen(texts[i]);
  sfmi_sums sums = counts_of(SFMI_SUMS_TEXTS, ends, counts, count);
  sums.bytes = malloc(used + 1);
  for (size_t i = 0, at = 0; i < count; at += strlen(texts[i++]))
    memcpy(sums.bytes + at, texts[i], strlen(texts[i]));
  return sums;
}

static bytes encode(const sfmi_sums *sums) {
  sfmi_byte_codec codec = {0};
  sfmi_sums_code(&codec, (sfmi_sums *)(uintptr_t)sums);
  assert_false(codec.failed);
  return (bytes){codec.written, codec.length};
}

/* Sums in all of these bytes; false for bytes that are none, and then nothing is left of them. */
static bool decode(sfmi_sums *sums, const uint8_t *at, size_t size) {
  uint8_t *exact = malloc(size + !size); /* sanitizers see a byte beyond */
  memcpy(exact, at, size);
  sfmi_byte_codec codec = sfmi_byte_codec_reader(exact, size);
  *sums = (sfmi_sums){0};
  sfmi_sums_code(&codec, sums);
  const bool good = !codec.failed && sfmi_byte_codec_left(&codec) == 0;
  if (codec.failed) assert_true(!sums->integers && !sums->counts && !sums->keys && !sums->bytes);
  if (!good) sfmi_sums_clear(sums);
  free(exact);
  return good;
}

static bool same(const sfmi_sums *a, const sfmi_sums *b) {
  const bytes x = encode(a), y = encode(b);
  const bool equal = x.size == y.size && memcmp(x.at, y.at, x.size) == 0;
  free(x.at);
  free(y.at);
  return equal;
}

/* Checks the bytes behind the form and the number, and that they are read back. */
static void check_encoding(sfmi_sums sums, const char *wanted, size_t size) {
  const bytes all = encode(&sums);
  sfmi_sums back;
  assert_int_equal(all.size, 16 + size);
  for (size_t i = 0; i < 16; i++)
    assert_int_equal(all.at[i], i == 0 ? (int)sums.form : i == 8 ? (int)sums.count : 0);
  assert_memory_equal(all.at + 16, wanted, size);
  assert_true(decode(&back, all.at, all.size));
  assert_true(same(&sums, &back));
  free(all.at);
  sfmi_sums_clear(&back);
  sfmi_sums_clear(&sums);
}

#define ENCODES(sums, text) check_encoding(sums, text, sizeof text - 1)

static void integers_are_as_short_as_they_can_be(void **state) {
  (void)state;
  const sfmi_i128 one = 1, small[] = {0, 1, -1, 127, -128, 128, -129, 255, 256},
                  wide[] = {INT64_MAX, INT64_MIN, (sfmi_i128)INT64_MAX + 1, UINT64_MAX,
                            (sfmi_i128)UINT64_MAX + 1},
                  limits[] = {INT128_MAX, INT128_MIN, one << 126, -(one << 119)};
  ENCODES(integers_of(small, 9), "\0\1\1\1\xff\1\x7f\1\x80\2\x80\0\2\x7f\xff\2\xff\0\2\0\1");
  ENCODES(integers_of(wide, 5),
          "\x8\xff\xff\xff\xff\xff\xff\xff\x7f\x8\0\0\0\0\0\0\0\x80\x9\0\0\0\0\0\0\0\x80\0"
          "\x9\xff\xff\xff\xff\xff\xff\xff\xff\0\x9\0\0\0\0\0\0\0\0\1");
  ENCODES(integers_of(limits, 4),
          "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
          "\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80"
          "\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40\xf\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80");
  ENCODES(integers_of(NULL, 0), "");
}

static void counts_cells_and_texts_are_as_stated(void **state) {
  (void)state;
  const uint64_t numbers[] = {0, 128, UINT64_MAX}, ones[] = {1, 2, 3, 4},
                 cells[] = {0, 1, 300, UINT64_MAX};
  const char *const texts[] = {"a", "a\x01", "ab", "\x80\xff"};
  ENCODES(counts_of(SFMI_SUMS_COUNTS, NULL, numbers, 3),
          "\0\2\x80\0\x9\xff\xff\xff\xff\xff\xff\xff\xff\0");
  ENCODES(counts_of(SFMI_SUMS_CELLS, cells, ones, 4),
          "\0\1\1\1\1\1\2\2\x2b\1\1\3\x9\xd3\xfe\xff\xff\xff\xff\xff\xff\0\1\4");
  ENCODES(texts_of(texts, ones, 4), "\1\1\1\1\1\2\1\2\1\2\1\3\1\2\1\4"
                                    "aa\1ab\x80\xff");
  ENCODES(counts_of(SFMI_SUMS_COUNTS, NULL, NULL, 0), "");
  ENCODES(counts_of(SFMI_SUMS_CELLS, NULL, NULL, 0), "");
  ENCODES(texts_of(NULL, NULL, 0), "");
}

static void check_refused(sfmi_sums_form form, uint8_t count, const char *numbers, size_t size) {
  uint8_t all[80] = {(uint8_t)form, 0, 0, 0, 0, 0, 0, 0, count};
  sfmi_sums sums;
  memcpy(all + 16, numbers, size);
  if (decode(&sums, all, 16 + size))
    fail_msg("form %d: %d numbers of %zu bytes are read", (int)form, count, size);
}

#define REFUSED(form, count, text) check_refused(form, count, text, sizeof text - 1)

static void only_the_shortest_form_is_read(void **state) {
  (void)state;
  REFUSED(SFMI_SUMS_INTEGERS, 1, "\1\0"); /* none in one byte */
  REFUSED(SFMI_SUMS_INTEGERS, 1, "\2\1\0");
  REFUSED(SFMI_SUMS_INTEGERS, 1, "\2\xff\xff");
  REFUSED(SFMI_SUMS_INTEGERS, 1, "\x11\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1");
  REFUSED(SFMI_SUMS_INTEGERS, 1, "\xff");
  REFUSED(SFMI_SUMS_INTEGERS, 2, "\1\1");
  REFUSED(SFMI_SUMS_INTEGERS, 1, "\1\1\0"); /* one byte more */
  REFUSED(SFMI_SUMS_COUNTS, 1, "\1\xff");   /* less than none */
  REFUSED(SFMI_SUMS_COUNTS, 1, "\x9\0\0\0\0\0\0\0\0\1");
  REFUSED(SFMI_SUMS_CELLS, 1, "\1\5\0"); /* a cell of none */
  REFUSED(SFMI_SUMS_CELLS, 2, "\1\5\1\1\0\1\1");
  REFUSED(SFMI_SUMS_CELLS, 2, "\1\5\1\1\1\xff\1\1"); /* the cell before */
  REFUSED(SFMI_SUMS_CELLS, 2, "\x9\xff\xff\xff\xff\xff\xff\xff\xff\0\1\1\1\1\1\1");
  REFUSED(SFMI_SUMS_TEXTS, 1, "\0\1\1"); /* an empty text */
  REFUSED(SFMI_SUMS_TEXTS, 2, "\1\1\1\1\1\1\1\1ba");
  REFUSED(SFMI_SUMS_TEXTS, 2,
          "\1\1\1\1\1\1\1\1"
          "aa");
  REFUSED(SFMI_SUMS_TEXTS, 2,
          "\1\2\1\1\1\1\1\1"
          "aba"); /* a text before its beginning */
  REFUSED(SFMI_SUMS_TEXTS, 1,
          "\1\2\1\1"
          "a");
  REFUSED(SFMI_SUMS_TEXTS, 2,
          "\1\1\1\1\1\1\1\1\x80"
          "a"); /* bytes are not negative */
  REFUSED((sfmi_sums_form)4, 0, "");
}

/* A few of every form. */
enum { SAMPLES = 6 };

static sfmi_sums sample(size_t i) {
  static const uint64_t numbers[] = {1, 77777, 3, UINT64_MAX / 4}, cells[] = {0, 9, 10, 1u << 31},
                        none[] = {0, 0, 4};
  static const char *const texts[] = {"a", "aa", "b\xc3\xa9", "\xff"};
  const sfmi_i128 integers[] = {0, -1, 300, -70000, (sfmi_i128)1 << 100};
  switch (i) {
  case 0:
    return integers_of(integers, 5);
  case 1:
    return counts_of(SFMI_SUMS_COUNTS, NULL, none, 3);
  case 2:
    return counts_of(SFMI_SUMS_CELLS, cells, numbers, 4);
  case 3:
    return texts_of(texts, numbers, 4);
  case 4:
    return texts_of(NULL, NULL, 0);
  default:
    return counts_of(SFMI_SUMS_CELLS, NULL, NULL, 0);
  }
}

/* Bytes that are read are those that would be written. */
static void check_read(const uint8_t *at, size_t size) {
  sfmi_sums sums;
  if (!decode(&sums, at, size)) return;
  const bytes again = encode(&sums);
  assert_int_equal(again.size, size);
  assert_memory_equal(again.at, at, size);
  free(again.at);
  sfmi_sums_clear(&sums);
}

static void spoiled_bytes_fail_or_are_others(void **state) {
  (void)state;
  for (size_t s = 0; s < SAMPLES; s++) {
    sfmi_sums sums = sample(s), cut;
    const bytes all = encode(&sums);
    for (size_t size = 0; size < all.size; size++) assert_false(decode(&cut, all.at, size));
    for (size_t i = 0; i < all.size; i++)
      for (unsigned flip = 1; flip < 256; flip++) {
        all.at[i] ^= (uint8_t)flip;
        check_read(all.at, all.size);
        all.at[i] ^= (uint8_t)flip;
      }
    free(all.at);
    sfmi_sums_clear(&sums);
  }
}

/* Memory that the process has ever had, where it gives none back. */
static size_t most_memory(void) {
  return mallinfo2().arena;
}

/* What the bytes say of their number costs at most the memory that sums.h states. */
static void reading_takes_little_memory(void **state) {
  (void)state;
  enum { BYTES = 1 << 16 };
  static const uint64_t counts[] = {1,         BYTES - 17, BYTES - 16, BYTES - 15,
                                    BYTES * 4, BYTES * 99, 1u << 24,   UINT64_MAX};
  if (test_sanitized()) return; /* they have memory of their own; fuzz_partial looks at it */
  uint8_t *all = calloc(1, BYTES);
  assert_true(mallopt(M_MMAP_MAX, 0) && mallopt(M_TRIM_THRESHOLD, INT32_MAX));
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (uint64_t form = 0; form < 4; form++) {
      sfmi_sums sums = {0};
      memcpy(all, &form, 8);
      memcpy(all + 8, &counts[i], 8);
      const size_t before = most_memory();
      sfmi_byte_codec codec = sfmi_byte_codec_reader(all, BYTES);
      sfmi_sums_code(&codec, &sums);
      assert_true(most_memory() - before <= 32 * (size_t)BYTES + (1 << 18));
      assert_true(codec.failed == (form > 1 || counts[i] > BYTES - 16));
      sfmi_sums_clear(&sums);
    }
  free(all);
}

/* ---- merging ---- */

static void check_overflow(sfmi_sums a, sfmi_sums b) {
  sfmi_sums before = {0};
  assert_ok(sfmi_sums_copy(&before, &a, &error), &error);
  assert_int_equal(sfmi_sums_merge(&a, &b, &error), SFM_FORMAT);
  assert_non_null(strstr(error.message, "too large"));
  assert_true(same(&a, &before));
  sfmi_sums_clear(&a);
  sfmi_sums_clear(&b);
  sfmi_sums_clear(&before);
}

static void check_merged(sfmi_sums a, sfmi_sums b, sfmi_sums wanted) {
  assert_ok(sfmi_sums_merge(&a, &b, &error), &error);
  assert_true(same(&a, &wanted));
  sfmi_sums_clear(&a);
  sfmi_sums_clear(&b);
  sfmi_sums_clear(&wanted);
}

static void what_does_not_fit_is_refused_and_changes_nothing(void **state) {
  (void)state;
  const sfmi_i128 top[] = {5, INT128_MAX - 1}, bottom[] = {5, INT128_MIN + 1}, up[] = {1, 2},
                  down[] = {1, -2}, one[] = {1, 1}, less[] = {1, -1}, most[] = {6, INT128_MAX},
                  least[] = {6, INT128_MIN};
  const uint64_t full[] = {5, UINT64_MAX - 1}, two[] = {1, 2}, ones[] = {1, 1},
                 all[] = {6, UINT64_MAX}, keys[] = {3, UINT64_MAX};
  const char *const texts[] = {"a", "b"};
  check_overflow(integers_of(top, 2), integers_of(up, 2));
  check_overflow(integers_of(bottom, 2), integers_of(down, 2));
  check_merged(integers_of(top, 2), integers_of(one, 2), integers_of(most, 2));
  check_merged(integers_of(bottom, 2), integers_of(less, 2), integers_of(least, 2));
  check_overflow(counts_of(SFMI_SUMS_COUNTS, NULL, full, 2),
                 counts_of(SFMI_SUMS_COUNTS, NULL, two, 2));
  check_merged(counts_of(SFMI_SUMS_COUNTS, NULL, full, 2),
               counts_of(SFMI_SUMS_COUNTS, NULL, ones, 2),
               counts_of(SFMI_SUMS_COUNTS, NULL, all, 2));
  check_overflow(counts_of(SFMI_SUMS_CELLS, keys, full, 2),
                 counts_of(SFMI_SUMS_CELLS, keys, two, 2));
  check_merged(counts_of(SFMI_SUMS_CELLS, keys, full, 2), counts_of(SFMI_SUMS_CELLS, keys, ones, 2),
               counts_of(SFMI_SUMS_CELLS, keys, all, 2));
  check_overflow(texts_of(texts, full, 2), texts_of(texts, two, 2));
  check_merged(texts_of(texts, full, 2), texts_of(texts, ones, 2), texts_of(texts, all, 2));
}

static void other_forms_and_lengths_are_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < SAMPLES; i++)
    for (size_t j = 0; j < SAMPLES; j++) {
      sfmi_sums a = sample(i), b = sample(j);
      assert_int_equal(sfmi_sums_merge(&a, &b, &error), a.form == b.form ? SFM_OK : SFM_FORMAT);
      sfmi_sums_clear(&a);
      sfmi_sums_clear(&b);
    }
  const sfmi_i128 numbers[] = {1, 2, 3};
  sfmi_sums long_ones = integers_of(numbers, 3), short_ones = integers_of(numbers, 2);
  assert_int_equal(sfmi_sums_merge(&long_ones, &short_ones, &error), SFM_FORMAT);
  assert_int_equal(sfmi_sums_merge(&short_ones, &long_ones, &error), SFM_FORMAT);
  sfmi_sums_clear(&long_ones);
  sfmi_sums_clear(&short_ones);
}

/* Texts and cells of which any two may share a beginning. */
static sfmi_sums random_sums(sfmi_sums_form form, sfmi_prng *prng) {
  static const char *const pool[] = {"a",    "a\x01", "aa",    "aab",      "ab",   "b",
                                     "\x7f", "\x80",  "\x80z", "\xc3\xa9", "\xff", "\xff\xff"};
  static const uint64_t places[] = {0, 1, 2, 7, 255, 256, 65536, 1u << 31, INT64_MAX, UINT64_MAX};
  const size_t most = form == SFMI_SUMS_TEXTS ? 12 : form == SFMI_SUMS_CELLS ? 10 : 5;
  const char *texts[12];
  uint64_t keys[12], counts[12];
  sfmi_i128 integers[12];
  size_t count = 0;
  for (size_t i = 0; i < most; i++) {
    const bool there = form <= SFMI_SUMS_COUNTS || sfmi_prng_uniform(prng) < 0.5;
    texts[count] = pool[i];
    keys[count] = places[i % 10];
    counts[count] = 1 + sfmi_prng_word(prng) % 1000;
    integers[count] =
        (sfmi_i128)(int64_t)sfmi_prng_word(prng) * (int64_t)(sfmi_prng_word(prng) >> 8);
    count += there;
  }
  return form == SFMI_SUMS_INTEGERS ? integers_of(integers, count)
         : form == SFMI_SUMS_TEXTS
             ? texts_of(texts, counts, count)
             : counts_of(form, form == SFMI_SUMS_CELLS ? keys : NULL, counts, count);
}

/* The sum of both, of which nothing is used up. */
static sfmi_sums both_of(const sfmi_sums *a, const sfmi_sums *b) {
  sfmi_sums sum = {0};
  assert_ok(sfmi_sums_copy(&sum, a, &error), &error);
  assert_ok(sfmi_sums_merge(&sum, b, &error), &error);
  return sum;
}

static void the_order_of_merging_changes_nothing(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (size_t turn = 0; turn < 2000; turn++) {
    const sfmi_sums_form form = (sfmi_sums_form)(turn % 4);
    sfmi_sums a = random_sums(form, &prng), b = random_sums(form, &prng),
              c = random_sums(form, &prng);
    sfmi_sums ab = both_of(&a, &b), ba = both_of(&b, &a), bc = both_of(&b, &c);
    sfmi_sums left = both_of(&ab, &c), right = both_of(&a, &bc);
    assert_true(same(&ab, &ba));
    assert_true(same(&left, &right));
    const bytes all = encode(&left); /* in order, none twice: or it is not read */
    check_read(all.at, all.size);
    sfmi_sums_clear(&ba);
    assert_true(decode(&ba, all.at, all.size));
    free(all.at);
    sfmi_sums *used[] = {&a, &b, &c, &ab, &ba, &bc, &left, &right};
    for (size_t i = 0; i < 8; i++) sfmi_sums_clear(used[i]);
  }
}

static void masses_and_limits(void **state) {
  (void)state;
  const sfmi_i128 whole[] = {0, 3, 5}, beyond[] = {0, 4, 5}, negative[] = {9, -1, 0},
                  huge[] = {INT128_MAX, INT128_MAX, 2}, low[] = {1, -8, 8}, lower[] = {1, -9, 8};
  sfmi_sums sums[] = {integers_of(whole, 3), integers_of(beyond, 3), integers_of(negative, 3),
                      integers_of(huge, 3),  integers_of(low, 3),    integers_of(lower, 3)};
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(sfmi_sums_are_masses(&sums[i], 3), i == 0);
    assert_int_equal(sfmi_sums_are_within(&sums[i], 0, 3), i == 0 || i == 1 || i == 4);
    assert_int_equal(sfmi_sums_are_within(&sums[i], 2, 3), true);
    sfmi_sums_clear(&sums[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_are_as_short_as_they_can_be),
      cmocka_unit_test(counts_cells_and_texts_are_as_stated),
      cmocka_unit_test(only_the_shortest_form_is_read),
      cmocka_unit_test(spoiled_bytes_fail_or_are_others),
      cmocka_unit_test(reading_takes_little_memory),
      cmocka_unit_test(what_does_not_fit_is_refused_and_changes_nothing),
      cmocka_unit_test(other_forms_and_lengths_are_refused),
      cmocka_unit_test(the_order_of_merging_changes_nothing),
      cmocka_unit_test(masses_and_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
