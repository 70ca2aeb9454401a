/* test_category.c - categories are stated, never read from the rows; a row's group is decided by
 * its own cells. */
#include "read_rows.h"

#include <math.h>

#include "data/format/csv_cell.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const X[] = {"x"};
static const char *const SEX[] = {"F", "M"};
static const char *const REGION[] = {"north",
                                     ("s\xc3\xbc"
                                      "d, \"old\""),
                                     "west"};
static const char *const BY[] = {"sex", "region"};

/* x in 0:10, sex and region with their categories. */
static sfm_schema *stated(void) {
  sfm_schema *schema = bounded(X, 1, 0, 10);
  MUST(sfm_schema_set_categories(schema, "sex", SEX, 2, error));
  MUST(sfm_schema_set_categories(schema, "region", REGION, 3, error));
  return schema;
}

typedef struct grouped {
  size_t rows;
  uint8_t keep[64];
  uint32_t group[64];
} grouped;

static grouped read_groups(sfm_rows *rows, const sfm_schema *schema, const char *const *by,
                           size_t by_count) {
  const sfmi_selection selection = {schema, X, 1, SFM_OUTSIDE_CLAMP};
  grouped g = {0};
  const sfmi_batch *batch;
  MUST(sfmi_rows_begin_by(rows, &selection, by, by_count, error));
  for (;;) {
    MUST(sfmi_rows_next(rows, &batch, error));
    if (!batch) return g;
    assert_true(g.rows + batch->rows <= 64);
    memcpy(g.keep + g.rows, batch->keep, batch->rows);
    memcpy(g.group + g.rows, batch->group, batch->rows * sizeof *batch->group);
    g.rows += batch->rows;
  }
}

static grouped read_csv(const char *text, const sfm_schema *schema, const char *const *by,
                        size_t by_count, size_t block) {
  sfm_rows *rows;
  MUST(sfmi_rows_open_memory(&rows, text, strlen(text), block, error));
  grouped g = read_groups(rows, schema, by, by_count);
  sfm_rows_destroy(rows);
  return g;
}

/* The lines, and what each must give: the group, or -1. */
typedef struct line {
  const char *text;
  int group;
} line;

static const line lines[] = {
    {"F,1,north", 0},
    {"M,1,north", 3},
    {"F,1,\"s\xc3\xbc"
     "d, \"\"old\"\"\"",
     1},
    {"M,2,west", 5},
    {" M ,2,\t west ", 5}, /* blanks around do not matter, as around numbers */
    {"\" M\",2,\"west\"", 5},
    {"m,1,north", -1}, /* letters do */
    {"X,1,north", -1}, /* undeclared */
    {",1,north", -1},  /* empty */
    {" ,1,north", -1},
    {"F,1", -1}, /* the line ends before it */
    {"F", -1},
    {"", -1},
    {"\"F,1,north", -1},    /* a quote that does not close */
    {"\"F\"x,1,north", -1}, /* text after it */
    {"F,1,nort", -1},
    {"F,1,northh", -1},
    {"F,nan,north", -1}, /* the number is none */
    {"NaN,1,north", -1},
    {"M,1,west,and,more", 5},
};

static void test_cell_columns(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  char text[2048] = "sex,x,region\n";
  for (size_t i = 0; i < COUNT(lines); i++) {
    strcat(text, lines[i].text);
    strcat(text, i % 2 ? "\r\n" : "\n");
  }
  for (size_t block = 1; block < 4000; block = 3 * block + 1) {
    grouped g = read_csv(text, schema, BY, 2, block);
    assert_int_equal(g.rows, COUNT(lines));
    for (size_t i = 0; i < g.rows; i++) {
      if (g.keep[i] != (lines[i].group >= 0) || (g.keep[i] && (int)g.group[i] != lines[i].group))
        fail_msg("'%s': keep %d, group %u", lines[i].text, g.keep[i], g.group[i]);
      assert_true(g.group[i] < 6);
    }
  }
  sfm_schema_destroy(schema);
}

/* What a row gives does not hang on the rows beside it: each line alone, and in any place. */
static void test_rows_alone(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  uint64_t seed = 12345;
  for (int round = 0; round < 200; round++) {
    char text[4096] = "sex,x,region\n";
    size_t which[20];
    for (size_t i = 0; i < 20; i++) {
      which[i] = pick(&seed) % COUNT(lines);
      strcat(text, lines[which[i]].text);
      strcat(text, "\n");
    }
    grouped g = read_csv(text, schema, BY, 2, 64);
    for (size_t i = 0; i < 20; i++) {
      assert_int_equal(g.keep[i], lines[which[i]].group >= 0);
      if (g.keep[i]) assert_int_equal(g.group[i], lines[which[i]].group);
    }
  }
  sfm_schema_destroy(schema);
}

