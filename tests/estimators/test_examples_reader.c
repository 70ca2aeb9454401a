/* test_examples_reader.c - private rows become examples: from CSV with categories, from NPY, from
 * libsvm text; rows that do not fit, persons with too many, rows missing or too many. */
#include "test_support.h"

#include "data/rows/rows_open.h"
#include "estimators/machine/examples_reader.h"
#include "features/encoding_fixtures.h"
#include "row_keys_fixture.h"

#define REFUSES(call, needle)                                                                      \
  do {                                                                                             \
    sfm_error error;                                                                               \
    assert_int_equal((call), SFM_INVALID);                                                         \
    if (!strstr(error.message, needle)) fail_msg("'%s' lacks '%s'", error.message, needle);        \
  } while (0)

static sfm_schema *empty_schema(void) {
  sfm_error error;
  sfm_schema *schema;
  assert_ok(sfm_schema_create(&schema, &error), &error);
  return schema;
}

static sfm_rows *open_text(const char *text) {
  sfm_error error;
  sfm_rows *rows;
  assert_ok(sfmi_rows_open_memory(&rows, text, strlen(text), 0, &error), &error);
  return rows;
}

static sfm_rows *open_sparse(const char *text, size_t dimension) {
  sfm_error error;
  sfm_rows *rows;
  assert_ok(sfmi_rows_open_sparse_memory(&rows, text, strlen(text), dimension, false, 0, &error),
            &error);
  return rows;
}

/* age 0:100 and sex F|M, scaled to unit. */
static sfmi_encoding people(void) {
  sfm_error error;
  sfmi_encoding encoding = {.scaling = SFM_SCALING_UNIT, .clip = INFINITY};
  encode_categories(&encoding, "sex", (const char *const[]){"F", "M"}, 2);
  encode_number(&encoding, "age", 0, 100);
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  return encoding;
}

static sfmi_feature_map *linear(const sfmi_encoding *encoding, double constant) {
  sfm_error error;
  sfmi_feature_map *map;
  assert_ok(sfmi_feature_map_create(&map,
                                    &(sfmi_feature_map){.form = SFMI_FEATURE_MAP_LINEAR,
                                                        .kernel = SFM_KERNEL_LINEAR,
                                                        .dimension = encoding->dimension,
                                                        .radius = encoding->radius,
                                                        .constant = constant},
                                    &error),
            &error);
  return map;
}

static sfmi_feature_map *random_map(const sfmi_encoding *encoding, size_t frequencies) {
  sfm_error error;
  sfmi_feature_map *map;
  assert_ok(sfmi_feature_map_create(&map,
                                    &(sfmi_feature_map){.form = SFMI_FEATURE_MAP_RANDOM,
                                                        .kernel = SFM_KERNEL_GAUSSIAN,
                                                        .dimension = encoding->dimension,
                                                        .radius = encoding->radius,
                                                        .bandwidth = 0.5,
                                                        .constant = 0.25,
                                                        .frequencies = frequencies,
                                                        .seed = 3},
                                    &error),
            &error);
  return map;
}

static sfmi_examples *read_examples(sfm_rows *rows, const sfmi_examples_source *source,
                                    const sfmi_feature_map *map, sfmi_examples_form form,
                                    uint64_t count, size_t threads) {
  sfm_error error;
  sfmi_examples *examples;
  assert_ok(sfmi_examples_begin(rows, source, &error), &error);
  const sfm_context context = {.threads = (uint32_t)threads};
  assert_ok(sfmi_examples_read(&examples, rows, source, map, form, count, &context, &error),
            &error);
  assert_int_equal(examples->rows, count);
  assert_int_equal(examples->form, form);
  return examples;
}

/* Row r as "label: index=value ..." */
static const char *shown(const sfmi_examples *examples, size_t r) {
  static char text[512];
  char *at = text;
  if (!examples->keep[r]) {
    assert_true(examples->labels[r] == 0 && examples->starts[r] == examples->starts[r + 1]);
    return "nothing";
  }
  at += sprintf(at, "%g:", examples->labels[r]);
  for (size_t j = examples->starts[r]; j < examples->starts[r + 1]; j++)
    at += sprintf(at, " %u=%g", examples->indices[j], examples->values[j]);
  return text;
}

