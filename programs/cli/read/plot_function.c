/* plot_function.c - a picture of a function with its band, or of the numbers of a vector. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "background_curves.h"
#include "cli/core/paths.h"
#include "cli/io/figure_output.h"
#include "cli/io/picture_words.h"
#include "cli/core/text.h"
#include "cli/report/report.h"
#include "function_figure.h"
#include "cli/io/map_scale.h"

/* Values at a list of points whose kernel was the owner's own: there is nothing between them. */
static bool only_points(const sfm_release *release) {
  double first[SFM_MAX_DIMENSION];
  return sfm_release_place(release, first, 0) && !sfm_release_grid(release, NULL) &&
         sfm_release_kernel(release) == SFM_KERNEL_OWN;
}

/* The values that are drawn: of a vector its numbers, of such a release those at its points. */
static sfm_status fill_stems(double **values, const draw_figure *figure, const sfm_release *release,
                             double total, sfm_error *error) {
  double point[SFM_MAX_DIMENSION];
  sfm_evaluator *evaluator = NULL;
  sfm_status status = SFM_OK;
  *values = malloc((figure->counts[0] + 1) * sizeof **values);
  if (!*values) return cli_fail_memory(error);
  if (sfm_release_dimension(release) == 0)
    for (size_t i = 0; i < figure->counts[0]; i++)
      (*values)[i] = sfm_release_coefficient(release, i);
  else
    status = sfm_evaluator_create(&evaluator, release, total, error);
  for (size_t i = 0; evaluator && !status && sfm_release_place(release, point, i); i++)
    status = sfm_evaluator_at(evaluator, &(*values)[i], point, 1, error);
  sfm_evaluator_destroy(evaluator);
  return status;
}

/* A release that is values is drawn at its own grid where that is not too fine; elsewhere its
 * kernel fills in, and the band at its points is not one of the curve. */
static bool own_grid(const sfm_release *release, size_t counts[2]) {
  size_t grid[SFM_MAX_DIMENSION];
  const size_t d = sfm_release_dimension(release), most = d == 2 ? 1024 : 8192;
  if (d > 2 || !sfm_release_grid(release, grid)) return false;
  for (size_t a = 0; a < d; a++) {
    if (grid[a] > most) return false;
    counts[a] = grid[a];
  }
  return true;
}

/* Whether a kernel fills in between the points of the release. */
static bool interpolated(const sfm_release *release) {
  double first[SFM_MAX_DIMENSION];
  size_t counts[2];
  return sfm_release_place(release, first, 0) && !only_points(release) &&
         !own_grid(release, counts);
}

/* How far off it may be; with --unit km, in which unit these words are. */
static void write_note(char *note, size_t size, const sfm_release *release, const map_scale *scale,
                       const draw_figure *figure, double total) {
  double first[SFM_MAX_DIMENSION];
  const bool refined = sfm_release_refined(release);
  note[0] = 0;
  map_scale_say(scale, note, size, figure);
  if (!refined && total > 0) {
    text_add(note, size, "Divided by the public total %.10g; no band.", total);
    return;
  }
  if (!refined && scale->factor < 1) {
    text_add(note, size, "Band per square degree: ");
    const size_t used = strlen(note);
    report_band(note + used, size - used, release);
    text_add(note, size, ".");
  } else {
    report_error(note, size, release);
  }
  if (refined) return;
  if (interpolated(release))
    text_add(note, size,
             " Between its points the curve is interpolated by the kernel. The band is "
             "wider there (sfumato eval --band) and is not drawn.");
  else if (sfm_release_place(release, first, 0))
    text_add(note, size, " Between its points the curve is a straight line.");
  else if (strcmp(sfm_release_method(release), "series") == 0)
    text_add(note, size, " The band does not cover the terms that were left out.");
}

