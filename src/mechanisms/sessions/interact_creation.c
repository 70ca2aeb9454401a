#include "interact_creation.h"

#include <stdlib.h>

#include "mechanisms/core/request_json.h"
#include "planner/design/design_vector.h"

/* A map of the form points that has one, the middle of everything, and no weight. */
static sfm_status no_points(sfmi_feature_map **out, const sfmi_feature_map *map, sfm_error *error) {
  sfmi_feature_map stated = sfmi_feature_map_like(map, SFMI_FEATURE_MAP_POINTS);
  const sfm_status status = sfmi_feature_map_make_points(&stated, 1, 1, error);
  return status ? status : sfmi_feature_map_create(out, &stated, error);
}

/* What its transcript will have been fitted to. */
static sfm_machine_fit fit_of(const sfmi_design_interact *found) {
  const sfm_interact_plan *plan = &found->plan;
  sfm_machine_fit fit = sfmi_fit_of(SFMI_FIT_VALUES);
  fit.ridge = found->ridge;
  fit.rounds = plan->epochs;
  fit.watching = plan->epsilon_threshold;
  fit.comparing = plan->epsilon_question;
  fit.answering = plan->epsilon_answer;
  fit.threshold = (double)found->theta * found->step;
  return fit;
}

/* One released value, as a vector of one number with the noise that it has. */
static sfm_status outline(sfmi_interact_creation *e, sfm_error *error) {
  const sfm_train_settings *s = &e->train;
  const sfmi_design_interact *found = &e->found;
  sfm_vector_settings vector = sfmi_design_train_vector(&e->train_run.train_problem.training, s);
  vector.noise = SFM_VECTOR_NOISE_LAPLACE;
  const double sensitivity = (double)found->steps * found->step;
  const sfmi_design_vector vector_design = {
      .length = 1, .hardened = true, .step = found->step, .sensitivity = sensitivity};
  sfm_status status =
      sfmi_design_vector_template(&e->train_run.base.release, &vector_design, &vector,
                                  found->plan.noise_answer / found->factor, error);
  if (status) return status;
  sfm_release *facts = e->train_run.base.release;
  free(facts->integers);
  facts->integers = NULL;
  facts->reals = sfmi_alloc(1, sizeof *facts->reals);
  facts->guarantee = found->plan.guarantee;
  status = facts->reals ? sfmi_train_run_describe(&e->train_run, error) : sfmi_fail_memory(error);
  if (status) return status;
  facts->method = SFMI_MACHINE_INTERACTIVE;
  facts->model->fit = fit_of(found);
  return no_points(&facts->model->map, e->train_run.train_problem.map, error);
}

sfm_status sfmi_interact_creation_init(sfmi_interact_creation *e, sfm_rows *rows,
                                       const sfm_interact_settings *settings, sfm_error *error) {
  *e = (sfmi_interact_creation){.settings = settings};
  const sfm_status status = sfmi_design_interact_check(&e->train, settings, error);
  if (!status) e->train_run = sfmi_train_run_of(rows, &e->train);
  return status;
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  sfmi_interact_creation *e = (sfmi_interact_creation *)run;
  const sfm_interact_settings *settings = e->settings;
  sfmi_train_problem *problem = &e->train_run.train_problem;
  sfm_status status = sfmi_train_problem_begin(problem, run->rows, &e->train, run->seed, error);
  if (!status)
    status = sfmi_design_interact_init(
        &e->found, settings, &problem->training, problem->map, sfmi_train_problem_width(problem),
        run->charge ? run->protocol.accounting : settings->accounting, error);
  if (!status) status = outline(e, error);
  if (!status && settings->planned) settings->planned(settings->planned_data, &e->found.plan);
  return status;
}

static json_t *parameters(const sfmi_release_run *run) {
  const sfmi_interact_creation *e = (const sfmi_interact_creation *)run;
  const sfm_interact_plan *plan = &e->found.plan;
  json_t *all = sfmi_train_run_parameters(&e->train_run);
  sfmi_request_text(all, "mechanism", "interact");
  sfmi_request_count(all, "questions", plan->questions);
  sfmi_request_number(all, "accuracy", e->settings->accuracy);
  sfmi_request_count(all, "epochs", plan->epochs);
  sfmi_request_text(all, "update", sfm_interact_update_name(e->settings->update));
  return all;
}

static sfm_status save(sfmi_interact_creation *e, const double *weights, sfm_error *error) {
  const sfmi_private_model_state state = {.found = e->found,
                                          .map = e->train_run.train_problem.map,
                                          .weights = weights,
                                          .update = e->settings->update,
                                          .confidence = e->train.context.confidence,
                                          .seeded = e->train.context.seeded,
                                          .seed = e->train.context.seed};
  return sfmi_private_model_save(&e->drawn.state, &e->drawn.state_length, &state, error);
}

/* The machine as it is, and the key of the noise that answers will have. */
static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  sfmi_interact_creation *e = (sfmi_interact_creation *)run;
  const sfmi_train_problem *l = &e->train_run.train_problem;
  double *weights = sfmi_alloc(l->numbers, sizeof *weights);
  sfm_status status =
      weights ? sfmi_new_session_identity(&e->drawn, error) : sfmi_fail_memory(error);
  if (!status)
    status = sfmi_train_problem_solve(weights, l, &l->training, e->train_run.examples, 0,
                                      (size_t)l->training.rows, NULL, error);
  if (!status) status = save(e, weights, error);
  sfmi_wipe_free(weights, l->numbers, sizeof *weights);
  return status;
}

const sfmi_release_steps sfmi_interact_creation_steps = {
    .prepare = prepare, .parameters = parameters, .read = sfmi_train_run_read, .draw = draw};

void sfmi_interact_creation_clear(sfmi_interact_creation *e) {
  sfmi_new_session_clear(&e->drawn);
  sfmi_train_run_clear(&e->train_run);
  sfmi_train_problem_clear(&e->train_run.train_problem);
}