static const char PEOPLE[] = "id,y,age,sex\n"
                             "a,yes,75,M\n"
                             "b,no,200, F \n"
                             "c,maybe,75,M\n"
                             "d,yes,,M\n"
                             "e,yes,75,X\n"
                             "f,no,50,F\n"
                             "\n"
                             "g, yes ,0,\"M\"\n"
                             "h,,1,M\n";

static void columns_with_categories_and_words(void **state) {
  (void)state;
  static const char *const labels[] = {"no", "yes"};
  static const char *const wanted[] = {"1: 1=1 2=0.5 3=2", "-1: 0=1 2=1 3=2", "nothing",
                                       "nothing",          "nothing",         "-1: 0=1 3=2",
                                       "nothing",          "1: 1=1 2=-1 3=2", "nothing"};
  sfmi_encoding encoding = people();
  sfm_schema *schema = empty_schema();
  sfmi_feature_map *map = linear(&encoding, 2);
  const sfmi_examples_source source = {
      .schema = schema, .encoding = &encoding, .label = "y", .labels = labels, .class_count = 2};
  sfm_rows *rows = open_text(PEOPLE);
  sfmi_examples *examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, 9, 1);
  assert_int_equal(examples->features, 4);
  for (size_t r = 0; r < 9; r++) assert_string_equal(shown(examples, r), wanted[r]);
  sfmi_examples_destroy(examples);
  /* Coordinates alone: the constant is not among them. */
  examples = read_examples(rows, &source, map, SFMI_EXAMPLES_KERNEL, 9, 1);
  assert_int_equal(examples->features, 9);
  assert_string_equal(shown(examples, 0), "1: 1=1 2=0.5");
  sfmi_examples_destroy(examples);
  sfm_rows_destroy(rows);
  sfmi_feature_map_destroy(map);
  sfm_schema_destroy(schema);
  sfmi_encoding_clear(&encoding);
}

static void values_beyond_bounds_can_be_dropped(void **state) {
  (void)state;
  static const char *const labels[] = {"no", "yes"};
  sfmi_encoding encoding = people();
  encoding.drop = true;
  sfm_schema *schema = empty_schema();
  sfmi_feature_map *map = linear(&encoding, 0);
  sfmi_examples_source source = {
      .schema = schema, .encoding = &encoding, .label = "y", .labels = labels, .class_count = 2};
  sfm_rows *rows = open_text(PEOPLE);
  sfmi_examples *examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, 9, 1);
  assert_string_equal(shown(examples, 0), "1: 1=1 2=0.5");
  assert_string_equal(shown(examples, 1), "nothing");
  sfmi_examples_destroy(examples);
  sfm_rows_destroy(rows);
  sfmi_feature_map_destroy(map);
  sfm_schema_destroy(schema);
  sfmi_encoding_clear(&encoding);
}

/* A person's records are chosen whatever they hold: one that is of no use is chosen, too. */
static void a_person_has_so_many_records(void **state) {
  (void)state;
  sfm_error error;
  static const char *const labels[] = {"-1", "1"};
  sfmi_encoding encoding = people();
  sfm_schema *schema = empty_schema();
  assert_ok(sfm_schema_set_person(schema, "id", &error), &error);
  assert_ok(sfm_schema_set_contributions(schema, 2, &error), &error);
  sfmi_feature_map *map = linear(&encoding, 0);
  const sfmi_examples_source source = {
      .schema = schema, .encoding = &encoding, .label = "y", .labels = labels, .class_count = 2};
  sfm_rows *rows = open_text("id,y,age,sex\na,1,0,F\na,bad,0,F\nb,1,0,F\na,1,0,F\n,1,0,F\n");
  bool seen[3] = {false};
  for (uint64_t seed = 0; seed < 60; seed++) {
    sfmi_rows_set_seed(rows, seed);
    sfmi_examples *examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, 5, 1);
    const uint8_t *keep = examples->keep;
    assert_true(keep[0] + keep[3] > 0 && !keep[1] && keep[2] && !keep[4]);
    seen[keep[0] + keep[3]] = true;
    sfmi_examples_destroy(examples);
  }
  assert_true(seen[1] && seen[2]);
  sfm_rows_destroy(rows);
  sfmi_feature_map_destroy(map);
  sfm_schema_destroy(schema);
  sfmi_encoding_clear(&encoding);
}

