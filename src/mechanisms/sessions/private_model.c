#include "private_model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/system/secret_memory.h"
#include "mechanisms/core/above_threshold.h"
#include "planner/design/round_budget.h"
#include "private_model_state.h"
#include "releases/kinds/public_model.h"
#include "session_state.h"

/* Points whose values are computed at once after the public model has changed, and at most. */
enum { FIRST = 256, MOST = 1 << 16 };
/* Rounded values beyond this count as it: p's alone can be, and p is public. */
static const double STEPS_MOST = 0x1p62;

struct sfmi_private_model {
  sfm_release *facts;
  char *text; /* of the facts */
  sfmi_private_model_head head;
  sfmi_feature_map *map;
  double *weights; /* w, and behind it a copy of the public model's; PRIVATE */
  sfmi_public_model *public_model;
  int64_t *released;
  size_t room;
  sfmi_interact_position position;
  sfmi_above_law above_law;
  sfmi_noise_law answer_law;
  sfmi_above *above;
  sfmi_hardener *hardener;
};

/* ---- noise ---- */

static sfm_status laws_of(sfmi_above_law *above, sfmi_noise_law *answer,
                          const sfmi_design_interact *found, sfm_error *error) {
  const sfm_interact_plan *plan = &found->plan;
  const sfm_status status = sfmi_above_law_init(
      above, found->theta, found->steps, plan->epsilon_threshold, plan->epsilon_question, error);
  if (status) return status;
  const double steps = sfmi_round_budget_steps((double)found->steps, plan->epsilon_answer);
  return sfmi_harden_laplace(answer, steps, plan->epsilon_answer, error);
}

/* A seeded session repeats itself batch by batch. */
static sfmi_seed seed_of(bool seeded, uint64_t seed, uint64_t generation, uint64_t part) {
  return (sfmi_seed){seeded, seed ^ (UINT64_C(0x9e3779b97f4a7c15) * (2 * generation + part + 1))};
}

static sfm_status start_noise(sfmi_private_model *t, uint64_t generation, sfm_error *error) {
  const bool seeded = t->head.seeded;
  if (t->above && t->hardener && !seeded) return SFM_OK;
  sfmi_above_destroy(t->above);
  sfmi_hardener_destroy(t->hardener);
  t->above = NULL;
  t->hardener = NULL;
  sfm_status status = sfmi_above_create(&t->above, &t->above_law,
                                        seed_of(seeded, t->head.seed, generation, 0), error);
  if (!status)
    status = sfmi_hardener_create(&t->hardener, &t->answer_law,
                                  seed_of(seeded, t->head.seed, generation, 1), error);
  return status;
}

static uint64_t epochs_left(const sfmi_private_model *t) {
  return t->head.found.plan.epochs - t->position.released;
}

/* ---- state ---- */

static sfm_status first_threshold(sfmi_i128 *threshold, const sfmi_private_model_state *of,
                                  sfm_error *error) {
  sfmi_above_law law;
  sfmi_noise_law answer;
  sfmi_above *above = NULL;
  sfm_status status = laws_of(&law, &answer, &of->found, error);
  if (!status) status = sfmi_above_create(&above, &law, seed_of(of->seeded, of->seed, 0, 0), error);
  if (status) return status;
  sfmi_above_begin(above);
  *threshold = sfmi_above_threshold(above);
  sfmi_above_destroy(above);
  return SFM_OK;
}

sfm_status sfmi_private_model_save(uint8_t **state, size_t *length,
                                   const sfmi_private_model_state *of, sfm_error *error) {
  sfmi_private_model_head head = {.found = of->found,
                                  .form = of->map->form,
                                  .features = of->map->count,
                                  .frequencies = of->map->frequencies,
                                  .frequency_seed = of->map->seed,
                                  .update = of->update,
                                  .seeded = of->seeded,
                                  .seed = of->seed,
                                  .confidence = of->confidence};
  *state = NULL;
  sfm_status status = first_threshold(&head.threshold, of, error);
  if (!status) status = sfmi_private_model_state_write(state, length, &head, of->weights, error);
  explicit_bzero(&head, sizeof head);
  return status;
}

/* The features of the private machine: all that is public of them is in the facts, but for which
 * they are. */
