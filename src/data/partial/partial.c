#include "partial.h"

#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/system/sized_struct.h"
#include "base/text/json.h"
#include "data/format/csv_header.h"
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

/* The first leaf in which two values differ: where it is, and the values; false where none does. */
static bool find_difference(char path[96], const json_t **one, const json_t **two, const json_t *a,
                            const json_t *b) {
  const size_t used = strlen(path);
  *one = a;
  *two = b;
  if (json_is_object(a) && json_is_object(b)) {
    for (int turn = 0; turn < 2; turn++) { /* members that only one of them has, too */
      const char *key;
      json_t *value;
      json_object_foreach((json_t *)(uintptr_t)(turn ? b : a), key, value) {
        sfmi_snprintf(path + used, 96 - used, "%s%.40s", used ? "." : "", key);
        if (find_difference(path, one, two, json_object_get(a, key), json_object_get(b, key)))
          return true;
      }
    }
  } else if (json_is_array(a) && json_is_array(b) && json_array_size(a) == json_array_size(b)) {
    for (size_t i = 0; i < json_array_size(a); i++) {
      sfmi_snprintf(path + used, 96 - used, "[%zu]", i);
      if (find_difference(path, one, two, json_array_get(a, i), json_array_get(b, i))) return true;
    }
  } else if (!a || !b || !json_equal(a, b)) {
    return true;
  }
  path[used] = '\0';
  return false;
}

static void print_value(char text[100], const json_t *value) {
  char *printed =
      value ? sfmi_json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))
            : NULL;
  sfmi_snprintf(text, 100, "%.90s", printed ? printed : "not stated");
  free(printed);
}

sfm_status sfmi_partial_compare_settings(const char *settings, const char *name, const char *other,
                                         const char *other_name, sfm_error *error) {
  if (strcmp(settings, other) == 0) return SFM_OK;
  json_t *a = sfmi_json_loads(settings, 0, NULL), *b = sfmi_json_loads(other, 0, NULL);
  char path[96] = "", is[100], was[100];
  const json_t *one, *two;
  const bool found = find_difference(path, &one, &two, a, b);
  if (found) print_value(is, one);
  if (found) print_value(was, two);
  json_decref(a);
  json_decref(b);
  char shown[96];
  if (!found) return sfmi_fail(error, SFM_INVALID, "%s other settings", other_name);
  sfmi_printable_name(shown, sizeof shown, path);
  return sfmi_fail(error, SFM_INVALID, "%s other settings: %s is %s, and in %s it is %s",
                   other_name, shown, was, name, is);
}

sfm_status sfmi_partial_check_whole(const sfm_partial *partial, sfm_error *error) {
  uint64_t of;
  const uint64_t parts = sfm_partial_parts(partial, &of), missing = sfm_partial_missing(partial);
  if (!missing) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "%llu of %llu parts are there; part %llu/%llu is missing. Nothing was charged",
                   (unsigned long long)parts, (unsigned long long)of, (unsigned long long)missing,
                   (unsigned long long)of);
}

/* How rows of persons are to be divided. */
#define DIVIDED                                                                                    \
  "with schema.person all records of a person belong to one part: give every part all rows, or "   \
  "divide them by sfm_rows_split"

sfm_status sfmi_partial_check_records(const sfm_partial *partial, sfm_error *error) {
  const bool all =
      partial->read_least == partial->read_most && partial->read_most == partial->sum.count;
  if (partial->persons && partial->skipped > 0 && !all)
    return sfmi_fail(
        error, SFM_INVALID,
        "records are missing, since some parts were given records of persons who belong "
        "to other parts: " DIVIDED ". Nothing was charged");
  if (!partial->rows || partial->sum.count == partial->rows) return SFM_OK;
  return sfmi_fail(
      error, SFM_INVALID,
      "the parts do not have the number of records that part.rows states for all parts "
      "together, %llu: look for rows that are in two parts or in none%s, or make all "
      "parts again with the right number. Nothing was charged",
      (unsigned long long)partial->rows, partial->persons ? " (" DIVIDED ")" : "");
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
  char shown[SFM_JOB_MAX], wanted[SFM_JOB_MAX];
  sfmi_printable_name(shown, sizeof shown, was);
  sfmi_printable_name(wanted, sizeof wanted, is);
  return sfmi_fail(error, SFM_INVALID, "part %llu/%llu has another %s: %s, not %s",
                   (unsigned long long)(other->range_count ? other->ranges[0].first : 0),
                   (unsigned long long)other->of, what, shown, wanted);
}

static void name_part(char name[64], const sfm_partial *partial) {
  sfmi_snprintf(name, 64, "part %llu/%llu",
                (unsigned long long)(partial->range_count ? partial->ranges[0].first : 0),
                (unsigned long long)partial->of);
}

static sfm_status check_same(const sfm_partial *partial, const sfm_partial *other,
                             sfm_error *error) {
  char which[64], has[64], first[64], is[24], was[24];
  name_part(first, partial);
  name_part(which, other);
  sfmi_snprintf(has, sizeof has, "%.50s has", which);
  if (strcmp(partial->job, other->job) != 0)
    return fail_other(other, "job", *partial->job ? partial->job : "none",
                      *other->job ? other->job : "none", error);
  sfmi_snprintf(is, sizeof is, "%llu", (unsigned long long)partial->of);
  sfmi_snprintf(was, sizeof was, "%llu", (unsigned long long)other->of);
  if (partial->of != other->of) return fail_other(other, "number of parts", is, was, error);
  const sfm_status status =
      sfmi_partial_compare_settings(partial->settings, first, other->settings, has, error);
  if (status) return status;
  if (strcmp(partial->mechanism, other->mechanism) != 0 || partial->rows != other->rows ||
      partial->persons != other->persons) /* which the settings of a partial state, too */
    return sfmi_fail(error, SFM_FORMAT, "%s is damaged: make this part again", which);
  if (partial->keyed != other->keyed ||
      memcmp(partial->keys_id, other->keys_id, sizeof partial->keys_id) != 0)
    return sfmi_fail(error, SFM_INVALID,
                     "%s and %s were made under different keys: make all parts with the key of the "
                     "dataset that will be charged (sfm_ledger_key)",
                     which, first);
  if (partial->persons && partial->added && other->added && partial->valued != other->valued)
    return sfmi_fail(error, SFM_INVALID,
                     "%s compares ids %s: read all parts from data frames, or none", which,
                     other->valued ? "as values of a data frame" : "otherwise");
  return SFM_OK;
}

static void merge_skipped(sfm_partial *partial, const sfm_partial *other) {
  const uint64_t room = UINT64_MAX - partial->skipped;
  partial->skipped += other->skipped < room ? other->skipped : room;
  if (other->read_least < partial->read_least) partial->read_least = other->read_least;
  if (other->read_most > partial->read_most) partial->read_most = other->read_most;
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
  merge_skipped(partial, other);
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
  const uint64_t read = sfmi_rows_read(rows);
  if (read > sum.count) { /* with persons, who are added once */
    partial->skipped = read - sum.count;
    partial->read_least = partial->read_most = read;
  }
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
