/* test_svmlight.c - libsvm text: what each line gives, that nothing else depends on it, and who may
 * read it. */
/* suite: both */
#include "read_rows.h"

#include <math.h>
#include <unistd.h>
#include <zlib.h>

#include "data/rows/cell_columns.h"
#include "row_keys_fixture.h"

enum { DIMENSION = 20, MOST = 64 };

/* All records of a text, as text again: "label|i:v i:v" or "-" for one that contributes nothing. */
static char *described(sfm_rows *rows) {
  char *text = calloc(1, 1 << 16), *at = text;
  MUST(sfmi_rows_begin_sparse(rows, NULL, error));
  for (;;) {
    const sfmi_sparse_batch *batch;
    MUST(sfmi_rows_next_sparse(rows, &batch, error));
    if (!batch) return text;
    assert_true(batch->rows > 0 && batch->rows <= SFMI_BATCH_ROWS);
    for (size_t r = 0; r < batch->rows; r++) {
      if (!batch->keep[r]) {
        assert_true(isnan(batch->labels[r]) && batch->starts[r] == batch->starts[r + 1]);
        at += sprintf(at, "-\n");
        continue;
      }
      if (isnan(batch->labels[r]))
        at += sprintf(at, "?|");
      else
        at += sprintf(at, "%.17g|", batch->labels[r]);
      for (size_t j = batch->starts[r]; j < batch->starts[r + 1]; j++)
        at += sprintf(at, "%s%u:%.17g", j > batch->starts[r] ? " " : "", batch->indices[j],
                      batch->values[j]);
      at += sprintf(at, "\n");
    }
  }
}

static sfm_rows *open_text(const char *text, size_t block) {
  sfm_rows *rows;
  MUST(sfmi_rows_open_sparse_memory(&rows, text, strlen(text), DIMENSION, false, block, error));
  return rows;
}

static const struct {
  const char *line, *gives;
} LINES[] = {
    {"+1 1:0.5 3:-2 20:1e3", "1|0:0.5 2:-2 19:1000"},
    {"-1", "-1|"},
    {"", "?|"},
    {"  \t", "?|"},
    {"# nothing", "?|"},
    {"2.5 qid:17 2:1", "2.5|1:1"},
    {"1:2 4:5", "?|0:2 3:5"},
    {"qid:3 1:2", "?|0:2"},
    {"1   1:2\t\t4:5  ", "1|0:2 3:5"},
    {"1 1:2 # comment 2:3", "1|0:2"},
    {"1 1:2#comment", "1|0:2"},
    {"1#comment", "1|"},
    {"1 01:2", "1|0:2"},
    {"1 1:0 2:-0", "1|0:0 1:-0"},
    {"0.1 7:.5 8:5. 9:+1", "0.10000000000000001|6:0.5 7:5 8:1"},
    {"1 1:2\r", "1|0:2"},
    {"1 1:123456789.123456789012345", "1|0:123456789.12345679"},
    /* What does not fit. */
    {"1 0:2", "-"},
    {"1 21:2", "-"},
    {"1 99999999999999999999999:2", "-"},
    {"1 2:1 1:1", "-"},
    {"1 2:1 2:1", "-"},
    {"1 1:nan", "-"},
    {"1 1:inf", "-"},
    {"1 1:1e999", "-"},
    {"1e999 1:1", "-"},
    {"1 1:", "-"},
    {"1 1: 2", "-"},
    {"1 :2", "-"},
    {"1 1", "-"},
    {"1 -1:2", "-"},
    {"1 +1:2", "-"},
    {"1 1:2,2:3", "-"},
    {"1 1:2 2:3x", "-"},
    {"1 1:0x10", "-"},
    {"spam 1:2", "-"},
    {"1,2 1:2", "-"},
    {"nan 1:2", "-"},
    {"1 qid: 1:2", "-"},
    {"1 qid:a 1:2", "-"},
    {"1 1:2 qid:3", "-"},
    {"1 1:2 1.5:3", "-"},
    {"1 1:2\r3:4", "-"},
    {"age,income", "-"},
};
enum { LINE_COUNT = sizeof LINES / sizeof *LINES };

