#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/status.h"
#include "privacy/budget_remarks.h"
#include "privacy/calibration.h"
#include "privacy/range_check.h"

/* Most records that any method takes. */
static const double ROWS_MAX = 0x1p36 - 1;

sfm_status sfmi_plan_create(sfm_plan **out, const sfmi_plan_kind *kind, double rows, double epsilon,
                            sfm_error *error) {
  sfm_plan *plan = *out = sfmi_alloc(1, sizeof *plan);
  void *context = sfmi_alloc(1, kind->size);
  if (!plan || !context) {
    free(plan);
    free(context);
    *out = NULL;
    return sfmi_fail_memory(error);
  }
  *plan = (sfm_plan){.rows = rows, .epsilon = epsilon, .kind = kind, .context = context};
  return SFM_OK;
}

void sfmi_plan_remarks(const sfm_plan *plan, const sfm_context *context, double delta,
                       uint64_t rows) {
  const bool known =
      context->schema && sfm_schema_neighbours(context->schema) == SFM_NEIGHBOURS_REPLACE;
  sfmi_budget_remarks(context, plan->epsilon, delta, known ? (double)rows : 0);
}

void sfm_plan_destroy(sfm_plan *plan) {
  if (!plan) return;
  if (plan->kind->clear) plan->kind->clear(plan->context);
  free(plan->context);
  for (size_t i = 0; i < plan->text_count; i++) free(plan->texts[i]);
  free(plan->texts);
  free(plan->entries);
  free(plan);
}

/* The struct that a field is named with: the length of "settings.", or 0. */
static size_t owner_length(const char *text) {
  static const char *const owners[] = {"settings.", "schema.", "rows.", "gram."};
  for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
    const size_t length = strlen(owners[i]);
    if (strncmp(text, owners[i], length) == 0 && text[length] >= 'a' && text[length] <= 'z')
      return length;
  }
  return 0;
}

void sfmi_plan_reason(char *text) {
  char *to = text;
  for (bool within = false; *text;) {
    const size_t owner = within ? 0 : owner_length(text);
    within = strchr(" ('\"", *text) == NULL;
    text += owner;
    if (owner) {
      while ((*text >= 'a' && *text <= 'z') || *text == '_') {
        *to++ = (char)(*text == '_' ? ' ' : *text);
        text++;
      }
      if (strncmp(text, " = ", 3) == 0) text += 2;
    } else
      *to++ = *text++;
  }
  *to = '\0';
}

/* *text becomes a copy that the plan owns. */
static sfm_status keep(sfm_plan *plan, const char **text, sfm_error *error) {
  if (!*text) return SFM_OK;
  char **more = realloc(plan->texts, (plan->text_count + 1) * sizeof *more);
  if (more) plan->texts = more;
  char *copy = more ? sfmi_copy_string(*text) : NULL;
  if (!copy) return sfmi_fail_memory(error);
  plan->texts[plan->text_count++] = copy;
  *text = copy;
  return SFM_OK;
}

sfm_status sfmi_plan_add_entry(sfm_plan *plan, const sfm_plan_entry *entry, sfm_error *error) {
  if (plan->count == plan->room) {
    const size_t room = plan->room ? 2 * plan->room : 8;
    sfm_plan_entry *more = realloc(plan->entries, room * sizeof *more);
    if (!more) return sfmi_fail_memory(error);
    plan->entries = more;
    plan->room = room;
  }
  sfm_plan_entry *added = &plan->entries[plan->count++];
  *added = *entry;
  sfm_status status = keep(plan, &added->absent, error);
  if (!status && added->absent) sfmi_plan_reason(plan->texts[plan->text_count - 1]);
  for (size_t i = 0; !status && i < added->parameter_count; i++)
    status = keep(plan, &added->parameters[i].text, error);
  return status;
}

static int compare(const void *left, const void *right) {
  const sfm_plan_entry *a = left, *b = right;
  if (!a->absent != !b->absent) return a->absent ? 1 : -1;
  if (a->absent) return strcmp(a->method, b->method);
  return (a->predicted.total > b->predicted.total) - (a->predicted.total < b->predicted.total);
}

sfm_status sfmi_plan_add_absent(sfm_plan *plan, const char *method, sfm_status status,
                                const sfm_error *why, sfm_error *error) {
  const sfm_plan_entry entry = {.method = method, .absent = why->message};
  if (status != SFM_INVALID) return sfmi_fail(error, status, "%s", why->message);
  if (!plan->first.status) plan->first = *why;
  return sfmi_plan_add_entry(plan, &entry, error);
}

sfm_status sfmi_plan_finish(sfm_plan **out, sfm_status status, sfm_error *error) {
  sfm_plan *plan = *out;
  if (plan->count && !plan->kind->ordered)
    qsort(plan->entries, plan->count, sizeof *plan->entries, compare);
  if (!status && plan->first.status && sfm_plan_best(plan) == SIZE_MAX)
    status = sfmi_fail(error, SFM_INVALID, "%s", plan->first.message);
  if (!status) return SFM_OK;
  sfm_plan_destroy(plan);
  *out = NULL;
  return status;
}

static sfm_plan_parameter *another(sfm_plan_entry *entry, const char *name, bool option) {
  sfm_plan_parameter *parameter = &entry->parameters[entry->parameter_count++];
  *parameter = (sfm_plan_parameter){.name = name, .option = option};
  return parameter;
}

