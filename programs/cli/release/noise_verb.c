/* noise_verb.c - sfumato noise: the exact integer samplers by themselves. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/verbs.h"
#include "cli/io/result_output.h"
#include "cli/report/report.h"
#include "sfumato/context.h"
#include "sfumato/noise.h"

static const cli_option options_table[] = {
    {"scale", "S",
     "positive and exact: a fraction (3/2) or a decimal (1.5); the decay length of laplace, the "
     "standard deviation of the others"},
    {"count", "N", "how many integers", "1", CLI_COUNT(0, UINT64_MAX)},
    {"format", "csv|i64",
     "csv: a header `value` and one integer per line; i64: 8 bytes each, little endian", "csv",
     CLI_WORDS("csv", "i64")},
    CLI_SAME(seed),
    {"output", "FILE", "where to write", "standard output", 'o'},
    {0},
};

static sfm_status read_law(sfm_noise_law *law, const char *word, sfm_error *error) {
  static const struct {
    const char *name;
    sfm_noise_law law;
  } laws[] = {{"laplace", SFM_NOISE_LAW_DISCRETE_LAPLACE},
              {"normal", SFM_NOISE_LAW_ROUNDED_NORMAL},
              {"gaussian", SFM_NOISE_LAW_DISCRETE_GAUSSIAN}};
  for (size_t i = 0; i < 3; i++)
    if (strcmp(laws[i].name, word) == 0) {
      *law = laws[i].law;
      return SFM_OK;
    }
  return cli_misuse(error,
                    "there is no distribution '%s'; write laplace (discrete Laplace), normal "
                    "(rounded normal) or gaussian (discrete Gaussian)",
                    word);
}

/* Digits of value and a newline at to; returns the byte after them. */
static char *write_integer(char *to, int64_t value) {
  char digits[20];
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  size_t count = 0;
  do digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) *to++ = '-';
  while (count) *to++ = digits[--count];
  *to++ = '\n';
  return to;
}

enum { BATCH = 8192, LONGEST = 21 };

static sfm_status write_draws(FILE *file, sfm_noise *noise, uint64_t count, bool raw,
                              sfm_error *error) {
  int64_t *values = malloc(BATCH * sizeof *values);
  char *text = malloc(BATCH * LONGEST);
  sfm_status status = values && text ? SFM_OK : cli_fail_memory(error);
  if (!raw && !status) fputs("value\n", file);
  while (!status && count && !ferror(file)) {
    size_t batch = count < BATCH ? (size_t)count : BATCH;
    sfm_noise_draw(noise, values, batch);
    if (raw)
      fwrite(values, sizeof *values, batch, file);
    else {
      char *end = text;
      for (size_t i = 0; i < batch; i++) end = write_integer(end, values[i]);
      fwrite(text, 1, (size_t)(end - text), file);
    }
    count -= batch;
  }
  free(values);
  free(text);
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output"), *scale_text = options_get(options, "scale");
  sfm_noise_law law = SFM_NOISE_LAW_DISCRETE_LAPLACE;
  sfm_ratio scale = {1, 1};
  sfm_context context = {0};
  uint64_t count = 1;
  unsigned format = 0;
  sfm_noise *noise = NULL;
  output out = {0};
  sfm_status status = read_law(&law, options->operand, error);
  if (!status && !scale_text)
    status = cli_misuse(error, "--scale is missing; write for example --scale 3/2");
  if (!status) status = sfm_ratio_parse(&scale, scale_text, error);
  if (!status) status = options_take(options, &count, "count", error);
  if (!status) status = options_take(options, &format, "format", error);
  if (!status) status = options_take(options, &context, "seed", error);
  if (!status && format == 1) status = output_check_binary("i64", path, error);
  if (!status && context.seeded) {
    report_seeded(stderr, "noise");
    status = sfm_noise_create_seeded(&noise, law, scale, context.seed, error);
  } else if (!status)
    status = sfm_noise_create(&noise, law, scale, error);
  if (!status) status = output_open(&out, path, error);
  if (!status) status = write_draws(out.file, noise, count, format == 1, error);
  if (!status) status = output_close(&out, error);
  output_abandon(&out);
  sfm_noise_destroy(noise);
  return status;
}

const cli_verb verb_noise = {
    .name = "noise",
    .summary = "draw exact integer noise",
    .usage = "laplace|normal|gaussian --scale S [--count N] [--format csv|i64] [-o FILE]",
    .operand = "LAW",
    .operand_help = "laplace: P(z) proportional to exp(-|z|/S); normal: the nearest integer to S "
                    "times a standard normal; gaussian: P(z) proportional to exp(-z^2/(2 S^2))",
    .options = options_table,
    .about = "The random bits come from a ChaCha20 stream whose key comes from the operating "
             "system. The probability of each integer is exactly the formula, without rounding.",
    .example = "sfumato noise laplace --scale 3/2 --count 1000000 --format i64 -o noise.i64",
    .run = run,
};
