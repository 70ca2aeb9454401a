/* plot_table.c - pictures of released tables: bins as a histogram, categories as bars, two columns
 * as a map, more as the largest of their cells. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/figure_output.h"
#include "cli/io/picture_words.h"
#include "cli/report/report.h"
#include "cli/report/table_view.h"
#include "cell_names.h"
#include "cli/core/text.h"

enum {
  BARS_MOST = 40,
  LARGEST = 24, /* cells of a table that has more than BARS_MOST */
  LABEL_ROOM = 480,
  PAPER_ROOM = 140, /* characters of a name: several lines */
  SCREEN_ROOM = 50,
  COUNT_ROOM = 48,
};

/* What all pictures of the release say. */
typedef struct figure_text {
  char own[400], note[1600], band[32], columns[256];
  const char *title, *subtitle;
  picture_words words;
  double half_width; /* of the error bars; 0: none */
} figure_text;

static const char *path_of(const cli_options *options) {
  return options_get(options, "output");
}

static bool listed_only(const sfm_release *release) {
  return sfm_table_sparse(release) || sfm_table_undeclared(release);
}

/* The half-width that holds for all counts drawn at once; NaN: the picture cannot show one. */
static double width_of(const sfm_release *release) {
  const sfm_band band = sfm_release_band(release);
  if (sfm_release_refined(release)) return 0;
  return isfinite(band.half_width) ? band.half_width - band.systematic : 0;
}

static void word(figure_text *w, const sfm_release *release, const cli_options *options,
                 uint64_t margin, const char *extra) {
  table_view_columns(w->columns, sizeof w->columns, release, margin);
  snprintf(w->own, sizeof w->own, "counts of %s%s", w->columns,
           sfm_release_private(release) ? "" : " (seeded: not private)");
  w->title = w->own;
  picture_words_title(&w->words, &w->title, &w->subtitle, options, release);
  snprintf(w->note, sizeof w->note, "%s%s", extra, *extra ? " " : "");
  const bool refined = sfm_release_refined(release);
  const long long exact = refined ? -1 : table_view_exact(release);
  if (exact >= 0)
    text_add(w->note, sizeof w->note,
             "A count of %lld or less may be exact, or a larger count with noise; the "
             "release does not say which. ",
             exact);
  report_error(w->note, sizeof w->note, release);
  snprintf(w->band, sizeof w->band, "%.6g %% band", 100 * sfm_release_band(release).confidence);
  w->half_width = width_of(release);
}

/* Names and counts of bars, with the text they point to. */
typedef struct bar_list {
  draw_bar bars[BARS_MOST];
  char names[BARS_MOST][LABEL_ROOM], details[BARS_MOST][COUNT_ROOM];
  size_t count;
} bar_list;

/* As the axis has it; of thousands the whole part. */
static void write_count(char *out, size_t size, double count, bool paper) {
  if (paper && count < 0 && fabs(count) < 1000) {
    const size_t minus = (size_t)snprintf(out, size, "\u2212");
    table_view_count(out + minus, size - minus, -count);
  } else if (fabs(count) >= 1000 && fabs(count) < 1e15)
    text_whole(out, size, round(count));
  else
    table_view_count(out, size, count);
}

static void add_bar(bar_list *l, const sfm_release *release, const cli_options *options, size_t e) {
  const size_t k = l->count++;
  const double value = sfm_release_coefficient(release, e);
  table_view_short_label(l->names[k], LABEL_ROOM, release, e,
                         path_of(options) ? PAPER_ROOM : SCREEN_ROOM);
  write_count(l->details[k], COUNT_ROOM, value, path_of(options) != NULL);
  l->bars[k] = (draw_bar){l->names[k], l->details[k], value, false};
}

static void add_heading(bar_list *l, const sfm_release *release, size_t m) {
  const size_t k = l->count++;
  table_view_columns(l->names[k], LABEL_ROOM, release, sfm_table_margin(release, m));
  l->bars[k] = (draw_bar){.name = l->names[k], .detail = "", .heading = true};
}

static sfm_status draw_listing(const bar_list *l, const figure_text *w, const sfm_release *release,
                               const cli_options *options, const char *value, sfm_error *error) {
  const draw_bars bars = {.title = w->title,
                          .subtitle = w->subtitle,
                          .caption = sfm_release_sentence(release),
                          .note = w->note,
                          .label = w->columns,
                          .value_label = value,
                          .band_label = w->band,
                          .bars = l->bars,
                          .count = l->count,
                          .half_width = w->half_width};
  return figure_output_bars(&bars, path_of(options), error);
}

