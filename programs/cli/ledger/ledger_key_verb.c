/* ledger_key_verb.c - sfumato ledger key: the key of a dataset, for those who read parts of its
 * rows. */
#include <string.h>

#include "cli/core/signals.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "sfumato/key.h"

static const cli_option key_table[] = {
    {"dataset", "NAME", "the dataset whose key is written",
     .missing = "the dataset whose key is written; `sfumato ledger status` lists them"},
    {"output", "FILE", "the key to write, usually named *.key: PRIVATE, a new file of mode 0600",
     NULL, 'o', .missing = "the key to write, a new file; write for example -o patients.key"},
    {0},
};

typedef struct request {
  const char *dataset, *path;
} request;

static const cli_field fields[] = {
    CLI_FIELD("dataset", request, dataset), CLI_FIELD("output", request, path), {0}};

static sfm_status read_request(request *r, const cli_options *options, sfm_error *error) {
  *r = (request){0};
  sfm_status status = options_fill(r, fields, options, error);
  if (!status && strcmp(r->path, "-") == 0)
    return cli_misuse(error, "a key is private and is not printed; name a new file, for example "
                             "-o patients.key");
  return status;
}

static void tell(const request *r) {
  char name[4 * SFM_DATASET_MAX];
  text_harmless(name, sizeof name, r->dataset);
  text_say(stderr, "written", "%.500s: the key of %s, for its owner alone (mode 0600)", r->path,
           name);
  text_print_labelled(
      stderr, "private",
      "only those who may read the rows may have it, and it cannot be withdrawn. Whoever has it "
      "can "
      "compute which records of a person are kept, and whoever has the ledger too can test a guess "
      "of the whole table. Remove it when the work is done; the ledger can write it again");
}

static sfm_status run_key(const cli_options *options, sfm_error *error) {
  request r;
  sfm_key *key = NULL;
  sfm_ledger *ledger = NULL;
  sfm_status status = read_request(&r, options, error);
  if (!status) status = sfm_ledger_open(&ledger, options->operand, error);
  if (!status) status = sfm_ledger_key(&key, ledger, r.dataset, error);
  sfm_ledger_close(ledger);
  signals_hold();
  if (!status) status = sfm_key_write(key, r.path, error);
  signals_release();
  sfm_key_destroy(key);
  if (!status) tell(&r);
  return status;
}

const cli_verb verb_ledger_key = {
    .name = "ledger key",
    .summary = "write the key under which the rows of a dataset are read",
    .usage = "LEDGER --dataset NAME -o FILE",
    .operand = "LEDGER",
    .options = key_table,
    .about =
        "A ledger recognises the rows of a dataset by a fingerprint, a sum over the records under "
        "a key. Another key decides which records of a person are kept. The file holds both keys, "
        "and no answer. It cannot charge the ledger, and says nothing of the noise.\nPrivate: give "
        "it only to those who may read the rows. Whoever has it can compute which records of a "
        "person are kept, and in which part a person is. Whoever has it and the ledger can test a "
        "guess of the whole table. The guarantees of releases do not depend on it. It cannot be "
        "withdrawn: for other keys create a new dataset.\nRefused with exit code 3: a closed "
        "dataset, and one that sfumato 0.1 created, whose fingerprint depends on the order of the "
        "records. A file that exists is not overwritten.",
    .example = "sfumato ledger key clinic.db --dataset patients -o patients.key",
    .run = run_key,
};
