/* limits_kernel_verb.c - sfumato limits kernel: how errors grow in the three models of learning. */

#include "cli/io/json_output.h"
#include "cli/request/row_options.h"
#include "limits_text.h"
#include "cli/core/options.h"
#include "cli/core/verbs.h"

static const cli_option kernel_options[] = {
    {"rows", "N", "how many rows the machine is learned from, a public number",
     CLI_COUNT(1, UINT64_C(1) << 53),
     .missing = "how many rows the machine is learned from; write for example --rows 10000"},
    {"lambda", "A", "weight of |w|^2/2, which is added to the mean loss", CLI_POSITIVE("0.01"),
     .missing = "the weight of |w|^2/2; write for example --lambda 0.01"},
    CLI_SAME(epsilon),
    {"delta", "P", "above 0 and below 1; without it epsilons add up, and errors fall more slowly",
     "none", CLI_FRACTION("1e-6")},
    {"kappa", "R", "the largest norm that a row's features can have", "1", CLI_POSITIVE("1")},
    {"lipschitz", "L", "the steepest slope of the loss", "1", CLI_POSITIVE("1")},
    {"norm", "C", "the largest norm that the machine can have", "lipschitz * kappa/lambda",
     CLI_POSITIVE("10")},
    {"failure", "P", "the probability that an error is larger", "0.05", CLI_FRACTION("0.05")},
    {"questions", "T", "how many questions are asked (theorem 3), or points are public (theorem 5)",
     "theorem 5: the best number", CLI_COUNT(1, UINT64_C(1) << 53)},
    {"dimension", "D", "how many coordinates a row has (theorem 8)",
     CLI_COUNT(1, UINT64_C(1) << 53)},
    CLI_SAME(json),
    {0},
};

#define AT(name, member) CLI_FIELD(name, sfm_learner, member)
static const cli_field fields[] = {AT("rows", rows),
                                   AT("lambda", lambda),
                                   AT("epsilon", epsilon),
                                   AT("delta", delta),
                                   AT("kappa", kappa),
                                   AT("lipschitz", lipschitz),
                                   AT("norm", norm),
                                   AT("failure", failure),
                                   AT("questions", questions),
                                   AT("dimension", dimension),
                                   {0}};

static sfm_status print_json(const sfm_learner *l, const sfm_limits *limits, sfm_error *error) {
  json_t *object = json_pack(
      "{s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "problem", "kernel", "n",
      (json_int_t)l->rows, "lambda", l->lambda, "lipschitz", l->lipschitz, "kappa", l->kappa,
      "epsilon", l->epsilon, "failure", l->failure, "delta", limits_number_json(l->delta), "norm",
      limits_number_json(l->norm), "questions", limits_count_json(l->questions), "dimension",
      limits_count_json(l->dimension), "limits", limits_json(limits));
  return json_output_print(object, error);
}

static sfm_status run_kernel(const cli_options *options, sfm_error *error) {
  sfm_learner learner = sfm_learner_default();
  sfm_limits limits;
  sfm_status status = options_fill(&learner, fields, options, error);
  if (!status) status = sfm_limits_kernel(&limits, &learner, error);
  if (status) return status;
  if (options_has(options, "json")) return print_json(&learner, &limits, error);
  const size_t width = limits_width();
  text_say_within(
      stdout, width, "limits",
      "how the errors of learning with kernels grow in three models. These are rates without "
      "constants: they show how errors change, and bound nothing. C: norm, L: lipschitz, R: kappa, "
      "T: questions, d: dimension, beta: failure");
  printf("%-12ssfumato plan interact, plan train --method tddl|tdil: the error of your own "
         "machine\n\n",
         "instead");
  for (size_t i = 0; i < limits.count; i++) limits_print(&limits.at[i], width);
  return SFM_OK;
}

const cli_verb verb_limits_kernel = {
    .name = "limits kernel",
    .summary = "how errors grow with interactive, semi-interactive and non-interactive learning",
    .usage = "--rows N --lambda A --epsilon E [--delta P] [--questions T] [--dimension D] [--json]",
    .options = kernel_options,
    .about =
        "Private: nothing. No rows are read, no noise is drawn and no budget is charged.\nTheorems "
        "3, 5 and 8 of Jain and Thakurta (2013), as far as they follow from the parameters of "
        "their algorithms. They are rates: the paper does not state their constants, so the "
        "numbers, with constant 1, bound nothing. They show how much more rows, a larger lambda or "
        "epsilon, fewer questions or dimensions would help: docs/proofs/kernel-limits.md. `sfumato "
        "plan train` predicts the error of your own release.\nIn the formulas C is the norm, L "
        "lipschitz, R kappa, T questions, d the dimension and beta the failure.\nThe JSON object "
        "has the keys problem, n, lambda, lipschitz, kappa, epsilon, failure, delta, norm, "
        "questions, dimension (null where they were not given) and limits [{name, kind, quantity, "
        "value (null where it does not hold), holds, comparable, expression, why}].",
    .example = "sfumato limits kernel --rows 500000 --lambda 0.002 --epsilon 1 --delta 1e-6 "
               "--questions 100000 --dimension 2",
    .run = run_kernel,
};