static sfm_status make_lift(sfmi_private_model *t, sfm_error *error) {
  const sfmi_encoding *encoding = &t->facts->model->encoding;
  sfmi_feature_map stated = sfmi_feature_map_like(t->facts->model->map, t->head.form);
  stated.radius = encoding->radius;
  if (stated.form == SFMI_FEATURE_MAP_RANDOM) {
    stated.frequencies = t->head.frequencies;
    stated.seed = t->head.frequency_seed;
  }
  if (stated.form == SFMI_FEATURE_MAP_TORUS) {
    stated.lower = sfmi_alloc(encoding->dimension, sizeof *stated.lower);
    stated.upper = sfmi_alloc(encoding->dimension, sizeof *stated.upper);
    if (!stated.lower || !stated.upper) {
      sfmi_feature_map_clear(&stated);
      return sfmi_fail_memory(error);
    }
    for (size_t i = 0; i < encoding->dimension; i++)
      sfmi_encoding_range(encoding, &stated.lower[i], &stated.upper[i], i);
  }
  return sfmi_feature_map_create(&t->map, &stated, error);
}

static sfm_status read_state(sfmi_private_model *t, const uint8_t *state, size_t length,
                             const char *name, sfm_error *error) {
  const sfmi_private_model_head *head = &t->head;
  sfm_status status =
      sfmi_private_model_state_read(&t->head, &t->weights, state, length, t->facts, name, error);
  if (!status) status = make_lift(t, error);
  if (!status && t->map->count != head->features) status = SFM_INVALID;
  if (!status) status = laws_of(&t->above_law, &t->answer_law, &head->found, error);
  if (status == SFM_INVALID) status = sfmi_state_fail_impossible(name, error);
  if (status) return status;
  t->position.threshold = head->threshold;
  return sfmi_public_model_create(&t->public_model, t->map,
                                  head->update == SFM_INTERACT_UPDATE_STEP, head->found.ridge,
                                  head->found.stride, error);
}

sfm_status sfmi_private_model_load(sfmi_private_model **out, const char *facts,
                                   const uint8_t *state, size_t length, const char *name,
                                   sfm_error *error) {
  *out = NULL;
  sfmi_private_model *t = sfmi_secret_alloc(1, sizeof *t);
  if (!t) return sfmi_fail_memory(error);
  t->text = sfmi_copy_string(facts);
  sfm_status status = t->text ? sfm_release_parse(&t->facts, facts, strlen(facts), name, error)
                              : sfmi_fail_memory(error);
  if (!status && t->facts->method != SFMI_MACHINE_INTERACTIVE)
    status =
        sfmi_fail(error, SFM_FORMAT,
                  "the session %.300s is not an interactive one: ask it with sfm_online_ask", name);
  if (!status) status = read_state(t, state, length, name, error);
  if (!status)
    *out = t;
  else
    sfmi_private_model_destroy(t);
  return status;
}

void sfmi_private_model_destroy(sfmi_private_model *t) {
  if (!t) return;
  sfmi_above_destroy(t->above);
  sfmi_hardener_destroy(t->hardener);
  sfmi_public_model_destroy(t->public_model);
  sfmi_secret_free(t->weights);
  free(t->released);
  sfmi_feature_map_destroy(t->map);
  sfm_release_destroy(t->facts);
  free(t->text);
  sfmi_secret_free(t);
}

/* ---- what is public ---- */

const sfm_release *sfmi_private_model_facts(const sfmi_private_model *t) {
  return t->facts;
}

const sfm_interact_plan *sfmi_private_model_plan(const sfmi_private_model *t) {
  return &t->head.found.plan;
}

sfm_interact_facts sfmi_private_model_about(const sfmi_private_model *t) {
  return (sfm_interact_facts){.questions = t->position.questions,
                              .released = t->position.released,
                              .epochs_left = epochs_left(t),
                              .confidence = t->head.confidence,
                              .update = t->head.update,
                              .form = sfmi_feature_map_form_name(t->map->form),
                              .features = t->map->count};
}

/* ---- answering ---- */

static sfmi_machine_points from(const sfmi_private_model *t, const sfmi_machine_points *points,
                                size_t first, size_t count) {
  sfmi_machine_points some = *points;
  if (some.cells) some.cells += first * t->facts->model->encoding.input_count;
  if (some.starts) some.starts += first;
  some.count = count;
  return some;
}

/* A value as an integer of steps; a step is a power of two. */
static sfmi_i128 rounded(const sfmi_private_model *t, double value) {
  return (sfmi_i128)rint(fmax(fmin(value / t->head.found.step, STEPS_MOST), -STEPS_MOST));
}

