#include "partial.h"

#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/system/sized_struct.h"
#include "base/text/json.h"
#include "data/rows/rows.h"

void sfm_part_init(sfm_part *part, size_t size) {
  static const sfm_part defaults = {.size = sizeof defaults, .number = 1, .of = 1, .job = ""};
  sfmi_struct_init(part, size, &defaults, sizeof defaults);
}

void sfm_partial_destroy(sfm_partial *partial) {
  if (!partial) return;
  if (partial->maker) partial->maker_ops->destroy(partial->maker);
  sfmi_sums_clear(&partial->sums);
  free(partial->ranges);
  free(partial->mechanism);
  free(partial->settings);
  sfmi_wipe_free(partial, 1, sizeof *partial);
}

uint64_t sfm_partial_parts(const sfm_partial *partial, uint64_t *of) {
  uint64_t parts = 0;
  for (size_t i = 0; i < partial->range_count; i++)
    parts += partial->ranges[i].last - partial->ranges[i].first + 1;
  *of = partial->of;
  return parts;
}

bool sfm_partial_range(const sfm_partial *partial, uint64_t *first, uint64_t *last, size_t i) {
  if (i >= partial->range_count) return false;
  *first = partial->ranges[i].first;
  *last = partial->ranges[i].last;
  return true;
}

uint64_t sfm_partial_missing(const sfm_partial *partial) {
  const bool begins = partial->range_count > 0 && partial->ranges[0].first == 1;
  const uint64_t next = begins ? partial->ranges[0].last + 1 : 1;
  return next <= partial->of ? next : 0;
}

uint64_t sfm_partial_rows(const sfm_partial *partial) {
  return partial->rows;
}

const char *sfm_partial_mechanism(const sfm_partial *partial) {
  return partial->mechanism;
}

const char *sfm_partial_settings(const sfm_partial *partial) {
  return partial->settings;
}

const char *sfm_partial_job(const sfm_partial *partial) {
  return partial->job;
}

bool sfm_partial_keyed(const sfm_partial *partial) {
  return partial->keyed;
}

sfm_status sfmi_partial_compare_settings(const char *settings, const char *other, const char *which,
                                         sfm_error *error) {
  if (strcmp(settings, other) == 0) return SFM_OK;
  json_t *a = sfmi_json_loads(settings, 0, NULL), *b = sfmi_json_loads(other, 0, NULL), *value;
  char what[300] = "";
  const char *key;
  for (int turn = 0; turn < 2 && !*what; turn++) { /* members that only one of them has, too */
    json_object_foreach(turn ? b : a, key, value) {
      json_t *one = json_object_get(a, key), *two = json_object_get(b, key);
      if (*what || (one && two && json_equal(one, two))) continue;
      char *is = one ? sfmi_json_dumps(one, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
      char *was = two ? sfmi_json_dumps(two, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
      sfmi_snprintf(what, sizeof what, ": %.40s is %.100s here and %.100s there", key,
                    is ? is : "absent", was ? was : "absent");
      free(is);
      free(was);
    }
  }
  json_decref(a);
  json_decref(b);
  return sfmi_fail(error, SFM_INVALID, "%s was made with other settings%s", which, what);
}

static sfm_status fail_records(const sfm_partial *partial, sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID,
                   "the parts have %llu records, and part.rows states %llu for all parts together: "
                   "make them again with the right number, and check that no rows were added twice "
                   "or left out",
                   (unsigned long long)partial->sum.count, (unsigned long long)partial->rows);
}

sfm_status sfmi_partial_check_whole(const sfm_partial *partial, sfm_error *error) {
  uint64_t of;
  const uint64_t parts = sfm_partial_parts(partial, &of), missing = sfm_partial_missing(partial);
  if (missing)
    return sfmi_fail(error, SFM_INVALID,
                     "%llu of %llu parts are there; part %llu/%llu is missing. Nothing was charged",
                     (unsigned long long)parts, (unsigned long long)of, (unsigned long long)missing,
                     (unsigned long long)of);
  /* Under replace this number is public. */
  return partial->rows && partial->sum.count != partial->rows ? fail_records(partial, error)
                                                              : SFM_OK;
}

/* Merging. */

/* Both lists in order, neighbours joined; *twice is a part of both, or 0. */
static sfm_status join_ranges(sfmi_part_range **ranges, size_t *count, uint64_t *twice,
                              const sfm_partial *a, const sfm_partial *b, sfm_error *error) {
  sfmi_part_range *all = sfmi_alloc(a->range_count + b->range_count, sizeof *all);
  if (!all) return sfmi_fail_memory(error);
  *twice = 0;
  *count = 0;
  for (size_t i = 0, j = 0; i < a->range_count || j < b->range_count;) {
    const bool first =
        j == b->range_count || (i < a->range_count && a->ranges[i].first <= b->ranges[j].first);
    const sfmi_part_range next = first ? a->ranges[i++] : b->ranges[j++];
    sfmi_part_range *last = *count ? &all[*count - 1] : NULL;
    if (last && next.first <= last->last && !*twice) *twice = next.first;
    if (last && next.first <= last->last + 1) {
      if (next.last > last->last) last->last = next.last;
    } else {
      all[(*count)++] = next;
    }
  }
  *ranges = all;
  return SFM_OK;
}

static sfm_status fail_other(const sfm_partial *other, const char *what, const char *is,
                             const char *was, sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID, "part %llu/%llu has another %s: %.100s, not %.100s",
                   (unsigned long long)(other->range_count ? other->ranges[0].first : 0),
                   (unsigned long long)other->of, what, was, is);
}

