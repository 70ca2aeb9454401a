#include "ledger_tally.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "entry_parameters.h"
#include "ledger_name.h"
#include "privacy/calibration.h"

void sfmi_tally_init(sfmi_tally *tally, const uint8_t identity[SFMI_IDENTITY_BYTES],
                     const char *anchor) {
  *tally = (sfmi_tally){0};
  sfmi_chain_start(tally->hash, identity, anchor);
}

void sfmi_tally_clear(sfmi_tally *tally) {
  if (tally->datasets) sodium_memzero(tally->datasets, tally->count * sizeof *tally->datasets);
  free(tally->datasets);
  free(tally->raised);
  *tally = (sfmi_tally){0};
}

sfmi_dataset *sfmi_tally_find(const sfmi_tally *tally, const char *dataset) {
  for (size_t i = 0; i < tally->count; i++)
    if (strcmp(tally->datasets[i].name, dataset) == 0) return &tally->datasets[i];
  return NULL;
}

/* The last one first: sessions are asked one after another. */
static sfmi_paid_session *find_raised(const sfmi_tally *tally, const char *dataset,
                                      const char *request) {
  for (size_t i = tally->raised_count; i-- > 0;)
    if (strcmp(tally->raised[i].request, request) == 0 &&
        strcmp(tally->raised[i].dataset, dataset) == 0)
      return &tally->raised[i];
  return NULL;
}

sfmi_generation sfmi_tally_generation(const sfmi_tally *tally, const char *dataset,
                                      const char *request) {
  const sfmi_paid_session *raised = find_raised(tally, dataset, request);
  return raised ? raised->last : (sfmi_generation){0};
}

bool sfmi_dataset_fits(const sfmi_dataset *dataset, sfmi_cost cost) {
  return cost.main >= 0 && cost.delta >= 0 &&
         cost.main <= dataset->capacity.main - dataset->spent.main &&
         cost.delta <= dataset->capacity.delta - dataset->spent.delta;
}

/* Entry by entry: what a ledger that kept its rules could have written next. */

/* A total that a dataset can have been created with. */
static bool possible(const sfm_dataset *stated) {
  const bool basic = stated->accounting == SFM_ACCOUNTING_BASIC;
  return stated->epsilon >= SFMI_EPSILON_MIN && stated->epsilon <= SFMI_EPSILON_MAX &&
         stated->delta < 1 && (stated->delta >= SFMI_DELTA_MIN || (basic && stated->delta == 0));
}

static bool add_dataset(sfmi_tally *tally, const sfmi_entry *entry) {
  sfm_dataset stated;
  bool ordered;
  if (!entry->has_secret || !sfmi_dataset_parse(&stated, &ordered, entry->parameters) ||
      !possible(&stated) || entry->cost.main <= 0 || entry->cost.main > SFMI_AMOUNT_MAX ||
      entry->cost.delta < 0 || entry->cost.delta > SFMI_AMOUNT_ONE)
    return false;
  sfmi_dataset *larger = sfmi_alloc(tally->count + 1, sizeof *larger);
  if (!larger) return false;
  if (tally->count) memcpy(larger, tally->datasets, tally->count * sizeof *larger);
  sfmi_dataset *new = &larger[tally->count];
  memcpy(new->name, entry->dataset, strlen(entry->dataset) + 1);
  new->accounting = stated.accounting;
  new->epsilon = stated.epsilon;
  new->delta = stated.delta;
  new->capacity = entry->cost;
  new->ordered = ordered;
  memcpy(new->key, entry->secret, sizeof new->key);
  if (tally->datasets) sodium_memzero(tally->datasets, tally->count * sizeof *larger);
  free(tally->datasets);
  tally->datasets = larger;
  tally->count++;
  return true;
}

/* One step up from where the session's request is; a first step makes it known. */
static bool raise_generation(sfmi_tally *tally, const sfmi_entry *entry) {
  char request[SFM_REQUEST_MAX + 1];
  uint64_t generation;
  if (*entry->request || !entry->has_secret ||
      !sfmi_raise_parse(request, &generation, entry->parameters))
    return false;
  sfmi_paid_session *raised = find_raised(tally, entry->dataset, request);
  if (generation != (raised ? raised->last.number : 0) + 1) return false;
  if (!raised) {
    sfmi_paid_session *more =
        reallocarray(tally->raised, tally->raised_count + 1, sizeof *tally->raised);
    if (!more) return false;
    tally->raised = more;
    raised = &more[tally->raised_count++];
    *raised = (sfmi_paid_session){0};
    memcpy(raised->dataset, entry->dataset, strlen(entry->dataset) + 1);
    memcpy(raised->request, request, sizeof request);
  }
  raised->last.number = generation;
  memcpy(raised->last.hash, entry->secret, sizeof raised->last.hash);
  return true;
}

