/* test_interact.c - interactive sessions: what answers say and what is left, restarts, copies,
 * questions that are refused, the transcript, and the end. */
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/child_process.h"
#include "online_harness.h"
#include "interact_harness.h"
#include "sfumato/machine.h"

static sfm_interact *open_at(const char *path) {
  sfm_interact *session;
  sfm_error error;
  assert_ok(sfm_interact_open(&session, path, &error), &error);
  return session;
}

static void create(const interact_harness *p) {
  sfm_error error;
  assert_ok(interact_harness_create(p, p->session, &error), &error);
}

static void ask(sfm_interact *session, sfm_interact_answer *answers, const double *cells,
                size_t count) {
  sfm_error error;
  assert_ok(sfm_interact_ask(session, answers, cells, count, &error), &error);
}

static void check(interact_harness *p) {
  if (interact_harness_check(p)) fail_msg("%s", p->word->text);
}

/* The machine without noise at the points: a release with next to no noise. */
static void exact(double *values, const interact_harness *p, const double *cells, size_t count) {
  static const char *const names[] = {"a", "b", "y"};
  sfm_train_settings s = p->train;
  sfm_rows *rows;
  sfm_release *release = NULL;
  sfm_error error;
  s.epsilon = 1000;
  s.noise_given = true;
  s.noise = SFM_VECTOR_NOISE_GAMMA;
  assert_ok(sfm_rows_from_array(&rows, p->rows, INTERACT_HARNESS_ROWS, 3, names, &error), &error);
  assert_ok(sfm_train_release(&release, rows, &s, &error), &error);
  assert_ok(sfm_machine_at(release, values, cells, count, &error), &error);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
}

/* ---- answers ---- */

static void answers_say_what_they_are(void **state) {
  interact_harness p;
  (void)state;
  interact_harness_init(&p, false);
  create(&p);
  sfm_interact *session = open_at(p.session);
  const sfm_interact_plan plan = sfm_interact_planned(session);
  assert_int_equal(plan.epochs, INTERACT_HARNESS_EPOCHS);
  uint64_t left = INTERACT_HARNESS_EPOCHS, released = 0;
  bool exhausted = false;
  size_t far = 0, total = 0;
  for (unsigned b = 0; b < 30; b++) {
    double cells[2 * INTERACT_HARNESS_BATCH], truth[INTERACT_HARNESS_BATCH];
    sfm_interact_answer answers[INTERACT_HARNESS_BATCH];
    interact_harness_points(cells, b);
    exact(truth, &p, cells, INTERACT_HARNESS_BATCH);
    ask(session, answers, cells, INTERACT_HARNESS_BATCH);
    for (size_t i = 0; i < INTERACT_HARNESS_BATCH; i++) {
      const sfm_interact_answer *a = &answers[i];
      if (a->source == SFM_INTERACT_SOURCE_RELEASED) {
        released++;
        left--;
        assert_true(a->error == plan.error_released);
      }
      assert_int_equal(a->epochs_left, left);
      if (a->source == SFM_INTERACT_SOURCE_PUBLIC)
        assert_true(left > 0 && a->error == plan.error_public);
      if (a->source == SFM_INTERACT_SOURCE_EXHAUSTED) {
        assert_true(left == 0 && isinf(a->error));
        exhausted = true;
        continue;
      }
      assert_false(exhausted); /* never back */
      total++;
      far += fabs(a->value - truth[i]) > a->error + 0.02; /* what the release in truth is off by */
    }
  }
  const sfm_interact_facts about = sfm_interact_about(session);
  assert_int_equal(about.questions, 30 * INTERACT_HARNESS_BATCH);
  assert_int_equal(about.released, released);
  assert_int_equal(about.epochs_left, left);
  assert_true(released >= 2); /* a model that knows nothing is told */
  if (binomial_too_few(total - far, total, 0.95))
    fail_msg("%zu of %zu beyond their bars", far, total);
  sfm_interact_close(session);
  check(&p);
  interact_harness_clear(&p);
}