static void each_line_is_what_it_says(void **state) {
  (void)state;
  for (size_t i = 0; i < LINE_COUNT; i++) {
    char text[256], wanted[256];
    snprintf(text, sizeof text, "%s\n", LINES[i].line);
    snprintf(wanted, sizeof wanted, "%s\n", LINES[i].gives);
    sfm_rows *rows = open_text(text, 0);
    char *got = described(rows);
    assert_string_equal(got, wanted);
    free(got);
    sfm_rows_destroy(rows);
  }
}

/* All lines together, in blocks of any size: each gives what it gives alone, and what follows the
 * last line end is none. */
static void lines_do_not_depend_on_each_other(void **state) {
  (void)state;
  char text[8192] = "", wanted[8192] = "";
  for (size_t i = 0; i < 3 * LINE_COUNT; i++) {
    const size_t k = (i * 17 + 5) % LINE_COUNT;
    strcat(strcat(text, LINES[k].line), "\n");
    strcat(strcat(wanted, LINES[k].gives), "\n");
  }
  strcat(text, "1 1:5");
  for (size_t block = 0; block < 200; block += block < 30 ? 1 : 31) {
    sfm_rows *rows = open_text(text, block);
    uint64_t count;
    MUST(sfm_rows_count(rows, &count, error));
    assert_int_equal(count, 3 * LINE_COUNT);
    for (int again = 0; again < 2; again++) {
      char *got = described(rows);
      assert_string_equal(got, wanted);
      free(got);
    }
    sfm_rows_destroy(rows);
  }
}

/* Numbers with many digits, against the C library. */
static void numbers_are_exact(void **state) {
  (void)state;
  uint64_t seed = 77;
  for (size_t i = 0; i < 20000; i++) {
    char line[128];
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const double value = ldexp((double)(seed >> 11), (int)(seed % 200) - 150);
    snprintf(line, sizeof line, i % 2 ? "1 7:%.17g\n" : "1 7:%.9f\n", value);
    sfm_rows *rows = open_text(line, 0);
    const sfmi_sparse_batch *batch;
    MUST(sfmi_rows_begin_sparse(rows, NULL, error));
    MUST(sfmi_rows_next_sparse(rows, &batch, error));
    assert_non_null(batch);
    assert_int_equal(batch->starts[1], 1);
    assert_true(batch->values[0] == strtod(line + 4, NULL));
    sfm_rows_destroy(rows);
  }
}

/* A line too long is a record that contributes nothing; those around it are read. */
static void long_lines_are_cut(void **state) {
  (void)state;
  const size_t longest = SFMI_SVMLIGHT_LINE_MAX;
  for (size_t over = 0; over < 2; over++) {
    const size_t length = longest + over;
    char *text = malloc(length + 32), *at = text;
    at += sprintf(at, "1 1:1\n");
    memset(at, ' ', length);
    memcpy(at, "1 2:1", 5);
    at += length;
    at += sprintf(at, "\n-1 3:1\n");
    sfm_rows *rows;
    MUST(
        sfmi_rows_open_sparse_memory(&rows, text, (size_t)(at - text), DIMENSION, false, 0, error));
    char *got = described(rows);
    assert_string_equal(got, over ? "1|0:1\n-\n-1|2:1\n" : "1|0:1\n1|1:1\n-1|2:1\n");
    free(got);
    sfm_rows_destroy(rows);
    free(text);
  }
}