/* Labels that are numbers are compared as numbers, whatever the schema says of their column. */
static void labels_are_compared_as_numbers(void **state) {
  (void)state;
  sfm_error error;
  static const char *const labels[] = {"-1", "+1"};
  static const char *const wanted[] = {"-1:", "1:", "1:", "1:", "-1:", "nothing", "nothing"};
  for (int kind = 0; kind < 3; kind++) {
    sfmi_encoding encoding = {.scaling = SFM_SCALING_UNIT, .clip = INFINITY};
    encode_number(&encoding, "x", -1, 1);
    assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
    sfm_schema *schema = empty_schema();
    if (kind == 1) assert_ok(sfm_schema_set_categories(schema, "y", labels, 2, &error), &error);
    if (kind == 2) assert_ok(sfm_schema_set_bounds(schema, "y", -1, 1, &error), &error);
    sfmi_feature_map *map = linear(&encoding, 0);
    const sfmi_examples_source source = {
        .schema = schema, .encoding = &encoding, .label = "y", .labels = labels, .class_count = 2};
    sfm_rows *rows = open_text("x,y\n0,-1\n0,1\n0,+1\n0,\"1.0\"\n0,-1e0\n0,2\n0,one\n");
    sfmi_examples *examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, 7, 1);
    for (size_t r = 0; r < 7; r++) assert_string_equal(shown(examples, r), wanted[r]);
    sfmi_examples_destroy(examples);
    sfm_rows_destroy(rows);
    sfmi_feature_map_destroy(map);
    sfm_schema_destroy(schema);
    sfmi_encoding_clear(&encoding);
  }
}

/* Numbers are clamped and mapped to [-1, 1]; more than two labels are classes. */
static void targets_and_classes(void **state) {
  (void)state;
  sfm_error error;
  static const double array[] = {0.5, 10, 0.5, 0, 0.5, 7.5, 0.5, 99, NAN, 5, 0.5, INFINITY};
  static const char *const names[] = {"x", "y"};
  static const char *const labels[] = {"0", "10", "7.5"};
  sfmi_encoding encoding = {.scaling = SFM_SCALING_NONE, .clip = INFINITY};
  encode_number(&encoding, "x", -1, 1);
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  sfm_schema *schema = empty_schema();
  sfmi_feature_map *map = linear(&encoding, 0);
  sfmi_examples_source source = {
      .schema = schema, .encoding = &encoding, .label = "y", .lower = 0, .upper = 10};
  sfm_rows *rows;
  assert_ok(sfm_rows_from_array(&rows, array, 6, 2, names, &error), &error);
  sfmi_examples *examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, 6, 1);
  static const char *const numbers[] = {"1: 0=0.5", "-1: 0=0.5", "0.5: 0=0.5",
                                        "1: 0=0.5", "nothing",   "nothing"};
  for (size_t r = 0; r < 6; r++) assert_string_equal(shown(examples, r), numbers[r]);
  assert_null(examples->classes);
  sfmi_examples_destroy(examples);
  encoding.drop = true;
  examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, 6, 1);
  assert_string_equal(shown(examples, 3), "nothing");
  sfmi_examples_destroy(examples);
  source.labels = labels;
  source.class_count = 3;
  examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, 6, 1);
  static const uint8_t keep[] = {1, 1, 1, 0, 0, 0};
  static const uint32_t classes[] = {1, 0, 2, 0, 0, 0};
  assert_memory_equal(examples->keep, keep, sizeof keep);
  assert_memory_equal(examples->classes, classes, sizeof classes);
  sfmi_examples_destroy(examples);
  sfm_rows_destroy(rows);
  sfmi_feature_map_destroy(map);
  sfm_schema_destroy(schema);
  sfmi_encoding_clear(&encoding);
}

