/* combine_verb.c - sfumato combine: several densities of the same columns made into one. */
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/result_output.h"
#include "cli/io/release_file.h"
#include "cli/report/report.h"
#include "sfumato/refine.h"

static const cli_option options_table[] = {
    {"weights", "noise|records|W1,W2",
     "the weight of each release. noise: less noise has more weight; records: the number of "
     "records (noisy if it is private); or numbers, one per release",
     "noise"},
    {"disjoint", NULL,
     "states that nobody is in more than one of them. The guarantee is then the weakest of theirs, "
     "instead of their sum"},
    {"output", "FILE", "the combined release to write; - is standard output", NULL, 'o'},
    CLI_OPTION_JSON,
    CLI_OPTION_LARGE,
    {0},
};

enum { RELEASES_MOST = CLI_MAX_MORE + 2 };

typedef struct parts {
  size_t count;
  const char *paths[RELEASES_MOST];
  sfm_release *releases[RELEASES_MOST];
  double shares[RELEASES_MOST];
} parts;

static void parts_clear(parts *p) {
  for (size_t i = 0; i < p->count; i++) sfm_release_destroy(p->releases[i]);
}

static sfm_status read_parts(parts *p, const cli_options *options, sfm_error *error) {
  p->paths[0] = options->operand;
  p->paths[1] = options->second;
  memcpy(p->paths + 2, options->more, options->more_count * sizeof *p->paths);
  const size_t count = 2 + options->more_count;
  for (size_t i = 0; i < count; i++) {
    const sfm_status status = release_file_read(&p->releases[i], options, p->paths[i], error);
    if (status) return status;
    p->count = i + 1;
  }
  return SFM_OK;
}

static sfm_status read_weights(sfm_combine_settings *settings, double **own, const parts *p,
                               const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "weights");
  size_t count;
  if (!text || strcmp(text, "noise") == 0) return SFM_OK;
  if (strcmp(text, "records") == 0) {
    settings->weights = SFM_COMBINE_WEIGHTS_RECORDS;
    return SFM_OK;
  }
  sfm_status status = text_numbers(own, &count, text, "weights", error);
  if (status) return status;
  if (count != p->count)
    return cli_misuse(error,
                      "--weights has %zu number%s for %zu releases; write noise, records or one "
                      "number per release",
                      count, count == 1 ? "" : "s", p->count);
  settings->weights = SFM_COMBINE_WEIGHTS_OWN;
  settings->own = *own;
  return SFM_OK;
}

static void report_shares(const parts *p) {
  char text[2048] = "";
  for (size_t i = 0; i < p->count && strlen(text) < sizeof text - 300; i++)
    text_add(text, sizeof text, "%s%.200s %.4g", i ? ", " : "", p->paths[i], p->shares[i]);
  text_print_labelled(stderr, "weights", text);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  sfm_combine_settings settings = sfm_combine_settings_default();
  parts p = {0};
  double *own = NULL;
  sfm_release *combined = NULL;
  settings.disjoint = options_has(options, "disjoint");
  sfm_status status = report_check_output(options, "both.sfm", error);
  if (!status) status = read_parts(&p, options, error);
  if (!status) status = read_weights(&settings, &own, &p, options, error);
  if (!status)
    status = sfm_release_combine(&combined, p.shares, (const sfm_release *const *)p.releases,
                                 p.count, &settings, error);
  if (!status) status = output_release(combined, path, error);
  if (!status) {
    report_refined(stderr, combined, path);
    report_shares(&p);
    report_next(stderr, combined, path);
    status = report_summary(combined, options, error);
  }
  sfm_release_destroy(combined);
  parts_clear(&p);
  free(own);
  return status;
}

const cli_verb verb_combine = {
    .name = "combine",
    .summary = "combine densities of the same columns, weighted by their noise",
    .usage = "RELEASE RELEASE [RELEASE...] [--weights noise|records|W1,W2] [--disjoint] -o FILE",
    .operand = "RELEASE",
    .operand_help = "a released density of one to three columns (.sfm); - is standard input",
    .second = "RELEASE...",
    .second_help = "others with the same columns, bounds and boundaries",
    .options = options_table,
    .about =
        "Combining reads no rows and costs nothing. The combination has the joint guarantee of the "
        "releases (pure epsilons add up, Gaussian mu add up in squares); with --disjoint it has "
        "the weakest of their guarantees.\n"
        "With weights by noise, releases of the same rows, or of samples of one population, become "
        "one release with less noise than each of them. With weights by records, releases of "
        "different populations become the density of all of them together.\n"
        "All releases must protect the same: the same neighbours, and the same --person column or "
        "the same number of records. Combine first and refine afterwards, because the noise that "
        "is left in a refined release is not known. The combination has no band.",
    .example = "sfumato combine monday.sfm tuesday.sfm -o both.sfm\n"
               "sfumato combine north.sfm south.sfm --weights records --disjoint -o all.sfm",
    .run = run,
};