static double in_label(const sfmi_private_model *t, double value) {
  const sfmi_machine_model *model = t->facts->model;
  return sfmi_machine_model_offset(model) + sfmi_machine_model_factor(model) * value;
}

static sfm_status keep(sfmi_private_model *t, int64_t released, const uint32_t *indices,
                       const double *u, size_t nonzeros, sfm_error *error) {
  const size_t count = t->position.released;
  if (count == t->room) {
    int64_t *larger = realloc(t->released, (2 * t->room + 16) * sizeof *larger);
    if (!larger) return sfmi_fail_memory(error);
    t->released = larger;
    t->room = 2 * t->room + 16;
  }
  const sfm_status status = sfmi_public_model_add(t->public_model, indices, u, nonzeros,
                                                  (double)released * t->head.found.step, error);
  if (status) return status;
  t->released[count] = released;
  t->position.released++;
  return SFM_OK;
}

/* The coordinates of one point, and the value that was released there. */
static sfm_status learn(sfmi_private_model *t, int64_t released, const sfmi_machine_points *points,
                        size_t p, sfm_error *error) {
  const sfmi_encoding *encoding = &t->facts->model->encoding;
  const size_t inputs = encoding->input_count,
               room = points->cells ? inputs : points->starts[p + 1] - points->starts[p];
  sfmi_arena arena = {0};
  uint32_t *indices = sfmi_arena_get(&arena, room + 1, sizeof *indices);
  double *u = sfmi_arena_doubles(&arena, room + 1);
  sfm_status status = arena.failed ? sfmi_fail_memory(error) : SFM_OK;
  size_t count = 0;
  if (!status && points->cells) {
    count = sfmi_encoding_row(encoding, indices, u, points->cells + p * inputs);
  } else if (!status) {
    memcpy(indices, points->indices + points->starts[p], room * sizeof *indices);
    memcpy(u, points->numbers + points->starts[p], room * sizeof *u);
    count = sfmi_encoding_sparse(encoding, indices, u, room);
  }
  assert(status || count != SFMI_NO_ROW); /* it was checked */
  if (!status) status = keep(t, released, indices, u, count, error);
  sfmi_arena_clear(&arena);
  return status;
}

/* The epoch ends: Q with noise, and the next one begins, if there is one. */
static sfm_status end_epoch(sfmi_private_model *t, sfm_interact_answer *answer, sfmi_i128 private,
                            const sfmi_machine_points *points, size_t p, sfm_error *error) {
  int64_t released;
  sfmi_hardener_add(t->hardener, &released, &private, 1);
  const sfm_status status = learn(t, released, points, p, error);
  if (status) return status;
  t->position.threshold = 0;
  if (epochs_left(t)) {
    sfmi_above_begin(t->above);
    t->position.threshold = sfmi_above_threshold(t->above);
  }
  *answer = (sfm_interact_answer){.value = in_label(t, (double)released * t->head.found.step),
                                  .source = SFM_INTERACT_SOURCE_RELEASED,
                                  .error = t->head.found.plan.error_released,
                                  .epochs_left = epochs_left(t)};
  return SFM_OK;
}

/* The values of some points: of each q, while there are epochs, and p. */
static sfm_status evaluate(sfmi_private_model *t, double *values, const sfmi_machine_points *points,
                           sfm_error *error) {
  const size_t features = t->head.features;
  const sfmi_encoding *encoding = &t->facts->model->encoding;
  const bool both = epochs_left(t) > 0;
  memcpy(t->weights + features, sfmi_public_model_weights(t->public_model),
         features * sizeof *t->weights);
  return sfmi_machine_model_products(encoding, t->map, values, points,
                                     both ? t->weights : t->weights + features, both ? 2 : 1,
                                     error);
}

