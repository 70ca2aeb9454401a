#include "plan_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/request/row_options.h"
#include "cli/io/figure_output.h"
#include "cli/core/text.h"
#include "plan_command.h"
#include "plan_figure.h"
#include "plan_json.h"
#include "plan_text.h"
#include "cli/core/shared_options.h"
#include "draw/axis.h"

const cli_option option_n = {"n", "N",
                             "how many records there are, or will be: a public number (under "
                             "add-remove: the expected number)"};
const cli_option options_plan[] = {
    {"error", "P%|F",
     "also find the smallest n and the smallest epsilon for this error, as a part of the peak: 3%, "
     "or 0.03; 5 % and 10 % are always found"},
    {"plot", "FILE",
     "write a page for a report, whose name ends in .svg, .png or .pdf: error against n and "
     "epsilon, and simulated releases"},
    CLI_SAME(json),
    {0}};

/* Errors of which it is always said what they take, as parts of the peak. */
static const double USUAL[] = {0.05, 0.10};
/* Of more columns than this the first are shown. */
enum { SHOWN = 3 };
/* How far curves of error go from what was asked, where epsilon ends, and which part of the records
 * an error is that is none. */
static const double REACH = 100, EPSILON_LEAST = 1e-6, EPSILON_MOST = 1e3, NONE = 1e-5;

double plan_relative_error(const sfm_forecast *f, double error) {
  if (!(f->total > 0)) return 0;
  return f->relative * (f->absolute ? error / f->total : sqrt(error / f->total));
}

/* "0", "2,000", and of years 2000. */
static void bound_text(char *out, size_t size, double bound, bool years) {
  if (bound == floor(bound) && fabs(bound) >= 1000 && fabs(bound) < 1e15 && !years)
    text_whole(out, size, bound);
  else
    snprintf(out, size, "%.6g", bound);
}

/* Over what: "age from 0 to 100", of as many columns as there is room for. */
static void write_subject(plan_request *p, const char *what) {
  const size_t shown = p->dimension > 4 ? 3 : p->dimension;
  snprintf(p->subject, sizeof p->subject, "%s ", what);
  for (size_t a = 0; a < shown; a++) {
    const bool years = draw_axis_of_years(p->lower[a], p->upper[a]);
    char lower[64], upper[64];
    bound_text(lower, sizeof lower, p->lower[a], years);
    bound_text(upper, sizeof upper, p->upper[a], years);
    text_add(p->subject, sizeof p->subject, "%s%.60s from %s to %s", a ? ", " : "", p->columns[a],
             lower, upper);
  }
  if (shown < p->dimension)
    text_add(p->subject, sizeof p->subject, " and %zu more", p->dimension - shown);
}

void plan_request_take(plan_request *p, const sfm_context *context, double epsilon, double delta) {
  p->epsilon = epsilon;
  p->delta = delta;
  p->confidence = context->confidence;
  p->neighbours = sfm_schema_neighbours(context->schema);
  p->contributions = sfm_schema_contributions(context->schema);
  p->enforced = sfm_schema_person(context->schema) != NULL;
}

void plan_request_fill(plan_request *p, const char *what, const sfm_density_settings *s) {
  plan_request_take(p, &s->context, s->epsilon, s->delta);
  p->dimension = s->dimension;
  p->columns = s->columns;
  for (size_t a = 0; a < s->dimension; a++) {
    const sfm_column *column = sfm_schema_find(s->context.schema, s->columns[a]);
    p->lower[a] = column->lower;
    p->upper[a] = column->upper;
  }
  write_subject(p, what);
}

/* --error as a part of the peak, or of a sensitivity, of which it can be more than the whole; NaN
 * when it is not given. */
static sfm_status read_error(double *out, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "error");
  char number[64];
  *out = NAN;
  if (!text) return SFM_OK;
  const size_t length = strlen(text), percent = length > 0 && text[length - 1] == '%';
  snprintf(number, sizeof number, "%.*s", (int)(length < 60 ? length - percent : 60), text);
  const char *verb = options->verb->name;
  const bool vector = strcmp(verb, "plan vector") == 0;
  const bool records = strcmp(verb, "plan histogram") == 0 || strcmp(verb, "plan count") == 0;
  if (!text_number(out, number) || !(*out > 0) || !isfinite(*out) ||
      (!vector && !((percent ? *out / 100 : *out) <= 1)))
    return cli_misuse(error,
                      vector ? "--error: '%.60s' is not a part of the sensitivity above 0; write "
                               "for example --error 50%% or --error 0.5"
                      : records ? "--error: '%.60s' is not a part of the records above 0 and up to "
                                  "100%%; write for example --error 3%% or --error 0.03"
                                : "--error: '%.60s' is not a part of the peak above 0 and up to "
                                  "100%%; write for example --error 3%% or --error 0.03",
                      text);
  if (percent) *out /= 100;
  return SFM_OK;
}

