#include "partial_run.h"

#include <sodium.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/sized_struct.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include "data/partial/partial.h"
#include "ledger/dataset_key.h"
#include "request_json.h"

/* A run that rows are added by; its settings stand behind it. */
typedef struct maker {
  const sfmi_partial_kind *kind;
  sfmi_release_run *run;
} maker;

static void destroy_maker(void *opaque) {
  maker *m = opaque;
  if (!m) return;
  sfm_release *release = m->run->release;
  m->run->release = NULL;
  m->kind->clear(m->run);
  sfm_release_destroy(release);
  free(m->run);
  free(m);
}

static maker *create_maker(const sfmi_partial_kind *kind, const void *settings) {
  const size_t align = _Alignof(max_align_t), behind = (kind->run_size + align - 1) / align * align;
  maker *m = sfmi_alloc(1, sizeof *m);
  char *run = sfmi_alloc(1, behind + kind->settings_size);
  if (!m || !run) {
    free(m);
    free(run);
    return NULL;
  }
  *m = (maker){kind, (sfmi_release_run *)run};
  memcpy(run + behind, settings, kind->settings_size);
  const sfmi_settings_head *head = (const sfmi_settings_head *)(run + behind);
  *m->run = sfmi_release_run_rows(kind->steps, NULL, &head->context);
  m->run->summing = true;
  memcpy(run + kind->settings_offset, &head, sizeof head);
  return m;
}

static sfm_status add(void *opaque, sfmi_sums *sums, sfm_rows *rows, sfm_error *error) {
  sfmi_release_run *run = ((const maker *)opaque)->run;
  if (run->seed.seeded) sfmi_rows_set_seed(rows, run->seed.seed);
  sfmi_rows_set_threads(rows, run->context->threads);
  return run->steps->sum(run, sums, rows, error);
}

static const sfmi_partial_maker maker_ops = {.add = add, .destroy = destroy_maker};

static const char *name_ids(const sfmi_release_run *run) {
  static const char *const names[] = {[SFMI_PERSON_TEXT] = "text",
                                      [SFMI_PERSON_NUMBER] = "number",
                                      [SFMI_PERSON_INTEGER] = "integer"};
  return names[sfmi_person_id_type_of(sfm_schema_find(run->context->schema, run->person))];
}

/* What was stated, and what was designed from it. */
static char *settings_text(const sfmi_release_run *run, uint64_t rows) {
  const sfm_release *release = run->release;
  json_t *all = run->steps->parameters(run);
  if (!all) return NULL;
  sfmi_request_text(all, "version", SFMI_VERSION);
  /* By how ids are compared persons are told apart, and divided among the parts. */
  if (run->person) sfmi_request_text(all, "ids", name_ids(run));
  sfmi_request_count(all, "rows", rows);
  if (run->seed.seeded)
    json_object_set_new(all, "seed", json_sprintf("%llu", (unsigned long long)run->seed.seed));
  json_object_set_new(all, "design",
                      json_pack("{s:s, s:I, s:f, s:f, s:s}", "method",
                                sfmi_method_name(release->method), "length",
                                (json_int_t)release->length, "step", release->step, "sensitivity",
                                release->sensitivity, "law", sfm_noise_law_name(release->law)));
  char *text = sfmi_json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(17));
  json_decref(all);
  return text;
}

