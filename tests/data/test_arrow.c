/* test_arrow.c - cells of an Arrow stream are values: how they are stored, cut into chunks and
 * offset decides nothing; a malformed chunk is refused, and everything is released once. */
#include "read_rows.h"

#include "arrow_fixture.h"
#include "data/rows/cell_columns.h"
#include "row_keys_fixture.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Texts of a data frame. */

static void texts_are_values(void **state) {
  (void)state;
  static const struct {
    const char *text, *same; /* NULL: empty */
    double number;
  } cases[] = {
      {"7", "7", 7},
      {"007", "7", 7},
      {" 7.0\t", "7", 7},
      {"+7e0", "7", 7},
      {"-0", "0", 0},
      {"-2.50", "-2.5", -2.5},
      {"1e3", "1000", 1000},
      {".5", "0.5", 0.5},
      {"9007199254740993", "9007199254740992", 9007199254740992.0},
      {"0.1000000000000000055511151231257827", "0.1", 0.1},
      {"", NULL, NAN},
      {" \t ", NULL, NAN},
      {"nan", NULL, NAN},
      {"-Inf", NULL, NAN},
      {"INFINITY", NULL, NAN},
      {"1e999", NULL, NAN},
      {"-1e999", NULL, NAN},
      {"true", "1", 1},
      {"TRUE", "1", 1},
      {"False", "0", 0},
      {"truer", "truer", NAN},
      {"1 2", "1 2", NAN},
      {"7x", "7x", NAN},
      {"0x10", "0x10", NAN},
      {"+", "+", NAN},
      {"-", "-", NAN},
      {"1970-01-01", "1970-01-01", 0},
      {"1970-01-02", "1970-01-02", 86400},
      {"1969-12-31T23:59:59", "1969-12-31T23:59:59", -1},
      {"2000-02-29 12:30", "2000-02-29T12:30:00", 951827400},
      {"2026-01-31T00:00:00Z", "2026-01-31", 1769817600},
      {"2026-01-31T02:00:00+02:00", "2026-01-31", 1769817600},
      {"2026-01-30T22:30:00-0130", "2026-01-31", 1769817600},
      {"2026-01-31T02+02", "2026-01-31", 1769817600},
      {"2026-01-31 08", "2026-01-31T08:00:00", 1769846400},
      {"08:30", "08:30:00", 30600},
      {"23:59:59.5", "23:59:59.5", 86399.5},
      {"24:00", "24:00", NAN},
      {"8:30", "8:30", NAN},
      {"08:30Z", "08:30Z", NAN},
      {"NA", NULL, NAN},
      {"None", NULL, NAN},
      {"none", "none", NAN},
      {"<NA>", NULL, NAN},
      {"null", NULL, NAN},
      {"N/A", NULL, NAN},
      {"1970-01-01T00:00:00.250", "1970-01-01T00:00:00.25", 0.25},
      {"0001-01-01", "0001-01-01", -62135596800.0},
      {"9999-12-31T23:59:59.999999999", "9999-12-31T23:59:59.999999999", 253402300799.999999999},
      {"0000-01-01", NULL, NAN},
      {"2025-02-29", "2025-02-29", NAN},
      {"1900-02-29", "1900-02-29", NAN},
      {"2026-13-01", "2026-13-01", NAN},
      {"2026-1-1", "2026-1-1", NAN},
      {"2026-01-01T24:00:00", "2026-01-01T24:00:00", NAN},
      {"2026-01-01T00:00:00.", "2026-01-01T00:00:00.", NAN},
      {"2026-01-01x", "2026-01-01x", NAN},
      {"K\xc3\xb6ln", "K\xc3\xb6ln", NAN},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    char room[SFMI_FRAME_ROOM], again[SFMI_FRAME_ROOM];
    const size_t length = strlen(cases[i].text);
    char *exact = malloc(length + 1); /* no byte behind the text may be read */
    memcpy(exact, cases[i].text, length);
    exact = realloc(exact, length ? length : 1);
    const sfmi_frame_value value = sfmi_frame_text(exact, length, room, sfmi_c_locale());
    if (!cases[i].same) {
      if (value.text) fail_msg("'%s' is not empty", cases[i].text);
    } else {
      if (!value.text || value.length != strlen(cases[i].same) ||
          memcmp(value.text, cases[i].same, value.length) != 0)
        fail_msg("'%s' has another text", cases[i].text);
      const sfmi_frame_value twice =
          sfmi_frame_text(value.text, value.length, again, sfmi_c_locale());
      assert_true(twice.length == value.length &&
                  memcmp(twice.text, value.text, value.length) == 0);
    }
    const double number = sfmi_frame_text_number(exact, length, length, sfmi_c_locale());
    assert_true(isnan(cases[i].number) ? isnan(number) && isnan(value.number)
                                       : number == cases[i].number && value.number == number);
    free(exact);
  }
}