static sfm_status find_need(plan_need *need, const plan_request *p, double relative,
                            sfm_error *error) {
  *need = (plan_need){.relative = relative, .rows = NAN};
  sfm_status status = p->people ? sfm_plan_rows_for(p->plan, &need->rows, relative, error) : SFM_OK;
  return status ? status : sfm_plan_epsilon_for(p->plan, &need->epsilon, relative, error);
}

static sfm_status find_needs(plan_findings *found, const plan_request *p, sfm_error *error) {
  double wanted;
  sfm_status status = read_error(&wanted, p->options, error);
  if (!status && wanted > 0)
    status = find_need(&found->needs[found->need_count++], p, wanted, error);
  for (size_t i = 0; !status && i < sizeof USUAL / sizeof *USUAL; i++)
    if (wanted != USUAL[i])
      status = find_need(&found->needs[found->need_count++], p, USUAL[i], error);
  return status;
}

/* Forecasts at places spread evenly, in logarithms, about the middle; those beyond what can be
 * promised or planned are left out. */
static void find_curve(plan_curve_point *points, size_t *count, const plan_request *p,
                       double middle, double least, double most, bool rows) {
  for (int i = 0; i < PLAN_CURVE_POINTS; i++) {
    const double exponent = 2.0 * i / (PLAN_CURVE_POINTS - 1) - 1,
                 at = rows ? round(middle * pow(REACH, exponent)) : middle * pow(REACH, exponent);
    sfm_error ignored;
    plan_curve_point point = {.at = at};
    if (!(at >= least && at <= most) || (*count && !(at > points[*count - 1].at))) continue;
    if (sfm_plan_forecast(p->plan, &point.forecast, rows ? at : (double)p->rows,
                          rows ? p->epsilon : at, &ignored))
      continue;
    if (!p->tabular || point.forecast.relative >= NONE) points[(*count)++] = point;
  }
}

static sfm_status find(plan_findings *found, const plan_request *p, sfm_error *error) {
  const size_t best = sfm_plan_best(p->plan);
  *found = (plan_findings){.bandwidth = {NAN}};
  if (best == SIZE_MAX) return SFM_OK;
  found->best = sfm_plan_at(p->plan, best);
  sfm_status status = find_needs(found, p, error);
  if (!status) status = sfm_plan_bandwidth(p->plan, found->bandwidth, &found->widened, error);
  if (status) return status;
  if (p->people)
    find_curve(found->by_rows, &found->rows_count, p, (double)p->rows, 1,
               (double)ROW_OPTIONS_COUNT_MAX, true);
  find_curve(found->by_epsilon, &found->epsilon_count, p, p->epsilon, EPSILON_LEAST, EPSILON_MOST,
             false);
  return SFM_OK;
}

const char *plan_substitute_method(const plan_request *p, const plan_findings *found) {
  const bool other = p->usual && found->best && strcmp(p->usual, found->best->method) != 0;
  return other ? p->usual : NULL;
}

/* Whether there is a terminal to draw on, or the size of one was stated. */
static bool shown(void) {
  return isatty(STDOUT_FILENO) || getenv("LINES");
}

sfm_status plan_report_run(const cli_options *options, sfm_error *error) {
  static const char *const none[] = {NULL};
  plan_request p = *options->verb->plan;
  double wanted;
  p.options = options;
  p.kind = strchr(options->verb->name, ' ') + 1;
  if (!p.verb) p.verb = p.kind;
  if (!p.input) p.input = "ROWS";
  if (!p.apart) p.apart = none;
  p.shape = options_given(options, "shape");
  sfm_status status = p.people ? row_options_read_count(&p.rows, options, error)
                               : options_take(options, &p.length, "length", error);
  if (!status) status = read_error(&wanted, options, error);
  if (!status) status = figure_output_check("--plot", options_get(options, "plot"), error);
  if (!status) status = p.plan_by(&p, error);
  sfm_plan_destroy(p.plan);
  return status;
}

