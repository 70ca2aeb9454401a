#include "optimal_view.h"

#include <math.h>
#include <stdlib.h>

#include "kind_view.h"
#include "cli/core/text.h"
#include "cli/io/figure_output.h"
#include "cli/io/picture_words.h"
#include "report.h"

/* What it minimises: "the smallest risk at the worst count, absolute loss". */
static void write_criterion(char *buffer, size_t size, const sfm_optimal_facts *facts) {
  const char *prior = facts->uniform ? "the uniform prior" : "the prior in the file";
  snprintf(buffer, size, "%s%s, %s loss",
           facts->objective == SFM_OPTIMAL_OBJECTIVE_BAYES ? "the smallest mean risk under "
           : facts->objective == SFM_OPTIMAL_OBJECTIVE_MINIMAX
               ? "the smallest risk at the worst count"
               : "the smallest risk that is the same at every count",
           facts->objective == SFM_OPTIMAL_OBJECTIVE_BAYES ? prior : "",
           facts->loss == SFM_OPTIMAL_LOSS_OWN ? "user-defined"
                                               : sfm_optimal_loss_name(facts->loss));
}

static void report_risk(FILE *out, const sfm_optimal_facts *facts) {
  if (isnan(facts->limit))
    text_say(out, "risk", "%.9g; the optimum of the linear program is %.9g", facts->risk,
             facts->lp_risk);
  else
    text_say(out, "risk", "%.9g; no private mechanism has a risk below %.9g", facts->risk,
             facts->limit);
  if (facts->repair_cost < 1e-9)
    text_say(out, "exactness", "increases the risk by less than 1e-9 (relative)");
  else
    text_say(out, "exactness", "increases the risk by %.2g (relative)", facts->repair_cost);
}

/* How far an answer is from the count. */
static sfm_status report_distance(FILE *out, const sfm_release *release, sfm_error *error) {
  static const double confidences[] = {0.5, 0.95, 0.999};
  size_t distances[3];
  for (size_t i = 0; i < 3; i++) {
    sfm_status status = sfm_optimal_error(release, &distances[i], confidences[i], error);
    if (status) return status;
  }
  text_say(out, "answers",
           "for every count: within \u00b1%zu of it with probability 0.5, \u00b1%zu with 0.95, "
           "\u00b1%zu with 0.999",
           distances[0], distances[1], distances[2]);
  return SFM_OK;
}

sfm_status optimal_view_print(FILE *out, const sfm_release *release, sfm_error *error) {
  sfm_optimal_facts facts;
  char aim[256];
  sfm_status status = sfm_optimal_describe(release, &facts, error);
  if (status) return status;
  write_criterion(aim, sizeof aim, &facts);
  text_say(out, "mechanism", "for counts from 0 to %zu, epsilon %.15g: %s", facts.n, facts.epsilon,
           aim);
  text_print_labelled(out, "form",
                      facts.form == SFM_OPTIMAL_REMAP
                          ? "remap: the count with discrete Laplace noise of scale 1/epsilon is "
                            "clamped to 0 to n, and a public table gives the answer"
                          : "matrix: a table with one row per count gives the answer; its ratios "
                            "are checked in integers");
  report_risk(out, &facts);
  return report_distance(out, release, error);
}

sfm_status show_mechanism(const sfm_release *release, sfm_error *error) {
  text_print_wrapped(stdout, sfm_release_sentence(release), 0, 0, 80);
  fputc('\n', stdout);
  return optimal_view_print(stdout, release, error);
}

/* The words of a picture. */
typedef struct figure_text {
  char own[128], tiles[512], map[512]; /* notes below tiles, and below a map */
  const char *title, *subtitle;
} figure_text;