/* Every day of four hundred years has its own text and number, one after the other. */
static void days_follow_each_other(void **state) {
  (void)state;
  char room[SFMI_FRAME_ROOM], before[SFMI_FRAME_ROOM] = "";
  for (int64_t day = -146097; day <= 146097; day++) {
    const sfmi_frame_value value = sfmi_frame_instant((sfmi_instant){day * 86400, 0}, room);
    assert_true(value.length == 10 && value.number == (double)day * 86400);
    assert_true(sfmi_frame_text_number(value.text, value.length, value.length, sfmi_c_locale()) ==
                value.number);
    assert_true(memcmp(before, room, 10) < 0);
    memcpy(before, room, 10);
  }
  assert_memory_equal(before, "2370-01-01", 10);
}

/* A reading of one column in every way at once. */

enum { ROWS = 40 };
static const char *const WORDS[] = {
    "F", "M", "01", "2.5", "09:15", "2026-01-31", "a long category"};

typedef struct taken {
  size_t rows;
  double numbers[ROWS];
  uint32_t codes[ROWS];
  char texts[ROWS][40];
  uint8_t keep[ROWS];
  uint8_t print[SFMI_DIGEST_BYTES];
} taken;

static sfm_rows *rows_of(arrow_table *table, sfm_arrow_chunks chunks) {
  struct ArrowArrayStream stream = arrow_stream(table);
  sfm_rows *rows;
  MUST(sfm_rows_from_arrow_stream(&rows, &stream, chunks, error));
  assert_null(stream.release);
  return rows;
}

/* Column "x" as numbers, as categories and as texts, with the persons of "p". */
static taken take(arrow_table *table, sfm_arrow_chunks chunks, bool persons) {
  static const sfmi_cell_column columns[] = {{"x", SFMI_USE_NUMBER, NULL, 0},
                                             {"x", SFMI_USE_CATEGORY, WORDS, COUNT(WORDS)},
                                             {"x", SFMI_USE_TEXT, NULL, 0}};
  static const uint8_t key[SFMI_DIGEST_BYTES] = {1, 2, 3};
  taken t = {0};
  sfm_schema *schema;
  const sfmi_batch *batch;
  MUST(sfm_schema_create(&schema, error));
  if (persons) MUST(sfm_schema_set_person(schema, "p", error));
  if (persons) MUST(sfm_schema_set_contributions(schema, 2, error));
  sfm_rows *rows = rows_of(table, chunks);
  set_keys(rows, key, false);
  MUST(sfmi_rows_begin_cells(rows, schema, columns, COUNT(columns), error));
  for (;;) {
    MUST(sfmi_rows_next(rows, &batch, error));
    if (!batch) break;
    for (size_t r = 0; r < batch->rows; r++, t.rows++) {
      assert_true(t.rows < ROWS);
      t.numbers[t.rows] = batch->values[r];
      t.codes[t.rows] = batch->codes[r];
      t.keep[t.rows] = batch->keep[r];
      memcpy(t.texts[t.rows], batch->texts[r].text ? batch->texts[r].text : "",
             batch->texts[r].length);
    }
  }
  sfmi_rows_fingerprint(rows, t.print);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  assert_int_equal(arrow_live, 0);
  return t;
}