static sfm_status plot_vector_bars(const sfm_release *release, const cli_options *options,
                                   sfm_error *error) {
  const size_t count = sfm_release_length(release), shown = count < BARS_MOST ? count : BARS_MOST;
  figure_text w;
  bar_list l = {.count = shown};
  char extra[120] = "", whole[64];
  for (size_t i = 0; i < shown; i++) {
    const double value = sfm_release_coefficient(release, i);
    snprintf(l.names[i], LABEL_ROOM, "%s", sfm_release_label(release, i));
    text_grouped(l.details[i], COUNT_ROOM, value);
    l.bars[i] = (draw_bar){l.names[i], l.details[i], value, false};
  }
  text_whole(whole, sizeof whole, (double)count);
  if (shown < count) snprintf(extra, sizeof extra, "The first %zu of %s answers.", shown, whole);
  word(&w, release, options, 0, extra);
  snprintf(w.own, sizeof w.own, "answers to %s quer%s%s", whole, count == 1 ? "y" : "ies",
           sfm_release_private(release) ? "" : " (seeded: not private)");
  w.title = w.own;
  picture_words_title(&w.words, &w.title, &w.subtitle, options, release);
  snprintf(w.columns, sizeof w.columns, "query");
  return draw_listing(&l, &w, release, options, "answer", error);
}

/* The cells of one margin: all in their order, or the largest. */
static sfm_status plot_bars(const sfm_release *release, size_t m, const cli_options *options,
                            sfm_error *error) {
  size_t first, count, found = 0, *at = NULL;
  figure_text w;
  bar_list l = {.count = 0};
  char extra[900] = "";
  table_view_extent(release, m, &first, &count);
  const bool all = count <= BARS_MOST && !listed_only(release);
  if (count == 0)
    return cli_misuse(error, "this table lists no cells, so there is nothing to draw (`sfumato "
                             "show` prints how many records a cell may have)");
  const uint64_t size = listed_only(release) ? sfm_table_size(release) : count;
  sfm_status status = all ? SFM_OK
                          : table_view_largest(&at, &found, release, first, count,
                                               count <= BARS_MOST ? BARS_MOST : LARGEST, error);
  if (status) return status;
  for (size_t k = 0; k < (all ? count : found); k++)
    add_bar(&l, release, options, all ? first + k : at[k]);
  const bool difference = at && found && path_of(options) && cell_names_differ(release);
  for (size_t k = 0; difference && k < found; k++)
    cell_names_difference(l.names[k], LABEL_ROOM, release, at[k], at[0]);
  const size_t largest = difference ? at[0] : 0;
  free(at);
  char whole[64];
  text_whole(whole, sizeof whole, size ? (double)size : (double)count);
  if (!all && (size || found < count))
    snprintf(extra, sizeof extra, "The %zu largest of %s %scells.", found, whole,
             size ? "" : "listed ");
  if (difference) cell_names_say(extra, sizeof extra, release, largest);
  word(&w, release, options, sfm_table_margin(release, m), extra);
  return draw_listing(&l, &w, release, options, "count", error);
}

/* How to see a margin that there was no room for. */
static void leave_word(char *out, size_t size, const sfm_release *release, size_t shown,
                       size_t left) {
  const uint64_t margin = sfm_table_margin(release, left);
  const char *between = "";
  snprintf(out, size, "%zu of %zu margins; to see another: sfumato margin FILE --columns ", shown,
           sfm_table_margins(release));
  for (size_t i = 0; i < sfm_table_columns(release); i++)
    if (margin >> i & 1) {
      text_add(out, size, "%s%s", between, sfm_table_column(release, i));
      between = ",";
    }
  text_add(out, size, " -o one.sfm, then sfumato plot one.sfm.");
}

/* Several margins, one below the other, as many as there is room for. */
static sfm_status plot_margins(const sfm_release *release, const cli_options *options,
                               sfm_error *error) {
  const size_t margins = sfm_table_margins(release);
  size_t first, count, shown = 0, left = 0;
  figure_text w;
  bar_list l = {.count = 0};
  char extra[300] = "";
  for (size_t m = 0; m < margins; m++) {
    table_view_extent(release, m, &first, &count);
    if (l.count + count + 1 > BARS_MOST) {
      left = m;
      continue;
    }
    add_heading(&l, release, m);
    for (size_t e = first; e < first + count; e++) add_bar(&l, release, options, e);
    shown++;
  }
  if (shown == 0) return plot_bars(release, 0, options, error);
  if (shown < margins) leave_word(extra, sizeof extra, release, shown, left);
  word(&w, release, options, UINT64_MAX, extra);
  snprintf(w.columns, sizeof w.columns, "margins");
  return draw_listing(&l, &w, release, options, "count", error);
}

