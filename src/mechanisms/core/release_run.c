#include "release_run.h"

#include "base/system/progress.h"
#include "data/partial/partial.h"
#include "data/rows/rows_check.h"
#include "ledger/ledger.h"
#include "partial_run.h"
#include "privacy/budget_remarks.h"
#include "releases/core/release_kind.h"

void (*sfmi_release_run_watch)(sfmi_release_step step, bool done);

static void watch(sfmi_release_step step, bool done) {
  if (sfmi_release_run_watch) sfmi_release_run_watch(step, done);
}

sfmi_release_run sfmi_release_run_rows(const sfmi_release_steps *steps, sfm_rows *rows,
                                       const sfm_context *context) {
  sfmi_release_run run =
      sfmi_release_run_statistic(steps, context, sfm_schema_person(context->schema));
  run.rows = rows;
  return run;
}

sfmi_release_run sfmi_release_run_statistic(const sfmi_release_steps *steps,
                                            const sfm_context *context, const char *person) {
  return (sfmi_release_run){.steps = steps,
                            .context = context,
                            .charge = context->charge,
                            .seed = sfmi_seed_of(context),
                            .person = person};
}

static sfm_status check(sfmi_release_run *run, sfm_error *error) {
  return run->steps->check ? run->steps->check(run, error) : SFM_OK;
}

static sfm_status ready(sfmi_release_run *run, sfm_error *error) {
  const bool examined = run->rows && sfmi_rows_examined(run->rows);
  if (examined && (run->charge || run->steps->store))
    return sfmi_fail(error, SFM_INVALID,
                     "these rows are examined (sfm_rows_examine): what is made of them cannot be "
                     "charged or kept in a session; open them again to release");
  return sfmi_protocol_begin(&run->protocol, run->charge, run->seed.seeded, run->person, error);
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  const sfm_status status = run->steps->prepare(run, error);
  return status ? status : sfmi_partial_accept(run, error);
}

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  if (!run->steps->sum) return run->steps->read(run, error);
  const sfm_partial *partial = sfmi_rows_partial(run->rows);
  sfmi_sums sums = {0};
  sfm_status status = partial ? sfmi_sums_copy(&sums, &partial->sums, error)
                              : run->steps->sum(run, &sums, run->rows, error);
  if (!status) status = run->steps->take(run, &sums, error);
  sfmi_sums_clear(&sums);
  return status;
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  return run->steps->draw(run, error);
}

static sfm_status finish(sfmi_release_run *run, sfm_error *error) {
  sfm_release *release = run->release;
  sfm_status status = SFM_OK;
  if (run->steps->finish)
    status = run->steps->finish(run, error);
  else if (release->kind->band)
    status = release->kind->band(&release->band, release, run->context->confidence, error);
  if (status) return status;
  return sfmi_release_write_sentence(run->release) ? SFM_OK : sfmi_fail_memory(error);
}

static sfm_status store(sfmi_release_run *run, sfm_error *error) {
  if (run->steps->store) return run->steps->store(run, error);
  if (!run->charge) return SFM_OK;
  if (run->steps->fingerprint)
    run->steps->fingerprint(run);
  else if (run->rows && sfmi_rows_partial(run->rows))
    sfmi_row_sum_fingerprint(&sfmi_rows_partial(run->rows)->sum, &run->protocol.keys,
                             run->fingerprint);
  else if (run->rows)
    sfmi_rows_fingerprint(run->rows, run->fingerprint);
  return sfmi_protocol_store(&run->protocol, &run->release, run->rows ? run->fingerprint : NULL,
                             error);
}

static sfm_status hand_out(sfmi_release_run *run, sfm_error *error) {
  return run->steps->hand_out ? run->steps->hand_out(run, error) : SFM_OK;
}

/* The answer that the ledger has takes the place of what was prepared. */
static sfm_status recall(sfmi_release_run *run, sfm_error *error) {
  return run->steps->recall ? run->steps->recall(run, error)
                            : sfmi_protocol_recall(&run->protocol, &run->release, error);
}

