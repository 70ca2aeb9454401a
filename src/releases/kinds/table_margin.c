/* table_margin.c - a table of fewer columns: cells that agree in the columns kept are added up.
 *
 * Of a dense table every sum has as many independent noises as there are combinations of the
 * columns that go, and its band follows.  Of a sparse or undeclared one only listed cells are
 * added: what was below the threshold is missing, by an amount that nobody can bound usefully, so
 * that there is no band; sums of counts above the threshold are above it too, and the table stays
 * what it was.  Integers stay integers, in 128 bits. */
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/system/c_locale.h"
#include "histogram_cells.h"
#include "sfumato/table.h"
#include "releases/core/release_kind.h"

/* The columns kept, in the order asked for. */
typedef struct choice {
  size_t factors[SFMI_FACTORS_MAX], count;
  uint64_t mask;
} choice;

static void name_columns(char *text, size_t size, const sfmi_cells *cells, uint64_t mask) {
  size_t used = 0;
  text[0] = 0;
  for (size_t i = 0; i < cells->count && used < size; i++)
    if (mask >> i & 1)
      used += (size_t)sfmi_snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                    cells->factors[i].name);
}

static sfm_status choose(choice *c, const sfmi_cells *cells, const char *const *columns,
                         size_t count, sfm_error *error) {
  char names[512];
  *c = (choice){0};
  name_columns(names, sizeof names, cells, sfmi_cells_all_factors(cells));
  for (size_t k = 0; k < count; k++) {
    size_t i = 0;
    while (i < cells->count && strcmp(cells->factors[i].name, columns[k]) != 0) i++;
    if (i == cells->count)
      return sfmi_fail(error, SFM_INVALID, "this table has no column '%s'; it has %s", columns[k],
                       names);
    if (c->mask >> i & 1)
      return sfmi_fail(error, SFM_INVALID, "the column '%s' is named twice", columns[k]);
    c->mask |= UINT64_C(1) << i;
    c->factors[c->count++] = i;
  }
  return c->count
             ? SFM_OK
             : sfmi_fail(error, SFM_INVALID, "name the columns to keep; this table has %s", names);
}

/* The margin with the columns that has the fewest cells, so that the fewest noises are added. */
static sfm_status find_margin(size_t *found, const sfmi_cells *cells, const choice *c,
                              sfm_error *error) {
  char names[512];
  size_t least = SIZE_MAX;
  for (size_t m = 0; cells->starts && m < cells->margin_count; m++) {
    const size_t size = cells->starts[m + 1] - cells->starts[m];
    if ((c->mask & ~cells->margins[m]) || size >= least) continue;
    least = size;
    *found = m;
  }
  if (least < SIZE_MAX || !cells->starts) return SFM_OK;
  name_columns(names, sizeof names, cells, c->mask);
  return sfmi_fail(error, SFM_INVALID,
                   "none of the %zu margins of this release has all of the columns %s; `sfumato "
                   "show` lists the margins",
                   cells->margin_count, names);
}

/* Cells of the columns kept, without starts, keys and texts; NULL when memory is short. */
static sfmi_cells *keep(const sfmi_cells *cells, const choice *c) {
  sfmi_cells *kept = sfmi_cells_create(c->count);
  bool good = kept != NULL;
  for (size_t k = 0; good && k < c->count; k++) {
    const sfmi_factor *from = &cells->factors[c->factors[k]];
    sfmi_factor *to = &kept->factors[k];
    to->lower = from->lower;
    to->upper = from->upper;
    to->name = sfmi_copy_string(from->name);
    good = to->name != NULL;
    if (good && from->labels)
      good = sfmi_factor_set_labels(to, (const char *const *)from->labels, from->size);
    to->size = from->size;
  }
  if (good) kept->margins = sfmi_alloc(1, sizeof *kept->margins);
  if (!good || !kept->margins) {
    sfmi_cells_destroy(kept, 0);
    return NULL;
  }
  kept->margin_count = 1;
  kept->margins[0] = sfmi_cells_all_factors(kept);
  kept->threshold = cells->threshold;
  kept->monotone = c->count == cells->count ? cells->monotone : 0;
  kept->consistent = cells->consistent;
  kept->exact = cells->exact;
  kept->exact_to = cells->exact_to;
  return kept;
}

/* One column of the margin that is added up: how many categories it has, and how far apart they
 * are in the result (0: it goes). */
