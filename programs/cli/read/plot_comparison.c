#include "plot_comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/figure_output.h"
#include "cli/io/picture_words.h"
#include "cli/io/release_file.h"
#include "cli/report/report.h"
#include "draw/axis.h"
#include "function_figure.h"
#include "cli/io/map_scale.h"
#include "plot_overlay.h"
#include "sfumato/refine.h"
#include "sfumato/release.h"

enum { MOST = 12 }; /* panels */

typedef struct comparison {
  const char *paths[MOST];
  size_t count;
  sfm_release *releases[MOST];
  draw_panel panels[MOST];
  double *values[MOST];
  char labels[MOST][256], details[MOST][DRAW_NUMBER_MAX + 16];
  draw_figure figure;
  map_scale scale;
  picture_words words;
  char title[320], caption[4096], note[512], band[64];
} comparison;

static void comparison_clear(comparison *l) {
  for (size_t k = 0; k < l->count; k++) {
    sfm_release_destroy(l->releases[k]);
    free(l->values[k]);
  }
  free(l);
}

static sfm_status name_paths(comparison *l, const cli_options *options, sfm_error *error) {
  if (options->more_count + 2 > MOST)
    return cli_misuse(error, "%zu releases are too many for one picture, which shows %d",
                      options->more_count + 2, (int)MOST);
  l->paths[0] = options->operand;
  l->paths[1] = options->second;
  memcpy(l->paths + 2, options->more, options->more_count * sizeof *l->paths);
  l->count = options->more_count + 2;
  static const char *const single[] = {"over", "columns", "grid", "group", "total"};
  for (size_t i = 0; i < sizeof single / sizeof *single; i++)
    if (options_has(options, single[i]))
      return cli_misuse(error, "--%s is for one release, but %zu are named: leave it out",
                        single[i], l->count);
  return SFM_OK;
}

/* Whether a release can stand beside the first. */
static sfm_status check_release(const comparison *l, size_t k, sfm_error *error) {
  const sfm_release *first = l->releases[0], *release = l->releases[k];
  const size_t dimension = sfm_release_dimension(release);
  double lower, upper, from, to;
  bool same = dimension == sfm_release_dimension(first) &&
              sfm_release_kind(release) == sfm_release_kind(first);
  const sfm_kind kind = sfm_release_kind(release);
  if (kind == SFM_KIND_HISTOGRAM || kind == SFM_KIND_MACHINE)
    return cli_misuse(error, "%s is a %s, which cannot be drawn side by side: draw it alone",
                      l->paths[k], sfm_kind_name(kind));
  if (dimension < 1 || dimension > 2)
    return cli_misuse(error,
                      "%s has %zu variables; only releases of one or two can be drawn side by side",
                      l->paths[k], dimension);
  if (sfm_release_group_count(release) > 1)
    return cli_misuse(error, "%s is by groups, which cannot be drawn side by side: draw it alone",
                      l->paths[k]);
  for (size_t a = 0; a < dimension && same; a++) {
    sfm_release_bounds(first, &from, &to, a);
    sfm_release_bounds(release, &lower, &upper, a);
    same = lower == from && upper == to &&
           strcmp(sfm_release_column(first, a), sfm_release_column(release, a)) == 0;
  }
  if (!same)
    return cli_misuse(
        error,
        "%s and %s do not have the same variables with the same bounds; releases side by side must",
        l->paths[0], l->paths[k]);
  return SFM_OK;
}

/* Labels: the guarantees, or the paths if two guarantees are equal. */
static void label_panels(comparison *l) {
  bool distinct = true;
  for (size_t k = 0; k < l->count; k++) {
    const sfm_guarantee g = sfm_release_guarantee(l->releases[k]);
    snprintf(l->labels[k], sizeof l->labels[k], "epsilon %.6g", g.epsilon);
    if (g.delta > 0) text_add(l->labels[k], sizeof l->labels[k], ", delta %.3g", g.delta);
    if (sfm_release_refined(l->releases[k]))
      text_add(l->labels[k], sizeof l->labels[k], ", refined");
    for (size_t i = 0; i < k; i++) distinct = distinct && strcmp(l->labels[i], l->labels[k]) != 0;
  }
  for (size_t k = 0; k < l->count && !distinct; k++)
    snprintf(l->labels[k], sizeof l->labels[k], "%s", l->paths[k]);
}

