/* test_rows_split.c - the file of a part gives the same partial as all rows do, has lines of the
 * rows as they are, and every line is in one file; all files appear, or none. */
#include "test_support.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/rows/rows_open.h"
#include "ledger/dataset_key.h"
#include "ledger/key_derivation.h"
#include "data/partial/partial.h"
#include "sfumato/partial.h"

enum { TEXT_MAX = 4 << 20, PATH_MAX_HERE = 200 };

static sfm_error error;
static char here[64], pattern[PATH_MAX_HERE], *text;
static size_t length;

static sfm_key key_of(uint8_t seed) {
  sfm_key key = {.dataset = "rows"};
  memset(key.keys.fingerprint, seed, sizeof key.keys.fingerprint);
  memset(key.keys.persons, seed + 1, sizeof key.keys.persons);
  sfmi_row_keys_identify(key.keys.id, &key.keys);
  return key;
}

/* Lines that are read in different ways; `end`: the header has a line end. */
static void make_text(bool records, bool end) {
  static const char *const odd[] = {
      ",5,nobody", "\"7\",1,quoted", " 7 ,2,blanks",  "7.0,3,number", "\"a\"\"b\",4,cut", "",
      "x",         "07,6,\r",        "\"open,7,never"};
  length = (size_t)sprintf(text, "id,x,note%s", end ? "\n" : "");
  for (size_t i = 0; records && i < 9000; i++)
    length += (size_t)sprintf(text + length, "%zu,%zu,n%zu\n", i * i % 701, i % 50, i);
  for (size_t i = 0; records && i < sizeof odd / sizeof *odd; i++)
    length += (size_t)sprintf(text + length, "%s\n", odd[i]);
  if (records) length += (size_t)sprintf(text + length, "8,9,no line end");
}

static sfm_schema *schema_of(const char *type) {
  char json[200];
  sfm_schema *schema;
  snprintf(json, sizeof json,
           "{\"fields\": [{\"name\": \"id\", \"type\": \"%s\"}], \"person\": \"id\", "
           "\"neighbours\": \"add-remove\", \"contributions\": 3}",
           type);
  assert_ok(sfm_schema_parse(&schema, json, strlen(json), "the schema", &error), &error);
  return schema;
}

static sfm_rows *all_rows(void) {
  sfm_rows *rows;
  assert_ok(sfmi_rows_open_memory(&rows, text, length, 0, &error), &error);
  return rows;
}

static const char *path_of(uint64_t part) {
  static char path[PATH_MAX_HERE];
  snprintf(path, sizeof path, "%s/rows-%llu.csv", here, (unsigned long long)part);
  return path;
}

static size_t files_here(bool removed) {
  DIR *folder = opendir(here);
  size_t count = 0;
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.' && (!entry->d_name[1] || entry->d_name[1] == '.')) continue;
    count++;
    if (removed) assert_int_equal(unlinkat(dirfd(folder), entry->d_name, 0), 0);
  }
  closedir(folder);
  return count;
}

static sfm_status split(const sfm_schema *schema, const sfm_key *key, const char *to,
                        uint64_t parts) {
  sfm_context context = sfm_context_default();
  sfm_rows *rows = all_rows();
  context.schema = schema;
  const sfm_status status = sfm_rows_split(rows, &context, key, to, parts, &error);
  sfm_rows_destroy(rows);
  return status;
}

/* The bytes of a part that these rows make, and how many. */
static void *part_of(size_t *size, sfm_rows *rows, const sfm_schema *schema, const sfm_key *key,
                     uint64_t number, uint64_t of) {
  sfm_count_settings settings = sfm_count_settings_default();
  sfm_part part = sfm_part_default();
  sfm_partial *partial;
  void *bytes;
  settings.context.schema = schema;
  settings.epsilon = 1;
  settings.where = "x < 30";
  part.number = number;
  part.of = of;
  part.key = key;
  assert_ok(sfm_count_partial_create(&partial, &settings, &part, &error), &error);
  assert_ok(sfm_partial_add(partial, rows, &error), &error);
  /* How many records were skipped, and read for it, is the only difference. */
  partial->skipped = partial->read_most = 0;
  partial->read_least = UINT64_MAX;
  assert_ok(sfm_partial_to_bytes(partial, &bytes, size, &error), &error);
  sfm_partial_destroy(partial);
  sfm_rows_destroy(rows);
  return bytes;
}

