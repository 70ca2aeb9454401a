/* array.c - the density of an array in memory, by the C interface of the shared library alone: what
 * bench/python_fit.py is compared with. Usage: array ROWS.npy. For each line that it reads it makes
 * one release and prints the seconds of the processor, so that both can take turns. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sfumato/sfumato.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "array: %s\n", error->message);
  exit(1);
}

int main(int count, char **words) {
  sfm_error error;
  sfm_npy npy;
  FILE *file = count > 1 ? fopen(words[1], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: array ROWS.npy\n");
    return 2;
  }
  fseek(file, 0, SEEK_END);
  const size_t length = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(length);
  if (!bytes || fread(bytes, 1, length, file) != length) return 1;
  fclose(file);
  check(sfm_npy_parse(&npy, bytes, length, words[1], &error), &error);
  const double *values =
      (const double *)(const void *)(bytes + length - npy.lengths[0] * sizeof *values);
  static const char *const names[] = {"x"};
  sfm_density_settings settings = sfm_density_settings_default();
  sfm_schema *schema;
  check(sfm_schema_create(&schema, &error), &error);
  check(sfm_schema_set_bounds(schema, "x", 0, 100, &error), &error);
  settings.context.schema = schema;
  settings.columns = names;
  settings.dimension = 1;
  settings.bandwidth = (const double[]){2};
  settings.epsilon = 1;
  while (getchar() != EOF) {
    const double begun = now();
    sfm_rows *rows;
    sfm_release *release;
    check(sfm_rows_from_array(&rows, values, npy.lengths[0], 1, names, &error), &error);
    check(sfm_density_release(&release, NULL, rows, &settings, &error), &error);
    sfm_release_destroy(release);
    sfm_rows_destroy(rows);
    printf("%.6f\n", now() - begun);
    fflush(stdout);
  }
  sfm_schema_destroy(schema);
  free(bytes);
  return 0;
}
