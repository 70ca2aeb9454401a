/* band_verb.c - sfumato band: how far a release may be from what it would be without privacy, at
 * any confidence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/request/group_options.h"
#include "cli/report/group_selection.h"
#include "cli/io/json_output.h"
#include "cli/io/release_file.h"
#include "cli/report/kind_view.h"
#include "cli/report/report.h"
#include "sfumato/density.h"
#include "cli/core/verbs.h"

static const cli_option options_table[] = {
    {"confidence", "C", "confidence of the band, between 0 and 1",
     "the confidence that the release states", CLI_FRACTION("0.99")},
    {"pointwise", NULL,
     "the band that holds at any one place fixed beforehand, instead of everywhere at once"},
    CLI_OPTION_GROUP,
    CLI_OPTION_JSON,
    CLI_OPTION_LARGE,
    {0},
};

/* Points at which a function is looked at for its peak, in all and along an axis. */
static const double PEAK_POINTS = 1e5;
enum { AXIS_MOST = 1001, AXIS_LEAST = 5 };

static double largest(const double *values, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
  return most;
}

/* The largest size of the released function on a grid, or of the vector's numbers; none of random
 * features, which have too many variables for a grid. */
static sfm_status find_peak(double *peak, const sfm_release *release, sfm_error *error) {
  const size_t dimension = sfm_release_dimension(release);
  if (sfm_release_engine(release) == SFM_ENGINE_RANDOM) return SFM_OK;
  size_t counts[SFM_MAX_DIMENSION], total = dimension ? 1 : sfm_release_length(release);
  sfm_evaluator *evaluator = NULL;
  for (size_t a = 0; a < dimension; a++) {
    double along = floor(pow(PEAK_POINTS, 1 / (double)dimension));
    counts[a] = (size_t)fmax(AXIS_LEAST, fmin(AXIS_MOST, along));
    total *= counts[a];
  }
  double *values = malloc((total + 1) * sizeof *values);
  sfm_status status = values ? SFM_OK : cli_fail_memory(error);
  if (!status && dimension) status = sfm_evaluator_create(&evaluator, release, 0, error);
  if (!status && dimension) status = sfm_evaluator_grid(evaluator, values, counts, error);
  for (size_t i = 0; !status && !dimension && i < total; i++)
    values[i] = sfm_release_coefficient(release, i);
  if (!status) *peak = largest(values, total);
  sfm_evaluator_destroy(evaluator);
  free(values);
  return status;
}

static void print_text(const char *text) {
  text_print_wrapped(stdout, text, 0, 0, 80);
}

static sfm_status print_words(const sfm_release *release, const sfm_band *band, bool pointwise,
                              sfm_error *error) {
  const bool vector = sfm_release_dimension(release) == 0;
  const double width = pointwise ? band->pointwise : band->half_width;
  double first[SFM_MAX_DIMENSION];
  const char *where = vector                                 ? "in all numbers at once"
                      : sfm_release_place(release, first, 0) ? "at all points at once"
                                                             : "everywhere at once";
  char text[512], share[64] = "";
  double peak = 0;
  const kind_view *view = kind_view_of(release);
  if (view->band) {
    const int used = snprintf(text, sizeof text, "%s: ", view->band_of);
    view->band(text + used, sizeof text - (size_t)used, release, band, pointwise);
    print_text(text);
    return SFM_OK;
  }
  if (!isfinite(width)) {
    print_text("There is no band: the noisy total is too small to divide by.");
    return SFM_OK;
  }
  sfm_status status = find_peak(&peak, release, error);
  if (status) return status;
  if (pointwise)
    where = vector                                 ? "in any one number fixed beforehand"
            : sfm_release_place(release, first, 0) ? "at any one point fixed beforehand"
                                                   : "at any one place fixed beforehand";
  if (peak > 0)
    snprintf(share, sizeof share, " (%.3g\u00a0%% of the %s)", 100 * width / peak,
             vector ? "largest released number" : "released peak");
  snprintf(text, sizeof text,
           "With confidence %.13g\u00a0%% the released %s is, %s, within \u00b1%.4g of the one "
           "computed without privacy%s.",
           100 * band->confidence, report_noun(release), where, width, share);
  print_text(text);
  snprintf(text, sizeof text,
           "Of this, \u00b1%.4g is systematic: the largest possible error that is not noise.",
           band->systematic);
  if (band->systematic > 0 && band->systematic <= width) print_text(text);
  return SFM_OK;
}

static json_t *band_json(const sfm_band *band) {
  return json_pack("{s:f, s:o, s:o, s:o}", "confidence", band->confidence, "half_width",
                   json_output_number(band->half_width), "pointwise",
                   json_output_number(band->pointwise), "systematic",
                   json_output_number(band->systematic));
}

