/* show_table.c - a released table in words, and on the terminal. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/figure_output.h"
#include "cli/report/table_view.h"

enum {
  LINES_MOST = 40, /* of cells in all */
  LARGEST = 20,    /* cells of a table that has more */
  LABEL_MOST = 28, /* columns of a category in a grid */
  LABEL_LEAST = 20,
  NUMBER = 14, /* of a count, with the blanks before it */
  GRID_MOST = 64,
  INDENT = 12,
};

/* "F | M", or the first of many. */
static void list_categories(char *list, size_t size, const sfm_release *release, size_t i) {
  enum { ROOM = 200 };
  const uint64_t count = sfm_table_categories(release, i);
  char label[96];
  list[0] = 0;
  for (uint64_t k = 0; k < count && strlen(list) < ROOM; k++) {
    sfm_table_label(release, label, sizeof label, i, (uint32_t)k);
    text_add(list, size, "%s%s", k ? " | " : "", label);
    if (strlen(list) >= ROOM && k + 1 < count)
      text_add(list, size, " | ... (%llu categories)", (unsigned long long)count);
  }
}

/* What a column is made of. */
static void describe(char *text, size_t size, const sfm_release *release, size_t i) {
  double lower, upper;
  if (sfm_table_bins(release, &lower, &upper, i))
    snprintf(text, size, "%llu bins from %.10g to %.10g",
             (unsigned long long)sfm_table_categories(release, i), lower, upper);
  else if (sfm_table_categories(release, i) == 0)
    snprintf(text, size, "every value that was frequent enough");
  else
    list_categories(text, size, release, i);
}

/* Neighbours that are made of the same share a line. */
static void print_columns(const sfm_release *release) {
  enum { ROOM = 400 };
  char names[ROOM / 2], made[ROOM], next[ROOM];
  const size_t count = sfm_table_columns(release);
  for (size_t i = 0, first = 0; i < count; first = i) {
    uint64_t same = 0;
    describe(made, sizeof made, release, first);
    for (bool alike = true; i < count && alike;) {
      same |= UINT64_C(1) << i++;
      if (i < count) describe(next, sizeof next, release, i);
      alike = i < count && strcmp(made, next) == 0;
    }
    table_view_columns(names, sizeof names, release, same);
    text_say(stdout, first ? "" : "columns", "%s: %s", names, made);
  }
}

static void print_margins(const sfm_release *release) {
  enum { SHOWN = 24 };
  const size_t count = sfm_table_margins(release);
  char names[200];
  if (count < 2) return;
  for (size_t m = 0; m < count && m < SHOWN; m++) {
    size_t first, size;
    table_view_columns(names, sizeof names, release, sfm_table_margin(release, m));
    table_view_extent(release, m, &first, &size);
    text_say(stdout, m ? "" : "margins", "%s: %zu cell%s", names, size, size == 1 ? "" : "s");
  }
  if (count <= SHOWN) return;
  text_say(stdout, "", "and %zu more; --json lists all", count - SHOWN);
}

static void print_threshold(const sfm_release *release, const json_t *summary) {
  const size_t listed = sfm_release_length(release);
  const uint64_t size = sfm_table_size(release);
  const json_t *occupied = json_object_get(summary, "occupied");
  char text[320];
  snprintf(text, sizeof text, "%zu", listed);
  if (size) text_add(text, sizeof text, " of %llu cells", (unsigned long long)size);
  if (occupied && !json_is_null(occupied))
    text_add(text, sizeof text, ", of which %" JSON_INTEGER_FORMAT " were stated to be occupied",
             json_integer_value(occupied));
  text_print_labelled(stdout, "listed", text);
  if (json_object_get(json_object_get(summary, "noise"), "summed"))
    text_say(stdout, "threshold",
             "%.6g: cells with a noisy count at or below it are missing from these sums",
             sfm_table_threshold(release));
  else
    text_say(stdout, "threshold",
             "%.6g: only cells with a noisy count above it are listed; the others are unknown",
             sfm_table_threshold(release));
}

