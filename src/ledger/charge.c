#include "charge.h"

#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/text/json.h"
#include "key_derivation.h"
#include "ledger_name.h"
#include "ledger_transaction.h"
#include "privacy_unit.h"

void sfmi_charge_handle_clear(sfmi_charge_handle *handle) {
  free(handle->answer);
  sodium_memzero(handle, sizeof *handle);
}

enum { WORDS = 160 };

/* The guarantee in a few words, for the history. */
static void describe(char *text, size_t size, const sfm_guarantee *g) {
  int used = sfmi_snprintf(text, size, "epsilon %.15g", g->epsilon);
  if (g->delta > 0)
    used += sfmi_snprintf(text + used, size - (size_t)used, ", delta %.15g", g->delta);
  if (g->kind == SFM_GUARANTEE_GDP)
    sfmi_snprintf(text + used, size - (size_t)used, " (mu %.6g)", g->mu);
  else if (g->kind == SFM_GUARANTEE_ZCDP)
    sfmi_snprintf(text + used, size - (size_t)used, " (rho %.6g)", g->rho);
}

static bool method_left_open(const json_t *parameters) {
  const char *mechanism = json_string_value(json_object_get(parameters, "mechanism")),
             *asked = json_string_value(json_object_get(parameters, "asked"));
  return mechanism && asked && strcmp(mechanism, "density") == 0 && strcmp(asked, "auto") == 0;
}

/* The method of a density that was left to the planner is no parameter of a request that was
 * answered: a planner of another version may choose another one with the same guarantee.  (What was
 * charged and not answered is completed as it was charged, or not.) */
static void forget_choices(json_t *before, json_t *now) {
  if (!method_left_open(before) || !method_left_open(now)) return;
  json_object_del(before, "method");
  json_object_del(now, "method");
}

/* SFM_OK if both are the same request; else the first parameter in which they differ, for people.
 */
