/* plot_machine.c - pictures of machines over one or two of their columns, the others held still. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/figure_output.h"
#include "cli/io/picture_words.h"
#include "cli/report/machine_fit_text.h"
#include "cli/report/report.h"
#include "machine_held_columns.h"
#include "machine_points.h"
#include "cli/io/map_scale.h"

/* Grids: of paper, and of paper when there are many features. */
enum { FINE_ACROSS = 241, FINE_UP = 161, COARSE = 81, CURVE = 401 };
static const size_t MANY_FEATURES = 20000;

typedef struct view {
  const sfm_release *release;
  sfm_machine machine;
  size_t axes[2], axis_count;
  map_scale scale;
  machine_held_columns held;
  char note[3072], own[400], label[64], value[120];
  const char *title, *subtitle, *units[2];
  picture_words words;
  size_t counts[2], points;
  double *cells, *values, *pointwise, *everywhere;
  double narrowest, widest; /* of pointwise */
  bool fitted;              /* to noisy answers: there is no band */
  double rms;               /* without a band, what values are off by at public points; else NaN */
} view;

static void view_clear(view *v) {
  machine_held_columns_clear(&v->held);
  free(v->cells);
  free(v->values);
  free(v->pointwise);
  free(v->everywhere);
}

/* ---- which columns ---- */

/* Whether a column can be an axis: numbers within bounds. */
static bool can_be_axis(const sfm_release *release, size_t i) {
  double lower, upper;
  sfm_machine_bounds(release, &lower, &upper, i);
  return isfinite(lower) && isfinite(upper);
}

static sfm_status find_axis(view *v, const char *name, sfm_error *error) {
  enum { NAMED = 40 };
  const size_t i = machine_find_column(v->release, name);
  const char *names[NAMED];
  size_t count = 0;
  char list[300];
  for (size_t k = 0; k < v->machine.input_count && count < NAMED; k++)
    if (can_be_axis(v->release, k)) names[count++] = sfm_machine_input(v->release, k);
  text_join(list, sizeof list, names, count);
  if (i == SIZE_MAX)
    return cli_misuse(error, "--axes: the machine has no column '%.80s'; possible axes are %s",
                      name, list);
  if (!can_be_axis(v->release, i))
    return cli_misuse(
        error, "--axes: '%.80s' is not a column of numbers with bounds; possible axes are %s", name,
        count ? list : "none");
  if (v->axis_count == 1 && v->axes[0] == i)
    return cli_misuse(error, "--axes names '%.80s' twice", name);
  v->axes[v->axis_count++] = i;
  return SFM_OK;
}

/* Without --axes: the first two that can be. */
static sfm_status choose_axes(view *v, sfm_error *error) {
  size_t count = 0;
  for (size_t i = 0; i < v->machine.input_count; i++) {
    if (!can_be_axis(v->release, i)) continue;
    if (v->axis_count < 2) v->axes[v->axis_count++] = i;
    count++;
  }
  if (count > 2)
    text_say(stderr, "note",
             "drawn over %.100s and %.100s, the first two of %zu columns of numbers; "
             "--axes A,B draws others",
             sfm_machine_input(v->release, v->axes[0]), sfm_machine_input(v->release, v->axes[1]),
             count);
  if (count) return SFM_OK;
  return cli_misuse(error,
                    "the machine has no columns of numbers with bounds, so there are no axes; "
                    "`sfumato eval --points` prints values");
}

static sfm_status read_axes(view *v, const char *text, sfm_error *error) {
  text_list list;
  if (machine_is_gram(&v->machine))
    return machine_gram_fail("there are no axes", &v->machine, error);
  if (v->machine.input_count == 0)
    return cli_misuse(error, "this machine was trained on sparse rows, whose coordinates have no "
                             "names, so there are no axes; `sfumato eval --points` prints values");
  if (!text) return choose_axes(v, error);
  sfm_status status = text_split(&list, text, ',', error);
  if (status) return status;
  if (list.count > 2)
    status = cli_misuse(error, "--axes: a picture shows one or two columns, not %zu", list.count);
  for (size_t k = 0; !status && k < list.count; k++) status = find_axis(v, list.items[k], error);
  text_list_clear(&list);
  return status;
}