static void assert_taken(const taken *a, const taken *b, const char *format, size_t chunk) {
  if (a->rows != b->rows || memcmp(a->codes, b->codes, sizeof a->codes) ||
      memcmp(a->texts, b->texts, sizeof a->texts) || memcmp(a->keep, b->keep, sizeof a->keep) ||
      memcmp(a->print, b->print, sizeof a->print))
    fail_msg("%s, chunks of %zu: other cells", format, chunk);
  for (size_t i = 0; i < a->rows; i++)
    if (!(a->numbers[i] == b->numbers[i] || (isnan(a->numbers[i]) && isnan(b->numbers[i]))))
      fail_msg("%s, chunks of %zu: %g, not %g", format, chunk, a->numbers[i], b->numbers[i]);
}

/* The same table, in every storage that holds it, in all sizes of chunks, with and without offsets:
 * numbers, categories, texts, persons and the fingerprint are the same. */
static void check_storages(const char *const *cells, size_t rows, const char *const *storages,
                           size_t count) {
  static const char *const ids[] = {"7", "007", "7.0", "x", NULL, " 7", "x ", "X", "8", "9"};
  const char *persons[ROWS];
  for (size_t i = 0; i < rows; i++) persons[i] = ids[i % COUNT(ids)];
  taken first = {0}, once = {0}; /* a stream that is read once has no persons */
  for (size_t s = 0; s < count; s++)
    for (size_t chunk = 0; chunk <= 5; chunk++)
      for (size_t pad = 0; pad <= 9; pad += 9) {
        char format[64];
        snprintf(format, sizeof format, "%s", storages[s]);
        char *entries = strchr(format, '>');
        if (entries) *entries++ = 0;
        const arrow_cells columns[] = {{"p", s % 2 ? "u" : "vu", NULL, persons},
                                       {"x", format, entries, cells}};
        arrow_table table = {
            .columns = columns, .count = 2, .rows = rows, .chunk = chunk, .pad = pad};
        const bool kept = chunk % 2 == 0;
        taken *wanted = kept ? &first : &once;
        const taken t = take(&table, kept ? SFM_ARROW_CHUNKS_KEEP : SFM_ARROW_CHUNKS_ONCE, kept);
        assert_int_equal(t.rows, rows);
        if (wanted->rows == 0) *wanted = t;
        assert_taken(&t, wanted, storages[s], chunk);
      }
  /* Seven is one person, who may have two records, and x another; nobody's records are not kept. */
  assert_memory_equal(once.print, first.print, sizeof first.print);
  if (rows < 10) return;
  const uint8_t *k = first.keep;
  assert_int_equal(k[0] + k[1] + k[2] + k[5], 2);
  assert_true(k[3] && !k[4] && k[6] && k[7] && k[8] && k[9]);
}

static void storage_decides_nothing(void **state) {
  (void)state;
  static const char *const reals[] = {"2.5", "1",     NULL, "-7.25", "1000",
                                      "0",   "0.125", "3",  "2.5",   "1"};
  static const char *const real_storages[] = {
      "g",      "f",       "e",          "u",        "U",         "z",   "Z",   "vu",       "vz",
      "d:20,3", "d:38,10", "d:70,9,256", "d:9,3,32", "d:18,5,64", "c>g", "L>u", "i>d:20,3", "S>vu"};
  check_storages(reals, COUNT(reals), real_storages, COUNT(real_storages));
  static const char *const wholes[] = {"1", "0", "100", NULL, "7", "1", "127", "2", "3", "4"};
  static const char *const whole_storages[] = {
      "c", "C",  "s",     "S",      "i",          "I",   "l",   "L",   "e",   "f",   "g",  "u",
      "U", "vu", "d:5,0", "d:5,-0", "d:40,2,256", "c>l", "C>C", "s>u", "I>f", "l>U", "i>z"};
  check_storages(wholes, COUNT(wholes), whole_storages, COUNT(whole_storages));
  static const char *const dates[] = {"2026-01-31", "1970-01-01", NULL,        "1969-12-31",
                                      "2026-01-31", "0001-01-01", "9999-12-31"};
  static const char *const date_storages[] = {
      "tdD", "tdm", "tss:", "tss:UTC", "tsm:", "tsu:Europe/Rome", "u", "vu", "c>tdD", "i>u"};
  check_storages(dates, COUNT(dates), date_storages, COUNT(date_storages));
  static const char *const booleans[] = {"true", "false", NULL, "true", "false"};
  static const char *const boolean_storages[] = {"b", "u", "U",   "vu",  "c",
                                                 "L", "g", "c>b", "C>u", "s>i"};
  check_storages(booleans, COUNT(booleans), boolean_storages, COUNT(boolean_storages));
  static const char *const times[] = {"09:15", "00:00", NULL, "23:59:59", "09:15:00", "08:30"};
  static const char *const time_storages[] = {"tts", "ttm", "ttu",   "ttn",
                                              "u",   "vu",  "c>tts", "i>u"};
  check_storages(times, COUNT(times), time_storages, COUNT(time_storages));
  static const char *const words[] = {
      "F", "M", NULL, "a long category", "something much longer", "F", "K\xc3\xb6ln",
      "M", "X", "F"};
  static const char *const word_storages[] = {"u", "U", "z", "Z", "vu", "vz", "c>u", "L>U", "s>vu"};
  check_storages(words, COUNT(words), word_storages, COUNT(word_storages));
}

