/* limits_verb.c - sfumato limits: how little error anyone could have, beside what sfumato has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/json_output.h"
#include "limits_text.h"
#include "sfumato/limits.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"

enum { COLUMNS_MAX = 64 };

static const cli_option option_records = {"n", "N", "how many records there are, a public number",
                                          "as many as needed",
                                          CLI_COUNT(1, (UINT64_C(1) << 53) - 1)};
static const cli_option option_cells = {
    "cells", "P", "how many cells the table has, up to 2^62", CLI_COUNT(1, UINT64_C(1) << 62),
    .missing = "how many cells the table has; write for example --cells 64"};
static const cli_option option_delta = {
    "delta", "D", "also show the error of normal noise at this delta", CLI_FRACTION("1e-6")};

static const cli_option count_options[] = {
    {"n", "N", "how many records there are: the count is one of 0 to N",
     CLI_COUNT(1, (UINT64_C(1) << 53) - 1),
     .missing = "how many records; write for example --n 100"},
    CLI_SAME(epsilon),
    {"loss", "absolute", "what an error costs: its size, in records", "absolute",
     CLI_WORDS("absolute")},
    {"worst", "R",
     "the worst mean error, in records, of a mechanism: shows how small its error can then be at "
     "other counts",
     "that of the geometric mechanism", CLI_POSITIVE("2")},
    CLI_SAME(json),
    {0},
};
static const cli_option histogram_options[] = {
    CLI_SAME(cells),
    CLI_SAME(records),
    CLI_SAME(epsilon),
    CLI_SAME(delta),
    CLI_SAME(neighbours),
    CLI_SAME(json),
    {0},
};
static const cli_option sparse_options[] = {
    CLI_SAME(cells),
    {"occupied", "Q", "how many of them, at most, are not empty", CLI_COUNT(1, UINT64_C(1) << 62),
     .missing = "how many cells, at most, are not empty; write for example --occupied 22"},
    CLI_SAME(records),
    CLI_SAME(epsilon),
    CLI_SAME(neighbours),
    CLI_SAME(json),
    {0},
};
static const cli_option margins_options[] = {
    {"columns", "K", "how many columns of two categories", CLI_COUNT(1, COLUMNS_MAX)},
    {"sizes", "A,B,...", "instead: how many categories every column has"},
    CLI_SAME(records),
    CLI_SAME(epsilon),
    CLI_SAME(delta),
    CLI_SAME(neighbours),
    CLI_SAME(json),
    {0},
};

#define ABOUT(more)                                                                                \
  "Private: nothing. No rows are read, no noise is drawn and no budget is charged.\nexact: the "   \
  "smallest worst-case error of any private mechanism. bound: no private mechanism has a smaller " \
  "worst-case error; proved, with its constant. rate: how the smallest error grows; its constant " \
  "is not known, so the number, with constant 1, bounds nothing. attained: the error of sfumato. " \
  "A bound is about the worst database; yours may be easier. `sfumato plan` predicts the error "   \
  "of your own release." more "\n"                                                                 \
  "The JSON object has the keys problem, n, epsilon, delta, neighbours and limits [{name, kind, "  \
  "value (null where it does not hold), holds, comparable, expression, why}]; "                    \
  "docs/guides/limits.md explains them."

/* What was asked. */
typedef struct limits_request {
  const cli_options *options;
  const char *problem;
  char subject[320];
  sfm_limits_settings settings;
  uint64_t sizes[COLUMNS_MAX];
  sfm_limits limits;
} limits_request;

#define AT(name, member) CLI_FIELD(name, sfm_limits_settings, member)
static const cli_field fields[] = {AT("n", n),
                                   AT("epsilon", epsilon),
                                   AT("delta", delta),
                                   AT("neighbours", neighbours),
                                   AT("worst", worst),
                                   AT("cells", cells),
                                   AT("occupied", occupied),
                                   {0}};

/* ---- what is printed ---- */

static sfm_status print_json(const limits_request *q, sfm_error *error) {
  const sfm_limits_settings *s = &q->settings;
  json_t *object =
      json_pack("{s:s, s:o, s:f, s:f, s:s, s:o}", "problem", q->problem, "n",
                limits_count_json(s->n), "epsilon", s->epsilon, "delta", s->delta, "neighbours",
                sfm_neighbours_name(s->neighbours), "limits", limits_json(&q->limits));
  return json_output_print(object, error);
}

/* How near what sfumato has (what is exact is made by `optimal`, too) is to what nobody can
 * pass. */
static void say_between(const limits_request *q, size_t width) {
  double below = 0, above = INFINITY;
  char low[32], high[32];
  for (size_t i = 0; i < q->limits.count; i++) {
    const sfm_limit *l = &q->limits.at[i];
    if (!l->holds || !l->comparable) continue;
    if (l->kind == SFM_LIMIT_ATTAINED || l->kind == SFM_LIMIT_EXACT) above = fmin(above, l->value);
    if (l->kind != SFM_LIMIT_ATTAINED) below = fmax(below, l->value);
  }
  if (!(below > 0) || !isfinite(above)) return;
  limits_value_text(low, sizeof low, below);
  limits_value_text(high, sizeof high, above);
  if (above < 1.005 * below)
    text_say_within(
        stdout, width, "between",
        "no private mechanism has a worst-case error below %s records, and sfumato reaches it",
        low);
  else
    text_say_within(
        stdout, width, "between",
        "no private mechanism has a worst-case error below %s records, and sfumato has at "
        "most %s: %.3g times as much",
        low, high, above / below);
}

