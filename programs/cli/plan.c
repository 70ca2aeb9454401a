/* plan.c - sfumato plan density: what a release would be like, before anything private is opened.
 *
 * It takes no rows, and links nothing that could read them (tests/tools/check_blindness). */
#include <string.h>

#include "commission.h"
#include "planning.h"
#include "verbs.h"

#define PRIVATE_NOTHING                                                                            \
  "Private: nothing. A plan opens no rows, draws no secret and charges nobody: whatever it "       \
  "reads, "                                                                                        \
  "a schema, categories, points, a pilot's release, is public, and so is what it prints."

static const cli_option density_table[] = {
    CLI_OPTION_ROWS,
    CLI_OPTION_BOUNDS,
    CLI_OPTION_COLUMNS,
    CLI_OPTION_SCHEMA,
    {"bandwidth", "H[,H...]|auto",
     "standard deviation of the Gaussian kernel (or the length of another one) in the column's "
     "unit, one for all columns or one each; auto: the best for each method",
     "auto", 0},
    CLI_OPTION_SHAPE,
    CLI_OPTIONS_COMMISSION,
    CLI_OPTIONS_PLANNING,
    {0},
};

/* Over what: "age from 0 to 100", of as many columns as there is room for. */
static void subject_text(char *out, size_t size, const char *what, const planning *p) {
  size_t used = (size_t)snprintf(out, size, "%s ", what);
  for (size_t a = 0; a < p->dimension && used < size; a++) {
    if (a == 3 && p->dimension > 4) {
      snprintf(out + used, size - used, " and %zu more", p->dimension - a);
      return;
    }
    used += (size_t)snprintf(out + used, size - used, "%s%.60s from %.6g to %.6g", a ? ", " : "",
                             p->columns[a], p->lower[a], p->upper[a]);
  }
}

/* What settings say of the people and of the domain. */
static void take_settings(planning *p, const sfm_density_settings *s) {
  p->epsilon = s->epsilon;
  p->delta = s->delta;
  p->confidence = s->confidence;
  p->neighbours = sfm_schema_neighbours(s->schema);
  p->contributions = sfm_schema_contributions(s->schema);
  p->enforced = sfm_schema_person(s->schema) != NULL;
  p->dimension = s->dimension;
  p->columns = s->columns;
  for (size_t a = 0; a < s->dimension; a++) {
    const sfm_column *column = sfm_schema_find(s->schema, s->columns[a]);
    p->lower[a] = column->lower;
    p->upper[a] = column->upper;
  }
}

static sfm_status run_density(const cli_options *options, sfm_error *error) {
  static const char *const apart[] = {NULL};
  planning p = {.options = options,
                .kind = "density",
                .verb = "density",
                .input = "ROWS",
                .choice = "method",
                .apart = apart,
                .people = "people",
                .shaped = true,
                .shape = options_get(options, "shape"),
                .whole = "the peak"};
  char subject[512];
  commission c = {0};
  sfm_plan *plan = NULL;
  sfm_status status = asking_read_count(&p.rows, options, error);
  if (!status) status = planning_check(options, error);
  if (!status) status = commission_plan(&c, options, error);
  if (status) goto cleanup;
  take_settings(&p, &c.settings);
  if (p.neighbours == SFM_ADD_REMOVE) c.settings.expected_rows = p.rows;
  subject_text(subject, sizeof subject, "the density of", &p);
  p.subject = subject;
  status = sfm_plan_density(&plan, &c.settings, p.rows, error);
  p.plan = plan;
  if (!status) status = planning_show(&p, error);
cleanup:
  sfm_plan_destroy(plan);
  commission_clear(&c);
  return status;
}

const cli_verb verb_plan_density = {
    .name = "plan density",
    .summary = "the error of a density by every method, before anything is spent",
    .usage = "--n N --bounds A:B --epsilon E [--delta D] [--shape SHAPE] [--bandwidth H] [options]",
    .options = density_table,
    .about = PRIVATE_NOTHING
    "\nThe JSON object has the keys kind, best, n, epsilon, delta, confidence, shape, methods "
    "[{method, hardened, parameters {}, guarantee {}, predicted {privacy, sampling, smoothing, "
    "truncation, aliasing, total, relative, interval, cost, cost_interval}, band, pointwise, "
    "apart, share}], absent [{method, reason}], needed [{relative, n, epsilon}], bandwidth {best, "
    "total, relative}, curves {n [], epsilon []}; docs/guides/plan.md explains them.",
    .example = "sfumato plan density --n 5000 --bounds 0:100 --epsilon 1\n"
               "sfumato plan density --n 5000 --bounds 0:100 --epsilon 1 --delta 1e-6 --shape "
               "normal:40:12 --plot plan.svg\n"
               "sfumato plan density --n 100000 --bounds -74.3:-73.7,40.5:40.9 --epsilon 1 --shape "
               "@pilot.sfm --error 3%",
    .run = run_density,
};