/* What the categories and numbers of a column of mixed texts are. */
static void cells_are_read_by_value(void **state) {
  (void)state;
  static const char *const cells[] = {
      "F", " M ", "1", "01", "1.0", "2.50", "09:15:00.0", "2026-01-31T00:00", "f", "", "2"};
  static const uint32_t codes[] = {
      0, 1, 2, 2, 2, 3, 4, 5, SFMI_NO_CATEGORY, SFMI_NO_CATEGORY, SFMI_NO_CATEGORY};
  static const double numbers[] = {NAN, NAN, 1, 1, 1, 2.5, 33300, 1769817600, NAN, NAN, 2};
  const arrow_cells column = {"x", "u", NULL, cells};
  arrow_table table = {.columns = &column, .count = 1, .rows = COUNT(cells)};
  const taken t = take(&table, SFM_ARROW_CHUNKS_KEEP, false);
  for (size_t i = 0; i < COUNT(cells); i++) {
    assert_int_equal(t.codes[i], codes[i]);
    assert_true(isnan(numbers[i]) ? isnan(t.numbers[i]) : t.numbers[i] == numbers[i]);
  }
  /* Nested types and durations are empty. */
  static const char *const nothing[] = {"n", "+l", "+s", "+w:3", "tDs", "tiM"};
  for (size_t i = 0; i < COUNT(nothing); i++) {
    const arrow_cells empty = {"x", nothing[i], NULL, cells};
    table = (arrow_table){.columns = &empty, .count = 1, .rows = COUNT(cells)};
    const taken none = take(&table, SFM_ARROW_CHUNKS_KEEP, false);
    assert_int_equal(none.rows, COUNT(cells));
    for (size_t r = 0; r < none.rows; r++)
      assert_true(isnan(none.numbers[r]) && none.codes[r] == SFMI_NO_CATEGORY && !none.texts[r][0]);
  }
}

/* Formats that only store other columns, or that nobody knows, are refused at once. */
static void unknown_formats_are_refused(void **state) {
  (void)state;
  static const char *const cells[] = {"1"};
  static const char *const unknown[] = {
      "+r", "?", "d:x", "d:5,2,100", "w:", "xyz", "ttx", "tsq:", "c>+r", "c>?"};
  for (size_t i = 0; i < COUNT(unknown); i++) {
    char format[16];
    snprintf(format, sizeof format, "%s", unknown[i]);
    char *entries = strchr(format, '>');
    if (entries) *entries++ = 0;
    const arrow_cells column = {"x", format, entries, cells};
    arrow_table table = {.columns = &column, .count = 1, .rows = 1};
    struct ArrowArrayStream stream = arrow_stream(&table);
    sfm_rows *rows;
    REFUSES(SFM_FORMAT, sfm_rows_from_arrow_stream(&rows, &stream, SFM_ARROW_CHUNKS_KEEP, error),
            "'x'", "cannot be read");
    assert_true(!rows && !stream.release && arrow_live == 0);
  }
}