static sfm_status fill_panel(comparison *l, size_t k, sfm_error *error) {
  const sfm_release *release = l->releases[k];
  const double half = sfm_release_refined(release) ? 0 : sfm_release_band(release).half_width;
  double first[SFM_MAX_DIMENSION];
  char number[DRAW_NUMBER_MAX];
  draw_number(half * l->scale.factor, number, sizeof number);
  if (!sfm_release_refined(release) && isfinite(half))
    snprintf(l->details[k], sizeof l->details[k], "\u00b1\u00a0%s", number);
  l->panels[k] = (draw_panel){.label = l->labels[k],
                              .detail = l->details[k],
                              /* Between places the band is wider: none is drawn. */
                              .half_width = sfm_release_place(release, first, 0) ? 0 : half};
  const sfm_status status = function_figure_values(&l->values[k], &l->figure, release, 0, error);
  l->panels[k].values = l->values[k];
  if (status) return status;
  return map_scale_values(&l->scale, &l->figure, l->values[k], &l->panels[k].half_width, error);
}

/* Whether two promise the same but for epsilon and delta: to whom, by what noise, and under which
 * assumptions, as far as a combination has some. */
static bool alike(const sfm_release *a, const sfm_release *b) {
  static const char turn[] = " becomes at most ";
  const char *first = sfm_release_sentence(a), *second = sfm_release_sentence(b);
  const char *end = strstr(first, turn), *stop = strstr(second, turn);
  if (strcmp(first, second) == 0) return true;
  return end && stop && end - first == stop - second &&
         strncmp(first, second, (size_t)(end - first)) == 0 &&
         sfm_release_hardened(a) == sfm_release_hardened(b) &&
         !sfm_release_refinement(a).combined && !sfm_release_refinement(b).combined;
}

/* Whether an earlier one, like the first, promises as much. */
static bool promised(const comparison *l, size_t k) {
  const sfm_guarantee g = sfm_release_guarantee(l->releases[k]);
  for (size_t i = 0; i < k; i++) {
    const sfm_guarantee other = sfm_release_guarantee(l->releases[i]);
    if (alike(l->releases[0], l->releases[i]) && other.epsilon == g.epsilon &&
        other.delta == g.delta)
      return true;
  }
  return false;
}

/* e^epsilon is rounded upwards. */
static void print_factor(char *text, size_t size, const sfm_guarantee *g) {
  const double factor = exp(g->epsilon) * (1 + 1e-15);
  if (g->epsilon >= 14)
    snprintf(text, size, "e^%.6g", g->epsilon);
  else if (factor >= 100)
    text_whole(text, size, ceil(factor));
  else
    snprintf(text, size, "%.3f", ceil(factor * 1000) / 1000);
  text_add(text, size, " times");
  if (g->delta > 0) text_add(text, size, ", plus a probability of at most %.6g", g->delta);
}

/* The sentence of the first, what those like it have in place of its factor, and which others there
 * are: their sentences would be too long for a caption. */
static void write_caption(comparison *l) {
  const size_t size = sizeof l->caption;
  snprintf(l->caption, size, "%s", sfm_release_sentence(l->releases[0]));
  for (size_t k = 1; k < l->count; k++) {
    const sfm_guarantee g = sfm_release_guarantee(l->releases[k]);
    char factor[128];
    if (!alike(l->releases[0], l->releases[k]) || promised(l, k)) continue;
    print_factor(factor, sizeof factor, &g);
    text_add(l->caption, size, " At epsilon\u00a0%.6g: %s.", g.epsilon, factor);
  }
  bool others = false;
  for (size_t k = 1; k < l->count; k++) {
    if (alike(l->releases[0], l->releases[k])) continue;
    text_add(l->caption, size, "%s %s", others ? "," : " Other releases have another guarantee:",
             strcmp(l->paths[k], "-") ? l->paths[k] : "standard input");
    others = true;
  }
  if (others) text_add(l->caption, size, " (sfumato show prints it).");
}

