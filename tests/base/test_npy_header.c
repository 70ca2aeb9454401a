/* test_npy_header.c - NPY headers become shapes, elements of every type and order become numbers.
 */
#include "test_support.h"

#include "base/text/npy_header.h"

/* A file of version 1 with this dictionary. */
static size_t make(unsigned char *bytes, const char *dictionary) {
  const size_t length = strlen(dictionary);
  memcpy(bytes, "\x93NUMPY\x01\x00", 8);
  bytes[8] = (unsigned char)length;
  bytes[9] = 0;
  memcpy(bytes + 10, dictionary, length);
  return 10 + length;
}

static void elements_of_every_type(void **state) {
  (void)state;
  static const struct {
    const char *type;
    unsigned char bytes[8];
    double value;
  } cases[] = {
      {"<f8", {0, 0, 0, 0, 0, 0, 0xf8, 0xbf}, -1.5},
      {">f8", {0xbf, 0xf8}, -1.5},
      {"<f4", {0, 0, 0xc0, 0xbf}, -1.5},
      {">f4", {0xbf, 0xc0}, -1.5},
      {"|i1", {0xfe}, -2},
      {"|u1", {0xfe}, 254},
      {"<i2", {0xfe, 0xff}, -2},
      {">i2", {0xff, 0xfe}, -2},
      {"<u2", {0xfe, 0xff}, 65534},
      {">u4", {0, 0, 1, 0}, 256},
      {"<i4", {0xfe, 0xff, 0xff, 0xff}, -2},
      {">i8", {0, 0, 0, 0, 0, 0, 1, 0}, 256},
      {"<u8", {0, 0, 0, 0, 0, 0, 0, 0x80}, 0x1p63},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unsigned char bytes[256];
    char dictionary[100];
    sfm_npy npy;
    sfm_error error;
    double number;
    snprintf(dictionary, sizeof dictionary,
             "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }", cases[i].type);
    const size_t size = make(bytes, dictionary);
    assert_int_equal(sfm_npy_parse(&npy, bytes, size, "a", &error), SFM_OK);
    assert_int_equal(npy.data_offset, size);
    sfm_npy_numbers(&number, &npy, cases[i].bytes);
    if (number != cases[i].value) fail_msg("%s: %g", cases[i].type, number);
  }
}

static void rows_are_rows_in_both_orders(void **state) {
  (void)state;
  static const double row_by_row[] = {1, 2, 3, 4, 5, 6}, by_column[] = {1, 4, 2, 5, 3, 6};
  unsigned char bytes[256];
  double numbers[6];
  sfm_npy npy;
  sfm_error error;
  size_t size = make(bytes, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }");
  assert_int_equal(sfm_npy_parse(&npy, bytes, size, "a", &error), SFM_OK);
  assert_true(npy.axes == 2 && npy.lengths[0] == 2 && npy.lengths[1] == 3);
  sfm_npy_numbers(numbers, &npy, row_by_row);
  assert_memory_equal(numbers, row_by_row, sizeof numbers);
  size = make(bytes, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }");
  assert_int_equal(sfm_npy_parse(&npy, bytes, size, "a", &error), SFM_OK);
  sfm_npy_numbers(numbers, &npy, by_column);
  assert_memory_equal(numbers, row_by_row, sizeof numbers);
  /* No columns, and as many rows as can be written: nothing is converted. */
  size =
      make(bytes, "{'descr': '<f8', 'fortran_order': False, 'shape': (900000000000000000, 0), }");
  assert_int_equal(sfm_npy_parse(&npy, bytes, size, "a", &error), SFM_OK);
  sfm_npy_numbers(numbers, &npy, NULL);
}

static void wrong_headers_are_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "",
      "[]",
      "{'descr': '<f8', 'fortran_order': False}",
      "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (900000000000000000, 9), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'other': 1}",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    unsigned char bytes[256];
    sfm_npy npy;
    sfm_error error;
    const size_t size = make(bytes, wrong[i]);
    if (sfm_npy_parse(&npy, bytes, size, "a", &error) != SFM_FORMAT) fail_msg("%s", wrong[i]);
    for (size_t cut = 0; cut < size; cut++)
      assert_int_equal(sfm_npy_parse(&npy, bytes, cut, "a", &error), SFM_FORMAT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_of_every_type),
      cmocka_unit_test(rows_are_rows_in_both_orders),
      cmocka_unit_test(wrong_headers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
