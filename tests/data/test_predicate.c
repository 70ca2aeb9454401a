/* test_predicate.c - predicates: their meaning is checked against an evaluator of random sentences;
 * mistakes are shown with a caret under the place. */
#include "read_rows.h"

#include <math.h>

#include "data/predicate/predicate.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const SEX[] = {"F", "M", "diverse"};

static sfm_schema *stated(void) {
  sfm_schema *schema;
  static const char json[] =
      "{\"fields\": [{\"name\": \"n\", \"type\": \"integer\"},"
      "{\"name\": \"ward\", \"type\": \"integer\", \"constraints\": {\"enum\": [3, 1, 20]}},"
      "{\"name\": \"smoker\", \"type\": \"boolean\"},"
      "{\"name\": \"word\", \"type\": \"string\"},"
      "{\"name\": \"age\", \"type\": \"number\", \"constraints\": {\"minimum\": 0, \"maximum\": "
      "100}}]}";
  MUST(sfm_schema_parse(&schema, json, strlen(json), "s.json", error));
  MUST(sfm_schema_set_categories(schema, "sex", SEX, 3, error));
  return schema;
}

/* Which lines of the file match: 'y' or '-' each. */
static void matches(char *out, const char *where, const char *text, const sfm_schema *schema,
                    size_t block) {
  sfm_rows *rows;
  sfmi_predicate *predicate;
  const sfmi_batch *batch;
  uint8_t found[SFMI_BATCH_ROWS];
  size_t count, total = 0;
  MUST(sfmi_rows_open_memory(&rows, text, strlen(text), block, error));
  MUST(sfmi_predicate_create(&predicate, where, schema, error));
  const sfmi_cell_column *columns = sfmi_predicate_columns(predicate, &count);
  MUST(sfmi_rows_begin_cells(rows, schema, columns, count, error));
  for (;;) {
    MUST(sfmi_rows_next(rows, &batch, error));
    if (!batch) break;
    size_t sum = 0;
    const size_t said = sfmi_predicate_match(predicate, found, batch);
    for (size_t r = 0; r < batch->rows; r++) {
      out[total++] = found[r] ? 'y' : '-';
      sum += found[r];
    }
    assert_int_equal(said, sum);
  }
  out[total] = '\0';
  sfmi_predicate_destroy(predicate);
  sfm_rows_destroy(rows);
}

static const char people[] = "age,sex,smoker,word,n,ward,first name,free\n"
                             "70,F,true,a,1,3,Ann,5\n"
                             "64.5,M,0,b,2,1,Bob,x\n"
                             "65,diverse,1,\"it's\",3,20,\"C, D\",-5\n"
                             ",F,,,,,,\n"          /* empty cells */
                             "x,?,maybe,c,1.5,4\n" /* none of their columns' values */
                             "200,F,False,a,-1,3,`,7\n";

typedef struct sentence {
  const char *where, *rows;
} sentence;

static const sentence sentences[] = {
    {"age >= 65", "y-y--y"},
    {"65 <= age", "y-y--y"},
    {"age > 65", "y----y"},
    {"65 < age", "y----y"},
    {"age < 65", "-y----"},
    {"65 > age", "-y----"},
    {"age <= 65", "-yy---"},
    {"65 >= age", "-yy---"},
    {"age == 65.0", "--y---"},
    {"age != 65", "yy---y"}, /* unknown where there is no number */
    {"not age == 65", "yy---y"},
    {"age == 200", "-----y"}, /* as it stands in the cell, not clamped */
    {"age in (70, 65, 1)", "y-y---"},
    {"age not in (70, 65, 1)", "-y---y"},
    {"not age in (70, 65)", "-y---y"},
    {"sex == \"F\"", "y--y-y"},
    {"sex != 'F'", "-yy---"},
    {"\"F\" == sex", "y--y-y"},
    {"sex in (\"M\", 'diverse')", "-yy---"},
    {"sex NOT IN (\"M\")", "y-yy-y"},
    {"smoker == true", "y-y---"},
    {"smoker != TRUE", "-y---y"},
    {"smoker == false", "-y---y"},
    {"smoker in (true, false)", "yyy--y"},
    {"word == \"it's\"", "--y---"},
    {"word == 'it\\'s'", "--y---"},
    {"word != \"a\"", "-yy-y-"}, /* an empty text is unknown */
    {"n >= 1.5", "-yy---"},      /* a fraction is none of an integer column's values */
    {"n == -1", "-----y"},
    {"ward == 3", "y----y"},
    {"ward != 3", "-yy---"}, /* 4 is none of its values */
    {"ward > 2", "y-y--y"},
    {"`first name` == \"Ann\"", "y-----"},
    {"`first name` == \"C, D\"", "--y---"},
    {"`first name` == \"`\"", "-----y"},
    {"free > 0", "y----y"}, /* not in the schema: a number, as the value is */
    {"free == '5'", "y-----"},
    {"free != \"x\"", "y-y--y"},
    {"age >= 65 and sex == \"F\"", "y----y"},
    {"age >= 65 or sex == \"F\"", "y-yy-y"}, /* unknown or true is true */
    {"age >= 65 AND sex == \"F\" Or ward == 1", "yy---y"},
    {"ward == 1 or age >= 65 and sex == \"F\"", "yy---y"}, /* and binds first */
    {"(ward == 1 or age >= 65) and sex == \"F\"", "y----y"},
    {"not (age >= 65 or sex == \"F\")", "-y----"},
    {"not not age >= 65", "y-y--y"},
    {"not age >= 65 and sex == 'M'", "-y----"},
    {"age==65 or(sex=='M')", "-yy---"},
    {" \t\n age\n==\r65 ", "--y---"},
    {"age == +65 and n > -1e1", "--y---"},
    {"age < 1e2", "yyy---"},
    {"((((age > .5))))", "yyy--y"},
};

