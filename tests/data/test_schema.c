/* test_schema.c - a schema says what the owner wrote, and refuses, with the place, what cannot be
 * meant. */
#include "read_rows.h"

#include <unistd.h>

static const char clinic[] =
    "{\"title\": \"clinic\", \"missingValues\": [\"\", \"NA\"], \"primaryKey\": \"id\","
    " \"fields\": ["
    "{\"name\": \"age\", \"type\": \"number\", \"constraints\": {\"minimum\": 0, \"maximum\": "
    "120.5,"
    " \"required\": true}},"
    "{\"name\": \"visits\", \"type\": \"integer\", \"constraints\": {\"minimum\": -1}},"
    "{\"name\": \"ward\", \"type\": \"string\", \"format\": \"default\","
    " \"constraints\": {\"enum\": [\"north\", \"s\\u00fcd\"]}},"
    "{\"name\": \"code\", \"type\": \"integer\", \"constraints\": {\"enum\": [1, 2, 30]}},"
    "{\"name\": \"smokes\", \"type\": \"boolean\", \"description\": \"now\"},"
    "{\"name\": \"id\"}],"
    " \"person\": \"id\", \"neighbours\": \"add-remove\", \"contributions\": 3}";

static sfm_status parse(sfm_schema **out, const char *json, sfm_error *error) {
  return sfm_schema_parse(out, json, strlen(json), "s.json", error);
}

static void check_clinic(const sfm_schema *schema) {
  assert_int_equal(sfm_schema_column_count(schema), 6);
  const sfm_column *age = sfm_schema_find(schema, "age");
  assert_ptr_equal(age, sfm_schema_column(schema, 0));
  assert_true(age->type == SFM_COLUMN_TYPE_NUMBER && age->has_bounds && age->lower == 0 &&
              age->upper == 120.5);
  const sfm_column *visits = sfm_schema_column(schema, 1);
  assert_true(visits->type == SFM_COLUMN_TYPE_INTEGER && !visits->has_bounds);
  const sfm_column *ward = sfm_schema_find(schema, "ward");
  assert_int_equal(ward->type, SFM_COLUMN_TYPE_STRING);
  assert_int_equal(ward->category_count, 2);
  assert_string_equal(ward->categories[1], "s\xc3\xbc"
                                           "d");
  const sfm_column *code = sfm_schema_find(schema, "code");
  assert_int_equal(code->category_count, 3);
  assert_string_equal(code->categories[2], "30");
  assert_int_equal(sfm_schema_find(schema, "smokes")->type, SFM_COLUMN_TYPE_BOOLEAN);
  assert_int_equal(sfm_schema_find(schema, "id")->type, SFM_COLUMN_TYPE_STRING);
  assert_null(sfm_schema_find(schema, "nothing"));
  assert_null(sfm_schema_column(schema, 6));
  assert_string_equal(sfm_schema_person(schema), "id");
  assert_int_equal(sfm_schema_neighbours(schema), SFM_NEIGHBOURS_ADD_REMOVE);
  assert_int_equal(sfm_schema_contributions(schema), 3);
}

static void test_reads(void **state) {
  (void)state;
  sfm_schema *schema;
  MUST(parse(&schema, clinic, error));
  check_clinic(schema);
  sfm_schema_destroy(schema);

  char path[] = "/tmp/sfumato-test-XXXXXX";
  int fd = mkstemp(path);
  assert_int_equal(write(fd, clinic, sizeof clinic - 1), sizeof clinic - 1);
  close(fd);
  MUST(sfm_schema_load(&schema, path, error));
  check_clinic(schema);
  sfm_schema_destroy(schema);
  unlink(path);
  REFUSES(SFM_INVALID, sfm_schema_load(&schema, path, error), path);
  assert_null(schema);
  REFUSES(SFM_INVALID, sfm_schema_load(&schema, "-", error), "standard input");
  REFUSES(SFM_INVALID, sfm_schema_load(&schema, "/tmp", error), "folder");
}

static void test_defaults(void **state) {
  (void)state;
  sfm_schema *schema;
  MUST(parse(&schema, "{\"fields\": []}", error));
  assert_int_equal(sfm_schema_column_count(schema), 0);
  assert_null(sfm_schema_person(schema));
  assert_int_equal(sfm_schema_neighbours(schema), SFM_NEIGHBOURS_REPLACE);
  assert_int_equal(sfm_schema_contributions(schema), 1);
  sfm_schema_destroy(schema);
  sfm_schema_destroy(NULL);
}

