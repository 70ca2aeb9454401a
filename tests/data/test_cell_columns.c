/* test_cell_columns.c - cells are read as they stand: numbers, places among stated categories,
 * texts; each of them by what its own cell holds, whatever the source, the block or the record
 * beside it. */
#include "read_rows.h"

#include <math.h>
#include <zlib.h>

#include "data/rows/cell_columns.h"
#include "data/schema/category.h"
#include "row_keys_fixture.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const SEX[] = {"F", "M"};
static const char *const TOWN[] = {"Ulm",      "a,b",    "\"q\"", "K\xc3\xb6ln am Rhein",
                                   "12345678", "1234567"};
static const char *const WARD[] = {"3", "1", "20"};

static sfm_schema *stated(void) {
  sfm_schema *schema;
  static const char json[] =
      "{\"fields\": [{\"name\": \"n\", \"type\": \"integer\"},"
      "{\"name\": \"ward\", \"type\": \"integer\", \"constraints\": {\"enum\": [3, 1, 20]}},"
      "{\"name\": \"flag\", \"type\": \"boolean\"},"
      "{\"name\": \"word\", \"type\": \"string\"},"
      "{\"name\": \"age\", \"type\": \"number\", \"constraints\": {\"minimum\": 0, \"maximum\": "
      "9}}]}";
  MUST(sfm_schema_parse(&schema, json, strlen(json), "s.json", error));
  MUST(sfm_schema_set_categories(schema, "sex", SEX, 2, error));
  MUST(sfm_schema_set_categories(schema, "town", TOWN, COUNT(TOWN), error));
  return schema;
}

static sfm_rows *open_text(const char *text, size_t block) {
  sfm_rows *rows;
  MUST(sfmi_rows_open_memory(&rows, text, strlen(text), block, error));
  return rows;
}

/* A line, and what its column must give. */
typedef struct number_case {
  const char *cell;
  double value;
} number_case;

typedef struct word_case {
  const char *cell;
  uint32_t code; /* among TOWN */
  const char *text;
} word_case;

/* Reads one column of the file; batch after batch into whatever is wanted. */
typedef struct taken {
  size_t rows;
  double values[64];
  uint32_t codes[64];
  char texts[64][40];
  uint8_t keep[64];
} taken;

static taken take(sfm_rows *rows, const sfm_schema *schema, const sfmi_cell_column *columns,
                  size_t count) {
  taken t = {0};
  const sfmi_batch *batch;
  MUST(sfmi_rows_begin_cells(rows, schema, columns, count, error));
  for (;;) {
    MUST(sfmi_rows_next(rows, &batch, error));
    if (!batch) return t;
    for (size_t r = 0; r < batch->rows; r++, t.rows++) {
      assert_true(t.rows < 64);
      t.keep[t.rows] = batch->keep[r];
      if (batch->columns) t.values[t.rows] = batch->values[r];
      if (batch->codes) t.codes[t.rows] = batch->codes[r];
      if (!batch->texts) continue;
      assert_true(batch->texts[r].length < 40);
      memcpy(t.texts[t.rows], batch->texts[r].text, batch->texts[r].length);
    }
  }
}

static const number_case numbers[] = {
    {"1", 1},      {"-2.5", -2.5},   {" 3 ", 3},
    {"\"4\"", 4},  {"1e2", 100},     {"1000", 1000},
    {"-0", 0},     {"1e999", NAN},   {"inf", NAN},
    {"nan", NAN},  {"", NAN},        {"x", NAN},
    {"1x", NAN},   {"\"5", NAN},     {"\"5\"6", NAN},
    {"0x10", NAN}, {"+7", 7},        {".5", 0.5},
    {"1,5", 1},    {"\"1,5\"", NAN}, {"0.1234567891234567", 0.1234567891234567},
};

