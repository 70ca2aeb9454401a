/* test_rows.c - rows arrive inside their public domain, with at most K per person; the owner's dry
 * run counts what that does to them. */
/* suite: both */
#include "read_rows.h"
#include "row_keys_fixture.h"

#include <ctype.h>
#include <math.h>

static sfm_rows *open_text(const char *text) {
  sfm_rows *rows;
  MUST(sfmi_rows_open_memory(&rows, text, strlen(text), 0, error));
  return rows;
}

static sfm_schema *parse(const char *json) {
  sfm_schema *schema;
  MUST(sfm_schema_parse(&schema, json, strlen(json), "s.json", error));
  return schema;
}

static reading read_text(const char *text, const sfm_schema *schema, const char *column,
                         sfm_outside outside) {
  sfm_rows *rows = open_text(text);
  sfmi_selection selection = {schema, &column, 1, outside};
  reading r = read_all(rows, &selection);
  sfm_rows_destroy(rows);
  return r;
}

static void check_rows(reading *r, size_t count, const double *values, const char *keep) {
  assert_int_equal(r->rows, count);
  for (size_t i = 0; i < count; i++) {
    if (r->keep[i] != (keep[i] == 'k')) fail_msg("row %zu: keep is %d", i, r->keep[i]);
    if (r->keep[i] && r->values[i] != values[i]) fail_msg("row %zu: %g", i, r->values[i]);
    assert_true(isfinite(r->values[i])); /* also where nothing is kept */
  }
  reading_clear(r);
}

static void test_clamp_and_drop(void **state) {
  (void)state;
  static const char file[] = "x\n-1\n0\n0.5\n1\n2\n1e308\n-1e308\nnan\n\n5e-324\n-5e-324\n";
  static const char *const X[] = {"x"};
  sfm_schema *schema = bounded(X, 1, 0, 1);
  reading r = read_text(file, schema, "x", SFM_OUTSIDE_CLAMP);
  check_rows(&r, 11, (double[]){0, 0, 0.5, 1, 1, 1, 0, 0, 0, 5e-324, 0}, "kkkkkkk--kk");
  r = read_text(file, schema, "x", SFM_OUTSIDE_DROP);
  check_rows(&r, 11, (double[]){0, 0, 0.5, 1, 0, 0, 0, 0, 0, 5e-324, 0}, "-kkk-----k-");
  sfm_schema_destroy(schema);
}

static void test_integers_and_codes(void **state) {
  (void)state;
  sfm_schema *schema = parse("{\"fields\": [{\"name\": \"n\", \"type\": \"integer\","
                             "\"constraints\": {\"minimum\": 0, \"maximum\": 10}},"
                             "{\"name\": \"c\", \"type\": \"number\", \"constraints\":"
                             "{\"minimum\": 0, \"maximum\": 10, \"enum\": [3, 0.5, 1e3]}}]}");
  reading r = read_text("n\n3\n3.0\n3.5\n30e-1\n11\n10.5\n-0.0\n", schema, "n", SFM_OUTSIDE_CLAMP);
  check_rows(&r, 7, (double[]){3, 3, 0, 3, 10, 0, 0}, "kk-kk-k");
  r = read_text("c\n3\n.50\n4\n1000\n", schema, "c", SFM_OUTSIDE_CLAMP);
  check_rows(&r, 4, (double[]){3, 0.5, 0, 10}, "kk-k");
  sfm_schema_destroy(schema);
}