/* More rows and more nonzeros than one batch holds. */
static void batches_follow_each_other(void **state) {
  (void)state;
  enum { ROWS = 9000, WIDE = 300 };
  char *text = malloc((size_t)ROWS * WIDE * 8), *at = text;
  for (size_t r = 0; r < ROWS; r++) {
    at += sprintf(at, "%d", r % 2 ? 1 : -1);
    for (size_t j = 0; j < r % WIDE; j++) at += sprintf(at, " %zu:1", j + 1);
    at += sprintf(at, "\n");
  }
  sfm_rows *rows;
  MUST(sfmi_rows_open_sparse_memory(&rows, text, (size_t)(at - text), WIDE, false, 0, error));
  MUST(sfmi_rows_begin_sparse(rows, NULL, error));
  size_t seen = 0, batches = 0;
  for (;; batches++) {
    const sfmi_sparse_batch *batch;
    MUST(sfmi_rows_next_sparse(rows, &batch, error));
    if (!batch) break;
    for (size_t r = 0; r < batch->rows; r++, seen++) {
      assert_true(batch->keep[r] && batch->labels[r] == (seen % 2 ? 1 : -1));
      assert_int_equal(batch->starts[r + 1] - batch->starts[r], seen % WIDE);
    }
  }
  assert_int_equal(seen, ROWS);
  assert_true(batches >= 3);
  sfm_rows_destroy(rows);
  free(text);
}

/* The text as gzip, into packed; its length. */
static size_t pack(char packed[256], const char *text) {
  z_stream stream = {0};
  assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = (Bytef *)(uintptr_t)text;
  stream.avail_in = (uInt)strlen(text);
  stream.next_out = (Bytef *)packed;
  stream.avail_out = 256;
  assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
  const size_t size = stream.total_out;
  deflateEnd(&stream);
  return size;
}

/* Packed bytes are the same rows, with the same fingerprint. */
static void gzip_is_unpacked(void **state) {
  (void)state;
  const char *text = "1 1:2\n-1 2:3\n";
  char packed[256];
  const size_t size = pack(packed, text);
  const uint8_t key[SFMI_DIGEST_BYTES] = {7};
  uint8_t prints[2][SFMI_DIGEST_BYTES];
  for (int i = 0; i < 2; i++) {
    sfm_rows *rows;
    MUST(sfmi_rows_open_sparse_memory(&rows, i ? packed : text, i ? size : strlen(text), DIMENSION,
                                      i == 1, 0, error));
    set_keys(rows, key, false);
    char *got = described(rows);
    assert_string_equal(got, "1|0:2\n-1|1:3\n");
    sfmi_rows_fingerprint(rows, prints[i]);
    free(got);
    sfm_rows_destroy(rows);
  }
  assert_memory_equal(prints[0], prints[1], SFMI_DIGEST_BYTES);
}

/* Text without a header begins with a record: whatever its first bytes are, they say nothing about
 * the other records.  Each of these is one record that does not fit. */
static void the_first_record_decides_nothing(void **state) {
  (void)state;
  static const char *const first[] = {"\x1f\x8b",
                                      "\x1f\x8b\x08",
                                      "\x93NUMPY\x01",
                                      ("\xef\xbb\xbf"
                                       "1 1:2"),
                                      "\xff\xfe",
                                      "PK\x03\x04",
                                      "label,1,2",
                                      "BZh9",
                                      "\"1 1:2"};
  char hostile[256], text[512];
  size_t size = 0;
  for (size_t i = 0; i <= sizeof first / sizeof *first; i++) {
    if (i < sizeof first / sizeof *first) {
      size = strlen(first[i]);
      memcpy(hostile, first[i], size);
    } else {
      /* a whole gzip file, in one line */
      size = pack(hostile, "1 1:9\n");
      assert_null(memchr(hostile, '\n', size));
    }
    memcpy(text, hostile, size);
    strcpy(text + size, "\n1 1:2\n-1 2:3\n");
    for (size_t block = 0; block < 40; block++) {
      sfm_rows *rows;
      uint64_t count;
      MUST(sfmi_rows_open_sparse_memory(&rows, text, size + strlen("\n1 1:2\n-1 2:3\n"), DIMENSION,
                                        false, block, error));
      MUST(sfm_rows_count(rows, &count, error));
      assert_int_equal(count, 3);
      char *got = described(rows);
      assert_string_equal(got, "-\n1|0:2\n-1|1:3\n");
      free(got);
      sfm_rows_destroy(rows);
    }
  }
}

