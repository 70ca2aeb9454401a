/* limits_svm_verb.c - sfumato limits svm: what is proved of private kernel machines. */
#include <math.h>
#include <string.h>

#include "cli/io/json_output.h"
#include "cli/request/kernel_option.h"
#include "limits_text.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"

static const cli_option svm_options[] = {
    {"rows", "N", "how many rows the machine is learned from, a public number",
     CLI_COUNT(1, UINT64_C(1) << 53),
     .missing = "how many rows the machine is learned from; write for example --rows 10000"},
    {"lambda", "L", "weight of |w|^2/2, which is added to the mean loss", CLI_POSITIVE("0.01")},
    {"c", "C", "instead: weight of the mean loss, which is added to |w|^2/2; lambda is 1/C",
     CLI_POSITIVE("100")},
    {"kernel", "linear|FAMILY:BANDWIDTH",
     "linear (or any finite number of features), or a stationary kernel such as gaussian:0.5, in "
     "units of the scaled columns",
     "linear"},
    {"features", "F",
     "how many features there are; for random features, cosines and sines together",
     "linear: the dimension; else the best number", CLI_COUNT(1, UINT64_C(1) << 53)},
    {"dimension", "D", "how many coordinates a row has", CLI_COUNT(1, UINT64_C(1) << 24)},
    {"diameter", "W", "the largest distance between two rows", "that of the box [-1, 1]^D",
     CLI_POSITIVE("2")},
    {"radius", "R", "a disc of this radius fits between the bounds of the rows", "1",
     CLI_POSITIVE("1")},
    {"kappa", "K", "linear: the largest norm that a row's features can have", "1",
     CLI_POSITIVE("1")},
    {"entry", "P", "the largest size that a single feature can have",
     "kappa; for random features sqrt(2/F)", CLI_POSITIVE("1")},
    {"epsilon", "E", "privacy loss: shows which accuracy it allows", CLI_POSITIVE("0.5")},
    {"accuracy", "A",
     "how far the released machine may be from the one without noise, anywhere: shows which "
     "epsilon this needs",
     CLI_POSITIVE("0.1")},
    {"failure", "P", "the probability that it is farther", CLI_FRACTION("0.05")},
    CLI_SAME(json),
    {0},
};

#define AT(name, member) CLI_FIELD(name, sfm_svm, member)
static const cli_field fields[] = {
    AT("rows", rows),           AT("lambda", lambda),     AT("features", features),
    AT("dimension", dimension), AT("diameter", diameter), AT("radius", radius),
    AT("kappa", kappa),         AT("entry", entry),       AT("epsilon", epsilon),
    AT("accuracy", accuracy),   AT("failure", failure),   {0}};

static sfm_status read_lambda(sfm_svm *svm, const cli_options *options, sfm_error *error) {
  double c = 0;
  if (options_has(options, "lambda") == options_has(options, "c"))
    return cli_misuse(error, "write either --lambda, the weight of |w|^2/2, which is added to the "
                             "mean loss, or --c, its inverse: for example --lambda 0.01");
  const sfm_status status = options_take(options, &c, "c", error);
  if (c > 0) svm->lambda = 1 / c;
  return status;
}

static sfm_status read_kernel(sfm_svm *svm, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "kernel");
  if (!text || strcmp(text, "linear") == 0) return SFM_OK;
  if (strncmp(text, "polynomial", strlen("polynomial")) == 0)
    return cli_misuse(
        error, "--kernel: a polynomial kernel has finitely many features; write --kernel linear, "
               "the number of monomials as --features F, and their largest norm as --kappa K");
  return kernel_option_read(&svm->kernel, &svm->bandwidth, text, "kernel", error);
}

static sfm_status read_svm(sfm_svm *svm, const cli_options *options, sfm_error *error) {
  *svm = sfm_svm_default();
  sfm_status status = options_fill(svm, fields, options, error);
  if (!status) status = read_lambda(svm, options, error);
  if (!status) status = read_kernel(svm, options, error);
  if (svm->kernel == SFM_KERNEL_LINEAR && !svm->features) svm->features = svm->dimension;
  return status;
}

/* ---- what is printed ---- */

static sfm_status print_json(const sfm_svm *s, const sfm_limits *limits, sfm_error *error) {
  json_t *object =
      json_pack("{s:s, s:I, s:f, s:f, s:s, s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o}", "problem",
                "svm", "n", (json_int_t)s->rows, "lambda", s->lambda, "c", 1 / s->lambda, "kernel",
                sfm_kernel_family_name(s->kernel), "bandwidth", limits_number_json(s->bandwidth),
                "dimension", limits_count_json(s->dimension), "features",
                limits_count_json(s->features), "kappa", s->kappa, "epsilon",
                limits_number_json(s->epsilon), "accuracy", limits_number_json(s->accuracy),
                "failure", limits_number_json(s->failure), "limits", limits_json(limits));
  return json_output_print(object, error);
}

static void print_subject(const sfm_svm *s, size_t width) {
  char kernel[64] = "linear";
  if (s->kernel != SFM_KERNEL_LINEAR)
    snprintf(kernel, sizeof kernel, "%s:%g", sfm_kernel_family_name(s->kernel), s->bandwidth);
  text_say_within(
      stdout, width, "limits",
      "the largest distance, over all possible rows, between a private machine and the one "
      "without noise; hinge loss, %s kernel, n = %llu, lambda = %.6g (C = %.6g)",
      kernel, (unsigned long long)s->rows, s->lambda, 1 / s->lambda);
}