static sfm_status show(const limits_request *q, sfm_error *error) {
  if (options_has(q->options, "json")) return print_json(q, error);
  const size_t width = limits_width();
  text_say_within(stdout, width, "limits", "%s", q->subject);
  puts("");
  for (size_t i = 0; i < q->limits.count; i++) limits_print(&q->limits.at[i], width);
  puts("");
  say_between(q, width);
  printf("%-12ssfumato explain --epsilon %s\n", "meaning", options_get(q->options, "epsilon"));
  return SFM_OK;
}

static void subject_of(limits_request *q, const char *what) {
  char records[64] = "";
  if (q->settings.n && strcmp(q->problem, "count") != 0)
    snprintf(records, sizeof records, ", %llu records", (unsigned long long)q->settings.n);
  snprintf(q->subject, sizeof q->subject, "%s%s; epsilon %.6g; the worst case", what, records,
           q->settings.epsilon);
}

/* ---- the verbs ---- */

/* --columns K, or --sizes A,B,... */
static sfm_status read_sizes(limits_request *q, sfm_error *error) {
  const char *text = options_get(q->options, "sizes");
  uint64_t columns = 0;
  double *sizes = NULL;
  if (!text == !options_has(q->options, "columns"))
    return cli_misuse(
        error, "write either --columns K, the number of columns of two categories, or --sizes with "
               "the number of categories of every column, for example --sizes 2,2,5");
  q->settings.sizes = q->sizes;
  if (!text) {
    sfm_status status = options_take(q->options, &columns, "columns", error);
    for (size_t j = 0; !status && j < columns; j++) q->sizes[j] = 2;
    q->settings.columns = columns;
    return status;
  }
  sfm_status status = text_numbers(&sizes, &q->settings.columns, text, "sizes", error);
  if (!status && q->settings.columns > COLUMNS_MAX)
    status = cli_misuse(error, "--sizes: %zu columns are too many: at most %d", q->settings.columns,
                        COLUMNS_MAX);
  for (size_t j = 0; !status && j < q->settings.columns; j++) {
    if (!(sizes[j] >= 2 && sizes[j] <= 0x1p31) || sizes[j] != floor(sizes[j]))
      status =
          cli_misuse(error, "--sizes: %g is not a number of categories from 2 to 2^31", sizes[j]);
    else
      q->sizes[j] = (uint64_t)sizes[j];
  }
  free(sizes);
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  limits_request q = {.options = options,
                      .problem = strchr(options->verb->name, ' ') + 1,
                      .settings = sfm_limits_settings_default()};
  const sfm_limits_settings *s = &q.settings;
  const char kind = q.problem[0];
  unsigned loss;
  char what[192];
  sfm_status status = options_fill(&q.settings, fields, options, error);
  if (!status) status = options_take(options, &loss, "loss", error);
  if (!status && kind == 'm') status = read_sizes(&q, error);
  if (!status)
    status = (kind == 'c'   ? sfm_limits_count
              : kind == 'h' ? sfm_limits_histogram
              : kind == 's' ? sfm_limits_sparse
                            : sfm_limits_margins)(&q.limits, s, error);
  if (status) return status;
  if (kind == 'c')
    snprintf(what, sizeof what, "the mean absolute error of a count of 0 to %llu",
             (unsigned long long)s->n);
  else if (kind == 'm')
    snprintf(what, sizeof what,
             "the mean l1 error of the one-way margins of k = %zu columns, all categories",
             s->columns);
  else if (kind == 's')
    snprintf(
        what, sizeof what,
        "the mean l1 error of a table of p = %llu cells of which at most q = %llu are occupied",
        (unsigned long long)s->cells, (unsigned long long)s->occupied);
  else
    snprintf(what, sizeof what, "the mean l1 error of a table of p = %llu cells",
             (unsigned long long)s->cells);
  subject_of(&q, what);
  return show(&q, error);
}

const cli_verb verb_limits_count = {
    .name = "limits count",
    .summary = "how small the error of a private count can be",
    .usage = "--n N --epsilon E [--worst R] [--json]",
    .options = count_options,
    .about =
        ABOUT(" For few records the closed form is wrong, not just loose (at n = 1 and epsilon 0.2 "
              "it gives 0.677, but 0.450 is possible): it is shown only where it holds."),
    .example = "sfumato limits count --n 70 --epsilon 0.5\n"
               "sfumato limits count --n 1 --epsilon 0.2",
    .run = run,
};
const cli_verb verb_limits_histogram = {
    .name = "limits histogram",
    .summary = "how small the error of a private table can be",
    .usage = "--cells P --epsilon E [--n N] [--delta D] [--neighbours replace|add-remove] [--json]",
    .options = histogram_options,
    .about = ABOUT(""),
    .example = "sfumato limits histogram --cells 64 --n 70 --epsilon 0.5",
    .run = run,
};
const cli_verb verb_limits_sparse = {
    .name = "limits sparse",
    .summary = "how small the error of a private table that is mostly empty can be",
    .usage =
        "--cells P --occupied Q --epsilon E [--n N] [--neighbours replace|add-remove] [--json]",
    .options = sparse_options,
    .about = ABOUT(""),
    .example = "sfumato limits sparse --cells 65536 --occupied 3152 --n 21574 --epsilon 0.5",
    .run = run,
};
const cli_verb verb_limits_margins = {
    .name = "limits margins",
    .summary = "how small the error of private one-way margins can be",
    .usage = "--columns K|--sizes A,B,... --epsilon E [--n N] [--delta D] [--json]",
    .options = margins_options,
    .about = ABOUT(""),
    .example = "sfumato limits margins --columns 16 --n 21574 --epsilon 0.5",
    .run = run,
};
