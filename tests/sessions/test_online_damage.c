/* test_online_damage.c - files that are not sessions, or not any more: an error that says so, never
 * a crash, and never an answer that is not the session's. */
/* suite: both */
#include "online_harness.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/child_process.h"

static online_harness d;
static unsigned char *image;
static size_t size;

static void read_image(void) {
  struct stat facts;
  FILE *file = fopen(d.session, "rb");
  assert_true(file && fstat(fileno(file), &facts) == 0);
  size = (size_t)facts.st_size;
  image = malloc(size);
  assert_true(image && fread(image, 1, size, file) == size);
  fclose(file);
}

static void write_bytes(const unsigned char *bytes, size_t length) {
  FILE *file = fopen(d.session, "wb");
  assert_true(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

static void begin(sfm_engine engine, online_harness_keeper keeper) {
  online_harness_init(&d, engine, keeper);
  if (child_run(online_harness_client, &d, NULL).code) fail_msg("%s", d.word->text);
  read_image();
}

static void end(void) {
  free(image);
  online_harness_clear(&d);
}

/* Opens and asks everything that was shown; the status of the first that failed. */
static sfm_status attempt(const char *what) {
  double value;
  d.word->text[0] = '\0';
  const sfm_status status = online_harness_ask_at(&d, d.session, 0.5, &value);
  if (status && !d.word->text[0]) fail_msg("%s: an error without a message", what);
  if (status) return status;
  const child_end finish = child_run(online_harness_check, &d, NULL);
  if (finish.signal) fail_msg("%s: signal %d", what, finish.signal);
  if (finish.code && strstr(d.word->text, "the answer at")) fail_msg("%s: %s", what, d.word->text);
  return finish.code ? SFM_FORMAT : SFM_OK;
}

static void expect_format(const char *what) {
  const sfm_status status = attempt(what);
  if (status != SFM_FORMAT) fail_msg("%s: status %d: %s", what, (int)status, d.word->text);
}

static void run_sql(const char *path, const char *sql) {
  sqlite3 *database;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(database);
}

static void what_is_not_a_session(void **state) {
  (void)state;
  sfmi_prng prng;
  unsigned char noise[5000];
  double value;
  sfmi_prng_init(&prng, 1);
  begin(SFM_ENGINE_MARKOV, ONLINE_HARNESS_LEDGER);
  for (size_t length = 0; length <= sizeof noise; length = 3 * length + 1) {
    for (size_t i = 0; i < length; i++) noise[i] = (unsigned char)sfmi_prng_word(&prng);
    write_bytes(noise, length);
    expect_format("random bytes");
  }
  write_bytes((const unsigned char *)"age\n31\n40\n", 10);
  expect_format("a table");
  online_harness_copy(d.session, d.ledger);
  expect_format("a ledger");
  unlink(d.session);
  run_sql(d.session, "CREATE TABLE t(x)");
  expect_format("another database");
  unlink(d.session);
  assert_int_equal(online_harness_ask_at(&d, d.session, 0.5, &value), SFM_INVALID);
  assert_int_equal(online_harness_ask_at(&d, d.here, 0.5, &value), SFM_INVALID);
  end();
}

static void what_is_cut_off(void **state) {
  (void)state;
  begin(SFM_ENGINE_MARKOV, ONLINE_HARNESS_ALONE);
  const size_t step = test_long() ? 61 : 997 * CHILD_STRIDE;
  for (size_t length = 1; length < size; length += step) {
    write_bytes(image, length);
    if (!attempt("cut off")) fail_msg("%zu of %zu bytes are a session", length, size);
  }
  /* What a wipe that was cut short leaves. */
  memset(image, 0, 4096);
  write_bytes(image, size);
  expect_format("wiped in part");
  assert_non_null(strstr(d.word->text, "cut short"));
  end();
}

/* Single bits: unnoticed where nothing depends on them, else an error. */
static void what_is_flipped(void **state) {
  (void)state;
  static const sfm_engine engines[] = {SFM_ENGINE_SPECTRAL, SFM_ENGINE_MARKOV, SFM_ENGINE_GRAM};
  for (int e = 0; e < 3; e++) {
    sfmi_prng prng;
    size_t noticed = 0;
    const size_t tries = test_long() ? 20000 : 300 / CHILD_STRIDE;
    sfmi_prng_init(&prng, (uint64_t)e + 1);
    begin(engines[e], engines[e] == SFM_ENGINE_GRAM ? ONLINE_HARNESS_ANCHOR : ONLINE_HARNESS_ALONE);
    online_harness_keep(&d);
    for (size_t i = 0; i < tries; i++) {
      const size_t at = sfmi_prng_word(&prng) % size;
      const unsigned char bit = (unsigned char)(1 << sfmi_prng_word(&prng) % 8);
      online_harness_again(&d);
      image[at] ^= bit;
      write_bytes(image, size);
      noticed += attempt("a flipped bit");
      image[at] ^= bit;
    }
    print_message("%s: %zu of %zu flipped bits noticed, no wrong answer\n",
                  sfm_engine_name(engines[e]), noticed, tries);
    end();
  }
}

/* Rows that somebody edits. */
static void what_is_edited(void **state) {
  (void)state;
  static const char *const edits[] = {
      "DELETE FROM session",
      ("INSERT INTO session SELECT 2, identity, key, facts, state, ledger, anchor, hash FROM "
       "session"),
      "UPDATE session SET facts = replace(facts, 'matern32', 'matern52')",
      "UPDATE session SET state = zeroblob(length(state))",
      "UPDATE session SET state = zeroblob(0)",
      "UPDATE session SET key = zeroblob(32)",
      "UPDATE session SET identity = zeroblob(3)",
      "UPDATE session SET anchor = '/tmp/x'",
      "UPDATE batch SET answers = zeroblob(length(answers)) WHERE number = 1",
      "UPDATE batch SET points = zeroblob(length(points)) WHERE number = 2",
      "UPDATE batch SET points = zeroblob(7) WHERE number = 2",
      "UPDATE batch SET latents = zeroblob(8) WHERE number = 2",
      "UPDATE batch SET hash = zeroblob(32) WHERE number = 2",
      "UPDATE batch SET number = 3 WHERE number = 2",
      "UPDATE batch SET number = -1 WHERE number = 1",
      "DELETE FROM batch WHERE number = 1",
      "INSERT INTO batch SELECT 3, points, answers, latents, hash FROM batch WHERE number = 2",
      "INSERT INTO batch VALUES (0, x'', x'', x'', x'')",
      "CREATE TABLE more(x)",
      "CREATE TRIGGER t AFTER INSERT ON batch BEGIN DELETE FROM batch; END",
      "CREATE VIEW v AS SELECT * FROM batch",
      "DROP TABLE seal",
      "PRAGMA application_id = 1",
      "PRAGMA user_version = 2",
      "PRAGMA journal_mode = WAL",
  };
  begin(SFM_ENGINE_MARKOV, ONLINE_HARNESS_ALONE);
  online_harness_keep(&d);
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    online_harness_again(&d);
    run_sql(d.session, edits[i]);
    expect_format(edits[i]);
  }
  /* What a user may do without harm. */
  online_harness_again(&d);
  run_sql(d.session, "VACUUM");
  assert_int_equal(attempt("VACUUM"), SFM_OK);
  /* A session that was never finished is not asked, whoever moves it. */
  run_sql(d.session, "DELETE FROM seal");
  assert_int_equal(attempt("not sealed"), SFM_REFUSED);
  assert_non_null(strstr(d.word->text, "never finished"));
  end();
}

/* One file under two names, and under one that others may read. */
static void names_and_modes(void **state) {
  (void)state;
  char other[160];
  struct stat facts;
  begin(SFM_ENGINE_MARKOV, ONLINE_HARNESS_ALONE);
  snprintf(other, sizeof other, "%s/other.sfs", d.here);
  assert_int_equal(link(d.session, other), 0);
  assert_int_equal(attempt("two names"), SFM_REFUSED);
  unlink(other);
  static const mode_t public[] = {0644, 0640, 0660, 0604, 0444};
  for (size_t i = 0; i < sizeof public / sizeof *public; i++) {
    chmod(d.session, public[i]);
    assert_int_equal(attempt("a public mode"), SFM_INVALID);
    assert_true(stat(d.session, &facts) == 0 && (facts.st_mode & 0777) == public[i]);
  }
  chmod(d.session, 0400);
  assert_int_equal(sfm_online_discard(d.session, NULL), SFM_REFUSED);
  assert_true(stat(d.session, &facts) == 0 && (facts.st_mode & 0777) == 0400);
  chmod(d.session, 0600);
  assert_int_equal(attempt("its own mode"), SFM_OK);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_not_a_session), cmocka_unit_test(what_is_cut_off),
      cmocka_unit_test(what_is_flipped),       cmocka_unit_test(what_is_edited),
      cmocka_unit_test(names_and_modes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
