/* test_npy.c - NPY files of every type and order give the numbers they hold. */
#include "read_rows.h"

#include <math.h>

static const char *const ZERO[] = {"0"};

typedef struct file {
  unsigned char bytes[4096];
  size_t size;
} file;

static file npy(int version, const char *dictionary, const void *data, size_t size) {
  file f = {{0}, 0};
  size_t length = strlen(dictionary);
  memcpy(f.bytes, "\x93NUMPY", 6);
  f.bytes[6] = (unsigned char)version;
  f.bytes[8] = (unsigned char)(length & 255);
  f.bytes[9] = (unsigned char)(length >> 8);
  f.size = version == 1 ? 10 : 12;
  memcpy(f.bytes + f.size, dictionary, length);
  f.size += length;
  if (size) memcpy(f.bytes + f.size, data, size);
  f.size += size;
  return f;
}

/* Stores value as one element of the type, in the order asked for. */
static void store(unsigned char *at, char kind, size_t size, int big, double value) {
  uint64_t bits;
  float single = (float)value;
  uint32_t four;
  if (kind == 'f' && size == 8) {
    memcpy(&bits, &value, 8);
  } else if (kind == 'f') {
    memcpy(&four, &single, 4);
    bits = four;
  } else {
    bits = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
  }
  for (size_t i = 0; i < size; i++) at[big ? size - 1 - i : i] = (unsigned char)(bits >> (8 * i));
}

static void test_types(void **state) {
  (void)state;
  static const char *const types[] = {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (int big = 0; big < 2; big++)
      for (int version = 1; version <= 3; version++) {
        char kind = types[t][0], dictionary[128];
        size_t size = (size_t)(types[t][1] - '0');
        double values[6] = {0, 1, 77, kind == 'u' ? 255 : -128, 100, kind == 'f' ? 0.25 : 3};
        unsigned char data[48];
        for (size_t i = 0; i < 6; i++) store(data + i * size, kind, size, big, values[i]);
        snprintf(dictionary, sizeof dictionary,
                 "{'descr': '%c%s', 'fortran_order': False, 'shape': (3, 2), }   \n",
                 size == 1 ? '|'
                 : big     ? '>'
                           : '<',
                 types[t]);
        file f = npy(version, dictionary, data, 6 * size);
        static const char *const both[] = {"1", "0"};
        reading r = read_bytes(f.bytes, f.size, both, 2, -1e9, 1e9, 1 + t);
        assert_int_equal(r.rows, 3);
        for (size_t i = 0; i < 3; i++) {
          assert_int_equal(r.keep[i], 1);
          if (r.values[2 * i] != values[2 * i + 1] || r.values[2 * i + 1] != values[2 * i])
            fail_msg("%s: row %zu", types[t], i);
        }
        reading_clear(&r);
      }
}

static void test_odd_values(void **state) {
  (void)state;
  double values[] = {1, NAN, INFINITY, -INFINITY, 1e308, -0.0, 5e-324};
  file f = npy(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (7,)}", values, sizeof values);
  reading r = read_bytes(f.bytes, f.size, ZERO, 1, -10, 10, 8);
  const uint8_t keep[] = {1, 0, 0, 0, 1, 1, 1};
  assert_int_equal(r.rows, 7);
  assert_memory_equal(r.keep, keep, 7);
  assert_true(r.values[4] == 10.0 && r.values[6] == 5e-324);
  reading_clear(&r);
  int64_t wide[] = {INT64_MIN, INT64_MAX};
  f = npy(1, "{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"<i8\"}", wide, sizeof wide);
  r = read_bytes(f.bytes, f.size, ZERO, 1, -1e19, 1e19, 0);
  assert_true(r.values[0] == -0x1p63 && r.values[1] == 0x1p63);
  reading_clear(&r);
  f = npy(2, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3)}", NULL, 0);
  r = read_bytes(f.bytes, f.size, ZERO, 1, 0, 1, 0);
  assert_int_equal(r.rows, 0);
  reading_clear(&r);
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    const char *dictionary, *word;
  } bad[] = {
      {"", "dictionary"},
      {"{}", "lacks"},
      {"{'descr': '<f8', 'fortran_order': False}", "lacks"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': ()}", "0 dimensions"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1)}", "3 dimensions"},
      {"{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2)}", "Fortran"},
      {"{'descr': '<f8', 'fortran_order': 0, 'shape': (1, 2)}", "fortran_order"},
      {"{'descr': '<f2', 'fortran_order': False, 'shape': (1,)}", "astype"},
      {"{'descr': '<c16', 'fortran_order': False, 'shape': (1,)}", "astype"},
      {"{'descr': '|S8', 'fortran_order': False, 'shape': (1,)}", "astype"},
      {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "astype"},
      {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", "astype"},
      {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,)}", "several fields"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", "shape"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}", "shape"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': 3}", "shape"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,)}", "shape"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000000000000,)}", "no file"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 0)}", "columns"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 1000001)}", "columns"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", "cut short"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'x': 3}", "key"},
      {"{'descr': '<f8' 'fortran_order': False}", "end"},
      {"{'descr", "dictionary"},
  };
  double one = 1;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sfm_rows *rows;
    file f = npy(1, bad[i].dictionary, &one, sizeof one);
    REFUSES(SFM_FORMAT, sfmi_rows_open_memory(&rows, f.bytes, f.size, 0, error), bad[i].word);
    assert_null(rows);
  }
  sfm_rows *rows;
  file f = npy(4, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", &one, sizeof one);
  REFUSES(SFM_FORMAT, sfmi_rows_open_memory(&rows, f.bytes, f.size, 0, error), "version 4");
  REFUSES(SFM_FORMAT, sfmi_rows_open_memory(&rows, "\x93NUMPY\1\0\377\377{}", 12, 0, error), "NPY");
  for (size_t size = 6; size < 60; size++) { /* cut anywhere */
    f = npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", &one, sizeof one);
    REFUSES(SFM_FORMAT, sfmi_rows_open_memory(&rows, f.bytes, size, 0, error), "NPY");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_odd_values),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
