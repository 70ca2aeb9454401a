/* test_curve_rows.c - curves, one per record: missing values stay missing, columns are taken by
 * name or place, and every record says whose it is. */
#include "read_rows.h"

#include <math.h>

enum { MOST = 64 };

typedef struct curves {
  size_t rows;
  double values[MOST][4];
  uint8_t keep[MOST];
  uint32_t person[MOST];
  bool persons;
} curves;

static sfm_schema *schema_of(const char *person, uint32_t contributions) {
  sfm_schema *schema;
  MUST(sfm_schema_create(&schema, error));
  if (person) MUST(sfm_schema_set_person(schema, person, error));
  MUST(sfm_schema_set_contributions(schema, contributions, error));
  return schema;
}

/* Everything but the schema of a selection. */
static curves read_curves(sfm_rows *rows, const char *person, const char *const *columns,
                          size_t first, size_t count) {
  curves c = {0};
  sfm_schema *schema = schema_of(person, 1);
  const sfmi_curve_selection selection = {schema, columns, first, count};
  const sfmi_batch *batch;
  MUST(sfmi_rows_begin_curves(rows, &selection, error));
  for (;;) {
    MUST(sfmi_rows_next(rows, &batch, error));
    if (!batch) break;
    assert_int_equal(batch->columns, count);
    for (size_t r = 0; r < batch->rows; r++, c.rows++) {
      assert_true(c.rows < MOST);
      c.keep[c.rows] = batch->keep[r];
      c.persons = batch->person != NULL;
      if (batch->person && batch->keep[r]) c.person[c.rows] = batch->person[r];
      for (size_t i = 0; i < count; i++)
        c.values[c.rows][i] = batch->values[i * SFMI_BATCH_ROWS + r];
    }
  }
  sfm_schema_destroy(schema);
  return c;
}

static curves read_text(const char *text, const char *person, const char *const *columns,
                        size_t first, size_t count) {
  sfm_rows *rows;
  MUST(sfmi_rows_open_memory(&rows, text, strlen(text), 0, error));
  curves c = read_curves(rows, person, columns, first, count);
  sfm_rows_destroy(rows);
  return c;
}

static void expect(const curves *c, size_t r, double a, double b, double d) {
  const double wanted[] = {a, b, d};
  assert_true(c->keep[r]);
  for (size_t i = 0; i < 3; i++)
    if (c->values[r][i] != wanted[i] && !(isnan(c->values[r][i]) && isnan(wanted[i])))
      fail_msg("row %zu, value %zu: %g, not %g", r, i, c->values[r][i], wanted[i]);
}

static void what_is_not_a_finite_number_is_a_hole(void **state) {
  (void)state;
  curves c = read_text("id,x,y,z\n"
                       "1,1,2,3\n"
                       "2,,2,3\n"
                       "3,1,NA,3\n"
                       "4,1e999,-inf,nan\n"
                       "5,1e308,-5e-324,-0\n"
                       "6,1\n"
                       "\n"
                       "7,\"1\",\"2\",\"3\"\n"
                       "8,\"1,2,3\n"
                       "9,1,2,3,4,5\n",
                       NULL, NULL, 1, 3);
  assert_int_equal(c.rows, 10);
  assert_false(c.persons);
  expect(&c, 0, 1, 2, 3);
  expect(&c, 1, NAN, 2, 3);
  expect(&c, 2, 1, NAN, 3);
  expect(&c, 3, NAN, NAN, NAN);
  expect(&c, 4, 1e308, -5e-324, -0.0);
  expect(&c, 5, 1, NAN, NAN);
  expect(&c, 6, NAN, NAN, NAN);
  expect(&c, 7, 1, 2, 3);
  expect(&c, 8, NAN, NAN, NAN); /* a quote takes the rest of its line, and no more */
  expect(&c, 9, 1, 2, 3);
}

static void names_give_the_order(void **state) {
  (void)state;
  static const char *const names[] = {"z", "x", "y"};
  curves c = read_text("x,y,z\n1,2,3\n", NULL, names, 0, 3);
  expect(&c, 0, 3, 1, 2);
}

static void a_line_too_long_is_one_record_that_counts_as_nothing(void **state) {
  (void)state;
  const size_t size = ((size_t)1 << 20) + 100;
  char *text = malloc(size);
  memset(text, ' ', size);
  memcpy(text, "x,y,z\n1,2,3\n4,5,6", 17);
  memcpy(text + size - 7, "\n7,8,9\n", 7);
  sfm_rows *rows;
  MUST(sfmi_rows_open_memory(&rows, text, size, 0, error));
  curves c = read_curves(rows, NULL, NULL, 0, 3);
  assert_int_equal(c.rows, 3);
  expect(&c, 0, 1, 2, 3);
  assert_false(c.keep[1]);
  expect(&c, 2, 7, 8, 9);
  sfm_rows_destroy(rows);
  free(text);
}

/* All records of a person are kept, whatever the schema's contributions: they are for whoever adds
 * them up.  Without an id a record is nobody's. */
