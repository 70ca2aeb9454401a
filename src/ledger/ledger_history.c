/* ledger_history.c - the history as text, and the check of everything. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "entry_parameters.h"
#include "ledger_transaction.h"

/* The tally computed again from the first entry, showing each entry to a visitor. */
typedef struct replay {
  sfm_ledger *ledger;
  sfmi_tally tally;
  const char *dataset; /* NULL: all */
  bool (*visit)(void *context, const sfm_ledger_entry *entry);
  void *context;
  bool stopped;
} replay;

static void show(replay *r, const sfmi_entry *entry) {
  char amount[SFMI_AMOUNT_TEXT], amount_delta[SFMI_AMOUNT_TEXT], spent[SFMI_AMOUNT_TEXT],
      spent_delta[SFMI_AMOUNT_TEXT], hash[2 * SFMI_HASH_BYTES + 1];
  const sfmi_dataset *dataset = sfmi_tally_find(&r->tally, entry->dataset);
  static const char *const units[] = {[SFM_ACCOUNTING_BASIC] = "epsilon",
                                      [SFM_ACCOUNTING_ZCDP] = "rho",
                                      [SFM_ACCOUNTING_GDP] = "mu^2"};
  const sfmi_cost none = {0};
  char request[SFM_REQUEST_MAX + 1] = "";
  uint64_t generation;
  const bool raise =
      entry->kind == SFMI_ENTRY_RAISE && sfmi_raise_parse(request, &generation, entry->parameters);
  const sfmi_cost *cost = entry->kind == SFMI_ENTRY_CHARGE ? &entry->cost : &none;
  sfmi_amount_print(amount, cost->main);
  sfmi_amount_print(amount_delta, cost->delta);
  sfmi_amount_print(spent, dataset->spent.main);
  sfmi_amount_print(spent_delta, dataset->spent.delta);
  sodium_bin2hex(hash, sizeof hash, entry->hash, sizeof entry->hash);
  const sfm_ledger_entry shown = {.number = entry->number,
                                  .time = entry->time,
                                  .kind = sfmi_entry_kind_name(entry->kind),
                                  .dataset = entry->dataset,
                                  .request = raise ? request : entry->request,
                                  .parameters = entry->parameters,
                                  .guarantee = entry->guarantee,
                                  .unit = units[dataset->accounting],
                                  .amount = amount,
                                  .amount_delta = amount_delta,
                                  .spent = spent,
                                  .spent_delta = spent_delta,
                                  .hash = hash};
  r->stopped = !r->visit(r->context, &shown);
}

static sfm_status read_entry(void *context, const sfmi_entry *entry, sfm_error *error) {
  replay *r = context;
  sfm_status status = sfmi_tally_add(&r->tally, entry, error);
  if (status || r->stopped || (r->dataset && strcmp(r->dataset, entry->dataset) != 0))
    return status;
  show(r, entry);
  return SFM_OK;
}

sfm_status sfm_ledger_history(sfm_ledger *ledger, const char *dataset,
                              bool (*visit)(void *context, const sfm_ledger_entry *entry),
                              void *context, sfm_error *error) {
  sfmi_dataset *at;
  replay r = {.ledger = ledger, .dataset = dataset, .visit = visit, .context = context};
  sfm_status status = sfmi_ledger_begin(ledger, false, error);
  if (status) return status;
  if (dataset) status = sfmi_ledger_find_dataset(ledger, &at, dataset, error);
  sfmi_tally_init(&r.tally, ledger->file.identity, ledger->file.anchor);
  if (!status) status = sfmi_ledger_file_entries(&ledger->file, 1, read_entry, &r, error);
  sfmi_tally_clear(&r.tally);
  sfmi_ledger_rollback(ledger);
  return status;
}