/* Answers points in order until one ends an epoch, or all of them; *done of them. */
static sfm_status answer_some(sfmi_private_model *t, sfm_interact_answer *answers, size_t *done,
                              double *values, const sfmi_machine_points *points, sfm_error *error) {
  const bool running = epochs_left(t) > 0;
  const double bar = t->head.found.plan.error_public;
  sfm_status status = evaluate(t, values, points, error);
  if (status) return status;
  for (*done = 0; *done < points->count;) {
    const size_t i = (*done)++;
    const double p = running ? values[2 * i + 1] : values[i];
    answers[i] = (sfm_interact_answer){.value = in_label(t, p),
                                       .source = running ? SFM_INTERACT_SOURCE_PUBLIC
                                                         : SFM_INTERACT_SOURCE_EXHAUSTED,
                                       .error = running ? bar : INFINITY,
                                       .epochs_left = epochs_left(t)};
    if (!running) continue;
    const sfmi_i128 private = rounded(t, values[2 * i]), distance = private - rounded(t, p);
    if (sfmi_above_ask(t->above, distance < 0 ? -distance : distance))
      return end_epoch(t, &answers[i], private, points, i, error);
  }
  return SFM_OK;
}

sfm_status sfmi_private_model_answer(sfmi_private_model *t, sfm_interact_answer *answers,
                                     const sfmi_machine_points *points, uint64_t generation,
                                     sfm_error *error) {
  const size_t most = points->count < MOST ? points->count : MOST;
  /* Only a forged file counts so far; one more could not be read again. */
  if (points->count > INT64_MAX - t->position.questions)
    return sfmi_fail(error, SFM_INVALID,
                     "the session has counted 2^63 questions and takes no more");
  double *values = sfmi_alloc(2 * most, sizeof *values);
  if (!values) return sfmi_fail_memory(error);
  sfm_status status = start_noise(t, generation, error);
  if (!status && epochs_left(t)) sfmi_above_resume(t->above, t->position.threshold);
  for (size_t first = 0, some = FIRST, done = 0; !status && first < points->count; first += done) {
    const size_t left = points->count - first;
    if (some > most) some = most;
    if (some > left) some = left;
    const sfmi_machine_points next = from(t, points, first, some);
    status = answer_some(t, answers + first, &done, values, &next, error);
    some = done < some ? FIRST : 4 * some;
  }
  if (!status) t->position.questions += points->count;
  sfmi_wipe_free(values, 2 * most, sizeof *values);
  return status;
}

/* ---- where it stands ---- */

sfmi_interact_position sfmi_private_model_position(const sfmi_private_model *t) {
  return t->position;
}

void sfmi_private_model_rollback(sfmi_private_model *t, const sfmi_interact_position *then) {
  t->position = *then;
  sfmi_public_model_truncate(t->public_model, then->released);
}

int64_t sfmi_private_model_released(const sfmi_private_model *t, const uint32_t **indices,
                                    const double **u, size_t *nonzeros, size_t i) {
  *nonzeros = sfmi_public_model_point(t->public_model, indices, u, i);
  return t->released[i];
}

static sfm_status fail_told(sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT, "the session's answers are not what was written");
}

sfm_status sfmi_private_model_replay(sfmi_private_model *t, int64_t released,
                                     const uint32_t *indices, const double *u, size_t nonzeros,
                                     sfm_error *error) {
  if (!epochs_left(t) || nonzeros > t->map->dimension) return fail_told(error);
  for (size_t k = 0; k < nonzeros; k++)
    if (indices[k] >= t->map->dimension || (k && indices[k] <= indices[k - 1]) || !isfinite(u[k]))
      return fail_told(error);
  return keep(t, released, indices, u, nonzeros, error);
}

sfm_status sfmi_private_model_resume(sfmi_private_model *t, const sfmi_interact_position *position,
                                     sfm_error *error) {
  if (position->released != t->position.released || position->questions < t->position.questions ||
      position->questions > INT64_MAX || !sfmi_private_model_threshold_fits(position->threshold) ||
      (!epochs_left(t) && position->threshold != 0))
    return fail_told(error);
  t->position = *position;
  return SFM_OK;
}

/* ---- what is left in the end ---- */

sfm_status sfmi_private_model_transcript(sfmi_private_model *t, sfm_release **out,
                                         sfm_error *error) {
  sfm_release *release = NULL;
  sfmi_feature_map *points = NULL;
  double *alpha = NULL;
  *out = NULL;
  sfm_status status = sfm_release_parse(&release, t->text, strlen(t->text), "the session", error);
  if (!status) status = sfmi_public_model_points(t->public_model, &points, &alpha, error);
  if (status) {
    sfm_release_destroy(release);
    return status;
  }
  sfmi_feature_map_destroy(release->model->map);
  free(release->reals);
  release->model->map = points;
  release->reals = alpha;
  release->length = points->point_count;
  release->model->fit.answers = points->point_count;
  *out = release;
  return SFM_OK;
}
