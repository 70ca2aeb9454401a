#include "mechanisms/enrolling.h"

#include <stdlib.h>
#include <string.h>

#include "planner/arrow.h"

/* ---- what is public ---- */

/* A lift of the form points that has one, the middle of everything, and no weight. */
static sfm_status no_points(sfmi_lift **out, const sfmi_lift *lift, sfm_error *error) {
  sfmi_lift stated = {.form = SFMI_LIFT_POINTS,
                      .dimension = lift->dimension,
                      .radius = lift->radius,
                      .kernel = lift->kernel,
                      .bandwidth = lift->bandwidth,
                      .degree = lift->degree,
                      .shift = lift->shift,
                      .constant = lift->constant,
                      .point_count = 1};
  stated.point_starts = sfmi_alloc(2, sizeof *stated.point_starts);
  stated.point_indices = sfmi_alloc(1, sizeof *stated.point_indices);
  stated.point_values = sfmi_alloc(1, sizeof *stated.point_values);
  if (stated.point_starts && stated.point_indices && stated.point_values)
    return sfmi_lift_create(out, &stated, error);
  sfmi_lift_drop(&stated);
  return sfmi_fail_memory(error);
}

/* What its transcript will have been fitted to. */
static sfmi_fit fit_of(const sfmi_interacting *found) {
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
static sfm_status outline(sfmi_enrolling *e, sfm_error *error) {
  const sfm_train_settings *s = &e->train;
  const sfmi_interacting *found = &e->found;
  sfm_vector_settings vector = sfmi_training_vector(&e->machining.learning.training, s);
  vector.noise = SFM_VECTOR_LAPLACE;
  const double sensitivity = (double)found->steps * found->step;
  const sfmi_arrow arrow = {
      .length = 1, .hardened = true, .step = found->step, .sensitivity = sensitivity};
  sfm_status status = sfmi_arrow_outline(&e->machining.release, &arrow, &vector,
                                         found->plan.noise_answer / found->factor, error);
  if (status != SFM_OK) return status;
  sfm_release *facts = e->machining.release;
  free(facts->integers);
  facts->integers = NULL;
  facts->reals = sfmi_alloc(1, sizeof *facts->reals);
  facts->guarantee = found->plan.guarantee;
  status = facts->reals ? sfmi_machining_describe(&e->machining, error) : sfmi_fail_memory(error);
  if (status != SFM_OK) return status;
  facts->method = SFMI_MACHINE_INTERACTIVE;
  facts->learned->fit = fit_of(found);
  status = no_points(&facts->learned->lift, e->machining.learning.lift, error);
  if (status == SFM_OK) status = sfmi_learned_band(&facts->band, facts, s->confidence, error);
  if (status != SFM_OK) return status;
  return sfmi_release_write_sentence(facts) ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_enrolling_begin(sfmi_enrolling *e, sfm_rows *rows,
                                const sfm_interact_settings *settings, sfm_error *error) {
  *e = (sfmi_enrolling){.settings = settings};
  sfmi_machining *m = &e->machining;
  sfm_status status = sfmi_interacting_check(&e->train, settings, error);
  m->settings = &e->train;
  m->rows = rows;
  const sfm_train_settings *s = &e->train;
  if (status == SFM_OK)
    status = sfmi_bill_ready(&m->bill, s->charge, s->seeded, sfm_schema_person(s->schema), error);
  if (status == SFM_OK)
    status = sfmi_learning_begin(&m->learning, rows, s, (sfmi_seed){s->seeded, s->seed}, error);
  if (status == SFM_OK)
    status = sfmi_interacting_init(&e->found, settings, &m->learning.training, m->learning.lift,
                                   sfmi_learning_width(&m->learning),
                                   s->charge ? m->bill.accounting : settings->accounting, error);
  if (status == SFM_OK) status = outline(e, error);
  if (status == SFM_OK && settings->planned)
    settings->planned(settings->planned_context, &e->found.plan);
  return status;
}

const char *sfmi_enrolling_ledger(const sfmi_enrolling *e) {
  const sfm_charge *charge = e->train.charge;
  return charge ? sfmi_ledger_path(charge->ledger) : NULL;
}

/* ---- charge, rows, secrets ---- */

static json_t *parameters_of(const sfmi_enrolling *e) {
  const sfm_interact_plan *plan = &e->found.plan;
  json_t *all = sfmi_machining_parameters(&e->machining);
  json_object_set_new(all, "mechanism", json_string("interact"));
  json_object_set_new(all, "questions", json_integer((json_int_t)plan->questions));
  json_object_set_new(all, "accuracy", json_real(e->settings->accuracy));
  json_object_set_new(all, "epochs", json_integer((json_int_t)plan->epochs));
  json_object_set_new(all, "update", json_string(sfm_interact_update_name(e->settings->update)));
  return all;
}

sfm_status sfmi_enrolling_charge(sfmi_enrolling *e, bool *made,
                                 uint8_t identity[SFMI_SESSION_IDENTITY], sfm_error *error) {
  sfmi_machining *m = &e->machining;
  *made = false;
  if (!e->train.charge) return SFM_OK;
  return sfmi_identity_pay(&m->bill, made, identity, m->release, parameters_of(e), error);
}

static sfm_status save(sfmi_enrolling *e, sfmi_drawn *drawn, const double *weights,
                       sfm_error *error) {
  const sfmi_tutor_state state = {.found = e->found,
                                  .lift = e->machining.learning.lift,
                                  .weights = weights,
                                  .update = e->settings->update,
                                  .confidence = e->train.confidence,
                                  .seeded = e->train.seeded,
                                  .seed = e->train.seed};
  return sfmi_tutor_save(&drawn->state, &drawn->state_length, &state, error);
}

sfm_status sfmi_enrolling_draw(sfmi_enrolling *e, sfmi_drawn *drawn, sfm_error *error) {
  sfmi_machining *m = &e->machining;
  const sfmi_learning *l = &m->learning;
  sfmi_examples *examples = NULL;
  size_t length;
  *drawn = (sfmi_drawn){0};
  double *weights = sfmi_alloc(l->numbers, sizeof *weights);
  sfmi_rows_set_key(m->rows, sfmi_bill_key(&m->bill));
  sfm_status status = weights ? sfmi_drawn_name(drawn, error) : sfmi_fail_memory(error);
  if (status == SFM_OK) status = sfmi_learning_read(&examples, l, m->rows, error);
  if (status == SFM_OK) status = sfmi_rows_accept(m->rows, m->fingerprint, &m->bill, error);
  if (status == SFM_OK)
    status = sfmi_learning_solve(weights, l, &l->training, examples, 0, (size_t)l->training.rows,
                                 NULL, error);
  sfmi_examples_destroy(examples);
  if (status == SFM_OK) status = save(e, drawn, weights, error);
  if (status == SFM_OK) status = sfmi_release_print(m->release, &drawn->facts, &length, error);
  if (weights) explicit_bzero(weights, l->numbers * sizeof *weights);
  free(weights);
  return status;
}

sfm_status sfmi_enrolling_store(sfmi_enrolling *e, sfmi_stored *stored,
                                const uint8_t identity[SFMI_SESSION_IDENTITY], sfm_error *error) {
  return sfmi_identity_store(&e->machining.bill, stored, identity, e->machining.fingerprint, error);
}

sfm_status sfmi_enrolling_end(sfmi_enrolling *e, sfm_status status, sfm_error *error) {
  status = sfmi_bill_end(&e->machining.bill, status, error);
  sfmi_machining_clear(&e->machining);
  sfmi_learning_clear(&e->machining.learning);
  return status;
}
