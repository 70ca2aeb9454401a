#include "report.h"

#include <math.h>
#include <string.h>

#include "cli/request/boundary_option.h"
#include "cli/request/group_options.h"
#include "group_selection.h"
#include "kind_view.h"
#include "cli/io/result_output.h"
#include "sfumato/refine.h"
#include "table_view.h"
#include "cli/core/text.h"

const char *report_noun(const sfm_release *release) {
  const char *method = sfm_release_method(release);
  if (strcmp(method, "series") == 0) return "series";
  if (strcmp(method, "curve") == 0) return "mean curve";
  return sfm_kind_name(sfm_release_kind(release));
}

/* What the band is measured from: terms left out, smoothing and clipping are not in it. */
static const char *compared_with(const sfm_release *release) {
  const char *method = sfm_release_method(release);
  if (strcmp(method, "series") == 0) return "same series";
  if (strcmp(method, "curve") == 0) return "mean of the fitted and clipped curves";
  return sfm_kind_name(sfm_release_kind(release));
}

/* A JSON number or string as people read it. */
void report_scalar(char *buffer, size_t size, const json_t *value) {
  if (json_is_string(value))
    snprintf(buffer, size, "%s", json_string_value(value));
  else if (json_is_integer(value))
    snprintf(buffer, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
  else
    snprintf(buffer, size, "%.6g", json_number_value(value));
}

sfm_status report_many(const sfm_release *release, sfm_error *error) {
  return cli_misuse(error,
                    "a %s is one answer and cannot be evaluated or drawn: `sfumato show` prints it",
                    sfm_kind_name(sfm_release_kind(release)));
}

void range_band(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
                bool pointwise) {
  (void)release;
  (void)pointwise;
  snprintf(
      buffer, size,
      "for all values at once, the number of records below a value is within \u00b1%.0f of the "
      "number that its quantile states, up to one step of the resolution, with confidence %.6g",
      ceil(band->half_width), band->confidence);
}

void choice_band(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
                 bool pointwise) {
  (void)release;
  (void)pointwise;
  snprintf(buffer, size,
           "the score of the chosen candidate is at most %.4g below the best score, with "
           "confidence %.6g",
           band->half_width, band->confidence);
}

void mean_band(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
               bool pointwise) {
  (void)release;
  (void)band;
  (void)pointwise;
  snprintf(buffer, size, "none: the size of the noise depends on the rows and is not published");
}

void report_band(char *buffer, size_t size, const sfm_release *release) {
  const kind_view *view = kind_view_of(release);
  const sfm_band band = sfm_release_band(release);
  const bool vector = sfm_release_kind(release) == SFM_KIND_VECTOR;
  double first[SFM_MAX_DIMENSION];
  char width[64], pointwise[64];
  const bool placed = sfm_release_place(release, first, 0);
  text_width(width, sizeof width, band.half_width);
  text_width(pointwise, sizeof pointwise, band.pointwise);
  if (view->band)
    view->band(buffer, size, release, &band, false);
  else if (sfm_release_refined(release))
    snprintf(buffer, size, "none: only the raw release has one");
  else if (sfm_release_group_count(release) > 1)
    snprintf(buffer, size, "one per group, with confidence %.6g (`sfumato band` prints them)",
             band.confidence);
  else if (!isfinite(band.half_width))
    snprintf(buffer, size, "none: the noisy total is too small to divide by");
  else
    snprintf(
        buffer, size,
        "within \u00b1%s of the %s without privacy, %s at once, with confidence %.6g (\u00b1%s "
        "for any one %s fixed beforehand)",
        width, compared_with(release),
        vector   ? "all numbers"
        : placed ? "at all of its points"
                 : "everywhere",
        band.confidence, pointwise,
        vector   ? "number"
        : placed ? "of them"
                 : "place");
}

void report_refinement(char *buffer, size_t size, const sfm_release *release) {
  const sfm_refinement done = sfm_release_refinement(release);
  if (sfm_release_kind(release) == SFM_KIND_HISTOGRAM) {
    table_view_refinement(buffer, size, release);
    return;
  }
  const bool has[] = {done.combined, done.shrunk, done.nonnegative, done.normalised};
  static const char *const words[] = {"combined from several releases",
                                      "shrunk by its share of noise", "not negative",
                                      "integral one"};
  const char *said[4];
  size_t count = 0;
  for (size_t i = 0; i < 4; i++)
    if (has[i]) said[count++] = words[i];
  text_join(buffer, size, said, count);
}

void report_error(char *buffer, size_t size, const sfm_release *release) {
  const bool refined = sfm_release_refined(release);
  text_add(buffer, size, refined ? "Refined: " : "Band: ");
  const size_t used = strlen(buffer);
  (refined ? report_refinement : report_band)(buffer + used, size - used, release);
  text_add(buffer, size, refined ? "; no band." : ".");
}

void report_columns(char *buffer, size_t size, const sfm_release *release) {
  const char *names[SFM_MAX_DIMENSION];
  size_t count = sfm_release_dimension(release);
  if (sfm_release_kind(release) == SFM_KIND_HISTOGRAM) {
    table_view_columns(buffer, size, release, UINT64_MAX);
    return;
  }
  for (size_t i = 0; i < count && i < SFM_MAX_DIMENSION; i++)
    names[i] = sfm_release_column(release, i);
  text_join(buffer, size, names, count < SFM_MAX_DIMENSION ? count : SFM_MAX_DIMENSION);
}

void report_groups(char *buffer, size_t size, const sfm_release *release) {
  char names[200];
  const size_t count = sfm_release_group_count(release);
  buffer[0] = 0;
  if (count == 0) return;
  group_columns_text(names, sizeof names, release);
  snprintf(buffer, size, " by %s, %zu group%s", names, count, count == 1 ? "" : "s");
}

/* Method sobolev: the shape of its noise. */
static void report_gamma(FILE *out, const sfm_release *release) {
  char text[640] = "", names[256];
  report_columns(names, sizeof names, release);
  for (size_t a = 0; a < sfm_release_dimension(release) && strlen(text) < 256; a++)
    text_add(text, sizeof text, "%s%.6g", a ? ", " : "", sfm_release_gamma(release, a));
  text_add(text, sizeof text, " (parameter of the noise, in 1/unit of %s)", names);
  text_print_labelled(out, "gamma", text);
}

void report_uncharged(FILE *out, bool random_dp) {
  text_print_labelled(out, "charged",
                      random_dp ? "to no ledger: this is not differential privacy"
                                : "to no ledger (--ledger FILE --dataset NAME adds up the costs)");
}

void report_shown(FILE *out, const char *path) {
  if (!path || strcmp(path, "-") == 0) return;
  text_say(out, "wrote", "%.200s; `sfumato show` prints it again", path);
}

void report_written(FILE *out, const sfm_release *release, const char *path,
                    const char *predicted) {
  char names[256], text[1280], groups[300] = "";
  double first[SFM_MAX_DIMENSION];
  bool density = sfm_release_kind(release) == SFM_KIND_DENSITY;
  const bool placed = sfm_release_place(release, first, 0),
             sobolev = isfinite(sfm_release_gamma(release, 0));
  const bool engine = placed || sfm_release_engine(release) == SFM_ENGINE_RANDOM;
  report_columns(names, sizeof names, release);
  report_groups(groups, sizeof groups, release);
  text_say(out, "wrote", "%.200s: %s%s%s (%s%s%s, %s), %zu %s%s",
           strcmp(path, "-") == 0 ? "standard output" : path,
           density                              ? "the density of "
           : sfm_release_dimension(release) > 0 ? "a mean curve over "
                                                : "a vector",
           names, groups, sfm_release_method(release), engine ? ", " : "",
           engine ? sfm_engine_name(sfm_release_engine(release)) : "",
           sfm_release_hardened(release) ? "hardened" : "idealised", sfm_release_length(release),
           placed ? "value" : "number", sfm_release_length(release) == 1 ? "" : "s");
  text_print_labelled(out, "guarantee", sfm_release_sentence(release));
  report_band(text, sizeof text, release);
  text_print_labelled(out, "band", text);
  boundary_option_text(text, sizeof text, release);
  if (*text) text_print_labelled(out, "boundary", text);
  if (placed && density)
    text_print_labelled(
        out, "note",
        sobolev ? "values at points, interpolated elsewhere by the kernel of the noise. Idealised: "
                  "the noise is made of floating-point numbers and is private only in exact "
                  "arithmetic (--method gp releases a whole function, hardened)"
                : "values at points, interpolated elsewhere by the kernel. Idealised: the noise is "
                  "made of floating-point numbers and is private only in exact arithmetic "
                  "(--kernel gaussian releases a whole function, hardened)");
  if (sobolev) report_gamma(out, release);
  if (isfinite(sfm_release_range(release))) {
    text_say(out, "range", "numbers beyond \u00b1%.4g were replaced by that bound",
             sfm_release_range(release));
  }
  if (!sfm_release_dataset(release)) report_uncharged(out, false);
  if (predicted) text_print_labelled(out, "predicted", predicted);
}

void report_refined(FILE *out, const sfm_release *release, const char *path) {
  char names[256], groups[300], text[1280];
  report_columns(names, sizeof names, release);
  report_groups(groups, sizeof groups, release);
  const char *where = strcmp(path, "-") == 0 ? "standard output" : path;
  if (sfm_release_kind(release) == SFM_KIND_HISTOGRAM)
    text_say(out, "wrote", "%.200s: the counts of %s, refined, %zu cells", where, names,
             sfm_release_length(release));
  else
    text_say(out, "wrote", "%.200s: the density of %s%s, %s, %zu values on %s", where, names,
             groups, sfm_release_refinement(release).combined ? "combined" : "refined",
             sfm_release_length(release), *groups ? "grids" : "a grid");
  report_refinement(text, sizeof text, release);
  text_print_labelled(out, "refined", text);
  text_print_labelled(out, "guarantee", sfm_release_sentence(release));
  report_band(text, sizeof text, release);
  text_print_labelled(out, "band", text);
}

void report_next(FILE *out, const sfm_release *release, const char *path) {
  const bool density = sfm_release_kind(release) == SFM_KIND_DENSITY;
  if (strcmp(path, "-") == 0) return;
  text_say(out, "next", "sfumato %s %.500s",
           density && sfm_release_dimension(release) > 2 ? "show" : "plot", path);
}

void report_seeded(FILE *out, const char *verb) {
  fprintf(out,
          "sfumato %s: warning: with --seed anyone can repeat the noise, so it protects nobody\n",
          verb);
}

/* What a release is taken for, by its name: pictures first. */
static const char *const others[] = {".svg", ".png", ".pdf", ".csv", ".tsv", ".npy", ".xlsx"};
enum { PICTURES = 3 };

sfm_status report_check_output(const cli_options *options, const char *example, sfm_error *error) {
  const char *path = options_get(options, "output");
  if (!path)
    return cli_misuse(error, "-o is missing: the release to write; for example -o %s", example);
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof others / sizeof *others; i++)
    if (strcmp(dot, others[i]) == 0)
      return cli_misuse(
          error,
          "-o %.200s: a release is written, which is not a %s file; name it *.sfm, for "
          "example -o %s. %s",
          path, others[i], example,
          i < PICTURES ? "`sfumato plot` draws it" : "`sfumato eval` prints its values");
  if (strcmp(path, "-") == 0 && options_has(options, "json"))
    return cli_misuse(error,
                      "-o - and --json would both write to standard output; drop one of them");
  return SFM_OK;
}

sfm_status report_summary(const sfm_release *release, const cli_options *options,
                          sfm_error *error) {
  char *summary;
  if (!options_has(options, "json")) return SFM_OK;
  sfm_status status = sfm_release_summary(release, &summary, error);
  if (status) return status;
  puts(summary);
  sfm_free(summary);
  return SFM_OK;
}
