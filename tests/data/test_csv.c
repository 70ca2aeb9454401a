/* test_csv.c - a line is a record, and nothing in one record changes how another is read. */
/* suite: both */
#include "read_rows.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "data/format/csv.h"

static const char *const AB[] = {"a", "b"};
static const char *const A[] = {"a"};
static const char *const B[] = {"b"};

/* What a line gives for columns a and b; NAN where the value cannot be read. */
static const struct {
  const char *line;
  size_t length; /* 0: strlen */
  double a, b;
} lines[] = {
    {"1,2", 0, 1, 2},
    {"1,2\r", 0, 1, 2},
    {"1,2,3,4", 0, 1, 2},
    {"1", 0, 1, NAN},
    {"1,", 0, 1, NAN},
    {",2", 0, NAN, 2},
    {",", 0, NAN, NAN},
    {"", 0, NAN, NAN},
    {"\r", 0, NAN, NAN},
    {" 1 ,\t2 ", 0, 1, 2},
    {"\"1\",\"2\"", 0, 1, 2},
    {"\"1\",\"2\"\r", 0, 1, 2},
    {"\" 1 \",2", 0, 1, 2},
    {"\"1\" ,2", 0, 1, 2},
    {"\"1\"x,2", 0, NAN, 2},
    {" \"1\",2", 0, NAN, 2},
    {"\"1\"\"\",2", 0, NAN, 2},
    {"\"1,2", 0, NAN, NAN},
    {"1,\"2", 0, 1, NAN},
    {"1,\"2\r", 0, 1, NAN},
    {"\"", 0, NAN, NAN},
    {"\"\"", 0, NAN, NAN},
    {"\"\",2", 0, NAN, 2},
    {"\"a,b\",2", 0, NAN, 2},
    {"\"a\"\",\"\"b\",2", 0, NAN, 2},
    {"a\"b,2", 0, NAN, 2},
    {"1\r,2", 0, NAN, 2},
    {"1,2\r\r", 0, 1, NAN},
    {"nan,inf", 0, NAN, NAN},
    {"0x10,1e400", 0, NAN, NAN},
    {"1e-400,-1e300", 0, 0, -1e300},
    {"1;2", 0, NAN, NAN},
    {"\xff\xfe,2", 0, NAN, 2},
    {"1\0,2", 4, NAN, 2},
    {"\0\0\0", 3, NAN, NAN},
    {"1.5.5,2", 0, NAN, 2},
    {"12345678901234567890123,2", 0, 12345678901234567890123.0, 2},
    {"1,2\"", 0, 1, NAN},
    {"\xef\xbb\xbf"
     "1,2",
     0, NAN, 2},
};
#define LINES (sizeof lines / sizeof *lines)

static size_t line_length(size_t i) {
  return lines[i].length ? lines[i].length : strlen(lines[i].line);
}

static void check_value(const reading *r, size_t row, size_t i, double expected) {
  if (r->keep[row] != !isnan(expected)) fail_msg("line %zu: keep is %d", i, r->keep[row]);
  if (r->keep[row] && r->values[row] != expected)
    fail_msg("line %zu: %.17g is not %.17g", i, r->values[row], expected);
}

/* All lines of the table in one file, each column read on its own and both together. */
static void test_syntax(void **state) {
  (void)state;
  char file[4096] = "a,b\n";
  size_t size = 4;
  for (size_t i = 0; i < LINES; i++) {
    memcpy(file + size, lines[i].line, line_length(i));
    size += line_length(i);
    file[size++] = '\n';
  }
  for (size_t block = 1; block < 300; block = block * 3 / 2 + 1) {
    reading a = read_bytes(file, size, A, 1, -1e301, 1e301, block);
    reading b = read_bytes(file, size, B, 1, -1e301, 1e301, block);
    reading both = read_bytes(file, size, AB, 2, -1e301, 1e301, block);
    assert_int_equal(a.rows, LINES);
    assert_int_equal(both.rows, LINES);
    for (size_t i = 0; i < LINES; i++) {
      check_value(&a, i, i, lines[i].a);
      check_value(&b, i, i, lines[i].b);
      assert_int_equal(both.keep[i], !isnan(lines[i].a) && !isnan(lines[i].b));
      if (!both.keep[i]) continue;
      assert_true(both.values[2 * i] == lines[i].a && both.values[2 * i + 1] == lines[i].b);
    }
    reading_clear(&a);
    reading_clear(&b);
    reading_clear(&both);
  }
}