/* The band of group g of the release, which is `one`: into the list, or as a line. */
static sfm_status state_group(json_t *list, const sfm_release *release, size_t g,
                              const sfm_release *one, double confidence, bool pointwise,
                              sfm_error *error) {
  sfm_band band = sfm_release_band(one);
  char label[200], text[480];
  sfm_status status =
      band.confidence == confidence ? SFM_OK : sfm_release_band_at(one, &band, confidence, error);
  if (status) return status;
  if (list) {
    json_t *labels = json_object(), *object = band_json(&band);
    for (size_t i = 0; i < sfm_release_by_count(release); i++)
      json_object_set_new(labels, sfm_release_by(release, i),
                          json_string(sfm_release_group_label(release, g, i)));
    json_object_set_new(object, "group", labels);
    json_array_append_new(list, object);
    return SFM_OK;
  }
  const double width = pointwise ? band.pointwise : band.half_width;
  group_label_text(label, sizeof label, release, g);
  if (isfinite(width))
    snprintf(text, sizeof text, "%s: \u00b1%.4g", label, width);
  else
    snprintf(text, sizeof text, "%s: none, it has too few records", label);
  print_text(text);
  return SFM_OK;
}

/* All of them, some at a time: each is a release of its own in memory. */
static sfm_status state_each(json_t *list, const sfm_release *release,
                             const group_selection *chosen, double confidence, bool pointwise,
                             sfm_error *error) {
  enum { CHUNK = 256 };
  sfm_release *groups[CHUNK];
  sfm_status status = SFM_OK;
  for (size_t first = 0; !status && first < chosen->count; first += CHUNK) {
    const size_t left = chosen->count - first, n = left < CHUNK ? left : CHUNK;
    status = sfm_release_groups(groups, release, chosen->groups + first, n, error);
    if (status) break;
    for (size_t i = 0; i < n; i++) {
      if (!status)
        status = state_group(list, release, chosen->groups[first + i], groups[i], confidence,
                             pointwise, error);
      sfm_release_destroy(groups[i]);
    }
  }
  return status;
}

static sfm_status state_groups(const sfm_release *release, const group_selection *chosen,
                               double confidence, const cli_options *options, sfm_error *error) {
  json_t *list = options_has(options, "json") ? json_array() : NULL;
  const bool pointwise = options_has(options, "pointwise");
  char text[256];
  snprintf(text, sizeof text,
           "With confidence %.13g\u00a0%% the released density of a group is, %s, within this "
           "distance of the one computed without privacy:",
           100 * confidence,
           pointwise ? "at any one place fixed beforehand" : "everywhere at once");
  if (!list) print_text(text);
  sfm_status status = state_each(list, release, chosen, confidence, pointwise, error);
  if (!status && list) return json_output_print(json_pack("{s:o}", "groups", list), error);
  json_decref(list);
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  sfm_release *release = NULL;
  group_selection chosen = {0};
  sfm_band band;
  double confidence = 0;
  sfm_status status = options_take(options, &confidence, "confidence", error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status) status = group_selection_read(&chosen, release, options, error);
  if (!status && !options_has(options, "confidence"))
    confidence = sfm_release_band(release).confidence;
  if (!status && chosen.count && !sfm_release_refined(release)) {
    status = state_groups(release, &chosen, confidence, options, error);
  } else if (!status) {
    status = sfm_release_band_at(release, &band, confidence, error);
    if (!status)
      status = options_has(options, "json")
                   ? json_output_print(band_json(&band), error)
                   : print_words(release, &band, options_has(options, "pointwise"), error);
  }
  group_selection_clear(&chosen);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_band = {
    .name = "band",
    .summary = "print the error band of a release at any confidence",
    .usage = "RELEASE [--confidence C] [--pointwise] [--group A,B] [--json]",
    .operand = "RELEASE",
    .operand_help = "a release (.sfm); - is standard input",
    .options = options_table,
    .about = "The band is computed from the distribution of the noise, which is public, so it "
             "costs no privacy. At the confidence that the release states it is the band that the "
             "release states. It covers the error from privacy alone, not the sampling error: the "
             "curve without privacy may be far from the truth about a population. (The ellipsoid "
             "of ellipsoid noise is not in the file. There the stated band is used for lower "
             "confidences and is widened by a theorem for higher ones.)\n"
             "The JSON object has the keys confidence, half_width (everywhere at once), pointwise "
             "(at any one place fixed beforehand) and systematic (the part of both that is not "
             "noise); null means that there is none. For a release by groups it has the key "
             "groups, a list of such objects with the key group.",
    .example = "sfumato band age.sfm --confidence 0.99\n"
               "sfumato band age.sfm --confidence 0.99 --pointwise --json",
    .run = run,
};