static sfm_status check_part(const sfm_part *part, const sfmi_release_run *run, sfm_error *error) {
  const sfm_schema *schema = run->context->schema;
  const bool replace = sfm_schema_neighbours(schema) == SFM_NEIGHBOURS_REPLACE;
  if (run->context->charge)
    return sfmi_fail(error, SFM_INVALID,
                     "a partial is not charged, the release from all parts is: leave out "
                     "context.charge, and give part.key");
  if (part->of < 1 || part->of > SFM_PARTS_MAX || part->number < 1 || part->number > part->of)
    return sfmi_fail(
        error, SFM_INVALID,
        "part.number is %llu of part.of %llu: numbers go from 1 to part.of, which is at "
        "most %d",
        (unsigned long long)part->number, (unsigned long long)part->of, SFM_PARTS_MAX);
  if (part->job && (strlen(part->job) >= SFM_JOB_MAX || !sfmi_utf8_valid(part->job)))
    return sfmi_fail(error, SFM_INVALID, "part.job is UTF-8 of at most %d bytes", SFM_JOB_MAX - 1);
  if (replace && part->rows == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "under replace neighbours the number of records is public and part of the "
                     "settings: state with part.rows how many all parts have together");
  if (!replace && part->rows > 0)
    return sfmi_fail(error, SFM_INVALID,
                     "under add-remove neighbours the number of records is private: leave out "
                     "part.rows");
  if (run->person && !part->key && !run->seed.seeded)
    return sfmi_fail(error, SFM_INVALID,
                     "with schema.person the parts need the key of the dataset, part.key "
                     "(sfm_ledger_key): by it persons are divided among the parts, and their "
                     "records chosen");
  if (run->seed.seeded && part->key)
    return sfmi_fail(error, SFM_INVALID,
                     "a seeded run is not private and cannot be charged: leave out the seed, or "
                     "part.key");
  return SFM_OK;
}

/* The head of a partial, before the run is prepared. */
static sfm_status begin(sfm_partial **out, sfmi_release_run *run, const sfm_part *part,
                        sfm_error *error) {
  sfm_partial *partial = *out = sfmi_alloc(1, sizeof *partial);
  if (!partial) return sfmi_fail_memory(error);
  partial->of = part->of;
  partial->rows = part->rows;
  partial->persons = run->person != NULL;
  partial->read_least = UINT64_MAX;
  partial->ranges = sfmi_alloc(1, sizeof *partial->ranges);
  if (!partial->ranges) return sfmi_fail_memory(error);
  partial->ranges[0] = (sfmi_part_range){part->number, part->number};
  partial->range_count = 1;
  if (part->job) memcpy(partial->job, part->job, strlen(part->job) + 1);
  if (!part->key) return SFM_OK;
  partial->keyed = true;
  partial->keys = part->key->keys;
  memcpy(partial->keys_id, partial->keys.id, sizeof partial->keys_id);
  run->protocol.accounted = true;
  run->protocol.accounting = part->key->accounting;
  return SFM_OK;
}

/* The steps of the run before its charge, with rows that only have a number; then its sums of no
 * rows. */
static sfm_status prepare(sfm_partial *partial, sfmi_release_run *run, sfm_error *error) {
  sfm_status status = sfm_rows_from_partial(&run->rows, partial, error);
  if (!status && run->steps->check) status = run->steps->check(run, error);
  if (!status) status = run->steps->prepare(run, error);
  if (!status) {
    partial->settings = settings_text(run, partial->rows);
    json_t *settings = partial->settings ? sfmi_json_loads(partial->settings, 0, NULL) : NULL;
    const char *mechanism = json_string_value(json_object_get(settings, "mechanism"));
    partial->mechanism = mechanism ? sfmi_copy_string(mechanism) : NULL;
    json_decref(settings);
    if (!partial->settings || !partial->mechanism) status = sfmi_fail_memory(error);
  }
  if (!status) status = run->steps->sum(run, &partial->sums, NULL, error);
  sfm_rows_destroy(run->rows);
  run->rows = NULL;
  return status;
}

sfm_status sfmi_partial_create(sfm_partial **out, const sfmi_partial_kind *kind,
                               const void *settings, const sfm_part *given, sfm_error *error) {
  sfm_part part;
  sfm_partial *partial = NULL;
  *out = NULL;
  sfm_status status = SFMI_TAKE_PLAIN(sfm_part, &part, given, error);
  if (status) return status;
  maker *m = create_maker(kind, settings);
  if (!m) return sfmi_fail_memory(error);
  status = check_part(&part, m->run, error);
  if (!status) status = begin(&partial, m->run, &part, error);
  if (!status) status = prepare(partial, m->run, error);
  if (status) {
    destroy_maker(m);
    sfm_partial_destroy(partial);
    return status;
  }
  partial->maker = m;
  partial->maker_ops = &maker_ops;
  *out = partial;
  return SFM_OK;
}

