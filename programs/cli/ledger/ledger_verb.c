/* ledger_verb.c - sfumato ledger create, status, close: a budget, what is left of it, and its end.
 *
 * A ledger is opened through sfm_ledger_open and by no other means: a second descriptor, once
 * closed, would take the locks of the first away with it. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/core/signals.h"
#include "sfumato/ledger.h"
#include "cli/core/text.h"
#include "cli/io/json_output.h"
#include "cli/core/verbs.h"

static const cli_option create_table[] = {
    {"dataset", "NAME", "what the rows are called in the ledger",
     .missing = "what the rows are called in the ledger; write for example --dataset patients"},
    {"epsilon", "E",
     "the most that all releases of the dataset may cost together, from 1e-6 to 1000",
     CLI_POSITIVE("3"),
     .missing = "the most that all releases of the dataset may cost together; write for example "
                "--epsilon 3"},
    {"delta", "D", "the same for delta, from 1e-12 to below 1; zcdp and gdp need one", "0",
     CLI_FRACTION("1e-6")},
    {"accounting", "basic|zcdp|gdp",
     "how costs add up; this cannot be changed later. basic adds epsilons and deltas; with zcdp "
     "and gdp many small releases cost less together, and they need --delta",
     "basic", CLI_CHOICE(SFM_ENUMERATION_ACCOUNTING)},
    {"anchor", "FILE",
     "for a new ledger: a small file, kept elsewhere, that follows the ledger and shows when an "
     "old copy is put in its place",
     "none"},
    {"shared", NULL,
     "for a new ledger: the group of its folder may read and charge it too (mode 0660); the group "
     "must be able to write to the folder, and new files must get its group (chmod g+rwxs)"},
    {0},
};

#define AT(name, member) CLI_FIELD(name, sfm_dataset, member)
static const cli_field fields[] = {AT("dataset", name),
                                   AT("epsilon", epsilon),
                                   AT("delta", delta),
                                   AT("accounting", accounting),
                                   {0}};

static sfm_status read_dataset(sfm_dataset *dataset, const cli_options *options, sfm_error *error) {
  *dataset = (sfm_dataset){0};
  sfm_status status = options_fill(dataset, fields, options, error);
  if (status) return status;
  if (dataset->accounting != SFM_ACCOUNTING_BASIC && !(dataset->delta > 0))
    return cli_misuse(error,
                      "--accounting %s states its total as an epsilon at a delta, and --delta is "
                      "missing; write for example --delta 1e-6, or use --accounting basic",
                      sfm_accounting_name(dataset->accounting));
  return SFM_OK;
}

/* "epsilon 3", "epsilon 3, delta 1e-6": the total as it was written. */
static void total_words(char *out, size_t size, const cli_options *options) {
  const char *delta = options_get(options, "delta");
  snprintf(out, size, "epsilon %.40s%s%.40s", options_get(options, "epsilon"),
           delta ? ", delta " : "", delta ? delta : "");
}

/* The name as it is typed in a shell, in quotes where it needs them; NAME where even these would
 * not do. */
static void shell_word(char *out, size_t size, const char *name) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  char harmless[4 * SFM_DATASET_MAX];
  text_harmless(harmless, sizeof harmless, name);
  const bool typed = strcmp(harmless, name) == 0 && !strchr(name, '\'');
  const char *quote = typed && name[strspn(name, plain)] ? "'" : "";
  snprintf(out, size, "%s%s%s", quote, typed ? name : "NAME", quote);
}