/* Smaller thresholds than the machine is away from zero: every answer ends an epoch at first. */
static void exhausted_sessions_go_on(void **state) {
  interact_harness p;
  (void)state;
  interact_harness_init(&p, false);
  p.settings.epochs = 1;
  create(&p);
  sfm_interact *session = open_at(p.session);
  double cells[4] = {1, 1, -1, -1};
  sfm_interact_answer answers[2];
  ask(session, answers, cells, 2);
  assert_int_equal(answers[0].source, SFM_INTERACT_SOURCE_RELEASED);
  assert_int_equal(answers[0].epochs_left, 0);
  assert_int_equal(answers[1].source, SFM_INTERACT_SOURCE_EXHAUSTED);
  sfm_interact_close(session);
  session = open_at(p.session);
  sfm_interact_answer again[2];
  ask(session, again, cells, 2);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(again[i].source, SFM_INTERACT_SOURCE_EXHAUSTED);
    assert_true(isinf(again[i].error) && isfinite(again[i].value));
  }
  assert_true(again[0].value > 0); /* it has learned something */
  assert_true(answers[1].value == again[1].value);
  sfm_interact_close(session);
  interact_harness_clear(&p);
}

/* One batch or many, before and after a restart: the same questions, and each counted once. */
static void portions_do_not_matter(void **state) {
  static double cells[2 * 3000];
  static sfm_interact_answer one[3000], many[3000];
  interact_harness p, q;
  (void)state;
  for (size_t i = 0; i < 2 * 3000; i++) cells[i] = sin((double)i * 1.7);
  interact_harness_init(&p, false);
  interact_harness_init(&q, false);
  p.train.context.seeded = q.train.context.seeded = true;
  create(&p);
  create(&q);
  sfm_interact *a = open_at(p.session), *b = open_at(q.session);
  ask(a, one, cells, 3000);
  ask(b, many, cells, 3000);
  assert_memory_equal(one, many, sizeof one); /* a seed says everything */
  sfm_interact_close(b);
  b = open_at(q.session);
  ask(b, many, cells, 1);
  ask(a, one, cells, 1);
  assert_memory_equal(one, many, sizeof *one);
  assert_int_equal(sfm_interact_about(b).questions, 3001);
  sfm_interact_close(a);
  sfm_interact_close(b);
  interact_harness_clear(&p);
  interact_harness_clear(&q);
}

/* Two who have it open tell each other everything. */
static void two_openers_share_it(void **state) {
  interact_harness p;
  (void)state;
  interact_harness_init(&p, true);
  create(&p);
  sfm_interact *one = open_at(p.session), *two = open_at(p.session);
  sfm_error error;
  for (unsigned b = 0; b < 4; b++) {
    double cells[2 * INTERACT_HARNESS_BATCH];
    interact_harness_points(cells, b);
    assert_ok(interact_harness_ask(&p, b % 2 ? one : two, cells, INTERACT_HARNESS_BATCH, &error),
              &error);
  }
  sfm_interact_close(one);
  assert_int_equal(sfm_interact_about(two).questions,
                   3 * INTERACT_HARNESS_BATCH); /* when last asked */
  sfm_interact_close(two);
  check(&p);
  interact_harness_clear(&p);
}

/* ---- refusals ---- */

static void refused(sfm_interact *session, const double *cells, size_t count, const char *says) {
  sfm_interact_answer answers[4];
  sfm_error error;
  const uint64_t before = sfm_interact_about(session).questions;
  assert_int_equal(sfm_interact_ask(session, answers, cells, count, &error), SFM_INVALID);
  if (!strstr(error.message, says)) fail_msg("'%s' lacks '%s'", error.message, says);
  assert_int_equal(sfm_interact_about(session).questions, before);
}