static void test_meanings(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  char got[64];
  for (size_t i = 0; i < COUNT(sentences); i++)
    for (size_t block = 1; block < 2000; block = 7 * block + 13) {
      matches(got, sentences[i].where, people, schema, block);
      if (strcmp(got, sentences[i].rows) != 0)
        fail_msg("%s: %s, not %s", sentences[i].where, got, sentences[i].rows);
    }
  sfm_schema_destroy(schema);
}

/* A made-up sentence and its truth on every row, in Kleene's logic. */
enum { ROWS = 27, LONGEST = 4000 };

typedef struct maker {
  uint64_t seed;
  char text[LONGEST + 1];
  size_t used;
} maker;

typedef struct truth {
  double of[ROWS]; /* 0, 1/2, 1 */
} truth;

static void say(maker *m, const char *words) {
  m->used += (size_t)snprintf(m->text + m->used, LONGEST - m->used, "%s ", words);
}

/* Cells of row r: x is none, 1 or 2; s is none, a or b; f is none, false or true. */
static truth make_comparison(maker *m) {
  static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
  static const char *const turned[] = {"==", "!=", ">", ">=", "<", "<="};
  static const char *const texts[] = {"'a'", "\"b\""}, *const booleans[] = {"false", "true"};
  static const char *const numbers[] = {"1", "2.0", "1.5"};
  static const double values[] = {1, 2, 1.5};
  truth t;
  const unsigned column = (unsigned)(pick(&m->seed) % 3);
  const size_t value = pick(&m->seed) % (column ? 2 : 3), sign = pick(&m->seed) % (column ? 2 : 6);
  const bool flip = pick(&m->seed) % 2, in = sign < 2 && pick(&m->seed) % 3 == 0;
  const char *name = column == 0 ? "x" : column == 1 ? "s" : "f";
  const char *literal = column == 0 ? numbers[value] : column == 1 ? texts[value] : booleans[value];
  if (in) {
    say(m, name);
    say(m, sign ? "not in (" : "in (");
    say(m, literal);
    say(m, ")");
  } else {
    say(m, flip ? literal : name);
    say(m, flip ? turned[sign] : signs[sign]);
    say(m, flip ? name : literal);
  }
  for (int r = 0; r < ROWS; r++) {
    const int cell = column == 0 ? r % 3 : column == 1 ? r / 3 % 3 : r / 9;
    const double have = column ? cell - 1 : cell, want = column ? (double)value : values[value];
    const bool yes = sign == 0   ? have == want
                     : sign == 1 ? have != want
                     : sign == 2 ? have < want
                     : sign == 3 ? have <= want
                     : sign == 4 ? have > want
                                 : have >= want;
    t.of[r] = cell == 0 ? 0.5 : yes;
  }
  return t;
}

static truth make_or(maker *m, int depth);

static truth make_condition(maker *m, int depth) {
  const unsigned way = (unsigned)(pick(&m->seed) % 4);
  truth t;
  if (depth == 0 || way >= 2) return make_comparison(m);
  say(m, way ? "not" : "(");
  t = way ? make_condition(m, depth - 1) : make_or(m, depth - 1);
  for (int r = 0; way && r < ROWS; r++) t.of[r] = 1 - t.of[r];
  if (!way) say(m, ")");
  return t;
}