static sfm_status check_same(const char *request, bool answered, const char *charged,
                             const char *asked, sfm_error *error) {
  if (strcmp(charged, asked) == 0) return SFM_OK;
  json_t *before = sfmi_json_loads(charged, 0, NULL), *now = sfmi_json_loads(asked, 0, NULL),
         *value;
  char what[300] = "";
  if (before && now && answered) forget_choices(before, now);
  const bool same = before && now && json_equal(before, now);
  const char *key;
  json_object_foreach(now, key, value) {
    json_t *earlier = json_object_get(before, key);
    if (*what || (earlier && json_equal(earlier, value))) continue;
    char *was = earlier ? sfmi_json_dumps(earlier, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    char *is = sfmi_json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    sfmi_snprintf(what, sizeof what, " (%.40s was %.100s and is now %.100s)", key,
                  was ? was : "absent", is ? is : "");
    free(was);
    free(is);
  }
  json_decref(before);
  json_decref(now);
  if (same) return SFM_OK;
  return sfmi_fail(error, SFM_REFUSED,
                   "request '%.60s%s' was made before with other parameters%s. Nothing was "
                   "charged: repeat it as it was, or use another id",
                   request, strlen(request) > 60 ? "..." : "", what);
}

static sfm_status fail_too_little(const sfmi_dataset *dataset, sfmi_cost cost, sfm_error *error) {
  sfm_dataset_status now;
  char main[SFMI_AMOUNT_TEXT], delta[SFMI_AMOUNT_TEXT], epsilon[SFMI_AMOUNT_TEXT];
  sfm_status status = sfmi_dataset_report(&now, dataset, error);
  if (status) return status;
  sfmi_amount_print(main, cost.main);
  sfmi_amount_print(delta, cost.delta);
  if (dataset->accounting == SFM_ACCOUNTING_BASIC && dataset->capacity.delta == 0 && cost.delta > 0)
    return sfmi_fail(error, SFM_REFUSED,
                     "the total of '%s' has no delta, so that only pure releases fit (epsilon %s "
                     "is left): leave out settings.delta. Nothing was charged",
                     dataset->name, now.left.epsilon);
  if (dataset->accounting == SFM_ACCOUNTING_BASIC)
    return sfmi_fail(error, SFM_REFUSED,
                     "not enough is left of '%s': this costs epsilon %s and delta %s. Of the total "
                     "(epsilon %s, delta %s) epsilon %s and delta %s are left. Nothing was charged",
                     dataset->name, main, delta, now.total.epsilon, now.total.delta,
                     now.left.epsilon, now.left.delta);
  sfmi_amount worth;
  status = sfmi_cost_epsilon(&worth, cost.main, dataset->accounting, dataset->delta, true, error);
  if (status) return status;
  sfmi_amount_print(epsilon, worth);
  return sfmi_fail(
      error, SFM_REFUSED,
      "not enough is left of '%s': this costs %s %s, which is worth epsilon %s at delta "
      "%s, and %s is left of %s (epsilon %s of %s). Nothing was charged",
      dataset->name, dataset->accounting == SFM_ACCOUNTING_GDP ? "mu^2" : "rho", main, epsilon,
      now.total.delta, now.amount.left, now.amount.total, now.left.epsilon, now.total.epsilon);
}

/* Whom a charge protects, in words. */
static void describe_unit(char text[WORDS], const sfmi_privacy_unit *unit) {
  if (*unit->person)
    sfmi_snprintf(text, WORDS, "all records of a person (column %s%s)", unit->person,
                  unit->ids == SFMI_IDS_NUMBER  ? ", ids as numbers"
                  : unit->ids == SFMI_IDS_VALUE ? ", ids as values"
                                                : "");
  else if (unit->records == 1)
    sfmi_snprintf(text, WORDS, "any one record");
  else
    sfmi_snprintf(text, WORDS, "any %u records", unit->records);
}

static const char *way_of(const sfmi_privacy_unit *unit) {
  return unit->neighbours == SFM_NEIGHBOURS_REPLACE ? "replaced" : "added or removed";
}

static sfm_status fail_unit(const sfmi_dataset *dataset, const sfmi_privacy_unit *unit,
                            sfm_error *error) {
  char before[WORDS], now[WORDS];
  const bool turned = unit->neighbours != dataset->unit.neighbours;
  describe_unit(before, &dataset->unit);
  describe_unit(now, unit);
  return sfmi_fail(
      error, SFM_REFUSED,
      "earlier charges of '%s' protect %s%s%s; this one would protect %s%s%s, and a sum has a "
      "meaning only where every charge protects what the first one does. Use the same "
      "schema.neighbours, the same schema.person (and type of that column in the schema), and "
      "without one at least as many schema.contributions. Nothing was charged",
      dataset->name, before, turned ? ", " : "", turned ? way_of(&dataset->unit) : "", now,
      turned ? ", " : "", turned ? way_of(unit) : "");
}

/* handle->answer stays NULL when there is none. */
static sfm_status find_answer(sfmi_charge_handle *handle, sfm_error *error) {
  return sfmi_ledger_stored_answer(handle->ledger, &handle->answer, &handle->answer_length,
                                   handle->dataset, handle->request, error);
}

static void mark_writing(const sfmi_charge_handle *handle, bool begins) {
  if (handle->writing) handle->writing(handle->context, begins);
}

/* A new charge entry, not yet committed. */
static sfm_status append_charge(sfmi_charge_handle *handle, const sfmi_dataset *dataset,
                                const char *parameters, const sfm_guarantee *guarantee,
                                sfm_error *error) {
  char words[WORDS], protects[SFM_PROTECTS_MAX];
  sfmi_privacy_unit unit;
  sfmi_entry entry = {.kind = SFMI_ENTRY_CHARGE,
                      .dataset = handle->dataset,
                      .request = handle->request,
                      .parameters = parameters,
                      .guarantee = words,
                      .unit = protects};
  sfm_status status = sfmi_privacy_unit_parse(&unit, parameters, error);
  if (status) return status;
  if (unit.stated && dataset->unit.records) unit.ids = dataset->unit.ids;
  sfmi_privacy_unit_print(protects, &unit);
  if (dataset->closed)
    return sfmi_fail(error, SFM_REFUSED,
                     "the dataset '%s' is closed: nothing more can be charged to it",
                     dataset->name);
  if (!sfmi_privacy_unit_covers(&unit, &dataset->unit)) return fail_unit(dataset, &unit, error);
  const bool first = dataset->spent.main == 0 && dataset->spent.delta == 0;
  status = first ? sfmi_cost_first(&entry.cost, guarantee, dataset->accounting, dataset->epsilon,
                                   dataset->delta, error)
                 : sfmi_cost_of(&entry.cost, guarantee, dataset->accounting, error);
  if (status) return status;
  if (!sfmi_dataset_fits(dataset, entry.cost)) return fail_too_little(dataset, entry.cost, error);
  describe(words, sizeof words, guarantee);
  status = sfmi_ledger_append(handle->ledger, &entry, error);
  if (!status) handle->charge = entry.number;
  return status;
}

/* Within a transaction: finds the request or appends it; *charged says which. */
static sfm_status settle(sfmi_charge_handle *handle, bool *charged, const char *parameters,
                         const sfm_guarantee *guarantee, sfm_error *error) {
  sfmi_dataset *dataset;
  char *before = NULL;
  *charged = false;
  sfm_status status = sfmi_ledger_find_dataset(handle->ledger, &dataset, handle->dataset, error);
  if (status) return status;
  handle->accounting = dataset->accounting;
  sfmi_row_keys_derive(&handle->keys, dataset->key, dataset->ordered);
  status = sfmi_ledger_file_request(&handle->ledger->file, &handle->charge, &before, NULL,
                                    SFMI_ENTRY_CHARGE, handle->dataset, handle->request, error);
  if (status) return status;
  if (handle->charge == 0) {
    *charged = true;
    return append_charge(handle, dataset, parameters, guarantee, error);
  }
  status = find_answer(handle, error);
  if (!status)
    status = check_same(handle->request, handle->answer != NULL, before, parameters, error);
  free(before);
  return status;
}

/* 20 hexadecimal digits that no other request will have. */
static void fresh_request(char *text) {
  uint8_t bytes[10];
  randombytes_buf(bytes, sizeof bytes);
  sodium_bin2hex(text, 2 * sizeof bytes + 1, bytes, sizeof bytes);
}

static sfm_status check_charge(const sfm_charge *charge, sfm_error *error) {
  if (!charge->ledger || !charge->dataset)
    return sfmi_fail(error, SFM_INVALID, "a charge needs a ledger and the name of a dataset");
  sfm_status status =
      sfmi_ledger_check_name(charge->dataset, SFM_DATASET_MAX, "dataset name", error);
  if (!status && charge->request)
    status = sfmi_ledger_check_name(charge->request, SFM_REQUEST_MAX, "request id", error);
  if (!status) status = sfmi_database_writable(&charge->ledger->file.database, error);
  return status;
}

sfm_status sfmi_ledger_ready(const sfm_charge *charge, sfm_accounting *accounting,
                             sfmi_row_keys *keys, sfm_error *error) {
  sfmi_dataset *dataset;
  sfm_status status = check_charge(charge, error);
  if (!status) status = sfmi_ledger_begin(charge->ledger, false, error);
  if (status) return status;
  status = sfmi_ledger_find_dataset(charge->ledger, &dataset, charge->dataset, error);
  if (!status) {
    *accounting = dataset->accounting;
    sfmi_row_keys_derive(keys, dataset->key, dataset->ordered);
  }
  sfmi_ledger_rollback(charge->ledger);
  return status;
}

static sfm_status tell(const sfmi_charge_handle *handle, const sfm_charge *charge, bool charged,
                       const sfm_guarantee *guarantee, sfm_error *error) {
  char words[WORDS];
  sfm_receipt receipt = {.request = handle->request,
                         .guarantee = words,
                         .charged = charged,
                         .answered = handle->answer};
  describe(words, sizeof words, guarantee);
  const sfmi_dataset *dataset = sfmi_tally_find(&handle->ledger->tally, handle->dataset);
  if (!charge->told) return SFM_OK;
  sfm_status status = sfmi_dataset_report(&receipt.dataset, dataset, error);
  if (!status) charge->told(charge->data, &receipt);
  return status;
}

sfm_status sfmi_charge_stands(const sfmi_charge_handle *handle, sfm_status status,
                              sfm_error *error) {
  sfm_error before = {.message = ""};
  if (status == SFM_INVALID || status == SFM_FORMAT) status = SFM_IO;
  if (error) before = *error;
  return sfmi_fail(
      error, status,
      "%.600s. The charge stands and nothing is released: repeat with charge.request = %s",
      before.message, handle->request);
}

sfm_status sfmi_ledger_charge(sfmi_charge_handle *handle, const sfm_charge *charge,
                              const char *parameters, const sfm_guarantee *guarantee,
                              sfm_error *error) {
  bool charged = false;
  *handle = (sfmi_charge_handle){
      .ledger = charge->ledger, .writing = charge->writing, .context = charge->data};
  sfm_status status = check_charge(charge, error);
  if (status) return status;
  if (strlen(parameters) > SFMI_PARAMETERS_MAX)
    return sfmi_fail(error, SFM_INVALID, "the parameters of a request have at most %zu bytes",
                     SFMI_PARAMETERS_MAX);
  memcpy(handle->dataset, charge->dataset, strlen(charge->dataset) + 1);
  if (charge->request)
    memcpy(handle->request, charge->request, strlen(charge->request) + 1);
  else
    fresh_request(handle->request);
  status = sfmi_ledger_begin(charge->ledger, true, error);
  if (status) return status;
  mark_writing(handle, true);
  status = settle(handle, &charged, parameters, guarantee, error);
  if (!status && charged) {
    status = sfmi_ledger_commit(charge->ledger, error);
    if (status && !charge->ledger->dirty) status = sfmi_charge_stands(handle, status, error);
  } else {
    sfmi_ledger_rollback(charge->ledger);
    /* The process that stored the answer may have died before the anchor named it. */
    if (!status) status = sfmi_ledger_update_anchor(charge->ledger, error);
  }
  if (!status) status = tell(handle, charge, charged, guarantee, error);
  mark_writing(handle, false);
  if (status) sfmi_charge_handle_clear(handle);
  return status;
}

static bool is_bound_to(const sfmi_dataset *dataset, const sfmi_charge_handle *handle,
                        const uint8_t *fingerprint) {
  return sodium_memcmp(dataset->fingerprint, fingerprint, SFMI_HASH_BYTES) == 0 ||
         (handle->has_former &&
          sodium_memcmp(dataset->fingerprint, handle->former, SFMI_HASH_BYTES) == 0);
}

/* Within a transaction: *bound says whether the dataset has rows; then they must be these. */
static sfm_status check_rows(const sfmi_charge_handle *handle, bool *bound,
                             const uint8_t *fingerprint, sfm_error *error) {
  const sfmi_dataset *dataset = sfmi_tally_find(&handle->ledger->tally, handle->dataset);
  *bound = dataset && dataset->bound;
  if (!*bound || is_bound_to(dataset, handle, fingerprint)) return SFM_OK;
  return sfmi_fail(
      error, SFM_REFUSED,
      "the rows that were read are not those of the dataset '%s': nothing is released, and the "
      "charge stands; with the right rows repeat it with charge.request = %s. Rows that have "
      "changed are a new dataset: sfm_ledger_create",
      handle->dataset, handle->request);
}

sfm_status sfmi_ledger_rows(const sfmi_charge_handle *handle, const uint8_t *fingerprint,
                            sfm_error *error) {
  bool bound;
  sfm_status status = sfmi_ledger_begin(handle->ledger, false, error);
  if (status) return status;
  status = check_rows(handle, &bound, fingerprint, error);
  sfmi_ledger_rollback(handle->ledger);
  return status;
}

/* The rows must be those of the dataset's first answer. */
static sfm_status bind_rows(sfmi_charge_handle *handle, const uint8_t *fingerprint,
                            sfm_error *error) {
  bool bound;
  sfmi_entry entry = sfmi_entry_of(SFMI_ENTRY_BIND, handle->dataset);
  sfm_status status = check_rows(handle, &bound, fingerprint, error);
  if (status || bound) return status;
  entry.has_secret = true;
  memcpy(entry.secret, fingerprint, sizeof entry.secret);
  status = sfmi_ledger_append(handle->ledger, &entry, error);
  sodium_memzero(entry.secret, sizeof entry.secret);
  return status;
}

static sfm_status append_answer(sfmi_charge_handle *handle, const char *bytes, size_t length,
                                const uint8_t *fingerprint, sfm_error *error) {
  sfmi_entry entry = sfmi_entry_of(SFMI_ENTRY_ANSWER, handle->dataset);
  sfm_status status = fingerprint ? bind_rows(handle, fingerprint, error) : SFM_OK;
  if (status) return status;
  handle->answer = malloc(length + 1);
  if (!handle->answer) return sfmi_fail_memory(error);
  memcpy(handle->answer, bytes, length);
  handle->answer[length] = '\0';
  handle->answer_length = length;
  entry.request = handle->request;
  entry.has_secret = true;
  crypto_generichash(entry.secret, sizeof entry.secret, (const unsigned char *)bytes, length, NULL,
                     0);
  status = sfmi_ledger_append(handle->ledger, &entry, error);
  if (!status)
    status = sfmi_ledger_file_add_answer(&handle->ledger->file, entry.number, bytes, length, error);
  return status;
}

sfm_status sfmi_ledger_answered(sfm_ledger *ledger, char **answer, const char *dataset,
                                const char *request, sfm_error *error) {
  size_t length;
  *answer = NULL;
  sfm_status status = sfmi_ledger_begin(ledger, false, error);
  if (status) return status;
  status = sfmi_ledger_stored_answer(ledger, answer, &length, dataset, request, error);
  sfmi_ledger_rollback(ledger);
  return status;
}

/* After a commit that failed: it may have been done all the same, before something else failed. */
static bool may_be_stored(const sfmi_charge_handle *handle) {
  char *answer = NULL;
  const sfm_status status =
      sfmi_ledger_answered(handle->ledger, &answer, handle->dataset, handle->request, NULL);
  const bool stored = answer != NULL;
  free(answer);
  return status || stored;
}

sfm_status sfmi_ledger_answer(sfmi_charge_handle *handle, const char *bytes, size_t length,
                              const uint8_t *fingerprint, sfm_error *error) {
  uint64_t number;
  sfm_ledger *ledger = handle->ledger;
  bool committing = false;
  handle->perhaps = false;
  sfm_status status = sfmi_ledger_begin(ledger, true, error);
  if (status) return status;
  mark_writing(handle, true);
  status = sfmi_ledger_file_request(&ledger->file, &number, NULL, NULL, SFMI_ENTRY_CHARGE,
                                    handle->dataset, handle->request, error);
  if (!status && (number == 0 || number != handle->charge))
    status = sfmi_fail(error, SFM_REFUSED, "the charge of request '%.60s' is gone from the ledger",
                       handle->request);
  if (!status) status = find_answer(handle, error);
  if (!status && handle->answer) {
    sfmi_ledger_rollback(ledger);
    status = sfmi_ledger_update_anchor(ledger, error);
  } else if (!status) {
    status = append_answer(handle, bytes, length, fingerprint, error);
    committing = !status;
    if (committing) status = sfmi_ledger_commit(ledger, error);
  }
  if (status) {
    sfmi_ledger_rollback(ledger);
    handle->perhaps = committing && may_be_stored(handle);
    free(handle->answer);
    handle->answer = NULL;
  }
  mark_writing(handle, false);
  return status;
}