static sfm_status check_same(const sfm_partial *partial, const sfm_partial *other,
                             sfm_error *error) {
  char which[64], is[24], was[24];
  sfmi_snprintf(which, sizeof which, "part %llu/%llu",
                (unsigned long long)(other->range_count ? other->ranges[0].first : 0),
                (unsigned long long)other->of);
  if (strcmp(partial->job, other->job) != 0)
    return fail_other(other, "job", *partial->job ? partial->job : "none",
                      *other->job ? other->job : "none", error);
  sfmi_snprintf(is, sizeof is, "%llu", (unsigned long long)partial->of);
  sfmi_snprintf(was, sizeof was, "%llu", (unsigned long long)other->of);
  if (partial->of != other->of) return fail_other(other, "number of parts", is, was, error);
  const sfm_status status =
      sfmi_partial_compare_settings(partial->settings, other->settings, which, error);
  if (status) return status;
  if (strcmp(partial->mechanism, other->mechanism) != 0 || partial->rows != other->rows ||
      partial->persons != other->persons) /* which the settings of a partial state, too */
    return sfmi_fail(error, SFM_FORMAT, "%s is damaged: make this part again", which);
  if (partial->keyed != other->keyed ||
      memcmp(partial->keys_id, other->keys_id, sizeof partial->keys_id) != 0)
    return sfmi_fail(error, SFM_INVALID,
                     "%s was made under another key: make all parts with the key of the dataset "
                     "that will be charged (sfm_ledger_key)",
                     which);
  if (partial->persons && partial->added && other->added && partial->valued != other->valued)
    return sfmi_fail(error, SFM_INVALID,
                     "%s compares ids %s: read all parts from data frames, or none", which,
                     other->valued ? "as values of a data frame" : "otherwise");
  return SFM_OK;
}

sfm_status sfm_partial_merge(sfm_partial *partial, const sfm_partial *other, sfm_error *error) {
  sfmi_part_range *ranges = NULL;
  size_t count = 0;
  uint64_t twice = 0;
  sfm_status status = check_same(partial, other, error);
  if (!status) status = join_ranges(&ranges, &count, &twice, partial, other, error);
  if (!status && twice)
    status = sfmi_fail(error, SFM_INVALID,
                       "part %llu/%llu is there twice: every part is to be given once",
                       (unsigned long long)twice, (unsigned long long)partial->of);
  if (!status && other->sum.count > UINT64_MAX - partial->sum.count)
    status = sfmi_fail(error, SFM_FORMAT, "the parts have more records than there can be");
  if (!status) status = sfmi_sums_merge(&partial->sums, &other->sums, error);
  if (status) {
    free(ranges);
    return status;
  }
  free(partial->ranges);
  partial->ranges = ranges;
  partial->range_count = count;
  sfmi_row_sum_merge(&partial->sum, &other->sum);
  partial->valued = partial->valued || other->valued;
  partial->added = partial->added || other->added;
  if (partial->maker) partial->maker_ops->destroy(partial->maker); /* it is of several parts now */
  partial->maker = NULL;
  sodium_memzero(&partial->keys, sizeof partial->keys);
  return SFM_OK;
}

/* Adding. */

/* One more set of rows in fresh sums; then into those of the partial. */
static sfm_status add_rows(sfm_partial *partial, sfm_rows *rows, sfm_error *error) {
  sfmi_sums fresh = {0};
  sfm_status status = partial->maker_ops->add(partial->maker, &fresh, rows, error);
  if (!status) status = sfmi_sums_merge(&partial->sums, &fresh, error);
  sfmi_sums_clear(&fresh);
  if (status) return status;
  const sfmi_row_sum sum = sfmi_rows_sum(rows);
  sfmi_row_sum_merge(&partial->sum, &sum);
  partial->added = true;
  partial->valued = partial->valued || sfmi_rows_are_values(rows);
  return SFM_OK;
}

sfm_status sfm_partial_add(sfm_partial *partial, sfm_rows *rows, sfm_error *error) {
  if (!partial->maker)
    return sfmi_fail(error, SFM_INVALID,
                     "nothing can be added to a partial that was read or merged: create one with "
                     "sfm_density_partial_create or its like, and merge it");
  if (partial->persons && partial->added)
    return sfmi_fail(error, SFM_INVALID,
                     "rows were added already; with schema.person a part is made in one call, as "
                     "which records of a person are kept depends on all of them");
  if (sfmi_rows_partial(rows))
    return sfmi_fail(error, SFM_INVALID,
                     "these rows stand for a partial and have no records: sfm_partial_merge");
  if (partial->keyed) sfmi_rows_set_keys(rows, &partial->keys);
  if (partial->persons && partial->of > 1)
    sfmi_rows_set_part(rows, partial->ranges[0].first - 1, partial->of);
  const sfm_status status = add_rows(partial, rows, error);
  sfmi_rows_set_part(rows, 0, 0);
  sfmi_rows_set_keys(rows, NULL);
  return status;
}
