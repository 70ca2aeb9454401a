/* test_npy.c - NPY files of every type and order give the numbers they hold. */
#include "read_rows.h"
#include "row_keys_fixture.h"

#include <math.h>
#include <zlib.h>

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

/* The rows, and their fingerprint. */
static reading read_printed(sfm_rows *rows, uint8_t print[SFMI_DIGEST_BYTES]) {
  static const char *const both[] = {"2", "0"};
  static const uint8_t key[SFMI_DIGEST_BYTES] = {4};
  sfm_schema *schema = bounded(both, 2, -1e9, 1e9);
  const sfmi_selection selection = {schema, both, 2, SFM_OUTSIDE_CLAMP};
  set_keys(rows, key, false);
  reading r = read_all(rows, &selection);
  sfmi_rows_fingerprint(rows, print);
  sfm_schema_destroy(schema);
  sfm_rows_destroy(rows);
  return r;
}

enum { TALL = 90, WIDE = 3 };

/* Column after column, packed or not, in blocks of any size: the same rows and fingerprint. */
static void test_fortran(void **state) {
  (void)state;
  static const char *const types[] = {"f4", "f8", "i2", "u8"};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (int packed = 0; packed < 2; packed++)
      for (size_t block = 1; block < 400; block = 3 * block + 1) {
        const size_t size = (size_t)(types[t][1] - '0');
        unsigned char by_row[TALL * WIDE * 8], by_column[TALL * WIDE * 8];
        char dictionary[128];
        uint8_t prints[2][SFMI_DIGEST_BYTES];
        reading r[2];
        for (size_t i = 0; i < TALL; i++)
          for (size_t c = 0; c < WIDE; c++) {
            store(by_row + (i * WIDE + c) * size, types[t][0], size, 0, (double)(100 * c + i));
            store(by_column + (c * TALL + i) * size, types[t][0], size, 0, (double)(100 * c + i));
          }
        for (int fortran = 0; fortran < 2; fortran++) {
          sfm_rows *rows;
          unsigned char gz[8192];
          snprintf(dictionary, sizeof dictionary,
                   "{'descr': '<%s', 'fortran_order': %s, 'shape': (%d, %d), }\n", types[t],
                   fortran ? "True" : "False", TALL, WIDE);
          file f = npy(1, dictionary, fortran ? by_column : by_row, TALL * WIDE * size);
          z_stream z = {
              .next_in = f.bytes, .avail_in = (uInt)f.size, .next_out = gz, .avail_out = sizeof gz};
          assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
          assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
          deflateEnd(&z);
          MUST(sfmi_rows_open_memory(&rows, packed ? gz : f.bytes, packed ? z.total_out : f.size,
                                     block, error));
          r[fortran] = read_printed(rows, prints[fortran]);
        }
        assert_int_equal(r[1].rows, TALL);
        assert_true(r[1].values[2] == 201 && r[1].values[3] == 1);
        assert_same(&r[0], &r[1]);
        assert_memory_equal(prints[0], prints[1], SFMI_DIGEST_BYTES);
        reading_clear(&r[0]);
        reading_clear(&r[1]);
      }
  /* Cut short, also where its size is not known before. */
  double some[5] = {0};
  sfm_rows *rows;
  file f = npy(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2)}", some, sizeof some);
  REFUSES(SFM_FORMAT, sfmi_rows_open_memory(&rows, f.bytes, f.size, 0, error), "cut short");
}