/* A map of longitude and latitude has the shape of the land, and longitude across. */
static sfm_status read_scale(view *v, const cli_options *options, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (int turned = 1; !status && turned >= 0; turned--) {
    draw_figure plane = {.dimension = (unsigned)v->axis_count};
    for (size_t a = 0; a < v->axis_count; a++) {
      plane.labels[a] = sfm_machine_input(v->release, v->axes[a]);
      sfm_machine_bounds(v->release, &plane.lower[a], &plane.upper[a], v->axes[a]);
    }
    status = map_scale_read(&v->scale, &plane, false, options, error);
    if (!v->scale.turned) break;
    const size_t first = v->axes[0];
    v->axes[0] = v->axes[1];
    v->axes[1] = first;
  }
  return status;
}

/* ---- words ---- */

static void write_width(char *out, size_t size, double width) {
  if (width >= 1000 && width < 1e9)
    text_whole(out, size, width);
  else
    snprintf(out, size, "%.3g", width);
}

/* How far off the values of the picture may be. */
static void write_band(view *v) {
  const double confidence = sfm_release_band(v->release).confidence;
  char least[40], most[40], widths[120];
  if (isfinite(v->rms)) {
    text_add(v->note, sizeof v->note,
             "No band: at its public points values are within %.3g (root mean square) of those "
             "without noise, with confidence %.6g; the error elsewhere is not known.",
             v->rms, confidence);
    return;
  }
  if (v->fitted) {
    text_add(v->note, sizeof v->note, "No band: the error away from the answers is not known.");
    return;
  }
  if (!isfinite(v->widest)) {
    report_error(v->note, sizeof v->note, v->release);
    return;
  }
  write_width(least, sizeof least, v->narrowest);
  write_width(most, sizeof most, v->widest);
  if (strcmp(least, most) == 0)
    snprintf(widths, sizeof widths, "\u00b1%s", most);
  else
    snprintf(widths, sizeof widths, "\u00b1%s to \u00b1%s, depending on the place,", least, most);
  text_add(v->note, sizeof v->note,
           "Band: values are within %s of those without noise at any one point fixed beforehand, "
           "with confidence %.6g; sfumato eval --band prints it point by point.",
           widths, confidence);
}

/* "ill by age and dose" */
static void write_title(view *v) {
  const char *label = v->machine.label, *other = "";
  if (v->axis_count == 2) other = sfm_machine_input(v->release, v->axes[1]);
  snprintf(v->own, sizeof v->own, "%.100s by %.100s%s%.100s%s", label ? label : "the label",
           sfm_machine_input(v->release, v->axes[0]), v->axis_count == 2 ? " and " : "", other,
           sfm_release_private(v->release) ? "" : " (seeded: not private)");
}

/* What its values are, for their axis. */
static void write_value(view *v) {
  const sfm_machine *m = &v->machine;
  if (m->task == SFM_TASK_REGRESSION)
    snprintf(v->value, sizeof v->value, "%.100s", m->label ? m->label : "value");
  else if (m->task == SFM_TASK_BINARY)
    snprintf(v->value, sizeof v->value, "value (above 0: %.80s)", sfm_machine_class(v->release, 1));
  else
    snprintf(v->value, sizeof v->value, "value (the largest decides)");
}

static void word(view *v, const cli_options *options) {
  write_title(v);
  v->title = v->own;
  picture_words_title(&v->words, &v->title, &v->subtitle, options, v->release);
  write_value(v);
  machine_held_columns_say(&v->held, v->note, sizeof v->note - 512);
  write_band(v);
  snprintf(v->label, sizeof v->label, "%.6g %% band at one point",
           100 * sfm_release_band(v->release).confidence);
}

/* ---- values ---- */

