/* test_session_state.c - the bytes of a session's state: fixed for ever whatever becomes of the
 * structs, read back in full, those of 0.1 too, and refused where anything is missing or cannot
 * be. */
#include "test_support.h"

#include <float.h>
#include <sqlite3.h>

#include "base/system/secret_memory.h"
#include "mechanisms/sessions/online_function.h"
#include "mechanisms/sessions/private_model.h"
#include "mechanisms/sessions/private_model_state.h"

/* Words before the fields, and field i of the page of numbers in private_model_state.c. */
enum { FRAME = 3, ONCE_NORMAL = 22, GUARANTEE = 23, FORM = 35, UPDATE = 39, SEEDED = 40 };
enum { WEIGHTS = 3, WORDS = FRAME + 44 + WEIGHTS };

/* ---- a state of an interactive session, and facts that it fits ---- */

static const double weights[WEIGHTS] = {-0.0, -DBL_MAX, DBL_TRUE_MIN};

static sfmi_private_model_head head_of(void) {
  const sfm_interact_plan plan = {.rows = UINT64_MAX,
                                  .questions = 0x0123456789abcdef,
                                  .epochs = SFM_INTERACT_EPOCHS,
                                  .lambda = DBL_MAX,
                                  .kappa = DBL_TRUE_MIN,
                                  .used = 0.1,
                                  .reach = 0.25,
                                  .sensitivity = 1e300,
                                  .step = 1e-300,
                                  .threshold = 3,
                                  .epsilon_threshold = DBL_MIN,
                                  .epsilon_question = 0.5,
                                  .epsilon_answer = 1e3,
                                  .noise_threshold = 7,
                                  .noise_question = 8,
                                  .noise_answer = 9,
                                  .error_public = 10,
                                  .error_released = 11,
                                  .alarms = INFINITY,
                                  .worst = 12.5,
                                  .once = -0.0,
                                  .once_normal = true,
                                  .guarantee = {.kind = SFM_GUARANTEE_RANDOM_DP,
                                                .epsilon = 300,
                                                .delta = 1e-6,
                                                .mu = 1.5,
                                                .rho = 2.5,
                                                .gamma = 0.05}};
  const sfmi_design_interact found = {.plan = plan,
                                      .factor = 2,
                                      .step = 0x1p-401,
                                      .steps = (int64_t)1 << 40,
                                      .theta = (int64_t)1 << 60,
                                      .ridge = 1e308,
                                      .stride = 4};
  return (sfmi_private_model_head){.found = found,
                                   .form = SFMI_FEATURE_MAP_RANDOM,
                                   .features = WEIGHTS,
                                   .frequencies = 1,
                                   .frequency_seed = 0xfedcba9876543210,
                                   .update = SFM_INTERACT_UPDATE_STEP,
                                   .seeded = true,
                                   .seed = (uint64_t)1 << 63,
                                   .confidence = 0.95,
                                   .threshold = -((sfmi_i128)1 << 100)};
}

static const uint64_t golden[WORDS] = {
    0x7463617265746e69, 2, 8 * (44 + WEIGHTS), /* "interact", version, length */
    /* rows, questions, epochs */
    0xffffffffffffffff, 0x123456789abcdef, 0x1000,
    /* lambda to threshold */
    0x7fefffffffffffff, 0x1, 0x3fb999999999999a, 0x3fd0000000000000, 0x7e37e43c8800759c,
    0x1a56e1fc2f8f359, 0x4008000000000000,
    /* epsilons, noises */
    0x10000000000000, 0x3fe0000000000000, 0x408f400000000000, 0x401c000000000000,
    0x4020000000000000, 0x4022000000000000,
    /* errors, alarms, worst, once */
    0x4024000000000000, 0x4026000000000000, 0x7ff0000000000000, 0x4029000000000000,
    0x8000000000000000,
    /* once_normal, the guarantee */
    0x1, 0x4, 0x4072c00000000000, 0x3eb0c6f7a0b5ed8d, 0x3ff8000000000000, 0x4004000000000000,
    0x3fa999999999999a,
    /* factor to stride */
    0x4000000000000000, 0x26e0000000000000, 0x10000000000, 0x1000000000000000, 0x7fe1ccf385ebc8a0,
    0x4010000000000000,
    /* form to frequency_seed */
    0x3, 0x3, 0x1, 0xfedcba9876543210,
    /* update to threshold */
    0x1, 0x1, 0x8000000000000000, 0x3fee666666666666, 0x0, 0xfffffff000000000,
    /* weights */
    0x8000000000000000, 0xffefffffffffffff, 0x1};

