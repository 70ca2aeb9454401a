/* test_online.c - the life of a session without accidents: make, ask, ask again, write down, wipe;
 * and everything that is refused, before anything is charged. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boundary_reference.h"
#include "ledger/child_process.h"
#include "online_harness.h"

enum { ROWS = 200 };

static char folder[64], path[128], anchor[128], ledger_path[128];
static double values[ROWS * 2];

static int setup(void **state) {
  (void)state;
  child_folder(folder);
  snprintf(path, sizeof path, "%s/s.sfs", folder);
  snprintf(anchor, sizeof anchor, "%s/anchor", folder);
  snprintf(ledger_path, sizeof ledger_path, "%s/clinic.db", folder);
  density_fixture_rows(values, ROWS * 2, 1, 0, 1, 3);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  child_remove(folder);
  return 0;
}

static bool there(const char *name) {
  return access(name, F_OK) == 0;
}

static void begin(density_fixture *t, size_t dimension, sfm_kernel_family kernel) {
  density_fixture_init(t, dimension, 0, 1, 0.2, 1, 1e-6);
  t->settings.method = SFM_DENSITY_GP;
  t->settings.kernel = kernel;
}

static sfm_status create(const density_fixture *t, const char *anchor_path, sfm_error *error) {
  sfm_rows *rows = NULL;
  assert_ok(sfm_rows_from_array(&rows, values, ROWS, t->settings.dimension, density_fixture_columns,
                                error),
            error);
  sfm_status status = sfm_online_create(path, rows, &t->settings, anchor_path, error);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_online *opened(void) {
  sfm_error error;
  sfm_online *session;
  assert_ok(sfm_online_open(&session, path, &error), &error);
  return session;
}

/* ---- asking ---- */

/* Repeated points, both zeros, one by one and together. */
static void ask_all_ways(size_t dimension) {
  enum { COUNT = 50 };
  sfm_error error;
  sfm_online *session = opened();
  sfmi_prng prng;
  double points[COUNT * 2], first[COUNT], again[COUNT];
  sfmi_prng_init(&prng, 8);
  for (size_t i = 0; i < COUNT * dimension; i++) points[i] = sfmi_prng_uniform(&prng);
  memcpy(points + dimension, points, dimension * sizeof *points);
  memset(points + 2 * dimension, 0, 2 * dimension * sizeof *points);
  for (size_t a = 0; a < dimension; a++) points[3 * dimension + a] = -0.0;
  assert_ok(sfm_online_ask(session, first, points, COUNT, &error), &error);
  assert_memory_equal(&first[0], &first[1], sizeof *first);
  assert_memory_equal(&first[2], &first[3], sizeof *first);
  for (size_t i = COUNT; i-- > 0;)
    assert_ok(sfm_online_ask(session, &again[i], points + i * dimension, 1, &error), &error);
  assert_memory_equal(first, again, sizeof first);
  assert_ok(sfm_online_ask(session, again, points, 0, &error), &error);
  const sfm_online_facts facts = sfm_online_about(session);
  assert_int_equal(facts.dimension, dimension);
  assert_int_equal(facts.answers, facts.engine == SFM_ENGINE_SPECTRAL ? 0 : COUNT - 2);
  assert_true(facts.work > 0 && facts.bytes >= 0);
  assert_string_equal(sfm_online_column(session, 0), "a");
  double lower, upper;
  sfm_online_bounds(session, &lower, &upper, dimension - 1);
  assert_true(lower == 0 && upper == 1);
  sfm_online_close(session);
}