/* Sparse text; fewer rows than were counted, and more. */
static void sparse_text(void **state) {
  (void)state;
  sfm_error error;
  static const char *const labels[] = {"-1", "1"};
  static const char *const wanted[] = {"1: 0=0.6 3=0.8", "-1: 1=0.5", "nothing", "nothing",
                                       "nothing",        "nothing",   "1:"};
  sfmi_encoding encoding = {.scaling = SFM_SCALING_NONE, .clip = 1, .dimension = 4};
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  sfmi_feature_map *map = linear(&encoding, 0);
  sfm_schema *schema = empty_schema();
  sfmi_examples_source source = {
      .schema = schema, .encoding = &encoding, .labels = labels, .class_count = 2};
  sfm_rows *rows = open_sparse("+1 1:3 4:4\n-1 2:.5\n3 1:1\n1 5:1\n1 1:x\n\n1\n", 4);
  for (uint64_t count = 3; count < 12; count += 4) {
    sfmi_examples *examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, count, 1);
    for (size_t r = 0; r < count; r++)
      assert_string_equal(shown(examples, r), r < 7 ? wanted[r] : "nothing");
    assert_int_equal(examples->starts[count], examples->nonzeros);
    sfmi_examples_destroy(examples);
  }
  /* The fingerprint is that of all rows, however many count. */
  uint8_t key[SFMI_DIGEST_BYTES] = {1}, prints[2][SFMI_DIGEST_BYTES];
  set_keys(rows, key, false);
  for (int i = 0; i < 2; i++) {
    sfmi_examples_destroy(read_examples(rows, &source, map, SFMI_EXAMPLES_KERNEL, i ? 7 : 2, 1));
    sfmi_rows_fingerprint(rows, prints[i]);
  }
  assert_memory_equal(prints[0], prints[1], SFMI_DIGEST_BYTES);
  source.labels = NULL;
  source.class_count = 0;
  source.lower = -1;
  source.upper = 3;
  sfmi_examples *examples = read_examples(rows, &source, map, SFMI_EXAMPLES_MONOMIALS, 7, 1);
  assert_string_equal(shown(examples, 2), "1: 0=1");
  assert_string_equal(shown(examples, 6), "0:");
  sfmi_examples_destroy(examples);
  sfm_rows_destroy(rows);
  sfmi_feature_map_destroy(map);
  sfm_schema_destroy(schema);
  sfmi_encoding_clear(&encoding);
}

/* Floats of several batches and threads are those of each row alone; rows that contribute nothing
 * are zeros, and so is what follows the features. */
static void dense_rows_are_those_of_each_row(void **state) {
  (void)state;
  enum { ROWS = 9000, COLUMNS = 5 };
  sfm_error error;
  static double array[ROWS * COLUMNS];
  static const char *const names[] = {"a", "b", "c", "d", "y"};
  static const char *const labels[] = {"-1", "1"};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 31);
  for (size_t i = 0; i < ROWS * COLUMNS; i++) array[i] = 2 * sfmi_prng_uniform(&prng) - 1;
  for (size_t r = 0; r < ROWS; r++) array[r * COLUMNS + 4] = r % 11 ? r % 2 ? 1 : -1 : 5;
  sfmi_encoding encoding = {.scaling = SFM_SCALING_UNIT, .clip = INFINITY};
  for (size_t a = 0; a < 4; a++) encode_number(&encoding, names[a], -1, 1);
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  sfm_schema *schema = empty_schema();
  sfmi_feature_map *map = random_map(&encoding, 50);
  const sfmi_examples_source source = {
      .schema = schema, .encoding = &encoding, .label = "y", .labels = labels, .class_count = 2};
  sfm_rows *rows;
  assert_ok(sfm_rows_from_array(&rows, array, ROWS, COLUMNS, names, &error), &error);
  for (size_t threads = 1; threads <= 3; threads += 2) {
    sfmi_examples *examples =
        read_examples(rows, &source, map, SFMI_EXAMPLES_DENSE, ROWS + 3, threads);
    assert_int_equal(examples->features, 101);
    assert_int_equal(examples->stride, 112);
    assert_int_equal((uintptr_t)examples->dense % 64, 0);
    for (size_t r = 0; r < ROWS + 3; r++) {
      const float *phi = examples->dense + r * examples->stride;
      const bool kept = r < ROWS && r % 11 != 0;
      float alone[101];
      uint32_t indices[4];
      double u[4];
      assert_int_equal(examples->keep[r], kept);
      for (size_t j = kept ? 101 : 0; j < 112; j++) assert_true(phi[j] == 0);
      if (!kept) continue;
      const size_t starts[2] = {0, sfmi_encoding_row(&encoding, indices, u, array + r * COLUMNS)};
      sfmi_feature_map_floats(map, alone, 101, starts, indices, u, 1);
      assert_memory_equal(alone, phi, sizeof alone);
    }
    sfmi_examples_destroy(examples);
  }
  sfm_rows_destroy(rows);
  sfmi_feature_map_destroy(map);
  sfm_schema_destroy(schema);
  sfmi_encoding_clear(&encoding);
}