typedef struct facts {
  sfm_release release;
  sfmi_machine_model model;
  sfmi_feature_map map;
} facts;

/* Not moved while it is used. */
static void facts_init(facts *f, const sfmi_private_model_head *head) {
  const sfmi_design_interact *found = &head->found;
  *f = (facts){.release = {.step = found->step,
                           .sensitivity = (double)found->steps * found->step,
                           .rows = found->plan.rows,
                           .guarantee = found->plan.guarantee,
                           .is_private = !head->seeded,
                           .model = &f->model},
               .model = {.task = SFM_TASK_REGRESSION,
                         .lower = -found->factor,
                         .upper = found->factor,
                         .map = &f->map,
                         .fit = {.ridge = found->ridge,
                                 .rounds = found->plan.epochs,
                                 .watching = found->plan.epsilon_threshold,
                                 .comparing = found->plan.epsilon_question,
                                 .answering = found->plan.epsilon_answer,
                                 .threshold = (double)found->theta * found->step}},
               .map = {.dimension = 2}};
}

static void put_words(uint8_t *bytes, const uint64_t *words, size_t count) {
  for (size_t i = 0; i < 8 * count; i++) bytes[i] = (uint8_t)(words[i / 8] >> 8 * (i % 8));
}

/* Reads it from memory of that size, so that the sanitizer sees what is read behind it, and writes
 * what was read. */
static sfm_status read_state(uint8_t **again, size_t *size, const sfm_release *release,
                             const uint8_t *state, size_t length, sfm_error *error) {
  sfmi_private_model_head head;
  double *read = NULL;
  uint8_t *exact = malloc(length ? length : 1);
  if (length) memcpy(exact, state, length);
  *again = NULL;
  sfm_status status =
      sfmi_private_model_state_read(&head, &read, exact, length, release, "s.sfs", error);
  if (!status) status = sfmi_private_model_state_write(again, size, &head, read, error);
  sfmi_secret_free(read);
  free(exact);
  return status;
}

static sfm_error error;
static facts known;

static bool accepts(const uint8_t *state, size_t length) {
  uint8_t *again;
  size_t size;
  const sfm_status status = read_state(&again, &size, &known.release, state, length, &error);
  free(again);
  if (status) assert_int_equal(status, SFM_FORMAT);
  return !status;
}

static void expect_same(const uint8_t *state, size_t length, const uint8_t *wanted, size_t size) {
  uint8_t *again;
  size_t got;
  assert_ok(read_state(&again, &got, &known.release, state, length, &error), &error);
  assert_int_equal(got, size);
  assert_memory_equal(again, wanted, size);
  free(again);
}

static int setup(void **state) {
  (void)state;
  const sfmi_private_model_head head = head_of();
  facts_init(&known, &head);
  return 0;
}

/* A new member of a public struct does not change them. */
static void bytes_of_version_2_are_fixed(void **state) {
  (void)state;
  sfmi_private_model_head head = head_of();
  uint8_t wanted[8 * WORDS], *bytes;
  size_t length;
  put_words(wanted, golden, WORDS);
  assert_ok(sfmi_private_model_state_write(&bytes, &length, &head, weights, &error), &error);
  assert_int_equal(length, sizeof wanted);
  assert_memory_equal(bytes, wanted, sizeof wanted);
  expect_same(bytes, length, wanted, sizeof wanted);
  free(bytes);
}

static void the_other_extremes_come_back(void **state) {
  (void)state;
  sfmi_private_model_head head = {.found = {.factor = DBL_MIN, .step = 0x1p399, .steps = 1},
                                  .features = 1,
                                  .confidence = DBL_TRUE_MIN,
                                  .threshold = (sfmi_i128)1 << 100};
  facts of;
  uint8_t *bytes, *again;
  size_t length, size;
  head.found.plan.epochs = 1;
  head.found.plan.epsilon_threshold = head.found.plan.epsilon_question = DBL_TRUE_MIN;
  head.found.plan.epsilon_answer = head.found.plan.worst = INFINITY;
  head.found.ridge = DBL_MIN;
  facts_init(&of, &head);
  assert_ok(sfmi_private_model_state_write(&bytes, &length, &head, &(double){DBL_MAX}, &error),
            &error);
  assert_ok(read_state(&again, &size, &of.release, bytes, length, &error), &error);
  assert_int_equal(size, length);
  assert_memory_equal(again, bytes, size);
  free(bytes);
  free(again);
}