/* Numbers in a column that the schema calls integer are looked up by value, else as texts. */
static void test_numbers(void **state) {
  (void)state;
  static const char schema_text[] =
      "{\"fields\": [{\"name\": \"x\", \"type\": \"number\", \"constraints\": {\"minimum\": 0, "
      "\"maximum\": 1}}, {\"name\": \"code\", \"type\": \"integer\", \"constraints\": {\"enum\": "
      "[10, 2]}}, {\"name\": \"yes\", \"type\": \"boolean\"}, {\"name\": \"text\"}]}";
  static const char *const ten[] = {"10", "2"};
  static const char *const by[] = {"code", "yes"}, *const texts[] = {"text"};
  sfm_schema *schema;
  MUST(sfm_schema_parse(&schema, schema_text, strlen(schema_text), "s.json", error));
  MUST(sfm_schema_set_categories(schema, "text", ten, 2, error));
  grouped g = read_csv("code,yes,x,text\n10,true,1,10\n2.0,FALSE,1,2.0\n1e1,0,1,1e1\n+2,1,1,02\n"
                       "3,1,1,3\n,1,1,\n10,yes,1,2\n10x,1,1,10\n",
                       schema, by, 2, 0);
  static const int wanted[] = {1, 2, 0, 3, -1, -1, -1, -1};
  assert_int_equal(g.rows, COUNT(wanted));
  for (size_t i = 0; i < g.rows; i++) {
    assert_int_equal(g.keep[i], wanted[i] >= 0);
    if (g.keep[i]) assert_int_equal(g.group[i], wanted[i]);
  }
  g = read_csv("code,yes,x,text\n10,true,1,10\n2.0,FALSE,1,2.0\n1e1,0,1,1e1\n+2,1,1,02\n"
               "3,1,1,2\n",
               schema, texts, 1, 0);
  static const int as_text[] = {0, -1, -1, -1, 1};
  for (size_t i = 0; i < COUNT(as_text); i++) {
    assert_int_equal(g.keep[i], as_text[i] >= 0);
    if (g.keep[i]) assert_int_equal(g.group[i], as_text[i]);
  }
  sfm_schema_destroy(schema);
}

/* A matrix of numbers: the category is a code. */
static void test_matrix(void **state) {
  (void)state;
  static const char *const names[] = {"x", "sex", "ward"}, *const by[] = {"sex", "ward"};
  static const char *const sex[] = {"1", "2"}, *const ward[] = {"0", "-3", "0.5"};
  static const double values[][3] = {
      {1, 1, 0},   {2, 2, -3},       {3, 2, 0.5}, {4, 1, -0.0},   {5, 3, 0},         {6, NAN, 0},
      {7, 1, NAN}, {8, 1, INFINITY}, {NAN, 1, 0}, {9, 1.0001, 0}, {9, 2, -3.0000001}};
  static const int wanted[] = {0, 4, 5, 0, -1, -1, -1, -1, -1, -1, -1};
  sfm_rows *rows;
  sfm_schema *schema = bounded(X, 1, 0, 10);
  MUST(sfm_schema_set_categories(schema, "sex", sex, 2, error));
  MUST(sfm_schema_set_categories(schema, "ward", ward, 3, error));
  MUST(sfm_rows_from_array(&rows, values[0], COUNT(values), 3, names, error));
  grouped g = read_groups(rows, schema, by, 2);
  assert_int_equal(g.rows, COUNT(wanted));
  for (size_t i = 0; i < g.rows; i++) {
    assert_int_equal(g.keep[i], wanted[i] >= 0);
    if (g.keep[i]) assert_int_equal(g.group[i], wanted[i]);
    assert_true(g.group[i] < 6);
  }
  sfm_schema_destroy(schema);
  schema = bounded(X, 1, 0, 10);
  MUST(sfm_schema_set_categories(schema, "sex", SEX, 2, error));
  const sfmi_selection selection = {schema, X, 1, SFM_OUTSIDE_CLAMP};
  REFUSES(SFM_INVALID, sfmi_rows_begin_by(rows, &selection, by, 1, error), "sex", "'F'", "number");
  sfm_schema_destroy(schema);
  sfm_rows_destroy(rows);
}

/* A person's records count towards the limit whatever their category says. */
static void test_persons(void **state) {
  (void)state;
  static const char text[] = "id,sex,x,region\na,F,1,north\na,X,1,north\na,M,1,west\nb,X,1,north\n"
                             "b,F,1,west\n,F,1,north\n";
  sfm_schema *schema = stated();
  MUST(sfm_schema_set_person(schema, "id", error));
  MUST(sfm_schema_set_contributions(schema, 2, error));
  bool seen[3] = {false};
  for (size_t i = 0; i < 100; i++) { /* each under a key of its own */
    grouped g = read_csv(text, schema, BY, 2, 0);
    const int kept =
        g.keep[0] + g.keep[2]; /* one of them, where the other was chosen in its place */
    assert_true(!g.keep[1] && !g.keep[3] && g.keep[4] && !g.keep[5] && kept > 0);
    seen[kept] = true;
    if (g.keep[0]) assert_int_equal(g.group[0], 0);
    assert_int_equal(g.group[4], 2);
  }
  assert_true(seen[1] && seen[2]); /* false with probability below 3^-99 + (2/3)^100 < 1e-17 */
  sfm_schema_destroy(schema);
}

