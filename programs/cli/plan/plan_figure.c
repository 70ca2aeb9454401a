#include "plan_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/io/figure_output.h"
#include "cli/io/map_scale.h"
#include "draw/figure.h"
#include "draw/plan_page.h"
#include "cli/core/terminal_filter.h"
#include "cli/core/text.h"

enum {
  RELEASES = 3,
  PANELS = RELEASES + 1,
  PARTS = 4,
  FINE_CURVE = 401,
  FINE_MAP = 96,
  HEIGHT = 44
};

/* Maps of more than this height over width stand in one row. */
static const double TALL = 1.2;

/* One of the two plots of error. */
typedef struct curve_buffers {
  double at[PLAN_CURVE_POINTS];
  double values[PARTS][PLAN_CURVE_POINTS], low[PLAN_CURVE_POINTS], high[PLAN_CURVE_POINTS];
  draw_series series[PARTS];
  size_t series_count;
  char title[48], here[64];
} curve_buffers;

typedef struct plan_figure {
  draw_plan_page report;
  draw_figure preview;
  draw_panel panels[PANELS];
  map_scale scale;
  curve_buffers buffers[2];
  double levels[PLAN_NEEDS_MAX];
  char level_texts[PLAN_NEEDS_MAX][24];
  const char *level_names[PLAN_NEEDS_MAX];
  size_t level_count;
  char title[320], subtitle[512], caption[512], value_label[64], band[48], note[320];
  double *values[PANELS]; /* owned: the shape, and the releases */
} plan_figure;

/* Whether a part is all of the total: one line is enough. */
static bool same_curve(const double *a, const double *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(fabs(a[i] - b[i]) <= 1e-6 * fabs(b[i]))) return false;
  return true;
}

static void fill_series(curve_buffers *buffer, const plan_request *p,
                        const plan_curve_point *points, size_t count) {
  static const char *const functions[PARTS] = {"total", "privacy", "sampling",
                                               "smoothing and rest"};
  static const char *const tables[PARTS] = {"total", "noise", "", "below the threshold"};
  const char *const *names = p->tabular ? tables : functions;
  for (size_t i = 0; i < count; i++) {
    const sfm_forecast *f = &points[i].forecast;
    const double parts[PARTS] = {f->total, f->privacy, f->sampling,
                                 f->smoothing + f->truncation + f->aliasing};
    buffer->at[i] = points[i].at;
    buffer->low[i] = plan_relative_error(f, f->low);
    buffer->high[i] = plan_relative_error(f, f->high);
    for (int k = 0; k < PARTS; k++) buffer->values[k][i] = plan_relative_error(f, parts[k]);
  }
  for (int k = 0; k < PARTS; k++)
    if (k == 0 || !same_curve(buffer->values[k], buffer->values[0], count))
      buffer->series[buffer->series_count++] =
          (draw_series){.name = names[k], .values = buffer->values[k]};
  buffer->series[0].low = buffer->low;
  buffer->series[0].high = buffer->high;
}

/* Adds a plot, if there are places enough for one. */
static void add_curves(plan_figure *v, const plan_request *p, const plan_curve_point *points,
                       size_t count, bool rows) {
  curve_buffers *buffer = &v->buffers[v->report.curve_count];
  if (count < 2) return;
  fill_series(buffer, p, points, count);
  snprintf(buffer->title, sizeof buffer->title, "with more or fewer %s",
           p->people ? p->people : "");
  if (rows)
    text_whole(buffer->here, sizeof buffer->here, (double)p->rows);
  else
    snprintf(buffer->here, sizeof buffer->here, "epsilon %.4g", p->epsilon);
  v->report.curves[v->report.curve_count++] = (draw_curves){
      .title = rows ? buffer->title : "with more or less privacy",
      .label = rows ? p->people : "epsilon",
      .value_label = v->value_label,
      .at = buffer->at,
      .count = count,
      .series = buffer->series,
      /* Else all of it is privacy's. */
      .series_count = p->people && (p->like || !p->tabular) ? buffer->series_count : 1,
      .levels = v->levels,
      .level_names = v->level_names,
      .level_count = v->level_count,
      .here = rows ? (double)p->rows : p->epsilon,
      .here_label = buffer->here,
  };
}