static sfm_status run_create(const cli_options *options, sfm_error *error) {
  const char *path = options->operand, *anchor = options_get(options, "anchor");
  const bool there = access(path, F_OK) == 0, shared = options_has(options, "shared");
  char name[4 * SFM_DATASET_MAX], word[4 * SFM_DATASET_MAX], total[128];
  sfm_dataset dataset;
  sfm_status status = read_dataset(&dataset, options, error);
  signals_hold();
  if (!status)
    status = (shared ? sfm_ledger_create_shared : sfm_ledger_create)(path, anchor, &dataset, error);
  signals_release();
  if (status) return status;
  if (dataset.epsilon > 10)
    text_print_labelled(
        stderr, "note",
        "a total epsilon above 10 promises very little, and it cannot be changed later");
  if (dataset.delta > 1e-3)
    text_print_labelled(stderr, "note",
                        "a total delta should be far below 1/(number of people), for example 1e-6");
  text_harmless(name, sizeof name, dataset.name);
  total_words(total, sizeof total, options);
  text_say(stderr, there ? "added" : "created",
           "%s: %s in all, %s accounting; none of this can change", name, total,
           sfm_accounting_name(dataset.accounting));
  if (!there && !anchor)
    text_print_labelled(
        stderr, "anchor",
        "none: an old copy put in the ledger's place would not be noticed (--anchor FILE, "
        "for a new ledger)");
  if (!there && shared)
    text_print_labelled(
        stderr, "shared",
        "mode 0660: everybody in the group of the file can charge it, and read its stored "
        "answers and the keys of its fingerprints");
  shell_word(word, sizeof word, dataset.name);
  text_say(stderr, "next", "sfumato density ... --ledger %.500s --dataset %s", path, word);
  return SFM_OK;
}

const cli_verb verb_ledger_create = {
    .name = "ledger create",
    .summary = "give a dataset a budget, in a new or an existing ledger",
    .usage = "LEDGER --dataset NAME --epsilon E [--delta D] [--accounting basic|zcdp|gdp] "
             "[--anchor FILE] [--shared]",
    .operand = "LEDGER",
    .options = create_table,
    .about =
        "Total and accounting cannot be changed later. Every release with --ledger and --dataset "
        "is charged before a row is read, and refused when not enough is left.\nThe file is made "
        "for its owner alone (mode 0600): it holds stored answers, and keys by which it recognises "
        "the rows. Back it up as carefully as the rows, and restore only the newest copy: an older "
        "copy lacks charges. With an anchor an older copy is refused.\nNo verb changes the file's "
        "mode later. chmod a-w freezes it: until chmod u+w it can be read, but no request is "
        "charged or answered from it, not even a request by root. A mode that gives access to "
        "others, or to a group without --shared or chmod 660, is refused.",
    .example = "sfumato ledger create clinic.db --dataset patients --epsilon 3\n"
               "sfumato ledger create clinic.db --dataset visits --epsilon 3 --delta 1e-6 "
               "--accounting gdp",
    .run = run_create,
    .makes = true,
};

static const cli_option status_table[] = {
    {"dataset", "NAME", "this one only", "all of them"},
    CLI_SAME(json),
    {0},
};

static const char *unit_of(sfm_accounting accounting) {
  static const char *const units[] = {"epsilon", "rho", "mu^2"};
  return units[accounting];
}

/* A decimal as part of another one, 0 to 1. */
static double share(const char *part, const char *whole) {
  double most = strtod(whole, NULL);
  return most > 0 ? fmin(strtod(part, NULL) / most, 1) : 0;
}

static void print_bar(double spent) {
  enum { CELLS = 40 };
  int full = (int)ceil(spent * CELLS);
  double percent = spent > 0 ? ceil(spent * 1000 - 1e-9) / 10 : 0;
  printf("  %-10s", "spent");
  for (int i = 0; i < CELLS; i++) fputs(i < full ? "\u2588" : "\u2591", stdout);
  if (spent < 1) percent = fmin(percent, 99.9);
  printf("  %.3g %%\n", percent);
}

static void print_charges(const sfm_dataset_status *s) {
  unsigned long long open = s->charges - s->answers;
  printf("  %-10s%llu", "charges", (unsigned long long)s->charges);
  if (open)
    printf(", of which %llu without an answer: `ledger history` names them; repeat a request to "
           "get its answer",
           open);
  else if (s->charges)
    printf(", all answered");
  fputc('\n', stdout);
}