/* ---- what is missing or cannot be ---- */

static void every_byte_is_needed(void **state) {
  (void)state;
  uint8_t bytes[8 * WORDS + 1] = {0};
  put_words(bytes, golden, WORDS);
  for (size_t length = 0; length <= sizeof bytes; length++) {
    const bool whole = length == 8 * WORDS;
    put_words(bytes, golden, FRAME);
    assert_int_equal(accepts(bytes, length), whole);
    if (length < 8 * FRAME) continue;
    const uint64_t follow = length - 8 * FRAME; /* as if it were meant to be so short */
    put_words(bytes + 16, &follow, 1);
    assert_int_equal(accepts(bytes, length), whole);
  }
  for (int bit = 0; bit < 64; bit++) {
    const uint64_t follow = golden[FRAME - 1] ^ (uint64_t)1 << bit;
    put_words(bytes + 16, &follow, 1);
    assert_false(accepts(bytes, 8 * WORDS));
  }
}

/* The state with one bit of a field flipped. */
static bool accepts_flipped(int field, int bit) {
  uint64_t words[WORDS];
  uint8_t bytes[8 * WORDS];
  memcpy(words, golden, sizeof words);
  words[FRAME + field - 1] ^= (uint64_t)1 << bit;
  put_words(bytes, words, WORDS);
  return accepts(bytes, sizeof bytes);
}

static void bools_and_enumerations_are_such(void **state) {
  (void)state;
  for (int bit = 0; bit < 64; bit++) {
    assert_int_equal(accepts_flipped(ONCE_NORMAL, bit), bit == 0);
    assert_false(accepts_flipped(SEEDED, bit)); /* the facts say it, too */
    assert_false(accepts_flipped(GUARANTEE, bit));
    assert_int_equal(accepts_flipped(FORM, bit), bit < 2);
    assert_int_equal(accepts_flipped(UPDATE, bit), bit == 0);
  }
}

static void later_versions_are_refused(void **state) {
  (void)state;
  static const uint64_t versions[] = {0, 1, 3, UINT64_MAX};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
    uint8_t bytes[8 * WORDS];
    put_words(bytes, golden, WORDS);
    put_words(bytes + 8, &versions[i], 1);
    assert_false(accepts(bytes, sizeof bytes));
    assert_non_null(strstr(error.message, i < 2 ? "damaged" : "made by a newer sfumato"));
  }
}

/* ---- 0.1 ---- */

/* What 0.1 copied into its files: then the weights. */
typedef struct state_0_1 {
  char mark[8];
  uint64_t size, rows, questions, epochs;
  double plan[18];
  bool once_normal;
  struct {
    uint32_t kind;
    double numbers[5];
  } guarantee;
  double factor, step;
  int64_t steps, theta;
  double ridge, stride;
  uint64_t form, features, frequencies, frequency_seed, update, seeded, seed;
  double confidence;
  sfmi_i128 threshold;
} state_0_1;
_Static_assert(offsetof(state_0_1, plan) == 40 && offsetof(state_0_1, once_normal) == 184 &&
                   offsetof(state_0_1, guarantee) == 192 && offsetof(state_0_1, factor) == 240 &&
                   offsetof(state_0_1, form) == 288 && offsetof(state_0_1, threshold) == 352 &&
                   sizeof(state_0_1) == 368,
               "the layout of 0.1");
enum { BYTES_0_1 = sizeof(state_0_1) + sizeof weights };

