/* fuzz_release.c - any bytes as a .sfm file: refused with a message, or a release that can be
 * shown, written and evaluated. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "releases/core/release_kind.h"
#include "releases/core/release_data.h"
#include "sfumato/machine.h"
#include "sfumato/marginal.h"
#include "sfumato/query.h"
#include "sfumato/refine.h"
#include "sfumato/sample.h"
#include "promise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What any one thing may take here: large files would only slow the search, and those that state
 * more than they are worth are refused before anything is allocated. */
static const sfm_resource_limits LIMITS = {.read_bytes = 4e6,
                                           .read_bytes_each = 50,
                                           .work_bytes = 32e6,
                                           .work_bytes_each = 200,
                                           .work_operations = 2e7,
                                           .work_operations_each = 1e4};

/* Done, or refused by the limits with a message that says so. */
static int done(sfm_status status, const sfm_error *error) {
  PROMISE(!status || error->message[0] != '\0');
  PROMISE(!status || status == SFM_INVALID || !strstr(error->message, "sfm_release_read_within"));
  return !status;
}

static int allowed(sfm_status status, const sfm_error *error) {
  return done(status, error) || strstr(error->message, "sfm_release_read_within") != NULL;
}

static void evaluate(const sfm_release *release);

/* The first and the last group of a release by groups, each a release of its own; others, in which
 * too few are left, have no values. */
static void evaluate_groups(const sfm_release *release) {
  const size_t count = sfm_release_group_count(release), chosen[2] = {0, count - 1};
  sfm_release *groups[2];
  sfm_error error = {0};
  double size, deviation;
  const sfm_status status = sfm_release_groups(groups, release, chosen, 2, &error);
  PROMISE(allowed(status, &error));
  if (status) return;
  for (size_t i = 0; i < 2; i++) {
    sfm_release_group_size(release, &size, &deviation, chosen[i]);
    PROMISE(sfm_release_group_label(groups[i], 0, 0) != NULL);
    PROMISE(sfm_release_group_count(groups[i]) == 1);
    if (!sfm_release_too_few(groups[i]) && sfm_release_size(groups[i]) > 0) evaluate(groups[i]);
    sfm_release_destroy(groups[i]);
  }
}

static void evaluate(const sfm_release *release) {
  enum { POINTS = 40, GRID_AXES = 8 };
  const size_t d = sfm_release_dimension(release);
  double points[POINTS * SFM_MAX_DIMENSION], values[1 << GRID_AXES];
  size_t counts[SFM_MAX_DIMENSION];
  sfm_evaluator *evaluator = NULL;
  sfm_error error = {0};
  for (size_t i = 0; i < POINTS * d; i++) {
    double lower, upper;
    sfm_release_bounds(release, &lower, &upper, i % d);
    points[i] = i < d ? lower : i < 2 * d ? upper : lower + (upper - lower) * (double)(i % 97) / 96;
  }
  points[3 * d] = NAN;
  for (size_t a = 0; a < d; a++) counts[a] = 2;
  if (sfm_evaluator_create(&evaluator, release, 0, &error)) {
    PROMISE(error.message[0] != '\0');
    /* A kernel of a stranger's file may overflow or have no factor. */
    if (sfmi_release_placed(release) || allowed(SFM_INVALID, &error)) return;
    PROMISE(!sfm_evaluator_create(&evaluator, release, 1000, &error));
  }
  const int placed = sfmi_release_placed(release);
  sfm_status status = sfm_evaluator_at(evaluator, values, points, 4, &error);
  PROMISE(allowed(status, &error) || placed);
  PROMISE(status || isnan(values[3]) || placed);
  PROMISE(allowed(sfm_evaluator_at(evaluator, values, points, POINTS, &error), &error) || placed);
  PROMISE(d > GRID_AXES || allowed(sfm_evaluator_grid(evaluator, values, counts, &error), &error) ||
          placed);
  if (placed) (void)done(sfm_evaluator_widths(evaluator, values, points, 4, &error), &error);
  PROMISE(release->function->engine != SFM_ENGINE_RANDOM ||
          allowed(sfm_evaluator_widths(evaluator, values, points, 4, &error), &error));
  sfm_evaluator_destroy(evaluator);
}

/* Questions about a density of one column, and its columns one by one. */
static void question(const sfm_release *release) {
  static const double levels[] = {0.1, 0.5};
  const char *first[] = {sfm_release_column(release, 0)};
  sfm_query *query = NULL;
  sfm_release *marginal = NULL;
  sfm_estimate estimate, several[2];
  sfm_error error = {0};
  if (done(sfm_query_create(&query, release, 0.9, &error), &error)) {
    (void)done(sfm_query_mean(query, &estimate, &error), &error);
    (void)done(sfm_query_quantiles(query, several, levels, 2, &error), &error);
  }
  sfm_query_destroy(query);
  if (sfm_release_dimension(release) > 1 &&
      done(sfm_release_marginal(&marginal, release, first, 1, &error), &error))
    PROMISE(sfm_release_dimension(marginal) == 1);
  sfm_release_destroy(marginal);
}

/* What is made of a density: refused with a message, or a density that is one. */
static void refine(const sfm_release *release) {
  sfm_refine_settings settings = sfm_refine_settings_default();
  sfm_release *refined = NULL;
  sfm_sample *sample = NULL;
  sfm_error error = {0};
  double rows[3 * 4];
  settings.shrink = sfm_release_shrinks(release);
  if (sfm_release_refine(&refined, release, &settings, &error)) {
    PROMISE(!refined && error.message[0] != '\0');
    return;
  }
  for (size_t i = 0; i < sfm_release_length(refined); i++)
    PROMISE(sfm_release_coefficient(refined, i) >= 0);
  if (!sfm_sample_create(&sample, refined, NULL, 0, 1, &error))
    sfm_sample_draw(sample, rows, NULL, 4);
  else
    PROMISE(error.message[0] != '\0');
  sfm_sample_destroy(sample);
  sfm_release_destroy(refined);
}