/* A record ends with a line end, and what follows the last one is none: a program that joins values
 * by line ends writes as many records whether the last value is there or not. */
static void test_records_are_line_ends(void **state) {
  (void)state;
  static const struct {
    const char *file;
    size_t rows;
  } files[] = {
      {"a", 0},         {"a\n", 0},           {"a\n\n", 1},          {"a\n1", 0},
      {"a\n1\n", 1},    {"a\n1\n\n", 2},      {"a\n\n\n1", 2},       {"a\r\n1\r\n2", 1},
      {"a\r\n", 0},     {"a\n\r", 0},         {"a\n\"1\n2\"\n", 2},  {"a\n1\n2\n30", 2},
      {"a\n1\n2\n", 2}, {"a\n1\n2\n\x1a", 2}, {"a\n1\n2\n \t\r", 2},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    for (size_t block = 1; block < 20; block++) {
      reading r = read_bytes(files[i].file, strlen(files[i].file), A, 1, 0, 9, block);
      if (r.rows != files[i].rows) fail_msg("file %zu has %zu rows", i, r.rows);
      for (size_t k = 0; k < r.rows; k++)
        if (r.keep[k] && r.values[k] > 2) fail_msg("file %zu: the rest of it is row %zu", i, k);
      reading_clear(&r);
    }
}

/* A random line out of the bytes that matter, without '\n'. */
static size_t random_line(char *line, uint64_t *seed, size_t longest) {
  static const char alphabet[] = "0123456789.,,,\"\"\"-+e \t\r\0x\xff";
  size_t length = pick(seed) % (longest + 1);
  for (size_t i = 0; i < length; i++) line[i] = alphabet[pick(seed) % (sizeof alphabet - 1)];
  return length;
}

typedef struct text {
  char *bytes;
  size_t size;
} text;

static void append(text *t, const char *bytes, size_t size) {
  t->bytes = realloc(t->bytes, t->size + size + 1);
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
}

/* A file of `count` random lines, that of `replaced` being line[0..length). */
static text random_file(uint64_t seed, size_t count, size_t replaced, const char *line,
                        size_t length, const char *ending) {
  text t = {0};
  append(&t, "a,b", 3);
  append(&t, ending, strlen(ending));
  for (size_t i = 0; i < count; i++) {
    char other[40];
    size_t size = random_line(other, &seed, 30);
    if (i % 3 == 0) size = (size_t)snprintf(other, sizeof other, "%zu.25,%zu", i, i + 1);
    /* a stray '\r' at the end of a line would be half a line end */
    if (size && other[size - 1] == '\r') size--;
    if (i == replaced)
      append(&t, line, length);
    else
      append(&t, other, size);
    append(&t, ending, strlen(ending));
  }
  return t;
}

static void compare_all_but(const reading *a, const reading *b, size_t row) {
  assert_int_equal(a->rows, b->rows);
  for (size_t i = 0; i < a->rows; i++)
    if (i != row && !same_row(a, i, b, i)) fail_msg("row %zu changed with row %zu", i, row);
}

static void test_records_are_independent(void **state) {
  (void)state;
  uint64_t seed = 1234567;
  for (int trial = 0; trial < 400; trial++) {
    uint64_t file_seed = pick(&seed);
    size_t count = 1 + pick(&seed) % 40, replaced = pick(&seed) % count;
    char line[200], other[200];
    size_t length = random_line(line, &seed, 190), other_length = random_line(other, &seed, 190);
    text one = random_file(file_seed, count, replaced, line, length, "\n");
    text two = random_file(file_seed, count, replaced, other, other_length, "\n");
    size_t block = 1 + pick(&seed) % 64;
    reading a = read_bytes(one.bytes, one.size, AB, 2, -1e9, 1e9, block);
    reading b = read_bytes(two.bytes, two.size, AB, 2, -1e9, 1e9, 0);
    assert_int_equal(a.rows, count);
    compare_all_but(&a, &b, replaced);
    /* and the record itself gives what it gives alone */
    text alone = random_file(file_seed, 1, 0, line, length, "\n");
    reading c = read_bytes(alone.bytes, alone.size, AB, 2, -1e9, 1e9, 0);
    assert_true(same_row(&a, replaced, &c, 0));
    reading_clear(&a);
    reading_clear(&b);
    reading_clear(&c);
    free(one.bytes);
    free(two.bytes);
    free(alone.bytes);
  }
}

static void test_crlf_is_lf(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed < 60; seed++) {
    text unix_file = random_file(seed, 50, 50, "", 0, "\n");
    text dos_file = random_file(seed, 50, 50, "", 0, "\r\n");
    reading a = read_bytes(unix_file.bytes, unix_file.size, AB, 2, -1e9, 1e9, 0);
    reading b = read_bytes(dos_file.bytes, dos_file.size, AB, 2, -1e9, 1e9, 17);
    assert_same(&a, &b);
    reading_clear(&a);
    reading_clear(&b);
    free(unix_file.bytes);
    free(dos_file.bytes);
  }
}