static void test_each_engine_answers_and_repeats_itself(void **state) {
  (void)state;
  static const struct {
    sfm_kernel_family kernel;
    sfm_engine asked, got;
    size_t dimension;
  } ways[] = {
      {SFM_KERNEL_GAUSSIAN, SFM_ENGINE_AUTO, SFM_ENGINE_SPECTRAL, 1},
      {SFM_KERNEL_GAUSSIAN, SFM_ENGINE_SPECTRAL, SFM_ENGINE_SPECTRAL, 2},
      {SFM_KERNEL_LAPLACIAN, SFM_ENGINE_AUTO, SFM_ENGINE_MARKOV, 1},
      {SFM_KERNEL_MATERN12, SFM_ENGINE_MARKOV, SFM_ENGINE_MARKOV, 1},
      {SFM_KERNEL_MATERN52, SFM_ENGINE_AUTO, SFM_ENGINE_MARKOV, 1},
      {SFM_KERNEL_MATERN32, SFM_ENGINE_GRAM, SFM_ENGINE_GRAM, 1},
      {SFM_KERNEL_GAUSSIAN, SFM_ENGINE_GRAM, SFM_ENGINE_GRAM, 1},
      {SFM_KERNEL_LAPLACIAN, SFM_ENGINE_AUTO, SFM_ENGINE_GRAM, 2},
      {SFM_KERNEL_CAUCHY, SFM_ENGINE_AUTO, SFM_ENGINE_GRAM, 2},
  };
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    density_fixture t;
    sfm_error error;
    begin(&t, ways[i].dimension, ways[i].kernel);
    t.settings.engine = ways[i].asked;
    const bool gram = ways[i].got == SFM_ENGINE_GRAM;
    assert_ok(create(&t, gram ? anchor : NULL, &error), &error);
    sfm_online *session = opened();
    assert_int_equal(sfm_online_about(session).engine, ways[i].got);
    assert_int_equal(sfm_online_about(session).kernel, ways[i].kernel);
    sfm_online_close(session);
    ask_all_ways(ways[i].dimension);
    density_fixture_clear(&t);
    unlink(path);
    unlink(anchor);
  }
}

/* With next to no noise the answers are the density. */
static void test_answers_are_the_density_and_noise(void **state) {
  (void)state;
  enum { COUNT = 20 };
  static const sfm_engine engines[] = {SFM_ENGINE_SPECTRAL, SFM_ENGINE_GRAM};
  for (int e = 0; e < 2; e++) {
    density_fixture t;
    sfm_error error;
    double points[COUNT], answers[COUNT];
    begin(&t, 1, SFM_KERNEL_GAUSSIAN);
    t.settings.epsilon = 1000;
    t.settings.engine = engines[e];
    assert_ok(create(&t, e ? anchor : NULL, &error), &error);
    for (int i = 0; i < COUNT; i++) points[i] = (double)i / (COUNT - 1);
    sfm_online *session = opened();
    assert_ok(sfm_online_ask(session, answers, points, COUNT, &error), &error);
    for (int i = 0; i < COUNT; i++)
      assert_near("answer", answers[i],
                  density_fixture_density(values, ROWS, 1, t.bandwidth, &points[i]), 0.05);
    sfm_online_close(session);
    density_fixture_clear(&t);
    unlink(path);
  }
}

/* A spectral session is a release that is evaluated, so it reflects where that does. */
static void test_answers_reflect(void **state) {
  (void)state;
  enum { COUNT = 20 };
  static const sfm_boundary reflect[] = {SFM_BOUNDARY_REFLECT};
  const double lower = 0, upper = 1;
  density_fixture t;
  sfm_error error;
  double points[COUNT], answers[COUNT];
  begin(&t, 1, SFM_KERNEL_GAUSSIAN);
  t.settings.epsilon = 1000;
  t.settings.boundary = reflect;
  assert_ok(create(&t, NULL, &error), &error);
  for (int i = 0; i < COUNT; i++) points[i] = (double)i / (COUNT - 1);
  sfm_online *session = opened();
  assert_ok(sfm_online_ask(session, answers, points, COUNT, &error), &error);
  for (int i = 0; i < COUNT; i++)
    assert_near("answer", answers[i],
                boundary_reference_density(values, ROWS, 1, &lower, &upper, t.bandwidth, reflect,
                                           &points[i]),
                0.05);
  sfm_online_close(session);
  unlink(path);
  t.settings.engine = SFM_ENGINE_GRAM;
  assert_int_equal(create(&t, anchor, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "settings.boundary"));
  assert_false(there(path));
  density_fixture_clear(&t);
}

static void test_points_outside_are_named_and_nothing_is_answered(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  begin(&t, 2, SFM_KERNEL_CAUCHY);
  assert_ok(create(&t, anchor, &error), &error);
  sfm_online *session = opened();
  static const double bad[] = {-1e-9, 1.5, NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const double points[] = {0.5, 0.5, 0.1, bad[i]};
    double answers[2];
    assert_int_equal(sfm_online_ask(session, answers, points, 2, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "point 2 "));
    assert_non_null(strstr(error.message, "its b is"));
  }
  assert_int_equal(sfm_online_about(session).answers, 0);
  sfm_online_close(session);
  density_fixture_clear(&t);
}