/* The golden state as 0.1 would have written it, with anything in the bytes between. */
static void write_0_1(uint8_t bytes[BYTES_0_1], uint8_t between) {
  const sfmi_private_model_head head = head_of();
  const sfmi_design_interact *found = &head.found;
  const sfm_interact_plan *plan = &found->plan;
  const double numbers[] = {plan->lambda,
                            plan->kappa,
                            plan->used,
                            plan->reach,
                            plan->sensitivity,
                            plan->step,
                            plan->threshold,
                            plan->epsilon_threshold,
                            plan->epsilon_question,
                            plan->epsilon_answer,
                            plan->noise_threshold,
                            plan->noise_question,
                            plan->noise_answer,
                            plan->error_public,
                            plan->error_released,
                            plan->alarms,
                            plan->worst,
                            plan->once};
  const double guarantee[] = {300, 1e-6, 1.5, 2.5, 0.05};
  state_0_1 old;
  memset(&old, between, sizeof old);
  memcpy(old.mark, "001sft\1", sizeof old.mark);
  old.size = sizeof old;
  old.rows = plan->rows;
  old.questions = plan->questions;
  old.epochs = plan->epochs;
  memcpy(old.plan, numbers, sizeof numbers);
  memcpy(&old.once_normal, "\1", 1); /* which leaves the bytes behind it */
  memcpy(&old.guarantee.kind, "\4\0\0", sizeof old.guarantee.kind);
  memcpy(old.guarantee.numbers, guarantee, sizeof guarantee);
  old.factor = found->factor;
  old.step = found->step;
  old.steps = found->steps;
  old.theta = found->theta;
  old.ridge = found->ridge;
  old.stride = found->stride;
  old.form = 3;
  old.features = head.features;
  old.frequencies = head.frequencies;
  old.frequency_seed = head.frequency_seed;
  old.update = 1;
  old.seeded = 1;
  old.seed = head.seed;
  old.confidence = head.confidence;
  old.threshold = head.threshold;
  memcpy(bytes, &old, sizeof old);
  memcpy(bytes + sizeof old, weights, sizeof weights);
}

static void states_of_0_1_are_read(void **state) {
  (void)state;
  uint8_t old[BYTES_0_1 + 1] = {0}, wanted[8 * WORDS];
  put_words(wanted, golden, WORDS);
  write_0_1(old, 0xaa);
  expect_same(old, BYTES_0_1, wanted, sizeof wanted);
  for (size_t length = 0; length <= BYTES_0_1 + 1; length++)
    assert_int_equal(accepts(old, length), length == BYTES_0_1);
  for (int bit = 0; bit < 8; bit++) {
    write_0_1(old, 0);
    old[offsetof(state_0_1, once_normal)] ^= (uint8_t)(1 << bit);
    assert_int_equal(accepts(old, BYTES_0_1), bit == 0);
    write_0_1(old, 0);
    old[offsetof(state_0_1, guarantee)] ^= (uint8_t)(1 << bit);
    assert_false(accepts(old, BYTES_0_1));
  }
  write_0_1(old, 0);
  old[offsetof(state_0_1, size)]++;
  assert_false(accepts(old, BYTES_0_1));
}

/* ---- sessions that 0.1 made (tests/vectors) ---- */

typedef struct session {
  char *facts;
  uint8_t *state;
  size_t length;
} session;

static session open_vector(const char *name) {
  char path[512];
  sqlite3 *database;
  sqlite3_stmt *row;
  session s = {0};
  snprintf(path, sizeof path, "file:%s/tests/vectors/0.1/%s?immutable=1", SFM_SOURCE_DIR, name);
  assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL),
                   SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database, "SELECT facts, state FROM session", -1, &row, NULL),
                   SQLITE_OK);
  assert_int_equal(sqlite3_step(row), SQLITE_ROW);
  s.facts = strdup((const char *)sqlite3_column_text(row, 0));
  s.length = (size_t)sqlite3_column_bytes(row, 1);
  s.state = malloc(s.length);
  memcpy(s.state, sqlite3_column_blob(row, 1), s.length);
  sqlite3_finalize(row);
  sqlite3_close(database);
  return s;
}

/* Behind so many bytes of 0.1 are the fields: the same state of version 2. */
static session renewed(const session *old, const char mark[8], size_t before) {
  const uint64_t frame[] = {0, 2, old->length - before};
  session s = {.facts = old->facts, .length = 8 * FRAME + old->length - before};
  s.state = malloc(s.length);
  put_words(s.state, frame, FRAME);
  memcpy(s.state, mark, 8);
  memcpy(s.state + 8 * FRAME, old->state + before, old->length - before);
  return s;
}

enum { POINTS = 5 };

static bool ask_function(double values[POINTS], const session *s, size_t length) {
  static const double points[POINTS] = {0, 2.5, 7, 8, 10};
  sfmi_online_function *function;
  double latents[POINTS];
  uint8_t *exact = malloc(length ? length : 1);
  memcpy(exact, s->state, length);
  const sfm_status status =
      sfmi_online_function_load(&function, s->facts, exact, length, "s.sfs", &error);
  free(exact);
  if (status) {
    assert_int_equal(status, SFM_FORMAT);
    return false;
  }
  assert_ok(sfmi_online_function_draw(function, values, latents, points, POINTS, &error), &error);
  sfmi_online_function_destroy(function);
  return true;
}