/* Values are not clamped, not dropped; what is no number is NaN. */
static void test_numbers(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  char text[2048] = "age\n";
  for (size_t i = 0; i < COUNT(numbers); i++) {
    strcat(text, numbers[i].cell);
    strcat(text, i % 3 ? "\n" : "\r\n");
  }
  const sfmi_cell_column ways[2][2] = {
      {{"age", SFMI_USE_NUMBER, NULL, 0}},
      {{"age", SFMI_USE_NUMBER, NULL, 0}, {"age", SFMI_USE_TEXT, NULL, 0}}};
  for (size_t block = 1; block < 4000; block = 3 * block + 1) {
    for (size_t way = 0; way < 2; way++) {
      sfm_rows *rows = open_text(text, block);
      const taken t = take(rows, schema, ways[way], way + 1);
      assert_int_equal(t.rows, COUNT(numbers));
      for (size_t i = 0; i < t.rows; i++) {
        const double wanted = numbers[i].value;
        assert_true(t.keep[i]);
        if (isnan(wanted) ? !isnan(t.values[i]) : t.values[i] != wanted)
          fail_msg("'%s': %g", numbers[i].cell, t.values[i]);
      }
      sfm_rows_destroy(rows);
    }
  }
  sfm_schema_destroy(schema);
}