static void test_selection_refused(void **state) {
  (void)state;
  sfm_rows *rows = open_text("age,ward,free,twice,twice\n1,2,3,4,5\n");
  sfm_schema *schema = parse("{\"fields\": [{\"name\": \"age\", \"type\": \"number\","
                             "\"constraints\": {\"minimum\": 0, \"maximum\": 10}},"
                             "{\"name\": \"ward\", \"type\": \"string\"},"
                             "{\"name\": \"gone\", \"type\": \"number\"}]}");
  const char *names[2] = {"height", "age"};
  sfmi_selection selection = {schema, names, 1, SFM_OUTSIDE_CLAMP};
  const sfmi_batch *batch;
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "'height'", "age, ward, free");
  REFUSES(SFM_INVALID, sfmi_rows_next(rows, &batch, error), "begin");
  names[0] = "gone";
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "'gone'");
  names[0] = "ward";
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "'ward'", "string");
  names[0] = "free";
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "'free'", "schema.bounds",
          "public");
  names[0] = "twice";
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "2 columns named 'twice'");
  names[0] = "age";
  selection.count = 2;
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "'age' is selected twice");
  selection.count = 0;
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "no column");
  selection.count = 1;
  MUST(sfm_schema_set_person(schema, "nobody", error));
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "'nobody'");
  sfm_schema_destroy(schema);
  sfm_rows_destroy(rows);
}

/* A first line that may be a row is not shown; names that could garble a terminal are made plain.
 */
static void test_messages_show_no_rows(void **state) {
  (void)state;
  static const char *const names[] = {"height"};
  sfm_schema *schema = bounded(names, 1, 0, 1);
  sfmi_selection selection = {schema, names, 1, SFM_OUTSIDE_CLAMP};
  sfm_error shown = {0};
  sfm_rows *rows = open_text("alice,37.5\nbob,38\n");
  assert_int_equal(sfmi_rows_begin(rows, &selection, &shown), SFM_INVALID);
  assert_null(strstr(shown.message, "alice"));
  assert_null(strstr(shown.message, "37.5"));
  assert_non_null(strstr(shown.message, "first line"));
  sfm_rows_destroy(rows);
  static const char *const rows_for_headers[] = {
      "34;12\n",     "alice\t37\n", "alice smith,1987-03-12,F\n",
      "a@b.org,F\n", "+4912,x\n",   "a\x1b[31m,b\n"};
  for (size_t i = 0; i < sizeof rows_for_headers / sizeof *rows_for_headers; i++) {
    rows = open_text(rows_for_headers[i]);
    assert_int_equal(sfmi_rows_begin(rows, &selection, &shown), SFM_INVALID);
    assert_null(strstr(shown.message, "columns are"));
    sfm_rows_destroy(rows);
  }
  rows = open_text("b\xff,\xc3\xa9,\xe2\x82\xac,\"a,b (c) 50%\"\n");
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error),
          "b?, \xc3\xa9, \xe2\x82\xac, a,b (c) 50%");
  sfm_rows_destroy(rows);
  char wide[4000] = "";
  for (int i = 0; i < 100; i++) {
    char name[40];
    snprintf(name, sizeof name, "%sa_name_of_some_length_%03d", i ? "," : "", i);
    strcat(wide, name);
  }
  rows = open_text(wide);
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "_019 and 80 more");
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

