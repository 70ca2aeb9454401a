/* query_verb.c - sfumato query: mean, quantiles, mode, probabilities and distribution function of a
 * released density, with intervals. */
#include "sfumato/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/group_selection.h"
#include "cli/io/release_file.h"
#include "cli/io/result_output.h"
#include "cli/io/points.h"
#include "cli/report/report.h"
#include "sfumato/density.h"
#include "sfumato/marginal.h"
#include "cli/core/text.h"
#include "query_table.h"
#include "cli/core/verbs.h"

enum { PIECES_MOST = 16, POINTS_MOST = 3000 };

static const cli_option options_table[] = {
    {"mean", NULL, "the mean"},
    {"quantiles", "P,...",
     "quantiles: the places with these shares of the mass below them; 0.5 is the median"},
    {"mode", NULL, "the place where the density is largest"},
    {"probability", "FROM:TO...",
     "the share of the mass between two places; several intervals are separated by commas. With "
     "several columns: a box, one interval per column. If FROM or TO is left out, it is the bound"},
    {"cdf", NULL,
     "the share of the mass below points (--at), or below the points of a grid (--points)"},
    {"at", "X,...", "the points of --cdf"},
    {"points", "N", "number of points of the grid of --cdf, both bounds included", "101",
     CLI_COUNT(2, POINTS_MOST)},
    {"share", "C=A|B,D=E;...",
     "histogram: the share of the records that have these values (categories, numbers, or bins as "
     "they are printed) in these columns; several shares are separated by semicolons"},
    {"raw", NULL,
     "histogram: from the counts as they were released; without it a dense table is refined first"},
    {"column", "NAME", "use the marginal of this column", "the only one"},
    CLI_OPTION_ONE_GROUP,
    {"confidence", "C", "confidence of every interval, between 0 and 1",
     "the confidence that the release states", CLI_FRACTION("0.95")},
    CLI_OPTION_JSON,
    CLI_OPTION_LARGE,
    {0},
};

/* What is asked, and the answers. */
typedef struct query_request {
  bool mean, mode, cdf;
  double *p, *from, *to, *x; /* from, to: one per column for each box */
  size_t quantile_count, box_count, point_count, dimension;
  sfm_estimate mean_is, mode_is, *quantiles, *boxes, *shares;
  double pieces[2 * PIECES_MOST];
  size_t piece_count;
} query_request;

static void query_request_clear(query_request *q) {
  free(q->p);
  free(q->from);
  free(q->to);
  free(q->x);
  free(q->quantiles);
  free(q->boxes);
  free(q->shares);
}

static sfm_status check_asked(const cli_options *options, sfm_error *error) {
  const bool cdf = options_has(options, "cdf");
  if (!cdf && !options_has(options, "mean") && !options_has(options, "quantiles") &&
      !options_has(options, "mode") && !options_has(options, "probability"))
    return cli_misuse(error, "nothing is asked; write one or more of --mean, --quantiles "
                             "0.1,0.5,0.9, --mode, --probability 18:30 and --cdf; of a "
                             "histogram --share 'sex=F'");
  if (!cdf && (options_has(options, "at") || options_has(options, "points")))
    return cli_misuse(error, "--at and --points are for --cdf; add --cdf");
  if (options_has(options, "at") && options_has(options, "points"))
    return cli_misuse(error, "--at and --points exclude each other; keep one of them");
  return SFM_OK;
}

/* One interval of a column; an end that is left out is the bound. */
static sfm_status read_interval(double *from, double *to, const char *text,
                                const sfm_release *release, size_t column, sfm_error *error) {
  const char *colon = strchr(text, ':');
  char first[64];
  sfm_release_bounds(release, from, to, column);
  bool good = colon && (size_t)(colon - text) < sizeof first;
  if (good) {
    snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
    good = (!*first || text_number(from, first)) && (!colon[1] || text_number(to, colon + 1));
  }
  if (!good)
    return cli_misuse(
        error, "--probability: '%s' is not an interval; write for example --probability 18:30",
        text);
  return SFM_OK;
}

static sfm_status read_boxes(query_request *q, const char *text, const sfm_release *release,
                             sfm_error *error) {
  text_list list;
  if (!text) return SFM_OK;
  sfm_status status = text_split(&list, text, ',', error);
  if (!status && list.count % q->dimension)
    status = cli_misuse(error,
                        "--probability has %zu interval%s, but a box in %zu columns needs %zu: one "
                        "per column, in their order",
                        list.count, list.count == 1 ? "" : "s", q->dimension, q->dimension);
  q->from = malloc(list.count * sizeof *q->from);
  q->to = malloc(list.count * sizeof *q->to);
  if (!status && (!q->from || !q->to)) status = cli_fail_memory(error);
  for (size_t i = 0; !status && i < list.count; i++)
    status = read_interval(&q->from[i], &q->to[i], list.items[i], release, i % q->dimension, error);
  q->box_count = list.count / q->dimension;
  text_list_clear(&list);
  return status;
}