static void questions_outside_are_refused(void **state) {
  interact_harness p;
  (void)state;
  interact_harness_init(&p, false);
  create(&p);
  sfm_interact *session = open_at(p.session);
  refused(session, (double[]){0, 0, 0.5, 1.5}, 2, "point 2 is outside the domain: its b is 1.5");
  refused(session, (double[]){0, NAN}, 1, "point 1 has no value for b");
  refused(session, (double[]){-INFINITY, 0}, 1, "point 1");
  size_t starts[2] = {0, 1};
  uint32_t index = 0;
  double number = 1;
  sfm_interact_answer answer;
  sfm_error error;
  assert_int_equal(sfm_interact_ask_sparse(session, &answer, starts, &index, &number, 1, &error),
                   SFM_INVALID);
  sfm_interact_close(session);
  interact_harness_clear(&p);
}

static void older_copies_are_refused(void **state) {
  interact_harness p;
  char copy[256];
  (void)state;
  for (int charged = 0; charged < 2; charged++) {
    sfm_interact *session, *older = NULL;
    sfm_error error;
    sfm_interact_answer answer;
    interact_harness_init(&p, charged);
    create(&p);
    snprintf(copy, sizeof copy, "%s/copy.sfs", p.root);
    online_harness_copy(copy, p.session);
    session = open_at(p.session);
    older = open_at(copy); /* as good as the other, until one goes on */
    ask(session, &answer, (double[]){1, 1}, 1);
    assert_int_equal(sfm_interact_ask(older, &answer, (double[]){1, 1}, 1, &error), SFM_REFUSED);
    sfm_interact_close(older);
    assert_int_equal(sfm_interact_open(&older, copy, &error), SFM_REFUSED);
    /* The newest copy may go on, and then the other may not. */
    online_harness_copy(copy, p.session);
    older = open_at(copy);
    ask(older, &answer, (double[]){1, 1}, 1);
    sfm_interact_close(older);
    assert_int_equal(sfm_interact_ask(session, &answer, (double[]){1, 1}, 1, &error), SFM_REFUSED);
    sfm_interact_close(session);
    interact_harness_clear(&p);
  }
}

static void settings_are_checked(void **state) {
  interact_harness p;
  sfm_error error;
  (void)state;
  interact_harness_init(&p, false);
  interact_harness bad = p;
  snprintf(bad.session, sizeof bad.session, "%s/bad.sfs", p.here);
  bad.settings.epochs = 0;
  bad.settings.accuracy = 1e-6;
  assert_int_equal(interact_harness_create(&bad, bad.session, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "is not possible"));
  assert_non_null(strstr(error.message, "for 1 epoch"));
  bad = p;
  bad.train.one_vs_rest = true;
  assert_int_equal(interact_harness_create(&bad, bad.session, &error), SFM_INVALID);
  bad = p;
  bad.train.method = SFM_TRAIN_GP;
  assert_int_equal(interact_harness_create(&bad, bad.session, &error), SFM_INVALID);
  bad = p;
  bad.settings.epochs = 100000;
  assert_int_equal(interact_harness_create(&bad, bad.session, &error), SFM_INVALID);
  bad = p;
  bad.charged = true; /* there is no ledger */
  assert_int_not_equal(interact_harness_create(&bad, bad.session, &error), SFM_OK);
  assert_int_not_equal(access(p.session, F_OK), 0);
  assert_int_not_equal(access(p.anchor, F_OK), 0);
  create(&p);
  assert_int_equal(interact_harness_create(&p, p.session, &error), SFM_INVALID); /* there is one */
  interact_harness_clear(&p);
}

