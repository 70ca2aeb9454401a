#include "table_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kind_view.h"
#include "cli/core/options.h"
#include "cli/core/text.h"
#include "cli/io/json_output.h"

void table_view_columns(char *buffer, size_t size, const sfm_release *release, uint64_t margin) {
  const char *names[SFM_TABLE_COLUMNS_MAX];
  size_t count = 0;
  for (size_t i = 0; i < sfm_table_columns(release); i++)
    if (margin >> i & 1) names[count++] = sfm_table_column(release, i);
  text_join(buffer, size, names, count);
  if (count == 0) snprintf(buffer, size, "all together");
}

void table_view_extent(const sfm_release *release, size_t m, size_t *first, size_t *count) {
  uint32_t codes[SFM_TABLE_COLUMNS_MAX] = {0};
  if (sfm_table_sparse(release) || sfm_table_undeclared(release)) {
    *first = 0;
    *count = sfm_release_length(release);
    return;
  }
  *first = sfm_table_find(release, m, codes);
  const size_t next = m + 1 < sfm_table_margins(release) ? sfm_table_find(release, m + 1, codes)
                                                         : sfm_release_length(release);
  *count = next - *first;
}

/* The margin that the e-th listed cell is in. */
static size_t margin_of(const sfm_release *release, size_t e) {
  size_t low = 0, high = sfm_table_margins(release), first, count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    table_view_extent(release, middle, &first, &count);
    *(first <= e ? &low : &high) = middle;
  }
  return low;
}

/* "F, north": what the e-th listed cell is. */
static void write_label(char *buffer, size_t size, const sfm_release *release, size_t e) {
  const uint64_t margin = sfm_table_margin(release, margin_of(release, e));
  size_t used = 0;
  buffer[0] = 0;
  for (size_t i = 0; i < sfm_table_columns(release) && used < size; i++) {
    if (!(margin >> i & 1)) continue;
    if (used) used += (size_t)snprintf(buffer + used, size - used, ", ");
    if (used < size) used += sfm_table_text(release, buffer + used, size - used, e, i);
  }
  if (margin == 0) snprintf(buffer, size, "all together");
}

void table_view_cut(char *out, size_t size, const char *text, size_t columns) {
  text_harmless(out, size, text);
  if (text_columns(out, strlen(out)) <= columns) return;
  size_t bytes = strlen(out);
  while (bytes && text_columns(out, bytes) > columns - 1) bytes--;
  while (bytes && ((unsigned char)out[bytes] & 0xc0) == 0x80) bytes--;
  snprintf(out + bytes, size - bytes, "\u2026");
}

/* The same, cut in the middle: the first and the last categories stay. */
static void cut_middle(char *out, size_t size, const char *text, size_t columns) {
  enum { ROOM = 512 };
  char whole[ROOM];
  text_harmless(whole, sizeof whole, text);
  const size_t length = strlen(whole), wide = text_columns(whole, length);
  if (wide <= columns || columns < 5) {
    table_view_cut(out, size, text, columns);
    return;
  }
  size_t first = length, last = 0;
  while (first && text_columns(whole, first) > columns / 2) first--;
  while (first && ((unsigned char)whole[first] & 0xc0) == 0x80) first--;
  while (last < length && wide - text_columns(whole, last) > columns - columns / 2 - 1) last++;
  while (last < length && ((unsigned char)whole[last] & 0xc0) == 0x80) last++;
  snprintf(out, size, "%.*s\u2026%s", (int)first, whole, whole + last);
}

/* How many characters of the categories of a column tell them apart. */
static size_t telling(const sfm_release *release, size_t i) {
  enum { COUNT = 32, ROOM = 64 };
  const uint64_t count = sfm_table_categories(release, i);
  char labels[COUNT][ROOM];
  double lower, upper;
  if (count == 0 || count > COUNT || sfm_table_bins(release, &lower, &upper, i)) return ROOM;
  for (uint32_t k = 0; k < count; k++) sfm_table_label(release, labels[k], ROOM, i, k);
  size_t wanted = 1;
  for (size_t k = 0; k < count; k++)
    for (size_t j = 0; j < k; j++) {
      size_t same = 0;
      while (labels[k][same] && labels[k][same] == labels[j][same]) same++;
      wanted = same + 1 > wanted ? same + 1 : wanted;
    }
  return wanted;
}