static sfm_status read_points(query_request *q, const cli_options *options,
                              const sfm_release *release, sfm_error *error) {
  const char *at = options_get(options, "at");
  uint64_t count = 101;
  double lower, upper;
  if (!q->cdf) return SFM_OK;
  if (at) {
    sfm_status status = text_numbers(&q->x, &q->point_count, at, "at", error);
    if (!status && q->point_count > POINTS_MOST)
      status = cli_misuse(error, "--at has %zu points; at most %d are possible", q->point_count,
                          POINTS_MOST);
    return status;
  }
  sfm_status status = options_take(options, &count, "points", error);
  if (status) return status;
  q->point_count = (size_t)count;
  q->x = malloc(q->point_count * sizeof *q->x);
  if (!q->x) return cli_fail_memory(error);
  sfm_release_bounds(release, &lower, &upper, 0);
  points_fill_grid(q->x, &q->point_count, &lower, &upper, 1);
  return SFM_OK;
}

static sfm_status read_questions(query_request *q, const cli_options *options,
                                 const sfm_release *release, sfm_error *error) {
  const char *p = options_get(options, "quantiles");
  *q = (query_request){.mean = options_has(options, "mean"),
                       .mode = options_has(options, "mode"),
                       .cdf = options_has(options, "cdf"),
                       .dimension = sfm_release_dimension(release)};
  sfm_status status = SFM_OK;
  if (p) status = text_numbers(&q->p, &q->quantile_count, p, "quantiles", error);
  if (!status && q->dimension > 0)
    status = read_boxes(q, options_get(options, "probability"), release, error);
  if (!status) status = read_points(q, options, release, error);
  if (status) return status;
  q->quantiles = calloc(q->quantile_count + 1, sizeof *q->quantiles);
  q->boxes = calloc(q->box_count + 1, sizeof *q->boxes);
  q->shares = calloc(q->point_count + 1, sizeof *q->shares);
  return q->quantiles && q->boxes && q->shares ? SFM_OK : cli_fail_memory(error);
}

static sfm_status ask(query_request *q, const sfm_query *query, sfm_error *error) {
  sfm_status status = SFM_OK;
  if (q->mean) status = sfm_query_mean(query, &q->mean_is, error);
  if (!status && q->quantile_count)
    status = sfm_query_quantiles(query, q->quantiles, q->p, q->quantile_count, error);
  if (!status && q->mode)
    status = sfm_query_mode(query, &q->mode_is, q->pieces, &q->piece_count, PIECES_MOST, error);
  for (size_t i = 0; !status && i < q->box_count; i++)
    status = sfm_query_probability(query, &q->boxes[i], q->from + i * q->dimension,
                                   q->to + i * q->dimension, error);
  if (!status && q->point_count)
    status = sfm_query_cdf(query, q->shares, q->x, q->point_count, error);
  return status;
}

/* For people. */

enum { LABEL_WIDTH = 24, LABEL_MOST = 300 };

static void print_line(int width, const char *label, sfm_estimate e) {
  if (isnan(e.lower))
    printf("%-*s %.6g\n", width, label, e.value);
  else
    printf("%-*s %-12.6g %-12.6g %.6g\n", width, label, e.value, e.lower, e.upper);
}

static void box_label(char *label, const query_request *q, size_t i) {
  snprintf(label, LABEL_MOST, "probability ");
  for (size_t a = 0; a < q->dimension && strlen(label) + 60 < LABEL_MOST; a++)
    text_add(label, LABEL_MOST, "%s%.6g:%.6g", a ? "," : "", q->from[i * q->dimension + a],
             q->to[i * q->dimension + a]);
}

/* Room for the longest label. */
static int label_width(const query_request *q) {
  char label[LABEL_MOST];
  size_t width = LABEL_WIDTH;
  for (size_t i = 0; i < q->box_count; i++) {
    box_label(label, q, i);
    if (strlen(label) > width) width = strlen(label);
  }
  return (int)width;
}

static void print_pieces(int width, const query_request *q) {
  if (q->piece_count < 2) return;
  for (size_t i = 0; i < q->piece_count; i++)
    printf("%-*s %-12s %-12.6g %.6g\n", width, i ? "" : "  in one of", "", q->pieces[2 * i],
           q->pieces[2 * i + 1]);
}

