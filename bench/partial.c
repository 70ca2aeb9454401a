/* bench_partial - the size of a part and the time of a merge, by release and by the rows of a part:
 * bytes of each part, time to read one from bytes and to merge it, and the memory that 100,000
 * parts take when they are merged one at a time. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bench_support.h"
#include "base/math/prng.h"
#include "data/partial/partial.h"
#include "sfumato/partial.h"

static sfm_error error;

static void require(sfm_status status) {
  if (!status) return;
  fprintf(stderr, "%s\n", error.message);
  exit(1);
}

typedef struct job {
  const char *name;
  sfm_density_settings density;
  sfm_histogram_settings histogram;
  bool table;
} job;

static sfm_partial *create(const job *j, uint64_t number, uint64_t of) {
  sfm_partial *partial;
  sfm_part part = sfm_part_default();
  part.number = number;
  part.of = of;
  require(j->table ? sfm_histogram_partial_create(&partial, &j->histogram, &part, &error)
                   : sfm_density_partial_create(&partial, &j->density, &part, &error));
  return partial;
}

/* Merges `of` parts: one with rows, given another number each time. */
static void measure(const job *j, const double *values, size_t rows, uint64_t of) {
  static const char *const names[] = {"x", "y"};
  void *bytes;
  size_t size;
  sfm_rows *source;
  sfm_partial *part = create(j, 1, of), *all = create(j, of, of);
  require(sfm_rows_from_array(&source, values, rows, 2, names, &error));
  double begun = bench_clock();
  require(sfm_partial_add(part, source, &error));
  const double added = bench_clock() - begun;
  sfm_rows_destroy(source);
  begun = bench_clock();
  size_t least = SIZE_MAX, most = 0;
  for (uint64_t i = 1; i < of; i++) {
    sfm_partial *one;
    part->ranges[0] = (sfmi_part_range){i, i};
    require(sfm_partial_to_bytes(part, &bytes, &size, &error));
    require(sfm_partial_from_bytes(&one, bytes, size, &error));
    require(sfm_partial_merge(all, one, &error));
    sfm_partial_destroy(one);
    sfm_partial_free_bytes(bytes, size);
    const size_t used = mallinfo2().uordblks;
    if (i == of / 10) least = used;
    if (i > of / 10 && used > most) most = used;
  }
  const double merged = (bench_clock() - begun) / (double)(of - 1);
  printf("%-28s %8zu rows: %9zu bytes a part, %9.1f us to write, read and merge one, %.0f ns a row "
         "to add; %llu parts: %+ld bytes of memory after the first tenth\n",
         j->name, rows, size, 1e6 * merged, 1e9 * added / (double)rows, (unsigned long long)of,
         (long)most - (long)least);
  sfm_partial_destroy(part);
  sfm_partial_destroy(all);
}

int main(void) {
  enum { ROWS = 100000 };
  static const char *const xy[] = {"x", "y"};
  static const double narrow[] = {0.02, 0.02}, fine[] = {0.005, 0.005};
  static const sfm_histogram_column cells[] = {{"x", 1000}, {"y", 1000}};
  double *values = malloc(2 * ROWS * sizeof *values);
  sfmi_prng prng;
  sfm_schema *schema;
  sfmi_prng_init(&prng, 1);
  for (size_t i = 0; i < 2 * ROWS; i++) values[i] = sfmi_prng_uniform(&prng);
  require(sfm_schema_create(&schema, &error));
  require(sfm_schema_set_bounds(schema, "x", 0, 1, &error));
  require(sfm_schema_set_bounds(schema, "y", 0, 1, &error));
  require(sfm_schema_set_neighbours(schema, SFM_NEIGHBOURS_ADD_REMOVE, &error));
  job curve = {.name = "density, one column"};
  curve.density = sfm_density_settings_default();
  curve.density.context.schema = schema;
  curve.density.columns = xy;
  curve.density.dimension = 1;
  curve.density.bandwidth = narrow;
  curve.density.method = SFM_DENSITY_LATTICE;
  curve.density.epsilon = 1;
  job map = curve, table = {.name = "histogram, a million cells", .table = true}, sparse;
  map.name = "density, two columns";
  map.density.dimension = 2;
  map.density.bandwidth = fine;
  table.histogram = sfm_histogram_settings_default();
  table.histogram.context.schema = schema;
  table.histogram.columns = cells;
  table.histogram.count = 2;
  table.histogram.epsilon = 1;
  sparse = table;
  sparse.name = "histogram, sparse";
  sparse.histogram.form = SFM_HISTOGRAM_SPARSE;
  measure(&curve, values, 1000, 100000);
  measure(&curve, values, ROWS, 1000);
  measure(&map, values, 1000, 1000);
  measure(&map, values, ROWS, 1000);
  measure(&table, values, 1000, 100);
  measure(&table, values, ROWS, 100);
  measure(&sparse, values, 1000, 1000);
  measure(&sparse, values, ROWS, 100);
  sfm_schema_destroy(schema);
  free(values);
  return 0;
}
