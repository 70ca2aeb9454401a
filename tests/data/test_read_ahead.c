/* test_read_ahead.c - several threads read what one reads: the same batches, bit for bit, and the
 * same fingerprint, for any number of threads and size of blocks; also when the reading is left. */
/* suite: both */
#include "read_rows.h"

#include <math.h>
#include <zlib.h>

#include "data/rows/cell_columns.h"
#include "row_keys_fixture.h"

enum { LINES = 60000 };

static char *text;
static size_t length;
static const uint8_t KEY[SFMI_DIGEST_BYTES] = {3};

/* Lines of all kinds: numbers of every shape, blanks, quotes, missing cells, nothing at all. */
static int make_text(void **state) {
  (void)state;
  static const char *const sexes[] = {"F", "M", "X", "\"F\"", " M", "\"\"", "\"broken", ""};
  uint64_t seed = 5;
  text = malloc((size_t)LINES * 80 + 3000000);
  length = (size_t)sprintf(text, "x,sex,y\n");
  for (size_t i = 0; i < LINES; i++) {
    const uint64_t r = pick(&seed);
    char *at = text + length;
    if (r % 97 == 0)
      length += (size_t)sprintf(at, "\n");
    else if (r % 89 == 0)
      length += (size_t)sprintf(at, "%.17g\r\n", (double)(r % 1000) / 7);
    else if (i == 41000) /* longer than a line may be */
      length += (size_t)sprintf(at, "%01100000d,F,1\n", 7);
    else
      length += (size_t)sprintf(at, "%g,%s,%.*f\n", (double)(r % 200), sexes[r / 512 % 8],
                                (int)(r / 4096 % 16), (double)(r % 100003) / 1000);
  }
  return 0;
}

static int free_text(void **state) {
  (void)state;
  free(text);
  return 0;
}

typedef enum way { VARIABLES, GROUPS, CELLS, CURVES, WAYS } way;

static void begin(sfm_rows *rows, const sfm_schema *schema, way how) {
  static const char *const both[] = {"x", "y"}, *const sex[] = {"sex"};
  static const sfmi_cell_column cells[] = {{"y", SFMI_USE_NUMBER, NULL, 0},
                                           {"sex", SFMI_USE_CATEGORY, NULL, 0}};
  const sfmi_selection selection = {schema, both, how == GROUPS ? 1 : 2,
                                    how == GROUPS ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP};
  const sfmi_curve_selection curves = {.schema = schema, .columns = both, .count = 2};
  if (how == VARIABLES) MUST(sfmi_rows_begin(rows, &selection, error));
  if (how == GROUPS) MUST(sfmi_rows_begin_by(rows, &selection, sex, 1, error));
  if (how == CELLS) MUST(sfmi_rows_begin_cells(rows, schema, cells, 2, error));
  if (how == CURVES) MUST(sfmi_rows_begin_curves(rows, &curves, error));
}

static void add(uint64_t *hash, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++) *hash = (*hash ^ at[i]) * UINT64_C(0x100000001b3);
}

/* A hash of all batches: their lengths, and of kept rows all that they have. */
static uint64_t read_all_batches(sfm_rows *rows, const sfm_schema *schema, way how, size_t *count) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  const sfmi_batch *batch;
  uint8_t print[SFMI_DIGEST_BYTES];
  *count = 0;
  set_keys(rows, KEY, false);
  begin(rows, schema, how);
  for (;;) {
    MUST(sfmi_rows_next(rows, &batch, error));
    if (!batch) break;
    *count += batch->rows;
    add(&hash, &batch->rows, sizeof batch->rows);
    add(&hash, batch->keep, batch->rows);
    for (size_t c = 0; c < batch->columns; c++)
      for (size_t r = 0; r < batch->rows; r++) {
        const double value = batch->values[c * batch->stride + r];
        if (batch->keep[r] && !isnan(value)) add(&hash, &value, sizeof value);
      }
    for (size_t r = 0; r < batch->rows; r++) {
      if (batch->keep[r] && batch->codes) add(&hash, &batch->codes[r], sizeof *batch->codes);
      if (batch->keep[r] && batch->group) add(&hash, &batch->group[r], sizeof *batch->group);
    }
  }
  sfmi_rows_fingerprint(rows, print);
  add(&hash, print, sizeof print);
  return hash;
}

static sfm_schema *make_schema(void) {
  static const char *const both[] = {"x", "y"}, *const sexes[] = {"F", "M"};
  sfm_schema *schema = bounded(both, 2, 1, 90);
  MUST(sfm_schema_set_categories(schema, "sex", sexes, 2, error));
  return schema;
}