/* Many categories, each found, and near misses not. */
static void test_many(void **state) {
  (void)state;
  enum { MANY = 20000 };
  char(*texts)[16] = calloc(MANY, sizeof *texts), **list = calloc(MANY, sizeof *list);
  sfm_schema *schema;
  sfmi_category *category;
  for (size_t i = 0; i < MANY; i++) {
    snprintf(texts[i], sizeof texts[i], "c%zu", 7 * i);
    list[i] = texts[i];
  }
  MUST(sfm_schema_create(&schema, error));
  MUST(sfm_schema_set_categories(schema, "c", (const char *const *)list, MANY, error));
  MUST(sfmi_category_create(&category, sfm_schema_find(schema, "c"), SFMI_CELL_FORM_TEXT, error));
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  for (size_t i = 0; i < 7 * MANY; i++) {
    char text[16];
    sfmi_cell cell = {text, (size_t)snprintf(text, sizeof text, "c%zu", i), SFMI_CELL_BARE};
    uint32_t wanted = i % 7 == 0 ? (uint32_t)(i / 7) : SFMI_NO_CATEGORY;
    assert_int_equal(sfmi_category_of_cell(category, &cell, c), wanted);
  }
  freelocale(c);
  sfmi_category_destroy(category);
  sfm_schema_destroy(schema);
  free(texts);
  free(list);
}

static void test_refusals(void **state) {
  (void)state;
  static const char *const
      empty[] = {"F", ""},
      *const blank[] = {" F", "M"}, *const twice[] = {"F", "M", "F"},
      *const latin[] = {"F", "s\xfc"
                             "d"},
      *const turned[] = {"M", "F"}, *const bent[] = {"a\nb"}, *const codes[] = {"1", "1.0"},
      *const texts[] = {"one"}, *const truth[] = {"false", "true"}, *const both[] = {"x", "sex"},
      *const again[] = {"sex", "sex"}, *const none[] = {"x2"}, *const unstated[] = {"region2"};
  static const char schema_text[] =
      "{\"fields\": [{\"name\": \"n\", \"type\": \"integer\"}, {\"name\": \"yes\", \"type\": "
      "\"boolean\"}, {\"name\": \"gap\", \"constraints\": {\"enum\": [\"a\", \"\"]}}, {\"name\": "
      "\"x\", \"type\": \"number\", \"constraints\": {\"minimum\": 0, \"maximum\": 1}}]}";
  static const char *const gap[] = {"gap"};
  sfm_schema *schema;
  sfm_rows *rows;
  MUST(sfm_schema_parse(&schema, schema_text, strlen(schema_text), "s.json", error));
#define SET(column, list) sfm_schema_set_categories(schema, column, list, COUNT(list), error)
  REFUSES(SFM_INVALID, SET("sex", empty), "sex", "category 2", "empty");
  REFUSES(SFM_INVALID, SET("sex", blank), "category 1", "blanks");
  REFUSES(SFM_INVALID, SET("sex", bent), "line end");
  REFUSES(SFM_INVALID, SET("sex", latin), "category 2", "UTF-8");
  REFUSES(SFM_INVALID, SET("sex", twice), "'F'", "twice");
  REFUSES(SFM_INVALID, SET("", SEX), "name");
  REFUSES(SFM_INVALID, sfm_schema_set_categories(schema, "sex", SEX, 0, error), "0 categories");
  REFUSES(SFM_INVALID, SET("n", texts), "'one'", "number");
  REFUSES(SFM_INVALID, SET("n", codes), "'1'", "'1.0'", "same");
  MUST(SET("sex", SEX));
  MUST(SET("sex", SEX));
  REFUSES(SFM_INVALID, SET("sex", turned), "F|M", "M|F", "agree");
  MUST(SET("yes", truth));
  REFUSES(SFM_INVALID, SET("yes", SEX), "false|true", "F|M");
  MUST(sfmi_rows_open_memory(&rows, "sex,x,region2,gap\nF,1,a,a\n", 26, 0, error));
  const sfmi_selection selection = {schema, X, 1, SFM_OUTSIDE_CLAMP};
#define BEGIN(list) sfmi_rows_begin_by(rows, &selection, list, COUNT(list), error)
  REFUSES(SFM_INVALID, BEGIN(both), "'x'", "settings.columns", "settings.by");
  REFUSES(SFM_INVALID, BEGIN(again), "'sex'", "twice");
  REFUSES(SFM_INVALID, BEGIN(none), "'x2'", "no categories");
  REFUSES(SFM_INVALID, BEGIN(unstated), "no categories", "schema.categories", "public");
  REFUSES(SFM_INVALID, BEGIN(gap), "gap", "category 2", "empty");
  MUST(sfmi_rows_begin_by(rows, &selection, again, 1, error));
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cell_columns), cmocka_unit_test(test_rows_alone),
      cmocka_unit_test(test_numbers),      cmocka_unit_test(test_matrix),
      cmocka_unit_test(test_persons),      cmocka_unit_test(test_many),
      cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
