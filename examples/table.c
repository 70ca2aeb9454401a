/* table.c - a table of counts, its margins at no further cost, and a table that is consistent.
 *
 *   table
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 table.c $(pkg-config --cflags --libs sfumato) -o table */
#include <stdio.h>

#include <sfumato/sfumato.h>

enum { ROWS = 5000 };
static const char *const COLUMNS[] = {"age", "stay"};

/* The owner's side. */
static sfm_status release_table(sfm_release **out, sfm_error *error) {
  static double cells[2 * ROWS];
  const sfm_histogram_column columns[] = {{"age", 4}, {"stay", 2}};
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  *out = NULL;
  for (int i = 0; i < ROWS; i++) {
    cells[2 * i] = i * 37 % 100;
    cells[2 * i + 1] = i * 53 % 14;
  }
  sfm_status status = sfm_schema_create(&schema, error);
  if (!status) status = sfm_schema_set_bounds(schema, "age", 0, 100, error);
  if (!status) status = sfm_schema_set_bounds(schema, "stay", 0, 14, error);
  if (!status) status = sfm_rows_from_array(&rows, cells, ROWS, 2, COLUMNS, error);
  if (!status) {
    sfm_histogram_settings settings = sfm_histogram_settings_default();
    settings.context.schema = schema;
    settings.columns = columns;
    settings.count = 2;
    settings.epsilon = 1;
    status = sfm_histogram_release(out, rows, &settings, error);
  }
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return status;
}

static void print_table(const sfm_release *table) {
  char text[64];
  for (size_t e = 0; e < sfm_release_length(table); e++) {
    for (size_t i = 0; i < sfm_table_columns(table); i++) {
      sfm_table_text(table, text, sizeof text, e, i);
      printf("%s %s, ", sfm_table_column(table, i), text);
    }
    printf("%.1f\n", sfm_release_coefficient(table, e));
  }
}

int main(void) {
  sfm_error error;
  sfm_release *table = NULL, *ages = NULL, *refined = NULL;
  sfm_status status = release_table(&table, &error);
  if (!status) print_table(table);
  if (!status) status = sfm_table_margin_of(&ages, NULL, table, COLUMNS, 1, &error);
  if (!status) print_table(ages);
  if (!status) {
    const sfm_table_refine_settings settings = sfm_table_refine_settings_default(ages);
    status = sfm_table_refine(&refined, ages, &settings, &error); /* none below zero */
  }
  if (!status) print_table(refined);
  if (status) fprintf(stderr, "table: %s\n", error.message);
  sfm_release_destroy(refined);
  sfm_release_destroy(ages);
  sfm_release_destroy(table);
  return sfm_status_exit_code(status);
}
