/* plan_isolated.c - the verbs of `sfumato plan` alone, in a program that has nothing to read rows
 * with. */
#include <string.h>

#include "cli/core/text.h"
#include "cli/formats/gzip_file.h"
#include "cli/formats/libsvm_points.h"
#include "cli/core/verbs.h"

/* Even public points of libsvm text it cannot read: the reader is that of rows. */
sfm_status libsvm_points_read(size_t **starts, uint32_t **indices, double **values, size_t *count,
                              const char *path, size_t dimension, sfm_error *error) {
  (void)starts, (void)indices, (void)values, (void)count, (void)dimension;
  return cli_fail(error, SFM_INVALID, "%.200s cannot be read by a program that reads no rows",
                  path);
}

/* Nor what is packed, for which rows have a library. */
sfm_status file_gunzip(file_bytes *file, sfm_error *error) {
  (void)file, (void)error;
  return SFM_OK;
}

static const cli_verb *const verbs[] = {
    &verb_plan_density,   &verb_plan_series, &verb_plan_curve,
    &verb_plan_vector,    &verb_plan_train,  &verb_plan_online,
    &verb_plan_histogram, &verb_plan_count,  &verb_plan_interact};

static int run(const cli_verb *verb, int count, char **words) {
  sfm_error error = {SFM_OK, ""};
  cli_options options;
  sfm_status status = options_parse(&options, verb, count, words, &error);
  if (!status) status = verb->run(&options, &error);
  if (status) fprintf(stderr, "sfumato %s: %s\n", verb->name, error.message);
  options_clear(&options);
  return sfm_status_exit_code(status);
}

int main(int count, char **words) {
  static const char family[] = "plan ";
  for (size_t i = 0; count > 2 && i < sizeof verbs / sizeof *verbs; i++)
    if (strcmp(verbs[i]->name + strlen(family), words[2]) == 0)
      return run(verbs[i], count - 3, words + 3);
  fputs("usage: plan_isolated plan VERB [options]\n", stderr);
  return 2;
}
