#include "hash_chain.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include "privacy/calibration.h"

static const char *const kinds[] = {"create", "charge", "answer", "bind", "close", "raise"};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const char *sfmi_entry_kind_name(sfmi_entry_kind kind) {
  return kinds[kind];
}

bool sfmi_entry_kind_parse(sfmi_entry_kind *kind, const char *name) {
  for (int i = 0; i < KIND_COUNT; i++)
    if (strcmp(kinds[i], name) == 0) {
      *kind = (sfmi_entry_kind)i;
      return true;
    }
  return false;
}

/* Fields go into the hash with their length before them, so that no two entries share one. */
static void hash_number(crypto_generichash_state *state, uint64_t number) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(number >> 8 * i);
  crypto_generichash_update(state, bytes, sizeof bytes);
}

static void hash_bytes(crypto_generichash_state *state, const void *bytes, size_t length) {
  hash_number(state, length);
  crypto_generichash_update(state, bytes, length);
}

static void hash_text(crypto_generichash_state *state, const char *text) {
  hash_bytes(state, text, strlen(text));
}

void sfmi_tally_init(sfmi_tally *tally, const uint8_t identity[SFMI_IDENTITY_BYTES],
                     const char *anchor) {
  crypto_generichash_state state;
  *tally = (sfmi_tally){0};
  crypto_generichash_init(&state, NULL, 0, SFMI_HASH_BYTES);
  hash_text(&state, "sfumato ledger 1");
  hash_bytes(&state, identity, SFMI_IDENTITY_BYTES);
  hash_text(&state, anchor);
  crypto_generichash_final(&state, tally->hash, SFMI_HASH_BYTES);
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

void sfmi_tally_hash(const sfmi_tally *tally, uint8_t hash[SFMI_HASH_BYTES],
                     const sfmi_entry *entry) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, SFMI_HASH_BYTES);
  hash_bytes(&state, tally->hash, SFMI_HASH_BYTES);
  hash_number(&state, entry->number);
  hash_text(&state, entry->time);
  hash_text(&state, sfmi_entry_kind_name(entry->kind));
  hash_text(&state, entry->dataset);
  hash_text(&state, entry->request);
  hash_text(&state, entry->parameters);
  hash_text(&state, entry->guarantee);
  hash_text(&state, entry->unit);
  hash_number(&state, (uint64_t)entry->cost.main);
  hash_number(&state, (uint64_t)entry->cost.delta);
  hash_bytes(&state, entry->secret, entry->has_secret ? sizeof entry->secret : 0);
  crypto_generichash_final(&state, hash, SFMI_HASH_BYTES);
}

bool sfmi_dataset_fits(const sfmi_dataset *dataset, sfmi_cost cost) {
  return cost.main >= 0 && cost.delta >= 0 &&
         cost.main <= dataset->capacity.main - dataset->spent.main &&
         cost.delta <= dataset->capacity.delta - dataset->spent.delta;
}

static const char *const neighbour_words[] = {
    [SFM_REPLACE] = "replace", [SFM_ADD_REMOVE] = "add-remove"};

#define NUMBERED "numbered "

void sfmi_privacy_unit_print(char text[SFM_PROTECTS_MAX], const sfmi_privacy_unit *unit) {
  const char *word = neighbour_words[unit->neighbours];
  if (*unit->person)
    sfmi_snprintf(text, SFM_PROTECTS_MAX, "%s %sperson %s", word, unit->numbers ? NUMBERED : "",
                  unit->person);
  else
    sfmi_snprintf(text, SFM_PROTECTS_MAX, "%s %u", word, unit->records);
}

static bool unit_parse(sfmi_privacy_unit *unit, const char *text) {
  char again[SFM_PROTECTS_MAX];
  for (int i = SFM_REPLACE; i <= SFM_ADD_REMOVE; i++) {
    const size_t length = strlen(neighbour_words[i]);
    if (strncmp(text, neighbour_words[i], length) != 0 || text[length] != ' ') continue;
    const char *rest = text + length + 1;
    *unit = (sfmi_privacy_unit){.neighbours = (sfm_neighbours)i, .records = 1};
    unit->numbers = strncmp(rest, NUMBERED, strlen(NUMBERED)) == 0;
    if (unit->numbers) rest += strlen(NUMBERED);
    if (strncmp(rest, "person ", 7) == 0)
      sfmi_snprintf(unit->person, sizeof unit->person, "%s", rest + 7);
    else
      unit->records = (uint32_t)strtoul(rest, NULL, 10);
    sfmi_privacy_unit_print(again, unit);
    return unit->records > 0 && strcmp(text, again) == 0;
  }
  return false;
}

/* Whether rows are not read, so that nobody compares ids. */
static bool is_stated(const char *mechanism) {
  return mechanism && (strcmp(mechanism, "vector") == 0 || strcmp(mechanism, "choose") == 0 ||
                       strcmp(mechanism, "function") == 0);
}