/* Megabytes in one line: one record, never two, nothing of it used, its neighbours untouched. */
static void test_long_lines(void **state) {
  (void)state;
  const size_t lengths[] = {SFMI_CSV_LINE_MAX - 1, SFMI_CSV_LINE_MAX, SFMI_CSV_LINE_MAX + 1,
                            SFMI_CSV_LINE_MAX + 2, 3 * SFMI_CSV_LINE_MAX + 12345};
  const size_t blocks[] = {1000, 65536, 0, 2 * SFMI_CSV_LINE_MAX};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    char *line = malloc(lengths[i]);
    memset(line, i % 2 ? '"' : '1', lengths[i]);
    memcpy(line, "5,6,", 4);
    for (size_t last = 0; last < 2; last++)
      for (size_t j = 0; j < sizeof blocks / sizeof *blocks; j++) {
        text t = {0};
        append(&t, "a,b\n1,2\n", 8);
        append(&t, line, lengths[i]);
        if (!last) append(&t, "\n3,4\n", 5);
        reading r = read_bytes(t.bytes, t.size, AB, 2, -1e9, 1e9, blocks[j]);
        assert_int_equal(r.rows, last ? 1 : 3);
        assert_int_equal(r.keep[0], 1);
        if (!last) {
          assert_int_equal(r.keep[1], lengths[i] <= SFMI_CSV_LINE_MAX);
          assert_true(r.keep[2] && r.values[4] == 3 && r.values[5] == 4);
        }
        reading_clear(&r);
        free(t.bytes);
      }
    free(line);
  }
}

static text pack(const char *bytes, size_t size) {
  z_stream z = {0};
  assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  text t = {malloc(deflateBound(&z, size) + 32), 0};
  z.next_in = (unsigned char *)(uintptr_t)bytes;
  z.avail_in = (uInt)size;
  z.next_out = (unsigned char *)t.bytes;
  z.avail_out = (uInt)(deflateBound(&z, size) + 32);
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  t.size = z.total_out;
  deflateEnd(&z);
  return t;
}

static void test_gzip_is_plain(void **state) {
  (void)state;
  text plain = random_file(5, 20000, 20000, "", 0, "\n");
  text packed = pack(plain.bytes, plain.size);
  /* two members, cut anywhere, are one file; zeros behind them are padding */
  text first = pack(plain.bytes, plain.size / 3);
  text second = pack(plain.bytes + plain.size / 3, plain.size - plain.size / 3);
  append(&first, second.bytes, second.size);
  append(&first, "\0\0\0\0", 4);
  reading a = read_bytes(plain.bytes, plain.size, AB, 2, -1e9, 1e9, 0);
  reading b = read_bytes(packed.bytes, packed.size, AB, 2, -1e9, 1e9, 100);
  reading c = read_bytes(first.bytes, first.size, AB, 2, -1e9, 1e9, 0);
  assert_int_equal(a.rows, 20000);
  assert_same(&a, &b);
  assert_same(&a, &c);

  sfm_rows *rows;
  uint64_t count;
  MUST(sfmi_rows_open_memory(&rows, packed.bytes, packed.size - 9, 0, error));
  REFUSES(SFM_IO, sfm_rows_count(rows, &count, error), "gzip", "cut short");
  sfm_rows_destroy(rows);
  packed.bytes[packed.size - 6] ^= 1; /* the checksum */
  MUST(sfmi_rows_open_memory(&rows, packed.bytes, packed.size, 0, error));
  REFUSES(SFM_IO, sfm_rows_count(rows, &count, error), "gzip", "damaged");
  sfm_rows_destroy(rows);
  REFUSES(SFM_IO, sfmi_rows_open_memory(&rows, "\x1f\x8b\x08", 3, 0, error), "gzip");
  /* anything but zeros behind the last member is damage, whatever it begins with */
  static const char *const rests[] = {"7,8\n", "\x1f", "\x1f,8\n", "\x1f\x8b\n"};
  for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
    for (size_t zeros = 0; zeros < 2; zeros++) {
      text damaged = pack("a,b\n1,2\n", 8);
      append(&damaged, "\0\0\0", 3 * zeros);
      append(&damaged, rests[i], strlen(rests[i]));
      MUST(sfmi_rows_open_memory(&rows, damaged.bytes, damaged.size, 0, error));
      REFUSES(SFM_IO, sfm_rows_count(rows, &count, error), "gzip");
      sfm_rows_destroy(rows);
      free(damaged.bytes);
    }
  reading_clear(&a);
  reading_clear(&b);
  reading_clear(&c);
  free(plain.bytes);
  free(packed.bytes);
  free(first.bytes);
  free(second.bytes);
}

