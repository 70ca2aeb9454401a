/* interact_ask_verb.c - sfumato interact ask: answers at points, each with where it came from.
 *
 * An answer is durable in the session before it is printed. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/paths.h"
#include "cli/core/signals.h"
#include "cli/core/text.h"
#include "cli/io/kept_columns.h"
#include "cli/io/result_output.h"
#include "cli/io/value_table.h"
#include "cli/read/machine_points.h"
#include "session_close.h"
#include "sfumato/interact.h"

static const cli_option options_table[] = {
    {"at", "POINTS",
     "one column: numbers separated by commas (31,32); several columns: points separated by "
     "semicolons ('31,F;45,M')"},
    {"points", "FILE",
     "CSV whose header names the columns (others are ignored), NPY of shape (points, columns), or, "
     "for a session of libsvm rows, libsvm text; - is standard input. All of it is read before the "
     "first question"},
    {"classes", NULL,
     "also print the class of each value and whether it is sure. It is not sure if zero is within "
     "the error bar, or if there is no error bar"},
    {"keep", "COLUMNS",
     "columns of the points' CSV to print first, unchanged, separated by commas (id,name)"},
    {"json", NULL, "one JSON object per question, each on its own line, instead of CSV"},
    {"output", "FILE", "where to write the answers", "standard output", 'o'},
    {0},
};

typedef struct ask_run {
  sfm_interact *session;
  const sfm_release *machine; /* what is public of it */
  machine_points points;
  sfm_interact_answer *answers;
  size_t answered;
  kept_columns kept;
  bool classes;
} ask_run;

static void ask_run_clear(ask_run *a) {
  machine_points_clear(&a->points);
  kept_columns_clear(&a->kept);
  free(a->answers);
  sfm_interact_close(a->session);
}

static const char *class_of(const ask_run *a, size_t p) {
  return sfm_machine_class(a->machine, sfm_machine_decide(a->machine, &a->answers[p].value));
}

/* Whether the sign of the value is that of the machine without noise, with the confidence of the
 * error bar. */
static bool is_sure(const ask_run *a, size_t p) {
  const sfm_interact_answer *answer = &a->answers[p];
  return answer->source != SFM_INTERACT_SOURCE_EXHAUSTED && fabs(answer->value) > answer->error;
}

/* ---- CSV ---- */

static void write_headings(ask_run *a, FILE *out) {
  kept_columns_write_header(&a->kept, out);
  for (size_t i = 0; machine_points_printed(&a->points) && i < a->points.inputs; i++) {
    value_table_write_name(out, sfm_machine_input(a->machine, i));
    fputc(',', out);
  }
  fputs("value,source,error,epochs_left", out);
  fputs(a->classes ? ",class,sure\n" : "\n", out);
}

static void write_point(const ask_run *a, FILE *out, size_t p) {
  for (size_t i = 0; i < a->points.inputs; i++) {
    const double cell = a->points.cells[p * a->points.inputs + i];
    if (sfm_machine_categories(a->machine, i)) /* it was answered, so that it is one of them */
      value_table_write_name(out, sfm_machine_category(a->machine, i, (size_t)cell));
    else
      output_number(out, cell, "");
    fputc(',', out);
  }
}

static void write_line(ask_run *a, FILE *out, size_t p) {
  const sfm_interact_answer *answer = &a->answers[p];
  kept_columns_write_row(&a->kept, out);
  if (machine_points_printed(&a->points)) write_point(a, out, p);
  output_number(out, answer->value, "nan");
  fprintf(out, ",%s,", sfm_interact_source_name(answer->source));
  output_number(out, answer->error, "inf");
  fprintf(out, ",%llu", (unsigned long long)answer->epochs_left);
  if (a->classes) {
    fputc(',', out);
    if (class_of(a, p)) value_table_write_name(out, class_of(a, p));
    fputs(is_sure(a, p) ? ",yes" : ",no", out);
  }
  fputc('\n', out);
}

/* ---- JSON ---- */

static void write_string(FILE *out, const char *text) {
  json_t *string = json_string(text);
  json_dumpf(string, out, JSON_ENCODE_ANY);
  json_decref(string);
}

/* Columns by their names; of libsvm rows the coordinates that are not zero, by their indices. */
static void write_place(const ask_run *a, FILE *out, size_t p) {
  const machine_points *points = &a->points;
  fputs("\"point\": {", out);
  for (size_t i = 0; i < points->inputs && points->cells; i++) {
    const double cell = points->cells[p * points->inputs + i];
    if (i) fputs(", ", out);
    write_string(out, sfm_machine_input(a->machine, i));
    fputs(": ", out);
    if (sfm_machine_categories(a->machine, i))
      write_string(out, sfm_machine_category(a->machine, i, (size_t)cell));
    else
      output_number(out, cell, "null");
  }
  for (size_t k = points->starts ? points->starts[p] : 0;
       points->starts && k < points->starts[p + 1]; k++) {
    fprintf(out, "%s\"%lu\": ", k > points->starts[p] ? ", " : "",
            (unsigned long)points->indices[k] + 1);
    output_number(out, points->numbers[k], "null");
  }
  fputs("}, ", out);
}

static void write_object(ask_run *a, FILE *out, size_t p) {
  const sfm_interact_answer *answer = &a->answers[p];
  fprintf(out, "{\"question\": %zu, ", p + 1);
  write_place(a, out, p);
  fputs("\"value\": ", out);
  output_number(out, answer->value, "null");
  fprintf(out, ", \"source\": \"%s\", \"error\": ", sfm_interact_source_name(answer->source));
  output_number(out, answer->error, "null");
  fprintf(out, ", \"epochs_left\": %llu", (unsigned long long)answer->epochs_left);
  const char *class = class_of(a, p);
  if (class) {
    fputs(", \"class\": ", out);
    write_string(out, class);
    fprintf(out, ", \"sure\": %s", is_sure(a, p) ? "true" : "false");
  }
  fputs("}\n", out);
}