sfm_status sfmi_privacy_unit_parse(sfmi_privacy_unit *unit, const char *parameters,
                                   sfm_error *error) {
  *unit = (sfmi_privacy_unit){.neighbours = SFM_REPLACE, .records = 1};
  json_t *object = sfmi_json_loads(parameters, 0, NULL);
  const char *word = json_string_value(json_object_get(object, "neighbours"));
  const char *person = json_string_value(json_object_get(object, "person"));
  const json_int_t records = json_integer_value(json_object_get(object, "contributions"));
  sfm_status status = SFM_OK;
  if (word && strcmp(word, neighbour_words[SFM_ADD_REMOVE]) == 0) unit->neighbours = SFM_ADD_REMOVE;
  if (person) {
    status = sfmi_ledger_check_name(person, SFM_DATASET_MAX, "person column's name", error);
    if (!status) memcpy(unit->person, person, strlen(person) + 1);
    unit->numbers = json_object_get(object, "person_ids") != NULL;
    unit->stated = is_stated(json_string_value(json_object_get(object, "mechanism")));
  } else if (records > 0 && records <= UINT32_MAX) {
    unit->records = (uint32_t)records;
  }
  json_decref(object);
  return status;
}

bool sfmi_privacy_unit_covers(const sfmi_privacy_unit *unit, const sfmi_privacy_unit *before) {
  return before->records == 0 ||
         (unit->neighbours == before->neighbours && strcmp(unit->person, before->person) == 0 &&
          (unit->stated || unit->numbers == before->numbers) && unit->records >= before->records);
}

char *sfmi_dataset_describe(const sfm_dataset *dataset) {
  json_t *object =
      json_pack("{s:s, s:f, s:f}", "accounting", sfm_accounting_name(dataset->accounting),
                "epsilon", dataset->epsilon, "delta", dataset->delta);
  char *text = object ? sfmi_json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(object);
  return text;
}

bool sfmi_dataset_parse(sfm_dataset *out, const char *parameters) {
  json_t *object = sfmi_json_loads(parameters, JSON_REJECT_DUPLICATES, NULL);
  const char *accounting = NULL;
  bool good = object && json_unpack(object, "{s:s, s:F, s:F !}", "accounting", &accounting,
                                    "epsilon", &out->epsilon, "delta", &out->delta) == 0;
  bool known = false;
  for (int i = SFM_ACCOUNTING_BASIC; good && i <= SFM_ACCOUNTING_GDP; i++)
    if (strcmp(accounting, sfm_accounting_name((sfm_accounting)i)) == 0) {
      out->accounting = (sfm_accounting)i;
      known = true;
    }
  json_decref(object);
  return good && known;
}

char *sfmi_raise_describe(const char *request, uint64_t generation) {
  json_t *object =
      json_pack("{s:s, s:I}", "request", request, "generation", (json_int_t)generation);
  char *text = object ? sfmi_json_dumps(object, JSON_COMPACT) : NULL;
  json_decref(object);
  return text;
}

bool sfmi_raise_parse(char request[SFM_REQUEST_MAX + 1], uint64_t *generation,
                      const char *parameters) {
  json_t *object = sfmi_json_loads(parameters, JSON_REJECT_DUPLICATES, NULL);
  const char *text = NULL;
  json_int_t number = 0;
  const bool good =
      object && json_unpack(object, "{s:s, s:I !}", "request", &text, "generation", &number) == 0 &&
      number > 0 && !sfmi_ledger_check_name(text, SFM_REQUEST_MAX, "", NULL);
  if (good) {
    memcpy(request, text, strlen(text) + 1);
    *generation = (uint64_t)number;
  }
  json_decref(object);
  return good;
}

sfm_status sfmi_ledger_check_name(const char *name, size_t most, const char *what,
                                  sfm_error *error) {
  size_t length = strnlen(name, most + 1);
  if (length == 0 || length > most)
    return sfmi_fail(error, SFM_INVALID, "a %s has 1 to %zu bytes, this one has %s", what, most,
                     length ? "more" : "none");
  if (name[0] == ' ' || name[length - 1] == ' ')
    return sfmi_fail(error, SFM_INVALID, "a %s does not begin or end with a blank", what);
  bool good = sfmi_utf8_valid(name);
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) good = false;
  if (good) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "a %s is UTF-8 text without control characters; use letters, digits and dashes",
                   what);
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
  if (!entry->has_secret || !sfmi_dataset_parse(&stated, entry->parameters) || !possible(&stated) ||
      entry->cost.main <= 0 || entry->cost.main > SFMI_AMOUNT_MAX || entry->cost.delta < 0 ||
      entry->cost.delta > SFMI_AMOUNT_ONE)
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
        !unit_parse(&unit, entry->unit) || !sfmi_privacy_unit_covers(&unit, &dataset->unit))
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
  sfmi_tally_hash(tally, hash, entry);
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