static void print_notes(const query_request *q, const sfm_query *query,
                        const sfm_release *release) {
  const size_t others = q->mean + q->mode + q->quantile_count + q->box_count;
  if (sfm_release_refined(release)) {
    text_print_labelled(stdout, "note",
                        "a refined release has no intervals; the raw release has them");
    return;
  }
  const char *subject = q->cdf && !others      ? "all intervals together contain the values"
                        : q->cdf || others > 1 ? "each interval contains the value"
                                               : "the interval contains the value";
  text_say(stdout, "intervals",
           "%s of the density without privacy, with confidence %.10g\u00a0%%%s%s", subject,
           100 * sfm_query_confidence(query),
           q->cdf && others ? "; the intervals of --cdf hold all together" : "",
           sfm_query_sharp(query) ? "" : "; they are computed from the error band and are wide");
}

static void print_head(int width, const sfm_release *release) {
  char names[256], columns[1024], group[220];
  report_columns(names, sizeof names, release);
  text_harmless(columns, sizeof columns, names);
  if (sfm_release_group_count(release) == 1) {
    group_label_text(group, sizeof group, release, 0);
    text_print(stdout, group, strlen(group));
    putchar('\n');
  }
  printf("%-*s %s\n", width, columns,
         sfm_release_refined(release) ? "value" : "value        from         to");
}

static void print_table(const query_request *q, const sfm_query *query,
                        const sfm_release *release) {
  const int width = label_width(q);
  char label[LABEL_MOST];
  print_head(width, release);
  if (q->mean) print_line(width, "mean", q->mean_is);
  for (size_t i = 0; i < q->quantile_count; i++) {
    snprintf(label, sizeof label, "quantile %.10g", q->p[i]);
    print_line(width, label, q->quantiles[i]);
  }
  if (q->mode) print_line(width, "mode", q->mode_is);
  if (q->mode) print_pieces(width, q);
  for (size_t i = 0; i < q->box_count; i++) {
    box_label(label, q, i);
    print_line(width, label, q->boxes[i]);
  }
  for (size_t i = 0; i < q->point_count; i++) {
    snprintf(label, sizeof label, "share below %.6g", q->x[i]);
    print_line(width, label, q->shares[i]);
  }
  putchar('\n');
  print_notes(q, query, release);
}

/* For programs. */

static void write_numbers(const char *key, double value) {
  printf("\"%s\": ", key);
  output_number(stdout, value, "null");
}

static void write_estimate(sfm_estimate e) {
  write_numbers("value", e.value);
  fputs(", ", stdout);
  write_numbers("lower", e.lower);
  fputs(", ", stdout);
  write_numbers("upper", e.upper);
  putchar('}');
}

static void write_ends(const char *key, const double *ends, size_t dimension) {
  printf("\"%s\": %s", key, dimension > 1 ? "[" : "");
  for (size_t a = 0; a < dimension; a++) {
    if (a) fputs(", ", stdout);
    output_number(stdout, ends[a], "null");
  }
  fputs(dimension > 1 ? "], " : ", ", stdout);
}

/* A list of estimates, each after a number that it belongs to. */
static void write_list(const char *key, const char *label, const double *numbers,
                       const sfm_estimate *estimates, size_t count) {
  if (count == 0) return;
  printf(", \"%s\": [", key);
  for (size_t i = 0; i < count; i++) {
    fputs(i ? ", {" : "{", stdout);
    write_numbers(label, numbers[i]);
    fputs(", ", stdout);
    write_estimate(estimates[i]);
  }
  putchar(']');
}

static void write_mode(const query_request *q) {
  fputs(", \"mode\": {\"intervals\": [", stdout);
  for (size_t i = 0; i < q->piece_count; i++) {
    fputs(i ? ", [" : "[", stdout);
    output_number(stdout, q->pieces[2 * i], "null");
    fputs(", ", stdout);
    output_number(stdout, q->pieces[2 * i + 1], "null");
    putchar(']');
  }
  fputs("], ", stdout);
  write_estimate(q->mode_is);
}

static void print_json(const query_request *q, const sfm_query *query) {
  putchar('{');
  write_numbers("confidence", sfm_query_confidence(query));
  if (q->mean) {
    fputs(", \"mean\": {", stdout);
    write_estimate(q->mean_is);
  }
  write_list("quantiles", "p", q->p, q->quantiles, q->quantile_count);
  if (q->mode) write_mode(q);
  for (size_t i = 0; i < q->box_count; i++) {
    fputs(i ? ", {" : ", \"probability\": [{", stdout);
    write_ends("from", q->from + i * q->dimension, q->dimension);
    write_ends("to", q->to + i * q->dimension, q->dimension);
    write_estimate(q->boxes[i]);
    if (i + 1 == q->box_count) putchar(']');
  }
  write_list("cdf", "x", q->x, q->shares, q->point_count);
  fputs("}\n", stdout);
}