static sfm_status print(ask_run *a, output *out, bool json, sfm_error *error) {
  sfm_error why;
  if (!json) write_headings(a, out->file);
  for (size_t p = 0; p < a->answered; p++) (json ? write_object : write_line)(a, out->file, p);
  const sfm_status status = output_close(out, &why);
  return status ? cli_fail(error, status, "%.800s; the questions were answered and are counted",
                           why.message)
                : SFM_OK;
}

/* Where answers ceased to have an error bar, if they did in the middle. */
static void note_end(const ask_run *a) {
  size_t p = 0;
  while (p < a->answered && a->answers[p].source != SFM_INTERACT_SOURCE_EXHAUSTED) p++;
  if (p == a->answered) return;
  if (p)
    text_say(stderr, "note",
             "from question %zu on no epoch was left: these answers have no error bar", p + 1);
  else
    text_say(stderr, "note", "no epoch is left: answers have no error bar");
}

/* ---- asking ---- */

/* The answers' file is none of those that the session needs. */
static sfm_status check_output(const ask_run *a, const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  if (!path || strcmp(path, "-") == 0) return SFM_OK;
  return session_close_check_paths(path, sfm_interact_ledger(a->session),
                                   sfm_interact_anchor(a->session), error);
}

static sfm_status locate(ask_run *a, const cli_options *options, sfm_error *error) {
  const char *at = options_get(options, "at"), *file = options_get(options, "points"),
             *keep = options_get(options, "keep");
  sfm_machine machine;
  (void)sfm_release_machine(a->machine, &machine);
  if (!at == !file)
    return cli_misuse(error,
                      "give one of --points FILE and --at POINTS; for example --points new.csv");
  if (a->classes && machine.task == SFM_TASK_REGRESSION)
    return cli_misuse(error, "--classes: the session predicts a number, not a class; leave it out");
  if (keep && options_has(options, "json"))
    return cli_misuse(error, "--keep is for CSV; leave it out, or leave out --json");
  const sfm_status status = at ? machine_points_text(&a->points, a->machine, at, error)
                               : machine_points_file(&a->points, a->machine, file, error);
  return status ? status : kept_columns_find(&a->kept, &a->points.file, keep, error);
}

/* What was answered before something failed is there, too. */
static sfm_status ask(ask_run *a, sfm_error *error) {
  const machine_points *p = &a->points;
  a->answers = malloc((p->count + 1) * sizeof *a->answers);
  if (!a->answers) return cli_fail_memory(error);
  for (size_t i = 0; i < p->count; i++) a->answers[i].value = NAN;
  signals_defer("questions are being answered", "ask again: the session keeps its answers");
  sfm_status status = p->starts
                          ? sfm_interact_ask_sparse(a->session, a->answers, p->starts, p->indices,
                                                    p->numbers, p->count, error)
                          : sfm_interact_ask(a->session, a->answers, p->cells, p->count, error);
  while (a->answered < p->count && !isnan(a->answers[a->answered].value)) a->answered++;
  return status;
}

/* Answers go to a place that was there before the first question. */
static sfm_status answer(ask_run *a, const cli_options *options, sfm_error *error) {
  output out;
  sfm_error after;
  sfm_status status = output_open(&out, options_get(options, "output"), error);
  if (status) return status;
  paths_note(options);
  status = ask(a, error);
  if (status && !a->answered) {
    output_abandon(&out);
    return status;
  }
  const sfm_status shown = print(a, &out, options_has(options, "json"), &after);
  note_end(a);
  if (!status && shown) *error = after;
  return status ? status : shown;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  ask_run a = {.classes = options_has(options, "classes")};
  sfm_status status = sfm_interact_open(&a.session, options->operand, error);
  if (status) return status;
  a.machine = sfm_interact_machine(a.session);
  status = check_output(&a, options, error);
  if (!status) status = locate(&a, options, error);
  if (!status) status = answer(&a, options, error);
  ask_run_clear(&a);
  return status;
}

const cli_verb verb_interact_ask = {
    .name = "interact ask",
    .summary = "ask a session for values at points",
    .usage = "SESSION --points FILE | --at POINTS [--classes] [--keep COLUMNS] [--json] [-o FILE]",
    .operand = "SESSION",
    .options = options_table,
    .about = "Every answer has a source: released (the value of the private machine with noise; an "
             "epoch ended), public (the public model, found near enough by the comparison) or "
             "exhausted (the public model; no epoch is left). It also has an error bar (inf or "
             "null if exhausted) and the number of epochs left. The columns of the CSV are those "
             "of the point, value, source, error, epochs_left and, with --classes, class and sure "
             "(yes if zero is beyond the error bar, otherwise no). A JSON object has the keys "
             "question (from 1), point {column: value}, value, source, error, epochs_left and, if "
             "there are classes, class and sure (true or false). When the epochs run out, a note "
             "on standard error names the question.\n"
             "Answers cost no privacy beyond the charge of the session. The same question may have "
             "another answer later, when the public model has learned more. A point outside the "
             "domain, or without a value for a column, is refused with exit code 2 before anything "
             "is answered. An older copy of a session is refused with exit code 3.",
    .example = "sfumato interact ask s.sfs --points new.csv --classes\n"
               "sfumato interact ask s.sfs --at 35,52000 --json",
    .run = run,
};