/* More than the factor is proved for: refused before anything is drawn. */
static void test_a_gram_session_has_an_end(void **state) {
  (void)state;
  enum { MOST = 65536 };
  density_fixture t;
  sfm_error error;
  double *points = calloc(MOST, sizeof *points), *answers = calloc(MOST, sizeof *answers);
  assert_true(points && answers);
  for (int i = 0; i < MOST; i++) points[i] = (i + 0.5) / MOST;
  begin(&t, 1, SFM_KERNEL_CAUCHY);
  assert_ok(create(&t, anchor, &error), &error);
  sfm_online *session = opened();
  assert_ok(sfm_online_ask(session, answers, &(double){0.25}, 1, &error), &error);
  assert_int_equal(sfm_online_ask(session, answers, points, MOST, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "at most 65536"));
  assert_int_equal(sfm_online_about(session).answers, 1);
  assert_ok(sfm_online_ask(session, answers, points, 10, &error), &error);
  assert_int_equal(sfm_online_about(session).answers, 11);
  sfm_online_close(session);
  free(points);
  free(answers);
  density_fixture_clear(&t);
}

/* ---- making ---- */

static void expect_refusal(const density_fixture *t, const char *anchor_path, sfm_status wanted,
                           const char *words) {
  sfm_error error;
  const sfm_status status = create(t, anchor_path, &error);
  if (status != wanted || !strstr(error.message, words))
    fail_msg("status %d: %s", (int)status, error.message);
}

static void test_what_cannot_be_a_session_is_refused(void **state) {
  (void)state;
  density_fixture t;
  begin(&t, 1, SFM_KERNEL_GAUSSIAN);
  expect_refusal(&t, anchor, SFM_INVALID, "need no anchor");
  t.settings.method = SFM_DENSITY_LATTICE;
  expect_refusal(&t, NULL, SFM_INVALID, "settings.method = lattice");
  t.settings.method = SFM_DENSITY_AUTO;
  t.settings.engine = SFM_ENGINE_CIRCULANT;
  expect_refusal(&t, NULL, SFM_INVALID, "circulant");
  t.settings.engine = SFM_ENGINE_MARKOV;
  expect_refusal(&t, NULL, SFM_INVALID, "markov");
  t.settings.engine = SFM_ENGINE_GRAM;
  expect_refusal(&t, NULL, SFM_INVALID, "anchor = FILE");
  expect_refusal(&t, path, SFM_INVALID, "own place");
  t.settings.kernel = SFM_KERNEL_OWN;
  expect_refusal(&t, NULL, SFM_INVALID, "kernel of your own");
  t.settings.kernel = SFM_KERNEL_MATERN32;
  t.settings.engine = SFM_ENGINE_AUTO;
  t.settings.delta = 0;
  expect_refusal(&t, NULL, SFM_INVALID, "delta");
  t.settings.delta = 1e-6;
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  expect_refusal(&t, NULL, SFM_INVALID, "replace");
  assert_false(there(path));
  density_fixture_clear(&t);
}

/* PATH.lock is removed in the end, unless it is somebody else's. */
static void test_a_file_that_is_no_lock_stays(void **state) {
  (void)state;
  density_fixture t;
  char lock[160];
  struct stat facts;
  begin(&t, 1, SFM_KERNEL_MATERN32);
  snprintf(lock, sizeof lock, "%s.lock", path);
  FILE *file = fopen(lock, "w");
  assert_true(file && fputs("mine", file) >= 0 && fclose(file) == 0);
  expect_refusal(&t, NULL, SFM_INVALID, "something else than its lock");
  assert_true(stat(lock, &facts) == 0 && facts.st_size == 4);
  assert_int_equal(truncate(lock, 0), 0); /* what a crash leaves */
  sfm_error error;
  assert_ok(create(&t, NULL, &error), &error);
  assert_false(there(lock));
  density_fixture_clear(&t);
}