/* The sum of a whole table. */
static void print_total(const sfm_release *release) {
  const double deviation = sfm_table_deviation(release);
  char count[40];
  double total = 0;
  const size_t length = sfm_release_length(release);
  if (sfm_table_margins(release) != 1) return;
  for (size_t e = 0; e < length; e++) total += sfm_release_coefficient(release, e);
  table_view_count(count, sizeof count, total);
  if (sfm_table_sparse(release) || sfm_table_undeclared(release))
    text_say(stdout, "total", "%s in the listed cells", count);
  else if (isnan(deviation))
    text_say(stdout, "total", "%s", count);
  else
    text_say(stdout, "total", "%s, with a standard error of %.4g", count,
             deviation * sqrt((double)length));
}

static void print_exact(const json_t *summary) {
  const json_t *exact = json_object_get(summary, "exact_to"),
               *sums = json_object_get(json_object_get(summary, "noise"), "summed");
  char text[320];
  if (!json_is_integer(exact)) return;
  const json_int_t to = json_integer_value(exact);
  snprintf(text, sizeof text, "cells of at most %" JSON_INTEGER_FORMAT " records %s", to,
           sums ? "had no noise before they were added up"
                : "have no noise: their counts are exact");
  if (!sums)
    text_add(text, sizeof text,
             "; a count of %" JSON_INTEGER_FORMAT
             " or less may be exact, or a larger count with noise; the release does not say which",
             to);
  text_print_labelled(stdout, "exact", text);
}

void show_table(const sfm_release *release, const json_t *summary) {
  print_columns(release);
  print_margins(release);
  if (sfm_table_sparse(release) || sfm_table_undeclared(release)) print_threshold(release, summary);
  print_exact(summary);
  print_total(release);
}

static void print_padded(const char *text, size_t width, bool right) {
  const size_t columns = text_columns(text, strlen(text)),
               blanks = width > columns ? width - columns : 0;
  printf("%*s%s%*s", right ? (int)blanks : 0, "", text, right ? 0 : (int)blanks, "");
}

/* A line a cell: those listed in `at`. */
static void print_lines(const sfm_release *release, const size_t *at, size_t count,
                        size_t columns) {
  char text[600], number[40];
  size_t wide = 0, tall = 0;
  const size_t most =
      columns > INDENT + NUMBER + LABEL_LEAST ? columns - INDENT - NUMBER : LABEL_LEAST;
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < count; k++) {
      table_view_short_label(text, sizeof text, release, at[k], most);
      table_view_count(number, sizeof number, sfm_release_coefficient(release, at[k]));
      const size_t used = text_columns(text, strlen(text)), digits = strlen(number);
      if (pass == 0) {
        wide = used > wide ? used : wide;
        tall = digits > tall ? digits : tall;
        continue;
      }
      printf("%*s", INDENT, "");
      print_padded(text, wide, false);
      printf("  ");
      print_padded(number, tall, true);
      putchar('\n');
    }
}

/* The two columns of a margin, or false. */
static bool two_columns(const sfm_release *release, uint64_t margin, size_t columns[2]) {
  size_t count = 0;
  for (size_t i = 0; i < sfm_table_columns(release); i++)
    if (margin >> i & 1 && count++ < 2) columns[count - 1] = i;
  return count == 2;
}

/* How a table of two columns is laid out as a grid. */
typedef struct grid {
  const sfm_release *release;
  size_t columns[2], counts[2], first, label;
  size_t wide[GRID_MOST];
} grid;

/* The category, and how wide it is. */
static size_t category(char *out, size_t size, const grid *g, size_t a, size_t k) {
  char label[256];
  sfm_table_label(g->release, label, sizeof label, g->columns[a], (uint32_t)k);
  table_view_cut(out, size, label, LABEL_MOST);
  return text_columns(out, strlen(out));
}

