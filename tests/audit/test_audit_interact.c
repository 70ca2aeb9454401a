/* test_audit_interact.c - whole interactive sessions as they are made and asked, without their
 * files: the state is saved and loaded, questions come in two batches, the threshold is carried
 * over a restart between them.
 *
 * A machine of two weights, w = x d + M e with d, e orthonormal and M large.  Between neighbours w
 * moves by all of Delta_w along d.  The question z = d moves by +s; z = -cos d + sin e, a small
 * angle, by -s cos, while its value is positive too: the two directions that the worst case of
 * AboveThreshold needs, at any level. */
/* suite: release */
#include "audit/support/hardened_audit.h"
#include "mechanisms/core/above_threshold.h"
#include "mechanisms/sessions/interact_creation.h"
#include "releases/core/release_kind.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"
#include "test_support.h"

enum { ROWS = 20000, BEFORE = 6, ASKED = BEFORE + 1 };

/* Scores: which question was the first whose value was released, and its value where that was the
 * last one; the value of the last in any case. */
enum { SCORE_FIRST, SCORE_RELEASED, SCORE_LAST, GUEST_SCORES };

typedef struct guest {
  sfm_schema *schema;
  sfm_rows *rows;
  sfm_train_settings train;
  sfm_interact_settings settings;
  sfmi_interact_creation creation;
  char *facts;
  double weights[2][2], points[ASKED * 2];
  sfmi_private_model *models[2][2]; /* of an input: before and after a restart */
  sfmi_above *above;
} guest;

/* Where the attack wants the scores: so many of what a record moves them by above theta. */
static const double LEVEL = -0.7, LAST = 0.3;

/* Weights and questions by the plan. */
static void aim(guest *g) {
  const sfmi_design_interact *found = &g->creation.found;
  const sfm_interact_plan *plan = &found->plan;
  const double k = (double)found->steps, theta = (double)found->theta;
  const double x = (theta + LEVEL * k) * found->step, last = (theta + LAST * k) * found->step;
  const double far = 0.9 * plan->reach;
  double sine = 0;
  for (int i = 0; i < 50; i++) sine = (last + sqrt(1 - sine * sine) * x) / far;
  assert_true(sine > 0 && sine < 0.3);
  for (int i = 0; i < 2; i++) {
    g->weights[i][0] = x + i * plan->used;
    g->weights[i][1] = far;
  }
  for (int t = 0; t < BEFORE; t++) g->points[2 * t] = 1;
  g->points[2 * BEFORE] = -sqrt(1 - sine * sine);
  g->points[2 * BEFORE + 1] = sine;
}

static void guest_init(guest *g, double epsilon) {
  static const char *const names[] = {"a", "b", "y"};
  static double cells[ROWS * 3];
  sfm_error error;
  *g = (guest){.settings = sfm_interact_settings_default(), .train = sfm_train_settings_default()};
  g->settings.train = &g->train;
  assert_ok(sfm_schema_create(&g->schema, &error), &error);
  for (int i = 0; i < 2; i++)
    assert_ok(sfm_schema_set_bounds(g->schema, names[i], -1, 1, &error), &error);
  assert_ok(sfm_rows_from_array(&g->rows, cells, ROWS, 3, names, &error), &error);
  sfm_train_settings *train = &g->train;
  train->context.schema = g->schema;
  train->features = names;
  train->feature_count = 2;
  train->label = names[2];
  train->clip_norm = 1;
  train->lambda = 0.1;
  train->epsilon = epsilon;
  train->context.threads = 1;
  g->settings.questions = 100;
  g->settings.epochs = 1;
  assert_ok(sfmi_interact_creation_init(&g->creation, g->rows, &g->settings, &error), &error);
  sfmi_release_run *run = &g->creation.train_run.base;
  assert_ok(sfmi_interact_creation_steps.prepare(run, &error), &error);
  assert_ok(
      run->release->kind->band(&run->release->band, run->release, run->context->confidence, &error),
      &error);
  assert_true(sfmi_release_write_sentence(run->release));
  aim(g);
}

static void guest_clear(guest *g) {
  for (int i = 0; i < 4; i++) sfmi_private_model_destroy(g->models[i / 2][i % 2]);
  sfmi_above_destroy(g->above);
  sfmi_interact_creation_clear(&g->creation);
  free(g->facts);
  sfm_rows_destroy(g->rows);
  sfm_schema_destroy(g->schema);
}

