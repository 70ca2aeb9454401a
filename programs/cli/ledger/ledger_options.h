/* ledger_options.h - what every releasing verb shares: the ledger it is charged to. */
#ifndef CLI_LEDGER_OPTIONS_H
#define CLI_LEDGER_OPTIONS_H

#include "cli/core/options.h"
#include "sfumato/ledger.h"
#include "sfumato/release.h"

extern const cli_option option_ledger, option_dataset, option_request;
extern const cli_option options_charge[];

typedef struct charge {
  sfm_ledger *ledger;
  sfm_charge sfm;
  bool told;             /* a charge of this command, or an earlier one, is in the ledger */
  const sfm_charge *use; /* for the settings: &sfm, or NULL when no ledger is named */
} charge;

/* Reads --ledger, --dataset and --request, opens the ledger and finds the dataset.  To be called
 * when every other file but the rows has been read and closed: a descriptor of the ledger's file
 * that is closed elsewhere would take its locks away.  Refuses --seed beside a ledger, and says
 * which files are taken for public.  charge_close is fine after a failure; c must stay where it is
 * until then. */
SFM_MUST_CHECK sfm_status charge_open(charge *c, const cli_options *options, sfm_error *error);
void charge_close(charge *c);

/* output_release; when it fails and the release was charged, the message says how to get it. */
SFM_MUST_CHECK sfm_status charge_write(const sfm_release *release, const char *path,
                                       sfm_error *error);

#endif