static bool apply(sfmi_tally *tally, const sfmi_entry *entry) {
  sfmi_dataset *dataset = sfmi_tally_find(tally, entry->dataset);
  if (entry->kind == SFMI_ENTRY_CREATE) return !dataset && add_dataset(tally, entry);
  if (!dataset) return false;
  sfmi_privacy_unit unit;
  const bool free_of_charge = entry->cost.main == 0 && entry->cost.delta == 0;
  switch (entry->kind) {
  case SFMI_ENTRY_CHARGE:
    if (dataset->closed || !*entry->request || !sfmi_dataset_fits(dataset, entry->cost) ||
        !sfmi_privacy_unit_read(&unit, entry->unit) ||
        !sfmi_privacy_unit_covers(&unit, &dataset->unit))
      return false;
    if (!dataset->unit.records) dataset->unit = unit;
    dataset->spent.main += entry->cost.main;
    dataset->spent.delta += entry->cost.delta;
    dataset->charges++;
    return true;
  case SFMI_ENTRY_ANSWER:
    if (!free_of_charge || !*entry->request || !entry->has_secret ||
        dataset->answers == dataset->charges)
      return false;
    dataset->answers++;
    return true;
  case SFMI_ENTRY_BIND:
    if (!free_of_charge || dataset->bound || !entry->has_secret) return false;
    memcpy(dataset->fingerprint, entry->secret, sizeof dataset->fingerprint);
    dataset->bound = true;
    return true;
  case SFMI_ENTRY_CLOSE:
    if (!free_of_charge || dataset->closed) return false;
    dataset->closed = true;
    return true;
  case SFMI_ENTRY_RAISE: /* of a closed dataset too: what it says was paid for before */
    return free_of_charge && raise_generation(tally, entry);
  case SFMI_ENTRY_CREATE:
    break;
  }
  return false;
}

sfm_status sfmi_tally_add(sfmi_tally *tally, const sfmi_entry *entry, sfm_error *error) {
  uint8_t hash[SFMI_HASH_BYTES];
  if (entry->number != tally->head + 1)
    return sfmi_fail(error, SFM_REFUSED, "entry %llu of the history is missing",
                     (unsigned long long)tally->head + 1);
  sfmi_entry_hash(hash, tally->hash, entry);
  if (memcmp(hash, entry->hash, sizeof hash) != 0)
    return sfmi_fail(error, SFM_REFUSED,
                     "entry %llu of the history is not what was written: its hash does not fit",
                     (unsigned long long)entry->number);
  if (sfmi_ledger_check_name(entry->dataset, SFM_DATASET_MAX, "", NULL) ||
      strlen(entry->request) > SFM_REQUEST_MAX || !apply(tally, entry))
    return sfmi_fail(error, SFM_REFUSED,
                     "entry %llu of the history (%s) cannot follow the ones before it",
                     (unsigned long long)entry->number, sfmi_entry_kind_name(entry->kind));
  tally->head = entry->number;
  memcpy(tally->hash, entry->hash, sizeof tally->hash);
  return SFM_OK;
}

/* Under zcdp and gdp: the epsilon of an amount at the total's delta, never beyond the total.  That
 * delta is not counted in units, and is rounded as the epsilon is. */
static sfm_status print_curve(sfm_decimals *out, const sfmi_dataset *dataset, sfmi_amount amount,
                              bool up, sfm_error *error) {
  sfmi_amount total, delta, epsilon = 0;
  (void)sfmi_amount_from(&total, dataset->epsilon, false);
  (void)sfmi_amount_from(&delta, dataset->delta, up);
  sfm_status status = SFM_OK;
  if (amount == dataset->capacity.main)
    epsilon = total;
  else
    status = sfmi_cost_epsilon(&epsilon, amount, dataset->accounting, dataset->delta, up, error);
  if (status) return status;
  sfmi_amount_print(out->epsilon, epsilon < total ? epsilon : total);
  sfmi_amount_print(out->delta, amount ? delta : 0);
  return SFM_OK;
}

sfm_status sfmi_dataset_report(sfm_dataset_status *status, const sfmi_dataset *dataset,
                               sfm_error *error) {
  const sfmi_cost left = {dataset->capacity.main - dataset->spent.main,
                          dataset->capacity.delta - dataset->spent.delta};
  sfm_status failed = SFM_OK;
  *status = (sfm_dataset_status){.accounting = dataset->accounting,
                                 .closed = dataset->closed,
                                 .charges = dataset->charges,
                                 .answers = dataset->answers};
  memcpy(status->name, dataset->name, sizeof status->name);
  if (dataset->unit.records) sfmi_privacy_unit_print(status->protects, &dataset->unit);
  sfmi_amount_print(status->amount.total, dataset->capacity.main);
  sfmi_amount_print(status->amount.spent, dataset->spent.main);
  sfmi_amount_print(status->amount.left, left.main);
  if (dataset->accounting == SFM_ACCOUNTING_BASIC) {
    sfmi_amount_print(status->total.epsilon, dataset->capacity.main);
    sfmi_amount_print(status->total.delta, dataset->capacity.delta);
    sfmi_amount_print(status->spent.epsilon, dataset->spent.main);
    sfmi_amount_print(status->spent.delta, dataset->spent.delta);
    sfmi_amount_print(status->left.epsilon, left.main);
    sfmi_amount_print(status->left.delta, left.delta);
    return SFM_OK;
  }
  failed = print_curve(&status->total, dataset, dataset->capacity.main, true, error);
  if (!failed) failed = print_curve(&status->spent, dataset, dataset->spent.main, true, error);
  if (!failed) failed = print_curve(&status->left, dataset, left.main, false, error);
  return failed;
}
