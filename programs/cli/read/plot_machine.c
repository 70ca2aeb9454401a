/* plot_machine.c - pictures of machines over one or two of their columns, the others held still. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/figure_output.h"
#include "cli/report/machine_fit_text.h"
#include "cli/report/report.h"
#include "machine_points.h"

/* Grids: of paper, and of paper when there are many features. */
enum { FINE_ACROSS = 241, FINE_UP = 161, COARSE = 81, CURVE = 401 };
static const size_t MANY_FEATURES = 20000;

typedef struct view {
  const sfm_release *release;
  sfm_machine machine;
  size_t axes[2], axis_count;
  double *held; /* a cell a column */
  char note[1200], title[400], label[64], value[120];
  size_t counts[2], points;
  double *cells, *values, *pointwise, *everywhere;
  double narrowest, widest; /* of pointwise */
  bool fitted;              /* to noisy answers: there is no band */
  double rms;               /* without a band, what values are off by at public points; else NaN */
} view;

static void view_clear(view *v) {
  free(v->held);
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

/* Without --axes: all that can be, if they are one or two. */
static sfm_status choose_axes(view *v, sfm_error *error) {
  for (size_t i = 0; i < v->machine.input_count; i++) {
    if (!can_be_axis(v->release, i)) continue;
    if (v->axis_count < 2) v->axes[v->axis_count] = i;
    v->axis_count++;
  }
  if (v->axis_count == 1 || v->axis_count == 2) return SFM_OK;
  return cli_misuse(error,
                    v->axis_count ? "the machine has %zu columns of numbers, but a picture shows "
                                    "one or two: name them with --axes A,B"
                                  : "the machine has %zu columns of numbers with bounds, so there "
                                    "are no axes; `sfumato eval --points` prints values",
                    v->axis_count);
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

/* ---- the others ---- */

static bool is_axis(const view *v, size_t i) {
  return v->axes[0] == i || (v->axis_count == 2 && v->axes[1] == i);
}

static sfm_status hold_one(view *v, bool *held, char *text, sfm_error *error) {
  char *equals = strchr(text, '=');
  if (!equals) return cli_misuse(error, "--hold: '%.80s' is not COLUMN=VALUE, as in age=40", text);
  *equals = 0;
  const size_t i = machine_find_column(v->release, text);
  if (i == SIZE_MAX) return cli_misuse(error, "--hold: the machine has no column '%.80s'", text);
  if (is_axis(v, i)) return cli_misuse(error, "--hold: '%.80s' is an axis; leave it out", text);
  if (held[i]) return cli_misuse(error, "--hold names '%.80s' twice", text);
  held[i] = true;
  double lower, upper;
  sfm_machine_bounds(v->release, &lower, &upper, i);
  if (!machine_cell(&v->held[i], v->release, i, equals + 1))
    return machine_cell_fail(v->release, i, equals + 1, "--hold", error);
  if (sfm_machine_categories(v->release, i) == 0 && (v->held[i] < lower || v->held[i] > upper))
    return cli_misuse(error,
                      "--hold: %.80s=%.80s is beyond the bounds of the machine; write a number "
                      "from %.10g to %.10g",
                      text, equals + 1, lower, upper);
  return SFM_OK;
}

/* The middle of the bounds, the first category, or 0. */
static double resting(const sfm_release *release, size_t i) {
  double lower, upper;
  sfm_machine_bounds(release, &lower, &upper, i);
  return isfinite(lower) && isfinite(upper) ? lower + 0.5 * (upper - lower) : 0;
}

static sfm_status read_hold(view *v, const char *text, sfm_error *error) {
  text_list list;
  v->held = malloc((v->machine.input_count + 1) * sizeof *v->held);
  if (!v->held) return cli_fail_memory(error);
  for (size_t i = 0; i < v->machine.input_count; i++) v->held[i] = resting(v->release, i);
  if (!text) return SFM_OK;
  sfm_status status = text_split(&list, text, ',', error);
  if (status) return status;
  bool *held = calloc(v->machine.input_count + 1, sizeof *held);
  if (!held) status = cli_fail_memory(error);
  for (size_t k = 0; !status && k < list.count; k++)
    status = hold_one(v, held, list.items[k], error);
  free(held);
  text_list_clear(&list);
  return status;
}

/* ---- words ---- */

/* "Held: c = 5, sex = F. " */
static void write_held(const view *v, char *note, size_t size) {
  enum { SHOWN = 8 };
  size_t shown = 0;
  for (size_t i = 0; i < v->machine.input_count; i++) {
    if (is_axis(v, i)) continue;
    if (shown++ == SHOWN) {
      text_add(note, size, ", ...");
      break;
    }
    const size_t categories = sfm_machine_categories(v->release, i);
    text_add(note, size, "%s%.60s = ", *note ? ", " : "Held: ", sfm_machine_input(v->release, i));
    if (categories)
      text_add(note, size, "%.60s", sfm_machine_category(v->release, i, (size_t)v->held[i]));
    else
      text_add(note, size, "%.6g", v->held[i]);
  }
  if (*note) text_add(note, size, ". ");
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
  snprintf(least, sizeof least, "%.3g", v->narrowest);
  snprintf(most, sizeof most, "%.3g", v->widest);
  if (strcmp(least, most) == 0)
    snprintf(widths, sizeof widths, "\u00b1%s", most);
  else
    snprintf(widths, sizeof widths, "\u00b1%s to \u00b1%s, depending on the place,", least, most);
  text_add(v->note, sizeof v->note,
           "Band: values are within %s of those without noise at any one point fixed beforehand, "
           "with confidence %.6g; `sfumato eval --band` prints it point by point.",
           widths, confidence);
}

/* "ill by age and dose" */
static void write_title(view *v) {
  const char *label = v->machine.label, *other = "";
  if (v->axis_count == 2) other = sfm_machine_input(v->release, v->axes[1]);
  snprintf(v->title, sizeof v->title, "%.100s by %.100s%s%.100s%s", label ? label : "the label",
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

static void word(view *v) {
  write_title(v);
  write_value(v);
  write_held(v, v->note, sizeof v->note / 2);
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
    memcpy(cells, v->held, inputs * sizeof *cells);
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
    sfm_machine_bounds(v->release, &regions.lower[a], &regions.upper[a], v->axes[a]);
  }
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

static sfm_status draw_values(view *v, const char *path, sfm_error *error) {
  draw_figure figure = {.title = v->title,
                        .caption = sfm_release_sentence(v->release),
                        .note = v->note,
                        .band_label = v->label,
                        .value_label = v->value,
                        .dimension = (unsigned)v->axis_count,
                        .floating = true,
                        .counts = {v->counts[0], v->axis_count == 2 ? v->counts[1] : 0},
                        .values = v->values,
                        .half_width = v->axis_count == 1 ? v->widest : 0,
                        .half_widths =
                            v->axis_count == 1 && isfinite(v->widest) ? v->pointwise : NULL};
  for (size_t a = 0; a < v->axis_count; a++) {
    figure.labels[a] = sfm_machine_input(v->release, v->axes[a]);
    sfm_machine_bounds(v->release, &figure.lower[a], &figure.upper[a], v->axes[a]);
  }
  return v->machine.function_count > 1 ? draw_each(v, &figure, path, error)
                                       : figure_output_draw(&figure, path, error);
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
  if (!status) status = read_hold(&v, options_get(options, "hold"), error);
  if (!status) status = fill_values(&v, path != NULL, error);
  if (!status) word(&v);
  if (!status)
    status = v.axis_count == 2 && v.machine.task != SFM_TASK_REGRESSION
                 ? draw_classes(&v, path, error)
                 : draw_values(&v, path, error);
  view_clear(&v);
  return status;
}