static sfm_status step(sfmi_release_run *run, sfmi_release_step which,
                       sfm_status (*act)(sfmi_release_run *, sfm_error *), sfm_error *error) {
  watch(which, false);
  const sfm_status status = act(run, error);
  if (!status) watch(which, true);
  return status;
}

static bool answered(const sfmi_release_run *run) {
  return run->protocol.handle.answer != NULL;
}

/* From here on records may be read, under the key of the ledger. */
static void open_rows(sfmi_release_run *run) {
  if (!run->rows || sfmi_rows_partial(run->rows)) return;
  if (run->seed.seeded)
    sfmi_rows_set_seed(run->rows, run->seed.seed);
  else
    sfmi_rows_set_keys(run->rows, sfmi_protocol_keys(&run->protocol));
  sfmi_rows_seal(run->rows, false);
}

/* The last moment at which stopping costs nothing. */
static sfm_status may_charge(sfmi_release_run *run, sfm_error *error) {
  const sfm_status status =
      sfmi_progress(run->context, (sfm_progress){.stage = SFM_STAGE_PREPARED}, error);
  if (!status) return SFM_OK;
  return sfmi_fail(error, status,
                   "the run was stopped before the charge: nothing was charged, read or released");
}

/* What is allowed but probably a mistake, of any release. */
static void remark(const sfmi_release_run *run) {
  const sfm_release *release = run->release;
  const sfm_guarantee *g = &release->guarantee;
  const bool known = release->has_rows && release->neighbours == SFM_NEIGHBOURS_REPLACE;
  sfmi_budget_remarks(run->context, g->epsilon, g->delta, known ? (double)release->rows : 0);
}

static sfm_status charge(sfmi_release_run *run, sfm_error *error) {
  remark(run);
  sfm_status status = may_charge(run, error);
  if (status) return status;
  if (run->rows && run->release->enforced && sfmi_rows_are_values(run->rows))
    run->release->person_ids = SFMI_IDS_VALUE;
  status = sfmi_protocol_charge(&run->protocol, run->release,
                                run->charge ? run->steps->parameters(run) : NULL, error);
  if (!status && !answered(run)) open_rows(run);
  return status;
}

/* Everything after the charge. */
static sfm_status make(sfmi_release_run *run, sfm_error *error) {
  if (answered(run)) return recall(run, error);
  sfm_status status = step(run, SFMI_STEP_READ, read, error);
  if (!status) status = step(run, SFMI_STEP_DRAW, draw, error);
  if (!status) status = step(run, SFMI_STEP_FINISH, finish, error);
  if (!status) status = step(run, SFMI_STEP_STORE, store, error);
  return status ? status : step(run, SFMI_STEP_HAND_OUT, hand_out, error);
}

sfm_status sfmi_release_run_all(sfm_release **out, sfmi_release_run *run, sfm_error *error) {
  if (out) *out = NULL;
  if (run->rows) sfmi_rows_seal(run->rows, true);
  if (run->rows) sfmi_rows_set_threads(run->rows, run->context->threads);
  sfm_status status = step(run, SFMI_STEP_CHECK, check, error);
  if (!status) status = step(run, SFMI_STEP_READY, ready, error);
  if (!status) status = step(run, SFMI_STEP_PREPARE, prepare, error);
  if (!status) status = step(run, SFMI_STEP_CHARGE, charge, error);
  if (!status) status = make(run, error);
  status = sfmi_protocol_end(&run->protocol, status, error);
  if (run->rows) sfmi_rows_seal(run->rows, false);
  if (!status && out) {
    *out = run->release;
    run->release = NULL;
  }
  sfm_release_destroy(run->release);
  run->release = NULL;
  return status;
}

const char *sfmi_release_run_ledger(const sfmi_release_run *run) {
  return run->charge ? sfmi_ledger_path(run->charge->ledger) : NULL;
}

void sfmi_release_run_hand_over(sfm_release *to, sfm_release *from) {
  if (to == from) return;
  to->dataset = from->dataset;
  to->request = from->request;
  to->accounting = from->accounting;
  to->person_ids = from->person_ids;
  from->dataset = from->request = NULL;
}
