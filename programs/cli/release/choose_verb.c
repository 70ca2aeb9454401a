/* choose_verb.c - sfumato choose: one of public candidates, by private scores.
 *
 * Public: the options, the header and the candidates.  Private: the scores; a cell that is not a
 * number is zero and nothing says so. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/partial/partial_files.h"
#include "cli/io/json_output.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/file_bytes.h"
#include "cli/io/csv_line.h"
#include "sfumato/choose.h"
#include "release_command.h"

enum { CELL = 400 };

static const cli_option options_table[] = {
    {"sensitivity", "SIZE",
     "the largest change of any one score when one record changes; you must know it. For a count "
     "it is 1",
     CLI_POSITIVE("1"),
     .missing = "the largest change of any one score when one record changes. You must know it; "
                "write for example --sensitivity 1"},
    {"monotonic", NULL,
     "states that adding or removing a record never moves two scores in opposite directions, as "
     "with counts; only with --neighbours add-remove. The choice is then as accurate as with twice "
     "the epsilon"},
    {"epsilon", "E", "privacy loss allowed, above 0; smaller is more private", CLI_POSITIVE("1"),
     .missing =
         "the privacy loss you allow, the smaller the more private; write for example --epsilon 1"},
    {"candidate", "COLUMN", "the column with the names of the candidates; public", "candidate"},
    {"score", "COLUMN", "the column with their scores, higher is better; private", "score"},
    CLI_GROUP(stated_people),
    {"band", "C", "confidence of the statement about the chosen score, between 0 and 1", "0.95",
     CLI_FRACTION("0.95")},
    CLI_GROUP(answer),
    {0},
};

/* The file: where its lines start, its two columns, and the candidates, one name per line. */
typedef struct candidate_file {
  file_bytes file;
  size_t offset; /* of the first line after the header */
  long candidate, score;
  char **names;
  size_t count;
} candidate_file;

static void candidate_file_clear(candidate_file *p) {
  for (size_t i = 0; i < p->count; i++) free(p->names[i]);
  free(p->names);
  file_clear(&p->file);
}

/* Cell number `column` of a line, into cell; false when the line is shorter. */
static bool take_cell(csv_line line, long column, char *cell) {
  bool found = false;
  for (long c = 0; c <= column; c++) found = csv_next_cell(&line, cell, CELL);
  return found;
}

static sfm_status find_columns(candidate_file *p, csv_line header, const cli_options *options,
                               sfm_error *error) {
  const char *candidate = options_get(options, "candidate"), *score = options_get(options, "score");
  if (!candidate) candidate = "candidate";
  if (!score) score = "score";
  p->candidate = csv_find(header, candidate);
  p->score = csv_find(header, score);
  if (p->candidate < 0)
    return cli_misuse(error,
                      "%s has no column '%s' in its first line; name the column of the candidates: "
                      "--candidate COLUMN",
                      p->file.name, candidate);
  if (p->score < 0)
    return cli_misuse(
        error,
        "%s has no column '%s' in its first line; name the column of the scores: --score COLUMN",
        p->file.name, score);
  if (p->candidate == p->score)
    return cli_misuse(error, "--candidate and --score are the same column, '%s'", score);
  /* Names are public: nothing that a score holds, a quote say, may change how they are read. */
  if (p->candidate > p->score)
    return cli_misuse(error,
                      "%s has its scores before its candidates; put the column '%s' first. Then "
                      "nothing in a score can change how a name is read",
                      p->file.name, candidate);
  return SFM_OK;
}

/* The candidates, without looking at any score. */
static sfm_status open_candidates(candidate_file *p, const cli_options *options, sfm_error *error) {
  csv_line line;
  char cell[CELL];
  size_t lines = 0;
  sfm_status status = file_load(&p->file, options->operand, error);
  if (status) return status;
  if (!csv_next_line(&p->file, &p->offset, &line))
    return cli_fail(error, SFM_FORMAT,
                    "%s is empty; its first line must name the columns, candidate,score, and every "
                    "other line is one candidate",
                    p->file.name);
  status = find_columns(p, line, options, error);
  for (size_t at = p->offset; !status && csv_next_line(&p->file, &at, &line);) lines++;
  if (!status && !(p->names = calloc(lines + 1, sizeof *p->names))) status = cli_fail_memory(error);
  for (size_t at = p->offset; !status && csv_next_line(&p->file, &at, &line);) {
    if (!take_cell(line, p->candidate, cell) || !*cell)
      status =
          cli_misuse(error, "%s: line %zu has no candidate, or its name has more than %d bytes",
                     p->file.name, p->count + 2, CELL - 1);
    else if (!(p->names[p->count] = strdup(cell)))
      status = cli_fail_memory(error);
    else
      p->count++;
  }
  if (!status && p->count == 0)
    status = cli_misuse(error, "%s has no candidates: it has only one line", p->file.name);
  return status;
}