/* Probabilities in per cent, one tile per count and answer, if they are large enough to read. */
static sfm_status draw_as_tiles(bool *drawn, const sfm_release *release, const double *values,
                                size_t size, const figure_text *words, const char *path,
                                sfm_error *error) {
  enum { ROOM = 16, MOST = 40 };
  char names[MOST][ROOM], (*details)[ROOM] = NULL;
  const char *heads[MOST], **texts = NULL;
  sfm_status status = SFM_OK;
  *drawn = false;
  if (size > MOST) return SFM_OK;
  details = malloc(size * size * sizeof *details);
  texts = malloc(size * size * sizeof *texts);
  if (!details || !texts) status = cli_fail_memory(error);
  for (size_t k = 0; !status && k < size * size; k++) {
    details[k][0] = 0;
    if (!(values[k] < 0.005)) snprintf(details[k], ROOM, "%.0f", 100 * values[k]);
    texts[k] = details[k];
  }
  for (size_t i = 0; i < size; i++) {
    snprintf(names[i], ROOM, "%zu", i);
    heads[i] = names[i];
  }
  const draw_tiles tiles = {.title = words->title,
                            .subtitle = words->subtitle,
                            .caption = sfm_release_sentence(release),
                            .note = words->tiles,
                            .labels = {"count", "answer"},
                            .value_label = "probability",
                            .counts = {size, size},
                            .names = {heads, heads},
                            .values = values,
                            .details = texts,
                            .diagonal = true};
  if (!status) status = figure_output_tiles(drawn, &tiles, path, error);
  free(details);
  free(texts);
  return status;
}

/* A map of flat squares: probabilities are of whole numbers, with nothing in between. */
static sfm_status draw_as_map(const sfm_release *release, const double *values, size_t size,
                              const figure_text *words, const char *path, sfm_error *error) {
  enum { FINE = 512 };
  const size_t fine = size < FINE ? (FINE + size - 1) / size : 1, all = size * fine;
  double *flat = malloc(all * all * sizeof *flat);
  if (!flat) return cli_fail_memory(error);
  for (size_t i = 0; i < all; i++)
    for (size_t k = 0; k < all; k++) flat[i * all + k] = values[i / fine * size + k / fine];
  const draw_figure figure = {.title = words->title,
                              .subtitle = words->subtitle,
                              .labels = {"count", "answer"},
                              .value_label = "probability",
                              .caption = sfm_release_sentence(release),
                              .note = words->map,
                              .dimension = 2,
                              .counts = {all, all},
                              .lower = {-0.5, -0.5},
                              .upper = {(double)size - 0.5, (double)size - 0.5},
                              .values = flat,
                              .diagonal = true};
  const sfm_status status = figure_output_draw(&figure, path, error);
  free(flat);
  return status;
}

sfm_status plot_mechanism(const sfm_release *release, const cli_options *options,
                          sfm_error *error) {
  const char *path = options_get(options, "output");
  sfm_optimal_facts facts;
  figure_text words;
  picture_words stated;
  char aim[256];
  bool drawn = false;
  sfm_status status = sfm_optimal_describe(release, &facts, error);
  if (!status && options_has(options, "units"))
    status = cli_misuse(error, "--units is for releases of columns; leave it out");
  if (status) return status;
  const size_t size = facts.n + 1;
  double *values = malloc(size * size * sizeof *values);
  if (!values) return cli_fail_memory(error);
  for (size_t i = 0; i < size && !status; i++)
    status = sfm_optimal_law(release, values + i * size, i, error);
  snprintf(words.own, sizeof words.own, "a mechanism for counts up to %zu, epsilon %.6g", facts.n,
           facts.epsilon);
  words.title = words.own;
  picture_words_title(&stated, &words.title, &words.subtitle, options, release);
  write_criterion(aim, sizeof aim, &facts);
  snprintf(words.map, sizeof words.map,
           "The probability of each answer at each count; on the diagonal the answer is the count. "
           "The mechanism has %s.",
           aim);
  snprintf(words.tiles, sizeof words.tiles, "Numbers are in per cent. %.400s", words.map);
  if (!status) status = draw_as_tiles(&drawn, release, values, size, &words, path, error);
  if (!status && !drawn) status = draw_as_map(release, values, size, &words, path, error);
  free(values);
  return status;
}
