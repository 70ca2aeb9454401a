/* optimal_verb.c - sfumato optimal: the best private mechanism for a count.  Opens no rows and
 * costs nothing. */
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/number_table.h"
#include "cli/io/result_output.h"
#include "cli/report/optimal_view.h"
#include "cli/report/report.h"
#include "sfumato/optimal.h"

static const cli_option options_table[] = {
    {"n", "N", "the largest possible count, 1 to 500; usually the number of records",
     CLI_COUNT(1, 500), .missing = "the largest possible count; write for example --n 70"},
    {"epsilon", "E", "privacy loss of an answer, 1e-6 to 15; smaller is more private",
     CLI_POSITIVE("0.5"),
     .missing =
         "the privacy loss of an answer; smaller is more private. Write for example --epsilon 0.5"},
    {"loss", "LOSS",
     "the loss of an answer: absolute |count - answer|, squared, zero-one (0 for the count itself, "
     "otherwise 1), or @L.csv, a table of your own without a header: line i is for the count i-1, "
     "cell j for the answer j-1",
     "absolute"},
    {"minimax", NULL, "minimise the risk at the worst count"},
    {"equaliser", NULL,
     "the smallest risk that is the same at every count; if it is not above the minimax risk, the "
     "mechanism is minimax, too"},
    {"prior", "uniform|@P.csv",
     "minimise the mean risk under this prior of the count: n+1 numbers that sum to one"},
    CLI_SAME(json),
    {"output", "FILE", "the mechanism to write, usually named *.sfm; - is standard output", NULL,
     'o'},
    {0},
};

/* What the settings borrow. */
typedef struct request_parts {
  double *losses, *prior;
} request_parts;

#define AT(name, member) CLI_FIELD(name, sfm_optimal_settings, member)
static const cli_field fields[] = {AT("n", n), AT("epsilon", epsilon), {0}};

static sfm_status read_loss(sfm_optimal_settings *s, request_parts *a, const cli_options *options,
                            sfm_error *error) {
  const char *text = options_get(options, "loss");
  if (!text) return SFM_OK;
  for (s->loss = SFM_OPTIMAL_LOSS_ABSOLUTE; s->loss < SFM_OPTIMAL_LOSS_OWN; s->loss++)
    if (strcmp(text, sfm_optimal_loss_name(s->loss)) == 0) return SFM_OK;
  if (text[0] != '@' || !text[1])
    return cli_misuse(error,
                      "--loss: '%s' is unknown; write absolute, squared, zero-one, or @L.csv for a "
                      "table of your own",
                      text);
  sfm_status status =
      number_table_load(&a->losses, text + 1, s->n + 1, s->n + 1,
                        "one line per count from 0 to n, one cell per answer from 0 to n", error);
  s->losses = a->losses;
  return status;
}

static sfm_status read_prior(sfm_optimal_settings *s, request_parts *a, const char *text,
                             sfm_error *error) {
  if (strcmp(text, "uniform") == 0) return SFM_OK;
  if (text[0] != '@' || !text[1])
    return cli_misuse(
        error,
        "--prior: '%s' is neither uniform nor a file; write --prior uniform or --prior @p.csv",
        text);
  sfm_status status = number_table_load(&a->prior, text + 1, 1, s->n + 1,
                                        "one weight per count from 0 to n", error);
  s->prior = a->prior;
  return status;
}

/* Which risk is to be least. */
static sfm_status read_objective(sfm_optimal_settings *s, request_parts *a,
                                 const cli_options *options, sfm_error *error) {
  const char *prior = options_get(options, "prior");
  const bool minimax = options_has(options, "minimax"),
             equaliser = options_has(options, "equaliser");
  if (prior && (minimax || equaliser))
    return cli_misuse(error,
                      "--prior and --%s exclude each other: one minimises the mean over counts, "
                      "the other the worst count",
                      minimax ? "minimax" : "equaliser");
  if (!prior && !minimax && !equaliser)
    return cli_misuse(error, "the risk to minimise is missing: write --minimax for the worst "
                             "count, or --prior uniform for the mean over counts");
  s->objective = prior       ? SFM_OPTIMAL_OBJECTIVE_BAYES
                 : equaliser ? SFM_OPTIMAL_OBJECTIVE_EQUALISER
                             : SFM_OPTIMAL_OBJECTIVE_MINIMAX;
  return prior ? read_prior(s, a, prior, error) : SFM_OK;
}

static sfm_status read_settings(sfm_optimal_settings *s, request_parts *a,
                                const cli_options *options, sfm_error *error) {
  *s = sfm_optimal_settings_default();
  sfm_status status = options_fill(s, fields, options, error);
  if (!status) status = read_loss(s, a, options, error);
  return status ? status : read_objective(s, a, options, error);
}

static sfm_status report(const sfm_release *release, const char *path, sfm_error *error) {
  sfm_status status = optimal_view_print(stderr, release, error);
  if (status) return status;
  text_print_labelled(stderr, "guarantee", sfm_release_sentence(release));
  text_print_labelled(stderr, "charged",
                      "nothing: no rows were read; each answer is charged by `sfumato count`");
  if (strcmp(path, "-") == 0) return SFM_OK;
  text_say(stderr, "wrote", "%.500s: `sfumato verify` checks it, `sfumato count` answers with it",
           path);
  return SFM_OK;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  request_parts a = {0};
  sfm_optimal_settings settings;
  sfm_release *release = NULL;
  sfm_status status = report_check_output(options, "m.sfm", error);
  if (!status) status = read_settings(&settings, &a, options, error);
  if (!status) status = sfm_optimal_design(&release, &settings, error);
  if (!status) status = output_release(release, path, error);
  if (!status) status = report_summary(release, options, error);
  if (!status) status = report(release, path, error);
  sfm_release_destroy(release);
  free(a.losses);
  free(a.prior);
  return status;
}

const cli_verb verb_optimal = {
    .name = "optimal",
    .summary = "compute the best mechanism for a count: minimax, or for a prior",
    .usage = "--n N --epsilon E (--minimax | --equaliser | --prior uniform|@P.csv) [--loss LOSS] "
             "-o FILE [--json]",
    .options = options_table,
    .about = "A count of at most n records is one of 0 to n. Among all epsilon-private mechanisms "
             "that answer with one of 0 to n, this one has the smallest risk (the mean loss). It "
             "is found by a linear program and then made exactly private, in integers. It is "
             "public: no rows are read, nothing is charged, and anyone can check it with `sfumato "
             "verify`. `sfumato count --mechanism FILE` answers with it.\n"
             "n may be up to 500 if the loss never decreases as the answer moves away from the "
             "count, on either side. For other losses, and for an equal risk above the minimax "
             "risk, n may be up to 60.\n"
             "The JSON object has the keys of `show --json`, among them n, epsilon, loss, "
             "objective, prior (uniform, own, worst: the prior that proves the limit; or null), "
             "form (remap or matrix), risk, lp_risk (the optimum of the linear program), "
             "repair_cost ((risk - lp_risk)/lp_risk) and limit (no private mechanism has a smaller "
             "risk; null if the file proves no limit).",
    .example = "sfumato optimal --n 70 --epsilon 0.5 --loss absolute --minimax -o m.sfm\n"
               "sfumato optimal --n 70 --epsilon 0.5 --loss squared --prior uniform -o mean.sfm "
               "--json",
    .run = run,
};
