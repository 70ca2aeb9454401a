#include "shared_options.h"

const cli_option option_band = {"band", "C", "confidence of the error band, between 0 and 1",
                                "0.95", CLI_FRACTION("0.95")};
const cli_option option_json = {"json", NULL, "print one JSON object on one line"};
const cli_option option_schema = {
    "schema", "FILE",
    "Frictionless Table Schema (JSON) that states columns and bounds and, beside `fields`, person, "
    "neighbours and contributions; an option that states the same must agree with it"};
const cli_option option_neighbours = {
    "neighbours", "replace|add-remove",
    "what the guarantee hides: the replacement of a person's records (the number of records is "
    "public), or their presence (that number stays private)",
    "replace", CLI_CHOICE(SFM_ENUMERATION_NEIGHBOURS)};
const cli_option option_replaced = {
    "neighbours", "replace",
    "what the guarantee hides: the replacement of a person's records (the number of records is "
    "public)",
    "replace", CLI_CHOICE(SFM_ENUMERATION_NEIGHBOURS)};
const cli_option options_stated_people[] = {
    CLI_SAME(neighbours),
    {"contributions", "K",
     "the largest number of records of one person; the sensitivity is multiplied by it", "1",
     CLI_COUNT(1, 1000000)},
    {"person", "COLUMN",
     "states that the sensitivity is for all records of one person, named by this column of the "
     "rows. The release says so. All charges to one dataset of a ledger must name the same column"},
    {0}};
const cli_option option_calibration = {"calibration", "exact|classical",
                                       "how normal noise is calibrated; classical is the formula "
                                       "of the papers: more noise, and only up to epsilon 1",
                                       "exact", CLI_CHOICE(SFM_ENUMERATION_CALIBRATION)};
const cli_option option_seed = {
    "seed", "N", "for tests: noise that anyone can repeat; the release is then NOT private",
    .kind = OPTION_SEED, .most = UINT64_MAX};
const cli_option option_total = {"total", "N",
                                 "for a release under add-remove: a public number of records to "
                                 "divide by, instead of the noisy total",
                                 CLI_POSITIVE("1000")};
const cli_option option_epsilon = {
    "epsilon", "E", "privacy loss allowed, above 0: the smaller, the more private",
    CLI_POSITIVE("1"),
    .missing =
        "the privacy loss you allow, the smaller the more private; write for example --epsilon 1"};