static void test_a_file_is_never_replaced(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  char journal[160];
  begin(&t, 1, SFM_KERNEL_MATERN32);
  close(open(path, O_WRONLY | O_CREAT, 0644));
  expect_refusal(&t, NULL, SFM_INVALID, "there is a file already");
  unlink(path);
  snprintf(journal, sizeof journal, "%s-journal", path);
  close(open(journal, O_WRONLY | O_CREAT, 0644));
  expect_refusal(&t, NULL, SFM_INVALID, "-journal");
  unlink(journal);
  t.settings.engine = SFM_ENGINE_GRAM;
  close(open(anchor, O_WRONLY | O_CREAT, 0644));
  expect_refusal(&t, anchor, SFM_INVALID, "there is a file already");
  unlink(anchor);
  expect_refusal(&t, "/nonexistent/anchor", SFM_INVALID, "No such file");
  assert_ok(create(&t, anchor, &error), &error);
  expect_refusal(&t, anchor, SFM_INVALID, "there is a file already");
  density_fixture_clear(&t);
}

/* A crash between the two names of a finished session: whoever opens it takes away the first. */
static void test_the_first_of_two_names_is_taken_away(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  char opening[160];
  snprintf(opening, sizeof opening, "%s.opening", path);
  begin(&t, 1, SFM_KERNEL_MATERN32);
  assert_ok(create(&t, NULL, &error), &error);
  assert_false(there(opening));
  assert_int_equal(link(path, opening), 0);
  ask_all_ways(1);
  assert_false(there(opening));
  assert_int_equal(link(path, opening), 0);
  expect_refusal(&t, NULL, SFM_INVALID, "there is a file already");
  assert_false(there(opening));
  ask_all_ways(1);
  assert_int_equal(link(path, opening), 0);
  assert_ok(sfm_online_discard(path, &error), &error);
  assert_false(there(opening) || there(path));
  density_fixture_clear(&t);
}

static void test_add_remove_is_for_spectral(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  begin(&t, 1, SFM_KERNEL_GAUSSIAN);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  assert_ok(create(&t, NULL, &error), &error);
  ask_all_ways(1);
  density_fixture_clear(&t);
}

/* A noisy total that is nothing to divide by: no answers, but a transcript. */
static void test_a_total_below_zero_leaves_the_transcript(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  double value;
  sfm_status status = SFM_OK;
  begin(&t, 1, SFM_KERNEL_GAUSSIAN);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  t.settings.epsilon = 0.001;
  t.settings.context.seeded = true;
  for (; !status && t.settings.context.seed < 100; t.settings.context.seed++) {
    sfm_release *release;
    unlink(path);
    assert_ok(create(&t, NULL, &error), &error);
    sfm_online *session = opened();
    status = sfm_online_ask(session, &value, &(double){0.5}, 1, &error);
    assert_ok(sfm_online_transcript(session, &release, &(sfm_error){0}), &error);
    sfm_release_destroy(release);
    sfm_online_close(session);
  }
  assert_int_equal(status, SFM_INVALID);
  assert_non_null(strstr(error.message, "public number of records"));
  density_fixture_clear(&t);
}

static void test_nobody_else_can_read_it(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  struct stat facts;
  const mode_t before = umask(0);
  begin(&t, 1, SFM_KERNEL_MATERN32);
  assert_ok(create(&t, NULL, &error), &error);
  assert_true(stat(path, &facts) == 0 && (facts.st_mode & 0777) == 0600);
  ask_all_ways(1);
  assert_true(stat(path, &facts) == 0 && (facts.st_mode & 0777) == 0600);
  density_fixture_clear(&t);
  unlink(path);
  /* Nor hold back the anchor, or turn it back. */
  begin(&t, 1, SFM_KERNEL_CAUCHY);
  assert_ok(create(&t, anchor, &error), &error);
  assert_true(stat(anchor, &facts) == 0 && (facts.st_mode & 0777) == 0600);
  chmod(anchor, 0666);
  ask_all_ways(1);
  assert_true(stat(anchor, &facts) == 0 && (facts.st_mode & 0777) == 0600);
  umask(before);
  density_fixture_clear(&t);
}