/* The values of a figure, which are freed, with what all pictures say. */
static sfm_status draw_counts(draw_figure *figure, double *values, const sfm_release *release,
                              const cli_options *options, sfm_error *error) {
  figure_text w;
  sfm_status status =
      picture_words_units(&w.words, figure->units, figure->dimension, options, error);
  word(&w, release, options, sfm_table_margin(release, 0), "");
  figure->title = w.title;
  figure->subtitle = w.subtitle;
  figure->value_label = "count";
  figure->caption = sfm_release_sentence(release);
  figure->note = w.note;
  figure->band_label = w.band;
  figure->values = values;
  figure->half_width = w.half_width;
  if (!status) status = figure_output_draw(figure, path_of(options), error);
  free(values);
  return status;
}

/* Bins of one column. */
static sfm_status plot_bins(const sfm_release *release, size_t i, const cli_options *options,
                            sfm_error *error) {
  const size_t count = sfm_release_length(release);
  double *values = malloc(count * sizeof *values);
  if (!values) return cli_fail_memory(error);
  for (size_t e = 0; e < count; e++) values[e] = sfm_release_coefficient(release, e);
  draw_figure figure = {
      .labels = {sfm_table_column(release, i)}, .dimension = 1, .steps = true, .counts = {count}};
  sfm_table_bins(release, &figure.lower[0], &figure.upper[0], i);
  return draw_counts(&figure, values, release, options, error);
}

/* Two columns of bins: a map of flat squares. */
static sfm_status plot_plane(const sfm_release *release, const cli_options *options,
                             sfm_error *error) {
  enum { FINE = 256 };
  size_t bins[2], fine[2];
  draw_figure figure = {.dimension = 2};
  for (size_t a = 0; a < 2; a++) {
    bins[a] = (size_t)sfm_table_categories(release, a);
    fine[a] = bins[a] < FINE ? (FINE + bins[a] - 1) / bins[a] : 1;
    figure.counts[a] = bins[a] * fine[a] > 1 ? bins[a] * fine[a] : 2;
    figure.labels[a] = sfm_table_column(release, a);
    sfm_table_bins(release, &figure.lower[a], &figure.upper[a], a);
  }
  double *values = malloc(figure.counts[0] * figure.counts[1] * sizeof *values);
  if (!values) return cli_fail_memory(error);
  for (size_t i = 0; i < figure.counts[0]; i++)
    for (size_t k = 0; k < figure.counts[1]; k++)
      values[i * figure.counts[1] + k] =
          sfm_release_coefficient(release, i / fine[0] * bins[1] + k / fine[1]);
  return draw_counts(&figure, values, release, options, error);
}

/* The texts of a map of two columns. */
typedef struct tiling {
  char (*names)[LABEL_ROOM], (*details)[COUNT_ROOM];
  const char **pointers;
  double *values;
} tiling;

static void tiling_clear(tiling *t) {
  free(t->names);
  free(t->details);
  free(t->pointers);
  free(t->values);
}

static bool doubtful(double value, double half_width) {
  return half_width > 0 && fabs(value) <= half_width;
}

static bool any_doubtful(const sfm_release *release, double half_width) {
  for (size_t e = 0; e < sfm_release_length(release); e++)
    if (doubtful(sfm_release_coefficient(release, e), half_width)) return true;
  return false;
}

/* Parentheses around what may be error alone. */
static void write_detail(char *out, double value, double half_width, bool paper) {
  char count[COUNT_ROOM - 4];
  write_count(count, sizeof count, value, paper);
  snprintf(out, COUNT_ROOM, doubtful(value, half_width) ? "(%s)" : "%s", count);
}