static void write_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* How a file is packed is said by its name, or by the caller. */
static void names_say_the_compression(void **state) {
  (void)state;
  const char *text = "1 1:2\n-1 2:3\n", *plain = "1|0:2\n-1|1:3\n";
  char folder[] = "/tmp/sfumato-packed-XXXXXX", packed[256], path[64];
  const size_t size = pack(packed, text);
  assert_non_null(mkdtemp(folder));
  static const struct {
    const char *name;
    bool is_packed;
    sfm_compression stated;
    bool refused, readable;
  } files[] = {
      {"a.libsvm", false, SFM_COMPRESSION_BY_NAME, false, true},
      {"a.libsvm.gz", true, SFM_COMPRESSION_BY_NAME, false, true},
      {"a.GZ", true, SFM_COMPRESSION_BY_NAME, false, true},
      {"a.libsvm", true, SFM_COMPRESSION_BY_NAME, false, false},
      {"a.libsvm", true, SFM_COMPRESSION_GZIP, false, true},
      {"a.libsvm.gz", false, SFM_COMPRESSION_BY_NAME, true, false},
      {"a.libsvm.gz", false, SFM_COMPRESSION_NONE, false, true},
      {"a.libsvm", false, SFM_COMPRESSION_GZIP, true, false},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    sfm_rows *rows;
    snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
    write_file(path, files[i].is_packed ? packed : text, files[i].is_packed ? size : strlen(text));
    if (files[i].refused) {
      REFUSES(SFM_FORMAT, sfm_rows_open_sparse(&rows, path, DIMENSION, files[i].stated, error),
              "gzip", "rows.compression");
    } else {
      MUST(sfm_rows_open_sparse(&rows, path, DIMENSION, files[i].stated, error));
      char *got = described(rows);
      assert_int_equal(strcmp(got, plain) == 0, files[i].readable);
      free(got);
      sfm_rows_destroy(rows);
    }
    unlink(path);
  }
  rmdir(folder);
}

/* Readings of columns and of sparse rows do not mix, and say so. */
static void the_wrong_reading_is_refused(void **state) {
  (void)state;
  sfm_schema *schema;
  MUST(sfm_schema_create(&schema, error));
  MUST(sfm_schema_set_bounds(schema, "a", 0, 1, error));
  sfm_rows *rows = open_text("1 1:2\n", 0);
  static const char *const names[] = {"a"};
  const sfmi_selection selection = {schema, names, 1, SFM_OUTSIDE_CLAMP};
  const sfmi_curve_selection curves = {schema, names, 0, 1};
  const sfmi_cell_column cell = {"a", SFMI_USE_NUMBER, NULL, 0};
  const sfmi_batch *batch;
  const sfmi_sparse_batch *sparse;
  sfm_rows_report *report;
  assert_int_equal(sfm_rows_column_count(rows), 0);
  assert_int_equal(sfmi_rows_dimension(rows), DIMENSION);
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "libsvm", "settings.features");
  REFUSES(SFM_INVALID, sfmi_rows_begin_curves(rows, &curves, error), "libsvm");
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, &cell, 1, error), "libsvm");
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, NULL, 0, error), "libsvm");
  REFUSES(SFM_INVALID, sfm_rows_check(rows, &report, schema, error), "libsvm");
  REFUSES(SFM_INVALID, sfmi_rows_next_sparse(rows, &sparse, error), "begin");
  MUST(sfmi_rows_begin_sparse(rows, schema, error));
  REFUSES(SFM_INVALID, sfmi_rows_next(rows, &batch, error), "begin");
  MUST(sfm_schema_set_person(schema, "who", error));
  REFUSES(SFM_INVALID, sfmi_rows_begin_sparse(rows, schema, error), "'who'", "schema.person");
  sfm_rows_destroy(rows);
  MUST(sfmi_rows_open_memory(&rows, "a\n1\n", 4, 0, error));
  assert_int_equal(sfmi_rows_dimension(rows), 0);
  REFUSES(SFM_INVALID, sfmi_rows_begin_sparse(rows, NULL, error), "settings.features",
          "rows.dimension");
  REFUSES(SFM_INVALID, sfmi_rows_next_sparse(rows, &sparse, error), "begin");
  sfm_rows_destroy(rows);
  REFUSES(SFM_INVALID, sfmi_rows_open_sparse_memory(&rows, "", 0, 0, false, 0, error),
          "rows.dimension");
  REFUSES(SFM_INVALID, sfmi_rows_open_sparse_memory(&rows, "", 0, (size_t)1 << 25, false, 0, error),
          "16777216");
  sfm_schema_destroy(schema);
}