/* Whom every charge so far protects: "replace 1", "add-remove 3", "replace person patient",
 * "replace numbered person patient", "replace valued person patient". */
static void print_protected(const char *text) {
  static const struct {
    const char *word, *ids;
  } compared[] = {{" numbered person ", ", ids as numbers"},
                  {" valued person ", ", ids as values"}};
  const char *ids = "";
  char whom[4 * SFM_PROTECTS_MAX];
  const char *after = strchr(text, ' ');
  if (!after) return;
  const bool replace = strncmp(text, "replace ", 8) == 0, one = strcmp(after, " 1") == 0;
  for (size_t i = 0; i < 2; i++)
    if (strncmp(after, compared[i].word, strlen(compared[i].word)) == 0) {
      ids = compared[i].ids;
      after += strlen(compared[i].word) - strlen(" person ");
    }
  if (strncmp(after, " person ", 8) == 0) {
    text_harmless(whom, sizeof whom, after + 8);
    printf("  %-10sall records of one person (column %s%s), %s\n", "protects", whom, ids,
           replace ? "replaced" : "added or removed");
  } else {
    printf("  %-10s%s%s record%s, %s\n", "protects", one ? "any" : "any ", one ? " one" : after + 1,
           one ? "" : "s", replace ? "replaced" : "added or removed");
  }
}

static void print_dataset(const sfm_dataset_status *s) {
  char name[4 * SFM_DATASET_MAX];
  bool basic = s->accounting == SFM_ACCOUNTING_BASIC;
  text_harmless(name, sizeof name, s->name);
  static const char *const adds[] = {"epsilons and deltas add", "rho adds", "mu^2 adds"};
  printf("%s (%s accounting: %s up%s)\n", name, sfm_accounting_name(s->accounting),
         adds[s->accounting], s->closed ? "; closed: no further charge" : "");
  print_bar(share(s->amount.spent, s->amount.total));
  if (basic) {
    printf("  %-10s%s of %s spent, %s left\n", "epsilon", s->spent.epsilon, s->total.epsilon,
           s->left.epsilon);
    if (strcmp(s->total.delta, "0") != 0)
      printf("  %-10s%s of %s spent, %s left%s\n", "delta", s->spent.delta, s->total.delta,
             s->left.delta,
             strcmp(s->left.delta, "0") == 0 ? ": only pure releases from now on" : "");
  } else {
    printf("  %-10s%s of %s spent, %s left, at delta %s\n", "epsilon", s->spent.epsilon,
           s->total.epsilon, s->left.epsilon, s->total.delta);
    printf("  %-10s%s of %s spent, %s left\n", unit_of(s->accounting), s->amount.spent,
           s->amount.total, s->amount.left);
  }
  print_charges(s);
  print_protected(s->protects);
}

static json_t *decimals_json(const sfm_decimals *d) {
  return json_pack("{s:s, s:s}", "epsilon", d->epsilon, "delta", d->delta);
}

static json_t *dataset_json(const sfm_dataset_status *s) {
  char name[4 * SFM_DATASET_MAX];
  json_t *exact = json_string(s->name);
  text_harmless(name, sizeof name, s->name);
  return json_pack(
      "{s:o, s:s, s:o, s:o, s:o, s:I, s:I, s:b, s:{s:s, s:s, s:s}, s:s, s:s?}", "name",
      exact ? exact : json_string(name), "accounting", sfm_accounting_name(s->accounting), "total",
      decimals_json(&s->total), "spent", decimals_json(&s->spent), "left", decimals_json(&s->left),
      "charges", (json_int_t)s->charges, "answers", (json_int_t)s->answers, "closed", s->closed,
      "amount", "total", s->amount.total, "spent", s->amount.spent, "left", s->amount.left, "unit",
      unit_of(s->accounting), "protects", *s->protects ? s->protects : NULL);
}