/* For tests: the same seed is the same function, and the transcript says that it is not private. */
static void test_a_seeded_session_can_be_repeated(void **state) {
  (void)state;
  static const sfm_kernel_family kernels[] = {SFM_KERNEL_GAUSSIAN, SFM_KERNEL_MATERN32,
                                              SFM_KERNEL_CAUCHY};
  for (int k = 0; k < 3; k++) {
    double answers[2][4];
    for (int round = 0; round < 2; round++) {
      density_fixture t;
      sfm_error error;
      sfm_release *release;
      const double points[] = {0.1, 0.7, 0.3, 0.2};
      begin(&t, 1, kernels[k]);
      t.settings.context.seeded = true;
      t.settings.context.seed = 5;
      assert_ok(create(&t, k == 2 ? anchor : NULL, &error), &error);
      for (int i = 0; i < 4; i++) { /* a restart makes no difference */
        sfm_online *session = opened();
        assert_ok(sfm_online_ask(session, &answers[round][i], &points[i], 1, &error), &error);
        sfm_online_close(session);
      }
      sfm_online *session = opened();
      assert_ok(sfm_online_transcript(session, &release, &error), &error);
      assert_false(sfm_release_private(release));
      sfm_release_destroy(release);
      sfm_online_close(session);
      density_fixture_clear(&t);
      unlink(path);
      unlink(anchor);
    }
    assert_memory_equal(answers[0], answers[1], sizeof answers[0]);
    assert_true(answers[0][0] != answers[0][1]);
  }
}

/* ---- charged ---- */

static sfm_ledger *make_ledger(void) {
  sfm_error error;
  sfm_ledger *ledger;
  const sfm_dataset dataset = {"patients", 2.5, 1e-5, SFM_ACCOUNTING_BASIC};
  assert_ok(sfm_ledger_create(ledger_path, NULL, &dataset, &error), &error);
  assert_ok(sfm_ledger_open(&ledger, ledger_path, &error), &error);
  return ledger;
}

static void expect_charges(sfm_ledger *ledger, uint64_t charges, uint64_t answers) {
  sfm_error error;
  sfm_dataset_status status;
  assert_ok(sfm_ledger_find(ledger, &status, "patients", &error), &error);
  assert_int_equal(status.charges, charges);
  assert_int_equal(status.answers, answers);
  assert_ok(sfm_ledger_verify(ledger, NULL, NULL, &error), &error);
}

static void test_a_session_is_charged_once(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  sfm_release *release;
  sfm_ledger *ledger = make_ledger();
  sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = "r"};
  begin(&t, 1, SFM_KERNEL_CAUCHY);
  t.settings.context.charge = &charge;
  t.settings.context.seeded = true;
  expect_refusal(&t, NULL, SFM_INVALID, "seed");
  t.settings.context.seeded = false;
  expect_refusal(&t, anchor, SFM_INVALID, "leave out the anchor");
  expect_charges(ledger, 0, 0);
  assert_ok(create(&t, NULL, &error), &error);
  expect_charges(ledger, 1, 1);
  ask_all_ways(1);
  assert_ok(create(&t, NULL, &error), &error); /* repeated: it is there */
  ask_all_ways(1);
  sfm_online *session = opened();
  assert_ok(sfm_online_transcript(session, &release, &error), &error);
  assert_string_equal(sfm_release_dataset(release), "patients");
  assert_string_equal(sfm_release_request(release), "r");
  sfm_release_destroy(release);
  sfm_online_close(session);
  expect_charges(ledger, 1, 1);
  /* Another request does not take its place, and is not charged for it. */
  charge.request = "s";
  expect_refusal(&t, NULL, SFM_INVALID, "there is a file already");
  charge.request = NULL;
  expect_refusal(&t, NULL, SFM_INVALID, "there is a file already");
  charge.request = "r";
  t.bandwidth[0] = 0.3;
  expect_refusal(&t, NULL, SFM_REFUSED, "other parameters");
  expect_charges(ledger, 1, 1);
  sfm_ledger_close(ledger);
  density_fixture_clear(&t);
}

static void test_a_session_that_is_gone_is_not_drawn_again(void **state) {
  (void)state;
  static const sfm_kernel_family kernels[] = {SFM_KERNEL_GAUSSIAN, SFM_KERNEL_MATERN32,
                                              SFM_KERNEL_CAUCHY};
  sfm_ledger *ledger = make_ledger();
  for (int k = 0; k < 2; k++) {
    density_fixture t;
    sfm_error error;
    const char *const ids[] = {"r0", "r1", "r2"};
    const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = ids[k]};
    begin(&t, 1, kernels[k]);
    t.settings.context.charge = &charge;
    assert_ok(create(&t, NULL, &error), &error);
    unlink(path);
    expect_refusal(&t, NULL, SFM_REFUSED, "it is not at");
    assert_false(there(path));
    density_fixture_clear(&t);
  }
  expect_charges(ledger, 2, 2);
  sfm_ledger_close(ledger);
}

