/* arrow_probe.c - for arrow_producers.py: releases made from a stream or from a CSV file, with one
 * seed, as files that can be compared. */
#include <stdio.h>
#include <string.h>

#include <sfumato/sfumato.h>

static sfm_status make_all(sfm_rows *rows, const sfm_schema *schema, const char *out,
                           sfm_error *error) {
  char path[512];
  const char *age[] = {"age"};
  const double bandwidth[] = {5};
  const sfm_histogram_column cells[] = {{"sex", 0}, {"ward", 0}, {"flag", 0}, {"age", 8}};
  sfm_release *release = NULL;
  sfm_density_settings density = sfm_density_settings_default();
  density.context.schema = schema;
  density.context.seeded = true;
  density.context.seed = 7;
  density.columns = age;
  density.dimension = 1;
  density.bandwidth = bandwidth;
  density.epsilon = 1;
  sfm_status status = sfm_density_release(&release, NULL, rows, &density, error);
  snprintf(path, sizeof path, "%s.density", out);
  if (!status) status = sfm_release_write(release, path, error);
  sfm_release_destroy(release);
  release = NULL;
  if (status) return status;
  sfm_count_settings count = sfm_count_settings_default();
  count.context = density.context;
  count.where = "age >= 40 and sex == \"F\" and ward in (3, 7)";
  count.epsilon = 1;
  status = sfm_count_release(&release, rows, &count, error);
  snprintf(path, sizeof path, "%s.count", out);
  if (!status) status = sfm_release_write(release, path, error);
  sfm_release_destroy(release);
  release = NULL;
  if (status) return status;
  sfm_histogram_settings table = sfm_histogram_settings_default();
  table.context = density.context;
  table.columns = cells;
  table.count = 4;
  table.epsilon = 1;
  status = sfm_histogram_release(&release, rows, &table, error);
  snprintf(path, sizeof path, "%s.table", out);
  if (!status) status = sfm_release_write(release, path, error);
  sfm_release_destroy(release);
  return status;
}

/* From the stream, or where it is NULL from the CSV.  Returns the status; message has room for 1024
 * bytes. */
int probe(struct ArrowArrayStream *stream, const char *csv, const char *schema_text,
          const char *out, char *message) {
  sfm_error error = {0};
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  sfm_status status = sfm_schema_parse(&schema, schema_text, strlen(schema_text), "schema", &error);
  if (!status)
    status = stream ? sfm_rows_from_arrow_stream(&rows, stream, SFM_ARROW_CHUNKS_KEEP, &error)
                    : sfm_rows_open(&rows, csv, &error);
  if (!status) status = make_all(rows, schema, out, &error);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  snprintf(message, 1024, "%s", error.message);
  return (int)status;
}
