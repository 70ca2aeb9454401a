/* linear_verb.c - sfumato linear: sums, differences and averages of the cells of a table, from its
 * release or from private rows. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/partial/partial_files.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/json_output.h"
#include "cli/io/result_output.h"
#include "cli/io/query_matrix.h"
#include "cli/io/release_file.h"
#include "cli/io/value_table.h"
#include "cli/ledger/ledger_options.h"
#include "cli/report/report.h"
#include "cli/request/progress_line.h"
#include "cli/request/remark_line.h"
#include "cli/request/table_options.h"
#include "release_command.h"
#include "sfumato/linear.h"

static const cli_option options_table[] = {
    {"matrix", "FILE",
     "CSV or NPY: one row per query, one column per cell, in the order in which `sfumato eval` "
     "prints the cells (the last column of the table changes fastest); a header line is allowed, "
     "and a first column `query` with names"},
    CLI_GROUP(table_columns),
    CLI_SAME(outside),
    CLI_SAME(epsilon),
    {"delta", "D", "for rows: above 0 and below 1; allows normal noise", CLI_FRACTION("1e-6")},
    CLI_SAME(calibration),
    CLI_GROUP(neighbours),
    {"method", "auto|table|laplace|normal|k-norm",
     "for rows: noise on the table, on the answers, or in the shape of the answers (idealised)",
     "the hardened method with the smallest predicted squared error",
     CLI_CHOICE(SFM_ENUMERATION_LINEAR_METHOD)},
    {"band", "C", "confidence of the error band, between 0 and 1",
     "0.95, or what the release states", CLI_FRACTION("0.95")},
    CLI_GROUP(charge),
    CLI_SAME(seed),
    {"format", "csv|json",
     "of the answers; csv: query,answer,error,lower,upper; json: {\"queries\", \"answers\", "
     "\"errors\", \"lower\", \"upper\"}, and for rows also \"method\" and \"predicted\"",
     "csv", CLI_WORDS("csv", "json")},
    {"output", "FILE",
     "for rows: the release to write (a vector, or with the method table a histogram); for a "
     "release: the file of the answers",
     "standard output for answers", 'o'},
    CLI_SAME(large),
    {0},
};

enum { CSV, JSON };

/* Answers with their errors. */
typedef struct answers {
  size_t count;
  double *value, *error, *width; /* NaN: there is none */
} answers;

/* Free value, which holds the others. */
static sfm_status answers_init(answers *a, size_t count, sfm_error *error) {
  double *numbers = calloc(count, 3 * sizeof *numbers);
  if (!numbers) return cli_fail_memory(error);
  *a = (answers){count, numbers, numbers + count, numbers + 2 * count};
  return SFM_OK;
}

static void write_csv(FILE *out, const answers *a, const query_matrix *q) {
  fputs("query,answer,error,lower,upper\n", out);
  for (size_t j = 0; j < a->count; j++) {
    if (q->names)
      value_table_write_name(out, q->names[j]);
    else
      fprintf(out, "%zu", j + 1);
    const double numbers[] = {a->value[j], a->error[j], a->value[j] - a->width[j],
                              a->value[j] + a->width[j]};
    for (size_t k = 0; k < 4; k++) {
      fputc(',', out);
      output_number(out, numbers[k], "nan");
    }
    fputc('\n', out);
  }
}

static json_t *plan_json(const sfm_linear_choice *plan) {
  json_t *list = json_array();
  for (size_t i = 0; i < plan->count; i++) {
    const sfm_linear_entry *e = &plan->entries[i];
    json_array_append_new(
        list,
        json_pack("{s:s, s:b, s:b, s:o, s:o, s:o}", "method", sfm_linear_method_name(e->method),
                  "possible", e->possible, "hardened", e->hardened, "squared_error",
                  e->possible ? json_output_number(e->squared) : json_null(), "sensitivity",
                  e->possible ? json_output_number(e->sensitivity) : json_null(), "why",
                  *e->why ? json_string(e->why) : json_null()));
  }
  return list;
}

