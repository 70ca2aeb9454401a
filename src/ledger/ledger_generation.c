#include "ledger_generation.h"

#include <stdlib.h>
#include <string.h>

#include "entry_parameters.h"
#include "ledger_name.h"
#include "ledger_transaction.h"

static sfm_status check_names(const char *dataset, const char *request, sfm_error *error) {
  sfm_status status = sfmi_ledger_check_name(dataset, SFM_DATASET_MAX, "dataset name", error);
  return status ? status : sfmi_ledger_check_name(request, SFM_REQUEST_MAX, "request id", error);
}

/* Within a transaction. */
static sfm_status find_session(sfm_ledger *ledger, sfmi_generation *last, char **answer,
                               const char *dataset, const char *request, sfm_error *error) {
  size_t length;
  sfm_status status = sfmi_ledger_stored_answer(ledger, answer, &length, dataset, request, error);
  if (status) return status;
  if (!*answer)
    return sfmi_fail(error, SFM_REFUSED,
                     "the ledger %.300s knows of no finished session under request '%.60s' of the "
                     "dataset '%s'",
                     ledger->file.database.path, request, dataset);
  *last = sfmi_tally_generation(&ledger->tally, dataset, request);
  return SFM_OK;
}

sfm_status sfmi_ledger_generation(sfm_ledger *ledger, sfmi_generation *last, char **answer,
                                  const char *dataset, const char *request, sfm_error *error) {
  *answer = NULL;
  sfm_status status = check_names(dataset, request, error);
  if (!status) status = sfmi_ledger_begin(ledger, false, error);
  if (status) return status;
  status = find_session(ledger, last, answer, dataset, request, error);
  sfmi_ledger_rollback(ledger);
  /* The process that raised it may have died before it was durable, or before the anchor named it.
   */
  if (!status) status = sfmi_ledger_update_anchor(ledger, error);
  if (status) {
    free(*answer);
    *answer = NULL;
  }
  return status;
}

/* Before the first step there is no hash. */
static bool stands_at(const sfmi_generation *last, const sfmi_generation *before) {
  return last->number == 0 ? before->number == 0 : sfmi_generation_same(last, before);
}

static sfm_status append_raise(sfm_ledger *ledger, const char *dataset, const char *request,
                               const sfmi_generation *after, sfm_error *error) {
  char *parameters = sfmi_raise_describe(request, after->number);
  if (!parameters) return sfmi_fail_memory(error);
  sfmi_entry entry = sfmi_entry_of(SFMI_ENTRY_RAISE, dataset);
  entry.parameters = parameters;
  entry.has_secret = true;
  memcpy(entry.secret, after->hash, sizeof entry.secret);
  sfm_status status = sfmi_ledger_append(ledger, &entry, error);
  free(parameters);
  return status;
}

sfm_status sfmi_ledger_raise(sfm_ledger *ledger, const char *dataset, const char *request,
                             const sfmi_generation *before, const sfmi_generation *after,
                             sfm_error *error) {
  sfmi_generation last;
  char *answer = NULL;
  sfm_status status = check_names(dataset, request, error);
  if (!status) status = sfmi_ledger_begin(ledger, true, error);
  if (status) return status;
  status = find_session(ledger, &last, &answer, dataset, request, error);
  free(answer);
  if (!status && (!stands_at(&last, before) || after->number != before->number + 1))
    status = sfmi_fail(error, SFM_REFUSED,
                       "the session of request '%.60s' is at generation %llu of another history in "
                       "the ledger %.300s",
                       request, (unsigned long long)last.number, ledger->file.database.path);
  if (!status) status = append_raise(ledger, dataset, request, after, error);
  return sfmi_ledger_end(ledger, status, error);
}