static sfm_status check_key(const sfm_partial *partial, const sfmi_release_run *run,
                            sfm_error *error) {
  if (!run->charge) return SFM_OK;
  const sfmi_row_keys *keys = &run->protocol.keys;
  if (keys->ordered)
    return sfmi_fail(
        error, SFM_REFUSED,
        "the dataset '%.100s' was created by sfumato 0.1: its fingerprint depends on "
        "the order of the records, so that parts cannot be charged to it. Create a new "
        "dataset (sfm_ledger_create). Nothing was charged",
        run->charge->dataset);
  if (partial->keyed && memcmp(partial->keys_id, keys->id, sizeof keys->id) == 0) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the parts were made %s: make them with that of the dataset '%.100s' "
                   "(sfm_ledger_key). Nothing was charged",
                   partial->keyed ? "with the key of another dataset" : "without a key",
                   run->charge->dataset);
}

/* Whoever writes bytes can write their hash, too: sums that are others than those of no rows, or
 * that no records have, are refused before the charge.  Those of records never are, so that this
 * says nothing of them. */
static sfm_status check_sums(const sfm_partial *partial, sfmi_release_run *run, sfm_error *error) {
  sfmi_sums none = {0};
  const sfmi_sums *sums = &partial->sums;
  const sfm_status status = run->steps->sum(run, &none, NULL, error);
  const bool fixed = sums->form == SFMI_SUMS_INTEGERS || sums->form == SFMI_SUMS_COUNTS;
  const bool fit = !status && sums->form == none.form && (!fixed || sums->count == none.count) &&
                   (!run->steps->fits || run->steps->fits(run, sums));
  sfmi_sums_clear(&none);
  if (status || fit) return status;
  return sfmi_fail(error, SFM_FORMAT,
                   "the partial has sums that records cannot have: a part of it is not what "
                   "sfm_partial_write wrote; make the parts again. Nothing was charged");
}

sfm_status sfmi_partial_accept(sfmi_release_run *run, sfm_error *error) {
  const sfm_partial *partial = run->rows ? sfmi_rows_partial(run->rows) : NULL;
  if (!partial || run->summing) return SFM_OK;
  if (!run->steps->sum)
    return sfmi_fail(error, SFM_INVALID,
                     "this release needs rows; partial sums can be handed to the release they were "
                     "made for, here %.32s",
                     partial->mechanism);
  char *settings = settings_text(run, partial->rows);
  if (!settings) return sfmi_fail_memory(error);
  sfm_status status = sfmi_partial_compare_settings(settings, "this release", partial->settings,
                                                    "the parts have", error);
  free(settings);
  if (!status) status = sfmi_partial_check_whole(partial, error);
  if (!status) status = check_key(partial, run, error);
  if (!status) status = sfmi_partial_check_records(partial, error);
  return status ? status : check_sums(partial, run, error);
}

bool sfmi_partial_public_seed(const sfmi_release_run *run, uint64_t *seed) {
  const sfm_partial *partial = run->rows ? sfmi_rows_partial(run->rows) : NULL;
  uint8_t bytes[SFM_JOB_MAX + 8], hash[16], *at = bytes;
  if (!partial || run->seed.seeded) return false;
  for (unsigned k = 0; k < 8; k++) *at++ = (uint8_t)(partial->of >> 8 * k);
  memcpy(at, partial->job, strlen(partial->job));
  crypto_generichash(hash, sizeof hash, bytes, 8 + strlen(partial->job), NULL, 0);
  memcpy(seed, hash, sizeof *seed);
  return true;
}
