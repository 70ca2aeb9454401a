#include "interact_creation.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/ledger.h"
#include "planner/design/design_vector.h"
#include "releases/core/release_sentence.h"
#include "releases/core/release_write.h"
#include "releases/kinds/machine_band.h"

/* ---- what is public ---- */

/* A map of the form points that has one, the middle of everything, and no weight. */
static sfm_status no_points(sfmi_feature_map **out, const sfmi_feature_map *map, sfm_error *error) {
  sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_POINTS,
                             .dimension = map->dimension,
                             .radius = map->radius,
                             .kernel = map->kernel,
                             .bandwidth = map->bandwidth,
                             .degree = map->degree,
                             .shift = map->shift,
                             .constant = map->constant,
                             .point_count = 1};
  stated.point_starts = sfmi_alloc(2, sizeof *stated.point_starts);
  stated.point_indices = sfmi_alloc(1, sizeof *stated.point_indices);
  stated.point_values = sfmi_alloc(1, sizeof *stated.point_values);
  if (stated.point_starts && stated.point_indices && stated.point_values)
    return sfmi_feature_map_create(out, &stated, error);
  sfmi_feature_map_clear(&stated);
  return sfmi_fail_memory(error);
}

/* What its transcript will have been fitted to. */
static sfmi_fit fit_of(const sfmi_design_interact *found) {
  const sfm_interact_plan *plan = &found->plan;
  sfmi_fit fit = sfmi_fit_none();
  fit.shape = SFMI_FIT_VALUES;
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
  vector.noise = SFM_VECTOR_LAPLACE;
  const double sensitivity = (double)found->steps * found->step;
  const sfmi_design_vector vector_design = {
      .length = 1, .hardened = true, .step = found->step, .sensitivity = sensitivity};
  sfm_status status = sfmi_design_vector_template(&e->train_run.release, &vector_design, &vector,
                                                  found->plan.noise_answer / found->factor, error);
  if (status) return status;
  sfm_release *facts = e->train_run.release;
  free(facts->integers);
  facts->integers = NULL;
  facts->reals = sfmi_alloc(1, sizeof *facts->reals);
  facts->guarantee = found->plan.guarantee;
  status = facts->reals ? sfmi_train_run_describe(&e->train_run, error) : sfmi_fail_memory(error);
  if (status) return status;
  facts->method = SFMI_MACHINE_INTERACTIVE;
  facts->model->fit = fit_of(found);
  status = no_points(&facts->model->map, e->train_run.train_problem.map, error);
  if (!status) status = sfmi_machine_band(&facts->band, facts, s->confidence, error);
  if (status) return status;
  return sfmi_release_write_sentence(facts) ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_interact_creation_begin(sfmi_interact_creation *e, sfm_rows *rows,
                                        const sfm_interact_settings *settings, sfm_error *error) {
  *e = (sfmi_interact_creation){.settings = settings};
  sfmi_train_run *m = &e->train_run;
  sfm_status status = sfmi_design_interact_check(&e->train, settings, error);
  m->settings = &e->train;
  m->rows = rows;
  const sfm_train_settings *s = &e->train;
  if (!status)
    status = sfmi_protocol_begin(&m->protocol, s->charge, s->seeded, sfm_schema_person(s->schema),
                                 error);
  if (!status)
    status = sfmi_train_problem_begin(&m->train_problem, rows, s, (sfmi_seed){s->seeded, s->seed},
                                      error);
  if (!status)
    status =
        sfmi_design_interact_init(&e->found, settings, &m->train_problem.training,
                                  m->train_problem.map, sfmi_train_problem_width(&m->train_problem),
                                  s->charge ? m->protocol.accounting : settings->accounting, error);
  if (!status) status = outline(e, error);
  if (!status && settings->planned) settings->planned(settings->planned_context, &e->found.plan);
  return status;
}

const char *sfmi_interact_creation_ledger(const sfmi_interact_creation *e) {
  const sfm_charge *charge = e->train.charge;
  return charge ? sfmi_ledger_path(charge->ledger) : NULL;
}

/* ---- charge, rows, secrets ---- */

static json_t *parameters_of(const sfmi_interact_creation *e) {
  const sfm_interact_plan *plan = &e->found.plan;
  json_t *all = sfmi_train_run_parameters(&e->train_run);
  json_object_set_new(all, "mechanism", json_string("interact"));
  json_object_set_new(all, "questions", json_integer((json_int_t)plan->questions));
  json_object_set_new(all, "accuracy", json_real(e->settings->accuracy));
  json_object_set_new(all, "epochs", json_integer((json_int_t)plan->epochs));
  json_object_set_new(all, "update", json_string(sfm_interact_update_name(e->settings->update)));
  return all;
}

sfm_status sfmi_interact_creation_charge(sfmi_interact_creation *e, bool *made,
                                         uint8_t identity[SFMI_SESSION_IDENTITY],
                                         sfm_error *error) {
  sfmi_train_run *m = &e->train_run;
  *made = false;
  if (!e->train.charge) return SFM_OK;
  return sfmi_identity_charge(&m->protocol, made, identity, m->release, parameters_of(e), error);
}

static sfm_status save(sfmi_interact_creation *e, sfmi_new_session *drawn, const double *weights,
                       sfm_error *error) {
  const sfmi_private_model_state state = {.found = e->found,
                                          .map = e->train_run.train_problem.map,
                                          .weights = weights,
                                          .update = e->settings->update,
                                          .confidence = e->train.confidence,
                                          .seeded = e->train.seeded,
                                          .seed = e->train.seed};
  return sfmi_private_model_save(&drawn->state, &drawn->state_length, &state, error);
}

sfm_status sfmi_interact_creation_draw(sfmi_interact_creation *e, sfmi_new_session *drawn,
                                       sfm_error *error) {
  sfmi_train_run *m = &e->train_run;
  const sfmi_train_problem *l = &m->train_problem;
  sfmi_examples *examples = NULL;
  size_t length;
  *drawn = (sfmi_new_session){0};
  double *weights = sfmi_alloc(l->numbers, sizeof *weights);
  sfmi_rows_set_key(m->rows, sfmi_protocol_key(&m->protocol));
  sfm_status status = weights ? sfmi_new_session_identity(drawn, error) : sfmi_fail_memory(error);
  if (!status) status = sfmi_train_problem_read(&examples, l, m->rows, error);
  if (!status) status = sfmi_protocol_accept_rows(m->rows, m->fingerprint, &m->protocol, error);
  if (!status)
    status = sfmi_train_problem_solve(weights, l, &l->training, examples, 0,
                                      (size_t)l->training.rows, NULL, error);
  sfmi_examples_destroy(examples);
  if (!status) status = save(e, drawn, weights, error);
  if (!status) status = sfmi_release_print(m->release, &drawn->facts, &length, error);
  if (weights) explicit_bzero(weights, l->numbers * sizeof *weights);
  free(weights);
  return status;
}

sfm_status sfmi_interact_creation_store(sfmi_interact_creation *e, sfmi_stored *stored,
                                        const uint8_t identity[SFMI_SESSION_IDENTITY],
                                        sfm_error *error) {
  return sfmi_identity_store(&e->train_run.protocol, stored, identity, e->train_run.fingerprint,
                             error);
}

sfm_status sfmi_interact_creation_end(sfmi_interact_creation *e, sfm_status status,
                                      sfm_error *error) {
  status = sfmi_protocol_end(&e->train_run.protocol, status, error);
  sfmi_train_run_clear(&e->train_run);
  sfmi_train_problem_clear(&e->train_run.train_problem);
  return status;
}
