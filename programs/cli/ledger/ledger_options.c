#include "ledger_options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/io/result_output.h"
#include "cli/core/paths.h"
#include "cli/core/signals.h"
#include "cli/core/text.h"

const cli_option option_ledger = {
    "ledger", "FILE",
    "the ledger to charge before any row is read (`sfumato ledger create`); if not enough is left, "
    "nothing is charged, nothing is released, and the exit code is 3",
    "none: what releases cost together is not added up"};
const cli_option option_dataset = {"dataset", "NAME", "what the rows are called in the ledger"};
const cli_option option_request = {
    "request", "ID",
    "a name for this request: if it is repeated with the same ID and the same options, it is not "
    "charged again and gets the same answer",
    "a fresh one"};
const cli_option options_charge[] = {CLI_SAME(ledger), CLI_SAME(dataset), CLI_SAME(request), {0}};

/* What is left, in a few words. */
static void left_words(char *out, size_t size, const sfm_dataset_status *s) {
  bool basic = s->accounting == SFM_ACCOUNTING_BASIC;
  if (!basic)
    snprintf(out, size, "epsilon %s left at delta %s", s->left.epsilon, s->total.delta);
  else if (strcmp(s->total.delta, "0") != 0)
    snprintf(out, size, "epsilon %s, delta %s left", s->left.epsilon, s->left.delta);
  else
    snprintf(out, size, "%s left", s->left.epsilon);
}

/* From now on a signal waits until the request has its answer. */
static void defer_signals(const char *request) {
  char what[4 * SFM_REQUEST_MAX + 32], how[4 * SFM_REQUEST_MAX + 64];
  snprintf(what, sizeof what, "request %s is charged", request);
  snprintf(how, sizeof how, "repeat the command with --request %s to get its answer", request);
  signals_defer(what, how);
}

/* Nothing ends the command while the ledger is written.  A charge that failed may be in the ledger
 * all the same: then the command is about to say so, and is let. */
static void write_undisturbed(void *context, bool begins) {
  const charge *c = context;
  if (begins)
    signals_hold();
  else if (c->told)
    signals_release();
}

/* One line on standard error, once the charge is durable and before any row is read. */
static void tell(void *context, const sfm_receipt *receipt) {
  charge *c = context;
  char name[4 * SFM_DATASET_MAX], request[4 * SFM_REQUEST_MAX], left[128];
  text_harmless(name, sizeof name, receipt->dataset.name);
  text_harmless(request, sizeof request, receipt->request);
  left_words(left, sizeof left, &receipt->dataset);
  c->told = true;
  defer_signals(request);
  if (receipt->charged)
    fprintf(stderr, "charged     %s to %s (request %s), %s\n", receipt->guarantee, name, request,
            left);
  else if (receipt->answered)
    fputs(
        "charged     earlier, for this request: its answer is stored, and the rows are not read\n",
        stderr);
  else
    fputs("charged     earlier, for this request, which has no answer yet: it is tried again at no "
          "further cost\n",
          stderr);
}

/* --ledger without --dataset: the names there are to choose from. */
static sfm_status fail_unnamed(sfm_ledger *ledger, const char *path, sfm_error *error) {
  sfm_dataset_status *list;
  size_t count;
  char names[600];
  sfm_status status = sfm_ledger_status(ledger, &list, &count, error);
  if (status) return status;
  const char **items = calloc(count + 1, sizeof *items);
  for (size_t i = 0; items && i < count; i++) items[i] = list[i].name;
  text_join(names, sizeof names, items, items ? count : 0);
  free(items);
  sfm_free(list);
  return cli_misuse(error,
                    "--dataset is missing: state which of the datasets of %.200s the rows are: %s",
                    path, *names ? names : "none yet");
}

sfm_status charge_open(charge *c, const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "ledger"), *dataset = options_get(options, "dataset"),
             *request = options_get(options, "request");
  sfm_dataset_status found;
  *c = (charge){0};
  if (!path && (dataset || request))
    return cli_misuse(
        error, "--%s is about a charge in a ledger, but no ledger is named; add --ledger FILE",
        dataset ? "dataset" : "request");
  if (!path) {
    paths_note(options);
    return SFM_OK;
  }
  if (options_has(options, "seed"))
    return cli_misuse(error, "--seed and --ledger exclude each other: a seeded run is not private "
                             "and cannot be charged; drop one of them");
  sfm_status status = sfm_ledger_open(&c->ledger, path, error);
  if (!status) status = sfm_ledger_writable(c->ledger, error);
  if (!status)
    status = dataset ? sfm_ledger_find(c->ledger, &found, dataset, error)
                     : fail_unnamed(c->ledger, path, error);
  c->sfm = (sfm_charge){.ledger = c->ledger,
                        .dataset = dataset,
                        .request = request,
                        .told = tell,
                        .writing = write_undisturbed,
                        .data = c};
  c->use = &c->sfm;
  if (!status) paths_note(options);
  signals_expect_charge();
  return status;
}

sfm_status charge_write(const sfm_release *release, const char *path, sfm_error *error) {
  sfm_status status = output_release(release, path, error);
  const char *request = sfm_release_request(release);
  if (!status || !request) return status;
  const sfm_error before = *error;
  return cli_fail(error, status,
                  "%.600s. The answer is charged and stored: repeat with --request %s to get it",
                  before.message, request);
}

void charge_close(charge *c) {
  sfm_ledger_close(c->ledger);
  *c = (charge){0};
}