static void fill_cells(view *v) {
  const size_t inputs = v->machine.input_count, across = v->counts[0],
               up = v->axis_count == 2 ? v->counts[1] : 1;
  double lower[2], upper[2];
  for (size_t a = 0; a < v->axis_count; a++)
    sfm_machine_bounds(v->release, &lower[a], &upper[a], v->axes[a]);
  for (size_t p = 0; p < across * up; p++) {
    const size_t place[2] = {p / up, p % up};
    double *cells = v->cells + p * inputs;
    memcpy(cells, v->held.cells, inputs * sizeof *cells);
    for (size_t a = 0; a < v->axis_count; a++) {
      const double part = (double)place[a] / (double)(v->counts[a] - 1);
      cells[v->axes[a]] = part < 1 ? lower[a] + part * (upper[a] - lower[a]) : upper[a];
    }
  }
}

static sfm_status fill_values(view *v, bool paper, sfm_error *error) {
  const bool plane = v->axis_count == 2, many = v->machine.features > MANY_FEATURES;
  unsigned columns, rows;
  figure_output_terminal_size(&columns, &rows);
  v->counts[0] = !paper ? columns : !plane ? CURVE : many ? COARSE : FINE_ACROSS;
  v->counts[1] = !paper ? 2 * rows : many ? COARSE : FINE_UP;
  v->points = v->counts[0] * (plane ? v->counts[1] : 1);
  v->cells = malloc(v->points * v->machine.input_count * sizeof *v->cells);
  v->values = malloc(v->points * v->machine.function_count * sizeof *v->values);
  v->pointwise = malloc(v->points * sizeof *v->pointwise);
  v->everywhere = malloc(v->points * sizeof *v->everywhere);
  if (!v->cells || !v->values || !v->pointwise || !v->everywhere) return cli_fail_memory(error);
  fill_cells(v);
  sfm_status status = sfm_machine_at(v->release, v->values, v->cells, v->points, error);
  if (!status)
    status = sfm_machine_band(v->release, v->pointwise, v->everywhere, v->cells, v->points,
                              sfm_release_band(v->release).confidence, error);
  v->narrowest = INFINITY;
  for (size_t p = 0; !status && p < v->points; p++) {
    v->narrowest = fmin(v->narrowest, v->pointwise[p]);
    v->widest = fmax(v->widest, v->pointwise[p]);
  }
  return status;
}

/* ---- pictures ---- */

static sfm_status draw_classes(view *v, const char *path, sfm_error *error) {
  enum { CLASSES_MOST = 1000 };
  const char *classes[CLASSES_MOST];
  char label[120];
  const size_t count =
      v->machine.class_count < CLASSES_MOST ? v->machine.class_count : CLASSES_MOST;
  /* The difference of two functions has more noise than one. */
  const bool several = v->machine.function_count > 1, stated = isfinite(v->rms),
             banded = isfinite(v->widest) || stated;
  for (size_t p = 0; stated && p < v->points; p++) v->pointwise[p] = v->rms;
  for (size_t p = 0; several && p < v->points; p++) v->pointwise[p] *= M_SQRT2;
  for (size_t k = 0; k < count; k++) classes[k] = sfm_machine_class(v->release, k);
  snprintf(label, sizeof label,
           stated ? "within the error of the values (%.6g %%)" : "within the noise (%.6g %%)",
           100 * sfm_release_band(v->release).confidence);
  const draw_regions_panel panel = {.values = v->values, .noise = banded ? v->pointwise : NULL};
  draw_regions regions = {.title = v->title,
                          .subtitle = v->subtitle,
                          .caption = sfm_release_sentence(v->release),
                          .note = v->note,
                          .noise_label = label,
                          .counts = {v->counts[0], v->counts[1]},
                          .classes = classes,
                          .class_count = count,
                          .functions = v->machine.function_count,
                          .panels = &panel,
                          .panel_count = 1};
  for (size_t a = 0; a < 2; a++) {
    regions.labels[a] = sfm_machine_input(v->release, v->axes[a]);
    regions.units[a] = v->units[a];
    sfm_machine_bounds(v->release, &regions.lower[a], &regions.upper[a], v->axes[a]);
  }
  draw_figure shape = {.lower = {regions.lower[0], regions.lower[1]},
                       .upper = {regions.upper[0], regions.upper[1]}};
  map_scale_show(&v->scale, &shape, false);
  regions.aspect = shape.aspect;
  regions.rule = shape.rule;
  regions.rule_label = shape.rule_label;
  return figure_output_regions(&regions, path, error);
}