/* The private scores, read once the charge stands; what cannot be read is zero. */
static sfm_status read_scores(void *context, double *scores, size_t count, sfm_error *error) {
  const candidate_file *p = context;
  size_t offset = p->offset;
  csv_line line;
  char cell[CELL];
  (void)error;
  for (size_t i = 0; i < count && csv_next_line(&p->file, &offset, &line); i++)
    if (!take_cell(line, p->score, cell) || !text_number(&scores[i], cell)) scores[i] = 0;
  explicit_bzero(cell, sizeof cell);
  return SFM_OK;
}

typedef struct choose_request {
  sfm_choose_settings settings;
  candidate_file file;
} choose_request;

#define AT(name, member) CLI_FIELD(name, sfm_choose_settings, member)
static const cli_field fields[] = {AT("sensitivity", sensitivity),
                                   AT("epsilon", epsilon),
                                   AT("neighbours", neighbours),
                                   AT("contributions", contributions),
                                   AT("band", context.confidence),
                                   AT("seed", context),
                                   AT("monotonic", monotonic),
                                   AT("person", person),
                                   {0}};

static sfm_status read_request(release_task *task, sfm_error *error) {
  choose_request *r = task->request;
  r->settings = sfm_choose_settings_default();
  r->settings.read = read_scores;
  r->settings.read_data = &r->file;
  return options_fill(&r->settings, fields, task->options, error);
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  choose_request *r = task->request;
  (void)rows;
  const sfm_status status = open_candidates(&r->file, task->options, error);
  return status ? status
                : sfm_choose_release(&task->release, (const char *const *)r->file.names, NULL,
                                     r->file.count, &r->settings, error);
}

static void clear(void *request) {
  candidate_file_clear(&((choose_request *)request)->file);
}

static void print(const release_task *task) {
  text_print_labelled(stdout, "chosen",
                      sfm_release_candidate(task->release, sfm_release_chosen(task->release)));
}

static sfm_status print_json(const release_task *task, sfm_error *error) {
  const sfm_release *release = task->release;
  const sfm_band band = sfm_release_band(release);
  const size_t chosen = sfm_release_chosen(release);
  return json_output_print(
      json_pack("{s:s, s:I, s:I, s:f, s:f, s:b, s:s, s:I, s:b, s:{s:f, s:f}, s:s?, s:s?}", "chosen",
                sfm_release_candidate(release, chosen), "index", (json_int_t)chosen, "candidates",
                (json_int_t)sfm_release_candidates(release), "epsilon",
                sfm_release_guarantee(release).epsilon, "sensitivity",
                sfm_release_sensitivity(release), "monotonic", sfm_release_monotonic(release),
                "neighbours", sfm_neighbours_name(sfm_release_neighbours(release)), "contributions",
                (json_int_t)sfm_release_contributions(release), "private",
                sfm_release_private(release), "shortfall", "confidence", band.confidence, "most",
                band.half_width, "dataset", sfm_release_dataset(release), "request",
                sfm_release_request(release)),
      error);
}

static const release_command command = {RELEASE_REQUEST(choose_request, settings.context),
                                        .output = "choice.sfm",
                                        .answers = true,
                                        .band = "score",
                                        .read = read_request,
                                        .alone = true,
                                        .release = release,
                                        .print = print,
                                        .json = print_json,
                                        .clear = clear};

const cli_verb verb_choose = {
    .name = "choose",
    .summary = "choose one of several public candidates by private scores",
    .usage = "SCORES --sensitivity SIZE --epsilon E [--monotonic] [options] [-o FILE]",
    .operand = "SCORES",
    .operand_help = "CSV with a header line and one candidate per line: its name and its score; - "
                    "is standard input",
    .options = options_table,
    .refused = options_no_partials,
    .about =
        "The exponential mechanism, drawn exactly in integers: candidates with a higher score are "
        "more likely to be chosen.\n"
        "Private: the scores. A score that cannot be read is taken as 0, without a message; the "
        "sensitivity must hold for the scores as read.\n"
        "Public: everything you write here and the candidates. The release contains them. The "
        "guarantee holds only if the sensitivity is correct; sfumato cannot check it.\n"
        "The JSON object has the keys chosen, index (from 0), candidates (how many), epsilon, "
        "sensitivity (rounding included), monotonic, neighbours, contributions, private, shortfall "
        "{confidence, most} (how far the chosen score may be below the best), dataset and request.",
    .example = "sfumato choose scores.csv --sensitivity 1 --epsilon 1\n"
               "sfumato choose scores.csv --sensitivity 1 --monotonic --neighbours add-remove "
               "--epsilon 0.5 --ledger budget.db --dataset survey -o choice.sfm",
    .command = &command,
};