/* The same cells in other records are other rows. */
static void records_are_part_of_the_fingerprint(void **state) {
  (void)state;
  static const char *const cells[] = {"1", "3", "5", "2", "4", "6"};
  static const char *const others[] = {"1", "4", "2", "5", "3", "6"};
  const arrow_cells two[] = {{"x", "l", NULL, cells}, {"y", "l", NULL, cells + 3}};
  const arrow_cells three[] = {
      {"x", "l", NULL, others}, {"y", "l", NULL, others + 2}, {"z", "l", NULL, others + 4}};
  arrow_table narrow = {.columns = two, .count = 2, .rows = 3},
              wide = {.columns = three, .count = 3, .rows = 2};
  const taken a = take(&narrow, SFM_ARROW_CHUNKS_KEEP, false),
              b = take(&wide, SFM_ARROW_CHUNKS_KEEP, false);
  assert_memory_not_equal(a.print, b.print, sizeof a.print);
}

/* Categories that are one value in a frame are refused; in a CSV they are two. */
static void same_categories_are_refused(void **state) {
  (void)state;
  static const char *const cells[] = {"1"};
  static const char *const categories[] = {"01", "1"};
  static const sfmi_cell_column column = {"x", SFMI_USE_CATEGORY, categories, 2};
  const arrow_cells stored = {"x", "u", NULL, cells};
  arrow_table table = {.columns = &stored, .count = 1, .rows = 1};
  sfm_schema *schema;
  MUST(sfm_schema_create(&schema, error));
  sfm_rows *rows = rows_of(&table, SFM_ARROW_CHUNKS_KEEP);
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, &column, 1, error), "'01'", "'1'",
          "same value");
  static const char *const missing[] = {"F", "NA"};
  static const sfmi_cell_column empty = {"x", SFMI_USE_CATEGORY, missing, 2};
  REFUSES(SFM_INVALID, sfmi_rows_begin_cells(rows, schema, &empty, 1, error), "'NA'", "empty cell");
  sfm_rows_destroy(rows);
  MUST(sfmi_rows_open_memory(&rows, "x\n1\n", 4, 0, error));
  MUST(sfmi_rows_begin_cells(rows, schema, &column, 1, error));
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

/* A row that is null as a whole has empty cells; the others are as before. */
static void null_rows_are_empty(void **state) {
  (void)state;
  static const char *const cells[] = {"1", "2", "3", "4", "5", "6", "7"};
  for (size_t s = 0; s < 2; s++) {
    const arrow_cells column = {"x", s ? "u" : "l", NULL, cells};
    for (size_t pad = 0; pad < 10; pad += 3) {
      arrow_table table = {.columns = &column,
                           .count = 1,
                           .rows = COUNT(cells),
                           .chunk = 4,
                           .pad = pad,
                           .hide = true};
      const taken t = take(&table, SFM_ARROW_CHUNKS_KEEP, false);
      for (size_t i = 0; i < COUNT(cells); i++)
        assert_true(i % 3 == 2 ? isnan(t.numbers[i]) : t.numbers[i] == (double)i + 1);
    }
  }
}