sfm_status plan_report_show(const plan_request *p, sfm_status status, sfm_error *error) {
  unsigned columns, rows;
  plan_findings found;
  if (!status) status = find(&found, p, error);
  if (status) return status;
  figure_output_terminal_size(&columns, &rows);
  const size_t width = columns < 40 ? 40 : columns > 100 ? 100 : columns;
  status = options_has(p->options, "json") ? plan_json_print(p, &found, error)
                                           : plan_text_print(p, &found, width, error);
  const char *path = options_get(p->options, "plot");
  if (!status && found.best && !options_has(p->options, "json") && shown())
    status = plan_figure_draw(p, &found, NULL, error);
  if (!status && path && !found.best)
    status = cli_misuse(error, "--plot: no method is possible, so there is nothing to draw");
  return status || !path ? status : plan_figure_draw(p, &found, path, error);
}

void plan_percent_text(char *out, size_t size, double part) {
  const double percent = 100 * part;
  if (!(percent < 1e6))
    snprintf(out, size, isnan(percent) ? "-" : ">999,999");
  else if (percent >= 9.95)
    text_whole(out, size, percent);
  else if (percent > 0 && percent < 1e-4)
    snprintf(out, size, "<0.0001");
  else
    snprintf(out, size, "%.*f",
             percent >= 0.95    ? 1
             : percent >= 0.095 ? 2
             : percent > 0      ? 3
                                : 0,
             percent);
}

static bool all_same(const sfm_plan_parameter *parameter) {
  bool same = true;
  for (size_t a = 1; a < parameter->count; a++)
    same = same && parameter->numbers[a] == parameter->numbers[0];
  return same;
}

void plan_numbers_text(char *out, size_t size, const sfm_plan_parameter *parameter, int digits) {
  const bool same = all_same(parameter);
  out[0] = 0;
  for (size_t a = 0; a < (same ? 1 : parameter->count); a++) {
    char number[40];
    if (digits)
      snprintf(number, sizeof number, "%.*g", digits, parameter->numbers[a]);
    else
      text_shortest(number, sizeof number, parameter->numbers[a]);
    text_add(out, size, "%s%s", a ? "," : "", number);
  }
}

/* "laplace", "h 3.7", "7 terms", "ridge 0.01"; of many columns the first. */
static void parameter_text(char *out, size_t size, const sfm_plan_parameter *parameter) {
  const char *name = parameter->name;
  sfm_plan_parameter few = *parameter;
  char numbers[64], whole[64];
  text_whole(whole, sizeof whole, parameter->text ? 0 : parameter->numbers[0]);
  if (few.count > SHOWN && !all_same(parameter)) few.count = SHOWN - 1;
  plan_numbers_text(numbers, sizeof numbers, &few, 3);
  if (few.count < parameter->count) text_add(numbers, sizeof numbers, ",...");
  if (parameter->text)
    snprintf(out, size, "%s", parameter->text);
  else if (strcmp(name, "terms") == 0 || strcmp(name, "features") == 0)
    snprintf(out, size, "%s %.*s", whole, (int)(strlen(name) - (parameter->numbers[0] == 1)), name);
  else if (strcmp(name, "occupied") == 0)
    snprintf(out, size, "%s %s", whole, name);
  else
    snprintf(out, size, "%s %s", strcmp(name, "bandwidth") == 0 ? "h" : name, numbers);
}

void plan_choice_text(char *out, size_t size, const plan_request *p, const sfm_plan_entry *entry) {
  out[0] = 0;
  for (size_t i = 0; i < entry->parameter_count; i++) {
    const sfm_plan_parameter *parameter = &entry->parameters[i];
    char text[128];
    if (!parameter->option || !options_declared(p->options, parameter->name) ||
        plan_option_shared(p, parameter->name))
      continue;
    if ((parameter->text && !*parameter->text) || strcmp(parameter->name, "delta") == 0 ||
        strcmp(parameter->name, "mechanism") == 0)
      continue; /* the method's name, or the guarantee, says it */
    if (parameter->text && (strcmp(parameter->text, entry->method) == 0 ||
                            strcmp(parameter->text, "gaussian") == 0)) /* as ever */
      continue;
    parameter_text(text, sizeof text, parameter);
    text_add(out, size, "%s%s", *out ? ", " : "", text);
  }
}