#define FIELD(inside) "{\"fields\": [{\"name\": \"ok\"}, {\"name\": \"age\", " inside "}]}"
#define BOUNDS(inside) FIELD("\"type\": \"number\", \"constraints\": " inside)

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    const char *json, *place, *what;
  } bad[] = {
      {"", "s.json", "does not begin with {"},
      {"age,sex\n64,F\n", "s.json", "does not begin with {"},
      {"{\"fields\": [", "s.json", "not JSON"},
      {"[]", "s.json", "fields"},
      {"{\"fields\": [], \"missingValues\": [\"\", \"-99\"]}", "s.json", "missingValues item 2"},
      {"{\"fields\": [{\"name\": \"a\", \"type\": \"number\", \"decimalChar\": \",\"}]}", "'a'",
       "decimalChar"},
      {"{\"fields\": [{\"name\": \"a\", \"type\": \"number\", \"constraints\": "
       "{\"exclusiveMaximum\": 3}}]}",
       "'a'", "exclusiveMaximum"},
      {"{}", "s.json", "fields"},
      {"{\"fields\": {}}", "s.json", "array"},
      {"{\"fields\": [], \"fields\": []}", "line 1", "a key is there twice"},
      {"{\"fields\": [3]}", "field 1", "object"},
      {"{\"fields\": [{}]}", "field 1", "name"},
      {"{\"fields\": [{\"name\": 3}]}", "field 1", "name"},
      {"{\"fields\": [{\"name\": \"\"}]}", "field 1", "name"},
      {"{\"fields\": [{\"name\": \"a\\u0000b\"}]}", "line 1", "not JSON"},
      {"{\"fields\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}", "field 2 ('a')", "another"},
      {FIELD("\"type\": \"date\""), "field 2 ('age')", "number, integer, string and boolean"},
      {FIELD("\"type\": 3"), "field 2 ('age')", "string"},
      {FIELD("\"typ\": \"number\""), "field 2 ('age')", "'type'"},
      {FIELD("\"constraint\": {}"), "field 2 ('age')", "'constraints'"},
      {BOUNDS("[]"), "field 2 ('age')", "object"},
      {BOUNDS("{\"minimum\": \"0\"}"), "field 2 ('age')", "constraints.minimum"},
      {BOUNDS("{\"minimum\": 0, \"maximum\": null}"), "field 2 ('age')", "constraints.maximum"},
      {BOUNDS("{\"minimum\": 5, \"maximum\": 5}"), "field 2 ('age')", "not below"},
      {BOUNDS("{\"minimum\": 6, \"maximum\": 5}"), "field 2 ('age')", "not below"},
      {BOUNDS("{\"minimum\": 0, \"maximum\": 1e999}"), "line 1", "not JSON"},
      {BOUNDS("{\"min\": 0, \"max\": 1}"), "field 2 ('age')", "in full"},
      {BOUNDS("{\"minimun\": 0}"), "field 2 ('age')", "'minimum'"},
      {BOUNDS("{\"enum\": []}"), "field 2 ('age')", "at least one"},
      {BOUNDS("{\"enum\": 3}"), "field 2 ('age')", "array"},
      {BOUNDS("{\"enum\": [1, \"2\"]}"), "field 2 ('age')", "item 2"},
      {BOUNDS("{\"enum\": [1, 2, 1]}"), "field 2 ('age')", "twice"},
      {FIELD("\"type\": \"string\", \"constraints\": {\"enum\": [\"x\", 1]}"), "field 2", "item 2"},
      {FIELD("\"type\": \"string\", \"constraints\": {\"minimum\": 1}"), "field 2", "type string"},
      {FIELD("\"type\": \"boolean\", \"constraints\": {\"enum\": [true]}"), "field 2", "boolean"},
      {"{\"fields\": [], \"person\": 3}", "s.json", "person"},
      {"{\"fields\": [], \"person\": \"id\"}", "'id'", "not among"},
      {"{\"fields\": [], \"neighbours\": \"both\"}", "neighbours", "add-remove"},
      {"{\"fields\": [], \"neighbors\": \"replace\"}", "'neighbors'", "'neighbours'"},
      {"{\"fields\": [], \"neighbor\": \"replace\"}", "'neighbor'", "'neighbours'"},
      {"{\"fields\": [], \"contribution\": 2}", "'contribution'", "'contributions'"},
      {"{\"fields\": [], \"Contributions\": 2}", "'Contributions'", "'contributions'"},
      {"{\"fields\": [], \"persons\": \"a\"}", "'persons'", "'person'"},
      {"{\"field\": []}", "'field'", "'fields'"},
      {"{\"fields\": [], \"contributions\": 0}", "contributions", "1 to 1000000"},
      {"{\"fields\": [], \"contributions\": 1000001}", "contributions", "1 to 1000000"},
      {"{\"fields\": [], \"contributions\": 1.5}", "contributions", "integer"},
      {"{\"fields\": [], \"contributions\": \"2\"}", "contributions", "integer"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sfm_schema *schema;
    REFUSES(SFM_FORMAT, parse(&schema, bad[i].json, error), bad[i].place, bad[i].what);
    assert_null(schema);
  }
}