static void check_part(const sfm_schema *schema, const sfm_key *key, uint64_t number, uint64_t of) {
  size_t size, other;
  sfm_rows *own;
  assert_ok(sfm_rows_open(&own, path_of(number), &error), &error);
  void *whole = part_of(&size, all_rows(), schema, key, number, of),
       *made = part_of(&other, own, schema, key, number, of);
  if (size != other || memcmp(whole, made, size) != 0)
    fail_msg("part %d of %d is another one", (int)number, (int)of);
  sfm_partial_free_bytes(whole, size);
  sfm_partial_free_bytes(made, other);
}

/* The lines of a file follow each other in the text; how many bytes they are. */
static size_t check_lines(uint64_t number) {
  struct stat facts;
  FILE *file = fopen(path_of(number), "r");
  char *line = NULL;
  size_t room = 0, bytes = 0;
  const char *at = text;
  assert_non_null(file);
  assert_int_equal(fstat(fileno(file), &facts), 0);
  assert_int_equal(facts.st_mode & 07777, 0600);
  for (ssize_t got; (got = getline(&line, &room, file)) > 0; bytes += (size_t)got) {
    if (bytes == 0) {
      assert_int_equal(memcmp(line, text, (size_t)got - 1), 0);
      continue;
    }
    while (at && (strncmp(at, line, (size_t)got) != 0 || (at != text && at[-1] != '\n')))
      at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (!at) fail_msg("a line of file %d is not in the rows, or not in order", (int)number);
    at += got;
  }
  free(line);
  fclose(file);
  return bytes;
}

static void files_are_parts(void **state) {
  static const char *const types[] = {"string", "number", "integer"};
  static const uint64_t counts[] = {1, 3, 250};
  const sfm_key key = key_of(5);
  (void)state;
  for (size_t t = 0; t < 3; t++) {
    sfm_schema *schema = schema_of(types[t]);
    for (size_t c = 0; c < 3; c++) {
      make_text(true, true);
      const size_t header = strlen("id,x,note\n"), last = strlen("8,9,no line end");
      assert_ok(split(schema, &key, pattern, counts[c]), &error);
      assert_int_equal(files_here(false), counts[c]);
      size_t bytes = 0;
      for (uint64_t k = 1; k <= counts[c]; k++) {
        bytes += check_lines(k) - header;
        if (k < 4 || k > 248 || k % 50 == 0) check_part(schema, &key, k, counts[c]);
      }
      assert_int_equal(bytes, length - header - last); /* what has no line end is no record */
      files_here(true);
    }
    sfm_schema_destroy(schema);
  }
}

/* Under another key, and by ids of another type, persons are elsewhere. */
static void the_key_decides(void **state) {
  sfm_schema *schema = schema_of("integer");
  const sfm_key key = key_of(5), other = key_of(6);
  size_t size, again;
  sfm_rows *own;
  (void)state;
  make_text(true, true);
  assert_ok(split(schema, &other, pattern, 3), &error);
  assert_ok(sfm_rows_open(&own, path_of(2), &error), &error);
  void *whole = part_of(&size, all_rows(), schema, &key, 2, 3),
       *made = part_of(&again, own, schema, &key, 2, 3);
  assert_true(size != again || memcmp(whole, made, size) != 0);
  sfm_partial_free_bytes(whole, size);
  sfm_partial_free_bytes(made, again);
  files_here(true);
  sfm_schema_destroy(schema);
}

/* A line of which a reader holds the beginning only is cut there, and counts as before. */
static void long_lines_are_cut(void **state) {
  sfm_schema *schema = schema_of("string");
  const sfm_key key = key_of(5);
  struct stat facts;
  (void)state;
  make_text(false, true);
  length += (size_t)sprintf(text + length, "3,1,\n1,2,");
  memset(text + length, 'x', 3 << 19);
  length += 3 << 19;
  length += (size_t)sprintf(text + length, "\n2,3,\n");
  assert_ok(split(schema, &key, pattern, 2), &error);
  check_part(schema, &key, 1, 2);
  check_part(schema, &key, 2, 2);
  assert_int_equal(stat(path_of(1), &facts), 0);
  assert_true(facts.st_size > 1 << 20 && facts.st_size < (1 << 20) + 100);
  files_here(true);
  sfm_schema_destroy(schema);
}