static void every_record_says_whose_it_is(void **state) {
  (void)state;
  curves c = read_text("id,x,y\nanna,1,2\nben,3,4\nanna,5,6\n,7,8\n\"anna\",9,10\n"
                       "\"be\"n,11,12\nanna ,13,14\nben,,\n",
                       "id", NULL, 1, 2);
  static const int person[] = {0, 1, 0, -1, 0, -1, 0, 1};
  assert_int_equal(c.rows, 8);
  assert_true(c.persons);
  for (size_t r = 0; r < 8; r++) {
    assert_int_equal(c.keep[r], person[r] >= 0);
    if (person[r] >= 0) assert_int_equal(c.person[r], person[r]);
  }
}

static void persons_are_numbered_beyond_one_table(void **state) {
  (void)state;
  enum { PERSONS = 5000 };
  char *text = malloc(PERSONS * 2 * 16), *at = text;
  at += sprintf(at, "id,x,y\n");
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < PERSONS; i++) at += sprintf(at, "p%d,1,2\n", round ? PERSONS - 1 - i : i);
  sfm_rows *rows;
  sfm_schema *schema = schema_of("id", 1);
  const sfmi_curve_selection selection = {schema, NULL, 1, 2};
  const sfmi_batch *batch;
  MUST(sfmi_rows_open_memory(&rows, text, (size_t)(at - text), 0, error));
  MUST(sfmi_rows_begin_curves(rows, &selection, error));
  size_t done = 0;
  for (;;) {
    MUST(sfmi_rows_next(rows, &batch, error));
    if (!batch) break;
    for (size_t r = 0; r < batch->rows; r++, done++)
      assert_int_equal(batch->person[r], done < PERSONS ? done : 2 * PERSONS - 1 - done);
  }
  assert_int_equal(done, 2 * PERSONS);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  free(text);
}

static void arrays_are_read_alike(void **state) {
  (void)state;
  static const double array[] = {7, 1, NAN, 3, 8,   INFINITY, 5, 6, -0.0, 1, 2, 3,
                                 0, 4, 5,   6, NAN, 1,        2, 3, 7,    9, 9, 9};
  static const char *const names[] = {"id", "x", "y", "z"};
  sfm_rows *rows;
  MUST(sfm_rows_from_array(&rows, array, 6, 4, names, error));
  curves c = read_curves(rows, "id", NULL, 1, 3);
  assert_int_equal(c.rows, 6);
  expect(&c, 0, 1, NAN, 3);
  expect(&c, 1, NAN, 5, 6);
  assert_int_equal(c.person[1], 1);
  assert_int_equal(c.person[2], 2);
  assert_int_equal(c.person[3], 2); /* 0 and -0 are one person */
  assert_false(c.keep[4]);          /* NaN is nobody */
  assert_int_equal(c.person[5], 0);
  sfm_rows_destroy(rows);
}

static void selections_are_refused_before_any_record(void **state) {
  (void)state;
  sfm_rows *rows;
  static const char text[] = "id,x,y,x\n1,2,3,4\n";
  static const char *const missing[] = {"y", "height"}, *const twice[] = {"y", "y"},
                           *const vague[] = {"y", "x"};
  sfm_schema *schema = schema_of("id", 1), *nobody = schema_of("name", 1);
  MUST(sfmi_rows_open_memory(&rows, text, strlen(text), 0, error));
  sfmi_curve_selection s = {schema, NULL, 2, 3};
  REFUSES(SFM_INVALID, sfmi_rows_begin_curves(rows, &s, error), "4 columns", "3 to 5");
  s = (sfmi_curve_selection){schema, NULL, SIZE_MAX, 2};
  REFUSES(SFM_INVALID, sfmi_rows_begin_curves(rows, &s, error), "4 columns");
  s = (sfmi_curve_selection){schema, NULL, 0, 0};
  REFUSES(SFM_INVALID, sfmi_rows_begin_curves(rows, &s, error), "no column");
  s = (sfmi_curve_selection){schema, NULL, 0, 2};
  REFUSES(SFM_INVALID, sfmi_rows_begin_curves(rows, &s, error), "'id'", "person column");
  s = (sfmi_curve_selection){schema, missing, 0, 2};
  REFUSES(SFM_INVALID, sfmi_rows_begin_curves(rows, &s, error), "'height'", "id, x, y");
  s = (sfmi_curve_selection){schema, twice, 0, 2};
  REFUSES(SFM_INVALID, sfmi_rows_begin_curves(rows, &s, error), "'y'", "twice");
  s = (sfmi_curve_selection){schema, vague, 0, 2};
  REFUSES(SFM_INVALID, sfmi_rows_begin_curves(rows, &s, error), "2 columns named 'x'");
  s = (sfmi_curve_selection){nobody, NULL, 1, 2};
  REFUSES(SFM_INVALID, sfmi_rows_begin_curves(rows, &s, error), "'name'");
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  sfm_schema_destroy(nobody);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_not_a_finite_number_is_a_hole),
      cmocka_unit_test(names_give_the_order),
      cmocka_unit_test(a_line_too_long_is_one_record_that_counts_as_nothing),
      cmocka_unit_test(every_record_says_whose_it_is),
      cmocka_unit_test(persons_are_numbered_beyond_one_table),
      cmocka_unit_test(arrays_are_read_alike),
      cmocka_unit_test(selections_are_refused_before_any_record),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
