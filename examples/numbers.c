/* numbers.c - quantiles of a column, and the most frequent of several days, written to a CSV that
 * appears whole or not at all.
 *
 *   numbers OUTPUT.csv
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 numbers.c $(pkg-config --cflags --libs sfumato) -o numbers */
#include <stdio.h>

#include <sfumato/sfumato.h>

enum { ROWS = 5000, DAYS = 3 };
static const char *const NAMES[DAYS] = {"Monday", "Wednesday", "Friday"};
static const double SHARES[] = {0.25, 0.5, 0.75};

/* The owner's side: the schema and the shares are public, the rows are not. */
static sfm_status release_quantiles(sfm_release **out, sfm_error *error) {
  static double ages[ROWS];
  static const char *const columns[] = {"age"};
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  *out = NULL;
  for (int i = 0; i < ROWS; i++) ages[i] = i * 37 % 100;
  sfm_status status = sfm_schema_create(&schema, error);
  if (!status) status = sfm_schema_set_bounds(schema, "age", 0, 1000, error); /* wide is fine */
  if (!status) status = sfm_rows_from_array(&rows, ages, ROWS, 1, columns, error);
  if (!status) {
    sfm_range_settings settings = sfm_range_settings_default();
    settings.context.schema = schema;
    settings.column = "age";
    settings.quantiles = SHARES;
    settings.count = 3;
    settings.epsilon = 1;
    status = sfm_range_release(out, rows, &settings, error);
  }
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return status;
}

/* How many visits each day has.  Called once, after the charge; one visit moves a count by one. */
static sfm_status count_visits(void *data, double *scores, size_t count, sfm_error *error) {
  const double *visits = (const double *)data;
  (void)error;
  for (size_t i = 0; i < count; i++) scores[i] = visits[i];
  return SFM_OK;
}

static sfm_status choose_day(sfm_release **out, sfm_error *error) {
  static double visits[DAYS] = {410, 980, 395};
  sfm_choose_settings settings = sfm_choose_settings_default();
  settings.sensitivity = 1;
  settings.epsilon = 1;
  settings.read = count_visits;
  settings.read_data = visits;
  return sfm_choose_release(out, NAMES, NULL, DAYS, &settings, error);
}

/* The analyst's side. */
static sfm_status write_csv(const char *path, const sfm_release *quantiles, const sfm_release *day,
                            sfm_error *error) {
  sfm_output *output = NULL;
  sfm_status status = sfm_output_begin(&output, path, error);
  if (status) return status;
  FILE *stream = sfm_output_stream(output);
  fputs("what,value\n", stream);
  for (size_t i = 0; i < sfm_release_length(quantiles); i++)
    fprintf(stream, "quantile %g,%g\n", sfm_release_quantile(quantiles, i),
            sfm_release_coefficient(quantiles, i));
  fprintf(stream, "busiest day,%s\n", sfm_release_candidate(day, sfm_release_chosen(day)));
  return sfm_output_commit(output, error);
}

int main(int count, char **words) {
  sfm_error error;
  sfm_release *quantiles = NULL, *day = NULL;
  if (count != 2) {
    fprintf(stderr, "usage: numbers OUTPUT.csv\n");
    return 2;
  }
  sfm_status status = release_quantiles(&quantiles, &error);
  if (!status) status = choose_day(&day, &error);
  if (!status) status = write_csv(words[1], quantiles, day, &error);
  if (status) fprintf(stderr, "numbers: %s\n", error.message);
  sfm_release_destroy(day);
  sfm_release_destroy(quantiles);
  return sfm_status_exit_code(status);
}