/* A fraction in an integer column and a code that is not in the enum are no numbers of theirs. */
static void test_admitted(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  sfm_rows *rows = open_text("n,ward\n1,3\n1.5,4\n2.0,20.0\nx,\n", 0);
  const sfmi_cell_column n = {"n", SFMI_USE_NUMBER, NULL, 0};
  const sfmi_cell_column ward = {"ward", SFMI_USE_NUMBER, NULL, 0};
  taken t = take(rows, schema, &n, 1);
  assert_true(t.values[0] == 1 && isnan(t.values[1]) && t.values[2] == 2 && isnan(t.values[3]));
  t = take(rows, schema, &ward, 1);
  assert_true(t.values[0] == 3 && isnan(t.values[1]) && t.values[2] == 20 && isnan(t.values[3]));
  assert_true(t.keep[0] && t.keep[1] && t.keep[2] && t.keep[3]);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

#define NONE SFMI_NO_CATEGORY
static const word_case spellings[] = {
    {"Ulm", 0, "Ulm"},
    {" Ulm\t", 0, "Ulm"},
    {"\"Ulm\"", 0, "Ulm"},
    {"\" Ulm \"", 0, "Ulm"},
    {"ulm", NONE, "ulm"},
    {"Ul", NONE, "Ul"},
    {"Ulmm", NONE, "Ulmm"},
    {"\"a,b\"", 1, "a,b"},
    {"a,b", NONE, "a"},
    {"\"\"\"q\"\"\"", 2, "\"q\""},
    {"\"q\"", NONE, "q"}, /* the quotes of the cell are none of the category */
    {"K\xc3\xb6ln am Rhein", 3, "K\xc3\xb6ln am Rhein"},
    {"12345678", 4, "12345678"},
    {"1234567", 5, "1234567"},
    {"123456789", NONE, "123456789"},
    {"", NONE, ""},
    {"  ", NONE, ""},
    {"\"\"", NONE, ""},
    {"\"Ulm", NONE, ""},
    {"\"Ulm\"x", NONE, ""},
    {"Ulm\rx", NONE, "Ulm\rx"},
};

static void test_categories_and_texts(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  static const sfmi_cell_column columns[] = {{"town", SFMI_USE_CATEGORY, NULL, 0},
                                             {"town", SFMI_USE_TEXT, NULL, 0}};
  static const sfmi_cell_column own = {"town", SFMI_USE_CATEGORY, TOWN, COUNT(TOWN)};
  for (int front = 0; front < 2; front++) { /* as the first column, or the last of two */
    char text[2048] = "";
    strcat(text, front ? "x,town\n" : "town\n");
    for (size_t i = 0; i < COUNT(spellings); i++) {
      if (front) strcat(text, "1,");
      strcat(text, spellings[i].cell);
      strcat(text, i % 2 ? "\r\n" : "\n");
    }
    for (size_t block = 1; block < 4000; block = 3 * block + 1) {
      sfm_rows *rows = open_text(text, block);
      const taken alone = take(rows, schema, columns, 1), same = take(rows, schema, &own, 1);
      const taken both = take(rows, schema, columns, 2);
      assert_int_equal(both.rows, COUNT(spellings));
      for (size_t i = 0; i < both.rows; i++) {
        if (alone.codes[i] != spellings[i].code || both.codes[i] != spellings[i].code ||
            same.codes[i] != spellings[i].code || strcmp(both.texts[i], spellings[i].text) != 0)
          fail_msg("'%s': codes %u %u %u, text '%s'", spellings[i].cell, alone.codes[i],
                   both.codes[i], same.codes[i], both.texts[i]);
      }
      sfm_rows_destroy(rows);
    }
  }
  sfm_schema_destroy(schema);
}

/* In number columns, booleans and rows that are numbers. */
static void test_codes_by_value(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  sfm_rows *rows = open_text("ward,flag\n3,true\n1.0,0\n020,FALSE\n2,yes\n,\n1e0,1\n3.5,t\n", 0);
  static const sfmi_cell_column ward = {"ward", SFMI_USE_CATEGORY, NULL, 0};
  static const sfmi_cell_column own = {"ward", SFMI_USE_CATEGORY, WARD, 3};
  static const sfmi_cell_column flag = {"flag", SFMI_USE_CATEGORY, NULL, 0};
  static const uint32_t wards[] = {0, 1, 2, NONE, NONE, 1, NONE};
  static const uint32_t flags[] = {1, 0, 0, NONE, NONE, 1, NONE};
  const taken a = take(rows, schema, &ward, 1), b = take(rows, schema, &own, 1);
  const taken c = take(rows, schema, &flag, 1);
  for (size_t i = 0; i < 7; i++) {
    assert_int_equal(a.codes[i], wards[i]);
    assert_int_equal(b.codes[i], wards[i]);
    assert_int_equal(c.codes[i], flags[i]);
  }
  sfm_rows_destroy(rows);
  static const double array[] = {3, 1, 20, 2, NAN, 1.0000001, -3};
  static const char *const name[] = {"ward"};
  static const sfmi_cell_column text = {"ward", SFMI_USE_TEXT, NULL, 0};
  MUST(sfm_rows_from_array(&rows, array, 7, 1, name, error));
  const taken d = take(rows, schema, &ward, 1), e = take(rows, schema, &text, 1);
  static const uint32_t codes[] = {0, 1, 2, NONE, NONE, NONE, NONE};
  static const char *const texts[] = {"3", "1", "20", "2", "", "1.0000001", "-3"};
  for (size_t i = 0; i < 7; i++) {
    assert_int_equal(d.codes[i], codes[i]);
    assert_string_equal(e.texts[i], texts[i]);
  }
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

/* Every double's text reads back as it. */
static void test_texts_of_numbers(void **state) {
  (void)state;
  sfm_schema *schema;
  MUST(sfm_schema_create(&schema, error));
  double array[60];
  uint64_t seed = 99;
  static const double some[] = {0.1, -0.0, 1e300, 5e-324, 0x1p53, 0x1p63, 1.0 / 3, -2.5e-7};
  for (size_t i = 0; i < 60; i++) {
    uint64_t bits = pick(&seed);
    memcpy(&array[i], &bits, sizeof bits);
    if (i < COUNT(some)) array[i] = some[i];
    if (!isfinite(array[i])) array[i] = 7;
  }
  sfm_rows *rows;
  static const sfmi_cell_column text = {"0", SFMI_USE_TEXT, NULL, 0};
  MUST(sfm_rows_from_array(&rows, array, 60, 1, NULL, error));
  const taken t = take(rows, schema, &text, 1);
  for (size_t i = 0; i < 60; i++) assert_true(strtod(t.texts[i], NULL) == array[i]);
  assert_string_equal(t.texts[0], "0.1");
  assert_string_equal(t.texts[1], "0");
  assert_string_equal(t.texts[7], "-2.5e-07");
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

/* Persons beyond their limit and records without an id are not kept; their cells decide nothing. */
static void test_persons(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  MUST(sfm_schema_set_person(schema, "id", error));
  MUST(sfm_schema_set_contributions(schema, 2, error));
  static const char text[] = "sex,id\nF,a\nx,a\nF,a\nM,b\nM\nM,\nM,\"b\"\nF,b\n";
  static const uint32_t codes[] = {0, NONE, 0, 1, 1, 1, 1, 0};
  static const sfmi_cell_column columns[] = {{"sex", SFMI_USE_CATEGORY, NULL, 0},
                                             {"id", SFMI_USE_TEXT, NULL, 0}};
  for (size_t block = 1; block < 200; block = 3 * block + 1) {
    sfm_rows *rows = open_text(text, block);
    for (size_t count = 1; count <= 2; count++) {
      const taken t = take(rows, schema, columns, count);
      assert_int_equal(t.rows, 8);
      for (size_t i = 0; i < 8; i++) assert_int_equal(t.codes[i], codes[i]);
      assert_int_equal(t.keep[0] + t.keep[1] + t.keep[2], 2);
      assert_int_equal(t.keep[3] + t.keep[6] + t.keep[7], 2);
      assert_true(!t.keep[4] && !t.keep[5]);
      if (count == 2) assert_string_equal(t.texts[6], "b");
    }
    sfm_rows_destroy(rows);
  }
  sfm_schema_destroy(schema);
}

/* No column at all: lines, the blank ones too; a line too long is not kept. */
static void test_no_columns(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  sfm_rows *rows = open_text("a\n1\n\n3\n", 0);
  const taken t = take(rows, schema, NULL, 0);
  assert_int_equal(t.rows, 3);
  assert_true(t.keep[0] && t.keep[1] && t.keep[2]);
  sfm_rows_destroy(rows);
  const size_t length = ((size_t)1 << 20) + 100;
  char *wide = malloc(length + 10);
  memset(wide, 'F', length);
  memcpy(wide, "sex\nF\n", 6);
  memcpy(wide + length, "\nM\n", 4);
  rows = open_text(wide, 0);
  static const sfmi_cell_column sex = {"sex", SFMI_USE_CATEGORY, NULL, 0};
  for (size_t count = 0; count < 2; count++) {
    const taken u = take(rows, schema, &sex, count);
    assert_int_equal(u.rows, 3);
    assert_true(u.keep[0] && !u.keep[1] && u.keep[2]);
    if (count) assert_int_equal(u.codes[2], 1);
  }
  sfm_rows_destroy(rows);
  free(wide);
  sfm_schema_destroy(schema);
}

/* The fingerprint is that of any other reading, and gzip makes no difference. */
static void test_fingerprint(void **state) {
  (void)state;
  static const char text[] = "sex,age\nF,1\nM,2\n\"F\"\"\",x\n";
  static const sfmi_cell_column columns[] = {{"sex", SFMI_USE_TEXT, NULL, 0},
                                             {"age", SFMI_USE_NUMBER, NULL, 0}};
  static const char *const age[] = {"age"};
  sfm_schema *schema = stated();
  unsigned char packed[200];
  z_stream z = {.next_in = (Bytef *)(uintptr_t)text,
                .avail_in = (uInt)strlen(text),
                .next_out = packed,
                .avail_out = sizeof packed};
  assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  deflateEnd(&z);
  uint8_t prints[3][SFMI_DIGEST_BYTES], key[SFMI_DIGEST_BYTES] = {7};
  for (int i = 0; i < 3; i++) {
    sfm_rows *rows;
    if (i == 1)
      MUST(sfmi_rows_open_memory(&rows, packed, z.total_out, 0, error));
    else
      rows = open_text(text, i ? 5 : 0);
    set_keys(rows, key, false);
    if (i == 2) {
      const sfmi_selection selection = {schema, age, 1, SFM_OUTSIDE_CLAMP};
      reading r = read_all(rows, &selection);
      reading_clear(&r);
    } else {
      const taken t = take(rows, schema, columns, 2);
      assert_int_equal(t.rows, 3);
      assert_string_equal(t.texts[2], "F\"");
    }
    sfmi_rows_fingerprint(rows, prints[i]);
    sfm_rows_destroy(rows);
  }
  assert_memory_equal(prints[0], prints[1], SFMI_DIGEST_BYTES);
  assert_memory_equal(prints[0], prints[2], SFMI_DIGEST_BYTES);
  sfm_schema_destroy(schema);
}

static void test_refusals(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  sfm_rows *rows = open_text("sex,age,word,flag\n", 0);
  const sfmi_cell_column twice[] = {{"age", SFMI_USE_NUMBER, NULL, 0},
                                    {"age", SFMI_USE_NUMBER, NULL, 0}};
  const sfmi_cell_column gone = {"gone", SFMI_USE_TEXT, NULL, 0};
  const sfmi_cell_column as_number = {"word", SFMI_USE_NUMBER, NULL, 0};
  const sfmi_cell_column none = {"word", SFMI_USE_CATEGORY, NULL, 0};
  static const char *const blank[] = {"a", " b"};
  const sfmi_cell_column unfit = {"word", SFMI_USE_CATEGORY, blank, 2};
  static sfmi_cell_column many[SFMI_CELL_COLUMNS_MAX + 1];
  for (size_t i = 0; i < COUNT(many); i++) many[i] = twice[0];
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, twice, 2, error), "'age'", "twice");
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, &gone, 1, error), "no column 'gone'",
          "sex, age");
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, &as_number, 1, error), "string");
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, &none, 1, error), "schema.categories",
          "public");
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, &unfit, 1, error), "category 2",
          "blanks");
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, many, COUNT(many), error), "65537",
          "65536");
  sfm_rows_destroy(rows);
  static const double array[] = {1};
  static const char *const names[] = {"sex"};
  const sfmi_cell_column sex = {"sex", SFMI_USE_CATEGORY, NULL, 0};
  MUST(sfm_rows_from_array(&rows, array, 1, 1, names, error));
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, &sex, 1, error), "numbers", "'F'");
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

