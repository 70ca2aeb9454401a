#include "cli/report/kind_view.h"

#include <stdlib.h>

#include "cli/io/result_output.h"
#include "cli/io/value_table.h"
#include "cli/report/report.h"
#include "sfumato/choose.h"

static sfm_status check_vector(const cli_options *options, sfm_error *error) {
  if (options_has(options, "at") || options_has(options, "grid") || options_has(options, "points"))
    return cli_misuse(
        error,
        "%s is a vector: all of its numbers are printed; leave out --at, --grid and --points",
        options->operand);
  if (options_has(options, "total"))
    return cli_misuse(error, "--total is for densities released under add-remove; leave it out");
  return SFM_OK;
}

sfm_status eval_vector(const sfm_release *release, const group_selection *chosen,
                       const cli_options *options, unsigned format, sfm_error *error) {
  const size_t length = sfm_release_length(release);
  const bool labelled = sfm_release_label(release, 0) != NULL, band = options_has(options, "band");
  const char *name = labelled ? "query" : "index";
  (void)chosen;
  sfm_status status = check_vector(options, error);
  if (status) return status;
  double *numbers = malloc(3 * length * sizeof *numbers);
  const char **labels = malloc(length * sizeof *labels);
  status = numbers && labels ? SFM_OK : cli_fail_memory(error);
  for (size_t i = 0; !status && i < length; i++) {
    numbers[i] = (double)i;
    numbers[length + i] = sfm_release_coefficient(release, i);
    numbers[2 * length + i] = sfm_release_band(release).half_width;
    labels[i] = sfm_release_label(release, i);
  }
  const value_table table = {.names = &name,
                             .dimension = 1,
                             .points = numbers,
                             .texts = labelled ? labels : NULL,
                             .values = numbers ? numbers + length : NULL,
                             .count = length,
                             .shape = &length,
                             .axes = 1,
                             .widths = band && numbers ? numbers + 2 * length : NULL};
  if (!status) status = value_table_write(&table, format, options_get(options, "output"), error);
  free(labels);
  free(numbers);
  return status;
}

/* A count, a mean or a choice is one line of CSV, if nothing else is asked for. */
static sfm_status eval_answer(const sfm_release *release, const cli_options *options,
                              unsigned format, void (*write)(FILE *out, const sfm_release *release),
                              sfm_error *error) {
  static const char *const apart[] = {"at", "grid", "points", "classes", "group", "total", NULL};
  output out;
  for (size_t i = 0; apart[i]; i++)
    if (format || options_has(options, apart[i])) return report_many(release, error);
  sfm_status status = output_open(&out, options_get(options, "output"), error);
  if (status) return status;
  write(out.file, release);
  fputc('\n', out.file);
  return output_close(&out, error);
}

static void write_count(FILE *out, const sfm_release *release) {
  const double count = sfm_release_coefficient(release, 0),
               width = sfm_release_band(release).half_width;
  fputs("count,lower,upper\n", out);
  output_number(out, count, "nan");
  fputc(',', out);
  output_number(out, count - width, "-inf");
  fputc(',', out);
  output_number(out, count + width, "inf");
}

static void write_choice(FILE *out, const sfm_release *release) {
  fputs("chosen\n", out);
  value_table_write_name(out, sfm_release_candidate(release, sfm_release_chosen(release)));
}

static void write_mean(FILE *out, const sfm_release *release) {
  fputs("mean\n", out);
  output_number(out, sfm_release_coefficient(release, 0), "nan");
}

#define EVAL_ANSWER(function, write)                                                               \
  sfm_status function(const sfm_release *release, const group_selection *chosen,                   \
                      const cli_options *options, unsigned format, sfm_error *error) {             \
    (void)chosen;                                                                                  \
    return eval_answer(release, options, format, write, error);                                    \
  }
EVAL_ANSWER(eval_count, write_count)
EVAL_ANSWER(eval_choice, write_choice)
EVAL_ANSWER(eval_mean, write_mean)