void table_view_short_label(char *out, size_t size, const sfm_release *release, size_t e,
                            size_t columns) {
  enum { ROOM = 512 };
  char whole[ROOM], shorter[ROOM] = "", one[ROOM];
  write_label(whole, sizeof whole, release, e);
  table_view_cut(out, size, whole, columns);
  if (strcmp(out, whole) == 0) return;
  size_t used = 0;
  for (size_t i = 0; i < sfm_table_columns(release) && used < ROOM; i++) {
    const size_t wide = sfm_table_text(release, one, sizeof one, e, i);
    if (wide == 0) continue;
    size_t bytes = telling(release, i);
    while (bytes < wide && bytes < ROOM && ((unsigned char)one[bytes] & 0xc0) == 0x80) bytes++;
    used += (size_t)snprintf(shorter + used, sizeof shorter - used, "%s%.*s", used ? " " : "",
                             (int)bytes, one);
  }
  cut_middle(out, size, shorter, columns);
}

void table_view_count(char *buffer, size_t size, double count) {
  const double most = 1e15;
  if (count == floor(count) && fabs(count) < most)
    snprintf(buffer, size, "%.0f", count == 0 ? 0 : count);
  else
    snprintf(buffer, size, fabs(count) < most ? "%.1f" : "%.6g", count);
}

typedef struct ranked {
  double count;
  size_t e;
} ranked;

static int descending(const void *a, const void *b) {
  const ranked *one = a, *other = b;
  if (one->count != other->count) return one->count < other->count ? 1 : -1;
  return (one->e > other->e) - (one->e < other->e);
}

sfm_status table_view_largest(size_t **out, size_t *found, const sfm_release *release, size_t first,
                              size_t count, size_t most, sfm_error *error) {
  ranked *all = malloc((count + 1) * sizeof *all);
  *found = count < most ? count : most;
  *out = malloc((*found + 1) * sizeof **out);
  if (!all || !*out) {
    free(all);
    free(*out);
    *out = NULL;
    return cli_fail_memory(error);
  }
  for (size_t i = 0; i < count; i++)
    all[i] = (ranked){sfm_release_coefficient(release, first + i), first + i};
  qsort(all, count, sizeof *all, descending);
  for (size_t i = 0; i < *found; i++) (*out)[i] = all[i].e;
  free(all);
  return SFM_OK;
}

/* How far a count may be off: four digits, or all of a larger number. */
typedef struct width_text {
  char text[64];
} width_text;

static width_text write_width(double width) {
  width_text w;
  text_width(w.text, sizeof w.text, width);
  return w;
}

/* Of a table that lists only counts above a threshold. */
static void listed_band(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
                        bool pointwise) {
  const bool one = pointwise || isinf(band->half_width);
  const double width = one ? band->pointwise : band->half_width;
  if (isinf(width))
    snprintf(buffer, size,
             "none: cells below the threshold of %s are missing from these sums, and their "
             "number is not known",
             write_width(sfm_table_threshold(release)).text);
  else
    snprintf(buffer, size,
             "%s listed count%s within \u00b1%s of the true count, and %s cell that is not "
             "listed has at most %s records, with confidence %.6g%s",
             one ? "a" : "every", one ? " is" : "", write_width(width - band->systematic).text,
             one ? "a" : "every", write_width(floor(width)).text, band->confidence,
             !one ? ""
             : pointwise
                 ? " for any one cell fixed beforehand"
                 : " for any one cell fixed beforehand; there is no band for all cells at once");
}

void table_band(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
                bool pointwise) {
  if (sfm_release_refined(release))
    snprintf(buffer, size, "none: only the raw release has one");
  else if (sfm_table_sparse(release) || sfm_table_undeclared(release))
    listed_band(buffer, size, release, band, pointwise);
  else if (pointwise)
    snprintf(buffer, size,
             "any one cell fixed beforehand within \u00b1%s of the true count, with confidence "
             "%.6g",
             write_width(band->pointwise).text, band->confidence);
  else
    snprintf(buffer, size,
             "every cell within \u00b1%s of the true count, all at once, with confidence %.6g "
             "(\u00b1%s for any one cell fixed beforehand)",
             write_width(band->half_width).text, band->confidence,
             write_width(band->pointwise).text);
}

long long table_view_exact(const sfm_release *release) {
  uint64_t most;
  return sfm_table_exact_to(release, &most) ? (long long)most : -1;
}

void table_view_refinement(char *buffer, size_t size, const sfm_release *release) {
  const sfm_table_refinement done = sfm_table_refined(release);
  const bool has[] = {done.consistent, done.monotone > 0, done.monotone < 0, done.nonnegative,
                      done.total};
  static const char *const words[] = {"margins made to agree", "increasing", "decreasing",
                                      "not negative", "total kept or stated"};
  const char *said[5];
  size_t count = 0;
  for (size_t i = 0; i < 5; i++)
    if (has[i]) said[count++] = words[i];
  text_join(buffer, size, said, count);
}