typedef struct axis {
  size_t size, stride, at;
} axis;

/* The axes of a margin, the last fastest; returns how many. */
static size_t lay_axes(axis *axes, const sfmi_cells *cells, uint64_t margin, const choice *c) {
  size_t strides[SFMI_FACTORS_MAX] = {0}, stride = 1, count = 0;
  for (size_t k = c->count; k-- > 0;) {
    strides[c->factors[k]] = stride;
    stride *= (size_t)cells->factors[c->factors[k]].size;
  }
  for (size_t i = 0; i < cells->count; i++)
    if (margin >> i & 1)
      axes[count++] = (axis){.size = (size_t)cells->factors[i].size, .stride = strides[i]};
  return count;
}

/* Where the next cell of the margin goes, from where this one went. */
static size_t advance(axis *axes, size_t count, size_t to) {
  for (size_t i = count; i-- > 0;) {
    to += axes[i].stride;
    if (++axes[i].at < axes[i].size) break;
    to -= axes[i].stride * axes[i].size;
    axes[i].at = 0;
  }
  return to;
}

static sfm_status store(sfm_release *out, const sfmi_i128 *sums, sfm_error *error) {
  out->integers = sfmi_alloc(out->length, sizeof *out->integers);
  if (!out->integers) return sfmi_fail_memory(error);
  for (size_t e = 0; e < out->length; e++) {
    if (sums[e] < INT64_MIN || sums[e] > INT64_MAX)
      return sfmi_fail(
          error, SFM_INVALID,
          "the sums of this release's counts do not fit into 64 bits, which its margin "
          "would be written in");
    out->integers[e] = (int64_t)sums[e];
  }
  return SFM_OK;
}

static sfm_status add_dense(sfm_release *out, const sfm_release *release, size_t m, const choice *c,
                            sfm_error *error) {
  const sfmi_cells *cells = release->cells;
  const size_t first = cells->starts[m], size = cells->starts[m + 1] - first;
  axis axes[SFMI_FACTORS_MAX];
  const size_t count = lay_axes(axes, cells, cells->margins[m], c);
  if (!sfmi_cells_set_starts(out->cells, &out->length)) return sfmi_fail_memory(error);
  sfmi_i128 *sums = release->integers ? sfmi_alloc(out->length, sizeof *sums) : NULL;
  out->reals = release->reals ? sfmi_alloc(out->length, sizeof *out->reals) : NULL;
  if (!sums && !out->reals) return sfmi_fail_memory(error);
  for (size_t e = 0, to = 0; e < size; e++, to = advance(axes, count, to)) {
    if (sums)
      sums[to] += release->integers[first + e];
    else
      out->reals[to] += release->reals[first + e];
  }
  if (!release->refined.done) out->summed *= size / out->length;
  const sfm_status status = sums ? store(out, sums, error) : SFM_OK;
  free(sums);
  return status;
}

/* A listed cell on its way: where it goes, as a number or as texts, and what it counts. */
typedef struct listed {
  uint64_t key;
  const char **texts; /* count of them; NULL: the key */
  size_t count, from;
} listed;

static int compare(const void *a, const void *b) {
  const listed *one = a, *other = b;
  for (size_t k = 0; one->texts && k < one->count; k++) {
    const int order = strcmp(one->texts[k], other->texts[k]);
    if (order) return order;
  }
  return (one->key > other->key) - (one->key < other->key);
}

static void find_listed(listed *list, const char **texts, const sfm_release *release,
                        const sfmi_cells *kept, const choice *c) {
  const sfmi_cells *cells = release->cells;
  uint32_t codes[SFMI_FACTORS_MAX], chosen[SFMI_FACTORS_MAX];
  for (size_t e = 0; e < release->length; e++) {
    list[e] = (listed){.count = c->count, .from = e};
    if (cells->texts) {
      list[e].texts = texts + e * c->count;
      for (size_t k = 0; k < c->count; k++)
        list[e].texts[k] = cells->texts[e * cells->count + c->factors[k]];
      continue;
    }
    sfmi_cells_codes(cells, cells->margins[0], cells->keys[e], codes);
    for (size_t k = 0; k < c->count; k++) chosen[k] = codes[c->factors[k]];
    list[e].key = sfmi_cells_key(kept, kept->margins[0], chosen);
  }
}

/* Adds up runs of the sorted list; heads has the first of each.  Returns how many there are, and
 * the longest. */