static void test_options_must_agree(void **state) {
  (void)state;
  sfm_schema *schema;
  MUST(parse(&schema, clinic, error));
  MUST(sfm_schema_set_bounds(schema, "age", 0, 120.5, error));
  REFUSES(SFM_INVALID, sfm_schema_set_bounds(schema, "age", 0, 100, error), "0:120.5", "0:100");
  MUST(sfm_schema_set_bounds(schema, "visits", 0, 10, error));
  MUST(sfm_schema_set_bounds(schema, "height", 1, 2, error));
  assert_int_equal(sfm_schema_column_count(schema), 7);
  REFUSES(SFM_INVALID, sfm_schema_set_bounds(schema, "ward", 0, 1, error), "ward", "string");
  MUST(sfm_schema_set_person(schema, "id", error));
  REFUSES(SFM_INVALID, sfm_schema_set_person(schema, "ward", error), "'id'", "'ward'");
  MUST(sfm_schema_set_neighbours(schema, SFM_NEIGHBOURS_ADD_REMOVE, error));
  REFUSES(SFM_INVALID, sfm_schema_set_neighbours(schema, SFM_NEIGHBOURS_REPLACE, error),
          "add-remove");
  MUST(sfm_schema_set_contributions(schema, 3, error));
  REFUSES(SFM_INVALID, sfm_schema_set_contributions(schema, 4, error), "3", "4");
  sfm_schema_destroy(schema);

  MUST(sfm_schema_create(&schema, error));
  const double inf = __builtin_inf(), nan = __builtin_nan("");
  REFUSES(SFM_INVALID, sfm_schema_set_bounds(schema, "x", 0, inf, error), "finite");
  REFUSES(SFM_INVALID, sfm_schema_set_bounds(schema, "x", -inf, 0, error), "finite");
  REFUSES(SFM_INVALID, sfm_schema_set_bounds(schema, "x", nan, 0, error), "finite");
  REFUSES(SFM_INVALID, sfm_schema_set_bounds(schema, "x", 1, 1, error), "not below");
  REFUSES(SFM_INVALID, sfm_schema_set_bounds(schema, "x", 2, 1, error), "not below");
  assert_null(sfm_schema_find(schema, "x")); /* a refusal leaves nothing behind */
  REFUSES(SFM_INVALID, sfm_schema_set_contributions(schema, 0, error), "1 to 1000000");
  REFUSES(SFM_INVALID, sfm_schema_set_contributions(schema, 1000001, error), "1 to 1000000");
  MUST(sfm_schema_set_contributions(schema, 1000000, error));
  sfm_schema_destroy(schema);
}

/* Columns handed out stay where they are while others are added. */
static void test_columns_stay(void **state) {
  (void)state;
  sfm_schema *schema;
  MUST(sfm_schema_create(&schema, error));
  MUST(sfm_schema_set_bounds(schema, "first", 0, 1, error));
  const sfm_column *first = sfm_schema_find(schema, "first");
  for (int i = 0; i < 100; i++) {
    char name[16];
    snprintf(name, sizeof name, "c%d", i);
    MUST(sfm_schema_set_bounds(schema, name, 0, 1, error));
  }
  assert_ptr_equal(first, sfm_schema_find(schema, "first"));
  assert_string_equal(first->name, "first");
  sfm_schema_destroy(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads),        cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_refusals),     cmocka_unit_test(test_options_must_agree),
      cmocka_unit_test(test_columns_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
