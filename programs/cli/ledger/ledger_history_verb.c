/* ledger_history_verb.c - sfumato ledger history and verify: every entry there is, and whether all
 * of it holds.
 *
 * What the history prints is gathered first: a reader who stops reading must not keep the ledger
 * locked. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "sfumato/ledger.h"
#include "cli/core/text.h"
#include "cli/io/json_output.h"
#include "cli/core/verbs.h"

static const cli_option history_table[] = {
    {"dataset", "NAME", "this one only", "all of them"},
    {"json", NULL, "print one JSON object per line"},
    {0},
};

typedef struct gathering {
  FILE *out;
  bool json, good;
} gathering;

/* "epsilon 3, delta 1e-06 in all, basic accounting", from the parameters of a create entry. */
static void budget_words(char *out, size_t size, const char *parameters) {
  json_t *object = json_loads(parameters, 0, NULL);
  const char *accounting = json_string_value(json_object_get(object, "accounting"));
  double epsilon = json_number_value(json_object_get(object, "epsilon"));
  double delta = json_number_value(json_object_get(object, "delta"));
  snprintf(out, size, "epsilon %.10g", epsilon);
  if (delta > 0) text_add(out, size, ", delta %.10g", delta);
  text_add(out, size, " in all, %.20s accounting", accounting ? accounting : "unknown");
  json_decref(object);
}

/* "generation 3 of a session, request ID". */
static void raise_words(char *out, size_t size, const char *parameters, const char *request) {
  json_t *object = json_loads(parameters, 0, NULL);
  snprintf(out, size, "generation %lld of a session, request %s",
           (long long)json_integer_value(json_object_get(object, "generation")), request);
  json_decref(object);
}

/* What happened, in a few words. */
static void entry_words(char *out, size_t size, const sfm_ledger_entry *e) {
  char request[4 * SFM_REQUEST_MAX], guarantee[256];
  text_harmless(request, sizeof request, e->request);
  text_harmless(guarantee, sizeof guarantee, e->guarantee);
  if (strcmp(e->kind, "charge") == 0)
    snprintf(out, size, "%s; %s %s spent so far; request %s", guarantee, e->unit, e->spent,
             request);
  else if (strcmp(e->kind, "answer") == 0)
    snprintf(out, size, "stored, request %s", request);
  else if (strcmp(e->kind, "bind") == 0)
    snprintf(out, size, "from now on these rows and no others");
  else if (strcmp(e->kind, "close") == 0)
    snprintf(out, size, "no further charge");
  else if (strcmp(e->kind, "raise") == 0)
    raise_words(out, size, e->parameters, request);
  else
    budget_words(out, size, e->parameters);
}

static void gather_words(gathering *g, const sfm_ledger_entry *e) {
  char name[4 * SFM_DATASET_MAX], time[64], words[4 * SFM_REQUEST_MAX + 512];
  text_harmless(name, sizeof name, e->dataset);
  text_harmless(time, sizeof time, e->time);
  entry_words(words, sizeof words, e);
  size_t wide = text_columns(name, strlen(name));
  fprintf(g->out, "%6llu  %s  %-6s  %s%*s  %s\n", (unsigned long long)e->number, time, e->kind,
          name, wide < 12 ? (int)(12 - wide) : 0, "", words);
}

/* A string that may not be UTF-8, if the file is not what it should be. */
static json_t *string_json(const char *text) {
  json_t *exact = json_string(text);
  char harmless[1024];
  if (exact) return exact;
  text_harmless(harmless, sizeof harmless, text);
  return json_string(harmless);
}

static void gather_json(gathering *g, const sfm_ledger_entry *e) {
  json_t *parameters = *e->parameters ? json_loads(e->parameters, 0, NULL) : NULL;
  json_t *object = json_pack("{s:I, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:s, s:s}",
                             "number", (json_int_t)e->number, "time", e->time, "kind", e->kind,
                             "dataset", string_json(e->dataset), "request",
                             *e->request ? string_json(e->request) : json_null(), "parameters",
                             parameters ? parameters : json_null(), "guarantee",
                             *e->guarantee ? string_json(e->guarantee) : json_null(), "unit",
                             e->unit, "amount", e->amount, "amount_delta", e->amount_delta, "spent",
                             e->spent, "spent_delta", e->spent_delta, "hash", e->hash);
  char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  if (text) fprintf(g->out, "%s\n", text);
  g->good = g->good && text;
  free(text);
  json_decref(object);
}