/* Which epsilon suffices, and below which none does. */
static void print_between(const sfm_limits *limits, size_t width) {
  double below = 0, above = INFINITY;
  char low[32], high[32];
  for (size_t i = 0; i < limits->count; i++) {
    const sfm_limit *l = &limits->at[i];
    if (!l->holds || !l->comparable) continue;
    if (l->kind == SFM_LIMIT_ATTAINED) above = fmin(above, l->value);
    if (l->kind == SFM_LIMIT_BOUND) below = fmax(below, l->value);
  }
  limits_value_text(low, sizeof low, below);
  limits_value_text(high, sizeof high, above);
  if (below > 0 && isfinite(above))
    text_say_within(
        stdout, width, "between",
        "below epsilon %s no mechanism has that accuracy; Laplace noise is proved to have it "
        "from epsilon %s on, %.3g times as much",
        low, high, above / below);
  else if (below > 0)
    text_say_within(stdout, width, "between", "below epsilon %s no mechanism has that accuracy",
                    low);
}

/* Whether a line only says that something was not given, or that it is about other kernels. */
static bool is_idle(const sfm_limit *l) {
  return !l->holds && (strncmp(l->why, "needs ", strlen("needs ")) == 0 ||
                       strncmp(l->why, "is about ", strlen("is about ")) == 0);
}

/* Adds the parts of a name, "theorem 13, corollary 20", that the list does not have. */
static void add_names(char *list, size_t size, const char *name) {
  for (size_t length; *name; name += length + strspn(name + length, ", ")) {
    bool there = false;
    length = strcspn(name, ",");
    if (strncmp(name, "sharper", length) == 0) continue;
    for (const char *at = list; *at && !there; at += strcspn(at, ","), at += strspn(at, ", "))
      there = strcspn(at, ",") == length && strncmp(at, name, length) == 0;
    if (!there) text_add(list, size, "%s%.*s", *list ? ", " : "", (int)length, name);
  }
}

/* "needs --features: theorem 10, theorem 11; is about gaussian kernels: theorem 26" */
static void print_idle(const sfm_limits *limits, size_t width) {
  char text[2048] = "";
  for (size_t i = 0; i < limits->count; i++) {
    const sfm_limit *l = &limits->at[i];
    char names[256] = "";
    bool said = !is_idle(l);
    for (size_t j = 0; !said && j < i; j++)
      said = is_idle(&limits->at[j]) && strcmp(limits->at[j].why, l->why) == 0;
    if (said) continue;
    for (size_t j = i; j < limits->count; j++)
      if (is_idle(&limits->at[j]) && strcmp(limits->at[j].why, l->why) == 0)
        add_names(names, sizeof names, limits->at[j].name);
    text_add(text, sizeof text, "%s%.100s: %s", *text ? "; " : "", l->why, names);
  }
  if (*text) text_say_within(stdout, width, "left out", "%s", text);
}

static sfm_status run_svm(const cli_options *options, sfm_error *error) {
  sfm_svm svm;
  sfm_limits limits;
  sfm_status status = read_svm(&svm, options, error);
  if (!status) status = sfm_limits_svm(&limits, &svm, error);
  if (status) return status;
  if (options_has(options, "json")) return print_json(&svm, &limits, error);
  const size_t width = limits_width();
  printf("%-12ssfumato plan train: the error of your own release\n", "instead");
  print_subject(&svm, width);
  puts("");
  for (size_t i = 0; i < limits.count; i++)
    if (!is_idle(&limits.at[i])) limits_print(&limits.at[i], width);
  puts("");
  print_between(&limits, width);
  print_idle(&limits, width);
  return SFM_OK;
}

const cli_verb verb_limits_svm = {
    .name = "limits svm",
    .summary = "how near a private kernel machine can be to the one without noise",
    .usage = "--rows N --lambda L|--c C [--kernel linear|gaussian:0.5] [--features F] "
             "[--dimension D] [--epsilon E] [--accuracy A] [--failure P] [--json]",
    .options = svm_options,
    .about =
        "Private: nothing. No rows are read, no noise is drawn and no budget is charged.\nWhat is "
        "proved about support vector machines with hinge loss, for the worst rows: which epsilon "
        "is enough for an accuracy (attained), which accuracy an epsilon allows, how many random "
        "features are needed, and below which epsilon no mechanism is that accurate (bound). "
        "Theorems are numbered as in Rubinstein, Bartlett, Huang and Taft (2012), with "
        "corrections: docs/proofs/svm-limits.md. Theorems that need a number that was not given "
        "are named in the last line (and are in the JSON object in full). The noise is Laplace "
        "noise, with pure epsilon. Most of these bounds are far from the errors that are "
        "measured.\nThe JSON object has the keys problem, n, lambda, c, kernel, bandwidth, "
        "dimension, features, kappa, epsilon, accuracy, failure and limits [{name, kind, quantity "
        "(epsilon, accuracy, features, scale or failure), value (null where it does not hold), "
        "holds, comparable, expression, why}].",
    .example =
        "sfumato limits svm --rows 32561 --lambda 0.01 --dimension 14 --epsilon 1 --accuracy 0.1 "
        "--failure 0.05\n"
        "sfumato limits svm --rows 10000 --c 100 --kernel gaussian:0.5 --dimension 2 --accuracy "
        "0.001 --failure 0.01",
    .run = run_svm,
};