static void an_anchor_is_needed(void **state) {
  static const char *const names[] = {"a", "b", "y"};
  interact_harness p;
  sfm_rows *rows;
  sfm_error error;
  (void)state;
  interact_harness_init(&p, false);
  assert_ok(sfm_rows_from_array(&rows, p.rows, INTERACT_HARNESS_ROWS, 3, names, &error), &error);
  p.settings.train = &p.train;
  assert_int_equal(sfm_interact_create(p.session, rows, &p.settings, NULL, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "anchor"));
  sfm_rows_destroy(rows);
  create(&p);
  assert_int_equal(unlink(p.anchor), 0);
  sfm_interact *session;
  assert_int_equal(sfm_interact_open(&session, p.session, &error), SFM_REFUSED);
  interact_harness_clear(&p);
}

/* ---- the end ---- */

static void transcripts_are_the_public_model(void **state) {
  interact_harness p;
  (void)state;
  for (int step = 0; step < 2; step++) {
    sfm_release *release;
    sfm_machine machine;
    sfm_error error;
    struct stat facts;
    double cells[2 * INTERACT_HARNESS_BATCH], values[INTERACT_HARNESS_BATCH];
    sfm_interact_answer answers[INTERACT_HARNESS_BATCH];
    interact_harness_init(&p, false);
    p.settings.update = step ? SFM_INTERACT_UPDATE_STEP : SFM_INTERACT_UPDATE_RIDGE;
    p.settings.epochs = 3;
    create(&p);
    sfm_interact *session = open_at(p.session);
    assert_int_equal(sfm_interact_transcript(session, &release, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "released nothing"));
    for (unsigned b = 0; sfm_interact_about(session).epochs_left && b < 200; b++) {
      interact_harness_points(cells, b);
      ask(session, answers, cells, INTERACT_HARNESS_BATCH);
    }
    assert_int_equal(sfm_interact_about(session).epochs_left, 0);
    ask(session, answers, cells, INTERACT_HARNESS_BATCH);
    assert_ok(sfm_interact_transcript(session, &release, &error), &error);
    assert_string_equal(sfm_kind_name(sfm_release_kind(release)), "machine");
    assert_string_equal(sfm_release_method(release), "interactive");
    assert_true(sfm_release_machine(release, &machine));
    assert_string_equal(machine.form, "points");
    assert_int_equal(machine.features, 3);
    assert_ok(sfm_machine_at(release, values, cells, INTERACT_HARNESS_BATCH, &error), &error);
    for (size_t i = 0; i < INTERACT_HARNESS_BATCH; i++)
      assert_near("the transcript's value", values[i], answers[i].value, 1e-9);
    sfm_release_destroy(release);
    ask(session, answers, cells, 1); /* somebody asks on */
    assert_int_equal(sfm_interact_wipe(session, &error), SFM_IO);
    assert_ok(sfm_interact_transcript(session, &release, &error), &error);
    sfm_release_destroy(release);
    assert_ok(sfm_interact_wipe(session, &error), &error);
    assert_int_not_equal(stat(p.session, &facts), 0);
    sfm_interact_close(session);
    interact_harness_clear(&p);
  }
}

static size_t slurp(char **bytes, const char *path) {
  struct stat facts;
  assert_int_equal(stat(path, &facts), 0);
  *bytes = malloc((size_t)facts.st_size);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  assert_int_equal(read(descriptor, *bytes, (size_t)facts.st_size), facts.st_size);
  close(descriptor);
  return (size_t)facts.st_size;
}

/* Weights as they are in memory: the state of the file, behind its head. */
enum { WEIGHTS = 3 }; /* of a, of b and of the constant */

/* The private weights as the session keeps them: the last numbers of its state. */
static void stored_weights(double weights[WEIGHTS], const char *path) {
  sqlite3 *database;
  sqlite3_stmt *row;
  assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database, "SELECT state FROM session", -1, &row, NULL),
                   SQLITE_OK);
  assert_int_equal(sqlite3_step(row), SQLITE_ROW);
  const char *bytes = sqlite3_column_blob(row, 0);
  const size_t size = (size_t)sqlite3_column_bytes(row, 0), tail = WEIGHTS * sizeof *weights;
  assert_true(size > tail);
  memcpy(weights, bytes + size - tail, tail);
  sqlite3_finalize(row);
  sqlite3_close(database);
}