static void test_columns_in_any_order(void **state) {
  (void)state;
  static const char *const names[] = {"c", "a"};
  sfm_schema *schema = bounded(names, 2, 0, 100);
  sfmi_selection selection = {schema, names, 2, SFM_OUTSIDE_CLAMP};
  sfm_rows *rows = open_text("a,b,c\n1,\"x,\"\"y\",3\n4,,6\n7,8\n");
  reading r = read_all(rows, &selection);
  assert_int_equal(r.rows, 3);
  assert_true(r.keep[0] && r.values[0] == 3 && r.values[1] == 1);
  assert_true(r.keep[1] && r.values[2] == 6 && r.values[3] == 4);
  assert_false(r.keep[2]);
  reading_clear(&r);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

/* owners[r] names the person of row r, '-' nobody: of every person's rows at most `limit` are kept,
 * and as many as there are, but that unreadable ones (capital letters) contribute nothing when they
 * are chosen. */
static void check_owners(const reading *r, const char *owners, uint32_t limit) {
  assert_int_equal(r->rows, strlen(owners));
  for (size_t i = 0; i < r->rows; i++) {
    uint32_t kept = 0, readable = 0, lost = 0;
    for (size_t j = 0; j < r->rows; j++) {
      if (tolower(owners[j]) != tolower(owners[i])) continue;
      kept += r->keep[j];
      readable += owners[j] == tolower(owners[j]);
      lost += owners[j] != tolower(owners[j]);
      if (r->keep[j] && owners[j] != tolower(owners[j])) fail_msg("row %zu is unreadable", j);
    }
    if (owners[i] == '-' && kept) fail_msg("row %zu of nobody is kept", i);
    if (owners[i] == '-') continue;
    const uint32_t all = readable + lost, chosen = all < limit ? all : limit;
    if (kept > chosen || kept + lost < chosen) fail_msg("row %zu: %u are kept", i, kept);
  }
}

static void check_keep(const char *file, const char *person, uint32_t limit, const char *owners) {
  static const char *const X[] = {"x"};
  for (size_t block = 0; block < 3; block++) {
    sfm_rows *rows;
    sfm_schema *schema = bounded(X, 1, 0, 100);
    MUST(sfm_schema_set_person(schema, person, error));
    MUST(sfm_schema_set_contributions(schema, limit, error));
    sfmi_selection selection = {schema, X, 1, SFM_OUTSIDE_CLAMP};
    MUST(sfmi_rows_open_memory(&rows, file, strlen(file), block, error));
    for (int again = 0; again < 2; again++) { /* each reading starts counting afresh */
      reading r = read_all(rows, &selection);
      check_owners(&r, owners, limit);
      reading_clear(&r);
    }
    sfm_rows_destroy(rows);
    sfm_schema_destroy(schema);
  }
}

static void test_persons(void **state) {
  (void)state;
  check_keep("id,x\np,1\nq,2\np,3\nr,4\nq,5\np,6\n", "id", 1, "pqprqp");
  check_keep("id,x\np,1\nq,2\np,3\nr,4\nq,5\np,6\n", "id", 2, "pqprqp");
  check_keep("x,id\n1,p\n2,q\n3,p\n4,r\n", "id", 1, "pqpr");
  /* quoted or not, with blanks around it or not, it is the same person; in another case it is not
   */
  check_keep("id,x\n\"p\",1\np,2\n p,3\nP,4\n\"a\"\"b\",5\na\"b,6\n", "id", 1, "pppqaa");
  check_keep("id,x\n7,1\n 7,2\n7 ,3\n\t7\t,4\n\" 7 \",5\n\"7\" ,6\n", "id", 1, "aaaaaa");
  /* no schema calls it a number: it is text */
  check_keep("id,x\n7,1\n07,2\n7.0,3\n7e0,4\n7,5\n", "id", 1, "abcda");
  /* no id, an empty one and a broken one are nobody: their rows contribute nothing */
  check_keep("x,id\n1\n2,\n3,\"\"\n4,\"z\n5,z\n", "id", 1, "----z");
  check_keep("x,id\n1, \n2,\"\t \"\n3,z\n", "id", 1, "--z");
  /* a record that cannot be read still is one of its person's records */
  check_keep("id,x\np,?\np,2\nq,3\n", "id", 1, "Ppq");
  /* equal records: as many as may be */
  check_keep("id,x\np,1\np,1\nq,3\np,1\np,1\n", "id", 3, "ppqpp");
  /* the person may be one of the columns read; with bounds it is a number */
  check_keep("x\n1\n1.0\n1\n2\n", "x", 1, "aaab");
}

/* The records that are kept of rows with an id of a type. */
static void check_typed(const char *type, const char *file, const char *owners) {
  static const char *const X[] = {"x"};
  char text[256];
  snprintf(text, sizeof text,
           "{\"fields\": [{\"name\": \"id\", \"type\": \"%s\"}, {\"name\": \"x\", \"type\": "
           "\"number\", \"constraints\": {\"minimum\": 0, \"maximum\": 100}}], "
           "\"person\": \"id\"}",
           type);
  sfm_schema *schema = parse(text);
  const sfmi_selection selection = {schema, X, 1, SFM_OUTSIDE_CLAMP};
  sfm_rows *rows = open_text(file);
  sfm_rows_report *report;
  reading r = read_all(rows, &selection);
  uint64_t kept = 0;
  check_owners(&r, owners, 1);
  for (size_t i = 0; i < r.rows; i++) kept += r.keep[i];
  reading_clear(&r);
  /* One record a person: as many persons as records are kept, and the dry run agrees. */
  MUST(sfm_rows_check(rows, &report, schema, error));
  assert_int_equal(report->persons, kept);
  sfm_rows_report_destroy(report);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

/* Ids are compared by the type that the schema states, and by no other. */
static void test_typed_persons(void **state) {
  (void)state;
  static const char *const numbers[] = {"number", "integer"};
  static const char one[] = "id,x\n7,1\n 7,1\n7.0,1\n07,1\n+7,1\n7e0,1\n\"70e-1\",1\n.7e1,1\n"
                            "0.0007e+4,1\n7.,1\n";
  for (size_t i = 0; i < 2; i++) {
    check_typed(numbers[i], one, "aaaaaaaaaa");
    check_typed(numbers[i], "id,x\n-7,1\n7,1\n70,1\n7e1,1\n700,1\n", "abccd");
    check_typed(numbers[i], "id,x\n0,1\n-0,1\n00.0,1\n0e99999999999,1\n1,1\n", "aaaab");
    /* One double, and two persons: decimals are compared exactly. */
    check_typed(numbers[i], "id,x\n9007199254740992,1\n9007199254740993,1\n", "ab");
    check_typed(numbers[i], "id,x\n9007199254740993,1\n9007199254740993.00,1\n", "aa");
    /* What is no number is an empty cell, and nobody's. */
    check_typed(numbers[i],
                "id,x\nseven,1\n7x,1\n,1\nnan,1\n1e999,1\n0x7,1\n1e-9999999999,1\n7,1\n",
                "-------a");
  }
  check_typed("number", "id,x\n7.5,1\n7.50,1\n75e-1,1\n1e-400,1\n0,1\n", "aaabc");
  check_typed("integer", "id,x\n7.5,1\n1e-400,1\n1e3,1\n1000,1\n", "--aa");
  check_typed("string", "id,x\n7,1\n 7 ,1\n7.0,1\n07,1\n", "aabc");
}

/* Which records are kept depends on the records of a person and the key: not on their order, not on
 * those of others, not on blocks or threads; and it is those with the smallest hashes, made here by
 * hand. */
static void test_order_decides_nothing(void **state) {
  (void)state;
  enum { RECORDS = 9000, PERSONS = 700 };
  static const char *const X[] = {"x"};
  static const uint8_t key[SFMI_ROW_KEY_BYTES] = {4, 2};
  static char lines[RECORDS][40], text[RECORDS * 40 + 8];
  static bool kept[RECORDS], own[RECORDS];
  uint8_t derived[32], bytes[48];
  for (size_t i = 0; i < RECORDS; i++)
    snprintf(lines[i], sizeof lines[i], "p%zu,%zu,%zu", i * i % PERSONS, i % 97, i);
  memcpy(bytes, "sfumato persons", 16);
  crypto_generichash(derived, sizeof derived, bytes, 16, key, sizeof key);
  for (uint32_t limit = 1; limit <= 20; limit = 3 * limit - 1) {
    sfm_schema *schema = bounded(X, 1, 0, 100);
    MUST(sfm_schema_set_person(schema, "id", error));
    MUST(sfm_schema_set_contributions(schema, limit, error));
    const sfmi_selection selection = {schema, X, 1, SFM_OUTSIDE_CLAMP};
    for (size_t i = 0; i < RECORDS; i++) {
      uint32_t smaller = 0;
      uint8_t one[16], other[16];
      crypto_shorthash_siphashx24(one, (uint8_t *)lines[i], strlen(lines[i]), derived + 16);
      for (size_t j = 0; limit < 3 && j < RECORDS; j++) {
        if (i * i % PERSONS != j * j % PERSONS) continue;
        crypto_shorthash_siphashx24(other, (uint8_t *)lines[j], strlen(lines[j]), derived + 16);
        int order = 0; /* 96 bits, the last byte the highest */
        for (size_t b = 12; !order && b-- > 0;) order = (one[b] > other[b]) - (one[b] < other[b]);
        smaller += order > 0;
      }
      own[i] = smaller < limit;
    }
    for (size_t shift = 0; shift < RECORDS; shift += 1999) { /* another order each time */
      sfm_rows *rows;
      size_t used = (size_t)sprintf(text, "id,x,y\n");
      for (size_t i = 0; i < RECORDS; i++)
        used += (size_t)sprintf(text + used, "%s\n", lines[(i * 7 + shift) % RECORDS]);
      MUST(sfmi_rows_open_memory(&rows, text, used, shift % 3 * 1000, error));
      sfmi_rows_set_threads(rows, shift % 4);
      set_keys(rows, key, false);
      reading r = read_all(rows, &selection);
      for (size_t i = 0; i < RECORDS; i++) {
        const size_t line = (i * 7 + shift) % RECORDS;
        if (shift == 0) kept[line] = r.keep[i];
        if (kept[line] != r.keep[i]) fail_msg("limit %u, line %zu", limit, line);
        if (limit < 3 && own[line] != r.keep[i])
          fail_msg("limit %u, hash of line %zu", limit, line);
      }
      reading_clear(&r);
      sfm_rows_destroy(rows);
    }
    sfm_schema_destroy(schema);
  }
}

/* 50,000 persons, three records each, in an order that mixes them. */
static void test_many_persons(void **state) {
  (void)state;
  enum { PERSONS = 50000, RECORDS = 3 * PERSONS };
  double *values = malloc(sizeof(double) * 2 * RECORDS);
  for (size_t i = 0; i < RECORDS; i++) {
    values[2 * i] = (double)(i * 7919 % PERSONS);
    values[2 * i + 1] = (double)i;
  }
  static const char *const names[] = {"id", "x"};
  static const char *const X[] = {"x"};
  for (uint32_t limit = 1; limit <= 3; limit++) {
    sfm_rows *rows;
    sfm_schema *schema = bounded(X, 1, 0, 1e9);
    MUST(sfm_schema_set_person(schema, "id", error));
    MUST(sfm_schema_set_contributions(schema, limit, error));
    MUST(sfm_rows_from_array(&rows, values, RECORDS, 2, names, error));
    sfmi_selection selection = {schema, X, 1, SFM_OUTSIDE_CLAMP};
    reading r = read_all(rows, &selection);
    assert_int_equal(r.rows, RECORDS);
    for (size_t i = 0; i < PERSONS; i++) { /* the period is PERSONS */
      const int kept = r.keep[i] + r.keep[i + PERSONS] + r.keep[i + 2 * PERSONS];
      if (kept != (int)limit)
        fail_msg("person of record %zu, limit %u: %d are kept", i, limit, kept);
    }
    sfm_rows_report *report;
    MUST(sfm_rows_check(rows, &report, schema, error));
    assert_int_equal(report->persons, PERSONS);
    assert_int_equal(report->persons_over, limit < 3 ? PERSONS : 0);
    assert_int_equal(report->records_over, (3 - limit) * PERSONS);
    assert_int_equal(report->zero_rows, (3 - limit) * PERSONS);
    sfm_rows_report_destroy(report);
    reading_clear(&r);
    sfm_rows_destroy(rows);
    sfm_schema_destroy(schema);
  }
  free(values);
}

static void test_arrays(void **state) {
  (void)state;
  enum { ROWS = 10000 };
  static double values[ROWS * 3];
  for (size_t i = 0; i < ROWS * 3; i++) values[i] = (double)i;
  values[7] = NAN;
  sfm_rows *rows;
  uint64_t count;
  MUST(sfm_rows_from_array(&rows, values, ROWS, 3, NULL, error));
  assert_int_equal(sfm_rows_column_count(rows), 3);
  assert_string_equal(sfm_rows_column_name(rows, 2), "2");
  MUST(sfm_rows_count(rows, &count, error));
  assert_int_equal(count, ROWS);
  static const char *const names[] = {"2", "1"};
  sfm_schema *schema = bounded(names, 2, 0, 1e6);
  sfmi_selection selection = {schema, names, 2, SFM_OUTSIDE_CLAMP};
  reading r = read_all(rows, &selection);
  assert_int_equal(r.rows, ROWS);
  for (size_t i = 0; i < ROWS; i++) {
    assert_int_equal(r.keep[i], i != 2);
    if (r.keep[i])
      assert_true(r.values[2 * i] == values[3 * i + 2] && r.values[2 * i + 1] == values[3 * i + 1]);
  }
  reading_clear(&r);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  REFUSES(SFM_INVALID, sfm_rows_from_array(&rows, values, 1, 0, NULL, error), "columns");
  REFUSES(SFM_INVALID, sfm_rows_from_array(&rows, values, SIZE_MAX / 4, 4, NULL, error), "memory");
  MUST(sfm_rows_from_array(&rows, NULL, 0, 1, NULL, error));
  MUST(sfm_rows_count(rows, &count, error));
  assert_int_equal(count, 0);
  sfm_rows_destroy(rows);
  sfm_rows_destroy(NULL);
}

static const sfm_column_check *find_check(const sfm_rows_report *report, const char *name) {
  for (size_t i = 0; i < report->column_count; i++)
    if (strcmp(report->columns[i].name, name) == 0) return &report->columns[i];
  fail_msg("no column %s", name);
  return NULL;
}

static void expect_counts(const sfm_rows_report *report, const char *name, uint64_t below,
                          uint64_t above, uint64_t undeclared, uint64_t unreadable,
                          uint64_t empty) {
  const sfm_column_check *check = find_check(report, name);
  if (check->below != below || check->above != above || check->undeclared != undeclared ||
      check->unreadable != unreadable || check->empty != empty)
    fail_msg("%s: below %d, above %d, undeclared %d, unreadable %d, empty %d", name,
             (int)check->below, (int)check->above, (int)check->undeclared, (int)check->unreadable,
             (int)check->empty);
}

static void test_check(void **state) {
  (void)state;
  static const char file[] = "id,age,visits,ward,smokes,note\n"
                             "p,30,1,north,true,\n"    /* good */
                             "p,-5,2,south,0,x\n"      /* below */
                             "q,200,3,north,FALSE,y\n" /* above */
                             "q,old,4,north,1,z\n"     /* unreadable */
                             "q,,5,north,True,w\n"     /* empty; third of q */
                             "r,40,1.5,east,yes,\"v\n" /* everything wrong but the age */
                             "\n"                      /* blank: a record, of nobody */
                             "s,41,\"6\",\"north\",\"true\",ok\n"; /* good, quoted */
  sfm_schema *schema =
      parse("{\"fields\": ["
            "{\"name\": \"age\", \"type\": \"number\","
            " \"constraints\": {\"minimum\": 0, \"maximum\": 120}},"
            "{\"name\": \"visits\", \"type\": \"integer\"},"
            "{\"name\": \"ward\", \"constraints\": {\"enum\": [\"north\", \"south\"]}},"
            "{\"name\": \"smokes\", \"type\": \"boolean\"},"
            "{\"name\": \"note\", \"type\": \"string\"},"
            "{\"name\": \"id\", \"type\": \"string\"}],"
            "\"person\": \"id\", \"contributions\": 2}");
  sfm_rows *rows = open_text(file);
  sfm_rows_report *report;
  MUST(sfm_rows_check(rows, &report, schema, error));
  assert_int_equal(report->records, 8);
  assert_int_equal(report->column_count, 6);
  expect_counts(report, "age", 1, 1, 0, 1, 2);
  expect_counts(report, "visits", 0, 0, 0, 1, 1);
  expect_counts(report, "ward", 0, 0, 1, 0, 1);
  expect_counts(report, "smokes", 0, 0, 1, 0, 1);
  expect_counts(report, "note", 0, 0, 0, 1, 2);
  expect_counts(report, "id", 0, 0, 0, 0, 1);
  assert_int_equal(report->persons, 4);
  assert_int_equal(report->unidentified, 1);
  assert_int_equal(report->persons_over, 1);
  assert_int_equal(report->records_over, 1);
  assert_int_equal(report->zero_rows, 4);
  assert_false(report->unfinished);
  sfm_rows_report_destroy(report);
  sfm_rows_report_destroy(NULL);
  sfm_schema_destroy(schema);
  schema = parse("{\"fields\": [{\"name\": \"height\", \"type\": \"number\"}]}");
  REFUSES(SFM_INVALID, sfm_rows_check(rows, &report, schema, error), "'height'", "id, age");
  assert_null(report);
  sfm_schema_destroy(schema);
  sfm_rows_destroy(rows);
}

/* What the dry run calls a zero row is what a reading of the same columns does not keep. */
static void test_check_agrees_with_reading(void **state) {
  (void)state;
  static const char *const names[] = {"a", "b"};
  static const char alphabet[] = "0123456789.,,\"\"-e \n\n\nxy";
  uint64_t seed = 4711;
  for (int trial = 0; trial < 300; trial++) {
    char file[600] = "a,b,id\n";
    size_t size = 7, end = 7 + pick(&seed) % 590;
    while (size < end) file[size++] = alphabet[pick(&seed) % (sizeof alphabet - 1)];
    sfm_rows *rows;
    sfm_schema *schema = bounded(names, 2, 0, 100);
    MUST(sfm_schema_set_person(schema, trial % 2 ? "id" : "b", error));
    MUST(sfm_schema_set_contributions(schema, 3, error));
    MUST(sfmi_rows_open_memory(&rows, file, size, 1 + pick(&seed) % 40, error));
    sfmi_selection selection = {schema, names, 2, SFM_OUTSIDE_CLAMP};
    reading r = read_all(rows, &selection);
    uint64_t zeros = 0;
    for (size_t i = 0; i < r.rows; i++) zeros += !r.keep[i];
    sfm_rows_report *report;
    MUST(sfm_rows_check(rows, &report, schema, error));
    assert_int_equal(report->records, r.rows);
    assert_int_equal(report->zero_rows, zeros);
    sfm_rows_report_destroy(report);
    reading_clear(&r);
    sfm_rows_destroy(rows);
    sfm_schema_destroy(schema);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clamp_and_drop),
      cmocka_unit_test(test_integers_and_codes),
      cmocka_unit_test(test_selection_refused),
      cmocka_unit_test(test_messages_show_no_rows),
      cmocka_unit_test(test_columns_in_any_order),
      cmocka_unit_test(test_persons),
      cmocka_unit_test(test_typed_persons),
      cmocka_unit_test(test_order_decides_nothing),
      cmocka_unit_test(test_many_persons),
      cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_check),
      cmocka_unit_test(test_check_agrees_with_reading),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