/* Variables with bounds and groups, as densities read them: like the same CSV. */
static void groups_as_in_csv(void **state) {
  (void)state;
  static const char csv[] = "sex,age\nF,1\nM,200\nX,3\nF,\nM,5.5\n";
  static const char *const sexes[] = {"F", "M", "X", "F", "M"};
  static const char *const ages[] = {"1", "200", "3", NULL, "5.5"};
  static const char *const sex_categories[] = {"F", "M"};
  static const char *const age[] = {"age"}, *const sex[] = {"sex"};
  const arrow_cells columns[] = {{"sex", "c", "u", sexes}, {"age", "g", NULL, ages}};
  arrow_table table = {.columns = columns, .count = 2, .rows = 5, .chunk = 2};
  sfm_schema *schema = bounded(age, 1, 0, 100);
  MUST(sfm_schema_set_categories(schema, "sex", sex_categories, 2, error));
  sfmi_selection selection = {schema, age, 1, SFM_OUTSIDE_CLAMP};
  double values[2][5];
  uint32_t groups[2][5];
  uint8_t keep[2][5];
  for (int way = 0; way < 2; way++) {
    sfm_rows *rows;
    const sfmi_batch *batch;
    uint64_t counted;
    size_t done = 0;
    if (way == 0)
      MUST(sfmi_rows_open_memory(&rows, csv, strlen(csv), 0, error));
    else
      rows = rows_of(&table, SFM_ARROW_CHUNKS_KEEP);
    MUST(sfm_rows_count(rows, &counted, error));
    assert_int_equal(counted, 5);
    MUST(sfmi_rows_begin_by(rows, &selection, sex, 1, error));
    for (;;) {
      MUST(sfmi_rows_next(rows, &batch, error));
      if (!batch) break;
      memcpy(values[way] + done, batch->values, batch->rows * sizeof(double));
      memcpy(groups[way] + done, batch->group, batch->rows * sizeof(uint32_t));
      memcpy(keep[way] + done, batch->keep, batch->rows);
      done += batch->rows;
    }
    assert_int_equal(done, 5);
    sfm_rows_report *report;
    MUST(sfm_rows_check(rows, &report, schema, error));
    assert_int_equal(report->records, 5);
    assert_int_equal(report->zero_rows, 2);
    for (size_t i = 0; i < report->column_count; i++)
      if (strcmp(report->columns[i].name, "age") == 0)
        assert_true(report->columns[i].above == 1 && report->columns[i].empty == 1);
      else
        assert_int_equal(report->columns[i].undeclared, 1);
    sfm_rows_report_destroy(report);
    sfm_rows_destroy(rows);
  }
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(keep[0][i], keep[1][i]);
    if (!keep[0][i]) continue;
    assert_true(values[0][i] == values[1][i] && groups[0][i] == groups[1][i]);
  }
  sfm_schema_destroy(schema);
  assert_int_equal(arrow_live, 0);
}

/* Streams that end badly. */

static void streams_are_moved_once(void **state) {
  (void)state;
  static const char *const cells[] = {"1", "2", "3", "4", "5"};
  static const char *const x[] = {"x"};
  const arrow_cells column = {"x", "l", NULL, cells};
  sfm_schema *schema = bounded(x, 1, 0, 10);
  const sfmi_selection selection = {schema, x, 1, SFM_OUTSIDE_CLAMP};
  sfm_rows *rows;
  const sfmi_batch *batch;
  uint64_t count;
  /* Read once: no count, and no second reading. */
  arrow_table table = {.columns = &column, .count = 1, .rows = 5, .chunk = 2};
  rows = rows_of(&table, SFM_ARROW_CHUNKS_ONCE);
  REFUSES(SFM_INVALID, sfm_rows_count(rows, &count, error), "add-remove");
  reading r = read_all(rows, &selection);
  assert_int_equal(r.rows, 5);
  reading_clear(&r);
  assert_int_equal(arrow_live, 2); /* its schema, and that of its column */
  REFUSES(SFM_INVALID, sfmi_rows_begin(rows, &selection, error), "once");
  sfm_rows_destroy(rows);
  assert_int_equal(arrow_live, 0);
  /* Kept: read as often as wanted. */
  rows = rows_of(&table, SFM_ARROW_CHUNKS_KEEP);
  for (int i = 0; i < 3; i++) {
    r = read_all(rows, &selection);
    assert_int_equal(r.rows, 5);
    reading_clear(&r);
  }
  sfm_rows_destroy(rows);
  /* A failure in the middle: what the stream says is not repeated. */
  for (size_t at = 1; at <= 4; at++)
    for (int chunks = 0; chunks < 2; chunks++) {
      table.fails_at = at;
      rows = rows_of(&table, (sfm_arrow_chunks)chunks);
      MUST(sfmi_rows_begin(rows, &selection, error));
      sfm_error error = {0};
      assert_int_equal(sfmi_rows_next(rows, &batch, &error), SFM_IO);
      assert_null(strstr(error.message, "secret"));
      if (!chunks) assert_int_equal(sfm_rows_count(rows, &count, &error), SFM_IO);
      sfm_rows_destroy(rows);
      assert_int_equal(arrow_live, 0);
    }
  table.fails_at = 0;
  /* A stream that was released, and a number that is no way. */
  struct ArrowArrayStream stream = arrow_stream(&table);
  stream.release(&stream);
  REFUSES(SFM_INVALID, sfm_rows_from_arrow_stream(&rows, &stream, SFM_ARROW_CHUNKS_KEEP, error),
          "released");
  assert_null(rows);
  stream = arrow_stream(&table);
  REFUSES(SFM_INVALID, sfm_rows_from_arrow_stream(&rows, &stream, (sfm_arrow_chunks)7, error), "7");
  assert_true(!stream.release && !rows && arrow_live == 0);
  sfm_schema_destroy(schema);
}