static bool ask_model(double values[POINTS], const session *s, size_t length) {
  static const double cells[2 * POINTS] = {10, 10, 0, 10, 10, 0, 0, 0, 1, 2};
  const sfmi_machine_points points = {.cells = cells, .count = POINTS};
  sfm_interact_answer answers[POINTS];
  sfmi_private_model *model;
  uint8_t *exact = malloc(length ? length : 1);
  memcpy(exact, s->state, length);
  const sfm_status status =
      sfmi_private_model_load(&model, s->facts, exact, length, "s.sfs", &error);
  free(exact);
  if (status) {
    assert_int_equal(status, SFM_FORMAT);
    return false;
  }
  assert_ok(sfmi_private_model_answer(model, answers, &points, 1, &error), &error);
  for (size_t i = 0; i < POINTS; i++) values[i] = answers[i].value;
  sfmi_private_model_destroy(model);
  return true;
}

/* What 0.1 answered is in tests/vectors/0.1/read.json: tests/tools/check_vectors compares. */
static void sessions_of_0_1_go_on(void **state) {
  (void)state;
  static const struct {
    const char *name, *mark;
    bool (*ask)(double *values, const session *s, size_t length);
    size_t before;
  } cases[] = {{"markov.sfs", "online\0", ask_function, 8},
               {"gram.sfs", "online\0", ask_function, 8},
               {"interact.sfs", "interact", ask_model, 16},
               {"interact-random.sfs", "interact", ask_model, 16}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    double values[POINTS], same[POINTS];
    session old = open_vector(cases[c].name);
    session new = renewed(&old, cases[c].mark, cases[c].before);
    assert_true(cases[c].ask(values, &old, old.length) && cases[c].ask(same, &new, new.length));
    assert_memory_equal(values, same, sizeof values);
    for (size_t length = 0; length < old.length; length++)
      assert_false(cases[c].ask(same, &old, length));
    for (size_t length = 0; length < new.length; length++)
      assert_false(cases[c].ask(same, &new, length));
    new.state[8]++;
    assert_false(cases[c].ask(same, &new, new.length));
    assert_non_null(strstr(error.message, "s.sfs was made by a newer sfumato"));
    new.state[0]++;
    assert_false(cases[c].ask(same, &new, new.length));
    assert_non_null(strstr(error.message, "made by another version"));
    free(new.state);
    free(old.state);
    free(old.facts);
  }
}

/* ---- online ---- */

static void bytes_of_a_function_are_fixed(void **state) {
  (void)state;
  static const uint64_t words[] = {0x656e696c6e6f,
                                   2,
                                   10 * 8,             /* "online" */
                                   2,                  /* sums */
                                   0x3fb999999999999a, /* unit: 0.1 */
                                   0x0807060504030201,
                                   0,
                                   0,
                                   0x2000000000000000, /* key */
                                   UINT64_MAX,
                                   INT64_MAX,
                                   0,
                                   (uint64_t)1 << 63};
  enum { COUNT = sizeof words / sizeof *words };
  const sfmi_i128 most = (sfmi_i128)(~(sfmi_u128)0 >> 1), sums[] = {most, -most - 1};
  const uint8_t key[SFMI_ONLINE_FUNCTION_KEY] = {1, 2, 3, 4, 5, 6, 7, 8, [31] = 32};
  const sfmi_process process = {.masses.lattice.length = 2};
  uint8_t wanted[8 * COUNT], *bytes;
  size_t length;
  put_words(wanted, words, COUNT);
  assert_ok(sfmi_online_function_save(&bytes, &length, &process, sums, 0.1, key, &error), &error);
  assert_int_equal(length, sizeof wanted);
  assert_memory_equal(bytes, wanted, sizeof wanted);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_of_version_2_are_fixed),
      cmocka_unit_test(the_other_extremes_come_back),
      cmocka_unit_test(every_byte_is_needed),
      cmocka_unit_test(bools_and_enumerations_are_such),
      cmocka_unit_test(later_versions_are_refused),
      cmocka_unit_test(states_of_0_1_are_read),
      cmocka_unit_test(sessions_of_0_1_go_on),
      cmocka_unit_test(bytes_of_a_function_are_fixed),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
