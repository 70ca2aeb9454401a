/* plan_report.h - a plan in words, as a table, as JSON and as a picture, whatever it is a plan of.
 * Nothing here opens rows. */
#ifndef CLI_PLAN_REPORT_H
#define CLI_PLAN_REPORT_H

#include <stdio.h>

#include "cli/core/options.h"
#include "sfumato/plan.h"

extern const cli_option option_n;
extern const cli_option options_plan[];

#define CLI_PLAN_ABOUT                                                                             \
  "Private: nothing. A plan opens no rows, draws no secret noise and charges no budget. What it "  \
  "reads (a schema, categories, points, the release of a pilot) is public, and so is what it "     \
  "prints.\nThe JSON object has the keys kind, best, best_index (its place among the methods), "   \
  "n, epsilon, delta, confidence, shape, methods [{method, hardened, parameters {}, guarantee "    \
  "{}, predicted {privacy, sampling, smoothing, truncation, aliasing, total, relative, interval, " \
  "cost, cost_interval}, band, pointwise, apart, share}], absent [{method, reason}], needed "      \
  "[{relative, n, epsilon}], bandwidth {best, total, relative}, curves {n [], epsilon []}, "       \
  "command; docs/guides/plan.md explains them."

/* Of plans of a density. */
#define PLAN_OF_DENSITY                                                                            \
  .people = "records", .like = "spread as", .whole = "the peak", .over = "over the domain",        \
  .unlike =                                                                                        \
      "none was stated: the numbers are those of a reference shape, and the intervals cover "      \
      "a family of shapes; --shape makes them narrower"

/* What was asked.  Of a verb: what is so whatever was asked. */
typedef struct plan_request {
  const cli_options *options;
  /* Reads the verb's own options, fills in what they say, makes the plan and shows it. */
  sfm_status (*plan_by)(struct plan_request *p, sfm_error *error);
  const char *kind;         /* "density" */
  char subject[512];        /* "the density of age from 0 to 100" */
  const char *verb, *input; /* what makes the choice (NULL: a verb that is called as the kind), and
                               its operand (NULL: "ROWS") */
  const char *output;       /* the release it would write; NULL: none */
  const char *choice;       /* the option of that verb that takes a method's name, or NULL */
  const char *const *apart; /* options that the verb does not have, ended by NULL; NULL: none */
  const char *extra;        /* more of the command, or NULL */
  /* What comes before it, or NULL. */
  void (*before)(FILE *out, const struct plan_request *p, const sfm_plan_entry *entry);
  bool automatic;     /* that verb can make the choice by itself */
  const char *people; /* what n counts: "records"; NULL: there is no n */
  uint64_t rows;      /* n */
  uint64_t length;    /* of a vector, which has no n */
  const char *like;   /* how a shape is spoken of: "spread as"; NULL: there is none */
  const char *unlike; /* what is said when none was stated */
  const char *shape;  /* as it was written; NULL: the reference shape */
  const char *whole;  /* what errors are a part of: "the peak" */
  const char *over;   /* and over what they are a mean: "the domain" */
  double epsilon, delta, confidence;
  sfm_neighbours neighbours;
  uint32_t contributions;
  bool enforced;
  size_t dimension; /* of the domain, 0: no picture of a release */
  const char *const *columns;
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
  bool tabular; /* errors are absolute ones, in records */
  bool noisy;   /* no part of an error is sampling's or smoothing's; others are random features' */
  const char *rest; /* what else is in the error, where it is not as usual; or NULL */
  /* Then: what `each` of a forecast is, "a cell"; and that in a sentence. */
  const char *each, *each_legend;
  /* The method of which needs and curves are where the best one has none of its own; NULL: they are
   * of the best. */
  const char *usual;
  /* A private choice among bandwidths (count 0: none), of whose best candidate the plan is, with
   * the epsilon that is left. */
  sfm_bandwidth_forecast selection;
  sfm_plan *plan; /* owned */
} plan_request;

/* What a relative error takes; infinite: none is enough, NaN: it does not apply. */
typedef struct plan_need {
  double relative, rows, epsilon;
} plan_need;

/* A forecast at another n or epsilon. */
typedef struct plan_curve_point {
  double at;
  sfm_forecast forecast;
} plan_curve_point;

enum { PLAN_NEEDS_MAX = 3, PLAN_CURVE_POINTS = 17 };

/* What was found beside the methods. */
typedef struct plan_findings {
  const sfm_plan_entry *best; /* NULL: no method is possible, and nothing else was found */
  plan_need needs[PLAN_NEEDS_MAX];
  size_t need_count;
  double bandwidth[SFM_MAX_DIMENSION]; /* NaN: there is none to choose */
  sfm_forecast widened;                /* at that bandwidth */
  plan_curve_point by_rows[PLAN_CURVE_POINTS], by_epsilon[PLAN_CURVE_POINTS];
  size_t rows_count, epsilon_count;
} plan_findings;

/* Takes over what settings say of people; and of the domain, too.  what: "the density of". */
void plan_request_take(plan_request *p, const sfm_context *context, double epsilon, double delta);
void plan_request_fill(plan_request *p, const char *what, const sfm_density_settings *settings);
/* Runs the plan of the verb: reads --n, or --rows, or --length, checks --error and --plot, before
 * anything is computed, and calls plan_by. */
SFM_MUST_CHECK sfm_status plan_report_run(const cli_options *options, sfm_error *error);
/* Unless status is a failure: finds what there is to find, prints it as asked, and writes the
 * picture. */
SFM_MUST_CHECK sfm_status plan_report_show(const plan_request *p, sfm_status status,
                                           sfm_error *error);

/* The root of a squared error as a part of the peak, in the proportion that f has; of tables the
 * error itself. */
double plan_relative_error(const sfm_forecast *f, double error);

/* The method that needs and curves are of, if that is not the best; else NULL. */
const char *plan_substitute_method(const plan_request *p, const plan_findings *found);
/* A part in per cent, to two digits: "5.1", "12", "0.043". */
void plan_percent_text(char *out, size_t size, double part);
/* "h 3.7, laplace", "7 terms": what was chosen, but neither what was stated nor the method. */
void plan_choice_text(char *out, size_t size, const plan_request *p, const sfm_plan_entry *entry);
/* "4", or "4,0.5"; shortest texts that are read back as the numbers, or to `digits`. */
void plan_numbers_text(char *out, size_t size, const sfm_plan_parameter *parameter, int digits);

#endif