/* Chunks that are not what the stream promised. */

enum {
  SHORT,
  CHILDREN,
  NO_CHILDREN,
  NO_BUFFERS,
  NO_DATA,
  NEGATIVE,
  OFFSET,
  HUGE,
  NO_CHILD,
  RELEASED,
  NO_DICTIONARY,
  SHORT_DICTIONARY,
  SPOILS
};

static void spoil(struct ArrowArray *batch, void *spoil_data) {
  struct ArrowArray *number = batch->children[0], *coded = batch->children[1];
  switch (*(const int *)spoil_data) {
  case SHORT:
    number->length--;
    break;
  case CHILDREN:
    coded->release(coded);
    batch->n_children = 1;
    break;
  case NO_CHILDREN:
    number->release(number);
    coded->release(coded);
    batch->children = NULL;
    batch->n_children = 0;
    break;
  case NO_BUFFERS:
    number->n_buffers = 1;
    break;
  case NO_DATA:
    number->buffers[1] = NULL;
    break;
  case NEGATIVE:
    batch->length = -1;
    break;
  case OFFSET:
    number->offset = -5;
    break;
  case HUGE:
    number->offset = INT64_MAX;
    break;
  case NO_CHILD:
    number->release(number);
    batch->children[0] = NULL;
    break;
  case RELEASED:
    number->release(number);
    break;
  case NO_DICTIONARY:
    coded->dictionary->release(coded->dictionary);
    coded->dictionary = NULL;
    break;
  case SHORT_DICTIONARY:
    coded->dictionary->length = -3;
    break;
  default:
    break;
  }
}

static void malformed_chunks_are_refused(void **state) {
  (void)state;
  static const char *const cells[] = {"1", "2", "3"};
  static const char *const x[] = {"x"};
  const arrow_cells columns[] = {{"x", "l", NULL, cells}, {"y", "c", "u", cells}};
  sfm_schema *schema = bounded(x, 1, 0, 10);
  const sfmi_selection selection = {schema, x, 1, SFM_OUTSIDE_CLAMP};
  for (int how = 0; how < SPOILS; how++) {
    arrow_table table = {
        .columns = columns, .count = 2, .rows = 3, .spoil = spoil, .spoil_data = &how};
    sfm_rows *rows = rows_of(&table, SFM_ARROW_CHUNKS_KEEP);
    const sfmi_batch *batch;
    MUST(sfmi_rows_begin(rows, &selection, error));
    REFUSES(SFM_FORMAT, sfmi_rows_next(rows, &batch, error), "malformed");

    sfm_rows_destroy(rows);
    assert_int_equal(arrow_live, 0);
  }
  sfm_schema_destroy(schema);
}

/* Offsets, views and places in dictionaries that point nowhere make empty cells. */
static void spoil_cells(struct ArrowArray *batch, void *spoil_data) {
  (void)spoil_data;
  static const int8_t places[] = {1, 100, -1};
  static const int32_t offsets[] = {0, -7, 2, 1};
  int32_t size = 20, start = 1 << 30;
  memcpy((void *)(uintptr_t)batch->children[0]->buffers[1], places, sizeof places);
  memcpy((void *)(uintptr_t)batch->children[1]->buffers[1], offsets, sizeof offsets);
  uint8_t *views = (void *)(uintptr_t)batch->children[2]->buffers[1];
  memcpy(views + 16, &size, 4);
  memcpy(views + 28, &start, 4);
  size = -3;
  memcpy(views + 32, &size, 4);
}