/* A matrix anywhere in memory: every order and direction gives the rows of its copy. */
static void test_strided(void **state) {
  (void)state;
  double copy[TALL * WIDE], values[2 * TALL * 2 * WIDE];
  uint8_t prints[2][SFMI_DIGEST_BYTES];
  sfm_rows *rows;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) values[i] = (double)(i * 37 % 1000);
  const ptrdiff_t width = sizeof *values;
  const struct {
    size_t first;
    ptrdiff_t row, column; /* in elements */
  } cases[] = {{0, WIDE, 1},         {0, 1, TALL}, {0, 2 * WIDE, 2}, {2 * TALL * WIDE, -WIDE, 1},
               {2 * TALL, -1, TALL}, {5, 0, 1},    {5, 1, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (ptrdiff_t i = 0; i < TALL; i++)
      for (ptrdiff_t c = 0; c < WIDE; c++)
        copy[i * WIDE + c] =
            values[(ptrdiff_t)cases[k].first + i * cases[k].row + c * cases[k].column];
    const sfm_array array = {.first = values + cases[k].first,
                             .rows = TALL,
                             .columns = WIDE,
                             .row_step = cases[k].row * width,
                             .column_step = cases[k].column * width,
                             .kind = 'f',
                             .size = sizeof *values};
    uint64_t count;
    MUST(sfm_rows_from_array(&rows, copy, TALL, WIDE, NULL, error));
    reading a = read_printed(rows, prints[0]);
    MUST(sfm_rows_from_strided(&rows, &array, NULL, error));
    MUST(sfm_rows_count(rows, &count, error));
    assert_int_equal(count, TALL);
    reading b = read_printed(rows, prints[1]);
    assert_same(&a, &b);
    assert_memory_equal(prints[0], prints[1], SFMI_DIGEST_BYTES);
    reading_clear(&a);
    reading_clear(&b);
  }
  const unsigned char swapped[] = {0, 1, 0, 2, 0xff, 0xfd};
  sfm_array small = {.first = swapped,
                     .rows = 3,
                     .columns = 1,
                     .row_step = 2,
                     .column_step = 99,
                     .kind = 'i',
                     .size = 2,
                     .swapped = true};
  MUST(sfm_rows_from_strided(&rows, &small, NULL, error));
  sfm_schema *schema = bounded(ZERO, 1, -10, 10);
  const sfmi_selection selection = {schema, ZERO, 1, SFM_OUTSIDE_CLAMP};
  reading r = read_all(rows, &selection);
  assert_true(r.values[0] == 1 && r.values[1] == 2 && r.values[2] == -3);
  reading_clear(&r);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  const struct {
    sfm_array array;
    const char *word;
  } bad[] = {
      {{.first = swapped, .rows = 1, .columns = 0, .kind = 'f', .size = 8}, "columns"},
      {{.first = swapped, .rows = 1, .columns = 1, .kind = 'f', .size = 2}, "kind"},
      {{.first = swapped, .rows = 1, .columns = 1, .kind = 'c', .size = 8}, "kind"},
      {{.first = swapped, .rows = 1, .columns = 1, .kind = 'u', .size = 3}, "kind"},
      {{.first = NULL, .rows = 1, .columns = 1, .kind = 'u', .size = 1}, "NULL"},
      {{.first = swapped, .rows = SIZE_MAX, .columns = 2, .kind = 'u', .size = 8}, "memory"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    REFUSES(SFM_INVALID, sfm_rows_from_strided(&rows, &bad[i].array, NULL, error), bad[i].word);
    assert_null(rows);
  }
}

/* Matrices side by side are one with the columns of all: of every order, packed and in steps. */
static void test_side_by_side(void **state) {
  (void)state;
  double copy[TALL * WIDE], turned[WIDE * TALL];
  uint8_t prints[2][SFMI_DIGEST_BYTES];
  sfm_rows *rows;
  for (size_t i = 0; i < TALL; i++)
    for (size_t c = 0; c < WIDE; c++)
      turned[c * TALL + i] = copy[i * WIDE + c] = (double)((i * WIDE + c) * 37 % 1000);
  MUST(sfm_rows_from_array(&rows, copy, TALL, WIDE, NULL, error));
  reading a = read_printed(rows, prints[0]);
  const ptrdiff_t step = sizeof *copy;
  for (size_t first = 1; first < WIDE; first++)
    for (int order = 0; order < 4; order++) {
      sfm_array parts[3];
      const size_t begins[] = {0, first, first + 1, WIDE};
      const size_t count = first + 1 < WIDE ? 3 : 2;
      for (size_t p = 0; p < count; p++) {
        const bool across = (order + (int)p) % 2;
        parts[p] = (sfm_array){.first = across ? turned + begins[p] * TALL : copy + begins[p],
                               .rows = TALL,
                               .columns = begins[p + 1] - begins[p],
                               .row_step = across ? step : WIDE * step,
                               .column_step = across ? TALL * step : step,
                               .kind = 'f',
                               .size = sizeof *copy};
      }
      uint64_t records;
      MUST(sfm_rows_from_arrays(&rows, parts, count, NULL, error));
      memset(parts, 0xff, sizeof parts); /* the list is not borrowed */
      MUST(sfm_rows_count(rows, &records, error));
      assert_int_equal(records, TALL);
      assert_int_equal(sfm_rows_column_count(rows), WIDE);
      reading b = read_printed(rows, prints[1]);
      assert_same(&a, &b);
      assert_memory_equal(prints[0], prints[1], SFMI_DIGEST_BYTES);
      reading_clear(&b);
    }
  reading_clear(&a);
  const sfm_array one = {.first = copy, .rows = 2, .columns = 1, .kind = 'f', .size = 8};
  sfm_array bad[2] = {one, one};
  REFUSES(SFM_INVALID, sfm_rows_from_arrays(&rows, bad, 0, NULL, error), "side by side");
  bad[1].rows = 3;
  REFUSES(SFM_INVALID, sfm_rows_from_arrays(&rows, bad, 2, NULL, error), "equally many");
  bad[1] = one;
  bad[1].size = 4;
  REFUSES(SFM_INVALID, sfm_rows_from_arrays(&rows, bad, 2, NULL, error), "another type");
  bad[0].columns = 700000;
  bad[1] = bad[0];
  REFUSES(SFM_INVALID, sfm_rows_from_arrays(&rows, bad, 2, NULL, error), "1000000");
  bad[0].rows = bad[1].rows = PTRDIFF_MAX / 8 / 500000;
  bad[0].columns = bad[1].columns = 500000;
  REFUSES(SFM_INVALID, sfm_rows_from_arrays(&rows, bad, 2, NULL, error), "memory");
  const char *const names[] = {"a", NULL};
  bad[0] = bad[1] = one;
  REFUSES(SFM_INVALID, sfm_rows_from_arrays(&rows, bad, 2, names, error), "no name");
  assert_null(rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types),    cmocka_unit_test(test_odd_values),
      cmocka_unit_test(test_refusals), cmocka_unit_test(test_fortran),
      cmocka_unit_test(test_strided),  cmocka_unit_test(test_side_by_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