/* Ten thousand columns, in another order than those of the file, some with categories. */
static void wide_tables(void **state) {
  (void)state;
  enum { COLUMNS = 10000, ROWS = 250 };
  sfm_error error;
  char *text = malloc((size_t)COLUMNS * (ROWS * 2 + 8)), *at = text;
  for (size_t c = 0; c < COLUMNS; c++) at += sprintf(at, "s%zu,", c);
  at += sprintf(at, "y\n");
  for (size_t r = 0; r < ROWS; r++) {
    for (size_t c = 0; c < COLUMNS; c++) {
      *at++ = (char)('0' + (r * 7 + c * c) % 3);
      *at++ = ',';
    }
    at += sprintf(at, "%zu\n", r % 2);
  }
  *at = '\0';
  static const char *const labels[] = {"0", "1"};
  sfmi_encoding encoding = {.scaling = SFM_SCALING_UNIT, .clip = INFINITY};
  sfm_schema *schema = empty_schema();
  for (size_t c = COLUMNS; c-- > 0;) {
    char name[32];
    snprintf(name, sizeof name, "s%zu", c);
    if (c % 1000 == 0)
      encode_categories(&encoding, name, (const char *const[]){"0", "1", "2"}, 3);
    else
      encode_number(&encoding, name, 0, 2);
    if (c % 1000 != 0) assert_ok(sfm_schema_set_bounds(schema, name, 0, 2, &error), &error);
  }
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  assert_int_equal(encoding.dimension, COLUMNS + 2 * COLUMNS / 1000);
  sfmi_feature_map *map = linear(&encoding, 0);
  const sfmi_examples_source source = {
      .schema = schema, .encoding = &encoding, .label = "y", .labels = labels, .class_count = 2};
  sfm_rows *rows = open_text(text);
  sfmi_examples *examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, ROWS, 1);
  for (size_t r = 0; r < ROWS; r++) {
    size_t j = examples->starts[r];
    assert_true(examples->keep[r] && examples->labels[r] == (r % 2 ? 1 : -1));
    for (size_t i = 0; i < COLUMNS; i++) {
      const size_t c = COLUMNS - 1 - i, cell = (r * 7 + c * c) % 3;
      if (c % 1000 == 0) {
        assert_int_equal(examples->indices[j], encoding.inputs[i].first + cell);
        assert_true(examples->values[j++] == 1);
      } else if (cell != 1) {
        assert_int_equal(examples->indices[j], encoding.inputs[i].first);
        assert_true(examples->values[j++] == (double)cell - 1);
      }
    }
    assert_int_equal(j, examples->starts[r + 1]);
  }
  sfmi_examples_destroy(examples);
  sfm_rows_destroy(rows);
  sfmi_feature_map_destroy(map);
  sfm_schema_destroy(schema);
  sfmi_encoding_clear(&encoding);
  free(text);
}

/* The same for numbers whose columns are called by theirs. */
static void wide_arrays(void **state) {
  (void)state;
  enum { COLUMNS = 10001, ROWS = 70 };
  sfm_error error;
  double *array = sfmi_alloc((size_t)COLUMNS * ROWS, sizeof *array);
  for (size_t i = 0; i < (size_t)COLUMNS * ROWS; i++) array[i] = (double)(i % 1013) / 1013;
  for (size_t r = 0; r < ROWS; r++) array[r * COLUMNS + COLUMNS - 1] = (double)(r % 3);
  static const char *const labels[] = {"0", "1"};
  sfmi_encoding encoding = {.scaling = SFM_SCALING_NONE, .clip = INFINITY};
  sfm_schema *schema = empty_schema();
  for (size_t c = 0; c < COLUMNS - 1; c++) {
    char name[32];
    snprintf(name, sizeof name, "%zu", c);
    encode_number(&encoding, name, -1, 1);
  }
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  sfmi_feature_map *map = linear(&encoding, 0);
  const sfmi_examples_source source = {.schema = schema,
                                       .encoding = &encoding,
                                       .label = "10000",
                                       .labels = labels,
                                       .class_count = 2};
  sfm_rows *rows;
  assert_ok(sfm_rows_from_array(&rows, array, ROWS, COLUMNS, NULL, &error), &error);
  sfmi_examples *examples = read_examples(rows, &source, map, SFMI_EXAMPLES_SPARSE, ROWS, 1);
  for (size_t r = 0; r < ROWS; r++) {
    size_t j = examples->starts[r];
    assert_int_equal(examples->keep[r], r % 3 < 2);
    for (size_t c = 0; examples->keep[r] && c < COLUMNS - 1; c++) {
      if (array[r * COLUMNS + c] == 0) continue;
      assert_int_equal(examples->indices[j], c);
      assert_true(examples->values[j++] == array[r * COLUMNS + c]);
    }
    assert_int_equal(j, examples->starts[r + 1]);
  }
  sfmi_examples_destroy(examples);
  sfm_rows_destroy(rows);
  sfmi_feature_map_destroy(map);
  sfm_schema_destroy(schema);
  sfmi_encoding_clear(&encoding);
  free(array);
}