static void malformed_cells_are_empty(void **state) {
  (void)state;
  static const char *const cells[] = {"1", "2", "3"};
  static const char *const all[] = {"a", "b", "c"};
  const arrow_cells columns[] = {
      {"a", "c", "u", cells}, {"b", "u", NULL, cells}, {"c", "vu", NULL, cells}};
  arrow_table table = {.columns = columns, .count = 3, .rows = 3, .spoil = spoil_cells};
  sfm_schema *schema = bounded(all, 3, 0, 10);
  const sfmi_selection selection = {schema, all, 3, SFM_OUTSIDE_CLAMP};
  sfm_rows *rows = rows_of(&table, SFM_ARROW_CHUNKS_KEEP);
  reading r = read_all(rows, &selection);
  assert_int_equal(r.rows, 3);
  assert_true(r.values[0] == 1 && r.values[2] == 1);
  for (size_t i = 0; i < 3; i++) assert_int_equal(r.keep[i], 0);
  reading_clear(&r);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  assert_int_equal(arrow_live, 0);
}

/* Schemas that are none of a record batch. */
static struct ArrowSchema *wrong_schema;

static int give_wrong(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  (void)stream;
  if (!wrong_schema) return EINVAL;
  *out = *wrong_schema;
  return 0;
}

static void forget(struct ArrowSchema *schema) {
  schema->release = NULL;
}

static void wrong_schemas_are_refused(void **state) {
  (void)state;
  struct ArrowSchema column = {.format = NULL, .release = forget}, *list[] = {&column};
  struct ArrowSchema entries = {.format = "u", .release = forget},
                     coded = {.format = "g", .dictionary = &entries, .release = forget},
                     *coded_list[] = {&coded};
  struct ArrowSchema cases[] = {
      {.format = "l", .release = forget},
      {.format = NULL, .release = forget},
      {.format = "+s", .release = forget},
      {.format = "+s", .n_children = -1, .children = list, .release = forget},
      {.format = "+s", .n_children = 1, .release = forget},
      {.format = "+s", .n_children = 1, .children = list, .release = forget},
      {.format = "+s", .n_children = 1, .children = coded_list, .release = forget},
      {.format = "+s", .n_children = INT64_MAX, .children = list, .release = forget},
      {.format = "+s", .n_children = 1, .children = list},
  };
  arrow_table table = {0};
  for (size_t i = 0; i <= COUNT(cases); i++) {
    sfm_rows *rows;
    sfm_error error = {0};
    wrong_schema = i < COUNT(cases) ? &cases[i] : NULL;
    struct ArrowArrayStream stream = arrow_stream(&table);
    stream.get_schema = give_wrong;
    const sfm_status status =
        sfm_rows_from_arrow_stream(&rows, &stream, SFM_ARROW_CHUNKS_KEEP, &error);
    assert_int_equal(status, i < COUNT(cases) ? SFM_FORMAT : SFM_IO);
    assert_true(!rows && !stream.release && arrow_live == 0);
  }
}

/* Decimals are the nearest doubles. */
static void decimals_are_rounded_once(void **state) {
  (void)state;
  static const char *const cells[] = {"0.1",
                                      "-0.1",
                                      "123456789012345678901234567890.12345678",
                                      "0.00000001",
                                      "9007199254740993",
                                      "-9007199254740993.5",
                                      "99999999999999999999999999999.99999999"};
  static const char *const storages[] = {"d:38,8", "d:76,8,256", "d:76,30,256"};
  for (size_t s = 0; s < COUNT(storages); s++) {
    const arrow_cells column = {"x", storages[s], NULL, cells};
    arrow_table table = {.columns = &column, .count = 1, .rows = COUNT(cells)};
    const taken t = take(&table, SFM_ARROW_CHUNKS_KEEP, false);
    for (size_t i = 0; i < COUNT(cells); i++) assert_true(t.numbers[i] == strtod(cells[i], NULL));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_values),
      cmocka_unit_test(days_follow_each_other),
      cmocka_unit_test(storage_decides_nothing),
      cmocka_unit_test(cells_are_read_by_value),
      cmocka_unit_test(unknown_formats_are_refused),
      cmocka_unit_test(records_are_part_of_the_fingerprint),
      cmocka_unit_test(same_categories_are_refused),
      cmocka_unit_test(null_rows_are_empty),
      cmocka_unit_test(groups_as_in_csv),
      cmocka_unit_test(streams_are_moved_once),
      cmocka_unit_test(malformed_chunks_are_refused),
      cmocka_unit_test(malformed_cells_are_empty),
      cmocka_unit_test(wrong_schemas_are_refused),
      cmocka_unit_test(decimals_are_rounded_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
