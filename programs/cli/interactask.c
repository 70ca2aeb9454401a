/* interactask.c - sfumato interact ask: answers at points, each with where it came from.
 *
 * An answer is durable in the session before it is printed. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machines.h"
#include "output.h"
#include "particulars.h"
#include "sfumato/interact.h"
#include "sheet.h"
#include "verbs.h"

static const cli_option options_table[] = {
    {"at", "POINTS",
     "one column: numbers separated by commas (31,32); more: points separated by semicolons "
     "('31,F;45,M')",
     NULL, 0},
    {"points", "FILE",
     "CSV whose header names the columns (others are ignored), NPY of shape (points, columns), or, "
     "of a session of libsvm rows, libsvm text; - is standard input. All of it is read before the "
     "first question",
     NULL, 0},
    {"classes", NULL, "also say which class each value stands for", NULL, 0},
    {"json", NULL, "one JSON object a question, on a line of its own, instead of CSV", NULL, 0},
    {0},
};

typedef struct asked {
  sfm_interact *session;
  const sfm_release *machine; /* what is public of it */
  machine_points points;
  sfm_interact_answer *answers;
  size_t answered;
  bool classes;
} asked;

static void asked_clear(asked *a) {
  machine_points_clear(&a->points);
  free(a->answers);
  sfm_interact_close(a->session);
}

static const char *class_of(const asked *a, size_t p) {
  return sfm_machine_class(a->machine, sfm_machine_decide(a->machine, &a->answers[p].value));
}

/* ---- CSV ---- */

static bool shows_points(const asked *a) {
  return a->points.inputs > 0 && a->points.inputs <= MACHINES_SHOWN;
}

static void write_headings(const asked *a, FILE *out) {
  for (size_t i = 0; shows_points(a) && i < a->points.inputs; i++) {
    table_write_name(out, sfm_machine_input(a->machine, i));
    fputc(',', out);
  }
  fputs(a->classes ? "value,source,error,epochs_left,class\n" : "value,source,error,epochs_left\n",
        out);
}

static void write_point(const asked *a, FILE *out, size_t p) {
  for (size_t i = 0; i < a->points.inputs; i++) {
    const double cell = a->points.cells[p * a->points.inputs + i];
    if (sfm_machine_categories(a->machine, i)) /* it was answered, so that it is one of them */
      table_write_name(out, sfm_machine_category(a->machine, i, (size_t)cell));
    else
      output_number(out, cell, "");
    fputc(',', out);
  }
}

static void write_line(const asked *a, FILE *out, size_t p) {
  const sfm_interact_answer *answer = &a->answers[p];
  if (shows_points(a)) write_point(a, out, p);
  output_number(out, answer->value, "nan");
  fprintf(out, ",%s,", sfm_interact_source_name(answer->source));
  output_number(out, answer->error, "inf");
  fprintf(out, ",%llu", (unsigned long long)answer->epochs_left);
  if (a->classes) {
    fputc(',', out);
    if (class_of(a, p)) table_write_name(out, class_of(a, p));
  }
  fputc('\n', out);
}

/* ---- JSON ---- */

static void write_object(const asked *a, FILE *out, size_t p) {
  const sfm_interact_answer *answer = &a->answers[p];
  fputs("{\"value\": ", out);
  output_number(out, answer->value, "null");
  fprintf(out, ", \"source\": \"%s\", \"error\": ", sfm_interact_source_name(answer->source));
  output_number(out, answer->error, "null");
  fprintf(out, ", \"epochs_left\": %llu", (unsigned long long)answer->epochs_left);
  const char *class = class_of(a, p);
  if (class) {
    json_t *string = json_string(class);
    fputs(", \"class\": ", out);
    json_dumpf(string, out, JSON_ENCODE_ANY);
    json_decref(string);
  }
  fputs("}\n", out);
}

static sfm_status print(const asked *a, bool json, sfm_error *error) {
  if (!json) write_headings(a, stdout);
  for (size_t p = 0; p < a->answered; p++) (json ? write_object : write_line)(a, stdout, p);
  if (fflush(stdout) == 0 && !ferror(stdout)) return SFM_OK;
  return cli_fail(error, SFM_IO,
                  "cannot write standard output: %s; the questions were answered, and count",
                  strerror(errno));
}

/* ---- asking ---- */

static sfm_status locate(asked *a, const cli_options *options, sfm_error *error) {
  const char *at = options_get(options, "at"), *file = options_get(options, "points");
  sfm_machine machine;
  (void)sfm_release_machine(a->machine, &machine);
  if (!at == !file)
    return cli_fail(error, SFM_INVALID,
                    "give one of --points FILE and --at POINTS; for example --points new.csv");
  if (a->classes && machine.task == SFM_TASK_REGRESSION)
    return cli_fail(error, SFM_INVALID,
                    "--classes: the session predicts a number, not a class; leave it out");
  return at ? machine_points_text(&a->points, a->machine, at, error)
            : machine_points_file(&a->points, a->machine, file, error);
}

/* What was answered before something failed is there, too. */
static sfm_status ask(asked *a, sfm_error *error) {
  const machine_points *p = &a->points;
  a->answers = malloc((p->count + 1) * sizeof *a->answers);
  if (!a->answers) return cli_fail_memory(error);
  for (size_t i = 0; i < p->count; i++) a->answers[i].value = NAN;
  sfm_status status = p->starts
                          ? sfm_interact_ask_sparse(a->session, a->answers, p->starts, p->indices,
                                                    p->numbers, p->count, error)
                          : sfm_interact_ask(a->session, a->answers, p->cells, p->count, error);
  while (a->answered < p->count && !isnan(a->answers[a->answered].value)) a->answered++;
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  asked a = {.classes = options_has(options, "classes")};
  sfm_error after;
  sfm_status status = sfm_interact_open(&a.session, options->operand, error);
  if (status) return status;
  a.machine = sfm_interact_machine(a.session);
  status = locate(&a, options, error);
  if (!status) status = ask(&a, error);
  if (!status || a.answered) {
    const sfm_status shown = print(&a, options_has(options, "json"), &after);
    if (!status && shown) {
      status = shown;
      *error = after;
    }
  }
  asked_clear(&a);
  return status;
}

const cli_verb verb_interact_ask = {
    .name = "interact ask",
    .summary = "ask a session for values at points",
    .usage = CLI_SESSION_OPERAND " --points FILE | --at POINTS [--classes] [--json]",
    .operand = CLI_SESSION_OPERAND,
    .operand_help = CLI_SESSION_HELP,
    .options = options_table,
    .about =
        "Every answer says where it came from: released (the private machine's value with noise; "
        "an epoch ended), public (the public model, which a comparison found near enough) or "
        "exhausted (the public model; no epoch is left); its error bar (none, inf or null, when "
        "exhausted) and how many epochs are left. The columns of the CSV are those of the point, "
        "value, source, error, epochs_left and class; a JSON object has the keys value, source, "
        "error, epochs_left and, where there are classes, class.\n"
        "An answer costs no privacy beyond what was charged when the session was opened, and the "
        "same question may be answered otherwise later, when the public model has learned more. A "
        "point outside the domain, or without a value for a column, is refused with exit code 2 "
        "before anything is answered. An older copy of a session is refused, exit code 3.",
    .example = "sfumato interact ask s.sfs --points new.csv --classes\n"
               "sfumato interact ask s.sfs --at 35,52000 --json",
    .run = run,
};
