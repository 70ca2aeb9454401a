/* sample_verb.c - sfumato sample: rows drawn from a released density. */
#include <unistd.h>

#include "cli/core/text.h"
#include "cli/io/result_output.h"
#include "cli/io/release_file.h"
#include "cli/io/value_table.h"
#include "cli/report/kind_view.h"
#include "sfumato/sample.h"

static const cli_option options_table[] = {
    {"count", "N", "how many rows", "1000", CLI_COUNT(1, 1000000000)},
    CLI_OPTION_GROUP,
    {"seed", "N",
     "draws the same rows every time. Privacy does not depend on it: the release is private "
     "already",
     "a new seed every time", CLI_COUNT(0, UINT64_MAX)},
    {"format", "csv|json|npy",
     "csv: the names of the columns, then one line per row; json: {\"columns\": [..], \"rows\": "
     "[[..]]}; npy: float64 of shape (rows, columns). The categories of groups come first; npy "
     "cannot have them",
     "csv", CLI_WORDS("csv", "json", "npy")},
    {"raw", NULL,
     "histogram: draw from the counts as they were released, where negative ones are taken as "
     "zero; "
     "without it a dense table is refined first"},
    {"output", "FILE", "where to write", "standard output", 'o'},
    CLI_OPTION_LARGE,
    {0},
};

/* A seed short enough to be typed again. */
static sfm_status any_seed(uint64_t *seed, sfm_error *error) {
  if (getentropy(seed, sizeof *seed))
    return cli_fail(error, SFM_IO, "the operating system gives no seed; write --seed N");
  *seed >>= 32;
  return SFM_OK;
}

#define AT(name, member) CLI_FIELD(name, sample_request, member)
static const cli_field fields[] = {AT("format", format), AT("count", count), AT("seed", seed),
                                   AT("raw", raw),       AT("output", path), {0}};

static sfm_status run(const cli_options *options, sfm_error *error) {
  sample_request asked = {.count = 1000};
  sfm_release *release = NULL;
  group_selection chosen = {0};
  sfm_status status = options_fill(&asked, fields, options, error);
  if (!status && asked.format == VALUES_NPY) status = output_check_binary("npy", asked.path, error);
  if (!status && !options_has(options, "seed")) status = any_seed(&asked.seed, error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status) status = group_selection_read(&chosen, release, options, error);
  if (!status) {
    const kind_view *view = kind_view_of(release);
    if (asked.raw && sfm_release_kind(release) != SFM_KIND_HISTOGRAM)
      status = cli_misuse(error, "--raw is for histograms; this release is a %s: leave it out",
                          sfm_kind_name(sfm_release_kind(release)));
    if (!status && !asked.raw && sfm_table_sample_refines(release))
      text_print_labelled(stderr, "note",
                          "the table is refined first, as by `sfumato refine`, at no cost: "
                          "otherwise the noise of its cells would be records that nobody has. "
                          "--raw draws from the counts as they were released");
    if (!status)
      status = (view->sample ? view->sample : sample_density)(release, &chosen, &asked, error);
  }
  if (!status && !output_printed(asked.path))
    fprintf(stderr, "wrote %s: %zu synthetic rows; --seed %llu draws them again\n", asked.path,
            asked.count, (unsigned long long)asked.seed);
  group_selection_clear(&chosen);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_sample = {
    .name = "sample",
    .summary = "draw synthetic rows from a released density or table",
    .usage = "RELEASE [--count N] [--group A,B] [--seed N] [--format csv|json|npy] [--raw] "
             "[-o FILE]",
    .operand = "RELEASE",
    .operand_help = "a released density of one to three columns, or a released histogram (.sfm); - "
                    "is standard input",
    .options = options_table,
    .about =
        "The rows are synthetic: they are drawn from the release alone. They cost no privacy, "
        "however many there are, and contain no information that is not in the release.\n"
        "Densities: a negative density is taken as zero. Refine the density first (sfumato "
        "refine): then the rows contain less noise. Groups are drawn in proportion to their noisy "
        "sizes, with their categories first; a group with too few records has no rows. Numbers are "
        "rounded to a millionth of the range of their column; npy has all digits.\n"
        "Histograms: a dense table is refined first, as by `sfumato refine`, so that what is "
        "counted in a column agrees with the release; a note says so, and the JSON object has the "
        "key refined (true). Cells are drawn in proportion to their counts, and numbers are "
        "uniform within their bin. A release of several margins cannot be sampled, because it does "
        "not state the joint distribution of its columns.",
    .example = "sfumato sample better.sfm --count 10000 -o rows.csv\n"
               "sfumato sample better.sfm --count 5 --seed 1",
    .run = run,
};