static void threads_change_nothing(void **state) {
  (void)state;
  static const size_t threads[] = {2, 3, 8, 0}, blocks[] = {1 << 12, 1 << 16, 0};
  sfm_schema *schema = make_schema();
  for (way how = VARIABLES; how < WAYS; how++) {
    sfm_rows *rows;
    size_t count, again;
    MUST(sfmi_rows_open_memory(&rows, text, length, 0, error));
    const uint64_t wanted = read_all_batches(rows, schema, how, &count);
    assert_int_equal(count, LINES);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) { /* the same rows, once more */
      sfmi_rows_set_threads(rows, threads[t]);
      assert_true(read_all_batches(rows, schema, how, &again) == wanted && again == LINES);
    }
    sfm_rows_destroy(rows);
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
      MUST(sfmi_rows_open_memory(&rows, text, length, blocks[b], error));
      sfmi_rows_set_threads(rows, 3);
      if (read_all_batches(rows, schema, how, &again) != wanted)
        fail_msg("way %d, blocks of %zu: %zu rows", (int)how, blocks[b], again);
      sfm_rows_destroy(rows);
    }
  }
  sfm_schema_destroy(schema);
}

/* Of every length around the cuts, and of none. */
static void short_texts(void **state) {
  (void)state;
  static const size_t counts[] = {0, 1, 4095, 4096, 4097, 8192, 12289, 20480};
  sfm_schema *schema = make_schema();
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (int unfinished = 0; unfinished < 2; unfinished++) {
      size_t at = 0, lines = 0, counted[2];
      uint64_t hashes[2];
      for (; lines <= counts[i]; lines++)
        at += (size_t)((char *)memchr(text + at, '\n', length - at) - text - at) + 1;
      for (int threads = 1; threads <= 2; threads++) {
        sfm_rows *rows;
        MUST(sfmi_rows_open_memory(&rows, text, at + (unfinished ? 1 : 0), 0, error));
        sfmi_rows_set_threads(rows, (size_t)threads);
        hashes[threads - 1] = read_all_batches(rows, schema, VARIABLES, &counted[threads - 1]);
        sfm_rows_destroy(rows);
      }
      assert_int_equal(counted[0], counts[i] + (unfinished && text[at] == '\n'));
      assert_true(counted[1] == counted[0] && hashes[1] == hashes[0]);
    }
  sfm_schema_destroy(schema);
}

/* Left in the middle, begun anew, sealed, and at the end of a damaged file. */
static void left_and_damaged(void **state) {
  (void)state;
  sfm_schema *schema = make_schema();
  const sfmi_batch *batch;
  sfm_rows *rows;
  for (size_t batches = 0; batches < 4; batches++) {
    MUST(sfmi_rows_open_memory(&rows, text, length, 0, error));
    sfmi_rows_set_threads(rows, 4);
    begin(rows, schema, VARIABLES);
    for (size_t i = 0; i < batches; i++) MUST(sfmi_rows_next(rows, &batch, error));
    if (batches % 2) begin(rows, schema, GROUPS);
    if (batches % 2) MUST(sfmi_rows_next(rows, &batch, error));
    sfmi_rows_seal(rows, true);
    REFUSES(SFM_INTERNAL, sfmi_rows_next(rows, &batch, error), "before the charge");
    sfm_rows_destroy(rows);
  }
  unsigned char *packed = malloc(length);
  z_stream z = {.next_in = (unsigned char *)text,
                .avail_in = (uInt)length,
                .next_out = packed,
                .avail_out = (uInt)length};
  assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  deflateEnd(&z);
  for (size_t cut = 1; cut < z.total_out / 2; cut += z.total_out / 7) {
    sfm_status got = SFM_OK;
    sfm_error damage;
    MUST(sfmi_rows_open_memory(&rows, packed, z.total_out - cut, 0, error));
    sfmi_rows_set_threads(rows, 2);
    begin(rows, schema, VARIABLES);
    for (batch = NULL; !got;) {
      got = sfmi_rows_next(rows, &batch, &damage);
      if (!got && !batch) break;
    }
    assert_int_not_equal(got, SFM_OK);
    sfm_rows_destroy(rows);
  }
  free(packed);
  sfm_schema_destroy(schema);
}

/* Lines are counted alike by any number of threads, where a text is long enough to be shared. */
static void lines_are_counted_alike(void **state) {
  (void)state;
  enum { LONG = 20 << 20 };
  static const size_t lengths[] = {LONG, LONG - 1, LONG - 7, (8 << 20) + 2, (8 << 20) + 3, 100};
  char *bytes = malloc(LONG);
  uint64_t seed = 5;
  for (size_t i = 0; i < LONG; i++) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    bytes[i] = seed >> 60 == 0 ? '\n' : 'x';
  }
  memcpy(bytes, "x\n", 2);
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
    uint64_t wanted = 0;
    for (size_t i = 2; i < lengths[l]; i++) wanted += bytes[i] == '\n';
    for (size_t threads = 0; threads <= 8; threads++) {
      sfm_rows *rows;
      uint64_t counted;
      MUST(sfmi_rows_open_memory(&rows, bytes, lengths[l], 0, error));
      sfmi_rows_set_threads(rows, threads);
      MUST(sfm_rows_count(rows, &counted, error));
      assert_int_equal(counted, wanted);
      sfm_rows_destroy(rows);
    }
  }
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(short_texts),
      cmocka_unit_test(left_and_damaged),
      cmocka_unit_test(lines_are_counted_alike),
  };
  return cmocka_run_group_tests(tests, make_text, free_text);
}