/* A public file is read as a whole, or refused by the line. */
static void public_files_are_read_whole(void **state) {
  (void)state;
  char path[] = "/tmp/sfumato-svmlight-XXXXXX";
  const int file = mkstemp(path);
  size_t *starts, count;
  uint32_t *indices;
  double *values, *labels;
  assert_true(file >= 0);
  FILE *stream = fdopen(file, "w");
  for (size_t i = 0; i < 5000; i++) fprintf(stream, "%zu %zu:1 %d:2.5\n", i, 1 + i % 5, 7);
  fprintf(stream, "3:1\n");
  fflush(stream);
  MUST(sfm_sparse_read(path, 7, &starts, &indices, &values, &labels, &count, error));
  assert_int_equal(count, 5001);
  assert_int_equal(starts[5000], 10000);
  assert_int_equal(starts[5001], 10001);
  assert_true(labels[4321] == 4321 && isnan(labels[5000]));
  assert_true(indices[2 * 4321] == 4321 % 5 && values[2 * 4321 + 1] == 2.5);
  assert_true(indices[10000] == 2 && values[10000] == 1);
  sfm_free(starts);
  sfm_free(indices);
  sfm_free(values);
  sfm_free(labels);
  REFUSES(SFM_FORMAT, sfm_sparse_read(path, 6, &starts, &indices, &values, &labels, &count, error),
          "line 1 ");
  fprintf(stream, "1 2:x\n");
  fflush(stream);
  REFUSES(SFM_FORMAT, sfm_sparse_read(path, 7, &starts, &indices, &values, &labels, &count, error),
          "line 5002");
  assert_null(starts);
  assert_int_equal(ftruncate(file, 0), 0);
  rewind(stream);
  fprintf(stream, "1 2:3\n4 5:6");
  fclose(stream);
  MUST(sfm_sparse_read(path, 7, &starts, &indices, &values, &labels, &count, error));
  assert_int_equal(count, 2);
  assert_true(labels[1] == 4 && indices[1] == 4 && values[1] == 6);
  sfm_free(starts);
  sfm_free(indices);
  sfm_free(values);
  sfm_free(labels);
  assert_int_equal(truncate(path, 0), 0);
  MUST(sfm_sparse_read(path, 7, &starts, &indices, &values, &labels, &count, error));
  assert_int_equal(count, 0);
  assert_int_equal(starts[0], 0);
  sfm_free(starts);
  sfm_free(indices);
  sfm_free(values);
  sfm_free(labels);
  unlink(path);
  REFUSES(SFM_INVALID, sfm_sparse_read(path, 7, &starts, &indices, &values, &labels, &count, error),
          path);
}