static void describe(plan_figure *v, const plan_request *p, const plan_findings *found) {
  char rows[64] = "", delta[40] = "", shape[200], percent[16], curves[128] = "";
  text_whole(rows, sizeof rows, (double)p->rows);
  text_harmless(shape, sizeof shape, p->shape ? p->shape : "");
  if (p->delta > 0) {
    snprintf(delta, sizeof delta, ", delta %.4g", p->delta);
    text_short_power(delta);
  }
  snprintf(v->title, sizeof v->title, "What to expect of %.250s", p->subject);
  snprintf(v->subtitle, sizeof v->subtitle, "%s%s%s%sepsilon %.6g%s%s%s%s%s", p->people ? rows : "",
           p->people ? " " : "", p->people ? p->people : "", p->people ? ", " : "", p->epsilon,
           delta, p->shape ? ", " : "", p->shape ? p->like : "", p->shape ? " " : "", shape);
  plan_percent_text(percent, sizeof percent, found->best->predicted.relative);
  const char *other = plan_substitute_method(p, found);
  if (other)
    snprintf(curves, sizeof curves,
             " The curves, and the dot on them, are of the %s mechanism, which has more error.",
             other);
  snprintf(v->caption, sizeof v->caption,
           "Method %s: an error of about %s\u00a0%% of %s (%s %s). The tinted area holds 19 of 20 "
           "releases%s.%s Planned before any row was read.",
           found->best->method, percent, p->whole,
           p->tabular ? "mean absolute error" : "root mean square", p->over,
           !p->like || p->shape ? ""
           : p->tabular         ? ", whatever the counts (none were guessed)"
                                : ", for a family of shapes (none was stated)",
           curves);
  snprintf(v->value_label, sizeof v->value_label, "error, of %s", p->whole);
  v->report.title = v->title;
  v->report.subtitle = v->subtitle;
  v->report.caption = v->caption;
  v->level_count = found->need_count;
  for (size_t i = 0; i < found->need_count; i++) {
    v->levels[i] = found->needs[i].relative;
    snprintf(v->level_texts[i], sizeof v->level_texts[i], "%.3g\u00a0%%", 100 * v->levels[i]);
    v->level_names[i] = v->level_texts[i];
  }
}

/* The grid on which shape and releases are drawn, both bounds included. */
static void lay_grid(draw_figure *figure, const plan_request *p) {
  figure->dimension = (unsigned)p->dimension;
  for (size_t a = 0; a < p->dimension; a++) {
    figure->counts[a] = p->dimension == 2 ? FINE_MAP : FINE_CURVE;
    figure->lower[a] = p->lower[a];
    figure->upper[a] = p->upper[a];
    figure->labels[a] = p->columns[a];
  }
}

static sfm_status fill_shape(double *values, const draw_figure *figure, const plan_request *p,
                             sfm_error *error) {
  const size_t d = figure->dimension, count = draw_figure_size(figure);
  double *points = malloc(count * d * sizeof *points);
  if (!points) return cli_fail_memory(error);
  for (size_t i = 0; i < count; i++)
    for (size_t a = 0; a < d; a++) {
      const size_t k = d == 1 ? i : a == 0 ? i / figure->counts[1] : i % figure->counts[1];
      const double t = (double)k / (double)(figure->counts[a] - 1);
      points[i * d + a] = figure->lower[a] * (1 - t) + figure->upper[a] * t;
    }
  sfm_status status = sfm_plan_shape(p->plan, values, points, count, error);
  free(points);
  return status;
}