/* A table: looked up, added up, refined, drawn from and mapped; each works, or says why not. */
static void tabulate(const sfm_release *release) {
  enum { ROWS = 4 };
  const size_t columns = sfm_table_columns(release), length = sfm_release_length(release);
  const char *first[] = {sfm_table_column(release, 0)};
  uint32_t codes[SFM_TABLE_COLUMNS_MAX];
  size_t cells[ROWS];
  double places[ROWS * SFM_TABLE_COLUMNS_MAX], answer;
  char text[64];
  sfm_release *margin = NULL, *refined = NULL;
  sfm_table_sample *sample = NULL;
  sfm_error error = {0};
  sfm_band band = {0};
  for (size_t e = 0; e < length && e < 50; e++) {
    sfm_table_cell(release, codes, e);
    for (size_t i = 0; i < columns; i++) sfm_table_text(release, text, sizeof text, e, i);
    if (sfm_table_margins(release) == 1 && !sfm_table_undeclared(release))
      PROMISE(sfm_table_find(release, 0, codes) == e);
  }
  if (!sfm_release_refined(release) &&
      allowed(sfm_release_band_at(release, &band, 0.9, &error), &error))
    PROMISE(!(band.half_width < 0));
  PROMISE(!sfm_table_margin_of(&margin, NULL, release, first, 1, &error) ||
          error.message[0] != '\0');
  const sfm_table_refine_settings all = sfm_table_refine_settings_default(release);
  if (!sfm_table_refine(&refined, release, &all, &error))
    for (size_t e = 0; e < length; e++) PROMISE(sfm_release_coefficient(refined, e) >= 0);
  if (!sfm_table_sample_create(&sample, release, 1, &error))
    sfm_table_sample_draw(sample, cells, places, ROWS);
  double *ones = calloc(length + 1, sizeof *ones);
  for (size_t e = 0; e < length; e++) ones[e] = (double)(e % 3);
  PROMISE(!sfm_table_answer(&answer, NULL, NULL, release, ones, 1, length, 0.9, &error) ||
          error.message[0] != '\0');
  free(ones);
  sfm_table_sample_destroy(sample);
  sfm_release_destroy(refined);
  sfm_release_destroy(margin);
}

/* A machine is asked at a few points: it has values there, and a band. */
static void ask(const sfm_release *release) {
  enum { POINTS = 3 };
  static const size_t starts[POINTS + 1] = {0, 1, 1, 2};
  static const uint32_t indices[] = {0, 1 << 25};
  static const double numbers[] = {0.5, 1};
  sfm_machine machine;
  sfm_error error = {0};
  PROMISE(sfm_release_machine(release, &machine));
  const size_t d = machine.input_count;
  double pointwise[POINTS], everywhere[POINTS];
  double *values = calloc(POINTS * machine.function_count, sizeof *values),
         *cells = calloc(POINTS * d + 1, sizeof *cells);
  PROMISE(values && cells);
  for (size_t i = 0; i < d; i++) cells[d + i] = 1e9 * (double)(i % 3);
  if (d) cells[2 * d] = NAN;
  sfm_status at = SFM_OK, band = SFM_OK;
  if (d) {
    at = sfm_machine_at(release, values, cells, POINTS, &error);
    if (!at) band = sfm_machine_band(release, pointwise, everywhere, cells, POINTS, 0.9, &error);
  } else {
    at = sfm_machine_at_sparse(release, values, starts, indices, numbers, POINTS, &error);
    if (!at)
      band = sfm_machine_band_sparse(release, pointwise, everywhere, starts, indices, numbers,
                                     POINTS, 0.9, &error);
  }
  PROMISE(allowed(at, &error) && allowed(band, &error));
  PROMISE(at || isnan(values[2 * machine.function_count]));
  PROMISE(at || band || isnan(pointwise[2]));
  for (size_t i = 0; i < POINTS; i++)
    (void)sfm_machine_class(release,
                            sfm_machine_decide(release, values + i * machine.function_count));
  free(values);
  free(cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sfm_release *release = NULL;
  sfm_error error = {0};
  char *summary = NULL;
  if (sfm_release_parse_within(&release, (const char *)data, size, "input", &LIMITS, &error)) {
    PROMISE(!release && error.message[0] != '\0');
    return 0;
  }
  release->draws = 3;
  PROMISE(sfm_release_length(release) >= 1 || sfm_table_columns(release));
  PROMISE(!sfm_release_summary(release, &summary, &error));
  PROMISE(!strchr(summary, '\n'));
  sfm_free(summary);
  for (size_t i = 0; i < sfm_release_length(release); i++)
    (void)sfm_release_coefficient(release, i);
  sfm_band band = {0};
  if (sfm_table_columns(release)) {
    tabulate(release);
  } else if (release->kind == &sfmi_range_kind || release->kind == &sfmi_choice_kind ||
             release->kind == &sfmi_machine_kind) {
    PROMISE(allowed(sfm_release_band_at(release, &band, 0.9, &error), &error));
    PROMISE(band.half_width >= 0);
    if (release->kind == &sfmi_machine_kind) ask(release);
  } else if (sfmi_release_is_function(release)) {
    if (sfm_release_group_count(release))
      evaluate_groups(release);
    else
      evaluate(release);
    (void)done(sfm_release_band_at(release, &band, 0.9, &error), &error);
    if (sfmi_release_is_density(release)) refine(release);
    if (sfmi_release_is_density(release)) question(release);
  }
  sfm_release_destroy(release);
  return 0;
}
