#include "bandwidth_choice.h"

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

void bandwidth_choice_candidate_text(char *out, size_t size, const double *h, size_t dimension) {
  out[0] = 0;
  for (size_t a = 0; a < dimension; a++) text_add(out, size, a ? "x%.6g" : "%.6g", h[a]);
}

void bandwidth_choice_forecast_text(char *out, size_t size, size_t count, double likely,
                                    double chance) {
  /* Of the way from a coin toss to certainty. */
  static const double LITTLE = 0.25;
  const double gain = (likely - chance) / (1 - chance);
  if (chance > 1 - 1e-9)
    snprintf(out, size,
             "nothing to be found among %zu bandwidths: all have a predicted error within a tenth "
             "of the least; state one of them, and the whole budget is for the density",
             count);
  else if (gain < LITTLE)
    snprintf(out, size,
             "the choice among %zu bandwidths may be %s better than a coin toss: under the guessed "
             "shape (without --shape a reference shape) a good one (its predicted error within a "
             "tenth of the least) has probability %.2g, and %.2g if all are equally likely; state "
             "a bandwidth, give the choice more of the budget (--choice-share), or name fewer "
             "candidates",
             count, gain < LITTLE / 10 ? "no" : "little", likely, chance);
  else
    snprintf(out, size,
             "under the guessed shape (without --shape a reference shape) a good one among %zu "
             "bandwidths (its predicted error within a tenth of the least) has probability %.2g, "
             "and %.2g if all were equally likely",
             count, likely, chance);
}

void bandwidth_choice_print(FILE *out, const sfm_release *release) {
  const size_t d = sfm_release_dimension(release);
  sfm_bandwidth_choice choice;
  char list[1536] = "", one[128], forecast[512];
  double likely, chance;
  if (!sfm_release_bandwidth_choice(release, &choice)) return;
  for (size_t i = 0; i < choice.count && strlen(list) < sizeof list - 128; i++) {
    bandwidth_choice_candidate_text(one, sizeof one, choice.candidates + i * d, d);
    text_add(list, sizeof list, "%s%s", i == 0 ? "" : i + 1 < choice.count ? ", " : " and ", one);
  }
  const bool normal = choice.rest.mu > 0;
  bandwidth_choice_candidate_text(one, sizeof one, choice.candidates + choice.chosen * d, d);
  text_say(out, "bandwidth",
           "%s, chosen privately among %s: the choice took epsilon %.4g, and %s %.4g is left for "
           "the noise",
           one, list, choice.epsilon, normal ? "mu" : "epsilon",
           normal ? choice.rest.mu : choice.rest.epsilon);
  if (!sfm_release_choice_forecast(release, &likely, &chance)) return;
  bandwidth_choice_forecast_text(forecast, sizeof forecast, choice.count, likely, chance);
  text_say(out, "choice", "%s", forecast);
}