/* Published files have as many rows, nonzeros and positive labels as is said of them. */
static void published_files_are_complete(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t dimension, rows, nonzeros, positive;
  } files[] = {{"news20", 62061, 15935, 1272569, 15935},
               {"reuters_train", 8315, 7770, 339837, 538},
               {"rcv1_small", 47117, 1000, 77739, 459},
               {"dorothea", 88119, 800, 727760, 78}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[512];
    snprintf(path, sizeof path, SFM_SOURCE_DIR "/../shared/data/sparse_highdim/%s.libsvm.gz",
             files[i].name);
    if (access(path, R_OK) != 0) {
      print_message("%s is not here: left out\n", path);
      skip();
    }
    sfm_rows *rows;
    size_t nonzeros = 0, positive = 0, seen = 0;
    MUST(sfm_rows_open_sparse(&rows, path, files[i].dimension, SFM_COMPRESSION_BY_NAME, error));
    MUST(sfmi_rows_begin_sparse(rows, NULL, error));
    for (;;) {
      const sfmi_sparse_batch *batch;
      MUST(sfmi_rows_next_sparse(rows, &batch, error));
      if (!batch) break;
      for (size_t r = 0; r < batch->rows; r++) {
        assert_true(batch->keep[r] && !isnan(batch->labels[r]));
        positive += batch->labels[r] > 0;
      }
      seen += batch->rows;
      nonzeros += batch->starts[batch->rows];
    }
    assert_int_equal(seen, files[i].rows);
    assert_int_equal(nonzeros, files[i].nonzeros);
    assert_int_equal(positive, files[i].positive);
    sfm_rows_destroy(rows);
  }
}

/* What the dry run calls a zero row is a line that gives nothing, or has none of the labels. */
static void the_dry_run_agrees_with_the_reading(void **state) {
  (void)state;
  static const char *const labels[] = {"-1", "1"};
  static const char stated[] = "{\"fields\": [{\"name\": \"label\", \"type\": \"number\"}]}";
  sfm_schema *schema;
  MUST(sfm_schema_parse(&schema, stated, strlen(stated), "s", error));
  MUST(sfm_schema_set_categories(schema, "label", labels, 2, error));
  MUST(sfm_schema_set_bounds(schema, "values", 0, 1, error));
  for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
    const char *gives = LINES[i].gives;
    char text[256];
    snprintf(text, sizeof text, "%s\n", LINES[i].line);
    sfm_rows *rows = open_text(text, 0);
    sfm_rows_report *report;
    MUST(sfm_rows_check(rows, &report, schema, error));
    const bool fits = strcmp(gives, "-") != 0,
               labelled = strncmp(gives, "1|", 2) == 0 || strncmp(gives, "-1|", 3) == 0;
    assert_int_equal(report->records, 1);
    assert_int_equal(report->zero_rows, !(fits && labelled));
    assert_int_equal(report->malformed + report->beyond, !fits);
    assert_int_equal(report->beyond,
                     strstr(LINES[i].line, " 21:") || strstr(LINES[i].line, " 999999"));
    assert_int_equal(report->columns[0].empty, gives[0] == '?');
    assert_int_equal(report->columns[0].undeclared, fits && !labelled && gives[0] != '?');
    if (i == 0) {
      assert_int_equal(report->columns[1].below, 1);
      assert_int_equal(report->columns[1].above, 1);
    }
    sfm_rows_report_destroy(report);
    sfm_rows_destroy(rows);
  }
  sfm_schema_destroy(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_line_is_what_it_says),
      cmocka_unit_test(lines_do_not_depend_on_each_other),
      cmocka_unit_test(numbers_are_exact),
      cmocka_unit_test(long_lines_are_cut),
      cmocka_unit_test(batches_follow_each_other),
      cmocka_unit_test(gzip_is_unpacked),
      cmocka_unit_test(the_first_record_decides_nothing),
      cmocka_unit_test(names_say_the_compression),
      cmocka_unit_test(the_wrong_reading_is_refused),
      cmocka_unit_test(the_dry_run_agrees_with_the_reading),
      cmocka_unit_test(public_files_are_read_whole),
      cmocka_unit_test(published_files_are_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
