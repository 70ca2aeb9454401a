/* sample_verb.c - sfumato sample: rows drawn from a released density. */
#include "sfumato/sample.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/io/npy_array.h"
#include "cli/io/fixed_decimals.h"
#include "cli/report/kind_view.h"
#include "cli/io/release_file.h"
#include "cli/io/output.h"
#include "cli/io/value_table.h"
#include "cli/core/verbs.h"

static const cli_option options_table[] = {
    {"count", "N", "how many rows", "1000"},
    CLI_OPTION_GROUP,
    {"seed", "N",
     "draws the same rows every time. Privacy does not depend on it: the release is private "
     "already",
     "a new seed every time"},
    {"format", "csv|json|npy",
     "csv: the names of the columns, then one line per row; json: {\"columns\": [..], \"rows\": "
     "[[..]]}; npy: float64 of shape (rows, columns). The categories of groups come first; npy "
     "cannot have them",
     "csv"},
    {"output", "FILE", "where to write", "standard output", 'o'},
    CLI_OPTION_LARGE,
    {0},
};

enum { CHUNK = 4096, COUNT_MOST = 1000000000, COLUMNS_MOST = 3 };
enum { CSV, JSON, NPY };

/* What is written, and how. */
typedef struct row_writer {
  const sfm_release *release;
  size_t dimension;
  unsigned format;
  fixed_decimals fixed[COLUMNS_MOST];
  FILE *out;
} row_writer;

/* A JSON string. */
static void write_text(FILE *out, const char *text) {
  json_t *string = json_string(text);
  char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
  fputs(quoted ? quoted : "null", out);
  free(quoted);
  json_decref(string);
}

static void write_word(const row_writer *p, const char *text) {
  if (p->format == JSON)
    write_text(p->out, text);
  else
    value_table_write_name(p->out, text);
}

static void begin(const row_writer *p, size_t count) {
  char header[192];
  const size_t shape[] = {count, p->dimension}, by = sfm_release_by_count(p->release);
  if (p->format == NPY) {
    fwrite(header, 1, npy_header(header, shape, 2), p->out);
    return;
  }
  if (p->format == JSON) fputs("{\"columns\": [", p->out);
  for (size_t i = 0; i < by + p->dimension; i++) {
    if (i) fputs(p->format == JSON ? ", " : ",", p->out);
    write_word(p, i < by ? sfm_release_by(p->release, i) : sfm_release_column(p->release, i - by));
  }
  fputs(p->format == JSON ? "], \"rows\": [" : "\n", p->out);
}

static void write_row(const row_writer *p, const double *point, size_t group) {
  const char *comma = p->format == JSON ? ", " : ",";
  const size_t by = sfm_release_by_count(p->release);
  for (size_t i = 0; i < by; i++) {
    if (i) fputs(comma, p->out);
    write_word(p, sfm_release_group_label(p->release, group, i));
  }
  for (size_t a = 0; a < p->dimension; a++) {
    if (by + a) fputs(comma, p->out);
    fixed_decimals_write(p->out, &p->fixed[a], point[a]);
  }
}

static void write_rows(const row_writer *p, const double *points, const size_t *groups,
                       size_t count, bool first) {
  const bool json = p->format == JSON;
  if (p->format == NPY) {
    fwrite(points, sizeof *points, count * p->dimension, p->out);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    if (json) fputs(first && i == 0 ? "[" : ", [", p->out);
    write_row(p, points + i * p->dimension, groups[i]);
    fputs(json ? "]" : "\n", p->out);
  }
}

static void write_sample(const row_writer *p, sfm_sample *sample, size_t count) {
  static double points[CHUNK * COLUMNS_MOST];
  static size_t groups[CHUNK];
  begin(p, count);
  for (size_t done = 0; done < count && !ferror(p->out);) {
    const size_t some = count - done < CHUNK ? count - done : CHUNK;
    sfm_sample_draw(sample, points, groups, some);
    write_rows(p, points, groups, some, done == 0);
    done += some;
  }
  if (p->format == JSON) fputs("]}\n", p->out);
}

/* A seed short enough to be typed again. */
static sfm_status any_seed(uint64_t *seed, sfm_error *error) {
  if (getentropy(seed, sizeof *seed))
    return cli_fail(error, SFM_IO, "the operating system gives no seed; write --seed N");
  *seed >>= 32;
  return SFM_OK;
}

static sfm_status write_all(const sfm_release *release, sfm_sample *sample, unsigned format,
                            size_t count, const char *path, sfm_error *error) {
  output out;
  row_writer p = {
      .release = release, .dimension = sfm_release_dimension(release), .format = format};
  for (size_t a = 0; a < p.dimension; a++) {
    double lower, upper;
    sfm_release_bounds(release, &lower, &upper, a);
    p.fixed[a] = fixed_decimals_for(lower, upper);
  }
  sfm_status status = output_open(&out, path, error);
  if (status) return status;
  p.out = out.file;
  write_sample(&p, sample, count);
  return output_close(&out, error);
}

/* Of a density; the library refuses what is none. */
static sfm_status sample_density(const sfm_release *release, const group_selection *chosen,
                                 const char *path, unsigned format, size_t count, uint64_t seed,
                                 sfm_error *error) {
  sfm_sample *sample = NULL;
  if (format == NPY && chosen->count)
    return cli_misuse(
        error,
        "npy contains numbers only, but the categories of groups are texts; write csv or json");
  sfm_status status =
      sfm_sample_create(&sample, release, chosen->groups, chosen->count, seed, error);
  if (!status) status = write_all(release, sample, format, count, path, error);
  sfm_sample_destroy(sample);
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  static const char *const formats[] = {"csv", "json", "npy", NULL};
  const char *path = options_get(options, "output");
  const bool printed = !path || strcmp(path, "-") == 0;
  uint64_t count = 1000, seed = 0;
  unsigned format = CSV;
  sfm_release *release = NULL;
  group_selection chosen = {0};
  sfm_status status = options_choice(options, &format, "format", formats, error);
  if (!status) status = options_count(options, &count, "count", 1, COUNT_MOST, error);
  if (!status) status = options_count(options, &seed, "seed", 0, UINT64_MAX, error);
  if (!status && format == NPY && printed && isatty(STDOUT_FILENO))
    status = cli_misuse(
        error, "npy is binary and standard output is a terminal; write -o FILE or use a pipe");
  if (!status && !options_has(options, "seed")) status = any_seed(&seed, error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status) status = group_selection_read(&chosen, release, options, error);
  if (!status) {
    const kind_view *view = kind_view_of(release);
    status = (view->sample ? view->sample : sample_density)(release, &chosen, path, format,
                                                            (size_t)count, seed, error);
  }
  if (!status && !printed)
    fprintf(stderr, "wrote %s: %zu synthetic rows; --seed %llu draws them again\n", path,
            (size_t)count, (unsigned long long)seed);
  group_selection_clear(&chosen);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_sample = {
    .name = "sample",
    .summary = "draw synthetic rows from a released density or table",
    .usage = "RELEASE [--count N] [--group A,B] [--seed N] [--format csv|json|npy] [-o FILE]",
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
        "Histograms: cells are drawn in proportion to their counts (negative counts are taken as "
        "zero), and numbers are uniform within their bin. A release of several margins cannot be "
        "sampled, because it does not state the joint distribution of its columns.",
    .example = "sfumato sample better.sfm --count 10000 -o rows.csv\n"
               "sfumato sample better.sfm --count 5 --seed 1",
    .run = run,
};