/* NPY may be packed as well; what is missing at its end is found when it is read. */
static void test_gzip_of_npy(void **state) {
  (void)state;
  static const char *const zero[] = {"0"};
  char file[200] = "\x93NUMPY\1";
  strcpy(file + 10, "{'descr':'<f8','fortran_order':False,'shape':(10,)}");
  double values[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
  file[8] = 54; /* the length of the header's text, with its padding */
  memset(file + 10 + strlen(file + 10), ' ', 10);
  memcpy(file + 64, values, sizeof values);
  for (size_t missing = 0; missing < 2; missing++) {
    text packed = pack(file, 64 + sizeof values - missing);
    sfm_rows *rows;
    sfm_schema *schema = bounded(zero, 1, 0, 10);
    sfmi_selection selection = {schema, zero, 1, SFM_OUTSIDE_CLAMP};
    const sfmi_batch *batch;
    MUST(sfmi_rows_open_memory(&rows, packed.bytes, packed.size, 0, error));
    MUST(sfmi_rows_begin(rows, &selection, error));
    if (missing) {
      REFUSES(SFM_IO, sfmi_rows_next(rows, &batch, error), "cut short");
    } else {
      MUST(sfmi_rows_next(rows, &batch, error));
      assert_int_equal(batch->rows, 10);
      assert_memory_equal(batch->values, values, sizeof values);
    }
    sfm_rows_destroy(rows);
    sfm_schema_destroy(schema);
    free(packed.bytes);
  }
}

/* Reads path through sfm_rows_open; "-" has the file as standard input, through a pipe if asked. */
static reading read_path(const char *path) {
  sfm_rows *rows;
  sfm_schema *schema = bounded(AB, 2, -1e9, 1e9);
  sfmi_selection selection = {schema, AB, 2, SFM_OUTSIDE_CLAMP};
  MUST(sfm_rows_open(&rows, path, error));
  uint64_t count;
  MUST(sfm_rows_count(rows, &count, error));
  reading r = read_all(rows, &selection);
  assert_int_equal(count, r.rows);
  reading again = read_all(rows, &selection);
  assert_same(&r, &again);
  reading_clear(&again);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return r;
}

static size_t count_entries(const char *folder) {
  char command[300];
  snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
  FILE *out = popen(command, "r");
  size_t count = 99;
  assert_int_equal(fscanf(out, "%zu", &count), 1);
  pclose(out);
  return count;
}

static void test_stdin_is_file(void **state) {
  (void)state;
  char folder[] = "/tmp/sfumato-test-XXXXXX", path[64], command[300];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/rows.csv", folder);
  text plain = random_file(6, 9000, 9000, "", 0, "\n");
  FILE *file = fopen(path, "wb");
  assert_int_equal(fwrite(plain.bytes, 1, plain.size, file), plain.size);
  fclose(file);
  reading a = read_path(path);

  setenv("TMPDIR", folder, 1);
  int saved = dup(STDIN_FILENO);
  snprintf(command, sizeof command, "cat '%s'", path);
  FILE *pipe = popen(command, "r");
  assert_true(dup2(fileno(pipe), STDIN_FILENO) >= 0);
  reading b = read_path("-");
  pclose(pipe);
  assert_same(&a, &b);
  int fd = open(path, O_RDONLY);
  assert_true(dup2(fd, STDIN_FILENO) >= 0);
  reading c = read_path("-");
  close(fd);
  assert_same(&a, &c);
  dup2(saved, STDIN_FILENO);
  close(saved);
  assert_int_equal(count_entries(folder), 1); /* the spool never had a name that stayed */
  setenv("TMPDIR", "/nonexistent", 1);
  sfm_rows *rows;
  REFUSES(SFM_IO, sfm_rows_open(&rows, "/dev/null", error), "TMPDIR");
  unsetenv("TMPDIR");

  reading_clear(&a);
  reading_clear(&b);
  reading_clear(&c);
  free(plain.bytes);
  unlink(path);
  rmdir(folder);
}

static void test_appended_rows_are_not_seen(void **state) {
  (void)state;
  char path[] = "/tmp/sfumato-test-XXXXXX";
  int fd = mkstemp(path);
  assert_int_equal(write(fd, "a\n1\n2\n", 6), 6);
  sfm_rows *rows;
  uint64_t count;
  MUST(sfm_rows_open(&rows, path, error));
  assert_int_equal(write(fd, "3\n", 2), 2);
  MUST(sfm_rows_count(rows, &count, error));
  assert_int_equal(count, 2);
  sfm_rows_destroy(rows);
  close(fd);
  unlink(path);
}

static void refuse_header(const char *bytes, size_t size, const char *word, const char *secret) {
  sfm_rows *rows;
  sfm_error error = {0};
  sfm_status status = sfmi_rows_open_memory(&rows, bytes, size, 0, &error);
  assert_int_equal(status, SFM_FORMAT);
  assert_null(rows);
  if (!strstr(error.message, word)) fail_msg("'%s' is not in '%s'", word, error.message);
  if (secret && strstr(error.message, secret)) fail_msg("'%s' shows a cell", error.message);
}

static void test_headers_refused(void **state) {
  (void)state;
  refuse_header("", 0, "empty", NULL);
  refuse_header("\n1\n", 3, "blank", NULL);
  refuse_header("\r\n1\n", 4, "blank", NULL);
  refuse_header(",,\n", 3, "blank", NULL);
  refuse_header("37.25,81\n1,2\n", 13, "header", "37.25");
  refuse_header("\"37.25\", 81\n", 12, "header", "81");
  refuse_header("-1e5\n", 5, "header", "1e5");
  refuse_header("a,\"b\n", 5, "cell 2", NULL);
  refuse_header("a,\"secret\"x\n", 12, "cell 2", "secret");
  refuse_header("\xff\xfe"
                "a\0\n\0",
                6, "UTF-16", NULL);
  refuse_header("a\0b\n1\n", 6, "NUL", NULL);
  refuse_header("PK\x03\x04zzz", 7, "spreadsheet", NULL);
  char *line = malloc(SFMI_CSV_LINE_MAX + 10);
  memset(line, 'x', SFMI_CSV_LINE_MAX + 10);
  refuse_header(line, SFMI_CSV_LINE_MAX + 10, "longer", "xx");
  free(line);
}

static void test_header_names(void **state) {
  (void)state;
  static const char file[] = "\xef\xbb\xbf"
                             "age, in kg ,\"a,\"\"b\"\"\",\" q \",,\xc3\xa9t\xc3\xa9\r\n";
  static const char *const names[] = {"age", "in kg", "a,\"b\"", " q ", "", "\xc3\xa9t\xc3\xa9"};
  sfm_rows *rows;
  for (size_t block = 1; block < 30; block++) {
    MUST(sfmi_rows_open_memory(&rows, file, sizeof file - 1, block, error));
    assert_int_equal(sfm_rows_column_count(rows), 6);
    for (size_t i = 0; i < 6; i++) assert_string_equal(sfm_rows_column_name(rows, i), names[i]);
    assert_null(sfm_rows_column_name(rows, 6));
    sfm_rows_destroy(rows);
  }
}

static void test_paths_refused(void **state) {
  (void)state;
  sfm_rows *rows;
  REFUSES(SFM_INVALID, sfm_rows_open(&rows, "/nonexistent/rows.csv", error),
          "/nonexistent/rows.csv");
  REFUSES(SFM_INVALID, sfm_rows_open(&rows, "/tmp", error), "folder");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_syntax),
      cmocka_unit_test(test_records_are_line_ends),
      cmocka_unit_test(test_records_are_independent),
      cmocka_unit_test(test_crlf_is_lf),
      cmocka_unit_test(test_long_lines),
      cmocka_unit_test(test_gzip_is_plain),
      cmocka_unit_test(test_gzip_of_npy),
      cmocka_unit_test(test_stdin_is_file),
      cmocka_unit_test(test_appended_rows_are_not_seen),
      cmocka_unit_test(test_headers_refused),
      cmocka_unit_test(test_header_names),
      cmocka_unit_test(test_paths_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