static void describe(draw_figure *figure, const sfm_release *release, char *title,
                     size_t title_size, double total) {
  char names[200];
  size_t dimension = sfm_release_dimension(release);
  report_columns(names, sizeof names, release);
  figure->stems = dimension == 0 || only_points(release);
  figure->dimension = dimension == 2 ? 2 : 1;
  const bool curve = strcmp(sfm_release_method(release), "curve") == 0;
  const bool series = strcmp(sfm_release_method(release), "series") == 0;
  figure->floating = curve;
  snprintf(title, title_size, "%s%s%s%s%s",
           curve ? "mean curve over " : sfm_kind_name(sfm_release_kind(release)),
           *names && !curve ? " of " : "", names, series ? ", as a series" : "",
           sfm_release_private(release) ? "" : " (seeded: not private)");
  figure->title = title;
  figure->caption = sfm_release_sentence(release);
  figure->value_label = sfm_release_kind(release) == SFM_KIND_DENSITY ? "density" : "value";
  function_figure_axes(figure, release);
  if (figure->stems) figure->labels[0] = "index";
  figure->half_width = sfm_release_refined(release) || total > 0 || interpolated(release)
                           ? 0
                           : sfm_release_band(release).half_width;
  if (figure->stems) {
    figure->counts[0] = sfm_release_length(release);
    figure->upper[0] = (double)(figure->counts[0] - 1);
  }
}

static bool is_density(const sfm_release *release) {
  return sfm_release_kind(release) == SFM_KIND_DENSITY;
}

static sfm_status draw(draw_figure *figure, map_scale *scale, const sfm_release *release,
                       const char *path, double total, sfm_error *error) {
  double *values = NULL;
  unsigned columns, rows;
  figure_output_terminal_size(&columns, &rows);
  if (!figure->stems && !own_grid(release, figure->counts)) {
    /* two points a character, or enough for a page */
    size_t fine = figure->dimension == 2 ? 256 : 801;
    figure->counts[0] = path ? fine : 2 * (size_t)columns;
    figure->counts[1] = path ? fine : 4 * (size_t)rows;
    map_scale_grid(scale, figure);
  }
  sfm_status status = figure->stems
                          ? fill_stems(&values, figure, release, total, error)
                          : function_figure_values(&values, figure, release, total, error);
  if (!status) status = map_scale_values(scale, figure, values, &figure->half_width, error);
  if (!status) map_scale_show(scale, figure, is_density(release));
  figure->values = values;
  if (!status) status = figure_output_draw(figure, path, error);
  free(values);
  return status;
}

/* Whether a picture can show it, with these options. */
static sfm_status check(const sfm_release *release, const cli_options *options, sfm_error *error) {
  const size_t dimension = sfm_release_dimension(release);
  if (dimension > 2)
    return cli_misuse(
        error,
        "%s has %zu variables, but a picture shows one or two; `sfumato eval` prints its values",
        options->operand, dimension);
  if (options_has(options, "total") &&
      (!dimension || sfm_release_neighbours(release) == SFM_NEIGHBOURS_REPLACE))
    return cli_misuse(error, "--total is for densities released under add-remove; leave it out");
  if (options_has(options, "group") && !sfm_release_group_count(release))
    return cli_misuse(error, "--group: this release has no groups; leave it out");
  return SFM_OK;
}

sfm_status plot_function(const sfm_release *release, const cli_options *options, sfm_error *error) {
  draw_figure figure = {0};
  background_curves behind = {0};
  picture_words words;
  map_scale scale;
  char title[256], note[768], label[32];
  double total = 0;
  sfm_status status = check(release, options, error);
  if (!status && sfm_release_group_count(release)) return plot_groups(release, options, error);
  if (!status) status = options_take(options, &total, "total", error);
  if (!status) status = background_curves_read(&behind, options, release, error);
  if (!status) {
    describe(&figure, release, title, sizeof title, total);
    picture_words_title(&words, &figure.title, &figure.subtitle, options, release);
    status = picture_words_units(&words, figure.units, figure.stems ? 0 : figure.dimension, options,
                                 error);
  }
  if (!status) status = map_scale_read(&scale, &figure, is_density(release), options, error);
  if (!status) {
    write_note(note, sizeof note, release, &scale, &figure, total);
    figure.note = note;
    snprintf(label, sizeof label, "%.6g %% band", 100 * sfm_release_band(release).confidence);
    figure.band_label = label;
    paths_note(options);
    background_curves_show(&behind, &figure);
    status = draw(&figure, &scale, release, options_get(options, "output"), total, error);
  }
  background_curves_clear(&behind);
  return status;
}