static void files_without_records(void **state) {
  sfm_schema *schema = schema_of("string");
  const sfm_key key = key_of(5);
  struct stat facts;
  (void)state;
  make_text(false, false);
  assert_ok(split(schema, &key, pattern, 2), &error);
  for (uint64_t k = 1; k <= 2; k++) {
    check_part(schema, &key, k, 2);
    assert_int_equal(stat(path_of(k), &facts), 0);
    assert_int_equal(facts.st_size, strlen("id,x,note\n"));
  }
  files_here(true);
  sfm_schema_destroy(schema);
}

static void refused(const sfm_schema *schema, const sfm_key *key, const char *to, uint64_t parts,
                    const char *why) {
  assert_int_equal(split(schema, key, to, parts), SFM_INVALID);
  if (!strstr(error.message, why)) fail_msg("'%s' says nothing of '%s'", error.message, why);
}

static void mistakes_are_refused(void **state) {
  sfm_schema *schema = schema_of("string"), *nobody, *other = schema_of("string");
  const sfm_key key = key_of(5);
  char twice[PATH_MAX_HERE];
  (void)state;
  make_text(true, true);
  snprintf(twice, sizeof twice, "%s/%%-%%.csv", here);
  assert_ok(sfm_schema_create(&nobody, &error), &error);
  refused(schema, NULL, pattern, 2, "key");
  refused(schema, &key, here, 2, "%");
  refused(schema, &key, twice, 2, "%");
  refused(schema, &key, pattern, 0, "parts");
  refused(schema, &key, pattern, SFM_SPLIT_MAX + 1, "parts");
  refused(nobody, &key, pattern, 2, "schema.person");
  refused(NULL, &key, pattern, 2, "schema");
  assert_int_equal(files_here(false), 0);
  sfm_schema_destroy(nobody);
  sfm_schema_destroy(other);
  sfm_schema_destroy(schema);
}

/* One of the names is taken, in the first pass and in the last: no other file stays. */
static void all_files_or_none(void **state) {
  sfm_schema *schema = schema_of("string");
  const sfm_key key = key_of(5);
  (void)state;
  make_text(true, true);
  for (uint64_t taken = 2; taken < 250; taken += 200) {
    FILE *file = fopen(path_of(taken), "w");
    assert_non_null(file);
    fclose(file);
    refused(schema, &key, pattern, 250, path_of(taken));
    assert_int_equal(files_here(false), 1);
    files_here(true);
  }
  sfm_schema_destroy(schema);
}

static bool stop_soon(void *data, const sfm_progress *at) {
  int *calls = data;
  (void)at;
  return ++*calls < 2;
}

static void a_stop_leaves_nothing(void **state) {
  sfm_context context = sfm_context_default();
  sfm_schema *schema = schema_of("string");
  const sfm_key key = key_of(5);
  sfm_rows *rows;
  int calls = 0;
  (void)state;
  make_text(true, true);
  assert_ok(sfmi_rows_open_memory(&rows, text, length, 4096, &error), &error);
  context.schema = schema;
  context.progress = stop_soon;
  context.progress_data = &calls;
  assert_int_equal(sfm_rows_split(rows, &context, &key, pattern, 250, &error), SFM_STOPPED);
  assert_int_equal(files_here(false), 0);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

static int setup(void **state) {
  (void)state;
  strcpy(here, "/tmp/sfumato-split-XXXXXX");
  text = malloc(TEXT_MAX);
  if (!text || !mkdtemp(here)) return -1;
  snprintf(pattern, sizeof pattern, "%s/rows-%%.csv", here);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(text);
  return rmdir(here);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_are_parts),       cmocka_unit_test(the_key_decides),
      cmocka_unit_test(long_lines_are_cut),    cmocka_unit_test(files_without_records),
      cmocka_unit_test(mistakes_are_refused),  cmocka_unit_test(all_files_or_none),
      cmocka_unit_test(a_stop_leaves_nothing),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