static sfm_status write_json(FILE *out, const answers *a, const query_matrix *q,
                             const sfm_linear_choice *plan, sfm_error *error) {
  json_t *object = json_object(), *lists[5];
  static const char *const keys[] = {"queries", "answers", "errors", "lower", "upper"};
  for (size_t k = 0; k < 5; k++) lists[k] = json_array();
  for (size_t j = 0; j < a->count; j++) {
    json_array_append_new(lists[0],
                          q->names ? json_string(q->names[j]) : json_integer((json_int_t)j + 1));
    json_array_append_new(lists[1], json_output_number(a->value[j]));
    json_array_append_new(lists[2], json_output_number(a->error[j]));
    json_array_append_new(lists[3], json_output_number(a->value[j] - a->width[j]));
    json_array_append_new(lists[4], json_output_number(a->value[j] + a->width[j]));
  }
  for (size_t k = 0; k < 5; k++) json_object_set_new(object, keys[k], lists[k]);
  if (plan) {
    json_object_set_new(object, "method",
                        json_string(sfm_linear_method_name(plan->entries[plan->chosen].method)));
    json_object_set_new(object, "predicted", plan_json(plan));
  }
  char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
  if (text) fprintf(out, "%s\n", text);
  json_decref(object);
  const bool good = text != NULL;
  free(text);
  return good ? SFM_OK : cli_fail_memory(error);
}

static sfm_status write_answers(const char *path, unsigned format, const answers *a,
                                const query_matrix *q, const sfm_linear_choice *plan,
                                sfm_error *error) {
  output out;
  sfm_status status = output_open(&out, path, error);
  if (status) return status;
  if (format == CSV)
    write_csv(out.file, a, q);
  else
    status = write_json(out.file, a, q, plan, error);
  if (!status) return output_close(&out, error);
  output_abandon(&out);
  return status;
}

static sfm_status read_matrix(query_matrix *q, const cli_options *options, sfm_error *error) {
  const char *matrix = options_get(options, "matrix");
  if (!matrix)
    return cli_misuse(error, "--matrix is missing: a file with one row per query and one column "
                             "per cell; for example --matrix M.csv");
  return query_matrix_load(q, matrix, error);
}

/* From a release. */