/* The least confidence of their bands; 0 where none has one. */
static double least_confidence(const comparison *l) {
  double least = 1;
  for (size_t k = 0; k < l->count; k++)
    if (!sfm_release_refined(l->releases[k]))
      least = fmin(least, sfm_release_band(l->releases[k]).confidence);
  return least < 1 ? least : 0;
}

static void describe(comparison *l) {
  const sfm_release *first = l->releases[0];
  char names[200];
  bool seeded = false;
  for (size_t k = 0; k < l->count; k++) seeded = seeded || !sfm_release_private(l->releases[k]);
  report_columns(names, sizeof names, first);
  snprintf(l->title, sizeof l->title, "%s of %s%s", sfm_kind_name(sfm_release_kind(first)), names,
           seeded ? " (seeded: not private)" : "");
  write_caption(l);
  const double confidence = least_confidence(l);
  if (confidence > 0) {
    snprintf(l->band, sizeof l->band, "%.6g\u00a0%% band", 100 * confidence);
    snprintf(l->note, sizeof l->note,
             "Beside each guarantee: the largest distance from the %s without privacy, everywhere "
             "at once.",
             sfm_kind_name(sfm_release_kind(first)));
  }
  l->figure = (draw_figure){.title = l->title,
                            .caption = l->caption,
                            .note = l->note,
                            .band_label = l->band,
                            .value_label =
                                sfm_release_kind(first) == SFM_KIND_DENSITY ? "density" : "value",
                            .dimension = (unsigned)sfm_release_dimension(first),
                            .panels = l->panels,
                            .panel_count = l->count,
                            .panel_columns = l->count <= 4       ? (unsigned)l->count
                                             : l->count % 3 == 0 ? 3
                                                                 : 0};
  function_figure_axes(&l->figure, first);
}

/* The words of the picture, and what its options ask for. */
static sfm_status prepare(comparison *l, const cli_options *options, sfm_error *error) {
  draw_figure *figure = &l->figure;
  const bool density = sfm_release_kind(l->releases[0]) == SFM_KIND_DENSITY;
  label_panels(l);
  describe(l);
  picture_words_title(&l->words, &figure->title, &figure->subtitle, options, l->releases[0]);
  sfm_status status =
      picture_words_units(&l->words, figure->units, figure->dimension, options, error);
  if (!status) status = map_scale_read(&l->scale, figure, density, options, error);
  if (!status) status = plot_overlay_read(&figure->overlaid, figure, options, error);
  if (!status && l->scale.factor < 1 && *l->note) text_add(l->note, sizeof l->note, " ");
  if (!status) map_scale_say(&l->scale, l->note, sizeof l->note, figure);
  return status;
}

sfm_status plot_comparison_draw(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  comparison *l = calloc(1, sizeof *l);
  if (!l) return cli_fail_memory(error);
  sfm_status status = name_paths(l, options, error);
  if (!status) status = figure_output_check("-o", path, error);
  for (size_t k = 0; k < l->count && !status; k++) {
    status = release_file_read(&l->releases[k], options, l->paths[k], error);
    if (!status) status = check_release(l, k, error);
  }
  if (!status) status = prepare(l, options, error);
  if (!status) {
    function_figure_grid(&l->figure, path != NULL);
    map_scale_grid(&l->scale, &l->figure);
  }
  for (size_t k = 0; k < l->count && !status; k++) status = fill_panel(l, k, error);
  if (!status)
    map_scale_show(&l->scale, &l->figure, sfm_release_kind(l->releases[0]) == SFM_KIND_DENSITY);
  if (!status) status = figure_output_draw(&l->figure, path, error);
  comparison_clear(l);
  return status;
}