static void no_private_bytes_leave(void **state) {
  interact_harness p;
  char path[256], text[64];
  char *bytes, *file;
  sfm_error error;
  sfm_release *release;
  double cells[2 * INTERACT_HARNESS_BATCH], truth[3], weights[WEIGHTS];
  (void)state;
  interact_harness_init(&p, false);
  create(&p);
  sfm_interact *session = open_at(p.session);
  for (unsigned b = 0; b < 20; b++) {
    interact_harness_points(cells, b);
    assert_ok(interact_harness_ask(&p, session, cells, INTERACT_HARNESS_BATCH, &error), &error);
  }
  assert_ok(sfm_interact_transcript(session, &release, &error), &error);
  snprintf(path, sizeof path, "%s/t.sfm", p.root);
  assert_ok(sfm_release_write(release, path, &error), &error);
  const size_t size = slurp(&bytes, path), whole = slurp(&file, p.session);
  /* What is looked for are the weights indeed: f(1, 0) - f(0, 0), f(0, 1) - f(0, 0) and f(0, 0). */
  stored_weights(weights, p.session);
  exact(truth, &p, (double[]){1, 0, 0, 1, 0, 0}, 3);
  assert_true(fabs(weights[0] - (truth[0] - truth[2])) < 0.1);
  assert_true(fabs(weights[1] - (truth[1] - truth[2])) < 0.1);
  assert_true(fabs(weights[2] - truth[2]) < 0.1);
  for (size_t i = 0; i < WEIGHTS; i++) {
    assert_non_null(memmem(file, whole, &weights[i], sizeof weights[i])); /* the search finds */
    assert_null(memmem(bytes, size, &weights[i], sizeof weights[i]));
    snprintf(text, sizeof text, "%.17g", weights[i]);
    assert_null(memmem(bytes, size, text, strlen(text)));
  }
  for (size_t i = 0; i < 3 * INTERACT_HARNESS_ROWS; i++) {
    if (fabs(p.rows[i]) == 1) continue;
    assert_null(memmem(bytes, size, &p.rows[i], sizeof p.rows[i]));
    assert_null(memmem(file, whole, &p.rows[i], sizeof p.rows[i])); /* nor are they kept */
    snprintf(text, sizeof text, "%.15g", p.rows[i]);
    assert_null(memmem(bytes, size, text, strlen(text)));
  }
  free(bytes);
  free(file);
  sfm_release_destroy(release);
  sfm_interact_close(session);
  interact_harness_clear(&p);
}

static void files_are_their_owners_alone(void **state) {
  interact_harness p;
  struct stat facts;
  sfm_error error;
  sfm_online *online;
  (void)state;
  umask(0);
  interact_harness_init(&p, false);
  create(&p);
  assert_int_equal(stat(p.session, &facts), 0);
  assert_int_equal(facts.st_mode & 0777, 0600);
  assert_int_equal(sfm_online_open(&online, p.session, &error), SFM_FORMAT);
  assert_non_null(strstr(error.message, "sfm_interact_ask"));
  assert_ok(sfm_interact_discard(p.session, &error), &error);
  assert_int_not_equal(stat(p.session, &facts), 0);
  interact_harness_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_say_what_they_are),
      cmocka_unit_test(exhausted_sessions_go_on),
      cmocka_unit_test(portions_do_not_matter),
      cmocka_unit_test(two_openers_share_it),
      cmocka_unit_test(questions_outside_are_refused),
      cmocka_unit_test(older_copies_are_refused),
      cmocka_unit_test(settings_are_checked),
      cmocka_unit_test(an_anchor_is_needed),
      cmocka_unit_test(transcripts_are_the_public_model),
      cmocka_unit_test(no_private_bytes_leave),
      cmocka_unit_test(files_are_their_owners_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