/* A session of an input, as its file would hold it. */
static sfmi_private_model *load(const guest *g, int input) {
  sfm_error error;
  uint8_t *state;
  size_t length;
  sfmi_private_model *private_model;
  const sfmi_private_model_state of = {.found = g->creation.found,
                                       .map = g->creation.train_run.train_problem.map,
                                       .weights = g->weights[input],
                                       .confidence = 0.95};
  assert_ok(sfmi_private_model_save(&state, &length, &of, &error), &error);
  assert_ok(sfmi_private_model_load(&private_model, g->facts, state, length, "s.sfs", &error),
            &error);
  free(state);
  return private_model;
}

/* A twin has changed what was found by then, and its facts say so: a session whose facts and state
 * differ is refused. */
static void arm(guest *g) {
  const sfmi_design_interact *found = &g->creation.found;
  const sfm_interact_plan *plan = &found->plan;
  sfm_release *facts = g->creation.train_run.base.release;
  sfmi_above_law law;
  sfm_error error;
  size_t length;
  facts->sensitivity = (double)found->steps * found->step;
  assert_ok(sfmi_release_print(facts, &g->facts, &length, &error), &error);
  for (int i = 0; i < 4; i++) g->models[i / 2][i % 2] = load(g, i / 2);
  assert_ok(sfmi_above_law_init(&law, found->theta, found->steps, plan->epsilon_threshold,
                                plan->epsilon_question, &error),
            &error);
  assert_ok(sfmi_above_create(&g->above, &law, (sfmi_seed){0}, &error), &error);
}

/* A threshold as that of a new session. */
static sfmi_i128 threshold(guest *g) {
  sfmi_above_begin(g->above);
  return sfmi_above_threshold(g->above);
}

/* Making a session takes long, so that those that are there are new ones again and again. */
static void guest_draw(void *context, int input, double *scores) {
  guest *g = context;
  sfm_interact_answer answers[ASKED];
  sfm_error error;
  sfmi_private_model *one = g->models[input][0], *two = g->models[input][1];
  const size_t half = ASKED / 2;
  size_t first = 0;
  sfmi_private_model_rollback(one, &(sfmi_interact_position){.threshold = threshold(g)});
  sfmi_machine_points batch = {.cells = g->points, .count = half};
  assert_ok(sfmi_private_model_answer(one, answers, &batch, 1, &error), &error);
  const sfmi_interact_position standing = sfmi_private_model_position(one);
  if (standing.released == 0)
    sfmi_private_model_rollback(two, &standing); /* closed, and opened again */
  batch = (sfmi_machine_points){.cells = g->points + 2 * half, .count = ASKED - half};
  assert_ok(
      sfmi_private_model_answer(standing.released ? one : two, answers + half, &batch, 2, &error),
      &error);
  while (first < ASKED && answers[first].source != SFM_INTERACT_SOURCE_RELEASED) first++;
  scores[SCORE_FIRST] = (double)first;
  scores[SCORE_RELEASED] = first == BEFORE ? answers[first].value : -INFINITY;
  scores[SCORE_LAST] = answers[BEFORE].value;
}

static audit_mechanism of(const char *name, guest *g) {
  return (audit_mechanism){name, guest_draw, g, GUEST_SCORES, g->train.epsilon, 0};
}

static size_t sessions(void) {
  return (size_t)1 << (test_long() ? 21 : 16);
}

static void sessions_keep_epsilon(void **state) {
  guest g;
  (void)state;
  guest_init(&g, 2);
  arm(&g);
  audit_mechanism m = of("interactive session, an epoch", &g);
  audit_honest_of(&m, sessions(), test_long() ? 0.75 : 0.4);
  guest_clear(&g);
}

static void twins_are_caught(void **state) {
  guest g;
  (void)state;
  guest_init(&g, 2);
  g.creation.found.steps /= 3;
  arm(&g);
  audit_mechanism m = of("TWIN interactive session, a third of the noise", &g);
  audit_twin_of(&m, sessions() / 2);
  guest_clear(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sessions_keep_epsilon),
      cmocka_unit_test(twins_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
