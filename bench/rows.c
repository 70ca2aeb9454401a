/* bench_rows FILE COLUMN... - how long it takes to count the rows of a file and to read columns,
 * beside mawk summing the first as many columns of the same file (CSV) in the same run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/bench_support.h"
#include "data/rows/rows.h"

static void require(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "%s\n", error->message);
  exit(sfm_status_exit_code(status));
}

static double time_mawk(const char *path, int columns) {
  char command[4096];
  int used = snprintf(command, sizeof command, "mawk -F, '{");
  for (int i = 1; i <= columns; i++)
    used += snprintf(command + used, sizeof command - (size_t)used, "s%d+=$%d;", i, i);
  snprintf(command + used, sizeof command - (size_t)used, "} END {print s1}' '%s' > /dev/null",
           path);
  double start = bench_clock();
  if (system(command) != 0) return NAN;
  return bench_clock() - start;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s FILE COLUMN...\n", argv[0]);
    return 2;
  }
  sfm_error error;
  sfm_rows *rows;
  sfm_schema *schema;
  uint64_t count, read = 0;
  size_t columns = (size_t)(argc - 2);
  require(sfm_rows_open(&rows, argv[1], &error), &error);
  require(sfm_schema_create(&schema, &error), &error);
  for (int i = 2; i < argc; i++)
    require(sfm_schema_set_bounds(schema, argv[i], -1e300, 1e300, &error), &error);

  double start = bench_clock();
  require(sfm_rows_count(rows, &count, &error), &error);
  double counted = bench_clock() - start;
  double per_row = 1e9 / (count ? (double)count : 1.0);

  const char *const *names = (const char *const *)(argv + 2);
  sfmi_selection selection = {schema, names, columns, SFM_OUTSIDE_CLAMP};
  start = bench_clock();
  require(sfmi_rows_begin(rows, &selection, &error), &error);
  double sum = 0;
  for (const sfmi_batch *batch;;) {
    require(sfmi_rows_next(rows, &batch, &error), &error);
    if (!batch) break;
    read += batch->rows;
    for (size_t r = 0; r < batch->rows; r++) sum += batch->keep[r] ? batch->values[r] : 0;
  }
  double parsed = bench_clock() - start;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);

  double mawk = time_mawk(argv[1], argc - 2);
  printf("rows %llu (read %llu), sum of the first column %.17g\n", (unsigned long long)count,
         (unsigned long long)read, sum);
  printf("count %.2f ns a row\nread  %.2f ns a row\nmawk  %.2f ns a row\n", counted * per_row,
         parsed * per_row, mawk * per_row);
  printf("mawk / (count + read) = %.1f\nresident %ld kB\n", mawk / (counted + parsed),
         usage.ru_maxrss);
  return 0;
}
