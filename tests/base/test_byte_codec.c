/* test_byte_codec.c - numbers come back from their bytes, the bytes are the same on every machine,
 * and nothing is read that is not there. */
#include "test_support.h"

#include <float.h>

#include "base/text/byte_codec.h"

typedef struct fields {
  uint64_t u;
  int64_t i;
  double f;
  sfmi_i128 wide;
  bool b;
  uint8_t bytes[3];
} fields;

static void code_fields(sfmi_byte_codec *codec, fields *x) {
  sfmi_byte_codec_u64(codec, &x->u);
  sfmi_byte_codec_i64(codec, &x->i);
  sfmi_byte_codec_f64(codec, &x->f);
  sfmi_byte_codec_i128(codec, &x->wide);
  sfmi_byte_codec_bool(codec, &x->b);
  sfmi_byte_codec_bytes(codec, x->bytes, sizeof x->bytes);
}

enum { FIELDS = 5 * 8 + 8 + 3, BOOL_AT = 40 };

static const sfmi_i128 LEAST = (sfmi_i128)((sfmi_u128)1 << 127);

static void bytes_are_fixed(void **state) {
  (void)state;
  static const uint8_t golden[FIELDS] = {8,    7,    6,    5,    4, 3, 2, 1, 0xfe, 0xff, 0xff, 0xff,
                                         0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0,    0,    4,    0xc0,
                                         0x10, 0,    0,    0,    0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
                                         0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0,    0,    0,    0,
                                         9,    8,    7};
  sfmi_byte_codec codec = {0};
  fields x = {.u = 0x0102030405060708,
              .i = -2,
              .f = -2.5,
              .wide = -((sfmi_i128)1 << 64) + 16,
              .b = true,
              .bytes = {9, 8, 7}};
  code_fields(&codec, &x);
  assert_false(codec.failed);
  assert_int_equal(codec.length, FIELDS);
  assert_memory_equal(codec.written, golden, FIELDS);
  sfmi_byte_codec_clear(&codec);
  assert_null(codec.written);
}

static void extremes_come_back(void **state) {
  (void)state;
  static const double doubles[] = {0.0, -0.0, DBL_MAX, -DBL_MAX, DBL_TRUE_MIN, INFINITY, NAN};
  const fields cases[] = {{UINT64_MAX, INT64_MIN, 1, LEAST, true, {0xff, 0, 1}},
                          {0, INT64_MAX, 1, ~LEAST, false, {0}},
                          {1, -1, 1, -1, true, {1, 2, 3}},
                          {(uint64_t)1 << 63, 0, 1, (sfmi_i128)1 << 64, false, {0}}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (size_t d = 0; d < sizeof doubles / sizeof *doubles; d++) {
      sfmi_byte_codec codec = {0};
      fields x = cases[c], y = {0};
      x.f = doubles[d];
      code_fields(&codec, &x);
      sfmi_byte_codec reader = sfmi_byte_codec_reader(codec.written, codec.length);
      code_fields(&reader, &y);
      assert_false(codec.failed || reader.failed);
      assert_int_equal(sfmi_byte_codec_left(&reader), 0);
      assert_true(x.u == y.u && x.i == y.i && x.wide == y.wide && x.b == y.b);
      assert_memory_equal(&x.f, &y.f, sizeof x.f);
      assert_memory_equal(x.bytes, y.bytes, sizeof x.bytes);
      sfmi_byte_codec_clear(&codec);
    }
}

/* From memory of that size, so that the sanitizer sees what is read behind it. */
static bool reads(const uint8_t *bytes, size_t length) {
  uint8_t *exact = malloc(length ? length : 1);
  fields x = {0};
  if (length) memcpy(exact, bytes, length);
  sfmi_byte_codec reader = sfmi_byte_codec_reader(length ? exact : NULL, length);
  code_fields(&reader, &x);
  free(exact);
  return !reader.failed;
}

static void what_is_not_there_is_not_read(void **state) {
  (void)state;
  sfmi_byte_codec codec = {0};
  code_fields(&codec, &(fields){.b = true});
  for (size_t length = 0; length < FIELDS; length++) assert_false(reads(codec.written, length));
  assert_true(reads(codec.written, FIELDS));
  for (int bit = 0; bit < 64; bit++) {
    codec.written[BOOL_AT + bit / 8] ^= (uint8_t)(1 << bit % 8);
    assert_int_equal(reads(codec.written, FIELDS), bit == 0); /* 0 is a bool, too */
    codec.written[BOOL_AT + bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  sfmi_byte_codec_clear(&codec);
}

/* After a failure fields keep what they had, also those that would fit. */
static void a_failure_stays(void **state) {
  (void)state;
  static const uint8_t bytes[] = {2, 0, 0, 0, 0, 0, 0, 0, 7, 7};
  bool flag = true;
  uint8_t two[2] = {1, 1};
  uint64_t word = 5;
  sfmi_byte_codec reader = sfmi_byte_codec_reader(bytes, sizeof bytes);
  sfmi_byte_codec_bool(&reader, &flag);
  sfmi_byte_codec_bytes(&reader, two, sizeof two);
  sfmi_byte_codec_u64(&reader, &word);
  assert_true(reader.failed && flag && word == 5);
  assert_memory_equal(two, "\1\1", 2);
}

static void it_grows(void **state) {
  (void)state;
  enum { MANY = 100000 };
  sfmi_byte_codec codec = {0};
  for (uint64_t i = 0; i < MANY; i++) sfmi_byte_codec_u64(&codec, &(uint64_t){i * i});
  assert_int_equal(codec.length, 8 * MANY);
  sfmi_byte_codec reader = sfmi_byte_codec_reader(codec.written, codec.length);
  for (uint64_t i = 0; i < MANY; i++) {
    uint64_t word = 0;
    sfmi_byte_codec_u64(&reader, &word);
    assert_true(word == i * i);
  }
  sfmi_byte_codec_clear(&codec);
  codec.room = SIZE_MAX / 2; /* no more can be asked for */
  codec.at = codec.room;
  sfmi_byte_codec_u64(&codec, &(uint64_t){0});
  assert_true(codec.failed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_are_fixed),
      cmocka_unit_test(extremes_come_back),
      cmocka_unit_test(what_is_not_there_is_not_read),
      cmocka_unit_test(a_failure_stays),
      cmocka_unit_test(it_grows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