/* Many rows, many columns, random cells: every cell against a lookup that is as plain as it gets,
 * and texts that stay good while the batch lives. */
static void test_against_plain_lookup(void **state) {
  (void)state;
  static const char *const pool[] = {"F", "M",  "\"F\"", " M", "x",
                                     "",  "Fx", "\"M",   "F ", "12345678"};
  static const uint32_t codes[] = {0, 1, 0, 1, NONE, NONE, NONE, NONE, 0, NONE};
  static const char *const texts[] = {"F", "M", "F", "M", "x", "", "Fx", "", "F", "12345678"};
  enum { ROWS = 20000 };
  static uint8_t picked[ROWS][2];
  static const sfmi_cell_column columns[] = {{"b", SFMI_USE_TEXT, NULL, 0},
                                             {"a", SFMI_USE_CATEGORY, SEX, 2},
                                             {"b", SFMI_USE_CATEGORY, SEX, 2},
                                             {"c", SFMI_USE_NUMBER, NULL, 0}};
  sfm_schema *schema = stated();
  char *text = malloc(64 * ROWS), *at = text;
  uint64_t seed = 5;
  at += sprintf(at, "a,x,b,c\n");
  for (size_t i = 0; i < ROWS; i++) {
    for (int k = 0; k < 2; k++) {
      picked[i][k] = (uint8_t)(pick(&seed) % COUNT(pool));
      /* A quote that does not close takes the rest of the line. */
      if (k == 0 && picked[i][0] == 7) picked[i][0] = 6;
    }
    at += sprintf(at, "%s,,%s,%zu\n", pool[picked[i][0]], pool[picked[i][1]], i);
  }
  for (int pass = 0; pass < 2; pass++) {
    sfm_rows *rows = open_text(text, pass ? 777 : 0);
    const sfmi_batch *batch;
    size_t row = 0;
    MUST(sfmi_rows_begin_cells(rows, schema, columns + pass, COUNT(columns) - (size_t)pass, error));
    for (;;) {
      MUST(sfmi_rows_next(rows, &batch, error));
      if (!batch) break;
      for (size_t r = 0; r < batch->rows; r++, row++) {
        const uint8_t *is = picked[row];
        assert_int_equal(batch->codes[r], codes[is[0]]);
        assert_int_equal(batch->codes[SFMI_BATCH_ROWS + r], codes[is[1]]);
        assert_true(is[1] == 7 ? isnan(batch->values[r]) : batch->values[r] == (double)row);
        if (pass) continue;
        assert_int_equal(batch->texts[r].length, strlen(texts[is[1]]));
        assert_memory_equal(batch->texts[r].text, texts[is[1]], batch->texts[r].length);
      }
    }
    assert_int_equal(row, ROWS);
    sfm_rows_destroy(rows);
  }
  free(text);
  sfm_schema_destroy(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_admitted),
      cmocka_unit_test(test_categories_and_texts),
      cmocka_unit_test(test_codes_by_value),
      cmocka_unit_test(test_texts_of_numbers),
      cmocka_unit_test(test_persons),
      cmocka_unit_test(test_no_columns),
      cmocka_unit_test(test_fingerprint),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_against_plain_lookup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