void sfmi_plan_entry_numbers(sfm_plan_entry *entry, const char *name, const double *numbers,
                             size_t count, bool option) {
  sfm_plan_parameter *parameter = another(entry, name, option);
  memcpy(parameter->numbers, numbers, count * sizeof *numbers);
  parameter->count = count;
}

void sfmi_plan_entry_number(sfm_plan_entry *entry, const char *name, double number, bool option) {
  sfmi_plan_entry_numbers(entry, name, &number, 1, option);
}

void sfmi_plan_entry_text(sfm_plan_entry *entry, const char *name, const char *text, bool option) {
  another(entry, name, option)->text = text;
}

size_t sfm_plan_length(const sfm_plan *plan) {
  return plan->count;
}

const sfm_plan_entry *sfm_plan_at(const sfm_plan *plan, size_t i) {
  return i < plan->count ? &plan->entries[i] : NULL;
}

size_t sfm_plan_best(const sfm_plan *plan) {
  for (size_t i = 0; i < plan->count; i++)
    if (plan->entries[i].taken && !plan->entries[i].absent) return i;
  for (size_t i = 0; i < plan->count; i++)
    if (!plan->entries[i].absent && plan->entries[i].hardened) return i;
  return plan->count && !plan->entries[0].absent ? 0 : SIZE_MAX;
}

sfm_status sfm_plan_forecast(const sfm_plan *plan, sfm_forecast *forecast, double rows,
                             double epsilon, sfm_error *error) {
  const sfm_status status = sfmi_check_epsilon(epsilon, error);
  if (status) return status;
  if (!isnan(plan->rows) && !(rows >= 1 && rows <= ROWS_MAX))
    return sfmi_fail(error, SFM_INVALID, "a plan is for 1 to %g records, not %g", ROWS_MAX, rows);
  return plan->kind->forecast(plan->context, forecast, rows, epsilon, error);
}

static sfm_status check_relative(double relative, sfm_error *error) {
  return relative > 0
             ? SFM_OK
             : sfmi_fail(error, SFM_INVALID,
                         "a relative error is above 0, not %g: write for example 0.05", relative);
}

sfm_status sfm_plan_rows_for(const sfm_plan *plan, double *rows, double relative,
                             sfm_error *error) {
  sfm_forecast f;
  *rows = isnan(plan->rows) ? NAN : INFINITY;
  sfm_status status = check_relative(relative, error);
  if (status || isnan(plan->rows)) return status;
  status = sfm_plan_forecast(plan, &f, ROWS_MAX, plan->epsilon, error);
  if (status || !(f.relative <= relative)) return status;
  double low = 0, high = ROWS_MAX; /* too few, enough */
  while (!status && high - low > 1) {
    const double middle = low > 0 ? floor(fmax(sqrt(low * high), low + 1)) : 1;
    status = sfm_plan_forecast(plan, &f, middle, plan->epsilon, error);
    if (!status) *(f.relative <= relative ? &high : &low) = middle;
  }
  *rows = high;
  return status;
}

/* Upwards to three digits. */
static double three_digits(double x) {
  const double unit = pow(10, floor(log10(x)) - 2);
  return ceil(x / unit * (1 - 1e-9)) * unit;
}

sfm_status sfm_plan_epsilon_for(const sfm_plan *plan, double *epsilon, double relative,
                                sfm_error *error) {
  sfm_forecast f;
  double low = SFMI_EPSILON_MIN, high = SFMI_EPSILON_MAX;
  *epsilon = INFINITY;
  sfm_status status = check_relative(relative, error);
  if (!status) status = sfm_plan_forecast(plan, &f, plan->rows, high, error);
  if (status || !(f.relative <= relative)) return status;
  status = sfm_plan_forecast(plan, &f, plan->rows, low, error);
  if (!status && f.relative <= relative) high = low;
  while (!status && high > low * 1.001) {
    const double middle = sqrt(low * high);
    status = sfm_plan_forecast(plan, &f, plan->rows, middle, error);
    if (!status) *(f.relative <= relative ? &high : &low) = middle;
  }
  *epsilon = fmin(three_digits(high), SFMI_EPSILON_MAX);
  return status;
}

sfm_status sfm_plan_bandwidth(const sfm_plan *plan, double *bandwidth, sfm_forecast *forecast,
                              sfm_error *error) {
  if (plan->kind->bandwidth)
    return plan->kind->bandwidth(plan->context, bandwidth, forecast, error);
  *bandwidth = NAN;
  *forecast = (sfm_forecast){.total = NAN, .relative = NAN};
  return SFM_OK;
}

sfm_status sfm_plan_preview(const sfm_plan *plan, sfm_release **out, uint64_t seed,
                            sfm_error *error) {
  const size_t best = sfm_plan_best(plan);
  *out = NULL;
  if (best == SIZE_MAX || !plan->kind->preview)
    return sfmi_fail(error, SFM_INVALID, "there is no release to simulate: no method can be had");
  return plan->kind->preview(plan->context, out, &plan->entries[best], seed, error);
}

sfm_status sfm_plan_shape(const sfm_plan *plan, double *values, const double *points, size_t count,
                          sfm_error *error) {
  if (!plan->kind->shape) return sfmi_fail(error, SFM_INVALID, "this plan has no shape to draw");
  return plan->kind->shape(plan->context, values, points, count, error);
}