static bool gather(void *context, const sfm_ledger_entry *entry) {
  gathering *g = context;
  if (g->json)
    gather_json(g, entry);
  else
    gather_words(g, entry);
  return g->good;
}

static sfm_status run_history(const cli_options *options, sfm_error *error) {
  char *text = NULL;
  size_t length = 0;
  sfm_ledger *ledger = NULL;
  gathering g = {.json = options_has(options, "json"), .good = true};
  sfm_status status = sfm_ledger_open(&ledger, options->operand, error);
  if (!status && !(g.out = open_memstream(&text, &length))) status = cli_fail_memory(error);
  if (!status)
    status = sfm_ledger_history(ledger, options_get(options, "dataset"), gather, &g, error);
  sfm_ledger_close(ledger);
  if (g.out && fclose(g.out)) g.good = false;
  if (!status && !g.good) status = cli_fail_memory(error);
  if (!status) fwrite(text, 1, length, stdout);
  free(text);
  return status;
}

const cli_verb verb_ledger_history = {
    .name = "ledger history",
    .summary = "print every entry: who was charged what, and when",
    .usage = "LEDGER [--dataset NAME] [--json]",
    .operand = "LEDGER",
    .operand_help = "the ledger, one file that only its owner can read",
    .options = history_table,
    .about = "Kinds of entries: create (a dataset), charge (before rows were read), bind (the "
             "dataset is these rows and no others), answer (what was released is stored), close, "
             "raise (a session continues from here only).\nThe JSON objects have the keys number, "
             "time, kind, dataset, request, parameters, guarantee, unit, amount, amount_delta, "
             "spent, spent_delta (decimal strings in the unit of the accounting; spent is that of "
             "the dataset after the entry) and hash, which chains each entry to all before it.",
    .example = "sfumato ledger history clinic.db --dataset patients",
    .run = run_history,
};

static const cli_option verify_table[] = {
    {"anchor", "FILE", "compare the ledger with this anchor, too", "its own, if it has one"},
    CLI_SAME(json),
    {0},
};

static sfm_status print_verdict(uint64_t entries, const char *reason, sfm_error *error) {
  json_t *object = json_pack("{s:b, s:I}", "valid", !reason, "entries", (json_int_t)entries);
  bool good =
      object && (!reason || json_object_set_new(object, "reason", string_json(reason)) == 0);
  if (!good) {
    json_decref(object);
    return cli_fail_memory(error);
  }
  return json_output_print(object, error);
}

static sfm_status run_verify(const cli_options *options, sfm_error *error) {
  uint64_t entries = 0;
  sfm_ledger *ledger = NULL;
  bool json = options_has(options, "json");
  sfm_status status = sfm_ledger_open(&ledger, options->operand, error);
  if (!status) status = sfm_ledger_verify(ledger, &entries, options_get(options, "anchor"), error);
  sfm_ledger_close(ledger);
  if (status == SFM_REFUSED && json) {
    sfm_error unsaid;
    (void)!print_verdict(entries, error->message, &unsaid);
  } else if (!status && json)
    status = print_verdict(entries, NULL, error);
  else if (!status)
    printf("%s: %llu %s checked, and all is in order\n", options->operand,
           (unsigned long long)entries, entries == 1 ? "entry" : "entries");
  return status;
}

const cli_verb verb_ledger_verify = {
    .name = "ledger verify",
    .summary = "check a whole ledger: file, history, sums, answers and anchor",
    .usage = "LEDGER [--anchor FILE] [--json]",
    .operand = "LEDGER",
    .operand_help = "the ledger, one file that only its owner can read",
    .options = verify_table,
    .about = "If something is wrong, the first fault is printed and the exit code is 3. Without an "
             "anchor an old copy of a ledger cannot be distinguished from the newest one: it is a "
             "complete ledger.\nThe JSON object has the keys valid, entries (how many were "
             "checked) and, when it is not valid, reason.",
    .example = "sfumato ledger verify clinic.db",
    .run = run_verify,
};
