#include "partial_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/core/path_pattern.h"
#include "cli/core/signals.h"

#define ROWS_MAX (UINT64_C(1) << 50)

const cli_option options_partials[] = {
    {"partials", "PATTERN...",
     "instead of rows: the files of `sfumato partial`, which are all parts of them; a pattern in "
     "quotes, such as 'part*.sfp', names many; may be repeated. All other options are those the "
     "parts were made with (docs/guides/partial.md)"},
    {"rows", "N", "with --partials: refused unless the parts state this number of records",
     CLI_COUNT(1, ROWS_MAX)},
    {"job", "NAME", "with --partials: refused unless the parts belong to this job"},
    {0}};
const cli_option options_no_partials[] = {
    {.name = "partials",
     .help = "this release is not made of sums over the rows; it needs the rows themselves. "
             "Partial sums are for density, histogram, count, curve and series"},
    {0}};
const cli_option option_part_output = {
    "output", "FILE", "the part to write, usually named *.sfp: PRIVATE, a new file of mode 0600",
    NULL,     'o',    .missing = "the part to write, a new file; write for example -o part.sfp"};

/* Messages of sfm_partial_read name the file; those of a merge cannot, and get its name here. */
static sfm_status merge_file(sfm_partial **merged, const char *path, sfm_error *error) {
  sfm_partial *next;
  sfm_status status = sfm_partial_read(&next, path, error);
  if (status) return status;
  if (!*merged) {
    *merged = next;
    return SFM_OK;
  }
  status = sfm_partial_merge(*merged, next, error);
  sfm_partial_destroy(next);
  if (!status) return SFM_OK;
  const sfm_error before = *error;
  return cli_fail(error, status, "%.300s: %.1600s", path, before.message);
}

sfm_status partial_files_merge(sfm_partial **merged, const char *pattern, sfm_error *error) {
  text_list paths;
  sfm_status status = path_pattern_list(&paths, pattern, error);
  for (size_t i = 0; !status && i < paths.count; i++)
    status = merge_file(merged, paths.items[i], error);
  text_list_clear(&paths);
  return status;
}

/* What is stated again is the same. */
static sfm_status check_stated(const sfm_partial *partial, const cli_options *options,
                               sfm_error *error) {
  const char *job = options_get(options, "job"), *of_parts = sfm_partial_job(partial);
  const uint64_t there = sfm_partial_rows(partial);
  uint64_t rows = there;
  const sfm_status status = options_take(options, &rows, "rows", error);
  if (status) return status;
  if (rows != there && there == 0)
    return cli_misuse(error, "--rows: the parts state no number of records, which is private under "
                             "add-remove; leave it out");
  if (rows != there)
    return cli_misuse(error, "--rows is %llu, and the parts state %llu", (unsigned long long)rows,
                      (unsigned long long)there);
  if (job && strcmp(job, of_parts) != 0)
    return cli_misuse(error, "--job is '%.100s', and the parts belong to %s%.100s%s", job,
                      *of_parts ? "'" : "no job", of_parts, *of_parts ? "'" : "");
  return SFM_OK;
}

sfm_status partial_files_read(sfm_partial **merged, const cli_options *options, sfm_error *error) {
  sfm_status status = SFM_OK;
  size_t at = 0;
  *merged = NULL;
  for (const char *pattern; !status && (pattern = options_next(options, "partials", &at));)
    status = partial_files_merge(merged, pattern, error);
  if (!status) status = check_stated(*merged, options, error);
  if (!status && sfm_partial_keyed(*merged) && options_declared(options, "ledger") &&
      !options_has(options, "ledger"))
    fprintf(stderr,
            "sfumato %s: warning: the parts were made with the key of a dataset, and this "
            "release is charged to no ledger: add --ledger and --dataset\n",
            options->verb->name);
  return status;
}

sfm_status partial_files_check(const cli_options *options, sfm_error *error) {
  const char *wrong = options_given(options, "rows")  ? "rows"
                      : options_given(options, "job") ? "job"
                                                      : NULL;
  if (!options_declared(options, "partials") || options_has(options, "partials") || !wrong)
    return SFM_OK;
  return cli_misuse(error, "--%s is about parts; add --partials, or leave it out", wrong);
}

sfm_status partial_files_check_output(const cli_options *options, sfm_error *error) {
  const char *path = NULL;
  struct stat facts;
  const cli_field field[] = {{"output", 0, sizeof path}, {0}};
  const sfm_status status = options_fill(&path, field, options, error);
  if (status) return status;
  if (strcmp(path, "-") == 0)
    return cli_misuse(error, "partial sums are private and are not printed; name a new file, for "
                             "example -o part.sfp");
  if (lstat(path, &facts) == 0)
    return cli_misuse(error,
                      "-o %.300s: there is a file of that name, which is not overwritten; "
                      "name a new file, or remove it if this part is to be made again",
                      path);
  return SFM_OK;
}

sfm_status partial_files_write(const sfm_partial *partial, const char *path, sfm_error *error) {
  signals_hold();
  const sfm_status status = sfm_partial_write(partial, path, error);
  signals_release();
  return status;
}