/* One curve a class, one below the other. */
static sfm_status draw_each(view *v, draw_figure *figure, const char *path, sfm_error *error) {
  enum { PANELS_MOST = 24 };
  const size_t functions = v->machine.function_count,
               shown = functions < PANELS_MOST ? functions : PANELS_MOST;
  draw_panel panels[PANELS_MOST];
  double *turned = malloc(v->points * shown * sizeof *turned);
  if (!turned) return cli_fail_memory(error);
  for (size_t f = 0; f < shown; f++) {
    for (size_t p = 0; p < v->points; p++) turned[f * v->points + p] = v->values[p * functions + f];
    panels[f] = (draw_panel){.label = sfm_machine_class(v->release, f),
                             .values = turned + f * v->points,
                             .half_width = v->widest};
  }
  figure->panels = panels;
  figure->panel_count = shown;
  sfm_status status = figure_output_draw(figure, path, error);
  free(turned);
  return status;
}

static sfm_status draw_values(view *v, const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  const bool banded = isfinite(v->widest);
  draw_figure figure = {.title = v->title,
                        .subtitle = v->subtitle,
                        .caption = sfm_release_sentence(v->release),
                        .note = v->note,
                        .band_label = v->label,
                        .value_label = v->value,
                        .dimension = (unsigned)v->axis_count,
                        .floating = true,
                        .counts = {v->counts[0], v->axis_count == 2 ? v->counts[1] : 0},
                        .values = v->values,
                        .half_width = v->axis_count == 1 || banded ? v->widest : 0,
                        .half_widths = banded ? v->pointwise : NULL};
  for (size_t a = 0; a < v->axis_count; a++) {
    figure.labels[a] = sfm_machine_input(v->release, v->axes[a]);
    figure.units[a] = v->units[a];
    sfm_machine_bounds(v->release, &figure.lower[a], &figure.upper[a], v->axes[a]);
  }
  if (v->machine.function_count > 1) return draw_each(v, &figure, path, error);
  map_scale_show(&v->scale, &figure, false);
  return figure_output_draw(&figure, path, error);
}

sfm_status plot_machine(const sfm_release *release, const cli_options *options, sfm_error *error) {
  static const char *const apart[] = {"over", "group", "total", "columns", "grid", NULL};
  const char *path = options_get(options, "output");
  view v = {.release = release, .rms = NAN};
  sfm_machine_fit fit;
  sfm_status status = SFM_OK;
  (void)sfm_release_machine(release, &v.machine);
  v.fitted = sfm_release_fit(release, &fit);
  if (v.fitted) v.rms = fit.rms;
  for (size_t i = 0; !status && apart[i]; i++)
    if (options_has(options, apart[i]))
      status = cli_misuse(error, "--%s is not for machines; leave it out", apart[i]);
  if (!status) status = read_axes(&v, options_get(options, "axes"), error);
  if (!status) status = read_scale(&v, options, error);
  if (!status)
    status = machine_held_columns_read(&v.held, release, v.axes, v.axis_count,
                                       options_get(options, "hold"), error);
  if (!status) status = fill_values(&v, path != NULL, error);
  if (!status) status = picture_words_units(&v.words, v.units, v.axis_count, options, error);
  if (!status) word(&v, options);
  if (!status)
    status = v.axis_count == 2 && v.machine.task != SFM_TASK_REGRESSION
                 ? draw_classes(&v, path, error)
                 : draw_values(&v, options, error);
  view_clear(&v);
  return status;
}