/* What a crash left of a request that was charged is not wiped for another one. */
static void test_what_another_request_left_stays(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  char left[160];
  double value, again;
  sfm_ledger *ledger = make_ledger();
  sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = "r"};
  begin(&t, 1, SFM_KERNEL_MATERN32);
  t.settings.context.charge = &charge;
  assert_ok(create(&t, NULL, &error), &error);
  sfm_online *session = opened();
  assert_ok(sfm_online_ask(session, &value, &(double){0.5}, 1, &error), &error);
  sfm_online_close(session);
  snprintf(left, sizeof left, "%s.opening", path);
  assert_int_equal(rename(path, left), 0);
  charge.request = "s";
  expect_refusal(&t, NULL, SFM_INVALID, "'r'");
  charge.request = NULL;
  expect_refusal(&t, NULL, SFM_INVALID, "repeat that one");
  t.settings.context.charge = NULL;
  expect_refusal(&t, NULL, SFM_INVALID, "sfm_online_discard");
  expect_charges(ledger, 1, 1);
  t.settings.context.charge = &charge;
  charge.request = "r";
  assert_ok(create(&t, NULL, &error), &error);
  session = opened();
  assert_ok(sfm_online_ask(session, &again, &(double){0.5}, 1, &error), &error);
  assert_memory_equal(&value, &again, sizeof value);
  sfm_online_close(session);
  assert_int_equal(rename(path, left), 0);
  assert_ok(sfm_online_discard(left, &error), &error);
  charge.request = "s";
  assert_ok(create(&t, NULL, &error), &error);
  expect_charges(ledger, 2, 2);
  sfm_ledger_close(ledger);
  density_fixture_clear(&t);
}

/* Rows that are not the dataset's: nothing is made, the charge stands, the right ones complete it.
 */
static void test_other_rows_are_refused(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  sfm_ledger *ledger = make_ledger();
  sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = "first"};
  begin(&t, 1, SFM_KERNEL_MATERN32);
  t.settings.context.charge = &charge;
  assert_ok(create(&t, NULL, &error), &error);
  unlink(path);
  charge.request = "second";
  const double was = values[0];
  values[0] = 0.123;
  expect_refusal(&t, NULL, SFM_REFUSED, "not those of the dataset");
  assert_false(there(path));
  expect_charges(ledger, 2, 1);
  values[0] = was;
  assert_ok(create(&t, NULL, &error), &error);
  expect_charges(ledger, 2, 2);
  ask_all_ways(1);
  charge.request = "third";
  unlink(path);
  expect_refusal(&t, NULL, SFM_REFUSED, "not enough is left");
  assert_false(there(path));
  sfm_ledger_close(ledger);
  density_fixture_clear(&t);
}

/* A closed dataset takes no charge, and what was paid for answers on. */
static void test_a_closed_dataset_answers_on(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  sfm_ledger *ledger = make_ledger();
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = "r"};
  begin(&t, 1, SFM_KERNEL_CAUCHY);
  t.settings.context.charge = &charge;
  assert_ok(create(&t, NULL, &error), &error);
  assert_ok(sfm_ledger_close_dataset(ledger, "patients", &error), &error);
  ask_all_ways(1);
  sfm_ledger_close(ledger);
  density_fixture_clear(&t);
}

/* ---- the end ---- */