/* The release to ask: the one given, or the marginal of one of its columns. */
static sfm_status choose_column(sfm_release **release, const char *column, sfm_error *error) {
  sfm_release *marginal = NULL;
  if (!column) return SFM_OK;
  if (sfm_release_dimension(*release) == 1 && sfm_release_by_count(*release) == 0 &&
      strcmp(sfm_release_column(*release, 0), column) == 0)
    return SFM_OK;
  sfm_status status = sfm_release_marginal(&marginal, *release, &column, 1, error);
  if (status) return status;
  sfm_release_destroy(*release);
  *release = marginal;
  return SFM_OK;
}

/* Questions of one column, asked of more. */
static sfm_status check_dimension(const cli_options *options, const sfm_release *release,
                                  sfm_error *error) {
  char names[256];
  const bool single = options_has(options, "mean") || options_has(options, "quantiles") ||
                      options_has(options, "mode") || options_has(options, "cdf");
  if (sfm_release_dimension(release) < 2 || !single) return SFM_OK;
  report_columns(names, sizeof names, release);
  return cli_misuse(error,
                    "this density has the columns %s, but --mean, --quantiles, --mode and --cdf "
                    "are for one column: add --column %s",
                    names, sfm_release_column(release, 0));
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  sfm_release *release = NULL;
  sfm_query *query = NULL;
  query_request q = {0};
  double confidence = 0;
  sfm_status status = options_has(options, "share") ? SFM_OK : check_asked(options, error);
  if (!status) status = options_take(options, &confidence, "confidence", error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status && sfm_release_kind(release) == SFM_KIND_HISTOGRAM) {
    status = query_table(release, options, error);
    sfm_release_destroy(release);
    return status;
  }
  if (!status && (options_has(options, "share") || options_has(options, "raw")))
    status = cli_misuse(error, "--share and --raw are for histograms; of a density ask for "
                               "--probability FROM:TO");
  if (!status && options_has(options, "group"))
    status = group_selection_take(&release, options, error);
  if (!status) status = choose_column(&release, options_get(options, "column"), error);
  if (!status) status = check_dimension(options, release, error);
  if (!status) status = read_questions(&q, options, release, error);
  if (!status) status = sfm_query_create(&query, release, confidence, error);
  if (!status) status = ask(&q, query, error);
  if (!status && options_has(options, "json"))
    print_json(&q, query);
  else if (!status)
    print_table(&q, query, release);
  query_request_clear(&q);
  sfm_query_destroy(query);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_query = {
    .name = "query",
    .summary =
        "print the mean, quantiles, mode or probabilities of a density, or shares of a table",
    .usage = "RELEASE [--mean] [--quantiles P,...] [--mode] [--probability FROM:TO...] [--cdf] "
             "[options]",
    .operand = "RELEASE",
    .operand_help = "a released density or histogram (.sfm); - is standard input",
    .options = options_table,
    .about =
        "Queries cost no privacy, however many there are. The values are those of the "
        "released function, divided by its mass within the bounds. With the stated confidence "
        "the interval beside a value contains the value that the same rows would give without "
        "privacy. It does not cover the sampling error. The confidence is that of each single "
        "interval; the intervals of --cdf hold all together, and also between the points, "
        "because the function increases.\n"
        "Of a histogram --share asks for shares of the records. A dense table is refined first, "
        "as by `sfumato refine`, which a note says: the shares are those of the rows that "
        "`sfumato sample` draws, and have no interval. (`sfumato margin` and `sfumato linear` "
        "have sums of the counts as they were released, with error bars.) The JSON object then "
        "has the keys refined and share [{where, value}].\n"
        "The JSON object has the keys confidence, mean, quantiles [{p, ..}], mode {intervals, "
        "..}, probability [{from, to, ..}] and cdf [{x, ..}], where .. are value, lower and "
        "upper; null means that there is none, as for a refined release.",
    .example =
        "sfumato query age.sfm --mean --quantiles 0.1,0.5,0.9 --mode --probability 18:30,65:\n"
        "sfumato query age.sfm --cdf --at 18,30,65 --confidence 0.99 --json\n"
        "sfumato query table.sfm --share 'sex=F,region=north|south'\n"
        "sfumato query map.sfm --probability -74.01:-73.95,40.7:40.8",
    .run = run,
};
