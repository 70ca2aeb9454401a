#include "query_table.h"

#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/json_output.h"
#include "cli/io/result_output.h"
#include "sfumato/query.h"
#include "sfumato/sample.h"
#include "sfumato/table.h"

static sfm_status check(const cli_options *options, sfm_error *error) {
  static const char *const others[] = {"mean", "quantiles", "mode",   "probability", "cdf",
                                       "at",   "points",    "column", "group",       "confidence"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (options_has(options, others[i]))
      return cli_misuse(error,
                        "%s is a histogram, and --%s is for densities: ask for shares, for example "
                        "--share 'sex=F'; `sfumato margin` adds cells up, and `sfumato linear` "
                        "computes sums of them with error bars",
                        options->operand, others[i]);
  if (options_has(options, "share")) return SFM_OK;
  return cli_misuse(error,
                    "nothing is asked; write for example --share 'sex=F,region=north|south'");
}

/* One share: conditions separated by commas. */
static sfm_status compute(double *share, const sfm_release *release, const char *text, bool raw,
                          sfm_error *error) {
  text_list parts = {0}, values[SFM_TABLE_COLUMNS_MAX] = {{0}};
  sfm_table_condition conditions[SFM_TABLE_COLUMNS_MAX];
  sfm_status status = text_split(&parts, text, ',', error);
  if (!status && parts.count > SFM_TABLE_COLUMNS_MAX)
    status = cli_misuse(error, "--share has %zu conditions; a table has at most %d columns",
                        parts.count, SFM_TABLE_COLUMNS_MAX);
  for (size_t i = 0; !status && i < parts.count; i++) {
    char *equals = strchr(parts.items[i], '=');
    if (!equals || equals == parts.items[i] || !equals[1])
      status = cli_misuse(error,
                          "--share: '%.80s' is not COLUMN=VALUE; write for example --share "
                          "'sex=F,region=north|south'",
                          parts.items[i]);
    if (status) break;
    *equals = '\0';
    status = text_split(&values[i], equals + 1, '|', error);
    conditions[i] = (sfm_table_condition){parts.items[i], (const char *const *)values[i].items,
                                          values[i].count};
  }
  if (!status) status = sfm_table_share(share, release, conditions, parts.count, raw, error);
  for (size_t i = 0; i < SFM_TABLE_COLUMNS_MAX; i++) text_list_clear(&values[i]);
  text_list_clear(&parts);
  return status;
}

static void print(const text_list *asked, const double *shares) {
  for (size_t i = 0; i < asked->count; i++) {
    text_print(stdout, asked->items[i], strlen(asked->items[i]));
    printf("  %.6g\n", shares[i]);
  }
}

static void print_json(const text_list *asked, const double *shares, bool refined) {
  printf("{\"refined\": %s, \"share\": [", refined ? "true" : "false");
  for (size_t i = 0; i < asked->count; i++) {
    fputs(i ? ", {\"where\": " : "{\"where\": ", stdout);
    json_output_write_text(stdout, asked->items[i]);
    fputs(", \"value\": ", stdout);
    output_number(stdout, shares[i], "null");
    putchar('}');
  }
  fputs("]}\n", stdout);
}

sfm_status query_table(const sfm_release *release, const cli_options *options, sfm_error *error) {
  const bool raw = options_has(options, "raw");
  const bool refines = !raw && sfm_table_sample_refines(release);
  text_list asked = {0};
  sfm_status status = check(options, error);
  if (!status) status = text_split(&asked, options_get(options, "share"), ';', error);
  double *shares = calloc(asked.count + 1, sizeof *shares);
  if (!status && !shares) status = cli_fail_memory(error);
  for (size_t i = 0; !status && i < asked.count; i++)
    status = compute(&shares[i], release, asked.items[i], raw, error);
  if (!status && refines)
    text_print_labelled(stderr, "note",
                        "the table is refined first, as by `sfumato refine`, at no cost; --raw "
                        "takes the counts as they were released");
  if (!status && options_has(options, "json"))
    print_json(&asked, shares, refines || sfm_release_refined(release));
  else if (!status)
    print(&asked, shares);
  free(shares);
  text_list_clear(&asked);
  return status;
}