static truth make_and(maker *m, int depth) {
  truth t = make_condition(m, depth);
  while (pick(&m->seed) % 3 == 0) {
    say(m, "and");
    const truth u = make_condition(m, depth);
    for (int r = 0; r < ROWS; r++) t.of[r] = fmin(t.of[r], u.of[r]);
  }
  return t;
}

static truth make_or(maker *m, int depth) {
  truth t = make_and(m, depth);
  while (pick(&m->seed) % 3 == 0) {
    say(m, "or");
    const truth u = make_and(m, depth);
    for (int r = 0; r < ROWS; r++) t.of[r] = fmax(t.of[r], u.of[r]);
  }
  return t;
}

static void test_logic(void **state) {
  (void)state;
  static const char *const x[] = {"?", "1", "2"}, *const s[] = {"", "a", "b"};
  static const char *const f[] = {"-", "false", "TRUE"}, *const ab[] = {"a", "b"};
  char text[2000] = "x,s,f\n";
  for (int r = 0; r < ROWS; r++)
    sprintf(text + strlen(text), "%s,%s,%s\n", x[r % 3], s[r / 3 % 3], f[r / 9]);
  static const char json[] = "{\"fields\": [{\"name\": \"f\", \"type\": \"boolean\"}]}";
  sfm_schema *plain, *listed;
  MUST(sfm_schema_parse(&plain, json, strlen(json), "s.json", error));
  MUST(sfm_schema_parse(&listed, json, strlen(json), "s.json", error));
  MUST(sfm_schema_set_categories(listed, "s", ab, 2, error));
  maker m = {.seed = 2024};
  for (int round = 0; round < 3000; round++) {
    m.used = 0;
    const truth t = make_or(&m, 6);
    if (m.used >= LONGEST - 1) continue;
    char got[ROWS + 1];
    matches(got, m.text, text, round % 2 ? plain : listed, 0);
    for (int r = 0; r < ROWS; r++)
      if ((got[r] == 'y') != (t.of[r] == 1)) fail_msg("row %d of %s", r, m.text);
  }
  sfm_schema_destroy(plain);
  sfm_schema_destroy(listed);
}