static sfm_status print_json(const sfm_dataset_status *list, size_t count, sfm_error *error) {
  json_t *all = json_array(), *object;
  bool good = all != NULL;
  for (size_t i = 0; good && i < count; i++)
    good = json_array_append_new(all, dataset_json(&list[i])) == 0;
  object = json_pack("{s:o}", "datasets", all);
  if (!good) {
    json_decref(object);
    return cli_fail_memory(error);
  }
  return json_output_print(object, error);
}

static void print_words(const sfm_dataset_status *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (i) fputc('\n', stdout);
    print_dataset(&list[i]);
  }
}

/* Said beside the numbers: what is left cannot be had meanwhile. */
static void note_frozen(const sfm_ledger *ledger) {
  if (sfm_ledger_writable(ledger, NULL) == SFM_REFUSED)
    text_print_labelled(
        stderr, "note",
        "the ledger is frozen: nothing is charged to it until its owner unfreezes it (chmod u+w)");
}

static sfm_status run_status(const cli_options *options, sfm_error *error) {
  const char *name = options_get(options, "dataset");
  sfm_ledger *ledger = NULL;
  sfm_dataset_status one, *list = NULL;
  size_t count = 1;
  sfm_status status = sfm_ledger_open(&ledger, options->operand, error);
  if (!status)
    status = name ? sfm_ledger_find(ledger, &one, name, error)
                  : sfm_ledger_status(ledger, &list, &count, error);
  if (!status) note_frozen(ledger);
  sfm_ledger_close(ledger);
  const sfm_dataset_status *shown = name ? &one : list;
  if (!status && options_has(options, "json"))
    status = print_json(shown, count, error);
  else if (!status)
    print_words(shown, count);
  sfm_free(list);
  return status;
}

const cli_verb verb_ledger_status = {
    .name = "ledger status",
    .summary = "show what is spent and what is left of each dataset",
    .usage = "LEDGER [--dataset NAME] [--json]",
    .operand = "LEDGER",
    .options = status_table,
    .about = "What is spent is rounded up and what is left is rounded down, at the twelfth place. "
             "Under zcdp and gdp the epsilons are those at the delta of the total. They do not add "
             "up; rho and mu^2 do.\nThe JSON object is {\"datasets\": [{name, accounting, total "
             "{epsilon, delta}, spent {epsilon, delta}, left {epsilon, delta}, charges, answers, "
             "closed, amount {total, spent, left}, unit, protects}]}, its amounts decimal strings; "
             "unit is the unit of amount, and protects is what every charge protects (\"replace "
             "1\": one record replaced; null before the first).",
    .example = "sfumato ledger status clinic.db\nsfumato ledger status clinic.db --json",
    .run = run_status,
};

static const cli_option close_table[] = {
    {"dataset", "NAME", "the dataset to close"},
    {0},
};

static sfm_status run_close(const cli_options *options, sfm_error *error) {
  const char *dataset = options_get(options, "dataset");
  char name[4 * SFM_DATASET_MAX];
  sfm_ledger *ledger = NULL;
  if (!dataset)
    return cli_misuse(error, "--dataset is missing: the dataset to close, which cannot be undone; "
                             "`sfumato ledger status` lists them");
  sfm_status status = sfm_ledger_open(&ledger, options->operand, error);
  signals_hold();
  if (!status) status = sfm_ledger_close_dataset(ledger, dataset, error);
  sfm_ledger_close(ledger);
  signals_release();
  if (status) return status;
  text_harmless(name, sizeof name, dataset);
  text_say(stderr, "closed", "%s: nothing more can be charged to it", name);
  return SFM_OK;
}

const cli_verb verb_ledger_close = {
    .name = "ledger close",
    .summary = "accept no further charge for a dataset; this cannot be undone",
    .usage = "LEDGER --dataset NAME",
    .operand = "LEDGER",
    .options = close_table,
    .about = "Requests that were answered can still be repeated, and get the same answer.",
    .example = "sfumato ledger close clinic.db --dataset patients",
    .run = run_close,
};
