#include "workshop.h"

#include <math.h>
#include <stdlib.h>

#include "canvas.h"
#include "draw/draw.h"
#include "report.h"

void workshop_aim(char *buffer, size_t size, const sfm_optimal_facts *facts) {
  const char *prior = facts->uniform ? "the uniform prior" : "a prior of its own";
  snprintf(buffer, size, "%s%s, %s loss",
           facts->objective == SFM_OPTIMAL_BAYES     ? "the least mean risk under "
           : facts->objective == SFM_OPTIMAL_MINIMAX ? "the least risk at the worst count"
                                                     : "the least risk that is the same at every "
                                                       "count",
           facts->objective == SFM_OPTIMAL_BAYES ? prior : "",
           facts->loss == SFM_OPTIMAL_OWN ? "its own" : sfm_optimal_loss_name(facts->loss));
}

static void report_risk(FILE *out, const sfm_optimal_facts *facts) {
  char text[256];
  if (isnan(facts->limit))
    snprintf(text, sizeof text, "%.9g; the linear program's own optimum is %.9g", facts->risk,
             facts->lp_risk);
  else
    snprintf(text, sizeof text, "%.9g; no private mechanism has less than %.9g", facts->risk,
             facts->limit);
  report_line(out, "risk", text);
  if (facts->repair_cost < 1e-9)
    snprintf(text, sizeof text, "costs less than 1e-9 of the risk");
  else
    snprintf(text, sizeof text, "costs %.2g of the risk", facts->repair_cost);
  report_line(out, "exactness", text);
}

/* How far an answer is from the count. */
static sfm_status report_distance(FILE *out, const sfm_release *release, sfm_error *error) {
  static const double confidences[] = {0.5, 0.95, 0.999};
  size_t distances[3];
  char text[256];
  for (size_t i = 0; i < 3; i++) {
    sfm_status status = sfm_optimal_error(release, &distances[i], confidences[i], error);
    if (status) return status;
  }
  snprintf(text, sizeof text,
           "whatever the count, within \u00b1%zu of it half the time, \u00b1%zu with probability "
           "0.95, \u00b1%zu with 0.999",
           distances[0], distances[1], distances[2]);
  report_line(out, "answers", text);
  return SFM_OK;
}

sfm_status workshop_report(FILE *out, const sfm_release *release, sfm_error *error) {
  sfm_optimal_facts facts;
  char text[512], aim[256];
  sfm_status status = sfm_optimal_describe(release, &facts, error);
  if (status) return status;
  workshop_aim(aim, sizeof aim, &facts);
  snprintf(text, sizeof text, "for counts from 0 to %zu, epsilon %.15g: %s", facts.n, facts.epsilon,
           aim);
  report_line(out, "mechanism", text);
  report_line(out, "form",
              facts.form == SFM_OPTIMAL_REMAP
                  ? "remap: discrete Laplace noise of scale 1/epsilon, brought into 0 to n, then "
                    "an answer by a public table"
                  : "matrix: an answer by a table with a row for every count, its ratios checked "
                    "in integers");
  report_risk(out, &facts);
  return report_distance(out, release, error);
}

sfm_status workshop_draw(const sfm_release *release, const char *path, sfm_error *error) {
  sfm_optimal_facts facts;
  char title[128], note[256];
  sfm_status status = sfm_optimal_describe(release, &facts, error);
  if (status) return status;
  const size_t size = facts.n + 1;
  double *values = malloc(size * size * sizeof *values);
  if (!values) return cli_fail_memory(error);
  for (size_t i = 0; i < size && !status; i++)
    status = sfm_optimal_law(release, values + i * size, i, error);
  snprintf(title, sizeof title, "a mechanism for counts up to %zu, epsilon %.6g", facts.n,
           facts.epsilon);
  int used = snprintf(note, sizeof note, "The mechanism of ");
  workshop_aim(note + used, sizeof note - (size_t)used, &facts);
  const draw_figure figure = {.title = title,
                              .labels = {"count", "answer"},
                              .value_label = "probability",
                              .caption = sfm_release_sentence(release),
                              .note = note,
                              .dimension = 2,
                              .counts = {size, size},
                              .upper = {(double)facts.n, (double)facts.n},
                              .values = values};
  if (!status) status = canvas_draw(&figure, path, error);
  free(values);
  return status;
}