static sfm_status answer_release(const cli_options *options, sfm_error *error) {
  static const char *const apart[] = {
      "columns",    "categories", "bins",          "bounds",      "schema", "delta",
      "neighbours", "person",     "method",        "ledger",      "seed",   "outside",
      "dataset",    "request",    "contributions", "calibration", NULL};
  sfm_release *release = NULL;
  answers a = {0};
  query_matrix q = {0};
  unsigned format = CSV;
  double confidence = 0;
  for (size_t i = 0; apart[i]; i++)
    if (options_has(options, apart[i]))
      return cli_misuse(
          error, "--%s is for private rows, which need --epsilon; leave it out for a release",
          apart[i]);
  const char *path = options_get(options, "output");
  sfm_status status = options_take(options, &format, "format", error);
  if (!status) status = read_matrix(&q, options, error);
  if (!status) status = options_take(options, &confidence, "band", error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (status == SFM_FORMAT)
    status = cli_misuse(error,
                        "%s is not a release; for private rows state the privacy loss that you "
                        "allow, for example --epsilon 1",
                        options->operand);
  if (!status && confidence == 0)
    confidence = sfm_release_refined(release) ? 0.95 : sfm_release_band(release).confidence;
  if (!status) status = answers_init(&a, q.count, error);
  if (!status)
    status = sfm_table_answer(a.value, a.error, a.width, release, q.numbers, q.count, q.cells,
                              confidence, error);
  if (!status) status = write_answers(path, format, &a, &q, NULL, error);
  free(a.value);
  sfm_release_destroy(release);
  query_matrix_clear(&q);
  return status;
}

/* From rows. */

static void report_plan(const sfm_linear_choice *plan, size_t count) {
  const sfm_linear_entry *chosen = &plan->entries[plan->chosen];
  bool less = false;
  for (size_t i = 0; i < plan->count; i++) {
    const sfm_linear_entry *e = &plan->entries[i];
    char name[40];
    snprintf(name, sizeof name, "%s%s", sfm_linear_method_name(e->method),
             e->method != SFM_LINEAR_TABLE ? ""
             : e->delta > 0                ? ", normal noise"
                                           : ", laplace noise");
    if (e->possible)
      text_say(stderr, i ? "" : "predicted",
               "%s: an error of %.4g per answer (root mean square)%s%s", name,
               sqrt(e->squared / (double)count), e->hardened ? "" : ", idealised",
               i == plan->chosen ? ": taken" : "");
    else
      text_say(stderr, i ? "" : "predicted", "%s: not possible, %.300s", name, e->why);
    less = less || (e->possible && !e->hardened && e->squared < chosen->squared);
  }
  if (less)
    text_print_labelled(stderr, "note",
                        "k-norm noise has a smaller predicted error, but it is idealised: private "
                        "only in exact arithmetic; --method k-norm selects it");
}

static void report(const sfm_release *release, const sfm_linear_choice *plan, size_t count,
                   const char *path) {
  const bool table = sfm_release_kind(release) == SFM_KIND_HISTOGRAM;
  char text[1024], names[256];
  report_columns(names, sizeof names, release);
  if (table)
    text_say(stderr, "wrote", "%.200s: the histogram of %s (%s); the answers are computed from it",
             path, names, sfm_release_method(release));
  else
    text_say(stderr, "wrote", "%.200s: %zu answer%s (%s, %s)", path, count, count == 1 ? "" : "s",
             sfm_release_method(release), sfm_release_hardened(release) ? "hardened" : "idealised");
  text_print_labelled(stderr, "guarantee", sfm_release_sentence(release));
  report_plan(plan, count);
  if (!table) {
    report_band(text, sizeof text, release);
    text_print_labelled(stderr, "band", text);
  }
  if (!sfm_release_dataset(release)) report_uncharged(stderr, false);
}

/* The answers in the release, or of the table that it is. */
static sfm_status take_answers(answers *a, const sfm_release *release, const query_matrix *q,
                               const sfm_linear_settings *settings, const sfm_linear_choice *plan,
                               double confidence, sfm_error *error) {
  sfm_status status = answers_init(a, q->count, error);
  if (status) return status;
  if (sfm_release_kind(release) == SFM_KIND_HISTOGRAM)
    return sfm_table_answer(a->value, a->error, a->width, release, q->numbers, q->count, q->cells,
                            confidence, error);
  for (size_t j = 0; j < q->count; j++) {
    a->value[j] = sfm_release_coefficient(release, j);
    a->width[j] = sfm_release_band(release).half_width;
  }
  return sfm_linear_errors(a->error, settings, plan, error);
}

/* What is asked of rows, and what the library chose from public numbers. */
typedef struct linear_request {
  table_options table;
  query_matrix queries;
  sfm_linear_settings settings;
  sfm_linear_choice plan;
} linear_request;

static sfm_status read_request(release_task *task, sfm_error *error) {
  linear_request *r = task->request;
  const cli_options *options = task->options;
  unsigned method = 0;
  if (!options_has(options, "epsilon"))
    return cli_misuse(
        error, "without --epsilon `linear` reads a released table, in which nothing is to be "
               "checked; for rows write for example --epsilon 1");
  sfm_status status = read_matrix(&r->queries, options, error);
  if (!status) status = options_take(options, &method, "method", error);
  if (!status) status = table_options_read(&r->table, options, error);
  if (status) return status;
  r->settings = sfm_linear_settings_default();
  r->settings.table = &r->table.settings;
  r->settings.matrix = r->queries.numbers;
  r->settings.queries = r->queries.count;
  r->settings.cells = r->queries.cells;
  r->settings.names = (const char *const *)r->queries.names;
  r->settings.method = (sfm_linear_method)method;
  status = sfm_linear_choose(&r->plan, &r->settings, error);
  if (!status) r->settings.method = r->plan.entries[r->plan.chosen].method;
  return status;
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  return sfm_linear_release(&task->release, rows, &((linear_request *)task->request)->settings,
                            error);
}

static void clear(void *request) {
  linear_request *r = request;
  table_options_clear(&r->table);
  query_matrix_clear(&r->queries);
}

/* For `check`; `run` does the rest. */
static const release_command command = {RELEASE_REQUEST(linear_request, table.settings.context),
                                        .output = "answers.sfm", .read = read_request,
                                        .release = release, .clear = clear};

static sfm_status release_rows(release_task *task, sfm_error *error) {
  sfm_rows *rows = NULL;
  progress_line line;
  progress_line_begin(&line, task->context);
  sfm_status status = sfm_rows_open(&rows, task->options->operand, error);
  if (!status) status = release(task, rows, error);
  progress_line_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_status check_output(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  if (!path)
    return cli_misuse(error, "-o is missing: the release to write; for example -o answers.sfm");
  if (strcmp(path, "-") == 0)
    return cli_misuse(error,
                      "the answers go to standard output, so the release needs a file: -o FILE");
  return SFM_OK;
}

static sfm_status answer_rows(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  linear_request r = {0};
  sfm_context *context = &r.table.settings.context;
  release_task task = {.options = options, .path = path, .request = &r, .context = context};
  charge bill = {0};
  answers a = {0};
  unsigned format = CSV;
  sfm_status status = check_output(options, error);
  if (!status) status = options_take(options, &format, "format", error);
  if (!status) status = read_request(&task, error);
  remark_line_begin(context, options->verb);
  if (!status) status = charge_open(&bill, options, error);
  if (status) goto cleanup;
  context->charge = bill.use;
  status = release_rows(&task, error);
  if (!status) status = charge_write(task.release, path, error);
  if (!status)
    status = take_answers(&a, task.release, &r.queries, &r.settings, &r.plan, context->confidence,
                          error);
  if (status) goto cleanup;
  if (context->seeded) report_seeded(stderr, "linear");
  report(task.release, &r.plan, r.queries.count, path);
  status = write_answers(NULL, format, &a, &r.queries, &r.plan, error);
cleanup:
  free(a.value);
  sfm_release_destroy(task.release);
  charge_close(&bill);
  clear(&r);
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  return options_has(options, "epsilon") ? answer_rows(options, error)
                                         : answer_release(options, error);
}

const cli_verb verb_linear = {
    .name = "linear",
    .summary = "release sums, differences or averages of the cells of a table",
    .usage = "TABLE|ROWS --matrix FILE [--columns NAMES --epsilon E -o FILE] [options]",
    .operand = "TABLE|ROWS",
    .operand_help = "a released histogram (.sfm); or, with --epsilon, private rows: CSV with a "
                    "header line (plain or gzip), or NPY; - is standard input",
    .options = options_table,
    .refused = options_no_partials,
    .about =
        "From a released histogram: the answers cost nothing. Each answer has its standard error; "
        "lower and upper are a band that holds for all answers at once.\n"
        "From rows: either the answers are released or the table, whichever has the smaller "
        "predicted error. Noise on the answers is scaled by the largest difference of two columns "
        "of the matrix (by the largest column if that is larger, or under add-remove). Noise on "
        "the table does not depend on the matrix; an answer contains the noise of each of its "
        "cells. `k-norm` noise has the shape of the columns of the matrix; it may be smaller, and "
        "it is idealised. All predictions are printed. The release is charged once.\n"
        "Private: the rows, and under add-remove their number. Public: everything you write here, "
        "and the matrix, which must not be computed from the rows.\n"
        "For k one-way margins, each at epsilon/k, use `sfumato histogram --margins 1`.",
    .example = "sfumato linear table.sfm --matrix M.csv\n"
               "sfumato linear rows.csv --columns sex,region --categories 'sex=F|M' --categories "
               "region=@regions.txt --matrix M.csv --epsilon 1 -o answers.sfm",
    .run = run,
    .command = &command,
};