static size_t merge(sfmi_i128 *sums, size_t *heads, size_t *longest, const listed *list,
                    const sfm_release *release) {
  size_t count = 0, run = 0;
  *longest = 0;
  for (size_t e = 0; e < release->length; e++) {
    if (e == 0 || compare(&list[e - 1], &list[e]) != 0) {
      heads[count++] = e;
      run = 0;
    }
    sums[count - 1] += release->integers[list[e].from];
    *longest = ++run > *longest ? run : *longest;
  }
  return count;
}

/* The cells of the result, from the heads of the runs. */
static sfm_status name_cells(sfm_release *out, const listed *list, const size_t *heads,
                             const choice *c, bool undeclared, sfm_error *error) {
  sfmi_cells *kept = out->cells;
  if (undeclared)
    kept->texts = sfmi_alloc(out->length * c->count, sizeof *kept->texts);
  else
    kept->keys = sfmi_alloc(out->length, sizeof *kept->keys);
  if (!kept->texts && !kept->keys) return sfmi_fail_memory(error);
  for (size_t e = 0; e < out->length; e++) {
    const listed *from = &list[heads[e]];
    if (!undeclared) kept->keys[e] = from->key;
    for (size_t k = 0; undeclared && k < c->count; k++)
      if (!(kept->texts[e * c->count + k] = sfmi_copy_string(from->texts[k])))
        return sfmi_fail_memory(error);
  }
  return SFM_OK;
}

/* Whether cells may have been left out of the sums: more than one of the table goes into one. */
static bool gathers(const sfm_release *release, const choice *c) {
  const sfmi_cells *cells = release->cells;
  bool several = false;
  for (size_t i = 0; i < cells->count; i++)
    several = several || (!(c->mask >> i & 1) && cells->factors[i].size != 1);
  return several;
}

static sfm_status add_listed(sfm_release *out, const sfm_release *release, const choice *c,
                             sfm_error *error) {
  const size_t length = release->length;
  const bool undeclared = release->cells->texts != NULL;
  size_t longest = 0;
  sfmi_arena arena = {0};
  listed *list = sfmi_arena_get(&arena, length, sizeof *list);
  const char **texts = sfmi_arena_get(&arena, undeclared ? length * c->count : 0, sizeof *texts);
  size_t *heads = sfmi_arena_get(&arena, length, sizeof *heads);
  sfmi_i128 *sums = sfmi_arena_get(&arena, length, sizeof *sums);
  sfm_status status = arena.failed ? sfmi_fail_memory(error) : SFM_OK;
  if (!status) {
    find_listed(list, texts, release, out->cells, c);
    qsort(list, length, sizeof *list, compare);
    out->length = merge(sums, heads, &longest, list, release);
    if (gathers(release, c)) out->summed *= longest > 1 ? longest : 2;
    status = name_cells(out, list, heads, c, undeclared, error);
  }
  if (!status) status = store(out, sums, error);
  sfmi_arena_clear(&arena);
  return status;
}

static sfm_status fill(sfm_release *out, const sfm_release *release, size_t m, const choice *c,
                       sfm_error *error) {
  out->cells = keep(release->cells, c);
  if (!out->cells) return sfmi_fail_memory(error);
  sfm_status status = release->cells->starts ? add_dense(out, release, m, c, error)
                                             : add_listed(out, release, c, error);
  if (!status) status = sfmi_release_check(out, "the margin", error);
  if (!status && !out->refined.done)
    status = sfm_release_band_at(out, &out->band, out->band.confidence, error);
  return status;
}

sfm_status sfm_table_margin_of(sfm_release **out, uint64_t *from, const sfm_release *release,
                               const char *const *columns, size_t count, sfm_error *error) {
  choice c;
  size_t m = 0;
  *out = NULL;
  if (!release->cells)
    return sfmi_fail(error, SFM_INVALID,
                     "a margin is taken of a histogram, and this release is a %s",
                     sfm_kind_name(sfm_release_kind(release)));
  sfm_status status = choose(&c, release->cells, columns, count, error);
  if (!status) status = find_margin(&m, release->cells, &c, error);
  if (status) return status;
  status = sfmi_release_derive(out, release, error);
  if (!status) status = fill(*out, release, m, &c, error);
  if (!status && from) *from = release->cells->margins[m];
  return sfmi_release_made(out, status);
}