static double count_at(const grid *g, size_t i, size_t k) {
  return sfm_release_coefficient(g->release, g->first + i * g->counts[1] + k);
}

/* Whether it fits on so many columns and lines; sets the widths. */
static bool fit(grid *g, size_t width, size_t lines) {
  char text[300];
  for (int a = 0; a < 2; a++)
    g->counts[a] = (size_t)sfm_table_categories(g->release, g->columns[a]);
  if (g->counts[0] + 1 > lines || g->counts[1] > GRID_MOST) return false;
  size_t all = INDENT;
  for (size_t i = 0; i < g->counts[0]; i++) {
    const size_t wide = category(text, sizeof text, g, 0, i);
    g->label = wide > g->label ? wide : g->label;
  }
  for (size_t k = 0; k < g->counts[1]; k++) {
    g->wide[k] = category(text, sizeof text, g, 1, k);
    for (size_t i = 0; i < g->counts[0]; i++) {
      table_view_count(text, sizeof text, count_at(g, i, k));
      g->wide[k] = strlen(text) > g->wide[k] ? strlen(text) : g->wide[k];
    }
    all += g->wide[k] + 2;
  }
  return all + g->label <= width;
}

static void print_grid(const grid *g) {
  char text[300];
  printf("%*s", (int)(INDENT + g->label), "");
  for (size_t k = 0; k < g->counts[1]; k++) {
    category(text, sizeof text, g, 1, k);
    printf("  ");
    print_padded(text, g->wide[k], true);
  }
  putchar('\n');
  for (size_t i = 0; i < g->counts[0]; i++) {
    category(text, sizeof text, g, 0, i);
    printf("%*s", INDENT, "");
    print_padded(text, g->label, false);
    for (size_t k = 0; k < g->counts[1]; k++) {
      table_view_count(text, sizeof text, count_at(g, i, k));
      printf("  ");
      print_padded(text, g->wide[k], true);
    }
    putchar('\n');
  }
}

/* One margin within so many lines; returns how many it took. */
static size_t print_margin(const sfm_release *release, size_t m, size_t lines, sfm_error *error,
                           sfm_status *status) {
  grid g = {.release = release};
  size_t count, found = 0, *at = NULL;
  unsigned width, height;
  char names[200];
  const bool listed = sfm_table_sparse(release) || sfm_table_undeclared(release);
  figure_output_terminal_size(&width, &height);
  table_view_extent(release, m, &g.first, &count);
  table_view_columns(names, sizeof names, release, sfm_table_margin(release, m));
  if (count == 0) return 0;
  if (!listed && two_columns(release, sfm_table_margin(release, m), g.columns) &&
      fit(&g, width, lines)) {
    text_print_labelled(stdout, "counts", names);
    print_grid(&g);
    return g.counts[0] + 2;
  }
  const bool all = count <= lines;
  if (all && !listed) { /* in their order */
    at = malloc(count * sizeof *at);
    for (size_t e = 0; at && e < count; e++) at[e] = g.first + e;
    found = count;
    *status = at ? SFM_OK : cli_fail_memory(error);
  } else {
    *status =
        table_view_largest(&at, &found, release, g.first, count, all ? lines : LARGEST, error);
  }
  if (*status) return 0;
  text_say(stdout, "counts", all ? "%s" : "%s: the %zu largest of %zu; `sfumato eval` prints all",
           names, found, count);
  print_lines(release, at, found, width);
  free(at);
  return found + 1;
}

sfm_status show_table_cells(const sfm_release *release, sfm_error *error) {
  const size_t count = sfm_table_margins(release);
  size_t used = 0;
  sfm_status status = SFM_OK;
  for (size_t m = 0; !status && m < count && used < LINES_MOST; m++)
    used += print_margin(release, m, m ? LINES_MOST - used : LINES_MOST, error, &status);
  return status;
}
