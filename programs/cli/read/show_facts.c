/* show_facts.c - what `sfumato show` says of a kind alone. */
#include <math.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/report/kind_view.h"
#include "cli/report/report.h"
#include "sfumato/choose.h"

static void print_domain(const sfm_release *release) {
  for (size_t i = 0; i < sfm_release_dimension(release); i++) {
    char text[512];
    double lower, upper;
    sfm_release_bounds(release, &lower, &upper, i);
    const double h = sfm_release_bandwidth(release, i), gamma = sfm_release_gamma(release, i);
    snprintf(text, sizeof text, "%.300s from %.10g to %.10g", sfm_release_column(release, i), lower,
             upper);
    if (h > 0) text_add(text, sizeof text, ", bandwidth %.6g", h);
    if (gamma > 0) text_add(text, sizeof text, ", gamma %.6g", gamma);
    if (sfm_release_boundary(release, i) != SFM_BOUNDARY_OPEN)
      text_add(text, sizeof text, ", %s",
               sfm_release_boundary(release, i) == SFM_BOUNDARY_REFLECT ? "reflecting at its bounds"
                                                                        : "periodic");
    text_print_labelled(stdout, i ? "" : "domain", text);
  }
}

/* What curves were fitted in, and where they were measured. */
static void print_curve(const sfm_release *release, const json_t *summary) {
  char clip[96], ridge[96];
  const json_t *points = json_object_get(json_object_get(summary, "basis"), "points");
  const size_t count = json_array_size(points);
  if (count == 0) return;
  report_scalar(clip, sizeof clip, json_object_get(summary, "clip"));
  report_scalar(ridge, sizeof ridge, json_object_get(summary, "ridge"));
  const bool person = json_is_true(
      json_object_get(json_object_get(summary, "guarantee"), "contributions_enforced"));
  text_say(stdout, "curves", "fitted with the %s kernel, ridge %s, clip %s%s",
           sfm_kernel_family_name(sfm_release_kernel(release)), ridge, clip,
           person ? " (times contributions, for the sum of one person's curves)" : "");
  text_say(stdout, "points", "%zu, from %.10g to %.10g", count,
           json_number_value(json_array_get(points, 0)),
           json_number_value(json_array_get(points, count - 1)));
}

/* The groups with their noisy sizes; share: of all records, whose number is public or noisy. */
static void print_groups(const sfm_release *release, const json_t *rows) {
  enum { SHOWN = 100, WIDEST = 40 };
  const size_t count = sfm_release_group_count(release);
  char text[320], names[200];
  size_t wide = 0;
  double size, deviation;
  if (count == 0) return;
  group_columns_text(names, sizeof names, release);
  sfm_release_group_size(release, &size, &deviation, 0);
  text_say(stdout, "groups", "%zu, by %s; each size has a standard error of %.3g", count, names,
           deviation);
  const double all = rows ? json_number_value(rows) : sfm_release_size(release);
  for (size_t g = 0; g < count && g < SHOWN; g++) {
    group_label_text(names, sizeof names, release, g);
    text_harmless(text, sizeof text, names);
    const size_t columns = text_columns(text, strlen(text));
    wide = columns > wide ? columns : wide;
  }
  wide = wide < WIDEST ? wide : WIDEST;
  for (size_t g = 0; g < count && g < SHOWN; g++) {
    group_label_text(names, sizeof names, release, g);
    text_harmless(text, sizeof text, names);
    sfm_release_group_size(release, &size, &deviation, g);
    const size_t columns = text_columns(text, strlen(text));
    printf("%12s%s%*s %10.0f  %5.1f %%\n", "", text, (int)(wide > columns ? wide - columns : 0), "",
           size, all > 0 ? 100 * size / all : NAN);
  }
  if (count > SHOWN) {
    text_say(stdout, "", "and %zu more; --json prints all sizes", count - SHOWN);
  }
}

void show_function(const sfm_release *release, const json_t *summary) {
  print_groups(release, json_object_get(summary, "rows"));
  print_domain(release);
  print_curve(release, summary);
}

/* The numbers of a vector by what they are, where it says so and they are few. */
void show_vector(const sfm_release *release, const json_t *summary) {
  enum { SHOWN = 40, WIDEST = 40 };
  const size_t count = sfm_release_length(release);
  char text[320], number[40];
  size_t wide = 0;
  (void)summary;
  if (!sfm_release_label(release, 0)) return;
  for (size_t i = 0; i < count && i < SHOWN; i++) {
    text_harmless(text, sizeof text, sfm_release_label(release, i));
    const size_t columns = text_columns(text, strlen(text));
    wide = columns > wide ? columns : wide;
  }
  wide = wide < WIDEST ? wide : WIDEST;
  for (size_t i = 0; i < count && i < SHOWN; i++) {
    text_harmless(text, sizeof text, sfm_release_label(release, i));
    const size_t columns = text_columns(text, strlen(text));
    snprintf(number, sizeof number, "%.10g", sfm_release_coefficient(release, i));
    printf("%-12s%s%*s %12s\n", i ? "" : "answers", text,
           (int)(wide > columns ? wide - columns : 0), "", number);
  }
  if (count > SHOWN) {
    text_say(stdout, "", "and %zu more; `sfumato eval` prints all", count - SHOWN);
  }
}

void show_mean(const sfm_release *release, const json_t *summary) {
  (void)summary;
  print_domain(release);
  text_say(stdout, "mean", "%.10g", sfm_release_coefficient(release, 0));
}

/* What was chosen, and among what. */
void show_choice(const sfm_release *release, const json_t *summary) {
  enum { SHOWN = 20 };
  char text[512];
  const size_t count = sfm_release_candidates(release);
  const char *names[SHOWN];
  text_harmless(text, sizeof text, sfm_release_candidate(release, sfm_release_chosen(release)));
  text_print_labelled(stdout, "chosen", text);
  for (size_t i = 0; i < count && i < SHOWN; i++) names[i] = sfm_release_candidate(release, i);
  int used = snprintf(text, sizeof text, "%zu: ", count);
  text_join(text + used, sizeof text - (size_t)used - 8, names, count < SHOWN ? count : SHOWN);
  if (count > SHOWN) strcat(text, ", ...");
  text_print_labelled(stdout, "candidates", text);
  text_say(stdout, "odds", "exp(score / %.6g), scores in multiples of %.6g",
           json_number_value(json_object_get(json_object_get(summary, "noise"), "scale")),
           json_number_value(json_object_get(summary, "resolution")));
  if (!json_is_true(json_object_get(summary, "monotonic"))) return;
  text_say(stdout, "assumes", "two scores never move in opposite directions when a record is %s",
           sfm_release_neighbours(release) == SFM_NEIGHBOURS_REPLACE ? "replaced"
                                                                     : "added or removed");
}

/* The quantiles of a range, and the grid they lie on. */
void show_range(const sfm_release *release, const json_t *summary) {
  char step[96];
  print_domain(release);
  for (size_t i = 0; i < sfm_release_length(release); i++) {
    text_say(stdout, i ? "" : "quantiles", "%.10g: %.10g", sfm_release_quantile(release, i),
             sfm_release_coefficient(release, i));
  }
  report_scalar(step, sizeof step, json_object_get(json_object_get(summary, "noise"), "step"));
  text_say(stdout, "resolution", "multiples of %s", step);
}