/* Before anything is charged. */
static void dense_rows_that_no_memory_holds(void **state) {
  (void)state;
  sfm_error error;
  sfmi_encoding encoding = people();
  sfmi_feature_map *map = random_map(&encoding, 50);
  assert_ok(sfmi_examples_fit_memory(map, SFMI_EXAMPLES_DENSE, 1000, &error), &error);
  assert_ok(sfmi_examples_fit_memory(map, SFMI_EXAMPLES_SPARSE, UINT64_MAX, &error), &error);
  assert_int_equal(sfmi_examples_fit_memory(map, SFMI_EXAMPLES_DENSE, (uint64_t)1 << 57, &error),
                   SFM_MEMORY);
  assert_non_null(strstr(error.message, "101 features"));
  sfmi_feature_map_destroy(map);
  sfmi_encoding_clear(&encoding);
}

static void what_cannot_be_read_is_refused(void **state) {
  (void)state;
  static const char *const words[] = {"no", "yes"}, *const twice[] = {"1", "1.0"};
  sfmi_encoding encoding = people();
  sfm_schema *schema = empty_schema();
  sfmi_examples_source source = {
      .schema = schema, .encoding = &encoding, .label = "gone", .labels = words, .class_count = 2};
  sfm_rows *rows = open_text(PEOPLE);
  REFUSES(sfmi_examples_begin(rows, &source, &error), "no column 'gone'");
  source.label = "age";
  REFUSES(sfmi_examples_begin(rows, &source, &error), "'age' is the label");
  source.label = NULL;
  REFUSES(sfmi_examples_begin(rows, &source, &error), "settings.label");
  source.label = "y";
  source.labels = twice;
  REFUSES(sfmi_examples_begin(rows, &source, &error), "declared twice");
  source.class_count = 1;
  REFUSES(sfmi_examples_begin(rows, &source, &error), "at least two labels");
  source.labels = NULL;
  source.class_count = 0;
  REFUSES(sfmi_examples_begin(rows, &source, &error), "settings.label_lower");
  sfm_rows_destroy(rows);
  rows = open_sparse("1 1:1\n", 3);
  source.labels = words;
  source.class_count = 2;
  REFUSES(sfmi_examples_begin(rows, &source, &error), "libsvm text");
  sfmi_encoding_clear(&encoding);
  encoding = (sfmi_encoding){.scaling = SFM_SCALING_NONE, .clip = 1, .dimension = 4};
  sfm_error unused;
  assert_ok(sfmi_encoding_complete(&encoding, &unused), &unused);
  REFUSES(sfmi_examples_begin(rows, &source, &error), "'-1|1'");
  source.labels = (const char *const[]){"0", "1"};
  REFUSES(sfmi_examples_begin(rows, &source, &error), "rows.dimension = 4");
  sfm_rows_destroy(rows);
  rows = open_text(PEOPLE);
  REFUSES(sfmi_examples_begin(rows, &source, &error), "settings.features");
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  sfmi_encoding_clear(&encoding);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_with_categories_and_words),
      cmocka_unit_test(values_beyond_bounds_can_be_dropped),
      cmocka_unit_test(a_person_has_so_many_records),
      cmocka_unit_test(labels_are_compared_as_numbers),
      cmocka_unit_test(targets_and_classes),
      cmocka_unit_test(sparse_text),
      cmocka_unit_test(dense_rows_are_those_of_each_row),
      cmocka_unit_test(wide_tables),
      cmocka_unit_test(wide_arrays),
      cmocka_unit_test(dense_rows_that_no_memory_holds),
      cmocka_unit_test(what_cannot_be_read_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