static void test_a_transcript_says_what_was_answered(void **state) {
  (void)state;
  enum { COUNT = 30 };
  static const sfm_kernel_family kernels[] = {SFM_KERNEL_GAUSSIAN, SFM_KERNEL_MATERN32,
                                              SFM_KERNEL_CAUCHY};
  for (int k = 0; k < 3; k++) {
    density_fixture t;
    sfm_error error;
    sfm_release *release, *again;
    sfm_evaluator *evaluator;
    char file[160];
    double points[COUNT], answers[COUNT], read[COUNT];
    begin(&t, 1, kernels[k]);
    assert_ok(create(&t, k == 2 ? anchor : NULL, &error), &error);
    sfm_online *session = opened();
    if (k) {
      assert_int_equal(sfm_online_transcript(session, &release, &error), SFM_INVALID);
      assert_non_null(strstr(error.message, "never asked"));
      assert_null(release);
    }
    for (int i = 0; i < COUNT; i++) points[i] = (double)(i * 7 % COUNT) / COUNT;
    assert_ok(sfm_online_ask(session, answers, points, COUNT, &error), &error);
    assert_ok(sfm_online_transcript(session, &release, &error), &error);
    snprintf(file, sizeof file, "%s/t.sfm", folder);
    assert_ok(sfm_release_write(release, file, &error), &error);
    assert_ok(sfm_release_read(&again, file, &error), &error);
    assert_string_equal(sfm_kind_name(sfm_release_kind(again)), "density");
    assert_string_equal(sfm_release_method(again), "gp");
    assert_int_equal(sfm_release_hardened(again), k == 0);
    assert_true(sfm_release_private(again));
    assert_true(sfm_release_band(again).half_width > 0);
    assert_ok(sfm_evaluator_create(&evaluator, again, 0, &error), &error);
    assert_ok(sfm_evaluator_at(evaluator, read, points, COUNT, &error), &error);
    for (int i = 0; i < COUNT; i++) {
      if (k)
        assert_memory_equal(&read[i], &answers[i], sizeof *read);
      else
        assert_near("spectral", read[i], answers[i], 1e-12);
    }
    if (k) assert_int_equal(sfm_release_length(again), COUNT);
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(again);
    sfm_release_destroy(release);
    sfm_online_close(session);
    density_fixture_clear(&t);
    unlink(path);
  }
}

static void test_wiping_leaves_nothing(void **state) {
  (void)state;
  static const sfm_kernel_family kernels[] = {SFM_KERNEL_GAUSSIAN, SFM_KERNEL_MATERN32};
  for (int k = 0; k < 2; k++) {
    density_fixture t;
    sfm_error error;
    char name[160], byte;
    begin(&t, 1, kernels[k]);
    assert_ok(create(&t, NULL, &error), &error);
    ask_all_ways(1);
    /* Another name for the same bytes, to see what becomes of them. */
    sfm_online *session = opened();
    snprintf(name, sizeof name, "%s/same", folder);
    assert_int_equal(link(path, name), 0);
    assert_ok(sfm_online_wipe(session, &error), &error);
    sfm_online_close(session);
    assert_false(there(path));
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    size_t length = 0;
    while (fread(&byte, 1, 1, file) == 1) {
      assert_int_equal(byte, 0);
      length++;
    }
    assert_true(length > 10000);
    fclose(file);
    unlink(name);
    assert_int_equal(sfm_online_open(&session, path, &error), SFM_INVALID);
    assert_null(session);
    density_fixture_clear(&t);
  }
}

/* Somebody asks between the transcript and the wipe: what he saw must not be lost. */
static void test_nothing_is_wiped_that_is_not_written(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    density_fixture t;
    sfm_error error;
    sfm_release *release;
    double value;
    begin(&t, 1, k ? SFM_KERNEL_CAUCHY : SFM_KERNEL_MATERN32);
    assert_ok(create(&t, k ? anchor : NULL, &error), &error);
    sfm_online *session = opened(), *other = opened();
    assert_ok(sfm_online_ask(session, &value, &(double){0.25}, 1, &error), &error);
    assert_ok(sfm_online_transcript(session, &release, &error), &error);
    sfm_release_destroy(release);
    assert_ok(sfm_online_ask(other, &value, &(double){0.5}, 1, &error), &error);
    assert_int_equal(sfm_online_wipe(session, &error), SFM_IO);
    assert_non_null(strstr(error.message, "write the transcript again"));
    assert_ok(sfm_online_ask(other, &value, &(double){0.25}, 1, &error), &error);
    assert_ok(sfm_online_transcript(session, &release, &error), &error);
    assert_int_equal(sfm_release_length(release), 2);
    sfm_release_destroy(release);
    assert_ok(sfm_online_wipe(session, &error), &error);
    assert_int_not_equal(sfm_online_ask(other, &value, &(double){0.5}, 1, &error), SFM_OK);
    sfm_online_close(session);
    sfm_online_close(other);
    assert_false(there(path));
    density_fixture_clear(&t);
  }
}