/* Rows that are numbers have the same predicates, by value. */
static void test_arrays(void **state) {
  (void)state;
  static const double array[] = {70, 3, 1, 64, 1, 0, NAN, 20, 1};
  static const char *const names[] = {"age", "ward", "smoker"};
  sfm_schema *schema = stated();
  sfm_rows *rows;
  sfmi_predicate *predicate;
  const sfmi_batch *batch;
  uint8_t found[SFMI_BATCH_ROWS];
  size_t count;
  MUST(sfm_rows_from_array(&rows, array, 3, 3, names, error));
  MUST(sfmi_predicate_create(&predicate, "age > 3 and ward in (1, 3) and smoker == true", schema,
                             error));
  const sfmi_cell_column *columns = sfmi_predicate_columns(predicate, &count);
  MUST(sfmi_rows_begin_cells(rows, schema, columns, count, error));
  MUST(sfmi_rows_next(rows, &batch, error));
  assert_int_equal(sfmi_predicate_match(predicate, found, batch), 1);
  assert_true(found[0] && !found[1] && !found[2]);
  sfmi_predicate_destroy(predicate);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

typedef struct mistake {
  const char *where;
  const char *says; /* a part of the message */
  const char *shows, *caret;
} mistake;

static const mistake mistakes[] = {
    {"age >= and sex == \"F\"", "expected a value after '>='", "age >= and sex == \"F\"",
     "       ^"},
    {"", "the predicate is empty", "", "^"},
    {"  ", "the predicate is empty", "  ", "  ^"},
    {"and age > 3", "expected a comparison before 'and'", "and age > 3", "^"},
    {"age > 3 and", "expected a comparison after 'and'", "age > 3 and", "           ^"},
    {"age > 3 or or n == 1", "expected a comparison after 'or'", NULL, "           ^"},
    {"age", "expected a comparison (== != < <= > >= in) after 'age'", "age", "   ^"},
    {"age 65", "after 'age'", NULL, "    ^"},
    {"smoker and age > 3", "write smoker == true", NULL, "^"},
    {"age between 3 and 5", "age >= A and age <= B", NULL, "    ^"},
    {"0 <= age < 5", "do not form chains", NULL, "         ^"},
    {"age == n", "not with another column", NULL, "       ^"},
    {"age == F", "a text stands in quotes", NULL, "       ^"},
    {"3 < 5", "one side must be a column", NULL, "^"},
    {"\"age\" < 5", "one side must be a column", NULL, "^"},
    {"3 <", "expected a column after '<'", NULL, "   ^"},
    {"age = 65", "write == instead of =", NULL, "    ^"},
    {"age <> 65", "write != instead of <>", NULL, "    ^"},
    {"age => 65", "write >= instead of =>", NULL, "    ^"},
    {"age =< 65", "write <= instead of =<", NULL, "    ^"},
    {"age > 6 && n > 1", "write and instead of &&", NULL, "        ^"},
    {"age > 6 || n > 1", "write or instead of ||", NULL, "        ^"},
    {"!age > 6", "write not instead of !", NULL, "^"},
    {"age > 6; n", "nothing begins with this character", NULL, "       ^"},
    {"age > #", "nothing begins with this character", NULL, "      ^"},
    {"(age > 6", "this parenthesis is not closed", NULL, "^"},
    {"(age > 6 n", "expected and, or or ')' after '6'", NULL, "         ^"},
    {"age > 6)", "no parenthesis was opened", NULL, "       ^"},
    {"age > 6 n > 1", "expected and, or or the end after '6'", NULL, "        ^"},
    {"()", "expected a comparison after '('", NULL, " ^"},
    {"not", "expected a comparison after 'not'", NULL, "   ^"},
    {"sex == \"F", "this text has no end", NULL, "       ^"},
    {"`first name > 3", "this name has no end", NULL, "^"},
    {"sex == \"\\F\"", "a backslash stands before", NULL, "        ^"},
    {"age > 1e999", "too large", NULL, "      ^"},
    {"age > 12abc", "no number", NULL, "      ^"},
    {"age > 1.2.3", "no number", NULL, "      ^"},
    {"age > -", "expected digits", NULL, "      ^"},
    {"2nd > 3", "backquotes", NULL, "^"},
    {"age in 65", "expected a list", NULL, "       ^"},
    {"age in ()", "expected a value after '('", NULL, "        ^"},
    {"age in (65", "expected ',' or ')' after '65'", NULL, "          ^"},
    {"age in (65,)", "expected a value after ','", NULL, "           ^"},
    {"age in (65, n)", "expected a value after ','", NULL, "            ^"},
    {"age not 65", "expected in after 'not'", NULL, "        ^"},
    {"65 in (age)", "a column must stand before in", NULL, "^"},
    {"age == \"65\"", "column 'age' holds numbers, by the schema", NULL, "       ^"},
    {"free > 3 and free == \"x\"", "column 'free' holds numbers, as it is compared elsewhere", NULL,
     "                     ^"},
    {"sex == 1", "column 'sex' holds texts", NULL, "       ^"},
    {"sex == 1", "write \"1\" in quotes", NULL, "       ^"},
    {"smoker == 1", "holds true and false", NULL, "          ^"},
    {"free == true", "the schema must call it boolean", NULL, "        ^"},
    {"sex < \"F\"", "which have no order", NULL, "    ^"},
    {"free <= \"F\"", "a number stands without quotes", NULL, "     ^"},
    {"smoker < true", "have no order", NULL, "       ^"},
    {"sex == \"f\"", "did you mean \"F\"?", NULL, "       ^"},
    {"sex == \"divers\"", "did you mean \"diverse\"?", NULL, "       ^"},
    {"sex in (\"F\", \"unknown\")", "which are \"F\", \"M\", \"diverse\"", NULL, "             ^"},
    {"ward == 4", "4 is none of the values", NULL, "        ^"},
    {"ward in (1, 2)", "2 is none of the values", NULL, "            ^"},
    {"n == 1.5", "holds whole numbers", NULL, "     ^"},
    {"word == \" a\"", "has blanks around it", NULL, "        ^"},
    {"word == \"\"", "is empty", NULL, "        ^"},
    /* Characters are counted, not bytes; what could steer a terminal is not shown. */
    {"`gr\xc3\xb6\xc3\x9f"
     "e` > and",
     "expected a value",
     "`gr\xc3\xb6\xc3\x9f"
     "e` > and",
     "          ^"},
    {"\"a\x1b[31m\" == sex == 'F'", "chains", "\"a?[31m\" == sex == 'F'", "                ^"},
    {"age\t>\nand", "expected a value", "age > and", "      ^"},
};

static void check_mistake(const mistake *m, const sfm_schema *schema) {
  sfmi_predicate *predicate;
  sfm_error error = {0};
  char wanted[400];
  if (sfmi_predicate_create(&predicate, m->where, schema, &error) != SFM_INVALID)
    fail_msg("%s: not refused", m->where);
  assert_null(predicate);
  snprintf(wanted, sizeof wanted, "\n  %s\n  %s", m->shows ? m->shows : m->where, m->caret);
  const size_t length = strlen(error.message), tail = strlen(wanted);
  if (!strstr(error.message, m->says) || strncmp(error.message, "settings.where: ", 16) != 0 ||
      length < tail || strcmp(error.message + length - tail, wanted) != 0)
    fail_msg("%s:\n%s", m->where, error.message);
}

static void test_mistakes(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  for (size_t i = 0; i < COUNT(mistakes); i++) check_mistake(&mistakes[i], schema);
  sfm_schema_destroy(schema);
}

/* Long ones are shown in part; too long, too deep and too wide ones are refused. */
static void test_limits(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  sfmi_predicate *predicate;
  static char text[SFMI_PREDICATE_MAX + 100];
  sfm_error shown = {0};
  for (size_t i = 0; i < 40; i++) strcat(text, "age > 3 and ");
  strcat(text, "(n == 1 or age >= ) or ward == 1 and age > 5 and age > 6 and n > 5");
  assert_int_equal(sfmi_predicate_create(&predicate, text, schema, &shown), SFM_INVALID);
  assert_string_equal(shown.message,
                      "settings.where: expected a value after '>='\n"
                      "  ...3 and age > 3 and (n == 1 or age >= ) or ward == 1 and age > 5 and "
                      "age >...\n"
                      "                                         ^");
  memset(text, ' ', SFMI_PREDICATE_MAX + 1);
  memcpy(text, "age > 3", 7);
  text[SFMI_PREDICATE_MAX + 1] = '\0';
  REFUSES(SFM_INVALID, sfmi_predicate_create(&predicate, text, schema, error), "4097", "4096");
  text[SFMI_PREDICATE_MAX] = '\0';
  MUST(sfmi_predicate_create(&predicate, text, schema, error));
  sfmi_predicate_destroy(predicate);
  REFUSES(SFM_INVALID, sfmi_predicate_create(&predicate, "age > 3\xff", schema, error), "UTF-8");
  for (size_t depth = SFMI_PREDICATE_DEPTH; depth <= SFMI_PREDICATE_DEPTH + 1; depth++) {
    text[0] = '\0';
    for (size_t i = 0; i < depth; i++) strcat(text, i % 2 ? "(" : "not ");
    strcat(text, "age > 3");
    for (size_t i = 0; i < depth; i++) strcat(text, i % 2 ? ")" : "");
    if (depth == SFMI_PREDICATE_DEPTH) {
      MUST(sfmi_predicate_create(&predicate, text, schema, error));
      sfmi_predicate_destroy(predicate);
    } else {
      REFUSES(SFM_INVALID, sfmi_predicate_create(&predicate, text, schema, error), "64", "\n");
    }
  }
  for (size_t columns = SFMI_PREDICATE_COLUMNS; columns <= SFMI_PREDICATE_COLUMNS + 1; columns++) {
    text[0] = '\0';
    for (size_t i = 0; i < columns; i++)
      sprintf(text + strlen(text), "%sc%zu == %zu", i ? " or " : "", i, i);
    if (columns == SFMI_PREDICATE_COLUMNS) {
      MUST(sfmi_predicate_create(&predicate, text, schema, error));
      sfmi_predicate_destroy(predicate);
    } else {
      REFUSES(SFM_INVALID, sfmi_predicate_create(&predicate, text, schema, error), "64 columns");
    }
  }
  sfm_schema_destroy(schema);
}

/* A column that the rows lack is found before a record is read. */
static void test_header(void **state) {
  (void)state;
  sfm_schema *schema = stated();
  sfm_rows *rows;
  sfmi_predicate *predicate;
  size_t count;
  MUST(sfmi_rows_open_memory(&rows, "age\n1\n", 6, 0, error));
  MUST(sfmi_predicate_create(&predicate, "age > 3 and height > 2", schema, error));
  const sfmi_cell_column *columns = sfmi_predicate_columns(predicate, &count);
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, columns, count, error), "'height'",
          "age");
  sfmi_predicate_destroy(predicate);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_meanings), cmocka_unit_test(test_logic),  cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_mistakes), cmocka_unit_test(test_limits), cmocka_unit_test(test_header),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
