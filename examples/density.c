/* density.c - a program that releases the density of one column and then uses the release.
 *
 *   density rows.csv age 0 100 3 age.sfm
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 density.c $(pkg-config --cflags --libs sfumato) -o density */
#include <stdio.h>
#include <stdlib.h>

#include <sfumato/sfumato.h>

/* The owner's side: private rows in, a release out. */
static sfm_status release_column(sfm_release **out, char **words, sfm_error *error) {
  const char *columns[] = {words[2]};
  const double bandwidth[] = {atof(words[5])};
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  *out = NULL;
  sfm_status status = sfm_schema_create(&schema, error);
  if (!status)
    status = sfm_schema_set_bounds(schema, columns[0], atof(words[3]), atof(words[4]), error);
  if (!status) status = sfm_rows_open(&rows, words[1], error);
  if (!status) {
    sfm_density_settings settings = sfm_density_settings_default();
    settings.context.schema = schema;
    settings.columns = columns;
    settings.dimension = 1;
    settings.bandwidth = bandwidth;
    settings.epsilon = 1;
    status = sfm_density_release(out, NULL, rows, &settings, error);
  }
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return status;
}

/* Anyone's side: five values of the released function, with the band. */
static sfm_status print_values(const sfm_release *release, sfm_error *error) {
  enum { COUNT = 5 };
  const size_t counts[] = {COUNT};
  double values[COUNT], lower, upper;
  sfm_evaluator *evaluator = NULL;
  sfm_status status = sfm_evaluator_create(&evaluator, release, 0, error);
  if (!status) status = sfm_evaluator_grid(evaluator, values, counts, error);
  sfm_evaluator_destroy(evaluator);
  if (status) return status;
  sfm_release_bounds(release, &lower, &upper, 0);
  printf("%s\n", sfm_release_sentence(release));
  for (int i = 0; i < COUNT; i++)
    printf("%g %.5f +-%.5f\n", lower + (upper - lower) * i / (COUNT - 1), values[i],
           sfm_release_band(release).half_width);
  return SFM_OK;
}

int main(int count, char **words) {
  if (count != 7) {
    fprintf(stderr, "usage: density ROWS COLUMN LOWER UPPER BANDWIDTH RELEASE\n");
    return 2;
  }
  sfm_error error;
  sfm_release *release = NULL;
  sfm_status status = release_column(&release, words, &error);
  if (!status) status = sfm_release_write(release, words[6], &error);
  if (!status) status = print_values(release, &error);
  if (status) fprintf(stderr, "density: %s\n", error.message);
  sfm_release_destroy(release);
  return sfm_status_exit_code(status);
}