/* One simulated release as a panel. */
static sfm_status fill_release(draw_panel *panel, double *values, const draw_figure *figure,
                               const plan_request *p, uint64_t seed, sfm_error *error) {
  static const char *const labels[RELEASES] = {"release 1", "release 2", "release 3"};
  sfm_release *release = NULL;
  sfm_evaluator *evaluator = NULL;
  sfm_status status = sfm_plan_preview(p->plan, &release, seed, error);
  if (status) return status;
  *panel = (draw_panel){.label = labels[seed - 1], .absent = "too few to tell"};
  if (!sfm_release_too_few(release)) {
    panel->values = values;
    panel->half_width = sfm_release_band(release).half_width;
    status = sfm_evaluator_create(&evaluator, release, 0, error);
    if (!status) status = sfm_evaluator_grid(evaluator, values, figure->counts, error);
  }
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
  return status;
}

/* Three releases, over the shape as a dashed curve, or beside it as a map. */
static sfm_status fill_preview(plan_figure *v, const plan_request *p, sfm_error *error) {
  draw_figure *figure = &v->preview;
  const bool map = p->dimension == 2;
  lay_grid(figure, p);
  map_scale_find(&v->scale, figure);
  sfm_status status = SFM_OK;
  for (size_t k = 0; !status && k < PANELS; k++) {
    v->values[k] = malloc(draw_figure_size(figure) * sizeof *v->values[k]);
    if (!v->values[k]) return cli_fail_memory(error);
    status = k == 0 ? fill_shape(v->values[0], figure, p, error)
                    : fill_release(&v->panels[k], v->values[k], figure, p, k, error);
    if (!status)
      status = map_scale_values(&v->scale, figure, v->values[k], &v->panels[k].half_width, error);
    v->panels[k].reference = map ? NULL : v->values[0];
  }
  v->panels[0] = (draw_panel){.label = "the shape", .values = v->values[0]};
  snprintf(v->band, sizeof v->band, "%.6g\u00a0%% band", 100 * p->confidence);
  snprintf(
      v->note, sizeof v->note,
      "Three simulated releases of records drawn from the shape, with public noise: no row was "
      "read for them.");
  figure->title = "What such a release would look like";
  figure->value_label = strcmp(p->kind, "curve") == 0 ? "value" : "density";
  figure->floating = strcmp(p->kind, "curve") == 0;
  map_scale_show(&v->scale, figure, true);
  figure->note = v->note;
  figure->band_label = v->band;
  figure->names[0] = "release";
  figure->names[1] = "shape";
  figure->panels = map ? v->panels : v->panels + 1;
  figure->panel_count = map ? PANELS : RELEASES;
  figure->panel_columns = !map ? RELEASES : figure->aspect > TALL ? PANELS : 2;
  v->report.preview = figure;
  return status;
}

/* On a terminal: the totals alone, and as high as two plots and a preview are. */
static void draw_on_terminal(plan_figure *v) {
  unsigned columns, rows;
  figure_output_terminal_size(&columns, &rows);
  for (size_t k = 0; k < v->report.curve_count; k++) v->report.curves[k].series_count = 1;
  fputc('\n', stdout);
  draw_plan_page_terminal(&v->report, terminal_unfiltered(), columns, rows > HEIGHT ? rows : HEIGHT,
                          isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
}

sfm_status plan_figure_draw(const plan_request *p, const plan_findings *found, const char *path,
                            sfm_error *error) {
  plan_figure *v = calloc(1, sizeof *v);
  if (!v) return cli_fail_memory(error);
  describe(v, p, found);
  add_curves(v, p, found->by_rows, found->rows_count, true);
  add_curves(v, p, found->by_epsilon, found->epsilon_count, false);
  sfm_status status = p->dimension == 1 || p->dimension == 2 ? fill_preview(v, p, error) : SFM_OK;
  if (!status && !path) draw_on_terminal(v);
  if (!status && path) status = draw_plan_page_file(&v->report, path, error);
  if (!status && path) fprintf(stderr, "wrote %s\n", path);
  for (size_t k = 0; k < PANELS; k++) free(v->values[k]);
  free(v);
  return status;
}