/* An answer entry: its charge came before, and its bytes are those whose hash it holds. */
static sfm_status check_answer(sfm_ledger *ledger, const sfmi_entry *entry, sfm_error *error) {
  uint64_t charge;
  uint8_t hash[SFMI_HASH_BYTES];
  char *bytes = NULL;
  size_t length;
  sfm_status status = sfmi_ledger_file_request(
      &ledger->file, &charge, NULL, NULL, SFMI_ENTRY_CHARGE, entry->dataset, entry->request, error);
  if (!status && (charge == 0 || charge > entry->number))
    status = sfmi_fail(error, SFM_REFUSED, "entry %llu is an answer that was never charged",
                       (unsigned long long)entry->number);
  if (!status)
    status = sfmi_ledger_file_answer(&ledger->file, &bytes, &length, entry->number, error);
  if (status) return status;
  crypto_generichash(hash, sizeof hash, (const unsigned char *)bytes, length, NULL, 0);
  free(bytes);
  if (memcmp(hash, entry->secret, sizeof hash) == 0) return SFM_OK;
  return sfmi_fail(error, SFM_REFUSED, "the answer stored with entry %llu was changed",
                   (unsigned long long)entry->number);
}

/* A create entry: its capacity is what the total allows. */
static sfm_status check_capacity(const sfmi_entry *entry, sfm_error *error) {
  sfm_dataset stated;
  sfmi_cost capacity;
  bool ordered;
  if (!sfmi_dataset_parse(&stated, &ordered, entry->parameters) ||
      sfmi_cost_capacity(&capacity, stated.epsilon, stated.delta, stated.accounting, NULL) ||
      entry->cost.main > capacity.main || entry->cost.delta > capacity.delta)
    return sfmi_fail(error, SFM_REFUSED, "entry %llu allows the dataset '%s' more than its total",
                     (unsigned long long)entry->number, entry->dataset);
  return SFM_OK;
}

static sfm_status verify_entry(void *context, const sfmi_entry *entry, sfm_error *error) {
  replay *r = context;
  bool unpaid;
  sfm_status status = sfmi_tally_add(&r->tally, entry, error);
  if (!status && entry->kind == SFMI_ENTRY_CREATE) status = check_capacity(entry, error);
  if (!status && entry->kind == SFMI_ENTRY_ANSWER) status = check_answer(r->ledger, entry, error);
  if (!status && entry->kind == SFMI_ENTRY_RAISE)
    status = sfmi_ledger_check_generation(r->ledger, &unpaid, entry, error);
  return status;
}

/* How many answers the entries know of must be how many are stored. */
static sfm_status verify_answers(sfm_ledger *ledger, const sfmi_tally *tally, sfm_error *error) {
  int64_t stored = 0, known = 0;
  for (size_t i = 0; i < tally->count; i++) known += (int64_t)tally->datasets[i].answers;
  sfm_status status = sfmi_ledger_file_count_answers(&ledger->file, &stored, error);
  if (!status && stored != known)
    status = sfmi_fail(error, SFM_REFUSED, "%lld answers are stored, and the history knows of %lld",
                       (long long)stored, (long long)known);
  return status;
}

sfm_status sfm_ledger_verify(sfm_ledger *ledger, uint64_t *entries, const char *anchor,
                             sfm_error *error) {
  replay r = {.ledger = ledger};
  sfm_status status = sfmi_ledger_begin(ledger, false, error);
  if (status) return status;
  status = sfmi_database_check(&ledger->file.database, "PRAGMA integrity_check(1)", error);
  sfmi_tally_init(&r.tally, ledger->file.identity, ledger->file.anchor);
  if (!status) status = sfmi_ledger_file_entries(&ledger->file, 1, verify_entry, &r, error);
  if (!status) status = verify_answers(ledger, &r.tally, error);
  if (!status && anchor) status = sfmi_ledger_check_anchor(ledger, anchor, error);
  if (entries) *entries = r.tally.head;
  sfmi_tally_clear(&r.tally);
  sfmi_ledger_rollback(ledger);
  return status;
}