/* Also of what cannot be asked: not finished, refused, half wiped; but of nothing else. */
static void test_anything_that_is_a_session_can_be_discarded(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error;
  sfm_online *session;
  double value;
  begin(&t, 1, SFM_KERNEL_CAUCHY);
  assert_ok(create(&t, anchor, &error), &error);
  unlink(anchor); /* cannot be asked */
  assert_int_equal(sfm_online_open(&session, path, &error), SFM_REFUSED);
  assert_ok(sfm_online_discard(path, &error), &error);
  assert_false(there(path));
  assert_int_equal(sfm_online_discard(path, &error), SFM_INVALID);
  assert_ok(create(&t, anchor, &error), &error);
  FILE *file = fopen(path, "r+b");
  assert_true(file && fwrite((char[4096]){0}, 1, 4096, file) == 4096 && fclose(file) == 0);
  assert_int_equal(sfm_online_open(&session, path, &error), SFM_FORMAT);
  assert_ok(sfm_online_discard(path, &error), &error);
  assert_false(there(path));
  file = fopen(path, "w");
  assert_true(file && fputs("age\n31\n", file) >= 0 && fclose(file) == 0);
  assert_int_equal(sfm_online_discard(path, &error), SFM_FORMAT);
  assert_true(there(path));
  unlink(path);
  sfm_ledger_close(make_ledger());
  assert_int_equal(sfm_online_discard(ledger_path, &error), SFM_FORMAT);
  assert_true(there(ledger_path));
  unlink(anchor);
  assert_ok(create(&t, anchor, &error), &error);
  session = opened();
  assert_ok(sfm_online_ask(session, &value, &(double){0.5}, 1, &error), &error);
  assert_int_equal(sfm_online_guarantee(session).kind, SFM_GUARANTEE_GDP);
  assert_true(sfm_online_guarantee(session).epsilon == 1);
  assert_non_null(strstr(sfm_online_sentence(session), "idealised"));
  sfm_online_close(session);
  density_fixture_clear(&t);
}

/* ---- fork ---- */

static int use_inherited(void *context) {
  sfm_online *session = context;
  sfm_error error = {.message = ""};
  double value;
  int bad = sfm_online_ask(session, &value, &(double){0.3}, 1, &error) != SFM_INVALID;
  bad += strstr(error.message, "fork") == NULL;
  sfm_online_close(session);
  /* Opened here, it works. */
  bad += sfm_online_open(&session, path, &error) ||
         sfm_online_ask(session, &value, &(double){0.3}, 1, &error);
  sfm_online_close(session);
  return bad;
}

static void test_a_forked_child_opens_its_own(void **state) {
  (void)state;
  static const sfm_kernel_family kernels[] = {SFM_KERNEL_MATERN32, SFM_KERNEL_CAUCHY};
  for (int k = 0; k < 2; k++) {
    density_fixture t;
    sfm_error error;
    begin(&t, 1, kernels[k]);
    assert_ok(create(&t, k ? anchor : NULL, &error), &error);
    sfm_online *session = opened();
    double value, again;
    assert_ok(sfm_online_ask(session, &value, &(double){0.4}, 1, &error), &error);
    const child_end end = child_run(use_inherited, session, NULL);
    assert_true(end.signal == 0 && end.code == 0);
    assert_ok(sfm_online_ask(session, &again, &(double){0.4}, 1, &error), &error);
    assert_memory_equal(&value, &again, sizeof value);
    assert_int_equal(sfm_online_about(session).answers, 2);
    sfm_online_close(session);
    density_fixture_clear(&t);
    unlink(path);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_each_engine_answers_and_repeats_itself),
      TEST(test_answers_are_the_density_and_noise),
      TEST(test_points_outside_are_named_and_nothing_is_answered),
      TEST(test_a_gram_session_has_an_end),
      TEST(test_answers_reflect),
      TEST(test_what_cannot_be_a_session_is_refused),
      TEST(test_a_file_that_is_no_lock_stays),
      TEST(test_a_file_is_never_replaced),
      TEST(test_the_first_of_two_names_is_taken_away),
      TEST(test_add_remove_is_for_spectral),
      TEST(test_a_total_below_zero_leaves_the_transcript),
      TEST(test_nobody_else_can_read_it),
      TEST(test_a_seeded_session_can_be_repeated),
      TEST(test_a_session_is_charged_once),
      TEST(test_a_session_that_is_gone_is_not_drawn_again),
      TEST(test_what_another_request_left_stays),
      TEST(test_other_rows_are_refused),
      TEST(test_a_closed_dataset_answers_on),
      TEST(test_a_transcript_says_what_was_answered),
      TEST(test_wiping_leaves_nothing),
      TEST(test_nothing_is_wiped_that_is_not_written),
      TEST(test_anything_that_is_a_session_can_be_discarded),
      TEST(test_a_forked_child_opens_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