static sfm_status tiling_init(tiling *t, draw_tiles *tiles, const sfm_release *release,
                              double half_width, bool paper, sfm_error *error) {
  const size_t down = tiles->counts[0], across = tiles->counts[1], all = down * across;
  *t = (tiling){.names = malloc((down + across) * sizeof *t->names),
                .details = malloc(all * sizeof *t->details),
                .pointers = malloc((down + across + all) * sizeof *t->pointers),
                .values = malloc(all * sizeof *t->values)};
  if (!t->names || !t->details || !t->pointers || !t->values) return cli_fail_memory(error);
  for (size_t k = 0; k < down + across; k++) {
    const size_t a = k >= down;
    sfm_table_label(release, t->names[k], LABEL_ROOM, a, (uint32_t)(a ? k - down : k));
    t->pointers[k] = t->names[k];
  }
  for (size_t e = 0; e < all; e++) {
    t->values[e] = sfm_release_coefficient(release, e);
    write_detail(t->details[e], t->values[e], half_width, paper);
    t->pointers[down + across + e] = t->details[e];
  }
  tiles->names[0] = t->pointers;
  tiles->names[1] = t->pointers + down;
  tiles->details = t->pointers + down + across;
  tiles->values = t->values;
  return SFM_OK;
}

static sfm_status plot_tiles(const sfm_release *release, const cli_options *options,
                             sfm_error *error) {
  enum { TILES_MOST = 4096 };
  draw_tiles tiles = {.value_label = "count", .caption = sfm_release_sentence(release)};
  tiling t = {0};
  figure_text w;
  bool fits = true;
  for (size_t a = 0; a < 2; a++) {
    tiles.counts[a] = (size_t)sfm_table_categories(release, a);
    tiles.labels[a] = sfm_table_column(release, a);
  }
  if (sfm_release_length(release) > TILES_MOST) return plot_bars(release, 0, options, error);
  word(&w, release, options, sfm_table_margin(release, 0),
       !path_of(options) && any_doubtful(release, width_of(release)) /* paper has a key */
           ? "Counts in parentheses are within the error band of zero."
           : "");
  tiles.title = w.title;
  tiles.subtitle = w.subtitle;
  tiles.note = w.note;
  tiles.band_label = w.band;
  tiles.half_width = w.half_width;
  sfm_status status =
      tiling_init(&t, &tiles, release, w.half_width, path_of(options) != NULL, error);
  if (!status) status = figure_output_tiles(&fits, &tiles, path_of(options), error);
  if (!status && !fits) status = plot_bars(release, 0, options, error);
  tiling_clear(&t);
  return status;
}

/* Whether the counts of all squares can be written on them. */
static bool few_bins(const sfm_release *release) {
  enum { MOST = 12 };
  return sfm_table_categories(release, 0) <= MOST && sfm_table_categories(release, 1) <= MOST;
}

/* Axes of numbers: bins that are drawn as such. */
static bool has_axes(const sfm_release *release) {
  double lower, upper;
  const size_t columns = sfm_table_columns(release);
  for (size_t a = 0; a < columns; a++)
    if (!sfm_table_bins(release, &lower, &upper, a)) return false;
  return columns == 1 || (columns == 2 && !few_bins(release));
}

sfm_status plot_table(const sfm_release *release, const cli_options *options, sfm_error *error) {
  const size_t columns = sfm_table_columns(release);
  double lower, upper;
  if (options_has(options, "over") || options_has(options, "group") ||
      options_has(options, "total"))
    return cli_misuse(
        error,
        "--over, --group and --total are for functions, but %s is a histogram; leave them out",
        options->operand);
  if (options_has(options, "units") && !has_axes(release))
    return cli_misuse(error,
                      "--units is for axes of numbers, and this picture of %s has none; leave "
                      "it out",
                      options->operand);
  if (sfm_table_margins(release) > 1) return plot_margins(release, options, error);
  const bool whole = columns < 3 && sfm_table_margin(release, 0) == (UINT64_C(1) << columns) - 1;
  if (listed_only(release) || !whole) return plot_bars(release, 0, options, error);
  const bool first = sfm_table_bins(release, &lower, &upper, 0),
             second = columns > 1 && sfm_table_bins(release, &lower, &upper, 1);
  if (columns == 1)
    return first ? plot_bins(release, 0, options, error) : plot_bars(release, 0, options, error);
  if (first && second && !few_bins(release)) return plot_plane(release, options, error);
  return plot_tiles(release, options, error);
}

sfm_status plot_vector(const sfm_release *release, const cli_options *options, sfm_error *error) {
  const bool bars = sfm_release_label(release, 0) && !options_has(options, "total") &&
                    !options_has(options, "over");
  return bars ? plot_vector_bars(release, options, error) : plot_function(release, options, error);
}
