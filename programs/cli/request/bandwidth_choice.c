#include "bandwidth_choice.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/core/text.h"

const cli_option option_choice_share = {"choice-share", "S",
                                        "with --bandwidth choose: the share of the budget that "
                                        "pays for the choice, above 0 and below 1",
                                        "0.1", CLI_FRACTION("0.1")};

static const char prefix[] = "choose:";

bool bandwidth_choice_given(const cli_options *options) {
  const char *text = options_get(options, "bandwidth");
  return text && strncmp(text, prefix, strlen(prefix)) == 0;
}

/* One candidate: 2 for all columns, or 2x0.5. */
static sfm_status read_candidate(double *h, const char *text, size_t dimension, sfm_error *error) {
  text_list parts;
  sfm_status status = text_split(&parts, text, 'x', error);
  if (status) return status;
  if (parts.count != 1 && parts.count != dimension)
    status =
        cli_misuse(error,
                   "--bandwidth choose: the candidate '%s' has %zu numbers for %zu column%s; give "
                   "one for all, or one per column with x between them, as in choose:1x0.5,2x1",
                   text, parts.count, dimension, dimension == 1 ? "" : "s");
  for (size_t a = 0; !status && a < dimension; a++)
    if (!text_number(&h[a], parts.items[parts.count == 1 ? 0 : a]) || !isfinite(h[a]) ||
        !(h[a] > 0))
      status = cli_misuse(error,
                          "--bandwidth choose: the candidate '%s' is not a finite number above "
                          "zero; write for example --bandwidth choose:1,2,4",
                          text);
  text_list_clear(&parts);
  return status;
}

sfm_status bandwidth_choice_read(sfm_density_settings *s, double *numbers,
                                 const cli_options *options, sfm_error *error) {
  text_list list;
  if (!bandwidth_choice_given(options))
    return options_has(options, "choice-share")
               ? cli_misuse(error, "--choice-share is for a bandwidth that is chosen privately; "
                                   "write for example --bandwidth choose:1,2,4, or leave it out")
               : SFM_OK;
  const char *text = options_get(options, "bandwidth") + strlen(prefix);
  sfm_status status = text_split(&list, text, ',', error);
  if (status) return status;
  if (list.count > BANDWIDTH_CHOICE_MAX)
    status = cli_misuse(error, "--bandwidth choose: takes at most %d candidates, not %zu",
                        BANDWIDTH_CHOICE_MAX, list.count);
  for (size_t i = 0; !status && i < list.count; i++)
    status = read_candidate(numbers + i * s->dimension, list.items[i], s->dimension, error);
  s->candidates = numbers;
  s->candidate_count = list.count;
  text_list_clear(&list);
  return status;
}

/* "2", or "2x0.5". */
static void candidate_text(char *out, size_t size, const json_t *numbers) {
  size_t used = 0;
  out[0] = 0;
  for (size_t a = 0; a < json_array_size(numbers) && used < size; a++)
    used += (size_t)snprintf(out + used, size - used, a ? "x%.6g" : "%.6g",
                             json_number_value(json_array_get(numbers, a)));
}

static void report_choice(FILE *out, const json_t *choice) {
  const json_t *candidates = json_object_get(choice, "candidates"),
               *rest = json_object_get(choice, "rest");
  const size_t count = json_array_size(candidates);
  const double mu = json_number_value(json_object_get(rest, "mu"));
  char text[2048], one[128];
  candidate_text(
      one, sizeof one,
      json_array_get(candidates, (size_t)json_integer_value(json_object_get(choice, "chosen"))));
  size_t used = (size_t)snprintf(text, sizeof text, "%s, chosen privately among ", one);
  for (size_t i = 0; i < count && used < sizeof text - 200; i++) {
    candidate_text(one, sizeof one, json_array_get(candidates, i));
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                             i == 0          ? ""
                             : i + 1 < count ? ", "
                                             : " and ",
                             one);
  }
  used += (size_t)snprintf(text + used, sizeof text - used, ": the choice took epsilon %.4g, and ",
                           json_number_value(json_object_get(choice, "epsilon")));
  if (mu > 0)
    snprintf(text + used, sizeof text - used, "mu %.4g is left for the noise", mu);
  else
    snprintf(text + used, sizeof text - used, "epsilon %.4g is left for the noise",
             json_number_value(json_object_get(rest, "epsilon")));
  text_print_labelled(out, "bandwidth", text);
}

sfm_status bandwidth_choice_print(FILE *out, const sfm_release *release, sfm_error *error) {
  char *text = NULL;
  sfm_status status = sfm_release_summary(release, &text, error);
  if (status) return status;
  json_t *summary = json_loads(text, 0, NULL);
  const json_t *choice = json_object_get(summary, "choice");
  if (choice) report_choice(out, choice);
  json_decref(summary);
  sfm_free(text);
  return SFM_OK;
}
