/* plot_groups.c - the groups of a release side by side, on one scale. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/figure_output.h"
#include "cli/io/picture_words.h"
#include "cli/report/report.h"
#include "function_figure.h"
#include "cli/io/map_scale.h"
#include "plot_overlay.h"

enum { MOST = 24 }; /* panels: more are too small to read */

typedef struct group_figure {
  const sfm_release *release;
  group_selection chosen;
  draw_panel panels[MOST];
  double *values[MOST];
  char labels[MOST][200], details[MOST][96];
  draw_figure figure;
  map_scale scale;
  picture_words words;
  char title[640], note[1024], band[64];
} group_figure;

static void group_figure_clear(group_figure *s) {
  for (size_t k = 0; k < MOST; k++) free(s->values[k]);
  group_selection_clear(&s->chosen);
  free(s);
}

/* "11,405 +- 16". */
static void write_size(char *out, size_t size, const sfm_release *release, size_t g) {
  char number[40], error[40];
  double noisy, deviation;
  sfm_release_group_size(release, &noisy, &deviation, g);
  out[0] = 0;
  if (!isfinite(noisy)) return;
  text_whole(number, sizeof number, noisy);
  if (deviation < 1)
    snprintf(error, sizeof error, "%.1f", deviation);
  else
    text_whole(error, sizeof error, deviation);
  snprintf(out, size, "%s\u00a0\u00b1\u00a0%s", number, error);
}

static sfm_status check_options(const cli_options *options, const group_selection *chosen,
                                sfm_error *error) {
  if (options_has(options, "total"))
    return cli_misuse(error,
                      "--total is not for groups: each group is divided by its own noisy size");
  if (options_has(options, "over") || options_has(options, "columns") ||
      options_has(options, "grid"))
    return cli_misuse(error, "--over, --columns and --grid are for one curve, but this release is "
                             "by groups: leave them out");
  if (chosen->count > MOST)
    return cli_misuse(error,
                      "%zu groups are too many for one picture, which shows up to %d: name some of "
                      "them (--group A,B, which may be repeated, or --group COLUMN=A)",
                      chosen->count, (int)MOST);
  return SFM_OK;
}

static sfm_status fill_panel(group_figure *s, size_t k, const sfm_release *group,
                             sfm_error *error) {
  draw_panel *panel = &s->panels[k];
  group_label_text(s->labels[k], sizeof s->labels[k], s->release, s->chosen.groups[k]);
  write_size(s->details[k], sizeof s->details[k], s->release, s->chosen.groups[k]);
  *panel = (draw_panel){.label = s->labels[k],
                        .detail = s->details[k],
                        .absent = "too few records",
                        .half_width = sfm_release_band(group).half_width};
  if (sfm_release_refined(group)) panel->half_width = 0;
  if (sfm_release_too_few(group)) return SFM_OK;
  const sfm_status status = function_figure_values(&s->values[k], &s->figure, group, 0, error);
  panel->values = s->values[k];
  if (status) return status;
  return map_scale_values(&s->scale, &s->figure, s->values[k], &panel->half_width, error);
}

static sfm_status fill_panels(group_figure *s, sfm_error *error) {
  sfm_release *groups[MOST] = {0};
  const size_t count = s->chosen.count;
  sfm_status status = sfm_release_groups(groups, s->release, s->chosen.groups, count, error);
  for (size_t k = 0; !status && k < count; k++) status = fill_panel(s, k, groups[k], error);
  for (size_t k = 0; k < count; k++) sfm_release_destroy(groups[k]);
  return status;
}

/* As many panels in a row as the last column has categories, if that is a good number: rows and
 * columns of the picture then mean something. */
static unsigned row_length(const group_figure *s) {
  const sfm_release *release = s->release;
  const size_t last = sfm_release_by_count(release) - 1;
  size_t length = 1;
  if (s->chosen.count != sfm_release_group_count(release) || last == 0) return 0;
  while (length < s->chosen.count && strcmp(sfm_release_group_label(release, length, last),
                                            sfm_release_group_label(release, 0, last)) != 0)
    length++;
  return length >= 2 && length <= 6 ? (unsigned)length : 0;
}

/* "sex and region", "sex, region and year". */
static void name_columns(char *out, size_t size, const sfm_release *release) {
  const size_t count = sfm_release_by_count(release);
  out[0] = 0;
  for (size_t i = 0; i < count; i++)
    text_add(out, size, "%s%.60s",
             !i              ? ""
             : i + 1 < count ? ", "
                             : " and ",
             sfm_release_by(release, i));
}

static void describe(group_figure *s) {
  const sfm_release *release = s->release;
  const double confidence = 100 * sfm_release_band(release).confidence;
  const bool refined = sfm_release_refined(release);
  char names[200], by[200];
  report_columns(names, sizeof names, release);
  name_columns(by, sizeof by, release);
  snprintf(s->title, sizeof s->title, "density of %s by %s%s", names, by,
           sfm_release_private(release) ? "" : " (seeded: not private)");
  if (!refined) {
    snprintf(s->note, sizeof s->note,
             "Beside the name of a group: its noisy size and the standard error of the size. With "
             "confidence %.6g\u00a0%% the band of a group contains the density of the group "
             "without privacy, everywhere at once.",
             confidence);
    snprintf(s->band, sizeof s->band, "%.6g\u00a0%% band", confidence);
  } else {
    report_refinement(names, sizeof names, release);
    snprintf(s->note, sizeof s->note,
             "Beside the name of a group: its noisy size and the standard error of the size. "
             "Refined: %s; no bands.",
             names);
  }
  s->figure = (draw_figure){.title = s->title,
                            .caption = sfm_release_sentence(release),
                            .note = s->note,
                            .band_label = s->band,
                            .value_label = "density",
                            .dimension = (unsigned)sfm_release_dimension(release),
                            .panels = s->panels,
                            .panel_count = s->chosen.count,
                            .panel_columns = row_length(s)};
  function_figure_axes(&s->figure, release);
}

/* The words of the picture, and what its options ask for. */
static sfm_status prepare(group_figure *s, const cli_options *options, sfm_error *error) {
  describe(s);
  draw_figure *figure = &s->figure;
  picture_words_title(&s->words, &figure->title, &figure->subtitle, options, s->release);
  sfm_status status =
      picture_words_units(&s->words, figure->units, figure->dimension, options, error);
  if (!status) status = map_scale_read(&s->scale, figure, true, options, error);
  if (!status) status = plot_overlay_read(&figure->overlaid, figure, options, error);
  if (!status && s->scale.factor < 1) text_add(s->note, sizeof s->note, " ");
  if (!status) map_scale_say(&s->scale, s->note, sizeof s->note, figure);
  return status;
}

sfm_status plot_groups(const sfm_release *release, const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  group_figure *s = calloc(1, sizeof *s);
  if (!s) return cli_fail_memory(error);
  s->release = release;
  sfm_status status = group_selection_read(&s->chosen, release, options, error);
  if (!status) status = check_options(options, &s->chosen, error);
  if (!status) status = prepare(s, options, error);
  if (!status) {
    function_figure_grid(&s->figure, path != NULL);
    map_scale_grid(&s->scale, &s->figure);
    status = fill_panels(s, error);
  }
  if (!status) map_scale_show(&s->scale, &s->figure, true);
  if (!status) status = figure_output_draw(&s->figure, path, error);
  group_figure_clear(s);
  return status;
}
