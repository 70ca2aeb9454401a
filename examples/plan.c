/* plan.c - what a density will cost before any row is read: the methods that are possible, their
 * errors, and how many records an error of a tenth needs.
 *
 *   plan
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 plan.c $(pkg-config --cflags --libs sfumato) -lm -o plan */
#include <math.h>
#include <stdio.h>

#include <sfumato/sfumato.h>

static sfm_status print_plan(const sfm_plan *plan, sfm_error *error) {
  double rows;
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    if (entry->absent) continue;
    printf("%s%s: error %.4f, of which %.4f is for privacy\n", entry->method,
           i == sfm_plan_best(plan) ? " (auto)" : "", sqrt(entry->predicted.total),
           sqrt(entry->predicted.privacy));
  }
  const sfm_status status = sfm_plan_rows_for(plan, &rows, 0.1, error);
  if (!status) printf("an error of a tenth of the density needs %.0f records\n", rows);
  return status;
}

int main(void) {
  static const char *const columns[] = {"age"};
  sfm_error error;
  sfm_schema *schema = NULL;
  sfm_shape *shape = NULL;
  sfm_plan *plan = NULL;
  sfm_density_settings settings = sfm_density_settings_default();
  sfm_status status = sfm_schema_create(&schema, &error);
  if (!status) status = sfm_schema_set_bounds(schema, "age", 0, 100, &error);
  if (!status) status = sfm_shape_parse(&shape, "normal:45:18", 1, &error);
  settings.context.schema = schema;
  settings.columns = columns;
  settings.dimension = 1;
  settings.shape = shape; /* a public guess; no row is looked at */
  settings.epsilon = 1;
  settings.delta = 1e-6;
  if (!status) status = sfm_plan_density(&plan, &settings, 20000, &error);
  if (!status) status = print_plan(plan, &error);
  if (status) fprintf(stderr, "plan: %s\n", error.message);
  sfm_plan_destroy(plan);
  sfm_shape_destroy(shape);
  sfm_schema_destroy(schema);
  return sfm_status_exit_code(status);
}
